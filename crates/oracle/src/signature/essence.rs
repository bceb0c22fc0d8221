//! What counts in a compiler's message: the line that names the fault, and where in the compiler it is.

use std::borrow::Cow;

/// What says where a compiler crashed; none if the text does not speak of a crash.
pub fn crash_text(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr.lines().collect();
    assertion(&lines)
        .or_else(|| unreachable_executed(&lines))
        .or_else(|| backend_error(&lines))
        .or_else(|| internal_error(&lines))
        .or_else(|| pcc_error(&lines))
        .or_else(|| stack_dump(&lines))
        .or_else(|| runtime_message(&lines))
        .or_else(|| dead_program(&lines))
}

/// The message of the first error, without its place.
pub fn error_text(stderr: &str) -> Option<String> {
    let marks = ["fatal error: ", "error: ", "Error: ", "undefined reference to", "multiple definition of"];
    let marked = stderr.lines().filter(|line| !line.contains("compiler error: ")).find_map(|line| {
        let mark = marks.iter().find(|mark| line.contains(**mark))?;
        let (_, message) = line.split_once(mark)?;
        // gcc says more after the name of an option; which option is no part of the message.
        let message = message.rsplit_once(" [-").map_or(message, |(message, _)| message);
        let of_linker = mark.ends_with("of") || mark.ends_with("to");
        Some(if of_linker { (*mark).to_owned() } else { message.to_owned() })
    });
    let of_pcc = || {
        let line = stderr.lines().find(|line| line.contains(", line ") && !line.contains("warning: "))?;
        Some(line.split_once(", line ")?.1.split_once(": ")?.1.to_owned())
    };
    // pcc's driver says that the compiler proper failed, after what that had to say.
    let says_nothing = |text: &String| text.contains(" terminated with ");
    marked.filter(|text| !says_nothing(text)).or_else(of_pcc)
}

/// ``clang: /src/Foo.cpp:86: T f(U): Assertion `x && "why"' failed.``
fn assertion(lines: &[&str]) -> Option<String> {
    lines.iter().find_map(|line| {
        let (before, after) = line.split_once("Assertion `")?;
        let (condition, _) = after.rsplit_once("' failed")?;
        // What the authors wrote in quotation marks is not the program's.
        let condition = condition.replace(['"', '\''], "");
        let file = before.split(": ").find_map(source_file).unwrap_or_default();
        Some(format!("Assertion {condition} failed in {file}").trim_end().to_owned())
    })
}

/// `UNREACHABLE executed at /src/Foo.cpp:476!`, with a line before it that says why.
fn unreachable_executed(lines: &[&str]) -> Option<String> {
    let at = lines.iter().position(|line| line.contains("UNREACHABLE executed"))?;
    let file = lines[at].split(" at ").nth(1).and_then(source_file).unwrap_or_default();
    let why = at.checked_sub(1).map_or("", |before| lines[before].trim());
    let why = if is_source_excerpt(why) { "" } else { why };
    Some(format!("UNREACHABLE executed at {file} {why}").trim_end().to_owned())
}

fn backend_error(lines: &[&str]) -> Option<String> {
    lines.iter().find_map(|line| {
        let message = ["error in backend: ", "LLVM ERROR: "].iter().find_map(|mark| line.split_once(mark))?.1;
        // A node is written with the numbers of its operands; what it does comes before them.
        let message = match message.strip_prefix("Cannot select: ") {
            Some(node) => format!("Cannot select: {}", node_kind(node)),
            None => message.to_owned(),
        };
        Some(format!("error in backend: {message}"))
    })
}

/// `0x7e333b0: v2f64 = X86ISD::FOO 0x1, 0x2` or `t5: i64 = FrameIndex<0>`: the type and the operation.
fn node_kind(node: &str) -> String {
    let node = node.split_once(": ").map_or(node, |(_, node)| node);
    let (ty, operation) = node.split_once(" = ").unwrap_or(("", node));
    let operation: String =
        operation.chars().take_while(|&c| c.is_alphanumeric() || matches!(c, ':' | '_')).collect();
    format!("{ty} = {operation}")
}

