//! The lab with real compilers, and with wrappers around one that do what no compiler should. Without libtest's
//! harness: this executable is the guard too.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use howler_case::{Behaviour, Case, End, Status};
use howler_lang::target::{Std, Target};
use howler_oracle::judge::Word;
use howler_oracle::sighting::Kind;
use howler_toolchain::guard::serve_if_asked;
use howler_toolchain::preprocess::{
    Headers, Input, PreprocessOptions, Preprocessor, for_compilers, preprocess,
};
use support::{
    SIGN, SMALL, case, configurations, examined_one, kinds, lab, outside_tmp, repro, wrapped, wrapper,
};

fn main() {
    serve_if_asked();
    support::run(&[
        ("right_programs_show_nothing", right_programs_show_nothing),
        ("wrong_code_of_tcc", wrong_code_of_tcc),
        ("programs_get_their_input", programs_get_their_input),
        ("several_inputs_are_refused", several_inputs_are_refused),
        ("crash_of_gcc", crash_of_gcc),
        ("undefined_programs_show_nothing", undefined_programs_show_nothing),
        ("a_wrong_expectation_is_not_confirmed", a_wrong_expectation_is_not_confirmed),
        ("what_only_the_machine_says_is_disputed", what_only_the_machine_says_is_disputed),
        ("habits_of_gcc_bind_nobody_else", habits_of_gcc_bind_nobody_else),
        ("extensions_may_be_rejected", extensions_may_be_rejected),
        ("broken_compilers", broken_compilers),
        ("hostile_compilers_do_not_stop_the_lab", hostile_compilers_do_not_stop_the_lab),
        ("a_deep_recursion_is_no_bug", a_deep_recursion_is_no_bug),
        ("our_limit_on_files_is_no_crash", our_limit_on_files_is_no_crash),
        ("a_dying_compiler", a_dying_compiler),
        ("a_rejecting_compiler", a_rejecting_compiler),
        ("errors_by_policy_are_no_bugs", errors_by_policy_are_no_bugs),
        ("a_suspect_is_no_finding", a_suspect_is_no_finding),
        ("a_flaky_compiler", a_flaky_compiler),
        ("an_unstable_compiler", an_unstable_compiler),
        ("code_that_changes_with_g", code_that_changes_with_g),
        ("training_that_does_not_end_is_no_hang", training_that_does_not_end_is_no_hang),
        ("extra_oracles_are_silent_on_good_compilers", extra_oracles_are_silent_on_good_compilers),
        ("system_headers", system_headers),
        ("preprocessors_that_differ_are_no_bugs", preprocessors_that_differ_are_no_bugs),
        ("wrong_code_with_system_headers", wrong_code_with_system_headers),
        ("sanitizers_are_no_bugs", sanitizers_are_no_bugs),
        ("stamps_and_clocks_are_not_unstable", stamps_and_clocks_are_not_unstable),
        ("torture_tests", torture_tests),
    ]);
}

fn right_programs_show_nothing() {
    let Some(all) =
        configurations(&["gcc-12 -O0", "gcc-12 -O1", "gcc-12 -O2", "gcc-12 -O3", "clang-16 -O2", "tcc"])
    else {
        return;
    };
    let mut lab = lab();
    let hello = case("#include <stdio.h>\nint main(void) { printf(\"hello %d\\n\", 3); return 7; }\n");
    let examined = lab.examine(&hello, &all).unwrap();
    assert_eq!(kinds(&examined), []);
    assert_eq!((examined.builds, examined.word()), (6, Word::Defined));
    // gcc makes the same code of it at several levels.
    assert!(examined.runs < 6 && examined.runs > 1, "{}", examined.runs);
    assert!(examined.compiler_time > examined.program_time);
    // Two files, the exit status of an abort, the mathematical library.
    let mut two = case(
        "#include <math.h>\n#include <stdlib.h>\nint f(void); double x = 2; int main(void) { if (sqrt(x * 2) == f()) abort(); return 1; }",
    );
    two.files.push(howler_case::File { name: "b.c".into(), text: b"int f(void) { return 2; }".to_vec() });
    let examined = lab.examine(&two, &all).unwrap();
    assert_eq!((kinds(&examined), examined.word()), (vec![], Word::Defined));
    // Nothing to compile is no error of the lab.
    lab.examine(&hello, &[]).unwrap();
    let mut nothing = hello.clone();
    nothing.files.clear();
    lab.examine(&nothing, &all).unwrap();
}

