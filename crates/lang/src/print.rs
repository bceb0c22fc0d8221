//! Print (to come).

use crate::program::Program;
use crate::ty::Type;

/// A type's spelling.
pub fn type_name(_program: &Program, ty: Type) -> String {
    format!("{ty:?}")
}
