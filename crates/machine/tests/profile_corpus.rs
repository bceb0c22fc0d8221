//! Profiles of real programs against the programs themselves: what is seen before a statement is what code inserted
//! there prints when gcc compiles it, state for state; counts agree with each other, and with any order of evaluation.

#[path = "profile/harness.rs"]
mod harness;

use howler_choices::Choices;
use howler_front::{Options, parse};
use howler_lang::arith::{self, Format, Num};
use howler_lang::diag::Severity;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::{Label, Program, Stmt, StmtId, StmtKind};
use howler_lang::source::Pos;
use howler_lang::target::{Std, Target as Machine};
use howler_machine::outcome::Outcome;
use howler_machine::profile::{self, Place, Points, Profile, ProfileOptions, Scalar, Target};
use howler_machine::{Limits, Order, RunOptions, run};
use howler_testkit::{Scratch, preprocessed, soak, tool};
use std::collections::BTreeSet;
use std::path::Path;

/// Which of the files are read in the short version.
const EVERY: usize = 8;

/// A label that no program has: what stands for the inserted code until the program is printed.
const MARK: &str = "howler_point";

/// What inserted code calls: numbers go to standard error as they are in memory, all of a visit at once.
const HELPERS: &str = "extern long howler_write(int, const void *, unsigned long) __asm__(\"write\");\n\
    static unsigned long howler_row[100000], howler_length;\n\
    static void howler_put(unsigned long v) { howler_row[howler_length++] = v; }\n\
    static void howler_real(double v) { __builtin_memcpy(&howler_row[howler_length++], &v, 8); }\n\
    static void howler_end(void) {\n\
        char *from = (char *)howler_row, *to = (char *)(howler_row + howler_length);\n\
        while (from < to) from += howler_write(2, from, to - from);\n\
        howler_length = 0;\n\
    }\n";

/// More visits than this would make the program print megabytes.
const MOST_VISITS: u64 = 300;

const LIMITS: fn() -> Limits = || Limits { steps: 3_000_000, letter: true, ..Limits::default() };

fn read(gcc: &Path, file: &Path) -> Option<Program> {
    let source = preprocessed(gcc, file);
    let mut program = Program::new(Machine { std: Std::parse("gnu17").unwrap(), ..Machine::X86_64_GCC });
    let report = parse(&mut program, "test.c", source.into(), &Options::default());
    let taken = report.diagnostics.iter().all(|said| said.severity < Severity::Unsupported);
    (taken && howler_lang::link::link(&mut program).is_empty()).then_some(program)
}

/// The profile of a run that ends by itself.
fn ended(program: &Program, order: Order, profile: ProfileOptions<'_>) -> Option<Profile> {
    let options = RunOptions { limits: LIMITS(), order, profile: Some(profile), ..RunOptions::default() };
    let report = run(program, &options);
    matches!(report.outcome, Outcome::Exit(_)).then_some(report.profile).flatten()
}

/// The text of the program with `text` before a statement.
fn with_text(program: &Program, point: StmtId, text: &str) -> String {
    let mut program = program.clone();
    let name = program.symbols.intern(MARK);
    let label = program.labels.push(Label { name, local: false, pos: Pos::NONE });
    let mark = program.stmts.push(Stmt { kind: StmtKind::Goto(label), pos: Pos::NONE });
    let block = program.stmts.iter().find_map(|(id, stmt)| match stmt.kind {
        StmtKind::Compound(list) => {
            let at = program.block(list).iter().position(|&stmt| stmt == point)?;
            Some((id, list, at))
        }
        _ => None,
    });
    if let Some((id, list, at)) = block {
        let mut stmts = program.block(list).to_vec();
        stmts.insert(at, mark);
        program.stmts[id].kind = StmtKind::Compound(program.add_block(&stmts));
    } else {
        // It is no statement of a block: it becomes a block.
        let inner = program.stmts[point];
        let inner = program.stmts.push(inner);
        program.stmts[point].kind = StmtKind::Compound(program.add_block(&[mark, inner]));
    }
    let printed = unit(&program, 0, &PrintOptions::default());
    format!("{HELPERS}{}", printed.replace(&format!("goto {MARK};"), text))
}

/// How a part is printed and what is expected.
enum Column {
    /// An integer of 64 bits at most, with its sign.
    Int,
    /// A floating value as a double.
    Real,
    /// A pointer: 0 for null, else the place in this list plus one, or `ELSEWHERE`.
    Pointer(Vec<(Place, u64)>),
}

const ELSEWHERE: u64 = 99;

