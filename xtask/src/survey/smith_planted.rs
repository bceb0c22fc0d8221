//! How much processor time each generator's programs take to show each planted wrong-code fault.
//!
//! What is driven is the least a hunt does: a program is made, compiled with plain gcc-12 and with the faulty one at the
//! fault's level, and both are run; a program that does not end within a second of processor time under plain gcc shows
//! nothing. All faults of a level share the programs of a seed, so each is made and compiled once here; each fault is
//! charged what it would have cost alone. What a fault does not edit costs the second time what it cost the first.
//!
//! A generator, a seed and a level are one unit of work, kept in a file below `corpus/smith/planted` when done: what was
//! ended goes on where it was. `HOWLER_SEEDS` and `HOWLER_GENERATORS` say what to do.

use super::smith::{C17, INCLUDE, csmith, folder, lines, made};
use crate::bench::{children_seconds, seconds};
use anyhow::{Context, Result, bail};
use howler_case::Technique;
use howler_lang::target::Target;
use howler_testkit::planted::{Compile, Fault, Kind, faults};
use howler_testkit::{Options, Output, Scratch, run};
use std::collections::BTreeMap;
use std::path::Path;

/// Processor seconds after which a fault is not found.
const CAP: f64 = 60.0;

/// What planted.md says Csmith's programs never showed.
const HIDDEN: [&str; 12] = [
    "rol-to-ror",
    "jl-to-jle",
    "ja-to-jae",
    "mul-to-imul",
    "add-to-sub-rare",
    "bsr-off-by-one",
    "vector-shift",
    "vector-sub",
    "cvtt-rounds",
    "parity-dropped",
    "long-to-double",
    "double-through-float",
];

