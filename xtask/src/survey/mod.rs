//! `cargo xtask survey NAME`: runs `howler check` over whole corpora and counts, for docs/evidence.
//!
//! Every program goes through the real binary in a process of its own, so that a panic, a stack overflow or a hang
//! is seen and counted like any other answer. `torture` and `csmith-run` drive the machine in process instead.

mod accepts;
mod catalogue;
mod checked;
mod csmith_run;
mod csmith_ub;
mod dg;
mod execution;
mod rejects;
mod remarks;
mod roundtrip;
mod smith;
mod smith_constructs;
mod smith_planted;
mod smith_remarks;
mod smith_shapes;
mod spe;
mod spe_variants;
mod take;
mod torture;
mod yarp;

use crate::menu::{self, Entry};
use crate::{cargo, root};
use anyhow::{Context, Result, bail};
use howler_testkit::{Options, Output};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The surveys there are.
const ALL: &[Entry] = &[
    Entry {
        name: "execute",
        about: "gcc.c-torture/execute: how many files that gcc-12 takes are taken",
        run: take::execute,
    },
    Entry { name: "compile", about: "gcc.c-torture/compile: the same", run: take::compile },
    Entry { name: "csmith", about: "all Csmith programs of the corpus: the same", run: take::csmith },
    Entry {
        name: "suite",
        about: "every .c file of GCC's test suite: panics, hangs, overflows",
        run: take::suite,
    },
    Entry {
        name: "roundtrip-execute",
        about: "execute tests printed, compiled, run and reparsed",
        run: roundtrip::execute,
    },
    Entry {
        name: "roundtrip-csmith",
        about: "Csmith programs printed, compiled, run and reparsed",
        run: roundtrip::csmith,
    },
    Entry {
        name: "accepts",
        about: "files of gcc.dg and gcc.c-torture that gcc-12 takes: which are called wrong",
        run: accepts::run,
    },
    Entry {
        name: "torture",
        about: "execute tests on the machine, against gcc-12 -O0 and crates/machine/tests/torture.txt",
        run: torture::run,
    },
    Entry {
        name: "csmith-run",
        about: "Csmith programs on the machine, against gcc-12 -O0",
        run: csmith_run::run,
    },
    Entry {
        name: "catalogue",
        about: "the machine's catalogue natively: which programs change between compilers and levels",
        run: catalogue::run,
    },
    Entry {
        name: "checked",
        about: "execute tests and Csmith programs the short and the long way: both must agree",
        run: checked::run,
    },
    Entry {
        name: "csmith-ub",
        about: "Csmith programs that are undefined on the machine: what else says so",
        run: csmith_ub::run,
    },
    Entry {
        name: "smith-constructs",
        about: "what programs of smith and of Csmith are made of, and which shapes they have",
        run: smith_constructs::run,
    },
    Entry {
        name: "smith-remarks",
        about: "how much of the optimizers programs of smith and of Csmith reach",
        run: smith_remarks::run_survey,
    },
    Entry {
        name: "smith-planted",
        about: "how soon programs of smith, Csmith and orange show planted faults",
        run: smith_planted::run_survey,
    },
    Entry {
        name: "spe-table1",
        about: "how many variants all files of GCC's test suite have: the paper's tables 1 and 2",
        run: spe::table_1,
    },
    Entry {
        name: "spe-gcc",
        about: "20,000 variants of 500 of GCC's tests: does gcc-12 take each?",
        run: spe_variants::accepted,
    },
    Entry {
        name: "spe-run",
        about: "5,000 variants of 500 of GCC's tests on the machine, against gcc-12 -O0",
        run: spe_variants::executed,
    },
    Entry {
        name: "yarp-policies",
        about: "how much more optimizers do with yarp's policies than without",
        run: yarp::policies,
    },
    Entry {
        name: "yarp-loops",
        about: "what optimizers make of yarp's loops, and how many of them carry something along",
        run: yarp::loops,
    },
    Entry {
        name: "yarp-differs",
        about: "what of the optimizers programs of yarp reach and those of smith and orange do not, and the reverse",
        run: yarp::differs,
    },
    Entry { name: "rejects", about: "files of gcc.dg that gcc-12 rejects, by class", run: rejects::run },
];

