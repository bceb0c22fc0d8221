//! The beginning and the end of a run.

use super::input::{Input, Reader};
use super::orders::{Following, Meeting, Plan};
use super::{Exec, sequence};
use crate::caveat::Caveat;
use crate::lower::{self, Order};
use crate::memory::{Memory, Placement, Request, shadow};
use crate::op::{Compiled, NONE, PoolItem};
use crate::outcome::{Open, Outcome, Run, Stop, Unsupported};
use crate::profile::{Profile, ProfileOptions, Recorder};
use crate::ub::UbKind;
use crate::value::{AllocKind, Marks, Prov, Value};
use howler_case::behaviour::VolatileAccess;
use howler_lang::program::{AttrArg, FuncId, Function, Linkage, Program};
use howler_lang::source::Pos;
use howler_lang::ty::{Quals, Type, TypeKind};
use rustc_hash::FxHashMap;

/// What constructors and destructors without a priority have in gcc and clang.
const DEFAULT_PRIORITY: i128 = 65535;

/// What a run may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Instructions.
    pub steps: u64,
    /// Bytes of all objects.
    pub memory: u64,
    /// Bytes of stack, as frames at -O0 would take.
    pub stack: u64,
    /// Calls that are open.
    pub frames: usize,
    /// Bytes of output.
    pub output: usize,
    /// Volatile accesses that are kept.
    pub trace: usize,
    /// Whether undefined behaviour that compilers give the plain result for goes on with that.
    pub letter: bool,
    /// Whether signed overflow of `+ - *`, negation, `++` and `--` wraps, as `-fwrapv` has it. Division does not.
    pub wrapv: bool,
    /// Whether a compiler may round `a * b + c` once (C17 6.5p8): then a judgement's later runs do.
    pub contract: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: 1_000_000_000,
            // Howler takes several times as much: shadows, provenance, types of stores.
            memory: 256 << 20,
            stack: 4 << 20,
            frames: 100_000,
            output: 16 << 20,
            trace: 1 << 18,
            letter: false,
            wrapv: false,
            contract: false,
        }
    }
}

/// The choices of one run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunOptions<'a> {
    /// Standard input and the arguments of `main`.
    pub input: Input<'a>,
    /// Limits.
    pub limits: Limits,
    /// The order of operands.
    pub order: Order,
    /// Where objects are.
    pub placement: Placement,
    /// What to observe, if a profile is wanted.
    pub profile: Option<ProfileOptions<'a>>,
    /// Every object in memory, every access and operation the long way. Slower, and nothing else may differ: tests
    /// compare the two.
    pub checked: bool,
}

/// What a run did.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// How it ended.
    pub outcome: Outcome,
    /// How it ended, if a profile let it go on after undefined arithmetic ([`ProfileOptions::bare`]); `outcome` is then
    /// the first of that.
    pub went_on: Option<Outcome>,
    /// Where, if it did not end by itself.
    pub stopped: Pos,
    /// The calls that were open there, the innermost first; of many only the first and the last.
    pub stack: Vec<(Pos, String)>,
    /// What it wrote to standard output.
    pub output: Vec<u8>,
    /// What it wrote to standard error.
    pub errors: Vec<u8>,
    /// What it depended on that the standard leaves open.
    pub open: Vec<(Open, Pos)>,
    /// Which values of the library or the compiler that were, if it depended on such.
    pub open_notes: Vec<(Pos, String)>,
    /// What not every compiler family promises to translate as it is meant; the first of each kind.
    pub caveats: Vec<(Caveat, Pos)>,
    /// Volatile accesses in order.
    pub trace: Vec<VolatileAccess>,
    /// Whether another conforming run could have another trace.
    pub trace_open: bool,
    /// How often the order of calls could have mattered; more than two operands count twice.
    pub order_conflicts: u64,
    /// The first of the conflicts behind that number.
    pub meetings: Vec<Meeting>,
    /// What was observed, if it was asked for.
    pub profile: Option<Profile>,
    /// Instructions executed.
    pub steps: u64,
    /// Bytes of memory used at most.
    pub memory: u64,
}

/// Runs a linked program.
pub fn run(program: &Program, options: &RunOptions<'_>) -> RunReport {
    run_planned(program, options, None)
}

