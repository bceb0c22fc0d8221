//! The printer: a typed program back to C a person would write. It decides nothing about meaning.
//!
//! Law: parsing the text gives the same program, and printing that gives the same bytes. So the text depends only on
//! what `dump` shows (and on the spelling of floating constants), never on positions or arena ids.
//!
//! The printer keeps an explicit stack of pieces instead of recursing, so the depth of a tree costs heap, not
//! stack. The few nested calls (array bounds inside types, nested functions) go through `Printer::now`, which is
//! guarded.

mod comment;
mod decl;
mod expr;
mod init;
mod literal;
mod place;
mod stmt;
mod types;
mod vla;

pub use comment::Comments;
pub use place::{NamePlace, Referent};

use crate::program::{EntryList, ExprId, InitId, Item, Program, StmtId, StmtKind, StmtList};
use crate::symbol::Symbol;
use crate::ty::{EnumId, Quals, RecordId, Type, TypeKind, VlaId};
use rustc_hash::{FxHashMap, FxHashSet};

/// How the text looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrintOptions {
    /// Spaces per level.
    pub indent: u8,
    /// A line that has grown longer than this is broken at the next operator or comma; 0 never breaks.
    pub width: u32,
    /// Whether `#include` lines are replaced by the items they stand for.
    pub includes: Includes,
}

/// What becomes of an `#include`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Includes {
    /// The line is written, what came from it is not.
    #[default]
    Keep,
    /// What came from it is written, the line is not.
    Expand,
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions { indent: 4, width: 100, includes: Includes::Keep }
    }
}

/// The text of every unit, in order.
pub fn program(program: &Program, options: &PrintOptions) -> Vec<String> {
    (0..program.units.len()).map(|index| unit(program, index, options)).collect()
}

/// The text of one unit; empty if there is no such unit. It needs nothing from the others: a unit declares all that it
/// names. What several units share has the same names in each, tags that the source does not have among them, so texts
/// of units that were printed apart still make one program.
pub fn unit(program: &Program, index: usize, options: &PrintOptions) -> String {
    annotated(program, index, options, Wanted::default()).text
}

/// What is asked of the printer beside the text.
#[derive(Clone, Copy, Default, Debug)]
pub struct Wanted<'a> {
    /// The places of names.
    pub names: bool,
    /// Comments to be written.
    pub comments: Option<&'a Comments>,
}

/// The text of a unit, and what was asked for beside it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Printed {
    /// The text.
    pub text: String,
    /// The places of all names in the text, in order.
    pub names: Vec<NamePlace>,
}

/// The text of one unit and more, for tools.
pub fn annotated(program: &Program, index: usize, options: &PrintOptions, wanted: Wanted<'_>) -> Printed {
    let Some(unit) = program.units.get(index) else { return Printed::default() };
    let mut printer = Printer::new(program, *options);
    printer.unit = index as u32;
    printer.names = wanted.names.then(Vec::new);
    printer.comments = wanted.comments;
    printer.items(&unit.items);
    Printed { text: printer.out, names: printer.names.unwrap_or_default() }
}

/// `ty` as a type name, for messages: `int *`, `struct S`, `int (*)(void)`.
pub fn type_name(program: &Program, ty: Type) -> String {
    let mut printer = Printer::new(program, PrintOptions { width: 0, ..PrintOptions::default() });
    printer.naming = true;
    printer.type_name(ty);
    // A message is for people, and there may be a thousand of them.
    if let Some((end, _)) = printer.out.char_indices().nth(MAX_NAME) {
        printer.out.truncate(end);
        printer.out.push('…');
    }
    printer.out
}

/// The longest type name in a message, in characters.
const MAX_NAME: usize = 1_000;

/// One expression on its own, for messages.
pub fn expression(program: &Program, expr: ExprId) -> String {
    let mut printer = Printer::new(program, PrintOptions { width: 0, ..PrintOptions::default() });
    printer.naming = true;
    printer.now(Piece::Expr(expr, expr::COMMA));
    printer.out
}

