//! Where literals, comments and spliced lines end. Nothing here makes a token.

use super::{BLANK, at, is};

/// If the backslash at `pos` ends its line, the start of the next. Blanks in between are forgiven, as in gcc.
#[cold]
pub(super) fn splice_end(bytes: &[u8], pos: usize) -> Option<usize> {
    let mut end = pos + 1;
    while is(at(bytes, end), BLANK) {
        end += 1;
    }
    (at(bytes, end) == b'\n').then_some(end + 1)
}

/// The end of the literal whose quote is at `quote`; `Err` has the end of the line if it is not closed.
pub(super) fn quoted_end(bytes: &[u8], quote: usize) -> Result<usize, usize> {
    let close = bytes[quote];
    let mut pos = quote + 1;
    while pos < bytes.len() {
        match bytes[pos] {
            byte if byte == close => return Ok(pos + 1),
            b'\n' => return Err(pos),
            b'\\' => pos = splice_end(bytes, pos).unwrap_or(pos + 2),
            _ => pos += 1,
        }
    }
    Err(bytes.len())
}

pub(super) fn block_comment_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut pos = start + 2;
    while let Some(star) = bytes.get(pos..)?.iter().position(|&byte| byte == b'*') {
        pos += star + 1;
        let mut after = pos;
        // `*\` at a line's end, then `/`.
        while at(bytes, after) == b'\\'
            && let Some(next) = splice_end(bytes, after)
        {
            after = next;
        }
        if at(bytes, after) == b'/' {
            return Some(after + 1);
        }
    }
    None
}

/// The newline that ends the comment, or the end of the text.
pub(super) fn line_comment_end(bytes: &[u8], start: usize) -> usize {
    let mut pos = start;
    while pos < bytes.len() && bytes[pos] != b'\n' {
        pos = if bytes[pos] == b'\\' { splice_end(bytes, pos).unwrap_or(pos + 1) } else { pos + 1 };
    }
    pos
}
