//! The C program: one kernel per type and kind of operation, each with a list of results.

use howler_lang::arith::{Format, Num};
use howler_lang::program::{BinaryOp, UnaryOp};
use std::fmt::Write;

/// Bytes of one record: a mask of the operations to run, and four operands of 16 bytes.
pub const RECORD: usize = 4 + 4 * 16;

#[derive(Clone, Copy, PartialEq)]
pub enum Arch {
    X86_64,
    I386,
}

impl Arch {
    pub fn name(self) -> &'static str {
        match self {
            Arch::X86_64 => "x86-64",
            Arch::I386 => "i386",
        }
    }

    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Arch::X86_64 => &["-m64"],
            Arch::I386 => &["-m32", "-msse2", "-mfpmath=sse"],
        }
    }
}

/// A C type: its spelling and what it is to `arith`.
#[derive(Clone, Copy)]
pub struct CType {
    pub name: &'static str,
    pub num: Num,
}

impl CType {
    /// The type its values have in an expression.
    pub fn promoted(self) -> Num {
        match self.num {
            Num::Bool => Num::INT,
            Num::Int { width, .. } if width < 32 => Num::INT,
            num => num,
        }
    }

    fn is_float(self) -> bool {
        matches!(self.num, Num::Float(_))
    }
}

pub fn bytes(num: Num) -> usize {
    usize::try_from(num.width().div_ceil(8)).expect("at most 16")
}

pub fn types(arch: Arch) -> Vec<CType> {
    let int = |name, width, signed| CType { name, num: Num::Int { width, signed } };
    let float = |name, format| CType { name, num: Num::Float(format) };
    let long = if arch == Arch::X86_64 { 64 } else { 32 };
    let mut list = vec![
        CType { name: "_Bool", num: Num::Bool },
        int("char", 8, true),
        int("signed char", 8, true),
        int("unsigned char", 8, false),
        int("short", 16, true),
        int("unsigned short", 16, false),
        int("int", 32, true),
        int("unsigned", 32, false),
        int("long", long, true),
        int("unsigned long", long, false),
        int("long long", 64, true),
        int("unsigned long long", 64, false),
        float("_Float16", Format::F16),
        float("float", Format::F32),
        float("double", Format::F64),
        float("long double", Format::X87),
        float("__float128", Format::F128),
    ];
    if arch == Arch::X86_64 {
        list.push(int("__int128", 128, true));
        list.push(int("unsigned __int128", 128, false));
    }
    list
}

/// What one result of a kernel is.
#[derive(Clone, Copy)]
pub enum Operation {
    Binary(BinaryOp),
    Unary(UnaryOp),
    Increment,
    Decrement,
    /// A shift whose count has a type of its own.
    Shift(BinaryOp, Num),
    Convert(Num),
    /// A store to a bit-field, read back in the declared type.
    BitField(Num, Num),
    /// Complex operands `a` and `b`, or `b`'s real part alone on the right or on the left.
    Complex(BinaryOp, Mixed),
    ComplexEqual,
    ComplexUnary(UnaryOp),
}

#[derive(Clone, Copy)]
pub enum Mixed {
    Complex,
    RealRight,
    RealLeft,
}

/// What a kernel is for, in the summary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Operators,
    Shifts,
    Lanes,
    Complex,
    Conversions,
}

/// What the operands of a kernel are.
#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    /// One value.
    Single,
    /// Two values of real types; a shift's second is a count.
    Pair,
    /// Two complex values: four parts of one type.
    Complex,
}

pub struct Slot {
    pub operation: Operation,
    /// The C statement that sets `r`.
    pub code: String,
    /// The type of `r`.
    pub result: String,
    /// The type of the result, or of each of its parts.
    pub num: Num,
    /// How many bytes of each part are compared.
    pub size: usize,
    /// 1, or 2 if the result is complex.
    pub parts: usize,
}

pub struct Kernel {
    pub name: String,
    pub kind: Kind,
    pub shape: Shape,
    /// Types of the operands: `a` and `b`, or of all parts.
    pub a: CType,
    pub b: CType,
    /// The type the operation is done in.
    pub compute: Num,
    /// C declarations of `a` and `b` from `p0` to `p3`.
    setup: String,
    pub slots: Vec<Slot>,
}

