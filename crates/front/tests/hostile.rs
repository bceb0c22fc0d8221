//! Input that means harm: mutated programs, deep nesting, long chains. Nothing may panic, overflow the stack, take
//! long or grow without bound; what a chain without brackets says must even be accepted.
//!
//! The fast suite reads 20,000 mutated programs, `HOWLER_SOAK=1` a million.

use howler_choices::Choices;
use howler_front::lexer::lex;
use howler_lang::diag::{Severity, render};
use howler_lang::program::Program;
use howler_lang::symbol::Symbols;
use howler_lang::target::{Std, Target};
use howler_lang::{dump, print, verify};
use howler_testkit::soak;

/// Programs to mutate: small, and together using most of the language.
const SEEDS: &[&str] = &[
    include_str!("seeds/declarations.c"),
    include_str!("seeds/expressions.c"),
    include_str!("seeds/statements.c"),
    include_str!("seeds/initialisers.c"),
    include_str!("seeds/gnu.c"),
    include_str!("seeds/old.c"),
];

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

/// What is accepted must be well-formed and print; what is not must have been complained about.
fn survive(text: &str) -> bool {
    let (program, complaints) = read(text, Target::X86_64_GCC);
    if !complaints.is_empty() {
        return false;
    }
    let faults = verify::program(&program);
    assert!(faults.is_empty(), "accepted but not well-formed: {faults:?}\n{text}");
    let printed = print::unit(&program, 0, &print::PrintOptions::default());
    let (again, complaints) = read(&printed, Target::X86_64_GCC);
    assert!(
        complaints.is_empty(),
        "the print is refused: {}\n{printed}\nfrom:\n{text}",
        complaints.join("\n")
    );
    assert_eq!(
        dump::program(&program),
        dump::program(&again),
        "the print means something else:\n{printed}\nfrom:\n{text}"
    );
    true
}

#[test]
fn the_seeds_are_accepted_and_survive_the_round_trip() {
    for seed in SEEDS {
        let (_, complaints) = read(seed, Target::X86_64_GCC);
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
        assert!(survive(seed));
    }
}

/// Changes a few tokens: dropped, doubled, swapped, or replaced by one from anywhere in the seeds.
fn mutate_tokens(choices: &mut Choices, seed: &str, pool: &[&str]) -> String {
    let mut tokens: Vec<&str> = split(seed);
    for round in 0..choices.range("rounds", 1..=4u64) {
        let choices = &mut choices.sub_indexed("round", round);
        if tokens.is_empty() {
            break;
        }
        let at = choices.range("at", 0..=tokens.len() - 1);
        match choices.range("how", 0..=4u32) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at]),
            2 => {
                let other = choices.range("other", 0..=tokens.len() - 1);
                tokens.swap(at, other);
            }
            3 => {
                let end = choices.range("end", at..=(at + 20).min(tokens.len() - 1));
                let piece = tokens[at..=end].to_vec();
                let to = choices.range("to", 0..=tokens.len() - 1);
                tokens.splice(to..to, piece);
            }
            _ => tokens[at] = choices.pick("from", pool).copied().unwrap_or(";"),
        }
    }
    tokens.join(" ")
}

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
    let pool: Vec<&str> = SEEDS.iter().flat_map(|seed| split(seed)).collect();
    let pieces: Vec<Vec<&str>> = SEEDS.iter().map(|seed| pieces(seed)).collect();
    let mut accepted = 0;
    for n in 0..count {
        let mut choices = Choices::new(11).sub_indexed("mutant", n);
        // One piece of a seed at a time: a whole file would hide what comes after the first error.
        let pieces = choices.pick("seed", &pieces).expect("there are seeds");
        let seed = choices.pick("piece", pieces).copied().unwrap_or("");
        let text = if choices.chance("bytes", 1, 3) {
            mutate_bytes(&mut choices, seed)
        } else {
            mutate_tokens(&mut choices, seed, &pool)
        };
        accepted += u32::from(survive(&text));
    }
    println!("{count} mutants, {accepted} accepted");
    assert!(accepted > 0, "mutation is so wild that nothing past the parser is tested");
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
