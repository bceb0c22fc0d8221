//! Input that means harm: mutated programs, deep nesting, long chains. Nothing may panic, overflow the stack, take
//! long or grow without bound; what a chain without brackets says must even be accepted.
//!
//! The fast suite reads 20,000 mutated programs, `HOWLER_SOAK=1` a million.

mod seeds;

use howler_choices::Choices;
use howler_front::lexer::lex;
use howler_lang::diag::{Severity, render};
use howler_lang::program::Program;
use howler_lang::symbol::Symbols;
use howler_lang::target::{Arch, Compiler, Std, Target};
use howler_lang::{dump, print, verify};
use howler_testkit::mutant::{Pool, fewest};
use howler_testkit::soak;
use seeds::SEEDS;
use std::path::Path;

fn read(text: &str, target: Target) -> (Program, Vec<String>) {
    let mut program = Program::new(target);
    let options = howler_front::Options::default();
    let report = howler_front::parse(&mut program, "hostile.c", text.into(), &options);
    let complaints = report
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity != Severity::Warning)
        .map(|diagnostic| render(diagnostic, &program.sources, false))
        .collect();
    (program, complaints)
}

/// Whether `text` is accepted. What is accepted must be well-formed, print, and read back as the same program; the
/// error says which of these laws it breaks, in one line, and how.
fn judge(text: &str, target: Target) -> Result<bool, String> {
    let (program, complaints) = read(text, target);
    if !complaints.is_empty() {
        return Ok(false);
    }
    let faults = verify::program(&program);
    if let Some(fault) = faults.first() {
        return Err(format!("accepted but not well-formed: {fault:?}"));
    }
    let printed = print::unit(&program, 0, &print::PrintOptions::default());
    let (again, complaints) = read(&printed, target);
    if let Some(complaint) = complaints.first() {
        return Err(format!("the print is refused: {complaint}\n{printed}"));
    }
    if dump::program(&program) != dump::program(&again) {
        return Err(format!("the print means something else:\n{printed}"));
    }
    Ok(true)
}

/// Whether `text` is accepted.
fn survive(text: &str) -> bool {
    judge(text, Target::X86_64_GCC).unwrap_or_else(|broken| panic!("{broken}\nfrom:\n{text}"))
}

#[test]
fn the_seeds_are_accepted_and_survive_the_round_trip() {
    for seed in SEEDS {
        let (_, complaints) = read(seed, Target::X86_64_GCC);
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
        assert!(survive(seed));
    }
}

/// Small programs that once broke a law.
const REGRESSIONS: &[&str] = &[
    "struct s$ { int x; } a; struct \u{e9} { int x; } b = {};",
    "int *p = &(int){1}; char *q = (char[]){\"abc\"}; int f(void) { return (int){2} << 1; }",
    "void f(int i) { for (_Static_assert(1, \"\"); i < 3; i++) ; }",
    "int a[] = (int[4]){1, 1}; char b[] = (char[9]){\"abc\"};",
    "typedef int t[], u[10]; t *a[] = {0}; u *a[1];",
    "void f(void) __attribute__((noreturn(18446744073709551615u)));",
    "#include <foo /*\n> */\nint x;",
];

#[test]
fn what_once_broke_a_law_is_taken_and_survives() {
    for text in REGRESSIONS {
        assert!(survive(text), "{text}: {}", read(text, Target::X86_64_GCC).1.join("\n"));
    }
}

/// Whose rules a mutant is read by; mostly the first.
const TARGETS: [Target; 4] = [
    Target::X86_64_GCC,
    Target { arch: Arch::I386, ..Target::X86_64_GCC },
    Target { compiler: Compiler::Clang, ..Target::X86_64_GCC },
    Target { std: Std::GNU89, ..Target::X86_64_GCC },
];

