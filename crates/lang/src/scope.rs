//! Scopes: which objects, functions, constants, types and labels can be named at a place of a program, in order of
//! declaration, and what hides what (C17 6.2.1).
//!
//! [`Scopes::of`] goes over a program once and writes down, for every statement and expression, how far the
//! declarations had come there. What is declared is a tree: a scope's declarations follow those around it, and when the
//! scope ends, the next declaration follows those before it again. So a place needs only the number of its last
//! declaration, and an answer costs what it lists.
//!
//! The scopes are those of the printed text. A typedef is a name only where the program keeps it, tags are unique in
//! their unit and so are never hidden, and a compound literal has no name. Scopes say nothing of types: an array may
//! get its length from a later declaration, whose type the object already has.
//!
//! ```
//! use howler_lang::program::{Program, StmtId};
//! use howler_lang::scope::{Named, Point, Scopes};
//!
//! /// How many objects can be named before a statement.
//! fn objects(program: &Program, scopes: &Scopes, stmt: StmtId) -> usize {
//!     let names = scopes.names(Point::Before(stmt));
//!     names.iter().filter(|name| !name.is_hidden() && matches!(name.named, Named::Object(_))).count()
//! }
//! ```

mod collect;
mod space;

use self::space::{NONE, Space};
use crate::id::Id;
use crate::program::{DeclId, Entity, Expr, ExprId, ExprKind, FuncId, Item, LabelId, ObjId, Program, StmtId};
use crate::symbol::Symbol;
use crate::ty::{EnumId, EnumeratorId, RecordId};
use rustc_hash::FxHashMap;

/// A place in a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Point {
    /// Before a statement, in the block that it stands in.
    Before(StmtId),
    /// At the end of a compound statement, before its brace.
    End(StmtId),
    /// Where an expression stands.
    At(ExprId),
    /// Before an item of a unit; the number after the last is the end of the unit.
    Item {
        /// Index into [`Program::units`].
        unit: u32,
        /// Index into [`Unit::items`](crate::program::Unit::items).
        index: u32,
    },
}

/// What an ordinary identifier stands for (C17 6.2.3p1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Named {
    /// An object or parameter.
    Object(ObjId),
    /// A function.
    Function(FuncId),
    /// An enumeration constant.
    Enumerator(EnumeratorId),
    /// A typedef that is kept, by its declaration.
    Typedef(DeclId),
}

impl Named {
    /// What an expression names, if it is the use of a name.
    pub fn by(expr: &Expr) -> Option<Named> {
        match expr.kind {
            ExprKind::Object(object) => Some(Named::Object(object)),
            ExprKind::Function(func) => Some(Named::Function(func)),
            ExprKind::EnumConst(constant) => Some(Named::Enumerator(constant)),
            _ => None,
        }
    }

    /// Its identifier; a compound literal has none.
    pub fn name(self, program: &Program) -> Option<Symbol> {
        match self {
            Named::Object(object) => program.objects[object].name,
            Named::Function(func) => Some(program.funcs[func].name),
            Named::Enumerator(constant) => Some(program.types.enumerators[constant].name),
            Named::Typedef(decl) => match program.decls[decl].entity {
                Entity::Typedef(name) => Some(name),
                _ => None,
            },
        }
    }
}

/// A name that is declared at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// The identifier.
    pub name: Symbol,
    /// What this declaration of it declares.
    pub named: Named,
    /// What the identifier of this declaration means instead, in the scope next to it that declares it again.
    /// A block may declare `extern` what is hidden around it: it then comes twice, hidden and not.
    pub hidden_by: Option<Named>,
}

impl Name {
    /// Whether the identifier means something else here.
    pub fn is_hidden(&self) -> bool {
        self.hidden_by.is_some()
    }
}

/// A struct, union or enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tagged {
    /// A struct or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
}

/// A type that can be written by its tag.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tag {
    /// The type.
    pub tagged: Tagged,
    /// Whether its members or constants are known at the place.
    pub complete: bool,
}

