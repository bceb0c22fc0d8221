//! The scanf family: from texts, and from standard input.

use super::Exec;
use super::lib_format::Args;
use super::library::{Native, NativeCall, int};
use crate::outcome::{Run, Stop, ub_about, unsupported};
use crate::text::scan::{self, Item, Object, Range};
use crate::ub::UbKind;
use crate::value::{Choice, Marks, Prov, Value};
use howler_lang::arith::{Format, Num};
use howler_lang::ty::Type;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "sscanf" | "vsscanf" | "__isoc99_sscanf" | "__isoc99_vsscanf" => sscanf,
        "scanf" | "vscanf" | "__isoc99_scanf" | "__isoc99_vscanf" => scanf,
        "fscanf" | "vfscanf" | "__isoc99_fscanf" | "__isoc99_vfscanf" => fscanf,
        _ => return None,
    })
}

fn sscanf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let text = exec.pointer_arg(call, 0)?;
    let text = exec.string_at(&text, None)?;
    Ok(scan(exec, call, 1, &text)?.0)
}

fn scanf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    exec.touch_input()?;
    scan_input(exec, call, 0)
}

fn fscanf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    exec.input_arg(call, 0)?;
    scan_input(exec, call, 1)
}

/// What did not match stays in the stream (C17 7.21.6.2p9).
fn scan_input(exec: &mut Exec<'_>, call: &NativeCall<'_>, format: usize) -> Run<Value> {
    let text = exec.input.rest();
    exec.memory.charge(text.len() as u64);
    let (result, found) = scan(exec, call, format, &text)?;
    if found.lost {
        return unsupported("a match of scanf after which glibc and C17 differ");
    }
    exec.input.skip(found.read);
    if found.ended {
        exec.input.next();
    }
    Ok(result)
}

/// Matches a text: the result, and what was found.
fn scan(
    exec: &mut Exec<'_>,
    call: &NativeCall<'_>,
    first: usize,
    text: &[u8],
) -> Run<(Value, scan::Matched)> {
    let format = exec.pointer_arg(call, first)?;
    let format = exec.string_at(&format, None)?;
    let directives = match scan::parse(&format) {
        Ok(directives) => directives,
        Err(invalid) => return ub_about(UbKind::PrintfFormat, Prov::default(), invalid.to_string()),
    };
    let found = scan::matches(&directives, text, &exec.program.target);
    if found.disputed {
        return unsupported("a match of scanf on which glibc and C17 differ");
    }
    let mut args = Args::of(exec, call, first + 1)?;
    // Every conversion needs its argument, matched or not (C17 7.21.6.2p2).
    let wanted = directives.iter().filter_map(|directive| match directive {
        scan::Directive::Conversion(conversion) => scan::object(conversion, &exec.program.target),
        _ => None,
    });
    let wanted: Vec<Object> = wanted.collect();
    let mut items = found.items.clone().into_iter();
    for object in wanted {
        let Some((pointer, ty)) = args.next(exec)? else { return args.missing(&[]) };
        let to = match exec.program.types.pointee(ty) {
            Some(to) if fits(exec, object, to)? => to,
            _ => return args.mistyped(exec, ty, &[], &wanted_type(exec, object)),
        };
        if let Some(item) = items.next() {
            put(exec, &pointer, to, item)?;
        }
    }
    args.finish(exec)?;
    let result = int(found.result.map_or(-1, |count| i32::try_from(count).unwrap_or(i32::MAX)));
    Ok((result, found))
}

/// Whether an argument points to what its conversion stores (C17 7.21.6.2p11).
fn fits(exec: &Exec<'_>, object: Object, to: Type) -> Run<bool> {
    Ok(match object {
        Object::Int(kind) => exec.same_rank(to, kind.ty()),
        Object::Float(format) => exec.num(to) == Some(Num::Float(format)),
        Object::Chars => {
            crate::memory::alias::accesses_all(exec.program, exec.program.types.strip(to).bare())
        }
        Object::Pointer => exec.program.types.pointee(to).is_some(),
        Object::WideChars(_) => return unsupported("scanf of wide characters"),
    })
}

/// The type of the argument that a conversion wants, for messages.
fn wanted_type(exec: &Exec<'_>, object: Object) -> String {
    let to = match object {
        Object::Int(kind) => howler_lang::print::type_name(exec.program, kind.ty()),
        Object::Float(Format::F32) => "float".to_owned(),
        Object::Float(Format::F64) => "double".to_owned(),
        Object::Float(_) => "long double".to_owned(),
        Object::Chars => "char".to_owned(),
        Object::WideChars(_) => "wchar_t".to_owned(),
        Object::Pointer => "void *".to_owned(),
    };
    format!("{to}{}*", if to.ends_with('*') { "" } else { " " })
}

fn put(exec: &mut Exec<'_>, pointer: &Value, to: Type, item: Item) -> Run<()> {
    match item.value {
        scan::Value::Int { overflow: true, .. } => {
            ub_about(UbKind::AtoiRange, Prov::default(), String::new())
        }
        scan::Value::Int { bits, .. } => exec.store_through(pointer, to, &Value::bits(bits)),
        scan::Value::Float { bits, range } => {
            if range != Range::Fits {
                return unsupported("a number out of range read by scanf");
            }
            let format = match exec.num(to) {
                Some(Num::Float(format)) => format,
                _ => Format::F64,
            };
            let value = Value::bits(bits);
            let value = if format.is_nan(bits) { value.marked(Marks::library(Choice::Bits)) } else { value };
            exec.store_through(pointer, to, &value)
        }
        scan::Value::Bytes(bytes) => exec.write_bytes(pointer, &bytes),
        scan::Value::String(mut bytes) => {
            bytes.push(0);
            exec.write_bytes(pointer, &bytes)
        }
        scan::Value::Address(_) => Err(Stop::Unsupported("%p of scanf".to_owned())),
    }
}
