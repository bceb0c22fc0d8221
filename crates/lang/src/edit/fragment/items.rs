//! From declarations at file scope to what they were made from.

use super::extract::{Extractor, NEW, Names, Work};
use super::{Name, Op};
use crate::compose::Shape;
use crate::edit::Refused;
use crate::id::Id;
use crate::program::{Attr, Decl, DeclId, Entity, FuncId, Item, Linkage, ObjId, StmtKind};
use crate::symbol::Symbol;
use crate::ty::{EnumId, Field, RecordId, RecordKind};
use crate::visit::{Node, Walk};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Numbers what the code declares.
fn number<I: Id + Hash>(own: &mut FxHashMap<I, u32>, id: I) -> u32 {
    let next = own.len() as u32;
    *own.entry(id).or_insert(next)
}

impl<N: Names> Extractor<'_, N> {
    pub(super) fn item(&mut self, item: Item) -> Result<(), Refused> {
        match item {
            Item::RecordTag(id) => {
                let number = self.begin_record(id)?;
                self.ops.push(Op::Tag(number));
                Ok(())
            }
            Item::Record(id) => self.fields(id),
            Item::Enum(id) => self.enumeration(id),
            Item::Decl(decl) => self.declaration(decl),
            Item::Asm(_) | Item::Include(_) | Item::IncludeEnd => Err(NEW),
        }
    }

    fn spelled(&self, name: Option<Symbol>) -> Option<String> {
        name.map(|name| self.program.name(name).to_owned())
    }

    fn begin_record(&mut self, id: RecordId) -> Result<u32, Refused> {
        if let Some(&number) = self.records.get(&id) {
            return Ok(number);
        }
        let record = &self.program.types.records[id];
        if record.transparent || record.may_alias || record.va_list_tag {
            return Err(NEW);
        }
        let tag = self.spelled(record.tag);
        self.ops.push(Op::Record { union: record.kind == RecordKind::Union, tag });
        Ok(number(&mut self.records, id))
    }

    /// The members; those of unnamed members first, however deep they are.
    fn fields(&mut self, id: RecordId) -> Result<(), Refused> {
        let program = self.program;
        let untagged = |field: &Field| {
            let inner = program.types.as_record(field.ty)?;
            (field.name.is_none() && program.types.records[inner].tag.is_none()).then_some(inner)
        };
        let (mut open, mut all) = (vec![id], Vec::new());
        while let Some(id) = open.pop() {
            all.push(id);
            open.extend(program.types.records[id].fields.iter().filter_map(untagged));
        }
        // Any of them may point to any other.
        let numbers = all.iter().map(|&id| self.begin_record(id)).collect::<Result<Vec<u32>, _>>()?;
        for (&id, own) in all.iter().zip(numbers).rev() {
            let record = &program.types.records[id];
            for field in &record.fields {
                let name = self.spelled(field.name);
                let &Field { ty, bits, align, packed, .. } = field;
                let op = Op::Field { name, ty: self.ty(ty)?, bits, align, packed };
                self.ops.push(op);
            }
            let shape = Shape { packed: record.packed, align: record.align, pack: record.pack };
            self.ops.push(Op::Fields(own, shape));
        }
        Ok(())
    }

    fn enumeration(&mut self, id: EnumId) -> Result<(), Refused> {
        let program = self.program;
        let enumeration = &program.types.enums[id];
        for &constant in &enumeration.constants {
            let one = &program.types.enumerators[constant];
            let value = one.explicit.then_some(one.value);
            self.ops.push(Op::Enumerator { name: program.name(one.name).to_owned(), value });
            number(&mut self.constants, constant);
        }
        let tag = program.name(enumeration.tag).to_owned();
        self.ops.push(Op::Enum { tag, packed: enumeration.packed });
        number(&mut self.enums, id);
        Ok(())
    }

    fn declaration(&mut self, id: DeclId) -> Result<(), Refused> {
        let program = self.program;
        let decl: &Decl = &program.decls[id];
        if decl.thread || decl.noreturn || decl.asm_label.is_some() {
            return Err(NEW);
        }
        match decl.entity {
            Entity::Object(object) => self.global(object, decl)?,
            Entity::Function(func) => self.function_declaration(func, decl)?,
            Entity::Typedef(_) | Entity::Bounds => return Err(NEW),
        }
        for Attr { name, args } in &decl.attrs {
            if !args.is_empty() {
                return Err(NEW);
            }
            self.ops.push(Op::Attribute(program.name(*name).to_owned()));
        }
        if decl.align != 0 {
            self.ops.push(Op::Align(decl.align));
        }
        Ok(())
    }

    fn global(&mut self, object: ObjId, decl: &Decl) -> Result<(), Refused> {
        if self.objects.contains_key(&object) || object.index() < self.before.0 {
            self.ops.push(Op::Again(self.object(object)));
            return Ok(());
        }
        let name = self.spelled(self.program.objects[object].name).ok_or(NEW)?;
        let op = Op::Global { name, ty: self.ty(decl.ty)?, storage: decl.storage, init: decl.init.is_some() };
        self.run(decl.init.map(Work::Init).into_iter().collect())?;
        self.ops.push(op);
        number(&mut self.objects, object);
        Ok(())
    }

    fn function_declaration(&mut self, func: FuncId, decl: &Decl) -> Result<(), Refused> {
        let program = self.program;
        if !self.funcs.contains_key(&func) && func.index() >= self.before.1 {
            let function = &program.funcs[func];
            let name = program.name(function.name).to_owned();
            let internal = function.linkage == Linkage::Internal;
            let op = Op::Begin { name, ty: self.ty(function.ty)?, internal, inline: decl.inline };
            self.ops.push(op);
            number(&mut self.funcs, func);
        }
        let own = match (self.function(func), decl.body) {
            (name, false) => {
                self.ops.push(Op::Prototype(name));
                return Ok(());
            }
            (Name::Own(own), true) => own,
            (Name::Outside(_), true) => return Err(NEW),
        };
        let function = &program.funcs[func];
        for &param in &function.params {
            let object = &program.objects[param];
            let name = self.spelled(object.name).ok_or(NEW)?;
            let op = Op::Param { name, ty: self.ty(object.ty)? };
            self.ops.push(op);
            number(&mut self.objects, param);
        }
        self.note_labels(Walk::of(program, Node::Function(func)));
        let body = function.body.ok_or(NEW)?;
        let StmtKind::Compound(list) = program.stmts[body].kind else { return Err(NEW) };
        let stmts = program.block(list);
        self.run(stmts.iter().rev().map(|&s| Work::Stmt(s)).collect())?;
        self.ops.push(Op::Define(own, stmts.len() as u32));
        Ok(())
    }
}
