//! What a profile may not be sure of inside a call: objects that operands beside the call write. Whether they do so
//! before the call or after it is open (C17 6.5.2.2p10), though nothing the program does shows it.

use super::{Entry, Exec, Sequence, chunk_mask};
use crate::op::POOL;
use crate::profile::Statics;
use rustc_hash::FxHashSet;

impl Sequence {
    /// A chosen point is visited: it belongs to the innermost call whose accesses are collected.
    pub(in crate::exec) fn look(&mut self, point: u32) {
        if let Some(set) = self.calls.last_mut() {
            set.points.insert(point);
        }
    }
}

impl Exec<'_> {
    /// Operands are joined, whose entries lie between these edges: what one of them writes is open at the points of the
    /// calls in the others. Locals of those calls are nobody else's.
    pub(super) fn loosen(&mut self, edges: &[usize]) {
        let operands = || edges.windows(2).enumerate();
        for (i, own) in operands() {
            for x in own[0]..own[1] {
                let Entry::Call(set) = &self.seq.log[x] else { continue };
                if set.points.is_empty() {
                    continue;
                }
                let points = set.points.clone();
                for (_, other) in operands().filter(|&(j, _)| j != i) {
                    for y in other[0]..other[1] {
                        self.loosen_by(&points, y);
                    }
                }
            }
        }
    }

    /// What the entry `y` of the log writes is open at these points.
    fn loosen_by(&mut self, points: &FxHashSet<u32>, y: usize) {
        let known = self.statics();
        let Some(recorder) = &mut self.recorder else { return };
        match &self.seq.log[y] {
            Entry::Direct(touch) if touch.write => {
                for chunk in touch.lo / 64..touch.hi.div_ceil(64) {
                    let mask = chunk_mask(touch, chunk);
                    recorder.loosen(&known, &self.code.profile, points, (touch.slot, chunk, mask));
                }
            }
            Entry::Direct(_) => {}
            Entry::Call(set) => {
                for (&(slot, _, chunk), done) in &set.chunks {
                    let mask = done.writes | done.updates;
                    if mask != 0 {
                        recorder.loosen(&known, &self.code.profile, points, (slot, chunk, mask));
                    }
                }
            }
        }
        recorder.statics = Some(known);
    }

    /// The run ends inside calls that were never joined with what is beside them.
    pub(in crate::exec) fn loosen_open_calls(&mut self) {
        if self.recorder.is_none() {
            return;
        }
        let open: FxHashSet<u32> = self.seq.calls.iter().flat_map(|set| set.points.iter().copied()).collect();
        if open.is_empty() {
            return;
        }
        let known = self.statics();
        let Some(recorder) = &mut self.recorder else { return };
        for &slot in known.keys() {
            recorder.loosen_all(&known, &self.code.profile, &open, slot);
        }
    }

    /// The static objects that points look at. Those of other units that mean one object have one slot.
    fn statics(&mut self) -> Statics {
        if let Some(known) = self.recorder.as_mut().and_then(|recorder| recorder.statics.take()) {
            return known;
        }
        let mut known = Statics::default();
        for (point, watched) in (0u32..).zip(&self.code.profile.points) {
            let mut first = 0;
            for object in &watched.objects {
                if object.reg & POOL != 0 {
                    let slot = self.get(object.reg).prov.slot;
                    known.entry(slot).or_default().push((point, first, object.parts));
                }
                first += self.code.profile.objects[object.parts as usize].parts.len();
            }
        }
        known
    }
}
