//! The rules of a well-formed program.
//!
//! `build` keeps expressions well-typed and the front end keeps statements well-placed; this check is for what
//! generators, mutators and reducers do with them. It trusts nothing and never panics on ids that exist.
//!
//! # The rules
//!
//! No node is a part of itself, by whatever way: the code is **E-order**, **S-once** or **D-order**, for the node that
//! is met again. Where that is broken nothing else is looked at, because walks would not end.
//!
//! Expressions (codes `E…`):
//! - **E-order**: operands were made before the operation (their ids are smaller).
//! - **E-once**: an expression or initialiser is part of one thing only; the bound of a type may be of several.
//! - **E-load**: a read has an lvalue of complete type as operand and the unqualified type as its own.
//! - **E-decay**: only arrays and functions decay, to the pointer they must.
//! - **E-convert**: an implicit conversion goes between types that its kind allows.
//! - **E-value**: operands of operators are values: no lvalues, arrays or functions.
//! - **E-arith**: both operands of an arithmetic or comparison operator have one type; complex and real may meet in
//!   one element type; shifts have promoted operands.
//! - **E-pointer**: pointer arithmetic has one pointer and one integer; differences have two pointers.
//! - **E-assign**: the left side is an lvalue and the right side has its unqualified type.
//! - **E-cond**: both results of a conditional have its type.
//! - **E-call**: the callee is a pointer to a function; arguments match the parameters in number and type.
//! - **E-member**: the base is a complete struct or union that has the member.
//! - **E-literal**: a literal has a type that one can have, and a value of it.
//! - **E-function**: `__func__` has the length of its function's name; `va_start` is in a variadic function.
//!
//! Statements (codes `S…`):
//! - **S-once**: a statement stands in one place only.
//! - **S-else**: an `if` without `else` is not the whole then-branch of an `if` with one: C would read the `else`
//!   otherwise.
//! - **S-jump**: `break` and `continue` are inside a loop (or switch), `case` and `default` inside a switch; and no jump
//!   enters the scope of a variably modified type or a statement expression.
//! - **S-label**: a label is placed once in its function, and a `goto` names a placed label of it, or one that a function
//!   around it declares in a block.
//! - **S-return**: a returned value has the function's return type; where there is none, `void`.
//! - **S-declare**: a declaration stands in a block, or in a list that is the head of a `for`, which holds that or an
//!   expression; those of labels begin a block.
//! - **S-case**: cases are constants of their switch's type, no value is in two of one `switch`, and there is one
//!   `default` at most.
//!
//! Declarations (codes `D…`):
//! - **D-body**: a function's body is a compound statement, and it has one object per parameter. A nested function knows
//!   the one around it.
//! - **D-init**: an initialiser's expressions have the types of what they initialise.
//! - **D-linkage**: what is declared `static` at file scope was not declared before without; what is `extern` has linkage,
//!   and all declarations of one thing are in one unit.
//! - **D-constant**: what is set before the program runs is constant (C17 6.7.9p4), by gcc's rules.
//! - **D-bound**: the bound of an array that a run finds out belongs to one function, and to those nested in it.
//! - **D-literal**: a compound literal outside of functions lives for the whole run, one inside does not (C17 6.5.2.5p5).
//! - **D-order**: the parts of an initialiser were made before it (their ids are smaller).
//! - **D-tag**: tags are unique in a unit; only anonymous members have none.
//!
//! Names (codes `N…`), if no other rule is broken:
//! - **N-reach**: the name of an object, function, enumeration constant or label means that where it is used: it is
//!   declared there, and nothing hides it.
//! - **N-declare**: a function is declared before it is used, unless its use may be its declaration; a use has the type
//!   of the declarations before it; and a nested function is defined in the block that declares it.
//! - **N-type**: a struct, union or enumeration that is written is declared there, and defined there where its size or
//!   members matter.
//! - **N-attribute**: what an attribute names (`alias`, `cleanup`, `malloc`) is there.
//! - **N-once**: a scope declares a name without linkage, and a label of a block, once.
//!
//! Some programs that one compiler takes are refused by another: a function that is called before it is declared or a
//! builtin that is not called, `return;` where there is a value, `break` in the controlling expression of a loop, jumps
//! around `cleanup`, `goto *` without a label, `__label__` without a place, a static object that a call of the library
//! initialises, arguments that do not fit the parameters of an old-style definition. Those break no rule; [`examine`] counts them, so that no edit makes more.

