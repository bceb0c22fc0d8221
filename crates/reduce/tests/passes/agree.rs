//! Whatever a pass makes of smith's programs keeps all rules, and is what the front end reads from its text: nothing is
//! left of the types that things had before.

use howler_case::Input;
use howler_choices::Choices;
use howler_front::{Options as Reading, parse};
use howler_lang::diag::Severity;
use howler_lang::dump;
use howler_lang::edit::compact;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_lang::verify;
use howler_reduce::typed::{PASSES, Site, Subject};
use howler_smith::features::Features;
use howler_smith::{Options, generate};

fn text(program: &Program) -> String {
    unit(program, 0, &PrintOptions::default())
}

fn read(text: &str) -> Result<Program, String> {
    let mut program = Program::new(Target::X86_64_GCC);
    let report = parse(&mut program, "test.c", text.into(), &Reading::default());
    match report.diagnostics.iter().find(|said| said.severity >= Severity::Unsupported) {
        Some(said) => Err(said.message.clone()),
        None => Ok(program),
    }
}

/// What is wrong with a program that a pass made.
fn wrong(mut program: Program) -> Option<String> {
    if let Some(fault) = verify::program(&program).first() {
        return Some(format!("{fault:?}"));
    }
    compact(&mut program);
    let text = text(&program);
    match read(&text) {
        Err(why) => Some(format!("{why}\n{text}")),
        Ok(mut again) => {
            compact(&mut again);
            let (a, b) = (dump::program(&program), dump::program(&again));
            let differs = a.lines().zip(b.lines()).find(|(a, b)| a != b);
            differs.map(|(a, b)| format!("made {a}\nread {b}\n{text}"))
        }
    }
}

#[test]
fn what_passes_make_is_what_its_text_says() {
    let (count, sites_of_each, size) =
        if howler_testkit::soak() { (400, 200, (400, 2500)) } else { (20, 5, (100, 500)) };
    let mut bad: Vec<String> = Vec::new();
    let mut made = vec![0usize; PASSES.len()];
    for seed in 0..count {
        // Some passes are only at work where the program is run, some only where it is not.
        let runs = seed % 4 != 3;
        let features = if seed % 2 == 0 { Features::standard() } else { Features::all() };
        let options = Options { size, steps: 200_000, features, ..Options::default() };
        let seed_text = text(&generate(&options, Target::X86_64_GCC, &Choices::new(seed)));
        let Ok(program) = read(&seed_text) else { continue };
        let mut subject = Subject::new(program, Input::NOTHING).compacted();
        if !runs {
            subject = subject.only_compiled();
        }
        for (number, pass) in PASSES.iter().enumerate() {
            let sites = pass.sites(&subject);
            let half = sites.len() / 2;
            let few = sites.len().div_ceil(sites_of_each).max(1);
            let mut sets: Vec<&[Site]> = sites.chunks(1).step_by(few).collect();
            sets.extend([&sites[..], &sites[..half], &sites[half..]]);
            for set in sets {
                let Some(program) = pass.apply_all(&subject, set) else { continue };
                made[number] += 1;
                if let Some(why) = wrong(program) {
                    let name = pass.name();
                    bad.push(
                        format!("{name} of {seed}, {} sites: {why}", set.len()).chars().take(1500).collect(),
                    );
                }
            }
            // Later passes come to what earlier ones have been to.
            if !["declarations", "statements", "unreached"].contains(&pass.name())
                && let Some(program) = pass.apply_all(&subject, &sites[..half.min(20)])
            {
                subject = subject.with(program).compacted();
            }
        }
    }
    assert!(bad.is_empty(), "{} of {made:?}:\n{}", bad.len(), bad[..bad.len().min(5)].join("\n\n"));
    let idle: Vec<&str> =
        PASSES.iter().zip(&made).filter(|(_, made)| **made == 0).map(|(pass, _)| pass.name()).collect();
    assert_eq!(idle, [] as [&str; 0], "every pass finds something to do");
}
