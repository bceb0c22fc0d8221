//! Expressions above primaries: from the comma operator down to the postfix operators (C17 6.5.2 to 6.5.17).
//!
//! Every operator is handed to `lang::build` as soon as its operands are read; nothing is decided here about types.

use crate::parser::{Parse, Parser};
use crate::token::Tok;
use howler_lang::build::{self, Policy};
use howler_lang::fold;
use howler_lang::program::{BinaryOp, ExprId, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::ty::{Type, TypeKind};

/// What `sizeof` or `_Alignof` is applied to.
enum Operand {
    Type(Type),
    Expr(ExprId),
}

impl Parser<'_> {
    /// An expression, comma operators included.
    pub(crate) fn expression(&mut self) -> Parse<ExprId> {
        let mut left = self.assignment_expression()?;
        while self.tok() == Tok::Comma {
            let pos = self.pos();
            self.bump();
            let right = self.assignment_expression()?;
            let built = build::comma(&mut self.cx, left, right, pos);
            left = self.built(built)?;
        }
        Ok(left)
    }

    /// An expression without comma operators.
    pub(crate) fn assignment_expression(&mut self) -> Parse<ExprId> {
        // Most are one name or constant: what follows it says that no operator does.
        if matches!(self.tok(), Tok::Int | Tok::Ident)
            && matches!(self.peek(1), Tok::Comma | Tok::RParen | Tok::RBrace | Tok::RBracket | Tok::Semi)
        {
            return self.primary();
        }
        let first = self.cast_expression()?;
        if matches!(self.tok(), Tok::Comma | Tok::RParen | Tok::RBrace | Tok::RBracket | Tok::Semi) {
            return Ok(first);
        }
        let left = self.conditional_after(first)?;
        let tok = self.tok();
        if !tok.is_assignment() {
            return Ok(left);
        }
        // C17 6.5.16 wants a unary expression on the left; like gcc, anything is read and must be an lvalue.
        let pos = self.pos();
        self.bump();
        let right = self.chained(Self::assignment_expression)?;
        if tok == Tok::PlusAssign && self.cx.policy == Policy::Lenient {
            self.check_pointer_added(left, right, pos)?;
        }
        let built = match assignment_operator(tok) {
            Some(op) => build::compound_assign(&mut self.cx, op, left, right, pos),
            None => build::assign(&mut self.cx, left, right, pos),
        };
        self.built(built)
    }

    /// A conditional expression (C17 6.5.15), or what binds tighter.
    pub(crate) fn conditional_expression(&mut self) -> Parse<ExprId> {
        let first = self.cast_expression()?;
        self.conditional_after(first)
    }

    /// The operators of a conditional expression that follow its first operand.
    fn conditional_after(&mut self, first: ExprId) -> Parse<ExprId> {
        let cond = self.binary_expression(first, 1)?;
        if self.tok() != Tok::Question {
            return Ok(cond);
        }
        let pos = self.pos();
        self.bump();
        if self.eat(Tok::Colon) {
            self.extension(pos, "ISO C forbids omitting the middle term of a '?:' expression");
            let other = self.chained(Self::conditional_expression)?;
            let built = build::elvis(&mut self.cx, cond, other, pos);
            return self.built(built);
        }
        let then = self.chained(Self::expression)?;
        self.expect(Tok::Colon)?;
        let other = self.chained(Self::conditional_expression)?;
        let built = build::cond(&mut self.cx, cond, then, other, pos);
        self.built(built)
    }

    /// The operators of precedence `min` and above that follow `left`. Recursion is as deep as there are levels of
    /// precedence; a long chain of one level is this loop.
    fn binary_expression(&mut self, mut left: ExprId, min: u8) -> Parse<ExprId> {
        loop {
            let Some((op, level)) = binary_operator(self.tok()) else { return Ok(left) };
            if level < min {
                return Ok(left);
            }
            let pos = self.pos();
            self.bump();
            let mut right = self.cast_expression()?;
            if binary_operator(self.tok()).is_some_and(|(_, next)| next > level) {
                right = self.binary_expression(right, level + 1)?;
            }
            let built = build::binary(&mut self.cx, op, left, right, pos);
            left = self.built(built)?;
        }
    }

    /// A cast, a unary or a postfix expression (C17 6.5.4, 6.5.3).
    fn cast_expression(&mut self) -> Parse<ExprId> {
        let pos = self.pos();
        let op = match self.tok() {
            Tok::Ident | Tok::Int => {
                let primary = self.primary()?;
                return self.postfix(primary);
            }
            Tok::LParen if self.starts_type_name_at(1) => return self.cast(pos),
            Tok::PlusPlus => UnaryOp::PreInc,
            Tok::MinusMinus => UnaryOp::PreDec,
            Tok::Amp => UnaryOp::AddrOf,
            Tok::Star => UnaryOp::Deref,
            Tok::Plus => UnaryOp::Plus,
            Tok::Minus => UnaryOp::Neg,
            Tok::Tilde => UnaryOp::BitNot,
            Tok::Bang => UnaryOp::Not,
            Tok::KwReal => UnaryOp::Real,
            Tok::KwImag => UnaryOp::Imag,
            Tok::AmpAmp => return self.label_address(pos),
            Tok::KwSizeof => return self.sizeof(pos),
            Tok::KwAlignof | Tok::KwGnuAlignof => return self.alignof(pos),
            Tok::KwExtension => {
                self.bump();
                self.quiet += 1;
                let result = self.chained(Self::cast_expression);
                self.quiet -= 1;
                return result;
            }
            _ => {
                let primary = self.primary()?;
                return self.postfix(primary);
            }
        };
        self.bump();
        let operand = match self.tok() {
            // No deeper than here.
            Tok::Ident | Tok::Int => {
                let primary = self.primary()?;
                self.postfix(primary)?
            }
            _ => self.chained(Self::cast_expression)?,
        };
        let built = build::unary(&mut self.cx, op, operand, pos);
        self.built(built)
    }

    /// `( type-name )` and what it is applied to; with a brace it is a compound literal.
    fn cast(&mut self, pos: Pos) -> Parse<ExprId> {
        let ty = self.parenthesised_type()?;
        if self.tok() == Tok::LBrace {
            let literal = self.finish_compound_literal(ty, pos)?;
            return self.postfix(literal);
        }
        let operand = self.chained(Self::cast_expression)?;
        if self.options.pedantic_errors {
            self.check_cast(ty, operand, pos);
        }
        let built = build::cast(&mut self.cx, ty, operand, pos);
        self.built(built)
    }

    /// Casts that are extensions (C17 6.5.4p2, 6.3.2.3).
    #[cold]
    fn check_cast(&mut self, to: Type, operand: ExprId, pos: Pos) {
        let program = &self.cx.program;
        let types = &program.types;
        // The pointee of a pointer, or of what becomes one, is a function.
        let function = |ty: Type| match types.kind(ty) {
            TypeKind::Function(_) => Some(true),
            TypeKind::Array { .. } => Some(false),
            TypeKind::Pointer(to) => Some(types.is_function(to)),
            _ => None,
        };
        let null = fold::is_null_pointer_constant(program, operand);
        let message = match (function(program.ty(operand)), function(to)) {
            (Some(true), Some(false)) if !null => {
                "ISO C forbids conversion of function pointer to object pointer type"
            }
            (Some(false), Some(true)) if !null => {
                "ISO C forbids conversion of object pointer to function pointer type"
            }
            _ if matches!(types.kind(to), TypeKind::Record(_)) && !types.is_void(program.ty(operand)) => {
                "ISO C forbids casts to union type"
            }
            _ => return,
        };
        self.extension(pos, message);
    }

    /// `i += p` adds a pointer to an integer and stores the sum in the integer, which gcc lets pass: the model has no
    /// operation for it.
    fn check_pointer_added(&mut self, left: ExprId, right: ExprId, pos: Pos) -> Parse<()> {
        let program = &self.cx.program;
        let types = &program.types;
        let pointer = matches!(
            types.kind(program.ty(right)),
            TypeKind::Pointer(_) | TypeKind::Array { .. } | TypeKind::Function(_)
        );
        if pointer && types.is_integer(program.ty(left)) && build::is_lvalue(program, left) {
            return Err(self.unsupported(pos, "a pointer added to an integer by '+='"));
        }
        Ok(())
    }

    fn finish_compound_literal(&mut self, ty: Type, pos: Pos) -> Parse<ExprId> {
        let obj = self.nested(|p| p.compound_literal(ty, pos))?;
        Ok(build::compound_literal(&mut self.cx, obj, pos))
    }

    /// `( type-name )`.
    fn parenthesised_type(&mut self) -> Parse<Type> {
        self.expect(Tok::LParen)?;
        let ty = self.nested(Self::type_name)?;
        self.expect(Tok::RParen)?;
        Ok(ty)
    }

    /// What follows `sizeof` or `_Alignof`: a type in parentheses, or a unary expression (C17 6.5.3.4).
    fn size_operand(&mut self) -> Parse<Operand> {
        let pos = self.pos();
        if self.tok() != Tok::LParen || !self.starts_type_name_at(1) {
            return self.chained(Self::cast_expression).map(Operand::Expr);
        }
        let ty = self.parenthesised_type()?;
        if self.tok() != Tok::LBrace {
            return Ok(Operand::Type(ty));
        }
        let literal = self.finish_compound_literal(ty, pos)?;
        self.postfix(literal).map(Operand::Expr)
    }

    fn sizeof(&mut self, pos: Pos) -> Parse<ExprId> {
        self.bump();
        let built = match self.size_operand()? {
            Operand::Type(of) => build::sizeof_type(&mut self.cx, of, pos),
            Operand::Expr(e) => build::sizeof_expr(&mut self.cx, e, pos),
        };
        self.built(built)
    }

    fn alignof(&mut self, pos: Pos) -> Parse<ExprId> {
        let preferred = self.bump().kind == Tok::KwGnuAlignof;
        let built = match self.size_operand()? {
            Operand::Type(of) => build::alignof_type(&mut self.cx, of, preferred, pos),
            Operand::Expr(e) => {
                if !preferred {
                    self.extension(pos, "ISO C does not allow '_Alignof (expression)'");
                }
                build::alignof_expr(&mut self.cx, e, preferred, pos)
            }
        };
        self.built(built)
    }

    /// `&&label` (GNU C).
    fn label_address(&mut self, pos: Pos) -> Parse<ExprId> {
        self.bump();
        let name = self.bump();
        if name.kind != Tok::Ident {
            self.at -= usize::from(name.kind != Tok::Eof);
            return Err(self.expected("identifier"));
        }
        if self.function.is_none() {
            let name = self.cx.program.name(name.symbol());
            let message = format!("label '{name}' referenced outside of any function");
            return Err(self.error(pos, message));
        }
        self.extension(pos, "taking the address of a label is non-standard");
        let label = self.label_used(name.symbol(), pos);
        Ok(build::label_addr(&mut self.cx, label, pos))
    }

    /// The postfix operators that follow `base` (C17 6.5.2).
    pub(crate) fn postfix(&mut self, mut base: ExprId) -> Parse<ExprId> {
        loop {
            let pos = self.pos();
            let built = match self.tok() {
                Tok::LBracket => {
                    self.bump();
                    let index = self.nested(Self::expression)?;
                    self.expect(Tok::RBracket)?;
                    build::index(&mut self.cx, base, index, pos)
                }
                Tok::LParen => {
                    self.bump();
                    let mark = self.arguments()?;
                    let built = build::call(&mut self.cx, base, &self.exprs[mark..], pos);
                    self.exprs.truncate(mark);
                    built
                }
                tok @ (Tok::Dot | Tok::Arrow) => {
                    self.bump();
                    if self.tok() != Tok::Ident {
                        return Err(self.expected("identifier"));
                    }
                    let name = self.bump().symbol();
                    build::member(&mut self.cx, base, name, tok == Tok::Arrow, pos)
                }
                Tok::PlusPlus => {
                    self.bump();
                    build::unary(&mut self.cx, UnaryOp::PostInc, base, pos)
                }
                Tok::MinusMinus => {
                    self.bump();
                    build::unary(&mut self.cx, UnaryOp::PostDec, base, pos)
                }
                _ => return Ok(base),
            };
            base = self.built(built)?;
        }
    }

    /// Reads arguments up to and including `)`. They are in `self.exprs` from the returned mark on; the caller
    /// removes them.
    pub(crate) fn arguments(&mut self) -> Parse<usize> {
        let mark = self.exprs.len();
        if self.eat(Tok::RParen) {
            return Ok(mark);
        }
        loop {
            let argument = self.nested(Self::assignment_expression)?;
            self.exprs.push(argument);
            if self.eat(Tok::Comma) {
                continue;
            }
            self.expect(Tok::RParen)?;
            return Ok(mark);
        }
    }

    /// A conditional expression that must be an integer constant expression; `otherwise` is the message if it is
    /// none. What gcc folds although C17 6.6p6 does not list it is let pass.
    pub(crate) fn constant_integer(&mut self, otherwise: &str) -> Parse<(ExprId, i128)> {
        let pos = self.pos();
        let e = self.conditional_expression()?;
        let built = build::value(&mut self.cx, e);
        let e = self.built(built)?;
        if self.cx.policy == Policy::Strict
            && let Err(violation) = build::integer_constant(&mut self.cx, e, pos)
            && fold::integer(self.cx.program, e).is_some()
        {
            return Err(self.error(pos, violation.message));
        }
        match fold::integer(self.cx.program, e) {
            Some(value) => Ok((e, value)),
            // Compilers disagree about shifts by too much, and about `__builtin_constant_p`.
            None if fold::is_unknown_integer(self.cx.program, e)
                || fold::depends_on_level(self.cx.program, e) =>
            {
                Err(self.unsupported(pos, DIFFERS))
            }
            None => Err(self.error(pos, otherwise)),
        }
    }
}