impl Column {
    fn of(profile: &Profile, stmt: StmtId, place: &Place) -> Option<Column> {
        let values = profile.sure(stmt, place)?.values.as_ref()?;
        match values.first()? {
            Scalar::Int(_) => {
                let fits = |value: &Scalar| match value {
                    Scalar::Int(number) => i64::try_from(*number).is_ok() || u64::try_from(*number).is_ok(),
                    _ => false,
                };
                values.iter().all(fits).then_some(Column::Int)
            }
            Scalar::Float(..) => Some(Column::Real),
            Scalar::Pointer(_) => {
                let mut targets = Vec::new();
                for value in values {
                    match *value {
                        // Where an object ends another may begin.
                        Scalar::Pointer(Target::Object { past: true, .. }) => return None,
                        Scalar::Pointer(Target::Object { object, offset, nameable: true, .. }) => {
                            targets.push((Place { object, path: Vec::new() }, offset));
                        }
                        _ => {}
                    }
                }
                Some(Column::Pointer(targets))
            }
        }
    }

    fn text(&self, lvalue: &str, program: &Program) -> String {
        match self {
            Column::Int => format!("howler_put((unsigned long)({lvalue}));"),
            Column::Real => format!("howler_real((double)({lvalue}));"),
            Column::Pointer(targets) => {
                let mut which = format!("!({lvalue}) ? 0 : ");
                for (number, (target, offset)) in (1..).zip(targets) {
                    let target = target.text(program);
                    which += &format!("(char *)({lvalue}) == (char *)&{target} + {offset} ? {number} : ");
                }
                format!("howler_put({which}{ELSEWHERE});")
            }
        }
    }

    fn expected(&self, value: Scalar) -> u64 {
        match (self, value) {
            (Column::Int, Scalar::Int(number)) => number.cast_unsigned() as u64,
            (Column::Real, Scalar::Float(format, bits)) => {
                let (from, to) = (Num::Float(format), Num::Float(Format::F64));
                one_nan(arith::convert(from, to, bits).expect("between floating types") as u64)
            }
            (Column::Pointer(_), Scalar::Pointer(Target::Null)) => 0,
            (Column::Pointer(targets), Scalar::Pointer(Target::Object { object, offset, nameable, .. })) => {
                let same = |known: &(Place, u64)| nameable && known.0.object == object && known.1 == offset;
                targets.iter().position(same).map_or(ELSEWHERE, |number| number as u64 + 1)
            }
            _ => ELSEWHERE,
        }
    }
}

/// Any NaN as the same one.
fn one_nan(bits: u64) -> u64 {
    if f64::from_bits(bits).is_nan() { f64::NAN.to_bits() } else { bits }
}

/// Compares the states of a point with what the compiled program prints there: how many parts and visits that were.
///
/// gcc evaluates operands in orders of its own, and what a program does in between may depend on that even where its
/// output does not. What a profile is sure of does not: other orders must have the same states.
fn compare(gcc: &Path, scratch: &Scratch, program: &Program, point: StmtId) -> Option<(usize, u64)> {
    let at = [point];
    let points = Points::These(&at);
    let options = ProfileOptions {
        points,
        visits: u64::MAX,
        objects: 400,
        parts: 40,
        values: 1000,
        rows: 1000,
        ..ProfileOptions::default()
    };
    let profile = ended(program, Order::LeftToRight, options)?;
    let (places, states) = profile.states(point)?;
    for order in [Order::RightToLeft, Order::Seeded(1), Order::Seeded(2)] {
        let other = ended(program, order, options)?;
        assert_eq!(other.count(point), profile.count(point), "{order:?}");
        let (also, more) = other.states(point)?;
        assert_eq!((&also, &more), (&places, &states), "{order:?}");
    }
    let columns: Vec<(usize, &Place, Column)> = places
        .iter()
        .enumerate()
        .filter_map(|(index, place)| Some((index, place, Column::of(&profile, point, place)?)))
        .collect();
    let mut text = String::from("{ ");
    for (_, place, column) in &columns {
        text += &column.text(&place.text(program), program);
    }
    // Something comes even where there is nothing in scope.
    text += "howler_put(7); howler_end(); }";
    let text = with_text(program, point, &text);
    let file = scratch.write("a.c", &text);
    let made = scratch.path("a.out");
    // `alloca` is a builtin or nothing.
    let flags = [
        "-std=gnu17",
        "-O0",
        "-fno-strict-aliasing",
        "-fwrapv",
        "-Dalloca=__builtin_alloca",
        "-msse4.2",
        "-o",
    ];
    let compiled = |more: &[&str]| {
        let flags = more.iter().chain(&flags).map(|flag| flag.as_ref());
        let args = flags.chain([made.as_os_str(), file.as_os_str(), "-lm".as_ref()]);
        howler_testkit::run(gcc, args, &howler_testkit::Options::default())
    };
    // Programs may define builtins; but one that calls `memset` without a declaration means the builtin, which has the
    // right type. (With `-w` nothing is an error for want of a declaration.)
    let declared = compiled(&["-fno-builtin", "-Werror=implicit-function-declaration"]);
    let compiled = if declared.success() { declared } else { compiled(&["-w"]) };
    assert!(compiled.success(), "{}\n{text}", compiled.stderr_text());
    let ran = howler_testkit::run(&made, [""; 0], &howler_testkit::Options::default());
    assert!(!ran.timed_out, "{text}");
    let width = columns.len() + 1;
    let words: Vec<u64> =
        ran.stderr.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
    assert_eq!(words.len() as u64, width as u64 * profile.count(point), "visits\n{text}");
    let mut found = BTreeSet::new();
    for row in words.chunks_exact(width) {
        assert_eq!(row[width - 1], 7);
        let value = |(&word, (_, _, column)): (&u64, &(usize, &Place, Column))| match column {
            Column::Real => one_nan(word),
            _ => word,
        };
        found.insert(row.iter().zip(&columns).map(value).collect::<Vec<u64>>());
    }
    let wanted: BTreeSet<Vec<u64>> = states
        .iter()
        .map(|row| columns.iter().map(|(index, _, column)| column.expected(row[*index])).collect())
        .collect();
    if found != wanted {
        let names: Vec<String> = columns.iter().map(|(_, place, _)| place.text(program)).collect();
        for (index, name) in names.iter().enumerate() {
            let of = |rows: &BTreeSet<Vec<u64>>| rows.iter().map(|row| row[index]).collect::<BTreeSet<_>>();
            assert_eq!(of(&found), of(&wanted), "{name}\n{text}");
        }
        panic!("the parts of {names:?} do not vary together as they were seen to\n{text}");
    }
    Some((columns.len(), profile.count(point)))
}

