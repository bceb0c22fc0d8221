//! A hunt against compilers with a bug each: it finds the bug, calls it by its name, and leaves nothing behind. This
//! executable is the compiler, so it has its own `main`. With `HOWLER_SOAK=1` all faults, otherwise some of each kind.

mod common;

use std::collections::BTreeSet;
use std::time::Instant;

use common::{Lair, found};
use howler_testkit::planted::{DAEMON, Fault, Kind, faults, main_if_asked};
use howler_testkit::{soak, tool};
use libtest_mimic::{Arguments, Failed, Trial};

/// Some of each kind, none of which takes much processor time.
const SELECTION: [&str; 12] = [
    "none",
    "sar-to-shr-32",
    "adc-to-add",
    "flaky-xor",
    "random-nops",
    "ice-goto",
    "signal-segv",
    "hang-sleep",
    "daemon",
    "memory-hog",
    "reject-o2",
    "deletes-output",
];

fn main() {
    main_if_asked();
    let mut arguments = Arguments::from_args();
    // Memory and time are what these faults take: one at a time, unless told otherwise.
    arguments.test_threads.get_or_insert(1);
    let chosen = faults().iter().filter(|fault| soak() || SELECTION.contains(&fault.name.as_str()));
    let mut trials: Vec<Trial> =
        chosen.map(|fault| Trial::test(fault.name.clone(), || run(|| hunted(fault)))).collect();
    trials.push(Trial::test("every_kind_is_in_the_selection", || run(every_kind_is_in_the_selection)));
    libtest_mimic::run(&arguments, trials).exit();
}

fn run(test: impl FnOnce()) -> Result<(), Failed> {
    test();
    Ok(())
}

fn every_kind_is_in_the_selection() {
    let kinds = |fault: &Fault| fault.kinds.first().copied();
    let all: BTreeSet<_> = faults().iter().filter_map(kinds).collect();
    let some = faults().iter().filter(|fault| SELECTION.contains(&fault.name.as_str()));
    assert_eq!(some.clone().filter_map(kinds).collect::<BTreeSet<_>>(), all);
    assert_eq!(some.count(), SELECTION.len());
}

/// Hunts the compiler with this fault.
fn hunted(fault: &'static Fault) {
    if tool("gcc-12").is_none() {
        return;
    }
    let lair = Lair::new();
    let executable = std::env::current_exe().expect("this executable has a path");
    let script = format!("#!/bin/sh\nexec {} planted-cc {} \"$@\"\n", executable.display(), fault.name);
    let mut compiler = lair.script("planted-cc", &script);
    corpus(&lair, fault);
    // A hang costs many times this; anything else must not look like one on a busy machine.
    let seconds = match (soak(), fault.kinds.first()) {
        (true, Some(Kind::Hang | Kind::Memory)) => 4,
        (false, Some(Kind::Hang)) => 1,
        (_, _) => 10,
    };
    lair.write("hunt/campaign.toml", format!("compile-seconds = {seconds}\n"));
    let mut level: Vec<&str> = fault.flags.iter().map(String::as_str).collect();
    if let Some(at) = level.iter().position(|flag| *flag == "-m32") {
        level.remove(at);
        // What programs mean then is known only if floating arithmetic is done as on other machines.
        compiler.push_str(" -m32 -msse2 -mfpmath=sse");
    }
    let level = if level.is_empty() { "-O0".to_owned() } else { level.join(" ") };
    let start = Instant::now();
    let mut args = vec!["hunt", "--dir", "hunt", "--cc", &compiler, "--corpus", "corpus"];
    args.extend(["--tests", "1000", "--swarm", "0", "--extras", "0", "--jobs", "2", "--json"]);
    if !soak() {
        args.extend(["--level", &level]);
        // Code that every configuration rejects is not held against any, and -m32 needs -O0: with SSE, optimised
        // code adds 64 bits at once. A hang is paid for by the level.
        if fault.kinds.first() != Some(&Kind::Hang) && level != "-O0" {
            args.extend(["--level", "-O0"]);
        }
    }
    let output = lair.howler(&args);
    let found = found(&output);
    let seconds = start.elapsed().as_secs_f64();
    lair.assert_nothing_left();
    assert_eq!(daemons(&executable), 0, "{DAEMON}");

    let sure: BTreeSet<&str> = found.iter().filter(|one| one.1).map(|one| one.0.as_str()).collect();
    let apart: BTreeSet<&str> = found.iter().filter(|one| !one.1).map(|one| one.0.as_str()).collect();
    let allowed: BTreeSet<&str> = fault.kinds.iter().map(|kind| kind.name()).collect();
    println!("| {} | {} | {} | {} | {seconds:.1} |", fault.name, list(&allowed), list(&sure), list(&apart));
    assert!(sure.is_subset(&allowed), "{}: {found:?} and not {allowed:?}", fault.name);
    let nothing = fault.kinds.contains(&Kind::Nothing);
    let kept_apart = fault.kinds.contains(&Kind::Flaky) && !apart.is_empty();
    assert!(nothing || kept_apart || !sure.is_empty(), "{}: not found ({found:?})", fault.name);
    let status = i32::from(!sure.is_empty());
    assert_eq!(output.code, Some(status), "{}", output.stderr_text());
}

fn list(words: &BTreeSet<&str>) -> String {
    words.iter().copied().collect::<Vec<_>>().join(" ")
}

/// The fault's example, and programs that have nothing to do with it.
fn corpus(lair: &Lair, fault: &Fault) {
    let example = std::fs::read_to_string(fault.example_path()).expect("the example is there");
    lair.write("corpus/example.c", &example);
    for number in 0..3 {
        lair.write(&format!("corpus/harmless{number}.c"), format!("int main(void) {{ return {number}; }}\n"));
    }
    // What comes by chance needs more than one; one test in sixteen is built twice, to see whether that differs.
    let copies = match fault.kinds.first() {
        Some(Kind::Unstable) if fault.kinds.contains(&Kind::Flaky) => 8,
        Some(Kind::Unstable) => 64,
        _ => 0,
    };
    for number in 0..copies {
        lair.write(&format!("corpus/more{number}.c"), format!("int more{number};\n{example}"));
    }
}

/// Processes that a compiler of ours left.
fn daemons(executable: &std::path::Path) -> usize {
    let path = executable.as_os_str().as_encoded_bytes();
    let commands = std::fs::read_dir("/proc").expect("there is /proc").flatten();
    let commands = commands.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    commands
        .filter(|command| {
            let mut words = command.split(|&byte| byte == 0);
            words.next() == Some(path) && words.any(|word| word == DAEMON.as_bytes())
        })
        .count()
}