impl Kernel {
    /// Its part of the work: shifts by other types come in many kernels and need less each.
    pub fn units(&self) -> usize {
        if self.kind == Kind::Shifts { 1 } else { 4 }
    }

    /// clang-16 calls the library's binary128 functions in a wrong way on i386, so only gcc is asked there.
    pub fn uses_f128(&self, slot: &Slot) -> bool {
        [self.a.num, slot.num].contains(&Num::Float(Format::F128))
    }
}

const ARITHMETIC: [(BinaryOp, &str); 10] = [
    (BinaryOp::Mul, "*"),
    (BinaryOp::Div, "/"),
    (BinaryOp::Add, "+"),
    (BinaryOp::Sub, "-"),
    (BinaryOp::Rem, "%"),
    (BinaryOp::Shl, "<<"),
    (BinaryOp::Shr, ">>"),
    (BinaryOp::BitAnd, "&"),
    (BinaryOp::BitXor, "^"),
    (BinaryOp::BitOr, "|"),
];
const TRUTHS: [(BinaryOp, &str); 8] = [
    (BinaryOp::Lt, "<"),
    (BinaryOp::Gt, ">"),
    (BinaryOp::Le, "<="),
    (BinaryOp::Ge, ">="),
    (BinaryOp::Eq, "=="),
    (BinaryOp::Ne, "!="),
    (BinaryOp::And, "&&"),
    (BinaryOp::Or, "||"),
];

/// The first four are for all types, the rest for integers.
fn arithmetic(ty: CType) -> &'static [(BinaryOp, &'static str)] {
    if ty.is_float() { &ARITHMETIC[..4] } else { &ARITHMETIC }
}

fn slot(operation: Operation, expr: &str, num: Num, size: usize) -> Slot {
    let (code, result) = (format!("r = {expr}"), format!("__typeof__({expr})"));
    Slot { operation, code, result, num, size, parts: 1 }
}

fn arithmetic_kernel(ty: CType) -> Kernel {
    let promoted = ty.promoted();
    let mut slots = Vec::new();
    for &(op, sign) in arithmetic(ty) {
        slots.push(slot(Operation::Binary(op), &format!("a {sign} b"), promoted, bytes(promoted)));
    }
    for (op, sign) in TRUTHS {
        slots.push(slot(Operation::Binary(op), &format!("a {sign} b"), Num::INT, 1));
    }
    for (op, expr) in [(UnaryOp::Neg, "-a"), (UnaryOp::Plus, "+a"), (UnaryOp::BitNot, "~a")] {
        if op != UnaryOp::BitNot || !ty.is_float() {
            slots.push(slot(Operation::Unary(op), expr, promoted, bytes(promoted)));
        }
    }
    slots.push(slot(Operation::Unary(UnaryOp::Not), "!a", Num::INT, 1));
    for (operation, code) in [(Operation::Increment, "r = a; r++"), (Operation::Decrement, "r = a; --r")] {
        let (code, result) = (code.to_owned(), ty.name.to_owned());
        slots.push(Slot { operation, code, result, num: ty.num, size: bytes(ty.num), parts: 1 });
    }
    let setup = format!("{} a = p0, b = p1;", ty.name);
    let name = format!("{} op {0}", ty.name);
    Kernel { name, kind: Kind::Operators, shape: Shape::Pair, a: ty, b: ty, compute: promoted, setup, slots }
}

/// Operators on the lanes of a GNU vector: the only arithmetic C does in types narrower than `int`.
fn vector_kernel(ty: CType) -> Kernel {
    let mut slots = Vec::new();
    let mut add = |operation, expr: &str| {
        let (code, result) = (format!("r = ({expr})[3 % (16 / sizeof(T))]"), ty.name.to_owned());
        slots.push(Slot { operation, code, result, num: ty.num, size: bytes(ty.num), parts: 1 });
    };
    for &(op, sign) in arithmetic(ty) {
        add(Operation::Binary(op), &format!("a {sign} b"));
    }
    add(Operation::Unary(UnaryOp::Neg), "-a");
    if !ty.is_float() {
        add(Operation::Unary(UnaryOp::BitNot), "~a");
    }
    let setup = format!(
        "typedef {} T; typedef T v __attribute__((vector_size(16)));\n  \
         v a, b; for (unsigned i = 0; i < 16 / sizeof(T); i++) a[i] = p0, b[i] = p1;",
        ty.name
    );
    let name = format!("{} lanes", ty.name);
    Kernel { name, kind: Kind::Lanes, shape: Shape::Pair, a: ty, b: ty, compute: ty.num, setup, slots }
}

