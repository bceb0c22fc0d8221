//! The whole work on a failing test: read it if the front end can, the passes on the typed program, then those on text.

use std::sync::Arc;

use howler_case::{File, Input};
use howler_front::{Options, parse};
use howler_lang::diag::{self, Severity};
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_oracle::read::Texts;
use howler_toolchain::preprocess::{Headers, Input as Source, PreprocessOptions, Preprocessor};

use crate::edits::{Variant, Without};
use crate::engine::{self, Answer, Cache, End, Event, Limits, Measures, Size};
use crate::files::{Ask, Files, OfFiles};
use crate::text::{self, Text, measure};
use crate::typed::{self, Candidate, Subject, Typed};

/// What is known of the test.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// Its files.
    pub files: &'a [File],
    /// What its text means: none if it is only text.
    pub target: Option<Target>,
    /// What the program is run with.
    pub input: &'a Input,
    /// Whether it has to be run to see what is wrong: a compiler that crashes does not care what the program does.
    pub runs: bool,
    /// Reads files that have directives.
    pub preprocessor: &'a Preprocessor,
    /// What the files were made of, if that is known.
    pub made_of: Option<MadeOf<'a>>,
    /// Whether the passes on text are at work even where those on the program were. They find what is left here and there,
    /// and take one bug for another more easily: who goes by what is left does without them.
    pub text_too: bool,
}

/// A seed, and the edits that made the test of it.
#[derive(Clone, Copy)]
pub struct MadeOf<'a> {
    /// The seed: a file for each of the test's.
    pub seed: &'a [File],
    /// The edits, in the text form of what replays them.
    pub edits: &'a [String],
}

