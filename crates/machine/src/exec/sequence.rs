//! Which accesses of an expression are not sequenced with each other (C17 6.5p2-3).
//!
//! Lowering says where operands begin and end; here their accesses are remembered and compared. Accesses inside a
//! called function are indeterminately sequenced with the rest: a conflict there is a question of order, not
//! undefined behaviour.

mod beside;
mod sets;

use self::sets::{About, CallSet, chunk_mask};
use super::Exec;
use super::orders::{Meeting, Permutation};
use crate::memory::Memory;
use crate::memory::access::Update;
use crate::op::{READ_AFTER_FIRST, READ_AFTER_SECOND};
use crate::outcome::{Limit, Open, Run, Stop, ub_about};
use crate::ub::UbKind;
use crate::value::{AllocKind, Prov, Value};
use howler_lang::source::Pos;

/// Accesses of open expressions that are kept: a loop in a statement expression makes any number.
const MOST_ACCESSES: usize = 1 << 20;

/// The accesses of expressions that are being evaluated.
#[derive(Default)]
pub(super) struct Sequence {
    /// Tracked full expressions that are open in the current frame.
    depth: u32,
    /// Accesses, in order.
    log: Vec<Entry>,
    /// Where operands begin.
    starts: Vec<usize>,
    /// Where the log of each open full expression begins.
    begins: Vec<(usize, usize)>,
    /// Calls whose accesses are collected.
    calls: Vec<CallSet>,
    /// What was open around groups.
    groups: Vec<u32>,
}

/// What a caller's expression had open when a call began.
#[derive(Default, Clone, Copy)]
pub(super) struct Saved {
    depth: u32,
}

#[derive(Clone, Debug)]
enum Entry {
    Direct(Touch),
    Call(Box<CallSet>),
}

#[derive(Clone, Copy, Debug)]
struct Touch {
    slot: u32,
    generation: u32,
    /// The range, in bits from the start of the allocation.
    lo: u64,
    hi: u64,
    write: bool,
    volatile: bool,
    /// Not sequenced before the value of the operand it belongs to.
    pending: bool,
    /// The update that it is a part of.
    update: Update,
    /// Where.
    pos: Pos,
}

/// What kind of access it is.
#[derive(Clone, Copy, Default)]
pub(super) struct How {
    pub write: bool,
    pub volatile: bool,
    /// An initialisation: no lvalue is used.
    pub initial: bool,
    /// The update that it is a part of.
    pub update: Update,
}

impl Sequence {
    #[inline]
    pub(super) fn is_active(&self) -> bool {
        self.depth != 0 || !self.calls.is_empty()
    }

    pub(super) fn begin(&mut self) {
        self.depth += 1;
        self.begins.push((self.log.len(), self.starts.len()));
    }

    pub(super) fn end(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if let Some((log, starts)) = self.begins.pop() {
            self.log.truncate(log);
            self.starts.truncate(starts);
        }
    }

    /// Control leaves all expressions of the current frame.
    pub(super) fn abandon(&mut self) {
        while self.depth != 0 {
            self.end();
        }
    }

    pub(super) fn open(&mut self) {
        self.starts.push(self.log.len());
    }

    pub(super) fn close(&mut self) {
        self.starts.pop();
    }

    /// Everything of the innermost operand is done before what follows.
    pub(super) fn finish(&mut self) {
        let start = self.starts.last().copied().unwrap_or(0);
        for entry in &mut self.log[start..] {
            if let Entry::Direct(touch) = entry {
                touch.pending = false;
            }
        }
    }

    /// A call begins whose accesses may be compared with those around it.
    pub(super) fn enter_call(&mut self, recorded: bool, pos: Pos, serial: u64) -> Saved {
        let saved = Saved { depth: self.depth };
        if recorded {
            self.calls.push(CallSet { pos, serial: Some(serial), ..CallSet::default() });
        }
        self.depth = 0;
        saved
    }

