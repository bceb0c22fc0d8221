//! What operators and calls are given, runs that go on after undefined arithmetic, pointers, and joining profiles.

#[path = "profile/harness.rs"]
mod harness;

use harness::{parsed, place, profiled, stmt_in_line};
use howler_choices::Choices;
use howler_lang::arith::{Num, Undefined};
use howler_lang::program::{BinaryOp, ExprKind, Program, UnaryOp};
use howler_lang::ty::Type;
use howler_machine::judge::{JudgeOptions, Judgement, judge};
use howler_machine::outcome::Outcome;
use howler_machine::profile::{
    Operator, Place, Points, Profile, ProfileOptions, Scalar, Step, Target, undefined_bare,
};
use howler_machine::ub::UbKind;
use howler_machine::{Input, Order, RunOptions, RunReport, run};

const OPERANDS: ProfileOptions = ProfileOptions {
    points: Points::None,
    visits: 1000,
    objects: 100,
    parts: 8,
    values: 4,
    rows: 8,
    tuples: 4,
    bare: false,
};

const BARE: ProfileOptions = ProfileOptions { bare: true, ..OPERANDS };

fn report(program: &Program, options: ProfileOptions<'_>) -> RunReport {
    run(program, &RunOptions { profile: Some(options), ..RunOptions::default() })
}

/// What is undefined and how often, by line.
fn undefined(program: &Program, profile: &Profile) -> Vec<(u32, Undefined, u64)> {
    let mut all = Vec::new();
    for (expr, _, operands) in profile.undefined() {
        let line = program.sources.place(program.exprs[expr].pos).map_or(0, |place| place.line);
        all.extend(operands.undefined.iter().map(|(&case, found)| (line, case, found.count)));
    }
    all.sort_unstable();
    all
}

const ALL_KINDS: &str = "int z, big = 2147483647, small = -2147483647 - 1, forty = 40, minus = -1;\n\
    double huge = 1e300, no; int sink;\n\
    int main(void) {\n\
    no = (huge * huge) * 0.0;\n\
    for (int i = 0; i < 3; i++)\n\
    sink = big + i;\n\
    sink = small - 1;\n\
    sink = big * 2;\n\
    sink = -small;\n\
    sink = 7 / z;\n\
    sink = 7 % z;\n\
    sink = small / minus;\n\
    sink = small % minus;\n\
    sink = 1 << forty;\n\
    sink = 1 >> minus;\n\
    sink = minus << 1;\n\
    sink = big << 1;\n\
    sink = huge;\n\
    sink = (int)no;\n\
    sink = big; sink++;\n\
    sink = small; --sink;\n\
    sink = big; sink += 1;\n\
    sink = 1; sink *= 1e300;\n\
    return 0;\n\
    }\n";

#[test]
fn one_run_reports_every_undefined_site() {
    let program = parsed(ALL_KINDS);
    let report = report(&program, BARE);
    // It is undefined all the same, and by the first.
    assert!(matches!(&report.outcome, Outcome::Ub(ub) if ub.kind == UbKind::from(Undefined::AddOverflow)));
    assert_eq!(report.went_on, Some(Outcome::Exit(0)));
    let profile = report.profile.expect("asked for");
    assert_eq!(profile.unfinished, 0);
    use Undefined as U;
    let wanted = [
        (6, U::AddOverflow, 2),
        (7, U::SubOverflow, 1),
        (8, U::MulOverflow, 1),
        (9, U::NegOverflow, 1),
        (10, U::DivByZero, 1),
        (11, U::RemByZero, 1),
        (12, U::DivOverflow, 1),
        (13, U::RemOverflow, 1),
        (14, U::ShiftTooFar, 1),
        (15, U::ShiftNegative, 1),
        (16, U::ShlOfNegative, 1),
        (17, U::ShlOverflow, 1),
        (18, U::FloatToIntRange, 1),
        (19, U::FloatToIntNan, 1),
        (20, U::IncOverflow, 1),
        (21, U::DecOverflow, 1),
        (22, U::AddOverflow, 1),
        (23, U::FloatToIntRange, 1),
    ];
    assert_eq!(undefined(&program, &profile), wanted);
    // The operands of the loop's sum, with and without the undefined ones.
    let sum = profile
        .undefined()
        .find(|(_, operator, operands)| *operator == Operator::Binary(BinaryOp::Add) && operands.count == 3);
    let (_, _, operands) = sum.expect("the sum");
    let pair = |i: i128| vec![Some(Scalar::Int(2_147_483_647)), Some(Scalar::Int(i))];
    assert_eq!(operands.tuples.kept.iter().cloned().collect::<Vec<_>>(), [pair(0), pair(1), pair(2)]);
    let wrong = &operands.undefined[&Undefined::AddOverflow].tuples;
    assert_eq!(wrong.kept.iter().cloned().collect::<Vec<_>>(), [pair(1), pair(2)]);
    assert!(!wrong.more);
}

