//! New code in a line of text: one word for each thing to build, operands first.
//!
//! `obj:o12 int:5:d:int + eval` evaluates the sum of the seed's object 12 and 5.

use super::{Fragment, Name, Op};
use crate::compose::Shape;
use crate::edit::step::Ref;
use crate::id::Id;
use crate::program::{BinaryOp, IntForm, Storage, UnaryOp};
use std::fmt;
use std::str::FromStr;

const UNARY: &[(&str, UnaryOp)] = &[
    ("neg", UnaryOp::Neg),
    ("plus", UnaryOp::Plus),
    ("compl", UnaryOp::BitNot),
    ("not", UnaryOp::Not),
    ("deref", UnaryOp::Deref),
    ("addr", UnaryOp::AddrOf),
    ("preinc", UnaryOp::PreInc),
    ("predec", UnaryOp::PreDec),
    ("postinc", UnaryOp::PostInc),
    ("postdec", UnaryOp::PostDec),
    ("real", UnaryOp::Real),
    ("imag", UnaryOp::Imag),
];

const FORMS: &[(&str, IntForm)] =
    &[("d", IntForm::Decimal), ("x", IntForm::Hex), ("o", IntForm::Octal), ("c", IntForm::Char)];

const STORAGE: &[(&str, Storage)] = &[
    ("none", Storage::None),
    ("extern", Storage::Extern),
    ("static", Storage::Static),
    ("register", Storage::Register),
    ("auto", Storage::Auto),
];

/// Words that stand for themselves.
const PLAIN: &[(&str, Op)] = &[
    ("index", Op::Index),
    ("=", Op::Assign),
    ("cond", Op::Cond),
    ("elvis", Op::Elvis),
    (",", Op::Comma),
    ("sizeofx", Op::SizeofExpr),
    ("empty", Op::Empty),
    ("eval", Op::Evaluate),
    ("if", Op::If),
    ("ifelse", Op::IfElse),
    ("while", Op::While),
    ("do", Op::DoWhile),
    ("switch", Op::Switch),
    ("default", Op::Default),
    ("break", Op::Break),
    ("continue", Op::Continue),
    ("return", Op::Return),
    ("returnv", Op::ReturnValue),
];

/// A reference, by the letter of its kind: `s12` of the seed, `3.s0` what edit 3 made first.
pub(in crate::edit) struct Shown<I>(pub(in crate::edit) char, pub(in crate::edit) Ref<I>);

impl<I: Id> fmt::Display for Shown<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.0;
        match self.1 {
            Ref::Seed(id) => write!(f, "{letter}{}", id.index()),
            Ref::Made { edit, number } => write!(f, "{edit}.{letter}{number}"),
        }
    }
}

/// Reads a reference.
pub(in crate::edit) fn read_ref<I: Id>(text: &str, letter: char) -> Option<Ref<I>> {
    // Ids have 32 bits, and the last is taken.
    let number = |text: &str| text.parse::<u32>().ok().filter(|&number| number < u32::MAX);
    match text.split_once('.') {
        None => Some(Ref::Seed(I::from_index(number(text.strip_prefix(letter)?)? as usize))),
        Some((edit, rest)) => {
            Some(Ref::Made { edit: number(edit)?, number: number(rest.strip_prefix(letter)?)? })
        }
    }
}

/// A name, by the letter of its kind: `@2` is the third that the code declares.
pub(super) struct Named<I>(pub(super) char, pub(super) Name<I>);

impl<I: Id> fmt::Display for Named<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Name::Own(number) => write!(f, "@{number}"),
            Name::Outside(reference) => Shown(self.0, reference).fmt(f),
        }
    }
}

/// Reads a name.
pub(super) fn read_name<I: Id>(text: &str, letter: char) -> Option<Name<I>> {
    match text.strip_prefix('@') {
        Some(number) => Some(Name::Own(number.parse().ok()?)),
        None => Some(Name::Outside(read_ref(text, letter)?)),
    }
}

/// What is there, or a dash.
struct Perhaps<'a, T>(&'a Option<T>);

impl<T: fmt::Display> fmt::Display for Perhaps<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("-"),
        }
    }
}

fn perhaps<T: FromStr>(text: &str) -> Option<Option<T>> {
    if text == "-" { Some(None) } else { Some(Some(text.parse().ok()?)) }
}

