//! Which parts of an initialiser list are given again later: such an initialiser need not be evaluated at all
//! (C17 6.7.9p19).

use super::{Lower, Lowerer};
use howler_lang::program::{Init, InitEntry};
use rustc_hash::FxHashMap;

/// More entries than this that go into parts given before are not looked at.
const MOST_UPDATES: usize = 4096;

/// What the entries of a list do to those before them.
#[derive(Default)]
pub(super) struct Cover {
    /// Whether any entry may do something to another.
    active: bool,
    /// Where each element or member is last given as a whole.
    last: FxHashMap<u64, usize>,
    /// The same for ranges of elements: position, first and last.
    ranges: Vec<(usize, u64, u64)>,
    /// Entries that change a part of an element or member.
    updates: FxHashMap<u64, Vec<usize>>,
    /// In a union, entries before this one are given up.
    union_from: usize,
    /// All entries, those that come after the list included.
    entries: Vec<InitEntry>,
}

impl Cover {
    /// Whether the part with this index is given again after entry number `at`.
    pub fn is_covered(&self, at: usize, index: u64) -> bool {
        self.active
            && (self.last.get(&index).is_some_and(|&last| last > at)
                || at < self.union_from
                || self.ranges.iter().any(|&(by, low, high)| by > at && low <= index && index <= high))
    }
}

impl Lowerer<'_> {
    /// Looks at a list and at the entries that come after it and go into the same part.
    pub(super) fn cover(&self, entries: &[InitEntry], later: &[InitEntry], union: bool) -> Lower<Cover> {
        let rising = entries.windows(2).all(|pair| pair[0].last < pair[1].index);
        let alone = rising && !(union && entries.len() > 1);
        if !self.f.covering || alone && later.is_empty() {
            return Ok(Cover::default());
        }
        let mut cover = Cover { active: true, entries: [entries, later].concat(), ..Cover::default() };
        let mut updates = 0;
        for (at, entry) in cover.entries.iter().enumerate() {
            let update = matches!(self.program.inits[entry.init], Init::Update(_));
            updates += usize::from(update || entry.index != entry.last);
            match (update, entry.index == entry.last) {
                (true, true) => cover.updates.entry(entry.index).or_default().push(at),
                (false, true) => {
                    cover.last.insert(entry.index, at);
                }
                (false, false) => cover.ranges.push((at, entry.index, entry.last)),
                (true, false) if self.f.init_group.is_some() => {
                    return self
                        .refuse("a range of designators into parts whose expressions depend on each other");
                }
                (true, false) => {}
            }
        }
        if updates > MOST_UPDATES {
            return self.refuse("an initialiser with thousands of parts that are given again");
        }
        if union {
            let mut from = cover.entries.len().saturating_sub(1);
            while from > 0
                && matches!(self.program.inits[cover.entries[from].init], Init::Update(_))
                && cover.entries[from].index == cover.entries[from - 1].index
            {
                from -= 1;
            }
            cover.union_from = from;
        }
        Ok(cover)
    }

    /// The entries that change parts of what entry number `at` gives.
    pub(super) fn changed_later(&self, cover: &Cover, at: usize) -> Lower<Vec<InitEntry>> {
        let mut found = Vec::new();
        let Some(entry) = cover.entries.get(at) else { return Ok(found) };
        if entry.index != entry.last {
            let inside = |index: &u64| entry.index <= *index && *index <= entry.last;
            if self.f.init_group.is_some() && cover.updates.keys().any(inside) {
                return self.refuse("a designator into a range whose expressions depend on each other");
            }
            return Ok(found);
        }
        for &by in cover.updates.get(&entry.index).into_iter().flatten().filter(|&&by| by > at) {
            if let Init::Update(list) = self.program.inits[cover.entries[by].init] {
                found.extend(self.program.init_entries(list));
            }
        }
        Ok(found)
    }
}
