//! Patterns for one instruction and what replaces them: the small language of `data/planted.txt`. It knows the
//! spelling of AT&T operands, not what instructions do.

use std::collections::BTreeMap;

/// The texts a pattern's holes stand for.
pub(crate) type Bindings = BTreeMap<String, String>;

/// One instruction with holes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pattern(Vec<Piece>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(String),
    Hole { name: String, shape: Shape, unlike: Option<String> },
}

/// What a hole takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// A whole operand, or what is left of one.
    Operand,
    Register,
    Integer,
    Memory,
    /// Letters and digits: a mnemonic or a part of one. The only shape that takes as little as it can.
    Word,
}

/// One instruction made from what the holes took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Template(Vec<Part>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Text(String),
    Same(String),
    /// An integer, moved by so much.
    Moved(String, i128),
    /// The register of this many bits that the one taken is part of.
    Sized(String, u32),
}

impl Pattern {
    /// Reads `sarl ${n:int}, {d}`.
    pub(crate) fn parse(text: &str) -> Result<Pattern, String> {
        let pieces = pieces(text)?.into_iter().map(|piece| match piece {
            Ok(text) => Ok(Piece::Text(text)),
            Err(hole) => {
                let (hole, unlike) = match hole.split_once('!') {
                    Some((hole, unlike)) => (hole, Some(unlike.to_owned())),
                    None => (hole.as_str(), None),
                };
                let (name, shape) = hole.split_once(':').unwrap_or((hole, ""));
                let shape = match shape {
                    "" => Shape::Operand,
                    "reg" => Shape::Register,
                    "int" => Shape::Integer,
                    "mem" => Shape::Memory,
                    "word" => Shape::Word,
                    _ => return Err(format!("`{shape}` is no shape of a hole")),
                };
                Ok(Piece::Hole { name: name.to_owned(), shape, unlike })
            }
        });
        pieces.collect::<Result<_, _>>().map(Pattern)
    }

    /// Whether the pattern takes the whole of `text`, given what earlier holes took. A hole named before takes the
    /// same text again.
    pub(crate) fn matches(&self, text: &str, bindings: &Bindings) -> Option<Bindings> {
        fit(&self.0, text, bindings)
    }

    /// The names of the holes.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Hole { name, .. } => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }
}

impl Template {
    /// Reads `shrl ${n+1}, {d.32}`.
    pub(crate) fn parse(text: &str) -> Result<Template, String> {
        let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is no number"));
        let parts = pieces(text)?.into_iter().map(|piece| match piece {
            Ok(text) => Ok(Part::Text(text)),
            Err(hole) => {
                if let Some((name, bits)) = hole.split_once('.') {
                    return Ok(Part::Sized(name.to_owned(), number(bits)? as u32));
                }
                if let Some((name, by)) = hole.split_once('+') {
                    return Ok(Part::Moved(name.to_owned(), number(by)?));
                }
                if let Some((name, by)) = hole.split_once('-') {
                    return Ok(Part::Moved(name.to_owned(), -number(by)?));
                }
                Ok(Part::Same(hole))
            }
        });
        parts.collect::<Result<_, _>>().map(Template)
    }

    /// The instruction, or nothing if a register has no name of the size asked for.
    pub(crate) fn fill(&self, bindings: &Bindings) -> Option<String> {
        let mut text = String::new();
        for part in &self.0 {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Same(name) => text.push_str(bindings.get(name)?),
                Part::Moved(name, by) => {
                    text.push_str(&bindings.get(name)?.parse::<i128>().ok()?.checked_add(*by)?.to_string());
                }
                Part::Sized(name, bits) => text.push_str(&resized(bindings.get(name)?, *bits)?),
            }
        }
        Some(text)
    }

    /// The names it needs.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Same(name) | Part::Moved(name, _) | Part::Sized(name, _) => Some(name.as_str()),
        })
    }
}

/// Splits at braces: `Ok` is text, `Err` what stood in a pair of braces.
fn pieces(text: &str) -> Result<Vec<Result<String, String>>, String> {
    let mut pieces = Vec::new();
    let mut rest = text.trim();
    while let Some((before, after)) = rest.split_once('{') {
        let (hole, after) =
            after.split_once('}').ok_or_else(|| format!("`{text}`: a brace is not closed"))?;
        if hole.is_empty() {
            return Err(format!("`{text}`: a hole has no name"));
        }
        if !before.is_empty() {
            pieces.push(Ok(before.to_owned()));
        }
        pieces.push(Err(hole.to_owned()));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Ok(rest.to_owned()));
    }
    Ok(pieces)
}

/// As deep as the pattern is long.
fn fit(pieces: &[Piece], text: &str, bindings: &Bindings) -> Option<Bindings> {
    let Some((first, others)) = pieces.split_first() else {
        return text.is_empty().then(|| bindings.clone());
    };
    let (name, shape, unlike) = match first {
        Piece::Text(part) => return fit(others, text.strip_prefix(part.as_str())?, bindings),
        Piece::Hole { name, shape, unlike } => (name, *shape, unlike.as_ref()),
    };
    let unlike =
        unlike.and_then(|other| if other.starts_with('%') { Some(other) } else { bindings.get(other) });
    lengths(shape, text).find_map(|length| {
        let (taken, rest) = text.split_at(length);
        match bindings.get(name) {
            Some(before) => (before == taken).then(|| fit(others, rest, bindings))?,
            None if unlike.is_some_and(|other| other == taken) => None,
            None => {
                let mut bindings = bindings.clone();
                bindings.insert(name.clone(), taken.to_owned());
                fit(others, rest, &bindings)
            }
        }
    })
}

