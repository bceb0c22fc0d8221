//! GNU vectors: what is computed on all their elements at once, and never undefined. Unsigned elements wrap; signed ones are
//! added as unsigned ones are.

use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, ExprId, UnaryOp};
use howler_lang::ty::{Type, TypeKind};

use super::COMPARISONS;
use crate::features::Feature;
use crate::find::Use;
use crate::maker::{Made, Maker};

/// The integer types that elements have, signed and unsigned.
const ELEMENTS: [(Type, Type); 4] = [
    (Type::SCHAR, Type::UCHAR),
    (Type::SHORT, Type::USHORT),
    (Type::INT, Type::UINT),
    (Type::LONG, Type::ULONG),
];

/// The type of vectors with the same number of unsigned elements of the same size.
fn unsigned(elem: Type) -> Type {
    ELEMENTS.iter().find(|(signed, _)| *signed == elem).map_or(elem, |&(_, unsigned)| unsigned)
}

impl Maker<'_> {
    /// Types of vectors, of which one has as many elements as another where that can be.
    pub(crate) fn define_vectors(&mut self) -> Made<()> {
        for _ in 0..self.choices.range("vectors", 1..=3u32) {
            let (signed, unsigned) = *self.choices.one_of("element", &ELEMENTS);
            let elem = if self.one_in("signed", 3) { signed } else { unsigned };
            let size = self.out.program.size_of(elem).unwrap_or(8) as u32;
            let bytes = *self.choices.one_of("bytes", &[8u32, 16, 16, 32]);
            let lanes = (bytes / size).max(2);
            let ty = self.out.vector(elem, lanes)?;
            if !self.pool.vectors.contains(&ty) {
                self.pool.vectors.push(ty);
            }
        }
        Ok(())
    }

    pub(crate) fn is_vector(&self, ty: Type) -> bool {
        matches!(self.out.program.types.kind(ty), TypeKind::Vector { .. })
    }

    /// The type of the elements, and their number.
    fn lanes(&self, ty: Type) -> (Type, u32) {
        match self.out.program.types.kind(ty) {
            TypeKind::Vector { elem, lanes } => (elem.bare(), lanes),
            _ => (ty.bare(), 1),
        }
    }

    /// A vector of a type.
    pub(crate) fn vector_expr(&mut self, ty: Type, depth: u32) -> Made<ExprId> {
        let ty = ty.bare();
        self.left -= 1;
        self.costs(10);
        if depth == 0 || self.left < 0 || !self.affords(200) {
            return self.vector_leaf(ty);
        }
        let below = depth - 1;
        match self.choices.range("vector expression", 0..=13u32) {
            0..=5 => self.vector_binary(ty, below),
            6 => {
                let a = self.vector_expr(ty, below)?;
                self.out.unary(UnaryOp::BitNot, a)
            }
            7 => self.vector_comparison(ty, below),
            8 => {
                // All ones where it holds, all zeros elsewhere.
                let start = self.log.len();
                let mask = self.vector_comparison(ty, below)?;
                self.log.beside(start);
                let value = self.vector_expr(ty, below)?;
                self.log.with();
                self.out.binary(BinaryOp::BitAnd, mask, value)
            }
            9 => self.vector_from_other(ty, below),
            10 if self.has(Feature::Conditional) => {
                let c = self.condition(below)?;
                let before = self.facts.clone();
                let a = self.vector_expr(ty, below)?;
                let after = std::mem::replace(&mut self.facts, before);
                let b = self.vector_expr(ty, below)?;
                self.join(&after);
                self.out.cond(c, a, b)
            }
            11 => match self.call(ty, depth)? {
                Some(known) => Ok(known.e),
                None => self.vector_leaf(ty),
            },
            _ => self.vector_leaf(ty),
        }
    }

    fn vector_leaf(&mut self, ty: Type) -> Made<ExprId> {
        if self.choices.chance("variable", 2, 3)
            && let Some(lvalue) = self.lvalue(&|_, other: Type| other.bare() == ty, Use::Read)?
        {
            return Ok(self.read(&lvalue));
        }
        let (elem, lanes) = self.lanes(ty);
        let start = self.log.len();
        let mut list = Vec::new();
        let computed = if self.one_in("computed", 2) { 1 } else { 0 };
        for at in 0..lanes {
            if at < computed {
                self.log.beside(start);
                let e = self.int_leaf()?;
                self.log.with();
                list.push(Value::Expr(self.out.cast(elem, e)?));
            } else {
                list.push(Value::Bits(self.number(elem)));
            }
        }
        self.left -= i64::from(lanes);
        self.out.compound_literal(ty, &Value::List(list))
    }

    /// A number that is spread over all elements.
    fn spread(&mut self, elem: Type, depth: u32) -> Made<ExprId> {
        let e = self.int_expr(depth)?;
        self.out.cast(elem, e)
    }

    fn vector_binary(&mut self, ty: Type, depth: u32) -> Made<ExprId> {
        let (elem, lanes) = self.lanes(ty);
        let wraps = unsigned(elem);
        let start = self.log.len();
        let a = self.vector_expr(ty, depth)?;
        let op = *self.choices.one_of(
            "vector operator",
            &[
                BinaryOp::Add,
                BinaryOp::Sub,
                BinaryOp::Mul,
                BinaryOp::BitAnd,
                BinaryOp::BitOr,
                BinaryOp::BitXor,
                BinaryOp::Shl,
                BinaryOp::Shr,
                BinaryOp::Div,
                BinaryOp::Rem,
            ],
        );
        match op {
            BinaryOp::Div | BinaryOp::Rem if self.has(Feature::Div) => {
                let by = self.choices.range("divisor", 1..=100i128);
                let by = self.out.int(by)?;
                let by = self.out.cast(elem, by)?;
                return self.out.binary(op, a, by);
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                // To the left only what is unsigned.
                let op = if wraps == elem { op } else { BinaryOp::Shr };
                let by = self.places(ty, start, depth)?;
                return self.out.binary(op, a, by);
            }
            _ => {}
        }
        let scalar = self.one_in("spread", 3);
        self.log.beside(start);
        let b = if scalar { self.spread(elem, depth)? } else { self.vector_expr(ty, depth)? };
        self.log.with();
        let op = match op {
            BinaryOp::Div | BinaryOp::Rem => BinaryOp::BitXor,
            BinaryOp::Mul if !self.has(Feature::Mul) => BinaryOp::Add,
            op => op,
        };
        if !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) || wraps == elem {
            return self.out.binary(op, a, b);
        }
        let wide = self.out.vector(wraps, lanes)?;
        let a = self.out.cast(wide, a)?;
        let b = self.out.cast(if scalar { wraps } else { wide }, b)?;
        let e = self.out.binary(op, a, b)?;
        self.out.cast(ty, e)
    }

    /// How far to shift: less than an element has bits.
    fn places(&mut self, ty: Type, start: usize, depth: u32) -> Made<ExprId> {
        let (elem, _) = self.lanes(ty);
        let most = self.out.program.size_of(elem).unwrap_or(1) as i128 * 8 - 1;
        if self.one_in("constant", 2) {
            let by = self.choices.range("places", 0..=most);
            let by = self.out.int(by)?;
            return self.out.cast(elem, by);
        }
        self.log.beside(start);
        let by = self.vector_expr(ty, depth)?;
        self.log.with();
        let mask = self.out.int(most)?;
        let mask = self.out.cast(elem, mask)?;
        self.out.binary(BinaryOp::BitAnd, by, mask)
    }

    fn vector_comparison(&mut self, ty: Type, depth: u32) -> Made<ExprId> {
        let start = self.log.len();
        let a = self.vector_expr(ty, depth)?;
        self.log.beside(start);
        let b = self.vector_expr(ty, depth)?;
        self.log.with();
        let op = *self.choices.one_of("comparison", &COMPARISONS);
        let e = self.out.binary(op, a, b)?;
        // What compilers give it has not the same name everywhere.
        self.out.cast(ty, e)
    }

    /// Another vector: its elements converted if there are as many, its bits if it is as large.
    fn vector_from_other(&mut self, ty: Type, depth: u32) -> Made<ExprId> {
        let (elem, lanes) = self.lanes(ty);
        let Some(&other) = self.choices.pick("vector", &self.pool.vectors) else {
            return self.vector_leaf(ty);
        };
        let as_large = self.out.program.size_of(other) == self.out.program.size_of(ty);
        let (other_elem, other_lanes) = self.lanes(other);
        if other_lanes == lanes && other_elem != elem {
            let e = self.vector_expr(other, depth)?;
            return self.out.convert_vector(e, ty);
        }
        if as_large {
            let e = self.vector_expr(other, depth)?;
            return self.out.cast(ty, e);
        }
        self.vector_leaf(ty)
    }

    /// An element of a vector that no object holds.
    pub(crate) fn int_from_vector(&mut self, depth: u32) -> Made<Option<ExprId>> {
        let Some(&ty) = self.choices.pick("vector", &self.pool.vectors) else { return Ok(None) };
        let (_, lanes) = self.lanes(ty);
        let start = self.log.len();
        let e = self.vector_expr(ty, depth.min(2))?;
        self.log.beside(start);
        let index = self.index(lanes)?;
        self.log.with();
        self.left -= 2;
        self.out.index(e, index).map(Some)
    }
}
