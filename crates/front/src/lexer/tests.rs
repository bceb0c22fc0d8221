//! The lexer, table by table, and over mutated texts.

use super::{IncludeRange, LexErrorKind, Lexed, Pack, PackStack, lex};
use crate::token::Tok;
use howler_lang::symbol::Symbols;
use howler_lang::target::Std;

fn lexed(text: &str) -> (Lexed, Symbols) {
    let mut symbols = Symbols::default();
    let lexed = lex(text, &mut symbols, Std::GNU17);
    (lexed, symbols)
}

/// The tokens in words: names and literals as spelled, keywords and operators as their kind's text.
fn words(text: &str, std: Std) -> String {
    let mut symbols = Symbols::default();
    let lexed = lex(text, &mut symbols, std);
    assert_eq!(lexed.tokens.last().map(|token| token.kind), Some(Tok::Eof), "{text:?}");
    let mut words = Vec::new();
    for token in &lexed.tokens[..lexed.tokens.len() - 1] {
        words.push(match token.kind {
            Tok::Ident => format!("i:{}", symbols.name(token.symbol())),
            Tok::Int => format!("n:{}", token.literal(text)),
            Tok::Float => format!("f:{}", token.literal(text)),
            Tok::Char | Tok::Str => token.literal(text).to_owned(),
            Tok::Unknown => format!("?{}", token.character()),
            kind => kind.text().to_owned(),
        });
    }
    words.join(" ")
}

