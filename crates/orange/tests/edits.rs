//! Edits: whatever a minimisation does to a test, the answers that come out are right.

use howler_choices::Choices;
use howler_lang::target::{Arch, Compiler, Target};
use howler_machine::judge::{JudgeOptions, Judgement, judge};
use howler_orange::{Features, Form, NodeId, Options, Simplification, Test, generate, pattern};

fn generated(seed: u64, operations: u32) -> Test {
    let target = match seed % 3 {
        0 => Target::X86_64_GCC,
        1 => Target { arch: Arch::I386, compiler: Compiler::Clang, ..Target::X86_64_GCC },
        _ => Target { compiler: Compiler::Clang, ..Target::X86_64_GCC },
    };
    let options = Options {
        operations: (operations, operations),
        features: Features::ALL,
        files: if seed % 7 == 6 { 2 } else { 0 },
        ..Options::default()
    };
    generate(&options, target, &mut Choices::new(seed))
}

#[track_caller]
fn is_right(test: &Test, why: &str) {
    let expected = test.behaviour();
    match judge(&test.program(), &JudgeOptions { runs: 1, ..JudgeOptions::default() }).judgement {
        Judgement::Defined { behaviour: defined, caveats } if caveats.is_empty() => {
            let output = String::from_utf8_lossy(&defined.output).into_owned();
            let wanted = String::from_utf8_lossy(&expected.output).into_owned();
            assert_eq!((defined.end, output), (expected.end, wanted), "{why}\n{}", test.render()[0].1);
        }
        other => panic!("{why}: {other:?}\n{}", test.render()[0].1),
    }
}

/// Some node of some living expression.
fn some_node(test: &Test, choices: &mut Choices) -> Option<NodeId> {
    let expression = *choices.pick("expression", &test.expressions())?;
    let mut node = test.statements[expression].root;
    while choices.chance("deeper", 3, 4) {
        match choices.pick("operand", &test.operands(node)) {
            Some(&operand) => node = operand,
            None => break,
        }
    }
    Some(node)
}

fn some_edit(test: &Test, choices: &mut Choices) -> (String, Option<Test>) {
    match choices.range("edit", 0..=5u32) {
        0 => {
            let chosen: Vec<usize> =
                test.expressions().into_iter().filter(|_| choices.chance("drop", 1, 4)).collect();
            (format!("without {chosen:?}"), test.without(&chosen))
        }
        1 | 2 => match some_node(test, choices) {
            Some(node) => (format!("folded {node:?}"), test.folded(&[node])),
            None => ("nothing".to_owned(), None),
        },
        3 => match some_node(test, choices) {
            Some(node) => match choices.pick("operand", &test.operands(node)) {
                Some(&operand) => (format!("hoisted {node:?} {operand:?}"), test.hoisted(node, operand)),
                None => ("nothing".to_owned(), None),
            },
            None => ("nothing".to_owned(), None),
        },
        _ => match choices.pick("simplification", &test.simplifications()) {
            Some(step) => (format!("{step:?}"), test.simplified(step)),
            None => ("nothing".to_owned(), None),
        },
    }
}

#[test]
fn edited_tests_have_the_right_answers() {
    let (seeds, edits) = if howler_testkit::soak() { (2_000, 40) } else { (60, 20) };
    let (mut done, mut refused) = (0, 0);
    for seed in 0..seeds {
        let mut test = generated(seed, 30 + seed as u32 % 5 * 40);
        let mut choices = Choices::new(seed).sub("edits");
        for _ in 0..edits {
            let (what, edited) = some_edit(&test, &mut choices);
            match edited {
                Some(edited) => {
                    is_right(&edited, &format!("seed {seed}: {what}"));
                    test = edited;
                    done += 1;
                }
                None => refused += 1,
            }
        }
    }
    println!("{done} edits, {refused} not possible");
    assert!(done > refused);
}

#[test]
fn nothing_is_left_when_everything_is_dropped() {
    let test = generated(3, 100);
    let mut empty = test.without(&test.expressions()).unwrap();
    assert_eq!((empty.expressions(), pattern(&empty)), (Vec::new(), howler_orange::Pattern::default()));
    empty = empty.simplified(&Simplification::Form(Form::Compact)).unwrap();
    assert_eq!(empty.render()[0].1, "int main(void) {\n    return 0;\n}\n");
    assert_eq!(empty.size(), 0);
}

#[test]
fn patterns_do_not_have_values_or_names() {
    let test = generated(0, 40);
    let value = test
        .simplifications()
        .into_iter()
        .filter(|step| matches!(step, Simplification::Value(..)))
        .find_map(|step| test.simplified(&step))
        .expect("some value can be smaller");
    assert_ne!(value.render(), test.render());
    assert_eq!(pattern(&value), pattern(&test));
}
