//! Random chains of edits (`lang::edit`) on real programs: whatever was not refused is a program, in the tree and as
//! text, and gcc and clang take it.

use howler_case::Origin;
use howler_choices::Choices;
use howler_front::{Options, parse};
use howler_lang::build::{self, Cx};
use howler_lang::compose::Composer;
use howler_lang::diag::Severity;
use howler_lang::dump;
use howler_lang::edit::{self, Change, Edit, Edited, Fragment, Operand, Place, Refused, Renaming};
use howler_lang::id::Id;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::{
    BinaryOp, Duration, ExprId, ExprKind, FuncId, Init, IntForm, Item, Linkage, ObjId, Program, StmtId,
    StmtKind, Storage,
};
use howler_lang::scope::{Named, Point, Scopes};
use howler_lang::source::Pos;
use howler_lang::target::{Std, Target};
use howler_lang::ty::Type;
use howler_lang::verify;
use howler_lang::visit::{self, Reached};
use howler_orange::TECHNIQUE;
use howler_testkit::{Scratch, preprocessed, programs, run, soak, tool};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

mod declare;

/// Which of the files are read in the short version.
const EVERY: usize = 20;
/// How many of orange's programs are edited in the long version.
const ORANGE: u64 = 500;
/// How many edits a chain has.
const CHAIN: usize = 50;

/// Texts to edit, with their names: programs of the corpora, and some of orange's.
fn seeds(gcc: &Path) -> Option<impl Iterator<Item = (String, String)> + use<>> {
    let (files, gcc) = (programs(EVERY)?, gcc.to_path_buf());
    let name = |file: &Path| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let read = files.into_iter().map(move |file| (name(&file), preprocessed(&gcc, &file)));
    let made = (0..if soak() { ORANGE } else { ORANGE / EVERY as u64 }).map(|index| {
        let values = TECHNIQUE.options.read(["operations=10..300"]).unwrap();
        let origin = Origin { arm: "test".to_owned(), version: String::new(), seed: 1, index };
        let choices = &mut Choices::new(1).sub_indexed("test", index);
        let case = (TECHNIQUE.generator)(&values).unwrap().generate(Target::X86_64_GCC, choices, origin);
        (format!("orange {index}"), String::from_utf8_lossy(&case.files[0].text).into_owned())
    });
    Some(read.chain(made))
}

fn read(source: &str) -> Result<Program, String> {
    let mut program = Program::new(Target { std: Std::parse("gnu17").unwrap(), ..Target::X86_64_GCC });
    let report = parse(&mut program, "test.c", source.into(), &Options::default());
    match report.diagnostics.iter().find(|said| said.severity >= Severity::Unsupported) {
        None => Ok(program),
        Some(said) => Err(said.message.clone()),
    }
}

/// What one random edit is called, and whether it was made.
fn edit(choices: &mut Choices, program: &mut Program) -> (&'static str, Result<(), Refused>) {
    match below(choices, "edit", 9) {
        8 => ("declare", declaration(choices, program)),
        0 => ("delete", delete(choices, program)),
        1 | 2 => ("copy", insert_copy(choices, program)),
        3 => ("wrap", wrap(choices, program)),
        4 | 5 => ("operand", operand(choices, program)),
        6 => ("outline", outline(choices, program)),
        _ => match below(choices, "other", 3) {
            0 => {
                edit::compact(program);
                ("compact", Ok(()))
            }
            1 => ("function", function(choices, program)),
            _ => ("item", item(choices, program)),
        },
    }
}

/// A number below another.
fn below(choices: &mut Choices, name: &'static str, count: u64) -> u64 {
    choices.range(name, 0..=count - 1)
}

const NONE: Result<(), Refused> = Err(Refused::Place("nothing to edit"));

fn statements(program: &Program) -> Vec<StmtId> {
    let reached = Reached::of(program);
    program.stmts.ids().filter(|&s| reached.stmt(s)).collect()
}

fn delete(choices: &mut Choices, program: &mut Program) -> Result<(), Refused> {
    let all = statements(program);
    let Some(&s) = choices.pick("statement", &all) else { return NONE };
    edit::attempt(program, |change| change.remove(s))
}

fn insert_copy(choices: &mut Choices, program: &mut Program) -> Result<(), Refused> {
    let all = statements(program);
    let (Some(&from), Some(&to)) = (choices.pick("from", &all), choices.pick("to", &all)) else {
        return NONE;
    };
    let scopes = Scopes::of(program);
    edit::attempt(program, |change| {
        let mut renaming = Renaming::default();
        for object in change.free_objects(&[from]) {
            if let Some(other) = same_type(choices, change.program(), &scopes, to, object) {
                renaming.insert(object, other);
            }
        }
        let copy = change.copy(&[from], &renaming)?;
        change.insert_before(to, &copy)
    })
}

