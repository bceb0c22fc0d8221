//! Always true conditional block (TCB, §4.4): figure 6's template for one or more variables of any integer type.

use howler_choices::Choices;
use howler_lang::arith::Num;
use howler_lang::compose::{Composed, Composer, Value};
use howler_lang::program::{ObjId, StmtId};
use howler_lang::ty::{Quals, Type};
use howler_machine::profile::Place;

use crate::env::{Env, Variable};
use crate::expression::expression;
use crate::junk::{Junk, Scenery};
use crate::predicate::{Atoms, predicate};
use crate::site::{Proposal, Site};
use crate::syn::Syn;

/// How many variables a block changes at most.
const VARIABLES: usize = 3;

/// A block that changes variables and puts them back.
pub fn propose(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    let writable: Vec<Variable> =
        site.env.integers().into_iter().filter(|variable| variable.writable).cloned().collect();
    let number = choices.range("variables", 1..=VARIABLES.min(writable.len()).max(1));
    let mut order: Vec<usize> = (0..writable.len()).collect();
    choices.shuffle("variables", &mut order);
    let chosen: Vec<Variable> = order.into_iter().take(number).map(|at| writable[at].clone()).collect();
    if chosen.is_empty() {
        return None;
    }
    let (env, atoms, scenery) = (site.env, site.atoms, site.scenery);
    let mut any = false;
    let code = site.edited.statements(|c| {
        let made = template(c, env.clone(), (atoms, scenery), &chosen, choices)?;
        any = made.is_some();
        Ok(made.unwrap_or_default())
    });
    let code = code.ok().filter(|_| any)?;
    Some(site.before(code, 60))
}

/// Figure 6, in a block of its own: a jump past it enters no scope.
fn template(
    c: &mut Composer,
    mut env: Env,
    (atoms, scenery): (Atoms, &Scenery),
    chosen: &[Variable],
    choices: &mut Choices,
) -> Composed<Option<Vec<StmtId>>> {
    let mut stmts = Vec::new();
    let mut backups: Vec<(ObjId, Type)> = Vec::new();
    for variable in chosen {
        let Some(ty) = variable.place.ty(&c.program) else { return Ok(None) };
        let ty = bare(c, ty);
        let mut syn = Syn::new(c);
        let first = expression(&mut syn, &env, choices)?;
        let Some(values) = syn.values(first).and_then(|_| syn.stored(first, variable.num)) else {
            return Ok(None);
        };
        let name = c.fresh("backup");
        let (backup, declared) = c.local(&name, ty, Some(&Value::Expr(first)))?;
        stmts.push(declared);
        backups.push((backup, ty));
        let place = Place { object: backup, path: Vec::new() };
        env.variables.push(Variable { place, num: variable.num, values, writable: false, weight: 4 });
    }
    let Some(always) = predicate(&mut Syn::new(c), &env, atoms, choices, true)? else { return Ok(None) };
    let mut inside = Vec::new();
    for (variable, &(backup, _)) in chosen.iter().zip(&backups) {
        let (to, mut syn) = (c.lvalue(backup), Syn::new(c));
        let from = syn.read(variable)?;
        let kept = c.assign(to, from)?;
        inside.push(c.expr(kept)?);
        update(&mut env, &Place { object: backup, path: Vec::new() }, &variable.values);
    }
    for variable in chosen {
        let mut syn = Syn::new(c);
        let value = expression(&mut syn, &env, choices)?;
        let Some(values) = syn.values(value).and_then(|_| syn.stored(value, variable.num)) else {
            return Ok(None);
        };
        let lvalue = syn.place(&variable.place)?;
        let changed = c.assign(lvalue, value)?;
        inside.push(c.expr(changed)?);
        update(&mut env, &variable.place, &values);
    }
    if let Some(never) = predicate(&mut Syn::new(c), &env, atoms, choices, false)? {
        // The new value must seem to be needed: a volatile object takes it, and whatever else is at hand.
        let mut body = Vec::new();
        for (variable, &(_, ty)) in chosen.iter().zip(&backups) {
            let mut syn = Syn::new(c);
            let value = syn.place(&variable.place)?;
            let name = c.fresh("used");
            let ty = c.qualified(ty, Quals::VOLATILE);
            let (_, declared) = c.local(&name, ty, Some(&Value::Expr(value)))?;
            body.push(declared);
        }
        let is_loop = choices.chance("loop", 1, 3);
        body.extend(Junk { c, scenery }.body(choices)?);
        inside.push(if is_loop { c.while_loop(never, &body)? } else { c.when(never, &body)? });
    }
    stmts.push(c.when(always, &inside)?);
    for (variable, &(backup, _)) in chosen.iter().zip(&backups) {
        let to = Syn::new(c).place(&variable.place)?;
        let from = c.lvalue(backup);
        let restored = c.assign(to, from)?;
        stmts.push(c.expr(restored)?);
    }
    Ok(Some(vec![c.block(&stmts)]))
}

/// The type of an object that keeps values of a type.
fn bare(c: &Composer, ty: Type) -> Type {
    c.program.types.strip(ty).bare()
}

fn update(env: &mut Env, place: &Place, values: &howler_lang::arith::set::ValueSet) {
    for variable in env.variables.iter_mut().filter(|variable| variable.place == *place) {
        debug_assert!(!matches!(variable.num, Num::Float(_)));
        variable.values = values.clone();
    }
}