fn wrong_code_of_tcc() {
    let Some(all) = configurations(&["gcc -O0", "gcc -O2", "tcc"]) else { return };
    let mut lab = lab();
    let case = case(SIGN);
    let examined = lab.examine(&case, &all).unwrap();
    assert_eq!(kinds(&examined), [(Kind::WrongCode, vec!["tcc".to_owned()])]);
    let finding = lab.confirm(&case, &examined.sightings[0], &all).unwrap();
    assert_eq!(finding.status, Status::Confirmed);
    assert_eq!(finding.files, case.files);
    assert_eq!(finding.expected.as_ref().map(|expected| expected.end), Some(End::Exit(0)));
    assert!(
        finding.notes.iter().any(|note| note.contains("silent, the machine's result")),
        "{:?}",
        finding.notes
    );
    assert_eq!(repro(&finding), 0);
    assert!(finding.readme().contains("exit status 1"));
}

/// Arguments and standard input reach the machine, the programs, their training and the script alike.
fn programs_get_their_input() {
    let Some(all) = configurations(&["gcc-12 -O0", "gcc-12 -O2 -fprofile-use", "tcc"]) else { return };
    let mut lab = lab();
    let text = "#include <stdio.h>\nint main(int argc, char **argv) {\n    int c = getchar();\n    \
                signed char s = -1;\n    printf(\"%d %s %c\\n\", argc, argv[1], c);\n    \
                return c == 'q' && (unsigned short)s != 65535;\n}\n";
    let input = howler_case::Input { arguments: vec!["it's".into(), "$b".into()], stdin: b"quit\n".to_vec() };
    let case = Case { inputs: vec![input], ..case(text) };
    let examined = lab.examine(&case, &all).unwrap();
    assert_eq!(kinds(&examined), [(Kind::WrongCode, vec!["tcc".to_owned()])]);
    let finding = lab.confirm(&case, &examined.sightings[0], &all).unwrap();
    assert_eq!(finding.status, Status::Confirmed);
    assert_eq!(finding.expected.as_ref().map(|expected| &expected.output[..]), Some(&b"3 it's q\n"[..]));
    assert!(finding.readme().contains("$ ./program"), "{}", finding.readme());
    assert_eq!(repro(&finding), 0);
}

fn several_inputs_are_refused() {
    let Some(all) = configurations(&["tcc"]) else { return };
    let mut lab = lab();
    let input = |argument: &str| howler_case::Input { arguments: vec![argument.into()], stdin: Vec::new() };
    let case = case("int main(void) { return 0; }\n");
    let two = Case { inputs: vec![input("a"), input("b")], ..case.clone() };
    let said = lab.examine(&two, &all).unwrap_err().to_string();
    assert_eq!(said, "a case with 2 inputs: a lab takes one at a time");
    assert!(lab.examine(&two.with_input(1).unwrap(), &all).unwrap().sightings.is_empty());
    let zero = Case { inputs: vec![input("a\0b")], ..case };
    assert!(lab.examine(&zero, &all).unwrap_err().to_string().contains("zero byte"));
}