/// Another object of the same type that can be named before a statement.
fn same_type(
    choices: &mut Choices,
    program: &Program,
    scopes: &Scopes,
    at: StmtId,
    object: ObjId,
) -> Option<ObjId> {
    let wanted = &program.objects[object];
    let names = scopes.names(Point::Before(at));
    let fitting: Vec<ObjId> = names
        .iter()
        .filter(|name| !name.is_hidden())
        .filter_map(|name| match name.named {
            Named::Object(other) => Some(other),
            _ => None,
        })
        .filter(|&other| {
            program.objects[other].ty == wanted.ty && program.objects[other].register == wanted.register
        })
        .collect();
    choices.pick("object", &fitting).copied()
}

/// Two statements of one block, in order.
fn range(choices: &mut Choices, program: &Program) -> Option<(StmtId, StmtId)> {
    let reached = Reached::of(program);
    let blocks: Vec<Vec<StmtId>> = (program.stmts.iter())
        .filter(|(s, _)| reached.stmt(*s))
        .filter_map(|(_, stmt)| match stmt.kind {
            StmtKind::Compound(list) if !list.is_empty() => Some(program.block(list).to_vec()),
            _ => None,
        })
        .collect();
    let block = choices.pick("block", &blocks)?;
    let from = below(choices, "from", block.len() as u64) as usize;
    let count = 1 + below(choices, "count", (block.len() - from) as u64) as usize;
    Some((block[from], block[from + count - 1]))
}

fn wrap(choices: &mut Choices, program: &mut Program) -> Result<(), Refused> {
    let Some((first, last)) = range(choices, program) else { return NONE };
    edit::attempt(program, |change| change.wrap(first, last).map(|_| ()))
}

fn outline(choices: &mut Choices, program: &mut Program) -> Result<(), Refused> {
    let Some((first, last)) = range(choices, program) else { return NONE };
    edit::attempt(program, |change| change.outline(first, last).map(|_| ()))
}

fn operand(choices: &mut Choices, program: &mut Program) -> Result<(), Refused> {
    let reached = Reached::of(program);
    let all: Vec<ExprId> = program
        .exprs
        .iter()
        .filter(|(e, expr)| reached.expr(*e) && !matches!(expr.kind, ExprKind::Convert(..)))
        .map(|(e, _)| e)
        .collect();
    let Some(&e) = choices.pick("expression", &all) else { return NONE };
    let scopes = Scopes::of(program);
    edit::attempt(program, |change| {
        let new = other_expression(choices, change, &scopes, &all, e)?;
        change.replace_expr(e, new)
    })
}

/// A constant, a part of the expression, an object that is visible there, or a copy of an expression from elsewhere.
fn other_expression(
    choices: &mut Choices,
    change: &mut Change,
    scopes: &Scopes,
    all: &[ExprId],
    e: ExprId,
) -> Result<ExprId, Refused> {
    match below(choices, "instead", 4) {
        0 => {
            let value = below(choices, "value", 5);
            let ty = *choices.pick("type", &[Type::INT, Type::UINT, Type::LONG, Type::ULONG]).unwrap();
            Ok(build::int(&mut Cx::strict(change.program_mut()), value, IntForm::Decimal, ty, Pos::NONE))
        }
        1 => {
            let mut parts = Vec::new();
            visit::operands(change.program(), e, |part| parts.push(part));
            Ok(choices.pick("part", &parts).copied().unwrap_or(e))
        }
        2 => {
            let names = scopes.names(Point::At(e));
            let objects: Vec<ObjId> = names
                .iter()
                .filter(|name| !name.is_hidden())
                .filter_map(|name| match name.named {
                    Named::Object(object) => Some(object),
                    _ => None,
                })
                .collect();
            let Some(&object) = choices.pick("object", &objects) else {
                return Err(Refused::Place("nothing to name"));
            };
            Ok(build::object(&mut Cx::strict(change.program_mut()), object, Pos::NONE))
        }
        _ => {
            let from = *choices.pick("from", all).unwrap();
            change.copy_expr(from, &Renaming::default())
        }
    }
}

