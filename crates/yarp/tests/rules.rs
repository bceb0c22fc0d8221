//! The rules, on all operands of four bits, and on random ones of every width.

use howler_choices::Choices;
use howler_lang::arith::Num;
use howler_lang::program::BinaryOp;
use howler_yarp::rules::{Fix, Form, Operator, Pair, Typed, always, fixes, plain, replaced, rules};

const OPERATORS: [Operator; 8] = [
    Operator::Neg,
    Operator::Binary(BinaryOp::Add),
    Operator::Binary(BinaryOp::Sub),
    Operator::Binary(BinaryOp::Mul),
    Operator::Binary(BinaryOp::Div),
    Operator::Binary(BinaryOp::Rem),
    Operator::Binary(BinaryOp::Shl),
    Operator::Binary(BinaryOp::Shr),
];

fn int(width: u32, signed: bool) -> Num {
    Num::Int { width: width as u8, signed }
}

/// The types that an operator may have: its operands meet, but for shifts.
fn typings(operator: Operator, widths: &[u32]) -> Vec<Typed> {
    let nums: Vec<Num> = widths.iter().flat_map(|&width| [int(width, false), int(width, true)]).collect();
    let mut all = Vec::new();
    for &left in &nums {
        for &right in &nums {
            let shift = matches!(operator, Operator::Binary(BinaryOp::Shl | BinaryOp::Shr));
            if shift || left == right {
                all.push(Typed { left, right });
            }
        }
    }
    all
}

/// Whatever constant is drawn, some rule makes an undefined operation defined.
#[test]
fn every_operation_of_three_and_four_bits_is_mended() {
    let mut undefined = 0;
    for operator in OPERATORS {
        for typed in typings(operator, &[3, 4]) {
            for pair in pairs(typed) {
                if plain(operator, typed, pair).is_ok() {
                    continue;
                }
                undefined += 1;
                for fix in constants(operator, typed, &[pair]) {
                    assert!(
                        replaced(operator, fix, typed, pair).is_ok(),
                        "{operator:?} {typed:?} {pair:?} {fix:?}"
                    );
                }
            }
        }
    }
    assert!(undefined > 500, "{undefined}");
}

/// Every fix for pairs, with every constant that could be drawn for it.
fn constants(operator: Operator, typed: Typed, pairs: &[Pair]) -> Vec<Fix> {
    let mut ranges = Vec::new();
    let found = fixes(operator, typed, pairs, |range| {
        ranges.push(range.clone());
        *range.start()
    });
    assert!(!found.is_empty(), "{operator:?} {typed:?} {pairs:?}");
    let mut ranges = ranges.into_iter();
    let mut all = Vec::new();
    for fix in found {
        match fix.form {
            Form::Moved(_) => {
                let range = ranges.next().expect("a range was asked for");
                all.extend(range.map(|by| Fix { by, ..fix }));
            }
            _ => all.push(fix),
        }
    }
    all
}

/// All operands of an operation.
fn pairs(typed: Typed) -> impl Iterator<Item = Pair> {
    let (left, right) = (1u128 << typed.left.width(), 1u128 << typed.right.width());
    (0..left).flat_map(move |a| (0..right).map(move |b| (a, b)))
}

/// Two pairs at once, as loops have them.
#[test]
fn every_two_pairs_have_a_rule() {
    for operator in OPERATORS {
        for typed in typings(operator, &[3, 4]) {
            for one in pairs(typed) {
                if plain(operator, typed, one).is_ok() {
                    continue;
                }
                for other in pairs(typed).step_by(3) {
                    for fix in fixes(operator, typed, &[one, other], |range| *range.end()) {
                        for pair in [one, other] {
                            assert!(
                                replaced(operator, fix, typed, pair).is_ok(),
                                "{operator:?} {fix:?} {pair:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_last_rule_is_defined_for_all_operands() {
    for operator in OPERATORS {
        let fix = always(operator).unwrap();
        for typed in typings(operator, &[3, 4]) {
            for pair in pairs(typed) {
                assert!(replaced(operator, fix, typed, pair).is_ok(), "{operator:?} {typed:?} {pair:?}");
            }
        }
    }
}

/// Random operands of real widths, half of them near the ends. A soak takes ten million of each width.
#[test]
fn operations_of_all_widths_are_mended() {
    let rounds = if howler_testkit::soak() { 10_000_000 } else { 20_000 };
    let mut choices = Choices::new(4);
    for width in [32u32, 64, 128] {
        let mut undefined = 0;
        let typings: Vec<(Operator, Typed)> = OPERATORS
            .into_iter()
            .flat_map(|operator| {
                typings(operator, &[32, 64, 128]).into_iter().map(move |typed| (operator, typed))
            })
            .filter(|(_, typed)| typed.left.width() == width)
            .collect();
        for _ in 0..rounds {
            let &(operator, typed) = choices.pick("operation", &typings).unwrap();
            let pair = (operand(&mut choices, typed.left), operand(&mut choices, typed.right));
            if plain(operator, typed, pair).is_ok() {
                continue;
            }
            undefined += 1;
            let found = fixes(operator, typed, &[pair], |range| choices.range("constant", range));
            assert!(!found.is_empty(), "{operator:?} {typed:?} {pair:?}");
            let last = always(operator).unwrap();
            assert!(replaced(operator, last, typed, pair).is_ok(), "{operator:?} {typed:?} {pair:?}");
        }
        assert!(undefined > rounds / 20, "{undefined}");
    }
}

fn operand(choices: &mut Choices, num: Num) -> u128 {
    let width = num.width();
    let mask = u128::MAX >> (128 - width);
    match choices.range("kind", 0..=3) {
        0 => choices.bits("small", 4),
        1 => (mask >> 1).wrapping_add(choices.bits("near the middle", 2)) & mask,
        2 => mask - choices.bits("near the end", 4),
        _ => choices.bits("any", width),
    }
}

/// What the printed table says where it is right.
#[test]
fn rules_of_the_paper() {
    let typed = Typed { left: Num::INT, right: Num::INT };
    let (least, minus) = (0x8000_0000, 0xffff_ffff);
    let first = |operator, pair| fixes(operator, typed, &[pair], |range| *range.start())[0];
    let other = |op| Fix { form: Form::Other(op), by: 0 };
    assert_eq!(first(Operator::Neg, (least, 0)).form, Form::Plus);
    assert_eq!(first(Operator::Binary(BinaryOp::Add), (least, minus)), other(BinaryOp::Sub));
    assert_eq!(first(Operator::Binary(BinaryOp::Mul), (least, minus)), other(BinaryOp::Sub));
    assert_eq!(first(Operator::Binary(BinaryOp::Mul), (least, 2)), other(BinaryOp::Div));
    assert_eq!(first(Operator::Binary(BinaryOp::Mul), (minus, least)), other(BinaryOp::Div));
    assert_eq!(first(Operator::Binary(BinaryOp::Div), (5, 0)), other(BinaryOp::Mul));
    assert_eq!(first(Operator::Binary(BinaryOp::Rem), (least, minus)), other(BinaryOp::Sub));
    let shifted = first(Operator::Binary(BinaryOp::Shl), (1, 40));
    assert_eq!((shifted.form, shifted.by), (Form::Moved(BinaryOp::Shl), -40));
    assert!(rules(Operator::Binary(BinaryOp::BitAnd)).is_empty());
}
