//! Expressions with the fewest parentheses that keep the tree. Implicit conversions print as their operand.

use super::{Piece, Printer, Referent};
use crate::program::{
    BinaryOp, Builtin, ExprId, ExprKind, FuncName, Init, PathId, PathStep, StmtKind, UnaryOp,
};
use crate::symbol::Symbol;
use crate::ty::{Type, TypeKind};

// How tightly an expression binds, after the grammar of C17 6.5.
pub(super) const COMMA: u8 = 0;
pub(super) const ASSIGN: u8 = 1;
pub(super) const COND: u8 = 2;
const OR: u8 = 3;
pub(super) const CAST: u8 = 13;
const UNARY: u8 = 14;
const POSTFIX: u8 = 15;

impl Printer<'_> {
    /// Writes the expression up to its leftmost leaf and pushes the rest.
    pub(super) fn expr(&mut self, mut id: ExprId, mut min: u8) {
        let program = self.program;
        loop {
            let expr = &program.exprs[id];
            (id, min) = match expr.kind {
                ExprKind::Convert(_, operand) => (operand, min),
                ExprKind::Int { value, form } => return self.int(value, form, expr.ty),
                ExprKind::Float(float) => return self.float(float, expr.ty),
                ExprKind::Imaginary(operand) => return self.imaginary(operand),
                ExprKind::Str(string) => return self.string(string),
                ExprKind::FuncName(name) => {
                    return self.out.push_str(match name {
                        FuncName::Func => "__func__",
                        FuncName::Function => "__FUNCTION__",
                        FuncName::Pretty => "__PRETTY_FUNCTION__",
                    });
                }
                ExprKind::EnumConst(constant) => {
                    let name = program.types.enumerators[constant].name;
                    return self.name_use(name, Referent::Enumerator(constant), id);
                }
                ExprKind::Object(object) => match program.objects[object].name {
                    Some(name) => return self.name_use(name, Referent::Object(object), id),
                    None => return self.compound_literal(object),
                },
                ExprKind::Function(func) => {
                    return self.name_use(program.funcs[func].name, Referent::Function(func), id);
                }
                ExprKind::CompoundLiteral(object) => return self.compound_literal(object),
                ExprKind::Member { base, field } => self.member(base, field, min),
                ExprKind::Index { base, index } => {
                    self.stack.extend([Piece::Text("]"), Piece::Expr(index, COMMA), Piece::Text("[")]);
                    (base, POSTFIX)
                }
                ExprKind::Unary(op, operand) => self.unary(op, operand, min),
                ExprKind::Binary(op, left, right) => {
                    let (text, level) = binary(op);
                    self.open(level, min);
                    self.stack.extend([Piece::Expr(right, level + 1), Piece::Break(text)]);
                    (left, level)
                }
                ExprKind::Assign(left, right) => {
                    self.open(ASSIGN, min);
                    self.stack.extend([Piece::Expr(right, ASSIGN), Piece::Break(" = ")]);
                    (left, UNARY)
                }
                ExprKind::Compound { op, lhs, rhs, .. } => {
                    self.open(ASSIGN, min);
                    self.stack.extend([Piece::Expr(rhs, ASSIGN), Piece::Break(compound(op))]);
                    (lhs, UNARY)
                }
                ExprKind::Cond(cond, then, other) => {
                    self.open(COND, min);
                    // A comma may stand bare in the middle; nobody writes it so.
                    self.stack.extend([
                        Piece::Expr(other, COND),
                        Piece::Break(" : "),
                        Piece::Expr(then, ASSIGN),
                        Piece::Break(" ? "),
                    ]);
                    (cond, OR)
                }
                ExprKind::Elvis(value, other) => {
                    self.open(COND, min);
                    self.stack.extend([Piece::Expr(other, COND), Piece::Break(" ?: ")]);
                    (value, OR)
                }
                ExprKind::Comma(left, right) => {
                    self.open(COMMA, min);
                    self.stack.extend([Piece::Expr(right, ASSIGN), Piece::Break(", ")]);
                    (left, COMMA)
                }
                ExprKind::Cast(_, operand) => {
                    self.open(CAST, min);
                    self.out.push('(');
                    self.type_name(expr.ty);
                    self.out.push(')');
                    (operand, CAST)
                }
                ExprKind::Call(callee, args) => {
                    self.push_args(program.list(args));
                    self.stack.push(Piece::Text("("));
                    (callee, POSTFIX)
                }
                ExprKind::Builtin(builtin, args) => {
                    self.builtin(builtin, program.list(args), expr.ty);
                    return;
                }
                ExprKind::SizeofType(of) => return self.of_type("sizeof", of, min),
                ExprKind::SizeofExpr(of) => self.of_expr("sizeof", of, min),
                ExprKind::AlignofType { of, preferred } => {
                    return self.of_type(alignof(preferred), of, min);
                }
                ExprKind::AlignofExpr { of, preferred } => self.of_expr(alignof(preferred), of, min),
                ExprKind::Offsetof(of, path) => return self.offsetof(of, path),
                ExprKind::VaArg(list) => {
                    self.out.push_str("__builtin_va_arg(");
                    self.stack.extend([Piece::Text(")"), Piece::Type(expr.ty), Piece::Text(", ")]);
                    (list, ASSIGN)
                }
                ExprKind::StmtExpr(body) => {
                    let StmtKind::Compound(list) = self.kind(body) else {
                        self.out.push_str("({ ");
                        self.stack.extend([Piece::Text(" })"), Piece::Stmt(body)]);
                        return;
                    };
                    self.comment_inside(body);
                    self.out.push_str("({");
                    return self.block(list, "})");
                }
                ExprKind::LabelAddr(label) => {
                    self.open(UNARY, min);
                    self.prefix("&&");
                    return self.name_use(program.labels[label].name, Referent::Label(label), id);
                }
            };
        }
    }

    /// Opens a parenthesis if an expression of this level needs one.
    fn open(&mut self, level: u8, min: u8) {
        if level < min {
            self.out.push('(');
            self.stack.push(Piece::Text(")"));
        }
    }

    /// Writes a prefix operator so that it does not merge with one before it (`- -x`, `& &&l`).
    fn prefix(&mut self, op: &'static str) {
        let first = op.as_bytes().first();
        if matches!(first, Some(b'+' | b'-' | b'&')) && self.out.as_bytes().last() == first {
            self.out.push(' ');
        }
        self.out.push_str(op);
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, min: u8) -> (ExprId, u8) {
        let (text, operand_level) = match op {
            UnaryOp::PostInc | UnaryOp::PostDec => {
                let text = if op == UnaryOp::PostInc { "++" } else { "--" };
                self.stack.push(Piece::Text(text));
                return (operand, POSTFIX);
            }
            UnaryOp::Neg => ("-", CAST),
            UnaryOp::Plus => ("+", CAST),
            UnaryOp::BitNot => ("~", CAST),
            UnaryOp::Not => ("!", CAST),
            UnaryOp::Deref => ("*", CAST),
            UnaryOp::AddrOf => ("&", CAST),
            UnaryOp::PreInc => ("++", UNARY),
            UnaryOp::PreDec => ("--", UNARY),
            UnaryOp::Real => ("__real__ ", CAST),
            UnaryOp::Imag => ("__imag__ ", CAST),
        };
        self.open(UNARY, min);
        self.prefix(text);
        (operand, operand_level)
    }

    /// `base.name` or `pointer->name`. Steps through unnamed members are not written (C17 6.7.2.1p13).
    fn member(&mut self, base: ExprId, field: u32, min: u8) -> (ExprId, u8) {
        let Some(name) = self.field_name(base, field) else { return (base, min) };
        let mut inner = base;
        loop {
            match self.program.exprs[inner].kind {
                ExprKind::Convert(_, operand) => inner = operand,
                ExprKind::Member { base, field } if self.field_name(base, field).is_none() => inner = base,
                ExprKind::Unary(UnaryOp::Deref, pointer) => {
                    self.stack.extend([Piece::Name(name), Piece::Text("->")]);
                    return (pointer, POSTFIX);
                }
                _ => {
                    self.stack.extend([Piece::Name(name), Piece::Text(".")]);
                    return (inner, POSTFIX);
                }
            }
        }
    }

    fn field_name(&self, base: ExprId, field: u32) -> Option<Symbol> {
        let types = &self.program.types;
        match types.kind(self.program.ty(base)) {
            TypeKind::Record(id) => types.records[id].fields.get(field as usize)?.name,
            _ => None,
        }
    }

    fn compound_literal(&mut self, object: crate::program::ObjId) {
        let object = &self.program.objects[object];
        self.out.push('(');
        self.type_name(object.ty);
        self.out.push(')');
        match object.init {
            // A scalar or a string stands in braces too (C17 6.5.2.5p1).
            Some(init) if matches!(self.program.inits[init], Init::Expr(_)) => {
                self.out.push('{');
                self.stack.extend([Piece::Text("}"), Piece::Init(init, object.ty)]);
            }
            Some(init) => self.stack.push(Piece::Init(init, object.ty)),
            None => self.out.push_str("{}"),
        }
    }

    /// Pushes arguments and the closing parenthesis.
    fn push_args(&mut self, args: &[ExprId]) {
        self.stack.push(Piece::Text(")"));
        for (at, &arg) in args.iter().enumerate().rev() {
            self.stack.push(Piece::Expr(arg, ASSIGN));
            if at > 0 {
                self.stack.push(Piece::Break(", "));
            }
        }
    }

    fn builtin(&mut self, builtin: Builtin, args: &[ExprId], ty: Type) {
        self.out.push_str(crate::builtin::name(builtin));
        self.out.push('(');
        self.push_args(args);
        // Its second operand is a type, which is the result's. It goes before the closing parenthesis.
        if builtin == crate::builtin::CONVERTVECTOR {
            let at = self.stack.len().saturating_sub(2 * args.len()) + 1;
            self.stack.splice(at..at, [Piece::Type(ty), Piece::Break(", ")]);
        }
    }

    fn of_type(&mut self, keyword: &'static str, of: Type, min: u8) {
        self.open(UNARY, min);
        self.out.push_str(keyword);
        self.out.push('(');
        self.type_name(of);
        self.out.push(')');
    }

    /// The operand without parentheses where C needs none, so that a chain of these does not nest.
    fn of_expr(&mut self, keyword: &'static str, of: ExprId, min: u8) -> (ExprId, u8) {
        self.open(UNARY, min);
        self.out.push_str(keyword);
        self.out.push(' ');
        (of, UNARY)
    }

    fn offsetof(&mut self, of: Type, path: PathId) {
        self.out.push_str("__builtin_offsetof(");
        self.type_name(of);
        self.out.push_str(", ");
        let mut first = true;
        for &step in &self.program.paths[path] {
            match step {
                PathStep::Field(record, field) => {
                    let name =
                        self.program.types.records[record].fields.get(field as usize).and_then(|f| f.name);
                    let Some(name) = name else { continue };
                    if !first {
                        self.out.push('.');
                    }
                    self.name(name);
                }
                PathStep::Index(index) => {
                    self.out.push('[');
                    self.now(Piece::Expr(index, COMMA));
                    self.out.push(']');
                }
            }
            first = false;
        }
        self.out.push(')');
    }
}

