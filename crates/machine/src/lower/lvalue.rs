//! Lvalues: where an object is, how it was reached, and what reading and writing it takes.

use super::aliases::{Retyped, retyped};
use super::{AccessUse, Lower, Lowerer};
use crate::facts;
use crate::memory::access::{Access, Bits, Rep, Update};
use crate::op::{MemberInfo, NONE, Op, PoolItem, Reg, StepInfo};
use crate::value::AllocKind;
use howler_lang::arith::{self, Num};
use howler_lang::fold;
use howler_lang::program::{Conv, Duration, ExprId, ExprKind, ObjId, Program, UnaryOp};
use howler_lang::ty::{Len, Quals, RecordKind, Type, TypeKind};

/// An lvalue, or the place of an aggregate value.
#[derive(Clone, Debug)]
pub(crate) struct Lv {
    /// A pointer to it; if `register`, the register it lives in.
    pub addr: Reg,
    pub register: bool,
    /// It is a whole local in memory whose address nobody takes.
    pub unexposed: bool,
    /// The pointer that was dereferenced last on the way, or [`NONE`].
    pub root: Reg,
    /// What that points to.
    pub root_ty: Option<Type>,
    pub how: AccessUse,
    pub bits: Option<BitField>,
    /// The union's member it is a part of, and how far from that member's start.
    pub member: Option<(Type, u32)>,
    /// What a store makes unspecified.
    pub after: Vec<Op>,
    /// The array it is an element of, before that became a pointer.
    pub row: Option<Reg>,
    pub ty: Type,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct BitField {
    pub bits: Bits,
    pub bytes: u32,
}

impl Lv {
    pub fn named(addr: Reg, ty: Type) -> Lv {
        Lv {
            addr,
            register: false,
            unexposed: false,
            root: NONE,
            root_ty: None,
            how: AccessUse::PLAIN,
            bits: None,
            member: None,
            after: Vec::new(),
            row: None,
            ty,
        }
    }
}

impl Lowerer<'_> {
    pub fn lvalue(&mut self, e: ExprId) -> Lower<Lv> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.lvalue_here(e))
    }

    fn lvalue_here(&mut self, e: ExprId) -> Lower<Lv> {
        let program = self.program;
        let expr = program.exprs[e];
        let pos = super::place_of(program, e, self.f.pos);
        let before = std::mem::replace(&mut self.f.pos, pos);
        let lv = match expr.kind {
            ExprKind::Object(object) => self.object(object),
            ExprKind::CompoundLiteral(object) => self.compound_literal(object)?,
            ExprKind::Str(id) => Lv::named(self.pool(PoolItem::Str(id, expr.ty)), expr.ty),
            ExprKind::FuncName(_) => match self.f.func {
                Some(func) => Lv::named(self.pool(PoolItem::FuncName(func)), expr.ty),
                None => return self.refuse("__func__ outside a function"),
            },
            ExprKind::Unary(UnaryOp::Deref, p) => {
                let addr = match program.exprs[p].kind {
                    // What is accessed says whether the array is there.
                    ExprKind::Convert(Conv::ArrayDecay, array) => {
                        let array = self.lvalue(array)?;
                        self.decay(&array)?
                    }
                    _ => self.value(p)?,
                };
                Lv { root: addr, root_ty: Some(self.element(expr.ty)), ..Lv::named(addr, expr.ty) }
            }
            ExprKind::Member { base, field } => self.member(base, field, expr.ty)?,
            ExprKind::Index { base, index } => self.index(e, base, index)?,
            ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, of) => {
                let imaginary = matches!(expr.kind, ExprKind::Unary(UnaryOp::Imag, _));
                self.complex_part(of, imaginary, expr.ty)?
            }
            _ if facts::is_aggregate(program, expr.ty) => self.aggregate(e)?,
            _ => return self.refuse("an lvalue of this kind"),
        };
        self.f.pos = before;
        Ok(lv)
    }

    /// What an array type is an array of; other types are themselves.
    fn element(&self, ty: Type) -> Type {
        match self.program.types.kind(ty) {
            TypeKind::Array { elem, .. } => self.element(elem),
            _ => ty,
        }
    }

    pub fn object(&mut self, object: ObjId) -> Lv {
        let declared = &self.program.objects[object];
        let ty = declared.ty;
        if matches!(declared.duration, Duration::Static | Duration::Thread) {
            let addr = self.pool_object(object);
            return match retyped(self.program, object) {
                None => Lv::named(addr, ty),
                // The object says of what type it is, not this name (C17 6.5p7).
                Some(Retyped::Incompatible) => {
                    Lv { root: addr, root_ty: Some(self.element(ty)), ..Lv::named(addr, ty) }
                }
                Some(Retyped::Const) => {
                    Lv::named(self.unsupported("an alias that is const, of an object that is not"), ty)
                }
            };
        }
        let Some(&reg) = self.f.objects.get(&object) else { return self.outer_object(object) };
        let register = !self.facts.is_in_memory(object);
        Lv { register, unexposed: !register && !self.facts.is_exposed(object), ..Lv::named(reg, ty) }
    }

    /// The pointer register of an object, made when it is first asked for.
    pub fn object_reg(&mut self, object: ObjId) -> Reg {
        if let Some(&reg) = self.f.objects.get(&object) {
            return reg;
        }
        let reg = self.reg();
        self.f.objects.insert(object, reg);
        if self.restrict_register(object).is_some() {
            self.reg();
        }
        reg
    }

    /// Whether an object is a restrict pointer that lives in a register, and if so, whether it points to a const type.
    /// The register after its own says which object it is.
    pub fn restrict_register(&self, object: ObjId) -> Option<bool> {
        let ty = self.program.objects[object].ty;
        if self.facts.is_in_memory(object) { None } else { self.restrict(ty) }
    }

    /// Whether a type is a restrict pointer, and if so, whether it points to a const type.
    fn restrict(&self, ty: Type) -> Option<bool> {
        let types = &self.program.types;
        let to = types.pointee(ty).filter(|_| types.quals(ty).contains(Quals::RESTRICT))?;
        Some(types.quals(to).contains(Quals::CONST))
    }

    fn member(&mut self, base: ExprId, field: u32, ty: Type) -> Lower<Lv> {
        let program = self.program;
        let base_ty = program.ty(base);
        let Some(record) = program.types.as_record(base_ty) else {
            return self.refuse("a member of this type");
        };
        let through_pointer = matches!(program.exprs[base].kind, ExprKind::Unary(UnaryOp::Deref, _))
            || matches!(program.exprs[base].kind, ExprKind::Index { .. });
        if program.types.quals(base_ty).contains(howler_lang::ty::Quals::ATOMIC) {
            self.undefined(crate::ub::UbKind::AtomicMember, "");
        }
        let base = self.member_base(base)?;
        let Some(layout) = program.layouts.record(&program.types, record) else {
            return self.refuse("a struct whose layout is not known");
        };
        let place = layout.fields[field as usize];
        let declared = &program.types.records[record].fields[field as usize];
        let union = program.types.records[record].kind == RecordKind::Union;
        let bytes = place.bytes_touched();
        let size = match bytes {
            Some(bytes) => Some(bytes),
            None => match program.types.kind(declared.ty) {
                TypeKind::Array { len: Len::Unknown | Len::Fixed(0 | 1), .. }
                    if field as usize + 1 == layout.fields.len() =>
                {
                    None
                }
                _ => Some(self.size(declared.ty)? as u32),
            },
        };
        let member = self.out.members.len() as u32;
        self.out.members.push(MemberInfo {
            offset: place.byte() as u32,
            size,
            record: layout.size as u32,
            align: if base.how.has(AccessUse::PACKED) { 1 } else { self.align(base_ty) },
            through_pointer: through_pointer && base.root == base.addr,
        });
        let dst = self.reg();
        self.emit(Op::Member { dst, base: base.addr, member });
        let mut after = base.after;
        if union {
            let member = match size {
                Some(size) if place.width.is_none() => size,
                _ => bytes.unwrap_or(layout.size as u32),
            };
            // A flexible array reaches to the end of the union (C17 6.7.2.1p18).
            if u64::from(member) < layout.size && !self.is_flexible(declared.ty) {
                after.push(Op::Tail { addr: base.addr, union: layout.size as u32, member });
            }
        } else if let Some(pads) = self.pads(record, false) {
            after.push(Op::Pad { addr: base.addr, pads });
        }
        let punned =
            if union || base.how.has(AccessUse::PUNNED) { AccessUse::PUNNED } else { AccessUse::PLAIN };
        let bits = match (place.width, bytes) {
            // Bits are moved as one number of 16 bytes; only packed fields of more than 120 bits can need another.
            (Some(_), Some(17..)) => return self.refuse("a bit-field that touches more than 16 bytes"),
            (Some(width), Some(bytes)) => {
                let Some(Num::Int { width: value_width, signed }) = self.bit_field_num(declared.ty, ty)
                else {
                    return self.refuse("a bit-field of this type");
                };
                let (before, after) = super::bit_field::neighbours(program, record, field);
                let shift = place.bit() as u8;
                let bits = Bits { shift, width, signed, value_width, before, after };
                Some(BitField { bits, bytes })
            }
            _ => None,
        };
        Ok(Lv {
            unexposed: false,
            addr: dst,
            register: false,
            root: base.root,
            root_ty: base.root_ty,
            how: punned.or(AccessUse::PACKED),
            bits,
            member: match base.member {
                _ if union => Some((declared.ty, 0)),
                Some((ty, delta)) => Some((ty, delta + place.byte() as u32)),
                // What is stored is of the type it is declared with, whatever type its value has.
                None => bits.map(|_| (declared.ty, 0)),
            },
            after,
            row: None,
            ty,
        })
    }

    /// The struct a member is selected from. A value that is not an lvalue is a temporary object of its own.
    fn member_base(&mut self, base: ExprId) -> Lower<Lv> {
        let lv = self.lvalue(base)?;
        if !matches!(self.program.exprs[base].kind, ExprKind::Assign(..) | ExprKind::Comma(..)) {
            return Ok(lv);
        }
        let temp = Lv::named(self.temp(lv.ty)?, lv.ty);
        self.copy_aggregate(&temp, &lv, AccessUse::INITIAL)?;
        Ok(temp)
    }

    /// The numeric type of a bit-field's value, and the sign of its bits.
    fn bit_field_num(&self, declared: Type, ty: Type) -> Option<Num> {
        let num = |ty| arith::num_of(&self.program.types, &self.program.target, ty);
        match (num(declared)?, num(ty)?) {
            (Num::Bool, _) => Some(Num::Int { width: 8, signed: false }),
            (Num::Int { signed, .. }, Num::Int { width, .. }) => Some(Num::Int { width, signed }),
            _ => None,
        }
    }

    fn index(&mut self, e: ExprId, base: ExprId, index: ExprId) -> Lower<Lv> {
        let program = self.program;
        let elem = program.ty(e);
        if let TypeKind::Vector { .. } = program.types.kind(program.ty(base)) {
            let join = self.open_join(&[base, index]);
            let (size, num) = (self.size(elem)?, self.num(program.ty(index))?);
            let vector = self.lvalue(base)?;
            self.next_operand(join);
            let at = self.value(index)?;
            self.close_join(join, 2);
            let whole = self.size(vector.ty)? as u32;
            let (lanes, dst) = (self.reg(), self.reg());
            self.emit(Op::Narrow { dst: lanes, base: vector.addr, size: whole });
            let step = self.step(StepInfo { size, reg: NONE, row: false });
            self.emit(Op::PtrAdd { back: false, num, dst, base: lanes, index: at, step });
            return Ok(Lv { addr: dst, ty: elem, bits: None, unexposed: false, ..vector });
        }
        let (join, first_base) = (self.open_join(&[base, index]), !self.right_first());
        let num = self.num(program.ty(index))?;
        let mut at = None;
        if !first_base {
            at = Some(self.value(index)?);
            self.next_operand(join);
        }
        // An element of an array that a pointer leads to is where the access starts: allocated memory has no rows, and
        // the same bytes may be reached as an element of another array (C17 6.5p6).
        let mut leads = false;
        let array = match program.exprs[base].kind {
            ExprKind::Convert(Conv::ArrayDecay, array) => {
                let array = self.lvalue(array)?;
                leads = array.root != NONE && array.root == array.addr;
                let addr = self.decay(&array)?;
                Some(Lv { row: Some(array.addr), addr, ..array })
            }
            _ => None,
        };
        let (pointer, lv) = match array {
            Some(lv) => (lv.addr, Some(lv)),
            None => (self.value(base)?, None),
        };
        let at = match at {
            Some(at) => at,
            None => {
                self.next_operand(join);
                self.value(index)?
            }
        };
        self.close_join(join, 2);
        // The base may evaluate the bounds of its elements.
        let step = self.step_of(elem)?;
        let dst = self.reg();
        self.emit(Op::PtrAdd { back: false, num, dst, base: pointer, index: at, step });
        Ok(match lv {
            Some(lv) if !leads => {
                Lv { addr: dst, unexposed: false, ty: elem, bits: None, member: None, ..lv }
            }
            Some(lv) => Lv {
                root: dst,
                root_ty: Some(self.element(elem)),
                how: lv.how,
                after: lv.after,
                ..Lv::named(dst, elem)
            },
            None => Lv { root: dst, root_ty: Some(self.element(elem)), ..Lv::named(dst, elem) },
        })
    }

    fn complex_part(&mut self, of: ExprId, imaginary: bool, ty: Type) -> Lower<Lv> {
        let base = self.lvalue(of)?;
        if !matches!(self.program.types.kind(base.ty), TypeKind::Complex(_)) {
            return if imaginary { self.refuse("the imaginary part of a real lvalue") } else { Ok(base) };
        }
        let size = self.size(ty)?;
        let member = self.out.members.len() as u32;
        self.out.members.push(MemberInfo {
            offset: if imaginary { size as u32 } else { 0 },
            size: Some(size as u32),
            record: 2 * size as u32,
            align: 1,
            through_pointer: false,
        });
        let dst = self.reg();
        self.emit(Op::Member { dst, base: base.addr, member });
        Ok(Lv { addr: dst, unexposed: false, ty, ..base })
    }

    /// A pointer to the first element of an array lvalue, bounded by the array.
    pub fn decay(&mut self, array: &Lv) -> Lower<Reg> {
        let types = &self.program.types;
        let TypeKind::Array { len, .. } = types.kind(array.ty) else { return Ok(array.addr) };
        let dst = self.reg();
        if types.is_vla(array.ty) {
            let size = self.vla_size(array.ty)?;
            self.emit(Op::NarrowBy { dst, base: array.addr, size });
            return Ok(dst);
        }
        match len {
            Len::Fixed(len) if len > 1 => {
                let size = self.size(array.ty)? as u32;
                self.emit(Op::Narrow { dst, base: array.addr, size });
                Ok(dst)
            }
            // A last member of no or one element reaches to the end of the allocation (GNU); `Member` set the bounds.
            _ => Ok(array.addr),
        }
    }

    pub fn step(&mut self, info: StepInfo) -> u32 {
        self.out.steps.push(info);
        self.out.steps.len() as u32 - 1
    }

    /// The step of arithmetic on pointers to `elem`.
    pub fn step_of(&mut self, elem: Type) -> Lower<u32> {
        let row = matches!(self.program.types.kind(elem), TypeKind::Array { .. });
        if self.program.types.is_vla(elem) {
            let reg = self.vla_size(elem)?;
            return Ok(self.step(StepInfo { size: 0, reg, row }));
        }
        let size = self.size(elem)?;
        Ok(self.step(StepInfo { size, reg: NONE, row }))
    }

    /// The access to an lvalue.
    pub fn lv_access(&mut self, lv: &Lv, extra: AccessUse) -> Lower<u32> {
        let how = lv.how.or(extra);
        let Some(field) = lv.bits else {
            let id = self.access(lv.ty, lv.root_ty, how)?;
            if lv.member.is_none() {
                return Ok(id);
            }
            let access = Access { member: lv.member, ..self.out.accesses[id as usize] };
            return Ok(self.add_access(access));
        };
        let volatile = self.program.types.quals(lv.ty).contains(howler_lang::ty::Quals::VOLATILE);
        Ok(self.add_access(Access {
            update: Update::None,
            ty: lv.ty,
            root: lv.root_ty,
            root_bare: self.root_bare(lv.root_ty),
            size: field.bytes,
            align: 1,
            rep: Rep::Number,
            volatile,
            punned: how.has(AccessUse::PUNNED),
            member: lv.member,
            restrict: false,
            initial: how.has(AccessUse::INITIAL),
            bits: Some(field.bits),
        }))
    }

    /// Reads a scalar lvalue.
    pub fn load(&mut self, lv: &Lv) -> Lower<Reg> {
        if lv.register {
            if self.rep(lv.ty) == Rep::Byte {
                // Characters in memory may be copied unset; a register's may not (C17 6.3.2.1p2).
                let dst = self.reg();
                self.emit(Op::Read { dst, src: lv.addr });
                return Ok(dst);
            }
            return Ok(lv.addr);
        }
        let mut access = self.lv_access(lv, AccessUse::PLAIN)?;
        self.f.behind |= self.out.accesses[access as usize].restrict;
        if lv.unexposed && self.out.accesses[access as usize].rep == Rep::Byte {
            // Nor may those of a local that could have been a register.
            access = self.add_access(Access { rep: Rep::OwnByte, ..self.out.accesses[access as usize] });
        }
        let dst = self.reg();
        let root = if lv.root == NONE { lv.addr } else { lv.root };
        self.emit(Op::Load { dst, addr: lv.addr, root, access });
        Ok(dst)
    }

    /// Reads a scalar lvalue whose value nobody wants.
    pub fn read_and_drop(&mut self, lv: &Lv) -> Lower<()> {
        if lv.register {
            self.emit(Op::Dropped { src: lv.addr });
            return Ok(());
        }
        let access = self.lv_access(lv, AccessUse::PLAIN)?;
        let root = if lv.root == NONE { lv.addr } else { lv.root };
        let dst = self.reg();
        self.emit(Op::DroppedLoad { dst, addr: lv.addr, root, access });
        Ok(())
    }

    /// Whether a type is a struct that ends with a flexible array.
    fn is_flexible(&self, mut ty: Type) -> bool {
        let types = &self.program.types;
        while let Some(record) = types.as_record(ty) {
            let record = &types.records[record];
            let Some(last) = record.fields.last() else { return false };
            match types.kind(last.ty) {
                TypeKind::Array { len: Len::Unknown | Len::Fixed(0), .. } => return true,
                _ if record.kind == RecordKind::Union => return false,
                _ => ty = last.ty,
            }
        }
        false
    }

    /// Writes a scalar lvalue.
    pub fn store(&mut self, lv: &Lv, src: Reg, extra: AccessUse) -> Lower<()> {
        if lv.register {
            self.emit(match self.restrict(lv.ty) {
                Some(to_const) => Op::ReadRestrict { dst: lv.addr, src, to_const },
                None => Op::Read { dst: lv.addr, src },
            });
            return Ok(());
        }
        let access = self.lv_access(lv, extra)?;
        let root = if lv.root == NONE { lv.addr } else { lv.root };
        self.emit(Op::Store { src, addr: lv.addr, root, access });
        if let TypeKind::Float(kind) = self.program.types.kind(lv.ty)
            && arith::float_format(kind) == arith::Format::X87
        {
            let size = self.size(lv.ty)? as u32;
            self.emit(Op::Tail { addr: lv.addr, union: size, member: 10 });
        }
        for &op in &lv.after {
            self.emit(op);
        }
        Ok(())
    }

    fn outer_object(&mut self, object: ObjId) -> Lv {
        let ty = self.program.objects[object].ty;
        match self.outer_object_reg(object) {
            Some(addr) => Lv::named(addr, ty),
            None => Lv::named(self.unsupported("a variable of another function"), ty),
        }
    }

    pub fn literal_kind(&self, object: ObjId) -> AllocKind {
        match self.program.objects[object].duration {
            Duration::Static => AllocKind::Static,
            _ => AllocKind::Literal,
        }
    }
}

/// The offset of an lvalue that starts from a null pointer constant: `&((T *)0)->m`.
pub(super) fn null_based(program: &Program, mut e: ExprId) -> Option<u64> {
    let mut offset = 0;
    loop {
        match program.exprs[e].kind {
            ExprKind::Member { base, field } => {
                let record = program.types.as_record(program.ty(base))?;
                let layout = program.layouts.record(&program.types, record)?;
                offset += layout.fields[field as usize].byte();
                e = base;
            }
            ExprKind::Index { base, index } => {
                let ExprKind::Convert(Conv::ArrayDecay, array) = program.exprs[base].kind else {
                    return None;
                };
                let index = u64::try_from(fold::integer(program, index)?).ok()?;
                offset += index * program.size_of(program.ty(e))?;
                e = array;
            }
            ExprKind::Unary(UnaryOp::Deref, p) => {
                let null = match program.exprs[p].kind {
                    ExprKind::Cast(Conv::NullToPointer | Conv::IntToPointer, of)
                        if !program.types.is_variably_modified(program.ty(p)) =>
                    {
                        fold::integer(program, of)?
                    }
                    _ => return None,
                };
                return u64::try_from(null).ok().map(|null| null + offset);
            }
            _ => return None,
        }
    }
}
