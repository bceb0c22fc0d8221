//! The command line of `howler gen`. Each technique is a command of its own, and its options are those of its table.

use std::path::PathBuf;

use clap::error::ErrorKind;
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
    #[arg(long, requires = "folder")]
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
  howler gen --origin 'orange target=x86-64/gcc/gnu17 version=0.1.0 seed=1 index=12'
                                           the very test that a hunt compiled
  grep -h ^origin howler-hunt/findings/*/README.txt | howler gen --origin - -o again

A program has a comment at its top with its origin: the line that makes it again, and that
findings have too. With --origin there is no comment: the bytes are those that the hunt compiled.
(A finding may show less: its origin is the test that it was found with.) A line is good for the
version of Howler that it names.

Exit status:
  0    done
  2    Howler could not do its work: bad arguments, a file in the way
  130  ended by Ctrl-C, after the program under way
  143  ended by SIGTERM";

impl Args for Gen {
    fn augment_args(command: Command) -> Command {
        let origin = Arg::new("origin").long("origin").value_name("LINE").action(ArgAction::Append).help(
            "Make the test of this line again; may be given several times, - reads lines from standard input",
        );
        let command = Output::augment_args(command)
            .about(ABOUT)
            .after_help(EXAMPLES)
            .override_usage(
                "howler gen [OPTIONS] <TECHNIQUE> [ITS OPTIONS]\n       howler gen [OPTIONS] --origin <LINE>",
            )
            .subcommand_help_heading("Techniques")
            .subcommand_value_name("TECHNIQUE")
            .args_conflicts_with_subcommands(true)
            .arg_required_else_help(true)
            .disable_help_subcommand(true)
            .arg(origin);
        TECHNIQUES.iter().fold(command, |command, entry| command.subcommand(technique(entry)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Gen::augment_args(command)
    }
}

/// What a technique's own options stand under.
const HEADING: &str = "The technique's options";

/// The command of a technique.
fn technique(entry: &'static Entry) -> Command {
    let technique = &entry.technique;
    let name = technique.name;
    let command = Output::augment_args(Which::augment_args(Command::new(name)))
        .mut_arg("dialect", |dialect| dialect.help("Whose meaning counts where compilers differ"))
        .about(capital(technique.about))
        .after_help(examples(entry));
    technique.options.0.iter().fold(command, |command, option| {
        let with = argument(option, option.key, described(option)).help_heading(HEADING);
        match option.kind {
            Kind::Set { without, .. } => {
                let help = format!("Take some out of --{}", option.key);
                let without = argument(option, without, help).help_heading(HEADING);
                command.arg(with).arg(without)
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
        .value_parser(|value: &str| option.check(value).map(|()| value.to_owned()))
        .help(help)
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
            text.push_str(&format!(": {}", names.join(", ")));
        }
        Kind::Flag { .. } => {}
    }
    format!("{text} [default: {}]", option.kind.default_text())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl FromArgMatches for Gen {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Gen, clap::Error> {
        let Some((name, of_technique)) = matches.subcommand() else {
            let lines: Vec<String> = matches.get_many("origin").unwrap_or_default().cloned().collect();
            if lines.is_empty() {
                let why = format!(
                    "name a technique ({}), or a test with --origin: `howler gen --help` has examples",
                    registry::names()
                );
                return Err(clap::Error::raw(ErrorKind::MissingSubcommand, why));
            }
            return Ok(Gen { what: What::Origins(lines), output: Output::from_arg_matches(matches)? });
        };
        let unknown = || clap::Error::raw(ErrorKind::InvalidSubcommand, format!("there is no '{name}'\n"));
        let entry = registry::named(name).ok_or_else(unknown)?;
        // What comes later counts, also between a set's two keys.
        let mut words: Vec<(usize, String)> = Vec::new();
        for key in entry.technique.options.keys() {
            let values = of_technique.get_many::<String>(key).unwrap_or_default();
            let places = of_technique.indices_of(key).into_iter().flatten();
            words.extend(places.zip(values.map(|value| format!("{key}={value}"))));
        }
        words.sort();
        let words = words.into_iter().map(|(_, word)| word).collect();
        let which = Which::from_arg_matches(of_technique)?;
        let output = Output::from_arg_matches(of_technique)?;
        Ok(Gen { what: What::Technique { entry, words, which }, output })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Gen::from_arg_matches(matches)?;
        Ok(())
    }
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
    fn mistakes_end_with_2_and_say_what_was_meant() {
        let cases = [
            ("gen orange --dept 3", "'--depth'"),
            ("gen orange --depth 66", "'66' is no number from 1 to 65"),
            ("gen orange --operations 9..1", "is no range within 1..4000000"),
            ("gen orange --without floats", "did you mean 'float'?"),
            ("gen ornage", "'orange'"),
            ("gen --json", "name a technique (orange)"),
            ("gen --origin x orange", "orange"),
            ("gen orange --force", "--out"),
        ];
        for (line, part) in cases {
            let Err(error) = read(line) else { panic!("{line}") };
            assert_eq!(error.exit_code(), 2, "{line}");
            assert!(error.to_string().contains(part), "{line}: {error}");
        }
    }
}
