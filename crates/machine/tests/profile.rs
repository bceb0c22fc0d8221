//! Profiles of small programs: counts, branches, points and what is not complete. What operators and calls are given is
//! in `profile_sites.rs`, real programs are in `profile_corpus.rs`.

#[path = "profile/harness.rs"]
mod harness;

use harness::{floats, ints, parsed, place, profiled, stmt_in_line};
use howler_lang::build::Cx;
use howler_lang::compose::{Composer, signature};
use howler_lang::program::{Duration, ExprId, Linkage, Program, StmtKind};
use howler_lang::source::Pos;
use howler_lang::target::Target;
use howler_lang::ty::Type;
use howler_machine::outcome::Outcome;
use howler_machine::profile::{self, Place, Points, Profile, ProfileOptions, Scalar, Step};
use howler_machine::{Limits, Order, RunOptions, run};

/// Everything, everywhere.
const ALL: ProfileOptions = ProfileOptions {
    points: Points::All,
    visits: 1000,
    objects: 100,
    parts: 8,
    values: 4,
    rows: 64,
    tuples: 0,
    bare: false,
};

const LOOP: &str = "int f(int n) {\n\
    if (n > 2)\n\
        n -= 1;\n\
    return n;\n\
    }\n\
    int main(void) {\n\
        int s = 0, a[3] = { 1, 2, 3 };\n\
        for (int i = 0; i < 10; i++)\n\
            s += f(i);\n\
        if (s == 0)\n\
            s = 5;\n\
        return s - 38 - a[0] + 1;\n\
    }\n";

/// How often the statement that begins in a line was reached.
fn count(program: &Program, profile: &Profile, line: u32) -> u64 {
    profile.count(stmt_in_line(program, line))
}

#[test]
fn statements_functions_and_branches_are_counted() {
    let (program, profile) = profiled(LOOP, ALL);
    assert_eq!((count(&program, &profile, 2), count(&program, &profile, 3)), (10, 7));
    assert_eq!((count(&program, &profile, 9), count(&program, &profile, 11)), (10, 0));
    let calls: Vec<u64> = profile.functions.values().copied().collect();
    assert_eq!(calls, [10, 1]);
    let branch = |line: u32| match program.stmts[stmt_in_line(&program, line)].kind {
        StmtKind::If { cond, .. } | StmtKind::For { cond: Some(cond), .. } => profile.branches[&cond],
        _ => panic!("no condition in line {line}"),
    };
    assert_eq!((branch(2), branch(8), branch(10)), ((7, 3), (10, 1), (0, 1)));
}

const WAYS: &str = "int taken[5];\n\
    int classify(int n) {\n\
        switch (n) {\n\
        case 0:\n\
            return 1;\n\
        case 1 ... 3:\n\
            n++;\n\
        default:\n\
            return n;\n\
        case 7:\n\
            break;\n\
        }\n\
        return 0;\n\
    }\n\
    int past(int n) {\n\
        switch (n) { case 1: return 1; }\n\
        return 0;\n\
    }\n\
    int main(void) {\n\
        int n = 0, m;\n\
        do { n += classify(n); } while (n < 4 && n != 3 || n == 5);\n\
        for (int i = 0; i < 8; i++)\n\
            n += i & 1 ? classify(i) : (i ?: 3);\n\
        past(1); past(2); past(3);\n\
        m = ({ int k = 0; while (k < 5) k++; k; });\n\
        return m - 5;\n\
    }\n";

/// Every count has another that it must agree with.
#[test]
fn counts_of_branches_sum_up_to_those_of_statements() {
    for text in [LOOP, WAYS] {
        let (program, profile) = profiled(text, ALL);
        harness::check_counts(&program, &profile);
    }
    let (program, profile) = profiled(WAYS, ALL);
    let ways = |line: u32| match program.stmts[stmt_in_line(&program, line)].kind {
        StmtKind::Switch { value, .. } => &profile.switches[&value],
        _ => panic!("no switch in line {line}"),
    };
    // classify gets 0, 1, 4; 1, 3, 5, 7.
    let case = |line: u32| Some(stmt_in_line(&program, line));
    assert_eq!((ways(3)[&case(4)], ways(3)[&case(6)], ways(3)[&case(8)], ways(3)[&case(10)]), (1, 3, 1, 1));
    assert_eq!((ways(16)[&None], ways(16).values().sum::<u64>()), (2, 3));
}

