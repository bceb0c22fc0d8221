//! Runs bytecode: one loop, no recursion on the host's stack.

mod accesses;
mod alike;
mod arith_ops;
mod builtin;
mod builtin_names;
mod calls;
mod contracts;
mod explain;
mod input;
mod jumps;
mod known;
mod lib_builtin;
mod lib_ctype;
mod lib_errno;
mod lib_exit;
mod lib_format;
mod lib_host;
mod lib_input;
mod lib_math;
mod lib_memory;
mod lib_names;
mod lib_number;
mod lib_power;
mod lib_scan;
mod lib_sort;
mod lib_stream;
mod lib_string;
mod lib_wide;
mod library;
mod nested;
mod objects;
mod orders;
mod output;
mod overflow;
mod pointers;
mod points;
mod pool;
mod returns;
mod sequence;
mod start;
mod varargs;
mod watch;
mod wide;
mod wording;

use crate::caveat::Caveat;
use crate::lower::Promises;
use crate::memory::Memory;
use crate::op::{Compiled, FuncCode, NONE, Op, POINTER, POOL, Reg};
use crate::outcome::{Limit, Open, Run, Stop, ub, unsupported};
use crate::profile::{Recorder, Sight};
use crate::ub::UbKind;
use crate::value::{Marks, Prov, Value};
use howler_case::behaviour::VolatileAccess;
use howler_lang::arith::{self, Num};
use howler_lang::program::{FuncId, Program};
use howler_lang::source::Pos;
use rustc_hash::FxHashMap;

pub(crate) use alike::declared_alike;
pub use input::{Input, reads_input};
pub(crate) use lib_names::is_library_name;
pub use library::is_known as is_modelled;
pub use orders::{Meeting, Permutation, Plan};
pub use start::{Limits, RunOptions, RunReport, run, run_planned};

/// Values of the library that are remembered for messages.
const MOST_CHOSEN: usize = 16;

/// A call in progress.
struct Frame<'p> {
    /// Index into [`Compiled::funcs`].
    func: u32,
    /// The next instruction.
    pc: u32,
    /// The first register.
    base: usize,
    /// How many automatic objects there were.
    autos: usize,
    /// How many scopes were open.
    scopes: usize,
    /// Where the caller wants the result; a register of the caller.
    dst: Reg,
    /// The object for an aggregate result.
    result: Option<Value>,
    /// Memory from alloca.
    allocas: Vec<Prov>,
    /// Arguments beyond the parameters.
    extra: Vec<(Value, howler_lang::ty::Type)>,
    /// Bytes of stack charged.
    stack: u64,
    /// The frame of the function around a nested one.
    outer: Option<usize>,
    /// Pointers to nested functions that were made for this call.
    closures: Vec<(FuncId, Value)>,
    /// Whether the accesses of this call are those of one operand.
    recorded: bool,
    /// An identity that is never used again.
    id: u64,
    /// Sequence state of the caller, while this call runs.
    saved_seq: sequence::Saved,
    /// Whether the caller uses the value.
    used: bool,
    /// How many allocations there were when it began.
    serial: u64,
    /// What is promised by the name that was called, if it is an alias of the function.
    alias: Option<&'p Promises>,
    /// The size of what it returns, as promised.
    returned_size: Option<u64>,
    /// The types of the arguments, if the parameters have variable bounds.
    given: Vec<howler_lang::ty::Type>,
}

