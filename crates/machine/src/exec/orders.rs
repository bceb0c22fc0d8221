//! Runs with chosen orders: which operands of an expression come first, for each time the expression is evaluated.
//!
//! Calls in one expression are indeterminately sequenced (C17 6.5.2.2p10). Where what two of them did conflicts, the
//! result may depend on their order, and the only proof that it does not is to try every order. A *meeting* is one
//! evaluation of operands that are not sequenced with each other; meetings are numbered as they begin. A `Plan` says
//! for some of them in which order their operands are evaluated; the others take the usual one. A run with a plan
//! reports the meetings that conflicted, and `judge::orders` makes the next plans from that.
//!
//! Why this is exact: operands that do not conflict commute, so that another order of them leads to the same state
//! and need not be tried. If all orders of the conflicting operands of each meeting were tried, given every choice
//! made at the meetings before it, all executions were seen. Operands are moved as wholes; where two calls inside one
//! operand both conflict with another operand, an order in which that other comes between them could not be tried, and
//! the meeting is `tangled`: nothing is proven. Arithmetic is flattened when it is lowered, so that this is rare.
//!
//! Nothing here costs anything in a run without a plan: the blocks of operands are found in the bytecode only when one
//! is given.

use super::Exec;
use crate::op::{Op, READ_AFTER_FIRST, READ_AFTER_SECOND};
use howler_lang::source::Pos;
use rustc_hash::FxHashMap;

/// The order of the operands of one meeting: the places of the operands as they are written in the bytecode.
pub type Permutation = Vec<u8>;

/// Which orders a run takes.
#[derive(Clone, Default, Debug)]
pub struct Plan {
    /// Meetings by number, and their orders.
    pub choices: Vec<(u64, Permutation)>,
}

/// A conflict between operands that are indeterminately sequenced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The number of the meeting, in a run with a plan.
    pub number: Option<u64>,
    /// How many operands there are.
    pub operands: usize,
    /// Those that conflict with another, by their places in the bytecode.
    pub conflicting: Vec<u8>,
    /// Whether orders are possible that cannot be tried.
    pub tangled: bool,
    /// Where the expression is.
    pub pos: Pos,
    /// The calls of a first pair, as far as they are calls.
    pub calls: Vec<Pos>,
    /// The access of that pair that is no call.
    pub operand: Pos,
    /// What they conflict about.
    pub about: String,
    /// Where that was declared or allocated.
    pub declared: Pos,
}

/// Operands as blocks of instructions.
struct Blocks {
    /// Where each begins; the instruction before parts it from its neighbour.
    starts: Vec<u32>,
    /// The instruction that joins them.
    join: u32,
    /// Operands from here on keep their place: the read of a compound assignment comes last.
    fixed: usize,
}

struct Active {
    frame: u64,
    func: u32,
    open: u32,
    number: u64,
    order: Permutation,
    position: usize,
}

/// A plan being followed.
#[derive(Default)]
pub(super) struct Following {
    choices: FxHashMap<u64, Permutation>,
    begun: u64,
    active: Vec<Active>,
    /// The blocks of each function that was entered, by the instruction that begins them.
    blocks: FxHashMap<u32, FxHashMap<u32, Blocks>>,
}

impl Following {
    pub(super) fn new(plan: &Plan) -> Following {
        Following { choices: plan.choices.iter().cloned().collect(), ..Following::default() }
    }
}

