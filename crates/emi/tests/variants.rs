//! Every variant of every seed is defined and does what its seed does, and compilers agree.

mod common;

use std::collections::BTreeMap;

use common::{TARGET, files, seeds};
use howler_case::Input;
use howler_choices::Choices;
use howler_emi::seed::read;
use howler_emi::{NoVariant, Options, Subject};
use howler_machine::Machine;
use howler_testkit::soak;

#[test]
fn variants_do_what_their_seeds_do() {
    let (number, each) = if soak() { (1000, 20) } else { (50, 10) };
    let judge = Machine::default();
    let options = Options::default();
    let (mut made, mut none, mut bad) = (0u32, 0u32, 0u32);
    let mut mutations: BTreeMap<&str, u32> = BTreeMap::new();
    for (at, case) in seeds(number).enumerate() {
        let choices = Choices::new(at as u64);
        let Ok(program) = read(&files(&case), TARGET) else { panic!("{}", case.origin) };
        let begin = |index| {
            let mut choices = choices.sub_indexed("seed", index);
            Subject::new(program.clone(), vec![Input::NOTHING], &options, &mut choices, &judge)
        };
        let Ok(mut subject) = begin(0) else {
            bad += 1;
            continue;
        };
        for index in 0..each {
            if index % options.chain == 0 || subject.is_grown() {
                subject = begin(index).expect("it was one before");
            }
            let mut choices = choices.sub_indexed("variant", index);
            let before = subject.mutations().len();
            match subject.mutate(&options, &mut choices, &judge) {
                Ok(next) => {
                    made += 1;
                    for mutation in &next.mutations()[before..] {
                        *mutations.entry(mutation.strategy).or_default() += 1;
                    }
                    subject = next;
                }
                Err(NoVariant::Nothing) => {
                    none += 1;
                    subject = begin(index).expect("it was one before");
                }
                Err(NoVariant::Wrong(wrong)) => {
                    panic!("{} of {}: {}\n{}", index, case.origin, wrong.why, wrong.edits.join("\n"))
                }
            }
        }
    }
    println!("{made} variants, {none} without, {bad} seeds are none: {mutations:?}");
    assert!(u64::from(made) > number * each / 2 && u64::from(bad) * 5 < number);
}
