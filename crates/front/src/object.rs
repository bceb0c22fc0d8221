//! Declarations of objects: linkage (C17 6.2.2), lifetime, what may be declared twice, tentative definitions.

use crate::attribute::Attributes;
use crate::declarator::Declarator;
use crate::parser::{Failed, Parse, Parser};
use crate::scope::Name;
use crate::spec::Specs;
use howler_lang::build;
use howler_lang::compat;
use howler_lang::program::{
    Attr, AttrArg, Decl, DeclId, Duration, Entity, FaultKind, Item, Linkage, ObjId, Object, Storage, StrId,
};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::target::Compiler;
use howler_lang::ty::{Len, Type, TypeKind};

/// A declarator with everything said about it, ready to be declared.
pub(crate) struct Declared<'a> {
    pub(crate) specs: &'a Specs,
    pub(crate) name: Symbol,
    pub(crate) pos: Pos,
    pub(crate) ty: Type,
    /// Of the specifiers and the declarator.
    pub(crate) attrs: Attributes,
    pub(crate) asm_label: Option<StrId>,
    /// `=` follows.
    pub(crate) initialized: bool,
}

impl<'a> Declared<'a> {
    /// From a declarator with a name; its attributes are taken.
    pub(crate) fn new(specs: &'a Specs, declarator: &mut Declarator, name: Symbol) -> Declared<'a> {
        let mut attrs = specs.attrs.clone();
        attrs.merge(std::mem::take(&mut declarator.attrs));
        let (pos, ty) = (declarator.pos, declarator.ty);
        Declared { specs, name, pos, ty, attrs, asm_label: None, initialized: false }
    }

    /// The alignment asked for, or 0.
    pub(crate) fn align(&self) -> u32 {
        self.specs.align.max(self.attrs.align)
    }
}

impl Parser<'_> {
    /// Whether declarations here are at file scope.
    pub(crate) fn at_file(&self) -> bool {
        self.scopes.depth() == 0
    }

    /// Declares an object and binds its name. The initialiser, if any, follows.
    pub(crate) fn declare_object(&mut self, declared: Declared) -> Parse<(ObjId, DeclId)> {
        self.check_object(&declared)?;
        self.refuse_promises(&declared.attrs, declared.pos)?;
        let at_file = self.at_file();
        let storage = declared.specs.storage;
        let obj = if at_file || storage == Storage::Extern {
            self.declare_linked(&declared)?
        } else {
            self.declare_local(&declared)?
        };
        self.scopes.bind_name(declared.name, Name::Object(obj));
        let object = &mut self.cx.program.objects[obj];
        object.align = object.align.max(declared.align());
        object.attrs.extend(declared.attrs.kept.iter().cloned());
        let (public, local) = (object.linkage == Linkage::External, object.duration == Duration::Automatic);
        self.check_kept(&declared, public, local)?;
        let decl = self.declaration_of(Entity::Object(obj), declared);
        Ok((obj, decl))
    }

    /// The record of a declaration.
    pub(crate) fn declaration_of(&mut self, entity: Entity, declared: Declared) -> DeclId {
        let align = declared.align();
        self.cx.program.decls.push(Decl {
            entity,
            ty: declared.ty,
            storage: declared.specs.storage,
            thread: declared.specs.thread,
            inline: declared.specs.inline,
            noreturn: declared.specs.noreturn,
            attrs: declared.attrs.kept,
            align,
            asm_label: declared.asm_label,
            init: None,
            body: false,
            pos: declared.pos,
        })
    }

    /// Attributes that do not fit the linkage or the lifetime of what they are given to.
    pub(crate) fn check_kept(&mut self, declared: &Declared, public: bool, local: bool) -> Parse<()> {
        for attr in &declared.attrs.kept {
            let name = self.cx.program.name(declared.name);
            let message = match (self.cx.program.name(attr.name), &attr.args[..]) {
                ("weak", _) if !public => format!("weak declaration of '{name}' must be public"),
                ("section", _) if local => {
                    format!("section attribute cannot be specified for local variable '{name}'")
                }
                ("cleanup", [AttrArg::Ident(function)])
                    if !matches!(self.scopes.name(*function), Some(Name::Function(_) | Name::Poisoned)) =>
                {
                    "cleanup argument not a function".to_owned()
                }
                _ => continue,
            };
            return Err(self.error(declared.pos, message));
        }
        Ok(())
    }

