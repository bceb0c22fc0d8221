//! Arithmetic types by number, and what C's conversions make of them: for techniques that compute what they write. No
//! rule of C is written here: [`build`] is asked once per pair of types, and its answer is remembered.

use crate::arith::{Format, Num, num_of};
use crate::build::{self, Cx};
use crate::program::{BinaryOp, ExprId, ObjId, Object, Program, UnaryOp};
use crate::source::Pos;
use crate::symbol::Symbol;
use crate::target::Target;
use crate::ty::{Field, Record, RecordKind, Type};

/// A scalar type: one of C's arithmetic types, or a bit-field of `int` or `unsigned`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ty(u8);

/// The plain types in the order of [`Ty`].
const PLAIN: [(Type, &str); 17] = [
    (Type::INT, "int"),
    (Type::UINT, "unsigned"),
    (Type::LONG, "long"),
    (Type::ULONG, "unsigned long"),
    (Type::LLONG, "long long"),
    (Type::ULLONG, "unsigned long long"),
    (Type::SHORT, "short"),
    (Type::USHORT, "unsigned short"),
    (Type::CHAR, "char"),
    (Type::SCHAR, "signed char"),
    (Type::UCHAR, "unsigned char"),
    (Type::BOOL, "_Bool"),
    (Type::INT128, "__int128"),
    (Type::UINT128, "unsigned __int128"),
    (Type::FLOAT, "float"),
    (Type::DOUBLE, "double"),
    (Type::LDOUBLE, "long double"),
];

/// How many plain types there are.
const PLAINS: u8 = PLAIN.len() as u8;

/// The widest bit-field: beyond it gcc and clang give its value different types.
pub const WIDEST_FIELD: u8 = 31;

/// How many types there are in all.
const COUNT: usize = PLAIN.len() + 2 * WIDEST_FIELD as usize;

impl Ty {
    /// `int`.
    pub const INT: Ty = Ty(0);
    /// `unsigned`.
    pub const UINT: Ty = Ty(1);
    /// `long`.
    pub const LONG: Ty = Ty(2);
    /// `unsigned long`.
    pub const ULONG: Ty = Ty(3);
    /// `long long`.
    pub const LLONG: Ty = Ty(4);
    /// `unsigned long long`.
    pub const ULLONG: Ty = Ty(5);
    /// `short`.
    pub const SHORT: Ty = Ty(6);
    /// `unsigned short`.
    pub const USHORT: Ty = Ty(7);
    /// `char`.
    pub const CHAR: Ty = Ty(8);
    /// `signed char`.
    pub const SCHAR: Ty = Ty(9);
    /// `unsigned char`.
    pub const UCHAR: Ty = Ty(10);
    /// `_Bool`.
    pub const BOOL: Ty = Ty(11);
    /// `__int128`.
    pub const INT128: Ty = Ty(12);
    /// `unsigned __int128`.
    pub const UINT128: Ty = Ty(13);
    /// `float`.
    pub const FLOAT: Ty = Ty(14);
    /// `double`.
    pub const DOUBLE: Ty = Ty(15);
    /// `long double`.
    pub const LDOUBLE: Ty = Ty(16);

    /// A bit-field of `width` bits, from 1 to 31; other widths count as the nearer bound.
    pub fn field(width: u8, signed: bool) -> Ty {
        let width = width.clamp(1, WIDEST_FIELD);
        Ty(PLAINS + (width - 1) * 2 + u8::from(signed))
    }

    /// Width and sign if it is a bit-field.
    pub fn as_field(self) -> Option<(u8, bool)> {
        let number = self.0.checked_sub(PLAINS)?;
        Some((number / 2 + 1, number % 2 == 1))
    }

    /// The type it is declared with: a bit-field's is `int` or `unsigned`.
    pub fn declared(self) -> Type {
        match self.as_field() {
            Some((_, true)) => Type::INT,
            Some((_, false)) => Type::UINT,
            None => PLAIN[usize::from(self.0)].0,
        }
    }