/// A level: flags, what stands behind `-O`, whether it is 32 bits.
type Level = (&'static str, &'static [&'static str], bool);

const LEVELS: [Level; 4] = [
    ("0", &["-O0"], false),
    ("2", &["-O2"], false),
    ("3", &["-O3"], false),
    ("2", &["-O2", "-m32", "-msse2", "-mfpmath=sse"], true),
];

/// The level that a fault is looked for at: that of its example, -O2 for what needs any optimisation.
fn level_of(fault: &Fault) -> usize {
    let has = |flag: &str| fault.flags.iter().any(|own| own == flag);
    match () {
        () if has("-m32") => 3,
        () if has("-O3") => 2,
        () if has("-O0") => 0,
        () => 1,
    }
}

fn wanted() -> impl Iterator<Item = &'static Fault> {
    faults().iter().filter(|fault| fault.kinds == [Kind::WrongCode] && fault.edits())
}

pub(super) fn run_survey() -> Result<()> {
    let word = |name: &str, otherwise: &str| std::env::var(name).unwrap_or_else(|_| otherwise.to_owned());
    let seeds: u64 = word("HOWLER_SEEDS", "5").parse()?;
    let generators = word("HOWLER_GENERATORS", "smith Csmith orange");
    let generators: Vec<&str> = generators.split_whitespace().collect();
    for seed in 1..=seeds {
        for level in 0..LEVELS.len() {
            for generator in &generators {
                unit(generator, seed, level)?;
            }
        }
    }
    table(&generators, seeds)
}

/// What a generator makes as its program with this number: none if there is none, and the time it took.
fn program(
    generator: &str,
    number: u64,
    m32: bool,
    scratch: &Scratch,
) -> Result<(Option<std::path::PathBuf>, f64)> {
    let target =
        if m32 { Target::parse("i386/gcc/gnu17").context("a known target")? } else { Target::X86_64_GCC };
    let mut text = String::new();
    let mut ours = |technique: &Technique, size: usize, more: &[&str]| {
        let mut words: Vec<&str> = technique.sizes[size].options.to_vec();
        words.extend(more);
        seconds(|| {
            text = made(technique, &words, target, number)?;
            Ok(())
        })
    };
    let each = (number % 3) as usize;
    let smith = &howler_smith::TECHNIQUE;
    let cost = match generator {
        "Csmith" => return csmith(number),
        // All sizes in turn.
        "smith" => ours(smith, each, &[])?,
        "smith-c17" => ours(smith, each, &[C17])?,
        "smith-small" => ours(smith, 0, &[])?,
        "smith-medium" => ours(smith, 1, &[])?,
        "smith-large" => ours(smith, 2, &[])?,
        "orange" => ours(&howler_orange::TECHNIQUE, each, &[])?,
        other => bail!("no generator `{other}`"),
    };
    Ok((Some(scratch.write("made.c", text)), cost))
}

/// Programs of one generator at one level until all its faults are found or their time is over.
fn unit(generator: &str, seed: u64, level: usize) -> Result<()> {
    let file = folder("planted")?.join(format!("{generator}-{seed}-{level}.txt"));
    if !lines(&file).is_empty() {
        return Ok(());
    }
    let scratch = Scratch::new();
    let (word, flags, m32) = LEVELS[level];
    let mut left: Vec<&Fault> = wanted().filter(|fault| level_of(fault) == level).collect();
    let mut spent: BTreeMap<&str, f64> = left.iter().map(|fault| (fault.name.as_str(), 0.0)).collect();
    let (mut found, mut number) = (String::new(), 0);
    while !left.is_empty() {
        number += 1;
        let Test { source, right, assembly, compile, build, cost } =
            match test(generator, seed * 100_000 + number, (flags, m32), &scratch)? {
                Ok(test) => test,
                Err(cost) => {
                    left.retain(|fault| charge(&mut spent, fault, cost));
                    continue;
                }
            };
        let mut still = Vec::new();
        for fault in left {
            let source = || Compile { level: word, m32, source: Some(&source) };
            let edited =
                fault.acts(&source(), 0).map(|_| fault.edit(&assembly)).filter(|edited| edited.applied > 0);
            let (shown, second) = match edited {
                Some(edited) => {
                    let before = children_seconds()?;
                    let behaviour = behaviour(&edited.text, m32, &scratch);
                    (behaviour.as_ref() != Some(&right), children_seconds()? - before)
                }
                None => (false, build),
            };
            let open = charge(&mut spent, fault, cost + compile + second);
            if shown && (open || spent[fault.name.as_str()] <= CAP) {
                found += &format!("{} {:.3} {number}\n", fault.name, spent[fault.name.as_str()]);
            } else if open {
                still.push(fault);
            } else {
                found += &format!("{} none {number}\n", fault.name);
            }
        }
        left = still;
    }
    for name in spent.keys() {
        if !found.lines().any(|line| line.starts_with(&format!("{name} "))) {
            found += &format!("{name} none {number}\n");
        }
    }
    eprintln!("{generator}, seed {seed}, {}: {number} programs", flags.join(" "));
    std::fs::write(&file, found)?;
    Ok(())
}

/// Whether a fault has time left after this.
fn charge(spent: &mut BTreeMap<&str, f64>, fault: &Fault, cost: f64) -> bool {
    let all = spent.get_mut(fault.name.as_str()).expect("every fault is in it");
    *all += cost;
    *all <= CAP
}

/// A program that plain gcc compiles and that ends.
struct Test {
    source: String,
    right: Output,
    assembly: String,
    /// Seconds of compiling to assembly.
    compile: f64,
    /// Of assembling, linking and running.
    build: f64,
    /// Of making it, and of all that plain gcc's program took.
    cost: f64,
}

/// Makes a program and looks what it does; what it cost if it is of no use.
fn test(
    generator: &str,
    number: u64,
    (flags, m32): (&[&str], bool),
    scratch: &Scratch,
) -> Result<std::result::Result<Test, f64>> {
    let (file, made) = program(generator, number, m32, scratch)?;
    let Some(file) = file else { return Ok(Err(made)) };
    let before = children_seconds()?;
    let assembly = compiled(&file, flags, scratch);
    let compile = children_seconds()? - before;
    let Some(assembly) = assembly else { bail!("gcc does not compile {generator} {number}") };
    let before = children_seconds()?;
    let right = behaviour(&assembly, m32, scratch);
    let build = children_seconds()? - before;
    let cost = made + compile + build;
    let Some(right) = right.filter(|right| right.code.is_some()) else { return Ok(Err(cost)) };
    let source = std::fs::read_to_string(&file)?;
    Ok(Ok(Test { source, right, assembly, compile, build, cost }))
}

fn compiled(file: &Path, flags: &[&str], scratch: &Scratch) -> Option<String> {
    let output = scratch.path("right.s");
    let mut args = vec!["-w", INCLUDE, "-S", "-o", output.to_str()?];
    args.extend(flags);
    args.push(file.to_str()?);
    run("gcc-12", args, &Options::default()).success().then_some(())?;
    std::fs::read_to_string(output).ok()
}

/// Assembles, links and runs.
fn behaviour(assembly: &str, m32: bool, scratch: &Scratch) -> Option<Output> {
    let text = scratch.write("a.s", assembly);
    let program = scratch.path("a");
    let bits = if m32 { "-m32" } else { "-m64" };
    let built = run("gcc-12", [bits, text.to_str()?, "-o", program.to_str()?], &Options::default());
    if !built.success() {
        return None;
    }
    let limited = format!("ulimit -c 0; ulimit -t 1; exec {}", program.display());
    Some(run("sh", ["-c", &limited], &Options { keep: 1 << 20, ..Options::default() }))
}

/// The median of each fault and generator; what was not found counts as more than everything.
fn table(generators: &[&str], seeds: u64) -> Result<()> {
    println!("| fault | level | {} |\n|---|---|{}", generators.join(" | "), "--:|".repeat(generators.len()));
    let mut better = vec![0; generators.len()];
    for fault in wanted() {
        let level = level_of(fault);
        let mut medians = Vec::new();
        let mut cells = Vec::new();
        for generator in generators {
            let mut times = Vec::new();
            for seed in 1..=seeds {
                let file = folder("planted")?.join(format!("{generator}-{seed}-{level}.txt"));
                let line =
                    lines(&file).into_iter().find(|line| line.starts_with(&format!("{} ", fault.name)));
                let time = line.and_then(|line| line.split(' ').nth(1)?.parse().ok());
                times.push(time.unwrap_or(f64::INFINITY));
            }
            times.sort_by(f64::total_cmp);
            let median = times[times.len() / 2];
            let count = times.iter().filter(|time| time.is_finite()).count();
            medians.push(median);
            let median = if median.is_finite() { format!("{median:.2}") } else { "not found".to_owned() };
            cells.push(format!("{median} ({count})"));
        }
        let hidden = if HIDDEN.contains(&fault.name.as_str()) { " †" } else { "" };
        println!("| {}{hidden} | {} | {} |", fault.name, LEVELS[level].1[..].join(" "), cells.join(" | "));
        if let Some(theirs) = generators.iter().position(|name| *name == "Csmith") {
            for (count, median) in better.iter_mut().zip(&medians) {
                *count += usize::from(*median <= medians[theirs] / 2.0 && median.is_finite());
            }
        }
    }
    println!("\nAt most half of Csmith's: {}", pairs(generators, &better));
    Ok(())
}

fn pairs(generators: &[&str], counts: &[usize]) -> String {
    let pairs: Vec<String> = generators.iter().zip(counts).map(|(name, n)| format!("{name} {n}")).collect();
    pairs.join(", ")
}
