//! Random edits of programs of several units: what is not refused is still those units, each of which is a file that gcc
//! takes, and what is of one file stays of one file. Copies and calls go from file to file where they can.

use howler_case::Origin;
use howler_choices::Choices;
use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::dump;
use howler_lang::edit::{self, Edit, Edited, Place};
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::{BinaryOp, FuncId, Linkage, ObjId, Program, StmtId, StmtKind};
use howler_lang::scope::{Named, Point, Scopes};
use howler_lang::target::{Std, Target};
use howler_lang::verify;
use howler_lang::visit::Reached;
use howler_orange::TECHNIQUE;
use howler_testkit::{Scratch, preprocessed, programs, run, soak, tool};
use std::path::Path;

#[path = "edits_corpus/declare.rs"]
mod declare;

/// How many edits a chain has.
const CHAIN: usize = 40;

/// Names that mean other things in every file, and things of all files.
const NASTY: &[&[&str]] = &[
    &[
        "int printf(const char *, ...); static int count = 1; static int bump(void) { static int n = 10; return n += count; }
         struct s { int a; struct t *t; }; struct t { long v; }; struct s shared; extern struct t other; int api(struct s *);
         enum e { A, B }; typedef struct { int q; } anon; anon an; inline int inl(int x) { return x + 1; } extern int inl(int);
         int main(void) { extern int later(enum e); struct s l = { 1, &other }; int r = api(&l); r += bump(); r += later(B);
           printf(\"%d %ld %d\\n\", r, other.v + inl(2), an.q + shared.a); return 0; }",
        "static int count = 5; static int bump(void) { static int n = 100; return n -= count; }
         struct s { int a; struct t *t; }; struct t { long v; }; extern struct s shared; struct t other = { 77 };
         enum e { A, B }; int later(enum e e) { { extern struct s shared; shared.a = e; } return bump() + e; }
         typedef struct { int q; } anon; extern anon an;
         int api(struct s *p) { int count = 2; { extern int tent; tent += count; } an.q = 4; int r = p->a + p->t->v; return r + bump(); }",
        "struct s { int a; struct t *t; }; int tent; static int bump = 4; int *const bp = &bump; static struct t { char other; } mine;
         char *m(void) { return &mine.other; } union e { int A; } B; int k(void) { return B.A + bump; }",
    ],
    &[
        "static int f(int a) { return a + 1; } int g(int); extern int arr[]; int use(void) { return arr[1] + f(2); }
         static struct q { int a; } v; struct q *pv(void) { return &v; }
         int main(void) { int r = g(1); r += use(); return r == 12 ? 0 : r; }",
        "int arr[3] = { 1, 2, 3 }; static int f(int a) { return a * 3; }
         int g(int x) { int f(int); { int arr = 1; extern int use(void); x += arr; } return f(x) + arr[0]; }
         static struct q { char b; } v; struct q w; int pv2(void) { return v.b + w.b; }",
    ],
];

fn read(texts: &[String]) -> Option<Program> {
    let mut program = Program::new(Target { std: Std::parse("gnu17").unwrap(), ..Target::X86_64_GCC });
    for (number, text) in texts.iter().enumerate() {
        let report = parse(&mut program, &format!("{number}.c"), text.as_str().into(), &Options::default());
        if report.diagnostics.iter().any(|said| said.severity >= Severity::Unsupported) {
            return None;
        }
    }
    Some(program)
}

fn texts(program: &Program) -> Vec<String> {
    (0..program.units.len()).map(|index| unit(program, index, &PrintOptions::default())).collect()
}

/// Two of GCC's tests as two files of a program that is never linked, tests of orange with several files, and the above.
fn seeds(gcc: &Path) -> Option<Vec<Vec<String>>> {
    let mut seeds: Vec<Vec<String>> =
        NASTY.iter().map(|units| units.iter().map(|&text| text.to_owned()).collect()).collect();
    let files = programs(12)?;
    let pairs = files.chunks_exact(2).map(|pair| pair.iter().map(|file| preprocessed(gcc, file)).collect());
    seeds.extend(pairs);
    let values = TECHNIQUE.options.read(["operations=10..100", "files=2"]).unwrap();
    for index in 0..if soak() { 100 } else { 5 } {
        let origin = Origin { arm: "test".to_owned(), version: String::new(), seed: 1, index };
        let choices = &mut Choices::new(1).sub_indexed("test", index);
        let case = (TECHNIQUE.generator)(&values).unwrap().generate(Target::X86_64_GCC, choices, origin);
        seeds.push(case.files.iter().map(|file| String::from_utf8_lossy(&file.text).into_owned()).collect());
    }
    Some(seeds)
}

fn below(choices: &mut Choices, count: usize) -> usize {
    choices.range("below", 0..=count - 1)
}

/// A random edit; its places are of any file.
fn edit(choices: &mut Choices, edited: &mut Edited) -> Option<Edit> {
    let program = edited.program();
    let reached = Reached::of(program);
    let all: Vec<StmtId> = program.stmts.ids().filter(|&s| reached.stmt(s)).collect();
    let (s, to) = (*choices.pick("statement", &all)?, *choices.pick("to", &all)?);
    let funcs: Vec<FuncId> = program.funcs.ids().collect();
    Some(match below(choices, 8) {
        0 => Edit::Remove(edited.stmt(s)),
        1 | 2 => {
            let renaming = renaming(choices, program, s, to);
            let renaming = renaming.iter().map(|&(a, b)| (edited.object(a), edited.object(b))).collect();
            let (first, place) = (edited.stmt(s), Place::Before(edited.stmt(to)));
            Edit::Copy { first, last: first, place, renaming }
        }
        3 => Edit::Wrap { first: edited.stmt(s), last: edited.stmt(s) },
        4 => Edit::Outline { first: edited.stmt(s), last: edited.stmt(s) },
        5 => {
            let from = *choices.pick("from", &funcs)?;
            let alike: Vec<FuncId> =
                funcs.into_iter().filter(|&to| program.funcs[to].ty == program.funcs[from].ty).collect();
            let other = *choices.pick("other", &alike)?;
            match below(choices, 3) {
                0 => Edit::CopyFunction(edited.function(from)),
                1 => Edit::RemoveFunction(edited.function(from)),
                _ => Edit::Redirect { from: edited.function(from), to: edited.function(other) },
            }
        }
        6 => {
            let unit = &program.units[below(choices, program.units.len())];
            Edit::RemoveItem(edited.item(*choices.pick("item", &unit.items)?)?)
        }
        7 => declare::edit(choices, edited)?,
        _ => {
            let object = *choices.pick("object", &integers(program, to))?;
            let code = edited.statements(|c| {
                let (x, value) = (c.lvalue(object), c.int(77)?);
                let differs = c.binary(BinaryOp::Eq, x, value)?;
                let abort = c.builtin("__builtin_abort")?;
                let abort = c.call(abort, &[])?;
                Ok(vec![c.when(differs, &[abort])?])
            });
            Edit::Insert { place: Place::Before(edited.stmt(to)), code: code.ok()? }
        }
    })
}

/// The integers that can be named before a statement.
fn integers(program: &Program, at: StmtId) -> Vec<ObjId> {
    let names = Scopes::of(program).names(Point::Before(at));
    let visible = names.iter().filter(|name| !name.is_hidden()).filter_map(|name| match name.named {
        Named::Object(object) => Some(object),
        _ => None,
    });
    visible.filter(|&object| program.types.is_integer(program.objects[object].ty)).collect()
}

/// Other integers for those of a statement, as they are known where its copy goes.
fn renaming(choices: &mut Choices, program: &Program, s: StmtId, to: StmtId) -> Vec<(ObjId, ObjId)> {
    let there = integers(program, to);
    let mut renaming: Vec<(ObjId, ObjId)> = Vec::new();
    for e in howler_lang::visit::Walk::stmt(program, s).expressions() {
        if let howler_lang::program::ExprKind::Object(object) = program.exprs[e].kind
            && let Some(&other) = choices.pick("object", &there)
            && renaming.iter().all(|&(known, _)| known != object)
        {
            renaming.push((object, other));
        }
    }
    renaming
}

/// What is of one file is of one file.
fn check_units(program: &Program) {
    for (index, contents) in program.units.iter().enumerate() {
        for found in contents.items.iter().flat_map(|&item| {
            let mut parts = Vec::new();
            howler_lang::visit::each_of_item(program, item, &mut |part| parts.push(part.node));
            parts
        }) {
            howler_lang::visit::mentions(program, found, |mention| {
                use howler_lang::visit::Mention;
                let unit = match mention {
                    Mention::Object(object) | Mention::Declares(object) | Mention::Literal(object) => {
                        program.objects[object].unit
                    }
                    Mention::Function(func) => program.funcs[func].unit,
                    _ => return,
                };
                assert_eq!(unit as usize, index, "{mention:?}");
            });
        }
    }
}

fn takes(gcc: &Path, scratch: &Scratch, text: &str) -> bool {
    let file = scratch.folder().join("a.c");
    std::fs::write(&file, text).unwrap();
    let args = ["-w", "-std=gnu17", "-fsyntax-only", file.to_str().unwrap()];
    run(gcc, args, &howler_testkit::Options::default()).success()
}

#[test]
fn chains_of_edits_leave_every_unit_a_file() {
    let Some(gcc) = tool("gcc-12") else { return };
    let Some(seeds) = seeds(&gcc) else { return };
    let scratch = Scratch::new();
    let (mut programs, mut made, mut across) = (0, 0, 0);
    for (number, files) in seeds.iter().enumerate() {
        let Some(seed) = read(files) else { continue };
        programs += 1;
        let before = texts(&seed);
        let taken: Vec<bool> = before.iter().map(|text| takes(&gcc, &scratch, text)).collect();
        let mut choices = Choices::new(number as u64);
        let mut edited = Edited::new(seed.clone());
        for _ in 0..CHAIN {
            let Some(edit) = edit(&mut choices, &mut edited) else { continue };
            let copied = matches!(edit, Edit::Copy { .. });
            let before = texts(edited.program());
            if edited.apply(edit).is_err() {
                assert_eq!(texts(edited.program()), before, "what is refused changes nothing");
            } else {
                across += usize::from(copied);
            }
        }
        made += edited.edits().len();
        let lines: Vec<String> = edited.edits().iter().map(ToString::to_string).collect();
        let again: Vec<Edit> = lines.iter().map(|line| line.parse().unwrap()).collect();
        let (all, _) = Edited::replay(seed.clone(), &again, |_| true);
        assert_eq!(texts(all.program()), texts(edited.program()), "{number}: {lines:?}");
        let (some, _) = Edited::replay(seed, &again, |index| index % 3 != 0);
        for mut program in [edited.into_program(), some.into_program()] {
            assert_eq!(verify::program(&program), [], "{number}: {lines:?}");
            check_units(&program);
            let printed = texts(&program);
            let parsed =
                read(&printed).unwrap_or_else(|| panic!("{number}: {lines:?}\n{}", printed.join("----\n")));
            assert_eq!(dump::program(&parsed), dump::program(&program), "{number}: {lines:?}");
            edit::compact(&mut program);
            assert_eq!(texts(&program), printed, "{number}: {lines:?}");
            for (text, _) in printed.iter().zip(&taken).filter(|(_, taken)| **taken) {
                assert!(takes(&gcc, &scratch, text), "{number}: {lines:?}\n{text}");
            }
        }
    }
    println!("{programs} programs, {made} edits, {across} of them copies");
    assert!(programs > 10 && made > 10 * programs);
}

#[test]
fn copies_go_from_file_to_file_with_what_they_name_there() {
    let files = NASTY[1].iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let seed = read(&files).unwrap();
    // Every statement before every statement of another file: what is made has no name of the first.
    let reached = Reached::of(&seed);
    let all: Vec<StmtId> = seed.stmts.ids().filter(|&s| reached.stmt(s)).collect();
    let (mut made, mut refused) = (0, 0);
    for &from in &all {
        for &to in &all {
            let mut edited = Edited::new(seed.clone());
            let (first, place) = (edited.stmt(from), Place::Before(edited.stmt(to)));
            match edited.apply(Edit::Copy { first, last: first, place, renaming: Vec::new() }) {
                Ok(()) => {
                    made += 1;
                    check_units(edited.program());
                    let parsed = read(&texts(edited.program())).unwrap();
                    assert_eq!(dump::program(&parsed), dump::program(edited.program()));
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(made > 50 && refused > 50, "{made} {refused}");
    let statics = seed.objects.iter().filter(|(_, object)| object.linkage == Linkage::Internal).count();
    assert_eq!(statics, 2, "both files have their own");
    assert!(all.iter().any(|&s| matches!(seed.stmts[s].kind, StmtKind::Return(_))));
}
