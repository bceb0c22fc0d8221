//! What is left of a program that was made small, in words: the conversions, operations and constructs that a compiler gets
//! wrong there, without values, names and order. Two failures of one pattern are taken for one bug. Nothing here knows how
//! the program was made small, nor which technique made it.

use std::collections::BTreeSet;

use howler_case::Case;
use howler_lang::arith::{Num, num_of};
use howler_lang::program::{BinaryOp, Conv, ExprId, ExprKind, Program, StmtKind, UnaryOp};
use howler_lang::scalar::is_comparison;
use howler_lang::target::Target;
use howler_lang::ty::{Quals, RecordKind, Type, TypeKind};
use howler_lang::visit::{Node, each};
use howler_toolchain::preprocess::Preprocessor;

use crate::judge::load_case;

/// How likely something is what a compiler gets wrong, if there is something else beside it: the first are those that
/// programs have rarely and compilers treat apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Telling {
    /// A construct that few programs have: `va_arg`, a computed `goto`, a builtin.
    Rare,
    /// Between floating types.
    Floats,
    /// From a floating type to an integer.
    FloatToInt,
    /// From an integer to one of the other sign and of another size.
    Sign,
    /// To or from a bit-field or `_Bool`.
    Field,
    /// From an integer to a floating type.
    IntToFloat,
    /// An operation on floating values.
    FloatOperation,
    /// A struct that is passed, returned or copied.
    Struct,
    /// Between integers of one sign.
    Size,
    /// An operation on integers.
    Operation,
    /// `switch`, a compound literal, a string: what many programs have and is seldom wrong.
    Common,
    /// A conversion that changes no bit: `int` to `unsigned`.
    NoCode,
    /// A loop, a pointer: there in most programs.
    Everywhere,
}

/// What is left of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pattern {
    /// All there is, the most telling first.
    pub features: BTreeSet<(Telling, String)>,
    /// Whether something is done several times.
    pub loops: bool,
}

/// How many features tell what an optimiser gets wrong: with more of them every program has a pattern of its own.
const SEVERAL: usize = 2;

impl Pattern {
    /// What tells bugs of optimisers apart.
    pub fn text(&self) -> String {
        let mut words: Vec<&str> = self.words().take(SEVERAL).collect();
        if self.loops {
            words.push("in a loop");
        }
        words.join(", ")
    }

    /// What tells bugs apart that show without an optimiser: plain compilers have few ways to be wrong, each seen in many
    /// forms.
    pub fn gist(&self) -> String {
        self.words().next().unwrap_or("no operation").to_owned()
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.features.iter().map(|(_, text)| text.as_str())
    }
}

/// The pattern of a case for a target; none if the front end does not take it.
pub fn of_case(preprocessor: &Preprocessor, case: &Case, target: Target) -> Option<Pattern> {
    let loaded = load_case(preprocessor, case, target, &howler_front::Options::default()).ok()?;
    loaded.program.ok().map(|program| of(&program))
}

/// The pattern of a program.
///
/// ```
/// use howler_front::{Options, parse};
/// use howler_lang::program::Program;
/// use howler_lang::target::Target;
/// use howler_oracle::pattern;
///
/// let of = |text: &str| {
///     let mut program = Program::new(Target::X86_64_GCC);
///     parse(&mut program, "a.c", text.into(), &Options::default());
///     pattern::of(&program).gist()
/// };
/// let one = "int main(void) { char x = -1; int t = (unsigned short)x; return t != 65535; }";
/// let two = "signed char c = -1; int main(void) { if ((unsigned short)c != 65535) return 1; return 0; }";
/// assert_eq!(of(one), "i8 to u16");
/// assert_eq!(of(two), of(one));
/// assert_eq!(of("volatile int v; int main(void) { v = 1; return 0; }"), "volatile stored");
/// ```
pub fn of(program: &Program) -> Pattern {
    let mut parts = Parts { program, pattern: Pattern::default() };
    each(program, |part| match part.node {
        Node::Expr(e) => parts.expr(e),
        Node::Stmt(s) => parts.stmt(program.stmts[s].kind),
        Node::Init(_) | Node::Function(_) => {}
    });
    for (_, object) in program.objects.iter() {
        if program.types.is_vla(object.ty) {
            parts.add(Telling::Rare, "array of variable length");
        }
    }
    parts.pattern
}

