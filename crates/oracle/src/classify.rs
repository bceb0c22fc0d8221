//! What a compile and a run amount to: pure functions from what a process did.
//!
//! Whether a compiler that refuses a program is wrong, or a program that runs on is a hang, is decided by who knows
//! what the program means; here only what happened gets its name.

use std::time::Duration;

use howler_case::{Behaviour, End as Expected};
use howler_toolchain::guard::{End, Excess, Finished, signal_name};

use crate::signature::{crash_text, error_text};

/// Which part of a compilation ran.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// All of it, under the compiler's own driver.
    Driver,
    /// From C to assembly, or to an object.
    Compile,
    /// From assembly to an object.
    Assemble,
    /// From objects to a program.
    Link,
}

impl Stage {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Driver => "driver",
            Stage::Compile => "compile",
            Stage::Assemble => "assemble",
            Stage::Link => "link",
        }
    }
}

/// What became of a compilation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compiled {
    /// There is an output.
    Built,
    /// The compiler crashed; what it or the system said.
    Crash(String),
    /// It did not end.
    Hang,
    /// It took more memory than it may.
    Memory,
    /// It found an error in the program; what it said.
    Reject(String),
    /// It makes an error of what has the name of a warning, which is its maker's choice; what it said.
    Policy(String),
    /// It broke its contract with its caller.
    Broken(String),
    /// It could not be tried, which says nothing about it.
    Untried(String),
}

/// What of a compiler's messages is looked at, kept and compared: the start and the end of a very long text, and of
/// each line. A crash can print megabytes, and a line of them would become part of a signature.
///
/// ```
/// use howler_oracle::classify::bounded;
/// assert_eq!(bounded(b"a.c:1: error: no\n".to_vec()), b"a.c:1: error: no\n");
/// assert!(bounded(vec![b'x'; 30 << 20]).len() < 1 << 20);
/// ```
pub fn bounded(messages: Vec<u8>) -> Vec<u8> {
    const LINE: usize = 4 << 10;
    const PART: usize = 128 << 10;
    if messages.len() <= LINE {
        return messages;
    }
    let mut short = messages;
    if short.len() > 2 * PART {
        let end = short.split_off(short.len() - PART);
        short.truncate(PART);
        short.extend_from_slice(b"\n...\n");
        short.extend_from_slice(&end);
    }
    let lines = short.split_inclusive(|&byte| byte == b'\n');
    let cut = |line: &[u8]| match line.get(..LINE) {
        Some(start) => [start, b"...\n"].concat(),
        None => line.to_vec(),
    };
    lines.flat_map(cut).collect()
}

/// Classifies one step of a compilation. `output` is whether the file it should write is there.
pub fn compiled(stage: Stage, finished: &Finished, output: bool) -> Compiled {
    if let Some(why) = finished.why {
        return match why {
            Excess::Wall | Excess::Cpu => Compiled::Hang,
            Excess::Memory => Compiled::Memory,
            Excess::Output => Compiled::Broken("writes messages without end".to_owned()),
            Excess::Processes => Compiled::Broken("starts processes without end".to_owned()),
            Excess::FileSize => Compiled::Broken(ENDLESS_FILE.to_owned()),
        };
    }
    let stderr = String::from_utf8_lossy(&finished.stderr);
    // A part of the compiler ran into a limit: the driver saw it die, and calls that an internal error.
    if let Some(limit) = our_limit(finished.end, &stderr) {
        return limit;
    }
    match finished.end {
        End::NotStarted(_) => Compiled::Untried(finished.end.to_string()),
        End::Exited(0) if output => Compiled::Built,
        End::Exited(0) => Compiled::Broken("exit status 0 without an output".to_owned()),
        _ if out_of_memory(&stderr) => Compiled::Memory,
        _ if crash_text(&stderr).is_some() => Compiled::Crash(stderr.into_owned()),
        // Nobody asked for it: the system was short of memory.
        End::Signalled(SIGKILL) => Compiled::Untried("killed from outside".to_owned()),
        End::Signalled(signal) => Compiled::Crash(died_of(&signal_text(signal), &stderr)),
        End::Exited(status) => exited(stage, status, &stderr, output),
    }
}

const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;
const SIGXFSZ: i32 = 25;

/// What the guard itself calls it when a limit on files stops a job.
const ENDLESS_FILE: &str = "writes files without end";

