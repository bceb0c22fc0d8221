//! Values of nodes and of whole tests. `lang::arith` computes; here is only which types it computes in, and which
//! results a test may not have.

use crate::exact::{acceptable, float_binary, integer_limit};
use crate::test::{Node, NodeId, Op, Statement, Test, VarId};
use howler_lang::arith::{self, Num, Undefined};
use howler_lang::id::Id;
use howler_lang::program::{BinaryOp, UnaryOp};
use howler_lang::scalar::{Rules, Ty};
use howler_lang::target::Target;

/// Why a node has no value that may stand in a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// Converting an operand to this type is undefined, or rounds.
    Convert { operand: usize, to: Ty },
    /// The operation is undefined.
    Undefined(Undefined),
    /// The floating result is rounded, too large, or has a fraction it may not have.
    Inexact,
}

/// An operand: its type and the bits of its value.
pub(crate) type Operand = (Ty, u128);

/// Evaluates on one target.
pub(crate) struct Eval {
    pub(crate) rules: Rules,
    pub(crate) fractions: bool,
}

impl Eval {
    pub(crate) fn new(target: Target, fractions: bool) -> Eval {
        Eval { rules: Rules::new(target), fractions }
    }

    /// A value converted, if the conversion is defined and exact where it must be.
    #[inline]
    pub(crate) fn convert(&self, from: Ty, to: Ty, value: u128) -> Option<u128> {
        if from == to {
            return Some(value);
        }
        let (from, to) = (self.rules.num(from), self.rules.num(to));
        let converted = arith::convert(from, to, value).ok()?;
        let fits = match (from, to) {
            (Num::Float(_), Num::Float(format)) => {
                acceptable(format, self.fractions, converted)
                    && arith::convert(to, from, converted).is_ok_and(|back| back == value)
            }
            (Num::Int { signed, .. }, Num::Float(format)) => {
                let limit = integer_limit(format).cast_unsigned();
                let magnitude = if signed { from.number(value).unsigned_abs() } else { value };
                magnitude <= limit
            }
            _ => true,
        };
        fits.then_some(converted)
    }

    /// A binary operator.
    #[inline]
    pub(crate) fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Result<Operand, Fault> {
        let typing = self.rules.binary(op, a.0, b.0);
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            let truth = |(ty, value): Operand| arith::truth(self.rules.num(ty), value);
            let value = if op == BinaryOp::And { truth(a) && truth(b) } else { truth(a) || truth(b) };
            return Ok((Ty::INT, u128::from(value)));
        }
        let convert = |operand: usize, (from, value): Operand, to: Ty| {
            self.convert(from, to, value).ok_or(Fault::Convert { operand, to })
        };
        let (x, y) = (convert(0, a, typing.left)?, convert(1, b, typing.right)?);
        let num = self.rules.num(typing.left);
        let value = match (num, op) {
            (_, BinaryOp::Shl | BinaryOp::Shr) => arith::shift(op, num, x, self.rules.num(typing.right), y),
            (Num::Float(format), BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div) => {
                return match float_binary(op, format, self.fractions, x, y) {
                    Some(value) => Ok((typing.result, value)),
                    None if op == BinaryOp::Div && !arith::truth(num, y) => {
                        Err(Fault::Undefined(Undefined::DivByZero))
                    }
                    None => Err(Fault::Inexact),
                };
            }
            _ => arith::binary(op, num, x, y),
        };
        value.map(|value| (typing.result, value)).map_err(Fault::Undefined)
    }

    /// `-`, `+`, `~` or `!`.
    pub(crate) fn unary(&mut self, op: UnaryOp, a: Operand) -> Result<Operand, Fault> {
        let ty = if op == UnaryOp::Not { a.0 } else { self.rules.promoted(a.0) };
        let num = self.rules.num(ty);
        let value = self.convert(a.0, ty, a.1).ok_or(Fault::Convert { operand: 0, to: ty })?;
        let value = arith::unary(op, num, value).map_err(Fault::Undefined)?;
        Ok((if op == UnaryOp::Not { Ty::INT } else { ty }, value))
    }

    /// The new value of a variable of type `ty` assigned to, or assigned with an operator.
    pub(crate) fn assign(
        &mut self,
        op: Option<BinaryOp>,
        ty: Ty,
        old: u128,
        a: Operand,
    ) -> Result<u128, Fault> {
        match op {
            None => self.convert(a.0, ty, a.1).ok_or(Fault::Convert { operand: 1, to: ty }),
            Some(op) => {
                let (result, value) = self.binary(op, (ty, old), a)?;
                self.convert(result, ty, value).ok_or(Fault::Convert { operand: 1, to: ty })
            }
        }
    }

    /// The values of `++v` and its like: the new one of the variable and that of the expression.
    pub(crate) fn step(&mut self, op: UnaryOp, ty: Ty, old: u128) -> Result<(u128, u128), Fault> {
        let num = self.rules.num(ty);
        let new = match op {
            UnaryOp::PreInc | UnaryOp::PostInc => arith::increment(num, old),
            _ => arith::decrement(num, old),
        };
        let new = new.map_err(Fault::Undefined)?;
        if self.rules.format(ty).is_some_and(|format| !acceptable(format, self.fractions, new)) {
            return Err(Fault::Inexact);
        }
        Ok((new, if matches!(op, UnaryOp::PreInc | UnaryOp::PreDec) { new } else { old }))
    }

    /// Both branches of a conditional have its type, taken or not.
    pub(crate) fn cond(&mut self, c: Operand, a: Operand, b: Operand) -> Result<Operand, Fault> {
        let ty = self.rules.common(a.0, b.0);
        let x = self.convert(a.0, ty, a.1).ok_or(Fault::Convert { operand: 1, to: ty })?;
        let y = self.convert(b.0, ty, b.1).ok_or(Fault::Convert { operand: 2, to: ty })?;
        Ok((ty, if arith::truth(self.rules.num(c.0), c.1) { x } else { y }))
    }
}

