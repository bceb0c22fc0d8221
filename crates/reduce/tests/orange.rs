//! The minimisation on tests of orange, with faults that are simulated: how many runs it takes, and how small it gets.

use howler_choices::Choices;
use howler_lang::program::{BinaryOp, ExprId, ExprKind};
use howler_lang::target::Target;
use howler_lang::ty::Type;
use howler_machine::outcome::Outcome;
use howler_machine::{RunOptions, run};
use howler_orange::{NodeId, Op, Options as Generation, Simplification, Test, Ty, generate, pattern};
use howler_reduce::expressions::{Log, Options, Phase, Subject, minimise};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};

/// A test of orange as a subject.
#[derive(Clone)]
struct Orange(Test);

impl Subject for Orange {
    type Node = NodeId;
    type Step = Simplification;

    fn expressions(&self) -> Vec<usize> {
        self.0.expressions()
    }
    fn without(&self, expressions: &[usize]) -> Option<Orange> {
        self.0.without(expressions).map(Orange)
    }
    fn root(&self, expression: usize) -> Option<NodeId> {
        self.0.root(expression)
    }
    fn operands(&self, node: NodeId) -> Vec<NodeId> {
        self.0.operands(node)
    }
    fn folded(&self, node: NodeId) -> Option<Orange> {
        self.0.folded(&[node]).map(Orange)
    }
    fn hoisted(&self, node: NodeId, operand: NodeId) -> Option<Orange> {
        self.0.hoisted(node, operand).map(Orange)
    }
    fn steps(&self) -> Vec<Simplification> {
        self.0.simplifications()
    }
    fn simplified(&self, step: &Simplification) -> Option<Orange> {
        self.0.simplified(step).map(Orange)
    }
    fn size(&self) -> usize {
        self.0.size()
    }
    fn fingerprint(&self) -> u128 {
        let mut hasher = DefaultHasher::new();
        self.0.render().hash(&mut hasher);
        u128::from(hasher.finish())
    }
}

fn generated(seed: u64, operators: u32, expressions: u32) -> Test {
    let operations = operators * expressions;
    let options = Generation {
        operations: (operations, operations),
        operators: (operators, operators),
        expressions: (expressions, expressions),
        ..Generation::default()
    };
    options.validate().unwrap();
    generate(&options, Target::X86_64_GCC, &mut Choices::new(seed))
}

/// A compiler that is wrong at every level: it computes `0` for a `long long` shifted right by a `short`. Its program is
/// what the machine runs, and something wrong must come out.
fn miscompiled(test: &Test) -> bool {
    let mut program = test.program();
    let exprs = &program.exprs;
    let is_short =
        |id: ExprId| matches!(exprs[id].kind, ExprKind::Convert(_, of) if exprs[of].ty == Type::SHORT);
    let wrong: Vec<(ExprId, ExprId)> = exprs
        .iter()
        .filter_map(|(id, expr)| match expr.kind {
            ExprKind::Binary(BinaryOp::Shr, left, right) if expr.ty == Type::LLONG && is_short(right) => {
                Some((id, left))
            }
            _ => None,
        })
        .collect();
    for &(id, left) in &wrong {
        program.exprs.unchecked()[id].kind = ExprKind::Binary(BinaryOp::BitXor, left, left);
    }
    !wrong.is_empty() && run(&program, &RunOptions::default()).outcome != Outcome::Exit(0)
}

/// The nodes that living expressions have.
fn nodes(test: &Test) -> Vec<NodeId> {
    let mut open: Vec<NodeId> =
        test.expressions().into_iter().map(|index| test.statements[index].root).collect();
    let mut next = 0;
    while let Some(&id) = open.get(next) {
        open.extend(test.operands(id));
        next += 1;
    }
    open
}

/// A compiler that gets one thing wrong: this operator on operands of these types, the first of which is negative.
fn has_pattern(test: &Test, op: BinaryOp, left: Ty, right: Ty) -> bool {
    nodes(test).into_iter().any(|id| {
        let node = &test.nodes[id];
        let operands = test.operands(id);
        node.op == Op::Binary(op)
            && test.nodes[operands[0]].ty == left
            && test.nodes[operands[1]].ty == right
            && test.nodes[operands[0]].value >> 63 & 1 == 1
    })
}

fn lines(test: &Test) -> usize {
    let text = test.render().remove(0).1;
    text.lines().filter(|line| !line.trim().is_empty()).count()
}

fn report(what: &str, test: &Test, log: &Log) {
    let phases: Vec<u64> = Phase::ALL.into_iter().map(|phase| log.by_phase[phase as usize]).collect();
    let before = log.progress.first().map_or(0, |&(_, size)| size);
    println!("| {what} | {before} | {} | {:?} | {} | {} |", log.runs, phases, test.size(), lines(test));
}

