//! Orange3: arithmetic with known answers (Nagai, Hashimoto, Ishiura: *Reinforcing Random Testing of Arithmetic
//! Optimization of C Compilers by Scaling up Size and Number of Expressions*, 2014).
//!
//! A test is long expressions over variables of every arithmetic type, without wrappers around operators. The value of
//! every node is computed while it is made; what would be undefined or rounded is repaired on the spot. So the test
//! knows every answer, and finds a compiler that is wrong at every level or in the same way as all others.
//!
//! ```
//! use howler_choices::Choices;
//! use howler_lang::target::Target;
//! use howler_orange::{Options, generate};
//!
//! let options = Options { operations: (10, 10), ..Options::default() };
//! let test = generate(&options, Target::X86_64_GCC, &mut Choices::new(7));
//! let files = test.render();
//! assert!(files[0].1.contains("int main(void)"));
//! ```
//!
//! Nothing here runs a program or starts a compiler.
#![deny(missing_docs)]

mod edit;
mod eval;
mod exact;
mod expression;
mod options;
mod pattern;
mod program;
mod repair;
mod report;
mod technique;
mod test;
mod uses;
mod variable;

pub use edit::Simplification;
pub use eval::NoValue;
pub use howler_lang::scalar::Ty;
pub use options::{Feature, Features, Options, OptionsError, Repair};
pub use pattern::{Pattern, Telling, pattern};
pub use technique::TECHNIQUE;
pub use test::{Form, Node, NodeId, Op, Place, Role, Statement, Stats, Test, Var, VarId};

use expression::Maker;
use howler_choices::Choices;
use howler_lang::target::Target;
use variable::Fashion;

/// Makes one test. The same options, target and choices make the same test.
///
/// Options that do not [validate](Options::validate) are taken as far as they make sense.
pub fn generate(options: &Options, target: Target, choices: &mut Choices) -> Test {
    let features = options.drawn_features(target, &mut choices.sub("features"));
    let (operators, expressions) = options.drawn_size(&mut choices.sub("size"));
    let types = options::types(features);
    let integers = types.iter().copied().filter(|ty| !ty.is_float()).collect();
    let fashion = Fashion { features, types, integers, split: options.files > 0 };
    let form = if options.files > 0 { Form::Split(options.files) } else { Form::Whole };
    let fractions = features.has(Feature::Float) && features.has(Feature::Fraction);
    let test = expression::empty(target, form, fractions);
    let mut maker = Maker::new(options, fashion, test, choices);
    // Few variables make many uses of each; the paper does not say how many it has.
    let operations = u64::from(operators) * u64::from(expressions);
    let most = operations.clamp(2, 20) + operations.isqrt();
    maker.operands(choices.sub("variables").range("operands", 2..=most as u32));
    maker.statements(choices, expressions, operators);
    maker.test
}
