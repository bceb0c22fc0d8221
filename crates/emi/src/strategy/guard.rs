//! Always true guard (TG, §4.2): `if (true) s`, in other words, around a statement that is there; and beyond the paper the
//! same with an `else` of code that never runs, and a `switch` that always goes to the statement.

use howler_choices::Choices;
use howler_lang::arith::Num;
use howler_lang::arith::set::ValueSet;
use howler_lang::compose::{Arm, Composed};
use howler_lang::edit::{Edit, Fragment, Place};
use howler_lang::program::{ExprId, ExprKind, Program, StmtId, StmtKind};
use howler_lang::visit::{Node, Walk};

use crate::env::Variable;
use crate::junk::Junk;
use crate::predicate::{pick, predicate};
use crate::site::{Proposal, Site, Step};
use crate::syn::Syn;

/// Whether a statement can be put into a block: declarations must stay in theirs, and labels where they are. A compound
/// literal lives as long as the block around it (C17 6.5.2.5p5), which somebody may count on.
pub(super) fn can_move(program: &Program, s: StmtId) -> bool {
    let literal = |e| matches!(program.exprs[e].kind, ExprKind::CompoundLiteral(_));
    let stays = matches!(
        program.stmts[s].kind,
        StmtKind::Item(_)
            | StmtKind::Decls(_)
            | StmtKind::LabelDecl(_)
            | StmtKind::Label(..)
            | StmtKind::Case { .. }
            | StmtKind::Default(_)
            | StmtKind::Asm(_)
            | StmtKind::Empty
    );
    !stays && !Walk::stmt(program, s).expressions().any(literal)
}

/// `if (true) s`
pub fn propose(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    guarded(site, choices, false)
}

/// `if (true) s else { … }`
pub fn propose_else(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    guarded(site, choices, true)
}

fn guarded(site: &mut Site<'_>, choices: &mut Choices, other: bool) -> Option<Proposal> {
    if !can_move(site.edited.program(), site.at) {
        return None;
    }
    let (env, atoms, scenery) = (site.env, site.atoms, site.scenery);
    let mut any = false;
    let code = site.edited.statements(|c| {
        let Some(always) = predicate(&mut Syn::new(c), env, atoms, choices, true)? else {
            return Ok(Vec::new());
        };
        any = true;
        if other {
            let junk = Junk { c, scenery }.body(choices)?;
            return Ok(vec![c.either(always, &[], &junk)?]);
        }
        Ok(vec![c.when(always, &[])?])
    });
    let code = code.ok().filter(|_| any)?;
    Some(around(site, code))
}

/// Puts the statement at the point into the block that some code makes first: an empty one, which needs nothing.
fn around(site: &Site<'_>, code: Fragment) -> Proposal {
    into(site, code, 0)
}

/// The same with the block that is the code's statement of a number.
pub(super) fn into(site: &Site<'_>, code: Fragment, number: u32) -> Proposal {
    let s = site.edited.stmt(site.at);
    let insert = Edit::Insert { place: Place::Before(s), code };
    Proposal::new(vec![Step::Plain(insert), Step::Into { first: s, last: s, number }], 8)
}

/// `if (true) return …; …`: code that looks as if the function went on where it was seen to end.
pub fn propose_end(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    let program = site.edited.program();
    let ends = match program.stmts[site.at].kind {
        StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => true,
        StmtKind::Expr(e) => is_exit(program, e),
        _ => false,
    };
    if !ends {
        return None;
    }
    let (env, atoms, scenery) = (site.env, site.atoms, site.scenery);
    let mut any = false;
    let code = site.edited.statements(|c| {
        let Some(always) = predicate(&mut Syn::new(c), env, atoms, choices, true)? else {
            return Ok(Vec::new());
        };
        any = true;
        let mut stmts = vec![c.when(always, &[])?];
        stmts.extend(Junk { c, scenery }.body(choices)?);
        Ok(stmts)
    });
    let code = code.ok().filter(|_| any)?;
    Some(around(site, code))
}

/// Whether an expression calls what never returns.
fn is_exit(program: &Program, e: ExprId) -> bool {
    let mut e = e;
    while let ExprKind::Convert(_, inner) = program.exprs[e].kind {
        e = inner;
    }
    let ExprKind::Call(callee, _) = program.exprs[e].kind else { return false };
    let ExprKind::Convert(_, designator) = program.exprs[callee].kind else { return false };
    match program.exprs[designator].kind {
        ExprKind::Function(func) => {
            let name = program.name(program.funcs[func].name);
            matches!(name, "exit" | "abort" | "_Exit" | "__builtin_exit" | "__builtin_abort")
        }
        _ => false,
    }
}

/// How many values a `switch` has cases for.
const CASES: u128 = 6;

/// `switch (v) { case …: s; break; default: … }` over exactly the values that a variable was seen with.
pub fn propose_switch(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    let program = site.edited.program();
    // What leaves a loop around would leave the `switch`.
    let leaves = Walk::of(program, Node::Stmt(site.at))
        .statements()
        .any(|s| matches!(program.stmts[s].kind, StmtKind::Break | StmtKind::Continue));
    if leaves || !can_move(program, site.at) {
        return None;
    }
    let few = |one: &&Variable| {
        one.values.len() <= CASES && matches!(one.num, Num::Int { width, .. } if width <= 64)
    };
    let variables: Vec<&Variable> = site.env.integers().into_iter().filter(few).collect();
    let variable = pick(choices, &variables)?;
    let scenery = site.scenery;
    let mut any = false;
    let code = site.edited.statements(|c| {
        let mut syn = Syn::new(c);
        let value = syn.read(variable)?;
        let Some((_, values)) = syn.promoted(value) else { return Ok(Vec::new()) };
        let cases = numbers(&values);
        let first = vec![c.block(&[]), c.breaks()];
        let mut arms = vec![Arm { values: cases.clone(), default: false, body: first }];
        let near = cases[0].saturating_add(choices.range("distance", 1..=4i128));
        let fits = values.num().number(values.num().bits(near)) == near;
        if !cases.contains(&near) && fits && choices.chance("case", 1, 2) {
            let mut body = junk(c, scenery, choices)?;
            if choices.chance("falls through", 2, 3) {
                body.push(c.breaks());
            }
            arms.push(Arm { values: vec![near], default: false, body });
        }
        let body = junk(c, scenery, choices)?;
        arms.push(Arm { values: Vec::new(), default: true, body });
        any = true;
        Ok(vec![c.switch(value, &arms)?])
    });
    let code = code.ok().filter(|_| any)?;
    Some(around(site, code))
}

fn junk(
    c: &mut howler_lang::compose::Composer,
    scenery: &crate::junk::Scenery,
    choices: &mut Choices,
) -> Composed<Vec<StmtId>> {
    let body = Junk { c, scenery }.body(choices)?;
    Ok(vec![c.block(&body)])
}

fn numbers(values: &ValueSet) -> Vec<i128> {
    values.values().map(|bits| values.num().number(bits)).collect()
}
