//! The enumeration against brute force: all assignments, put together by renamings one transposition at a time; and the
//! count against Burnside's lemma, renaming by renaming.

use std::collections::{BTreeMap, BTreeSet};

use howler_choices::Choices;
use howler_spe::skeleton::{Hole, Skeleton, Var};
use howler_spe::space::Space;
use howler_spe::variants::Variants;
use num_bigint::BigUint;

/// A skeleton as a program has it: at most 8 holes, 4 scopes, 3 types, with names that are hidden further in.
fn random(choices: &mut Choices) -> (Vec<u32>, Vec<Hole>) {
    let scopes = choices.range("scopes", 1..=4usize);
    let types = choices.range("types", 1..=3u32);
    let parents: Vec<Option<usize>> =
        (0..scopes).map(|scope| scope.checked_sub(1).map(|last| choices.range("parent", 0..=last))).collect();
    let mut kinds = Vec::new();
    let mut declared: Vec<(usize, u32)> = Vec::new();
    for (scope, _) in parents.iter().enumerate() {
        for _ in 0..choices.range("variables", 0..=4u32) {
            let ty = choices.range("type", 0..=types - 1);
            // Some have an initialiser that nobody shares.
            let own = choices.chance("alone", 1, 4);
            kinds.push(if own { 1000 + kinds.len() as u32 } else { scope as u32 * 10 + ty });
            declared.push((scope, ty));
        }
    }
    let inside = |inner: usize, outer: usize| {
        std::iter::successors(Some(inner), |&scope| parents[scope]).any(|scope| scope == outer)
    };
    // What a scope hides of those around it: mostly all of a kind, so that what is left hidden stays interchangeable.
    let mut hidden: BTreeSet<(usize, usize)> = BTreeSet::new();
    for scope in 0..scopes {
        let kind = choices.pick("hidden kind", &kinds).copied().filter(|_| choices.chance("hides", 1, 2));
        let of_kind = (0..kinds.len()).filter(|&var| Some(kinds[var]) == kind && declared[var].0 != scope);
        hidden.extend(of_kind.filter(|_| choices.chance("hidden", 7, 8)).map(|var| (scope, var)));
    }
    let mut holes = Vec::new();
    for _ in 0..choices.range("holes", 0..=8u32) {
        let at = choices.range("at", 0..=scopes - 1);
        let ty = choices.range("type", 0..=types - 1);
        let sees = |var: usize| {
            let (scope, of) = declared[var];
            let around = std::iter::successors(Some(at), |&scope| parents[scope]);
            of == ty && inside(at, scope) && !around.into_iter().any(|scope| hidden.contains(&(scope, var)))
        };
        let visible: Vec<Var> =
            (0..kinds.len()).filter(|&var| sees(var)).map(|var| Var(var as u32)).collect();
        let Some(&original) = choices.pick("original", &visible) else { continue };
        holes.push(Hole { visible, original });
    }
    (kinds, holes)
}

/// Which variables are interchangeable, worked out from the definition.
fn alike(kinds: &[u32], holes: &[Hole], one: usize, other: usize) -> bool {
    let same =
        |hole: &Hole| hole.visible.contains(&Var(one as u32)) == hole.visible.contains(&Var(other as u32));
    kinds[one] == kinds[other] && holes.iter().all(same)
}

fn all_assignments(holes: &[Hole]) -> Vec<Vec<Var>> {
    holes.iter().fold(vec![Vec::new()], |all, hole| {
        let longer = |begun: &Vec<Var>| {
            let begun = begun.clone();
            hole.visible.iter().map(move |&var| begun.iter().copied().chain([var]).collect())
        };
        all.iter().flat_map(longer).collect()
    })
}

