//! A loop that runs exactly k times over a variable that is put back afterwards: how often is up to a variable whose
//! value was seen, so that compilers must keep the loop.

use howler_choices::Choices;
use howler_lang::arith::Num;
use howler_lang::compose::{Composed, Composer, Value};
use howler_lang::program::{BinaryOp, StmtId};
use howler_lang::ty::Type;

use crate::env::Variable;
use crate::predicate::pick;
use crate::site::{Proposal, Site};
use crate::syn::Syn;

/// The most rounds.
const ROUNDS: i128 = 9;

/// `{ T kept = v; unsigned sum = …; for (int i = 0; i < n; i++) { sum = …; v = sum; } v = kept; }`
pub fn propose(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    let integers = site.env.integers();
    let writable: Vec<&Variable> = integers.iter().copied().filter(|one| one.writable).collect();
    let small = |one: &&Variable| matches!(one.num, Num::Int { width: 8.., .. }) && one.num.width() <= 32;
    // The bound is `b - (c - k)` for a `b` that always is c.
    let bounds: Vec<&Variable> =
        integers.iter().copied().filter(small).filter(|one| one.values.as_single().is_some()).collect();
    let (changed, bound) = (pick(choices, &writable)?, pick(choices, &bounds)?);
    if changed.place == bound.place {
        return None;
    }
    let mut any = false;
    let code = site.edited.statements(|c| {
        let made = composed(c, changed, bound, choices)?;
        any = made.is_some();
        Ok(made.into_iter().collect())
    });
    let code = code.ok().filter(|_| any)?;
    Some(site.before(code, 200))
}

fn composed(
    c: &mut Composer,
    changed: &Variable,
    bound: &Variable,
    choices: &mut Choices,
) -> Composed<Option<StmtId>> {
    let Some(ty) = changed.place.ty(&c.program) else { return Ok(None) };
    let ty = c.program.types.strip(ty).bare();
    let rounds = choices.range("rounds", 1..=ROUNDS);
    let (kept_name, sum_name, counter_name) = (c.fresh("kept"), c.fresh("sum"), c.fresh("round"));
    let from = Syn::new(c).read(changed)?;
    let (kept, keeps) = c.local(&kept_name, ty, Some(&Value::Expr(from)))?;
    let from = c.lvalue(kept);
    let (sum, sums) = c.local(&sum_name, Type::UINT, Some(&Value::Expr(from)))?;
    let mut syn = Syn::new(c);
    let value = syn.read(bound)?;
    let Some((promoted, values)) = syn.promoted(value) else { return Ok(None) };
    let Some(bits) = values.as_single() else { return Ok(None) };
    // Without an overflow: the difference is a constant, and the result a small number.
    let number = values.num().number(bits);
    let less = number.checked_sub(rounds).filter(|&less| {
        let num = values.num();
        num.number(num.bits(less)) == less
    });
    let Some(less) = less else { return Ok(None) };
    let less = syn.constant(promoted, values.num().bits(less))?;
    let Some(end) = syn.binary(BinaryOp::Sub, value, less) else { return Ok(None) };
    let Some(end) = syn.cast(Type::INT, end) else { return Ok(None) };
    debug_assert!(
        syn.values(end).and_then(|values| values.as_single()).is_none_or(|end| end == rounds.cast_unsigned())
    );
    let (counter, counts) = c.local(&counter_name, Type::INT, Some(&Value::Int(0)))?;
    // What is computed is unsigned, and so is defined whatever comes out.
    let left = c.lvalue(sum);
    let factor = c.constant(Type::UINT, &Value::Int(choices.range("factor", 2..=9i128)))?;
    let op = *choices.one_of("operator", &[BinaryOp::Mul, BinaryOp::Add, BinaryOp::BitXor, BinaryOp::Sub]);
    let product = c.binary(op, left, factor)?;
    let round = c.lvalue(counter);
    let mixed = *choices.one_of("operator", &[BinaryOp::Add, BinaryOp::BitXor, BinaryOp::BitOr]);
    let next = c.binary(mixed, product, round)?;
    let (to_sum, to_changed) = (c.lvalue(sum), Syn::new(c).place(&changed.place)?);
    let set = c.assign(to_sum, next)?;
    let set = c.expr(set)?;
    let now = c.lvalue(sum);
    let change = c.assign(to_changed, now)?;
    let change = c.expr(change)?;
    let (first, second) = (c.lvalue(counter), c.lvalue(counter));
    let cond = c.binary(BinaryOp::Lt, first, end)?;
    let step = c.unary(howler_lang::program::UnaryOp::PostInc, second)?;
    let step = c.expr(step)?;
    let each = c.while_loop(cond, &[set, change, step])?;
    let (to, from) = (Syn::new(c).place(&changed.place)?, c.lvalue(kept));
    let back = c.assign(to, from)?;
    let back = c.expr(back)?;
    Ok(Some(c.block(&[keeps, sums, counts, each, back])))
}
