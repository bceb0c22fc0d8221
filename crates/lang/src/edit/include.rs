//! What is written as an `#include` line is not the program's to change: the line stays what it is.

use super::{Change, Refused};
use crate::program::{ExprId, InitId, Item, Program, StmtId};
use crate::visit::{Found, Node};
use rustc_hash::FxHashSet;

const INCLUDED: Refused = Refused::Place("it comes from a file that is included");

impl Change<'_> {
    /// Refuses a change of what stands between the marks of an included file. `all` is the program as it is now.
    pub(super) fn check_included(&mut self, all: &[Found]) -> Result<(), Refused> {
        let has = |program: &Program| {
            program.units.iter().any(|unit| unit.items.iter().any(|item| matches!(item, Item::Include(_))))
        };
        if !has(self.program()) && !self.before(has) {
            return Ok(());
        }
        if self.before(included) != included(self.program()) {
            return Err(INCLUDED);
        }
        let (mut exprs, mut stmts, mut inits) =
            (FxHashSet::<ExprId>::default(), FxHashSet::<StmtId>::default(), FxHashSet::<InitId>::default());
        for node in self.written() {
            match node {
                Node::Expr(e) => exprs.insert(e),
                Node::Stmt(s) => stmts.insert(s),
                Node::Init(i) => inits.insert(i),
                Node::Function(_) => continue,
            };
        }
        let mut depth = 0u32;
        for found in all {
            let written = match *found {
                Found::Item { item: Item::Include(_), .. } => {
                    depth += 1;
                    false
                }
                Found::Item { item: Item::IncludeEnd, .. } => {
                    depth = depth.saturating_sub(1);
                    false
                }
                Found::Item { .. } => false,
                Found::Part(part) => match part.node {
                    Node::Expr(e) => exprs.contains(&e),
                    Node::Stmt(s) => stmts.contains(&s),
                    Node::Init(i) => inits.contains(&i),
                    Node::Function(_) => false,
                },
            };
            if depth > 0 && written {
                return Err(INCLUDED);
            }
        }
        Ok(())
    }
}

/// The included files of every unit with what they declare.
fn included(program: &Program) -> Vec<(usize, Item)> {
    let mut found = Vec::new();
    for (number, unit) in program.units.iter().enumerate() {
        let mut depth = 0u32;
        for &item in &unit.items {
            match item {
                Item::Include(_) => depth += 1,
                Item::IncludeEnd => depth = depth.saturating_sub(1),
                _ if depth == 0 => continue,
                _ => {}
            }
            found.push((number, item));
        }
    }
    found
}
