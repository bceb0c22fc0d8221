//! What every ledger must do, run on each of them, and on both at once with random calls.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use howler_case::{Id, Status};
use howler_choices::Choices;
use howler_store::{
    Arm, BLOCK, Blob, Error, Event, File, Finding, Ledger, Memory, NewFinding, Outcome, Record, Recorded,
    Shard, Sighting, Store, Test, merge,
};
use howler_testkit::Scratch;
use support::{arm, assert_same, finding, hunt, record, sighting, text};

fn on_each(mut check: impl FnMut(&mut dyn Ledger)) {
    check(&mut Memory::new());
    let scratch = Scratch::new();
    let mut store = Store::create(&scratch.path("campaign"), b"# a campaign\n").unwrap();
    check(&mut store);
    store.check().unwrap();
}

#[test]
fn arms_are_registered_once() {
    on_each(|ledger| {
        let (a, b) = (arm("a"), arm("b"));
        assert_eq!(ledger.lease(a.id(), Shard::WHOLE, 1, 10), Err(Error::UnknownArm(a.id())));
        assert_eq!(ledger.record(&[record(&a, 0, &[])]), Err(Error::UnknownArm(a.id())));
        assert_eq!(ledger.tests(a.id(), 0, 1), Err(Error::UnknownArm(a.id())));
        for arm in [&a, &b, &a] {
            ledger.register(arm).unwrap();
        }
        let mut lines: Vec<String> = ledger.arms().unwrap().iter().map(|c| c.arm.line().to_owned()).collect();
        lines.sort();
        assert_eq!(lines, ["a", "b"]);
    });
    assert!(Arm::new("two\nlines").is_err());
    assert!(Arm::new("").is_err());
}

#[test]
fn leases_do_not_overlap_and_stay_in_blocks() {
    on_each(|ledger| {
        let a = arm("a");
        ledger.register(&a).unwrap();
        let mut lease = |at_most, end| ledger.lease(a.id(), Shard::WHOLE, at_most, end).unwrap();
        assert_eq!(lease(40, 200), Some(0..40));
        assert_eq!(lease(40, 200), Some(40..64));
        assert_eq!(lease(1000, 200), Some(64..128));
        assert_eq!(lease(1000, 130), Some(128..130));
        assert_eq!(lease(1000, 130), None);
        assert_eq!(lease(1000, 131), Some(130..131));
        ledger.record(&[record(&a, 41, &[])]).unwrap();
        ledger.release(a.id(), 40..64).unwrap();
        let mut lease = || ledger.lease(a.id(), Shard::WHOLE, 30, 131).unwrap();
        assert_eq!((lease(), lease(), lease()), (Some(40..41), Some(42..64), None));
    });
}

#[test]
fn shards_share_the_blocks() {
    on_each(|ledger| {
        let a = arm("a");
        ledger.register(&a).unwrap();
        let mut seen = BTreeSet::new();
        for shard in [2, 0, 1] {
            let shard = Shard::new(shard, 3).unwrap();
            while let Some(range) = ledger.lease(a.id(), shard, 50, 1000).unwrap() {
                for index in range {
                    assert!(shard.has(index) && seen.insert(index));
                }
            }
        }
        assert_eq!(seen, (0..1000).collect());
    });
}

#[test]
fn recorded_work_is_not_leased() {
    on_each(|ledger| {
        let a = arm("a");
        ledger.register(&a).unwrap();
        ledger.record(&[record(&a, 0, &[]), record(&a, 2, &[])]).unwrap();
        let mut lease = || ledger.lease(a.id(), Shard::WHOLE, 100, 10).unwrap();
        assert_eq!((lease(), lease(), lease()), (Some(1..2), Some(3..10), None));
    });
}

#[test]
fn a_test_is_recorded_once() {
    on_each(|ledger| {
        let a = arm("a");
        ledger.register(&a).unwrap();
        let first = record(&a, 5, &[sighting("s")]);
        assert_eq!(ledger.record(&[first.clone(), record(&a, 6, &[])]).unwrap(), [Recorded::New; 2]);
        assert_eq!(ledger.record(std::slice::from_ref(&first)).unwrap(), [Recorded::Same]);
        let larger = Record {
            test: Test { verdict: "undefined:x".to_owned(), ..first.test.clone() },
            ..first.clone()
        };
        assert_eq!(ledger.record(std::slice::from_ref(&larger)).unwrap(), [Recorded::Clashed]);
        assert_eq!(ledger.tests(a.id(), 0, 1).unwrap(), std::slice::from_ref(&first));
        let smaller =
            Record { test: Test { verdict: "a".to_owned(), ..first.test.clone() }, ..record(&a, 5, &[]) };
        assert_eq!(ledger.record(std::slice::from_ref(&smaller)).unwrap(), [Recorded::Clashed]);
        assert_eq!(ledger.tests(a.id(), 0, 1).unwrap(), [smaller]);
        assert_eq!(ledger.signatures().unwrap(), []);
        assert_eq!(ledger.record(&[]).unwrap(), []);
    });
}

