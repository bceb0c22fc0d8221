//! The compilers on PATH, each executable once.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::Dir;

use crate::compiler::{Compiler, Runner, file_name};
use crate::search::{PATH_IN_ROOT, folders, is_program, on_path, open_in};

/// Finds the compilers on PATH. Programs that do not answer as a compiler does are left out.
///
/// ```no_run
/// for compiler in howler_toolchain::compiler::detect() {
///     println!("{} {} for {}", compiler.name, compiler.version, compiler.triple);
/// }
/// ```
pub fn detect() -> Vec<Compiler> {
    // By executable: `gcc` may be `gcc-12`, which is the better name.
    let mut found: BTreeMap<PathBuf, (Rank, PathBuf)> = BTreeMap::new();
    for folder in folders().filter(|folder| folder.is_absolute() && !is_cache(folder)) {
        let Ok(entries) = folder.read_dir() else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(rank) = name.to_str().and_then(rank) else { continue };
            let path = entry.path();
            let Ok(real) = path.canonicalize() else { continue };
            if !is_program(&real) || is_cache(&real) {
                continue;
            }
            let better = found.get(&real).is_none_or(|(known, _)| rank < *known);
            if better {
                found.insert(real, (rank, path));
            }
        }
    }
    let mut found: Vec<(Rank, PathBuf)> = found.into_values().collect();
    found.sort();
    let probed = found.into_iter().filter_map(|(rank, path)| {
        let prefix = if rank.kind == Kind::Zig { zig_prefix(&path) } else { Vec::new() };
        Compiler::probed(rank.name, None, path, prefix).ok()
    });
    // Two hard links to one compiler are one compiler.
    let mut compilers: Vec<Compiler> = Vec::new();
    for compiler in probed {
        let same = |other: &Compiler| is_same_file(&other.path, &compiler.path);
        if !compilers.iter().any(same) {
            compilers.push(compiler);
        }
    }
    compilers
}

/// Finds the compilers of another root, each executable once.
pub fn detect_in(root: &Path) -> Vec<Compiler> {
    let mut found: BTreeMap<(u64, u64), (Rank, PathBuf)> = BTreeMap::new();
    // Debian keeps its newest gcc aside.
    let aside = PathBuf::from("/usr/lib/gcc-snapshot/bin");
    for folder in std::env::split_paths(PATH_IN_ROOT).chain([aside.clone()]) {
        let Ok(entries) = open_in(Some(root), &folder).and_then(|folder| Ok(Dir::read_from(&folder)?)) else {
            continue;
        };
        for entry in entries.flatten() {
            let Some(rank) = entry.file_name().to_str().ok().and_then(rank) else { continue };
            // Its clang is told where this system's headers are.
            if rank.kind == Kind::Zig {
                continue;
            }
            let path = folder.join(&rank.name);
            let data = open_in(Some(root), &path).and_then(|file| file.metadata());
            let Some(id) = data.ok().filter(fs::Metadata::is_file).map(|data| (data.dev(), data.ino()))
            else {
                continue;
            };
            if found.get(&id).is_none_or(|(known, _)| rank < *known) {
                found.insert(id, (rank, path));
            }
        }
    }
    let mut found: Vec<(Rank, PathBuf)> = found.into_values().collect();
    found.sort();
    let name = |(rank, path): (Rank, PathBuf)| {
        if path.starts_with(&aside) { path.display().to_string() } else { rank.name }
    };
    found.into_iter().map(name).filter_map(|name| Compiler::find_in(root, &name).ok()).collect()
}

/// zig has a whole clang inside (`zig clang`), which does not know where its own headers are and compiles for another C
/// library by default. `zig cc` is something else: it keeps results and adds checks.
pub(crate) fn zig_prefix(path: &Path) -> Vec<String> {
    let arch = std::env::consts::ARCH;
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut prefix =
        vec!["clang".to_owned(), format!("--target={arch}-linux-gnu"), "-nostdlibinc".to_owned()];
    let own = real.parent().map(|folder| folder.join("lib/include"));
    let system = [
        "/usr/local/include".to_owned(),
        format!("/usr/include/{arch}-linux-gnu"),
        "/usr/include".to_owned(),
    ];
    let folders = own.iter().map(|folder| folder.display().to_string()).chain(system);
    prefix.extend(folders.flat_map(|folder| ["-isystem".to_owned(), folder]));
    prefix
}

