//! Executables made the plain and the fast way behave the same. This executable is its own guard.
use std::fs;
use std::path::Path;
use std::time::Duration;

use howler_lang::target::{Std, Target};
use howler_toolchain::build::{self, Built, Recipes, Speed, StepKind, Task, Way};
use howler_toolchain::compiler::{Configured, detect};
use howler_toolchain::guard::{End, Excess, Finished, Guard, GuardOptions, Limits, serve_if_asked};
use howler_toolchain::preprocess::{
    Headers, Input, PreprocessOptions, Preprocessor, for_compilers, preprocess,
};
use libtest_mimic::{Arguments, Trial};

type Test = fn();

fn main() {
    serve_if_asked();
    let arguments = Arguments::from_args();
    let tests: &[(&str, Test)] = &[
        ("every_compiler_builds_both_ways", every_compiler_builds_both_ways),
        ("the_runtime_prints_as_the_library_does", the_runtime_prints_as_the_library_does),
        ("what_the_runtime_has_not_comes_from_the_library", what_the_runtime_has_not_comes_from_the_library),
        ("ends_are_the_same_both_ways", ends_are_the_same_both_ways),
        ("csmith_programs_behave_the_same_both_ways", csmith_programs_behave_the_same_both_ways),
        ("failures_name_their_step", failures_name_their_step),
        ("several_sources_are_linked", several_sources_are_linked),
        ("unusual_flags_go_the_plain_way", unusual_flags_go_the_plain_way),
        ("a_cleared_folder_does_not_matter", a_cleared_folder_does_not_matter),
        ("the_doctor_sees_what_is_there", the_doctor_sees_what_is_there),
    ];
    let trials = tests.iter().map(|&(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// A guard, and what is learnt with it.
struct Bench {
    guard: Guard,
    recipes: Recipes,
}

impl Bench {
    fn new() -> Bench {
        Bench { guard: Guard::start(&GuardOptions::default()).unwrap(), recipes: Recipes::default() }
    }

    fn build(&mut self, tasks: &[Task], speed: Speed) -> Vec<Built> {
        build::compile(&mut self.guard, &mut self.recipes, tasks, speed).unwrap()
    }

    fn build_one(&mut self, task: &Task, speed: Speed) -> Built {
        self.build(std::slice::from_ref(task), speed).remove(0)
    }

    fn run(&mut self, task: &Task, built: &Built) -> Finished {
        let limits = Limits { wall: Duration::from_secs(10), ..Limits::default() };
        self.run_within(task, built, limits)
    }

    /// Runs a program, as hunts do: one that turns out to need the real library is built again by the driver.
    fn run_within(&mut self, task: &Task, built: &Built, limits: Limits) -> Finished {
        let executable = built.executable.as_ref().unwrap_or_else(|| panic!("{}", said(built)));
        let mut job = task.configured.compiler.runs(executable);
        job.dir.clone_from(&task.dir);
        job.limits = limits;
        let ran = self.guard.run(&job).unwrap();
        if built.way == Way::Runtime && build::needs_library(&ran) {
            let plain = self.build_one(task, Speed::Plain);
            return self.run_within(task, &plain, limits);
        }
        ran
    }

    /// Builds and runs a text, and says how it was built.
    fn both(&mut self, command: &str, text: &str) -> (Finished, Finished, Way) {
        self.guard.clear().unwrap();
        fs::write(self.guard.scratch().join("a.i"), text).unwrap();
        let task = task(command);
        let plain = self.build_one(&task, Speed::Plain);
        assert_eq!(plain.way, Way::Plain);
        let ran_plain = self.run(&task, &plain);
        let fast = self.build_one(&task, Speed::Fast);
        let ran_fast = self.run(&task, &fast);
        (ran_plain, ran_fast, fast.way)
    }
}

fn said(built: &Built) -> String {
    let failure = built.failure().expect("a build without a program fails");
    let text = String::from_utf8_lossy(&failure.finished.stderr).into_owned();
    format!("{:?} {} {:?}: {text}", failure.kind, failure.finished.end, failure.finished.why)
}

fn task(command: &str) -> Task {
    Task {
        configured: Configured::parse(command).unwrap(),
        std: Std::GNU17,
        dir: "".into(),
        sources: vec!["a.i".into()],
        program: "a".into(),
        libraries: vec!["-lm".into()],
        limits: Limits::default(),
    }
}

/// The commands whose compiler is installed.
fn installed(commands: &[&'static str]) -> Vec<&'static str> {
    let there = |command: &&'static str| howler_testkit::tool(command.split(' ').next().unwrap()).is_some();
    commands.iter().copied().filter(there).collect()
}

fn same(plain: &Finished, fast: &Finished, what: &str) {
    let text = |finished: &Finished| String::from_utf8_lossy(&finished.stdout).into_owned();
    assert_eq!((plain.end, plain.why), (fast.end, fast.why), "{what}");
    assert_eq!(text(plain), text(fast), "{what}");
}

fn every_compiler_builds_both_ways() {
    let mut bench = Bench::new();
    for compiler in detect().iter().filter(|compiler| compiler.is_runnable()) {
        let text =
            "int printf(const char *, ...);\nint main(void) { printf(\"%d %s\\n\", 42, \"x\"); return 7; }\n";
        let (plain, fast, way) = bench.both(&format!("{} -O1", compiler.path.display()), text);
        same(&plain, &fast, &compiler.name);
        assert_eq!((plain.end, &*plain.stdout), (End::Exited(7), &b"42 x\n"[..]), "{}", compiler.name);
        println!("{}: {way:?}", compiler.name);
    }
    for command in installed(&["gcc-12 -O2", "clang-16 -O2", "gcc-12 -m32 -O2"]) {
        let (plain, fast, way) = bench.both(command, "int main(void) { return 3; }\n");
        same(&plain, &fast, command);
        assert_eq!(way, if command.contains("-m32") { Way::Replay } else { Way::Runtime }, "{command}");
    }
}

fn the_runtime_prints_as_the_library_does() {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/build-programs/formats.c"))
            .unwrap();
    for command in installed(&["gcc-12 -O0 -w", "clang-16 -O2 -w", "gcc-11 -O3 -w", "clang-19 -O1 -w"]) {
        let (plain, fast, way) = Bench::new().both(command, &text);
        assert_eq!(way, Way::Runtime, "{command}");
        same(&plain, &fast, command);
        assert!(plain.stdout.len() > 10_000);
    }
}

fn what_the_runtime_has_not_comes_from_the_library() {
    let mut bench = Bench::new();
    let declared = "int printf(const char *, ...); void *malloc(unsigned long); double sqrt(double);\n";
    for command in installed(&["gcc-12 -O1", "clang-16 -O1"]) {
        for (body, at_link) in [
            ("int *volatile p = malloc(4); *p = 5; printf(\"%d\\n\", *p);", true),
            ("volatile double d = 2; printf(\"%d\\n\", (int)(1000 * sqrt(d)));", true),
            ("printf(\"%.3f %a\\n\", 1.5, 1.5);", false),
            ("static _Thread_local int t = 3; printf(\"%d\\n\", t++);", false),
        ] {
            let (plain, fast, way) =
                bench.both(command, &format!("{declared}int main(void) {{ {body} return 0; }}\n"));
            same(&plain, &fast, body);
            assert!(plain.success(), "{body}");
            assert_eq!(way == Way::Replay, at_link, "{body}");
        }
    }
}

fn ends_are_the_same_both_ways() {
    let mut bench = Bench::new();
    let declared = "void abort(void); void exit(int); int puts(const char *); int atexit(void (*)(void));\n";
    for command in installed(&["gcc-12 -O1", "clang-16 -O1"]) {
        for (body, end) in [
            ("int main(void) { return 259; }", End::Exited(3)),
            ("int main(void) { exit(-1); }", End::Exited(255)),
            ("int main(void) { puts(\"lost\"); abort(); }", End::Signalled(6)),
            ("int main(void) { *(volatile int *)8 = 0; }", End::Signalled(11)),
            (
                "static void f(void) { puts(\"end\"); }\nint main(void) { atexit(f); puts(\"main\"); return 1; }",
                End::Exited(1),
            ),
            (
                "__attribute__((constructor)) static void f(void) { puts(\"first\"); }\n__attribute__((destructor)) static void g(void) { puts(\"last\"); }\nint main(void) { puts(\"main\"); }",
                End::Exited(0),
            ),
            (
                "int f(int n) { volatile char a[9999]; a[0] = 0; return f(n + 1) + a[0]; }\nint main(void) { return f(0); }",
                End::Signalled(11),
            ),
            (
                "__int128 a = 7, b = 3; int main(void) { return (int)(((a << 100) / b) >> 100); }",
                End::Exited(2),
            ),
        ] {
            let (plain, fast, way) = bench.both(command, &format!("{declared}{body}\n"));
            same(&plain, &fast, body);
            assert_eq!((fast.end, way), (end, Way::Runtime), "{command}: {body}");
        }
    }
}

fn csmith_programs_behave_the_same_both_ways() {
    let Some(folder) = howler_testkit::corpus("csmith/default") else { return };
    let count = if howler_testkit::soak() { 500 } else { 50 };
    let mut programs: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    programs.sort();
    let preprocessor = Preprocessor::find(None).unwrap();
    let options = PreprocessOptions {
        target: Target::X86_64_GCC,
        defines: vec![],
        include_dirs: vec!["/usr/include/csmith".into()],
        headers: Headers::Ours,
    };
    let mut bench = Bench::new();
    // The folder also holds a list of its programs. Small ones: the long way is long.
    programs.retain(|program| {
        program.extension().is_some_and(|extension| extension == "c")
            && (howler_testkit::soak() || program.metadata().unwrap().len() < 60_000)
    });
    let commands = installed(&["gcc-12 -O0 -w", "clang-16 -O1 -w"]);
    programs.truncate(count);
    assert!(!programs.is_empty(), "Csmith makes small programs too");
    let mut small = 0;
    for (number, program) in programs.iter().enumerate() {
        let text = preprocess(&preprocessor, Input::File(program), &options).unwrap().text;
        bench.guard.clear().unwrap();
        fs::write(bench.guard.scratch().join("a.i"), for_compilers(&text)).unwrap();
        let task = task(commands[number % commands.len()]);
        let limits = Limits { cpu: Duration::from_secs(1), ..Limits::default() };
        let mut results = Vec::new();
        for speed in [Speed::Plain, Speed::Fast] {
            let built = bench.build_one(&task, speed);
            small += usize::from(built.way == Way::Runtime);
            results.push(bench.run_within(&task, &built, limits));
        }
        if results[0].why == Some(Excess::Cpu) {
            continue;
        }
        same(&results[0], &results[1], &program.display().to_string());
    }
    let count = programs.len();
    assert!(small * 10 > count * 9, "{small} of {count} with the runtime");
}

fn failures_name_their_step() {
    let mut bench = Bench::new();
    for command in installed(&["gcc-12", "clang-16"]) {
        fs::write(bench.guard.scratch().join("a.i"), "int main(void) { return x; }\n").unwrap();
        for (speed, kind) in [(Speed::Plain, StepKind::Driver), (Speed::Fast, StepKind::Compile)] {
            let built = bench.build_one(&task(command), speed);
            let failure = built.failure().unwrap();
            assert_eq!((failure.kind, failure.finished.end), (kind, End::Exited(1)));
            assert!(String::from_utf8_lossy(&failure.finished.stderr).contains("undeclared"));
            assert!(built.executable.is_none());
        }
        fs::write(bench.guard.scratch().join("a.i"), "int f(void); int main(void) { return f(); }\n")
            .unwrap();
        let built = bench.build_one(&task(command), Speed::Fast);
        assert_eq!((built.failure().unwrap().kind, built.way), (StepKind::Link, Way::Replay));
    }
}

fn several_sources_are_linked() {
    let mut bench = Bench::new();
    fs::create_dir(bench.guard.scratch().join("in")).unwrap();
    for (name, text) in
        [("a.i", "int f(void); int main(void) { return f(); }\n"), ("b.i", "int f(void) { return 9; }\n")]
    {
        fs::write(bench.guard.scratch().join("in").join(name), text).unwrap();
    }
    let commands = installed(&["gcc-12 -O0", "gcc-12 -O2", "clang-16 -O2", "tcc"]);
    let mut tasks: Vec<Task> = commands.iter().map(|command| task(command)).collect();
    for (number, task) in tasks.iter_mut().enumerate() {
        task.dir = "in".into();
        task.sources.push("b.i".into());
        task.program = format!("program{number}");
    }
    for speed in [Speed::Plain, Speed::Fast] {
        let built = bench.build(&tasks, speed);
        for (task, built) in tasks.iter().zip(&built) {
            assert_eq!(bench.run(task, built).end, End::Exited(9), "{}", task.configured);
        }
    }
}

fn unusual_flags_go_the_plain_way() {
    let mut bench = Bench::new();
    for command in installed(&["gcc-12 -O2 -flto", "gcc-12 -fsanitize=undefined", "clang-16 -O1 -flto"]) {
        fs::write(bench.guard.scratch().join("a.i"), "int main(void) { return 4; }\n").unwrap();
        let task = task(command);
        let built = bench.build_one(&task, Speed::Fast);
        // clang's LTO needs a plugin that is not everywhere.
        if built.executable.is_some() {
            assert_eq!(bench.run(&task, &built).end, End::Exited(4));
        }
        assert_eq!(built.way, Way::Plain);
    }
}

fn a_cleared_folder_does_not_matter() {
    let mut bench = Bench::new();
    for command in installed(&["gcc-12 -O1", "gcc-11 -O1"]) {
        for status in 0..3 {
            bench.guard.clear().unwrap();
            let text = format!("int main(void) {{ return {status}; }}\n");
            fs::write(bench.guard.scratch().join("a.i"), text).unwrap();
            let task = task(command);
            let built = bench.build_one(&task, Speed::Fast);
            assert_eq!(built.way, Way::Runtime);
            assert_eq!(bench.run(&task, &built).end, End::Exited(status));
        }
    }
}

fn the_doctor_sees_what_is_there() {
    let survey = howler_toolchain::doctor::survey();
    println!("{survey:#?}");
    let protection = survey.guard.unwrap();
    assert!(protection.place.is_dir());
    assert_eq!(protection.layers.list().len(), 7);
    assert!(survey.processors > 0 && !survey.kernel.is_empty());
    assert_eq!(survey.compilers.len(), detect().len());
    assert_eq!(survey.csmith.is_some(), howler_testkit::find("csmith").is_some());
}
