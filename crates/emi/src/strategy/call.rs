//! Calls of functions from other programs: what they return for arguments at hand is known from the judge, so an expression
//! is rebuilt from a call, or guarded by one.

use howler_choices::Choices;
use howler_lang::arith::Num;
use howler_lang::arith::set::ValueSet;
use howler_lang::build::Built;
use howler_lang::compose::{Composed, Value};
use howler_lang::edit::{Edit, Operand};
use howler_lang::program::{BinaryOp, ExprId, ExprKind};
use howler_lang::scope::{Named, Point};
use howler_lang::ty::Type;

use crate::env::{Env, Variable};
use crate::foreign::{Foreign, Known};
use crate::predicate::pick;
use crate::site::{Proposal, Site, Step};
use crate::strategy::identity::{candidates, changed};
use crate::syn::Syn;

/// Changes one expression of the statement at the point by a call.
pub fn propose(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    let program = site.edited.program();
    let found = candidates(program, site.at);
    let &e = choices.pick("expression", &found)?;
    let point = Point::Before(site.at);
    let can_call = |foreign: &&Foreign| {
        let named = site.scopes.reaches(point, program.funcs[foreign.func].name);
        named == Some(Named::Function(foreign.func))
    };
    let here: Vec<Foreign> = site.foreign.iter().filter(can_call).cloned().collect();
    let foreign = choices.pick("foreign", &here)?;
    let known = choices.pick("known", &foreign.known)?;
    let env = site.env;
    let value = value(site, e);
    let way = choices.range("identity", 0..=9u32);
    let mut any = false;
    let code = site.edited.expression(|c| {
        let mut syn = Syn::new(c);
        let Some(call) = call(&mut syn, env, (foreign, known), choices)? else { return Ok(e) };
        if way > 4
            && let Some(value) = value
            && let Some(made) = rebuilt(&mut syn, call, e, value)?
        {
            any = true;
            return Ok(made);
        }
        let result = constant(&mut syn, foreign.ret, known.result)?;
        let truth = matches!(way, 3 | 5);
        let op = if truth { BinaryOp::Eq } else { BinaryOp::Ne };
        let zero = syn.c.binary(op, call, result)?;
        any = true;
        changed(syn.c, (e, zero), (way, truth), choices)
    });
    let code = code.ok().filter(|_| any)?;
    let at = site.edited.expr(e);
    let edit = Edit::Replace { at, with: Operand::Code(code) };
    Some(Proposal::new(vec![Step::Plain(edit)], known.cost.saturating_mul(8) + 10))
}

/// The one value that an expression has at the point, if it is a number of the text or a variable.
fn value(site: &Site<'_>, e: ExprId) -> Option<i128> {
    let program = site.edited.program();
    match program.exprs[e].kind {
        ExprKind::Int { value, .. } => Some(i128::from(value)),
        ExprKind::Object(object) => {
            let is = |one: &&Variable| one.place.object == object && one.place.path.is_empty();
            let variable = site.env.variables.iter().find(is)?;
            single(variable)
        }
        _ => None,
    }
}

/// The one value of an integer of up to 64 bits.
fn single(variable: &Variable) -> Option<i128> {
    let small = matches!(variable.num, Num::Int { width, .. } if width <= 64);
    let bits = variable.values.as_single().filter(|_| small)?;
    Some(variable.num.number(bits))
}

fn constant(syn: &mut Syn<'_>, ty: Type, number: i128) -> Built {
    let value = syn.c.constant(ty, &Value::Int(number))?;
    // A constant of a narrow type comes out as an `int`.
    if syn.c.program.ty(value) == ty { Ok(value) } else { syn.c.cast(ty, value) }
}

/// The call, with arguments that are built from variables where that can be done.
fn call(
    syn: &mut Syn<'_>,
    env: &Env,
    (foreign, known): (&Foreign, &Known),
    choices: &mut Choices,
) -> Composed<Option<ExprId>> {
    let mut arguments = Vec::new();
    for (&ty, &argument) in foreign.params.iter().zip(&known.arguments) {
        let from = if choices.chance("from variable", 3, 4) {
            of_variable(syn, env, (ty, argument), choices)?
        } else {
            None
        };
        arguments.push(match from {
            Some(made) => made,
            None => constant(syn, ty, argument)?,
        });
    }
    let call = syn.c.call_of(foreign.func, &arguments)?;
    let Some(num) = syn.num(call) else { return Ok(None) };
    syn.know(call, ValueSet::single(num, num.bits(known.result)));
    Ok(Some(call))
}

/// `(T)(v + (a - c))` for a variable that always is c.
fn of_variable(
    syn: &mut Syn<'_>,
    env: &Env,
    (ty, argument): (Type, i128),
    choices: &mut Choices,
) -> Composed<Option<ExprId>> {
    let usable: Vec<&Variable> = env.integers().into_iter().filter(|one| single(one).is_some()).collect();
    let Some(variable) = pick(choices, &usable) else { return Ok(None) };
    let read = syn.read(variable)?;
    moved(syn, read, ty, argument)
}

/// `(T)(e + (number - c))` for an expression that always is c, if that is defined and comes out.
fn moved(syn: &mut Syn<'_>, e: ExprId, ty: Type, number: i128) -> Composed<Option<ExprId>> {
    let Some((promoted, values)) = syn.promoted(e) else { return Ok(None) };
    let (num, Some(bits)) = (values.num(), values.as_single()) else { return Ok(None) };
    let distance = number.wrapping_sub(num.number(bits));
    if num.number(num.bits(distance)) != distance {
        return Ok(None);
    }
    let distance = syn.constant(promoted, num.bits(distance))?;
    let Some(sum) = syn.binary(BinaryOp::Add, e, distance) else { return Ok(None) };
    let Some(made) = syn.cast(ty, sum) else { return Ok(None) };
    let found = syn.values(made).and_then(|values| Some(values.num().number(values.as_single()?)));
    Ok((found == Some(number)).then_some(made))
}

/// `(T)(call + (x - r))` for an expression of type T that always is x.
fn rebuilt(syn: &mut Syn<'_>, call: ExprId, e: ExprId, value: i128) -> Composed<Option<ExprId>> {
    let ty = syn.c.program.types.strip(syn.c.program.ty(e)).bare();
    if !syn.c.program.types.is_integer(ty) {
        return Ok(None);
    }
    moved(syn, call, ty, value)
}