/// What such a run goes on with: wrapped results, 0 for what has none.
#[test]
fn a_run_that_goes_on_has_the_documented_values() {
    const TEXT: &str = "int printf(const char *, ...);\n\
        int z, big = 2147483647, small = -2147483647 - 1, minus = -1; double huge = -1e300;\n\
        int main(void) {\n\
        printf(\"%d %d %d %d \", big + 1, small - 1, big * 2, -small);\n\
        printf(\"%d %d %d %d \", 7 / z, 7 % z, small / minus, small % minus);\n\
        printf(\"%d %d %d %d %d\", 1 << minus, 5 >> 99, minus << 1, big << 1, (int)huge);\n\
        return 0; }\n";
    let report = report(&parsed(TEXT), BARE);
    let printed = "-2147483648 2147483647 -2 -2147483648 0 0 0 0 0 0 -2 -2 0";
    assert_eq!(String::from_utf8_lossy(&report.output), printed);
}

#[test]
fn only_arithmetic_goes_on() {
    let others = [
        "int a[2]; int main(void) { int i = 2147483647; i = i + 1; return a[i & 7 | 2]; }",
        "int main(void) { int i = 2147483647, n; i = i + 1; return n; }",
        "int main(void) { int i = 2147483647, *p = 0; i = i + 1; return *p; }",
    ];
    for text in others {
        let report = report(&parsed(text), BARE);
        assert!(
            matches!(&report.outcome, Outcome::Ub(ub) if ub.kind == UbKind::from(Undefined::AddOverflow))
        );
        assert!(matches!(&report.went_on, Some(Outcome::Ub(_))), "{text}: {:?}", report.went_on);
        assert_eq!(report.profile.map(|profile| profile.unfinished), Some(1));
    }
    // An operation on vectors is not one of them: the run ends there.
    let vector = "typedef int v __attribute__((vector_size(16)));\n\
        int main(void) { v a = { 2147483647 }; a = a + 1; return 0; }";
    let report = report(&parsed(vector), BARE);
    assert!(matches!(report.outcome, Outcome::Ub(_)) && report.went_on.is_none());
}

#[test]
fn a_run_that_went_on_is_never_judged_defined() {
    let program = parsed(ALL_KINDS);
    let judged = judge(&program, &JudgeOptions { profile: Some(BARE), ..JudgeOptions::default() });
    assert!(matches!(judged.judgement, Judgement::Undefined(_)));
    let all = judged.profile().expect("asked for");
    assert_eq!((judged.runs.len(), all.runs), (3, 3));
    let one = judged.runs[0].profile.as_ref().expect("asked for");
    let thrice: Vec<_> = undefined(&program, one).into_iter().map(|(a, b, n)| (a, b, 3 * n)).collect();
    assert_eq!(undefined(&program, &all), thrice);
    // Without going on it is the same program.
    let plain = judge(&program, &JudgeOptions::default());
    assert_eq!(plain.judgement, judged.judgement);
}

