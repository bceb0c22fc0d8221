//! What the tests of this crate share.

use howler_lang::program::Program;
use howler_lang::target::Target;

/// A text as a program.
pub fn read(text: &str) -> Program {
    crate::seed::read(&[("seed.c", text)], Target::X86_64_GCC).expect("the test's program is one")
}
