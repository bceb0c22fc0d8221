//! Our headers against the system's and against every compiler: same types, same constants, same prototypes, and
//! programs that compile, link and run.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use howler_lang::target::{Arch, Std, Target};
use howler_testkit::Scratch;
use howler_toolchain::headers;
use howler_toolchain::preprocess::{
    Headers, Input, PreprocessOptions, Preprocessor, for_compilers, preprocess,
};
use howler_toolchain::process::{Finished, Invocation, Limits, run};

/// Compilers of the text that gcc-12 preprocessed. Each shares one text with all others of its machine.
const COMPILERS: &[(&str, Arch)] = &[
    ("gcc-12", Arch::X86_64),
    ("clang-16", Arch::X86_64),
    ("tcc", Arch::X86_64),
    ("pcc", Arch::X86_64),
    ("gcc-12", Arch::I386),
    ("clang-16", Arch::I386),
];

const ARCHS: [Arch; 2] = [Arch::X86_64, Arch::I386];

/// Runs a compiler, or a program by its path; `None` if it is not installed.
fn tool(name: &str, args: &[&str]) -> Option<Finished> {
    if !name.contains('/') {
        howler_testkit::tool(name)?;
    }
    let mut invocation = Invocation::new(name);
    invocation.args(args);
    Some(run(&invocation, &Limits::default()).unwrap())
}

/// The output of a run that must succeed.
fn succeed(what: &str, finished: &Finished) -> String {
    let stderr = String::from_utf8_lossy(&finished.stderr);
    assert!(finished.success(), "{what}: {}\n{stderr}", finished.status);
    String::from_utf8_lossy(&finished.stdout).into_owned()
}

fn machine_args(arch: Arch) -> &'static [&'static str] {
    match arch {
        Arch::X86_64 => &[],
        Arch::I386 => &["-m32", "-msse2", "-mfpmath=sse"],
    }
}

fn public() -> impl Iterator<Item = &'static str> + Clone {
    headers::ALL.iter().map(|(name, _)| *name).filter(|name| headers::is_public(name))
}

fn shown(path: PathBuf) -> String {
    path.to_str().unwrap().to_owned()
}

/// The text with our headers, as gcc-12 preprocesses it.
fn text_of(source: &str, arch: Arch, std: &str) -> Option<String> {
    howler_testkit::tool("gcc-12")?;
    let preprocessor = Preprocessor::find(Some("gcc-12".as_ref())).unwrap();
    let target = Target { arch, std: Std::parse(std).unwrap(), ..Target::X86_64_GCC };
    let options =
        PreprocessOptions { target, defines: Vec::new(), include_dirs: Vec::new(), headers: Headers::Ours };
    let result = preprocess(&preprocessor, Input::Text { name: "test.c", text: source }, &options);
    Some(for_compilers(&result.unwrap_or_else(|error| panic!("{std}: {error}")).text))
}

/// Every compiler of the machine accepts the source with our headers. tcc has no complex types.
fn all_accept(source: &str, arch: Arch, std: &str) {
    let Some(text) = text_of(source, arch, std) else { return };
    let scratch = Scratch::new();
    let file = shown(scratch.write("test.i", &text));
    let object = shown(scratch.path("test.o"));
    let std = format!("-std={std}");
    for &(compiler, _) in COMPILERS.iter().filter(|&&(_, its)| its == arch) {
        if compiler == "tcc" && text.contains("_Complex") {
            continue;
        }
        let mut args = match compiler {
            "tcc" | "pcc" => vec!["-c", "-o", &object],
            _ => vec!["-fsyntax-only", "-Wall", "-Wsystem-headers", "-Werror", &std],
        };
        args.extend_from_slice(machine_args(arch));
        args.push(&file);
        if let Some(finished) = tool(compiler, &args) {
            succeed(&format!("{compiler} {args:?}\n{source}"), &finished);
        }
    }
}

fn includes(names: impl Iterator<Item = &'static str>) -> String {
    names.fold(String::new(), |mut text, name| {
        writeln!(text, "#include <{name}>").unwrap();
        text
    })
}

