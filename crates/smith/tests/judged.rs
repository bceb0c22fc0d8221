//! Programs of smith keep all rules, are read as they were made, and mean one thing.

use howler_choices::Choices;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::target::Target;
use howler_lang::verify;
use howler_smith::{Options, generate};

#[test]
fn programs_keep_the_rules() {
    for seed in 0..60 {
        let options = Options { size: (50, 3000), ..Options::default() };
        let program = generate(&options, Target::X86_64_GCC, &Choices::new(seed));
        let faults = verify::program(&program);
        assert!(faults.is_empty(), "{seed}: {faults:?}\n{}", unit(&program, 0, &PrintOptions::default()));
    }
}

#[test]
fn the_same_seed_gives_the_same_program() {
    let text = |seed| {
        let program = generate(&Options::default(), Target::X86_64_GCC, &Choices::new(seed));
        unit(&program, 0, &PrintOptions::default())
    };
    assert_eq!(text(7), text(7));
    assert_ne!(text(7), text(8));
}
