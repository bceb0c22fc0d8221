//! What code that is added to a function may read and write: where no order is laid down between a call and something
//! else of its expression, what a function did not touch before it must not touch now (C17 6.5p3, 6.5.2.2p10).
//!
//! Coarse on purpose: objects that others can reach are one thing, and only who has no such neighbour may touch it.

use std::collections::BTreeMap;

use howler_lang::program::{
    Attr, BinaryOp, Conv, Duration, ExprId, ExprKind, FuncId, Linkage, ObjId, Program, StmtId, StmtKind,
    UnaryOp,
};
use howler_lang::ty::{Quals, TypeKind};
use howler_lang::visit::{self, Node, Role, Walk};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a function may do to objects that others can reach. What only it can reach it may always read and write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Access {
    /// Nothing.
    Own,
    /// Read them.
    Read,
    /// Read them, and write them if they are as they were when it returns.
    Write,
}

/// What added code may touch, of a whole program.
pub struct Rules {
    /// Objects that only their function can reach, by name.
    own: FxHashSet<ObjId>,
    functions: BTreeMap<FuncId, Access>,
    /// Statements that are part of an expression.
    in_expressions: FxHashSet<StmtId>,
    /// The function of each statement.
    function_of: FxHashMap<StmtId, FuncId>,
    /// Whether the program jumps out of calls: then no local object may change, not even for a while (C17 7.13.2.1p3).
    jumps: bool,
}

/// What happens when a node is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Events {
    /// A call of a function that touches what others can reach.
    loud: bool,
    /// Another call.
    quiet: bool,
    reads: bool,
    writes: bool,
}

impl Events {
    fn with(self, other: Events) -> Events {
        Events {
            loud: self.loud || other.loud,
            quiet: self.quiet || other.quiet,
            reads: self.reads || other.reads,
            writes: self.writes || other.writes,
        }
    }

    fn calls(self) -> bool {
        self.loud || self.quiet
    }

    /// What functions called in one operand may do beside another operand.
    fn beside(self, other: Events) -> Access {
        match self.calls() {
            true if other.loud || other.writes => Access::Own,
            // A quiet one stays quiet: its neighbours were judged by that.
            true if self.quiet && (other.quiet || other.reads) => Access::Own,
            true if other.reads => Access::Read,
            _ => Access::Write,
        }
    }
}

/// A function, and what its text says of it.
struct Body {
    func: FuncId,
    nodes: Vec<Node>,
    /// Functions that are called by name.
    callees: Vec<FuncId>,
    /// Whether a pointer is called.
    indirect: bool,
}

impl Rules {
    /// Looks at a program once.
    pub fn of(program: &Program) -> Rules {
        let bodies: Vec<Body> = program.funcs.ids().filter_map(|func| Body::of(program, func)).collect();
        let own = own_objects(program, &bodies);
        let pointed = pointed_functions(program, &bodies);
        let loud = loud_functions(program, &bodies, &own, &pointed);
        let mut functions: BTreeMap<FuncId, Access> =
            bodies.iter().map(|body| (body.func, Access::Write)).collect();
        let mut lower = |func: FuncId, access: Access| {
            let known = functions.entry(func).or_insert(Access::Own);
            *known = access.min(*known);
        };
        for body in &bodies {
            neighbours(program, body, (&own, &pointed, &loud), &mut lower);
            if program.funcs[body.func].attrs.iter().any(|attr| promises(program, attr)) {
                lower(body.func, Access::Own);
            }
        }
        if has_restrict(program) {
            bodies.iter().for_each(|body| lower(body.func, Access::Own));
        }
        // What is called by who may touch little may touch as little.
        let mut changed = true;
        while changed {
            changed = false;
            for body in &bodies {
                let access = functions.get(&body.func).copied().unwrap_or(Access::Own);
                let indirect = body.indirect.then_some(&pointed).into_iter().flatten();
                for callee in body.callees.iter().chain(indirect) {
                    if let Some(known) = functions.get_mut(callee)
                        && *known > access
                    {
                        *known = access;
                        changed = true;
                    }
                }
            }
        }
        let in_expressions = program
            .exprs
            .iter()
            .filter_map(|(_, expr)| match expr.kind {
                ExprKind::StmtExpr(block) => Some(Walk::stmt(program, block).statements()),
                _ => None,
            })
            .flatten()
            .collect();
        let mut function_of = FxHashMap::default();
        for body in &bodies {
            let stmts = body.nodes.iter().filter_map(|node| match node {
                Node::Stmt(s) => Some((*s, body.func)),
                _ => None,
            });
            function_of.extend(stmts);
        }
        let jumps = program.funcs.iter().any(|(_, func)| program.name(func.name).contains("setjmp"));
        Rules { own, functions, in_expressions, function_of, jumps }
    }

