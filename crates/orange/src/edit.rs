//! Edits that make a test smaller: what the paper's minimisation (§5) does to expressions, values and types. An edit
//! gives a new test with new answers, or nothing if that test would have none. Which edits to try is not decided here.

use crate::eval::{Eval, Mark, effect, marks};
use crate::pattern::conversions;
use crate::test::{Form, Node, NodeId, Op, Place, Test, VarId};
use crate::uses::mentioned;
use crate::variable::from_integer;
use howler_lang::arith::{Num, convert};
use howler_lang::id::Id;
use howler_lang::program::BinaryOp;
use howler_lang::scalar::Ty;
use std::collections::BTreeSet;

/// A change of values, types or form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Simplification {
    /// The test is written in this form.
    Form(Form),
    /// All variables are local, and neither `static`, `const` nor `volatile`.
    PlainAll,
    /// One variable is so.
    Plain(VarId),
    /// A variable is local and not `static`.
    Local(VarId),
    /// A variable is not `volatile`.
    Steady(VarId),
    /// A variable has another type, which is simpler or needs fewer conversions.
    Type(VarId, Ty),
    /// A constant has another type, in the same way.
    ConstantType(NodeId, Ty),
    /// A variable begins with another value.
    Value(VarId, u128),
    /// A constant has another value.
    Constant(NodeId, u128),
    /// A statement assigns plainly instead of with an operator.
    Assign(usize),
    /// An operator is another one of its kind.
    Operator(NodeId, BinaryOp),
}

/// Types that a variable or a constant is tried with, the simplest first.
const SIMPLE: [Ty; 9] =
    [Ty::INT, Ty::LONG, Ty::DOUBLE, Ty::UINT, Ty::ULONG, Ty::FLOAT, Ty::LDOUBLE, Ty::SCHAR, Ty::UCHAR];

/// How far a type is from the simplest one.
fn rank(ty: Ty) -> usize {
    SIMPLE.iter().position(|&simple| simple == ty).unwrap_or(SIMPLE.len())
}

/// The operator that stands for those of its kind; none if it is that one.
fn plainest(op: BinaryOp) -> Option<BinaryOp> {
    let plain = match op {
        BinaryOp::Sub | BinaryOp::Mul => BinaryOp::Add,
        BinaryOp::Rem => BinaryOp::Div,
        BinaryOp::BitOr | BinaryOp::BitXor => BinaryOp::BitAnd,
        BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Or => BinaryOp::And,
        _ => return None,
    };
    Some(plain)
}

impl Test {
    /// The numbers of the statements that still have an expression.
    pub fn expressions(&self) -> Vec<usize> {
        (0..self.statements.len()).filter(|&index| self.is_alive(index)).collect()
    }

    /// The test with these expressions replaced by their values (figure 11).
    pub fn without(&self, expressions: &[usize]) -> Option<Test> {
        let mut test = self.clone();
        let mut eval = Eval::new(self.target, self.fractions);
        for &index in expressions {
            let statement = self.statements.get(index)?;
            test.settle(&mut eval, index, None);
            let ty = self.vars[statement.target].ty;
            test.nodes[statement.root] = constant_node(&mut eval, ty, statement.value)?;
            test.statements[index].op = None;
        }
        test.evaluated()
    }

    /// The root of an expression, if it has operands.
    pub fn root(&self, expression: usize) -> Option<NodeId> {
        let root = self.statements.get(expression)?.root;
        self.nodes[root].operands().next().map(|_| root)
    }

    /// The operands of a node.
    pub fn operands(&self, node: NodeId) -> Vec<NodeId> {
        self.nodes[node].operands().collect()
    }

    /// The test with these nodes replaced by their values (figure 13). Constants are none to replace.
    pub fn folded(&self, nodes: &[NodeId]) -> Option<Test> {
        let mut test = self.clone();
        let mut eval = Eval::new(self.target, self.fractions);
        for &id in nodes {
            let Node { op, ty, value, .. } = self.nodes[id];
            if op == Op::Const {
                return None;
            }
            test.settle(&mut eval, self.statement_of(id)?, Some(id));
            test.nodes[id] = constant_node(&mut eval, ty, value)?;
        }
        test.evaluated()
    }

    /// The test with a node replaced by one of its operands (figure 12).
    pub fn hoisted(&self, node: NodeId, operand: NodeId) -> Option<Test> {
        self.nodes[node].operands().find(|&kid| kid == operand)?;
        let mut test = self.clone();
        let mut eval = Eval::new(self.target, self.fractions);
        let index = self.statement_of(node)?;
        // What the other operands do to variables is kept, as if it had been done before.
        let own = self.subtree(node);
        let kept: BTreeSet<NodeId> = self.subtree(operand).into_iter().collect();
        let lost: Vec<NodeId> = own.into_iter().filter(|id| !kept.contains(id)).collect();
        test.keep_effects(&mut eval, index, &lost);
        test.nodes[node] = self.nodes[operand];
        test.evaluated()
    }

