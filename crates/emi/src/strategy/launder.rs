//! A variable is changed and put back, and its value meanwhile goes through memory in a way that compilers have a hard time
//! to follow: byte by byte, by `memcpy`, by the members of a union, or by a volatile object.

use howler_choices::Choices;
use howler_lang::compose::{Composed, Composer, Member, Value};
use howler_lang::id::Id;
use howler_lang::program::{BinaryOp, ExprId, FuncId, ObjId, StmtId, UnaryOp};
use howler_lang::scope::{Named, Point};
use howler_lang::ty::{RecordKind, Type, TypeKind};

use crate::env::{Env, Variable};
use crate::expression::expression;
use crate::predicate::pick;
use crate::site::{Proposal, Site};
use crate::syn::Syn;

/// What a way through memory needs to know of the point.
#[derive(Clone, Copy)]
struct How {
    memcpy: Option<FuncId>,
    at: StmtId,
}

/// `{ T first = v; v = …; …; v = second; }`
pub fn propose(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    let env = site.env;
    let writable: Vec<&Variable> = env.integers().into_iter().filter(|one| one.writable).collect();
    let changed = pick(choices, &writable)?;
    let how = How { memcpy: memcpy(site), at: site.at };
    let mut any = false;
    let code = site.edited.statements(|c| {
        let made = composed(c, env, (changed, how), choices)?;
        any = made.is_some();
        Ok(made.into_iter().collect())
    });
    let code = code.ok().filter(|_| any)?;
    Some(site.before(code, 100))
}

/// The library's `memcpy`, if it can be named at the point.
fn memcpy(site: &Site<'_>) -> Option<FuncId> {
    let program = site.edited.program();
    let name = program.symbols.get("memcpy")?;
    let Some(Named::Function(func)) = site.scopes.reaches(Point::Before(site.at), name) else { return None };
    let function = &program.funcs[func];
    let TypeKind::Function(id) = program.types.kind(function.ty) else { return None };
    let signature = program.types.signature(id);
    let fits = signature.params.len() == 3 && function.body.is_none() && !function.implicit;
    fits.then_some(func)
}

fn composed(
    c: &mut Composer,
    env: &Env,
    (changed, how): (&Variable, How),
    choices: &mut Choices,
) -> Composed<Option<StmtId>> {
    let Some(ty) = changed.place.ty(&c.program) else { return Ok(None) };
    let ty = c.program.types.strip(ty).bare();
    let Some(size) = c.program.size_of(ty) else { return Ok(None) };
    let mut stmts = Vec::new();
    let from = Syn::new(c).read(changed)?;
    let name = c.fresh("first");
    let (first, declared) = c.local(&name, ty, Some(&Value::Expr(from)))?;
    stmts.push(declared);
    let mut syn = Syn::new(c);
    let value = expression(&mut syn, env, choices)?;
    if syn.values(value).and_then(|_| syn.stored(value, changed.num)).is_none() {
        return Ok(None);
    }
    let to = syn.place(&changed.place)?;
    let change = c.assign(to, value)?;
    stmts.push(c.expr(change)?);
    let way = choices.range("launder", 0..=2u32);
    let from = match (way, how.memcpy) {
        (0, _) => through_union(c, (ty, size, first), how.at, &mut stmts)?,
        (1, Some(memcpy)) => through_memcpy(c, memcpy, (ty, first), &mut stmts)?,
        _ => by_bytes(c, (ty, size, first), &mut stmts)?,
    };
    let to = Syn::new(c).place(&changed.place)?;
    let back = c.assign(to, from)?;
    stmts.push(c.expr(back)?);
    Ok(Some(c.block(&stmts)))
}

/// `T second; memcpy(&second, &first, sizeof second);`
fn through_memcpy(
    c: &mut Composer,
    memcpy: FuncId,
    (ty, first): (Type, ObjId),
    stmts: &mut Vec<StmtId>,
) -> Composed<ExprId> {
    let name = c.fresh("second");
    let (second, declared) = c.local(&name, ty, None)?;
    stmts.push(declared);
    let (to, from, whole) = (c.lvalue(second), c.lvalue(first), c.lvalue(second));
    let arguments = [c.address(to)?, c.address(from)?, c.sizeof_expr(whole)?];
    stmts.push(c.call(memcpy, &arguments)?);
    Ok(c.lvalue(second))
}

