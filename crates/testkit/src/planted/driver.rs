//! The compiler itself: hands its arguments to the real gcc, and stands between gcc and each cc1 it starts. It knows
//! no more of gcc's options than it needs to find the level, the source and the output.
#![allow(clippy::disallowed_methods, reason = "a compiler driver for tests; Howler runs it under its limits")]

use super::fault::{Act, Compile, Fault, fault};
use super::{edit, misbehave};
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio, exit};

/// The gcc that faults are planted in, if `--real` names no other.
const REAL: &str = "gcc-12";

/// Acts as the compiler, and does not return, if the arguments say so: `EXE planted-cc FAULT ARGS…`. The first
/// call in the `main` of anything that is to be used as one.
pub fn main_if_asked() {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let Some(word) = args.first().and_then(|word| word.to_str()) else { return };
    match (word, args.get(1).and_then(|name| name.to_str())) {
        ("planted-cc", Some(name)) => drive(named(name), &args[2..]),
        ("planted-sub", Some(name)) => stand_between(named(name), &args[2..]),
        ("planted-child", Some(what)) => misbehave::child(what),
        ("planted-cc", None) => fail("planted-cc FAULT [--real gcc-12] ARGS…"),
        _ => {}
    }
}

fn named(name: &str) -> &'static Fault {
    fault(name).unwrap_or_else(|| fail(&format!("there is no fault `{name}`")))
}

fn fail(message: &str) -> ! {
    eprintln!("planted-cc: {message}");
    exit(2)
}

/// The driver's part.
fn drive(fault: &Fault, mut args: &[OsString]) -> ! {
    let mut real = OsStr::new(REAL);
    if let [flag, name, rest @ ..] = args
        && flag == "--real"
    {
        (real, args) = (name, rest);
    }
    if args.iter().any(|arg| arg == "--version") {
        version(fault, real);
    }
    let act = fault.act.as_ref().filter(|act| act.is_the_drivers());
    let Some(act) = act else {
        let error = gcc(fault, real, args).exec();
        fail(&format!("cannot start {}: {error}", real.display()));
    };
    if args.iter().any(|arg| arg == "-###") {
        // The commands it would show do not have the fault: no one shall run them in its place.
        eprintln!("{}: error: unrecognized command-line option '-###'", real.display());
        exit(1);
    }
    let acts = !asks(args) && sources(args).any(|path| acts_on_file(fault, args, path));
    if acts && *act == Act::Idle {
        exit(0);
    }
    let status = status(&mut gcc(fault, real, args));
    if acts && status.success() {
        misbehave::driver(act, &outputs(args));
    }
    leave(status)
}

/// The real gcc, told to start its programs through this executable. As the wrapper's words are separated by commas,
/// the path must have none.
fn gcc(fault: &Fault, real: &OsStr, args: &[OsString]) -> Command {
    let own = match std::env::current_exe() {
        Ok(path) if !path.as_os_str().as_encoded_bytes().contains(&b',') => path,
        _ => fail("the path of this executable is unknown or has a comma in it"),
    };
    let mut wrapper = own.into_os_string();
    wrapper.push(format!(",planted-sub,{}", fault.name));
    let mut command = Command::new(real);
    command.arg("-wrapper").arg(wrapper);
    // gcc turns a status of cc1 into 1 otherwise. A crash of gcc itself shows as 4 or 1, and so it stays.
    if matches!(fault.act, Some(Act::Status(status)) if status > 4) {
        command.arg("-pass-exit-codes");
    }
    command.args(args);
    command
}

/// The real version, under a name that tells the two apart.
fn version(fault: &Fault, real: &OsStr) -> ! {
    let output = Command::new(real).arg("--version").stderr(Stdio::inherit()).output();
    let output = output.unwrap_or_else(|error| fail(&format!("cannot start {}: {error}", real.display())));
    let text = String::from_utf8_lossy(&output.stdout);
    let text = match text.split_once('(') {
        Some((_, rest)) => format!("gcc (planted {}) ({rest}", fault.name),
        None => text.into_owned(),
    };
    print!("{text}");
    leave(output.status)
}

