//! Numbers: `abs`, `div`, the conversions of `<stdlib.h>`, and the characters of `<ctype.h>`.

use super::Exec;
use super::lib_errno::ERANGE;
use super::library::{Native, NativeCall, at, int};
use crate::outcome::{Run, ub, unsupported};
use crate::text::ctype::{self, Class};
use crate::text::format::wide_byte;
use crate::text::scan::{self, Range};
use crate::ub::UbKind;
use crate::value::{Choice, Marks, Value};
use howler_lang::arith::{self, Format, Num};
use howler_lang::program::BinaryOp;
use howler_lang::ty::Type;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "abs" | "labs" | "llabs" | "imaxabs" => abs,
        "div" | "ldiv" | "lldiv" | "imaxdiv" => div,
        "atoi" | "atol" | "atoll" => atoi,
        "strtol" | "strtoll" | "strtoul" | "strtoull" | "strtoimax" | "strtoumax" => strtol,
        "__isoc23_strtol" | "__isoc23_strtoll" | "__isoc23_strtoul" | "__isoc23_strtoull" => strtol,
        "wcstol" | "wcstoll" | "wcstoul" | "wcstoull" | "wcstoimax" | "wcstoumax" => strtol,
        "atof" => atof,
        "strtod" | "strtof" | "strtold" | "wcstod" | "wcstof" | "wcstold" => strtod,
        "tolower" | "toupper" => change_case,
        "isascii" => isascii,
        "toascii" => toascii,
        _ if Class::of_function(name).is_some() => classify,
        _ => return None,
    })
}

/// How wide the `int`, `long` or `long long` is that a name's first letters say.
fn width_of(exec: &Exec<'_>, name: &str) -> u32 {
    let ty = if name.starts_with("ll") || name.starts_with("imax") {
        Type::LLONG
    } else if name.starts_with('l') {
        Type::LONG
    } else {
        Type::INT
    };
    exec.num(ty).map_or(32, Num::width)
}

fn num_of(width: u32, signed: bool) -> Num {
    Num::Int { width: u8::try_from(width).unwrap_or(64), signed }
}

fn abs(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let width = width_of(exec, call.name);
    let value = exec.integer_arg(call, 0, width)?;
    let num = num_of(width, true);
    let number = num.number(value.to_bits());
    if number == i128::MIN >> (128 - width) {
        return ub(UbKind::AbsOfMin);
    }
    Ok(Value::bits(number.unsigned_abs()).marked(value.marks.intersection(Marks::OPEN)))
}

fn div(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let width = width_of(exec, call.name);
    let (a, b) = (exec.integer_arg(call, 0, width)?, exec.integer_arg(call, 1, width)?);
    let num = num_of(width, true);
    let size = width / 8;
    let Some(result) = call.result else { return ub(UbKind::CallType) };
    let fits = exec.memory.live(result.prov).is_some_and(|slot| slot.size == 2 * size);
    if !fits {
        return ub(UbKind::CallType);
    }
    let marks = a.marks.union(b.marks).intersection(Marks::OPEN);
    for (index, op) in [(0, BinaryOp::Div), (1, BinaryOp::Rem)] {
        let bits = match arith::binary(op, num, a.to_bits(), b.to_bits()) {
            Ok(bits) => bits,
            Err(case) => return ub(UbKind::from(case)),
        };
        let place = exec.memory.place(&result, size, 1)?;
        exec.memory.write(place.at + index * size, size, &Value::bits(bits).marked(marks));
    }
    Ok(result)
}

fn atoi(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let width = width_of(exec, call.name.strip_prefix("ato").unwrap_or("i"));
    let pointer = exec.pointer_arg(call, 0)?;
    let text = exec.string_at(&pointer, None)?;
    match scan::whole_integer(&text, num_of(width, true)) {
        Some(bits) => Ok(Value::bits(bits)),
        None => ub(UbKind::AtoiRange),
    }
}

