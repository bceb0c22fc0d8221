//! The command line. It says what can be asked for; nothing is done here.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use howler_lang::target::{Arch, Compiler, Std, Target};
use howler_machine::Order;
use howler_toolchain::preprocess;

/// Read C files as a compiler would, and say what is wrong with them
#[derive(Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct Check {
    /// C files; .i files are taken as preprocessed already, - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Link all files into one program instead of checking each on its own: what is defined twice or nowhere, and a
    /// missing main, are errors too
    #[arg(long)]
    pub link: bool,

    /// Write the files back as C on standard output, each under a comment with its name if there are several: they
    /// stay separate files, also with --link
    #[arg(long)]
    pub print: bool,

    /// With --print: write what headers declare instead of #include lines
    #[arg(long, requires = "print")]
    pub expand: bool,

    /// Write the typed tree on standard output, every implicit conversion included
    #[arg(long, conflicts_with = "print")]
    pub dump: bool,

    /// Make errors of what gcc rejects with -pedantic-errors: the commonest extensions, not all of them
    #[arg(long)]
    pub pedantic_errors: bool,

    /// Write one JSON object per file (per program with --link) on standard output, and no messages
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub language: Language,

    #[command(flatten)]
    pub preprocessing: Preprocessing,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  howler check hello.c                    is this valid C?
  howler check --std gnu89 old.c          as gcc -std=gnu89 reads it
  howler check --target i386 a.c b.c      two files, each on its own, for 32 bits
  howler check --link a.c b.c             two files of one program
  howler check --print --expand a.c       one text that needs no header
  howler check --json a.c | jq .counts
  howler check -std=c99 -m32 -O2 -Wall a.c
                                          a compiler's flags are understood or ignored, with a note

Prints 'FILE: ok (counts)' for a file without errors, also when there are warnings; errors and warnings go to
standard error.

Exit status:
  0  no file has errors; there may be warnings
  1  a file has errors
  2  Howler could not do its work: missing file or tool, bad arguments
  3  no errors, but something Howler does not support";

/// What the text means.
#[derive(Args)]
pub struct Language {
    /// The language standard, as compilers name it: c89, gnu89, c99, gnu99, c11, gnu11, c17, gnu17
    #[arg(long, value_name = "STD", default_value = "gnu17", value_parser = read_std)]
    pub std: Std,

    /// The machine whose sizes and alignments count
    #[arg(long, value_enum, default_value = "x86-64")]
    pub target: Machine,

    /// Whose meaning counts where compilers differ (--cc chooses the preprocessor)
    #[arg(long, value_enum, default_value = "gcc")]
    pub dialect: Dialect,
}

impl Language {
    /// The target these options name.
    pub fn target(&self) -> Target {
        let arch = match self.target {
            Machine::X86_64 => Arch::X86_64,
            Machine::I386 => Arch::I386,
        };
        let compiler = match self.dialect {
            Dialect::Gcc => Compiler::Gcc,
            Dialect::Clang => Compiler::Clang,
        };
        Target { arch, compiler, std: self.std, ..Target::X86_64_GCC }
    }
}

fn read_std(name: &str) -> Result<Std, String> {
    Std::parse(name).ok_or_else(|| "Howler knows c89, c99, c11, c17 and their gnu forms".to_owned())
}

/// `--target`.
#[derive(Clone, Copy, ValueEnum)]
pub enum Machine {
    /// x86-64 System V, 64 bits
    #[value(name = "x86-64", alias = "x86_64")]
    X86_64,
    /// i386 System V, 32 bits, SSE2 arithmetic
    I386,
}

/// `--dialect`.
#[derive(Clone, Copy, ValueEnum)]
pub enum Dialect {
    /// GCC, and compilers that follow it
    Gcc,
    /// Clang
    Clang,
}

/// How files become preprocessed text.
#[derive(Args, Clone)]
#[command(next_help_heading = "Preprocessing")]
pub struct Preprocessing {
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,

    /// Forget a macro, after all -D
    #[arg(short = 'U', value_name = "NAME")]
    pub undefines: Vec<String>,

    /// Search a folder for headers
    #[arg(short = 'I', value_name = "DIR")]
    pub include_dirs: Vec<PathBuf>,

    /// Whose library headers to use
    #[arg(long, value_enum, default_value = "auto")]
    pub headers: Headers,

    /// The compiler that preprocesses [default: the first of gcc, cc, clang found]
    #[arg(long, value_name = "PROGRAM")]
    pub cc: Option<OsString>,
}

impl Preprocessing {
    /// The same, but all headers are the system's.
    pub fn with_system_headers(&self) -> Preprocessing {
        Preprocessing { headers: Headers::System, ..self.clone() }
    }
}

/// `--headers`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Headers {
    /// Howler's own; the system's for a program that needs a header or a name that those lack
    Auto,
    /// Howler's own, which declare the library it knows
    Ours,
    /// The system's
    System,
}

