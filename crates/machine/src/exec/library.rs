//! Library functions: finding them, and what they share.

use super::{Exec, lib_format, lib_memory, lib_misc, lib_string};
use crate::memory::access::Place;
use crate::op::{CallSite, NONE};
use crate::outcome::{Run, ub, ub_about, unsupported};
use crate::ub::UbKind;
use crate::value::{Marks, Value};
use howler_lang::program::FuncId;
use howler_lang::ty::Type;

/// A call of a library function.
pub(super) struct NativeCall<'a> {
    /// The arguments and their types.
    pub args: &'a [(Value, Type)],
    /// The name without `__builtin_`.
    pub name: &'a str,
    /// The type of the result.
    pub ret: Type,
}

impl NativeCall<'_> {
    /// The value of an argument.
    pub fn arg(&self, index: usize) -> Run<Value> {
        match self.args.get(index) {
            Some(&(value, _)) => Ok(value),
            None => ub(UbKind::CallArguments),
        }
    }
}

/// A library function.
pub(super) type Native = fn(&mut Exec<'_>, &NativeCall<'_>) -> Run<Value>;

fn find(name: &str) -> Option<Native> {
    lib_memory::find(name).or_else(|| lib_string::find(name)).or_else(|| lib_format::find(name)).or_else(|| lib_misc::find(name))
}

/// A function's name as the library has it.
pub(super) fn base_name(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}

impl<'p> Exec<'p> {
    pub(super) fn call_native(&mut self, func: FuncId, call: &'p CallSite, args: &[(Value, Type)], pc: usize) -> Run<bool> {
        let program = self.program;
        let full = program.name(program.funcs[func].name);
        let name = base_name(full);
        match full {
            "setjmp" | "_setjmp" | "__builtin_setjmp" | "sigsetjmp" | "__sigsetjmp" => {
                let buffer = args.first().map_or(Value::UNINIT, |arg| arg.0);
                let id = self.set_jump(pc, call.dst);
                self.write_id(&buffer, id)?;
                if call.dst != NONE {
                    self.set(call.dst, Value::int(0));
                }
                return Ok(false);
            }
            "longjmp" | "_longjmp" | "siglongjmp" | "__builtin_longjmp" => {
                let buffer = args.first().map_or(Value::UNINIT, |arg| arg.0);
                let value = args.get(1).map_or(0, |arg| arg.0.low as u32);
                let id = self.read_id(&buffer, UbKind::LongjmpDead)?;
                self.long_jump(id, u64::from(value.max(1)))?;
                return Ok(true);
            }
            _ => {}
        }
        if self.complex_function(name, call, args)? {
            return Ok(false);
        }
        let native = match self.natives.get(&func) {
            Some(&native) => native,
            None => {
                let native = find(name);
                self.natives.insert(func, native);
                native
            }
        };
        let Some(native) = native else {
            return unsupported(format!("the function '{full}', which has no definition here"));
        };
        let ret = match program.types.kind(program.funcs[func].ty) {
            howler_lang::ty::TypeKind::Function(id) => program.types.signature(id).ret,
            _ => Type::INT,
        };
        let saved = self.seq.enter_call(call.recorded);
        let result = native(self, &NativeCall { args, name, ret });
        self.seq.leave_call(call.recorded, saved);
        let value = result?;
        if call.dst != NONE {
            self.set(call.dst, value);
        }
        Ok(false)
    }

    /// Puts an id of the machine's own into an opaque object.
    pub(super) fn write_id(&mut self, pointer: &Value, id: u64) -> Run<()> {
        let wide = Value { prov: crate::value::Prov { wide: true, ..pointer.prov }, ..*pointer };
        let place = self.memory.place(&wide, 4, 1)?;
        self.memory.write(place.at, 4, &Value::int(id | ID_MARK));
        Ok(())
    }

    /// Reads such an id.
    pub(super) fn read_id(&mut self, pointer: &Value, otherwise: UbKind) -> Run<u64> {
        let wide = Value { prov: crate::value::Prov { wide: true, ..pointer.prov }, ..*pointer };
        let place = self.memory.place(&wide, 4, 1)?;
        let value = self.memory.read_number(place.at, 4);
        if !value.marks.is_empty() || value.low & ID_MARK != ID_MARK {
            return ub_about(otherwise, pointer.prov, String::new());
        }
        Ok(value.low & !ID_MARK)
    }