#[test]
fn values_are_exact_up_to_the_cap_and_an_interval_beyond() {
    let (program, profile) = profiled(LOOP, ALL);
    let n = profile.sure(stmt_in_line(&program, 2), &place(&program, "n")).expect("n is in scope at the if");
    assert_eq!((n.values.clone(), n.interval(), n.visits), (None, Some((0, 9)), 10));
    let second = Place { path: vec![Step::Index(1)], ..place(&program, "a") };
    let at = stmt_in_line(&program, 12);
    assert_eq!(profile.sure(at, &second).and_then(|seen| seen.constant()), Some(Scalar::Int(2)));
    assert_eq!(ints(&profile, at, &place(&program, "s")), [38]);
}

#[test]
fn a_profile_does_not_change_a_run() {
    let program = parsed(WAYS);
    for order in [Order::LeftToRight, Order::RightToLeft, Order::Seeded(7)] {
        let plain = run(&program, &RunOptions { order, ..RunOptions::default() });
        for profile in [ALL, ProfileOptions { tuples: 4, ..ALL }, ProfileOptions::default()] {
            let profiled =
                run(&program, &RunOptions { order, profile: Some(profile), ..RunOptions::default() });
            assert_eq!((&plain.outcome, &plain.output), (&profiled.outcome, &profiled.output));
            assert_eq!(plain.steps, profiled.steps);
        }
        assert!(plain.profile.is_none());
    }
}

const STATICS: &str = "struct bits { unsigned a : 3; signed b : 5; long long c : 40; _Bool on; } g = { 1, -2, 3, 1 };\n\
    union both { unsigned u; signed char c; unsigned short s; } v = { 0x12345684u };\n\
    struct deep { struct { int x; union { int y; char z; }; } in[2]; double d; } deep = { { { 1, { 2 } }, { 3, { 4 } } }, -1.5 };\n\
    int f(void) { static int calls = 40; return calls++; }\n\
    static int after;\n\
    int main(void) {\n\
        for (int i = 0; i < 3; i++) {\n\
            g.b = i - 1;\n\
            g.c = -5;\n\
            after += f();\n\
        }\n\
        return after != 123;\n\
    }\n\
    int late;\n";

#[test]
fn every_part_has_a_way_back_to_an_lvalue() {
    let (mut program, profile) = profiled(STATICS, ALL);
    let at = stmt_in_line(&program, 12);
    let seen: Vec<(String, Vec<i128>)> = profile.points[&at]
        .objects
        .iter()
        .flat_map(|(&object, seen)| seen.parts.keys().map(move |path| Place { object, path: path.clone() }))
        .map(|place| (place.text(&program), ints(&profile, at, &place)))
        .collect();
    let wanted: [(&str, i128); 14] = [
        ("g.a", 1),
        ("g.b", 1),
        ("g.c", -5),
        ("g.on", 1),
        ("v.u", 0x1234_5684),
        ("v.c", -124),
        ("v.s", 0x5684),
        ("deep.in[0].x", 1),
        ("deep.in[0].y", 2),
        ("deep.in[0].z", 2),
        ("deep.in[1].x", 3),
        ("deep.in[1].y", 4),
        ("deep.in[1].z", 4),
        ("after", 123),
    ];
    for (text, value) in wanted {
        let found =
            seen.iter().find(|(name, _)| name == text).unwrap_or_else(|| panic!("{text} in {seen:?}"));
        assert_eq!(found.1, [value], "{text}");
    }
    let d = Place { path: vec![Step::Field(1)], ..place(&program, "deep") };
    assert_eq!(floats(&profile, at, &d), [-1.5]);
    // What was built is what is printed.
    let mut built = Vec::new();
    for (&object, seen) in &profile.points[&at].objects {
        for path in seen.parts.keys() {
            let place = Place { object, path: path.clone() };
            let lvalue = place.build(&mut Cx::strict(&mut program), Pos::NONE).unwrap();
            built.push((place, lvalue));
        }
    }
    for (place, lvalue) in built {
        let text = howler_lang::print::expression(&program, lvalue);
        assert_eq!(text, place.text(&program));
    }
}

