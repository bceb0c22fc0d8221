//! Folders of this process in a place that others use too: told from those of the dead, and swept when nobody owns them.
//!
//! Beside each folder lies a file that its owner keeps locked. The system drops the lock when the owner dies, however
//! that happens, so a folder whose file can be locked belongs to nobody. A folder without such a file is left alone.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, OFlags};

use crate::guard::scratch::remove_all;

const LOCK: &str = ".lock";
/// Folders of one process with one prefix.
const MOST: u32 = 10_000;

/// A folder that is ours as long as this value lives. It stays until [`Owned::remove`] or the next sweep.
#[derive(Debug)]
pub(crate) struct Owned {
    /// The folder.
    pub(crate) path: PathBuf,
    /// The file beside it.
    pub(crate) lock_path: PathBuf,
    _lock: File,
}

impl Owned {
    /// Makes an empty folder that nobody else may look into, and removes those of this prefix that dead owners left.
    pub(crate) fn create(place: &Path, prefix: &str) -> io::Result<Owned> {
        sweep(place, prefix);
        let start = start_time().unwrap_or(0);
        let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
        for attempt in 0..MOST {
            let name = format!("{prefix}{}-{start}-{attempt}", std::process::id());
            let (path, lock_path) = (place.join(&name), place.join(name + LOCK));
            match lock_new(&lock_path) {
                Ok(Some(lock)) => {
                    DirBuilder::new().mode(0o700).create(&path)?;
                    // Whose it is, for people who find it. Nothing depends on it, so a full disk is no matter.
                    let _ = writeln!(&lock, "{}", std::env::temp_dir().display());
                    return Ok(Owned { path, lock_path, _lock: lock });
                }
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }

    /// Removes the folder and what shows that it was there.
    pub(crate) fn remove(&self) -> io::Result<()> {
        remove_all(&self.path)?;
        fs::remove_file(&self.lock_path)
    }
}

/// Removes a folder whose owner has ended, with what shows that it was there.
pub(crate) fn clear_away(folder: &Path) {
    let mut lock_path = folder.as_os_str().to_owned();
    lock_path.push(LOCK);
    if remove_all(folder).is_ok() {
        let _ = fs::remove_file(lock_path);
    }
}

/// A new file that we have locked; none if somebody took it for a dead owner's in the moment before.
fn lock_new(path: &Path) -> io::Result<Option<File>> {
    let lock = File::create_new(path)?;
    if rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
        return Ok(None);
    }
    let ours = fs::metadata(path).is_ok_and(|data| lock.metadata().is_ok_and(|own| own.ino() == data.ino()));
    Ok(ours.then_some(lock))
}

/// Removes what dead owners left. Whatever cannot be removed is somebody else's or will be tried again.
fn sweep(place: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.starts_with(prefix)) else { continue };
        let Some(folder) = name.strip_suffix(LOCK).map(|name| place.join(name)) else { continue };
        // In a place like /tmp anybody can put anything under any name, but nothing in the place of what is ours.
        if !is_ours(&entry.path(), fs::Metadata::is_file) {
            continue;
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let Ok(lock) = rustix::fs::open(entry.path(), flags, Mode::empty()) else { continue };
        if rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
            continue;
        }
        let gone = fs::symlink_metadata(&folder).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        if gone || (is_ours(&folder, fs::Metadata::is_dir) && remove_all(&folder).is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether this user owns what the path itself names: a link is none of ours.
fn is_ours(path: &Path, kind: fn(&fs::Metadata) -> bool) -> bool {
    let user = rustix::process::geteuid().as_raw();
    fs::symlink_metadata(path).is_ok_and(|data| kind(&data) && data.uid() == user)
}

/// When this process was started, in ticks since the system was: with its number, a name that is not used twice.
fn start_time() -> Option<u64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may contain anything; `starttime` is the 20th field after it.
    stat.rsplit(')').next()?.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_the_dead_left_is_swept_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let live = Owned::create(place.path(), "mine-").unwrap();
        let other = Owned::create(place.path(), "mine-").unwrap();
        let foreign = Owned::create(place.path(), "yours-").unwrap();
        fs::create_dir_all(at("mine-1-2-3/inside")).unwrap();
        fs::write(at("mine-1-2-3.lock"), "").unwrap();
        // Killed before the folder was made.
        fs::write(at("mine-1-2-4.lock"), "").unwrap();
        // Without a lock file it is nobody's that we know.
        fs::create_dir(at("mine-unlocked")).unwrap();
        // Links lead elsewhere.
        fs::create_dir_all(at("precious/inside")).unwrap();
        symlink(at("precious"), at("mine-1-2-5")).unwrap();
        fs::write(at("mine-1-2-5.lock"), "").unwrap();
        fs::create_dir(at("mine-1-2-6")).unwrap();
        fs::write(at("target"), "").unwrap();
        symlink(at("target"), at("mine-1-2-6.lock")).unwrap();
        drop(foreign);
        let third = Owned::create(place.path(), "mine-").unwrap();
        for owned in [&live, &other, &third] {
            assert!(owned.path.is_dir() && owned.lock_path.is_file());
        }
        assert!(
            !at("mine-1-2-3").exists() && !at("mine-1-2-3.lock").exists() && !at("mine-1-2-4.lock").exists()
        );
        for kept in ["mine-unlocked", "precious/inside", "mine-1-2-5", "mine-1-2-6", "mine-1-2-6.lock"] {
            assert!(fs::symlink_metadata(at(kept)).is_ok(), "{kept}");
        }
        assert_eq!(
            fs::read_dir(place.path())
                .unwrap()
                .filter(|entry| {
                    entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("yours-")
                })
                .count(),
            2
        );
        live.remove().unwrap();
        assert!(!live.path.exists() && !live.lock_path.exists());
        let place = std::env::temp_dir().display().to_string();
        assert_eq!(fs::read_to_string(&other.lock_path).unwrap().trim_end(), place);
        // Who could not remove all of it left both.
        fs::write(other.path.join("late"), "").unwrap();
        clear_away(&other.path);
        assert!(!other.path.exists() && !other.lock_path.exists());
        clear_away(&other.path);
    }
}