    /// The place of `len` bytes that a library function reads or writes.
    pub(super) fn bytes_at(&mut self, pointer: &Value, len: u64, write: bool) -> Run<Place> {
        if pointer.marks.has(Marks::UNINIT) {
            return ub(UbKind::Uninit);
        }
        if !pointer.has_prov() {
            if pointer.marks.has(Marks::OPEN) {
                return unsupported("a library function given a pointer made from an integer");
            }
            return ub(UbKind::LibPointer);
        }
        let prov = pointer.prov;
        let Some(slot) = self.memory.live(prov) else {
            return ub_about(self.memory.dead_kind(prov), prov, String::new());
        };
        if self.is_code(pointer) {
            return ub(UbKind::LibPointer);
        }
        let offset = pointer.low.wrapping_sub(slot.address);
        let end = offset.saturating_add(len);
        if offset > u64::from(slot.size) || end > u64::from(slot.size) {
            let detail = format!("{len} bytes from offset {offset} of an object of {}", slot.size);
            return ub_about(UbKind::LibBounds, prov, detail);
        }
        if len > 0 && (offset < u64::from(prov.lo) || end > u64::from(prov.hi)) {
            // Within the object, beyond the member: compilers and the standard do not agree.
            if prov.wide {
                return if prov.lo == 0 && prov.hi == 0 {
                    Ok(Place { at: slot.data + offset as u32, offset: offset as u32, slot: prov.slot })
                } else {
                    self.beyond_member(pointer, len, write)
                };
            }
            return ub_about(UbKind::LibBounds, prov, "it leaves the member it points into".to_owned());
        }
        let place = Place { at: slot.data + offset as u32, offset: offset as u32, slot: prov.slot };
        self.check_flags(&place, len, write, pointer)?;
        self.touch(pointer, len, write)?;
        Ok(place)
    }

    fn beyond_member<T>(&mut self, pointer: &Value, len: u64, write: bool) -> Run<T> {
        let _ = (pointer, len, write);
        unsupported("a library function that reaches beyond the member its pointer was made from")
    }

    fn check_flags(&self, place: &Place, len: u64, write: bool, pointer: &Value) -> Run<()> {
        use crate::memory::shadow;
        let all = self.memory.shadows(place.at, len as u32).iter().fold(0, |all, byte| all | byte);
        if write && all & shadow::CONST != 0 {
            let kind = match pointer.prov.kind {
                crate::value::AllocKind::String => UbKind::StringModified,
                crate::value::AllocKind::Temporary => UbKind::TemporaryModified,
                _ => UbKind::ConstModified,
            };
            return ub_about(kind, pointer.prov, String::new());
        }
        if all & shadow::VOLATILE != 0 {
            return ub_about(UbKind::VolatilePlain, pointer.prov, String::new());
        }
        Ok(())
    }

    /// The bytes of a string, without the zero that ends it.
    pub(super) fn string_at(&mut self, pointer: &Value, most: Option<u64>) -> Run<Vec<u8>> {
        if most == Some(0) {
            return Ok(Vec::new());
        }
        let place = self.bytes_at(pointer, 1, false)?;
        let slot = self.memory.slot(place.slot);
        let whole = pointer.prov.wide;
        let end = if whole { slot.size } else { pointer.prov.hi };
        let room = u64::from(end.saturating_sub(place.offset));
        let len = most.map_or(room, |most| most.min(room));
        let mut bytes = Vec::new();
        for index in 0..len as u32 {
            let value = self.memory.read_number(place.at + index, 1);
            if value.marks.has(Marks::UNINIT) {
                return ub_about(UbKind::Uninit, pointer.prov, String::new());
            }
            if value.marks.has(Marks::OPEN) {
                self.depend(value.marks);
            }
            if value.low == 0 {
                self.touch(pointer, u64::from(index) + 1, false)?;
                return Ok(bytes);
            }
            bytes.push(value.low as u8);
        }
        if most.is_some_and(|most| most <= room) {
            self.touch(pointer, len, false)?;
            return Ok(bytes);
        }
        ub_about(UbKind::LibUnterminated, pointer.prov, String::new())
    }

    /// Writes bytes a library function made.
    pub(super) fn write_bytes(&mut self, pointer: &Value, bytes: &[u8]) -> Run<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let place = self.bytes_at(pointer, bytes.len() as u64, true)?;
        self.memory.fill(place.at, bytes);
        self.memory.forget_types(&place, bytes.len() as u32);
        Ok(())
    }
}

/// Marks the ids in `jmp_buf` and `va_list` objects.
pub(super) const ID_MARK: u64 = 0xc0de_0000 & 0xff00_0000;
