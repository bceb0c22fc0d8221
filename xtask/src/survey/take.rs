//! How many programs of a corpus `howler check` takes, and what it says of the others.

use super::{Answer, check, corpus, each, first_complaint, gcc_standard, short};
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub(super) fn execute() -> Result<()> {
    taken("gcc/gcc.c-torture/execute")
}

pub(super) fn compile() -> Result<()> {
    taken("gcc/gcc.c-torture/compile")
}

pub(super) fn csmith() -> Result<()> {
    let files = corpus("csmith")?;
    let answers = each(&files, |file| {
        let output = check(file, ["-I", "/usr/include/csmith"]);
        (Answer::of(&output), first_complaint(&output))
    });
    report(&files, &answers);
    Ok(())
}

/// Of the files that gcc-12 takes, those taken.
fn taken(folder: &str) -> Result<()> {
    let files = corpus(folder)?;
    let standards = each(&files, |file| gcc_standard(file));
    let by_gcc: Vec<(PathBuf, &'static str)> =
        files.iter().zip(&standards).filter_map(|(file, std)| Some((file.clone(), (*std)?))).collect();
    println!("{} files, {} taken by gcc-12", files.len(), by_gcc.len());
    let answers = each(&by_gcc, |(file, std)| {
        let output = check(file, ["--std", std]);
        (Answer::of(&output), first_complaint(&output))
    });
    let files: Vec<PathBuf> = by_gcc.into_iter().map(|(file, _)| file).collect();
    report(&files, &answers);
    Ok(())
}

/// Everything, valid or not: only what breaks is of interest.
pub(super) fn suite() -> Result<()> {
    let files = corpus("gcc")?;
    let answers = each(&files, |file| {
        let output = check(file, [""; 0]);
        (Answer::of(&output), first_complaint(&output))
    });
    let mut counts: BTreeMap<Answer, usize> = BTreeMap::new();
    for (file, (answer, complaint)) in files.iter().zip(&answers) {
        *counts.entry(*answer).or_default() += 1;
        if matches!(answer, Answer::Broke | Answer::Hung) {
            println!("{answer:?} {}: {complaint}", short(file));
        }
    }
    println!("{} files: {counts:?}", files.len());
    Ok(())
}

fn report(files: &[PathBuf], answers: &[(Answer, String)]) {
    let mut counts: BTreeMap<Answer, usize> = BTreeMap::new();
    for (file, (answer, complaint)) in files.iter().zip(answers) {
        *counts.entry(*answer).or_default() += 1;
        if *answer != Answer::Taken {
            println!("{answer:?} {}: {complaint}", short(file));
        }
    }
    let taken = counts.get(&Answer::Taken).copied().unwrap_or(0);
    let share = 100.0 * taken as f64 / files.len().max(1) as f64;
    println!("{taken} of {} taken ({share:.2} %): {counts:?}", files.len());
}
