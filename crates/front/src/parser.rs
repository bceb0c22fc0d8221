//! The parser's state and the moves every rule uses: look, eat, report, guard against depth.
//!
//! The rules themselves live by topic: `unit`, `spec`, `declarator`, `record`, `attribute`, `init`, `expr`,
//! `primary`, `stmt`, each an `impl Parser` block.

use crate::Options;
use crate::lexer::Lexed;
use crate::scope::Scopes;
use crate::token::{Tok, Token};
use crate::unit::DeclState;
use howler_lang::build::{Built, Cx, Violation};
use howler_lang::diag::Diagnostic;
use howler_lang::program::{Entity, ExprId, FuncId, Item, LabelId, StmtId};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::ty::Type;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A rule failed and has reported why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed;

/// The result of a rule.
pub(crate) type Parse<T> = Result<T, Failed>;

/// Brackets, blocks and declarators may nest this deep.
const MAX_NESTING: u32 = 1_000;

/// Operators without brackets (`- - - x`, `a = b = c`, `else if`) may nest this deep.
const MAX_CHAIN: u32 = 1_000_000;

/// After this many errors the rest of the text is not read.
const MAX_FAILURES: u32 = 100;

/// After this many diagnostics further warnings are dropped.
const MAX_WARNINGS: usize = 1_000;

/// Everything known while reading one translation unit.
pub(crate) struct Parser<'p> {
    pub(crate) cx: Cx<'p>,
    pub(crate) options: &'p Options,
    pub(crate) text: Arc<str>,
    pub(crate) lexed: Lexed,
    /// Index of the current token.
    pub(crate) at: usize,
    /// Position of the text's first byte.
    pub(crate) base: Pos,
    /// Index of the unit being read.
    pub(crate) unit: u32,
    /// Whether `long` has more than 32 bits.
    pub(crate) wide_long: bool,
    pub(crate) scopes: Scopes,
    /// Entities with linkage by name, in scope or not (C17 6.2.2p4).
    pub(crate) linked: FxHashMap<Symbol, Entity>,
    /// Tags given out in this unit: tags are made unique (see `lang::ty::Record::tag`).
    pub(crate) tags: FxHashSet<Symbol>,
    /// What declarations remember.
    pub(crate) decl: DeclState,
    /// Types defined since the enclosing item or block item began; they are placed before it.
    pub(crate) pending: Vec<Item>,
    /// The function whose body is being read.
    pub(crate) function: Option<FunctionCx>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Expressions of the lists being read, innermost last: a rule takes what is above its own mark.
    pub(crate) exprs: Vec<ExprId>,
    /// The same for statements of blocks being read.
    pub(crate) stmts: Vec<StmtId>,
    /// How many `__extension__` are in force: GNU extensions are not reported under one.
    pub(crate) quiet: u32,
    /// How many diagnostics are no warnings.
    failures: u32,
    nesting: u32,
    chain: u32,
}

/// What statements need to know of the function around them.
pub(crate) struct FunctionCx {
    pub(crate) func: FuncId,
    pub(crate) ret: Type,
    /// Labels by name, those of inner `__label__` declarations last.
    pub(crate) labels: FxHashMap<Symbol, Vec<LabelUse>>,
    /// Names declared by `__label__` in the open blocks, innermost last.
    pub(crate) local_labels: Vec<Symbol>,
    /// Labels of blocks that were left.
    pub(crate) closed_labels: Vec<(Symbol, LabelUse)>,
    /// Loops around the current statement.
    pub(crate) loops: u32,
    /// Switches around the current statement, innermost last.
    pub(crate) switches: Vec<SwitchCx>,
    /// What a jump must not enter, by [`Region`]: the parent of each, and what it is.
    pub(crate) regions: Vec<(Region, RegionKind)>,
    /// The innermost region around the current statement.
    pub(crate) region: Region,
    /// Jumps to labels, checked at the end of the function.
    pub(crate) jumps: Vec<(LabelId, Region, Pos)>,
    /// The function this one is nested in.
    pub(crate) outer: Option<Box<FunctionCx>>,
}

/// A part of a function that jumps must not enter: 0 is the function itself, others index
/// [`FunctionCx::regions`] from 1.
pub(crate) type Region = u32;

/// Why a jump must not enter a region.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RegionKind {
    /// From a declaration of variably modified type to the end of its block (C17 6.8.6.1p1).
    Variable(Pos),
    /// A statement expression (GNU C).
    StmtExpr,
}

