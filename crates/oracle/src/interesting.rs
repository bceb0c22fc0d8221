//! Is it still the bug? The one question of all who make programs smaller, flags fewer or edits less.
//!
//! A program whose meaning the machine does not know is not asked about: no compiler is started for it. [`Pool`] asks about
//! several programs at a time.

use std::ffi::OsString;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use howler_case::Case;
use howler_toolchain::guard::{Finished, Job, Limits};

use crate::judge::Verdict;
use crate::lab::{Configuration, Lab, LabError};
use crate::sighting::{Kind, Sighting};
use crate::signature::{Evidence, Signature};

/// What is looked for.
#[derive(Clone, Debug)]
enum Bug {
    /// A kind of thing, of this signature if there is one.
    Seen {
        kind: Kind,
        suspect: bool,
        signature: Option<Signature>,
        /// Whether what is written and the status are as good as each other.
        anywhere: bool,
    },
    /// Whatever makes a program end with status 0 in this time, run in a folder with the files of the case.
    Script { script: Script, wall: Duration },
}

/// What was asked, once and for all.
///
/// ```no_run
/// use std::sync::atomic::AtomicBool;
/// use howler_oracle::lab::{Lab, Configuration};
/// use howler_oracle::interesting::{Answer, Interesting};
/// # fn f(lab: &mut Lab, case: howler_case::Case, sighting: howler_oracle::sighting::Sighting)
/// # -> Result<(), Box<dyn std::error::Error>> {
/// let stop = AtomicBool::new(false);
/// let question = Interesting::of(&sighting, vec![Configuration::parse("gcc -O2")?], &stop);
/// if let Answer::Yes(Some(seen)) = question.ask(lab, &case)? {
///     println!("still {}", seen.detail);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Interesting<'a> {
    bug: Bug,
    configurations: Vec<Configuration>,
    stop: &'a AtomicBool,
    /// How many more answers may cost the whole limit of a compiler.
    dear: AtomicUsize,
}

/// What a question gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is, and this was seen; a script does not say what.
    Yes(Option<Box<Sighting>>),
    /// It is not.
    No,
    /// Somebody stopped before there was an answer.
    Stopped,
}

impl Answer {
    /// Whether it is the bug for sure.
    pub fn is_yes(&self) -> bool {
        matches!(self, Answer::Yes(_))
    }
}

/// Steps of a program whose meaning does not matter.
const A_LOOK: u64 = 10_000;

/// How often a compiler that does not end, or takes too much memory, is waited for.
const DEAR: usize = 6;

