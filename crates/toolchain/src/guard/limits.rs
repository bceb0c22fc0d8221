//! The limits that the system itself keeps. Some must be there before a program starts: the guard lowers its own and
//! puts them back, which is safe because it has one thread. The others are put on the child just after.

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit, setrlimit};

use crate::guard::job::Limits;

/// The guard's own limits.
pub(crate) struct Own {
    file_size: Rlimit,
    stack: Rlimit,
    core: Rlimit,
    processes: Rlimit,
    core_bytes: u64,
    /// Whether the number of a user's processes is this guard's alone.
    count_processes: bool,
}

impl Own {
    /// Reads them.
    pub(crate) fn read(count_processes: bool) -> Own {
        // A pattern that starts a program starts it whatever the limit is, unless it is exactly 1 (core(5)).
        let piped = std::fs::read("/proc/sys/kernel/core_pattern").is_ok_and(|text| text.starts_with(b"|"));
        Own {
            file_size: getrlimit(Resource::Fsize),
            stack: getrlimit(Resource::Stack),
            core: getrlimit(Resource::Core),
            processes: getrlimit(Resource::Nproc),
            core_bytes: u64::from(piped),
            count_processes,
        }
    }

    /// Does `start` with the limits that its child must begin with.
    pub(crate) fn lowered<T>(&self, limits: &Limits, start: impl FnOnce() -> T) -> T {
        let soft = |resource, own: Rlimit, value: u64| {
            let value = own.maximum.map_or(value, |most| most.min(value));
            // A limit that cannot be set is one that the system does not have.
            let _ = setrlimit(resource, Rlimit { current: Some(value), maximum: own.maximum });
        };
        soft(Resource::Fsize, self.file_size, limits.file_size);
        soft(Resource::Stack, self.stack, limits.stack);
        soft(Resource::Core, self.core, self.core_bytes);
        if self.count_processes {
            soft(Resource::Nproc, self.processes, most_processes(limits));
        }
        let started = start();
        let _ = setrlimit(Resource::Fsize, self.file_size);
        let _ = setrlimit(Resource::Stack, self.stack);
        let _ = setrlimit(Resource::Core, self.core);
        if self.count_processes {
            let _ = setrlimit(Resource::Nproc, self.processes);
        }
        started
    }

    /// Makes the limits final, and sets those that the guard cannot bear itself: it has used CPU time before, and its
    /// own address space is what it is. The stack's stays open: drivers raise it for their compilers.
    pub(crate) fn fasten(&self, child: Pid, limits: &Limits) {
        let final_limit = |resource, own: Option<u64>, value: u64| {
            let value = Some(own.map_or(value, |most| most.min(value)));
            // The child may have ended already.
            let _ = prlimit(Some(child), resource, Rlimit { current: value, maximum: value });
        };
        final_limit(Resource::Fsize, self.file_size.maximum, limits.file_size);
        final_limit(Resource::Core, self.core.maximum, self.core_bytes);
        if self.count_processes {
            final_limit(Resource::Nproc, self.processes.maximum, most_processes(limits));
        }
        if let Some(bytes) = limits.address_space {
            final_limit(Resource::As, None, bytes);
        }
        // Whole seconds, and one more: the guard looks more often, this is for when it cannot.
        let seconds = limits.cpu.as_secs().saturating_add(1);
        let limit = Rlimit { current: Some(seconds), maximum: Some(seconds.saturating_add(1)) };
        let _ = prlimit(Some(child), Resource::Cpu, limit);
    }
}

/// More than the job's limit, so that the guard sees a job that is over it.
fn most_processes(limits: &Limits) -> u64 {
    u64::from(limits.processes) * 2 + 16
}
