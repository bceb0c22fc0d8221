//! Changed programs of the catalogue mean the same the short way and the long way (`RunOptions::checked`): what a
//! register, a machine word or a plain byte makes quick must not hide what is undefined. Programs that people write
//! to be undefined have one fault where one was thought of; these have them anywhere.

#[path = "catalogue/mod.rs"]
mod catalogue;

use catalogue::{Section, read, ways};
use howler_choices::Choices;
use howler_front::lexer::lex;
use howler_lang::diag::Severity;
use howler_lang::program::Program;
use howler_lang::symbol::Symbols;
use howler_lang::target::{Arch, Compiler, Std, Target};
use howler_machine::outcome::Outcome;
use howler_machine::{Limits, RunOptions, run};
use howler_testkit::mutant::Pool;
use howler_testkit::{soak, tool};
use howler_toolchain::preprocess::{Headers, Input, PreprocessOptions, Preprocessor, preprocess};
use std::collections::BTreeMap;

/// A program of the catalogue, its headers taken in.
struct Seed<'a> {
    section: &'a Section,
    target: Target,
    /// What its headers declare.
    head: String,
    /// Its own text.
    body: String,
}

fn seed<'a>(preprocessor: &Preprocessor, section: &'a Section) -> Option<Seed<'a>> {
    let [(name, text)] = &section.files[..] else { return None };
    let target = Target {
        compiler: if section.clang { Compiler::Clang } else { Compiler::Gcc },
        arch: if section.i386 { Arch::I386 } else { Arch::X86_64 },
        std: Std::parse(&section.std)?,
        ..Target::X86_64_GCC
    };
    let options =
        PreprocessOptions { target, defines: Vec::new(), include_dirs: Vec::new(), headers: Headers::Ours };
    let text = preprocess(preprocessor, Input::Text { name, text }, &options).ok()?.text;
    // Own text stands after the last line that says where the next one is from.
    let last = text.rmatch_indices("\n# ").next().map_or(0, |(at, _)| at + 1);
    let start = text[last..].find('\n').map_or(text.len(), |at| last + at + 1);
    let (head, body) = text.split_at(start);
    Some(Seed { section, target, head: head.to_owned(), body: body.to_owned() })
}

/// The tokens of a text as slices of it, each with the blanks behind it, so that lines stay lines.
fn split(text: &str) -> Vec<&str> {
    let lexed = lex(text, &mut Symbols::default(), Std::GNU17);
    let starts: Vec<usize> = lexed.tokens.iter().map(|token| token.offset as usize).collect();
    starts.windows(2).map(|pair| text[pair[0]..pair[1]].trim_end()).collect()
}

fn program(seed: &Seed, body: &str) -> Option<Program> {
    let mut program = Program::new(seed.target);
    let text = format!("{}{body}", seed.head);
    let options = howler_front::Options { pedantic_errors: false };
    let report = howler_front::parse(&mut program, "a.c", text.into(), &options);
    let refused = |said: &howler_lang::diag::Diagnostic| said.severity >= Severity::Unsupported;
    if report.diagnostics.iter().any(refused) || howler_lang::link::link(&mut program).iter().any(refused) {
        return None;
    }
    Some(program)
}

fn limits(seed: &Seed) -> Limits {
    // Most programs of the catalogue end within a thousand steps, and a mutant that does not has little to compare.
    Limits { steps: 100_000, memory: 16 << 20, output: 1 << 16, ..read::limits(seed.section) }
}

fn difference(seed: &Seed, body: &str) -> Option<String> {
    ways::difference(&program(seed, body)?, limits(seed))
}

/// The fewest tokens found that still differ.
fn shrink(seed: &Seed, mut tokens: Vec<&str>) -> String {
    let mut size = tokens.len();
    while size > 0 {
        let mut at = 0;
        while at < tokens.len() {
            let mut fewer = tokens.clone();
            fewer.drain(at..(at + size).min(tokens.len()));
            if difference(seed, &fewer.join(" ")).is_some() {
                tokens = fewer;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    tokens.join(" ")
}

#[test]
fn mutants_mean_the_same_the_short_way_and_the_long_way() {
    let Some(gcc) = tool("gcc-12") else { return };
    let preprocessor = Preprocessor::find(Some(gcc.as_os_str())).expect("gcc preprocesses");
    let sections = catalogue::sections();
    let seeds: Vec<Seed> = sections.iter().filter_map(|section| seed(&preprocessor, section)).collect();
    let tokens: Vec<Vec<&str>> = seeds.iter().map(|seed| split(&seed.body)).collect();
    let pool = Pool::of(tokens.iter().flatten().copied());
    let count = if soak() { 1_000_000 } else { 10_000 };
    let (mut taken, mut ends) = (0, BTreeMap::<&str, u64>::new());
    let mut different: Vec<String> = Vec::new();
    for n in 0..count {
        let mut choices = Choices::new(27).sub_indexed("mutant", n);
        let at = choices.range("seed", 0..=seeds.len() - 1);
        let mut draw = |what, count| choices.range(what, 0..=count - 1);
        let mutant = pool.mutate(&tokens[at], &mut draw);
        let text = mutant.join(" ");
        let Some(program) = program(&seeds[at], &text) else { continue };
        taken += 1;
        let limits = limits(&seeds[at]);
        let end = match run(&program, &RunOptions { limits, ..RunOptions::default() }).outcome {
            Outcome::Exit(_) | Outcome::Abort => "ended",
            Outcome::Ub(_) => "undefined",
            Outcome::Limit(_) => "limit",
            _ => "other",
        };
        *ends.entry(end).or_default() += 1;
        if ways::difference(&program, limits).is_some() {
            let small = shrink(&seeds[at], mutant);
            let how = difference(&seeds[at], &small).unwrap_or_default();
            different.push(format!("{}\n{small}\n{how}", seeds[at].section.place));
        }
    }
    println!("{count} mutants, {taken} are programs: {ends:?}");
    different.sort_by_key(String::len);
    let shown = different.iter().take(30).cloned().collect::<Vec<_>>().join("\n----\n");
    assert!(different.is_empty(), "{} differ, the smallest:\n{shown}", different.len());
    let of = |end| ends.get(end).copied().unwrap_or(0);
    assert!(of("ended") > taken / 10 && of("undefined") > taken / 10, "mutation is too wild or too tame");
}
