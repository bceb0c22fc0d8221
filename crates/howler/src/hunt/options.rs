//! The command line of `hunt`, `findings`, `merge` and `doctor`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use howler_campaign::spec::MOST_SEED;
use howler_store::Mark;

/// Hunt for bugs in compilers until told to stop
#[derive(Args)]
#[command(after_help = HUNT_EXAMPLES)]
pub struct Hunt {
    /// The campaign's folder: made if it does not exist, gone on with if it does
    #[arg(long, value_name = "DIR", default_value = "howler-hunt")]
    pub dir: PathBuf,

    /// A compiler to test, with flags if you like; may be given several times [default: all that are found]. root:DIR:NAME
    /// is one that compiles and runs in another root
    #[arg(long = "cc", value_name = "COMMAND")]
    pub compilers: Vec<String>,

    /// Flags of one configuration of every compiler given without a level; may be given several times
    /// [default: -O0, -O1, -O2, -O3, -Os, as far as the compiler knows them]
    #[arg(long = "level", value_name = "FLAGS", allow_hyphen_values = true)]
    pub levels: Vec<String>,

    /// Where programs come from: orange, smith, yarp or spe (orange:help lists its options), emi (variants of other programs),
    /// csmith (options may follow), or a command with {seed} that prints a C program; may be given several times [default:
    /// all that are there]
    #[arg(long = "gen", value_name = "NAME|COMMAND")]
    pub generators: Vec<String>,

    /// Whose programs spe and emi make variants of: a folder of C files, for emi also what --gen takes; may be given
    /// several times [default: small programs of smith]
    #[arg(long = "from", value_name = "DIR|NAME|COMMAND")]
    pub from: Vec<String>,

    /// A folder of C files, each a test; may be given several times
    #[arg(long = "corpus", value_name = "DIR")]
    pub corpora: Vec<PathBuf>,

    /// A folder that programs of commands and corpora include from, after their own (csmith's is found); may be given
    /// several times
    #[arg(short = 'I', value_name = "DIR")]
    pub include_dirs: Vec<PathBuf>,

    /// Stop after this time: 90s, 30m, 2h, 1h30m; a number alone is seconds
    #[arg(long, value_name = "TIME", value_parser = read_time)]
    pub time: Option<Duration>,

    /// Stop when every generator has done this many tests, those of earlier hunts included
    #[arg(long, value_name = "N")]
    pub tests: Option<u64>,

    /// Stop at the first new finding
    #[arg(long)]
    pub until_finding: bool,

    /// Do the i-th of n parts of the work, in blocks of 64 tests; merge the folders afterwards
    #[arg(long, value_name = "I/N", value_parser = read_shard)]
    pub shard: Option<(u32, u32)>,

    /// How many tests at a time [default: one per core]
    #[arg(long, short = 'j', value_name = "N")]
    pub jobs: Option<usize>,

    /// Where all chance comes from: a number, or random, which draws one for a new folder and says which [default: 1, or
    /// the folder's]
    #[arg(long, value_name = "N|random", value_parser = read_seed)]
    pub seed: Option<Seed>,

    /// The standard that programs are compiled with [default: gnu17]
    #[arg(long, value_name = "STD")]
    pub std: Option<String>,

    /// Steps that the machine gives a program before it is left aside [default: 10000000]
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,

    /// Of a hundred tests, how many also get random optimisation flags [default: 25]
    #[arg(long, value_name = "PERCENT")]
    pub swarm: Option<u8>,

    /// Of a hundred tests, how many also get one more configuration of each compiler that has them: -g (which must not
    /// change code), -flto, -fprofile-use after a training run, or -fsave-optimization-record [default: 10]
    #[arg(long, value_name = "PERCENT")]
    pub extras: Option<u8>,

    /// Also compare the volatile accesses of programs with the machine's, where the standard fixes them: scalars of
    /// file scope, gcc and clang, x86-64. Takes another build and run for each configuration with code of its own
    #[arg(long)]
    pub trace_volatile: bool,

    /// End with 2 if this hunt has judged fewer than N tests defined, and found nothing. Without it a hunt ends so if no
    /// test gave a compiler a valid program
    #[arg(long, value_name = "N")]
    pub fail_if_idle: Option<u64>,

