//! The types and values of random expressions, against gcc and clang on both targets, each in its dialect.
//!
//! One C text holds hundreds of expressions. The compilers say the type of each through `_Generic` and the value of
//! the constant ones by running; Howler reads the same text and must say the same. The fast suite checks 1,000
//! expressions per compiler and target, `HOWLER_SOAK=1` 12,000.

use howler_choices::Choices;
use howler_lang::diag::Severity;
use howler_lang::fold;
use howler_lang::program::{Program, StmtKind};
use howler_lang::target::{Arch, Compiler, Target};
use howler_lang::ty::{Type, TypeKind};
use howler_testkit::expression::{self, Class, Shape, Source};
use howler_testkit::{Options, Scratch, run, soak, tool};
use std::fmt::Write;

const PER_FILE: usize = 500;

/// Declarations that the expressions use; every arithmetic type, bit-fields of telling widths, pointers.
const PRELUDE: &str = "
_Bool v_bool; char v_char; signed char v_schar; unsigned char v_uchar; short v_short; unsigned short v_ushort;
int v_int; unsigned v_uint; long v_long; unsigned long v_ulong; long long v_llong; unsigned long long v_ullong;
float v_float; double v_double; long double v_ldouble; const volatile int v_cvint; const unsigned char v_cuchar;
enum small { S_A, S_B = 7 }; enum negative { N_A = -1, N_B }; enum wide { W_A = 0x100000000LL, W_B = 1 };
enum small v_small; enum negative v_negative; enum wide v_wide;
struct bits {
  int i3 : 3; unsigned u3 : 3; unsigned u31 : 31; unsigned u32 : 32; int i32 : 32; _Bool b1 : 1; char c5 : 5;
  unsigned char uc8 : 8; short s9 : 9; long long ll40 : 40; unsigned long long ull40 : 40;
  unsigned long long ull32 : 32; long long ll32 : 32; unsigned long long ull33 : 33; unsigned long long ull64 : 64;
  unsigned long ul17 : 17; enum small es : 4; long long ll16 : 16; unsigned long long ull8 : 8;
};
struct bits v_bits; struct bits *p_bits; const struct bits v_cbits;
struct plain { char c; short a[3]; float f; const int k; }; struct plain v_plain, *p_plain;
int a_int[4]; char a_char[2][3]; int *p_int; const char *p_cchar; void *p_void; double *p_double; int **pp_int;
int f_int(int); unsigned char f_uchar(); float f_float(void); struct plain f_plain(void); char *f_pchar(void);
";

const INT_LVALUES: &[&str] = &[
    "v_bool",
    "v_char",
    "v_schar",
    "v_uchar",
    "v_short",
    "v_ushort",
    "v_int",
    "v_uint",
    "v_long",
    "v_ulong",
    "v_llong",
    "v_ullong",
    "v_small",
    "v_negative",
    "v_wide",
    "v_bits.i3",
    "v_bits.u3",
    "v_bits.u31",
    "v_bits.u32",
    "v_bits.i32",
    "v_bits.b1",
    "v_bits.c5",
    "v_bits.uc8",
    "v_bits.s9",
    "v_bits.ll40",
    "v_bits.ull40",
    "v_bits.ull32",
    "v_bits.ll32",
    "v_bits.ull33",
    "v_bits.ull64",
    "v_bits.ul17",
    "v_bits.es",
    "v_bits.ll16",
    "v_bits.ull8",
    "p_bits->ull40",
    "a_int[1]",
    "a_char[1][2]",
    "*p_int",
    "v_plain.c",
    "v_plain.a[2]",
    "**pp_int",
];
const INT_VALUES: &[&str] = &[
    "S_A",
    "S_B",
    "N_A",
    "W_A",
    "W_B",
    "v_cvint",
    "v_cuchar",
    "v_cbits.ull40",
    "v_cbits.u3",
    "f_int(v_char)",
    "f_uchar()",
    "*p_cchar",
    "p_plain->k",
    "f_plain().c",
    "f_plain().a[1]",
    "p_int - a_int",
    "sizeof v_int",
    "sizeof(struct plain)",
    "_Alignof(double)",
    "'a'",
    "L'b'",
];
const FLOAT_VALUES: &[&str] = &[
    "v_float",
    "v_double",
    "v_ldouble",
    "v_plain.f",
    "f_float()",
    "*p_double",
    "1.5",
    "2.5f",
    "0x1p3L",
    "1e3",
];
const POINTERS: &[&str] = &[
    "p_int",
    "a_int",
    "p_cchar",
    "p_void",
    "&v_int",
    "a_char",
    "a_char[1]",
    "\"text\"",
    "p_plain->a",
    "&v_cuchar",
    "f_pchar()",
    "&a_int",
    "*pp_int",
    "f_int",
    "&f_int",
    "p_bits",
];
const INT_TYPES: &[&str] = &[
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "enum small",
    "enum negative",
];
const FLOAT_TYPES: &[&str] = &["float", "double", "long double"];