/// `a.c:1:25: internal compiler error: in gimplify_expr, at gimplify.cc:15905`, and what gcc says around it.
fn internal_error(lines: &[&str]) -> Option<String> {
    let at = lines.iter().position(|line| line.contains("internal compiler error: "))?;
    let message = lines[at].split_once("internal compiler error: ")?.1;
    // pcc writes the place where others have the message.
    if message.contains(", line ") {
        return pcc_internal(lines, at);
    }
    let mut text = match message.split_once(", at ") {
        Some((what, place)) => format!("{what}, at {}", source_file(place).unwrap_or_default()),
        None => message.to_owned(),
    };
    let said_before =
        lines[..at].iter().rev().find_map(|line| line.split_once(" error: ").map(|(_, said)| said));
    if let Some(said) = said_before
        && (message.ends_with(" failed") || message.starts_with("in "))
    {
        text = format!("{text}: {said}");
    }
    if let Some(pass) = lines.iter().find_map(|line| line.strip_prefix("during ")) {
        text = format!("{text} ({})", pass.trim());
    }
    if !message.starts_with("in ") && !message.contains(", at ") {
        let frames = frames(&lines[at..]);
        if !frames.is_empty() {
            text = format!("{text} in {}", frames.join(" < "));
        }
    }
    Some(text)
}

/// `a.c, line 9: compiler error: bad oalloc class 3`
fn pcc_error(lines: &[&str]) -> Option<String> {
    lines.iter().find_map(|line| {
        let (before, message) = line.split_once("compiler error: ")?;
        let gave_up = message.starts_with("too many errors");
        (before.contains(", line ") && !gave_up).then(|| format!("compiler error: {message}"))
    })
}

/// pcc gives up with an internal error after errors of the program: then those are what it has to say.
fn pcc_internal(lines: &[&str], at: usize) -> Option<String> {
    let earlier = lines[..at].iter().any(|line| line.contains(", line ") && !line.contains("warning"));
    let major = if lines[at].contains("major") { "major " } else { "" };
    (!earlier).then(|| format!("{major}internal compiler error"))
}

/// The names at the top of a clang backtrace, and the pass that was running.
fn stack_dump(lines: &[&str]) -> Option<String> {
    let start = lines.iter().position(|line| line.starts_with("Stack dump"))?;
    // Old versions wrote the backtrace first.
    let names = frames(lines);
    let pass = lines[start..].iter().rev().find_map(|line| {
        let (_, rest) = line.split_once("Running pass ")?;
        let mark = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        rest[1..].split(mark).next()
    });
    let doing = lines[start..].iter().rev().find_map(|line| {
        let (number, what) = line.split_once(".\t")?;
        let counted = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        let what = what.strip_prefix("<eof> ").unwrap_or(what);
        // `a.c:3:7: Generating code for declaration 'f'`
        let what = what.rsplit(": ").next().unwrap_or(what);
        (counted && !what.starts_with("Program arguments")).then_some(what.trim())
    });
    let place = match (names.is_empty(), pass, doing) {
        (false, _, _) => names.join(" < "),
        (true, Some(pass), _) => format!("pass {pass}"),
        (true, None, Some(doing)) => doing.to_owned(),
        (true, None, None) => "without names".to_owned(),
    };
    Some(format!("stack dump: {place}"))
}

/// What the C library or the C++ runtime of the compiler says when it ends it.
fn runtime_message(lines: &[&str]) -> Option<String> {
    const MESSAGES: [&str; 9] = [
        "double free or corruption",
        "free(): ",
        "malloc(): ",
        "realloc(): ",
        "corrupted ",
        "munmap_chunk(): ",
        "stack smashing detected",
        "terminate called after throwing",
        "buffer overflow detected",
    ];
    lines.iter().find_map(|line| {
        MESSAGES.iter().any(|message| line.contains(message)).then(|| line.trim().to_owned())
    })
}