    /// A line per event instead of the screen; the default when standard output is not a terminal
    #[arg(long, conflicts_with = "json")]
    pub plain: bool,

    /// A JSON object per event on standard output; docs/events.md says what they have
    #[arg(long)]
    pub json: bool,
}

/// `--seed`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seed {
    /// This one.
    Number(u64),
    /// A new one for a new folder.
    Random,
}

const HUNT_EXAMPLES: &str = "\
Examples:
  howler hunt --time 2m                      all compilers found, all generators, two minutes
  howler hunt --cc tcc --gen csmith          one compiler, one generator, until Ctrl-C
  howler hunt --cc \"clang-16 -O2 -march=native\" --cc gcc-12
  howler hunt --corpus tests/ --cc mycc      your own programs; the defined ones are compared
  howler hunt --gen \"mygen --seed {seed}\"    any program that writes C
  howler hunt --gen spe --from tests/ --cc gcc-12
                                             your own programs with their variables used in other ways
  howler hunt --until-finding --time 1h
  howler hunt --extras 100 --cc gcc-12       all tests also with -fcompare-debug, -flto, profiles
  howler hunt --gen orange:operations=10..500,without=float
  howler hunt --gen emi --from csmith --from tests/
                                             variants of programs that must do the same
  howler hunt --trace-volatile --gen csmith  each volatile access must be there, once, in order
  howler hunt --shard 1/4 --tests 10000 --dir part1
  howler hunt --seed random --time 8h --fail-if-idle 1000
                                             a night with other tests than last night

Ctrl-C ends it cleanly; the same command goes on where it stopped. What is found lies in
DIR/findings, see 'howler findings'. A wrong-code finding is a program with exactly one meaning,
and that meaning is in the report. 'howler help verdicts' explains the words of the summary.

Exit status:
  0    done, nothing new found
  1    something new found
  2    Howler could not do its work, or nothing was tested
  130  ended by Ctrl-C
  143  ended by SIGTERM";

/// Look at what was found
#[derive(Args)]
#[command(after_help = FINDINGS_EXAMPLES)]
pub struct Findings {
    #[command(subcommand)]
    pub action: FindingsAction,
}

const FINDINGS_EXAMPLES: &str = "\
Examples:
  howler findings list
  howler findings list --dir part1 --json
  howler findings show 3f2a
  howler findings show 3f2a --json | jq -r .files[].name
  howler findings mark 3f2a reported --note https://gcc.gnu.org/PR1234
  howler findings list --unmarked
  howler findings regroup --dry-run";

