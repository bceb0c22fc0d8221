//! Declarations (C17 6.7) at file scope, in blocks and in the head of a `for`; typedefs; static assertions.

use crate::declarator::{Declarator, Place, Want};
use crate::function::Form;
use crate::object::Declared;
use crate::parser::{Parse, Parser};
use crate::scope::{Name, Tag};
use crate::spec::Specs;
use crate::token::Tok;
use howler_lang::build;
use howler_lang::compat;
use howler_lang::program::{
    DeclId, Duration, Entity, Init, InitId, Item, Stmt, StmtId, StmtKind, Storage, StrId, StrUnits,
};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::target::{Compiler, Edition};
use howler_lang::ty::{Len, Type, TypeKind, Variant};

/// Where declared items go.
pub(crate) enum Out<'a> {
    /// The unit's items.
    Unit,
    /// Statements of a block.
    Block(&'a mut Vec<StmtId>),
    /// The head of a `for`.
    For(&'a mut Vec<StmtId>),
}

/// How a declarator with initialiser ended.
enum Ended {
    /// The next token is `,` or `;`.
    Declarator {
        /// It has an initialiser: nothing else can come.
        initialised: bool,
    },
    /// It was a function definition.
    Body,
}

impl Parser<'_> {
    /// A declaration in a block, nested functions included.
    pub(crate) fn block_declaration(&mut self, out: &mut Vec<StmtId>) -> Parse<()> {
        self.declaration(&mut Out::Block(out))
    }

    /// A declaration in the head of a `for`.
    pub(crate) fn for_declaration(&mut self, out: &mut Vec<StmtId>) -> Parse<()> {
        self.declaration(&mut Out::For(out))
    }

    /// A declaration up to its `;` or body.
    pub(crate) fn declaration(&mut self, out: &mut Out) -> Parse<()> {
        if self.tok() == Tok::KwStaticAssert {
            return self.static_assert();
        }
        let pending = self.pending.len();
        let specs = self.specifiers()?;
        if self.tok() == Tok::Semi {
            self.empty_declaration(&specs)?;
            if matches!(out, Out::For(_)) && specs.tagged {
                return Err(self.error(specs.pos, "type declared in 'for' loop initial declaration"));
            }
            self.bump();
            self.place_types(out, pending, specs.pos);
            return Ok(());
        }
        if !specs.any && !matches!(out, Out::Unit) {
            return Err(self.expected("declaration specifiers"));
        }
        let base = self.apply_type_attributes(specs.ty, &specs.attrs)?;
        let place = if self.at_file() { Place::File } else { Place::Block };
        let mut first = true;
        let mut initialised;
        loop {
            let declarator = self.declarator(base, Want::Name, place)?;
            initialised = match self.init_declarator(&specs, declarator, first, pending, out)? {
                Ended::Body => return Ok(()),
                Ended::Declarator { initialised } => initialised,
            };
            first = false;
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        if self.tok() != Tok::Semi {
            let more = if initialised { "',' or ';'" } else { "'=', ',', ';', 'asm' or '__attribute__'" };
            return Err(self.expected(more));
        }
        self.bump();
        Ok(())
    }

    /// Moves the types defined since `pending` to where the declaration goes.
    pub(crate) fn place_types(&mut self, out: &mut Out, pending: usize, pos: Pos) {
        if self.pending.len() <= pending {
            return;
        }
        match out {
            Out::Unit => {
                let items = &mut self.cx.program.units[self.unit as usize].items;
                items.extend(self.pending.drain(pending..));
            }
            Out::Block(stmts) | Out::For(stmts) => {
                for item in self.pending.drain(pending..) {
                    stmts.push(self.cx.program.stmts.push(Stmt { kind: StmtKind::Item(item), pos }));
                }
            }
        }
    }

    /// Adds an item; for statements the id must have been taken before what is inside was read.
    pub(crate) fn place_item(&mut self, out: &mut Out, item: Item, pos: Pos) {
        match out {
            Out::Unit => self.cx.program.units[self.unit as usize].items.push(item),
            Out::Block(stmts) | Out::For(stmts) => {
                stmts.push(self.cx.program.stmts.push(Stmt { kind: StmtKind::Item(item), pos }));
            }
        }
    }

    /// Specifiers and `;` only.
    fn empty_declaration(&mut self, specs: &Specs) -> Parse<()> {
        self.name_unnamed(specs.unnamed, None);
        if !specs.any {
            // A lone `;`.
            return self.pedantic_only(specs.pos, "ISO C does not allow extra ';' outside of a function");
        }
        if specs.auto_type {
            return Err(self.error(specs.pos, "'__auto_type' in empty declaration"));
        }
        if specs.inline || specs.noreturn {
            let word = if specs.inline { "inline" } else { "_Noreturn" };
            return Err(self.error(specs.pos, format!("'{word}' in empty declaration")));
        }
        if specs.tagged {
            if specs.unnamed.is_some() && !matches!(self.cx.program.types.kind(specs.ty), TypeKind::Enum(_)) {
                self.warning(specs.pos, "unnamed struct/union that defines no instances");
            }
            return Ok(());
        }
        if specs.typed {
            self.warning(specs.pos, "useless type name in empty declaration");
        } else {
            self.warning(specs.pos, "empty declaration");
        }
        Ok(())
    }

    /// What follows a declarator: a body, or asm label, attributes, initialiser.
    fn init_declarator(
        &mut self,
        specs: &Specs,
        mut declarator: Declarator,
        first: bool,
        pending: usize,
        out: &mut Out,
    ) -> Parse<Ended> {
        let Some(name) = declarator.name else { return Err(self.expected("identifier or '('")) };
        if specs.unnamed.is_some() {
            self.name_unnamed(specs.unnamed, if specs.typedef { Some(name) } else { None });
            // Not if the typedef names a pointer to it, say.
            if specs.typedef && declarator.ty == specs.ty.bare() {
                self.cx.program.types.untagged.entry(declarator.ty).or_insert(name);
            }
        }
        if specs.auto_type && !matches!(self.cx.program.types.kind(declarator.ty), TypeKind::Int(_)) {
            return Err(match self.cx.program.target.compiler {
                Compiler::Gcc => {
                    self.error(declarator.pos, "'__auto_type' requires a plain identifier as declarator")
                }
                Compiler::Clang => {
                    self.unsupported(declarator.pos, "'__auto_type' with a derived declarator")
                }
            });
        }
        if first && !specs.typedef && self.begins_body(&declarator) {
            if matches!(out, Out::For(_)) {
                return Err(
                    self.error(declarator.pos, "function definition in 'for' loop initial declaration")
                );
            }
            self.function_definition(specs, declarator, name, pending, out)?;
            return Ok(Ended::Body);
        }
        let asm_label = if self.eat(Tok::KwAsm) { Some(self.asm_label()?) } else { None };
        self.more_attributes(&mut declarator.attrs)?;
        if first && self.tok() == Tok::LBrace && declarator.params.is_some() {
            let message = "attributes should be specified before the declarator in a function definition";
            return Err(self.error(declarator.pos, message));
        }
        if !specs.typed && !specs.auto_type {
            if !specs.any && self.cx.program.target.std.edition >= Edition::C89 {
                self.pedantic(declarator.pos, "data definition has no type or storage class")?;
            }
            let what = format!("declaration of '{}'", self.cx.program.name(name));
            self.implicit_int(declarator.pos, &what)?;
        }
        let initialised = self.tok() == Tok::Assign;
        let result = self.declare(specs, declarator, name, asm_label, pending, out);
        if result.is_err() && self.scopes.name_here(name).is_none() {
            self.scopes.bind_name(name, Name::Poisoned);
        }
        result.map(|()| Ended::Declarator { initialised })
    }

    fn declare(
        &mut self,
        specs: &Specs,
        mut declarator: Declarator,
        name: Symbol,
        asm_label: Option<StrId>,
        pending: usize,
        out: &mut Out,
    ) -> Parse<()> {
        declarator.ty = self.apply_type_attributes(declarator.ty, &declarator.attrs)?;
        let mut declared = Declared::new(specs, &mut declarator, name);
        declared.asm_label = asm_label;
        declared.initialized = self.tok() == Tok::Assign;
        let pos = declared.pos;
        if let Out::For(_) = out {
            self.check_for(&declared, pending)?;
        } else {
            self.place_types(out, pending, specs.pos);
        }
        if specs.typedef {
            return self.declare_typedef(declared, out);
        }
        if let TypeKind::Function(_) = self.cx.program.types.kind(declared.ty) {
            if declared.initialized {
                let message =
                    format!("function '{}' is initialized like a variable", self.cx.program.name(name));
                return Err(self.error(pos, message));
            }
            let (_, decl) = self.declare_function(declared, Form::Declaration)?;
            self.place_item(out, Item::Decl(decl), pos);
            return Ok(());
        }
        // The statement's id is taken before those of statements inside the initialiser.
        let reserved = match out {
            Out::Unit => None,
            Out::Block(_) | Out::For(_) => {
                Some(self.cx.program.stmts.push(Stmt { kind: StmtKind::Empty, pos }))
            }
        };
        let decl = if specs.auto_type {
            self.declare_auto(declared)?
        } else {
            let (obj, decl) = self.declare_object(declared)?;
            if self.eat(Tok::Assign) {
                let object = &self.cx.program.objects[obj];
                let constant = matches!(object.duration, Duration::Static | Duration::Thread);
                let (init, ty) = self.initializer(self.cx.program.decls[decl].ty, constant)?;
                self.set_initializer(decl, init, ty);
            }
            decl
        };
        match (out, reserved) {
            (Out::Block(stmts) | Out::For(stmts), Some(stmt)) => {
                self.cx.program.stmts[stmt].kind = StmtKind::Item(Item::Decl(decl));
                stmts.push(stmt);
            }
            (out, _) => {
                // Types defined inside the initialiser.
                self.place_types(out, pending, pos);
                self.place_item(out, Item::Decl(decl), pos);
            }
        }
        Ok(())
    }

    /// The head of a `for` declares variables of automatic storage duration only (C17 6.8.5p3).
    fn check_for(&mut self, declared: &Declared, pending: usize) -> Parse<()> {
        let Declared { specs, name, pos, ty, .. } = *declared;
        let shown = self.cx.program.name(name).to_owned();
        let function = matches!(self.cx.program.types.kind(ty), TypeKind::Function(_));
        let what = if specs.typedef || function {
            format!("declaration of non-variable '{shown}'")
        } else if specs.storage == Storage::Static {
            format!("declaration of static variable '{shown}'")
        } else if specs.storage == Storage::Extern {
            format!("declaration of 'extern' variable '{shown}'")
        } else if let Some(Tag::Enum(_)) = specs.unnamed {
            // Its constants are no variables to gcc; clang takes them.
            match self.cx.program.target.compiler {
                Compiler::Gcc => "declaration of non-variables".to_owned(),
                Compiler::Clang => {
                    return Err(self.unsupported(pos, "enumeration in the head of a 'for'"));
                }
            }
        } else if self.pending.len() == pending + 1 && specs.unnamed.is_some() {
            // A struct without a tag stays pending: it goes before the loop, under a name of its own.
            return Ok(());
        } else if self.pending.len() > pending {
            "type declared".to_owned()
        } else {
            return Ok(());
        };
        Err(self.error(pos, format!("{what} in 'for' loop initial declaration")))
    }

    /// The declaration keeps the type it writes: inside its own initialiser `int a[] = …` is still incomplete.
    fn set_initializer(&mut self, decl: DeclId, init: InitId, ty: Type) {
        // A compound literal that is copied (GNU) may be longer than what is written in its braces.
        let written = self.cx.program.types.kind(self.cx.program.decls[decl].ty);
        let open = matches!(written, TypeKind::Array { len: Len::Unknown, .. });
        if open && self.is_longer_than_written(init, ty) {
            self.cx.program.decls[decl].ty = ty;
        }
        let program = &mut *self.cx.program;
        program.decls[decl].init = Some(init);
        if let Entity::Object(obj) = program.decls[decl].entity {
            let old = program.objects[obj].ty;
            program.objects[obj].ty = compat::composite(&mut program.types, old, ty);
            program.objects[obj].init = Some(init);
        }
    }

    /// Whether an array type has more elements than its initialiser alone would give it.
    fn is_longer_than_written(&self, init: InitId, ty: Type) -> bool {
        let program = &self.cx.program;
        let TypeKind::Array { len: Len::Fixed(len), .. } = program.types.kind(ty) else { return false };
        match program.inits[init] {
            Init::Expr(string) => {
                let written = program.types.kind(program.ty(string));
                matches!(written, TypeKind::Array { len: Len::Fixed(written), .. } if written < len)
            }
            Init::List(list) | Init::Update(list) => {
                let last = program.init_entries(list).iter().map(|entry| entry.last.saturating_add(1)).max();
                last.unwrap_or(0) < len
            }
        }
    }

    /// `__auto_type x = value;`: the name is declared after its initialiser, which gives the type.
    fn declare_auto(&mut self, mut declared: Declared) -> Parse<DeclId> {
        let pos = declared.pos;
        if !self.eat(Tok::Assign) {
            return Err(self.error(pos, "'__auto_type' requires an initialized data declaration"));
        }
        let expr = self.assignment_expression()?;
        let built = build::value(&mut self.cx, expr);
        let expr = self.built(built)?;
        let quals = declared.specs.ty.quals();
        let ty = self.cx.program.ty(expr);
        self.check_declarable(ty, pos)?;
        if self.is_variably_modified(ty) {
            return Err(self.unsupported(pos, "'__auto_type' of a variably modified type"));
        }
        declared.ty = self.cx.program.types.qualified(ty, quals);
        self.check_size(ty, pos)?;
        let at_file = self.at_file();
        let constant = at_file || declared.specs.storage == Storage::Static || declared.specs.thread;
        let ty = declared.ty;
        let (_, decl) = self.declare_object(declared)?;
        let init = self.initialize_with(ty, expr, constant)?;
        self.set_initializer(decl, init, ty);
        Ok(decl)
    }

    fn declare_typedef(&mut self, declared: Declared, out: &mut Out) -> Parse<()> {
        let (name, pos) = (declared.name, declared.pos);
        if declared.initialized {
            let message =
                format!("typedef '{}' is initialized (use '__typeof__' instead)", self.cx.program.name(name));
            return Err(self.error(pos, message));
        }
        if declared.specs.auto_type {
            return Err(self.error(pos, "typedef with '__auto_type'"));
        }
        if declared.specs.inline || declared.specs.noreturn {
            let message = format!("typedef '{}' declared 'inline'", self.cx.program.name(name));
            self.pedantic(pos, message)?;
        }
        if declared.specs.align > 0 {
            return Err(
                self.error(pos, format!("alignment specified for typedef '{}'", self.cx.program.name(name)))
            );
        }
        self.refuse_promises(&declared.attrs, pos)?;
        let mut ty = self.apply_variant(declared.ty, &declared.attrs);
        let transparent = declared.attrs.transparent;
        if transparent && let TypeKind::Record(id) = self.cx.program.types.kind(ty) {
            self.cx.program.types.records[id].transparent = true;
        }
        let modified = self.is_variably_modified(ty);
        if modified {
            let variant = Variant { base: ty, align: 0, may_alias: false, name: Some(name) };
            ty = self.cx.program.types.make_variant(variant);
        }
        match self.scopes.name_here(name) {
            None | Some(Name::Poisoned) => {}
            Some(Name::Typedef(old)) => {
                let types = &self.cx.program.types;
                let shown = self.cx.program.name(name);
                if modified || self.is_variably_modified(old) {
                    let message = format!("redefinition of typedef '{shown}' with variably modified type");
                    return Err(self.error(pos, message));
                }
                if !compat::compatible(types, old, ty) {
                    let message = format!("conflicting types for '{shown}'");
                    return Err(self.error(pos, message));
                }
                if self.cx.program.target.std.edition < Edition::C11 {
                    let message = format!("redefinition of typedef '{shown}'");
                    self.pedantic_only(pos, &message)?;
                }
                // The strictest alignment of all its declarations counts.
                let align = |ty| self.cx.program.types.variant(ty).map_or(0, |variant| variant.align);
                if align(old) > align(ty) {
                    ty = old;
                }
            }
            Some(_) => return Err(self.different_kind(name, pos)),
        }
        self.scopes.bind_name(name, Name::Typedef(ty));
        if modified {
            let mut declared = declared;
            declared.ty = ty;
            let decl = self.declaration_of(Entity::Typedef(name), declared);
            self.place_item(out, Item::Decl(decl), pos);
        }
        Ok(())
    }

    /// `_Static_assert ( constant-expression , string ) ;` (C17 6.7.10).
    pub(crate) fn static_assert(&mut self) -> Parse<()> {
        let pos = self.expect(Tok::KwStaticAssert)?;
        self.expect(Tok::LParen)?;
        let (value, message) = self.nested(|p| {
            let (_, value) = p.constant_integer("expression in static assertion is not constant")?;
            let message = if p.eat(Tok::Comma) { Some(p.string_literal()?) } else { None };
            Ok((value, message))
        })?;
        self.expect(Tok::RParen)?;
        self.expect(Tok::Semi)?;
        if value != 0 {
            return Ok(());
        }
        let text = message.map(|message| match message.units {
            StrUnits::Narrow(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            StrUnits::Wide(units) => units.iter().map(|&u| char::from_u32(u).unwrap_or('?')).collect(),
        });
        self.error(
            pos,
            match text {
                Some(text) => format!("static assertion failed: \"{text}\""),
                None => "static assertion failed".to_owned(),
            },
        );
        Ok(())
    }
}
