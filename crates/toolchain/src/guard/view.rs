//! What jobs see of the file system: all of it, read-only, but the guard's folder, a /tmp of their own and a few devices;
//! and the same again inside other roots ([`Room`]).
//!
//! Everything here is put up once, by a process with mounts of its own, and goes with them. Nobody else sees any of it.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::mount::{MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags};
use rustix::thread::UnshareFlags;

use crate::guard::temporary::{OwnTmp, TMP};
use crate::sys::{self, Below};

/// Devices that programs write to without changing anything.
pub(crate) const DEVICES: &[&str] =
    &["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/random", "/dev/urandom"];

/// Where shared memory is, and often the scratch folder.
const SHARED: &str = "/dev/shm";
/// Where other roots are, in the /dev that jobs see.
const ROOMS: &str = "/dev/rooms";
/// Where the real /tmp is, in the /dev that jobs see.
const REAL_TMP: &str = "/dev/real-tmp";

/// The most that jobs can leave in a /tmp of their own.
const TMP_OPTIONS: &std::ffi::CStr = c"mode=1777,size=512m,nr_inodes=100k";

/// What jobs see.
#[derive(Debug)]
pub(crate) struct View {
    /// Their /tmp.
    pub tmp: OwnTmp,
    /// The other roots that were asked for.
    pub rooms: Vec<Room>,
}

