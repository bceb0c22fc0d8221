//! Random small functions over complex values and vectors that print what they compute.

use howler_choices::Choices;
use howler_lang::target::Arch;
use std::fmt::Write as _;

/// What a function is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    Complex,
    Vector,
    Shuffle,
    Call,
}

/// What all functions share: printing without the questions of formatting, and without a NaN's sign.
pub const PRELUDE: &str = r#"
int printf(const char *, ...);
void *memcpy(void *, const void *, __typeof__(sizeof 0));
typedef __builtin_va_list va_list;
static void show_int(unsigned long long x) { printf("%llx ", x); }
static void show_float(float x) {
  unsigned u; if (x != x) { printf("nan "); return; } memcpy(&u, &x, 4); printf("%x ", u); }
static void show_double(double x) {
  unsigned long long u; if (x != x) { printf("nan "); return; } memcpy(&u, &x, 8); printf("%llx ", u); }
static void show_ldouble(long double x) {
  unsigned long long u; unsigned short s; if (x != x) { printf("nan "); return; }
  memcpy(&u, &x, 8); memcpy(&s, (char *)&x + 8, 2); printf("%x:%llx ", s, u); }
"#;

#[derive(Clone, Copy)]
struct Elem {
    name: &'static str,
    show: &'static str,
    size: u32,
    float: bool,
    signed: bool,
}

const fn int(name: &'static str, size: u32, signed: bool) -> Elem {
    Elem { name, show: "show_int", size, float: false, signed }
}

const FLOATS: [Elem; 3] = [
    Elem { name: "float", show: "show_float", size: 4, float: true, signed: true },
    Elem { name: "double", show: "show_double", size: 8, float: true, signed: true },
    Elem { name: "long double", show: "show_ldouble", size: 16, float: true, signed: true },
];

const INTS: [Elem; 8] = [
    int("signed char", 1, true),
    int("unsigned char", 1, false),
    int("short", 2, true),
    int("unsigned short", 2, false),
    int("int", 4, true),
    int("unsigned", 4, false),
    int("long long", 8, true),
    int("unsigned long long", 8, false),
];

/// What stands before a function, and its body; `@` stands for a number.
pub fn function(family: Family, arch: Arch, choices: &mut Choices) -> (String, String) {
    let (mut before, mut body) = (String::new(), String::new());
    match family {
        Family::Complex => complex(choices, &mut body),
        Family::Vector => vector(arch, choices, &mut body),
        Family::Shuffle => shuffle(choices, &mut body),
        Family::Call => call(arch, choices, &mut before, &mut body),
    }
    (before, body)
}

fn line(body: &mut String, text: impl AsRef<str>) {
    writeln!(body, "  {}", text.as_ref()).expect("strings grow");
}

fn value(elem: Elem, choices: &mut Choices) -> String {
    if elem.float {
        let plain = ["0.0", "1.0", "-2.0", "3.0", "4.0", "0.5", "-1.5", "7.0", "10.0", "-8.0"];
        let odd = [
            "-0.0",
            "0.1",
            "-3.7",
            "1e30",
            "1e-30",
            "1e999",
            "-1e999",
            "(1e999 - 1e999)",
            "1e300",
            "16777217.0",
        ];
        let text = if choices.chance("plain", 3, 4) {
            choices.one_of("plain value", &plain)
        } else {
            choices.one_of("odd value", &odd)
        };
        return format!("({}){text}", elem.name);
    }
    if choices.chance("small", 3, 4) {
        let low = if elem.signed { -9 } else { 0 };
        return format!("({})({})", elem.name, choices.range("small value", low..=12));
    }
    format!("({})0x{:x}ull", elem.name, choices.bits("any value", elem.size * 8))
}

fn complex_elem(choices: &mut Choices) -> Elem {
    if choices.chance("float parts", 2, 3) {
        *choices.one_of("float", &FLOATS)
    } else {
        // Narrow parts are promoted by one compiler and not by the other.
        *choices.one_of("int", &[INTS[4], INTS[5], INTS[6], INTS[7]])
    }
}

fn declare_complex(name: &str, elem: Elem, choices: &mut Choices, body: &mut String) {
    let (real, imaginary) = (value(elem, choices), value(elem, choices));
    let ty = elem.name;
    line(body, format!("_Complex {ty} {name}; __real__ {name} = {real}; __imag__ {name} = {imaginary};"));
}

fn show_complex(expr: &str, elem: Elem, body: &mut String) {
    let Elem { name, show, .. } = elem;
    line(
        body,
        format!(
            "{{ _Complex {name} out = {expr}; {show}(({name})__real__ out); {show}(({name})__imag__ out); }}"
        ),
    );
}