fn shift_kernel(ty: CType, count: CType) -> Kernel {
    let (num, size) = (ty.promoted(), bytes(ty.promoted()));
    let operation = |op| Operation::Shift(op, count.promoted());
    let slots = vec![
        slot(operation(BinaryOp::Shl), "a << b", num, size),
        slot(operation(BinaryOp::Shr), "a >> b", num, size),
    ];
    let setup = format!("{} a = p0; {} b = p1;", ty.name, count.name);
    let name = format!("{} shift {}", ty.name, count.name);
    Kernel { name, kind: Kind::Shifts, shape: Shape::Pair, a: ty, b: count, compute: num, setup, slots }
}

fn conversion_kernel(ty: CType, all: &[CType]) -> Kernel {
    let mut slots = Vec::new();
    let mut add = |operation, code: String, to: CType| {
        let result = to.name.to_owned();
        slots.push(Slot { operation, code, result, num: to.num, size: bytes(to.num), parts: 1 });
    };
    for &to in all {
        add(Operation::Convert(to.num), "r = a".to_owned(), to);
        let widths: &[u8] = match to.name {
            "int" => &[1, 5, 31],
            "unsigned" => &[1, 13],
            "long long" => &[33, 63],
            "unsigned long long" => &[40],
            _ => &[],
        };
        for &width in widths {
            let Num::Int { signed, .. } = to.num else { continue };
            let field = Num::Int { width, signed };
            let code = format!("struct {{ {} f : {width}; }} s; s.f = a; r = s.f", to.name);
            add(Operation::BitField(field, to.num), code, to);
        }
    }
    let setup = format!("{} a = p0;", ty.name);
    let name = format!("convert {}", ty.name);
    Kernel {
        name,
        kind: Kind::Conversions,
        shape: Shape::Single,
        a: ty,
        b: ty,
        compute: ty.promoted(),
        setup,
        slots,
    }
}

/// gcc takes `_Complex` before `_Float128` only, clang before `__float128` only.
fn complex_name(ty: CType) -> String {
    if ty.name == "__float128" { "complex128".to_owned() } else { format!("_Complex {}", ty.name) }
}

fn complex_kernel(arch: Arch, ty: CType) -> Kernel {
    let mut slots = Vec::new();
    let mut add = |operation, expr: &str| {
        let (code, result) = (format!("r = {expr}"), complex_name(ty));
        slots.push(Slot { operation, code, result, num: ty.num, size: bytes(ty.num), parts: 2 });
    };
    for (op, sign) in &ARITHMETIC[..4] {
        add(Operation::Complex(*op, Mixed::RealRight), &format!("a {sign} p2"));
        // The i386 library multiplies and divides with x87's excess precision.
        let library = matches!(op, BinaryOp::Mul | BinaryOp::Div);
        let narrow = matches!(ty.num, Num::Float(Format::F16 | Format::F32 | Format::F64));
        if !(arch == Arch::I386 && library && narrow) {
            add(Operation::Complex(*op, Mixed::Complex), &format!("a {sign} b"));
            add(Operation::Complex(*op, Mixed::RealLeft), &format!("p2 {sign} a"));
        }
    }
    add(Operation::ComplexUnary(UnaryOp::Neg), "-a");
    add(Operation::ComplexUnary(UnaryOp::BitNot), "~a");
    slots.push(slot(Operation::ComplexEqual, "a == b", Num::INT, 1));
    let setup = format!(
        "{} a, b; __real__ a = p0; __imag__ a = p1; __real__ b = p2; __imag__ b = p3;",
        complex_name(ty)
    );
    let name = format!("_Complex {}", ty.name);
    Kernel { name, kind: Kind::Complex, shape: Shape::Complex, a: ty, b: ty, compute: ty.num, setup, slots }
}

