//! What a linked program uses and nobody defines. It follows uses from what other programs can reach; what is never
//! evaluated (an operand of `sizeof`, the dead branch of a constant condition, a `static` function nobody names) uses
//! nothing, as in the code that compilers write without optimisation.

use super::{asm_labels, gnu_copies, has, is_external_definition};
use crate::diag::Diagnostic;
use crate::fold;
use crate::id::Id;
use crate::program::{
    Attr, AttrArg, BinaryOp, Entity, ExprId, ExprKind, FuncId, Init, InitId, Item, Linkage, ObjId, Program,
    StmtId, StmtKind, StrUnits,
};
use crate::source::Pos;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Errors for functions and objects that the program uses but does not define (C17 6.9p5), `main` among them. What
/// `elsewhere` knows the library defines, and so does what a system header declares. To be called after
/// [`link`](super::link()).
pub fn undefined(program: &Program, elsewhere: impl Fn(&str) -> bool) -> Vec<Diagnostic> {
    let labels = asm_labels(program);
    let copies = gnu_copies(program);
    let spell = |function: bool, index: usize, name: &str| {
        labels.get(&(function, index)).cloned().unwrap_or_else(|| name.to_owned())
    };
    // Assembly may define anything: nothing is said about names it mentions.
    let assembly = assembly_texts(program);
    let aliases = aliases(program);
    let mut missing: BTreeMap<String, Pos> = BTreeMap::new();
    let uses = Uses::of(program);
    for (id, pos) in uses.functions {
        let function = &program.funcs[id];
        let target = function.linked.unwrap_or(id);
        let defined = match program.funcs[target].linkage {
            Linkage::External => {
                is_external_definition(program, target, &copies)
                    || function.body.is_some() && has(program, &function.attrs, "always_inline")
            }
            _ => program.funcs[target].body.is_some(),
        };
        let weak = has(program, &function.attrs, "weak");
        if !defined && !weak && !in_system_header(program, function.pos) {
            let name = spell(true, id.index(), program.name(function.name));
            missing.entry(name).and_modify(|first| *first = pos.min(*first)).or_insert(pos);
        }
    }
    for (id, pos) in uses.objects {
        let object = &program.objects[id];
        let Some(name) = object.name.filter(|_| object.linkage == Linkage::External) else { continue };
        let defined = program.objects[object.linked.unwrap_or(id)].defined;
        let weak = has(program, &object.attrs, "weak");
        if !defined && !weak && !in_system_header(program, object.pos) {
            let name = spell(false, id.index(), program.name(name));
            missing.entry(name).and_modify(|first| *first = pos.min(*first)).or_insert(pos);
        }
    }
    let main = program.funcs.iter().any(|(_, function)| {
        function.linkage == Linkage::External
            && function.body.is_some()
            && program.name(function.name) == "main"
    });
    if !main {
        missing.entry("main".to_owned()).or_insert(Pos::NONE);
    }
    // Compilers expand builtins, `alloca` for one, that no library has.
    let builtin = |name: &str| crate::builtin::lookup(name).is_some();
    missing.retain(|name, _| !aliases.contains(name.as_str()) && !builtin(name) && !elsewhere(name));
    missing.retain(|name, _| !assembly.iter().any(|text| text.contains(name.as_str())));
    let mut missing: Vec<(Pos, String)> = missing.into_iter().map(|(name, pos)| (pos, name)).collect();
    missing.sort();
    missing
        .into_iter()
        .map(|(pos, name)| Diagnostic::error(pos, format!("undefined reference to '{name}'")))
        .collect()
}

