//! Runs the real `howler` on every file of `tests/cases` as its directives say; `tests/cases/format.c` explains them.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a case file asks for.
#[derive(Default)]
struct Case {
    args: Vec<String>,
    status: i32,
    stdin: Option<String>,
    env: Vec<(String, String)>,
    needs: Vec<String>,
    stdout_has: Vec<String>,
    stderr_has: Vec<String>,
}

/// Reads the directives: the lines at the start that begin with `//`.
fn read_case(name: &str, text: &str) -> Case {
    let mut case = Case::default();
    let mut runs = 0;
    for line in text.lines().map_while(|line| line.strip_prefix("//")) {
        let Some((key, value)) = line.trim().split_once(": ") else { continue };
        let value = value.trim();
        match key {
            "RUN" => {
                case.args = value.split_whitespace().map(|word| word.replace('%', name)).collect();
                runs += 1;
            }
            "STATUS" => case.status = value.parse().expect("STATUS is a number"),
            "STDIN" => case.stdin = Some(format!("{value}\n").replace("\\n", "\n")),
            "ENV" => {
                let (name, value) = value.split_once('=').expect("ENV is NAME=VALUE");
                case.env.push((name.to_owned(), value.to_owned()));
            }
            "NEEDS" => case.needs.push(value.to_owned()),
            "STDOUT-HAS" => case.stdout_has.push(value.to_owned()),
            "STDERR-HAS" => case.stderr_has.push(value.to_owned()),
            // A misspelt directive must not pass; other comments start with a small letter.
            _ if key.chars().all(|c| c.is_ascii_uppercase() || c == '-') => panic!("{name}: unknown {key}"),
            _ => {}
        }
    }
    assert_eq!(runs, 1, "{name}: one RUN line");
    case
}

/// What is wrong with a stream, if anything: the words it lacks, or its difference to the sibling file.
fn compare(path: &Path, stream: &str, has: &[String], actual: &str) -> Result<(), String> {
    if !has.is_empty() {
        return match has.iter().find(|words| !actual.contains(*words)) {
            Some(words) => Err(format!("{stream} lacks {words:?}:\n{actual}")),
            None => Ok(()),
        };
    }
    let sibling = path.with_extension(stream);
    if std::env::var_os("HOWLER_BLESS").is_some() {
        if actual.is_empty() {
            let _ = std::fs::remove_file(&sibling);
        } else {
            std::fs::write(&sibling, actual).unwrap();
        }
    }
    let expected = std::fs::read_to_string(&sibling).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    Err(format!("{stream} is\n{actual}--- but expected is\n{expected}--- (HOWLER_BLESS=1 accepts it)"))
}

fn run_case(path: &Path) -> Result<(), String> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let case = read_case(name, &std::fs::read_to_string(path).unwrap());
    if !case.needs.iter().all(|need| howler_testkit::tool(need).is_some()) {
        return Ok(());
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_howler"));
    command.args(&case.args).current_dir(path.parent().unwrap()).envs(case.env);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The command need not read it.
    let _ = stdin.write_all(case.stdin.unwrap_or_default().as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let mut wrong = String::new();
    if output.status.code() != Some(case.status) {
        writeln!(wrong, "{}, but expected is {}\n{stderr}", output.status, case.status).unwrap();
    }
    for result in [
        compare(path, "stdout", &case.stdout_has, &stdout),
        compare(path, "stderr", &case.stderr_has, &stderr),
    ] {
        wrong += &result.err().unwrap_or_default();
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{name}: howler {}\n{wrong}", case.args.join(" "))) }
}

#[test]
fn every_case_does_what_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c" || extension == "case"));
    paths.sort();
    assert!(!paths.is_empty());
    let wrong: Vec<String> = paths.iter().filter_map(|path| run_case(path).err()).collect();
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), paths.len(), wrong.join("\n"));
}