/// How a node takes part in its expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Mark {
    /// Not at all: it was replaced.
    Gone,
    /// It is an operand that is not evaluated.
    Asleep,
    /// It is evaluated.
    Awake,
}

/// Marks the nodes of a statement, from its first one on. Needs their values.
pub(crate) fn marks(test: &Test, statement: usize, marks: &mut Vec<Mark>) {
    let statement = &test.statements[statement];
    marks.clear();
    marks.resize(statement.root.index() + 1 - statement.first.index(), Mark::Gone);
    mark(test, statement, marks);
}

/// Marks the nodes of all statements.
pub(crate) fn all_marks(test: &Test) -> Vec<Mark> {
    let mut marks = vec![Mark::Gone; test.nodes.len()];
    for statement in &test.statements {
        mark(test, statement, &mut marks[statement.first.index()..=statement.root.index()]);
    }
    marks
}

/// Marks the nodes of a statement; nothing of it is marked yet.
fn mark(test: &Test, statement: &Statement, marks: &mut [Mark]) {
    let first = statement.first.index();
    if let Some(root) = marks.last_mut() {
        *root = Mark::Awake;
    }
    // Operands have smaller ids, so one way back meets every node after what it is an operand of.
    for index in (0..marks.len()).rev() {
        let mark = marks[index];
        if mark == Mark::Gone {
            continue;
        }
        let node = &test.nodes[NodeId::from_index(first + index)];
        for (kid, id) in node.kids.iter().enumerate() {
            if let Some(id) = id {
                marks[id.index() - first] = if taken(test, node, kid) { mark } else { Mark::Asleep };
            }
        }
    }
}

/// Whether an operand of an evaluated node is evaluated (C17 6.5.13p4, 6.5.14p4, 6.5.15p4).
fn taken(test: &Test, node: &Node, kid: usize) -> bool {
    let truth = |id: Option<NodeId>| {
        id.is_some_and(|id| {
            let node = &test.nodes[id];
            // Nothing but its bits matters: all types have zero as no bits, floating ones with either sign.
            node.value != 0 && !(node.ty.is_float() && is_negative_zero(node))
        })
    };
    match (node.op, kid) {
        (Op::Binary(BinaryOp::And), 1) => truth(node.kids[0]),
        (Op::Binary(BinaryOp::Or), 1) => !truth(node.kids[0]),
        (Op::Cond, 1) => truth(node.kids[0]),
        (Op::Cond, 2) => !truth(node.kids[0]),
        _ => true,
    }
}

fn is_negative_zero(node: &Node) -> bool {
    let sign = match node.ty {
        Ty::FLOAT => 31,
        Ty::DOUBLE => 63,
        _ => 79,
    };
    node.value == 1 << sign
}

