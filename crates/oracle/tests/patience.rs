//! Compilers that take long, or for ever, and whoever asks again and again. Without libtest's harness: this executable is the
//! guard too.

mod support;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use howler_case::{Case, Status};
use howler_oracle::interesting::{Answer, Interesting, Pool, Script};
use howler_oracle::sighting::Kind;
use howler_toolchain::guard::serve_if_asked;
use support::{SIGN, SMALL, case, configurations, examined_one, kinds, lab, outside_tmp, wrapped, wrapper};

fn main() {
    serve_if_asked();
    support::run(&[
        ("hanging_compilers", hanging_compilers),
        ("a_slow_compiler_is_waited_for", a_slow_compiler_is_waited_for),
        ("after_a_hang_nothing_else_is_said", after_a_hang_nothing_else_is_said),
        ("memory_that_looks_like_a_hang", memory_that_looks_like_a_hang),
        ("what_takes_too_long_is_left_for_later", what_takes_too_long_is_left_for_later),
        ("undefined_programs_start_no_compiler", undefined_programs_start_no_compiler),
        ("hangs_are_asked_about_a_few_times", hangs_are_asked_about_a_few_times),
        ("crashes_are_told_apart", crashes_are_told_apart),
        ("a_script_is_asked", a_script_is_asked),
        ("the_first_of_many_is_the_same", the_first_of_many_is_the_same),
    ]);
}

fn hanging_compilers() {
    let (finding, kind) = examined_one("while :; do :; done", SMALL);
    assert_eq!((kind, finding.status), (Kind::Hang, Status::Confirmed));
    let (finding, kind) = examined_one("exec sleep 1000", SMALL);
    assert_eq!((kind, finding.status), (Kind::Hang, Status::Confirmed));
    let (_, kind) = examined_one("exec yes", SMALL);
    assert_eq!(kind, Kind::Broken);
}

/// Far slower than usual is no hang: what counts is the whole limit.
fn a_slow_compiler_is_waited_for() {
    let folder = outside_tmp();
    let (all, _) = wrapped(folder.path(), "cc", "sleep 1; exec gcc \"$@\"");
    let mut lab = lab();
    lab.options.least = Duration::from_millis(100);
    lab.options.compile.cpu = Duration::from_secs(30);
    for number in 0..20 {
        lab.examine(&case(&format!("int main(void) {{ return {number}; }}\n")), &all[..1]).unwrap();
    }
    let examined = lab.examine(&case(SMALL), &all).unwrap();
    assert_eq!(kinds(&examined), []);
    assert_eq!((examined.builds, examined.untried), (2, vec![]));
    assert_eq!(examined.runs_of.values().sum::<u32>(), examined.runs);
}

/// What is said of a compiler that hangs depends on nothing but the whole limit, so those of its configurations that
/// come later are not looked at.
fn after_a_hang_nothing_else_is_said() {
    let folder = outside_tmp();
    let script = "case \"$*\" in *-O0*) kill -6 $$ ;; *-O1*) exec sleep 1000 ;; *-O2*) kill -11 $$ ;; esac";
    let name = wrapper(folder.path(), "cc", script).display().to_string();
    let level = |level: &str| format!("{name} {level}");
    let Some(all) =
        configurations(&[&level("-O0"), &level("-O1"), &level("-O2"), &level("-O1 -g"), "gcc -O2"])
    else {
        return;
    };
    let mut lab = lab();
    lab.options.least = Duration::from_millis(100);
    lab.options.compile.cpu = Duration::from_secs(1);
    lab.options.compile.wall = Duration::from_secs(2);
    lab.options.patience = 2;
    let examined = lab.examine(&case(SMALL), &all).unwrap();
    let expected = [(Kind::Crash, vec![level("-O0")]), (Kind::Hang, vec![level("-O1")])];
    assert_eq!(kinds(&examined), expected);
    assert_eq!((examined.builds, examined.runs, examined.untried), (3, 1, vec![]));
    let finding = lab.confirm(&case(SMALL), &examined.sightings[1], &all).unwrap();
    assert_eq!((finding.status, finding.attempts.len()), (Status::Confirmed, 1));
}

/// The first look had no time to see what the second one sees.
fn memory_that_looks_like_a_hang() {
    let script = "sleep 2.2; head -c 3000000000 /dev/zero | tail -n 1";
    let (finding, kind) = examined_one(script, SMALL);
    assert_eq!((kind, finding.sighting.kind, finding.status), (Kind::Hang, Kind::Memory, Status::Confirmed));
    assert_eq!(finding.sighting.signature.to_string(), "memory gcc: driver");
}

