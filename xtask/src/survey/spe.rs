//! The tables 1 and 2 of the paper on skeletal program enumeration, over every C file of GCC 12's test suite that the
//! front end takes: how many programs filling holes would give, and how many of them differ.

use super::{corpus, each};
use crate::bench::seconds;
use anyhow::Result;
use howler_lang::diag::Severity;
use howler_lang::print::Includes;
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_oracle::read::Texts;
use howler_spe::c::{CProgram, Options, Reach, Shape};
use howler_spe::space::Space;
use howler_spe::template::Template;
use howler_toolchain::preprocess::{Headers, Input, PreprocessOptions, Preprocessor};
use num_bigint::BigUint;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

/// A file that was read.
pub(super) struct Read {
    pub(super) program: Program,
    pub(super) unit: usize,
    pub(super) includes: Includes,
    /// What stands in front of its `#include` lines.
    head: String,
    /// What reading took, without the preprocessor.
    time: f64,
}

impl Read {
    pub(super) fn template(&self, reach: Reach) -> CProgram {
        let options = Options { includes: self.includes, reach, ..Options::default() };
        CProgram::new(&self.program, self.unit, options)
    }

    /// The text of a variant as a file of its own.
    pub(super) fn whole(&self, text: &str) -> String {
        let needed = text.lines().any(|line| line.starts_with("#include"));
        if needed { format!("{}{text}", self.head) } else { text.to_owned() }
    }
}

pub(super) fn preprocessor() -> Result<Preprocessor> {
    let mut preprocessor = Preprocessor::find(Some("gcc-12".as_ref()))?;
    preprocessor.limits.wall = Duration::from_secs(20);
    preprocessor.limits.output = 32 << 20;
    Ok(preprocessor)
}

/// Reads a file as `howler spe` does; none if it is not taken.
pub(super) fn read(preprocessor: &Preprocessor, file: &Path) -> Option<Read> {
    let target = Target::X86_64_GCC;
    let include_dirs = file.parent().map(Path::to_owned).into_iter().collect();
    let options =
        PreprocessOptions { target, defines: Vec::new(), include_dirs, headers: Headers::OursThenSystem };
    let mut texts = Texts::new(preprocessor, Input::File(file), options).ok()?;
    let mut program = Program::new(target);
    let front = howler_front::Options { pedantic_errors: false };
    let (unit, time) =
        timed(|| catch_unwind(AssertUnwindSafe(|| texts.parse_into(&mut program, &front))).ok());
    let unit = unit?;
    if unit.diagnostics.iter().any(|one| one.severity >= Severity::Unsupported) {
        return None;
    }
    let includes = if unit.undefines { Includes::Expand } else { Includes::Keep };
    let head = unit.feature_macros.iter().map(|definition| format!("{definition}\n")).collect();
    Some(Read { program, unit: unit.unit?, includes, head, time })
}

/// What `work` gives, and the processor time that it took.
fn timed<R>(work: impl FnOnce() -> R) -> (R, f64) {
    let mut result = None;
    let time = seconds(|| {
        result = Some(work());
        Ok(())
    });
    (result.expect("the work was done"), time.unwrap_or(0.0))
}

/// The numbers of one file.
struct Counted {
    shape: Shape,
    naive: BigUint,
    exact: Option<BigUint>,
    by_function: Option<BigUint>,
    paper: BigUint,
    /// Reading; making the skeleton and counting it exactly; all other counts.
    times: [f64; 3],
}

fn counted(preprocessor: &Preprocessor, file: &Path) -> Option<Counted> {
    let read = read(preprocessor, file)?;
    let count = |program: &CProgram| Some(Space::new(program.skeleton().ok()?).ok()?.count().clone());
    let ((program, exact), first) = timed(|| {
        let program = read.template(Reach::Program);
        let exact = count(&program);
        (program, exact)
    });
    let ((by_function, naive, paper), second) =
        timed(|| (count(&read.template(Reach::Function)), program.naive(), program.paper()));
    let times = [read.time, first, second];
    Some(Counted { shape: program.shape(), naive, exact, by_function, paper, times })
}

/// The paper leaves out what has more.
const LIMIT: u32 = 10_000;

/// One of a file's counts, if it was counted.
type Number = fn(&Counted) -> Option<&BigUint>;

