//! What the text of a case means on each target, or why it has no meaning: preprocessor, front end, machine.
//!
//! Undefined behaviour counts by the letter, always: a report must never lean on what compilers are kind enough to do.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use howler_case::{Behaviour, Case, File, Input as CaseInput};
use howler_lang::diag::{self, Diagnostic, Severity};
use howler_lang::link;
use howler_lang::program::Program;
use howler_lang::source::Pos;
use howler_lang::target::{Compiler, Target};
use howler_machine::caveat::{Caveat, family_name};
use howler_machine::judge::{self as machine, JudgeOptions, Judgement};
use howler_machine::outcome::Limit;
use howler_machine::{Input as MachineInput, Limits};
use howler_toolchain::preprocess::{
    Headers, Input, PreprocessError, PreprocessOptions, Preprocessor, for_compilers, text_of,
};

use crate::read::{Texts, Unit, mixes_headers, read_preprocessed};
use crate::same::same_meaning;
use crate::trace::{self, Traced};

/// What a case means on one target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Exactly this, under every conforming compiler.
    Defined(Behaviour),
    /// Nothing.
    Undefined {
        /// The code of the kind of undefined behaviour.
        code: &'static str,
        /// What it is and where.
        text: String,
    },
    /// Nobody knows: the front end or the machine does not model this.
    Unsupported(String),
    /// One of several things.
    Unspecified(String),
    /// Nobody knows: a limit of this kind was reached.
    Unfinished(Limit),
    /// It is no valid program.
    Rejected(String),
    /// The preprocessor does not take it, so there is no text.
    Unreadable(String),
}

/// A verdict without its details, or that there is none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Word {
    /// See [`Verdict::Defined`].
    Defined,
    /// See [`Verdict::Undefined`].
    Undefined,
    /// See [`Verdict::Unspecified`].
    Unspecified,
    /// See [`Verdict::Unsupported`].
    Unsupported,
    /// See [`Verdict::Unfinished`].
    Unfinished,
    /// Nobody was asked: no target of the compilers is modelled.
    Unmodelled,
    /// See [`Verdict::Rejected`].
    Rejected,
    /// See [`Verdict::Unreadable`].
    Unreadable,
}

impl Word {
    /// All of them.
    pub const ALL: [Word; 8] = [
        Word::Defined,
        Word::Undefined,
        Word::Unspecified,
        Word::Unsupported,
        Word::Unfinished,
        Word::Unmodelled,
        Word::Rejected,
        Word::Unreadable,
    ];

    /// It in tables, databases and files.
    pub fn name(self) -> &'static str {
        match self {
            Word::Defined => "defined",
            Word::Undefined => "undefined",
            Word::Unspecified => "unspecified",
            Word::Unsupported => "unsupported",
            Word::Unfinished => "unfinished",
            Word::Unmodelled => "unmodelled",
            Word::Rejected => "rejected",
            Word::Unreadable => "unreadable",
        }
    }

    /// Reads what [`Word::name`] wrote.
    pub fn parse(name: &str) -> Option<Word> {
        Word::ALL.into_iter().find(|word| word.name() == name)
    }

    /// The word for what may not have been judged.
    pub(crate) fn of(verdict: Option<&Verdict>) -> Word {
        verdict.map_or(Word::Unmodelled, Verdict::word)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Verdict {
    /// It without its details.
    pub fn word(&self) -> Word {
        match self {
            Verdict::Defined(_) => Word::Defined,
            Verdict::Undefined { .. } => Word::Undefined,
            Verdict::Unsupported(_) => Word::Unsupported,
            Verdict::Unspecified(_) => Word::Unspecified,
            Verdict::Unfinished(_) => Word::Unfinished,
            Verdict::Rejected(_) => Word::Rejected,
            Verdict::Unreadable(_) => Word::Unreadable,
        }
    }

    /// The code of the kind of undefined behaviour.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Verdict::Undefined { code, .. } => Some(code),
            _ => None,
        }
    }

    /// Why it is not defined, in words, with the place where there is one.
    pub fn why(&self) -> Option<String> {
        match self {
            Verdict::Defined(_) => None,
            Verdict::Undefined { text: why, .. }
            | Verdict::Unsupported(why)
            | Verdict::Unspecified(why)
            | Verdict::Rejected(why)
            | Verdict::Unreadable(why) => Some(why.clone()),
            Verdict::Unfinished(limit) => Some(format!("a limit was reached: {limit}")),
        }
    }
}