#[test]
fn what_was_put_off_yields_to_what_was_done() {
    on_each(|ledger| {
        let a = arm("a");
        ledger.register(&a).unwrap();
        let done = record(&a, 5, &[sighting("s")]);
        let verdict = howler_store::DEFERRED.to_owned();
        let put_off =
            Record { test: Test { verdict, builds: 0, runs: 0, ..done.test.clone() }, ..record(&a, 5, &[]) };
        assert_eq!(ledger.record(std::slice::from_ref(&put_off)).unwrap(), [Recorded::New]);
        assert_eq!(ledger.record(std::slice::from_ref(&done)).unwrap(), [Recorded::New]);
        assert_eq!(ledger.record(std::slice::from_ref(&put_off)).unwrap(), [Recorded::Same]);
        assert_eq!(ledger.tests(a.id(), 0, 1).unwrap(), [done]);
        assert_eq!(ledger.lease(a.id(), Shard::WHOLE, 10, 6).unwrap(), Some(0..5));
    });
}

#[test]
fn a_batch_is_recorded_whole_or_not() {
    on_each(|ledger| {
        let a = arm("a");
        ledger.register(&a).unwrap();
        let bad =
            Record { test: Test { verdict: String::new(), ..record(&a, 1, &[]).test }, ..record(&a, 1, &[]) };
        let unsorted = Sighting { configurations: vec!["b".to_owned(), "a".to_owned()], ..sighting("s") };
        for bad in
            [bad, record(&arm("unknown"), 1, &[]), record(&a, 1 << 63, &[]), record(&a, 1, &[unsorted])]
        {
            assert!(ledger.record(&[record(&a, 0, &[]), bad]).is_err());
            assert_eq!(ledger.tests(a.id(), 0, 10).unwrap(), []);
        }
        assert_eq!(ledger.lease(a.id(), Shard::WHOLE, 10, 10).unwrap(), Some(0..10));
    });
}

#[test]
fn counts_and_cursors() {
    on_each(|ledger| {
        let (a, b) = (arm("a"), arm("b"));
        ledger.register(&a).unwrap();
        ledger.register(&b).unwrap();
        let odd = Record {
            test: Test {
                verdict: "unsupported:vla".to_owned(),
                builds: 0,
                runs: 0,
                ..record(&a, 4, &[]).test
            },
            ..record(&a, 4, &[])
        };
        let batch = [record(&a, 0, &[sighting("s"), sighting("t")]), record(&a, 1, &[]), odd];
        ledger.record(&batch).unwrap();
        let arms = ledger.arms().unwrap();
        let counts = |arm: &Arm| arms.iter().find(|counts| counts.arm == *arm).unwrap();
        assert_eq!(counts(&b).tests + counts(&b).cursor, 0);
        let counts = counts(&a);
        assert_eq!(
            (counts.tests, counts.cursor, counts.builds, counts.runs, counts.sightings),
            (3, 2, 20, 18, 2)
        );
        let verdicts = BTreeMap::from([("defined".to_owned(), 2), ("unsupported:vla".to_owned(), 1)]);
        assert_eq!(counts.verdicts, verdicts);
        assert_eq!(ledger.tests(a.id(), 0, 99).unwrap(), batch);
        assert_eq!(ledger.tests(a.id(), 1, 1).unwrap(), batch[1..2]);
        assert_eq!(ledger.tests(a.id(), u64::MAX, 1).unwrap(), []);
    });
}

#[test]
fn sightings_by_signature() {
    on_each(|ledger| {
        let mut arms = [arm("a"), arm("b")];
        arms.sort();
        let [low, high] = arms;
        ledger.register(&high).unwrap();
        ledger.register(&low).unwrap();
        ledger
            .record(&[record(&high, 1, &[sighting("s")]), record(&low, 7, &[sighting("s"), sighting("t")])])
            .unwrap();
        ledger.record(&[record(&low, 3, &[sighting("s")])]).unwrap();
        let put = finding(&low, 3, "s", Status::Confirmed, "x");
        ledger.put_finding(&put).unwrap();
        let signatures = ledger.signatures().unwrap();
        let of = |name: &str| signatures.iter().find(|c| c.signature == Id::of(name.as_bytes())).unwrap();
        assert_eq!((of("s").sightings, of("s").smallest), (3, (low.id(), 3)));
        assert_eq!(of("s").finding, Some(put.finding().id()));
        assert_eq!((of("t").sightings, of("t").smallest, of("t").finding), (1, (low.id(), 7), None));
        let places: Vec<_> = ledger
            .sightings(Id::of(b"s"), 9)
            .unwrap()
            .into_iter()
            .map(|(arm, index, _)| (arm, index))
            .collect();
        assert_eq!(places, [(low.id(), 3), (low.id(), 7), (high.id(), 1)]);
        assert_eq!(ledger.sightings(Id::of(b"s"), 1).unwrap()[0].2, sighting("s"));
        assert_eq!(ledger.sightings(Id::of(b"u"), 1).unwrap(), []);
    });
}

