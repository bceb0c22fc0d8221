//! A variable is changed and put back, and its value meanwhile goes byte by byte from one object to another: there
//! compilers have a hard time to follow it.

use howler_choices::Choices;
use howler_lang::compose::{Composed, Composer, Value};
use howler_lang::program::{BinaryOp, ExprId, ObjId, StmtId, UnaryOp};
use howler_lang::ty::Type;

use crate::env::{Env, Variable};
use crate::expression::expression;
use crate::predicate::pick;
use crate::site::{Proposal, Site};
use crate::syn::Syn;

/// `{ T first = v, second; v = …; while (at < n) { ((unsigned char *)&second)[at] = ((unsigned char *)&first)[at]; at++; }
/// v = second; }`
pub fn propose(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    let env = site.env;
    let writable: Vec<&Variable> = env.integers().into_iter().filter(|one| one.writable).collect();
    let changed = pick(choices, &writable)?;
    let mut any = false;
    let code = site.edited.statements(|c| {
        let made = composed(c, env, changed, choices)?;
        any = made.is_some();
        Ok(made.into_iter().collect())
    });
    let code = code.ok().filter(|_| any)?;
    Some(site.before(code, 100))
}

fn composed(
    c: &mut Composer,
    env: &Env,
    changed: &Variable,
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
    let name = c.fresh("second");
    let (second, declared) = c.local(&name, ty, None)?;
    stmts.push(declared);
    let name = c.fresh("at");
    let (at, declared) = c.local(&name, Type::INT, Some(&Value::Int(0)))?;
    stmts.push(declared);
    let mut syn = Syn::new(c);
    let value = expression(&mut syn, env, choices)?;
    if syn.values(value).and_then(|_| syn.stored(value, changed.num)).is_none() {
        return Ok(None);
    }
    let to = syn.place(&changed.place)?;
    let change = c.assign(to, value)?;
    stmts.push(c.expr(change)?);
    let (to, from) = (byte(c, second, at)?, byte(c, first, at)?);
    let copy = c.assign(to, from)?;
    let copy = c.expr(copy)?;
    let (one, two) = (c.lvalue(at), c.lvalue(at));
    let end = c.int(i128::from(size))?;
    let cond = c.binary(BinaryOp::Lt, one, end)?;
    let step = c.unary(UnaryOp::PostInc, two)?;
    let step = c.expr(step)?;
    stmts.push(c.while_loop(cond, &[copy, step])?);
    let to = Syn::new(c).place(&changed.place)?;
    let from = c.lvalue(second);
    let back = c.assign(to, from)?;
    stmts.push(c.expr(back)?);
    Ok(Some(c.block(&stmts)))
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
