//! Profiles: counts, branches and observed values of small programs.

use howler_lang::program::{Program, StmtKind};
use howler_lang::target::Target;
use howler_machine::outcome::Outcome;
use howler_machine::profile::{Profile, ProfileOptions};
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
    ProfileOptions { one_in: 1, values: 4, parts: 8, seed: 1 }
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
        profile.values.iter().filter(move |((_, object, at), _): &(&(_, _, u32), _)| {
            let known = program.objects[*object].name.map(|known| program.name(known));
            known == Some(name) && *at == offset
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
