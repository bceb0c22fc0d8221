//! C text to preprocessed text, by the preprocessor of a compiler that is installed.
//!
//! Howler has no preprocessor of its own. The text that comes back keeps `#include` lines (`-dI`) next to what they
//! stand for, so that a program can be printed with its includes.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use howler_lang::target::{Arch, Target};

use crate::headers::Folder;
use crate::process::{self, Invocation, Limits, RunError};
use crate::search::on_path;

/// A compiler to preprocess with, and our headers for it.
#[derive(Debug)]
pub struct Preprocessor {
    /// The compiler driver.
    pub compiler: PathBuf,
    /// What one run of it may use.
    pub limits: Limits,
    /// Macros to forget in every text (`-U`), after all definitions.
    pub undefines: Vec<String>,
    clang: bool,
    folder: Folder,
}

impl Preprocessor {
    /// Takes the compiler named, or else the first of [`COMPILERS`] on PATH. It is tried on a text that every
    /// preprocessor takes, so that a later refusal is the text's fault.
    pub fn find(compiler: Option<&OsStr>) -> Result<Preprocessor, PreprocessError> {
        let compiler = match compiler {
            Some(name) if name.as_encoded_bytes().starts_with(b"root:") => {
                let why = "compilers of other roots are for hunts; here, name one of this system".to_owned();
                return Err(PreprocessError::NoPreprocessor { compiler: name.into(), why });
            }
            Some(name) => on_path(name).ok_or_else(|| RunError::NotFound { program: name.to_owned() })?,
            None => {
                COMPILERS.iter().find_map(|name| on_path(name.as_ref())).ok_or(PreprocessError::NoCompiler)?
            }
        };
        // An included device has no end, and would be read until the system has no memory left.
        let limits = Limits { address_space: Some(4 << 30), ..Limits::default() };
        let clang = try_out(&compiler, &limits)?;
        let folder = Folder::create().map_err(PreprocessError::Headers)?;
        Ok(Preprocessor { compiler, limits, undefines: Vec::new(), clang, folder })
    }
}

/// Preprocesses a word and says whether the compiler calls itself clang.
fn try_out(compiler: &Path, limits: &Limits) -> Result<bool, PreprocessError> {
    let mut invocation = Invocation::new(compiler);
    invocation.args(["-E", "-x", "c", "-"]);
    invocation.stdin = b"#ifdef __clang__\nhowler_met_clang\n#else\nhowler_met_another\n#endif\n".to_vec();
    let finished = process::run(&invocation, limits)?;
    let text = String::from_utf8_lossy(&finished.stdout);
    let clang = text.contains("howler_met_clang");
    if finished.success() && (clang || text.contains("howler_met_another")) {
        return Ok(clang);
    }
    let said = shorten(String::from_utf8_lossy(&finished.stderr).trim_end());
    let why = match said.as_str() {
        "" if finished.success() => "it wrote no text".to_owned(),
        "" => finished.status.to_string(),
        said => said.to_owned(),
    };
    Err(PreprocessError::NoPreprocessor { compiler: compiler.to_owned(), why })
}

/// The compilers looked for, best first. gcc's text is the one most compilers take.
#[rustfmt::skip]
pub const COMPILERS: &[&str] = &[
    "gcc", "cc", "gcc-16", "gcc-15", "gcc-14", "gcc-13", "gcc-12", "gcc-11", "gcc-10", "gcc-9", "clang", "clang-22",
    "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14", "clang-13",
];

/// What to preprocess.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A file.
    File(&'a Path),
    /// A text.
    Text {
        /// What to call it in line markers.
        name: &'a str,
        /// The text.
        text: &'a str,
    },
}

/// How to preprocess.
#[derive(Clone, Debug)]
pub struct PreprocessOptions {
    /// The machine, the standard and the sign of `char`.
    pub target: Target,
    /// Macros as `-D` takes them: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Folders to search before the headers' (`-I`).
    pub include_dirs: Vec<PathBuf>,
    /// Whose library headers to use.
    pub headers: Headers,
}

/// Whose library headers a text may include. Never both in one text: they would contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Headers {
    /// Howler's own only.
    Ours,
    /// Howler's own, but the system's if the program cannot be preprocessed with those.
    OursThenSystem,
    /// The system's only.
    System,
}

/// A preprocessed text.
#[derive(Clone, Debug)]
pub struct Preprocessed {
    /// The text, with line markers and `#include` lines (see [`for_compilers`]). Our headers are called `<howler>/stdio.h` and so on.
    pub text: String,
    /// Whether the text is made from the system's headers, not ours.
    pub system_headers: bool,
    /// Macros the program defines to ask the headers for more names. A print with `#include` lines needs them.
    pub feature_macros: Vec<FeatureMacro>,
}

