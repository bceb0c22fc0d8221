//! `lang::arith` against gcc-12 and clang-16 at -O0, on x86-64 and i386.
//!
//! One generated C program per target has a kernel per type: it reads operand pairs from standard input, applies every
//! operator or conversion, and writes the raw bytes of the results. Which operations of a pair are defined is decided
//! here and sent along, so the C side never runs undefined behaviour (left shifts into the sign aside, where the
//! compilers' plain result is checked too). About 200,000 pairs a target; `HOWLER_SOAK=1` makes it 10,000,000.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

use howler_lang::arith::{
    Format, Num, Strength, Undefined, binary, convert, decrement, increment, parse_float, print_float, shift,
    unary, wrapped_binary, wrapped_shift, wrapped_unary,
};
use howler_lang::program::{BinaryOp, UnaryOp};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const COMPILERS: [&str; 2] = ["gcc-12", "clang-16"];
const RECORD: usize = 36;
const CHUNK: usize = 4096;

#[derive(Clone, Copy, PartialEq)]
enum Arch {
    X86_64,
    I386,
}

impl Arch {
    fn name(self) -> &'static str {
        match self {
            Arch::X86_64 => "x86-64",
            Arch::I386 => "i386",
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Arch::X86_64 => &["-m64"],
            Arch::I386 => &["-m32", "-msse2", "-mfpmath=sse"],
        }
    }
}

/// A C type: its spelling and what it is to `arith`.
#[derive(Clone, Copy)]
struct CType {
    name: &'static str,
    num: Num,
}

