//! A profile in the making: counters by the numbers of `profile::tables`, as the run needs them.

use super::observed::{Observed, Scalar, Sight};
use super::parts::Part;
use super::sites::{Calls, Operands, Tuple};
use super::tables::Tables;
use super::{ByLibrary, Caps, ObjectProfile, PointProfile, Profile, ProfileOptions};
use crate::outcome::Ub;
use howler_lang::arith::Undefined;
use howler_lang::id::Id;
use howler_lang::program::{FuncId, Program, StmtId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// For the slot of a static object: the points that look at it, where its parts begin among theirs, and which
/// [`Tables::objects`] has them.
pub(crate) type Statics = FxHashMap<u32, Vec<(u32, usize, u32)>>;

#[derive(Debug)]
pub(crate) struct Recorder {
    caps: Caps,
    /// Visits of a point that are looked at.
    visits: u64,
    bare: bool,
    operands: bool,
    statements: Vec<u64>,
    branches: Vec<(u64, u64)>,
    /// By case; the last is the default, or none of them.
    switches: Vec<Vec<u64>>,
    points: Vec<Record>,
    operators: Vec<Operands>,
    calls: Vec<Calls>,
    /// The operands that were seen last, as they are kept.
    tuple: Tuple,
    /// Whether the operator that comes next is undefined.
    pending: bool,
    /// Calls under way that the library makes as often as it likes.
    by_library: u32,
    /// Statements that were reached in such a call, and sites of conditions and switches.
    chosen_statements: BTreeSet<StmtId>,
    chosen_conditions: BTreeSet<u32>,
    chosen_switches: BTreeSet<u32>,
    /// The parts of static objects that points look at, by the objects' slots, once they were asked for.
    pub statics: Option<Statics>,
    /// The first undefined behaviour that the run went on after.
    pub first: Option<Ub>,
}

#[derive(Debug)]
struct Record {
    visits: u64,
    parts: Vec<Seen>,
    rows: Option<BTreeSet<Vec<Option<Scalar>>>>,
}

/// Most parts have the same value at every visit: that takes no look into the set.
#[derive(Debug)]
struct Seen {
    last: Option<Sight>,
    /// How often it was seen again.
    again: u64,
    observed: Observed,
}

impl Recorder {
    pub fn new(options: &ProfileOptions<'_>, program: &Program, tables: &Tables) -> Recorder {
        let caps = options.caps();
        let points = tables.points.iter().map(|point| {
            let count: usize =
                point.objects.iter().map(|object| tables.objects[object.parts as usize].parts.len()).sum();
            let seen = || Seen { last: None, again: 0, observed: Observed::new() };
            let rows = (caps.rows > 0).then(BTreeSet::new);
            Record { visits: 0, parts: (0..count).map(|_| seen()).collect(), rows }
        });
        let operators = tables
            .operators
            .iter()
            .map(|site| Operands::new(site.args.iter().map(|&(_, num)| num).collect(), site.result));
        Recorder {
            caps,
            visits: options.visits,
            bare: options.bare,
            operands: options.operands(),
            statements: vec![0; program.stmts.len()],
            branches: vec![(0, 0); tables.branches.len()],
            switches: tables.switches.iter().map(|site| vec![0; site.cases.len() + 1]).collect(),
            points: points.collect(),
            operators: operators.collect(),
            calls: vec![Calls::default(); tables.calls.len()],
            tuple: Vec::new(),
            pending: false,
            by_library: 0,
            chosen_statements: BTreeSet::new(),
            chosen_conditions: BTreeSet::new(),
            chosen_switches: BTreeSet::new(),
            statics: None,
            first: None,
        }
    }

    #[inline]
    pub fn visit(&mut self, stmt: StmtId) {
        self.statements[stmt.index()] += 1;
        if self.by_library > 0 {
            self.chosen_statements.insert(stmt);
        }
    }

    /// A call begins or ends that the library makes as often as it likes, and with what it likes.
    pub fn in_library(&mut self, begins: bool) {
        self.by_library = if begins { self.by_library + 1 } else { self.by_library.saturating_sub(1) };
    }

    /// Whether the next visit of a point is looked at.
    pub fn looks(&self, point: u32) -> bool {
        self.points[point as usize].visits < self.visits
    }

    pub fn look(&mut self, point: u32, sights: &[Sight]) {
        let cap = self.caps.values;
        let record = &mut self.points[point as usize];
        record.visits += 1;
        let mut changed = record.visits == 1;
        for (seen, &sight) in record.parts.iter_mut().zip(sights) {
            if seen.last == Some(sight) {
                seen.again += 1;
            } else {
                seen.last = Some(sight);
                seen.observed.see(sight, cap);
                changed = true;
            }
        }
        // The same row as the last is known.
        if changed && let Some(rows) = &mut record.rows {
            rows.insert(sights.iter().map(|sight| sight.value()).collect());
            if rows.len() > self.caps.rows {
                record.rows = None;
            }
        }
    }

    /// The bits `mask` of the chunk of 64 of an object may have another value at these points.
    pub fn loosen(
        &mut self,
        known: &Statics,
        tables: &Tables,
        points: &FxHashSet<u32>,
        (slot, chunk, mask): (u32, u64, u64),
    ) {
        let touches = |part: &Part| {
            let (lo, hi) =
                (part.bit.max(64 * chunk), (part.bit + u64::from(part.kind.width(8))).min(64 * chunk + 64));
            lo < hi && (lo..hi).any(|bit| mask >> (bit - 64 * chunk) & 1 == 1)
        };
        self.loosen_if(known, tables, points, slot, touches);
    }

    /// The whole of an object may have another value at these points.
    pub fn loosen_all(&mut self, known: &Statics, tables: &Tables, points: &FxHashSet<u32>, slot: u32) {
        self.loosen_if(known, tables, points, slot, |_| true);
    }

    fn loosen_if(
        &mut self,
        known: &Statics,
        tables: &Tables,
        points: &FxHashSet<u32>,
        slot: u32,
        test: impl Fn(&Part) -> bool,
    ) {
        let watched = known.get(&slot).map_or(&[][..], |watched| watched);
        for &(point, first, parts) in watched.iter().filter(|(point, ..)| points.contains(point)) {
            let seen = self.points[point as usize].parts[first..].iter_mut();
            for (part, seen) in tables.objects[parts as usize].parts.iter().zip(seen) {
                if !seen.observed.open && test(part) {
                    seen.observed.open = true;
                }
            }
        }
    }

    #[inline]
    pub fn branch(&mut self, site: u32, holds: bool) {
        let (held, not) = &mut self.branches[site as usize];
        if holds {
            *held += 1
        } else {
            *not += 1
        }
        if self.by_library > 0 {
            self.chosen_conditions.insert(site);
        }
    }

    pub fn way(&mut self, site: u32, case: Option<usize>) {
        let ways = &mut self.switches[site as usize];
        let last = ways.len() - 1;
        ways[case.unwrap_or(last)] += 1;
        if self.by_library > 0 {
            self.chosen_switches.insert(site);
        }
    }

    pub fn operands(&mut self, site: u32, sights: &[Sight], undefined: Option<Undefined>) {
        self.pending = undefined.is_some();
        let caps = (self.caps.values, self.caps.tuples);
        self.set_tuple(sights);
        self.operators[site as usize].see(sights, &self.tuple, undefined, caps);
        self.operators[site as usize].tuples.more |= self.by_library > 0;
    }

    pub fn call(&mut self, site: u32, callee: Option<FuncId>, sights: &[Sight]) {
        let caps = (self.caps.values, self.caps.tuples);
        self.set_tuple(sights);
        let calls = &mut self.calls[site as usize];
        if calls.count == 0 {
            *calls = Calls::new(sights.len());
        }
        calls.see(callee, sights, &self.tuple, caps);
        calls.tuples.more |= self.by_library > 0;
    }

    fn set_tuple(&mut self, sights: &[Sight]) {
        self.tuple.clear();
        self.tuple.extend(sights.iter().map(|sight| sight.value()));
    }

    /// Whether the run goes on after the undefined operator whose operands were just seen.
    pub fn goes_on(&mut self) -> bool {
        std::mem::take(&mut self.pending) && self.bare
    }

    /// `finished` says that the program ended by itself, `open` that what it did is not all it may do.
    pub fn finish(self, program: &Program, tables: &Tables, finished: bool, open: bool) -> Profile {
        let mut profile = Profile {
            runs: 1,
            unfinished: u64::from(!finished),
            open: u64::from(open),
            watched: u64::from(self.operands),
            caps: self.caps,
            ..Profile::default()
        };
        let counted = self.statements.iter().enumerate().filter(|(_, count)| **count > 0);
        profile.statements = counted.map(|(index, &count)| (StmtId::from_index(index), count)).collect();
        let entered = |(id, func): (FuncId, &howler_lang::program::Function)| {
            Some((id, *profile.statements.get(&func.body?)?))
        };
        profile.functions = program.funcs.iter().filter_map(entered).collect();
        for (&expr, &(held, not)) in tables.branches.iter().zip(&self.branches) {
            if held + not > 0 {
                let known = profile.branches.entry(expr).or_default();
                (known.0, known.1) = (known.0 + held, known.1 + not);
            }
        }
        let conditions = self.chosen_conditions.iter().map(|&site| tables.branches[site as usize]);
        let switches = self.chosen_switches.iter().map(|&site| tables.switches[site as usize].expr);
        let conditions = conditions.chain(switches).collect();
        profile.by_library = ByLibrary { statements: self.chosen_statements, conditions };
        for (site, counts) in tables.switches.iter().zip(&self.switches) {
            let ways = site.cases.iter().map(|&(.., stmt)| Some(stmt)).chain([site.default]);
            for (way, &count) in ways.zip(counts).filter(|(_, count)| **count > 0) {
                *profile.switches.entry(site.expr).or_default().entry(way).or_default() += count;
            }
        }
        for (point, record) in tables.points.iter().zip(self.points) {
            let mut parts = record.parts.into_iter();
            let mut objects = BTreeMap::new();
            for watched in &point.objects {
                let known = &tables.objects[watched.parts as usize];
                let seen = parts.by_ref().take(known.parts.len()).map(|seen| {
                    let mut observed = seen.observed;
                    observed.visits += seen.again;
                    observed
                });
                let paths = known.parts.iter().map(|part| part.path.clone());
                let parts = paths.zip(seen).collect();
                objects.insert(watched.object, ObjectProfile { parts, whole: known.whole });
            }
            let left_out = point.left_out.iter().copied().collect();
            let found = PointProfile { visits: record.visits, objects, left_out, rows: record.rows };
            profile.points.insert(point.stmt, found);
        }
        let caps = (self.caps.values, self.caps.tuples);
        for (site, operands) in tables.operators.iter().zip(self.operators) {
            if operands.count > 0 {
                let key = (site.expr, site.operator);
                match profile.operators.get_mut(&key) {
                    Some(known) => known.join(&operands, caps),
                    None => drop(profile.operators.insert(key, operands)),
                }
            }
        }
        for (&(expr, _), calls) in tables.calls.iter().zip(self.calls) {
            if calls.count > 0 {
                match profile.calls.get_mut(&expr) {
                    Some(known) => known.join(&calls, caps),
                    None => drop(profile.calls.insert(expr, calls)),
                }
            }
        }
        profile
    }
}
