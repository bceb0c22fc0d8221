//! The guard: runs programs that nobody trusts, under limits, and lets nothing of them survive.
//!
//! A big process with many threads can neither fork cheaply nor set limits on a child before it runs. So the work is
//! done by two small processes with one thread each, made from the same executable:
//!
//! - the *keeper* makes the scratch folder and the namespaces, starts the server, and cleans up after it;
//! - the *server*, first process of a PID namespace, starts and watches the jobs.
//!
//! When the client dies, however it does, its end of the socket closes: the server ends everything and itself. When the
//! server dies, the system kills its namespace. When the keeper dies, the system kills the server. Where there are no
//! namespaces both are subreapers, to whom orphans come.
//!
//! `client` is the caller's end, `job` what is said, `protocol` how; `keeper` and `server` are the two processes;
//! `watch` runs a job, with `limits` (kept by the system) and `tree` (looked at in `/proc`); `namespaces`, `view`
//! (what they see of the file system, with `temporary`), `rights`, `calls` and `rules` are the layers around all jobs;
//! `scratch` is the folder.

mod calls;
mod client;
mod hex;
mod job;
mod keeper;
mod layers;
mod limits;
mod namespaces;
mod protocol;
mod rights;
mod rules;
pub(crate) mod scratch;
mod server;
mod temporary;
mod tree;
mod view;
mod watch;

pub(crate) use calls::Instruction;
pub use client::{Canceller, Guard, GuardError, GuardOptions, Level};
pub use job::{End, Excess, Finished, Input, Job, Limits, signal_name};
pub use layers::{Layer, Layers};

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

/// The name under which the guard's processes run.
const NAME: &str = "howler-guard";
/// The environment variable that says which process this is to be.
const MARKER: &str = "HOWLER_GUARD";

/// Makes this process a guard if it was started to be one, and then never returns. Call it before anything else in
/// `main`: there must be no second thread.
///
/// ```
/// howler_toolchain::guard::serve_if_asked();
/// ```
pub fn serve_if_asked() {
    let mut args = std::env::args_os();
    if args.next() != Some(OsString::from(NAME)) {
        return;
    }
    let Some(role) = std::env::var_os(MARKER) else { return };
    let served = match (role.to_str(), args.next()) {
        (Some("keeper"), Some(order)) => {
            hex::read(&order).and_then(|order| keeper::keep(take_stdin()?, &order))
        }
        (Some("server"), Some(setup)) => {
            hex::read(&setup).and_then(|setup| server::serve(take_stdin()?, setup))
        }
        _ => return,
    };
    std::process::exit(i32::from(served.is_err()));
}

/// The socket that is this process's standard input, at another number; the input becomes empty, so that no child can
/// inherit the socket.
fn take_stdin() -> io::Result<OwnedFd> {
    let socket = rustix::io::fcntl_dupfd_cloexec(io::stdin().as_fd(), 3)?;
    let nothing = std::fs::File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    Ok(socket)
}
