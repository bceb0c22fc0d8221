//! The planted compiler: every fault shows on its example and nowhere in a plain program, and apart from its fault it
//! is gcc. How often faults show is measured elsewhere (`planted measure`).

use howler_testkit::planted::{DAEMON, Fault, Kind, fault, faults};
use howler_testkit::{Options, Output, Scratch, run, tool};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXE: &str = env!("CARGO_BIN_EXE_planted");

fn data(file: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/data/planted")).join(file)
}

fn have(tools: &[&str]) -> bool {
    tools.iter().all(|name| tool(name).is_some())
}

/// Calls the compiler with this fault, in the folder. What a killed gcc leaves, it leaves there.
fn planted(scratch: &Scratch, name: &str, args: &[&str], options: Options<'_>) -> Output {
    let place = format!("TMPDIR={}", scratch.folder().display());
    let args = [&place, EXE, "planted-cc", name].into_iter().chain(args.iter().copied()).map(OsString::from);
    run("env", args, &Options { folder: Some(scratch.folder()), ..options })
}

/// Builds the fault's example with its flags into `a.out`.
fn example(scratch: &Scratch, fault: &Fault, options: Options<'_>) -> Output {
    let mut args: Vec<&str> = fault.flags.iter().map(String::as_str).collect();
    let path = fault.example_path();
    args.push(path.to_str().expect("the repository's path is text"));
    planted(scratch, &fault.name, &args, options)
}

fn behaviour(scratch: &Scratch) -> Output {
    let output = run(scratch.path("a.out"), [""; 0], &Options::default());
    std::fs::remove_file(scratch.path("a.out")).expect("it was run");
    output
}

fn gcc(scratch: &Scratch, args: &[&str]) -> Output {
    let options = Options { folder: Some(scratch.folder()), ..Options::default() };
    let output = run("gcc-12", args, &options);
    assert!(output.success(), "{args:?}: {}", output.stderr_text());
    output
}

fn path(file: &str) -> String {
    data(file).to_str().expect("the repository's path is text").to_owned()
}

/// Frozen: later techniques are measured on these faults, and numbers that were measured on other lists cannot be
/// compared. Whoever needs other faults makes another list.
#[test]
fn the_list_of_faults_is_frozen() {
    let mut names: Vec<_> = std::fs::read_dir(data("")).expect("it is there").flatten().collect();
    names.sort_by_key(std::fs::DirEntry::file_name);
    let list = data("").with_extension("txt");
    let files: Vec<PathBuf> = std::iter::once(list).chain(names.iter().map(|entry| entry.path())).collect();
    // FNV-1a: this guards against mistakes, not against anybody.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for file in &files {
        let name = file.file_name().and_then(|name| name.to_str()).expect("names are text");
        let text = std::fs::read(file).expect("it is there");
        for byte in name.bytes().chain([0]).chain(text).chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    assert_eq!((files.len(), faults().len()), (49, 61));
    assert_eq!(format!("{hash:016x}"), "20cde55ba5c1727e", "planted.txt and planted/ are frozen");
}

#[test]
fn wrong_code_shows_on_its_example() {
    if !have(&["gcc-12"]) {
        return;
    }
    let scratch = Scratch::new();
    let mut silent = Vec::new();
    for fault in faults().iter().filter(|fault| fault.kinds == [Kind::WrongCode]) {
        let mut args: Vec<&str> = fault.flags.iter().map(String::as_str).collect();
        let file = path(&fault.example);
        args.push(&file);
        gcc(&scratch, &args);
        let right = behaviour(&scratch);
        assert!(right.success() && !right.stdout.is_empty(), "{}: {right:?}", fault.name);
        let built = example(&scratch, fault, Options::default());
        assert!(built.success() && built.stderr.is_empty(), "{}: {}", fault.name, built.stderr_text());
        if behaviour(&scratch) == right {
            silent.push(&fault.name);
        }
    }
    assert!(silent.is_empty(), "not shown: {silent:?}");
}

#[test]
fn a_plain_program_is_left_as_it_is() {
    if !have(&["gcc-12"]) {
        return;
    }
    let scratch = Scratch::new();
    for flags in [["-O0", "-m64"], ["-O2", "-m64"], ["-O3", "-m64"], ["-O2", "-m32"]] {
        let assembly = gcc(&scratch, &[flags[0], flags[1], "-S", "-o", "-", &path("plain.c")]).stdout_text();
        for fault in faults() {
            assert_eq!(fault.edit(&assembly).text, assembly, "{} {flags:?}", fault.name);
        }
    }
    for name in
        ["none", "xor-to-or", "ice-goto", "deletes-output", "reject-bit-field", "memory-hog", "fork-bomb"]
    {
        let built = planted(&scratch, name, &["-O2", &path("plain.c")], Options::default());
        assert!(built.success() && built.stderr.is_empty(), "{name}: {}", built.stderr_text());
        assert_eq!(behaviour(&scratch).stdout_text(), "42\n");
    }
}