    /// The function that a statement stands in; none if nothing may be added there.
    pub fn function(&self, program: &Program, at: StmtId) -> Option<FuncId> {
        let func = *self.function_of.get(&at)?;
        let nested = program.funcs[func].parent.is_some();
        (!nested && !self.in_expressions.contains(&at)).then_some(func)
    }

    /// What the function of a statement may touch.
    pub fn access(&self, at: StmtId) -> Access {
        let func = self.function_of.get(&at);
        func.and_then(|func| self.functions.get(func)).copied().unwrap_or(Access::Own)
    }

    /// Whether code at a statement may read an object.
    pub fn may_read(&self, at: StmtId, object: ObjId) -> bool {
        self.is_own(object) || self.access(at) >= Access::Read
    }

    /// Whether code at a statement may write an object, if it is put back.
    pub fn may_write(&self, at: StmtId, object: ObjId) -> bool {
        !self.jumps && (self.is_own(object) || self.access(at) == Access::Write)
    }

    /// Whether nobody but the function that declares it can reach an object.
    pub fn is_own(&self, object: ObjId) -> bool {
        self.own.contains(&object)
    }
}

impl Body {
    fn of(program: &Program, func: FuncId) -> Option<Body> {
        program.funcs[func].body?;
        let mut body = Body { func, nodes: Vec::new(), callees: Vec::new(), indirect: false };
        let mut walk = Walk::of(program, Node::Function(func));
        while let Some(part) = walk.next() {
            if matches!(part.role, Role::Unevaluated | Role::StaticInitialiser) {
                walk.skip_parts();
                continue;
            }
            body.nodes.push(part.node);
            if let Node::Expr(e) = part.node
                && let ExprKind::Call(callee, _) = program.exprs[e].kind
            {
                match called(program, callee) {
                    Some(func) => body.callees.push(func),
                    None => body.indirect = true,
                }
            }
        }
        body.callees.sort_unstable();
        body.callees.dedup();
        Some(body)
    }
}

/// The function that an expression calls by its name; the one that is defined, if another unit declares it.
fn called(program: &Program, callee: ExprId) -> Option<FuncId> {
    let ExprKind::Convert(Conv::FunctionDecay, designator) = program.exprs[callee].kind else { return None };
    match program.exprs[designator].kind {
        ExprKind::Function(func) => Some(resolved(program, func)),
        _ => None,
    }
}

/// The definition of a function, wherever it is. Programs that are not linked yet have names only.
fn resolved(program: &Program, func: FuncId) -> FuncId {
    let function = &program.funcs[func];
    if function.body.is_some() || function.linkage != Linkage::External {
        return func;
    }
    let same = |(_, other): &(FuncId, &howler_lang::program::Function)| {
        other.name == function.name && other.body.is_some() && other.linkage == Linkage::External
    };
    program.funcs.iter().find(same).map_or(func, |(other, _)| other)
}

/// Attributes by which compilers leave out calls, or move them.
fn promises(program: &Program, attr: &Attr) -> bool {
    matches!(program.name(attr.name), "const" | "pure" | "returns_twice" | "reproducible" | "unsequenced")
}

fn has_restrict(program: &Program) -> bool {
    let restrict = |ty| program.types.quals(ty).contains(Quals::RESTRICT);
    let of_bodies = |object: ObjId| restrict(program.objects[object].ty);
    // Parameters of declarations alone say nothing about objects here.
    let params: FxHashSet<ObjId> = program
        .funcs
        .iter()
        .filter(|(_, func)| func.body.is_some())
        .flat_map(|(_, func)| func.params.iter().copied())
        .collect();
    let named = program.exprs.iter().filter_map(|(_, expr)| match expr.kind {
        ExprKind::Object(object) => Some(object),
        _ => None,
    });
    params.into_iter().chain(named).any(of_bodies)
        || program
            .types
            .records
            .iter()
            .any(|(_, record)| record.fields.iter().any(|field| restrict(field.ty)))
}

