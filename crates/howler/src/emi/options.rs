//! The command line of `emi`.

use std::path::PathBuf;

use clap::Args;

use crate::options::{Language, Preprocessing};

/// Make variants of a program that must do what it does
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Emi {
    /// C files of one program; .i files are taken as preprocessed already
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Arguments of the program, behind --: variants agree on what it does with them
    #[arg(last = true, value_name = "ARG")]
    pub arguments: Vec<String>,

    /// What the program reads from standard input
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,

    /// How many variants [default: 10, one if there is no -o]
    #[arg(short, long, value_name = "N")]
    pub number: Option<u64>,

    /// How the program is changed; 'help' lists the ways [default: all of them]
    #[arg(long = "strategy", value_name = "LIST", value_delimiter = ',')]
    pub strategies: Vec<String>,

    /// Of a hundred places of the program, how many are looked at and changed
    #[arg(long, value_name = "PERCENT", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=100))]
    pub probability: u64,

    /// How many times a variant is changed in turn before the next begins with the program again
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=100))]
    pub chain: u64,

    /// Where all chance comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// The folder that variants are written to, made if it does not exist [default: standard output]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Replace files that are there already
    #[arg(long, requires = "output")]
    pub force: bool,

    /// Write before each change, as a comment, which it is, how often the place is reached, and which values were seen there
    #[arg(long)]
    pub explain: bool,

    /// Steps that a run of the program may take
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    pub steps: u64,

    #[command(flatten)]
    pub language: Language,

    #[command(flatten)]
    pub preprocessing: Preprocessing,
}

const EXAMPLES: &str = "\
Examples:
  howler emi test.c                        a program that must do what test.c does
  howler emi test.c -n 100 -o variants     a hundred of them
  howler emi a.c b.c --explain             of two files, with what was seen where something was changed
  howler emi test.c --strategy tcb,tg --seed 7
  howler emi test.c --stdin input.txt -- -v 3

The program must mean exactly one thing and come to an end: howler run --judge says whether it does.

Exit status:
  0  done
  2  Howler could not do its work, or the files are no C program
  3  refused: nobody knows what the program does, so nothing can be the same";
