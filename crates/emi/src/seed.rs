//! Where variants begin: a text that is C, means one thing, and comes to an end. What does not is refused with a reason.

use howler_case::{Behaviour, Input};
use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::link::link;
use howler_lang::program::Program;
use howler_lang::source::Pos;
use howler_lang::target::Target;
use howler_machine::Judge;
use howler_machine::judge::Judgement;
use howler_machine::profile::{Profile, ProfileOptions};

/// Why there are no variants of a program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadSeed {
    /// It is no program in C that Howler reads.
    #[error("it is no C program: {0}")]
    NotC(String),
    /// It means nothing.
    #[error("it is undefined: {0}")]
    Undefined(String),
    /// It may mean several things: it asks for the time, or for an order that nobody lays down.
    #[error("it has no single meaning: {0}")]
    Unspecified(String),
    /// It has one meaning, which some compilers do not promise to keep.
    #[error("not every compiler promises what it relies on: {0}")]
    Unkept(String),
    /// It has something that is not modelled.
    #[error("it cannot be judged: {0}")]
    Unsupported(String),
    /// It does not end, or not soon enough.
    #[error("it does not end within the limits: {0}")]
    Unfinished(String),
}

/// Reads the units of a program, preprocessed: name and text of each.
///
/// # Errors
/// The first message of the front end or of the linker.
pub fn read(files: &[(&str, &str)], target: Target) -> Result<Program, BadSeed> {
    let mut program = Program::new(target);
    for &(name, text) in files {
        let report = parse(&mut program, name, text.into(), &Options::default());
        if let Some(said) = report.diagnostics.iter().find(|said| said.severity >= Severity::Unsupported) {
            return Err(BadSeed::NotC(format!("{}{}", place(&program, said.pos), said.message)));
        }
    }
    // Edits are made on what was read; what is judged is a linked copy.
    let said = link(&mut program.clone());
    match said.iter().find(|said| said.severity >= Severity::Unsupported) {
        Some(said) => Err(BadSeed::NotC(said.message.clone())),
        None => Ok(program),
    }
}

/// A copy whose units know each other.
pub(crate) fn linked(program: &Program) -> Program {
    let mut program = program.clone();
    link(&mut program);
    program
}

/// What a program does with each of its inputs, and what was seen at the points that were asked for, over all of them.
///
/// # Errors
/// There is an input with which it does not have exactly one meaning that every compiler promises.
pub fn judged(
    program: &Program,
    inputs: &[Input],
    judge: &dyn Judge,
    wanted: &ProfileOptions<'_>,
) -> Result<(Vec<Behaviour>, Profile), BadSeed> {
    let linked = linked(program);
    let (mut behaviours, mut profile) = (Vec::new(), None::<Profile>);
    for input in inputs {
        let arguments: Vec<Vec<u8>> = input.arguments.iter().map(|text| text.clone().into_bytes()).collect();
        let input = howler_machine::Input { bytes: &input.stdin, arguments: &arguments };
        let asked = judge.profile(&linked, input, wanted);
        behaviours.push(promised(program, &asked.judgement)?);
        match &mut profile {
            Some(all) => all.join(&asked.profile),
            None => profile = Some(asked.profile),
        }
    }
    Ok((behaviours, profile.unwrap_or_default()))
}

/// The one behaviour, or why there is none.
fn promised(program: &Program, judgement: &Judgement) -> Result<Behaviour, BadSeed> {
    if let Some(behaviour) = judgement.defined() {
        return Ok(behaviour.clone());
    }
    let at = |pos| place(program, pos);
    Err(match judgement {
        Judgement::Undefined(ub) => BadSeed::Undefined(format!("{}{}", at(ub.pos), ub.message)),
        Judgement::Unsupported(what) => BadSeed::Unsupported(format!("{}{}", at(what.pos), what.what)),
        Judgement::Unfinished(limit) => BadSeed::Unfinished(limit.to_string()),
        Judgement::Unspecified { on, pos } => BadSeed::Unspecified(format!("{}{}", at(*pos), on.message())),
        Judgement::BadProgram(why) => BadSeed::NotC(why.clone()),
        Judgement::Defined { caveats, .. } => {
            let why = caveats
                .first()
                .map_or(String::new(), |&(caveat, pos)| format!("{}{}", at(pos), caveat.message()));
            BadSeed::Unkept(why)
        }
    })
}

/// `file:line: `, if it is known.
fn place(program: &Program, pos: Pos) -> String {
    let place = program.sources.place(pos);
    place.map_or(String::new(), |place| format!("{}:{}: ", place.file, place.line))
}