fn function(choices: &mut Choices, program: &mut Program) -> Result<(), Refused> {
    let defined: Vec<FuncId> =
        program.funcs.iter().filter(|(_, func)| func.body.is_some()).map(|(id, _)| id).collect();
    let Some(&func) = choices.pick("function", &defined) else { return NONE };
    let calls = below(choices, "calls", 2) == 0;
    edit::attempt(program, |change| {
        let copy = change.copy_function(func)?;
        if calls { change.redirect(func, copy) } else { Ok(()) }
    })
}

fn item(choices: &mut Choices, program: &mut Program) -> Result<(), Refused> {
    let unit = below(choices, "unit", program.units.len() as u64) as usize;
    let count = program.units[unit].items.len() as u64;
    if count == 0 {
        return NONE;
    }
    let index = below(choices, "item", count) as usize;
    if let Item::Decl(decl) = program.units[unit].items[index]
        && let howler_lang::program::Entity::Function(func) = program.decls[decl].entity
        && below(choices, "whole", 2) == 0
    {
        return edit::attempt(program, |change| change.remove_function(func));
    }
    edit::attempt(program, |change| change.remove_item(unit, index))
}

fn declaration(choices: &mut Choices, program: &mut Program) -> Result<(), Refused> {
    let mut edited = Edited::new(program.clone());
    let Some(edit) = declare::edit(choices, &mut edited) else { return NONE };
    let done = edited.apply(edit);
    *program = edited.into_program();
    done
}

#[test]
fn chains_of_edits_leave_programs() {
    let (Some(gcc), Some(clang)) = (tool("gcc-12"), tool("clang-16")) else { return };
    let Some(seeds) = seeds(&gcc) else { return };
    let scratch = Scratch::new();
    let mut counts: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let (mut chains, mut failed) = (0, Vec::new());
    for (number, (file, text)) in seeds.enumerate() {
        let Ok(mut program) = read(&text) else { continue };
        if let Some(fault) = verify::program(&program).first() {
            println!("{file}: before any edit: {fault:?}");
            failed.push(file);
            continue;
        }
        let before = unit(&program, 0, &PrintOptions::default());
        let takers: Vec<&PathBuf> = [&gcc, &clang]
            .into_iter()
            .filter(|compiler| refuses(compiler, &scratch, &before).is_none())
            .collect();
        let mut choices = Choices::new(number as u64);
        for _ in 0..CHAIN {
            let (kind, result) = edit(&mut choices, &mut program);
            let outcome = match result {
                Ok(()) => "made".to_owned(),
                Err(Refused::Rule(fault)) => fault.rule.to_owned(),
                Err(Refused::Constraint(_)) => "constraint".to_owned(),
                Err(Refused::Place(why)) => why.to_owned(),
            };
            *counts.entry((kind, outcome)).or_default() += 1;
        }
        chains += 1;
        if soak() && chains % 100 == 0 {
            println!("{chains} chains, {} failed", failed.len());
        }
        if let Some(wrong) = check(&mut program, &takers, &scratch) {
            println!("{file}: {wrong}");
            failed.push(file);
        }
    }
    for ((kind, outcome), count) in &counts {
        println!("{kind:10} {count:6} {outcome}");
    }
    println!("{chains} chains, {} failed", failed.len());
    assert!(failed.is_empty() && chains > 0);
}

/// What is wrong with a program after a chain.
fn check(program: &mut Program, takers: &[&PathBuf], scratch: &Scratch) -> Option<String> {
    let text = unit(program, 0, &PrintOptions::default());
    for compiler in takers {
        if let Some(said) = refuses(compiler, scratch, &text) {
            return Some(format!("{} refuses: {said}", compiler.display()));
        }
    }
    let again = match read(&text) {
        Ok(again) => again,
        Err(said) => return Some(format!("does not parse: {said}")),
    };
    if dump::program(program) != dump::program(&again) {
        return Some(format!("parses to another program: {}", first_difference(program, &again)));
    }
    let whole = dump::program(program);
    edit::compact(program);
    if let Some(fault) = verify::program(program).first() {
        return Some(format!("compacted: {fault:?}"));
    }
    if dump::program(program) != whole {
        return Some("compacted to another program".to_owned());
    }
    None
}

fn first_difference(a: &Program, b: &Program) -> String {
    let (a, b) = (dump::program(a), dump::program(b));
    let found = a.lines().zip(b.lines()).find(|(a, b)| a != b);
    format!("{found:?}")
}