    /// Aliases of what this unit does not define; asm may define anything.
    pub(crate) fn check_aliases(&mut self) {
        let program = &self.cx.program;
        let unit = self.unit;
        let own_asm = program.units[unit as usize].items.iter().any(|item| matches!(item, Item::Asm(_)));
        if own_asm || program.decls.iter().any(|(_, decl)| decl.asm_label.is_some()) {
            return;
        }
        let funcs = program.funcs.iter().map(|(_, f)| (f.unit, &f.attrs, f.pos));
        let objects = program.objects.iter().map(|(_, o)| (o.unit, &o.attrs, o.pos));
        let mut wrong = Vec::new();
        for (of, attrs, pos) in funcs.chain(objects) {
            for attr in attrs.iter().filter(|attr| of == unit && program.name(attr.name) == "alias") {
                let [AttrArg::Str(target)] = &attr.args[..] else { continue };
                let known = program.symbols.get(target).and_then(|name| self.linked.get(&name));
                let aliased = |attrs: &[Attr]| attrs.iter().any(|attr| program.name(attr.name) == "alias");
                let defined = match known {
                    Some(&Entity::Function(func)) => {
                        program.funcs[func].body.is_some() || aliased(&program.funcs[func].attrs)
                    }
                    Some(&Entity::Object(obj)) => {
                        program.objects[obj].defined || aliased(&program.objects[obj].attrs)
                    }
                    _ => false,
                };
                if !defined {
                    wrong.push((pos, format!("alias of undefined symbol '{target}'")));
                }
            }
        }
        for (pos, message) in wrong {
            self.error(pos, message);
        }
    }

    fn check_object(&mut self, declared: &Declared) -> Parse<()> {
        let Declared { specs, name, pos, ty, .. } = *declared;
        let shown = |p: &Self| p.cx.program.name(name).to_owned();
        let at_file = self.at_file();
        if let TypeKind::Void = self.cx.program.types.kind(ty) {
            // `extern void x;` is an object of incomplete type, and allowed (C17 6.7p7).
            if specs.storage != Storage::Extern {
                let message = format!("variable or field '{}' declared void", shown(self));
                return Err(self.error(pos, message));
            }
        }
        if specs.inline || specs.noreturn {
            let word = if specs.inline { "inline" } else { "_Noreturn" };
            let message = format!("variable '{}' declared '{word}'", shown(self));
            self.pedantic(pos, message)?;
        }
        match specs.storage {
            Storage::Auto if at_file => {
                let message = format!("file-scope declaration of '{}' specifies 'auto'", shown(self));
                return Err(self.error(pos, message));
            }
            Storage::Register if at_file && declared.asm_label.is_none() => {
                let message = format!("register name not specified for '{}'", shown(self));
                return Err(self.error(pos, message));
            }
            Storage::Extern if declared.initialized && !at_file => {
                let message = format!("'{}' has both 'extern' and initializer", shown(self));
                return Err(self.error(pos, message));
            }
            Storage::Extern if declared.initialized => {
                let message = format!("'{}' initialized and declared 'extern'", shown(self));
                self.warning(pos, message);
            }
            _ => {}
        }
        let linked = at_file || specs.storage == Storage::Extern;
        if specs.thread && !linked && specs.storage != Storage::Static {
            let message =
                format!("function-scope '{}' implicitly auto and declared '_Thread_local'", shown(self));
            return Err(self.error(pos, message));
        }
        if linked && self.is_variably_modified(ty) {
            return Err(self.error(pos, "object with variably modified type must have no linkage"));
        }
        if specs.storage == Storage::Static && self.is_vla(ty) {
            let message = format!("storage size of '{}' isn't constant", shown(self));
            return Err(self.error(pos, message));
        }
        if specs.align > 0 && specs.storage == Storage::Register {
            let message = format!("alignment specified for 'register' object '{}'", shown(self));
            return Err(self.error(pos, message));
        }
        self.check_alignas(specs.align, ty, Some(name), pos)?;
        self.check_storage_known(declared, linked)
    }

    fn check_storage_known(&mut self, declared: &Declared, linked: bool) -> Parse<()> {
        let Declared { name, pos, ty, .. } = *declared;
        if declared.initialized {
            let known = match self.cx.program.types.kind(ty) {
                TypeKind::Array { len: Len::Unknown, .. } => true,
                _ => self.is_complete(ty),
            };
            if !known {
                let message =
                    format!("variable '{}' has initializer but incomplete type", self.cx.program.name(name));
                return Err(self.error(pos, message));
            }
        } else if !linked && !self.is_complete(ty) {
            let name = self.cx.program.name(name);
            let message = match self.cx.program.types.kind(ty) {
                TypeKind::Array { .. } => format!("array size missing in '{name}'"),
                _ => format!("storage size of '{name}' isn't known"),
            };
            return Err(self.error(pos, message));
        }
        if self.cx.program.size_of(ty).is_some_and(|size| size > build::largest_object(self.cx.program)) {
            let message = format!("size of variable '{}' is too large", self.cx.program.name(name));
            return Err(self.error(pos, message));
        }
        Ok(())
    }

