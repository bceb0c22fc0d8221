//! Random expressions over every arithmetic type, each in a function of its own that prints its value exactly.
//!
//! Nothing here knows which expressions are defined: values sit at the edges, and the machine decides.

use howler_choices::Choices;
use howler_lang::target::{Arch, Target};
use howler_testkit::expression::{self, Class, Shape, Source};
use std::fmt::Write as _;

/// A function and the objects before it; `@` stands for a number.
pub struct Case {
    pub before: String,
    pub body: String,
}

/// A constant that is not a number, as expressions write it.
pub const NAN: &str = "(1e999 - 1e999)";

/// What all functions share: printing by bytes, and without a NaN's sign and payload, which are open.
pub fn prelude(arch: Arch) -> String {
    let int = match arch {
        Arch::X86_64 => {
            "static void show_int(unsigned __int128 x) {
  printf(\"%llx:%llx \", (unsigned long long)(x >> 64), (unsigned long long)x); }"
        }
        Arch::I386 => "static void show_int(unsigned long long x) { printf(\"%llx \", x); }",
    };
    format!("{SHARED}{int}\n")
}

const SHARED: &str = r#"int printf(const char *, ...);
void *memcpy(void *, const void *, __typeof__(sizeof 0));
enum small { S_A, S_B = 7 }; enum negative { N_A = -1, N_B = 9 }; enum wide { W_A = 0x100000000LL, W_B = 1 };
static void show_float(float x) {
  unsigned u; if (x != x) { printf("nan "); return; } memcpy(&u, &x, 4); printf("%x ", u); }
static void show_double(double x) {
  unsigned long long u; if (x != x) { printf("nan "); return; } memcpy(&u, &x, 8); printf("%llx ", u); }
static void show_ldouble(long double x) {
  unsigned long long u; unsigned short s; if (x != x) { printf("nan "); return; }
  memcpy(&u, &x, 8); memcpy(&s, (char *)&x + 8, 2); printf("%x:%llx ", s, u); }
"#;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Bool,
    Int,
    Enum,
    Float,
}

#[derive(Clone, Copy)]
struct Scalar {
    name: &'static str,
    bits: u32,
    signed: bool,
    form: Form,
}

const fn int(name: &'static str, bits: u32, signed: bool) -> Scalar {
    Scalar { name, bits, signed, form: Form::Int }
}

const fn float(name: &'static str) -> Scalar {
    Scalar { name, bits: 0, signed: true, form: Form::Float }
}

/// `long` has the width of x86-64 here; see [`Writer::int_type`].
const INTS: [Scalar; 17] = [
    Scalar { name: "_Bool", bits: 1, signed: false, form: Form::Bool },
    int("char", 8, true),
    int("signed char", 8, true),
    int("unsigned char", 8, false),
    int("short", 16, true),
    int("unsigned short", 16, false),
    int("int", 32, true),
    int("unsigned", 32, false),
    int("long", 64, true),
    int("unsigned long", 64, false),
    int("long long", 64, true),
    int("unsigned long long", 64, false),
    Scalar { name: "enum small", bits: 32, signed: false, form: Form::Enum },
    Scalar { name: "enum negative", bits: 32, signed: true, form: Form::Enum },
    Scalar { name: "enum wide", bits: 64, signed: false, form: Form::Enum },
    int("__int128", 128, true),
    int("unsigned __int128", 128, false),
];

const FLOATS: [Scalar; 3] = [float("float"), float("double"), float("long double")];

