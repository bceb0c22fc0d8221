//! `SynPred` (algorithm 2): a condition that always holds, or never does, whatever is seen at its point.

use howler_choices::Choices;
use howler_lang::arith::set::{self, ValueSet};
use howler_lang::arith::{self, Num};
use howler_lang::compose::Composed;
use howler_lang::program::{BinaryOp, ExprId, UnaryOp};
use howler_machine::profile::{Place, Target};

use crate::env::{Env, Pointer, Variable};
use crate::syn::Syn;

/// What conditions are made of besides integers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Atoms {
    /// Floating variables.
    pub floats: bool,
    /// Pointers.
    pub pointers: bool,
}

const RELATIONS: [BinaryOp; 6] =
    [BinaryOp::Lt, BinaryOp::Gt, BinaryOp::Le, BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne];

/// How many variables are tried before there is no atom.
const TRIES: usize = 8;

/// The greatest depth of a condition (§5.1).
pub const DEPTH: u32 = 2;

/// A condition of a truth value; none if nothing in the environment makes one.
pub fn predicate(
    syn: &mut Syn<'_>,
    env: &Env,
    atoms: Atoms,
    choices: &mut Choices,
    truth: bool,
) -> Composed<Option<ExprId>> {
    let depth = choices.range("predicate depth", 0..=DEPTH);
    deep(syn, (env, atoms), choices, truth, depth)
}

fn deep(
    syn: &mut Syn<'_>,
    (env, atoms): (&Env, Atoms),
    choices: &mut Choices,
    truth: bool,
    depth: u32,
) -> Composed<Option<ExprId>> {
    let kind = if depth == 0 { 3 } else { choices.range("predicate", 0..=3u32) };
    let both = |one: bool, other: bool| (one, other);
    let (op, (left, right)) = match kind {
        0 => {
            let Some(inner) = deep(syn, (env, atoms), choices, !truth, depth - 1)? else { return Ok(None) };
            let not = syn.c.unary(UnaryOp::Not, inner)?;
            return Ok(Some(known(syn, not, truth)));
        }
        1 => {
            let operands = match truth {
                true => both(true, true),
                false if choices.chance("first", 1, 2) => both(true, false),
                false => both(false, choices.chance("second", 1, 2)),
            };
            (BinaryOp::And, operands)
        }
        2 => {
            let operands = match truth {
                false => both(false, false),
                true if choices.chance("first", 1, 2) => both(false, true),
                true => both(true, choices.chance("second", 1, 2)),
            };
            (BinaryOp::Or, operands)
        }
        _ => return atom(syn, (env, atoms), choices, truth),
    };
    let Some(left) = deep(syn, (env, atoms), choices, left, depth - 1)? else { return Ok(None) };
    let Some(right) = deep(syn, (env, atoms), choices, right, depth - 1)? else { return Ok(None) };
    let e = syn.c.binary(op, left, right)?;
    Ok(Some(known(syn, e, truth)))
}

/// The truth value of a condition is known by the way it was made, whatever is in it.
fn known(syn: &mut Syn<'_>, e: ExprId, truth: bool) -> ExprId {
    syn.know(e, ValueSet::single(Num::INT, u128::from(truth)));
    e
}

/// A variable, the more likely the less a compiler knows of it.
pub fn pick<'e>(choices: &mut Choices, variables: &[&'e Variable]) -> Option<&'e Variable> {
    let total: u32 = variables.iter().map(|one| one.weight).sum();
    let mut left = choices.range("variable", 0..=total.checked_sub(1)?);
    variables.iter().copied().find(|one| {
        let found = left < one.weight;
        left = left.saturating_sub(one.weight);
        found
    })
}

fn atom(
    syn: &mut Syn<'_>,
    (env, atoms): (&Env, Atoms),
    choices: &mut Choices,
    truth: bool,
) -> Composed<Option<ExprId>> {
    let integers = env.integers();
    let floats: Vec<&Variable> =
        env.variables.iter().filter(|one| atoms.floats && matches!(one.num, Num::Float(_))).collect();
    let pointers: &[Pointer] = if atoms.pointers { &env.pointers } else { &[] };
    for _ in 0..TRIES {
        let kind = choices.range("atom", 0..=9u32);
        let made = match kind {
            0 | 1 if !pointers.is_empty() => of_pointer(syn, pointers, choices, truth)?,
            2 | 3 if !floats.is_empty() => {
                let Some(variable) = pick(choices, &floats) else { continue };
                of_float(syn, variable, choices, truth)?
            }
            4..=6 if integers.len() > 1 => {
                let (Some(a), Some(b)) = (pick(choices, &integers), pick(choices, &integers)) else {
                    continue;
                };
                of_two(syn, (a, b), choices, truth)?
            }
            _ => {
                let Some(variable) = pick(choices, &integers) else { continue };
                of_constant(syn, variable, choices, truth)?
            }
        };
        if made.is_some() {
            return Ok(made);
        }
    }
    Ok(None)
}