fn spelled<T: PartialEq>(table: &[(&'static str, T)], wanted: &T) -> &'static str {
    table.iter().find(|(_, known)| known == wanted).map_or("?", |(name, _)| name)
}

fn meant<T: Clone>(table: &[(&'static str, T)], word: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == word).map(|(_, known)| known.clone())
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Int { value, form, ty } => write!(f, "int:{value}:{}:{ty}", spelled(FORMS, form)),
            Op::Float { bits, ty } => write!(f, "float:{bits:x}:{ty}"),
            Op::Str(bytes) => {
                f.write_str("str:")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
            Op::Object(object) => write!(f, "obj:{}", Named('o', *object)),
            Op::Function(func) => write!(f, "func:{}", Named('f', *func)),
            Op::Own(name) => write!(f, "func:{name}"),
            Op::Case(last) => write!(f, "case:{}", u8::from(*last)),
            Op::Constant(constant) => write!(f, "enum:{}", Named('k', *constant)),
            Op::List(parts) => {
                f.write_str("list")?;
                parts.iter().try_for_each(|part| write!(f, ":{part}"))
            }
            Op::Literal(ty) => write!(f, "literal:{ty}"),
            Op::Member(name) => write!(f, "member:{name}"),
            Op::Unary(op) => f.write_str(spelled(UNARY, op)),
            Op::Binary(op) => f.write_str(op.symbol()),
            Op::Compound(op) => write!(f, "set:{}", op.symbol()),
            Op::Cast(ty) => write!(f, "cast:{ty}"),
            Op::Call(count) => write!(f, "call:{count}"),
            Op::Builtin(name, count) => write!(f, "builtin:{name}:{count}"),
            Op::SizeofType(ty) => write!(f, "sizeof:{ty}"),
            Op::Block(count) => write!(f, "block:{count}"),
            Op::Decls(count) => write!(f, "decls:{count}"),
            Op::For { init, cond, step } => {
                write!(f, "for:{}{}{}", u8::from(*init), u8::from(*cond), u8::from(*step))
            }
            Op::Label(label) => write!(f, "label:{}", Named('l', *label)),
            Op::Goto(label) => write!(f, "goto:{}", Named('l', *label)),
            Op::Global { name, ty, storage, init } => {
                write!(f, "global:{name}:{ty}:{}:{}", spelled(STORAGE, storage), u8::from(*init))
            }
            Op::Again(object) => write!(f, "again:{}", Named('o', *object)),
            Op::Begin { name, ty, internal, inline } => {
                write!(f, "function:{name}:{ty}:{}:{}", u8::from(*internal), u8::from(*inline))
            }
            Op::Param { name, ty } => write!(f, "param:{name}:{ty}"),
            Op::Prototype(func) => write!(f, "prototype:{}", Named('f', *func)),
            Op::Define(func, count) => write!(f, "define:@{func}:{count}"),
            Op::Attribute(name) => write!(f, "attribute:{name}"),
            Op::Align(align) => write!(f, "align:{align}"),
            Op::Record { union, tag } => write!(f, "record:{}:{}", u8::from(*union), Perhaps(tag)),
            Op::Tag(record) => write!(f, "tag:@{record}"),
            Op::Field { name, ty, bits, align, packed } => {
                write!(f, "field:{}:{ty}:{}:{align}:{}", Perhaps(name), Perhaps(bits), u8::from(*packed))
            }
            Op::Fields(record, Shape { packed, align, pack }) => {
                write!(f, "fields:@{record}:{}:{align}:{pack}", u8::from(*packed))
            }
            Op::Enumerator { name, value } => write!(f, "constant:{name}:{}", Perhaps(value)),
            Op::Enum { tag, packed } => write!(f, "enumeration:{tag}:{}", u8::from(*packed)),
            Op::Declare { name, ty, storage, init } => {
                write!(f, "declare:{name}:{ty}:{}:{}", spelled(STORAGE, storage), u8::from(*init))
            }
            Op::Index
            | Op::Assign
            | Op::Cond
            | Op::Elvis
            | Op::Comma
            | Op::SizeofExpr
            | Op::Empty
            | Op::Evaluate
            | Op::If
            | Op::IfElse
            | Op::While
            | Op::DoWhile
            | Op::Switch
            | Op::Default
            | Op::Break
            | Op::Continue
            | Op::Return
            | Op::ReturnValue => f.write_str(spelled(PLAIN, self)),
        }
    }
}

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, op) in self.ops.iter().enumerate() {
            write!(f, "{}{op}", if at > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Fragment {
    type Err = String;

    fn from_str(text: &str) -> Result<Fragment, String> {
        let ops = text.split_ascii_whitespace();
        let ops = ops.map(|word| op(word).ok_or_else(|| format!("`{word}` is no part of code")));
        Ok(Fragment { ops: ops.collect::<Result<_, _>>()? })
    }
}

fn flag(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

fn op(word: &str) -> Option<Op> {
    if let Some(op) = meant(PLAIN, word) {
        return Some(op);
    }
    if let Some(op) = meant(UNARY, word) {
        return Some(Op::Unary(op));
    }
    let binary = |symbol: &str| BinaryOp::ALL.into_iter().find(|op| op.symbol() == symbol);
    if let Some(op) = binary(word) {
        return Some(Op::Binary(op));
    }
    let (name, rest) = word.split_once(':')?;
    let parts: Vec<&str> = rest.split(':').collect();
    let own = |text: &str| text.strip_prefix('@')?.parse().ok();
    let number = |text: &&str| text.parse().ok();
    Some(match (name, &parts[..]) {
        ("int", [value, form, ty]) => {
            Op::Int { value: value.parse().ok()?, form: meant(FORMS, form)?, ty: (*ty).to_owned() }
        }
        ("float", [bits, ty]) => {
            Op::Float { bits: u128::from_str_radix(bits, 16).ok()?, ty: (*ty).to_owned() }
        }
        ("str", [bytes]) => Op::Str(hex(bytes)?),
        ("obj", [object]) => Op::Object(read_name(object, 'o')?),
        ("func", [name]) if name.starts_with("__builtin_") => Op::Own((*name).to_owned()),
        ("case", [last]) => Op::Case(flag(last)?),
        ("func", [func]) => Op::Function(read_name(func, 'f')?),
        ("enum", [constant]) => Op::Constant(read_name(constant, 'k')?),
        ("list", parts) => Op::List(parts.iter().map(number).collect::<Option<_>>()?),
        ("literal", [ty]) => Op::Literal((*ty).to_owned()),
        ("member", [name]) => Op::Member((*name).to_owned()),
        ("set", [symbol]) => Op::Compound(binary(symbol)?),
        ("cast", [ty]) => Op::Cast((*ty).to_owned()),
        ("call", [count]) => Op::Call(count.parse().ok()?),
        ("builtin", [name, count]) => Op::Builtin((*name).to_owned(), count.parse().ok()?),
        ("sizeof", [ty]) => Op::SizeofType((*ty).to_owned()),
        ("block", [count]) => Op::Block(count.parse().ok()?),
        ("decls", [count]) => Op::Decls(count.parse().ok()?),
        ("for", [flags]) if flags.len() == 3 && flags.is_ascii() => {
            Op::For { init: flag(&flags[..1])?, cond: flag(&flags[1..2])?, step: flag(&flags[2..])? }
        }
        ("label", [name]) => Op::Label(read_name(name, 'l')?),
        ("goto", [name]) => Op::Goto(read_name(name, 'l')?),
        ("declare", [name, ty, storage, init]) => Op::Declare {
            name: (*name).to_owned(),
            ty: (*ty).to_owned(),
            storage: meant(STORAGE, storage)?,
            init: flag(init)?,
        },
        _ => return declaration(name, &parts, own),
    })
}

/// What stands at file scope.
fn declaration(name: &str, parts: &[&str], own: impl Fn(&str) -> Option<u32>) -> Option<Op> {
    Some(match (name, parts) {
        ("global", [name, ty, storage, init]) => Op::Global {
            name: (*name).to_owned(),
            ty: (*ty).to_owned(),
            storage: meant(STORAGE, storage)?,
            init: flag(init)?,
        },
        ("again", [object]) => Op::Again(read_name(object, 'o')?),
        ("function", [name, ty, internal, inline]) => Op::Begin {
            name: (*name).to_owned(),
            ty: (*ty).to_owned(),
            internal: flag(internal)?,
            inline: flag(inline)?,
        },
        ("param", [name, ty]) => Op::Param { name: (*name).to_owned(), ty: (*ty).to_owned() },
        ("prototype", [func]) => Op::Prototype(read_name(func, 'f')?),
        ("define", [func, count]) => Op::Define(own(func)?, count.parse().ok()?),
        ("attribute", [name]) => Op::Attribute((*name).to_owned()),
        ("align", [align]) => Op::Align(align.parse().ok()?),
        ("record", [union, tag]) => Op::Record { union: flag(union)?, tag: perhaps(tag)? },
        ("tag", [record]) => Op::Tag(own(record)?),
        ("field", [name, ty, bits, align, packed]) => Op::Field {
            name: perhaps(name)?,
            ty: (*ty).to_owned(),
            bits: perhaps(bits)?,
            align: align.parse().ok()?,
            packed: flag(packed)?,
        },
        ("fields", [record, packed, align, pack]) => {
            let shape = Shape { packed: flag(packed)?, align: align.parse().ok()?, pack: pack.parse().ok()? };
            Op::Fields(own(record)?, shape)
        }
        ("constant", [name, value]) => Op::Enumerator { name: (*name).to_owned(), value: perhaps(value)? },
        ("enumeration", [tag, packed]) => Op::Enum { tag: (*tag).to_owned(), packed: flag(packed)? },
        _ => return None,
    })
}

fn hex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}