    /// What could be simpler besides expressions, in the order it should be tried.
    pub fn simplifications(&self) -> Vec<Simplification> {
        let mut list = Vec::new();
        if matches!(self.form, Form::Split(_)) {
            list.push(Simplification::Form(Form::Whole));
        }
        if self.form != Form::Compact {
            list.push(Simplification::Form(Form::Compact));
        }
        let used = self.used_vars();
        let plain = |id: VarId| {
            let var = &self.vars[id];
            var.place == Place::Local && !var.constant && !var.volatile
        };
        if used.iter().filter(|&&id| !plain(id)).count() > 1 {
            list.push(Simplification::PlainAll);
        }
        for (index, statement) in self.statements.iter().enumerate() {
            if self.is_alive(index) && statement.op.is_some() {
                list.push(Simplification::Assign(index));
            }
        }
        let target = Eval::new(self.target, self.fractions);
        for &id in &used {
            let var = &self.vars[id];
            if !plain(id) {
                list.push(Simplification::Plain(id));
                if var.place != Place::Local && (var.constant || var.volatile) {
                    list.push(Simplification::Local(id));
                }
                if var.volatile {
                    list.push(Simplification::Steady(id));
                }
            }
            let others = SIMPLE.iter().filter(|&&ty| ty != var.ty);
            list.extend(others.map(|&ty| Simplification::Type(id, ty)));
            let smaller = smaller(target.rules.num(var.ty), var.value);
            list.extend(smaller.into_iter().map(|value| Simplification::Value(id, value)));
        }
        list.extend(self.plainer_operators());
        for id in self.constants() {
            let node = &self.nodes[id];
            let others = SIMPLE.iter().filter(|&&ty| ty != node.ty);
            list.extend(others.map(|&ty| Simplification::ConstantType(id, ty)));
            let smaller = smaller(target.rules.num(node.ty), node.value);
            list.extend(smaller.into_iter().map(|value| Simplification::Constant(id, value)));
        }
        list
    }

    /// Operators for which the first of their kind would do.
    fn plainer_operators(&self) -> Vec<Simplification> {
        let mut list = Vec::new();
        for index in self.expressions() {
            for id in self.subtree(self.statements[index].root) {
                if let Op::Binary(op) = self.nodes[id].op
                    && let Some(plain) = plainest(op)
                {
                    list.push(Simplification::Operator(id, plain));
                }
            }
        }
        list
    }

    /// The test after one of these.
    pub fn simplified(&self, step: &Simplification) -> Option<Test> {
        let mut test = self.clone();
        match *step {
            Simplification::Form(form) => test.form = form,
            Simplification::PlainAll => {
                for id in self.used_vars() {
                    test.make_plain(id);
                }
            }
            Simplification::Plain(id) => test.make_plain(id),
            Simplification::Local(id) if !self.is_split() => test.vars[id].place = Place::Local,
            Simplification::Local(_) => return None,
            Simplification::Steady(id) => test.vars[id].volatile = false,
            Simplification::Type(id, ty) => {
                let var = &mut test.vars[id];
                (var.value, var.ty) = (self.in_type(var.ty, ty, var.value)?, ty);
            }
            Simplification::ConstantType(id, ty) => {
                let node = &mut test.nodes[id];
                (node.value, node.ty) = (self.in_type(node.ty, ty, node.value)?, ty);
            }
            Simplification::Value(id, value) => test.vars[id].value = value,
            Simplification::Constant(id, value) => test.nodes[id].value = value,
            Simplification::Assign(index) => test.statements.get_mut(index)?.op = None,
            Simplification::Operator(id, op) => match &mut test.nodes[id].op {
                Op::Binary(known) => *known = op,
                _ => return None,
            },
        }
        if test == *self {
            return None;
        }
        let test = test.evaluated()?;
        let of_types = matches!(step, Simplification::Type(..) | Simplification::ConstantType(..));
        (!of_types || test.burden() < self.burden()).then_some(test)
    }

    /// The same number in another type where that has it; otherwise some other.
    fn in_type(&self, from: Ty, to: Ty, value: u128) -> Option<u128> {
        let eval = Eval::new(self.target, self.fractions);
        let wrapped = || convert(eval.rules.num(from), eval.rules.num(to), value).ok();
        eval.convert(from, to, value).or_else(wrapped)
    }

    /// What types burden it with: conversions, then types that are not the simplest.
    fn burden(&self) -> (usize, usize) {
        let vars = self.used_vars().into_iter().map(|id| rank(self.vars[id].ty));
        let constants = self.constants().into_iter().map(|id| rank(self.nodes[id].ty));
        (conversions(self), vars.chain(constants).sum())
    }

    /// How large it is: nodes that are left, and a little for everything a variable has.
    pub fn size(&self) -> usize {
        let mut marked = Vec::new();
        let nodes: usize = self
            .expressions()
            .into_iter()
            .map(|index| {
                marks(self, index, &mut marked);
                marked.iter().filter(|&&mark| mark != Mark::Gone).count() + 1
            })
            .sum();
        nodes + self.used_vars().len()
    }

    fn is_split(&self) -> bool {
        matches!(self.form, Form::Split(_))
    }

