//! What `howler run --profile` looks at, and how it shows that as text by line. As JSON it is in `run_profile_json`.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use howler_lang::arith::{Format, print_float};
use howler_lang::program::{Linkage, ObjId, Program, StmtId, StmtKind, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::ty::Type;
use howler_machine::RunReport;
use howler_machine::outcome::Outcome;
use howler_machine::profile::{
    self, ObjectProfile, Observed, Operator, Place, Points, Profile, ProfileOptions, Scalar, Step, Target,
    Tuple,
};

use crate::options::Run;

/// How many tuples of operands are kept.
const TUPLES: usize = 16;

/// The statements that `--at` names: the first one of each line, behind its labels. A line without one is an error.
pub fn chosen(options: &Run, program: &Program) -> Result<Vec<StmtId>> {
    let mut first: BTreeMap<(String, u32), (u32, StmtId)> = BTreeMap::new();
    if options.at.is_empty() {
        return Ok(Vec::new());
    }
    for stmt in profile::points(program) {
        if let Some(place) = program.sources.place(program.stmts[stmt].pos) {
            let key = (place.column, stmt);
            let known = first.entry((place.file.to_string(), place.line)).or_insert(key);
            // Of those that begin at one place the whole has the greatest number.
            if place.column < known.0 || place.column == known.0 && stmt > known.1 {
                *known = key;
            }
        }
    }
    let mut chosen = Vec::new();
    for (of, at) in &options.at {
        let meant = |(file, line): &(String, u32)| line == at && of.as_ref().is_none_or(|of| of == file);
        let found = first.iter().filter(|(key, _)| meant(key)).map(|(_, &(_, stmt))| labelled(program, stmt));
        let before = chosen.len();
        chosen.extend(found);
        if chosen.len() == before {
            let file = of.as_ref().map_or_else(String::new, |file| format!("{file}:"));
            bail!("--at {file}{at}: no statement of a function begins there");
        }
    }
    Ok(chosen)
}

/// The statement behind labels: jumps to them reach it, and not what is before them.
fn labelled(program: &Program, mut stmt: StmtId) -> StmtId {
    while let StmtKind::Label(_, body) | StmtKind::Case { body, .. } | StmtKind::Default(body) =
        program.stmts[stmt].kind
    {
        stmt = body;
    }
    stmt
}

/// The outermost label in front of each labelled statement.
pub fn labels(program: &Program) -> BTreeMap<StmtId, StmtId> {
    let mut labels = BTreeMap::new();
    for (id, _) in program.stmts.iter() {
        let body = labelled(program, id);
        // Labels are made after what they stand before.
        if body != id && labels.get(&body).is_none_or(|&known| known < id) {
            labels.insert(body, id);
        }
    }
    labels
}

/// Where a run stopped, if it did not end by itself: what comes after is in no list.
pub fn stopped(report: &RunReport, program: &Program) -> Option<String> {
    let (pos, why) = match report.went_on.as_ref().unwrap_or(&report.outcome) {
        Outcome::Exit(_) | Outcome::Abort | Outcome::BadProgram(_) => return None,
        Outcome::Ub(ub) => (ub.pos, format!("{} [{}]", ub.message, ub.kind.code())),
        Outcome::Unsupported(what) => (what.pos, format!("not supported: {}", what.what)),
        Outcome::Limit(limit) => (report.stopped, format!("the limit of {limit}")),
    };
    Some(format!("stopped at {}: {why}; what comes after it is not in these lists\n", at(pos, program)))
}

fn at(pos: Pos, program: &Program) -> String {
    match program.sources.place(pos) {
        Some(place) => format!("{}:{}", place.file, place.line),
        None => "?".to_owned(),
    }
}

/// What to observe, if a profile is wanted.
pub fn wanted<'a>(options: &Run, chosen: &'a [StmtId]) -> Option<ProfileOptions<'a>> {
    let points = match options.sample {
        Some(number) => Points::Sample { seed: 1, number },
        None if options.at.is_empty() => Points::None,
        None => Points::These(chosen),
    };
    let (tuples, bare) = if options.operands { (TUPLES, true) } else { (0, false) };
    options.profile.then_some(ProfileOptions { points, tuples, bare, ..ProfileOptions::default() })
}