/// What the type of an expression is called in the table both sides index into.
const GENERIC: &[(&str, Type)] = &[
    ("_Bool", Type::BOOL),
    ("char", Type::CHAR),
    ("signed char", Type::SCHAR),
    ("unsigned char", Type::UCHAR),
    ("short", Type::SHORT),
    ("unsigned short", Type::USHORT),
    ("int", Type::INT),
    ("unsigned", Type::UINT),
    ("long", Type::LONG),
    ("unsigned long", Type::ULONG),
    ("long long", Type::LLONG),
    ("unsigned long long", Type::ULLONG),
    ("float", Type::FLOAT),
    ("double", Type::DOUBLE),
    ("long double", Type::LDOUBLE),
];

/// Pointer types are compared by what they point to, qualifiers included.
const GENERIC_POINTERS: &[&str] = &[
    "int *",
    "const char *",
    "char *",
    "void *",
    "const void *",
    "short *",
    "double *",
    "char (*)[3]",
    "int (*)[4]",
    "const unsigned char *",
    "int **",
    "int (*)(int)",
    "struct bits *",
];

struct Writer<'a> {
    choices: &'a mut Choices,
    constant: bool,
}

impl Writer<'_> {
    fn one(&mut self, list: &[&'static str]) -> &'static str {
        self.choices.pick("item", list).copied().expect("lists are not empty")
    }

    fn int(&mut self, depth: u32) -> String {
        expression::draw(self, Class::Int, depth).text()
    }

    fn pointer(&mut self, depth: u32) -> String {
        match self.choices.range("pointer", 0..=5u32) {
            0 => format!(
                "({}) + ({})",
                self.one(&["p_int", "a_int", "p_cchar", "a_char", "\"t\""]),
                self.int(depth)
            ),
            1 => format!("({}) ? {} : 0", self.int(depth), self.one(POINTERS)),
            2 => {
                let pairs = [
                    ("p_int", "a_int"),
                    ("p_void", "p_int"),
                    ("p_cchar", "\"x\""),
                    ("p_cchar", "p_void"),
                    ("p_int", "(void *)0"),
                    ("&v_cuchar", "&v_uchar"),
                    ("f_int", "&f_int"),
                ];
                let (a, b) = *self.choices.pick("pair", &pairs).expect("not empty");
                format!("({}) ? {a} : {b}", self.int(depth))
            }
            3 => format!("(({}), {})", self.int(depth), self.one(POINTERS)),
            4 => {
                format!("{}{}", self.one(&["++", "--"]), self.one(&["p_int", "p_cchar", "*pp_int", "p_bits"]))
            }
            _ => self.one(POINTERS).to_owned(),
        }
    }
}

impl Source for Writer<'_> {
    fn shape(&self) -> Shape {
        Shape { floats: true, effects: !self.constant, partial: true }
    }

    fn below(&mut self, name: &'static str, count: u64) -> u64 {
        self.choices.range(name, 0..=count - 1)
    }

    fn leaf(&mut self, class: Class) -> String {
        match (class, self.constant) {
            (Class::Float, true) => self.one(&["1.5", "2.5f", "0x1p3L", "1e3", "0.0"]).to_owned(),
            (Class::Float, false) => self.one(FLOAT_VALUES).to_owned(),
            (Class::Int, true) if self.choices.chance("named", 1, 4) => {
                self.one(&["S_B", "N_A", "W_A", "'x'", "sizeof(long)", "sizeof(struct bits)"]).to_owned()
            }
            (Class::Int, true) => expression::integer(self),
            (Class::Int, false) => match self.choices.range("leaf", 0..=3u32) {
                0 => expression::integer(self),
                1 => self.one(INT_VALUES).to_owned(),
                _ => self.one(INT_LVALUES).to_owned(),
            },
        }
    }

    fn lvalue(&mut self, class: Class) -> String {
        let floats = &["v_float", "v_double", "v_ldouble", "v_plain.f", "*p_double"];
        self.one(if class == Class::Float { floats } else { INT_LVALUES }).to_owned()
    }

    fn type_name(&mut self, class: Class) -> &'static str {
        self.one(if class == Class::Float { FLOAT_TYPES } else { INT_TYPES })
    }
}

