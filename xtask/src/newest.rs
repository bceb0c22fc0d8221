//! `cargo xtask newest`: a root with the newest compilers, under the ignored folder ./roots.
//!
//! Debian's unstable suite has released compilers first, and gcc-snapshot is what gcc will be. They need the C library of
//! that suite, so they get a whole system of their own, made by `debootstrap` and kept up to date by its own apt; this
//! system is not changed. Howler compiles and runs in it: `--cc root:roots/unstable:gcc-16`.

use crate::packages::{self, is_root};
use crate::root;
use anyhow::{Context, Result, bail};
use howler_testkit::{Options, find, run};
use std::path::Path;
use std::process::Command;

const SUITE: &str = "unstable";

/// What every root has, besides a minimal system.
const ALWAYS: &[&str] = &["libc6-dev", "binutils"];

/// What people work on now, and the test suite of the newest gcc, which `cargo xtask corpus` takes: about 3 GB.
const NEWEST: &[&str] =
    &["gcc-16", "gcc-snapshot", "clang-23", "llvm-23", "libclang-rt-23-dev", "gcc-16-source"];

/// What is still looked after: several GB more.
#[rustfmt::skip]
const OLDER: &[&str] = &[
    "gcc-13", "gcc-14", "gcc-15", "clang-17", "clang-18", "clang-19", "clang-20", "clang-21", "clang-22",
];

/// What apt in the root takes over from this system's: how to get to the mirror, and whether that may be an old copy.
const SHARED: &[&str] = &["Acquire::http::Proxy", "Acquire::https::Proxy", "Acquire::Check-Valid-Until"];

/// Makes the root or brings it up to date. `wanted` are packages instead of the newest ones; `--all` among them stands
/// for the newest and the older.
pub(crate) fn provide(wanted: &[&str]) -> Result<()> {
    if let Some(option) = wanted.iter().find(|word| word.starts_with('-') && **word != "--all") {
        bail!("`{option}` is no option of newest");
    }
    let mut packages: Vec<&str> = wanted.iter().copied().filter(|word| !word.starts_with('-')).collect();
    if wanted.contains(&"--all") {
        packages.extend(NEWEST.iter().chain(OLDER));
    } else if packages.is_empty() {
        packages.extend(NEWEST);
    }
    if !is_root() {
        bail!("a root can be made by root only: sudo cargo xtask newest");
    }
    let top = root().canonicalize().context("the workspace is not there")?;
    let folder = top.join("roots").join(SUITE);
    if !folder.join("usr/bin/apt-get").exists() {
        make(&folder)?;
    }
    inside(&folder, &["update"])?;
    let packages: Vec<&str> = ALWAYS.iter().copied().chain(packages).collect();
    install(&folder, &packages)?;
    println!("xtask: {} has {}", folder.display(), compilers(&folder).join(", "));
    let short = folder.strip_prefix(&top).unwrap_or(&folder).display();
    println!("xtask: `howler doctor --root {short}` lists them; --cc root:{short}:gcc-16 hunts one");
    Ok(())
}

/// A minimal system, made aside and renamed, so that a folder `unstable` is always whole.
fn make(folder: &Path) -> Result<()> {
    if find("debootstrap").is_none() {
        packages::apt_get(&["install", "--yes", "--no-install-recommends", "debootstrap"])
            .context("debootstrap is missing")?;
    }
    let debootstrap = find("debootstrap").context("debootstrap is missing: install it")?;
    let mirror = mirror()?;
    let part = folder.with_extension("part");
    if part.exists() {
        std::fs::remove_dir_all(&part).with_context(|| format!("cannot remove {}", part.display()))?;
    }
    std::fs::create_dir_all(&part).with_context(|| format!("cannot make {}", part.display()))?;
    eprintln!("xtask: making {} from {mirror}", folder.display());
    let mut command = Command::new(debootstrap);
    command.args(["--variant=minbase", SUITE]).arg(&part).arg(&mirror);
    if let Some(proxy) = setting("Acquire::http::Proxy") {
        command.env("http_proxy", &proxy);
    }
    let status = command.status().context("cannot start debootstrap")?;
    if !status.success() {
        bail!("debootstrap failed; {}/debootstrap/debootstrap.log says why", part.display());
    }
    // What the packages were unpacked from is not needed again.
    let mut settings = "APT::Keep-Downloaded-Packages \"false\";\n".to_owned();
    for name in SHARED {
        if let Some(value) = setting(name) {
            settings.push_str(&format!("{name} \"{value}\";\n"));
        }
    }
    std::fs::write(part.join("etc/apt/apt.conf.d/80howler"), settings)
        .context("cannot write apt's settings")?;
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    std::fs::rename(&part, folder).with_context(|| format!("cannot rename {}", part.display()))
}

