//! The environment of a point: which variables code may name there, and every value that each may have (definition 4.1).
//!
//! Values are of a point, not of a path: how variables move together is forgotten, which is safe.

use howler_lang::arith::set::{Limits, ValueSet};
use howler_lang::arith::{self, Num};
use howler_lang::program::{Duration, Linkage, Program, StmtId};
use howler_lang::target::Arch;
use howler_lang::ty::{Field, Quals, RecordKind, TypeKind};
use howler_machine::profile::{Observed, Place, Profile, Scalar, Step, Target};
use std::collections::BTreeSet;

use crate::access::Rules;
use crate::junk::is_of_headers;

/// An arithmetic variable: an object, a member or an element.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Where it is.
    pub place: Place,
    /// Its type.
    pub num: Num,
    /// All values it may have.
    pub values: ValueSet,
    /// Whether it may be changed for a while.
    pub writable: bool,
    /// How little a compiler can know of it: variables that it knows make conditions that it folds.
    pub weight: u32,
}

/// A pointer, and all that it may point to.
#[derive(Clone, Debug)]
pub struct Pointer {
    /// Where it is.
    pub place: Place,
    /// Its targets.
    pub targets: BTreeSet<Target>,
}

/// What may be named at a point.
#[derive(Clone, Default, Debug)]
pub struct Env {
    /// Integers and floating variables.
    pub variables: Vec<Variable>,
    /// Pointers.
    pub pointers: Vec<Pointer>,
    /// How often the point was visited in a run.
    pub visits: u64,
}

/// Parts of one object: a large array must not crowd out all else.
pub(crate) const PARTS: usize = 6;

/// Places that code at one point is made of at most: an expression takes a few of them.
const PLACES: usize = 40;

/// Whether a place is a member that only headers know, or in one.
fn is_hidden(program: &Program, place: &Place) -> bool {
    let mut ty = program.objects[place.object].ty;
    for &step in &place.path {
        ty = match (step, program.types.kind(ty)) {
            (Step::Index(_), TypeKind::Array { elem, .. }) => elem,
            (Step::Field(at), TypeKind::Record(id)) => {
                let Some(field) = program.types.records[id].fields.get(at as usize) else { return true };
                if field.name.is_some_and(|name| is_of_headers(program, name)) {
                    return true;
                }
                field.ty
            }
            _ => return true,
        };
    }
    false
}

impl Env {
    /// The environment before a statement of a profiled program. A point that nobody looked at has none.
    pub fn at(program: &Program, profile: &Profile, rules: &Rules, at: StmtId) -> Env {
        let mut env = Env { visits: profile.count(at) / profile.runs.max(1), ..Env::default() };
        let Some(point) = profile.points.get(&at) else { return env };
        let mut found: Vec<(Place, &Observed, bool)> = Vec::new();
        for (&object, seen) in &point.objects {
            if !rules.may_read(at, object) {
                continue;
            }
            for path in seen.parts.keys().take(PARTS) {
                let place = Place { object, path: path.clone() };
                if is_hidden(program, &place) {
                    continue;
                }
                let Some(observed) = profile.sure(at, &place) else { continue };
                let Some(kind) = Kind::of(program, &place) else { continue };
                let writable = kind == Kind::Plain && rules.may_write(at, object);
                found.push((place, observed, writable));
            }
        }
        // Evenly over all that is there.
        let (all, most) = (found.len().max(1), PLACES);
        let taken = |at: usize| all <= most || at * most / all != (at + 1) * most / all;
        for (at, (place, observed, writable)) in found.into_iter().enumerate() {
            if taken(at) {
                env.add(program, place, observed, writable);
            }
        }
        env
    }

    fn add(&mut self, program: &Program, place: Place, observed: &Observed, writable: bool) {
        let Some(ty) = place.ty(program) else { return };
        if program.types.pointee(ty).is_some() {
            let Some(values) = &observed.values else { return };
            let targets: Option<BTreeSet<Target>> = values
                .iter()
                .map(|value| match value {
                    Scalar::Pointer(target) => Some(*target),
                    Scalar::Int(_) | Scalar::Float(..) => None,
                })
                .collect();
            self.pointers
                .extend(targets.filter(|all| !all.is_empty()).map(|targets| Pointer { place, targets }));
            return;
        }
        let Some(num) = arith::num_of(&program.types, &program.target, ty) else { return };
        let Some(values) = values(program, num, observed) else { return };
        if values.is_empty() || matches!(num, Num::Int { .. } | Num::Bool) && values.is_full() {
            return;
        }
        let weight = weight(program, &place);
        self.variables.push(Variable { place, num, values, writable, weight });
    }