pub(super) fn table_1() -> Result<()> {
    let preprocessor = preprocessor()?;
    let files = corpus("gcc")?;
    let all = each(&files, |file| counted(&preprocessor, file));
    let taken: Vec<&Counted> = all.iter().flatten().collect();
    let uncounted = taken.iter().filter(|one| one.exact.is_none()).count();
    println!(
        "{} files, {} taken by the front end, {uncounted} too large to count exactly",
        files.len(),
        taken.len()
    );
    let counted: Vec<&Counted> =
        taken.iter().copied().filter(|one| one.exact.is_some() && one.by_function.is_some()).collect();
    println!("\n| total over {} files | programs |\n|---|---|", counted.len());
    let columns: [(&str, Number); 4] = [
        ("naive", |one| Some(&one.naive)),
        ("exact", |one| one.exact.as_ref()),
        ("by function, exact", |one| one.by_function.as_ref()),
        ("by function, the paper's algorithm", |one| Some(&one.paper)),
    ];
    let sum = |files: &[&Counted], of: Number| -> BigUint { files.iter().filter_map(|one| of(one)).sum() };
    for (name, of) in columns {
        println!("| {name} | {} |", short(&sum(&counted, of)));
    }
    let magnitudes = |files: &[&Counted], of| log10(&sum(files, columns[0].1)) - log10(&sum(files, of));
    println!(
        "\norders of magnitude saved: exact {:.1}, by function {:.1}, paper {:.1}",
        magnitudes(&counted, columns[1].1),
        magnitudes(&counted, columns[2].1),
        magnitudes(&counted, columns[3].1)
    );
    println!(
        "\n| at most {LIMIT} by | files | share | naive | exact | by function | paper | a file | orders saved |\n|---|---|---|---|---|---|---|---|---|"
    );
    for (name, of) in &columns[1..] {
        let kept: Vec<&Counted> = counted
            .iter()
            .copied()
            .filter(|one| of(one).is_some_and(|count| *count <= LIMIT.into()))
            .collect();
        let sums: Vec<String> = columns.iter().map(|(_, of)| short(&sum(&kept, *of))).collect();
        let own = sum(&kept, *of);
        println!(
            "| {name} | {} | {:.1} % | {} | {:.1} | {:.1} |",
            kept.len(),
            100.0 * kept.len() as f64 / taken.len().max(1) as f64,
            sums.join(" | "),
            10f64.powf(log10(&own) - (kept.len().max(1) as f64).log10()),
            magnitudes(&kept, *of)
        );
    }
    characteristics("all files", &taken);
    let small: Vec<&Counted> = taken.iter().copied().filter(|one| one.paper <= LIMIT.into()).collect();
    characteristics("files of at most 10,000 by the paper's count", &small);
    let time = |part: usize| taken.iter().map(|one| one.times[part]).sum::<f64>();
    println!(
        "\nprocessor time, preprocessing aside: reading {:.1} s, skeletons and exact counts {:.1} s, the other counts {:.1} s",
        time(0),
        time(1),
        time(2)
    );
    let slowest = taken.iter().map(|one| one.times[1]).fold(0.0, f64::max);
    println!("the longest exact count of one file: {slowest:.3} s");
    Ok(())
}

/// The paper's table 2.
fn characteristics(name: &str, files: &[&Counted]) {
    let total = |of: fn(&Shape) -> usize| files.iter().map(|one| of(&one.shape)).sum::<usize>() as f64;
    let each = |of| total(of) / files.len().max(1) as f64;
    let holes = total(|shape| shape.holes);
    println!(
        "\n{name}, {} of them, each on the average: {:.2} holes, {:.2} scopes, {:.2} functions, {:.2} types; {:.2} variables for a hole",
        files.len(),
        each(|shape| shape.holes),
        each(|shape| shape.scopes),
        each(|shape| shape.functions),
        each(|shape| shape.types),
        total(|shape| shape.variables) / holes.max(1.0)
    );
}

/// A number as a table has it.
fn short(number: &BigUint) -> String {
    let digits = number.to_string();
    match digits.len() {
        0..=18 => digits,
        length => format!("{}.{}e{}", &digits[..1], &digits[1..3], length - 1),
    }
}

fn log10(number: &BigUint) -> f64 {
    let digits = number.to_string();
    let first: f64 = digits.get(..15).unwrap_or(&digits).parse().unwrap_or(1.0);
    first.max(1.0).log10() + digits.len().saturating_sub(15) as f64
}
