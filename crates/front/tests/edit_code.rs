//! New code in edits (`Edited::statements`, `Fragment`): composed beside a program, written as a line, made again on the
//! seed; and lines that ask for what C does not have.

mod edited;

use edited::{check, read, returns, texts};
use howler_lang::compose::{Arm, Value};
use howler_lang::dump;
use howler_lang::edit::{Edit, Edited, Operand, Place, Refused};
use howler_lang::program::{BinaryOp, ExprKind, ObjId, Program, StmtId};

fn object(program: &Program, name: &str) -> ObjId {
    let is = |known| program.name(known) == name;
    program.objects.iter().find(|(_, object)| object.name.is_some_and(is)).expect("the text has it").0
}

/// `if (x.member != 3) __builtin_abort();`
fn guard(edited: &mut Edited, at: StmtId, x: ObjId, member: &str) -> Result<(), Refused> {
    let code = edited.statements(|c| {
        let x = c.lvalue(x);
        let (x, three) = (c.member(x, member)?, c.int(3)?);
        let differs = c.binary(BinaryOp::Ne, x, three)?;
        let abort = c.builtin("__builtin_abort")?;
        let abort = c.call(abort, &[])?;
        Ok(vec![c.when(differs, &[abort])?])
    })?;
    edited.apply(Edit::Insert { place: Place::Before(edited.stmt(at)), code })
}

#[test]
fn what_is_composed_beside_a_program_leaves_it_alone() {
    let seed =
        read(&["struct s { int a; union { struct { int b; }; long c; }; } v; int f(int x) { return x; }"]);
    let mut edited = Edited::new(seed.clone());
    let (at, v) = (returns(&seed)[0], object(&seed, "v"));
    for _ in 0..2 {
        let before = (dump::program(edited.program()), edited.program().symbols.len());
        let code = edited.statements(|c| {
            let (three, (y, declared)) = (c.int(3)?, c.local("y", howler_lang::ty::Type::INT, None)?);
            let y = c.lvalue(y);
            let set = c.assign(y, three)?;
            Ok(vec![declared, c.expr(set)?])
        });
        assert!(code.is_ok());
        assert!(edited.statements(|c| c.int(1 << 40).map(|_| Vec::new())).is_err(), "it does not fit");
        assert_eq!((dump::program(edited.program()), edited.program().symbols.len()), before);
        // A member of an unnamed member is a member.
        guard(&mut edited, at, v, "b").unwrap();
    }
    let text = texts(edited.program()).remove(0);
    assert_eq!(text.matches("if (v.b != 3) {\n        __builtin_abort();").count(), 2, "{text}");
    check(&seed, &edited);
}

#[test]
fn new_code_may_have_a_switch() {
    let seed = read(&["int f(long x) { switch (x) { default: return x; } }"]);
    let mut edited = Edited::new(seed.clone());
    let (at, x) = (returns(&seed)[0], object(&seed, "x"));
    let code = edited.statements(|c| {
        let (outer, inner) = (c.lvalue(x), c.lvalue(x));
        let (five, stop) = (c.int(5)?, c.breaks());
        let set = c.lvalue(x);
        let set = c.assign(set, five)?;
        let set = c.expr(set)?;
        let ty = howler_lang::ty::Type::SHORT;
        let inner = c.cast(ty, inner)?;
        let inner = c.switch(inner, &[Arm { values: vec![1, -7], default: false, body: vec![set] }])?;
        let arms = [
            Arm { values: vec![1 << 40], default: false, body: vec![inner, stop] },
            Arm { values: vec![1], default: true, body: Vec::new() },
        ];
        Ok(vec![c.switch(outer, &arms)?])
    });
    let place = Place::Before(edited.stmt(at));
    edited.apply(Edit::Insert { place, code: code.unwrap() }).unwrap();
    let text = texts(edited.program()).remove(0);
    assert!(text.contains("case 1099511627776:") && text.contains("case -7:"), "{text}");
    check(&seed, &edited);
}

#[test]
fn every_unit_has_builtins_of_its_own() {
    let text = "static struct { int b; } v; static int f(int x) { return x; } int";
    let files =
        [format!("{text} g(void) {{ return f(v.b); }}"), format!("{text} h(void) {{ return f(v.b); }}")];
    let seed = read(&[&files[0], &files[1]]);
    let mut edited = Edited::new(seed.clone());
    let objects: Vec<ObjId> = seed
        .objects
        .iter()
        .filter(|(_, object)| object.linkage != howler_lang::program::Linkage::None)
        .map(|(id, _)| id)
        .collect();
    let all = returns(&seed);
    assert_eq!((objects.len(), all.len()), (2, 4));
    for (number, &at) in all.iter().enumerate() {
        let of = |number: usize| objects[number / 2];
        guard(&mut edited, at, of(number), "b").unwrap();
        assert!(guard(&mut edited, at, of(3 - number), "b").is_err(), "the other file's is not there");
    }
    // In an initialiser, which no function is around, too.
    let text = "int x = 3; int f(void) { return x; }";
    let files = read(&[text, &text.replace('x', "y").replace('f', "g")]);
    let mut other = Edited::new(files.clone());
    let code = other.expression(|c| {
        let (abs, minus) = (c.builtin("__builtin_abs")?, c.int(-4)?);
        c.call_of(abs, &[minus])
    });
    let code = code.unwrap();
    let threes = files.exprs.iter().filter(|(_, e)| matches!(e.kind, ExprKind::Int { value: 3, .. }));
    for (e, _) in threes {
        let at = other.expr(e);
        other.apply(Edit::Replace { at, with: Operand::Code(code.clone()) }).unwrap();
    }
    assert!(texts(other.program()).iter().all(|text| text.contains("= __builtin_abs(-4);")));
    check(&files, &other);
    check(&seed, &edited);
}

