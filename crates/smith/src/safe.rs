//! Wrappers around operators that may be undefined: functions that do the operation where it is defined, and give the first
//! operand where it is not. Operands that are simple may have the check around them in place.

use std::collections::BTreeMap;

use howler_lang::arith::{Num, num_of};
use howler_lang::build;
use howler_lang::compose::{Value, signature};
use howler_lang::fold;
use howler_lang::program::{BinaryOp, ExprId, ExprKind, FuncId, Linkage, ObjId, StmtKind, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::ty::{Quals, Type};

use crate::features::Feature;
use crate::maker::{Made, Maker};

/// An operator that needs a wrapper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Op {
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
}

impl Op {
    /// The wrapped form of an operator; none if it needs none.
    pub(crate) fn of(op: BinaryOp) -> Option<Op> {
        Some(match op {
            BinaryOp::Add => Op::Add,
            BinaryOp::Sub => Op::Sub,
            BinaryOp::Mul => Op::Mul,
            BinaryOp::Div => Op::Div,
            BinaryOp::Rem => Op::Rem,
            BinaryOp::Shl => Op::Shl,
            BinaryOp::Shr => Op::Shr,
            _ => return None,
        })
    }

    pub(crate) fn is_shift(self) -> bool {
        matches!(self, Op::Shl | Op::Shr)
    }

    pub(crate) fn binary(self) -> BinaryOp {
        match self {
            Op::Neg | Op::Sub => BinaryOp::Sub,
            Op::Add => BinaryOp::Add,
            Op::Mul => BinaryOp::Mul,
            Op::Div => BinaryOp::Div,
            Op::Rem => BinaryOp::Rem,
            Op::Shl => BinaryOp::Shl,
            Op::Shr => BinaryOp::Shr,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Op::Neg => "neg",
            Op::Add => "add",
            Op::Sub => "sub",
            Op::Mul => "mul",
            Op::Div => "div",
            Op::Rem => "mod",
            Op::Shl => "lshift",
            Op::Shr => "rshift",
        }
    }
}

/// A place where an operation is done: the first time always by a wrapper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// The call of the wrapper.
    pub(crate) e: ExprId,
    pub(crate) op: Op,
    /// The type that it is done in.
    pub(crate) ty: Type,
}

/// The wrappers that the program has.
#[derive(Default)]
pub(crate) struct Wrappers {
    /// What is done anywhere, with a wrapper or without: the same whichever places do without.
    done: Vec<(Op, Type)>,
    known: BTreeMap<(Op, Type), FuncId>,
}

/// An operand of a check.
#[derive(Clone, Copy, Debug)]
struct Operand {
    what: What,
    /// The type that it is converted to.
    ty: Type,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Object(ObjId),
    /// A constant and its type.
    Number(i128, Type),
}

