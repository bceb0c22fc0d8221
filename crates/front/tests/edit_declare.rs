//! Edits that declare something at file scope (`Edit::Declare`): objects, functions, types; what they are written as, what
//! is refused, and what may be left out.

mod edited;

use edited::{read, returns, texts};
use howler_lang::compose::{Member, Shape, Value, signature};
use howler_lang::dump;
use howler_lang::edit::{Edit, Edited, ItemPlace, Operand, Place, Ref, Refused};
use howler_lang::id::Id;
use howler_lang::program::{BinaryOp, Entity, FuncId, Linkage, ObjId, Program, StmtKind};
use howler_lang::scope::{Named, Tagged};
use howler_lang::ty::{RecordKind, Type};
use howler_lang::verify;
use howler_testkit::{Scratch, run, tool};

/// As every edited program, and compilers take it.
fn check(seed: &Program, edited: &Edited) {
    edited::check(seed, edited);
    let scratch = Scratch::new();
    for compiler in ["gcc-12", "clang-16"].into_iter().filter_map(tool) {
        for text in texts(edited.program()) {
            let file = scratch.write("declared.c", &text);
            let args = ["-w", "-std=gnu17", "-fsyntax-only", file.to_str().unwrap()];
            let output = run(&compiler, args, &howler_testkit::Options::default());
            assert!(output.success(), "{text}\n{}", output.stderr_text());
        }
    }
}

fn object(edited: &Edited, unit: u32, name: &str) -> ObjId {
    match edited.named(unit, name) {
        Some(Named::Object(object)) => object,
        other => panic!("{name} is {other:?}"),
    }
}

fn function(edited: &Edited, unit: u32, name: &str) -> FuncId {
    match edited.named(unit, name) {
        Some(Named::Function(func)) => func,
        other => panic!("{name} is {other:?}"),
    }
}

/// `static int g = 3;`, or something else of that kind.
fn global(edited: &mut Edited, place: ItemPlace, name: &str, linkage: Linkage) -> Result<(), Refused> {
    let unit = match place {
        ItemPlace::Start(unit) | ItemPlace::End(unit) => unit,
        ItemPlace::Before(_) | ItemPlace::After(_) => 0,
    };
    let code =
        edited.items(unit, |c| c.global(name, Type::INT, linkage, Some(&Value::Int(3))).map(|_| ()))?;
    edited.apply(Edit::Declare { place, code })
}

