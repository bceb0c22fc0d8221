//! Faults that are planted on purpose, and marked, so that analysers can be tested with them.

use std::fmt;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A pointer that may be null is followed.
    Null,
    /// A pointer that may point to what is no more is followed.
    Dangling,
    /// An index is beyond the array.
    Bounds,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Null => "planted: null pointer",
            Fault::Dangling => "planted: dangling pointer",
            Fault::Bounds => "planted: index out of bounds",
        })
    }
}