fn crash_of_gcc() {
    let Some(all) = configurations(&["gcc-11 -O0", "gcc-12 -O0", "gcc-12 -O2", "clang-16 -O2"]) else {
        return;
    };
    let mut lab = lab();
    let case = case("int main(void) { return (_Bool)(4, 5); }\n");
    let examined = lab.examine(&case, &all).unwrap();
    let crashing = ["gcc-11 -O0", "gcc-12 -O0", "gcc-12 -O2"].map(str::to_owned).to_vec();
    assert_eq!(kinds(&examined), [(Kind::Crash, crashing)]);
    let signature = examined.sightings[0].signature.to_string();
    assert_eq!(signature, "crash gcc: in gimplify_expr, at gimplify");
    let finding = lab.confirm(&case, &examined.sightings[0], &all).unwrap();
    assert_eq!((finding.status, finding.attempts.len()), (Status::Confirmed, 3));
    assert_eq!(repro(&finding), 0);
}

fn undefined_programs_show_nothing() {
    let Some(all) = configurations(&["gcc-12 -O0", "gcc-12 -O2", "clang-16 -O0", "clang-16 -O2"]) else {
        return;
    };
    let mut lab = lab();
    for text in [
        "int f(int x) { return x + 1 > x; } int main(void) { return f(2147483647); }",
        "int main(void) { int x; return x & 7; }",
        "int a[2]; int main(int argc, char **argv) { return a[argc + 7] + argc; }",
        "#include <stdio.h>\nint x; int main(void) { printf(\"%d\\n\", (int)(((unsigned long)&x) % 97)); return 0; }",
        "int f(float *p, int *q) { *q = 1; *p = 0; return *q; } int main(void) { int i; return f((float *)&i, &i); }",
    ] {
        let examined = lab.examine(&case(text), &all).unwrap();
        assert_eq!(kinds(&examined), [], "{text}");
        assert_ne!(examined.word(), Word::Defined);
    }
}

fn habits_of_gcc_bind_nobody_else() {
    let Some(all) = configurations(&["gcc -O0", "tcc"]) else { return };
    let mut lab = lab();
    // gcc computes in 40 bits, clang and tcc in 64.
    let text =
        "struct s { unsigned long long b : 40; } x = {1}; int main(void) { return (x.b << 39 << 1) == 0; }\n";
    let examined = lab.examine(&case(text), &all).unwrap();
    assert_eq!((kinds(&examined), examined.word()), (vec![], Word::Defined));
}

fn a_wrong_expectation_is_not_confirmed() {
    let Some(all) = configurations(&["gcc -O0", "gcc -O2"]) else { return };
    let mut lab = lab();
    let mut case = case("int main(void) { return 3; }\n");
    let wrong = Behaviour { end: End::Exit(4), output: Vec::new(), trace: None };
    case.expect(Target::X86_64_GCC, wrong);
    let examined = lab.examine(&case, &all).unwrap();
    assert_eq!(examined.sightings.len(), 1);
    let finding = lab.confirm(&case, &examined.sightings[0], &all).unwrap();
    assert_eq!(finding.status, Status::Flaky);
}