#[test]
fn what_one_edit_declares_others_use() {
    let seed = read(&["int f(int x) { if (x) return 1; return 2; }"]);
    let mut edited = Edited::new(seed.clone());
    let first = returns(&seed)[0];
    let place = edited.before_function_of(first).unwrap();
    let (tag, value, name) = (edited.fresh("s"), edited.fresh("v"), edited.fresh("help"));
    assert_eq!((tag.as_str(), value.as_str(), name.as_str()), ("s_1", "v_1", "help_1"));
    // A type; an object of it; a function that calls itself and works on that; a call in the program.
    let code = edited.items(0, |c| {
        let ty = c.incomplete(RecordKind::Struct, &tag);
        let next = c.pointer(ty)?;
        let members =
            [Member::new("next", next), Member::bits("b", Type::UINT, 7), Member::new("c", Type::CHAR)];
        c.complete(ty, &members, Shape { packed: true, ..Shape::default() })
    });
    edited.apply(Edit::Declare { place, code: code.unwrap() }).unwrap();
    let Some(Tagged::Record(record)) = edited.tagged(0, &tag) else { panic!("it was just declared") };
    assert!(record.index() >= seed.types.records.len());
    let code = edited.items(0, |c| {
        let ty = c.tagged(0, &tag).unwrap();
        let init = Value::Parts(vec![(2, Value::Int(65)), (1, Value::Int(100))]);
        let object = c.global(&value, ty, Linkage::Internal, Some(&init))?;
        c.align(object, 64)
    });
    edited.apply(Edit::Declare { place, code: code.unwrap() }).unwrap();
    let v = object(&edited, 0, &value);
    let code = edited.items(0, |c| {
        let func = c.function(&name, signature(Type::SHORT, &[Type::INT]), Linkage::Internal)?;
        c.declare_function(func);
        let n = c.param("n", Type::INT);
        let (left, one) = (c.lvalue(n), c.int(1)?);
        let less = c.binary(BinaryOp::Sub, left, one)?;
        let again = c.call_of(func, &[less])?;
        let base = c.lvalue(v);
        let member = c.member(base, "b")?;
        let sum = c.binary(BinaryOp::Add, again, member)?;
        let (cond, zero) = (c.lvalue(n), c.int(0)?);
        let cond = c.binary(BinaryOp::Gt, cond, zero)?;
        let (then, zero) = (c.returns(func, Some(sum))?, c.int(0)?);
        let body = [c.when(cond, &[then])?, c.returns(func, Some(zero))?];
        c.define(func, vec![n], &body)?;
        c.attribute(Entity::Function(func), "noinline")
    });
    edited.apply(Edit::Declare { place, code: code.unwrap() }).unwrap();
    let help = function(&edited, 0, &name);
    let code = edited.expression(|c| {
        let three = c.int(3)?;
        c.call_of(help, &[three])
    });
    let StmtKind::Return(Some(at)) = seed.stmts[first].kind else { panic!("returns return") };
    let at = edited.expr(at);
    edited.apply(Edit::Replace { at, with: Operand::Code(code.unwrap()) }).unwrap();
    let text = texts(edited.program()).remove(0);
    for wanted in [
        "return help_1(3);",
        "static __attribute__((noinline)) short help_1(int n)",
        "return help_1(n - 1) + v_1.b;",
    ] {
        assert!(text.contains(wanted), "{text}");
    }
    check(&seed, &edited);
    // Whoever needs what is left out is left out.
    let edits = edited.edits();
    assert_eq!(edits.iter().map(Edit::needs).collect::<Vec<_>>(), [vec![], vec![0], vec![1], vec![2]]);
    for out in 0..4 {
        let (some, made) = Edited::replay(seed.clone(), edits, |index| index != out);
        assert_eq!(made, (0..4).map(|index| index < out).collect::<Vec<_>>());
        check(&seed, &Edited::replay(seed.clone(), &edits[..out], |_| true).0);
        assert_eq!(verify::program(some.program()), []);
    }
    // What was declared can be taken away again, when nothing needs it.
    let mut other = Edited::replay(seed.clone(), &edits[..2], |_| true).0;
    let items: Vec<_> =
        other.program().units[0].items.iter().map(|&item| other.item(item).unwrap()).collect();
    assert!(other.apply(Edit::RemoveItem(items[1])).is_err(), "the object has the type");
    other.apply(Edit::RemoveItem(items[2])).unwrap();
    other.apply(Edit::RemoveItem(items[0])).unwrap();
    other.apply(Edit::RemoveItem(items[1])).unwrap();
    check(&seed, &other);
}

#[test]
fn enumerations_are_declared_and_their_constants_used() {
    let seed = read(&["enum old { A, B }; int f(void) { return B; }"]);
    let mut edited = Edited::new(seed.clone());
    let code = edited.items(0, |c| {
        let (ty, constants) = c.packed_enumeration("new", &[("C", None), ("D", Some(-7)), ("E", None)])?;
        let value = Value::Expr(c.enumerator(constants[1]));
        let old = c.tagged(0, "old").unwrap();
        c.global("d", ty, Linkage::External, Some(&value))?;
        c.global("o", old, Linkage::External, Some(&Value::Int(1))).map(|_| ())
    });
    edited.apply(Edit::Declare { place: ItemPlace::End(0), code: code.unwrap() }).unwrap();
    let Some(Named::Enumerator(last)) = edited.named(0, "E") else { panic!("it was just declared") };
    let code = edited.expression(|c| Ok(c.enumerator(last))).unwrap();
    assert!(code.to_string().ends_with("enum:0.k2"), "{code}");
    let StmtKind::Return(Some(at)) = seed.stmts[returns(&seed)[0]].kind else { panic!("returns return") };
    let at = edited.expr(at);
    let early = edited.apply(Edit::Replace { at, with: Operand::Code(code.clone()) });
    assert!(early.is_err(), "it is declared behind the function");
    let (mut again, _) = Edited::replay(seed.clone(), &[], |_| true);
    let Edit::Declare { code: items, .. } = edited.edits()[0].clone() else { panic!("it is one") };
    let after = again.item(seed.units[0].items[0]).unwrap();
    again.apply(Edit::Declare { place: ItemPlace::After(after), code: items }).unwrap();
    again.apply(Edit::Replace { at, with: Operand::Code(code) }).unwrap();
    check(&seed, &again);
}

