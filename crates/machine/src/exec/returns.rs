//! The end of a call: what it returns, and what it should have.

use super::Exec;
use super::arith_ops::{any_nan, is_signalling};
use super::calls::CALLBACK;
use crate::memory::access::Access;
use crate::op::{NONE, Reg};
use crate::outcome::{Open, Run, ub_about};
use crate::ub::UbKind;
use crate::value::{Prov, Value};
use howler_lang::arith::Num;
use howler_lang::ty::TypeKind;

impl<'p> Exec<'p> {
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
        let value = value.map(|value| self.quieted(value));
        let Some(frame) = self.pop_frame() else { return Ok(()) };
        self.deliver(frame.dst, value);
        Ok(())
    }

    /// A signalling NaN that the current function returns in a register of the x87 of i386, which makes it quiet; where
    /// the call is inlined nothing does.
    fn quieted(&self, value: Value) -> Value {
        let Some(frame) = self.frames.last().filter(|_| self.memory.pointer_size() == 4) else {
            return value;
        };
        let ty = self.program.funcs[self.code.funcs[frame.func as usize].func].ty;
        let TypeKind::Function(id) = self.program.types.kind(ty) else { return value };
        match self.num(self.program.types.signature(id).ret) {
            Some(Num::Float(format)) if is_signalling(format, &value) => any_nan(Num::Float(format), value),
            _ => value,
        }
    }

    fn deliver(&mut self, dst: Reg, value: Option<Value>) {
        self.returned = value;
        if dst != NONE && !self.frames.is_empty() && dst != CALLBACK {
            // A value that was not returned is only a problem if it is used.
            self.set(dst, value.unwrap_or(Value::UNINIT));
        }
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
            let func = self.code.funcs[frame.func as usize].func;
            let name = self.program.name(self.program.funcs[func].name);
            return ub_about(UbKind::MissingReturn, Prov::default(), format!("'{name}'"))
                .map_err(|stop| self.about_function(stop, func));
        }
        if frame.result.is_none() {
            self.deliver(frame.dst, Some(Value::UNINIT));
        }
        Ok(())
    }
}