impl CType {
    /// The type its values have in an expression.
    fn promoted(self) -> Num {
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

fn bytes(num: Num) -> usize {
    usize::try_from(num.width().div_ceil(8)).expect("at most 16")
}

fn types(arch: Arch) -> Vec<CType> {
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
enum Operation {
    Binary(BinaryOp),
    Unary(UnaryOp),
    Increment,
    Decrement,
    /// A shift whose count has a type of its own.
    Shift(BinaryOp, Num),
    Convert(Num),
    /// A store to a bit-field, read back in the declared type.
    BitField(Num, Num),
}

struct Slot {
    operation: Operation,
    /// The C statement that sets `r`, and the type of `r`.
    code: String,
    result: String,
    num: Num,
    size: usize,
}

struct Kernel {
    name: String,
    a: CType,
    b: CType,
    pairs: bool,
    slots: Vec<Slot>,
}

impl Kernel {
    /// Its part of the work: shifts by other types come in many kernels and need less each.
    fn units(&self) -> usize {
        if matches!(self.slots[0].operation, Operation::Shift(..)) { 1 } else { 4 }
    }
}

const BINARY: [(BinaryOp, &str); 18] = [
    (BinaryOp::Mul, "*"),
    (BinaryOp::Div, "/"),
    (BinaryOp::Rem, "%"),
    (BinaryOp::Add, "+"),
    (BinaryOp::Sub, "-"),
    (BinaryOp::Shl, "<<"),
    (BinaryOp::Shr, ">>"),
    (BinaryOp::BitAnd, "&"),
    (BinaryOp::BitXor, "^"),
    (BinaryOp::BitOr, "|"),
    (BinaryOp::Lt, "<"),
    (BinaryOp::Gt, ">"),
    (BinaryOp::Le, "<="),
    (BinaryOp::Ge, ">="),
    (BinaryOp::Eq, "=="),
    (BinaryOp::Ne, "!="),
    (BinaryOp::And, "&&"),
    (BinaryOp::Or, "||"),
];

fn gives_truth(op: BinaryOp) -> bool {
    use BinaryOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    matches!(op, Lt | Gt | Le | Ge | Eq | Ne | And | Or)
}

fn arithmetic_kernel(ty: CType) -> Kernel {
    let promoted = ty.promoted();
    let mut slots = Vec::new();
    for (op, sign) in BINARY {
        let integral = matches!(op, BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr)
            || matches!(op, BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr);
        if integral && ty.is_float() {
            continue;
        }
        let (num, size) = if gives_truth(op) { (Num::INT, 1) } else { (promoted, bytes(promoted)) };
        let expr = format!("a {sign} b");
        slots.push(Slot {
            operation: Operation::Binary(op),
            result: format!("__typeof__({expr})"),
            code: format!("r = {expr}"),
            num,
            size,
        });
    }
    for (op, sign) in [(UnaryOp::Neg, "-"), (UnaryOp::Plus, "+"), (UnaryOp::BitNot, "~"), (UnaryOp::Not, "!")]
    {
        if op == UnaryOp::BitNot && ty.is_float() {
            continue;
        }
        let (num, size) = if op == UnaryOp::Not { (Num::INT, 1) } else { (promoted, bytes(promoted)) };
        slots.push(Slot {
            operation: Operation::Unary(op),
            result: format!("__typeof__({sign}a)"),
            code: format!("r = {sign}a"),
            num,
            size,
        });
    }
    for (operation, code) in [(Operation::Increment, "r = a; r++"), (Operation::Decrement, "r = a; --r")] {
        let (code, result) = (code.to_owned(), ty.name.to_owned());
        slots.push(Slot { operation, code, result, num: ty.num, size: bytes(ty.num) });
    }
    Kernel { name: format!("{} op {0}", ty.name), a: ty, b: ty, pairs: true, slots }
}

fn shift_kernel(ty: CType, count: CType) -> Kernel {
    let slot = |op, sign: &str| Slot {
        operation: Operation::Shift(op, count.promoted()),
        result: format!("__typeof__(a {sign} b)"),
        code: format!("r = a {sign} b"),
        num: ty.promoted(),
        size: bytes(ty.promoted()),
    };
    let slots = vec![slot(BinaryOp::Shl, "<<"), slot(BinaryOp::Shr, ">>")];
    Kernel { name: format!("{} shift {}", ty.name, count.name), a: ty, b: count, pairs: true, slots }
}

fn conversion_kernel(ty: CType, all: &[CType]) -> Kernel {
    let mut slots: Vec<Slot> = all
        .iter()
        .map(|to| Slot {
            operation: Operation::Convert(to.num),
            code: "r = a".to_owned(),
            result: to.name.to_owned(),
            num: to.num,
            size: bytes(to.num),
        })
        .collect();
    for to in all {
        let widths: &[u8] = match (to.name, to.num) {
            ("int", _) => &[1, 5, 31],
            ("unsigned", _) => &[1, 13],
            ("long long", _) => &[33, 63],
            ("unsigned long long", _) => &[40],
            _ => &[],
        };
        for &width in widths {
            let Num::Int { signed, .. } = to.num else { continue };
            slots.push(Slot {
                operation: Operation::BitField(Num::Int { width, signed }, to.num),
                code: format!("struct {{ {} f : {width}; }} s; s.f = a; r = s.f", to.name),
                result: to.name.to_owned(),
                num: to.num,
                size: bytes(to.num),
            });
        }
    }
    Kernel { name: format!("convert {}", ty.name), a: ty, b: ty, pairs: false, slots }
}

fn kernels(arch: Arch) -> Vec<Kernel> {
    let all = types(arch);
    let mut list: Vec<Kernel> = all.iter().map(|&ty| arithmetic_kernel(ty)).collect();
    for &ty in all.iter().filter(|ty| !ty.is_float()) {
        for &count in
            all.iter().filter(|count| ["int", "unsigned long long", "signed char"].contains(&count.name))
        {
            list.push(shift_kernel(ty, count));
        }
    }
    list.extend(all.iter().map(|&ty| conversion_kernel(ty, &all)));
    list
}

fn program(kernels: &[Kernel]) -> String {
    let mut text = String::from("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
    for (index, kernel) in kernels.iter().enumerate() {
        let (a, b) = (kernel.a, kernel.b);
        let _ = writeln!(text, "static unsigned char *k{index}(const unsigned char *p, unsigned char *o) {{");
        let _ = writeln!(text, "  unsigned m; {} a; {} b; memcpy(&m, p, 4);", a.name, b.name);
        let _ =
            writeln!(text, "  memcpy(&a, p + 4, {}); memcpy(&b, p + 20, {});", bytes(a.num), bytes(b.num));
        for (bit, slot) in kernel.slots.iter().enumerate() {
            let Slot { code, result, size, .. } = slot;
            let _ = writeln!(text, "  {{ {result} r = 0; if (m >> {bit} & 1) {{");
            if uses_f128(kernel, slot) {
                let _ = writeln!(text, "#if !defined __clang__ || defined __x86_64__\n{code};\n#endif\n  }}");
            } else {
                let _ = writeln!(text, "  {code}; }}");
            }
            let _ = writeln!(text, "    memcpy(o, &r, {size}); o += {size}; }}");
        }
        let _ = writeln!(text, "  return o;\n}}");
    }
    text.push_str("static unsigned char *(*const k[])(const unsigned char *, unsigned char *) = {\n");
    for index in 0..kernels.len() {
        let _ = write!(text, " k{index},");
    }
    let _ = write!(
        text,
        "\n}};\nint main(void) {{\n  unsigned head[2];\n  while (fread(head, 4, 2, stdin) == 2) {{\n\
         \x20   unsigned char *in = malloc(head[1] * {RECORD}ul), *out = malloc(head[1] * 1024ul), *o = out;\n\
         \x20   if (fread(in, {RECORD}, head[1], stdin) != head[1]) return 1;\n\
         \x20   for (unsigned i = 0; i < head[1]; i++) o = k[head[0]](in + i * {RECORD}ul, o);\n\
         \x20   fwrite(out, 1, o - out, stdout); fflush(stdout); free(in); free(out);\n  }}\n  return 0;\n}}\n"
    );
    text
}

/// clang-16 calls the library's binary128 functions in a wrong way on i386, so only gcc is asked there.
fn uses_f128(kernel: &Kernel, slot: &Slot) -> bool {
    [kernel.a.num, slot.num].contains(&Num::Float(Format::F128))
}

/// Whether undefined operations are left out, or wrap as `-fwrapv` promises.
#[derive(Clone, Copy, PartialEq)]
enum Overflow {
    Skipped,
    Wraps,
}

/// The result of an operation, or `None` if it must not be run.
fn expected(kernel: &Kernel, slot: &Slot, overflow: Overflow, a: u128, b: u128) -> Option<u128> {
    let promoted = kernel.a.promoted();
    let left = || convert(kernel.a.num, promoted, a).expect("a promotion is defined");
    let right = || convert(kernel.b.num, kernel.b.promoted(), b).expect("a promotion is defined");
    let lenient = |result: Result<u128, Undefined>, wrapped: &dyn Fn() -> Option<u128>| match result {
        Ok(value) => Some(value),
        Err(undefined) if undefined.strength() == Strength::Letter => wrapped(),
        // The processor traps on these, whatever the compiler promises.
        Err(Undefined::DivOverflow | Undefined::RemOverflow) => None,
        Err(_) if overflow == Overflow::Wraps => wrapped(),
        Err(_) => None,
    };
    match slot.operation {
        Operation::Binary(op) => {
            let (a, b) = (left(), right());
            lenient(binary(op, promoted, a, b), &|| wrapped_binary(op, promoted, a, b))
        }
        Operation::Unary(op) => {
            let a = left();
            lenient(unary(op, promoted, a), &|| wrapped_unary(op, promoted, a))
        }
        Operation::Increment => {
            lenient(increment(slot.num, a), &|| wrapped_binary(BinaryOp::Add, slot.num, a, 1))
        }
        Operation::Decrement => {
            lenient(decrement(slot.num, a), &|| wrapped_binary(BinaryOp::Sub, slot.num, a, 1))
        }
        Operation::Shift(op, count) => {
            let (a, b) = (left(), right());
            lenient(shift(op, promoted, a, count, b), &|| wrapped_shift(op, promoted, a, count, b))
        }
        Operation::Convert(to) => convert(kernel.a.num, to, a).ok(),
        Operation::BitField(field, to) => {
            convert(kernel.a.num, field, a).ok().map(|value| convert(field, to, value).expect("widening"))
        }
    }
}

/// A fixed-seed xorshift: the operands are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 16) % bound
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }
}

fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

fn edges(num: Num) -> Vec<u128> {
    let all = mask(num.width());
    match num {
        Num::Bool => vec![0, 1],
        Num::Int { .. } => {
            let width = num.width();
            let mut list: Vec<u128> = (0..4).flat_map(|near| [near, all - near]).collect();
            for power in [width / 4, width / 2, width - 2, width - 1] {
                list.extend([(1 << power) - 1, 1 << power, (1 << power) + 1, all - (1 << power)]);
            }
            list.extend(
                [u128::from(width), u128::from(width) - 1, 31, 32, 33, 63, 64, 65].map(|edge| edge & all),
            );
            list.sort_unstable();
            list.dedup();
            list
        }
        Num::Float(format) => {
            let (one, infinity) = (format.one(), format.infinity());
            let place = 1 << (format.precision() - 1);
            let least_normal = if format == Format::X87 { 1 << 64 | 1 << 63 } else { place };
            let int = |value: i128| {
                let from = Num::Int { width: 128, signed: true };
                convert(from, num, value.cast_unsigned()).expect("integers convert")
            };
            let below_one = if format == Format::X87 { 0x3ffe << 64 | u128::from(u64::MAX) } else { one - 1 };
            let mut list = vec![0, 1, 2, one, one + 1, below_one, infinity, format.nan(), least_normal];
            let subnormal = if format == Format::X87 { (1 << 63) - 1 } else { place - 1 };
            list.extend([subnormal, least_normal + 1, int(2), int(3), int(10), int(i128::MAX)]);
            list.push(if format == Format::X87 { 0x7ffe << 64 | u128::from(u64::MAX) } else { infinity - 1 });
            for power in [7, 8, 15, 16, 31, 32, 53, 63, 64, 100] {
                list.extend([int((1 << power) - 1), int(1 << power), int((1 << power) + 1)]);
            }
            let half = |text| parse_float(text, format).expect("a constant");
            list.extend(["0.5", "1.5", "0.9", "254.5", "255.9", "2147483647.5", "4294967295.5"].map(half));
            let negative: Vec<u128> = list.iter().map(|bits| bits | format.sign_bit()).collect();
            list.extend(negative);
            list
        }
    }
}

/// A random value: an edge, any bits, few bits, or a number whose exponent is where rounding and conversion happen.
fn random(num: Num, edges: &[u128], random: &mut Random) -> u128 {
    let pick = |list: &[u128], at: u64| list[usize::try_from(at).expect("small") % list.len()];
    match (num, random.below(8)) {
        (Num::Bool, kind) => u128::from(kind & 1),
        (_, 0) => pick(edges, random.next() >> 20),
        (Num::Int { .. }, 1 | 2) => {
            let near = u128::from(random.below(9)).wrapping_sub(4);
            pick(edges, random.next() >> 20).wrapping_add(near) & mask(num.width())
        }
        (Num::Int { .. }, 3 | 4) => {
            let bits = u32::try_from(random.below(u64::from(num.width()))).expect("small") + 1;
            let value = random.wide() & mask(bits);
            (if random.below(2) == 0 { value } else { value.wrapping_neg() }) & mask(num.width())
        }
        (Num::Int { .. }, _) => random.wide() & mask(num.width()),
        (Num::Float(_), 1) => {
            let small = i128::from(random.below(2001)) - 1000;
            convert(Num::Int { width: 128, signed: true }, num, small.cast_unsigned())
                .expect("integers convert")
        }
        (Num::Float(format), kind) => {
            let mut bits = random.wide() & mask(format.bits());
            let stored = format.bits() - 1 - format.exponent_bits();
            if kind < 6 {
                let bias = mask(format.exponent_bits() - 1);
                let near = bias.wrapping_add(u128::from(random.below(160))).wrapping_sub(20);
                let exponent = near.min(2 * bias) & mask(format.exponent_bits());
                bits = bits & !(mask(format.exponent_bits()) << stored) | exponent << stored;
                if random.below(2) == 0 {
                    // Few significant bits: ties and exact results are common.
                    bits &= !mask(stored - 5);
                }
            }
            if format == Format::X87 && bits >> 64 & 0x7fff != 0 {
                bits |= 1 << 63;
            }
            bits
        }
    }
}

fn pair(
    kernel: &Kernel,
    edges: &[Vec<u128>; 2],
    index: usize,
    share: usize,
    source: &mut Random,
) -> (u128, u128) {
    let [left, right] = edges;
    if !kernel.pairs && index < left.len() {
        return (left[index], 0);
    }
    // All pairs of edges if they fit into half the share, else as many at random.
    let all = left.len() * right.len();
    if kernel.pairs && index < all.min(share / 2) {
        let at = if all <= share / 2 {
            index
        } else {
            usize::try_from(source.below(u64::try_from(all).expect("small"))).expect("small")
        };
        return (left[at / right.len()], right[at % right.len()]);
    }
    let a = random(kernel.a.num, left, source);
    let mut b = random(kernel.b.num, right, source);
    let shifts = matches!(kernel.slots[0].operation, Operation::Shift(..));
    match kernel.a.num {
        _ if shifts => {
            if source.below(8) != 0 {
                b = u128::from(source.below(u64::from(kernel.a.promoted().width())));
            }
        }
        // Neighbours cancel in a subtraction.
        Num::Float(format) if kernel.pairs && source.below(4) == 0 => {
            b = a ^ u128::from(source.below(16)) ^ (u128::from(source.below(2)) * format.sign_bit());
        }
        // The hardware takes encodings without the integer bit; the libraries that convert them are not asked.
        Num::Float(Format::X87) if kernel.pairs && source.below(64) == 0 => {
            b = source.wide() & mask(80);
        }
        _ => {}
    }
    (a, b)
}

struct Runner {
    compiler: &'static str,
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    f128: bool,
    results: u64,
}

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("arith-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a scratch folder");
    path
}

/// Says that a tool is missing, or fails where nothing may be.
fn skip(tool: &str) {
    assert!(std::env::var("HOWLER_REQUIRE_ALL").as_deref() != Ok("1"), "missing: {tool}");
    println!("skipped: {tool} is not installed or cannot link");
}

/// Compiles `source`; `None` (with a notice) if this compiler cannot make programs for the target at all.
fn compile(folder: &Path, compiler: &str, arch: Arch, flags: &[&str], source: &str) -> Option<PathBuf> {
    let build = |name: &str, text: &str| {
        let (file, program) =
            (folder.join(format!("{compiler}-{name}.c")), folder.join(format!("{compiler}-{name}")));
        std::fs::write(&file, text).expect("the scratch folder is writable");
        let mut command = Command::new(compiler);
        command.args(arch.flags()).args(["-O0", "-std=gnu17", "-w", "-ffp-contract=off"]).args(flags);
        command.arg(file).arg("-o").arg(&program).output().map(|output| (program, output))
    };
    match build("probe", "#include <stdio.h>\nint main(void) { return printf(\"\"); }\n") {
        Ok((_, output)) if output.status.success() => {}
        _ => {
            skip(&format!("{compiler} {}", arch.flags().join(" ")));
            return None;
        }
    }
    let (program, output) = build("test", source).expect("the compiler ran before");
    assert!(output.status.success(), "{compiler}: {}", String::from_utf8_lossy(&output.stderr));
    Some(program)
}

/// Runs every kernel over its share of `pairs` operand pairs.
fn compare(arch: Arch, label: &str, overflow: Overflow, pairs: usize) {
    let kernels = kernels(arch);
    let source = program(&kernels);
    let flags: &[&str] = if overflow == Overflow::Wraps { &["-fwrapv"] } else { &[] };
    let folder = folder(label);
    let mut runners = Vec::new();
    for compiler in COMPILERS {
        if let Some(program) = compile(&folder, compiler, arch, flags, &source) {
            let mut child = Command::new(program)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("the compiled program starts");
            let input = child.stdin.take().expect("piped");
            let output = child.stdout.take().expect("piped");
            let f128 = arch == Arch::X86_64 || compiler == "gcc-12";
            runners.push(Runner { compiler, child, input, output, f128, results: 0 });
        }
    }
    if runners.is_empty() {
        return;
    }
    let units: usize = kernels.iter().filter(|kernel| kernel.pairs).map(Kernel::units).sum();
    let mut source = Random(0x9e37_79b9_7f4a_7c15);
    let (mut done_pairs, mut done_values, mut mistakes) = (0, 0, Vec::new());
    for (number, kernel) in kernels.iter().enumerate() {
        let edges = [edges(kernel.a.num), edges(kernel.b.num)];
        let share = (pairs * kernel.units()).div_ceil(units);
        let (mut sent, mut compared) = (0, 0);
        while sent < share {
            let count = CHUNK.min(share - sent);
            let operands: Vec<(u128, u128)> =
                (sent..sent + count).map(|index| pair(kernel, &edges, index, share, &mut source)).collect();
            compared += exchange(kernel, number, overflow, &operands, &mut runners, &mut mistakes);
            assert!(
                mistakes.is_empty(),
                "{}\n{}",
                arch.name(),
                mistakes[..mistakes.len().min(20)].join("\n")
            );
            sent += count;
        }
        *(if kernel.pairs { &mut done_pairs } else { &mut done_values }) += sent;
        println!("{:>7} {:32} {sent:>8} operands {compared:>9} results", arch.name(), kernel.name);
    }
    for Runner { compiler, results, .. } in &runners {
        println!(
            "{label} {compiler}: {done_pairs} operand pairs, {done_values} converted values, {results} results"
        );
    }
    for mut runner in runners {
        drop(runner.input);
        assert!(runner.child.wait().expect("a child").success());
    }
    std::fs::remove_dir_all(folder).expect("the scratch folder can go");
}

/// Sends one chunk to every compiler's program and compares what comes back; returns how many results were compared.
fn exchange(
    kernel: &Kernel,
    number: usize,
    overflow: Overflow,
    operands: &[(u128, u128)],
    runners: &mut [Runner],
    mistakes: &mut Vec<String>,
) -> usize {
    let mut input = Vec::with_capacity(8 + operands.len() * RECORD);
    for head in [number, operands.len()] {
        input.extend(u32::try_from(head).expect("small").to_le_bytes());
    }
    let (mut results, mut compared) = (Vec::new(), 0);
    for &(a, b) in operands {
        let mut defined = 0u32;
        for (bit, slot) in kernel.slots.iter().enumerate() {
            let result = expected(kernel, slot, overflow, a, b);
            if result.is_some() {
                defined |= 1 << bit;
                compared += 1;
            }
            results.push(result);
        }
        input.extend(defined.to_le_bytes());
        input.extend(a.to_le_bytes());
        input.extend(b.to_le_bytes());
    }
    for runner in runners.iter_mut() {
        runner.input.write_all(&input).expect("the program reads");
        runner.input.flush().expect("the program reads");
    }
    let size: usize = kernel.slots.iter().map(|slot| slot.size).sum();
    let mut output = vec![0; size * operands.len()];
    for runner in runners.iter_mut() {
        if runner.output.read_exact(&mut output).is_err() {
            mistakes.push(format!("{}: the program died in {}", runner.compiler, kernel.name));
            continue;
        }
        let mut at = 0;
        for (index, result) in results.iter().enumerate() {
            let slot = &kernel.slots[index % kernel.slots.len()];
            let mut raw = [0; 16];
            raw[..slot.size].copy_from_slice(&output[at..at + slot.size]);
            at += slot.size;
            let (Some(ours), theirs) = (*result, u128::from_le_bytes(raw)) else { continue };
            if !runner.f128 && uses_f128(kernel, slot) {
                continue;
            }
            runner.results += 1;
            let both_nan =
                matches!(slot.num, Num::Float(format) if format.is_nan(ours) && format.is_nan(theirs));
            if ours != theirs && !both_nan {
                let (a, b) = operands[index / kernel.slots.len()];
                mistakes.push(format!(
                    "{}: {} [{} in {}] a={a:#x} b={b:#x}: {theirs:#x}, here {ours:#x}",
                    runner.compiler, kernel.name, slot.code, slot.result
                ));
            }
        }
    }
    compared
}

fn volume() -> usize {
    if std::env::var("HOWLER_SOAK").as_deref() == Ok("1") { 10_000_000 } else { 200_000 }
}

#[test]
fn x86_64_operators_and_conversions() {
    compare(Arch::X86_64, "x86-64", Overflow::Skipped, volume());
}

#[test]
fn i386_operators_and_conversions() {
    compare(Arch::I386, "i386", Overflow::Skipped, volume());
}

#[test]
fn wrapped_results_are_those_of_fwrapv() {
    compare(Arch::X86_64, "x86-64-wrapv", Overflow::Wraps, volume() / 10);
    compare(Arch::I386, "i386-wrapv", Overflow::Wraps, volume() / 10);
}
