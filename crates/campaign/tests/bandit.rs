//! The bandit on arms whose yields are known: how much of what could be had it gets.

use howler_campaign::bandit::Bandit;

/// An arm: what a test costs, and the chance of a new signature in a second of its own time, by the hunt's time and what it
/// has given so far.
struct Arm {
    each: f64,
    rate: fn(now: f64, given: f64) -> f64,
}

/// What each arm got of the time and gave.
struct Ran {
    shares: Vec<f64>,
    given: Vec<f64>,
}

const HOURS: f64 = 4.0 * 3600.0;

/// Lets `choose` share out the time. Signatures come when a whole one is due: no chance, so that a run is the same each time.
fn simulate(arms: &[Arm], choose: &mut dyn FnMut(&Bandit) -> usize) -> Ran {
    let mut bandit = Bandit::new(arms.len());
    let (mut now, mut seconds, mut due) = (0.0, vec![0.0; arms.len()], vec![0.0; arms.len()]);
    let mut given = vec![0.0; arms.len()];
    while now < HOURS {
        let arm = choose(&bandit);
        bandit.began(arm);
        let each = arms[arm].each;
        due[arm] += (arms[arm].rate)(now, given[arm]) * each;
        let found = f64::floor(due[arm]);
        due[arm] -= found;
        given[arm] += found;
        seconds[arm] += each;
        now += each;
        bandit.ended(arm, each, found as u32);
    }
    Ran { shares: seconds.iter().map(|seconds| seconds / now).collect(), given }
}

fn steady(rate: fn(f64, f64) -> f64) -> Arm {
    Arm { each: 1.0, rate }
}

fn barren() -> Arm {
    steady(|_, _| 0.0)
}

/// A scenario with the part of the best in hindsight (the best arm alone, or all arms in turn) that is got at least.
struct Scene {
    name: &'static str,
    arms: Vec<Arm>,
    least: f64,
}

fn scenes() -> Vec<Scene> {
    let scene = |name, arms, least| Scene { name, arms, least };
    // A pool of bugs of which the easy ones are found first: the rate falls with what was given.
    fn drying(rate: f64, pool: f64, given: f64) -> f64 {
        rate * (1.0 - given / pool).max(0.0)
    }
    vec![
        scene("one steady, three barren", vec![barren(), steady(|_, _| 0.01), barren(), barren()], 0.7),
        scene(
            "steady: 20, 10, 5 and 1 an hour",
            vec![
                steady(|_, _| 20.0 / 3600.0),
                steady(|_, _| 10.0 / 3600.0),
                steady(|_, _| 5.0 / 3600.0),
                steady(|_, _| 1.0 / 3600.0),
            ],
            0.62,
        ),
        scene(
            "steady, tests of 0.2, 1 and 20 seconds",
            vec![
                Arm { each: 0.2, rate: |_, _| 0.002 },
                Arm { each: 1.0, rate: |_, _| 0.002 },
                Arm { each: 20.0, rate: |_, _| 0.02 },
            ],
            0.78,
        ),
        scene(
            "late: the last begins after two hours, another gave all the while",
            vec![
                steady(|_, _| 0.003),
                barren(),
                barren(),
                steady(|now, _| if now < HOURS / 2.0 { 0.0 } else { 0.03 }),
            ],
            0.9,
        ),
        scene(
            "late: nothing for three hours, then one",
            vec![barren(), barren(), barren(), steady(|now, _| if now < HOURS * 0.75 { 0.0 } else { 0.02 })],
            0.88,
        ),
        scene(
            "drying: 60 bugs, 30 bugs, 10 bugs",
            vec![
                steady(|_, given| drying(0.05, 60.0, given)),
                steady(|_, given| drying(0.02, 30.0, given)),
                steady(|_, given| drying(0.01, 10.0, given)),
            ],
            0.95,
        ),
        scene(
            "drying beside steady",
            vec![steady(|_, given| drying(0.1, 40.0, given)), steady(|_, _| 0.004), barren(), barren()],
            1.0,
        ),
    ]
}

#[test]
fn the_best_in_hindsight() {
    println!("| arms | given | best arm alone | all in turn | of the best | shares |");
    println!("|---|---|---|---|---|---|");
    let mut failed = Vec::new();
    for scene in scenes() {
        let arms = &scene.arms;
        let total = |ran: &Ran| ran.given.iter().sum::<f64>();
        let ran = simulate(arms, &mut |bandit| bandit.choose(|_| true).unwrap());
        let alone = (0..arms.len()).map(|arm| total(&simulate(arms, &mut |_| arm))).fold(0.0, f64::max);
        // Who has done least of the time comes next.
        let mut spent = vec![0.0; arms.len()];
        let even = total(&simulate(arms, &mut |_| {
            let arm = (0..arms.len()).min_by(|&a, &b| f64::total_cmp(&spent[a], &spent[b])).unwrap();
            spent[arm] += arms[arm].each;
            arm
        }));
        let (got, best) = (total(&ran), alone.max(even));
        let shares: Vec<String> = ran.shares.iter().map(|share| format!("{:.0} %", 100.0 * share)).collect();
        println!("| {} | {got} | {alone} | {even} | {:.2} | {} |", scene.name, got / best, shares.join(", "));
        if got < scene.least * best || ran.shares.iter().any(|&share| share < 0.03) {
            failed.push(scene.name);
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn arms_alike_share_evenly() {
    for count in [2, 3, 5] {
        let arms: Vec<Arm> = (0..count).map(|_| steady(|_, _| 0.001)).collect();
        let ran = simulate(&arms, &mut |bandit| bandit.choose(|_| true).unwrap());
        let even = 1.0 / f64::from(count);
        assert!(ran.shares.iter().all(|share| (0.7 * even..1.3 * even).contains(share)), "{:?}", ran.shares);
    }
}
