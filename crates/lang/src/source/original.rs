//! From a line that a preprocessor wrote back to the line that the user wrote. Preprocessors drop comments, shrink
//! white space and replace macros, so columns of their output are nobody's columns.

use std::sync::Arc;

/// A file as the user wrote it.
#[derive(Clone, Debug)]
pub(super) struct Original {
    pub(super) name: String,
    text: Arc<str>,
    starts: Vec<u32>,
}

impl Original {
    pub(super) fn new(name: &str, text: Arc<str>) -> Original {
        let ends = text.bytes().zip(1u32..).filter(|(byte, _)| *byte == b'\n').map(|(_, next)| next);
        let starts = std::iter::once(0).chain(ends).collect();
        Original { name: name.to_owned(), text, starts }
    }

    /// A line, from 1, without its newline.
    fn line(&self, line: u32) -> Option<&str> {
        let index = line.checked_sub(1)? as usize;
        let start = *self.starts.get(index)? as usize;
        let end = self.starts.get(index + 1).map_or(self.text.len(), |&next| next as usize - 1);
        Some(self.text.get(start..end)?.trim_end_matches('\r'))
    }

    /// The line as it was, and the column there of what stands at `column` of its preprocessed text. Nothing if the two
    /// lines have too little in common.
    pub(super) fn realign(&self, line: u32, preprocessed: &str, column: u32) -> Option<(&str, u32)> {
        let original = self.line(line)?;
        if original.len().max(preprocessed.len()) > LONGEST {
            return None;
        }
        let column = aligned(original, preprocessed, column.checked_sub(1)? as usize)?;
        Some((original, u32::try_from(column).ok()? + 1))
    }
}

/// Longer lines were not written by a user.
const LONGEST: usize = 20_000;

/// Two lines of more pairs of tokens than this are compared from both ends only.
const MOST_PAIRS: usize = 1 << 18;

/// The offset in the line `old` of what is at `offset` of its preprocessed text `new`.
fn aligned(old: &str, new: &str, offset: usize) -> Option<usize> {
    let (olds, news) = (tokens(old), tokens(new));
    let at = news.iter().rposition(|token| token.start <= offset)?;
    let inside = offset - news[at].start;
    let partners = partners(&olds, &news);
    if let Some(partner) = partners[at] {
        return Some(olds[partner].start + inside);
    }
    // From a macro, whose name stands between the neighbours that are the user's, or before its arguments.
    let before = partners[..at].iter().rev().find_map(|partner| *partner).map_or(0, |partner| partner + 1);
    let after = partners[at..].iter().find_map(|partner| *partner).unwrap_or(olds.len());
    let is_kept = |index: usize| partners.contains(&Some(index));
    let replaced = |index: &usize| olds[*index].is_name() && !is_kept(*index);
    let name = (before..after).find(replaced).or_else(|| (0..before).rev().find(replaced))?;
    // A name that the user wrote as an argument is there.
    let same = |index: &usize| news[at].is_name() && olds[*index].text == news[at].text;
    match (name + 1..call_end(&olds, name)).find(same) {
        Some(argument) => Some(olds[argument].start + inside),
        None => Some(olds[name].start),
    }
}

/// The token behind the arguments of a macro, as far as they are in the line.
fn call_end(tokens: &[Token<'_>], name: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(name + 1) {
        match token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth <= 0 {
            return index;
        }
    }
    tokens.len()
}

/// For each new token the old one it was, if it was one: a longest common subsequence, in which words count more than
/// the punctuation that every macro has too.
fn partners(olds: &[Token<'_>], news: &[Token<'_>]) -> Vec<Option<usize>> {
    let same = |(one, other): &(&Token<'_>, &Token<'_>)| one.text == other.text;
    let before = olds.iter().zip(news).take_while(same).count();
    let (old, new) = (&olds[before..], &news[before..]);
    let after = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    let (old, new) = (&old[..old.len() - after], &new[..new.len() - after]);
    let mut partners: Vec<Option<usize>> = (0..before).map(Some).collect();
    partners.resize(before + new.len(), None);
    partners.extend((olds.len() - after..olds.len()).map(Some));
    if old.len() * new.len() > MOST_PAIRS {
        return partners;
    }
    // The weight of what the rest of both has in common, from each pair of places on.
    let width = new.len() + 1;
    let mut common = vec![0u32; (old.len() + 1) * width];
    for (i, one) in old.iter().enumerate().rev() {
        for (j, other) in new.iter().enumerate().rev() {
            let both =
                if one.text == other.text { common[(i + 1) * width + j + 1] + one.weight() } else { 0 };
            common[i * width + j] = both.max(common[(i + 1) * width + j]).max(common[i * width + j + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        let here = common[i * width + j];
        if old[i].text == new[j].text && here == common[(i + 1) * width + j + 1] + old[i].weight() {
            partners[before + j] = Some(before + i);
            (i, j) = (i + 1, j + 1);
        } else if here == common[i * width + j + 1] {
            j += 1;
        } else {
            i += 1;
        }
    }
    partners
}

struct Token<'a> {
    start: usize,
    text: &'a str,
}

impl Token<'_> {
    fn is_name(&self) -> bool {
        self.text.starts_with(|first: char| first.is_alphabetic() || first == '_')
    }

    fn weight(&self) -> u32 {
        let word = |first: char| first.is_alphanumeric() || first == '_' || first == '"' || first == '\'';
        if self.text.starts_with(word) { 4 } else { 1 }
    }
}

/// The tokens of a line, as far as it takes to compare lines: an operator of two characters is two tokens.
fn tokens(line: &str) -> Vec<Token<'_>> {
    let bytes = line.as_bytes();
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
    let mut all = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let rest = &line[start..];
        let end = match bytes[start] {
            byte if byte.is_ascii_whitespace() => {
                start += 1;
                continue;
            }
            b'/' if rest.starts_with("//") => break,
            b'/' if rest.starts_with("/*") => {
                start = rest[2..].find("*/").map_or(bytes.len(), |at| start + at + 4);
                continue;
            }
            quote @ (b'"' | b'\'') => quoted_end(bytes, start, quote),
            byte if word(byte) => start + bytes[start..].iter().take_while(|&&byte| word(byte)).count(),
            _ => start + 1,
        };
        all.push(Token { start, text: &line[start..end] });
        start = end;
    }
    all
}

