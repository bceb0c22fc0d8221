//! Howler's automation: `cargo xtask test`, `cargo xtask corpus`, `cargo xtask newest`, `cargo xtask bench`.
//!
//! Arguments are read here and nowhere else; each command is a module.
#![allow(
    clippy::disallowed_methods,
    reason = "automation starts cargo, tar and csmith; it is no part of Howler"
)]

mod bench;
mod corpus;
mod csmith;
mod edges;
mod menu;
mod newest;
mod packages;
mod survey;
mod test;
mod times;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask COMMAND

  test              everything that must hold before a commit: formatting, lints, dependencies, all tests
                    (as root on Debian it first installs the packages the tests drive)
  corpus [--small]  fills ./corpus with GCC's test suite and with programs made by Csmith;
                    --small makes as few of the latter as the tests need
  bench [NAME]      runs a benchmark; without a name, lists them
  newest [--all] [PACKAGE...]
                    makes or updates ./roots/unstable, a root with the newest compilers (as root, by debootstrap);
                    --all adds older ones, names of packages are instead of the newest
  survey [NAME]     runs `howler check` over a corpus and counts; without a name, lists the surveys
";

fn main() -> ExitCode {
    // `bench hunt` has a guard, which is this executable, started again.
    howler_toolchain::guard::serve_if_asked();
    // The faulty compilers of `bench reduce` are this executable, too.
    howler_testkit::planted::main_if_asked();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    if let [times::TIMED, log, program, ref rest @ ..] = args[..] {
        return times::timed(log.as_ref(), program.as_ref(), rest);
    }
    let done = match args[..] {
        ["test"] => test::run(),
        ["corpus"] => corpus::fill(corpus::Size::Full),
        ["corpus", "--small"] => corpus::fill(corpus::Size::Small),
        ["newest", ref wanted @ ..] => newest::provide(wanted),
        ["bench"] => {
            print!("{}", bench::list());
            Ok(())
        }
        ["bench", name] => bench::run(name),
        ["survey"] => {
            print!("{}", survey::list());
            Ok(())
        }
        ["survey", name] => survey::run(name),
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::from(if args.is_empty() { 2 } else { 0 });
        }
        _ => {
            eprint!("xtask: `{}` is no command\n\n{USAGE}", args.join(" "));
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the workspace.
fn root() -> &'static std::path::Path {
    howler_testkit::workspace()
}

/// A call of the cargo that runs this, at the root of the workspace.
fn cargo() -> std::process::Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = std::process::Command::new(cargo);
    command.current_dir(root());
    command
}
