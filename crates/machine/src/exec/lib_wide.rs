//! `<wchar.h>`: strings of wide characters, and wide output. In the "C" locale a byte is a character, and wide
//! characters beyond ASCII have no bytes.

use super::Exec;
use super::lib_format::{Formatted, formatted_text};
use super::lib_memory::{allocate, sign};
use super::library::{Native, NativeCall, at, int};
use crate::outcome::{Run, Stop, ub, ub_about, unsupported};
use crate::text::format::wide_byte;
use crate::ub::UbKind;
use crate::value::{Marks, Value};
use std::cmp::Ordering;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "wcslen" | "wcsnlen" => length,
        "wcscpy" | "wcpcpy" => copy,
        "wcsncpy" | "wcpncpy" => copy_some,
        "wcscat" | "wcsncat" => append,
        "wcscmp" | "wcscoll" | "wcsncmp" | "wcscasecmp" | "wcsncasecmp" => compare,
        "wcschr" | "wcsrchr" => search,
        "wcsstr" => part,
        "wcsspn" | "wcscspn" => span,
        "wcspbrk" => any_of,
        "wcstok" => token,
        "wcsdup" => duplicate,
        "wmemcpy" | "wmemmove" | "wmempcpy" => move_elements,
        "wmemset" => set,
        "wmemcmp" => compare_elements,
        "wmemchr" => find_element,
        "btowc" => btowc,
        "wctob" => wctob,
        "mblen" | "mbtowc" => mbtowc,
        "wctomb" => wctomb,
        "mbstowcs" => mbstowcs,
        "wcstombs" => wcstombs,
        "wprintf" | "vwprintf" => wprintf,
        "fwprintf" | "vfwprintf" => fwprintf,
        "swprintf" | "vswprintf" => swprintf,
        "fputws" => fputws,
        "putwchar" | "fputwc" | "putwc" => fputwc,
        _ => return None,
    })
}

/// The size of `wchar_t`.
const SIZE: u64 = 4;

/// A wide text that is read element by element.
impl Exec<'_> {
    /// The element at an index, which must be there.
    fn wide_element(&mut self, pointer: &Value, index: u64) -> Run<u32> {
        let element = at(pointer, index.saturating_mul(SIZE));
        let place = match self.bytes_at(&element, SIZE, false) {
            // The first one is missing, or the text does not end.
            Err(Stop::Ub(stop)) if stop.kind == UbKind::LibBounds && index > 0 => {
                return ub_about(UbKind::LibUnterminated, pointer.prov, String::new());
            }
            place => place?,
        };
        let value = self.memory.read_number(place.at, SIZE as u32);
        if value.marks.has(Marks::UNINIT) {
            return ub_about(UbKind::Uninit, pointer.prov, String::new());
        }
        if value.marks.has(Marks::OPEN) {
            self.depend(value.marks);
        }
        Ok(value.low as u32)
    }

    /// A wide string without its end; at most so many.
    pub(super) fn wide_at(&mut self, pointer: &Value, most: Option<u64>) -> Run<Vec<u32>> {
        let mut text = Vec::new();
        if most == Some(0) {
            return self.bytes_at(pointer, 0, false).map(|_| text);
        }
        while most.is_none_or(|most| (text.len() as u64) < most) {
            match self.wide_element(pointer, text.len() as u64)? {
                0 => break,
                unit => text.push(unit),
            }
        }
        Ok(text)
    }

    fn write_wide(&mut self, pointer: &Value, text: &[u32]) -> Run<()> {
        let bytes: Vec<u8> = text.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        self.write_bytes(pointer, &bytes)
    }

    /// A wide argument.
    fn wide_arg(&mut self, call: &NativeCall<'_>, index: usize) -> Run<(Value, Vec<u32>)> {
        let pointer = self.pointer_arg(call, index)?;
        Ok((pointer, self.wide_at(&pointer, None)?))
    }
}

/// The bytes of wide characters; `None` if one has none.
pub(super) fn narrow(text: &[u32]) -> Option<Vec<u8>> {
    text.iter().map(|&unit| wide_byte(unit)).collect()
}

/// The element at an index.
fn element(pointer: &Value, index: usize) -> Value {
    at(pointer, index as u64 * SIZE)
}

fn length(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let pointer = exec.pointer_arg(call, 0)?;
    let most = if call.name == "wcsnlen" { Some(exec.size_arg(call, 1)?) } else { None };
    Ok(Value::int(exec.wide_at(&pointer, most)?.len() as u64))
}