struct Case {
    text: String,
    constant: bool,
}

fn cases(choices: &mut Choices) -> Vec<Case> {
    (0..PER_FILE as u64)
        .map(|n| {
            let mut choices = choices.sub_indexed("case", n);
            let constant = choices.chance("constant", 1, 3);
            let depth = choices.range("depth", 1..=4u32);
            let pointer = !constant && choices.chance("pointer", 1, 5);
            let mut writer = Writer { choices: &mut choices, constant };
            let text =
                if pointer { writer.pointer(depth) } else { expression::draw_any(&mut writer, depth).text() };
            Case { text, constant }
        })
        .collect()
}

/// Functions whose only statement is the expression: what Howler reads.
fn text_for_howler(cases: &[Case]) -> String {
    let mut text = String::from(PRELUDE);
    for (n, case) in cases.iter().enumerate() {
        writeln!(text, "void case_{n}(void) {{ {}; }}", case.text).expect("writing to a string");
    }
    text
}

/// A program that prints type index and value of every expression: what the compilers run.
fn text_for_compiler(cases: &[Case], wanted: &[Option<i128>], arch: Arch) -> String {
    let mut text = String::from("#include <stdio.h>\n");
    text.push_str(PRELUDE);
    text.push_str("#define TYPE(...) _Generic((__VA_ARGS__)");
    for (n, (name, _)) in GENERIC.iter().enumerate() {
        write!(text, ", {name}: {n}").expect("writing to a string");
    }
    for (n, name) in GENERIC_POINTERS.iter().enumerate() {
        write!(text, ", {name}: {}", 100 + n).expect("writing to a string");
    }
    text.push_str(", default: 999)\nint main(void) {\n");
    for (n, case) in cases.iter().enumerate() {
        writeln!(text, "printf(\"%d \", TYPE({}));", case.text).expect("writing to a string");
        if wanted[n].is_some() {
            let e = &case.text;
            let high = match arch {
                Arch::X86_64 => format!("(unsigned long long)((unsigned __int128)({e}) >> 64)"),
                Arch::I386 => "0ULL".to_owned(),
            };
            writeln!(text, "printf(\"%llx %llx\", (unsigned long long)({e}), {high});")
                .expect("writing to a string");
        }
        text.push_str("puts(\"\");\n");
    }
    text.push_str("return 0;\n}\n");
    text
}

/// Howler's index of a type in the tables above.
fn type_index(program: &Program, ty: Type) -> usize {
    if let Some(index) = GENERIC.iter().position(|&(_, known)| known == ty) {
        return index;
    }
    if let TypeKind::Enum(id) = program.types.kind(ty) {
        let underlying = program.types.enums[id].underlying.ty();
        return GENERIC.iter().position(|&(_, known)| known == underlying).unwrap_or(999);
    }
    let name = howler_lang::print::type_name(program, ty);
    let compact = |text: &str| text.replace(' ', "");
    GENERIC_POINTERS.iter().position(|known| compact(known) == compact(&name)).map_or(999, |n| 100 + n)
}

