//! What is said about a run that did not end well: names, clauses, places, the calls that were open. All of it is looked
//! up when the run is over; nothing here costs a run that ends by itself anything.

use super::{Exec, wording};
use crate::memory::Death;
use crate::op::{Op, POOL, Reg};
use crate::outcome::{Stop, Ub, UbStop, with_note};
use crate::ub::UbKind;
use crate::value::{AllocKind, Choice, Marks, Prov};
use howler_lang::program::{ExprKind, FuncId, ObjId, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::visit::{Node, Walk};
use std::borrow::Cow;

/// Calls of a stack that are shown, the innermost ones and the outermost ones.
const STACK_FIRST: usize = 8;
const STACK_LAST: usize = 4;

/// Sources of a value the library chose that are shown.
const MOST_SOURCES: usize = 4;

impl Exec<'_> {
    pub(super) fn explain(&self, stop: UbStop) -> Ub {
        let UbStop { mut kind, detail, about, said, notes } = stop;
        let mut shown = Vec::new();
        if let Some(prov) = about {
            if kind == UbKind::Uninit && self.stale.contains_key(&(prov.slot, prov.generation)) {
                kind = UbKind::LongjmpStale;
            }
            shown = self.life_of(prov);
        }
        shown.extend(notes);
        let mut ub = Ub::new(kind, self.pos, detail);
        if let Some((message, clause)) = said {
            (ub.message, ub.clause) = (message, Cow::Borrowed(clause));
        } else {
            self.word(&mut ub, about, &mut shown);
        }
        ub.notes = shown;
        ub.notes.extend(self.call_stack());
        ub
    }

    /// Where an object was made, and where its lifetime ended.
    fn life_of(&self, prov: Prov) -> Vec<(Pos, String)> {
        let mut notes = Vec::new();
        if let Some(slot) = self.memory.live(prov) {
            if slot.born != Pos::NONE {
                notes.push((slot.born, self.describe(prov, slot.object)));
            }
        } else if let Some(slot) = self.memory.dead(prov) {
            if slot.born != Pos::NONE {
                notes.push((slot.born, self.describe(prov, slot.object)));
            }
            if let Some(death) = slot.death.filter(|death| death.pos != Pos::NONE) {
                let end = slot.object.and_then(|_| self.block_end(prov, slot.born, death));
                let how = match prov.kind {
                    AllocKind::Heap => "it was freed here",
                    _ if death.returned => "its lifetime ended when the function returned here",
                    _ => "its lifetime ended here",
                };
                notes.push((end.unwrap_or(death.pos), how.to_owned()));
            }
        }
        notes
    }

    /// The closing brace that ended a variable's lifetime; nothing if a jump did.
    fn block_end(&self, prov: Prov, born: Pos, death: Death) -> Option<Pos> {
        let sources = &self.program.sources;
        let block = matches!(prov.kind, AllocKind::Automatic | AllocKind::Vla) && !death.returned;
        let last = sources.text_from(death.pos).filter(|_| block)?;
        let jumps = ["break", "continue", "goto", "return"].iter().any(|jump| last.starts_with(jump));
        let end = sources.block_end(born).filter(|_| !jumps)?;
        (end > death.pos).then_some(end)
    }

    /// Finds better words than the kind's own.
    fn word(&self, ub: &mut Ub, about: Option<Prov>, notes: &mut Vec<(Pos, String)>) {
        if let (UbKind::StringModified, Some(prov)) = (ub.kind, about)
            && let Some((_, function)) = self.library_texts.iter().find(|(slot, _)| *slot == prov.slot)
        {
            ub.message = format!("text that '{function}' returned modified").into();
            ub.clause = Cow::Borrowed(wording::text_clause(function));
            for note in notes.iter_mut().filter(|note| note.1 == STRING_HERE) {
                note.1 = format!("'{function}' returned it here");
            }
            return;
        }
        if ub.kind == UbKind::Uninit {
            self.word_unset(ub, about, notes);
        }
        let Some(function) = self.native else { return };
        if let Some(message) = wording::message(ub.kind, function) {
            ub.message = message.into();
        }
        if let Some(clause) = wording::clause(ub.kind, function) {
            ub.clause = clause.into();
        }
    }

    /// A value that was never set: which variable's, and who says that it must not be used.
    fn word_unset(&self, ub: &mut Ub, about: Option<Prov>, notes: &mut Vec<(Pos, String)>) {
        let Some(prov) = about else {
            if let Some((object, pos)) = self.unset_variable() {
                let declared = &self.program.objects[object];
                let name = declared.name.map_or("", |name| self.program.name(name));
                ub.message = format!("'{name}' is used without a value").into();
                ub.clause = Cow::Borrowed("6.3.2.1p2");
                ub.pos = if pos == Pos::NONE { ub.pos } else { pos };
                notes.push((declared.pos, format!("'{name}' is declared here")));
            }
            return;
        };
        if prov.kind == AllocKind::Heap {
            ub.clause = Cow::Borrowed("7.22.3.4p2, 6.2.6.1p5, J.2");
        } else {
            let object = self.memory.live(prov).and_then(|slot| slot.object);
            if object.is_some_and(|object| self.could_be_register(object)) {
                ub.clause = Cow::Borrowed("6.3.2.1p2");
                return;
            }
            ub.clause = Cow::Borrowed("6.7.9p10, 6.2.6.1p5, J.2");
        }
        // The letter speaks of trap representations, which hardly a type has.
        let why = "compilers take it for any value, and another one at each use";
        notes.push((Pos::NONE, why.to_owned()));
    }

    /// A scalar whose address is never taken.
    fn could_be_register(&self, object: ObjId) -> bool {
        let program = self.program;
        let named = |id| matches!(program.exprs[id].kind, ExprKind::Object(named) if named == object);
        !crate::facts::is_aggregate(program, program.objects[object].ty)
            && !program.exprs.iter().any(
                |(_, expr)| matches!(expr.kind, ExprKind::Unary(UnaryOp::AddrOf, operand) if named(operand)),
            )
    }

    /// The variable in a register that the last instruction used without a value, and where it is named.
    fn unset_variable(&self) -> Option<(ObjId, Pos)> {
        let frame = self.frames.last()?;
        let code = &self.code.funcs[frame.func as usize];
        let op = code.ops.get(self.fault? as usize)?;
        let used = self.sources(op);
        let unset = |object: ObjId| {
            let reg = *code.objects.get(&object)?;
            let value = self.regs.get(frame.base + reg as usize)?;
            value.marks.has(Marks::UNINIT).then_some(reg)
        };
        let direct = |object: ObjId| unset(object).is_some_and(|reg| used.contains(&reg));
        let is_direct = code.objects.keys().any(|&object| direct(object));
        let wanted = |object: ObjId| if is_direct { direct(object) } else { unset(object).is_some() };
        let program = self.program;
        let named = |id| match program.exprs[id].kind {
            ExprKind::Object(object) if wanted(object) => Some((object, program.exprs[id].pos)),
            _ => None,
        };
        let below = |id| {
            Walk::of(program, Node::Expr(id)).find_map(|part| match part.node {
                Node::Expr(part) => named(part),
                _ => None,
            })
        };
        let here = program.exprs.iter().filter(|(_, expr)| expr.pos == self.pos && self.pos != Pos::NONE);
        let mut found = here.filter_map(|(id, _)| named(id).or_else(|| below(id)));
        if let Some(found) = found.next() {
            return Some(found);
        }
        // A statement's place: the next mention.
        let after = program.exprs.iter().filter(|(_, expr)| expr.pos > self.pos && is_direct);
        after.filter_map(|(id, _)| named(id)).min_by_key(|&(_, pos)| pos)
    }

    /// The registers of a frame that an instruction takes values from, as far as they may be variables.
    fn sources(&self, op: &Op) -> Vec<Reg> {
        let all: &[Reg] = match *op {
            Op::Copy { src, .. }
            | Op::Read { src, .. }
            | Op::ReadRestrict { src, .. }
            | Op::Dropped { src }
            | Op::Return { src } => &[src],
            Op::Binary { a, b, .. }
            | Op::Shift { a, b, .. }
            | Op::PtrDiff { a, b, .. }
            | Op::PtrCompare { a, b, .. }
            | Op::SameSize { a, b } => &[a, b],
            Op::Unary { a, .. }
            | Op::Step { a, .. }
            | Op::Convert { a, .. }
            | Op::Truth { a, .. }
            | Op::Not { a, .. }
            | Op::PtrConvert { a, .. }
            | Op::PtrToInt { a, .. }
            | Op::IntToPtr { a, .. }
            | Op::Bound { a, .. }
            | Op::ParamBound { a, .. } => &[a],
            Op::JumpIf { cond, .. } | Op::JumpUnless { cond, .. } => &[cond],
            Op::Switch { value, .. } => &[value],
            Op::PtrAdd { base, index, .. } => &[base, index],
            Op::Member { base, .. } | Op::Narrow { base, .. } => &[base],
            Op::Load { addr, .. } | Op::DroppedLoad { addr, .. } => &[addr],
            Op::Store { src, addr, .. } => &[src, addr],
            Op::Fused { a, b, c, .. } => &[a, b, c],
            Op::Call { site } => {
                let call = &self.code.calls[site as usize];
                let args = call.args.iter().map(|&(reg, _)| reg);
                return args.chain([call.callee]).filter(|reg| reg & POOL == 0).collect();
            }
            _ => &[],
        };
        all.iter().copied().filter(|reg| reg & POOL == 0).collect()
    }

    /// Where a value with these marks may come from that the library or the compiler chose.
    #[cold]
    pub(super) fn choices(&self, marks: Marks) -> Vec<(Pos, String)> {
        let one = self.chosen.len() == 1;
        let told = |&(what, pos): &(&str, Pos)| {
            let comes = if one { "it comes from here" } else { "it may come from here" };
            (pos, format!("{comes}: {}", wording::choice(what)))
        };
        let mut notes: Vec<(Pos, String)> = self.chosen.iter().take(MOST_SOURCES).map(told).collect();
        if marks.choice() == Choice::Bits {
            let either = if self.chosen.is_empty() { "" } else { "or " };
            let why = format!("{either}it is the sign or the payload of a NaN (C17 5.2.4.2.2p4)");
            notes.push((Pos::NONE, why));
        }
        if notes.is_empty() {
            let why = "it comes from what a builtin knows about its argument, from errno or from the host";
            notes.push((Pos::NONE, why.to_owned()));
        }
        notes
    }

    /// Adds a note about the function that is called.
    #[cold]
    pub(super) fn about_function(&self, stop: Stop, func: FuncId) -> Stop {
        let function = &self.program.funcs[func];
        let how = if function.body.is_some() { "defined" } else { "declared" };
        with_note(stop, function.pos, format!("'{}' is {how} here", self.program.name(function.name)))
    }

    /// Adds a note about a second object.
    #[cold]
    pub(super) fn about_object(&self, stop: Stop, prov: Prov) -> Stop {
        self.life_of(prov).into_iter().fold(stop, |stop, (pos, note)| with_note(stop, pos, note))
    }

    /// One line for each call that is open, the innermost first.
    pub(super) fn call_stack(&self) -> Vec<(Pos, String)> {
        let own = |frame: &super::Frame| self.code.start != Some(frame.func);
        let name = |frame: &super::Frame| {
            self.program.name(self.program.funcs[self.code.funcs[frame.func as usize].func].name)
        };
        let pairs = self.frames.windows(2).rev().filter(|pair| own(&pair[0]) && own(&pair[1]));
        let count = pairs.clone().count();
        let mut lines = Vec::new();
        for (index, pair) in pairs.enumerate() {
            if count > STACK_FIRST + STACK_LAST && (STACK_FIRST..count - STACK_LAST).contains(&index) {
                if index == STACK_FIRST {
                    let left_out = count - STACK_FIRST - STACK_LAST;
                    lines.push((Pos::NONE, format!("{left_out} more calls are open")));
                }
                continue;
            }
            let code = &self.code.funcs[pair[0].func as usize];
            let at = (pair[0].pc as usize).saturating_sub(1);
            let pos = code.positions.get(at).copied().unwrap_or(Pos::NONE);
            lines.push((pos, format!("'{}' is called here, in '{}'", name(&pair[1]), name(&pair[0]))));
        }
        lines
    }

    fn describe(&self, prov: Prov, object: Option<ObjId>) -> String {
        let name = object.and_then(|object| self.program.objects[object].name);
        match (prov.kind, name) {
            (_, Some(name)) => format!("'{}' is declared here", self.program.name(name)),
            (AllocKind::Heap, _) => "it was allocated here".to_owned(),
            (AllocKind::String, _) => STRING_HERE.to_owned(),
            _ => "the object is made here".to_owned(),
        }
    }
}

/// The note about a string literal.
const STRING_HERE: &str = "the string literal is here";
