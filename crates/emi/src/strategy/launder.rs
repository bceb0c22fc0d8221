//! A variable is changed and put back, and its value meanwhile is somewhere where compilers have a hard time to follow:
//! in the bytes of a union.

use howler_choices::Choices;
use howler_lang::compose::{Composed, Composer, Member, Value};
use howler_lang::program::{BinaryOp, StmtId, UnaryOp};
use howler_lang::ty::{RecordKind, Type};

use crate::env::{Env, Variable};
use crate::expression::expression;
use crate::predicate::pick;
use crate::site::{Proposal, Site};
use crate::syn::Syn;

/// `{ union u { T whole; unsigned char bytes[n]; } a, b; a.whole = v; v = …; b.bytes[i] = a.bytes[i] …; v = b.whole; }`
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
    let bytes = c.array(Type::UCHAR, size)?;
    let members = [Member::new("whole", ty), Member::new("bytes", bytes)];
    let tag = c.fresh("bytes_of");
    let (union, defined) = c.local_record(RecordKind::Union, &tag, &members)?;
    let name = c.fresh("first");
    let (first, declares_first) = c.local(&name, union, None)?;
    let name = c.fresh("second");
    let (second, declares_second) = c.local(&name, union, None)?;
    let name = c.fresh("at");
    let (at, declares_at) = c.local(&name, Type::INT, Some(&Value::Int(0)))?;
    let mut stmts = vec![defined, declares_first, declares_second, declares_at];
    let from = Syn::new(c).read(changed)?;
    let to = c.lvalue(first);
    let to = c.member(to, "whole")?;
    let set = c.assign(to, from)?;
    stmts.push(c.expr(set)?);
    let mut syn = Syn::new(c);
    let value = expression(&mut syn, env, choices)?;
    if syn.values(value).and_then(|_| syn.stored(value, changed.num)).is_none() {
        return Ok(None);
    }
    let to = syn.place(&changed.place)?;
    let change = c.assign(to, value)?;
    stmts.push(c.expr(change)?);
    let (to, from) = (c.lvalue(second), c.lvalue(first));
    let (to, from) = (c.member(to, "bytes")?, c.member(from, "bytes")?);
    let (one, two) = (c.lvalue(at), c.lvalue(at));
    let (to, from) = (c.index(to, one)?, c.index(from, two)?);
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
    let from = c.member(from, "whole")?;
    let back = c.assign(to, from)?;
    stmts.push(c.expr(back)?);
    Ok(Some(c.block(&stmts)))
}