    /// Whether it is `float`, `double` or `long double`.
    pub fn is_float(self) -> bool {
        (Ty::FLOAT.0..=Ty::LDOUBLE.0).contains(&self.0)
    }

    /// A short name: `unsigned long`, `int:7`.
    pub fn name(self) -> String {
        match self.as_field() {
            Some((width, true)) => format!("int:{width}"),
            Some((width, false)) => format!("unsigned:{width}"),
            None => PLAIN[usize::from(self.0)].1.to_owned(),
        }
    }

    /// The type that is `ty` without qualifiers.
    pub fn of(ty: Type) -> Option<Ty> {
        let index = PLAIN.iter().position(|&(plain, _)| plain == ty.bare())?;
        u8::try_from(index).ok().map(Ty)
    }
}

/// What two operands of an operator become, and what comes out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Typing {
    /// What the left one is converted to.
    pub left: Ty,
    /// What the right one is converted to.
    pub right: Ty,
    /// The type of the result.
    pub result: Ty,
}

/// The conversions of one target, as far as they have been asked for.
///
/// ```
/// use howler_lang::program::BinaryOp;
/// use howler_lang::scalar::{Rules, Ty};
/// use howler_lang::target::Target;
///
/// let mut rules = Rules::new(Target::X86_64_GCC);
/// assert_eq!(rules.common(Ty::UINT, Ty::LONG), Ty::LONG);
/// assert_eq!(rules.binary(BinaryOp::Shl, Ty::CHAR, Ty::ULONG).result, Ty::INT);
/// ```
pub struct Rules {
    nums: [Num; COUNT],
    /// By the types of two operands; `UNKNOWN` where nobody asked.
    common: Vec<u8>,
    promoted: [u8; COUNT],
    scratch: Scratch,
}

const UNKNOWN: u8 = u8::MAX;

impl Rules {
    /// The conversions of a target.
    pub fn new(target: Target) -> Rules {
        let scratch = Scratch::new(target);
        let mut nums = [Num::INT; COUNT];
        for (index, num) in nums.iter_mut().enumerate() {
            let ty = Ty(index as u8);
            *num = match ty.as_field() {
                Some((width, signed)) => Num::Int { width, signed },
                None => num_of(&scratch.program.types, &target, ty.declared()).unwrap_or(Num::INT),
            };
        }
        let common = vec![UNKNOWN; COUNT * COUNT];
        Rules { nums, common, promoted: [UNKNOWN; COUNT], scratch }
    }

    /// How values of the type are computed with.
    #[inline]
    pub fn num(&self, ty: Ty) -> Num {
        self.nums[usize::from(ty.0)]
    }

    /// The format of a floating type.
    #[inline]
    pub fn format(&self, ty: Ty) -> Option<Format> {
        match self.num(ty) {
            Num::Float(format) => Some(format),
            _ => None,
        }
    }

    /// The type after the integer promotions (C17 6.3.1.1p2).
    #[inline]
    pub fn promoted(&mut self, ty: Ty) -> Ty {
        let index = usize::from(ty.0);
        if self.promoted[index] == UNKNOWN {
            self.promoted[index] = self.scratch.promoted(ty).0;
        }
        Ty(self.promoted[index])
    }

    /// The type two operands meet in (C17 6.3.1.8).
    #[inline]
    pub fn common(&mut self, a: Ty, b: Ty) -> Ty {
        let index = usize::from(a.0) * COUNT + usize::from(b.0);
        if self.common[index] == UNKNOWN {
            self.common[index] = self.scratch.common(a, b).0;
        }
        Ty(self.common[index])
    }

    /// What the operands of a binary operator become.
    #[inline]
    pub fn binary(&mut self, op: BinaryOp, a: Ty, b: Ty) -> Typing {
        match op {
            BinaryOp::And | BinaryOp::Or => Typing { left: a, right: b, result: Ty::INT },
            BinaryOp::Shl | BinaryOp::Shr => {
                let left = self.promoted(a);
                Typing { left, right: self.promoted(b), result: left }
            }
            _ => {
                let common = self.common(a, b);
                let result = if is_comparison(op) { Ty::INT } else { common };
                Typing { left: common, right: common, result }
            }
        }
    }
}

