//! Edits (`lang::edit`) that change nothing change nothing: the machine says the same before and after, and so does a
//! program that gcc made of it. What nothing reaches has no meaning either.

use howler_choices::Choices;
use howler_front::{Options, parse};
use howler_lang::build;
use howler_lang::diag::Severity;
use howler_lang::edit;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::{Duration, ExprKind, FuncId, Linkage, Program, StmtId, StmtKind, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::target::{Std, Target};
use howler_lang::visit::{Mention, Node, Reached, Walk, mentions};
use howler_machine::outcome::Outcome;
use howler_machine::{Limits, RunOptions, RunReport, run};
use howler_testkit::{Scratch, preprocessed, tool};
use std::path::Path;

/// Which of the files are read in the short version.
const EVERY: usize = 25;
/// How many statements are put into blocks.
const WRAPS: usize = 20;
/// A fraction of what a hunt allows: some programs of the corpora run for long.
const STEPS: u64 = 5_000_000;

fn read(source: &str) -> Option<Program> {
    let mut program = Program::new(Target { std: Std::parse("gnu17").unwrap(), ..Target::X86_64_GCC });
    let report = parse(&mut program, "test.c", source.into(), &Options::default());
    report.diagnostics.iter().all(|said| said.severity < Severity::Unsupported).then_some(program)
}

/// A run, or nothing if the program is not one.
fn runs(program: &Program, checked: bool) -> Option<RunReport> {
    let mut program = program.clone();
    if howler_lang::link::link(&mut program).iter().any(|said| said.severity >= Severity::Unsupported) {
        return None;
    }
    let limits = Limits { steps: STEPS, ..Limits::default() };
    Some(run(&program, &RunOptions { checked, limits, ..RunOptions::default() }))
}

/// What must not change. Steps may: a block more is a step more.
fn meaning(report: &RunReport) -> (String, String, String, String, usize) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let outcome = match &report.outcome {
        // Names of copies are others.
        Outcome::Ub(ub) => format!("{:?}", ub.kind),
        Outcome::BadProgram(_) => "no program".to_owned(),
        other => format!("{other:?}"),
    };
    let open: Vec<_> = report.open.iter().map(|(open, _)| open).collect();
    (outcome, text(&report.output), text(&report.errors), format!("{open:?}"), report.trace.len())
}

/// Whether a function means the same under another name: it has no state and no name of its own.
fn is_plain(program: &Program, func: FuncId) -> bool {
    Walk::of(program, Node::Function(func)).all(|part| {
        let named = match part.node {
            Node::Expr(e) => matches!(program.exprs[e].kind, ExprKind::FuncName(_) | ExprKind::LabelAddr(_)),
            _ => false,
        };
        let mut own = false;
        mentions(program, part.node, |mention| {
            if let Mention::Declares(object) = mention {
                let object = &program.objects[object];
                own |= object.linkage == Linkage::None && object.duration == Duration::Static;
            }
        });
        !named && !own
    })
}

/// The edits that change nothing; how many were made.
fn change_nothing(choices: &mut Choices, program: &mut Program) -> usize {
    let mut made = 0;
    let defined: Vec<FuncId> =
        program.funcs.iter().filter(|(_, func)| func.body.is_some()).map(|(id, _)| id).collect();
    for func in defined {
        if is_plain(program, func) {
            let copied = edit::attempt(program, |change| {
                let copy = change.copy_function(func)?;
                change.redirect(func, copy)
            });
            made += usize::from(copied.is_ok());
        }
    }
    let reached = Reached::of(program);
    let mut all: Vec<StmtId> =
        program.stmts.ids().filter(|&s| reached.stmt(s) && declares_nothing(program, s)).collect();
    choices.shuffle("statements", &mut all);
    for &s in all.iter().take(WRAPS) {
        made += usize::from(edit::attempt(program, |change| change.wrap(s, s)).is_ok());
    }
    edit::compact(program);
    made
}

/// Whether a statement can stand in a block of its own and mean the same. A compound literal is an object of the block
/// around its statement (C17 6.5.2.5p5).
fn declares_nothing(program: &Program, s: StmtId) -> bool {
    let literal = |node: Node| match node {
        Node::Expr(e) => matches!(program.exprs[e].kind, ExprKind::CompoundLiteral(_)),
        _ => false,
    };
    if matches!(program.stmts[s].kind, StmtKind::Expr(_)) {
        return !Walk::of(program, Node::Stmt(s)).any(|part| literal(part.node));
    }
    matches!(
        program.stmts[s].kind,
        StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Return(_)
            | StmtKind::Goto(_)
    )
}

