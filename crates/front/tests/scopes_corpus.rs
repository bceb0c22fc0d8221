//! Scopes (`lang::scope`) of real programs: every use of a name reaches what it names, and gcc takes a use of what is
//! listed at a place and of nothing else.

use howler_choices::Choices;
use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::id::Id;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::{Program, Stmt, StmtId, StmtKind};
use howler_lang::scope::{Named, Point, Scopes, Tag, Tagged};
use howler_lang::symbol::Symbol;
use howler_lang::target::{Std, Target};
use howler_lang::ty::RecordKind;
use howler_testkit::{Scratch, preprocessed, run, soak, tool};
use std::collections::BTreeSet;
use std::path::Path;

/// Which of the files are read in the short version.
const EVERY: usize = 12;
/// How many names that are not visible are tried at a place: gcc looks for what was meant instead of each.
const OTHERS: usize = 40;
/// A label that no program has.
const MARK: &str = "howler_point";

/// The programs of the corpora that the front end takes.
fn programs(gcc: &Path, mut f: impl FnMut(&Path, Program)) -> bool {
    let Some(files) = howler_testkit::programs(EVERY) else { return false };
    for file in files {
        let source = preprocessed(gcc, &file);
        let mut program = Program::new(Target { std: Std::parse("gnu17").unwrap(), ..Target::X86_64_GCC });
        let report = parse(&mut program, "test.c", source.as_str().into(), &Options::default());
        if report.diagnostics.iter().all(|said| said.severity < Severity::Unsupported) {
            f(&file, program);
        }
    }
    true
}

#[test]
fn every_use_of_a_name_reaches_what_it_names() {
    let Some(gcc) = tool("gcc-12") else { return };
    let (mut taken, mut uses) = (0, 0);
    let every = if soak() { 1 } else { EVERY };
    let ran = programs(&gcc, |file, program| {
        let scopes = Scopes::of(&program);
        taken += 1;
        for (e, expr) in program.exprs.iter() {
            let Some(named) = Named::by(expr) else { continue };
            let name = named.name(&program);
            if scopes.contains(Point::At(e)) {
                uses += 1;
                let name = name.unwrap_or_else(|| panic!("{file:?}: {expr:?} has no name"));
                let reached = scopes.reaches(Point::At(e), name);
                assert_eq!(reached, Some(named), "{file:?}: {}", program.name(name));
            }
        }
        for (s, stmt) in program.stmts.iter() {
            if let StmtKind::Goto(label) = stmt.kind
                && scopes.contains(Point::Before(s))
            {
                assert!(scopes.labels(Point::Before(s)).contains(&label), "{file:?}: {stmt:?}");
            }
            // Listing thousands of names before each of thousands of statements would take minutes.
            let listed = if s.index() % 5 == 0 { scopes.names(Point::Before(s)) } else { Vec::new() };
            for name in listed {
                let reached = scopes.reaches(Point::Before(s), name.name);
                // A block may declare again what is hidden around it: it is then both.
                assert!(name.is_hidden() || reached == Some(name.named), "{file:?}: {name:?}");
                assert!(reached.is_some() && name.hidden_by != Some(name.named), "{file:?}: {name:?}");
            }
        }
    });
    println!("{uses} uses of names in {taken} programs");
    assert!(!ran || (taken > 1000 / every && uses > 150_000 / every), "{taken} programs, {uses} uses");
}

/// Gives every object and constant a name of its own, and every function whose name nobody else needs to know.
fn rename(program: &mut Program) -> Vec<Symbol> {
    let mut renamed = Vec::new();
    for id in program.objects.ids() {
        if program.objects[id].name.is_some() {
            let name = program.symbols.intern(&format!("object_{}_", id.index()));
            program.objects[id].name = Some(name);
            renamed.push(name);
        }
    }
    for id in program.funcs.ids() {
        if program.funcs[id].body.is_some() && program.name(program.funcs[id].name) != "main" {
            let name = program.symbols.intern(&format!("function_{}_", id.index()));
            program.funcs[id].name = name;
            renamed.push(name);
        }
    }
    let ids: Vec<_> = program.types.enumerators.ids().collect();
    for id in ids {
        let name = program.symbols.intern(&format!("constant_{}_", id.index()));
        program.types.enumerators[id].name = name;
        renamed.push(name);
    }
    renamed
}

/// The statements that stand in a block, where another could stand before them.
fn places(program: &Program, scopes: &Scopes) -> Vec<(StmtId, usize)> {
    let mut places = Vec::new();
    for (block, stmt) in program.stmts.iter() {
        let StmtKind::Compound(list) = stmt.kind else { continue };
        for (at, &s) in program.block(list).iter().enumerate() {
            let first = matches!(program.stmts[s].kind, StmtKind::LabelDecl(_));
            if scopes.contains(Point::Before(s)) && !first {
                places.push((block, at));
            }
        }
    }
    places
}

