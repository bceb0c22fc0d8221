//! Leaving the namespaces of the caller: processes, network, shared memory. With the rights of an ordinary user this
//! needs a user namespace too.
//!
//! Nothing here is undone: a process that calls [`enter`] is the guard's keeper and nothing else.

use std::io;

use rustix::thread::UnshareFlags;

use crate::guard::layers::Layer;
use crate::guard::rights;
use crate::sys;

/// What was left.
pub(crate) struct Entered {
    /// The next child is the first process of a PID namespace.
    pub processes: Layer,
    /// There is no network.
    pub network: Layer,
    /// In a user namespace, where the number of processes of a user is counted apart.
    pub user: bool,
}

/// Leaves what can be left, in the best combination that the system allows.
pub(crate) fn enter() -> io::Result<Entered> {
    let inner = UnshareFlags::NEWPID | UnshareFlags::NEWIPC;
    let (uid, gid) = (rustix::process::geteuid(), rustix::process::getegid());
    let mut denied = Vec::new();
    let attempts = [
        inner | UnshareFlags::NEWNET,
        inner | UnshareFlags::NEWNET | UnshareFlags::NEWUSER,
        inner,
        inner | UnshareFlags::NEWUSER,
    ];
    for flags in attempts {
        // It is all or nothing: a failure leaves everything as it was.
        if let Err(error) = sys::unshare(flags) {
            denied.push(error);
            continue;
        }
        let user = flags.contains(UnshareFlags::NEWUSER);
        if user {
            // Everybody keeps their number: programs are no more root than they were.
            std::fs::write("/proc/self/setgroups", "deny")?;
            std::fs::write("/proc/self/uid_map", format!("{0} {0} 1", uid.as_raw()))?;
            std::fs::write("/proc/self/gid_map", format!("{0} {0} 1", gid.as_raw()))?;
            rights::keep();
        }
        let network = if flags.contains(UnshareFlags::NEWNET) {
            Layer::Active("a network namespace without devices".to_owned())
        } else {
            Layer::Missing(format!("no network namespace: {}", reason(&denied)))
        };
        let how = if user { "a PID namespace in a user namespace" } else { "a PID namespace" };
        return Ok(Entered { processes: Layer::Active(how.to_owned()), network, user });
    }
    let why = reason(&denied);
    Ok(Entered {
        processes: Layer::Missing(format!("no PID namespace: {why}; subreaper instead")),
        network: Layer::Missing(format!("no network namespace: {why}")),
        user: false,
    })
}

fn reason(denied: &[io::Error]) -> String {
    denied.last().map_or_else(String::new, io::Error::to_string)
}

/// Bounds the number of processes of the PID namespace whose first process the caller is. Linux 6.14 and later have
/// this bound per namespace; before, it is the whole system's and must be left alone.
pub(crate) fn bound_processes(most: u32) -> Layer {
    const FILE: &str = "/proc/sys/kernel/pid_max";
    if !release_at_least(6, 14) {
        return Layer::Missing("no bound on processes per namespace before Linux 6.14".to_owned());
    }
    // Numbers below 300 are used once only (RESERVED_PIDS).
    let bound = most.saturating_add(300);
    match std::fs::write(FILE, bound.to_string()) {
        Ok(()) => Layer::Active(format!("at most {most} processes in the namespace")),
        Err(error) => Layer::Missing(format!("{FILE}: {error}")),
    }
}

fn release_at_least(major: u32, minor: u32) -> bool {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= (major, minor)
}