fn check(compiler: &str, target: Target, file: u64) -> usize {
    let mut choices = Choices::new(7).sub_indexed("file", file);
    let cases = cases(&mut choices);
    let mut program = Program::new(target);
    let text = text_for_howler(&cases);
    let report = howler_front::parse(&mut program, "cases.c", text.into(), &howler_front::Options::default());
    let errors: Vec<String> = report
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity != Severity::Warning)
        .map(|diagnostic| howler_lang::diag::render(diagnostic, &program.sources, false))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    let mine: Vec<(usize, Option<i128>)> = cases
        .iter()
        .enumerate()
        .map(|(n, case)| {
            let name = program.symbols.get(&format!("case_{n}")).expect("the function was read");
            let (_, function) = program.funcs.iter().find(|(_, f)| f.name == name).expect("it was read");
            let body = function.body.expect("it has a body");
            let StmtKind::Compound(list) = program.stmts[body].kind else { panic!("a body is compound") };
            let StmtKind::Expr(e) = program.stmts[program.block(list)[0]].kind else {
                panic!("case {n} `{}` is no expression", case.text)
            };
            let value = if case.constant { fold::integer(&program, e) } else { None };
            (type_index(&program, program.ty(e)), value)
        })
        .collect();

    let scratch = Scratch::new();
    let wanted: Vec<Option<i128>> = mine.iter().map(|(_, value)| *value).collect();
    let source = scratch.write("cases.c", text_for_compiler(&cases, &wanted, target.arch));
    let binary = scratch.path("cases");
    let mut args = vec!["-w", "-std=gnu17", "-O0"];
    if target.arch == Arch::I386 {
        args.extend(["-m32", "-msse2", "-mfpmath=sse"]);
    }
    let (source, out) = (source.display().to_string(), binary.display().to_string());
    args.extend([source.as_str(), "-o", out.as_str()]);
    let built = run(compiler, &args, &Options::default());
    assert!(built.success(), "{compiler}: {}", built.stderr_text());
    // The values are constants and the types are not evaluated, so nothing here can trap.
    let output = run(&binary, [""; 0], &Options::default());
    assert!(output.success(), "{compiler}: the program ends with {:?} {:?}", output.code, output.signal);
    let theirs = output.stdout_text();
    let mut wrong = Vec::new();
    for (n, (line, (ty, value))) in theirs.lines().zip(&mine).enumerate() {
        let mask = if target.arch == Arch::X86_64 { u64::MAX } else { 0 };
        let expected = match value {
            Some(value) => {
                let bits = value.cast_unsigned();
                format!("{ty} {:x} {:x}", bits as u64, (bits >> 64) as u64 & mask)
            }
            None => format!("{ty}"),
        };
        if line.trim() != expected.trim() {
            wrong.push(format!("`{}`: {compiler} says {line}, Howler {expected}", cases[n].text));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert_eq!(theirs.lines().count(), cases.len());
    cases.len()
}

fn check_all(compiler: &'static str, family: Compiler, arch: Arch) {
    if tool(compiler).is_none() {
        return;
    }
    let target = Target { compiler: family, arch, ..Target::X86_64_GCC };
    let files = if soak() { 24 } else { 2 };
    let count: usize = (0..files).map(|file| check(compiler, target, file)).sum();
    println!("{compiler} {arch:?}: {count} expressions agree");
}

#[test]
fn types_and_values_agree_with_gcc_on_x86_64() {
    check_all("gcc-12", Compiler::Gcc, Arch::X86_64);
}

#[test]
fn types_and_values_agree_with_gcc_on_i386() {
    check_all("gcc-12", Compiler::Gcc, Arch::I386);
}

#[test]
fn types_and_values_agree_with_clang_on_x86_64() {
    check_all("clang-16", Compiler::Clang, Arch::X86_64);
}

#[test]
fn types_and_values_agree_with_clang_on_i386() {
    check_all("clang-16", Compiler::Clang, Arch::I386);
}
