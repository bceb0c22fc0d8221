//! Howler's own C headers, kept in the program and written to a folder when a preprocessor needs them.
//!
//! They declare the library of C17 but threads and atomics, and some of POSIX, in the ABI of glibc, so that one
//! preprocessed text means the same to every compiler and links with glibc.

use std::io;
use std::path::Path;

use crate::interrupt::Leftovers;
use crate::owned::Owned;

macro_rules! embed {
    ($($name:literal),* $(,)?) => {
        /// Every header: its name as in `#include <name>`, and its text.
        pub const ALL: &[(&str, &str)] = &[$(($name, include_str!(concat!("../headers/", $name)))),*];
    };
}

embed![
    "alloca.h",
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "float.h",
    "howler/features.h",
    "howler/int_n.h",
    "howler/mbstate_t.h",
    "howler/null.h",
    "howler/size_t.h",
    "howler/ssize_t.h",
    "howler/time_t.h",
    "howler/va_list.h",
    "howler/wchar_limits.h",
    "howler/wchar_t.h",
    "howler/wint_t.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "math.h",
    "memory.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/types.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
];

/// Whether `#include <name>` means something to the user: the parts that only other headers include do not.
pub fn is_public(name: &str) -> bool {
    !name.starts_with("howler/")
}

/// The headers as files in a private folder, which is removed with this value, or by the next process that makes such
/// a folder if this one is killed.
#[derive(Debug)]
pub struct Folder(Owned);

impl Folder {
    /// Writes the headers.
    pub fn create() -> io::Result<Folder> {
        let mut left = Leftovers::lock();
        let folder = Folder(Owned::create(&std::env::temp_dir(), "howler-headers-")?);
        left.add(folder.path());
        left.add(&folder.0.lock_path);
        let written = write_all(folder.path());
        drop(left);
        written?;
        Ok(folder)
    }

    /// Where they are.
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let mut left = Leftovers::lock();
        // Under the lock: a signal in between would leave it.
        let _ = self.0.remove();
        left.forget(self.path());
        left.forget(&self.0.lock_path);
    }
}

fn write_all(folder: &Path) -> io::Result<()> {
    for (name, text) in ALL {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names below `folder`, without the prefix.
    fn files(folder: &Path, prefix: &str, names: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                files(&entry.path(), &format!("{name}/"), names);
            } else {
                names.push(name);
            }
        }
    }

    #[test]
    fn every_header_in_the_folder_is_embedded() {
        let mut names = Vec::new();
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("headers"), "", &mut names);
        names.sort();
        assert_eq!(names, ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }

    #[test]
    fn the_folder_goes_with_its_value() {
        let folder = Folder::create().unwrap();
        let path = folder.path().to_owned();
        assert!(path.join("sys/types.h").is_file());
        drop(folder);
        assert!(!path.exists());
    }
}
