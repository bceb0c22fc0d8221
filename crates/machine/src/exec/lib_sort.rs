//! `qsort` and `bsearch`, which call back into the program.

use super::Exec;
use super::library::{Native, NativeCall, at};
use crate::memory::{Request, shadow};
use crate::outcome::{Limit, Run, Stop, ub};
use crate::ub::UbKind;
use crate::value::{AllocKind, Prov, Value};
use howler_lang::ty::{Quals, Type, TypeKind};
use std::cmp::Ordering;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "qsort" => qsort,
        "bsearch" => bsearch,
        _ => return None,
    })
}

/// A comparison function and how it is called.
struct Comparer {
    function: Value,
    params: [Type; 2],
}

impl Comparer {
    fn of(exec: &Exec<'_>, call: &NativeCall<'_>, index: usize) -> Run<Comparer> {
        let function = exec.pointer_arg(call, index)?;
        let types = &exec.program.types;
        let TypeKind::Function(id) = types.kind(exec.pointee_of(call, index)?) else {
            return ub(UbKind::CallArguments);
        };
        let signature = types.signature(id);
        match signature.params[..] {
            [a, b] => {
                let constant = |ty: Type| {
                    types.pointee(ty).is_some_and(|to| types.is_void(to) && types.quals(to) == Quals::CONST)
                };
                // Without a prototype of qsort it has the type of the argument, which must be that of the parameter.
                if !constant(a) || !constant(b) {
                    exec.letter(UbKind::CallAlike, Prov::default())?;
                }
                Ok(Comparer { function, params: [a, b] })
            }
            _ => ub(UbKind::CallArguments),
        }
    }

    /// The order of two elements. How often it is asked for is the library's choice, so the function should do
    /// nothing else.
    fn compare(&self, exec: &mut Exec<'_>, a: &Value, b: &Value) -> Run<Ordering> {
        let args = [(*a, self.params[0]), (*b, self.params[1])];
        exec.check_callback(&self.function, &self.params, Type::INT)?;
        let saved = exec.seq.enter_call(true, exec.pos, exec.memory.serial);
        if let Some(recorder) = &mut exec.recorder {
            recorder.in_library(true);
        }
        let result = exec.call_back(&self.function, &args);
        if let Some(recorder) = &mut exec.recorder {
            recorder.in_library(false);
        }
        let effects = exec.seq.leave_watched(saved);
        let value = result?;
        if effects.is_some_and(|set| set.has_effects(&exec.memory)) {
            let why = "how often and with which elements the function is called is open (C17 7.22.5p3)";
            exec.note_choice(why.to_owned());
        }
        let number = (value.low as u32).cast_signed();
        exec.depend(value.marks.against_zero(false));
        Ok(number.cmp(&0))
    }
}

/// Their order is kept beside them while they are sorted.
const MOST_ELEMENTS: u64 = 1 << 24;

fn qsort(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (base, count, size) = (exec.pointer_arg(call, 0)?, exec.size_arg(call, 1)?, exec.size_arg(call, 2)?);
    let comparer = Comparer::of(exec, call, 3)?;
    let Some(len) = count.checked_mul(size) else { return ub(UbKind::LibBounds) };
    let place = exec.memory_at(&base, len, true)?;
    if len == 0 {
        return Ok(Value::int(0));
    }
    if count > MOST_ELEMENTS {
        return Err(Stop::Limit(Limit::Memory));
    }
    let element = |index: usize| at(&base, index as u64 * size);
    // The elements stay where they are until their order is known.
    let mut order: Vec<usize> = (0..count as usize).collect();
    let mut width = 1;
    while width < order.len() {
        let mut merged = Vec::with_capacity(order.len());
        for pair in order.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let (&[a, ref rest_a @ ..], &[b, ref rest_b @ ..]) = (left, right) {
                if comparer.compare(exec, &element(a), &element(b))? == Ordering::Greater {
                    merged.push(b);
                    right = rest_b;
                } else {
                    merged.push(a);
                    left = rest_a;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        order = merged;
        width *= 2;
    }
    check_order(exec, &comparer, &order, &element, size as u32, place.at)?;
    let copy = exec.memory.allocate(&Request {
        kind: AllocKind::Heap,
        size: len,
        align: 16,
        ty: None,
        elem: None,
        retypable: true,
        object: None,
        pos: exec.pos,
        shadow: shadow::UNINIT,
    })?;
    let (len, size) = (u32::try_from(len).map_err(|_| Stop::Limit(Limit::Memory))?, size as u32);
    let target = exec.memory.place(&copy, len, 1)?;
    exec.memory.copy_bytes(exec.program, &target, &place, len);
    for (to, &from) in order.iter().enumerate() {
        let shifted = |place: &crate::memory::access::Place, index: usize| {
            let distance = index as u32 * size;
            crate::memory::access::Place {
                at: place.at + distance,
                offset: place.offset + distance,
                slot: place.slot,
            }
        };
        exec.memory.copy_bytes(exec.program, &shifted(&place, to), &shifted(&target, from), size);
    }
    exec.memory.release(copy.prov, crate::memory::Death { pos: exec.pos, returned: false });
    Ok(Value::int(0))
}

/// Up to this many elements all pairs are compared; of more, those at some distances.
const ALL_PAIRS: usize = 200;

/// Every element must compare with those behind it as their places say, both ways (C17 7.22.5p4). Neighbours that are
/// equal must not differ, or their order is open.
fn check_order(
    exec: &mut Exec<'_>,
    comparer: &Comparer,
    order: &[usize],
    element: &dyn Fn(usize) -> Value,
    size: u32,
    start: u32,
) -> Run<()> {
    for (place, &first) in order.iter().enumerate() {
        let mut distance = 1;
        while let Some(&second) = order.get(place + distance) {
            let (a, b) = (element(first), element(second));
            let forth = comparer.compare(exec, &a, &b)?;
            if forth == Ordering::Greater || comparer.compare(exec, &b, &a)? != forth.reverse() {
                return ub(UbKind::QsortOrder);
            }
            let bytes = |index: usize| exec.memory.bytes(start + index as u32 * size, size);
            if forth == Ordering::Equal && bytes(first) != bytes(second) {
                exec.note_choice(
                    "the order of elements that compare equal is open (C17 7.22.5.2p4)".to_owned(),
                );
            }
            distance = if order.len() <= ALL_PAIRS { distance + 1 } else { 2 * distance };
        }
    }
    Ok(())
}

fn bsearch(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (key, base) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?);
    let (count, size) = (exec.size_arg(call, 2)?, exec.size_arg(call, 3)?);
    let comparer = Comparer::of(exec, call, 4)?;
    let Some(len) = count.checked_mul(size) else { return ub(UbKind::LibBounds) };
    exec.memory_at(&base, len, false)?;
    let mut found = None;
    let mut last = Ordering::Greater;
    for index in 0..count {
        let element = at(&base, index * size);
        let way = comparer.compare(exec, &key, &element)?;
        // Elements below the key, then those that match, then those above (C17 7.22.5.1p2).
        if way > last {
            return ub(UbKind::QsortOrder);
        }
        last = way;
        if way == Ordering::Equal {
            if found.is_some() {
                exec.note_choice(
                    "which of the elements that match is found is open (C17 7.22.5.1p4)".to_owned(),
                );
            }
            found.get_or_insert(element);
        }
    }
    Ok(found.unwrap_or(Value::int(0)))
}
