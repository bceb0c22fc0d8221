//! What variants cost, and how much of what is inserted optimizers see through. Numbers for docs/evidence/emi.md; nothing
//! here fails for a number. Behind `soak()`.

mod common;

use std::time::Duration;

use common::{TARGET, files, made};
use howler_case::{Case, Input};
use howler_choices::Choices;
use howler_emi::seed::{judged, read};
use howler_emi::subject::profile_options;
use howler_emi::{Chain, Options, Subject};
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::Program;
use howler_machine::profile::{Points, ProfileOptions};
use howler_machine::{Judge, Machine};
use howler_testkit::{Scratch, run, soak, tool};

fn programs(number: u64, size: &str) -> Vec<Program> {
    let case = |at: u64| match at % 3 {
        0 | 1 => made(&howler_smith::TECHNIQUE, &[size], at),
        _ => made(&howler_yarp::TECHNIQUE, &["size=300..800"], at),
    };
    let read = |case: Case| read(&files(&case), TARGET).expect("techniques write C");
    (0..number).map(|at| read(case(at))).collect()
}

/// What this thread has used: other work on the machine is not this crate's.
fn cpu() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}

fn percentile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times.get(times.len() * percent / 100).or(times.last()).copied().unwrap_or_default()
}

#[test]
fn cost() {
    if !soak() {
        return;
    }
    for size in ["size=800..3000", "size=10000..14000"] {
        println!("{size}");
        cost_of(programs(45, size));
    }
}

fn cost_of(programs: Vec<Program>) {
    let (judge, options) = (Machine::default(), Options::default());
    let (mut plain, mut profiled, mut synthesis, mut printing, mut again) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut statements = 0;
    for (at, program) in programs.into_iter().enumerate() {
        let choices = Choices::new(at as u64);
        statements += program.stmts.len();
        let nothing = ProfileOptions { points: Points::None, ..ProfileOptions::default() };
        if judged(&program, &[Input::NOTHING], &judge, &nothing).is_err() {
            continue;
        }
        let mut linked = program.clone();
        howler_lang::link::link(&mut linked);
        let begun = cpu();
        let _ = judge.judge(&linked, howler_machine::Input::default());
        plain.push(cpu().saturating_sub(begun));
        let mut first = choices.sub("first");
        let Ok(mut subject) = Subject::new(program, vec![Input::NOTHING], &options, &mut first, &judge)
        else {
            continue;
        };
        // The same program, linked as it was for the plain judgement: linking is no part of either.
        let wanted = profile_options(subject.points());
        let begun = cpu();
        let _ = judge.profile(&linked, howler_machine::Input::default(), &wanted);
        profiled.push(cpu().saturating_sub(begun));
        let begun = cpu();
        subject.change(&options, &mut choices.sub("change"));
        synthesis.push(cpu().saturating_sub(begun));
        let begun = cpu();
        for number in 0..subject.program().units.len() {
            let _ = unit(subject.program(), number, &PrintOptions::default());
        }
        printing.push(cpu().saturating_sub(begun));
        let begun = cpu();
        if let Err(why) = subject.judge_again(&options, &mut choices.sub("again"), &judge) {
            panic!("seed {at}: {why:?}");
        }
        again.push(cpu().saturating_sub(begun));
    }
    println!("{} seeds of {} statements each, about", plain.len(), statements / plain.len().max(1));
    let mut ratios: Vec<f64> = plain
        .iter()
        .zip(&profiled)
        .map(|(plain, profiled)| profiled.as_secs_f64() / plain.as_secs_f64().max(1e-9))
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!(
        "profile over plain judgement: median {:.2}, worst {:.2}",
        ratios[ratios.len() / 2],
        ratios[ratios.len() - 1]
    );
    for (what, times) in [
        ("plain judgement", &mut plain),
        ("judgement with profile", &mut profiled),
        ("synthesis", &mut synthesis),
        ("print", &mut printing),
        ("judging again, with profile", &mut again),
    ] {
        println!("{what}: median {:?}, p99 {:?}", percentile(times, 50), percentile(times, 99));
    }
}

/// The text with a call of its own in every block that is never entered, and how many there are.
fn marked(text: &str) -> (String, usize) {
    let (mut marked, mut number) = (String::new(), 0);
    let mut rest = text;
    while let Some(at) = rest.find("/* fcb (") {
        let Some(open) = rest[at..].find("{\n").map(|open| at + open + 2) else { break };
        marked.push_str(&rest[..open]);
        marked.push_str(&format!("extern void folded_{number}_(void); folded_{number}_();\n"));
        number += 1;
        rest = &rest[open..];
    }
    (marked + rest, number)
}

#[test]
fn what_optimizers_see_through() {
    if !soak() {
        return;
    }
    let judge = Machine::default();
    let options = Options::default().only(&["fcb"]).expect("a strategy");
    let scratch = Scratch::new();
    for compiler in ["gcc-12", "clang-16"] {
        let Some(path) = tool(compiler) else { continue };
        let (mut blocks, mut kept) = (0, 0);
        for (at, program) in programs(60, "size=800..3000").into_iter().enumerate() {
            let choices = Choices::new(at as u64);
            let options = Options { chain: 1, ..options.clone() };
            let Ok(mut chain) = Chain::new(program, vec![Input::NOTHING], options, choices, &judge) else {
                continue;
            };
            let Ok(subject) = chain.variant(0, &judge) else { continue };
            let (text, number) = marked(&subject.explained()[0]);
            let (file, assembly) = (scratch.folder().join("marked.c"), scratch.folder().join("marked.s"));
            std::fs::write(&file, text).unwrap();
            let args = ["-O2", "-w", "-S", "-o", assembly.to_str().unwrap(), file.to_str().unwrap()];
            let said = run(&path, args, &howler_testkit::Options::default());
            assert!(said.success(), "{}", said.stderr_text());
            let assembly = std::fs::read_to_string(&assembly).unwrap();
            blocks += number;
            kept += (0..number).filter(|number| assembly.contains(&format!("folded_{number}_"))).count();
        }
        println!("{compiler} -O2 keeps {kept} of {blocks} blocks that are never entered");
    }
}