/// What stopped the compiler, if that was Howler or the system it runs on and no fault of the compiler's own code. The
/// guard knows when its limits end the first process of a job; for the others there are only the driver's words.
fn our_limit(end: End, stderr: &str) -> Option<Compiled> {
    let broken = || Compiled::Broken(ENDLESS_FILE.to_owned());
    match end {
        End::Signalled(SIGXFSZ) => return Some(broken()),
        End::Signalled(SIGXCPU) => return Some(Compiled::Hang),
        // A shell's way to say that a signal ended it.
        End::Exited(status) if i32::from(status) == 128 + SIGXFSZ => return Some(broken()),
        End::Exited(status) if i32::from(status) == 128 + SIGXCPU => return Some(Compiled::Hang),
        End::Exited(0) | End::NotStarted(_) => return None,
        _ => {}
    }
    if says(stderr, &["File size limit exceeded", "File too large"]) {
        Some(broken())
    } else if says(stderr, &["CPU time limit exceeded"]) {
        Some(Compiled::Hang)
    } else if says(stderr, &["No space left on device", "Disk quota exceeded"]) {
        Some(Compiled::Untried("no space left for its files".to_owned()))
    } else if says(stderr, &["Resource temporarily unavailable"]) {
        Some(Compiled::Untried("no process left for it".to_owned()))
    } else {
        None
    }
}

/// Whether the compiler says one of the system's phrases of itself or of a part: a program may contain the same words,
/// and compilers quote programs.
fn says(stderr: &str, phrases: &[&str]) -> bool {
    const DOING: [&str; 10] =
        ["terminated", "signal", "writ", "output", "execut", "clos", "open", "link", "spawn", "fork"];
    stderr.lines().any(|line| {
        let before = phrases.iter().find_map(|phrase| line.split_once(phrase)).map(|(before, _)| before);
        let own = |before: &str| !before.contains(['"', '|', '#']) && !before.contains("assertion");
        before.is_some_and(|before| {
            let doing = || DOING.iter().any(|word| line.contains(word));
            own(before) && doing()
        })
    })
}

fn exited(stage: Stage, status: u8, stderr: &str, output: bool) -> Compiled {
    let by_assembler = stage == Stage::Assemble || stderr.contains("Assembler messages:");
    let of_assembler = stderr.lines().find_map(|line| line.split_once(": Error: ").map(|(_, error)| error));
    match (error_text(stderr), of_assembler) {
        // The compiler's own text: whoever wrote no asm cannot have caused it.
        (_, Some(error)) if by_assembler => Compiled::Broken(format!("invalid assembly: {error}")),
        (Some(_), _) if is_policy(stderr) => Compiled::Policy(stderr.to_owned()),
        (Some(_), _) => Compiled::Reject(stderr.to_owned()),
        (None, _) if output => {
            Compiled::Broken(format!("exit status {status} with an output and without a message"))
        }
        // A shell's way to say that a signal ended it.
        (None, _) if status >= 128 => Compiled::Crash(died_of(&signal_text(i32::from(status) - 128), stderr)),
        (None, _) => Compiled::Broken(format!("exit status {status} without a message")),
    }
}

/// Whether every error is one that a `-W` flag names: such a rule can be lifted, so it is none of C's.
fn is_policy(stderr: &str) -> bool {
    let mut errors = stderr.lines().filter(|line| line.contains(" error: ")).peekable();
    let tagged = |line: &str| line.trim_end().ends_with(']') && line.contains(" [-W");
    errors.peek().is_some() && errors.all(tagged)
}

/// A text for a death without one: the signal stands where others have their words.
fn died_of(signal: &str, stderr: &str) -> String {
    let signal = format!("error: command failed due to signal {signal}");
    if stderr.is_empty() { signal } else { format!("{}\n{signal}", stderr.trim_end()) }
}

fn signal_text(signal: i32) -> String {
    signal_name(signal).map_or_else(|| signal.to_string(), str::to_owned)
}

/// Compilers' words for it.
fn out_of_memory(stderr: &str) -> bool {
    let words = [
        "virtual memory exhausted",
        "out of memory allocating",
        "Cannot allocate memory",
        "LLVM ERROR: out of memory",
        "std::bad_alloc",
        "Killed signal terminated program",
        "memory exhausted",
        "memory full",
    ];
    words.iter().any(|word| stderr.contains(word)) && !stderr.contains("(vstack)")
}

