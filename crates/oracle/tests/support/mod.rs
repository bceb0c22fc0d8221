//! What the tests of the lab share: labs, cases, and compilers that are scripts.
#![allow(dead_code, reason = "each test uses a part of it")]
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use howler_case::{Case, Origin, Status};
use howler_lang::target::Std;
use howler_oracle::finding::Finding;
use howler_oracle::lab::{Configuration, Examined, Lab, Options};
use howler_oracle::sighting::Kind;
use howler_toolchain::guard::{Guard, GuardOptions};
use howler_toolchain::preprocess::Preprocessor;
use libtest_mimic::{Arguments, Trial};

/// Runs tests by name, in an executable that is the guard too.
pub fn run(tests: &[(&'static str, fn())]) -> ! {
    let trials = tests.iter().map(|&(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit()
}

pub fn lab() -> Lab {
    let guard = Guard::start(&GuardOptions::default()).unwrap();
    let mut options = Options::default();
    options.compile.cpu = Duration::from_secs(10);
    options.judge.limits.steps = 10_000_000;
    Lab::new(guard, Preprocessor::find(None).unwrap(), options)
}

pub fn case(text: &str) -> Case {
    let origin = Origin { arm: "test".into(), version: "0".into(), seed: 0, index: 0 };
    Case::new("test.c", text, Std::GNU17, origin)
}

/// The configurations, or nothing with a line that says what is missing.
pub fn configurations(commands: &[&str]) -> Option<Vec<Configuration>> {
    let mut found = Vec::new();
    for command in commands {
        match Configuration::parse(command) {
            Ok(configuration) => found.push(configuration),
            Err(error) => {
                howler_testkit::skip(&error.to_string());
                return None;
            }
        }
    }
    Some(found)
}

/// A compiler made of gcc and a script that sees `$@`, with `$out` the output file.
pub fn wrapper(folder: &Path, name: &str, script: &str) -> PathBuf {
    let path = folder.join(name);
    let find_output = "out=\nlast=\nfor arg in \"$@\"; do test \"$last\" = -o && out=$arg; last=$arg; done\n";
    // Questions are answered by gcc itself.
    // A shortcut past the driver would be one past the script.
    let find_output = format!("case \"$*\" in *-###*) exit 1 ;; esac\n{find_output}");
    let text = format!("#!/bin/sh\n{find_output}test -n \"$out\" || exec gcc \"$@\"\n{script}\n");
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

pub fn kinds(examined: &Examined) -> Vec<(Kind, Vec<String>)> {
    examined.sightings.iter().map(|found| (found.kind, found.configurations.clone())).collect()
}

/// Runs a finding's script where nothing but its folder is.
pub fn repro(finding: &Finding) -> i32 {
    let folder = tempfile::tempdir().unwrap();
    for file in finding.folder() {
        std::fs::write(folder.path().join(&file.name), &file.text).unwrap();
    }
    let readme = std::fs::read_to_string(folder.path().join("README.txt")).unwrap();
    assert!(readme.contains(&finding.title()), "{readme}");
    let output = Command::new("sh").arg(folder.path().join("repro.sh")).current_dir("/").output().unwrap();
    println!("{}", String::from_utf8_lossy(&output.stdout));
    let code = output.status.code().unwrap();
    let script = folder.path().join("test.sh");
    if script.exists() {
        assert_eq!(predicate(finding, &script, |file| file.text.clone()), Some(code), "{script:?}");
        assert_eq!(predicate(finding, &script, |_| Vec::new()), Some(1), "empty files are interesting");
    }
    code
}

/// What a finding's predicate says in a folder that has only these files.
fn predicate(finding: &Finding, script: &Path, text: impl Fn(&howler_case::File) -> Vec<u8>) -> Option<i32> {
    let folder = tempfile::tempdir().unwrap();
    for file in &finding.files {
        std::fs::write(folder.path().join(&file.name), text(file)).unwrap();
    }
    Command::new("sh").arg(script).current_dir(folder.path()).status().unwrap().code()
}

pub const SIGN: &str = "int main(void) { signed char c = -1; return (unsigned short)c != 65535; }\n";

/// A folder that jobs see: they have a /tmp of their own.
pub fn outside_tmp() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

pub fn wrapped(folder: &Path, name: &str, script: &str) -> (Vec<Configuration>, String) {
    let name = wrapper(folder, name, script).display().to_string();
    let mut all = configurations(&["gcc -O1"]).unwrap_or_default();
    all.push(Configuration::parse(&format!("{name} -O2")).unwrap());
    (all, format!("{name} -O2"))
}

pub fn examined_one(script: &str, text: &str) -> (Finding, Kind) {
    let folder = outside_tmp();
    let (all, name) = wrapped(folder.path(), "cc", script);
    let mut lab = lab();
    lab.options.compile.cpu = Duration::from_secs(1);
    lab.options.compile.wall = Duration::from_secs(2);
    lab.options.patience = 2;
    lab.options.compile.memory = 200 << 20;
    lab.options.compile.output = 1 << 20;
    let case = case(text);
    let examined = lab.examine(&case, &all).unwrap();
    assert_eq!(examined.sightings.len(), 1, "{script}: {:?}", examined.sightings);
    assert_eq!(examined.sightings[0].configurations, [name], "{script}");
    let finding = lab.confirm(&case, &examined.sightings[0], &all).unwrap();
    if finding.status == Status::Confirmed {
        assert_eq!(repro(&finding), 0, "{script}\n{:?}", finding.claim);
    }
    (finding, examined.sightings[0].kind)
}

pub const SMALL: &str = "int main(void) { return 3; }\n";
