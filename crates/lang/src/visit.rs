//! The one table of what a node of a program is made of: an expression's operands, a statement's parts, the
//! expressions of an initialiser, and the array bounds of types that are written somewhere.
//!
//! Whoever walks a program asks here, so that a new kind of node has one place to be forgotten in, and the compiler
//! finds it: no match of this module has a wildcard. What a node *means* is not here: which operand is dropped because
//! a condition is constant, or which builtin evaluates its arguments, is for those who ask.
//!
//! - [`parts`] calls back with each direct part of a node, in the order of the source, and allocates nothing.
//! - [`operands`] is the same for an expression whose other parts do not matter.
//! - [`Walk`] goes over everything below some nodes, with a stack of its own: expressions may be 100,000 deep.
//! - [`Everything`] goes over a whole program, and leaves out what the arenas hold but nothing reaches.
//! - [`mentions`] calls back with the objects, functions, labels and types that a node itself names.
//! - [`Uses`] is the other way round: who names an object, function, label or type.
//!
//! A statement expression is found wherever it can stand, because every place that holds an expression is a part of
//! something: those of `return`, of conditions, of the clauses of a `for`, of initialisers, of bounds.
//!
//! ```
//! use howler_lang::program::{FuncId, Program, StmtKind};
//! use howler_lang::visit::{Node, Walk};
//!
//! /// How many `return` statements a function has, those in statement expressions included.
//! fn returns(program: &Program, func: FuncId) -> usize {
//!     Walk::of(program, Node::Function(func))
//!         .filter(|part| match part.node {
//!             Node::Stmt(stmt) => matches!(program.stmts[stmt].kind, StmtKind::Return(_)),
//!             _ => false,
//!         })
//!         .count()
//! }
//! ```

mod everything;
mod mention;
mod reach;
mod uses;
mod walk;

pub use everything::{Everything, Found, Site, defined_by};
pub use mention::{Mention, TypeName, attr_target, item_mentions, mentions, type_names};
pub use reach::{Reached, each, each_of_item};
pub use uses::{How, Use, Uses};
pub use walk::{Walk, full_expressions, init_expressions};

use crate::program::{
    Duration, Entity, Expr, ExprId, ExprKind, FuncId, Init, InitId, Item, PathStep, Program, StmtId, StmtKind,
};
use crate::ty::{Len, Type, TypeKind, VlaId};

/// A node of the tree that a program is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// An expression.
    Expr(ExprId),
    /// A statement.
    Stmt(StmtId),
    /// An initialiser.
    Init(InitId),
    /// A function with its parameters; only as the place to start from. The definition of a nested function is a
    /// declaration in its block and nothing else: the function is a tree of its own.
    Function(FuncId),
}

/// What a part is to the node it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Evaluated with the node, always or on a condition: an operand, a controlling expression, the value of an
    /// initialiser, an operand of `asm`.
    Evaluated,
    /// Never evaluated: the operand of `sizeof` without a variable length array, of `__alignof__`.
    Unevaluated,
    /// A bound of an array type that is written here. A type may be written in several places (`typeof` repeats one),
    /// and each names its bounds.
    Bound(VlaId),
    /// A constant that is part of the text only: of `case`.
    Constant,
    /// A statement inside another, or the body of a statement expression or function.
    Body,
    /// An initialiser of what the statement declares, of a compound literal, or of a part of an object.
    Initialiser,
    /// The initialiser of an object that is set before the program runs.
    StaticInitialiser,
}

/// A part of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The part.
    pub node: Node,
    /// What it is there for.
    pub role: Role,
}

impl Part {
    /// The expression, if it is one that the program may evaluate.
    pub fn evaluated(self) -> Option<ExprId> {
        match (self.node, self.role) {
            (Node::Expr(e), Role::Evaluated | Role::Bound(_)) => Some(e),
            _ => None,
        }
    }
}

/// Calls `f` with every direct part of a node, in the order of the source.
#[inline]
pub fn parts(program: &Program, node: Node, mut f: impl FnMut(Part)) {
    match node {
        Node::Expr(e) => of_expr(program, &program.exprs[e], &mut f),
        Node::Stmt(s) => of_stmt(program, s, &mut f),
        Node::Init(init) => of_init(program, init, &mut f),
        Node::Function(func) => of_function(program, func, &mut f),
    }
}

/// Calls `f` with every operand of an expression, evaluated or not, from the left. Statements, initialisers and bounds
/// are not operands.
#[inline]
pub fn operands(program: &Program, e: ExprId, mut f: impl FnMut(ExprId)) {
    of_expr(program, &program.exprs[e], &mut |part| match (part.node, part.role) {
        (_, Role::Bound(_)) => {}
        (Node::Expr(operand), _) => f(operand),
        _ => {}
    });
}