fn in_system_header(program: &Program, pos: Pos) -> bool {
    program.sources.locate(pos).is_some_and(|place| place.system)
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

enum Node {
    Expr(ExprId),
    Stmt(StmtId),
    Init(InitId),
}

/// The entities that reachable code names, each with its first use.
#[derive(Default)]
struct Uses {
    functions: FxHashMap<FuncId, Pos>,
    objects: FxHashMap<ObjId, Pos>,
    work: Vec<Node>,
    entered: FxHashSet<StmtId>,
}

impl Uses {
    fn of(program: &Program) -> Uses {
        let mut uses = Uses::default();
        for (_, function) in program.funcs.iter() {
            let kept = has(program, &function.attrs, "used")
                || has(program, &function.attrs, "constructor")
                || has(program, &function.attrs, "destructor");
            let external = function.linkage == Linkage::External && !function.inline;
            if function.parent.is_none() && (external || kept) {
                uses.work.extend(function.body.map(Node::Stmt));
            }
            uses.aliased(program, &function.attrs);
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
                Node::Init(init) => match program.inits[init] {
                    Init::Expr(e) => uses.work.push(Node::Expr(e)),
                    Init::List(list) | Init::Update(list) => {
                        let parts = program.init_entries(list).iter().map(|entry| Node::Init(entry.init));
                        uses.work.extend(parts);
                    }
                },
            }
        }
        uses
    }

    /// `alias("f")` names a function by a string; that it exists is the compiler's check, but it is used.
    fn aliased(&mut self, program: &Program, attrs: &[Attr]) {
        for attr in attrs {
            if program.name(attr.name) != "alias" {
                continue;
            }
            let Some(AttrArg::Str(target)) = attr.args.first() else { continue };
            let named = program.funcs.iter().find(|(_, function)| program.name(function.name) == target);
            if let Some((_, function)) = named {
                self.work.extend(function.body.map(Node::Stmt));
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

    fn expr(&mut self, program: &Program, e: ExprId) {
        let expr = &program.exprs[e];
        let exprs = |uses: &mut Uses, all: &[ExprId]| uses.work.extend(all.iter().map(|&e| Node::Expr(e)));
        match expr.kind {
            ExprKind::Function(id) => self.function(program, id, expr.pos),
            ExprKind::Object(id) => self.object(program, id, expr.pos),
            ExprKind::CompoundLiteral(id) => self.work.extend(program.objects[id].init.map(Node::Init)),
            ExprKind::Imaginary(a)
            | ExprKind::Member { base: a, .. }
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::Convert(_, a)
            | ExprKind::VaArg(a) => exprs(self, &[a]),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                exprs(self, &[a]);
                let decided = fold::integer(program, a).map(|value| (value != 0) == (op == BinaryOp::Or));
                if decided != Some(true) {
                    exprs(self, &[b]);
                }
            }
            ExprKind::Index { base: a, index: b }
            | ExprKind::Binary(_, a, b)
            | ExprKind::Assign(a, b)
            | ExprKind::Compound { lhs: a, rhs: b, .. }
            | ExprKind::Elvis(a, b)
            | ExprKind::Comma(a, b) => exprs(self, &[a, b]),
            ExprKind::Cond(c, a, b) => match fold::integer(program, c) {
                Some(0) => exprs(self, &[b]),
                Some(_) => exprs(self, &[a]),
                None => exprs(self, &[c, a, b]),
            },
            ExprKind::Call(callee, args) => {
                exprs(self, &[callee]);
                exprs(self, program.list(args));
            }
            // The operands of some are never evaluated, and a use too many would be a wrong error.
            ExprKind::Builtin(_, _) => {}
            ExprKind::StmtExpr(body) => self.work.push(Node::Stmt(body)),
            ExprKind::Int { .. }
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::FuncName(_)
            | ExprKind::EnumConst(_)
            | ExprKind::SizeofType(_)
            | ExprKind::SizeofExpr(_)
            | ExprKind::AlignofType { .. }
            | ExprKind::AlignofExpr { .. }
            | ExprKind::Offsetof(..)
            | ExprKind::LabelAddr(_) => {}
        }
    }

    fn stmt(&mut self, program: &Program, s: StmtId) {
        if !self.entered.insert(s) {
            return;
        }
        let work = &mut self.work;
        match program.stmts[s].kind {
            StmtKind::Expr(e) | StmtKind::GotoComputed(e) | StmtKind::Return(Some(e)) => {
                work.push(Node::Expr(e));
            }
            StmtKind::Item(Item::Decl(decl)) => {
                let decl = &program.decls[decl];
                if let Entity::Object(id) = decl.entity
                    && program.objects[id].linkage == Linkage::None
                {
                    work.extend(program.objects[id].init.map(Node::Init));
                }
            }
            StmtKind::Decls(list) | StmtKind::Compound(list) => {
                work.extend(program.block(list).iter().map(|&s| Node::Stmt(s)));
            }
            StmtKind::If { cond, then, other } => match fold::integer(program, cond) {
                Some(0) => {
                    work.extend(entered_by_jumps(program, then));
                    work.extend(other.map(Node::Stmt));
                }
                Some(_) => {
                    work.push(Node::Stmt(then));
                    work.extend(other.into_iter().flat_map(|other| entered_by_jumps(program, other)));
                }
                None => {
                    work.extend([Node::Expr(cond), Node::Stmt(then)]);
                    work.extend(other.map(Node::Stmt));
                }
            },
            StmtKind::While { cond, body } if fold::integer(program, cond) == Some(0) => {
                work.extend(entered_by_jumps(program, body));
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                work.extend([Node::Expr(cond), Node::Stmt(body)]);
            }
            StmtKind::For { init, cond, step, body } => {
                work.extend(init.map(Node::Stmt));
                if cond.and_then(|cond| fold::integer(program, cond)) == Some(0) {
                    work.extend(entered_by_jumps(program, body));
                } else {
                    work.extend(cond.into_iter().chain(step).map(Node::Expr));
                    work.push(Node::Stmt(body));
                }
            }
            StmtKind::Switch { value, body } => work.extend([Node::Expr(value), Node::Stmt(body)]),
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                work.push(Node::Stmt(body));
            }
            StmtKind::Asm(id) => {
                let asm = &program.asms[id];
                work.extend(asm.outputs.iter().chain(&asm.inputs).map(|operand| Node::Expr(operand.expr)));
            }
            StmtKind::Empty
            | StmtKind::Item(_)
            | StmtKind::LabelDecl(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None) => {}
        }
    }
}

/// What of a statement that is never entered from above can run: everything from the first label on.
fn entered_by_jumps(program: &Program, s: StmtId) -> Vec<Node> {
    let single = [s];
    let parts = match program.stmts[s].kind {
        StmtKind::Compound(list) => program.block(list),
        _ => &single,
    };
    parts.iter().skip_while(|&&part| !has_label(program, part)).map(|&part| Node::Stmt(part)).collect()
}

/// Whether a jump may lead into the statement. Labels in statement expressions do not count (GCC forbids the jump).
fn has_label(program: &Program, root: StmtId) -> bool {
    let mut work = vec![root];
    while let Some(s) = work.pop() {
        match program.stmts[s].kind {
            StmtKind::Case { .. } | StmtKind::Default(_) | StmtKind::Label(..) => return true,
            StmtKind::Compound(list) => work.extend(program.block(list)),
            StmtKind::If { then, other, .. } => work.extend(std::iter::once(then).chain(other)),
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::Switch { body, .. } => work.push(body),
            _ => {}
        }
    }
    false
}
