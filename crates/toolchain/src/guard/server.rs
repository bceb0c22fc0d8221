//! The process that starts jobs: the first of a PID namespace, or a subreaper. It has one thread, serves one client,
//! and ends with it.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::process::Signal;
use rustix::thread::CapabilitySet;

use crate::guard::job::Job;
use crate::guard::layers::{Layer, Layers};
use crate::guard::limits::Own;
use crate::guard::protocol::{self, Message, Reply, Request};
use crate::guard::temporary::TMP;
use crate::guard::tree::Tree;
use crate::guard::view::{self, NoView, View};
use crate::guard::watch::{self, Stop, Watch};
use crate::guard::{calls, namespaces, rights, rules, scratch};
use crate::sys;

/// What the keeper has prepared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Setup {
    /// The guard's folder.
    pub folder: PathBuf,
    /// What is known of the layers so far.
    pub layers: Layers,
    /// In a user namespace.
    pub user: u8,
    /// The most processes there may be at one time.
    pub processes: u32,
    /// Other roots that jobs may run in.
    pub roots: Vec<PathBuf>,
}

impl Message for Setup {
    fn put(&self, to: &mut Vec<u8>) {
        self.folder.put(to);
        self.layers.put(to);
        self.user.put(to);
        self.processes.put(to);
        self.roots.put(to);
    }
    fn get(from: &mut &[u8]) -> io::Result<Setup> {
        Ok(Setup {
            folder: Message::get(from)?,
            layers: Message::get(from)?,
            user: Message::get(from)?,
            processes: Message::get(from)?,
            roots: Message::get(from)?,
        })
    }
}

/// Serves the client at the other end of `socket` until it hangs up.
pub(crate) fn serve(socket: OwnedFd, setup: Setup) -> io::Result<()> {
    // The keeper has one thread, so its death is its thread's, which is what this asks for.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // Jobs inherit what is ignored: a program that `nohup` started would have others hear no hang-up either.
    sys::default_signals();
    let mut stream = UnixStream::from(socket.try_clone()?);
    let (mut watch, layers) = match prepare(setup) {
        Ok(prepared) => prepared,
        Err(error) => return protocol::send(&mut stream, &Reply::Failed(error.to_string())),
    };
    protocol::send(&mut stream, &Reply::Ready(Box::new(layers), watch.scratch.clone()))?;
    loop {
        let request = match protocol::receive::<Request>(&mut stream) {
            Ok(request) => request,
            // The client has gone; the order of the end is the keeper's.
            Err(_) => return watch::end_everything(&watch),
        };
        let reply = match request {
            Request::Run(chains) => match run_chains(&mut watch, &socket, &chains) {
                Ok(finished) => Reply::Ran(finished),
                Err(Stop::ClientGone) => return watch::end_everything(&watch),
                Err(Stop::Failed(error)) => {
                    watch::end_everything(&watch)?;
                    Reply::Failed(error.to_string())
                }
            },
            Request::Clear => match watch.clear() {
                Ok(()) => Reply::Cleared,
                Err(error) => Reply::Failed(format!("{}: {error}", watch.folder.display())),
            },
        };
        if protocol::send(&mut stream, &reply).is_err() {
            return watch::end_everything(&watch);
        }
    }
}

fn run_chains(
    watch: &mut Watch,
    client: &OwnedFd,
    chains: &[Vec<Job>],
) -> Result<Vec<Vec<crate::guard::job::Finished>>, Stop> {
    watch.refresh()?;
    let mut all = Vec::with_capacity(chains.len());
    for chain in chains {
        let mut done = Vec::with_capacity(chain.len());
        for job in chain {
            let finished = watch::run(watch, client, job)?;
            let go_on = finished.success();
            done.push(finished);
            if !go_on {
                break;
            }
        }
        all.push(done);
    }
    Ok(all)
}

