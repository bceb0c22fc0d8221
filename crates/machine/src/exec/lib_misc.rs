//! Program end, integers, characters, sorting.

use super::Exec;
use super::library::{Native, NativeCall};
use crate::outcome::{Run, Stop};
use crate::value::{Marks, Value};

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "abort" | "trap" => abort,
        "exit" => exit,
        "__assert_fail" | "__howler_assert_fail" => abort,
        _ => return None,
    })
}

fn abort(_: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    Err(Stop::Abort)
}

fn exit(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let status = call.arg(0)?;
    if status.marks.has(Marks::OPEN) {
        exec.depend(status.marks);
    }
    Err(Stop::Exit(status.low as u8))
}