/// Finds the operands that are joined.
fn blocks_of(ops: &[Op]) -> FxHashMap<u32, Blocks> {
    let mut found = FxHashMap::default();
    // For each list of operands that is open, the instruction that began it and where its operands begin. A full
    // expression hides those around it.
    let mut open: Vec<(u32, Vec<u32>)> = Vec::new();
    let mut begins = Vec::new();
    for (at, op) in (0u32..).zip(ops) {
        match *op {
            Op::SeqBegin => begins.push(open.len()),
            Op::SeqEnd => open.truncate(begins.pop().unwrap_or(0)),
            Op::SeqOpen => open.push((at, vec![at + 1])),
            Op::SeqNext => {
                if let Some((_, starts)) = open.last_mut() {
                    starts.push(at + 1);
                }
            }
            Op::SeqClose => {
                open.pop();
            }
            Op::SeqJoin { operands } => {
                let fixed = operands & (READ_AFTER_FIRST | READ_AFTER_SECOND) != 0;
                let count = (operands & !(READ_AFTER_FIRST | READ_AFTER_SECOND)) as usize;
                let Some((first, starts)) = open.last() else { continue };
                if starts.len() == count {
                    let fixed = if fixed { count - 1 } else { count };
                    found.insert(*first, Blocks { starts: starts.clone(), join: at, fixed });
                } else if count <= open.len() && open[open.len() - count..].iter().all(|it| it.1.len() == 1) {
                    // The parts of an initialiser are opened one by one.
                    let parts = open.split_off(open.len() - count + 1);
                    let first = open.last().map_or(at, |first| first.0);
                    let starts = std::iter::once(first + 1).chain(parts.iter().map(|part| part.0 + 1));
                    found.insert(first, Blocks { starts: starts.collect(), join: at, fixed: count });
                }
            }
            _ => {}
        }
    }
    found
}

impl Exec<'_> {
    /// An instruction that begins, parts or joins operands, in a run with a plan: where to go on instead, if so.
    /// The instruction is the one before `pc`.
    pub(super) fn follow(&mut self, op: Op, pc: usize) -> Option<usize> {
        let frame = self.frames.last()?;
        let (id, func) = (frame.id, frame.func);
        let at = (pc - 1) as u32;
        let function = self.function();
        let plan = self.plan.as_mut()?;
        let blocks = plan.blocks.entry(func).or_insert_with(|| blocks_of(&function.ops));
        // The end of an operand of the innermost meeting of this call, or of one around those that were left.
        let ended = plan.active.iter().rposition(|active| {
            active.frame == id
                && blocks
                    .get(&active.open)
                    .is_some_and(|it| it.join == at || it.starts[1..].contains(&(at + 1)))
        });
        if let Some(index) = ended {
            plan.active.truncate(index + 1);
            let active = plan.active.last_mut()?;
            let blocks = blocks.get(&active.open)?;
            active.position += 1;
            let next = active.order.get(active.position);
            return match next {
                Some(&next) => {
                    self.seq.open();
                    Some(blocks.starts[usize::from(next)] as usize)
                }
                // The joining instruction itself does the rest.
                None if at == blocks.join => None,
                None => Some(blocks.join as usize),
            };
        }
        let Op::SeqOpen = op else { return None };
        let blocks = blocks.get(&at)?;
        let number = plan.begun;
        plan.begun += 1;
        let count = blocks.starts.len();
        let usual = || (0..count).map(|index| index as u8).collect();
        let order: Permutation = plan.choices.get(&number).cloned().unwrap_or_else(usual);
        let first = order.first().map_or(0, |&first| usize::from(first));
        let start = blocks.starts[first] as usize;
        plan.active.push(Active { frame: id, func, open: at, number, order, position: 0 });
        self.seq.open();
        Some(start)
    }

    /// The meeting that is joined by the instruction before `pc`: its number, the places of its operands in the order
    /// they were evaluated, and how many of them may change places.
    pub(super) fn met(&mut self, pc: usize) -> Option<(u64, Permutation, usize)> {
        let frame = self.frames.last()?.id;
        let plan = self.plan.as_mut()?;
        let active = plan.active.last()?;
        let blocks = plan.blocks.get(&active.func)?.get(&active.open)?;
        if active.frame != frame || blocks.join as usize != pc - 1 {
            return None;
        }
        let fixed = blocks.fixed;
        let active = plan.active.pop()?;
        Some((active.number, active.order, fixed))
    }
}
