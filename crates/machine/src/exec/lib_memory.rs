//! `<stdlib.h>`'s memory and `<string.h>`'s mem functions.

use super::Exec;
use super::library::{Native, NativeCall, at};
use crate::memory::{Death, Request, shadow};
use crate::outcome::{Limit, Run, Stop, ub, ub_about, unsupported};
use crate::ub::UbKind;
use crate::value::{AllocKind, Choice, Marks, Value};

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "malloc" => malloc,
        "calloc" => calloc,
        "realloc" => realloc,
        "reallocarray" => reallocarray,
        "free" => free,
        "aligned_alloc" | "memalign" => aligned_alloc,
        "posix_memalign" => posix_memalign,
        "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => alloca,
        "memcpy" | "mempcpy" => memcpy,
        "memmove" => memmove,
        "memset" => memset,
        "memcmp" | "bcmp" => memcmp,
        "memchr" => memchr,
        "memrchr" => memrchr,
        "rawmemchr" => memchr,
        "memccpy" => memccpy,
        "memmem" => memmem,
        "bcopy" => bcopy,
        "bzero" => bzero,
        _ => return None,
    })
}

/// One allocation too large to be sure of.
const HUGE: u64 = 256 << 20;

/// Memory from the heap.
pub(super) fn allocate(exec: &mut Exec<'_>, size: u64, align: u32, zeroed: bool) -> Run<Value> {
    if size > HUGE {
        return Err(Stop::Limit(Limit::Memory));
    }
    let pointer = exec.memory.allocate(&Request {
        kind: AllocKind::Heap,
        size,
        align,
        ty: None,
        elem: None,
        retypable: true,
        object: None,
        pos: exec.pos,
        shadow: if zeroed { 0 } else { shadow::UNINIT },
    })?;
    exec.unsettle_errno();
    // A pointer to nothing may as well be null (C17 7.22.3p1).
    Ok(if size == 0 { pointer.marked(Marks::LIBRARY) } else { pointer })
}

fn malloc(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let size = exec.size_arg(call, 0)?;
    allocate(exec, size, 16, false)
}

fn calloc(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (count, size) = (exec.size_arg(call, 0)?, exec.size_arg(call, 1)?);
    match count.checked_mul(size) {
        Some(size) => allocate(exec, size, 16, true),
        None => Err(Stop::Limit(Limit::Memory)),
    }
}

/// The alignment asked for, if every library gives it.
fn alignment(align: u64) -> Run<u32> {
    match u32::try_from(align) {
        Ok(align) if align.is_power_of_two() && align <= 4096 => Ok(align.max(16)),
        _ => unsupported("an allocation with an alignment that is no power of two or above 4096"),
    }
}

fn aligned_alloc(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (align, size) = (exec.size_arg(call, 0)?, exec.size_arg(call, 1)?);
    allocate(exec, size, alignment(align)?, false)
}

fn posix_memalign(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, align, size) = (exec.pointer_arg(call, 0)?, exec.size_arg(call, 1)?, exec.size_arg(call, 2)?);
    let ty = exec.pointee_of(call, 0)?;
    let pointer = allocate(exec, size, alignment(align)?, false)?;
    exec.store_through(&to, ty, &pointer)?;
    Ok(Value::int(0))
}

/// The allocation that `free` and `realloc` are given.
pub(super) fn owned(exec: &Exec<'_>, pointer: &Value) -> Run<u32> {
    if !pointer.has_prov() {
        return ub(UbKind::BadFree);
    }
    let prov = pointer.prov;
    let Some(slot) = exec.memory.live(prov) else {
        let kind = if prov.kind == AllocKind::Heap { UbKind::DoubleFree } else { UbKind::BadFree };
        return ub_about(kind, prov, String::new());
    };
    if slot.kind != AllocKind::Heap || pointer.low != slot.address {
        return ub_about(UbKind::BadFree, prov, String::new());
    }
    Ok(slot.size)
}

fn free(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let pointer = exec.pointer_arg(call, 0)?;
    if pointer.low == 0 && !pointer.has_prov() {
        return Ok(Value::int(0));
    }
    owned(exec, &pointer)?;
    exec.memory.release(pointer.prov, Death { pos: exec.pos, returned: false });
    Ok(Value::int(0))
}

fn realloc(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, size) = (exec.pointer_arg(call, 0)?, exec.size_arg(call, 1)?);
    resize(exec, &pointer, size)
}

fn reallocarray(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let pointer = exec.pointer_arg(call, 0)?;
    match exec.size_arg(call, 1)?.checked_mul(exec.size_arg(call, 2)?) {
        Some(size) => resize(exec, &pointer, size),
        None => Err(Stop::Limit(Limit::Memory)),
    }
}