/// The first error of a compiler.
fn refuses(compiler: &Path, scratch: &Scratch, text: &str) -> Option<String> {
    let file = scratch.folder().join("edited.c");
    std::fs::write(&file, text).unwrap();
    let args = ["-w", "-std=gnu17", "-fsyntax-only", file.to_str().unwrap()];
    let output = run(compiler, args, &howler_testkit::Options::default());
    if output.success() {
        return None;
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let first = said.lines().find(|line| line.contains("error")).unwrap_or("no error");
    // The name of the scratch file is of no use; the line is.
    let (place, message) = first.split_once(": error: ").unwrap_or(("", first));
    let line: usize = place.rsplit(':').nth(1).and_then(|line| line.parse().ok()).unwrap_or(1);
    Some(format!("{message}: {}", text.lines().nth(line - 1).unwrap_or_default().trim()))
}

/// A random edit as data.
fn edit_as_data(choices: &mut Choices, edited: &mut Edited) -> Option<Edit> {
    let which = below(choices, "edit", 9);
    if which == 8 {
        return declare::edit(choices, edited);
    }
    let edited = &*edited;
    let program = edited.program();
    let all = statements(program);
    Some(match which {
        0 => Edit::Remove(edited.stmt(*choices.pick("statement", &all)?)),
        1 => {
            let to = *choices.pick("to", &all)?;
            let (first, last) = range(choices, program)?;
            let scopes = Scopes::of(program);
            let mut renaming = Vec::new();
            for object in visit::Walk::stmt(program, first).expressions() {
                if let ExprKind::Object(object) = program.exprs[object].kind
                    && let Some(other) = same_type(choices, program, &scopes, to, object)
                    && renaming.iter().all(|&(known, _)| known != edited.object(object))
                {
                    renaming.push((edited.object(object), edited.object(other)));
                }
            }
            let place = match below(choices, "place", 4) {
                0 => Place::Instead(edited.stmt(to)),
                1 => Place::End(edited.stmt(to)),
                _ => Place::Before(edited.stmt(to)),
            };
            Edit::Copy { first: edited.stmt(first), last: edited.stmt(last), place, renaming }
        }
        2 => {
            let (first, last) = range(choices, program)?;
            Edit::Wrap { first: edited.stmt(first), last: edited.stmt(last) }
        }
        3 => {
            let (first, last) = range(choices, program)?;
            Edit::Outline { first: edited.stmt(first), last: edited.stmt(last) }
        }
        4 => {
            let defined: Vec<FuncId> =
                program.funcs.iter().filter(|(_, func)| func.body.is_some()).map(|(id, _)| id).collect();
            let func = *choices.pick("function", &defined)?;
            let alike: Vec<FuncId> = defined
                .iter()
                .copied()
                .filter(|&other| program.funcs[other].ty == program.funcs[func].ty)
                .collect();
            match below(choices, "whole", 4) {
                0 => Edit::CopyFunction(edited.function(func)),
                1 => Edit::RemoveFunction(edited.function(func)),
                2 => {
                    let to = edited.function(*choices.pick("to", &alike)?);
                    Edit::Redirect { from: edited.function(func), to }
                }
                _ => Edit::RemoveItem(edited.item(*choices.pick("item", &program.units[0].items)?)?),
            }
        }
        5 => {
            let to = *choices.pick("to", &all)?;
            Edit::Insert { place: Place::Before(edited.stmt(to)), code: new_code(choices, edited, to)? }
        }
        _ => {
            let reached = Reached::of(program);
            let exprs: Vec<ExprId> = program.exprs.ids().filter(|&e| reached.expr(e)).collect();
            let (at, from) = (*choices.pick("at", &exprs)?, *choices.pick("from", &exprs)?);
            let mut parts = Vec::new();
            visit::operands(program, at, |part| parts.push(part));
            let with = match below(choices, "with", 3) {
                0 => Operand::Part(edited.expr(*choices.pick("part", &parts)?)),
                1 => Operand::Copy(edited.expr(from)),
                _ => Operand::Code(Fragment::of_expr(program, from, edited).ok()?),
            };
            Edit::Replace { at: edited.expr(at), with }
        }
    })
}

/// `if (object < 3) { long new = 5; object = new; }` for some object, as a technique would build it.
fn new_code(choices: &mut Choices, edited: &Edited, at: StmtId) -> Option<Fragment> {
    let program = edited.program().clone();
    let scopes = Scopes::of(&program);
    let names = scopes.names(Point::Before(at));
    let objects: Vec<ObjId> = names
        .iter()
        .filter(|name| !name.is_hidden())
        .filter_map(|name| match name.named {
            Named::Object(object) if program.types.is_integer(program.objects[object].ty) => Some(object),
            _ => None,
        })
        .collect();
    let object = *choices.pick("object", &objects)?;
    let name = format!("new_{}", edited.edits().len());
    let mut composer = Composer::of(program);
    let new = composer.object(&name, Type::LONG, Linkage::None, Duration::Automatic);
    let five = build::int(&mut composer.cx(), 5, IntForm::Decimal, Type::INT, Pos::NONE);
    let five =
        build::convert_as_if_assigned(&mut composer.cx(), build::Purpose::Init, five, Type::LONG, Pos::NONE)
            .ok()?;
    let decl = composer.declare(new, Storage::None, Some(Init::Expr(five)));
    let decl = composer.stmt(StmtKind::Item(Item::Decl(decl)));
    let (target, value) = (composer.lvalue(object), composer.lvalue(new));
    let assign = build::assign(&mut composer.cx(), target, value, Pos::NONE).ok()?;
    let assign = composer.stmt(StmtKind::Expr(assign));
    let then = composer.block(&[decl, assign]);
    let three = build::int(&mut composer.cx(), 3, IntForm::Decimal, Type::INT, Pos::NONE);
    let target = composer.lvalue(object);
    let cond = composer.binary(BinaryOp::Lt, target, three).ok()?;
    let cond = composer.stmt(StmtKind::If { cond, then, other: None });
    Fragment::of_stmts(&composer.program, &[cond], edited).ok()
}

#[test]
fn edits_are_data() {
    let Some(gcc) = tool("gcc-12") else { return };
    let Some(seeds) = seeds(&gcc) else { return };
    let scratch = Scratch::new();
    let (mut made, mut dropped, mut programs) = (0, 0, 0);
    for (number, (file, text)) in seeds.enumerate() {
        let Ok(seed) = read(&text) else { continue };
        programs += 1;
        let accepted = refuses(&gcc, &scratch, &unit(&seed, 0, &PrintOptions::default())).is_none();
        let mut choices = Choices::new(number as u64);
        let mut edited = Edited::new(seed.clone());
        for _ in 0..CHAIN {
            if let Some(edit) = edit_as_data(&mut choices, &mut edited) {
                let _ = edited.apply(edit);
            }
        }
        // Written, read and made again, it is the same program.
        let stored: Vec<String> = edited.edits().iter().map(ToString::to_string).collect();
        let edits: Vec<Edit> = stored.iter().map(|line| line.parse().unwrap()).collect();
        assert_eq!(edits, edited.edits(), "{file:?}");
        let (again, all) = Edited::replay(seed.clone(), &edits, |_| true);
        assert!(all.iter().all(|&made| made), "{file:?}");
        let printed = unit(edited.program(), 0, &PrintOptions::default());
        assert_eq!(unit(again.program(), 0, &PrintOptions::default()), printed, "{file:?}");
        made += edits.len();
        // Without some of them it is still one.
        let (some, kept) = Edited::replay(seed, &edits, |index| index % 3 != number % 3);
        dropped += kept.iter().filter(|&&kept| !kept).count();
        assert_eq!(verify::program(some.program()), [], "{file:?}");
        let text = unit(some.program(), 0, &PrintOptions::default());
        let parsed = read(&text).unwrap_or_else(|said| panic!("{file}: {said}\n{text}"));
        assert_eq!(dump::program(&parsed), dump::program(some.program()), "{file:?}");
        if accepted {
            assert_eq!(refuses(&gcc, &scratch, &text), None, "{file:?}");
        }
    }
    println!("{programs} programs, {made} edits made again, {dropped} left out");
    assert!(made > 10 * programs && dropped > made / 4);
}

#[test]
fn refused_edits_leave_nothing() {
    let text = "struct s { int a; } v; int f(int x) { int y = x; { y++; } return y + v.a; }";
    let mut program = read(text).unwrap();
    let (before, level) = (dump::program(&program), (program.exprs.len(), program.symbols.len()));
    for s in program.stmts.ids() {
        // The declaration of `y` is needed, and the body is no statement of a block.
        let needed = match program.stmts[s].kind {
            StmtKind::Item(_) => true,
            StmtKind::Compound(list) => list.len() == 3,
            _ => false,
        };
        if needed {
            assert!(edit::attempt(&mut program, |change| change.remove(s)).is_err());
        }
    }
    assert!(edit::attempt(&mut program, |change| change.remove_item(0, 0)).is_err());
    assert_eq!(dump::program(&program), before);
    assert_eq!((program.exprs.len(), program.symbols.len()), level);
}

#[test]
fn hostile_edits_are_refused() {
    let seed = read("int f(int x) { return x; }").unwrap();
    for text in [
        "",
        "remove",
        "remove s",
        "remove s4294967295",
        "remove s99999999999999999999",
        "remove 1.s2.s3",
        "insert before s0 block:99999999999",
        "insert before s0 for:012",
        "insert before s0 str:0",
        "insert before s0 str:é0",
        "nonsense s0",
        "copy s0 before s1",
        "remove-item",
        "remove-item tx",
        "declare start",
        "declare start x global:a:int:none:0",
        "declare before 0 global:a:int:none:0",
        "declare start 0 global:a:int:none",
        "declare start 0 record:2:s",
        "declare start 0 define:0:0",
    ] {
        assert!(text.parse::<Edit>().is_err(), "{text}");
    }
    for text in [
        "remove s77",
        "remove 0.s0",
        "remove 5.s0",
        "wrap s0-s99",
        "insert before s1 +",
        "insert before s1 block:9",
        "insert before s1 block:4294967295",
        "insert before s1 int:1:d:int",
        "insert before s1 int:1:d:record#r7 eval",
        "insert before s1 int:1:d:*********** eval",
        "insert before s1 int:1:d:int member:x eval",
        "insert before s1 obj:@0 eval",
        "insert before s1 obj:o55 eval",
        "insert before s1 enum:k3 eval",
        "insert before s1 goto:@4294967295",
        "insert before s1 goto:@3",
        "insert before s1 declare:1x:int:none:0",
        "insert before s1 declare:x;y:int:none:0",
        "insert before s1 declare:a:void:none:0",
        "insert before s1 int:1:d:int declare:a:*int:none:1",
        "insert before s1 returnv",
        "insert before s1 builtin:__builtin_nothing:0 eval",
        "replace e0 part e55",
        "replace e0 part e0",
        "replace e0 code int:1:d:int eval",
        "copy-function f9",
        "redirect f0 f3",
        "remove-item r4294967290",
        "remove-item d77",
    ] {
        let edit: Edit = text.parse().unwrap_or_else(|said| panic!("{said}"));
        let mut edited = Edited::new(seed.clone());
        let result = edited.apply(edit);
        assert!(result.is_err() || text == "replace e0 part e0", "{text}: {result:?}");
        assert_eq!(dump::program(edited.program()), dump::program(&seed), "{text}");
    }
}

#[test]
fn new_code_has_labels_and_returns_what_its_function_does() {
    let seed = read("long f(char x) { x++; return x; }").unwrap();
    let body = seed.stmts.iter().find(|(_, stmt)| matches!(stmt.kind, StmtKind::Expr(_))).unwrap().0.index();
    let code =
        "obj:o0 int:3:d:int == goto:@0 if declare:y:int:none:0 obj:@0 obj:o0 = eval obj:o0 returnv label:@0";
    let mut edited = Edited::new(seed);
    edited.apply(format!("insert before s{body} {code}").parse().unwrap()).unwrap();
    let text = unit(edited.program(), 0, &PrintOptions::default());
    let wanted =
        "if (x == 3)\n        goto label_1;\n    int y;\n    y = x;\nlabel_1:\n    return x;\n    x++;";
    assert!(text.contains(wanted), "{text}");
    assert_eq!(dump::program(&read(&text).unwrap()), dump::program(edited.program()));
    // The same from the tree: what is extracted is what was written.
    let program = edited.program();
    let main = program.funcs.iter().next().unwrap().1.body.unwrap();
    let StmtKind::Compound(list) = program.stmts[main].kind else { panic!("a body is a block") };
    let seed = read("long f(char x) { x++; return x; }").unwrap();
    let code = Fragment::of_stmts(program, &program.block(list)[..4], &Edited::new(seed)).unwrap();
    assert!(code.to_string().starts_with("obj:o0 int:3:d:int == goto:@0 if declare:y:int:none:0"), "{code}");
}

#[test]
fn compact_of_what_was_read_keeps_the_order() {
    let program = "int f(int a) { if (a) { int b[a]; return b[0]; } for (;;) a++; }";
    let mut program = read(program).unwrap();
    let before = dump::program(&program);
    let maps = edit::compact(&mut program);
    assert_eq!(dump::program(&program), before);
    for s in program.stmts.ids() {
        assert_eq!(maps.stmts.get(s).map(Id::index), Some(s.index()));
    }
}
