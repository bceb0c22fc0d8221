//! From the typed program to bytecode: entry point and the tables that all functions share.
//!
//! Every choice of evaluation order is made here, so that a run has one order and several runs have several.

mod aggregate;
mod aliases;
mod asm;
mod assign;
mod bit_field;
mod body;
mod call;
mod contract;
mod cover;
mod emit;
mod expr;
mod flow;
mod function;
pub(crate) mod init;
mod literals;
mod lvalue;
mod nested;
mod outline;
mod point;
mod promises;
mod setjmp;
mod shape;
mod tables;
mod update;
mod vla;

pub(crate) use init::flexible_tail;
pub use promises::Promises;
pub(crate) use setjmp::is_setjmp;
pub(crate) use shape::{element_of, has_qualified_part, is_qualified};

use self::aliases::{aliased_function, aliased_object};
use self::outline::Outlines;
use self::shape::padding;
use crate::exec::RunOptions;
use crate::facts::{self, Facts};
use crate::op::{Compiled, Op, Reg, Scope};
use howler_lang::program::{ExprId, FuncId, LabelId, ObjId, Program};
use howler_lang::source::Pos;
use howler_lang::ty::{RecordId, Type, VlaId};
use howler_lang::visit;
use rustc_hash::{FxHashMap, FxHashSet};

/// In which order operands are evaluated that C does not order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// From the left.
    #[default]
    LeftToRight,
    /// From the right.
    RightToLeft,
    /// Each expression its own, drawn from a seed.
    Seeded(u64),
}

/// Why a program cannot be lowered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What is not modelled.
    pub what: String,
    /// Where.
    pub pos: Pos,
}

pub(crate) type Lower<T> = Result<T, Refusal>;

/// Lowers every function and the initialisers of static objects.
pub fn compile(program: &Program, options: &RunOptions) -> Lower<Compiled> {
    let mut facts = Facts::of(program);
    let outlines = Outlines::of(program);
    prepare(program, &mut facts, &outlines);
    if options.checked {
        facts.set_all_memory();
    }
    let mut lowerer = Lowerer {
        program,
        facts,
        out: Compiled::default(),
        order: options.order,
        watch: options.profile.map(|options| point::Watch::of(program, &options)),
        checked: options.checked,
        contract: options.limits.contract,
        pool_ids: FxHashMap::default(),
        object_ids: FxHashMap::default(),
        func_ids: FxHashMap::default(),
        access_ids: FxHashMap::default(),
        spec_ids: FxHashMap::default(),
        pad_ids: FxHashMap::default(),
        homes: nested::Homes::of(program, &outlines),
        outlines,
        promises: promises::of_program(program),
        copies: howler_lang::link::gnu_copies(program),
        same_inlines: FxHashMap::default(),
        has_literals: program.objects.iter().any(|(_, object)| object.literal),
        setjmp_places: setjmp::places(program),
        f: Function::default(),
    };
    let order = nested::in_order(program);
    lowerer.out.func_index = order.iter().map(|&(func, _)| func).zip(0..).collect();
    for (func, body) in order {
        let code = lowerer.function(func, body)?;
        lowerer.out.funcs.push(code);
    }
    let start = lowerer.statics()?;
    lowerer.out.start = Some(lowerer.out.funcs.len() as u32);
    lowerer.out.funcs.push(start);
    Ok(lowerer.out)
}

/// Decides which objects cannot live in registers because of how they are used.
fn prepare(program: &Program, facts: &mut Facts, outlines: &Outlines) {
    nested::expose_shared(program, facts);
    for object in facts::written_by_bounds(program, facts) {
        facts.set_memory(object);
    }
    let parents: FxHashSet<FuncId> = program.funcs.iter().filter_map(|(_, func)| func.parent).collect();
    for (func, function) in program.funcs.iter() {
        let Some(body) = function.body else { continue };
        let outline = outlines.of_function(func);
        let whole = function.parent.is_some() || parents.contains(&func) || outline.calls_setjmp;
        let mut demoted = Vec::new();
        visit::full_expressions(program, body, |e| {
            if facts.effects(e).is_tracked() {
                demoted.extend(facts::written_objects(program, e));
            }
        });
        if whole {
            demoted.extend(function.params.iter().copied());
            demoted.extend(outline.locals.iter().copied());
        }
        demoted.into_iter().for_each(|object| facts.set_memory(object));
    }
    // Of locals and of compound literals: which parts of an initialiser come first is open (C17 6.7.9p23).
    let inits = program.objects.iter().filter_map(|(_, object)| object.init);
    for init in inits.filter(|&init| facts.order_matters(init)).collect::<Vec<_>>() {
        let mut demoted = Vec::new();
        visit::init_expressions(program, init, |e| demoted.extend(facts::written_objects(program, e)));
        demoted.into_iter().for_each(|object| facts.set_memory(object));
    }
}