/// Automatic scalars whose address nobody takes.
fn own_objects(program: &Program, bodies: &[Body]) -> FxHashSet<ObjId> {
    if program.funcs.iter().any(|(_, func)| func.parent.is_some()) {
        // A nested function reaches what is around it.
        return FxHashSet::default();
    }
    let local = |(_, object): &(ObjId, &howler_lang::program::Object)| {
        object.duration == Duration::Automatic
            && object.linkage == Linkage::None
            && program.types.is_scalar(object.ty)
    };
    let mut own: FxHashSet<ObjId> = program.objects.iter().filter(local).map(|(id, _)| id).collect();
    for node in bodies.iter().flat_map(|body| &body.nodes) {
        if let Node::Expr(e) = *node
            && let ExprKind::Unary(UnaryOp::AddrOf, lvalue) = program.exprs[e].kind
            && let ExprKind::Object(object) = program.exprs[lvalue].kind
        {
            own.remove(&object);
        }
        if let Node::Stmt(s) = *node
            && let StmtKind::Asm(_) = program.stmts[s].kind
        {
            return FxHashSet::default();
        }
    }
    own
}

/// Functions that somebody may call through a pointer.
fn pointed_functions(program: &Program, bodies: &[Body]) -> FxHashSet<FuncId> {
    let mut named: FxHashMap<FuncId, usize> = FxHashMap::default();
    for (_, expr) in program.exprs.iter() {
        if let ExprKind::Function(func) = expr.kind {
            *named.entry(resolved(program, func)).or_default() += 1;
        }
    }
    for node in bodies.iter().flat_map(|body| &body.nodes) {
        if let Node::Expr(e) = *node
            && let ExprKind::Call(callee, _) = program.exprs[e].kind
            && let Some(func) = called(program, callee)
            && let Some(count) = named.get_mut(&func)
        {
            *count = count.saturating_sub(1);
        }
    }
    named.into_iter().filter(|&(_, count)| count > 0).map(|(func, _)| func).collect()
}

/// Functions that touch what others can reach, or of which nobody knows.
fn loud_functions(
    program: &Program,
    bodies: &[Body],
    own: &FxHashSet<ObjId>,
    pointed: &FxHashSet<FuncId>,
) -> FxHashSet<FuncId> {
    let mut loud: FxHashSet<FuncId> =
        program.funcs.ids().filter(|&func| program.funcs[func].body.is_none()).collect();
    for body in bodies {
        let touches = |node: &Node| match node {
            Node::Expr(e) => {
                let own = events(program, *e, own);
                own.reads || own.writes
            }
            _ => false,
        };
        if body.nodes.iter().any(touches) {
            loud.insert(body.func);
        }
    }
    loop {
        let before = loud.len();
        for body in bodies {
            let any = body.callees.iter().any(|callee| loud.contains(callee))
                || body.indirect && pointed.iter().any(|func| loud.contains(func));
            if any {
                loud.insert(body.func);
            }
        }
        if loud.len() == before {
            return loud;
        }
    }
}

/// What an expression itself does to objects that others can reach, calls aside.
fn events(program: &Program, e: ExprId, own: &FxHashSet<ObjId>) -> Events {
    let shared = |lvalue: ExprId| match program.exprs[lvalue].kind {
        ExprKind::Object(object) => !own.contains(&object),
        _ => true,
    };
    match program.exprs[e].kind {
        ExprKind::Assign(lvalue, _) | ExprKind::Compound { lhs: lvalue, .. } => {
            Events { writes: shared(lvalue), ..Events::default() }
        }
        ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, lvalue) => {
            Events { writes: shared(lvalue), reads: shared(lvalue), ..Events::default() }
        }
        ExprKind::Convert(Conv::Load, lvalue) => Events { reads: shared(lvalue), ..Events::default() },
        // What the compiler's own functions do is not written anywhere here.
        ExprKind::Builtin(..) | ExprKind::VaArg(_) => {
            Events { reads: true, writes: true, ..Events::default() }
        }
        // A struct is read and written as a whole.
        ExprKind::Object(object)
            if matches!(program.types.kind(program.objects[object].ty), TypeKind::Record(_)) =>
        {
            Events { reads: true, ..Events::default() }
        }
        _ => Events::default(),
    }
}

/// Whether the parts of a node have no order among themselves.
fn is_unordered(program: &Program, node: Node) -> bool {
    match node {
        Node::Expr(e) => match program.exprs[e].kind {
            ExprKind::Binary(op, ..) => !matches!(op, BinaryOp::And | BinaryOp::Or),
            ExprKind::Assign(..)
            | ExprKind::Compound { .. }
            | ExprKind::Index { .. }
            | ExprKind::Call(..)
            | ExprKind::Builtin(..) => true,
            _ => false,
        },
        // C17 6.7.9p23.
        Node::Init(_) => true,
        Node::Stmt(_) | Node::Function(_) => false,
    }
}

