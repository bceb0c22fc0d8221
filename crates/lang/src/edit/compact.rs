//! A program without what nothing reaches.

use super::map::{self, Map as _};
use crate::id::{Arena, Id};
use crate::program::{
    DeclId, Entity, Expr, ExprId, ExprKind, FuncId, InitId, IntForm, Item, LabelId, ObjId, Program, Stmt,
    StmtId, StmtKind, StrId,
};
use crate::source::Pos;
use crate::ty::Type;
use crate::visit::{self, Mention, Node};

/// The new ids of what is still there.
pub struct Map<I>(Vec<Option<I>>);

impl<I: Id> Map<I> {
    fn new(len: usize) -> Map<I> {
        Map(vec![None; len])
    }

    /// What `id` is now; nothing if it is gone.
    pub fn get(&self, id: I) -> Option<I> {
        self.0.get(id.index()).copied().flatten()
    }

    /// Notes that `id` stays; the order of these calls is the order of the new ids.
    fn keep(&mut self, id: I, order: &mut Vec<I>) {
        if self.0[id.index()].is_none() {
            self.0[id.index()] = Some(I::from_index(order.len()));
            order.push(id);
        }
    }

    /// Gives new ids in the order of the old ones.
    fn number(&mut self, mut kept: Vec<I>) -> Vec<I> {
        kept.sort_unstable_by_key(|id| id.index());
        kept.dedup_by_key(|id| id.index());
        for (index, id) in kept.iter().enumerate() {
            self.0[id.index()] = Some(I::from_index(index));
        }
        kept
    }
}

/// What [`compact`] did: the new ids of everything that others may remember.
pub struct Compact {
    /// Expressions.
    pub exprs: Map<ExprId>,
    /// Statements.
    pub stmts: Map<StmtId>,
    /// Objects.
    pub objects: Map<ObjId>,
    /// Functions.
    pub funcs: Map<FuncId>,
    /// Labels.
    pub labels: Map<LabelId>,
    /// Initialisers.
    pub inits: Map<InitId>,
    /// Declarations.
    pub decls: Map<DeclId>,
}

/// Drops what nothing reaches. Statements are numbered in the order of the source, as the front end does; everything
/// else keeps its order. Types stay: they are made once each and mean nothing by themselves. A bound that is left of a
/// type which nobody writes any more becomes 1.
pub fn compact(program: &mut Program) -> Compact {
    let mut compact = Compact {
        exprs: Map::new(program.exprs.len()),
        stmts: Map::new(program.stmts.len()),
        objects: Map::new(program.objects.len()),
        funcs: Map::new(program.funcs.len()),
        labels: Map::new(program.labels.len()),
        inits: Map::new(program.inits.len()),
        decls: Map::new(program.decls.len()),
    };
    let kept = Kept::of(program, &mut compact);
    kept.rebuild(program, &compact);
    compact
}

/// What stays, in the order it will have.
struct Kept {
    exprs: Vec<ExprId>,
    stmts: Vec<StmtId>,
    objects: Vec<ObjId>,
    funcs: Vec<FuncId>,
    labels: Vec<LabelId>,
    inits: Vec<InitId>,
    decls: Vec<DeclId>,
}

impl Kept {
    fn of(program: &Program, maps: &mut Compact) -> Kept {
        let (mut stmts, mut exprs, mut inits) = (Vec::new(), Vec::new(), Vec::new());
        let (mut objects, mut funcs, mut labels) = (Vec::new(), Vec::new(), Vec::new());
        let mut decls = Vec::new();
        let mut declares = |decl: DeclId, objects: &mut Vec<ObjId>, funcs: &mut Vec<FuncId>| {
            decls.push(decl);
            match program.decls[decl].entity {
                Entity::Object(object) => objects.push(object),
                Entity::Function(func) => funcs.push(func),
                Entity::Typedef(_) | Entity::Bounds => {}
            }
        };
        for item in program.units.iter().flat_map(|unit| &unit.items) {
            if let Item::Decl(decl) = *item {
                declares(decl, &mut objects, &mut funcs);
            }
        }
        visit::each(program, |part| {
            match part.node {
                Node::Stmt(s) => {
                    maps.stmts.keep(s, &mut stmts);
                    if let StmtKind::Item(Item::Decl(decl)) = program.stmts[s].kind {
                        declares(decl, &mut objects, &mut funcs);
                    }
                }
                Node::Expr(e) => exprs.push(e),
                Node::Init(i) => inits.push(i),
                Node::Function(func) => {
                    funcs.push(func);
                    funcs.extend(program.funcs[func].parent);
                }
            }
            visit::mentions(program, part.node, |mention| match mention {
                Mention::Object(object) | Mention::Literal(object) | Mention::Declares(object) => {
                    objects.push(object);
                }
                Mention::Function(func) | Mention::DeclaresFunction(func) => funcs.push(func),
                Mention::Place(label) | Mention::Label(label) | Mention::DeclaresLabel(label) => {
                    labels.push(label);
                }
                // Types stay.
                Mention::Enumerator(_)
                | Mention::Type(_)
                | Mention::DeclaresRecord(_)
                | Mention::DeclaresEnum(_)
                | Mention::DeclaresEnumerator(_)
                | Mention::DeclaresTypedef(_) => {}
            });
        });
        // What another unit's declaration is linked to is declared there.
        let linked: Vec<ObjId> =
            objects.iter().filter_map(|&object| program.objects[object].linked).collect();
        objects.extend(linked);
        let linked: Vec<FuncId> = funcs.iter().filter_map(|&func| program.funcs[func].linked).collect();
        funcs.extend(linked);
        // Parameters of declarations without a body, and initialisers of dropped definitions, are not walked.
        let params: Vec<ObjId> = funcs.iter().flat_map(|&func| program.funcs[func].params.clone()).collect();
        objects.extend(params);
        Kept {
            exprs: maps.exprs.number(exprs),
            stmts,
            objects: maps.objects.number(objects),
            funcs: maps.funcs.number(funcs),
            labels: maps.labels.number(labels),
            inits: maps.inits.number(inits),
            decls: maps.decls.number(decls),
        }
    }

