//! What a piece of a program is made of, and what it needs from around it.

use crate::id::Id;
use crate::program::{
    Duration, Entity, ExprId, ExprKind, FuncId, InitId, Item, LabelId, Linkage, ObjId, Program, StmtId,
    StmtKind,
};
use crate::ty::{EnumId, RecordId, Type, VlaId};
use crate::visit::{self, Everything, Found, Mention, Node, Part, Role, Walk, mentions};
use rustc_hash::{FxHashMap, FxHashSet};

/// Some statements, or a function, with the nested functions inside.
#[derive(Default)]
pub(super) struct Region {
    /// In the order of the source, a statement before those inside it.
    pub(super) stmts: Vec<StmtId>,
    /// Operands before their users.
    pub(super) exprs: Vec<ExprId>,
    /// Parts before wholes.
    pub(super) inits: Vec<InitId>,
    /// Declared inside: variables without linkage, parameters, compound literals.
    pub(super) objects: Vec<ObjId>,
    /// Declared inside, and with linkage.
    pub(super) linked: Vec<ObjId>,
    /// Placed inside, or declared with `__label__`.
    pub(super) labels: Vec<LabelId>,
    /// Those declared with `__label__` inside.
    pub(super) local_labels: Vec<LabelId>,
    /// Functions that are defined inside.
    pub(super) funcs: Vec<FuncId>,
    /// Types that are defined inside.
    pub(super) records: Vec<RecordId>,
    pub(super) enums: Vec<EnumId>,
    /// Bounds of types that are written inside.
    pub(super) vlas: Vec<VlaId>,
    /// Objects that are named inside and declared elsewhere, in the order of the source.
    pub(super) free_objects: Vec<ObjId>,
    /// Labels that are named inside and placed elsewhere.
    pub(super) free_labels: Vec<LabelId>,
}

impl Region {
    pub(super) fn of(program: &Program, roots: &[Node]) -> Region {
        let mut region = Region::default();
        let mut work: Vec<Node> = roots.to_vec();
        work.reverse();
        let (mut objects, mut labels) = (Vec::new(), Vec::new());
        let mut bounds: FxHashSet<VlaId> = FxHashSet::default();
        let mut defined: Vec<Node> = Vec::new();
        while let Some(root) = work.pop() {
            for part in Walk::of(program, root) {
                if let Role::Bound(vla) = part.role
                    && bounds.insert(vla)
                {
                    region.vlas.push(vla);
                }
                match part.node {
                    Node::Stmt(s) => region.statement(program, s, &mut defined),
                    Node::Expr(e) => region.exprs.push(e),
                    Node::Init(i) => region.inits.push(i),
                    Node::Function(func) => region.funcs.push(func),
                }
                mentions(program, part.node, |mention| match mention {
                    Mention::Object(object) => objects.push(object),
                    Mention::Label(label) => labels.push(label),
                    Mention::Literal(object) => region.objects.push(object),
                    Mention::Declares(object) if is_own(program, object) => region.objects.push(object),
                    Mention::Declares(object) => region.linked.push(object),
                    Mention::Place(label) => region.labels.push(label),
                    _ => {}
                });
            }
            work.append(&mut defined);
        }
        region.drop_outside_bounds(program);
        sort(&mut region.exprs);
        sort(&mut region.inits);
        sort(&mut region.objects);
        sort(&mut region.labels);
        sort(&mut region.records);
        let own: FxHashSet<ObjId> = region.objects.iter().copied().collect();
        let mut seen = own.clone();
        region.free_objects = objects.into_iter().filter(|&object| seen.insert(object)).collect();
        let mut seen: FxHashSet<LabelId> = region.labels.iter().copied().collect();
        region.free_labels = labels.into_iter().filter(|&label| seen.insert(label)).collect();
        region
    }

    /// A bound is written by the first declaration that has it: `__typeof__(a)` and uses of a typedef only mean it.
    fn drop_outside_bounds(&mut self, program: &Program) {
        if self.vlas.is_empty() {
            return;
        }
        let stmts: FxHashSet<StmtId> = self.stmts.iter().copied().collect();
        let funcs: FxHashSet<FuncId> = self.funcs.iter().copied().collect();
        // Whether it is written inside.
        let mut first: FxHashMap<VlaId, bool> = FxHashMap::default();
        let mut note = |ty: Type, inside: bool| {
            visit::bounds(program, ty, |vla, _| {
                first.entry(vla).or_insert(inside);
            });
        };
        for found in Everything::of(program) {
            match found {
                Found::Item { item: Item::Decl(decl), .. } => note(program.decls[decl].ty, false),
                Found::Part(Part { node: Node::Function(func), .. }) => {
                    let params = &program.funcs[func].params;
                    params.iter().for_each(|&param| note(program.objects[param].ty, funcs.contains(&func)));
                }
                Found::Part(Part { node: Node::Stmt(s), .. }) => {
                    if let StmtKind::Item(Item::Decl(decl)) = program.stmts[s].kind {
                        note(program.decls[decl].ty, stmts.contains(&s));
                    }
                }
                _ => {}
            }
        }
        self.vlas.retain(|vla| first.get(vla).copied().unwrap_or(true));
    }

    fn statement(&mut self, program: &Program, s: StmtId, defined: &mut Vec<Node>) {
        self.stmts.push(s);
        match program.stmts[s].kind {
            StmtKind::LabelDecl(label) => {
                self.labels.push(label);
                self.local_labels.push(label);
            }
            StmtKind::Item(Item::Record(id) | Item::RecordTag(id)) => self.records.push(id),
            StmtKind::Item(Item::Enum(id)) => self.enums.push(id),
            StmtKind::Item(Item::Decl(decl)) => {
                let decl = &program.decls[decl];
                if let (Entity::Function(func), true) = (decl.entity, decl.body) {
                    defined.push(Node::Function(func));
                }
            }
            _ => {}
        }
    }

    /// The automatic objects, parameters and static locals that the region names and that are declared around it.
    pub(super) fn locals(&self, program: &Program) -> Vec<ObjId> {
        let local = |&&object: &&ObjId| program.objects[object].linkage == Linkage::None;
        self.free_objects.iter().filter(local).copied().collect()
    }

    /// Whether any expression is of a kind.
    pub(super) fn any(&self, program: &Program, is: impl Fn(ExprKind) -> bool) -> bool {
        self.exprs.iter().any(|&e| is(program.exprs[e].kind))
    }
}

/// Whether each declaration of an object is one of its own.
fn is_own(program: &Program, object: ObjId) -> bool {
    let object = &program.objects[object];
    object.linkage == Linkage::None || object.duration == Duration::Parameter
}

fn sort<I: Id + Ord>(ids: &mut Vec<I>) {
    ids.sort_unstable();
    ids.dedup();
}