/// The text of the program with `text` at a place.
fn with_text(program: &Program, (block, at): (StmtId, usize), text: &str) -> String {
    let mut program = program.clone();
    let StmtKind::Compound(list) = program.stmts[block].kind else { panic!("not a block") };
    let mut stmts = program.block(list).to_vec();
    let name = program.symbols.intern(MARK);
    let pos = program.stmts[block].pos;
    let label = program.labels.push(howler_lang::program::Label { name, local: false, pos });
    let mark = program.stmts.push(Stmt { kind: StmtKind::Goto(label), pos });
    stmts.insert(at, mark);
    program.stmts[block].kind = StmtKind::Compound(program.add_block(&stmts));
    unit(&program, 0, &PrintOptions::default()).replace(&format!("goto {MARK};"), text)
}

#[test]
fn gcc_takes_a_use_of_what_is_listed_and_of_nothing_else() {
    let Some(gcc) = tool("gcc-12") else { return };
    let (points, per_program) = if soak() { (10_000, 6) } else { (300, 3) };
    let mut choices = Choices::new(20);
    let (mut done, mut visible, mut invisible) = (0, 0, 0);
    let scratch = Scratch::new();
    let ran = programs(&gcc, |file, mut program| {
        if done >= points {
            return;
        }
        let renamed = rename(&mut program);
        let scopes = Scopes::of(&program);
        let places = places(&program, &scopes);
        let base = unit(&program, 0, &PrintOptions::default());
        // Some programs are not C once the names that attributes and the assembler know are others.
        if places.is_empty() || !errors(&gcc, &scratch, &base).is_empty() {
            return;
        }
        // The arenas also hold what was read and dropped, and parameters of declarations.
        let renamed: Vec<Symbol> =
            renamed.into_iter().filter(|&name| base.contains(program.name(name))).collect();
        let tags: Vec<(Tagged, String)> =
            tags(&program).into_iter().filter(|(_, tag)| base.contains(&format!("{tag} {{"))).collect();
        for _ in 0..per_program {
            let place = *choices.pick("place", &places).unwrap();
            let StmtKind::Compound(list) = program.stmts[place.0].kind else { panic!("not a block") };
            let point = Point::Before(program.block(list)[place.1]);
            let names: BTreeSet<Symbol> = scopes.names(point).iter().map(|name| name.name).collect();
            let types = scopes.types(point);
            let (mut text, mut wanted) = ("{ ".to_owned(), BTreeSet::new());
            let (mut used, mut others): (Vec<Symbol>, Vec<Symbol>) =
                renamed.iter().partition(|name| names.contains(name));
            choices.shuffle("others", &mut others);
            others.truncate(OTHERS);
            used.append(&mut others);
            for &name in &used {
                let spelling = program.name(name);
                text += &format!("(void)(__typeof__({spelling}) *)0; ");
                if !names.contains(&name) {
                    wanted.insert(format!("'{spelling}' undeclared (first use in this function)"));
                }
            }
            for (tagged, spelling) in &tags {
                text += &format!("(void)sizeof({spelling}); ");
                if !types.contains(&Tag { tagged: *tagged, complete: true }) {
                    wanted.insert(format!("invalid application of 'sizeof' to incomplete type '{spelling}'"));
                }
            }
            invisible += wanted.len();
            visible += used.len() + tags.len() - wanted.len();
            let text = with_text(&program, place, &(text + "}"));
            let said = errors(&gcc, &scratch, &text);
            let wrong: Vec<&String> = said.symmetric_difference(&wanted).collect();
            assert!(wrong.is_empty(), "{file:?}: {wrong:?}\n{text}");
            done += 1;
        }
    });
    println!("{done} points, {visible} names listed there, {invisible} not");
    assert!(!ran || done >= points * 9 / 10, "{done} points");
}

/// The types that are written by a tag, and how.
fn tags(program: &Program) -> Vec<(Tagged, String)> {
    let mut tags = Vec::new();
    for (id, record) in program.types.records.iter() {
        if let Some(tag) = record.tag {
            let keyword = if record.kind == RecordKind::Struct { "struct" } else { "union" };
            tags.push((Tagged::Record(id), format!("{keyword} {}", program.name(tag))));
        }
    }
    for (id, enumeration) in program.types.enums.iter() {
        tags.push((Tagged::Enum(id), format!("enum {}", program.name(enumeration.tag))));
    }
    tags
}

/// What gcc has against a text.
fn errors(gcc: &Path, scratch: &Scratch, text: &str) -> BTreeSet<String> {
    let file = scratch.write("a.c", text);
    let args = ["-std=gnu17", "-w", "-fsyntax-only", "-fmax-errors=0", file.to_str().unwrap()];
    let said = run(gcc, args, &howler_testkit::Options::default());
    assert!(!said.timed_out, "{text}");
    let said = said.stderr_text().replace(['‘', '’'], "'");
    let errors = said.lines().filter_map(|line| line.split_once("error: "));
    errors.map(|(_, what)| what.split("; did you mean").next().unwrap().to_owned()).collect()
}
