//! Calls, returns, and jumps between frames.

use super::{Exec, Frame, signed};
use crate::memory::Death;
use crate::memory::access::Access;
use crate::op::{CallSite, Compiled, FuncCode, NONE, Reg};
use crate::outcome::{Limit, Open, Run, Stop, ub, ub_about, unsupported};
use crate::ub::UbKind;
use crate::value::{AllocKind, Marks, Prov, Value};
use howler_lang::arith;
use howler_lang::compat;
use howler_lang::program::{AttrArg, FuncId, Function, LabelId};
use howler_lang::ty::{Type, TypeKind};

/// A `jmp_buf` that was set.
pub(super) struct JumpBuffer {
    frame: u64,
    pc: u32,
    dst: Reg,
    autos: usize,
    scopes: usize,
    seq: (u32, usize, usize, usize, usize),
    /// How many stores to allocated memory there were.
    heap_stores: u64,
    /// Bytes of the frame's objects, to find those that change.
    objects: Vec<(Prov, Vec<u8>)>,
    /// Filled by `__builtin_setjmp`.
    builtin: bool,
}

/// How many calls from library functions back into the program may be open: they use the host's stack.
const MAX_CALLBACKS: usize = 64;

impl<'p> Exec<'p> {
    /// Calls a function; true if another function's instructions follow.
    pub(super) fn call(&mut self, site: u32, pc: usize) -> Run<bool> {
        let code: &'p Compiled = self.code;
        let call: &'p CallSite = &code.calls[site as usize];
        let callee = self.usable(call.callee)?;
        let func = self.callee(&callee)?;
        let function = &self.program.funcs[func];
        let outer = self.environment(&callee, func)?;
        if self.checked_sites[site as usize] != callee.prov.slot {
            self.check_call(call, func, function)?;
            // The slot of a pointer to a nested function is used again.
            if outer.is_none() {
                self.checked_sites[site as usize] = callee.prov.slot;
            }
        }
        let mut args = Vec::with_capacity(call.args.len());
        for &(reg, ty) in call.args.iter() {
            let value = *self.get(reg);
            if !value.marks.is_empty() {
                if value.marks.has(Marks::UNINIT) {
                    return ub(UbKind::Uninit);
                }
                // `free` and `realloc` say themselves what is wrong with a dead pointer.
                if function.body.is_some() {
                    self.check_alive(&value)?;
                }
            }
            args.push((value, ty));
        }
        if let Some(&index) = code.func_index.get(&func) {
            let result = match call.result {
                Some(spec) => {
                    let pointer = self.make(spec)?;
                    self.autos.push(pointer.prov);
                    self.set(call.dst, pointer);
                    Some(pointer)
                }
                None => None,
            };
            if let Some(frame) = self.frames.last_mut() {
                frame.pc = pc as u32;
            }
            self.check_promises(function, &args)?;
            self.push_frame(index, &args, call.dst, result, call.recorded)?;
            if let Some(frame) = self.frames.last_mut() {
                frame.used = call.used;
                frame.outer = outer;
            }
            return Ok(true);
        }
        self.call_native(func, call, &args, pc)
    }

    /// The function a pointer points to.
    fn callee(&self, value: &Value) -> Run<FuncId> {
        if !value.has_prov() {
            if value.low == 0 {
                return ub(UbKind::NullDeref);
            }
            return if value.marks.has(Marks::OPEN) {
                unsupported("a call through a pointer made from an integer")
            } else {
                ub(UbKind::InvalidDeref)
            };
        }
        let Some(slot) = self.memory.live(value.prov) else {
            // Only pointers to nested functions die.
            let kind = if value.prov.kind == AllocKind::Function {
                UbKind::UseAfterReturn
            } else {
                UbKind::DeadPointer
            };
            return ub_about(kind, value.prov, String::new());
        };
        match slot.func {
            Some(func) if slot.kind == AllocKind::Function => Ok(func),
            _ => ub_about(UbKind::InvalidDeref, value.prov, "it does not point to a function".to_owned()),
        }
    }

