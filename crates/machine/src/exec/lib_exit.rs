//! The end of a program: `exit` and its like, `abort`, failed assertions.

use super::Exec;
use super::library::{Native, NativeCall};
use crate::outcome::{Run, Stop, ub, unsupported};
use crate::ub::UbKind;
use crate::value::Value;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "abort" | "trap" | "__assert_fail" | "__chk_fail" => abort,
        "exit" => exit,
        "_Exit" | "_exit" => quick_exit,
        "quick_exit" => quick_exit_handlers,
        "atexit" | "at_quick_exit" => atexit,
        _ => return None,
    })
}

/// What a pure function may not do.
const ENDS: &str = "it ends the program";

fn abort(exec: &mut Exec<'_>, _: &NativeCall<'_>) -> Run<Value> {
    exec.watch_effect(ENDS)?;
    Err(Stop::Abort)
}

fn exit(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let status = exec.int_arg(call, 0)?;
    exec.watch_effect(ENDS)?;
    Err(Stop::Exit(status as u8))
}

fn quick_exit(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let status = exec.int_arg(call, 0)?;
    exec.watch_effect(ENDS)?;
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
    exec.watch_effect("it asks for a call at the end")?;
    // Whether it succeeds while the program ends is unspecified (C17 7.22.4.2p2, 7.22.4.3p2).
    if exec.exiting {
        exec.note_choice(
            "whether atexit succeeds while the program ends is open (C17 7.22.4.2p2)".to_owned(),
        );
    }
    let quick = call.name == "at_quick_exit";
    let list = if quick { &mut exec.at_quick_exit } else { &mut exec.atexit };
    if list.len() >= HANDLERS {
        return unsupported(format!("more than 32 functions given to {}", call.name));
    }
    list.push(function);
    Ok(Value::int(0))
}

/// Calls the functions of `at_quick_exit`, the last one first, then `_Exit` (C17 7.22.4.7p3).
fn quick_exit_handlers(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    if exec.exiting {
        return ub(UbKind::ExitTwice);
    }
    exec.int_arg(call, 0)?;
    exec.exiting = true;
    while let Some(handler) = exec.at_quick_exit.pop() {
        exec.call_back(&handler, &[])?;
    }
    quick_exit(exec, call)
}