impl Headers {
    /// What the preprocessor is asked for.
    pub fn choice(self) -> preprocess::Headers {
        match self {
            Headers::Auto => preprocess::Headers::OursThenSystem,
            Headers::Ours => preprocess::Headers::Ours,
            Headers::System => preprocess::Headers::System,
        }
    }
}

/// Execute a C program exactly as the standard says, and stop at undefined behaviour
#[derive(Args)]
#[command(after_help = RUN_EXAMPLES)]
pub struct Run {
    /// C files of one program; .i files are taken as preprocessed already, - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Arguments of the program, behind --
    #[arg(last = true, value_name = "ARG")]
    pub arguments: Vec<OsString>,

    /// Give the program this file as its standard input, not Howler's own
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,

    /// Run several times with other evaluation orders and addresses, and say whether the behaviour is the only one
    #[arg(long)]
    pub judge: bool,

    /// Write one JSON object on standard output that says everything, the program's output included: as text, and as
    /// stdout_hex and stderr_hex too if it is not UTF-8
    #[arg(long)]
    pub json: bool,

    /// Stop after this many steps
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub steps: u64,

    /// The order in which operands are evaluated that C does not order
    #[arg(long, value_name = "ltr|rtl|SEED", default_value = "ltr", value_parser = read_order, conflicts_with = "judge")]
    pub order: Order,

    /// Go on after what is undefined by the letter only, where gcc and clang give the plain result
    #[arg(long)]
    pub letter: bool,

    /// Let signed overflow wrap, as compilers do with -fwrapv (understood too); a quotient that overflows stays
    /// undefined
    #[arg(long, overrides_with = "wrapv")]
    pub wrapv: bool,
    /// With --judge: a product is rounded before it is added to something, as compilers do with -ffp-contract=off
    /// (understood too). Without it, they may round once
    #[arg(long, overrides_with = "no_contract", requires = "judge")]
    pub no_contract: bool,

    /// With --judge: how many runs
    #[arg(long, value_name = "N", default_value_t = 3, requires = "judge",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,

    /// Count how often statements, functions and branches are reached. On standard error by line, or in the JSON object,
    /// which has everything. With --judge: over all runs together
    #[arg(long)]
    pub profile: bool,
    /// With --profile: look at every object that can be named before the first statement of this line, at each visit.
    /// Behind the labels of the line, if it has some: jumps to them are visits. Values are listed from the least to the
    /// greatest, not as they came
    #[arg(long, value_name = "[FILE:]LINE", value_delimiter = ',', requires = "profile", conflicts_with = "sample",
        value_parser = crate::run_profile::read_line)]
    pub at: Vec<(Option<String>, u32)>,
    /// With --profile: the same before this many statements, drawn at random but the same each time
    #[arg(long, value_name = "N", requires = "profile")]
    pub sample: Option<usize>,
    /// With --profile: look at what operators and calls are given. Goes on after undefined arithmetic and lists all of it:
    /// what overflows wraps, a quotient, a shift or a conversion that has no result gives 0. Other undefined behaviour
    /// ends the run, and the lists with it
    #[arg(long, requires = "profile")]
    pub operands: bool,

    /// Write every access to a volatile object on standard error
    #[arg(long, conflicts_with = "judge")]
    pub trace_volatile: bool,

    #[command(flatten)]
    pub language: Language,

    #[command(flatten)]
    pub preprocessing: Preprocessing,
}

fn read_order(text: &str) -> Result<Order, String> {
    match text {
        "ltr" => Ok(Order::LeftToRight),
        "rtl" => Ok(Order::RightToLeft),
        seed => seed.parse().map(Order::Seeded).map_err(|_| "ltr, rtl or a number".to_owned()),
    }
}

const RUN_EXAMPLES: &str = "\
Examples:
  howler run hello.c                 its output, its exit status
  howler run --judge test.c          is this behaviour the only one?
  howler run --target i386 a.c b.c   two files of one program, for 32 bits
  howler run --order rtl test.c      operands from right to left
  howler run sort.c -- -r < words    an argument, and something to read
  howler run --json test.c | jq .outcome
  howler run --profile --at 12 a.c   how often each line runs, and all values before line 12
  howler run --profile --operands a.c   every operator that overflows or divides by zero, in one run

The program gets the arguments behind --, and reads Howler's standard input or the file of --stdin. It cannot open
files. Its output comes when it has ended.
Undefined behaviour is reported with its place, the clause of C17 and a code: [div-by-zero].

--judge says one of
  defined      with the output and the exit status that all code of the dialect's compilers has
  undefined    the standard does not say what happens: no compiler is wrong about this program
  unspecified  compilers may choose, and the output shows what they chose
  unsupported or unfinished: Howler does not know; nor what __DATE__, __TIME__ and __VERSION__ are elsewhere

Exit status:
  without --judge: the program's own if it ends by itself; otherwise
  120  undefined behaviour
  121  something Howler does not support
  122  unfinished: a limit was reached
  134  abort
  with --judge: 0 defined, 1 undefined, 3 unsupported, unspecified or unfinished
  2    Howler could not do its work: missing file or tool, not a valid program
A program may return 120 or 2 itself: --json tells the cases apart.";