/// The scopes of a program, as it was when they were made.
pub struct Scopes {
    names: Space<(Symbol, Named)>,
    tags: Space<Tag>,
    /// Those declared with `__label__`.
    local_labels: Space<(Symbol, LabelId)>,
    /// The other labels of a function, in order.
    labels: FxHashMap<FuncId, Vec<(Symbol, LabelId)>>,
    /// By unit and name: functions that are used where nothing declares them.
    implied: FxHashMap<(u32, Symbol), FuncId>,
    /// What each name means from which state on.
    meanings: FxHashMap<Symbol, Vec<(u32, u32)>>,
    /// What is known of each type from which state on.
    known: FxHashMap<Tagged, Vec<(u32, u32)>>,
    /// Uses of functions that nothing declares before.
    undeclared: Vec<ExprId>,
    /// Names that their scope declares as something else already.
    twice: Vec<(Symbol, Named)>,
    /// Labels that their block has declared already.
    labels_twice: Vec<LabelId>,
    /// The states that the declarations went through. The first stands for places that are not in the program.
    states: Vec<State>,
    /// The states before statements, at the end of statements, at expressions and before items.
    before: Vec<u32>,
    ends: Vec<u32>,
    at: Vec<u32>,
    items: Vec<Vec<u32>>,
}

/// How far the declarations had come, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct State {
    names: u32,
    tags: u32,
    local_labels: u32,
    func: Option<FuncId>,
    unit: u32,
}

impl Scopes {
    /// Goes over a program once.
    pub fn of(program: &Program) -> Scopes {
        collect::collect(program)
    }

    /// Whether a place is in the program. The arenas also hold what the front end evaluated and dropped, of which
    /// nothing is known.
    pub fn contains(&self, point: Point) -> bool {
        self.state_number(point) != 0
    }

    /// The names that are declared at a place, in order of declaration, hidden ones included.
    pub fn names(&self, point: Point) -> Vec<Name> {
        let listed = self.names.list(self.state(point).names);
        let name = |((name, named), by): ((Symbol, Named), Option<(Symbol, Named)>)| Name {
            name,
            named,
            hidden_by: by.map(|by| by.1),
        };
        listed.into_iter().map(name).collect()
    }

    /// What an ordinary identifier means at a place. One that nothing declares there means the function that the unit
    /// declares by using it, if there is one: such a function can be called anywhere, though only the block of a use
    /// lists it.
    pub fn reaches(&self, point: Point, name: Symbol) -> Option<Named> {
        let number = self.state_number(point);
        if number == 0 {
            return None;
        }
        let declared = self.meanings.get(&name).and_then(|meanings| {
            let after = meanings.partition_point(|&(from, _)| from <= number);
            let (_, binding) = *meanings.get(after.checked_sub(1)?)?;
            self.names.get(binding)
        });
        let implied = || self.implied.get(&(self.states[number as usize].unit, name)).copied();
        declared.map(|(_, named)| named).or_else(|| implied().map(Named::Function))
    }

    /// The structs, unions and enumerations that can be written at a place, in order of declaration. One that was
    /// declared before it was defined comes where it was defined.
    pub fn types(&self, point: Point) -> Vec<Tag> {
        let listed = self.tags.list(self.state(point).tags);
        listed.into_iter().filter(|(_, completed)| completed.is_none()).map(|(tag, _)| tag).collect()
    }

    /// Whether a type can be written by its tag at a place, and if so whether its members or constants are known there.
    pub fn tag(&self, point: Point, tagged: Tagged) -> Option<bool> {
        let number = self.state_number(point);
        let known = self.known.get(&tagged)?;
        let after = known.partition_point(|&(from, _)| from <= number);
        let (_, binding) = *known.get(after.checked_sub(1)?)?;
        self.tags.get(binding).map(|tag| tag.complete)
    }

    /// The uses of functions that no declaration comes before, each of which declares its function (C90 3.3.2.2).
    pub fn undeclared(&self) -> &[ExprId] {
        &self.undeclared
    }