#[test]
fn names_that_somebody_has_are_refused() {
    let first = "int a = 1; static int b; extern int c; int d(void); static int e(void) { extern int g; return g; } \
                 int f(int x) { int k = __builtin_abs(x); return k + e() + b; } enum { i }; struct s { int m; } j;";
    let seed = read(&[first, "int z; extern int shared; static int own; int func(void) { return own; }"]);
    let mut edited = Edited::new(seed.clone());
    for name in ["a", "b", "c", "d", "e", "f", "g", "i", "j", "z", "func", "puts", "abort", "main"] {
        for linkage in [Linkage::Internal, Linkage::External] {
            for place in [ItemPlace::Start(0), ItemPlace::End(0)] {
                // What has internal linkage is of one unit.
                if linkage == Linkage::Internal && ["z", "func"].contains(&name) {
                    continue;
                }
                let done = global(&mut edited, place, name, linkage);
                assert!(done.is_err(), "{name}");
            }
        }
    }
    assert_eq!(dump::program(edited.program()), dump::program(&seed));
    // Other scopes and other units have names of their own.
    for (name, linkage, unit) in [
        ("x", Linkage::External, 0),
        ("m", Linkage::External, 0),
        ("shared", Linkage::External, 0),
        ("own", Linkage::External, 0),
        ("b", Linkage::External, 1),
        ("k", Linkage::Internal, 0),
        ("func", Linkage::Internal, 0),
    ] {
        let mut edited = Edited::new(seed.clone());
        global(&mut edited, ItemPlace::Start(unit), name, linkage)
            .unwrap_or_else(|why| panic!("{name}: {why}"));
        check(&seed, &edited);
    }
}

#[test]
fn a_function_that_its_use_declares_has_its_name() {
    let seed = read(&["int f(int x) { return h(x); }"]);
    let mut edited = Edited::new(seed.clone());
    for place in [ItemPlace::Start(0), ItemPlace::End(0)] {
        assert!(global(&mut edited, place, "h", Linkage::External).is_err());
        let code = edited.items(0, |c| {
            let h = c.function("h", signature(Type::INT, &[Type::INT]), Linkage::External)?;
            c.declare_function(h);
            Ok(())
        });
        assert!(edited.apply(Edit::Declare { place, code: code.unwrap() }).is_err());
    }
}

#[test]
fn units_agree_about_what_they_share() {
    let seed = read(&[
        "struct s { int a; }; struct s v; int f(struct s x) { return x.a; }",
        "int g(void) { return 1; }",
    ]);
    let mut edited = Edited::new(seed.clone());
    // The other unit needs the type, too.
    let code = edited.items(1, |c| {
        let ty = c.record(RecordKind::Struct, "s", &[Member::new("a", Type::INT)])?;
        let v = c.external("v", ty)?;
        let f = c.function("f", signature(Type::INT, &[ty]), Linkage::External)?;
        c.declare_function(f);
        let call = c.function("call", signature(Type::INT, &[]), Linkage::External)?;
        let value = c.lvalue(v);
        let result = c.call_of(f, &[value])?;
        let body = [c.returns(call, Some(result))?];
        c.define(call, Vec::new(), &body)
    });
    edited.apply(Edit::Declare { place: ItemPlace::End(1), code: code.unwrap() }).unwrap();
    check(&seed, &edited);
    let wrong: [fn(&mut howler_lang::compose::Composer) -> howler_lang::compose::Composed<()>; 4] = [
        |c| c.external("v", Type::INT).map(|_| ()),
        |c| c.external("f", Type::INT).map(|_| ()),
        |c| c.global("v", Type::INT, Linkage::External, None).map(|_| ()),
        |c| {
            let f = c.function("f", signature(Type::INT, &[Type::INT]), Linkage::External)?;
            c.declare_function(f);
            Ok(())
        },
    ];
    for declare in wrong {
        let mut edited = Edited::new(seed.clone());
        let code = edited.items(1, declare).unwrap();
        assert!(edited.apply(Edit::Declare { place: ItemPlace::Start(1), code }).is_err());
    }
}

