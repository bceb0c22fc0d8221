//! The rules of statements: a walk over every function body with an explicit stack.

use super::{Faults, number};
use crate::builtin;
use crate::fold;
use crate::program::{Entity, ExprId, ExprKind, FuncId, Item, LabelId, Program, StmtId, StmtKind};
use crate::symbol::Symbol;
use crate::ty::{Len, Type, TypeKind};
use crate::visit::{self, Mention, Node, mentions};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is around a statement.
#[derive(Clone, Copy)]
struct Around {
    breakable: bool,
    continuable: bool,
    switch: Option<StmtId>,
    /// The return type of the function.
    ret: Type,
    /// The function itself.
    func: FuncId,
    /// Whether the statement is the head of a `for`.
    head: bool,
    /// Whether it is one of a list, where declarations may stand.
    listed: bool,
}

/// Checks the bodies of all functions.
pub(super) fn check(program: &Program, faults: &mut Faults) {
    let mut walker =
        Walker { program, faults, seen: FxHashSet::default(), labels: Labels::default(), cases: Vec::new() };
    // Labels of the functions around a nested one, which may jump to those declared with `__label__`.
    let mut around: FxHashMap<FuncId, Labels> = FxHashMap::default();
    for id in defined(program) {
        let Some(body) = program.funcs[id].body else { continue };
        let ret = return_type(program, id);
        let outside = Around {
            breakable: false,
            continuable: false,
            switch: None,
            ret,
            func: id,
            head: false,
            listed: false,
        };
        walker.walk(body, outside);
        around.insert(id, std::mem::take(&mut walker.labels));
    }
    walker.cases();
    check_labels(program, &around, walker.faults);
}

/// The functions that are part of the program, those inside others included.
fn defined(program: &Program) -> Vec<FuncId> {
    let mut found = Vec::new();
    visit::each(program, |part| {
        if let Node::Function(func) = part.node {
            found.push(func);
        }
    });
    found
}

/// What a function places and jumps to.
#[derive(Default)]
struct Labels {
    placed: FxHashSet<LabelId>,
    names: FxHashSet<Symbol>,
    /// Those that `__label__` declares.
    local: FxHashSet<LabelId>,
    targets: Vec<LabelId>,
}

fn check_labels(program: &Program, all: &FxHashMap<FuncId, Labels>, faults: &mut Faults) {
    for (&func, labels) in all {
        for &label in &labels.placed {
            let named = &program.labels[label];
            faults.require(named.local == labels.local.contains(&label), "S-label", || {
                format!("'{}' is declared in no block", program.name(named.name))
            });
        }
        for &label in &labels.targets {
            let mut at = Some(func);
            let mut placed = false;
            while let Some(around) = at {
                placed |= all.get(&around).is_some_and(|labels| labels.placed.contains(&label));
                at = program.funcs[around].parent;
            }
            faults.require(placed, "S-label", || {
                format!("'{}' is jumped to but not placed", program.name(program.labels[label].name))
            });
        }
    }
}

fn return_type(program: &Program, func: FuncId) -> Type {
    match program.types.kind(program.funcs[func].ty) {
        TypeKind::Function(signature) => program.types.signature(signature).ret,
        _ => Type::VOID,
    }
}

struct Walker<'a> {
    program: &'a Program,
    faults: &'a mut Faults,
    seen: FxHashSet<StmtId>,
    labels: Labels,
    /// The cases of each switch: the first and the last value, none for `default`.
    cases: Vec<(StmtId, Option<(i128, i128)>)>,
}

