//! The rule of names: the text says what the program means.

use super::{Faults, Walked, complete};
use crate::fold;
use crate::program::{
    Attr, AttrArg, Conv, Entity, ExprId, ExprKind, ExprList, FuncId, Item, Linkage, Program, StmtKind,
    Storage,
};
use crate::scope::{Named, Point, Scopes};
use crate::ty::Type;
use crate::visit::{self, Found, Mention, Node, Part};
use rustc_hash::FxHashSet;

/// Checks every use of a name that is part of the program.
pub(super) fn check(program: &Program, all: &[Found], walked: &mut Walked, faults: &mut Faults) {
    let scopes = Scopes::of(program);
    let uses = Uses::of(program, all);
    walked.odd += uses.variable;
    for &e in scopes.undeclared() {
        let ExprKind::Function(func) = program.exprs[e].kind else { continue };
        // The compiler's own functions can be named wherever an expression can stand.
        let own = program.name(program.funcs[func].name).starts_with("__builtin_");
        let called = own || uses.called.contains(&e) && scopes.function(Point::At(e)).is_some();
        walked.odd += usize::from(!program.funcs[func].implicit);
        let here = program.funcs[func].unit == scopes.unit(Point::At(e));
        faults.require(called && here && uses.may_be_implied(program, func), "N-declare", || {
            format!("'{}' is used before it is declared", program.name(program.funcs[func].name))
        });
    }
    for &(name, named) in scopes.declared_twice() {
        faults.add("N-once", || {
            format!("'{}' is declared as {named:?} and as something else", program.name(name))
        });
    }
    for &label in scopes.labels_twice() {
        faults.add("N-once", || {
            format!("a block declares the label '{}' twice", program.name(program.labels[label].name))
        });
    }
    attributes(program, all, &scopes, faults);
    labels(program, all, &scopes, faults);
    complete::check(program, all, &scopes, faults);
    for (id, expr) in program.exprs.iter() {
        let Some(named) = Named::by(expr) else { continue };
        let name = named.name(program);
        let point = Point::At(id);
        if !scopes.contains(point) {
            continue;
        }
        let builtin = matches!(named, Named::Function(_))
            && name.is_some_and(|name| program.name(name).starts_with("__builtin_"));
        walked.odd += usize::from(builtin && !uses.called.contains(&id));
        match name {
            Some(name) => faults.require(scopes.reaches(point, name) == Some(named), "N-reach", || {
                format!("'{}' means something else, or nothing, where {id:?} stands", program.name(name))
            }),
            None => faults.add("N-reach", || format!("{id:?} uses an object without a name")),
        }
    }
}

/// Labels that blocks declare hide others; those of a function have names of their own.
fn labels(program: &Program, all: &[Found], scopes: &Scopes, faults: &mut Faults) {
    if !program.labels.iter().any(|(_, label)| label.local) {
        return;
    }
    for found in all {
        let (node, at) = match *found {
            Found::Part(Part { node: Node::Expr(e), .. }) => (Node::Expr(e), Point::At(e)),
            Found::Part(Part { node: Node::Stmt(s), .. }) => (Node::Stmt(s), Point::Before(s)),
            _ => continue,
        };
        visit::mentions(program, node, |mention| {
            let (Mention::Label(label) | Mention::Place(label)) = mention else { return };
            faults.require(scopes.labels(at).contains(&label), "N-reach", || {
                format!("'{}' means another label, or none", program.name(program.labels[label].name))
            });
        });
    }
}

/// Attributes name functions and symbols in words of their own.
fn attributes(program: &Program, all: &[Found], scopes: &Scopes, faults: &mut Faults) {
    let mut defined: FxHashSet<(usize, &str)> = FxHashSet::default();
    for (unit, contents) in program.units.iter().enumerate() {
        for item in &contents.items {
            let Item::Decl(decl) = *item else { continue };
            let decl = &program.decls[decl];
            // An alias is a definition, and may have one itself.
            let alias = decl.attrs.iter().any(|attr| program.name(attr.name) == "alias");
            let name = match decl.entity {
                Entity::Object(object) if alias || decl.storage != Storage::Extern || decl.init.is_some() => {
                    program.objects[object].name
                }
                Entity::Function(func) if alias || decl.body => Some(program.funcs[func].name),
                _ => None,
            };
            defined.extend(name.map(|name| (unit, program.name(name))));
        }
    }
    // Assembly may define anything, under any name.
    let is_asm = |item: &Item| matches!(item, Item::Asm(_));
    let assembly = program.units.iter().any(|unit| unit.items.iter().any(is_asm))
        || program.decls.iter().any(|(_, decl)| decl.asm_label.is_some());
    let mut check = |attrs: &[Attr], unit: usize, at: Point| {
        for attr in attrs {
            let named = program.name(attr.name);
            let there = match (named, attr.args.first()) {
                ("alias" | "ifunc", Some(AttrArg::Str(target))) => {
                    assembly || defined.contains(&(unit, target.as_str()))
                }
                ("cleanup" | "malloc", Some(AttrArg::Ident(func))) => {
                    // What was never declared the compiler must complain about, not this.
                    let known = program.funcs.iter().any(|(_, function)| function.name == *func);
                    !known || scopes.reaches(at, *func).is_some()
                }
                _ => true,
            };
            faults.require(there, "N-attribute", || format!("what '{named}' names is not there"));
        }
    };
    let written = |item: Item| match item {
        Item::Decl(decl) => Some(&program.decls[decl]),
        _ => None,
    };
    let mut places = super::Places::default();
    for found in all {
        places.pass(found);
        let (item, at) = match *found {
            Found::Item { item, .. } => (item, places.before()),
            Found::Part(Part { node: Node::Stmt(s), .. }) => match program.stmts[s].kind {
                StmtKind::Item(item) => (item, Point::Before(s)),
                _ => continue,
            },
            Found::Part(_) => continue,
        };
        written(item).into_iter().for_each(|decl| check(&decl.attrs, places.unit, at));
    }
}

