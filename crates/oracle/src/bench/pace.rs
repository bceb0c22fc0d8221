//! How long compilers usually take, so that one that does not end costs little.
//!
//! What is recorded never depends on it. A compilation that the shorter limit stopped is done again with the full one,
//! and only what that gives counts; one that ended within the shorter limit would have ended within the full one. So
//! shards with other histories, on other machines, record the same rows.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use howler_toolchain::guard::Limits;

use crate::bench::Configuration;

/// The times of the last compilations of each compiler.
#[derive(Debug, Default)]
pub(super) struct Pace {
    compilers: BTreeMap<String, VecDeque<Duration>>,
}

/// How many times are kept, and with how many one begins to believe them.
const KEPT: usize = 64;
const ENOUGH: usize = 16;
/// One in so many may take longer than what is taken for usual.
const RARE: usize = 16;
/// What is many times longer than usual is probably without end.
const MANY: u32 = 20;

impl Pace {
    /// Takes note of a compilation that ended.
    pub(super) fn note(&mut self, configuration: &Configuration, time: Duration) {
        let times = self.compilers.entry(configuration.configured.compiler.name.clone()).or_default();
        if times.len() == KEPT {
            times.pop_front();
        }
        times.push_back(time);
    }

    /// What a compilation may take before it is looked at twice: between `least` of CPU time and the full limits.
    pub(super) fn limits(&self, configuration: &Configuration, full: &Limits, least: Duration) -> Limits {
        let times = self.compilers.get(&configuration.configured.compiler.name);
        let expected = match times.filter(|times| times.len() >= ENOUGH) {
            Some(times) => usual(times).saturating_mul(MANY),
            None => full.cpu / 4,
        };
        let cpu = expected.max(least).min(full.cpu);
        // A busy machine, or one that has to read the compiler from its disk first, makes wall time longer.
        let wall = cpu.saturating_mul(5) / 2;
        Limits { cpu, wall: wall.min(full.wall), ..*full }
    }
}

/// A time that few of them pass.
fn usual(times: &VecDeque<Duration>) -> Duration {
    let mut sorted: Vec<Duration> = times.iter().copied().collect();
    sorted.sort_unstable();
    sorted.get(sorted.len() - 1 - sorted.len() / RARE).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn few_are_slower_than_usual() {
        let mut times: VecDeque<Duration> = (0..64).map(|number| millis(10 + number)).collect();
        assert_eq!(usual(&times), millis(10 + 59));
        // A few that took very long change nothing.
        times.iter_mut().take(4).for_each(|time| *time = millis(100_000));
        assert!(usual(&times) <= millis(10 + 63));
        assert_eq!(usual(&VecDeque::from([millis(3)])), millis(3));
    }
}
