//! Who uses what: for everything that has a name, the places that name it.

use super::everything::{Everything, Found, Site};
use super::mention::{Mention, TypeName, item_mentions, mentions, type_names};
use super::{Node, defined_by};
use crate::id::Id;
use crate::program::{DeclId, Entity, FuncId, Item, LabelId, ObjId, Program, StmtKind};
use crate::ty::{EnumId, EnumeratorId, RecordId, Type};
use rustc_hash::FxHashMap;

/// A place that names something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The place. The parameters of a function are declared by its definition.
    pub site: Site,
    /// What it does with the name.
    pub how: How,
}

/// What a place does with a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum How {
    /// It declares it, or is the place of a label.
    Declares,
    /// It uses it: an expression, a jump, a type that is written there, the argument of an attribute.
    Names,
}

/// The users of everything that a program declares, as it was when this was made, in the order of its text. Only what is
/// part of the program counts: the arenas also hold nodes that nothing reaches.
///
/// ```
/// use howler_lang::program::{ObjId, Program};
/// use howler_lang::visit::{How, Uses};
///
/// /// The objects that are declared and never named again.
/// fn unused(program: &Program) -> Vec<ObjId> {
///     let uses = Uses::of(program);
///     let named = |object: &ObjId| uses.of_object(*object).iter().any(|at| at.how == How::Names);
///     program.objects.ids().filter(|object| !named(object)).collect()
/// }
/// ```
pub struct Uses {
    /// All uses, those of one entity together.
    all: Vec<Use>,
    /// Where the uses of each entity start in `all`, and where the last ones end.
    starts: Vec<u32>,
    spaces: Spaces,
}

/// Entities of every kind get numbers that follow each other.
#[derive(Clone, Copy)]
struct Spaces {
    funcs: usize,
    labels: usize,
    records: usize,
    enums: usize,
    enumerators: usize,
    decls: usize,
    end: usize,
}

impl Spaces {
    fn of(program: &Program) -> Spaces {
        let funcs = program.objects.len();
        let labels = funcs + program.funcs.len();
        let records = labels + program.labels.len();
        let enums = records + program.types.records.len();
        let enumerators = enums + program.types.enums.len();
        let decls = enumerators + program.types.enumerators.len();
        Spaces { funcs, labels, records, enums, enumerators, decls, end: decls + program.decls.len() }
    }
}

impl Uses {
    /// Goes over a program once.
    pub fn of(program: &Program) -> Uses {
        let spaces = Spaces::of(program);
        let mut collector = Collector {
            program,
            spaces,
            found: Vec::new(),
            last: vec![u32::MAX; spaces.end],
            typedefs: typedefs(program),
        };
        collector.collect();
        let found = collector.found;
        let mut starts = vec![0u32; spaces.end + 1];
        for &(entity, _) in &found {
            starts[entity as usize + 1] += 1;
        }
        for entity in 0..spaces.end {
            starts[entity + 1] += starts[entity];
        }
        // Each entity's uses are put where its own start, which moves on; the last step moves all back by one.
        let filler = Use { site: Site::Item(Item::IncludeEnd), how: How::Names };
        let mut all = vec![filler; found.len()];
        for (entity, at) in found {
            let place = &mut starts[entity as usize];
            all[*place as usize] = at;
            *place += 1;
        }
        starts.copy_within(..spaces.end, 1);
        starts[0] = 0;
        Uses { all, starts, spaces }
    }

    fn get(&self, entity: usize, end: usize) -> &[Use] {
        // What was made after this table has no uses in it, rather than those of another.
        if entity >= end {
            return &[];
        }
        &self.all[self.starts[entity] as usize..self.starts[entity + 1] as usize]
    }

    /// The uses of an object. That of a compound literal is its own expression.
    pub fn of_object(&self, object: ObjId) -> &[Use] {
        self.get(object.index(), self.spaces.funcs)
    }

    /// The uses of a function.
    pub fn of_function(&self, func: FuncId) -> &[Use] {
        self.get(self.spaces.funcs + func.index(), self.spaces.labels)
    }

    /// The uses of a label.
    pub fn of_label(&self, label: LabelId) -> &[Use] {
        self.get(self.spaces.labels + label.index(), self.spaces.records)
    }

    /// Where a struct or union is declared, and where types are written by its tag.
    pub fn of_record(&self, record: RecordId) -> &[Use] {
        self.get(self.spaces.records + record.index(), self.spaces.enums)
    }