/// The names of the surveys, for the help text.
pub(crate) fn list() -> String {
    menu::list(ALL)
}

/// Runs one survey.
pub(crate) fn run(name: &str) -> Result<()> {
    let survey = menu::find(ALL, "survey", name)?;
    // Those of techniques run no binary of Howler's.
    if ["smith-", "spe-", "yarp-"].iter().any(|technique| name.starts_with(technique)) {
        return (survey.run)();
    }
    let built = cargo().args(["build", "--quiet", "--release", "--package", "howler"]).status()?;
    if !built.success() {
        bail!("howler does not build");
    }
    (survey.run)()
}

/// The binary under survey.
fn howler() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join("release/howler")
}

/// How `howler check` answered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Answer {
    Taken,
    Rejected,
    Unsupported,
    /// No preprocessor output, unreadable, bad arguments.
    CouldNotWork,
    /// A panic, a signal, any other status.
    Broke,
    Hung,
}

impl Answer {
    fn of(output: &Output) -> Answer {
        match output.code {
            _ if output.timed_out => Answer::Hung,
            Some(0) => Answer::Taken,
            Some(1) => Answer::Rejected,
            Some(2) => Answer::CouldNotWork,
            Some(3) => Answer::Unsupported,
            _ => Answer::Broke,
        }
    }
}

/// `howler check ARGS FILE`.
fn check<A: AsRef<OsStr>>(file: &Path, args: impl IntoIterator<Item = A>) -> Output {
    let mut all: Vec<std::ffi::OsString> = vec!["check".into()];
    all.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
    all.push(file.into());
    let folder = file.parent();
    let options = Options { timeout: Duration::from_secs(20), folder, ..Options::default() };
    howler_testkit::run(howler(), all, &options)
}

/// Files below `corpus/FOLDER` that end in `.c`, sorted.
fn corpus(folder: &str) -> Result<Vec<PathBuf>> {
    let start = root().join("corpus").join(folder);
    if !start.is_dir() {
        bail!("{} is missing: run `cargo xtask corpus` first", start.display());
    }
    let mut files = Vec::new();
    let mut folders = vec![start];
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension() == Some("c".as_ref()) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Applies `work` to all items on all cores, with a line of progress now and then; results in order.
fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let worker = || {
            let mut mine = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else { return mine };
                if index.is_multiple_of(500) && index > 0 {
                    eprintln!("xtask: {index} of {}", items.len());
                }
                mine.push((index, work(item)));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("a survey's work does not panic"))
            .collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The standard under which gcc-12 takes a file: gnu17, else gnu89, else none.
fn gcc_standard(file: &Path) -> Option<&'static str> {
    ["gnu17", "gnu89"].into_iter().find(|std| {
        let options =
            Options { timeout: Duration::from_secs(60), folder: file.parent(), ..Options::default() };
        let std = format!("-std={std}");
        let args = [std.as_ref(), "-w".as_ref(), "-fsyntax-only".as_ref(), file.as_os_str()];
        howler_testkit::run("gcc-12", args, &options).success()
    })
}

/// A file's path below the corpus.
fn short(file: &Path) -> String {
    let corpus = root().join("corpus");
    file.strip_prefix(&corpus).unwrap_or(file).display().to_string()
}

/// The first line of an output that says what is wrong.
fn first_complaint(output: &Output) -> String {
    let text = output.stderr_text();
    let telling =
        |line: &&str| ["error", "unsupported", "panicked", "howler:"].iter().any(|word| line.contains(word));
    text.lines().find(telling).or(text.lines().next()).unwrap_or("").to_owned()
}
