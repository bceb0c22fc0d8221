//! What `howler run --profile` shows: as text by line, and as JSON.

use std::collections::BTreeMap;

use howler_lang::arith::{Format, print_float};
use howler_lang::id::Id;
use howler_lang::program::{ExprId, Program, StmtId, UnaryOp};
use howler_lang::source::Pos;
use howler_machine::profile::{
    self, Observed, Operands, Operator, Place, Points, Profile, ProfileOptions, Scalar, Target, Tuple, Tuples,
};
use serde_json::{Value, json};

use crate::options::Run;
use crate::run_json::place;

/// How many tuples of operands are kept.
const TUPLES: usize = 16;

/// The statements that `--at` names: the first one of each line.
pub fn chosen(options: &Run, program: &Program) -> Vec<StmtId> {
    let mut first: BTreeMap<(String, u32), (u32, StmtId)> = BTreeMap::new();
    if options.at.is_empty() {
        return Vec::new();
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
    let wanted = |((file, line), (_, stmt)): ((String, u32), (u32, StmtId))| {
        let meant =
            |(of, at): &(Option<String>, u32)| *at == line && of.as_ref().is_none_or(|of| *of == file);
        options.at.iter().any(meant).then_some(stmt)
    };
    first.into_iter().filter_map(wanted).collect()
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
    let at = |pos: Pos| match program.sources.place(pos) {
        Some(place) => format!("{}:{}", place.file, place.line),
        None => "?".to_owned(),
    };
    let mut lines: BTreeMap<(String, u32), u64> = BTreeMap::new();
    for (&stmt, &count) in &profile.statements {
        if let Some(place) = program.sources.place(program.stmts[stmt].pos) {
            let known = lines.entry((place.file.to_string(), place.line)).or_default();
            *known = count.max(*known);
        }
    }
    let mut text: String =
        lines.iter().map(|((file, line), count)| format!("{count:>12} {file}:{line}\n")).collect();
    for (&stmt, point) in &profile.points {
        let count = profile.count(stmt);
        let seen = if point.visits < count { format!(", {} looked at", point.visits) } else { String::new() };
        let visits = if count == 1 { "visit" } else { "visits" };
        text += &format!("before {}: {count} {visits}{seen}\n", at(program.stmts[stmt].pos));
        for (place, observed) in parts(point) {
            text += &format!("    {} = {}\n", place.text(program), shown(observed, program));
        }
        for &object in &point.left_out {
            let name = Place { object, path: Vec::new() }.text(program);
            text += &format!("    {name} was not looked at\n");
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

fn parts(point: &profile::PointProfile) -> impl Iterator<Item = (Place, &Observed)> {
    point.objects.iter().flat_map(|(&object, seen)| {
        seen.parts.iter().map(move |(path, observed)| (Place { object, path: path.clone() }, observed))
    })
}

/// What was seen of a part: its values, or their range, and what is wrong with it.
fn shown(observed: &Observed, program: &Program) -> String {
    let mut texts = Vec::new();
    match (&observed.values, observed.range) {
        (Some(values), _) => texts.extend(values.iter().map(|&value| scalar(value, program))),
        (None, Some((least, greatest))) => {
            texts.push(format!("{}..{}", scalar(least, program), scalar(greatest, program)));
        }
        (None, None) => texts.push("many values".to_owned()),
    }
    let marks = [(observed.unset, "unset"), (observed.open, "unspecified"), (observed.absent, "absent")];
    texts.extend(marks.into_iter().filter(|&(is, _)| is).map(|(_, mark)| mark.to_owned()));
    texts.join(", ")
}

fn scalar(value: Scalar, program: &Program) -> String {
    match value {
        Scalar::Int(number) => number.to_string(),
        Scalar::Float(format, bits) => print_float(bits, format).unwrap_or_else(|| no_number(format, bits)),
        Scalar::Pointer(Target::Null) => "null".to_owned(),
        Scalar::Pointer(Target::Function(func)) => program.name(program.funcs[func].name).to_owned(),
        Scalar::Pointer(Target::Unnamed) => "pointer".to_owned(),
        Scalar::Pointer(Target::Object { object, offset, past, nameable }) => {
            let name = Place { object, path: Vec::new() }.text(program);
            let offset = if offset == 0 { String::new() } else { format!("+{offset}") };
            let past = if past { " (past the end)" } else { "" };
            let other = if nameable { "" } else { " (not in scope)" };
            format!("&{name}{offset}{past}{other}")
        }
    }
}

/// Infinities and NaNs.
fn no_number(format: Format, bits: u128) -> String {
    let sign = if bits & format.sign_bit() != 0 { "-" } else { "" };
    if format.is_nan(bits) { "nan".to_owned() } else { format!("{sign}inf") }
}

fn symbol(operator: Operator) -> &'static str {
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
        Some(Some(value)) => scalar(*value, program),
        _ => "?".to_owned(),
    };
    match operator {
        Operator::Binary(op) => format!("{} {} {}", operand(0), op.symbol(), operand(1)),
        Operator::Unary(_) | Operator::Convert => format!("{}({})", symbol(operator), operand(0)),
    }
}

/// The whole profile. Statements and expressions have numbers beside their places: several share a line, and some have
/// no place.
pub fn json(profile: &Profile, program: &Program) -> Value {
    let stmt = |stmt: StmtId| json!({ "id": stmt.index(), "place": place(program.stmts[stmt].pos, program) });
    let expr = |expr: ExprId| json!({ "id": expr.index(), "place": place(program.exprs[expr].pos, program) });
    let with = |mut whole: Value, more: Value| {
        if let (Value::Object(whole), Value::Object(more)) = (&mut whole, more) {
            whole.extend(more);
        }
        whole
    };
    let sure = |stmt: StmtId| profile.sure_count(stmt).is_some();
    let statements = profile
        .statements
        .iter()
        .map(|(&id, count)| with(stmt(id), json!({ "count": count, "sure": sure(id) })));
    let functions = profile.functions.iter().map(|(&func, count)| {
        let (name, body) = (program.name(program.funcs[func].name), program.funcs[func].body);
        json!({ "name": name, "count": count, "sure": body.is_some_and(sure) })
    });
    let branches = profile.branches.iter().map(|(&id, &(held, not))| {
        with(expr(id), json!({ "held": held, "not": not, "sure": profile.is_sure_of(id) }))
    });
    let switches = profile.switches.iter().map(|(&id, ways)| {
        let ways = ways.iter().map(|(&way, count)| json!({ "to": way.map(stmt), "count": count }));
        with(expr(id), json!({ "ways": ways.collect::<Vec<_>>() }))
    });
    let points = profile.points.iter().map(|(&id, point)| {
        let values = parts(point).map(|(place, observed)| {
            let sure = profile.sure(id, &place).is_some();
            with(json!({ "lvalue": place.text(program), "sure": sure }), observed_json(observed, program))
        });
        let left_out = point.left_out.iter().map(|&object| Place { object, path: Vec::new() }.text(program));
        let states = profile.states(id).map(|(places, rows)| {
            let row = |row: &Vec<Scalar>| row.iter().map(|&value| scalar(value, program)).collect::<Vec<_>>();
            json!({
                "lvalues": places.iter().map(|place| place.text(program)).collect::<Vec<_>>(),
                "rows": rows.iter().map(row).collect::<Vec<_>>(),
            })
        });
        let whole = json!({
            "count": profile.count(id),
            "looked_at": point.visits,
            "values": values.collect::<Vec<_>>(),
            "left_out": left_out.collect::<Vec<_>>(),
            "states": states,
        });
        with(stmt(id), whole)
    });
    let operators = profile
        .operators
        .iter()
        .map(|(&(id, operator), operands)| with(expr(id), operands_json(operator, operands, program)));
    let calls = profile.calls.iter().map(|(&id, calls)| {
        let names = calls.callees.iter().map(|&func| program.name(program.funcs[func].name));
        let whole = json!({
            "count": calls.count,
            "callees": names.collect::<Vec<_>>(),
            "arguments": tuples_json(&calls.tuples, program),
            "all_arguments": !calls.tuples.more,
        });
        with(expr(id), whole)
    });
    json!({
        "runs": profile.runs,
        "unfinished": profile.unfinished,
        "open": profile.open,
        "statements": statements.collect::<Vec<_>>(),
        "functions": functions.collect::<Vec<_>>(),
        "branches": branches.collect::<Vec<_>>(),
        "switches": switches.collect::<Vec<_>>(),
        "points": points.collect::<Vec<_>>(),
        "operators": operators.collect::<Vec<_>>(),
        "calls": calls.collect::<Vec<_>>(),
    })
}

fn observed_json(observed: &Observed, program: &Program) -> Value {
    let values = |values: &std::collections::BTreeSet<Scalar>| -> Vec<String> {
        values.iter().map(|&value| scalar(value, program)).collect()
    };
    json!({
        "values": observed.values.as_ref().map(values),
        "least": observed.range.map(|(least, _)| scalar(least, program)),
        "greatest": observed.range.map(|(_, greatest)| scalar(greatest, program)),
        "unset": observed.unset,
        "unspecified": observed.open,
        "absent": observed.absent,
    })
}

fn operands_json(operator: Operator, operands: &Operands, program: &Program) -> Value {
    let undefined = operands.undefined.iter().map(|(case, found)| {
        json!({
            "code": case.code(),
            "count": found.count,
            "operands": tuples_json(&found.tuples, program),
            "all_operands": !found.tuples.more,
        })
    });
    json!({
        "operator": symbol(operator),
        "count": operands.count,
        "operands": tuples_json(&operands.tuples, program),
        "all_operands": !operands.tuples.more,
        "undefined": undefined.collect::<Vec<_>>(),
    })
}

fn tuples_json(tuples: &Tuples, program: &Program) -> Value {
    let one = |tuple: &Tuple| -> Value {
        tuple.iter().map(|value| value.map(|value| scalar(value, program))).collect()
    };
    tuples.kept.iter().map(one).collect()
}