#[test]
fn every_header_stands_alone_and_twice() {
    for arch in ARCHS {
        for name in public() {
            let source = format!("#include <{name}>\n#include <{name}>\nint used;\n");
            all_accept(&source, arch, "gnu17");
        }
    }
}

#[test]
fn all_headers_stand_together_in_every_standard() {
    let forward = includes(public());
    let backward = includes(public().collect::<Vec<_>>().into_iter().rev());
    for arch in ARCHS {
        for std in ["c89", "gnu89", "c99", "gnu99", "c11", "gnu11", "c17", "gnu17"] {
            all_accept(&format!("{forward}int used;\n"), arch, std);
        }
        all_accept(&format!("#define _GNU_SOURCE\n{backward}int used;\n"), arch, "gnu89");
        let without_complex = includes(public().filter(|&name| name != "complex.h"));
        all_accept(&format!("{without_complex}int used;\n"), arch, "gnu17");
    }
}

#[test]
fn a_programs_own_macros_do_not_reach_into_the_headers() {
    // C17 7.1.3p1: all other names belong to the program.
    let words = "a b c d n p q s t u x y z to from size count text base end key list format file line value stream \
                 name buffer mode status seed number set part rest compare block byte env exponent function tag";
    let defines = words.split_whitespace().fold(String::new(), |mut defines, word| {
        writeln!(defines, "#define {word} @").unwrap();
        defines
    });
    all_accept(&format!("{defines}{}int used;\n", includes(public())), Arch::X86_64, "gnu17");
}

/// Prints the type and the value of every constant macro, and the size and type of every typedef.
const SHOW: &str = r#"
#define TYPE(x) _Generic((x), _Bool: "bool", char: "char", signed char: "schar", unsigned char: "uchar", \
  short: "short", unsigned short: "ushort", int: "int", unsigned: "uint", long: "long", unsigned long: "ulong", \
  long long: "llong", unsigned long long: "ullong", float: "float", double: "double", long double: "ldouble", \
  char *: "char *", void *: "void *", default: "other")
static void show_text(const char *x) { printf("\"%s\"\n", x); }
static void show_pointer(const void *x) { printf("%d\n", x == 0); }
static void show_int(long long x) { printf("%lld\n", x); }
static void show_uint(unsigned long long x) { printf("%llu\n", x); }
static void show_float(long double x) { printf("%La\n", x); }
#define VALUE(m) (printf("%s %s ", #m, TYPE(m)), _Generic((m), char *: show_text, void *: show_pointer, \
  float: show_float, double: show_float, long double: show_float, unsigned: show_uint, unsigned long: show_uint, \
  unsigned long long: show_uint, default: show_int)(m));
