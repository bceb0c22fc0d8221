//! Copies of statements and functions: what they declare is declared anew, what they only name stays, or is renamed.

mod node;
mod types;

use super::map::Map;
use super::region::Region;
use super::{Change, Refused};
use crate::program::{ExprId, FuncId, InitId, Item, LabelId, ObjId, Program, StmtId, StmtKind};
use crate::scope::Named;
use crate::symbol::Symbol;
use crate::ty::{EnumId, EnumeratorId, RecordId, Type, VlaId};
use crate::visit::Node;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many expressions copies may make of a program, dead ones included: a list of copies of copies is short, and what
/// it makes need not be.
const LARGEST: usize = 1 << 24;

/// Which objects a copy names instead of others. Both have the same type, so nothing around a name changes.
pub type Renaming = FxHashMap<ObjId, ObjId>;

impl<'p> Change<'p> {
    /// A copy of statements, without a place yet. Objects, labels, array bounds and types that they declare are new;
    /// what is declared right there, and not in a block inside, has fresh names.
    pub fn copy(&mut self, stmts: &[StmtId], renaming: &Renaming) -> Result<Vec<StmtId>, Refused> {
        let roots: Vec<Node> = stmts.iter().map(|&s| Node::Stmt(s)).collect();
        let copier = self.copier(&roots, renaming, stmts.iter().copied().collect())?;
        Ok(stmts.iter().map(|s| copier.of_stmt(*s)).collect())
    }

    /// A copy of an expression, without a place yet.
    pub fn copy_expr(&mut self, e: ExprId, renaming: &Renaming) -> Result<ExprId, Refused> {
        let copier = self.copier(&[Node::Expr(e)], renaming, FxHashSet::default())?;
        Ok(copier.of_expr(e))
    }

    /// The objects that statements name and that are declared around them, in the order of the source.
    pub fn free_objects(&self, stmts: &[StmtId]) -> Vec<ObjId> {
        let roots: Vec<Node> = stmts.iter().map(|&s| Node::Stmt(s)).collect();
        Region::of(self.program(), &roots).free_objects
    }

    fn copier<'c>(
        &'c mut self,
        roots: &[Node],
        renaming: &Renaming,
        outer: FxHashSet<StmtId>,
    ) -> Result<Copier<'c, 'p>, Refused> {
        for (&from, &to) in renaming {
            let (from, to) = (&self.program().objects[from], &self.program().objects[to]);
            if from.ty != to.ty || from.register != to.register {
                return Err(Refused::Place("a copy names an object of another type"));
            }
        }
        let region = Region::of(self.program(), roots);
        if region.linked.iter().any(|object| renaming.contains_key(object)) {
            return Err(Refused::Place("a copy declares what another name would stand for"));
        }
        let mut copier = Copier::new(self);
        copier.renaming.clone_from(renaming);
        copier.outer = outer;
        copier.all(&region)?;
        Ok(copier)
    }
}

/// A copy under way: what stands for what.
pub(super) struct Copier<'c, 'p> {
    pub(super) change: &'c mut Change<'p>,
    pub(super) renaming: Renaming,
    /// Objects that are named through a pointer: the parameter that points to each.
    pub(super) pointed: FxHashMap<ObjId, ObjId>,
    /// Names of labels stay: the copy is a whole function.
    pub(super) whole: bool,
    /// Statements whose declarations get fresh names.
    outer: FxHashSet<StmtId>,
    stmts: FxHashMap<StmtId, StmtId>,
    exprs: FxHashMap<ExprId, ExprId>,
    inits: FxHashMap<InitId, InitId>,
    objects: FxHashMap<ObjId, ObjId>,
    labels: FxHashMap<LabelId, LabelId>,
    pub(super) funcs: FxHashMap<FuncId, FuncId>,
    records: FxHashMap<RecordId, RecordId>,
    enums: FxHashMap<EnumId, EnumId>,
    enumerators: FxHashMap<EnumeratorId, EnumeratorId>,
    vlas: FxHashMap<VlaId, VlaId>,
    /// Typedefs that are kept, by their names.
    typedefs: FxHashMap<Symbol, Symbol>,
    types: FxHashMap<Type, Type>,
    /// Names that mean something from outside in the copy.
    needed: FxHashSet<Symbol>,
}

