//! Compilers in other roots. This executable is the guard, so it has its own `main`.
//!
//! The root of the machine itself is one that is always there; one with nothing but a static program shows that it is
//! another. Tests of newer compilers need what `cargo xtask newest` makes, or what `HOWLER_ROOT` names.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

use std::fs;
use std::path::Path;
use std::process::Command;

use howler_lang::target::Std;
use howler_toolchain::build::{self, Recipes, Speed, Task, Way};
use howler_toolchain::compiler::{Compiler, Configured, Family, detect_in};
use howler_toolchain::guard::{End, Guard, GuardOptions, Job, Limits, serve_if_asked};
use libtest_mimic::{Arguments, Trial};

fn main() {
    serve_if_asked();
    let tests: &[(&str, fn())] = &[
        ("a_root_of_one_program", a_root_of_one_program),
        ("a_root_that_is_none_is_refused", a_root_that_is_none_is_refused),
        ("the_machines_own_root_compiles_and_runs", the_machines_own_root_compiles_and_runs),
        ("a_scratch_folder_elsewhere_is_seen_too", a_scratch_folder_elsewhere_is_seen_too),
        ("a_whole_system_compiles_and_runs", a_whole_system_compiles_and_runs),
    ];
    let trials = tests.iter().map(|&(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

fn guard(root: &Path, place: Option<&Path>) -> Option<Guard> {
    let place = place.map(Path::to_owned);
    match Guard::start(&GuardOptions { roots: vec![root.to_owned()], place, ..GuardOptions::default() }) {
        Ok(guard) => Some(guard),
        Err(error) => {
            howler_testkit::skip(&error.to_string());
            None
        }
    }
}

/// Says what it sees, and tries to change it.
const LOOK: &str = r#"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    char text[100] = "";
    FILE *marker = fopen("/etc/marker", "r");
    if (marker) fgets(text, sizeof text, marker);
    printf("%s %d ", text, open("/new", O_WRONLY | O_CREAT, 0600) >= 0 ? 0 : errno);
    printf("%d ", access("/usr/bin/env", F_OK));
    printf("%d ", open("/tmp/file", O_WRONLY | O_CREAT | O_EXCL, 0600) >= 0);
    printf("%d ", open("/dev/null", O_RDWR) >= 0);
    printf("%d ", chroot("."));
    printf("%d\n", open("here", O_WRONLY | O_CREAT, 0600) >= 0);
}
"#;

/// A root with a static program, `etc/marker` and folders to put things on.
fn small_root() -> Option<tempfile::TempDir> {
    let gcc = howler_testkit::tool("gcc")?;
    let root = tempfile::tempdir().unwrap();
    for folder in ["bin", "etc", "tmp", "dev", "proc", "home"] {
        fs::create_dir(root.path().join(folder)).unwrap();
    }
    fs::write(root.path().join("etc/marker"), "marked").unwrap();
    let source = root.path().join("etc/look.c");
    fs::write(&source, LOOK).unwrap();
    let program = root.path().join("bin/look");
    let built = Command::new(gcc).args(["-w", "-static"]).arg(&source).arg("-o").arg(&program).status();
    if !built.unwrap().success() {
        howler_testkit::skip("no static C library");
        return None;
    }
    Some(root)
}

fn a_root_of_one_program() {
    let Some(root) = small_root() else { return };
    let Some(mut guard) = guard(root.path(), None) else { return };
    let mut job = Job::new("/bin/look");
    job.root = Some(root.path().to_owned());
    for _ in 0..3 {
        let done = guard.run(&job).unwrap();
        // 30 is EROFS.
        assert_eq!(String::from_utf8_lossy(&done.stdout), "marked 30 -1 1 1 -1 1\n", "{done:?}");
        assert!(guard.scratch().join("here").exists() && !root.path().join("new").exists());
        guard.clear().unwrap();
    }
    // The others are where they were.
    let mut plain = Job::new("/bin/sh");
    plain.args(["-c", "test ! -e /etc/marker && pwd"]);
    let done = guard.run(&plain).unwrap();
    assert_eq!(String::from_utf8_lossy(&done.stdout).trim_end(), guard.scratch().display().to_string());
    let mut lost = Job::new("/bin/look");
    lost.root = Some("/somewhere/else".into());
    assert_eq!(guard.run(&lost).unwrap().end, End::NotStarted(2));
    assert_eq!(detect_in(root.path()), []);
    let missing = Compiler::find(&format!("root:{}:gcc", root.path().display())).unwrap_err();
    assert!(missing.to_string().contains("no such program there"), "{missing}");
}

fn a_root_that_is_none_is_refused() {
    for root in ["/no/such/root", "/etc/passwd"] {
        let options = GuardOptions { roots: vec![root.into()], ..GuardOptions::default() };
        let error = Guard::start(&options).unwrap_err().to_string();
        assert!(error.contains("other roots cannot be used"), "{error}");
        assert!(Compiler::find(&format!("root:{root}:gcc")).is_err());
    }
}

fn task(configured: Configured) -> Task {
    Task {
        configured,
        std: Std::GNU17,
        dir: "d".into(),
        sources: vec!["a.i".into()],
        program: "a".into(),
        libraries: vec!["-lm".into()],
        limits: Limits::default(),
    }
}

const PROGRAM: &str = "int printf(const char *, ...); double sqrt(double);\n\
    int main(int argc, char **argv) { volatile double x = 4; printf(\"%d\\n\", (int) sqrt(x)); return 3; }\n";

/// Compiles and runs a program in both ways.
fn compiles_and_runs(guard: &mut Guard, command: &str) {
    let configured = Configured::parse(command).unwrap();
    assert!(configured.compiler.root.is_some(), "{command}");
    let mut recipes = Recipes::default();
    for speed in [Speed::Plain, Speed::Fast] {
        guard.write("d/a.i", PROGRAM.as_bytes()).unwrap();
        let task = task(configured.clone());
        let built =
            build::compile(guard, &mut recipes, std::slice::from_ref(&task), speed).unwrap().remove(0);
        assert!(built.executable.is_some(), "{command}: {built:?}");
        let plain =
            speed == Speed::Plain || !matches!(configured.compiler.family, Family::Gcc | Family::Clang);
        assert_eq!(plain, built.way == Way::Plain, "{command}: {built:?}");
        let mut job = configured.compiler.runs(built.executable.as_deref().unwrap());
        job.dir.clone_from(&task.dir);
        let ran = guard.run(&job).unwrap();
        assert_eq!((ran.end, &*ran.stdout), (End::Exited(3), &b"2\n"[..]), "{command}: {ran:?}");
        guard.clear().unwrap();
    }
}

fn the_machines_own_root_compiles_and_runs() {
    if howler_testkit::tool("gcc").is_none() {
        return;
    }
    let Some(mut guard) = guard(Path::new("/"), None) else { return };
    compiles_and_runs(&mut guard, "root:/:gcc -O2");
    assert!(detect_in(Path::new("/")).iter().any(|compiler| compiler.name.starts_with("root:/:gcc")));
}

fn a_scratch_folder_elsewhere_is_seen_too() {
    let Some(root) = small_root() else { return };
    for place in ["/tmp", "/var/tmp", "/home"] {
        let Ok(place) = tempfile::tempdir_in(place) else { continue };
        let started = Guard::start(&GuardOptions {
            roots: vec![root.path().to_owned()],
            place: Some(place.path().to_owned()),
            ..GuardOptions::default()
        });
        // This root has no /var that could be hidden by another.
        let fits = !place.path().starts_with("/var");
        match started {
            Ok(mut guard) if fits => {
                let mut job = Job::new("/bin/look");
                job.root = Some(root.path().to_owned());
                let done = guard.run(&job).unwrap();
                assert_eq!(String::from_utf8_lossy(&done.stdout), "marked 30 -1 1 1 -1 1\n", "{done:?}");
                assert!(guard.scratch().join("here").exists());
            }
            Ok(_) => panic!("{}: there is no such place", place.path().display()),
            Err(error) if fits => howler_testkit::skip(&error.to_string()),
            Err(error) => assert!(error.to_string().contains("no place for"), "{error}"),
        }
    }
}

fn a_whole_system_compiles_and_runs() {
    for root in howler_testkit::roots() {
        let Some(mut guard) = guard(&root, None) else { return };
        let compilers = detect_in(&root);
        assert!(!compilers.is_empty(), "{}", root.display());
        for compiler in compilers.iter().filter(|compiler| compiler.is_runnable()) {
            println!("{} {} {}", compiler.name, compiler.version, compiler.triple);
            compiles_and_runs(&mut guard, &format!("{} -O2", compiler.name));
        }
    }
}
