//! One function, from its parameters to its end; and the one that sets static objects.

use super::{AccessUse, Function, Lower, Lowerer, Refusal, has_qualified_part};
use crate::facts;
use crate::op::{FuncCode, NONE, Op, ParamInfo};
use crate::value::AllocKind;
use howler_lang::program::{Duration, FuncId, InitId, ObjId, StmtId, StmtKind};
use howler_lang::source::Pos;
use howler_lang::ty::{Quals, TypeKind};
use rustc_hash::FxHashMap;

impl Lowerer<'_> {
    pub(super) fn function(&mut self, func: FuncId, body: StmtId) -> Lower<FuncCode> {
        let program = self.program;
        let function = &program.funcs[func];
        self.f = Function { func: Some(func), pos: function.pos, ..Function::default() };
        if let TypeKind::Function(id) = program.types.kind(function.ty) {
            self.f.ret = Some(program.types.signature(id).ret);
        }
        let outline = self.outlines.of_function(func);
        self.f.has_labels = outline.has_labels;
        self.f.goes_back = outline.goes_back;
        let mut params = Vec::new();
        for &object in &function.params {
            params.push(self.param(object)?);
        }
        self.param_bounds(&function.params)?;
        match program.stmts[body].kind {
            // What is left open at the end, the return closes.
            StmtKind::Compound(list) => {
                self.point(body);
                let own = self.f.scopes.len();
                self.block_contents(list, None)?;
                self.f.scopes[own].body = true;
            }
            _ => self.stmt(body)?,
        }
        self.clean_up_all();
        self.emit(if self.f.ret.is_none_or(|ret| program.types.is_void(ret)) {
            Op::Return { src: NONE }
        } else {
            Op::FallOff
        });
        self.finish(func, params)
    }

    fn finish(&mut self, func: FuncId, params: Vec<ParamInfo>) -> Lower<FuncCode> {
        self.resolve_gotos()?;
        self.settle(func);
        let f = std::mem::take(&mut self.f);
        let labels =
            f.labels.iter().map(|(&label, &(at, scope))| (label, (at, scope.unwrap_or(u32::MAX)))).collect();
        let stack = u32::try_from(f.stack.saturating_add(96)).unwrap_or(u32::MAX);
        Ok(FuncCode {
            func,
            ops: f.ops,
            positions: f.positions,
            registers: f.registers,
            promises: self.promises.get(&func).cloned().map(Box::new),
            sized_params: params.iter().any(|param| self.program.types.is_variably_modified(param.ty)),
            restrict: params.iter().any(|param| has_qualified_part(self.program, param.ty, Quals::RESTRICT)),
            behind: f.behind,
            params,
            scopes: f.scopes,
            labels,
            stack,
            objects: f.objects,
        })
    }

    fn param(&mut self, object: ObjId) -> Lower<ParamInfo> {
        let ty = self.program.objects[object].ty;
        let reg = self.object_reg(object);
        let restrict = self.restrict_register(object);
        let aggregate = facts::is_aggregate(self.program, ty);
        let memory = self.facts.is_in_memory(object) || aggregate;
        let spec = if memory { Some(self.object_spec(object, AllocKind::Parameter)?) } else { None };
        let access = if memory { self.access(ty, None, AccessUse::INITIAL)? } else { 0 };
        self.f.stack += self.program.size_of(ty).unwrap_or(8);
        Ok(ParamInfo { reg, spec, access, aggregate, ty, restrict })
    }

    /// A function of its own that sets all static objects.
    pub(super) fn statics(&mut self) -> Lower<FuncCode> {
        let program = self.program;
        self.f = Function::default();
        let mut func = None;
        for (id, function) in program.funcs.iter() {
            if func.is_none() || function.body.is_some() {
                func = Some(id);
            }
        }
        let objects: Vec<(ObjId, InitId)> = program
            .objects
            .iter()
            .filter(|(_, object)| matches!(object.duration, Duration::Static | Duration::Thread))
            .filter_map(|(id, object)| object.init.map(|init| (id, init)))
            .collect();
        for (object, init) in objects {
            let target = program.objects[object].linked.unwrap_or(object);
            if target != object && program.objects[target].init.is_some() {
                continue;
            }
            self.f.pos = program.objects[object].pos;
            let reg = self.pool_object(object);
            self.init_static(object, reg, init)?;
        }
        self.emit(Op::Return { src: NONE });
        let f = std::mem::take(&mut self.f);
        Ok(FuncCode {
            func: func
                .ok_or_else(|| Refusal { what: "a program without functions".to_owned(), pos: Pos::NONE })?,
            ops: f.ops,
            positions: f.positions,
            registers: f.registers,
            params: Vec::new(),
            scopes: f.scopes,
            labels: FxHashMap::default(),
            stack: 0,
            promises: None,
            sized_params: false,
            restrict: false,
            behind: false,
            objects: FxHashMap::default(),
        })
    }
}
