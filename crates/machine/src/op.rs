//! The bytecode: what a program is lowered to, and nothing about how it runs.

use crate::lower::Promises;
use crate::memory::access::Access;
use crate::profile::tables::Tables;
use crate::value::{AllocKind, Value};
use howler_lang::arith::Num;
use howler_lang::arith::word::{Narrow, Word};
use howler_lang::program::{BinaryOp, Builtin, FuncId, LabelId, ObjId, StmtId, StrId, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::ty::Type;
use rustc_hash::FxHashMap;

/// A register of the current frame, or, with [`POOL`] set, an entry of the pool.
pub type Reg = u32;

/// Marks a [`Reg`] as an index into the pool of constants.
pub const POOL: u32 = 1 << 31;

/// No register.
pub const NONE: Reg = POOL - 1;

/// In [`Op::SeqJoin`]: the last operand is the read of a compound assignment, whose value operand is the first. A call
/// cannot come between that read and the store (C17 6.5.16.2p3), so that it comes after all calls of the value.
pub const READ_AFTER_FIRST: u32 = 1 << 30;

/// The same where the value operand is the second.
pub const READ_AFTER_SECOND: u32 = 1 << 29;

/// An index into [`Compiled::nums`].
pub type NumId = u8;

/// The [`NumId`] of a pointer where a condition is tested.
pub const POINTER: NumId = u8::MAX;

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// `dst = src`, whatever it holds.
    Copy { dst: Reg, src: Reg },
    /// `dst = src`; a value never set is undefined.
    Read { dst: Reg, src: Reg },
    /// An arithmetic operator.
    Unary { op: UnaryOp, num: NumId, dst: Reg, a: Reg },
    /// An arithmetic operator on two values of one type.
    Binary { op: BinaryOp, num: NumId, dst: Reg, a: Reg, b: Reg },
    /// A shift; the count has its own type.
    Shift { op: BinaryOp, num: NumId, count: NumId, dst: Reg, a: Reg, b: Reg },
    /// `++` or `--` on a value in its promoted type: `dst = a ± 1`.
    Step { up: bool, num: NumId, dst: Reg, a: Reg },
    /// An arithmetic conversion.
    Convert { from: NumId, to: NumId, dst: Reg, a: Reg },
    /// `dst` is 1 if `a` compares unequal to 0, else 0.
    Truth { num: NumId, dst: Reg, a: Reg },
    /// `dst` is 0 if `a` compares unequal to 0, else 1.
    Not { num: NumId, dst: Reg, a: Reg },
    /// Goes on elsewhere.
    Jump { to: u32 },
    /// Goes on elsewhere if `cond` compares unequal to 0.
    JumpIf { num: NumId, cond: Reg, to: u32 },
    /// Goes on elsewhere if `cond` compares equal to 0.
    JumpUnless { num: NumId, cond: Reg, to: u32 },
    /// Chooses a case.
    Switch { value: Reg, table: u32 },
    /// Goes to a label that is a value.
    JumpTo { label: Reg },
    /// Goes to a label of an enclosing function: calls in between end.
    JumpOut { label: Reg },
    /// `dst = base + index * step` (`back`: minus); the index has type `num`.
    PtrAdd { back: bool, num: NumId, dst: Reg, base: Reg, index: Reg, step: u32 },
    /// `dst = (a - b) / step`.
    PtrDiff { dst: Reg, a: Reg, b: Reg, step: u32 },
    /// A comparison of pointers.
    PtrCompare { op: BinaryOp, dst: Reg, a: Reg, b: Reg },
    /// A pointer conversion; the index is that of the target type's [`PointerType`].
    PtrConvert { dst: Reg, a: Reg, to: u32 },
    /// Pointer to integer.
    PtrToInt { num: NumId, dst: Reg, a: Reg },
    /// Integer to pointer.
    IntToPtr { num: NumId, dst: Reg, a: Reg, to: u32 },
    /// A pointer to a member.
    Member { dst: Reg, base: Reg, member: u32 },
    /// The bounds become those of an array lvalue of this many bytes.
    Narrow { dst: Reg, base: Reg, size: u32 },
    /// As `Narrow`, the size in bytes in a register.
    NarrowBy { dst: Reg, base: Reg, size: Reg },
    /// Reads a scalar.
    Load { dst: Reg, addr: Reg, root: Reg, access: u32 },
    /// Writes a scalar.
    Store { src: Reg, addr: Reg, root: Reg, access: u32 },
    /// Copies an aggregate; the index is that of a [`Transfer`].
    CopyObject { transfer: u32 },
    /// Sets an object to zero bytes.
    Zero { addr: Reg, size: u32 },
    /// Sets an object to zero bytes, the size in a register.
    ZeroBy { addr: Reg, size: Reg },
    /// A declaration without an initialiser is reached: the object's value is indeterminate (C17 6.2.4p6).
    Unset { addr: Reg, size: u32 },
    /// The same for a variable in a register.
    UnsetReg { dst: Reg },
    /// As `Read`, into a restrict pointer that lives in a register: the value is based on it from now on.
    ReadRestrict { dst: Reg, src: Reg, to_const: bool },
    /// `a * b + c` with one rounding.
    Fused { num: NumId, dst: Reg, a: Reg, b: Reg, c: Reg },
    /// As `Read`, of a value that nobody wants.
    Dropped { src: Reg },
    /// As `Load`, of a value that nobody wants.
    DroppedLoad { dst: Reg, addr: Reg, root: Reg, access: u32 },
    /// An array becomes a pointer that `*` or `[]` found here.
    ArrayAt { base: Reg },
    /// Sets those of so many bytes to 0 that nothing has set yet.
    ZeroRest { addr: Reg, size: u32 },
    /// Padding becomes unspecified after a store to a member of the record at `addr`.
    Pad { addr: Reg, pads: u32 },
    /// The bytes of the union at `addr` that the member does not have become unspecified.
    Tail { addr: Reg, union: u32, member: u32 },
    /// Makes the objects of a scope.
    Enter { scope: u32 },
    /// Ends them.
    Leave,
    /// Makes a variable length array of this many bytes.
    Vla { dst: Reg, spec: u32, size: Reg },
    /// A bound of a variable length array: must be positive; becomes a size_t.
    Bound { num: NumId, dst: Reg, a: Reg },
    /// The size of a variable length array: so many elements of this size.
    VlaSize { dst: Reg, count: Reg, elem: Reg },
    /// The bound of a parameter that is declared as an array: must be positive.
    ParamBound { num: NumId, a: Reg },
    /// `[static n]`: the pointer must provide that many elements.
    StaticBound { num: NumId, base: Reg, len: Reg, step: u32 },
    /// The parameter with this index points to arrays of this size.
    ParamSize { param: u32, size: Reg },
    /// Two numbers of elements that must be the same.
    SameSize { a: Reg, b: Reg },
    /// The value stored to `to` was read from `from`: they must not overlap but exactly, with one type.
    Overlap { to: Reg, from: Reg, to_size: u32, from_size: u32, same: bool },
    /// A whole aggregate is read whose address is never taken: some of it must be set.
    SomeSet { addr: Reg, size: u32 },
    /// Copies the bytes of a string literal into an array.
    CopyString { to: Reg, from: Reg, size: u32 },
    /// Makes a temporary object; it ends with its scope.
    Temp { dst: Reg, spec: u32 },
    /// Calls a function; the index is that of a [`CallSite`].
    Call { site: u32 },
    /// An operator-like builtin; the index is that of a [`BuiltinSite`].
    Builtin { site: u32 },
    /// Returns, with a value or without.
    Return { src: Reg },
    /// Returns an aggregate.
    ReturnObject { addr: Reg, root: Reg, access: u32 },
    /// The end of a function that returns a value was reached.
    FallOff,
    /// `va_arg` of a scalar or aggregate: `dst` gets the value, or a pointer to a copy. `handed`: the list is a
    /// parameter, so that the caller's is used up.
    VaArg { handed: bool, dst: Reg, list: Reg, spec: u32 },
    /// An operation on complex values or vectors; the index is that of a [`WideSite`].
    Wide { site: u32 },
    /// A pointer register of an enclosing function.
    Outer { dst: Reg, level: u32, src: Reg },
    /// A pointer to a nested function, bound to the current frame.
    Closure { dst: Reg, func: Reg },
    /// A function with an inline and an external definition is named: which one is meant is open.
    OpenInline,
    /// Something that is not modelled; the index is that of a message.
    Unsupported { message: u32 },
    /// Undefined behaviour known when lowering; the index is that of a message, the kind by its place.
    Undefined { kind: u32 },
    /// A statement begins. Only in profiled programs, as the next four; `point` is one that was chosen, or `u32::MAX`.
    Stmt { stmt: StmtId, point: u32 },
    /// A condition that is tested next; the index is that of its expression.
    Branch { num: NumId, cond: Reg, site: u32 },
    /// The value of a switch that is next.
    Way { value: Reg, site: u32 },
    /// The operands of the operator that is next.
    Operands { site: u32 },
    /// The arguments of the call that is next.
    Arguments { site: u32 },
    /// Operands that are not sequenced begin.
    SeqOpen,
    /// The next of them begins.
    SeqNext,
    /// All of them are done: conflicts between them are looked for.
    SeqJoin { operands: u32 },
    /// The expression they belong to is done.
    SeqClose,
    /// What follows is indeterminately sequenced with its neighbours, as a call is.
    SeqGroup,
    /// Its end.
    SeqGroupEnd,
    /// As `SeqGroupEnd`, of something that need not be evaluated: if it had effects, the program depends on that.
    SeqSkippable { always: bool },
    /// Everything since the last `SeqOpen` is sequenced before what follows.
    SeqFinish,
    /// A full expression whose accesses are recorded begins.
    SeqBegin,
    /// It ends.
    SeqEnd,
}

