//! Which arm advances: the one that yields new signatures for its cost now, without starving any.
//!
//! The choice decides only the order of work, never what a test is: every test stays a function of its arm and index.
//!
//! Cost and yield fade alike, with the processor time of the whole hunt: an arm is judged by what it did lately, and one
//! that was not asked for long is unknown again, so that one that blooms late is seen to. An arm's due is an even part of
//! `EVEN` of the time and a part of the rest by its yield for its cost, both by its weight; the arm furthest behind its due advances. So
//! the order is the same whenever the costs are, and no arm waits for ever.

/// What an arm has cost and given lately.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Yield {
    /// Seconds of processor time, those of long ago counting less.
    pub seconds: f64,
    /// Signatures that it was the first to show, those of long ago counting less.
    pub fresh: f64,
    /// What one of its tests costs, in seconds: lately, on the average.
    pub each: f64,
}

impl Yield {
    /// New signatures for a second, as far as one may hope: what is unknown may have one near. Who counts for more than
    /// others is tried for longer before hope fades.
    fn promise(&self, weight: f64) -> f64 {
        (self.fresh + HOPE * weight) / (self.seconds + HORIZON * weight)
    }

    /// On one line, for the store.
    pub fn text(&self) -> String {
        format!("{:.3} {:.3} {:.3}", self.seconds, self.fresh, self.each)
    }

    /// Reads what [`Yield::text`] wrote.
    pub fn parse(text: &str) -> Option<Yield> {
        let mut numbers = text.split(' ').map(|word| word.parse::<f64>().ok());
        let (seconds, fresh, each) = (numbers.next()??, numbers.next()??, numbers.next()??);
        let known = Yield { seconds, fresh, each };
        (numbers.next().is_none() && known.is_sane()).then_some(known)
    }

    /// Whether it could come from anything but a damaged file.
    fn is_sane(&self) -> bool {
        [self.seconds, self.fresh, self.each].iter().all(|value| value.is_finite() && *value >= 0.0)
    }
}

/// Seconds of the hunt's processor time after which cost and yield count for a third.
const MEMORY: f64 = 3600.0;
/// The signatures that an arm of which nothing is known is hoped to show, and in how many seconds.
const HOPE: f64 = 0.5;
const HORIZON: f64 = 60.0;
/// Part of the time that is shared evenly, whatever the yields.
const EVEN: f64 = 0.2;
/// Part of its former value that the average cost of a test keeps with each test.
const INERTIA: f64 = 0.8;

/// All arms of a hunt.
///
/// ```
/// use howler_campaign::bandit::Bandit;
/// let mut bandit = Bandit::new(2);
/// bandit.ended(0, 10.0, 0);
/// bandit.ended(1, 10.0, 5);
/// assert_eq!(bandit.choose(|_| true), Some(1));
/// assert_eq!(bandit.choose(|arm| arm == 0), Some(0));
/// assert_eq!(bandit.choose(|_| false), None);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Bandit {
    arms: Vec<Yield>,
    /// How many tests of each are under way.
    flying: Vec<u32>,
    /// What each counts for while nothing tells them apart.
    weights: Vec<f64>,
}

impl Bandit {
    /// Arms of which nothing is known, and which count alike.
    pub fn new(arms: usize) -> Bandit {
        Bandit::weighted(vec![1.0; arms])
    }

    /// Arms of which nothing is known, with what each counts for.
    pub fn weighted(weights: Vec<f64>) -> Bandit {
        let arms = weights.len();
        Bandit { arms: vec![Yield::default(); arms], flying: vec![0; arms], weights }
    }

    /// What the arms have cost and given lately.
    pub fn arms(&self) -> &[Yield] {
        &self.arms
    }

    /// Takes over what is known of an arm from an earlier hunt; nonsense is not.
    pub fn remember(&mut self, arm: usize, known: Yield) {
        if let Some(entry) = self.arms.get_mut(arm).filter(|_| known.is_sane()) {
            *entry = known;
        }
    }

    /// A test begins.
    pub fn began(&mut self, arm: usize) {
        self.flying[arm] += 1;
    }

