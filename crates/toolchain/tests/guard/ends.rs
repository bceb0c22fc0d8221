//! What is left of a guard, its jobs and its folder, whoever ends first: nothing.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use howler_toolchain::guard::{Guard, GuardError, GuardOptions, Level};

use super::{VICTIM, alive, guard, shell, soon, unique};

pub(super) fn nothing_is_left_when_the_guard_goes(level: Level) {
    let guard = guard(level);
    let (scratch, id) = (guard.scratch().to_owned(), guard.id());
    assert!(scratch.is_dir());
    drop(guard);
    assert!(!scratch.parent().unwrap().exists() && !lock_of(&scratch).exists());
    assert!(!Path::new(&format!("/proc/{id}")).exists());
}

fn lock_of(scratch: &Path) -> PathBuf {
    let mut name = scratch.parent().unwrap().as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

/// A process with a guard whose job runs for ever. It says where the scratch folder is.
pub(super) fn victim(place: &Path) -> ! {
    let level = if place.ends_with("best") { Level::Best } else { Level::Subreaper };
    let mut guard =
        Guard::start(&GuardOptions { level, place: Some(place.to_owned()), ..GuardOptions::default() })
            .expect("a guard");
    println!("{}", guard.id());
    let time = std::env::var("TIME").expect("a time");
    let script = format!("mkdir d; touch d/f; (setsid sleep {time} &); touch ready; exec sleep {time}");
    let mut job = shell(&script);
    job.limits.wall = Duration::from_secs(600);
    let done = guard.run(&job);
    // Only if the server was killed.
    assert!(matches!(done, Err(GuardError::Ended)), "{done:?}");
    drop(guard);
    std::process::exit(5);
}

/// A victim that has come to its job, with the folder its guard's scratch is in, the guard's number and the job's mark.
struct Prey {
    child: std::process::Child,
    place: tempfile::TempDir,
    keeper: u32,
    time: String,
}

fn prey(level: Level) -> Prey {
    let place = tempfile::tempdir().unwrap();
    let name = if level == Level::Best { "best" } else { "subreaper" };
    let inner = place.path().join(name);
    fs::create_dir(&inner).unwrap();
    let time = unique();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .env(VICTIM, &inner)
        .env("TIME", &time)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let keeper = line.trim().parse().unwrap();
    soon("the job runs", || {
        fs::read_dir(&inner).unwrap().flatten().any(|entry| entry.path().join("work/ready").exists())
            && alive(&time).len() >= 2
    });
    Prey { child, place, keeper, time }
}

impl Prey {
    fn left(&self) -> usize {
        let folders = fs::read_dir(self.place.path()).unwrap().flatten();
        folders.map(|folder| fs::read_dir(folder.path()).unwrap().count()).sum()
    }
}

pub(super) fn nothing_is_left_when_the_client_is_killed(level: Level) {
    let mut prey = prey(level);
    assert!(prey.left() > 0);
    prey.child.kill().unwrap();
    prey.child.wait().unwrap();
    soon("no process is left", || {
        alive(&prey.time).is_empty() && !Path::new(&format!("/proc/{}", prey.keeper)).exists()
    });
    soon("no folder is left", || prey.left() == 0);
}

pub(super) fn nothing_is_left_when_the_server_is_killed(level: Level) {
    let mut prey = prey(level);
    let server = fs::read_to_string(format!("/proc/{0}/task/{0}/children", prey.keeper)).unwrap();
    assert!(Command::new("/bin/kill").args(["-9", server.trim()]).status().unwrap().success());
    assert_eq!(prey.child.wait().unwrap().code(), Some(5));
    assert_eq!(alive(&prey.time), BTreeSet::new());
    assert_eq!(prey.left(), 0);
}

/// Who has a guard does not know at once that it is dead.
pub(super) fn what_is_written_too_late_goes_too(level: Level) {
    let mut guard = guard(level);
    for replaced in [true, false] {
        let folder = guard.scratch().parent().unwrap().to_owned();
        let server = fs::read_to_string(format!("/proc/{0}/task/{0}/children", guard.id())).unwrap();
        assert!(Command::new("/bin/kill").args(["-9", server.trim()]).status().unwrap().success());
        soon("the folder goes", || !folder.exists());
        guard.write("text/test.c", b"int x;\n").unwrap();
        assert!(folder.exists());
        if replaced {
            guard.replace().unwrap();
            assert!(guard.scratch().exists() && !folder.exists() && !lock_of(&folder.join("work")).exists());
        } else {
            drop(guard);
            assert!(!folder.exists() && !lock_of(&folder.join("work")).exists());
            return;
        }
    }
}

pub(super) fn a_dead_keepers_folder_is_swept(level: Level) {
    let mut prey = prey(level);
    let keeper = prey.keeper.to_string();
    assert!(Command::new("/bin/kill").args(["-9", &keeper]).status().unwrap().success());
    assert_eq!(prey.child.wait().unwrap().code(), Some(5));
    if level == Level::Best {
        soon("no process is left", || alive(&prey.time).is_empty());
    } else {
        // Without a namespace nobody is left to do it: the level's known weakness.
        for number in alive(&prey.time) {
            let _ = Command::new("/bin/kill").args(["-9", &number]).status().unwrap();
        }
    }
    assert_eq!(prey.left(), 2);
    let inner = fs::read_dir(prey.place.path()).unwrap().next().unwrap().unwrap().path();
    // The lock goes with the last process that has it, which may just be ending.
    soon("the folder is swept", || {
        drop(Guard::start(&GuardOptions { level, place: Some(inner.clone()), ..GuardOptions::default() }));
        prey.left() == 0
    });
}
