//! The command line of `howler reduce`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args};
use howler_lang::target::Std;

/// Make a program small that a compiler does something wrong with
#[derive(Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("what").required(true).args(["bad", "crash", "hang", "reject", "test"])))]
pub struct Reduce {
    /// C files of one program, or any text for --test
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// A compiler with flags that compiles the program wrongly: what it must do, the machine says
    #[arg(long, value_name = "CC")]
    pub bad: Option<String>,

    /// A compiler with flags that does it right; it must agree with the machine on the files as they are
    #[arg(long, value_name = "CC", requires = "bad")]
    pub good: Option<String>,

    /// A compiler with flags that crashes
    #[arg(long, value_name = "CC")]
    pub crash: Option<String>,

    /// A compiler with flags that does not end
    #[arg(long, value_name = "CC")]
    pub hang: Option<String>,

    /// A compiler with flags that rejects the program, which is valid
    #[arg(long, value_name = "CC")]
    pub reject: Option<String>,

    /// A script that ends with 0 if the files are interesting, run in a new folder that has nothing else: what C-Reduce
    /// and C-Vise take
    #[arg(long, value_name = "SCRIPT")]
    pub test: Option<PathBuf>,

    /// What the script may take for one look, at most
    #[arg(long, value_name = "TIME", value_parser = crate::hunt::options::read_time, default_value = "2m")]
    pub timeout: Duration,

    /// Another crash, or another wrong program, will do too
    #[arg(long, conflicts_with = "test")]
    pub any_bug: bool,

    /// Stop when there are no more than so many tokens left
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub until_tokens: u64,

    /// Stop after this time: 90s, 30m, 2h; a number alone is seconds
    #[arg(long, value_name = "TIME", value_parser = crate::hunt::options::read_time)]
    pub time: Option<Duration>,

    /// How many tests at a time [default: one per core]. The result does not depend on it
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// Where the result goes, always the best so far: a file, or a folder for several files [default: beside the first
    /// file, with .reduced before the end of its name]
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Overwrite what is there, also if it is no result of this very command
    #[arg(long)]
    pub force: bool,

    /// The language standard [default: that of the compiler's -std flag, else gnu17]
    #[arg(long, value_name = "STD", value_parser = read_std)]
    pub std: Option<Std>,

    /// Say at the end what each pass did and how long it took
    #[arg(long)]
    pub stats: bool,
}

fn read_std(name: &str) -> Result<Std, String> {
    Std::parse(name).ok_or_else(|| "Howler knows c89, c99, c11, c17 and their gnu forms".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  howler reduce --bad \"tcc\" test.c               tcc compiles it wrongly: write test.reduced.c
  howler reduce --bad \"gcc-12 -O3\" --good \"gcc-12 -O0\" test.c
  howler reduce --crash \"clang-16 -O2\" test.c -o small.c
  howler reduce --test ./interesting.sh test.c   any script for C-Reduce or C-Vise
  howler reduce --hang \"gcc-11 -O2\" --time 10m --until-tokens 100 test.c

With --bad every step is a program that the machine judged defined, so none of them has undefined behaviour. The kind of
failure, and what the compiler says when it crashes, stay the same. Ctrl-C ends it and keeps the best so far; the same
command goes on with that. A file in its way that it did not write itself stays as it is, unless --force says otherwise.

Exit status:
  0  done
  2  Howler could not do its work: nothing is wrong with the files, a script that does not work
  3  refused: what the program means is not known, or nothing
  130, 143, 129  ended by Ctrl-C, a polite kill or a hang-up: the best so far is kept";
