//! Complex values and vectors: operands and results are objects in memory, read and written part by part.
//!
//! What a part becomes is `lang::arith`'s; here is which parts meet, and what is known about the result.

mod complex;
mod exact;
mod vector;

use super::Exec;
use super::arith_ops::any_nan;
use crate::op::{CallSite, NONE, Reg, WideKind, WideSite};
use crate::outcome::{Run, Stop, UbStop, ub_about, unsupported};
use crate::ub::UbKind;
use crate::value::{Marks, Value};
use howler_lang::arith::{self, Num, Undefined};
use howler_lang::program::{BinaryOp, UnaryOp};
use howler_lang::ty::{Type, TypeKind};

/// A complex type or vector as parts of one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shape {
    num: Num,
    /// The distance from one part to the next.
    stride: u32,
    /// How many bytes of that carry the value.
    len: u32,
    count: u32,
    complex: bool,
}

/// An operand after reading.
#[derive(Clone, Debug)]
enum Operand {
    Scalar(Num, Value),
    Parts(Shape, Vec<Value>),
}

impl Operand {
    /// The numeric type of the parts.
    fn num(&self) -> Num {
        match self {
            Operand::Scalar(num, _) => *num,
            Operand::Parts(shape, _) => shape.num,
        }
    }

    /// What is known about all parts together.
    fn marks(&self) -> Marks {
        let num = self.num();
        match self {
            Operand::Scalar(_, value) => open_part(num, value),
            Operand::Parts(_, parts) => {
                parts.iter().fold(Marks::NONE, |all, part| all.union(open_part(num, part)))
            }
        }
    }
}

/// What an operation yields.
enum Yield {
    Scalar(Value),
    Parts(Vec<Value>),
}

impl<'p> Exec<'p> {
    pub(super) fn wide(&mut self, site: u32) -> Run<()> {
        let site: &'p WideSite = &self.code.wides[site as usize];
        if site.kind == WideKind::Bits {
            return self.reinterpret(site);
        }
        let mut args = Vec::with_capacity(site.args.len());
        for &(reg, ty) in site.args.iter() {
            args.push(self.wide_operand(reg, ty)?);
        }
        let complex = args.iter().any(|arg| matches!(arg, Operand::Parts(shape, _) if shape.complex));
        let result = match (site.kind, &args[..]) {
            (WideKind::Truth, [a]) => self.complex_truth(a)?,
            (WideKind::Convert, [a]) => self.wide_convert(a, site.ty)?,
            (WideKind::Splat, [Operand::Scalar(_, value)]) => match self.shape(site.ty) {
                Some(shape) => Yield::Parts(vec![*value; shape.count as usize]),
                None => Yield::Scalar(*value),
            },
            (WideKind::Parts, [Operand::Scalar(_, real), Operand::Scalar(_, imaginary)]) => {
                Yield::Parts(vec![*real, *imaginary])
            }
            // An imaginary constant.
            (WideKind::Parts, [Operand::Scalar(_, imaginary)]) => {
                Yield::Parts(vec![Value::int(0), *imaginary])
            }
            (WideKind::Unary(op), [a]) if complex => self.complex_unary(op, a)?,
            (WideKind::Binary(op), [a, b]) if complex => {
                let result = self.complex_binary(op, a, b)?;
                if site.integer {
                    let made = self.complex_binary(op, &made_complex(a, b), &made_complex(b, a))?;
                    check_same(a.num(), &result, &made)?;
                }
                result
            }
            (WideKind::Step { up }, [a]) if complex => self.complex_step(up, a)?,
            (WideKind::Unary(op), [Operand::Parts(shape, a)]) => self.vector_unary(op, shape.num, a)?,
            (WideKind::Binary(op), [Operand::Parts(shape, a), Operand::Parts(other, b)]) => {
                let mask = self.shape(site.ty).map_or(shape.num, |shape| shape.num);
                self.vector_binary(op, (shape.num, a), (other.num, b), mask)?
            }
            (WideKind::Step { up }, [Operand::Parts(shape, a)]) => {
                let one = match shape.num {
                    Num::Float(format) => format.one(),
                    _ => 1,
                };
                let ones = vec![Value::bits(one); a.len()];
                let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
                self.vector_binary(op, (shape.num, a), (shape.num, &ones), shape.num)?
            }
            (WideKind::Select, [Operand::Parts(shape, mask), Operand::Parts(_, a), Operand::Parts(_, b)]) => {
                vector::select(shape.num, mask, a, b)
            }
            _ => return unsupported("an operation on complex values or vectors of these types"),
        };
        self.deliver_wide(site.dst, site.ty, result)
    }