/// A driver's words on the end of what it started.
fn dead_program(lines: &[&str]) -> Option<String> {
    lines.iter().find_map(|line| {
        let marks =
            ["unable to execute command: ", "signal terminated program ", "command failed due to signal"];
        let killed = line.contains(" terminated with signal") || line.contains("frontend command failed");
        if !killed && !marks.iter().any(|mark| line.contains(mark)) {
            return None;
        }
        let message = line.rsplit_once("error: ").map_or(*line, |(_, message)| message);
        let message = message.split(" (use -v").next().unwrap_or(message);
        // The program's folder is no part of it.
        let words = message.split(' ').map(|word| word.rsplit('/').next().unwrap_or(word));
        Some(words.collect::<Vec<_>>().join(" "))
    })
}

/// How many names of a backtrace count. Further down callers differ while the fault is one.
const FRAMES: usize = 3;

/// The functions at the top of a backtrace, without those that only report it.
fn frames(lines: &[&str]) -> Vec<String> {
    lines.iter().filter_map(|line| frame(line)).take(FRAMES).collect()
}

/// gcc: `0x103cba6f crash_signal`; clang: ` #4 0x00 llvm::Foo::bar(int) (/lib/x+0x12)` or `/src/x.cpp:1:2`, and where it
/// cannot do better `/lib/x(_ZN3bar+0x12)[0x7f]`.
fn frame(line: &str) -> Option<String> {
    let line = line.trim();
    if line.starts_with('/') && line.ends_with(']') {
        let name = line.split_once('(')?.1.split_once('+')?.0;
        return (!name.is_empty() && !is_reporter(name)).then(|| name.to_owned());
    }
    let line = match line.strip_prefix('#') {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start(),
        None => line,
    };
    let (address, name) = line.strip_prefix("0x")?.split_once(' ')?;
    if !address.chars().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    let name: Cow<'_, str> = name.replace("(anonymous namespace)", "{anonymous}").into();
    // What `bool wi::lts_p<int>(int)` returns is no part of its name.
    let name = name.split('(').next()?;
    let name = name.split('<').next()?.rsplit(' ').next().filter(|name| !name.is_empty())?;
    (!is_reporter(name) && !name.starts_with('/') && name != "???").then(|| name.to_owned())
}

fn is_reporter(name: &str) -> bool {
    REPORTERS.iter().any(|reporter| name.contains(reporter))
}

/// Functions that stand above the fault in every backtrace, and those that start every program.
#[rustfmt::skip]
const REPORTERS: &[&str] = &[
    "crash_signal", "internal_error", "diagnostic_impl", "fancy_abort", "PrintStackTrace", "RunSignalHandlers",
    "SignalHandler", "CrashRecovery", "CleanupOnSignal", "restore_rt", "gsignal", "raise", "abort", "__assert_fail",
    "__assert_perror", "llvm_unreachable", "report_fatal_error", "pthread_kill", "__pthread", "__libc_start", "_start",
    "HandleAbort", "LLVMInstallFatalErrorHandler", "__GI_", "linux-vdso", "call_init", "Process::Exit",
];

/// The name of a compiler's source file without folders, ending and line: `/src/lib/Foo.cpp:476!` is `Foo`. gcc moved
/// from `.c` to `.cc` and its faults with it.
fn source_file(place: &str) -> Option<&str> {
    let file = place.trim().split(':').next()?;
    let file = file.rsplit(['/', '\\']).next()?;
    let (stem, ending) = file.rsplit_once('.')?;
    let known = ["c", "cc", "cpp", "h", "hpp", "def", "inc", "md", "td", "y"].contains(&ending);
    (known && !stem.is_empty()).then_some(stem)
}

/// A line that shows the program, not the fault.
fn is_source_excerpt(line: &str) -> bool {
    line.contains(" | ") || line.starts_with('^') || line.contains("warning") || line.contains("~~~")
}
