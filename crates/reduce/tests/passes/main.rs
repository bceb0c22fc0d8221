//! What each pass makes of small programs: one file for a pass, one function to look at it.

mod agree;
mod control;
mod declarations;
mod expressions;
mod moves;
mod objects;
mod signatures;
mod statements;
mod types;
mod words;

use howler_case::Input;
use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_lang::verify;
use howler_reduce::typed::{PASSES, Pass, Site, Subject};

/// A text as a subject.
pub fn read(text: &str) -> Subject {
    let mut program = Program::new(Target::X86_64_GCC);
    let report = parse(&mut program, "test.c", text.into(), &Options::default());
    assert!(report.diagnostics.iter().all(|said| said.severity < Severity::Unsupported), "{text}");
    Subject::new(program, Input::NOTHING)
}

/// A pass by its name.
pub fn pass(name: &str) -> &'static dyn Pass {
    *PASSES.iter().find(|pass| pass.name() == name).expect("there is such a pass")
}

/// A program as text, its white space in single blanks; it must be well-formed.
pub fn print(program: &Program) -> String {
    assert_eq!(verify::program(program), []);
    let text = unit(program, 0, &PrintOptions::default());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a pass makes of a program when all its sites that `wanted` holds for are changed together.
pub fn all(name: &str, text: &str, wanted: impl Fn(&Site) -> bool) -> Option<String> {
    let subject = read(text);
    let sites: Vec<Site> = pass(name).sites(&subject).into_iter().filter(wanted).collect();
    pass(name).apply_all(&subject, &sites).map(|program| print(&program))
}

/// Everything that a pass makes of a program by changing one site.
pub fn each(name: &str, text: &str) -> Vec<String> {
    let subject = read(text);
    let pass = pass(name);
    let made = pass.sites(&subject).into_iter().filter_map(|site| pass.apply(&subject, site));
    made.map(|program| print(&program)).collect()
}

/// Whether a pass makes one text of another by changing one site.
#[track_caller]
pub fn has(name: &str, text: &str, wanted: &str) {
    let made = each(name, text);
    assert!(made.iter().any(|one| one == wanted), "{wanted} in {made:#?}");
}

#[test]
fn passes_have_names_of_their_own_and_say_what_they_do() {
    for (at, pass) in PASSES.iter().enumerate() {
        assert!(PASSES[..at].iter().all(|other| other.name() != pass.name()), "{}", pass.name());
        assert!(pass.about().len() > 10, "{}", pass.name());
        let plain = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(pass.name().chars().all(plain), "{}", pass.name());
    }
}