const _: () = assert!(size_of::<Op>() <= 24);

/// A program as bytecode.
#[derive(Default, Debug)]
pub struct Compiled {
    /// Functions with a body.
    pub funcs: Vec<FuncCode>,
    /// The index in `funcs` of each function that has a body.
    pub func_index: FxHashMap<FuncId, u32>,
    /// Stores the values of static objects.
    pub start: Option<u32>,
    /// Constants and static objects.
    pub pool: Vec<PoolItem>,
    /// Numeric types.
    pub nums: Vec<Num>,
    /// Those of `nums` that are machine words.
    pub words: Vec<Option<Word>>,
    /// Those of `nums` that fit in one.
    pub narrows: Vec<Option<Narrow>>,
    /// Kinds of accesses.
    pub accesses: Vec<Access>,
    /// Members.
    pub members: Vec<MemberInfo>,
    /// Steps of pointer arithmetic.
    pub steps: Vec<StepInfo>,
    /// Targets of pointer conversions.
    pub pointers: Vec<PointerType>,
    /// Copies of aggregates.
    pub transfers: Vec<Transfer>,
    /// Objects to make.
    pub specs: Vec<AllocSpec>,
    /// Calls.
    pub calls: Vec<CallSite>,
    /// Builtin operators.
    pub builtins: Vec<BuiltinSite>,
    /// Complex and vector operations.
    pub wides: Vec<WideSite>,
    /// Switches.
    pub switches: Vec<SwitchTable>,
    /// Padding of records.
    pub pads: Vec<Padding>,
    /// An inline function that is used and has no external definition.
    pub missing: Option<String>,
    /// What a profiled program observes.
    pub profile: Tables,
    /// Messages.
    pub messages: Vec<String>,
    /// Kinds of `Op::Undefined`.
    pub kinds: Vec<(crate::ub::UbKind, String)>,
}

