//! An edit in a line of text, for what stores cases.

use super::fragment::{Fragment, Shown, read_ref};
use super::step::{Edit, ItemRef, Operand, Place, Ref};
use crate::id::Id;
use crate::program::StmtId;
use crate::ty::{EnumId, RecordId};
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

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Edit::Remove(s) => write!(f, "remove {}", Shown('s', *s)),
            Edit::Insert { place, code } => write!(f, "insert {place} {code}"),
            Edit::Copy { first, last, place, renaming } => {
                write!(f, "copy {} {place}", Stmts(*first, *last))?;
                renaming
                    .iter()
                    .try_for_each(|(from, to)| write!(f, " {}={}", Shown('o', *from), Shown('o', *to)))
            }
            Edit::Wrap { first, last } => write!(f, "wrap {}", Stmts(*first, *last)),
            Edit::Replace { at, with } => match with {
                Operand::Part(e) => write!(f, "replace {} part {}", Shown('e', *at), Shown('e', *e)),
                Operand::Copy(e) => write!(f, "replace {} copy {}", Shown('e', *at), Shown('e', *e)),
                Operand::Code(code) => write!(f, "replace {} code {code}", Shown('e', *at)),
            },
            Edit::Outline { first, last } => write!(f, "outline {}", Stmts(*first, *last)),
            Edit::CopyFunction(func) => write!(f, "copy-function {}", Shown('f', *func)),
            Edit::Redirect { from, to } => write!(f, "redirect {} {}", Shown('f', *from), Shown('f', *to)),
            Edit::RemoveFunction(func) => write!(f, "remove-function {}", Shown('f', *func)),
            Edit::RemoveItem(item) => match item {
                ItemRef::RecordTag(id) => write!(f, "remove-item tag {}", id.index()),
                ItemRef::Record(id) => write!(f, "remove-item record {}", id.index()),
                ItemRef::Enum(id) => write!(f, "remove-item enum {}", id.index()),
                ItemRef::Decl(decl) => write!(f, "remove-item {}", Shown('d', *decl)),
            },
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
    let code = |words: &[&str]| words.join(" ").parse::<Fragment>().ok();
    Some(match (verb, &words[..]) {
        ("remove", [s]) => Edit::Remove(read_ref(s, 's')?),
        ("insert", [kind, s, rest @ ..]) => Edit::Insert { place: place(kind, s)?, code: code(rest)? },
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
        ("remove-item", ["tag", id]) => {
            Edit::RemoveItem(ItemRef::RecordTag(RecordId::from_index(index(id)?)))
        }
        ("remove-item", ["record", id]) => {
            Edit::RemoveItem(ItemRef::Record(RecordId::from_index(index(id)?)))
        }
        ("remove-item", ["enum", id]) => Edit::RemoveItem(ItemRef::Enum(EnumId::from_index(index(id)?))),
        ("remove-item", [decl]) => Edit::RemoveItem(ItemRef::Decl(read_ref(decl, 'd')?)),
        _ => return None,
    })
}

/// A number that an id can have.
fn index(text: &str) -> Option<usize> {
    text.parse::<u32>().ok().filter(|&number| number < u32::MAX).map(|number| number as usize)
}
