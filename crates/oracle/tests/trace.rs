//! Volatile accesses of real binaries against the machine's. Without libtest's harness: this executable is the guard too.
//!
//! `HOWLER_SOAK=1` traces every program at every level, and a hundred of Csmith's.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use howler_case::{Case, Origin, Status};
use howler_lang::target::{Std, Target};
use howler_oracle::finding::Finding;
use howler_oracle::judge::{Verdict, Word, judge_one};
use howler_oracle::lab::{Configuration, Examined, Lab, Options};
use howler_oracle::sighting::Kind;
use howler_toolchain::guard::{Guard, GuardOptions, serve_if_asked};
use howler_toolchain::preprocess::{
    Headers, Input, PreprocessOptions, Preprocessor, for_compilers, preprocess,
};
use libtest_mimic::{Arguments, Trial};

fn main() {
    serve_if_asked();
    let tests: &[(&str, fn())] = &[
        ("right_programs_have_the_machines_trace", right_programs_have_the_machines_trace),
        ("what_cannot_be_traced_is_not", what_cannot_be_traced_is_not),
        ("a_dropped_store_is_found", a_dropped_store_is_found),
        ("a_dropped_load_is_found", a_dropped_load_is_found),
        ("a_second_load_is_found", a_second_load_is_found),
        ("a_narrow_load_is_found", a_narrow_load_is_found),
        ("gcc_12_stores_once_more_after_a_loop", gcc_12_stores_once_more_after_a_loop),
        ("without_the_option_nothing_is_traced", without_the_option_nothing_is_traced),
        ("many_accesses_are_compared_as_far_as_they_are_known", many_accesses),
        ("programs_of_csmith", programs_of_csmith),
    ];
    let trials = tests.iter().map(|&(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

fn lab() -> Lab {
    let guard = Guard::start(&GuardOptions::default()).unwrap();
    let mut options = Options { trace_volatile: true, ..Options::default() };
    options.judge.limits.steps = 10_000_000;
    Lab::new(guard, Preprocessor::find(None).unwrap(), options)
}

fn case(text: &str) -> Case {
    let origin = Origin { arm: "test".into(), version: "0".into(), seed: 0, index: 0 };
    Case::new("test.c", text, Std::GNU17, origin)
}

fn soak() -> bool {
    std::env::var_os("HOWLER_SOAK").is_some()
}

/// The configurations, or nothing with a line that says what is missing.
fn configurations<S: AsRef<str>>(commands: &[S]) -> Option<Vec<Configuration>> {
    let mut found = Vec::new();
    for command in commands {
        match Configuration::parse(command.as_ref()) {
            Ok(configuration) => found.push(configuration),
            Err(error) => {
                howler_testkit::skip(&error.to_string());
                return None;
            }
        }
    }
    Some(found)
}

fn kinds(examined: &Examined) -> Vec<(Kind, Vec<String>)> {
    examined.sightings.iter().map(|found| (found.kind, found.configurations.clone())).collect()
}

/// Each has one trace. `P` is printf's prototype.
const PROGRAMS: &[&str] = &[
    "volatile int v; int main(void) { v = 3; return v; }",
    "volatile int v = 5; int main(void) { v; v; return 0; }",
    "volatile int v = 5; int main(void) { v++; ++v; v--; --v; return v; }",
    "volatile int v = 5; int main(void) { v += 3; v -= 1; v *= 2; v /= 3; v %= 3; v <<= 2; v >>= 1; v |= 8; v &= 12; v ^= 5; return v; }",
    "static volatile char v; int main(void) { v = 'a'; v += 1; return v == 'b'; }",
    "static volatile unsigned char v = 250; int main(void) { for (int i = 0; i < 10; i++) v++; return v; }",
    "volatile short v = -1; int main(void) { unsigned x = v; v = 0x1234; return x + v == 0x1233; }",
    "volatile long v; int main(void) { v = 0x123456789abcdef0; return (v >> 60) == 1; }",
    "volatile unsigned long long v = 1; int main(void) { while (v < 1000000000000) v *= 10; return v == 1000000000000; }",
    "volatile float v; int main(void) { v = 1.5f; v = v * 2; v += 1; return v; }",
    "volatile double v = 0.25; int main(void) { double d = v; v = d * 4; return v == 1; }",
    "volatile double d; volatile float f; volatile long l = 7; int main(void) { d = l; f = d; l = f; return l; }",
    "volatile _Bool v; int main(int argc, char **argv) { v = argc == 1; v = !v; return v; }",
    "enum e { A, B = 70000 }; volatile enum e v; int main(void) { v = B; return v == B; }",
    "volatile int a[4] = {1, 2, 3, 4}; int main(void) { for (int i = 0; i < 3; i++) { int x = a[i]; a[i + 1] += x; } return a[3]; }",
    "static volatile short m[2][3]; int main(void) { for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) m[i][j] = 10 * i + j; return m[1][2]; }",
    "static volatile char s[] = \"hello\"; int main(void) { int n = 0; while (s[n]) n++; return n; }",
    "const volatile int c = 42; int main(void) { int x = c; return x - c; }",
    "volatile int v = 1; int f(void) { return v++; } int main(void) { f(); f(); return f(); }",
    "volatile int v; static void set(volatile int *p, int x) { *p = x; } int main(void) { set(&v, 1); set(&v, 2); return v; }",
    "volatile int a, b; int main(void) { volatile int *p = &a; *p = 1; p = &b; *p = 2; return a == 1 && b == 2; }",
    "volatile int v; int main(void) { if (v) return 1; v = 1; if (!v) return 2; return 0; }",
    "volatile int v = 3; int main(void) { switch (v) { case 3: v = 4; break; case 4: v = 5; } return v; }",
    "volatile int v = 3; int main(void) { int x = v ? v + 1 : 0; return x; }",
    "volatile int v = 10; int main(void) { int n = 0; do n += v; while (--v); return n; }",
    "volatile int v; int main(void) { int x; x = v = 7; return x; }",
    "volatile int v = 1; int main(void) { v = v; v = -v; v = ~v; v = !v; return v; }",
    "volatile unsigned v = 0x80000001; int main(void) { unsigned x = v; v = x << 31 | x >> 1; v = v >> 4; return v == 0xc000000; }",
    "volatile unsigned char b = 200; volatile unsigned short w; volatile unsigned d; volatile unsigned long q; int main(void) { w = b; d = w; q = d; b = q; return b == 200; }",
    "volatile signed char b = -3; volatile short w; volatile int d; volatile long q; int main(void) { w = b; d = w; q = d; b = q; return b == -3; }",
    "volatile int v; int main(void) { v = 1; v = 1; v = 1; v = 2; return v; }",
    "volatile int v = 8; int main(void) { for (int i = 0; i < 100; i++) (void)v; return 0; }",
    "volatile int u; volatile int v; int main(void) { for (int i = 0; i < 20; i++) { u = i; v = u; } return v; }",
    "volatile int v = 0x12345678; int main(void) { return (v & 0xff) == 0x78 && (v & 0x8000) == 0 && (char)v == 0x78; }",
    "volatile unsigned long v = ~0ul; int main(void) { return (v & 1) && (unsigned char)(v >> 8) == 255 && (int)v == -1; }",
    "volatile int v; void abort(void); int main(void) { v = 1; if (v == 1) abort(); v = 2; return 0; }",
    "volatile int v; void exit(int); void f(int n) { v = n; if (n == 5) exit(v); f(n + 1); } int main(void) { f(0); return 9; }",
    "extern volatile int v; int get(void) { return v; } volatile int v = 4; int main(void) { return get() + 1; }",
    "int x; volatile int v; int plain(int n) { return n * n; } int main(void) { for (x = 0; x < 5; x++) { int y = plain(x); v += y; } return v; }",
    "volatile float f = 3; volatile double d = 4; int main(void) { float x = f; d = x < d; f = d == 1; d = -f; return d == -1; }",
    "volatile long double l; volatile int v; int main(void) { v = 1; return v; }",
];

fn right_programs_have_the_machines_trace() {
    let levels = ["-O0", "-O1", "-O2", "-O3"];
    let mut lab = lab();
    let (mut traced, mut programs, mut accesses) = (0, 0, 0);
    let mut failures = Vec::new();
    for (number, text) in PROGRAMS.iter().enumerate() {
        let chosen: Vec<String> = if soak() {
            let every = |compiler: &str| levels.map(|level| format!("{compiler} {level}"));
            [every("gcc-12"), every("clang-16"), every("clang-19"), every("gcc-11")].concat()
        } else {
            vec![
                format!("gcc-12 {}", levels[number % 4]),
                format!("clang-16 {}", levels[(number / 4 + 2) % 4]),
            ]
        };
        let Some(all) = configurations(&chosen) else { return };
        let examined = lab.examine(&case(text), &all).unwrap();
        if !examined.sightings.is_empty()
            || examined.word() != Word::Defined
            || examined.traces.programs == 0
            || examined.traces.partial > 0
        {
            let details: Vec<&String> = examined.sightings.iter().map(|seen| &seen.detail).collect();
            failures.push(format!("{text}: {} {:?} {details:?}", examined.word(), examined.traces));
        }
        traced += examined.traces.programs;
        accesses += examined.traces.accesses;
        programs += 1;
    }
    println!("{programs} programs, {traced} binaries traced, {accesses} accesses compared");
    assert!(failures.is_empty(), "{failures:#?}");
}

fn what_cannot_be_traced_is_not() {
    let Some(all) =
        configurations(&["gcc-12 -O2", "gcc-12 -O2 -flto", "gcc-12 -m32 -msse2 -mfpmath=sse -O1", "tcc"])
    else {
        return;
    };
    let mut lab = lab();
    // Structs, bit-fields, locals, statics of functions, names that mean two objects, two reads without an order, and
    // addresses, of which a program has others each time.
    for text in [
        "volatile struct { int a : 3, b; } s; int main(void) { s.b = 1; return s.b; }",
        "int main(void) { volatile int v = 3; return v; }",
        "int main(void) { static volatile int v = 3; return v; }",
        "volatile int v; int f(void) { volatile int v = 2; return v; } int main(void) { v = 1; return f(); }",
        "volatile int v = 1, w = 2; int main(void) { return v + w; }",
        "int x, y; int *volatile p = &x; int main(void) { *p = 3; p = &y; *p = 4; return x + y; }",
    ] {
        let examined = lab.examine(&case(text), &all).unwrap();
        assert_eq!((kinds(&examined), examined.traces.programs), (vec![], 0), "{text}");
    }
    let examined = lab.examine(&case(PROGRAMS[2]), &all).unwrap();
    assert_eq!((kinds(&examined), examined.traces.programs), (vec![], 1));
}

/// A folder that jobs see: they have a /tmp of their own.
fn outside_tmp() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// gcc whose assembly goes through a script of sed.
fn edited(folder: &Path, sed: &str) -> PathBuf {
    let script = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    };
    script("as", &format!("for last; do :; done\nsed -i '{sed}' \"$last\"\nexec /usr/bin/as \"$@\""));
    script("cc", &format!("exec gcc-12 -B {}/ \"$@\"", folder.display()))
}

fn planted(sed: &str, text: &str) -> Finding {
    let folder = outside_tmp();
    let name = edited(folder.path(), sed).display().to_string();
    let Some(all) = configurations(&["gcc-12 -O2".to_owned(), format!("{name} -O2")]) else {
        std::process::exit(0)
    };
    let mut lab = lab();
    let case = case(text);
    let examined = lab.examine(&case, &all).unwrap();
    assert_eq!(
        kinds(&examined),
        [(Kind::WrongCode, vec![format!("{name} -O2")])],
        "{:?}",
        examined.sightings
    );
    let signature = examined.sightings[0].signature.to_string();
    assert!(signature.contains("volatile trace under"), "{signature}");
    let finding = lab.confirm(&case, &examined.sightings[0], &all).unwrap();
    assert_eq!(finding.status, Status::Confirmed, "{:?}", finding.notes);
    let readme = finding.readme();
    assert!(readme.contains("volatile accesses differ: "), "{readme}");
    if finding.claim.is_some() {
        assert_eq!(repro(&finding, "gcc-12"), 0);
    }
    println!("{readme}");
    finding
}

/// Runs a finding's script where nothing but its folder is. With the other compiler it must show nothing.
fn repro(finding: &Finding, sane: &str) -> i32 {
    let folder = tempfile::tempdir().unwrap();
    for file in finding.folder() {
        std::fs::write(folder.path().join(&file.name), &file.text).unwrap();
    }
    let output = Command::new("sh").arg(folder.path().join("repro.sh")).current_dir("/").output().unwrap();
    println!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let status = output.status.code().unwrap();
    let script = std::fs::read_to_string(folder.path().join("repro.sh")).unwrap();
    let command = &finding.attempts[0].command;
    let sane = command.replacen(command.split(' ').next().unwrap(), sane, 1);
    assert!(script.contains(command));
    std::fs::write(folder.path().join("sane.sh"), script.replace(command, &sane)).unwrap();
    let output = Command::new("sh").arg(folder.path().join("sane.sh")).current_dir("/").output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
    status
}

fn a_dropped_store_is_found() {
    let finding =
        planted("/movl.*\\$1, v(%rip)/d", "volatile int v; int main(void) { v = 1; v = 2; return v; }");
    assert!(finding.claim.is_some());
    assert!(
        finding.notes.iter().any(|note| note.contains("must be 'write v+0 4 0x1' and is 'write v+0 4 0x2'"))
    );
}

fn a_dropped_load_is_found() {
    let finding = planted(
        "0,/movl.*w(%rip), %eax/{//d}",
        "volatile int v, w; int main(void) { v = 1; w; v = 3; return 0; }",
    );
    assert!(finding.claim.is_some());
    assert!(
        finding.notes.iter().any(|note| note.contains("must be 'read w+0 4 0x0'")),
        "{:?}",
        finding.notes
    );
}

fn a_second_load_is_found() {
    let finding = planted(
        "s/^\\tmovl\\tv(%rip), %eax$/&\\n&/",
        "volatile int v; int main(void) { v = 1; return v - 1; }",
    );
    assert!(finding.notes.iter().any(|note| note.contains("which must not be")), "{:?}", finding.notes);
}

fn a_narrow_load_is_found() {
    // A script cannot show it, for it knows no instructions.
    let finding = planted(
        "s/movl\\tv(%rip), %eax/movzbl v(%rip), %eax/",
        "volatile int v; int main(void) { v = 1; return v - 1; }",
    );
    assert!(finding.notes.iter().any(|note| note.contains("is 'read v+0 1 0x1'")), "{:?}", finding.notes);
}

/// A real one: see `BUGS.md`.
fn gcc_12_stores_once_more_after_a_loop() {
    let Some(all) = configurations(&["gcc-12 -O0", "gcc-12 -O1", "clang-16 -O1"]) else { return };
    let mut lab = lab();
    let case = case(
        "volatile int v = 1, stop = 1; int n;\n\
         __attribute__((noinline)) void f(void) { do { n++; v = 2; } while (!stop); }\n\
         int main(void) { f(); return v; }\n",
    );
    let examined = lab.examine(&case, &all).unwrap();
    assert_eq!(kinds(&examined), [(Kind::WrongCode, vec!["gcc-12 -O1".to_owned()])]);
    let finding = lab.confirm(&case, &examined.sightings[0], &all).unwrap();
    assert_eq!(finding.status, Status::Confirmed, "{:?}", finding.notes);
    let difference = "must be 'read v+0 4 0x2' and is 'write v+0 4 0x2'";
    assert!(finding.notes.iter().any(|note| note.contains(difference)), "{:?}", finding.notes);
    assert_eq!(repro(&finding, "clang-16"), 0);
}

fn without_the_option_nothing_is_traced() {
    let Some(all) = configurations(&["gcc-12 -O2"]) else { return };
    let mut lab = lab();
    lab.options.trace_volatile = false;
    assert_eq!(lab.examine(&case(PROGRAMS[0]), &all).unwrap().traces.programs, 0);
}

fn many_accesses() {
    let Some(all) = configurations(&["gcc-12 -O2", "clang-16 -O1"]) else { return };
    let mut lab = lab();
    // More than the log has room for; the machine keeps them all.
    let text = "volatile int v; int main(void) { for (int i = 0; i < 60000; i++) v++; return v == 60000; }";
    let examined = lab.examine(&case(text), &all).unwrap();
    assert_eq!((kinds(&examined), examined.traces.programs, examined.traces.partial), (vec![], 2, 2));
    // More than the machine keeps: nothing is compared.
    let text = "volatile int v; int main(void) { for (int i = 0; i < 600000; i++) v++; return v == 600000; }";
    let examined = lab.examine(&case(text), &all).unwrap();
    assert_eq!((kinds(&examined), examined.traces.programs), (vec![], 0));
}

fn programs_of_csmith() {
    let count = if soak() { 100 } else { 1 };
    let Some(all) = configurations(&["gcc-12 -O0", "gcc-12 -O3", "clang-16 -O1", "clang-16 -O2"]) else {
        return;
    };
    let headers = PathBuf::from("/usr/include/csmith");
    let Some(folder) = howler_testkit::corpus("csmith/default") else { return };
    let entries = std::fs::read_dir(folder).unwrap();
    if !headers.join("csmith.h").exists() {
        return howler_testkit::skip("csmith.h is not installed");
    }
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "c"));
    files.sort();
    let mut lab = lab();
    lab.options.compile.cpu = Duration::from_secs(60);
    let (mut seen, mut defined, mut fixed, mut programs) = (0, 0, 0, 0);
    let (mut binaries, mut partial, mut accesses) = (0, 0, 0);
    for file in files {
        if programs == count {
            break;
        }
        let options = PreprocessOptions {
            target: Target::X86_64_GCC,
            defines: Vec::new(),
            include_dirs: vec![headers.clone()],
            headers: Headers::Ours,
        };
        let Ok(text) = preprocess(&lab.preprocessor, Input::File(&file), &options) else { continue };
        let case = case(&for_compilers(&text.text));
        seen += 1;
        // Most have accesses without an order, and need no compiler.
        let Verdict::Defined(behaviour) =
            judge_one(&lab.preprocessor, &case, Target::X86_64_GCC, &lab.options.judge)
        else {
            continue;
        };
        defined += 1;
        let Some(trace) = behaviour.trace else { continue };
        fixed += 1;
        let examined = lab.examine(&case, &all).unwrap();
        assert_eq!(kinds(&examined), [], "{}: {:?}", file.display(), examined.sightings);
        let traces = examined.traces;
        programs += usize::from(traces.programs > 0);
        binaries += traces.programs;
        partial += traces.partial;
        accesses += traces.accesses;
        if traces.programs > 0 {
            println!("{}: {traces:?}, {} accesses on the machine", file.display(), trace.len());
        }
    }
    println!(
        "of {seen} programs {defined} defined, {fixed} with a fixed trace, {programs} traced as {binaries} binaries, \
         {partial} of them in part; {accesses} accesses compared"
    );
    assert!(programs > 0);
}
