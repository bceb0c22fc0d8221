//! What the composer refuses, where it is made or at the end, and what it takes.

use howler_lang::compose::{Arm, Composed, Composer, Head, Member, Shape, Value, signature};
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::{BinaryOp, Entity, FuncId, Linkage, StmtId, UnaryOp};
use howler_lang::target::{Std, Target};
use howler_lang::ty::{Quals, RecordKind, Type};

fn composer() -> Composer {
    let mut c = Composer::new(Target::X86_64_GCC);
    c.unit("a.c".to_owned());
    c
}

/// A constraint that is broken, in a few words of the message.
type Case = (&'static str, fn(&mut Composer) -> Composed<()>);

/// Each is refused where it is made.
const REFUSED: &[Case] = &[
    ("zero-size array", |c| c.array(Type::INT, 0).map(drop)),
    ("too large", |c| c.array(Type::INT, 1 << 62).map(drop)),
    ("too large", |c| {
        let big = c.array(Type::CHAR, 1 << 61)?;
        let fields = ["a", "b", "c", "d"].map(|name| Member::new(name, big));
        c.record(RecordKind::Struct, "s", &fields).map(drop)
    }),
    ("array of voids", |c| c.array(Type::VOID, 2).map(drop)),
    ("array of functions", |c| {
        let ty = c.function_type(Type::INT, &[])?;
        c.array(ty, 2).map(drop)
    }),
    ("function returning an array", |c| {
        let array = c.array(Type::INT, 2)?;
        c.function("f", signature(array, &[]), Linkage::External).map(drop)
    }),
    ("1000 derivations", |c| {
        let mut ty = Type::INT;
        for _ in 0..2_000 {
            ty = c.pointer(ty)?;
        }
        Ok(())
    }),
    ("1000 derivations", |c| {
        let mut ty = Type::INT;
        for _ in 0..2_000 {
            ty = c.array(ty, 1)?;
        }
        Ok(())
    }),
    ("too long to spell", |c| {
        let mut ty = Type::INT;
        for _ in 0..50 {
            let function = c.function_type(ty, &[ty, ty, ty])?;
            ty = c.pointer(function)?;
        }
        Ok(())
    }),
    ("exceeds its type", |c| {
        c.record(RecordKind::Struct, "s", &[Member::bits("a", Type::INT, 33)]).map(drop)
    }),
    ("zero width", |c| c.record(RecordKind::Struct, "s", &[Member::bits("a", Type::INT, 0)]).map(drop)),
    ("invalid type", |c| c.record(RecordKind::Union, "s", &[Member::bits("a", Type::FLOAT, 3)]).map(drop)),
    ("no named members", |c| c.record(RecordKind::Struct, "s", &[Member::padding(Type::INT, 3)]).map(drop)),
    ("duplicate member 'a'", |c| {
        let inner = c.anonymous(RecordKind::Union, &[Member::new("a", Type::INT)])?;
        let fields = [Member::new("a", Type::INT), Member::anonymous(inner)];
        c.record(RecordKind::Struct, "s", &fields).map(drop)
    }),
    ("not at end", |c| {
        let open = c.flexible(Type::INT)?;
        let fields = [Member::new("n", Type::INT), Member::new("a", open), Member::new("b", Type::INT)];
        c.record(RecordKind::Struct, "s", &fields).map(drop)
    }),
    ("in union", |c| {
        let open = c.flexible(Type::INT)?;
        c.record(RecordKind::Union, "s", &[Member::new("n", Type::INT), Member::new("a", open)]).map(drop)
    }),
    ("flexible array member", |c| {
        let open = c.flexible(Type::INT)?;
        let s = c.record(RecordKind::Struct, "s", &[Member::new("n", Type::INT), Member::new("a", open)])?;
        c.array(s, 2).map(drop)
    }),
    ("incomplete type", |c| {
        let s = c.incomplete(RecordKind::Struct, "s");
        c.complete(s, &[Member::new("inner", s)], Shape::default())
    }),
    ("unnamed member", |c| c.record(RecordKind::Struct, "s", &[Member::anonymous(Type::INT)]).map(drop)),
    ("power of 2", |c| {
        let shape = Shape { align: 3, ..Shape::default() };
        c.shaped_record(RecordKind::Struct, "s", &[Member::new("a", Type::INT)], shape).map(drop)
    }),
    ("range of 'int'", |c| c.enumeration("e", &[("A", Some(i128::from(i32::MAX))), ("B", None)]).map(drop)),
    ("no constants", |c| c.enumeration("e", &[]).map(drop)),
    ("isn't known", |c| {
        let s = c.incomplete(RecordKind::Struct, "s");
        c.global("x", s, Linkage::External, None).map(drop)
    }),
    ("isn't known", |c| c.local("x", Type::VOID, None).map(drop)),
    ("no value of the type", |c| c.local("x", Type::UCHAR, Some(&Value::Int(256))).map(drop)),
    ("no value of the type", |c| c.local("x", Type::FLOAT, Some(&Value::Int((1 << 24) + 1))).map(drop)),
    // Infinity has no constant.
    ("no value of the type", |c| c.local("x", Type::FLOAT, Some(&Value::Bits(0x7f80_0000))).map(drop)),
    ("no value of the type", |c| {
        let s = c.record(RecordKind::Struct, "s", &[Member::bits("a", Type::INT, 3)])?;
        c.local("x", s, Some(&Value::List(vec![Value::Int(4)]))).map(drop)
    }),
    ("arithmetic type", |c| {
        let p = c.pointer(Type::INT)?;
        c.local("x", p, Some(&Value::Int(8))).map(drop)
    }),
    ("null", |c| {
        let p = c.pointer(Type::INT)?;
        c.constant(p, &Value::Int(8)).map(drop)
    }),
    ("not constant", |c| {
        let g = c.global("g", Type::INT, Linkage::External, None)?;
        let value = c.lvalue(g);
        c.global("h", Type::INT, Linkage::External, Some(&Value::Expr(value))).map(drop)
    }),
    ("overflow in constant", |c| {
        let (most, one) = (c.int(i128::from(i32::MAX))?, c.int(1)?);
        let sum = c.binary(BinaryOp::Add, most, one)?;
        c.static_local("h", Type::INT, Some(&Value::Expr(sum))).map(drop)
    }),
    ("braces around scalar", |c| c.local("x", Type::INT, Some(&Value::List(vec![Value::Int(1)]))).map(drop)),
    ("no part 2", |c| {
        let pair = c.array(Type::INT, 2)?;
        c.local("x", pair, Some(&Value::List(vec![Value::Zero; 3]))).map(drop)
    }),
    ("excess elements", |c| {
        let s = c.record(RecordKind::Struct, "s", &[Member::new("a", Type::INT)])?;
        c.local("x", s, Some(&Value::List(vec![Value::Zero; 2]))).map(drop)
    }),
    ("that has one", |c| {
        let pair = c.array(Type::INT, 2)?;
        c.local("x", pair, Some(&Value::Parts(vec![(1, Value::Zero), (1, Value::Int(2))]))).map(drop)
    }),
    ("too long", |c| {
        let pair = c.array(Type::CHAR, 2)?;
        let text = c.string("abc");
        c.local("x", pair, Some(&Value::Expr(text))).map(drop)
    }),
    ("flexible array member", |c| {
        let open = c.flexible(Type::INT)?;
        let s = c.record(RecordKind::Struct, "s", &[Member::new("n", Type::INT), Member::new("a", open)])?;
        let value = Value::Parts(vec![(1, Value::List(vec![Value::Int(1)]))]);
        c.global("x", s, Linkage::External, Some(&value)).map(drop)
    }),
    ("duplicate case", |c| {
        let value = c.int(1)?;
        let arm = |values: &[i128]| Arm { values: values.into(), ..Arm::default() };
        c.switch(value, &[arm(&[1, 2]), arm(&[2])]).map(drop)
    }),
    ("multiple default", |c| {
        let value = c.int(1)?;
        let arm = Arm { default: true, ..Arm::default() };
        c.switch(value, &[arm.clone(), arm]).map(drop)
    }),
    ("no value of the type", |c| {
        let value = c.int(1)?;
        c.switch(value, &[Arm { values: vec![1 << 40], ..Arm::default() }]).map(drop)
    }),
    ("switch quantity", |c| {
        let value = c.constant(Type::DOUBLE, &Value::Int(1))?;
        c.switch(value, &[]).map(drop)
    }),
    ("no value of the type", |c| c.counted("i", Type::UCHAR, 0..256, |_, _| Ok(Vec::new())).map(drop)),
    ("scalar is required", |c| {
        let s = c.record(RecordKind::Struct, "s", &[Member::new("a", Type::INT)])?;
        let x = c.global("x", s, Linkage::External, None)?;
        let x = c.lvalue(x);
        c.when(x, &[]).map(drop)
    }),
    ("not a statement", |c| {
        let (_, declared) = c.local("x", Type::INT, None)?;
        let label = c.label("l");
        c.labelled(label, declared).map(drop)
    }),
    ("head of a 'for'", |c| {
        let stmt = c.nothing();
        c.for_loop(Head::Declarations(&[stmt]), None, None, &[]).map(drop)
    }),
    ("no value, in function", |c| {
        let f = c.function("f", signature(Type::INT, &[]), Linkage::External)?;
        c.returns(f, None).map(drop)
    }),
    ("with a value", |c| {
        let f = c.function("f", signature(Type::VOID, &[]), Linkage::External)?;
        let value = c.int(1)?;
        c.returns(f, Some(value)).map(drop)
    }),
    ("not those of its type", |c| {
        let f = c.function("f", signature(Type::INT, &[Type::INT]), Linkage::External)?;
        let x = c.param("x", Type::LONG);
        c.define(f, vec![x], &[])
    }),
    ("redefinition of 'f'", |c| {
        let f = c.function("f", signature(Type::VOID, &[]), Linkage::External)?;
        c.define(f, Vec::new(), &[])?;
        c.define(f, Vec::new(), &[])
    }),
    ("register variable", |c| {
        let (x, _) = c.register("x", Type::INT, None)?;
        let x = c.lvalue(x);
        c.address(x).map(drop)
    }),
    ("bit-field", |c| {
        let s = c.record(RecordKind::Struct, "s", &[Member::bits("a", Type::INT, 3)])?;
        let x = c.global("x", s, Linkage::External, None)?;
        let x = c.lvalue(x);
        let a = c.member(x, "a")?;
        c.address(a).map(drop)
    }),
    ("read-only", |c| {
        let ty = c.qualified(Type::INT, Quals::CONST);
        let x = c.global("x", ty, Linkage::External, None)?;
        let x = c.lvalue(x);
        c.unary(UnaryOp::PreInc, x).map(drop)
    }),
    ("none of cold", |c| {
        let f = c.function("f", signature(Type::INT, &[]), Linkage::External)?;
        c.declare_function(f);
        c.attribute(Entity::Function(f), "pure")
    }),
    ("at a declaration", |c| {
        let f = c.function("f", signature(Type::INT, &[]), Linkage::External)?;
        c.attribute(Entity::Function(f), "noinline")
    }),
];

#[test]
fn what_breaks_a_constraint_is_refused_where_it_is_made() {
    for (at, (words, make)) in REFUSED.iter().enumerate() {
        let why = make(&mut composer()).expect_err(words);
        assert!(why.message.contains(words), "{at}: {words}: {}", why.message);
    }
}

/// What a record was before a refusal it is after.
#[test]
fn a_refused_record_can_be_made_again() {
    let mut c = composer();
    let s = c.incomplete(RecordKind::Struct, "s");
    let to = c.pointer(s).unwrap();
    let twice = [Member::new("a", to), Member::new("a", to)];
    assert!(c.complete(s, &twice, Shape::default()).is_err());
    c.complete(s, &twice[..1], Shape::default()).unwrap();
    assert!(c.complete(s, &twice[..1], Shape::default()).is_err());
    assert_eq!(c.members(s), [(Some("a"), to, None)]);
    let text = unit(&c.finish().unwrap(), 0, &PrintOptions::default());
    assert!(text.contains("struct s;") && text.contains("struct s *a;"), "{text}");
}

fn main_with(c: &mut Composer, body: impl FnOnce(&mut Composer, FuncId) -> Composed<Vec<StmtId>>) {
    let main = c.function("main", signature(Type::VOID, &[]), Linkage::External).unwrap();
    let body = body(c, main).unwrap();
    c.define(main, Vec::new(), &body).unwrap();
}

/// What only the whole shows is found at the end, by the rule's name.
#[test]
fn what_the_whole_breaks_is_found_at_the_end() {
    type Case = (&'static str, fn(&mut Composer));
    let cases: [Case; 13] = [
        ("S-jump", |c| main_with(c, |c, _| Ok(vec![c.breaks()]))),
        ("S-jump", |c| main_with(c, |c, _| Ok(vec![c.continues()]))),
        ("S-label", |c| {
            main_with(c, |c, _| {
                let label = c.label("l");
                Ok(vec![c.goto(label)])
            })
        }),
        ("S-once", |c| {
            main_with(c, |c, _| {
                let twice = c.nothing();
                Ok(vec![twice, twice])
            })
        }),
        ("N-reach", |c| {
            main_with(c, |c, _| {
                let (x, _) = c.local("x", Type::INT, None)?;
                let x = c.lvalue(x);
                Ok(vec![c.expr(x)?])
            })
        }),
        ("N-declare", |c| {
            main_with(c, |c, _| {
                let f = c.function("f", signature(Type::VOID, &[]), Linkage::External)?;
                Ok(vec![c.call(f, &[])?])
            })
        }),
        ("D-name", |c| drop(c.global("while", Type::INT, Linkage::External, None))),
        ("D-name", |c| drop(c.global("a b", Type::INT, Linkage::External, None))),
        ("N-once", |c| {
            c.global("x", Type::INT, Linkage::External, None).unwrap();
            c.global("x", Type::INT, Linkage::Internal, None).unwrap();
        }),
        ("N-once", |c| {
            c.global("x", Type::INT, Linkage::External, Some(&Value::Int(1))).unwrap();
            c.global("x", Type::INT, Linkage::External, Some(&Value::Int(1))).unwrap();
        }),
        ("N-once", |c| {
            c.enumeration("e", &[("x", None)]).unwrap();
            c.enumeration("f", &[("x", None)]).unwrap();
        }),
        ("N-once", |c| {
            for _ in 0..2 {
                let f = c.function("f", signature(Type::VOID, &[]), Linkage::External).unwrap();
                c.define(f, Vec::new(), &[]).unwrap();
            }
        }),
        ("D-tag", |c| {
            c.record(RecordKind::Struct, "s", &[Member::new("a", Type::INT)]).unwrap();
            c.record(RecordKind::Union, "s", &[Member::new("a", Type::INT)]).unwrap();
        }),
    ];
    for (rule, make) in cases {
        let mut c = composer();
        make(&mut c);
        let faults = c.finish().err().unwrap_or_default();
        assert!(faults.iter().any(|fault| fault.rule == rule), "{rule}: {faults:?}");
    }
}

/// Structs that hold structs, deeper than any stack.
#[test]
fn no_depth_is_too_much() {
    let mut c = composer();
    let mut ty = Type::INT;
    for at in 0..4_000 {
        ty = c.record(RecordKind::Struct, &format!("s{at}"), &[Member::new("a", ty)]).unwrap();
    }
    c.global("x", ty, Linkage::External, Some(&Value::Zero)).unwrap();
    assert!(c.finish().is_ok());
}

/// C89 has no declarations in the head of a `for`, nor after statements.
#[test]
fn the_old_language_is_kept_to() {
    let mut c = Composer::new(Target { std: Std::parse("c89").unwrap(), ..Target::X86_64_GCC });
    c.unit("a.c".to_owned());
    main_with(&mut c, |c, _| Ok(vec![c.counted("i", Type::INT, 0..3, |_, _| Ok(Vec::new()))?]));
    assert!(c.anonymous(RecordKind::Struct, &[Member::new("a", Type::INT)]).is_err());
    let text = unit(&c.finish().unwrap(), 0, &PrintOptions::default());
    assert!(text.contains("int i = 0;") && text.contains("for (; i < 3; i++)"), "{text}");
    let mut c = Composer::new(Target { std: Std::parse("c89").unwrap(), ..Target::X86_64_GCC });
    c.unit("a.c".to_owned());
    main_with(&mut c, |c, _| {
        let first = c.nothing();
        let (_, second) = c.local("x", Type::INT, None)?;
        Ok(vec![first, second])
    });
    assert!(c.finish().is_err_and(|faults| faults[0].rule == "S-declare"));
}
