//! A complete text of a program: every implicit node, every type, nothing of where it came from.
//!
//! Two programs are equal exactly when their dumps are. Entities are written `name#n`, numbered in the order they are
//! first mentioned, so arena ids, positions and the spelling of floating constants do not show. It is for comparing
//! and for reading while debugging; nothing reads it back.

mod entity;
mod same;
mod tree;

pub use same::same_function;

use crate::id::Id;
use crate::program::{ExprId, FuncId, InitId, Item, LabelId, ObjId, Program, StmtId};
use crate::symbol::Symbol;
use crate::ty::{EnumId, Len, Quals, RecordId, RecordKind, Type, TypeKind, VlaId};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The text of the whole program.
pub fn program(program: &Program) -> String {
    let mut dumper = Dumper::new(program);
    dumper.line("(program");
    dumper.depth += 1;
    dumper.line("");
    let target = &program.target;
    dumper.fmt(format_args!(
        "(target {:?} {:?} {} char_signed={})",
        target.arch,
        target.compiler,
        target.std.name(),
        target.char_signed
    ));
    for unit in &program.units {
        // Without the file's name: a program is the same wherever it was read from.
        dumper.line("(unit");
        dumper.depth += 1;
        for &item in &unit.items {
            dumper.line("");
            dumper.item(item);
            dumper.run(0);
        }
        dumper.depth -= 1;
        dumper.out.push(')');
    }
    dumper.tables();
    dumper.out.push_str(")\n");
    dumper.out
}

/// Something still to be written. The last one pushed is written first.
#[derive(Clone, Copy)]
enum Step {
    Text(&'static str),
    Expr(ExprId),
    /// An initialiser.
    Init(InitId),
    /// A statement on a line of its own.
    Stmt(StmtId),
    /// The end of a statement's parenthesis.
    EndStmt,
    Number(u64),
    /// A declaration or the like, inside a statement.
    Item(Item),
}

/// Numbers in order of first mention.
struct Numbers<I> {
    of: FxHashMap<I, u32>,
    order: Vec<I>,
}

impl<I: Id + std::hash::Hash> Numbers<I> {
    fn new() -> Self {
        Numbers { of: FxHashMap::default(), order: Vec::new() }
    }

    fn get(&mut self, id: I) -> u32 {
        let next = self.order.len() as u32 + 1;
        let number = *self.of.entry(id).or_insert(next);
        if number == next {
            self.order.push(id);
        }
        number
    }
}

struct Dumper<'a> {
    program: &'a Program,
    out: String,
    depth: usize,
    stack: Vec<Step>,
    types: FxHashMap<Type, String>,
    /// Types too long to be written at each mention, in order of first mention: `type#n` stands for each.
    long_types: Vec<String>,
    objects: Numbers<ObjId>,
    funcs: Numbers<FuncId>,
    labels: Numbers<LabelId>,
    vlas: Numbers<VlaId>,
    records: Numbers<RecordId>,
    enums: Numbers<EnumId>,
}

/// Deeper lines are not indented further, or deep nesting would make the text quadratic.
const MAX_DEPTH: usize = 60;

/// Longer types are written once, at the end.
const LONG_TYPE: usize = 200;

