//! Library functions: finding them, and what they share.

use super::{
    Exec, lib_builtin, lib_ctype, lib_errno, lib_exit, lib_format, lib_host, lib_input, lib_math, lib_memory,
    lib_number, lib_scan, lib_sort, lib_stream, lib_string, lib_wide,
};
use crate::memory::access::{Access, Place, Rep, Update};
use crate::op::{CallSite, NONE};
use crate::outcome::{Run, Stop, ub, ub_about, unsupported};
use crate::ub::UbKind;
use crate::value::{Marks, Value};
use howler_lang::arith::{self, Format, Num};
use howler_lang::program::FuncId;
use howler_lang::ty::{Quals, Type, TypeKind};

/// A call of a library function.
pub(super) struct NativeCall<'a> {
    /// The arguments and their types.
    pub args: &'a [(Value, Type)],
    /// The name without `__builtin_`.
    pub name: &'a str,
    /// The type of the result.
    pub ret: Type,
    /// The object for an aggregate result.
    pub result: Option<Value>,
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

/// Whether a function of the library or the compiler is modelled, at least in part.
pub fn is_known(name: &str) -> bool {
    name.contains("setjmp")
        || name.contains("longjmp")
        || find(name).is_some()
        || ["creal", "cimag", "conj"]
            .iter()
            .any(|stem| matches!(name.strip_prefix(stem), Some("" | "f" | "l")))
}

/// The function of this name. Those that only the compiler has need their prefix.
fn find(full: &str) -> Option<Native> {
    let name = base_name(full);
    let shared = lib_memory::find(name)
        .or_else(|| lib_string::find(name))
        .or_else(|| lib_format::find(name))
        .or_else(|| lib_stream::find(name))
        .or_else(|| lib_scan::find(name))
        .or_else(|| lib_number::find(name))
        .or_else(|| lib_sort::find(name))
        .or_else(|| lib_exit::find(name))
        .or_else(|| lib_errno::find(name))
        .or_else(|| lib_input::find(name))
        .or_else(|| lib_wide::find(name))
        .or_else(|| lib_ctype::find(name))
        .or_else(|| lib_host::find(name))
        .or_else(|| lib_math::find(name));
    match shared {
        None if unchecked(name).is_some() => Some(with_size),
        None if full != name => lib_builtin::find(name),
        None => lib_builtin::find_whole(full),
        shared => shared,
    }
}

/// For a function that checks the size of its target, as gcc's fortified headers use them: the plain function, and
/// where the size, the flag and the length stand among the arguments.
fn unchecked(name: &str) -> Option<(&str, usize, Option<usize>, Option<usize>)> {
    let base = name.strip_prefix("__")?.strip_suffix("_chk")?;
    Some(match base {
        "memcpy" | "memmove" | "mempcpy" | "memset" | "strncpy" | "stpncpy" => (base, 3, None, Some(2)),
        "strncat" => (base, 3, None, None),
        "strcpy" | "stpcpy" | "strcat" => (base, 2, None, None),
        "sprintf" | "vsprintf" => (base, 2, Some(1), None),
        "snprintf" | "vsnprintf" => (base, 3, Some(2), Some(1)),
        "printf" | "vprintf" => (base, usize::MAX, Some(0), None),
        "fprintf" | "vfprintf" => (base, usize::MAX, Some(1), None),
        _ => return None,
    })
}

/// Calls the plain function. A size that the compiler chose says nothing: the bounds are checked anyway.
fn with_size(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let Some((name, size, flag, len)) = unchecked(call.name) else { return unsupported(call.name) };
    if size != usize::MAX {
        let value = exec.integer_arg(call, size, 8 * exec.memory.pointer_size())?;
        let all = u64::MAX >> (64 - 8 * exec.memory.pointer_size());
        if !value.marks.has(Marks::OPEN) && value.low != all {
            let to = exec.pointer_arg(call, 0)?;
            let room =
                exec.memory.live(to.prov).map_or(0, |slot| slot.address + u64::from(slot.size) - to.low);
            match len {
                Some(len) if exec.size_arg(call, len)? > value.low => return Err(Stop::Abort),
                Some(_) => {}
                None if value.low < room => {
                    return unsupported(format!("'{}' with less than the object's size", call.name));
                }
                None => {}
            }
        }
    }
    let kept = |index: &usize| *index != size && Some(*index) != flag;
    let args: Vec<(Value, Type)> = (0..call.args.len()).filter(kept).map(|index| call.args[index]).collect();
    match find(name) {
        Some(native) => native(exec, &NativeCall { args: &args, name, ret: call.ret, result: call.result }),
        None => unsupported(call.name),
    }
}