/// The type that an expression writes, which may have bounds of its own: `(int (*)[n])p` and `sizeof(int[n])` do, the
/// type of `a` in `a[1]` is written elsewhere.
pub fn written_type(expr: &Expr) -> Option<Type> {
    match expr.kind {
        ExprKind::SizeofType(of) | ExprKind::AlignofType { of, .. } | ExprKind::Offsetof(of, _) => Some(of),
        ExprKind::Cast(..) | ExprKind::VaArg(_) => Some(expr.ty),
        _ => None,
    }
}

/// Calls `f` with every bound of the arrays that a type is made of, from the outside in. The parameters of a function
/// type have a scope of their own, in which bounds are never evaluated (C17 6.7.6.2p5).
pub fn bounds(program: &Program, ty: Type, mut f: impl FnMut(VlaId, ExprId)) {
    of_type(program, ty, &mut |part| {
        if let (Node::Expr(e), Role::Bound(vla)) = (part.node, part.role) {
            f(vla, e);
        }
    });
}

fn of_type(program: &Program, mut ty: Type, f: &mut impl FnMut(Part)) {
    let types = &program.types;
    while types.is_variably_modified(ty) {
        ty = match types.kind(ty) {
            TypeKind::Array { elem, len } => {
                if let Len::Variable(vla) = len {
                    f(Part { node: Node::Expr(types.vlas[vla]), role: Role::Bound(vla) });
                }
                elem
            }
            TypeKind::Pointer(to) => to,
            TypeKind::Function(signature) => types.signature(signature).ret,
            _ => return,
        };
    }
}

#[inline]
fn of_expr(program: &Program, expr: &Expr, f: &mut impl FnMut(Part)) {
    let evaluated = |e: ExprId| Part { node: Node::Expr(e), role: Role::Evaluated };
    match expr.kind {
        ExprKind::Imaginary(a)
        | ExprKind::Member { base: a, .. }
        | ExprKind::Unary(_, a)
        | ExprKind::Convert(_, a) => f(evaluated(a)),
        ExprKind::Cast(_, a) => {
            of_type(program, expr.ty, f);
            f(evaluated(a));
        }
        ExprKind::VaArg(a) => {
            f(evaluated(a));
            of_type(program, expr.ty, f);
        }
        ExprKind::Index { base: a, index: b }
        | ExprKind::Binary(_, a, b)
        | ExprKind::Assign(a, b)
        | ExprKind::Compound { lhs: a, rhs: b, .. }
        | ExprKind::Elvis(a, b)
        | ExprKind::Comma(a, b) => [a, b].into_iter().for_each(|e| f(evaluated(e))),
        ExprKind::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| f(evaluated(e))),
        ExprKind::Call(callee, args) => {
            f(evaluated(callee));
            program.list(args).iter().for_each(|&arg| f(evaluated(arg)));
        }
        ExprKind::Builtin(_, args) => program.list(args).iter().for_each(|&arg| f(evaluated(arg))),
        ExprKind::SizeofExpr(a) => {
            // C17 6.5.3.4p2.
            let vla = program.types.is_vla(program.ty(a));
            f(Part { node: Node::Expr(a), role: if vla { Role::Evaluated } else { Role::Unevaluated } });
        }
        ExprKind::AlignofExpr { of, .. } => f(Part { node: Node::Expr(of), role: Role::Unevaluated }),
        ExprKind::SizeofType(of) | ExprKind::AlignofType { of, .. } => of_type(program, of, f),
        ExprKind::Offsetof(of, path) => {
            of_type(program, of, f);
            for &step in &program.paths[path] {
                match step {
                    // GNU C lets an index be computed.
                    PathStep::Index(index) => f(evaluated(index)),
                    PathStep::Field(..) => {}
                }
            }
        }
        ExprKind::CompoundLiteral(object) => {
            let object = &program.objects[object];
            of_type(program, object.ty, f);
            if let Some(init) = object.init {
                f(Part { node: Node::Init(init), role: initialiser(object.duration) });
            }
        }
        ExprKind::StmtExpr(body) => f(Part { node: Node::Stmt(body), role: Role::Body }),
        ExprKind::Int { .. }
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::FuncName(_)
        | ExprKind::EnumConst(_)
        | ExprKind::Object(_)
        | ExprKind::Function(_)
        | ExprKind::LabelAddr(_) => {}
    }
}