/// The parts of a record that no member has.
#[derive(Clone, Debug, Default)]
pub struct Padding {
    /// Whole bytes: offset and length.
    pub bytes: Vec<(u32, u32)>,
    /// Bits of bytes that are shared with bit-fields: offset and mask.
    pub bits: Vec<(u32, u8)>,
}

/// What an entry of the pool is.
#[derive(Clone, Copy, Debug)]
pub enum PoolItem {
    /// A constant.
    Const(Value),
    /// A static object.
    Object(ObjId),
    /// A string literal with its type.
    Str(StrId, Type),
    /// `__func__` of a function.
    FuncName(FuncId),
    /// A function.
    Func(FuncId),
    /// A label: the function's index and the label.
    Label(u32, LabelId),
}

/// A function as bytecode.
#[derive(Debug)]
pub struct FuncCode {
    /// The function.
    pub func: FuncId,
    /// Instructions.
    pub ops: Vec<Op>,
    /// Where each comes from.
    pub positions: Vec<Pos>,
    /// How many registers a frame has.
    pub registers: u32,
    /// Parameters.
    pub params: Vec<ParamInfo>,
    /// Scopes.
    pub scopes: Vec<Scope>,
    /// Labels whose address is taken: the instruction and the scope it is in.
    pub labels: FxHashMap<LabelId, (u32, u32)>,
    /// Bytes of stack a frame takes at least.
    pub stack: u32,
    /// Has parameters with variable bounds.
    pub sized_params: bool,
    /// What its declarations promise, if anything.
    pub promises: Option<Box<Promises>>,
    /// Has restrict parameters.
    pub restrict: bool,
    /// Reads restrict pointers from memory, where other pointers may lead to them.
    pub behind: bool,
    /// Registers of variables: their values, or pointers to them. For messages.
    pub objects: FxHashMap<ObjId, Reg>,
}

