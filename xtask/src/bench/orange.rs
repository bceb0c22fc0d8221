//! How fast `orange` makes C, against the 30 MB/s that are its goal: more than compilers read.

use super::front::seconds;
use anyhow::Result;
use howler_choices::Choices;
use howler_lang::target::Target;
use howler_orange::{Features, Options, generate};
use std::hint::black_box;

/// The goal, in megabytes per second of one core.
const GOAL: f64 = 30.0;

pub(super) fn run() -> Result<()> {
    println!("| tests | MB | generate s | program and print s | MB/s | ratio |\n|---|---|---|---|---|---|");
    let size = |operations| Options { operations, ..Options::default() };
    let paper = |operations| Options { features: Features::PAPER, ..size(operations) };
    row("all features, 10 to 100,000 operations", &size((10, 100_000)), 60)?;
    row("all features, 10 operations", &size((10, 10)), 3_000)?;
    row("all features, 1,000 operations", &size((1_000, 1_000)), 300)?;
    row("all features, 100,000 operations", &size((100_000, 100_000)), 8)?;
    row("integers as in the paper, 10 to 100,000 operations", &paper((10, 100_000)), 60)
}

/// The best of three rounds over the same seeds.
fn row(what: &str, options: &Options, count: u64) -> Result<()> {
    let (mut making, mut writing, mut bytes) = (f64::MAX, f64::MAX, 0);
    for _ in 0..3 {
        let mut tests = Vec::new();
        making = making.min(seconds(|| {
            tests = (0..count)
                .map(|seed| generate(options, Target::X86_64_GCC, &mut Choices::new(seed)))
                .collect();
            Ok(())
        })?);
        bytes = 0;
        writing = writing.min(seconds(|| {
            for test in &tests {
                bytes += black_box(test.render()).iter().map(|(_, text)| text.len()).sum::<usize>();
            }
            Ok(())
        })?);
    }
    let megabytes = bytes as f64 / 1e6;
    let speed = megabytes / (making + writing);
    println!(
        "| {what}: {count} | {megabytes:.1} | {making:.3} | {writing:.3} | {speed:.1} | {:.2} |",
        speed / GOAL
    );
    Ok(())
}