#[test]
fn what_is_there_is_declared_again_and_stays_what_it_is() {
    let seed = read(&[
        "int f(void) { return 1; } static int g(int x) { return x; } int o = 4; int h(void) { return g(o); }",
    ]);
    let mut edited = Edited::new(seed.clone());
    let (g, o) = (function(&edited, 0, "g"), object(&edited, 0, "o"));
    let code = edited.items(0, |c| {
        c.declare_function(g);
        c.declare_object(o);
        Ok(())
    });
    edited.apply(Edit::Declare { place: ItemPlace::Start(0), code: code.unwrap() }).unwrap();
    let code = edited.expression(|c| {
        let o = c.lvalue(o);
        c.call_of(g, &[o])
    });
    let StmtKind::Return(Some(at)) = seed.stmts[returns(&seed)[0]].kind else { panic!("returns return") };
    let at = edited.expr(at);
    edited.apply(Edit::Replace { at, with: Operand::Code(code.unwrap()) }).unwrap();
    assert!(
        texts(edited.program())[0].starts_with("static int g(int);\nextern int o;\n"),
        "{:?}",
        texts(edited.program())
    );
    check(&seed, &edited);
    // Beside a program nothing of it changes.
    let before = edited.program().funcs[g].clone();
    for change in [0, 1, 2, 3] {
        let code = edited.items(0, |c| {
            c.declare_function(g);
            c.declare_object(o);
            match change {
                0 => c.attribute(Entity::Function(g), "noinline"),
                1 => c.align(o, 32),
                2 => c.define(g, Vec::new(), &[]),
                _ => {
                    c.make_inline(g);
                    Ok(())
                }
            }
        });
        assert_eq!(code.is_err(), change < 3);
        assert_eq!(format!("{before:?}"), format!("{:?}", edited.program().funcs[g]));
        assert_eq!(edited.program().objects[o].align, 0);
    }
}

#[test]
fn what_attributes_say_of_a_function_stays_when_it_is_declared_again() {
    let seed = read(&["void stop(void) __attribute__((noreturn)); int f(void) { stop(); }"]);
    let mut edited = Edited::new(seed.clone());
    let stop = function(&edited, 0, "stop");
    let code = edited.items(0, |c| {
        c.declare_function(stop);
        Ok(())
    });
    edited.apply(Edit::Declare { place: ItemPlace::End(0), code: code.unwrap() }).unwrap();
    assert!(edited.program().funcs[stop].noreturn);
    check(&seed, &edited);
}

#[test]
fn an_object_of_a_header_stands_before_or_behind_it() {
    let mut seed = read(&["int f(int x) { return x; }"]);
    let name = seed.symbols.intern("stdio.h");
    seed.units[0]
        .items
        .splice(0..0, [howler_lang::program::Item::Include(name), howler_lang::program::Item::IncludeEnd]);
    let mut edited = Edited::new(seed);
    global(&mut edited, ItemPlace::Start(0), "a", Linkage::Internal).unwrap();
    let (mut inside, code) = (Edited::new(edited.program().clone()), edited.edits()[0].clone());
    let Edit::Declare { code, .. } = code else { panic!("it is one") };
    assert_eq!(texts(edited.program())[0].lines().nth(1), Some("#include <stdio.h>"));
    // Between the line and its end there is nothing to stand after here, but a program may say so by number.
    let done = howler_lang::edit::attempt(&mut inside.into_program(), |change| {
        change.declare(0, 2, &[]).and_then(|()| {
            let item = change.program().units[0].items[0];
            change.remove_item(0, 0)?;
            change.declare(0, 1, &[item])
        })
    });
    assert!(done.is_err(), "{code}");
    inside = Edited::new(edited.into_program());
    global(&mut inside, ItemPlace::End(0), "b", Linkage::External).unwrap();
}

