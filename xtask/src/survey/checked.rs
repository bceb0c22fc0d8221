//! Programs of the corpora run the short way and the long way (`RunOptions::checked`): the two must not differ.

use super::execution::Machine;
use super::{corpus, each, short};
use anyhow::{Result, bail};
use howler_machine::outcome::Outcome;
use howler_machine::{Limits, RunOptions, RunReport, run as run_machine};
use howler_toolchain::preprocess::{Headers, Preprocessor};
use std::path::{Path, PathBuf};

/// How many steps the short way may take; the long way gets more, as it needs more.
const STEPS: u64 = 5_000_000;

pub(super) fn run() -> Result<()> {
    let preprocessor = || Preprocessor::find(Some("gcc-12".as_ref()));
    let torture = Machine {
        preprocessor: preprocessor()?,
        headers: Headers::OursThenSystem,
        include: None,
        steps: STEPS,
    };
    let csmith = Machine {
        preprocessor: preprocessor()?,
        headers: Headers::System,
        include: Some(super::csmith_run::HEADERS),
        steps: STEPS,
    };
    let mut different = 0;
    for (folder, machine, wanted) in
        [("gcc/gcc.c-torture/execute", &torture, 100), ("csmith/default", &csmith, 50)]
    {
        let files = corpus(folder)?;
        // Spread over the folder, and more than wanted: not every file is read, and not every program ends.
        let every = (files.len() / (2 * wanted)).max(1);
        let files: Vec<PathBuf> = files.into_iter().step_by(every).collect();
        let answers = each(&files, |file| compare(machine, file));
        let ended: Vec<_> =
            files.iter().zip(answers).filter_map(|(file, same)| Some((file, same?))).collect();
        for (file, same) in ended.iter().take(wanted) {
            if !same {
                println!("{}: the two ways differ", short(file));
                different += 1;
            }
        }
        println!("{folder}: {} programs compared", ended.len().min(wanted));
        if ended.len() < wanted {
            bail!("{folder}: only {} programs ended", ended.len());
        }
    }
    if different > 0 {
        bail!("{different} programs differ");
    }
    Ok(())
}

/// Whether both ways agree; none if the program is not read or reaches a limit.
fn compare(machine: &Machine, file: &Path) -> Option<bool> {
    let program = machine.read(file, "gnu17").ok().or_else(|| machine.read(file, "gnu89").ok())?;
    let way = |checked: bool| {
        let steps = if checked { 10 * machine.steps } else { machine.steps };
        // What letter kinds hide is compared too.
        let limits = Limits { steps, letter: true, ..Limits::default() };
        run_machine(&program, &RunOptions { limits, checked, ..RunOptions::default() })
    };
    let short = way(false);
    if let Outcome::Limit(_) = short.outcome {
        return None;
    }
    let shown = |report: RunReport| {
        let outcome = match report.outcome {
            // A value that was never set is found where it is loaded or where it is used.
            Outcome::Ub(ub) => ub.kind.code().to_owned(),
            outcome => format!("{outcome:?}"),
        };
        (outcome, report.output, report.errors, report.open, report.trace, report.trace_open)
    };
    Some(shown(short) == shown(way(true)))
}