/// A feature test macro: `_GNU_SOURCE`, `_FILE_OFFSET_BITS`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeatureMacro {
    /// The name.
    pub name: String,
    /// The replacement, often empty.
    pub value: String,
}

impl std::fmt::Display for FeatureMacro {
    /// The line that defines it. A `-D` option may have given the same definition, which C17 6.10.3p2 allows.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", format!("#define {} {}", self.name, self.value).trim_end())
    }
}

/// Why there is no preprocessed text.
#[derive(Debug, thiserror::Error)]
pub enum PreprocessError {
    /// No compiler is installed.
    #[error(
        "no C compiler found to preprocess with: install gcc or clang (Debian: apt install gcc), name one with \
         --cc, or give preprocessed files (.i)"
    )]
    NoCompiler,
    /// The compiler does not preprocess the simplest text.
    #[error("{} is no C preprocessor that Howler can use: {why}", compiler.display())]
    NoPreprocessor {
        /// The compiler.
        compiler: PathBuf,
        /// What happened.
        why: String,
    },
    /// The compiler did not run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The compiler refused the text.
    #[error("{message}")]
    Refused {
        /// What it said, cut if it is long.
        message: String,
    },
    /// The compiler did not end or wrote without end.
    #[error("{}: preprocessing took too long or gave too much text", compiler.display())]
    Limit {
        /// The compiler.
        compiler: PathBuf,
    },
    /// Our headers could not be written.
    #[error("cannot write Howler's headers to a temporary folder: {0}")]
    Headers(io::Error),
    /// The file could not be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Preprocesses one text.
pub fn preprocess(
    preprocessor: &Preprocessor,
    input: Input<'_>,
    options: &PreprocessOptions,
) -> Result<Preprocessed, PreprocessError> {
    let source = match input {
        Input::File(path) => read_text(path)?,
        Input::Text { text, .. } => text.to_owned(),
    };
    let (text, system_headers) = match options.headers {
        Headers::Ours => (once(preprocessor, input, options, false).map_err(shorten_refusal)?, false),
        Headers::System => (once(preprocessor, input, options, true).map_err(shorten_refusal)?, true),
        Headers::OursThenSystem => match once(preprocessor, input, options, false) {
            Ok(text) => (text, false),
            // A program may also refuse to go without a macro that only the system's headers have. If both fail,
            // the system's reason counts only if ours is that a header does not exist.
            Err(PreprocessError::Refused { message }) => match once(preprocessor, input, options, true) {
                Err(PreprocessError::Refused { .. }) if !names_a_missing_header(&message) => {
                    return Err(PreprocessError::Refused { message: shorten(&message) });
                }
                other => (other.map_err(shorten_refusal)?, true),
            },
            Err(error) => return Err(error),
        },
    };
    Ok(Preprocessed { text, system_headers, feature_macros: feature_macros(&source, &options.defines) })
}

/// Reads C text, once: the file may be a pipe. Bytes that are no UTF-8 stand in literals if the program is right,
/// where an octal escape means the same (C17 6.4.4.4p6). `-` is standard input.
pub fn read_text(path: &Path) -> Result<String, PreprocessError> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(READ_LIMIT).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(READ_LIMIT).read_to_end(&mut bytes))
    };
    let unreadable = |source| PreprocessError::Unreadable { path: path.to_owned(), source };
    read.map_err(unreadable)?;
    if bytes.len() as u64 == READ_LIMIT {
        return Err(unreadable(io::Error::other("more than 1 GiB of text")));
    }
    Ok(text_of(bytes))
}

/// Some devices never end.
const READ_LIMIT: u64 = 1 << 30;

/// Whether the file can be read only once, or only by this process: a pipe, a terminal, `/dev/stdin`, `/dev/fd/63`.
/// The preprocessor must get its text.
pub fn is_stream(path: &Path) -> bool {
    let ours_alone = path == Path::new("-") || path.starts_with("/dev") || path.starts_with("/proc");
    ours_alone || path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// The text as a compiler takes it: without the `#include` lines that `-dI` keeps. Lines keep their numbers.
pub fn for_compilers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        // `#include_next` and `#import` come out of system headers.
        let directive = line.strip_prefix('#').map_or("", str::trim_start);
        let keep = !directive.starts_with("include") && !directive.starts_with("import");
        plain.push_str(if keep { line } else { "\n" });
    }
    plain
}

