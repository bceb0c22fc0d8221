//! Csmith's programs on the machine: output against gcc-12 -O0, and which of them are undefined.

use super::execution::{End, Machine, native, natives, table};
use super::{corpus, each, short};
use anyhow::{Result, bail};
use howler_toolchain::preprocess::{Headers, Preprocessor};
use std::time::Duration;

/// Programs that end at all end in a fraction of this; some never do.
const SECONDS: Duration = Duration::from_secs(5);

pub(super) const HEADERS: &str = "/usr/include/csmith";

pub(super) fn run() -> Result<()> {
    let all = corpus("csmith/default")?;
    let natives = natives("csmith-gcc.txt", &all, |file| native(file, Some(HEADERS), SECONDS))?;
    let files: Vec<_> =
        all.iter().zip(natives).filter_map(|(file, native)| Some((file.clone(), native?))).collect();
    let ended = files.iter().filter(|(_, native)| native.code.is_some()).count();
    println!(
        "{} files, {} compiled by gcc-12, {ended} of them end within {} seconds",
        all.len(),
        files.len(),
        SECONDS.as_secs()
    );
    let machine = Machine {
        preprocessor: Preprocessor::find(Some("gcc-12".as_ref()))?,
        headers: Headers::System,
        include: Some(HEADERS),
        steps: 50_000_000,
    };
    let ends = each(&files, |(file, native)| machine.ends(file, native));
    let strict = ends.iter().map(|(strict, _)| strict).collect();
    let letter = ends.iter().map(|(_, letter)| letter).collect();
    print!("{}", table(&[("strict", strict), ("letter kinds allowed", letter)]));
    let mut wrong = 0;
    for ((file, _), (strict, letter)) in files.iter().zip(&ends) {
        if matches!(strict, End::Wrong(_)) || matches!(letter, End::Wrong(_)) {
            wrong += 1;
        }
        if !matches!(strict, End::Same | End::Limit(_)) {
            println!("{}: {strict:?}; letter: {letter:?}", short(file));
        }
    }
    if wrong > 0 {
        bail!("{wrong} files do not end as natively");
    }
    Ok(())
}