/// Rule 1: a variable against a constant.
fn of_constant(
    syn: &mut Syn<'_>,
    variable: &Variable,
    choices: &mut Choices,
    truth: bool,
) -> Composed<Option<ExprId>> {
    let left = syn.read(variable)?;
    let Some((ty, values)) = syn.promoted(left) else { return Ok(None) };
    let own = set::convert(&syn.limits, &ValueSet::full(variable.num), values.num()).values;
    let candidates = relations(values.num(), &values, &own, choices, truth);
    let Some(&(op, bits)) = choices.pick("relation", &candidates) else { return Ok(None) };
    let right = syn.constant(ty, bits)?;
    let e = syn.c.binary(op, left, right)?;
    debug_assert!(
        syn.values(e).and_then(|values| values.as_single()).is_none_or(|value| value == u128::from(truth))
    );
    Ok(Some(known(syn, e, truth)))
}

/// Comparisons with constants that have a truth value for all values of a set and not for all of its type's.
fn relations(
    num: Num,
    values: &ValueSet,
    own: &ValueSet,
    choices: &mut Choices,
    truth: bool,
) -> Vec<(BinaryOp, u128)> {
    let (Some(min), Some(max)) = (values.min(), values.max()) else { return Vec::new() };
    let (Some(least), Some(greatest)) = (own.min(), own.max()) else { return Vec::new() };
    // Numbers of up to 64 bits; those of 128 stay as they are.
    let number = |bits: u128| if num.width() <= 64 { num.number(bits) } else { bits.cast_signed() };
    let near = |choices: &mut Choices, room: i128| match choices.range("distance", 0..=2u32) {
        0 => 1,
        1 => choices.range("distance", 1..=16i128),
        _ => (room / 2).max(1),
    };
    let above = (max != greatest).then(|| {
        let room = number(greatest).saturating_sub(number(max));
        let step = near(choices, room).min(room.max(1));
        num.bits(number(max).wrapping_add(step))
    });
    let below = (min != least).then(|| {
        let room = number(min).saturating_sub(number(least));
        let step = near(choices, room).min(room.max(1));
        num.bits(number(min).wrapping_sub(step))
    });
    let single = values.as_single();
    let inside = values.ranges().map(|(_, high)| num.bits(number(high).wrapping_add(1)));
    let inside: Vec<u128> = inside.filter(|&bits| !values.contains(bits) && own.contains(bits)).collect();
    let apart = choices.pick("gap", &inside).copied();
    let mut all: Vec<(BinaryOp, u128)> = Vec::new();
    let mut add = |op: (BinaryOp, BinaryOp), bits: Option<u128>| {
        all.extend(bits.map(|bits| (if truth { op.0 } else { op.1 }, bits)));
    };
    add((BinaryOp::Lt, BinaryOp::Ge), above);
    add((BinaryOp::Le, BinaryOp::Gt), Some(max));
    add((BinaryOp::Gt, BinaryOp::Le), below);
    add((BinaryOp::Ge, BinaryOp::Lt), Some(min));
    add((BinaryOp::Eq, BinaryOp::Ne), single);
    add((BinaryOp::Ne, BinaryOp::Eq), above.filter(|&bits| !values.contains(bits)));
    add((BinaryOp::Ne, BinaryOp::Eq), below.filter(|&bits| !values.contains(bits)));
    add((BinaryOp::Ne, BinaryOp::Eq), apart);
    let limits = howler_lang::arith::set::Limits::default();
    all.retain(|&(op, bits)| {
        let constant = ValueSet::single(num, bits);
        let says = |set: &ValueSet| set::binary(&limits, op, set, &constant).values.as_single();
        // The first by construction; the second says what a compiler would know from the type alone.
        says(values) == Some(u128::from(truth)) && says(own).is_none()
    });
    all
}

/// Rule 2: two variables.
fn of_two(
    syn: &mut Syn<'_>,
    (a, b): (&Variable, &Variable),
    choices: &mut Choices,
    truth: bool,
) -> Composed<Option<ExprId>> {
    if a.place == b.place {
        return Ok(None);
    }
    let (left, right) = (syn.read(a)?, syn.read(b)?);
    let mut all = Vec::new();
    for op in RELATIONS {
        let e = syn.c.binary(op, left, right)?;
        if syn.values(e).and_then(|values| values.as_single()) == Some(u128::from(truth)) {
            all.push(e);
        }
    }
    Ok(choices.pick("relation", &all).map(|&e| known(syn, e, truth)))
}