    fn new_object(&mut self, declared: &Declared, linkage: Linkage, duration: Duration) -> ObjId {
        self.cx.program.objects.push(Object {
            name: Some(declared.name),
            ty: declared.ty,
            linkage,
            duration,
            literal: false,
            register: declared.specs.storage == Storage::Register,
            init: None,
            align: 0,
            attrs: Vec::new(),
            param_bound: None,
            defined: true,
            unit: self.unit,
            linked: None,
            pos: declared.pos,
        })
    }

    /// An object without linkage.
    fn declare_local(&mut self, declared: &Declared) -> Parse<ObjId> {
        let (name, pos) = (declared.name, declared.pos);
        match self.scopes.name_here(name) {
            None | Some(Name::Poisoned) => {}
            Some(Name::Object(prior)) => {
                let prior = &self.cx.program.objects[prior];
                let previous = prior.pos;
                let shown = self.cx.program.name(name);
                let message = if prior.duration == Duration::Parameter {
                    format!("'{shown}' redeclared as different kind of symbol")
                } else if !compat::compatible(&self.cx.program.types, prior.ty, declared.ty) {
                    format!("conflicting types for '{shown}'")
                } else if prior.linkage != Linkage::None {
                    format!("declaration of '{shown}' with no linkage follows extern declaration")
                } else {
                    format!("redeclaration of '{shown}' with no linkage")
                };
                let note = format!("previous declaration of '{shown}' is here");
                let failed = self.error(pos, message);
                return Err(self.note_previous(failed, previous, &note));
            }
            Some(_) => return Err(self.different_kind(name, pos)),
        }
        let duration = match (declared.specs.storage, declared.specs.thread) {
            (_, true) => Duration::Thread,
            (Storage::Static, false) => Duration::Static,
            _ => Duration::Automatic,
        };
        Ok(self.new_object(declared, Linkage::None, duration))
    }

    pub(crate) fn different_kind(&mut self, name: Symbol, pos: Pos) -> Failed {
        let message = format!("'{}' redeclared as different kind of symbol", self.cx.program.name(name));
        self.error(pos, message)
    }

    /// An object with linkage: a new one, or one declared before (C17 6.2.2p3 to p5).
    fn declare_linked(&mut self, declared: &Declared) -> Parse<ObjId> {
        let (name, pos, specs) = (declared.name, declared.pos, declared.specs);
        let at_file = self.at_file();
        match self.scopes.name_here(name) {
            None | Some(Name::Poisoned) => {}
            Some(Name::Object(prior)) if self.cx.program.objects[prior].linkage == Linkage::None => {
                let prior = &self.cx.program.objects[prior];
                let message = if prior.duration == Duration::Parameter {
                    format!("'{}' redeclared as different kind of symbol", self.cx.program.name(name))
                } else {
                    format!(
                        "extern declaration of '{}' follows declaration with no linkage",
                        self.cx.program.name(name)
                    )
                };
                return Err(self.error(pos, message));
            }
            Some(Name::Object(_)) => {}
            Some(_) => return Err(self.different_kind(name, pos)),
        }
        let definition = at_file && (specs.storage != Storage::Extern || declared.initialized);
        let prior = match self.linked.get(&name) {
            Some(&Entity::Object(prior)) => prior,
            Some(_) => return Err(self.different_kind(name, pos)),
            None => {
                let linkage = match specs.storage {
                    Storage::Static => Linkage::Internal,
                    _ => Linkage::External,
                };
                let duration = if specs.thread { Duration::Thread } else { Duration::Static };
                let obj = self.new_object(declared, linkage, duration);
                self.cx.program.objects[obj].defined = definition;
                self.linked.insert(name, Entity::Object(obj));
                if definition && !declared.initialized && !self.is_complete(declared.ty) {
                    self.decl.tentative.push(obj);
                    if linkage == Linkage::Internal {
                        self.fault(FaultKind::IncompleteStatic, pos);
                    }
                }
                return Ok(obj);
            }
        };
        if self.has_both_linkages(name, specs.storage, Entity::Object(prior)) {
            if self.cx.program.target.compiler == Compiler::Gcc {
                return Err(self.error(pos, "variable previously declared 'static' redeclared 'extern'"));
            }
            self.fault(FaultKind::BothLinkages, pos);
        }
        self.check_redeclaration(declared, prior)?;
        self.check_blocks(declared, prior)?;
        let old = self.cx.program.objects[prior].ty;
        let ty = self.type_here(Entity::Object(prior), name, old, declared.ty);
        let object = &mut self.cx.program.objects[prior];
        object.ty = ty;
        if definition && !object.defined {
            object.defined = true;
            if !declared.initialized && !self.is_complete(ty) {
                self.decl.tentative.push(prior);
            }
        }
        Ok(prior)
    }

