//! Which arm advances: the one that still yields new signatures for its cost, without starving any.
//!
//! The choice decides only the order of work, never what a test is: every test stays a function of its arm and index.

/// What an arm has cost and given so far.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Yield {
    /// Seconds of processor time spent on it.
    pub seconds: f64,
    /// Signatures that it was the first to show, those of long ago counting less.
    pub fresh: f64,
}

impl Yield {
    /// Adds a test. What came before fades, so that an arm is judged by what it does now.
    pub fn add(&mut self, seconds: f64, new_signatures: u32) {
        let kept = (-seconds / MEMORY).exp();
        self.fresh = self.fresh * kept + f64::from(new_signatures);
        self.seconds += seconds;
    }
}

/// Seconds of an arm's own time after which a signature counts for a third.
const MEMORY: f64 = 600.0;

/// Part of the time that is shared evenly, whatever the yields.
const EVEN: f64 = 0.25;

/// Chooses among the arms that have work left. `None` if there is none.
///
/// An arm's due is an even part of [`EVEN`] of the time and a part of the rest by its yield; the arm furthest behind
/// its due advances. So the order is the same whenever the costs are, and no arm waits for ever.
///
/// ```
/// use howler_campaign::bandit::{Yield, choose};
/// let (idle, rich) = (Yield { seconds: 10.0, fresh: 0.0 }, Yield { seconds: 10.0, fresh: 5.0 });
/// assert_eq!(choose(&[(idle, true), (rich, true)]), Some(1));
/// assert_eq!(choose(&[(idle, true), (rich, false)]), Some(0));
/// assert_eq!(choose(&[(idle, false)]), None);
/// ```
pub fn choose(arms: &[(Yield, bool)]) -> Option<usize> {
    let open: Vec<usize> = (0..arms.len()).filter(|&arm| arms[arm].1).collect();
    let spent: f64 = open.iter().map(|&arm| arms[arm].0.seconds).sum();
    // Every arm may still surprise: one signature is assumed to be near.
    let promise = |arm: usize| arms[arm].0.fresh + 1.0;
    let all: f64 = open.iter().map(|&arm| promise(arm)).sum();
    let behind = |&arm: &usize| {
        let due = EVEN / open.len() as f64 + (1.0 - EVEN) * promise(arm) / all;
        due * (spent + 1.0) - arms[arm].0.seconds
    };
    open.iter().copied().max_by(|one, two| behind(one).total_cmp(&behind(two)).then(two.cmp(one)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives each arm its chance of a new signature per second, as a steady yield.
    fn shares(yields: &[f64]) -> Vec<f64> {
        let mut arms = vec![(Yield::default(), true); yields.len()];
        let mut due = vec![0.0; yields.len()];
        for _ in 0..20_000 {
            let arm = choose(&arms).unwrap();
            due[arm] += yields[arm];
            let found = f64::floor(due[arm]);
            due[arm] -= found;
            arms[arm].0.add(1.0, found as u32);
        }
        arms.iter().map(|(arm, _)| arm.seconds / 20_000.0).collect()
    }

    #[test]
    fn no_arm_starves() {
        let shares = shares(&[0.5, 0.0, 0.0, 0.0]);
        assert!(shares.iter().all(|&share| share > 0.05), "{shares:?}");
        assert!(shares[0] > 0.6, "{shares:?}");
    }

    #[test]
    fn equal_arms_share_evenly() {
        let shares = shares(&[0.01; 4]);
        assert!(shares.iter().all(|&share| (0.2..0.3).contains(&share)), "{shares:?}");
    }

    #[test]
    fn an_arm_that_has_dried_up_falls_back() {
        let mut rich = Yield::default();
        rich.add(1.0, 20);
        for _ in 0..100 {
            rich.add(60.0, 0);
        }
        assert!(rich.fresh < 0.01);
    }
}