/// Runs a linked program, with a choice of orders beyond that of the options.
pub fn run_planned(program: &Program, options: &RunOptions<'_>, plan: Option<&Plan>) -> RunReport {
    if let Some(outcome) = crate::admit::refusal(program, options.limits.letter) {
        return RunReport::of(outcome);
    }
    let main = match find_main(program) {
        Ok(main) => main,
        Err(why) => return RunReport::of(Outcome::BadProgram(why)),
    };
    let code = match lower::compile(program, options) {
        Ok(code) => code,
        Err(refusal) => {
            let what = Unsupported { what: refusal.what, pos: refusal.pos };
            return RunReport::of(Outcome::Unsupported(Box::new(what)));
        }
    };
    if let Some(outcome) = super::lib_names::refusal(program) {
        return RunReport::of(outcome);
    }
    if let Some(name) = &code.missing {
        return RunReport::of(Outcome::BadProgram(format!(
            "no external definition of the inline function '{name}'"
        )));
    }
    let mut exec = Exec::new(program, &code, options);
    exec.plan = plan.map(|plan| Box::new(Following::new(plan)));
    let stop = exec.whole(main, options.input.arguments);
    exec.report(stop)
}

impl RunReport {
    fn of(outcome: Outcome) -> RunReport {
        RunReport {
            outcome,
            went_on: None,
            stopped: Pos::NONE,
            stack: Vec::new(),
            output: Vec::new(),
            errors: Vec::new(),
            open: Vec::new(),
            open_notes: Vec::new(),
            caveats: Vec::new(),
            trace: Vec::new(),
            trace_open: false,
            order_conflicts: 0,
            meetings: Vec::new(),
            profile: None,
            steps: 0,
            memory: 0,
        }
    }
}

fn find_main(program: &Program) -> Result<FuncId, String> {
    // One with internal linkage is not the function that is called at program startup (C17 5.1.2.2.1p1).
    let mut found = program.funcs.iter().filter(|(_, f)| {
        f.body.is_some() && f.linkage == Linkage::External && program.name(f.name) == "main"
    });
    match (found.next(), found.next()) {
        (Some((main, _)), None) => Ok(main),
        (Some(_), Some(_)) => Err("two definitions of main".to_owned()),
        (None, _) => Err("no definition of main".to_owned()),
    }
}

