//! The script that shows a finding to a stranger: `sh` and the compiler are all it needs. It ends with status 0 if the bug
//! shows, with 1 if it does not.

use std::fmt::Write;

use howler_case::{Behaviour, End, Input};
use howler_toolchain::compiler::quoted;

/// What a script has to show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The compiler fails and writes this, or dies of a signal if nothing is given.
    Says(Option<String>),
    /// The compiler is not done after so many seconds.
    DoesNotEnd(u64),
    /// The compiler needs more than so many kibibytes.
    NeedsMemory(u64),
    /// The compiler exits with this status, and its output is there or not.
    Ends {
        /// The status.
        status: u8,
        /// Whether there is an output.
        output: bool,
    },
    /// The program does something else than this; it may take so many seconds.
    Misbehaves(Behaviour, u64),
    /// The program's volatile accesses are others than those in `expected-log.txt`; it may take so many seconds. It needs
    /// GNU `od`, `awk`, and x86-64 Linux.
    Accesses(u64),
    /// Two runs of the compiler give different files.
    Varies,
    /// The second command line gives other machine code than the first. It needs `objcopy`.
    CodeDiffers(String),
}

/// The environment of programs with sanitizers, in a hunt and in a script alike. A leak is no undefined behaviour, and
/// looking for one needs a right to look into processes.
pub const FOR_SANITIZERS: [(&str, &str); 2] =
    [("ASAN_OPTIONS", "detect_leaks=0"), ("LSAN_OPTIONS", "detect_leaks=0")];

/// Whether a flag makes programs that need [`FOR_SANITIZERS`].
pub fn is_sanitizer(flag: &str) -> bool {
    flag.starts_with("-fsanitize=")
}

/// The output file of the command lines in a script.
pub const PROGRAM: &str = "./program";

/// The file that has the standard input of the program, if there is any.
pub const INPUT: &str = "input.txt";

/// The command line that runs the program.
pub fn run_line(input: &Input) -> String {
    let mut line = PROGRAM.to_owned();
    for argument in &input.arguments {
        let _ = write!(line, " {}", quoted(argument));
    }
    if !input.stdin.is_empty() {
        let _ = write!(line, " < {INPUT}");
    }
    line
}

/// Runs a command in another root, with this folder as its `/mnt`: a folder with a whole system in it. It needs `unshare`
/// and `chroot`, and a kernel that lets this user have namespaces.
pub const IN_ROOT: &str = r#"in_root() {
  unshare -rm sh -c 'root=$1; shift; mount --rbind . "$root/mnt" &&
    exec chroot "$root" /bin/sh -c "cd /mnt && exec \"\$@\"" sh "$@"' sh "$@"
}
"#;

/// The script. Each command compiles in the folder of the script and writes [`PROGRAM`]; the bug must show with the
/// first.
pub fn script(title: &str, commands: &[String], claim: &Claim, input: &Input) -> String {
    let mut text = String::from("#!/bin/sh\n");
    for line in title.lines() {
        let _ = writeln!(text, "# {line}");
    }
    text.push_str("# Exit status 0: the bug shows. 1: it does not.\n");
    text.push_str("cd \"$(dirname \"$0\")\" || exit 2\nexport LC_ALL=C\n");
    if commands.iter().any(|command| command.split(' ').any(is_sanitizer)) {
        for (name, value) in FOR_SANITIZERS {
            let _ = writeln!(text, "export {name}={value}");
        }
    }
    let Some((first, others)) = commands.split_first() else { return text + "exit 2\n" };
    for other in others {
        let _ = writeln!(text, "# It shows with this command as well:\n#   {other}");
    }
    text.push_str("rm -f program messages.txt\n");
    let inside = inside(first);
    if !inside.is_empty() {
        text.push_str(IN_ROOT);
    }
    text.push_str(&body(first, claim, &(inside + &run_line(input))));
    text
}

/// What runs a program where a command line compiles it: who compiles in another root runs there.
pub(crate) fn inside(command: &str) -> String {
    let mut words = command.split(' ');
    match (words.next(), words.next()) {
        (Some("in_root"), Some(root)) => format!("in_root {root} "),
        (Some("{"), Some("in_root")) => words.next().map_or(String::new(), |root| format!("in_root {root} ")),
        _ => String::new(),
    }
}

