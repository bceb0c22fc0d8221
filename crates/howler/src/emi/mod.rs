//! `howler emi`: from files to variants of the program in them, on standard output or in a folder.

pub mod options;

use anyhow::{Context, Result, bail};
use howler_campaign::variants;
use howler_case::options::Kind;
use howler_case::{Case, Input, Origin};
use howler_choices::Choices;
use howler_emi::{BadSeed, Chain, NoVariant, Options};
use howler_machine::{Limits, Machine};

use crate::generate::comment::harmless;
use crate::generate::files::Files;
use crate::generate::flags;
use crate::{Status, check, pipeline, show};
use options::Emi;

/// Runs the command.
pub fn run(options: &Emi) -> Result<Status> {
    if options.strategies.iter().any(|name| name == "help") {
        show::to_stdout(strategies().as_bytes())?;
        return Ok(Status::Fine);
    }
    let wanted = wanted(options)?;
    let (program, status) = match read(options)? {
        Ok(program) => program,
        Err(status) => return Ok(status),
    };
    debug_assert!(status == Status::Fine);
    let judge =
        Machine { limits: Limits { steps: options.steps, ..Limits::default() }, ..Machine::default() };
    let inputs = vec![input(options)?];
    let choices = Choices::new(options.seed).sub("emi");
    let mut chain = match Chain::new(program, inputs, wanted, choices, &judge) {
        Ok(chain) => chain,
        Err(bad) => {
            let name = options.files[0].display();
            show::to_stderr(format!("howler: no variants of {name}: {bad}\n").as_bytes())?;
            return Ok(if matches!(bad, BadSeed::NotC(_)) { Status::Failed } else { Status::Refused });
        }
    };
    let number = options.number.unwrap_or(if options.output.is_some() { 10 } else { 1 });
    let mut files = options.output.clone().map(|folder| Files::open(folder, options.force)).transpose()?;
    let (mut made, mut wrong) = (0, 0);
    for index in 0..number {
        let subject = match chain.variant(index, &judge) {
            Ok(subject) => subject,
            Err(why) => {
                wrong += u64::from(matches!(why, NoVariant::Wrong(_)));
                show::to_stderr(format!("howler: variant {index}: {why}\n").as_bytes())?;
                continue;
            }
        };
        made += 1;
        let case = subject.case(origin(options, index));
        let explained = options.explain.then(|| subject.explained());
        let texts = texts(options, &case, explained, index);
        match &mut files {
            Some(files) => {
                let texts: Vec<(&str, Vec<u8>)> =
                    case.files.iter().map(|file| file.name.as_str()).zip(texts).collect();
                files.put(
                    &format!("variant-{index:05}"),
                    &texts,
                    &flags(options.language.target(), &case),
                )?;
            }
            None => {
                for text in texts {
                    show::to_stdout(&text)?;
                }
            }
        }
    }
    if let Some(files) = &files {
        let folder = files.folder().display();
        show::to_stderr(format!("howler: {made} of {number} variants in {folder}\n").as_bytes())?;
    }
    if wrong > 0 {
        bail!("{wrong} variants were not what their program is, and were dropped: please report that");
    }
    Ok(if made > 0 || number == 0 { Status::Fine } else { Status::Failed })
}

/// What the command line says about how programs are changed.
fn wanted(options: &Emi) -> Result<Options> {
    let all = Options { probability: options.probability, chain: options.chain, ..Options::default() };
    if options.strategies.is_empty() {
        return Ok(all);
    }
    let word = format!("only={}", options.strategies.join(","));
    let values = variants::TABLE.read([word]).map_err(|error| anyhow::anyhow!("--strategy: {error}"))?;
    Ok(Options { probability: options.probability, chain: options.chain, ..Options::of(&values) })
}

/// All ways to change a program.
fn strategies() -> String {
    let mut text = String::new();
    for option in variants::TABLE.0 {
        if let Kind::Set { members, .. } = option.kind {
            for member in members {
                text.push_str(&format!("{:12} {}\n", member.name, member.help));
            }
        }
    }
    text
}

/// The files as one program, or how it ends if they are none.
fn read(options: &Emi) -> Result<Result<(howler_lang::program::Program, Status), Status>> {
    let target = options.language.target();
    let front = howler_front::Options { pedantic_errors: false };
    let (program, units) = pipeline::read_all(target, &options.files, &options.preprocessing, &front)?;
    let translator = units.iter().find_map(|unit| unit.translator);
    let diagnostics: Vec<_> = units.into_iter().flat_map(|unit| unit.diagnostics).collect();
    let status = check::status_of(&diagnostics);
    if status != Status::Fine {
        for said in &diagnostics {
            show::to_stderr(howler_lang::diag::render(said, &program.sources, false).as_bytes())?;
        }
        return Ok(Err(if status == Status::Refused { status } else { Status::Failed }));
    }
    if let Some((name, line)) = translator {
        let text = format!(
            "howler: no variants: '{name}' on line {line} depends on the compiler and on when it compiles\n"
        );
        show::to_stderr(text.as_bytes())?;
        return Ok(Err(Status::Refused));
    }
    Ok(Ok((program, Status::Fine)))
}

fn input(options: &Emi) -> Result<Input> {
    let stdin = match &options.stdin {
        Some(file) => std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?,
        None => Vec::new(),
    };
    Ok(Input { arguments: options.arguments.clone(), stdin })
}

/// Where a variant comes from. The files are the user's: nothing makes it again but the command.
fn origin(options: &Emi, index: u64) -> Origin {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    Origin { arm: variants::NAME.to_owned(), version, seed: options.seed, index }
}

/// The files of a variant, the first with a comment that says what it is.
fn texts(options: &Emi, case: &Case, explained: Option<Vec<String>>, index: u64) -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = match explained {
        Some(texts) => texts.into_iter().map(String::into_bytes).collect(),
        None => case.files.iter().map(|file| file.text.clone()).collect(),
    };
    let names: Vec<String> = options.files.iter().map(|file| file.display().to_string()).collect();
    let line = format!(
        "variant {index} of {} made by howler {} emi with --seed {}: {} edits, must do the same",
        names.join(" "),
        case.origin.version,
        options.seed,
        case.edits.len()
    );
    if let Some(first) = texts.first_mut() {
        first.splice(0..0, format!("/* {} */\n", harmless(&line)).into_bytes());
    }
    texts
}