fn complex(choices: &mut Choices, body: &mut String) {
    let (t, u, r) = (complex_elem(choices), complex_elem(choices), complex_elem(choices));
    declare_complex("a", t, choices, body);
    declare_complex("b", t, choices, body);
    declare_complex("c", u, choices, body);
    line(body, format!("{} r = {};", r.name, value(r, choices)));
    line(body, format!("{} s = {};", t.name, value(t, choices)));
    let op = *choices.one_of("operator", &["+", "-", "*", "/", "+", "-", "*"]);
    match choices.range("form", 0..=17u32) {
        0 | 1 => show_complex(&format!("a {op} b"), t, body),
        2 => show_complex(&format!("a {op} c"), t, body),
        3 => show_complex(&format!("c {op} a"), u, body),
        4 => show_complex(&format!("a {op} s"), t, body),
        5 => show_complex(&format!("s {op} a"), t, body),
        6 => show_complex(&format!("r {op} a"), t, body),
        7 => {
            line(body, format!("a {op}= {};", choices.one_of("right", &["b", "c", "r", "s"])));
            show_complex("a", t, body);
        }
        8 => {
            line(body, format!("r {op}= {};", choices.one_of("right", &["a", "c"])));
            line(body, format!("{}(r);", r.show));
        }
        9 => show_complex(*choices.one_of("unary", &["-a", "+a", "~a", "-~a", "~(a + b)"]), t, body),
        10 => {
            let tests = [
                "a == b",
                "a != b",
                "a == r",
                "s != a",
                "a == c",
                "!a",
                "a && b",
                "a || c",
                "(a ? 1 : 2)",
                "a == a",
            ];
            line(body, format!("show_int({});", choices.one_of("test", &tests)));
        }
        11 => {
            let step = choices.one_of("step", &["a++", "a--", "++a", "--a"]);
            show_complex(step, t, body);
            show_complex("a", t, body);
        }
        12 => show_complex(&format!("(_Complex {})a", u.name), u, body),
        13 => line(body, format!("{}(({})a);", r.show, r.name)),
        14 => show_complex("r", t, body),
        15 => {
            line(body, "__imag__ a += s; __real__ a -= s; s = __real__ b + __imag__ a;");
            show_complex("a", t, body);
            line(body, format!("{}(s);", t.show));
        }
        16 => show_complex(&format!("(s != s ? a : b) {op} ({{ _Complex {} k = b; k; }})", t.name), t, body),
        _ => show_complex(&format!("(a {op} b) + ((_Complex {})c - a)", t.name), t, body),
    }
}

fn vector_elem(choices: &mut Choices) -> Elem {
    if choices.chance("float lanes", 1, 4) {
        *choices.one_of("float", &[FLOATS[0], FLOATS[1]])
    } else {
        *choices.one_of("int", &INTS)
    }
}

struct Lanes {
    elem: Elem,
    count: u32,
}

impl Lanes {
    fn show(&self, expr: &str, body: &mut String) {
        let Elem { name, show, .. } = self.elem;
        let each = format!("for (int n = 0; n < {}; n++) {show}(({name})out[n]);", self.count);
        line(body, format!("{{ V out = {expr}; {each} }}"));
    }

    fn declare(&self, name: &str, choices: &mut Choices, body: &mut String) {
        let values: Vec<String> = (0..self.count).map(|_| value(self.elem, choices)).collect();
        line(body, format!("V {name} = {{ {} }};", values.join(", ")));
    }
}

fn bytes(arch: Arch, choices: &mut Choices) -> u32 {
    // On i386 short vectors live in MMX registers, which are the x87's.
    match arch {
        Arch::I386 => 16,
        Arch::X86_64 => *choices.one_of("bytes", &[8, 16, 32]),
    }
}

fn vector(arch: Arch, choices: &mut Choices, body: &mut String) {
    let (elem, bytes) = (vector_elem(choices), bytes(arch, choices));
    let v = Lanes { elem, count: bytes / elem.size };
    line(body, format!("typedef {} V __attribute__((vector_size({bytes})));", elem.name));
    v.declare("a", choices, body);
    v.declare("b", choices, body);
    line(body, format!("{} s = {};", elem.name, value(elem, choices)));
    let arithmetic: &[&str] = if elem.float {
        &["+", "-", "*", "/"]
    } else {
        &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]
    };
    let op = *choices.pick("operator", arithmetic).expect("there are operators");
    let form = choices.range("form", 0..=13u32);
    // The bits of a NaN are open.
    let form = if matches!(form, 10 | 11) && body.contains("(1e999 - 1e999)") { 0 } else { form };
    match form {
        0..=2 => v.show(&format!("a {op} b"), body),
        3 => v.show(&format!("a {op} s"), body),
        4 => {
            line(body, format!("a {op}= {};", choices.one_of("right", &["b", "s"])));
            v.show("a", body);
        }
        5 => {
            let compare = choices.one_of("compare", &["<", ">", "<=", ">=", "==", "!="]);
            let each = format!("for (int n = 0; n < {}; n++) show_int((unsigned long long)m[n]);", v.count);
            line(body, format!("{{ __typeof__(a < b) m = a {compare} b; {each} }}"));
        }
        6 => {
            let unary: &[&str] = if elem.float { &["-a", "+a"] } else { &["-a", "+a", "~a", "~-a"] };
            v.show(choices.pick("unary", unary).expect("there are operators"), body);
        }
        7 | 8 => {
            line(body, format!("int i = {};", choices.range("lane", 0..=v.count - 1)));
            line(body, format!("a[i] = b[{}] + s; s = (a + b)[i];", choices.range("lane", 0..=v.count - 1)));
            line(body, format!("{}(s);", elem.show));
            v.show("a", body);
        }
        9 => {
            let other = vector_elem(choices);
            let count = v.count;
            line(
                body,
                format!("typedef {} W __attribute__((vector_size({})));", other.name, other.size * count),
            );
            line(body, "W w = __builtin_convertvector(a, W);");
            line(body, format!("for (int n = 0; n < {count}; n++) {}(({})w[n]);", other.show, other.name));
        }
        10 => {
            let other = vector_elem(choices);
            line(body, format!("typedef {} W __attribute__((vector_size({bytes})));", other.name));
            line(body, "W w = (W)a;");
            let count = bytes / other.size;
            line(body, format!("for (int n = 0; n < {count}; n++) {}(({})w[n]);", other.show, other.name));
        }
        11 if bytes == 8 => {
            line(body, "unsigned long long bits = (unsigned long long)a; show_int(bits);");
            v.show("(V)(bits ^ 0x0102ull)", body);
        }
        11 | 12 => {
            line(
                body,
                "struct S { char c; V v; } x = { 1, a }, y; y = x; y.v += b; V *p = &x.v; *p = *p - y.v;",
            );
            v.show("x.v", body);
            v.show("y.v", body);
        }
        _ => {
            let indices: Vec<String> =
                (0..v.count).map(|_| choices.range("index", 0..=2 * v.count - 1).to_string()).collect();
            v.show(&format!("__builtin_shufflevector(a, b, {})", indices.join(", ")), body);
        }
    }
}