/// The curve of runs against the number of expressions. A wrong result that shows is followed to one expression, the
/// expression to one operator.
#[test]
fn an_error_among_10_000_expressions_takes_200_runs_at_most() {
    println!("| expressions | nodes | runs | by phase | nodes left | lines |");
    for expressions in [10, 100, 1_000, 10_000] {
        let seeds = if howler_testkit::soak() { 10 } else { if expressions == 10_000 { 1 } else { 3 } };
        for seed in 0..seeds {
            // The first seed from here on in which the fault shows.
            let test = (seed * 1000..)
                .map(|seed| generated(seed, 10, expressions))
                .find(miscompiled)
                .expect("some test has such a shift");
            let (small, log) = minimise(Orange(test), |subject| miscompiled(&subject.0), &Options::default());
            report(&format!("{expressions}, wrong shift"), &small.0, &log);
            assert!(log.reproduced && log.finished && log.runs <= 200, "{log:?}");
            assert!(lines(&small.0) <= 8, "{}", small.0.render()[0].1);
            assert_eq!(small.0.expressions().len(), 1, "{}", pattern(&small.0).text());
            assert!(miscompiled(&small.0));
            if expressions == 10_000 {
                println!("{}// {}", small.0.render()[0].1, pattern(&small.0).text());
            }
        }
    }
}

#[test]
fn a_pattern_in_long_expressions_is_isolated() {
    println!("| operators | nodes | runs | by phase | nodes left | lines |");
    for operators in [10, 100, 1_000, 10_000] {
        let fault = |test: &Test| has_pattern(test, BinaryOp::Mul, Ty::LLONG, Ty::INT);
        let test = (0..)
            .map(|seed| generated(seed, operators, 20_000 / operators.max(100)))
            .find(fault)
            .expect("some test has it");
        let (small, log) = minimise(Orange(test), |subject| fault(&subject.0), &Options::default());
        report(&format!("{operators}, a pattern"), &small.0, &log);
        assert!(log.finished && log.runs <= 300, "{log:?}");
        let found = pattern(&small.0).text();
        assert!(found.contains("i64 computed"), "{found}");
    }
}

#[test]
fn the_same_pattern_from_different_tests() {
    let fault = |test: &Test| has_pattern(test, BinaryOp::Sub, Ty::LONG, Ty::INT);
    let found: Vec<howler_orange::Pattern> = (0..40)
        .map(|seed| generated(seed, 20, 20))
        .filter(fault)
        .take(5)
        .map(|test| pattern(&minimise(Orange(test), |subject| fault(&subject.0), &Options::default()).0.0))
        .collect();
    assert!(found.len() > 2);
    assert!(found.iter().all(|pattern| *pattern == found[0]), "{found:#?}");
}

#[test]
fn what_does_not_fail_is_returned_as_it_is() {
    let test = generated(1, 5, 5);
    let (same, log) = minimise(Orange(test.clone()), |_| false, &Options::default());
    assert_eq!(same.0.render(), test.render());
    assert_eq!((log.reproduced, log.finished, log.runs), (false, false, 1));
}

#[test]
fn a_limit_or_a_stop_keeps_the_best_so_far() {
    let test = generated(1, 5, 40);
    let size = test.size();
    let (small, log) = minimise(
        Orange(test.clone()),
        |subject| !nodes(&subject.0).is_empty(),
        &Options { runs: 4, ..Options::default() },
    );
    assert!(!log.finished && log.runs == 4 && small.0.size() < size);

    // Edits cost as much as what they edit, whether they lead to a run or not.
    let work = Options { work: size as u64, ..Options::default() };
    let (_, log) = minimise(Orange(test.clone()), |_| true, &work);
    assert!(!log.finished && log.runs == 2, "{log:?}");

    let stop = AtomicBool::new(false);
    let mut runs = 0;
    let fails = |_: &Orange| {
        runs += 1;
        stop.store(runs == 3, Ordering::Relaxed);
        true
    };
    let (_, log) = minimise(Orange(test), fails, &Options { stop: Some(&stop), ..Options::default() });
    assert!(!log.finished && log.runs == 3);
}

#[test]
fn the_same_subject_and_predicate_give_the_same_result() {
    let fault = |test: &Test| has_pattern(test, BinaryOp::Add, Ty::LLONG, Ty::INT);
    let test = (0..).map(|seed| generated(seed, 30, 30)).find(fault).unwrap();
    let once = minimise(Orange(test.clone()), |subject| fault(&subject.0), &Options::default());
    let twice = minimise(Orange(test), |subject| fault(&subject.0), &Options::default());
    assert_eq!(once.0.0.render(), twice.0.0.render());
    assert_eq!(once.1, twice.1);
}