/// Tells `lower` of every function that is called beside something, and what that leaves it.
fn neighbours(
    program: &Program,
    body: &Body,
    (own, pointed, loud): (&FxHashSet<ObjId>, &FxHashSet<FuncId>, &FxHashSet<FuncId>),
    lower: &mut impl FnMut(FuncId, Access),
) {
    let mut below: FxHashMap<Node, Events> = FxHashMap::default();
    let mut left: FxHashMap<Node, Access> = FxHashMap::default();
    // Parts come after what they are parts of.
    for &node in body.nodes.iter().rev() {
        let mut parts: Vec<(Node, Events)> = Vec::new();
        visit::parts(program, node, |part| {
            if let Some(&events) = below.get(&part.node)
                && events != Events::default()
            {
                parts.push((part.node, events));
            }
        });
        if is_unordered(program, node) && parts.len() > 1 {
            for (at, &(part, events)) in parts.iter().enumerate() {
                let others = parts.iter().enumerate().filter(|&(other, _)| other != at);
                let others = others.fold(Events::default(), |all, (_, &(_, events))| all.with(events));
                let access = events.beside(others);
                if access < Access::Write {
                    left.insert(part, access);
                }
            }
        }
        let mut all = parts.iter().fold(Events::default(), |all, &(_, events)| all.with(events));
        if let Node::Expr(e) = node {
            all = all.with(events(program, e, own));
            if let ExprKind::Call(callee, _) = program.exprs[e].kind {
                let is_loud = match called(program, callee) {
                    Some(func) => loud.contains(&func),
                    None => pointed.iter().any(|func| loud.contains(func)),
                };
                all = all.with(Events { loud: is_loud, quiet: !is_loud, ..Events::default() });
            }
        }
        below.insert(node, all);
    }
    for &node in &body.nodes {
        let Some(&access) = left.get(&node) else { continue };
        if let Node::Expr(e) = node
            && let ExprKind::Call(callee, _) = program.exprs[e].kind
        {
            match called(program, callee) {
                Some(func) => lower(func, access),
                None => pointed.iter().for_each(|&func| lower(func, access)),
            }
        }
        visit::parts(program, node, |part| {
            let known = left.entry(part.node).or_insert(access);
            *known = access.min(*known);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;
    use howler_lang::scope::Named;

    fn access(text: &str, name: &str) -> Access {
        let program = read(text);
        let Some(Named::Function(func)) = howler_lang::scope::at_file_scope(&program, 0, name) else {
            panic!("{name}")
        };
        Rules::of(&program).functions[&func]
    }

    #[test]
    fn who_is_called_alone_may_touch_everything() {
        let text = "int g; int f(int x) { g++; return x; } int main(void) { int y = f(1); y = f(f(y)) + 1; return y; }";
        assert_eq!(access(text, "f"), Access::Write);
        assert_eq!(access(text, "main"), Access::Write);
    }

    #[test]
    fn neighbours_keep_to_themselves() {
        let text = "int g, h; int f(void) { return g++; } int e(void) { return h; } int q(int a) { return a; }\n\
                    int r(int a) { return a + 1; } int d(void) { return h; } int c(void) { return d(); }\n\
                    int main(void) { int x = f() + (h = 3); x = e() + g; x += q(1) - r(2); x += c() + f(); return x; }";
        assert_eq!(access(text, "f"), Access::Own);
        assert_eq!(access(text, "e"), Access::Read);
        // Quiet functions stay quiet where somebody counts on it, and what others call is as bound as they are.
        for name in ["q", "r", "c", "d"] {
            assert_eq!(access(text, name), Access::Own, "{name}");
        }
    }

    #[test]
    fn sequenced_operands_are_no_neighbours() {
        let text = "int g; int f(void) { return g++; } int e(void) { return g; }\n\
                    int main(void) { return f() && e() ? f() : (e(), f()); }";
        assert_eq!((access(text, "f"), access(text, "e")), (Access::Write, Access::Write));
    }

    #[test]
    fn what_has_an_address_is_not_its_functions_own() {
        let program = read(
            "int g; int main(void) { int a = 1, b = 2, c[2]; int *p = &a; c[0] = *p; return b + c[0] + g; }",
        );
        let rules = Rules::of(&program);
        let own: Vec<&str> = program
            .objects
            .iter()
            .filter(|(id, _)| rules.is_own(*id))
            .filter_map(|(_, object)| object.name.map(|name| program.name(name)))
            .collect();
        assert_eq!(own, ["b", "p"]);
    }
}
