//! The `howler` command: flags and glue. What the commands do lives in the crates below.

mod check;
mod compiler_flags;
mod documents;
mod emi;
mod generate;
mod hunt;
mod options;
mod pipeline;
mod reduce;
mod run;
mod run_json;
mod run_profile;
mod run_profile_json;
mod show;
mod spe;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use howler_toolchain::preprocess::PreprocessError;

/// Finds bugs in C compilers and hands each one over as a small, proven report.
#[derive(Parser)]
#[command(version, propagate_version = true, after_help = STATUSES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(options::Check),
    Run(options::Run),
    Hunt(hunt::options::Hunt),
    Gen(generate::options::Gen),
    Emi(emi::options::Emi),
    Reduce(reduce::options::Reduce),
    Spe(spe::options::Spe),
    Findings(hunt::options::Findings),
    Merge(hunt::options::Merge),
    Doctor(hunt::options::Doctor),
    Completions(documents::Completions),
    Man(documents::Man),
}

const STATUSES: &str = "\
'howler help verdicts' explains the words of a hunt's summary.

Exit status:
  0  done; nothing found, where something was looked for
  1  something found: a new finding (hunt), errors (check), undefined behaviour (run --judge)
  2  Howler could not do its work; a hunt that tested nothing ends so too
  3  refused: unsupported";

/// How a command ended, as the shell sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    /// Done, nothing found.
    Fine,
    /// Something was found: a failed check.
    Found,
    /// Howler could not do its work.
    Failed,
    /// Something is not supported.
    Refused,
    /// A signal ended it: 128 and its number.
    Interrupted(u8),
    /// `howler run` hands on the program's own status, or says how it ended otherwise.
    Program(u8),
}

impl Status {
    fn code(self) -> u8 {
        match self {
            Status::Fine => 0,
            Status::Found => 1,
            Status::Failed => 2,
            Status::Refused => 3,
            Status::Interrupted(code) | Status::Program(code) => code,
        }
    }
}

fn main() -> ExitCode {
    // The guard that runs compilers is this executable, started again.
    howler_toolchain::guard::serve_if_asked();
    let arguments = match compiler_flags::translate(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(why) => {
            let _ = show::to_stderr(format!("error: {why}\n").as_bytes());
            return ExitCode::from(Status::Failed.code());
        }
    };
    if let [_, help, topic] = &arguments.kept[..]
        && help == "help"
        && (topic == "verdicts" || topic == "verdict")
    {
        return tell(&hunt::legend::help());
    }
    let Cli { command } =
        Cli::try_parse_from(&arguments.kept).unwrap_or_else(|error| complain(&error, &arguments.kept));
    let result = match command {
        // These finish what they are at first.
        Command::Hunt(options) => hunt::run(&options),
        Command::Gen(options) => generate::run(options),
        Command::Reduce(options) => reduce::run(&options),
        Command::Spe(options) => spe::run(&options),
        command => howler_toolchain::interrupt::end_cleanly()
            .context("cannot wait for signals")
            .and_then(|()| dispatch(command, &arguments.ignored)),
    };
    let status = result.unwrap_or_else(|error| {
        // What a preprocessor says begins with a place, as editors want it.
        let refused = matches!(error.downcast_ref(), Some(PreprocessError::Refused { .. }));
        let whose = if refused { "" } else { "howler: " };
        // There is nowhere left to complain to if this fails too.
        let _ = show::to_stderr(format!("{whose}{}\n", with_causes(&error)).as_bytes());
        Status::Failed
    });
    ExitCode::from(status.code())
}

/// An error with its causes, each once: many messages have theirs in them.
fn with_causes(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        known if known.contains(&cause) => text,
        known => format!("{known}: {cause}"),
    })
}

/// Ends with clap's own message, and with what was meant if a file stands where the command should.
fn complain(error: &clap::Error, arguments: &[OsString]) -> ! {
    let file = arguments.get(1).map(Path::new);
    if let (ErrorKind::InvalidSubcommand, Some(file)) = (error.kind(), file)
        && (file.extension().is_some_and(|end| end == "c" || end == "i") || file.is_file())
    {
        let name = file.display();
        let tip = format!(
            "error: {name} is a file, a command comes first\n\n  tip: `howler run {name}` executes it, `howler check {name}` says what is wrong with it\n"
        );
        let _ = show::to_stderr(tip.as_bytes());
        std::process::exit(i32::from(Status::Failed.code()));
    }
    if let (ErrorKind::InvalidSubcommand, Some(tip)) = (error.kind(), generate::options::meant(arguments)) {
        let _ = show::to_stderr(tip.as_bytes());
        std::process::exit(i32::from(Status::Failed.code()));
    }
    if error.use_stderr() {
        error.exit();
    }
    let text = error.render();
    let terminal = std::io::stdout().is_terminal();
    let text = if terminal { text.ansi().to_string() } else { text.to_string() };
    std::process::exit(i32::from(told(&text).code()));
}

/// Ends with a text on standard output.
fn tell(text: &str) -> ExitCode {
    ExitCode::from(told(text).code())
}

/// Help that nobody could read was not given.
fn told(text: &str) -> Status {
    match show::to_stdout(text.as_bytes()) {
        Ok(()) => Status::Fine,
        Err(why) => {
            let _ = show::to_stderr(format!("howler: cannot write to standard output: {why}\n").as_bytes());
            Status::Failed
        }
    }
}

fn dispatch(command: Command, ignored: &compiler_flags::Ignored) -> anyhow::Result<Status> {
    match command {
        Command::Check(options) => {
            ignored.note(options.json)?;
            check::run(&options)
        }
        Command::Run(options) => {
            ignored.note(options.json)?;
            run::run(&options)
        }
        Command::Emi(options) => {
            ignored.note(false)?;
            emi::run(&options)
        }
        Command::Hunt(options) => hunt::run(&options),
        Command::Gen(options) => generate::run(options),
        Command::Reduce(options) => reduce::run(&options),
        Command::Spe(options) => spe::run(&options),
        Command::Findings(options) => hunt::findings::run(&options),
        Command::Merge(options) => hunt::findings::merge(&options),
        Command::Doctor(options) => hunt::doctor::run(&options),
        Command::Completions(options) => documents::complete(&options, Cli::command()),
        Command::Man(options) => documents::man(&options, Cli::command()),
    }
}
