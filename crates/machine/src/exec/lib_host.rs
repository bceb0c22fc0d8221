//! What a program can ask its host for: random numbers, the time, the environment, the locale. The answers are open: a
//! program may have them, and must not act on them.

use super::Exec;
use super::library::{Native, NativeCall, int};
use crate::outcome::{Run, ub, unsupported};
use crate::ub::UbKind;
use crate::value::{AllocKind, Marks, Value};
use howler_lang::arith::Num;
use howler_lang::ty::{IntKind, Type, TypeKind};

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "rand" | "random" | "lrand48" => random,
        "rand_r" => rand_r,
        "srand" | "srandom" => seed,
        "time" => time,
        "clock" => clock,
        "difftime" => difftime,
        "getenv" | "secure_getenv" => getenv,
        "setlocale" => setlocale,
        "raise" => raise,
        "fegetround" => fegetround,
        "__ctype_get_mb_cur_max" => one_byte,
        _ => return None,
    })
}

/// Any value that is not negative.
fn open_number(width: u32) -> Value {
    Value::int(7).with_open_bits((1 << (width - 1)) - 1)
}

/// From 0 to `RAND_MAX` (C17 7.22.2.1p2), which is the greatest int.
fn random(_: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    Ok(open_number(32))
}

fn rand_r(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, ty) = (exec.pointer_arg(call, 0)?, exec.pointee_of(call, 0)?);
    exec.load_through(&pointer, ty)?;
    exec.store_through(&pointer, ty, &Value::int(0).marked(Marks::LIBRARY))?;
    Ok(open_number(32))
}

fn seed(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    // Where the seed comes from does not matter: what it leads to is open anyway.
    exec.integer_arg(call, 0, 32)?;
    Ok(Value::int(0))
}

/// The width of `long`, which `time_t` and `clock_t` are.
fn long(exec: &Exec<'_>) -> u32 {
    exec.num(Type::LONG).map_or(64, Num::width)
}

fn time(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let pointer = exec.pointer_arg(call, 0)?;
    let value = Value::int(1).marked(Marks::LIBRARY);
    if pointer.has_prov() || pointer.low != 0 {
        let ty = exec.pointee_of(call, 0)?;
        if !matches!(exec.program.types.kind(ty), TypeKind::Int(IntKind::Long)) {
            return ub(UbKind::CallType);
        }
        exec.store_through(&pointer, ty, &value)?;
    }
    Ok(value)
}

fn clock(_: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    Ok(Value::int(1).marked(Marks::LIBRARY))
}

/// The difference in seconds (C17 7.27.2.2p2); glibc subtracts exactly and rounds once.
fn difftime(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let width = long(exec);
    let (a, b) = (exec.integer_arg(call, 0, width)?, exec.integer_arg(call, 1, width)?);
    let num = Num::Int { width: u8::try_from(width).unwrap_or(64), signed: true };
    let difference = num.number(a.to_bits()) - num.number(b.to_bits());
    let exact = i32::try_from(difference);
    let Ok(exact) = exact else { return unsupported("difftime of more than 68 years") };
    let bits = u128::from(f64::from(exact).to_bits());
    Ok(Value::bits(bits).marked(a.marks.union(b.marks).intersection(Marks::OPEN)))
}

/// A null pointer or a text: which, and what text, is the host's.
fn getenv(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let name = exec.pointer_arg(call, 0)?;
    exec.string_at(&name, None)?;
    let text = exec.static_bytes(b"\0", AllocKind::String)?;
    exec.leave_open(&text);
    exec.library_texts.push((text.prov.slot, "getenv"));
    Ok(text.marked(Marks::LIBRARY))
}

/// There is the locale "C", which every program starts with (C17 7.11.1.1p4), and no other.
fn setlocale(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    exec.int_arg(call, 0)?;
    let name = exec.pointer_arg(call, 1)?;
    if name.has_prov() || name.low != 0 {
        let text = exec.string_at(&name, None)?;
        if !matches!(&text[..], b"C" | b"POSIX") {
            return unsupported(format!("the locale \"{}\"", String::from_utf8_lossy(&text)));
        }
    }
    exec.library_text("setlocale", "C")
}

/// Without a handler SIGABRT ends the program as abort does.
fn raise(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    match exec.int_arg(call, 0)? {
        6 => Err(crate::outcome::Stop::Abort),
        number => unsupported(format!("raise({number})")),
    }
}

/// The rounding direction cannot be changed here.
fn fegetround(_: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    Ok(int(0))
}

/// `MB_CUR_MAX` in the "C" locale.
fn one_byte(_: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    Ok(Value::int(1))
}