/// A label as seen so far.
#[derive(Clone, Copy)]
pub(crate) struct LabelUse {
    pub(crate) label: LabelId,
    /// Where it was placed, and in which region.
    pub(crate) placed: Option<(Pos, Region)>,
    /// Some `goto` or `&&` names it.
    pub(crate) used: bool,
}

/// A switch being read.
pub(crate) struct SwitchCx {
    /// The promoted type of its value.
    pub(crate) ty: Type,
    /// Case ranges seen: the last value and where, by the first.
    pub(crate) cases: BTreeMap<i128, (i128, Pos)>,
    pub(crate) default: Option<Pos>,
    /// The region the switch is in.
    pub(crate) region: Region,
}

impl<'p> Parser<'p> {
    pub(crate) fn new(
        cx: Cx<'p>,
        options: &'p Options,
        text: Arc<str>,
        lexed: Lexed,
        base: Pos,
        unit: u32,
    ) -> Self {
        let symbols = cx.program.symbols.len();
        Parser {
            wide_long: cx.program.target.layout().long > 4,
            cx,
            options,
            text,
            lexed,
            at: 0,
            base,
            unit,
            scopes: Scopes::with_room(symbols),
            // Most names at file scope are functions that headers declare.
            linked: FxHashMap::with_capacity_and_hasher(symbols / 2, FxBuildHasher),
            tags: FxHashSet::default(),
            decl: DeclState::default(),
            pending: Vec::new(),
            function: None,
            diagnostics: Vec::new(),
            exprs: Vec::new(),
            stmts: Vec::new(),
            quiet: 0,
            failures: 0,
            nesting: 0,
            chain: 0,
        }
    }

    /// The current token.
    #[inline]
    pub(crate) fn token(&self) -> Token {
        self.lexed.tokens[self.at]
    }

    /// The kind of the current token.
    #[inline]
    pub(crate) fn tok(&self) -> Tok {
        self.lexed.tokens[self.at].kind
    }

    /// The kind of the token `ahead` places on.
    #[inline]
    pub(crate) fn peek(&self, ahead: usize) -> Tok {
        self.lexed.tokens.get(self.at + ahead).map_or(Tok::Eof, |token| token.kind)
    }

    /// The position of the current token.
    #[inline]
    pub(crate) fn pos(&self) -> Pos {
        self.pos_of(self.token())
    }

    /// The position of a token.
    #[inline]
    pub(crate) fn pos_of(&self, token: Token) -> Pos {
        Pos(self.base.0 + token.offset)
    }

