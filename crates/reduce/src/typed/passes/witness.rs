//! What shows the failure, in fewer words: the argument of a call is printed, or is the program's status.

use howler_lang::build::{self, Cx, Purpose};
use howler_lang::edit::{Change, Refused};
use howler_lang::program::{
    BinaryOp, ExprId, ExprKind, FuncId, Program, StmtId, StmtKind, StrLit, StrPrefix, StrUnits,
};
use howler_lang::source::Pos;
use howler_lang::ty::{IntKind, Type, TypeKind};
use howler_lang::visit::{self, Node, Walk};
use howler_machine::profile::{Profile, Scalar};
use rustc_hash::FxHashSet;

use crate::typed::stand_in::{number, operands, written};
use crate::typed::{At, Pass, Site, Subject, Weights, together};

/// Shows it.
pub struct Witness;

/// `printf` has the argument.
const PRINTED: u32 = 0;
/// `return` has it.
const RETURNED: u32 = 1;
/// `return` has whether it is what it should be.
const COMPARED: u32 = 2;

/// `return` has the condition of an `if`.
const ASKED: u32 = 3;

/// Arguments beyond these are not tried.
const MOST: usize = 4;

impl Pass for Witness {
    fn name(&self) -> &'static str {
        "witness"
    }

    fn about(&self) -> &'static str {
        "the argument of a call, or whether it is right, is returned by main or printed"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let mut sites = Vec::new();
        let print = printf(program);
        let profile = subject.profile();
        let main = program.funcs.iter().find(|(_, function)| program.name(function.name) == "main");
        let main = main.and_then(|(_, function)| function.body);
        let in_main: FxHashSet<StmtId> =
            main.into_iter().flat_map(|body| Walk::stmt(program, body).statements()).collect();
        visit::each(program, |part| {
            let Node::Stmt(s) = part.node else { return };
            if let StmtKind::If { .. } = program.stmts[s].kind
                && in_main.contains(&s)
            {
                sites.push(Site { choice: ASKED, ..Site::new(6, At::Stmt(s)) });
            }
            let Some(e) = called(program, s) else { return };
            let ExprKind::Call(callee, _) = program.exprs[e].kind else { return };
            let prints = print.is_some_and(|print| {
                program.exprs[written(program, callee)].kind == ExprKind::Function(print)
            });
            for (number, arg) in operands(program, e).into_iter().enumerate().take(MOST) {
                if format(program, arg).is_none() {
                    continue;
                }
                let shown = prints && !is_cast(program, arg);
                for choice in [RETURNED, COMPARED, PRINTED] {
                    if choice == PRINTED && (shown || print.is_none())
                        || choice == COMPARED && seen(profile, e, number).is_none()
                    {
                        continue;
                    }
                    let site = Site::new(6, At::Stmt(s));
                    sites.push(Site { choice, number: number as u32, ..site });
                }
            }
        });
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        let profile = subject.profile();
        together(subject, sites, |change, site| {
            let At::Stmt(s) = site.at else { return Ok(()) };
            if site.choice == ASKED {
                return asked(change, s);
            }
            let value = called(change.program(), s).and_then(|e| seen(profile, e, site.number as usize));
            let Some(arg) = argument(change.program(), s, site.number) else { return Ok(()) };
            let kind = match site.choice {
                PRINTED => printed(change, arg)?,
                _ => {
                    let cx = &mut change.cx();
                    let arg = match value.and_then(|value| number(cx, value)) {
                        Some(value) if site.choice == COMPARED => {
                            build::binary(cx, BinaryOp::Eq, arg, value?, Pos::NONE)?
                        }
                        _ if site.choice == COMPARED => return Ok(()),
                        _ => arg,
                    };
                    let value =
                        build::convert_as_if_assigned(cx, Purpose::Return, arg, Type::INT, Pos::NONE)?;
                    StmtKind::Return(Some(value))
                }
            };
            change.restate(&[(s, kind)])
        })
    }
}

/// `main` returns what an `if` asks.
fn asked(change: &mut Change<'_>, s: StmtId) -> Result<(), Refused> {
    let StmtKind::If { cond, .. } = change.program().stmts[s].kind else { return Ok(()) };
    let cond = written(change.program(), cond);
    let cx = &mut change.cx();
    let value = build::convert_as_if_assigned(cx, Purpose::Return, cond, Type::INT, Pos::NONE)?;
    change.restate(&[(s, StmtKind::Return(Some(value)))])
}

/// Prints what checksums are made of: the argument of all calls of a function, in their places.
pub struct Prints;