fn copy(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let to = exec.pointer_arg(call, 0)?;
    let (from, mut text) = exec.wide_arg(call, 1)?;
    let len = text.len();
    text.push(0);
    let bytes = text.len() as u64 * SIZE;
    exec.check_apart(&to, bytes, &from, bytes)?;
    exec.write_wide(&to, &text)?;
    Ok(if call.name == "wcpcpy" { element(&to, len) } else { to })
}

fn copy_some(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, from, count) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?, exec.size_arg(call, 2)?);
    let mut text = exec.wide_at(&from, Some(count))?;
    let len = text.len();
    let bytes = count.saturating_mul(SIZE);
    exec.bytes_at(&to, bytes, true)?;
    exec.check_apart(&to, bytes, &from, bytes.min((len as u64 + 1) * SIZE))?;
    text.resize(count as usize, 0);
    exec.write_wide(&to, &text)?;
    Ok(if call.name == "wcpncpy" { element(&to, len) } else { to })
}

fn append(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, before) = exec.wide_arg(call, 0)?;
    let from = exec.pointer_arg(call, 1)?;
    let most = if call.name == "wcsncat" { Some(exec.size_arg(call, 2)?) } else { None };
    let mut text = exec.wide_at(&from, most)?;
    let read = most.unwrap_or(u64::MAX).min(text.len() as u64 + 1) * SIZE;
    text.push(0);
    let bytes = (before.len() + text.len()) as u64 * SIZE;
    exec.check_apart(&to, bytes, &from, read)?;
    exec.bytes_at(&to, bytes, true)?;
    exec.write_wide(&element(&to, before.len()), &text)?;
    Ok(to)
}

/// Wide characters compare as `wchar_t`, which is signed (C17 7.29.4.4p1).
fn order(a: u32, b: u32) -> Ordering {
    a.cast_signed().cmp(&b.cast_signed())
}

fn compare(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (a, b) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?);
    let most = if call.name.starts_with("wcsn") { exec.size_arg(call, 2)? } else { u64::MAX };
    let fold = |unit: u32| match u8::try_from(unit) {
        Ok(byte) if call.name.ends_with("casecmp") => u32::from(byte.to_ascii_lowercase()),
        _ => unit,
    };
    if most == 0 {
        exec.bytes_at(&a, 0, false)?;
        exec.bytes_at(&b, 0, false)?;
    }
    for index in 0..most {
        let (x, y) = (exec.wide_element(&a, index)?, exec.wide_element(&b, index)?);
        let result = order(fold(x), fold(y));
        if result != Ordering::Equal || x == 0 {
            return Ok(sign(result, Marks::NONE));
        }
    }
    Ok(Value::int(0))
}

fn search(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, mut text) = exec.wide_arg(call, 0)?;
    let wanted = exec.int_arg(call, 1)?.cast_unsigned();
    text.push(0);
    let found = match call.name {
        "wcsrchr" => text.iter().rposition(|&unit| unit == wanted),
        _ => text.iter().position(|&unit| unit == wanted),
    };
    Ok(found.map_or(Value::int(0), |index| element(&pointer, index)))
}

fn part(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, text) = exec.wide_arg(call, 0)?;
    let part = exec.wide_arg(call, 1)?.1;
    exec.memory.charge(text.len() as u64 * part.len() as u64);
    let found =
        if part.is_empty() { Some(0) } else { text.windows(part.len()).position(|here| here == part) };
    Ok(found.map_or(Value::int(0), |index| element(&pointer, index)))
}

/// How many elements at the start are in a set, or are not.
fn span_of(exec: &mut Exec<'_>, text: &[u32], set: &[u32], inside: bool) -> usize {
    exec.memory.charge(text.len() as u64 * set.len() as u64);
    text.iter().take_while(|unit| set.contains(unit) == inside).count()
}

fn span(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (text, set) = (exec.wide_arg(call, 0)?.1, exec.wide_arg(call, 1)?.1);
    Ok(Value::int(span_of(exec, &text, &set, call.name == "wcsspn") as u64))
}

fn any_of(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, text) = exec.wide_arg(call, 0)?;
    let set = exec.wide_arg(call, 1)?.1;
    let index = span_of(exec, &text, &set, false);
    Ok(if index == text.len() { Value::int(0) } else { element(&pointer, index) })
}