#[test]
fn types_that_no_program_has_are_refused() {
    let seed = read(&["struct s; struct t { int a; }; enum e { A }; int f(int x) { x++; return x; }"]);
    for ty in [
        "[3]void",
        "*[3]void",
        "*[5]f()int",
        "*f()[3]int",
        "*f()f()int",
        "restrict.int",
        "*restrict.int",
        "*restrict.f()int",
        "restrict.*f()int",
        "*const.f()int",
        "*atomic.void",
        "*atomic.[3]int",
        "*atomic.record#r0",
        "*[2][]int",
        "*[4]record#r0",
        "[18446744073709551615]int",
        "*[9223372036854775807][9223372036854775807]int",
        "*f(void)int",
        "*f(void,int)int",
        "*f([3]int)int",
        "*f(f()int)int",
        "*f(const.int)int",
        "*f()const.int",
        "*f(...)int",
        "*f(int?)int",
    ] {
        for code in [
            format!("sizeof:{ty} eval"),
            format!("int:0:d:int cast:{ty} eval"),
            format!("declare:a:{ty}:none:0"),
        ] {
            let mut edited = Edited::new(seed.clone());
            let edit: Edit = format!("insert before s1 {code}").parse().unwrap();
            assert!(edited.apply(edit).is_err(), "{code}");
            assert_eq!(dump::program(edited.program()), dump::program(&seed), "{code}");
        }
    }
    for ty in [
        "*[3]int",
        "*f(*int,...)*void",
        "*f(?)int",
        "restrict.*int",
        "const.*volatile.char",
        "[2][3]record#r1",
        "atomic.int",
    ] {
        let mut edited = Edited::new(seed.clone());
        edited
            .apply(format!("insert before s1 declare:a:{ty}:none:0").parse().unwrap())
            .unwrap_or_else(|why| panic!("{ty}: {why}"));
        check(&seed, &edited);
    }
}

#[test]
fn new_code_may_have_braces_and_literals() {
    let seed = read(&[
        "struct s { int a; struct { short b : 5, c[2]; } d; char t[4]; }; int f(struct s *x) { return x->a; }",
    ]);
    let mut edited = Edited::new(seed.clone());
    let (at, x) = (returns(&seed)[0], object(&seed, "x"));
    let code = edited.statements(|c| {
        let s = c.tagged(0, "s").expect("the text has it");
        let text = Value::Expr(c.string("abc"));
        let inner =
            Value::Parts(vec![(1, Value::List(vec![Value::Int(7), Value::Zero])), (0, Value::Int(-3))]);
        let (y, declared) = c.local("y", s, Some(&Value::List(vec![Value::Int(1), inner, text])))?;
        let y = c.lvalue(y);
        let y = c.member(y, "a")?;
        let literal = c.compound_literal(s, &Value::List(vec![Value::Expr(y)]))?;
        let target = c.lvalue(x);
        let target = c.deref(target)?;
        let set = c.assign(target, literal)?;
        let ints = c.array(howler_lang::ty::Type::INT, 3)?;
        let (z, values) = c.static_local("z", ints, Some(&Value::Parts(vec![(2, Value::Int(5))])))?;
        let (z, two) = (c.lvalue(z), c.int(2)?);
        let z = c.index(z, two)?;
        Ok(vec![declared, c.expr(set)?, values, c.expr(z)?])
    });
    let place = Place::Before(edited.stmt(at));
    edited.apply(Edit::Insert { place, code: code.unwrap() }).unwrap();
    let text = texts(edited.program()).remove(0);
    for wanted in [
        "struct s y = {1, {.c = {7, 0}, .b = -3}, \"abc\"};",
        "*x = (struct s){y.a};",
        "static int z[3] = {[2] = 5};",
    ] {
        assert!(text.contains(wanted), "{text}");
    }
    check(&seed, &edited);
}

#[test]
fn what_an_edit_has_no_text_for_is_said() {
    let seed = read(&["int f(int x) { return x; }"]);
    let mut edited = Edited::new(seed);
    let code = edited.statements(|c| {
        let label = c.label("a");
        let nothing = c.nothing();
        let address = howler_lang::program::StmtKind::LabelDecl(label);
        Ok(vec![c.stmt(address), c.labelled(label, nothing)?])
    });
    assert_eq!(code.unwrap_err(), Refused::Place("new code that has no text"));
    let code = edited.statements(|c| {
        c.global("g", howler_lang::ty::Type::INT, howler_lang::program::Linkage::External, None)?;
        Ok(Vec::new())
    });
    assert_eq!(code.unwrap_err(), Refused::Place("statements declare nothing at file scope"));
}
