//! Initialisers.

use super::{ExprId, InitId};

/// An initialiser, fully structured: braces left out in the source are here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Init {
    /// An expression of the object's type (or a string literal for an array).
    Expr(ExprId),
    /// Braces: parts in source order; what is not named is zero. As an entry it replaces its part as a whole, whatever
    /// earlier entries gave it (C17 6.7.9p19), and so does an expression.
    List(EntryList),
    /// Designators that go on into a part: those named change, the rest stays as the earlier entries left it, or
    /// zero. Only as an entry of a list or of another update, for a range or where an earlier entry may cover the part
    /// and could not take the change itself: `{"abc", [0][1] = 'q'}`, `{[0 ... 1].a = f(), [1].b = 3}`.
    Update(EntryList),
}

/// A list of entries in [`Program::entries`](super::Program::entries).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryList {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl EntryList {
    /// How many entries it holds.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether it is empty.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// One part of a braced initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InitEntry {
    /// The first element or the field it initialises.
    pub index: u64,
    /// The last element: GNU `[first ... last] =`; otherwise equal to `index`.
    pub last: u64,
    /// The value.
    pub init: InitId,
}
