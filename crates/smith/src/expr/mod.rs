//! Expressions: integers here, other types beside it.

mod builtin;
mod float;
mod overflow;
mod pointer;
mod record;
mod vector;

use howler_lang::build;
use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, ExprId, StmtKind, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::ty::Type;

use crate::features::Feature;
use crate::find::Use;
use crate::maker::{Known, Made, Maker};
use crate::place::Shape;
use crate::safe::Op;
use crate::weights::{Expression, Operator};

pub(crate) const COMPARISONS: [BinaryOp; 6] =
    [BinaryOp::Lt, BinaryOp::Gt, BinaryOp::Le, BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne];

impl Maker<'_> {
    /// A value of any type that variables have, with the states of what is in it.
    pub(crate) fn value(&mut self, ty: Type, depth: u32) -> Made<Option<Known>> {
        let types = &self.out.program.types;
        if types.is_integer(ty) {
            let e = self.int_expr(depth)?;
            return Ok(Some(Known { e, sets: Vec::new() }));
        }
        if types.is_float(ty) {
            let e = self.float_for(ty, depth)?;
            return Ok(Some(Known { e, sets: Vec::new() }));
        }
        if types.pointee(ty).is_some() {
            return self.pointer_value(ty, false, depth).map(Some);
        }
        if self.is_vector(ty) {
            let e = self.vector_expr(ty, depth)?;
            return Ok(Some(Known { e, sets: Vec::new() }));
        }
        self.record_value(ty, depth)
    }

    /// An expression of some integer type.
    pub(crate) fn int_expr(&mut self, depth: u32) -> Made<ExprId> {
        self.left -= 1;
        self.costs(3);
        // Where every step counts many times there is no room for much.
        if depth == 0 || self.left < 0 || !self.affords(100) {
            return self.int_leaf();
        }
        let drawn = self.tables.draw_expression(&mut self.choices, |_| true);
        let below = depth - 1;
        let made = match drawn.unwrap_or(Expression::Constant) {
            Expression::Call => self.call(Type::INT, depth)?.map(|known| known.e),
            Expression::Constant => Some(self.int_constant()?),
            Expression::Variable => self.int_variable()?,
            Expression::Unary => Some(self.int_unary(below)?),
            Expression::Binary => Some(self.int_binary(below)?),
            Expression::Comma => Some(self.int_comma(below)?),
            Expression::Assign => self.int_assign(below)?,
            Expression::Conditional => Some(self.int_cond(below)?),
            Expression::Logic => Some(self.int_logic(below)?),
            Expression::Cast => Some(self.int_cast(below)?),
            Expression::Member => self.member_of_value(below)?,
            Expression::Step => self.int_step()?,
            Expression::Builtin => self.int_builtin(below)?,
            Expression::Float => Some(self.int_from_float(below)?),
            Expression::Pointer => self.int_from_pointer(below)?,
            Expression::Size => Some(self.int_size()?),
            Expression::Lane => self.int_from_vector(below)?,
            Expression::Overflow => self.overflow(below)?,
            Expression::Idiom => self.idiom()?,
            Expression::Text => self.text_expr()?,
            Expression::Pointed => match self.one_in("compared", 8) {
                true => self.int_from_pointed()?,
                false => self.call_pointed(Type::INT, depth)?.map(|known| known.e),
            },
            Expression::Statements => self.int_statements(below)?,
        };
        match made {
            Some(e) => Ok(e),
            None => self.int_binary(below),
        }
    }

    /// A constant or a variable.
    pub(crate) fn int_leaf(&mut self) -> Made<ExprId> {
        if !self.choices.chance("constant", 1, 3)
            && let Some(e) = self.int_variable()?
        {
            return Ok(e);
        }
        self.int_constant()
    }

    pub(crate) fn int_variable(&mut self) -> Made<Option<ExprId>> {
        let wanted = |maker: &Maker, ty: Type| maker.out.program.types.is_integer(ty);
        self.left -= 1;
        Ok(self.lvalue(&wanted, Use::Read)?.map(|lvalue| self.read(&lvalue)))
    }

    fn int_constant(&mut self) -> Made<ExprId> {
        self.left -= 1;
        let ty = self.int_type();
        if !self.pool.enumerators.is_empty() && self.one_in("enumerator", 12) {
            let constant = *self.choices.pick("enumerator", &self.pool.enumerators).expect("asked");
            return Ok(self.out.enumerator(constant));
        }
        let bits = self.number(ty);
        self.out.constant(ty, &Value::Bits(bits))
    }

    fn int_unary(&mut self, depth: u32) -> Made<ExprId> {
        let a = self.int_expr(depth)?;
        match self.choices.range("unary operator", 0..=5u32) {
            0 => self.out.unary(UnaryOp::Not, a),
            1 | 2 => self.out.unary(UnaryOp::BitNot, a),
            3 => self.out.unary(UnaryOp::Plus, a),
            _ => {
                let ty = self.operation_type();
                self.safe(Op::Neg, ty, &[a])
            }
        }
    }

    fn int_binary(&mut self, depth: u32) -> Made<ExprId> {
        let op = match self.tables.draw_operator(&mut self.choices, |_| true).unwrap_or(Operator::Xor) {
            Operator::Add => BinaryOp::Add,
            Operator::Sub => BinaryOp::Sub,
            Operator::Mul => BinaryOp::Mul,
            Operator::Div => BinaryOp::Div,
            Operator::Rem => BinaryOp::Rem,
            Operator::Shl => BinaryOp::Shl,
            Operator::Shr => BinaryOp::Shr,
            Operator::And => BinaryOp::BitAnd,
            Operator::Or => BinaryOp::BitOr,
            Operator::Xor => BinaryOp::BitXor,
            Operator::Compare => *self.choices.one_of("comparison", &COMPARISONS),
        };
        let start = self.log.len();
        let a = self.int_expr(depth)?;
        self.log.beside(start);
        // A number of places to shift by that makes sense, more often than not.
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr) && self.choices.chance("few places", 3, 5);
        let b = if shift {
            let places = self.choices.range("places", 0..=31i128);
            self.out.int(places)?
        } else {
            self.int_expr(depth)?
        };
        self.log.with();
        match Op::of(op) {
            Some(op) => {
                let ty = self.operation_type();
                self.safe(op, ty, &[a, b])
            }
            None => self.out.binary(op, a, b),
        }
    }

    /// Comparisons and other conditions, one after another: what is on the right may not happen.
    fn int_logic(&mut self, depth: u32) -> Made<ExprId> {
        let mut e = self.condition(depth)?;
        for _ in 0..self.choices.range("more", 1..=3u32) {
            let op = if self.one_in("and", 2) { BinaryOp::And } else { BinaryOp::Or };
            let facts = self.facts.clone();
            let next = self.condition(depth)?;
            self.join(&facts);
            e = if self.one_in("turned", 4) {
                // What is made later must stand later.
                let not = self.out.unary(UnaryOp::Not, e)?;
                self.out.binary(op, not, next)?
            } else {
                self.out.binary(op, e, next)?
            };
        }
        Ok(e)
    }

    /// A comparison, or anything else that is zero or not.
    pub(crate) fn condition(&mut self, depth: u32) -> Made<ExprId> {
        if depth == 0 || self.one_in("any value", 3) {
            return self.int_expr(depth);
        }
        let op = *self.choices.one_of("comparison", &COMPARISONS);
        let start = self.log.len();
        let a = self.int_expr(depth - 1)?;
        self.log.beside(start);
        let b = self.int_expr(depth.clamp(1, 2) - 1)?;
        self.log.with();
        self.out.binary(op, a, b)
    }

    fn int_comma(&mut self, depth: u32) -> Made<ExprId> {
        let a = match self.int_assign(depth)? {
            Some(e) => e,
            None => self.int_expr(depth)?,
        };
        let b = self.int_expr(depth)?;
        self.out.comma(a, b)
    }

    fn int_cond(&mut self, depth: u32) -> Made<ExprId> {
        let c = self.condition(depth)?;
        let before = self.facts.clone();
        let a = self.int_expr(depth)?;
        let after = std::mem::replace(&mut self.facts, before);
        let b = self.int_expr(depth)?;
        self.join(&after);
        self.out.cond(c, a, b)
    }

    fn int_cast(&mut self, depth: u32) -> Made<ExprId> {
        let ty = self.int_type();
        let e = self.int_expr(depth)?;
        self.out.cast(ty, e)
    }

    fn int_size(&mut self) -> Made<ExprId> {
        let ty = self.var_type()?;
        self.out.sizeof_type(ty)
    }

    /// An assignment to an integer; none if there is nothing to assign to here.
    pub(crate) fn int_assign(&mut self, depth: u32) -> Made<Option<ExprId>> {
        let start = self.log.len();
        let value = self.int_expr(depth)?;
        self.int_store(start, value)
    }

    /// Stores what was made since `start` somewhere. Nowhere to store it is rare: then it is the value itself.
    pub(crate) fn int_store(&mut self, start: usize, value: ExprId) -> Made<Option<ExprId>> {
        let compound = self.has(Feature::Compound) && self.choices.chance("compound", 1, 4);
        let purpose = if compound { Use::Update } else { Use::Store(start) };
        let wanted = |maker: &Maker, ty: Type| maker.out.program.types.is_integer(ty);
        // The place is found beside the value, and written when both are known.
        self.log.beside(start);
        let place = self.lvalue(&wanted, purpose)?;
        self.log.with();
        let Some(place) = place else { return Ok(Some(value)) };
        self.left -= 2;
        if compound {
            self.read(&place);
            self.wrote(&place);
            let op = self.tables.draw_compound(&mut self.choices, |_| true).map(|op| op.op());
            return self.out.compound_assign(op.unwrap_or(BinaryOp::BitXor), place.e, value).map(Some);
        }
        self.wrote(&place);
        self.out.assign(place.e, value).map(Some)
    }

    /// `x++` and its like, where it cannot overflow: of what is unsigned, or narrower than `int`.
    pub(crate) fn int_step(&mut self) -> Made<Option<ExprId>> {
        let types = [Type::SCHAR, Type::UCHAR, Type::SHORT, Type::USHORT, Type::UINT, Type::ULONG];
        let wanted = |_: &Maker, ty: Type| types.contains(&ty);
        let Some(place) = self.lvalue(&wanted, Use::Update)? else { return Ok(None) };
        // An unsigned bit-field of 31 bits is an `int`, which overflows.
        if matches!(self.places.part(place.parts[0]).shape, Shape::Number(Some(_))) {
            return Ok(None);
        }
        self.read(&place);
        self.wrote(&place);
        self.left -= 2;
        let ops = [UnaryOp::PreInc, UnaryOp::PreDec, UnaryOp::PostInc, UnaryOp::PostDec];
        let op = *self.choices.one_of("step", &ops);
        self.out.unary(op, place.e).map(Some)
    }

    /// `({ … })`: a few assignments and a value.
    fn int_statements(&mut self, depth: u32) -> Made<Option<ExprId>> {
        let mut list = Vec::new();
        for _ in 0..self.choices.range("statements", 1..=2u32) {
            if let Some(e) = self.int_assign(depth.min(2))? {
                list.push(self.out.expr(e)?);
            }
        }
        let value = self.int_expr(depth.min(2))?;
        let value = self.out.unary(UnaryOp::Plus, value)?;
        list.push(self.out.stmt(StmtKind::Expr(value)));
        let body = self.out.block(&list);
        Ok(Some(build::stmt_expr(&mut self.out.cx(), body, Pos::NONE)))
    }
}
