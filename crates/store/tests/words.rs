//! What is kept beside tests and findings, on every ledger: programs of sightings, marks, groups, new signatures.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use howler_case::{Id, Status};
use howler_choices::Choices;
use howler_store::{
    Blob, Finding, Group, Ledger, Mark, Marked, Memory, NewFinding, PROGRAMS, Record, Regrouping, Seen,
    Sighting, Store, each_sighting, merge,
};
use howler_testkit::Scratch;
use support::{arm, assert_same, check_folders, finding, record, sighting, text};

/// Runs a check on each ledger, and gives what each holds afterwards.
fn on_each(mut check: impl FnMut(&mut dyn Ledger)) {
    let mut memory = Memory::new();
    check(&mut memory);
    let scratch = Scratch::new();
    let mut store = Store::create(&scratch.path("campaign"), b"").unwrap();
    check(&mut store);
    store.check().unwrap();
    check_folders(&store);
    assert_same(&text(&store), &text(&memory));
    let folder = store.folder().to_owned();
    drop(store);
    assert_same(&text(&Store::open(&folder).unwrap()), &text(&memory));
}

fn seen_with_program(signature: &str, program: &str) -> (Sighting, Blob) {
    let blob = Blob::new(program.as_bytes()).unwrap();
    (Sighting { blobs: vec![blob.id()], ..sighting(signature) }, blob)
}

#[test]
fn the_first_programs_of_a_signature_are_kept_in_any_order() {
    let arms = {
        let mut arms = [arm("a"), arm("b"), arm("c")];
        arms.sort_by_key(|arm| arm.id());
        arms
    };
    let mut work: Vec<(usize, u64)> = (0..3).flat_map(|arm| (0..15).map(move |index| (arm, index))).collect();
    // The arm with the smallest id has 15, the next one fills up what is left.
    let expected: BTreeSet<Id> = (0..15)
        .map(|index| (0, index))
        .chain((0..PROGRAMS as u64 - 15).map(|index| (1, index)))
        .map(|(arm, index)| Id::of(format!("program {arm} {index}").as_bytes()))
        .collect();
    let one = |(arm, index): (usize, u64)| {
        let (seen, blob) = seen_with_program("s", &format!("program {arm} {index}"));
        Record { blobs: vec![blob], ..record(&arms[arm], index, &[seen]) }
    };
    let mut texts = BTreeSet::new();
    for seed in 0..4 {
        Choices::new(seed).shuffle("order", &mut work);
        let mut parts = [Memory::new(), Memory::new(), Memory::new()];
        for part in &mut parts {
            arms.iter().for_each(|arm| part.register(arm).unwrap());
        }
        on_each(|ledger| {
            arms.iter().for_each(|arm| ledger.register(arm).unwrap());
            for (number, place) in work.iter().enumerate() {
                ledger.record(&[one(*place)]).unwrap();
                parts[number % 3].record(&[one(*place)]).unwrap();
            }
            let there: BTreeSet<Id> = ledger.blobs().unwrap().into_iter().map(|(id, _)| id).collect();
            assert_eq!(there, expected);
            // All are counted, and all say what their program was.
            let rows = ledger.sightings(Id::of(b"s"), 99).unwrap();
            assert_eq!(rows.len(), 45);
            assert!(rows.iter().all(|(_, _, seen)| seen.blobs.len() == 1));
            texts.insert(text(ledger));
        });
        on_each(|merged| {
            for part in &parts {
                merge(merged, part).unwrap();
            }
            texts.insert(text(merged));
        });
    }
    assert_eq!(texts.len(), 1);
}

