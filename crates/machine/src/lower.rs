//! From the typed program to bytecode: entry point and the tables that all functions share.
//!
//! Every choice of evaluation order is made here, so that a run has one order and several runs have several.

mod aggregate;
mod asm;
mod assign;
mod body;
mod call;
mod contract;
mod cover;
mod expr;
mod flow;
pub(crate) mod init;
mod literals;
mod lvalue;
mod nested;
mod outline;
mod point;
mod promises;
mod setjmp;
mod tables;
mod update;
mod vla;

pub(crate) use init::flexible_tail;
pub use promises::Promises;
pub(crate) use setjmp::is_setjmp;

use self::outline::Outlines;
use crate::exec::RunOptions;
use crate::facts::{self, Facts};
use crate::op::{Compiled, FuncCode, NONE, Op, Padding, ParamInfo, Reg, Scope};
use crate::value::AllocKind;
use howler_lang::program::{
    Attr, Duration, ExprId, FuncId, InitId, LabelId, ObjId, Program, StmtId, StmtKind,
};
use howler_lang::source::Pos;
use howler_lang::ty::{Quals, RecordId, RecordKind, Type, TypeKind, VlaId};
use howler_lang::visit::{self, Mention};
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
        for init in outline.locals.iter().filter_map(|&object| program.objects[object].init) {
            if facts.order_matters(init) {
                visit::init_expressions(program, init, |e| {
                    demoted.extend(facts::written_objects(program, e));
                });
            }
        }
        for object in demoted {
            facts.set_memory(object);
        }
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
    pad_ids: FxHashMap<RecordId, Option<u32>>,
    homes: nested::Homes,
    outlines: Outlines,
    /// What functions promise, until they are lowered.
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
    /// Whether a declaration may be reached again while its block runs.
    pub goes_back: bool,
    pub tracked: bool,
    /// The value of the expression that comes next is not used.
    pub dropped: bool,
    /// The kind of the update that comes next.
    pub update: u8,
    /// Inside a statement expression of an expression whose accesses are recorded.
    enclosed: bool,
    /// Inside an initialiser whose expressions may conflict: those found so far.
    pub init_group: Option<Vec<(Vec<lvalue::Lv>, ExprId)>>,
    /// Inside an initialiser for which it matters what is given again later.
    pub covering: bool,
    pub stack: u64,
    pub ret: Option<Type>,
}

impl<'p> Lowerer<'p> {
    fn function(&mut self, func: FuncId, body: StmtId) -> Lower<FuncCode> {
        let program = self.program;
        let function = &program.funcs[func];
        self.f = Function { func: Some(func), pos: function.pos, ..Function::default() };
        if let TypeKind::Function(id) = program.types.kind(function.ty) {
            self.f.ret = Some(program.types.signature(id).ret);
        }
        let outline = self.outlines.of_function(func);
        self.f.has_labels = outline.has_labels;
        self.f.goes_back = outline.goes_back;
        let mut params = Vec::new();
        for &object in &function.params {
            params.push(self.param(object)?);
        }
        self.param_bounds(&function.params)?;
        match program.stmts[body].kind {
            // What is left open at the end, the return closes.
            StmtKind::Compound(list) => {
                self.point(body);
                let own = self.f.scopes.len();
                self.block_contents(list, None)?;
                self.f.scopes[own].body = true;
            }
            _ => self.stmt(body)?,
        }
        self.clean_up_all();
        self.emit(if self.f.ret.is_none_or(|ret| program.types.is_void(ret)) {
            Op::Return { src: NONE }
        } else {
            Op::FallOff
        });
        self.finish(func, params)
    }

    fn finish(&mut self, func: FuncId, params: Vec<ParamInfo>) -> Lower<FuncCode> {
        self.resolve_gotos()?;
        self.settle(func);
        let f = std::mem::take(&mut self.f);
        let labels =
            f.labels.iter().map(|(&label, &(at, scope))| (label, (at, scope.unwrap_or(u32::MAX)))).collect();
        let stack = u32::try_from(f.stack.saturating_add(96)).unwrap_or(u32::MAX);
        Ok(FuncCode {
            func,
            ops: f.ops,
            positions: f.positions,
            registers: f.registers,
            promises: self.promises.remove(&func).map(Box::new),
            sized_params: params.iter().any(|param| self.program.types.is_variably_modified(param.ty)),
            restrict: params.iter().any(|param| has_qualified_part(self.program, param.ty, Quals::RESTRICT)),
            params,
            scopes: f.scopes,
            labels,
            stack,
            objects: f.objects,
        })
    }

