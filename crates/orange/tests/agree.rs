//! The expected values against the machine, gcc -O0 and clang -O0, on both targets; and UBSan, which must be silent.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

use howler_case::Origin;
use howler_choices::Choices;
use howler_lang::target::{Arch, Compiler, Target};
use howler_lang::verify;
use howler_machine::judge::{JudgeOptions, Judgement, judge};
use howler_orange::{Feature, Features, Form, Options, Repair, Test, generate};
use howler_testkit::{Output, Scratch, run, soak, tool};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const TARGETS: [Target; 4] = [
    Target::X86_64_GCC,
    Target { compiler: Compiler::Clang, ..Target::X86_64_GCC },
    Target { arch: Arch::I386, ..Target::X86_64_GCC },
    Target { arch: Arch::I386, compiler: Compiler::Clang, ..Target::X86_64_GCC },
];

/// The test of a number: target, form and way of repair take turns.
fn numbered(number: u64) -> Test {
    let target = TARGETS[number as usize % TARGETS.len()];
    let options = Options {
        operations: if soak() { (10, 100_000) } else { (10, 4_000) },
        repair: if number % 8 < 6 { Repair::Flip } else { Repair::Insert },
        swarm: number.is_multiple_of(3),
        files: if number.is_multiple_of(11) { 3 } else { 0 },
        ..Options::default()
    };
    options.validate().unwrap();
    generate(&options, target, &mut Choices::new(number))
}

fn compiler(target: Target) -> (&'static str, Vec<&'static str>) {
    let name = if target.compiler == Compiler::Gcc { "gcc-12" } else { "clang-16" };
    let mut flags = vec!["-std=gnu17", "-w", "-ffp-contract=off"];
    if target.arch == Arch::I386 {
        flags.extend(["-m32", "-msse2", "-mfpmath=sse"]);
    }
    (name, flags)
}

fn files(test: &Test, scratch: &Scratch) -> Vec<PathBuf> {
    test.render().iter().map(|(name, text)| scratch.write(name, text)).collect()
}

fn compile_and_run(
    cc: &Path,
    flags: &[&str],
    files: &[PathBuf],
    scratch: &Scratch,
) -> Result<Output, String> {
    let binary = scratch.path("test");
    let mut args: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
    args.extend(files.iter().map(|file| file.display().to_string()));
    args.extend(["-o".to_owned(), binary.display().to_string()]);
    let options = howler_testkit::Options {
        timeout: std::time::Duration::from_secs(600),
        ..howler_testkit::Options::default()
    };
    let compiled = run(cc, &args, &options);
    if compiled.timed_out {
        return Err(format!("no end in {} s", options.timeout.as_secs()));
    }
    if !compiled.success() {
        return Err(compiled.stderr_text());
    }
    Ok(run(&binary, [""; 0], &options))
}

/// What went through.
#[derive(Default)]
struct Tally {
    programs: AtomicU64,
    operations: AtomicU64,
    bytes: AtomicU64,
    gcc: AtomicU64,
    clang: AtomicU64,
    large: AtomicU64,
}

impl Tally {
    fn print(&self) {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        println!(
            "{} programs, {} operations, {:.1} MB agree with the machine; {} compiled by gcc, {} by clang, \
             {} of them of more than 20,000 operations",
            get(&self.programs),
            get(&self.operations),
            get(&self.bytes) as f64 / 1e6,
            get(&self.gcc),
            get(&self.clang),
            get(&self.large)
        );
    }
}

/// Keeps the files of a test that failed, and fails.
fn fail(number: u64, test: &Test, why: &str) -> ! {
    let folder = std::env::temp_dir().join(format!("howler-orange-failed-{number}"));
    let _ = std::fs::create_dir_all(&folder);
    for (name, text) in test.render() {
        let _ = std::fs::write(folder.join(name), text);
    }
    panic!("test {number} ({}), kept in {}: {why}", test.target.name(), folder.display());
}

fn machine_agrees(number: u64, test: &Test) {
    let expected = test.behaviour();
    let judged = judge(&test.program(), &JudgeOptions { runs: 2, ..JudgeOptions::default() });
    match judged.judgement {
        Judgement::Defined { behaviour: defined, caveats } if caveats.is_empty() => {
            if (defined.end, &defined.output) != (expected.end, &expected.output) {
                fail(number, test, &String::from_utf8_lossy(&defined.output));
            }
        }
        other => fail(number, test, &format!("{other:?}")),
    }
}

