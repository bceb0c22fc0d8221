//! `cargo xtask corpus`: fills the ignored folder ./corpus. What is there already stays.
//!
//! - `corpus/gcc`: GCC's test suite (gcc/testsuite) from Debian's gcc-12-source,
//! - `corpus/gcc-16`: the same of gcc-16-source, if the root of `cargo xtask newest` has it,
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
    extract_gcc(&gcc_archive()?, &corpus.join("gcc"))?;
    // A newer system's sources are in that system's root.
    if let Ok(archive) = archive_in(&root().join("roots/unstable/usr/src/gcc-16"), "gcc-16") {
        extract_gcc(&archive, &corpus.join("gcc-16"))?;
    }
    csmith::fill(&corpus.join("csmith"), size)
}

/// Debian's gcc-12-source keeps the sources as one archive.
fn gcc_archive() -> Result<PathBuf> {
    archive_in(Path::new("/usr/src/gcc-12"), "gcc-12")
}

fn archive_in(folder: &Path, start: &str) -> Result<PathBuf> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("{start}-source is not installed"))?;
    let mut archives: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    archives.retain(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with(start) && name.ends_with(".tar.xz")
    });
    archives.sort();
    archives.pop().with_context(|| format!("no {start}*.tar.xz in {}", folder.display()))
}

/// Extracts to a folder aside and renames it, so that the folder is always whole.
fn extract_gcc(archive: &Path, whole: &Path) -> Result<()> {
    if whole.is_dir() {
        return Ok(());
    }
    eprintln!("xtask: extracting GCC's test suite from {}", archive.display());
    let part = whole.with_extension("part");
    if part.exists() {
        std::fs::remove_dir_all(&part).with_context(|| format!("cannot remove {}", part.display()))?;
    }
    std::fs::create_dir_all(&part).with_context(|| format!("cannot make {}", part.display()))?;
    let args = ["-xJf".as_ref(), archive.as_os_str(), "-C".as_ref(), part.as_os_str()];
    let select = ["--strip-components=3", "--wildcards", "*/gcc/testsuite/*"].map(std::ffi::OsStr::new);
    let options = Options { timeout: Duration::from_secs(600), ..Options::default() };
    let output = run("tar", args.into_iter().chain(select), &options);
    if !output.success() || !part.join("gcc.c-torture/execute").is_dir() {
        bail!("cannot extract {}: {}", archive.display(), output.stderr_text().trim());
    }
    std::fs::rename(&part, whole).with_context(|| format!("cannot rename {}", part.display()))
}
