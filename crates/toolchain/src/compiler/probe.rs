//! Asking a compiler what it is: it preprocesses a text of macros, which every C compiler can. Answers are kept as long
//! as the process lives, for the same executable and flags, and longer by `answers`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::compiler::home::{Home, Stamp};
use crate::compiler::{CompilerError, Family, answers};
use crate::process::{Invocation, Limits};

/// The macros asked for.
const ASKED: &[&str] = &[
    "__clang__",
    "__clang_version__",
    "__INTEL_LLVM_COMPILER",
    "__GNUC__",
    "__VERSION__",
    "__TINYC__",
    "__PCC__",
    "__STDC_VERSION__",
    "__STRICT_ANSI__",
    "__x86_64__",
    "__i386__",
    "__aarch64__",
    "__LP64__",
    "__CHAR_UNSIGNED__",
    "__CHAR_BIT__",
    "__FLT_EVAL_METHOD__",
    "__FINITE_MATH_ONLY__",
    "__FAST_MATH__",
    "__clang_major__",
    "__FMA__",
    "__FMA4__",
    "__AVX512F__",
    "__linux__",
    "__SIZEOF_LONG__",
    "__SIZEOF_POINTER__",
    "__SIZEOF_LONG_DOUBLE__",
    "__BYTE_ORDER__",
    "__SOFT_FLOAT__",
    "__OPTIMIZE__",
    "__SANITIZE_ADDRESS__",
];

/// What a compiler predefines, of the macros that matter here.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Macros(BTreeMap<String, String>);

impl Macros {
    /// The value of a macro, if it is defined.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Whether a macro is defined.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Whose flags the compiler takes.
    pub(crate) fn family(&self) -> Family {
        // Most of them say that they are gcc, too.
        if self.has("__clang__") {
            Family::Clang
        } else if self.has("__TINYC__") {
            Family::Tcc
        } else if self.has("__PCC__") {
            Family::Pcc
        } else if self.has("__GNUC__") {
            Family::Gcc
        } else {
            Family::Other
        }
    }

    /// The compiler's version.
    pub(crate) fn version(&self) -> String {
        let text = |name: &str| self.get(name).unwrap_or("").trim_matches('"').to_owned();
        match self.family() {
            Family::Clang => first_word(&text("__clang_version__")),
            Family::Tcc => {
                // 927 is 0.9.27, 10000 would be 1.0.0.
                let number: u32 = text("__TINYC__").parse().unwrap_or(0);
                format!("{}.{}.{}", number / 10_000, number / 100 % 100, number % 100)
            }
            Family::Pcc => {
                let text = text("__VERSION__");
                let version = text.split(" for ").next().unwrap_or("");
                version.trim_start_matches(|c: char| !c.is_ascii_digit()).to_owned()
            }
            Family::Gcc | Family::Other => first_word(&text("__VERSION__")),
        }
    }
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or("").to_owned()
}

/// The driver as it is now, and what it was asked.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Question {
    home: Home,
    stamp: Stamp,
    args: Vec<OsString>,
}

static ANSWERS: Mutex<BTreeMap<Question, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// What a run of the compiler writes to stdout, kept. A failure is not kept.
fn ask(home: &Home, args: Vec<OsString>, stdin: &[u8]) -> Result<Vec<u8>, CompilerError> {
    let key = home.stamp().map(|stamp| Question { home: home.clone(), stamp, args: args.clone() });
    let answers = || ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = key.as_ref().and_then(|key| answers().get(key).cloned()) {
        return Ok(known);
    }
    let question = answers::question("says", &args, stdin);
    if let Some(known) = answers::known(home, question) {
        return Ok(known);
    }
    let mut invocation = Invocation::new(&home.path);
    invocation.args = args;
    invocation.stdin = stdin.to_vec();
    let limits = Limits { wall: Duration::from_secs(30), output: 1 << 20, address_space: None };
    let finished = home.run(&invocation, &limits)?;
    if !finished.success() {
        let said = String::from_utf8_lossy(&finished.stderr);
        let why = match said.lines().find(|line| !line.trim().is_empty()) {
            Some(line) => line.chars().take(300).collect(),
            None if finished.timed_out => "it does not end".to_owned(),
            None => finished.status.to_string(),
        };
        return Err(CompilerError::NoCompiler { program: home.path.display().to_string(), why });
    }
    if let Some(key) = key {
        answers().insert(key, finished.stdout.clone());
    }
    answers::learnt(home, question, &finished.stdout);
    Ok(finished.stdout)
}