/// A function's name as the library has it.
pub(super) fn base_name(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}

impl<'p> Exec<'p> {
    pub(super) fn call_native(
        &mut self,
        func: FuncId,
        call: &'p CallSite,
        args: &[(Value, Type)],
        pc: usize,
    ) -> Run<bool> {
        let program = self.program;
        let full = program.name(program.funcs[func].name);
        let name = base_name(full);
        match full {
            "setjmp" | "_setjmp" | "__builtin_setjmp" | "sigsetjmp" | "__sigsetjmp" => {
                let buffer = args.first().map_or(Value::UNINIT, |arg| arg.0);
                let before = self.read_id(&buffer, UbKind::LongjmpDead).unwrap_or(0);
                self.set_jump(&buffer, pc, call.dst, full == "__builtin_setjmp")?;
                self.replace_jump(before);
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
                let native = find(full);
                self.natives.insert(func, native);
                native
            }
        };
        let Some(native) = native else {
            if super::lib_names::is_library(program, &program.funcs[func]) {
                return unsupported(format!("the function '{full}'"));
            }
            return Err(Stop::BadProgram(format!("no definition of '{full}'")));
        };
        let ret = match program.types.kind(program.funcs[func].ty) {
            howler_lang::ty::TypeKind::Function(id) => program.types.signature(id).ret,
            _ => Type::INT,
        };
        let saved = self.seq.enter_call(call.recorded, self.pos, self.memory.serial);
        let object = match call.result {
            Some(spec) => {
                let pointer = self.make(spec)?;
                self.autos.push(pointer.prov);
                Some(pointer)
            }
            None => None,
        };
        let result = native(self, &NativeCall { args, name, ret, result: object });
        self.seq.leave_call(call.recorded, saved, &self.memory, u64::MAX);
        let value = match result {
            Ok(value) => value,
            Err(stop) => {
                // Unless it is a function of the program that the library called.
                if !self.keep_pos {
                    self.native = Some(name);
                }
                return Err(stop);
            }
        };
        if value.marks.has(Marks::LIBRARY) {
            self.remember_choice(name);
        }
        self.check_declared(name, ret, &value)?;
        if call.dst != NONE {
            self.set(call.dst, object.unwrap_or(value));
        }
        Ok(false)
    }

    /// Whether the program declares the function with the result it has (C17 7.1.4p2, 6.5.2.2p9).
    fn check_declared(&self, name: &str, ret: Type, value: &Value) -> Run<()> {
        let types = &self.program.types;
        let pointer = value.has_prov() && types.pointee(ret).is_none() && self.num(ret).is_some();
        let size =
            matches!(name, "strlen" | "strnlen" | "strspn" | "strcspn" | "fwrite" | "fread" | "wcslen")
                && self.num(ret).map(Num::width) != Some(8 * self.memory.pointer_size());
        if pointer || size { ub(UbKind::CallType) } else { Ok(()) }
    }

    /// An argument that must be a pointer.
    pub(super) fn pointer_arg(&self, call: &NativeCall<'_>, index: usize) -> Run<Value> {
        let value = call.arg(index)?;
        match self.program.types.pointee(call.args[index].1) {
            Some(_) => Ok(value),
            None => ub(UbKind::CallArguments),
        }
    }

    /// An argument that must be an integer of `width` bits; where it comes from may not matter.
    pub(super) fn integer_arg(&mut self, call: &NativeCall<'_>, index: usize, width: u32) -> Run<Value> {
        let value = call.arg(index)?;
        let num = self.num(call.args[index].1);
        if !matches!(num, Some(Num::Int { .. })) || num.is_some_and(|num| num.width() != width) {
            return ub(UbKind::CallArguments);
        }
        Ok(value)
    }

    /// An `int` that decides what is done.
    pub(super) fn int_arg(&mut self, call: &NativeCall<'_>, index: usize) -> Run<i32> {
        let value = self.integer_arg(call, index, 32)?;
        self.depend(value.marks);
        Ok((value.low as u32).cast_signed())
    }

    /// A `size_t` that decides what is done.
    pub(super) fn size_arg(&mut self, call: &NativeCall<'_>, index: usize) -> Run<u64> {
        let value = self.integer_arg(call, index, 8 * self.memory.pointer_size())?;
        self.depend(value.marks);
        Ok(value.low)
    }

