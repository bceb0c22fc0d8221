//! The packages that the tests drive: installed where that is possible, named where it is not.

use anyhow::{Context, Result, bail};
use howler_testkit::{Options, find, run};
use std::os::unix::fs::MetadataExt;
use std::process::Command;

/// A Debian package, and the program that shows its presence elsewhere, if it has one.
const PACKAGES: &[(&str, Option<&str>)] = &[
    ("gcc-11", Some("gcc-11")),
    ("gcc-12", Some("gcc-12")),
    ("gcc-multilib", None),
    ("g++-12", Some("g++-12")),
    ("clang-14", Some("clang-14")),
    ("clang-16", Some("clang-16")),
    ("clang-19", Some("clang-19")),
    ("libclang-rt-16-dev", None),
    ("llvm-16", None),
    ("libclang-rt-19-dev", None),
    ("tcc", Some("tcc")),
    ("pcc", Some("pcc")),
    ("csmith", Some("csmith")),
    ("libcsmith-dev", None),
    ("creduce", Some("creduce")),
    ("cvise", Some("cvise")),
    ("gcc-12-source", None),
    ("xz-utils", Some("xz")),
    ("bsdutils", Some("script")),
];

/// Installs what is missing as root on Debian; elsewhere says what is missing and goes on, because the tests that
/// need it count themselves as skipped.
pub(crate) fn provide() -> Result<()> {
    if find("dpkg-query").is_none() || find("apt-get").is_none() {
        return name_missing_programs();
    }
    let missing = missing_packages();
    if missing.is_empty() {
        return Ok(());
    }
    if !is_root() {
        eprintln!("xtask: missing packages, tests that need them are skipped. To install them:");
        eprintln!("xtask:   sudo apt-get install {}", missing.join(" "));
        return Ok(());
    }
    eprintln!("xtask: installing {}", missing.join(" "));
    apt_get(&["update"])?;
    // One package that this release does not have must not keep the others away.
    if apt_get(&[&["install", "--yes", "--no-install-recommends"], &missing[..]].concat()).is_err() {
        for package in &missing {
            if let Err(error) = apt_get(&["install", "--yes", "--no-install-recommends", package]) {
                eprintln!("xtask: {error:#}");
            }
        }
    }
    let missing = missing_packages();
    if !missing.is_empty() {
        eprintln!("xtask: still missing, tests that need them are skipped: {}", missing.join(" "));
    }
    Ok(())
}

fn missing_packages() -> Vec<&'static str> {
    let installed = |package: &str| {
        let query = ["--show", "--showformat=${db:Status-Status}", package];
        run("dpkg-query", query, &Options::default()).stdout_text() == "installed"
    };
    PACKAGES.iter().map(|&(package, _)| package).filter(|package| !installed(package)).collect()
}

fn name_missing_programs() -> Result<()> {
    let missing: Vec<&str> =
        PACKAGES.iter().filter_map(|&(_, program)| program).filter(|p| find(p).is_none()).collect();
    if !missing.is_empty() {
        eprintln!("xtask: not found on PATH, tests that need them are skipped: {}", missing.join(" "));
        eprintln!("xtask: install them with your system's package manager, or run the tests on Debian 12");
    }
    Ok(())
}

pub(crate) fn apt_get(args: &[&str]) -> Result<()> {
    let status = Command::new("apt-get")
        .args(args)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status()
        .context("cannot start apt-get")?;
    if !status.success() {
        bail!("`apt-get {}` failed", args.join(" "));
    }
    Ok(())
}

pub(crate) fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|data| data.uid() == 0)
}