/// Two compilers that have nothing to do with each other return 4 where the machine says 3, at all levels.
fn what_only_the_machine_says_is_disputed() {
    let folder = outside_tmp();
    let script = |compiler: &str, text: &str| {
        format!(
            "#!/bin/sh\ncase \"$*\" in *-###*) exit 1 ;; esac\n\
             case \"$*\" in *' -o '*) for file in *.[ci]; do sed -i 's/return 3/{text}/' $file; done ;; esac\n\
             exec {compiler} \"$@\"\n"
        )
    };
    let compiler = |name: &str, of: &str, text: &str| {
        let path = wrapper(folder.path(), name, "");
        std::fs::write(&path, script(of, text)).unwrap();
        path.display().to_string()
    };
    let wrong = "return 4";
    let (gcc, clang) = (compiler("one", "gcc-12", wrong), compiler("two", "clang-16", wrong));
    let (other, right) =
        (compiler("three", "clang-16", "return 5"), compiler("four", "clang-16", "return 3"));
    for (second, status) in
        [(&clang, Status::Disputed), (&other, Status::Confirmed), (&right, Status::Confirmed)]
    {
        let names: Vec<String> = [&gcc, second]
            .iter()
            .flat_map(|name| ["-O0", "-O2"].map(|level| format!("{name} {level}")))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let Some(all) = configurations(&names) else { return };
        let mut lab = lab();
        let examined = lab.examine(&case(SMALL), &all).unwrap();
        let sighting = examined.sightings.iter().find(|seen| seen.family == "gcc").unwrap();
        let finding = lab.confirm(&case(SMALL), sighting, &all).unwrap();
        assert_eq!(finding.status, status, "{:?}", finding.witnesses);
        assert_eq!(finding.readme().contains("bug of Howler"), status == Status::Disputed);
    }
    // Both refuse what the machine takes.
    let refuse = "return (unsigned char *)3.0";
    let (gcc, clang) = (compiler("five", "gcc-12", refuse), compiler("six", "clang-16", refuse));
    let Some(all) = configurations(&[&gcc, &clang]) else { return };
    let mut lab = lab();
    let examined = lab.examine(&case(SMALL), &all).unwrap();
    for sighting in &examined.sightings {
        let finding = lab.confirm(&case(SMALL), sighting, &all).unwrap();
        assert_eq!((sighting.kind, finding.status), (Kind::Reject, Status::Disputed));
    }
    assert_eq!(examined.sightings.len(), 2);
}

fn extensions_may_be_rejected() {
    let Some(all) = configurations(&["gcc -O0", "tcc"]) else { return };
    let mut lab = lab();
    for text in [
        "int main(void) { __int128 x = 3; return x == 3; }",
        "double _Complex z; int main(void) { return z == 1; }",
        "int main(void) { int f(void) { return 0; } return f(); }",
        "typedef int v __attribute__((vector_size(16))); v x; int main(void) { return x[0]; }",
    ] {
        let examined = lab.examine(&case(text), &all).unwrap();
        assert_eq!(kinds(&examined), [], "{text}");
    }
}

fn hostile_compilers_do_not_stop_the_lab() {
    let folder = tempfile::tempdir().unwrap();
    let scripts = [
        ("pipe", "mkfifo $out", Kind::Broken),
        ("device", "ln -s /dev/zero $out", Kind::Broken),
        ("rm", "gcc \"$@\"; rm -rf \"$HOME\" \"$TMPDIR\"", Kind::Broken),
        ("link", "rm -rf \"$HOME\"; ln -s / \"$HOME\"", Kind::Broken),
        (
            "line",
            "(printf 'a.c:1:1: internal compiler error: '; head -c 30000000 /dev/zero | tr '\\0' a; echo) >&2; exit 1",
            Kind::Crash,
        ),
    ];
    let mut lab = lab();
    for (name, script, kind) in scripts {
        let compiler = wrapper(folder.path(), name, script);
        let Some(all) = configurations(&[compiler.to_str().unwrap()]) else { return };
        for _ in 0..2 {
            let examined = lab.examine(&case(SIGN), &all).unwrap();
            let [sighting] = &examined.sightings[..] else { panic!("{name}: {:?}", examined.sightings) };
            assert_eq!(sighting.kind, kind, "{name}");
            let finding = lab.confirm(&case(SIGN), sighting, &all).unwrap();
            assert_eq!(finding.status, Status::Confirmed, "{name}");
            assert!(finding.folder().iter().all(|file| file.text.len() < 1 << 20), "{name}");
        }
    }
}

fn a_deep_recursion_is_no_bug() {
    // Inlined, the array is in every frame: 20 MB of stack for what is nearly nothing without.
    let text = "static inline __attribute__((always_inline)) int leaf(int n) {
            char a[1000]; a[n] = (char)n; a[n + 900] = 3; return a[n] + a[n + 900]; }
        static int f(int n) { if (n == 0) return leaf(3); return f(n - 1) ^ n; }
        int main(void) { return f(20000) & 127; }\n";
    let Some(all) = configurations(&["gcc-12 -O0", "clang-16 -O0"]) else { return };
    let examined = lab().examine(&case(text), &all).unwrap();
    assert_eq!((examined.word(), kinds(&examined)), (Word::Defined, Vec::new()));
}