#[test]
fn a_run_that_does_not_go_on_reports_the_last_operator() {
    let program = parsed(ALL_KINDS);
    let report = report(&program, OPERANDS);
    assert!(matches!(report.outcome, Outcome::Ub(_)) && report.went_on.is_none());
    let profile = report.profile.expect("asked for");
    assert_eq!(undefined(&program, &profile), [(6, Undefined::AddOverflow, 1)]);
}

/// Calls of a wrapper tell which of them need it.
#[test]
fn calls_have_the_tuples_of_their_arguments() {
    const TEXT: &str = "int safe_div(int a, int b) { return b == 0 || (a == -2147483647 - 1 && b == -1) ? a : a / b; }\n\
        struct s { int x; } whole;\n\
        int takes(struct s s, double d, int *p) { return s.x + (int)d + *p; }\n\
        int main(void) {\n\
        int n = 0;\n\
        for (int i = -2; i < 3; i++)\n\
        n += safe_div(7, i);\n\
        n += safe_div(8, 2);\n\
        return takes(whole, 1.5, &n) - 12;\n\
        }\n";
    let (program, profile) = profiled(TEXT, OPERANDS);
    let mut found = Vec::new();
    for (&expr, calls) in &profile.calls {
        assert!(matches!(program.exprs[expr].kind, ExprKind::Call(..)));
        let callee =
            calls.callees.iter().map(|&func| program.name(program.funcs[func].name)).collect::<Vec<_>>();
        found.push((callee.join(" "), calls));
    }
    let [(first, loops), (second, once), (third, mixed)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&first[..], &second[..], &third[..]), ("safe_div", "safe_div", "takes"));
    assert_eq!((loops.count, loops.tuples.kept.len(), loops.tuples.more), (5, 4, true));
    assert_eq!(loops.each[1].interval(), Some((-2, 2)));
    let bare = |tuple: &Vec<Option<Scalar>>| {
        undefined_bare(Operator::Binary(BinaryOp::Div), &[Num::INT, Num::INT], Num::INT, tuple)
    };
    let wrong: Vec<_> = loops.tuples.kept.iter().filter_map(bare).collect();
    assert_eq!(wrong, [Undefined::DivByZero]);
    assert!(once.tuples.kept.iter().all(|tuple| bare(tuple).is_none()));
    let n = place(&program, "n").object;
    let tuple = mixed.tuples.kept.first().expect("one call");
    assert_eq!(tuple[0], None);
    assert!(
        matches!(tuple[2], Some(Scalar::Pointer(Target::Object { object, offset: 0, .. })) if object == n)
    );
}

#[test]
fn operands_of_a_chain_of_calls_belong_to_their_operators() {
    const TEXT: &str = "int f(int n) { static int calls; return n + ++calls; }\n\
        int main(void) { int s = f(1) * 2 + f(2) - -f(3); return s & 0; }\n";
    let (program, profile) = profiled(TEXT, OPERANDS);
    for (&(expr, operator), operands) in &profile.operators {
        let same = match program.exprs[expr].kind {
            ExprKind::Binary(op, ..) => operator == Operator::Binary(op),
            ExprKind::Unary(UnaryOp::PreInc, _) => operator == Operator::Unary(UnaryOp::PreInc),
            ExprKind::Unary(op, _) => operator == Operator::Unary(op),
            _ => false,
        };
        assert!(same && operands.count > 0, "{expr:?} {operator:?}");
    }
    assert_eq!(profile.operators.len(), 7);
}