#[test]
fn edits_that_change_nothing_change_nothing() {
    let Some(gcc) = tool("gcc-12") else { return };
    let Some(files) = howler_testkit::programs(EVERY) else { return };
    let scratch = Scratch::new();
    let (mut programs, mut edits, mut natively, mut wrong) = (0, 0, 0, 0);
    for (number, file) in files.into_iter().enumerate() {
        let Some(mut program) = read(&preprocessed(&gcc, &file)) else { continue };
        let Some(before) = runs(&program, false) else { continue };
        let printed = unit(&program, 0, &PrintOptions::default());
        programs += 1;
        edits += change_nothing(&mut Choices::new(number as u64), &mut program);
        let after = runs(&program, false).expect("an edit keeps a program one");
        let checked = runs(&program, true).expect("an edit keeps a program one");
        let same = meaning(&before) == meaning(&after)
            || matches!((&before.outcome, &after.outcome), (Outcome::Limit(_), _) | (_, Outcome::Limit(_)));
        if !same {
            wrong += 1;
            println!("{}: {:?} became {:?}", file.display(), meaning(&before), meaning(&after));
        }
        if meaning(&after) != meaning(&checked) && !matches!(checked.outcome, Outcome::Limit(_)) {
            wrong += 1;
            println!("{}: checked {:?}, plain {:?}", file.display(), meaning(&checked), meaning(&after));
        }
        if matches!(before.outcome, Outcome::Exit(_)) {
            let now = unit(&program, 0, &PrintOptions::default());
            let (before, after) = (native(&gcc, &scratch, &printed), native(&gcc, &scratch, &now));
            natively += usize::from(before.is_some());
            if before != after {
                wrong += 1;
                println!("{}: natively {before:?} became {after:?}", file.display());
            }
        }
    }
    println!("{programs} programs, {edits} edits, {natively} run natively, {wrong} differ");
    assert!(wrong == 0 && programs > 20 && edits > 10 * programs / 2);
}

/// What a program prints and how it ends, made by gcc.
fn native(gcc: &Path, scratch: &Scratch, text: &str) -> Option<(Option<i32>, Vec<u8>)> {
    let (source, binary) = (scratch.folder().join("edited.c"), scratch.folder().join("edited"));
    std::fs::write(&source, text).unwrap();
    let options = howler_testkit::Options::default();
    let args = ["-w", "-O0", "-std=gnu17", "-o", binary.to_str().unwrap(), source.to_str().unwrap(), "-lm"];
    if !howler_testkit::run(gcc, args, &options).success() {
        return None;
    }
    let output = howler_testkit::run(&binary, [] as [&str; 0], &options);
    Some((output.code, output.stdout))
}

#[test]
fn literals_stay_in_their_block() {
    let text = "int main(void) { int *p; p = (int[]){ 1, 2 }; if (p[0]) p[1]++; return p[1] - 3; }";
    let mut program = read(text).unwrap();
    let before = runs(&program, false).unwrap();
    assert!(change_nothing(&mut Choices::new(1), &mut program) > 0);
    assert_eq!(meaning(&before), meaning(&runs(&program, false).unwrap()));
}

#[test]
fn what_nothing_reaches_changes_no_meaning() {
    let text = "int main(void) { int x = 3, y = 0; for (int i = 0; i < 9; i++) y += x; return y != 27; }";
    let mut program = read(text).unwrap();
    let before = runs(&program, false).unwrap();
    let x =
        program.objects.iter().find(|(_, o)| o.name.is_some_and(|name| program.name(name) == "x")).unwrap().0;
    let cx = &mut build::Cx::strict(&mut program);
    let lvalue = build::object(cx, x, Pos::NONE);
    build::unary(cx, UnaryOp::AddrOf, lvalue, Pos::NONE).unwrap();
    let after = runs(&program, false).unwrap();
    assert_eq!(before.outcome, Outcome::Exit(0));
    // An exposed object lives in memory, and reading it takes more steps.
    assert_eq!((before.outcome, before.steps, before.memory), (after.outcome, after.steps, after.memory));
}
