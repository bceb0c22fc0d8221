//! Table 6 of the paper: how many operations are inserted to avoid undefined behaviour, by insertion only and with
//! flipping. Prints the table and checks its shape; `HOWLER_SOAK=1` takes more programs.

use howler_choices::Choices;
use howler_lang::target::Target;
use howler_orange::{Feature, Features, Options, Repair, generate};

/// The means per program of what was inserted, flipped, cut and made; then of what was inserted because of overflows,
/// divisors, counts of shifts, and values shifted left.
fn means(repair: Repair, features: Features, operations: u32, programs: u64) -> [f64; 8] {
    let options = Options { operations: (operations, operations), features, repair, ..Options::default() };
    let mut sums = [0u64; 8];
    for seed in 0..programs {
        let stats = generate(&options, Target::X86_64_GCC, &mut Choices::new(seed)).stats;
        let counts = [
            stats.inserted,
            stats.flipped,
            stats.cuts,
            stats.operations,
            stats.overflows,
            stats.divisors,
            stats.counts,
            stats.shifted,
        ];
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    sums.map(|sum| sum as f64 / programs as f64)
}

#[test]
fn flipping_spares_insertions_as_in_the_paper() {
    let paper = [(10, 0.38, 0.22), (100, 5.07, 3.02), (1_000, 49.51, 30.77)];
    let scale = if howler_testkit::soak() { 20 } else { 1 };
    println!("| operations | inserted | paper | with flipping | paper | flipped | cut |");
    for (operations, insert, flip) in paper {
        let programs = scale * 20_000 / u64::from(operations);
        let [inserted, _, cut, made, causes @ ..] =
            means(Repair::Insert, Features::PAPER, operations, programs);
        let [kept, flipped, cut_too, _, causes_too @ ..] =
            means(Repair::Flip, Features::PAPER, operations, programs);
        let cuts = cut + cut_too;
        println!(
            "| {operations} | {inserted:.2} | {insert} | {kept:.2} | {flip} | {flipped:.2} | {cuts:.3} |"
        );
        println!("  overflow, divisor, count, shifted: {causes:.2?}; with flipping {causes_too:.2?}");
        assert!(made > f64::from(operations) * 0.9);
        assert!(kept < inserted && inserted < f64::from(operations) * 0.2);
        // An overflow is always flipped, a divisor often; nothing else can be.
        assert!(causes[0] > 0.0 && causes_too[0] == 0.0, "{causes:?} {causes_too:?}");
        assert!(causes_too[1] < causes[1] * 0.9, "{causes:?} {causes_too:?}");
        // More than the paper's, by shifts, but of its size: the seeds are fixed, so this is no matter of luck.
        assert!((1.0..2.5).contains(&(inserted / insert)), "{inserted} for {insert}");
        assert!(cuts < 0.1 && flipped > 0.0, "{cuts} cut, {flipped} flipped");
    }
    // What shifts have to do with it: values are drawn by length, so most are no possible count.
    let features = Features::PAPER.without(Feature::Shift);
    let [inserted, kept] =
        [Repair::Insert, Repair::Flip].map(|repair| means(repair, features, 1_000, scale * 20)[0]);
    println!("without shifts, 1,000 operations: {inserted:.2} inserted, {kept:.2} with flipping");
    // Without them flipping spares what it spares in the paper.
    let (spared, paper) = (kept / inserted, 30.77 / 49.51);
    assert!((spared - paper).abs() < 0.1, "{spared} for {paper}");
}