/// A floating variable against one of its values, or a number beyond them.
fn of_float(
    syn: &mut Syn<'_>,
    variable: &Variable,
    choices: &mut Choices,
    truth: bool,
) -> Composed<Option<ExprId>> {
    let Num::Float(format) = variable.num else { return Ok(None) };
    let numbers: Vec<u128> = variable.values.values().take(PAIRS).collect();
    let mut constants = vec![0, format.one(), format.one() | format.sign_bit()];
    constants.extend(numbers.iter().copied());
    // Twice the greatest: a number that it is less than.
    let doubled =
        numbers.iter().filter_map(|&bits| arith::binary(BinaryOp::Add, variable.num, bits, bits).ok());
    constants.extend(doubled);
    constants.retain(|&bits| bits & !format.sign_bit() < format.infinity() && !format.is_nan(bits));
    let holds = |op: BinaryOp, constant: u128| {
        let says = |&value: &u128| arith::binary(op, variable.num, value, constant) == Ok(u128::from(truth));
        numbers.iter().all(says)
    };
    let all: Vec<(BinaryOp, u128)> = RELATIONS
        .into_iter()
        .flat_map(|op| constants.iter().map(move |&constant| (op, constant)))
        .filter(|&(op, constant)| holds(op, constant))
        .collect();
    let Some(&(op, bits)) = choices.pick("relation", &all) else { return Ok(None) };
    let Some(ty) = variable.place.ty(&syn.c.program) else { return Ok(None) };
    let (left, right) = (syn.read(variable)?, syn.constant(ty, bits)?);
    let e = syn.c.binary(op, left, right)?;
    Ok(Some(known(syn, e, truth)))
}

/// Values of one floating variable that are looked at; there are never more.
const PAIRS: usize = 64;

/// A pointer against null, against the address of what it points to, or of what it does not.
fn of_pointer(
    syn: &mut Syn<'_>,
    pointers: &[Pointer],
    choices: &mut Choices,
    truth: bool,
) -> Composed<Option<ExprId>> {
    let Some(pointer) = choices.pick("pointer", pointers) else { return Ok(None) };
    let left = syn.place(&pointer.place)?;
    let null = pointer.targets.iter().all(|target| *target == Target::Null);
    let never_null = pointer.targets.iter().all(|target| *target != Target::Null);
    let way = choices.range("pointer relation", 0..=2u32);
    // `p == &x` for the one thing that it points to.
    if way == 0
        && let [Target::Object { object, offset, past: false, nameable: true }] =
            pointer.targets.iter().copied().collect::<Vec<_>>()[..]
        && !syn.c.program.objects[object].register
        && let Some(pointee) = syn.c.program.types.pointee(syn.c.program.ty(left))
        && let Some(place) = Place::at(&syn.c.program, object, offset, pointee)
        && let Ok(lvalue) = syn.place(&place)
        && let Ok(address) = syn.c.address(lvalue)
    {
        let op = if truth { BinaryOp::Eq } else { BinaryOp::Ne };
        return Ok(syn.c.binary(op, left, address).ok().map(|e| known(syn, e, truth)));
    }
    // `p != q` for pointers into other objects. One past the end of an object may be where the next one begins.
    if way == 1
        && let Some(other) = choices.pick("other pointer", pointers)
        && let (Some(own), Some(others)) = (objects(pointer), objects(other))
        && own.iter().all(|object| !others.contains(object))
        && pointee(syn, pointer) == pointee(syn, other)
    {
        let right = syn.place(&other.place)?;
        let op = if truth { BinaryOp::Ne } else { BinaryOp::Eq };
        return Ok(syn.c.binary(op, left, right).ok().map(|e| known(syn, e, truth)));
    }
    if !null && !never_null {
        return Ok(None);
    }
    let zero = syn.c.null(syn.c.program.ty(left).bare())?;
    let op = if null == truth { BinaryOp::Eq } else { BinaryOp::Ne };
    Ok(syn.c.binary(op, left, zero).ok().map(|e| known(syn, e, truth)))
}

fn pointee(syn: &Syn<'_>, pointer: &Pointer) -> Option<howler_lang::ty::Type> {
    let ty = pointer.place.ty(&syn.c.program)?;
    syn.c.program.types.pointee(ty).map(howler_lang::ty::Type::bare)
}

/// The objects that a pointer points into; nothing if it may be at the end of one, or in what has no name.
fn objects(pointer: &Pointer) -> Option<Vec<howler_lang::program::ObjId>> {
    let one = |target: &Target| match *target {
        Target::Object { object, past: false, .. } => Some(object),
        _ => None,
    };
    pointer.targets.iter().map(one).collect()
}