/// What to do with findings.
#[derive(Subcommand)]
pub enum FindingsAction {
    /// One line per finding
    List {
        /// The campaign's folder
        #[arg(long, value_name = "DIR", default_value = "howler-hunt")]
        dir: PathBuf,
        /// Show suspects, disputed and flaky ones, and those that wait for a second look too
        #[arg(long)]
        all: bool,
        /// Only those that nobody has marked
        #[arg(long, conflicts_with = "mark")]
        unmarked: bool,
        /// Only those with this mark
        #[arg(long, value_name = "MARK", value_parser = read_mark)]
        mark: Option<Mark>,
        /// One JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Everything about one
    Show {
        /// Its id, or the beginning of it
        id: String,
        /// The campaign's folder
        #[arg(long, value_name = "DIR", default_value = "howler-hunt")]
        dir: PathBuf,
        /// One JSON object; docs/finding-json.md says what it has
        #[arg(long)]
        json: bool,
    },
    /// Say what became of one: a hunt counts known and reported ones without a word, and leaves ignored ones alone
    Mark {
        /// Its id, or the beginning of it
        id: String,
        /// known, reported, fixed or ignored; none takes a mark away. The mark is its signature's, so a better finding of
        /// the same bug keeps it; merging folders keeps the last of these words that either has
        #[arg(value_name = "MARK", value_parser = read_mark_or_none)]
        mark: MarkOrNone,
        /// Anything, such as an address in a tracker
        #[arg(long, value_name = "TEXT", default_value = "")]
        note: String,
        /// The campaign's folder
        #[arg(long, value_name = "DIR", default_value = "howler-hunt")]
        dir: PathBuf,
    },
    /// Tell bugs apart by today's rules in a folder that an older Howler filled
    Regroup {
        /// The campaign's folder
        #[arg(long, value_name = "DIR", default_value = "howler-hunt")]
        dir: PathBuf,
        /// Only say what would change
        #[arg(long)]
        dry_run: bool,
    },
}

/// A mark to be set, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MarkOrNone(pub Option<Mark>);

fn read_mark(text: &str) -> Result<Mark, String> {
    text.parse().map_err(|_| format!("'{text}' is no mark; known, reported, fixed and ignored are"))
}

fn read_mark_or_none(text: &str) -> Result<MarkOrNone, String> {
    if text == "none" { Ok(MarkOrNone(None)) } else { read_mark(text).map(|mark| MarkOrNone(Some(mark))) }
}

/// Put the work of several folders into one
#[derive(Args)]
#[command(after_help = "\
Examples:
  howler merge all part1 part2 part3      'all' is made if it does not exist
Merging the same folder again changes nothing.")]
pub struct Merge {
    /// The folder that gets everything
    pub into: PathBuf,
    /// The folders to take from
    #[arg(required = true, value_name = "FROM")]
    pub from: Vec<PathBuf>,
}

const DOCTOR_EXAMPLES: &str = "\
Examples:
  howler doctor
  howler doctor --root roots/unstable        the compilers there; one is hunted with
                                             --cc root:roots/unstable:gcc-16";

/// Say what this machine has for a hunt: compilers, generators, limits that hold
#[derive(Args)]
#[command(after_help = DOCTOR_EXAMPLES)]
pub struct Doctor {
    /// Another root whose compilers to list too: a folder with a whole system in it; may be given several times
    #[arg(long = "root", value_name = "DIR")]
    pub roots: Vec<PathBuf>,

    /// One JSON object
    #[arg(long)]
    pub json: bool,
}

/// Reads `90s`, `30m`, `2h`, `1h30m`; a plain number is seconds.
pub fn read_time(text: &str) -> Result<Duration, String> {
    let seconds = text.trim().parse().map(Duration::from_secs);
    let time = seconds.or_else(|_| humantime::parse_duration(text));
    let bad = || format!("'{text}' is no time; 90s, 30m, 2h and 1h30m are");
    time.ok().filter(|time| !time.is_zero()).ok_or_else(bad)
}

/// Reads a number, or `random`.
fn read_seed(text: &str) -> Result<Seed, String> {
    match (text, text.parse()) {
        ("random", _) => Ok(Seed::Random),
        (_, Ok(number)) if number <= MOST_SEED => Ok(Seed::Number(number)),
        _ => Err(format!("'{text}' is no seed; 'random' is, and a number up to {MOST_SEED}")),
    }
}

/// Reads `1/4`: the first of four.
fn read_shard(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((i, n)) if 1 <= i && i <= n => Ok((i, n)),
        _ => Err(format!("'{text}' is no part; 1/4 is the first of four")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        let seconds = |text| read_time(text).map(|time| time.as_secs()).ok();
        assert_eq!(seconds("90"), Some(90));
        assert_eq!(seconds("2m"), Some(120));
        assert_eq!(seconds("1h30m"), Some(5400));
        assert_eq!(seconds("1d"), Some(86400));
        assert_eq!(seconds("2 min"), Some(120));
        for bad in ["", "0", "0m", "m", "5x", "-3s", "1h30", "99999999999999999999s", "18446744073709551615h"]
        {
            assert_eq!(seconds(bad), None, "{bad}");
        }
    }

    #[test]
    fn seeds_are_read() {
        assert_eq!(read_seed("random"), Ok(Seed::Random));
        assert_eq!(read_seed("17"), Ok(Seed::Number(17)));
        for bad in ["", "-1", "Random", "1.5", "18446744073709551615", "9223372036854775808"] {
            assert!(read_seed(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shards_are_read() {
        assert_eq!(read_shard("2/4"), Ok((2, 4)));
        for bad in ["0/4", "5/4", "1", "a/b", "1/0", ""] {
            assert!(read_shard(bad).is_err(), "{bad}");
        }
    }
}
