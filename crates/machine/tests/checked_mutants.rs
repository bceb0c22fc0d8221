//! Changed programs of the catalogue mean the same the short way and the long way (`RunOptions::checked`): what a
//! register, a machine word or a plain byte makes quick must not hide what is undefined. Programs that people write
//! to be undefined have one fault where one was thought of; these have them anywhere.

#[path = "catalogue/mod.rs"]
mod catalogue;

use catalogue::{Section, read};
use howler_case::behaviour::{Behaviour, End};
use howler_choices::Choices;
use howler_front::lexer::lex;
use howler_lang::diag::Severity;
use howler_lang::program::Program;
use howler_lang::symbol::Symbols;
use howler_lang::target::{Compiler, Std, Target};
use howler_machine::judge::{JudgeOptions, judge};
use howler_machine::outcome::Outcome;
use howler_machine::ub::UbKind;
use howler_machine::{Limits, Placement, RunOptions, RunReport, run};
use howler_testkit::mutant::{Pool, fewest};
use howler_testkit::{Scratch, compiled, soak, tool};
use howler_toolchain::preprocess::{Headers, Input, PreprocessOptions, Preprocessor, preprocess};
use std::collections::BTreeMap;

/// A program of the catalogue, its headers taken in.
#[derive(Clone)]
struct Seed<'a> {
    section: &'a Section,
    target: Target,
    /// What its headers declare.
    head: String,
    /// The lines that ask for them.
    includes: String,
    /// Its own text.
    body: String,
}

fn seed<'a>(preprocessor: &Preprocessor, section: &'a Section) -> Option<Seed<'a>> {
    let [(name, text)] = &section.files[..] else { return None };
    let target = read::target(section);
    let options =
        PreprocessOptions { target, defines: Vec::new(), include_dirs: Vec::new(), headers: Headers::Ours };
    let text = preprocess(preprocessor, Input::Text { name, text }, &options).ok()?.text;
    // Own text stands after the last line that says where the next one is from.
    let last = text.rmatch_indices("\n# ").next().map_or(0, |(at, _)| at + 1);
    let start = text[last..].find('\n').map_or(text.len(), |at| last + at + 1);
    let (head, body) = text.split_at(start);
    let includes = section.files[0].1.lines().filter(|line| line.starts_with("#include"));
    let includes = includes.flat_map(|line| [line, "\n"]).collect();
    Some(Seed { section, target, head: head.to_owned(), includes, body: body.to_owned() })
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

/// How the two ways differ, beyond what [`ways::difference`] has to say of programs with at most one fault.
fn difference(program: &Program, limits: Limits) -> Option<String> {
    let way = |checked, placement| {
        let steps = if checked { 4 * limits.steps } else { limits.steps };
        let limits = Limits { steps, ..limits };
        run(program, &RunOptions { limits, checked, placement, ..RunOptions::default() })
    };
    let (short, long) = (way(false, Placement::Dense), way(true, Placement::Dense));
    let faulty = |report: &RunReport, kinds: &[UbKind]| matches!(&report.outcome, Outcome::Ub(ub) if kinds.contains(&ub.kind));
    let is_ub = |report: &RunReport| matches!(report.outcome, Outcome::Ub(_));
    let is_limit = |report: &RunReport| matches!(report.outcome, Outcome::Limit(_));
    // What was never set is found where it is loaded or where it is used; another fault may come in between.
    const UNSET: &[UbKind] = &[UbKind::Uninit, UbKind::UninitCopy];
    if is_limit(&short)
        || is_limit(&long)
        || is_ub(&short) && is_ub(&long) && (faulty(&short, UNSET) || faulty(&long, UNSET))
    {
        return None;
    }
    // A value that is read and dropped, and was never set: in memory, a character may.
    if faulty(&short, &[UbKind::DroppedRead]) {
        return difference(program, Limits { letter: true, ..limits }).filter(|_| !limits.letter);
    }
    let shown = |report: &RunReport| shown(report, program);
    // Objects in memory have other addresses than those in registers leave for the rest. A program that depends on them
    // does so in short runs too.
    let placed = |number: u64| {
        let seed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        shown(&way(false, Placement::Sparse(seed))) != shown(&short)
    };
    if shown(&short) == shown(&long) || (1..12).any(placed) {
        return None;
    }
    Some(format!("the long way differs:\n  {}\n  {}", shown(&short), shown(&long)))
}

/// What both ways must agree on; numbers in messages may be addresses.
fn shown(report: &RunReport, program: &Program) -> String {
    let outcome = match &report.outcome {
        Outcome::Ub(ub) => {
            let line = program.sources.place(ub.pos).map(|place| place.line);
            format!("{} in line {line:?}", ub.kind.code())
        }
        outcome => format!("{outcome:?}"),
    };
    let RunReport { output, errors, open, trace, trace_open, order_conflicts, .. } = report;
    format!("{outcome} {output:?} {errors:?} {open:?} {trace:?} {trace_open} {order_conflicts}")
}

/// The fewest tokens found that still differ.
fn shrink(seed: &Seed, tokens: Vec<&str>) -> String {
    let differs = |tokens: &[&str]| difference(&program(seed, &tokens.join(" "))?, limits(seed));
    let tokens = fewest(tokens, |fewer| differs(fewer).is_some());
    format!("{}\n{}", tokens.join(" "), differs(&tokens).unwrap_or_default())
}

