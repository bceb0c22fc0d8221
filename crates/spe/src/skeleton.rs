//! A program with its variables taken out: holes, the variables that may fill each, and which of those are alike.
//!
//! Nothing here knows a language. Whoever reads programs says of every variable what *kind* it is: two of one kind may
//! change places without anybody noticing, as long as they can be seen at the same holes. That last part is found out
//! here.

use rustc_hash::FxHashMap;

/// A variable, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

impl Var {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place for a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hole {
    /// The variables that may stand there, by their numbers.
    pub visible: Vec<Var>,
    /// The one that stands there in the original, one of those.
    pub original: Var,
}

/// Why holes and variables make no skeleton.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SkeletonError {
    /// A hole names a variable that does not exist.
    #[error("hole {hole} has a variable that does not exist")]
    NoVariable {
        /// The number of the hole.
        hole: usize,
    },
    /// What stands in a hole cannot be seen there.
    #[error("the variable in hole {hole} cannot be seen there")]
    Invisible {
        /// The number of the hole.
        hole: usize,
    },
}

/// Holes and variables.
#[derive(Clone, Debug)]
pub struct Skeleton {
    variables: usize,
    /// The variables of each class, by their numbers: those that are interchangeable.
    classes: Vec<Vec<Var>>,
    class_of: Vec<u32>,
    /// The different sets of variables that are visible somewhere.
    sets: Vec<Vec<Var>>,
    /// For each hole, its set and what stands there.
    holes: Vec<(u32, Var)>,
}

impl Skeleton {
    /// Makes one of the kind of every variable, and the holes in the order of the text. Variables of one kind are
    /// interchangeable if they are visible at the same holes.
    pub fn new(kinds: &[u32], holes: Vec<Hole>) -> Result<Skeleton, SkeletonError> {
        let mut sets: Vec<Vec<Var>> = Vec::new();
        let mut known: FxHashMap<Vec<Var>, u32> = FxHashMap::default();
        let mut placed = Vec::with_capacity(holes.len());
        for (number, hole) in holes.into_iter().enumerate() {
            let Hole { mut visible, original } = hole;
            visible.sort_unstable();
            visible.dedup();
            if visible.last().is_some_and(|last| last.index() >= kinds.len()) {
                return Err(SkeletonError::NoVariable { hole: number });
            }
            if visible.binary_search(&original).is_err() {
                return Err(SkeletonError::Invisible { hole: number });
            }
            let set = *known.entry(visible).or_insert_with_key(|visible| {
                sets.push(visible.clone());
                sets.len() as u32 - 1
            });
            placed.push((set, original));
        }
        // Two variables see the same holes if they are in the same sets.
        let mut seen: Vec<Vec<u32>> = vec![Vec::new(); kinds.len()];
        for (number, set) in sets.iter().enumerate() {
            set.iter().for_each(|var| seen[var.index()].push(number as u32));
        }
        let mut classes: Vec<Vec<Var>> = Vec::new();
        let mut class_of = Vec::with_capacity(kinds.len());
        let mut classes_known: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
        for (number, (&kind, seen)) in kinds.iter().zip(seen).enumerate() {
            let class = *classes_known.entry((kind, seen)).or_insert_with(|| {
                classes.push(Vec::new());
                classes.len() as u32 - 1
            });
            classes[class as usize].push(Var(number as u32));
            class_of.push(class);
        }
        Ok(Skeleton { variables: kinds.len(), classes, class_of, sets, holes: placed })
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// How many holes there are.
    pub fn holes(&self) -> usize {
        self.holes.len()
    }

    /// The variables that may stand in a hole, by their numbers.
    pub fn visible(&self, hole: usize) -> &[Var] {
        &self.sets[self.set(hole)]
    }

    /// What stands in a hole in the original.
    pub fn original(&self, hole: usize) -> Var {
        self.holes[hole].1
    }

    /// What stands in every hole in the original.
    pub fn originals(&self) -> Vec<Var> {
        self.holes.iter().map(|&(_, original)| original).collect()
    }

    /// The classes of interchangeable variables.
    pub fn classes(&self) -> &[Vec<Var>] {
        &self.classes
    }

    /// The class of a variable.
    pub fn class(&self, var: Var) -> usize {
        self.class_of[var.index()] as usize
    }

    /// The different sets of variables that are visible somewhere.
    pub(crate) fn sets(&self) -> &[Vec<Var>] {
        &self.sets
    }

    /// The set that is visible at a hole.
    pub(crate) fn set(&self, hole: usize) -> usize {
        self.holes[hole].0 as usize
    }
}
