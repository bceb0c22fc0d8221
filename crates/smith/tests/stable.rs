//! The same seed makes the same bytes, on any machine and however this was built.
//!
//! `HOWLER_BLESS=1` writes the hashes anew: a new version of smith may make other programs, an old line says its version.

use howler_choices::Choices;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::target::Target;
use howler_machine::Machine;
use howler_smith::features::{Feature, Features};
use howler_smith::{Options, judged};

/// FNV-1a of the bytes of 200 programs, one line each.
fn hashes() -> String {
    let hash = |text: &str| {
        text.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    };
    let line = |seed: u64| {
        let mut features = if seed.is_multiple_of(2) { Features::standard() } else { Features::all() };
        if seed.is_multiple_of(5) {
            features = features.with(Feature::Units);
        }
        let options = Options { size: (50, 1500), features, ..Options::default() };
        let made = judged(&options, Target::X86_64_GCC, &Choices::new(seed), &Machine::default());
        let units = 0..made.program.units.len();
        let text: String =
            units.map(|number| unit(&made.program, number, &PrintOptions::default())).collect();
        format!("{seed} {:016x}\n", hash(&text))
    };
    (0..200).map(line).collect()
}

#[test]
fn two_hundred_programs_are_what_they_were() {
    let path = howler_testkit::workspace().join("crates/smith/tests/stable.txt");
    let now = hashes();
    if std::env::var_os("HOWLER_BLESS").is_some() {
        std::fs::write(&path, &now).expect("the folder of the tests can be written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let differ = now.lines().zip(known.lines()).filter(|(now, known)| now != known).count();
    assert!(now == known, "{differ} programs are others: if that is meant, run this with HOWLER_BLESS=1");
}
