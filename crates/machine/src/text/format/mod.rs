//! printf's conversions (C17 7.21.6.1): reading a specification, what argument it wants, and the text it makes.
//!
//! Walking the format string, fetching arguments and writing the result to a stream are the caller's.

mod argument;
mod float;
mod integer;
mod output;
mod spec;

pub use argument::{Argument, argument};
pub(super) use argument::{int_type, wchar};
pub use float::{Printed, float};
pub use integer::{integer, pointer};
pub use output::{TooLong, character, string, wide_byte};
pub use spec::{Amount, Conversion, Extension, Flags, Invalid, Length, Spec, parse};
