//! Text to number and back as the C library does it: pure functions on bytes, the base of printf, scanf, strtol,
//! strtod and ctype.h.
//!
//! Nothing here knows of memory, pointers or streams: callers fetch arguments and store results. The locale is "C".
//! Where C17 leaves the text to the implementation it is glibc's, byte for byte (tested against 2.36).

pub mod ctype;
pub mod errors;
pub mod format;
pub mod scan;

mod real;