impl<'a> Dumper<'a> {
    fn new(program: &'a Program) -> Dumper<'a> {
        Dumper {
            program,
            out: String::new(),
            depth: 0,
            stack: Vec::new(),
            types: FxHashMap::default(),
            long_types: Vec::new(),
            objects: Numbers::new(),
            funcs: Numbers::new(),
            labels: Numbers::new(),
            vlas: Numbers::new(),
            records: Numbers::new(),
            enums: Numbers::new(),
        }
    }

    /// Starts a new line (except at the very beginning).
    fn line(&mut self, text: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        for _ in 0..self.depth.min(MAX_DEPTH) {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
    }

    fn fmt(&mut self, args: std::fmt::Arguments<'_>) {
        self.out.write_fmt(args).expect("writing to a string does not fail");
    }

    /// Writes ` word` if it holds.
    fn flag(&mut self, holds: bool, word: &str) {
        if holds {
            self.out.push(' ');
            self.out.push_str(word);
        }
    }

    fn name(&mut self, symbol: Symbol) {
        self.out.push_str(self.program.name(symbol));
    }

    /// A name that may be missing; `_` is a name of its own, so a missing one is `-`.
    fn maybe_name(&mut self, symbol: Option<Symbol>) {
        match symbol {
            Some(symbol) => self.name(symbol),
            None => self.out.push('-'),
        }
    }

    fn quoted(&mut self, bytes: &[u8]) {
        self.fmt(format_args!("\"{}\"", bytes.escape_ascii()));
    }

    fn object(&mut self, id: ObjId) {
        let number = self.objects.get(id);
        self.maybe_name(self.program.objects[id].name);
        self.fmt(format_args!("#{number}"));
    }

    fn func(&mut self, id: FuncId) {
        let number = self.funcs.get(id);
        self.name(self.program.funcs[id].name);
        self.fmt(format_args!("#{number}"));
    }

    fn label(&mut self, id: LabelId) {
        let number = self.labels.get(id);
        self.name(self.program.labels[id].name);
        self.fmt(format_args!("#{number}"));
    }

    fn record(&mut self, id: RecordId) {
        let text = self.record_text(id);
        self.out.push_str(&text);
    }

    fn record_text(&mut self, id: RecordId) -> String {
        let number = self.records.get(id);
        let record = &self.program.types.records[id];
        let kind = match record.kind {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        };
        format!("({kind} {}#{number})", record.tag.map_or("-", |tag| self.program.name(tag)))
    }

    fn enum_text(&mut self, id: EnumId) -> String {
        let number = self.enums.get(id);
        format!("(enum {}#{number})", self.program.name(self.program.types.enums[id].tag))
    }

    /// A type, structurally.
    fn ty(&mut self, ty: Type) {
        if let Some(text) = self.types.get(&ty) {
            self.out.push_str(text);
            return;
        }
        let text = self.spell(ty);
        self.out.push_str(&text);
    }

    fn spell(&mut self, ty: Type) -> String {
        if let Some(text) = self.types.get(&ty) {
            return text.clone();
        }
        let mut text = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.spell_new(ty));
        if text.len() > LONG_TYPE {
            self.long_types.push(text);
            text = format!("type#{}", self.long_types.len());
        }
        self.types.insert(ty, text.clone());
        text
    }

    fn spell_new(&mut self, ty: Type) -> String {
        let types = &self.program.types;
        if !ty.quals().is_empty() {
            let mut text = String::from("(");
            for (flag, name) in [
                (Quals::CONST, "const "),
                (Quals::VOLATILE, "volatile "),
                (Quals::RESTRICT, "restrict "),
                (Quals::ATOMIC, "_Atomic "),
            ] {
                if ty.quals().contains(flag) {
                    text.push_str(name);
                }
            }
            return text + &self.spell(ty.bare()) + ")";
        }
        if let Some(&variant) = types.variant(ty) {
            let name = variant.name.map_or("-", |name| self.program.name(name));
            let base = self.spell(variant.base);
            return format!(
                "(variant {name} align={} may_alias={} {base})",
                variant.align, variant.may_alias
            );
        }
        match types.kind(ty) {
            TypeKind::Void => "void".to_owned(),
            TypeKind::Bool => "bool".to_owned(),
            TypeKind::Int(kind) => format!("{kind:?}").to_lowercase(),
            TypeKind::Bits { width, signed } => format!("(bits {width} signed={signed})"),
            TypeKind::Float(kind) => format!("{kind:?}").to_lowercase(),
            TypeKind::Complex(elem) => format!("(complex {})", self.spell(elem)),
            TypeKind::Vector { elem, lanes } => format!("(vector {lanes} {})", self.spell(elem)),
            TypeKind::Pointer(to) => format!("(ptr {})", self.spell(to)),
            TypeKind::Array { elem, len } => {
                let len = match len {
                    Len::Unknown => "?".to_owned(),
                    Len::Fixed(len) => len.to_string(),
                    Len::Variable(vla) => format!("vla#{}", self.vlas.get(vla)),
                    Len::Star => "*".to_owned(),
                };
                format!("(array {len} {})", self.spell(elem))
            }
            TypeKind::Function(id) => {
                let signature = types.signature(id);
                let mut text = format!("(fn {} (", self.spell(signature.ret));
                for (at, &param) in signature.params.iter().enumerate() {
                    if at > 0 {
                        text.push(' ');
                    }
                    text += &self.spell(param);
                }
                text.push(')');
                text.push_str(if signature.variadic { " variadic" } else { "" });
                text.push_str(if signature.prototype { ")" } else { " unprototyped)" });
                text
            }
            TypeKind::Record(id) => self.record_text(id),
            TypeKind::Enum(id) => self.enum_text(id),
            // `kind` looks through variants.
            TypeKind::Variant(_) => String::new(),
        }
    }
}