/// A verdict and what else the judge knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// How many steps the longest run took, if any was made.
    pub steps: u64,
    /// The objects that binaries can be traced at, if the program's volatile accesses are fixed.
    pub traced: Vec<Traced>,
    /// Why some compiler families need not keep to a verdict of `Defined`.
    pub caveats: Vec<Caveat>,
}

impl Judged {
    fn of(verdict: Verdict) -> Judged {
        Judged { verdict, steps: 0, traced: Vec::new(), caveats: Vec::new() }
    }

    /// The verdict that counts for a compiler family. What it does not promise cannot be its bug: to it the program is
    /// one that may do something else.
    fn for_family(mut self, family: Compiler) -> Judged {
        let unkept = self.caveats.iter().find(|caveat| !caveat.promised_by().contains(&family));
        if let (Verdict::Defined(_), Some(caveat)) = (&self.verdict, unkept) {
            let (message, clause) = (caveat.message(), caveat.clause());
            let why =
                format!("{message} (C17 {clause}), which {} does not promise to keep", family_name(family));
            self.verdict = Verdict::Unspecified(why);
            self.traced.clear();
        }
        self
    }
}

/// How to judge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How many runs with other orders and addresses.
    pub runs: u32,
    /// What each run may use. `letter` is not looked at.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Options {
        Options { runs: 3, limits: Limits { steps: 50_000_000, ..Limits::default() } }
    }
}

/// The texts of a case as every compiler of one machine and one standard gets them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prepared {
    /// Preprocessed files, named like the case's but `.i`.
    pub files: Vec<File>,
    /// Whether a file could be read with the system's headers only. Then the text is one compiler's, and others may
    /// not take it.
    pub system_headers: bool,
}

/// What is common to targets that share one preprocessed text: all but the compiler.
fn macro_set(target: Target) -> Target {
    Target { compiler: Compiler::Gcc, ..target }
}

/// All that is known of a case.
#[derive(Clone, Default, Debug)]
pub struct Judgements {
    /// The verdict for each target.
    pub targets: BTreeMap<Target, Judged>,
    prepared: BTreeMap<Target, Prepared>,
}

impl Judgements {
    /// The texts for compilers with this target; none if it was not judged or could not be preprocessed.
    pub fn prepared(&self, target: Target) -> Option<&Prepared> {
        self.prepared.get(&macro_set(target))
    }
}

/// Judges the text of a case for each target. The preprocessor runs once for each machine, standard and sign of `char`;
/// the machine runs once for dialects that read the same program. The program gets the case's first input; what the case
/// expects is not looked at.
pub fn judge(preprocessor: &Preprocessor, case: &Case, targets: &[Target], options: &Options) -> Judgements {
    let mut judgements = Judgements::default();
    let mut groups: BTreeMap<Target, Vec<Target>> = BTreeMap::new();
    for &target in targets {
        let group = groups.entry(macro_set(target)).or_default();
        if !group.contains(&target) {
            group.push(target);
        }
    }
    for (key, group) in groups {
        judge_group(preprocessor, case, (key, &group), options, &mut judgements);
    }
    judgements
}

/// Adds the texts for a target whose meaning is known already, without reading the program.
pub(crate) fn prepare_known(
    preprocessor: &Preprocessor,
    case: &Case,
    target: Target,
    judgements: &mut Judgements,
) {
    let key = macro_set(target);
    if judgements.prepared.contains_key(&key) {
        return;
    }
    let sources: Vec<Source<'_>> = case.files.iter().map(Source::of).collect();
    if let Ok(texts) = open(preprocessor, &sources, key) {
        let texts = texts.iter().map(|text| match text {
            Opened::Preprocessed { text, .. } => (Arc::clone(text), false),
            Opened::Texts(texts) => texts.first_text(),
        });
        judgements.prepared.insert(key, prepare(case, texts));
    }
}

/// The verdict for one target.
pub fn judge_one(preprocessor: &Preprocessor, case: &Case, target: Target, options: &Options) -> Verdict {
    let mut judgements = judge(preprocessor, case, &[target], options);
    match judgements.targets.remove(&target) {
        Some(judged) => judged.verdict,
        None => Verdict::Unreadable("no text".to_owned()),
    }
}