fn of_stmt(program: &Program, stmt: StmtId, f: &mut impl FnMut(Part)) {
    let evaluated = |e: ExprId| Part { node: Node::Expr(e), role: Role::Evaluated };
    let constant = |e: ExprId| Part { node: Node::Expr(e), role: Role::Constant };
    let body = |s: StmtId| Part { node: Node::Stmt(s), role: Role::Body };
    match program.stmts[stmt].kind {
        StmtKind::Expr(e) | StmtKind::GotoComputed(e) | StmtKind::Return(Some(e)) => f(evaluated(e)),
        StmtKind::Item(item) => of_item(program, item, f),
        StmtKind::Decls(list) | StmtKind::Compound(list) => {
            program.block(list).iter().for_each(|&s| f(body(s)));
        }
        StmtKind::If { cond, then, other } => {
            f(evaluated(cond));
            f(body(then));
            other.into_iter().for_each(|s| f(body(s)));
        }
        StmtKind::While { cond, body: inner } | StmtKind::Switch { value: cond, body: inner } => {
            f(evaluated(cond));
            f(body(inner));
        }
        StmtKind::DoWhile { body: inner, cond } => {
            f(body(inner));
            f(evaluated(cond));
        }
        StmtKind::For { init, cond, step, body: inner } => {
            init.into_iter().for_each(|s| f(body(s)));
            cond.into_iter().chain(step).for_each(|e| f(evaluated(e)));
            f(body(inner));
        }
        StmtKind::Case { lo, hi, body: inner } => {
            f(constant(lo));
            hi.into_iter().for_each(|e| f(constant(e)));
            f(body(inner));
        }
        StmtKind::Default(inner) | StmtKind::Label(_, inner) => f(body(inner)),
        StmtKind::Asm(asm) => {
            let asm = &program.asms[asm];
            asm.outputs.iter().chain(&asm.inputs).for_each(|operand| f(evaluated(operand.expr)));
        }
        StmtKind::Empty
        | StmtKind::LabelDecl(_)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(None) => {}
    }
}

/// The same statement with other ones inside it. Those of lists are changed where the lists are stored.
pub fn with_stmts(kind: StmtKind, mut f: impl FnMut(StmtId) -> StmtId) -> StmtKind {
    match kind {
        StmtKind::If { cond, then, other } => StmtKind::If { cond, then: f(then), other: other.map(f) },
        StmtKind::While { cond, body } => StmtKind::While { cond, body: f(body) },
        StmtKind::DoWhile { body, cond } => StmtKind::DoWhile { body: f(body), cond },
        StmtKind::For { init, cond, step, body } => {
            let init = init.map(&mut f);
            StmtKind::For { init, cond, step, body: f(body) }
        }
        StmtKind::Switch { value, body } => StmtKind::Switch { value, body: f(body) },
        StmtKind::Case { lo, hi, body } => StmtKind::Case { lo, hi, body: f(body) },
        StmtKind::Default(body) => StmtKind::Default(f(body)),
        StmtKind::Label(label, body) => StmtKind::Label(label, f(body)),
        StmtKind::Empty
        | StmtKind::Expr(_)
        | StmtKind::Item(_)
        | StmtKind::Decls(_)
        | StmtKind::Compound(_)
        | StmtKind::LabelDecl(_)
        | StmtKind::Goto(_)
        | StmtKind::GotoComputed(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Asm(_) => kind,
    }
}

/// Calls `f` with the parts of a declaration, at file scope or in a block: the bounds of the type it writes, and the
/// initialiser.
pub fn of_item(program: &Program, item: Item, f: &mut impl FnMut(Part)) {
    let decl = match item {
        Item::Decl(decl) => &program.decls[decl],
        Item::RecordTag(_)
        | Item::Record(_)
        | Item::Enum(_)
        | Item::Asm(_)
        | Item::Include(_)
        | Item::IncludeEnd => return,
    };
    of_type(program, decl.ty, f);
    if let (Some(init), Entity::Object(object)) = (decl.init, decl.entity) {
        f(Part { node: Node::Init(init), role: initialiser(program.objects[object].duration) });
    }
}

fn initialiser(duration: Duration) -> Role {
    match duration {
        Duration::Static | Duration::Thread => Role::StaticInitialiser,
        Duration::Automatic | Duration::Parameter | Duration::Literal => Role::Initialiser,
    }
}

fn of_init(program: &Program, init: InitId, f: &mut impl FnMut(Part)) {
    match program.inits[init] {
        Init::Expr(e) => f(Part { node: Node::Expr(e), role: Role::Evaluated }),
        Init::List(list) | Init::Update(list) => {
            for entry in program.init_entries(list) {
                f(Part { node: Node::Init(entry.init), role: Role::Initialiser });
            }
        }
    }
}

fn of_function(program: &Program, func: FuncId, f: &mut impl FnMut(Part)) {
    let function = &program.funcs[func];
    for &param in &function.params {
        let object = &program.objects[param];
        if let Some(bound) = object.param_bound {
            f(Part { node: Node::Expr(bound.len), role: Role::Evaluated });
        }
        of_type(program, object.ty, f);
    }
    if let Some(body) = function.body {
        f(Part { node: Node::Stmt(body), role: Role::Body });
    }
}
