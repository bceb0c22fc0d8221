//! The library's functions against gcc and glibc, and what is undefined or open about them.

#[path = "library/harness.rs"]
mod harness;

use harness::{agrees, machine, verdict, verdict_of};
use howler_choices::Choices;
use howler_lang::target::Target;
use howler_machine::outcome::Outcome;
use std::fmt::Write;

/// A short text of few different letters, as a C string.
fn text(choices: &mut Choices, most: u32) -> String {
    let len = choices.range("length", 0..=most);
    (0..len).map(|_| *choices.one_of("letter", &['a', 'b', 'B', 'c', '-', ' '])).collect()
}

#[test]
fn string_functions_agree_on_random_texts() {
    let choices = &mut Choices::new(11);
    let mut c = String::from(
        "static int sign(int x) { return x < 0 ? -1 : x > 0; }
        static void show(const char *base, const char *p) { printf(p ? \"%d \" : \"null \", (int)(p ? p - base : 0)); }
        static void one(const char *a, const char *b, int k, size_t n) {
            char buf[64], *p, *q; int i;
            printf(\"%d %d %d %d %d \", (int)strlen(a), (int)strnlen(a, n), (int)strspn(a, b), (int)strcspn(a, b), k);
            printf(\"%d %d \", sign(strcmp(a, b)), sign(strncmp(a, b, n)));
            printf(\"%d %d \", sign(strcasecmp(a, b)), sign(strncasecmp(a, b, n)));
            show(a, strchr(a, k)); show(a, strrchr(a, k)); show(a, strchrnul(a, k)); show(a, strstr(a, b));
            show(a, strpbrk(a, b)); show(a, index(a, k)); show(a, rindex(a, k)); show(a, memchr(a, k, strlen(a) + 1));
            show(a, memrchr(a, k, strlen(a))); show(a, memmem(a, strlen(a), b, strlen(b)));
            memset(buf, '#', sizeof buf); strcpy(buf, a); strcat(buf, b); printf(\"<%.63s> \", buf);
            memset(buf, '#', sizeof buf); strcpy(buf, b); strncat(buf, a, n); printf(\"<%s> \", buf);
            memset(buf, '#', sizeof buf); strncpy(buf, a, n); for (i = 0; i < 20; i++) putchar(buf[i] ? buf[i] : '.');
            memset(buf, '#', sizeof buf); q = stpncpy(buf, a, n); for (i = 0; i < 20; i++) putchar(buf[i] ? buf[i] : '.');
            printf(\" %d \", (int)(q - buf)); q = stpcpy(buf, a); printf(\"%d \", (int)(q - buf));
            q = memccpy(buf, a, k, strlen(a)); show(buf, q); q = mempcpy(buf, a, strlen(a)); show(buf, q);
            strcpy(buf, a); printf(\"[\"); for (p = strtok(buf, b); p; p = strtok(0, b)) printf(\"%s|\", p);
            strcpy(buf, a); printf(\"][\"); for (p = strtok_r(buf, b, &q); p; p = strtok_r(0, b, &q)) printf(\"%s|\", p);
            strcpy(buf, a); q = buf; printf(\"][\"); while ((p = strsep(&q, b))) printf(\"%s|\", p);
            p = strdup(a); q = strndup(a, n); printf(\"] %s %s\", p, q); free(p); free(q);
            strcpy(buf, a); memmove(buf + 1, buf, strlen(a) + 1); buf[0] = '!'; printf(\" %s\", buf);
            bcopy(buf, buf + 2, strlen(a) + 2); bzero(buf, 1); printf(\" %s %d\\n\", buf + 1, sign(memcmp(a, b, n < 1 ? n : 1)));
        }
        int main(void) {\n",
    );
    for _ in 0..150 {
        let (a, b) = (text(choices, 12), text(choices, 3));
        let k = *choices.one_of("byte", &["'a'", "'b'", "'-'", "0", "'z'", "'a' + 256"]);
        let n = choices.range("count", 0..=14u32);
        let _ = writeln!(c, "one(\"{a}\", \"{b}\", {k}, {n});");
    }
    c.push_str("return 0; }");
    agrees(&c);
}

#[test]
fn formats_agree() {
    agrees(
        r#"static void v(const char *f, ...) {
            va_list a, b; char buf[200]; __builtin_va_start(a, f); __builtin_va_copy(b, a); vprintf(f, a); __builtin_va_end(a);
            printf("%d ", vsnprintf(buf, 8, f, b)); puts(buf); __builtin_va_end(b);
            __builtin_va_start(a, f); vsprintf(buf, f, a); puts(buf); __builtin_va_end(a);
            __builtin_va_start(a, f); vfprintf(stdout, f, a); __builtin_va_end(a);
        }
        int main(void) {
            char buf[40]; int n; signed char hh; long l;
            printf("%d|%5d|%-5d|%05d|%+d|% d|%x|%#X|%o|%u|%c|%s|%.2s|%%|%hhd|%hd|%ld|%lld|%zu\n", -7, 42, 42, 42, 42, 42, 255, 255, 8,
                4000000000u, 'x', "text", "text", 300, 70000, -5L, 1LL << 40, sizeof buf);
            printf("%f|%.3e|%g|%a|%Lf|%*d|%-*d|%.*f\n", 3.25, 12345.678, 1e-5, 1.0, 2.5L, 6, 7, 6, 7, 2, 3.14159);
            printf("%s%n%hhn%ln\n", "abc", &n, &hh, &l); printf("%d %d %ld\n", n, hh, l);
            printf("%d %d\n", sprintf(buf, "%d-%s", 12, "ab"), snprintf(buf + 10, 4, "%d", 123456)); printf("%s %s\n", buf, buf + 10);
            printf("%d\n", snprintf(0, 0, "%d", 12345));
            v("<%d %s %c %f %lld>\n", 1, "two", '3', 4.0, 5LL);
            fprintf(stdout, "%s\n", "out"); fprintf(stderr, "%s\n", "err"); fputs("fputs\n", stdout); fputc('c', stdout);
            printf("%d\n", (int)fwrite("abcdef", 2, 3, stdout)); putchar('\n'); fflush(stdout);
            printf("%p\n", (void *)0); printf("%s\n", __func__);
            __builtin_printf("%d\n", 3); __builtin___sprintf_chk(buf, 0, sizeof buf, "%d", 7); puts(buf);
            return 0; }"#,
    );
}

#[test]
fn numbers_agree() {
    let mut c = String::from("int main(void) { char *e; const char *s;\n");
    for text in [
        "12",
        "-34xyz",
        "  +0x1f",
        "077",
        "",
        "abc",
        "99999999999",
        "-99999999999999999999",
        "0x",
        "1e3",
        "zz",
        "-0",
    ] {
        let _ = writeln!(c, "s = \"{text}\";");
        for base in [0, 2, 8, 10, 16, 36] {
            let _ = writeln!(
                c,
                "printf(\"%ld\", strtol(s, &e, {base})); printf(\" %d\", (int)(e - s)); printf(\" %lu\", strtoul(s, &e, {base}));
                printf(\" %lld %llu\\n\", strtoll(s, 0, {base}), strtoull(s, 0, {base}));"
            );
        }
    }
    for text in ["1.5", "-2.25e3x", "0x1.8p4", "inf", "1e400", ".5", "-", "  3"] {
        let _ = writeln!(
            c,
            "s = \"{text}\"; printf(\"%a\", strtod(s, &e)); printf(\" %d %a %La\\n\", (int)(e - s), strtof(s, 0), strtold(s, 0));"
        );
    }
    c.push_str(
        "printf(\"%d %ld %a\\n\", atoi(\" -42z\"), atol(\"123\"), atof(\"2.5\"));
        printf(\"%d %ld %lld\\n\", abs(-5), labs(-6), llabs(-7));
        for (int i = -7; i <= 7; i += 7) for (int j = -2; j <= 3; j += 5) { div_t d = div(i, j); ldiv_t l = ldiv(i, j);
            printf(\"%d %d %ld %ld\\n\", d.quot, d.rem, l.quot, l.rem); }
        for (int c = -1; c < 256; c++) printf(\"%d%d%d%d%d%d%d%d%d%d%d%d %d %d\\n\", !isalnum(c), !isalpha(c), !isblank(c), !iscntrl(c),
            !isdigit(c), !isgraph(c), !islower(c), !isprint(c), !ispunct(c), !isspace(c), !isupper(c), !isxdigit(c),
            tolower(c), toupper(c));
        int i, j = 0, n; unsigned u; char w[10], d[4]; double x; float f; short h;
        printf(\"%d\", sscanf(\"12 ab 3.5 0x1f 7\", \"%d %9s %lf %x%n\", &i, w, &x, &u, &n)); printf(\" %d %s %g %u %d\\n\", i, w, x, u, n);
        printf(\"%d\", sscanf(\"5,x\", \"%hd,%3[a-z]%d\", &h, d, &j)); printf(\" %d %s %d\\n\", h, d, j);
        printf(\"%d\\n\", sscanf(\"\", \"%d\", &i)); printf(\"%d\\n\", sscanf(\"x\", \"%d\", &i));
        printf(\"%d\", sscanf(\"1 2\", \"%*d %f\", &f)); printf(\" %g\\n\", f);
        return 0; }",
    );
    agrees(&c);
}

#[test]
fn sorting_and_ending_agree() {
    agrees(
        r#"static int up(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
        static int text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
        struct s { int key; double value; };
        static int key(const void *a, const void *b) { return ((struct s *)b)->key - ((struct s *)a)->key; }
        static void last(void) { puts("last"); } static void first(void) { puts("first"); }
        int main(void) {
            int a[50], i, *p, k; unsigned r = 7; for (i = 0; i < 50; i++) a[i] = (r = r * 1103515245 + 12345) >> 20;
            qsort(a, 50, sizeof *a, up); for (i = 0; i < 50; i++) printf("%d ", a[i]);
            k = a[17]; p = bsearch(&k, a, 17, sizeof *a, up); printf("%d\n", p == 0); p = bsearch(&k, a + 10, 20, sizeof *a, up);
            printf("%d\n", (int)(p - a)); char *t[] = { "pear", "fig", "apple", "kiwi" }; qsort(t, 4, sizeof *t, text);
            for (i = 0; i < 4; i++) puts(t[i]); struct s v[] = { {1, 1.5}, {3, 3.5}, {2, 2.5} }; qsort(v, 3, sizeof *v, key);
            for (i = 0; i < 3; i++) printf("%d %g\n", v[i].key, v[i].value);
            p = malloc(4 * sizeof *p); p[0] = 5; p = realloc(p, 8 * sizeof *p); printf("%d\n", p[0]); free(p);
            p = calloc(3, sizeof *p); printf("%d\n", p[2]); free(p); p = aligned_alloc(64, 128); printf("%d\n", (int)((unsigned long)p % 64));
            free(p); free(0); atexit(last); atexit(first); exit(3); }"#,
    );
}

#[test]
fn what_is_only_known_by_its_sign_is_open() {
    for (body, expected) in [
        ("if (strcmp(\"a\", \"b\") >= 0) abort();", "exit 0"),
        ("if (!strcmp(\"a\", \"b\")) abort();", "exit 0"),
        ("int r = strcmp(\"a\", \"b\"); int *p = &r; if (*p > 0) abort();", "exit 0"),
        ("long r = memcmp(\"a\", \"b\", 1); if (r == 0) abort();", "exit 0"),
        ("return strcmp(\"a\", \"a\");", "exit 0"),
        ("if (strcmp(\"a\", \"c\") == -1) puts(\"\");", "exit 0 open"),
        ("printf(\"%d\", strcmp(\"a\", \"c\"));", "exit 0 open"),
        ("if (strcmp(\"a\", \"c\") + 1) puts(\"\");", "exit 0 open"),
        ("if ((unsigned)strcmp(\"a\", \"c\") > 5) return 0; abort();", "exit 0"),
        ("if ((unsigned)strcmp(\"a\", \"c\") > 4294967290) puts(\"\");", "exit 0 open"),
        ("if ((char)strcmp(\"a\", \"c\") < 0) puts(\"\");", "exit 0 open"),
        (
            "if (strcmp(\"a\", \"c\") <= -1 && strcmp(\"c\", \"a\") * -1 < 0 && -strcmp(\"a\", \"c\") > 0) return 0; abort();",
            "exit 0",
        ),
        ("if (strcmp(\"a\", \"c\") * 2 < 0) puts(\"\");", "exit 0 open"),
        ("if (puts(\"\") >= 0 && puts(\"\") != -1 && (puts(\"\") | 1)) return 0; abort();", "exit 0"),
        ("if (isalpha('a') && isdigit('1') && !isspace('a')) return 0; abort();", "exit 0"),
        ("if (isalpha('a') != 0) return 0; abort();", "exit 0"),
        ("if (isalpha('a') > 0) return 0;", "exit 0 open"),
        ("if (isalpha('a') == 1) puts(\"\");", "exit 0 open"),
        ("void *p = malloc(0); if (p) puts(\"\"); free(p);", "exit 0 open"),
        ("void *p = malloc(0); free(p);", "exit 0"),
        ("if (puts(\"\") > 0) puts(\"\");", "exit 0 open"),
    ] {
        assert_eq!(verdict(body), expected, "{body}");
    }
}

#[test]
fn misuse_is_undefined() {
    for (body, expected) in [
        ("char a[4] = \"abc\"; strcpy(a + 1, a);", "lib-overlap"),
        ("char a[9] = \"abc\"; strcat(a, a);", "lib-overlap"),
        ("char a[9] = \"abc\"; sprintf(a, \"%s!\", a);", "lib-overlap"),
        ("char a[9] = \"abc\"; memcpy(a, a, 3);", "lib-overlap"),
        ("char a[9] = \"abcdef\"; memcpy(a, a + 4, 4);", "exit 0"),
        ("char a[3] = \"abc\"; return strlen(a) & 0;", "lib-unterminated"),
        ("char a[3] = \"abc\"; return strnlen(a, 3) - 3;", "exit 0"),
        ("char a[3] = \"abc\"; printf(\"%.3s\", a);", "exit 0"),
        (
            "char a[3] = \"abc\"; if (strncmp(a, \"abd\", 9) > 0) abort(); if (!memchr(a, 'b', 9)) abort();",
            "exit 0",
        ),
        ("char a[3] = \"abc\"; return strncmp(a, \"abcd\", 9) & 0;", "lib-unterminated"),
        ("char a[3]; strcpy(a, \"abc\");", "lib-bounds"),
        ("char a[3]; strncpy(a, \"a\", 4);", "lib-bounds"),
        ("char a[3]; snprintf(a, 3, \"%d\", 12345);", "exit 0"),
        ("struct { char a[2], b[2]; } s = { \"ab\", \"c\" }; return strlen(s.a) & 0;", "lib-unterminated"),
        ("strlen(0);", "lib-pointer"),
        ("memcpy(0, \"\", 0);", "lib-pointer"),
        ("strcpy(\"abc\", \"ab\");", "string-modified"),
        ("static const char a[4]; strcpy((char *)a, \"a\");", "const-modified"),
        ("printf(\"%d\", 1L);", "printf-type"),
        ("printf(\"%d %d\", 1);", "printf-few"),
        ("printf(\"%s\", 1);", "printf-type"),
        ("isalpha(1000);", "ctype-range"),
        ("return isalpha(-1);", "exit 0"),
        ("volatile int m = -2147483647 - 1; abs(m);", "abs-of-min"),
        ("volatile long m = -9223372036854775807 - 1; labs(m);", "abs-of-min"),
        ("volatile int z = 0; div(1, z);", "div-by-zero"),
        ("atoi(\"99999999999\");", "atoi-range"),
        ("void *p = malloc(4); free(p); free(p);", "double-free"),
        ("free(\"\");", "bad-free"),
        ("char *p = malloc(4); return strlen(p) & 0;", "uninit"),
        ("char *p = strdup(\"a\"); free(p); return strlen(p) & 0;", "use-after-free"),
        ("char *p = malloc(4); realloc(p, 0);", "unsupported"),
        ("int x; sscanf(\"1\", \"%ld\", &x);", "printf-type"),
        ("int x; sscanf(\"99999999999\", \"%d\", &x);", "atoi-range"),
        ("int a[5]; char *p = __builtin_assume_aligned((char *)a + 1, 4);", "attr-assume-aligned"),
        ("__builtin_unreachable();", "unreachable"),
        ("__builtin_trap();", "abort"),
        ("char d[4]; __builtin___memcpy_chk(d, \"abcdefg\", 6, 5);", "abort"),
        ("char d[4]; __builtin___memcpy_chk(d, \"abcdefg\", 6, __builtin_object_size(d, 0));", "lib-bounds"),
        ("_Exit(4);", "exit 4"),
        ("putchar('a'); _Exit(4);", "unsupported"),
        ("putchar('a'); fflush(stdout); _Exit(4);", "exit 4"),
        ("fputs(\"\", (FILE *)0);", "lib-pointer"),
    ] {
        assert_eq!(verdict(body), expected, "{body}");
    }
}

#[test]
fn comparison_functions_must_be_consistent() {
    let run = |compare: &str, body: &str| {
        verdict_of(&format!(
            "int calls; int f(const void *a, const void *b) {{ int x = *(int *)a, y = *(int *)b; {compare} }}
            int main(void) {{ int a[] = {{ 3, 1, 2, 5, 4 }}; {body} return 0; }}"
        ))
    };
    let sort = "qsort(a, 5, sizeof *a, f);";
    assert_eq!(run("return x - y;", sort), "exit 0");
    assert_eq!(run("return 1;", sort), "qsort-order");
    assert_eq!(run("return x > y;", sort), "qsort-order");
    assert_eq!(run("return 0;", sort), "exit 0 open");
    assert_eq!(run("return x / 2 - y / 2;", sort), "exit 0 open");
    assert_eq!(run("calls++; return x - y;", sort), "exit 0 open");
    assert_eq!(run("return x - y;", "int k = 2; bsearch(&k, a, 5, sizeof *a, f);"), "qsort-order");
    assert_eq!(run("return x - y;", "int k = 3; bsearch(&k, a + 1, 3, sizeof *a, f);"), "exit 0");
}

#[test]
fn lists_are_used_once() {
    let run = |body: &str| {
        verdict_of(&format!(
            "void v(const char *f, ...) {{ va_list a; __builtin_va_start(a, f); {body} __builtin_va_end(a); }}
            int main(void) {{ v(\"%d %d\\n\", 1, 2); return 0; }}"
        ))
    };
    assert_eq!(run("vprintf(f, a);"), "exit 0");
    assert_eq!(run("vprintf(f, a); vprintf(f, a);"), "va-list-ended");
    assert_eq!(run("vprintf(f, a); __builtin_va_arg(a, int);"), "va-list-ended");
    assert_eq!(run("vprintf(\"%d %d %d\\n\", a);"), "printf-few");
    assert_eq!(run("__builtin_va_arg(a, int); vprintf(\"%d\\n\", a);"), "exit 0");
}

#[test]
fn library_names_are_reserved() {
    assert_eq!(verdict_of("int abs(int x) { return x; } int main(void) { return abs(0); }"), "reserved-name");
    assert_eq!(
        verdict_of("static int floor(int x) { return x; } int main(void) { return floor(0); }"),
        "exit 0"
    );
    assert_eq!(verdict_of("int clz(int x) { return x; } int main(void) { return clz(0); }"), "exit 0");
    assert_eq!(
        verdict_of("int clz(int); int main(void) { return clz(1); }"),
        "BadProgram(\"no definition of 'clz', which is used at test.c:42:39\")"
    );
}

#[test]
fn library_functions_are_what_they_are() {
    let run = |text: &str| match machine(Target::X86_64_GCC, text).outcome {
        Outcome::Ub(ub) => ub.kind.code().to_owned(),
        other => format!("{other:?}"),
    };
    assert_eq!(run("int strlen(const char *); int main(void) { return strlen(\"\"); }"), "call-type");
    assert_eq!(run("int malloc(unsigned long); int main(void) { return malloc(4) != 0; }"), "call-type");
    assert_eq!(
        run("int floor(double); int main(void) { volatile double x = 1; return floor(x); }"),
        "call-type"
    );
    assert_eq!(run("void *malloc(); int main(void) { return malloc(4) == 0; }"), "call-arguments");
    assert_eq!(
        run("double sqrt(); int main(void) { volatile int x = 4; return sqrt(x) > 9; }"),
        "call-arguments"
    );
    assert_eq!(run("double sqrt(); int main(void) { volatile double x = 4; return sqrt(x); }"), "Exit(2)");
}

#[test]
fn exit_handlers_run_once() {
    assert_eq!(verdict_of("void h(void) { exit(2); } int main(void) { atexit(h); return 0; }"), "exit-twice");
    assert_eq!(verdict_of("void h(void) { _Exit(2); } int main(void) { atexit(h); return 0; }"), "exit 2");
}

#[test]
fn wide_strings_agree_on_random_texts() {
    let choices = &mut Choices::new(29);
    let mut c = String::from(
        "typedef __typeof__(L' ') wchar_t; typedef unsigned wint_t;
        size_t wcslen(const wchar_t *); size_t wcsnlen(const wchar_t *, size_t); wchar_t *wcscpy(wchar_t *, const wchar_t *);
        wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t); wchar_t *wcscat(wchar_t *, const wchar_t *);
        wchar_t *wcsncat(wchar_t *, const wchar_t *, size_t); int wcscmp(const wchar_t *, const wchar_t *);
        int wcsncmp(const wchar_t *, const wchar_t *, size_t); wchar_t *wcschr(const wchar_t *, wchar_t);
        wchar_t *wcsrchr(const wchar_t *, wchar_t); wchar_t *wcsstr(const wchar_t *, const wchar_t *);
        size_t wcsspn(const wchar_t *, const wchar_t *); size_t wcscspn(const wchar_t *, const wchar_t *);
        wchar_t *wcspbrk(const wchar_t *, const wchar_t *); wchar_t *wcstok(wchar_t *, const wchar_t *, wchar_t **);
        wchar_t *wmemset(wchar_t *, wchar_t, size_t); wchar_t *wmemmove(wchar_t *, const wchar_t *, size_t);
        int wmemcmp(const wchar_t *, const wchar_t *, size_t); wchar_t *wmemchr(const wchar_t *, wchar_t, size_t);
        size_t wcstombs(char *, const wchar_t *, size_t); size_t mbstowcs(wchar_t *, const char *, size_t);
        int swprintf(wchar_t *, size_t, const wchar_t *, ...); long wcstol(const wchar_t *, wchar_t **, int);
        static int sign(int x) { return x < 0 ? -1 : x > 0; }
        static void show(const wchar_t *base, const wchar_t *p) { printf(p ? \"%d \" : \"null \", (int)(p ? p - base : 0)); }
        static void one(const wchar_t *a, const wchar_t *b, wchar_t k, size_t n) {
            wchar_t buf[64], *p, *q; char bytes[64]; int i;
            printf(\"%d %d %d %d \", (int)wcslen(a), (int)wcsnlen(a, n), (int)wcsspn(a, b), (int)wcscspn(a, b));
            printf(\"%d %d \", sign(wcscmp(a, b)), sign(wcsncmp(a, b, n)));
            show(a, wcschr(a, k)); show(a, wcsrchr(a, k)); show(a, wcsstr(a, b)); show(a, wcspbrk(a, b));
            show(a, wmemchr(a, k, wcslen(a) + 1)); wmemset(buf, L'#', 64); wcscpy(buf, a); wcscat(buf, b); printf(\"<%ls> \", buf);
            wmemset(buf, L'#', 64); wcscpy(buf, b); wcsncat(buf, a, n); printf(\"<%ls> %10.3ls|\", buf, a);
            wmemset(buf, L'#', 64); wcsncpy(buf, a, n); for (i = 0; i < 20; i++) putchar(buf[i] ? buf[i] : '.');
            wcscpy(buf, a); for (p = wcstok(buf, b, &q); p; p = wcstok(0, b, &q)) printf(\" [%ls]\", p);
            wcscpy(buf, a); wmemmove(buf + 1, buf, wcslen(a) + 1); buf[0] = L'!'; printf(\" %ls\", buf);
            printf(\" %d %s\", (int)wcstombs(bytes, a, sizeof bytes), bytes);
            printf(\" %d\", (int)mbstowcs(buf, bytes, 64)); printf(\" %d\", swprintf(buf, 64, L\"%ls-%d\", a, 5)); printf(\" %ls\", buf);
            printf(\" %d %ld\\n\", sign(wmemcmp(a, b, n < 1 ? n : 1)), wcstol(L\" -12x\", &p, 10));
        }
        int main(void) {\n",
    );
    for _ in 0..60 {
        let (a, b) = (text(choices, 12), text(choices, 3));
        let k = *choices.one_of("unit", &["L'a'", "L'b'", "L'-'", "0", "L'z'", "L'a' + 256"]);
        let n = choices.range("count", 0..=14u32);
        let _ = writeln!(c, "one(L\"{a}\", L\"{b}\", {k}, {n});");
    }
    c.push_str("return 0; }");
    agrees(&c);
}

#[test]
fn errors_and_other_functions_agree() {
    agrees(
        r#"int *__errno_location(void); char *strerror(int); int asprintf(char **, const char *, ...);
        void *reallocarray(void *, size_t, size_t); size_t strxfrm(char *, const char *, size_t);
        char *strcasestr(const char *, const char *); double pow(double, double); double exp2(double); double log2(double);
        float powf(float, float); int iswalpha(unsigned); int iswpunct(unsigned); unsigned towlower(unsigned);
        int main(void) {
            int i, j, *e = __errno_location(), *p; char *s, b[20];
            const char *numbers[] = { "12", "99999999999999999999", "-99999999999999999999", "zz", "", "0x7fffffffffffffffff", "-1" };
            for (i = 0; i < 7; i++) for (j = 0; j < 4; j++) {
                *e = 77;
                if (j == 0) strtol(numbers[i], 0, 0); else if (j == 1) strtoul(numbers[i], 0, 0);
                else if (j == 2) strtoll(numbers[i], 0, 0); else strtod(numbers[i], 0);
                printf("%d ", *e);
            }
            *e = 0; i = strtod("1e999", 0) > 1; printf("%d %d\n", i, *e);
            for (i = 0; i < 134; i++) if (i != 41 && i != 58) puts(strerror(i));
            printf("%d ", asprintf(&s, "%s/%d", "dir", 7)); puts(s); free(s);
            p = reallocarray(0, 3, sizeof *p); p[0] = 4; p = reallocarray(p, 9, sizeof *p); printf("%d\n", p[0]); free(p);
            printf("%d ", (int)strxfrm(b, "text", sizeof b)); printf("%s %s\n", b, strcasestr("Some Text", "tEX"));
            printf("%g %g %g %g %g %g\n", pow(2, 10), pow(3, 5), pow(-1.5, 3), pow(0.5, -4), pow(7, 0), pow(0, 2));
            printf("%g %g %g %g\n", exp2(-3), log2(1024), log2(0.125), powf(1.5f, 2));
            for (i = 0; i < 300; i++) printf("%d%d%u ", iswalpha(i) != 0, iswpunct(i) != 0, towlower(i));
            return 0; }"#,
    );
}