/// Whether the compiler is only asked something, or only preprocesses.
fn asks(args: &[OsString]) -> bool {
    args.iter().any(|arg| {
        let arg = arg.as_encoded_bytes();
        arg == b"-E"
            || arg == b"-M"
            || arg == b"-MM"
            || arg.starts_with(b"-dump")
            || arg.starts_with(b"-print-")
    })
}

/// The C files among the driver's arguments.
fn sources(args: &[OsString]) -> impl Iterator<Item = &Path> {
    let files = args.iter().map(Path::new);
    files.filter(|path| path.extension().is_some_and(|end| end == "c" || end == "i") && path.is_file())
}

/// What the driver makes, as far as its arguments say.
fn outputs(args: &[OsString]) -> Vec<PathBuf> {
    if let Some(named) = value(args, "-o") {
        return vec![named.into()];
    }
    let end = match () {
        () if args.iter().any(|arg| arg == "-c") => "o",
        () if args.iter().any(|arg| arg == "-S") => "s",
        () => return vec!["a.out".into()],
    };
    sources(args).filter_map(|path| Some(PathBuf::from(path.file_name()?).with_extension(end))).collect()
}

/// What follows `flag`, in one word with it or in the next.
fn value<'a>(args: &'a [OsString], flag: &str) -> Option<&'a OsStr> {
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == flag {
            return args.next().map(OsString::as_os_str);
        }
        if let Some(joined) = arg.to_str().and_then(|arg| arg.strip_prefix(flag)) {
            return Some(OsStr::new(joined));
        }
    }
    None
}

/// The level that the last `-O` gives.
fn level(args: &[OsString]) -> &str {
    match args.iter().rev().find_map(|arg| arg.to_str()?.strip_prefix("-O")) {
        Some("") => "1",
        Some(level) => level,
        None => "0",
    }
}

fn compile<'a>(args: &'a [OsString], source: Option<&'a str>) -> Compile<'a> {
    let word = args.iter().rev().find(|arg| *arg == "-m32" || *arg == "-m64");
    Compile { level: level(args), m32: word.is_some_and(|word| word == "-m32"), source }
}

fn acts_on_file(fault: &Fault, args: &[OsString], path: &Path) -> bool {
    let text = std::fs::read(path).unwrap_or_default();
    fault.acts(&compile(args, Some(&String::from_utf8_lossy(&text))), misbehave::dice()).is_some()
}

/// Runs a program of gcc's, `command`, in its place: as it is, unless it is a compiler proper.
fn stand_between(fault: &Fault, command: &[OsString]) -> ! {
    let Some((program, args)) = command.split_first() else { fail("planted-sub FAULT PROGRAM ARGS…") };
    let name = Path::new(program).file_name().unwrap_or_default();
    let compiles = name == "lto1" || name == "cc1" && !args.iter().any(|arg| arg == "-E");
    if !compiles {
        let mut command = Command::new(program);
        command.args(args);
        if name == "collect2" {
            pass_on_to_lto(&mut command, fault);
        }
        let error = command.exec();
        fail(&format!("cannot start {}: {error}", program.display()));
    }
    let (path, input) = input(name, args);
    let source = match (&path, &input) {
        (_, Some(input)) => Some(String::from_utf8_lossy(input).into_owned()),
        (Some(path), None) => {
            std::fs::read(path).ok().map(|text| String::from_utf8_lossy(&text).into_owned())
        }
        (None, None) => None,
    };
    let acts = fault.acts(&compile(args, source.as_deref()), misbehave::dice());
    let output = value(args, "-o").filter(|file| *file != "-").map(PathBuf::from);
    if let (Some(line), Some(act)) = (acts, &fault.act) {
        let shown = path.unwrap_or_else(|| "<stdin>".into());
        fault.say.iter().for_each(|text| {
            let text = text.replace("\\t", "\t").replace("{file}", &shown.display().to_string());
            eprintln!("{}", text.replace("{line}", &line.to_string()));
        });
        misbehave::compiler(act, output.as_deref());
    }
    let (status, piped) = compile_really(program, args, input, output.is_none());
    let assembly = match &output {
        Some(file) => std::fs::read(file).unwrap_or_default(),
        None => piped,
    };
    let changed = acts.filter(|_| status.success()).and_then(|_| faulty(fault, &assembly));
    let written = match (&output, &changed) {
        (Some(file), Some(changed)) => std::fs::write(file, changed),
        (Some(_), None) => Ok(()),
        (None, Some(changed)) => std::io::stdout().write_all(changed.as_bytes()),
        (None, None) => std::io::stdout().write_all(&assembly),
    };
    if let Err(error) = written {
        fail(&format!("cannot write the assembly: {error}"));
    }
    leave(status)
}

