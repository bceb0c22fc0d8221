//! The rules of statements: a walk over every function body with an explicit stack.

use super::jump::{self, Jumps, Region};
use super::{Faults, Walked, number};
use crate::builtin;
use crate::fold;
use crate::program::{ExprId, ExprKind, FuncId, Item, Program, StmtId, StmtKind};
use crate::symbol::Symbol;
use crate::ty::{Len, Type, TypeKind};
use crate::visit::{self, Found, Mention, Node, Part, mentions};
use rustc_hash::FxHashSet;

/// What is around a statement.
#[derive(Clone, Copy)]
struct Around {
    breakable: bool,
    continuable: bool,
    /// The innermost switch, and the region it is in.
    switch: Option<(StmtId, Region)>,
    /// The region that jumps must not enter.
    region: Region,
    /// Whether it stands in a controlling expression, where compilers do not agree what `break` means.
    controlling: bool,
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
pub(super) fn check(program: &Program, all: &[Found], walked: &mut Walked, faults: &mut Faults) {
    let mut walker = Walker {
        program,
        faults,
        walked,
        seen: FxHashSet::default(),
        names: FxHashSet::default(),
        jumps: Jumps::default(),
        cases: Vec::new(),
    };
    // A nested function may jump to labels of those around it.
    let mut jumps: Vec<(FuncId, Jumps)> = Vec::new();
    let defined = all.iter().filter_map(|found| match found {
        Found::Part(Part { node: Node::Function(func), .. }) => Some(*func),
        _ => None,
    });
    // Those inside others included.
    for id in defined {
        let Some(body) = program.funcs[id].body else { continue };
        let outside = Around {
            breakable: false,
            continuable: false,
            switch: None,
            region: 0,
            controlling: false,
            ret: return_type(program, id),
            func: id,
            head: false,
            listed: false,
        };
        walker.walk(body, outside);
        walker.names.clear();
        jumps.push((id, std::mem::take(&mut walker.jumps)));
    }
    walker.cases();
    jump::check(program, &jumps, walker.walked, walker.faults);
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
    walked: &'a mut Walked,
    seen: FxHashSet<StmtId>,
    /// The names of a function's labels that no block declares.
    names: FxHashSet<Symbol>,
    jumps: Jumps,
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
            let (head, listed, left) = match node {
                Node::Stmt(id) => {
                    (head_of(program, id), is_list(program, id), jump::is_left_by_break(program, id))
                }
                _ => (None, false, false),
            };
            mentions(program, node, |mention| {
                if let Mention::Label(label) = mention {
                    match node {
                        Node::Expr(_) => self.jumps.address(label),
                        _ => self.jumps.jump(label, inner.region),
                    }
                }
            });
            // A declaration is around what follows it.
            let mut region = match node {
                Node::Expr(e) if matches!(program.exprs[e].kind, ExprKind::StmtExpr(_)) => {
                    self.jumps.enter(inner.region)
                }
                _ => inner.region,
            };
            let jumps = &mut self.jumps;
            visit::parts(program, node, |part| {
                let is_head = matches!(part.node, Node::Stmt(s) if head == Some(s));
                let controlling = match part.node {
                    Node::Stmt(_) => is_head || inner.controlling && !left,
                    _ => left || inner.controlling,
                };
                work.push((part.node, Around { head: is_head, listed, region, controlling, ..inner }));
                if listed || is_head {
                    region = jumps.after(program, part, region);
                }
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
                if let StmtKind::For { init: Some(head), .. } = program.stmts[id].kind {
                    let fits = matches!(program.stmts[head].kind, StmtKind::Decls(_) | StmtKind::Expr(_));
                    self.faults.require(fits, "S-declare", at);
                }
                return Around { breakable: true, continuable: true, ..around };
            }
            StmtKind::Switch { .. } => {
                return Around { breakable: true, switch: Some((id, around.region)), ..around };
            }
            StmtKind::If { then, other, .. } => {
                let dangling = other.is_some() && takes_else(program, then);
                self.faults.require(!dangling, "S-else", at);
            }
            StmtKind::Case { .. } | StmtKind::Default(_) => {
                let reached = around
                    .switch
                    .is_some_and(|(_, from)| self.jumps.check_case(from, around.region, self.walked));
                self.faults.require(reached, "S-jump", at);
                if let Some((switch, _)) = around.switch {
                    self.faults.require(is_case_of(program, id, switch), "S-case", at);
                    self.cases.extend(case_values(program, id).map(|values| (switch, values)));
                }
            }
            StmtKind::Label(label, _) => {
                let named = &program.labels[label];
                let first = named.local || self.names.insert(named.name);
                self.faults.require(self.jumps.place(label, around.region) && first, "S-label", at);
            }
            StmtKind::Break | StmtKind::Continue => {
                let is_break = program.stmts[id].kind == StmtKind::Break;
                let inside = if is_break { around.breakable } else { around.continuable };
                self.faults.require(inside, "S-jump", at);
                self.walked.odd += usize::from(around.controlling);
            }
            StmtKind::Return(Some(value)) => {
                let want = program.types.strip(around.ret).bare();
                self.faults.require(program.ty(value) == want, "S-return", at);
            }
            // clang does not let it pass.
            StmtKind::Return(None) => self.walked.odd += usize::from(!program.types.is_void(around.ret)),
            StmtKind::GotoComputed(_) => self.jumps.computed(around.region),
            StmtKind::Item(item) => {
                self.faults.require(around.listed, "S-declare", at);
                super::check_item(program, item, self.walked, self.faults);
                let defined = match item {
                    Item::Decl(decl) => visit::defined_by(program, decl),
                    _ => None,
                };
                let inside = defined.is_none_or(|f| program.funcs[f].parent == Some(around.func));
                self.faults.require(inside, "D-body", at);
            }
            StmtKind::Decls(list) => self.faults.require(around.head && !list.is_empty(), "S-declare", at),
            StmtKind::Compound(list) => {
                self.faults.require(labels_first(program, program.block(list)), "S-declare", at);
            }
            StmtKind::LabelDecl(label) => {
                self.faults.require(around.listed, "S-declare", at);
                self.jumps.declare(label);
            }
            StmtKind::Empty | StmtKind::Expr(_) | StmtKind::Goto(_) | StmtKind::Asm(_) => {}
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

/// Whether the values of a `case` are constants of its switch's type (C17 6.8.4.2p5).
fn is_case_of(program: &Program, id: StmtId, switch: StmtId) -> bool {
    let (StmtKind::Case { lo, hi, .. }, StmtKind::Switch { value, .. }) =
        (program.stmts[id].kind, program.stmts[switch].kind)
    else {
        return true;
    };
    let fits = |e: ExprId| program.ty(e) == program.ty(value) && fold::integer(program, e).is_some();
    fits(lo) && hi.is_none_or(fits)
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
