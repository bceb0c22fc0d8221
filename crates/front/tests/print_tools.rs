//! What the printer does for tools: the places of names, comments, one unit at a time.

mod seeds;

use howler_choices::Choices;
use howler_front::{Options, parse};
use howler_lang::build::{self, Cx};
use howler_lang::diag::Severity;
use howler_lang::dump;
use howler_lang::link::link;
use howler_lang::print::{Comments, NamePlace, PrintOptions, Printed, Referent, Wanted, annotated, unit};
use howler_lang::program::{Duration, ObjId, Program};
use howler_lang::scope::{Named, Point, Scopes};
use howler_lang::target::{Std, Target};
use howler_lang::visit::{Everything, Found, How, Node, Site, Use, Uses};
use howler_testkit::{Scratch, preprocessed, run, soak, tool};
use seeds::SEEDS;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Which of the files of the corpora are read in the short version.
const EVERY: usize = 15;

/// Reads units; none if one is not taken.
fn try_read(texts: &[&str]) -> Option<Program> {
    let mut program = Program::new(Target { std: Std::parse("gnu17").unwrap(), ..Target::X86_64_GCC });
    for (index, text) in texts.iter().enumerate() {
        let report = parse(&mut program, &format!("{index}.c"), (*text).into(), &Options::default());
        if report.diagnostics.iter().any(|said| said.severity >= Severity::Unsupported) {
            return None;
        }
    }
    Some(program)
}

fn read(texts: &[&str]) -> Program {
    try_read(texts).unwrap_or_else(|| panic!("not taken: {texts:#?}"))
}

fn named(program: &Program) -> Printed {
    annotated(program, 0, &PrintOptions::default(), Wanted { names: true, comments: None })
}

/// The programs of the tests, and some of those of the corpora if they are there.
fn programs(mut f: impl FnMut(&str, Program)) {
    for (index, seed) in SEEDS.iter().enumerate() {
        f(&format!("seed {index}"), read(&[seed]));
    }
    for file in catalogue() {
        let text = std::fs::read_to_string(&file).unwrap();
        let sections = text.split("//===").map(|section| section.split_once('\n').unwrap_or(("", "")).1);
        for section in sections.filter(|section| !section.contains("#include")) {
            try_read(&[section]).into_iter().for_each(|program| f(file.to_str().unwrap(), program));
        }
    }
    let Some(gcc) = tool("gcc-12") else { return };
    let Some(files) = howler_testkit::programs(EVERY) else { return };
    for file in files {
        try_read(&[&preprocessed(&gcc, &file)])
            .into_iter()
            .for_each(|program| f(file.to_str().unwrap(), program));
    }
}

/// Some files of the machine's catalogue.
fn catalogue() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../machine/tests/catalogue");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ext| ext == "c"));
    files.sort();
    files.into_iter().step_by(3).collect()
}

fn spelling(program: &Program, names: Referent) -> &str {
    let types = &program.types;
    program.name(match names {
        Referent::Object(object) => program.objects[object].name.unwrap(),
        Referent::Function(func) => program.funcs[func].name,
        Referent::Enumerator(constant) => types.enumerators[constant].name,
        Referent::Label(label) => program.labels[label].name,
        Referent::Record(id) => types.records[id].tag.unwrap(),
        Referent::Enum(id) => types.enums[id].tag,
        Referent::Typedef(ty) => types.variant(ty).unwrap().name.unwrap(),
    })
}

/// The uses that a table has of what a name stands for.
fn uses_of<'u>(program: &Program, uses: &'u Uses, names: Referent) -> &'u [Use] {
    match names {
        Referent::Object(object) => uses.of_object(object),
        Referent::Function(func) => uses.of_function(func),
        Referent::Enumerator(constant) => uses.of_enumerator(constant),
        Referent::Label(label) => uses.of_label(label),
        Referent::Record(id) => uses.of_record(id),
        Referent::Enum(id) => uses.of_enum(id),
        Referent::Typedef(ty) => {
            let decl = program.decls.iter().find(|(_, decl)| decl.ty.bare() == ty);
            uses.of_typedef(decl.unwrap().0)
        }
    }
}