    /// The parts of a complex type or vector.
    fn shape(&self, ty: Type) -> Option<Shape> {
        let types = &self.program.types;
        let (elem, count, complex) = match types.kind(ty) {
            TypeKind::Complex(elem) => (elem, 2, true),
            TypeKind::Vector { elem, lanes } => (elem, lanes, false),
            _ => return None,
        };
        let num = arith::num_of(types, &self.program.target, elem)?;
        let stride = u32::try_from(self.program.size_of(elem)?).ok()?;
        // An x87 value has ten bytes; the others are padding.
        let len = num.width().div_ceil(8).min(stride);
        Some(Shape { num, stride, len, count, complex })
    }

    fn wide_operand(&self, reg: Reg, ty: Type) -> Run<Operand> {
        if let Some(shape) = self.shape(ty) {
            return Ok(Operand::Parts(shape, self.read_parts(self.get(reg), shape)?));
        }
        match arith::num_of(&self.program.types, &self.program.target, ty) {
            Some(num) => Ok(Operand::Scalar(num, self.usable(reg)?)),
            None => unsupported("an operation on complex values or vectors of these types"),
        }
    }

    fn read_parts(&self, pointer: &Value, shape: Shape) -> Run<Vec<Value>> {
        let place = self.memory.place(pointer, shape.stride * shape.count, 1)?;
        let mut parts = Vec::with_capacity(shape.count as usize);
        for index in 0..shape.count {
            let value = self.memory.read_number(place.at + index * shape.stride, shape.len);
            if value.marks.has(Marks::UNINIT) {
                return ub_about(UbKind::Uninit, pointer.prov, String::new());
            }
            parts.push(value);
        }
        Ok(parts)
    }

    /// A complex value or vector that was read as a whole must have been set as a whole.
    pub(super) fn check_parts_set(&self, pointer: &Value, ty: Type) -> Run<()> {
        match self.shape(ty) {
            Some(shape) => self.read_parts(pointer, shape).map(|_| ()),
            None => Ok(()),
        }
    }

    fn deliver_wide(&mut self, dst: Reg, ty: Type, result: Yield) -> Run<()> {
        match (result, self.shape(ty)) {
            (Yield::Scalar(value), None) => {
                self.set(dst, value);
                Ok(())
            }
            (Yield::Parts(parts), Some(shape)) if parts.len() == shape.count as usize => {
                let place = self.memory.place(self.get(dst), shape.stride * shape.count, 1)?;
                for (index, part) in (0..).zip(&parts) {
                    self.memory.write(place.at + index * shape.stride, shape.len, part);
                }
                Ok(())
            }
            _ => unsupported("an operation on complex values or vectors of these types"),
        }
    }

