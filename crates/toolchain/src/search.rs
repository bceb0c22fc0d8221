//! Programs on PATH.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The program that a name means: a path as it is, anything else looked up on PATH.
pub fn on_path(name: &OsStr) -> Option<PathBuf> {
    if name.as_encoded_bytes().contains(&b'/') {
        return is_program(Path::new(name)).then(|| PathBuf::from(name));
    }
    folders().map(|dir| dir.join(name)).find(|path| is_program(path))
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
