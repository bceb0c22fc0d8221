//! The exact functions of `<math.h>` and the compilers' builtins against gcc and glibc, on random values.

#[path = "library/harness.rs"]
mod harness;

use harness::{agrees, verdict, verdict_of};
use howler_choices::Choices;
use std::fmt::Write;

/// A value's bits: exponents near each other or anywhere, special values now and then.
fn bits(choices: &mut Choices, exponent_bits: u32, fraction_bits: u32) -> u128 {
    let bias = (1u128 << (exponent_bits - 1)) - 1;
    let top = (1u128 << exponent_bits) - 1;
    let exponent = match choices.range("exponent", 0..=9) {
        0 => 0,
        1 => top,
        2 => choices.bits("any", exponent_bits).min(top),
        3 => 1,
        4 => top - 1,
        _ => bias + u128::from(choices.range("near", 0..=80u32)) - 8,
    };
    let fraction = match choices.range("fraction", 0..=4) {
        0 => 0,
        1 => (1 << fraction_bits) - 1,
        2 => choices.bits("high", 6) << (fraction_bits - 6),
        _ => choices.bits("random", fraction_bits),
    };
    // A NaN's payload has a quiet bit: signalling ones are another matter.
    let quiet = if exponent == top && fraction != 0 { 1 << (fraction_bits - 1) } else { 0 };
    let sign = u128::from(choices.chance("sign", 1, 2));
    (sign << exponent_bits | exponent) << fraction_bits | fraction | quiet
}

/// A table of values of one type, as a C initialiser of 64-bit words.
fn table(choices: &mut Choices, exponent_bits: u32, fraction_bits: u32, count: usize) -> String {
    let mut text = String::new();
    for _ in 0..count {
        let value = bits(choices, exponent_bits, fraction_bits);
        if fraction_bits == 63 {
            // x87: the integer bit is explicit.
            let integer = u128::from(value >> 63 & 0x7fff != 0);
            let low = value & ((1 << 63) - 1) | integer << 63;
            let _ = write!(text, "{{0x{low:x}ULL,0x{:x}ULL}},", value >> 63);
        } else {
            let _ = write!(text, "{{0x{value:x}ULL,0}},");
        }
    }
    text
}

/// The functions declared for a suffix.
fn declarations(real: &str, suffix: &str) -> String {
    let mut text = String::new();
    for name in ["floor", "ceil", "trunc", "rint", "nearbyint", "round", "fabs", "sqrt", "logb"] {
        let _ = writeln!(text, "{real} {name}{suffix}({real});");
    }
    for name in ["fmod", "remainder", "copysign", "fmin", "fmax", "fdim", "nextafter"] {
        let _ = writeln!(text, "{real} {name}{suffix}({real}, {real});");
    }
    let _ =
        writeln!(text, "{real} fma{suffix}({real}, {real}, {real}); {real} frexp{suffix}({real}, int *);");
    let _ = writeln!(text, "{real} ldexp{suffix}({real}, int); {real} scalbln{suffix}({real}, long);");
    let _ = writeln!(text, "{real} modf{suffix}({real}, {real} *); int ilogb{suffix}({real});");
    let _ = writeln!(text, "{real} nexttoward{suffix}({real}, long double); long lrint{suffix}({real});");
    let _ = writeln!(
        text,
        "long lround{suffix}({real}); long long llrint{suffix}({real}); long long llround{suffix}({real});"
    );
    text
}

