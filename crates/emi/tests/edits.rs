//! What variants need of `lang::edit`: statements that move, and many edits in one step.

mod common;

use common::TARGET;
use howler_emi::seed::read;
use howler_lang::edit::{Edit, Edited, Place, Ref};
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::{Program, StmtId, StmtKind};
use howler_lang::verify;

const SEED: &str = "int g;\nint f(void) { g = 1; while (g < 3) { g++; } return g; }\nint main(void) { g = 2; return f(); }\n";

fn seed() -> Program {
    read(&[("seed.c", SEED)], TARGET).expect("it is C")
}

fn find(program: &Program, wanted: impl Fn(&StmtKind) -> bool) -> Vec<StmtId> {
    program.stmts.iter().filter(|(_, stmt)| wanted(&stmt.kind)).map(|(id, _)| id).collect()
}

fn text(program: &Program) -> String {
    unit(program, 0, &PrintOptions::default())
}

/// `if (g == 1) { }` before a loop, and the loop into it.
fn guard(edited: &mut Edited, at: StmtId) -> Vec<Edit> {
    let code = edited.statements(|c| {
        let g = c.program.objects.ids().next().expect("there is one");
        let (g, one) = (c.lvalue(g), c.int(1)?);
        let cond = c.binary(howler_lang::program::BinaryOp::Eq, g, one)?;
        Ok(vec![c.when(cond, &[])?])
    });
    let s = edited.stmt(at);
    let insert = Edit::Insert { place: Place::Before(s), code: code.expect("it is C") };
    let block = Ref::Made { edit: 0, number: 0 };
    vec![insert, Edit::Move { first: s, last: s, place: Place::End(block) }]
}

#[test]
fn a_statement_moves_and_keeps_what_it_is() {
    let at = find(&seed(), |kind| matches!(kind, StmtKind::While { .. }))[0];
    let mut one_by_one = Edited::new(seed());
    for edit in guard(&mut Edited::new(seed()), at) {
        one_by_one.apply(edit).expect("it can be made");
    }
    let mut together = Edited::new(seed());
    let edits = guard(&mut together, at);
    together.apply_all(edits.clone()).expect("they can be made");
    let made = text(together.program());
    assert_eq!(text(one_by_one.program()), made);
    let bare: String = made.chars().filter(|c| !c.is_whitespace()).collect();
    assert!(bare.contains("g=1;if(g==1){while(g<3){g++;}}returng;"), "{made}");
    assert_eq!(verify::program(together.program()), []);
    // The lines say the same.
    let lines: Vec<String> = together.edits().iter().map(ToString::to_string).collect();
    let read: Vec<Edit> = lines.iter().map(|line| line.parse().expect("an edit")).collect();
    assert_eq!(read, edits);
    let (again, done) = Edited::replay(seed(), &read, |_| true);
    assert_eq!((text(again.program()), done), (made, vec![true, true]));
    // Without the block there is nowhere to go.
    let (_, done) = Edited::replay(seed(), &read, |number| number != 0);
    assert_eq!(done, [false, false]);
}

#[test]
fn what_cannot_move_stays_and_nothing_else_happens() {
    let program = seed();
    let lines = find(&program, |kind| matches!(kind, StmtKind::Expr(_)));
    let loops = find(&program, |kind| matches!(kind, StmtKind::While { .. }))[0];
    let inner = find(&program, |kind| matches!(kind, StmtKind::Compound(_)));
    let before = text(&program);
    let mut edited = Edited::new(program);
    let moved = |edited: &Edited, s: StmtId, place: Place| Edit::Move {
        first: edited.stmt(s),
        last: edited.stmt(s),
        place,
    };
    // Into itself, and into another function.
    let itself = moved(&edited, loops, Place::Before(edited.stmt(lines[1])));
    let elsewhere = moved(&edited, loops, Place::Before(edited.stmt(*lines.last().expect("main has one"))));
    for edit in [itself, elsewhere] {
        assert!(edited.apply(edit.clone()).is_err(), "{edit}");
        // Nor does a list with it leave anything.
        let gone = Edit::Remove(edited.stmt(lines[0]));
        assert!(edited.apply_all(vec![gone, edit]).is_err());
        assert_eq!(text(edited.program()), before);
        assert!(edited.edits().is_empty());
    }
    assert!(inner.len() > 2);
}

#[test]
fn of_groups_those_that_can_be_made_are_made() {
    let at = find(&seed(), |kind| matches!(kind, StmtKind::While { .. }))[0];
    let lines = find(&seed(), |kind| matches!(kind, StmtKind::Expr(_)));
    let guards = guard(&mut Edited::new(seed()), at);
    // The second of these cannot be made, and so the first is not either.
    let bad = |edited: &Edited| {
        let (first, inner) = (edited.stmt(lines[0]), edited.stmt(at));
        let itself = Edit::Move { first: inner, last: inner, place: Place::Before(edited.stmt(lines[1])) };
        vec![Edit::Remove(first), itself]
    };
    let mut edited = Edited::new(seed());
    let wrong = bad(&edited);
    let done = edited.apply_groups(3, |number, base| match number {
        0 => wrong.clone(),
        // Numbers of edits go on as if that had never been.
        1 => {
            assert_eq!(base, 0);
            guards.clone()
        }
        _ => {
            assert_eq!(base, 2);
            vec![Edit::Remove(Ref::Seed(*lines.last().expect("main has one")))]
        }
    });
    assert_eq!(done, Ok(vec![false, true, true]));
    let mut one_by_one = Edited::new(seed());
    for edit in guards.iter().cloned().chain([Edit::Remove(Ref::Seed(*lines.last().unwrap()))]) {
        one_by_one.apply(edit).expect("it can be made");
    }
    assert_eq!(text(edited.program()), text(one_by_one.program()));
    assert_eq!(edited.edits(), one_by_one.edits());
    assert_eq!(verify::program(edited.program()), []);
    // What is wrong with the whole is seen at its end, and nothing is made.
    let before = text(edited.program());
    let declaration = find(edited.program(), |kind| matches!(kind, StmtKind::Return(_)))[0];
    let body = Ref::Seed(declaration);
    let breaks = edited.statements(|c| Ok(vec![c.breaks()])).expect("a statement");
    let result = edited
        .apply_groups(1, |_, _| vec![Edit::Insert { place: Place::Before(body), code: breaks.clone() }]);
    assert!(result.is_err());
    assert_eq!(text(edited.program()), before);
}