fn alignof(preferred: bool) -> &'static str {
    if preferred { "__alignof__" } else { "_Alignof" }
}

/// The operator with its spaces, and its level.
fn binary(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::Mul => (" * ", 12),
        BinaryOp::Div => (" / ", 12),
        BinaryOp::Rem => (" % ", 12),
        BinaryOp::Add => (" + ", 11),
        BinaryOp::Sub => (" - ", 11),
        BinaryOp::Shl => (" << ", 10),
        BinaryOp::Shr => (" >> ", 10),
        BinaryOp::Lt => (" < ", 9),
        BinaryOp::Gt => (" > ", 9),
        BinaryOp::Le => (" <= ", 9),
        BinaryOp::Ge => (" >= ", 9),
        BinaryOp::Eq => (" == ", 8),
        BinaryOp::Ne => (" != ", 8),
        BinaryOp::BitAnd => (" & ", 7),
        BinaryOp::BitXor => (" ^ ", 6),
        BinaryOp::BitOr => (" | ", 5),
        BinaryOp::And => (" && ", 4),
        BinaryOp::Or => (" || ", OR),
    }
}

/// The compound assignment with its spaces. Only the arithmetic and bitwise operators have one.
fn compound(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => " *= ",
        BinaryOp::Div => " /= ",
        BinaryOp::Rem => " %= ",
        BinaryOp::Add => " += ",
        BinaryOp::Sub => " -= ",
        BinaryOp::Shl => " <<= ",
        BinaryOp::Shr => " >>= ",
        BinaryOp::BitAnd => " &= ",
        BinaryOp::BitXor => " ^= ",
        BinaryOp::BitOr => " |= ",
        BinaryOp::Lt
        | BinaryOp::Gt
        | BinaryOp::Le
        | BinaryOp::Ge
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::And
        | BinaryOp::Or => " = ",
    }
}