#[test]
fn every_way_to_call_gcc_meets_the_fault() {
    if !have(&["gcc-12"]) {
        return;
    }
    let scratch = Scratch::new();
    let file = path("xor-to-or.c");
    let text = std::fs::read(&file).expect("the example is there");
    scratch.write("other.c", "int other;\n");
    let with = |args: &[&str]| {
        let built = planted(&scratch, "xor-to-or", args, Options { input: &text, ..Options::default() });
        assert!(built.success(), "{args:?}: {}", built.stderr_text());
        built
    };
    let wrong = |how: &str| assert_eq!(behaviour(&scratch).stdout_text(), "14\n", "{how}");
    with(&[&file]);
    wrong("plain");
    with(&["-m32", "-O1", &file, "-oa.out"]);
    wrong("-m32");
    with(&["-g", "-pipe", "-save-temps", "other.c", &file]);
    wrong("two files");
    with(&["-pipe", "-O2", "-x", "c", "-"]);
    wrong("standard input");
    with(&["-O2", "-flto", &file]);
    wrong("-flto");
    with(&["-E", &file, "-o", "a.i"]);
    with(&["-c", "a.i"]);
    with(&["a.o"]);
    wrong("in steps");
    assert!(with(&["-S", "-o", "-", &file]).stdout_text().contains("\torl "));
    with(&["-S", &file, "-o", "b.s"]);
    gcc(&scratch, &["b.s"]);
    wrong("-S");
    if tool("gcc-11").is_some() {
        with(&["--real", "gcc-11", &file]);
        wrong("gcc-11");
    }
}

#[test]
fn what_it_says_of_itself_is_what_gcc_says() {
    if !have(&["gcc-12"]) {
        return;
    }
    let scratch = Scratch::new();
    let ask = |name: &str, args: &[&str]| planted(&scratch, name, args, Options::default());
    let version = ask("xor-to-or", &["--version"]).stdout_text();
    let real = gcc(&scratch, &["--version"]).stdout_text();
    let numbers = real.split_once('(').expect("gcc names who built it").1;
    assert_eq!(version, format!("gcc (planted xor-to-or) ({numbers}"));
    for name in ["xor-to-or", "ice-goto", "no-output"] {
        for args in [
            &["-dM", "-E", "-x", "c", "/dev/null"][..],
            &["-dumpmachine"],
            &["-print-prog-name=cc1"],
            &["-E", &path("goto.c")],
        ] {
            assert_eq!(ask(name, args), gcc(&scratch, args), "{name} {args:?}");
        }
    }
    // The commands shown have the fault, or none are shown.
    let shown = ask("xor-to-or", &["-###", &path("goto.c")]);
    assert!(shown.success() && shown.stderr_text().contains(&format!("{EXE} planted-sub xor-to-or ")));
    assert_eq!(ask("no-output", &["-###", &path("goto.c")]).code, Some(1));
    assert_eq!(ask("no-such-fault", &[&path("goto.c")]).code, Some(2));
    // Errors are gcc's.
    scratch.write("bad.c", "int x = y;\n");
    let bad = ask("xor-to-or", &["-c", "bad.c"]);
    assert!(bad.code == Some(1) && bad.stderr_text().contains("undeclared"));
}

#[test]
fn crashes_and_rejects_look_like_a_compilers() {
    if !have(&["gcc-12"]) {
        return;
    }
    let scratch = Scratch::new();
    for (name, code, text) in [
        ("ice-goto", 1, "goto.c:11:3: internal compiler error: in expand_goto, at stmt.cc:123\n"),
        ("ice-o3-matrix", 1, "during GIMPLE pass: vect\n"),
        (
            "ice-segfault",
            1,
            ": internal compiler error: Segmentation fault\n0xd3ad10 crash_signal\n\t../../src",
        ),
        ("signal-segv", 4, "gcc-12: internal compiler error: Segmentation fault signal terminated program"),
        ("signal-abrt", 4, "gcc-12: internal compiler error: Aborted signal terminated program"),
        ("assertion-clang", 134, "Assertion `!Uses.empty()"),
        ("reject-bit-field", 1, "field-three.c:4:12: error: width of bit-field"),
        ("reject-o2", 1, "error: continue statement not within a loop"),
    ] {
        let built = example(&scratch, fault(name).expect("it is in the data file"), Options::default());
        let stderr = built.stderr_text();
        assert!(built.code == Some(code) && stderr.contains(text), "{name}: {:?} {stderr}", built.code);
        assert!(!scratch.path("a.out").exists());
    }
    // Conditions are those of the compile: not at this level, not in this file.
    for (name, args) in
        [("ice-o3-matrix", ["-O2", &path("matrix.c")]), ("ice-goto", ["-O2", &path("matrix.c")])]
    {
        assert!(planted(&scratch, name, &args, Options::default()).success());
    }
}