const POINTERS: &str = "#include <stdlib.h>\n\
    struct node { int key; struct node *next[2]; } pool[3];\n\
    static int f(int depth, int *up) {\n\
        int here = depth; int *own = &here, *null = 0, *heap = malloc(4);\n\
        int (*call)(int, int *) = f;\n\
        int matrix[2][3] = { 0 }, *row = matrix[1], *end = matrix[0] + 3;\n\
        if (depth < 2) f(depth + 1, own);\n\
        free(heap);\n\
        return 0;\n\
    }\n\
    int main(void) {\n\
        int start = 0; char *text = \"abc\";\n\
        pool[0].next[1] = &pool[2];\n\
        return f(0, &start) + !text;\n\
    }\n";

#[test]
fn pointers_say_which_object_and_where() {
    let options = ProfileOptions { points: Points::All, values: 8, parts: 40, ..OPERANDS };
    let (program, profile) = profiled(POINTERS, options);
    let at = stmt_in_line(&program, 7);
    let targets = |name: &str| -> Vec<Target> {
        let seen = profile.sure(at, &place(&program, name)).unwrap_or_else(|| panic!("{name}"));
        let values = seen.values.clone().expect("few").into_iter();
        let target = |value| if let Scalar::Pointer(target) = value { target } else { panic!("{value:?}") };
        values.map(target).collect()
    };
    let object = |name: &str| place(&program, name).object;
    let into = |name: &str, offset: u64, past: bool, nameable: bool| Target::Object {
        object: object(name),
        offset,
        past,
        nameable,
    };
    assert_eq!(targets("own"), [into("here", 0, false, true)]);
    // The caller's object has the same declaration and is another one.
    assert_eq!(targets("up"), [into("here", 0, false, false), into("start", 0, false, false)]);
    assert_eq!((targets("null"), targets("heap")), (vec![Target::Null], vec![Target::Unnamed]));
    let f = program.funcs.iter().find(|(_, func)| program.name(func.name) == "f").expect("f").0;
    assert_eq!(targets("call"), [Target::Function(f)]);
    assert_eq!(targets("row"), [into("matrix", 12, false, true)]);
    assert_eq!(targets("end"), [into("matrix", 12, true, true)]);
    let row = Place::at(&program, object("matrix"), 12, Type::INT).expect("a part");
    assert_eq!(row.text(&program), "matrix[1][0]");
    let next =
        Place { path: vec![Step::Index(0), Step::Field(1), Step::Index(1)], ..place(&program, "pool") };
    let seen = profile.sure(at, &next).and_then(|seen| seen.constant());
    let Some(Scalar::Pointer(Target::Object { object: pool, offset, nameable: true, .. })) = seen else {
        panic!("{seen:?}")
    };
    let node = program.types.pointee(next.ty(&program).expect("a member")).expect("a pointer");
    let third = Place::at(&program, pool, offset, node).expect("an element");
    assert_eq!(
        (next.text(&program), third.text(&program)),
        ("pool[0].next[1]".to_owned(), "pool[2]".to_owned())
    );
}

const READER: &str = "int getchar(void);\n\
    int total, last[4];\n\
    int half(int n) { return n / 2 ? n / 2 : 1; }\n\
    int main(void) {\n\
    int c, n = 0;\n\
    while ((c = getchar()) >= 0) {\n\
    switch (c & 3) { case 0: n += 3; break; case 1: n--; default: n ^= c; }\n\
    last[n & 3] = half(c) - n;\n\
    total += c % 7 * n;\n\
    if (total & 1 && n > 2) n >>= 1;\n\
    }\n\
    return 0;\n\
    }\n";

