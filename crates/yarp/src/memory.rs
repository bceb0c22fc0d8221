//! `memcpy`, `memmove` and `memset` of arrays.

use howler_lang::compose::signature;
use howler_lang::program::{ExprId, FuncId, Linkage, StmtId};
use howler_lang::target::Arch;
use howler_lang::ty::{Quals, Type};

use crate::maker::{Made, Maker};
use crate::variable::{Category, CellId};
use howler_lang::scalar::Ty;

/// Functions of the library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Library {
    copy: FuncId,
    moves: FuncId,
    set: FuncId,
    pub(crate) malloc: FuncId,
    pub(crate) calloc: FuncId,
    pub(crate) free: FuncId,
}

impl Maker<'_> {
    /// `size_t`
    pub(crate) fn size_type(&self) -> Type {
        if self.out.program.target.arch == Arch::I386 { Type::UINT } else { Type::ULONG }
    }

    /// Declares what may be called.
    pub(crate) fn library(&mut self) -> Made<Library> {
        let size = self.size_type();
        let pointer = self.out.pointer(Type::VOID)?;
        let constant = self.out.qualified(Type::VOID, Quals::CONST);
        let source = self.out.pointer(constant)?;
        let mut declared = |name: &str, ret: Type, params: &[Type]| -> Made<FuncId> {
            let func = self.out.function(name, signature(ret, params), Linkage::External)?;
            self.out.declare_function(func);
            Ok(func)
        };
        Ok(Library {
            copy: declared("memcpy", pointer, &[pointer, source, size])?,
            moves: declared("memmove", pointer, &[pointer, source, size])?,
            set: declared("memset", pointer, &[pointer, Type::INT, size])?,
            malloc: declared("malloc", pointer, &[size])?,
            calloc: declared("calloc", pointer, &[size, size])?,
            free: declared("free", Type::VOID, &[pointer])?,
        })
    }

    /// Elements of an array are copied from another one, moved inside of it, or filled with a byte.
    pub(crate) fn memory(&mut self) -> Made<Option<StmtId>> {
        let Some(library) = self.library else { return Ok(None) };
        let written: Vec<usize> = (0..self.vars.arrays.len())
            .filter(|&at| {
                let array = &self.vars.arrays[at];
                array.category != Category::Input && array.dims.len() == 1 && (!self.quiet || array.local)
            })
            .collect();
        let Some(&to) = self.choices.pick("to", &written) else { return Ok(None) };
        let (elem, len) = (self.vars.arrays[to].elem, self.vars.arrays[to].dims[0]);
        self.left -= 8;
        let how = self.choices.range("how", 0..=2u32);
        if how == 0 {
            return self.filled(library.set, to).map(Some);
        }
        let sources: Vec<usize> = (0..self.vars.arrays.len())
            .filter(|&at| {
                let array = &self.vars.arrays[at];
                let readable = array.category != Category::Output;
                // Two parameters may be the same array.
                let apart = at == to || !self.shared;
                array.elem == elem && array.dims.len() == 1 && readable && apart
            })
            .collect();
        let Some(&from) = self.choices.pick("from", &sources) else { return Ok(None) };
        let count = self.choices.range("count", 1..=len.min(self.vars.arrays[from].dims[0]));
        let (into, source) = if from == to {
            let last = len - count;
            (self.choices.range("into", 0..=last), self.choices.range("out of", 0..=last))
        } else {
            (0, 0)
        };
        let func = if from == to || how == 1 { library.moves } else { library.copy };
        let first = (self.vars.arrays[from].first.0, self.vars.arrays[to].first.0);
        let unsteady = self.unsteady();
        let values: Vec<Option<u128>> = (0..count)
            .map(|at| self.cell(CellId(first.0 + source + at)).value.filter(|_| !unsteady))
            .collect();
        for (at, value) in (0..).zip(values) {
            self.set(CellId(first.1 + into + at), value);
        }
        let args = [self.place(to, into)?, self.place(from, source)?, self.bytes(to, count)?];
        self.out.call(func, &args).map(Some)
    }

    fn place(&mut self, array: usize, from: u32) -> Made<ExprId> {
        let e = self.out.lvalue(self.vars.arrays[array].object);
        if from == 0 {
            return Ok(e);
        }
        let index = self.out.int(i128::from(from))?;
        let element = self.out.index(e, index)?;
        self.out.address(element)
    }

    /// `count * sizeof(T)`
    fn bytes(&mut self, array: usize, count: u32) -> Made<ExprId> {
        let elem = self.vars.arrays[array].elem.declared();
        let count = self.out.int(i128::from(count))?;
        let size = self.out.sizeof_type(elem)?;
        self.out.binary(howler_lang::program::BinaryOp::Mul, count, size)
    }

    fn filled(&mut self, func: FuncId, to: usize) -> Made<StmtId> {
        let (elem, len) = (self.vars.arrays[to].elem, self.vars.arrays[to].dims[0]);
        // Not every byte makes a `_Bool` or a number of which all is known.
        let plain = !elem.is_float() && elem != Ty::BOOL;
        let byte = if plain { *self.choices.one_of("byte", &[0u128, 0, 255, 1, 128, 90]) } else { 0 };
        let count = if self.choices.chance("all", 1, 2) { len } else { self.choices.range("count", 1..=len) };
        let width = self.rules.num(elem).width();
        let bits = (u128::MAX / 255 * byte) & (u128::MAX >> (128 - width));
        let first = self.vars.arrays[to].first.0;
        for at in 0..count {
            self.set(CellId(first + at), Some(bits));
        }
        let byte = self.out.int(i128::try_from(byte).unwrap_or(0))?;
        let args = [self.place(to, 0)?, byte, self.bytes(to, count)?];
        self.out.call(func, &args)
    }
}
