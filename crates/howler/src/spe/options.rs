//! The command line of `howler spe`.

use std::path::PathBuf;

use clap::Args;
use howler_spe::c::{self, Initialisers, Reach, Types};
use num_bigint::BigUint;

use crate::options::{Language, Preprocessing};

/// Count or make all programs that use the variables of a program in another way, each once
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Spe {
    /// C files, each a program of its own; .i files are taken as preprocessed already, - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Say how many there are; the default without --index, --sample and -o
    #[arg(long, conflicts_with_all = ["index", "sample", "folder"])]
    pub count: bool,

    /// Write the one with this number, however large; 0 is the program itself. May be given several times
    #[arg(long, value_name = "K", value_parser = read_number, conflicts_with = "sample")]
    pub index: Vec<BigUint>,

    /// Write so many of each file, drawn at random, none twice; all if there are no more
    #[arg(long, value_name = "N")]
    pub sample: Option<u64>,

    /// What --sample and --limit draw from: another number is another sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Write files into this folder instead of standard output; it is made if it does not exist
    #[arg(long = "out", short = 'o', value_name = "DIR")]
    pub folder: Option<PathBuf>,

    /// With -o: overwrite files that are something else
    #[arg(long, requires = "folder")]
    pub force: bool,

    /// With -o alone, which writes all of them: a file that has more gives a sample of this size
    #[arg(long, value_name = "N", default_value_t = 10_000, conflicts_with_all = ["index", "sample"])]
    pub limit: u64,

    /// Count as the paper does: functions one by one, initialisers ignored, and without what its algorithm loses
    #[arg(long, conflicts_with_all = ["index", "sample", "folder"])]
    pub paper: bool,

    /// Take variables for interchangeable that differ in their initialisers. Some variants are then left out that do
    /// something else
    #[arg(long)]
    pub ignore_initializers: bool,

    /// Count declarators as holes too, as the paper's figure 6 does
    #[arg(long, conflicts_with_all = ["index", "sample", "folder"])]
    pub declarator_holes: bool,

    /// Let variables of compatible types stand for each other, not only those of the same type
    #[arg(long)]
    pub compatible: bool,

    /// One JSON object per file, or per variant; numbers that may be large are strings
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub language: Language,

    #[command(flatten)]
    pub preprocessing: Preprocessing,
}

impl Spe {
    /// Whether nothing is to be made.
    pub fn counts(&self) -> bool {
        self.index.is_empty() && self.sample.is_none() && self.folder.is_none()
    }

    /// How programs are looked at.
    pub fn reading(&self, reach: Reach) -> c::Options {
        c::Options {
            types: if self.compatible { Types::Compatible } else { Types::Same },
            initialisers: if self.ignore_initializers { Initialisers::Ignored } else { Initialisers::Count },
            reach,
            ..c::Options::default()
        }
    }
}

fn read_number(text: &str) -> Result<BigUint, String> {
    let digits = !text.is_empty() && text.len() <= MOST_DIGITS && text.bytes().all(|c| c.is_ascii_digit());
    let number = digits.then(|| text.parse().ok()).flatten();
    number.ok_or_else(|| format!("'{text}' is no number of a variant; 0, 1, 2 and so on are"))
}

/// Digits of a number that are read.
const MOST_DIGITS: usize = 100_000;

const EXAMPLES: &str = "\
Examples:
  howler spe test.c                        how many programs use its variables in another way?
  howler spe test.c --index 17             one of them, on standard output
  howler spe test.c --sample 100 -o more   a hundred of them, as files
  howler spe tests/*.c -o more             all of them; of files with more than 10000 a sample
  howler spe --json tests/*.c | jq -r .exact
  howler spe --paper test.c                the numbers that the paper's algorithm has

A hole is a use of a variable. Any variable of the same type that can be seen there may stand in
it. Programs that are renamings of each other count once: 'exact' is how many are left. Those of
one file are numbered from 0, which is the program itself; the same number is the same program as
long as the file and the options are the same.

  naive         every variable in every hole, renamings included
  exact         renamings counted once, all functions of the file together
  by function   the same with functions one by one, and their numbers multiplied
  paper         what the algorithm of the paper makes, function by function: it loses some

Many of them are undefined: 'howler run --judge' knows, and 'howler hunt --gen spe --from DIR' asks it.

Exit status:
  0    done
  1    a file has errors
  2    Howler could not do its work: missing file or tool, no such variant, a file in the way
  3    a file has something Howler does not support, or too many variables to count with
  130  ended by Ctrl-C
  143  ended by SIGTERM";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read() {
        assert_eq!(read_number("0"), Ok(BigUint::ZERO));
        assert_eq!(read_number(&format!("1{}", "0".repeat(70))), Ok(BigUint::from(10u32).pow(70)));
        for bad in ["", "-1", "+1", "1.5", "0x10", "1_000", "ten"] {
            assert!(read_number(bad).is_err(), "{bad}");
        }
    }
}
