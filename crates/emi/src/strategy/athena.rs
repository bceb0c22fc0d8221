//! Athena: into what never ran come statements from elsewhere, their variables renamed to others of the same type that
//! can be named there.

use howler_choices::Choices;
use howler_lang::edit::{Edit, Place};
use howler_lang::program::{Entity, ExprKind, Item, ObjId, Program, StmtId, StmtKind};
use howler_lang::scope::{Named, Point, Scopes};
use howler_lang::visit::{Node, Walk};

use crate::drift::Counts;
use crate::junk::is_own;
use crate::site::{Proposal, Site, Step};

/// How many statements are looked at before the point goes without.
const TRIES: usize = 6;

/// The most statements of a copy.
const LARGEST: usize = 25;

/// Copies a statement of the program to the point.
pub fn propose(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    let program = site.edited.program();
    for _ in 0..TRIES {
        let last = program.stmts.len().checked_sub(1)?;
        let number = choices.range("statement", 0..=last);
        let Some(donor) = program.stmts.ids().nth(number) else { continue };
        let known = site.scopes.contains(Point::Before(donor))
            && site.scopes.unit(Point::Before(donor)) == site.scopes.unit(Point::Before(site.at));
        if !known || !is_donor(program, donor) || around(program, donor, site.at) {
            continue;
        }
        let Some(renaming) = renaming(program, site.scopes, donor, site.at, choices) else { continue };
        let more = Counts::of(program, donor);
        let renaming = renaming
            .into_iter()
            .map(|(from, to)| (site.edited.object(from), site.edited.object(to)))
            .collect();
        let donor = site.edited.stmt(donor);
        let place = Place::Before(site.edited.stmt(site.at));
        let copy = Edit::Copy { first: donor, last: donor, place, renaming };
        return Some(Proposal {
            added: more,
            dead: true,
            alone: true,
            ..Proposal::new(vec![Step::Plain(copy)], 0)
        });
    }
    None
}

/// Whether a statement means something by itself: nothing jumps out of it or into it.
fn is_donor(program: &Program, s: StmtId) -> bool {
    let plain = matches!(
        program.stmts[s].kind,
        StmtKind::Expr(_)
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::For { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::Compound(_)
    );
    let inside: Vec<StmtId> = Walk::stmt(program, s).statements().take(LARGEST + 1).collect();
    let jumps = inside.iter().any(|&inner| {
        matches!(
            program.stmts[inner].kind,
            StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Goto(_)
                | StmtKind::GotoComputed(_)
                | StmtKind::Label(..)
                | StmtKind::LabelDecl(_)
                | StmtKind::Case { .. }
                | StmtKind::Default(_)
                | StmtKind::Switch { .. }
                | StmtKind::Return(_)
                | StmtKind::Asm(_)
        )
    });
    let strange = |e| {
        matches!(
            program.exprs[e].kind,
            ExprKind::StmtExpr(_) | ExprKind::LabelAddr(_) | ExprKind::Builtin(..)
        )
    };
    plain && !jumps && inside.len() <= LARGEST && !Walk::stmt(program, s).expressions().any(strange)
}

/// Whether a statement is around another one, or is that one.
fn around(program: &Program, outer: StmtId, inner: StmtId) -> bool {
    Walk::stmt(program, outer).statements().any(|s| s == inner)
}

/// What each object of a statement is called at another point; nothing if one has no name and no substitute there.
fn renaming(
    program: &Program,
    scopes: &Scopes,
    donor: StmtId,
    at: StmtId,
    choices: &mut Choices,
) -> Option<Vec<(ObjId, ObjId)>> {
    let mut own: Vec<ObjId> = Vec::new();
    let mut free: Vec<ObjId> = Vec::new();
    let point = Point::Before(at);
    for part in Walk::stmt(program, donor) {
        match part.node {
            Node::Stmt(s) => {
                if let StmtKind::Item(Item::Decl(decl)) = program.stmts[s].kind
                    && let Entity::Object(object) = program.decls[decl].entity
                {
                    own.push(object);
                } else if matches!(program.stmts[s].kind, StmtKind::Item(_)) {
                    return None;
                }
            }
            Node::Expr(e) => match program.exprs[e].kind {
                ExprKind::Object(object) if !free.contains(&object) => free.push(object),
                ExprKind::Function(func) => {
                    let name = program.funcs[func].name;
                    if scopes.reaches(point, name) != Some(Named::Function(func)) {
                        return None;
                    }
                }
                _ => {}
            },
            Node::Init(_) | Node::Function(_) => {}
        }
    }
    let names = scopes.names(point);
    let visible: Vec<ObjId> = names
        .into_iter()
        .filter_map(|name| match name.named {
            Named::Object(object) if !name.is_hidden() && is_own(program, object) => Some(object),
            _ => None,
        })
        .collect();
    let mut renaming = Vec::new();
    for object in free.into_iter().filter(|object| !own.contains(object)) {
        if visible.contains(&object) {
            continue;
        }
        let like = &program.objects[object];
        let fits = |&other: &ObjId| {
            let other = &program.objects[other];
            other.ty == like.ty && other.register == like.register
        };
        let others: Vec<ObjId> = visible.iter().copied().filter(fits).collect();
        renaming.push((object, *choices.pick("object", &others)?));
    }
    Some(renaming)
}
