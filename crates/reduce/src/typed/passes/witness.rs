//! What shows the failure, in fewer words: the argument of a call is printed, or is the program's status.

use howler_lang::build::{self, Cx, Purpose};
use howler_lang::edit::{Change, Refused};
use howler_lang::program::{
    ExprId, ExprKind, FuncId, Program, StmtId, StmtKind, StrLit, StrPrefix, StrUnits,
};
use howler_lang::source::Pos;
use howler_lang::ty::{IntKind, Type, TypeKind};
use howler_lang::visit::{self, Node};

use crate::typed::stand_in::{operands, written};
use crate::typed::{At, Pass, Site, Subject, together};

/// Shows it.
pub struct Witness;

/// `printf` has the argument.
const PRINTED: u32 = 0;
/// `return` has it.
const RETURNED: u32 = 1;

/// Arguments beyond these are not tried.
const MOST: usize = 4;

impl Pass for Witness {
    fn name(&self) -> &'static str {
        "witness"
    }

    fn about(&self) -> &'static str {
        "the argument of a call is printed, or returned by main, in the place of the call"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let mut sites = Vec::new();
        let print = printf(program);
        visit::each(program, |part| {
            let Node::Stmt(s) = part.node else { return };
            let StmtKind::Expr(e) = program.stmts[s].kind else { return };
            let e = written(program, e);
            let ExprKind::Call(callee, _) = program.exprs[e].kind else { return };
            let prints = print.is_some_and(|print| {
                program.exprs[written(program, callee)].kind == ExprKind::Function(print)
            });
            for (number, arg) in operands(program, e).into_iter().enumerate().take(MOST) {
                if format(program, arg).is_none() {
                    continue;
                }
                let shown = prints && !is_cast(program, arg);
                for choice in [PRINTED, RETURNED] {
                    if choice == PRINTED && (shown || print.is_none()) {
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
        together(subject, sites, |change, site| {
            let At::Stmt(s) = site.at else { return Ok(()) };
            let Some(arg) = argument(change.program(), s, site.number) else { return Ok(()) };
            let kind = match site.choice {
                PRINTED => printed(change, arg)?,
                _ => {
                    let cx = &mut change.cx();
                    let value =
                        build::convert_as_if_assigned(cx, Purpose::Return, arg, Type::INT, Pos::NONE)?;
                    StmtKind::Return(Some(value))
                }
            };
            change.restate(&[(s, kind)])
        })
    }
}

fn argument(program: &Program, s: StmtId, number: u32) -> Option<ExprId> {
    let StmtKind::Expr(e) = program.stmts[s].kind else { return None };
    let e = written(program, e);
    let ExprKind::Call(..) = program.exprs[e].kind else { return None };
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
