//! What is no plain C: labels as values, operators of the compiler, variable arguments.

use super::{Composed, Composer, refuse};
use crate::build::{self, Built};
use crate::builtin::{self, BuiltinDef};
use crate::program::{ExprId, LabelId, StmtId, StmtKind};
use crate::source::Pos;
use crate::ty::Type;

impl Composer {
    /// `&&label`
    pub fn label_address(&mut self, label: LabelId) -> ExprId {
        build::label_addr(&mut self.cx(), label, Pos::NONE)
    }

    /// `goto *target;`
    ///
    /// # Errors
    /// The target is no pointer.
    pub fn goto_computed(&mut self, target: ExprId) -> Composed<StmtId> {
        let target = build::value(&mut self.cx(), target)?;
        let types = &self.program.types;
        if types.pointee(self.program.ty(target)).is_none() {
            return refuse("computed goto must be pointer type");
        }
        Ok(self.stmt(StmtKind::GotoComputed(target)))
    }

    /// An operator of the compiler that looks like a function: `__builtin_add_overflow`, `__builtin_va_start`.
    ///
    /// # Errors
    /// There is none of that name, or the operands do not fit.
    pub fn operator(&mut self, name: &str, args: &[ExprId]) -> Built {
        match builtin::lookup(name) {
            Some(BuiltinDef::Operator(which)) => build::builtin(&mut self.cx(), which, args, Pos::NONE),
            _ => refuse(format!("the compiler has no operator '{name}'")),
        }
    }

    /// `__builtin_convertvector(e, ty)`
    ///
    /// # Errors
    /// They are no vectors with the same number of elements.
    pub fn convert_vector(&mut self, e: ExprId, ty: Type) -> Built {
        build::convert_vector(&mut self.cx(), e, ty, Pos::NONE)
    }

    /// `va_list`
    pub fn va_list(&mut self) -> Type {
        builtin::va_list(&mut self.program)
    }

    /// `va_arg(list, ty)`
    ///
    /// # Errors
    /// The list is none, or the type has no size.
    pub fn va_arg(&mut self, list: ExprId, ty: Type) -> Built {
        build::va_arg(&mut self.cx(), list, ty, Pos::NONE)
    }
}
