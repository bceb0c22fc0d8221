//! Primary expressions: names, constants, strings, parentheses, `_Generic` (C17 6.5.1), and what begins like a name
//! but has a grammar of its own. Calls of builtins are in `builtin_call`.

use crate::literal;
use crate::parser::{Failed, Parse, Parser};
use crate::scope::Name;
use crate::token::{Tok, Token};
use howler_lang::arith;
use howler_lang::build;
use howler_lang::compat;
use howler_lang::print;
use howler_lang::program::{ExprId, FloatLit, FuncName, IntForm, StmtId, StrLit, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::target::Compiler;
use howler_lang::ty::{Type, TypeKind};

/// A `_Generic` may have this many types.
const MAX_ASSOCIATIONS: usize = 1_000;

impl Parser<'_> {
    /// A primary expression.
    pub(crate) fn primary(&mut self) -> Parse<ExprId> {
        let pos = self.pos();
        match self.tok() {
            Tok::Ident => self.identifier(pos),
            Tok::Int => {
                let token = self.bump();
                self.integer(token, pos)
            }
            Tok::LParen => {
                self.bump();
                if self.tok() == Tok::LBrace {
                    return self.statement_expression(pos);
                }
                // `(-1)`, the way negative constants are written most often.
                if self.tok() == Tok::Minus && self.peek(1) == Tok::Int && self.peek(2) == Tok::RParen {
                    let at = self.pos();
                    self.bump();
                    let token = self.bump();
                    let operand = self.integer(token, self.pos_of(token))?;
                    self.bump();
                    let built = build::unary(&mut self.cx, UnaryOp::Neg, operand, at);
                    return self.built(built);
                }
                let e = self.nested(Self::expression)?;
                self.expect(Tok::RParen)?;
                Ok(e)
            }
            Tok::Str => {
                let lit = self.string_literal()?;
                Ok(build::string(&mut self.cx, lit, pos))
            }
            Tok::Char => self.character(pos),
            Tok::Float => self.floating(pos),
            Tok::KwFunc => self.function_name(FuncName::Func, pos),
            Tok::KwFunction => self.function_name(FuncName::Function, pos),
            Tok::KwPrettyFunction => self.function_name(FuncName::Pretty, pos),
            Tok::KwGeneric => self.generic(pos),
            Tok::KwVaArg => self.va_arg(pos),
            Tok::KwOffsetof => self.offsetof(pos),
            Tok::KwTypesCompatible => self.types_compatible(pos),
            Tok::KwChooseExpr => self.choose_expr(pos),
            _ => Err(self.expected("expression")),
        }
    }

    fn identifier(&mut self, pos: Pos) -> Parse<ExprId> {
        let name = self.bump().symbol();
        match self.scopes.name(name) {
            Some(Name::Object(obj)) => Ok(build::object(&mut self.cx, obj, pos)),
            Some(Name::Function(func)) => Ok(build::function(&mut self.cx, func, pos)),
            Some(Name::Enumerator(id)) => Ok(build::enumerator(&mut self.cx, id, pos)),
            // Reported where its declaration is.
            Some(Name::Poisoned) => Err(Failed),
            Some(Name::Typedef(_)) => {
                let found = self.cx.program.name(name);
                let message = format!("expected expression before '{found}'");
                Err(self.error(pos, message))
            }
            None => self.undeclared(name, pos),
        }
    }

    /// A name no declaration is in scope for: a builtin, an implicitly declared function, or a mistake.
    fn undeclared(&mut self, name: Symbol, pos: Pos) -> Parse<ExprId> {
        if let Some(built) = self.builtin_name(name, pos) {
            return built;
        }
        if self.tok() == Tok::LParen {
            let func = self.implicit_function(name, pos)?;
            return Ok(build::function(&mut self.cx, func, pos));
        }
        let hint = self.did_you_mean(name, |what| {
            matches!(what, Name::Object(_) | Name::Function(_) | Name::Enumerator(_))
        });
        let spelling = self.cx.program.name(name);
        let message = match self.function {
            Some(_) => format!("'{spelling}' undeclared (first use in this function){hint}"),
            None => format!("'{spelling}' undeclared here (not in a function){hint}"),
        };
        let failed = self.error(pos, message);
        // Reported once: later uses are silent until the function ends.
        if self.function.is_some() {
            self.scopes.bind_name(name, Name::Poisoned);
        }
        Err(failed)
    }

    #[inline]
    pub(crate) fn integer(&mut self, token: Token, pos: Pos) -> Parse<ExprId> {
        if let Some(short) = token.short
            && (token.data < 1 << 31 || short.unsigned() || self.wide_long && short.longs() != 0)
        {
            // It fits in the smallest type that its suffix allows (C17 6.4.4.1p5).
            let ty = match (short.longs(), short.unsigned()) {
                (0, false) => Type::INT,
                (0, true) => Type::UINT,
                (1, false) => Type::LONG,
                (1, true) => Type::ULONG,
                (_, false) => Type::LLONG,
                (_, true) => Type::ULLONG,
            };
            let form = if short.hex() { IntForm::Hex } else { IntForm::Decimal };
            return Ok(build::int(&mut self.cx, u64::from(token.data), form, ty, pos));
        }
        self.long_integer(token, pos)
    }

    /// An integer constant that is large, or not written plainly.
    fn long_integer(&mut self, token: Token, pos: Pos) -> Parse<ExprId> {
        let (literal, ty) = match literal::int(token.literal(&self.text)) {
            Ok(literal) => {
                let ty = literal::int_type(&literal, &self.cx.program.target);
                (literal, ty)
            }
            Err(wrong) => return Err(self.bad_literal(&wrong, pos)),
        };
        if let Some(warning) = literal::int_warning(&literal) {
            if literal.overflow {
                self.tolerated(pos, warning);
            } else {
                self.warning(pos, warning);
            }
        }
        if literal.form == IntForm::Hex
            && matches!(token.literal(&self.text).as_bytes(), [_, b'b' | b'B', ..])
        {
            self.extension(pos, "binary constants are a C2X feature or GCC extension");
        }
        if literal.imaginary {
            self.extension(pos, "imaginary constants are a GCC extension");
        }
        let Some(ty) = ty else {
            return Err(self.error(pos, "integer literal is too large to be represented in any integer type"));
        };
        let constant = build::int(&mut self.cx, literal.value, literal.form, ty, pos);
        Ok(if literal.imaginary { build::imaginary(&mut self.cx, constant, pos) } else { constant })
    }

    #[cold]
    fn bad_literal(&mut self, wrong: &literal::LiteralError, pos: Pos) -> Failed {
        if wrong.is_unsupported() {
            return self.unsupported(pos, wrong.to_string());
        }
        // The lexer has said so already.
        let unterminated = matches!(wrong, literal::LiteralError::Unterminated);
        if unterminated && self.diagnostics.iter().any(|known| known.pos == pos) {
            return Failed;
        }
        self.error(pos, wrong.to_string())
    }

    fn character(&mut self, pos: Pos) -> Parse<ExprId> {
        let token = self.bump();
        if matches!(token.literal(&self.text), "'\\e'" | "'\\E'") {
            self.extension(pos, "non-ISO-standard escape sequence, '\\e'");
        }
        match literal::char_constant(token.literal(&self.text), &self.cx.program.target) {
            Ok(literal) => {
                // The bits of its type, which has 32 or fewer: a value below zero is its two's complement.
                let value = u64::from(literal.value as u32);
                Ok(build::int(&mut self.cx, value, IntForm::Char, literal.ty, pos))
            }
            Err(wrong) => Err(self.bad_literal(&wrong, pos)),
        }
    }

    fn floating(&mut self, pos: Pos) -> Parse<ExprId> {
        let token = self.bump();
        let text = self.text.clone();
        let spelling = token.literal(&text);
        let literal = match literal::float(spelling) {
            Ok(literal) => literal,
            Err(wrong) => return Err(self.bad_literal(&wrong, pos)),
        };
        let Some(ty) = literal.suffix.ty() else {
            return Err(self.unsupported(pos, "decimal floating constant"));
        };
        let TypeKind::Float(kind) = self.cx.program.types.kind(ty) else {
            return Err(self.unsupported(pos, "floating constant of this type"));
        };
        let Some(bits) = arith::parse_float(&literal.number, arith::float_format(kind)) else {
            return Err(self.error(pos, format!("invalid floating constant '{spelling}'")));
        };
        if literal.imaginary {
            self.extension(pos, "imaginary constants are a GCC extension");
        }
        let spelling = Some(self.cx.program.symbols.intern(spelling));
        let constant = build::float(&mut self.cx, FloatLit { bits, spelling }, ty, pos);
        Ok(if literal.imaginary { build::imaginary(&mut self.cx, constant, pos) } else { constant })
    }

    /// One or more adjacent string literals (C17 5.1.1.2, phase 6).
    pub(crate) fn string_literal(&mut self) -> Parse<StrLit> {
        let pos = self.pos();
        if self.tok() != Tok::Str {
            return Err(self.expected("string literal"));
        }
        let first = self.bump();
        let target = &self.cx.program.target;
        let decoded = if self.tok() != Tok::Str {
            literal::string(&[first.literal(&self.text)], target)
        } else {
            let rest = self.lexed.tokens[self.at..].iter().take_while(|token| token.kind == Tok::Str);
            let mut parts = vec![first.literal(&self.text)];
            parts.extend(rest.map(|token| token.literal(&self.text)));
            self.at += parts.len() - 1;
            literal::string(&parts, target)
        };
        decoded.map_err(|wrong| self.bad_literal(&wrong, pos))
    }

    /// `__func__` (C17 6.4.2.2) and its GNU spellings.
    fn function_name(&mut self, which: FuncName, pos: Pos) -> Parse<ExprId> {
        let token = self.bump();
        // The library's assert has it too, for a message that is no output.
        if which == FuncName::Pretty
            && self.function.is_some()
            && self.cx.program.target.compiler == Compiler::Clang
            && !self.cx.program.sources.is_system(pos)
        {
            let message = "__PRETTY_FUNCTION__, in which clang writes the whole declaration";
            return Err(self.unsupported(pos, message));
        }
        let length = match &self.function {
            Some(function) => {
                let name = self.cx.program.funcs[function.func].name;
                self.cx.program.name(name).len()
            }
            None => {
                let name = self.cx.program.name(token.symbol());
                let message = format!("'{name}' is not defined outside of function scope");
                self.warning(pos, message);
                if which == FuncName::Pretty { "top level".len() } else { 0 }
            }
        };
        Ok(build::func_name(&mut self.cx, which, length as u64, pos))
    }

    /// `({ … })`; the current token is the brace.
    fn statement_expression(&mut self, pos: Pos) -> Parse<ExprId> {
        if self.function.is_none() {
            let message = "braced-group within expression allowed only inside a function";
            return Err(self.error(pos, message));
        }
        self.extension(pos, "ISO C forbids braced-groups within expressions");
        let body: StmtId = self.nested(Self::statement_expression_body)?;
        self.expect(Tok::RParen)?;
        Ok(build::stmt_expr(&mut self.cx, body, pos))
    }

    /// `_Generic ( expression , associations )` (C17 6.5.1.1). The chosen expression takes its place.
    fn generic(&mut self, pos: Pos) -> Parse<ExprId> {
        self.bump();
        self.expect(Tok::LParen)?;
        let chosen = self.nested(|p| {
            let control = p.assignment_expression()?;
            // 6.5.1.1p3: the type after lvalue conversion; nothing is evaluated.
            let built = build::value(&mut p.cx, control);
            let control = p.built(built)?;
            let control = p.cx.program.ty(control);
            p.associations(control, pos)
        })?;
        self.expect(Tok::RParen)?;
        Ok(chosen)
    }

    fn associations(&mut self, control: Type, pos: Pos) -> Parse<ExprId> {
        let mut chosen = None;
        let mut fallback = None;
        let mut seen: Vec<Type> = Vec::new();
        while self.eat(Tok::Comma) {
            let at = self.pos();
            if self.eat(Tok::KwDefault) {
                self.expect(Tok::Colon)?;
                let e = self.assignment_expression()?;
                if fallback.replace(e).is_some() {
                    return Err(self.error(at, "duplicate 'default' case in '_Generic'"));
                }
                continue;
            }
            let ty = self.type_name()?;
            let types = &self.cx.program.types;
            if types.is_function(ty) {
                return Err(self.error(at, "'_Generic' association has function type"));
            }
            if !types.is_complete(ty) {
                return Err(self.error(at, "'_Generic' association has incomplete type"));
            }
            if types.is_variably_modified(ty) {
                return Err(self.error(at, "'_Generic' association has variable length type"));
            }
            // Each is compared with all others.
            if seen.len() >= MAX_ASSOCIATIONS {
                let message = format!("'_Generic' with more than {MAX_ASSOCIATIONS} types");
                return Err(self.unsupported(at, message));
            }
            if seen.iter().any(|&other| compat::compatible(types, other, ty)) {
                return Err(self.error(at, "'_Generic' specifies two compatible types"));
            }
            let matches = compat::compatible(types, control, ty);
            seen.push(ty);
            self.expect(Tok::Colon)?;
            let e = self.assignment_expression()?;
            if matches && chosen.is_none() {
                chosen = Some(e);
            }
        }
        match chosen.or(fallback) {
            Some(e) => Ok(e),
            None if seen.is_empty() => Err(self.expected("','")),
            None => {
                let name = print::type_name(self.cx.program, control);
                let message =
                    format!("'_Generic' selector of type '{name}' is not compatible with any association");
                Err(self.error(pos, message))
            }
        }
    }
}
