//! An edit in a line of text, for what stores cases.

use super::fragment::{Fragment, Shown, read_ref};
use super::step::{Edit, ItemPlace, ItemRef, Operand, Place, Ref};
use crate::program::StmtId;
use std::fmt;
use std::str::FromStr;

struct Stmts(Ref<StmtId>, Ref<StmtId>);

impl fmt::Display for Stmts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", Shown('s', self.0), Shown('s', self.1))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Place::Before(s) => write!(f, "before {}", Shown('s', s)),
            Place::End(s) => write!(f, "end {}", Shown('s', s)),
            Place::Instead(s) => write!(f, "instead {}", Shown('s', s)),
        }
    }
}

impl fmt::Display for ItemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ItemRef::RecordTag(id) => write!(f, "{}", Shown('t', id)),
            ItemRef::Record(id) => write!(f, "{}", Shown('r', id)),
            ItemRef::Enum(id) => write!(f, "{}", Shown('n', id)),
            ItemRef::Decl(decl) => write!(f, "{}", Shown('d', decl)),
        }
    }
}

impl fmt::Display for ItemPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ItemPlace::Start(unit) => write!(f, "start {unit}"),
            ItemPlace::End(unit) => write!(f, "end {unit}"),
            ItemPlace::Before(item) => write!(f, "before {item}"),
            ItemPlace::After(item) => write!(f, "after {item}"),
        }
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Edit::Remove(s) => write!(f, "remove {}", Shown('s', *s)),
            Edit::Insert { place, code } => write!(f, "insert {place} {code}"),
            Edit::Declare { place, code } => write!(f, "declare {place} {code}"),
            Edit::Copy { first, last, place, renaming } => {
                write!(f, "copy {} {place}", Stmts(*first, *last))?;
                renaming
                    .iter()
                    .try_for_each(|(from, to)| write!(f, " {}={}", Shown('o', *from), Shown('o', *to)))
            }
            Edit::Wrap { first, last } => write!(f, "wrap {}", Stmts(*first, *last)),
            Edit::Move { first, last, place } => write!(f, "move {} {place}", Stmts(*first, *last)),
            Edit::Replace { at, with } => match with {
                Operand::Part(e) => write!(f, "replace {} part {}", Shown('e', *at), Shown('e', *e)),
                Operand::Copy(e) => write!(f, "replace {} copy {}", Shown('e', *at), Shown('e', *e)),
                Operand::Code(code) => write!(f, "replace {} code {code}", Shown('e', *at)),
            },
            Edit::Outline { first, last } => write!(f, "outline {}", Stmts(*first, *last)),
            Edit::CopyFunction(func) => write!(f, "copy-function {}", Shown('f', *func)),
            Edit::Redirect { from, to } => write!(f, "redirect {} {}", Shown('f', *from), Shown('f', *to)),
            Edit::RemoveFunction(func) => write!(f, "remove-function {}", Shown('f', *func)),
            Edit::RemoveItem(item) => write!(f, "remove-item {item}"),
        }
    }
}

impl FromStr for Edit {
    type Err = String;

    fn from_str(text: &str) -> Result<Edit, String> {
        read(text).ok_or_else(|| format!("`{text}` is no edit"))
    }
}

fn read(text: &str) -> Option<Edit> {
    let (verb, rest) = text.split_once(' ')?;
    let words: Vec<&str> = rest.split(' ').collect();
    let stmts = |text: &str| {
        let (first, last) = text.split_once('-')?;
        Some((read_ref(first, 's')?, read_ref(last, 's')?))
    };
    let place = |kind: &str, s: &str| {
        let s = read_ref(s, 's')?;
        match kind {
            "before" => Some(Place::Before(s)),
            "end" => Some(Place::End(s)),
            "instead" => Some(Place::Instead(s)),
            _ => None,
        }
    };
    let item_place = |kind: &str, at: &str| {
        Some(match kind {
            "start" => ItemPlace::Start(at.parse().ok()?),
            "end" => ItemPlace::End(at.parse().ok()?),
            "before" => ItemPlace::Before(item(at)?),
            "after" => ItemPlace::After(item(at)?),
            _ => return None,
        })
    };
    let code = |words: &[&str]| words.join(" ").parse::<Fragment>().ok();
    Some(match (verb, &words[..]) {
        ("remove", [s]) => Edit::Remove(read_ref(s, 's')?),
        ("insert", [kind, s, rest @ ..]) => Edit::Insert { place: place(kind, s)?, code: code(rest)? },
        ("declare", [kind, at, rest @ ..]) => {
            Edit::Declare { place: item_place(kind, at)?, code: code(rest)? }
        }
        ("copy", [range, kind, s, rest @ ..]) => {
            let (first, last) = stmts(range)?;
            let renaming = rest.iter().map(|pair| {
                let (from, to) = pair.split_once('=')?;
                Some((read_ref(from, 'o')?, read_ref(to, 'o')?))
            });
            Edit::Copy { first, last, place: place(kind, s)?, renaming: renaming.collect::<Option<_>>()? }
        }
        ("wrap", [range]) => {
            let (first, last) = stmts(range)?;
            Edit::Wrap { first, last }
        }
        ("move", [range, kind, s]) => {
            let (first, last) = stmts(range)?;
            Edit::Move { first, last, place: place(kind, s)? }
        }
        ("outline", [range]) => {
            let (first, last) = stmts(range)?;
            Edit::Outline { first, last }
        }
        ("replace", [at, "part", e]) => {
            Edit::Replace { at: read_ref(at, 'e')?, with: Operand::Part(read_ref(e, 'e')?) }
        }
        ("replace", [at, "copy", e]) => {
            Edit::Replace { at: read_ref(at, 'e')?, with: Operand::Copy(read_ref(e, 'e')?) }
        }
        ("replace", [at, "code", rest @ ..]) => {
            Edit::Replace { at: read_ref(at, 'e')?, with: Operand::Code(code(rest)?) }
        }
        ("copy-function", [func]) => Edit::CopyFunction(read_ref(func, 'f')?),
        ("redirect", [from, to]) => Edit::Redirect { from: read_ref(from, 'f')?, to: read_ref(to, 'f')? },
        ("remove-function", [func]) => Edit::RemoveFunction(read_ref(func, 'f')?),
        ("remove-item", [one]) => Edit::RemoveItem(item(one)?),
        _ => return None,
    })
}

/// A declaration, by the letter of its kind.
fn item(text: &str) -> Option<ItemRef> {
    let own = text.split_once('.').map_or(text, |(_, own)| own);
    Some(match own.chars().next()? {
        't' => ItemRef::RecordTag(read_ref(text, 't')?),
        'r' => ItemRef::Record(read_ref(text, 'r')?),
        'n' => ItemRef::Enum(read_ref(text, 'n')?),
        _ => ItemRef::Decl(read_ref(text, 'd')?),
    })
}