    /// Whether the type the function is called with fits it (C17 6.5.2.2p6, p9).
    fn check_call(&self, call: &CallSite, func: FuncId, function: &Function) -> Run<()> {
        let types = &self.program.types;
        let known = self.code.func_index.contains_key(&func);
        if !known {
            return Ok(());
        }
        if !compat::compatible_unqualified(types, call.ty, function.ty) {
            return ub(UbKind::CallType);
        }
        let (TypeKind::Function(called), TypeKind::Function(defined)) =
            (types.kind(call.ty), types.kind(function.ty))
        else {
            return Ok(());
        };
        if types.signature(called).prototype {
            return Ok(());
        }
        // Without a prototype the promoted arguments must fit the definition.
        let defined = types.signature(defined);
        let params: Vec<Type> = if function.old_style {
            function.params.iter().map(|&object| self.program.objects[object].ty).collect()
        } else {
            defined.params.to_vec()
        };
        if defined.variadic {
            return ub(UbKind::CallArguments);
        }
        if params.len() != call.args.len() {
            return ub_about(
                UbKind::CallArguments,
                Prov::default(),
                format!("{} arguments for {} parameters", call.args.len(), params.len()),
            );
        }
        for (&param, &(reg, arg)) in params.iter().zip(call.args.iter()) {
            let param = if function.old_style { self.promoted(param) } else { types.strip(param).bare() };
            if !self.argument_fits(param, arg, self.get(reg)) {
                return ub(UbKind::CallArguments);
            }
        }
        Ok(())
    }

    /// A type after the default argument promotions.
    pub(super) fn promoted(&self, ty: Type) -> Type {
        let types = &self.program.types;
        let ty = types.strip(ty).bare();
        match arith::num_of(types, &self.program.target, ty) {
            Some(arith::Num::Bool) => Type::INT,
            Some(arith::Num::Int { width, .. }) if width < 32 => Type::INT,
            Some(arith::Num::Float(arith::Format::F32)) if ty == Type::FLOAT => Type::DOUBLE,
            _ => ty,
        }
    }

    /// Whether an argument of one type may be received as another (C17 6.5.2.2p6, 7.16.1.1p2).
    pub(super) fn argument_fits(&self, wanted: Type, given: Type, value: &Value) -> bool {
        let types = &self.program.types;
        let (wanted, given) = (types.strip(wanted).bare(), types.strip(given).bare());
        if compat::compatible_unqualified(types, wanted, given) {
            return true;
        }
        if let (Some(a), Some(b)) = (types.pointee(wanted), types.pointee(given)) {
            let byte = |ty: Type| {
                types.is_void(ty)
                    || matches!(types.kind(ty), TypeKind::Int(kind) if matches!(kind, howler_lang::ty::IntKind::Char | howler_lang::ty::IntKind::SChar | howler_lang::ty::IntKind::UChar))
            };
            return byte(a) && byte(b) || compat::compatible_unqualified(types, a, b);
        }
        let num = |ty| arith::num_of(types, &self.program.target, ty);
        match (num(wanted), num(given)) {
            (
                Some(arith::Num::Int { width: a, signed: s }),
                Some(from @ arith::Num::Int { width: b, signed: t }),
            ) if a == b && s != t && self.same_rank(wanted, given) => {
                // One is signed, the other not: the value must be one of both types.
                signed(arith::Num::Int { width: b, signed: true }, value.to_bits()) >= 0
                    && from.width() == u32::from(a)
            }
            _ => false,
        }
    }

    pub(super) fn same_rank(&self, a: Type, b: Type) -> bool {
        use howler_lang::layout::integers::to_unsigned;
        let types = &self.program.types;
        let kind = |ty: Type| match types.kind(ty) {
            TypeKind::Int(kind) => Some(to_unsigned(kind)),
            TypeKind::Enum(id) => Some(to_unsigned(types.enums[id].underlying)),
            _ => None,
        };
        kind(a).is_some() && kind(a) == kind(b)
    }