fn resize(exec: &mut Exec<'_>, pointer: &Value, size: u64) -> Run<Value> {
    if pointer.low == 0 && !pointer.has_prov() {
        return allocate(exec, size, 16, false);
    }
    let old = owned(exec, pointer)?;
    if size == 0 {
        return unsupported("realloc with size 0");
    }
    let death = Death { pos: exec.pos, returned: false };
    if let Some(new) = exec.memory.resize(pointer.prov, size, death)? {
        return Ok(new);
    }
    let new = allocate(exec, size, 16, false)?;
    let len = u64::from(old).min(size);
    if len > 0 {
        let from = exec.memory.place(pointer, len as u32, 1)?;
        let to = exec.memory.place(&new, len as u32, 1)?;
        exec.memory.copy_bytes(exec.program, &to, &from, len as u32);
    }
    exec.memory.release(pointer.prov, death);
    Ok(new)
}

fn alloca(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let size = exec.size_arg(call, 0)?;
    // The alignment of `__builtin_alloca_with_align` is in bits.
    let align = if call.name == "alloca" { 16 } else { alignment(exec.size_arg(call, 1)? / 8)? };
    exec.charge_stack(size)?;
    let pointer = exec.memory.allocate(&Request {
        kind: AllocKind::Alloca,
        size,
        align,
        ty: None,
        elem: None,
        retypable: true,
        object: None,
        pos: exec.pos,
        shadow: shadow::UNINIT,
    })?;
    if let Some(frame) = exec.frames.last_mut() {
        frame.allocas.push(pointer.prov);
    }
    Ok(pointer)
}

pub(super) fn copy_range(exec: &mut Exec<'_>, to: &Value, from: &Value, len: u64, overlap: bool) -> Run<()> {
    let source = exec.memory_at(from, len, false)?;
    let target = exec.memory_at(to, len, true)?;
    if !overlap {
        exec.check_apart(to, len, from, len)?;
    }
    exec.memory.copy_bytes(exec.program, &target, &source, len as u32);
    Ok(())
}

fn copy(exec: &mut Exec<'_>, call: &NativeCall<'_>, overlap: bool) -> Run<Value> {
    let (to, from, len) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?, exec.size_arg(call, 2)?);
    copy_range(exec, &to, &from, len, overlap)?;
    Ok(if call.name == "mempcpy" { at(&to, len) } else { to })
}

fn memcpy(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    copy(exec, call, false)
}

fn memmove(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    copy(exec, call, true)
}

fn bcopy(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (from, to, len) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?, exec.size_arg(call, 2)?);
    copy_range(exec, &to, &from, len, true)?;
    Ok(Value::int(0))
}

fn memccpy(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, from) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?);
    let (byte, len) = (exec.int_arg(call, 2)? as u8, exec.size_arg(call, 3)?);
    let found = find_byte(exec, &from, byte, len)?;
    let len = found.map_or(len, |index| index + 1);
    copy_range(exec, &to, &from, len, false)?;
    Ok(if found.is_some() { at(&to, len) } else { Value::int(0) })
}

fn set(exec: &mut Exec<'_>, to: &Value, byte: &Value, len: u64) -> Run<()> {
    let target = exec.memory_at(to, len, true)?;
    exec.memory.set(target.at, len as u32, byte.low as u8, byte.marks.intersection(Marks::OPEN));
    exec.memory.forget_types(&target, len as u32);
    Ok(())
}

fn memset(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, byte, len) =
        (exec.pointer_arg(call, 0)?, exec.integer_arg(call, 1, 32)?, exec.size_arg(call, 2)?);
    set(exec, &to, &byte, len)?;
    Ok(to)
}

fn bzero(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, len) = (exec.pointer_arg(call, 0)?, exec.size_arg(call, 1)?);
    set(exec, &to, &Value::int(0), len)?;
    Ok(to)
}

/// A byte as a library function sees it.
fn byte_at(exec: &mut Exec<'_>, at: u32) -> Run<(u8, Marks)> {
    let value = exec.memory.read_number(at, 1);
    if value.marks.has(Marks::UNINIT) {
        return ub(UbKind::Uninit);
    }
    Ok((value.low as u8, value.marks.intersection(Marks::OPEN)))
}

/// The sign of a comparison: only that is known (C17 7.24.4).
pub(super) fn sign(ordering: std::cmp::Ordering, marks: Marks) -> Value {
    match ordering {
        std::cmp::Ordering::Equal => Value::int(0).marked(marks),
        std::cmp::Ordering::Less => {
            Value::int(u64::from(u32::MAX)).marked(marks.union(Marks::library(Choice::Magnitude)))
        }
        std::cmp::Ordering::Greater => Value::int(1).marked(marks.union(Marks::library(Choice::Magnitude))),
    }
}