/// What clang does not have: `__builtin_shuffle`, and `++` and `--` of vectors.
fn shuffle(choices: &mut Choices, body: &mut String) {
    let elem = vector_elem(choices);
    let v = Lanes { elem, count: 16 / elem.size };
    let index = match elem.size {
        1 => "unsigned char",
        2 => "short",
        4 => "int",
        _ => "unsigned long long",
    };
    line(body, format!("typedef {} V __attribute__((vector_size(16)));", elem.name));
    line(body, format!("typedef {index} M __attribute__((vector_size(16)));"));
    v.declare("a", choices, body);
    v.declare("b", choices, body);
    let mask: Vec<String> = (0..v.count).map(|_| choices.range("index", 0..=40u32).to_string()).collect();
    line(body, format!("M m = {{ {} }};", mask.join(", ")));
    let exprs = [
        "__builtin_shuffle(a, m)",
        "__builtin_shuffle(a, b, m)",
        "a++",
        "a--",
        "++a",
        "--a",
        "__builtin_shuffle(a--, m)",
    ];
    v.show(*choices.one_of("shuffle", &exprs), body);
    v.show("a", body);
}

/// Values as parameters, results and variable arguments.
fn call(arch: Arch, choices: &mut Choices, before: &mut String, body: &mut String) {
    let complex = choices.chance("complex", 1, 2);
    let elem = if complex { complex_elem(choices) } else { vector_elem(choices) };
    let Elem { name, show, .. } = elem;
    let count = if complex { 2 } else { bytes(arch, choices) / elem.size };
    let ty = match complex {
        true => format!("typedef _Complex {name} V@;"),
        false => format!("typedef {name} V@ __attribute__((vector_size({})));", count * elem.size),
    };
    line(before, ty);
    line(before, "struct S@ { char c; V@ v; };");
    line(before, "static V@ second@(V@ a, V@ b) { a = b; return a; }");
    line(before, "static struct S@ wrap@(V@ a) { struct S@ s = { 1, a }; return s; }");
    line(
        before,
        "static V@ last@(int n, ...) { va_list ap; __builtin_va_start(ap, n); V@ v = __builtin_va_arg(ap, V@);",
    );
    line(before, "  while (--n) { __builtin_va_arg(ap, int); v = v + __builtin_va_arg(ap, V@); }");
    line(before, "  __builtin_va_end(ap); return v; }");
    for variable in ["a", "b"] {
        let values: Vec<String> = (0..count).map(|_| value(elem, choices)).collect();
        let set = match complex {
            true => format!(
                "V@ {variable}; __real__ {variable} = {}; __imag__ {variable} = {};",
                values[0], values[1]
            ),
            false => format!("V@ {variable} = {{ {} }};", values.join(", ")),
        };
        line(body, set);
    }
    line(body, "V@ (*p)(V@, V@) = second@;");
    let calls =
        ["second@(a, b)", "p(b, second@(b, a))", "wrap@(a).v + b", "last@(1, a)", "last@(3, a, 1, b, 2, a)"];
    let call = choices.one_of("call", &calls);
    let parts = match complex {
        true => format!("{show}(({name})__real__ out); {show}(({name})__imag__ out);"),
        false => format!("for (int n = 0; n < {count}; n++) {show}(({name})out[n]);"),
    };
    line(body, format!("{{ V@ out = {call}; {parts} }}"));
}