#[test]
fn every_place_holds_its_name_and_the_table_of_uses_has_it() {
    let mut count = 0;
    programs(|name, program| {
        let Printed { text, names } = named(&program);
        assert_eq!(text, unit(&program, 0, &PrintOptions::default()), "{name}");
        assert!(names.is_sorted_by(|a, b| a.end <= b.start), "{name}");
        count += names.len();
        let uses = Uses::of(&program);
        for place in &names {
            assert_eq!(&text[place.range()], spelling(&program, place.names), "{name}: {place:?}");
            let listed = uses_of(&program, &uses, place.names);
            let found = listed.iter().any(|at| match place.expr {
                Some(e) => *at == Use { site: Site::Expr(e), how: How::Names },
                // `__typeof__` names for its bounds an object that the program does not.
                None if matches!(place.names, Referent::Object(_)) && place.how == How::Names => true,
                None => at.how == place.how,
            });
            assert!(found, "{name}: {place:?} of {listed:?}");
        }
        // The other way round: what expressions name is written, all of it.
        let mut written: BTreeMap<_, usize> = BTreeMap::new();
        names.iter().filter_map(|place| place.expr).for_each(|e| *written.entry(e).or_default() += 1);
        for object in program.objects.ids().filter(|&object| program.objects[object].name.is_some()) {
            for at in uses.of_object(object) {
                if let (Site::Expr(e), How::Names) = (at.site, at.how) {
                    assert_eq!(written.get(&e), Some(&1), "{name}: {e:?}");
                }
            }
        }
    });
    assert!(count > 10_000, "{count}");
}

/// The text with other names in some places.
fn patched(text: &str, places: &[&NamePlace], name: &str) -> String {
    let mut patched = String::new();
    let mut done = 0;
    for place in places {
        patched += &text[done..place.range().start];
        patched += name;
        done = place.range().end;
    }
    patched + &text[done..]
}

#[test]
fn a_variable_replaced_by_bytes_is_replaced_in_the_tree() {
    let mut choices = Choices::new(7);
    let mut tried = 0;
    programs(|name, program| {
        let scopes = Scopes::of(&program);
        let printed = named(&program);
        let text = &printed.text;
        let locals: Vec<ObjId> = program
            .objects
            .iter()
            .filter(|(_, object)| matches!(object.duration, Duration::Automatic | Duration::Parameter))
            .filter(|(_, object)| object.name.is_some() && !program.types.is_variably_modified(object.ty))
            .map(|(id, _)| id)
            .collect();
        for _ in 0..if soak() { 20 } else { 3 } {
            let Some(&from) = choices.pick("variable", &locals) else { return };
            let uses: Vec<&NamePlace> = printed
                .names
                .iter()
                .filter(|place| place.names == Referent::Object(from) && place.how == How::Names)
                .collect();
            // One that can be named wherever this one is, of the same type.
            let fits = |&to: &ObjId| {
                let (a, b) = (&program.objects[from], &program.objects[to]);
                to != from
                    && (a.ty, a.register) == (b.ty, b.register)
                    && uses.iter().all(|place| {
                        let point = place.expr.map(Point::At);
                        point.is_some_and(|point| {
                            scopes.reaches(point, b.name.unwrap()) == Some(Named::Object(to))
                        })
                    })
            };
            let Some(to) = locals.iter().copied().find(fits).filter(|_| !uses.is_empty()) else { continue };
            let other = program.name(program.objects[to].name.unwrap());
            let by_bytes = read(&[&patched(text, &uses, other)]);
            let mut by_ids = program.clone();
            for e in uses.iter().filter_map(|place| place.expr) {
                build::rename_use(&mut Cx::strict(&mut by_ids), e, to).unwrap();
            }
            assert_eq!(dump::program(&by_bytes), dump::program(&by_ids), "{name}: {from:?} by {to:?}");
            tried += 1;
        }
    });
    assert!(tried > 100, "{tried}");
}

