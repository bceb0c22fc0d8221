//! Going over the variants, one after the other.

use num_bigint::BigUint;

use crate::skeleton::Var;
use crate::space::{Choice, Space};

/// A place in the enumeration. Going to the next variant costs what it changes.
///
/// ```
/// use howler_spe::skeleton::{Hole, Skeleton, Var};
/// use howler_spe::space::Space;
/// use howler_spe::variants::Variants;
///
/// // Two interchangeable variables, three holes: aaa, aab, aba, abb.
/// let hole = || Hole { visible: vec![Var(0), Var(1)], original: Var(0) };
/// let space = Space::new(Skeleton::new(&[0, 0], vec![hole(), hole(), hole()]).unwrap()).unwrap();
/// let mut variants = Variants::new(&space);
/// let mut all = vec![variants.filled().to_vec()];
/// while variants.advance() {
///     all.push(variants.filled().to_vec());
/// }
/// assert_eq!(all.len(), 4);
/// assert_eq!(all[1], [Var(0), Var(0), Var(1)]);
/// ```
#[derive(Debug)]
pub struct Variants<'a> {
    space: &'a Space,
    filled: Vec<Var>,
    chosen: Vec<Choice>,
    /// How many variables of each class are used.
    used: Vec<u32>,
    changed: Vec<usize>,
}

impl<'a> Variants<'a> {
    /// Begins with the original.
    pub fn new(space: &'a Space) -> Variants<'a> {
        let mut variants = Variants {
            space,
            filled: space.skeleton().originals(),
            chosen: Vec::with_capacity(space.order().len()),
            used: vec![0; space.skeleton().classes().len()],
            changed: Vec::new(),
        };
        variants.fill();
        variants
    }

    /// Begins with the variant that has a number; none if there are not so many.
    pub fn from(space: &'a Space, index: &BigUint) -> Option<Variants<'a>> {
        let (filled, chosen) = space.unranked(index)?;
        let mut used = vec![0; space.skeleton().classes().len()];
        for choice in chosen.iter().filter(|choice| choice.new) {
            used[space.skeleton().class(choice.var)] += 1;
        }
        Some(Variants { space, filled, chosen, used, changed: Vec::new() })
    }

    /// What stands in each hole.
    pub fn filled(&self) -> &[Var] {
        &self.filled
    }

    /// The holes whose variables the last step may have changed, in no particular order.
    pub fn changed(&self) -> &[usize] {
        &self.changed
    }

    /// Goes to the next variant; says whether there is one. Behind the last one it stays where it is.
    pub fn advance(&mut self) -> bool {
        self.changed.clear();
        let order = self.space.order();
        // Nothing is given up before it is known that there is another.
        let mut keep = self.chosen.len();
        let next = loop {
            let Some(last) = keep.checked_sub(1) else {
                self.chosen.iter().filter(|choice| choice.new).for_each(|choice| {
                    self.used[self.space.skeleton().class(choice.var)] += 1;
                });
                return false;
            };
            let choice = self.chosen[last];
            if choice.new {
                self.used[self.space.skeleton().class(choice.var)] -= 1;
            }
            keep = last;
            if let Some(next) = self.space.next(order[last], &self.used, choice.slot) {
                break next;
            }
        };
        self.chosen.truncate(keep);
        self.put(next);
        self.fill();
        true
    }

    /// Fills the holes that are left with their first choices.
    fn fill(&mut self) {
        for at in self.chosen.len()..self.space.order().len() {
            let choice = self.space.first(self.space.order()[at], &self.used);
            self.put(choice);
        }
    }

    fn put(&mut self, choice: Choice) {
        let hole = self.space.order()[self.chosen.len()];
        if choice.new {
            self.used[self.space.skeleton().class(choice.var)] += 1;
        }
        if self.filled[hole] != choice.var {
            self.filled[hole] = choice.var;
            self.changed.push(hole);
        }
        self.chosen.push(choice);
    }
}