fn broken_compilers() {
    for script in [
        "gcc \"$@\"; rm -f \"$out\"",
        "gcc \"$@\"; exit 77",
        "exit 1",
        "gcc -S \"$@\" && mv \"$out\" x.s && echo garbage >> x.s && exec gcc x.s -o \"$out\"",
    ] {
        let (finding, kind) = examined_one(script, SMALL);
        assert_eq!((kind, finding.status), (Kind::Broken, Status::Confirmed), "{script}");
    }
}

/// gcc calls it an internal error if the limit ends cc1.
fn our_limit_on_files_is_no_crash() {
    let script = "(head -c 3000000000 /dev/zero > big)\n\
        echo 'gcc: internal compiler error: File size limit exceeded signal terminated program cc1' >&2; exit 4";
    let (finding, kind) = examined_one(script, SMALL);
    assert_eq!((kind, finding.status), (Kind::Broken, Status::Confirmed));
}

fn a_dying_compiler() {
    let (finding, kind) = examined_one("kill -11 $$", SMALL);
    assert_eq!((kind, finding.status), (Kind::Crash, Status::Confirmed));
    let text = "echo 'test.c:1:2: internal compiler error: in f, at g.cc:12' >&2; exit 4";
    let (finding, kind) = examined_one(text, SMALL);
    assert_eq!((kind, finding.status), (Kind::Crash, Status::Confirmed));
}

fn a_rejecting_compiler() {
    let (finding, kind) = examined_one("echo 'test.c:1:2: error: I do not like it' >&2; exit 1", SMALL);
    assert_eq!((kind, finding.status), (Kind::Reject, Status::Confirmed));
}

fn a_suspect_is_no_finding() {
    let folder = outside_tmp();
    let script =
        "sed -i 's/x - 1/x - 2/' test.[ci]; gcc \"$@\"; s=$?; sed -i 's/x - 2/x - 1/' test.[ci]; exit $s";
    let (mut all, name) = wrapped(folder.path(), "cc", script);
    all.extend(configurations(&["gcc -O3", "gcc -O0"]).unwrap_or_default());
    let mut lab = lab();
    let case = case("int main(void) { int x; asm(\"movl $1, %0\" : \"=r\"(x)); return x - 1; }\n");
    let examined = lab.examine(&case, &all).unwrap();
    assert_eq!(examined.word(), Word::Unsupported);
    assert_eq!(kinds(&examined), [(Kind::WrongCode, vec![name])]);
    assert!(examined.sightings[0].suspect);
    let finding = lab.confirm(&case, &examined.sightings[0], &all).unwrap();
    assert_eq!(finding.status, Status::Suspect);
}

/// Newer compilers make errors of what C allows, under the name of a warning.
fn errors_by_policy_are_no_bugs() {
    let folder = outside_tmp();
    let script = "echo \"test.c:1:1: error: chained comparison [-Wparentheses]\" >&2; exit 1";
    let (all, name) = wrapped(folder.path(), "cc", script);
    let examined = lab().examine(&case(SMALL), &all).unwrap();
    assert_eq!(kinds(&examined), []);
    let why = "it makes an error of a warning: chained comparison".to_owned();
    assert_eq!(examined.untried, [(name, why)]);
}

fn a_flaky_compiler() {
    let folder = outside_tmp();
    let marker = folder.path().join("seen");
    // It crashes the first time only. Jobs may read, not write, outside their folder, so the test removes the marker.
    std::fs::write(&marker, "").unwrap();
    let script = format!("test -e {} && kill -6 $$; exec gcc \"$@\"", marker.display());
    let (all, name) = wrapped(folder.path(), "cc", &script);
    let mut lab = lab();
    let case = case(SMALL);
    let examined = lab.examine(&case, &all).unwrap();
    assert_eq!(kinds(&examined), [(Kind::Crash, vec![name])]);
    std::fs::remove_file(&marker).unwrap();
    let finding = lab.confirm(&case, &examined.sightings[0], &all).unwrap();
    assert_eq!(finding.status, Status::Flaky);
    assert!(finding.sighting.configurations.is_empty());
}