#[test]
fn the_best_finding_of_a_signature_is_kept() {
    on_each(|ledger| {
        let a = arm("a");
        let put = |ledger: &mut dyn Ledger, index, status, text: &str| {
            let new = finding(&a, index, "s", status, text);
            let outcome = ledger.put_finding(&new).unwrap();
            (new.finding().clone(), outcome)
        };
        let (flaky, outcome) = put(ledger, 5, Status::Flaky, "flaky");
        assert_eq!(outcome, Outcome::New);
        assert!(flaky.may_yield_to(a.id(), 1000));
        let (confirmed, outcome) = put(ledger, 9, Status::Confirmed, "nine");
        assert_eq!(outcome, Outcome::Replaced(flaky.id()));
        assert!(confirmed.may_yield_to(a.id(), 8) && !confirmed.may_yield_to(a.id(), 10));
        assert_eq!(put(ledger, 9, Status::Confirmed, "nine").1, Outcome::Known);
        assert_eq!(put(ledger, 10, Status::Confirmed, "ten").1, Outcome::Worse(confirmed.id()));
        assert_eq!(put(ledger, 1, Status::Suspect, "one").1, Outcome::Worse(confirmed.id()));
        let (best, outcome) = put(ledger, 2, Status::Confirmed, "two");
        assert_eq!(outcome, Outcome::Replaced(confirmed.id()));
        assert_eq!(ledger.findings().unwrap(), std::slice::from_ref(&best));
        assert_eq!(ledger.finding_for(Id::of(b"s")).unwrap(), Some(best.clone()));
        assert_eq!(ledger.finding_for(Id::of(b"t")).unwrap(), None);
        // Only the kept one's bytes are there.
        assert_eq!(ledger.blobs().unwrap().len(), 2);
        let bytes = ledger.blob(best.files[0].blob).unwrap().unwrap().bytes().unwrap();
        assert_eq!(bytes, b"two");
        assert_eq!(ledger.blob(Id::of(b"nine")).unwrap(), None);
    });
}

#[test]
fn findings_are_checked() {
    on_each(|ledger| {
        let a = arm("a");
        let whole = finding(&a, 5, "s", Status::Confirmed, "x").finding().clone();
        let without_bytes = NewFinding::with_blobs(whole.clone(), Vec::new()).unwrap();
        assert!(ledger.put_finding(&without_bytes).is_err());
        assert_eq!(ledger.findings().unwrap(), []);
        let odd = Finding { title: "a\nb\0".to_owned() + &"c".repeat(900), ..whole.clone() };
        let odd = NewFinding::with_blobs(odd, Vec::new()).unwrap();
        assert!(odd.finding().title.starts_with("a b c") && odd.finding().title.len() == 500);
        let untitled = Finding { title: String::new(), ..whole.clone() };
        assert_eq!(NewFinding::with_blobs(untitled, Vec::new()).unwrap().finding().title, "crash");
        for name in ["", ".", "..", ".hidden", "a/b", "../x", "a\nb", "a\0b", &"x".repeat(300), "test.c"] {
            let file = File { name: name.to_owned(), executable: false, bytes: Vec::new() };
            assert!(NewFinding::new(whole.clone(), &[file]).is_err(), "{name:?}");
        }
    });
}

#[test]
fn blobs_come_with_the_sightings_that_name_them() {
    on_each(|ledger| {
        let a = arm("a");
        ledger.register(&a).unwrap();
        let blobs = [Blob::new(b"named").unwrap(), Blob::new(b"not named").unwrap()];
        let named = Sighting { blobs: vec![blobs[0].id()], ..sighting("s") };
        let absent = Sighting { blobs: vec![Id::of(b"nowhere")], ..sighting("s") };
        let whole = Record { blobs: blobs.to_vec(), ..record(&a, 0, &[named.clone(), named, absent]) };
        ledger.record(&[whole.clone(), Record { test: record(&a, 1, &[]).test, ..whole.clone() }]).unwrap();
        assert_eq!(ledger.blobs().unwrap(), [(blobs[0].id(), 5)]);
        assert_eq!(ledger.blob(blobs[0].id()).unwrap().unwrap().bytes().unwrap(), b"named");
        assert_eq!(ledger.tests(a.id(), 0, 1).unwrap()[0].sightings, whole.sightings);
    });
}

