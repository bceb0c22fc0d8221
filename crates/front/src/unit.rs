//! A translation unit: external declarations one after the other, going on after errors.

use crate::declaration::Out;
use crate::declarator::Part;
use crate::init::InitState;
use crate::lexer::{self, PackStack};
use crate::parser::{Parse, Parser};
use crate::record::OpenRecord;
use crate::token::Tok;
use howler_lang::build::{Cx, Policy};
use howler_lang::diag::{Diagnostic, Severity};
use howler_lang::print;
use howler_lang::program::{DeclId, Entity, FuncId, Item, ObjId, Program, Unit};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::ty::{EnumId, Quals, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How to read a text.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What gcc makes an error with `-pedantic-errors` is an error.
    pub pedantic_errors: bool,
}

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Report {
    /// The new unit's index in [`Program::units`]; none if there was an error.
    pub unit: Option<u32>,
    /// Errors, unsupported constructs and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// What only declarations need to remember.
#[derive(Default)]
pub(crate) struct DeclState {
    /// Parts of the declarators being read; see `declarator`.
    pub(crate) parts: Vec<Part>,
    /// Qualifiers of the pointers being read.
    pub(crate) stars: Vec<Quals>,
    /// How many types the declarations so far name, typedef names spelled out.
    pub(crate) spelled: u64,
    /// How many parameter lists are open.
    pub(crate) prototypes: u32,
    /// Some `[*]` was read.
    pub(crate) star_bounds: bool,
    /// An array type and its size.
    pub(crate) array_size: Option<(Type, u64)>,
    pub(crate) open_records: Vec<OpenRecord>,
    pub(crate) open_enums: Vec<EnumId>,
    /// The next number to try after a tag that is taken.
    pub(crate) tag_numbers: FxHashMap<Symbol, u32>,
    /// The tag of an enumeration until it gets one.
    pub(crate) no_tag: Option<Symbol>,
    pub(crate) packs: PackStack,
    /// How many of the text's `#pragma pack` are in `packs`.
    pub(crate) packs_done: usize,
    pub(crate) va_list: Option<Type>,
    /// Attribute names without their underscores.
    pub(crate) plain_names: FxHashMap<Symbol, Symbol>,
    /// Names of attributes met before that are kept and say nothing else.
    pub(crate) kept_attributes: FxHashSet<Symbol>,
    /// What functions and objects with linkage were before a declaration in a block, with the depth of its scope.
    pub(crate) outer_types: Vec<(u32, Entity, Type)>,
    /// The types of objects declared in blocks, with what all their declarations say.
    pub(crate) block_types: FxHashMap<ObjId, Type>,
    /// Objects whose type must be known at the end.
    pub(crate) tentative: Vec<ObjId>,
    /// The declaration with the body.
    pub(crate) definitions: FxHashMap<FuncId, DeclId>,
    pub(crate) init: InitState,
    /// How many of the text's includes were passed.
    includes_done: usize,
    /// The token at which the open include ends.
    include_end: Option<usize>,
}

impl DeclState {
    /// Whether the declaration being read came from an `#include <…>` line.
    pub(crate) fn in_include(&self) -> bool {
        self.include_end.is_some()
    }
}

/// Reads a preprocessed text called `name` as the next unit of `program`. After an error the program is what it was,
/// but for the text itself.
pub fn parse(program: &mut Program, name: &str, text: Arc<str>, options: &Options) -> Report {
    let Some(base) = program.sources.add(name, Arc::clone(&text)) else {
        let message = "texts of 4 GiB or more".to_owned();
        return Report { unit: None, diagnostics: vec![Diagnostic::unsupported(Pos::NONE, message)] };
    };
    let std = program.target.std;
    let lexed = lexer::lex(&text, &mut program.symbols, std);
    make_room(program, lexed.tokens.len());
    let mark = program.mark();
    let unit = program.units.len() as u32;
    program.units.push(Unit { name: name.to_owned(), items: Vec::new() });
    let policy = if options.pedantic_errors { Policy::Strict } else { Policy::Lenient };
    let cx = Cx { program, policy, warnings: Vec::new() };
    let lexical = lexed.errors.len();
    let mut parser = Parser::new(cx, options, text, lexed, base, unit);
    parser.translation_unit();
    let mut diagnostics = std::mem::take(&mut parser.diagnostics);
    drop_consequences(&mut diagnostics);
    place_lexical(&mut diagnostics, lexical);
    let failed = diagnostics.iter().any(|diagnostic| diagnostic.severity >= Severity::Unsupported);
    if failed {
        // What was read before the error must not meet the other units at link time.
        program.go_back(mark);
    }
    Report { unit: if failed { None } else { Some(unit) }, diagnostics }
}

/// Makes room for what about this many tokens become, so that the arenas are not moved as they grow. The shares are
/// those of Csmith programs; room that is not used is never touched, so it costs no memory.
fn make_room(program: &mut Program, tokens: usize) {
    program.exprs.reserve(tokens * 5 / 8);
    program.inits.reserve(tokens / 6);
    program.entries.reserve(tokens / 6);
    program.stmts.reserve(tokens / 24);
    program.objects.reserve(tokens / 24);
    program.decls.reserve(tokens / 24);
    program.funcs.reserve(tokens / 80);
    program.strings.reserve(tokens / 80);
    program.expr_lists.reserve(tokens / 16);
    program.stmt_lists.reserve(tokens / 24);
}

/// What is said after something unsupported was met may be a consequence of not having read it, so an error there
/// must not count against the program.
fn drop_consequences(diagnostics: &mut Vec<Diagnostic>) {
    let mut doubtful = false;
    diagnostics.retain(|diagnostic| {
        let unsupported = diagnostic.severity == Severity::Unsupported;
        doubtful |= unsupported;
        unsupported || !doubtful
    });
}

/// The lexer's errors, which come first, among the others where they belong.
fn place_lexical(diagnostics: &mut Vec<Diagnostic>, lexical: usize) {
    let rest = diagnostics.split_off(lexical.min(diagnostics.len()));
    let mut errors = std::mem::replace(diagnostics, Vec::with_capacity(rest.len())).into_iter().peekable();
    for diagnostic in rest {
        while let Some(error) = errors.next_if(|error| error.pos <= diagnostic.pos) {
            diagnostics.push(error);
        }
        diagnostics.push(diagnostic);
    }
    diagnostics.extend(errors);
}

impl Parser<'_> {
    /// The whole text. Errors end with the external declaration they are in.
    pub(crate) fn translation_unit(&mut self) {
        let first = self.cx.program.exprs.len();
        for error in std::mem::take(&mut self.lexed.errors) {
            let pos = Pos(self.base.0 + error.offset);
            self.error(pos, error.kind.to_string());
        }
        for (offset, name) in std::mem::take(&mut self.lexed.refused) {
            self.unsupported(Pos(self.base.0 + offset), format!("'#pragma {name}'"));
        }
        if self.tok() == Tok::Eof {
            self.extension(self.pos(), "ISO C forbids an empty translation unit");
        }
        while self.tok() != Tok::Eof && !self.gave_up() {
            self.place_includes();
            let start = self.at;
            if self.external_declaration().is_err() {
                self.skip_declaration(start);
                self.pending.clear();
                self.decl.parts.clear();
                self.decl.stars.clear();
                self.decl.open_records.clear();
                self.decl.open_enums.clear();
                self.decl.prototypes = 0;
            }
            // What a static assertion defined, for example.
            self.place_types(&mut Out::Unit, 0, Pos::NONE);
        }
        self.place_includes();
        if self.decl.include_end.take().is_some() {
            self.items().push(Item::IncludeEnd);
        }
        self.complete_tentative();
        self.find_library(first);
        self.check_aliases();
        if !self.failed() {
            self.settle_tags();
        }
        self.take_warnings();
    }

    fn items(&mut self) -> &mut Vec<Item> {
        &mut self.cx.program.units[self.unit as usize].items
    }

    fn external_declaration(&mut self) -> Parse<()> {
        match self.tok() {
            Tok::Semi => {
                let pos = self.pos();
                self.bump();
                self.pedantic_only(pos, "ISO C does not allow extra ';' outside of a function")
            }
            Tok::KwAsm => {
                self.bump();
                let text = self.asm_top_level()?;
                self.items().push(Item::Asm(text));
                Ok(())
            }
            // `__extension__ asm` and the like.
            Tok::KwExtension if self.peek(1) != Tok::Eof => {
                self.bump();
                self.external_declaration_after_extension()
            }
            Tok::LBracket if self.peek(1) == Tok::LBracket => Err(self.bracket_attribute()),
            _ => self.declaration(&mut Out::Unit),
        }
    }

    fn external_declaration_after_extension(&mut self) -> Parse<()> {
        while self.eat(Tok::KwExtension) {}
        self.quiet += 1;
        let result = match self.tok() {
            Tok::Semi | Tok::KwAsm | Tok::LBracket => self.external_declaration(),
            _ => self.declaration(&mut Out::Unit),
        };
        self.quiet -= 1;
        result
    }

    /// Opens and closes includes up to the current token. One that begins inside a declaration is no item: its
    /// text is part of that declaration.
    fn place_includes(&mut self) {
        loop {
            if let Some(end) = self.decl.include_end {
                if self.at < end {
                    return;
                }
                self.decl.include_end = None;
                self.items().push(Item::IncludeEnd);
            }
            let Some(&range) = self.lexed.includes.get(self.decl.includes_done) else { return };
            let start = range.start_token as usize;
            if start > self.at {
                return;
            }
            self.decl.includes_done += 1;
            let empty = range.end_token <= range.start_token;
            if start == self.at || empty {
                self.items().push(Item::Include(range.header));
                self.decl.include_end = Some(range.end_token as usize);
            }
        }
    }

    /// After an error in a declaration that began at token `start`: goes past its `;` or its body.
    fn skip_declaration(&mut self, start: usize) {
        let reached = self.at.max(start);
        self.at = start;
        let mut depth = 0u32;
        loop {
            let past = self.at >= reached;
            match self.tok() {
                Tok::Eof => return,
                Tok::LBrace | Tok::LParen | Tok::LBracket => depth += 1,
                Tok::RParen | Tok::RBracket => depth = depth.saturating_sub(1),
                Tok::RBrace => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && past && !self.goes_on_after_brace() {
                        self.bump();
                        return;
                    }
                }
                Tok::Semi if depth == 0 && past => {
                    self.bump();
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Whether a declaration can go on after the `}` here: `struct { … } x;`.
    fn goes_on_after_brace(&self) -> bool {
        matches!(
            self.peek(1),
            Tok::Semi | Tok::Comma | Tok::Star | Tok::Ident | Tok::Assign | Tok::KwAttribute | Tok::RParen
        )
    }

    /// A type in a message's words.
    pub(crate) fn show(&self, ty: Type) -> String {
        print::type_name(self.cx.program, ty)
    }
}
