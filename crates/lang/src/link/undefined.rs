//! What a linked program uses and nobody defines. It follows uses from what other programs can reach; what is never
//! evaluated (an operand of `sizeof`, the dead branch of a constant condition, a `static` function nobody names) uses
//! nothing, as in the code that compilers write without optimisation.

use super::{asm_labels, gnu_copies, has, is_external_definition};
use crate::builtin;
use crate::diag::Diagnostic;
use crate::fold;
use crate::id::Id;
use crate::program::{
    Attr, BinaryOp, ExprId, ExprKind, FuncId, Item, Linkage, ObjId, Program, StmtId, StmtKind, StrUnits,
};
use crate::source::Pos;
use crate::visit::{self, Mention, Node, Role};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Errors for functions and objects that the program uses but does not define (C17 6.9p5), `main` among them. What
/// `elsewhere` knows the library defines, and so does what a system header declares. To be called after
/// [`link`](super::link()).
pub fn undefined(program: &Program, elsewhere: impl Fn(&str) -> bool) -> Vec<Diagnostic> {
    let missing = missing(program, elsewhere, Roots::Reachable);
    missing
        .into_iter()
        .map(|(pos, name)| Diagnostic::error(pos, format!("undefined reference to '{name}'")))
        .collect()
}

/// Which code counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Roots {
    /// What other units can reach.
    Reachable,
    /// Whatever some compiler writes at some level: without optimisation gcc writes `static` functions that nobody names,
    /// and clang the bodies of loops whose condition is 0 and all of a dead branch that has a label. What
    /// `__builtin_constant_p` says depends on the level.
    Written,
}

/// The names that [`undefined`] complains about, each with its first use.
pub fn missing(program: &Program, elsewhere: impl Fn(&str) -> bool, roots: Roots) -> Vec<(Pos, String)> {
    let labels = asm_labels(program);
    let copies = gnu_copies(program);
    let spell = |function: bool, index: usize, name: &str| {
        labels.get(&(function, index)).cloned().unwrap_or_else(|| name.to_owned())
    };
    // Assembly may define anything: nothing is said about names it mentions.
    let assembly = assembly_texts(program);
    let aliases = aliases(program);
    // Compilers expand builtins, `alloca` for one, that no library has.
    let found = |name: &str| {
        aliases.contains(name)
            || builtin::lookup(name).is_some()
            || elsewhere(name)
            || assembly.iter().any(|text| text.contains(name))
    };
    let lacking_function = |id: FuncId| {
        let function = &program.funcs[id];
        let target = function.linked.unwrap_or(id);
        let defined = match program.funcs[target].linkage {
            Linkage::External => {
                is_external_definition(program, target, &copies)
                    || function.body.is_some() && has(program, &function.attrs, "always_inline")
            }
            _ => program.funcs[target].body.is_some(),
        };
        if defined || has(program, &function.attrs, "weak") || in_system_header(program, function.pos) {
            return None;
        }
        Some(spell(true, id.index(), program.name(function.name))).filter(|name| !found(name))
    };
    let lacking_object = |id: ObjId| {
        let object = &program.objects[id];
        let name = object.name.filter(|_| object.linkage == Linkage::External)?;
        let defined = program.objects[object.linked.unwrap_or(id)].defined;
        if defined || has(program, &object.attrs, "weak") || in_system_header(program, object.pos) {
            return None;
        }
        Some(spell(false, id.index(), program.name(name))).filter(|name| !found(name))
    };
    let mut missing: BTreeMap<String, Pos> = BTreeMap::new();
    // Most programs declare nothing that is not there, and then nobody need ask what they use.
    let functions: FxHashMap<FuncId, String> =
        program.funcs.ids().filter_map(|id| Some((id, lacking_function(id)?))).collect();
    let objects: FxHashMap<ObjId, String> =
        program.objects.ids().filter_map(|id| Some((id, lacking_object(id)?))).collect();
    if !functions.is_empty() || !objects.is_empty() {
        let uses = Uses::of(program, roots);
        let functions = functions.into_iter().map(|(id, name)| (name, uses.functions.get(&id)));
        let objects = objects.into_iter().map(|(id, name)| (name, uses.objects.get(&id)));
        for (name, pos) in functions.chain(objects) {
            let Some(&pos) = pos else { continue };
            missing.entry(name).and_modify(|first| *first = pos.min(*first)).or_insert(pos);
        }
    }
    let main = program.funcs.iter().any(|(_, function)| {
        function.linkage == Linkage::External
            && function.body.is_some()
            && program.name(function.name) == "main"
    });
    if !main && !found("main") {
        missing.entry("main".to_owned()).or_insert(Pos::NONE);
    }
    let mut missing: Vec<(Pos, String)> = missing.into_iter().map(|(name, pos)| (pos, name)).collect();
    missing.sort();
    missing
}

fn in_system_header(program: &Program, pos: Pos) -> bool {
    program.sources.is_system(pos)
}

