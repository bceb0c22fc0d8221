//! The tables all functions share: constants, numeric types, accesses, objects to make, padding.

use super::{
    AccessUse, Lower, Lowerer, aliased_function, aliased_object, element_of, has_qualified_part, init,
    is_qualified, padding,
};
use crate::facts;
use crate::memory::access::{Access, Rep, Update};
use crate::memory::alias;
use crate::op::{AllocSpec, NumId, Op, POINTER, POOL, PoolItem, Reg};
use crate::value::{AllocKind, Value};
use howler_lang::arith::{self, Num};
use howler_lang::program::{FuncId, ObjId};
use howler_lang::ty::{Quals, RecordId, Type, TypeKind};

impl Lowerer<'_> {
    pub fn constant(&mut self, bits: u128) -> Reg {
        if let Some(&reg) = self.pool_ids.get(&bits) {
            return reg;
        }
        let reg = self.pool(PoolItem::Const(Value::bits(bits)));
        self.pool_ids.insert(bits, reg);
        reg
    }

    pub fn pool(&mut self, item: PoolItem) -> Reg {
        self.out.pool.push(item);
        (self.out.pool.len() as u32 - 1) | POOL
    }

    pub fn pool_object(&mut self, object: ObjId) -> Reg {
        let object = self.program.objects[object].linked.unwrap_or(object);
        let object = aliased_object(self.program, object);
        if let Some(&reg) = self.object_ids.get(&object) {
            return reg;
        }
        let reg = self.pool(PoolItem::Object(object));
        self.object_ids.insert(object, reg);
        reg
    }

    pub fn pool_func(&mut self, func: FuncId) -> Reg {
        let func = self.program.funcs[func].linked.unwrap_or(func);
        let func = aliased_function(self.program, func);
        if let Some(&reg) = self.func_ids.get(&func) {
            return reg;
        }
        let reg = self.pool(PoolItem::Func(func));
        self.func_ids.insert(func, reg);
        reg
    }

    /// A root's type for the short way of checking it; none if all checks go the long way.
    pub fn root_bare(&self, root: Option<Type>) -> Option<Type> {
        root.filter(|_| !self.checked).map(|root| self.program.types.strip(root).bare())
    }

    pub fn num_id(&mut self, num: Num) -> NumId {
        if let Some(index) = self.out.nums.iter().position(|&known| known == num) {
            return index as NumId;
        }
        self.out.nums.push(num);
        // Without a word there is no short way.
        self.out.words.push(arith::word::Word::of(num).filter(|_| !self.checked));
        self.out.narrows.push(arith::word::Narrow::of(num).filter(|_| !self.checked));
        self.out.nums.len() as NumId - 1
    }

    /// The numeric type of a real type, or [`POINTER`].
    pub fn num(&mut self, ty: Type) -> Lower<NumId> {
        if self.program.types.pointee(ty).is_some() {
            return Ok(POINTER);
        }
        match arith::num_of(&self.program.types, &self.program.target, ty) {
            Some(num) => Ok(self.num_id(num)),
            None => self.refuse("an operation on this type"),
        }
    }

    pub fn size(&self, ty: Type) -> Lower<u64> {
        if self.program.types.is_void(ty) || self.program.types.is_function(ty) {
            return Ok(1);
        }
        match self.program.size_of(ty) {
            Some(size) if size <= u64::from(u32::MAX / 2) => Ok(size),
            Some(_) => self.refuse("an object of 2 GiB or more"),
            None => self.refuse("a type whose size is not known here"),
        }
    }

    pub fn align(&self, ty: Type) -> u32 {
        let align = self.program.layouts.align_of(&self.program.types, ty);
        align.and_then(|align| u32::try_from(align).ok()).unwrap_or(1).max(1)
    }

    /// How bytes of a type become a value.
    pub fn rep(&self, ty: Type) -> Rep {
        match self.program.types.kind(ty) {
            TypeKind::Bool => Rep::Bool,
            TypeKind::Int(kind) if kind.is_character() => Rep::Byte,
            TypeKind::Pointer(_) => Rep::Pointer,
            _ if facts::is_aggregate(self.program, ty) => Rep::Aggregate,
            _ => Rep::Number,
        }
    }

    /// The access of a whole lvalue of type `ty`.
    pub fn access(&mut self, ty: Type, root: Option<Type>, how: AccessUse) -> Lower<u32> {
        let key = (ty, root, how.0);
        if let Some(&id) = self.access_ids.get(&key) {
            return Ok(id);
        }
        let size = match self.program.types.kind(ty) {
            // x87 values take ten bytes; the rest of their object is padding.
            TypeKind::Float(kind) if arith::float_format(kind) == arith::Format::X87 => 10,
            _ => self.size(ty)?,
        };
        let access = Access {
            ty,
            root,
            root_bare: self.root_bare(root),
            size: size as u32,
            align: if how.has(AccessUse::PACKED) { 1 } else { self.align(ty) },
            rep: self.rep(ty),
            volatile: self.program.types.quals(ty).contains(Quals::VOLATILE)
                || facts::is_aggregate(self.program, ty)
                    && has_qualified_part(self.program, ty, Quals::VOLATILE),
            punned: how.has(AccessUse::PUNNED),
            member: None,
            restrict: self.program.types.quals(ty).contains(Quals::RESTRICT),
            initial: how.has(AccessUse::INITIAL),
            bits: None,
            update: Update::None,
        };
        let id = self.add_access(access);
        self.access_ids.insert(key, id);
        Ok(id)
    }

    pub fn add_access(&mut self, access: Access) -> u32 {
        self.out.accesses.push(access);
        self.out.accesses.len() as u32 - 1
    }

    /// How to make a variable.
    pub fn object_spec(&mut self, object: ObjId, kind: AllocKind) -> Lower<u32> {
        if let Some(&id) = self.spec_ids.get(&object) {
            return Ok(id);
        }
        let declared = &self.program.objects[object];
        let ty = declared.ty;
        let size = if self.program.types.is_vla(ty) { 0 } else { self.size_with_tail(object)? };
        let spec = AllocSpec {
            kind,
            size,
            align: self.align(ty).max(declared.align),
            ty,
            elem: element_of(self.program, ty),
            retypable: alias::has_union(self.program, ty),
            object: Some(object),
            qualified: is_qualified(self.program, ty),
            pos: declared.pos,
        };
        self.f.stack += size + 16;
        let id = self.add_spec(spec);
        self.spec_ids.insert(object, id);
        Ok(id)
    }

    /// The size of a variable: a flexible member that is initialised adds to it (GNU).
    pub(super) fn size_with_tail(&self, object: ObjId) -> Lower<u64> {
        let declared = &self.program.objects[object];
        let size = self.size(declared.ty)?;
        let tail = declared.init.map_or(0, |init| init::flexible_tail(self.program, declared.ty, init));
        Ok(size.max(tail))
    }

    pub fn add_spec(&mut self, spec: AllocSpec) -> u32 {
        self.out.specs.push(spec);
        self.out.specs.len() as u32 - 1
    }

    /// A temporary object of a type.
    pub fn temp(&mut self, ty: Type) -> Lower<Reg> {
        let size = self.size(ty)?;
        let spec = AllocSpec {
            kind: AllocKind::Temporary,
            size,
            align: self.align(ty),
            ty,
            elem: element_of(self.program, ty),
            retypable: alias::has_union(self.program, ty),
            object: None,
            qualified: false,
            pos: self.f.pos,
        };
        self.f.stack += size;
        let spec = self.add_spec(spec);
        let dst = self.reg();
        self.emit(Op::Temp { dst, spec });
        Ok(dst)
    }

    /// The padding of a struct, if it has any; `whole`: as a store of the whole struct sees it.
    pub fn pads(&mut self, record: RecordId, whole: bool) -> Option<u32> {
        if let Some(&known) = self.pad_ids.get(&(record, whole)) {
            return known;
        }
        let ranges = padding(self.program, record, whole);
        let id = (!ranges.bytes.is_empty() || !ranges.bits.is_empty()).then(|| {
            self.out.pads.push(ranges);
            self.out.pads.len() as u32 - 1
        });
        self.pad_ids.insert((record, whole), id);
        id
    }
}