/// Another root, with the guard's folder in it under the same name.
#[derive(Debug)]
pub(crate) struct Room {
    /// The folder that was asked for.
    pub root: PathBuf,
    /// Where it is now.
    pub at: PathBuf,
    /// The /tmp in it.
    pub tmp: OwnTmp,
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

/// Why there is no view.
#[derive(Debug)]
pub(crate) enum NoView {
    /// Everything is as it was.
    Refused(String),
    /// Half of it is there: no place for jobs.
    Broken(String),
}

impl NoView {
    /// What happened.
    pub(crate) fn why(&self) -> &str {
        match self {
            NoView::Refused(why) | NoView::Broken(why) => why,
        }
    }
}

/// Puts the view up for the caller, who has mounts of its own, or says why not.
pub(crate) fn put_up(folder: &Path, roots: &[PathBuf]) -> Result<View, NoView> {
    let parts = Parts::take(folder, roots).map_err(NoView::Refused)?;
    parts.put(folder).map_err(NoView::Broken)
}

/// What stays as it is when the rest is locked: taken out before.
struct Parts {
    own: OwnedFd,
    real_tmp: OwnedFd,
    devices: Vec<(&'static str, OwnedFd)>,
    /// /dev/shm: a compiler may live there.
    shared: Option<OwnedFd>,
    rooms: Vec<(PathBuf, OwnedFd)>,
}

fn said(what: &str) -> impl Fn(io::Error) -> String {
    move |error| format!("{what}: {error}")
}

impl Parts {
    fn take(folder: &Path, roots: &[PathBuf]) -> Result<Parts, String> {
        let own = tree(folder, Below::Alone).map_err(said("the scratch folder"))?;
        sys::tame_mount(own.as_fd()).map_err(said("mounts cannot be locked"))?;
        let real_tmp = tree(Path::new(TMP), Below::All).map_err(said(TMP))?;
        sys::lock_mount(real_tmp.as_fd(), Below::All).map_err(said(TMP))?;
        let devices = devices().map_err(said("/dev"))?;
        let shared = Some(Path::new(SHARED)).filter(|path| path.is_dir());
        let shared = shared.map(|path| locked_tree(path).map_err(said(SHARED))).transpose()?;
        let room = |root: &PathBuf| {
            let failed = |error: io::Error| format!("{}: {error}", root.display());
            Ok((root.clone(), locked_tree(root).map_err(failed)?))
        };
        let rooms = roots.iter().map(room).collect::<Result<_, String>>()?;
        let top = rustix::fs::open("/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())
            .map_err(|error| error.to_string())?;
        sys::lock_mount(top.as_fd(), Below::All).map_err(said("mounts cannot be locked"))?;
        Ok(Parts { own, real_tmp, devices, shared, rooms })
    }

    fn put(self, folder: &Path) -> Result<View, String> {
        put_devices(Path::new("/"), &self.devices).map_err(said("/dev"))?;
        for place in [ROOMS, REAL_TMP] {
            folders(Path::new(place)).map_err(said(place))?;
        }
        put(&self.real_tmp, Path::new(REAL_TMP)).map_err(said(TMP))?;
        if let Some(shared) = &self.shared {
            put(shared, Path::new(SHARED)).map_err(said(SHARED))?;
        }
        let mut tmp = own_tmp(Path::new("/"), folder).map_err(said(TMP))?;
        tmp.mirror(Path::new(REAL_TMP), Path::new(REAL_TMP)).map_err(said(TMP))?;
        if !folder.is_dir() {
            folders(folder).map_err(said("the scratch folder"))?;
        }
        put(&self.own, folder).map_err(said("the scratch folder"))?;
        let mut rooms = Vec::new();
        for (number, (root, tree)) in self.rooms.into_iter().enumerate() {
            let at = Path::new(ROOMS).join(number.to_string());
            let room = folders(&at).and_then(|()| put(&tree, &at)).and_then(|()| furnish(&root, at, folder));
            rooms.push(room.map_err(|error| format!("{}: {error}", root.display()))?);
        }
        for root in std::iter::once(Path::new("/")).chain(rooms.iter().map(|room| room.at.as_path())) {
            lock(&root.join("dev")).map_err(said("/dev"))?;
        }
        // The caller's own place is still in what was there before.
        rustix::process::chdir("/").map_err(|error| error.to_string())?;
        Ok(View { tmp, rooms })
    }
}

/// A copy of a mount, to be put elsewhere.
fn tree(path: &Path, below: Below) -> io::Result<OwnedFd> {
    let mut flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    if below == Below::All {
        flags |= OpenTreeFlags::AT_RECURSIVE;
    }
    Ok(rustix::mount::open_tree(CWD, path, flags)?)
}

fn locked_tree(path: &Path) -> io::Result<OwnedFd> {
    let tree = tree(path, Below::All)?;
    sys::lock_mount(tree.as_fd(), Below::All)?;
    Ok(tree)
}

fn put(tree: &OwnedFd, at: &Path) -> io::Result<()> {
    Ok(rustix::mount::move_mount(tree, c"", CWD, at, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
}

fn lock(mount: &Path) -> io::Result<()> {
    let mount = rustix::fs::open(mount, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    sys::lock_mount(mount.as_fd(), Below::Alone)
}

fn folders(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o755).create(path)
}

/// The devices that this system has of those that jobs may use.
fn devices() -> io::Result<Vec<(&'static str, OwnedFd)>> {
    let there = DEVICES.iter().filter(|device| Path::new(device).exists());
    there.map(|device| Ok((*device, tree(Path::new(device), Below::Alone)?))).collect()
}

/// A /dev with these devices only, below `root`. It is locked when everything is in it.
fn put_devices(root: &Path, devices: &[(&str, OwnedFd)]) -> io::Result<()> {
    let inside = |path: &str| root.join(path.trim_start_matches('/'));
    let flags = MountFlags::NOSUID | MountFlags::NOEXEC;
    rustix::mount::mount("tmpfs", inside("/dev"), "tmpfs", flags, Some(c"mode=755,size=1m"))?;
    for (device, tree) in devices {
        File::create(inside(device))?;
        put(tree, &inside(device))?;
    }
    for (name, target) in [("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")] {
        symlink(format!("/proc/self/fd{target}"), inside("/dev").join(name))?;
    }
    folders(&inside(SHARED))
}

fn own_tmp(root: &Path, folder: &Path) -> io::Result<OwnTmp> {
    let at = root.join(TMP.trim_start_matches('/'));
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    rustix::mount::mount("tmpfs", &at, "tmpfs", flags, Some(TMP_OPTIONS))?;
    let inner = folder.strip_prefix(TMP).ok().map(Path::to_owned);
    if let Some(inner) = &inner {
        folders(&at.join(inner))?;
    }
    Ok(OwnTmp::new(at, inner))
}

/// Makes a root that has been put somewhere fit for jobs.
fn furnish(root: &Path, at: PathBuf, folder: &Path) -> io::Result<Room> {
    put_devices(&at, &devices()?)?;
    if at.join("proc").is_dir() {
        rustix::mount::mount_bind("/proc", at.join("proc"))?;
    }
    let inside = |path: &str| at.join(path.trim_start_matches('/'));
    let real_tmp = tree(&inside(TMP), Below::All)?;
    folders(&inside(REAL_TMP))?;
    put(&real_tmp, &inside(REAL_TMP))?;
    let mut tmp = own_tmp(&at, folder)?;
    tmp.mirror(&inside(REAL_TMP), Path::new(REAL_TMP))?;
    let inner = at.join(folder.strip_prefix("/").unwrap_or(folder));
    if !inner.is_dir() {
        if !folder.starts_with("/dev") {
            cover(&at, folder)?;
        }
        folders(&inner)?;
    }
    put(&tree(folder, Below::Alone)?, &inner)?;
    Ok(Room { root: root.to_owned(), at, tmp })
}

/// Hides the first folder of a path by an empty one, in a root that has no place for the path and cannot be changed.
fn cover(at: &Path, folder: &Path) -> io::Result<()> {
    /// What programs are made of: nothing works without these.
    const NEEDED: &[&str] = &["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "etc", "opt", "proc"];
    let first = folder.components().find_map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    let first = first.filter(|first| !NEEDED.iter().any(|needed| first == needed));
    let covered = first
        .map(|first| at.join(first))
        .filter(|covered| fs::symlink_metadata(covered).is_ok_and(|data| data.is_dir()));
    let Some(covered) = covered else {
        let text = format!("it has no place for {}", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, text));
    };
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    Ok(rustix::mount::mount("tmpfs", covered, "tmpfs", flags, Some(c"mode=755,size=1m"))?)
}