#[test]
fn only_what_can_be_named_is_looked_at() {
    const TEXT: &str = "int x = 1, y = 2;\n\
        int main(void) {\n\
            int before = 3;\n\
            { int x = 4; static int inner = 5; before += x + inner; }\n\
            {\n\
                extern int late;\n\
                before++;\n\
            }\n\
            return before != 13;\n\
        }\n\
        int late = 6;\n";
    let (program, profile) = profiled(TEXT, ALL);
    let names = |line: u32| -> Vec<String> {
        let point = &profile.points[&stmt_in_line(&program, line)];
        let name = |&object| Place { object, path: Vec::new() }.text(&program);
        assert!(point.left_out.is_empty());
        let mut names: Vec<String> = point.objects.keys().map(name).collect();
        names.sort();
        names
    };
    assert_eq!(names(3), ["x", "y"]);
    assert_eq!(names(7), ["before", "late", "x", "y"]);
    assert_eq!(names(9), ["before", "x", "y"]);
    // In line 4 there are several statements; in the last of them the outer x is hidden.
    let inner = profile.points.iter().find(|(_, point)| {
        point.objects.keys().any(|&object| Place { object, path: Vec::new() }.text(&program) == "inner")
    });
    let (_, point) = inner.expect("a point behind the declaration");
    let x: Vec<_> = point
        .objects
        .iter()
        .filter(|&(&object, _)| Place { object, path: Vec::new() }.text(&program) == "x")
        .map(|(_, seen)| seen.parts[&Vec::new()].constant())
        .collect();
    assert_eq!(x, [Some(Scalar::Int(4))]);
}

#[test]
fn what_is_incomplete_is_never_sure() {
    let program = parsed(LOOP);
    let n = place(&program, "n");
    let at = [stmt_in_line(&program, 2)];
    let these = ProfileOptions { points: Points::These(&at), ..ALL };
    let profile_with = |options: ProfileOptions, limits: Limits| {
        let report = run(&program, &RunOptions { profile: Some(options), limits, ..RunOptions::default() });
        report.profile.expect("it was asked for")
    };
    let whole = profile_with(these, Limits::default());
    assert!(whole.sure(at[0], &n).is_some() && whole.states(at[0]).is_some());
    // Fewer visits than there are.
    let few = profile_with(ProfileOptions { visits: 9, ..these }, Limits::default());
    assert!(few.sure(at[0], &n).is_none() && few.states(at[0]).is_none());
    assert_eq!((few.points[&at[0]].visits, few.count(at[0])), (9, 10));
    // A run that ends at a limit.
    let short = profile_with(these, Limits { steps: 60, ..Limits::default() });
    assert_eq!((short.unfinished, short.sure(at[0], &n)), (1, None));
    // No room for objects, for parts, for rows.
    let none = profile_with(ProfileOptions { objects: 0, ..these }, Limits::default());
    assert!(none.sure(at[0], &n).is_none() && none.points[&at[0]].left_out.contains(&n.object));
    let end = [stmt_in_line(&program, 12)];
    let parts =
        profile_with(ProfileOptions { points: Points::These(&end), parts: 2, ..ALL }, Limits::default());
    let a = place(&program, "a");
    assert!(!parts.points[&end[0]].objects[&a.object].whole);
    assert_eq!(parts.sure(end[0], &Place { path: vec![Step::Index(2)], ..a }), None);
    let rows = profile_with(ProfileOptions { rows: 3, ..these }, Limits::default());
    assert!(rows.states(at[0]).is_none() && rows.sure(at[0], &n).is_some());
    // A point that was not chosen in another run of the same.
    let mut joined = whole.clone();
    joined.join(&profile_with(ProfileOptions { points: Points::None, ..these }, Limits::default()));
    assert!(joined.sure(at[0], &n).is_none(), "the second run did not look");
}

