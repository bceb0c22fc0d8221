//! What the tests of profiles share: programs from text, and asking for places by name and line.
#![allow(dead_code)]

use howler_lang::arith::Format;
use howler_lang::id::Id;
use howler_lang::program::{BinaryOp, ExprKind, Program, StmtId, StmtKind};
use howler_lang::target::Target;
use howler_machine::outcome::Outcome;
use howler_machine::profile::{self, Place, Profile, ProfileOptions, Scalar};
use howler_machine::{RunOptions, run};

/// The program of a text; `#include` lines count but are not read.
pub fn parsed(text: &str) -> Program {
    let declared = "void *malloc(unsigned long); void free(void *);";
    let text = text.replace("#include <stdlib.h>", declared);
    let mut program = Program::new(Target::X86_64_GCC);
    let report = howler_front::parse(&mut program, "p.c", text.into(), &howler_front::Options::default());
    assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
    let said = howler_lang::link::link(&mut program);
    assert!(said.is_empty(), "{said:?}");
    program
}

/// A program and the profile of one run, which must end well.
pub fn profiled(text: &str, options: ProfileOptions<'_>) -> (Program, Profile) {
    let program = parsed(text);
    let report = run(&program, &RunOptions { profile: Some(options), ..RunOptions::default() });
    assert_eq!(report.outcome, Outcome::Exit(0), "{text}");
    (program, report.profile.expect("it was asked for"))
}

/// The outermost statement that begins in a line and can be a point.
pub fn stmt_in_line(program: &Program, line: u32) -> StmtId {
    let in_line = |stmt: &StmtId| {
        program.sources.place(program.stmts[*stmt].pos).is_some_and(|place| place.line == line)
    };
    let found = profile::points(program).into_iter().filter(in_line);
    let column = |stmt: StmtId| program.sources.place(program.stmts[stmt].pos).map(|place| place.column);
    found
        .min_by_key(|&stmt| (column(stmt), std::cmp::Reverse(stmt.index())))
        .unwrap_or_else(|| panic!("no statement in line {line}"))
}

/// The first object of a name.
pub fn place(program: &Program, name: &str) -> Place {
    let named = |&(_, object): &(_, &howler_lang::program::Object)| {
        object.name.is_some_and(|known| program.name(known) == name)
    };
    let (object, _) = program.objects.iter().find(named).unwrap_or_else(|| panic!("no {name}"));
    Place { object, path: Vec::new() }
}

/// The integers that a part surely has at a point.
pub fn ints(profile: &Profile, stmt: StmtId, place: &Place) -> Vec<i128> {
    let seen = profile.sure(stmt, place).and_then(|seen| seen.values.clone()).unwrap_or_default();
    let int = |scalar| if let Scalar::Int(number) = scalar { Some(number) } else { None };
    seen.into_iter().filter_map(int).collect()
}

/// The doubles that a part surely has at a point.
pub fn floats(profile: &Profile, stmt: StmtId, place: &Place) -> Vec<f64> {
    let seen = profile.sure(stmt, place).and_then(|seen| seen.values.clone()).unwrap_or_default();
    let float = |scalar| match scalar {
        Scalar::Float(Format::F64, bits) => Some(f64::from_bits(bits as u64)),
        _ => None,
    };
    seen.into_iter().filter_map(float).collect()
}

/// Every count against another that it must equal. How often a statement was reached is how often what is before it
/// led there; a condition was tested as often as it was reached.
pub fn check_counts(program: &Program, profile: &Profile) -> usize {
    let taken = |expr| profile.branches.get(&expr).copied().unwrap_or((0, 0));
    let mut checked = 0;
    for &stmt in profile.statements.keys() {
        let visits = profile.count(stmt);
        checked += 1;
        match program.stmts[stmt].kind {
            StmtKind::If { cond, then, other } => {
                let (held, not) = taken(cond);
                assert_eq!(held, profile.count(then));
                if let Some(other) = other {
                    assert_eq!(not, profile.count(other));
                }
                assert_eq!(held + not, visits);
            }
            StmtKind::While { cond, body } => assert_eq!(taken(cond).0, profile.count(body)),
            StmtKind::For { cond: Some(cond), body, .. } => {
                assert_eq!(taken(cond).0, profile.count(body));
            }
            StmtKind::DoWhile { cond, body } => assert_eq!(taken(cond).0 + visits, profile.count(body)),
            StmtKind::Switch { value, .. } => {
                let ways = profile.switches.get(&value).map_or(0, |ways| ways.values().sum());
                assert_eq!(ways, visits);
            }
            _ => checked -= 1,
        }
    }
    for (_, expr) in program.exprs.iter() {
        let (left, right, leads) = match expr.kind {
            ExprKind::Binary(BinaryOp::And, a, b) => (taken(a), taken(b), taken(a).0),
            ExprKind::Binary(BinaryOp::Or, a, b) => (taken(a), taken(b), taken(a).1),
            _ => continue,
        };
        assert_eq!(right.0 + right.1, leads, "{left:?}");
        checked += usize::from(leads > 0);
    }
    checked
}
