//! `__builtin_add_overflow` and its like, rotations, and other forms that compilers know.

use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, ExprId, UnaryOp};
use howler_lang::ty::Type;

use crate::find::Use;
use crate::maker::{Made, Maker};
use crate::place::{Part, Shape};

impl Maker<'_> {
    /// `__builtin_add_overflow(a, b, &x)`
    pub(crate) fn overflow(&mut self, depth: u32) -> Made<Option<ExprId>> {
        let start = self.log.len();
        let a = self.int_expr(depth)?;
        self.log.beside(start);
        let b = self.int_expr(depth)?;
        self.log.with();
        let types = [
            Type::SCHAR,
            Type::UCHAR,
            Type::SHORT,
            Type::USHORT,
            Type::INT,
            Type::UINT,
            Type::LONG,
            Type::ULONG,
        ];
        self.log.beside(start);
        let place = self.lvalue(&|_, ty| types.contains(&ty), Use::Store(start))?;
        self.log.with();
        // The builtin gets the place's address.
        let good = place.filter(|place| {
            let addressable = |&part: &Part| {
                let data = self.places.part(part);
                data.addressable && data.quals.is_empty()
            };
            !place.volatile && place.parts.iter().all(addressable)
        });
        let Some(place) = good else { return self.out.binary(BinaryOp::BitXor, a, b).map(Some) };
        self.wrote(&place);
        self.left -= 4;
        // All in one type: products of others need a library function that not all compilers have.
        let (a, b) = (self.out.cast(place.ty, a)?, self.out.cast(place.ty, b)?);
        let address = self.out.address(place.e)?;
        let names = ["__builtin_add_overflow", "__builtin_sub_overflow", "__builtin_mul_overflow"];
        let name = *self.choices.one_of("overflow", &names);
        self.out.operator(name, &[a, b, address]).map(Some)
    }

    /// Rotations, the lesser and the greater of two, absolute values, sums that stop at the greatest value.
    pub(crate) fn idiom(&mut self) -> Made<Option<ExprId>> {
        let types = [Type::UCHAR, Type::USHORT, Type::UINT, Type::ULONG, Type::SCHAR, Type::SHORT];
        let Some(x) = self.plain_number(&types) else { return Ok(None) };
        let ty = self.places.part(x).ty;
        let Some(num) = howler_lang::arith::num_of(&self.out.program.types, &self.out.program.target, ty)
        else {
            return Ok(None);
        };
        let width = i128::from(num.width());
        self.left -= 10;
        if [Type::SCHAR, Type::SHORT].contains(&ty) {
            return if self.one_in("absolute", 2) {
                self.absolute(x).map(Some)
            } else {
                self.clamped(x).map(Some)
            };
        }
        if self.one_in("rotation", 2) {
            let by = self.choices.range("places", 1..=width - 1);
            let (first, second) = (self.number_read(x)?, self.number_read(x)?);
            let (left, right) = (self.out.int(by)?, self.out.int(width - by)?);
            let left = self.out.binary(BinaryOp::Shl, first, left)?;
            let right = self.out.binary(BinaryOp::Shr, second, right)?;
            let e = self.out.binary(BinaryOp::BitOr, left, right)?;
            return self.out.cast(ty, e).map(Some);
        }
        let Some(y) = self.plain_number(&[ty]) else { return Ok(None) };
        if self.one_in("sum", 2) {
            // (T)(x + y) < x ? MAX : (T)(x + y)
            let sum = |maker: &mut Self| {
                let (x, y) = (maker.number_read(x)?, maker.number_read(y)?);
                let sum = maker.out.binary(BinaryOp::Add, x, y)?;
                maker.out.cast(ty, sum)
            };
            let (one, two) = (sum(self)?, sum(self)?);
            let first = self.number_read(x)?;
            let wrapped = self.out.binary(BinaryOp::Lt, one, first)?;
            let most = self
                .out
                .constant(ty, &Value::Bits(if width >= 128 { u128::MAX } else { (1 << width) - 1 }))?;
            return self.out.cond(wrapped, most, two).map(Some);
        }
        let op = *self.choices.one_of("which", &[BinaryOp::Lt, BinaryOp::Gt]);
        let (a, b) = (self.number_read(x)?, self.number_read(y)?);
        let test = self.out.binary(op, a, b)?;
        let (a, b) = (self.number_read(x)?, self.number_read(y)?);
        self.out.cond(test, a, b).map(Some)
    }

    /// `x < 0 ? -x : x`, of what is narrower than `int`.
    fn absolute(&mut self, x: Part) -> Made<ExprId> {
        let (first, zero) = (self.number_read(x)?, self.out.int(0)?);
        let test = self.out.binary(BinaryOp::Lt, first, zero)?;
        let second = self.number_read(x)?;
        let turned = self.out.unary(UnaryOp::Neg, second)?;
        let third = self.number_read(x)?;
        self.out.cond(test, turned, third)
    }

    /// `x < a ? a : x > b ? b : x`
    fn clamped(&mut self, x: Part) -> Made<ExprId> {
        let low = self.choices.range("low", -128..=0i128);
        let high = self.choices.range("high", 0..=127i128);
        let (first, limit) = (self.number_read(x)?, self.out.int(high)?);
        let above = self.out.binary(BinaryOp::Gt, first, limit)?;
        let (limit, second) = (self.out.int(high)?, self.number_read(x)?);
        let inner = self.out.cond(above, limit, second)?;
        let (third, limit) = (self.number_read(x)?, self.out.int(low)?);
        let below = self.out.binary(BinaryOp::Lt, third, limit)?;
        let limit = self.out.int(low)?;
        self.out.cond(below, limit, inner)
    }

    /// A number that may be read several times: it is always the same.
    fn plain_number(&mut self, types: &[Type]) -> Option<Part> {
        let found = self.find(
            |maker, part| {
                let data = maker.places.part(part);
                types.contains(&data.ty)
                    && matches!(data.shape, Shape::Number(None))
                    && !data.quals.contains(howler_lang::ty::Quals::VOLATILE)
                    && !data.of_array
                    && !data.of_union
            },
            false,
        );
        found.filter(|&part| self.may_read(part, false))
    }

    fn number_read(&mut self, part: Part) -> Made<ExprId> {
        self.note_read(part, false);
        self.path(part)
    }
}
