//! Sets of what a pointer may point to, or of which members a union may hold: each is kept once, and what two make
//! together is remembered.

use rustc_hash::FxHashMap as HashMap;

use crate::place::Part;

/// What a pointer may point to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Target(u32);

impl Target {
    /// Nothing: it is null.
    pub(crate) const NULL: Target = Target(0);
    /// What is no more: it may not even be read.
    pub(crate) const GARBAGE: Target = Target(1);

    /// A member of a union, by its place among those with names.
    pub(crate) fn member(at: u32) -> Target {
        Target(2 + at.min(MEMBERS - 1))
    }

    pub(crate) fn as_member(self) -> Option<u32> {
        self.0.checked_sub(2).filter(|&at| at < MEMBERS)
    }

    pub(crate) fn part(part: Part) -> Target {
        Target(part.0 + 2 + MEMBERS)
    }

    pub(crate) fn as_part(self) -> Option<Part> {
        self.0.checked_sub(2 + MEMBERS).map(Part)
    }
}

/// Members that a union may have.
const MEMBERS: u32 = 64;

/// A set of targets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Set(u32);

/// All sets there are.
pub(crate) struct Sets {
    all: Vec<Box<[Target]>>,
    known: HashMap<Box<[Target]>, Set>,
    unions: HashMap<(Set, Set), Set>,
}

impl Sets {
    pub(crate) fn new() -> Sets {
        let mut sets = Sets { all: Vec::new(), known: HashMap::default(), unions: HashMap::default() };
        sets.of(&[]);
        sets.of(&[Target::NULL]);
        sets
    }

    /// Nothing at all: no execution gets here.
    pub(crate) const NONE: Set = Set(0);
    pub(crate) const NULL: Set = Set(1);

    pub(crate) fn of(&mut self, sorted: &[Target]) -> Set {
        if let Some(&known) = self.known.get(sorted) {
            return known;
        }
        let set = Set(self.all.len() as u32);
        self.all.push(sorted.into());
        self.known.insert(sorted.into(), set);
        set
    }

    pub(crate) fn one(&mut self, part: Part) -> Set {
        self.of(&[Target::part(part)])
    }

    /// The set of a union that holds this member.
    pub(crate) fn member(&mut self, at: u32) -> Set {
        self.of(&[Target::member(at)])
    }

    /// The only member that a union may hold.
    pub(crate) fn only_member(&self, set: Set) -> Option<u32> {
        match self.targets(set) {
            [one] => one.as_member(),
            _ => None,
        }
    }

    pub(crate) fn targets(&self, set: Set) -> &[Target] {
        &self.all[set.0 as usize]
    }

    /// The parts among the targets.
    pub(crate) fn parts(&self, set: Set) -> impl Iterator<Item = Part> + '_ {
        self.targets(set).iter().filter_map(|target| target.as_part())
    }

    pub(crate) fn has(&self, set: Set, target: Target) -> bool {
        self.targets(set).binary_search(&target).is_ok()
    }

    /// Whether it may be dereferenced: it points to something, and neither nowhere nor to what is no more.
    pub(crate) fn is_sound(&self, set: Set) -> bool {
        self.targets(set).first().is_some_and(|&first| first > Target::GARBAGE)
    }

    pub(crate) fn union(&mut self, one: Set, two: Set) -> Set {
        if one == two || two == Sets::NONE {
            return one;
        }
        if one == Sets::NONE {
            return two;
        }
        let key = (one.min(two), one.max(two));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let mut all: Vec<Target> = self.targets(one).iter().chain(self.targets(two)).copied().collect();
        all.sort_unstable();
        all.dedup();
        let set = self.of(&all);
        self.unions.insert(key, set);
        set
    }

    /// What is in both.
    pub(crate) fn common(&mut self, one: Set, two: Set) -> Set {
        if one == two {
            return one;
        }
        let both: Vec<Target> =
            self.targets(one).iter().copied().filter(|&target| self.has(two, target)).collect();
        self.of(&both)
    }

    pub(crate) fn is_below(&mut self, one: Set, two: Set) -> bool {
        self.union(one, two) == two
    }

    /// The set after the end of what `dead` says: that is garbage now.
    pub(crate) fn buried(&mut self, set: Set, dead: impl Fn(Part) -> bool) -> Set {
        if !self.parts(set).any(&dead) {
            return set;
        }
        let mut left: Vec<Target> = vec![Target::GARBAGE];
        let alive = |target: &&Target| !target.as_part().is_some_and(&dead) && **target != Target::GARBAGE;
        left.extend(self.targets(set).iter().filter(alive));
        left.sort_unstable();
        self.of(&left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_kept_once() {
        let mut sets = Sets::new();
        let (a, b) = (sets.one(Part(4)), sets.one(Part(7)));
        let both = sets.union(a, b);
        assert_eq!(both, sets.union(b, a));
        assert!(sets.is_below(a, both) && !sets.is_below(both, a));
        assert!(sets.is_sound(both) && !sets.is_sound(Sets::NULL) && !sets.is_sound(Sets::NONE));
        let with_null = sets.union(both, Sets::NULL);
        assert!(!sets.is_sound(with_null) && sets.has(with_null, Target::NULL));
        let buried = sets.buried(with_null, |part| part == Part(4));
        assert!(sets.has(buried, Target::GARBAGE) && sets.parts(buried).eq([Part(7)]));
        assert_eq!(sets.buried(b, |part| part == Part(4)), b);
    }
}
