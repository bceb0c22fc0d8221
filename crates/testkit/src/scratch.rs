//! A private folder for one test, removed when the test ends.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A fresh folder that is removed when the value is dropped, also when the test panics.
///
/// ```
/// let scratch = howler_testkit::Scratch::new();
/// let file = scratch.write("a.c", "int x;");
/// assert_eq!(std::fs::read_to_string(&file).expect("just written"), "int x;");
/// let folder = scratch.folder().to_owned();
/// drop(scratch);
/// assert!(!folder.exists());
/// ```
pub struct Scratch(PathBuf);

impl Scratch {
    /// A fresh folder below the system's temporary one.
    ///
    /// # Panics
    /// If it cannot be made.
    #[allow(clippy::new_without_default, reason = "a default that makes a folder would surprise")]
    pub fn new() -> Scratch {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let base = std::env::temp_dir();
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let folder = base.join(format!("howler-test-{}-{number}", std::process::id()));
            match std::fs::create_dir(&folder) {
                Ok(()) => return Scratch(folder),
                // A killed run may have left a folder of this name.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => panic!("cannot make {}: {error}", folder.display()),
            }
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// A path inside the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file and returns its path.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        if let Err(error) = std::fs::write(&path, contents) {
            panic!("cannot write {}: {error}", path.display());
        }
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed stays in the temporary folder; a second panic here would hide the first.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
