//! Types in a line of text: `*const.char`, `[3]int`, `record#2`, `f(int,...)void`.

use crate::build;
use crate::id::Id;
use crate::program::Program;
use crate::ty::{EnumId, Len, Quals, RecordId, Signature, Type, TypeKind};
use std::fmt::Write;

const BASIC: &[(&str, Type)] = &[
    ("void", Type::VOID),
    ("bool", Type::BOOL),
    ("char", Type::CHAR),
    ("schar", Type::SCHAR),
    ("uchar", Type::UCHAR),
    ("short", Type::SHORT),
    ("ushort", Type::USHORT),
    ("int", Type::INT),
    ("uint", Type::UINT),
    ("long", Type::LONG),
    ("ulong", Type::ULONG),
    ("llong", Type::LLONG),
    ("ullong", Type::ULLONG),
    ("int128", Type::INT128),
    ("uint128", Type::UINT128),
    ("float", Type::FLOAT),
    ("double", Type::DOUBLE),
    ("ldouble", Type::LDOUBLE),
    ("float128", Type::FLOAT128),
];

const QUALS: &[(&str, Quals)] = &[
    ("const.", Quals::CONST),
    ("volatile.", Quals::VOLATILE),
    ("restrict.", Quals::RESTRICT),
    ("atomic.", Quals::ATOMIC),
];

/// How deep a type may be that is read: the text may come from anywhere.
const DEEPEST: u32 = 100;

/// The text of a type; nothing for those that only their declaration can write.
pub(super) fn write(program: &Program, ty: Type) -> Option<String> {
    let mut text = String::new();
    write_to(program, ty, &mut text, 0)?;
    Some(text)
}

fn write_to(program: &Program, ty: Type, text: &mut String, depth: u32) -> Option<()> {
    let types = &program.types;
    if types.variant(ty).is_some() || depth > DEEPEST {
        return None;
    }
    for &(name, qual) in QUALS {
        if ty.quals().contains(qual) {
            text.push_str(name);
        }
    }
    if let Some((name, _)) = BASIC.iter().find(|(_, basic)| *basic == ty.bare()) {
        text.push_str(name);
        return Some(());
    }
    match types.kind(ty) {
        TypeKind::Pointer(to) => {
            text.push('*');
            write_to(program, to, text, depth + 1)
        }
        TypeKind::Array { elem, len: Len::Fixed(len) } => {
            let _ = write!(text, "[{len}]");
            write_to(program, elem, text, depth + 1)
        }
        TypeKind::Array { elem, len: Len::Unknown } => {
            text.push_str("[]");
            write_to(program, elem, text, depth + 1)
        }
        TypeKind::Record(id) => write!(text, "record#{}", id.index()).ok(),
        TypeKind::Enum(id) => write!(text, "enum#{}", id.index()).ok(),
        TypeKind::Function(signature) => {
            let signature = types.signature(signature);
            text.push_str("f(");
            for (at, &param) in signature.params.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                write_to(program, param, text, depth + 1)?;
            }
            text.push_str(match (signature.prototype, signature.variadic) {
                (false, _) => "?)",
                (true, true) => ",...)",
                (true, false) => ")",
            });
            write_to(program, signature.ret, text, depth + 1)
        }
        _ => None,
    }
}

/// The type of a text; nothing if it is none, or of a type that the program does not have.
pub(super) fn read(program: &mut Program, text: &str) -> Option<Type> {
    let mut rest = text;
    let ty = read_from(program, &mut rest, 0)?;
    rest.is_empty().then_some(ty)
}

fn read_from(program: &mut Program, text: &mut &str, depth: u32) -> Option<Type> {
    if depth > DEEPEST {
        return None;
    }
    let mut quals = Quals::NONE;
    for &(name, qual) in QUALS {
        if let Some(rest) = text.strip_prefix(name) {
            *text = rest;
            quals = quals.union(qual);
        }
    }
    let ty = if let Some(rest) = text.strip_prefix('*') {
        *text = rest;
        let to = read_from(program, text, depth + 1)?;
        build::pointer_to(program, to).ok()?
    } else if let Some(rest) = text.strip_prefix('[') {
        let (len, rest) = rest.split_once(']')?;
        *text = rest;
        let len = if len.is_empty() { Len::Unknown } else { Len::Fixed(len.parse().ok()?) };
        let elem = read_from(program, text, depth + 1)?;
        build::array_of(program, elem, len).ok()?
    } else if let Some(rest) = text.strip_prefix("f(") {
        *text = rest;
        read_function(program, text, depth)?
    } else if let Some(rest) = text.strip_prefix("record#") {
        let id = RecordId::from_index(number(rest, text)?);
        if id.index() >= program.types.records.len() {
            return None;
        }
        program.types.record(id)
    } else if let Some(rest) = text.strip_prefix("enum#") {
        let id = EnumId::from_index(number(rest, text)?);
        if id.index() >= program.types.enums.len() {
            return None;
        }
        program.types.enumeration(id)
    } else {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        *text = rest;
        BASIC.iter().find(|(basic, _)| *basic == name)?.1
    };
    may_have(program, ty, quals).then(|| program.types.qualified(ty, quals))
}

/// Whether a type may have qualifiers (C17 6.7.3p2, p3).
fn may_have(program: &Program, ty: Type, quals: Quals) -> bool {
    let types = &program.types;
    let plain = !types.is_function(ty) && types.is_complete(ty) && !is_array(program, ty);
    (quals == Quals::NONE || !types.is_function(ty))
        && (!quals.contains(Quals::ATOMIC) || plain)
        && (!quals.contains(Quals::RESTRICT) || types.pointee(ty).is_some_and(|to| !types.is_function(to)))
}

fn is_array(program: &Program, ty: Type) -> bool {
    matches!(program.types.kind(ty), TypeKind::Array { .. })
}

fn read_function(program: &mut Program, text: &mut &str, depth: u32) -> Option<Type> {
    let mut params = Vec::new();
    let (mut prototype, mut variadic) = (true, false);
    loop {
        if let Some(rest) = text.strip_prefix("?)") {
            (*text, prototype) = (rest, false);
            break;
        }
        if let Some(rest) = text.strip_prefix("...)") {
            (*text, variadic) = (rest, true);
            break;
        }
        if let Some(rest) = text.strip_prefix(')') {
            *text = rest;
            break;
        }
        params.push(read_from(program, text, depth + 1)?);
        *text = text.strip_prefix(',').unwrap_or(text);
    }
    let ret = read_from(program, text, depth + 1)?;
    // Types of functions have their parameters as they are passed, and without qualifiers (C17 6.7.6.3p7, p8, p15).
    let types = &program.types;
    let passed = |&ty: &Type| {
        ty == ty.bare() && !types.is_void(ty) && !types.is_function(ty) && !is_array(program, ty)
    };
    let fits = params.iter().all(passed)
        && ret == ret.bare()
        && (prototype || params.is_empty())
        && (!variadic || !params.is_empty());
    let signature = Signature { ret, params: params.into(), variadic, prototype };
    if fits { build::function_returning(program, signature).ok() } else { None }
}

/// Reads a number from the start of `digits` and leaves the rest in `text`.
fn number<'a>(digits: &'a str, text: &mut &'a str) -> Option<usize> {
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let (number, rest) = digits.split_at(end);
    *text = rest;
    // An id has 32 bits.
    number.parse::<u32>().ok().filter(|&number| number < u32::MAX).map(|number| number as usize)
}