#[test]
fn hostile_declarations_are_refused() {
    let seed = read(&["int f(int x) { return x; }"]);
    for text in [
        "remove-item t0",
        "declare start 7 global:a:int:none:0",
        "declare end 4294967295 global:a:int:none:0",
        "declare before d9 global:a:int:none:0",
        "declare after n0 global:a:int:none:0",
        "declare start 0 empty",
        "declare start 0 int:3:d:int",
        "declare start 0 declare:a:int:none:0",
        "declare start 0 global:f:int:none:0",
        "declare start 0 global:main:int:none:0",
        "declare start 0 global:puts:int:none:0",
        "declare start 0 global:_Bad:int:none:0",
        "declare start 0 global:int:int:none:0",
        "declare start 0 global:linux:int:none:0",
        "declare start 0 global:a:void:none:0",
        "declare start 0 global:a:f()int:none:0",
        "declare start 0 global:a:f()int:extern:0",
        "declare start 0 global:a:[]int:none:0",
        "declare start 0 int:3:d:int global:a:int:extern:1",
        "declare start 0 global:a:int:register:0",
        "declare start 0 obj:o0 global:a:int:none:1",
        "declare start 0 global:a:int:none:0 global:a:int:none:0",
        "declare start 0 global:a:int:static:0 global:a:int:none:0",
        "declare start 0 again:o0",
        "declare start 0 again:o9",
        "declare start 0 attribute:noinline",
        "declare start 0 global:a:int:none:0 attribute:packed",
        "declare start 0 global:a:int:none:0 align:3",
        "declare start 0 global:a:int:none:0 again:@0 align:8",
        "declare start 0 prototype:f9",
        "declare start 0 prototype:f0 attribute:noinline",
        "declare start 0 function:g:int:0:0",
        "declare start 0 function:g:f(?)int:0:0 prototype:@0",
        "declare start 0 function:g:f()int:0:1 prototype:@0",
        "declare start 0 function:g:f(int)int:0:0 define:@0:0",
        "declare start 0 function:g:f(int)int:0:0 param:a:long define:@0:0",
        "declare start 0 function:g:f()int:0:0 param:a:long define:@0:0",
        "declare start 0 function:g:f()int:0:0 break define:@0:1",
        "declare start 0 function:g:f()int:0:0 define:@0:0 define:@0:0",
        "declare start 0 function:g:f()int:0:0 define:@0:1",
        "declare start 0 function:puts:f(*const.char)int:0:0 define:@0:0",
        "declare start 0 function:puts:f()int:0:0 prototype:@0",
        "declare start 0 function:g:f()int:1:0 prototype:@0",
        "declare start 0 param:a:int",
        "declare start 0 function:g:f()int:0:0 int:3:d:int returnv define:@0:1 define:@0:1",
        "declare start 0 field:a:int:-:0:0",
        "declare start 0 record:0:s fields:@0:0:0:0",
        "declare start 0 record:0:s field:a:record#@0:-:0:0 fields:@0:0:0:0",
        "declare start 0 record:0:s field:a:int:33:0:0 fields:@0:0:0:0",
        "declare start 0 record:0:s field:a:int:-:3:0 fields:@0:0:0:0",
        "declare start 0 record:0:s field:a:int:-:0:0 field:a:int:-:0:0 fields:@0:0:0:0",
        "declare start 0 record:0:s field:a:int:-:0:0 fields:@0:0:0:0 fields:@0:0:0:0",
        "declare start 0 record:0:- field:a:int:-:0:0 fields:@0:0:0:0 global:v:record#@0:none:0",
        "declare start 0 record:0:- field:a:int:-:0:0 fields:@0:0:0:0 record:0:s field:-:record#@0:-:0:0 field:-:record#@0:-:0:0 fields:@1:0:0:0",
        "declare start 0 record:0:s global:v:*record#@0:none:0",
        "declare start 0 record:0:s tag:@0 global:v:record#@0:none:0",
        "declare start 0 record:0:s tag:@0 record:1:s tag:@1",
        "declare start 0 constant:A:0",
        "declare start 0 enumeration:e:0",
        "declare start 0 constant:A:2147483648 enumeration:e:0",
        "declare start 0 constant:f:1 enumeration:e:0",
        "declare start 0 constant:A:1 constant:A:2 enumeration:e:0",
        "declare start 0 enum:@0 global:a:int:none:1",
        "declare start 0 int:1:d:int list:0 global:a:int:none:1",
        "declare start 0 int:1:d:int list:3 global:a:[3]int:none:1",
        "declare start 0 int:1:d:int int:2:d:int list:1:1 global:a:[3]int:none:1",
        "declare start 0 int:1:d:int list:0:1 global:a:[3]int:none:1",
        "insert before s1 int:1:d:int list:0",
        "insert before s1 int:1:d:int list:0 eval",
        "insert before s1 int:1:d:int list:0 literal:[1]int",
        "insert before s1 global:a:int:none:0",
        "insert before s1 prototype:f0",
    ] {
        let edit: Edit = text.parse().unwrap_or_else(|said| panic!("{said}"));
        assert_eq!(edit.to_string(), text);
        let mut edited = Edited::new(seed.clone());
        assert!(edited.apply(edit).is_err(), "{text}:\n{}", texts(edited.program())[0]);
        assert_eq!(dump::program(edited.program()), dump::program(&seed), "{text}");
    }
}

#[test]
fn a_statement_may_be_put_where_a_new_object_is_known() {
    let seed = read(&["int f(int x) { return x; }"]);
    let mut edited = Edited::new(seed.clone());
    global(&mut edited, ItemPlace::Start(0), "g", Linkage::Internal).unwrap();
    let g = object(&edited, 0, "g");
    assert_eq!(edited.object(g), Ref::Made { edit: 0, number: 0 });
    let code = edited.statements(|c| {
        let (g, one) = (c.lvalue(g), c.int(1)?);
        let set = c.assign(g, one)?;
        Ok(vec![c.expr(set)?])
    });
    let place = Place::Before(edited.stmt(returns(&seed)[0]));
    edited.apply(Edit::Insert { place, code: code.unwrap() }).unwrap();
    assert_eq!(edited.edits()[1].needs(), [0]);
    check(&seed, &edited);
}