    /// The integers among the variables.
    pub fn integers(&self) -> Vec<&Variable> {
        self.variables.iter().filter(|one| !matches!(one.num, Num::Float(_))).collect()
    }

    /// The values as a comment has them: `a=0, b={-1, 3}`.
    pub fn text(&self, program: &Program) -> String {
        let one = |variable: &Variable| {
            let values = variable.values.to_string();
            let single = variable.values.as_single().is_some();
            let values = if single { values.trim_matches(['{', '}']).to_owned() } else { values };
            format!("{}={values}", variable.place.text(program))
        };
        let mut all: Vec<String> = self.variables.iter().take(TOLD).map(one).collect();
        if self.variables.len() > TOLD {
            all.push(format!("and {} more", self.variables.len() - TOLD));
        }
        all.join(", ")
    }
}

/// How many variables a comment tells of.
const TOLD: usize = 12;

/// What kind of part it is, for who adds accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// It has bytes of its own.
    Plain,
    /// It may be read only: const, a bit-field, a part of a union.
    Shared,
}

impl Kind {
    /// None of what must not be touched at all: what is volatile or atomic, and what compilers give other types.
    fn of(program: &Program, place: &Place) -> Option<Kind> {
        if place.is_volatile(program) {
            return None;
        }
        let mut kind = Kind::Plain;
        let mut ty = program.objects[place.object].ty;
        for length in 0..=place.path.len() {
            let quals = program.types.quals(ty);
            if quals.contains(Quals::ATOMIC) {
                return None;
            }
            if quals.contains(Quals::CONST) {
                kind = Kind::Shared;
            }
            let Some(&step) = place.path.get(length) else { break };
            ty = match (step, program.types.kind(ty)) {
                (Step::Index(_), TypeKind::Array { elem, .. }) => elem,
                (Step::Field(field), TypeKind::Record(id)) => {
                    let record = &program.types.records[id];
                    let field = record.fields.get(field as usize)?;
                    if record.kind == RecordKind::Union || field.bits.is_some() {
                        kind = Kind::Shared;
                    }
                    if field.bits.is_some() && !is_plain_field(program, field) {
                        return None;
                    }
                    field.ty
                }
                _ => return None,
            };
        }
        if matches!(program.types.kind(ty), TypeKind::Bits { .. }) { None } else { Some(kind) }
    }
}

/// Whether a bit-field has the same type in an expression to all compilers: what is declared wider than `int` gcc promotes
/// by its width and clang by its type (C17 6.3.1.1p2 speaks of `_Bool`, `int` and `unsigned int` alone).
pub(crate) fn is_plain_field(program: &Program, field: &Field) -> bool {
    let size = program.size_of(field.ty).unwrap_or(u64::MAX);
    let kind = program.types.kind(field.ty);
    size <= 4 && !matches!(kind, TypeKind::Bits { .. } | TypeKind::Enum(_))
}

/// Every value that was seen.
fn values(program: &Program, num: Num, observed: &Observed) -> Option<ValueSet> {
    let limits = Limits::default();
    match num {
        // Values in x87 registers have more bits than those in memory.
        Num::Float(_) if program.target.arch != Arch::X86_64 => None,
        Num::Float(format) => {
            // A range says nothing of NaNs.
            let values = observed.values.as_ref()?.iter().map(|value| match *value {
                Scalar::Float(_, bits) if !format.is_nan(bits) => Some(bits),
                _ => None,
            });
            Some(ValueSet::of(&limits, num, values.collect::<Option<Vec<u128>>>()?))
        }
        Num::Int { .. } | Num::Bool => match &observed.values {
            Some(values) => {
                let values = values.iter().map(|value| match *value {
                    Scalar::Int(number) => Some(num.bits(number)),
                    _ => None,
                });
                Some(ValueSet::of(&limits, num, values.collect::<Option<Vec<u128>>>()?))
            }
            None => {
                let (least, greatest) = observed.interval()?;
                Some(ValueSet::between(num, num.bits(least), num.bits(greatest)))
            }
        },
    }
}

fn weight(program: &Program, place: &Place) -> u32 {
    let object = &program.objects[place.object];
    let constant = program.types.quals(object.ty).contains(Quals::CONST);
    match (object.linkage, object.duration) {
        _ if constant => 1,
        (Linkage::External, _) => 12,
        (_, Duration::Static) => 4,
        _ => 3,
    }
}