fn token(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (given, rest) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 2)?);
    let ty = exec.pointee_of(call, 2)?;
    let set = exec.wide_arg(call, 1)?.1;
    let text = if given.has_prov() { given } else { exec.load_through(&rest, ty)? };
    if !text.has_prov() && text.low == 0 {
        return Ok(Value::int(0));
    }
    let units = exec.wide_at(&text, None)?;
    let start = span_of(exec, &units, &set, true);
    let end = start + span_of(exec, &units[start..], &set, false);
    // glibc leaves a null pointer behind when nothing is left.
    let (found, next) = if start == units.len() {
        (Value::int(0), Value::int(0))
    } else if end == units.len() {
        (element(&text, start), Value::int(0))
    } else {
        exec.write_wide(&element(&text, end), &[0])?;
        (element(&text, start), element(&text, end + 1))
    };
    exec.store_through(&rest, ty, &next)?;
    Ok(found)
}

fn duplicate(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let mut text = exec.wide_arg(call, 0)?.1;
    text.push(0);
    let new = allocate(exec, text.len() as u64 * SIZE, 16, false)?;
    exec.write_wide(&new, &text)?;
    Ok(new)
}

/// A count of elements as a count of bytes.
fn bytes_arg(exec: &mut Exec<'_>, call: &NativeCall<'_>, index: usize) -> Run<u64> {
    match exec.size_arg(call, index)?.checked_mul(SIZE) {
        Some(bytes) => Ok(bytes),
        None => ub(UbKind::LibBounds),
    }
}

fn move_elements(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, from, len) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?, bytes_arg(exec, call, 2)?);
    super::lib_memory::copy_range(exec, &to, &from, len, call.name == "wmemmove")?;
    Ok(if call.name == "wmempcpy" { at(&to, len) } else { to })
}

fn set(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, unit) = (exec.pointer_arg(call, 0)?, exec.int_arg(call, 1)?.cast_unsigned());
    let len = bytes_arg(exec, call, 2)?;
    exec.bytes_at(&to, len, true)?;
    exec.write_wide(&to, &vec![unit; (len / SIZE) as usize])?;
    Ok(to)
}

fn compare_elements(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (a, b, len) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?, bytes_arg(exec, call, 2)?);
    exec.bytes_at(&a, len, false)?;
    exec.bytes_at(&b, len, false)?;
    for index in 0..len / SIZE {
        let result = order(exec.wide_element(&a, index)?, exec.wide_element(&b, index)?);
        if result != Ordering::Equal {
            return Ok(sign(result, Marks::NONE));
        }
    }
    Ok(Value::int(0))
}

fn find_element(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, wanted) = (exec.pointer_arg(call, 0)?, exec.int_arg(call, 1)?.cast_unsigned());
    let len = bytes_arg(exec, call, 2)?;
    exec.bytes_at(&pointer, len, false)?;
    for index in 0..len / SIZE {
        if exec.wide_element(&pointer, index)? == wanted {
            return Ok(at(&pointer, index * SIZE));
        }
    }
    Ok(Value::int(0))
}

/// `WEOF`.
const WEOF: u32 = u32::MAX;

fn btowc(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let byte = u8::try_from(exec.int_arg(call, 0)?).ok().filter(u8::is_ascii);
    Ok(Value::int(u64::from(byte.map_or(WEOF, u32::from))))
}

fn wctob(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let unit = exec.int_arg(call, 0)?.cast_unsigned();
    Ok(int(wide_byte(unit).map_or(-1, i32::from)))
}

/// `mblen` and `mbtowc`: one byte, if it is ASCII.
fn mbtowc(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let first = usize::from(call.name == "mbtowc");
    let (text, size) = (exec.pointer_arg(call, first)?, exec.size_arg(call, first + 1)?);
    if !text.has_prov() && text.low == 0 {
        // No encoding here depends on a state.
        return Ok(Value::int(0));
    }
    if size == 0 {
        return Ok(int(-1));
    }
    let place = exec.bytes_at(&text, 1, false)?;
    let value = exec.memory.read_number(place.at, 1);
    if value.marks.has(Marks::UNINIT) {
        return ub(UbKind::Uninit);
    }
    exec.depend(value.marks);
    let byte = value.low as u8;
    if !byte.is_ascii() {
        return unsupported("a multibyte character that is not ASCII");
    }
    if call.name == "mbtowc" {
        let to = exec.pointer_arg(call, 0)?;
        if to.has_prov() {
            exec.write_wide(&to, &[u32::from(byte)])?;
        }
    }
    Ok(int(i32::from(byte != 0)))
}

