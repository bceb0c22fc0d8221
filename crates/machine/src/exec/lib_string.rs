//! `<string.h>`'s and `<strings.h>`'s functions on strings.

use super::Exec;
use super::lib_memory::{allocate, sign};
use super::library::{Native, NativeCall, at};
use crate::outcome::{Run, unsupported};
use crate::value::{Marks, Value};
use std::cmp::Ordering;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "strlen" => strlen,
        "strnlen" => strnlen,
        "strcmp" | "strcoll" => strcmp,
        "strxfrm" => strxfrm,
        "strcasestr" => strcasestr,
        "strncmp" => strncmp,
        "strcasecmp" => strcasecmp,
        "strncasecmp" => strncasecmp,
        "strcpy" | "stpcpy" => strcpy,
        "strncpy" | "stpncpy" => strncpy,
        "strcat" => strcat,
        "strncat" => strncat,
        "strchr" | "index" | "strchrnul" => strchr,
        "strrchr" | "rindex" => strrchr,
        "strstr" => strstr,
        "strspn" => strspn,
        "strcspn" => strcspn,
        "strpbrk" => strpbrk,
        "strtok" => strtok,
        "strtok_r" => strtok_r,
        "strsep" => strsep,
        "strdup" => strdup,
        "strndup" => strndup,
        _ => return None,
    })
}

/// The text of an argument that must be a string.
fn string(exec: &mut Exec<'_>, call: &NativeCall<'_>, index: usize) -> Run<(Value, Vec<u8>)> {
    let pointer = exec.pointer_arg(call, index)?;
    Ok((pointer, exec.string_at(&pointer, None)?))
}

fn strlen(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    Ok(Value::int(string(exec, call, 0)?.1.len() as u64))
}

fn strnlen(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, most) = (exec.pointer_arg(call, 0)?, exec.size_arg(call, 1)?);
    Ok(Value::int(exec.string_at(&pointer, Some(most))?.len() as u64))
}

fn strcmp(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (a, b) = (string(exec, call, 0)?.1, string(exec, call, 1)?.1);
    Ok(sign(a.cmp(&b), Marks::NONE))
}

/// In the "C" locale a text is its own transform (C17 7.24.4.5p2).
fn strxfrm(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, size) = (exec.pointer_arg(call, 0)?, exec.size_arg(call, 2)?);
    let (from, mut text) = string(exec, call, 1)?;
    let len = text.len() as u64;
    if len < size {
        text.push(0);
        exec.check_apart(&to, len + 1, &from, len + 1)?;
        exec.write_bytes(&to, &text)?;
    } else if size > 0 {
        return unsupported("strxfrm of a text that does not fit");
    }
    Ok(Value::int(len))
}

fn strcasestr(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, text) = string(exec, call, 0)?;
    let part = string(exec, call, 1)?.1.to_ascii_lowercase();
    let found = if part.is_empty() { Some(0) } else { position(&text.to_ascii_lowercase(), &part) };
    Ok(found.map_or(Value::int(0), |index| at(&pointer, index as u64)))
}

fn strcasecmp(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (a, b) = (string(exec, call, 0)?.1, string(exec, call, 1)?.1);
    Ok(sign(a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase()), Marks::NONE))
}

/// Compares until a difference, a zero, or the last byte that counts: no more is read.
fn compare(exec: &mut Exec<'_>, call: &NativeCall<'_>, change: fn(u8) -> u8) -> Run<Value> {
    let (a, b) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?);
    let most = exec.size_arg(call, 2)?;
    if most == 0 {
        exec.bytes_at(&a, 0, false)?;
        exec.bytes_at(&b, 0, false)?;
        return Ok(Value::int(0));
    }
    let (mut a, mut b) = (exec.text(&a)?, exec.text(&b)?);
    let mut result = Ordering::Equal;
    for _ in 0..most {
        let (x, y) = (exec.next_byte(&mut a)?, exec.next_byte(&mut b)?);
        result = change(x).cmp(&change(y));
        if x == 0 || y == 0 || result != Ordering::Equal {
            break;
        }
    }
    exec.end_text(&a)?;
    exec.end_text(&b)?;
    Ok(sign(result, Marks::NONE))
}