/// How a parameter is received.
#[derive(Clone, Copy, Debug)]
pub struct ParamInfo {
    /// The register: its value, or a pointer to it.
    pub reg: Reg,
    /// The object to make if it lives in memory.
    pub spec: Option<u32>,
    /// The kind of access that stores it, if it lives in memory and is a scalar.
    pub access: u32,
    /// Whether it is an aggregate.
    pub aggregate: bool,
    /// The type.
    pub ty: Type,
    /// For a restrict pointer that lives in a register: whether it points to a const type. The register after its own
    /// says which object it is.
    pub restrict: Option<bool>,
}

/// A scope: what is made when it is entered.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The scope around it.
    pub parent: Option<u32>,
    /// Registers with pointers to new objects.
    pub objects: Vec<(Reg, u32)>,
    /// Registers whose values are not set any more.
    pub unset: Vec<Reg>,
    /// Declares a name of variably modified type.
    pub variably_modified: bool,
    /// Has restrict pointers.
    pub restrict: bool,
    /// Those of them that are static.
    pub statics: Vec<Reg>,
    /// Those of them that live in registers. The register after each says which object it is.
    pub restricted: Vec<Reg>,
    /// A function's own block: its parameters belong to it too (C17 6.7.3.1p2).
    pub body: bool,
    /// Functions to call with a pointer to an object when it is left, in the order of declaration.
    pub cleanups: Vec<(FuncId, Reg)>,
}

/// An object to make.
#[derive(Clone, Copy, Debug)]
pub struct AllocSpec {
    /// Its kind.
    pub kind: AllocKind,
    /// Its size.
    pub size: u64,
    /// Its alignment.
    pub align: u32,
    /// Its type.
    pub ty: Type,
    /// What it is an array of, or the type itself, without qualifiers, and the size of that.
    pub elem: Option<(Type, u32)>,
    /// Whether types of stores count.
    pub retypable: bool,
    /// The variable.
    pub object: Option<ObjId>,
    /// Const and volatile parts are marked by walking the type.
    pub qualified: bool,
    /// Where.
    pub pos: Pos,
}

