//! Normal form of a message: what differs from machine to machine or from program to program becomes a placeholder.

/// Replaces numbers, addresses and versions by `#`, paths by `<path>`, and quoted names of the program by `'?'`. Names
/// that the language reserves stay: `'__int128'` says more than `'?'`.
///
/// ```
/// use howler_oracle::signature::normalise;
/// assert_eq!(normalise("expected ';' before ‘foo3’ at 0x7ffe12 in /tmp/a.c:12"), "expected ';' before '?' at # in <path>");
/// ```
pub fn normalise(text: &str) -> String {
    // A placeholder can make two pieces into something new once more, so this goes on until nothing changes. Bounded,
    // for every pass leaves fewer things to replace.
    let mut known = pass(text);
    for _ in 0..8 {
        let next = pass(&known);
        if next == known {
            break;
        }
        known = next;
    }
    known
}

fn pass(text: &str) -> String {
    let chars: Vec<char> = text.chars().map(plain).collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        if c == ' ' {
            if !out.ends_with(' ') {
                out.push(' ');
            }
            at += 1;
        } else if is_path_char(c) {
            let end = run(&chars, at, is_path_char);
            word(&chars[at..end], &mut out);
            at = end;
        } else if (c == '\'' || c == '"') && opens(&chars, at) {
            at = quoted(&chars, at, &mut out);
        } else {
            out.push(c);
            at += 1;
        }
    }
    collapse(out.trim())
}

/// Without gcc's quotation marks in a UTF-8 locale, on one line.
fn plain(c: char) -> char {
    match c {
        c if c.is_whitespace() || c.is_control() => ' ',
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        _ => c,
    }
}

fn is_path_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '+' | '~' | '-' | ':' | '@' | '%' | '$')
}

fn run(chars: &[char], start: usize, test: fn(char) -> bool) -> usize {
    chars[start..].iter().position(|&c| !test(c)).map_or(chars.len(), |length| start + length)
}

/// A run without spaces or brackets: a path as a whole, else its numbers.
fn word(word: &[char], out: &mut String) {
    let is_path = word.contains(&'/') && word.iter().any(|c| c.is_ascii_alphanumeric());
    if is_path {
        out.push_str("<path>");
        let tail = word.iter().rev().take_while(|&&c| c == ':').count();
        out.extend(std::iter::repeat_n(':', tail.min(1)));
        return;
    }
    let mut at = 0;
    while at < word.len() {
        let c = word[at];
        if c.is_ascii_alphanumeric() || c == '_' {
            let end = run(word, at, |c| c.is_ascii_alphanumeric() || c == '_');
            number_or_name(&word[at..end], out);
            at = end;
        } else {
            out.push(c);
            at += 1;
        }
    }
}

fn number_or_name(name: &[char], out: &mut String) {
    let hex = |digits: &[char]| digits.iter().all(char::is_ascii_hexdigit);
    let prefixed = name.len() > 2 && name[0] == '0' && matches!(name[1], 'x' | 'X') && hex(&name[2..]);
    let hash = name.len() >= 8 && hex(name) && name.iter().any(char::is_ascii_digit);
    if prefixed || hash {
        out.push('#');
        return;
    }
    for &c in name {
        out.push(if c.is_ascii_digit() { '#' } else { c });
    }
}

/// Whether the quotation mark at `at` begins something: an apostrophe stands after a letter, or after what a
/// placeholder ends with.
fn opens(chars: &[char], at: usize) -> bool {
    let ends_word = |c: char| is_path_char(c) && c != ':' || c.is_alphanumeric() || matches!(c, '#' | '>');
    let after_word = at > 0 && ends_word(chars[at - 1]);
    !after_word && chars[at + 1..].contains(&chars[at])
}

fn quoted(chars: &[char], at: usize, out: &mut String) -> usize {
    let mark = chars[at];
    let length = chars[at + 1..].iter().position(|&c| c == mark).unwrap_or(0);
    let content: String = chars[at + 1..][..length].iter().collect();
    out.push(mark);
    if !content.chars().any(char::is_alphanumeric) || is_reserved(&content) {
        // What has no letters has no slash that matters and no digits.
        let kept: String = content.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
        out.push_str(&kept.split_whitespace().collect::<Vec<_>>().join(" "));
    } else {
        out.push('?');
    }
    out.push(mark);
    at + length + 2
}

/// Keywords, names that begin with two underscores or one and a capital, and options.
fn is_reserved(content: &str) -> bool {
    let name = content.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '#' | '='));
    let mut chars = content.chars();
    let (first, second) = (chars.next(), chars.next());
    let underscored = first == Some('_') && second.is_some_and(|c| c == '_' || c.is_ascii_uppercase());
    name && (underscored || first == Some('-') || KEYWORDS.contains(&content))
}

#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "asm", "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
    "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "typeof", "union", "unsigned", "void", "volatile", "while",
];

/// `#.#.#` and `##` are one number, and ` -#` is one whatever its sign.
fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        if chars[at] == '#' {
            let run_end = run(&chars, at, |c| c == '#' || c == '.');
            let last = chars[at..run_end].iter().rposition(|&c| c == '#').unwrap_or(0);
            if out == "-" || out.ends_with(" -") {
                out.pop();
            }
            out.push('#');
            at += last + 1;
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    out
}