impl<'a> Interesting<'a> {
    /// Whether the same kind of thing shows as in a sighting, under any of these configurations. It stops when told to.
    pub fn of(
        sighting: &Sighting,
        configurations: Vec<Configuration>,
        stop: &'a AtomicBool,
    ) -> Interesting<'a> {
        let bug =
            Bug::Seen { kind: sighting.kind, suspect: sighting.suspect, signature: None, anywhere: false };
        Interesting { bug, configurations, stop, dear: AtomicUsize::new(DEAR) }
    }

    /// The same, of the sighting's own signature: what a compiler says when it crashes tells one crash from another.
    #[must_use]
    pub fn just_this(mut self, signature: &Signature) -> Interesting<'a> {
        if let Bug::Seen { signature: wanted, .. } = &mut self.bug {
            *wanted = Some(signature.clone());
        }
        self
    }

    /// The same, wherever wrong code shows: in what the program writes or in the status that it ends with.
    #[must_use]
    pub fn anywhere(mut self) -> Interesting<'a> {
        if let Bug::Seen { anywhere, .. } = &mut self.bug {
            *anywhere = true;
        }
        self
    }

    /// The same, however long it takes to find out: who makes a program small that a compiler does not end with has to wait
    /// for that compiler again and again.
    #[must_use]
    pub fn patient(self) -> Interesting<'a> {
        Interesting { dear: AtomicUsize::new(usize::MAX), ..self }
    }

    /// Whether a program of the user's ends with status 0, in this time, in a folder that has the files of a case and nothing
    /// else. It is run like any compiler, under guard.
    pub fn script(script: Script, wall: Duration, stop: &'a AtomicBool) -> Interesting<'a> {
        let bug = Bug::Script { script, wall };
        Interesting { bug, configurations: Vec::new(), stop, dear: AtomicUsize::new(usize::MAX) }
    }

    /// Asks about a case.
    ///
    /// # Errors
    /// As [`Lab::examine`].
    pub fn ask(&self, lab: &mut Lab, case: &Case) -> Result<Answer, LabError> {
        self.ask_under(lab, case, &self.configurations)
    }

    /// Asks about a case under other configurations.
    ///
    /// # Errors
    /// As [`Lab::examine`].
    pub fn ask_under(
        &self,
        lab: &mut Lab,
        case: &Case,
        configurations: &[Configuration],
    ) -> Result<Answer, LabError> {
        if self.stop.load(Ordering::SeqCst) {
            return Ok(Answer::Stopped);
        }
        let answer = match &self.bug {
            Bug::Script { script, wall } => match script.run(lab, *wall, case)?.success() {
                true => Answer::Yes(None),
                false => Answer::No,
            },
            Bug::Seen { kind, suspect, signature, anywhere } => {
                let signature = signature.as_ref().map(|signature| (signature, *anywhere));
                let wanted = (*kind, *suspect, signature);
                self.seen(lab, case, configurations, wanted)?
            }
        };
        // A guard that was told to end may have cut the answer short.
        Ok(if self.stop.load(Ordering::SeqCst) { Answer::Stopped } else { answer })
    }

    fn seen(
        &self,
        lab: &mut Lab,
        case: &Case,
        configurations: &[Configuration],
        (kind, suspect, signature): (Kind, bool, Option<(&Signature, bool)>),
    ) -> Result<Answer, LabError> {
        if self.dear.load(Ordering::SeqCst) == 0 {
            return Ok(Answer::No);
        }
        let has_meaning = |verdict: &Verdict| match verdict {
            Verdict::Defined(_) => !suspect,
            Verdict::Unsupported(_) => suspect,
            _ => false,
        };
        let needs_meaning = matches!(kind, Kind::WrongCode | Kind::Reject);
        let wanted = |verdict: &Verdict| !needs_meaning || has_meaning(verdict);
        let steps = lab.options.judge.limits.steps;
        if matches!(kind, Kind::Crash | Kind::Broken | Kind::Hang | Kind::Memory) {
            // What the program would do is nothing to a compiler that does not get so far.
            lab.options.judge.limits.steps = steps.min(A_LOOK);
        }
        let examined = lab.examine_if(case, configurations, &wanted);
        lab.options.judge.limits.steps = steps;
        let Some(examined) = examined? else { return Ok(Answer::No) };
        if examined.sightings.iter().any(|seen| matches!(seen.kind, Kind::Hang | Kind::Memory)) {
            let less = |left: usize| left.checked_sub(1);
            let _ = self.dear.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
        }
        let same = |seen: &Sighting| {
            seen.kind == kind
                && signature.is_none_or(|(signature, anywhere)| {
                    seen.signature == *signature || anywhere && differ_alike(&seen.signature, signature)
                })
        };
        let seen = examined.sightings.into_iter().find(same);
        Ok(seen.map_or(Answer::No, |seen| Answer::Yes(Some(Box::new(seen)))))
    }
}

/// Whether wrong code shows in what a program writes or in its status, under the same configurations.
fn differ_alike(one: &Signature, other: &Signature) -> bool {
    let shown = |signature: &Signature| match signature.evidence() {
        Evidence::WrongCode { differences, configurations } => {
            let plain = differences.iter().all(|way| matches!(way.as_str(), "output" | "status"));
            plain.then(|| configurations.clone())
        }
        _ => None,
    };
    shown(one).is_some_and(|configurations| shown(other) == Some(configurations))
}

/// A program of the user's that says whether files are interesting: what C-Reduce and C-Vise take.
#[derive(Clone, Debug)]
pub struct Script {
    program: PathBuf,
    /// It and what lies beside it, where jobs cannot see them: no job sees the temporary folder.
    copies: Vec<(OsString, Vec<u8>)>,
}

/// What is beside a script and larger is none of its files.
const BESIDE: u64 = 4 << 20;
/// As many files are copied.
const FILES_BESIDE: usize = 64;

impl Script {
    /// A script in a file.
    ///
    /// # Errors
    /// In words, what keeps it from being run.
    pub fn new(path: &Path) -> Result<Script, String> {
        let cannot = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
        let program = path.canonicalize().map_err(cannot)?;
        let status = std::fs::metadata(&program).map_err(cannot)?;
        if !status.is_file() {
            return Err(format!("{} is no file", path.display()));
        }
        if status.permissions().mode() & 0o111 == 0 {
            return Err(format!("{0} is not executable: chmod +x {0}", path.display()));
        }
        let mut script = Script { program, copies: Vec::new() };
        let hidden = ["/tmp", "/var/tmp", "/dev/shm"].iter().any(|folder| script.program.starts_with(folder))
            || script.program.starts_with(std::env::temp_dir());
        if hidden {
            script.copy().map_err(cannot)?;
        }
        Ok(script)
    }

