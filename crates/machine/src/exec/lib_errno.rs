//! `errno`, `strerror` and `perror`.
//!
//! C17 7.5p3 lets any function set errno whose description does not speak of it. Output and allocation may do so, as they
//! ask the system; the others of glibc leave errno alone when they succeed, and so does the machine. What a compiler may fold
//! (`sqrt` of a negative number, with -fno-math-errno or without) leaves it open.

use super::Exec;
use super::lib_stream::Stream;
use super::library::{Native, NativeCall};
use crate::memory::Request;
use crate::outcome::Run;
use crate::text::errors;
use crate::value::{AllocKind, Marks, Value};
use howler_lang::source::Pos;
use howler_lang::ty::Type;

/// `ERANGE`.
pub(super) const ERANGE: i32 = 34;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "__errno_location" => location,
        "strerror" => strerror,
        "perror" => perror,
        _ => return None,
    })
}

impl Exec<'_> {
    /// A pointer to `errno`, which is 0 when the program starts (C17 7.5p3).
    fn errno(&mut self) -> Run<Value> {
        if let Some(known) = self.errno {
            return Ok(known);
        }
        let pointer = self.memory.allocate(&Request {
            kind: AllocKind::Static,
            size: 4,
            align: 4,
            ty: Some(Type::INT),
            elem: Some((Type::INT, 4)),
            retypable: false,
            object: None,
            pos: Pos::NONE,
            shadow: 0,
        })?;
        self.errno = Some(pointer);
        if !self.output.is_empty() {
            self.unsettle_errno();
        }
        Ok(pointer)
    }

    /// A function that asks the system for something may have set errno on the way (C17 7.5p3). That has no order and
    /// is no effect: it is seen only where errno is read before somebody sets it.
    pub(super) fn unsettle_errno(&mut self) {
        if let Some(pointer) = self.errno {
            self.leave_open(&pointer);
        }
    }

    /// An error that a function's description says sets errno.
    pub(super) fn set_errno(&mut self, number: i32) -> Run<()> {
        let value = Value::int(u64::from(number.cast_unsigned()));
        self.change_errno(&value)
    }

    /// An error that may set errno, or not (C17 7.12.1p2-3, 7.12p9).
    pub(super) fn open_errno(&mut self) -> Run<()> {
        self.change_errno(&Value::int(0).marked(Marks::LIBRARY))
    }

    /// What errno has already it is not given again: calls that do so have no order that could matter.
    fn change_errno(&mut self, value: &Value) -> Run<()> {
        let pointer = self.errno()?;
        let place = self.memory.place(&pointer, 4, 4)?;
        let now = self.memory.read_number(place.at, 4);
        if (now.low, now.marks) == (value.low, value.marks) {
            return Ok(());
        }
        self.watch_effect("it sets errno")?;
        self.store_through(&pointer, Type::INT, value)
    }

    /// A text of the library's own, which the program may not change.
    pub(super) fn library_text(&mut self, function: &'static str, text: &str) -> Run<Value> {
        let value = self.static_bytes(&[text.as_bytes(), b"\0"].concat(), AllocKind::String)?;
        self.library_texts.push((value.prov.slot, function));
        Ok(value)
    }
}

fn location(exec: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    exec.errno()
}

/// The next call may overwrite the text (C17 7.24.6.2p4): glibc's messages stay, but for unknown numbers.
fn strerror(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let number = exec.int_arg(call, 0)?;
    let text = exec.library_text("strerror", &errors::message(number))?;
    if !errors::is_known(number) {
        exec.leave_open(&text);
    }
    Ok(text)
}

fn perror(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let pointer = exec.pointer_arg(call, 0)?;
    let mut line = Vec::new();
    if pointer.has_prov() || pointer.low != 0 {
        line = exec.string_at(&pointer, None)?;
        if !line.is_empty() {
            line.extend_from_slice(b": ");
        }
    }
    let location = exec.errno()?;
    let number = exec.load_through(&location, Type::INT)?;
    // Standard error is not compared, so what is open here stays without consequence.
    line.extend_from_slice(errors::message((number.low as u32).cast_signed()).as_bytes());
    line.push(b'\n');
    exec.write_to(Stream::Error, &line)?;
    Ok(Value::int(0))
}