fn an_unstable_compiler() {
    let folder = outside_tmp();
    let script = "{ cat test.[ci]; echo \"int extra = $$;\"; } > x.c; exec gcc -O2 x.c -o \"$out\"";
    let (all, name) = wrapped(folder.path(), "cc", script);
    let mut lab = lab();
    // One test in some is built twice; which one depends on its text.
    let tests = (0..200).map(|number| case(&format!("int main(void) {{ return {number}; }}\n")));
    let test = tests.into_iter().find(|test| test.id().bytes()[0].is_multiple_of(16)).unwrap();
    let examined = lab.examine(&test, &all).unwrap();
    assert_eq!(kinds(&examined), [(Kind::Unstable, vec![name])]);
    let finding = lab.confirm(&test, &examined.sightings[0], &all).unwrap();
    assert_eq!((finding.sighting.kind, finding.status), (Kind::Unstable, Status::Confirmed));
    assert_eq!(repro(&finding), 0);
}

fn code_that_changes_with_g() {
    let folder = outside_tmp();
    let script = "case \" $* \" in *' -g '*) exec gcc -O0 \"$@\" -O0 ;; esac; exec gcc \"$@\"";
    let name = wrapper(folder.path(), "cc", script).display().to_string();
    let Some(all) = configurations(&[&format!("{name} -O2"), &format!("{name} -O2 -g")]) else { return };
    let mut lab = lab();
    let case = case("int f(int x) { return x * 3; } int main(void) { return f(1); }\n");
    let examined = lab.examine(&case, &all).unwrap();
    assert_eq!(kinds(&examined), [(Kind::DebugChangesCode, vec![format!("{name} -O2 -g")])]);
    let finding = lab.confirm(&case, &examined.sightings[0], &all).unwrap();
    assert_eq!(finding.status, Status::Confirmed);
    assert_eq!(repro(&finding), 0);
}

/// Profiles need a run of the program, and one that does not end is no hang of the compiler's.
fn training_that_does_not_end_is_no_hang() {
    let Some(all) = configurations(&["gcc-12 -O1 -fprofile-use", "clang-16 -O1 -fprofile-use"]) else {
        return;
    };
    let mut lab = lab();
    lab.options.compile.cpu = Duration::from_secs(3);
    let endless = "volatile int x = 1; int main(void) { while (x) ; return 0; }\n";
    // The machine knows no end of the first, and does not know the second at all.
    for text in [endless.to_owned(), format!("_Decimal64 d;\n{endless}")] {
        let examined = lab.examine(&case(&text), &all).unwrap();
        assert_eq!((kinds(&examined), examined.untried), (vec![], vec![]), "{text}");
    }
}

fn extra_oracles_are_silent_on_good_compilers() {
    let Some(all) = configurations(&[
        "gcc-12 -O2",
        "gcc-12 -O2 -g",
        "gcc-12 -O2 -fcompare-debug",
        "gcc-12 -O2 -flto",
        "gcc-12 -O2 -fprofile-use",
        "gcc-12 -O2 -fsave-optimization-record",
        "gcc-12 -m32 -msse2 -mfpmath=sse -O2",
        "clang-16 -O2",
        "clang-16 -O2 -g",
        "clang-16 -O2 -flto",
        "clang-16 -O2 -fprofile-use",
        "clang-16 -O2 -fsave-optimization-record",
    ]) else {
        return;
    };
    let mut lab = lab();
    let text = "#include <stdio.h>\nstatic int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i % 7; return s; }\n\
        int main(void) { printf(\"%d %d\\n\", f(100), (int)sizeof(long)); return 0; }\n";
    let examined = lab.examine(&case(text), &all).unwrap();
    assert_eq!(kinds(&examined), []);
    assert_eq!(examined.builds, 12);
    assert!(examined.judgements.targets.len() == 3);
    // Who aborts leaves no profile.
    let aborting = "void abort(void); int main(void) { abort(); }\n";
    assert_eq!(kinds(&lab.examine(&case(aborting), &all).unwrap()), []);
}

