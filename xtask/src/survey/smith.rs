//! What the surveys of smith share: programs of smith, of orange and of Csmith by number, as text.

use crate::bench::children_seconds;
use crate::root;
use anyhow::{Context, Result};
use howler_case::{Origin, Technique};
use howler_choices::Choices;
use howler_lang::target::Target;
use howler_testkit::{Options, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where include files of Csmith's programs lie.
pub(super) const INCLUDE: &str = "-I/usr/include/csmith";

/// The option that leaves smith without extensions.
pub(super) const C17: &str =
    "without=builtins,int128,packed,attributes,statement-expressions,checks-in-place,computed-goto,vectors";

/// A folder for what takes long to make.
pub(super) fn folder(name: &str) -> Result<PathBuf> {
    let folder = root().join("corpus/smith").join(name);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// The text of a technique's program, its first file if it has several, with these words of options.
pub(super) fn made(technique: &Technique, words: &[&str], target: Target, seed: u64) -> Result<String> {
    let values = technique.options.read(words.iter().copied())?;
    let generator = (technique.generator)(&values).map_err(anyhow::Error::msg)?;
    let origin = Origin { arm: String::new(), version: String::new(), seed, index: 0 };
    let case = generator.generate(target, &mut Choices::new(seed), origin);
    let text: Vec<u8> = case.files.into_iter().flat_map(|file| file.text).collect();
    String::from_utf8(text).context("a program is no text")
}

/// A program of Csmith's defaults and the processor time it took; none if it took longer than 30 seconds. Both are kept.
pub(super) fn csmith(seed: u64) -> Result<(Option<PathBuf>, f64)> {
    let folder = folder("csmith")?;
    let file = folder.join(format!("{seed:05}.c"));
    let cost = folder.join(format!("{seed:05}.seconds"));
    if let Some(seconds) = fs::read_to_string(&cost).ok().and_then(|text| text.parse().ok()) {
        return Ok((file.exists().then_some(file), seconds));
    }
    let before = children_seconds()?;
    // It leaves a file where it works.
    let options = Options { timeout: Duration::from_secs(30), folder: Some(&folder), ..Options::default() };
    let output = run("csmith", ["--seed", &seed.to_string()], &options);
    let seconds = children_seconds()? - before;
    if output.success() {
        fs::write(&file, &output.stdout)?;
    }
    fs::write(&cost, seconds.to_string())?;
    Ok((file.exists().then_some(file), seconds))
}

/// Lines of a file that is written as work goes on, so that a survey that was ended goes on where it was.
pub(super) fn lines(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}
