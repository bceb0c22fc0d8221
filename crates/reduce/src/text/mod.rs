//! Passes on text that looks like C, for what the front end does not take, and for what the other passes left. They know
//! tokens, brackets and lines. (Passes for other languages would be more of [`PASSES`], on syntax trees.)

mod passes;
mod pieces;
mod raw;

pub use passes::PASSES;
pub use pieces::{Pieces, measure};

use std::ops::Range;

use crate::engine::{Proposal, Size, Subject};
use crate::files::Files;
use howler_case::File;

/// Files as pieces, some of them gone.
#[derive(Clone)]
pub struct Text {
    pieces: Pieces,
    /// Whether each piece is still there.
    alive: Vec<bool>,
    files: Vec<File>,
    size: Size,
    key: u128,
}

/// Ranges of pieces that would go.
#[derive(Clone, Debug)]
pub struct Removal {
    ranges: [Range<usize>; 2],
    weight: u64,
}

impl Removal {
    /// One range.
    fn one(range: Range<usize>) -> Removal {
        Removal { weight: range.len() as u64, ranges: [range, 0..0] }
    }

    /// Two.
    fn two(first: Range<usize>, second: Range<usize>) -> Removal {
        Removal { weight: (first.len() + second.len()) as u64, ranges: [first, second] }
    }
}

impl Proposal for Removal {
    fn weight(&self) -> u64 {
        self.weight
    }
}

impl Text {
    /// The pieces of some files.
    pub fn new(files: &[File]) -> Text {
        let pieces = Pieces::of(files);
        let alive = vec![true; pieces.len()];
        Text::with(pieces, alive)
    }

    fn with(pieces: Pieces, alive: Vec<bool>) -> Text {
        let files = pieces.write(&alive);
        let (size, key) = measure(&files);
        Text { pieces, alive, files, size, key }
    }

    /// The numbers of the pieces that are there.
    fn there(&self) -> Vec<usize> {
        (0..self.alive.len()).filter(|&at| self.alive[at]).collect()
    }

    /// Without these; none if nothing changes.
    fn without(&self, removals: &[Removal]) -> Option<Text> {
        let mut alive = self.alive.clone();
        for range in removals.iter().flat_map(|removal| &removal.ranges) {
            alive[range.clone()].fill(false);
        }
        (alive != self.alive).then(|| Text::with(self.pieces.clone(), alive))
    }
}

impl Subject for Text {
    fn size(&self) -> Size {
        self.size
    }

    fn key(&self) -> u128 {
        self.key
    }
}

impl Files for Text {
    fn files(&self) -> &[File] {
        &self.files
    }
}