/// How many bytes a hole may take from the start of `text`, in the order to try.
fn lengths(shape: Shape, text: &str) -> std::ops::Range<usize> {
    let run = |accept: fn(u8) -> bool| text.bytes().take_while(|byte| accept(*byte)).count();
    let only = |length: usize| if length == 0 { 0..0 } else { length..length + 1 };
    match shape {
        Shape::Word => 1..run(|byte| byte.is_ascii_alphanumeric()) + 1,
        Shape::Integer => {
            let sign = usize::from(text.starts_with('-'));
            let digits = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
            only(if digits == 0 { 0 } else { sign + digits })
        }
        Shape::Register => match text.strip_prefix('%') {
            Some(name) => only(1 + name.bytes().take_while(u8::is_ascii_alphanumeric).count()),
            None => 0..0,
        },
        Shape::Operand => only(operand(text)),
        Shape::Memory if text.starts_with(['%', '$']) => 0..0,
        Shape::Memory => only(operand(text)),
    }
}

/// The length of the operand at the start of `text`: up to a comma or blank outside parentheses.
fn operand(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return at,
            b')' => depth -= 1,
            b',' | b' ' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// `%rax` and 32 give `%eax`.
fn resized(register: &str, bits: u32) -> Option<String> {
    const OLD: [[&str; 5]; 8] = [
        ["rax", "eax", "ax", "al", "ah"],
        ["rbx", "ebx", "bx", "bl", "bh"],
        ["rcx", "ecx", "cx", "cl", "ch"],
        ["rdx", "edx", "dx", "dl", "dh"],
        ["rsi", "esi", "si", "sil", ""],
        ["rdi", "edi", "di", "dil", ""],
        ["rbp", "ebp", "bp", "bpl", ""],
        ["rsp", "esp", "sp", "spl", ""],
    ];
    let name = register.strip_prefix('%')?;
    let column = match bits {
        64 => 0,
        32 => 1,
        16 => 2,
        8 => 3,
        _ => return None,
    };
    if let Some(row) = OLD.iter().find(|row| row.contains(&name)) {
        return Some(format!("%{}", row[column]));
    }
    let number: u32 = name.strip_prefix('r')?.trim_end_matches(['d', 'w', 'b']).parse().ok()?;
    (8..16).contains(&number).then(|| format!("%r{number}{}", ["", "d", "w", "b"][column]))
}

#[cfg(test)]
mod tests {
    use super::{Bindings, Pattern, Template, resized};

    fn check(pattern: &str, template: &str, text: &str, expected: Option<&str>) {
        let bindings = Pattern::parse(pattern).unwrap().matches(text, &Bindings::new());
        let filled = bindings.and_then(|bindings| Template::parse(template).unwrap().fill(&bindings));
        assert_eq!(filled.as_deref(), expected, "{pattern} -> {template} on {text}");
    }

    #[test]
    fn holes_take_operands() {
        check("sarl {n}, {d}", "shrl {n}, {d}", "sarl $3, 8(%rax,%rbx,4)", Some("shrl $3, 8(%rax,%rbx,4)"));
        check("sarl {n}, {d}", "shrl {n}, {d}", "sarl %eax", None);
        check("sarl {n}", "shrl {n}", "sarl $3, %eax", None);
        check("sarl {d:mem}", "x {d}", "sarl %eax", None);
        check("sarl {d:mem}", "x {d}", "sarl (%eax)", Some("x (%eax)"));
        check(
            "leal ({b:reg},{i:reg},4), {d:reg}",
            "{b}{i}{d}",
            "leal (%rax,%rbx,4), %ecx",
            Some("%rax%rbx%ecx"),
        );
    }

    #[test]
    fn a_name_is_one_text_and_may_be_told_from_another() {
        check("imull {a}, {b}", "x {a}, {b}", "imull %eax, %eax", Some("x %eax, %eax"));
        check("xorl {a}, {b:reg!a}", "orl {a}, {b}", "xorl %ebx, %eax", Some("orl %ebx, %eax"));
        check("andl $-{n:int}, {d:reg!%esp}", "gone", "andl $-16, %esp", None);
        check("andl $-{n:int}, {d:reg!%esp}", "gone", "andl $-16, %eax", Some("gone"));
        check("xorl {a}, {b!a}", "orl {a}, {b}", "xorl %eax, %eax", None);
        check("xorl {a}, {a}", "gone", "xorl %eax, %eax", Some("gone"));
        check("xorl {a}, {a}", "gone", "xorl %eax, %ebx", None);
    }

    #[test]
    fn integers_move_and_registers_change_size() {
        check("sall ${n:int}, {d}", "sall ${n+1}, {d}", "sall $3, %eax", Some("sall $4, %eax"));
        check("andl $-{n:int}, {d}", "andl $-{n-1}, {d}", "andl $-8, %eax", Some("andl $-7, %eax"));
        check("movslq {s}, {d:reg}", "movl {s}, {d.32}", "movslq %eax, %r10", Some("movl %eax, %r10d"));
        check("{m:word}l $9, {d}", "{m}l $10, {d}", "cmpl $9, (%rax)", Some("cmpl $10, (%rax)"));
        check("{m:word}l $9, {d}", "{m}l $10, {d}", "cmpq $9, (%rax)", None);
        assert_eq!(resized("%r9b", 64).as_deref(), Some("%r9"));
        assert_eq!(resized("%xmm0", 32), None);
    }

    #[test]
    fn wrong_patterns_are_named() {
        assert!(Pattern::parse("sarl {n").is_err());
        assert!(Pattern::parse("sarl {}").is_err());
        assert!(Pattern::parse("sarl {n:what}").is_err());
        assert!(Template::parse("sarl {n+x}").is_err());
    }
}
