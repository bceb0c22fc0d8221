//! The living descendants of a process, as `/proc` shows them: how many, how much memory and time they use.
//!
//! A PID namespace gives its processes numbers of their own, but where nothing can be mounted `/proc` stays the caller's:
//! all numbers here are those of `/proc`, for reading only. Only [`children`] of a guard without a namespace are numbers
//! to kill.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A place to look from.
pub(crate) struct Tree {
    root: PathBuf,
    page: u64,
    tick: Duration,
}

/// What the descendants use together.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Usage {
    /// Their number.
    pub processes: u32,
    /// Their resident memory, in bytes.
    pub rss: u64,
    /// Their user and system time, and that of the descendants they waited for.
    pub cpu: Duration,
}

impl Tree {
    /// The descendants of this process.
    pub(crate) fn of_self() -> std::io::Result<Tree> {
        let own = fs::read_link("/proc/self")?;
        let ticks = u32::try_from(rustix::param::clock_ticks_per_second()).unwrap_or(100).max(1);
        Ok(Tree {
            root: Path::new("/proc").join(own),
            page: rustix::param::page_size() as u64,
            tick: Duration::from_secs(1) / ticks,
        })
    }

    /// Looks once; stops when there are more than `enough`.
    pub(crate) fn look(&self, enough: u32) -> Usage {
        let mut usage = Usage::default();
        let mut open = children(&self.root);
        while let Some(number) = open.pop() {
            let folder = Path::new("/proc").join(number.to_string());
            // It may have gone by now, and its children with it: they will be seen as somebody else's.
            let Ok(stat) = fs::read_to_string(folder.join("stat")) else { continue };
            let fields: Vec<u64> = stat
                .rsplit(')')
                .next()
                .unwrap_or("")
                .split_whitespace()
                // Some are negative, none that count here.
                .map(|field| field.parse().unwrap_or(0))
                .collect();
            // Numbered from the third of proc_pid_stat(5): utime, stime, cutime, cstime; threads; rss.
            let field = |number: usize| fields.get(number - 3).copied().unwrap_or(0);
            usage.processes += 1;
            usage.rss = usage.rss.saturating_add(field(24).saturating_mul(self.page));
            let ticks = (14..=17).map(field).sum::<u64>();
            usage.cpu += self.tick.saturating_mul(u32::try_from(ticks).unwrap_or(u32::MAX));
            if usage.processes > enough {
                break;
            }
            open.extend(children(&folder));
        }
        usage
    }

    /// The numbers of all descendants.
    pub(crate) fn all(&self) -> Vec<i32> {
        let mut found = children(&self.root);
        let mut next = 0;
        while let Some(&number) = found.get(next) {
            found.extend(children(&Path::new("/proc").join(number.to_string())));
            next += 1;
        }
        found
    }
}

/// The children of all threads of a process.
fn children(process: &Path) -> Vec<i32> {
    let mut found = Vec::new();
    let Ok(threads) = fs::read_dir(process.join("task")) else { return found };
    for thread in threads.flatten() {
        let text = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        found.extend(text.split_whitespace().filter_map(|number| number.parse::<i32>().ok()));
    }
    found
}