#[test]
fn states_keep_what_varies_together() {
    const TEXT: &str = "int main(void) {\n\
        for (int i = 0, j = 9; i < 5; i++, j--)\n\
            ;\n\
        return 0; }\n";
    let (program, profile) = profiled(TEXT, ALL);
    let (places, states) = profile.states(stmt_in_line(&program, 3)).expect("few states");
    let names: Vec<String> = places.iter().map(|place| place.text(&program)).collect();
    assert_eq!(names, ["i", "j"]);
    let int = |scalar: Scalar| match scalar {
        Scalar::Int(number) => number,
        _ => panic!("an integer"),
    };
    let pairs: Vec<(i128, i128)> = states.iter().map(|row| (int(row[0]), int(row[1]))).collect();
    assert_eq!(pairs, [(0, 9), (1, 8), (2, 7), (3, 6), (4, 5)]);
}

#[test]
fn values_that_may_not_be_read_are_marked() {
    const TEXT: &str = "#include <stdlib.h>\n\
        int main(void) {\n\
            int never, sometimes, *dead, here = 1, *p = &here;\n\
            struct { char c; int set, unset; } s;\n\
            unsigned long address = (unsigned long)p;\n\
            s.set = 1;\n\
            dead = malloc(4);\n\
            free(dead);\n\
            for (int i = 0; i < 2; i++) {\n\
                here++;\n\
                sometimes = 1;\n\
            }\n\
            return here - 3;\n\
        }\n";
    let (program, profile) = profiled(TEXT, ALL);
    let at = stmt_in_line(&program, 10);
    let marks = |name: &str, path: &[Step]| {
        let observed = &profile.points[&at].objects[&place(&program, name).object].parts[path];
        assert_eq!(
            observed.is_always_set(),
            profile.sure(at, &Place { path: path.to_vec(), ..place(&program, name) }).is_some()
        );
        (observed.unset, observed.open)
    };
    assert_eq!(marks("never", &[]), (true, false));
    assert_eq!(marks("sometimes", &[]), (true, false));
    assert_eq!(marks("dead", &[]), (true, false));
    assert_eq!(marks("s", &[Step::Field(2)]), (true, false));
    assert_eq!(marks("address", &[]), (false, true));
    assert_eq!(marks("here", &[]), (false, false));
}

#[test]
fn elements_of_a_variable_array_come_and_go() {
    const TEXT: &str = "int f(int n) {\n\
        int v[n];\n\
        for (int i = 0; i < n; i++) v[i] = i;\n\
        return v[0];\n\
        }\n\
        int main(void) { return f(2) + f(3); }\n";
    let (program, profile) = profiled(TEXT, ALL);
    let at = stmt_in_line(&program, 4);
    let element = |index: u64| Place { path: vec![Step::Index(index)], ..place(&program, "v") };
    assert_eq!(ints(&profile, at, &element(1)), [1]);
    assert!(profile.sure(at, &element(2)).is_none());
    let object = &profile.points[&at].objects[&element(0).object];
    assert!(!object.whole && object.parts[&element(2).path].absent);
}

/// An object may be as large as it likes, with parts or without.
#[test]
fn large_objects_cost_no_more_than_their_cap() {
    const TEXT: &str = "struct nothing {}; struct wide { _Complex double c; struct nothing n[9]; };\n\
        extern struct wide none[1L << 40]; extern int many[1L << 20][1L << 20];\n\
        struct wide some[1000]; int all[1000][1000];\n\
        int main(void) {\n\
        return all[7][7]; }\n";
    let (program, profile) = profiled(TEXT, ALL);
    let point = &profile.points[&stmt_in_line(&program, 5)];
    let object = |name: &str| place(&program, name).object;
    let of = |name: &str| (point.objects[&object(name)].parts.len(), point.objects[&object(name)].whole);
    assert_eq!((of("some"), of("all")), ((0, false), (8, false)));
    // What the program does not define is not there to be looked at.
    assert!(point.left_out.contains(&object("none")) && point.left_out.contains(&object("many")));
}