#[test]
fn a_program_that_many_share_stays_as_long_as_one_needs_it() {
    let a = arm("a");
    on_each(|ledger| {
        ledger.register(&a).unwrap();
        // The last of many for one signature, the first for another.
        for index in 0..30 {
            let (common, blob) = seen_with_program("common", if index < 25 { "one" } else { "two" });
            let mut all = vec![common];
            if index == 29 {
                all.push(Sighting { blobs: vec![blob.id()], ..sighting("rare") });
            }
            ledger.record(&[Record { blobs: vec![blob], ..record(&a, 29 - index, &all) }]).unwrap();
        }
        // Index 0 to 4 have "two", so both are there.
        assert_eq!(ledger.blobs().unwrap().len(), 2);
        for index in 100..140 {
            let (seen, blob) = seen_with_program("common", "three");
            ledger.record(&[Record { blobs: vec![blob], ..record(&a, index, &[seen]) }]).unwrap();
        }
        assert_eq!(ledger.blob(Id::of(b"three")).unwrap(), None);
        // A finding keeps what it has.
        ledger.put_finding(&finding(&a, 120, "common", Status::Confirmed, "three")).unwrap();
        assert!(ledger.blob(Id::of(b"three")).unwrap().is_some());
        ledger.put_finding(&finding(&a, 110, "common", Status::Confirmed, "four")).unwrap();
        assert_eq!(ledger.blob(Id::of(b"three")).unwrap(), None);
    });
}

fn marked(mark: Mark, note: &str) -> Marked {
    Marked { mark, note: note.to_owned() }
}

#[test]
fn marks_are_set_and_taken_back() {
    on_each(|ledger| {
        let (s, t) = (Id::of(b"s"), Id::of(b"t"));
        ledger.set_mark(s, Some(&marked(Mark::Ignored, "noise"))).unwrap();
        ledger.set_mark(t, Some(&marked(Mark::Known, ""))).unwrap();
        // A person may change his mind, down as well as up.
        ledger.set_mark(s, Some(&marked(Mark::Reported, "PR 1\nagain"))).unwrap();
        ledger.set_mark(t, None).unwrap();
        ledger.set_mark(t, None).unwrap();
        assert_eq!(ledger.marks().unwrap(), BTreeMap::from([(s, marked(Mark::Reported, "PR 1\nagain"))]));
        assert!(ledger.set_mark(t, Some(&marked(Mark::Known, &"x".repeat(1 << 20)))).is_err());
    });
}

#[test]
fn the_greatest_mark_wins_a_merge() {
    let with = |entries: &[(&str, Mark, &str)]| {
        let mut memory = Memory::new();
        for (signature, mark, note) in entries {
            memory.set_mark(Id::of(signature.as_bytes()), Some(&marked(*mark, note))).unwrap();
        }
        memory
    };
    let parts = [
        with(&[("s", Mark::Known, "z"), ("t", Mark::Fixed, "a"), ("u", Mark::Known, "")]),
        with(&[("s", Mark::Ignored, "a"), ("t", Mark::Fixed, "b")]),
        with(&[("s", Mark::Reported, "")]),
    ];
    let mut texts = BTreeSet::new();
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        on_each(|merged| {
            for part in order {
                merge(merged, &parts[part]).unwrap();
            }
            assert_eq!(merge(merged, &parts[order[0]]).unwrap().new_marks, 0);
            let marks = merged.marks().unwrap();
            assert_eq!(marks[&Id::of(b"s")], marked(Mark::Ignored, "a"));
            assert_eq!(marks[&Id::of(b"t")], marked(Mark::Fixed, "b"));
            texts.insert(text(merged));
        });
    }
    assert_eq!(texts.len(), 1);
}

