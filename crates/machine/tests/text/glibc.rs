//! glibc's own functions behind a small program that answers requests, and byte strings as that program writes them.

use howler_lang::target::{Arch, Target};
use howler_testkit::{Options, Scratch, run, tool};
use std::fmt::Write;
use std::time::Duration;

/// The two targets and what gcc is told for them.
pub const TARGETS: [(Target, &[&str]); 2] =
    [(Target::X86_64_GCC, &["-m64"]), (Target { arch: Arch::I386, ..Target::X86_64_GCC }, &["-m32"])];

/// How many cases a test runs.
pub fn cases(fast: u64, soak: u64) -> u64 {
    if howler_testkit::soak() { soak } else { fast }
}

/// A request with the answer expected.
pub struct Case {
    pub request: String,
    pub expected: String,
    /// Other answers for cases where glibc is not of one mind. They must be rare.
    pub allowed: Vec<String>,
}

/// Checks all cases in one run of the program; `None` from `case` is a case left out. Returns how many were compared,
/// or `None` if there is no gcc-12 to build the program.
pub fn compare(flags: &[&str], count: u64, mut case: impl FnMut(u64) -> Option<Case>) -> Option<u64> {
    let gcc = tool("gcc-12")?;
    let scratch = Scratch::new();
    let binary = scratch.path("glibc");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/text/glibc.c");
    let mut arguments = vec!["-w", "-O1", source, "-o", binary.to_str().expect("the scratch path is text")];
    arguments.extend(flags);
    let built = run(gcc, &arguments, &Options::default());
    assert!(built.success(), "{}", built.stderr_text());
    let (mut next, mut compared, mut rare) = (0, 0, 0);
    while next < count {
        let batch: Vec<Case> = (next..count.min(next + 20_000)).filter_map(&mut case).collect();
        next = count.min(next + 20_000);
        let mut input = String::new();
        for case in &batch {
            let _ = writeln!(input, "{}", case.request);
        }
        let options = Options {
            input: input.as_bytes(),
            timeout: Duration::from_secs(600),
            keep: 1 << 30,
            ..Options::default()
        };
        let output = run(&binary, [""; 0], &options);
        assert!(output.success(), "{output:?}");
        let answers = output.stdout_text();
        let mut answers = answers.lines();
        for case in &batch {
            let answer = answers.next().expect("an answer for each request");
            let allowed = case.allowed.iter().any(|other| other == answer);
            rare += u64::from(allowed);
            assert!(
                answer == case.expected || allowed,
                "{}\n glibc: {}\nhowler: {}",
                readable(&case.request),
                readable(answer),
                readable(&case.expected)
            );
            compared += 1;
        }
    }
    assert!(rare * 20 <= compared, "{rare} of {compared} have the other answer");
    Some(compared)
}

/// Bytes as the program reads and writes them.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::from("h");
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A line with its byte strings shown as text too.
fn readable(line: &str) -> String {
    let word = |word: &str| match word.strip_prefix('h') {
        Some(digits) if digits.len() < 4000 && digits.len() % 2 == 0 => {
            let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal");
            let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
            format!("{word} \"{}\"", bytes.escape_ascii())
        }
        _ => word.to_owned(),
    };
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}
