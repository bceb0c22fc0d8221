//! Calls: frames and their arguments. What a call must keep is in `contracts`, how it ends in `returns`.

use super::objects::Ending;
use super::{Exec, Frame};
use crate::memory::Death;
use crate::memory::access::Access;
use crate::op::{CallSite, Compiled, FuncCode, NONE, Reg};
use crate::outcome::{Limit, Run, Stop, ub, ub_about, unsupported};
use crate::ub::UbKind;
use crate::value::{AllocKind, Marks, Prov, Value};
use howler_lang::arith;
use howler_lang::program::FuncId;
use howler_lang::ty::Type;

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
            let fixed = match self.check_call(call, func, function) {
                Ok(fixed) => fixed,
                Err(stop) => return Err(self.about_function(stop, func)),
            };
            // The slot of a pointer to a nested function is used again.
            if fixed && outer.is_none() {
                self.checked_sites[site as usize] = callee.prov.slot;
            }
        }
        // Kept between calls, so that none of them allocates.
        let mut args = std::mem::take(&mut self.args);
        args.clear();
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
            if let Some(promises) = &code.funcs[index as usize].promises {
                self.check_promises(promises, &args)?;
            }
            self.push_frame(index, &args, call.dst, result, call.recorded)?;
            if let Some(promises) = &call.promises {
                self.promised_by_alias(promises, &args)?;
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.used = call.used;
                frame.outer = outer;
            }
            self.args = args;
            return Ok(true);
        }
        // For what is said about a function that the library calls.
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = pc as u32;
        }
        let done = self.call_native(func, call, &args, pc);
        self.args = args;
        done
    }

    /// The function a pointer points to.
    pub(super) fn callee(&self, value: &Value) -> Run<FuncId> {
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
            return Err(Stop::Limit(Limit::Stack));
        }
        let base = match self.frames.last() {
            Some(frame) => frame.base + self.code.funcs[frame.func as usize].registers as usize,
            None => 0,
        };
        let top = base + code.registers as usize;
        if self.regs.len() < top {
            self.regs.resize(top, Value::UNINIT);
        }
        let saved_seq = self.seq.enter_call(recorded, self.pos, self.memory.serial);
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
            alias: None,
            returned_size: None,
            given: if code.sized_params { args.iter().map(|arg| arg.1).collect() } else { Vec::new() },
        });
        self.base = base;
        let function = &self.program.funcs[code.func];
        let mut registers = code.behind;
        for (position, param) in code.params.iter().enumerate() {
            let Some(&(mut value, given)) = args.get(position) else {
                self.set(param.reg, Value::UNINIT);
                registers |= param.restrict.is_some();
                continue;
            };
            if function.old_style && !param.aggregate {
                value = self.narrowed(value, given, param.ty)?;
            }
            let Some(spec) = param.spec else {
                self.set(param.reg, value);
                registers |= param.restrict.is_some();
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
        if code.restrict || code.behind {
            let mark = self.frames.last().map_or(0, |frame| frame.autos);
            // Blocks end with their automatic objects; this stands for one where there may be none.
            if registers {
                self.autos.push(Prov::default());
            }
            self.watch.open_block(mark, &self.autos[mark..]);
            if registers {
                self.receive_restrict(&code.params)?;
            }
        }
        if let Some(promises) = &code.promises {
            self.begin_promises(promises, args)?;
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
    pub(super) fn pop_frame(&mut self) -> Option<Frame<'p>> {
        let frame = self.frames.pop()?;
        self.release_to(frame.autos, Ending::Return);
        self.watch.close_pures(self.frames.len());
        self.scopes.truncate(frame.scopes);
        for &prov in &frame.allocas {
            self.memory.release(prov, Death { pos: self.pos, returned: true });
        }
        self.end_closures(&frame.closures);
        self.stack_used -= frame.stack.min(self.stack_used);
        self.seq.leave_call(frame.recorded, frame.saved_seq, &self.memory, frame.serial);
        if let Some(caller) = self.frames.last() {
            self.base = caller.base;
        }
        Some(frame)
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
            if let Err(stop) = self.dispatch() {
                // The fault is there, and not where the library was called.
                self.keep_pos = true;
                return Err(stop);
            }
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
}

/// The result register of a call from a library function.
pub(super) const CALLBACK: Reg = NONE - 1;