    /// The call is done.
    pub(super) fn leave_call(&mut self, recorded: bool, saved: Saved, memory: &Memory, serial: u64) {
        self.depth = saved.depth;
        if recorded && let Some(mut set) = self.calls.pop() {
            set.leave_out_own(memory, serial);
            if let Some(outer) = self.calls.last_mut() {
                outer.merge(&set);
            }
            if self.depth != 0 {
                self.log.push(Entry::Call(Box::new(set)));
            }
        }
    }

    /// Something begins that is indeterminately sequenced with its neighbours.
    pub(super) fn group(&mut self) {
        self.calls.push(CallSet::default());
        self.groups.push(std::mem::take(&mut self.depth));
    }

    /// It ends.
    pub(super) fn group_end(&mut self) {
        self.depth = self.groups.pop().unwrap_or(0);
        if let Some(set) = self.calls.pop() {
            if let Some(outer) = self.calls.last_mut() {
                outer.merge(&set);
            }
            self.log.push(Entry::Call(Box::new(set)));
        }
    }

    /// A call that was entered as a recorded one is done; gives what it did.
    pub(super) fn leave_watched(&mut self, saved: Saved) -> Option<CallSet> {
        self.depth = saved.depth;
        let set = self.calls.pop()?;
        if let Some(outer) = self.calls.last_mut() {
            outer.merge(&set);
        }
        Some(set)
    }

    /// Something was printed.
    pub(super) fn print(&mut self) {
        if let Some(set) = self.calls.last_mut() {
            set.output = true;
        }
    }

    /// How much is open, to come back to it after a jump out of calls.
    pub(super) fn snapshot(&self) -> (u32, usize, usize, usize, usize) {
        (self.depth, self.log.len(), self.starts.len(), self.begins.len(), self.calls.len())
    }

    pub(super) fn restore(&mut self, (depth, log, starts, begins, calls): (u32, usize, usize, usize, usize)) {
        self.depth = depth;
        self.log.truncate(log);
        self.starts.truncate(starts);
        self.begins.truncate(begins);
        self.calls.truncate(calls);
    }
}

enum Conflict {
    None,
    Undefined(Touch, bool),
    Order(About),
    Volatile,
}

fn compare(a: &Entry, b: &Entry) -> Conflict {
    match (a, b) {
        (Entry::Direct(x), Entry::Direct(y)) => {
            let overlap = x.slot == y.slot && x.generation == y.generation && x.lo < y.hi && y.lo < x.hi;
            if overlap && (x.write || y.write) {
                Conflict::Undefined(*x, false)
            } else if overlap && x.volatile && y.volatile {
                Conflict::Undefined(*x, true)
            } else if x.volatile && y.volatile {
                Conflict::Volatile
            } else {
                Conflict::None
            }
        }
        (Entry::Call(set), Entry::Direct(touch)) | (Entry::Direct(touch), Entry::Call(set)) => {
            set.conflicts_with_touch(touch).map_or(Conflict::None, Conflict::Order)
        }
        (Entry::Call(x), Entry::Call(y)) => x.conflicts_with(y).map_or(Conflict::None, Conflict::Order),
    }
}

/// Two entries of different operands whose order may matter.
struct Clash {
    operands: (usize, usize),
    entries: (usize, usize),
    about: About,
}

/// Meetings that are remembered; of the others only their number.
const MOST_MEETINGS: usize = 64;