/// `LINE` or `FILE:LINE`.
pub fn read_line(text: &str) -> Result<(Option<String>, u32), String> {
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) => (Some(file.to_owned()), line),
        None => (None, text),
    };
    line.parse().map(|line| (file, line)).map_err(|_| "LINE or FILE:LINE".to_owned())
}

/// How often each line was reached (the statement of it that was reached most), then what was seen at points, then the
/// operators that are undefined.
pub fn text(profile: &Profile, program: &Program) -> String {
    let at = |pos: Pos| at(pos, program);
    let mut lines: BTreeMap<(String, u32), u64> = BTreeMap::new();
    for (&stmt, &count) in &profile.statements {
        if let Some(place) = program.sources.place(program.stmts[stmt].pos) {
            let known = lines.entry((place.file.to_string(), place.line)).or_default();
            *known = count.max(*known);
        }
    }
    let mut text: String =
        lines.iter().map(|((file, line), count)| format!("{count:>12} {file}:{line}\n")).collect();
    let labels = if profile.points.is_empty() { BTreeMap::new() } else { labels(program) };
    for (&stmt, point) in &profile.points {
        let count = profile.count(stmt);
        let place = match labels.get(&stmt) {
            Some(&label) => format!("behind the label of {}", at(program.stmts[label].pos)),
            None => format!("before {}", at(program.stmts[stmt].pos)),
        };
        if count == 0 {
            text += &format!("{place}: never reached\n");
            continue;
        }
        let seen = if point.visits < count { format!(", {} looked at", point.visits) } else { String::new() };
        let visits = if count == 1 { "visit" } else { "visits" };
        text += &format!("{place}: {count} {visits}{seen}\n");
        for (&object, seen) in &point.objects {
            text += &object_text(object, seen, program);
        }
        // What only the library defines nobody asks for.
        for &object in point.left_out.iter().filter(|&&object| is_own(program, object)) {
            text += &format!("    {} was not looked at\n", whole(object).text(program));
        }
    }
    for (expr, operator, operands) in profile.undefined() {
        for (case, found) in &operands.undefined {
            let tuples: Vec<String> =
                found.tuples.kept.iter().map(|tuple| applied(operator, tuple, program)).collect();
            let more = if found.tuples.more { ", ..." } else { "" };
            let times = if found.count == 1 { "once".to_owned() } else { format!("{} times", found.count) };
            let (at, code) = (at(program.exprs[expr].pos), case.code());
            text += &format!("{at}: undefined {times}: {}{more} [{code}]\n", tuples.join(", "));
        }
    }
    text
}

/// What was seen of an object, a line for each part; one for all if none of many was ever set.
fn object_text(object: ObjId, seen: &ObjectProfile, program: &Program) -> String {
    let never_set = |observed: &Observed| {
        observed.unset && observed.values.as_ref().is_some_and(|values| values.is_empty()) && !observed.open
    };
    let name = whole(object).text(program);
    if seen.parts.len() > 1 && seen.parts.values().all(never_set) {
        return format!("    {name} = unset, all of it\n");
    }
    let mut text = String::new();
    for (path, observed) in &seen.parts {
        let place = Place { object, path: path.clone() };
        let to = place.ty(program).and_then(|ty| program.types.pointee(ty));
        text += &format!("    {} = {}\n", place.text(program), shown(observed, to, program));
    }
    match (seen.whole, seen.parts.len()) {
        (true, _) => {}
        (false, 0) => text += &format!("    {name} was not looked at\n"),
        (false, 1) => text += &format!("    of {name} only that part was looked at\n"),
        (false, count) => text += &format!("    of {name} only these {count} parts were looked at\n"),
    }
    text
}

pub fn whole(object: ObjId) -> Place {
    Place { object, path: Vec::new() }
}

/// Whether the program itself defines an object.
fn is_own(program: &Program, object: ObjId) -> bool {
    let linked = program.objects[object].linked.unwrap_or(object);
    program.objects[object].linkage == Linkage::None || program.objects[linked].defined
}

