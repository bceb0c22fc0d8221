//! `cargo xtask corpus`: fills the ignored folder ./corpus. What is there already stays.
//!
//! - `corpus/gcc`: GCC's test suite (gcc/testsuite) from Debian's gcc-12-source,
//! - `corpus/csmith/SET/NNNN.c`: programs made by Csmith, see `csmith.rs`.
//!
//! Nothing is preprocessed here.

use crate::{csmith, root};
use anyhow::{Context, Result, bail};
use howler_testkit::{Options, find, run};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many programs Csmith makes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// As many as the fast tests read.
    Small,
    /// As many as the evidence needs.
    Full,
}

/// Whether the sources of the corpus are installed.
pub(crate) fn possible() -> bool {
    find("csmith").is_some() && gcc_archive().is_ok()
}

/// Makes what is missing.
pub(crate) fn fill(size: Size) -> Result<()> {
    let corpus = root().join("corpus");
    std::fs::create_dir_all(&corpus).context("cannot make ./corpus")?;
    extract_gcc(&corpus)?;
    csmith::fill(&corpus.join("csmith"), size)
}

/// Debian's gcc-12-source keeps the sources as one archive.
fn gcc_archive() -> Result<PathBuf> {
    let folder = Path::new("/usr/src/gcc-12");
    let entries = std::fs::read_dir(folder).context("gcc-12-source is not installed")?;
    let mut archives: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    archives.retain(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("gcc-12") && name.ends_with(".tar.xz")
    });
    archives.sort();
    archives.pop().with_context(|| format!("no gcc-12*.tar.xz in {}", folder.display()))
}

/// Extracts to a folder aside and renames it, so that a folder `gcc` is always whole.
fn extract_gcc(corpus: &Path) -> Result<()> {
    let whole = corpus.join("gcc");
    if whole.is_dir() {
        return Ok(());
    }
    let archive = gcc_archive()?;
    eprintln!("xtask: extracting GCC's test suite from {}", archive.display());
    let part = corpus.join("gcc.part");
    if part.exists() {
        std::fs::remove_dir_all(&part).context("cannot remove corpus/gcc.part")?;
    }
    std::fs::create_dir_all(&part).context("cannot make corpus/gcc.part")?;
    let args = ["-xJf".as_ref(), archive.as_os_str(), "-C".as_ref(), part.as_os_str()];
    let select = ["--strip-components=3", "--wildcards", "*/gcc/testsuite/*"].map(std::ffi::OsStr::new);
    let options = Options { timeout: Duration::from_secs(600), ..Options::default() };
    let output = run("tar", args.into_iter().chain(select), &options);
    if !output.success() || !part.join("gcc.c-torture/execute").is_dir() {
        bail!("cannot extract {}: {}", archive.display(), output.stderr_text().trim());
    }
    std::fs::rename(&part, &whole).context("cannot rename corpus/gcc.part")
}
