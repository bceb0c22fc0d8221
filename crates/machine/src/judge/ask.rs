//! The judge as techniques see it: what they may ask, without a word about how the answer is found.

use super::{JudgeOptions, Judgement, judge};
use crate::exec::{Input, Limits};
use crate::profile::{Profile, ProfileOptions};
use howler_case::Behaviour;
use howler_lang::program::Program;

/// Says what a linked program means on its target. [`Machine`] is the real one; tests of a technique may have one that
/// answers what they need.
///
/// ```
/// use howler_lang::program::Program;
/// use howler_machine::judge::Judgement;
/// use howler_machine::outcome::Limit;
/// use howler_machine::profile::{Points, Profile, ProfileOptions};
/// use howler_machine::{Input, Judge, Machine, Profiled};
///
/// /// How many statements of a program are reached, if it means anything.
/// fn reached(judge: &dyn Judge, program: &Program) -> Option<usize> {
///     let wanted = ProfileOptions { points: Points::Sample { seed: 1, number: 10 }, ..ProfileOptions::default() };
///     let asked = judge.profile(program, Input::default(), &wanted);
///     asked.judgement.defined()?;
///     Some(asked.profile.statements.len())
/// }
///
/// let mut program = Program::new(howler_lang::target::Target::X86_64_GCC);
/// let text = "int main(void) { int x = 1; return x - 1; }";
/// howler_front::parse(&mut program, "a.c", text.into(), &howler_front::Options::default());
/// howler_lang::link::link(&mut program);
/// assert_eq!(reached(&Machine::default(), &program), Some(3));
///
/// /// A judge that never comes to an end.
/// struct Slow;
///
/// impl Judge for Slow {
///     fn judge(&self, _: &Program, _: Input<'_>) -> Judgement {
///         Judgement::Unfinished(Limit::Fuel)
///     }
///
///     fn profile(&self, program: &Program, input: Input<'_>, _: &ProfileOptions<'_>) -> Profiled {
///         Profiled { judgement: self.judge(program, input), profile: Profile::default() }
///     }
/// }
///
/// assert_eq!(reached(&Slow, &program), None);
/// ```
pub trait Judge {
    /// What the program means with this input, or why it has no single meaning.
    fn judge(&self, program: &Program, input: Input<'_>) -> Judgement;

    /// The same, and what its runs did, all together. Of a program that is not defined the profile is what was seen up to
    /// then; `Profile::unfinished` says so.
    fn profile(&self, program: &Program, input: Input<'_>, wanted: &ProfileOptions<'_>) -> Profiled;

    /// The one behaviour that every compiler family promises, if there is one.
    fn behaviour(&self, program: &Program, input: Input<'_>) -> Option<Behaviour> {
        self.judge(program, input).defined().cloned()
    }
}

/// A judgement, and what the runs behind it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profiled {
    /// The judgement.
    pub judgement: Judgement,
    /// All runs together. Of a program that cannot even start it is that of no run.
    pub profile: Profile,
}

/// The abstract machine as a [`Judge`]: several runs with other orders and addresses, and limits that suit programs for
/// compilers to chew on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// What each run may use.
    pub limits: Limits,
    /// How many runs, at least one.
    pub runs: u32,
}

impl Default for Machine {
    fn default() -> Machine {
        Machine { limits: Limits { steps: 50_000_000, ..Limits::default() }, runs: 3 }
    }
}

impl Judge for Machine {
    fn judge(&self, program: &Program, input: Input<'_>) -> Judgement {
        let Machine { limits, runs } = *self;
        judge(program, &JudgeOptions { input, limits, runs, profile: None }).judgement
    }

    fn profile(&self, program: &Program, input: Input<'_>, wanted: &ProfileOptions<'_>) -> Profiled {
        let Machine { limits, runs } = *self;
        let judged = judge(program, &JudgeOptions { input, limits, runs, profile: Some(*wanted) });
        let profile = judged.profile().unwrap_or_default();
        Profiled { judgement: judged.judgement, profile }
    }
}