/// Where apt gets this system's packages.
fn mirror() -> Result<String> {
    let args = ["indextargets", "--format", "$(SITE) $(REPO_URI)", "Created-By: Packages"];
    let sites = run("apt-get", args, &Options::default()).stdout_text();
    mirror_in(&sites).with_context(|| "apt has no Debian mirror in its settings".to_owned())
}

/// The first address of Debian itself: its security updates are another archive.
fn mirror_in(sites: &str) -> Option<String> {
    let addresses = sites.lines().filter_map(|line| line.split_whitespace().last());
    let mut debian = addresses.filter(|address| address.contains("debian") && !address.contains("security"));
    debian.next().map(|address| address.trim_end_matches('/').to_owned())
}

/// A setting of this system's apt.
fn setting(name: &str) -> Option<String> {
    let said = run("apt-config", ["dump", "--format", "%v%n", name], &Options::default()).stdout_text();
    said.lines().next().map(str::to_owned).filter(|value| !value.is_empty())
}

fn install(folder: &Path, packages: &[&str]) -> Result<()> {
    let command = ["install", "--yes", "--no-install-recommends"];
    if inside(folder, &[&command[..], packages].concat()).is_ok() {
        return Ok(());
    }
    // One package that the suite does not have today must not keep the others away.
    let mut missing = Vec::new();
    for package in packages {
        if inside(folder, &[&command[..], &[package]].concat()).is_err() {
            missing.push(*package);
        }
    }
    if missing.len() == packages.len() {
        bail!("nothing could be installed");
    }
    eprintln!("xtask: not installed: {}", missing.join(" "));
    Ok(())
}

/// The root's own apt-get.
fn inside(folder: &Path, args: &[&str]) -> Result<()> {
    let status = Command::new("chroot")
        .arg(folder)
        .arg("apt-get")
        .args(args)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .env("LC_ALL", "C")
        .env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
        .status()
        .context("cannot start chroot")?;
    if !status.success() {
        bail!("`apt-get {}` failed in {}", args.join(" "), folder.display());
    }
    Ok(())
}

/// The compilers of a root by their names.
fn compilers(folder: &Path) -> Vec<String> {
    let known = |name: &String| {
        let version = name.strip_prefix("gcc-").or_else(|| name.strip_prefix("clang-"));
        name == "tcc" || version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit()))
    };
    let entries = std::fs::read_dir(folder.join("usr/bin")).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).filter(known).collect();
    if folder.join("usr/lib/gcc-snapshot/bin/gcc").exists() {
        names.push("/usr/lib/gcc-snapshot/bin/gcc".to_owned());
    }
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mirror_is_that_of_debian_itself() {
        let sites = "http://deb.example/debian-security http://deb.example/debian-security/\n\
                     http://deb.example/debian http://deb.example/debian/\n";
        assert_eq!(mirror_in(sites).as_deref(), Some("http://deb.example/debian"));
        assert_eq!(mirror_in("http://x.example/other http://x.example/other/\n"), None);
    }

    #[test]
    fn words_that_are_no_option_are_refused() {
        assert!(provide(&["--al"]).is_err());
    }
}
