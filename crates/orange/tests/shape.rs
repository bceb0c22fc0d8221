//! What generated text looks like: the same from the same seed, read back as the same program, not nested too deep.

use howler_choices::Choices;
use howler_front::parse;
use howler_lang::diag::Severity;
use howler_lang::program::BinaryOp;
use howler_lang::program::Program;
use howler_lang::target::{Arch, Compiler, Target};
use howler_lang::{dump, print};
use howler_orange::{Feature, Features, Op, Options, Repair, Test, generate};

const I386_CLANG: Target = Target { arch: Arch::I386, compiler: Compiler::Clang, ..Target::X86_64_GCC };

fn test(seed: u64, options: &Options) -> Test {
    let target = if seed.is_multiple_of(2) { Target::X86_64_GCC } else { I386_CLANG };
    generate(options, target, &mut Choices::new(seed))
}

/// A new hash here means that every seed ever noted down makes another program now.
#[test]
fn same_seed_same_bytes() {
    let mut hasher = blake3::Hasher::new();
    for seed in 0..20 {
        let options = Options {
            operations: (10, 2_000),
            swarm: seed % 4 == 3,
            files: if seed % 5 == 4 { 2 } else { 0 },
            ..Options::default()
        };
        for (name, text) in test(seed, &options).render() {
            hasher.update(name.as_bytes());
            hasher.update(text.as_bytes());
        }
    }
    assert_eq!(&hasher.finalize().to_hex()[..32], "1ba23b60d96144afbcd18afb2481780d");
}

#[test]
fn the_text_reads_back_as_the_program() {
    for seed in 0..30 {
        let options = Options {
            operations: (10, 1_000),
            features: Features::ALL,
            files: if seed % 5 == 4 { 2 } else { 0 },
            ..Options::default()
        };
        let test = test(seed, &options);
        let made = test.program();
        let mut read = Program::new(test.target);
        for (name, text) in test.render() {
            let report = parse(&mut read, &name, text.as_str().into(), &howler_front::Options::default());
            let bad = report.diagnostics.iter().find(|said| said.severity >= Severity::Unsupported);
            assert!(bad.is_none(), "seed {seed}: {bad:?}");
        }
        howler_lang::link::link(&mut read);
        let (made, read_back) = (dump::program(&made), dump::program(&read));
        if let Some((one, two)) = made.lines().zip(read_back.lines()).find(|(one, two)| one != two) {
            panic!("seed {seed}: {}\n{}", &one[..one.len().min(900)], &two[..two.len().min(900)]);
        }
        let again = print::program(&read, &print::PrintOptions::default());
        assert!(again.iter().eq(test.render().iter().map(|(_, text)| text)), "seed {seed}");
    }
}

/// clang gives up at 256 brackets.
#[test]
fn parentheses_nest_at_most_200_deep() {
    let mut deepest = 0;
    for seed in 0..12 {
        let options = Options {
            operations: (20_000, 20_000),
            expressions: (1, 2),
            depth: 65,
            repair: if seed % 2 == 0 { Repair::Flip } else { Repair::Insert },
            // Few kinds make long chains.
            features: if seed % 3 == 0 { Features::ALL } else { Features::NONE.with(Feature::Unary) },
            ..Options::default()
        };
        let text = test(seed, &options).render().remove(0).1;
        let mut depth = 0i32;
        for byte in text.bytes() {
            depth += i32::from(byte == b'(') - i32::from(byte == b')');
            deepest = deepest.max(depth);
        }
    }
    assert!(deepest <= 200, "{deepest}");
    println!("deepest nesting: {deepest}");
}

#[test]
fn the_right_number_of_operators() {
    for (operators, expressions) in [(1, 1), (1, 300), (10, 30), (300, 1), (10_000, 1)] {
        let options = Options {
            operations: (operators * expressions, operators * expressions),
            operators: (operators, operators),
            expressions: (expressions, expressions),
            ..Options::default()
        };
        options.validate().unwrap();
        let test = test(1, &options);
        assert_eq!(test.statements.len(), expressions as usize);
        let wanted = u64::from(operators * expressions);
        let made = test.stats.operations;
        // What is deeper than the limit is left out.
        assert!(made <= wanted && made * 100 >= wanted * 98, "{made} of {wanted}");
    }
}

#[test]
fn values_stand_after_evaluating_again() {
    for seed in 0..60 {
        let options = Options { operations: (10, 3_000), swarm: seed % 2 == 0, ..Options::default() };
        let test = test(seed, &options);
        let mut again = test.clone();
        again.evaluate().expect("nothing was edited");
        assert!(test.nodes.iter().eq(again.nodes.iter()), "seed {seed}");
        assert_eq!(test.statements, again.statements, "seed {seed}");
    }
}

#[test]
fn a_replay_makes_the_same_test() {
    let options = Options { operations: (200, 200), ..Options::default() };
    let mut first = Choices::recording(5);
    let one = generate(&options, Target::X86_64_GCC, &mut first);
    let mut again = Choices::replay(&first.record().unwrap());
    let two = generate(&options, Target::X86_64_GCC, &mut again);
    assert_eq!(one.render(), two.render());
    assert_eq!((again.divergence(), again.unused()), (None, 0));
}

/// Without fuel every decision is the simplest: still a test, and still right.
#[test]
fn no_fuel_is_a_small_test() {
    let mut choices = Choices::new(5).with_fuel(0);
    let test = generate(&Options::default(), Target::X86_64_GCC, &mut choices);
    assert_eq!(test.statements.len(), 10);
    let mut again = test.clone();
    again.evaluate().unwrap();
}

/// What is left out stays out, however operations are repaired.
#[test]
fn no_repair_brings_in_what_is_left_out() {
    let is = |op: BinaryOp, ops: &[BinaryOp]| ops.contains(&op);
    let division = |op: Op| match op {
        Op::Binary(op) | Op::Assign(Some(op), _) => is(op, &[BinaryOp::Div, BinaryOp::Rem]),
        _ => false,
    };
    let bitwise = |op: Op| match op {
        Op::Binary(op) | Op::Assign(Some(op), _) => {
            is(op, &[BinaryOp::BitAnd, BinaryOp::BitXor, BinaryOp::BitOr])
        }
        _ => false,
    };
    let cases: [(Feature, &dyn Fn(Op) -> bool); 4] = [
        (Feature::Division, &division),
        (Feature::Bitwise, &bitwise),
        (Feature::Cast, &|op| op == Op::Cast),
        (Feature::Unary, &|op| matches!(op, Op::Unary(_))),
    ];
    for (feature, has) in cases {
        for (repair, strict) in [(Repair::Flip, true), (Repair::Insert, true), (Repair::Flip, false)] {
            let mut found = 0;
            for seed in 0..60 {
                let features = Features::ALL.without(feature);
                let options =
                    Options { operations: (10, 2_000), repair, features, strict, ..Options::default() };
                let test = test(seed, &options);
                found += test.nodes.iter().filter(|(_, node)| has(node.op)).count();
                let compound = test.statements.iter().filter_map(|statement| statement.op);
                found += compound.filter(|&op| has(Op::Binary(op))).count();
            }
            // Lines from before make what they made.
            assert_eq!(found == 0, strict, "{feature:?} {repair:?}: {found}");
        }
    }
}