/// What is said of a constant about which compilers disagree.
pub(crate) const DIFFERS: &str = "this integer constant: compilers give it different values";

/// A binary operator and its precedence, 1 the loosest.
#[inline]
fn binary_operator(tok: Tok) -> Option<(BinaryOp, u8)> {
    Some(match tok {
        Tok::PipePipe => (BinaryOp::Or, 1),
        Tok::AmpAmp => (BinaryOp::And, 2),
        Tok::Pipe => (BinaryOp::BitOr, 3),
        Tok::Caret => (BinaryOp::BitXor, 4),
        Tok::Amp => (BinaryOp::BitAnd, 5),
        Tok::EqEq => (BinaryOp::Eq, 6),
        Tok::NotEq => (BinaryOp::Ne, 6),
        Tok::Lt => (BinaryOp::Lt, 7),
        Tok::Gt => (BinaryOp::Gt, 7),
        Tok::Le => (BinaryOp::Le, 7),
        Tok::Ge => (BinaryOp::Ge, 7),
        Tok::Shl => (BinaryOp::Shl, 8),
        Tok::Shr => (BinaryOp::Shr, 8),
        Tok::Plus => (BinaryOp::Add, 9),
        Tok::Minus => (BinaryOp::Sub, 9),
        Tok::Star => (BinaryOp::Mul, 10),
        Tok::Slash => (BinaryOp::Div, 10),
        Tok::Percent => (BinaryOp::Rem, 10),
        _ => return None,
    })
}

/// The operator of a compound assignment; `=` has none.
fn assignment_operator(tok: Tok) -> Option<BinaryOp> {
    Some(match tok {
        Tok::StarAssign => BinaryOp::Mul,
        Tok::SlashAssign => BinaryOp::Div,
        Tok::PercentAssign => BinaryOp::Rem,
        Tok::PlusAssign => BinaryOp::Add,
        Tok::MinusAssign => BinaryOp::Sub,
        Tok::ShlAssign => BinaryOp::Shl,
        Tok::ShrAssign => BinaryOp::Shr,
        Tok::AmpAssign => BinaryOp::BitAnd,
        Tok::CaretAssign => BinaryOp::BitXor,
        Tok::PipeAssign => BinaryOp::BitOr,
        _ => return None,
    })
}