/// How a run differs from what the program must do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Difference {
    /// It ended with another status.
    Status {
        /// The status, or nothing for an abort.
        expected: Option<u8>,
        /// What came.
        got: u8,
    },
    /// A signal ended it.
    Signal(i32),
    /// It wrote something else.
    Output,
    /// It did not end.
    Timeout,
    /// It took more memory than it may.
    Memory,
    /// Its volatile accesses are others: the first that is.
    Trace(String),
}

impl Difference {
    /// The kind, for signatures and tables.
    pub fn kind(&self) -> &'static str {
        match self {
            Difference::Status { .. } => "exit status",
            Difference::Signal(_) => "signal",
            Difference::Output => "output",
            Difference::Timeout => "timeout",
            Difference::Memory => "memory",
            Difference::Trace(_) => "volatile trace",
        }
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Difference::Status { expected: Some(expected), got } => {
                write!(f, "exit status {got} instead of {expected}")
            }
            Difference::Status { expected: None, got } => write!(f, "exit status {got} instead of an abort"),
            Difference::Signal(signal) => write!(f, "ended by {}", signal_text(*signal)),
            Difference::Output => f.write_str("another output"),
            Difference::Timeout => f.write_str("does not end"),
            Difference::Memory => f.write_str("takes too much memory"),
            Difference::Trace(what) => write!(f, "other volatile accesses: {what}"),
        }
    }
}

/// What a run says about the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ran {
    /// It did what it must.
    Right,
    /// It did not.
    Wrong(Difference),
    /// It could not be tried, which says nothing.
    Untried(String),
}

/// Compares a run with what the program must do.
pub fn ran(expected: &Behaviour, finished: &Finished) -> Ran {
    let wrong = |difference| Ran::Wrong(difference);
    match finished.why {
        Some(Excess::Wall | Excess::Cpu) => return wrong(Difference::Timeout),
        Some(Excess::Memory | Excess::Processes) => return wrong(Difference::Memory),
        Some(Excess::Output | Excess::FileSize) => return wrong(Difference::Output),
        None => {}
    }
    match (expected.end, finished.end) {
        (_, End::NotStarted(_)) => Ran::Untried(finished.end.to_string()),
        (_, End::Signalled(SIGKILL)) => Ran::Untried("killed from outside".to_owned()),
        // What was written before an abort may be lost (C17 7.22.4.1p2). A trap may be any of these signals.
        (Expected::Abort, End::Signalled(SIGABRT | SIGILL | SIGTRAP)) => Ran::Right,
        (_, End::Signalled(signal)) => wrong(Difference::Signal(signal)),
        (Expected::Abort, End::Exited(got)) => wrong(Difference::Status { expected: None, got }),
        (Expected::Exit(status), End::Exited(got)) if status != got => {
            wrong(Difference::Status { expected: Some(status), got })
        }
        (Expected::Exit(_), End::Exited(_)) if expected.output != finished.stdout => {
            wrong(Difference::Output)
        }
        (Expected::Exit(_), End::Exited(_)) => Ran::Right,
    }
}

const SIGILL: i32 = 4;
const SIGTRAP: i32 = 5;
const SIGABRT: i32 = 6;

/// How long a program may run that takes so many steps on the machine: a step is at most a few instructions, and
/// programs at -O0, under an emulator or on a busy system are slow.
pub fn run_limit(steps: u64) -> Duration {
    Duration::from_secs(2) + Duration::from_nanos(steps.saturating_mul(100).min(60_000_000_000))
}

