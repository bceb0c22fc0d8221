//! The scratch folder of a guard: where it is, and that it goes away.

use std::ffi::CString;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{AtFlags, Dir, Mode, OFlags, StatVfsMountFlags};
use rustix::io::Errno;

use crate::guard::layers::Layer;
use crate::owned::Owned;

/// How the names of scratch folders begin.
pub(crate) const PREFIX: &str = "howler-guard-";
/// A place with less free space is no place to compile in.
const ENOUGH: u64 = 1 << 30;

/// The folder inside a guard's folder that jobs and the client work in.
pub(crate) const WORK: &str = "work";
/// The folder inside a guard's folder for what programs leave in temporary folders.
pub(crate) const TEMPORARY: &str = "tmp";

/// A folder that is ours, with the folders inside.
pub(crate) struct Scratch {
    /// The folder.
    pub path: PathBuf,
    /// Whether it is in memory.
    pub in_memory: Layer,
    owned: Owned,
}

impl Scratch {
    /// Makes a folder in the place named or in the best one there is, and removes those that dead guards left there.
    pub(crate) fn create(place: Option<&Path>) -> io::Result<Scratch> {
        let (place, in_memory) = match place {
            Some(place) => (place.to_owned(), in_memory(place)),
            None => choose(),
        };
        let owned = Owned::create(&place, PREFIX)?;
        for folder in [WORK, TEMPORARY] {
            DirBuilder::new().mode(0o700).create(owned.path.join(folder))?;
        }
        Ok(Scratch { path: owned.path.clone(), in_memory, owned })
    }

    /// Removes the folder and what shows that it was there.
    pub(crate) fn remove(self) -> io::Result<()> {
        self.owned.remove()
    }
}

/// Whether a folder has the name of a guard's.
pub(crate) fn is_guards(folder: &Path) -> bool {
    folder.file_name().and_then(std::ffi::OsStr::to_str).is_some_and(|name| name.starts_with(PREFIX))
}

/// The best place: in memory, if one has room and lets programs run.
fn choose() -> (PathBuf, Layer) {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let mut why = String::from("no folder in memory");
    for place in [Some(PathBuf::from("/dev/shm")), runtime].into_iter().flatten() {
        match in_memory(&place) {
            Layer::Active(detail) => return (place, Layer::Active(detail)),
            Layer::Missing(reason) => why = reason,
        }
    }
    (std::env::temp_dir(), Layer::Missing(why))
}

fn in_memory(place: &Path) -> Layer {
    const TMPFS: i64 = 0x0102_1994;
    let shown = place.display();
    let (Ok(kind), Ok(state)) = (rustix::fs::statfs(place), rustix::fs::statvfs(place)) else {
        return Layer::Missing(format!("{shown} cannot be read"));
    };
    #[allow(clippy::unnecessary_cast, reason = "the field's type depends on the machine")]
    let magic = kind.f_type as i64;
    if magic != TMPFS {
        Layer::Missing(format!("{shown} is not in memory"))
    } else if state.f_flag.contains(StatVfsMountFlags::NOEXEC) {
        Layer::Missing(format!("{shown} does not let programs run"))
    } else if rustix::fs::access(place, rustix::fs::Access::WRITE_OK).is_err() {
        Layer::Missing(format!("{shown} cannot be written to"))
    } else if state.f_bavail.saturating_mul(state.f_frsize) < ENOUGH {
        Layer::Missing(format!("{shown} has less than 1 GiB free"))
    } else {
        Layer::Active(shown.to_string())
    }
}

/// The bytes that a folder takes, without following links; stops counting above `enough`.
pub(crate) fn size(folder: &Path, enough: u64) -> u64 {
    let mut total = 0u64;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        // A private /tmp has a link for each entry of the real one: those are not asked.
        let is_link = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_symlink());
        for entry in entries.flatten().filter(|entry| !is_link(entry)) {
            let Ok(data) = entry.metadata() else { continue };
            if data.is_dir() {
                folders.push(entry.path());
            } else {
                total = total.saturating_add(data.blocks().saturating_mul(512));
            }
            if total > enough {
                return total;
            }
        }
    }
    total
}