/// A member of a record.
#[derive(Clone, Copy, Debug)]
pub struct MemberInfo {
    /// Its offset.
    pub offset: u32,
    /// Its size; bit-fields have the bytes they touch, flexible arrays reach to the end of the allocation.
    pub size: Option<u32>,
    /// The record's size.
    pub record: u32,
    /// The alignment the record's lvalue may assume.
    pub align: u32,
    /// The base is a dereferenced pointer: it must point to a whole record.
    pub through_pointer: bool,
}

/// A step of pointer arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct StepInfo {
    /// The size of what is pointed to.
    pub size: u64,
    /// A register with the size, if it is known at run time only.
    pub reg: Reg,
    /// Whether elements are arrays: leaving the bounds is leaving a row.
    pub row: bool,
}

/// The target of a pointer conversion.
#[derive(Clone, Copy, Debug)]
pub struct PointerType {
    /// The alignment that what it points to needs.
    pub align: u32,
    /// Whether the bounds are left behind.
    pub widens: bool,
    /// Points to a function.
    pub function: bool,
}

/// A copy of an aggregate.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// The target, its root and its access.
    pub to: (Reg, Reg, u32),
    /// The source, its root and its access.
    pub from: (Reg, Reg, u32),
    /// The source is a complex value or vector: every part must have been set.
    pub whole: bool,
}

/// A call.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The callee.
    pub callee: Reg,
    /// The arguments: values, or pointers to aggregates.
    pub args: Box<[(Reg, Type)]>,
    /// Where the result goes: a value, or the pointer to the object for an aggregate.
    pub dst: Reg,
    /// The object for an aggregate result.
    pub result: Option<u32>,
    /// The function type of the expression called.
    pub ty: Type,
    /// Whether accesses of the call are recorded as those of one operand.
    pub recorded: bool,
    /// Whether the value is used.
    pub used: bool,
    /// What the name promises that is called, if it is an alias of the function.
    pub promises: Option<Box<Promises>>,
}

/// An operator-like builtin.
#[derive(Clone, Debug)]
pub struct BuiltinSite {
    /// Which.
    pub builtin: Builtin,
    /// The operands: values, or pointers to aggregates.
    pub args: Box<[(Reg, Type)]>,
    /// The result.
    pub dst: Reg,
    /// The result's type.
    pub ty: Type,
}

/// An operation on complex values or vectors: operands and result are pointers to objects, or scalars.
#[derive(Clone, Debug)]
pub struct WideSite {
    /// What it does.
    pub kind: WideKind,
    /// The operands and their types.
    pub args: Box<[(Reg, Type)]>,
    /// A pointer to the result, or the register of a scalar one.
    pub dst: Reg,
    /// The result's type.
    pub ty: Type,
    /// A real operand was an integer: clang makes that complex before it computes.
    pub integer: bool,
}

/// What an operation on complex values or vectors does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WideKind {
    /// A unary operator.
    Unary(UnaryOp),
    /// A binary operator.
    Binary(BinaryOp),
    /// A conversion to the result's type.
    Convert,
    /// Whether the value compares unequal to 0.
    Truth,
    /// `__builtin_complex` and imaginary constants: the two parts.
    Parts,
    /// `mask ? a : b` by element.
    Select,
    /// A scalar to every element.
    Splat,
    /// The same bytes as another type; one of both is a scalar.
    Bits,
    /// `++` or `--`.
    Step {
        /// Whether it is `++`.
        up: bool,
    },
}

/// A switch.
#[derive(Clone, Debug)]
pub struct SwitchTable {
    /// Cases as ranges of the promoted value, sorted, and where they go.
    pub cases: Vec<(i128, i128, u32)>,
    /// Where all others go.
    pub default: u32,
    /// The type of the value.
    pub num: NumId,
}
