//! `<string.h>`'s str functions.

use super::Exec;
use super::lib_memory::sign;
use super::library::{Native, NativeCall};
use crate::outcome::Run;
use crate::value::{Marks, Value};

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "strlen" => strlen,
        "strcmp" => strcmp,
        "strncmp" => strncmp,
        "strcpy" => strcpy,
        _ => return None,
    })
}

fn strlen(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let text = exec.string_at(&call.arg(0)?, None)?;
    Ok(Value::int(text.len() as u64))
}

fn strcmp(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (a, b) = (exec.string_at(&call.arg(0)?, None)?, exec.string_at(&call.arg(1)?, None)?);
    Ok(sign(a.cmp(&b), Marks::NONE))
}

fn strncmp(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let most = call.arg(2)?.low;
    let a = exec.string_at(&call.arg(0)?, Some(most))?;
    let b = exec.string_at(&call.arg(1)?, Some(most))?;
    Ok(sign(a.cmp(&b), Marks::NONE))
}

fn strcpy(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let mut text = exec.string_at(&call.arg(1)?, None)?;
    text.push(0);
    let to = call.arg(0)?;
    exec.write_bytes(&to, &text)?;
    Ok(to)
}
