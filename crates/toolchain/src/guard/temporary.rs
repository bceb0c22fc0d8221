//! The /tmp that jobs have instead of everybody's: some compilers use it whatever TMPDIR says, and some live there.
//!
//! It is a small file system in memory. What is in the real one is reached through links, which follow what happens
//! there; an overlay would not, as it must not be put over a folder that changes.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::guard::scratch;

/// Everybody's.
pub(crate) const TMP: &str = "/tmp";

/// More than this is not shown: each clearing would have to look at all of them.
const MOST: usize = 2_000;

/// A /tmp of the guard's.
#[derive(Debug)]
pub(crate) struct OwnTmp {
    /// Where it is.
    pub at: PathBuf,
    /// The guard's folder, if that is in it: it stays, and so do the folders on the way.
    inner: Option<PathBuf>,
    /// What is reached through links.
    levels: Vec<Level>,
}

/// One folder whose entries are links to those of another.
#[derive(Debug)]
struct Level {
    at: PathBuf,
    real: PathBuf,
    /// Where a job finds that.
    seen_as: PathBuf,
    /// The entry that is no link, but a folder on the way to the guard's.
    kept: Option<OsString>,
    /// When the real one was last seen to change.
    seen: Option<SystemTime>,
    /// What was there then.
    links: BTreeSet<OsString>,
}

impl OwnTmp {
    /// An empty one, with the guard's folder in it or not.
    pub(crate) fn new(at: PathBuf, inner: Option<PathBuf>) -> OwnTmp {
        OwnTmp { at, inner, levels: Vec::new() }
    }

    /// Has it show what is in the real one, which jobs see under another path if they have another root.
    pub(crate) fn mirror(&mut self, real: &Path, seen_as: &Path) -> io::Result<()> {
        let names: Vec<OsString> = match &self.inner {
            Some(inner) => inner.iter().map(OsString::from).collect(),
            None => Vec::new(),
        };
        let (mut at, mut real, mut seen_as) = (self.at.clone(), real.to_owned(), seen_as.to_owned());
        let mut names = names.into_iter();
        loop {
            let kept = names.next();
            self.levels.push(Level {
                at: at.clone(),
                real: real.clone(),
                seen_as: seen_as.clone(),
                kept: kept.clone(),
                seen: None,
                links: BTreeSet::new(),
            });
            match kept {
                // The last one is the guard's folder itself.
                Some(name) if names.len() > 0 => {
                    at.push(&name);
                    real.push(&name);
                    seen_as.push(name);
                }
                _ => break,
            }
        }
        self.refresh()
    }

    /// Shows what has come to the real one since, and no more what has gone.
    pub(crate) fn refresh(&mut self) -> io::Result<()> {
        self.levels.iter_mut().try_for_each(Level::refresh)
    }

    /// Removes what jobs left.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        self.levels.iter_mut().try_for_each(Level::clear)?;
        self.refresh()
    }
}

impl Level {
    /// Most requests find nothing new: this is one question then, and never one for each entry.
    fn refresh(&mut self) -> io::Result<()> {
        let Ok(changed) = fs::metadata(&self.real).and_then(|data| data.modified()) else { return Ok(()) };
        if self.seen == Some(changed) {
            return Ok(());
        }
        let entries = fs::read_dir(&self.real)?.flatten().map(|entry| entry.file_name());
        let now: BTreeSet<OsString> =
            entries.filter(|name| self.kept.as_ref() != Some(name)).take(MOST).collect();
        for gone in self.links.difference(&now) {
            let path = self.at.join(gone);
            if fs::symlink_metadata(&path).is_ok_and(|data| data.is_symlink()) {
                fs::remove_file(path)?;
            }
        }
        for new in now.difference(&self.links) {
            // A job may have put something there: it has it until the next clearing.
            let _ = symlink(self.seen_as.join(new), self.at.join(new));
        }
        self.links = now;
        // The system's clock for files stands still for some milliseconds: another change would look like this one.
        let settled = changed.elapsed().is_ok_and(|since| since > Duration::from_millis(50));
        self.seen = settled.then_some(changed);
        Ok(())
    }

    /// Removes all but the links, and makes those again that a job took away.
    fn clear(&mut self) -> io::Result<()> {
        let mut left = BTreeSet::new();
        remove_entries(&self.at, |entry| {
            let name = entry.file_name();
            let ours = self.kept.as_ref() == Some(&name) || self.is_ours(entry);
            if ours {
                left.insert(name);
            }
            ours
        })?;
        for gone in self.links.difference(&left) {
            symlink(self.seen_as.join(gone), self.at.join(gone))?;
        }
        Ok(())
    }

    fn is_ours(&self, entry: &fs::DirEntry) -> bool {
        self.links.contains(&entry.file_name())
            && fs::read_link(entry.path()).is_ok_and(|target| target == self.seen_as.join(entry.file_name()))
    }
}

fn remove_entries(folder: &Path, mut keep: impl FnMut(&fs::DirEntry) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(folder)?.flatten() {
        if keep(&entry) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            scratch::remove_all(&entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_real_one_is_followed_and_what_jobs_leave_goes() {
        let (own, real) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        // The guard's folder is in it, two levels down.
        for folder in [own.path(), real.path()] {
            fs::create_dir_all(folder.join("a/guard")).unwrap();
        }
        fs::write(real.path().join("old"), "old").unwrap();
        fs::write(real.path().join("a/beside"), "beside").unwrap();
        let mut tmp = OwnTmp::new(own.path().to_owned(), Some("a/guard".into()));
        tmp.mirror(real.path(), real.path()).unwrap();
        assert_eq!(
            (names(own.path()), names(&own.path().join("a"))),
            (vec!["a".to_owned(), "old".to_owned()], vec!["beside".to_owned(), "guard".to_owned()])
        );
        assert_eq!(fs::read_to_string(own.path().join("a/beside")).unwrap(), "beside");
        // A job removes, replaces and adds.
        fs::remove_file(own.path().join("old")).unwrap();
        fs::write(own.path().join("old"), "mine").unwrap();
        fs::remove_file(own.path().join("a/beside")).unwrap();
        fs::create_dir_all(own.path().join("left/behind")).unwrap();
        fs::write(own.path().join("a/guard/kept"), "").unwrap();
        // Others come and go meanwhile.
        fs::write(real.path().join("new"), "new").unwrap();
        tmp.refresh().unwrap();
        assert_eq!(fs::read_to_string(own.path().join("old")).unwrap(), "mine");
        assert_eq!(fs::read_to_string(own.path().join("new")).unwrap(), "new");
        tmp.clear().unwrap();
        assert_eq!(fs::read_to_string(own.path().join("old")).unwrap(), "old");
        assert_eq!(names(own.path()), ["a", "new", "old"]);
        assert_eq!(names(&own.path().join("a")), ["beside", "guard"]);
        assert!(own.path().join("a/guard/kept").exists());
        fs::remove_file(real.path().join("new")).unwrap();
        tmp.refresh().unwrap();
        assert_eq!(names(own.path()), ["a", "old"]);
    }
}