/// The expression number `@` and everything it needs.
pub fn case(target: Target, choices: &mut Choices) -> Case {
    let mut writer = Writer {
        arch: target.arch,
        choices,
        case: Case { before: String::new(), body: String::new() },
        after: String::new(),
        objects: 0,
        readable: Vec::new(),
    };
    let depth = writer.choices.range("depth", 1..=5u32);
    if writer.choices.chance("float", 1, 3) {
        let expr = expression::draw(&mut writer, Class::Float, depth).text();
        let show =
            *writer.choices.one_of("show", &["show_ldouble", "show_ldouble", "show_double", "show_float"]);
        writer.after.insert_str(0, &format!("  {show}(({expr}));\n"));
    } else {
        let expr = expression::draw(&mut writer, Class::Int, depth).text();
        writer.after.insert_str(0, &format!("  show_int(({expr}));\n"));
    }
    let Writer { mut case, after, .. } = writer;
    case.body.push_str(&after);
    case.body.push_str("  printf(\"\\n\");\n");
    case
}

struct Object {
    lvalue: String,
    ty: Scalar,
    /// Neither a bit-field nor volatile: its address may be taken and it may be read again.
    plain: bool,
}

struct Writer<'a> {
    arch: Arch,
    choices: &'a mut Choices,
    case: Case,
    /// What is shown after the expression: the objects it changed, and the neighbours of changed bit-fields.
    after: String,
    objects: u32,
    readable: Vec<(String, Scalar)>,
}