    /// A floating argument of this format.
    pub(super) fn real_arg(&self, call: &NativeCall<'_>, index: usize, format: Format) -> Run<Value> {
        let value = call.arg(index)?;
        match self.num(call.args[index].1) {
            Some(Num::Float(given)) if given == format => Ok(value),
            _ => ub(UbKind::CallArguments),
        }
    }

    /// The numeric type of a type.
    pub(super) fn num(&self, ty: Type) -> Option<Num> {
        arith::num_of(&self.program.types, &self.program.target, ty)
    }

    /// What a pointer argument points to.
    pub(super) fn pointee_of(&self, call: &NativeCall<'_>, index: usize) -> Run<Type> {
        match call.args.get(index).and_then(|&(_, ty)| self.program.types.pointee(ty)) {
            Some(to) => Ok(to),
            None => ub(UbKind::CallArguments),
        }
    }

    /// The access that `*p` makes, `p` pointing to `ty`.
    pub(super) fn access_of(&self, ty: Type) -> Run<Access> {
        let types = &self.program.types;
        let rep = match types.kind(ty) {
            TypeKind::Bool => Rep::Bool,
            TypeKind::Int(kind) if kind.is_character() => Rep::Byte,
            TypeKind::Pointer(_) => Rep::Pointer,
            _ if crate::facts::is_aggregate(self.program, ty) => Rep::Aggregate,
            _ => Rep::Number,
        };
        let size = match types.kind(ty) {
            TypeKind::Float(kind) if arith::float_format(kind) == Format::X87 => Some(10),
            _ => self.program.size_of(ty),
        };
        let align = self.program.layouts.align_of(types, ty);
        let (Some(size), Some(align)) = (size, align) else {
            return unsupported("an access through a pointer to an incomplete type");
        };
        Ok(Access {
            update: Update::None,
            ty,
            root: Some(ty),
            root_bare: Some(types.strip(ty).bare()),
            size: u32::try_from(size).unwrap_or(u32::MAX),
            align: u32::try_from(align).unwrap_or(1),
            rep,
            volatile: types.quals(ty).contains(Quals::VOLATILE),
            member: None,
            restrict: false,
            punned: false,
            initial: false,
            bits: None,
        })
    }

    /// Reads the scalar of type `ty` that a pointer points to.
    pub(super) fn load_through(&mut self, pointer: &Value, ty: Type) -> Run<Value> {
        let access = self.access_of(ty)?;
        if access.rep == Rep::Aggregate {
            return unsupported("a library function or builtin that reads a whole aggregate");
        }
        let value = self.memory.load(self.program, pointer, pointer, &access)?;
        if access.volatile || self.seq.is_active() {
            self.observe_access(pointer, &access, &value, false)?;
        }
        Ok(value)
    }

    /// Writes the scalar of type `ty` that a pointer points to.
    pub(super) fn store_through(&mut self, pointer: &Value, ty: Type, value: &Value) -> Run<()> {
        let access = self.access_of(ty)?;
        if access.rep == Rep::Aggregate {
            return unsupported("a library function or builtin that writes a whole aggregate");
        }
        if access.volatile || self.seq.is_active() {
            self.observe_access(pointer, &access, value, true)?;
        }
        if access.volatile {
            self.depend(value.marks);
        }
        self.memory.store(self.program, pointer, pointer, &access, value)
    }

    /// Two ranges that a function copies between must not overlap.
    pub(super) fn check_apart(&self, to: &Value, to_len: u64, from: &Value, from_len: u64) -> Run<()> {
        let same = to.has_prov() && from.has_prov() && super::pointers::same_object(to, from);
        if same && to.low < from.low + from_len && from.low < to.low + to_len {
            return ub_about(UbKind::LibOverlap, to.prov, String::new());
        }
        Ok(())
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
        if !value.marks.minus(Marks::LIBRARY).is_empty() || value.low & ID_MARK != ID_MARK {
            return ub_about(otherwise, pointer.prov, String::new());
        }
        Ok(value.low & !ID_MARK)
    }

    /// The place of `len` characters that a library function reads or writes.
    pub(super) fn bytes_at(&mut self, pointer: &Value, len: u64, write: bool) -> Run<Place> {
        self.range_at(pointer, len, write, false)
    }