/// `union { T whole; unsigned char bytes[sizeof (T)]; } one, two; one.whole = first;`, byte by byte from one to two, and
/// `two.whole` (C17 6.5.2.3p3).
fn through_union(
    c: &mut Composer,
    (ty, size, first): (Type, u64, ObjId),
    at: StmtId,
    stmts: &mut Vec<StmtId>,
) -> Composed<ExprId> {
    // Tags are unique in a unit, and others are made beside this one.
    let bytes = c.array(Type::UCHAR, size)?;
    let tag = c.fresh(&format!("laundry_{}", at.index()));
    let members = [Member::new("whole", ty), Member::new("bytes", bytes)];
    let (union, declared) = c.local_record(RecordKind::Union, &tag, &members)?;
    stmts.push(declared);
    let name = c.fresh("one");
    let (one, declared) = c.local(&name, union, None)?;
    stmts.push(declared);
    let name = c.fresh("two");
    let (two, declared) = c.local(&name, union, None)?;
    stmts.push(declared);
    let (whole, from) = (c.lvalue(one), c.lvalue(first));
    let whole = c.member(whole, "whole")?;
    let set = c.assign(whole, from)?;
    stmts.push(c.expr(set)?);
    let part = |c: &mut Composer, object: ObjId, at: ObjId| {
        let (whole, index) = (c.lvalue(object), c.lvalue(at));
        let bytes = c.member(whole, "bytes")?;
        c.index(bytes, index)
    };
    copied(c, size, |c, at| Ok((part(c, two, at)?, part(c, one, at)?)), stmts)?;
    let two = c.lvalue(two);
    c.member(two, "whole")
}

/// `T second; while (at < n) { ((unsigned char *)&second)[at] = ((unsigned char *)&first)[at]; at++; }`
fn by_bytes(
    c: &mut Composer,
    (ty, size, first): (Type, u64, ObjId),
    stmts: &mut Vec<StmtId>,
) -> Composed<ExprId> {
    let name = c.fresh("second");
    let (second, declared) = c.local(&name, ty, None)?;
    stmts.push(declared);
    copied(c, size, |c, at| Ok((byte(c, second, at)?, byte(c, first, at)?)), stmts)?;
    Ok(c.lvalue(second))
}

/// A loop that assigns so many bytes: `bytes` says which lvalue gets which.
fn copied(
    c: &mut Composer,
    size: u64,
    bytes: impl Fn(&mut Composer, ObjId) -> Composed<(ExprId, ExprId)>,
    stmts: &mut Vec<StmtId>,
) -> Composed<()> {
    let name = c.fresh("at");
    let (at, declared) = c.local(&name, Type::INT, Some(&Value::Int(0)))?;
    stmts.push(declared);
    let (to, from) = bytes(c, at)?;
    let copy = c.assign(to, from)?;
    let copy = c.expr(copy)?;
    let (one, two) = (c.lvalue(at), c.lvalue(at));
    let end = c.int(i128::from(size))?;
    let cond = c.binary(BinaryOp::Lt, one, end)?;
    let step = c.unary(UnaryOp::PostInc, two)?;
    let step = c.expr(step)?;
    stmts.push(c.while_loop(cond, &[copy, step])?);
    Ok(())
}

/// `((unsigned char *)&object)[at]`: bytes may be read and written whatever the object is (C17 6.5p7).
fn byte(c: &mut Composer, object: ObjId, at: ObjId) -> Composed<ExprId> {
    let whole = c.lvalue(object);
    let address = c.address(whole)?;
    let pointer = c.pointer(Type::UCHAR)?;
    let bytes = c.cast(pointer, address)?;
    let index = c.lvalue(at);
    c.index(bytes, index)
}
