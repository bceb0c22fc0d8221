//! `cargo xtask bench`: the benchmarks by name. A benchmark prints a table whose last column is a ratio against a peer
//! or a floor, measured in one run on the same input.

mod choices;
mod front;

use crate::cargo;
use anyhow::{Context, Result, bail};

/// One benchmark. A new one is a module beside this file and a line in [`ALL`].
struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn() -> Result<()>,
}

const ALL: &[Bench] = &[
    Bench { name: "choices", about: "a decision against a bare generator", run: choices::run },
    Bench { name: "front", about: "parse and analysis against the parser of lang-c", run: front::run },
];

/// The names, one per line.
pub(crate) fn list() -> String {
    ALL.iter().map(|bench| format!("  {:<12} {}\n", bench.name, bench.about)).collect()
}

/// Runs one benchmark, optimised.
pub(crate) fn run(name: &str) -> Result<()> {
    let Some(bench) = ALL.iter().find(|bench| bench.name == name) else {
        bail!("there is no benchmark `{name}` yet; these exist:\n{}", list().trim_end());
    };
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

#[cfg(test)]
mod tests {
    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = super::run("nothing").expect_err("there is no such benchmark").to_string();
        assert!(error.starts_with("there is no benchmark `nothing` yet"));
        assert!(super::ALL.iter().all(|bench| error.contains(bench.name)));
    }
}
