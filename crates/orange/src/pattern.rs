//! The pattern of a test: what its expressions do with which types, without values, names and order. Two failures of one
//! pattern are taken for one bug (after the paper's #pat, which has every operator where it stands, and so takes one bug for
//! many).

use crate::test::{Node, NodeId, Op, Test};
use howler_lang::arith::Num;
use howler_lang::program::{BinaryOp, UnaryOp};
use howler_lang::scalar::{Rules, Ty, is_comparison};
use std::collections::BTreeSet;

/// What the expressions that are left in a test do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pattern {
    /// The conversions between types that differ in size, sign or kind, the most telling first: `u32 to i64`.
    pub conversions: BTreeSet<(Telling, String)>,
    /// The kinds of operations, with the type they are done in: `i64 compared`.
    pub operations: BTreeSet<String>,
}

impl Pattern {
    /// All of it.
    pub fn text(&self) -> String {
        let conversions = self.conversions.iter().map(|(_, text)| text);
        conversions.chain(&self.operations).map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// The most telling conversion if there is any: what is wrong in the code for one does not depend on what is done with
    /// the result, nor on where its operand came from. Plain compilers have few ways to be wrong, each seen in many forms.
    pub fn gist(&self) -> String {
        self.conversions.first().map_or_else(|| self.text(), |(_, text)| text.clone())
    }
}

/// How likely a conversion is what a compiler gets wrong, if there are others beside it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Telling {
    /// Between floating types.
    Floats,
    /// From a floating type to an integer.
    FloatToInt,
    /// From a signed integer to an unsigned one, or the other way.
    Sign,
    /// To or from a bit-field or `_Bool`.
    Field,
    /// From an integer to a floating type.
    IntToFloat,
    /// Between integers of one sign.
    Size,
}

/// The pattern of a test.
///
/// ```
/// use howler_choices::Choices;
/// use howler_lang::target::Target;
/// use howler_orange::{Features, Options, generate, pattern};
///
/// let options = Options { operations: (1, 1), features: Features::NONE, ..Options::default() };
/// let test = generate(&options, Target::X86_64_GCC, &mut Choices::new(9));
/// // `unsigned = (long long <= unsigned)`
/// assert_eq!(pattern(&test).text(), "i32 to u32, u32 to i64, i64 compared");
/// assert_eq!(pattern(&test).gist(), "i32 to u32");
/// ```
pub fn pattern(test: &Test) -> Pattern {
    parts(test).pattern
}

/// How many conversions a test has.
pub(crate) fn conversions(test: &Test) -> usize {
    parts(test).conversions
}

fn parts(test: &Test) -> Parts {
    let mut parts = Parts { rules: Rules::new(test.target), pattern: Pattern::default(), conversions: 0 };
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
    parts
}

struct Parts {
    rules: Rules,
    pattern: Pattern,
    conversions: usize,
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
                self.pattern.operations.insert("?:".to_owned());
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
                self.pattern.operations.insert("comma".to_owned());
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
        self.pattern.operations.insert(format!("{ty} {what}"));
    }

    fn converted(&mut self, from: Ty, to: Ty) {
        let names = (self.name(from), self.name(to));
        if names.0 != names.1 {
            self.conversions += 1;
            let text = format!("{} to {}", names.0, names.1);
            self.pattern.conversions.insert((self.telling(from, to), text));
        }
    }

    fn telling(&self, from: Ty, to: Ty) -> Telling {
        let is_odd = |ty: Ty| ty.as_field().is_some() || self.rules.num(ty) == Num::Bool;
        let is_signed = |ty: Ty| matches!(self.rules.num(ty), Num::Int { signed: true, .. });
        match (from.is_float(), to.is_float()) {
            (true, true) => Telling::Floats,
            (true, false) => Telling::FloatToInt,
            (false, true) => Telling::IntToFloat,
            _ if is_odd(from) || is_odd(to) => Telling::Field,
            _ if is_signed(from) != is_signed(to) => Telling::Sign,
            _ => Telling::Size,
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
