//! The external names that the C library defines, for programs that declare them without a header.
//!
//! `data/glibc-names.txt` is what `nm -D --defined-only` lists for glibc 2.36 and its libm: default versions only,
//! without names that begin with an underscore.

const NAMES: &str = include_str!("../data/glibc-names.txt");

/// Whether a program need not define the name itself. Reserved names (C17 7.1.3p1) are all taken as somebody's, and
/// so are the symbols that linkers make.
pub fn defines(name: &str) -> bool {
    let made_by_linkers = ["end", "etext", "edata"];
    // In libc_nonshared.a, which programs are linked with too.
    let not_shared = ["atexit", "at_quick_exit", "stat", "fstat", "lstat", "fstatat", "mknod", "mknodat"];
    name.starts_with('_')
        || made_by_linkers.contains(&name)
        || not_shared.contains(&name)
        || NAMES.lines().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_names_are_known_and_others_are_not() {
        for name in [
            "printf",
            "open",
            "environ",
            "sin",
            "pthread_create",
            "stat",
            "atexit",
            "stdin",
            "__errno_location",
        ] {
            assert!(defines(name), "{name}");
        }
        for name in ["main", "foo", "helper", "", "print"] {
            assert!(!defines(name), "{name}");
        }
    }
}