    fn param(&mut self, object: ObjId) -> Lower<ParamInfo> {
        let ty = self.program.objects[object].ty;
        let reg = self.reg();
        self.f.objects.insert(object, reg);
        let aggregate = facts::is_aggregate(self.program, ty);
        let memory = self.facts.is_in_memory(object) || aggregate;
        let spec = if memory { Some(self.object_spec(object, AllocKind::Parameter)?) } else { None };
        let access = if memory { self.access(ty, None, AccessUse::INITIAL)? } else { 0 };
        self.f.stack += self.program.size_of(ty).unwrap_or(8);
        Ok(ParamInfo { reg, spec, access, aggregate, ty })
    }

    /// A function of its own that sets all static objects.
    fn statics(&mut self) -> Lower<FuncCode> {
        let program = self.program;
        self.f = Function::default();
        let mut func = None;
        for (id, function) in program.funcs.iter() {
            if func.is_none() || function.body.is_some() {
                func = Some(id);
            }
        }
        let objects: Vec<(ObjId, InitId)> = program
            .objects
            .iter()
            .filter(|(_, object)| matches!(object.duration, Duration::Static | Duration::Thread))
            .filter_map(|(id, object)| object.init.map(|init| (id, init)))
            .collect();
        for (object, init) in objects {
            let target = program.objects[object].linked.unwrap_or(object);
            if target != object && program.objects[target].init.is_some() {
                continue;
            }
            self.f.pos = program.objects[object].pos;
            let reg = self.pool_object(object);
            self.init_static(object, reg, init)?;
        }
        self.emit(Op::Return { src: NONE });
        let f = std::mem::take(&mut self.f);
        Ok(FuncCode {
            func: func
                .ok_or_else(|| Refusal { what: "a program without functions".to_owned(), pos: Pos::NONE })?,
            ops: f.ops,
            positions: f.positions,
            registers: f.registers,
            params: Vec::new(),
            scopes: f.scopes,
            labels: FxHashMap::default(),
            stack: 0,
            promises: None,
            sized_params: false,
            restrict: false,
            objects: FxHashMap::default(),
        })
    }

    pub fn emit(&mut self, op: Op) -> u32 {
        if self.watch.is_some() {
            self.watch_operands(&op);
        }
        self.f.ops.push(op);
        self.f.positions.push(self.f.pos);
        self.f.ops.len() as u32 - 1
    }

    pub fn here(&self) -> u32 {
        self.f.ops.len() as u32
    }

    /// Lets a jump go to the next instruction.
    pub fn land(&mut self, jump: u32) {
        let here = self.here();
        self.aim(jump, here);
    }

    /// Lets a jump go to an instruction.
    pub fn aim(&mut self, jump: u32, target: u32) {
        match &mut self.f.ops[jump as usize] {
            Op::Jump { to } | Op::JumpIf { to, .. } | Op::JumpUnless { to, .. } => *to = target,
            _ => {}
        }
    }

    pub fn reg(&mut self) -> Reg {
        self.f.registers += 1;
        self.f.registers - 1
    }

    pub fn refuse<T>(&self, what: impl Into<String>) -> Lower<T> {
        Err(Refusal { what: what.into(), pos: self.f.pos })
    }

    /// What is not modelled but only matters if it is reached.
    pub fn unsupported(&mut self, what: impl Into<String>) -> Reg {
        let message = self.out.messages.len() as u32;
        self.out.messages.push(what.into());
        self.emit(Op::Unsupported { message });
        self.constant(0)
    }

    pub fn undefined(&mut self, kind: crate::ub::UbKind, detail: impl Into<String>) {
        let index = self.out.kinds.len() as u32;
        self.out.kinds.push((kind, detail.into()));
        self.emit(Op::Undefined { kind: index });
    }