    /// The functions of `<complex.h>` that compute nothing: whether it is one.
    pub(super) fn complex_function(
        &mut self,
        name: &str,
        call: &'p CallSite,
        args: &[(Value, Type)],
    ) -> Run<bool> {
        let Some(stem) = ["creal", "cimag", "conj"].iter().copied().find(|stem| name.starts_with(*stem))
        else {
            return Ok(false);
        };
        let (&[(pointer, ty)], "" | "f" | "l") = (args, &name[stem.len()..]) else { return Ok(false) };
        let Some(shape) = self.shape(ty).filter(|shape| shape.complex) else { return Ok(false) };
        let parts = self.read_parts(&pointer, shape)?;
        match (stem, call.result) {
            ("conj", Some(spec)) => {
                let object = self.make(spec)?;
                self.autos.push(object.prov);
                self.set(call.dst, object);
                let conjugate = self.complex_unary(UnaryOp::BitNot, &Operand::Parts(shape, parts))?;
                self.deliver_wide(call.dst, ty, conjugate)?;
            }
            ("creal" | "cimag", None) => {
                let part = parts[usize::from(stem == "cimag")];
                if call.dst != NONE {
                    self.set(call.dst, part);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The same bytes under another type, one of them a scalar.
    fn reinterpret(&mut self, site: &WideSite) -> Run<()> {
        let &[(reg, from)] = &site.args[..] else { return unsupported("a conversion of several values") };
        let size =
            |exec: &Self, ty| exec.program.size_of(ty).and_then(|size| u32::try_from(size).ok()).unwrap_or(0);
        match (self.shape(from), self.shape(site.ty)) {
            (Some(_), None) => {
                let size = size(self, site.ty).min(16);
                let pointer = *self.get(reg);
                let place = self.memory.place(&pointer, size, 1)?;
                let value = self.memory.read_number(place.at, size);
                if value.marks.has(Marks::UNINIT) {
                    return ub_about(UbKind::Uninit, pointer.prov, String::new());
                }
                self.set(site.dst, value);
                Ok(())
            }
            (None, Some(_)) => {
                let value = self.usable(reg)?;
                let size = size(self, from).min(16);
                let place = self.memory.place(self.get(site.dst), size, 1)?;
                self.memory.write(place.at, size, &value);
                Ok(())
            }
            _ => unsupported("a conversion between these types"),
        }
    }

    /// A part as a value of another numeric type.
    fn convert_part(&self, from: Num, to: Num, value: &Value) -> Run<Value> {
        if from == to {
            return Ok(*value);
        }
        let result = arith::convert(from, to, value.to_bits());
        if let Ok(bits) = result {
            self.check_conversion(from, to, value.to_bits(), bits)?;
        }
        computed(to, result, open_part(from, value))
    }

    fn wide_convert(&self, a: &Operand, to: Type) -> Run<Yield> {
        let target = match self.shape(to) {
            Some(shape) => shape.num,
            None => match arith::num_of(&self.program.types, &self.program.target, to) {
                Some(Num::Bool) => return self.complex_truth(a),
                Some(num) => num,
                None => return unsupported("a conversion of a complex value or vector to this type"),
            },
        };
        let complex = self.shape(to).is_some_and(|shape| shape.complex);
        match (a, self.shape(to)) {
            (Operand::Scalar(num, value), Some(_)) if complex => {
                Ok(Yield::Parts(vec![self.convert_part(*num, target, value)?, Value::int(0)]))
            }
            (Operand::Scalar(num, value), None) => Ok(Yield::Scalar(self.convert_part(*num, target, value)?)),
            (Operand::Parts(shape, parts), None) if shape.complex => {
                // The imaginary part is dropped (C17 6.3.1.7p2).
                Ok(Yield::Scalar(self.convert_part(shape.num, target, &parts[0])?))
            }
            (Operand::Parts(shape, parts), Some(_)) if shape.complex && complex => parts
                .iter()
                .map(|part| self.convert_part(shape.num, target, part))
                .collect::<Run<_>>()
                .map(Yield::Parts),
            // Vectors of one size: the same bits.
            (Operand::Parts(shape, parts), Some(other))
                if !shape.complex
                    && !complex
                    && (shape.stride, shape.count) == (other.stride, other.count) =>
            {
                Ok(Yield::Parts(parts.clone()))
            }
            _ => unsupported("a conversion between a vector and this type"),
        }
    }
}

/// An operand as clang takes an integer: complex like the other one.
fn made_complex(a: &Operand, other: &Operand) -> Operand {
    match (a, other) {
        (Operand::Scalar(num, value), Operand::Parts(shape, _)) if *num == shape.num => {
            Operand::Parts(*shape, vec![*value, Value::int(0)])
        }
        _ => a.clone(),
    }
}

/// Both readings must give the same; NaNs are.
fn check_same(num: Num, one: &Yield, other: &Yield) -> Run<()> {
    let same = |a: &Value, b: &Value| {
        let nan = |value: &Value| matches!(num, Num::Float(format) if format.is_nan(value.to_bits()));
        a.to_bits() == b.to_bits() || nan(a) && nan(b)
    };
    let agree = match (one, other) {
        (Yield::Scalar(a), Yield::Scalar(b)) => same(a, b),
        (Yield::Parts(a), Yield::Parts(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        _ => false,
    };
    if agree {
        Ok(())
    } else {
        unsupported("an integer and a complex value, which compilers combine differently")
    }
}

/// What is open about a part that arithmetic looks at: not which NaN it is.
fn open_part(num: Num, value: &Value) -> Marks {
    match num {
        Num::Float(_) => value.marks.of_number(),
        _ => value.marks.intersection(Marks::OPEN),
    }
}

/// The result of arithmetic on parts, of type `num`.
fn computed(num: Num, result: Result<u128, Undefined>, marks: Marks) -> Run<Value> {
    match result {
        Ok(bits) => Ok(any_nan(num, Value::bits(bits).marked(marks))),
        Err(case) => undefined(case),
    }
}

#[cold]
fn undefined<T>(case: Undefined) -> Run<T> {
    match case {
        Undefined::IllTyped => {
            unsupported("an operator on complex values or vectors that compilers compute differently")
        }
        case => {
            let stop = UbStop::new(UbKind::from(case), None, String::new());
            Err(Stop::Ub(Box::new(stop)))
        }
    }
}
