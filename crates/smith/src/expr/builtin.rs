//! Functions of the compiler that compute on integers.

use howler_lang::program::{BinaryOp, ExprId};
use howler_lang::ty::Type;

use crate::maker::{Made, Maker};

/// What must hold of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wants {
    Anything,
    NotZero,
    /// Its magnitude has to fit.
    Short,
}

const UNARY: [(&str, Wants); 14] = [
    ("__builtin_popcount", Wants::Anything),
    ("__builtin_popcountll", Wants::Anything),
    ("__builtin_parity", Wants::Anything),
    ("__builtin_ffs", Wants::Anything),
    ("__builtin_ffsll", Wants::Anything),
    ("__builtin_clrsb", Wants::Anything),
    ("__builtin_bswap16", Wants::Anything),
    ("__builtin_bswap32", Wants::Anything),
    ("__builtin_bswap64", Wants::Anything),
    ("__builtin_clz", Wants::NotZero),
    ("__builtin_clzll", Wants::NotZero),
    ("__builtin_ctz", Wants::NotZero),
    ("__builtin_ctzll", Wants::NotZero),
    ("__builtin_abs", Wants::Short),
];

impl Maker<'_> {
    pub(crate) fn int_builtin(&mut self, depth: u32) -> Made<Option<ExprId>> {
        let a = self.int_expr(depth)?;
        self.left -= 2;
        if self.one_in("expect", 6) {
            let func = self.out.builtin("__builtin_expect")?;
            let likely = self.choices.range("likely", 0..=1i128);
            let likely = self.out.int(likely)?;
            return self.out.call_of(func, &[a, likely]).map(Some);
        }
        let (name, wants) = *self.choices.one_of("builtin", &UNARY);
        let arg = match wants {
            Wants::Anything => a,
            Wants::NotZero => {
                let one = self.out.int(1)?;
                self.out.binary(BinaryOp::BitOr, a, one)?
            }
            Wants::Short => self.out.cast(Type::SHORT, a)?,
        };
        let func = self.out.builtin(name)?;
        self.out.call_of(func, &[arg]).map(Some)
    }
}
