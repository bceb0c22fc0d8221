//! Expressions before they are built: drawn from the top, with nothing known of their values. So one can be repeated later,
//! where its variables have other values and other operations of it have to be replaced.

use howler_lang::program::{BinaryOp, ObjId, UnaryOp};
use howler_lang::scalar::Ty;

use crate::maker::{Leaves, Maker};
use crate::options::Feature;
use crate::parameters::Row;
use crate::variable::{Category, CellId, TYPES};

/// A node of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeId(pub(crate) u32);

/// What a node is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    Constant(Ty, u128),
    Cell(CellId),
    /// What a pointer points to.
    Pointed(u32),
    /// The counter of a loop, the outermost first.
    Counter(u32),
    /// An element of an array, by its subscripts.
    Element(u32, Subscripts),
    /// An element of a vector, by its subscript.
    Lane(u32, Subscripts),
    /// What is beside the place where a pointer of a loop is.
    Walk(u32, i128),
    Enumerator((u32, u32)),
    /// A call of a function, with its arguments.
    Call(u32, Arguments),
    Unary(UnaryOp, NodeId),
    Binary(BinaryOp, NodeId, NodeId),
    Ternary(NodeId, NodeId, NodeId),
    Cast(Ty, NodeId),
}

/// Subscripts of an element: where they begin, one for each dimension of the array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subscripts(pub(crate) u32);

/// Where the arguments of a call begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arguments(pub(crate) u32);

/// A subscript.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subscript {
    Fixed(u32),
    /// `counter * scale + shift` of a loop around, and perhaps something that is 0.
    Affine {
        counter: u32,
        scale: i128,
        shift: i128,
        zero: Option<ObjId>,
    },
    /// `counter + other + shift`
    Sum {
        counter: u32,
        other: u32,
        shift: i128,
    },
    /// `(unsigned)value % length`
    Computed {
        value: NodeId,
        length: u32,
    },
}

/// All nodes.
#[derive(Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    pub(crate) subscripts: Vec<Subscript>,
    pub(crate) arguments: Vec<NodeId>,
    /// Expressions that may be repeated here.
    pub(crate) kept: Vec<NodeId>,
}

impl Tree {
    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    pub(crate) fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }
}

/// The context of `&&`, `||` and `!`.
pub(crate) const LOGICAL: usize = 3;

/// The binary operators in the order of their row.
pub(crate) const BINARY: [BinaryOp; 18] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::BitAnd,
    BinaryOp::BitXor,
    BinaryOp::BitOr,
    BinaryOp::Lt,
    BinaryOp::Gt,
    BinaryOp::Le,
    BinaryOp::Ge,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::And,
    BinaryOp::Or,
];

const UNARY: [UnaryOp; 4] = [UnaryOp::Neg, UnaryOp::Plus, UnaryOp::BitNot, UnaryOp::Not];

/// The binary and unary operators of each context, by number.
const CONTEXTS: [(&[usize], &[usize]); 7] = [
    (&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17], &[0, 1, 2, 3]),
    (&[0, 1], &[0]),
    (&[7, 8, 9], &[2]),
    (&[16, 17], &[3]),
    (&[2, 3], &[]),
    (&[7, 8, 9, 5, 6], &[2]),
    (&[0, 1, 2, 3], &[0]),
];