mod complete;
mod cycle;
mod declared;
mod expr;
mod jump;
mod name;
mod stmt;

use crate::fold;
use crate::id::Id;
use crate::program::{Conv, Duration, Entity, ExprId, ExprKind, Init, InitId, Item, ObjId, Program};
use crate::scope::Point;
use crate::symbol::Symbol;
use crate::ty::{Type, TypeKind};
use crate::visit::{Everything, Found, Node, Part, Role, Walk};
use rustc_hash::FxHashSet;

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The rule's code, as the module's documentation lists it.
    pub rule: &'static str,
    /// What breaks it.
    pub what: String,
}

/// What [`examine`] found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Findings {
    /// The broken rules.
    pub faults: Vec<Fault>,
    /// How often the program does what some compilers take and others do not.
    pub odd: usize,
}

/// Checks every rule; an empty answer means the program is well-formed. At most a hundred faults are reported.
pub fn program(program: &Program) -> Vec<Fault> {
    examine(program).faults
}

/// Checks every rule, and counts what only some compilers take.
pub fn examine(program: &Program) -> Findings {
    let faults = cycles(program);
    if !faults.is_empty() {
        return Findings { faults, odd: 0 };
    }
    let all: Vec<Found> = Everything::of(program).collect();
    without_cycles(program, &all)
}

/// The rules that every walk relies on.
pub(crate) fn cycles(program: &Program) -> Vec<Fault> {
    let mut faults = Faults { list: Vec::new() };
    cycle::check(program, &mut faults);
    faults.list
}

/// The other rules. `all` is the program in the order of its text: several rules go over it.
pub(crate) fn without_cycles(program: &Program, all: &[Found]) -> Findings {
    let mut faults = Faults { list: Vec::new() };
    let mut walked = Walked { odd: 0 };
    for (id, expr) in program.exprs.iter() {
        expr::check(program, id, expr, &mut faults);
    }
    for unit in &program.units {
        check_tags(program, &unit.items, &mut faults);
        for &item in &unit.items {
            check_item(program, item, &mut walked, &mut faults);
            check_outside(program, item, &mut faults);
        }
    }
    check_once(program, all, &mut faults);
    literals(program, all, |object, duration| {
        let fits = program.objects[object].duration == duration;
        faults.require(fits, "D-literal", || format!("{object:?} does not live as long as its place says"));
    });
    stmt::check(program, all, &mut walked, &mut faults);
    if faults.list.is_empty() {
        name::check(program, all, &mut walked, &mut faults);
        declared::check(program, all, &mut faults);
    }
    Findings { faults: faults.list, odd: walked.odd }
}

/// The place of the item that a walk over everything is in.
#[derive(Default)]
struct Places {
    unit: usize,
    /// The number of the item after it.
    next: u32,
}

impl Places {
    fn pass(&mut self, found: &Found) {
        let Found::Item { unit, .. } = *found else { return };
        if unit != self.unit {
            (self.unit, self.next) = (unit, 0);
        }
        self.next += 1;
    }

    /// Before the item.
    fn before(&self) -> Point {
        Point::Item { unit: self.unit as u32, index: self.next.saturating_sub(1) }
    }

    /// At the end of its unit.
    fn end(&self, program: &Program) -> Point {
        let count = program.units.get(self.unit).map_or(0, |unit| unit.items.len());
        Point::Item { unit: self.unit as u32, index: count as u32 }
    }
}

/// What is counted on the way.
struct Walked {
    odd: usize,
}

struct Faults {
    list: Vec<Fault>,
}

