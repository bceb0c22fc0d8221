//! Output to standard output and standard error, and what a stream is. No others can be opened.

use super::Exec;
use super::library::{Native, NativeCall, int};
use crate::memory::Request;
use crate::outcome::{Limit, Run, Stop, ub, ub_said, unsupported};
use crate::ub::UbKind;
use crate::value::{AllocKind, Marks, Value};
use howler_lang::program::Object;

/// A stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stream {
    /// `stdin`.
    Input,
    /// `stdout`.
    Output,
    /// `stderr`.
    Error,
}

/// What a stream is used with (C17 7.21.2p4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Orientation {
    /// Bytes.
    Bytes,
    /// Wide characters.
    Wide,
}

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "puts" | "puts_unlocked" => puts,
        "putchar" | "putchar_unlocked" => putchar,
        "fputs" | "fputs_unlocked" => fputs,
        "fputc" | "putc" | "fputc_unlocked" | "putc_unlocked" => fputc,
        "fwrite" | "fwrite_unlocked" => fwrite,
        "fflush" | "fflush_unlocked" => fflush,
        "setvbuf" => setvbuf,
        "setbuf" => setbuf,
        _ => return None,
    })
}

impl Exec<'_> {
    /// Gives the variables `stdin`, `stdout` and `stderr` their values, and `environ`.
    pub(super) fn standard_stream(&mut self, object: &Object, variable: &Value) -> Run<()> {
        let stream = match object.name.map(|name| self.program.name(name)) {
            Some("stdout") => Stream::Output,
            Some("stderr") => Stream::Error,
            Some("stdin") => Stream::Input,
            Some("environ" | "__environ") => {
                let value = self.environment_pointer()?;
                return self.set_variable(object, variable, &value);
            }
            _ => return Ok(()),
        };
        let file = self.stream_file(stream)?;
        self.set_variable(object, variable, &file)
    }

    /// Gives a variable of the library its value.
    fn set_variable(&mut self, object: &Object, variable: &Value, value: &Value) -> Run<()> {
        let size = self.memory.pointer_size();
        if self.program.types.pointee(object.ty).is_some() {
            let place = self.memory.place(variable, size, 1)?;
            self.memory.write(place.at, size, value);
        }
        Ok(())
    }

    /// The object that the pointer to a stream points to.
    pub(super) fn stream_file(&mut self, stream: Stream) -> Run<Value> {
        if let Some(&(_, _, file)) = self.streams.iter().find(|(_, known, _)| *known == stream) {
            return Ok(file);
        }
        let file = self.memory.allocate(&Request {
            kind: AllocKind::Static,
            size: 1,
            align: 16,
            ty: None,
            elem: None,
            retypable: true,
            object: None,
            pos: howler_lang::source::Pos::NONE,
            shadow: crate::memory::shadow::UNINIT,
        })?;
        self.streams.push((file.prov.slot, stream, file));
        Ok(file)
    }

    /// The stream an argument points to.
    pub(super) fn stream_arg(&mut self, call: &NativeCall<'_>, index: usize) -> Run<Stream> {
        let value = self.pointer_arg(call, index)?;
        if !value.has_prov() && value.low == 0 {
            return ub(UbKind::LibPointer);
        }
        match self.streams.iter().find(|(slot, ..)| value.has_prov() && *slot == value.prov.slot) {
            Some(&(_, stream, _)) => Ok(stream),
            None => unsupported("a stream other than stdin, stdout and stderr"),
        }
    }

    /// Writes wide characters, each of which is a byte, to a stream.
    pub(super) fn write_wide_to(&mut self, stream: Stream, bytes: &[u8]) -> Run<()> {
        match stream {
            Stream::Output => self.print_wide(bytes),
            _ => self.write_to(stream, bytes),
        }
    }

    /// Writes to a stream.
    pub(super) fn write_to(&mut self, stream: Stream, bytes: &[u8]) -> Run<()> {
        match stream {
            Stream::Output => return self.print(bytes),
            Stream::Input => return unsupported("output to stdin"),
            Stream::Error => {}
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
    Value::int(1).with_open_bits(u64::from(i32::MAX.cast_unsigned()))
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
    let place = exec.memory_at(&pointer, len, false)?;
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
    if !value.has_prov() && value.low == 0 {
        exec.flushed = exec.output.len();
        return Ok(Value::int(0));
    }
    match exec.stream_arg(call, 0)? {
        Stream::Output => exec.flushed = exec.output.len(),
        // C17 7.21.5.2p2 speaks of output and update streams only.
        Stream::Input if exec.limits.letter => {}
        Stream::Input => {
            return ub_said(UbKind::StreamUse, "fflush of an input stream", "7.21.5.2p2");
        }
        Stream::Error => {}
    }
    Ok(Value::int(0))
}

/// How standard output is buffered shows only where the program ends by `_Exit` or `abort`.
fn buffered(exec: &mut Exec<'_>, stream: Stream, buffer: &Value, mode: i32) -> Run<()> {
    // C17 7.21.5.6p2: before any other operation on the stream.
    let used = match stream {
        Stream::Output => !exec.output.is_empty(),
        Stream::Error => !exec.errors.is_empty(),
        Stream::Input => exec.input.is_used(),
    };
    if used && !exec.limits.letter {
        let message = "buffer of a stream set after another operation on it";
        return ub_said(UbKind::StreamUse, message, "7.21.5.6p2");
    }
    if buffer.has_prov() && mode != UNBUFFERED {
        let Some(slot) = exec.memory.live(buffer.prov) else {
            return ub(UbKind::LibPointer);
        };
        // The buffer must last as long as the stream, to the end of the program.
        if slot.kind != AllocKind::Static {
            return unsupported("a buffer of a stream that is not static");
        }
    }
    exec.unbuffered =
        stream == Stream::Output && mode == UNBUFFERED || exec.unbuffered && stream != Stream::Output;
    Ok(())
}

/// `_IONBF`.
const UNBUFFERED: i32 = 2;

/// `BUFSIZ`.
const BUFFER: u64 = 8192;

fn setvbuf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let stream = exec.stream_arg(call, 0)?;
    let (buffer, mode, size) = (exec.pointer_arg(call, 1)?, exec.int_arg(call, 2)?, exec.size_arg(call, 3)?);
    if !(0..=UNBUFFERED).contains(&mode) {
        return unsupported("setvbuf with an unknown mode");
    }
    buffered(exec, stream, &buffer, mode)?;
    give_buffer(exec, &buffer, size, mode)?;
    Ok(Value::int(0))
}

fn setbuf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (stream, buffer) = (exec.stream_arg(call, 0)?, exec.pointer_arg(call, 1)?);
    let mode = if buffer.has_prov() { 0 } else { UNBUFFERED };
    buffered(exec, stream, &buffer, mode)?;
    give_buffer(exec, &buffer, BUFFER, mode)?;
    Ok(Value::int(0))
}

/// "The contents of the array at any time are indeterminate" (C17 7.21.5.6p2).
fn give_buffer(exec: &mut Exec<'_>, buffer: &Value, size: u64, mode: i32) -> Run<()> {
    if buffer.has_prov() && mode != UNBUFFERED && size > 0 {
        let place = exec.bytes_at(buffer, size, true)?;
        exec.memory.set(place.at, size as u32, 0, Marks::UNINIT);
    }
    Ok(())
}