/// Each assignment with the least of those that it can be renamed to.
fn orbits(kinds: &[u32], holes: &[Hole]) -> BTreeMap<Vec<Var>, usize> {
    let pairs: Vec<(Var, Var)> = (0..kinds.len())
        .flat_map(|one| (0..one).map(move |other| (one, other)))
        .filter(|&(one, other)| alike(kinds, holes, one, other))
        .map(|(one, other)| (Var(one as u32), Var(other as u32)))
        .collect();
    let mut orbit: BTreeMap<Vec<Var>, usize> = BTreeMap::new();
    let mut number = 0;
    for assignment in all_assignments(holes) {
        if orbit.contains_key(&assignment) {
            continue;
        }
        let mut waiting = vec![assignment];
        while let Some(next) = waiting.pop() {
            if orbit.insert(next.clone(), number).is_some() {
                continue;
            }
            for &(one, other) in &pairs {
                let swap = |&var: &Var| match var {
                    var if var == one => other,
                    var if var == other => one,
                    var => var,
                };
                let swapped: Vec<Var> = next.iter().map(swap).collect();
                if !orbit.contains_key(&swapped) {
                    waiting.push(swapped);
                }
            }
        }
        number += 1;
    }
    orbit
}

/// The average over all renamings of how many assignments they leave as they are.
fn burnside(kinds: &[u32], holes: &[Hole]) -> u64 {
    let (mut renamings, mut sum) = (0u64, 0u64);
    let mut renaming: Vec<usize> = Vec::new();
    fn go(kinds: &[u32], holes: &[Hole], renaming: &mut Vec<usize>, (renamings, sum): (&mut u64, &mut u64)) {
        let at = renaming.len();
        if at == kinds.len() {
            *renamings += 1;
            let fixed = |var: &&Var| renaming[var.index()] == var.index();
            *sum +=
                holes.iter().map(|hole| hole.visible.iter().filter(fixed).count() as u64).product::<u64>();
            return;
        }
        for to in 0..kinds.len() {
            if (to == at || alike(kinds, holes, at, to)) && !renaming.contains(&to) {
                renaming.push(to);
                go(kinds, holes, renaming, (renamings, sum));
                renaming.pop();
            }
        }
    }
    go(kinds, holes, &mut renaming, (&mut renamings, &mut sum));
    assert_eq!(sum % renamings, 0);
    sum / renamings
}

#[test]
fn random_skeletons_are_enumerated_exactly() {
    let mut done = 0;
    let mut largest = 0;
    for seed in 0.. {
        if done == 5_000 {
            break;
        }
        let mut choices = Choices::new(seed);
        let (kinds, holes) = random(&mut choices);
        let naive: u64 = holes.iter().map(|hole| hole.visible.len() as u64).product();
        // What takes brute force too long is left out, and so are groups of renamings that do.
        let used = kinds.iter().collect::<BTreeSet<_>>();
        let most = used.iter().map(|&kind| kinds.iter().filter(|&other| other == kind).count()).max();
        if naive > 3_000 || most.unwrap_or(0) > 4 || kinds.len() > 10 {
            continue;
        }
        done += 1;
        largest = largest.max(check(&kinds, &holes, seed));
    }
    // The test sees what it is there for.
    assert!(largest > 500, "at most {largest} variants");
}

/// Names that are hidden in blocks next to each other: no two sets of holes need lie in each other.
#[test]
fn what_crosses_is_enumerated_exactly() {
    let mut crossing = 0;
    for seed in 0..500 {
        let mut choices = Choices::new(seed);
        let kinds = [0, 0, 1, 1, 2, 2];
        let mut holes = Vec::new();
        for _ in 0..choices.range("holes", 2..=4u32) {
            let pairs: Vec<u32> = (0..3).filter(|_| choices.chance("visible", 2, 3)).collect();
            let visible: Vec<Var> =
                pairs.iter().flat_map(|pair| [Var(2 * pair), Var(2 * pair + 1)]).collect();
            let Some(&original) = choices.pick("original", &visible) else { continue };
            holes.push(Hole { visible, original });
        }
        check(&kinds, &holes, seed);
        crossing += u32::from(crosses(&kinds, &holes));
    }
    assert!(crossing > 50, "{crossing}");
}

