//! Leaving the namespaces of the caller: processes, network, shared memory. With the rights of an ordinary user this
//! needs a user namespace too.
//!
//! Nothing here is undone: a process that calls [`enter`] is the guard's keeper and nothing else.

use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::mount::{MountFlags, MountPropagationFlags};
use rustix::thread::{self, CapabilitySet, CapabilitySets, UnshareFlags};

use crate::guard::layers::Layer;
use crate::guard::scratch;
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
            keep_rights();
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

/// A program that is not root loses all rights over its namespace when it starts; the server needs some, and drops
/// them. Without them there are fewer layers.
fn keep_rights() {
    let Ok(mut sets) = thread::capabilities(None) else { return };
    // Mounting, and what the system checks when it writes in the name of who mounted.
    let wanted =
        [CapabilitySet::SYS_ADMIN, CapabilitySet::DAC_OVERRIDE, CapabilitySet::FOWNER, CapabilitySet::CHOWN];
    sets.inheritable |= wanted.into_iter().collect::<CapabilitySet>();
    if thread::set_capabilities(None, sets).is_ok() {
        for right in wanted {
            let _ = thread::configure_capability_in_ambient_set(right, true);
        }
    }
}

/// Drops the rights that [`enter`] kept. Root outside of user namespaces stays what it is.
pub(crate) fn drop_rights(user: bool) {
    if user {
        let _ = thread::clear_ambient_capability_set();
        let none = CapabilitySet::empty();
        let _ = thread::set_capabilities(
            None,
            CapabilitySets { effective: none, permitted: none, inheritable: none },
        );
    }
}

/// Gives the caller and its descendants mounts of their own, or says why not.
pub(crate) fn own_mounts() -> Result<(), String> {
    sys::unshare(UnshareFlags::NEWNS).map_err(|error| format!("no mount namespace: {error}"))?;
    let recursive = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    rustix::mount::mount_change("/", recursive).map_err(|error| error.to_string())
}

/// Gives the first process of a PID namespace, which has mounts of its own, a /proc with the numbers of that namespace.
/// In the caller's, a process that looks itself up by its number (the runtime of a leak checker does) finds a stranger,
/// or nobody. A container may forbid this.
pub(crate) fn own_proc() -> Result<(), String> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    rustix::mount::mount("proc", "/proc", "proc", flags, None).map_err(|error| error.to_string())
}

/// A /tmp whose changes are the guard's alone: jobs see what is in the real one, and what they write lies over it.
#[derive(Debug)]
pub(crate) struct OwnTmp {
    /// What was written.
    over: PathBuf,
    /// The real one.
    real: OwnedFd,
}

impl OwnTmp {
    /// Gives it to the caller, who has mounts of its own, and its descendants, or says why not.
    pub(crate) fn mount(folder: &Path) -> Result<OwnTmp, String> {
        let resolved =
            |path: &Path| path.canonicalize().map_err(|error| format!("{}: {error}", path.display()));
        if resolved(folder)?.starts_with(resolved(Path::new(TMP))?) {
            return Err("the scratch folder is in it".to_owned());
        }
        let said = |error: rustix::io::Errno| error.to_string();
        let real = rustix::fs::open(TMP, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).map_err(said)?;
        let [over, work] = scratch::OVER_TMP.map(|name| folder.join(name));
        let options = format!("lowerdir={TMP},upperdir={},workdir={}", over.display(), work.display());
        // The second is for ordinary users, whose marks must not be the system's.
        let mounted = [options.clone(), options + ",userxattr"].into_iter().any(|options| {
            let options = CString::new(options).ok();
            rustix::mount::mount("overlay", TMP, "overlay", MountFlags::empty(), options.as_deref()).is_ok()
        });
        if mounted { Ok(OwnTmp { over, real }) } else { Err("no overlay file system".to_owned()) }
    }

    /// Removes what was written, but for changes of what is in the real one: the system cannot be told that these are
    /// to be forgotten, so jobs see them until the guard ends. Nobody else ever does.
    pub(crate) fn clear(&self) -> io::Result<()> {
        let entries = match std::fs::read_dir(&self.over) {
            // A job has taken it away: there is nothing in it, and jobs have a /tmp no more.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            if rustix::fs::statat(&self.real, &name, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
                continue;
            }
            // Not behind the back of /tmp, which remembers its entries.
            let path = Path::new(TMP).join(&name);
            if entry.file_type()?.is_dir() {
                scratch::remove_all(&path)?;
            } else {
                std::fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

const TMP: &str = "/tmp";

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