    fn make_plain(&mut self, id: VarId) {
        let split = self.is_split();
        let var = &mut self.vars[id];
        var.place = if split { Place::Global } else { Place::Local };
        (var.constant, var.volatile) = (false, false);
    }

    fn evaluated(mut self) -> Option<Test> {
        self.evaluate().ok()?;
        Some(self)
    }

    /// The statement a node belongs to: nodes are in the order of statements.
    fn statement_of(&self, node: NodeId) -> Option<usize> {
        let after = self.statements.partition_point(|statement| statement.first <= node);
        after.checked_sub(1)
    }

    /// Keeps what an expression, or a part of it, does to variables, as it is about to go away.
    fn settle(&mut self, eval: &mut Eval, statement: usize, part: Option<NodeId>) {
        let root = part.unwrap_or(self.statements[statement].root);
        let lost = self.subtree(root);
        self.keep_effects(eval, statement, &lost);
    }

    fn keep_effects(&mut self, eval: &mut Eval, statement: usize, lost: &[NodeId]) {
        if !lost.iter().any(|&id| matches!(self.nodes[id].op, Op::Assign(..) | Op::Step(..))) {
            return;
        }
        let mut marked = Vec::new();
        marks(self, statement, &mut marked);
        let first = self.statements[statement].first.index();
        for &id in lost {
            if marked.get(id.index() - first) == Some(&Mark::Awake)
                && let Some((var, value)) = effect(self, eval, &self.nodes[id])
            {
                self.vars[var].value = value;
            }
        }
    }

    /// A node and everything below it.
    pub(crate) fn subtree(&self, root: NodeId) -> Vec<NodeId> {
        let mut nodes = vec![root];
        let mut next = 0;
        while let Some(&id) = nodes.get(next) {
            nodes.extend(self.nodes[id].operands());
            next += 1;
        }
        nodes
    }

    /// The variables that living expressions mention, in order.
    fn used_vars(&self) -> Vec<VarId> {
        let mut used = vec![false; self.vars.len()];
        self.each_node(|_, node| {
            if let Some(var) = mentioned(node.op) {
                used[var.index()] = true;
            }
        });
        for index in self.expressions() {
            used[self.statements[index].target.index()] = true;
        }
        used.iter()
            .enumerate()
            .filter(|(_, used)| **used)
            .map(|(index, _)| VarId::from_index(index))
            .collect()
    }

    fn constants(&self) -> Vec<NodeId> {
        let mut constants = Vec::new();
        self.each_node(|id, node| {
            if node.op == Op::Const {
                constants.push(id);
            }
        });
        constants
    }

    /// Visits the nodes of living expressions.
    pub(crate) fn each_node(&self, mut visit: impl FnMut(NodeId, &Node)) {
        let mut marked = Vec::new();
        for index in self.expressions() {
            marks(self, index, &mut marked);
            let first = self.statements[index].first.index();
            for (offset, _) in marked.iter().enumerate().filter(|(_, mark)| **mark != Mark::Gone) {
                let id = NodeId::from_index(first + offset);
                visit(id, &self.nodes[id]);
            }
        }
    }
}

impl PartialEq for Test {
    /// The same program; what it took to make it does not count.
    fn eq(&self, other: &Test) -> bool {
        self.target == other.target
            && self.form == other.form
            && self.statements == other.statements
            && self.vars.iter().eq(other.vars.iter())
            && self.nodes.iter().eq(other.nodes.iter())
    }
}

/// A value as a constant: it has the promoted type, because narrower types have no constants.
fn constant_node(eval: &mut Eval, ty: Ty, value: u128) -> Option<Node> {
    let promoted = eval.rules.promoted(ty);
    let value = eval.convert(ty, promoted, value)?;
    Some(Node::leaf(Op::Const, promoted, value))
}

/// Values of smaller magnitude, the smallest first: 0, 1, half as long, half as large.
fn smaller(num: Num, bits: u128) -> Vec<u128> {
    let wide = Num::Int { width: 128, signed: true };
    let number = match num {
        Num::Bool => return if bits != 0 { vec![0] } else { Vec::new() },
        Num::Int { signed: true, .. } => num.number(bits),
        Num::Int { .. } => i128::try_from(bits).unwrap_or(i128::MAX),
        Num::Float(_) => convert(num, wide, bits).unwrap_or(0).cast_signed(),
    };
    let magnitude = number.unsigned_abs();
    let length = 128 - magnitude.leading_zeros();
    let sign = |magnitude: u128| {
        let magnitude = magnitude.cast_signed();
        if number < 0 { -magnitude } else { magnitude }
    };
    let mut list: Vec<i128> = Vec::new();
    for candidate in [0, 1, sign(1), sign(magnitude >> (length / 2)), sign(magnitude >> 1)] {
        if candidate.unsigned_abs() < magnitude && !list.contains(&candidate) {
            list.push(candidate);
        }
    }
    let back = |number: i128| match num {
        Num::Float(format) => from_integer(format, number),
        num => num.bits(number),
    };
    list.into_iter().map(back).filter(|&value| value != bits).collect()
}
