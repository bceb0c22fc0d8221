//! Bytes that are no UTF-8 as characters that nothing else uses, so that they come out as they went in.

use std::borrow::Cow;

/// The character for the byte 0; those up to 255 follow, in a range that Unicode leaves to private use.
const FIRST: u32 = 0x10_ff00;

/// A text with a character for each byte that is no UTF-8.
///
/// Characters of that range themselves are taken byte by byte, so [`bytes_of`] gives back what was there.
pub(super) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    let ours = |c: char| (FIRST..=FIRST + 0xff).contains(&u32::from(c));
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.contains(ours)
    {
        return Cow::Borrowed(text);
    }
    let raw = |byte: &u8| char::from_u32(FIRST + u32::from(*byte)).unwrap_or(char::REPLACEMENT_CHARACTER);
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match ours(c) {
                true => text.extend(c.encode_utf8(&mut [0; 4]).as_bytes().iter().map(raw)),
                false => text.push(c),
            }
        }
        text.extend(chunk.invalid().iter().map(raw));
    }
    Cow::Owned(text)
}

/// The bytes of such a text.
pub(super) fn bytes_of(text: String) -> Vec<u8> {
    let byte = |c: char| u32::from(c).checked_sub(FIRST).and_then(|number| u8::try_from(number).ok());
    if !text.contains(|c| byte(c).is_some()) {
        return text.into_bytes();
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match byte(c) {
            Some(raw) => bytes.push(raw),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_come_out_as_they_went_in() {
        let all: Vec<u8> = (0..=255).collect();
        let ours = "a\u{10ff41}b\u{10ffff}\u{e9}".as_bytes();
        for bytes in [&all[..], b"plain", ours, &[ours, &all[200..], b"\xf4\x8f"].concat(), b"", b"\xe9"] {
            assert_eq!(bytes_of(text_of(bytes).into_owned()), bytes);
        }
        assert!(matches!(text_of(b"plain"), Cow::Borrowed("plain")));
    }
}