#define SHAPE(t) printf("%s %d %d\n", #t, (int) sizeof (t), (int) _Alignof (t));
#define KIND(t) printf("%s %s\n", #t, TYPE((t) 0));
int main(void)
{
"#;

/// Arithmetic typedefs of our headers, and those of other kinds.
#[rustfmt::skip]
const TYPES: (&[&str], &[&str]) = (
    &["size_t", "ssize_t", "ptrdiff_t", "wchar_t", "wint_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t",
      "uint16_t", "uint32_t", "uint64_t", "int_least8_t", "int_least16_t", "int_least32_t", "int_least64_t",
      "uint_least8_t", "uint_least16_t", "uint_least32_t", "uint_least64_t", "int_fast8_t", "int_fast16_t",
      "int_fast32_t", "int_fast64_t", "uint_fast8_t", "uint_fast16_t", "uint_fast32_t", "uint_fast64_t", "intptr_t",
      "uintptr_t", "intmax_t", "uintmax_t", "float_t", "double_t", "pid_t", "id_t", "uid_t", "gid_t", "mode_t",
      "off_t", "time_t", "clock_t", "u_char", "u_short", "u_int", "u_long", "ushort", "uint", "ulong", "u_int8_t",
      "u_int16_t", "u_int32_t", "u_int64_t", "char16_t", "char32_t", "clockid_t", "fexcept_t", "sig_atomic_t",
      "wctype_t"],
    &["jmp_buf", "div_t", "ldiv_t", "lldiv_t", "imaxdiv_t", "max_align_t", "va_list", "fpos_t", "fenv_t",
      "mbstate_t", "struct lconv", "struct timespec", "struct tm"],
);

/// Macros without a value of their own.
const NOT_VALUES: &[&str] = &[
    "FE_DFL_ENV",
    "I",
    "SIG_DFL",
    "SIG_ERR",
    "SIG_IGN",
    "_Complex_I",
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "bitand",
    "bitor",
    "bool",
    "compl",
    "complex",
    "errno",
    "noreturn",
    "not",
    "not_eq",
    "or",
    "or_eq",
    "static_assert",
    "stderr",
    "stdin",
    "stdout",
    "xor",
    "xor_eq",
];

/// Names of the object-like macros our headers define for users.
fn macros(arch: Arch) -> Option<BTreeSet<String>> {
    let folder = headers::Folder::create().unwrap();
    let scratch = Scratch::new();
    let all = shown(scratch.write("all.c", format!("#define _GNU_SOURCE 1\n{}", includes(public()))));
    let mut args = vec!["-E", "-dM", "-nostdinc", "-isystem", folder.path().to_str().unwrap()];
    args.extend_from_slice(machine_args(arch));
    args.push(&all);
    let text = succeed("gcc-12 -dM", &tool("gcc-12", &args)?);
    let names =
        text.lines().filter_map(|line| line.strip_prefix("#define ")?.split_once(' ')).map(|(name, _)| name);
    let predefined = ["linux", "unix", "i386", "_GNU_SOURCE", "_LP64", "_STDC_PREDEF_H"];
    let wanted =
        names.filter(|name| !name.starts_with("__") && !name.contains('(') && !predefined.contains(name));
    Some(wanted.filter(|name| !NOT_VALUES.contains(name)).map(str::to_owned).collect())
}

#[test]
fn constants_and_types_are_the_systems() {
    for arch in ARCHS {
        let Some(names) = macros(arch) else { return };
        assert!(names.len() > 300, "only {} macros found", names.len());
        let mut source =
            format!("#define _GNU_SOURCE 1\n{}{SHOW}", includes(public().filter(|&n| n != "iso646.h")));
        names.iter().for_each(|name| writeln!(source, "VALUE({name})").unwrap());
        TYPES.0.iter().for_each(|name| writeln!(source, "KIND({name})").unwrap());
        TYPES.1.iter().for_each(|name| writeln!(source, "SHAPE({name})").unwrap());
        source.push_str("return 0; }\n");
        let Some(ours) = text_of(&source, arch, "gnu17") else { return };
        let scratch = Scratch::new();
        let system = shown(scratch.write("system.c", &source));
        let ours = shown(scratch.write("ours.i", &ours));
        // clang differs from gcc in the type of a wide character on i386.
        for compiler in ["gcc-12", "clang-16"] {
            let output = |file: &str| {
                let program = shown(scratch.path("program"));
                let mut args = vec!["-std=gnu17", "-w", "-o", &program];
                args.extend_from_slice(machine_args(arch));
                args.push(file);
                succeed(file, &tool(compiler, &args)?);
                Some(succeed(file, &tool(&program, &[])?))
            };
            let (Some(ours), Some(system)) = (output(&ours), output(&system)) else { continue };
            assert_eq!(ours.lines().count(), names.len() + TYPES.0.len() + TYPES.1.len());
            let differ = ours.lines().zip(system.lines()).filter(|(ours, system)| ours != system);
            // clang's max_align_t is weaker on i386; one text can only have one, and gcc's serves both.
            let known =
                |ours: &str| compiler == "clang-16" && arch == Arch::I386 && ours == "max_align_t 48 16";
            let differ: Vec<_> = differ.filter(|(ours, _)| !known(ours)).collect();
            assert!(differ.is_empty(), "{compiler} {arch:?}, ours and the system's: {differ:#?}");
        }
    }
}

/// Every function declaration of our headers, one per entry.
fn declarations(arch: Arch) -> Option<Vec<String>> {
    let text = text_of(&format!("#define _GNU_SOURCE 1\n{}", includes(public())), arch, "gnu17")?;
    let plain: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let plain = plain.join(" ");
    let all = plain.split(';').map(str::trim);
    let functions = all.filter(|text| {
        let other = text.contains(['{', '}']) || text.contains("typedef") || text.contains("__aligned__");
        text.ends_with(')') && !other
    });
    Some(functions.map(str::to_owned).collect())
}

/// The name a declaration declares.
fn name(function: &str) -> &str {
    let head = function.split(" (").next().unwrap();
    head.rsplit([' ', '*']).next().unwrap()
}

#[test]
fn prototypes_are_the_systems() {
    for arch in ARCHS {
        let Some(functions) = declarations(arch) else { return };
        assert!(functions.len() > 300, "only {} functions found", functions.len());
        let mut source =
            format!("#define _GNU_SOURCE 1\n{}", includes(public().filter(|&n| n != "iso646.h")));
        for function in &functions {
            // The system has macros of the same name for some.
            writeln!(source, "#undef {}\nextern {function};", name(function)).unwrap();
        }
        let scratch = Scratch::new();
        let file = shown(scratch.write("both.c", &source));
        let mut args =
            vec!["-std=gnu17", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-redundant-decls", "-Werror"];
        args.extend_from_slice(machine_args(arch));
        args.push(&file);
        let Some(finished) = tool("gcc-12", &args) else { return };
        succeed("both prototypes", &finished);
    }
}

#[test]
fn every_function_links_with_the_c_library() {
    for arch in ARCHS {
        let Some(functions) = declarations(arch) else { return };
        let names: BTreeSet<&str> = functions.iter().map(|function| name(function)).collect();
        let mut source = String::from("#define _GNU_SOURCE 1\n");
        source += &includes(public().filter(|&n| n != "iso646.h"));
        source.push_str("void (*const all[])(void) = {\n");
        // alloca exists in compilers only.
        for name in names.iter().filter(|&&name| name != "alloca") {
            writeln!(source, "(void (*)(void)) {name},").unwrap();
        }
        source.push_str("};\nint main(void) { return all[0] == 0; }\n");
        let Some(text) = text_of(&source, arch, "gnu17") else { return };
        let scratch = Scratch::new();
        let file = shown(scratch.write("link.i", &text));
        let program = shown(scratch.path("program"));
        let mut args = vec!["-o", &program, &file, "-lm"];
        args.extend_from_slice(machine_args(arch));
        let Some(finished) = tool("gcc-12", &args) else { return };
        succeed("link", &finished);
    }
}

#[test]
fn programs_run_the_same_from_every_compiler() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut programs: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    programs.sort();
    assert!(!programs.is_empty());
    for path in &programs {
        let source = std::fs::read_to_string(path).unwrap();
        // The first comment holds the expected output.
        let expected = source.split("/*\n").nth(1).and_then(|rest| rest.split("*/").next()).unwrap();
        for &(compiler, arch) in COMPILERS {
            if source.contains(&format!("not for {compiler}")) {
                continue;
            }
            let Some(text) = text_of(&source, arch, "gnu17") else { return };
            let scratch = Scratch::new();
            let file = shown(scratch.write("program.i", &text));
            let program = shown(scratch.path("program"));
            let mut args = vec!["-o", &program, &file, "-lm"];
            args.extend_from_slice(machine_args(arch));
            let Some(finished) = tool(compiler, &args) else { continue };
            let what = format!("{compiler} {arch:?} {}", path.display());
            succeed(&what, &finished);
            let finished = tool(&program, &[]).unwrap();
            let output = format!(
                "{}{}{}\n",
                String::from_utf8_lossy(&finished.stdout),
                String::from_utf8_lossy(&finished.stderr).replace("program: ", ""),
                finished.status
            );
            assert_eq!(output, expected, "{what}");
        }
    }
}