impl<'c, 'p> Copier<'c, 'p> {
    pub(super) fn new(change: &'c mut Change<'p>) -> Copier<'c, 'p> {
        Copier {
            change,
            renaming: Renaming::default(),
            pointed: FxHashMap::default(),
            whole: false,
            outer: FxHashSet::default(),
            stmts: FxHashMap::default(),
            exprs: FxHashMap::default(),
            inits: FxHashMap::default(),
            objects: FxHashMap::default(),
            labels: FxHashMap::default(),
            funcs: FxHashMap::default(),
            records: FxHashMap::default(),
            enums: FxHashMap::default(),
            enumerators: FxHashMap::default(),
            vlas: FxHashMap::default(),
            typedefs: FxHashMap::default(),
            types: FxHashMap::default(),
            needed: FxHashSet::default(),
        }
    }

    /// Copies everything: first what has a name, so that it can be named, then what is made of other things in the
    /// order in which it was made.
    pub(super) fn all(&mut self, region: &Region) -> Result<(), Refused> {
        if self.program().exprs.len() + region.exprs.len() > LARGEST {
            return Err(Refused::Place("the program would be too large"));
        }
        self.needed = self.outside_names(region);
        self.entities(region);
        for &s in &region.stmts {
            let copy = self.change.stmt(StmtKind::Empty);
            self.stmts.insert(s, copy);
        }
        self.new_types(region);
        // The bounds of types are expressions, which may have types with bounds: those were made before.
        for &e in &region.exprs {
            self.copy_expr(e)?;
        }
        for &vla in &region.vlas {
            let bound = self.program().types.vlas[vla];
            let (copy, bound) = (self.vlas[&vla], self.of_expr(bound));
            self.change.program_mut().types.vlas[copy] = bound;
        }
        for &i in &region.inits {
            self.copy_init(i);
        }
        for &object in &region.objects {
            self.finish_object(object);
        }
        for &s in &region.stmts {
            self.finish_stmt(s);
        }
        for &func in &region.funcs {
            self.finish_function(func);
        }
        Ok(())
    }

    fn program(&self) -> &Program {
        self.change.program()
    }

    /// The names that the copy takes from around it.
    fn outside_names(&self, region: &Region) -> FxHashSet<Symbol> {
        let program = self.program();
        let own: FxHashSet<ObjId> = region.objects.iter().copied().collect();
        let named = region.exprs.iter().filter_map(|&e| Named::by(&program.exprs[e]));
        named
            .filter(|named| !matches!(named, Named::Object(object) if own.contains(object)))
            .filter_map(|named| match named {
                Named::Object(object) => {
                    let object = self.renaming.get(&object).copied().unwrap_or(object);
                    Named::Object(object).name(program)
                }
                other => other.name(program),
            })
            .collect()
    }

    /// Makes room for what is declared: ids first, contents when all of them are known.
    fn entities(&mut self, region: &Region) {
        let fresh: FxHashSet<ObjId> = region
            .stmts
            .iter()
            .filter(|s| self.outer.contains(s))
            .filter_map(|&s| match self.program().stmts[s].kind {
                StmtKind::Item(Item::Decl(decl)) => super::function::declared(self.program(), decl),
                _ => None,
            })
            .collect();
        for &object in &region.objects {
            let mut copy = self.program().objects[object].clone();
            copy.name = copy.name.map(|name| self.name(name, fresh.contains(&object)));
            let id = self.change.program_mut().objects.push(copy);
            if self.program().adjusted.contains(&object) {
                self.change.program_mut().adjusted.insert(id);
            }
            self.objects.insert(object, id);
        }
        for &label in &region.labels {
            let mut copy = self.program().labels[label].clone();
            copy.local &= region.local_labels.contains(&label);
            if !copy.local && !self.whole {
                copy.name = self.name(copy.name, true);
            }
            let id = self.change.program_mut().labels.push(copy);
            self.labels.insert(label, id);
        }
        for &func in &region.funcs {
            if !self.funcs.contains_key(&func) {
                let mut copy = self.program().funcs[func].clone();
                copy.name = self.name(copy.name, !self.whole);
                let id = self.change.program_mut().funcs.push(copy);
                self.funcs.insert(func, id);
            }
        }
    }

    /// The name of a copy: its own if it captures nothing.
    fn name(&mut self, name: Symbol, fresh: bool) -> Symbol {
        if !fresh && !self.needed.contains(&name) {
            return name;
        }
        let spelling = self.program().name(name).to_owned();
        self.change.fresh(&spelling)
    }
}