impl Walker<'_> {
    fn walk(&mut self, body: StmtId, around: Around) {
        let program = self.program;
        let mut work = vec![(Node::Stmt(body), around)];
        while let Some((node, around)) = work.pop() {
            let inner = match node {
                Node::Stmt(id) => {
                    if !self.seen.insert(id) {
                        self.faults.add("S-once", || at(program, id));
                        continue;
                    }
                    self.check_one(id, around)
                }
                Node::Expr(e) => {
                    self.check_expr(e, around);
                    around
                }
                _ => around,
            };
            let (head, listed) = match node {
                Node::Stmt(id) => (head_of(program, id), is_list(program, id)),
                _ => (None, false),
            };
            mentions(program, node, |mention| {
                if let Mention::Label(label) = mention {
                    self.labels.targets.push(label);
                }
            });
            visit::parts(program, node, |part| {
                let head = matches!(part.node, Node::Stmt(s) if head == Some(s));
                work.push((part.node, Around { head, listed, ..inner }));
            });
        }
    }

    /// What only some functions may have.
    fn check_expr(&mut self, e: ExprId, around: Around) {
        let program = self.program;
        let function = &program.funcs[around.func];
        let fits = match program.exprs[e].kind {
            ExprKind::FuncName(_) => match program.types.kind(program.ty(e)) {
                TypeKind::Array { len: Len::Fixed(len), .. } => {
                    len == program.name(function.name).len() as u64 + 1
                }
                _ => false,
            },
            ExprKind::Builtin(builtin::VA_START, _) => match program.types.kind(function.ty) {
                TypeKind::Function(signature) => program.types.signature(signature).variadic,
                _ => false,
            },
            _ => true,
        };
        self.faults
            .require(fits, "E-function", || format!("expression {}: {:?}", number(e), program.exprs[e].kind));
    }

    /// Checks one statement and says what is around those inside it.
    fn check_one(&mut self, id: StmtId, around: Around) -> Around {
        let program = self.program;
        let at = || at(program, id);
        match program.stmts[id].kind {
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                return Around { breakable: true, continuable: true, ..around };
            }
            StmtKind::Switch { .. } => return Around { breakable: true, switch: Some(id), ..around },
            StmtKind::If { then, other, .. } => {
                let dangling = other.is_some() && takes_else(program, then);
                self.faults.require(!dangling, "S-else", at);
            }
            StmtKind::Case { .. } | StmtKind::Default(_) => {
                self.faults.require(around.switch.is_some(), "S-jump", at);
                self.cases.extend(around.switch.zip(case_values(program, id)));
            }
            StmtKind::Label(label, _) => {
                let named = &program.labels[label];
                let first = named.local || self.labels.names.insert(named.name);
                self.faults.require(self.labels.placed.insert(label) && first, "S-label", at);
            }
            StmtKind::Break => self.faults.require(around.breakable, "S-jump", at),
            StmtKind::Continue => self.faults.require(around.continuable, "S-jump", at),
            StmtKind::Return(value) => check_return(program, value, around.ret, self.faults, at),
            StmtKind::Item(item) => {
                self.faults.require(around.listed || around.head, "S-declare", at);
                super::check_item(program, item, self.faults);
                let inside =
                    defined_by(program, item).is_none_or(|f| program.funcs[f].parent == Some(around.func));
                self.faults.require(inside, "D-body", at);
            }
            StmtKind::Decls(list) => self.faults.require(around.head && !list.is_empty(), "S-declare", at),
            StmtKind::Compound(list) => {
                self.faults.require(labels_first(program, program.block(list)), "S-declare", at);
            }
            StmtKind::LabelDecl(label) => {
                self.faults.require(around.listed, "S-declare", at);
                self.labels.local.insert(label);
            }
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Asm(_) => {}
        }
        around
    }

    /// No value is in two cases of one switch (C17 6.8.4.2p3).
    fn cases(&mut self) {
        self.cases.sort_unstable();
        for pair in self.cases.windows(2) {
            let &[(switch, first), (other, second)] = pair else { continue };
            let apart = match (first, second) {
                (Some((_, last)), Some((next, _))) => last < next,
                (None, None) => false,
                _ => true,
            };
            self.faults.require(switch != other || apart, "S-case", || at(self.program, switch));
        }
    }
}

/// The function that a declaration defines.
fn defined_by(program: &Program, item: Item) -> Option<FuncId> {
    let Item::Decl(decl) = item else { return None };
    match program.decls[decl].entity {
        Entity::Function(func) if program.decls[decl].body => Some(func),
        _ => None,
    }
}

/// The head of a `for`.
fn head_of(program: &Program, id: StmtId) -> Option<StmtId> {
    match program.stmts[id].kind {
        StmtKind::For { init, .. } => init,
        _ => None,
    }
}

fn is_list(program: &Program, id: StmtId) -> bool {
    matches!(program.stmts[id].kind, StmtKind::Compound(_) | StmtKind::Decls(_))
}

/// Whether declarations of labels come before everything else in a block, which is not empty then (GNU C).
fn labels_first(program: &Program, stmts: &[StmtId]) -> bool {
    let is_label = |s: &StmtId| matches!(program.stmts[*s].kind, StmtKind::LabelDecl(_));
    let count = stmts.iter().take_while(|s| is_label(s)).count();
    (count == 0 || count < stmts.len()) && !stmts[count..].iter().any(is_label)
}

/// The values of a `case`; none for `default`. Nothing if they are not known.
fn case_values(program: &Program, id: StmtId) -> Option<Option<(i128, i128)>> {
    match program.stmts[id].kind {
        StmtKind::Case { lo, hi, .. } => {
            let low = fold::integer(program, lo)?;
            let high = match hi {
                Some(hi) => fold::integer(program, hi)?,
                None => low,
            };
            Some(Some((low, high)))
        }
        StmtKind::Default(_) => Some(None),
        _ => None,
    }
}

/// Names a statement in a message.
fn at(program: &Program, id: StmtId) -> String {
    format!("statement {}: {:?}", number(id), program.stmts[id].kind)
}

/// Whether an `else` written after `stmt` would belong to it.
fn takes_else(program: &Program, stmt: StmtId) -> bool {
    let mut stmt = stmt;
    loop {
        stmt = match program.stmts[stmt].kind {
            StmtKind::If { other: None, .. } => return true,
            StmtKind::If { other: Some(inner), .. } => inner,
            StmtKind::While { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::Switch { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default(body)
            | StmtKind::Label(_, body) => body,
            _ => return false,
        };
    }
}

/// Returning nothing from a function that has a value is let pass by compilers, so it is here.
fn check_return(
    program: &Program,
    value: Option<ExprId>,
    ret: Type,
    faults: &mut Faults,
    at: impl FnOnce() -> String,
) {
    let Some(value) = value else { return };
    let want = program.types.strip(ret).bare();
    let fits = program.ty(value) == want;
    faults.require(fits, "S-return", at);
}