/// Programs of the corpora that the front end takes.
fn programs(gcc: &Path, mut f: impl FnMut(&Path, &Program)) -> bool {
    let Some(files) = howler_testkit::programs(EVERY) else { return false };
    for file in files {
        if let Some(program) = read(gcc, &file) {
            f(&file, &program);
        }
    }
    true
}

#[test]
fn what_is_seen_is_what_inserted_code_prints() {
    let Some(gcc) = tool("gcc-12") else { return };
    let scratch = Scratch::new();
    let mut choices = Choices::new(28);
    let (mut points, mut parts, mut visits) = (0, 0, 0);
    let ran = programs(&gcc, |file, program| {
        let Some(counts) = ended(program, Order::LeftToRight, ProfileOptions::default()) else { return };
        let all = profile::points(program);
        let visited = |stmt: &StmtId| (1..=MOST_VISITS).contains(&counts.count(*stmt));
        let live: Vec<StmtId> = all.iter().copied().filter(visited).collect();
        let dead: Vec<StmtId> = all.iter().copied().filter(|&stmt| counts.count(stmt) == 0).collect();
        println!("{}", file.display());
        for number in 0..if soak() { 6 } else { 1 } {
            let from = if number == 5 { &dead } else { &live };
            let Some(&point) = choices.pick("point", from) else { continue };
            if let Some((columns, count)) = compare(&gcc, &scratch, program, point) {
                (points, parts, visits) = (points + 1, parts + columns, visits + count);
            }
        }
    });
    println!("{points} points, {parts} parts, {visits} visits");
    assert!(!ran || (points > 40 && parts > 1500), "{points} points, {parts} parts, {visits} visits");
}

#[test]
fn what_is_sure_agrees_whatever_the_order() {
    let Some(gcc) = tool("gcc-12") else { return };
    let (mut taken, mut checked, mut parts) = (0, 0, 0);
    let ran = programs(&gcc, |file, program| {
        let points = Points::Sample { seed: 1, number: 20 };
        let counts = |order: Order| ended(program, order, ProfileOptions { points, ..Default::default() });
        let Some(first) = counts(Order::LeftToRight) else { return };
        println!("{}", file.display());
        for order in [Order::RightToLeft, Order::Seeded(5)] {
            let Some(other) = counts(order) else { continue };
            let keys = |profile: &Profile| profile.branches.keys().copied().collect::<Vec<_>>();
            assert_eq!(keys(&first), keys(&other), "{file:?}");
            assert_eq!(first.statements, other.statements, "{file:?}");
            for (&stmt, point) in &first.points {
                for (&object, seen) in &point.objects {
                    for path in seen.parts.keys() {
                        let place = Place { object, path: path.clone() };
                        let text = || format!("{file:?}: {} before {stmt:?}", place.text(program));
                        let (one, two) = (first.sure(stmt, &place), other.sure(stmt, &place));
                        assert_eq!(one, two, "{}", text());
                        parts += usize::from(one.is_some());
                    }
                }
            }
        }
        if file.to_string_lossy().contains("csmith") {
            checked += harness::check_counts(program, &first);
        }
        taken += 1;
    });
    println!("{taken} programs, {checked} counts, {parts} parts");
    assert!(!ran || (taken >= 40 && checked > 200 && parts > 5000), "{taken}, {checked}, {parts}");
}