    /// Where an enumeration is declared, and where types are written by its tag.
    pub fn of_enum(&self, id: EnumId) -> &[Use] {
        self.get(self.spaces.enums + id.index(), self.spaces.enumerators)
    }

    /// The uses of an enumeration constant.
    pub fn of_enumerator(&self, constant: EnumeratorId) -> &[Use] {
        self.get(self.spaces.enumerators + constant.index(), self.spaces.decls)
    }

    /// The uses of a kept typedef, by its declaration.
    pub fn of_typedef(&self, decl: DeclId) -> &[Use] {
        self.get(self.spaces.decls + decl.index(), self.spaces.end)
    }
}

/// The declarations of kept typedefs, by the variants they name.
fn typedefs(program: &Program) -> FxHashMap<Type, DeclId> {
    let named = program.decls.iter().filter(|(_, decl)| matches!(decl.entity, Entity::Typedef(_)));
    named.map(|(id, decl)| (decl.ty.bare(), id)).collect()
}

struct Collector<'p> {
    program: &'p Program,
    spaces: Spaces,
    /// Entities by number with their uses, in the order of the text.
    found: Vec<(u32, Use)>,
    /// Of each entity, where its last use is in `found`: a place that names it twice comes once.
    last: Vec<u32>,
    typedefs: FxHashMap<Type, DeclId>,
}

impl Collector<'_> {
    fn collect(&mut self) {
        let program = self.program;
        // Definitions whose parameters are still to come, the innermost last.
        let mut definitions: Vec<Site> = Vec::new();
        for found in Everything::of(program) {
            let (site, decl) = match found {
                Found::Item { item, .. } => {
                    let site = Site::Item(item);
                    item_mentions(program, item, |mention| self.mention(site, mention));
                    (site, item)
                }
                Found::Part(part) => {
                    let site = match part.node {
                        Node::Expr(e) => Site::Expr(e),
                        Node::Stmt(s) => Site::Stmt(s),
                        Node::Init(_) => continue,
                        Node::Function(_) => match definitions.pop() {
                            Some(site) => site,
                            None => continue,
                        },
                    };
                    mentions(program, part.node, |mention| self.mention(site, mention));
                    match part.node {
                        Node::Stmt(s) => match program.stmts[s].kind {
                            StmtKind::Item(item) => (site, item),
                            _ => continue,
                        },
                        _ => continue,
                    }
                }
            };
            if let Item::Decl(decl) = decl
                && defined_by(program, decl).is_some()
            {
                definitions.push(site);
            }
        }
    }

    fn mention(&mut self, site: Site, mention: Mention) {
        let spaces = self.spaces;
        let (entity, how) = match mention {
            Mention::Object(object) | Mention::Literal(object) => (object.index(), How::Names),
            Mention::Declares(object) => (object.index(), How::Declares),
            Mention::Function(func) => (spaces.funcs + func.index(), How::Names),
            Mention::DeclaresFunction(func) => (spaces.funcs + func.index(), How::Declares),
            Mention::Label(label) => (spaces.labels + label.index(), How::Names),
            Mention::Place(label) | Mention::DeclaresLabel(label) => {
                (spaces.labels + label.index(), How::Declares)
            }
            Mention::DeclaresRecord(id) => (spaces.records + id.index(), How::Declares),
            Mention::DeclaresEnum(id) => (spaces.enums + id.index(), How::Declares),
            Mention::Enumerator(id) => (spaces.enumerators + id.index(), How::Names),
            Mention::DeclaresEnumerator(id) => (spaces.enumerators + id.index(), How::Declares),
            Mention::DeclaresTypedef(decl) => (spaces.decls + decl.index(), How::Declares),
            Mention::Type(ty) => {
                let program = self.program;
                return type_names(program, ty, |name| {
                    let entity = match name {
                        TypeName::Record(id) => spaces.records + id.index(),
                        TypeName::Enum(id) => spaces.enums + id.index(),
                        TypeName::Typedef(ty) => match self.typedefs.get(&ty) {
                            Some(decl) => spaces.decls + decl.index(),
                            None => return,
                        },
                    };
                    self.add(entity, Use { site, how: How::Names });
                });
            }
        };
        self.add(entity, Use { site, how });
    }

    fn add(&mut self, entity: usize, at: Use) {
        let last = self.found.get(self.last[entity] as usize);
        if last.is_none_or(|&(_, before)| before != at) {
            self.last[entity] = self.found.len() as u32;
            self.found.push((entity as u32, at));
        }
    }
}
