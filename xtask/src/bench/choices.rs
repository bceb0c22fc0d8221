//! What a decision costs, against SplitMix64, the cheapest published generator of good quality.

use anyhow::Result;
use howler_choices::Choices;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: u64 = 20_000_000;

pub(crate) fn run() -> Result<()> {
    let mut state = 0u64;
    let floor = time(|_| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    });
    let mut choices = Choices::new(1);
    let range = time(|_| choices.range("range", 0..=black_box(99)));
    let chance = time(|_| u64::from(choices.chance("chance", black_box(1), 3)));
    let sub = time(|n| choices.sub_indexed("sub", n).range("range", 0..=black_box(99)));
    println!("{:<28}{:>8}{:>8}", "", "ns", "ratio");
    for (what, cost) in
        [("SplitMix64", floor), ("range", range), ("chance", chance), ("sub_indexed and range", sub)]
    {
        println!("{what:<28}{cost:>8.2}{:>8.2}", cost / floor);
    }
    Ok(())
}

/// Nanoseconds per round.
fn time(mut round: impl FnMut(u64) -> u64) -> f64 {
    let start = Instant::now();
    for n in 0..ROUNDS {
        black_box(round(n));
    }
    start.elapsed().as_secs_f64() * 1e9 / ROUNDS as f64
}