/// Whether a preprocessor's message says that a header does not exist; gcc, clang and tcc have words of their own.
fn names_a_missing_header(message: &str) -> bool {
    ["No such file or directory", "file not found", "include file '"]
        .iter()
        .any(|words| message.contains(words))
}

fn shorten_refusal(error: PreprocessError) -> PreprocessError {
    match error {
        PreprocessError::Refused { message } => PreprocessError::Refused { message: shorten(&message) },
        other => other,
    }
}

/// How many lines of a message are kept, and how many characters of a line.
const MESSAGE_LINES: usize = 40;
const LINE_LENGTH: usize = 400;

/// A preprocessor's message as far as anybody reads it: a file that is no C text can give millions of lines, and
/// control characters. Of a long message the errors count, not the warnings.
fn shorten(message: &str) -> String {
    let total = message.lines().count();
    let errors_only = total > MESSAGE_LINES && message.contains("error: ");
    let wanted = |line: &&str| !errors_only || line.contains("error: ");
    let mut short = String::new();
    let mut shown = 0;
    for line in message.lines().filter(wanted).take(MESSAGE_LINES) {
        shown += 1;
        for character in line.chars().take(LINE_LENGTH) {
            if character.is_control() && character != '\t' {
                short.extend(character.escape_default());
            } else {
                short.push(character);
            }
        }
        short.push_str(if line.chars().nth(LINE_LENGTH).is_some() { "...\n" } else { "\n" });
    }
    if shown < total {
        short.push_str(&format!("... and {} more lines", total - shown));
    }
    short.truncate(short.trim_end().len());
    short
}

fn once(
    preprocessor: &Preprocessor,
    input: Input<'_>,
    options: &PreprocessOptions,
    system: bool,
) -> Result<String, PreprocessError> {
    let mut invocation = Invocation::new(&preprocessor.compiler);
    invocation.args(["-E", "-dI", "-x", "c"]).arg(format!("-std={}", options.target.std.name()));
    if options.target.arch == Arch::I386 {
        // The target computes with SSE2, and headers may ask (`FLT_EVAL_METHOD`).
        invocation.args(["-m32", "-msse2", "-mfpmath=sse"]);
    }
    if !options.target.char_signed {
        invocation.arg("-funsigned-char");
    }
    for dir in &options.include_dirs {
        invocation.arg("-I").arg(dir);
    }
    if !system {
        // Not -isystem: what a system header's macro expands to gets line markers in the middle of a line, and
        // messages would show fragments.
        invocation.arg("-nostdinc").arg("-I").arg(preprocessor.folder.path());
    }
    if system && preprocessor.clang {
        // clang says that it is GCC 4.2, for which glibc makes typedefs of the names `_Float32` and so on. They are
        // keywords here, as they are since GCC 7.
        invocation.arg("-fgnuc-version=7.0");
    }
    for define in &options.defines {
        invocation.arg(format!("-D{define}"));
    }
    for name in &preprocessor.undefines {
        invocation.arg(format!("-U{name}"));
    }
    match input {
        Input::File(path) => {
            let mut name = OsString::new();
            if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
                name.push("./");
            }
            name.push(path);
            invocation.arg(name);
        }
        Input::Text { name, text } => {
            invocation.arg("-");
            let name = name.replace('\\', "\\\\").replace('"', "\\\"");
            invocation.stdin = format!("#line 1 \"{name}\"\n{text}").into_bytes();
        }
    }
    let finished = process::run(&invocation, &preprocessor.limits)?;
    if finished.timed_out || finished.truncated {
        return Err(PreprocessError::Limit { compiler: preprocessor.compiler.clone() });
    }
    let folder = preprocessor.folder.path().display();
    if !finished.status.success() {
        let message = String::from_utf8_lossy(&finished.stderr).replace(&format!("{folder}/"), "<howler>/");
        let message = match message.trim_end() {
            "" => format!("{}: {}", preprocessor.compiler.display(), finished.status),
            message => message.to_owned(),
        };
        return Err(PreprocessError::Refused { message });
    }
    Ok(rename_folder(text_of(finished.stdout), &format!("\"{folder}/")))
}

/// Our headers' folder has another name in every run; the text must not. Its line markers get flag 3, so that
/// compilers treat the headers as the system's.
fn rename_folder(text: String, quoted_folder: &str) -> String {
    if !text.contains(quoted_folder) {
        return text;
    }
    let mut renamed = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.split_once(quoted_folder) {
            Some((start, rest)) if line.starts_with('#') => {
                renamed.push_str(start);
                renamed.push_str("\"<howler>/");
                renamed.push_str(rest.trim_end());
                renamed.push_str(" 3\n");
            }
            _ => renamed.push_str(line),
        }
    }
    renamed
}