fn judge_group(
    preprocessor: &Preprocessor,
    case: &Case,
    (key, group): (Target, &[Target]),
    options: &Options,
    judgements: &mut Judgements,
) {
    let sources: Vec<Source<'_>> = case.files.iter().map(Source::of).collect();
    let mut texts = match open(preprocessor, &sources, key) {
        Ok(texts) => texts,
        Err(error) => {
            let judged = Judged::of(Verdict::Unreadable(error.to_string()));
            judgements.targets.extend(group.iter().map(|&target| (target, judged.clone())));
            return;
        }
    };
    let mut known: Vec<(Program, Judged)> = Vec::new();
    for &target in group {
        let loaded = load(&mut texts, target, &howler_front::Options { pedantic_errors: false });
        judgements.prepared.entry(key).or_insert_with(|| {
            let units = loaded.units.iter();
            prepare(case, units.map(|unit| (Arc::clone(&unit.text), unit.system_headers == Some(true))))
        });
        let judged = match loaded.program {
            Err(verdict) => Judged::of(verdict),
            Ok(program) => match known.iter().find(|(other, _)| same_meaning(other, &program)) {
                Some((_, judged)) => judged.clone(),
                None => {
                    let judged = judge_meaning(&program, case.input(), options);
                    known.push((program, judged.clone()));
                    judged
                }
            },
        };
        judgements.targets.insert(target, judged.for_family(target.compiler));
    }
    SPARE.set(known.pop().map(|(program, _)| program).filter(|program| program.exprs.len() <= KEPT));
}

thread_local! {
    /// The memory of a program that was judged, for the next one.
    static SPARE: Cell<Option<Program>> = const { Cell::new(None) };
}

/// How many expressions a program may have whose memory is kept: a few megabytes a thread.
const KEPT: usize = 1 << 18;

/// A linked program of a case and the units it was made of.
pub(crate) struct Loaded {
    pub(crate) program: Result<Program, Verdict>,
    pub(crate) units: Vec<Unit>,
}

/// Reads a case for one target, with the front end's options; for questions beyond a verdict.
pub(crate) fn load_case(
    preprocessor: &Preprocessor,
    case: &Case,
    target: Target,
    front: &howler_front::Options,
) -> Result<Loaded, PreprocessError> {
    let sources: Vec<Source<'_>> = case.files.iter().map(Source::of).collect();
    let mut texts = open(preprocessor, &sources, macro_set(target))?;
    Ok(load(&mut texts, target, front))
}

/// A file of a case as text.
struct Source<'a> {
    name: &'a str,
    text: String,
    preprocessed: bool,
}

impl Source<'_> {
    fn of(file: &File) -> Source<'_> {
        let text = text_of(file.text.clone());
        let preprocessed =
            file.name.ends_with(".i") || is_preprocessed(&text) || needs_no_preprocessor(&text);
        Source { name: &file.name, text, preprocessed }
    }
}

/// A text ready to be read.
enum Opened<'a> {
    Preprocessed { name: &'a str, text: Arc<str> },
    Texts(Box<Texts<'a>>),
}

fn open<'a>(
    preprocessor: &'a Preprocessor,
    sources: &'a [Source<'a>],
    target: Target,
) -> Result<Vec<Opened<'a>>, PreprocessError> {
    let options = PreprocessOptions {
        target,
        defines: Vec::new(),
        include_dirs: Vec::new(),
        headers: Headers::OursThenSystem,
    };
    let open_one = |source: &'a Source<'a>| {
        if source.preprocessed {
            return Ok(Opened::Preprocessed { name: source.name, text: source.text.as_str().into() });
        }
        let input = Input::Text { name: source.name, text: &source.text };
        Ok(Opened::Texts(Box::new(Texts::new(preprocessor, input, options.clone())?)))
    };
    sources.iter().map(open_one).collect()
}

/// Whether a preprocessor wrote the text: it begins with a line marker, and has no directives but markers and pragmas.
fn is_preprocessed(text: &str) -> bool {
    let directive = |line: &str| line.trim_start().strip_prefix('#').map(|rest| rest.trim_start().to_owned());
    let is_marker = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    text.lines().next().and_then(directive).is_some_and(|first| is_marker(&first))
        && text.lines().filter_map(directive).all(|rest| is_marker(&rest) || rest.starts_with("pragma"))
}

/// Whether preprocessing would change nothing: no directive, no comment (pcc takes none after it), no line that goes
/// on, no name that could be a macro of the compiler's own.
fn needs_no_preprocessor(text: &str) -> bool {
    let special =
        text.contains('#') || ["\\\n", "\\\r", "??", "%:", "/*", "//"].iter().any(|mark| text.contains(mark));
    let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'));
    !special
        && !words.any(|word| {
            word.starts_with("__") || matches!(word, "_Pragma" | "linux" | "unix" | "i386" | "_LP64")
        })
}

