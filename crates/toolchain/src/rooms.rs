//! Running tools inside another root: a folder with a whole system in it, such as `debootstrap` makes or a container
//! image unpacks to.
//!
//! Only a guard can: it has mounts of its own. Each root that is asked about gets one for as long as this process lives;
//! hunts have theirs.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::{Mutex, PoisonError};

use crate::guard::{End, Excess, Guard, GuardOptions, Input, Job};
use crate::process::{Finished, Invocation, Limits, RunError};

static GUARDS: Mutex<BTreeMap<PathBuf, Guard>> = Mutex::new(BTreeMap::new());

/// Runs a tool in a root as [`process::run`](crate::process::run) does in this system. The program is a path in that root.
pub(crate) fn run(root: &Path, invocation: &Invocation, limits: &Limits) -> Result<Finished, RunError> {
    let failed = |error: String| RunError::System {
        program: invocation.program.clone(),
        source: io::Error::other(error),
    };
    let mut guards = GUARDS.lock().unwrap_or_else(PoisonError::into_inner);
    if !guards.contains_key(root) {
        let options = GuardOptions { roots: vec![root.to_owned()], ..GuardOptions::default() };
        let guard = Guard::start(&options).map_err(|error| failed(error.to_string()))?;
        guards.insert(root.to_owned(), guard);
    }
    let guard = guards.get_mut(root).ok_or_else(|| failed("no guard".to_owned()))?;
    let mut job = Job::new(&invocation.program);
    job.args(&invocation.args);
    job.root = Some(root.to_owned());
    job.stdin = Input::Bytes(invocation.stdin.clone());
    job.limits.wall = limits.wall;
    job.limits.cpu = limits.wall;
    job.limits.output = limits.output;
    job.limits.address_space = limits.address_space;
    let done = match guard.run(&job) {
        Ok(done) => done,
        Err(error) => {
            // Another one may do better.
            guards.remove(root);
            return Err(failed(error.to_string()));
        }
    };
    let status = match done.end {
        End::Exited(status) => i32::from(status) << 8,
        End::Signalled(signal) => signal,
        End::NotStarted(errno) => return Err(failed(io::Error::from_raw_os_error(errno).to_string())),
    };
    Ok(Finished {
        status: ExitStatus::from_raw(status),
        truncated: done.why == Some(Excess::Output),
        timed_out: done.why.is_some_and(|why| why != Excess::Output),
        stdout: done.stdout,
        stderr: done.stderr,
    })
}