    /// Whether the right operand goes first here.
    pub fn right_first(&self) -> bool {
        match self.order {
            Order::LeftToRight => false,
            Order::RightToLeft => true,
            Order::Seeded(seed) => {
                let at =
                    (self.f.ops.len() as u64 - self.f.observing).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed;
                (at ^ at >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 63 == 1
            }
        }
    }
}

/// What something with these attributes is an alias of.
fn aliased(program: &Program, unit: u32, attrs: &[Attr]) -> Option<Mention> {
    let attr = attrs.iter().find(|attr| program.name(attr.name) == "alias")?;
    visit::attr_target(program, unit, attr)
}

/// How many aliases are followed: they may have aliases, and two may name each other.
const ALIASES: usize = 16;

/// The object that another is in the end an alias of, or the object itself.
fn aliased_object(program: &Program, object: ObjId) -> ObjId {
    let next = |&object: &ObjId| {
        let object = &program.objects[object];
        match aliased(program, object.unit, &object.attrs)? {
            Mention::Object(other) => Some(other),
            _ => None,
        }
    };
    std::iter::successors(Some(object), next).take(ALIASES).last().unwrap_or(object)
}

/// The function that another is in the end an alias of, or the function itself.
fn aliased_function(program: &Program, func: FuncId) -> FuncId {
    let next = |&func: &FuncId| {
        let func = &program.funcs[func];
        match aliased(program, func.unit, &func.attrs)? {
            Mention::Function(other) => Some(other),
            _ => None,
        }
    };
    std::iter::successors(Some(func), next).take(ALIASES).last().unwrap_or(func)
}

/// What a type is an array of, through all dimensions, and the size of that.
pub(crate) fn element_of(program: &Program, mut ty: Type) -> Option<(Type, u32)> {
    while let TypeKind::Array { elem, .. } = program.types.kind(ty) {
        ty = elem;
    }
    let size = program.size_of(ty).and_then(|size| u32::try_from(size).ok()).filter(|&size| size > 0)?;
    Some((program.types.strip(ty).bare(), size))
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

/// Whether some part of an object of this type is const or volatile.
pub(crate) fn is_qualified(program: &Program, ty: Type) -> bool {
    has_qualified_part(program, ty, Quals::CONST) || has_qualified_part(program, ty, Quals::VOLATILE)
}

/// Whether some part of an object of this type has a qualifier.
pub(crate) fn has_qualified_part(program: &Program, ty: Type, qual: Quals) -> bool {
    program.types.any_part(ty, |part| program.types.quals(part).contains(qual))
}

/// The parts of a struct that no member has.
fn padding(program: &Program, record: RecordId) -> Padding {
    let types = &program.types;
    let mut padding = Padding::default();
    if types.records[record].kind == RecordKind::Union {
        return padding;
    }
    let Some(layout) = program.layouts.record(types, record) else { return padding };
    let Ok(size) = usize::try_from(layout.size) else { return padding };
    // A large struct is mostly arrays; its padding is found from its members' ends.
    let mut used: Vec<(u64, u64)> = Vec::new();
    for (field, place) in types.records[record].fields.iter().zip(layout.fields.iter()) {
        let start = place.bit_offset;
        let end = match place.width {
            Some(_) if field.name.is_none() => continue,
            Some(width) => start + u64::from(width),
            None => {
                start + 8 * program.size_of(field.ty).unwrap_or(layout.size - place.byte().min(layout.size))
            }
        };
        used.push((start, end));
    }
    used.sort_unstable();
    let mut gaps = Vec::new();
    let mut reached = 0;
    for (start, end) in used.into_iter().chain([(8 * size as u64, 8 * size as u64)]) {
        if start > reached {
            gaps.push((reached, start));
        }
        reached = reached.max(end);
    }
    for (start, end) in gaps {
        let (first, last) = (start.div_ceil(8), end / 8);
        if first < last {
            padding.bytes.push((first as u32, (last - first) as u32));
        }
        for byte in [start / 8, end / 8] {
            let lo = start.max(byte * 8) - byte * 8;
            let hi = end.min(byte * 8 + 8).saturating_sub(byte * 8);
            if lo < hi && hi - lo < 8 {
                let mask = ((1u16 << hi) - (1u16 << lo)) as u8;
                if !padding.bits.contains(&(byte as u32, mask)) {
                    padding.bits.push((byte as u32, mask));
                }
            }
        }
    }
    padding
}

/// The place of an expression, if it has one.
pub(crate) fn place_of(program: &Program, e: ExprId, or: Pos) -> Pos {
    match program.exprs[e].pos {
        Pos::NONE => or,
        pos => pos,
    }
}
