//! Operator-like builtins: those whose types depend on their operands. Complex values and vectors are in `wide`.

use super::Exec;
use super::lib_math::{sign_of, truth};
use super::watch::VOLATILE_ACCESS;
use crate::op::BuiltinSite;
use crate::outcome::{Run, ub, unsupported};
use crate::ub::UbKind;
use crate::value::{Marks, Value};
use howler_lang::arith::{self, Checked, FloatClass, Num};
use howler_lang::builtin;
use howler_lang::program::{BinaryOp, Builtin};
use howler_lang::ty::Type;
use std::cmp::Ordering;

impl<'p> Exec<'p> {
    pub(super) fn builtin(&mut self, site: u32) -> Run<()> {
        let site: &'p BuiltinSite = &self.code.builtins[site as usize];
        let arg = |exec: &Self, index: usize| exec.usable(site.args[index].0);
        match site.builtin {
            builtin::VA_START | builtin::STDARG_START => {
                let list = arg(self, 0)?;
                return self.va_start(&list);
            }
            builtin::VA_END => {
                let list = arg(self, 0)?;
                return self.va_end(&list);
            }
            builtin::VA_COPY => {
                let (to, from) = (arg(self, 0)?, arg(self, 1)?);
                return self.va_copy(&to, &from);
            }
            builtin::COMPLEX | builtin::CONVERTVECTOR | builtin::SHUFFLE | builtin::SHUFFLEVECTOR => {
                return self.wide_builtin(site);
            }
            _ => {}
        }
        if crate::facts::is_aggregate(self.program, site.ty) {
            return unsupported(format!("'{}'", builtin::name(site.builtin)));
        }
        let mut args = Vec::with_capacity(site.args.len());
        for &(reg, ty) in site.args.iter() {
            args.push((self.usable(reg)?, ty));
        }
        let value = self.builtin_value(site.builtin, &args)?;
        if site.dst != crate::op::NONE {
            self.set(site.dst, value);
        }
        Ok(())
    }

    fn builtin_value(&mut self, which: Builtin, args: &[(Value, Type)]) -> Run<Value> {
        match which {
            builtin::ADD_OVERFLOW => self.overflow(Checked::Add, args),
            builtin::SUB_OVERFLOW => self.overflow(Checked::Sub, args),
            builtin::MUL_OVERFLOW => self.overflow(Checked::Mul, args),
            builtin::ADD_OVERFLOW_P => self.overflow_p(Checked::Add, args),
            builtin::SUB_OVERFLOW_P => self.overflow_p(Checked::Sub, args),
            builtin::MUL_OVERFLOW_P => self.overflow_p(Checked::Mul, args),
            builtin::FINITE
            | builtin::ISFINITE
            | builtin::ISINF
            | builtin::ISINF_SIGN
            | builtin::ISNAN
            | builtin::ISNORMAL => self.classification(which, &args[0]),
            builtin::SIGNBIT => Ok(sign_of(self.float_format(args[0].1)?, &args[0].0)),
            builtin::FPCLASSIFY => {
                let format = self.float_format(args[5].1)?;
                let index = match arith::classify(format, args[5].0.to_bits()) {
                    FloatClass::Nan => 0,
                    FloatClass::Infinite => 1,
                    FloatClass::Normal => 2,
                    FloatClass::Subnormal => 3,
                    FloatClass::Zero => 4,
                };
                Ok(args[index].0.marked(args[5].0.marks.of_number()))
            }
            builtin::ISGREATER
            | builtin::ISGREATEREQUAL
            | builtin::ISLESS
            | builtin::ISLESSEQUAL
            | builtin::ISLESSGREATER
            | builtin::ISUNORDERED => self.comparison(which, args),
            builtin::ASSOC_BARRIER | builtin::SPECULATION_SAFE_VALUE => Ok(args[0].0),
            _ => self.atomic(which, args),
        }
    }

    fn overflow(&mut self, op: Checked, args: &[(Value, Type)]) -> Run<Value> {
        let (a, b, (to, ty)) = (&args[0], &args[1], &args[2]);
        let Some(ty) = self.program.types.pointee(*ty) else { return ub(UbKind::CallArguments) };
        self.checked_store(op, (&a.0, a.1), (&b.0, b.1), to, ty)
    }

    fn overflow_p(&mut self, op: Checked, args: &[(Value, Type)]) -> Run<Value> {
        let (a, b) = (&args[0], &args[1]);
        Ok(self.checked(op, (&a.0, a.1), (&b.0, b.1), args[2].1)?.1)
    }