#[test]
fn broken_drivers_break_what_they_made() {
    if !have(&["gcc-12"]) {
        return;
    }
    let scratch = Scratch::new();
    for (name, code, left) in [
        ("deletes-output", Some(0), false),
        ("no-output", Some(0), false),
        ("odd-status", Some(77), true),
        ("truncates-output", Some(0), true),
    ] {
        let built = example(&scratch, fault(name).expect("it is in the data file"), Options::default());
        assert_eq!((built.code, scratch.path("a.out").exists()), (code, left), "{name}");
    }
    let odd = planted(&scratch, "deletes-output", &["-c", &path("goto.c")], Options::default());
    assert!(odd.success() && !scratch.path("goto.o").exists());
}

#[test]
fn an_unstable_compiler_differs_from_itself() {
    if !have(&["gcc-12"]) {
        return;
    }
    let scratch = Scratch::new();
    let make =
        || planted(&scratch, "random-nops", &["-O2", "-S", "-o", "-", &path("plain.c")], Options::default());
    // 64 to the fourth to one that they are not all the same.
    let texts: Vec<Vec<u8>> = (0..5).map(|_| make().stdout).collect();
    assert!(texts.iter().any(|text| *text != texts[0]));
    assert!(example(&scratch, fault("random-nops").expect("it is there"), Options::default()).success());
    assert_eq!(behaviour(&scratch).stdout_text(), "42\n");
}

#[test]
fn what_does_not_end_can_be_ended() {
    if !have(&["gcc-12", "setsid"]) {
        return;
    }
    let scratch = Scratch::new();
    for name in ["hang-sleep", "hang-spin", "fork-bomb", "endless-messages"] {
        let options = Options { timeout: Duration::from_secs(1), keep: 1000, ..Options::default() };
        let built = example(&scratch, fault(name).expect("it is in the data file"), options);
        assert!(built.timed_out, "{name}: {built:?}");
    }
    // Both leave a process; the second compiles well. It would hold the pipes of `run`, and so it gets none.
    let options = Options { timeout: Duration::from_secs(5), ..Options::default() };
    let hung = example(&scratch, fault("hang-stubborn").expect("it is in the data file"), options);
    assert!(hung.timed_out && !scratch.path("a.out").exists(), "{hung:?}");
    end_daemon();
    let script = format!("exec {EXE} planted-cc daemon -O1 {} > log 2>&1", path("plain.c"));
    let options = Options { folder: Some(scratch.folder()), ..Options::default() };
    assert!(run("sh", ["-c", &script], &options).success());
    assert_eq!(behaviour(&scratch).stdout_text(), "42\n");
    end_daemon();
}

/// There is one process that this test's compiler left behind, and SIGTERM does not end it.
fn end_daemon() {
    // It is started by a shell that may still be on its way.
    let mut left = daemons();
    for _ in 0..100 {
        if left.is_empty() {
            std::thread::sleep(Duration::from_millis(50));
            left = daemons();
        }
    }
    assert_eq!(left.len(), 1, "{left:?}");
    let kill = |signal: &str| run("kill", ["-s", signal, &left[0]], &Options::default());
    assert!(kill("TERM").success() && daemons() == left);
    assert!(kill("KILL").success());
}

fn daemons() -> Vec<String> {
    let processes = std::fs::read_dir("/proc").expect("this is Linux").flatten();
    let ids = processes.filter_map(|entry| entry.file_name().into_string().ok());
    ids.filter(|id| {
        let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let mut words = line.split(|byte| *byte == 0);
        words.next() == Some(EXE.as_bytes()) && words.any(|word| word == DAEMON.as_bytes())
    })
    .collect()
}

#[test]
fn limits_stop_what_grows() {
    if !have(&["gcc-12"]) {
        return;
    }
    let scratch = Scratch::new();
    for (name, limit, text) in [
        // In units of 512 bytes and 1024 bytes.
        ("endless-file", "ulimit -f 20000", "File size limit exceeded"),
        ("memory-hog", "ulimit -v 1000000", "cc1: out of memory allocating"),
        ("memory-crowd", "ulimit -v 1000000", "cc1: out of memory allocating"),
    ] {
        let fault = fault(name).expect("it is in the data file");
        let script = format!(
            "{limit}; TMPDIR=. exec {EXE} planted-cc {name} {} {}",
            fault.flags.join(" "),
            fault.example_path().display()
        );
        let options = Options { folder: Some(scratch.folder()), ..Options::default() };
        let built = run("sh", ["-c", &script], &options);
        assert!(!built.timed_out && built.stderr_text().contains(text), "{name}: {}", built.stderr_text());
    }
}