fn wctomb(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, unit) = (exec.pointer_arg(call, 0)?, exec.int_arg(call, 1)?.cast_unsigned());
    if !to.has_prov() && to.low == 0 {
        return Ok(Value::int(0));
    }
    match wide_byte(unit) {
        Some(byte) => {
            exec.write_bytes(&to, &[byte])?;
            Ok(Value::int(1))
        }
        None => Ok(int(-1)),
    }
}

fn mbstowcs(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, from, count) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?, exec.size_arg(call, 2)?);
    let only_count = !to.has_prov() && to.low == 0;
    let bytes = exec.string_at(&from, if only_count { None } else { Some(count) })?;
    if !bytes.is_ascii() {
        return unsupported("a multibyte character that is not ASCII");
    }
    let len = bytes.len() as u64;
    if !only_count {
        let mut units: Vec<u32> = bytes.iter().map(|&byte| u32::from(byte)).collect();
        if len < count {
            units.push(0);
        }
        exec.write_wide(&to, &units)?;
    }
    Ok(Value::int(len))
}

fn wcstombs(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, from, count) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?, exec.size_arg(call, 2)?);
    let only_count = !to.has_prov() && to.low == 0;
    let text = exec.wide_at(&from, if only_count { None } else { Some(count) })?;
    let Some(mut bytes) = narrow(&text) else {
        return unsupported("a wide character that is not ASCII converted to bytes");
    };
    let len = bytes.len() as u64;
    if !only_count {
        if len < count {
            bytes.push(0);
        }
        exec.write_bytes(&to, &bytes)?;
    }
    Ok(Value::int(len))
}

/// The text of a wide format with its arguments. What is not ASCII would end it with an error.
fn formatted(exec: &mut Exec<'_>, call: &NativeCall<'_>, format: usize) -> Run<Formatted> {
    let (pointer, text) = exec.wide_arg(call, format)?;
    let Some(text) = narrow(&text) else { return unsupported("a wide format that is not ASCII") };
    let read = (text.len() as u64 + 1) * SIZE;
    let done = formatted_text(exec, call, format, text, (pointer, read))?;
    if !done.text.is_ascii() {
        return unsupported("wide output of what is not ASCII");
    }
    Ok(done)
}

fn wprintf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let done = formatted(exec, call, 0)?;
    exec.print_wide(&done.text)?;
    Ok(Value::int(done.text.len() as u64))
}

fn fwprintf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let stream = exec.stream_arg(call, 0)?;
    let done = formatted(exec, call, 1)?;
    exec.write_wide_to(stream, &done.text)?;
    Ok(Value::int(done.text.len() as u64))
}

/// A text that does not fit gives a negative number (C17 7.29.2.3p3).
fn swprintf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, count) = (exec.pointer_arg(call, 0)?, exec.size_arg(call, 1)?);
    let done = formatted(exec, call, 2)?;
    let len = done.text.len() as u64;
    if len >= count {
        return unsupported("swprintf of a text that does not fit");
    }
    for (from, read) in &done.sources {
        exec.check_apart(&to, (len + 1) * SIZE, from, *read)?;
    }
    let units: Vec<u32> = done.text.iter().map(|&byte| u32::from(byte)).chain([0]).collect();
    exec.write_wide(&to, &units)?;
    Ok(Value::int(len))
}

fn fputws(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let text = exec.wide_arg(call, 0)?.1;
    let stream = exec.stream_arg(call, 1)?;
    let Some(bytes) = narrow(&text) else { return unsupported("wide output of what is not ASCII") };
    exec.write_wide_to(stream, &bytes)?;
    Ok(Value::int(1).with_open_bits(u64::from(i32::MAX.cast_unsigned())))
}

fn fputwc(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let unit = exec.int_arg(call, 0)?.cast_unsigned();
    let stream =
        if call.name == "putwchar" { super::lib_stream::Stream::Output } else { exec.stream_arg(call, 1)? };
    let Some(byte) = wide_byte(unit) else { return unsupported("wide output of what is not ASCII") };
    exec.write_wide_to(stream, &[byte])?;
    Ok(Value::int(u64::from(unit)))
}