/// What the compiler predefines under these flags.
pub(crate) fn macros(home: &Home, prefix: &[String], flags: &[String]) -> Result<Macros, CompilerError> {
    let mut text = String::new();
    for (number, name) in ASKED.iter().enumerate() {
        text.push_str(&format!("howler_asks {number} {name}\n"));
    }
    // There is no profile yet that clang would read; it changes no macro.
    let flags = flags.iter().filter(|flag| *flag != "-fprofile-use");
    let mut args: Vec<OsString> = prefix.iter().chain(flags).map(OsString::from).collect();
    args.extend(["-E", "-x", "c", "-"].map(OsString::from));
    let answer = ask(home, args, text.as_bytes())?;
    let mut macros = Macros::default();
    let mut seen = 0;
    for line in String::from_utf8_lossy(&answer).lines() {
        let Some(line) = line.trim_start().strip_prefix("howler_asks ") else { continue };
        let (number, value) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let Some(name) = number.parse().ok().and_then(|number: usize| ASKED.get(number)) else { continue };
        seen += 1;
        if value.trim() != *name {
            macros.0.insert((*name).to_owned(), value.trim().to_owned());
        }
    }
    if seen == ASKED.len() {
        return Ok(macros);
    }
    let why = "it does not preprocess".to_owned();
    Err(CompilerError::NoCompiler { program: home.path.display().to_string(), why })
}

/// Whether the compiler compiles under these flags without a word.
pub(crate) fn takes(home: &Home, prefix: &[String], flags: &[String]) -> bool {
    let mut invocation = Invocation::new(&home.path);
    invocation.args(prefix).args(flags).args(["-S", "-o", "/dev/null", "-x", "c", "-"]);
    invocation.stdin = b"int f(int a) { while (a > 3) a -= 2; return a; }\n".to_vec();
    let question = answers::question("takes", &invocation.args, &invocation.stdin);
    if let Some(known) = answers::known(home, question) {
        return known == [1];
    }
    // What random flags a test gets depends on the answer: a busy machine must not change it.
    let limits = Limits { wall: Duration::from_secs(300), output: 1 << 20, address_space: None };
    let Ok(finished) = home.run(&invocation, &limits) else { return false };
    let takes = finished.success() && finished.stderr.is_empty();
    // What a limit or somebody else ended has answered nothing.
    if finished.status.code().is_some() && !finished.timed_out && !finished.truncated {
        answers::learnt(home, question, &[u8::from(takes)]);
    }
    takes
}

/// What the compiler compiles for.
pub(crate) fn triple(home: &Home, prefix: &[String], macros: &Macros) -> Result<String, CompilerError> {
    let mut args: Vec<OsString> = prefix.iter().map(OsString::from).collect();
    args.push("-dumpmachine".into());
    let plausible = |word: &String| word.matches('-').count() >= 1 && !word.starts_with('-');
    let said = ask(home, args, b"").ok().map(|answer| first_word(&String::from_utf8_lossy(&answer)));
    if let Some(triple) = said.filter(plausible) {
        return Ok(triple);
    }
    // tcc does not say.
    let arch = ["x86_64", "i386", "aarch64"].into_iter().find(|arch| macros.has(&format!("__{arch}__")));
    let system = if macros.has("__linux__") { "linux-gnu" } else { "unknown" };
    Ok(format!("{}-{system}", arch.unwrap_or("unknown")))
}
