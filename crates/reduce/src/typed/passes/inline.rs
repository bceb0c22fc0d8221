//! Calls of functions of the program, with what the function does in their place.

use howler_lang::build::{self, Purpose};
use howler_lang::edit::{Change, Refused, Renaming};
use howler_lang::program::{
    Decl, Duration, Entity, ExprId, ExprKind, FuncId, Init, Item, Object, Program, StmtId, StmtKind, Storage,
};
use howler_lang::source::Pos;
use howler_lang::visit::{self, How, Node, Uses, Walk};

use crate::typed::evaluated::evaluated;
use crate::typed::stand_in::written;
use crate::typed::{At, Pass, Site, Subject, Weights, together};

/// Inlines them.
pub struct Inline(pub Calls);

/// Which calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// The only ones of their functions, which go then.
    Only,
    /// Any.
    Any,
}

/// Larger functions are not copied.
const LARGEST: u64 = 120;

impl Pass for Inline {
    fn name(&self) -> &'static str {
        match self.0 {
            Calls::Only => "inline-once",
            Calls::Any => "inline",
        }
    }

    fn about(&self) -> &'static str {
        match self.0 {
            Calls::Only => "what a function does that is called once stands in the place of the call",
            Calls::Any => "what a function does stands in the place of its call",
        }
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let weights = Weights::of(program);
        let uses = (self.0 == Calls::Only).then(|| Uses::of(program));
        let mut sites = Vec::new();
        visit::each(program, |part| {
            let Node::Stmt(s) = part.node else { return };
            for (number, (_, func)) in calls(program, s).into_iter().enumerate() {
                let function = &program.funcs[func];
                let wanted = match &uses {
                    Some(uses) => is_only(uses, func),
                    None => weights.function(program, func) <= LARGEST,
                };
                if wanted && function.parent.is_none() && result(program, func).is_some() {
                    let weight = match self.0 {
                        Calls::Only => 6,
                        Calls::Any => weights.function(program, func),
                    };
                    let site = Site::new(weight, At::Stmt(s));
                    sites.push(Site { number: number as u32, ..site });
                }
            }
        });
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        together(subject, sites, |change, site| {
            let At::Stmt(s) = site.at else { return Ok(()) };
            let func = inline(change, s, site.number)?;
            match self.0 {
                Calls::Only if !is_only(&Uses::of(change.program()), func) => change.remove_function(func),
                _ => Ok(()),
            }
        })
    }

    fn grows(&self) -> bool {
        self.0 == Calls::Any
    }
}

/// Whether just one place names a function.
fn is_only(uses: &Uses, func: FuncId) -> bool {
    uses.of_function(func).iter().filter(|at| at.how == How::Names).count() == 1
}

/// The calls by name that a statement itself makes, of functions that are defined.
fn calls(program: &Program, s: StmtId) -> Vec<(ExprId, FuncId)> {
    let call = |e| {
        let ExprKind::Call(callee, _) = program.exprs[e].kind else { return None };
        let ExprKind::Function(func) = program.exprs[written(program, callee)].kind else { return None };
        program.funcs[func].body.map(|_| (e, func))
    };
    evaluated(program, s).into_iter().filter_map(call).collect()
}

/// The statements of a function, and whether the last one returns its value; none if it returns anywhere else.
fn result(program: &Program, func: FuncId) -> Option<(Vec<StmtId>, bool)> {
    let body = program.funcs[func].body?;
    let StmtKind::Compound(list) = program.stmts[body].kind else { return None };
    let stmts = program.block(list).to_vec();
    let is_return = |s: StmtId| matches!(program.stmts[s].kind, StmtKind::Return(_));
    let returns = Walk::stmt(program, body).statements().filter(|&s| is_return(s)).count();
    match stmts.last() {
        Some(&last) if is_return(last) && returns == 1 => Some((stmts, true)),
        _ if returns == 0 => Some((stmts, false)),
        _ => None,
    }
}

fn inline(change: &mut Change<'_>, s: StmtId, number: u32) -> Result<FuncId, Refused> {
    const NOT: Refused = Refused::Place("not a call that can be inlined");
    let program = change.program();
    let &(call, func) = calls(program, s).get(number as usize).ok_or(NOT)?;
    let ExprKind::Call(_, args) = program.exprs[call].kind else { return Err(NOT) };
    let args: Vec<ExprId> = program.list(args).iter().map(|&arg| written(program, arg)).collect();
    let (mut stmts, returns) = result(program, func).ok_or(NOT)?;
    let function = program.funcs[func].clone();
    if args.len() != function.params.len() {
        return Err(NOT);
    }
    let (mut new, mut renaming) = (Vec::new(), Renaming::default());
    for (&param, arg) in function.params.iter().zip(args) {
        let before = change.program().objects[param].clone();
        let Some(name) = before.name else { continue };
        let spelling = change.program().name(name).to_owned();
        let name = change.fresh(&spelling);
        let value =
            build::convert_as_if_assigned(&mut change.cx(), Purpose::Init, arg, before.ty.bare(), Pos::NONE)?;
        let program = change.program_mut();
        let init = Some(program.inits.push(Init::Expr(value)));
        let ty = before.ty;
        let object =
            Object { name: Some(name), duration: Duration::Automatic, init, param_bound: None, ..before };
        let object = program.objects.push(object);
        let decl = Decl { init, ..Decl::plain(Entity::Object(object), ty, Storage::None) };
        let decl = program.decls.push(decl);
        renaming.insert(param, object);
        new.push(change.stmt(StmtKind::Item(Item::Decl(decl))));
    }
    // The value is copied with the statements before it, whose names it may use.
    let copies = change.copy(&stmts, &renaming)?;
    stmts = copies;
    let value = match stmts.last().map(|&last| change.program().stmts[last].kind) {
        Some(StmtKind::Return(value)) if returns => {
            stmts.pop();
            value
        }
        _ => None,
    };
    new.extend(stmts);
    let whole = match change.program().stmts[s].kind {
        StmtKind::Expr(e) => written(change.program(), e) == call,
        _ => false,
    };
    match value {
        Some(value) => {
            let inner = written(change.program(), value);
            change.replace_expr(call, inner)?;
            change.insert_before(s, &new)?;
        }
        None if whole => change.replace(s, &new)?,
        None => return Err(NOT),
    }
    Ok(func)
}
