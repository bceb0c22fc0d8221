//! What runs did, for EMI, repair and coverage: how often statements, functions and branches were reached, which values
//! the objects in scope had before chosen statements, and what operators and calls were given.
//!
//! Keys are ids, never positions: what was built or inserted has its profile like what was read.
//!
//! **Points are sampled, never visits.** A point is a statement; what is seen there is what a statement inserted before
//! it would see, which a jump to a label or `case` behind it does not reach. At a point every object that can be named is
//! looked at ([`lang::scope`](howler_lang::scope)), at every visit. What is not complete says so, so that a predicate made
//! from a profile is never false by omission: [`Profile::sure`] gives only what holds for every visit of every run.
//!
//! **Merging** ([`Profile::join`]) adds counts and unites what was seen: the runs of a judgement, or runs with other
//! inputs. It is associative and commutative, and `Profile::default()` is its neutral element. All completeness follows
//! from counts that are added too: what was seen at fewer visits than there were is not complete, whoever missed them.

mod observed;
pub(crate) mod parts;
mod place;
pub(crate) mod recorder;
mod sites;
pub(crate) mod tables;

pub use observed::{Observed, Scalar, Target};
pub use parts::points;
pub use place::{Path, Place, Step};
pub use sites::{Calls, Operands, Operator, Tuple, Tuples, Undefineds, undefined_bare};

pub(crate) use observed::Sight;
pub(crate) use recorder::{Recorder, Statics};
pub(crate) use sites::of_bits;

use howler_lang::program::{ExprId, FuncId, ObjId, StmtId};
use std::collections::{BTreeMap, BTreeSet};

/// What to observe. Statements, functions, branches and switches are always counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProfileOptions<'a> {
    /// Before which statements objects are looked at.
    pub points: Points<'a>,
    /// How many visits of a point are looked at.
    pub visits: u64,
    /// How many objects in scope of a point are looked at: those of inner scopes first, then as they are declared.
    pub objects: usize,
    /// How many members and elements of an object are looked at.
    pub parts: usize,
    /// How many values of one part or operand are kept; beyond it a range.
    pub values: usize,
    /// How many different states of a point, all its parts together, are kept.
    pub rows: usize,
    /// How many different tuples of operands of an operator or call are kept; 0 looks at none.
    pub tuples: usize,
    /// Go on after arithmetic that is undefined, so that one run tells of every site: signed overflow wraps, a quotient
    /// or remainder that is undefined is 0, a left shift into the sign gives the plain result, one by an impossible count
    /// and a floating value that does not fit its integer type give 0. The run's outcome is the first of them all the
    /// same ([`RunReport::went_on`](crate::RunReport::went_on) says how it ended). What comes after it happens in a
    /// program that has no meaning any more: later sites may be its consequences.
    pub bare: bool,
}

impl Default for ProfileOptions<'_> {
    fn default() -> Self {
        ProfileOptions {
            points: Points::None,
            visits: 10_000,
            objects: 1000,
            parts: 16,
            values: 16,
            rows: 16,
            tuples: 0,
            bare: false,
        }
    }
}

impl ProfileOptions<'_> {
    pub(crate) fn caps(&self) -> Caps {
        Caps { values: self.values, rows: self.rows, tuples: if self.tuples > 0 { self.tuples } else { 16 } }
    }

    /// Whether operands are looked at.
    pub(crate) fn operands(&self) -> bool {
        self.tuples > 0 || self.bare
    }
}

/// Before which statements objects are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Points<'a> {
    /// None.
    None,
    /// These.
    These(&'a [StmtId]),
    /// A sample of [`points`], the same in every run of a program.
    Sample {
        /// Which sample.
        seed: u64,
        /// How many.
        number: usize,
    },
    /// Before every statement: for small programs.
    All,
}

/// How much is kept. Profiles that are joined keep as much as the lesser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caps {
    /// Values of a part.
    pub values: usize,
    /// States of a point.
    pub rows: usize,
    /// Tuples of operands.
    pub tuples: usize,
}