impl Pass for Prints {
    fn name(&self) -> &'static str {
        "prints"
    }

    fn about(&self) -> &'static str {
        "an argument of all calls of a function is printed in their places"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let Some(print) = printf(program).filter(|_| subject.runs()) else { return Vec::new() };
        let weights = Weights::of(program);
        let mut sites: Vec<Site> = Vec::new();
        visit::each(program, |part| {
            let Node::Stmt(s) = part.node else { return };
            let Some((e, func)) = called(program, s).and_then(|e| Some((e, callee(program, e)?))) else {
                return;
            };
            if func == print || program.funcs[func].body.is_none() {
                return;
            }
            for (number, arg) in operands(program, e).into_iter().enumerate().take(MOST) {
                let site = Site { number: number as u32, ..Site::new(1, At::Function(func)) };
                let known = |one: &Site| (one.at, one.number) == (site.at, site.number);
                if format(program, arg).is_some() && !sites.iter().any(known) {
                    sites.push(site);
                }
            }
        });
        // What takes the value of the checksum is worth far more than its call: it is looked at early, each of them.
        let items = program.units.iter().flat_map(|unit| &unit.items);
        let whole: u64 = items.map(|&item| weights.item(program, item)).sum();
        sites.into_iter().map(|site| Site { weight: whole / 8 + 1, ..site }).collect()
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        let program = subject.program();
        let mut calls: Vec<Site> = Vec::new();
        visit::each(program, |part| {
            let Node::Stmt(s) = part.node else { return };
            let Some(func) = called(program, s).and_then(|e| callee(program, e)) else { return };
            let wanted = sites.iter().filter(|site| site.at == At::Function(func));
            calls.extend(wanted.take(1).map(|site| Site { at: At::Stmt(s), ..*site }));
        });
        together(subject, &calls, |change, site| {
            let At::Stmt(s) = site.at else { return Ok(()) };
            let Some(arg) = argument(change.program(), s, site.number) else { return Ok(()) };
            if format(change.program(), arg).is_none() {
                return Ok(());
            }
            let kind = printed(change, arg)?;
            change.restate(&[(s, kind)])
        })
    }
}

fn callee(program: &Program, e: ExprId) -> Option<FuncId> {
    let ExprKind::Call(callee, _) = program.exprs[e].kind else { return None };
    match program.exprs[written(program, callee)].kind {
        ExprKind::Function(func) => Some(func),
        _ => None,
    }
}

/// The one value that an argument had whenever the call was made.
fn seen(profile: Option<&Profile>, call: ExprId, number: usize) -> Option<i128> {
    match profile?.calls.get(&call)?.each.get(number)?.constant() {
        Some(Scalar::Int(value)) => Some(value),
        _ => None,
    }
}

/// The call that is all that a statement is.
fn called(program: &Program, s: StmtId) -> Option<ExprId> {
    let StmtKind::Expr(e) = program.stmts[s].kind else { return None };
    let e = written(program, e);
    matches!(program.exprs[e].kind, ExprKind::Call(..)).then_some(e)
}

fn argument(program: &Program, s: StmtId, number: u32) -> Option<ExprId> {
    let e = called(program, s)?;
    let mut arg = written(program, *operands(program, e).get(number as usize)?);
    while let ExprKind::Cast(_, inner) = program.exprs[arg].kind {
        arg = written(program, inner);
    }
    Some(arg)
}

fn is_cast(program: &Program, e: ExprId) -> bool {
    matches!(program.exprs[written(program, e)].kind, ExprKind::Cast(..))
}

fn printf(program: &Program) -> Option<FuncId> {
    let mut all = program.funcs.iter().filter(|(_, function)| !function.implicit);
    all.find(|(_, function)| program.name(function.name) == "printf").map(|(id, _)| id)
}

/// How the value of an expression is printed.
fn format(program: &Program, e: ExprId) -> Option<&'static str> {
    match program.types.kind(program.ty(written(program, e))) {
        TypeKind::Bool | TypeKind::Enum(_) => Some("%d\n"),
        TypeKind::Int(kind) => match kind {
            IntKind::UInt => Some("%u\n"),
            IntKind::Long => Some("%ld\n"),
            IntKind::ULong => Some("%lu\n"),
            IntKind::LLong => Some("%lld\n"),
            IntKind::ULLong => Some("%llu\n"),
            IntKind::Int128 | IntKind::UInt128 => None,
            _ => Some("%d\n"),
        },
        _ => None,
    }
}

fn printed(change: &mut Change<'_>, arg: ExprId) -> Result<StmtKind, Refused> {
    let program = change.program();
    let (Some(print), Some(format)) = (printf(program), format(program, arg)) else {
        return Err(Refused::Place("nothing prints it"));
    };
    let units = StrUnits::Narrow(format.as_bytes().into());
    let cx: &mut Cx<'_> = &mut change.cx();
    let text = build::string(cx, StrLit { units, prefix: StrPrefix::None }, Pos::NONE);
    let print = build::function(cx, print, Pos::NONE);
    let call = build::call(cx, print, &[text, arg], Pos::NONE)?;
    Ok(StmtKind::Expr(build::discard(cx, call, Pos::NONE)?))
}