#[test]
fn events_and_metadata() {
    on_each(|ledger| {
        let before = text(ledger);
        let event =
            |at| Event { at, kind: "start".to_owned(), subject: String::new(), text: "a\nb".to_owned() };
        (1..=5).for_each(|at| ledger.note(&event(at)).unwrap());
        assert_eq!(ledger.events(2).unwrap(), [event(4), event(5)]);
        assert_eq!(ledger.events(99).unwrap().len(), 5);
        let about = Event { subject: "this".to_owned(), ..event(9) };
        ledger.note(&about).unwrap();
        assert_eq!(ledger.events_about("this", 9).unwrap(), [about]);
        assert_eq!(ledger.events_about("", 1).unwrap(), [event(1)]);
        assert_eq!(text(ledger), before, "events are no part of a dump");
        ledger.set_meta("seed", "1").unwrap();
        ledger.set_meta("seed", "2").unwrap();
        assert_eq!(ledger.meta().unwrap(), BTreeMap::from([("seed".to_owned(), "2".to_owned())]));
        assert!(ledger.set_meta("", "x").is_err());
    });
}

#[test]
fn merged_shards_equal_the_unsharded_run() {
    let arms = [arm("one"), arm("two")];
    let end = 3 * BLOCK + 30;
    let mut texts = BTreeSet::new();
    for seed in 0..2 {
        on_each(|whole| {
            hunt(whole, &arms, Shard::WHOLE, end, &mut Choices::new(seed));
            compare_shards(whole, &arms, end, seed);
        });
        let mut memory = Memory::new();
        hunt(&mut memory, &arms, Shard::WHOLE, end, &mut Choices::new(100 + seed));
        texts.insert(text(&memory));
    }
    assert_eq!(texts.len(), 1, "what is stored depends on the order of the work");
}

/// Hunts in four shards, merges them in a random order, some of them twice, and compares.
fn compare_shards(whole: &dyn Ledger, arms: &[Arm], end: u64, seed: u64) {
    let expected = text(whole);
    let mut choices = Choices::new(seed).sub("shards");
    let mut shards: Vec<Memory> = Vec::new();
    for index in 0..4 {
        let mut shard = Memory::new();
        hunt(&mut shard, arms, Shard::new(index, 4).unwrap(), end, &mut choices);
        shards.push(shard);
    }
    shards.push(Memory::new());
    choices.shuffle("order", &mut shards);
    on_each(|merged| {
        for shard in shards.iter().chain(&shards[..2]) {
            merge(merged, shard).unwrap();
        }
        assert_same(&text(merged), &expected);
        merge(merged, whole).unwrap();
        assert_same(&text(merged), &expected);
        let again = merge(merged, &shards[0]).unwrap();
        assert_eq!(
            (again.new_tests, again.clashed_tests, again.new_findings, again.replaced_findings),
            (0, 0, 0, 0)
        );
    });
}

#[test]
fn different_campaigns_do_not_merge() {
    on_each(|ledger| {
        ledger.set_meta("seed", "1").unwrap();
        let mut other = Memory::new();
        other.set_meta("seed", "2").unwrap();
        other.register(&arm("a")).unwrap();
        let expected = text(ledger);
        assert!(matches!(merge(ledger, &other), Err(Error::DifferentCampaigns { .. })));
        assert_eq!(text(ledger), expected);
    });
}

#[test]
fn clashing_tests_merge_the_same_in_any_order() {
    let a = arm("a");
    let variant = |verdict: &str, blob: &str| {
        let blob = Blob::new(blob.as_bytes()).unwrap();
        let seen = Sighting { blobs: vec![blob.id()], ..sighting("s") };
        let mut record = record(&a, 3, &[seen]);
        record.test.verdict = verdict.to_owned();
        record.blobs.push(blob);
        let mut memory = Memory::new();
        memory.register(&a).unwrap();
        memory.record(&[record]).unwrap();
        memory
    };
    let (one, two) = (variant("x", "program 1"), variant("y", "program 2"));
    let mut texts = BTreeSet::new();
    for pair in [[&one, &two], [&two, &one]] {
        on_each(|merged| {
            assert_eq!(merge(merged, pair[0]).unwrap().new_tests, 1);
            assert_eq!(merge(merged, pair[1]).unwrap().clashed_tests, 1);
            assert_eq!(merged.blobs().unwrap().len(), 1);
            texts.insert(text(merged));
        });
    }
    assert_eq!(texts.len(), 1);
}
