//! Which of the programs that gcc-12 takes does `howler check` call wrong? A refusal by name is no such thing.
//!
//! The `-std` and pedantry of a file's `dg-options` are given to both.

use super::rejects::{check_flags, dg_flags, gcc};
use super::{Answer, check, corpus, each, first_complaint, short};
use anyhow::Result;
use std::collections::BTreeMap;

pub(super) fn run() -> Result<()> {
    for folder in ["gcc/gcc.dg", "gcc/gcc.c-torture/compile", "gcc/gcc.c-torture/execute"] {
        let mut files = corpus(folder)?;
        // Functions written in gcc's register transfer language.
        files.retain(|file| !short(file).starts_with("gcc/gcc.dg/rtl/"));
        let answers = each(&files, |file| {
            let flags = dg_flags(file);
            if !gcc(file, &flags).success() {
                return None;
            }
            let output = check(file, check_flags(&flags));
            Some((Answer::of(&output), first_complaint(&output)))
        });
        let mut counts: BTreeMap<Answer, usize> = BTreeMap::new();
        for (file, answer) in files.iter().zip(answers) {
            let Some((answer, complaint)) = answer else { continue };
            *counts.entry(answer).or_default() += 1;
            if !matches!(answer, Answer::Taken | Answer::Unsupported) {
                println!("{answer:?} {}: {complaint}", short(file));
            }
        }
        println!("{folder}: {} taken by gcc-12: {counts:?}", counts.values().sum::<usize>());
    }
    Ok(())
}