/// Puts up the layers that are this process's own.
fn prepare(setup: Setup) -> io::Result<(Watch, Layers)> {
    let Setup { folder, mut layers, user, processes, roots } = setup;
    let first_process = std::process::id() == 1;
    if !first_process {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    }
    let mounts = if first_process { view::own_mounts() } else { Err("no namespace".to_owned()) };
    if let (Layer::Active(how), Err(why)) =
        (&mut layers.processes, mounts.clone().and_then(|()| view::own_proc()))
    {
        how.push_str(&format!(", without a /proc of its own: {why}"));
    }
    // When memory runs out, a job is to go before Howler does. Not being heard changes nothing.
    let _ = std::fs::write("/proc/self/oom_score_adj", "500");
    // The system does not count root's processes.
    let count_processes = user != 0 && !rustix::process::geteuid().is_root();
    layers.fork_bombs = if count_processes {
        Layer::Active("processes counted in the user namespace".to_owned())
    } else if first_process {
        namespaces::bound_processes(processes)
    } else {
        Layer::Missing("no namespace to count in".to_owned())
    };
    let view = mounts.map_err(NoView::Refused).and_then(|()| view::put_up(&folder, &roots));
    match &view {
        Err(no) if !roots.is_empty() => {
            return Err(io::Error::other(format!("other roots cannot be used: {}", no.why())));
        }
        Err(NoView::Broken(why)) => return Err(io::Error::other(format!("no view for jobs: {why}"))),
        _ => {}
    }
    let view = view.map_err(|no| no.why().to_owned());
    // Jobs must not look into this process, nor be it.
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    let kept = if roots.is_empty() { CapabilitySet::empty() } else { CapabilitySet::SYS_CHROOT };
    layers.rights = rights::drop_all(kept);
    rustix::thread::set_no_new_privs(true)?;
    forbid(&mut layers, &folder, &view);
    let top = rustix::fs::open("/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    let watch = Watch {
        env: environment(&folder),
        scratch: folder.join(scratch::WORK),
        folder,
        view: view.ok(),
        top,
        own: Own::read(count_processes),
        tree: Tree::of_self()?,
        first_process,
        buffer: vec![0; 64 * 1024],
    };
    Ok((watch, layers))
}

/// The layers that no descendant can leave, and what there is to say about all of them.
fn forbid(layers: &mut Layers, folder: &Path, view: &Result<View, String>) {
    // Some compilers use /tmp whatever TMPDIR says.
    let mut allowed = vec![folder, Path::new(TMP)];
    allowed.extend(view.iter().flat_map(|view| &view.rooms).map(|room| room.tmp.at.as_path()));
    let landlock = rules::forbid_writes(&allowed);
    layers.writes = match (view, landlock) {
        (Ok(_), Layer::Active(how)) => Layer::Active(format!(
            "everything is read-only but the scratch folder and a private /tmp; {how} too"
        )),
        (Ok(_), Layer::Missing(why)) => Layer::Active(format!(
            "everything is read-only but the scratch folder and a private /tmp; no Landlock: {why}"
        )),
        (Err(why), Layer::Active(how)) => Layer::Active(format!(
            "{how} only ({why}): /tmp can be written to, and owners can change the rights to their files"
        )),
        (Err(why), Layer::Missing(too)) => Layer::Missing(format!("{why}; {too}")),
    };
    let signals = rules::forbid_signals();
    if let (Layer::Missing(why), true) = (&mut layers.processes, signals.is_active()) {
        why.push_str("; Landlock keeps signals in");
    }
    let tcp = if layers.network.is_active() { None } else { Some(rules::forbid_tcp()) };
    layers.calls = calls::forbid();
    match (layers.calls.is_active(), tcp) {
        (true, Some(_)) => layers.network = Layer::Active("seccomp forbids sockets".to_owned()),
        (false, Some(landlock @ Layer::Active(_))) => layers.network = landlock,
        _ => {}
    }
}

/// The environment of jobs: nothing of the user's but PATH, so no variable can change what a compiler does.
fn environment(folder: &Path) -> Vec<(OsString, OsString)> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    vec![
        ("PATH".into(), path),
        ("HOME".into(), folder.join(scratch::WORK).into()),
        ("TMPDIR".into(), folder.join(scratch::TEMPORARY).into()),
        ("LC_ALL".into(), "C".into()),
        // A compiler that is ccache in disguise must compile.
        ("CCACHE_DISABLE".into(), "1".into()),
    ]
}