struct Parts<'p> {
    program: &'p Program,
    pattern: Pattern,
}

impl Parts<'_> {
    fn add(&mut self, telling: Telling, text: impl Into<String>) {
        self.pattern.features.insert((telling, text.into()));
    }

    fn stmt(&mut self, kind: StmtKind) {
        match kind {
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                self.pattern.loops = true;
            }
            StmtKind::Switch { value, .. } => {
                let text = format!("{} switched", self.name(self.program.ty(value)));
                self.add(Telling::Common, text);
            }
            StmtKind::GotoComputed(_) => self.add(Telling::Rare, "computed goto"),
            StmtKind::Goto(_) => self.add(Telling::Everywhere, "goto"),
            StmtKind::Asm(_) => self.add(Telling::Rare, "asm"),
            StmtKind::If { .. } | StmtKind::Case { .. } | StmtKind::Default(_) | StmtKind::Label(..) => {}
            StmtKind::Empty | StmtKind::Expr(_) | StmtKind::Item(_) | StmtKind::Decls(_) => {}
            StmtKind::Compound(_) | StmtKind::LabelDecl(_) | StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Return(_) => {}
        }
    }

    fn expr(&mut self, e: ExprId) {
        let program = self.program;
        let ty = program.ty(e);
        match program.exprs[e].kind {
            ExprKind::Convert(conv, from) | ExprKind::Cast(conv, from) => self.converted(conv, from, ty),
            ExprKind::Unary(op, of) => self.unary(op, of),
            ExprKind::Binary(op, left, _) => {
                let done_in = program.ty(left);
                self.done(binary(op, self.is_float(done_in)), done_in);
            }
            ExprKind::Compound { op, lhs, compute, .. } => {
                self.done(binary(op, self.is_float(compute)), compute);
                if let (Some(from), Some(to)) = (self.value(lhs), self.num(compute)) {
                    self.between(from, to);
                    self.between(to, from);
                }
            }
            ExprKind::Cond(..) | ExprKind::Elvis(..) => self.done("?:", ty),
            ExprKind::Assign(..) if self.is_record(ty) => {
                self.add(Telling::Struct, "struct copied");
            }
            ExprKind::Assign(to, _) => {
                if program.ty(to).quals().contains(Quals::VOLATILE) {
                    self.add(Telling::Common, "volatile stored");
                }
                if let Some(Value::Field { .. }) = self.value(to) {
                    self.add(Telling::Common, "bit-field stored");
                }
            }
            ExprKind::Call(_, list) => {
                if self.is_record(ty) {
                    self.add(Telling::Struct, "struct returned");
                }
                if program.list(list).iter().any(|&argument| self.is_record(program.ty(argument))) {
                    self.add(Telling::Struct, "struct passed");
                }
            }
            ExprKind::Builtin(builtin, _) => {
                self.add(Telling::Rare, format!("{builtin:?}").to_lowercase());
            }
            ExprKind::VaArg(_) => {
                let text = format!("{} from va_arg", self.name(ty));
                self.add(Telling::Rare, text);
            }
            ExprKind::StmtExpr(_) => self.add(Telling::Rare, "statement expression"),
            ExprKind::Imaginary(_) => self.add(Telling::Rare, "complex"),
            ExprKind::CompoundLiteral(_) => self.add(Telling::Common, "compound literal"),
            ExprKind::Comma(..) => self.add(Telling::Everywhere, "comma"),
            ExprKind::Index { .. } => self.add(Telling::Everywhere, "indexed"),
            ExprKind::Member { base, .. } => {
                let union = matches!(program.types.kind(program.ty(base)), TypeKind::Record(record)
                    if program.types.records[record].kind == RecordKind::Union);
                let word = if union { "union" } else { "struct" };
                self.add(if union { Telling::Common } else { Telling::Everywhere }, word);
            }
            ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => self.add(Telling::Common, "sizeof"),
            ExprKind::Float(_) => {
                let text = format!("{} constant", self.name(ty));
                self.add(Telling::Common, text);
            }
            ExprKind::AlignofType { .. } | ExprKind::AlignofExpr { .. } | ExprKind::Offsetof(..) => {
                self.add(Telling::Common, "alignment or offset");
            }
            ExprKind::LabelAddr(_) => self.add(Telling::Rare, "computed goto"),
            ExprKind::Int { .. } | ExprKind::Str(_) | ExprKind::FuncName(_) | ExprKind::EnumConst(_) => {}
            ExprKind::Object(_) | ExprKind::Function(_) => {}
        }
    }

    fn unary(&mut self, op: UnaryOp, of: ExprId) {
        let ty = self.program.ty(of);
        match op {
            // A negative constant is a constant.
            _ if self.is_constant(of) => {}
            UnaryOp::Neg => self.done("negated", ty),
            UnaryOp::BitNot => self.done("inverted", ty),
            UnaryOp::Not => self.done("tested", ty),
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                self.done("stepped", ty);
                if let Some(Value::Field { .. }) = self.value(of) {
                    self.add(Telling::Common, "bit-field stored");
                }
            }
            UnaryOp::Real | UnaryOp::Imag => self.add(Telling::Rare, "complex"),
            UnaryOp::Deref | UnaryOp::AddrOf => self.add(Telling::Everywhere, "pointer"),
            UnaryOp::Plus => {}
        }
    }

    fn converted(&mut self, conv: Conv, from: ExprId, to: Type) {
        // What is constant is computed by the compiler, and most programs have it somewhere.
        if self.is_constant(from) {
            return;
        }
        if let Conv::RealToComplex | Conv::ComplexToReal | Conv::ComplexToComplex = conv {
            return self.add(Telling::Rare, "complex");
        }
        if let Conv::PointerToInt | Conv::IntToPointer = conv {
            return self.add(Telling::Common, "between pointer and integer");
        }
        if conv == Conv::Load {
            // A bit-field is extended when it is read.
            if let (Some(from @ Value::Field { .. }), Some(to)) = (self.value(from), self.num(to)) {
                self.between(from, to);
            }
            return;
        }
        if let (Some(from), Some(to)) = (self.num(self.program.ty(from)), self.num(to)) {
            self.between(from, to);
        }
    }

    fn between(&mut self, from: Value, to: Value) {
        let names = (from.name(), to.name());
        if names.0 != names.1 {
            self.add(telling(from, to), format!("{} to {}", names.0, names.1));
        }
    }

    fn done(&mut self, what: &str, ty: Type) {
        let telling = match self.is_float(ty) {
            true => Telling::FloatOperation,
            false if self.num(ty).is_none() => Telling::Everywhere,
            false => Telling::Operation,
        };
        let text = format!("{} {what}", self.name(ty));
        self.add(telling, text);
    }

    /// What is read from an lvalue.
    fn value(&self, e: ExprId) -> Option<Value> {
        let program = self.program;
        if let ExprKind::Member { base, field } = program.exprs[e].kind
            && let TypeKind::Record(record) = program.types.kind(program.ty(base))
            && let Some(field) = program.types.records[record].fields.get(field as usize)
            && field.bits.is_some()
        {
            let signed = match num_of(&program.types, &program.target, field.ty) {
                Some(Num::Int { signed, .. }) => signed,
                _ => false,
            };
            return Some(Value::Field { signed });
        }
        self.num(program.ty(e))
    }

    fn num(&self, ty: Type) -> Option<Value> {
        let types = &self.program.types;
        if let TypeKind::Bits { signed, .. } = types.kind(ty) {
            return Some(Value::Field { signed });
        }
        let TypeKind::Float(kind) = types.kind(ty) else {
            return num_of(types, &self.program.target, ty).map(Value::Int);
        };
        Some(Value::Float(float_name(kind)))
    }

    fn is_float(&self, ty: Type) -> bool {
        matches!(self.program.types.kind(ty), TypeKind::Float(_))
    }

    fn is_record(&self, ty: Type) -> bool {
        matches!(self.program.types.kind(ty), TypeKind::Record(_))
    }

    /// Whether it is written as a constant: with a sign, with a cast.
    fn is_constant(&self, mut e: ExprId) -> bool {
        loop {
            match self.program.exprs[e].kind {
                ExprKind::Int { .. } | ExprKind::Float(_) | ExprKind::EnumConst(_) => return true,
                ExprKind::Unary(UnaryOp::Neg | UnaryOp::Plus | UnaryOp::BitNot, of) => e = of,
                ExprKind::Cast(_, of) | ExprKind::Convert(_, of) => e = of,
                _ => return false,
            }
        }
    }

    /// What types have in common that machines do not tell apart: `long` and `long long` are one.
    fn name(&self, ty: Type) -> String {
        match (self.num(ty), self.program.types.kind(ty)) {
            (Some(value), _) => value.name(),
            (None, TypeKind::Pointer(_)) => "pointer".to_owned(),
            (None, TypeKind::Complex(_)) => "complex".to_owned(),
            (None, TypeKind::Vector { .. }) => "vector".to_owned(),
            (None, TypeKind::Record(_)) => "struct".to_owned(),
            (None, _) => "void".to_owned(),
        }
    }
}

