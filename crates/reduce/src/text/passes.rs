//! The passes on text.

use super::{Removal, Text};
use crate::engine::Pass;

/// All of them, those that remove the most first.
pub const PASSES: &[&dyn Pass<Text, Removal>] = &[
    &Remove { name: "declarations-text", find: declarations },
    &Remove { name: "lines", find: lines },
    &Remove { name: "brackets", find: brackets },
    &Remove { name: "commas", find: commas },
    &Remove { name: "tokens", find: tokens },
];

/// A pass that removes what a function finds.
struct Remove {
    name: &'static str,
    find: fn(&Text) -> Vec<Removal>,
}

impl Pass<Text, Removal> for Remove {
    fn name(&self) -> &'static str {
        self.name
    }

    fn proposals(&self, subject: &Text) -> Vec<Removal> {
        (self.find)(subject)
    }

    fn apply(&self, subject: &Text, proposals: &[Removal]) -> Option<Text> {
        subject.without(proposals)
    }
}

/// What ends with a semicolon or a closing brace outside of brackets; and directives.
fn declarations(text: &Text) -> Vec<Removal> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0usize, None);
    for at in text.there() {
        let begin = *start.get_or_insert(at);
        match text.pieces.text(at) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = matches!(text.pieces.text(at), ";" | "}") || text.pieces.is_directive(at);
        if ends && depth == 0 {
            found.push(Removal::one(begin..at + 1));
            start = None;
        }
    }
    found
}

/// Lines as they were written.
fn lines(text: &Text) -> Vec<Removal> {
    let mut found = Vec::new();
    let mut start = None;
    for at in text.there() {
        let begin = *start.get_or_insert(at);
        if text.pieces.ends_line(at) {
            found.push(Removal::one(begin..at + 1));
            start = None;
        }
    }
    found
}

/// Brackets with what is in them, what is in them, and they alone; a statement's block goes with its head.
fn brackets(text: &Text) -> Vec<Removal> {
    let mut found = Vec::new();
    // Where each open bracket is, and where the statement around it began.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut begin = 0;
    for at in text.there() {
        match text.pieces.text(at) {
            "(" | "[" | "{" => {
                open.push((at, begin));
                begin = at + 1;
            }
            ")" | "]" | "}" => {
                let Some((from, head)) = open.pop() else { continue };
                found.push(Removal::one(from..at + 1));
                if from + 1 < at {
                    found.push(Removal::one(from + 1..at));
                }
                found.push(Removal::two(from..from + 1, at..at + 1));
                let block = text.pieces.text(at) == "}";
                if block && head < from {
                    found.push(Removal::one(head..at + 1));
                    found.push(Removal::two(head..from + 1, at..at + 1));
                }
                begin = if block { at + 1 } else { head };
            }
            ";" => {
                if begin < at {
                    found.push(Removal::one(begin..at + 1));
                }
                begin = at + 1;
            }
            _ => {}
        }
    }
    found
}

/// A comma with what is before it or behind it, up to the next comma or the end of the brackets.
fn commas(text: &Text) -> Vec<Removal> {
    let there = text.there();
    let mut found = Vec::new();
    for (index, &at) in there.iter().enumerate() {
        if text.pieces.text(at) != "," {
            continue;
        }
        let mut depth = 0usize;
        let behind = there[index + 1..].iter().copied().find(|&next| match text.pieces.text(next) {
            "(" | "[" | "{" => {
                depth += 1;
                false
            }
            ")" | "]" | "}" if depth > 0 => {
                depth -= 1;
                false
            }
            ")" | "]" | "}" => true,
            "," | ";" => depth == 0,
            _ => false,
        });
        found.extend(behind.map(|end| Removal::one(at..end)));
        let mut depth = 0usize;
        let before = there[..index].iter().rev().copied().find(|&back| match text.pieces.text(back) {
            ")" | "]" | "}" => {
                depth += 1;
                false
            }
            "(" | "[" | "{" if depth > 0 => {
                depth -= 1;
                false
            }
            "(" | "[" | "{" => true,
            "," | ";" => depth == 0,
            _ => false,
        });
        found.extend(before.map(|start| Removal::one(start + 1..at + 1)));
    }
    found
}

/// Single tokens, and pairs of them.
fn tokens(text: &Text) -> Vec<Removal> {
    text.there().into_iter().map(|at| Removal::one(at..at + 1)).collect()
}
