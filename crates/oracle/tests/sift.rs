//! Which results of compilers are sightings, and which are nobody's fault.

use howler_case::{Behaviour, End};
use howler_machine::outcome::Limit;
use howler_oracle::classify::{Compiled, Difference, Ran, Stage};
use howler_oracle::judge::Verdict;
use howler_oracle::sighting::{Kind, Observed, Sighting, Trial, sift};

fn defined() -> Verdict {
    Verdict::Defined(Behaviour { end: End::Exit(0), output: Vec::new(), trace: None })
}

fn undefined() -> Verdict {
    Verdict::Undefined { code: "signed-overflow", text: String::new() }
}

fn unsupported() -> Verdict {
    Verdict::Unsupported("asm".into())
}

fn trial(configuration: &str, verdict: Verdict, compiled: Compiled, run: Option<Observed>) -> Trial {
    let compiler = configuration.split(' ').next().unwrap();
    Trial {
        configuration: configuration.into(),
        compiler: compiler.into(),
        family: compiler.split('-').next().unwrap().into(),
        verdict: Some(verdict),
        compiled: (Stage::Compile, compiled),
        run,
    }
}

fn wrong(difference: Difference) -> Option<Observed> {
    Some(Observed::Judged(Ran::Wrong(difference)))
}

fn right() -> Option<Observed> {
    Some(Observed::Judged(Ran::Right))
}

fn vote(text: &str) -> Option<Observed> {
    Some(Observed::Vote(text.into()))
}

fn all(trials: &[Trial]) -> Vec<Sighting> {
    sift(trials, &mut |_| true, &mut || true)
}

fn crash() -> Compiled {
    Compiled::Crash("a.c:1:2: internal compiler error: in f, at g.cc:3\n".into())
}

fn reject() -> Compiled {
    Compiled::Reject("a.c:1:2: error: unknown type name 'x'\n".into())
}

#[test]
fn right_code_is_no_sighting() {
    assert_eq!(all(&[trial("gcc-12 -O2", defined(), Compiled::Built, right())]), []);
    assert_eq!(all(&[]), []);
    assert_eq!(all(&[trial("gcc-12", defined(), Compiled::Untried("no".into()), None)]), []);
}

#[test]
fn one_sighting_for_the_wrong_configurations_of_a_family() {
    let found = all(&[
        trial("gcc-12 -O3", defined(), Compiled::Built, wrong(Difference::Output)),
        trial("gcc-12 -O0", defined(), Compiled::Built, right()),
        trial("gcc-12 -O2", defined(), Compiled::Built, wrong(Difference::Output)),
        trial("tcc", defined(), Compiled::Built, wrong(Difference::Signal(11))),
    ]);
    let said: Vec<String> = found.iter().map(|sighting| sighting.signature.to_string()).collect();
    assert_eq!(said, ["wrong-code gcc: output under gcc -O2, gcc -O3", "wrong-code tcc: signal under tcc"]);
    assert_eq!(found[0].configurations, ["gcc-12 -O2", "gcc-12 -O3"]);
    assert!(found.iter().all(|sighting| sighting.kind == Kind::WrongCode && !sighting.suspect));
}

#[test]
fn crashes_of_one_place_are_one_sighting() {
    let found = all(&[
        trial("gcc-12 -O0", defined(), crash(), None),
        trial("gcc-11 -O2", defined(), crash(), None),
        trial("clang-16 -O2", defined(), Compiled::Built, right()),
    ]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].kind, found[0].configurations.len()), (Kind::Crash, 2));
}

