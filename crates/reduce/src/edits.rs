//! Programs that were made of others by lists of edits: what does not matter of a list goes before anything else does. What
//! is left of it says what made the difference.

use std::sync::Arc;

use howler_case::File;
use howler_lang::edit::{Edit, Edited};
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::Program;

use crate::engine::{self, Proposal, Size};
use crate::files::Files;
use crate::text::measure;

/// A program as a seed and the edits of it that are left.
#[derive(Clone)]
pub struct Variant {
    /// Each has its own: programs remember things while they are read.
    seed: Program,
    whole: Arc<Whole>,
    /// Whether each edit is still made.
    kept: Vec<bool>,
    files: Vec<File>,
    size: Size,
    key: u128,
}

struct Whole {
    edits: Vec<Edit>,
    names: Vec<String>,
}

impl Variant {
    /// A seed with all of these edits, as files with these names; why it is none, in words, if an edit cannot be read or
    /// made.
    pub fn new(seed: Program, edits: &[String], names: Vec<String>) -> Result<Variant, String> {
        let read = |text: &String| text.parse::<Edit>().map_err(|error| format!("{text}: {error}"));
        let edits: Vec<Edit> = edits.iter().map(read).collect::<Result<_, String>>()?;
        let all = vec![true; edits.len()];
        let made = Variant::with(seed, Arc::new(Whole { edits, names }), &all);
        match made.kept.iter().position(|&kept| !kept) {
            Some(number) => Err(format!("edit {number} cannot be made of this seed")),
            None => Ok(made),
        }
    }

    fn with(seed: Program, whole: Arc<Whole>, keep: &[bool]) -> Variant {
        let (edited, kept) = Edited::replay(seed.clone(), &whole.edits, |number| keep[number]);
        let program = edited.into_program();
        let names = whole.names.iter().enumerate();
        let files: Vec<File> = names
            .map(|(number, name)| {
                let text = unit(&program, number, &PrintOptions::default());
                File { name: name.clone(), text: text.into_bytes() }
            })
            .collect();
        // Without an edit that takes something away the program is longer, and yet there is less to look at.
        let (Size { bytes, .. }, key) = measure(&files);
        let size = Size { tokens: kept.iter().filter(|kept| **kept).count() as u64, bytes };
        Variant { seed, whole, kept, files, size, key }
    }

    /// The edits that are left, as they were given. They are made of the seed one by one, and name each other by the
    /// places that they had in the whole list.
    pub fn edits(&self) -> Vec<(usize, String)> {
        let all = self.whole.edits.iter().enumerate().zip(&self.kept);
        all.filter(|(_, kept)| **kept).map(|((number, edit), _)| (number, edit.to_string())).collect()
    }
}

impl engine::Subject for Variant {
    fn size(&self) -> Size {
        self.size
    }

    fn key(&self) -> u128 {
        self.key
    }
}

impl Files for Variant {
    fn files(&self) -> &[File] {
        &self.files
    }
}

/// An edit by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number(usize);

impl Proposal for Number {
    fn weight(&self) -> u64 {
        1
    }
}

/// Leaves edits out, with those that need them.
pub struct Without;

impl engine::Pass<Variant, Number> for Without {
    fn name(&self) -> &'static str {
        "edits"
    }

    fn proposals(&self, subject: &Variant) -> Vec<Number> {
        (0..subject.kept.len()).filter(|&number| subject.kept[number]).map(Number).collect()
    }

    fn apply(&self, subject: &Variant, proposals: &[Number]) -> Option<Variant> {
        let mut keep = subject.kept.clone();
        proposals.iter().for_each(|number| keep[number.0] = false);
        (keep != subject.kept).then(|| Variant::with(subject.seed.clone(), subject.whole.clone(), &keep))
    }
}