#[test]
fn groups_are_joined() {
    let group = |cause: &str, members: &[&str]| Group {
        cause: cause.to_owned(),
        signatures: members.iter().map(|name| Id::of(name.as_bytes())).collect(),
    };
    let (mut one, mut two) = (Memory::new(), Memory::new());
    one.put_group(&group("r1", &["a", "b"])).unwrap();
    two.put_group(&group("r1", &["c"])).unwrap();
    two.put_group(&group("r2", &["a"])).unwrap();
    let mut texts = BTreeSet::new();
    for parts in [[&one, &two], [&two, &one]] {
        on_each(|merged| {
            for part in parts.iter().chain(&parts) {
                merge(merged, *part).unwrap();
            }
            let groups = merged.groups().unwrap();
            assert!(groups.contains(&group("r1", &["a", "b", "c"])) && groups.contains(&group("r2", &["a"])));
            assert_eq!(groups.len(), 2);
            assert!(merged.put_group(&group("two\nlines", &[])).is_err());
            texts.insert(text(merged));
        });
    }
    assert_eq!(texts.len(), 1);
}

#[test]
fn rows_get_new_signatures() {
    let a = arm("a");
    on_each(|ledger| {
        ledger.register(&a).unwrap();
        for (index, name) in [(0, "s"), (1, "t"), (2, "u"), (3, "s")] {
            let (seen, blob) = seen_with_program(name, &format!("program {index}"));
            ledger.record(&[Record { blobs: vec![blob], ..record(&a, index, &[seen]) }]).unwrap();
        }
        for (index, name) in [(0, "s"), (1, "t"), (2, "u")] {
            ledger.put_finding(&finding(&a, index, name, Status::Confirmed, name)).unwrap();
        }
        let (s, t, u, new) = (Id::of(b"s"), Id::of(b"t"), Id::of(b"u"), Id::of(b"new"));
        ledger.set_mark(s, Some(&marked(Mark::Known, ""))).unwrap();
        ledger.set_mark(t, Some(&marked(Mark::Reported, ""))).unwrap();
        ledger.set_mark(u, Some(&marked(Mark::Known, "u"))).unwrap();
        ledger.put_group(&Group { cause: "r1".to_owned(), signatures: [s, u].into() }).unwrap();
        // The first and the second are one bug, the fourth is none of them; the third becomes the second.
        let seen = |index| Seen { arm: a.id(), index, ordinal: 0 };
        let put = |signature, old: Id, ledger: &dyn Ledger| {
            let old = ledger.finding_for(old).unwrap().unwrap();
            NewFinding::with_blobs(Finding { signature, ..old }, Vec::new()).unwrap()
        };
        let plan = Regrouping {
            sightings: vec![(seen(0), new), (seen(1), new), (seen(2), t)],
            findings: [s, t, u].into(),
            puts: vec![
                put(new, t, ledger),
                put(new, s, ledger),
                put(t, u, ledger),
                finding(&a, 3, "s", Status::Waiting, "program 3"),
            ],
            signatures: [(s, new), (t, new), (u, t)].into(),
        };
        assert!(!plan.is_empty() && Regrouping::default().is_empty());
        ledger.regroup(&plan).unwrap();
        let of = |signature: Id| ledger.finding_for(signature).unwrap().map(|kept| (kept.index, kept.status));
        assert_eq!(of(new), Some((0, Status::Confirmed)));
        assert_eq!(of(t), Some((2, Status::Confirmed)));
        assert_eq!(of(s), Some((3, Status::Waiting)));
        assert_eq!((of(u), ledger.findings().unwrap().len()), (None, 3));
        let marks = ledger.marks().unwrap();
        assert_eq!(marks, [(new, marked(Mark::Reported, "")), (t, marked(Mark::Known, "u"))].into());
        assert_eq!(ledger.groups().unwrap()[0].signatures, [new, t].into());
        let mut places = Vec::new();
        each_sighting(ledger, &mut |seen, row| places.push((seen.index, row.signature))).unwrap();
        assert_eq!(places, [(0, new), (1, new), (2, t), (3, s)]);
        let nowhere = Regrouping { sightings: vec![(seen(9), s)], ..Regrouping::default() };
        let before = text(ledger);
        assert!(ledger.regroup(&nowhere).is_err());
        assert_same(&text(ledger), &before);
    });
}
