//! Functions that read standard input, and the indicators of streams.

use super::Exec;
use super::lib_memory::allocate;
use super::lib_stream::Stream;
use super::library::{Native, NativeCall, at, int};
use crate::memory::Death;
use crate::outcome::{Run, ub, unsupported};
use crate::ub::UbKind;
use crate::value::{Choice, Marks, Prov, Value};

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "getchar" | "getchar_unlocked" => getchar,
        "fgetc" | "getc" | "fgetc_unlocked" | "getc_unlocked" | "_IO_getc" => fgetc,
        "ungetc" => ungetc,
        "fgets" | "fgets_unlocked" => fgets,
        "fread" | "fread_unlocked" => fread,
        "getline" => getline,
        "getdelim" | "__getdelim" => getdelim,
        "feof" | "feof_unlocked" => feof,
        "ferror" | "ferror_unlocked" => ferror,
        "clearerr" | "clearerr_unlocked" => clearerr,
        _ => return None,
    })
}

/// `EOF`.
const EOF: i32 = -1;

impl Exec<'_> {
    /// An argument that must be standard input.
    pub(super) fn input_arg(&mut self, call: &NativeCall<'_>, index: usize) -> Run<()> {
        match self.stream_arg(call, index)? {
            Stream::Input => self.touch_input(),
            Stream::Output | Stream::Error => unsupported("input from an output stream"),
        }
    }

    /// Standard input is read: the order of two calls that do so counts.
    pub(super) fn touch_input(&mut self) -> Run<()> {
        let file = self.stream_file(Stream::Input)?;
        self.touch(&file, 1, true)
    }

    /// The next byte of standard input.
    pub(super) fn next_input(&mut self) -> Option<u8> {
        self.memory.charge(4);
        self.input.next()
    }
}

fn next(exec: &mut Exec<'_>) -> Run<Value> {
    Ok(int(exec.next_input().map_or(EOF, i32::from)))
}

fn getchar(exec: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    exec.touch_input()?;
    next(exec)
}

fn fgetc(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    exec.input_arg(call, 0)?;
    next(exec)
}

fn ungetc(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let byte = exec.int_arg(call, 0)?;
    exec.input_arg(call, 1)?;
    if byte == EOF {
        return Ok(int(EOF));
    }
    if !exec.input.push(byte as u8) {
        return unsupported("a second character pushed back by ungetc");
    }
    Ok(int(i32::from(byte as u8)))
}

/// Bytes up to a delimiter, which is the last of them, or so many.
fn bytes_to(exec: &mut Exec<'_>, delimiter: u8, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < most {
        let Some(byte) = exec.next_input() else { break };
        bytes.push(byte);
        if byte == delimiter {
            break;
        }
    }
    bytes
}

fn fgets(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, size) = (exec.pointer_arg(call, 0)?, exec.int_arg(call, 1)?);
    exec.input_arg(call, 2)?;
    let Some(most) = u64::try_from(size).ok().filter(|&size| size > 1) else {
        // C17 7.21.7.2p2 reads "at most one less than" it: libraries differ when that is nothing.
        return unsupported("fgets with a size below 2");
    };
    let mut bytes = bytes_to(exec, b'\n', most - 1);
    if bytes.is_empty() {
        return Ok(Value::int(0));
    }
    bytes.push(0);
    exec.write_bytes(&to, &bytes)?;
    Ok(to)
}

fn fread(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, size, count) = (exec.pointer_arg(call, 0)?, exec.size_arg(call, 1)?, exec.size_arg(call, 2)?);
    exec.input_arg(call, 3)?;
    let Some(len) = size.checked_mul(count) else { return ub(UbKind::LibBounds) };
    if len == 0 {
        return Ok(Value::int(0));
    }
    exec.memory_at(&to, len, true)?;
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < len
        && let Some(byte) = exec.next_input()
    {
        bytes.push(byte);
    }
    exec.write_bytes(&to, &bytes)?;
    let whole = bytes.len() as u64 / size;
    let partial = bytes.len() as u64 % size;
    if partial > 0 {
        // "If a partial element is read, its value is indeterminate" (C17 7.21.8.1p2).
        let place = exec.memory_at(&at(&to, whole * size), partial, true)?;
        exec.memory.set(place.at, partial as u32, 0, Marks::UNINIT);
    }
    Ok(Value::int(whole))
}

fn getline(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    exec.input_arg(call, 2)?;
    line(exec, call, b'\n')
}

fn getdelim(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let delimiter = exec.int_arg(call, 2)? as u8;
    exec.input_arg(call, 3)?;
    line(exec, call, delimiter)
}

/// POSIX: reads a line into allocated memory, which grows as it must. By how much is the library's choice.
fn line(exec: &mut Exec<'_>, call: &NativeCall<'_>, delimiter: u8) -> Run<Value> {
    let (variable, room) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?);
    let (ty, size_ty) = (exec.pointee_of(call, 0)?, exec.pointee_of(call, 1)?);
    let mut bytes = bytes_to(exec, delimiter, u64::MAX);
    let width = 8 * exec.memory.pointer_size();
    let end = Ok(Value::int(if bytes.is_empty() { u64::MAX >> (64 - width) } else { bytes.len() as u64 }));
    let old = exec.load_through(&variable, ty)?;
    let is_null = !old.has_prov() && old.low == 0;
    if bytes.is_empty() && !is_null {
        return end;
    }
    bytes.push(0);
    let len = bytes.len() as u64;
    let fits = !is_null && {
        let size = exec.load_through(&room, size_ty)?;
        let slot = exec.memory.live(old.prov).map_or(0, |slot| u64::from(slot.size));
        // What is in the variable may be open, if it comes from here: then the block's size is known.
        (if size.marks.has(Marks::OPEN) { slot } else { size.low }) >= len
    };
    let target = if fits {
        old
    } else {
        let size = len.max(FIRST_LINE);
        let new = allocate(exec, size, 16, false)?;
        if !is_null {
            super::lib_memory::owned(exec, &old)?;
            exec.memory.release(old.prov, Death { pos: exec.pos, returned: false });
        }
        exec.store_through(&variable, ty, &new)?;
        exec.store_through(&room, size_ty, &Value::int(size).marked(Marks::LIBRARY))?;
        new
    };
    // At the end of the input memory was allocated, and nothing stored.
    if bytes.len() > 1 {
        exec.write_bytes(&Value { prov: Prov { wide: true, ..target.prov }, ..target }, &bytes)?;
    }
    end
}

/// glibc's first block for a line.
const FIRST_LINE: u64 = 120;

fn feof(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let stream = exec.stream_arg(call, 0)?;
    let file = exec.stream_file(stream)?;
    exec.touch(&file, 1, false)?;
    // Nonzero if the indicator is set (C17 7.21.10.2p3).
    Ok(if stream == Stream::Input && exec.input.ended {
        Value::int(1).marked(Marks::library(Choice::Nonzero))
    } else {
        Value::int(0)
    })
}

fn ferror(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    exec.stream_arg(call, 0)?;
    Ok(Value::int(0))
}

fn clearerr(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    if exec.stream_arg(call, 0)? == Stream::Input {
        exec.touch_input()?;
        exec.input.ended = false;
    }
    Ok(Value::int(0))
}