/// Functions of the compiler and which of their arguments must be constant: clang insists.
const CONSTANT_ARGUMENTS: &[(&str, &[usize])] = &[
    ("__builtin_return_address", &[0]),
    ("__builtin_frame_address", &[0]),
    ("__builtin_prefetch", &[1, 2]),
    ("__builtin_object_size", &[1]),
    ("__builtin_dynamic_object_size", &[1]),
    ("__builtin_alloca_with_align", &[1]),
    ("__builtin_assume_aligned", &[1]),
];

/// How many arguments of a call are not constant and must be.
fn variable_arguments(program: &Program, name: &str, args: ExprList) -> usize {
    let Some((_, places)) = CONSTANT_ARGUMENTS.iter().find(|(known, _)| *known == name) else { return 0 };
    let args = program.list(args);
    let variable = |&&at: &&usize| args.get(at).is_some_and(|&arg| fold::integer(program, arg).is_none());
    places.iter().filter(variable).count()
}

/// How many arguments of a call do not fit the parameters of a definition without a prototype: clang looks.
fn misfits(program: &Program, func: FuncId, args: ExprList) -> usize {
    let (types, function) = (&program.types, &program.funcs[func]);
    if !function.old_style {
        return 0;
    }
    let fits = |from: Type, to: Type| match (types.pointee(from), types.pointee(to)) {
        (Some(from), Some(to)) => {
            types.is_function(from) == types.is_function(to) && !types.is_function(to) || from == to
        }
        (None, None) => from == to || types.is_arithmetic(from) && types.is_arithmetic(to),
        _ => false,
    };
    let params = function.params.iter().map(|&param| types.strip(program.objects[param].ty).bare());
    program.list(args).iter().zip(params).filter(|&(&arg, to)| !fits(program.ty(arg), to)).count()
}

/// What functions are called by their names, and which are declared.
struct Uses {
    /// Arguments that clang wants to be constant, or of another type.
    variable: usize,
    called: FxHashSet<ExprId>,
    declared: FxHashSet<FuncId>,
}

impl Uses {
    fn of(program: &Program, all: &[Found]) -> Uses {
        let mut uses = Uses { variable: 0, called: FxHashSet::default(), declared: FxHashSet::default() };
        for found in all {
            let node = match *found {
                Found::Item { item, .. } => {
                    uses.item(program, item);
                    continue;
                }
                Found::Part(part) => part.node,
            };
            match node {
                Node::Expr(e) => {
                    if let ExprKind::Call(callee, args) = program.exprs[e].kind
                        && let ExprKind::Convert(Conv::FunctionDecay, name) = program.exprs[callee].kind
                    {
                        uses.called.insert(name);
                        if let ExprKind::Function(func) = program.exprs[name].kind {
                            let name = program.name(program.funcs[func].name);
                            uses.variable += variable_arguments(program, name, args);
                            uses.variable += misfits(program, func, args);
                        }
                    }
                }
                Node::Stmt(s) => {
                    if let StmtKind::Item(item) = program.stmts[s].kind {
                        uses.item(program, item);
                    }
                }
                Node::Init(_) | Node::Function(_) => {}
            }
        }
        uses
    }

    fn item(&mut self, program: &Program, item: Item) {
        if let Item::Decl(decl) = item
            && let Entity::Function(func) = program.decls[decl].entity
        {
            self.declared.insert(func);
        }
    }

    /// Whether a call may be what declares a function there: it then returns `int` and has no prototype (C90 3.3.2.2),
    /// unless it is a builtin, or another block declares it: gcc remembers the type.
    fn may_be_implied(&self, program: &Program, func: FuncId) -> bool {
        let function = &program.funcs[func];
        function.implicit || (self.declared.contains(&func) && function.linkage == Linkage::External)
    }
}
