//! Texts as tokens and directives, and how they are written again.

use std::sync::Arc;

use howler_case::File;
use howler_case::id::Hasher;
use howler_front::lexer::lex;
use howler_front::token::Tok;
use howler_lang::symbol::Symbols;
use howler_lang::target::Std;

use super::raw::{bytes_of, text_of};
use crate::engine::Size;

/// The tokens and directives of some files.
#[derive(Clone)]
pub struct Pieces(Arc<Inner>);

struct Inner {
    names: Vec<String>,
    /// The first piece of each file, and the end.
    starts: Vec<usize>,
    pieces: Vec<Piece>,
}

struct Piece {
    text: String,
    /// What stood between it and the next one.
    glue: Glue,
    directive: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Glue {
    None,
    Blank,
    Line,
}

impl Pieces {
    /// Those of some files. Comments are left out.
    pub fn of(files: &[File]) -> Pieces {
        let mut inner = Inner { names: Vec::new(), starts: vec![0], pieces: Vec::new() };
        for file in files {
            inner.names.push(file.name.clone());
            each_part(&text_of(&file.text), |part, directive| match directive {
                true => {
                    inner.pieces.push(Piece { text: part.trim().to_owned(), glue: Glue::Line, directive })
                }
                false => tokens(part, |token, glue| {
                    inner.pieces.push(Piece { text: token.to_owned(), glue, directive });
                }),
            });
            inner.starts.push(inner.pieces.len());
        }
        Pieces(Arc::new(inner))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.pieces.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.pieces.is_empty()
    }

    /// The text of one.
    pub fn text(&self, at: usize) -> &str {
        &self.0.pieces[at].text
    }

    /// Whether one is a directive.
    pub fn is_directive(&self, at: usize) -> bool {
        self.0.pieces[at].directive
    }

    /// Whether a line ends after one.
    pub fn ends_line(&self, at: usize) -> bool {
        self.0.pieces[at].glue == Glue::Line || self.0.starts.contains(&(at + 1))
    }

    /// The files with these pieces only.
    pub fn write(&self, alive: &[bool]) -> Vec<File> {
        let inner = &*self.0;
        let mut files = Vec::new();
        for (name, range) in inner.names.iter().zip(inner.starts.windows(2)) {
            let mut text = String::new();
            // What stood between the last piece that was written and this one.
            let mut glue = Glue::Line;
            for (piece, _) in inner.pieces[range[0]..range[1]]
                .iter()
                .zip(&alive[range[0]..range[1]])
                .filter(|(_, alive)| **alive)
            {
                let starts_line = text.is_empty() || text.ends_with('\n');
                if piece.directive && !starts_line {
                    text.push('\n');
                } else if glue == Glue::None && !starts_line && may_join(&text, &piece.text) {
                    text.push(' ');
                }
                text += &piece.text;
                glue = piece.glue;
                match glue {
                    Glue::None => {}
                    Glue::Blank => text.push(' '),
                    Glue::Line => text.push('\n'),
                }
            }
            while text.ends_with([' ', '\n']) {
                text.pop();
            }
            text.push('\n');
            files.push(File { name: name.clone(), text: bytes_of(text) });
        }
        files
    }
}

/// Whether the end of a text and the start of another would be read as one token.
fn may_join(text: &str, next: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '"' | '\'');
    let (Some(last), Some(first)) = (text.chars().next_back(), next.chars().next()) else { return false };
    let sign = |c: char| "+-*/%&|^<>=!#:?".contains(c);
    (word(last) && word(first)) || (sign(last) && sign(first)) || (word(last) && "+-".contains(first))
}

/// Calls back with the directives of a text, each as a whole, and with what is between them.
fn each_part<'a>(text: &'a str, mut f: impl FnMut(&'a str, bool)) {
    let (mut start, mut at) = (0, 0);
    while at < text.len() {
        let mut end = text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
        if text[at..end].trim_start().starts_with('#') {
            while text[at..end].trim_end_matches('\n').ends_with('\\') && end < text.len() {
                end += text[end..].find('\n').map_or(text.len() - end, |length| length + 1);
            }
            f(&text[start..at], false);
            f(&text[at..end], true);
            start = end;
        }
        at = end;
    }
    f(&text[start..], false);
}

/// Calls back with the tokens of a text, and with what comes after each.
fn tokens<'a>(text: &'a str, mut f: impl FnMut(&'a str, Glue)) {
    let mut symbols = Symbols::default();
    let lexed = lex(text, &mut symbols, Std::GNU17);
    let starts: Vec<usize> = lexed
        .tokens
        .iter()
        .filter(|token| token.kind != Tok::Eof)
        .map(|token| token.offset as usize)
        .collect();
    for (at, &start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(text.len());
        let with_gap = text.get(start..end).unwrap_or_default();
        let token = without_gap(with_gap);
        let gap = &with_gap[token.len()..];
        let glue = match gap {
            "" => Glue::None,
            gap if gap.contains('\n') => Glue::Line,
            _ => Glue::Blank,
        };
        f(token, glue);
    }
}

/// A token without the white space and comments behind it.
fn without_gap(text: &str) -> &str {
    let first = text.chars().next().unwrap_or(' ');
    let literal = text.contains(['"', '\'']) && !first.is_ascii_digit();
    // In a literal everything may stand; behind one hardly a comment with quotes.
    let end = if literal { text.rfind(['"', '\'']).map_or(0, |at| at + 1) } else { 0 };
    let rest = &text[end..];
    let comment = ["/*", "//"].iter().filter_map(|mark| rest.find(mark)).filter(|&at| at + end > 0).min();
    text[..comment.map_or(text.len(), |at| at + end)].trim_end()
}

/// The size of some files, and a hash in which white space and comments do not count.
pub fn measure(files: &[File]) -> (Size, u128) {
    let mut size = Size::default();
    let mut hash = Hasher::new("tokens");
    for file in files {
        size.bytes += file.text.len() as u64;
        hash.field(file.name.as_bytes());
        each_part(&text_of(&file.text), |part, directive| {
            if directive {
                size.tokens += part.split_whitespace().count() as u64;
                hash.field(part.trim().as_bytes());
            } else {
                tokens(part, |token, _| {
                    size.tokens += 1;
                    hash.field(token.as_bytes());
                });
            }
        });
    }
    (size, u128::from_le_bytes(*hash.finish().bytes()))
}
