//! Programs to edit, and what must hold of them afterwards.

use howler_front::{Options, parse};
use howler_lang::dump;
use howler_lang::edit::{Edit, Edited};
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::{Program, StmtId, StmtKind};
use howler_lang::target::Target;
use howler_lang::verify;
use howler_lang::visit::Reached;

/// A program of these units.
pub fn read(texts: &[&str]) -> Program {
    let mut program = Program::new(Target::X86_64_GCC);
    for (number, text) in texts.iter().enumerate() {
        let report = parse(&mut program, &format!("{number}.c"), (*text).into(), &Options::default());
        assert!(report.unit.is_some(), "{text}: {:?}", report.diagnostics);
    }
    program
}

/// Its units as text.
pub fn texts(program: &Program) -> Vec<String> {
    (0..program.units.len()).map(|index| unit(program, index, &PrintOptions::default())).collect()
}

/// The program is well-formed, its text is it, and its edits make it again.
pub fn check(seed: &Program, edited: &Edited) {
    assert_eq!(verify::program(edited.program()), []);
    let printed = texts(edited.program());
    let again = read(&printed.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(dump::program(&again), dump::program(edited.program()), "{printed:?}");
    let lines: Vec<String> = edited.edits().iter().map(ToString::to_string).collect();
    let edits: Vec<Edit> = lines.iter().map(|line| line.parse().unwrap()).collect();
    assert_eq!(edits, edited.edits(), "{lines:?}");
    let (again, made) = Edited::replay(seed.clone(), &edits, |_| true);
    assert!(made.iter().all(|&made| made), "{lines:?}");
    assert_eq!(texts(again.program()), printed);
}

/// Its `return` statements.
pub fn returns(program: &Program) -> Vec<StmtId> {
    let reached = Reached::of(program);
    let is = |(s, stmt): &(StmtId, &howler_lang::program::Stmt)| {
        reached.stmt(*s) && matches!(stmt.kind, StmtKind::Return(_))
    };
    program.stmts.iter().filter(is).map(|(s, _)| s).collect()
}
