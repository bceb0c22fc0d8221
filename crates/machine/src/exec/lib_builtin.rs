//! Functions that only the compilers have: bit operations, checked arithmetic, hints.

use super::Exec;
use super::library::{Native, NativeCall};
use crate::outcome::{Run, ub, ub_about};
use crate::ub::UbKind;
use crate::value::{Marks, Value};
use howler_lang::arith::{self, BitOp, Checked, Num};
use howler_lang::ty::Type;

/// The function `__builtin_name`.
pub(super) fn find(name: &str) -> Option<Native> {
    if bit_op(name).is_some() {
        return Some(bits);
    }
    if checked_op(name).is_some() {
        return Some(overflow);
    }
    Some(match name {
        "unreachable" => unreachable,
        "expect" | "expect_with_probability" => expect,
        "prefetch" | "__clear_cache" => nothing,
        "ia32_lfence" | "ia32_mfence" | "ia32_sfence" | "ia32_pause" => nothing,
        "ia32_crc32qi" | "ia32_crc32hi" | "ia32_crc32si" | "ia32_crc32di" => crc32,
        "object_size" | "dynamic_object_size" => object_size,
        "assume_aligned" => assume_aligned,
        _ => return None,
    })
}

/// Functions of the compiler without that prefix, and bit operations that the library has too.
pub(super) fn find_whole(name: &str) -> Option<Native> {
    Some(match name {
        "ffs" | "ffsl" | "ffsll" => bits,
        "__sync_synchronize" | "__atomic_thread_fence" | "__atomic_signal_fence" => nothing,
        "__atomic_test_and_set" => test_and_set,
        "__atomic_clear" => clear,
        _ => return None,
    })
}

fn nothing(_: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    Ok(Value::int(0))
}

fn unreachable(_: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    ub(UbKind::Unreachable)
}

fn expect(_: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    call.arg(0)
}

/// A bit operation and the width of its operand if the name says it.
fn bit_op(name: &str) -> Option<BitOp> {
    const OPS: [(&str, BitOp); 6] = [
        ("popcount", BitOp::Popcount),
        ("parity", BitOp::Parity),
        ("clrsb", BitOp::Clrsb),
        ("clz", BitOp::Clz),
        ("ctz", BitOp::Ctz),
        ("ffs", BitOp::Ffs),
    ];
    if matches!(name, "bswap16" | "bswap32" | "bswap64" | "bswap128") {
        return Some(BitOp::Bswap);
    }
    let found = |rest: &str| matches!(rest, "" | "l" | "ll" | "imax");
    OPS.iter().find(|(base, _)| name.strip_prefix(base).is_some_and(found)).map(|&(_, op)| op)
}

fn bits(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let value = call.arg(0)?;
    let (Some(op), Some(num)) = (bit_op(call.name), exec.num(call.args[0].1)) else {
        return ub(UbKind::CallArguments);
    };
    match arith::bit_operation(op, num, value.to_bits()) {
        Some(bits) => Ok(Value::bits(bits).marked(value.marks.intersection(Marks::OPEN))),
        None => ub(UbKind::BitScanOfZero),
    }
}

/// `saddl_overflow` and its like.
fn checked_op(name: &str) -> Option<Checked> {
    let rest = name.strip_prefix(['s', 'u'])?.strip_suffix("_overflow")?;
    let (op, size) = rest.split_at_checked(3)?;
    if !matches!(size, "" | "l" | "ll") {
        return None;
    }
    match op {
        "add" => Some(Checked::Add),
        "sub" => Some(Checked::Sub),
        "mul" => Some(Checked::Mul),
        _ => None,
    }
}

fn overflow(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let Some(op) = checked_op(call.name) else { return ub(UbKind::CallArguments) };
    let (a, b, to) = (call.arg(0)?, call.arg(1)?, exec.pointer_arg(call, 2)?);
    let ty = exec.pointee_of(call, 2)?;
    exec.checked_store(op, (&a, call.args[0].1), (&b, call.args[1].1), &to, ty)
}

impl Exec<'_> {
    /// Computes exactly, stores what fits the result's type, and says whether it did not.
    pub(super) fn checked_store(
        &mut self,
        op: Checked,
        a: (&Value, Type),
        b: (&Value, Type),
        to: &Value,
        ty: Type,
    ) -> Run<Value> {
        let (value, wraps) = self.checked(op, a, b, ty)?;
        self.store_through(to, ty, &value)?;
        Ok(wraps)
    }

    /// The result in type `ty`, and whether it does not fit.
    pub(super) fn checked(
        &self,
        op: Checked,
        a: (&Value, Type),
        b: (&Value, Type),
        ty: Type,
    ) -> Run<(Value, Value)> {
        let (Some(x), Some(y), Some(to)) = (self.num(a.1), self.num(b.1), self.num(ty)) else {
            return ub(UbKind::CallArguments);
        };
        let Some((bits, wraps)) = arith::checked(op, (x, a.0.to_bits()), (y, b.0.to_bits()), to) else {
            return ub(UbKind::CallArguments);
        };
        let marks = a.0.marks.union(b.0.marks).intersection(Marks::OPEN);
        Ok((Value::bits(bits).marked(marks), Value::int(u64::from(wraps)).marked(marks)))
    }
}

fn crc32(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (crc, data) = (call.arg(0)?, call.arg(1)?);
    let bits = exec.num(call.args[1].1).map_or(32, Num::width);
    let marks = crc.marks.union(data.marks).intersection(Marks::OPEN);
    Ok(Value::int(u64::from(arith::crc32c(crc.low as u32, data.low, bits))).marked(marks))
}

/// What a compiler knows about an object depends on how hard it looks.
fn object_size(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let kind = exec.int_arg(call, 1)?;
    let all = u64::MAX >> (64 - 8 * exec.memory.pointer_size());
    Ok(Value::int(if kind & 2 == 0 { all } else { 0 }).marked(Marks::LIBRARY))
}

fn assume_aligned(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, align) = (exec.pointer_arg(call, 0)?, exec.size_arg(call, 1)?);
    let offset = match call.args.get(2) {
        Some(&(offset, ty)) => {
            let num = exec.num(ty).unwrap_or(Num::INT);
            num.number(offset.to_bits()) as u64
        }
        None => 0,
    };
    let from = Value { low: pointer.low.wrapping_sub(offset), ..pointer };
    let kept = match u32::try_from(align) {
        // Aligned by luck only is not aligned: another placement would break the promise.
        Ok(align) if align.is_power_of_two() && pointer.has_prov() => exec.is_aligned(&from, align),
        _ => align.is_power_of_two() && from.low & (align - 1) == 0,
    };
    if !kept {
        return ub_about(UbKind::AlignedBroken, pointer.prov, format!("it is not a multiple of {align}"));
    }
    Ok(pointer)
}

fn test_and_set(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let pointer = exec.pointer_arg(call, 0)?;
    let old = exec.load_through(&pointer, Type::UCHAR)?;
    if old.marks.has(Marks::UNINIT) {
        return ub(UbKind::Uninit);
    }
    exec.store_through(&pointer, Type::UCHAR, &Value::int(1))?;
    Ok(Value::int(u64::from(old.low != 0)).marked(old.marks.intersection(Marks::OPEN)))
}

fn clear(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let pointer = exec.pointer_arg(call, 0)?;
    exec.store_through(&pointer, Type::UCHAR, &Value::int(0))?;
    Ok(Value::int(0))
}
