//! Builtins that are operators: their types depend on their operands.

use super::{Built, Cx};
use crate::program::{Builtin, ExprId};
use crate::source::Pos;

/// An operator-like builtin applied to `args`.
pub fn builtin(cx: &mut Cx, which: Builtin, _args: &[ExprId], pos: Pos) -> Built {
    cx.reject(pos, format!("builtin {} has no typing rule", which.0))
}
