//! How a compiler misbehaves. Everything here is bounded: see the module's head.
#![allow(clippy::disallowed_methods, reason = "a compiler for tests; Howler runs it under its limits")]

use super::fault::Act;
use std::hash::{BuildHasher, Hasher};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::time::{Duration, Instant};

/// What the command line of a process says that a planted compiler left behind.
pub const DAEMON: &str = "planted-daemon";

/// Nothing lasts longer.
const LONG: Duration = Duration::from_secs(300);
/// How many processes a fork bomb has.
const PROCESSES: usize = 200;
const GIB: usize = 1 << 30;
/// How much memory is taken, in GiB.
const MEMORY: usize = 10;
/// The size at which an endless file ends.
const FILE: usize = 4 * GIB;
/// The size at which endless messages end.
const MESSAGES: usize = 4 * GIB;

/// A number that is another each time: the one thing a planted compiler must be able to do that Howler must not.
pub(crate) fn dice() -> u32 {
    // The standard library seeds its hash maps from the system.
    let number = std::hash::RandomState::new().build_hasher().finish();
    (number >> 32) as u32
}

/// Misbehaves in the place of cc1; returns if compiling is to go on.
pub(crate) fn compiler(act: &Act, output: Option<&Path>) {
    match act {
        Act::Status(status) => exit(i32::from(*status)),
        Act::Signal(signal) => die(signal),
        Act::Sleep => std::thread::sleep(LONG),
        Act::Spin => spin(),
        Act::Chatter => chatter(),
        Act::Swell => swell(output.unwrap_or("/dev/stdout".as_ref())),
        Act::Forks => forks(0),
        Act::Daemon => daemon(),
        Act::Stubborn => {
            daemon();
            sh(&format!("trap '' TERM INT HUP; exec sleep {}", LONG.as_secs()));
        }
        Act::Memory => drop(take(MEMORY)),
        Act::Crowd => crowd(),
        Act::Nops | Act::Delete | Act::Idle | Act::Truncate | Act::Odd(_) => {}
    }
}

/// Misbehaves after the driver's work is done well.
pub(crate) fn driver(act: &Act, outputs: &[PathBuf]) {
    match act {
        Act::Delete => outputs.iter().for_each(|file| drop(std::fs::remove_file(file))),
        Act::Truncate => outputs.iter().for_each(|path| {
            if let Ok(file) = std::fs::OpenOptions::new().write(true).open(path)
                && let Ok(data) = file.metadata()
            {
                drop(file.set_len(data.len() / 2));
            }
        }),
        Act::Odd(status) => exit(i32::from(*status)),
        _ => {}
    }
}

/// What `planted-child WHAT` does.
pub(crate) fn child(what: &str) -> ! {
    match what {
        DAEMON => std::thread::sleep(LONG),
        "memory" => drop(hold(take(1))),
        number => number.parse().into_iter().for_each(forks),
    }
    exit(0)
}

/// Ends this process by a signal. Rust's own handler would hold off the first SIGSEGV, so a shell takes its place.
pub(crate) fn die(signal: &str) -> ! {
    sh(&format!("ulimit -c 0; kill -s {signal} $$"))
}

fn sh(script: &str) -> ! {
    let error = Command::new("sh").args(["-c", script]).exec();
    eprintln!("planted-cc: cannot start sh: {error}");
    exit(2)
}

fn spin() {
    let start = Instant::now();
    while start.elapsed() < LONG {
        std::hint::spin_loop();
    }
}

fn chatter() {
    let text = "planted.c:1:1: note: in expansion of macro 'FOREVER'\n".repeat(1000);
    let mut written = 0;
    while written < MESSAGES && std::io::stderr().write_all(text.as_bytes()).is_ok() {
        written += text.len();
    }
}

/// Real bytes: a hole would not fill a disk.
fn swell(path: &Path) {
    let text = "\t.long\t0x5eed\n".repeat(64 * 1024);
    let Ok(mut file) = std::fs::OpenOptions::new().write(true).create(true).truncate(true).open(path) else {
        return;
    };
    let mut written = 0;
    while written < FILE {
        if let Err(error) = file.write_all(text.as_bytes()) {
            eprintln!("cc1: fatal error: error writing to {}: {error}", path.display());
            exit(1);
        }
        written += text.len();
    }
}

/// A tree of processes, each of which starts two and waits: number n starts 2n+1 and 2n+2.
fn forks(number: usize) {
    if let Ok(own) = std::env::current_exe() {
        for next in [2 * number + 1, 2 * number + 2] {
            if next < PROCESSES {
                drop(Command::new(&own).arg("planted-child").arg(next.to_string()).spawn());
            }
        }
    }
    std::thread::sleep(LONG);
}

/// Its standard error stays open: whoever waits for the end of the messages waits for it.
fn daemon() {
    let Ok(own) = std::env::current_exe() else { return };
    // What a shell ignores stays ignored in what it becomes.
    let script = "trap '' TERM INT HUP; exec \"$0\" planted-child \"$1\"";
    drop(Command::new("setsid").args(["--fork", "sh", "-c", script]).arg(own).arg(DAEMON).status());
}

fn crowd() {
    let Ok(own) = std::env::current_exe() else { return };
    let start = || Command::new(&own).args(["planted-child", "memory"]).spawn();
    let children: Vec<_> = (0..MEMORY).filter_map(|_| start().ok()).collect();
    children.into_iter().for_each(|mut child| drop(child.wait()));
}

/// Memory that is written to, in GiB. Without enough of it, ends as gcc does.
fn take(amount: usize) -> Vec<Vec<u8>> {
    const BLOCK: usize = 16 << 20;
    let mut blocks = Vec::new();
    for number in 0..amount * (GIB / BLOCK) {
        let mut block = Vec::new();
        if block.try_reserve_exact(BLOCK).is_err() {
            eprintln!(
                "\ncc1: out of memory allocating {BLOCK} bytes after a total of {} bytes",
                number * BLOCK
            );
            exit(1);
        }
        // A byte in each page would do, but a block of one value is written whole.
        block.resize(BLOCK, 1);
        blocks.push(std::hint::black_box(block));
    }
    blocks
}

/// Keeps the memory for a while: several processes must have theirs at the same time.
fn hold(blocks: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    std::thread::sleep(LONG / 10);
    blocks
}
