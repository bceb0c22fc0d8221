//! The pattern of a test: what its expressions do with which types, without values, names and order. Two failures of one
//! pattern are taken for one bug (after the paper's #pat, which has every operator where it stands, and so takes one bug for
//! many).

use crate::scalar::{Rules, Ty, is_comparison};
use crate::test::{Node, NodeId, Op, Test};
use howler_lang::arith::Num;
use howler_lang::program::{BinaryOp, UnaryOp};
use std::collections::BTreeSet;

/// What the expressions that are left in a test do: each kind of operation with the type it is done in, and each conversion
/// between types that differ in size, sign or kind.
///
/// ```
/// use howler_choices::Choices;
/// use howler_lang::target::Target;
/// use howler_orange::{Features, Options, generate, pattern};
///
/// let options = Options { operations: (1, 1), features: Features::NONE, ..Options::default() };
/// let test = generate(&options, Target::X86_64_GCC, &mut Choices::new(9));
/// // `unsigned = (long long <= unsigned)`
/// assert_eq!(pattern(&test), "i32 to u32, i64 compared, u32 to i64");
/// ```
pub fn pattern(test: &Test) -> String {
    let mut parts = Parts { rules: Rules::new(test.target), all: BTreeSet::new() };
    for index in test.expressions() {
        let statement = &test.statements[index];
        let target = test.vars[statement.target].ty;
        let root = test.nodes[statement.root].ty;
        match statement.op {
            Some(op) => parts.assigned(op, target, root),
            None => parts.converted(root, target),
        }
        for id in test.subtree(statement.root) {
            parts.node(test, &test.nodes[id]);
        }
    }
    parts.all.into_iter().collect::<Vec<String>>().join(", ")
}

struct Parts {
    rules: Rules,
    all: BTreeSet<String>,
}

impl Parts {
    fn node(&mut self, test: &Test, node: &Node) {
        let kid = |at: usize| node.kids[at].map(|id: NodeId| test.nodes[id].ty);
        match node.op {
            Op::Var(_) | Op::Const => {}
            Op::Unary(op) => {
                if let Some(from) = kid(0) {
                    let done_in = if op == UnaryOp::Not { from } else { node.ty };
                    self.converted(from, done_in);
                    self.done(unary(op), done_in);
                }
            }
            Op::Binary(op) => {
                if let (Some(left), Some(right)) = (kid(0), kid(1)) {
                    self.binary(op, left, right);
                }
            }
            Op::Cond => {
                self.all.insert("?:".to_owned());
                for from in [kid(1), kid(2)].into_iter().flatten() {
                    self.converted(from, node.ty);
                }
            }
            Op::Cast => {
                if let Some(from) = kid(0) {
                    self.converted(from, node.ty);
                }
            }
            Op::Comma => {
                self.all.insert("comma".to_owned());
            }
            Op::Assign(op, var) => {
                let Some(from) = kid(0) else { return };
                let to = test.vars[var].ty;
                self.done("assigned inside", to);
                match op {
                    Some(op) => self.assigned(op, to, from),
                    None => self.converted(from, to),
                }
            }
            Op::Step(_, var) => self.done("stepped", test.vars[var].ty),
        }
    }

    /// `to op= from`
    fn assigned(&mut self, op: BinaryOp, to: Ty, from: Ty) {
        self.binary(op, to, from);
        let result = self.rules.binary(op, to, from).result;
        self.converted(result, to);
    }

    fn binary(&mut self, op: BinaryOp, left: Ty, right: Ty) {
        let typing = self.rules.binary(op, left, right);
        self.converted(left, typing.left);
        self.converted(right, typing.right);
        self.done(binary(op, typing.left), typing.left);
    }

    fn done(&mut self, what: &str, ty: Ty) {
        let ty = self.name(ty);
        self.all.insert(format!("{ty} {what}"));
    }

    fn converted(&mut self, from: Ty, to: Ty) {
        let (from, to) = (self.name(from), self.name(to));
        if from != to {
            self.all.insert(format!("{from} to {to}"));
        }
    }

    /// What types have in common that machines do not tell apart: `long` and `long long` are one.
    fn name(&self, ty: Ty) -> String {
        let sign = |signed: bool| if signed { 'i' } else { 'u' };
        match (ty.as_field(), self.rules.num(ty)) {
            (Some((_, signed)), _) => format!("{}-field", sign(signed)),
            (None, Num::Int { width, signed }) => format!("{}{width}", sign(signed)),
            (None, Num::Bool) => "bool".to_owned(),
            (None, _) => ty.name(),
        }
    }
}

/// A kind of operation: compilers treat those of one kind alike.
fn binary(op: BinaryOp, ty: Ty) -> &'static str {
    match op {
        BinaryOp::Div | BinaryOp::Rem if !ty.is_float() => "divided",
        BinaryOp::Shl => "shifted left",
        BinaryOp::Shr => "shifted right",
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => "bitwise",
        BinaryOp::And | BinaryOp::Or => "tested",
        _ if is_comparison(op) => "compared",
        _ => "computed",
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "negated",
        UnaryOp::BitNot => "inverted",
        UnaryOp::Not => "tested",
        _ => "kept",
    }
}