/// Calls with each mutant that is a program, until told to stop.
fn each_mutant<'a>(
    seeds: &'a [Seed],
    key: u64,
    count: u64,
    mut take: impl FnMut(&'a Seed, Vec<&'a str>, Program) -> bool,
) {
    let tokens: Vec<Vec<&str>> = seeds.iter().map(|seed| split(&seed.body)).collect();
    let pool = Pool::of(tokens.iter().flatten().copied());
    for n in 0..count {
        let mut choices = Choices::new(key).sub_indexed("mutant", n);
        let at = choices.range("seed", 0..=seeds.len() - 1);
        let mutant = pool.mutate(&tokens[at], &mut |what, count| choices.range(what, 0..=count - 1));
        let read = program(&seeds[at], &mutant.join(" "));
        if read.is_some_and(|program| !take(&seeds[at], mutant, program)) {
            return;
        }
    }
}

#[test]
fn mutants_mean_the_same_the_short_way_and_the_long_way() {
    let Some(gcc) = tool("gcc-12") else { return };
    let preprocessor = Preprocessor::find(Some(gcc.as_os_str())).expect("gcc preprocesses");
    let sections = catalogue::sections();
    let seeds: Vec<Seed> = sections.iter().filter_map(|section| seed(&preprocessor, section)).collect();
    let count = if soak() { 1_000_000 } else { 10_000 };
    let (mut taken, mut ends) = (0, BTreeMap::<&str, u64>::new());
    let mut different: Vec<String> = Vec::new();
    each_mutant(&seeds, 27, count, |seed, mutant, program| {
        taken += 1;
        let limits = limits(seed);
        let end = match run(&program, &RunOptions { limits, ..RunOptions::default() }).outcome {
            Outcome::Exit(_) | Outcome::Abort => "ended",
            Outcome::Ub(_) => "undefined",
            Outcome::Limit(_) => "limit",
            _ => "other",
        };
        *ends.entry(end).or_default() += 1;
        if difference(&program, limits).is_some() {
            different.push(format!("{}\n{}", seed.section.place, shrink(seed, mutant)));
        }
        true
    });
    println!("{count} mutants, {taken} are programs: {ends:?}");
    different.sort_by_key(String::len);
    let shown = different.iter().take(30).cloned().collect::<Vec<_>>().join("\n----\n");
    assert!(different.is_empty(), "{} differ, the smallest:\n{shown}", different.len());
    let of = |end| ends.get(end).copied().unwrap_or(0);
    assert!(of("ended") > taken / 10 && of("undefined") > taken / 10, "mutation is too wild or too tame");
}

/// How gcc-12 and clang-16 make programs.
const WAYS: [(&str, &str); 6] = [
    ("gcc-12", "-O0"),
    ("gcc-12", "-O2"),
    ("gcc-12", "-O3"),
    ("clang-16", "-O0"),
    ("clang-16", "-O2"),
    ("clang-16", "-O3"),
];

/// What the judge calls defined, with one behaviour, has that behaviour however it is compiled.
#[test]
fn compilers_agree_with_mutants_that_are_defined() {
    let (Some(gcc), Some(clang)) = (tool("gcc-12"), tool("clang-16")) else { return };
    let preprocessor = Preprocessor::find(Some(gcc.as_os_str())).expect("gcc preprocesses");
    let sections = catalogue::sections();
    let seeds: Vec<Seed> = sections.iter().filter_map(|section| seed(&preprocessor, section)).collect();
    let wanted = if soak() { 5_000 } else { 60 };
    let scratch = Scratch::new();
    let (mut made, mut refused, mut at) = (0, 0, 0);
    let mut different: Vec<String> = Vec::new();
    each_mutant(&seeds, 28, 100 * wanted, |seed, mutant, _| {
        at += 1;
        let (compiler, level) = WAYS[at % WAYS.len()];
        // Each compiler has its own dialect.
        let family = if compiler == "gcc-12" { Compiler::Gcc } else { Compiler::Clang };
        if seed.section.clang && family == Compiler::Gcc {
            return true;
        }
        let seed = &Seed { target: Target { compiler: family, ..seed.target }, ..seed.clone() };
        let text = mutant.join(" ");
        let Some(program) = program(seed, &text) else { return true };
        let judged = judge(&program, &JudgeOptions { limits: limits(seed), ..JudgeOptions::default() });
        let Some(Behaviour { end: End::Exit(status), output, .. }) = judged.judgement.defined() else {
            return true;
        };
        let mut flags = seed.section.flags();
        flags.extend([level.to_owned(), "-ffp-contract=off".to_owned(), "-lm".to_owned()]);
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let path = if family == Compiler::Gcc { &gcc } else { &clang };
        let text = format!("{}{text}", seed.includes);
        match compiled(path, &flags, &scratch, &text) {
            Err(_) => refused += 1,
            Ok((said, ended)) => {
                made += 1;
                if said.as_bytes() != output || ended != i32::from(*status) {
                    let expected = String::from_utf8_lossy(output);
                    different.push(format!(
                        "{} {compiler} {level}: {ended} {said:?} and not {status} {expected:?}\n{}",
                        seed.section.place,
                        mutant.join(" ")
                    ));
                }
            }
        }
        made < wanted
    });
    println!("{made} compiled, {refused} refused by a compiler, {} differ", different.len());
    different.sort_by_key(String::len);
    assert!(
        different.is_empty(),
        "the smallest:\n{}",
        different.iter().take(40).cloned().collect::<Vec<_>>().join("\n----\n")
    );
    assert_eq!(made, wanted);
}
