//! Programs with what they must do: judged, and many of them without the wrappers that nothing needs.
//!
//! A wrapper hides its operation from the compiler. Where the judge has seen all operands, and none of them would be
//! undefined, the same program is made once more with the bare operator in that place. It does the same, so what was seen
//! stays true; the judge looks again all the same.

use howler_case::Behaviour;
use howler_choices::Choices;
use howler_lang::arith::{Num, num_of};
use howler_lang::link;
use howler_lang::program::{Program, StmtId, UnaryOp};
use howler_lang::target::Target;
use howler_lang::ty::Type;
use howler_machine::profile::{Calls, Operator, Profile, ProfileOptions, Scalar, undefined_bare};
use howler_machine::{Input, Judge};

use crate::finish::{self, Whole};
use crate::options::{Options, Plant};
use crate::plant::Fault;
use crate::safe::{Op, Site};

/// A program and what it must do.
pub struct Judged {
    /// The program, linked.
    pub program: Program,
    /// What it must do; none if the judge could not say.
    pub behaviour: Option<Behaviour>,
    /// How many operations it has that might be undefined, and how many of them stand bare.
    pub operations: (usize, usize),
    /// How many programs were made before it and not taken.
    pub dropped: u32,
    /// The statements in which faults were planted.
    pub marks: Vec<(StmtId, Fault)>,
}

/// How many programs are made until one means something.
const ATTEMPTS: u64 = 4;

/// How many different operands of a wrapper are looked at one by one; of more it is the range that counts.
const TUPLES: usize = 32;

/// Makes a program and asks the judge about it.
pub fn judged(options: &Options, target: Target, choices: &Choices, judge: &dyn Judge) -> Judged {
    let mut bare_choices = choices.sub("bare");
    let go_bare = bare_choices.chance("go bare", options.bare, 100);
    let mut attempt = 0;
    loop {
        let stream = if attempt == 0 { choices.sub("first") } else { choices.sub_indexed("again", attempt) };
        let Whole { mut program, sites, marks } = finish::program(options, target, &stream, &[]);
        link::link(&mut program);
        // What has faults on purpose has no meaning to ask for.
        if options.plant != Plant::default() {
            return Judged { program, behaviour: None, operations: (sites.len(), 0), dropped: 0, marks };
        }
        let tuples = if go_bare { TUPLES } else { 0 };
        let wanted = ProfileOptions { tuples, values: 1, ..ProfileOptions::default() };
        let asked = judge.profile(&program, Input::default(), &wanted);
        let behaviour = asked.judgement.defined().cloned();
        let dropped = attempt as u32;
        let made = Judged { program, behaviour, operations: (sites.len(), 0), dropped, marks };
        attempt += 1;
        if made.behaviour.is_none() {
            if attempt < ATTEMPTS && options.analysis {
                continue;
            }
            return made;
        }
        if !go_bare {
            return made;
        }
        let bare = silent(&made.program, &sites, &asked.profile, &mut bare_choices);
        let mut program = finish::program(options, target, &stream, &bare).program;
        link::link(&mut program);
        let behaviour = judge.behaviour(&program, Input::default());
        // What is known of the order of volatile accesses may change: there are fewer calls.
        let seen =
            |behaviour: &Option<Behaviour>| behaviour.as_ref().map(|known| (known.end, known.output.clone()));
        if seen(&behaviour) != seen(&made.behaviour) {
            return made;
        }
        let count = bare.iter().filter(|bare| **bare).count();
        return Judged { program, behaviour, operations: (sites.len(), count), dropped, marks: made.marks };
    }
}

/// Which wrappers never had to do anything. Those that were never reached go by chance.
fn silent(program: &Program, sites: &[Site], profile: &Profile, choices: &mut Choices) -> Vec<bool> {
    let rare = *choices.one_of("never reached", &[0, 25, 50, 100]);
    (sites.iter())
        .map(|site| match profile.calls.get(&site.e) {
            Some(calls) => is_silent(program, site, calls),
            None => choices.chance("bare", rare, 100),
        })
        .collect()
}

/// The types that an operation is done in: those of its operands, and that of its result.
fn types(program: &Program, site: &Site) -> Option<(Vec<Num>, Num)> {
    let num = num_of(&program.types, &program.target, site.ty)?;
    let int = num_of(&program.types, &program.target, Type::INT)?;
    // C17 6.3.1.1p2: what is narrower than `int` becomes one.
    let done = if num.width() < int.width() { int } else { num };
    let operands = match site.op {
        Op::Neg => vec![done],
        op if op.is_shift() => vec![done, int],
        _ => vec![done, done],
    };
    Some((operands, done))
}

fn is_silent(program: &Program, site: &Site, calls: &Calls) -> bool {
    let Some((operands, result)) = types(program, site) else { return false };
    let operator = match site.op {
        Op::Neg => Operator::Unary(UnaryOp::Neg),
        op => Operator::Binary(op.binary()),
    };
    let defined = |tuple: &[Option<Scalar>]| {
        tuple.iter().all(Option::is_some) && undefined_bare(operator, &operands, result, tuple).is_none()
    };
    if !calls.tuples.more {
        return calls.tuples.kept.iter().all(|tuple| defined(tuple));
    }
    // Only the ranges are known: their ends decide where an operation grows or falls all the way.
    let ranges: Option<Vec<(i128, i128)>> = calls.each.iter().map(|each| each.interval()).collect();
    let Some(ranges) = ranges else { return false };
    if matches!(site.op, Op::Div | Op::Rem) {
        let (low, high) = ranges[1];
        // Zero divides nothing, and -1 not the least number.
        if low <= 0 && high >= -1 {
            return false;
        }
    }
    let ends = |&(low, high): &(i128, i128)| [Some(Scalar::Int(low)), Some(Scalar::Int(high))];
    match &ranges[..] {
        [one] => ends(one).iter().all(|&a| defined(&[a])),
        [one, two] => ends(one).iter().all(|&a| ends(two).iter().all(|&b| defined(&[a, b]))),
        _ => false,
    }
}
