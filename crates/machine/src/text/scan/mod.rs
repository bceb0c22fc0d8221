//! From text to values: strtol's and strtod's families (C17 7.22.1) and scanf's conversions (C17 7.21.6.2).
//!
//! Inputs are bytes, up to a null character or the end; results are typed values that the caller stores.

mod directive;
mod float;
mod integer;
mod matching;

pub use directive::{Conversion, Directive, Invalid, Kind, Object, Set, object, parse};
pub use float::{Float, Range, float};
pub use integer::{Integer, integer, whole_integer};
pub use matching::{Item, Matched, Value, matches};