/// Whether a file of at least this size was written since, without following links.
pub(crate) fn has_file_of(folder: &Path, size: u64, since: SystemTime) -> bool {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        let is_link = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_symlink());
        let entries = entries.flatten().filter(|entry| !is_link(entry));
        for data in entries.filter_map(|entry| Some((entry.metadata().ok()?, entry.path()))) {
            let (data, path) = data;
            if data.is_dir() {
                folders.push(path);
            } else if data.len() >= size && data.modified().is_ok_and(|time| time >= since) {
                return true;
            }
        }
    }
    false
}

/// Empties a folder.
pub(crate) fn clear(folder: &Path) -> io::Result<()> {
    open_up(folder)?;
    Ok(empty(rustix::fs::open(folder, FOLDER, Mode::empty())?)?)
}

/// Empties a folder, or makes it again if a job has removed it or put something else in its place.
pub(crate) fn renew(folder: &Path) -> io::Result<()> {
    match fs::symlink_metadata(folder) {
        Ok(data) if data.is_dir() => return clear(folder),
        Ok(_) => fs::remove_file(folder)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    DirBuilder::new().mode(0o700).create(folder)
}

/// Gives its owner all rights over a folder. A link is no folder: what it leads to is not ours to change.
pub(crate) fn open_up(folder: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(folder)?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

/// The contents of a file that a job may have put there, of at most `most` bytes. What is no plain file is nothing: a
/// pipe would be waited for without end, and a device may have no end.
pub(crate) fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let data = file.metadata()?;
    if !data.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file"));
    }
    if data.len() > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(data.len()).unwrap_or(0));
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a new file where a job may have put anything: whatever is there goes first, and no link is followed. Folders
/// on the way that are not there are made.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    match fs::symlink_metadata(path) {
        Ok(data) if data.is_dir() => remove_all(path)?,
        Ok(_) => fs::remove_file(path)?,
        Err(_) => {}
    }
    File::create_new(path)?.write_all(bytes)
}

