//! Bytes by content: compressed, and kept once however many rows name them.

use std::io::Read;
use std::sync::Arc;

use howler_case::Id;

use crate::error::{Error, Result};

/// The most bytes a blob may have.
pub const MAX_BLOB: usize = 16 * 1024 * 1024;

/// Compressing is paid by the workers. Programs and outputs shrink to a fifth at this level; higher ones gain little.
const LEVEL: i32 = 3;

/// Bytes with their identity, compressed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blob {
    id: Id,
    size: usize,
    packed: Arc<[u8]>,
}

impl Blob {
    /// Compresses bytes, at most [`MAX_BLOB`] of them.
    ///
    /// ```
    /// let blob = howler_store::Blob::new(b"int main(void) {}")?;
    /// assert_eq!(blob.id(), howler_case::Id::of(b"int main(void) {}"));
    /// assert_eq!(blob.bytes()?, b"int main(void) {}");
    /// # Ok::<(), howler_store::Error>(())
    /// ```
    pub fn new(bytes: &[u8]) -> Result<Blob> {
        if bytes.len() > MAX_BLOB {
            let text = format!("{} bytes are more than the {MAX_BLOB} that a blob may have", bytes.len());
            return Err(Error::Invalid(text));
        }
        let packed = zstd::bulk::compress(bytes, LEVEL)
            .map_err(|error| Error::Invalid(format!("bytes that do not compress: {error}")))?;
        Ok(Blob { id: Id::of(bytes), size: bytes.len(), packed: packed.into() })
    }

    /// The identity of the bytes.
    pub fn id(&self) -> Id {
        self.id
    }

    /// How many bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The bytes. Fails if what a database gave does not have the identity it claims.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        let wrong = |what: &str| Error::Invalid(format!("blob {}: {what}", self.id));
        if self.size > MAX_BLOB {
            return Err(wrong("too large"));
        }
        // Read no further than the size says: a few bytes may claim to be gigabytes.
        let mut bytes = Vec::with_capacity(self.size);
        let decoder =
            zstd::stream::read::Decoder::with_buffer(&self.packed[..]).map_err(|_| wrong("unreadable"))?;
        decoder.take(self.size as u64 + 1).read_to_end(&mut bytes).map_err(|_| wrong("unreadable"))?;
        if bytes.len() != self.size || Id::of(&bytes) != self.id {
            return Err(wrong("not what its identity says"));
        }
        Ok(bytes)
    }

    /// The compressed form.
    pub(crate) fn packed(&self) -> &[u8] {
        &self.packed
    }

    /// What a database claims to be a blob; [`Blob::bytes`] checks it.
    pub(crate) fn claimed(id: Id, size: usize, packed: Vec<u8>) -> Blob {
        Blob { id, size, packed: packed.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for bytes in [&b""[..], b"a", &[7; 100_000]] {
            assert_eq!(Blob::new(bytes).unwrap().bytes().unwrap(), bytes);
        }
    }

    #[test]
    fn false_claims_are_errors() {
        let zeros = Blob::new(&[0; 1_000_000]).unwrap();
        let claim = |id, size| Blob::claimed(id, size, zeros.packed().to_vec()).bytes();
        assert!(claim(zeros.id(), 1_000_000).is_ok());
        assert!(claim(zeros.id(), 999_999).is_err());
        assert!(claim(zeros.id(), 10).is_err());
        assert!(claim(zeros.id(), 1_000_001).is_err());
        assert!(claim(zeros.id(), usize::MAX).is_err());
        assert!(claim(Id::of(b"x"), 1_000_000).is_err());
        assert!(Blob::claimed(zeros.id(), 5, b"no zstd".to_vec()).bytes().is_err());
        assert!(Blob::claimed(zeros.id(), 5, Vec::new()).bytes().is_err());
    }

    #[test]
    fn too_much_is_an_error() {
        assert!(Blob::new(&vec![0; MAX_BLOB]).is_ok());
        assert!(Blob::new(&vec![0; MAX_BLOB + 1]).is_err());
    }
}