/// What was observed over some runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// How many runs.
    pub runs: u64,
    /// How many of them did not end by themselves: what such a run would have done later was not seen.
    pub unfinished: u64,
    /// How many of them depended on what the standard leaves open, such as the order of calls, without other runs that
    /// settle it, or went on after undefined behaviour: what they did is not all that the program may do.
    pub open: u64,
    /// How many of them looked at operands.
    pub watched: u64,
    /// How often each statement was reached from what is before it; those that never were are not here.
    pub statements: BTreeMap<StmtId, u64>,
    /// How often each function with a body was entered.
    pub functions: BTreeMap<FuncId, u64>,
    /// How often each controlling expression held and did not: those of `if`, loops, `?:` and `?:` without a middle, and
    /// both operands of `&&` and `||`, as often as they were evaluated.
    pub branches: BTreeMap<ExprId, (u64, u64)>,
    /// Where each `switch` went, by its controlling expression: to a `case` or `default`, or past all.
    pub switches: BTreeMap<ExprId, BTreeMap<Option<StmtId>, u64>>,
    /// What was seen before the chosen statements.
    pub points: BTreeMap<StmtId, PointProfile>,
    /// What operators were given, if it was asked for.
    pub operators: BTreeMap<(ExprId, Operator), Operands>,
    /// What calls were given, if it was asked for.
    pub calls: BTreeMap<ExprId, Calls>,
    /// What the library decides the counts of.
    pub by_library: ByLibrary,
    /// How much is kept.
    pub caps: Caps,
}

impl Default for Profile {
    /// The profile of no run.
    fn default() -> Profile {
        let most = usize::MAX;
        Profile {
            runs: 0,
            unfinished: 0,
            open: 0,
            watched: 0,
            statements: BTreeMap::new(),
            functions: BTreeMap::new(),
            branches: BTreeMap::new(),
            switches: BTreeMap::new(),
            points: BTreeMap::new(),
            operators: BTreeMap::new(),
            calls: BTreeMap::new(),
            by_library: ByLibrary::default(),
            caps: Caps { values: most, rows: most, tuples: most },
        }
    }
}

/// What was reached in calls that the library makes as often as it likes, and with what it likes: comparisons for `qsort`
/// and `bsearch` (C17 7.22.5p3).
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ByLibrary {
    /// Statements.
    pub statements: BTreeSet<StmtId>,
    /// Controlling expressions, those of `switch` among them.
    pub conditions: BTreeSet<ExprId>,
}

/// What was seen before a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointProfile {
    /// How many visits were looked at.
    pub visits: u64,
    /// The objects that can be named there.
    pub objects: BTreeMap<ObjId, ObjectProfile>,
    /// Objects that can be named there but were not looked at: too many, not defined in the program, or of a function
    /// around.
    pub left_out: BTreeSet<ObjId>,
    /// Every different state of the point, while there are few: the values of all parts together, in the order of
    /// `objects` and their parts. None where a part had no value that may be read.
    pub rows: Option<BTreeSet<Vec<Option<Scalar>>>>,
}

/// What was seen of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectProfile {
    /// Its parts: itself, by the empty path, or its members and elements. Those of a union's members overlap.
    pub parts: BTreeMap<Path, Observed>,
    /// Whether these are all parts that it has.
    pub whole: bool,
}

impl Profile {
    /// How often a statement was reached.
    pub fn count(&self, stmt: StmtId) -> u64 {
        self.statements.get(&stmt).copied().unwrap_or(0)
    }

    /// What is known of a part before a statement for certain: it was looked at at every visit of every run, the number
    /// of visits is sure ([`Profile::sure_count`]), and it always had a value that may be read. A predicate that its
    /// values, or its range, make true holds whenever the statement is reached in these runs; a statement that never is
    /// has no values, and all hold. Reading a volatile part is behaviour of its own: who adds reads leaves those out
    /// ([`Place::is_volatile`]).
    pub fn sure(&self, stmt: StmtId, place: &Place) -> Option<&Observed> {
        let object = self.points.get(&stmt)?.objects.get(&place.object)?;
        let observed = object.parts.get(&place.path)?;
        (self.saw_all(stmt, observed.visits) && observed.is_always_set()).then_some(observed)
    }

    /// Every state of a point, if all are known: of each part that may be read there its place, and the values of these
    /// parts together.
    pub fn states(&self, stmt: StmtId) -> Option<(Vec<Place>, BTreeSet<Vec<Scalar>>)> {
        let point = self.points.get(&stmt).filter(|point| self.saw_all(stmt, point.visits))?;
        let (mut places, mut columns) = (Vec::new(), Vec::new());
        let parts = point
            .objects
            .iter()
            .flat_map(|(object, seen)| seen.parts.iter().map(|(path, observed)| (*object, path, observed)));
        for (column, (object, path, observed)) in parts.enumerate() {
            if observed.is_always_set() {
                places.push(Place { object, path: path.clone() });
                columns.push(column);
            }
        }
        let narrowed = |row: &Vec<Option<Scalar>>| columns.iter().map(|&column| row[column]).collect();
        let rows: Option<BTreeSet<Vec<Scalar>>> = point.rows.as_ref()?.iter().map(narrowed).collect();
        Some((places, rows?))
    }

    fn saw_all(&self, stmt: StmtId, visits: u64) -> bool {
        visits == self.count(stmt) && self.sure_count(stmt).is_some()
    }