    /// Promises of attributes about the arguments.
    fn check_promises(&mut self, function: &Function, args: &[(Value, Type)]) -> Run<()> {
        for attr in &function.attrs {
            if self.program.name(attr.name) == "nonnull" {
                let named: Vec<usize> = attr
                    .args
                    .iter()
                    .filter_map(|arg| match arg {
                        howler_lang::program::AttrArg::Int(index) => usize::try_from(*index - 1).ok(),
                        _ => None,
                    })
                    .collect();
                for (index, (value, ty)) in args.iter().enumerate() {
                    let counts = named.is_empty() || named.contains(&index);
                    if counts
                        && self.program.types.pointee(*ty).is_some()
                        && value.low == 0
                        && !value.has_prov()
                    {
                        return ub(UbKind::NonnullBroken);
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn push_frame(
        &mut self,
        index: u32,
        args: &[(Value, Type)],
        dst: Reg,
        result: Option<Value>,
        recorded: bool,
    ) -> Run<()> {
        let code: &'p FuncCode = &self.code.funcs[index as usize];
        let stack = u64::from(code.stack) + 8 * args.len() as u64;
        self.stack_used += stack;
        if self.stack_used > self.limits.stack || self.frames.len() >= self.limits.frames {
            return Err(Stop::Limit(Limit::Memory));
        }
        let base = match self.frames.last() {
            Some(frame) => frame.base + self.code.funcs[frame.func as usize].registers as usize,
            None => 0,
        };
        let top = base + code.registers as usize;
        if self.regs.len() < top {
            self.regs.resize(top, Value::UNINIT);
        }
        let saved_seq = self.seq.enter_call(recorded);
        let serial = self.memory.serial;
        self.next_frame += 1;
        let extra = args.get(code.params.len()..).unwrap_or(&[]).to_vec();
        self.frames.push(Frame {
            func: index,
            pc: 0,
            base,
            autos: self.autos.len(),
            scopes: self.scopes.len(),
            dst,
            result,
            allocas: Vec::new(),
            extra,
            stack,
            outer: None,
            closures: Vec::new(),
            recorded,
            id: self.next_frame,
            saved_seq,
            used: false,
            serial,
            given: if code.sized_params { args.iter().map(|arg| arg.1).collect() } else { Vec::new() },
        });
        self.base = base;
        let function = &self.program.funcs[code.func];
        for (position, param) in code.params.iter().enumerate() {
            let Some(&(mut value, given)) = args.get(position) else {
                self.set(param.reg, Value::UNINIT);
                continue;
            };
            if function.old_style && !param.aggregate {
                value = self.narrowed(value, given, param.ty)?;
            }
            let Some(spec) = param.spec else {
                self.set(param.reg, value);
                continue;
            };
            let pointer = self.make(spec)?;
            self.autos.push(pointer.prov);
            let access: &'p Access = &self.code.accesses[param.access as usize];
            if param.aggregate {
                self.memory.copy_object(
                    self.program,
                    (&pointer, &pointer, access),
                    (&value, &value, access),
                )?;
            } else {
                self.memory.store(self.program, &pointer, &pointer, access, &value)?;
            }
            self.set(param.reg, pointer);
        }
        if let Some(recorder) = &mut self.recorder
            && self.code.start != Some(index)
        {
            recorder.enter(code.func);
        }
        if code.restrict {
            let mark = self.frames.last().map_or(0, |frame| frame.autos);
            self.watch.open_block(mark, &self.autos[mark..]);
        }
        let attr = |name: &str| function.attrs.iter().any(|attr| self.program.name(attr.name) == name);
        if !function.attrs.is_empty() && (attr("pure") || attr("const")) {
            let reads_nothing = attr("const");
            self.watch.open_pure(self.frames.len(), serial, reads_nothing);
        }
        Ok(())
    }

    /// A promoted argument as the parameter of a function without a prototype.
    fn narrowed(&self, value: Value, from: Type, to: Type) -> Run<Value> {
        let num = |ty| arith::num_of(&self.program.types, &self.program.target, ty);
        match (num(from), num(to)) {
            (Some(from), Some(to)) if from != to => match arith::convert(from, to, value.to_bits()) {
                Ok(bits) => Ok(Value::bits(bits).marked(value.marks.intersection(Marks::OPEN))),
                Err(case) => ub(UbKind::from(case)),
            },
            _ => Ok(value),
        }
    }

    /// Ends the current call.
    pub(super) fn pop_frame(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.returning = true;
        self.release_to(frame.autos);
        self.returning = false;
        self.watch.close_pures(self.frames.len());
        self.scopes.truncate(frame.scopes);
        for &prov in &frame.allocas {
            self.memory.release(prov, Death { pos: self.pos, returned: true });
        }
        self.end_closures(&frame.closures);
        self.stack_used -= frame.stack.min(self.stack_used);
        self.seq.leave_call(frame.recorded, frame.saved_seq);
        if let Some(caller) = self.frames.last() {
            self.base = caller.base;
        }
        Some(frame)
    }

    pub(super) fn return_value(&mut self, value: Option<Value>) -> Run<()> {
        if let Some(value) = &value {
            self.check_alive(value)?;
        }
        self.check_return(value.as_ref())?;
        if value.is_none()
            && self.frames.last().is_some_and(|frame| frame.dst != NONE && frame.dst != CALLBACK)
        {
            return self.not_returned();
        }
        let Some(frame) = self.pop_frame() else { return Ok(()) };
        self.deliver(frame.dst, value);
        Ok(())
    }

    fn deliver(&mut self, dst: Reg, value: Option<Value>) {
        self.returned = value;
        if dst != NONE && !self.frames.is_empty() && dst != CALLBACK {
            // A value that was not returned is only a problem if it is used.
            self.set(dst, value.unwrap_or(Value::UNINIT));
        }
    }

    fn check_return(&mut self, value: Option<&Value>) -> Run<()> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let function = &self.program.funcs[self.code.funcs[frame.func as usize].func];
        let has = |name: &str| function.attrs.iter().any(|attr| self.program.name(attr.name) == name);
        if (function.noreturn || has("noreturn")) && self.code.start != Some(frame.func) {
            return ub(UbKind::NoreturnReturns);
        }
        if let Some(value) = value
            && has("malloc")
            && self
                .memory
                .live(value.prov)
                .is_some_and(|slot| value.has_prov() && slot.serial <= frame.serial)
        {
            return ub_about(UbKind::MallocBroken, value.prov, String::new());
        }
        if let Some(value) = value
            && let Some(attr) =
                function.attrs.iter().find(|attr| self.program.name(attr.name) == "assume_aligned")
            && let Some(AttrArg::Int(align)) = attr.args.first()
        {
            let offset = match attr.args.get(1) {
                Some(AttrArg::Int(offset)) => *offset,
                _ => 0,
            };
            if *align > 0 && (i128::from(value.low) - offset) % *align != 0 {
                return ub_about(UbKind::AlignedBroken, value.prov, String::new());
            }
        }
        if let Some(value) = value
            && has("returns_nonnull")
            && value.low == 0
            && !value.has_prov()
        {
            return ub(UbKind::ReturnsNonnullBroken);
        }
        self.check_va_lists()
    }

    pub(super) fn return_object(&mut self, addr: Reg, root: Reg, access: u32) -> Run<()> {
        let access: &'p Access = &self.code.accesses[access as usize];
        let (from, root) = (*self.get(addr), *self.get(root));
        let result = self.frames.last().and_then(|frame| frame.result);
        self.check_return(None)?;
        if let Some(result) = result
            && access.size > 0
        {
            let target = Access { initial: true, root: None, align: 1, ..*access };
            self.memory.copy_object(self.program, (&result, &result, &target), (&from, &root, access))?;
        }
        self.pop_frame();
        self.returned = result;
        Ok(())
    }

    /// The closing brace of a function that returns a value.
    pub(super) fn fall_off(&mut self) -> Run<()> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let code = &self.code.funcs[frame.func as usize];
        let function = &self.program.funcs[code.func];
        let main = self.program.name(function.name) == "main";
        if main && self.frames.len() == 1 {
            // C17 5.1.2.2.3p1; before C99 the status was not defined.
            if self.program.target.std.edition < howler_lang::target::Edition::C99 {
                self.note_open(Open::MainStatus);
            }
            return self.return_value(Some(Value::int(0)));
        }
        self.check_return(None)?;
        self.not_returned()
    }

    /// The end of a call that should have given a value (C17 6.9.1p12).
    fn not_returned(&mut self) -> Run<()> {
        let Some(frame) = self.pop_frame() else { return Ok(()) };
        if frame.used && frame.dst != NONE {
            if let Some(caller) = self.frames.last() {
                let pc = caller.pc as usize;
                self.at(pc);
                self.keep_pos = true;
            }
            let name = self.program.name(self.program.funcs[self.code.funcs[frame.func as usize].func].name);
            return ub_about(UbKind::MissingReturn, Prov::default(), format!("'{name}'"));
        }
        if frame.result.is_none() {
            self.deliver(frame.dst, Some(Value::UNINIT));
        }
        Ok(())
    }

    /// Calls back into the program from a library function.
    pub(super) fn call_back(&mut self, callee: &Value, args: &[(Value, Type)]) -> Run<Value> {
        let func = self.callee(callee)?;
        let Some(&index) = self.code.func_index.get(&func) else {
            return unsupported("a library function called by a library function");
        };
        if self.callbacks >= MAX_CALLBACKS {
            return unsupported("library functions that call back too deep");
        }
        let outer = self.environment(callee, func)?;
        self.callbacks += 1;
        let depth = self.frames.len();
        let pos = self.pos;
        self.push_frame(index, args, CALLBACK, None, false)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.outer = outer;
        }
        while self.frames.len() > depth {
            self.dispatch()?;
        }
        self.callbacks -= 1;
        if self.frames.len() < depth {
            return unsupported("longjmp out of a function called by the library");
        }
        self.pos = pos;
        if let Some(frame) = self.frames.last() {
            self.base = frame.base;
        }
        match self.returned {
            Some(value) if value.marks.has(Marks::UNINIT) => ub(UbKind::MissingReturn),
            Some(value) => Ok(value),
            None => Ok(Value::UNINIT),
        }
    }

    /// `setjmp`: remembers the caller's state.
    pub(super) fn set_jump(&mut self, pc: usize, dst: Reg, builtin: bool) -> u64 {
        let (frame, autos) = self.frames.last().map_or((0, 0), |frame| (frame.id, frame.autos));
        let mut objects = Vec::new();
        for &prov in &self.autos[autos..] {
            if let Some(slot) = self.memory.live(prov)
                && !matches!(slot.kind, AllocKind::Temporary)
            {
                objects.push((prov, self.memory.bytes(slot.data, slot.size).to_vec()));
            }
        }
        self.jump_buffers.push(JumpBuffer {
            frame,
            pc: pc as u32,
            dst,
            autos: self.autos.len(),
            scopes: self.scopes.len(),
            seq: self.seq.snapshot(),
            heap_stores: self.memory.heap_stores,
            objects,
            builtin,
        });
        self.jump_buffers.len() as u64
    }

    /// `longjmp`: back to where `setjmp` was called.
    pub(super) fn long_jump(&mut self, id: u64, value: u64) -> Run<()> {
        let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        let Some(index) = index.filter(|&index| index < self.jump_buffers.len()) else {
            return ub(UbKind::LongjmpDead);
        };
        let buffer = &self.jump_buffers[index];
        let (frame, pc, dst, autos, scopes, seq) =
            (buffer.frame, buffer.pc, buffer.dst, buffer.autos, buffer.scopes, buffer.seq);
        let Some(depth) = self.frames.iter().rposition(|open| open.id == frame) else {
            return ub(UbKind::LongjmpDead);
        };
        if buffer.heap_stores != self.memory.heap_stores {
            // Defined by the letter; clang keeps such memory in registers and loses the store.
            return unsupported("allocated memory written between setjmp and longjmp");
        }
        while self.frames.len() > depth + 1 {
            self.pop_frame();
        }
        if self.scopes.len() < scopes || self.autos.len() < autos {
            return ub(UbKind::LongjmpVla);
        }
        self.release_to(autos);
        self.scopes.truncate(scopes);
        self.seq.restore(seq);
        let builtin = self.jump_buffers[index].builtin;
        let objects = std::mem::take(&mut self.jump_buffers[index].objects);
        for (prov, bytes) in &objects {
            self.make_stale(*prov, bytes, builtin);
        }
        self.jump_buffers[index].objects = objects;
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = pc;
            self.base = frame.base;
        }
        if dst != NONE {
            self.set(dst, Value::int(value));
        }
        Ok(())
    }

    /// What changed since `setjmp` and is not volatile has no value any more (C17 7.13.2.1p3).
    fn make_stale(&mut self, prov: Prov, bytes: &[u8], builtin: bool) {
        let Some(slot) = self.memory.live(prov) else { return };
        let (data, size) = (slot.data, slot.size);
        let changed: Vec<u32> = (0..size)
            .filter(|&index| {
                let at = data + index;
                self.memory.bytes(at, 1)[0] != bytes.get(index as usize).copied().unwrap_or(0)
                    && self.memory.shadows(at, 1)[0] & crate::memory::shadow::VOLATILE == 0
            })
            .collect();
        if changed.is_empty() {
            return;
        }
        self.stale.insert((prov.slot, prov.generation), builtin);
        for index in changed {
            self.memory.set(data + index, 1, 0, Marks::UNINIT);
        }
    }

    /// `goto *p`.
    pub(super) fn jump_to(&mut self, label: Reg) -> Run<u32> {
        let value = self.usable(label)?;
        if value.prov.kind != AllocKind::Label || !value.has_prov() {
            return ub(UbKind::InvalidDeref);
        }
        let Some(&(func, label)) = self.labels.get(&value.prov.slot) else { return ub(UbKind::InvalidDeref) };
        let Some(frame) = self.frames.last() else { return ub(UbKind::InvalidDeref) };
        if frame.func != func {
            return unsupported("a computed jump to a label of another function");
        }
        self.enter_label(func, label)
    }

    /// Leaves and enters scopes of the current function up to a label's; where it is.
    pub(super) fn enter_label(&mut self, func: u32, label: LabelId) -> Run<u32> {
        let code: &'p FuncCode = &self.code.funcs[func as usize];
        let Some(&(at, mut scope)) = code.labels.get(&label) else { return ub(UbKind::InvalidDeref) };
        let mut to = Vec::new();
        while scope != u32::MAX {
            to.push(scope);
            scope = code.scopes[scope as usize].parent.unwrap_or(u32::MAX);
        }
        to.reverse();
        let first = self.frames.last().map_or(0, |frame| frame.scopes);
        let open = self.scopes.get(first..).unwrap_or(&[]);
        let common = open.iter().zip(&to).take_while(|((_, a), b)| a == *b).count();
        for _ in common..open.len() {
            self.leave();
        }
        for &scope in &to[common..] {
            self.enter(scope)?;
        }
        Ok(at)
    }
}

/// The result register of a call from a library function.
pub(super) const CALLBACK: Reg = NONE - 1;