fn system_headers() {
    let Some(all) = configurations(&["gcc -O2", "clang-16 -O2", "tcc"]) else { return };
    let mut lab = lab();
    let text = "#include <sys/stat.h>\n#include <stdlib.h>\nint main(void) { return S_IXOTH + abs(-3); }\n";
    let examined = lab.examine(&case(text), &all).unwrap();
    assert_eq!(kinds(&examined), []);
}

/// gcc counts the line of the last token of a call, clang that of the name; headers have macros of their own.
fn preprocessors_that_differ_are_no_bugs() {
    let Some(all) = configurations(&["gcc -O2", "clang-16 -O2", "clang-14 -O0", "tcc"]) else { return };
    let mut lab = lab();
    for text in [
        "#include <sys/stat.h>\n#define LINE(a, b) __LINE__\nint main(void) { return LINE(1,\n\n2); }\n",
        "#include <sys/stat.h>\n#include <stdio.h>\n#include <limits.h>\n#define S(x) #x\n#define T(x) S(x)\n\
         int main(void) { puts(T(LONG_MIN) T(EOF) T(UINT_MAX)); return 0; }\n",
        "#include <sys/stat.h>\n#ifdef __clang__\n#define N 1\n#else\n#define N 2\n#endif\nint main(void) { return N; }\n",
        "#include <sys/stat.h>\nint main(void) {\n#ifdef __OPTIMIZE__\nreturn 1;\n#else\nreturn 2;\n#endif\n}\n",
        "#include <sys/stat.h>\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\n#define S(x) #x\n#define T(x) S(x)\n\
         int main(void) { asm(\"\"); return strlen(T(isnan(0.0))); }\n",
        "#include <sys/stat.h>\n#include <assert.h>\n#define S(x) sizeof #x\n#define T(x) S(x)\n\
         int main(void) { return T(assert(1)) % 100; }\n",
    ] {
        let case = case(text);
        let examined = lab.examine(&case, &all).unwrap();
        assert_eq!(kinds(&examined), [], "{text}");
    }
}

/// Wrong code is seen whoever preprocesses.
fn wrong_code_with_system_headers() {
    let folder = outside_tmp();
    let script =
        "case $* in *-E*) exec gcc \"$@\" ;; esac; sed s/41/42/ test.c > x.c; exec gcc -w x.c -o \"$out\"";
    let (all, name) = wrapped(folder.path(), "cc", script);
    let mut lab = lab();
    let case = case(
        "#include <sys/stat.h>\n#ifdef __GNUC__\n__attribute__((used))\n#endif\nint main(void) { return 41; }\n",
    );
    let examined = lab.examine(&case, &all).unwrap();
    assert_eq!(kinds(&examined), [(Kind::WrongCode, vec![name])]);
    let finding = lab.confirm(&case, &examined.sightings[0], &all).unwrap();
    assert_eq!(finding.status, Status::Confirmed);
    assert_eq!(finding.files[0].name, "test.c");
    assert_eq!(repro(&finding), 0);
}

/// A leak is none of C's errors, and the leak checker must not fail where nobody may look into processes.
fn sanitizers_are_no_bugs() {
    let commands =
        ["gcc-12 -O1 -fsanitize=address", "gcc-12 -fsanitize=leak", "clang-16 -O1 -fsanitize=address"];
    let Some(all) = configurations(&commands) else { return };
    let mut lab = lab();
    for number in 0..20 {
        let text = format!(
            "#include <stdlib.h>\n#include <stdio.h>\nint main(void) {{ int *p = malloc(40); if (!p) return {number};\n\
             p[1] = {number}; printf(\"%d\\n\", p[1]); p = 0; return 0; }}\n"
        );
        let examined = lab.examine(&case(&text), &all).unwrap();
        assert_eq!((kinds(&examined), examined.word()), (vec![], Word::Defined), "{number}");
    }
}

