//! `#pragma pack`: what it asks for, and the state it changes.

use howler_lang::symbol::Symbol;

/// What a `#pragma pack` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pack {
    /// `pack(n)`; `pack()` and `pack(0)` set 0, the layout without packing.
    Set(u8),
    /// `pack(push)`, `pack(push, n)`, `pack(push, name, n)`.
    Push {
        /// The name to pop by.
        name: Option<Symbol>,
        /// The new value; none keeps the current one.
        value: Option<u8>,
    },
    /// `pack(pop)`, `pack(pop, name)`.
    Pop {
        /// Pops up to and including the entry of this name.
        name: Option<Symbol>,
    },
}

/// The state that `#pragma pack` lines change.
#[derive(Clone, Debug, Default)]
pub struct PackStack {
    current: u8,
    saved: Vec<(Option<Symbol>, u8)>,
}

impl PackStack {
    /// The value in force: the largest alignment of a member, or 0.
    pub fn current(&self) -> u8 {
        self.current
    }

    /// Does what the pragma asks. A pop that finds nothing changes nothing, as in gcc.
    pub fn apply(&mut self, pack: Pack) {
        match pack {
            Pack::Set(value) => self.current = value,
            Pack::Push { name, value } => {
                self.saved.push((name, self.current));
                self.current = value.unwrap_or(self.current);
            }
            Pack::Pop { name: None } => {
                if let Some((_, value)) = self.saved.pop() {
                    self.current = value;
                }
            }
            Pack::Pop { name } => {
                if let Some(at) = self.saved.iter().rposition(|entry| entry.0 == name) {
                    self.current = self.saved[at].1;
                    self.saved.truncate(at);
                }
            }
        }
    }
}
