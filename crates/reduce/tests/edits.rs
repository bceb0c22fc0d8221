//! Tests that were made by lists of edits lose those that do not matter.

use std::sync::atomic::AtomicBool;

use howler_case::{File, Input};
use howler_front::{Options, parse};
use howler_lang::edit::{Edit, Edited};
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::{Program, StmtKind};
use howler_lang::target::Target;
use howler_lang::visit::{self, Node};
use howler_reduce::engine::{Answer, Limits};
use howler_reduce::work::{Given, MadeOf, Outcome, Progress, reduce};
use howler_toolchain::preprocess::Preprocessor;

const SEED: &str = "int a; int f(int b) { a = b; a = 2; a = 3; a = 4; return a; } \
                    int main(void) { a = 5; a = 6; a = 7; return f(1); }";

fn read(text: &str) -> Program {
    let mut program = Program::new(Target::X86_64_GCC);
    parse(&mut program, "test.c", text.into(), &Options::default());
    program
}

fn file(program: &Program) -> File {
    let text = unit(program, 0, &PrintOptions::default());
    File { name: "test.c".to_owned(), text: text.into_bytes() }
}

/// The seed without any of its assignments, and the edits that took them away.
fn variant() -> (File, Vec<String>) {
    let mut edited = Edited::new(read(SEED));
    let mut all = Vec::new();
    visit::each(edited.program(), |part| {
        if let Node::Stmt(s) = part.node
            && let StmtKind::Expr(_) = edited.program().stmts[s].kind
        {
            all.push(s);
        }
    });
    for s in all {
        edited.apply(Edit::Remove(edited.stmt(s))).expect("an assignment can go");
    }
    (file(edited.program()), edited.edits().iter().map(ToString::to_string).collect())
}

fn reduced(
    edits: &[String],
    given: &File,
    wanted: impl Fn(&str) -> bool + Send + Sync,
) -> (Outcome, Vec<String>) {
    let stop = AtomicBool::new(false);
    let limits = Limits { tokens: 0, time: None, tests: None, stop: &stop };
    let preprocessor = Preprocessor::find(None).expect("there is a compiler");
    let seed = [file(&read(SEED))];
    let mut asking = [|files: &[File]| match wanted(&String::from_utf8_lossy(&files[0].text)) {
        true => Answer::Yes,
        false => Answer::No,
    }];
    let mut notes = Vec::new();
    let given = Given {
        files: std::slice::from_ref(given),
        target: Some(Target::X86_64_GCC),
        input: &Input::NOTHING,
        made_of: Some(MadeOf { seed: &seed, edits }),
        runs: true,
        preprocessor: &preprocessor,
        text_too: false,
    };
    let done = reduce(given, &mut asking, &limits, &mut |progress| {
        if let Progress::Note(note) = progress {
            notes.push(note.to_owned());
        }
    });
    (done.expect("it is interesting"), notes)
}

#[test]
fn edits_go_before_the_program_becomes_smaller() {
    let (given, edits) = variant();
    assert_eq!(edits.len(), 7);
    let (done, notes) = reduced(&edits, &given, |text| !text.contains("a = 3;") && !text.contains("a = 6;"));
    assert_eq!(notes, [] as [&str; 0]);
    let left: Vec<usize> = done.edits.iter().map(|(number, _)| *number).collect();
    assert_eq!(left, [2, 5]);
    assert_eq!(done.edits[0].1, edits[2]);
    assert_eq!(done.measures[0].0, "edits");
    // All that the seed has is tried once the edits are few.
    assert_eq!(done.measures[1].0, "program");
    assert!(done.size.tokens < 10, "{}", String::from_utf8_lossy(&done.files[0].text));
}

#[test]
fn a_test_that_needs_none_of_its_edits_is_its_seed() {
    let (given, edits) = variant();
    let (done, _) = reduced(&edits, &given, |text| text.contains("main"));
    assert_eq!(done.edits, []);
    assert!(done.size.tokens < 10, "{}", String::from_utf8_lossy(&done.files[0].text));
}

#[test]
fn edits_that_cannot_be_made_stay_and_somebody_says_so() {
    let (given, mut edits) = variant();
    edits[3] = "nonsense".to_owned();
    let (done, notes) = reduced(&edits, &given, |text| text.contains("main"));
    assert!(notes[0].starts_with("its edits stay as they are: nonsense"), "{notes:?}");
    assert!(done.size.tokens < 10);
}

#[test]
fn nothing_becomes_larger() {
    let stop = AtomicBool::new(false);
    // As it is printed it has a prototype more, and there is no test left to find out what can go.
    let limits = Limits { tokens: 0, time: None, tests: Some(0), stop: &stop };
    let preprocessor = Preprocessor::find(None).expect("there is a compiler");
    let text = b"int f(a, b) int a, b; { return a + b; } int c, d, e, g;".to_vec();
    let files = [File { name: "test.c".to_owned(), text }];
    let given = Given {
        files: &files,
        target: Some(Target::X86_64_GCC),
        input: &Input::NOTHING,
        made_of: None,
        runs: false,
        preprocessor: &preprocessor,
        text_too: true,
    };
    let mut largest = 0;
    let mut asking = [|files: &[File]| {
        largest = largest.max(files[0].text.len());
        Answer::Yes
    }];
    let done = reduce(given, &mut asking, &limits, &mut |_| {}).expect("it is interesting");
    assert!(done.size <= done.before, "{:?}", done.size);
    assert_eq!(done.files, files);
    assert!(largest > files[0].text.len(), "it was asked about as it is printed");
}