#[test]
fn without_a_meaning_only_the_compiler_itself_can_be_wrong() {
    let nothing = [
        undefined(),
        Verdict::Unspecified("x".into()),
        Verdict::Unfinished(Limit::Fuel),
        Verdict::Rejected("x".into()),
        Verdict::Unreadable("x".into()),
    ];
    for verdict in nothing {
        assert_eq!(all(&[trial("gcc-12 -O2", verdict.clone(), reject(), None)]), []);
        let votes = [
            trial("gcc-12 -O2", verdict.clone(), Compiled::Built, vote("1")),
            trial("gcc-12 -O0", verdict.clone(), Compiled::Built, vote("2")),
            trial("gcc-11 -O0", verdict.clone(), Compiled::Built, vote("2")),
        ];
        assert_eq!(all(&votes), []);
        let found = all(&[trial("gcc-12 -O2", verdict.clone(), crash(), None)]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].verdict, Some(verdict.word()));
        assert_eq!(all(&[trial("gcc-12 -O2", verdict, Compiled::Hang, None)]).len(), 1);
    }
}

#[test]
fn a_rejection_counts_for_plain_programs_or_against_the_compiler_itself() {
    let rejecting = trial("tcc", defined(), reject(), None);
    assert_eq!(all(std::slice::from_ref(&rejecting)).len(), 1);
    assert_eq!(sift(std::slice::from_ref(&rejecting), &mut |_| false, &mut || true), []);
    let split = [
        trial("gcc-12 -O2", defined(), reject(), None),
        trial("gcc-12 -O0", defined(), Compiled::Built, right()),
    ];
    let found = sift(&split, &mut |_| false, &mut || true);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].kind, found[0].suspect), (Kind::Reject, false));
    let by_design = Compiled::Reject("a.c:1: error: inlining failed in call to 'always_inline' 'f'".into());
    let split = [
        trial("gcc-12 -O0", defined(), by_design, None),
        trial("gcc-12 -O2", defined(), Compiled::Built, right()),
    ];
    assert_eq!(all(&split), []);
    let unknown = [
        trial("gcc-12 -O2", unsupported(), reject(), None),
        trial("gcc-12 -O0", unsupported(), Compiled::Built, vote("1")),
    ];
    assert!(all(&unknown)[0].suspect);
    assert_eq!(all(&[trial("gcc-12 -O2", unsupported(), reject(), None)]), []);
}

#[test]
fn votes_make_suspects() {
    let trials = [
        trial("gcc-12 -O2", unsupported(), Compiled::Built, vote("1")),
        trial("gcc-12 -O0", unsupported(), Compiled::Built, vote("2")),
        trial("clang-16 -O0", unsupported(), Compiled::Built, vote("2")),
    ];
    let found = all(&trials);
    assert_eq!(found.len(), 1);
    assert!(found[0].suspect);
    assert_eq!(found[0].configurations, ["gcc-12 -O2"]);
    assert_eq!(sift(&trials, &mut |_| true, &mut || false), []);
    assert_eq!(all(&trials[..2]), []);
}

#[test]
fn compare_debug_is_a_kind_of_its_own() {
    let text = "gcc: error: a.c: '-fcompare-debug' failure (length)\n";
    let found = all(&[trial("gcc-12 -O2 -fcompare-debug", undefined(), Compiled::Reject(text.into()), None)]);
    assert_eq!(found[0].kind, Kind::DebugChangesCode);
    assert_eq!(found[0].signature.to_string(), "debug-changes-code gcc: '-fcompare-debug' failure (length)");
}

#[test]
fn order_of_configurations_does_not_matter() {
    let mut trials = vec![
        trial("gcc-12 -O3", defined(), Compiled::Built, wrong(Difference::Output)),
        trial("gcc-12 -O2", defined(), Compiled::Built, wrong(Difference::Timeout)),
        trial("gcc-11 -O2", defined(), crash(), None),
        trial("tcc", defined(), reject(), None),
        trial("gcc-12 -O0", defined(), crash(), None),
    ];
    let first = all(&trials);
    assert_eq!(first.len(), 3);
    trials.reverse();
    assert_eq!(all(&trials), first);
    for kind in Kind::ALL {
        assert_eq!(Kind::parse(kind.name()), Some(kind));
    }
}
