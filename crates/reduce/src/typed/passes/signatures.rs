//! What functions take and return: parameters go with the arguments of all calls, results become `void` or `int`.

use howler_lang::build;
use howler_lang::edit::{Change, Redeclaration, Refused};
use howler_lang::program::{ExprId, ExprKind, FuncId, IntForm, Program, StmtKind};
use howler_lang::source::Pos;
use howler_lang::ty::{Type, TypeKind};
use howler_lang::visit::{self, How, Node, Uses};
use rustc_hash::FxHashMap;

use crate::typed::stand_in::{Nothing, number, written};
use crate::typed::{At, Pass, Site, Subject, together};

/// Makes them smaller.
pub struct Signatures;

/// A parameter goes that nothing names.
const DROPPED: u32 = 0;
/// A parameter becomes a variable with the value that it always has, or 0.
const VARIABLE: u32 = 1;
/// Nothing is returned.
const VOID: u32 = 2;
/// An `int` is returned.
const INT: u32 = 3;

impl Pass for Signatures {
    fn name(&self) -> &'static str {
        "signatures"
    }

    fn about(&self) -> &'static str {
        "parameters go, with the arguments; functions return nothing, or an int"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let uses = Uses::of(program);
        let mut sites = Vec::new();
        for (id, function) in program.funcs.iter() {
            let Some(ret) = returned(program, id) else { continue };
            let named = uses.of_function(id).iter().filter(|at| at.how == How::Names).count() as u64;
            if function.implicit || uses.of_function(id).is_empty() {
                continue;
            }
            let is_main = program.name(function.name) == "main";
            for (at, &param) in function.params.iter().enumerate() {
                let used = uses.of_object(param).iter().any(|at| at.how == How::Names);
                let (weight, choice) = if used { (1, VARIABLE) } else { (3, DROPPED) };
                let site = Site::new(weight + 2 * named, At::Function(id));
                sites.push(Site { choice, number: at as u32, ..site });
            }
            if !program.types.is_void(ret) && !is_main {
                sites.push(Site { choice: VOID, ..Site::new(2, At::Function(id)) });
            }
            if ret != Type::INT && !program.types.is_void(ret) {
                sites.push(Site { choice: INT, ..Site::new(1, At::Function(id)) });
            }
        }
        // Parameters keep their numbers as long as those behind them go first.
        sites.sort_by_key(|site| (site.choice, std::cmp::Reverse(site.number)));
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        let values = match sites.iter().any(|site| site.choice == VARIABLE) {
            true => always(subject),
            false => FxHashMap::default(),
        };
        together(subject, sites, |change, site| {
            let At::Function(func) = site.at else { return Ok(()) };
            match site.choice {
                DROPPED | VARIABLE => drop_parameter(change, func, site, &values),
                VOID => returns(change, func, Type::VOID),
                _ => returns(change, func, Type::INT),
            }
        })
    }
}

fn returned(program: &Program, func: FuncId) -> Option<Type> {
    match program.types.kind(program.funcs[func].ty) {
        TypeKind::Function(signature) => Some(program.types.signature(signature).ret),
        _ => None,
    }
}

fn drop_parameter(
    change: &mut Change<'_>,
    func: FuncId,
    site: Site,
    values: &FxHashMap<(FuncId, usize), i128>,
) -> Result<(), Refused> {
    let at = site.number as usize;
    if at >= change.program().funcs[func].params.len() {
        return Err(Refused::Place("there is no such parameter"));
    }
    if site.choice == VARIABLE {
        let value = values.get(&(func, at)).copied().unwrap_or(0);
        change.parameter_to_local(
            func,
            at,
            Some(&|cx| match number(cx, value) {
                Some(made) => made,
                None => Ok(build::int(cx, 0, IntForm::Decimal, Type::INT, Pos::NONE)),
            }),
        )?;
    }
    let params = [(func, vec![at])].into_iter().collect();
    change.redeclare(&Redeclaration { params, ..Redeclaration::default() }, &mut Nothing)
}

fn returns(change: &mut Change<'_>, func: FuncId, ret: Type) -> Result<(), Refused> {
    let program = change.program();
    let body = program.funcs[func].body;
    if ret == Type::VOID
        && let Some(body) = body
    {
        let mut new = Vec::new();
        for s in visit::Walk::stmt(program, body).statements() {
            if let StmtKind::Return(Some(_)) = program.stmts[s].kind {
                new.push((s, StmtKind::Return(None)));
            }
        }
        change.restate(&new)?;
    }
    let returns = [(func, ret)].into_iter().collect();
    change.redeclare(&Redeclaration { returns, ..Redeclaration::default() }, &mut Nothing)
}

/// The numbers that parameters always have: by what is written at the calls, or by what was seen.
fn always(subject: &Subject) -> FxHashMap<(FuncId, usize), i128> {
    let program = subject.program();
    let mut all: FxHashMap<(FuncId, usize), Option<i128>> = FxHashMap::default();
    let mut note = |key: (FuncId, usize), value: Option<i128>| {
        let known = all.entry(key).or_insert(value);
        if *known != value {
            *known = None;
        }
    };
    let profile = subject.profile();
    visit::each(program, |part| {
        let Node::Expr(e) = part.node else { return };
        let Some((func, args)) = call(program, e) else { return };
        let seen = profile.and_then(|profile| profile.calls.get(&e));
        if profile.is_some() && seen.is_none() {
            // A call that was never made says nothing.
            return;
        }
        for (at, &arg) in args.iter().enumerate() {
            let value = match seen.and_then(|seen| seen.each.get(at)?.constant()) {
                Some(howler_machine::profile::Scalar::Int(value)) => Some(value),
                _ => literal(program, arg),
            };
            note((func, at), value);
        }
    });
    all.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}

/// A call of a function by its name.
fn call(program: &Program, e: ExprId) -> Option<(FuncId, &[ExprId])> {
    let ExprKind::Call(callee, args) = program.exprs[e].kind else { return None };
    match program.exprs[written(program, callee)].kind {
        ExprKind::Function(func) => Some((func, program.list(args))),
        _ => None,
    }
}

fn literal(program: &Program, e: ExprId) -> Option<i128> {
    match program.exprs[written(program, e)].kind {
        ExprKind::Int { value, .. } => Some(value.into()),
        _ => None,
    }
}
