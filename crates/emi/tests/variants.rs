//! Every variant of every seed is defined and does what its seed does, and compilers agree.

mod common;

use std::collections::BTreeMap;

use common::{TARGET, files, seeds};
use howler_case::{Case, End, Input};
use howler_choices::Choices;
use howler_emi::seed::read;
use howler_emi::{Chain, NoVariant, Options};
use howler_machine::Machine;
use howler_testkit::{Scratch, run, soak, tool};

#[test]
fn variants_do_what_their_seeds_do() {
    let (number, each) = if soak() { (1000, 20) } else { (50, 10) };
    let judge = Machine::default();
    let (mut made, mut none, mut bad) = (0u32, 0u32, 0u32);
    let mut mutations: BTreeMap<&str, u32> = BTreeMap::new();
    for (at, case) in seeds(number).enumerate() {
        let Ok(program) = read(&files(&case), TARGET) else { panic!("{}", case.origin) };
        let choices = Choices::new(at as u64);
        let begun = Chain::new(program, vec![Input::NOTHING], Options::default(), choices, &judge);
        let Ok(mut chain) = begun else {
            bad += 1;
            continue;
        };
        for index in 0..each {
            match chain.variant(index, &judge) {
                Ok(subject) => {
                    made += 1;
                    for mutation in subject.mutations() {
                        *mutations.entry(mutation.strategy).or_default() += 1;
                    }
                    let variant = subject.case(case.origin.clone());
                    if made % 40 == 1 {
                        agree(&variant);
                    }
                }
                Err(NoVariant::Nothing | NoVariant::Long(_)) => none += 1,
                Err(NoVariant::Wrong(wrong)) => {
                    panic!("{} of {}: {}\n{}", index, case.origin, wrong.why, wrong.edits.join("\n"))
                }
            }
        }
    }
    println!("{made} variants, {none} without, {bad} seeds are none: {mutations:?}");
    assert!(u64::from(made) > number * each / 2 && u64::from(bad) * 5 < number);
}

/// Compilers agree with the judge about a variant.
fn agree(case: &Case) {
    let scratch = Scratch::new();
    let expected = case.expected_on(TARGET).expect("it was judged");
    for compiler in ["gcc-12", "clang-16"].into_iter().filter_map(tool) {
        let made = scratch.folder().join("variant");
        let mut args = vec!["-O0".to_owned(), "-w".to_owned(), "-o".to_owned(), made.display().to_string()];
        for file in &case.files {
            let path = scratch.folder().join(&file.name);
            std::fs::write(&path, &file.text).unwrap();
            args.push(path.display().to_string());
        }
        args.push("-lm".to_owned());
        let options = howler_testkit::Options::default();
        let built = run(&compiler, args.iter().map(String::as_str), &options);
        assert!(built.success(), "{}: {}", case.origin, built.stderr_text());
        let output = run(&made, std::iter::empty::<&str>(), &options);
        if let End::Exit(status) = expected.end {
            assert_eq!(output.stdout, expected.output, "{}", case.origin);
            assert_eq!(output.code, Some(i32::from(status)), "{}", case.origin);
        }
    }
}