/// Everything about one skeleton; gives its number of variants.
fn check(kinds: &[u32], holes: &[Hole], seed: u64) -> usize {
    let naive: u64 = holes.iter().map(|hole| hole.visible.len() as u64).product();
    let skeleton = Skeleton::new(kinds, holes.to_vec()).unwrap();
    let space = Space::new(skeleton).unwrap();
    let orbits = orbits(kinds, holes);
    let count = orbits.values().collect::<BTreeSet<_>>().len();
    assert_eq!(space.naive(), BigUint::from(naive), "seed {seed}");
    assert_eq!(*space.count(), BigUint::from(count), "seed {seed}");
    assert_eq!(burnside(kinds, holes), count as u64, "seed {seed}");
    let mut variants = Variants::new(&space);
    let mut seen = BTreeSet::new();
    let originals: Vec<Var> = holes.iter().map(|hole| hole.original).collect();
    assert_eq!(variants.filled(), originals, "seed {seed}");
    for number in 0u32.. {
        let filled = variants.filled().to_vec();
        assert!(seen.insert(orbits[&filled]), "seed {seed}: {filled:?} twice");
        assert_eq!(space.unrank(&number.into()).as_ref(), Some(&filled), "seed {seed}");
        assert_eq!(space.rank(&filled), Some(number.into()), "seed {seed}");
        if !variants.advance() {
            assert_eq!(variants.filled(), filled);
            break;
        }
        let differ: BTreeSet<usize> =
            (0..filled.len()).filter(|&hole| filled[hole] != variants.filled()[hole]).collect();
        let told: BTreeSet<usize> = variants.changed().iter().copied().collect();
        assert!(told.is_superset(&differ), "seed {seed}");
    }
    assert_eq!(seen.len(), count, "seed {seed}");
    assert_eq!(space.unrank(space.count()), None);
    // Any of an orbit has the number of the one that stands for it.
    for (assignment, _) in orbits.iter().step_by(7) {
        let canonical = space.unrank(&space.rank(assignment).unwrap()).unwrap();
        assert_eq!(orbits[&canonical], orbits[assignment], "seed {seed}");
    }
    count
}

/// Whether two classes with something to rename are visible at sets of holes that overlap without one in the other.
fn crosses(kinds: &[u32], holes: &[Hole]) -> bool {
    let sees = |var: usize| -> BTreeSet<usize> {
        (0..holes.len()).filter(|&hole| holes[hole].visible.contains(&Var(var as u32))).collect()
    };
    let big = |var: usize| (0..kinds.len()).any(|other| other != var && alike(kinds, holes, var, other));
    let sets: Vec<BTreeSet<usize>> = (0..kinds.len()).filter(|&var| big(var)).map(sees).collect();
    sets.iter().any(|one| {
        sets.iter().any(|other| {
            one.intersection(other).next().is_some() && !one.is_subset(other) && !other.is_subset(one)
        })
    })
}

/// An enumeration can begin anywhere.
#[test]
fn an_enumeration_goes_on_from_the_middle() {
    let hole = |visible: std::ops::Range<u32>| Hole { visible: visible.map(Var).collect(), original: Var(0) };
    let holes = vec![hole(0..2), hole(0..4), hole(0..4), hole(0..2), hole(0..4)];
    let space = Space::new(Skeleton::new(&[0, 0, 1, 1], holes).unwrap()).unwrap();
    let count = u32::try_from(space.count()).unwrap();
    for start in 0..count {
        let mut variants = Variants::from(&space, &start.into()).unwrap();
        for number in start + 1..count {
            assert!(variants.advance());
            assert_eq!(space.unrank(&number.into()).unwrap(), variants.filled());
        }
        assert!(!variants.advance());
    }
}