fn compiler_agrees(number: u64, test: &Test, target: Target) {
    let (name, flags) = compiler(target);
    let Some(cc) = tool(name) else { return };
    let scratch = Scratch::new();
    let files = files(test, &scratch);
    let flags: Vec<&str> = flags.into_iter().chain(["-O0"]).collect();
    match compile_and_run(&cc, &flags, &files, &scratch) {
        Ok(output) if output.code == Some(0) && output.stdout == test.behaviour().output => {}
        Ok(output) => fail(number, test, &format!("{name}: {}", output.stdout_text())),
        Err(error) => fail(number, test, &format!("{name}: {error}")),
    }
}

#[test]
fn expected_values_are_those_of_machine_and_compilers() {
    let count = if soak() { 20_000 } else { 500 };
    // The compilers need hours for all of a soak: it can be done in parts.
    let first: u64 = std::env::var("HOWLER_SOAK_FROM").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let (next, tally) = (AtomicU64::new(first), Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    one(number, &tally);
                    if soak() && number.is_multiple_of(500) {
                        print!("{number}: ");
                        tally.print();
                    }
                }
            });
        }
    });
    tally.print();
}

fn one(number: u64, tally: &Tally) {
    let test = numbered(number);
    if number.is_multiple_of(50) {
        let faults = verify::program(&test.program());
        assert!(faults.is_empty(), "test {number}: {faults:?}");
    }
    machine_agrees(number, &test);
    let add = |counter: &AtomicU64, more: u64| counter.fetch_add(more, Ordering::Relaxed);
    add(&tally.programs, 1);
    add(&tally.operations, test.stats.operations);
    add(&tally.bytes, test.render().iter().map(|(_, text)| text.len() as u64).sum());
    // One in ten of each target by its own compiler, one in forty by the other one too. One function of 100,000
    // operations can take gcc -O0 minutes and gigabytes: most of those are clang's.
    let turn = number / TARGETS.len() as u64;
    let large = test.stats.operations > 20_000;
    let mut compilers = Vec::new();
    if turn.is_multiple_of(10) {
        compilers.push(if large && !turn.is_multiple_of(200) {
            Compiler::Clang
        } else {
            test.target.compiler
        });
    }
    if turn.is_multiple_of(40) && !large {
        let other = [Compiler::Gcc, Compiler::Clang].into_iter().find(|&other| other != test.target.compiler);
        compilers.extend(other);
    }
    for compiler in compilers {
        compiler_agrees(number, &test, Target { compiler, ..test.target });
        add(if compiler == Compiler::Gcc { &tally.gcc } else { &tally.clang }, 1);
        add(&tally.large, u64::from(large));
    }
}

#[test]
fn ubsan_is_silent() {
    let Some(cc) = tool("clang-16") else { return };
    let count: u64 = if soak() { 300 } else { 12 };
    for number in 0..count {
        let options = Options {
            operations: (10, 5_000),
            swarm: number.is_multiple_of(2),
            repair: if number.is_multiple_of(3) { Repair::Insert } else { Repair::Flip },
            features: match number % 4 {
                0 => Features::ALL.without(Feature::Cast).without(Feature::Unary),
                1 => Features::ALL.without(Feature::Division).without(Feature::Bitwise),
                _ => Options::default().features,
            },
            strict: true,
            ..Options::default()
        };
        let target = TARGETS[1];
        let test = generate(&options, target, &mut Choices::new(1_000_000 + number));
        let scratch = Scratch::new();
        let files = files(&test, &scratch);
        let flags = [
            "-std=gnu17",
            "-w",
            "-O0",
            "-fsanitize=undefined,float-cast-overflow,float-divide-by-zero",
            "-fno-sanitize-recover=all",
        ];
        match compile_and_run(&cc, &flags, &files, &scratch) {
            Ok(output) => assert_eq!(
                (output.code, output.stderr_text().as_str(), output.stdout_text().as_str()),
                (Some(0), "", "0 wrong\n"),
                "test {number}"
            ),
            Err(error) => panic!("test {number}: {error}"),
        }
    }
}

#[test]
fn a_case_says_what_its_target_must_do() {
    let test = numbered(2);
    let origin = Origin { arm: "orange".to_owned(), version: "0.1.0".to_owned(), seed: 2, index: 0 };
    let case = test.case(origin);
    assert_eq!(case.files.len(), 1);
    assert_eq!(case.expected[&(test.target, 0)].output, b"0 wrong\n");
    assert_eq!(test.form, Form::Whole);
}
