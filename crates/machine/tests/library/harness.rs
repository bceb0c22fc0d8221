//! Runs a program on the machine and with gcc-12, for the library's tests.
#![allow(dead_code, reason = "each test file uses its part")]

use howler_lang::program::Program;
use howler_lang::target::{Arch, Target};
use howler_machine::outcome::Outcome;
use howler_machine::{RunOptions, RunReport, run as execute};
use howler_testkit::{Options, Scratch, run, tool};

/// The targets and what gcc is told for them.
pub const TARGETS: [(Target, &[&str]); 2] = [
    (Target::X86_64_GCC, &["-m64"]),
    (Target { arch: Arch::I386, ..Target::X86_64_GCC }, &["-m32", "-msse2", "-mfpmath=sse"]),
];

/// Declarations for programs that include nothing.
pub const DECLARATIONS: &str = r#"
typedef __typeof__(sizeof 0) size_t;
typedef struct _IO_FILE FILE;
typedef __builtin_va_list va_list;
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
extern FILE *stdout, *stderr;
int printf(const char *, ...); int fprintf(FILE *, const char *, ...); int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...); int vprintf(const char *, va_list);
int vsprintf(char *, const char *, va_list); int vsnprintf(char *, size_t, const char *, va_list);
int vfprintf(FILE *, const char *, va_list); int sscanf(const char *, const char *, ...);
int puts(const char *); int putchar(int); int fputs(const char *, FILE *); int fputc(int, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *); int fflush(FILE *);
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *aligned_alloc(size_t, size_t); void abort(void); void exit(int); void _Exit(int); int atexit(void (*)(void));
int abs(int); long labs(long); long long llabs(long long); div_t div(int, int); ldiv_t ldiv(long, long);
int atoi(const char *); long atol(const char *); double atof(const char *);
long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int);
long long strtoll(const char *, char **, int); unsigned long long strtoull(const char *, char **, int);
double strtod(const char *, char **); float strtof(const char *, char **); long double strtold(const char *, char **);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t);
void *mempcpy(void *, const void *, size_t); void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t); void *memchr(const void *, int, size_t);
void *memrchr(const void *, int, size_t); void *memccpy(void *, const void *, int, size_t);
void *memmem(const void *, size_t, const void *, size_t); void bcopy(const void *, void *, size_t);
void bzero(void *, size_t); size_t strlen(const char *); size_t strnlen(const char *, size_t);
int strcmp(const char *, const char *); int strncmp(const char *, const char *, size_t);
int strcasecmp(const char *, const char *); int strncasecmp(const char *, const char *, size_t);
char *strcpy(char *, const char *); char *stpcpy(char *, const char *); char *strncpy(char *, const char *, size_t);
char *stpncpy(char *, const char *, size_t); char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t); char *strchr(const char *, int); char *strrchr(const char *, int);
char *strchrnul(const char *, int); char *index(const char *, int); char *rindex(const char *, int);
char *strstr(const char *, const char *); size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *); char *strpbrk(const char *, const char *);
char *strtok(char *, const char *); char *strtok_r(char *, const char *, char **); char *strsep(char **, const char *);
char *strdup(const char *); char *strndup(const char *, size_t);
int isalnum(int); int isalpha(int); int isblank(int); int iscntrl(int); int isdigit(int); int isgraph(int);
int islower(int); int isprint(int); int ispunct(int); int isspace(int); int isupper(int); int isxdigit(int);
int tolower(int); int toupper(int);
"#;

/// Runs a program on the machine.
pub fn machine(target: Target, text: &str) -> RunReport {
    let mut program = Program::new(target);
    let report = howler_front::parse(&mut program, "test.c", text.into(), &howler_front::Options::default());
    assert!(report.unit.is_some(), "{:?}", report.diagnostics);
    let _ = howler_lang::link::link(&mut program);
    execute(&program, &RunOptions::default())
}

/// What gcc-12's program prints and ends with; `None` if there is no gcc-12.
pub fn native(flags: &[&str], text: &str) -> Option<(String, Option<i32>)> {
    let gcc = tool("gcc-12")?;
    let scratch = Scratch::new();
    let source = scratch.write("test.c", text);
    let binary = scratch.path("test");
    let path = |path: &std::path::Path| path.to_str().expect("the scratch path is text").to_owned();
    let mut arguments: Vec<String> = ["-w", "-O0", "-ffp-contract=off"].map(str::to_owned).to_vec();
    arguments.extend(flags.iter().map(|&flag| flag.to_owned()));
    arguments.extend([path(&source), "-o".to_owned(), path(&binary), "-lm".to_owned()]);
    let built = run(gcc, &arguments, &Options::default());
    assert!(built.success(), "{}", built.stderr_text());
    let output = run(&binary, [""; 0], &Options { keep: 1 << 26, ..Options::default() });
    Some((output.stdout_text(), output.code))
}

/// Checks that a program is defined, depends on nothing open, and does what gcc's does, on both targets.
pub fn agrees(text: &str) {
    let text = format!("{DECLARATIONS}{text}");
    for (target, flags) in TARGETS {
        let report = machine(target, &text);
        let Some((output, code)) = native(flags, &text) else { return };
        let got = String::from_utf8_lossy(&report.output).into_owned();
        for (index, (ours, theirs)) in got.lines().zip(output.lines()).enumerate() {
            assert_eq!(ours, theirs, "line {index}, {flags:?}\n{:?}", report.outcome);
        }
        assert_eq!(got, output, "{flags:?} {:?}", report.outcome);
        let code = u8::try_from(code.expect("gcc's program ends")).expect("a status");
        assert_eq!(report.outcome, Outcome::Exit(code), "{flags:?}");
        assert_eq!(report.open, [], "{flags:?}");
    }
}

/// How the body of `main` ends on the machine: `exit N`, `abort`, a kind's code, `unsupported`, and `open` behind it
/// if it depends on something open.
pub fn verdict(body: &str) -> String {
    verdict_of(&format!("int main(void) {{ {body} return 0; }}"))
}

/// As [`verdict`], of a whole program.
pub fn verdict_of(text: &str) -> String {
    let report = machine(Target::X86_64_GCC, &format!("{DECLARATIONS}{text}"));
    let end = match &report.outcome {
        Outcome::Exit(status) => format!("exit {status}"),
        Outcome::Abort => "abort".to_owned(),
        Outcome::Ub(ub) => ub.kind.code().to_owned(),
        Outcome::Unsupported(_) => "unsupported".to_owned(),
        other => format!("{other:?}"),
    };
    if report.open.is_empty() { end } else { format!("{end} open") }
}