impl Faults {
    fn add(&mut self, rule: &'static str, what: impl FnOnce() -> String) {
        if self.list.len() < 100 {
            self.list.push(Fault { rule, what: what() });
        }
    }

    fn require(&mut self, holds: bool, rule: &'static str, what: impl FnOnce() -> String) {
        if !holds {
            self.add(rule, what);
        }
    }
}

fn check_once(program: &Program, all: &[Found], faults: &mut Faults) {
    let mut exprs = vec![false; program.exprs.len()];
    let mut inits = vec![false; program.inits.len()];
    for found in all {
        let Found::Part(part) = found else { continue };
        let seen = match part.node {
            Node::Expr(e) => &mut exprs[e.index()],
            Node::Init(i) => &mut inits[i.index()],
            Node::Stmt(_) | Node::Function(_) => continue,
        };
        let before = std::mem::replace(seen, true);
        faults.require(!before, "E-once", || format!("{:?} is part of two things", part.node));
    }
}

/// Calls `f` with every compound literal and how long it lives where it stands.
pub(crate) fn literals(program: &Program, all: &[Found], mut f: impl FnMut(ObjId, Duration)) {
    let mut duration = Duration::Static;
    for found in all {
        match *found {
            Found::Item { .. } => duration = Duration::Static,
            Found::Part(Part { node: Node::Stmt(_), .. }) => duration = Duration::Literal,
            Found::Part(Part { node: Node::Expr(e), .. }) => {
                if let ExprKind::CompoundLiteral(object) = program.exprs[e].kind {
                    f(object, duration);
                }
            }
            Found::Part(_) => {}
        }
    }
}

fn check_tags(program: &Program, items: &[Item], faults: &mut Faults) {
    let mut seen: FxHashSet<Symbol> = FxHashSet::default();
    for item in items {
        let tag = match *item {
            Item::Record(id) => program.types.records[id].tag,
            Item::Enum(id) => Some(program.types.enums[id].tag),
            _ => continue,
        };
        match tag {
            Some(tag) => faults
                .require(seen.insert(tag), "D-tag", || format!("'{}' names two types", program.name(tag))),
            None => faults.add("D-tag", || "a type at file scope has no tag".to_owned()),
        }
    }
}

fn check_item(program: &Program, item: Item, walked: &mut Walked, faults: &mut Faults) {
    let Item::Decl(id) = item else { return };
    let decl = &program.decls[id];
    match decl.entity {
        Entity::Object(obj) => {
            if let Some(init) = decl.init {
                check_init(program, init, program.objects[obj].ty, faults);
                if matches!(program.objects[obj].duration, Duration::Static | Duration::Thread) {
                    check_constant(program, obj, init, walked, faults);
                }
            }
        }
        Entity::Function(func) if decl.body => {
            let function = &program.funcs[func];
            let compound = function.body.is_some_and(|body| {
                matches!(program.stmts[body].kind, crate::program::StmtKind::Compound(_))
            });
            faults.require(compound, "D-body", || {
                format!("'{}' has no compound statement as body", program.name(function.name))
            });
            if let TypeKind::Function(signature) = program.types.kind(function.ty) {
                let signature = program.types.signature(signature);
                let matches = !signature.prototype || signature.params.len() == function.params.len();
                faults.require(matches, "D-body", || {
                    format!(
                        "'{}' has another number of parameters than its type",
                        program.name(function.name)
                    )
                });
            }
        }
        _ => {}
    }
}

/// Outside of functions `__func__` is empty (GNU C).
fn check_outside(program: &Program, item: Item, faults: &mut Faults) {
    let Item::Decl(decl) = item else { return };
    let Some(init) = program.decls[decl].init else { return };
    for e in Walk::of(program, Node::Init(init)).expressions() {
        if let ExprKind::FuncName(_) = program.exprs[e].kind {
            let empty = program.size_of(program.ty(e)) == Some(1);
            faults.require(empty, "E-function", || format!("{e:?} is the name of a function it is not in"));
        }
    }
}

