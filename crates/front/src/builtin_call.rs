//! Builtins: those with a grammar of their own, calls of the others, and functions declared by their use.

use crate::parser::{Parse, Parser};
use crate::scope::Name;
use crate::token::Tok;
use howler_lang::build;
use howler_lang::builtin::{self, BuiltinDef};
use howler_lang::compat;
use howler_lang::fold;
use howler_lang::print;
use howler_lang::program::{Builtin, Entity, ExprId, FuncId, Function, IntForm, Linkage, PathStep};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::target::Edition;
use howler_lang::ty::{Signature, Type, TypeKind};

impl Parser<'_> {
    /// `name`, which is not declared and has been read, if it is a builtin's: the whole call of an operator, or the
    /// function. Unknown names that are reserved for builtins are named as unsupported.
    pub(crate) fn builtin_name(&mut self, name: Symbol, pos: Pos) -> Option<Parse<ExprId>> {
        let spelling = self.cx.program.name(name);
        let reserved =
            ["__builtin_", "__sync_", "__atomic_"].iter().any(|prefix| spelling.starts_with(prefix));
        if !reserved {
            return None;
        }
        if let Some(&Entity::Function(func)) = self.linked.get(&name) {
            self.scopes.bind_name(name, Name::Function(func));
            return Some(Ok(build::function(&mut self.cx, func, pos)));
        }
        let called = self.tok() == Tok::LParen;
        match builtin::lookup(spelling) {
            Some(BuiltinDef::Operator(builtin::CONVERTVECTOR)) if called => Some(self.convert_vector(pos)),
            Some(BuiltinDef::Operator(which)) if called => Some(self.operator_call(which, pos)),
            Some(BuiltinDef::Function(prototype)) if called || prototype.library => {
                let ty = builtin::function_type(self.cx.program, prototype);
                let func = self.use_function(name, ty, pos);
                Some(Ok(build::function(&mut self.cx, func, pos)))
            }
            Some(_) => {
                let message = format!("built-in function '{spelling}' must be directly called");
                Some(Err(self.error(pos, message)))
            }
            None if called => {
                let what = format!("builtin '{spelling}'");
                Some(Err(self.unsupported(pos, what)))
            }
            None => None,
        }
    }

    fn operator_call(&mut self, which: Builtin, pos: Pos) -> Parse<ExprId> {
        self.expect(Tok::LParen)?;
        let mark = self.arguments()?;
        if which == builtin::VA_START && !self.in_variadic() {
            return Err(self.error(pos, "'va_start' used in function with fixed arguments"));
        }
        let built = build::builtin(&mut self.cx, which, &self.exprs[mark..], pos);
        self.exprs.truncate(mark);
        self.built(built)
    }

    fn in_variadic(&self) -> bool {
        let program = &self.cx.program;
        let ty = self.function.as_ref().map(|function| program.funcs[function.func].ty);
        match ty.map(|ty| program.types.kind(ty)) {
            Some(TypeKind::Function(id)) => program.types.signature(id).variadic,
            _ => false,
        }
    }

    /// `__builtin_convertvector ( expression , type )`.
    fn convert_vector(&mut self, pos: Pos) -> Parse<ExprId> {
        self.expect(Tok::LParen)?;
        let (e, ty) = self.nested(|p| {
            let e = p.assignment_expression()?;
            p.expect(Tok::Comma)?;
            Ok((e, p.type_name()?))
        })?;
        self.expect(Tok::RParen)?;
        let built = build::convert_vector(&mut self.cx, e, ty, pos);
        self.built(built)
    }

    /// Declares `name` by its use in a call, as C89 did: `extern int name();` (C89 6.3.2.2), or with the type gcc
    /// knows for a function of the library.
    pub(crate) fn implicit_function(&mut self, name: Symbol, pos: Pos) -> Parse<FuncId> {
        let spelling = self.cx.program.name(name).to_owned();
        // Said once for each name, as gcc does.
        let said = match self.linked.get(&name) {
            Some(&Entity::Function(func)) => self.cx.program.funcs[func].implicit,
            _ => false,
        };
        if self.cx.program.target.std.edition > Edition::C89 && !said {
            self.pedantic(pos, format!("implicit declaration of function '{spelling}'"))?;
        }
        let signature = Signature { ret: Type::INT, params: Box::new([]), variadic: false, prototype: false };
        let mut ty = self.cx.program.types.function(signature);
        match self.linked.get(&name) {
            Some(&Entity::Function(func)) => {
                let known = self.cx.program.funcs[func].ty;
                if !compat::compatible(&self.cx.program.types, known, ty)
                    && !self.cx.program.funcs[func].implicit
                {
                    let message = format!("incompatible implicit declaration of function '{spelling}'");
                    return Err(self.error(pos, message));
                }
                self.scopes.bind_name(name, Name::Function(func));
                return Ok(func);
            }
            Some(_) => {
                let message = format!("'{spelling}' redeclared as different kind of symbol");
                return Err(self.error(pos, message));
            }
            None => {}
        }
        if let Some(known) = builtin::declare(self.cx.program, &spelling)
            && !compat::compatible(&self.cx.program.types, known, ty)
        {
            let message = format!("incompatible implicit declaration of built-in function '{spelling}'");
            self.warning(pos, message);
            ty = known;
        }
        Ok(self.use_function(name, ty, pos))
    }

    /// The function `name` that needs no declaration, made on its first use.
    fn use_function(&mut self, name: Symbol, ty: Type, pos: Pos) -> FuncId {
        if let Some(&Entity::Function(func)) = self.linked.get(&name) {
            return func;
        }
        let func = self.cx.program.funcs.push(Function {
            implicit: true,
            pos,
            ..Function::plain(name, ty, Linkage::External, self.unit)
        });
        self.linked.insert(name, Entity::Function(func));
        self.scopes.bind_name(name, Name::Function(func));
        func
    }

    /// `__builtin_va_arg ( expression , type )`.
    pub(crate) fn va_arg(&mut self, pos: Pos) -> Parse<ExprId> {
        self.bump();
        self.expect(Tok::LParen)?;
        let (list, ty) = self.nested(|p| {
            let list = p.assignment_expression()?;
            p.expect(Tok::Comma)?;
            Ok((list, p.type_name()?))
        })?;
        self.expect(Tok::RParen)?;
        let built = build::va_arg(&mut self.cx, list, ty, pos);
        self.built(built)
    }

    /// `__builtin_types_compatible_p ( type , type )`: an `int` constant; top-level qualifiers do not count.
    pub(crate) fn types_compatible(&mut self, pos: Pos) -> Parse<ExprId> {
        self.bump();
        self.expect(Tok::LParen)?;
        let (a, b) = self.nested(|p| {
            let a = p.type_name()?;
            p.expect(Tok::Comma)?;
            Ok((a, p.type_name()?))
        })?;
        self.expect(Tok::RParen)?;
        let types = &mut self.cx.program.types;
        let (a, b) = (types.unqualified(a), types.unqualified(b));
        let same = compat::compatible(types, a, b);
        Ok(build::int(&mut self.cx, u64::from(same), IntForm::Decimal, Type::INT, pos))
    }

    /// `__builtin_choose_expr ( constant , expression , expression )`: the chosen one takes its place.
    pub(crate) fn choose_expr(&mut self, pos: Pos) -> Parse<ExprId> {
        self.bump();
        self.expect(Tok::LParen)?;
        let mark = self.arguments()?;
        let args = [0, 1, 2].map(|n| self.exprs.get(mark + n).copied());
        let count = self.exprs.len() - mark;
        self.exprs.truncate(mark);
        let ([Some(which), Some(yes), Some(no)], 3) = (args, count) else {
            return Err(self.error(pos, "wrong number of arguments to '__builtin_choose_expr'"));
        };
        let built = build::value(&mut self.cx, which);
        let which = self.built(built)?;
        match fold::integer(self.cx.program, which) {
            Some(value) => Ok(if value != 0 { yes } else { no }),
            None if fold::depends_on_level(self.cx.program, which) => {
                Err(self.unsupported(pos, crate::expr::DIFFERS))
            }
            None => Err(self.error(pos, "first argument to '__builtin_choose_expr' not a constant")),
        }
    }

    /// `__builtin_offsetof ( type , member-designator )` (C17 7.19p3).
    pub(crate) fn offsetof(&mut self, pos: Pos) -> Parse<ExprId> {
        self.bump();
        self.expect(Tok::LParen)?;
        let (ty, steps) = self.nested(|p| {
            let ty = p.type_name()?;
            p.expect(Tok::Comma)?;
            let mut steps = Vec::new();
            let mut at = p.offsetof_member(ty, &mut steps)?;
            loop {
                if p.eat(Tok::Dot) {
                    at = p.offsetof_member(at, &mut steps)?;
                } else if p.eat(Tok::Arrow) {
                    // `a->b` is `a[0].b` for an array.
                    let zero = build::int(&mut p.cx, 0, IntForm::Decimal, Type::INT, pos);
                    at = p.offsetof_element(at, zero, &mut steps)?;
                    at = p.offsetof_member(at, &mut steps)?;
                } else if p.eat(Tok::LBracket) {
                    let index = p.expression()?;
                    p.expect(Tok::RBracket)?;
                    at = p.offsetof_element(at, index, &mut steps)?;
                } else {
                    return Ok((ty, steps));
                }
            }
        })?;
        self.expect(Tok::RParen)?;
        if self.ends_in_bitfield(&steps) {
            return Err(self.error(pos, "attempt to take address of bit-field"));
        }
        let path = self.cx.program.paths.push(steps);
        let built = build::offsetof(&mut self.cx, ty, path, pos);
        self.built(built)
    }

    /// One member name of a designator: the steps to it and its type.
    fn offsetof_member(&mut self, ty: Type, steps: &mut Vec<PathStep>) -> Parse<Type> {
        let pos = self.pos();
        if self.tok() != Tok::Ident {
            return Err(self.expected("identifier"));
        }
        let name = self.bump().symbol();
        let Some(mut record) = self.cx.program.types.as_record(ty) else {
            let name = self.cx.program.name(name);
            let message = format!("request for member '{name}' in something not a structure or union");
            return Err(self.error(pos, message));
        };
        if !self.cx.program.types.records[record].complete {
            let message =
                format!("invalid use of undefined type '{}'", print::type_name(self.cx.program, ty));
            return Err(self.error(pos, message));
        }
        let Some(path) = self.cx.program.layouts.find_field(&self.cx.program.types, record, name) else {
            let (ty, name) = (print::type_name(self.cx.program, ty), self.cx.program.name(name));
            let message = format!("'{ty}' has no member named '{name}'");
            return Err(self.error(pos, message));
        };
        let mut at = ty;
        for field in path {
            steps.push(PathStep::Field(record, field));
            at = self.cx.program.types.records[record].fields[field as usize].ty;
            if let Some(inner) = self.cx.program.types.as_record(at) {
                record = inner;
            }
        }
        Ok(at)
    }

    /// One subscript of a designator and the element's type.
    fn offsetof_element(&mut self, ty: Type, index: ExprId, steps: &mut Vec<PathStep>) -> Parse<Type> {
        let pos = self.cx.program.exprs[index].pos;
        let TypeKind::Array { elem, .. } = self.cx.program.types.kind(ty) else {
            return Err(self.error(pos, "subscripted value is neither array nor pointer"));
        };
        let built = build::value(&mut self.cx, index);
        let index = self.built(built)?;
        if !self.cx.program.types.is_integer(self.cx.program.ty(index)) {
            return Err(self.error(pos, "array subscript is not an integer"));
        }
        steps.push(PathStep::Index(index));
        Ok(elem)
    }

    fn ends_in_bitfield(&self, steps: &[PathStep]) -> bool {
        match steps.last() {
            Some(&PathStep::Field(record, field)) => {
                self.cx.program.types.records[record].fields[field as usize].bits.is_some()
            }
            _ => false,
        }
    }
}
