//! How deep brackets are nested in the text of a program: clang takes 256 of a kind, and says so only of the text.

use super::{Change, Refused};
use crate::print::{PrintOptions, unit};
use crate::program::{Item, Program, StmtKind};
use crate::ty::VlaId;
use crate::visit::{self, Node, Role};
use rustc_hash::FxHashSet;

/// clang's `-fbracket-depth`, for each of `(`, `[` and `{`.
const DEEPEST: usize = 256;

/// How deep nodes may be in each other before the text is looked at: none writes more than one bracket of a kind
/// around another, but types may have some of their own.
const UNSEEN: usize = 100;

impl Change<'_> {
    /// Refuses brackets that are nested too deep, if those before were not as deep.
    pub(super) fn check_brackets(&mut self) -> Result<(), Refused> {
        if nodes(self.program()) <= UNSEEN {
            return Ok(());
        }
        let now = brackets(self.program());
        if now <= DEEPEST || now <= self.before(brackets) {
            return Ok(());
        }
        Err(Refused::Place("some compilers take no brackets nested so deep"))
    }
}

/// How deep nodes are in each other.
fn nodes(program: &Program) -> usize {
    let mut deepest = 0;
    let mut open: Vec<(Node, usize)> = Vec::new();
    let mut bounds: FxHashSet<VlaId> = FxHashSet::default();
    for &item in program.units.iter().flat_map(|unit| &unit.items) {
        visit::of_item(program, item, &mut |part| open.push((part.node, 1)));
        open.extend(defined(program, item).map(|func| (func, 1)));
        while let Some((node, depth)) = open.pop() {
            deepest = deepest.max(depth);
            visit::parts(program, node, |part| match part.role {
                // Types that are written twice at each of n levels have 2^n bounds.
                Role::Bound(vla) if !bounds.insert(vla) => {}
                _ => open.push((part.node, depth + 1)),
            });
            if let Node::Stmt(s) = node
                && let StmtKind::Item(item) = program.stmts[s].kind
            {
                open.extend(defined(program, item).map(|func| (func, depth + 1)));
            }
        }
    }
    deepest
}

fn defined(program: &Program, item: Item) -> Option<Node> {
    match item {
        Item::Decl(decl) => visit::defined_by(program, decl).map(Node::Function),
        _ => None,
    }
}

/// The deepest nesting of one kind of bracket in the text of any unit.
fn brackets(program: &Program) -> usize {
    let text = |index: usize| unit(program, index, &PrintOptions::default());
    (0..program.units.len()).map(|index| nesting(&text(index))).max().unwrap_or(0)
}

fn nesting(text: &str) -> usize {
    let (mut open, mut deepest) = ([0usize; 3], 0);
    let mut quote: Option<u8> = None;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if let Some(end) = quote {
            match byte {
                b'\\' => {
                    bytes.next();
                }
                _ if byte == end => quote = None,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' | b'\'' => quote = Some(byte),
            _ => {
                if let Some(kind) = b"([{".iter().position(|&known| known == byte) {
                    open[kind] += 1;
                    deepest = deepest.max(open[kind]);
                } else if let Some(kind) = b")]}".iter().position(|&known| known == byte) {
                    open[kind] = open[kind].saturating_sub(1);
                }
            }
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::nesting;

    #[test]
    fn kinds_of_brackets_are_counted_apart_and_not_in_literals() {
        assert_eq!(nesting("f(a[(1)], \"((((\", '(', '\\'', \"\\\"((((\")"), 2);
        assert_eq!(nesting("{ { [[[]]] } }"), 3);
        assert_eq!(nesting("()()[]{}"), 1);
    }
}
