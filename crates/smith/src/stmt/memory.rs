//! `__builtin_memcpy`, `__builtin_memmove` and `__builtin_memset` of whole objects.

use howler_lang::program::{ExprId, StmtId};
use howler_lang::ty::{Quals, Type};

use crate::maker::{Made, Maker};
use crate::place::{Part, Shape};

impl Maker<'_> {
    /// An object is copied byte by byte, or filled with a byte.
    pub(crate) fn memory(&mut self) -> Made<Option<StmtId>> {
        let whole = |maker: &Maker, part: Part| {
            let data = maker.places.part(part);
            data.addressable && data.quals.is_empty() && !data.of_array && !data.of_union
        };
        let Some(to) = self.find(whole, false) else { return Ok(None) };
        if !self.may_write(to, false, None) {
            return Ok(None);
        }
        if self.only_integers(to) && self.one_in("set", 2) {
            return self.filled(to).map(Some);
        }
        self.copied(to)
    }

    fn filled(&mut self, to: Part) -> Made<StmtId> {
        let byte = *self.choices.one_of("byte", &[0i128, 0, 255, 1, 128, 90]);
        self.note_write(to, false, true);
        let byte = self.out.int(byte)?;
        let (place, size) = (self.address_of(to)?, self.size_of(to)?);
        self.call_memory("__builtin_memset", &[place, byte, size])
    }

    fn copied(&mut self, to: Part) -> Made<Option<StmtId>> {
        let (ty, var) = (self.places.part(to).ty, self.places.part(to).var);
        let source = |maker: &Maker, part: Part| {
            let data = maker.places.part(part);
            data.ty == ty
                && data.addressable
                && !data.quals.contains(Quals::VOLATILE)
                && !data.of_array
                && !data.of_union
                && data.var != var
        };
        let Some(from) = self.find(source, false) else { return Ok(None) };
        let states = self.states(from);
        if !self.may_read(from, false) || self.has_garbage(&states) || !self.may_take(to, &states) {
            return Ok(None);
        }
        self.note_read(from, false);
        self.note_write(to, false, true);
        self.takes(to, &states, false);
        let name = *self.choices.one_of("how", &["__builtin_memcpy", "__builtin_memmove"]);
        let (place, source, size) = (self.address_of(to)?, self.address_of(from)?, self.size_of(to)?);
        self.call_memory(name, &[place, source, size]).map(Some)
    }

    fn address_of(&mut self, part: Part) -> Made<ExprId> {
        let e = self.path(part)?;
        self.left -= 2;
        self.out.address(e)
    }

    fn size_of(&mut self, part: Part) -> Made<ExprId> {
        if self.one_in("by its type", 3) {
            let ty = self.places.part(part).ty;
            return self.out.sizeof_type(ty);
        }
        let e = self.path(part)?;
        self.out.sizeof_expr(e)
    }

    fn call_memory(&mut self, name: &str, args: &[ExprId]) -> Made<StmtId> {
        let func = self.out.builtin(name)?;
        self.costs(20);
        self.left -= 4;
        self.out.call(func, args)
    }

    /// Whether any bytes are a value: integers, and arrays of them.
    fn only_integers(&self, part: Part) -> bool {
        let data = self.places.part(part);
        let plain = [
            Type::CHAR,
            Type::SCHAR,
            Type::UCHAR,
            Type::SHORT,
            Type::USHORT,
            Type::INT,
            Type::UINT,
            Type::LONG,
            Type::ULONG,
        ];
        match data.shape {
            Shape::Number(None) => plain.contains(&data.ty),
            Shape::Array => data.kids.iter().all(|&kid| self.only_integers(kid)),
            _ => false,
        }
    }
}
