//! Standard output and standard error: no other stream exists.

use super::Exec;
use super::library::{Native, NativeCall, int};
use crate::memory::Request;
use crate::outcome::{Limit, Run, Stop, ub, unsupported};
use crate::ub::UbKind;
use crate::value::{AllocKind, Marks, Value};
use howler_lang::program::Object;

/// A stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stream {
    /// `stdout`.
    Output,
    /// `stderr`.
    Error,
}

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "puts" | "puts_unlocked" => puts,
        "putchar" | "putchar_unlocked" => putchar,
        "fputs" | "fputs_unlocked" => fputs,
        "fputc" | "putc" | "fputc_unlocked" | "putc_unlocked" => fputc,
        "fwrite" | "fwrite_unlocked" => fwrite,
        "fflush" => fflush,
        "ferror" => ferror,
        _ => return None,
    })
}

impl Exec<'_> {
    /// Gives the variables `stdout` and `stderr` their values.
    pub(super) fn standard_stream(&mut self, object: &Object, variable: &Value) -> Run<()> {
        let stream = match object.name.map(|name| self.program.name(name)) {
            Some("stdout") => Stream::Output,
            Some("stderr") => Stream::Error,
            _ => return Ok(()),
        };
        let known = self.streams.iter().find(|(_, known)| *known == stream).map(|&(slot, _)| slot);
        if known.is_some() || self.program.types.pointee(object.ty).is_none() {
            return Ok(());
        }
        let file = self.memory.allocate(&Request {
            kind: AllocKind::Static,
            size: 1,
            align: 16,
            ty: None,
            elem: None,
            retypable: true,
            object: None,
            pos: object.pos,
            shadow: crate::memory::shadow::UNINIT,
        })?;
        self.streams.push((file.prov.slot, stream));
        let size = self.memory.pointer_size();
        let place = self.memory.place(variable, size, 1)?;
        self.memory.write(place.at, size, &file);
        Ok(())
    }

    /// The stream an argument points to.
    pub(super) fn stream_arg(&mut self, call: &NativeCall<'_>, index: usize) -> Run<Stream> {
        let value = self.pointer_arg(call, index)?;
        if !value.has_prov() && value.low == 0 {
            return ub(UbKind::LibPointer);
        }
        match self.streams.iter().find(|(slot, _)| value.has_prov() && *slot == value.prov.slot) {
            Some(&(_, stream)) => Ok(stream),
            None => unsupported("a stream other than stdout and stderr"),
        }
    }

    /// Writes to a stream.
    pub(super) fn write_to(&mut self, stream: Stream, bytes: &[u8]) -> Run<()> {
        if stream == Stream::Output {
            return self.print(bytes);
        }
        self.seq.print();
        if self.errors.len() + bytes.len() > self.limits.output {
            return Err(Stop::Limit(Limit::Output));
        }
        self.errors.extend_from_slice(bytes);
        Ok(())
    }
}

/// "A nonnegative value" (C17 7.21.7.4p3).
fn nonnegative() -> Value {
    Value::int(1).marked(Marks::LIBRARY)
}

fn puts(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let pointer = exec.pointer_arg(call, 0)?;
    let mut text = exec.string_at(&pointer, None)?;
    text.push(b'\n');
    exec.print(&text)?;
    Ok(nonnegative())
}

fn fputs(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, stream) = (exec.pointer_arg(call, 0)?, exec.stream_arg(call, 1)?);
    let text = exec.string_at(&pointer, None)?;
    exec.write_to(stream, &text)?;
    Ok(nonnegative())
}

fn put(exec: &mut Exec<'_>, call: &NativeCall<'_>, stream: Stream) -> Run<Value> {
    let byte = exec.int_arg(call, 0)? as u8;
    exec.write_to(stream, &[byte])?;
    Ok(int(i32::from(byte)))
}

fn putchar(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    put(exec, call, Stream::Output)
}

fn fputc(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let stream = exec.stream_arg(call, 1)?;
    put(exec, call, stream)
}

fn fwrite(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, size, count) =
        (exec.pointer_arg(call, 0)?, exec.size_arg(call, 1)?, exec.size_arg(call, 2)?);
    let stream = exec.stream_arg(call, 3)?;
    let Some(len) = size.checked_mul(count) else { return ub(UbKind::LibBounds) };
    let place = exec.bytes_at(&pointer, len, false)?;
    let mut bytes = Vec::new();
    for index in 0..len as u32 {
        let value = exec.memory.read_number(place.at + index, 1);
        if value.marks.has(Marks::UNINIT) {
            return ub(UbKind::Uninit);
        }
        exec.depend(value.marks);
        bytes.push(value.low as u8);
    }
    exec.write_to(stream, &bytes)?;
    Ok(Value::int(if size == 0 { 0 } else { count }))
}

fn fflush(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let value = exec.pointer_arg(call, 0)?;
    let all = !value.has_prov() && value.low == 0;
    if all || exec.stream_arg(call, 0)? == Stream::Output {
        exec.flushed = exec.output.len();
    }
    Ok(Value::int(0))
}

fn ferror(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    exec.stream_arg(call, 0)?;
    Ok(Value::int(0))
}