/// At a glance a test may take as long as ten ordinary ones; the whole look then gives what it always gives.
fn what_takes_too_long_is_left_for_later() {
    let folder = outside_tmp();
    let script = "case \"$(cat *.[ci])\" in *slow*) i=0; while test $i -lt 2000000; do i=$((i + 1)); done ;; esac; exec gcc \"$@\"";
    let (all, _) = wrapped(folder.path(), "cc", script);
    let mut lab = lab();
    lab.options.least = Duration::from_millis(100);
    lab.options.compile.cpu = Duration::from_secs(30);
    lab.options.compile.wall = Duration::from_secs(60);
    for number in 0..8 {
        let quick = case(&format!("int main(void) {{ return {number}; }}\n"));
        assert!(lab.glance(&quick, &all[1..]).unwrap().is_some());
    }
    // What is ordinary is known now; on a machine that is far slower than usual even this may take longer.
    let slow = case("int main(void) { int slow = 3; return slow; }\n");
    let before = lab.guard.spent();
    assert!(lab.glance(&slow, &all[1..]).unwrap().is_none());
    assert!(lab.guard.spent() > before);
    let examined = lab.examine(&slow, &all[1..]).unwrap();
    assert_eq!((examined.runs, kinds(&examined)), (1, vec![]));
}

fn undefined_programs_start_no_compiler() {
    let Some(all) = configurations(&["tcc"]) else { return };
    let mut lab = lab();
    let examined = lab.examine(&case(SIGN), &all).unwrap();
    let [sighting] = &examined.sightings[..] else { panic!("{:?}", examined.sightings) };
    let stop = AtomicBool::new(false);
    let question = Interesting::of(sighting, all, &stop);
    assert!(matches!(question.ask(&mut lab, &case(SIGN)).unwrap(), Answer::Yes(Some(_))));
    assert_eq!(question.ask(&mut lab, &case(SMALL)).unwrap(), Answer::No);
    let before = lab.guard.spent();
    let undefined =
        "int main(void) { signed char c = -1; int x; return x + ((unsigned short)c != 65535); }\n";
    for bad in [undefined, "int main(void) { return y; }\n", "", "\0"] {
        assert_eq!(question.ask(&mut lab, &case(bad)).unwrap(), Answer::No, "{bad}");
    }
    assert_eq!(lab.guard.spent(), before);
    stop.store(true, Ordering::SeqCst);
    assert_eq!(question.ask(&mut lab, &case(SIGN)).unwrap(), Answer::Stopped);
}

fn hangs_are_asked_about_a_few_times() {
    let folder = outside_tmp();
    let (all, _) = wrapped(folder.path(), "cc", "exec sleep 1000");
    let mut lab = lab();
    lab.options.compile.wall = Duration::from_millis(300);
    let sighting = lab.examine(&case(SMALL), &all[1..]).unwrap().sightings.remove(0);
    let stop = AtomicBool::new(false);
    let question = Interesting::of(&sighting, all[1..].to_vec(), &stop);
    let answers: Vec<bool> = (0..9).map(|_| question.ask(&mut lab, &case(SMALL)).unwrap().is_yes()).collect();
    assert_eq!(answers.iter().filter(|&&yes| yes).count(), 6);
}

fn crashes_are_told_apart() {
    let folder = outside_tmp();
    let script = "case \"$(cat *.[ci])\" in *two*) f=two ;; *) f=one ;; esac
        echo \"test.c:1:2: internal compiler error: in $f, at g.cc:12\" >&2; exit 4";
    let (all, _) = wrapped(folder.path(), "cc", script);
    let mut lab = lab();
    let sighting = lab.examine(&case(SMALL), &all[1..]).unwrap().sightings.remove(0);
    let stop = AtomicBool::new(false);
    let other = case("int two; int main(void) { return two; }\n");
    let any = Interesting::of(&sighting, all[1..].to_vec(), &stop);
    assert!(any.ask(&mut lab, &other).unwrap().is_yes());
    let one = Interesting::of(&sighting, all[1..].to_vec(), &stop).just_this(&sighting.signature);
    assert!(one.ask(&mut lab, &case(SMALL)).unwrap().is_yes());
    assert_eq!(one.ask(&mut lab, &other).unwrap(), Answer::No);
}

fn a_script_is_asked() {
    let folder = outside_tmp();
    let script = wrapper(folder.path(), "ask", "");
    std::fs::write(&script, "#!/bin/sh\ntest \"$(ls)\" = test.c && grep -q 'return 3' test.c\n").unwrap();
    let stop = AtomicBool::new(false);
    let question = Interesting::script(Script::new(&script).unwrap(), Duration::from_secs(60), &stop);
    let mut lab = lab();
    assert_eq!(question.ask(&mut lab, &case(SMALL)).unwrap(), Answer::Yes(None));
    assert_eq!(question.ask(&mut lab, &case("int x;\n")).unwrap(), Answer::No);
}

fn the_first_of_many_is_the_same() {
    let Some(all) = configurations(&["tcc"]) else { return };
    let mut one = lab();
    let sighting = one.examine(&case(SIGN), &all).unwrap().sightings.remove(0);
    let stop = AtomicBool::new(false);
    let question = Interesting::of(&sighting, all, &stop);
    let with = |wrong: &[usize]| -> Vec<Case> {
        (0..12).map(|at| case(if wrong.contains(&at) { SIGN } else { SMALL })).collect()
    };
    let mut pool = Pool::new(vec![one, lab(), lab()]);
    for wrong in [&[][..], &[0], &[5, 6], &[3, 9, 10, 11], &[11]] {
        let found = pool.first(&question, &with(wrong)).unwrap();
        assert_eq!(found.map(|(at, _)| at), wrong.first().copied());
    }
    stop.store(true, Ordering::SeqCst);
    assert!(pool.first(&question, &with(&[1])).unwrap().is_none());
}