    fn rebuild(self, program: &mut Program, maps: &Compact) {
        let old = std::mem::replace(program, Program::new(program.target));
        program.sources = old.sources.clone();
        program.symbols = old.symbols.clone();
        program.types = old.types.clone();
        program.faults.clone_from(&old.faults);
        let library = old.library.iter().filter_map(|(&func, &ty)| Some((maps.funcs.get(func)?, ty)));
        program.library = library.collect::<rustc_hash::FxHashMap<FuncId, Type>>();
        program.adjusted = old.adjusted.iter().filter_map(|&object| maps.objects.get(object)).collect();
        let mut writer = Writer { old: &old, new: program, maps };
        self.exprs.iter().for_each(|&e| writer.write_expr(e));
        self.inits.iter().for_each(|&i| writer.write_init(i));
        self.stmts.iter().for_each(|&s| writer.write_stmt(s));
        self.objects.iter().for_each(|&object| writer.write_object(object));
        self.funcs.iter().for_each(|&func| writer.write_function(func));
        self.decls.iter().for_each(|&decl| writer.write_decl(decl));
        writer.new.labels = keep(&old.labels, &self.labels);
        for unit in &old.units {
            let items = unit.items.iter().map(|&item| writer.item(item)).collect();
            writer.new.units.push(crate::program::Unit { name: unit.name.clone(), items });
        }
        writer.bounds();
    }
}

fn keep<I: Id, T: Clone>(old: &Arena<I, T>, kept: &[I]) -> Arena<I, T> {
    let mut arena = Arena::new();
    arena.reserve(kept.len());
    for &id in kept {
        arena.push(old[id].clone());
    }
    arena
}

struct Writer<'a> {
    old: &'a Program,
    new: &'a mut Program,
    maps: &'a Compact,
}

/// What stays only names what stays: the walk goes wherever a node leads.
const STAYS: &str = "what is reached stays";

impl map::Map for Writer<'_> {
    fn old(&self) -> &Program {
        self.old
    }

    fn new_program(&mut self) -> &mut Program {
        self.new
    }

    fn of_expr(&self, e: ExprId) -> ExprId {
        self.maps.exprs.get(e).expect(STAYS)
    }

    fn of_stmt(&self, s: StmtId) -> StmtId {
        self.maps.stmts.get(s).expect(STAYS)
    }

    fn of_init(&self, i: InitId) -> InitId {
        self.maps.inits.get(i).expect(STAYS)
    }

    fn of_object(&self, object: ObjId) -> ObjId {
        self.maps.objects.get(object).expect(STAYS)
    }

    fn of_func(&self, func: FuncId) -> FuncId {
        self.maps.funcs.get(func).expect(STAYS)
    }

    fn of_label(&self, label: LabelId) -> LabelId {
        self.maps.labels.get(label).expect(STAYS)
    }

    fn of_string(&mut self, string: StrId) -> StrId {
        self.new.strings.push(self.old.strings[string].clone())
    }

    fn of_decl(&mut self, decl: DeclId) -> DeclId {
        self.maps.decls.get(decl).expect(STAYS)
    }
}

impl Writer<'_> {
    fn write_expr(&mut self, e: ExprId) {
        let Expr { kind, ty, pos } = self.old.exprs[e];
        let kind = self.expr_kind(kind);
        self.new.exprs.push(Expr { kind, ty, pos });
    }

    fn write_init(&mut self, i: InitId) {
        let init = self.init(self.old.inits[i]);
        self.new.inits.push(init);
    }

    fn write_stmt(&mut self, s: StmtId) {
        let Stmt { kind, pos } = self.old.stmts[s];
        let kind = self.stmt_kind(kind);
        self.new.stmts.push(Stmt { kind, pos });
    }

    fn write_decl(&mut self, decl: DeclId) {
        let decl = self.decl(decl);
        self.new.decls.push(decl);
    }

    fn write_object(&mut self, object: ObjId) {
        let mut object = self.old.objects[object].clone();
        object.init = object.init.and_then(|init| self.maps.inits.get(init));
        object.linked = object.linked.map(|linked| self.of_object(linked));
        // The bound of a parameter that only a declaration has is not part of the program.
        object.param_bound = object.param_bound.and_then(|mut bound| {
            bound.len = self.maps.exprs.get(bound.len)?;
            Some(bound)
        });
        self.new.objects.push(object);
    }

    fn write_function(&mut self, func: FuncId) {
        let mut function = self.old.funcs[func].clone();
        for param in &mut function.params {
            *param = self.of_object(*param);
        }
        function.body = function.body.and_then(|body| self.maps.stmts.get(body));
        function.parent = function.parent.map(|parent| self.of_func(parent));
        function.linked = function.linked.map(|linked| self.of_func(linked));
        self.new.funcs.push(function);
    }

    fn bounds(&mut self) {
        let mut one = None;
        let ids: Vec<_> = self.new.types.vlas.ids().collect();
        for id in ids {
            let new = match self.maps.exprs.get(self.old.types.vlas[id]) {
                Some(bound) => bound,
                None => *one.get_or_insert_with(|| {
                    let kind = ExprKind::Int { value: 1, form: IntForm::Decimal };
                    self.new.exprs.push(Expr { kind, ty: Type::INT, pos: Pos::NONE })
                }),
            };
            self.new.types.vlas[id] = new;
        }
    }
}
