//! `SynExpr` (algorithm 3): expressions built bottom-up from variables, defined for everything that is seen at their
//! point.

use howler_choices::Choices;
use howler_lang::compose::Composed;
use howler_lang::program::{BinaryOp, ExprId, UnaryOp};

use crate::env::{Env, Variable};
use crate::predicate::pick;
use crate::syn::Syn;

const UNARY: [UnaryOp; 3] = [UnaryOp::Not, UnaryOp::BitNot, UnaryOp::Neg];

/// Figure 5's operators, and shifts.
const BINARY: [BinaryOp; 16] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::Lt,
    BinaryOp::Gt,
    BinaryOp::Le,
    BinaryOp::Ge,
    BinaryOp::Eq,
    BinaryOp::Ne,
];

/// How many unary operators may follow each other.
const UNARY_CHAIN: u32 = 3;

/// How many variables an expression has at most: large ones say little more.
const LEAVES: usize = 6;

/// An expression over variables of an environment; a constant if it has none.
pub fn expression(syn: &mut Syn<'_>, env: &Env, choices: &mut Choices) -> Composed<ExprId> {
    let integers = env.integers();
    let mut worklist = Vec::new();
    let leaves = choices.range("leaves", 1..=LEAVES.min(integers.len()).max(1));
    let mut left: Vec<&Variable> = integers;
    for _ in 0..leaves {
        let Some(variable) = pick(choices, &left) else { break };
        worklist.push(syn.read(variable)?);
        left.retain(|other| !std::ptr::eq(*other, variable));
    }
    if worklist.len() < 2 || choices.chance("constant", 1, 3) {
        let number = choices.range("number", -9..=9i128);
        worklist.push(syn.c.int(number)?);
    }
    let mut chain = 0;
    while worklist.len() > 1 {
        if chain < UNARY_CHAIN && choices.chance("unary", 1, 3) {
            chain += 1;
            let at = choices.range("operand", 0..=worklist.len() - 1);
            let mut operators = UNARY;
            choices.shuffle("operators", &mut operators);
            let made = operators.into_iter().find_map(|op| syn.unary(op, worklist[at]));
            worklist[at] = made.unwrap_or(worklist[at]);
            continue;
        }
        chain = 0;
        let left = worklist.swap_remove(choices.range("left", 0..=worklist.len() - 1));
        let right = worklist.swap_remove(choices.range("right", 0..=worklist.len() - 1));
        let mut operators = BINARY;
        choices.shuffle("operators", &mut operators);
        // `&`, `|` and comparisons are defined for all integers, so there always is one.
        worklist.push(operators.into_iter().find_map(|op| syn.binary(op, left, right)).unwrap_or(left));
    }
    Ok(worklist[0])
}
