//! Calls, builtins and variable arguments.

use super::aliases::promised_by_alias;
use super::lvalue::Lv;
use super::{AccessUse, Lower, Lowerer};
use crate::facts;
use crate::memory::alias;
use crate::op::{AllocSpec, BuiltinSite, CallSite, NONE, Op, Reg};
use crate::value::AllocKind;
use howler_lang::builtin;
use howler_lang::program::{Builtin, Conv, ExprId, ExprKind, ExprList, FuncId};
use howler_lang::ty::{FloatKind, IntKind, Type, TypeKind};

impl Lowerer<'_> {
    pub fn function_pointer(&mut self, func: FuncId) -> Reg {
        if promised_by_alias(self.program, &self.promises, func).is_some() {
            return self.unsupported("a pointer to an alias that promises other things than its function");
        }
        self.called_function(func)
    }

    /// A pointer to a function that is only called.
    fn called_function(&mut self, func: FuncId) -> Reg {
        let function = &self.program.funcs[func];
        let copy = self.copies.contains(&func) && function.linked.is_some();
        if copy || crate::admit::is_inline_definition(self.program, function) {
            if let Some(external) = function.linked {
                let same = *self
                    .same_inlines
                    .entry(func)
                    .or_insert_with(|| howler_lang::dump::same_function(self.program, func, external));
                if !same {
                    self.emit(Op::OpenInline);
                }
            } else {
                let name = self.program.name(function.name).to_owned();
                self.out.missing.get_or_insert(name);
            }
        }
        let reg = self.pool_func(func);
        if self.program.funcs[func].parent.is_some() {
            let dst = self.reg();
            self.emit(Op::Closure { dst, func: reg });
            return dst;
        }
        reg
    }

    pub fn call(&mut self, e: ExprId, callee: ExprId, args: ExprList, used: bool) -> Lower<Reg> {
        let program = self.program;
        let ret = program.ty(e);
        let fn_ty = program.types.pointee(program.ty(callee)).unwrap_or(Type::VOID);
        let list: Vec<ExprId> = program.list(args).to_vec();
        if let Some(name) = direct_name(program, callee)
            && let Some(done) = self.special_call(name, &list)?
        {
            return Ok(done);
        }
        let alias = called_name(program, callee)
            .and_then(|func| Some((func, promised_by_alias(program, &self.promises, func)?.clone())));
        let mut operands = vec![callee];
        operands.extend(&list);
        let join = self.open_join(&operands);
        if self.f.tracked && !join {
            self.emit(Op::SeqOpen);
        }
        let mut values: Vec<Option<(Reg, Type)>> = vec![None; operands.len()];
        let order: Vec<usize> = if self.right_first() {
            (0..operands.len()).rev().collect()
        } else {
            (0..operands.len()).collect()
        };
        for (position, index) in order.into_iter().enumerate() {
            if position > 0 {
                self.next_operand(join);
            }
            let ty = program.ty(operands[index]);
            let value = if let (Some((func, _)), 0) = (&alias, index) {
                self.called_function(*func)
            } else if facts::is_aggregate(program, ty) {
                let lv = self.aggregate(operands[index])?;
                let temp = Lv::named(self.temp(ty)?, ty);
                self.copy_aggregate(&temp, &lv, AccessUse::INITIAL)?;
                temp.addr
            } else {
                let value = self.value(operands[index])?;
                // A register local may change before the call; its value must not.
                if value & crate::op::POOL == 0 && self.f.tracked {
                    let copy = self.reg();
                    self.emit(Op::Copy { dst: copy, src: value });
                    copy
                } else {
                    value
                }
            };
            values[index] = Some((value, self.given_type(operands[index])));
        }
        if join {
            self.emit(Op::SeqJoin { operands: operands.len() as u32 });
        }
        if self.f.tracked {
            self.emit(Op::SeqFinish);
        }
        let mut values = values.into_iter().map(|value| value.unwrap_or((NONE, Type::VOID)));
        let callee = values.next().unwrap_or((NONE, Type::VOID)).0;
        let args: Vec<(Reg, Type)> = values.collect();
        let aggregate = facts::is_aggregate(program, ret);
        let result = if aggregate { Some(self.result_spec(ret)?) } else { None };
        let dst = if program.types.is_void(ret) { NONE } else { self.reg() };
        let site = self.out.calls.len() as u32;
        let recorded = self.f.tracked;
        self.out.calls.push(CallSite {
            callee,
            args: args.into_boxed_slice(),
            dst,
            result,
            ty: fn_ty,
            recorded,
            used,
            promises: alias.map(|(_, promises)| Box::new(promises)),
        });
        self.check_setjmp(e, operands[0]);
        self.watch_call(e, site);
        self.emit(Op::Call { site });
        if self.f.tracked {
            self.emit(Op::SeqClose);
        }
        Ok(dst)
    }

    /// The type of an argument; of a pointer to arrays, the one whose size is known here.
    fn given_type(&self, e: ExprId) -> Type {
        let types = &self.program.types;
        let ty = self.program.ty(e);
        let mut inner = e;
        while let ExprKind::Convert(Conv::Same | Conv::PointerToPointer, of) = self.program.exprs[inner].kind
            && types.is_variably_modified(self.program.ty(inner))
        {
            inner = of;
        }
        if types.is_variably_modified(ty) { self.program.ty(inner) } else { ty }
    }

    fn result_spec(&mut self, ty: Type) -> Lower<u32> {
        let spec = AllocSpec {
            kind: AllocKind::Temporary,
            size: self.size(ty)?,
            align: self.align(ty),
            ty,
            elem: super::element_of(self.program, ty),
            retypable: alias::has_union(self.program, ty),
            object: None,
            qualified: false,
            pos: self.f.pos,
        };
        Ok(self.add_spec(spec))
    }

    /// Functions of the compiler that need more than their arguments' values.
    fn special_call(&mut self, name: &str, args: &[ExprId]) -> Lower<Option<Reg>> {
        Ok(match name {
            "__builtin_unreachable" => {
                self.undefined(crate::ub::UbKind::Unreachable, "");
                Some(NONE)
            }
            // The value is the first operand; the others only inform.
            "__builtin_expect" | "__builtin_expect_with_probability" => {
                for &arg in &args[1..] {
                    self.discard(arg)?;
                }
                Some(self.value(args[0])?)
            }
            "__builtin_prefetch" => {
                args.iter().try_for_each(|&arg| self.discard(arg))?;
                Some(NONE)
            }
            // It may be gone at the end of the block, and need not be. In a function's own block that is the same.
            "__builtin_alloca_with_align" | "__builtin_alloca_with_align_and_max" if self.f.inner > 0 => {
                Some(self.unsupported(format!("'{name}' in an inner block")))
            }
            _ => None,
        })
    }

    pub fn builtin(&mut self, e: ExprId, which: Builtin, args: ExprList) -> Lower<Reg> {
        let program = self.program;
        let ty = program.ty(e);
        let list: Vec<ExprId> = program.list(args).to_vec();
        if which == builtin::CONSTANT_P {
            // Anything but a literal depends on the optimiser.
            return match howler_lang::fold::is_constant_everywhere(program, list[0]) {
                true => Ok(self.constant(1)),
                false => Ok(self.open_builtin(0)),
            };
        }
        if which == builtin::CLASSIFY_TYPE {
            return match howler_lang::fold::integer(program, e) {
                Some(value) => Ok(self.constant(value.cast_unsigned())),
                None => Ok(self.unsupported("__builtin_classify_type")),
            };
        }
        let start = which == builtin::VA_START || which == builtin::STDARG_START;
        if let Some(&[_, last]) = list.first_chunk()
            && start
            && let Some(wrong) = self.wrong_start(last)
        {
            self.undefined(crate::ub::UbKind::VaStartParam, wrong);
        }
        let mut values = Vec::new();
        for &arg in list.iter().take(if start { 1 } else { list.len() }) {
            let ty = program.ty(arg);
            let value = match program.exprs[arg].kind {
                _ if is_va_list_operand(which) && values.len() < va_lists(which) => self.va_list(arg)?,
                _ if facts::is_wide(program, ty) => self.wide_operand(arg)?.0,
                _ if facts::is_aggregate(program, ty) => self.aggregate(arg)?.addr,
                _ if program.types.is_void(ty) => {
                    self.discard(arg)?;
                    NONE
                }
                _ => self.value(arg)?,
            };
            values.push((value, ty));
        }
        let dst = if facts::is_aggregate(program, ty) { self.temp(ty)? } else { self.reg() };
        let site = self.out.builtins.len() as u32;
        self.out.builtins.push(BuiltinSite { builtin: which, args: values.into_boxed_slice(), dst, ty });
        self.emit(Op::Builtin { site });
        Ok(dst)
    }

    /// What is wrong with the last operand of `va_start` (C17 7.16.1.4p4). No compiler looks at it.
    fn wrong_start(&self, e: ExprId) -> Option<&'static str> {
        let program = self.program;
        let mut inner = e;
        while let ExprKind::Convert(_, of) = program.exprs[inner].kind {
            inner = of;
        }
        let ExprKind::Object(object) = program.exprs[inner].kind else {
            // `va_start(ap)`, as in C23.
            return howler_lang::fold::integer(program, e).is_none().then_some("it is not the last one");
        };
        let ty = program.types.strip(program.objects[object].ty).bare();
        let promoted = match program.types.kind(ty) {
            TypeKind::Float(FloatKind::Float) | TypeKind::Bool => true,
            TypeKind::Int(kind) => kind < IntKind::Int,
            TypeKind::Enum(id) => program.types.enums[id].underlying < IntKind::Int,
            _ => false,
        };
        let last = self.f.func.and_then(|func| program.funcs[func].params.last());
        if last != Some(&object) {
            Some("it is not the last one")
        } else if program.objects[object].register {
            Some("it is declared register")
        } else if program.adjusted.contains(&object) {
            Some("it is declared as an array or a function")
        } else if promoted {
            Some("its type changes by promotion")
        } else {
            None
        }
    }

    /// A pointer to the object a `va_list` operand stands for. On x86-64 the type is an array, so that a parameter is
    /// a pointer to it; on i386 the object itself is a pointer.
    fn va_list(&mut self, e: ExprId) -> Lower<Reg> {
        let program = self.program;
        let inner = match program.exprs[e].kind {
            ExprKind::Convert(Conv::ArrayDecay, inner) => inner,
            ExprKind::Convert(Conv::Load, inner)
                if program.target.arch == howler_lang::target::Arch::I386 =>
            {
                inner
            }
            _ => e,
        };
        let ty = program.ty(inner);
        let to_tag = program.types.pointee(ty).is_some_and(|to| builtin::is_va_list_tag(program, to));
        match self.is_lvalue(inner) {
            true if to_tag => {
                let lv = self.lvalue(inner)?;
                self.load(&lv)
            }
            true => Ok(self.lvalue(inner)?.addr),
            false => self.value(inner),
        }
    }

    /// Whether a list operand is a parameter: the caller's list in its own right.
    fn is_handed_list(&self, e: ExprId) -> bool {
        let object = crate::facts::root_object(
            self.program,
            match self.program.exprs[e].kind {
                ExprKind::Convert(_, inner) => inner,
                _ => e,
            },
        );
        object.is_some_and(|object| {
            self.program.objects[object].duration == howler_lang::program::Duration::Parameter
        })
    }

    fn is_lvalue(&self, e: ExprId) -> bool {
        matches!(
            self.program.exprs[e].kind,
            ExprKind::Object(_)
                | ExprKind::Member { .. }
                | ExprKind::Index { .. }
                | ExprKind::Unary(howler_lang::program::UnaryOp::Deref, _)
        )
    }

    /// A value the compiler may choose.
    fn open_builtin(&mut self, bits: u128) -> Reg {
        let value = crate::value::Value::bits(bits).marked(crate::value::Marks::LIBRARY);
        self.pool(crate::op::PoolItem::Const(value))
    }

    pub fn va_arg(&mut self, list: ExprId, ty: Type) -> Lower<Reg> {
        let handed = self.is_handed_list(list);
        let list = self.va_list(list)?;
        let spec = match self.program.types.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => return self.refuse("va_arg of this type"),
            _ => self.result_spec(ty)?,
        };
        let dst = self.reg();
        self.emit(Op::VaArg { handed, dst, list, spec });
        Ok(dst)
    }
}

fn is_va_list_operand(which: Builtin) -> bool {
    [builtin::VA_START, builtin::VA_END, builtin::VA_COPY, builtin::STDARG_START].contains(&which)
}

/// How many of a builtin's operands are lists.
fn va_lists(which: Builtin) -> usize {
    if which == builtin::VA_COPY { 2 } else { 1 }
}

/// The function that is called directly.
fn called_name(program: &howler_lang::program::Program, callee: ExprId) -> Option<FuncId> {
    let ExprKind::Convert(Conv::FunctionDecay, designator) = program.exprs[callee].kind else { return None };
    match program.exprs[designator].kind {
        ExprKind::Function(func) => Some(func),
        _ => None,
    }
}

/// The name of a function that is called directly and has no body here.
pub(super) fn direct_name(program: &howler_lang::program::Program, callee: ExprId) -> Option<&str> {
    let func = called_name(program, callee)?;
    let func = program.funcs[func].linked.unwrap_or(func);
    program.funcs[func].body.is_none().then(|| program.name(program.funcs[func].name))
}
