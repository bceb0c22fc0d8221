//! The process between the client and the server: it makes the scratch folder and the namespaces, starts the server in
//! them, waits for its end, and removes the folder. The server, its children, even the client may be killed: the
//! folder still goes.
#![allow(clippy::disallowed_methods, reason = "this crate starts processes")]

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::guard::client::Level;
use crate::guard::layers::{Layer, Layers};
use crate::guard::namespaces::{self, Entered};
use crate::guard::protocol::{self, Message, Reply};
use crate::guard::scratch::Scratch;
use crate::guard::server::Setup;
use crate::guard::tree::Tree;
use crate::guard::{MARKER, NAME, hex};
use crate::sys::{self, Wait};

/// What the client wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Order {
    /// Where the scratch folder should be.
    pub place: Option<PathBuf>,
    /// The kind of protection.
    pub level: Level,
    /// The most processes there may be at one time.
    pub processes: u32,
    /// Other roots that jobs may run in.
    pub roots: Vec<PathBuf>,
}

impl Message for Order {
    fn put(&self, to: &mut Vec<u8>) {
        self.place.put(to);
        u8::from(self.level == Level::Subreaper).put(to);
        self.processes.put(to);
        self.roots.put(to);
    }
    fn get(from: &mut &[u8]) -> io::Result<Order> {
        Ok(Order {
            place: Message::get(from)?,
            level: if u8::get(from)? == 0 { Level::Best } else { Level::Subreaper },
            processes: Message::get(from)?,
            roots: Message::get(from)?,
        })
    }
}

/// Does all of it; ends when the server has.
pub(crate) fn keep(socket: OwnedFd, order: &Order) -> io::Result<()> {
    // Whatever the caller's caller left open is not for jobs.
    sys::close_others_on_start();
    // A session of its own: Ctrl-C and a group's kill are for the client, whose end this process outlives a little.
    rustix::process::setsid()?;
    // If the server is killed where there is no namespace, its descendants come here.
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let mut stream = UnixStream::from(socket.try_clone()?);
    let scratch = match Scratch::create(order.place.as_deref()) {
        Ok(scratch) => scratch,
        Err(error) => {
            return protocol::send(&mut stream, &Reply::Failed(format!("no scratch folder: {error}")));
        }
    };
    let kept = start(socket, order, &scratch);
    if let Err(error) = &kept {
        let _ = protocol::send(&mut stream, &Reply::Failed(error.to_string()));
    }
    // From now on the client hears of the server's end by itself.
    drop(stream);
    if kept.is_ok() {
        wait_for_all()?;
    }
    scratch.remove()
}

fn start(socket: OwnedFd, order: &Order, scratch: &Scratch) -> io::Result<()> {
    let entered = match order.level {
        Level::Best => namespaces::enter()?,
        Level::Subreaper => {
            let wanted = || Layer::Missing("not wanted".to_owned());
            Entered { processes: wanted(), network: wanted(), user: false }
        }
    };
    let unknown = || Layer::Missing("not tried".to_owned());
    let setup = Setup {
        folder: scratch.path.clone(),
        layers: Layers {
            processes: entered.processes,
            fork_bombs: unknown(),
            network: entered.network,
            writes: unknown(),
            rights: unknown(),
            calls: unknown(),
            scratch_in_memory: scratch.in_memory.clone(),
        },
        user: u8::from(entered.user),
        processes: order.processes,
        roots: order.roots.clone(),
    };
    let mut command = Command::new("/proc/self/exe");
    command.arg0(NAME).arg(hex::write(&setup)).env(MARKER, "server");
    command.stdin(socket).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn()?;
    Ok(())
}

/// Waits for the server, then ends whatever it could not.
fn wait_for_all() -> io::Result<()> {
    let mut server = true;
    loop {
        match sys::wait4(None, Wait::Block) {
            Ok(_) => server = false,
            Err(error) if error.raw_os_error() == Some(libc::ECHILD) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        // The only child was the server: others came here by its end.
        if !server && let Ok(tree) = Tree::of_self() {
            for pid in tree.all().into_iter().filter_map(rustix::process::Pid::from_raw) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
    }
}