/// Something still to be written. The last one pushed is written first.
#[derive(Clone, Copy)]
enum Piece {
    /// These characters.
    Text(&'static str),
    /// An operator or comma with the spaces around it; the line may be broken after it.
    Break(&'static str),
    /// An identifier.
    Name(Symbol),
    /// An expression, in parentheses if it binds less tightly than this.
    Expr(ExprId, u8),
    /// An abstract type name.
    Type(Type),
    /// An initialiser of an object of this type.
    Init(InitId, Type),
    /// The entries of a braced initialiser from the given one on, and the closing brace. The flag says that the
    /// entry before was not written as one position, so the next needs a designator.
    Entries(EntryList, u32, Type, bool),
    /// The entries of an anonymous member's braces from the given one on, as designators of the outer braces.
    Flat(EntryList, u32, Type),
    /// The entries of an update from the given one on: each with the whole way to it, of which `Printer::path` has
    /// the beginning, from the first number to the second.
    Update(EntryList, u32, Type, u32, u32),
    /// A statement on a new line.
    Line(StmtId),
    /// A statement, here.
    Stmt(StmtId),
    /// The statement that a loop or a condition governs.
    Body(StmtId),
    /// The statement after a label.
    Labelled(StmtId),
    /// `else` and its statement; the flag says that the other branch ended in a brace.
    Else(StmtId, bool),
    /// The declarators of the head of a `for` from the given one on.
    Declarators(StmtList, u32),
    /// A new line at the current level.
    Newline,
    /// One level more.
    Indent,
    /// One level less.
    Dedent,
}

struct Printer<'a> {
    program: &'a Program,
    options: PrintOptions,
    out: String,
    /// Where the current line starts in `out`.
    line_start: usize,
    level: usize,
    stack: Vec<Piece>,
    /// Derivations of the declarator being written, outermost first; used as a stack.
    layers: Vec<Type>,
    /// Writing a name for a message: nothing may be declared on the side.
    naming: bool,
    /// The designators of the updates being written.
    path: String,
    /// The `#pragma pack` value in force.
    pack: u8,
    unit: u32,
    /// Helper typedefs of this unit, by the bare variant they stand for.
    variants: FxHashMap<Type, String>,
    /// The number in the name of the last helper typedef.
    last_variant: u32,
    /// Names that helper typedefs must not hide. Filled on first need.
    taken: Option<FxHashSet<Symbol>>,
    /// Text to insert into `out` when the current item is done.
    pending: Vec<place::Insertion>,
    /// The places of the names written so far, if they are asked for.
    names: Option<Vec<NamePlace>>,
    comments: Option<&'a Comments>,
    /// Where the current top-level item starts.
    item_start: usize,
    /// Where in `out` a tag declared in a block of the current item is known, and at which level.
    block_records: FxHashMap<RecordId, (usize, usize)>,
    block_enums: FxHashMap<EnumId, (usize, usize)>,
    /// Structs, unions and enumerations whose definition is behind an `#include` line.
    included: FxHashSet<TypeKind>,
    /// The element qualifiers that each kept typedef of an array has by itself.
    typedef_quals: FxHashMap<Symbol, Quals>,
    /// Variable bounds written so far. Writing one again would evaluate it again.
    evaluated: FxHashSet<VlaId>,
    /// What was declared with such bounds, in order.
    variably_modified: Vec<(Type, vla::Owner)>,
}

/// Deeper levels are not indented further, or deep nesting would make the text quadratic.
const MAX_LEVEL: usize = 60;

impl<'a> Printer<'a> {
    fn new(program: &'a Program, options: PrintOptions) -> Printer<'a> {
        Printer {
            program,
            options,
            out: String::new(),
            line_start: 0,
            level: 0,
            stack: Vec::new(),
            layers: Vec::new(),
            naming: false,
            path: String::new(),
            pack: 0,
            unit: 0,
            variants: FxHashMap::default(),
            last_variant: 0,
            taken: None,
            pending: Vec::new(),
            names: None,
            comments: None,
            item_start: 0,
            block_records: FxHashMap::default(),
            block_enums: FxHashMap::default(),
            included: FxHashSet::default(),
            typedef_quals: FxHashMap::default(),
            evaluated: FxHashSet::default(),
            variably_modified: Vec::new(),
        }
    }

    fn items(&mut self, items: &[Item]) {
        let mut included = 0u32;
        let mut previous_tall = false;
        if let Some(text) = self.comments.and_then(|comments| comments.top.as_ref()) {
            self.comment(text, 0);
            self.out.push('\n');
        }
        for (index, &item) in items.iter().enumerate() {
            let hidden = match (item, self.options.includes) {
                (Item::Include(_) | Item::IncludeEnd, Includes::Expand) => true,
                (Item::Include(_), Includes::Keep) => {
                    included += 1;
                    included > 1
                }
                (Item::IncludeEnd, Includes::Keep) => {
                    included = included.saturating_sub(1);
                    true
                }
                _ => included > 0,
            };
            if hidden {
                match item {
                    Item::Record(id) if included > 0 => self.included.insert(TypeKind::Record(id)),
                    Item::Enum(id) if included > 0 => self.included.insert(TypeKind::Enum(id)),
                    _ => false,
                };
                continue;
            }
            let tall = self.is_tall(item);
            if !self.out.is_empty() && (tall || previous_tall) {
                self.out.push('\n');
            }
            previous_tall = tall;
            self.line_start = self.out.len();
            self.item_start = self.out.len();
            self.block_records.clear();
            self.block_enums.clear();
            self.evaluated.clear();
            self.variably_modified.clear();
            if let Some(text) = self.comments.and_then(|comments| comments.items.get(&index)) {
                self.comment(text, 0);
                self.newline(0);
            }
            self.item(item);
            self.run(0);
            self.out.push('\n');
            self.insert_pending();
        }
    }

    /// Whether the item takes several lines and so gets an empty line around it.
    fn is_tall(&self, item: Item) -> bool {
        match item {
            Item::Record(_) => true,
            Item::Decl(decl) => self.program.decls[decl].body,
            _ => false,
        }
    }

    /// Writes one piece completely before returning.
    fn now(&mut self, piece: Piece) {
        let base = self.stack.len();
        self.stack.push(piece);
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.run(base));
    }

