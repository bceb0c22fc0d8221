//! How a run ends: one sum type, in which "we cannot" never mixes with "the program is wrong".

use crate::ub::UbKind;
use howler_lang::source::Pos;
use std::borrow::Cow;
use std::fmt;

/// How one run of a program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// `main` returned or `exit` was called, with this status.
    Exit(u8),
    /// `abort`, a failed assertion, `__builtin_trap`.
    Abort,
    /// Undefined behaviour.
    Ub(Box<Ub>),
    /// Something the machine does not model.
    Unsupported(Box<Unsupported>),
    /// A limit was reached.
    Limit(Limit),
    /// There is no such program: no `main`, a definition missing or given twice.
    BadProgram(String),
}

/// Undefined behaviour that was met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ub {
    /// Its kind.
    pub kind: UbKind,
    /// Where.
    pub pos: Pos,
    /// One sentence part that says what happened: the kind's own, or one that fits the function or object better.
    pub message: Cow<'static, str>,
    /// The paragraphs of C17, or after `gcc: ` the section of GCC's manual, that make it undefined, as far as it is known which of the kind's.
    pub clause: Cow<'static, str>,
    /// What exactly, beyond that sentence; may be empty.
    pub detail: String,
    /// What explains it, with places.
    pub notes: Vec<(Pos, String)>,
}

impl Ub {
    /// Undefined behaviour of a kind, in the kind's own words.
    pub fn new(kind: UbKind, pos: Pos, detail: String) -> Ub {
        let (message, clause) = (Cow::Borrowed(kind.message()), Cow::Borrowed(kind.clause()));
        Ub { kind, pos, message, clause, detail, notes: Vec::new() }
    }

    /// Who says that it is undefined: the standard, or GCC's manual.
    ///
    /// ```
    /// use howler_machine::outcome::Ub;
    /// use howler_machine::ub::UbKind;
    /// let rule = |kind| Ub::new(kind, Default::default(), String::new()).rule();
    /// assert_eq!(rule(UbKind::NullDeref), "C17 6.5.3.2p4");
    /// assert_eq!(rule(UbKind::Unreachable), "GCC's manual, Other Builtins");
    /// ```
    pub fn rule(&self) -> String {
        match self.clause.strip_prefix("gcc: ") {
            Some(section) => format!("GCC's manual, {section}"),
            None => format!("C17 {}", self.clause),
        }
    }
}

/// Something that is not modelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// The construct.
    pub what: String,
    /// Where it was met.
    pub pos: Pos,
}

/// A limit of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Steps.
    Fuel,
    /// Memory: all objects together, or one allocation too large to be sure of.
    Memory,
    /// The stack: calls that are open, their locals, VLAs and memory from alloca.
    Stack,
    /// Bytes of output.
    Output,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Fuel => "steps",
            Limit::Memory => "memory",
            Limit::Stack => "stack",
            Limit::Output => "output",
        })
    }
}

/// Something the standard leaves open that the program depended on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Open {
    /// Where objects are placed.
    Address,
    /// Bytes of padding or of a union's tail.
    Padding,
    /// The order of calls that are indeterminately sequenced.
    CallOrder,
    /// Whether a product that is added to something is rounded before.
    Contraction,
    /// Whether an expression is evaluated that need not be: one that an initialiser overrides, or a bound under
    /// `sizeof` that does not matter.
    Unevaluated,
    /// The sign or payload of a NaN, or a library or builtin result known only in part.
    Library,
    /// The order of accesses to different volatile objects.
    VolatileOrder,
    /// Which definition of an inline function is used.
    Inline,
    /// The status of a `main` that ends without a return before C99.
    MainStatus,
}

impl Open {
    /// A sentence part that says what it is.
    pub const fn message(self) -> &'static str {
        match self {
            Open::Address => {
                "the result depends on where objects are placed (C17 6.2.6.1p1, 6.3.2.3p6, 6.5.9p6)"
            }
            Open::Padding => {
                "the result depends on padding or on bytes of a union that were not stored (C17 6.2.6.1p6-7)"
            }
            Open::CallOrder => {
                "the result depends on the order in which functions are called (C17 6.5.2.2p10)"
            }
            Open::Contraction => {
                "the result depends on whether a * b + c is rounded once or twice (C17 6.5p8; -ffp-contract=off)"
            }
            Open::Unevaluated => {
                "the result depends on side effects of an expression that need not be evaluated (C17 6.7.9p19, 6.7.6.2p5)"
            }
            Open::Library => {
                "the result depends on a value the library or the compiler may choose (C17 3.4.4p1)"
            }
            Open::VolatileOrder => "the order of volatile accesses is unspecified (C17 6.5p2)",
            Open::Inline => "either of two definitions of an inline function may be called (C17 6.7.4p7)",
            Open::MainStatus => {
                "the exit status is unspecified: main ends without a return before C99 (C90 5.1.2.2.3)"
            }
        }
    }
}

/// Why execution stops: everything but going on.
#[derive(Debug)]
pub enum Stop {
    /// The program ended by itself.
    Exit(u8),
    /// Abnormal end.
    Abort,
    /// Undefined behaviour, of a kind; the place is added where it is known.
    Ub(Box<UbStop>),
    /// Not modelled.
    Unsupported(String),
    /// A limit.
    Limit(Limit),
    /// A definition is missing.
    BadProgram(String),
}

/// Undefined behaviour before its place is known.
#[derive(Debug)]
pub struct UbStop {
    /// Its kind.
    pub kind: UbKind,
    /// Details; may be empty.
    pub detail: String,
    /// The allocation it is about, for notes.
    pub about: Option<crate::value::Prov>,
    /// Sentence and clause, where they are not the kind's own.
    pub said: Option<(Cow<'static, str>, &'static str)>,
    /// What explains it, with places.
    pub notes: Vec<(Pos, String)>,
}

impl UbStop {
    /// Undefined behaviour of a kind, maybe about an allocation.
    pub fn new(kind: UbKind, about: Option<crate::value::Prov>, detail: String) -> UbStop {
        UbStop { kind, detail, about, said: None, notes: Vec::new() }
    }
}

/// Short for results inside the machine.
pub type Run<T> = Result<T, Stop>;

/// Undefined behaviour without details.
#[cold]
pub fn ub<T>(kind: UbKind) -> Run<T> {
    Err(Stop::Ub(Box::new(UbStop::new(kind, None, String::new()))))
}

/// Undefined behaviour about an allocation.
#[cold]
pub fn ub_about<T>(kind: UbKind, about: crate::value::Prov, detail: String) -> Run<T> {
    Err(Stop::Ub(Box::new(UbStop::new(kind, Some(about), detail))))
}

/// Undefined behaviour that one of a kind's cases describes better than the kind itself.
#[cold]
pub fn ub_said<T>(kind: UbKind, message: impl Into<Cow<'static, str>>, clause: &'static str) -> Run<T> {
    let said = Some((message.into(), clause));
    Err(Stop::Ub(Box::new(UbStop { said, ..UbStop::new(kind, None, String::new()) })))
}

/// Adds a note, if it is undefined behaviour that stopped.
#[cold]
pub fn with_note(stop: Stop, pos: Pos, note: String) -> Stop {
    match stop {
        Stop::Ub(mut stop) => {
            stop.notes.push((pos, note));
            Stop::Ub(stop)
        }
        other => other,
    }
}

/// Something that is not modelled.
#[cold]
pub fn unsupported<T>(what: impl Into<String>) -> Run<T> {
    Err(Stop::Unsupported(what.into()))
}
