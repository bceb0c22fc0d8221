//! Identities: hashes of content, so that two machines that find the same thing call it the same.

use std::fmt;
use std::str::FromStr;

/// The first half of a BLAKE3 hash, written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id([u8; 16]);

impl Id {
    /// The identity of bytes that are a whole by themselves: a blob.
    pub fn of(bytes: &[u8]) -> Id {
        let mut hash = Hasher::new("bytes");
        hash.field(bytes);
        hash.finish()
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// The identity with these bytes.
    pub fn from_bytes(bytes: [u8; 16]) -> Id {
        Id(bytes)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an id is 32 hexadecimal digits")]
pub struct BadId;

impl FromStr for Id {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Id, BadId> {
        let digits = text.as_bytes();
        if digits.len() != 32 || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(BadId);
        }
        let value = u128::from_str_radix(text, 16).map_err(|_| BadId)?;
        Ok(Id(value.to_be_bytes()))
    }
}

/// Hashes a list of fields, such that no two lists run into each other.
pub struct Hasher(blake3::Hasher);

impl Hasher {
    /// A hash of things of this kind.
    pub fn new(kind: &str) -> Hasher {
        let mut hasher = Hasher(blake3::Hasher::new());
        hasher.field(kind.as_bytes());
        hasher
    }

    /// Adds a field.
    pub fn field(&mut self, bytes: &[u8]) -> &mut Hasher {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// The identity of all fields.
    pub fn finish(&self) -> Id {
        let mut id = [0; 16];
        id.copy_from_slice(&self.0.finalize().as_bytes()[..16]);
        Id(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_reads_back() {
        let id = Id::of(b"howler");
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!("+f".repeat(16).parse::<Id>(), Err(BadId));
        assert_eq!("12".parse::<Id>(), Err(BadId));
    }

    #[test]
    fn fields_do_not_run_into_each_other() {
        let hash = |fields: &[&[u8]]| {
            let mut hasher = Hasher::new("test");
            fields.iter().for_each(|field| {
                hasher.field(field);
            });
            hasher.finish()
        };
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
        assert_ne!(hash(&[b"ab"]), hash(&[b"ab", b""]));
    }
}