impl Maker<'_> {
    /// An operation in a type, never undefined.
    pub(crate) fn safe(&mut self, op: Op, ty: Type, operands: &[ExprId]) -> Made<ExprId> {
        let ty = self.operated(op, ty);
        self.safe_in(op, ty, operands)
    }

    /// The same in this very type.
    pub(crate) fn safe_in(&mut self, op: Op, ty: Type, operands: &[ExprId]) -> Made<ExprId> {
        self.left -= 3;
        self.costs(20);
        if let Some(e) = self.inlined(op, ty, operands)? {
            self.left -= 15;
            return Ok(e);
        }
        if self.has(Feature::InPlace) && self.one_in("in place", 8) {
            self.left -= 35;
            return self.in_place(op, ty, operands);
        }
        if !self.wrappers.done.contains(&(op, ty)) {
            self.wrappers.done.push((op, ty));
            self.left -= WRAPPER;
        }
        let naked = self.bare.get(self.sites.len()).copied().unwrap_or(false);
        let e = if naked { self.naked(op, ty, operands)? } else { self.wrapped(op, ty, operands)? };
        self.sites.push(Site { e, op, ty });
        Ok(e)
    }

    /// The type that an operation is done in: another wrapper costs room, and small programs have little.
    fn operated(&mut self, op: Op, ty: Type) -> Type {
        let done = &self.wrappers.done;
        let other = done.iter().find(|(other, _)| *other == op).map(|&(_, ty)| ty);
        match other {
            Some(other) if self.left < FEW && !done.contains(&(op, ty)) => other,
            _ => ty,
        }
    }

    /// Whether a function is a wrapper.
    pub(crate) fn is_wrapper(&self, func: FuncId) -> bool {
        self.wrappers.known.values().any(|&known| known == func)
    }

    /// The same wrapper once more, for the unit that is made now.
    pub(crate) fn twin(&mut self, wrapper: FuncId) -> Made<FuncId> {
        let known = self.wrappers.known.iter().find(|(_, known)| **known == wrapper);
        let &(op, ty) = known.expect("it is a wrapper").0;
        self.wrapper(op, ty)
    }

    fn wrapped(&mut self, op: Op, ty: Type, operands: &[ExprId]) -> Made<ExprId> {
        let func = match self.wrappers.known.get(&(op, ty)) {
            Some(&known) => known,
            None => {
                let made = self.wrapper(op, ty)?;
                self.wrappers.known.insert((op, ty), made);
                made
            }
        };
        self.out.call_of(func, operands)
    }

    /// The operation of a wrapper without its check.
    fn naked(&mut self, op: Op, ty: Type, operands: &[ExprId]) -> Made<ExprId> {
        let first = self.as_type(ty, operands[0])?;
        let value = match operands.get(1) {
            Some(&second) => {
                let second_ty = if op.is_shift() { Type::INT } else { ty };
                let second = self.as_type(second_ty, second)?;
                self.out.binary(op.binary(), first, second)?
            }
            None => self.out.unary(UnaryOp::Neg, first)?,
        };
        self.as_type(ty, value)
    }

    /// A value converted to a type, if it has another.
    fn as_type(&mut self, ty: Type, e: ExprId) -> Made<ExprId> {
        if self.out.program.ty(e).bare() == ty { Ok(e) } else { self.out.cast(ty, e) }
    }

    /// `static T safe_add_i32(T a, T b) { return (…) ? a : (a + b); }`
    fn wrapper(&mut self, op: Op, ty: Type) -> Made<FuncId> {
        let program = &self.out.program;
        let Some(num) = num_of(&program.types, &program.target, ty) else {
            return self.out.function("none", signature(ty, &[]), Linkage::Internal);
        };
        let name = format!("safe_{}_{}", op.name(), short(ty));
        let second = if op.is_shift() { Type::INT } else { ty };
        let types: &[Type] = if op == Op::Neg { &[ty] } else { &[ty, second] };
        let func = self.out.function(&name, signature(ty, types), Linkage::Internal)?;
        let a = self.out.param("a", ty);
        let mut params = vec![a];
        let mut b = None;
        if op != Op::Neg {
            let param = self.out.param("b", second);
            params.push(param);
            b = Some(param);
        }
        let of = |what: ObjId, ty: Type| Operand { what: What::Object(what), ty };
        let value = self.checked(op, num, ty, (of(a, ty), b.map(|b| of(b, second))))?;
        let returns = self.out.returns(func, Some(value))?;
        self.out.define(func, params, &[returns])?;
        Ok(func)
    }

    /// An operation with its check around it, where its operands are simple enough to be written several times; none if they
    /// are not.
    fn inlined(&mut self, op: Op, ty: Type, operands: &[ExprId]) -> Made<Option<ExprId>> {
        if !self.has(Feature::Conditional) || operands.is_empty() || !self.one_in("check in place", 4) {
            return Ok(None);
        }
        let program = &self.out.program;
        let Some(num) = num_of(&program.types, &program.target, ty) else { return Ok(None) };
        let second = if op.is_shift() { Type::INT } else { ty };
        let a = self.simple(operands[0]).map(|what| Operand { what, ty });
        let b = operands.get(1).map(|&e| self.simple(e).map(|what| Operand { what, ty: second }));
        match (a, b) {
            (Some(a), None) => self.checked(op, num, ty, (a, None)).map(Some),
            (Some(a), Some(Some(b))) if matches!(a.what, What::Object(_)) => {
                self.checked(op, num, ty, (a, Some(b))).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `({ T a = …, b = …; (…) ? a : (a + b); })`, which is what a macro for a wrapper would stand for.
    fn in_place(&mut self, op: Op, ty: Type, operands: &[ExprId]) -> Made<ExprId> {
        let Some(num) = num_of(&self.out.program.types, &self.out.program.target, ty) else {
            return self.wrapped(op, ty, operands);
        };
        let (mut list, mut kept) = (Vec::new(), Vec::new());
        for (at, &e) in operands.iter().enumerate() {
            let ty = if at == 1 && op.is_shift() { Type::INT } else { ty };
            let name = self.name("t");
            let (object, declared) = self.out.local(&name, ty, Some(&Value::Expr(e)))?;
            list.push(declared);
            kept.push(Operand { what: What::Object(object), ty });
        }
        let value = self.checked(op, num, ty, (kept[0], kept.get(1).copied()))?;
        list.push(self.out.stmt(StmtKind::Expr(value)));
        let body = self.out.block(&list);
        Ok(build::stmt_expr(&mut self.out.cx(), body, Pos::NONE))
    }

    /// What an expression is, if it may be written again: a variable that is not volatile, or a number.
    fn simple(&self, e: ExprId) -> Option<What> {
        let expr = &self.out.program.exprs[e];
        match expr.kind {
            ExprKind::Object(object) if !self.out.program.types.quals(expr.ty).contains(Quals::VOLATILE) => {
                Some(What::Object(object))
            }
            ExprKind::Int { .. } => {
                fold::integer(&self.out.program, e).map(|number| What::Number(number, expr.ty))
            }
            _ => None,
        }
    }

    /// `(…) ? a : (a + b)`
    fn checked(&mut self, op: Op, num: Num, ty: Type, (a, b): (Operand, Option<Operand>)) -> Made<ExprId> {
        let (width, signed) = (num.width(), matches!(num, Num::Int { signed: true, .. }));
        // Narrow types are computed in `int`, where nothing overflows but shifts.
        let narrow = width < 32;
        let bad = self.bad(op, (a, b), (ty, width, signed, narrow))?;
        let operation = match b {
            Some(b) => {
                let (left, right) = (self.operand(a)?, self.operand(b)?);
                self.out.binary(op.binary(), left, right)?
            }
            None => {
                let left = self.operand(a)?;
                self.out.unary(UnaryOp::Neg, left)?
            }
        };
        let value = match bad {
            Some(bad) => {
                let first = self.operand(a)?;
                self.out.cond(bad, first, operation)?
            }
            None => operation,
        };
        self.out.cast(ty, value)
    }

    /// An operand, once more.
    fn operand(&mut self, operand: Operand) -> Made<ExprId> {
        let e = match operand.what {
            What::Object(object) => self.out.lvalue(object),
            What::Number(number, ty) => self.out.constant(ty, &Value::Int(number))?,
        };
        self.as_type(operand.ty, e)
    }

    /// When the operation is undefined; none if never.
    fn bad(
        &mut self,
        op: Op,
        (a, b): (Operand, Option<Operand>),
        (ty, width, signed, narrow): (Type, u32, bool, bool),
    ) -> Made<Option<ExprId>> {
        let least = if signed && !narrow { i128::MIN >> (128 - width) } else { 0 };
        let most = if signed {
            i128::MAX >> (128 - width)
        } else {
            if width > 126 { i128::MAX } else { (1i128 << width) - 1 }
        };
        Ok(match (op, b) {
            (Op::Neg, _) if signed && !narrow => Some(self.compared(a, BinaryOp::Eq, ty, least)?),
            (Op::Div | Op::Rem, Some(b)) => {
                let zero = self.compared(b, BinaryOp::Eq, ty, 0)?;
                if signed && !narrow {
                    let least = self.compared(a, BinaryOp::Eq, ty, least)?;
                    let minus = self.compared(b, BinaryOp::Eq, ty, -1)?;
                    let both = self.out.binary(BinaryOp::And, least, minus)?;
                    Some(self.out.binary(BinaryOp::Or, zero, both)?)
                } else {
                    Some(zero)
                }
            }
            (Op::Shl | Op::Shr, Some(b)) => {
                let width = if narrow { 32 } else { i128::from(width) };
                let low = self.compared(b, BinaryOp::Lt, Type::INT, 0)?;
                let high = self.compared(b, BinaryOp::Ge, Type::INT, width)?;
                let mut bad = self.out.binary(BinaryOp::Or, low, high)?;
                // A left shift of what is negative, or whose result does not fit (C17 6.5.7p4).
                if op == Op::Shl && (signed || narrow) {
                    if signed {
                        let negative = self.compared(a, BinaryOp::Lt, ty, 0)?;
                        bad = self.out.binary(BinaryOp::Or, bad, negative)?;
                    }
                    let most = if narrow { i128::from(i32::MAX) } else { most };
                    let constant_ty = if narrow { Type::INT } else { ty };
                    let limit = self.out.constant(constant_ty, &Value::Int(most))?;
                    let shift = self.operand(b)?;
                    let limit = self.out.binary(BinaryOp::Shr, limit, shift)?;
                    let value = self.operand(a)?;
                    let large = self.out.binary(BinaryOp::Gt, value, limit)?;
                    bad = self.out.binary(BinaryOp::Or, bad, large)?;
                }
                Some(bad)
            }
            (Op::Add, Some(b)) if signed && !narrow => {
                // b > 0 ? a > MAX - b : a < MIN - b
                Some(self.beyond((a, b), ty, (most, least), (BinaryOp::Sub, BinaryOp::Gt, BinaryOp::Lt))?)
            }
            (Op::Sub, Some(b)) if signed && !narrow => {
                // b > 0 ? a < MIN + b : a > MAX + b
                Some(self.beyond((a, b), ty, (least, most), (BinaryOp::Add, BinaryOp::Lt, BinaryOp::Gt))?)
            }
            (Op::Mul, Some(b)) if signed && !narrow => Some(self.product((a, b), ty, (least, most))?),
            // Narrow unsigned: 65535 * 65535 does not fit an int.
            (Op::Mul, Some(b)) if narrow && !signed && width == 16 => {
                let large = self.compared(a, BinaryOp::Gt, Type::INT, 32767)?;
                let other = self.compared(b, BinaryOp::Gt, Type::INT, 32767)?;
                Some(self.out.binary(BinaryOp::And, large, other)?)
            }
            _ => None,
        })
    }

    fn compared(&mut self, object: Operand, op: BinaryOp, ty: Type, value: i128) -> Made<ExprId> {
        let left = self.operand(object)?;
        let right = self.out.constant(ty, &Value::Int(value))?;
        self.out.binary(op, left, right)
    }

    /// `b > 0 ? a above first op b : a below second op b`
    fn beyond(
        &mut self,
        (a, b): (Operand, Operand),
        ty: Type,
        (first, second): (i128, i128),
        (op, above, below): (BinaryOp, BinaryOp, BinaryOp),
    ) -> Made<ExprId> {
        let positive = self.compared(b, BinaryOp::Gt, ty, 0)?;
        let side = |maker: &mut Self, limit: i128, test: BinaryOp| {
            let limit = maker.out.constant(ty, &Value::Int(limit))?;
            let value = maker.operand(b)?;
            let limit = maker.out.binary(op, limit, value)?;
            let value = maker.operand(a)?;
            maker.out.binary(test, value, limit)
        };
        let one = side(self, first, above)?;
        let two = side(self, second, below)?;
        self.out.cond(positive, one, two)
    }

    /// `a > 0 ? (b > 0 ? a > MAX / b : b < MIN / a) : (b > 0 ? a < MIN / b : a && b < MAX / a)`
    fn product(&mut self, (a, b): (Operand, Operand), ty: Type, (least, most): (i128, i128)) -> Made<ExprId> {
        let side = |maker: &mut Self, limit: i128, by: Operand, what: Operand, test: BinaryOp| {
            let limit = maker.out.constant(ty, &Value::Int(limit))?;
            let by = maker.operand(by)?;
            let limit = maker.out.binary(BinaryOp::Div, limit, by)?;
            let what = maker.operand(what)?;
            maker.out.binary(test, what, limit)
        };
        let one = side(self, most, b, a, BinaryOp::Gt)?;
        let two = side(self, least, a, b, BinaryOp::Lt)?;
        let three = side(self, least, b, a, BinaryOp::Lt)?;
        let four = side(self, most, a, b, BinaryOp::Lt)?;
        let not_zero = self.operand(a)?;
        let four = self.out.binary(BinaryOp::And, not_zero, four)?;
        let b_positive = self.compared(b, BinaryOp::Gt, ty, 0)?;
        let upper = self.out.cond(b_positive, one, two)?;
        let b_positive = self.compared(b, BinaryOp::Gt, ty, 0)?;
        let lower = self.out.cond(b_positive, three, four)?;
        let a_positive = self.compared(a, BinaryOp::Gt, ty, 0)?;
        self.out.cond(a_positive, upper, lower)
    }
}

/// Tokens of a wrapper, about.
const WRAPPER: i64 = 45;

/// With fewer tokens to write there are no new wrappers for operations that have one.
const FEW: i64 = 1500;

/// The integer types that operations are done in, with the words that names have for them.
const WORDS: [(Type, &str); 10] = [
    (Type::SCHAR, "schar"),
    (Type::UCHAR, "uchar"),
    (Type::SHORT, "short"),
    (Type::USHORT, "ushort"),
    (Type::INT, "int"),
    (Type::UINT, "uint"),
    (Type::LONG, "long"),
    (Type::ULONG, "ulong"),
    (Type::INT128, "int128"),
    (Type::UINT128, "uint128"),
];

/// A word for an integer type, as names have it.
fn short(ty: Type) -> &'static str {
    WORDS.iter().find(|(known, _)| *known == ty).map_or("other", |(_, name)| name)
}
