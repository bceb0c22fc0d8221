//! Messages without what is another each time: a finding's text is part of its identity, and the same test must give the
//! same finding wherever and whenever it is done. Unlike a normal form, the result reads like the message.

/// Replaces process numbers, addresses and the names of temporary files.
///
/// ```
/// use howler_oracle::steady::steady;
/// let text = b"==77==ERROR: heap-buffer-overflow on address 0x602000000014 (/tmp/ccAb12Yz.s)";
/// let same = b"==PID==ERROR: heap-buffer-overflow on address 0x... (/tmp/ccXXXXXX.s)";
/// assert_eq!(steady(text), same);
/// ```
pub fn steady(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        match RULES.iter().find_map(|rule| rule(rest)) {
            Some((length, replacement)) => {
                out.extend_from_slice(replacement);
                at += length;
            }
            None => {
                out.push(text[at]);
                at += 1;
            }
        }
    }
    out
}

/// How much of the text's start is replaced, and by what.
type Rule = fn(&[u8]) -> Option<(usize, &'static [u8])>;

const RULES: [Rule; 5] = [process, address, gcc_file, clang_file, scratch];

fn count(text: &[u8], test: fn(&u8) -> bool) -> usize {
    text.iter().take_while(|byte| test(byte)).count()
}

/// `==123==`, as sanitizers begin their lines.
fn process(text: &[u8]) -> Option<(usize, &'static [u8])> {
    let rest = text.strip_prefix(b"==")?;
    let digits = count(rest, u8::is_ascii_digit);
    (digits > 0 && rest[digits..].starts_with(b"==")).then_some((digits + 4, b"==PID=="))
}

/// Small numbers may mean something: flags, offsets.
fn address(text: &[u8]) -> Option<(usize, &'static [u8])> {
    let digits = count(text.strip_prefix(b"0x")?, u8::is_ascii_hexdigit);
    (digits >= 6).then_some((digits + 2, b"0x..."))
}

/// `/ccAb12Yz.s`
fn gcc_file(text: &[u8]) -> Option<(usize, &'static [u8])> {
    let rest = text.strip_prefix(b"/cc")?;
    (count(rest, u8::is_ascii_alphanumeric) == 6 && rest.get(6) == Some(&b'.')).then_some((9, b"/ccXXXXXX"))
}

/// `-a1b2c3.o`, after the name of the source.
fn clang_file(text: &[u8]) -> Option<(usize, &'static [u8])> {
    let rest = text.strip_prefix(b"-")?;
    let named = count(rest, u8::is_ascii_hexdigit) == 6 && matches!(rest.get(6..8), Some(b".o" | b".s"));
    named.then_some((7, b"-XXXXXX"))
}

/// Our own scratch folder.
fn scratch(text: &[u8]) -> Option<(usize, &'static [u8])> {
    let rest = text.strip_prefix(b"/howler-guard-")?;
    Some((14 + count(rest, |byte| byte.is_ascii_digit() || *byte == b'-'), b"/howler-guard"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_goes_and_the_rest_stays() {
        for (text, same) in [
            (
                "/dev/shm/howler-guard-41-77-0/tmp/ccx9Yz12.s:3: Error",
                "/dev/shm/howler-guard/tmp/ccXXXXXX.s:3: Error",
            ),
            (
                "/dev/shm/howler-guard-9-1234-12/tmp/test-0f3a2b.o: in",
                "/dev/shm/howler-guard/tmp/test-XXXXXX.o: in",
            ),
            ("#1 0x00007f12ab34cd56 llvm::f() +0x1a", "#1 0x... llvm::f() +0x1a"),
            ("a == b, ==x==, 0x12, /ccache.s, -O2.o", "a == b, ==x==, 0x12, /ccache.s, -O2.o"),
            ("==1====22==", "==PID====PID=="),
            ("==", "=="),
        ] {
            assert_eq!(String::from_utf8(steady(text.as_bytes())).unwrap(), same, "{text}");
        }
        assert_eq!(steady(&[0xff, b'=', b'=']), [0xff, b'=', b'=']);
    }
}
