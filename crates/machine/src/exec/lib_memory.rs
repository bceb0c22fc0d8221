//! `<stdlib.h>`'s memory and `<string.h>`'s mem functions.

use super::Exec;
use super::library::{Native, NativeCall};
use crate::memory::{Death, Request, shadow};
use crate::outcome::{Limit, Run, Stop, ub, ub_about};
use crate::ub::UbKind;
use crate::value::{AllocKind, Marks, Value};

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "malloc" => malloc,
        "calloc" => calloc,
        "realloc" => realloc,
        "free" => free,
        "alloca" => alloca,
        "memcpy" | "mempcpy" => memcpy,
        "memmove" => memmove,
        "memset" => memset,
        "memcmp" | "bcmp" => memcmp,
        "memchr" => memchr,
        _ => return None,
    })
}

/// One allocation too large to be sure of.
const HUGE: u64 = 256 << 20;

fn allocate(exec: &mut Exec<'_>, size: u64, zeroed: bool) -> Run<Value> {
    if size > HUGE {
        return Err(Stop::Limit(Limit::Memory));
    }
    exec.memory.allocate(&Request {
        kind: AllocKind::Heap,
        size,
        align: 16,
        ty: None,
        retypable: true,
        object: None,
        pos: exec.pos,
        shadow: if zeroed { 0 } else { shadow::UNINIT },
    })
}

fn size_arg(exec: &mut Exec<'_>, call: &NativeCall<'_>, index: usize) -> Run<u64> {
    let value = call.arg(index)?;
    if value.marks.has(Marks::OPEN) {
        exec.depend(value.marks);
    }
    Ok(value.low)
}

fn malloc(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let size = size_arg(exec, call, 0)?;
    allocate(exec, size, false)
}

fn calloc(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (count, size) = (size_arg(exec, call, 0)?, size_arg(exec, call, 1)?);
    match count.checked_mul(size) {
        Some(size) => allocate(exec, size, true),
        None => Err(Stop::Limit(Limit::Memory)),
    }
}

/// The allocation that `free` and `realloc` are given.
fn owned(exec: &Exec<'_>, pointer: &Value) -> Run<u32> {
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
    let pointer = call.arg(0)?;
    if pointer.low == 0 && !pointer.has_prov() {
        return Ok(Value::int(0));
    }
    owned(exec, &pointer)?;
    exec.memory.release(pointer.prov, Death { pos: exec.pos, returned: false });
    Ok(Value::int(0))
}

fn realloc(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, size) = (call.arg(0)?, size_arg(exec, call, 1)?);
    if pointer.low == 0 && !pointer.has_prov() {
        return allocate(exec, size, false);
    }
    let old = owned(exec, &pointer)?;
    if size == 0 {
        return crate::outcome::unsupported("realloc with size 0");
    }
    let new = allocate(exec, size, false)?;
    let len = u64::from(old).min(size);
    if len > 0 {
        let from = exec.memory.place(&pointer, len as u32, 1)?;
        let to = exec.memory.place(&new, len as u32, 1)?;
        exec.memory.copy_bytes(&to, &from, len as u32);
    }
    exec.memory.release(pointer.prov, Death { pos: exec.pos, returned: false });
    Ok(new)
}

fn alloca(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let size = size_arg(exec, call, 0)?;
    exec.charge_stack(size)?;
    let pointer = exec.memory.allocate(&Request {
        kind: AllocKind::Alloca,
        size,
        align: 16,
        ty: None,
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

fn copy(exec: &mut Exec<'_>, call: &NativeCall<'_>, overlap: bool) -> Run<Value> {
    let (to, from, len) = (call.arg(0)?, call.arg(1)?, size_arg(exec, call, 2)?);
    let source = exec.bytes_at(&from, len, false)?;
    let target = exec.bytes_at(&to, len, true)?;
    if !overlap && len > 0 && u64::from(source.at.abs_diff(target.at)) < len {
        return ub_about(UbKind::LibOverlap, to.prov, String::new());
    }
    exec.memory.copy_bytes(&target, &source, len as u32);
    if call.name == "mempcpy" {
        return Ok(Value { low: to.low + len, ..to });
    }
    Ok(to)
}

fn memcpy(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    copy(exec, call, false)
}

fn memmove(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    copy(exec, call, true)
}

fn memset(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, byte, len) = (call.arg(0)?, call.arg(1)?, size_arg(exec, call, 2)?);
    let target = exec.bytes_at(&to, len, true)?;
    exec.memory.set(target.at, len as u32, byte.low as u8, byte.marks.intersection(Marks::OPEN));
    exec.memory.forget_types(&target, len as u32);
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
        std::cmp::Ordering::Less => Value { sign_only: true, ..Value::int(u64::from(u32::MAX)).marked(marks) },
        std::cmp::Ordering::Greater => Value { sign_only: true, ..Value::int(1).marked(marks) },
    }
}

fn memcmp(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (a, b, len) = (call.arg(0)?, call.arg(1)?, size_arg(exec, call, 2)?);
    let (x, y) = (exec.bytes_at(&a, len, false)?, exec.bytes_at(&b, len, false)?);
    let mut marks = Marks::NONE;
    for index in 0..len as u32 {
        let (p, first) = byte_at(exec, x.at + index)?;
        let (q, second) = byte_at(exec, y.at + index)?;
        marks = marks.union(first).union(second);
        if p != q {
            return Ok(sign(p.cmp(&q), marks));
        }
    }
    Ok(sign(std::cmp::Ordering::Equal, marks))
}

fn memchr(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, byte, len) = (call.arg(0)?, call.arg(1)?, size_arg(exec, call, 2)?);
    // It stops at the first match, so what follows need not exist.
    let place = exec.bytes_at(&pointer, len.min(1), false)?;
    let room = u64::from(exec.memory.slot(place.slot).size - place.offset);
    for index in 0..len.min(room) {
        let (found, marks) = byte_at(exec, place.at + index as u32)?;
        exec.depend(marks);
        if found == byte.low as u8 {
            return Ok(Value { low: pointer.low + index, ..pointer });
        }
    }
    if len > room {
        return ub_about(UbKind::LibBounds, pointer.prov, String::new());
    }
    Ok(Value::int(0))
}
