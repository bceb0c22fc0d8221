//! How fast `smith` and `yarp` make C, against Csmith: megabytes of C per second of one core, in one run.
//!
//! Times are processor times, the thread's own here and the child's there, so that what else runs on the machine does not
//! count. Csmith has what it was made with: its defaults, one process per program.

use super::front::seconds;
use super::machine::children_seconds;
use anyhow::{Context, Result, bail};
use howler_choices::Choices;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_machine::judge::{JudgeOptions, judge};
use howler_machine::{Judge, Machine};
use howler_smith::features::Features;
use howler_smith::{Options, generate, judged};
use howler_yarp::options as yarp;
use std::process::{Command, Stdio};

/// Programs of Csmith, each of which takes a part of a second, if `HOWLER_CSMITH` does not say otherwise.
const CSMITH: u64 = 60;

/// Programs of a row of smith's.
const PROGRAMS: u64 = 600;

/// How many of them are judged, too.
const JUDGED: u64 = 120;

pub(super) fn run() -> Result<()> {
    let count = std::env::var("HOWLER_CSMITH").ok().and_then(|text| text.parse().ok()).unwrap_or(CSMITH);
    let theirs = csmith(count)?;
    println!(
        "| {count} programs of Csmith, {PROGRAMS} of smith | KB each | MB/s | ratio |\n|---|---|---|---|"
    );
    let base = theirs.speed();
    println!("| Csmith, defaults | {:.0} | {base:.3} | 1 |", theirs.kilobytes());
    let plain = Options { features: Features::all(), ..Options::default() };
    let rows = [
        ("smith, defaults", plain.clone()),
        ("smith, no swarm", Options { swarm: false, ..plain.clone() }),
        ("smith, no extensions", Options { features: Features::standard(), ..plain.clone() }),
        ("smith, 300 to 799 tokens", Options { size: (300, 799), ..plain.clone() }),
        ("smith, 800 to 2,999 tokens", Options { size: (800, 2999), ..plain.clone() }),
    ];
    let mut all = vec![("Csmith, defaults", theirs)];
    for (name, options) in rows {
        let (making, whole) = smith(&options, PROGRAMS)?;
        let speed = making.speed();
        println!("| {name}: making | {:.0} | {speed:.1} | {:.0} |", making.kilobytes(), speed / base);
        let speed = whole.speed();
        println!(
            "| {name}: making and printing | {:.0} | {speed:.1} | {:.0} |",
            whole.kilobytes(),
            speed / base
        );
        all.push((name, whole));
    }
    let judging = judging(&plain)?;
    let mut row = |name: &'static str, row: Row| {
        let speed = row.speed();
        println!(
            "| {name} ({JUDGED} programs) | {:.0} | {speed:.1} | {:.0} |",
            row.kilobytes(),
            speed / base
        );
        all.push((name, row));
    };
    row("smith: judging alone, 2 runs", judging);
    row("smith: made, judged, printed", finished(&Options { bare: 0, ..plain.clone() })?);
    row(
        "smith: made, judged, made bare, judged, printed",
        finished(&Options { bare: 100, ..plain.clone() })?,
    );
    let mut row = |name: &'static str, row: Row| {
        let speed = row.speed();
        println!("| {name} | {:.0} | {speed:.1} | {:.0} |", row.kilobytes(), speed / base);
        all.push((name, row));
    };
    row("orange, defaults", orange()?);
    let straight = [yarp::Feature::Loops, yarp::Feature::Calls, yarp::Feature::Kernels];
    let straight = straight.iter().fold(yarp::Features::usual(), |all, &feature| all.without(feature));
    let yarps = howler_yarp::Options::default();
    row("yarp, straight lines", yarp_making(&howler_yarp::Options { features: straight, ..yarps.clone() })?);
    row("yarp, defaults", yarp_making(&yarps)?);
    row("yarp, no swarm", yarp_making(&howler_yarp::Options { swarm: false, ..yarps.clone() })?);
    row("yarp: made, judged, repaired, printed", yarp_finished(&yarps)?);
    let same = Options { size: (12_000, 12_000), ..plain.clone() };
    all.push(("smith, 12,000 tokens", smith(&same, PROGRAMS)?.1));
    let same = Options { swarm: false, ..same };
    all.push(("smith, 12,000 tokens, no swarm", smith(&same, PROGRAMS)?.1));
    println!("\n| ms per program | p50 | p90 | p99 | max | p99 / p50 |\n|---|---|---|---|---|---|");
    for (name, row) in &all {
        let [p50, p90, p99, max] = [0.5, 0.9, 0.99, 1.0].map(|share| row.quantile(share) * 1e3);
        println!("| {name} | {p50:.2} | {p90:.2} | {p99:.2} | {max:.2} | {:.1} |", p99 / p50);
    }
    growth()
}

/// What making some programs took.
#[derive(Default)]
struct Row {
    bytes: usize,
    /// For each program, sorted.
    times: Vec<f64>,
}

impl Row {
    fn sorted(mut self) -> Row {
        self.times.sort_by(f64::total_cmp);
        self
    }

    fn speed(&self) -> f64 {
        self.bytes as f64 / 1e6 / self.times.iter().sum::<f64>()
    }

    fn kilobytes(&self) -> f64 {
        self.bytes as f64 / 1e3 / self.times.len() as f64
    }

    fn quantile(&self, share: f64) -> f64 {
        self.times[((self.times.len() - 1) as f64 * share).round() as usize]
    }
}