fn memcmp(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (a, b, len) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?, exec.size_arg(call, 2)?);
    let (x, y) = (exec.memory_at(&a, len, false)?, exec.memory_at(&b, len, false)?);
    let (mut marks, mut first) = (Marks::NONE, std::cmp::Ordering::Equal);
    let mut index = 0;
    while index < len as u32 {
        let (p, q) = (x.at + index, y.at + index);
        let rest = len as u32 - index;
        let (step, open, differ) = match pointers_differ(exec, p, q, rest) {
            Some((size, differ)) => (size, if differ { Marks::ADDRESS } else { Marks::NONE }, differ),
            None => {
                let ((v, first), (w, second)) = (byte_at(exec, p)?, byte_at(exec, q)?);
                let open = first.union(second);
                (1, open, v != w && open.is_empty())
            }
        };
        if first == std::cmp::Ordering::Equal {
            first = exec.memory.bytes(p, step).cmp(exec.memory.bytes(q, step));
        }
        if differ && marks.union(open).is_empty() {
            return Ok(sign(first, Marks::NONE));
        }
        if differ {
            // They are not equal for certain; which is the greater depends on what is open.
            let result = sign(first, Marks::NONE);
            return Ok(Value { marks: Marks::library(Choice::Nonzero), ..result });
        }
        marks = marks.union(open);
        index += step;
    }
    Ok(sign(first, marks))
}

/// Whether two whole pointers stored in memory differ, if that follows from what they point to: their size, and the
/// answer. Objects that live are apart, and one object is where it is.
fn pointers_differ(exec: &Exec<'_>, a: u32, b: u32, rest: u32) -> Option<(u32, bool)> {
    let size = exec.memory.pointer_size();
    let has = |at: u32| exec.memory.shadows(at, size).all(|byte| byte & shadow::POINTER != 0);
    if rest < size || !(has(a) || has(b)) {
        return None;
    }
    let (p, q) = (exec.memory.read_pointer(a), exec.memory.read_pointer(b));
    if p.marks.union(q.marks).has(Marks::UNINIT.union(Marks::OPEN)) {
        return None;
    }
    let same = match (p.has_prov(), q.has_prov()) {
        (true, true) if super::pointers::same_object(&p, &q) => p.low == q.low,
        (true, true) => {
            let apart = |value: &Value| exec.memory.live(value.prov).is_some() && !exec.is_past(value);
            if !(apart(&p) && apart(&q)) {
                return None;
            }
            false
        }
        // Nothing is at address 0.
        (true, false) if q.low == 0 => false,
        (false, true) if p.low == 0 => false,
        _ => return None,
    };
    Some((size, !same))
}

/// Where a byte is found first; it stops there, so what follows need not exist (C17 7.24.5.1p2).
fn find_byte(exec: &mut Exec<'_>, pointer: &Value, wanted: u8, len: u64) -> Run<Option<u64>> {
    if len == 0 {
        return exec.bytes_at(pointer, 0, false).map(|_| None);
    }
    let mut text = exec.text(pointer)?;
    let mut found = None;
    for index in 0..len {
        if exec.next_byte(&mut text)? == wanted {
            found = Some(index);
            break;
        }
    }
    exec.end_text(&text)?;
    Ok(found)
}

fn memchr(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, byte) = (exec.pointer_arg(call, 0)?, exec.int_arg(call, 1)? as u8);
    let len = if call.name == "rawmemchr" { u64::MAX } else { exec.size_arg(call, 2)? };
    let found = find_byte(exec, &pointer, byte, len)?;
    Ok(found.map_or(Value::int(0), |index| at(&pointer, index)))
}

/// All of a range's bytes.
fn range(exec: &mut Exec<'_>, pointer: &Value, len: u64) -> Run<Vec<u8>> {
    let place = exec.memory_at(pointer, len, false)?;
    let mut bytes = Vec::new();
    for index in 0..len as u32 {
        let (byte, marks) = byte_at(exec, place.at + index)?;
        exec.depend(marks);
        bytes.push(byte);
    }
    Ok(bytes)
}

fn memrchr(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, byte, len) =
        (exec.pointer_arg(call, 0)?, exec.int_arg(call, 1)? as u8, exec.size_arg(call, 2)?);
    let found = range(exec, &pointer, len)?.iter().rposition(|&other| other == byte);
    Ok(found.map_or(Value::int(0), |index| at(&pointer, index as u64)))
}

fn memmem(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, len) = (exec.pointer_arg(call, 0)?, exec.size_arg(call, 1)?);
    let (part, part_len) = (exec.pointer_arg(call, 2)?, exec.size_arg(call, 3)?);
    let (bytes, part) = (range(exec, &pointer, len)?, range(exec, &part, part_len)?);
    let found =
        if part.is_empty() { Some(0) } else { bytes.windows(part.len()).position(|window| window == part) };
    Ok(found.map_or(Value::int(0), |index| at(&pointer, index as u64)))
}