fn assembly_texts(program: &Program) -> Vec<String> {
    let items = program.units.iter().flat_map(|unit| &unit.items);
    let top = items.filter_map(|item| if let Item::Asm(text) = item { Some(*text) } else { None });
    let statements = program.asms.iter().map(|(_, asm)| asm.template);
    let texts = top.chain(statements).filter_map(|text| match &program.strings[text].units {
        StrUnits::Narrow(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        StrUnits::Wide(_) => None,
    });
    texts.collect()
}

/// Names that attributes define.
fn aliases(program: &Program) -> FxHashSet<&str> {
    let defines = |attrs: &[Attr]| ["alias", "ifunc", "weakref"].iter().any(|name| has(program, attrs, name));
    let functions = program.funcs.iter().map(|(_, function)| (Some(function.name), &function.attrs));
    let objects = program.objects.iter().map(|(_, object)| (object.name, &object.attrs));
    let aliases = functions.chain(objects).filter(|(_, attrs)| defines(attrs));
    aliases.filter_map(|(name, _)| name.map(|name| program.name(name))).collect()
}

/// The entities that reachable code names, each with its first use.
#[derive(Default)]
struct Uses {
    functions: FxHashMap<FuncId, Pos>,
    objects: FxHashMap<ObjId, Pos>,
    work: Vec<Node>,
    entered: FxHashSet<StmtId>,
    /// Of each statement, whether a jump may lead into it.
    labelled: Vec<bool>,
    /// Whether whatever is written at some level counts.
    written: bool,
    /// Of each expression, whether its value depends on the level; empty if none does.
    by_level: Vec<bool>,
}

impl Uses {
    fn of(program: &Program, roots: Roots) -> Uses {
        let written = roots == Roots::Written;
        let by_level = if written { by_level(program) } else { Vec::new() };
        let mut uses = Uses { labelled: labelled(program), written, by_level, ..Uses::default() };
        for (_, function) in program.funcs.iter() {
            let kept = has(program, &function.attrs, "used")
                || has(program, &function.attrs, "constructor")
                || has(program, &function.attrs, "destructor");
            let external =
                (function.linkage == Linkage::External || roots == Roots::Written) && !function.inline;
            if function.parent.is_none() && (external || kept) {
                uses.work.extend(function.body.map(Node::Stmt));
            }
            uses.aliased(program, function.unit, &function.attrs);
        }
        for (_, object) in program.objects.iter() {
            if object.linkage == Linkage::External {
                uses.work.extend(object.init.map(Node::Init));
            }
        }
        while let Some(node) = uses.work.pop() {
            match node {
                Node::Expr(e) => uses.expr(program, e),
                Node::Stmt(s) => uses.stmt(program, s),
                Node::Init(_) | Node::Function(_) => uses.parts(program, node),
            }
        }
        uses
    }

    /// `alias("f")` names a function by a string; that it exists is the compiler's check, but it is used.
    fn aliased(&mut self, program: &Program, unit: u32, attrs: &[Attr]) {
        let targets = attrs.iter().filter_map(|attr| visit::attr_target(program, unit, attr));
        for target in targets {
            if let Mention::Function(func) = target {
                self.work.extend(program.funcs[func].body.map(Node::Stmt));
            }
        }
    }

    fn function(&mut self, program: &Program, id: FuncId, pos: Pos) {
        self.functions.entry(id).and_modify(|first| *first = pos.min(*first)).or_insert(pos);
        if let Some(body) = program.funcs[id].body {
            self.work.push(Node::Stmt(body));
        }
    }

    fn object(&mut self, program: &Program, id: ObjId, pos: Pos) {
        let new = self.objects.insert(id, pos);
        if let Some(before) = new {
            self.objects.insert(id, before.min(pos));
        } else if program.objects[id].linkage == Linkage::Internal {
            self.work.extend(program.objects[id].init.map(Node::Init));
        }
    }

    /// The value that a condition has at every level.
    fn value(&self, program: &Program, e: ExprId) -> Option<i128> {
        let open = self.by_level.get(e.index()).is_some_and(|&open| open);
        if open { None } else { fold::integer(program, e) }
    }

    /// What is evaluated with a node.
    fn parts(&mut self, program: &Program, node: Node) {
        visit::parts(program, node, |part| match part.role {
            Role::Evaluated | Role::Bound(_) | Role::Body | Role::Initialiser | Role::StaticInitialiser => {
                self.work.push(part.node);
            }
            Role::Unevaluated | Role::Constant => {}
        });
    }

    fn expr(&mut self, program: &Program, e: ExprId) {
        let expr = &program.exprs[e];
        match expr.kind {
            ExprKind::Function(id) => self.function(program, id, expr.pos),
            ExprKind::Object(id) => self.object(program, id, expr.pos),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => self.logical(program, e),
            ExprKind::Cond(c, a, b) => match self.value(program, c) {
                Some(0) => self.work.push(Node::Expr(b)),
                Some(_) => self.work.push(Node::Expr(a)),
                None => self.work.extend([c, a, b].map(Node::Expr)),
            },
            // The operands of some are never evaluated, and a use too many would be a wrong error.
            ExprKind::Builtin(_, _) => {}
            // Whether a bound that does not matter for the size is evaluated is open (C17 6.7.6.2p5).
            ExprKind::SizeofType(of) if !program.types.is_vla(of) => {}
            ExprKind::AlignofType { .. } | ExprKind::Offsetof(..) => {}
            _ => self.parts(program, Node::Expr(e)),
        }
    }

    /// `a && b || c …`: what a constant before it decides is not evaluated. A chain is looked at as a whole, from its
    /// first operand on: to fold the left part of each operator anew would take a time that grows with the square.
    fn logical(&mut self, program: &Program, last: ExprId) {
        let mut chain = Vec::new();
        let mut first = last;
        while let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) = program.exprs[first].kind {
            chain.push((op, b));
            first = a;
        }
        self.work.push(Node::Expr(first));
        let mut left = self.value(program, first).map(|value| value != 0);
        for (op, b) in chain.into_iter().rev() {
            if left == Some(op == BinaryOp::Or) {
                continue;
            }
            self.work.push(Node::Expr(b));
            left = left.and_then(|_| self.value(program, b)).map(|value| value != 0);
        }
    }

    fn stmt(&mut self, program: &Program, s: StmtId) {
        if !self.entered.insert(s) {
            return;
        }
        match program.stmts[s].kind {
            StmtKind::If { cond, then, other } => match self.value(program, cond) {
                Some(0) => {
                    self.entered_by_jumps(program, then);
                    self.work.extend(other.map(Node::Stmt));
                }
                Some(_) => {
                    self.work.push(Node::Stmt(then));
                    other.into_iter().for_each(|other| self.entered_by_jumps(program, other));
                }
                None => self.parts(program, Node::Stmt(s)),
            },
            StmtKind::While { cond, body } if !self.written && self.value(program, cond) == Some(0) => {
                self.entered_by_jumps(program, body);
            }
            StmtKind::For { init, cond: Some(cond), body, .. }
                if !self.written && self.value(program, cond) == Some(0) =>
            {
                self.work.extend(init.map(Node::Stmt));
                self.entered_by_jumps(program, body);
            }
            _ => self.parts(program, Node::Stmt(s)),
        }
    }

    /// What of a statement that is never entered from above can run: everything from the first label on.
    fn entered_by_jumps(&mut self, program: &Program, s: StmtId) {
        if self.written {
            self.work.extend(self.labelled[s.index()].then_some(Node::Stmt(s)));
            return;
        }
        let single = [s];
        let parts = match program.stmts[s].kind {
            StmtKind::Compound(list) => program.block(list),
            _ => &single,
        };
        let first = parts.iter().position(|part| self.labelled[part.index()]).unwrap_or(parts.len());
        self.work.extend(parts[first..].iter().map(|&part| Node::Stmt(part)));
    }
}

