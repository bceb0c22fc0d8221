//! The dump shows what differs and hides what does not count.

mod made;

use howler_lang::dump;
use howler_lang::program::{BinaryOp, Conv, ExprKind, FloatLit, StmtKind};
use howler_lang::ty::Type;
use made::Made;

/// `int f(int x, int y) { return first + second; }`, the operands chosen by the caller.
fn sum(names: [&str; 2], first: usize, second: usize) -> String {
    let mut m = Made::new();
    let params = names.map(|name| m.object(name, Type::INT));
    let (a, b) = (m.load(params[first]), m.load(params[second]));
    let sum = m.binary(BinaryOp::Add, a, b);
    let ret = m.stmt(StmtKind::Return(Some(sum)));
    let body = m.block(&[ret]);
    m.function("f", Type::INT, &params, body);
    dump::program(&m.p)
}

#[test]
fn the_text_is_this() {
    let expected = r#"(program
  (target X86_64 Gcc gnu17 char_signed=true)
  (unit
    (decl f#1 (fn int (int int)) None body
      (block
        (return (Add int (convert Load int (object x#1 int)) (convert Load int (object y#2 int)))))))
  (object x#1 int None Automatic unit=0 defined)
  (object y#2 int None Automatic unit=0 defined)
  (function f#1 (fn int (int int)) External unit=0 external_decl body (x#1 y#2)))
"#;
    assert_eq!(sum(["x", "y"], 0, 1), expected);
}

#[test]
fn objects_of_one_name_are_told_apart() {
    assert_ne!(sum(["x", "x"], 0, 1), sum(["x", "x"], 0, 0));
    assert_ne!(sum(["x", "x"], 0, 1), sum(["x", "x"], 1, 0));
}

#[test]
fn spellings_of_floats_are_hidden_and_conversions_are_not() {
    let make = |spelling: &str, implicit: bool| {
        let mut m = Made::new();
        let spelling = Some(m.sym(spelling));
        let float = m.p.floats.push(FloatLit { bits: u128::from(1.5f64.to_bits()), spelling });
        let float = m.expr(ExprKind::Float(float), Type::DOUBLE);
        let kind = if implicit { ExprKind::Convert } else { ExprKind::Cast };
        let value = m.expr(kind(Conv::FloatToInt, float), Type::INT);
        let decl = m.global("x", Type::INT);
        m.p.decls[decl].init = Some(m.init(value));
        dump::program(&m.p)
    };
    assert_eq!(make("1.5", true), make("15e-1", true));
    assert_ne!(make("1.5", true), make("1.5", false));
}