    fn classification(&mut self, which: Builtin, (value, ty): &(Value, Type)) -> Run<Value> {
        let format = self.float_format(*ty)?;
        let class = arith::classify(format, value.to_bits());
        let marks = value.marks.of_number();
        let holds = match which {
            builtin::ISINF_SIGN => {
                let sign = value.to_bits() & format.sign_bit() != 0;
                let result = match (class, sign) {
                    (FloatClass::Infinite, true) => u64::from(u32::MAX),
                    (FloatClass::Infinite, false) => 1,
                    _ => 0,
                };
                return Ok(Value::int(result).marked(marks));
            }
            builtin::ISINF => class == FloatClass::Infinite,
            builtin::ISNAN => class == FloatClass::Nan,
            builtin::ISNORMAL => class == FloatClass::Normal,
            _ => !matches!(class, FloatClass::Nan | FloatClass::Infinite),
        };
        Ok(truth(holds).marked(marks))
    }

    fn comparison(&mut self, which: Builtin, args: &[(Value, Type)]) -> Run<Value> {
        let format = self.float_format(args[0].1)?;
        let (a, b) = (&args[0].0, &args[1].0);
        let order = arith::compare(format, a.to_bits(), b.to_bits());
        let holds = match which {
            builtin::ISGREATER => order == Some(Ordering::Greater),
            builtin::ISGREATEREQUAL => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            builtin::ISLESS => order == Some(Ordering::Less),
            builtin::ISLESSEQUAL => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            builtin::ISLESSGREATER => matches!(order, Some(Ordering::Less | Ordering::Greater)),
            _ => order.is_none(),
        };
        let marks = a.marks.of_number().union(b.marks.of_number());
        Ok(Value::int(u64::from(holds)).marked(marks))
    }

    /// `__atomic` and `__sync` operators: there is one thread, so they are plain accesses in this order.
    fn atomic(&mut self, which: Builtin, args: &[(Value, Type)]) -> Run<Value> {
        let name = builtin::name(which);
        let Some(ty) = args.first().and_then(|(_, ty)| self.program.types.pointee(*ty)) else {
            return unsupported(format!("'{name}'"));
        };
        let pointer = args[0].0;
        // Whether such an access is one of the volatile ones is not worth a promise.
        if self.program.types.quals(ty).contains(howler_lang::ty::Quals::VOLATILE) {
            self.watch_effect(VOLATILE_ACCESS)?;
            self.trace_open = true;
        }
        if let Some((op, new)) = fetch_op(name) {
            let old = self.load_through(&pointer, ty)?;
            let result = self.fetched(op, ty, &old, &args[1])?;
            self.store_through(&pointer, ty, &result)?;
            return Ok(if new { result } else { old });
        }
        match which {
            builtin::ATOMIC_LOAD_N => self.load_through(&pointer, ty),
            builtin::ATOMIC_STORE_N => {
                self.store_through(&pointer, ty, &args[1].0)?;
                Ok(Value::int(0))
            }
            builtin::ATOMIC_LOAD | builtin::ATOMIC_STORE => {
                let Some(other) = self.program.types.pointee(args[1].1) else {
                    return ub(UbKind::CallArguments);
                };
                let (from, to) = if which == builtin::ATOMIC_LOAD {
                    ((pointer, ty), (args[1].0, other))
                } else {
                    ((args[1].0, other), (pointer, ty))
                };
                let value = self.load_through(&from.0, from.1)?;
                self.store_through(&to.0, to.1, &value)?;
                Ok(Value::int(0))
            }
            builtin::ATOMIC_EXCHANGE_N | builtin::SYNC_LOCK_TEST_AND_SET => {
                let old = self.load_through(&pointer, ty)?;
                self.store_through(&pointer, ty, &args[1].0)?;
                Ok(old)
            }
            builtin::ATOMIC_EXCHANGE => {
                let types = &self.program.types;
                let (Some(from), Some(to)) = (types.pointee(args[1].1), types.pointee(args[2].1)) else {
                    return ub(UbKind::CallArguments);
                };
                let new = self.load_through(&args[1].0, from)?;
                let old = self.load_through(&pointer, ty)?;
                self.store_through(&pointer, ty, &new)?;
                self.store_through(&args[2].0, to, &old)?;
                Ok(Value::int(0))
            }
            builtin::SYNC_LOCK_RELEASE => {
                self.store_through(&pointer, ty, &Value::int(0))?;
                Ok(Value::int(0))
            }
            builtin::SYNC_BOOL_COMPARE_AND_SWAP | builtin::SYNC_VAL_COMPARE_AND_SWAP => {
                let old = self.load_through(&pointer, ty)?;
                let equal = self.same_bits(&old, &args[1].0);
                if equal {
                    self.store_through(&pointer, ty, &args[2].0)?;
                }
                Ok(if which == builtin::SYNC_VAL_COMPARE_AND_SWAP {
                    old
                } else {
                    Value::int(u64::from(equal))
                })
            }
            builtin::ATOMIC_COMPARE_EXCHANGE_N | builtin::ATOMIC_COMPARE_EXCHANGE => {
                let types = &self.program.types;
                let Some(expected) = types.pointee(args[1].1) else { return ub(UbKind::CallArguments) };
                let new = match types.pointee(args[2].1) {
                    Some(from) if which == builtin::ATOMIC_COMPARE_EXCHANGE => {
                        self.load_through(&args[2].0, from)?
                    }
                    _ => args[2].0,
                };
                let old = self.load_through(&pointer, ty)?;
                let wanted = self.load_through(&args[1].0, expected)?;
                let equal = self.same_bits(&old, &wanted);
                if equal {
                    // A weak exchange may fail for no reason, but does not on x86.
                    self.store_through(&pointer, ty, &new)?;
                } else {
                    self.store_through(&args[1].0, expected, &old)?;
                }
                Ok(Value::int(u64::from(equal)))
            }
            _ => unsupported(format!("'{name}'")),
        }
    }

