//! Profiles: counts, branches and observed values of small programs.

use howler_lang::program::{Program, StmtKind};
use howler_lang::target::Target;
use howler_machine::outcome::Outcome;
use howler_machine::profile::{Part, Profile, ProfileOptions};
use howler_machine::{RunOptions, RunReport, run};

fn profiled(text: &str, options: ProfileOptions) -> (Program, RunReport) {
    let mut program = Program::new(Target::X86_64_GCC);
    let report = howler_front::parse(&mut program, "p.c", text.into(), &howler_front::Options::default());
    assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
    howler_lang::link::link(&mut program);
    let report = run(&program, &RunOptions { profile: Some(options), ..RunOptions::default() });
    assert_eq!(report.outcome, Outcome::Exit(0));
    (program, report)
}

fn everything() -> ProfileOptions {
    ProfileOptions { one_in: 1, values: 4, parts: 8, globals: 100, seed: 1 }
}

/// How often the statement in a line was reached.
fn count(program: &Program, profile: &Profile, line: u32) -> u64 {
    let in_line =
        |stmt| program.sources.place(program.stmts[stmt].pos).is_some_and(|place| place.line == line);
    profile.statements.iter().filter(|(stmt, _)| in_line(**stmt)).map(|(_, &count)| count).max().unwrap_or(0)
}

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

#[test]
fn statements_functions_and_branches_are_counted() {
    let (program, report) = profiled(LOOP, everything());
    let profile = report.profile.expect("it was asked for");
    assert_eq!((count(&program, &profile, 2), count(&program, &profile, 3)), (10, 7));
    assert_eq!((count(&program, &profile, 9), count(&program, &profile, 11)), (10, 0));
    let calls: Vec<u64> = profile.functions.values().copied().collect();
    assert!(calls.contains(&10) && calls.contains(&1));
    assert!(profile.branches.values().any(|&branch| branch == (7, 3)));
    assert!(profile.branches.values().any(|&branch| branch == (10, 1)));
}

#[test]
fn values_are_exact_up_to_the_cap_and_an_interval_beyond() {
    let (program, report) = profiled(LOOP, everything());
    let profile = report.profile.expect("it was asked for");
    let program = &program;
    let named = |name: &'static str, offset: u32| {
        profile.values.iter().filter(move |((_, object, part), _): &(&(_, _, Part), _)| {
            let known = program.objects[*object].name.map(|known| program.name(known));
            known == Some(name) && part.bit == u64::from(8 * offset)
        })
    };
    let (_, at_if) = named("n", 0)
        .find(|((stmt, ..), _)| matches!(program.stmts[*stmt].kind, StmtKind::If { .. }))
        .expect("n is in scope at the if");
    assert_eq!((at_if.values.clone(), at_if.least, at_if.greatest), (None, 0, 9));
    assert!(named("a", 4).all(|(_, observed)| observed.constant() == Some(2)));
    assert!(named("a", 4).count() > 0);
}

#[test]
fn sparse_profiles_count_everything_and_look_at_some() {
    let (program, all) = profiled(LOOP, everything());
    let (_, some) = profiled(LOOP, ProfileOptions { one_in: 10, ..everything() });
    let (all, some) = (all.profile.expect("asked for"), some.profile.expect("asked for"));
    assert_eq!(all.statements, some.statements);
    assert!(some.values.len() < all.values.len());
    let _ = program;
}

#[test]
fn a_profile_does_not_change_a_run() {
    let mut program = Program::new(Target::X86_64_GCC);
    howler_front::parse(&mut program, "p.c", LOOP.into(), &howler_front::Options::default());
    howler_lang::link::link(&mut program);
    let plain = run(&program, &RunOptions::default());
    let (_, profiled) = profiled(LOOP, everything());
    assert_eq!((plain.outcome, plain.output), (profiled.outcome, profiled.output));
    assert!(plain.profile.is_none());
}

const STATICS: &str = "struct bits { unsigned a : 3; signed b : 5; long long c : 40; _Bool on; } g = { 1, -2, 3, 1 };\n\
    union both { unsigned u; signed char c; unsigned short s; } v = { 0x12345684u };\n\
    int table[3] = { 7, 8, 9 };\n\
    static int after;\n\
    int f(void) { static int calls = 40; return calls++; }\n\
    int late;\n\
    int main(void) {\n\
        for (int i = 0; i < 3; i++) {\n\
            g.b = i - 1;\n\
            g.c = -5;\n\
            after += f();\n\
        }\n\
        return after != 123;\n\
    }\n";

#[test]
fn static_objects_bit_fields_and_unions_are_observed() {
    let (program, report) = profiled(STATICS, everything());
    let profile = report.profile.expect("it was asked for");
    // All values of a part over all statements.
    let values = |name: &str, bit: u64, width: u32, signed: bool| {
        let mut all = std::collections::BTreeSet::new();
        for ((_, object, part), observed) in &profile.values {
            let known = program.objects[*object].name.map(|known| program.name(known));
            if known == Some(name) && *part == (Part { bit, width, signed }) {
                all.extend(observed.values.clone().expect("few values"));
            }
        }
        all.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(values("g", 0, 3, false), [1]);
    assert_eq!(values("g", 3, 5, true), [-2, -1, 0, 1]);
    assert_eq!(values("g", 8, 40, true), [-5, 3]);
    assert_eq!(values("v", 0, 32, false), [0x1234_5684]);
    assert_eq!(values("v", 0, 8, true), [-124]);
    assert_eq!(values("v", 0, 16, false), [0x5684]);
    assert_eq!(values("table", 64, 32, true), [9]);
    assert_eq!(values("after", 0, 32, true), [0, 40, 81, 123]);
    assert_eq!(values("calls", 0, 32, true), [40, 41, 42]);
    // A file-scope object is in scope after its declaration only.
    let late = |stmt| program.sources.place(program.stmts[stmt].pos).is_some_and(|place| place.line < 6);
    let named = |object| program.objects[object].name.is_some_and(|name| program.name(name) == "late");
    assert!(profile.values.keys().any(|&(_, object, _)| named(object)));
    assert!(!profile.values.keys().any(|&(stmt, object, _)| named(object) && late(stmt)));
}

#[test]
fn file_scope_takes_turns() {
    let sparse = ProfileOptions { globals: 1, ..everything() };
    let (program, report) = profiled(STATICS, sparse);
    let profile = report.profile.expect("it was asked for");
    for name in ["g", "v", "table", "after"] {
        let named = |object| program.objects[object].name.is_some_and(|known| program.name(known) == name);
        assert!(profile.values.keys().any(|&(_, object, _)| named(object)), "{name}");
    }
}
