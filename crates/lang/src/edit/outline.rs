//! Statements become a function of their own, and a call takes their place.

use super::copy::Copier;
use super::map::Map;
use super::region::Region;
use super::{Change, Refused};
use crate::build;
use crate::compose::signature;
use crate::program::{
    Decl, Duration, Entity, ExprId, ExprKind, FuncId, Function, Item, Linkage, ObjId, Object, StmtId,
    StmtKind, Storage, UnaryOp,
};
use crate::source::Pos;
use crate::ty::{Quals, Type};
use crate::visit::Node;
use rustc_hash::FxHashSet;

/// Functions whose effect ends with the function that calls them.
const BOUND_TO_CALLER: &[&str] = &[
    "alloca",
    "__builtin_alloca",
    "__builtin_alloca_with_align",
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "__builtin_setjmp",
    "__builtin_return_address",
    "__builtin_frame_address",
    "__builtin_va_start",
];

impl Change<'_> {
    /// Makes the statements from `first` to `last`, which stand in one block, the body of a new static function, and
    /// puts a call there instead. What they use of the function around them is passed by address.
    pub fn outline(&mut self, first: StmtId, last: StmtId) -> Result<FuncId, Refused> {
        let places = (self.place(first), self.place(last));
        let (Some((block, from)), Some((other, to))) = places else {
            return Err(Refused::Place("not a statement of a block"));
        };
        let StmtKind::Compound(list) = self.program().stmts[block].kind else {
            return Err(Refused::Place("not a statement of a block"));
        };
        if block != other || from > to {
            return Err(Refused::Place("not a range of one block"));
        }
        let all: Vec<StmtId> = self.program().block(list).to_vec();
        let stmts = &all[from..=to];
        let Some(func) = self.holders().function(first) else {
            return Err(Refused::Place("not in a function"));
        };
        let roots: Vec<Node> = stmts.iter().map(|&s| Node::Stmt(s)).collect();
        let region = Region::of(self.program(), &roots);
        let is_value = to + 1 == all.len() && self.is_value_block(block);
        self.can_move(&region, func, is_value)?;
        let locals = region.locals(self.program());
        let outlined = self.empty_function(func);
        let params = self.pointers_to(&locals, func);
        let mut copier = Copier::new(self);
        copier.whole = true;
        copier.pointed = locals.iter().copied().zip(params.iter().copied()).collect();
        copier.all(&region)?;
        let body: Vec<StmtId> = stmts.iter().map(|&s| copier.of_stmt(s)).collect();
        self.finish_outlined(func, outlined, params, &body);
        let call = self.call_with_addresses(outlined, &locals)?;
        let mut rest = all.clone();
        rest.splice(from..=to, [call]);
        let list = self.program_mut().add_block(&rest);
        self.set_stmt(block, StmtKind::Compound(list));
        self.renew_around(block)?;
        Ok(outlined)
    }

    /// Whether the last statement of a block is the value of a statement expression.
    fn is_value_block(&mut self, block: StmtId) -> bool {
        matches!(self.holders().stmt(block), Some(super::Holder::Expr(_)))
    }

    /// What cannot be in another function without meaning something else there. What nobody could name there is found
    /// by the rules.
    fn can_move(&self, region: &Region, func: FuncId, is_value: bool) -> Result<(), Refused> {
        let program = self.program();
        let function = &program.funcs[func];
        let leaves = region.stmts.iter().any(|&s| {
            matches!(
                program.stmts[s].kind,
                StmtKind::Return(_) | StmtKind::LabelDecl(_) | StmtKind::GotoComputed(_) | StmtKind::Asm(_)
            )
        });
        if leaves || !region.free_labels.is_empty() || !region.labels.is_empty() || is_value {
            return Err(Refused::Place("control leaves or enters in other ways than from top to bottom"));
        }
        if function.parent.is_some() || !region.funcs.is_empty() {
            return Err(Refused::Place("a nested function"));
        }
        let fixed = |kind: ExprKind| {
            matches!(
                kind,
                ExprKind::FuncName(_)
                    | ExprKind::VaArg(_)
                    | ExprKind::AlignofExpr { .. }
                    | ExprKind::Builtin(..)
            )
        };
        if region.any(program, fixed) {
            return Err(Refused::Place("an expression that means something in its own function only"));
        }
        let calls = |kind: ExprKind| match kind {
            ExprKind::Function(func) => BOUND_TO_CALLER.contains(&program.name(program.funcs[func].name)),
            _ => false,
        };
        if region.any(program, calls) {
            return Err(Refused::Place("a call that is about the function it stands in"));
        }
        let own: FxHashSet<ObjId> = region.objects.iter().copied().collect();
        let named_later = Region::of(program, &[Node::Function(func)]).exprs.iter().any(|e| {
            let used = matches!(program.exprs[*e].kind, ExprKind::Object(object) if own.contains(&object));
            used && region.exprs.binary_search(e).is_err()
        });
        if named_later || !region.records.is_empty() || !region.enums.is_empty() {
            return Err(Refused::Place("what is declared there is used later"));
        }
        let bound = |&object: &ObjId| {
            let object = &program.objects[object];
            object.register
                || program.types.is_variably_modified(object.ty)
                || program.types.quals(object.ty).contains(Quals::RESTRICT)
        };
        let statics = |&object: &ObjId| program.objects[object].duration == Duration::Static;
        if region.locals(program).iter().any(bound) || region.objects.iter().any(statics) {
            return Err(Refused::Place("an object that cannot be passed by address"));
        }
        let variable = |&e: &ExprId| program.types.is_variably_modified(program.ty(e));
        if !region.vlas.is_empty() || region.exprs.iter().any(variable) {
            return Err(Refused::Place("a type with a bound of its function"));
        }
        Ok(())
    }

    fn empty_function(&mut self, beside: FuncId) -> FuncId {
        let spelling = self.program().name(self.program().funcs[beside].name).to_owned();
        let unit = self.program().funcs[beside].unit;
        let name = self.fresh(&format!("{spelling}_part"));
        let program = self.program_mut();
        let ty = program.types.function(signature(Type::VOID, &[]));
        program.funcs.push(Function::plain(name, ty, Linkage::Internal, unit))
    }

    /// Parameters that point to objects.
    fn pointers_to(&mut self, objects: &[ObjId], func: FuncId) -> Vec<ObjId> {
        let unit = self.program().funcs[func].unit;
        let mut params = Vec::new();
        for &object in objects {
            let (ty, name) = (self.program().objects[object].ty, self.program().objects[object].name);
            let spelling = name.map_or("p", |name| self.program().name(name)).to_owned();
            let name = Some(self.fresh(&format!("{spelling}_p")));
            let program = self.program_mut();
            let ty = program.types.pointer(ty);
            params.push(program.objects.push(Object {
                name,
                duration: Duration::Parameter,
                unit,
                ..Object::unnamed(ty)
            }));
        }
        params
    }

    /// Gives the new function its type and body, and defines it before the function it comes from.
    fn finish_outlined(&mut self, func: FuncId, outlined: FuncId, params: Vec<ObjId>, body: &[StmtId]) {
        let body = self.block(body);
        let types: Vec<Type> = params.iter().map(|&param| self.program().objects[param].ty).collect();
        let program = self.program_mut();
        let ty = program.types.function(signature(Type::VOID, &types));
        let function = &mut program.funcs[outlined];
        (function.ty, function.params, function.body) = (ty, params, Some(body));
        let decl = Decl { body: true, ..Decl::plain(Entity::Function(outlined), ty, Storage::Static) };
        let decl = program.decls.push(decl);
        let unit = program.funcs[func].unit as usize;
        let mut items = program.units[unit].items.clone();
        let defines = |item: &Item| match *item {
            Item::Decl(decl) => {
                let decl = &program.decls[decl];
                decl.body && decl.entity == Entity::Function(func)
            }
            _ => false,
        };
        let at = items.iter().position(defines).unwrap_or(items.len());
        items.insert(at, Item::Decl(decl));
        self.set_items(unit, items);
    }

    fn call_with_addresses(&mut self, func: FuncId, objects: &[ObjId]) -> Result<StmtId, Refused> {
        let cx = &mut self.cx();
        let mut args = Vec::new();
        for &object in objects {
            let object = build::object(cx, object, Pos::NONE);
            args.push(build::unary(cx, UnaryOp::AddrOf, object, Pos::NONE)?);
        }
        let callee = build::function(cx, func, Pos::NONE);
        let call = build::call(cx, callee, &args, Pos::NONE)?;
        Ok(self.stmt(StmtKind::Expr(call)))
    }
}