/// A comment before every statement and declaration, with text that would end it.
fn everywhere(program: &Program, unit: usize, text: &str) -> Comments {
    let mut comments = Comments { top: Some(text.to_owned()), ..Comments::default() };
    for found in Everything::of(program) {
        if let Found::Part(part) = found
            && let Node::Stmt(s) = part.node
        {
            comments.stmts.insert(s, format!("{s:?} {text}"));
        }
    }
    comments.items = (0..program.units[unit].items.len()).map(|index| (index, text.to_owned())).collect();
    comments
}

/// What ends a comment, begins one, or joins lines, to those who read trigraphs and to those who do not.
const NASTY: &str = "*/ int x; /* \"a\n// ??/\n# b \\\nc \\ \n*\\\n/ @\u{202e}é\r \0 *??/\n/ ??";

#[test]
fn compilers_read_past_any_comment() {
    for (name, compiler) in ["gcc-12", "clang-16"].map(|name| (name, tool(name))) {
        let Some(compiler) = compiler else { continue };
        let mut compared = 0;
        for seed in SEEDS {
            let program = read(&[seed]);
            let comments = everywhere(&program, 0, NASTY);
            let wanted = Wanted { names: false, comments: Some(&comments) };
            let with = annotated(&program, 0, &PrintOptions::default(), wanted).text;
            let without = unit(&program, 0, &PrintOptions::default());
            let scratch = Scratch::new();
            for flag in ["-trigraphs", "-O0"] {
                let check = |text: &str| {
                    let file = scratch.write("a.c", text);
                    let args = ["-std=gnu17", "-Werror=comment", "-Werror=trigraphs", "-S", "-o", "-"];
                    let args = args.into_iter().chain([flag, file.to_str().unwrap()]);
                    let output =
                        run(&compiler, args.collect::<Vec<_>>(), &howler_testkit::Options::default());
                    // Some of what the front end takes only one of them does.
                    output.success().then(|| output.stdout_text())
                };
                if let Some(code) = check(&without) {
                    assert_eq!(check(&with).as_ref(), Some(&code), "{name} {flag}\n{with}");
                    compared += 1;
                }
            }
        }
        assert!(compared >= 6, "{name}: {compared}");
    }
}

#[test]
fn no_comment_changes_the_program() {
    let text = NASTY;
    programs(|name, program| {
        let comments = everywhere(&program, 0, text);
        let wanted = Wanted { names: true, comments: Some(&comments) };
        let printed = annotated(&program, 0, &PrintOptions::default(), wanted);
        for place in &printed.names {
            assert_eq!(&printed.text[place.range()], spelling(&program, place.names), "{name}");
        }
        let again = try_read(&[&printed.text]).unwrap_or_else(|| panic!("{name}:\n{}", printed.text));
        assert_eq!(dump::program(&program), dump::program(&again), "{name}:\n{}", printed.text);
        for s in comments.stmts.keys() {
            assert_eq!(
                printed.text.matches(&format!("{s:?} ")).count(),
                1,
                "{name}: {s:?}\n{}",
                printed.text
            );
        }
    });
}

