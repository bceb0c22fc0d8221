//! What enumeration needs of a program, whatever its language, and how variants become text.

use std::ops::Range;

use crate::skeleton::{Skeleton, SkeletonError, Var};

/// A program whose variables can be exchanged.
pub trait Template {
    /// The holes in the order of the text, and the variables.
    fn skeleton(&self) -> Result<Skeleton, SkeletonError>;

    /// The text of the original.
    fn text(&self) -> &str;

    /// Where a hole is in the text.
    fn place(&self, hole: usize) -> Range<usize>;

    /// What a variable is called.
    fn name(&self, var: Var) -> &str;
}

/// The text of one variant after the other. Only what is behind the first change is written again.
pub struct Renderer<'a, T: Template + ?Sized> {
    template: &'a T,
    /// Holes by their places in the text.
    sequence: Vec<usize>,
    /// The place of each hole in the sequence.
    position: Vec<usize>,
    /// Where the text in front of each hole of the sequence begins.
    between: Vec<usize>,
    out: String,
    /// Where each hole of the sequence begins in what was written.
    starts: Vec<usize>,
}

impl<'a, T: Template + ?Sized> Renderer<'a, T> {
    /// Writes a variant: what stands in each hole.
    pub fn new(template: &'a T, filled: &[Var]) -> Renderer<'a, T> {
        let mut sequence: Vec<usize> = (0..filled.len()).collect();
        sequence.sort_by_key(|&hole| template.place(hole).start);
        let mut position = vec![0; filled.len()];
        sequence.iter().enumerate().for_each(|(at, &hole)| position[hole] = at);
        let mut between = vec![0];
        between.extend(sequence.iter().map(|&hole| template.place(hole).end));
        let capacity = template.text().len() * 2;
        let starts = Vec::with_capacity(filled.len());
        let out = String::with_capacity(capacity);
        let mut renderer = Renderer { template, sequence, position, between, out, starts };
        renderer.write(filled);
        renderer
    }

    /// The text that was written last.
    pub fn text(&self) -> &str {
        &self.out
    }

    /// Writes another variant, which may differ from the last one in these holes only.
    pub fn update(&mut self, filled: &[Var], changed: &[usize]) {
        let Some(first) = changed.iter().map(|&hole| self.position[hole]).min() else { return };
        self.out.truncate(self.starts[first]);
        self.starts.truncate(first);
        let hole = self.sequence[first];
        self.fill(filled, hole);
        self.rest(filled, first + 1);
    }

    fn write(&mut self, filled: &[Var]) {
        self.out.clear();
        self.starts.clear();
        self.rest(filled, 0);
    }

    /// Writes what is in front of a hole of the sequence, the hole, and all behind it.
    fn rest(&mut self, filled: &[Var], first: usize) {
        let text = self.template.text();
        for at in first..self.sequence.len() {
            let hole = self.sequence[at];
            self.out.push_str(&text[self.between[at]..self.template.place(hole).start]);
            self.fill(filled, hole);
        }
        self.out.push_str(&text[self.between[self.sequence.len()]..]);
    }

    fn fill(&mut self, filled: &[Var], hole: usize) {
        self.starts.push(self.out.len());
        self.out.push_str(self.template.name(filled[hole]));
    }
}