/// Of each expression, whether `__builtin_constant_p` has a part in it. Operands are made before what uses them.
fn by_level(program: &Program) -> Vec<bool> {
    let asks = |e: ExprId| matches!(program.exprs[e].kind, ExprKind::Builtin(builtin::CONSTANT_P, _));
    if !program.exprs.ids().any(asks) {
        return Vec::new();
    }
    let mut open = vec![false; program.exprs.len()];
    for e in program.exprs.ids() {
        let mut any = asks(e);
        visit::operands(program, e, |operand| any |= open[operand.index()]);
        open[e.index()] = any;
    }
    open
}

/// Of each statement, whether a jump may lead into it. Labels in statement expressions do not count (GCC forbids the
/// jump).
fn labelled(program: &Program) -> Vec<bool> {
    let mut parents: Vec<Option<StmtId>> = vec![None; program.stmts.len()];
    // What an edit has replaced may still hold statements that stand elsewhere now.
    let reached = visit::Reached::of(program);
    for s in program.stmts.ids().filter(|&s| reached.stmt(s)) {
        visit::parts(program, Node::Stmt(s), |part| {
            if let Node::Stmt(inner) = part.node {
                parents[inner.index()] = Some(s);
            }
        });
    }
    let mut labelled = vec![false; program.stmts.len()];
    for (s, stmt) in program.stmts.iter().filter(|&(s, _)| reached.stmt(s)) {
        if !matches!(stmt.kind, StmtKind::Case { .. } | StmtKind::Default(_) | StmtKind::Label(..)) {
            continue;
        }
        let mut at = Some(s);
        while let Some(s) = at.filter(|s| !labelled[s.index()]) {
            labelled[s.index()] = true;
            at = parents[s.index()];
        }
    }
    labelled
}