    /// A test, begun or not, is done: what it cost, and how many new signatures it gave.
    pub fn ended(&mut self, arm: usize, seconds: f64, new_signatures: u32) {
        let seconds = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        let kept = (-seconds / MEMORY).exp();
        for known in &mut self.arms {
            known.seconds *= kept;
            known.fresh *= kept;
        }
        let known = &mut self.arms[arm];
        known.seconds += seconds;
        known.fresh += f64::from(new_signatures);
        known.each =
            if known.each > 0.0 { INERTIA * known.each + (1.0 - INERTIA) * seconds } else { seconds };
        self.flying[arm] = self.flying[arm].saturating_sub(1);
    }

    /// Chooses among the arms that have work left. `None` if there is none.
    pub fn choose(&self, has_work: impl Fn(usize) -> bool) -> Option<usize> {
        let open: Vec<usize> = (0..self.arms.len()).filter(|&arm| has_work(arm)).collect();
        // What is under way is spent already: two workers must not both think that an arm is behind.
        let spent = |arm: usize| self.arms[arm].seconds + f64::from(self.flying[arm]) * self.each(arm);
        let all: f64 = open.iter().map(|&arm| spent(arm)).sum();
        // Squared: an arm that gives twice as much for its time gets four times as much of it.
        let base: f64 = open.iter().map(|&arm| self.weights[arm]).sum();
        let relative = |arm: usize| self.weights[arm] * open.len() as f64 / base;
        let weight = |arm: usize| self.weights[arm] * self.arms[arm].promise(relative(arm)).powi(2);
        let weights: f64 = open.iter().map(|&arm| weight(arm)).sum();
        let behind = |&arm: &usize| {
            let due = EVEN * self.weights[arm] / base + (1.0 - EVEN) * weight(arm) / weights;
            due * (all + 1.0) - spent(arm)
        };
        open.iter().copied().max_by(|one, two| behind(one).total_cmp(&behind(two)).then(two.cmp(one)))
    }

    /// What a test of an arm is thought to cost: of one that has done none, what the others' cost.
    fn each(&self, arm: usize) -> f64 {
        if self.arms[arm].each > 0.0 {
            return self.arms[arm].each;
        }
        let known: Vec<f64> = self.arms.iter().map(|other| other.each).filter(|&each| each > 0.0).collect();
        if known.is_empty() { 1.0 } else { known.iter().sum::<f64>() / known.len() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arm_that_has_dried_up_falls_back() {
        let mut bandit = Bandit::new(2);
        bandit.ended(0, 1.0, 20);
        for _ in 0..400 {
            bandit.ended(0, 30.0, 0);
            bandit.ended(1, 30.0, 0);
        }
        assert!(bandit.arms()[0].fresh < 0.1, "{bandit:?}");
    }

    /// Two workers of two arms alike take one each.
    #[test]
    fn tests_under_way_are_counted() {
        let mut bandit = Bandit::new(2);
        let first = bandit.choose(|_| true).unwrap();
        bandit.began(first);
        let second = bandit.choose(|_| true).unwrap();
        assert_ne!(first, second);
        bandit.ended(first, 5.0, 0);
        assert_eq!(bandit.choose(|_| true), Some(second));
    }

    #[test]
    fn a_yield_is_written_and_read() {
        let known = Yield { seconds: 12.5, fresh: 3.25, each: 0.125 };
        assert_eq!(Yield::parse(&known.text()), Some(known));
        for bad in ["", "1 2", "1 2 3 4", "1 2 x", "-1 2 3", "NaN 1 1", "inf 1 1"] {
            assert_eq!(Yield::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn weights_share_the_time_while_nothing_is_found() {
        let mut bandit = Bandit::weighted(vec![3.0, 1.0]);
        let mut spent = [0.0, 0.0];
        for _ in 0..4000 {
            let arm = bandit.choose(|_| true).unwrap();
            let cost = [0.2, 2.0][arm];
            spent[arm] += cost;
            bandit.ended(arm, cost, 0);
        }
        let share = spent[0] / (spent[0] + spent[1]);
        assert!((0.55..0.8).contains(&share), "{share}");
    }

    #[test]
    fn nonsense_is_not_remembered() {
        let mut bandit = Bandit::new(1);
        for seconds in [f64::NAN, f64::INFINITY, -1.0] {
            bandit.remember(0, Yield { seconds, ..Yield::default() });
            bandit.remember(7, Yield::default());
        }
        assert_eq!(bandit, Bandit::new(1));
        bandit.ended(0, f64::NAN, 1);
        assert_eq!(bandit.arms()[0].seconds, 0.0);
    }
}