fn load(texts: &mut [Opened<'_>], target: Target, front: &howler_front::Options) -> Loaded {
    let first = load_with(texts, target, front, Texts::parse_into);
    if !mixes_headers(first.units.iter().map(|unit| unit.system_headers)) {
        return first;
    }
    let system = |texts: &mut Texts<'_>, program: &mut Program, front: &howler_front::Options| {
        // What cannot be read so is read as before, and the program with it is refused or the first one's equal.
        let unit = texts.parse_system_into(program, front);
        unit.unwrap_or_else(|| texts.parse_into(program, front))
    };
    let second = load_with(texts, target, front, system);
    if second.program.is_ok() { second } else { first }
}

fn load_with<'a>(
    texts: &mut [Opened<'a>],
    target: Target,
    front: &howler_front::Options,
    read: impl Fn(&mut Texts<'a>, &mut Program, &howler_front::Options) -> Unit,
) -> Loaded {
    let mut program = SPARE.take().map_or_else(|| Program::new(target), |old| old.recycled(target));
    let mut units = Vec::new();
    for text in texts {
        units.push(match text {
            Opened::Preprocessed { name, text } => {
                read_preprocessed(&mut program, name, Arc::clone(text), front)
            }
            Opened::Texts(texts) => read(texts, &mut program, front),
        });
    }
    let diagnostics: Vec<Diagnostic> =
        units.iter().flat_map(|unit| unit.diagnostics.iter().cloned()).collect();
    let refusal = refusal(&diagnostics, &program).or_else(|| refusal(&link::link(&mut program), &program));
    Loaded { program: refusal.map_or(Ok(program), Err), units }
}

/// Why a program with these diagnostics is none, or none that we can read.
fn refusal(diagnostics: &[Diagnostic], program: &Program) -> Option<Verdict> {
    let worst = diagnostics.iter().map(|diagnostic| diagnostic.severity).max()?;
    let first = diagnostics.iter().find(|diagnostic| diagnostic.severity == worst)?;
    let text = || diag::render(first, &program.sources, false);
    match worst {
        Severity::Error => Some(Verdict::Rejected(text())),
        Severity::Unsupported => Some(Verdict::Unsupported(first.message.clone())),
        Severity::Warning | Severity::Note => None,
    }
}

/// Texts for compilers from preprocessed texts, each with whether the system's headers are in it.
fn prepare(case: &Case, texts: impl Iterator<Item = (Arc<str>, bool)>) -> Prepared {
    let mut prepared = Prepared { files: Vec::new(), system_headers: false };
    for (file, (text, system_headers)) in case.files.iter().zip(texts) {
        let stem = file.name.rsplit_once('.').map_or(file.name.as_str(), |(stem, _)| stem);
        let text = for_compilers(&text).into_bytes();
        prepared.files.push(File { name: format!("{stem}.i"), text });
        prepared.system_headers |= system_headers;
    }
    prepared
}

/// Judges a linked program by the standard; caveats are left to be looked at.
fn judge_meaning(program: &Program, input: &CaseInput, options: &Options) -> Judged {
    let limits = Limits { letter: false, ..options.limits };
    let arguments: Vec<Vec<u8>> =
        input.arguments.iter().map(|argument| argument.clone().into_bytes()).collect();
    let input = MachineInput { bytes: &input.stdin, arguments: &arguments };
    let how = JudgeOptions { input, limits, runs: options.runs, ..JudgeOptions::default() };
    let judged = machine::judge(program, &how);
    let steps = judged.runs.iter().map(|run| run.steps).max().unwrap_or(0);
    let at = |pos: Pos| {
        program
            .sources
            .locate(pos)
            .map_or(String::new(), |at| format!("{}:{}:{}: ", at.file, at.line, at.column))
    };
    let mut caveats = Vec::new();
    let verdict = match judged.judgement {
        Judgement::Defined { behaviour, caveats: found } => {
            caveats.extend(found.into_iter().map(|(caveat, _)| caveat));
            Verdict::Defined(behaviour)
        }
        Judgement::Undefined(ub) => {
            let detail = if ub.detail.is_empty() { String::new() } else { format!(": {}", ub.detail) };
            let text = format!("{}{}{detail} ({})", at(ub.pos), ub.message, ub.rule());
            Verdict::Undefined { code: ub.kind.code(), text }
        }
        Judgement::Unsupported(what) => Verdict::Unsupported(what.what),
        Judgement::Unspecified { on, pos } => Verdict::Unspecified(format!("{}{}", at(pos), on.message())),
        Judgement::Unfinished(limit) => Verdict::Unfinished(limit),
        Judgement::BadProgram(why) => Verdict::Rejected(why),
    };
    let fixed =
        matches!(&verdict, Verdict::Defined(Behaviour { trace: Some(trace), .. }) if !trace.is_empty());
    let traced = if fixed { trace::traced(program) } else { Vec::new() };
    Judged { verdict, steps, traced, caveats }
}