#[test]
fn tokens_of_small_texts() {
    let cases = [
        ("", ""),
        ("int x;", "int i:x ;"),
        ("a+++++b", "i:a ++ ++ + i:b"),
        ("x<<=y>>=z<=>=", "i:x <<= i:y >>= i:z <= >="),
        ("a->b-->c", "i:a -> i:b -- > i:c"),
        ("...  .. .5 5. 5..6", "... . . f:.5 f:5. f:5..6"),
        ("&&&|||^^=~!!=", "&& & || | ^ ^= ~ ! !="),
        ("*=*/=/%=%+=-==", "*= * /= / %= % += -= ="),
        ("<: :> <% %> %", "[ ] { } %"),
        ("0x1e+1 1e+1 0x1p-3 0b11 0xep", "n:0x1e+1 f:1e+1 f:0x1p-3 n:0b11 f:0xep"),
        ("1.0f 1ull 0x1FuL 1i", "f:1.0f n:1ull n:0x1FuL n:1i"),
        ("'a' L'a' u'\\'' U'x' u8'x'", "'a' L'a' u'\\'' U'x' i:u8 'x'"),
        (r#""a\"b" L"\\" u8"x" u"" U"" x"y""#, r#""a\"b" L"\\" u8"x" u"" U"" i:x "y""#),
        ("R\"(a\n\"b)\" LR\"x()\")x\" R", "R\"(a\n\"b)\" LR\"x()\")x\" i:R"),
        ("R\"\"(a)\"\" ;", "R\"\"(a)\"\" ;"),
        ("a/**/b/*\n*/c//d\ne", "i:a i:b i:c i:e"),
        ("a /* ** / * **/ b", "i:a i:b"),
        ("$x a$b", "i:$x i:a$b"),
        ("a # b ## c", "i:a ?# i:b ?# i:c"),
        ("@ ` \\ \0", "?@ ?` ?\\"),
        ("\u{c}a\u{b}b\r\n c", "i:a i:b i:c"),
        ("é aé\\u00e9 \\u00E9", "i:é i:aéé i:é"),
        ("a\\u0041 \\u12", "i:a ?\\ i:u0041 ?\\ i:u12"),
        ("\u{2014} \u{301}", "?\u{2014} ?\u{301}"),
        (
            "in\\\nt a\\\n b 1\\\n2 +\\\n+ <\\\n<\\ \n= .\\\n.\\\n. -\\\n7",
            "int i:a i:b n:1\\\n2 ++ <<= ... - n:7",
        ),
        ("/\\\n* x */ a /\\\n/ y \\\n z\nb", "i:a i:b"),
        ("\"a\\\nb\" L\\\n\"c\" d\\\n\"e\"", "\"a\\\nb\" L\\\n\"c\" i:d \"e\""),
        ("/* x *\\\n/ a", "i:a"),
        ("__const__ __asm__ __typeof __alignof _Alignof", "const asm typeof __alignof__ _Alignof"),
        ("__int128_t __float128 __thread __inline", "__int128_t _Float128 _Thread_local inline"),
    ];
    for (text, expected) in cases {
        assert_eq!(words(text, Std::GNU17), expected, "{text:?}");
    }
}

#[test]
fn keywords_depend_on_the_dialect() {
    let text = "asm typeof inline restrict __asm__ __typeof__ __inline __restrict";
    let tail = "asm typeof inline restrict";
    for (std, expected) in [
        ("gnu17", "asm typeof inline restrict"),
        ("gnu99", "asm typeof inline restrict"),
        ("c17", "i:asm i:typeof inline restrict"),
        ("c99", "i:asm i:typeof inline restrict"),
        ("gnu89", "asm typeof inline i:restrict"),
        ("c89", "i:asm i:typeof i:inline i:restrict"),
    ] {
        let std = Std::parse(std).unwrap();
        assert_eq!(words(text, std), format!("{expected} {tail}"), "{}", std.name());
    }
    assert_eq!(words("a//b", Std::parse("c89").unwrap()), "i:a / / i:b");
    assert_eq!(words("a//b", Std::GNU89), "i:a");
    assert_eq!(words("u\"a\" R\"(a)\"", Std::GNU89), "i:u \"a\" i:R \"(a)\"");
    assert_eq!(words("u\"a\" R\"(a)\"", Std::C17), "u\"a\" i:R \"(a)\"");
}

#[test]
fn keywords_are_found_in_a_table_that_is_in_use() {
    let mut symbols = Symbols::default();
    symbols.intern("x");
    symbols.intern("while");
    for _ in 0..2 {
        let lexed = lex("while x int", &mut symbols, Std::GNU17);
        let kinds: Vec<Tok> = lexed.tokens.iter().map(|token| token.kind).collect();
        assert_eq!(kinds, [Tok::KwWhile, Tok::Ident, Tok::KwInt, Tok::Eof]);
    }
    // What was a keyword in one unit is a name in the next, of another dialect.
    let strict = lex("asm", &mut symbols, Std::C17);
    assert_eq!(strict.tokens[0].kind, Tok::Ident);
    assert_eq!(symbols.name(strict.tokens[0].symbol()), "asm");
}

#[test]
fn directives_leave_no_tokens() {
    let text = "# 1 \"a.c\"\n#line 3\n#define X(a) /* c\n */ a \\\n b\n  # undef X\n#\n#ident \"x\"\nint\n%: 3 \"b\"\n;#";
    assert_eq!(words(text, Std::GNU17), "int ; ?#");
    assert_eq!(lexed(text).0.errors, []);
    assert_eq!(words("/* c */ # 7 \"x\"\na /* \n */ # b", Std::GNU17), "i:a ?# i:b");
}

#[test]
fn errors_name_what_is_wrong() {
    let cases = [
        ("a /* b", LexErrorKind::UnterminatedComment, 2),
        ("\"abc\nd", LexErrorKind::UnterminatedString, 0),
        ("x = 'abc", LexErrorKind::UnterminatedChar, 4),
        ("R\"a b(\"", LexErrorKind::RawString, 0),
        ("R\"(a\"", LexErrorKind::RawString, 0),
        ("\n#if 1\n", LexErrorKind::Directive("if".to_owned()), 1),
        ("_Pragma(1)", LexErrorKind::PragmaOperator, 0),
        ("#define /* x", LexErrorKind::UnterminatedComment, 8),
    ];
    for (text, kind, offset) in cases {
        let errors = lexed(text).0.errors;
        assert_eq!(errors.len(), 1, "{text:?}");
        assert_eq!((&errors[0].kind, errors[0].offset), (&kind, offset), "{text:?}");
        assert!(!errors[0].kind.to_string().is_empty());
    }
}

#[test]
fn packs_and_other_pragmas() {
    let text = "#pragma pack(push, 2)\na\n#pragma pack(1)\n_Pragma(\"pack(push, n, 4)\") b\n#pragma pack ( pop , n )\n\
                #pragma pack()\n#pragma pack(pop)\n#pragma pack(3)\n#pragma GCC poison x\n c _Pragma(\"omp \\\"x\\\"\") d\n#pragma pack(push)";
    let (lexed, mut symbols) = lexed(text);
    let name = Some(symbols.intern("n"));
    let expected = [
        (0, Pack::Push { name: None, value: Some(2) }),
        (1, Pack::Set(1)),
        (1, Pack::Push { name, value: Some(4) }),
        (2, Pack::Pop { name }),
        (2, Pack::Set(0)),
        (2, Pack::Pop { name: None }),
        (4, Pack::Push { name: None, value: None }),
    ];
    assert_eq!(lexed.packs, expected);
    let indices: Vec<u32> = lexed.pragmas.iter().map(|pragma| pragma.0).collect();
    assert_eq!(indices, [2, 2, 3]);
    assert!(text[lexed.pragmas[1].1 as usize..].starts_with("#pragma GCC"));
    let mut stack = PackStack::default();
    let states: Vec<u8> = lexed.packs.iter().map(|pack| (stack.apply(pack.1), stack.current()).1).collect();
    assert_eq!(states, [2, 1, 4, 1, 0, 0, 0]);
}

#[test]
fn includes_are_ranges_of_tokens() {
    let text = "# 0 \"t.c\"\n# 1 \"/usr/include/stdc-predef.h\" 1 3 4\n# 0 \"<command-line>\" 2\n# 1 \"t.c\"\nint a;\n\
                #include <stdio.h>\n# 1 \"t.c\"\n# 1 \"/usr/include/stdio.h\" 1 3 4\nint b;\n#include <bits/x.h>\n\
                # 1 \"/usr/include/bits/x.h\" 1 3 4\nint c;\n# 2 \"/usr/include/stdio.h\" 2 3 4\nint d;\n# 2 \"t.c\" 2\n\
                #include <stdio.h>\nint e;\n#include \"own.h\"\n# 1 \"own.h\" 1\nint f;\n#include <q.h> /* clang -E -dI */\n\
                # 1 \"q.h\" 1 3 4\nint g;\n# 2 \"own.h\" 2\nint h;\n# 5 \"t.c\" 2\nint i;\n#include <end.h>\n# 1 \"end.h\" 1\n;";
    let (lexed, symbols) = lexed(text);
    let ranges: Vec<(u32, u32, &str)> = lexed
        .includes
        .iter()
        .map(|&IncludeRange { start_token, end_token, header }| {
            (start_token, end_token, symbols.name(header))
        })
        .collect();
    assert_eq!(ranges, [(3, 12, "<stdio.h>"), (12, 12, "<stdio.h>"), (18, 21, "<q.h>"), (27, 28, "<end.h>")]);
}

/// A small generator for this test only: xorshift64.
struct Xorshift(u64);

impl Xorshift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

/// The end of the splices at `pos`.
fn skip_splices(text: &str, pos: usize) -> usize {
    let blank = [' ', '\t', '\r', '\u{b}', '\u{c}'];
    match text[pos..].strip_prefix('\\').and_then(|rest| rest.trim_start_matches(blank).strip_prefix('\n')) {
        Some(rest) => skip_splices(text, text.len() - rest.len()),
        None => pos,
    }
}

/// The end of `spelling` at `start`, written with splices and universal names or without.
fn consume(text: &str, start: usize, spelling: &str) -> Option<usize> {
    let mut pos = start;
    for wanted in spelling.chars() {
        pos = skip_splices(text, pos);
        let rest = &text[pos..];
        pos += if rest.starts_with(wanted) {
            wanted.len_utf8()
        } else {
            let (digits, len) =
                if rest.starts_with("\\u") { (rest.get(2..6)?, 6) } else { (rest.get(2..10)?, 10) };
            (u32::from_str_radix(digits, 16) == Ok(u32::from(wanted))).then_some(len)?
        };
    }
    Some(pos)
}

/// What is left of a quoted text after its end; `None` if it does not end on its line.
fn after_quoted(rest: &str) -> Option<&str> {
    let quote = rest.chars().next()?;
    let mut pos = quote.len_utf8();
    loop {
        pos = skip_splices(rest, pos);
        match rest[pos..].chars().next()? {
            '\n' => return None,
            '\\' => pos += 1 + rest[pos + 1..].chars().next()?.len_utf8(),
            c if c == quote => return Some(&rest[pos + 1..]),
            c => pos += c.len_utf8(),
        }
    }
}

/// What is left of `gap` after one blank, comment, splice, directive or `_Pragma`.
fn after_one(gap: &str) -> Option<&str> {
    let spliced = skip_splices(gap, 0);
    if spliced > 0 {
        return Some(&gap[spliced..]);
    }
    if let Some(end) = consume(gap, 0, "/*") {
        let mut pos = end;
        while pos < gap.len() {
            if let Some(end) = gap[pos..].starts_with('*').then(|| consume(gap, pos, "*/")).flatten() {
                return Some(&gap[end..]);
            }
            pos += gap[pos..].chars().next()?.len_utf8();
        }
        return Some("");
    }
    if let Some(end) = consume(gap, 0, "//") {
        let mut pos = skip_splices(gap, end);
        while pos < gap.len() && !gap[pos..].starts_with('\n') {
            pos = skip_splices(gap, pos + gap[pos..].chars().next()?.len_utf8());
        }
        return Some(&gap[pos..]);
    }
    if let Some(mut rest) = gap.strip_prefix('#').or_else(|| gap.strip_prefix("%:")) {
        // A marker's line is taken as it is.
        if rest.trim_start_matches([' ', '\t', '\r']).starts_with(|c: char| c.is_ascii_digit()) {
            return Some(rest.find('\n').map_or("", |end| &rest[end..]));
        }
        while !rest.is_empty() && !rest.starts_with('\n') {
            let step = |rest: &'_ str| rest.chars().next().map_or(0, char::len_utf8);
            rest = match rest.as_bytes() {
                [b'"' | b'\'', ..] => after_quoted(rest).unwrap_or(&rest[1..]),
                [b'/', b'/' | b'*', ..] => after_one(rest)?,
                [b'\\', ..] if skip_splices(rest, 0) > 0 => &rest[skip_splices(rest, 0)..],
                [b'\\', ..] => &rest[1 + step(&rest[1..])..],
                _ => &rest[step(rest)..],
            };
        }
        return Some(rest);
    }
    if let Some(end) = consume(gap, 0, "_Pragma") {
        return Some(&gap[end..]);
    }
    // What is left of a `_Pragma`'s operand, which `check_cover` has seen as part of a gap.
    match gap.chars().next()? {
        '(' | ')' | 'L' => Some(&gap[1..]),
        '"' => after_quoted(gap),
        c if c.is_ascii_whitespace() || matches!(c, '\0' | '\u{b}') => Some(&gap[1..]),
        _ => None,
    }
}

/// Tokens are in order, do not overlap, and leave only blanks, comments, splices, directives and `_Pragma` between
/// them. A second reading of the gaps, which knows nothing of how the lexer works, checks that.
fn check_cover(text: &str) {
    let (lexed, symbols) = lexed(text);
    let mut end = 0;
    for (index, token) in lexed.tokens.iter().enumerate() {
        let start = token.offset as usize;
        assert!(
            start >= end && start <= text.len() && text.is_char_boundary(start),
            "{text:?} token {index}"
        );
        let mut gap = &text[end..start];
        while !gap.is_empty() {
            gap = after_one(gap).unwrap_or_else(|| panic!("{text:?} gap {gap:?} before token {index}"));
        }
        end = match token.kind {
            kind if kind.is_literal() => {
                let len = token.literal(text).len();
                assert!(len > 0 && (token.short.is_some() || len == token.data as usize), "{text:?}");
                start + len
            }
            Tok::Eof => {
                assert_eq!((start, index), (text.len(), lexed.tokens.len() - 1));
                start
            }
            Tok::Unknown => {
                assert!(text[start..].starts_with(token.character()), "{text:?}");
                start + if text[start..].starts_with("##") { 2 } else { token.character().len_utf8() }
            }
            kind => {
                let digraph = match kind {
                    Tok::LBracket => "<:",
                    Tok::RBracket => ":>",
                    Tok::LBrace => "<%",
                    Tok::RBrace => "%>",
                    _ => "",
                };
                let spelling = if kind.is_word() { symbols.name(token.symbol()) } else { kind.text() };
                let end = consume(text, start, spelling).or_else(|| consume(text, start, digraph));
                end.unwrap_or_else(|| panic!("{text:?} has no {spelling} at {start}"))
            }
        };
    }
    assert!(lexed.includes.iter().all(|range| range.start_token <= range.end_token));
    assert!(lexed.errors.iter().all(|error| error.offset as usize <= text.len()));
    for token in lexed.tokens.iter().filter(|token| token.kind.is_literal()) {
        let spelling = token.literal(text);
        let target = howler_lang::target::Target::X86_64_GCC;
        match token.kind {
            Tok::Int => {
                drop(crate::literal::int(spelling).map(|int| crate::literal::int_type(&int, &target)))
            }
            Tok::Float => drop(crate::literal::float(spelling)),
            Tok::Char => drop(crate::literal::char_constant(spelling, &target)),
            _ => drop(crate::literal::string(&[spelling, "\"x\"", spelling], &target)),
        }
    }
}

#[test]
fn tokens_cover_mutated_texts() {
    let seeds = [
        "int main(void) { return \"a\\n\"[0] + 'x' - 0x1.8p3f * 08 + L\"\\x41\\u00e9\"[1]; } /* c */ // d\n",
        "# 1 \"a.c\"\n#include <stdio.h>\n# 1 \"s.h\" 1 3\nint x;\n# 2 \"a.c\" 2\n#pragma pack(push, n, 1)\nstruct s { char c; };\n",
        "_Pragma(\"pack(2)\") a\\\n+\\\n+b R\"x(\"\\\n)x\" u8\"é\" '\\377' $y \u{2014} é\\u00c1 %:%: ... .. <::>",
    ];
    let pieces = [
        "\\\n",
        "\"",
        "'",
        "/*",
        "*/",
        "//",
        "#",
        "\n",
        "\\",
        "\0",
        "é",
        "\u{1f600}",
        "\\u",
        "R\"(",
        ")\"",
        "0x",
        "1e+",
        "_Pragma",
        "(",
        "#pragma pack(",
        "# 1 \"x\" 2\n",
        "\r",
        "L",
        "u8",
        "%:",
        "$",
        "\\x",
        "pop",
    ];
    let mut random = Xorshift(0x9e37_79b9_7f4a_7c15);
    let rounds = if std::env::var_os("HOWLER_SOAK").is_some() { 1_000_000 } else { 20_000 };
    for _ in 0..rounds {
        let mut text = seeds[random.below(seeds.len())].to_owned();
        for _ in 0..1 + random.below(8) {
            let boundaries: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
            let from = boundaries[random.below(boundaries.len())];
            match random.below(3) {
                0 => text.insert_str(from, pieces[random.below(pieces.len())]),
                1 => {
                    let to = boundaries[random.below(boundaries.len())];
                    let (low, high) = (from.min(to), from.max(to).min(from.min(to) + 4));
                    if text.is_char_boundary(high) {
                        text.replace_range(low..high, "");
                    }
                }
                _ => text.truncate(from.max(boundaries[boundaries.len() / 2])),
            }
        }
        check_cover(&text);
    }
}