pub fn kernels(arch: Arch) -> Vec<Kernel> {
    let all = types(arch);
    let named = |names: &'static [&'static str]| all.iter().filter(|ty| names.contains(&ty.name)).copied();
    let mut list: Vec<Kernel> = all.iter().map(|&ty| arithmetic_kernel(ty)).collect();
    for &ty in all.iter().filter(|ty| !ty.is_float()) {
        list.extend(
            named(&["int", "unsigned long long", "signed char"]).map(|count| shift_kernel(ty, count)),
        );
    }
    let lanes: &[&str] =
        &["signed char", "unsigned char", "short", "unsigned short", "int", "long long", "double"];
    list.extend(named(lanes).map(vector_kernel));
    list.extend(
        named(&["int", "unsigned", "_Float16", "float", "double", "long double"])
            .map(|ty| complex_kernel(arch, ty)),
    );
    if arch == Arch::X86_64 {
        list.extend(named(&["__float128"]).map(|ty| complex_kernel(arch, ty)));
    }
    list.extend(all.iter().map(|&ty| conversion_kernel(ty, &all)));
    list
}

/// The program that reads chunks of records for a kernel and writes the bytes of its results.
pub fn program(kernels: &[Kernel]) -> String {
    let mut text = String::from("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
    text.push_str("#ifdef __clang__\ntypedef _Complex __float128 complex128;\n");
    text.push_str("#else\ntypedef _Complex _Float128 complex128;\n#endif\n");
    let mut line = |args: std::fmt::Arguments<'_>| writeln!(text, "{args}").expect("strings grow");
    for (index, kernel) in kernels.iter().enumerate() {
        line(format_args!("static unsigned char *k{index}(const unsigned char *p, unsigned char *o) {{"));
        line(format_args!("  unsigned m; memcpy(&m, p, 4);"));
        for part in 0..4 {
            let ty = if kernel.shape != Shape::Complex && part == 1 { kernel.b } else { kernel.a };
            let at = 4 + part * 16;
            line(format_args!("  {} p{part}; memcpy(&p{part}, p + {at}, {});", ty.name, bytes(ty.num)));
        }
        line(format_args!("  {}", kernel.setup));
        for (bit, slot) in kernel.slots.iter().enumerate() {
            let Slot { code, result, size, .. } = slot;
            line(format_args!("  {{ {result} r = 0; if (m >> {bit} & 1) {{"));
            if kernel.uses_f128(slot) {
                line(format_args!("#if !defined __clang__ || defined __x86_64__\n{code};\n#endif"));
            } else {
                line(format_args!("    {code};"));
            }
            if slot.parts == 2 {
                let ty = kernel.a.name;
                line(format_args!(
                    "  }} {ty} x = __real__ r, y = __imag__ r; memcpy(o, &x, {size}); o += {size};"
                ));
                line(format_args!("    memcpy(o, &y, {size}); o += {size}; }}"));
            } else {
                line(format_args!("  }} memcpy(o, &r, {size}); o += {size}; }}"));
            }
        }
        line(format_args!("  return o;\n}}"));
    }
    line(format_args!("static unsigned char *(*const k[])(const unsigned char *, unsigned char *) = {{"));
    for index in 0..kernels.len() {
        line(format_args!(" k{index},"));
    }
    line(format_args!(
        "}};\nint main(void) {{\n  unsigned head[2];\n  while (fread(head, 4, 2, stdin) == 2) {{"
    ));
    line(format_args!(
        "    unsigned char *in = malloc(head[1] * {RECORD}ul), *out = malloc(head[1] * 1024ul), *o = out;"
    ));
    line(format_args!("    if (fread(in, {RECORD}, head[1], stdin) != head[1]) return 1;"));
    line(format_args!("    for (unsigned i = 0; i < head[1]; i++) o = k[head[0]](in + i * {RECORD}ul, o);"));
    line(format_args!(
        "    fwrite(out, 1, o - out, stdout); fflush(stdout); free(in); free(out);\n  }}\n  return 0;\n}}"
    ));
    text
}