    fn same_bits(&mut self, a: &Value, b: &Value) -> bool {
        self.depend(a.marks);
        self.depend(b.marks);
        a.to_bits() == b.to_bits()
    }

    /// The new value of a read-modify-write operator. Integers wrap, pointers move by bytes.
    fn fetched(&mut self, op: Fetch, ty: Type, old: &Value, (operand, _): &(Value, Type)) -> Run<Value> {
        if self.program.types.pointee(ty).is_some() {
            let distance = i128::from(operand.low.cast_signed());
            return match op {
                Fetch::Binary(BinaryOp::Add) => self.moved(old, distance, false),
                Fetch::Binary(BinaryOp::Sub) => self.moved(old, -distance, false),
                _ => unsupported("a bit operation of an atomic builtin on a pointer"),
            };
        }
        let num = match self.num(ty) {
            Some(Num::Int { width, .. }) => Num::Int { width, signed: false },
            _ => return unsupported("an atomic builtin on this type"),
        };
        let (op, invert) = match op {
            Fetch::Binary(op) => (op, false),
            Fetch::Nand => (BinaryOp::BitAnd, true),
        };
        let bits = arith::binary(op, num, old.to_bits(), operand.to_bits()).unwrap_or(0);
        let bits = if invert {
            arith::unary(howler_lang::program::UnaryOp::BitNot, num, bits).unwrap_or(0)
        } else {
            bits
        };
        let marks = old.marks.union(operand.marks).intersection(Marks::OPEN);
        Ok(Value::bits(bits).marked(marks))
    }
}

/// What a read-modify-write operator does.
#[derive(Clone, Copy)]
enum Fetch {
    Binary(BinaryOp),
    /// `~(a & b)`.
    Nand,
}

/// The operation of `__atomic_fetch_add`, `__sync_add_and_fetch` and their like, and whether the new value is given.
fn fetch_op(name: &str) -> Option<(Fetch, bool)> {
    let rest = name.strip_prefix("__atomic_").or_else(|| name.strip_prefix("__sync_"))?;
    let (op, new) = match rest.strip_prefix("fetch_") {
        Some(op) => (op.strip_prefix("and_").unwrap_or(op), false),
        None => {
            let op = rest.strip_suffix("_fetch")?;
            (op.strip_suffix("_and").unwrap_or(op), true)
        }
    };
    let op = match op {
        "add" => Fetch::Binary(BinaryOp::Add),
        "sub" => Fetch::Binary(BinaryOp::Sub),
        "and" => Fetch::Binary(BinaryOp::BitAnd),
        "or" => Fetch::Binary(BinaryOp::BitOr),
        "xor" => Fetch::Binary(BinaryOp::BitXor),
        "nand" => Fetch::Nand,
        _ => return None,
    };
    Some((op, new))
}
