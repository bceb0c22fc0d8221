//! The end of a program: `exit` and its like, `abort`, failed assertions.

use super::Exec;
use super::library::{Native, NativeCall};
use crate::outcome::{Run, Stop, unsupported};
use crate::value::Value;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "abort" | "trap" | "__assert_fail" | "__chk_fail" => abort,
        "exit" => exit,
        "_Exit" | "_exit" => quick_exit,
        "atexit" => atexit,
        _ => return None,
    })
}

fn abort(_: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    Err(Stop::Abort)
}

fn exit(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let status = exec.int_arg(call, 0)?;
    Err(Stop::Exit(status as u8))
}

fn quick_exit(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let status = exec.int_arg(call, 0)?;
    // Whether buffers are flushed is the implementation's (C17 7.22.4.5p2).
    if exec.output.len() > exec.flushed {
        return unsupported("_Exit with output that was not flushed");
    }
    exec.quick = true;
    Err(Stop::Exit(status as u8))
}

/// How many functions `atexit` is sure to take (C17 7.22.4.2p3).
const HANDLERS: usize = 32;

fn atexit(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let function = exec.pointer_arg(call, 0)?;
    if exec.atexit.len() >= HANDLERS {
        return unsupported("more than 32 functions given to atexit");
    }
    exec.atexit.push(function);
    Ok(Value::int(0))
}
