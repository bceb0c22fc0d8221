//! Expressions: `build`, without positions and contexts.

use super::{Composed, Composer, Value, refuse};
use crate::build::{self, Built};
use crate::program::{
    BinaryOp, Duration, ExprId, FuncId, ObjId, Object, StmtId, StrLit, StrPrefix, StrUnits, UnaryOp,
};
use crate::source::Pos;
use crate::ty::{EnumeratorId, Type};

impl Composer {
    /// The object as an lvalue.
    pub fn lvalue(&mut self, object: ObjId) -> ExprId {
        build::object(&mut self.cx(), object, Pos::NONE)
    }

    /// The function, for a call through its name or for its address.
    pub fn designator(&mut self, func: FuncId) -> ExprId {
        build::function(&mut self.cx(), func, Pos::NONE)
    }

    /// A function of the compiler, which needs no declaration: `__builtin_abort`, `__builtin_printf`.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn builtin(&mut self, name: &str) -> Composed<FuncId> {
        let unit = self.current();
        match build::builtin_function(&mut self.program, name, unit) {
            Some(func) => Ok(func),
            None => refuse(format!("the compiler has no function '{name}'")),
        }
    }

    /// An enumeration constant.
    pub fn enumerator(&mut self, constant: EnumeratorId) -> ExprId {
        build::enumerator(&mut self.cx(), constant, Pos::NONE)
    }

    /// A string literal.
    pub fn string(&mut self, text: &str) -> ExprId {
        let lit = StrLit { units: StrUnits::Narrow(text.as_bytes().into()), prefix: StrPrefix::None };
        build::string(&mut self.cx(), lit, Pos::NONE)
    }

    /// An `int`.
    ///
    /// # Errors
    /// It does not fit.
    pub fn int(&mut self, value: i128) -> Built {
        self.constant(Type::INT, &Value::Int(value))
    }

    /// A null pointer of a type.
    ///
    /// # Errors
    /// The type is no pointer.
    pub fn null(&mut self, ty: Type) -> Built {
        if self.program.types.pointee(ty).is_none() {
            return refuse("a null pointer needs a pointer type");
        }
        let zero = self.int(0)?;
        self.cast(ty, zero)
    }

    /// A unary operator; `&` and `*` too.
    ///
    /// # Errors
    /// The constraint that is violated.
    pub fn unary(&mut self, op: UnaryOp, a: ExprId) -> Built {
        build::unary(&mut self.cx(), op, a, Pos::NONE)
    }

    /// `&a`
    ///
    /// # Errors
    /// It has no address.
    pub fn address(&mut self, a: ExprId) -> Built {
        self.unary(UnaryOp::AddrOf, a)
    }

    /// `*a`
    ///
    /// # Errors
    /// It is no pointer, or one to `void`.
    pub fn deref(&mut self, a: ExprId) -> Built {
        self.unary(UnaryOp::Deref, a)
    }

    /// A binary operator.
    ///
    /// # Errors
    /// The constraint that is violated.
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Built {
        build::binary(&mut self.cx(), op, a, b, Pos::NONE)
    }

    /// `a = b`
    ///
    /// # Errors
    /// The constraint that is violated.
    pub fn assign(&mut self, a: ExprId, b: ExprId) -> Built {
        build::assign(&mut self.cx(), a, b, Pos::NONE)
    }

    /// `a op= b`
    ///
    /// # Errors
    /// The constraint that is violated.
    pub fn compound_assign(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Built {
        build::compound_assign(&mut self.cx(), op, a, b, Pos::NONE)
    }

    /// `c ? a : b`
    ///
    /// # Errors
    /// The constraint that is violated.
    pub fn cond(&mut self, c: ExprId, a: ExprId, b: ExprId) -> Built {
        build::cond(&mut self.cx(), c, a, b, Pos::NONE)
    }

    /// `a, b`
    ///
    /// # Errors
    /// The constraint that is violated.
    pub fn comma(&mut self, a: ExprId, b: ExprId) -> Built {
        build::comma(&mut self.cx(), a, b, Pos::NONE)
    }

    /// `(ty)a`
    ///
    /// # Errors
    /// The constraint that is violated.
    pub fn cast(&mut self, ty: Type, a: ExprId) -> Built {
        build::cast(&mut self.cx(), ty, a, Pos::NONE)
    }

    /// `a[b]`
    ///
    /// # Errors
    /// The constraint that is violated.
    pub fn index(&mut self, a: ExprId, b: ExprId) -> Built {
        build::index(&mut self.cx(), a, b, Pos::NONE)
    }

    /// `a.name`; those of anonymous members are found too.
    ///
    /// # Errors
    /// There is no such member.
    pub fn member(&mut self, a: ExprId, name: &str) -> Built {
        let name = self.program.symbols.intern(name);
        build::member(&mut self.cx(), a, name, false, Pos::NONE)
    }

    /// `a->name`
    ///
    /// # Errors
    /// It is no pointer to a struct or union, or there is no such member.
    pub fn arrow(&mut self, a: ExprId, name: &str) -> Built {
        let name = self.program.symbols.intern(name);
        build::member(&mut self.cx(), a, name, true, Pos::NONE)
    }

    /// `sizeof(ty)`
    ///
    /// # Errors
    /// It has no size.
    pub fn sizeof_type(&mut self, ty: Type) -> Built {
        build::sizeof_type(&mut self.cx(), ty, Pos::NONE)
    }

    /// `sizeof a`, which is not evaluated.
    ///
    /// # Errors
    /// It has no size.
    pub fn sizeof_expr(&mut self, a: ExprId) -> Built {
        build::sizeof_expr(&mut self.cx(), a, Pos::NONE)
    }

    /// A call of a function by its name.
    ///
    /// # Errors
    /// The arguments do not fit.
    pub fn call_of(&mut self, func: FuncId, args: &[ExprId]) -> Built {
        let callee = self.designator(func);
        self.call_through(callee, args)
    }

    /// A call of what a pointer points to.
    ///
    /// # Errors
    /// It is no function, or the arguments do not fit.
    pub fn call_through(&mut self, callee: ExprId, args: &[ExprId]) -> Built {
        build::call(&mut self.cx(), callee, args, Pos::NONE)
    }

    /// A call of a function as a statement.
    ///
    /// # Errors
    /// The arguments do not fit.
    pub fn call(&mut self, func: FuncId, args: &[ExprId]) -> Composed<StmtId> {
        let call = self.call_of(func, args)?;
        self.expr(call)
    }

    /// `(ty){…}`, for use inside of functions.
    ///
    /// # Errors
    /// The type has no size, or the value does not fit.
    pub fn compound_literal(&mut self, ty: Type, value: &Value) -> Built {
        self.check_object("compound literal", ty)?;
        let init = self.initialiser(ty, value, false)?;
        let init = Some(self.program.inits.push(init));
        let (unit, duration) = (self.current(), Duration::Literal);
        let object =
            self.program.objects.push(Object { duration, literal: true, init, unit, ..Object::unnamed(ty) });
        Ok(build::compound_literal(&mut self.cx(), object, Pos::NONE))
    }
}
