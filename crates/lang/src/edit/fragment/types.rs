//! Types in a line of text: `*const.char`, `[3]int`, `record#2`, `f(int,...)void`.

use super::Name;
use super::text::{Named, read_name};
use crate::build;
use crate::compose;
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

/// How a struct, union or enumeration is named in a text.
pub(super) trait Written {
    fn record(&self, id: RecordId) -> Name<RecordId>;
    fn enumeration(&self, id: EnumId) -> Name<EnumId>;
}

/// What such a name stands for; nothing if there is none of that number.
pub(super) trait Meant {
    fn record(&self, name: Name<RecordId>) -> Option<RecordId>;
    fn enumeration(&self, name: Name<EnumId>) -> Option<EnumId>;
}

/// The edits that a type needs.
pub(super) fn needs(text: &str) -> impl Iterator<Item = u32> {
    // Nothing else in a type has a `#`.
    text.split('#').skip(1).filter_map(|rest| {
        let (token, _) = token(rest);
        token.split_once('.')?.0.parse().ok()
    })
}

/// The text of a type; nothing for those that only their declaration can write.
pub(super) fn write(program: &Program, names: &impl Written, ty: Type) -> Option<String> {
    let mut text = String::new();
    write_to(program, names, ty, &mut text, 0)?;
    Some(text)
}

fn write_to(program: &Program, names: &impl Written, ty: Type, text: &mut String, depth: u32) -> Option<()> {
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
            write_to(program, names, to, text, depth + 1)
        }
        TypeKind::Array { elem, len: Len::Fixed(len) } => {
            let _ = write!(text, "[{len}]");
            write_to(program, names, elem, text, depth + 1)
        }
        TypeKind::Array { elem, len: Len::Unknown } => {
            text.push_str("[]");
            write_to(program, names, elem, text, depth + 1)
        }
        TypeKind::Vector { elem, lanes } => {
            let _ = write!(text, "<{lanes}>");
            write_to(program, names, elem, text, depth + 1)
        }
        TypeKind::Record(id) => write!(text, "record#{}", Named('r', names.record(id))).ok(),
        TypeKind::Enum(id) => write!(text, "enum#{}", Named('n', names.enumeration(id))).ok(),
        TypeKind::Function(signature) => {
            let signature = types.signature(signature);
            text.push_str("f(");
            for (at, &param) in signature.params.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                write_to(program, names, param, text, depth + 1)?;
            }
            text.push_str(match (signature.prototype, signature.variadic) {
                (false, _) => "?)",
                (true, true) => ",...)",
                (true, false) => ")",
            });
            write_to(program, names, signature.ret, text, depth + 1)
        }
        _ => None,
    }
}

/// The type of a text; nothing if it is none, or of a type that the program does not have.
pub(super) fn read(program: &mut Program, names: &impl Meant, text: &str) -> Option<Type> {
    let mut rest = text;
    let ty = read_from(program, names, &mut rest, 0)?;
    rest.is_empty().then_some(ty)
}

fn read_from(program: &mut Program, names: &impl Meant, text: &mut &str, depth: u32) -> Option<Type> {
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
        let to = read_from(program, names, text, depth + 1)?;
        build::pointer_to(program, to).ok()?
    } else if let Some(rest) = text.strip_prefix('[') {
        let (len, rest) = rest.split_once(']')?;
        *text = rest;
        let len = if len.is_empty() { Len::Unknown } else { Len::Fixed(len.parse().ok()?) };
        let elem = read_from(program, names, text, depth + 1)?;
        build::array_of(program, elem, len).ok()?
    } else if let Some(rest) = text.strip_prefix("f(") {
        *text = rest;
        read_function(program, names, text, depth)?
    } else if let Some(rest) = text.strip_prefix('<') {
        let (lanes, rest) = rest.split_once('>')?;
        *text = rest;
        let elem = read_from(program, names, text, depth + 1)?;
        compose::vector(program, elem, lanes.parse().ok()?).ok()?
    } else if let Some(rest) = text.strip_prefix("record#") {
        let (name, rest) = token(rest);
        *text = rest;
        let id = names.record(read_name(name, 'r')?)?;
        // One without a name is written where it is a member, and nowhere else.
        program.types.records[id].tag?;
        program.types.record(id)
    } else if let Some(rest) = text.strip_prefix("enum#") {
        let (name, rest) = token(rest);
        *text = rest;
        let id = names.enumeration(read_name(name, 'n')?)?;
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

fn read_function(program: &mut Program, names: &impl Meant, text: &mut &str, depth: u32) -> Option<Type> {
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
        params.push(read_from(program, names, text, depth + 1)?);
        *text = text.strip_prefix(',').unwrap_or(text);
    }
    let ret = read_from(program, names, text, depth + 1)?;
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

/// A name at the start of a text, and the rest.
fn token(text: &str) -> (&str, &str) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '@' || c == '.';
    text.split_at(text.find(|c| !is_part(c)).unwrap_or(text.len()))
}