/// A run in progress.
pub(crate) struct Exec<'p> {
    program: &'p Program,
    code: &'p Compiled,
    memory: Memory,
    pool: Vec<Value>,
    regs: Vec<Value>,
    frames: Vec<Frame<'p>>,
    /// Automatic objects, in the order they were made.
    autos: Vec<Prov>,
    /// The arguments of the call under way.
    args: Vec<(Value, howler_lang::ty::Type)>,
    /// For each open scope, how many automatic objects there were, and which it is.
    scopes: Vec<(usize, u32)>,
    base: usize,
    steps: u64,
    limits: Limits,
    stack_used: u64,
    output: Vec<u8>,
    errors: Vec<u8>,
    /// What the run depended on that the standard leaves open; the first of each kind.
    open: Vec<(Open, Pos)>,
    /// Which values of the library or the compiler that were.
    open_notes: Vec<(Pos, String)>,
    /// Values that the library or the compiler chose, by what gave them, and where; the first few.
    chosen: Vec<(&'p str, Pos)>,
    /// Texts that a library function returned and the program may not change, by their slots.
    library_texts: Vec<(u32, &'static str)>,
    /// The instruction that stopped, in the innermost function.
    fault: Option<u32>,
    /// The library function that stopped.
    native: Option<&'p str>,
    /// What not every compiler family promises; the first of each kind.
    caveats: Vec<(Caveat, Pos)>,
    pos: Pos,
    seq: sequence::Sequence,
    /// Volatile accesses.
    trace: Vec<VolatileAccess>,
    trace_open: bool,
    natives: FxHashMap<FuncId, Option<library::Native>>,
    va_lists: Vec<varargs::VaList>,
    jump_buffers: Vec<jumps::JumpBuffer>,
    atexit: Vec<Value>,
    /// Functions given to `at_quick_exit`.
    at_quick_exit: Vec<Value>,
    exiting: bool,
    /// `_Exit` was called: nothing runs any more.
    quick: bool,
    /// How much of the output was flushed.
    flushed: usize,
    /// Standard output is not buffered.
    unbuffered: bool,
    /// What was written to it.
    orientation: Option<lib_stream::Orientation>,
    /// What standard input gives.
    input: input::Reader<'p>,
    /// `errno`, once somebody has asked for it or set it.
    errno: Option<Value>,
    /// Tables and texts of the library, by name, once they were asked for.
    tables: Vec<(&'static str, Value)>,
    /// The objects that `stdin`, `stdout` and `stderr` point to, by their places.
    streams: Vec<(u32, lib_stream::Stream, Value)>,
    next_frame: u64,
    checked_sites: Vec<u32>,
    /// Labels whose address is taken.
    labels: FxHashMap<u32, (u32, howler_lang::program::LabelId)>,
    /// The frames that pointers to nested functions belong to, by the pointers' slots: index and identity.
    closures: FxHashMap<u32, (usize, u64)>,
    strtok: Option<Value>,
    /// Objects that changed between setjmp and longjmp, and whether these are the builtins.
    stale: FxHashMap<(u32, u32), bool>,
    /// What the last function returned.
    returned: Option<Value>,
    /// Calls from library functions that are open.
    callbacks: usize,
    /// `pos` is not where the current instruction comes from, but where the fault is.
    keep_pos: bool,
    /// Conflicts between operands; the first of them.
    meetings: Vec<orders::Meeting>,
    /// The orders that were chosen, if they were.
    plan: Option<Box<orders::Following>>,
    order_conflicts: u64,
    watch: watch::Watch,
    recorder: Option<Recorder>,
    /// Room for what is observed at one visit.
    sights: Vec<Sight>,
}

impl<'p> Exec<'p> {
    #[inline]
    fn get(&self, reg: Reg) -> &Value {
        if reg & POOL != 0 {
            &self.pool[(reg & !POOL) as usize]
        } else {
            &self.regs[self.base + reg as usize]
        }
    }

    #[inline]
    fn set(&mut self, reg: Reg, value: Value) {
        self.regs[self.base + reg as usize] = value;
    }

    /// Sets a register to a plain integer.
    #[inline(always)]
    fn put(&mut self, reg: Reg, bits: u64) {
        let value = &mut self.regs[self.base + reg as usize];
        value.low = bits;
        value.high = 0;
        value.marks = Marks::NONE;
    }

    /// The value of a register that may be used for anything.
    #[inline]
    fn usable(&self, reg: Reg) -> Run<Value> {
        let value = *self.get(reg);
        if value.marks.has(Marks::UNINIT) {
            return ub(UbKind::Uninit);
        }
        Ok(value)
    }

    /// Undefined behaviour that compilers give the plain result for: an option lets it pass.
    fn letter(&self, kind: UbKind, about: Prov) -> Run<()> {
        debug_assert_eq!(kind.strength(), arith::Strength::Letter);
        if self.limits.letter { Ok(()) } else { crate::outcome::ub_about(kind, about, String::new()) }
    }

    fn note_open(&mut self, what: Open) {
        if !self.open.iter().any(|&(known, _)| known == what) {
            self.memory.address_counts |= what == Open::Address;
            self.open.push((what, self.pos));
        }
    }

    /// Notes that something the library chooses counts, and what it is.
    #[cold]
    fn note_choice(&mut self, why: String) {
        if !self.open.iter().any(|&(known, _)| known == Open::Library) {
            self.open_notes.push((self.pos, why));
            self.note_open(Open::Library);
        }
    }

    /// Remembers that `what` gave a value that is open, in case the program comes to depend on it.
    #[cold]
    fn remember_choice(&mut self, what: &'p str) {
        let pos = self.pos;
        if self.chosen.len() < MOST_CHOSEN && !self.chosen.contains(&(what, pos)) {
            self.chosen.push((what, pos));
        }
    }

    /// The program's behaviour depends on this value.
    #[cold]
    fn depend(&mut self, marks: Marks) {
        if marks.has(Marks::ADDRESS) {
            self.note_open(Open::Address);
        }
        if marks.has(Marks::UNSPECIFIED) {
            self.note_open(Open::Padding);
        }
        if marks.has(Marks::LIBRARY) && !self.open.iter().any(|&(known, _)| known == Open::Library) {
            self.open_notes = self.choices(marks);
            self.note_open(Open::Library);
        }
    }

    /// Whether a value compares unequal to 0, where the program goes one way or another.
    #[inline(always)]
    fn test(&mut self, num: u8, reg: Reg, pc: usize) -> Run<bool> {
        let value = self.get(reg);
        if value.marks.is_empty() && num != POINTER && self.code.words[num as usize].is_some() {
            return Ok(value.low != 0);
        }
        self.test_slow(num, reg, pc)
    }

    #[inline(never)]
    fn test_slow(&mut self, num: u8, reg: Reg, pc: usize) -> Run<bool> {
        let value = *self.get(reg);
        if !value.marks.is_empty() {
            self.at(pc);
            self.check_tested(num, &value)?;
        }
        Ok(match num {
            POINTER => value.low != 0,
            _ => match self.code.nums[num as usize] {
                Num::Float(format) => arith::truth(Num::Float(format), value.to_bits()),
                _ => value.low | value.high != 0,
            },
        })
    }

    #[cold]
    fn check_tested(&mut self, num: u8, value: &Value) -> Run<()> {
        if value.marks.has(Marks::UNINIT) {
            return ub(UbKind::Uninit);
        }
        if num == POINTER {
            self.check_alive(value)?;
        }
        let float = num != POINTER && matches!(self.code.nums[num as usize], Num::Float(_));
        self.depend(known::truth_marks(value, float));
        Ok(())
    }

    /// The loop over the current function's instructions; comes back when the function changes.
    fn dispatch(&mut self) -> Run<()> {
        let code = self.code;
        let Some(frame) = self.frames.last() else { return Err(Stop::Exit(0)) };
        let function: &'p FuncCode = &code.funcs[frame.func as usize];
        let ops = &function.ops[..];
        let mut pc = frame.pc as usize;
        self.base = frame.base;
        let result = self.instructions(ops, &mut pc);
        // `pos` is where the last instruction came from, for everything that is said about it.
        if let Err(stop) = result {
            if std::mem::take(&mut self.keep_pos) {
                return Err(stop);
            }
            let at = pc.saturating_sub(1);
            self.fault = u32::try_from(at).ok();
            self.pos = function.positions.get(at).copied().unwrap_or(Pos::NONE);
            return Err(stop);
        }
        Ok(())
    }

    fn instructions(&mut self, ops: &[Op], pc: &mut usize) -> Run<()> {
        loop {
            let op = ops[*pc];
            *pc += 1;
            self.steps += 1;
            if self.steps + self.memory.work > self.limits.steps {
                return Err(Stop::Limit(Limit::Fuel));
            }
            match op {
                Op::Copy { dst, src } => {
                    let value = *self.get(src);
                    self.set(dst, value);
                }
                Op::Read { dst, src } => {
                    let value = *self.get(src);
                    if !value.marks.is_empty() {
                        self.check_read_value(&value)?;
                    }
                    self.set(dst, value);
                }
                Op::Binary { op, num, dst, a, b } => self.binary(op, num, dst, a, b)?,
                Op::Load { dst, addr, root, access } => self.load(dst, addr, root, access, *pc)?,
                Op::Store { src, addr, root, access } => self.store(src, addr, root, access, *pc)?,
                Op::Jump { to } => *pc = to as usize,
                Op::JumpIf { num, cond, to } => {
                    let holds = self.test(num, cond, *pc)?;
                    if holds {
                        *pc = to as usize;
                    }
                }
                Op::JumpUnless { num, cond, to } => {
                    let holds = self.test(num, cond, *pc)?;
                    if !holds {
                        *pc = to as usize;
                    }
                }
                Op::Unary { op, num, dst, a } => self.unary(op, num, dst, a)?,
                Op::Shift { op, num, count, dst, a, b } => self.shift(op, num, count, dst, a, b)?,
                Op::Step { up, num, dst, a } => self.step(up, num, dst, a)?,
                Op::Convert { from, to, dst, a } => self.convert(from, to, dst, a)?,
                Op::Truth { num, dst, a } => self.truth(num, dst, a, false)?,
                Op::Not { num, dst, a } => self.truth(num, dst, a, true)?,
                Op::PtrAdd { back, num, dst, base, index, step } => {
                    if !self.ptr_add_fast(back, num, dst, base, index, step) {
                        self.at(*pc);
                        self.ptr_add(back, num, dst, base, index, step)?;
                    }
                }
                Op::Member { dst, base, member } => self.member(dst, base, member)?,
                Op::Narrow { dst, base, size } => self.narrow(dst, base, u64::from(size)),
                Op::NarrowBy { dst, base, size } => {
                    let size = self.usable(size)?.low;
                    self.narrow(dst, base, size);
                }
                Op::PtrDiff { dst, a, b, step } => self.ptr_diff(dst, a, b, step)?,
                Op::PtrCompare { op, dst, a, b } => {
                    self.at(*pc);
                    self.ptr_compare(op, dst, a, b)?;
                }
                Op::PtrConvert { dst, a, to } => self.ptr_convert(dst, a, to)?,
                Op::PtrToInt { num, dst, a } => self.ptr_to_int(num, dst, a)?,
                Op::IntToPtr { num, dst, a, to } => self.int_to_ptr(num, dst, a, to)?,
                Op::Switch { value, table } => {
                    self.at(*pc);
                    *pc = self.switch(value, table)? as usize;
                }
                Op::Enter { scope } => self.enter(scope)?,
                Op::Leave => {
                    if self.scopes.last().is_some_and(|&(mark, _)| self.autos.len() > mark) {
                        self.at(*pc);
                    }
                    self.leave();
                }
                Op::CopyObject { transfer } => {
                    self.at(*pc);
                    self.copy_object(transfer)?;
                }
                Op::CopyString { to, from, size } => self.copy_string(to, from, size)?,
                Op::Unset { addr, size } => self.unset(addr, size)?,
                Op::UnsetReg { dst } => self.set(dst, Value::UNINIT),
                Op::ReadRestrict { dst, src, to_const } => self.read_restrict(dst, src, to_const)?,
                Op::Zero { addr, size } => self.zero(addr, size)?,
                Op::ZeroBy { addr, size } => {
                    let size = u32::try_from(self.usable(size)?.low).unwrap_or(u32::MAX);
                    self.zero(addr, size)?;
                }
                Op::Fused { num, dst, a, b, c } => {
                    self.at(*pc);
                    self.fused(num, dst, (a, b, c))?;
                }
                Op::Dropped { src } => {
                    let value = *self.get(src);
                    let read = self.check_read_value(&value);
                    self.dropped(read, &value)?;
                }
                Op::DroppedLoad { dst, addr, root, access } => {
                    let pointer = *self.get(addr);
                    let mut read = self.load(dst, addr, root, access, *pc);
                    if read.is_ok() {
                        read = self.check_read_value(self.get(dst));
                    }
                    self.dropped(read, &pointer)?;
                }
                Op::ArrayAt { base } => self.array_at(base)?,
                Op::ZeroRest { addr, size } => self.zero_rest(addr, size)?,
                Op::Pad { addr, pads } => self.pad(addr, pads)?,
                Op::Tail { addr, union, member } => self.tail(addr, union, member)?,
                Op::Vla { dst, spec, size } => self.vla(dst, spec, size)?,
                Op::Bound { num, dst, a } => self.bound(num, dst, a)?,
                Op::VlaSize { dst, count, elem } => self.vla_size(dst, count, elem)?,
                Op::ParamBound { num, a } => self.param_bound(num, a)?,
                Op::StaticBound { num, base, len, step, .. } => self.static_bound(num, base, len, step)?,
                Op::Temp { dst, spec } => {
                    let pointer = self.make(spec)?;
                    self.autos.push(pointer.prov);
                    self.set(dst, pointer);
                }
                Op::Call { site } => {
                    self.at(*pc);
                    if self.call(site, *pc)? {
                        return Ok(());
                    }
                }
                Op::Return { src } => {
                    self.at(*pc);
                    let value = match src {
                        NONE => None,
                        src => Some(self.usable(src)?),
                    };
                    return self.return_value(value);
                }
                Op::ReturnObject { addr, root, access } => {
                    self.at(*pc);
                    return self.return_object(addr, root, access);
                }
                Op::FallOff => {
                    self.at(*pc);
                    return self.fall_off();
                }
                Op::Builtin { site } => {
                    self.at(*pc);
                    self.builtin(site)?;
                }
                Op::VaArg { handed, dst, list, spec } => {
                    self.at(*pc);
                    self.va_arg(handed, dst, list, spec)?;
                }
                Op::Wide { site } => self.wide(site)?,
                Op::JumpTo { label } => {
                    self.at(*pc);
                    *pc = self.jump_to(label)? as usize;
                }
                Op::JumpOut { label } => {
                    self.at(*pc);
                    return self.jump_out(label);
                }
                Op::Outer { dst, level, src } => self.outer(dst, level, src)?,
                Op::Closure { dst, func } => self.closure(dst, func)?,
                Op::OpenInline => {
                    self.at(*pc);
                    self.note_open(Open::Inline);
                }
                Op::Unsupported { message } => {
                    return unsupported(self.code.messages[message as usize].clone());
                }
                Op::Undefined { kind } => {
                    let (kind, detail) = self.code.kinds[kind as usize].clone();
                    if !self.limits.letter || kind.strength() != arith::Strength::Letter {
                        return crate::outcome::ub_about(kind, Prov::default(), detail);
                    }
                }
                Op::Stmt { stmt, point } => self.point(stmt, point),
                Op::Branch { num, cond, site } => self.see_branch(num, cond, site),
                Op::Way { value, site } => self.see_way(value, site),
                Op::Operands { site } => self.see_operands(site, *pc),
                Op::Arguments { site } => self.see_arguments(site),
                Op::SeqBegin => self.seq.begin(),
                Op::SeqEnd => self.seq.end(),
                Op::SeqOpen | Op::SeqNext => {
                    if self.plan.is_some()
                        && let Some(to) = self.follow(op, *pc)
                    {
                        *pc = to;
                    } else {
                        self.seq.open();
                    }
                }
                Op::SeqJoin { operands } => {
                    self.at(*pc);
                    if self.plan.is_some()
                        && let Some(to) = self.follow(op, *pc)
                    {
                        *pc = to;
                    } else {
                        self.seq_join(operands, *pc)?;
                    }
                }
                Op::SeqClose => self.seq.close(),
                Op::SeqGroup => self.seq.group(),
                Op::SeqGroupEnd => self.seq.group_end(),
                Op::SeqSkippable { always } => {
                    self.at(*pc);
                    self.skippable_end(always);
                }
                Op::SameSize { a, b } => {
                    let (a, b) = (self.usable(a)?, self.usable(b)?);
                    if a.low != b.low {
                        self.letter(UbKind::VlaBounds, Prov::default())?;
                    }
                }
                Op::ParamSize { param, size } => self.param_size(param, size)?,
                Op::Overlap { to, from, to_size, from_size, same } => {
                    self.overlap(to, from, to_size, from_size, same)?;
                }
                Op::SomeSet { addr, size } => self.some_set(addr, size)?,
                Op::SeqFinish => self.seq.finish(),
            }
        }
    }

    /// Remembers where the instruction before `pc` came from.
    #[inline]
    fn at(&mut self, pc: usize) {
        if let Some(frame) = self.frames.last() {
            let function = &self.code.funcs[frame.func as usize];
            self.pos = function.positions[pc - 1];
        }
    }

    fn switch(&mut self, value: Reg, table: u32) -> Run<u32> {
        let table = &self.code.switches[table as usize];
        let value = self.usable(value)?;
        let kind = self.code.nums[table.num as usize];
        if value.marks.has(Marks::OPEN) && known::may_be_in(kind, &value, &table.cases) {
            self.depend(value.marks);
        }
        let number = kind.number(value.to_bits());
        let found = table.cases.partition_point(|&(lo, ..)| lo <= number);
        if found > 0 {
            let (_, hi, to) = table.cases[found - 1];
            if number <= hi {
                return Ok(to);
            }
        }
        Ok(table.default)
    }

    fn function(&self) -> &'p FuncCode {
        let index = self.frames.last().map_or(0, |frame| frame.func);
        &self.code.funcs[index as usize]
    }
}
