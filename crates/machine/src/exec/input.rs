//! What a program is given: the bytes of standard input, and the arguments of `main`.

use howler_lang::program::{ExprKind, Program};
use howler_lang::visit::Reached;

/// What a run reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Input<'a> {
    /// Standard input, which ends behind them.
    pub bytes: &'a [u8],
    /// The arguments behind the program's name. None has a zero byte in it.
    pub arguments: &'a [Vec<u8>],
}

/// Whether a program names standard input or a function that reads from it. What others read is no matter of a run.
pub fn reads_input(program: &Program) -> bool {
    let reached = Reached::of(program);
    program.exprs.iter().any(|(e, expr)| match expr.kind {
        _ if !reached.expr(e) => false,
        ExprKind::Object(object) => {
            let object = &program.objects[object];
            !object.defined && object.name.is_some_and(|name| program.name(name) == "stdin")
        }
        ExprKind::Function(func) => {
            let function = &program.funcs[func];
            let name = super::library::base_name(program.name(function.name));
            function.body.is_none() && READERS.contains(&name)
        }
        _ => false,
    })
}

/// Functions that read from standard input without being told to.
const READERS: &[&str] = &[
    "getchar",
    "getchar_unlocked",
    "gets",
    "getwchar",
    "read",
    "scanf",
    "vscanf",
    "wscanf",
    "__isoc99_scanf",
];

/// Standard input while a program runs.
pub(super) struct Reader<'p> {
    bytes: &'p [u8],
    at: usize,
    /// A byte that `ungetc` pushed back.
    pushed: Option<u8>,
    /// The end-of-file indicator (C17 7.21.1p2).
    pub ended: bool,
}

impl<'p> Reader<'p> {
    pub(super) fn new(bytes: &'p [u8]) -> Reader<'p> {
        Reader { bytes, at: 0, pushed: None, ended: false }
    }

    /// The next byte; at the end the indicator is set, and stays so (C17 7.21.7.1p2).
    pub(super) fn next(&mut self) -> Option<u8> {
        if self.ended {
            return None;
        }
        if let Some(byte) = self.pushed.take() {
            return Some(byte);
        }
        let byte = self.bytes.get(self.at).copied();
        match byte {
            Some(_) => self.at += 1,
            None => self.ended = true,
        }
        byte
    }

    /// Whether something was read or tried to be.
    pub(super) fn is_used(&self) -> bool {
        self.at > 0 || self.ended || self.pushed.is_some()
    }

    /// Pushes a byte back; only one is sure to be taken (C17 7.21.7.10p3).
    pub(super) fn push(&mut self, byte: u8) -> bool {
        if self.pushed.is_some() {
            return false;
        }
        self.pushed = Some(byte);
        self.ended = false;
        true
    }

    /// Everything that is left.
    pub(super) fn rest(&self) -> Vec<u8> {
        if self.ended {
            return Vec::new();
        }
        self.pushed.iter().chain(&self.bytes[self.at..]).copied().collect()
    }

    /// Goes on by so many bytes of [`Reader::rest`].
    pub(super) fn skip(&mut self, mut count: usize) {
        if count > 0 && self.pushed.take().is_some() {
            count -= 1;
        }
        self.at = self.at.saturating_add(count).min(self.bytes.len());
    }
}