    /// What is declared under a name that its scope has declared as something else before (C17 6.7p3).
    pub fn declared_twice(&self) -> &[(Symbol, Named)] {
        &self.twice
    }

    /// What `__label__` declares under a name that its block has declared before.
    pub fn labels_twice(&self) -> &[LabelId] {
        &self.labels_twice
    }

    /// The labels that a jump at a place can name: those declared with `__label__` around it, also around the nested
    /// function it is in, and those of its own function (C17 6.2.1p3).
    pub fn labels(&self, point: Point) -> Vec<LabelId> {
        let state = self.state(point);
        let listed = self.local_labels.list(state.local_labels);
        let mut local: Vec<(Symbol, LabelId)> =
            listed.into_iter().filter(|(_, by)| by.is_none()).map(|(label, _)| label).collect();
        let hiding = local.len();
        let own = state.func.and_then(|func| self.labels.get(&func));
        for &(name, label) in own.into_iter().flatten() {
            if local[..hiding].iter().all(|&(other, _)| other != name) {
                local.push((name, label));
            }
        }
        local.into_iter().map(|(_, label)| label).collect()
    }

    /// The unit that a place is in.
    pub fn unit(&self, point: Point) -> u32 {
        self.state(point).unit
    }

    /// The innermost function that a place is in; its parameters are.
    pub fn function(&self, point: Point) -> Option<FuncId> {
        self.state(point).func
    }

    fn state(&self, point: Point) -> State {
        self.states[self.state_number(point) as usize]
    }

    fn state_number(&self, point: Point) -> u32 {
        let number = match point {
            Point::Before(stmt) => self.before.get(stmt.index()),
            Point::End(stmt) => self.ends.get(stmt.index()),
            Point::At(expr) => self.at.get(expr.index()),
            Point::Item { unit, index } => {
                self.items.get(unit as usize).and_then(|items| items.get(index as usize))
            }
        };
        number.copied().unwrap_or(0)
    }
}

/// What an ordinary identifier means at the end of a unit: for who knows only its name.
pub fn at_file_scope(program: &Program, unit: u32, name: &str) -> Option<Named> {
    let name = program.symbols.get(name)?;
    let declared = |item: &Item| match *item {
        Item::Decl(decl) => Some(match program.decls[decl].entity {
            Entity::Object(object) => Named::Object(object),
            Entity::Function(func) => Named::Function(func),
            Entity::Typedef(_) | Entity::Bounds => Named::Typedef(decl),
        })
        .filter(|named| named.name(program) == Some(name)),
        Item::Enum(id) => {
            let constants = &program.types.enums[id].constants;
            let is = |&&constant: &&EnumeratorId| program.types.enumerators[constant].name == name;
            constants.iter().find(is).map(|&constant| Named::Enumerator(constant))
        }
        Item::RecordTag(_) | Item::Record(_) | Item::Asm(_) | Item::Include(_) | Item::IncludeEnd => None,
    };
    program.units.get(unit as usize)?.items.iter().find_map(declared)
}

/// The struct, union or enumeration that a unit declares at file scope under a tag.
pub fn tag_at_file_scope(program: &Program, unit: u32, tag: &str) -> Option<Tagged> {
    let tag = program.symbols.get(tag)?;
    let declared = |item: &Item| match *item {
        Item::RecordTag(id) | Item::Record(id) => {
            (program.types.records[id].tag == Some(tag)).then_some(Tagged::Record(id))
        }
        Item::Enum(id) => (program.types.enums[id].tag == tag).then_some(Tagged::Enum(id)),
        Item::Decl(_) | Item::Asm(_) | Item::Include(_) | Item::IncludeEnd => None,
    };
    program.units.get(unit as usize)?.items.iter().find_map(declared)
}

impl State {
    /// Nothing is declared.
    const EMPTY: State = State { names: NONE, tags: NONE, local_labels: NONE, func: None, unit: 0 };
}
