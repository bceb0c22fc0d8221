//! Expressions: the paper's `make_expression(n, d)` with all operators of C, evaluated and repaired while it is made.

use crate::eval::{Eval, Fault, Operand, apply_effects};
use crate::options::{Feature, Features, Options, Repair};
use crate::repair::Draft;
use crate::test::{Node, NodeId, Op, Role, Statement, Test, Var, VarId};
use crate::variable::{Fashion, value};
use howler_choices::Choices;
use howler_lang::id::{Arena, Id};
use howler_lang::program::{BinaryOp, UnaryOp};
use howler_lang::scalar::{Ty, integers_only};

/// What a node may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Binary(BinaryOp),
    Unary(UnaryOp),
    Cast,
    Cond,
    Comma,
    Assign,
    Step,
}

/// How often each kind is made, of all that the features allow.
const KINDS: [(Kind, Option<Feature>, u8); 31] = [
    (Kind::Binary(BinaryOp::Add), None, 8),
    (Kind::Binary(BinaryOp::Sub), None, 8),
    (Kind::Binary(BinaryOp::Mul), None, 8),
    (Kind::Binary(BinaryOp::Div), Some(Feature::Division), 8),
    (Kind::Binary(BinaryOp::Rem), Some(Feature::Division), 8),
    (Kind::Binary(BinaryOp::Shl), Some(Feature::Shift), 8),
    (Kind::Binary(BinaryOp::Shr), Some(Feature::Shift), 8),
    (Kind::Binary(BinaryOp::Lt), None, 8),
    (Kind::Binary(BinaryOp::Gt), None, 8),
    (Kind::Binary(BinaryOp::Le), None, 8),
    (Kind::Binary(BinaryOp::Ge), None, 8),
    (Kind::Binary(BinaryOp::Eq), None, 8),
    (Kind::Binary(BinaryOp::Ne), None, 8),
    (Kind::Binary(BinaryOp::BitAnd), Some(Feature::Bitwise), 8),
    (Kind::Binary(BinaryOp::BitXor), Some(Feature::Bitwise), 8),
    (Kind::Binary(BinaryOp::BitOr), Some(Feature::Bitwise), 8),
    (Kind::Binary(BinaryOp::And), Some(Feature::Logic), 8),
    (Kind::Binary(BinaryOp::Or), Some(Feature::Logic), 8),
    (Kind::Unary(UnaryOp::Neg), Some(Feature::Unary), 5),
    (Kind::Unary(UnaryOp::Plus), Some(Feature::Unary), 1),
    (Kind::Unary(UnaryOp::BitNot), Some(Feature::Unary), 5),
    (Kind::Unary(UnaryOp::Not), Some(Feature::Unary), 3),
    (Kind::Cast, Some(Feature::Cast), 14),
    (Kind::Cond, Some(Feature::Ternary), 6),
    (Kind::Comma, Some(Feature::Comma), 2),
    (Kind::Assign, Some(Feature::Assignment), 2),
    (Kind::Step, Some(Feature::Step), 4),
    // Arithmetic proper a little more often than the rest.
    (Kind::Binary(BinaryOp::Add), None, 2),
    (Kind::Binary(BinaryOp::Sub), None, 2),
    (Kind::Binary(BinaryOp::Mul), None, 2),
    (Kind::Binary(BinaryOp::Shr), Some(Feature::Shift), 2),
];

/// The operators of compound assignments.
const COMPOUND: [(BinaryOp, Option<Feature>); 10] = [
    (BinaryOp::Add, None),
    (BinaryOp::Sub, None),
    (BinaryOp::Mul, None),
    (BinaryOp::Div, Some(Feature::Division)),
    (BinaryOp::Rem, Some(Feature::Division)),
    (BinaryOp::Shl, Some(Feature::Shift)),
    (BinaryOp::Shr, Some(Feature::Shift)),
    (BinaryOp::BitAnd, Some(Feature::Bitwise)),
    (BinaryOp::BitXor, Some(Feature::Bitwise)),
    (BinaryOp::BitOr, Some(Feature::Bitwise)),
];

/// After so many repairs of one node its operands are replaced; none has been seen to need them all.
const MOST_REPAIRS: usize = 6;