/// Changes a few bytes. The result is still text: what is not UTF-8 cannot reach the front end.
fn mutate_bytes(choices: &mut Choices, seed: &str) -> String {
    let mut bytes = seed.as_bytes().to_vec();
    for round in 0..choices.range("rounds", 1..=6u64) {
        let choices = &mut choices.sub_indexed("round", round);
        if bytes.is_empty() {
            break;
        }
        let at = choices.range("at", 0..=bytes.len() - 1);
        match choices.range("how", 0..=3u32) {
            0 => drop(bytes.remove(at)),
            1 => bytes[at] = choices.range("byte", 0..=127u8),
            2 => bytes.insert(at, choices.range("byte", 0..=255u8)),
            _ => bytes.truncate(at),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The tokens of a text as slices of it.
fn split(text: &str) -> Vec<&str> {
    let lexed = lex(text, &mut Symbols::default(), Std::GNU17);
    let starts: Vec<usize> = lexed.tokens.iter().map(|token| token.offset as usize).collect();
    starts.windows(2).map(|pair| text[pair[0]..pair[1]].trim()).collect()
}

#[test]
fn mutated_programs_are_refused_or_well_formed() {
    let count = if soak() { 1_000_000 } else { 20_000 };
    let pool = Pool::of(SEEDS.iter().flat_map(|seed| split(seed)));
    let pieces: Vec<Vec<&str>> = SEEDS.iter().map(|seed| pieces(seed)).collect();
    let mut accepted = 0;
    let mut broken: Vec<String> = Vec::new();
    for n in 0..count {
        let mut choices = Choices::new(11).sub_indexed("mutant", n);
        // One piece of a seed at a time, as a whole file would hide what comes after the first error; and the first
        // piece, which declares what the others use.
        let pieces = choices.pick("seed", &pieces).expect("there are seeds");
        let piece = choices.range("piece", 0..=pieces.len() - 1);
        let mutant = if choices.chance("bytes", 1, 5) {
            mutate_bytes(&mut choices, pieces[piece])
        } else {
            let mut draw = |what, count| choices.range(what, 0..=count - 1);
            pool.mutate(&split(pieces[piece]), &mut draw).join(" ")
        };
        let text = if piece == 0 { mutant } else { format!("{}\n{mutant}", pieces[0]) };
        let target = match choices.chance("usual", 2, 3) {
            true => Target::X86_64_GCC,
            false => *choices.one_of("target", &TARGETS),
        };
        match watch(&text, target) {
            Ok(taken) => accepted += u32::from(taken),
            Err(_) if broken.len() < 20 => broken.push(shrink(&text, target)),
            Err(_) => broken.push("…".to_owned()),
        }
    }
    println!("{count} mutants, {accepted} accepted");
    let count = broken.len();
    broken.sort_by_key(|broken| broken.len());
    broken.dedup();
    assert!(broken.is_empty(), "{count} break a law, some of them:\n{}", broken.join("\n----\n"));
    assert!(accepted > 0, "mutation is so wild that nothing past the parser is tested");
}

/// [`judge`], with a panic as one more way to break a law.
fn watch(text: &str, target: Target) -> Result<bool, String> {
    std::panic::catch_unwind(|| judge(text, target)).unwrap_or_else(|_| Err("panics".to_owned()))
}

/// The smallest part of a text found that breaks the same law, and what is said of it.
fn shrink(text: &str, target: Target) -> String {
    let law =
        |text: &str| watch(text, target).err().map(|broken| broken.chars().take(18).collect::<String>());
    let wanted = law(text);
    let tokens = fewest(split(text), |fewer| law(&fewer.join(" ")) == wanted);
    let text = tokens.join(" ");
    format!("{text}\n{}", watch(&text, target).err().unwrap_or_default())
}

/// The files of GCC's test suite as they are: to a front end without a preprocessor most of them are nonsense.
#[test]
fn unpreprocessed_files_are_refused_or_well_formed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/gcc");
    if !soak() {
        return;
    }
    let mut files = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("`cargo xtask corpus` makes the corpus");
        for path in entries.map(|entry| entry.expect("a readable folder").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension() == Some("c".as_ref()) {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut accepted = 0;
    let mut broken = Vec::new();
    for file in &files {
        let text = String::from_utf8_lossy(&std::fs::read(file).expect("a readable file")).into_owned();
        match watch(&text, Target::X86_64_GCC) {
            Ok(taken) => accepted += u32::from(taken),
            Err(_) => broken.push(format!("{}\n{}", file.display(), shrink(&text, Target::X86_64_GCC))),
        }
    }
    println!("{} files, {accepted} accepted", files.len());
    assert!(broken.is_empty(), "{} break a law:\n{}", broken.len(), broken.join("\n----\n"));
}

/// The parts of a seed between blank lines.
fn pieces(seed: &str) -> Vec<&str> {
    seed.split("\n\n").filter(|piece| !piece.trim().is_empty()).collect()
}

const DEEP: usize = 100_000;

fn nest(open: &str, inside: &str, close: &str, depth: usize) -> String {
    format!("{}{inside}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn brackets_nested_too_deep_are_refused() {
    let expressions = [
        nest("(", "x", ")", DEEP),
        nest("x[", "x", "]", DEEP),
        nest("f(", "x", ")", DEEP),
        nest("({", "x;", "})", DEEP),
        nest("sizeof(", "x", ")", DEEP),
        nest("_Generic(0, default: ", "x", ")", DEEP),
        nest("(struct s){(", "x", ")}", DEEP),
        "(".repeat(DEEP),
        "({".repeat(DEEP),
        "[".repeat(DEEP),
    ];
    for expression in expressions {
        assert!(!survive(&format!("int x; int f(int); void g(void) {{ {expression}; }}")));
    }
    for text in [
        nest("void f(void) {{", ";", "}", 1) + &nest("{", ";", "}", DEEP),
        format!("void f(void) {}", nest("{", ";", "}", DEEP)),
        format!("void f(void) {{ {} }}", nest("if (1) {", ";", "}", DEEP)),
        format!("void f(void) {{ {} }}", nest("do {", ";", "} while (0);", DEEP)),
        format!("int {}x{};", "(".repeat(DEEP), ")".repeat(DEEP)),
        format!("int f{};", nest("(int (*g)", "", ")", DEEP)),
        format!("int x = {};", nest("{", "1", "}", DEEP)),
        format!("struct s {};", nest("{ struct ", "{ int x; } y;", "} z;", DEEP)),
        format!("__attribute__({}) int x;", nest("(", "a", ")", DEEP)),
        format!("int x{};", "[2]".repeat(DEEP)),
        format!("int {}x;", "*".repeat(DEEP)),
        format!("typeof{} x;", nest("(typeof", "(int)", ")", DEEP)),
        "{".repeat(DEEP),
        "int f(".repeat(DEEP),
        "struct {".repeat(DEEP),
    ] {
        assert!(!survive(&text), "{}", &text[..60]);
    }
}

#[test]
fn types_that_double_with_each_name_are_refused() {
    let mut text = String::from("typedef int t0;\n");
    for n in 1..200 {
        text += &format!("typedef void t{n}(t{} *, t{} *);\n", n - 1, n - 1);
    }
    let (_, complaints) = read(&format!("{text} t199 *x;"), Target::X86_64_GCC);
    assert!(!complaints.is_empty());
    let mut text = String::from("typedef int t0;\n");
    for n in 1..100_000 {
        text += &format!("typedef t{} *t{n};\n", n - 1);
    }
    assert!(!survive(&text));
}

/// `head`, then `line` for each number below `count`, which stands for every `@` (and the next one for every `%`).
fn lines(head: &str, line: &str, count: usize) -> String {
    let each = |n: usize| line.replace('@', &n.to_string()).replace('%', &(n + 1).to_string());
    head.to_owned() + &(0..count).map(each).collect::<String>()
}

#[test]
fn types_that_grow_without_a_declarator_are_refused() {
    for text in [
        lines("int x0;", "typeof(&x@) x%;", DEEP),
        lines("typedef int t0;", "typedef t@ t% __attribute__((aligned(4 << @ / 2 * 2 - @ + 1)));", DEEP),
        lines("void f(int n) { typedef int t0[n];", "typedef t@ t%;", DEEP) + "}",
        lines("void f(void) { int x0;", "__auto_type x% = &x@;", DEEP) + "}",
        lines(&format!("typedef void f({}int);", "int, ".repeat(50_000)), "f f@;", 1_000),
        lines("int x = _Generic(0, ", "int (*)[%]: 1, ", 10_000) + "default: 2);",
    ] {
        assert!(!survive(&text), "{}", &text[..60]);
    }
}

/// All of these once took time that grows with the square of their length, or worse.
#[test]
fn much_of_anything_is_accepted() {
    let many = 20_000;
    let members = lines("struct s {", "int m@;", many) + "} x;";
    for text in [
        lines("struct s0 { int x; };", "struct s% { struct s@ x, y; };", 40)
            + "void f(struct s40 *p) { *p = *p; }",
        lines(&(members.clone() + "int f(void) { return 0"), "+ x.m@", many) + "; }",
        lines(&(members + "struct s y = {"), ".m@ = @,", many) + "};",
        lines("struct s {", "struct { int m@; };", many) + "} x; int y = sizeof x.m7;",
        lines("void f(int n) { top:;", "int a@[n]; goto top; goto l@; l@:;", many) + "}",
        lines("void f(void) {", "{ __label__ l; goto l; l:; }", many) + "}",
        lines("int f(", "a@, ", many).trim_end_matches(", ").to_owned()
            + &lines(")", "int a@;", many)
            + "{ return a0; }",
        lines("", "typedef struct s@ { int x; } t@ __attribute__((aligned(16))); t@ x@;", many),
        lines("void f(int x) { switch (x) {", "case @:;", many) + "} }",
        lines("int x[][2] = {", "[@][1] = 1,", many) + "};",
        lines("enum e {", "E%,", many) + "};",
        lines("", "struct { int x; } x@;", many),
    ] {
        let (_, complaints) = read(&text, Target::X86_64_GCC);
        assert!(complaints.is_empty(), "{}…: {}", &text[..20], complaints[0]);
        assert!(survive(&text));
    }
}

#[test]
fn chains_without_brackets_are_accepted() {
    let chains = [
        format!("x{}", " + x".repeat(DEEP)),
        format!("x{}", " - x * x".repeat(DEEP)),
        format!("x{}", " && x".repeat(DEEP)),
        format!("x{}", ", x".repeat(DEEP)),
        format!("x{}", " == x".repeat(DEEP)),
        format!("{}x", "- ".repeat(DEEP)),
        format!("{}x", "!".repeat(DEEP)),
        format!("{}x", "(int)".repeat(DEEP)),
        format!("{}x", "x = ".repeat(DEEP)),
        format!("{}x", "x ? x : ".repeat(DEEP)),
        format!("{}x{}", "x ? ".repeat(DEEP), " : x".repeat(DEEP)),
        format!("{}x", "x ?: ".repeat(DEEP)),
        format!("{}x", "sizeof ".repeat(DEEP)),
        format!("{}p", "*&".repeat(DEEP)),
    ];
    for chain in chains {
        let text = format!("int x, *p; void g(void) {{ {chain}; }}");
        let (_, complaints) = read(&text, Target::X86_64_GCC);
        assert!(complaints.is_empty(), "{}…: {}", &chain[..20], complaints[0]);
        assert!(survive(&text));
    }
    let statements = [
        format!("{};", "if (x) ; else ".repeat(DEEP)),
        format!("{};", "while (x) ".repeat(DEEP)),
        (0..DEEP).map(|n| format!("l{n}: ")).collect::<String>() + ";",
        format!("switch (x) {};", (0..DEEP).map(|n| format!("case {n}: ")).collect::<String>()),
        "x++; ".repeat(DEEP),
    ];
    for statement in statements {
        let text = format!("int x; void g(void) {{ {statement} }}");
        let (_, complaints) = read(&text, Target::X86_64_GCC);
        assert!(complaints.is_empty(), "{}…: {}", &statement[..20], complaints[0]);
        assert!(survive(&text));
    }
}

#[test]
fn ranges_that_overlap_cost_no_time_without_bound() {
    let ranges = |count: usize| -> String {
        let each = (0..count).map(|n| format!("[0 ... {}].p = {n}, ", 2 * count - n));
        format!("struct {{ int p, q; }} x[] = {{ {} }};", each.collect::<String>())
    };
    assert!(survive(&ranges(200)));
    let (_, messages) = read(&ranges(20_000), Target::X86_64_GCC);
    assert!(messages.iter().any(|message| message.contains("overlapping range")), "{messages:?}");
}

#[test]
fn a_dump_writes_a_long_type_once() {
    let mut text = String::from("typedef int (*T0)(int, int);\n");
    for n in 1..14 {
        text += &format!("typedef int (*T{n})(T{}, T{});\n", n - 1, n - 1);
    }
    let long = text.clone() + &lines("", "extern T13 x@;", 300);
    let (program, messages) = read(&long, Target::X86_64_GCC);
    assert_eq!(messages, [""; 0]);
    assert!(dump::program(&program).len() < 10 * long.len());
}

#[test]
fn what_is_simplified_is_not_evaluated_again_and_again() {
    for (open, inside) in
        [("x - (1 - (", "x"), ("x == (y & (", "x"), ("0 * (x || (", "y"), ("(x & (x - (", "1")]
    {
        let close = ")".repeat(open.matches('(').count());
        let text = format!("int x, y; int z = {};", nest(open, inside, &close, 150));
        let (_, complaints) = read(&text, Target::X86_64_GCC);
        assert!(complaints.len() <= 1, "{complaints:?}");
    }
}

/// Minutes of work, if each assignment looks into everything inside.
#[test]
fn what_is_inside_a_struct_is_looked_at_once() {
    let count = 50_000;
    let mut text = "struct s0 { int x; };".to_owned();
    for at in 1..count {
        let inner = at - 1;
        text +=
            &format!("struct s{at} {{ struct s{inner} m; }} v{at}; void f{at}(void) {{ v{at} = v{at}; }}");
    }
    assert!(read(&text, Target::X86_64_GCC).1.is_empty());
    let bad = format!("{text} struct c {{ struct s9 a; const struct s8 b; }} c; void f(void) {{ c = c; }}");
    assert!(!read(&bad, Target::X86_64_GCC).1.is_empty(), "a member is const");
}

#[test]
fn arrays_of_what_takes_no_value_are_left_at_once() {
    for array in ["a[]", "a[1ul << 40]", "a[1ul << 20][1ul << 20]", "a[0][3]", "a[1ul << 30][0]"] {
        let text = format!(
            "struct none {{}}; struct none first[1] = {{ 1 }}; struct none {array} = {{ 1, 2 }}; \
             struct {{ struct none {}; int i; }} s = {{ 3 }};",
            array.replace("[]", "[4]")
        );
        assert!(survive(&text), "{text}: {}", read(&text, Target::X86_64_GCC).1.join("\n"));
    }
}
