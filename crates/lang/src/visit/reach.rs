//! What of a program's arenas is part of the program. They also hold what was read and dropped (the operand of a
//! `typeof`), and what edits have replaced.

use super::{Node, Part, Walk};
use crate::id::Id;
use crate::program::{ExprId, InitId, Item, Program, StmtId};

/// The nodes that can be reached from a program's units.
///
/// ```
/// use howler_lang::program::{ExprId, Program};
/// use howler_lang::visit::Reached;
///
/// /// The expressions that are part of the program.
/// fn expressions(program: &Program) -> Vec<ExprId> {
///     let reached = Reached::of(program);
///     program.exprs.ids().filter(|&e| reached.expr(e)).collect()
/// }
/// ```
pub struct Reached {
    exprs: Vec<u64>,
    stmts: Vec<u64>,
    inits: Vec<u64>,
}

impl Reached {
    /// Goes over a program once.
    pub fn of(program: &Program) -> Reached {
        let bits = |len: usize| vec![0; len.div_ceil(64)];
        let mut reached = Reached {
            exprs: bits(program.exprs.len()),
            stmts: bits(program.stmts.len()),
            inits: bits(program.inits.len()),
        };
        each(program, |part| {
            match part.node {
                Node::Expr(e) => set(&mut reached.exprs, e),
                Node::Stmt(s) => set(&mut reached.stmts, s),
                Node::Init(i) => set(&mut reached.inits, i),
                Node::Function(_) => {}
            };
        });
        reached
    }

    /// Whether an expression is part of the program.
    pub fn expr(&self, e: ExprId) -> bool {
        get(&self.exprs, e)
    }

    /// Whether a statement is part of the program.
    pub fn stmt(&self, s: StmtId) -> bool {
        get(&self.stmts, s)
    }

    /// Whether an initialiser is part of the program.
    pub fn init(&self, i: InitId) -> bool {
        get(&self.inits, i)
    }
}

fn set(bits: &mut [u64], id: impl Id) {
    bits[id.index() / 64] |= 1 << (id.index() % 64);
}

fn get(bits: &[u64], id: impl Id) -> bool {
    bits.get(id.index() / 64).is_some_and(|word| word >> (id.index() % 64) & 1 == 1)
}

/// Calls `f` with every node that is part of the program: all of [`Everything`](super::Everything) but the items themselves.
pub fn each(program: &Program, mut f: impl FnMut(Part)) {
    for unit in &program.units {
        for &item in &unit.items {
            each_of_item(program, item, &mut f);
        }
    }
}

/// The same for one item of a unit.
pub fn each_of_item(program: &Program, item: Item, f: &mut impl FnMut(Part)) {
    let mut walk = Walk::nothing(program);
    walk.push_item(item);
    while let Some(part) = walk.next_deep() {
        f(part);
    }
}