    /// The place of `len` bytes that a library function takes as memory and not as a string. A pointer to a member that
    /// was converted to `void *` reaches the whole allocation: compilers ask what the allocation holds, not the member.
    pub(super) fn memory_at(&mut self, pointer: &Value, len: u64, write: bool) -> Run<Place> {
        self.range_at(pointer, len, write, pointer.prov.wide)
    }

    fn range_at(&mut self, pointer: &Value, len: u64, write: bool, whole: bool) -> Run<Place> {
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
        if len > 0 && !whole && (offset < u64::from(prov.lo) || end > u64::from(prov.hi)) {
            // Within the object, beyond the member: compilers and the standard do not agree.
            if prov.wide {
                return if prov.lo == 0 && prov.hi == 0 {
                    Ok(Place { at: slot.data + offset as u32, offset: offset as u32, slot: prov.slot })
                } else {
                    unsupported("a library function that reaches beyond the member its pointer was made from")
                };
            }
            return ub_about(UbKind::LibBounds, prov, "it leaves the member it points into".to_owned());
        }
        let place = Place { at: slot.data + offset as u32, offset: offset as u32, slot: prov.slot };
        self.memory.charge(len);
        self.check_flags(&place, len, write, pointer)?;
        self.touch(pointer, len, write)?;
        if write {
            self.memory.note_store(place.slot);
        }
        Ok(place)
    }

    fn check_flags(&self, place: &Place, len: u64, write: bool, pointer: &Value) -> Run<()> {
        use crate::memory::shadow;
        let all = self.memory.shadow_of(place.at, len as u32);
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

    /// Begins to read bytes one by one.
    pub(super) fn text(&mut self, pointer: &Value) -> Run<Text> {
        let place = self.bytes_at(pointer, 1, false)?;
        let end = if pointer.prov.wide { self.memory.slot(place.slot).size } else { pointer.prov.hi };
        Ok(Text { pointer: *pointer, at: place.at, room: end.saturating_sub(place.offset), read: 0 })
    }

    /// The next byte.
    pub(super) fn next_byte(&mut self, text: &mut Text) -> Run<u8> {
        if text.read >= text.room {
            return ub_about(UbKind::LibUnterminated, text.pointer.prov, String::new());
        }
        let value = self.memory.read_number(text.at + text.read, 1);
        if !value.marks.is_empty() {
            if value.marks.has(Marks::UNINIT) {
                return ub_about(UbKind::Uninit, text.pointer.prov, String::new());
            }
            self.depend(value.marks);
        }
        text.read += 1;
        Ok(value.low as u8)
    }

    /// The bytes read so far were accessed.
    pub(super) fn end_text(&mut self, text: &Text) -> Run<()> {
        // Byte by byte costs more than as a whole.
        self.memory.charge(16 * u64::from(text.read));
        self.bytes_at(&text.pointer, u64::from(text.read), false).map(|_| ())
    }

    /// The bytes of a string, without the zero that ends it; at most so many.
    pub(super) fn string_at(&mut self, pointer: &Value, most: Option<u64>) -> Run<Vec<u8>> {
        let mut bytes = Vec::new();
        if most == Some(0) {
            // The pointer must be valid all the same (C17 7.24.1p2).
            return self.bytes_at(pointer, 0, false).map(|_| bytes);
        }
        let mut text = self.text(pointer)?;
        // Most strings are ordinary bytes up to a zero.
        let room = most.map_or(text.room, |most| u64::from(text.room).min(most) as u32);
        if let Some(len) = self.memory.plain_text(text.at, room) {
            bytes.extend_from_slice(self.memory.bytes(text.at, len));
            self.bytes_at(pointer, u64::from(len) + 1, false)?;
            return Ok(bytes);
        }
        while most.is_none_or(|most| u64::from(text.read) < most) {
            match self.next_byte(&mut text)? {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        self.end_text(&text)?;
        Ok(bytes)
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

/// Bytes that are read one by one.
pub(super) struct Text {
    pointer: Value,
    at: u32,
    room: u32,
    read: u32,
}

/// An `int` as a value.
pub(super) fn int(value: i32) -> Value {
    Value::int(u64::from(value.cast_unsigned()))
}

/// The pointer `distance` bytes further on, which stays inside.
pub(super) fn at(pointer: &Value, distance: u64) -> Value {
    Value { low: pointer.low.wrapping_add(distance), ..*pointer }
}

/// Marks the ids in `jmp_buf` and `va_list` objects.
pub(super) const ID_MARK: u64 = 0xc0de_0000 & 0xff00_0000;
