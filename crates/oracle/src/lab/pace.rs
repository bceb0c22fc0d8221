//! How long compilers usually take, so that one that does not end costs little.
//!
//! What is recorded never depends on it: a test that takes too long at a glance is left for later, and then compilers get
//! all the time they may take. So shards with other histories, on other machines, record the same rows in the end.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use howler_case::Case;
use howler_toolchain::build::Speed;
use howler_toolchain::guard::Limits;

use crate::classify::Compiled;
use crate::lab::build::{self, Built, Folder};
use crate::lab::{AFTER_HANG, Configuration, Lab, LabError};

/// What compilers took for the last tests of each origin, all configurations of a test together.
#[derive(Debug, Default)]
pub(super) struct Pace {
    origins: BTreeMap<String, VecDeque<Duration>>,
}

/// How many times are kept, and with how many one begins to believe them.
const KEPT: usize = 32;
const ENOUGH: usize = 5;
/// Origins that are kept apart; a hunt has a handful.
const ORIGINS: usize = 1000;
/// What takes as long as so many ordinary tests is left for later.
const MANY: u32 = 10;

impl Pace {
    /// Takes note of a test that was done.
    fn note(&mut self, origin: &str, time: Duration) {
        if self.origins.len() >= ORIGINS && !self.origins.contains_key(origin) {
            self.origins.clear();
        }
        let times = self.origins.entry(origin.to_owned()).or_default();
        if times.len() == KEPT {
            times.pop_front();
        }
        times.push_back(time);
    }

    /// What compilers may take for a test: as much as ten ordinary ones take, but `least` in any case. Of the first tests
    /// nobody knows what is ordinary.
    fn budget(&self, origin: &str, full: &Limits, least: Duration) -> Duration {
        match self.origins.get(origin).filter(|times| times.len() >= ENOUGH) {
            Some(times) => ordinary(times).saturating_mul(MANY).max(least),
            None => full.cpu.max(least),
        }
    }
}

/// The median.
fn ordinary(times: &VecDeque<Duration>) -> Duration {
    let mut sorted: Vec<Duration> = times.iter().copied().collect();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// The limits of a compilation that may take so much of the budget that is left.
fn within(full: &Limits, left: Duration) -> Limits {
    // A busy machine, or one that has to read the compiler from its disk first, makes wall time longer.
    let wall = left.saturating_mul(5) / 2;
    Limits { cpu: left.min(full.cpu), wall: wall.min(full.wall), ..*full }
}

impl Lab {
    /// Builds everything with all the time that compilers may take. Of a compiler that does not end under one
    /// configuration, those after it are not tried: each would cost the whole limit.
    pub(super) fn build_patiently(
        &mut self,
        case: &Case,
        configurations: &[Configuration],
        folders: &[Folder],
    ) -> Result<Vec<Built>, LabError> {
        let mut builds = Vec::with_capacity(configurations.len());
        let mut endless: BTreeSet<&str> = BTreeSet::new();
        for (index, configuration) in configurations.iter().enumerate() {
            let compiler = configuration.configured.compiler.name.as_str();
            if endless.contains(compiler) {
                builds.push(Built::untried(AFTER_HANG));
                continue;
            }
            let built = self.build_one(case, (configurations, folders), index, self.options.compile)?;
            if built.compiled == Compiled::Hang {
                endless.insert(compiler);
            }
            builds.push(built);
        }
        self.pace.note(&case.origin.arm, builds.iter().map(|built| built.cpu).sum());
        Ok(builds)
    }

    /// Builds everything if that takes no longer than ten ordinary tests; otherwise none.
    pub(super) fn build_in_time(
        &mut self,
        case: &Case,
        configurations: &[Configuration],
        folders: &[Folder],
    ) -> Result<Option<Vec<Built>>, LabError> {
        let full = self.options.compile;
        let budget = self.pace.budget(&case.origin.arm, &full, self.options.least);
        let mut left = budget;
        let mut builds = Vec::with_capacity(configurations.len());
        for index in 0..configurations.len() {
            let built = self.build_one(case, (configurations, folders), index, within(&full, left))?;
            left = left.saturating_sub(built.cpu);
            let last = index + 1 == configurations.len();
            // Whether it would have ended, or taken too much memory, the whole limit says.
            if built.compiled == Compiled::Hang || (left.is_zero() && !last) {
                return Ok(None);
            }
            builds.push(built);
        }
        self.pace.note(&case.origin.arm, budget.saturating_sub(left));
        Ok(Some(builds))
    }

    fn build_one(
        &mut self,
        case: &Case,
        (configurations, folders): (&[Configuration], &[Folder]),
        index: usize,
        limits: Limits,
    ) -> Result<Built, LabError> {
        let tools = (&mut self.guard, &mut self.recipes);
        let prefix = format!("program{index}-");
        let mut built = build::all(
            tools,
            case,
            &configurations[index..=index],
            &folders[index..=index],
            &[limits],
            (&prefix, Speed::Fast),
        )?;
        Ok(built.pop().unwrap_or_else(|| Built::untried("nothing ran")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn a_budget_is_ten_ordinary_tests() {
        let full = Limits { cpu: Duration::from_secs(20), ..Limits::default() };
        let mut pace = Pace::default();
        assert_eq!(pace.budget("orange", &full, millis(500)), full.cpu);
        for number in 0..40 {
            pace.note("orange", millis(100 + number));
            pace.note("slow", millis(9000));
        }
        // A few that took very long change nothing.
        pace.note("orange", millis(100_000));
        assert_eq!(pace.budget("orange", &full, millis(500)), millis(1250));
        assert_eq!(pace.budget("orange", &full, millis(5000)), millis(5000));
        assert_eq!(pace.budget("slow", &full, millis(500)), millis(90_000));
        assert_eq!(within(&full, millis(90_000)).cpu, full.cpu);
    }

    #[test]
    fn origins_do_not_grow_without_bound() {
        let mut pace = Pace::default();
        (0..3 * ORIGINS).for_each(|number| pace.note(&number.to_string(), millis(1)));
        assert!(pace.origins.len() <= ORIGINS);
    }
}
