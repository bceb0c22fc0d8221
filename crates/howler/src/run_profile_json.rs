//! A profile as JSON: everything that was seen, and what of it is sure.

use std::collections::{BTreeMap, BTreeSet};

use howler_lang::id::Id;
use howler_lang::program::{ExprId, Program, StmtId};
use howler_lang::ty::Type;
use howler_machine::profile::{Observed, Operands, Operator, Place, Profile, Scalar, Tuple, Tuples};
use serde_json::{Value, json};

use crate::run_json::place;
use crate::run_profile::{labels, parts, scalar, symbol, whole};

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
        with(expr(id), json!({ "ways": ways.collect::<Vec<_>>(), "sure": profile.is_sure_of(id) }))
    });
    let labels = if profile.points.is_empty() { BTreeMap::new() } else { labels(program) };
    let points = profile.points.iter().map(|(&id, point)| {
        let values = parts(point).map(|(place, observed)| {
            let sure = profile.sure(id, &place).is_some();
            let to = place.ty(program).and_then(|ty| program.types.pointee(ty));
            with(json!({ "lvalue": place.text(program), "sure": sure }), observed_json(observed, to, program))
        });
        // Those without a part that can be looked at, as complex values, and those with more parts than are.
        let partly = |empty: bool| {
            let some =
                point.objects.iter().filter(move |(_, seen)| !seen.whole && seen.parts.is_empty() == empty);
            some.map(|(&object, _)| whole(object).text(program))
        };
        let left_out = point.left_out.iter().map(|&object| whole(object).text(program)).chain(partly(true));
        let states = profile.states(id).map(|(places, rows)| {
            let row = |row: &Vec<Scalar>| -> Vec<String> {
                let to = |place: &Place| place.ty(program).and_then(|ty| program.types.pointee(ty));
                row.iter().zip(&places).map(|(&value, place)| scalar(value, to(place), program)).collect()
            };
            json!({
                "lvalues": places.iter().map(|place| place.text(program)).collect::<Vec<_>>(),
                "rows": rows.iter().map(row).collect::<Vec<_>>(),
            })
        });
        let told = json!({
            "count": profile.count(id),
            "looked_at": point.visits,
            "values": values.collect::<Vec<_>>(),
            "left_out": left_out.collect::<Vec<_>>(),
            "partly": partly(false).collect::<Vec<_>>(),
            "label": labels.get(&id).map(|&label| stmt(label)),
            "states": states,
        });
        with(stmt(id), told)
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

fn observed_json(observed: &Observed, to: Option<Type>, program: &Program) -> Value {
    let values = |values: &BTreeSet<Scalar>| -> Vec<String> {
        values.iter().map(|&value| scalar(value, to, program)).collect()
    };
    json!({
        "values": observed.values.as_ref().map(values),
        "least": observed.range.map(|(least, _)| scalar(least, None, program)),
        "greatest": observed.range.map(|(_, greatest)| scalar(greatest, None, program)),
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
        tuple.iter().map(|value| value.map(|value| scalar(value, None, program))).collect()
    };
    tuples.kept.iter().map(one).collect()
}