pub(crate) struct Lowerer<'p> {
    pub program: &'p Program,
    pub facts: Facts,
    pub out: Compiled,
    order: Order,
    /// What a profile looks at, if there is one.
    watch: Option<point::Watch>,
    checked: bool,
    contract: bool,
    pool_ids: FxHashMap<u128, Reg>,
    object_ids: FxHashMap<ObjId, Reg>,
    func_ids: FxHashMap<FuncId, Reg>,
    access_ids: FxHashMap<(Type, Option<Type>, u8), u32>,
    spec_ids: FxHashMap<ObjId, u32>,
    pad_ids: FxHashMap<(RecordId, bool), Option<u32>>,
    homes: nested::Homes,
    outlines: Outlines,
    /// What functions promise.
    promises: FxHashMap<FuncId, Promises>,
    /// Functions that are only copies of others for the compiler to put in place (GNU's `extern inline`).
    copies: FxHashSet<FuncId>,
    /// Inline definitions that were compared with the external one.
    same_inlines: FxHashMap<FuncId, bool>,
    /// Whether the program has compound literals at all.
    has_literals: bool,
    /// Calls that stand where `setjmp` may.
    setjmp_places: FxHashSet<ExprId>,
    pub f: Function,
}

/// The function being lowered.
#[derive(Default)]
pub(crate) struct Function {
    pub func: Option<FuncId>,
    pub ops: Vec<Op>,
    pub positions: Vec<Pos>,
    pub registers: u32,
    pub pos: Pos,
    /// The expression that is evaluated, for profiles.
    pub expr: Option<ExprId>,
    /// How many instructions only observe.
    pub observing: u64,
    pub objects: FxHashMap<ObjId, Reg>,
    pub scopes: Vec<Scope>,
    /// The innermost open scope.
    pub scope: Option<u32>,
    pub loops: Vec<flow::Loop>,
    pub switches: Vec<flow::OpenSwitch>,
    pub labels: FxHashMap<LabelId, (u32, Option<u32>)>,
    pub gotos: Vec<(u32, LabelId, Option<u32>)>,
    pub vlas: FxHashMap<VlaId, Reg>,
    pub has_labels: bool,
    /// Reads restrict pointers from memory.
    pub behind: bool,
    /// Whether a declaration may be reached again while its block runs.
    pub goes_back: bool,
    pub tracked: bool,
    /// How many blocks are open inside the function's own.
    pub inner: u32,
    /// Inside a statement expression of an expression whose accesses are recorded.
    enclosed: bool,
    /// Inside an initialiser whose expressions may conflict: those found so far.
    pub init_group: Option<Vec<(Vec<lvalue::Lv>, ExprId)>>,
    /// Inside an initialiser for which it matters what is given again later.
    pub covering: bool,
    pub stack: u64,
    pub ret: Option<Type>,
}

/// How an lvalue is used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct AccessUse(u8);

impl AccessUse {
    pub const PLAIN: AccessUse = AccessUse(0);
    pub const PUNNED: AccessUse = AccessUse(1);
    pub const PACKED: AccessUse = AccessUse(2);
    pub const INITIAL: AccessUse = AccessUse(4);

    pub fn has(self, other: AccessUse) -> bool {
        self.0 & other.0 != 0
    }

    pub fn or(self, other: AccessUse) -> AccessUse {
        AccessUse(self.0 | other.0)
    }
}

/// The place of an expression, if it has one.
pub(crate) fn place_of(program: &Program, e: ExprId, or: Pos) -> Pos {
    match program.exprs[e].pos {
        Pos::NONE => or,
        pos => pos,
    }
}