    /// How often a statement was reached, if nobody may choose another number: every run ended by itself and depended
    /// on nothing that is left open, and the library does not decide how often the statement's function is called.
    pub fn sure_count(&self, stmt: StmtId) -> Option<u64> {
        (self.is_settled() && !self.by_library.statements.contains(&stmt)).then(|| self.count(stmt))
    }

    /// The same of a controlling expression: whether its counts are sure.
    pub fn is_sure_of(&self, condition: ExprId) -> bool {
        self.is_settled() && !self.by_library.conditions.contains(&condition)
    }

    fn is_settled(&self) -> bool {
        self.runs > 0 && self.unfinished == 0 && self.open == 0
    }

    /// The operators that were undefined, and with what; in a run that does not go on, the last one.
    pub fn undefined(&self) -> impl Iterator<Item = (ExprId, Operator, &Operands)> {
        let undefined = self.operators.iter().filter(|(_, operands)| !operands.undefined.is_empty());
        undefined.map(|(&(expr, operator), operands)| (expr, operator, operands))
    }

    /// Adds the profile of other runs of the same program.
    pub fn join(&mut self, other: &Profile) {
        self.runs += other.runs;
        self.unfinished += other.unfinished;
        self.open += other.open;
        self.by_library.statements.extend(&other.by_library.statements);
        self.by_library.conditions.extend(&other.by_library.conditions);
        self.watched += other.watched;
        let caps = Caps {
            values: self.caps.values.min(other.caps.values),
            rows: self.caps.rows.min(other.caps.rows),
            tuples: self.caps.tuples.min(other.caps.tuples),
        };
        let trims = self.caps != caps || other.caps != caps;
        self.caps = caps;
        add(&mut self.statements, &other.statements);
        add(&mut self.functions, &other.functions);
        for (&key, &(held, not)) in &other.branches {
            let entry = self.branches.entry(key).or_default();
            (entry.0, entry.1) = (entry.0 + held, entry.1 + not);
        }
        for (&key, ways) in &other.switches {
            add(self.switches.entry(key).or_default(), ways);
        }
        unite(&mut self.points, &other.points, |own, more| own.join(more, &caps));
        let pair = (caps.values, caps.tuples);
        unite(&mut self.operators, &other.operators, |own, more| own.join(more, pair));
        unite(&mut self.calls, &other.calls, |own, more| own.join(more, pair));
        if trims {
            self.trim();
        }
    }

    /// Forgets what is beyond the caps: what only one of two profiles had was kept by the caps of that one.
    fn trim(&mut self) {
        let caps = (self.caps.values, self.caps.tuples);
        for point in self.points.values_mut() {
            point.rows = point.rows.take().filter(|rows| rows.len() <= self.caps.rows);
            let parts = point.objects.values_mut().flat_map(|object| object.parts.values_mut());
            parts.for_each(|part| part.join(&Observed::new(), caps.0));
        }
        self.operators.values_mut().for_each(|own| own.trim(caps));
        self.calls.values_mut().for_each(|own| own.trim(caps));
    }
}

impl PointProfile {
    fn join(&mut self, other: &PointProfile, caps: &Caps) {
        let columns = |point: &PointProfile| -> Vec<(ObjId, Path)> {
            let parts = |(&object, seen): (&ObjId, &ObjectProfile)| {
                seen.parts.keys().map(move |path| (object, path.clone())).collect::<Vec<_>>()
            };
            point.objects.iter().flat_map(parts).collect()
        };
        self.rows = match (self.rows.take(), &other.rows) {
            (Some(mut own), Some(more)) if columns(self) == columns(other) => {
                own.extend(more.iter().cloned());
                (own.len() <= caps.rows).then_some(own)
            }
            _ => None,
        };
        self.visits += other.visits;
        self.left_out.extend(&other.left_out);
        unite(&mut self.objects, &other.objects, |own, more| {
            own.whole &= more.whole;
            unite(&mut own.parts, &more.parts, |own, more| own.join(more, caps.values));
        });
    }
}

fn add<K: Ord + Copy>(own: &mut BTreeMap<K, u64>, more: &BTreeMap<K, u64>) {
    for (&key, &count) in more {
        *own.entry(key).or_default() += count;
    }
}

fn unite<K: Ord + Clone, T: Clone>(
    own: &mut BTreeMap<K, T>,
    more: &BTreeMap<K, T>,
    mut join: impl FnMut(&mut T, &T),
) {
    for (key, more) in more {
        match own.get_mut(key) {
            Some(known) => join(known, more),
            None => drop(own.insert(key.clone(), more.clone())),
        }
    }
}