pub fn parts(point: &profile::PointProfile) -> impl Iterator<Item = (Place, &Observed)> {
    point.objects.iter().flat_map(|(&object, seen)| {
        seen.parts.iter().map(move |(path, observed)| (Place { object, path: path.clone() }, observed))
    })
}

/// What was seen of a part: its values in their own order, or their range, and what is wrong with it. `to` is what a
/// pointer points to.
fn shown(observed: &Observed, to: Option<Type>, program: &Program) -> String {
    let mut texts = Vec::new();
    match (&observed.values, observed.range) {
        (Some(values), _) => texts.extend(values.iter().map(|&value| scalar(value, to, program))),
        (None, Some((least, greatest))) => {
            texts.push(format!("{}..{}", scalar(least, None, program), scalar(greatest, None, program)));
        }
        (None, None) => texts.push("many values".to_owned()),
    }
    let marks = [(observed.unset, "unset"), (observed.open, "unspecified"), (observed.absent, "absent")];
    texts.extend(marks.into_iter().filter(|&(is, _)| is).map(|(_, mark)| mark.to_owned()));
    texts.join(", ")
}

pub fn scalar(value: Scalar, to: Option<Type>, program: &Program) -> String {
    match value {
        Scalar::Int(number) => number.to_string(),
        Scalar::Float(format, bits) => print_float(bits, format).unwrap_or_else(|| no_number(format, bits)),
        Scalar::Pointer(Target::Null) => "null".to_owned(),
        Scalar::Pointer(Target::Function(func)) => program.name(program.funcs[func].name).to_owned(),
        Scalar::Pointer(Target::Unnamed) => "pointer".to_owned(),
        Scalar::Pointer(Target::Object { object, offset, past, nameable }) => {
            let part = to.and_then(|to| pointed_to(program, object, offset, past, to));
            let address = part.unwrap_or_else(|| match offset {
                0 => format!("&{}", whole(object).text(program)),
                _ => format!("(char *)&{} + {offset}", whole(object).text(program)),
            });
            let past = if past { " (past the end)" } else { "" };
            let other = if nameable { "" } else { " (not in scope)" };
            format!("{address}{past}{other}")
        }
    }
}

/// The part of an object that a pointer to this type points to, as an address; one past the end of an array as its next
/// element.
fn pointed_to(program: &Program, object: ObjId, offset: u64, past: bool, to: Type) -> Option<String> {
    if !past {
        return Place::at(program, object, offset, to).map(|place| format!("&{}", place.text(program)));
    }
    let before = offset.checked_sub(program.size_of(to)?)?;
    let mut place = Place::at(program, object, before, to)?;
    match place.path.last_mut() {
        Some(Step::Index(index)) => {
            *index += 1;
            Some(format!("&{}", place.text(program)))
        }
        _ => Some(format!("&{} + 1", place.text(program))),
    }
}

/// Infinities and NaNs.
fn no_number(format: Format, bits: u128) -> String {
    let sign = if bits & format.sign_bit() != 0 { "-" } else { "" };
    if format.is_nan(bits) { "nan".to_owned() } else { format!("{sign}inf") }
}

pub fn symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::Binary(op) => op.symbol(),
        Operator::Unary(UnaryOp::Neg) => "-",
        Operator::Unary(UnaryOp::BitNot) => "~",
        Operator::Unary(UnaryOp::PreInc) => "++",
        Operator::Unary(UnaryOp::PreDec) => "--",
        Operator::Unary(_) => "?",
        Operator::Convert => "(integer)",
    }
}

fn applied(operator: Operator, tuple: &Tuple, program: &Program) -> String {
    let operand = |index: usize| match tuple.get(index) {
        Some(Some(value)) => scalar(*value, None, program),
        _ => "?".to_owned(),
    };
    match operator {
        Operator::Binary(op) => format!("{} {} {}", operand(0), op.symbol(), operand(1)),
        Operator::Unary(_) | Operator::Convert => format!("{}({})", symbol(operator), operand(0)),
    }
}