/// The text of a number, and how many bytes one of its characters has.
fn number_text(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<(Vec<u8>, usize)> {
    let pointer = exec.pointer_arg(call, 0)?;
    if !call.name.starts_with("wcs") {
        return Ok((exec.string_at(&pointer, None)?, 1));
    }
    // What is not ASCII ends a number in the "C" locale.
    let text = exec.wide_at(&pointer, None)?;
    Ok((text.iter().map_while(|&unit| wide_byte(unit)).collect(), 4))
}

/// Stores where the rest of the text begins.
fn put_end(exec: &mut Exec<'_>, call: &NativeCall<'_>, text: &Value, end: usize) -> Run<()> {
    let to = exec.pointer_arg(call, 1)?;
    if !to.has_prov() && to.low == 0 {
        return Ok(());
    }
    let ty = exec.pointee_of(call, 1)?;
    exec.store_through(&to, ty, &at(text, end as u64))
}

fn strtol(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let rest = call.name.rsplit_once("sto").or(call.name.rsplit_once("rto")).map_or("l", |(_, rest)| rest);
    let (signed, kind) = match rest {
        "imax" => (true, "ll"),
        "umax" => (false, "ll"),
        _ => (!rest.starts_with('u'), rest.trim_start_matches('u')),
    };
    let width = width_of(exec, kind);
    let (pointer, base) = (exec.pointer_arg(call, 0)?, exec.int_arg(call, 2)?);
    let (text, size) = number_text(exec, call)?;
    let Some(found) = scan::integer(&text, base, num_of(width, signed)) else {
        return unsupported(format!("{} with base {base}", call.name));
    };
    put_end(exec, call, &pointer, found.end * size)?;
    // C17 7.22.1.4p8.
    if found.overflow {
        exec.set_errno(ERANGE)?;
    }
    Ok(Value::bits(found.bits))
}

fn real(exec: &mut Exec<'_>, call: &NativeCall<'_>, format: Format) -> Run<(Value, usize)> {
    let (text, size) = number_text(exec, call)?;
    let found = scan::float(&text, format);
    if found.range == Range::Underflow {
        return unsupported("a number below the normal ones read from a text");
    }
    // C17 7.22.1.3p10.
    if found.range == Range::Overflow {
        exec.set_errno(ERANGE)?;
    }
    let value = Value::bits(found.bits);
    // Which NaN `nan(...)` names is the library's.
    Ok((
        if format.is_nan(found.bits) { value.marked(Marks::library(Choice::Bits)) } else { value },
        found.end * size,
    ))
}

fn strtod(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let format = match call.name {
        "strtof" | "wcstof" => Format::F32,
        "strtold" | "wcstold" => Format::X87,
        _ => Format::F64,
    };
    let (value, end) = real(exec, call, format)?;
    let pointer = exec.pointer_arg(call, 0)?;
    put_end(exec, call, &pointer, end)?;
    Ok(value)
}

fn atof(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (value, _) = real(exec, call, Format::F64)?;
    // C17 7.22.1p1: a value that cannot be represented is undefined.
    if arith::absolute(Format::F64, value.to_bits()) == Format::F64.infinity() {
        let pointer = exec.pointer_arg(call, 0)?;
        let text = exec.string_at(&pointer, None)?;
        if scan::float(&text, Format::F64).range == Range::Overflow {
            return ub(UbKind::AtoiRange);
        }
    }
    Ok(value)
}

fn classify(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let argument = exec.int_arg(call, 0)?;
    let Some(class) = Class::of_function(call.name) else { return unsupported(call.name) };
    match ctype::is(class, argument) {
        // "Nonzero (true)": any other value (C17 7.4.1p1).
        Some(true) => Ok(Value::int(1).marked(Marks::library(Choice::Nonzero))),
        Some(false) => Ok(Value::int(0)),
        None => ub(UbKind::CtypeRange),
    }
}

fn change_case(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let argument = exec.int_arg(call, 0)?;
    let changed = if call.name == "tolower" { ctype::to_lower(argument) } else { ctype::to_upper(argument) };
    match changed {
        Some(value) => Ok(int(value)),
        None => ub(UbKind::CtypeRange),
    }
}

fn isascii(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let argument = exec.int_arg(call, 0)?;
    Ok(if (0..128).contains(&argument) {
        Value::int(1).marked(Marks::library(Choice::Nonzero))
    } else {
        Value::int(0)
    })
}

fn toascii(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    Ok(int(exec.int_arg(call, 0)? & 0x7f))
}
