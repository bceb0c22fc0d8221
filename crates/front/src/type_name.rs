//! What begins a declaration or a type name, type names themselves (C17 6.7.7), and the specifiers that hold
//! other things in parentheses: `typeof`, `_Alignas`, `__builtin_va_list`.

use crate::declarator::{Place, Want};
use crate::parser::{Parse, Parser};
use crate::scope::Name;
use crate::token::Tok;
use howler_lang::id::Id;
use howler_lang::program::{ExprId, ExprKind, Item, Storage, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::target::{Compiler, Edition};
use howler_lang::ty::{Quals, Type, TypeKind};
use howler_lang::{build, builtin};

impl Parser<'_> {
    /// Whether the current token begins a declaration.
    #[inline]
    pub(crate) fn starts_declaration(&self) -> bool {
        match self.tok() {
            Tok::Ident => self.peek(1) != Tok::Colon && (self.is_type_at(0) || self.is_unknown_type()),
            Tok::KwStaticAssert => true,
            Tok::KwExtension => {
                let mut ahead = 1;
                while self.peek(ahead) == Tok::KwExtension {
                    ahead += 1;
                }
                self.peek(ahead).is_declaration_specifier()
                    || self.peek(ahead) == Tok::KwStaticAssert
                    || self.is_type_at(ahead)
            }
            Tok::KwAttribute => !self.is_statement_attribute(),
            tok => tok.is_declaration_specifier(),
        }
    }

    /// Whether the attributes here are followed by `;` or a statement rather than a declaration.
    pub(crate) fn is_statement_attribute(&self) -> bool {
        let ahead = self.past_attributes(0);
        match self.peek(ahead) {
            Tok::Ident => !self.is_type_at(ahead) && self.peek(ahead + 1) != Tok::Ident,
            Tok::KwExtension => false,
            tok => !tok.is_declaration_specifier(),
        }
    }

    /// How far ahead the first token after the attributes at `ahead` is.
    pub(crate) fn past_attributes(&self, mut ahead: usize) -> usize {
        while self.peek(ahead) == Tok::KwAttribute {
            ahead += 1;
            let mut depth = 0u32;
            loop {
                match self.peek(ahead) {
                    Tok::LParen => depth += 1,
                    Tok::RParen => depth = depth.saturating_sub(1),
                    Tok::Eof => return ahead,
                    _ => {}
                }
                ahead += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        ahead
    }

    /// Whether the current token begins a type name.
    #[inline]
    pub(crate) fn starts_type_name(&self) -> bool {
        self.starts_type_name_at(0)
    }

    /// Whether the token `ahead` places on begins a type name.
    #[inline]
    pub(crate) fn starts_type_name_at(&self, ahead: usize) -> bool {
        match self.peek(ahead) {
            Tok::Ident => self.is_type_at(ahead),
            Tok::KwExtension => {
                let mut ahead = ahead + 1;
                while self.peek(ahead) == Tok::KwExtension {
                    ahead += 1;
                }
                self.peek(ahead).starts_type_name() || self.is_type_at(ahead)
            }
            tok => tok.starts_type_name(),
        }
    }

    /// Whether the token `ahead` places on is a typedef name.
    #[inline]
    pub(crate) fn is_type_at(&self, ahead: usize) -> bool {
        match self.lexed.tokens.get(self.at + ahead) {
            Some(token) if token.kind == Tok::Ident => {
                matches!(self.scopes.name(token.symbol()), Some(Name::Typedef(_)))
            }
            _ => false,
        }
    }

    /// Whether the current identifier can only be meant as a type: it is not declared and another name follows.
    pub(crate) fn is_unknown_type(&self) -> bool {
        let follows = match self.peek(1) {
            Tok::Ident => true,
            tok => tok.is_type_specifier() || tok.is_qualifier(),
        };
        follows && matches!(self.scopes.name(self.token().symbol()), None | Some(Name::Poisoned))
    }

    /// `typeof ( expression-or-type )`.
    pub(crate) fn typeof_specifier(&mut self) -> Parse<Type> {
        let pos = self.pos();
        self.bump();
        self.expect(Tok::LParen)?;
        let ty = self.nested(|p| {
            if p.starts_type_name() {
                return p.type_name();
            }
            let known = p.cx.program.types.records.len();
            let expr = p.expression()?;
            if build::is_bitfield(p.cx.program, expr) {
                return Err(p.error(pos, "'typeof' applied to a bit-field"));
            }
            let ty = p.cx.program.ty(expr);
            p.check_declarable(ty, pos)?;
            // The operand is evaluated then, of which only what it does to bounds is kept.
            if p.is_variably_modified(ty) && !p.is_plain(expr) {
                return Err(p.unsupported(pos, "typeof of a variably modified expression with effects"));
            }
            if p.is_of_dropped_block(ty, known) {
                return Err(p.unsupported(pos, "typeof of a type that its operand declares in a block"));
            }
            // To gcc these have the qualifiers of their operand.
            if let ExprKind::Unary(
                UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                of,
            ) = p.cx.program.exprs[expr].kind
                && p.cx.program.target.compiler == Compiler::Gcc
            {
                let quals = p.cx.program.types.strip(p.cx.program.ty(of)).quals();
                if !quals.contains(Quals::ATOMIC) {
                    return Ok(p.cx.program.types.qualified(ty, quals));
                }
            }
            // A member of a struct that is no lvalue keeps the qualifiers it was declared with.
            let program = &p.cx.program;
            if let ExprKind::Member { base, field } = program.exprs[expr].kind
                && !build::is_lvalue(program, expr)
                && let Some(record) = program.types.as_record(program.ty(base))
            {
                return Ok(program.types.records[record].fields[field as usize].ty);
            }
            Ok(ty)
        })?;
        self.expect(Tok::RParen)?;
        Ok(ty)
    }

    /// Whether `ty` is made of a record that is newer than the first `known` and is declared nowhere outside of a
    /// statement expression: that is dropped with the operand it is in.
    fn is_of_dropped_block(&self, mut ty: Type, known: usize) -> bool {
        let types = &self.cx.program.types;
        loop {
            ty = match types.kind(ty) {
                TypeKind::Pointer(to) => to,
                TypeKind::Array { elem, .. } => elem,
                TypeKind::Record(id) => {
                    let declares =
                        |item: &Item| matches!(*item, Item::Record(is) | Item::RecordTag(is) if is == id);
                    return id.index() >= known && !self.pending.iter().any(declares);
                }
                _ => return false,
            };
        }
    }

    /// Refuses gcc's own types for bit-fields: they cannot be written.
    pub(crate) fn check_declarable(&mut self, ty: Type, pos: Pos) -> Parse<()> {
        match self.cx.program.types.kind(ty) {
            TypeKind::Bits { .. } => Err(self.unsupported(pos, "declaration with the type of a bit-field")),
            _ => Ok(()),
        }
    }

    /// Whether evaluating an expression changes nothing, by its looks.
    fn is_plain(&self, expr: ExprId) -> bool {
        let program = &self.cx.program;
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            match program.exprs[expr].kind {
                ExprKind::Int { .. } | ExprKind::Object(_) | ExprKind::EnumConst(_) => {}
                ExprKind::Member { base, .. } => todo.push(base),
                ExprKind::Index { base, index } => todo.extend([base, index]),
                ExprKind::Unary(
                    UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                    _,
                ) => return false,
                ExprKind::Unary(_, of) | ExprKind::Cast(_, of) | ExprKind::Convert(_, of) => todo.push(of),
                ExprKind::Binary(_, a, b) => todo.extend([a, b]),
                ExprKind::Cond(c, a, b) => todo.extend([c, a, b]),
                _ => return false,
            }
        }
        true
    }

    /// `_Alignas ( type-or-constant )`: 0 if it asks for nothing (C17 6.7.5p6).
    pub(crate) fn alignas(&mut self) -> Parse<u32> {
        let pos = self.pos();
        self.bump();
        self.expect(Tok::LParen)?;
        let align = self.nested(|p| {
            if p.starts_type_name() {
                let ty = p.type_name()?;
                let program = &p.cx.program;
                return match program.layouts.align_of(&program.types, ty) {
                    Some(align) => Ok(align as u32),
                    None => Err(p.error(pos, "invalid application of '_Alignof' to incomplete type")),
                };
            }
            let (_, value) = p.constant_integer("requested alignment")?;
            if value == 0 { Ok(0) } else { p.alignment(value, pos) }
        })?;
        self.expect(Tok::RParen)?;
        Ok(align)
    }

    /// `__builtin_va_list`: on x86-64 an array of one struct that exists once per program, on i386 `char *`.
    pub(crate) fn va_list_type(&mut self) -> Type {
        if let Some(ty) = self.decl.va_list {
            return ty;
        }
        let program = &mut *self.cx.program;
        // No type of the unit may take the struct's tag.
        self.tags.insert(program.symbols.intern("__va_list_tag"));
        let ty = builtin::va_list(program);
        self.decl.va_list = Some(ty);
        ty
    }

    /// A type name (C17 6.7.7).
    pub(crate) fn type_name(&mut self) -> Parse<Type> {
        let specs = self.specifiers()?;
        if !specs.any {
            return Err(self.expected("a type name"));
        }
        if specs.storage != Storage::None || specs.typedef || specs.thread || specs.inline || specs.noreturn {
            return Err(self.expected("specifier-qualifier-list"));
        }
        if specs.auto_type {
            return Err(self.error(specs.pos, "'__auto_type' in a type name"));
        }
        if specs.align > 0 {
            return Err(self.error(specs.pos, "alignment specified for type name"));
        }
        if !specs.typed {
            self.implicit_int(specs.pos, "type name")?;
        }
        self.name_unnamed(specs.unnamed, None);
        let base = self.apply_type_attributes(specs.ty, &specs.attrs)?;
        let declarator = self.declarator(base, Want::Abstract, Place::TypeName)?;
        let ty = self.apply_type_attributes(declarator.ty, &declarator.attrs)?;
        self.refuse_promises(&specs.attrs, specs.pos)?;
        self.refuse_promises(&declarator.attrs, specs.pos)?;
        Ok(self.apply_variant(ty, &specs.attrs))
    }

    /// Reports a type left out: a warning since C99 took implicit int away, as in gcc.
    pub(crate) fn implicit_int(&mut self, pos: Pos, what: &str) -> Parse<()> {
        if self.cx.program.target.std.edition == Edition::C89 {
            return Ok(());
        }
        self.pedantic(pos, format!("type defaults to 'int' in {what}"))
    }

    /// Reports what only `-pedantic-errors` refuses and gcc does not even warn about by default.
    pub(crate) fn pedantic_only(&mut self, pos: Pos, message: &str) -> Parse<()> {
        if self.options.pedantic_errors {
            return Err(self.error(pos, message));
        }
        Ok(())
    }
}
