//! A process that hunts is killed at random moments, again and again, and then allowed to finish. At every opening
//! all that it had said is there; at the end the rows are those of a hunt that was never disturbed.
#![allow(clippy::disallowed_methods, reason = "the test kills copies of itself")]

mod support;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use howler_case::{Id, Status};
use howler_choices::Choices;
use howler_store::{
    Arm, ArmCounts, Error, Ledger, Marked, Memory, NewFinding, Outcome, Regrouping, Shard, Store, Writer,
    each_sighting,
};
use howler_testkit::{Scratch, soak};
use support::{arm, assert_same, check_folders, hunt, outcome_of, say, text};

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
    let mut said = Said::default();
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
    let signatures = said.kept.len();
    println!("killed {kills} times, {signatures} signatures said, {end} tests of each arm");
    assert!(signatures > 10 && !said.marked.is_empty() && end > 50, "no work was done between the kills");
}

/// What killed hunts had said to be on disk.
#[derive(Default)]
struct Said {
    kept: BTreeMap<Id, (Status, Id, u64)>,
    marked: BTreeMap<Id, String>,
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
fn listen(mut child: Child, said: &mut Said) -> bool {
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    // A line that was cut off was not said.
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    for line in whole.lines() {
        if let Some((_, line)) = line.split_once("marked ") {
            let (signature, mark) = line.split_once(' ').unwrap();
            said.marked.insert(signature.parse().unwrap(), mark.to_owned());
        }
        let Some(line) = line.split_once("kept ").map(|(_, line)| line) else { continue };
        let words: Vec<&str> = line.split(' ').collect();
        let rank = (words[1].parse().unwrap(), words[2].parse().unwrap(), words[3].parse().unwrap());
        let best = said.kept.entry(words[0].parse().unwrap()).or_insert(rank);
        *best = rank.min(*best);
    }
    child.wait().unwrap().success()
}

/// Opens the folder as a user would after a crash.
fn check(folder: &Path, said: &Said) -> Store {
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
    let marks = store.marks().unwrap();
    for (signature, mark) in &said.marked {
        assert_eq!(marks.get(signature).map(|marked| marked.mark.name()), Some(mark.as_str()));
    }
    for (signature, rank) in &said.kept {
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
                        let words = record.clone();
                        let marks = handle.call(move |store| Ok(say(store, &words))).unwrap();
                        for (signature, Marked { mark, .. }) in marks {
                            println!("marked {signature} {mark}");
                        }
                        handle.record(vec![record]).unwrap();
                    }
                }
            });
        }
    });
    writer.finish().unwrap();
}

/// Tells a copy of this program to regroup in a folder, for ever.
const REGROUP: &str = "HOWLER_STORE_CRASH_REGROUP";

/// Two rules for signatures: under the second one there are fewer.
fn rule(coarse: bool, details: &str) -> Id {
    Id::of(if coarse { &details[..details.len().min(8)] } else { details }.as_bytes())
}

/// Everything under one rule, findings and marks too.
fn plan(store: &Store, coarse: bool) -> Regrouping {
    let mut plan = Regrouping::default();
    each_sighting(store, &mut |seen, sighting| {
        let signature = rule(coarse, &sighting.evidence);
        plan.signatures.insert(sighting.signature, signature);
        plan.sightings.push((seen, signature));
    })
    .unwrap();
    for old in store.findings().unwrap() {
        plan.findings.insert(old.signature);
        let signature = plan.signatures[&old.signature];
        let new = howler_store::Finding { signature, ..old };
        plan.puts.push(NewFinding::with_blobs(new, Vec::new()).unwrap());
    }
    plan
}

#[test]
fn regrouping_is_all_or_nothing_when_killed() {
    let kills = if soak() { 100 } else { 15 };
    let scratch = Scratch::new();
    let folder = scratch.path("campaign");
    let mut store = Store::create(&folder, b"").unwrap();
    let a = arm("one");
    store.register(&a).unwrap();
    for index in 0..200 {
        let (mut record, findings) = outcome_of(&a, index);
        for (seen, new) in record.sightings.iter_mut().zip(&findings) {
            seen.evidence = format!("{:08} {}", index % 7, index % 21);
            seen.signature = rule(false, &seen.evidence);
            let row = howler_store::Finding { signature: seen.signature, ..new.finding().clone() };
            store.put_finding(&NewFinding::with_blobs(row, new.blobs().to_vec()).unwrap()).unwrap();
        }
        say(&mut store, &record);
        store.record(&[record]).unwrap();
    }
    // What is not kept under both rules is gone after the first rounds.
    for coarse in [true, false, true] {
        let plan = plan(&store, coarse);
        store.regroup(&plan).unwrap();
    }
    let mut texts = Vec::new();
    for coarse in [false, true] {
        let plan = plan(&store, coarse);
        store.regroup(&plan).unwrap();
        check_folders(&store);
        texts.push(text(&store));
    }
    drop(store);
    let mut choices = Choices::new(kills);
    let mut seen = [0, 0];
    for _ in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "regroups_when_told_to", "--ignored", "--nocapture"])
            .env(REGROUP, &folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(choices.range("wait", 20..=400)));
        child.kill().unwrap();
        child.wait().unwrap();
        let store = Store::open(&folder).unwrap();
        store.check().unwrap();
        let now = text(&store);
        let which = texts.iter().position(|known| *known == now).expect("half of a regrouping");
        seen[which] += 1;
        check_folders(&store);
    }
    println!("{kills} kills, the rules in force after them: {seen:?}");
}

/// Not a test by itself: regroups until it is killed.
#[test]
#[ignore = "a part of the other tests, which start it"]
fn regroups_when_told_to() {
    let Some(folder) = std::env::var_os(REGROUP) else { return };
    let mut store = Store::open(&PathBuf::from(folder)).unwrap();
    loop {
        for coarse in [true, false] {
            let plan = plan(&store, coarse);
            store.regroup(&plan).unwrap();
        }
    }
}
