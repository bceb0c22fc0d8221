//! The command line of `howler gen`. Each technique is a command of its own, and its options are those of its table.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use howler_campaign::registry::{self, Entry, TECHNIQUES};
use howler_case::options::{Kind, Opt};

use crate::options::Language;

/// `howler gen`.
pub struct Gen {
    /// What is made.
    pub what: What,
    /// Where it goes.
    pub output: Output,
}

/// What is made.
pub enum What {
    /// The tests of these lines; `-` is the lines of standard input.
    Origins(Vec<String>),
    /// The text of a technique's weights.
    Weights(&'static str),
    /// Tests of a technique.
    Technique {
        /// The technique.
        entry: &'static Entry,
        /// Its options, as `key=value`, in the order they were given.
        words: Vec<String>,
        /// Which tests.
        which: Which,
    },
}

/// Where programs go.
#[derive(Args)]
pub struct Output {
    /// Write files into this folder instead of standard output; it is made if it does not exist
    #[arg(long = "out", short = 'o', value_name = "DIR")]
    pub folder: Option<PathBuf>,

    /// With -o: overwrite files that are something else
    #[arg(long)]
    pub force: bool,

    /// A JSON object per program on standard output: its origin, its id, what it must do, and its files: where they are,
    /// or without -o their text
    #[arg(long)]
    pub json: bool,
}

/// Which tests of a technique.
#[derive(Args)]
pub struct Which {
    /// Where all chance comes from, as in a hunt
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// How many programs
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    pub count: u64,

    /// The number of the first of them
    #[arg(long, value_name = "INDEX", default_value_t = 0)]
    pub from: u64,

    /// The programs alone, without the comment that says where they come from
    #[arg(long)]
    pub bare: bool,