fn program(seed: u64, real: &str, suffix: &str, sizes: (u32, u32)) -> String {
    let choices = &mut Choices::new(seed);
    let count = if howler_testkit::soak() { 2000 } else { 120 };
    let values = table(choices, sizes.0, sizes.1, count);
    let mut text = declarations(real, suffix);
    let _ = write!(
        text,
        "typedef {real} T; static const unsigned long long words[][2] = {{ {values} }};
        static T get(int i) {{ T x = 0; memcpy(&x, words[i], sizeof x < 10 ? sizeof x : 10); return x; }}
        static void show(const char *what, int i, T x) {{
            unsigned long long w[2] = {{0, 0}};
            if (x != x) {{ printf(\"%s %d nan\\n\", what, i); return; }}
            memcpy(w, &x, sizeof x < 10 ? sizeof x : 10);
            printf(\"%s %d %llx %llx\\n\", what, i, w[0], w[1]);
        }}
        static void number(const char *what, int i, long long x) {{ printf(\"%s %d %lld\\n\", what, i, x); }}
        int main(void) {{
            int n = {count};
            for (int i = 0; i < n; i++) {{
                T x = get(i), y = get((i + 1) % n), z = get((i + 7) % n), whole; int e = 77;
                int finite = x - x == 0;\n"
    );
    for name in ["floor", "ceil", "trunc", "rint", "nearbyint", "round", "fabs", "sqrt", "logb"] {
        let _ = writeln!(text, "show(\"{name}\", i, {name}{suffix}(x));");
    }
    for name in ["fmod", "remainder", "nextafter", "fdim"] {
        let _ = writeln!(text, "show(\"{name}\", i, {name}{suffix}(x, y));");
    }
    for name in ["fmin", "fmax"] {
        let _ = writeln!(text, "if (x != 0 || y != 0) show(\"{name}\", i, {name}{suffix}(x, y));");
    }
    let _ = write!(
        text,
        "if (y == y) show(\"copysign\", i, copysign{suffix}(x, y));
        show(\"fma\", i, fma{suffix}(x, y, z)); show(\"fma\", i, fma{suffix}(x, z, -x * z));
        show(\"ldexp\", i, ldexp{suffix}(x, i * 37 % 3000 - 1500)); show(\"scalbln\", i, scalbln{suffix}(x, 5 - i));
        show(\"ldexp\", i, ldexp{suffix}(x, i * 397 % 36000 - 18000));
        show(\"modf\", i, modf{suffix}(x, &whole)); show(\"whole\", i, whole);
        show(\"nexttoward\", i, nexttoward{suffix}(x, (long double)y));
        number(\"ilogb\", i, ilogb{suffix}(x));
        if (finite) {{ show(\"frexp\", i, frexp{suffix}(x, &e)); number(\"power\", i, e); }}
        if (x < 1e9 && x > -1e9) {{
            number(\"lrint\", i, lrint{suffix}(x)); number(\"lround\", i, lround{suffix}(x));
            number(\"llrint\", i, llrint{suffix}(x)); number(\"llround\", i, llround{suffix}(x));
        }}
        number(\"class\", i, __builtin_fpclassify(0, 1, 4, 3, 2, x));
        number(\"is\", i, (__builtin_isnan(x) != 0) + 2 * (__builtin_isinf(x) != 0) + 4 * (__builtin_isfinite(x) != 0)
            + 8 * (__builtin_isnormal(x) != 0) + 16 * (__builtin_isinf_sign(x) + 1));
        if (x == x) number(\"signbit\", i, __builtin_signbit(x) != 0);
        number(\"compare\", i, __builtin_isgreater(x, y) + 2 * __builtin_isless(x, y) + 4 * __builtin_isunordered(x, y)
            + 8 * __builtin_islessequal(x, y) + 16 * __builtin_isgreaterequal(x, y) + 32 * __builtin_islessgreater(x, y));
        }} return 0; }}"
    );
    text
}

#[test]
fn double_functions_are_exact() {
    agrees(&program(1, "double", "", (11, 52)));
}

#[test]
fn float_functions_are_exact() {
    agrees(&program(2, "float", "f", (8, 23)));
}

#[test]
fn long_double_functions_are_exact() {
    agrees(&program(3, "long double", "l", (15, 63)));
}

#[test]
fn bit_builtins_agree() {
    let choices = &mut Choices::new(4);
    let mut text = String::from("int main(void) {");
    for _ in 0..60 {
        let shift = choices.range("shift", 0..=63u32);
        let word = choices.bits("word", 64) >> shift | 1;
        let _ = write!(text, "{{ unsigned long long x = 0x{word:x}ULL; unsigned a = x; unsigned long l = x;");
        for op in ["popcount", "parity", "clz", "ctz", "ffs", "clrsb"] {
            let _ = write!(
                text,
                "printf(\"{op} %d %d %d\\n\", __builtin_{op}(a), __builtin_{op}l(l), __builtin_{op}ll(x));"
            );
        }
        text.push_str(
            "printf(\"%x %x %llx\\n\", __builtin_bswap16(x), __builtin_bswap32(x), (unsigned long long)__builtin_bswap64(x)); }",
        );
    }
    text.push_str("return 0; }");
    agrees(&text);
}

#[test]
fn overflow_builtins_agree() {
    let types = [
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
    ];
    let choices = &mut Choices::new(5);
    let mut text = String::from("int main(void) {");
    for _ in 0..400 {
        let ty = |choices: &mut Choices| *choices.one_of("type", &types);
        let (a, b, r, op) =
            (ty(choices), ty(choices), ty(choices), *choices.one_of("op", &["add", "sub", "mul"]));
        let value = |choices: &mut Choices| {
            let shift = choices.range("shift", 0..=63u32);
            let word = choices.bits("word", 64) as u64 >> shift;
            if choices.chance("negative", 1, 2) { word.wrapping_neg() } else { word }
        };
        let (x, y) = (value(choices), value(choices));
        let _ = write!(
            text,
            "{{ {a} x = ({a})0x{x:x}ULL; {b} y = ({b})0x{y:x}ULL; {r} r; int o = __builtin_{op}_overflow(x, y, &r);
            printf(\"%d %lld %d\\n\", o, (long long)r, (int)__builtin_{op}_overflow_p(x, y, ({r})0)); }}"
        );
    }
    text.push_str("int r; printf(\"%d\", __builtin_sadd_overflow(2147483647, 1, &r)); printf(\" %d\\n\", r); return 0; }");
    agrees(&text);
}

#[test]
fn atomic_builtins_agree() {
    agrees(
        "int main(void) { int x = 5, y = 9, z; unsigned char c = 250; int a[4] = {1, 2, 3, 4}, *p = a;
        printf(\"%d\", __atomic_fetch_add(&x, 3, 5)); printf(\" %d\", __atomic_add_fetch(&x, 3, 5));
        printf(\" %d\", __sync_fetch_and_nand(&x, 6)); printf(\" %d\", __sync_xor_and_fetch(&x, 12));
        printf(\" %d\", __atomic_fetch_sub(&c, 251, 5)); printf(\" %d\", c); printf(\" %d\", __sync_or_and_fetch(&c, 3));
        printf(\" %d\", __sync_bool_compare_and_swap(&x, 1, 2)); printf(\" %d\", __sync_val_compare_and_swap(&y, 9, 10));
        printf(\" %d\", y); z = 3; printf(\" %d\", __atomic_compare_exchange_n(&y, &z, 4, 0, 5, 5)); printf(\" %d %d\", y, z);
        printf(\" %d\", __atomic_exchange_n(&y, 77, 5)); __atomic_store_n(&z, 8, 5); printf(\" %d\", __atomic_load_n(&z, 5));
        __sync_fetch_and_add(&p, sizeof *p); printf(\" %d\", *p); __sync_lock_release(&y); printf(\" %d\", y);
        __atomic_load(&x, &z, 5); printf(\" %d\\n\", z == x); __sync_synchronize(); return 0; }",
    );
}

#[test]
fn crc32_is_the_instructions() {
    // The check value of CRC-32C: the bytes 1 to 9 give this.
    assert_eq!(
        verdict(
            "const char *s = \"123456789\"; unsigned c = ~0u; for (; *s; s++) c = __builtin_ia32_crc32qi(c, *s);
            if (~c != 0xe3069283u) abort();"
        ),
        "exit 0"
    );
}

#[test]
fn bit_scan_of_zero_is_undefined() {
    assert_eq!(verdict("volatile unsigned z = 0; __builtin_clz(z);"), "bit-scan-of-zero");
    assert_eq!(verdict("volatile unsigned long z = 0; __builtin_ctzl(z);"), "bit-scan-of-zero");
    assert_eq!(verdict("volatile int z = 0; return __builtin_ffs(z);"), "exit 0");
}

#[test]
fn the_bits_of_a_computed_nan_are_open() {
    let nan = "volatile double zero = 0; double z = zero, n = z / z;";
    assert_eq!(
        verdict(&format!(
            "{nan} if (n == n) abort(); if (!(n != n)) abort(); if (!__builtin_isnan(n)) abort();"
        )),
        "exit 0"
    );
    assert_eq!(verdict(&format!("{nan} double m = n + 1; double *p = &m; if (*p == *p) abort();")), "exit 0");
    assert_eq!(
        verdict(&format!(
            "{nan} struct {{ int i; double d; }} s = {{ 1, n }}, t; t = s; if (t.d == t.d) abort();"
        )),
        "exit 0"
    );
    assert_eq!(verdict(&format!("{nan} if (n) return 3;")), "exit 3");
    assert_eq!(verdict(&format!("{nan} printf(\"%f\", n);")), "exit 0 open");
    assert_eq!(verdict(&format!("{nan} if (__builtin_signbit(n)) puts(\"\");")), "exit 0 open");
    assert_eq!(verdict(&format!("{nan} if (__builtin_copysign(1, n) > 0) puts(\"\");")), "exit 0 open");
    assert_eq!(
        verdict(&format!("{nan} unsigned long long b; memcpy(&b, &n, 8); if (b >> 63) puts(\"\");")),
        "exit 0 open"
    );
    assert_eq!(
        verdict(&format!(
            "{nan} union {{ double d; unsigned char c[8]; }} u; u.d = n; if (u.c[7] & 128) puts(\"\");"
        )),
        "exit 0 open"
    );
    assert_eq!(
        verdict("double n = __builtin_nan(\"\"); if (__builtin_signbit(n)) abort(); printf(\"%f\", n);"),
        "exit 0"
    );
}

#[test]
fn open_results_of_math_functions_are_open() {
    assert_eq!(
        verdict("volatile double a = 0.0, b = -0.0; double m = __builtin_fmax(a, b); printf(\"%f\", m);"),
        "exit 0 open"
    );
    assert_eq!(verdict("volatile double a = 1e300; printf(\"%ld\", __builtin_lrint(a));"), "exit 0 open");
    assert_eq!(
        verdict_of("double sin(double); int main(void) { volatile double x = 1; return sin(x) > 2; }"),
        "unsupported"
    );
    assert_eq!(verdict("char c[4]; if (__builtin_object_size(c, 0) == 4) puts(\"\");"), "exit 0 open");
    assert_eq!(verdict("volatile double a = 1; if (__builtin_isfinite(a) == 1) puts(\"\");"), "exit 0 open");
}