#[test]
fn a_sample_is_the_same_in_every_run() {
    let program = parsed(WAYS);
    let sample = |seed: u64, order: Order| -> Vec<_> {
        let profile = Some(ProfileOptions { points: Points::Sample { seed, number: 5 }, ..ALL });
        let report = run(&program, &RunOptions { profile, order, ..RunOptions::default() });
        report.profile.expect("asked for").points.into_keys().collect()
    };
    let first = sample(1, Order::LeftToRight);
    assert_eq!(first.len(), 5);
    assert_eq!(first, sample(1, Order::RightToLeft));
    assert!((2..9).any(|seed| sample(seed, Order::LeftToRight) != first));
    let all = profile::points(&program);
    assert!(first.iter().all(|stmt| all.contains(stmt)));
}

/// A program that was made has no positions, and its statements are profiled all the same.
#[test]
fn what_was_built_without_positions_has_its_profile() {
    let mut made = Composer::new(Target::X86_64_GCC);
    made.unit("a.c".to_owned());
    let main = made.function("main", signature(Type::INT, &[]), Linkage::External).unwrap();
    let object = made.object("x", Type::INT, Linkage::None, Duration::Automatic);
    let seven =
        howler_lang::build::constant(&mut made.cx(), howler_lang::arith::Num::INT, Type::INT, 7).unwrap();
    let decl = made.declare(
        object,
        howler_lang::program::Storage::None,
        Some(howler_lang::program::Init::Expr(seven)),
    );
    let declared = made.stmt(StmtKind::Item(howler_lang::program::Item::Decl(decl)));
    let zero =
        howler_lang::build::constant(&mut made.cx(), howler_lang::arith::Num::INT, Type::INT, 0).unwrap();
    let done = made.stmt(StmtKind::Return(Some(zero)));
    made.define(main, Vec::new(), &[declared, done]).unwrap();
    howler_lang::link::link(&mut made.program);
    let report = run(&made.program, &RunOptions { profile: Some(ALL), ..RunOptions::default() });
    assert_eq!(report.outcome, Outcome::Exit(0));
    let profile = report.profile.expect("asked for");
    let x = Place { object, path: Vec::new() };
    assert_eq!(profile.sure(done, &x).and_then(|seen| seen.constant()), Some(Scalar::Int(7)));
    assert!(!profile.points[&declared].objects.contains_key(&object));
}

#[test]
fn branches_have_the_same_keys_in_every_order() {
    let program = parsed(WAYS);
    let branches = |order: Order| -> Vec<(ExprId, (u64, u64))> {
        let profile = Some(ProfileOptions::default());
        let report = run(&program, &RunOptions { profile, order, ..RunOptions::default() });
        report.profile.expect("asked for").branches.into_iter().collect()
    };
    let first = branches(Order::LeftToRight);
    for order in [Order::RightToLeft, Order::Seeded(3), Order::Seeded(4)] {
        assert_eq!(first, branches(order));
    }
}

#[test]
fn a_part_is_volatile_if_anything_around_it_is() {
    let text = "struct s { int a; volatile int b; struct { int c[2]; } d; }; struct s p, q[2]; volatile struct s v; \
        volatile int w[2]; int main(void) { return 0; }";
    let program = parsed(text);
    let is_volatile = |name: &str, path: &[Step]| {
        Place { path: path.to_vec(), ..place(&program, name) }.is_volatile(&program)
    };
    let inner = [Step::Field(2), Step::Field(0), Step::Index(1)];
    assert!(!is_volatile("p", &[Step::Field(0)]) && !is_volatile("p", &inner));
    assert!(is_volatile("p", &[Step::Field(1)]) && is_volatile("q", &[Step::Index(1), Step::Field(1)]));
    assert!(
        is_volatile("v", &[Step::Field(0)])
            && is_volatile("v", &inner)
            && is_volatile("w", &[Step::Index(0)])
    );
}
