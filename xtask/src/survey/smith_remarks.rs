//! How much of the optimizers smith's programs reach, against Csmith's, on as many bytes of C compiled at -O3: kinds of
//! clang's remarks and of gcc's statistics that come at least once.

use super::remarks::{Counts, Said, said};
use super::smith::{C17, csmith, folder, lines, made};
use anyhow::{Context, Result};
use howler_lang::target::Target;
use howler_smith::TECHNIQUE;
use howler_testkit::Scratch;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Bytes of C for each generator, if `HOWLER_BYTES` does not say otherwise.
const BYTES: usize = 3_000_000;

/// What a compiler said of some programs: each kind, with the number of programs that had it.
type Kinds = BTreeMap<String, u32>;

pub(super) fn run_survey() -> Result<()> {
    let bytes = std::env::var("HOWLER_BYTES").ok().and_then(|text| text.parse().ok()).unwrap_or(BYTES);
    let wanted = std::env::var("HOWLER_GENERATORS").unwrap_or_else(|_| "Csmith smith plain".to_owned());
    let mut all: Vec<(&str, [Kinds; 2])> = Vec::new();
    println!("| {bytes} bytes of C | programs | clang-16: remarks | gcc-12: statistics |\n|---|---|---|---|");
    for name in wanted.split_whitespace() {
        let row = match name {
            "Csmith" => theirs(bytes)?,
            "smith" => ours("smith, swarm", bytes, &[])?,
            "plain" => ours("smith, no swarm", bytes, &["swarm=no"])?,
            "c17" => ours("smith, swarm, no extensions", bytes, &[C17])?,
            // Any options, for tuning: `HOWLER_WORDS='swarm=no;weights=statement: assign=9'`.
            "words" => {
                let words = std::env::var("HOWLER_WORDS").context("HOWLER_WORDS is not set")?;
                ours("smith, as wanted", bytes, &words.split(';').collect::<Vec<_>>())?
            }
            other => anyhow::bail!("no generator `{other}`"),
        };
        all.push(row);
    }
    let Some((_, theirs)) = all.iter().find(|(name, _)| *name == "Csmith") else { return Ok(()) };
    for (name, kinds) in all.iter().filter(|(name, _)| *name != "Csmith") {
        for (at, compiler) in ["clang-16", "gcc-12"].into_iter().enumerate() {
            println!("\n{compiler}: Csmith's and not of {name}, with the number of programs:");
            differ(&theirs[at], &kinds[at]);
            println!("{compiler}: of {name} and not Csmith's:");
            differ(&kinds[at], &theirs[at]);
        }
    }
    Ok(())
}

/// Csmith's, which do not change: they are kept.
fn theirs(bytes: usize) -> Result<(&'static str, [Kinds; 2])> {
    let file = folder("remarks")?.join(format!("csmith-{bytes}.txt"));
    let kept = lines(&file);
    if let [head, rest @ ..] = &kept[..] {
        let mut kinds = [Kinds::new(), Kinds::new()];
        for line in rest {
            let mut words = line.splitn(3, ' ');
            let mut number = || words.next().and_then(|word| word.parse::<u32>().ok());
            let (Some(at), Some(count)) = (number(), number()) else { continue };
            kinds[at as usize].insert(words.next().unwrap_or("").to_owned(), count);
        }
        println!("{head}");
        return Ok(("Csmith", kinds));
    }
    let (name, kinds) = measured("Csmith", bytes, |seed| Ok(csmith(seed)?.0))?;
    let mut text = format!("| {name} (kept) | | {} | {} |\n", kinds[0].len(), kinds[1].len());
    for (at, kinds) in kinds.iter().enumerate() {
        kinds.iter().for_each(|(kind, count)| text += &format!("{at} {count} {kind}\n"));
    }
    std::fs::write(&file, text)?;
    Ok((name, kinds))
}

fn differ(one: &Kinds, two: &Kinds) {
    let only: Vec<String> = one
        .iter()
        .filter(|(kind, _)| !two.contains_key(*kind))
        .map(|(kind, n)| format!("{kind} ({n})"))
        .collect();
    println!("  {}: {}", only.len(), only.join("; "));
}

fn ours(name: &'static str, bytes: usize, words: &[&str]) -> Result<(&'static str, [Kinds; 2])> {
    let scratch = Scratch::new();
    measured(name, bytes, |seed| {
        let text = made(&TECHNIQUE, words, Target::X86_64_GCC, seed)?;
        Ok(Some(scratch.write("made.c", text)))
    })
}

/// Compiles programs until there are so many bytes of them. The last one may go beyond.
fn measured(
    name: &'static str,
    bytes: usize,
    source: impl Fn(u64) -> Result<Option<PathBuf>>,
) -> Result<(&'static str, [Kinds; 2])> {
    let scratch = Scratch::new();
    let (mut clang, mut gcc) = (Kinds::new(), Kinds::new());
    let (mut sum, mut programs, mut late) = (0, 0, 0);
    for seed in 1.. {
        if sum >= bytes {
            break;
        }
        let Some(file) = source(seed)? else { continue };
        sum += file.metadata()?.len() as usize;
        programs += 1;
        let Said { clang: of_clang, gcc: of_gcc, failed } =
            said(&scratch, &format!("{name}, seed {seed}"), &file)?;
        late += failed;
        add(&mut clang, of_clang);
        add(&mut gcc, of_gcc);
        if programs % 10 == 0 {
            eprintln!("{name}: {sum} bytes, {programs} programs: {} and {} kinds", clang.len(), gcc.len());
        }
    }
    println!("| {name} | {programs} | {} | {} |", clang.len(), gcc.len());
    if late > 0 {
        println!("({late} compiles failed or took more than five minutes)");
    }
    Ok((name, [clang, gcc]))
}

fn add(kinds: &mut Kinds, of_one: Counts) {
    of_one.into_keys().for_each(|kind| *kinds.entry(kind).or_default() += 1);
}