/// Errors that depend on the level by design: a function that must be inlined and cannot be, an asm operand that is a
/// constant only after optimisation.
pub fn depends_on_level(error: &str) -> bool {
    let words = [
        "inlining failed in call to",
        "impossible constraint",
        "asm operand",
        "invalid operand for inline asm constraint",
        "declared with attribute error",
        "must be a constant",
        "requires a constant",
    ];
    words.iter().any(|word| error.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(end: End, stderr: &str) -> Finished {
        Finished {
            end,
            why: None,
            stdout: Vec::new(),
            stderr: stderr.into(),
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_rss: 0,
            orphans: 0,
        }
    }

    fn stopped(why: Excess) -> Finished {
        Finished { why: Some(why), ..finished(End::Signalled(9), "") }
    }

    #[test]
    fn errors_with_the_name_of_a_warning_are_policy() {
        let of = |text: &str| compiled(Stage::Driver, &finished(End::Exited(1), text), false);
        let chained =
            "a.c:1:9: error: chained comparison 'X < Y < Z' does not behave the same [-Wparentheses]\n";
        let plain = "a.c:2:1: error: expected ';'\n";
        for text in [chained, &format!("{chained}    1 | a < b < c\n      | ^\n1 error generated.\n")] {
            assert_eq!(of(text), Compiled::Policy(text.to_owned()));
        }
        for text in [plain, &format!("{chained}{plain}"), "a.c:1:2: error: 'x[-W]' is no name\n"] {
            assert_eq!(of(text), Compiled::Reject(text.to_owned()));
        }
    }

    #[test]
    fn compilations_get_their_names() {
        let driver = |end, stderr: &str, output| compiled(Stage::Driver, &finished(end, stderr), output);
        assert_eq!(driver(End::Exited(0), "a.c:1: warning: x", true), Compiled::Built);
        assert!(matches!(driver(End::Exited(0), "", false), Compiled::Broken(_)));
        assert!(matches!(driver(End::Exited(3), "", true), Compiled::Broken(_)));
        assert!(matches!(driver(End::Exited(1), "", false), Compiled::Broken(_)));
        assert!(matches!(driver(End::Exited(1), "a.c:1:2: error: no", false), Compiled::Reject(_)));
        assert!(matches!(driver(End::Exited(1), "a.c:1:2: error: no", true), Compiled::Reject(_)));
        let ice = "a.c:1:2: internal compiler error: in f, at g.cc:3\n";
        assert_eq!(driver(End::Exited(1), ice, false), Compiled::Crash(ice.to_owned()));
        assert_eq!(driver(End::Exited(4), ice, false), Compiled::Crash(ice.to_owned()));
        assert!(matches!(driver(End::Exited(139), "", false), Compiled::Crash(_)));
        assert!(matches!(driver(End::Signalled(11), "a.c:3: error: x", false), Compiled::Crash(_)));
        assert!(matches!(driver(End::Signalled(9), "", false), Compiled::Untried(_)));
        assert!(matches!(driver(End::NotStarted(2), "", false), Compiled::Untried(_)));
        assert_eq!(
            driver(End::Exited(1), "cc1: out of memory allocating 65536 bytes", false),
            Compiled::Memory
        );
        let assembly = "/tmp/ccX.s: Assembler messages:\n/tmp/ccX.s:12: Error: no such instruction: `foo'\n";
        assert!(
            matches!(driver(End::Exited(1), assembly, false), Compiled::Broken(what) if what.contains("assembly"))
        );
    }

    #[test]
    fn limits_get_their_names() {
        let of = |why| compiled(Stage::Compile, &stopped(why), false);
        assert_eq!(of(Excess::Wall), Compiled::Hang);
        assert_eq!(of(Excess::Cpu), Compiled::Hang);
        assert_eq!(of(Excess::Memory), Compiled::Memory);
        for why in [Excess::Output, Excess::Processes, Excess::FileSize] {
            assert!(matches!(of(why), Compiled::Broken(_)));
        }
    }

    #[test]
    fn endless_messages_are_cut() {
        let ice = "a.c:1:2: internal compiler error: in f, at g.cc:3\n";
        let many = bounded(ice.repeat(1 << 20).into_bytes());
        assert!(many.len() < 300 << 10);
        assert!(many.starts_with(ice.as_bytes()) && many.ends_with(ice.as_bytes()));
        // What a driver says comes last.
        let mut long = vec![b'a'; 30 << 20];
        long.extend_from_slice(b"\n");
        long.extend_from_slice(ice.as_bytes());
        let long = bounded(long);
        assert!(long.len() < 10 << 10 && long.ends_with(ice.as_bytes()));
        let usual = ice.repeat(200).into_bytes();
        assert_eq!(bounded(usual.clone()), usual);
    }

    #[test]
    fn our_limits_are_no_crashes() {
        let driver = |end, stderr: &str| compiled(Stage::Driver, &finished(end, stderr), false);
        let endless = Compiled::Broken(ENDLESS_FILE.to_owned());
        for text in [
            "gcc: internal compiler error: File size limit exceeded signal terminated program cc1\n\
             Please submit a full bug report,\n",
            "clang: error: unable to execute command: File size limit exceeded\n\
             clang: error: clang frontend command failed due to signal (use -v to see invocation)\n",
            "collect2: fatal error: ld terminated with signal 25 [File size limit exceeded]\n",
            "cc1: fatal error: error writing to /tmp/ccX.s: File too large\ncompilation terminated.\n",
            "LLVM ERROR: IO failure on output stream: File too large\n",
            "/usr/bin/ld: final link failed: File too large\n",
        ] {
            assert_eq!(driver(End::Exited(4), text), endless, "{text}");
        }
        assert_eq!(driver(End::Signalled(25), ""), endless);
        assert_eq!(driver(End::Exited(128 + 25), ""), endless);
        let cpu = "gcc: internal compiler error: CPU time limit exceeded signal terminated program cc1\n";
        assert_eq!(driver(End::Exited(4), cpu), Compiled::Hang);
        assert_eq!(driver(End::Signalled(24), ""), Compiled::Hang);
        for text in [
            "a.c:1:1: fatal error: error writing to /tmp/ccX.s: No space left on device\n",
            "gcc: fatal error: cannot execute 'cc1': vfork: Resource temporarily unavailable\n",
        ] {
            assert!(matches!(driver(End::Exited(1), text), Compiled::Untried(_)), "{text}");
        }
        // A program's own words are nobody's limit.
        for text in [
            "a.c:1:2: error: #error output: File too large\n",
            "a.c:1:1: error: static assertion failed: \"writing: File too large\"\n",
            "a.c:3:9: error: no\n    3 | f(\"output: No space left on device\")\n",
            "a.c:3:9: error: no\n  write(\"File too large\");\n",
        ] {
            assert!(matches!(driver(End::Exited(1), text), Compiled::Reject(_)), "{text}");
        }
    }

    #[test]
    fn a_death_without_words_has_a_signature() {
        let Compiled::Crash(text) = compiled(Stage::Driver, &finished(End::Signalled(11), ""), false) else {
            panic!("no crash")
        };
        let said = crate::signature::crash("tcc", &text).to_string();
        assert_eq!(said, "crash tcc: command failed due to signal SIGSEGV");
        let shell = compiled(Stage::Driver, &finished(End::Exited(139), ""), false);
        assert_eq!(shell, Compiled::Crash(text));
    }

    #[test]
    fn runs_are_compared() {
        let exit = |status| Behaviour { end: Expected::Exit(status), output: b"x\n".to_vec(), trace: None };
        let got = |end, out: &str| Finished { stdout: out.into(), ..finished(end, "") };
        assert_eq!(ran(&exit(3), &got(End::Exited(3), "x\n")), Ran::Right);
        assert_eq!(ran(&exit(3), &got(End::Exited(3), "y\n")), Ran::Wrong(Difference::Output));
        let status = Difference::Status { expected: Some(3), got: 4 };
        assert_eq!(ran(&exit(3), &got(End::Exited(4), "y\n")), Ran::Wrong(status));
        assert_eq!(ran(&exit(3), &got(End::Signalled(11), "x\n")), Ran::Wrong(Difference::Signal(11)));
        assert_eq!(ran(&exit(3), &got(End::Signalled(6), "x\n")), Ran::Wrong(Difference::Signal(6)));
        assert_eq!(ran(&exit(3), &stopped(Excess::Wall)), Ran::Wrong(Difference::Timeout));
        assert_eq!(ran(&exit(3), &stopped(Excess::Output)), Ran::Wrong(Difference::Output));
        assert!(matches!(ran(&exit(3), &got(End::NotStarted(8), "")), Ran::Untried(_)));
        let abort = Behaviour { end: Expected::Abort, ..exit(0) };
        assert_eq!(ran(&abort, &got(End::Signalled(6), "")), Ran::Right);
        assert_eq!(ran(&abort, &got(End::Signalled(4), "other")), Ran::Right);
        assert_eq!(ran(&abort, &got(End::Signalled(11), "")), Ran::Wrong(Difference::Signal(11)));
        let status = Difference::Status { expected: None, got: 0 };
        assert_eq!(ran(&abort, &got(End::Exited(0), "x\n")), Ran::Wrong(status));
    }
}