/// C text from bytes. Those that are no UTF-8 stand in literals if the program is right, where an octal escape means the
/// same (C17 6.4.4.4p6).
pub fn text_of(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + 64);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\{byte:03o}"));
        }
    }
    text
}

/// The feature test macros defined by options or before the first `#include`. Conditions are not looked at: a macro
/// too many only makes headers declare more.
fn feature_macros(source: &str, defines: &[String]) -> Vec<FeatureMacro> {
    let mut macros: Vec<FeatureMacro> = Vec::new();
    let mut add = |name: &str, value: &str| {
        let asks_headers = name.starts_with('_') && (name.ends_with("_SOURCE") || name.ends_with("_BITS"));
        let new = FeatureMacro { name: name.to_owned(), value: value.trim().to_owned() };
        if asks_headers && !macros.iter().any(|old| old.name == new.name) {
            macros.push(new);
        }
    };
    for define in defines {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        add(name, value);
    }
    for line in source.lines() {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
        if directive.starts_with("include") {
            break;
        }
        let Some(rest) = directive.strip_prefix("define") else { continue };
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, value) = rest.split_at(end);
        // A comment may end on a later line.
        let value = value.split("/*").next().unwrap_or(value);
        add(name, value.split("//").next().unwrap_or(value));
    }
    macros
}

/// The program of that name on PATH; a name with a slash is a path already.
#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str, defines: &[&str]) -> Vec<String> {
        let defines: Vec<String> = defines.iter().map(|&define| define.to_owned()).collect();
        feature_macros(source, &defines).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn feature_macros_are_those_before_the_first_include() {
        let source = "/* x */\n#define _GNU_SOURCE\n# define _POSIX_C_SOURCE 200809L // new\n#define N 3\n\
                      #define _FILE_OFFSET_BITS 64 /* large */\n#include <stdio.h>\n#define _LATE_SOURCE\n";
        assert_eq!(
            names(source, &["_ISOC11_SOURCE", "M=2", "_GNU_SOURCE=2"]),
            [
                "#define _ISOC11_SOURCE 1",
                "#define _GNU_SOURCE 2",
                "#define _POSIX_C_SOURCE 200809L",
                "#define _FILE_OFFSET_BITS 64"
            ]
        );
    }

    #[test]
    fn compilers_get_no_include_lines() {
        let text =
            "# 1 \"a.c\"\n#include <x.h>\n# 1 \"x.h\" 1\n#include_next <x.h>\n#pragma pack(1)\nint x;\n";
        assert_eq!(for_compilers(text), "# 1 \"a.c\"\n\n# 1 \"x.h\" 1\n\n#pragma pack(1)\nint x;\n");
    }

    #[test]
    fn bytes_outside_utf8_become_octal_escapes() {
        assert_eq!(text_of(b"\"caf\xe9\" \"\xc3\xa9\"".to_vec()), "\"caf\\351\" \"\u{e9}\"");
    }

    #[test]
    fn long_messages_are_cut_to_their_errors() {
        let mut message: String = (0..1000).map(|n| format!("a.c:{n}: null character\u{7}\n")).collect();
        let short = shorten(&message);
        assert!(short.starts_with("a.c:0: null character\\u{7}\na.c:1: "), "{short}");
        assert!(short.ends_with("a.c:39: null character\\u{7}\n... and 960 more lines"), "{short}");
        message += "a.c:1000: error: stray\n";
        assert_eq!(shorten(&message), "a.c:1000: error: stray\n... and 1000 more lines");
        assert_eq!(shorten("one\n\ttwo\n"), "one\n\ttwo");
        assert_eq!(shorten(&"x".repeat(5000)).len(), LINE_LENGTH + 3);
    }

    #[test]
    fn a_program_that_is_no_preprocessor_is_an_error() {
        for (name, why) in [("false", "exit status: 1"), ("true", "it wrote no text")] {
            let error = Preprocessor::find(Some(name.as_ref())).unwrap_err();
            assert!(matches!(error, PreprocessError::NoPreprocessor { .. }));
            assert!(error.to_string().ends_with(why), "{error}");
        }
    }

    #[test]
    fn a_named_compiler_that_is_missing_is_an_error() {
        let error = Preprocessor::find(Some("no-such-cc".as_ref())).unwrap_err();
        assert_eq!(error.to_string(), "no-such-cc: not found");
    }
}