#[test]
fn comments_stand_before_what_they_are_about() {
    let program = read(&["int g; int f(int n) { if (n) g = 1; else if (n > 2) { g = 2; } \
                          for (int i = 0; i < n; i++) l: g++; return n; }"]);
    let comments = everywhere(&program, 0, "c");
    let wanted = Wanted { names: false, comments: Some(&comments) };
    let printed = annotated(&program, 0, &PrintOptions::default(), wanted);
    let expected = "\
/* c */
/* c */
int g;

/* c */
int f(int n) /* StmtId#0 c */ {
    /* StmtId#1 c */
    if (n)
        /* StmtId#2 c */
        g = 1;
    else /* StmtId#3 c */ if (n > 2) /* StmtId#4 c */ {
        /* StmtId#5 c */
        g = 2;
    }
    /* StmtId#6 c */
    for (/* StmtId#7 c */ /* StmtId#8 c */ int i = 0; i < n; i++)
    /* StmtId#9 c */
    l:
        /* StmtId#10 c */
        g++;
    /* StmtId#11 c */
    return n;
}
";
    assert_eq!(printed.text, expected);
    let comments = Comments { top: Some("made by a tool\n\nseed 7".to_owned()), ..Comments::default() };
    let wanted = Wanted { names: false, comments: Some(&comments) };
    let printed = annotated(&program, 0, &PrintOptions::default(), wanted);
    assert!(printed.text.starts_with("/* made by a tool\n *\n * seed 7 */\nint g;\n"), "{}", printed.text);
}

/// What linking says of two units, before and after both were printed, each on its own.
fn clashes(a: &str, b: &str) -> (usize, usize) {
    let mut program = read(&[a, b]);
    let [first, second] = [0, 1].map(|index| unit(&program, index, &PrintOptions::default()));
    let mut again = read(&[&first, &second]);
    assert_eq!(dump::program(&program), dump::program(&again), "{first}\n{second}");
    (link(&mut program).len(), link(&mut again).len())
}

#[test]
fn units_printed_apart_still_agree() {
    for (a, b) in [
        // Each has a tag made up.
        ("struct { int a; } x;", "struct { char c; } y; extern struct { int a; } x;"),
        ("enum { A } x;", "enum { B } y; extern enum { A } x;"),
        (
            "struct { int a; } x; struct { char c; } y;",
            "extern struct { char c; } y; extern struct { int a; } x;",
        ),
        (
            "struct { int a; } x; struct { int a; } y;",
            "extern struct { int a; } y; extern struct { int a; } x;",
        ),
        (
            "struct { struct { int a; } in; } x;",
            "union { int b; } u; struct { int c; } z; \
          extern struct { struct { int a; } in; } x;",
        ),
        (
            "struct { struct { struct { int a; } in; }; } *x[3];",
            "struct { int b; } y; \
          extern struct { struct { struct { int a; } in; }; } *x[3];",
        ),
        ("struct { int a; } *f(void) { return 0; }", "struct { int b; } y; struct { int a; } *f(void);"),
        // It is a typedef's name, in one of them.
        ("typedef struct { int a; } T; T x;", "typedef struct { int a; } U; extern U x;"),
        ("typedef struct { int a; } T; T x;", "struct T { char c; } y; extern struct { int a; } x;"),
        ("typedef struct { int a; } T; T x;", "extern struct { int a; } x; struct T { char c; } y;"),
        // A block has a type of the same tag first.
        ("void f(void) { struct s { char c; } v; } struct s { int a; } x;", "extern struct s { int a; } x;"),
        ("struct s { int a; } x;", "void f(void) { struct s { char c; } v; } extern struct s { int a; } x;"),
        ("void f(void) { enum e { A } v; } enum e { B } x;", "extern enum e { B } x;"),
        ("void f(struct s *p); struct s { int a; } x;", "extern struct s { int a; } x;"),
        ("struct { int b; } y; struct struct_1 { int a; } x;", "extern struct struct_1 { int a; } x;"),
    ] {
        assert_eq!(clashes(a, b), (0, 0), "{a}\n{b}");
    }
    // What did not agree still does not.
    assert_eq!(clashes("struct { int a; } x;", "extern struct { int b; } x;"), (1, 1));
    assert_eq!(clashes("struct s { int a; } x;", "extern struct { int a; } x;"), (1, 1));
}
