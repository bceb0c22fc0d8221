//! What was tested before.

use rustc_hash::FxHashSet;

/// The keys of subjects that were tested, or that were the best once: none of them is worth another test.
#[derive(Default)]
pub struct Cache(FxHashSet<u128>);

/// As many keys are remembered, 32 MiB of them; then all are forgotten, and some things are tested twice.
const MOST: usize = 1 << 20;

impl Cache {
    /// Whether a key is new; from now on it is not.
    pub fn insert(&mut self, key: u128) -> bool {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert(key)
    }
}