    /// The type of an entity with linkage from its declaration here on: put together with that of a declaration that
    /// is visible (C17 6.2.7p4). What a block adds is gone after it.
    pub(crate) fn type_here(&mut self, entity: Entity, name: Symbol, old: Type, new: Type) -> Type {
        let visible = match self.scopes.name(name) {
            Some(Name::Object(obj)) => entity == Entity::Object(obj),
            Some(Name::Function(func)) => entity == Entity::Function(func),
            _ => false,
        };
        let ty = if visible || self.at_file() {
            compat::composite(&mut self.cx.program.types, old, new)
        } else {
            new
        };
        if !self.at_file() && ty != old {
            self.decl.outer_types.push((self.scopes.depth(), entity, old));
        }
        ty
    }

    /// At the end of a block: forgets what its declarations added to types.
    pub(crate) fn restore_outer_types(&mut self) {
        while let Some(&(depth, entity, ty)) = self.decl.outer_types.last()
            && depth >= self.scopes.depth()
        {
            match entity {
                Entity::Object(obj) => self.cx.program.objects[obj].ty = ty,
                Entity::Function(func) => self.cx.program.funcs[func].ty = ty,
                Entity::Typedef(_) | Entity::Bounds => {}
            }
            self.decl.outer_types.pop();
        }
    }

    /// Declarations in blocks that are not visible any more declare the same object (C17 6.2.7p2).
    fn check_blocks(&mut self, declared: &Declared, obj: ObjId) -> Parse<()> {
        let known = self.decl.block_types.get(&obj).copied();
        if self.at_file() && known.is_none() {
            return Ok(());
        }
        let types = &mut self.cx.program.types;
        let known = known.unwrap_or(self.cx.program.objects[obj].ty);
        if !compat::compatible(types, known, declared.ty) {
            let message = format!("conflicting types for '{}'", self.cx.program.name(declared.name));
            return Err(self.error(declared.pos, message));
        }
        let all = compat::composite(types, known, declared.ty);
        self.decl.block_types.insert(obj, all);
        Ok(())
    }

    fn check_redeclaration(&mut self, declared: &Declared, prior: ObjId) -> Parse<()> {
        let (name, pos, specs) = (declared.name, declared.pos, declared.specs);
        let object = &self.cx.program.objects[prior];
        let shown = self.cx.program.name(name);
        let thread = object.duration == Duration::Thread;
        let message = if !compat::compatible(&self.cx.program.types, object.ty, declared.ty) {
            format!("conflicting types for '{shown}'")
        } else if specs.thread != thread {
            let (new, old) = if specs.thread { ("", "non-") } else { ("non-", "") };
            format!("{new}thread-local declaration of '{shown}' follows {old}thread-local declaration")
        } else if specs.storage == Storage::Static && object.linkage == Linkage::External {
            format!("static declaration of '{shown}' follows non-static declaration")
        } else if specs.storage == Storage::None && object.linkage == Linkage::Internal {
            format!("non-static declaration of '{shown}' follows static declaration")
        } else if declared.initialized && object.init.is_some() {
            format!("redefinition of '{shown}'")
        } else {
            return Ok(());
        };
        let (previous, note) = (object.pos, format!("previous declaration of '{shown}' is here"));
        let failed = self.error(pos, message);
        Err(self.note_previous(failed, previous, &note))
    }

    /// Tentative definitions whose type is still unknown at the end of the unit (C17 6.9.2p2, p5).
    pub(crate) fn complete_tentative(&mut self) {
        for obj in std::mem::take(&mut self.decl.tentative) {
            let object = &self.cx.program.objects[obj];
            let (ty, pos) = (object.ty, object.pos);
            if self.is_complete(ty) {
                continue;
            }
            let name = self.quoted(object.name, "object");
            match self.cx.program.types.kind(ty) {
                TypeKind::Array { elem, len: Len::Unknown } if self.is_complete(elem) => {
                    self.warning(pos, format!("array {name} assumed to have one element"));
                    let types = &mut self.cx.program.types;
                    let array = types.array(elem, Len::Fixed(1));
                    self.cx.program.objects[obj].ty = types.qualified(array, ty.quals());
                }
                _ => {
                    self.error(pos, format!("storage size of {name} isn't known"));
                }
            }
        }
    }
}