impl Maker<'_> {
    /// How deep an expression is.
    pub(crate) fn expression_depth(&mut self) -> u32 {
        // Short loops are what loop passes work on.
        if self.in_loop() { 1 + self.draw(Row::InnerDepth) as u32 } else { 2 + self.draw(Row::Depth) as u32 }
    }

    /// An expression.
    pub(crate) fn expression(&mut self) -> NodeId {
        let depth = self.expression_depth();
        self.drawn(depth)
    }

    /// An expression of so many levels at most.
    pub(crate) fn drawn(&mut self, depth: u32) -> NodeId {
        self.left -= 2;
        let below_unary = std::mem::replace(&mut self.below_unary, false);
        if depth == 0 || self.left <= 0 {
            return self.leaf();
        }
        let common = self.has(Feature::CommonExpressions) && !self.tree.kept.is_empty();
        let (ternary, cast) = (self.has(Feature::Conditional), self.has(Feature::Casts));
        // `- -x` is folded before anything looks at it.
        let unary = !CONTEXTS[self.region.context].1.is_empty() && !below_unary;
        let kind = self.draw_of(Row::Expression, |at| match at {
            1 => unary,
            3 => ternary,
            4 => cast,
            5 => common,
            _ => true,
        });
        match kind {
            Some(1) => self.within(|maker| {
                let op = maker.unary_operator();
                maker.below_unary = true;
                let a = maker.drawn(depth - 1);
                let node = maker.tree.push(Node::Unary(op, a));
                maker.keep(node)
            }),
            Some(2) => self.within(|maker| {
                let op = maker.binary_operator();
                let (a, b) = (maker.drawn(depth - 1), maker.drawn(depth - 1));
                let node = maker.tree.push(Node::Binary(op, a, b));
                maker.keep(node)
            }),
            Some(3) => self.within(|maker| {
                let c = maker.drawn(depth - 1);
                let (a, b) = (maker.drawn(depth - 1), maker.drawn(depth - 1));
                maker.tree.push(Node::Ternary(c, a, b))
            }),
            Some(4) => {
                let ty = self.cast_type();
                let a = self.drawn(depth - 1);
                self.tree.push(Node::Cast(ty, a))
            }
            Some(5) => {
                let again = *self.choices.pick("again", &self.tree.kept).expect("some are kept");
                self.left -= 6;
                again
            }
            _ => self.leaf(),
        }
    }

    /// Keeps an expression to be repeated, in the place of another if there are enough.
    fn keep(&mut self, node: NodeId) -> NodeId {
        if !self.has(Feature::CommonExpressions) || !self.choices.chance("keep", 1, 3) {
            return node;
        }
        let inner = self.tree.kept.len() - self.outer;
        if self.tree.kept.len() < self.kept || inner < 2 {
            self.tree.kept.push(node);
        } else {
            // Those of the scopes around are still there when this one has ended.
            let at = self.outer + self.choices.range("forgotten", 0..=inner - 1);
            self.tree.kept[at] = node;
        }
        node
    }

    fn cast_type(&mut self) -> Ty {
        TYPES[self.draw(Row::Cast)]
    }

    fn unary_operator(&mut self) -> UnaryOp {
        let (_, allowed) = CONTEXTS[self.region.context];
        let at = self.draw_of(Row::Unary, |at| allowed.contains(&at));
        UNARY[at.unwrap_or_else(|| allowed.first().copied().unwrap_or(1))]
    }

    pub(crate) fn binary_operator(&mut self) -> BinaryOp {
        let (allowed, _) = CONTEXTS[self.region.context];
        let (division, shift) = (self.has(Feature::Division), self.has(Feature::Shift));
        let may = |at: usize| match at {
            3 | 4 => division,
            5 | 6 => shift,
            _ => true,
        };
        let at = self.draw_of(Row::Binary, |at| may(at) && allowed.contains(&at));
        BINARY[at.unwrap_or(allowed[0])]
    }

    /// A leaf.
    fn leaf(&mut self) -> NodeId {
        let node = match self.region.leaves {
            Leaves::Constants => self.constant_leaf(),
            Leaves::Half if self.choices.chance("constant", 1, 2) => self.constant_leaf(),
            _ => self.data_leaf(),
        };
        self.tree.push(node)
    }

    fn constant_leaf(&mut self) -> Node {
        let (ty, bits) = self.constant();
        Node::Constant(ty, bits)
    }

    fn data_leaf(&mut self) -> Node {
        let (locals, loops) = (!self.locals.is_empty(), !self.loops.is_empty());
        let pointers = !self.vars.pointers.is_empty();
        let half = self.region.leaves == Leaves::Half;
        let (lanes, enums) = (!self.vars.vectors.is_empty(), !self.vars.enums.is_empty());
        let walks = self.loops.iter().any(|around| around.walker.is_some());
        let calls = self.has(Feature::Calls) && self.may_call();
        let row = if loops { Row::InnerLeaf } else { Row::Leaf };
        let kind = self.draw_of(row, |at| match at {
            0 => !half,
            1 => locals,
            5 => pointers,
            6 => loops,
            7 => lanes,
            8 => enums,
            9 => calls,
            10 => walks,
            _ => true,
        });
        let node = match kind {
            Some(0) => Some(self.constant_leaf()),
            Some(1) => self.choices.pick("local", &self.locals).copied().map(Node::Cell),
            Some(3) => self.element_leaf(),
            Some(4) => self.member_leaf(),
            Some(5) => self.pointer_leaf(),
            Some(6) => Some(Node::Counter(self.choices.range("loop", 0..=self.loops.len() - 1) as u32)),
            Some(7) => self.lane_leaf(),
            Some(8) => self.enumerator_leaf().map(Node::Enumerator),
            Some(9) => self.call_leaf(),
            Some(10) => self.walk_leaf(),
            _ => None,
        };
        node.unwrap_or_else(|| self.global_leaf())
    }

    fn global_leaf(&mut self) -> Node {
        // What was written is read, or it would be dead.
        if self.choices.chance("recent", 1, 4)
            && let Some(&cell) = self.choices.pick("recent", &self.recent)
        {
            return Node::Cell(cell);
        }
        // The first two can be read.
        let at = self.choices.range("global", 0..=self.vars.scalars.len() - 1);
        let cell = self.vars.scalars[at];
        if self.cell(cell).category != Category::Output {
            return Node::Cell(cell);
        }
        Node::Cell(self.vars.scalars[self.choices.range("another", 0..=1usize)])
    }

    fn element_leaf(&mut self) -> Option<Node> {
        let at = self.choices.range("array", 0..=self.vars.arrays.len().checked_sub(1)?);
        if self.vars.arrays[at].category == Category::Output {
            return None;
        }
        Some(self.element(at))
    }

    /// An element of an array, its subscripts from the loops around.
    pub(crate) fn element(&mut self, array: usize) -> Node {
        let mut all = Vec::new();
        for at in 0..self.vars.arrays[array].dims.len() {
            let len = self.vars.arrays[array].dims[at];
            all.push(self.subscript(len));
        }
        // What a subscript is computed from has subscripts of its own.
        let first = Subscripts(self.tree.subscripts.len() as u32);
        self.tree.subscripts.extend(all);
        Node::Element(array as u32, first)
    }

    pub(crate) fn subscript(&mut self, len: u32) -> Subscript {
        let last = i128::from(len) - 1;
        let (many, scatter) = (self.loops.len() > 1, self.has(Feature::Scatter) && self.unsteady());
        let kind = self.draw_of(Row::Subscript, |at| match at {
            5 => many,
            6 => scatter,
            _ => true,
        });
        let kind = kind.unwrap_or(3);
        if kind == 6 {
            let value = self.drawn(1);
            return Subscript::Computed { value, length: len };
        }
        if !self.loops.is_empty() && kind != 3 {
            // Mostly what the innermost loop counts: the others are for the other dimensions.
            let inner = self.loops.len() - 1;
            let at = if self.choices.chance("inner", 1, 2) {
                inner
            } else {
                self.choices.range("counter", 0..=inner)
            };
            let (low, high) = self.loops[at].range;
            let other = self.choices.range("other", 0..=inner);
            if kind == 5 && other != at {
                let (least, most) = self.loops[other].range;
                let (from, to) = (-(low + least), last - (high + most));
                if from <= to {
                    let shift = if from <= 0 && 0 <= to { 0 } else { from };
                    return Subscript::Sum { counter: at as u32, other: other as u32, shift };
                }
            }
            let scale = match kind {
                2 => -1,
                4 => self.choices.range("scale", 2..=3),
                _ => 1,
            };
            let (least, most) = if scale < 0 { (-high, -low) } else { (low * scale, high * scale) };
            let (from, to) = (-least, last - most);
            if from <= to {
                let plain = kind == 0 && from <= 0 && 0 <= to;
                let near = (from.max(-3), to.min(3));
                let (from, to) = if scale > 0 && near.0 <= near.1 { near } else { (from, to) };
                let shift = if plain { 0 } else { self.choices.range("shift", from..=to) };
                let zero = self.hidden_zero();
                return Subscript::Affine { counter: at as u32, scale, shift, zero };
            }
        }
        Subscript::Fixed(self.choices.range("index", 0..=len - 1))
    }

    fn member_leaf(&mut self) -> Option<Node> {
        let at = self.choices.range("struct", 0..=self.vars.records.len().checked_sub(1)?);
        let record = &self.vars.records[at];
        if record.category == Category::Output {
            return None;
        }
        self.choices.pick("member", &record.members).copied().map(Node::Cell)
    }

    fn pointer_leaf(&mut self) -> Option<Node> {
        let at = self.choices.range("pointer", 0..=self.vars.pointers.len().checked_sub(1)?);
        if self.cell(self.vars.pointers[at].to).category == Category::Output {
            return None;
        }
        Some(Node::Pointed(at as u32))
    }
}
