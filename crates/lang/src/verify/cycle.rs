//! Nothing is a part of itself: what every other rule relies on when it walks.

use super::Faults;
use crate::id::Id;
use crate::program::Program;
use crate::visit::{self, Node};

/// Where the search is with a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// Some of its parts are still to come, so meeting it again closes a cycle.
    Open,
    Done,
}

/// The states of all nodes, by the arenas they are in.
struct States {
    exprs: Vec<State>,
    stmts: Vec<State>,
    inits: Vec<State>,
}

impl States {
    fn of(&mut self, node: Node) -> Option<&mut State> {
        match node {
            Node::Expr(id) => self.exprs.get_mut(id.index()),
            Node::Stmt(id) => self.stmts.get_mut(id.index()),
            Node::Init(id) => self.inits.get_mut(id.index()),
            // A function is never a part of anything.
            Node::Function(_) => None,
        }
    }
}

/// Reports the nodes that are parts of themselves, or of their parts.
pub(super) fn check(program: &Program, faults: &mut Faults) {
    let mut states = States {
        exprs: vec![State::New; program.exprs.len()],
        stmts: vec![State::New; program.stmts.len()],
        inits: vec![State::New; program.inits.len()],
    };
    let exprs = program.exprs.ids().map(Node::Expr);
    let stmts = program.stmts.ids().map(Node::Stmt);
    let inits = program.inits.ids().map(Node::Init);
    let mut work: Vec<Node> = Vec::new();
    for root in exprs.chain(stmts).chain(inits) {
        work.push(root);
        while let Some(&node) = work.last() {
            let Some(state) = states.of(node) else {
                work.pop();
                continue;
            };
            match *state {
                // Its parts have all been on top of it.
                State::Open => *state = State::Done,
                State::Done => {}
                State::New => {
                    *state = State::Open;
                    visit::parts(program, node, |part| match states.of(part.node) {
                        Some(State::New) => work.push(part.node),
                        Some(State::Open) => report(part.node, faults),
                        Some(State::Done) | None => {}
                    });
                    continue;
                }
            }
            work.pop();
        }
    }
}

fn report(node: Node, faults: &mut Faults) {
    let rule = match node {
        Node::Expr(_) => "E-order",
        Node::Init(_) => "D-order",
        Node::Stmt(_) | Node::Function(_) => "S-once",
    };
    faults.add(rule, || format!("{node:?} is a part of itself"));
}