fn body(command: &str, claim: &Claim, run: &str) -> String {
    match claim {
        Claim::Says(Some(words)) => format!(
            "{command} > messages.txt 2>&1\nstatus=$?\ncat messages.txt\n\
             test $status -ne 0 || exit 1\n\
             case \"$(cat messages.txt)\" in\n*{}*) exit 0 ;;\nesac\nexit 1\n",
            quoted(words)
        ),
        Claim::Says(None) => format!(
            "{command} > messages.txt 2>&1\nstatus=$?\ncat messages.txt\n\
             echo \"exit status $status\"\ntest $status -ge 128\n"
        ),
        Claim::DoesNotEnd(seconds) => {
            // It may write without end, too.
            let quiet = format!("{command} > /dev/null 2>&1");
            format!("{}echo \"no end after {seconds} seconds\"\nexit 0\n", until(&quiet, *seconds, "exit 1"))
        }
        Claim::NeedsMemory(kibibytes) => {
            format!(
                "ulimit -v {kibibytes}\n{command}\nstatus=$?\necho \"exit status $status\"\ntest $status -ne 0\n"
            )
        }
        Claim::Ends { status, output } => {
            let there = if *output { "test -e program" } else { "test ! -e program" };
            format!(
                "{command}\nstatus=$?\necho \"exit status $status\"\ntest $status -eq {status} && {there}\n"
            )
        }
        Claim::Misbehaves(behaviour, seconds) => {
            format!("{command} || exit 2\n{}", misbehaves(behaviour, *seconds, run))
        }
        Claim::Accesses(seconds) => {
            let run = until(&format!("{run} > output.txt"), *seconds, "status=$?");
            format!("rm -f howler-trace.bin\n{command} || exit 2\n{run}{LOG}")
        }
        Claim::Varies => format!(
            "{command} || exit 2\nmv program program.first\n{command} || exit 2\n\
             if cmp program.first program; then exit 1; fi\n"
        ),
        Claim::CodeDiffers(other) => format!(
            "{command} || exit 2\nobjcopy -O binary -j .text program code.first || exit 2\n\
             {other} || exit 2\nobjcopy -O binary -j .text program code.second || exit 2\n\
             if cmp code.first code.second; then exit 1; fi\n"
        ),
    }
}

/// Makes lines of the tracer's log and compares them. What an instruction does is not known here, so a read right before a
/// write of the same place is left out on both sides.
const LOG: &str = r#"count=$(od -An -v -t d8 -j8 -N8 howler-trace.bin) || exit 2
od -An -v -t x8 -w64 -j64 -N$((count * 64)) howler-trace.bin | awk '
function value(hex, i, n) {
  n = 0
  for (i = 1; i <= length(hex); i++) n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
  return n
}
FNR == NR { at[NR] = $1; size[NR] = $2; width[NR] = $3; name[NR] = $4; known = NR; next }
{
  where = value($1)
  for (k = 1; k <= known; k++) if (where >= at[k] && where < at[k] + size[k]) break
  if (k > known) next
  place = name[k] "+" (where - at[k])
  writes = value(substr($2, 16)) % 4 >= 2
  if (held != "" && !(writes && place == held_place)) print held
  held = ""
  bytes = substr(writes ? $4 : $3, 17 - 2 * width[k])
  if (writes) print "write " place " " bytes
  else { held = "read " place " " bytes; held_place = place }
}
END { if (held != "") print held }' howler-trace.map - > log.txt
if cmp expected-log.txt log.txt; then exit 1; fi
diff expected-log.txt log.txt | head -n 10
exit 0
"#;

/// Runs a command and does `then` once it has ended by itself; goes on if it has not after so many seconds.
fn until(command: &str, seconds: u64, then: &str) -> String {
    format!(
        "{command} &\njob=$!\nleft={seconds}\nwhile kill -0 $job 2> /dev/null; do\n\
         \x20 if test $left -eq 0; then break; fi\n  sleep 1\n  left=$((left - 1))\ndone\n\
         if test $left -ne 0; then\n  wait $job\n  {then}\nfi\nkill -9 $job 2> /dev/null\n"
    )
}

fn misbehaves(behaviour: &Behaviour, seconds: u64, run: &str) -> String {
    let run = format!("{run} > output.txt");
    let mut text = until(&run, seconds, "status=$?");
    text.push_str("if test $left -eq 0; then echo \"no end\"; exit 0; fi\necho \"exit status $status\"\n");
    match behaviour.end {
        // A shell adds 128 to the number of the signal: SIGILL, SIGTRAP, SIGABRT.
        End::Abort => text.push_str("case $status in 132|133|134) exit 1 ;; esac\nexit 0\n"),
        End::Exit(status) => {
            let _ = write!(
                text,
                "test $status -eq {status} || exit 0\nif cmp expected-output.txt output.txt; then exit 1; fi\nexit 0\n"
            );
        }
    }
    text
}

/// The part of a message that a script can look for: it must not depend on places.
pub fn mark_of(stderr: &str) -> Option<String> {
    const MARKS: [&str; 8] = [
        "internal compiler error",
        "compiler error:",
        "' failed.",
        "UNREACHABLE executed",
        "error in backend",
        "LLVM ERROR",
        "PLEASE submit a bug report",
        "-fcompare-debug' failure",
    ];
    let whole = MARKS.iter().find(|mark| stderr.contains(**mark)).map(|mark| (*mark).to_owned());
    whole.or_else(|| crate::signature::error_text(stderr).filter(|text| !text.contains("due to signal")))
}