impl Exec<'_> {
    /// Operands of a meeting conflict: remembers which and about what.
    #[cold]
    fn clash(&mut self, clashes: &[Clash], operands: usize, met: Option<(u64, Permutation, usize)>) {
        let mut involved: Vec<(usize, usize)> = clashes
            .iter()
            .flat_map(|clash| [(clash.operands.0, clash.entries.0), (clash.operands.1, clash.entries.1)])
            .collect();
        involved.sort_unstable();
        involved.dedup();
        let tangled = involved.windows(2).any(|pair| pair[0].0 == pair[1].0);
        self.order_conflicts += if operands > 2 || tangled { 2 } else { 1 };
        if self.meetings.len() >= MOST_MEETINGS {
            return;
        }
        let place = |position: usize| match &met {
            Some((_, order, _)) => order.get(position).copied().unwrap_or(0),
            None => u8::try_from(position).unwrap_or(u8::MAX),
        };
        let fixed = met.as_ref().map_or(usize::MAX, |met| met.2);
        let mut conflicting: Vec<u8> = involved.iter().map(|&(operand, _)| place(operand)).collect();
        conflicting.sort_unstable();
        conflicting.dedup();
        conflicting.retain(|&operand| usize::from(operand) < fixed);
        let first = &clashes[0];
        let calls = [first.entries.0, first.entries.1].into_iter().filter_map(|at| match &self.seq.log[at] {
            Entry::Call(set) => Some(set.pos),
            Entry::Direct(_) => None,
        });
        let calls = calls.filter(|&pos| pos != Pos::NONE).collect();
        let direct = [first.entries.0, first.entries.1].into_iter().find_map(|at| match &self.seq.log[at] {
            Entry::Direct(touch) => Some(touch.pos),
            Entry::Call(_) => None,
        });
        let operand = direct.unwrap_or(Pos::NONE);
        let (about, declared) = match first.about {
            About::Output => ("what they print, or volatile objects".to_owned(), Pos::NONE),
            About::Object(slot, generation) => {
                let slot = Some(self.memory.slot(slot)).filter(|slot| slot.generation == generation);
                let name =
                    slot.and_then(|slot| slot.object).and_then(|object| self.program.objects[object].name);
                let what = match (name, slot.map(|slot| slot.kind)) {
                    (Some(name), _) => format!("'{}'", self.program.name(name)),
                    (None, Some(AllocKind::Heap)) => "allocated memory".to_owned(),
                    _ => "an object".to_owned(),
                };
                (what, slot.map_or(Pos::NONE, |slot| slot.born))
            }
        };
        let number = met.map(|met| met.0);
        let pos = self.pos;
        let meeting =
            Meeting { number, operands, conflicting, tangled, pos, calls, operand, about, declared };
        self.meetings.push(meeting);
    }

    /// Remembers an access to a range of bits.
    pub(super) fn touch_bits(&mut self, pointer: &Value, (lo, hi): (u64, u64), how: How) -> Run<()> {
        let How { write, volatile, initial, update } = how;
        let Some(slot) = self.memory.live(pointer.prov) else { return Ok(()) };
        let start = pointer.low.wrapping_sub(slot.address).saturating_mul(8);
        let own = self.seq.calls.last().is_some_and(|set| set.owns(slot));
        let Prov { slot, generation, .. } = pointer.prov;
        if self.watch.is_active() && !initial {
            self.watch_access(pointer, start + lo, start + hi, write)?;
        }
        let touch = Touch {
            slot,
            generation,
            lo: start + lo,
            hi: start + hi,
            write,
            volatile,
            pending: write,
            update,
            pos: self.pos,
        };
        if let Some(set) = self.seq.calls.last_mut() {
            if own {
                set.volatile |= volatile;
            } else {
                set.add(&touch);
                self.memory.charge(2 * (hi - lo));
            }
        }
        if self.seq.depth == 0 {
            return Ok(());
        }
        if self.seq.log.len() >= MOST_ACCESSES {
            return Err(Stop::Limit(Limit::Memory));
        }
        if write {
            // The store of an assignment against side effects of its operands that nothing orders before it.
            let start = self.seq.starts.last().copied().unwrap_or(0);
            self.memory.charge(32 * (self.seq.log.len() - start) as u64);
            for entry in &self.seq.log[start..] {
                if let Entry::Direct(other) = entry
                    && other.pending
                    && let Conflict::Undefined(..) = compare(entry, &Entry::Direct(touch))
                {
                    return ub_about(UbKind::Unsequenced, pointer.prov, String::new());
                }
            }
        }
        self.seq.log.push(Entry::Direct(touch));
        Ok(())
    }

    /// Remembers that a library function accessed bytes.
    pub(super) fn touch(&mut self, pointer: &Value, len: u64, write: bool) -> Run<()> {
        if (self.seq.is_active() || self.watch.is_active()) && len > 0 {
            return self.touch_bits(pointer, (0, len.saturating_mul(8)), How { write, ..How::default() });
        }
        Ok(())
    }

    /// Something ends that need not have been evaluated.
    pub(super) fn skippable_end(&mut self, always: bool) {
        self.seq.depth = self.seq.groups.pop().unwrap_or(0);
        let Some(set) = self.seq.calls.pop() else { return };
        if always || set.has_effects(&self.memory) {
            self.order_conflicts += 1;
            self.note_open(Open::Unevaluated);
        }
        if let Some(outer) = self.seq.calls.last_mut() {
            outer.merge(&set);
        }
        if self.seq.depth != 0 {
            self.seq.log.push(Entry::Call(Box::new(set)));
        }
    }

    /// Compares the accesses of operands that are not sequenced.
    pub(super) fn seq_join(&mut self, operands: u32, pc: usize) -> Run<()> {
        let after = match operands & (READ_AFTER_FIRST | READ_AFTER_SECOND) {
            0 => None,
            READ_AFTER_FIRST => Some(0),
            _ => Some(1),
        };
        let met = if self.plan.is_some() { self.met(pc) } else { None };
        // A chosen order moves the operand that the read comes after.
        let after = match (&met, after) {
            (Some((_, order, _)), Some(value)) => order.iter().position(|&place| usize::from(place) == value),
            (_, after) => after,
        };
        let count = operands & !(READ_AFTER_FIRST | READ_AFTER_SECOND);
        let count = (count as usize).min(self.seq.starts.len());
        let first = self.seq.starts.len() - count;
        let mut edges: Vec<usize> = self.seq.starts[first..].to_vec();
        edges.push(self.seq.log.len());
        let mut clashes: Vec<Clash> = Vec::new();
        let mut volatile = false;
        for i in 0..count {
            for j in i + 1..count {
                let read = after.filter(|_| j + 1 == count);
                if read.is_some_and(|value| value != i) {
                    // The read needs its own address first.
                    continue;
                }
                let pairs = (edges[i + 1] - edges[i]).saturating_mul(edges[j + 1] - edges[j]);
                self.memory.charge(32 * pairs as u64);
                for x in edges[i]..edges[i + 1] {
                    for y in edges[j]..edges[j + 1] {
                        match compare(&self.seq.log[x], &self.seq.log[y]) {
                            Conflict::None => {}
                            Conflict::Undefined(touch, volatile) => {
                                let prov = Prov {
                                    slot: touch.slot,
                                    generation: touch.generation,
                                    ..Prov::default()
                                };
                                if volatile {
                                    self.letter(UbKind::UnsequencedVolatile, prov)?;
                                    continue;
                                }
                                return ub_about(UbKind::Unsequenced, prov, String::new());
                            }
                            Conflict::Order(about) if read.is_none() => {
                                clashes.push(Clash { operands: (i, j), entries: (x, y), about });
                            }
                            Conflict::Order(_) => {}
                            Conflict::Volatile => volatile = true,
                        }
                    }
                }
            }
        }
        if !clashes.is_empty() {
            self.clash(&clashes, count, met);
            self.note_open(Open::CallOrder);
        }
        if volatile {
            self.trace_open = true;
        }
        if self.recorder.is_some() {
            self.loosen(&edges);
        }
        self.seq.starts.truncate(first + 1);
        Ok(())
    }
}
