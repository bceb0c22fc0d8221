//! Whole programs with generation-time analysis (Yang: *Random Testing of Open Source C Compilers*, 2014).
//!
//! A program is made from the top: a function, its statements, their expressions, and whatever these need, when they need
//! it. While it is made, it is known what each pointer may point to, which member each union holds, and what each
//! expression reads and writes, so nothing is made that has no meaning. What must hold at the head of a loop is chosen
//! before its body is made, and the body keeps to it: there is nothing to find out afterwards, and nothing to take back.
#![deny(missing_docs)]

mod access;
mod assert;
mod bare;
mod call;
mod checksum;
mod effects;
mod expr;
mod facts;
pub mod features;
mod find;
mod finish;
mod function;
mod maker;
mod options;
mod place;
mod plant;
mod pointed;
mod reach;
mod safe;
mod sets;
mod stmt;
mod strings;
mod technique;
mod types;
mod units;
mod varargs;
mod vars;
pub mod weights;

pub use bare::{Judged, judged};
pub use options::{Limits, Options, Plant};
pub use plant::Fault;
pub use technique::TECHNIQUE;

use howler_choices::Choices;
use howler_lang::program::Program;
use howler_lang::target::Target;

/// Makes one program, and asks nobody. The same options, target and choices make the same program.
///
/// ```
/// use howler_choices::Choices;
/// use howler_lang::target::Target;
/// use howler_smith::{Options, generate};
///
/// let options = Options { size: (100, 200), ..Options::default() };
/// let program = generate(&options, Target::X86_64_GCC, &Choices::new(1));
/// assert!(program.funcs.len() > 2);
/// ```
pub fn generate(options: &Options, target: Target, choices: &Choices) -> Program {
    finish::program(options, target, choices, &[]).program
}
