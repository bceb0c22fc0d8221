//! What is there before a program runs: constants, string literals, static objects, functions.

use super::Exec;
use crate::lower;
use crate::memory::{Request, alias, shadow};
use crate::op::{AllocSpec, Compiled, PoolItem};
use crate::outcome::Run;
use crate::value::{AllocKind, Value};
use howler_lang::program::{ObjId, StrUnits};
use howler_lang::ty::TypeKind;

impl<'p> Exec<'p> {
    pub(super) fn static_bytes(&mut self, bytes: &[u8], kind: AllocKind) -> Run<Value> {
        self.static_units(bytes, kind, 1)
    }

    /// Static memory of characters that need this alignment.
    pub(super) fn static_units(&mut self, bytes: &[u8], kind: AllocKind, align: u32) -> Run<Value> {
        let pointer = self.memory.allocate(&Request {
            kind,
            size: bytes.len() as u64,
            align,
            ty: None,
            elem: None,
            retypable: false,
            object: None,
            pos: self.pos,
            shadow: 0,
        })?;
        if !bytes.is_empty() {
            let place = self.memory.place(&pointer, bytes.len() as u32, 1)?;
            self.memory.fill(place.at, bytes);
        }
        if kind == AllocKind::String {
            let (at, size) = self.memory.live(pointer.prov).map_or((0, 0), |slot| (slot.data, slot.size));
            self.memory.flag(at, size, 0, shadow::CONST);
        }
        Ok(pointer)
    }

    /// Makes static objects, string literals and functions.
    pub(super) fn make_pool(&mut self) -> Run<()> {
        let code: &'p Compiled = self.code;
        for item in &code.pool {
            let value = match *item {
                PoolItem::Const(value) => value,
                PoolItem::Object(object) => self.static_object(object)?,
                PoolItem::Str(id, ty) => {
                    let unit = match self.program.types.kind(ty) {
                        TypeKind::Array { elem, .. } => self.program.size_of(elem).unwrap_or(1),
                        _ => 1,
                    };
                    let mut bytes = match &self.program.strings[id].units {
                        StrUnits::Narrow(bytes) => bytes.to_vec(),
                        StrUnits::Wide(units) => units
                            .iter()
                            .flat_map(|unit_value| unit_value.to_le_bytes().into_iter().take(unit as usize))
                            .collect(),
                    };
                    let size = self.program.size_of(ty).unwrap_or(bytes.len() as u64 + unit);
                    bytes.resize(size as usize, 0);
                    self.static_units(&bytes, AllocKind::String, unit as u32)?
                }
                PoolItem::FuncName(func) => {
                    let mut bytes = self.program.name(self.program.funcs[func].name).as_bytes().to_vec();
                    bytes.push(0);
                    self.static_bytes(&bytes, AllocKind::String)?
                }
                PoolItem::Func(func) => {
                    let pos = self.program.funcs[func].pos;
                    let align = u64::from(howler_lang::fold::function_align(self.program, func));
                    self.memory.allocate_code(AllocKind::Function, Some(func), align, pos)
                }
                PoolItem::Label(func, label) => {
                    let known =
                        self.labels.iter().find(|(_, known)| **known == (func, label)).map(|(slot, _)| *slot);
                    match known
                        .and_then(|slot| self.pool.iter().find(|value| value.prov.slot == slot).copied())
                    {
                        Some(value) => value,
                        None => {
                            let value = self.memory.allocate_code(
                                AllocKind::Label,
                                None,
                                1,
                                self.program.labels[label].pos,
                            );
                            self.labels.insert(value.prov.slot, (func, label));
                            value
                        }
                    }
                }
            };
            self.pool.push(value);
        }
        Ok(())
    }

    pub(super) fn static_object(&mut self, object: ObjId) -> Run<Value> {
        let declared = &self.program.objects[object];
        let size = self.program.size_of(declared.ty).unwrap_or(0);
        let tail = declared.init.map_or(0, |init| lower::flexible_tail(self.program, declared.ty, init));
        let align = self.program.layouts.align_of(&self.program.types, declared.ty).unwrap_or(1);
        let spec = AllocSpec {
            kind: AllocKind::Static,
            size: size.max(tail),
            align: u32::try_from(align).unwrap_or(1).max(declared.align),
            ty: declared.ty,
            elem: lower::element_of(self.program, declared.ty),
            retypable: alias::has_union(self.program, declared.ty),
            object: Some(object),
            qualified: lower::is_qualified(self.program, declared.ty),
            pos: declared.pos,
        };
        let pointer = self.make_sized(&spec, spec.size)?;
        if !declared.defined && declared.linkage == howler_lang::program::Linkage::External {
            self.standard_stream(declared, &pointer)?;
        }
        Ok(pointer)
    }
}
