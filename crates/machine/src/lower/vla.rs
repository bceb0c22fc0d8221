//! Variable length arrays: their bounds are evaluated where their declaration is reached, their sizes are registers.

use super::{Lower, Lowerer};
use crate::op::{Op, Reg};
use howler_lang::program::ObjId;
use howler_lang::ty::{Len, Type, TypeKind};

impl Lowerer<'_> {
    /// Evaluates the bounds of a variably modified type that have not been evaluated yet.
    pub fn bounds(&mut self, ty: Type) -> Lower<()> {
        if !self.program.types.is_variably_modified(ty) {
            return Ok(());
        }
        // A typedef's bounds were evaluated where it was declared.
        match self.program.types.kind(ty) {
            TypeKind::Pointer(to) => self.bounds(to),
            TypeKind::Array { elem, len } => {
                if let Len::Variable(vla) = len {
                    let e = self.program.types.vlas[vla];
                    let value = self.full(e, true)?;
                    let num = self.num(self.program.ty(e))?;
                    let dst = match self.f.vlas.get(&vla) {
                        Some(&reg) => reg,
                        None => self.reg(),
                    };
                    self.f.vlas.insert(vla, dst);
                    self.emit(Op::Bound { num, dst, a: value });
                }
                self.bounds(elem)
            }
            TypeKind::Function(id) => {
                let ret = self.program.types.signature(id).ret;
                self.bounds(ret)
            }
            _ => Ok(()),
        }
    }

    /// Evaluates the bounds in the type of a parameter, `[static n]` included.
    pub fn param_bounds(&mut self, object: ObjId) -> Lower<()> {
        let declared = &self.program.objects[object];
        let (ty, bound) = (declared.ty, declared.param_bound);
        self.bounds(ty)?;
        let Some(bound) = bound else { return Ok(()) };
        let len = self.full(bound.len, true)?;
        if !bound.at_least {
            return Ok(());
        }
        let Some(elem) = self.program.types.pointee(ty) else { return Ok(()) };
        let lv = self.object(object);
        let base = self.load(&lv)?;
        let num = self.num(self.program.ty(bound.len))?;
        let step = self.step_of(elem)?;
        self.static_bound(base, len, num, step);
        Ok(())
    }

    fn static_bound(&mut self, base: Reg, len: Reg, num: u8, step: u32) {
        self.emit(Op::StaticBound { num, base, len, step });
    }

    /// The size in bytes of a variable length array type, in a register.
    pub fn vla_size(&mut self, ty: Type) -> Lower<Reg> {
        let TypeKind::Array { elem, len } = self.program.types.kind(ty) else {
            let size = self.size(ty)?;
            return Ok(self.constant(u128::from(size)));
        };
        let elem_size = self.vla_size(elem)?;
        let count = match len {
            Len::Fixed(count) => self.constant(u128::from(count)),
            Len::Variable(vla) => match self.f.vlas.get(&vla).copied().or_else(|| self.outer_vla(vla)) {
                Some(reg) => reg,
                None => {
                    // A size that is asked for before any declaration: `sizeof(int[n])`.
                    self.bounds(ty)?;
                    match self.f.vlas.get(&vla) {
                        Some(&reg) => reg,
                        None => return self.refuse("a variable bound that was never evaluated"),
                    }
                }
            },
            Len::Unknown | Len::Star => return self.refuse("the size of an array without a bound"),
        };
        let dst = self.reg();
        self.emit(Op::VlaSize { dst, count, elem: elem_size });
        Ok(dst)
    }
}