impl Test {
    /// Computes every value again, types too, after an edit.
    ///
    /// # Errors
    /// If some node has no value that may stand in a test: the edit is not possible.
    pub fn evaluate(&mut self) -> Result<(), NoValue> {
        let mut eval = Eval::new(self.target, self.fractions);
        let mut now: Vec<u128> = self.vars.iter().map(|(_, var)| var.value).collect();
        let mut marked = Vec::new();
        for index in 0..self.statements.len() {
            // Which nodes are there does not depend on values.
            marks(self, index, &mut marked);
            let (first, target, op, root) = {
                let statement = &self.statements[index];
                (statement.first.index(), statement.target, statement.op, statement.root)
            };
            for (offset, mark) in marked.iter().enumerate() {
                if *mark != Mark::Gone {
                    let id = NodeId::from_index(first + offset);
                    let (ty, value) = node_value(self, &mut eval, &now, id).map_err(|_| NoValue)?;
                    let node = &mut self.nodes[id];
                    (node.ty, node.value) = (ty, value);
                }
            }
            apply_effects(self, &mut eval, index, &mut marked, &mut now);
            let node = &self.nodes[root];
            let (ty, old) = (self.vars[target].ty, now[target.index()]);
            let value = eval.assign(op, ty, old, (node.ty, node.value)).map_err(|_| NoValue)?;
            now[target.index()] = value;
            self.statements[index].value = value;
        }
        Ok(())
    }
}

/// The values of all variables after the last statement, given the marks of all nodes.
pub(crate) fn last_values(test: &Test, marks: &[Mark]) -> Vec<u128> {
    let mut eval = Eval::new(test.target, test.fractions);
    let mut now: Vec<u128> = test.vars.iter().map(|(_, var)| var.value).collect();
    for statement in &test.statements {
        let first = statement.first.index();
        effects(test, &mut eval, first, &marks[first..=statement.root.index()], &mut now);
        now[statement.target.index()] = statement.value;
    }
    now
}

/// An edit after which the test would have no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the edited test has no defined or no exact answer")]
pub struct NoValue;

/// Changes the variables that assignments and steps inside of a statement's expression change.
pub(crate) fn apply_effects(
    test: &Test,
    eval: &mut Eval,
    statement: usize,
    marked: &mut Vec<Mark>,
    now: &mut [u128],
) {
    marks(test, statement, marked);
    effects(test, eval, test.statements[statement].first.index(), marked, now);
}

/// The same with marks at hand, those of the nodes from `first` on.
fn effects(test: &Test, eval: &mut Eval, first: usize, marks: &[Mark], now: &mut [u128]) {
    for (offset, &mark) in marks.iter().enumerate() {
        let node = &test.nodes[NodeId::from_index(first + offset)];
        if mark == Mark::Awake
            && let Some((var, value)) = effect(test, eval, node)
        {
            now[var.index()] = value;
        }
    }
}

/// What a node does to a variable when it is evaluated.
pub(crate) fn effect(test: &Test, eval: &mut Eval, node: &Node) -> Option<(VarId, u128)> {
    match node.op {
        // Its value is that of the variable after the assignment (C17 6.5.16p3).
        Op::Assign(_, var) => Some((var, node.value)),
        Op::Step(op, var) => {
            let ty = test.vars[var].ty;
            // The old value is what the expression has if the step comes after it.
            let old = match op {
                UnaryOp::PostInc | UnaryOp::PostDec => node.value,
                _ => return Some((var, node.value)),
            };
            eval.step(op, ty, old).ok().map(|(new, _)| (var, new))
        }
        _ => None,
    }
}

/// The type and value of a node whose operands have theirs.
fn node_value(test: &Test, eval: &mut Eval, now: &[u128], id: NodeId) -> Result<Operand, Fault> {
    let node = &test.nodes[id];
    let kid = |index: usize| -> Operand {
        node.kids[index].map_or((Ty::INT, 0), |id| (test.nodes[id].ty, test.nodes[id].value))
    };
    match node.op {
        Op::Var(var) => Ok((test.vars[var].ty, now[var.index()])),
        Op::Const => Ok((node.ty, node.value)),
        Op::Unary(op) => eval.unary(op, kid(0)),
        Op::Binary(op) => eval.binary(op, kid(0), kid(1)),
        Op::Cond => eval.cond(kid(0), kid(1), kid(2)),
        Op::Cast => {
            let (from, value) = kid(0);
            let value =
                eval.convert(from, node.ty, value).ok_or(Fault::Convert { operand: 0, to: node.ty })?;
            Ok((node.ty, value))
        }
        Op::Comma => Ok(kid(1)),
        Op::Assign(op, var) => {
            let ty = test.vars[var].ty;
            Ok((ty, eval.assign(op, ty, now[var.index()], kid(0))?))
        }
        Op::Step(op, var) => {
            let ty = test.vars[var].ty;
            Ok((ty, eval.step(op, ty, now[var.index()])?.1))
        }
    }
}
