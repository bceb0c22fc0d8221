//! Each feature shows in programs that have it and in no others, and what floats and loops promise holds.

use howler_case::Id;
use howler_choices::Choices;
use howler_lang::target::Target;
use howler_machine::Machine;
use howler_machine::judge::{JudgeOptions, judge};
use howler_testkit::soak;
use howler_yarp::options::{FEATURES, Feature, Features};
use howler_yarp::{Judged, Options, judged};

fn made(options: &Options, seed: u64) -> Judged {
    let watcher = Machine { runs: 1, ..Machine::default() };
    judged(options, Target::X86_64_GCC, &Choices::new(seed), (&watcher, &Machine::default()))
}

/// What is in the text of a program of the feature, and only there.
const MARKS: [(Feature, &[&str]); 15] = [
    (Feature::Floats, &["float ", "double "]),
    (Feature::Vectors, &["vector_size"]),
    (Feature::Shuffles, &["__builtin_shufflevector"]),
    (Feature::Calls, &[" h"]),
    (Feature::Kernels, &["void k"]),
    (Feature::Enums, &["enum "]),
    (Feature::Walks, &[" *w"]),
    (Feature::Switch, &["switch ("]),
    (Feature::Memory, &["    memcpy(", "    memmove(", "    memset("]),
    (Feature::Heap, &["= (int *)malloc", ")malloc(", ")calloc("]),
    (Feature::Zeros, &["zero"]),
    (Feature::Hints, &["#pragma "]),
    (Feature::Int128, &["__int128"]),
    (Feature::Bitfields, &["m0 : ", "m1 : ", "m2 : "]),
    (Feature::Loops, &["    for (unsigned i", "    for (long i", "    for (short i"]),
];

#[test]
fn features_show_where_they_are_on_and_nowhere_else() {
    for (feature, marks) in MARKS {
        let name = FEATURES[feature as usize].name;
        let on = Options { swarm: false, size: (1500, 3000), ..Options::default() };
        let off = Options { features: on.features.without(feature), ..on.clone() };
        // Whether a text has what calls look like depends on names: those of heap arrays begin in the same way.
        let off = match feature {
            Feature::Calls => Options { features: off.features.without(Feature::Heap), ..off },
            _ => off,
        };
        let has = |options: &Options, seed| {
            let text = howler_lang::print::unit(
                &howler_yarp::generate(options, Target::X86_64_GCC, &Choices::new(seed)),
                0,
                &Default::default(),
            );
            // Hints are beside the program.
            let text = if feature == Feature::Hints { made(options, seed).text(0) } else { text };
            let body = text.replace("hash(", "");
            marks.iter().any(|mark| body.contains(mark))
        };
        assert!((0..12).any(|seed| has(&on, seed)), "{name} shows nowhere");
        if feature != Feature::Memory && feature != Feature::Shuffles {
            assert!(!(0..6).any(|seed| has(&off, seed)), "{name} shows though it is off");
        }
    }
}

#[test]
fn files_are_apart_if_somebody_asks() {
    let features = Features::usual().with(Feature::Units);
    let options = Options { features, swarm: false, size: (400, 900), ..Options::default() };
    for seed in 0..12 {
        let apart = made(&options, seed);
        assert!(apart.behaviour.is_some(), "{seed}");
        assert!(apart.program.units.len() > 1, "{seed}");
        assert!(apart.text(0).contains("int main(void)") && !apart.text(0).contains("void test_0(void) {"));
        let together = made(&Options { features: Features::usual(), ..options.clone() }, seed);
        assert_eq!(apart.behaviour, together.behaviour, "{seed}");
    }
}

/// No product of floats may be contracted into another result, for all are exact.
#[test]
fn floats_are_exact_whoever_contracts() {
    let mut features = Features::usual();
    for info in &FEATURES {
        if ["int128", "vectors", "pointers", "structs"].contains(&info.name) {
            features = features.without(info.feature);
        }
    }
    let weights = ["float=200", "double=200", "ldouble=60"];
    let changes: Vec<_> = weights
        .iter()
        .flat_map(|word| {
            let (item, weight) = word.split_once('=').unwrap();
            ["type", "cast"].map(|row| howler_case::options::Change {
                row: row.to_owned(),
                item: item.to_owned(),
                weight: weight.parse().unwrap(),
            })
        })
        .collect();
    let weights = howler_yarp::Parameters::changed(&changes).unwrap();
    let options = Options { features, weights, swarm: false, size: (300, 900), ..Options::default() };
    let count = if soak() { 2000 } else { 40 };
    let mut contracted = JudgeOptions { runs: 2, ..JudgeOptions::default() };
    contracted.limits.contract = true;
    let mut products = 0;
    for seed in 0..count {
        let made = made(&options, seed);
        let judged = judge(&made.program, &contracted);
        assert_eq!(judged.judgement.defined(), made.behaviour.as_ref(), "{seed}\n{}", made.text(0));
        products += made.text(0).matches(" * ").count();
    }
    assert!(products > 200, "{products}");
}

/// The same seed means the same program everywhere, and a change of that is seen. `HOWLER_BLESS=1` prints what there is.
#[test]
fn twenty_seeds_have_the_text_they_had() {
    let mut all = String::new();
    for seed in 0..20 {
        let options = Options { size: (150, 900), ..Options::default() };
        let made = made(&options, seed);
        all += &made.text(0);
    }
    let id = Id::of(all.as_bytes()).to_string();
    if std::env::var_os("HOWLER_BLESS").is_some() {
        println!("{id}");
        return;
    }
    assert_eq!(id, GOLDEN);
}

const GOLDEN: &str = "aca94019244f4e98545c29b25d460dbb";