/// What is another each time by design is not the compiler's fault.
fn stamps_and_clocks_are_not_unstable() {
    let commands = ["gcc-12 -O1 -fprofile-generate", "gcc-12 --coverage", "gcc-12 -O1"];
    let Some(all) = configurations(&commands) else { return };
    let mut lab = lab();
    let texts = (0..400).map(|number| {
        let clock = "#include <sys/stat.h>\n#include <stdio.h>\nint main(void) { puts(__TIME__);";
        case(&format!("{clock} return {number}; }}\n"))
    });
    for test in texts.filter(|test| test.id().bytes()[0].is_multiple_of(16)).take(3) {
        let examined = lab.examine(&test, &all).unwrap();
        assert_eq!(kinds(&examined), []);
        std::thread::sleep(Duration::from_millis(700));
    }
}

/// GCC's execute tests under compilers with bugs and without: what is seen is confirmed, or its program has no meaning.
/// `HOWLER_SOAK=N` takes one file in N (without it a handful), of the folder in `HOWLER_SOAK_FOLDER` if there is one; the list is printed.
fn torture_tests() {
    let step = std::env::var("HOWLER_SOAK").ok().and_then(|step| step.parse::<usize>().ok()).unwrap_or(600);
    let commands = ["gcc-12 -O0", "gcc-12 -O2", "gcc-11 -O3", "clang-16 -O2", "clang-14 -O1", "tcc", "pcc"];
    let Some(all) = configurations(&commands) else { return };
    let torture = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/gcc/gcc.c-torture/execute");
    let folder = std::env::var("HOWLER_SOAK_FOLDER").unwrap_or(torture.to_owned());
    let Ok(entries) = std::fs::read_dir(&folder) else {
        return howler_testkit::skip(&format!("no {folder}"));
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "c"));
    files.sort();
    let mut lab = lab();
    let mut verdicts: BTreeMap<Word, usize> = BTreeMap::new();
    let (mut compilers, mut programs) = (Duration::ZERO, Duration::ZERO);
    let start = std::time::Instant::now();
    for file in files.iter().step_by(step.max(1)) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let mut case = case("");
        case.std = Std::GNU89;
        let text = match csmith(&lab.preprocessor, file) {
            Some(text) => text.into_bytes(),
            None => std::fs::read(file).unwrap(),
        };
        case.files[0] = howler_case::File { name: name.clone(), text };
        let examined = lab.examine(&case, &all).unwrap();
        *verdicts.entry(examined.word()).or_default() += 1;
        compilers += examined.compiler_time;
        programs += examined.program_time;
        for sighting in &examined.sightings {
            let finding = lab.confirm(&case, sighting, &all).unwrap();
            let signature = &sighting.signature;
            println!(
                "{name}: {} {} [{:?}] {:?}",
                finding.status.name(),
                signature,
                sighting.verdict,
                finding.notes
            );
        }
    }
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    println!("{verdicts:?} compilers {compilers:?} programs {programs:?} wall {:?}", start.elapsed());
    println!(
        "own CPU time in ticks: user {}, system {}, children {} {}",
        fields[11], fields[12], fields[13], fields[14]
    );
}

/// Csmith's programs need its headers, which no case has.
fn csmith(preprocessor: &Preprocessor, file: &Path) -> Option<String> {
    std::fs::read_to_string(file).ok().filter(|text| text.contains("#include \"csmith.h\""))?;
    let options = PreprocessOptions {
        target: Target::X86_64_GCC,
        defines: Vec::new(),
        include_dirs: vec!["/usr/include/csmith".into()],
        headers: Headers::Ours,
    };
    Some(for_compilers(&preprocess(preprocessor, Input::File(file), &options).ok()?.text))
}
