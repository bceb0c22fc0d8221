//! A map that forgets what was not asked for lately, so that it does not grow with the length of a hunt.
//!
//! Two generations: what is asked for moves to the young one, and when that is full it becomes the old one, whose own
//! entries are dropped. What is used all the time stays, and what was drawn once goes.

use std::collections::BTreeMap;

/// The map.
#[derive(Debug)]
pub(crate) struct Recent<V> {
    most: usize,
    young: BTreeMap<String, V>,
    old: BTreeMap<String, V>,
}

impl<V: Clone> Recent<V> {
    /// A map that remembers at least the last `most` keys that were used, and at most twice as many.
    pub(crate) fn new(most: usize) -> Recent<V> {
        Recent { most, young: BTreeMap::new(), old: BTreeMap::new() }
    }

    /// What is known of a key.
    pub(crate) fn get(&mut self, key: &str) -> Option<V> {
        if let Some(value) = self.young.get(key) {
            return Some(value.clone());
        }
        let (key, value) = self.old.remove_entry(key)?;
        self.insert(key, value.clone());
        Some(value)
    }

    /// Remembers a value.
    pub(crate) fn insert(&mut self, key: String, value: V) {
        if self.young.len() >= self.most {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_stays_and_the_rest_is_bounded() {
        let mut recent = Recent::new(10);
        recent.insert("-O2".to_owned(), 0);
        for number in 1..1000 {
            recent.insert(format!("-f{number}"), number);
            assert_eq!(recent.get("-O2"), Some(0), "after {number}");
            assert!(recent.young.len() + recent.old.len() <= 20);
        }
        assert_eq!(recent.get("-f999"), Some(999));
        assert_eq!(recent.get("-f1"), None);
    }
}