    fn copy(&mut self) -> std::io::Result<()> {
        let own = self.program.file_name().unwrap_or_default().to_owned();
        self.copies.push((own.clone(), std::fs::read(&self.program)?));
        let Some(folder) = self.program.parent() else { return Ok(()) };
        for entry in std::fs::read_dir(folder)?.flatten() {
            let small = entry.metadata().is_ok_and(|status| status.is_file() && status.len() <= BESIDE);
            if small && entry.file_name() != own && self.copies.len() < FILES_BESIDE {
                let bytes = std::fs::read(entry.path());
                self.copies.extend(bytes.into_iter().map(|bytes| (entry.file_name(), bytes)));
            }
        }
        Ok(())
    }

    /// Runs it in a folder that has the files of a case and nothing else. It finds tools where its user does, and can
    /// write nowhere else.
    ///
    /// # Errors
    /// As [`Lab::examine`].
    pub fn run(&self, lab: &mut Lab, wall: Duration, case: &Case) -> Result<Finished, LabError> {
        lab.guard.clear()?;
        let scratch = lab.guard.scratch().to_owned();
        let mut program = self.program.clone();
        if let Some((name, _)) = self.copies.first() {
            std::fs::create_dir(scratch.join("script"))?;
            for (name, bytes) in &self.copies {
                let path = Path::new("script").join(name);
                lab.guard.write(&path, bytes)?;
                std::fs::set_permissions(scratch.join(path), Permissions::from_mode(0o755))?;
            }
            program = scratch.join("script").join(name);
        }
        std::fs::create_dir(scratch.join("test"))?;
        for file in &case.files {
            let name = Path::new(&file.name).file_name().unwrap_or("test.c".as_ref());
            lab.guard.write(Path::new("test").join(name), &file.text)?;
        }
        let mut job = Job::new(program);
        job.dir = "test".into();
        job.env.extend(std::env::var_os("PATH").map(|path| ("PATH".into(), path)));
        job.limits = Limits { wall, cpu: 4 * wall, ..Limits::default() };
        Ok(lab.guard.run(&job)?)
    }
}

/// Labs that answer together.
pub struct Pool {
    labs: Vec<Lab>,
}

impl Pool {
    /// A pool of these; there must be one at least.
    pub fn new(labs: Vec<Lab>) -> Pool {
        Pool { labs }
    }

    /// The first of the cases that is the bug, with what was seen of it: whatever the number of labs, the same one. Cases
    /// after it may have been asked about in vain.
    ///
    /// # Errors
    /// The first that an answer before it had.
    pub fn first(
        &mut self,
        question: &Interesting<'_>,
        cases: &[Case],
    ) -> Result<Option<(usize, Option<Sighting>)>, LabError> {
        let next = AtomicUsize::new(0);
        // No case after the best one is begun.
        let best = AtomicUsize::new(usize::MAX);
        let ask = |lab: &mut Lab| {
            let mut answers = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::SeqCst);
                let Some(case) = cases.get(at).filter(|_| at < best.load(Ordering::SeqCst)) else {
                    return answers;
                };
                let answer = question.ask(lab, case);
                let is_last = !matches!(answer, Ok(Answer::No));
                if is_last {
                    best.fetch_min(at, Ordering::SeqCst);
                }
                answers.push((at, answer));
                if is_last {
                    return answers;
                }
            }
        };
        let mut answers: Vec<(usize, Result<Answer, LabError>)> = std::thread::scope(|scope| {
            let ask = &ask;
            let all: Vec<_> = self.labs.iter_mut().map(|lab| scope.spawn(move || ask(lab))).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<_>>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            all.into_iter().flat_map(join).collect()
        });
        answers.sort_by_key(|(at, _)| *at);
        for (at, answer) in answers {
            match answer? {
                Answer::Yes(seen) => return Ok(Some((at, seen.map(|seen| *seen)))),
                Answer::Stopped => return Ok(None),
                Answer::No => {}
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::differ_alike;
    use crate::signature::wrong_code;

    #[test]
    fn output_and_status_are_alike_under_the_same_configurations() {
        let made = |configurations: &[&str], differences: &[&str]| {
            let configurations = configurations.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
            wrong_code("gcc", &configurations, &differences.iter().copied().collect())
        };
        let output = made(&["gcc -O2"], &["output"]);
        assert!(differ_alike(&output, &made(&["gcc -O2"], &["status"])));
        assert!(differ_alike(&made(&["gcc -O2"], &["output", "status"]), &output));
        assert!(!differ_alike(&output, &made(&["gcc -O3"], &["status"])));
        assert!(!differ_alike(&output, &made(&["gcc -O2"], &["timeout"])));
    }
}