/// Whether an operator compares.
pub fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne)
}

/// Whether an operator takes integers only (C17 6.5.5p2, 6.5.7p2, 6.5.10p2 to 6.5.12p2).
pub fn integers_only(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr | BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr
    )
}

/// A program to ask `build` in: one object per type, made when it is needed.
struct Scratch {
    program: Program,
    operands: [Option<ObjId>; COUNT],
    member: Symbol,
}

impl Scratch {
    fn new(target: Target) -> Scratch {
        let mut program = Program::new(target);
        let member = program.symbols.intern("v");
        Scratch { program, operands: [None; COUNT], member }
    }

    fn promoted(&mut self, ty: Ty) -> Ty {
        let operand = self.operand(ty);
        let cx = &mut Cx::strict(&mut self.program);
        let built =
            build::unary(cx, UnaryOp::Plus, operand, Pos::NONE).expect("every scalar has a unary plus");
        Ty::of(self.program.ty(built)).expect("a promoted type is a plain one")
    }

    fn common(&mut self, a: Ty, b: Ty) -> Ty {
        let (a, b) = (self.operand(a), self.operand(b));
        let cx = &mut Cx::strict(&mut self.program);
        let built = build::binary(cx, BinaryOp::Add, a, b, Pos::NONE).expect("any two scalars can be added");
        Ty::of(self.program.ty(built)).expect("a common type is a plain one")
    }

    /// An lvalue of the type.
    fn operand(&mut self, ty: Ty) -> ExprId {
        let index = usize::from(ty.0);
        let object = match self.operands[index] {
            Some(object) => object,
            None => {
                let declared = match ty.as_field() {
                    Some(_) => field_record(&mut self.program, ty, None, self.member),
                    None => ty.declared(),
                };
                let object = self.program.objects.push(Object::unnamed(declared));
                self.operands[index] = Some(object);
                object
            }
        };
        let cx = &mut Cx::strict(&mut self.program);
        let lvalue = build::object(cx, object, Pos::NONE);
        match ty.as_field() {
            Some(_) => {
                build::member(cx, lvalue, self.member, false, Pos::NONE).expect("the struct has the member")
            }
            None => lvalue,
        }
    }
}

/// A struct with one bit-field.
pub fn field_record(program: &mut Program, ty: Ty, tag: Option<Symbol>, member: Symbol) -> Type {
    let bits = ty.as_field().map(|(width, _)| width);
    let field = Field { bits, ..Field::new(Some(member), ty.declared()) };
    let record = program.types.records.push(Record::new(RecordKind::Struct, tag, 0).with(vec![field]));
    program.types.record(record)
}

/// An expression of the value `bits` of a type; types narrower than `int` come out as `int`.
pub fn constant(cx: &mut Cx, ty: Ty, bits: u128) -> build::Built {
    let num = match ty.as_field() {
        Some((width, signed)) => Num::Int { width, signed },
        None => num_of(&cx.program.types, &cx.program.target, ty.declared()).unwrap_or(Num::INT),
    };
    build::constant(cx, num, ty.declared(), bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Arch;

    #[test]
    fn rules_are_the_targets() {
        let mut wide = Rules::new(Target::X86_64_GCC);
        let mut narrow = Rules::new(Target { arch: Arch::I386, ..Target::X86_64_GCC });
        assert_eq!(wide.common(Ty::UINT, Ty::LONG), Ty::LONG);
        assert_eq!(narrow.common(Ty::UINT, Ty::LONG), Ty::ULONG);
        assert_eq!(wide.promoted(Ty::BOOL), Ty::INT);
        assert_eq!(wide.promoted(Ty::field(31, false)), Ty::INT);
        assert_eq!(wide.common(Ty::FLOAT, Ty::ULLONG), Ty::FLOAT);
        assert_eq!(Ty::field(7, true).name(), "int:7");
        assert_eq!(wide.num(Ty::field(7, false)), Num::Int { width: 7, signed: false });
    }
}