fn strncmp(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    compare(exec, call, |byte| byte)
}

fn strncasecmp(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    compare(exec, call, |byte| byte.to_ascii_lowercase())
}

fn strcpy(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let to = exec.pointer_arg(call, 0)?;
    let (from, mut text) = string(exec, call, 1)?;
    let len = text.len() as u64;
    text.push(0);
    exec.check_apart(&to, len + 1, &from, len + 1)?;
    exec.write_bytes(&to, &text)?;
    Ok(if call.name.contains("stp") { at(&to, len) } else { to })
}

fn strncpy(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, from, size) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 1)?, exec.size_arg(call, 2)?);
    let mut text = exec.string_at(&from, Some(size))?;
    let len = text.len() as u64;
    // Everything behind the string is set to zero: check first that there is so much.
    exec.bytes_at(&to, size, true)?;
    exec.check_apart(&to, size, &from, size.min(len + 1))?;
    text.resize(size as usize, 0);
    exec.write_bytes(&to, &text)?;
    Ok(if call.name.contains("stp") { at(&to, len) } else { to })
}

fn append(exec: &mut Exec<'_>, call: &NativeCall<'_>, most: Option<u64>) -> Run<Value> {
    let (to, before) = string(exec, call, 0)?;
    let from = exec.pointer_arg(call, 1)?;
    let mut text = exec.string_at(&from, most)?;
    let read = most.map_or(text.len() as u64 + 1, |most| most.min(text.len() as u64 + 1));
    text.push(0);
    let start = before.len() as u64;
    exec.check_apart(&to, start + text.len() as u64, &from, read)?;
    // The whole array is the object: where the text ends is inside it.
    exec.bytes_at(&to, start + text.len() as u64, true)?;
    exec.write_bytes(&at(&to, start), &text)?;
    Ok(to)
}

fn strcat(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    append(exec, call, None)
}

fn strncat(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let most = exec.size_arg(call, 2)?;
    append(exec, call, Some(most))
}

fn strchr(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let wanted = exec.int_arg(call, 1)? as u8;
    let (pointer, text) = string(exec, call, 0)?;
    let found = text.iter().chain(&[0]).position(|&byte| byte == wanted);
    Ok(match found {
        Some(index) => at(&pointer, index as u64),
        None if call.name == "strchrnul" => at(&pointer, text.len() as u64),
        None => Value::int(0),
    })
}

fn strrchr(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let wanted = exec.int_arg(call, 1)? as u8;
    let (pointer, mut text) = string(exec, call, 0)?;
    text.push(0);
    let found = text.iter().rposition(|&byte| byte == wanted);
    Ok(found.map_or(Value::int(0), |index| at(&pointer, index as u64)))
}

fn strstr(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, text) = string(exec, call, 0)?;
    let part = string(exec, call, 1)?.1;
    let found = match part.len() {
        0 => Some(0),
        _ => position(&text, &part),
    };
    Ok(found.map_or(Value::int(0), |index| at(&pointer, index as u64)))
}

/// Where a text first has a part, in time linear in both (Knuth, Morris, Pratt).
fn position(text: &[u8], part: &[u8]) -> Option<usize> {
    // For each start of the part, how much of it is also its end.
    let mut border = vec![0; part.len()];
    let mut matched = 0;
    for index in 1..part.len() {
        while matched > 0 && part[index] != part[matched] {
            matched = border[matched - 1];
        }
        matched += usize::from(part[index] == part[matched]);
        border[index] = matched;
    }
    matched = 0;
    for (index, byte) in text.iter().enumerate() {
        while matched > 0 && *byte != part[matched] {
            matched = border[matched - 1];
        }
        matched += usize::from(*byte == part[matched]);
        if matched == part.len() {
            return Some(index + 1 - matched);
        }
    }
    None
}