fn check_init(program: &Program, init: InitId, ty: Type, faults: &mut Faults) {
    let types = &program.types;
    match program.inits[init] {
        Init::Expr(e) => {
            let have = program.ty(e);
            let want = types.strip(ty).bare();
            let string = matches!(types.kind(have), TypeKind::Array { .. });
            // A later declaration may say more of the type, so the object's own can differ (C17 6.2.7p4).
            let fits = have == want
                || crate::compat::compatible(types, have, want)
                || (string && matches!(types.kind(ty), TypeKind::Array { .. }));
            faults.require(fits, "D-init", || format!("{e:?} of {have:?} initialises {want:?}"));
        }
        Init::List(entries) | Init::Update(entries) => stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            for entry in program.init_entries(entries) {
                if entry.init >= init {
                    faults.add("D-order", || format!("{:?} is a part of {init:?}", entry.init));
                    continue;
                }
                let part = match types.kind(ty) {
                    TypeKind::Array { elem, .. }
                    | TypeKind::Vector { elem, .. }
                    | TypeKind::Complex(elem) => Some(elem),
                    TypeKind::Record(id) => usize::try_from(entry.index)
                        .ok()
                        .and_then(|index| types.records[id].fields.get(index))
                        .map(|field| field.ty),
                    _ => (entry.index == 0).then_some(ty),
                };
                match part {
                    Some(part) => check_init(program, entry.init, part, faults),
                    None => faults.add("D-init", || format!("{:?} has no part {}", ty, entry.index)),
                }
            }
        }),
    }
}

/// What is set before the program runs. A compound literal in it is set then too.
fn check_constant(program: &Program, own: ObjId, init: InitId, walked: &mut Walked, faults: &mut Faults) {
    let mut walk = Walk::of(program, Node::Init(init));
    while let Some(part) = walk.next() {
        match part.node {
            _ if part.role == Role::Unevaluated => walk.skip_parts(),
            Node::Init(init) => {
                let Init::Expr(e) = program.inits[init] else { continue };
                // An array of characters is set from a string, which has no value of its own.
                let string = matches!(program.exprs[e].kind, ExprKind::Str(_));
                let constant = string || fold::check_static_init(program, e).is_ok();
                faults.require(constant, "D-constant", || {
                    format!("{e:?} is not constant: {:?}", program.exprs[e].kind)
                });
            }
            Node::Expr(e) => {
                let reads_itself = match program.exprs[e].kind {
                    ExprKind::Convert(Conv::Load, of) => root(program, of) == Some(own),
                    _ => false,
                };
                faults.require(!reads_itself, "D-constant", || format!("{e:?} reads what it initialises"));
                walked.odd += usize::from(fold::converts_out_of_range(program, e));
                // gcc computes some functions of the library, clang only its own builtins.
                walked.odd += usize::from(calls_library(program, e));
            }
            _ => {}
        }
    }
}

/// Whether an expression is the call of a function that is none of the compiler's own.
fn calls_library(program: &Program, e: ExprId) -> bool {
    let ExprKind::Call(callee, _) = program.exprs[e].kind else { return false };
    let ExprKind::Convert(Conv::FunctionDecay, name) = program.exprs[callee].kind else { return true };
    match program.exprs[name].kind {
        ExprKind::Function(func) => !program.name(program.funcs[func].name).starts_with("__builtin_"),
        _ => true,
    }
}

/// The object that an lvalue is a part of, if it is named.
fn root(program: &Program, mut lvalue: ExprId) -> Option<ObjId> {
    loop {
        lvalue = match program.exprs[lvalue].kind {
            ExprKind::Object(object) => return Some(object),
            ExprKind::Member { base, .. } | ExprKind::Index { base, .. } => base,
            ExprKind::Convert(Conv::ArrayDecay, of) => of,
            _ => return None,
        };
    }
}

/// The place of an id in its arena, for messages.
fn number(id: impl Id) -> usize {
    id.index()
}