/// Csmith with its defaults. Its programs are counted without the header that they include.
fn csmith(count: u64) -> Result<Row> {
    let mut row = Row::default();
    for seed in 1..=count {
        let before = children_seconds()?;
        let output = Command::new("csmith")
            .args(["--seed", &seed.to_string()])
            .stdin(Stdio::null())
            .output()
            .context("csmith is needed")?;
        if !output.status.success() {
            bail!("csmith fails on seed {seed}");
        }
        row.times.push(children_seconds()? - before);
        row.bytes += output.stdout.len();
    }
    Ok(row.sorted())
}

/// Making programs, and making and printing them.
fn smith(options: &Options, count: u64) -> Result<(Row, Row)> {
    let (mut making, mut whole) = (Row::default(), Row::default());
    for seed in 1..=count {
        let mut program = None;
        let made = seconds(|| {
            program = Some(generate(options, Target::X86_64_GCC, &Choices::new(seed)));
            Ok(())
        })?;
        let program = program.context("nothing was made")?;
        let mut text = String::new();
        let printed = seconds(|| {
            text = unit(&program, 0, &PrintOptions::default());
            Ok(())
        })?;
        making.times.push(made);
        whole.times.push(made + printed);
        making.bytes += text.len();
        whole.bytes += text.len();
    }
    Ok((making.sorted(), whole.sorted()))
}

/// Linking and judging, without making.
fn judging(options: &Options) -> Result<Row> {
    let mut row = Row::default();
    for seed in 1..=JUDGED {
        let mut program = generate(options, Target::X86_64_GCC, &Choices::new(seed));
        row.bytes += unit(&program, 0, &PrintOptions::default()).len();
        row.times.push(seconds(|| {
            howler_lang::link::link(&mut program);
            let judged = judge(&program, &JudgeOptions { runs: 2, ..JudgeOptions::default() });
            if judged.judgement.defined().is_none() {
                bail!("seed {seed} is not defined: {:?}", judged.judgement);
            }
            Ok(())
        })?);
    }
    Ok(row.sorted())
}

/// All that a hunt's program takes.
fn finished(options: &Options) -> Result<Row> {
    let mut row = Row::default();
    for seed in 1..=JUDGED {
        row.times.push(seconds(|| {
            let made = judged(options, Target::X86_64_GCC, &Choices::new(seed), &Machine::default());
            row.bytes += unit(&made.program, 0, &PrintOptions::default()).len();
            Ok(())
        })?);
    }
    Ok(row.sorted())
}

/// Making and printing programs of orange.
fn orange() -> Result<Row> {
    let mut row = Row::default();
    let options = howler_orange::Options::default();
    for seed in 1..=PROGRAMS / 10 {
        row.times.push(seconds(|| {
            let test = howler_orange::generate(&options, Target::X86_64_GCC, &mut Choices::new(seed));
            row.bytes += test.render().iter().map(|(_, text)| text.len()).sum::<usize>();
            Ok(())
        })?);
    }
    Ok(row.sorted())
}

/// Making and printing programs of yarp, without judging: what loops need is found by running them.
fn yarp_making(options: &howler_yarp::Options) -> Result<Row> {
    let mut row = Row::default();
    for seed in 1..=PROGRAMS {
        row.times.push(seconds(|| {
            let program = howler_yarp::generate(options, Target::X86_64_GCC, &Choices::new(seed));
            row.bytes += unit(&program, 0, &PrintOptions::default()).len();
            Ok(())
        })?);
    }
    Ok(row.sorted())
}

/// All that a hunt's program takes.
fn yarp_finished(options: &howler_yarp::Options) -> Result<Row> {
    let mut row = Row::default();
    let watcher = Machine { runs: 1, ..Machine::default() };
    for seed in 1..=JUDGED {
        row.times.push(seconds(|| {
            let judges: (&dyn Judge, &dyn Judge) = (&watcher, &Machine::default());
            let made = howler_yarp::judged(options, Target::X86_64_GCC, &Choices::new(seed), judges);
            row.bytes += made.text(0).len();
            Ok(())
        })?);
    }
    Ok(row.sorted())
}

/// Time against size: it must be linear.
fn growth() -> Result<()> {
    grows("yarp: ", &[1, 8, 16, 32, 64, 128, 256], |size, seed| {
        let options = howler_yarp::Options { size: (size, size), swarm: false, ..Default::default() };
        howler_yarp::generate(&options, Target::X86_64_GCC, &Choices::new(seed))
    })?;
    grows("", &[1, 8, 16, 32, 64, 128, 256, 512], |size, seed| {
        let options = Options { size: (size, size), swarm: false, ..Options::default() };
        generate(&options, Target::X86_64_GCC, &Choices::new(seed))
    })
}

fn grows(whose: &str, thousands: &[u32], make: impl Fn(u32, u64) -> Program) -> Result<()> {
    println!(
        "\n| {whose}tokens asked for | programs | KB, median | ms, median | MB/s |\n|---|---|---|---|---|"
    );
    for thousands in thousands {
        let size = thousands * 1000;
        let count = u64::from(640 / thousands).clamp(5, 40);
        let mut sizes = Vec::new();
        let mut all = Row::default();
        for seed in 1..=count {
            all.times.push(seconds(|| {
                sizes.push(unit(&make(size, seed), 0, &PrintOptions::default()).len());
                Ok(())
            })?);
        }
        sizes.sort_unstable();
        all.bytes = sizes.iter().sum();
        let all = all.sorted();
        let median = sizes[sizes.len() / 2] as f64 / 1e3;
        println!("| {size} | {count} | {median:.0} | {:.2} | {:.1} |", all.quantile(0.5) * 1e3, all.speed());
    }
    Ok(())
}