/// What a name promises; smaller is the better name for the same executable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Rank {
    kind: Kind,
    /// Newest first; without a version last.
    version: std::cmp::Reverse<u32>,
    name: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Gcc,
    Clang,
    Icx,
    Tcc,
    Pcc,
    Zig,
    Cross,
    Cc,
}

fn rank(name: &str) -> Option<Rank> {
    let (base, version) = match name.rsplit_once('-') {
        Some((base, version)) if version.starts_with(|c: char| c.is_ascii_digit()) => {
            // `clang-19`, and also `gcc-4.8`.
            (base, version.split('.').next()?.parse().ok()?)
        }
        _ => (name, 0),
    };
    let kind = match base {
        "gcc" => Kind::Gcc,
        "clang" => Kind::Clang,
        "tcc" if version == 0 => Kind::Tcc,
        "pcc" if version == 0 => Kind::Pcc,
        "icx" if version == 0 => Kind::Icx,
        "zig" => Kind::Zig,
        "cc" if version == 0 => Kind::Cc,
        // `aarch64-linux-gnu-gcc`, but not `c99-gcc`.
        _ if base.strip_suffix("-gcc").is_some_and(|triple| triple.contains('-')) => Kind::Cross,
        _ => return None,
    };
    Some(Rank { kind, version: std::cmp::Reverse(version), name: name.to_owned() })
}

/// Whether a folder or program only pretends to be a compiler and keeps results.
fn is_cache(path: &Path) -> bool {
    ["ccache", "distcc", "icecc", "sccache", "icecream"].iter().any(|cache| file_name(path).contains(cache))
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    let id = |path: &Path| path.metadata().map(|data| (data.dev(), data.ino())).ok();
    id(a).is_some() && id(a) == id(b)
}

/// Whether this machine runs programs for the target itself.
pub(crate) fn is_native(triple: &str) -> bool {
    let arch = triple.split('-').next().unwrap_or("");
    let linux = triple.contains("linux");
    let same = arch == std::env::consts::ARCH;
    let x86 = std::env::consts::ARCH == "x86_64" && ["i386", "i486", "i586", "i686"].contains(&arch);
    linux && (same || x86)
}

/// The emulator for a target's programs, if they need one and there is one.
pub(crate) fn runner(triple: &str) -> Option<Runner> {
    if is_native(triple) || !triple.contains("linux") {
        return None;
    }
    let arch = triple.split('-').next()?;
    let emulator = match arch {
        "powerpc64le" => "ppc64le",
        "powerpc64" => "ppc64",
        "powerpc" => "ppc",
        "arm64" => "aarch64",
        _ if arch.starts_with("armeb") => "armeb",
        _ if arch.starts_with("arm") => "arm",
        "mipsisa64r6el" => "mips64el",
        "mipsisa32r6el" => "mipsel",
        arch => arch,
    };
    let program = ["", "-static"]
        .into_iter()
        .find_map(|suffix| on_path(OsStr::new(&format!("qemu-{emulator}{suffix}"))))?;
    // Where Debian keeps the target's libraries.
    let root = format!("/usr/{triple}");
    let args = if Path::new(&root).is_dir() { vec!["-L".to_owned(), root] } else { Vec::new() };
    Some(Runner { program, args })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_compilers_are_known() {
        for name in [
            "gcc",
            "gcc-12",
            "gcc-4.8",
            "clang-19",
            "tcc",
            "pcc",
            "icx",
            "zig",
            "cc",
            "aarch64-linux-gnu-gcc-12",
        ] {
            assert!(rank(name).is_some(), "{name}");
        }
        for name in
            ["gcc-ar", "gcc-ar-12", "c99-gcc", "clang++-14", "clang-format-13", "clang-cpp-14", "g++", "-"]
        {
            assert!(rank(name).is_none(), "{name}");
        }
        assert!(rank("gcc-12") < rank("gcc") && rank("gcc-12") < rank("x86_64-linux-gnu-gcc-12"));
    }

    #[test]
    fn only_foreign_programs_need_an_emulator() {
        let own = format!("{}-linux-gnu", std::env::consts::ARCH);
        assert!(is_native(&own) && runner(&own).is_none());
        assert!(!is_native("s390x-linux-gnu") && runner("x86_64-w64-mingw32").is_none());
    }
}