/// A test being made.
pub(crate) struct Maker<'a> {
    pub(crate) options: &'a Options,
    pub(crate) features: Features,
    pub(crate) fashion: Fashion,
    pub(crate) eval: Eval,
    pub(crate) test: Test,
    /// The decisions of the current expression.
    pub(crate) choices: Choices,
    /// The values of all variables at this point of the program.
    now: Vec<u128>,
    /// Variables an expression may read.
    readable: Vec<VarId>,
    /// The targets of statements, in order.
    targets: Vec<VarId>,
    /// Those of both that are not volatile.
    steady: Vec<VarId>,
    /// By variable: the last expression that reads it, if it is volatile. Two accesses to one volatile object are two
    /// unsequenced side effects (C17 6.5p2), so an expression has one at most.
    accessed: Vec<u32>,
    /// The number of the current expression, from 1.
    number: u32,
    /// Variables changed inside of the current expression: nothing else in it may mention them.
    changed: Vec<VarId>,
    /// Each kind as often as its weight says, so that one even draw picks; steps are not in the first.
    inner: Vec<Kind>,
    last: Vec<Kind>,
    compound: Vec<BinaryOp>,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(options: &'a Options, fashion: Fashion, test: Test, choices: &Choices) -> Maker<'a> {
        let features = fashion.features;
        let allowed = |feature: Option<Feature>| feature.is_none_or(|feature| features.has(feature));
        let weighted =
            |(kind, _, weight): (Kind, Option<Feature>, u8)| std::iter::repeat_n(kind, weight.into());
        let last: Vec<Kind> =
            KINDS.into_iter().filter(|&(_, feature, _)| allowed(feature)).flat_map(weighted).collect();
        // A step has no operand that could hold further operators.
        let inner = last.iter().copied().filter(|&kind| kind != Kind::Step).collect();
        let compound =
            COMPOUND.into_iter().filter(|&(_, feature)| allowed(feature)).map(|(op, _)| op).collect();
        Maker {
            options,
            features,
            fashion,
            eval: Eval::new(test.target, test.fractions),
            test,
            choices: choices.sub("expressions"),
            now: Vec::new(),
            readable: Vec::new(),
            targets: Vec::new(),
            steady: Vec::new(),
            accessed: Vec::new(),
            number: 0,
            changed: Vec::new(),
            inner,
            last,
            compound,
        }
    }

    /// Declares `count` variables that are only read.
    pub(crate) fn operands(&mut self, count: u32) {
        for _ in 0..count {
            let var = self.draw_var(Role::X);
            if self.steady.is_empty() {
                self.test.vars[var].volatile = false;
            }
            self.readable.push(var);
            self.note_steady(var);
        }
    }

    fn note_steady(&mut self, var: VarId) {
        if !self.test.vars[var].volatile {
            self.steady.push(var);
        }
    }

    /// Makes `expressions` statements of `operators` operators each.
    pub(crate) fn statements(&mut self, choices: &Choices, expressions: u32, operators: u32) {
        for _ in 0..expressions {
            let var = self.draw_var(Role::T);
            self.targets.push(var);
            self.note_steady(var);
        }
        let mut marks = Vec::new();
        for index in 0..expressions {
            self.choices = choices.sub_indexed("expression", u64::from(index));
            self.number = index + 1;
            // The assignment is an access too.
            self.accessed[self.targets[index as usize].index()] = self.number;
            let first = self.test.nodes.next_id();
            let root = self.make(operators, self.options.depth);
            let statement = self.statement(index as usize, first, root);
            self.test.statements.push(statement);
            if !self.changed.is_empty() {
                let at = self.test.statements.len() - 1;
                apply_effects(&self.test, &mut self.eval, at, &mut marks, &mut self.now);
                for var in std::mem::take(&mut self.changed) {
                    self.readable.push(var);
                    self.note_steady(var);
                }
            }
            let statement = &self.test.statements[index as usize];
            self.now[statement.target.index()] = statement.value;
        }
    }

    /// The statement that assigns an expression.
    fn statement(&mut self, index: usize, first: NodeId, root: NodeId) -> Statement {
        let again = self.features.has(Feature::Reassign) && self.choices.chance("assign again", 1, 8);
        let target = if again { self.reassigned() } else { None }.unwrap_or(self.targets[index]);
        let mut op = None;
        if self.features.has(Feature::Compound) && self.choices.chance("compound", 1, 8) {
            op = self.choices.pick("compound operator", &self.compound).copied();
        }
        let ty = self.test.vars[target].ty;
        let old = self.now[target.index()];
        let mut root = root;
        if op.is_some_and(integers_only) && ty.is_float() {
            op = None;
        }
        if op.is_some_and(integers_only) {
            root = self.integer(root);
        }
        let mut grown = 0;
        for _ in 0..MOST_REPAIRS {
            match self.eval.assign(op, ty, old, self.operand(root)) {
                Ok(value) => return Statement { target, op, root, first, value },
                // The target has a value already that no insertion changes: it is assigned plainly.
                Err(_) if op.is_some() => op = None,
                Err(_) => root = self.fit(root, ty, &mut grown),
            }
        }
        let root = self.extra(ty, 0);
        Statement { target, op: None, root, first, value: 0 }
    }

    /// A variable that may be assigned again: it is not `const`, and the current expression does not change it.
    fn reassigned(&mut self) -> Option<VarId> {
        let from_targets = self.choices.chance("a target", 1, 2);
        let list = if from_targets { &self.targets } else { &self.readable };
        let var = *self.choices.pick("which", list)?;
        let Var { constant, volatile, ty, .. } = self.test.vars[var];
        let taken = volatile && self.accessed[var.index()] == self.number;
        (!constant && !taken && ty.as_field().is_none()).then_some(var)
    }

    /// `make_expression(n, d)`: an expression of at most `n` operators, `d` deep. The depth is bounded, so it may recurse.
    fn make(&mut self, n: u32, d: u8) -> NodeId {
        if n == 0 || d == 0 {
            return self.leaf();
        }
        let kinds = if n == 1 { &self.last } else { &self.inner };
        let kind = self.choices.pick("kind", kinds).copied().unwrap_or(Kind::Binary(BinaryOp::Add));
        self.test.stats.operations += 1;
        match kind {
            Kind::Binary(op) => {
                let left = self.choices.range("left", 0..=n - 1);
                let a = self.make(left, d - 1);
                let b = self.make(n - 1 - left, d - 1);
                self.binary(op, a, b)
            }
            Kind::Unary(op) => {
                let a = self.make(n - 1, d - 1);
                self.unary(op, a)
            }
            Kind::Cast => {
                let a = self.make(n - 1, d - 1);
                let ty = self.choices.pick("cast", &self.fashion.types).copied().unwrap_or(Ty::INT);
                self.cast(a, ty)
            }
            Kind::Cond => {
                let first = self.choices.range("condition", 0..=n - 1);
                let second = self.choices.range("then", 0..=n - 1 - first);
                let c = self.make(first, d - 1);
                let a = self.make(second, d - 1);
                let b = self.make(n - 1 - first - second, d - 1);
                self.cond(c, a, b)
            }
            Kind::Comma => {
                let left = self.choices.range("left", 0..=n - 1);
                let a = self.make(left, d - 1);
                let b = self.make(n - 1 - left, d - 1);
                let b = self.plain(b);
                let (ty, value) = self.operand(b);
                self.push(Node { op: Op::Comma, ty, kids: [Some(a), Some(b), None], value })
            }
            Kind::Assign => {
                let a = self.make(n - 1, d - 1);
                self.assign(a)
            }
            Kind::Step => self.step(),
        }
    }

    fn leaf(&mut self) -> NodeId {
        if self.features.has(Feature::Constants) && self.choices.chance("constant", 1, 8) {
            let ty = self.choices.pick("type", &self.fashion.types).copied().unwrap_or(Ty::INT);
            let ty = self.eval.rules.promoted(ty);
            let value = value(&mut self.choices, self.eval.rules.num(ty), self.test.fractions);
            return self.push(Node::leaf(Op::Const, ty, value));
        }
        let target = self.readable.is_empty() || self.choices.chance("a target", 1, 4);
        let list = if target { &self.targets } else { &self.readable };
        let mut var = *self.choices.pick("variable", list).expect("a test has a target");
        if self.test.vars[var].volatile
            && std::mem::replace(&mut self.accessed[var.index()], self.number) == self.number
        {
            var = *self.choices.pick("steady variable", &self.steady).expect("the first operand is steady");
        }
        self.push(Node::leaf(Op::Var(var), self.test.vars[var].ty, self.now[var.index()]))
    }

    fn binary(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> NodeId {
        let mut draft = Draft { op, kids: [a, b], grown: [0; 2], flipped: false };
        if integers_only(op) {
            for side in 0..2 {
                if self.ty(draft.kids[side]).is_float() {
                    draft.kids[side] = self.integer(draft.kids[side]);
                    draft.grown[side] += 1;
                }
            }
        }
        for _ in 0..MOST_REPAIRS {
            let [a, b] = draft.kids;
            match self.eval.binary(draft.op, self.operand(a), self.operand(b)) {
                Ok((ty, value)) => {
                    let op = Op::Binary(draft.op);
                    return self.push(Node { op, ty, kids: [Some(a), Some(b), None], value });
                }
                Err(fault) => self.repair(&mut draft, fault),
            }
        }
        // 0 op 1 is defined and exact for every operator and type.
        self.test.stats.cuts += 1;
        let typing = self.eval.rules.binary(draft.op, self.ty(draft.kids[0]), self.ty(draft.kids[1]));
        let one = self.small(typing.right, 1);
        let (a, b) = (self.extra(typing.left, 0), self.extra(typing.right, one));
        let zero = self.operand(a);
        let value = self.eval.binary(draft.op, zero, (typing.right, one)).map_or(0, |(_, value)| value);
        let op = Op::Binary(draft.op);
        self.push(Node { op, ty: typing.result, kids: [Some(a), Some(b), None], value })
    }

    fn unary(&mut self, op: UnaryOp, a: NodeId) -> NodeId {
        let (mut op, mut a, mut grown) = (op, a, 0);
        if op == UnaryOp::BitNot && self.ty(a).is_float() {
            a = self.integer(a);
        }
        loop {
            match self.eval.unary(op, self.operand(a)) {
                Ok((ty, value)) => {
                    return self.push(Node { op: Op::Unary(op), ty, kids: [Some(a), None, None], value });
                }
                // Only -MIN has no value.
                Err(_) if self.options.repair == Repair::Flip => {
                    op = UnaryOp::Plus;
                    self.test.stats.flipped += 1;
                }
                Err(_) => a = self.not_least(a, &mut grown),
            }
        }
    }

    /// A cast; its operand is brought into range.
    fn cast(&mut self, a: NodeId, ty: Ty) -> NodeId {
        let (mut a, mut grown) = (a, 0);
        for _ in 0..MOST_REPAIRS {
            let (from, value) = self.operand(a);
            if let Some(value) = self.eval.convert(from, ty, value) {
                return self.push(Node { op: Op::Cast, ty, kids: [Some(a), None, None], value });
            }
            a = self.fit(a, ty, &mut grown);
        }
        self.extra(ty, 0)
    }

    /// An operand for an operator that takes integers only.
    fn integer(&mut self, a: NodeId) -> NodeId {
        if !self.ty(a).is_float() {
            return a;
        }
        if !self.may(Feature::Cast) {
            // A comparison is an integer, and no feature.
            let ty = self.ty(a);
            let other = value(&mut self.choices, self.eval.rules.num(ty), self.test.fractions);
            let op = *self.choices.one_of("comparison", &[BinaryOp::Lt, BinaryOp::Gt, BinaryOp::Ne]);
            return self.insert(op, a, ty, other);
        }
        let ty = self.choices.pick("integer", &self.fashion.integers).copied().unwrap_or(Ty::LLONG);
        self.test.stats.casts += 1;
        self.cast(a, ty)
    }

    fn cond(&mut self, c: NodeId, a: NodeId, b: NodeId) -> NodeId {
        let (mut kids, mut grown) = ([c, a, b], [0; 3]);
        for _ in 0..MOST_REPAIRS {
            let [c, a, b] = kids.map(|kid| self.operand(kid));
            match self.eval.cond(c, a, b) {
                Ok((ty, value)) => {
                    return self.push(Node { op: Op::Cond, ty, kids: kids.map(Some), value });
                }
                Err(Fault::Convert { operand, to }) => {
                    kids[operand] = self.fit(kids[operand], to, &mut grown[operand]);
                }
                Err(_) => break,
            }
        }
        c
    }

    /// A bit-field as the right operand of a comma has a type that gcc and clang do not agree on.
    fn plain(&mut self, a: NodeId) -> NodeId {
        if self.ty(a).as_field().is_none() {
            return a;
        }
        if self.may(Feature::Unary) {
            return self.unary(UnaryOp::Plus, a);
        }
        // `a + 0` does as well.
        let ty = self.eval.rules.promoted(self.ty(a));
        self.insert(BinaryOp::Add, a, ty, 0)
    }

    /// `m op= a` with a variable of its own.
    fn assign(&mut self, a: NodeId) -> NodeId {
        let var = self.draw_var(Role::M);
        let ty = self.test.vars[var].ty;
        let mut op = None;
        if self.choices.chance("compound", 3, 4) {
            op = self.choices.pick("compound operator", &self.compound).copied();
        }
        let mut a = a;
        if op.is_some_and(integers_only) {
            if ty.is_float() {
                op = None;
            } else {
                a = self.integer(a);
            }
        }
        let mut grown = 0;
        for _ in 0..MOST_REPAIRS {
            let old = self.now[var.index()];
            match self.eval.assign(op, ty, old, self.operand(a)) {
                Ok(value) => {
                    self.changed.push(var);
                    return self.push(Node {
                        op: Op::Assign(op, var),
                        ty,
                        kids: [Some(a), None, None],
                        value,
                    });
                }
                Err(Fault::Convert { operand: 1, to }) if op.is_none() => a = self.fit(a, to, &mut grown),
                // The variable is its own: its first value may be any. 0 has fewest faults, and no operator none.
                Err(_) if old != 0 => self.set_value(var, 0),
                Err(_) => op = None,
            }
        }
        a
    }

    /// `m++` and its like with a variable of its own.
    fn step(&mut self) -> NodeId {
        let var = self.draw_var(Role::M);
        let ty = self.test.vars[var].ty;
        let ops = [UnaryOp::PreInc, UnaryOp::PreDec, UnaryOp::PostInc, UnaryOp::PostDec];
        let op = *self.choices.one_of("step", &ops);
        if self.eval.step(op, ty, self.now[var.index()]).is_err() {
            self.set_value(var, 0);
        }
        let value = self.eval.step(op, ty, self.now[var.index()]).map_or(0, |(_, value)| value);
        self.changed.push(var);
        self.push(Node::leaf(Op::Step(op, var), ty, value))
    }

    /// A new variable of a role with a value of its own.
    fn draw_var(&mut self, role: Role) -> VarId {
        let ty = self.fashion.ty(&mut self.choices, role);
        let value = value(&mut self.choices, self.eval.rules.num(ty), self.test.fractions);
        let var = self.fashion.var(&mut self.choices, role, ty, value);
        self.add_var(var)
    }

    pub(crate) fn add_var(&mut self, var: Var) -> VarId {
        self.now.push(var.value);
        self.accessed.push(0);
        self.test.vars.push(var)
    }

    fn set_value(&mut self, var: VarId, value: u128) {
        self.test.vars[var].value = value;
        self.now[var.index()] = value;
    }

    pub(crate) fn push(&mut self, node: Node) -> NodeId {
        self.test.nodes.push(node)
    }

    /// The type and value of a node.
    #[inline]
    pub(crate) fn operand(&self, node: NodeId) -> Operand {
        let node = &self.test.nodes[node];
        (node.ty, node.value)
    }

    #[inline]
    pub(crate) fn ty(&self, node: NodeId) -> Ty {
        self.test.nodes[node].ty
    }

    #[inline]
    pub(crate) fn value(&self, node: NodeId) -> u128 {
        self.test.nodes[node].value
    }
}

/// A test without anything in it.
pub(crate) fn empty(target: howler_lang::target::Target, form: crate::test::Form, fractions: bool) -> Test {
    Test {
        target,
        form,
        fractions,
        vars: Arena::new(),
        nodes: Arena::new(),
        statements: Vec::new(),
        stats: crate::test::Stats::default(),
    }
}