/// What a value is to a machine.
#[derive(Clone, Copy)]
enum Value {
    Int(Num),
    Field { signed: bool },
    Float(&'static str),
}

impl Value {
    fn name(self) -> String {
        let sign = |signed: bool| if signed { 'i' } else { 'u' };
        match self {
            Value::Int(Num::Int { width, signed }) => format!("{}{width}", sign(signed)),
            Value::Int(Num::Bool | Num::Float(_)) => "bool".to_owned(),
            Value::Field { signed } => format!("{}-field", sign(signed)),
            Value::Float(name) => name.to_owned(),
        }
    }
}

fn float_name(kind: howler_lang::ty::FloatKind) -> &'static str {
    use howler_lang::ty::FloatKind;
    match kind {
        FloatKind::Float | FloatKind::Float32 => "float",
        FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => "double",
        FloatKind::LongDouble | FloatKind::Float64x => "long double",
        FloatKind::Float128 => "float128",
        FloatKind::Float16 => "float16",
    }
}

fn telling(from: Value, to: Value) -> Telling {
    match (from, to) {
        (Value::Float(_), Value::Float(_)) => Telling::Floats,
        (Value::Float(_), _) => Telling::FloatToInt,
        (_, Value::Float(_)) => Telling::IntToFloat,
        (Value::Int(Num::Int { width, signed }), Value::Int(Num::Int { width: other, signed: sign })) => {
            match (width == other, signed == sign) {
                (true, _) => Telling::NoCode,
                (false, false) => Telling::Sign,
                (false, true) => Telling::Size,
            }
        }
        _ => Telling::Field,
    }
}

/// A kind of operation: compilers treat those of one kind alike.
fn binary(op: BinaryOp, float: bool) -> &'static str {
    match op {
        BinaryOp::Div | BinaryOp::Rem if !float => "divided",
        BinaryOp::Mul if !float => "multiplied",
        BinaryOp::Shl => "shifted left",
        BinaryOp::Shr => "shifted right",
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => "bitwise",
        BinaryOp::And | BinaryOp::Or => "tested",
        _ if is_comparison(op) => "compared",
        _ => "computed",
    }
}
