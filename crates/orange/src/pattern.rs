//! The pattern of a test: its expressions with operators and types, without values and names. Two failures of one
//! pattern are taken for one bug (the paper's #pat).

use crate::test::{Node, NodeId, Op, Test};
use howler_lang::program::{BinaryOp, UnaryOp};
use std::fmt::Write;

/// The expressions that are left in a test, one per line: operators prefix, each node with its type.
///
/// ```
/// use howler_choices::Choices;
/// use howler_lang::target::Target;
/// use howler_orange::{Features, Options, generate, pattern};
///
/// let options = Options { operations: (1, 1), features: Features::NONE, ..Options::default() };
/// let test = generate(&options, Target::X86_64_GCC, &mut Choices::new(9));
/// assert_eq!(pattern(&test), "unsigned = (<= long long:v unsigned:v):int");
/// ```
pub fn pattern(test: &Test) -> String {
    let mut out = String::new();
    for index in test.expressions() {
        let statement = &test.statements[index];
        let ty = test.vars[statement.target].ty.name();
        if !out.is_empty() {
            out.push('\n');
        }
        let op = statement.op.map_or("", BinaryOp::symbol);
        write!(out, "{ty} {op}= ").expect("writing to a string does not fail");
        expression(test, statement.root, &mut out);
    }
    out
}

/// Something still to be written.
enum Piece {
    Node(NodeId),
    Close(NodeId),
}

fn expression(test: &Test, root: NodeId, out: &mut String) {
    let mut stack = vec![Piece::Node(root)];
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Close(id) => {
                out.push_str("):");
                out.push_str(&test.nodes[id].ty.name());
            }
            Piece::Node(id) => {
                let node = &test.nodes[id];
                if out.ends_with(|last: char| last != '(' && last != ' ') {
                    out.push(' ');
                }
                match node.op {
                    Op::Var(_) => leaf(out, node, 'v'),
                    Op::Const => leaf(out, node, 'c'),
                    _ => {
                        out.push('(');
                        out.push_str(&operator(test, node));
                        stack.push(Piece::Close(id));
                        let kids: Vec<NodeId> = node.operands().collect();
                        stack.extend(kids.into_iter().rev().map(Piece::Node));
                    }
                }
            }
        }
    }
}

fn leaf(out: &mut String, node: &Node, kind: char) {
    out.push_str(&node.ty.name());
    out.push(':');
    out.push(kind);
}

fn operator(test: &Test, node: &Node) -> String {
    match node.op {
        Op::Unary(op) => unary(op).to_owned(),
        Op::Binary(op) => op.symbol().to_owned(),
        Op::Cond => "?:".to_owned(),
        Op::Cast => "cast".to_owned(),
        Op::Comma => ",".to_owned(),
        Op::Assign(op, _) => format!("{}=", op.map_or("", BinaryOp::symbol)),
        Op::Step(op, var) => format!("{} {}", unary(op), test.vars[var].ty.name()),
        Op::Var(_) | Op::Const => String::new(),
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "neg",
        UnaryOp::Plus => "plus",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
        UnaryOp::PreInc => "++pre",
        UnaryOp::PreDec => "--pre",
        UnaryOp::PostInc => "post++",
        UnaryOp::PostDec => "post--",
        UnaryOp::Deref | UnaryOp::AddrOf | UnaryOp::Real | UnaryOp::Imag => "other",
    }
}
