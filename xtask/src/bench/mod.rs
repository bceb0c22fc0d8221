//! `cargo xtask bench`: the benchmarks by name. A benchmark prints a table whose last column is a ratio against a peer
//! or a floor, measured in one run on the same input.

mod choices;
mod front;
mod r#gen;
mod hunt;
mod machine;
mod orange;
mod reduce;
mod spe;

pub(crate) use front::seconds;
pub(crate) use machine::children_seconds;

use crate::cargo;
use crate::menu::{self, Entry};
use anyhow::{Context, Result, bail};

/// A new benchmark is a module beside this file and a line here.
const ALL: &[Entry] = &[
    Entry { name: "choices", about: "a decision against a bare generator", run: choices::run },
    Entry { name: "front", about: "parse and analysis against the parser of lang-c", run: front::run },
    Entry {
        name: "gen",
        about: "how fast smith and yarp make C, against Csmith and orange",
        run: r#gen::run,
    },
    Entry { name: "hunt", about: "compiling and running as hunts do it against the driver", run: hunt::run },
    Entry {
        name: "machine",
        about: "running C exactly against sanitizers and native code",
        run: machine::run,
    },
    Entry { name: "orange", about: "how fast arithmetic with known answers is made", run: orange::run },
    Entry { name: "spe", about: "how fast variants of a program are made", run: spe::run },
    Entry {
        name: "reduce",
        about: "failing programs made small, beside C-Reduce and C-Vise",
        run: reduce::run,
    },
];

/// The names, one per line.
pub(crate) fn list() -> String {
    menu::list(ALL)
}

/// Runs one benchmark, optimised.
pub(crate) fn run(name: &str) -> Result<()> {
    let bench = menu::find(ALL, "benchmark", name)?;
    if !cfg!(debug_assertions) {
        return (bench.run)();
    }
    // `cargo xtask` builds without optimisation, which measures nothing.
    let status = cargo()
        .args(["run", "--quiet", "--release", "--package", "xtask", "--", "bench", name])
        .status()
        .context("cannot start cargo")?;
    if !status.success() {
        bail!("benchmark `{name}` failed");
    }
    Ok(())
}