/// Removes a folder, also one that is too deep for a path or that forbids it. A folder that is not there is fine.
pub(crate) fn remove_all(folder: &Path) -> io::Result<()> {
    match clear(folder).and_then(|()| fs::remove_dir(folder)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// The standard library's way recurses and keeps every level open: a program could make folders that end it. This one
/// has one folder open at a time and comes back up by `..`; nobody moves folders meanwhile, as no job runs.
fn empty(top: OwnedFd) -> rustix::io::Result<()> {
    let mut at = top;
    let mut path: Vec<CString> = Vec::new();
    loop {
        match first_folder(&at)? {
            Some(name) => {
                rustix::fs::chmodat(&at, &name, Mode::RWXU, AtFlags::empty())?;
                at = rustix::fs::openat(&at, &name, FOLDER, Mode::empty())?;
                path.push(name);
            }
            None => {
                let Some(name) = path.pop() else { return Ok(()) };
                at = rustix::fs::openat(&at, c"..", FOLDER, Mode::empty())?;
                rustix::fs::unlinkat(&at, &name, AtFlags::REMOVEDIR)?;
            }
        }
    }
}

/// Removes what is no folder, until there is a folder.
fn first_folder(at: &OwnedFd) -> rustix::io::Result<Option<CString>> {
    for entry in Dir::read_from(at)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        match rustix::fs::unlinkat(at, name, AtFlags::empty()) {
            Ok(()) => {}
            Err(Errno::ISDIR | Errno::PERM) => return Ok(Some(name.to_owned())),
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_guards_folder_is_swept_and_a_live_ones_is_not() {
        let place = tempfile::tempdir().unwrap();
        let live = Scratch::create(Some(place.path())).unwrap();
        let dead = place.path().join("howler-guard-1-2-3");
        fs::create_dir_all(dead.join("inside")).unwrap();
        fs::write(place.path().join("howler-guard-1-2-3.lock"), "").unwrap();
        // Without a lock file it is nobody's that we know.
        let other = place.path().join("howler-guard-mine");
        fs::create_dir(&other).unwrap();
        let second = Scratch::create(Some(place.path())).unwrap();
        assert!(live.path.is_dir() && second.path.is_dir() && other.is_dir());
        assert!(!dead.exists() && !place.path().join("howler-guard-1-2-3.lock").exists());
        live.remove().unwrap();
        second.remove().unwrap();
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn deep_and_forbidden_folders_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let top = place.path().join("top");
        fs::create_dir(&top).unwrap();
        // Deeper than a path can say.
        let mut at =
            rustix::fs::open(&top, rustix::fs::OFlags::DIRECTORY, rustix::fs::Mode::empty()).unwrap();
        for level in 0..1_000 {
            let name = if level % 2 == 0 { "a-rather-long-name" } else { "b" };
            rustix::fs::mkdirat(&at, name, Mode::RWXU).unwrap();
            at = rustix::fs::openat(&at, name, FOLDER, Mode::empty()).unwrap();
        }
        let forbidden = top.join("forbidden");
        fs::create_dir(&forbidden).unwrap();
        fs::write(forbidden.join("file"), "x").unwrap();
        fs::set_permissions(&forbidden, fs::Permissions::from_mode(0o0)).unwrap();
        clear(&top).unwrap();
        assert_eq!(fs::read_dir(&top).unwrap().count(), 0);
        remove_all(&top).unwrap();
        remove_all(&top).unwrap();
    }

    #[test]
    fn a_folder_that_a_job_replaced_is_made_again() {
        let place = tempfile::tempdir().unwrap();
        let (top, precious) = (place.path().join("top"), place.path().join("precious"));
        fs::create_dir(&precious).unwrap();
        fs::write(precious.join("file"), "x").unwrap();
        fs::set_permissions(&precious, fs::Permissions::from_mode(0o755)).unwrap();
        renew(&top).unwrap();
        assert!(top.is_dir());
        fs::write(top.join("file"), "x").unwrap();
        renew(&top).unwrap();
        assert_eq!(fs::read_dir(&top).unwrap().count(), 0);
        fs::remove_dir(&top).unwrap();
        std::os::unix::fs::symlink(&precious, &top).unwrap();
        assert!(clear(&top).is_err());
        renew(&top).unwrap();
        assert!(fs::symlink_metadata(&top).unwrap().is_dir());
        // What the link led to is as it was.
        assert_eq!(fs::metadata(&precious).unwrap().mode() & 0o777, 0o755);
        assert!(precious.join("file").exists());
        fs::remove_dir(&top).unwrap();
        fs::write(&top, "").unwrap();
        renew(&top).unwrap();
        assert!(top.is_dir());
    }

    #[test]
    fn only_plain_files_are_read_and_anything_is_written_over() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::write(at("plain"), "abc").unwrap();
        assert_eq!(read_file(&at("plain"), 3).unwrap(), b"abc");
        assert!(read_file(&at("plain"), 2).is_err());
        let pipe = |path: &Path| {
            rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, Mode::RWXU, 0).unwrap();
        };
        pipe(&at("pipe"));
        std::os::unix::fs::symlink("/dev/zero", at("zero")).unwrap();
        std::os::unix::fs::symlink(at("plain"), at("link")).unwrap();
        fs::create_dir_all(at("folder/inside")).unwrap();
        for name in ["pipe", "zero", "link", "folder", "missing"] {
            assert!(read_file(&at(name), 1 << 20).is_err(), "{name}");
            write_file(&at(name), b"new").unwrap();
            assert_eq!(read_file(&at(name), 1 << 20).unwrap(), b"new", "{name}");
        }
        assert_eq!(fs::read(at("plain")).unwrap(), b"abc");
        write_file(&at("a/b/c"), b"deep").unwrap();
        assert_eq!(fs::read(at("a/b/c")).unwrap(), b"deep");
    }

    #[test]
    fn sizes_are_counted() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("in")).unwrap();
        fs::write(place.path().join("in/file"), vec![1; 100_000]).unwrap();
        std::os::unix::fs::symlink("/", place.path().join("link")).unwrap();
        assert!((100_000..200_000).contains(&size(place.path(), u64::MAX)));
    }
}
