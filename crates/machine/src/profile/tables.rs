//! What lowering writes down for a profile: the numbers that instructions carry, and what they stand for.

use super::parts::ObjectParts;
use super::sites::Operator;
use crate::op::Reg;
use howler_lang::arith::Num;
use howler_lang::program::{ExprId, ObjId, StmtId};
use rustc_hash::FxHashMap;

/// The tables of a profiled program; empty in others.
#[derive(Default, Debug)]
pub(crate) struct Tables {
    /// Controlling expressions.
    pub branches: Vec<ExprId>,
    pub switches: Vec<SwitchSite>,
    /// The points that were chosen.
    pub points: Vec<Watched>,
    /// The parts of objects that are in scope at some of them.
    pub objects: Vec<ObjectParts>,
    pub operators: Vec<OperatorSite>,
    /// Calls: the expression and the index of its call site.
    pub calls: Vec<(ExprId, u32)>,
}

/// A `switch`.
#[derive(Debug)]
pub(crate) struct SwitchSite {
    pub expr: ExprId,
    pub num: Num,
    /// Ranges of values, sorted, and the `case` that has them.
    pub cases: Vec<(i128, i128, StmtId)>,
    pub default: Option<StmtId>,
}

/// A chosen point.
#[derive(Debug)]
pub(crate) struct Watched {
    pub stmt: StmtId,
    pub objects: Vec<WatchedObject>,
    pub left_out: Vec<ObjId>,
    /// For static objects in scope: the definition, and the object that the name means.
    pub statics: FxHashMap<ObjId, ObjId>,
}

/// An object in scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WatchedObject {
    pub object: ObjId,
    /// Index into [`Tables::objects`].
    pub parts: u32,
    /// Its value, or a pointer to it.
    pub reg: Reg,
    pub in_memory: bool,
    /// An operand beside the statement may write it, before or after.
    pub beside: bool,
}

/// An operator.
#[derive(Debug)]
pub(crate) struct OperatorSite {
    pub expr: ExprId,
    pub operator: Operator,
    pub args: Vec<(Reg, Num)>,
    pub result: Num,
}
