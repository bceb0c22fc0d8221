//! Programs on PATH, of this system and of others that are unpacked in a folder.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, ResolveFlags};

/// Where programs are in a system that nobody has logged in to.
pub(crate) const PATH_IN_ROOT: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The program that a name means: a path as it is, anything else looked up on PATH.
pub fn on_path(name: &OsStr) -> Option<PathBuf> {
    if name.as_encoded_bytes().contains(&b'/') {
        return is_program(Path::new(name)).then(|| PathBuf::from(name));
    }
    folders().map(|dir| dir.join(name)).find(|path| is_program(path))
}

/// The program that a name means in another root, as a path in it; in this system if there is none.
pub(crate) fn on_path_in(root: Option<&Path>, name: &OsStr) -> Option<PathBuf> {
    let Some(root) = root else { return on_path(name) };
    let is_program = |path: &PathBuf| {
        let data = open_in(Some(root), path).and_then(|file| file.metadata());
        data.is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    };
    if name.as_encoded_bytes().contains(&b'/') {
        return Some(PathBuf::from(name)).filter(is_program);
    }
    std::env::split_paths(PATH_IN_ROOT).map(|dir| dir.join(name)).find(is_program)
}

/// Opens a file by its path in another root, where links lead to what they would there; in this system if there is none.
pub fn open_in(root: Option<&Path>, path: &Path) -> io::Result<File> {
    let Some(root) = root else { return File::open(path) };
    let folder = rustix::fs::open(root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(rustix::fs::openat2(folder, path, flags, Mode::empty(), ResolveFlags::IN_ROOT)?.into())
}

/// The folders of PATH, in order.
pub(crate) fn folders() -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).collect::<Vec<_>>().into_iter()
}

/// Whether it can be run.
pub(crate) fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
