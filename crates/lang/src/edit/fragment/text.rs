//! New code in a line of text: one word for each thing to build, operands first.
//!
//! `obj:o12 int:5:d:int + eval` evaluates the sum of the seed's object 12 and 5.

use super::{Fragment, LabelName, ObjectName, Op};
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
            Op::Object(ObjectName::Own(number)) => write!(f, "obj:@{number}"),
            Op::Object(ObjectName::Outside(object)) => write!(f, "obj:{}", Shown('o', *object)),
            Op::Function(func) => write!(f, "func:{}", Shown('f', *func)),
            Op::Own(name) => write!(f, "func:{name}"),
            Op::Case(last) => write!(f, "case:{}", u8::from(*last)),
            Op::Constant(number) => write!(f, "enum:{number}"),
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
            Op::Label(LabelName::Own(number)) => write!(f, "label:@{number}"),
            Op::Label(LabelName::Outside(label)) => write!(f, "label:{}", Shown('l', *label)),
            Op::Goto(LabelName::Own(number)) => write!(f, "goto:@{number}"),
            Op::Goto(LabelName::Outside(label)) => write!(f, "goto:{}", Shown('l', *label)),
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
    let label = |text: &str| match text.strip_prefix('@') {
        Some(number) => Some(LabelName::Own(number.parse().ok()?)),
        None => Some(LabelName::Outside(read_ref(text, 'l')?)),
    };
    Some(match (name, &parts[..]) {
        ("int", [value, form, ty]) => {
            Op::Int { value: value.parse().ok()?, form: meant(FORMS, form)?, ty: (*ty).to_owned() }
        }
        ("float", [bits, ty]) => {
            Op::Float { bits: u128::from_str_radix(bits, 16).ok()?, ty: (*ty).to_owned() }
        }
        ("str", [bytes]) => Op::Str(hex(bytes)?),
        ("obj", [object]) => Op::Object(match object.strip_prefix('@') {
            Some(number) => ObjectName::Own(number.parse().ok()?),
            None => ObjectName::Outside(read_ref(object, 'o')?),
        }),
        ("func", [name]) if name.starts_with("__builtin_") => Op::Own((*name).to_owned()),
        ("case", [last]) => Op::Case(flag(last)?),
        ("func", [func]) => Op::Function(read_ref(func, 'f')?),
        ("enum", [number]) => Op::Constant(number.parse().ok()?),
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
        ("label", [name]) => Op::Label(label(name)?),
        ("goto", [name]) => Op::Goto(label(name)?),
        ("declare", [name, ty, storage, init]) => Op::Declare {
            name: (*name).to_owned(),
            ty: (*ty).to_owned(),
            storage: meant(STORAGE, storage)?,
            init: flag(init)?,
        },
        _ => return None,
    })
}

fn hex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}
