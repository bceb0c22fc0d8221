//! Functions: declarations with their linkage (C17 6.2.2, 6.7.4), definitions, K&R parameters, nested functions.

use crate::declaration::Out;
use crate::declarator::{Declarator, Param, Params, Place, Want};
use crate::object::Declared;
use crate::parser::{Parse, Parser};
use crate::scope::Name;
use crate::spec::Specs;
use crate::token::Tok;
use howler_lang::compat;
use howler_lang::program::{
    Attr, AttrArg, DeclId, Entity, FaultKind, FuncId, Function, Item, Linkage, ObjId, Stmt, StmtKind, Storage,
};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::target::{Compiler, Edition};
use howler_lang::ty::{FloatKind, IntKind, Signature, Type, TypeKind};
use rustc_hash::FxHashMap;

/// What kind of declaration of a function it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Declaration,
    Definition,
    /// A definition with an identifier list.
    OldStyle,
}

impl Parser<'_> {
    /// Whether a function's body, or the parameter declarations of a K&R definition, follow the declarator.
    pub(crate) fn begins_body(&self, declarator: &Declarator) -> bool {
        let Some(params) = &declarator.params else { return false };
        match self.tok() {
            Tok::LBrace => true,
            Tok::KwAttribute | Tok::KwStaticAssert => false,
            _ => !params.idents.is_empty() && self.starts_declaration(),
        }
    }

    /// Declares a function and binds its name.
    pub(crate) fn declare_function(&mut self, declared: Declared, form: Form) -> Parse<(FuncId, DeclId)> {
        self.check_function(&declared, form)?;
        let at_file = self.at_file();
        let (name, specs) = (declared.name, declared.specs);
        let local = !at_file && (form != Form::Declaration || specs.storage == Storage::Auto);
        let nested = match self.scopes.name_here(name) {
            Some(Name::Function(func)) if self.cx.program.funcs[func].linkage == Linkage::None => Some(func),
            _ => None,
        };
        let func = match nested {
            Some(func) => {
                self.merge_function(func, &declared, form)?;
                func
            }
            None if local => self.new_function(&declared, Linkage::None),
            None => self.linked_function(&declared, form)?,
        };
        self.scopes.bind_name(name, Name::Function(func));
        let function = &mut self.cx.program.funcs[func];
        function.inline |= specs.inline;
        function.external_decl |= at_file && (!specs.inline || specs.storage == Storage::Extern);
        function.noreturn |= specs.noreturn || declared.attrs.noreturn;
        function.attrs.extend(declared.attrs.kept.iter().cloned());
        if declared.attrs.align != 0 {
            let name = self.cx.program.symbols.intern("aligned");
            let args = vec![AttrArg::Int(i128::from(declared.attrs.align))];
            self.cx.program.funcs[func].attrs.push(Attr { name, args });
        }
        let public = self.cx.program.funcs[func].linkage == Linkage::External;
        self.check_kept(&declared, public, false)?;
        let decl = self.declaration_of(Entity::Function(func), declared);
        Ok((func, decl))
    }

    fn check_function(&mut self, declared: &Declared, form: Form) -> Parse<()> {
        let Declared { specs, name, pos, .. } = *declared;
        let shown = |p: &Self| p.cx.program.name(name).to_owned();
        if specs.thread {
            let message = format!("invalid storage class for function '{}'", shown(self));
            return Err(self.error(pos, message));
        }
        let wrong = match (specs.storage, self.at_file()) {
            (Storage::Register, _) | (Storage::Auto, true) => true,
            (Storage::Static | Storage::Extern, false) if form != Form::Declaration => true,
            (Storage::Static, false) => true,
            _ => false,
        };
        if wrong {
            let message = match (form, specs.storage) {
                (Form::Declaration, _) | (_, Storage::Static | Storage::Extern) => {
                    format!("invalid storage class for function '{}'", shown(self))
                }
                (_, Storage::Auto) => "function definition declared 'auto'".to_owned(),
                _ => "function definition declared 'register'".to_owned(),
            };
            return Err(self.error(pos, message));
        }
        if form != Form::Declaration && !self.at_file() {
            self.extension(pos, "ISO C forbids nested functions");
        }
        // C17 6.7.4p4. gcc and clang let `_Noreturn` pass with a warning.
        if self.at_file() && (specs.inline || specs.noreturn) && self.cx.program.name(name) == "main" {
            return Err(match specs.inline {
                true => self.error(pos, "'main' is not allowed to be declared inline"),
                false => self.unsupported(pos, "'_Noreturn' for 'main'"),
            });
        }
        // C17 6.7.6.2p2.
        if self.is_variably_modified(declared.ty) {
            return Err(self.error(pos, "non-nested function with variably modified type"));
        }
        if specs.align > 0 {
            let message = format!("alignment specified for function '{}'", shown(self));
            return Err(self.error(pos, message));
        }
        match self.scopes.name_here(name) {
            None | Some(Name::Poisoned | Name::Function(_)) => Ok(()),
            Some(_) => Err(self.different_kind(name, pos)),
        }
    }

    fn new_function(&mut self, declared: &Declared, linkage: Linkage) -> FuncId {
        let parent = match linkage {
            Linkage::None => self.function.as_ref().map(|function| function.func),
            _ => None,
        };
        self.cx.program.funcs.push(Function {
            name: declared.name,
            ty: declared.ty,
            linkage,
            inline: false,
            external_decl: false,
            noreturn: false,
            attrs: Vec::new(),
            params: Vec::new(),
            old_style: false,
            body: None,
            parent,
            implicit: false,
            unit: self.unit,
            linked: None,
            pos: declared.pos,
        })
    }

    fn linked_function(&mut self, declared: &Declared, form: Form) -> Parse<FuncId> {
        match self.linked.get(&declared.name) {
            Some(&Entity::Function(prior)) => {
                let storage = declared.specs.storage;
                if self.has_both_linkages(declared.name, storage, Entity::Function(prior)) {
                    self.fault(FaultKind::BothLinkages, declared.pos);
                }
                self.merge_function(prior, declared, form)?;
                Ok(prior)
            }
            Some(_) => Err(self.different_kind(declared.name, declared.pos)),
            None => {
                let linkage = match declared.specs.storage {
                    Storage::Static => Linkage::Internal,
                    _ => Linkage::External,
                };
                let func = self.new_function(declared, linkage);
                self.linked.insert(declared.name, Entity::Function(func));
                Ok(func)
            }
        }
    }

    /// Another declaration of a known function: the types must agree, and are put together.
    fn merge_function(&mut self, prior: FuncId, declared: &Declared, form: Form) -> Parse<()> {
        let (name, pos, new) = (declared.name, declared.pos, declared.ty);
        let function = &self.cx.program.funcs[prior];
        let (old, implicit) = (function.ty, function.implicit);
        let shown = self.cx.program.name(name).to_owned();
        let copy = form != Form::Declaration && self.is_gnu_copy(prior);
        if declared.specs.storage == Storage::Static && function.linkage == Linkage::External && !copy {
            let message = format!("static declaration of '{shown}' follows non-static declaration");
            return Err(self.error(pos, message));
        }
        self.check_late_prototype(prior, declared)?;
        let ty = if self.agree(old, new, form) {
            match form {
                Form::OldStyle => old,
                Form::Declaration if !implicit => self.type_here(Entity::Function(prior), name, old, new),
                _ => compat::composite(&mut self.cx.program.types, old, new),
            }
        } else if implicit && self.may_replace(old, new) {
            self.pedantic(pos, format!("conflicting types for '{shown}'"))?;
            new
        } else {
            let (previous, note) =
                (self.cx.program.funcs[prior].pos, format!("previous declaration of '{shown}' is here"));
            let failed = self.error(pos, format!("conflicting types for '{shown}'"));
            return Err(self.note_previous(failed, previous, &note));
        };
        let function = &mut self.cx.program.funcs[prior];
        function.ty = ty;
        if copy && declared.specs.storage == Storage::Static {
            function.linkage = Linkage::Internal;
            function.external_decl = false;
        }
        if implicit {
            function.implicit = false;
            function.external_decl = false;
            function.pos = pos;
        }
        Ok(())
    }

    /// A prototype after a definition without one must have as many parameters (C17 6.7.6.3p15); clang lets it pass.
    fn check_late_prototype(&mut self, prior: FuncId, declared: &Declared) -> Parse<()> {
        let program = &self.cx.program;
        let types = &program.types;
        let (TypeKind::Function(old), TypeKind::Function(new)) =
            (types.kind(program.funcs[prior].ty), types.kind(declared.ty))
        else {
            return Ok(());
        };
        let has = program.funcs[prior].params.len();
        let (old, new) = (types.signature(old), types.signature(new));
        let defined = self.decl.definitions.contains_key(&prior);
        if !defined || old.prototype || !new.prototype || new.params.len() == has {
            return Ok(());
        }
        let shown = program.name(declared.name);
        let message = format!("prototype for '{shown}' has not the parameters of its old-style definition");
        Err(match program.target.compiler {
            Compiler::Gcc => self.error(declared.pos, message),
            Compiler::Clang => self.unsupported(declared.pos, message),
        })
    }

    /// Whether two declarations agree. A K&R definition says nothing here about its parameters.
    fn agree(&self, old: Type, new: Type, form: Form) -> bool {
        let types = &self.cx.program.types;
        if form != Form::OldStyle {
            return compat::compatible(types, old, new);
        }
        match (types.kind(old), types.kind(new)) {
            (TypeKind::Function(a), TypeKind::Function(b)) => {
                compat::compatible(types, types.signature(a).ret, types.signature(b).ret)
            }
            _ => false,
        }
    }

    fn returns_void(&self, ty: Type) -> bool {
        let types = &self.cx.program.types;
        matches!(types.kind(ty), TypeKind::Function(id) if types.signature(id).ret == Type::VOID)
    }

    /// Whether the definition so far is GNU's `extern inline`, which gives way to a real one.
    fn is_gnu_copy(&self, func: FuncId) -> bool {
        let program = &self.cx.program;
        let Some(&decl) = self.decl.definitions.get(&func) else { return false };
        let decl = &program.decls[decl];
        let gnu = program.target.std.edition == Edition::C89
            || decl.attrs.iter().any(|attr| program.name(attr.name) == "gnu_inline");
        decl.inline && decl.storage == Storage::Extern && gnu
    }

    /// What gcc only warns about after a call without a declaration: `void f()` after `f()`, and any other type of a
    /// function that it knew as a builtin.
    fn may_replace(&self, old: Type, new: Type) -> bool {
        let types = &self.cx.program.types;
        match (types.kind(old), types.kind(new)) {
            (TypeKind::Function(old), TypeKind::Function(new)) => {
                let (old, new) = (types.signature(old), types.signature(new));
                old.prototype || old.ret != Type::INT || new.ret == Type::VOID
            }
            _ => false,
        }
    }

    /// A definition from after its declarator to the end of its body.
    pub(crate) fn function_definition(
        &mut self,
        specs: &Specs,
        mut declarator: Declarator,
        name: Symbol,
        pending: usize,
        out: &mut Out,
    ) -> Parse<()> {
        let pos = declarator.pos;
        if !specs.typed {
            if specs.auto_type {
                return Err(self.error(pos, "'__auto_type' in a function definition"));
            }
            if self.cx.program.target.std.edition > Edition::C89 {
                self.pedantic(pos, "return type defaults to 'int'")?;
            }
        }
        let mut params = declarator.params.take().map_or_else(Params::default, |params| *params);
        let old_style = !params.idents.is_empty();
        if old_style {
            self.old_style_parameters(&mut params)?;
        }
        let form = if old_style { Form::OldStyle } else { Form::Definition };
        declarator.ty = self.apply_type_attributes(declarator.ty, &declarator.attrs)?;
        let declared = Declared::new(specs, &mut declarator, name);
        let gnu_inline = declared.attrs.gnu_inline;
        self.place_types(out, pending, specs.pos);
        self.check_result(&declared)?;
        let prior = match self.linked.get(&name) {
            Some(&Entity::Function(func)) if self.at_file() => Some(self.cx.program.funcs[func].ty),
            _ => None,
        };
        let mut declared = declared;
        if !specs.typed && prior.is_some_and(|prior| self.returns_void(prior)) {
            // `void f(); f() { … }`: gcc keeps the declared result.
            let message = format!("conflicting types for '{}'", self.cx.program.name(name));
            self.pedantic(pos, message)?;
            if let TypeKind::Function(id) = self.cx.program.types.kind(declared.ty) {
                let signature = self.cx.program.types.signature(id).clone();
                declared.ty = self.cx.program.types.function(Signature { ret: Type::VOID, ..signature });
            }
            // gcc keeps the whole declared type then, whatever the parameters are; no text of ours says that.
            if prior != Some(declared.ty) {
                return Err(self.unsupported(pos, "definition without type against a declaration as void"));
            }
        }
        let (func, decl) = self.declare_function(declared, form)?;
        self.check_redefinition(func, specs, gnu_inline, pos)?;
        if old_style && let Some(prior) = prior {
            self.check_old_style(prior, &params, pos)?;
        }
        let objects = self.parameter_objects(&mut params)?;
        let function = &mut self.cx.program.funcs[func];
        function.params = objects;
        function.old_style = old_style;
        function.pos = pos;
        self.cx.program.decls[decl].body = true;
        self.decl.definitions.insert(func, decl);
        match out {
            Out::Unit => self.place_item(out, Item::Decl(decl), pos),
            Out::Block(stmts) | Out::For(stmts) => {
                let stmt = self.cx.program.stmts.push(Stmt { kind: StmtKind::Item(Item::Decl(decl)), pos });
                stmts.push(stmt);
            }
        }
        self.read_body(func, params)
    }

    fn read_body(&mut self, func: FuncId, params: Params) -> Parse<()> {
        self.scopes.enter();
        for (name, what) in params.names {
            self.scopes.bind_name(name, what);
        }
        for (tag, what) in params.tags {
            self.scopes.bind_tag(tag, what);
        }
        let body = if self.tok() == Tok::LBrace {
            // The body is no part of any prototype or record that is open around it.
            let prototypes = std::mem::take(&mut self.decl.prototypes);
            let records = std::mem::take(&mut self.decl.open_records);
            let body = self.function_body(func);
            self.decl.prototypes = prototypes;
            self.decl.open_records = records;
            body
        } else {
            Err(self.expected("'{'"))
        };
        self.scopes.leave();
        self.cx.program.funcs[func].body = Some(body?);
        Ok(())
    }

    fn check_result(&mut self, declared: &Declared) -> Parse<()> {
        let TypeKind::Function(id) = self.cx.program.types.kind(declared.ty) else { return Ok(()) };
        let ret = self.cx.program.types.signature(id).ret;
        let void = matches!(self.cx.program.types.kind(ret), TypeKind::Void);
        if !void && !self.is_complete(ret) {
            return Err(self.error(declared.pos, "return type is an incomplete type"));
        }
        if self.at_file() && self.cx.program.name(declared.name) == "main" && ret != Type::INT {
            self.pedantic(declared.pos, "return type of 'main' is not 'int'")?;
        }
        Ok(())
    }

    /// One body per function, except that GNU's `extern inline` gives way to a real definition.
    fn check_redefinition(&mut self, func: FuncId, specs: &Specs, gnu_inline: bool, pos: Pos) -> Parse<()> {
        let Some(&old) = self.decl.definitions.get(&func) else { return Ok(()) };
        let gnu89 = self.cx.program.target.std.edition == Edition::C89;
        let is_copy = specs.inline && specs.storage == Storage::Extern && (gnu89 || gnu_inline);
        if self.is_gnu_copy(func) && !is_copy {
            let decl = &mut self.cx.program.decls[old];
            decl.body = false;
            // Without its body the copy is a declaration, and those of one function agree (C17 6.2.2p7).
            if specs.storage == Storage::Static {
                decl.storage = Storage::Static;
            }
            self.cx.program.funcs[func].body = None;
            return Ok(());
        }
        let shown = self.cx.program.name(self.cx.program.funcs[func].name);
        let (message, note) =
            (format!("redefinition of '{shown}'"), format!("previous definition of '{shown}' is here"));
        let previous = self.cx.program.funcs[func].pos;
        let failed = self.error(pos, message);
        Err(self.note_previous(failed, previous, &note))
    }

    fn parameter_objects(&mut self, params: &mut Params) -> Parse<Vec<ObjId>> {
        let mut objects = Vec::with_capacity(params.list.len());
        for at in 0..params.list.len() {
            let Param { ty, name, pos, star, .. } = params.list[at];
            if !self.is_complete(ty) {
                let shown = name.map_or(String::new(), |name| format!(" ('{}')", self.cx.program.name(name)));
                return Err(self.error(pos, format!("parameter {}{shown} has incomplete type", at + 1)));
            }
            if star || self.has_star_bound(ty) {
                return Err(self.error(pos, "'[*]' not allowed in other than function prototype scope"));
            }
            if name.is_none() {
                self.pedantic_only(pos, "parameter name omitted")?;
            }
            objects.push(self.parameter_object(&mut params.list[at]));
        }
        Ok(objects)
    }

    /// The declarations between an identifier list and the body (C17 6.9.1p6).
    fn old_style_parameters(&mut self, params: &mut Params) -> Parse<()> {
        let idents = std::mem::take(&mut params.idents);
        let mut places = FxHashMap::default();
        for (at, &(name, pos)) in idents.iter().enumerate() {
            if places.insert(name, at).is_some() {
                let message = format!("multiple parameters named '{}'", self.cx.program.name(name));
                return Err(self.error(pos, message));
            }
            params.list.push(Param {
                name: Some(name),
                ty: Type::VOID,
                obj: None,
                bound: None,
                register: false,
                attrs: Vec::new(),
                align: 0,
                star: false,
                pos,
            });
        }
        self.scopes.enter();
        for (tag, what) in std::mem::take(&mut params.tags) {
            self.scopes.bind_tag(tag, what);
        }
        // Array bounds may name parameters, as in a prototype.
        self.decl.prototypes += 1;
        let mut result = Ok(());
        while result.is_ok() && self.tok() != Tok::LBrace && self.tok() != Tok::Eof {
            result = self.old_style_declaration(params, &places);
        }
        self.decl.prototypes -= 1;
        if result.is_ok() {
            result = self.default_parameters(params);
        }
        let (names, tags) = self.scopes.leave_keeping();
        params.names = names;
        params.tags = tags;
        params.idents = idents;
        result
    }

    fn old_style_declaration(&mut self, params: &mut Params, places: &FxHashMap<Symbol, usize>) -> Parse<()> {
        if !self.starts_declaration() {
            return Err(self.expected("declaration specifiers"));
        }
        let specs = self.specifiers()?;
        self.name_unnamed(specs.unnamed, None);
        if self.eat(Tok::Semi) {
            return Ok(());
        }
        if !matches!(specs.storage, Storage::None | Storage::Register) || specs.typedef || specs.thread {
            return Err(self.error(specs.pos, "storage class specified for parameter"));
        }
        let base = self.apply_type_attributes(specs.ty, &specs.attrs)?;
        loop {
            let mut declarator = self.declarator(base, Want::Name, Place::Param)?;
            self.more_attributes(&mut declarator.attrs)?;
            let Some(name) = declarator.name else { return Err(self.expected("identifier")) };
            let shown = self.cx.program.name(name).to_owned();
            let Some(&at) = places.get(&name) else {
                let message = format!("declaration for parameter '{shown}' but no such parameter");
                return Err(self.error(declarator.pos, message));
            };
            if params.list[at].obj.is_some() {
                return Err(self.error(declarator.pos, format!("redefinition of parameter '{shown}'")));
            }
            if self.tok() == Tok::Assign {
                return Err(self.error(self.pos(), format!("parameter '{shown}' is initialized")));
            }
            let written = self.apply_type_attributes(declarator.ty, &declarator.attrs)?;
            let (ty, bound) = self.adjust_parameter(written, declarator.bound)?;
            let mut attrs = specs.attrs.clone();
            attrs.merge(declarator.attrs);
            self.refuse_promises(&attrs, declarator.pos)?;
            let param = &mut params.list[at];
            param.ty = ty;
            param.bound = bound;
            param.register = specs.storage == Storage::Register;
            param.attrs = attrs.kept;
            param.align = attrs.align.max(specs.align);
            param.pos = declarator.pos;
            let obj = self.parameter_object(&mut params.list[at]);
            self.scopes.bind_name(name, Name::Object(obj));
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::Semi).map(|_| ())
    }

    fn default_parameters(&mut self, params: &mut Params) -> Parse<()> {
        for at in 0..params.list.len() {
            let Param { obj, name, pos, .. } = params.list[at];
            let (None, Some(name)) = (obj, name) else { continue };
            if self.cx.program.target.std.edition > Edition::C89 {
                let message = format!("type of '{}' defaults to 'int'", self.cx.program.name(name));
                self.pedantic(pos, message)?;
            }
            params.list[at].ty = Type::INT;
            let obj = self.parameter_object(&mut params.list[at]);
            self.scopes.bind_name(name, Name::Object(obj));
        }
        Ok(())
    }

    /// A K&R definition after a prototype: as many parameters, of the same types or of types that promote to them
    /// (C17 6.7.6.3p15).
    fn check_old_style(&mut self, prior: Type, params: &Params, pos: Pos) -> Parse<()> {
        let TypeKind::Function(id) = self.cx.program.types.kind(prior) else { return Ok(()) };
        let Signature { params: wanted, prototype: true, variadic, .. } =
            self.cx.program.types.signature(id).clone()
        else {
            return Ok(());
        };
        if variadic {
            self.warning(pos, "defined as variadic function without prototype");
        }
        if wanted.len() != params.list.len() {
            return Err(self.error(pos, "number of arguments doesn't match prototype"));
        }
        for (&wanted, param) in wanted.iter().zip(&params.list) {
            let types = &self.cx.program.types;
            if compat::compatible_unqualified(types, wanted, param.ty) {
                continue;
            }
            let promoted = self.default_promoted(param.ty);
            if !compat::compatible_unqualified(&self.cx.program.types, wanted, promoted) {
                let message = format!("argument {} doesn't match prototype", self.quoted(param.name, ""));
                return Err(self.error(param.pos, message));
            }
        }
        Ok(())
    }

    /// The type an argument of type `ty` has without a prototype (C17 6.5.2.2p6).
    fn default_promoted(&self, ty: Type) -> Type {
        match self.cx.program.types.kind(ty) {
            TypeKind::Float(FloatKind::Float) => Type::DOUBLE,
            TypeKind::Bool => Type::INT,
            TypeKind::Int(kind) if kind < IntKind::Int => Type::INT,
            _ => ty,
        }
    }
}