/// The assembly with the fault in it, if that makes a difference.
fn faulty(fault: &Fault, assembly: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(assembly).ok()?;
    if fault.act == Some(Act::Nops) {
        return Some(edit::pad(text, misbehave::dice() as usize % 64));
    }
    let edited = fault.edit(text);
    (edited.applied > 0).then_some(edited.text)
}

/// The file that a compiler proper reads, or what it is given on standard input.
fn input(name: &OsStr, args: &[OsString]) -> (Option<PathBuf>, Option<Vec<u8>>) {
    if name == "lto1" {
        return (None, None);
    }
    // The driver writes the file's name somewhere among the flags; these take the next word for themselves.
    const TAKING: [&str; 16] = [
        "-o",
        "-dumpbase",
        "-dumpdir",
        "-dumpbase-ext",
        "-auxbase",
        "-imultiarch",
        "-isystem",
        "-include",
        "-imacros",
        "-idirafter",
        "-iquote",
        "-D",
        "-U",
        "-I",
        "-MF",
        "-MT",
    ];
    let mut words = args.iter();
    while let Some(word) = words.next() {
        if word == "-" {
            let mut text = Vec::new();
            if let Err(error) = std::io::stdin().read_to_end(&mut text) {
                fail(&format!("cannot read the standard input: {error}"));
            }
            return (None, Some(text));
        }
        if TAKING.iter().any(|flag| word == flag) {
            words.next();
        } else if !word.as_encoded_bytes().starts_with(b"-") {
            return (Some(word.into()), None);
        }
    }
    (None, None)
}

/// Runs cc1; its standard output is collected if that is where the assembly goes.
fn compile_really(
    program: &OsStr,
    args: &[OsString],
    input: Option<Vec<u8>>,
    piped: bool,
) -> (ExitStatus, Vec<u8>) {
    let mut command = Command::new(program);
    command.args(args);
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(if piped { Stdio::piped() } else { Stdio::inherit() });
    let started = command.spawn();
    let mut child =
        started.unwrap_or_else(|error| fail(&format!("cannot start {}: {error}", program.display())));
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        // cc1 may stop reading at an error; it says why itself.
        std::thread::spawn(move || drop(stdin.write_all(&input)));
    }
    match child.wait_with_output() {
        Ok(output) => (output.status, output.stdout),
        Err(error) => fail(&format!("cannot wait for {}: {error}", program.display())),
    }
}

/// With `-flto` the code is made while linking, by a gcc that the linker's plugin starts with the options it finds in
/// this variable: the wrapper is not among them unless put there.
fn pass_on_to_lto(command: &mut Command, fault: &Fault) {
    const OPTIONS: &str = "COLLECT_GCC_OPTIONS";
    if let (Some(mut options), Ok(own)) = (std::env::var_os(OPTIONS), std::env::current_exe())
        && !own.as_os_str().as_encoded_bytes().contains(&b'\'')
    {
        options.push(" '-wrapper' '");
        options.push(own);
        options.push(format!(",planted-sub,{}'", fault.name));
        command.env(OPTIONS, options);
    }
}

fn status(command: &mut Command) -> ExitStatus {
    match command.status() {
        Ok(status) => status,
        Err(error) => fail(&format!("cannot start {}: {error}", command.get_program().display())),
    }
}

/// Ends as the real program did.
fn leave(status: ExitStatus) -> ! {
    if let Some(signal) = status.signal() {
        misbehave::die(&signal.to_string());
    }
    exit(status.code().unwrap_or(1))
}