fn quoted_end(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut end = start + 1;
    while end < bytes.len() && bytes[end] != quote {
        // A character behind a backslash may have several bytes; none of them is a quote.
        end += if bytes[end] == b'\\' && bytes.get(end + 1).is_some_and(u8::is_ascii) { 2 } else { 1 };
    }
    (end + 1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of `@` in the new line, as a caret under the old one.
    fn mapped(old: &str, new: &str) -> Option<usize> {
        aligned(old, &new.replace('@', ""), new.find('@').unwrap())
    }

    #[test]
    fn columns_are_those_of_the_file() {
        let old = "int main(void) { int   a = 1;  /* c */  return /*x*/   yy; } // end";
        assert_eq!(mapped(old, "int main(void) { int a = 1; return @yy; }"), old.find("yy"));
        assert_eq!(mapped(old, "@int main(void) { int a = 1; return yy; }"), Some(0));
        assert_eq!(mapped(old, "int main(void) { int a = 1; return yy; @}"), old.find("} //"));
        // In the middle of a token.
        assert_eq!(mapped("  s  =  \"a\\\"b\";", "s = \"a@\\\"b\";"), Some(10));
    }

    #[test]
    fn what_comes_from_a_macro_is_at_its_name() {
        let old = "    p = NULL + x; q(MAX(a, b), zz);";
        assert_eq!(mapped(old, "p = ((void *)@0) + x; q(((a) > (b) ? (a) : (b)), zz);"), old.find("NULL"));
        assert_eq!(mapped(old, "p = ((void *)0) + x; q(((a) > (b) ? (a) : (b)), @zz);"), old.find("zz"));
        assert_eq!(mapped("FOO(a,", "foo(a, b + @yy);"), Some(0));
        assert_eq!(mapped("x = TWICE( yy );", "x = ((@yy) + (yy));"), Some(11));
    }

    #[test]
    fn several_macros_leave_what_is_between_them_in_place() {
        let old = "int z = 0; int *p = NULL; int q = 1 / z; int *r = NULL;";
        let new = "int z = 0; int *p = ((void *)0); int q = 1 @/ z; int *r = ((void *)0);";
        assert_eq!(mapped(old, new), old.find('/'));
        let new = "int z = 0; int *p = ((void *)0); int q = 1 / z; int *r = ((void *)@0);";
        assert_eq!(mapped(old, new), old.rfind("NULL"));
        let old = "  va_start(ap, n); x = va_arg(ap, int) + f(va_arg(ap, long));";
        let new =
            "__builtin_va_start(ap, n); x = @__builtin_va_arg(ap, int) + f(__builtin_va_arg(ap, long));";
        assert_eq!(mapped(old, new), old.find("va_arg"));
        let new =
            "__builtin_va_start(ap, n); x = __builtin_va_arg(ap, int) + f(@__builtin_va_arg(ap, long));";
        assert_eq!(mapped(old, new), old.rfind("va_arg"));
    }

    #[test]
    fn lines_with_nothing_in_common_stay_apart() {
        assert_eq!(mapped("", "int @x;"), None);
        assert_eq!(mapped("   */ ", "int @x;"), None);
        assert_eq!(mapped("int x;", "  @  "), None);
        assert_eq!(mapped("/* open", "f(@1);"), None);
    }

    #[test]
    fn hostile_lines_do_no_harm() {
        for line in ["\"", "'\\", "'\\é'", "/*", "/*/", "é\u{feff}\"é", "\\", "\0\t\u{b}", "\"\\é\"x"] {
            for other in ["\"", "x", "é", ""] {
                for offset in 0..=line.len() + 1 {
                    aligned(line, other, offset);
                    aligned(other, line, offset);
                }
            }
        }
    }
}