    #[command(flatten)]
    pub language: Language,
}

const ABOUT: &str = "Make programs with known behaviour, without any compiler";

const EXAMPLES: &str = "\
Examples:
  howler gen orange                        one program, on standard output
  howler gen orange -n 1000 -o programs    a thousand of them, as files
  howler gen orange --help                 what orange can be told
  howler gen smith --size 1000..2000       a whole program with functions, pointers and loops
  howler gen --origin 'orange target=x86-64/gcc/gnu17 version=0.1.0 seed=1 index=12'
                                           the very test that a hunt had
  grep -h ^origin howler-hunt/findings/*/README.txt | howler gen --origin - -o again

A program has a comment at its top with its origin: the line that makes it again, and that
findings have too. With --origin there is no comment: the bytes are those of the hunt's test.
(Some compilers get a test preprocessed, as test.i, and a finding may show less: its origin is
the test that it was found with.) A line is good for the version of Howler that it names.

Of an option that is given twice the last one counts; --with, --without and --only go on from
what was said before them.

Exit status:
  0    done
  2    Howler could not do its work: bad arguments, a file in the way
  130  ended by Ctrl-C; what was not finished is left out
  143  ended by SIGTERM";

impl Args for Gen {
    fn augment_args(command: Command) -> Command {
        let origin = Arg::new("origin").long("origin").value_name("LINE").action(ArgAction::Append).help(
            "Make the test of this line again; may be given several times, - reads lines from standard input",
        );
        // They may stand before the technique and behind it.
        let everywhere = Output::augment_args(Which::augment_args(command))
            .arg(origin)
            .mut_arg("dialect", |dialect| dialect.help("Whose meaning counts where compilers differ"))
            .mut_args(|arg| arg.global(true));
        let command = everywhere
            .about(ABOUT)
            .after_help(EXAMPLES)
            .override_usage(
                "howler gen [OPTIONS] <TECHNIQUE> [ITS OPTIONS]\n       howler gen [OPTIONS] --origin <LINE>",
            )
            .subcommand_help_heading("Techniques")
            .subcommand_value_name("TECHNIQUE")
            .args_override_self(true)
            .arg_required_else_help(true)
            .disable_help_subcommand(true);
        TECHNIQUES.iter().fold(command, |command, entry| command.subcommand(technique(entry)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Gen::augment_args(command)
    }
}

/// Prints a technique's weights.
const DUMP: &str = "dump-weights";

/// What a technique's own options stand under.
const HEADING: &str = "The technique's options";

/// The command of a technique.
fn technique(entry: &'static Entry) -> Command {
    let technique = &entry.technique;
    let name = technique.name;
    let command = Command::new(name)
        .about(capital(technique.about))
        .args_override_self(true)
        .after_help(examples(entry));
    technique.options.0.iter().fold(command, |command, option| {
        let with = argument(option, option.key, described(option)).help_heading(HEADING);
        match option.kind {
            Kind::Set { without, only, .. } => {
                let without = argument(option, without, "All but these".to_owned()).help_heading(HEADING);
                let only = argument(option, only, "Nothing but these".to_owned()).help_heading(HEADING);
                command.arg(with).arg(without).arg(only)
            }
            Kind::Weights { .. } => {
                let help = "Print the weights as a text, to be changed and given back";
                let dump = Arg::new(DUMP).long(DUMP).action(ArgAction::SetTrue).help(help);
                command.arg(with).arg(dump.help_heading(HEADING))
            }
            _ => command.arg(with),
        }
    })
}

/// Examples that hold for any technique.
fn examples(entry: &Entry) -> String {
    let name = entry.technique.name;
    let first = entry.technique.options.0.first().filter(|option| option.kind.without().is_none());
    let (key, value) = first.map_or(("KEY", "VALUE".to_owned()), |one| (one.key, one.kind.default_text()));
    format!(
        "Examples:\n  howler gen {name} --{key} {value}\n  howler gen {name} -n 20 --seed 2 -o programs\n  \
         howler gen {name} --target i386 -n 3 --json\n\n\
         The same options in a hunt:\n  howler hunt --gen {name}:{key}={value}"
    )
}

fn argument(option: &'static Opt, key: &'static str, help: String) -> Arg {
    Arg::new(key)
        .long(key)
        .value_name(option.kind.placeholder())
        .action(ArgAction::Append)
        .allow_hyphen_values(true)
        .value_parser(|value: &str| {
            let value = from_file(option, value)?;
            option.check(&value).map(|()| value)
        })
        .help(help)
}

/// Weights may stand in a file: then it is what that changes.
fn from_file(option: &Opt, value: &str) -> Result<String, String> {
    let (Kind::Weights { text }, Some(path)) = (option.kind, value.strip_prefix('@')) else {
        return Ok(value.to_owned());
    };
    let read = std::fs::read_to_string(path).map_err(|error| format!("cannot read '{path}': {error}"))?;
    howler_case::options::of_text(text, &read).map_err(|why| format!("'{path}': {why}"))
}

/// What an option is for, what it takes, and what it is if nothing is said.
fn described(option: &Opt) -> String {
    let mut text = capital(option.help);
    match option.kind {
        Kind::Number { limits: (least, most), .. } | Kind::Range { limits: (least, most), .. } => {
            text.push_str(&format!(", {least} to {most}"));
        }
        Kind::Word { words, .. } => {
            let words = words.iter().map(|(word, help)| format!("{word}: {help}"));
            text.push_str(&format!("; {}", words.collect::<Vec<_>>().join("; ")));
        }
        Kind::Set { members, .. } => {
            let names: Vec<&str> = members.iter().map(|member| member.name).collect();
            let there = option.kind.default_text();
            return format!("{text}, besides those that are there anyway ({there}): {}", names.join(", "));
        }
        Kind::Weights { .. } => {
            text.push_str(", or @FILE with a text of them");
        }
        Kind::Flag { .. } => {}
    }
    format!("{text} [default: {}]", option.kind.default_text())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Arguments that a line says itself.
const OF_LINES: [&str; 6] = ["seed", "count", "from", "std", "target", "dialect"];

fn conflict(why: String) -> clap::Error {
    clap::Error::raw(ErrorKind::ArgumentConflict, why + "\n")
}

impl FromArgMatches for Gen {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Gen, clap::Error> {
        let inner = matches.subcommand();
        let given = inner.map_or(matches, |(_, of_technique)| of_technique);
        let lines: Vec<String> = given.get_many("origin").unwrap_or_default().cloned().collect();
        let output = Output::from_arg_matches(given)?;
        if output.force && output.folder.is_none() {
            return Err(conflict("--force is for the files of --out <DIR>".to_owned()));
        }
        let Some((name, of_technique)) = inner else {
            if lines.is_empty() {
                let why = format!(
                    "name a technique ({}), or a test with --origin: `howler gen --help` has examples\n",
                    registry::names()
                );
                return Err(clap::Error::raw(ErrorKind::MissingSubcommand, why));
            }
            let said = |key: &&&str| given.value_source(key) == Some(ValueSource::CommandLine);
            if let Some(key) = OF_LINES.iter().find(said) {
                return Err(conflict(format!(
                    "--{key} cannot be used with --origin: a line says all of its test"
                )));
            }
            return Ok(Gen { what: What::Origins(lines), output });
        };
        if !lines.is_empty() {
            return Err(conflict(format!(
                "--origin cannot be used with {name}: a line names its technique itself"
            )));
        }
        let unknown = || clap::Error::raw(ErrorKind::InvalidSubcommand, format!("there is no '{name}'\n"));
        let entry = registry::named(name).ok_or_else(unknown)?;
        let weights = entry.technique.options.0.iter().find_map(|option| match option.kind {
            Kind::Weights { text } => Some(text),
            _ => None,
        });
        if let (Some(text), true) = (weights, of_technique.try_get_one(DUMP).ok().flatten() == Some(&true)) {
            return Ok(Gen { what: What::Weights(text), output });
        }
        // What comes later counts, also between the keys of a set.
        let mut words: Vec<(usize, String)> = Vec::new();
        for key in entry.technique.options.keys() {
            let values = of_technique.get_many::<String>(key).unwrap_or_default();
            let places = of_technique.indices_of(key).into_iter().flatten();
            words.extend(places.zip(values.map(|value| format!("{key}={value}"))));
        }
        words.sort();
        let words = words.into_iter().map(|(_, word)| word).collect();
        let which = Which::from_arg_matches(of_technique)?;
        Ok(Gen { what: What::Technique { entry, words, which }, output })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Gen::from_arg_matches(matches)?;
        Ok(())
    }
}

/// What was meant by a technique that is written as in a hunt: `orange:depth=9`.
pub fn meant(arguments: &[OsString]) -> Option<String> {
    let mut words = arguments.iter().filter_map(|word| word.to_str()).skip(1);
    if words.next() != Some("gen") {
        return None;
    }
    let (name, options) =
        words.find_map(|word| word.split_once(':').filter(|(name, _)| registry::named(name).is_some()))?;
    let table = registry::named(name)?.technique.options;
    let words = table.split(options);
    let spelled: Vec<String> = words.iter().map(|word| format!("--{}", word.replacen('=', " ", 1))).collect();
    let spelled = if options == "help" { "--help".to_owned() } else { spelled.join(" ") };
    Some(format!("error: options stand behind the technique here\n\n  tip: `howler gen {name} {spelled}`\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command() -> Command {
        Gen::augment_args(Command::new("gen"))
    }

    fn read(line: &str) -> Result<Gen, clap::Error> {
        let matches = command().try_get_matches_from(line.split(' '))?;
        Gen::from_arg_matches(&matches)
    }

    /// clap looks for keys that come twice: a technique's option must not be called like one of the command's.
    #[test]
    fn no_option_hides_another() {
        command().debug_assert();
    }

    #[test]
    fn options_keep_their_order() {
        let Ok(Gen { what: What::Technique { words, which, .. }, output }) = read(
            "gen orange --without float --seed 3 --with float,constants --depth 9 -n 5 --json --depth 8",
        ) else {
            panic!("it is right")
        };
        assert_eq!(words, ["without=float", "with=float,constants", "depth=9", "depth=8"]);
        assert_eq!((which.seed, which.count, output.json), (3, 5, true));
    }

    #[test]
    fn the_last_word_counts_wherever_it_stands() {
        let Ok(Gen { what: What::Technique { words, which, .. }, output }) =
            read("gen -o a --seed 1 -n 2 orange --seed 5 --depth 3 --seed 4 --only float -o b --force")
        else {
            panic!("it is right")
        };
        assert_eq!(words, ["depth=3", "only=float"]);
        assert_eq!((which.seed, which.count, output.force), (4, 2, true));
        assert_eq!(output.folder, Some("b".into()));
        let Ok(Gen { what: What::Origins(lines), output }) = read("gen --json --origin a --origin b -o d")
        else {
            panic!("it is right")
        };
        assert_eq!((lines, output.json), (vec!["a".to_owned(), "b".to_owned()], true));
    }

    #[test]
    fn what_is_written_as_in_a_hunt_is_understood() {
        let meant = |line: &str| meant(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        let tip = meant("howler gen -n 3 orange:operations=10,without=float,shift").unwrap();
        assert!(tip.contains("`howler gen orange --operations 10 --without float,shift`"), "{tip}");
        assert!(meant("howler gen orange:help").unwrap().contains("`howler gen orange --help`"));
        assert_eq!(meant("howler gen orage:depth=3"), None);
        assert_eq!(meant("howler run orange:depth=3"), None);
    }

    #[test]
    fn mistakes_end_with_2_and_say_what_was_meant() {
        let cases = [
            ("gen orange --dept 3", "'--depth'"),
            ("gen orange --depth 66", "'66' is no number from 1 to 65"),
            ("gen orange --operations 9..1", "is no range within 1..4000000"),
            ("gen orange --without floats", "did you mean 'float'?"),
            ("gen ornage", "'orange'"),
            ("gen --json", "name a technique (orange, smith, yarp, spe)"),
            ("gen --origin x orange", "orange"),
            ("gen orange --origin x", "a line names its technique"),
            ("gen --origin x --seed 3", "--seed cannot be used with --origin"),
            ("gen --std c99 --origin x", "--std cannot be used with --origin"),
            ("gen orange --force", "--out"),
            ("gen --force orange", "--out"),
        ];
        for (line, part) in cases {
            let Err(error) = read(line) else { panic!("{line}") };
            assert_eq!(error.exit_code(), 2, "{line}");
            assert!(error.to_string().contains(part), "{line}: {error}");
        }
    }
}
