//! A process that hunts is killed at random moments, again and again, and then allowed to finish. At every opening
//! all that it had said is there; at the end the rows are those of a hunt that was never disturbed.
#![allow(clippy::disallowed_methods, reason = "the test kills copies of itself")]

mod support;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use howler_case::Id;
use howler_choices::Choices;
use howler_store::{Arm, ArmCounts, Error, Ledger, Memory, Outcome, Shard, Status, Store, Writer};
use howler_testkit::{Scratch, soak};
use support::{arm, assert_same, check_folders, hunt, outcome_of, text};

/// Tells a copy of this program to hunt in a folder.
const FOLDER: &str = "HOWLER_STORE_CRASH_FOLDER";

/// Tells it how far.
const END: &str = "HOWLER_STORE_CRASH_END";

fn arms() -> [Arm; 2] {
    [arm("one"), arm("two")]
}

#[test]
fn nothing_is_lost_or_done_twice_when_killed() {
    let kills = if soak() { 100 } else { 20 };
    let scratch = Scratch::new();
    let folder = scratch.path("campaign");
    let mut choices = Choices::new(kills);
    let mut said: BTreeMap<Id, (Status, Id, u64)> = BTreeMap::new();
    for _ in 0..kills {
        let mut child = start(&folder, u64::MAX);
        std::thread::sleep(Duration::from_millis(choices.range("wait", 0..=200)));
        child.kill().unwrap();
        assert!(!listen(child, &mut said), "an endless hunt ended");
        if Store::exists(&folder) {
            check(&folder, &said);
        }
    }
    // Up to the last test that was done, or of which at least the finding was kept, none may be missing.
    let store = check(&folder, &said);
    let last = |counts: &ArmCounts| store.tests(counts.arm.id(), 0, usize::MAX).unwrap().pop();
    let arms_done = store.arms().unwrap();
    let done = arms_done.iter().filter_map(last).map(|record| record.test.index);
    let found = store.findings().unwrap().into_iter().map(|finding| finding.index);
    let end = done.chain(found).max().map_or(0, |last| last + 1);
    drop(store);
    let child = start(&folder, end);
    assert!(listen(child, &mut said), "the last hunt did not finish");
    let store = check(&folder, &said);
    let mut undisturbed = Memory::new();
    hunt(&mut undisturbed, &arms(), Shard::WHOLE, end, &mut Choices::new(0));
    assert_same(&text(&store), &text(&undisturbed));
    println!("killed {kills} times, {} signatures said, {end} tests of each arm", said.len());
    assert!(said.len() > 10 && end > 50, "no work was done between the kills");
}

/// Starts a copy of this program that hunts.
fn start(folder: &Path, end: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "hunts_when_told_to", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env(END, end.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

/// Reads what a hunt said until it ended; whether it finished.
fn listen(mut child: Child, said: &mut BTreeMap<Id, (Status, Id, u64)>) -> bool {
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    // A line that was cut off was not said.
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    for line in whole.lines() {
        let Some(line) = line.split_once("kept ").map(|(_, line)| line) else { continue };
        let words: Vec<&str> = line.split(' ').collect();
        let rank = (words[1].parse().unwrap(), words[2].parse().unwrap(), words[3].parse().unwrap());
        let best = said.entry(words[0].parse().unwrap()).or_insert(rank);
        *best = rank.min(*best);
    }
    child.wait().unwrap().success()
}

/// Opens the folder as a user would after a crash.
fn check(folder: &Path, said: &BTreeMap<Id, (Status, Id, u64)>) -> Store {
    let rows = match Store::open_read_only(folder) {
        Ok(reader) => text(&reader),
        // Killed before there were tables.
        Err(Error::NotACampaign { .. }) => String::new(),
        Err(error) => panic!("{error}"),
    };
    let store = Store::open(folder).unwrap();
    store.check().unwrap();
    assert_same(&text(&store), &rows);
    assert_eq!((&store.repairs().failed, &store.repairs().unknown), (&Vec::new(), &Vec::new()));
    for (signature, rank) in said {
        let kept = store.finding_for(*signature).unwrap().expect("a finding that was said is there");
        // A better one may have come between the last words and the kill.
        assert!((kept.status, kept.arm, kept.index) <= *rank);
    }
    check_folders(&store);
    store
}

/// Not a test by itself: the hunt of the copies.
#[test]
#[ignore = "a part of the other tests, which start it"]
fn hunts_when_told_to() {
    let told = |name| std::env::var_os(name).expect("the test that starts it says so");
    let folder = PathBuf::from(told(FOLDER));
    let end: u64 = told(END).to_str().unwrap().parse().unwrap();
    let mut store = if Store::exists(&folder) {
        Store::open(&folder).unwrap()
    } else {
        Store::create(&folder, b"seed = 7\n").unwrap()
    };
    store.set_meta("seed", "7").unwrap();
    arms().iter().for_each(|arm| store.register(arm).unwrap());
    let writer = Writer::start(store).unwrap();
    std::thread::scope(|scope| {
        for worker in 0..3 {
            let handle = writer.handle();
            scope.spawn(move || {
                let mut choices = Choices::new(worker);
                let mut open = arms().to_vec();
                while !open.is_empty() {
                    let at = choices.range("arm", 0..=open.len() - 1);
                    let (id, at_most) = (open[at].id(), choices.range("at most", 1..=20));
                    let lease =
                        handle.call(move |store| store.lease(id, Shard::WHOLE, at_most, end)).unwrap();
                    let Some(range) = lease else {
                        open.remove(at);
                        continue;
                    };
                    for index in range {
                        let (record, findings) = outcome_of(&open[at], index);
                        for new in findings {
                            let row = new.finding().clone();
                            let outcome = handle.call(move |store| store.put_finding(&new)).unwrap();
                            if !matches!(outcome, Outcome::Worse(_)) {
                                println!("kept {} {} {} {}", row.signature, row.status, row.arm, row.index);
                            }
                        }
                        handle.record(vec![record]).unwrap();
                    }
                }
            });
        }
    });
    writer.finish().unwrap();
}