    /// Writes until the stack is down to `base` pieces.
    fn run(&mut self, base: usize) {
        while self.stack.len() > base {
            let Some(piece) = self.stack.pop() else { return };
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                Piece::Break(text) => self.breakable(text),
                Piece::Name(symbol) => self.name(symbol),
                Piece::Expr(expr, min) => self.expr(expr, min),
                Piece::Type(ty) => self.type_name(ty),
                Piece::Init(init, ty) => self.init(init, ty),
                Piece::Entries(list, at, ty, flat) => self.entries(list, at, ty, flat),
                Piece::Flat(list, at, ty) => self.flat_entries(list, at, ty),
                Piece::Update(list, at, ty, base, end) => self.update(list, at, ty, base, end),
                Piece::Line(stmt) => self.line(stmt),
                Piece::Stmt(stmt) => self.stmt(stmt),
                Piece::Body(stmt) => self.body(stmt),
                Piece::Labelled(stmt) => self.labelled(stmt),
                Piece::Else(stmt, after_brace) => self.otherwise(stmt, after_brace),
                Piece::Declarators(list, at) => self.declarators(list, at),
                Piece::Newline => self.newline(self.level),
                Piece::Indent => self.level += 1,
                Piece::Dedent => self.level = self.level.saturating_sub(1),
            }
        }
    }

    fn newline(&mut self, level: usize) {
        const SPACES: &str = "                                                                ";
        self.out.push('\n');
        self.line_start = self.out.len();
        let mut width = level.min(MAX_LEVEL) * usize::from(self.options.indent);
        while width > 0 {
            let part = width.min(SPACES.len());
            self.out.push_str(&SPACES[..part]);
            width -= part;
        }
    }

    /// Writes a separator that ends in a space, or in a new line if this one is full.
    fn breakable(&mut self, text: &'static str) {
        let width = self.options.width as usize;
        if width == 0 || self.out.len() - self.line_start <= width {
            self.out.push_str(text);
            return;
        }
        self.out.push_str(text.trim_end());
        self.newline(self.level + 1);
    }

    fn name(&mut self, symbol: Symbol) {
        self.out.push_str(self.program.name(symbol));
    }

    /// Separates a word from what stands before it.
    fn gap(&mut self) {
        // Identifiers may have `$` and letters beyond ASCII (C17 D.1).
        let is_word = |&b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b')' | 0x80..);
        if self.out.as_bytes().last().is_some_and(is_word) {
            self.out.push(' ');
        }
    }

    /// A statement's kind.
    fn kind(&self, stmt: StmtId) -> StmtKind {
        self.program.stmts[stmt].kind
    }

    /// Writes a number.
    fn number(&mut self, value: impl std::fmt::Display) {
        use std::fmt::Write;
        write!(self.out, "{value}").expect("writing to a string does not fail");
    }
}
