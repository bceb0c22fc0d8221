//! Characters: the functions of `<wctype.h>`, and the tables that glibc's `<ctype.h>` reads by its macros.

use super::Exec;
use super::library::{Native, NativeCall, int};
use crate::memory::Request;
use crate::outcome::{Run, unsupported};
use crate::text::ctype::{self, Class};
use crate::value::{AllocKind, Choice, Marks, Value};
use howler_lang::source::Pos;
use howler_lang::ty::Type;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "__ctype_b_loc" => classes,
        "__ctype_tolower_loc" => lower,
        "__ctype_toupper_loc" => upper,
        "towlower" | "towupper" => change_case,
        _ if class_of(name).is_some() => classify,
        _ => return None,
    })
}

/// The class that a function of `<wctype.h>` tests: `iswalpha` as `isalpha`.
fn class_of(name: &str) -> Option<Class> {
    let rest = name.strip_prefix("isw")?;
    Class::ALL.into_iter().find(|class| class.function().strip_prefix("is") == Some(rest))
}

/// An argument of a `<wctype.h>` function as a byte. Beyond ASCII the "C" locale of glibc has no classes.
fn wide_arg(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<(u32, Option<u8>)> {
    let value = exec.int_arg(call, 0)?.cast_unsigned();
    Ok((value, u8::try_from(value).ok().filter(u8::is_ascii)))
}

fn classify(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let Some(class) = class_of(call.name) else { return unsupported(call.name) };
    let holds = wide_arg(exec, call)?.1.is_some_and(|byte| class.has(byte));
    // Nonzero (true): any other value (C17 7.30.2.1p1).
    Ok(if holds { Value::int(1).marked(Marks::library(Choice::Nonzero)) } else { Value::int(0) })
}

fn change_case(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (value, byte) = wide_arg(exec, call)?;
    let lower = call.name == "towlower";
    let changed = byte.map(|byte| if lower { byte.to_ascii_lowercase() } else { byte.to_ascii_uppercase() });
    Ok(Value::int(u64::from(changed.map_or(value, u32::from))))
}

/// A pointer to a pointer to the element for 0 of a table of 384, which begins with that for -128.
fn table(exec: &mut Exec<'_>, name: &'static str, ty: Type, element: impl Fn(i32) -> i32) -> Run<Value> {
    if let Some(&(_, known)) = exec.tables.iter().find(|(other, _)| *other == name) {
        return Ok(known);
    }
    let size = u32::try_from(exec.program.size_of(ty).unwrap_or(4)).unwrap_or(4);
    let request = Request {
        kind: AllocKind::Static,
        size: 384 * u64::from(size),
        align: 16,
        ty: None,
        elem: Some((ty, size)),
        retypable: false,
        object: None,
        pos: Pos::NONE,
        shadow: 0,
    };
    let elements = exec.memory.allocate(&request)?;
    let place = exec.memory.place(&elements, 384 * size, 1)?;
    for (index, argument) in (-128..256).enumerate() {
        let value = int(element(argument));
        exec.memory.write(place.at + index as u32 * size, size, &value);
    }
    let zero = Value { low: elements.low + 128 * u64::from(size), ..elements };
    let pointer_size = exec.memory.pointer_size();
    let pointer = exec.memory.allocate(&Request {
        size: u64::from(pointer_size),
        elem: None,
        retypable: true,
        ..request
    })?;
    let place = exec.memory.place(&pointer, pointer_size, 1)?;
    exec.memory.write(place.at, pointer_size, &zero);
    exec.tables.push((name, pointer));
    Ok(pointer)
}

/// glibc's bits for the classes, as its header numbers them on machines with the low byte first.
fn class_bits(argument: i32) -> i32 {
    const BITS: [(Class, i32); 12] = [
        (Class::Upper, 0x100),
        (Class::Lower, 0x200),
        (Class::Alpha, 0x400),
        (Class::Digit, 0x800),
        (Class::Xdigit, 0x1000),
        (Class::Space, 0x2000),
        (Class::Print, 0x4000),
        (Class::Graph, 0x8000),
        (Class::Blank, 0x1),
        (Class::Cntrl, 0x2),
        (Class::Punct, 0x4),
        (Class::Alnum, 0x8),
    ];
    let has = |class: Class| ctype::is(class, argument) == Some(true);
    BITS.iter().filter(|(class, _)| has(*class)).fold(0, |all, (_, bit)| all | bit)
}

fn classes(exec: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    table(exec, "__ctype_b_loc", Type::USHORT, class_bits)
}

/// A character in the other case; what is none stays, and below -1 stands what belongs to the byte.
fn changed(argument: i32, change: fn(i32) -> Option<i32>) -> i32 {
    let byte = if argument < -1 { argument + 256 } else { argument };
    change(byte).unwrap_or(byte)
}

fn lower(exec: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    table(exec, "__ctype_tolower_loc", Type::INT, |argument| changed(argument, ctype::to_lower))
}

fn upper(exec: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    table(exec, "__ctype_toupper_loc", Type::INT, |argument| changed(argument, ctype::to_upper))
}
