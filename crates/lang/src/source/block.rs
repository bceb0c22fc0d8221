//! Where the block around a place ends, read off the text: the tree has no closing braces.

/// The offset of the brace that closes the block in which `from` is; nothing if a bracket is closed before that was not
/// opened there, as in the head of a `for`, whose declarations belong to no pair of braces.
pub(super) fn end(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut open = 0u32;
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => at = quoted_end(bytes, at),
            // A line marker, or a pragma, may have what it likes.
            b'#' if at == 0 || bytes[at - 1] == b'\n' => at = find(bytes, at, b"\n")?,
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = find(bytes, at + 2, b"*/")? + 2,
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = find(bytes, at, b"\n")?,
            b'{' | b'(' | b'[' => (open, at) = (open + 1, at + 1),
            b'}' if open == 0 => return Some(at),
            b'}' | b')' | b']' => (open, at) = (open.checked_sub(1)?, at + 1),
            _ => at += 1,
        }
    }
    None
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    bytes.get(from..)?.windows(what.len()).position(|window| window == what).map(|at| from + at)
}

/// The offset behind a literal.
fn quoted_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::end;

    #[test]
    fn the_brace_that_closes_is_found() {
        let text = "{ int x = f(\"}\", '}', (struct s){1}); /* } */ { }\n# 5 \"}\"\n x; } }";
        assert_eq!(end(text, text.find('x').unwrap()), text.rfind("} }"));
        assert_eq!(end("for (int i = 0; i < 2; i++) { } }", 9), None);
        for hostile in ["", "\"", "'\\", "/*", "//", "#", "}", "((("] {
            end(hostile, 0);
            end(hostile, 9);
        }
    }
}