/// What happens, as it happens.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A pass begins.
    Pass(&'static str),
    /// So many tests were made.
    Tested(u64),
    /// These files are the best so far.
    Better(&'a [File], Size),
    /// Something to know: why the typed passes are not at work.
    Note(&'a str),
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The smallest files that still do it.
    pub files: Vec<File>,
    /// Their size before.
    pub before: Size,
    /// And now.
    pub size: Size,
    /// How it ended.
    pub end: End,
    /// The edits that matter, of those that made the test, each with its place in their list.
    pub edits: Vec<(usize, String)>,
    /// Whether the program was read, so that the passes on it were at work.
    pub typed: bool,
    /// What was measured.
    pub measures: Vec<(&'static str, Measures)>,
}

/// Why there was nothing to reduce.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The test does not say yes to the files as they are.
    NotInteresting,
    /// It was stopped before it said anything.
    Stopped,
    /// It cannot be asked.
    Broken(String),
}

/// Makes files as small as possible while what is asked about them stays true. One who asks for each worker, at least one.
pub fn reduce<A: Ask>(
    given: Given<'_>,
    asking: &mut [A],
    limits: &Limits<'_>,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Outcome, Refused> {
    let mut outcome = search(given, asking, limits, watch)?;
    if outcome.size.tokens > outcome.before.tokens {
        // As Howler prints it, it has more words, and there was no time to find those that can go.
        (outcome.files, outcome.size) = (given.files.to_vec(), outcome.before);
    }
    Ok(outcome)
}

fn search<A: Ask>(
    given: Given<'_>,
    asking: &mut [A],
    limits: &Limits<'_>,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Outcome, Refused> {
    let (before, _) = measure(given.files);
    match asking[0].ask(given.files) {
        Answer::Yes => {}
        Answer::No => return Err(Refused::NotInteresting),
        Answer::Stopped => return Err(Refused::Stopped),
        Answer::Broken(why) => return Err(Refused::Broken(why)),
    }
    let mut outcome = Outcome {
        files: given.files.to_vec(),
        before,
        size: before,
        end: End::Finished,
        edits: Vec::new(),
        typed: false,
        measures: Vec::new(),
    };
    let mut cache = Cache::default();
    let start = std::time::Instant::now();
    let left = |limits: &Limits<'_>| limits.time.map(|time| time.saturating_sub(start.elapsed()));
    if let Some(made_of) = given.made_of {
        on_edits(&given, made_of, &mut outcome, (&mut *asking, limits, &mut cache), watch);
        if outcome.end != End::Finished {
            return Ok(outcome);
        }
    }
    let files = outcome.files.clone();
    let given = Given { files: &files, ..given };
    let rest = Limits { time: left(limits), ..*limits };
    match read(&given) {
        Ok(read) => on_program(&given, read.program, &mut outcome, (&mut *asking, &rest, &mut cache), watch),
        Err(why) => watch(Progress::Note(&format!("only its text is worked on: {why}"))),
    }
    if outcome.typed && !given.text_too {
        return Ok(outcome);
    }
    if outcome.end == End::Finished {
        let limits = Limits { time: left(limits), ..*limits };
        let remarks = match outcome.typed {
            true => read(&Given { files: &outcome.files, ..given }).ok().map(|read| read.remarks),
            false => None,
        };
        // What was a sound program stays one, whatever a compiler or a script would let pass.
        let mut sound: Vec<Sound<'_, A>> =
            asking.iter_mut().map(|asking| Sound { asking, given, most: remarks }).collect();
        on_text(&mut outcome, (&mut sound, &limits, &mut cache), watch);
    }
    if outcome.typed && outcome.end == End::Finished {
        // What the passes on text made may be written better, and may now be smaller still.
        let (files, size) = (outcome.files.clone(), outcome.size);
        if let Ok(read) = read(&Given { files: &files, ..given }) {
            let given = Given { files: &files, ..given };
            let limits = Limits { time: left(limits), ..*limits };
            on_program(&given, read.program, &mut outcome, (asking, &limits, &mut cache), watch);
        }
        if outcome.size.tokens > size.tokens {
            // What was written in fewer words is not written in more again.
            (outcome.files, outcome.size) = (files, size);
            watch(Progress::Better(&outcome.files, size));
        }
    }
    Ok(outcome)
}

/// The edits that the program was made by.
fn on_edits<A: Ask>(
    given: &Given<'_>,
    made_of: MadeOf<'_>,
    outcome: &mut Outcome,
    (asking, limits, cache): Means<'_, A>,
    watch: &mut dyn FnMut(Progress<'_>),
) {
    let names: Vec<String> = given.files.iter().map(|file| file.name.clone()).collect();
    let seed = read(&Given { files: made_of.seed, ..*given });
    let variant = match seed.and_then(|seed| Variant::new(seed.program, made_of.edits, names)) {
        Ok(variant) => variant,
        Err(why) => return watch(Progress::Note(&format!("its edits stay as they are: {why}"))),
    };
    match asking[0].ask(variant.files()) {
        Answer::Yes => {}
        Answer::No => {
            return watch(Progress::Note("its edits stay as they are: replayed, it is not the same"));
        }
        Answer::Stopped => return outcome.end = End::Stopped,
        Answer::Broken(why) => return outcome.end = End::Broken(why),
    }
    // How many tokens are few enough is no number of edits.
    let limits = Limits { tokens: 0, ..*limits };
    let best = run("edits", variant, (&[&Without], (asking, &limits, cache)), outcome, watch);
    if outcome.end == End::SmallEnough {
        outcome.end = End::Finished;
    }
    outcome.edits = best.edits();
    (outcome.size, _) = measure(&outcome.files);
}

/// The passes on the typed program, if the program is still what it has to be when it is printed.
fn on_program<A: Ask>(
    given: &Given<'_>,
    program: Program,
    outcome: &mut Outcome,
    (asking, limits, cache): Means<'_, A>,
    watch: &mut dyn FnMut(Progress<'_>),
) {
    let names: Vec<String> = given.files.iter().map(|file| file.name.clone()).collect();
    let mut subject = Subject::new(program, given.input.clone());
    if !given.runs {
        subject = subject.only_compiled();
    }
    let candidate = Candidate::new(subject, &names);
    match asking[0].ask(candidate.files()) {
        Answer::Yes => {}
        Answer::No => {
            return watch(Progress::Note(
                "only its text is worked on: as Howler prints it, it is not the same",
            ));
        }
        Answer::Stopped => return outcome.end = End::Stopped,
        Answer::Broken(why) => return outcome.end = End::Broken(why),
    }
    outcome.typed = true;
    let passes: Vec<Typed> = typed::PASSES.iter().map(|&pass| Typed(pass)).collect();
    let passes: Vec<&dyn engine::Pass<Candidate, typed::Site>> =
        passes.iter().map(|pass| pass as &dyn engine::Pass<_, _>).collect();
    let _ = run("program", candidate, (&passes, (asking, limits, cache)), outcome, watch);
}

/// The passes on text.
fn on_text<A: Ask>(
    outcome: &mut Outcome,
    (asking, limits, cache): Means<'_, A>,
    watch: &mut dyn FnMut(Progress<'_>),
) {
    let text = Text::new(&outcome.files);
    if text.files() != outcome.files {
        match asking[0].ask(text.files()) {
            Answer::Yes => {}
            Answer::No => return,
            Answer::Stopped => return outcome.end = End::Stopped,
            Answer::Broken(why) => return outcome.end = End::Broken(why),
        }
    }
    let _ = run("text", text, (text::PASSES, (asking, limits, cache)), outcome, watch);
}

/// Those who ask, how long to work, and what was asked before.
type Means<'a, A> = (&'a mut [A], &'a Limits<'a>, &'a mut Cache);
type Work<'a, S, P, A> = (&'a [&'a dyn engine::Pass<S, P>], Means<'a, A>);

fn run<S: Files, P: engine::Proposal, A: Ask>(
    stage: &'static str,
    subject: S,
    (passes, (asking, limits, cache)): Work<'_, S, P, A>,
    outcome: &mut Outcome,
    watch: &mut dyn FnMut(Progress<'_>),
) -> S {
    let tests: u64 = outcome.measures.iter().map(|(_, measures)| measures.tests).sum();
    let mut workers: Vec<OfFiles<'_, A>> = asking.iter_mut().map(OfFiles).collect();
    let mut hear = |event: Event<'_, S>| match event {
        Event::Pass(name) => watch(Progress::Pass(name)),
        Event::Tested(more) => watch(Progress::Tested(tests + more)),
        Event::Better(best, _) => watch(Progress::Better(best.files(), measure(best.files()).0)),
    };
    let limits = Limits { tests: limits.tests.map(|most| most.saturating_sub(tests)), ..*limits };
    let reduced = engine::reduce_with(cache, subject, (passes, &mut workers, &limits), &mut hear);
    outcome.files = reduced.best.files().to_vec();
    outcome.size = reduced.best.size();
    outcome.end = reduced.end;
    outcome.measures.push((stage, reduced.measures));
    reduced.best
}

/// Asks about what the front end takes with no more remarks than this; about anything if there is no such number.
struct Sound<'a, A> {
    asking: &'a mut A,
    given: Given<'a>,
    most: Option<usize>,
}

impl<A: Ask> Ask for Sound<'_, A> {
    fn ask(&mut self, files: &[File]) -> Answer {
        if let Some(most) = self.most
            && !read(&Given { files, ..self.given }).is_ok_and(|read| read.remarks <= most)
        {
            return Answer::No;
        }
        self.asking.ask(files)
    }
}

/// What the front end made of files.
struct Read {
    program: Program,
    /// How many warnings there were.
    remarks: usize,
}

/// The files as a program, or why they are none.
fn read(given: &Given<'_>) -> Result<Read, String> {
    let Some(target) = given.target else {
        return Err("what it means to the compiler is not modelled".into());
    };
    let (mut program, mut remarks) = (Program::new(target), 0);
    for file in given.files {
        let text = String::from_utf8(file.text.clone()).map_err(|_| format!("{} is not UTF-8", file.name))?;
        let options = PreprocessOptions {
            target,
            defines: Vec::new(),
            include_dirs: Vec::new(),
            headers: Headers::OursThenSystem,
        };
        let diagnostics = if text.contains('#') && !file.name.ends_with(".i") {
            let input = Source::Text { name: &file.name, text: &text };
            let texts = Texts::new(given.preprocessor, input, options);
            let mut texts = texts.map_err(|error| error.to_string())?;
            texts.parse_into(&mut program, &Options::default()).diagnostics
        } else {
            parse(&mut program, &file.name, Arc::from(text), &Options::default()).diagnostics
        };
        if let Some(first) = diagnostics.iter().find(|said| said.severity >= Severity::Unsupported) {
            return Err(diag::render(first, &program.sources, false).trim_end().to_owned());
        }
        remarks += diagnostics.iter().filter(|said| said.severity == Severity::Warning).count();
    }
    Ok(Read { program, remarks })
}
