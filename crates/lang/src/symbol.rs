//! Interned identifiers: one `u32` per distinct spelling.

use crate::id::Id;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

crate::define_id! {
    /// An identifier's spelling. Equal symbols of one table have equal spellings.
    Symbol;
}

/// The keywords of C and GNU C, in every edition up to C23.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "alignas", "alignof", "asm", "auto", "bool", "break", "case", "char", "const", "constexpr", "continue",
    "default", "do", "double", "else", "enum", "extern", "false", "float", "for", "goto", "if", "inline",
    "int", "long", "nullptr", "register", "restrict", "return", "short", "signed", "sizeof", "static",
    "static_assert", "struct", "switch", "thread_local", "true", "typedef", "typeof", "typeof_unqual",
    "union", "unsigned", "void", "volatile", "while", "_Alignas", "_Alignof", "_Atomic", "_Bool",
    "_Complex", "_Generic", "_Imaginary", "_Noreturn", "_Static_assert", "_Thread_local",
];

/// Whether a text can be a name in C: an identifier (C17 6.4.2.1) that is no keyword.
///
/// ```
/// use howler_lang::symbol::is_identifier;
/// assert!(is_identifier("x_1") && !is_identifier("1x") && !is_identifier("while"));
/// ```
pub fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    let begins = bytes.next().is_some_and(|first| first == b'_' || first.is_ascii_alphabetic());
    begins && bytes.all(|byte| byte == b'_' || byte.is_ascii_alphanumeric()) && !KEYWORDS.contains(&text)
}

/// The table behind [`Symbol`].
#[derive(Clone, Default)]
pub struct Symbols {
    text: String,
    ends: Vec<u32>,
    table: HashTable<Symbol>,
}

impl Symbols {
    /// The symbol for `name`, adding it on first sight.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = hash_of(name);
        let (text, ends) = (&self.text, &self.ends);
        if let Some(found) = self.table.find(hash, |&symbol| is_spelled(text, ends, symbol, name)) {
            return *found;
        }
        self.add(name, hash)
    }

    /// Makes room for `names` new spellings with `bytes` bytes in all.
    pub fn reserve(&mut self, names: usize, bytes: usize) {
        self.text.reserve(bytes);
        self.ends.reserve(names);
        let (text, ends) = (&self.text, &self.ends);
        self.table.reserve(names, |&other| hash_of(spelling(text, ends, other)));
    }

    #[cold]
    fn add(&mut self, name: &str, hash: u64) -> Symbol {
        let symbol = Symbol::from_index(self.ends.len());
        self.text.push_str(name);
        self.ends.push(u32::try_from(self.text.len()).expect("identifiers take less than 4 GiB"));
        let (text, ends) = (&self.text, &self.ends);
        self.table.insert_unique(hash, symbol, |&other| hash_of(spelling(text, ends, other)));
        symbol
    }

    /// Forgets all symbols.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.table.clear();
    }

    /// Forgets all but the first `len` symbols.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.ends.len() > len {
            let symbol = Symbol::from_index(self.ends.len() - 1);
            if let Ok(entry) = self.table.find_entry(hash_of(self.name(symbol)), |&other| other == symbol) {
                entry.remove();
            }
            self.ends.pop();
            self.text.truncate(self.ends.last().map_or(0, |&end| end as usize));
        }
    }

    /// The symbol for `name` if it has been seen.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.table.find(hash_of(name), |&symbol| self.name(symbol) == name).copied()
    }

    /// The spelling of `symbol`.
    pub fn name(&self, symbol: Symbol) -> &str {
        spelling(&self.text, &self.ends, symbol)
    }

    /// How many distinct symbols there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing was interned yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// Compares bytes: that needs no look for character boundaries, and lengths differ most often.
#[inline(always)]
fn is_spelled(text: &str, ends: &[u32], symbol: Symbol, name: &str) -> bool {
    let index = symbol.index();
    let start = if index == 0 { 0 } else { ends[index - 1] as usize };
    text.as_bytes()[start..ends[index] as usize] == *name.as_bytes()
}

fn spelling<'a>(text: &'a str, ends: &[u32], symbol: Symbol) -> &'a str {
    let index = symbol.index();
    let start = if index == 0 { 0 } else { ends[index - 1] as usize };
    &text[start..ends[index] as usize]
}

#[inline]
fn hash_of(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_spellings_share_a_symbol() {
        let mut symbols = Symbols::default();
        let names: Vec<String> = (0..1000).map(|n| format!("g_{n}")).collect();
        let first: Vec<Symbol> = names.iter().map(|name| symbols.intern(name)).collect();
        let second: Vec<Symbol> = names.iter().map(|name| symbols.intern(name)).collect();
        assert_eq!(first, second);
        assert_eq!(symbols.len(), 1000);
        assert_eq!(symbols.name(first[17]), "g_17");
        assert_eq!(symbols.get("g_1000"), None);
    }
}