/// How many bytes at the start of a text are in a set, or are not.
fn span(text: &[u8], set: &[u8], inside: bool) -> u64 {
    let mut members = [false; 256];
    set.iter().for_each(|&byte| members[usize::from(byte)] = true);
    text.iter().take_while(|&&byte| members[usize::from(byte)] == inside).count() as u64
}

fn strspn(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (text, set) = (string(exec, call, 0)?.1, string(exec, call, 1)?.1);
    Ok(Value::int(span(&text, &set, true)))
}

fn strcspn(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (text, set) = (string(exec, call, 0)?.1, string(exec, call, 1)?.1);
    Ok(Value::int(span(&text, &set, false)))
}

fn strpbrk(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (pointer, text) = string(exec, call, 0)?;
    let set = string(exec, call, 1)?.1;
    let index = span(&text, &set, false);
    Ok(if index == text.len() as u64 { Value::int(0) } else { at(&pointer, index) })
}

/// The next token of a text and where the next search begins.
fn token(exec: &mut Exec<'_>, text: &Value, set: &[u8]) -> Run<Option<(Value, Value)>> {
    let bytes = exec.string_at(text, None)?;
    let start = span(&bytes, set, true);
    if start == bytes.len() as u64 {
        return Ok(None);
    }
    let end = start + span(&bytes[start as usize..], set, false);
    if end < bytes.len() as u64 {
        exec.write_bytes(&at(text, end), &[0])?;
        return Ok(Some((at(text, start), at(text, end + 1))));
    }
    Ok(Some((at(text, start), at(text, end))))
}

fn strtok(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let given = exec.pointer_arg(call, 0)?;
    let set = string(exec, call, 1)?.1;
    let text = if given.has_prov() {
        given
    } else {
        match exec.strtok {
            Some(text) => text,
            // C17 7.24.5.8p2 begins with a call that has a text.
            None => return unsupported("strtok continued without a text"),
        }
    };
    match token(exec, &text, &set)? {
        Some((found, next)) => {
            exec.strtok = Some(next);
            Ok(found)
        }
        None => {
            // What is left is an empty text.
            let end = exec.string_at(&text, None)?.len() as u64;
            exec.strtok = Some(at(&text, end));
            Ok(Value::int(0))
        }
    }
}

fn strtok_r(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (given, rest) = (exec.pointer_arg(call, 0)?, exec.pointer_arg(call, 2)?);
    let ty = exec.pointee_of(call, 2)?;
    let set = string(exec, call, 1)?.1;
    let text = if given.has_prov() { given } else { exec.load_through(&rest, ty)? };
    let (found, next) = match token(exec, &text, &set)? {
        Some(pair) => pair,
        None => {
            let end = exec.string_at(&text, None)?.len() as u64;
            (Value::int(0), at(&text, end))
        }
    };
    exec.store_through(&rest, ty, &next)?;
    Ok(found)
}

fn strsep(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let variable = exec.pointer_arg(call, 0)?;
    let ty = exec.pointee_of(call, 0)?;
    let text = exec.load_through(&variable, ty)?;
    if !text.has_prov() && text.low == 0 {
        return Ok(Value::int(0));
    }
    let set = string(exec, call, 1)?.1;
    let bytes = exec.string_at(&text, None)?;
    let end = span(&bytes, &set, false);
    let next = if end < bytes.len() as u64 {
        exec.write_bytes(&at(&text, end), &[0])?;
        at(&text, end + 1)
    } else {
        Value::int(0)
    };
    exec.store_through(&variable, ty, &next)?;
    Ok(text)
}

fn duplicate(exec: &mut Exec<'_>, call: &NativeCall<'_>, most: Option<u64>) -> Run<Value> {
    let pointer = exec.pointer_arg(call, 0)?;
    let mut text = exec.string_at(&pointer, most)?;
    text.push(0);
    let new = allocate(exec, text.len() as u64, 16, false)?;
    exec.write_bytes(&new, &text)?;
    Ok(new)
}

fn strdup(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    duplicate(exec, call, None)
}

fn strndup(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let most = exec.size_arg(call, 1)?;
    duplicate(exec, call, Some(most))
}
