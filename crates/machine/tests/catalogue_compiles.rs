//! The catalogue without the machine: every program is accepted C, near-misses do natively what they say, and no
//! kind is forgotten. What the machine says about them is another test's.

mod catalogue;

use crate::catalogue::{Expect, Section, sections};
use howler_machine::ub::UbKind;
use howler_testkit::{Options, Output, Scratch, run, soak, tool};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The compilers that must accept every program.
const COMPILERS: [&str; 2] = ["gcc-12", "clang-16"];

#[test]
fn every_kind_has_failing_programs_and_near_misses() {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for section in sections() {
        let code = section.place.split(".c:").next().expect("split yields one part").to_owned();
        let count = counts.entry(code).or_default();
        match section.expect {
            Expect::Fail(_) => count.0 += 1,
            Expect::Pass => count.1 += 1,
            _ => {}
        }
    }
    for kind in UbKind::ALL {
        let (fail, pass) = counts.get(kind.code()).copied().unwrap_or_default();
        assert!(fail >= 3 && pass >= 3, "{}: {fail} failing programs and {pass} near-misses", kind.code());
    }
}

#[test]
fn sections_say_what_their_kind_needs() {
    let codes: Vec<_> = UbKind::ALL.iter().map(|kind| kind.code()).collect();
    for section in sections() {
        let title = section.title();
        if let Expect::Fail(code) = &section.expect {
            assert!(codes.contains(&code.as_str()), "{title}: {code} is no kind");
            assert!(section.ub_line.is_some(), "{title}: no line is marked");
        } else {
            assert_eq!(section.ub_line, None, "{title}: a line is marked");
        }
        for other in &section.alternatives {
            assert!(other == "unspecified" || codes.contains(&other.as_str()), "{title}: {other} is no kind");
        }
        assert!(section.files.iter().all(|(_, text)| !text.trim().is_empty()), "{title}: an empty file");
    }
}

#[test]
fn the_thirty_one_are_all_there() {
    let mut numbers: Vec<_> = sections()
        .iter()
        .filter(|section| matches!(section.expect, Expect::Fail(_)))
        .filter_map(|section| section.thirty_one)
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=31).collect::<Vec<_>>());
}

#[test]
fn every_open_choice_has_programs_and_most_of_them_differ() {
    let mut items: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
    for section in sections() {
        let code = section.place.split(".c:").next().expect("split yields one part").to_owned();
        if code.starts_with("open-") {
            let count = items.entry(code).or_default();
            count.0 += usize::from(matches!(section.expect, Expect::Open | Expect::TraceOpen));
            count.1 += usize::from(section.expect == Expect::Pass);
            count.2 += usize::from(section.differs || section.exploited);
        }
    }
    assert!(items.len() >= 9, "{items:?}");
    for (item, (open, pass, differ)) in items {
        assert!(open >= 3 && pass >= 3, "{item}: {open} that depend on it, {pass} that seem to");
        // A trace is not output: there is nothing to compare natively. What the host decides compilers do not.
        let alike = item == "open-volatile" || item == "open-host";
        assert!(2 * differ >= open || alike, "{item}: {differ} of {open} differ");
    }
}

#[test]
fn two_hundred_failing_programs_really_differ() {
    let differ = sections()
        .iter()
        .filter(|section| matches!(section.expect, Expect::Fail(_)) && (section.exploited || section.differs))
        .count();
    assert!(differ >= 200, "only {differ}");
}

#[test]
fn every_program_is_accepted_c() {
    let Some(compilers) = compilers() else { return };
    // Near-misses are built and run below.
    let programs: Vec<_> = sections()
        .into_iter()
        .filter(|section| !matches!(section.expect, Expect::BadProgram | Expect::Pass | Expect::TraceOpen))
        .collect();
    each(&programs, |_, section| {
        let scratch = Scratch::new();
        let sources = write(section, &scratch);
        for compiler in &compilers {
            let mut arguments = arguments(section, &sources);
            arguments.push("-fsyntax-only".into());
            let output = run(compiler, arguments, &Options::default());
            if !output.success() {
                return Err(format!("{} rejects it: {}", compiler.display(), output.stderr_text()));
            }
        }
        Ok(())
    });
}

#[test]
fn near_misses_do_natively_what_they_say() {
    let Some(compilers) = compilers() else { return };
    let programs: Vec<_> = sections()
        .into_iter()
        .filter(|section| matches!(section.expect, Expect::Pass | Expect::TraceOpen))
        .collect();
    each(&programs, |index, section| {
        let scratch = Scratch::new();
        let sources = write(section, &scratch);
        // Linking takes most of the time: every program sees both compilers and both levels, the long version of
        // this test also the other two pairs.
        let levels = if index % 2 == 0 { ["-O0", "-O2"] } else { ["-O2", "-O0"] };
        let mut configurations: Vec<_> = compilers.iter().zip(levels).collect();
        if soak() {
            configurations.extend(compilers.iter().zip(levels.into_iter().rev()));
        }
        if section.clang {
            configurations = levels.into_iter().map(|level| (&compilers[1], level)).collect();
        }
        for (compiler, level) in configurations {
            let output = build_and_run(section, &scratch, &sources, compiler, level)?;
            if !output.success() || output.stdout_text() != section.output() {
                return Err(format!(
                    "{} {level}: status {:?}, signal {:?}, printed {:?}",
                    compiler.display(),
                    output.code,
                    output.signal,
                    output.stdout_text()
                ));
            }
        }
        Ok(())
    });
}

fn compilers() -> Option<Vec<PathBuf>> {
    COMPILERS.into_iter().map(tool).collect()
}

fn write(section: &Section, scratch: &Scratch) -> Vec<PathBuf> {
    section.files.iter().map(|(name, text)| scratch.write(name, text)).collect()
}

fn arguments(section: &Section, sources: &[PathBuf]) -> Vec<OsString> {
    let flags = section.flags().into_iter().map(OsString::from);
    flags.chain(sources.iter().map(|source| source.clone().into_os_string())).collect()
}

fn build_and_run(
    section: &Section,
    scratch: &Scratch,
    sources: &[PathBuf],
    compiler: &Path,
    level: &str,
) -> Result<Output, String> {
    let program = scratch.path("program");
    let mut arguments = arguments(section, sources);
    arguments.extend([level.into(), "-o".into(), program.clone().into_os_string()]);
    let built = run(compiler, arguments, &Options::default());
    if !built.success() {
        return Err(format!("{} {level} rejects it: {}", compiler.display(), built.stderr_text()));
    }
    Ok(run(&program, [""; 0], &Options::default()))
}

/// Checks all programs on all cores and fails with every complaint at once.
fn each(programs: &[Section], check: impl Fn(usize, &Section) -> Result<(), String> + Sync) {
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(section) = programs.get(index) else { break };
                    if let Err(complaint) = check(index, section) {
                        let line = format!("{}: {complaint}", section.title());
                        complaints.lock().expect("no worker panics while it holds the lock").push(line);
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("no worker panics while it holds the lock");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