/// Joining does not depend on who joins whom first, with other inputs, orders, points and caps.
#[test]
fn joining_is_associative_and_commutative() {
    let program = parsed(READER);
    let points = howler_machine::profile::points(&program);
    let mut choices = Choices::new(6);
    let mut profiles = Vec::new();
    for number in 0..12 {
        let length = choices.range("length", 0..=40);
        let bytes: Vec<u8> = (0..length).map(|_| choices.range("byte", 32..=99)).collect();
        let some: Vec<_> = points.iter().copied().filter(|_| choices.chance("chosen", 1, 2)).collect();
        let options = ProfileOptions {
            points: if number % 4 == 0 { Points::All } else { Points::These(&some) },
            visits: choices.range("visits", 5..=30),
            objects: choices.range("objects", 1..=6),
            parts: choices.range("parts", 1..=6),
            values: choices.range("values", 1..=20),
            rows: choices.range("rows", 0..=30),
            tuples: choices.range("tuples", 0..=20),
            bare: choices.chance("bare", 1, 3),
        };
        let order = if number % 2 == 0 { Order::LeftToRight } else { Order::Seeded(number) };
        let input = Input { bytes: &bytes, arguments: &[] };
        let limits = howler_machine::Limits {
            steps: if number % 5 == 4 { 200 } else { 100_000 },
            ..howler_machine::Limits::default()
        };
        let report = run(
            &program,
            &RunOptions { profile: Some(options), order, input, limits, ..RunOptions::default() },
        );
        profiles.push(report.profile.expect("asked for"));
    }
    let joined = |list: &[&Profile]| {
        let mut all = Profile::default();
        list.iter().for_each(|profile| all.join(profile));
        all
    };
    for _ in 0..200 {
        let [a, b, c] = std::array::from_fn(|_| choices.pick("profile", &profiles).expect("twelve"));
        assert_eq!(joined(&[a, b]), joined(&[b, a]));
        let left = joined(&[&joined(&[a, b]), c]);
        assert_eq!(left, joined(&[a, &joined(&[b, c])]));
        assert_eq!(left.runs, 3);
        assert_eq!(&joined(&[a]), a);
    }
}

/// Orders of calls that a judgement tries are runs like the others, and their states count.
#[test]
fn the_profile_of_a_judgement_has_every_order_that_was_tried() {
    const TEXT: &str = "int last, seen;\n\
        int set(int n) {\n\
            seen += last == n;\n\
            last = n; return 0; }\n\
        int main(void) {\n\
            seen = set(1) + set(2) + set(3);\n\
            last = 0;\n\
            return 0; }\n";
    let program = parsed(TEXT);
    let at = [stmt_in_line(&program, 7)];
    let profile = Some(ProfileOptions { points: Points::These(&at), ..OPERANDS });
    let judged = judge(&program, &JudgeOptions { profile, ..JudgeOptions::default() });
    assert!(matches!(judged.judgement, Judgement::Defined { .. }), "{:?}", judged.judgement);
    assert!(judged.runs.len() > 3, "all six orders are tried");
    let all = judged.profile().expect("asked for");
    assert_eq!(all.runs, judged.runs.len() as u64);
    assert_eq!(harness::ints(&all, at[0], &place(&program, "last")), [1, 2, 3]);
}

/// What is sure of several runs holds in each of them.
#[test]
fn what_is_sure_of_all_is_sure_of_each() {
    let program = parsed(READER);
    let options = ProfileOptions { points: Points::All, values: 100, ..OPERANDS };
    let profiles: Vec<Profile> = ["", "a", "hello, world", "zzzzzzzz"]
        .iter()
        .map(|text| {
            let input = Input { bytes: text.as_bytes(), arguments: &[] };
            let report =
                run(&program, &RunOptions { profile: Some(options), input, ..RunOptions::default() });
            assert_eq!(report.outcome, Outcome::Exit(0));
            report.profile.expect("asked for")
        })
        .collect();
    let mut all = Profile::default();
    profiles.iter().for_each(|profile| all.join(profile));
    let mut seen = 0;
    for (&stmt, point) in &all.points {
        for (&object, parts) in &point.objects {
            for path in parts.parts.keys() {
                let place = Place { object, path: path.clone() };
                let Some(sure) = all.sure(stmt, &place) else { continue };
                for profile in &profiles {
                    let each = profile.sure(stmt, &place).expect("sure of each");
                    assert!(each.values.as_ref().expect("few").is_subset(sure.values.as_ref().expect("few")));
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 100, "{seen}");
}
