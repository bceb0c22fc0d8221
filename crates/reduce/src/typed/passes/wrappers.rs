//! Functions that only return an expression, such as Csmith's `safe_add`: the expression stands for their calls.

use howler_lang::build::{self, Built, Cx};
use howler_lang::edit::{Now, Remaking, instance};
use howler_lang::program::{ExprId, ExprKind, FuncId, ObjId, Program, StmtKind};
use howler_lang::source::Pos;
use howler_lang::ty::TypeKind;
use howler_lang::visit::{self, Node, Walk};
use rustc_hash::FxHashMap;

use crate::typed::stand_in::written;
use crate::typed::{At, Pass, Site, Subject, Weights, remade};

/// Puts it there.
pub struct Wrappers;

/// The part of the expression that does not ask whether the rest may be done, without conversions.
const OPERATOR: u32 = 0;
/// All of it, with the conversions to the types of parameters and result.
const WHOLE: u32 = 1;

impl Pass for Wrappers {
    fn name(&self) -> &'static str {
        "wrappers"
    }

    fn about(&self) -> &'static str {
        "what a function returns that does nothing else stands for its calls"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let weights = Weights::of(program);
        let mut known: FxHashMap<FuncId, Option<[u64; 2]>> = FxHashMap::default();
        let mut sites = [Vec::new(), Vec::new()];
        visit::each(program, |part| {
            let Node::Expr(e) = part.node else { return };
            let Some((func, _)) = call(program, e) else { return };
            let sizes = known.entry(func).or_insert_with(|| {
                let whole = returned(program, func)?;
                Some([weights.expr(core(program, whole)), weights.expr(whole)])
            });
            let Some(sizes) = *sizes else { return };
            for choice in [OPERATOR, WHOLE] {
                // The call has a name, brackets and commas.
                let weight =
                    (4 + program.funcs[func].params.len() as u64).saturating_sub(sizes[choice as usize]);
                sites[choice as usize].push(Site { choice, ..Site::new(weight.max(1), At::Expr(e)) });
            }
        });
        sites.concat()
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        remade(subject, sites, |part| {
            let choices = part.iter().filter_map(|site| match site.at {
                At::Expr(e) => Some((e, site.choice)),
                _ => None,
            });
            Calls(choices.collect())
        })
    }
}

/// A call of a function of the program by its name, and its arguments.
fn call(program: &Program, e: ExprId) -> Option<(FuncId, Vec<ExprId>)> {
    let ExprKind::Call(callee, args) = program.exprs[e].kind else { return None };
    let ExprKind::Function(func) = program.exprs[written(program, callee)].kind else { return None };
    let args = program.list(args).to_vec();
    (args.len() == program.funcs[func].params.len()).then_some((func, args))
}

/// What a function returns, if that is all it does.
fn returned(program: &Program, func: FuncId) -> Option<ExprId> {
    let StmtKind::Compound(list) = program.stmts[program.funcs[func].body?].kind else { return None };
    match *program.block(list) {
        [only] => match program.stmts[only].kind {
            StmtKind::Return(Some(e)) => Some(written(program, e)),
            _ => None,
        },
        _ => None,
    }
}

/// The part of an expression that is left when all that is asked about its operands goes.
fn core(program: &Program, mut e: ExprId) -> ExprId {
    loop {
        e = match program.exprs[e].kind {
            // What may not be done is never the larger part.
            ExprKind::Cond(_, a, b) => {
                let (a, b) = (written(program, a), written(program, b));
                if operators(program, a) > operators(program, b) { a } else { b }
            }
            ExprKind::Cast(_, inner) | ExprKind::Convert(_, inner) => inner,
            _ => return e,
        }
    }
}

fn operators(program: &Program, e: ExprId) -> usize {
    let is = |e: &ExprId| matches!(program.exprs[*e].kind, ExprKind::Binary(..) | ExprKind::Unary(..));
    Walk::expr(program, e).expressions().filter(is).count()
}

/// Calls that become something else, and which.
struct Calls(FxHashMap<ExprId, u32>);

impl Remaking for Calls {
    fn wants(&self, _: &Program, e: ExprId) -> bool {
        self.0.contains_key(&e)
    }

    fn make(&mut self, cx: &mut Cx<'_>, e: ExprId, now: &Now) -> Option<Built> {
        let whole = *self.0.get(&e)? == WHOLE;
        let (func, args) = call(cx.program, e)?;
        let returned = returned(cx.program, func)?;
        let part = if whole { returned } else { core(cx.program, returned) };
        let params = cx.program.funcs[func].params.clone();
        let mut values: FxHashMap<ObjId, ExprId> = FxHashMap::default();
        for (param, arg) in params.into_iter().zip(args) {
            let mut value = now.operand(cx.program, arg);
            let ty = cx.program.objects[param].ty.bare();
            if whole && cx.program.ty(value).bare() != ty && !is_constant(cx.program, value) {
                value = match build::cast(cx, ty, value, Pos::NONE) {
                    Ok(cast) => cast,
                    refused => return Some(refused),
                };
            }
            values.insert(param, value);
        }
        let made = match instance(cx, part, &values) {
            Ok(made) => made,
            refused => return Some(refused),
        };
        let TypeKind::Function(signature) = cx.program.types.kind(cx.program.funcs[func].ty) else {
            return None;
        };
        let ret = cx.program.types.signature(signature).ret;
        Some(match whole && cx.program.ty(made).bare() != ret.bare() {
            true => build::cast(cx, ret, made, Pos::NONE),
            false => Ok(made),
        })
    }
}

fn is_constant(program: &Program, e: ExprId) -> bool {
    matches!(program.exprs[e].kind, ExprKind::Int { .. } | ExprKind::Float(_) | ExprKind::EnumConst(_))
}