impl<'p> Exec<'p> {
    fn new(program: &'p Program, code: &'p Compiled, options: &RunOptions<'p>) -> Exec<'p> {
        let mut memory = Memory::new(&program.target, options.placement, options.limits.memory);
        if program.funcs.iter().any(|(_, func)| crate::lower::is_setjmp(program.name(func.name))) {
            memory.watch_jumps();
        }
        Exec {
            program,
            code,
            memory: memory.checked(options.checked).lenient(options.limits.letter),
            pool: Vec::with_capacity(code.pool.len()),
            regs: Vec::new(),
            frames: Vec::new(),
            autos: Vec::new(),
            args: Vec::new(),
            scopes: Vec::new(),
            base: 0,
            steps: 0,
            limits: options.limits,
            stack_used: 0,
            output: Vec::new(),
            errors: Vec::new(),
            open: Vec::new(),
            open_notes: Vec::new(),
            chosen: Vec::new(),
            library_texts: Vec::new(),
            fault: None,
            native: None,
            caveats: Vec::new(),
            pos: Pos::NONE,
            seq: sequence::Sequence::default(),
            trace: Vec::new(),
            trace_open: false,
            natives: FxHashMap::default(),
            va_lists: Vec::new(),
            jump_buffers: Vec::new(),
            atexit: Vec::new(),
            at_quick_exit: Vec::new(),
            exiting: false,
            quick: false,
            flushed: 0,
            unbuffered: false,
            orientation: None,
            input: Reader::new(options.input.bytes),
            errno: None,
            tables: Vec::new(),
            streams: Vec::new(),
            next_frame: 0,
            checked_sites: vec![u32::MAX; code.calls.len()],
            labels: FxHashMap::default(),
            closures: FxHashMap::default(),
            strtok: None,
            stale: FxHashMap::default(),
            returned: None,
            callbacks: 0,
            keep_pos: false,
            meetings: Vec::new(),
            plan: None,
            order_conflicts: 0,
            watch: super::watch::Watch::default(),
            recorder: options.profile.map(|options| Recorder::new(&options, program, &code.profile)),
            sights: Vec::new(),
        }
    }

    fn whole(&mut self, main: FuncId, arguments: &[Vec<u8>]) -> Stop {
        let status = match self.until_exit(main, arguments) {
            Ok(status) => status,
            Err(Stop::Exit(status)) if !self.quick => status,
            Err(stop) => return stop,
        };
        match self.run_exit_handlers() {
            Ok(()) => Stop::Exit(status),
            Err(stop) => stop,
        }
    }

    fn until_exit(&mut self, main: FuncId, arguments: &[Vec<u8>]) -> Run<u8> {
        self.make_pool()?;
        if let Some(start) = self.code.start {
            self.push_frame(start, &[], NONE, None, false)?;
            while !self.frames.is_empty() {
                self.dispatch()?;
            }
        }
        // Objects with static storage have their values before the program starts (C17 5.1.2p1): no access gives them.
        self.trace.clear();
        self.trace_open = false;
        for func in self.marked_functions("constructor") {
            self.run_function(func, &[])?;
        }
        let args = self.main_arguments(main, arguments)?;
        let restricted = self.restricted_globals();
        self.watch.open_main(&restricted);
        self.run_function(main, &args)?;
        self.watch.close_main();
        let ret = self.code.func_index.get(&main).map(|_| self.program.funcs[main].ty);
        let types = &self.program.types;
        let int = ret.is_none_or(|ty| match types.kind(ty) {
            TypeKind::Function(id) => types.kind(types.signature(id).ret) == types.kind(Type::INT),
            _ => true,
        });
        let value = match self.returned {
            Some(value) if int => value,
            // `void main`, `char main`: what the status is nobody says (C17 5.1.2.2.3p1).
            _ => {
                self.note_open(Open::MainStatus);
                Value::int(0)
            }
        };
        if value.marks.has(Marks::UNINIT) {
            return crate::outcome::ub(UbKind::Uninit);
        }
        if value.marks.has(Marks::OPEN) {
            self.depend(value.marks);
        }
        Ok(value.low as u8)
    }

    /// Objects of file scope that are restrict pointers or have such parts.
    fn restricted_globals(&self) -> Vec<Prov> {
        let items = self.code.pool.iter().zip(&self.pool);
        let restricted = items.filter(|(item, _)| match **item {
            PoolItem::Object(object) => {
                let declared = &self.program.objects[object];
                declared.linkage != Linkage::None
                    && lower::has_qualified_part(self.program, declared.ty, Quals::RESTRICT)
            }
            _ => false,
        });
        restricted.map(|(_, value)| value.prov).collect()
    }

    fn run_function(&mut self, func: FuncId, args: &[(Value, Type)]) -> Run<()> {
        let Some(&index) = self.code.func_index.get(&func) else { return Ok(()) };
        self.push_frame(index, args, NONE, None, false)?;
        while !self.frames.is_empty() {
            self.dispatch()?;
        }
        Ok(())
    }

    fn run_exit_handlers(&mut self) -> Run<()> {
        if self.exiting {
            return crate::outcome::ub(UbKind::ExitTwice);
        }
        self.exiting = true;
        while let Some(frame) = self.frames.pop() {
            drop(frame);
        }
        while let Some(handler) = self.atexit.pop() {
            self.check_callback(&handler, &[], Type::VOID)?;
            match self.call_back(&handler, &[]) {
                Ok(_) => {}
                Err(Stop::Exit(_)) if !self.quick => return crate::outcome::ub(UbKind::ExitTwice),
                Err(stop) => return Err(stop),
            }
        }
        for func in self.marked_functions("destructor").into_iter().rev() {
            match self.run_function(func, &[]) {
                Ok(()) => {}
                Err(Stop::Exit(_)) if !self.quick => return crate::outcome::ub(UbKind::ExitTwice),
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// Constructors in the order they run, or destructors in the reverse of theirs: by priority, then as files and
    /// definitions come.
    fn marked_functions(&self, attribute: &str) -> Vec<FuncId> {
        let priority = |func: &Function| {
            let attrs = func.attrs.iter().filter(|attr| self.program.name(attr.name) == attribute);
            let given = attrs.map(|attr| match attr.args.first() {
                Some(AttrArg::Int(priority)) => *priority,
                _ => DEFAULT_PRIORITY,
            });
            given.min().filter(|_| func.body.is_some())
        };
        let functions = self.program.funcs.iter();
        let mut marked: Vec<_> = functions
            .filter_map(|(id, func)| {
                let body = func.body?;
                Some((priority(func)?, func.unit, body, id))
            })
            .collect();
        marked.sort_unstable();
        marked.into_iter().map(|(.., id)| id).collect()
    }

    /// `argv` has a name, the arguments and a null pointer. What the name is, and what else is in the environment that
    /// some programs take as a third parameter, is the host's choice (C17 5.1.2.2.1p2, J.5.1).
    fn main_arguments(&mut self, main: FuncId, arguments: &[Vec<u8>]) -> Run<Vec<(Value, Type)>> {
        let params = &self.program.funcs[main].params;
        if params.is_empty() {
            return Ok(Vec::new());
        }
        let size = self.memory.pointer_size();
        let name = self.static_bytes(b"program\0", AllocKind::Static)?;
        self.leave_open(&name);
        let mut texts = vec![name];
        for argument in arguments {
            texts.push(self.static_bytes(&[&argument[..], b"\0"].concat(), AllocKind::Static)?);
        }
        let argv = self.pointer_array(texts.len() + 1)?;
        let place = self.memory.place(&argv, size * (texts.len() as u32 + 1), 1)?;
        for (index, text) in texts.iter().enumerate() {
            self.memory.write(place.at + index as u32 * size, size, text);
        }
        let environment = self.environment_pointer()?;
        let ty = |index: usize| self.program.objects[params[index.min(params.len() - 1)]].ty;
        let values = [Value::int(texts.len() as u64), argv, environment];
        Ok(values.iter().take(params.len()).enumerate().map(|(index, value)| (*value, ty(index))).collect())
    }

    /// An array of null pointers.
    fn pointer_array(&mut self, count: usize) -> Run<Value> {
        let size = self.memory.pointer_size();
        self.memory.allocate(&Request {
            kind: AllocKind::Static,
            size: count as u64 * u64::from(size),
            align: size,
            ty: None,
            elem: None,
            retypable: true,
            object: None,
            pos: Pos::NONE,
            shadow: 0,
        })
    }

    /// What `environ` and the third parameter of `main` point to. It is not null; what is there is the host's choice.
    pub(super) fn environment_pointer(&mut self) -> Run<Value> {
        if let Some(&(_, known)) = self.tables.iter().find(|(name, _)| *name == "environ") {
            return Ok(known);
        }
        let environment = self.pointer_array(1)?;
        self.leave_open(&environment);
        self.tables.push(("environ", environment));
        Ok(environment)
    }

    /// Marks what a pointer points to as a choice that is not the program's.
    pub(super) fn leave_open(&mut self, pointer: &Value) {
        let (at, size) = self.memory.live(pointer.prov).map_or((0, 0), |slot| (slot.data, slot.size));
        self.memory.flag(at, size, 0, shadow::LIBRARY);
    }

    fn report(mut self, stop: Stop) -> RunReport {
        self.note_retyped();
        let by_itself = matches!(stop, Stop::Exit(_) | Stop::Abort);
        let (stopped, stack) =
            if by_itself { (Pos::NONE, Vec::new()) } else { (self.pos, self.call_stack()) };
        let outcome = match stop {
            Stop::Exit(status) => Outcome::Exit(status),
            Stop::Abort => Outcome::Abort,
            Stop::Unsupported(what) => Outcome::Unsupported(Box::new(Unsupported { what, pos: self.pos })),
            Stop::Limit(limit) => Outcome::Limit(limit),
            Stop::BadProgram(why) => Outcome::BadProgram(why),
            // gcc keeps locals across its own builtins, and promises nothing: no paragraph of C17 is about them.
            Stop::Ub(stop) if stop.kind == UbKind::Uninit && self.is_stale_by_builtin(stop.about) => {
                let what = "a local object that changed since __builtin_setjmp".to_owned();
                Outcome::Unsupported(Box::new(Unsupported { what, pos: self.pos }))
            }
            Stop::Ub(stop) => Outcome::Ub(Box::new(self.explain(*stop))),
        };
        if self.output.len() > self.limits.output {
            self.output.truncate(self.limits.output);
        }
        let first = self.recorder.as_mut().and_then(|recorder| recorder.first.take());
        let (outcome, went_on) = match first {
            Some(first) => (Outcome::Ub(Box::new(first)), Some(outcome)),
            None => (outcome, None),
        };
        self.loosen_open_calls();
        let (program, tables) = (self.program, &self.code.profile);
        let open = !self.open.is_empty() || went_on.is_some();
        RunReport {
            outcome,
            went_on,
            stopped,
            stack,
            output: self.output,
            errors: self.errors,
            open: self.open,
            open_notes: self.open_notes,
            caveats: self.caveats,
            trace: self.trace,
            trace_open: self.trace_open,
            order_conflicts: self.order_conflicts,
            meetings: self.meetings,
            profile: self.recorder.map(|recorder| recorder.finish(program, tables, by_itself, open)),
            steps: self.steps + self.memory.work,
            memory: self.memory.used,
        }
    }

    fn is_stale_by_builtin(&self, about: Option<Prov>) -> bool {
        about.is_some_and(|prov| self.stale.get(&(prov.slot, prov.generation)) == Some(&true))
    }
}