impl Writer<'_> {
    fn one(&mut self, list: &[&'static str]) -> &'static str {
        self.choices.pick("item", list).copied().expect("lists are not empty")
    }

    fn int_type(&mut self) -> Scalar {
        let last = if self.arch == Arch::X86_64 { 16 } else { 14 };
        let mut ty = INTS[self.choices.range("int type", 0..=last)];
        if self.arch == Arch::I386 && matches!(ty.name, "long" | "unsigned long") {
            ty.bits = 32;
        }
        ty
    }

    fn float_type(&mut self) -> Scalar {
        *self.choices.one_of("float type", &FLOATS)
    }

    fn any_type(&mut self) -> Scalar {
        if self.choices.chance("float type", 1, 4) { self.float_type() } else { self.int_type() }
    }

    /// A constant expression for an object of `width` bits.
    fn value(&mut self, ty: Scalar, width: u32) -> String {
        if ty.form == Form::Float {
            return self.float_literal();
        }
        let max = u128::MAX.checked_shr(128 - width + u32::from(ty.signed)).unwrap_or(0);
        let bits = match self.choices.range("value", 0..=9u32) {
            0..=3 => return format!("({})({})", ty.name, self.choices.range("small", -9..=12i32)),
            4 => max - self.choices.range("below", 0..=2u128).min(max),
            5 => (max + u128::from(max < u128::MAX)).wrapping_add(self.choices.range("above", 0..=2u128)),
            6 => {
                let power = 1u128 << self.choices.range("power", 0..=width - 1);
                power.wrapping_add(self.choices.range("near", 0..=2u128)).wrapping_sub(1)
            }
            7 => self.choices.bits("half", width.div_ceil(2)),
            _ => self.choices.bits("any", width),
        };
        let bits = if width < 128 { bits & ((1 << width) - 1) } else { bits };
        let (high, low) = ((bits >> 64) as u64, bits as u64);
        if high == 0 {
            return format!("({})0x{low:x}ull", ty.name);
        }
        format!("({})((unsigned __int128)0x{high:x}ull << 64 | 0x{low:x}ull)", ty.name)
    }

    fn float_literal(&mut self) -> String {
        const PLAIN: [&str; 14] = [
            "0.0", "1.0", "-2.0", "3.0f", "4.0L", "0.5", "-1.5f", "7.25", "-0.75L", "100.0", "-8.0", "0.1",
            "-3.7f", "1e3L",
        ];
        const ODD: [&str; 22] = [
            "-0.0",
            "-0.0f",
            "16777217.0",
            "9007199254740993.0L",
            "2147483647.0",
            "-2147483648.0f",
            "4294967295.0",
            "9223372036854775807.0L",
            "18446744073709551615.0L",
            "1e30",
            "1e-30f",
            "1e300",
            "1e-300L",
            "3.4028235e38f",
            "1.7976931348623157e308",
            "1e-45f",
            "4.9406564584124654e-324",
            "3.6451995318824746e-4951L",
            "0x1.fffffep-1f",
            "1e999",
            "-1e999",
            NAN,
        ];
        if self.choices.chance("plain", 2, 3) {
            (*self.choices.one_of("plain float", &PLAIN)).to_owned()
        } else {
            (*self.choices.one_of("odd float", &ODD)).to_owned()
        }
    }

    /// Declares an object and says how to name it.
    fn object(&mut self, ty: Scalar) -> Object {
        let n = self.objects;
        self.objects += 1;
        let global = self.choices.chance("global", 1, 3);
        let (name, storage) = if global {
            (format!("g@_{n}"), *self.choices.one_of("linkage", &["", "static "]))
        } else {
            (format!("v{n}"), "")
        };
        let t = ty.name;
        let place = self.choices.range("place", 0..=12u32);
        if place >= 9 && ty.form != Form::Float {
            return self.bit_field(ty, &name, storage, global);
        }
        let value = self.value(ty, ty.bits);
        let mut plain = true;
        let (declaration, lvalue) = match place {
            0 => {
                plain = false;
                (format!("{storage}volatile {t} {name} = {value};"), name)
            }
            1 | 2 => {
                let (before, behind) = (self.any_type().name, self.any_type().name);
                let members = format!("struct {{ {before} a; {t} m; {behind} z; }}");
                let member = *self.choices.one_of("member", &[".m", "->m"]);
                let lvalue = if member == ".m" { format!("{name}.m") } else { format!("(&{name})->m") };
                (format!("{storage}{members} {name} = {{ 1, {value}, 2 }};"), lvalue)
            }
            3 | 4 => {
                let (first, last) = (self.value(ty, ty.bits), self.value(ty, ty.bits));
                let lvalue = match self.choices.range("element", 0..=4u32) {
                    0 => format!("{name}[1]"),
                    1 => format!("*({name} + 1)"),
                    2 => format!("1[{name}]"),
                    3 => format!("(&{name}[2])[-1]"),
                    _ => {
                        let index = self.int_type().name;
                        writeln!(self.case.body, "  {index} i{n} = 1;").expect("strings grow");
                        format!("{name}[i{n}]")
                    }
                };
                (format!("{storage}{t} {name}[3] = {{ {first}, {value}, {last} }};"), lvalue)
            }
            5 | 6 => {
                let read = *self.choices.one_of("read", &["*p", "p[0]", "**q"]);
                let pointers = format!("{t} *p{n} = &{name}, **q{n} = &p{n};");
                let lvalue = match read {
                    "*p" => format!("*p{n}"),
                    "p[0]" => format!("p{n}[0]"),
                    _ => format!("**q{n}"),
                };
                let object = format!("{storage}{t} {name} = {value};");
                if global {
                    writeln!(self.case.before, "{object}").expect("strings grow");
                    writeln!(self.case.body, "  {pointers}").expect("strings grow");
                } else {
                    writeln!(self.case.body, "  {object} {pointers}").expect("strings grow");
                }
                return Object { lvalue, ty, plain };
            }
            _ => (format!("{storage}{t} {name} = {value};"), name),
        };
        self.declare(global, &declaration);
        Object { lvalue, ty, plain }
    }

    fn declare(&mut self, global: bool, declaration: &str) {
        if global {
            writeln!(self.case.before, "{declaration}").expect("strings grow");
        } else {
            writeln!(self.case.body, "  {declaration}").expect("strings grow");
        }
    }

    /// A bit-field of any width between two others.
    fn bit_field(&mut self, ty: Scalar, name: &str, storage: &str, global: bool) -> Object {
        let (mut members, mut values) = (String::new(), Vec::new());
        for member in ["a", "m", "z"] {
            let ty = if member == "m" { ty } else { self.int_type() };
            // Beyond the width of int the dialects differ.
            let low = if ty.bits > 32 && self.choices.chance("wide", 1, 2) { 33 } else { 1 };
            let width = self.choices.range("width", low..=ty.bits);
            write!(members, " {} {member} : {width};", ty.name).expect("strings grow");
            values.push(self.value(ty, width));
        }
        let packed = if self.choices.chance("packed", 1, 8) { " __attribute__((packed))" } else { "" };
        let declaration =
            format!("{storage}struct {{{members} }}{packed} {name} = {{ {} }};", values.join(", "));
        self.declare(global, &declaration);
        writeln!(self.after, "  show_int({name}.a); show_int({name}.z);").expect("strings grow");
        let lvalue =
            if self.choices.chance("arrow", 1, 4) { format!("(&{name})->m") } else { format!("{name}.m") };
        Object { lvalue, ty, plain: false }
    }

    /// An object to read: often one that is there already.
    fn read(&mut self, float: bool) -> String {
        let known: Vec<usize> =
            (0..self.readable.len()).filter(|&n| (self.readable[n].1.form == Form::Float) == float).collect();
        if self.choices.chance("again", 1, 3)
            && let Some(&n) = self.choices.pick("known", &known)
        {
            return self.readable[n].0.clone();
        }
        let ty = if float { self.float_type() } else { self.int_type() };
        let object = self.object(ty);
        if object.plain {
            self.readable.push((object.lvalue.clone(), ty));
        }
        object.lvalue
    }

    /// An object that the expression changes, and that nothing else in it names.
    fn fresh(&mut self, float: bool) -> String {
        let ty = if float { self.float_type() } else { self.int_type() };
        let object = self.object(ty);
        let show = match object.ty.name {
            "float" => "show_float",
            "double" => "show_double",
            "long double" => "show_ldouble",
            _ => "show_int",
        };
        writeln!(self.after, "  {show}({});", object.lvalue).expect("strings grow");
        object.lvalue
    }

    /// A value of an object's bytes, or of its address.
    fn through_pointer(&mut self) -> String {
        let ty = self.any_type();
        let object = self.object(ty);
        if !object.plain {
            return if ty.form == Form::Float { format!("!({})", object.lvalue) } else { object.lvalue };
        }
        let lvalue = object.lvalue;
        let byte = *self.choices.one_of("character", &["char", "signed char", "unsigned char"]);
        match self.choices.range("pointer", 0..=5u32) {
            0 => format!("*({byte} *)&({lvalue})"),
            1 => format!("(({byte} *)&({lvalue}))[sizeof({lvalue}) - 1]"),
            2 => format!("(({byte} *)&({lvalue}))[sizeof({lvalue}) / 2]"),
            3 => format!("sizeof({lvalue})"),
            4 => format!("&({lvalue}) + 1 - &({lvalue})"),
            _ => format!("*&({lvalue}) == *({} *)(void *)&({lvalue})", ty.name),
        }
    }
}

impl Source for Writer<'_> {
    fn shape(&self) -> Shape {
        Shape { floats: true, effects: true, partial: true }
    }

    fn below(&mut self, name: &'static str, count: u64) -> u64 {
        self.choices.range(name, 0..=count - 1)
    }

    fn leaf(&mut self, class: Class) -> String {
        if class == Class::Float {
            return if self.choices.chance("literal", 1, 4) { self.float_literal() } else { self.read(true) };
        }
        match self.choices.range("int leaf", 0..=9u32) {
            0 | 1 => expression::integer(self),
            2 => self.one(&["S_A", "S_B", "N_A", "W_A", "W_B", "'x'", "'\\377'", "L'y'", "u'z'"]).to_owned(),
            3 => self.through_pointer(),
            _ => self.read(false),
        }
    }

    fn lvalue(&mut self, class: Class) -> String {
        self.fresh(class == Class::Float)
    }

    fn type_name(&mut self, class: Class) -> &'static str {
        match class {
            Class::Int => self.int_type().name,
            Class::Float => self.float_type().name,
        }
    }
}
