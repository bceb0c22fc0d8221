//! The lab with compilers of other roots. Without libtest's harness: this executable is the guard too.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use howler_case::{Case, Origin, Status};
use howler_lang::target::Std;
use howler_oracle::judge::Word;
use howler_oracle::lab::{Configuration, Examined, Lab, Options};
use howler_oracle::sighting::Kind;
use howler_toolchain::compiler::detect_in;
use howler_toolchain::guard::{Guard, GuardOptions, serve_if_asked};
use howler_toolchain::preprocess::Preprocessor;
use libtest_mimic::{Arguments, Trial};

fn main() {
    serve_if_asked();
    let tests: &[(&str, fn())] = &[
        ("right_programs_show_nothing_in_any_root", right_programs_show_nothing_in_any_root),
        ("a_bug_is_confirmed_where_it_is", a_bug_is_confirmed_where_it_is),
    ];
    let trials = tests.iter().map(|&(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

fn lab(roots: &[PathBuf]) -> Option<Lab> {
    let options = GuardOptions { roots: roots.to_vec(), ..GuardOptions::default() };
    let guard = match Guard::start(&options) {
        Ok(guard) => guard,
        Err(error) => {
            howler_testkit::skip(&error.to_string());
            return None;
        }
    };
    let mut options = Options::default();
    options.compile.cpu = Duration::from_secs(10);
    Some(Lab::new(guard, Preprocessor::find(None).unwrap(), options))
}

fn case(text: &str) -> Case {
    let origin = Origin { arm: "test".into(), version: "0".into(), seed: 0, index: 0 };
    Case::new("test.c", text, Std::GNU17, origin)
}

fn kinds(examined: &Examined) -> Vec<(Kind, Vec<String>)> {
    examined.sightings.iter().map(|found| (found.kind, found.configurations.clone())).collect()
}

/// This system's own root is another root too. Newer compilers speak another C by default and have more errors.
fn right_programs_show_nothing_in_any_root() {
    let roots = howler_testkit::roots();
    let Some(mut lab) = lab(&roots) else { return };
    let mut all = Vec::new();
    for root in &roots {
        for compiler in detect_in(root) {
            let known = ["gcc", "clang"].iter().any(|name| compiler.name.contains(name));
            for level in ["-O0", "-O2"] {
                if known && compiler.is_runnable() {
                    all.push(Configuration::parse(&format!("{} {level}", compiler.name)).unwrap());
                }
            }
        }
    }
    assert!(all.iter().all(|one| one.target.is_some()), "{all:?}");
    for text in [
        // clang 23 makes an error of it.
        "int a = 1, b = 2, c = 3; int main(void) { return a < b < c; }\n",
        "#include <stdio.h>\nint f(); int main(void) { printf(\"%d\\n\", f(1)); return 0; }\nint f(int x) { return x; }\n",
        // C23 has other meanings for these.
        "int bool = 1, true = 2, nullptr = 3; int main(void) { return bool + true + nullptr - 6; }\n",
    ] {
        let examined = lab.examine(&case(text), &all).unwrap();
        assert_eq!(kinds(&examined), [], "{text}");
        assert_eq!(examined.untried, [], "{text}");
        assert!(examined.runs > 0 && examined.word() == Word::Defined, "{text}: {}", examined.word());
    }
}

/// Its script compiles and runs there too.
fn a_bug_is_confirmed_where_it_is() {
    let Some(mut lab) = lab(&[PathBuf::from("/")]) else { return };
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("cc");
    let script = "#!/bin/sh\ncase \"$*\" in *-o*) kill -6 $$ ;; esac\nexec gcc \"$@\"\n";
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    let name = format!("root:/:{} -O2", path.display());
    let all = [Configuration::parse(&name).unwrap()];
    let case = case("int main(void) { return 0; }\n");
    let examined = lab.examine(&case, &all).unwrap();
    assert_eq!(kinds(&examined), [(Kind::Crash, vec![name])]);
    let finding = lab.confirm(&case, &examined.sightings[0], &all).unwrap();
    assert_eq!(finding.status, Status::Confirmed);
    let files = tempfile::tempdir().unwrap();
    for file in finding.folder() {
        std::fs::write(files.path().join(&file.name), &file.text).unwrap();
    }
    let shown = Command::new("sh").arg(files.path().join("repro.sh")).output().unwrap();
    assert!(shown.status.success(), "{shown:?}");
}