    /// Moves past the current token and returns it. The end of the text stays current.
    #[inline]
    pub(crate) fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != Tok::Eof {
            self.at += 1;
        }
        token
    }

    /// Moves past the current token if it is a `tok`.
    #[inline]
    pub(crate) fn eat(&mut self, tok: Tok) -> bool {
        let found = self.tok() == tok;
        if found {
            self.bump();
        }
        found
    }

    /// Moves past a `tok` and returns its position, or reports that it is missing.
    #[inline]
    pub(crate) fn expect(&mut self, tok: Tok) -> Parse<Pos> {
        if self.tok() == tok {
            let pos = self.pos();
            self.bump();
            return Ok(pos);
        }
        Err(self.missing(tok))
    }

    #[cold]
    fn missing(&mut self, tok: Tok) -> Failed {
        self.expected(&format!("'{}'", tok.text()))
    }

    /// Reports that `what` was expected where the current token is.
    #[cold]
    pub(crate) fn expected(&mut self, what: &str) -> Failed {
        if self.tok() == Tok::LBracket && self.peek(1) == Tok::LBracket {
            return self.bracket_attribute();
        }
        let message = match self.tok() {
            Tok::Eof => format!("expected {what} at end of input"),
            Tok::Unknown => format!("stray '{}' in program", self.token().character()),
            _ => format!("expected {what} before {}", self.describe_token()),
        };
        // What ends a line that has no end is missing there, not where the next line begins.
        let ends = what.contains("';'") && self.tok() != Tok::Unknown;
        let pos = if ends { self.end_of_line_before() } else { None };
        self.error(pos.unwrap_or_else(|| self.pos()), message)
    }

    /// Reports an attribute in C2X's syntax, which gcc takes in all its modes.
    pub(crate) fn bracket_attribute(&mut self) -> Failed {
        self.unsupported(self.pos(), "attribute in '[['")
    }

    /// The current token in a message's words.
    pub(crate) fn describe_token(&self) -> String {
        let token = self.token();
        match token.kind {
            Tok::Eof => "end of input".to_owned(),
            Tok::Ident => format!("'{}'", self.cx.program.name(token.symbol())),
            Tok::Int | Tok::Float => "numeric constant".to_owned(),
            Tok::Char => "character constant".to_owned(),
            Tok::Str => "string constant".to_owned(),
            Tok::Unknown => "stray character".to_owned(),
            kind if kind.is_punctuator() => format!("'{}' token", kind.text()),
            _ => format!("'{}'", self.cx.program.name(token.symbol())),
        }
    }

    /// Reports an error.
    #[cold]
    pub(crate) fn error(&mut self, pos: Pos, message: impl Into<String>) -> Failed {
        self.failures += 1;
        self.diagnostics.push(Diagnostic::error(pos, message.into()));
        Failed
    }

    /// Reports a construct that is C but not supported, by name.
    #[cold]
    pub(crate) fn unsupported(&mut self, pos: Pos, what: impl Into<String>) -> Failed {
        self.failures += 1;
        self.diagnostics.push(Diagnostic::unsupported(pos, what.into()));
        Failed
    }

    /// Reports what compilers warn about.
    #[cold]
    pub(crate) fn warning(&mut self, pos: Pos, message: impl Into<String>) {
        if self.diagnostics.len() < MAX_WARNINGS {
            self.diagnostics.push(Diagnostic::warning(pos, message.into()));
        }
    }

    /// Whether something is wrong.
    pub(crate) fn failed(&self) -> bool {
        self.failures > 0
    }

    /// Whether so much is wrong that reading on is of no use.
    pub(crate) fn gave_up(&self) -> bool {
        self.failures >= MAX_FAILURES
    }

    /// An error under `-pedantic-errors`, else a warning: for what gcc lets pass by default.
    pub(crate) fn pedantic(&mut self, pos: Pos, message: impl Into<String>) -> Parse<()> {
        if self.options.pedantic_errors {
            return Err(self.error(pos, message));
        }
        self.warning(pos, message);
        Ok(())
    }

    /// An error under `-pedantic-errors` unless `__extension__` asks for silence: for GNU extensions that gcc takes
    /// without a word by default. The rule goes on.
    pub(crate) fn extension(&mut self, pos: Pos, message: &str) {
        // What headers do is not the program's fault.
        if self.options.pedantic_errors && self.quiet == 0 && !self.decl.in_include() {
            self.error(pos, message);
        }
    }

    /// Reports what gcc warns about by default, and takes for an error under `-pedantic-errors`. Reading goes on.
    #[cold]
    pub(crate) fn tolerated(&mut self, pos: Pos, message: impl Into<String>) {
        if self.options.pedantic_errors {
            self.error(pos, message);
        } else {
            self.warning(pos, message);
        }
    }

    /// Reports a constraint violated in `build`.
    #[cold]
    pub(crate) fn violation(&mut self, violation: Violation) -> Failed {
        self.error(violation.pos, violation.message)
    }

    /// What `build` made, or its violation reported; what it let pass becomes warnings.
    #[inline]
    pub(crate) fn built(&mut self, result: Built) -> Parse<ExprId> {
        if !self.cx.warnings.is_empty() {
            self.take_warnings();
        }
        result.map_err(|violation| self.violation(*violation))
    }

    /// Moves what `build` let pass into the diagnostics.
    #[cold]
    pub(crate) fn take_warnings(&mut self) {
        for violation in std::mem::take(&mut self.cx.warnings) {
            self.warning(violation.pos, violation.message);
        }
    }

    /// Runs a rule inside a bracket, block or declarator: too deep is an error, never a stack overflow.
    pub(crate) fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.nesting >= MAX_NESTING {
            return Err(self.unsupported(self.pos(), format!("nesting deeper than {MAX_NESTING} levels")));
        }
        self.nesting += 1;
        let result = self.on_enough_stack(rule);
        self.nesting -= 1;
        result
    }

    /// Runs a rule that recurses without a bracket.
    pub(crate) fn chained<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.chain >= MAX_CHAIN {
            return Err(self.unsupported(self.pos(), format!("more than {MAX_CHAIN} operators in one chain")));
        }
        self.chain += 1;
        let result = self.on_enough_stack(rule);
        self.chain -= 1;
        result
    }

    /// Runs a rule with room on the stack for it. The room is looked at on every fourth level only: what is left must
    /// do for four levels.
    #[inline]
    fn on_enough_stack<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if (self.nesting + self.chain).is_multiple_of(4) {
            stacker::maybe_grow(256 * 1024, 2 * 1024 * 1024, || rule(self))
        } else {
            rule(self)
        }
    }
}
