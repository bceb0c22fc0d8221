//! Declarations at file scope out of data: what a composer is to be asked for.

use super::run::{BROKEN, Runner, is_name, own};
use super::{Name, Op};
use crate::compose::{Member, Shape};
use crate::edit::Refused;
use crate::program::{Entity, FuncId, Item, Linkage, Storage};
use crate::ty::{RecordKind, Type, TypeKind};

/// A member that waits for its struct or union.
pub(super) struct OwnMember {
    name: Option<String>,
    ty: Type,
    bits: Option<u8>,
    align: u32,
    packed: bool,
}

fn named(name: &str) -> Result<&str, Refused> {
    if is_name(name) { Ok(name) } else { Err(BROKEN) }
}

impl Runner<'_> {
    pub(super) fn declaration(&mut self, op: &Op) -> Result<(), Refused> {
        match op {
            Op::Global { name, ty, storage, init } => self.global(named(name)?, ty, *storage, *init),
            Op::Again(name) => {
                let object = match *name {
                    Name::Own(number) => own(&self.objects, number)?,
                    Name::Outside(object) => self.resolver.id(object)?,
                };
                if self.composer.program.objects[object].linkage == Linkage::None {
                    return Err(BROKEN);
                }
                self.composer.declare_object(object);
                self.last = None;
                Ok(())
            }
            Op::Begin { name, ty, internal, inline } => self.begin(named(name)?, ty, *internal, *inline),
            Op::Param { name, ty } => {
                let ty = self.ty(ty)?;
                let param = self.composer.param(named(name)?, ty);
                self.objects.push(param);
                self.params.push(param);
                Ok(())
            }
            Op::Prototype(name) => {
                let func = self.function(*name)?;
                let function = &self.composer.program.funcs[func];
                if function.implicit || function.parent.is_some() {
                    return Err(BROKEN);
                }
                self.composer.declare_function(func);
                self.last = Some(Entity::Function(func));
                Ok(())
            }
            Op::Define(func, count) => {
                let func = own(&self.funcs, *func)?;
                let body = self.stmts(*count)?;
                let params = std::mem::take(&mut self.params);
                self.composer.define(func, params, &body)?;
                self.last = Some(Entity::Function(func));
                Ok(())
            }
            Op::Attribute(name) => {
                let last = self.last.ok_or(BROKEN)?;
                Ok(self.composer.attribute(last, name)?)
            }
            Op::Align(align) => match self.last {
                Some(Entity::Object(object)) => Ok(self.composer.align(object, *align)?),
                _ => Err(BROKEN),
            },
            Op::Record { union, tag } => {
                let kind = if *union { RecordKind::Union } else { RecordKind::Struct };
                let tag = tag.as_deref().map(named).transpose()?;
                self.records.push(self.composer.new_record(kind, tag));
                Ok(())
            }
            Op::Tag(number) => {
                let record = own(&self.records, *number)?;
                self.composer.item(Item::RecordTag(record));
                Ok(())
            }
            Op::Field { name, ty, bits, align, packed } => {
                let name = name.as_deref().map(named).transpose()?.map(str::to_owned);
                let ty = match (&name, bits, ty.strip_prefix("record#@")) {
                    (None, None, Some(number)) => self.unnamed(number)?,
                    _ => self.ty(ty)?,
                };
                self.fields.push(OwnMember { name, ty, bits: *bits, align: *align, packed: *packed });
                Ok(())
            }
            Op::Fields(number, shape) => self.complete(*number, *shape),
            Op::Enumerator { name, value } => {
                self.enumerators.push((named(name)?.to_owned(), *value));
                Ok(())
            }
            Op::Enum { tag, packed } => self.enumeration(named(tag)?, *packed),
            _ => Err(BROKEN),
        }
    }

    /// Everything that waits for something was used, and what only this unit could define it defines.
    pub(super) fn check_used(&self) -> Result<(), Refused> {
        let waiting = self.params.len() + self.fields.len() + self.enumerators.len();
        let undefined = |&func: &FuncId| {
            let function = &self.composer.program.funcs[func];
            function.linkage == Linkage::Internal && function.body.is_none()
        };
        if waiting == 0 && !self.funcs.iter().any(undefined) { Ok(()) } else { Err(BROKEN) }
    }

    fn global(&mut self, name: &str, ty: &str, storage: Storage, init: bool) -> Result<(), Refused> {
        let ty = self.ty(ty)?;
        if self.composer.program.types.is_function(ty) {
            return Err(BROKEN);
        }
        let value = if init { Some(self.value()?) } else { None };
        let object = match storage {
            Storage::None => self.composer.global(name, ty, Linkage::External, value.as_ref())?,
            Storage::Static => self.composer.global(name, ty, Linkage::Internal, value.as_ref())?,
            Storage::Extern if value.is_none() => self.composer.external(name, ty)?,
            Storage::Extern | Storage::Register | Storage::Auto => return Err(BROKEN),
        };
        self.objects.push(object);
        self.last = Some(Entity::Object(object));
        Ok(())
    }

    fn begin(&mut self, name: &str, ty: &str, internal: bool, inline: bool) -> Result<(), Refused> {
        let ty = self.ty(ty)?;
        let types = &self.composer.program.types;
        let TypeKind::Function(signature) = types.kind(ty) else { return Err(BROKEN) };
        let signature = types.signature(signature).clone();
        // Who else would define one that is `inline` and external (C17 6.7.4p7)?
        if !signature.prototype || inline && !internal {
            return Err(BROKEN);
        }
        let linkage = if internal { Linkage::Internal } else { Linkage::External };
        let func = self.composer.function(name, signature, linkage)?;
        if inline {
            self.composer.make_inline(func);
        }
        self.funcs.push(func);
        Ok(())
    }

    /// The type of an unnamed member, which is a member once.
    fn unnamed(&mut self, number: &str) -> Result<Type, Refused> {
        let record = own(&self.records, number.parse().map_err(|_| BROKEN)?)?;
        let types = &mut self.composer.program.types;
        if types.records[record].tag.is_some() || !self.unnamed.insert(record) {
            return Err(BROKEN);
        }
        Ok(types.record(record))
    }

    fn complete(&mut self, number: u32, shape: Shape) -> Result<(), Refused> {
        let record = own(&self.records, number)?;
        if self.composer.program.types.records[record].complete {
            return Err(BROKEN);
        }
        let fields = std::mem::take(&mut self.fields);
        let members: Vec<Member> = fields
            .iter()
            .map(|member| {
                let &OwnMember { ty, bits, align, packed, .. } = member;
                Member { name: member.name.as_deref(), ty, bits, align, packed }
            })
            .collect();
        self.composer.fill(record, &members, shape)?;
        // An unnamed member's type is declared where the member stands.
        if self.composer.program.types.records[record].tag.is_some() {
            self.composer.item(Item::Record(record));
        }
        Ok(())
    }

    fn enumeration(&mut self, tag: &str, packed: bool) -> Result<(), Refused> {
        let waiting = std::mem::take(&mut self.enumerators);
        let list: Vec<(&str, Option<i128>)> =
            waiting.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let (ty, constants) = match packed {
            true => self.composer.packed_enumeration(tag, &list)?,
            false => self.composer.enumeration(tag, &list)?,
        };
        let TypeKind::Enum(id) = self.composer.program.types.kind(ty) else { return Err(BROKEN) };
        self.enums.push(id);
        self.constants.extend(constants);
        Ok(())
    }
}
