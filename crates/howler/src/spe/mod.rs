//! `howler spe`: how many programs use the variables of a program in another way, and which they are.

mod count;
pub mod options;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use howler_case::id::Hasher;
use howler_choices::Choices;
use howler_lang::diag::{self, Severity};
use howler_lang::print::Includes;
use howler_lang::program::Program;
use howler_oracle::read::Unit;
use howler_spe::c::{self, CProgram, Reach};
use howler_spe::sample::Shuffled;
use howler_spe::space::Space;
use howler_spe::template::{Renderer, Template};
use howler_spe::variants::Variants;
use howler_toolchain::interrupt;
use howler_toolchain::preprocess::{PreprocessError, Preprocessor};
use num_bigint::BigUint;
use serde_json::json;

use crate::Status;
use crate::check::{colour, status_of, worst_of};
use crate::generate::comment::harmless;
use crate::generate::files::Files;
use crate::hunt::progress::Progress;
use crate::pipeline;
use crate::show;
use count::Counts;
use options::Spe;

/// Runs the command.
pub fn run(options: &Spe) -> anyhow::Result<Status> {
    let preprocessor = pipeline::preprocessor(&options.files, &options.preprocessing)?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = interrupt::ask_first(stop.clone(), || ()).context("cannot wait for signals")?;
    interrupt::outlive_file_limit().context("cannot wait for signals")?;
    let mut place = Place::open(options)?;
    let mut progress = Progress::after_seconds();
    let mut worst = Status::Fine;
    for file in &options.files {
        if stop.load(Ordering::SeqCst) || !place.is_read {
            break;
        }
        progress.tell(&format!("reading {}", file.display()));
        let (status, source) = Source::read(file, preprocessor.as_ref(), options)?;
        worst = worst_of(worst, status);
        let Some(source) = source else { continue };
        let status = if options.counts() {
            count(&source, options, &mut place, &mut progress)
        } else {
            make(&source, options, &mut place, &stop, &mut progress)
        };
        progress.clear();
        worst = worst_of(worst, status.inspect_err(|_| progress.clear())?);
    }
    progress.clear();
    if let Some(code) = asked.status() {
        if place.made > 0 {
            show::to_stderr(format!("howler: stopped after {}\n", programs(place.made)).as_bytes())?;
        }
        return Ok(Status::Interrupted(code));
    }
    place.close()?;
    Ok(worst)
}

/// `1 program`, `2 programs`.
fn programs(count: u64) -> String {
    format!("{count} program{}", if count == 1 { "" } else { "s" })
}

/// A file that was read.
struct Source {
    file: PathBuf,
    program: Program,
    unit: usize,
    includes: Includes,
    /// What its `#include` lines need in front of them.
    head: String,
}

impl Source {
    /// Reads a file, and says what is wrong with it. None if something is.
    fn read(
        file: &Path,
        preprocessor: Option<&Preprocessor>,
        options: &Spe,
    ) -> anyhow::Result<(Status, Option<Source>)> {
        let mut program = Program::new(options.language.target());
        let front = howler_front::Options { pedantic_errors: false };
        let read = pipeline::read(&mut program, preprocessor, file, &options.preprocessing, &front);
        let unit = match read {
            Ok(unit) => unit,
            Err(error) => {
                // As `howler check` has it: a text that the preprocessor refuses is a wrong text.
                let refused = matches!(error, PreprocessError::Refused { .. });
                let whose = if refused { "" } else { "howler: " };
                show::to_stderr(format!("{whose}{error}\n").as_bytes())?;
                return Ok((if refused { Status::Found } else { Status::Failed }, None));
            }
        };
        let status = status_of(&unit.diagnostics);
        let mut messages = String::new();
        for diagnostic in unit.diagnostics.iter().filter(|one| one.severity >= Severity::Unsupported) {
            messages += &diag::render(diagnostic, &program.sources, colour());
        }
        show::to_stderr(messages.as_bytes())?;
        let (Status::Fine, Some(index)) = (status, unit.unit) else { return Ok((status, None)) };
        let includes = if unit.undefines { Includes::Expand } else { Includes::Keep };
        let head = head(&unit);
        Ok((Status::Fine, Some(Source { file: file.to_owned(), program, unit: index, includes, head })))
    }

    fn template(&self, options: &Spe, reach: Reach) -> CProgram {
        let reading = c::Options { includes: self.includes, ..options.reading(reach) };
        CProgram::new(&self.program, self.unit, reading)
    }
}

fn head(unit: &Unit) -> String {
    unit.feature_macros.iter().map(|definition| format!("{definition}\n")).collect()
}

/// Says how many there are.
fn count(
    source: &Source,
    options: &Spe,
    place: &mut Place<'_>,
    progress: &mut Progress,
) -> anyhow::Result<Status> {
    progress.tell(&format!("counting {}", source.file.display()));
    let counts = Counts::new(|reach| source.template(options, reach));
    progress.clear();
    let text = if options.json {
        format!("{}\n", counts.json(&source.file, options))
    } else {
        counts.text(&source.file, options)
    };
    place.is_read = show::to_reader(text.as_bytes())?;
    Ok(if counts.is_whole(options) { Status::Fine } else { Status::Refused })
}

/// Makes what was asked for.
fn make(
    source: &Source,
    options: &Spe,
    place: &mut Place<'_>,
    stop: &AtomicBool,
    progress: &mut Progress,
) -> anyhow::Result<Status> {
    let file = source.file.display();
    let template = source.template(options, Reach::Program);
    let space = template.skeleton().ok().and_then(|skeleton| Space::new(skeleton).ok());
    let Some(space) = space else {
        show::to_stderr(format!("howler: {file}: too many variables to count with\n").as_bytes())?;
        return Ok(Status::Refused);
    };
    let count = space.count();
    let fewer = options.sample.is_none() && options.index.is_empty() && *count > options.limit.into();
    if fewer {
        progress.clear();
        let (limit, count) = (options.limit, count::short(count));
        let text = format!("howler: note: {file} has {count} variants: {limit} of them, drawn at random\n");
        show::to_stderr(text.as_bytes())?;
    }
    let sample = options.sample.or(fewer.then_some(options.limit)).filter(|&wanted| *count > wanted.into());
    let head = template.text().lines().any(|line| line.starts_with("#include")).then_some(&source.head);
    let head = head.map_or("", String::as_str);
    let mut put = |index: &BigUint, text: &str, progress: &mut Progress| -> anyhow::Result<bool> {
        place.put(source, index, (head, text)).inspect_err(|_| progress.clear())?;
        if place.made.is_multiple_of(256) && place.files.is_some() {
            progress.tell(&format!("{} written, now of {file}", programs(place.made)));
        }
        Ok(place.is_read && !stop.load(Ordering::SeqCst))
    };
    if let Some(wanted) = sample {
        let mut choices = Choices::new(options.seed).sub("spe");
        let shuffled = Shuffled::new(count.clone(), &mut choices);
        for drawn in (0..wanted).map_while(|place| shuffled.get(&place.into())) {
            let Some(text) = rendered(&template, &space, &drawn) else { break };
            if !put(&drawn, &text, progress)? {
                break;
            }
        }
        return Ok(Status::Fine);
    }
    if !options.index.is_empty() {
        for index in &options.index {
            let Some(text) = rendered(&template, &space, index) else {
                let last = count::short(&(count - 1u32));
                bail!("{file} has no variant {}: the last one is {last}", count::short(index));
            };
            if !put(index, &text, progress)? {
                break;
            }
        }
        return Ok(Status::Fine);
    }
    let mut variants = Variants::new(&space);
    let mut renderer = Renderer::new(&template, variants.filled());
    let mut index = BigUint::ZERO;
    while put(&index, renderer.text(), progress)? && variants.advance() {
        renderer.update(variants.filled(), variants.changed());
        index += 1u32;
    }
    Ok(Status::Fine)
}

/// The text of a variant; none if there is none with this number.
fn rendered(template: &CProgram, space: &Space, index: &BigUint) -> Option<String> {
    let filled = space.unrank(index)?;
    Some(Renderer::new(template, &filled).text().to_owned())
}

/// Where programs go.
struct Place<'a> {
    options: &'a Spe,
    files: Option<Files>,
    made: u64,
    /// Whether anybody still wants more.
    is_read: bool,
    /// Whether names of files need more than the stem of what they were made from.
    ambiguous: bool,
}

impl<'a> Place<'a> {
    fn open(options: &'a Spe) -> anyhow::Result<Place<'a>> {
        let files = options.folder.clone().map(|folder| Files::open(folder, options.force)).transpose()?;
        let stems: BTreeSet<String> = options.files.iter().map(|file| stem(file)).collect();
        let ambiguous = stems.len() < options.files.len();
        Ok(Place { options, files, made: 0, is_read: true, ambiguous })
    }

    fn put(&mut self, source: &Source, index: &BigUint, (head, text): (&str, &str)) -> anyhow::Result<()> {
        let file = source.file.display().to_string();
        let comment = format!("/* variant {index} of {} */\n", harmless(&file));
        let whole = [comment.as_bytes(), head.as_bytes(), text.as_bytes()];
        let path = match &mut self.files {
            Some(files) => {
                let name = name(&source.file, index, self.ambiguous);
                files.put(&name, &[("test.c", whole.concat())], "").map_err(|error| match self.made {
                    0 => error,
                    made => anyhow::anyhow!("{error:#} ({} before it)", programs(made)),
                })?
            }
            None => Vec::new(),
        };
        if self.options.json {
            let mut object = json!({ "file": file, "index": index.to_string() });
            match path.first() {
                Some(path) => object["path"] = path.display().to_string().into(),
                None => object["text"] = String::from_utf8_lossy(&whole.concat()).into(),
            }
            self.is_read = show::to_reader(format!("{object}\n").as_bytes())?;
        } else if path.is_empty() {
            let between: &[u8] = if self.made > 0 { b"\n" } else { b"" };
            self.is_read = show::to_reader(&[between, &whole.concat()].concat())?;
        }
        self.made += 1;
        Ok(())
    }

    fn close(&self) -> anyhow::Result<()> {
        if let (Some(files), false) = (&self.files, self.options.json) {
            let text = format!("{} in {}\n", programs(self.made), files.folder().display());
            show::to_stdout(text.as_bytes())?;
        }
        Ok(())
    }
}

fn stem(file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.filter(|stem| stem != "-").unwrap_or_else(|| "stdin".to_owned())
}

/// Digits of an index that stand in the name of a file: there is a limit to how long names may be.
const MOST_DIGITS: usize = 40;

/// What a variant's file is called, without `.c`.
fn name(file: &Path, index: &BigUint, ambiguous: bool) -> String {
    let mut name = stem(file);
    let hashed = |text: &str| Hasher::new("spe").field(text.as_bytes()).finish().to_string()[..12].to_owned();
    if ambiguous {
        name = format!("{name}-{}", hashed(&file.display().to_string()));
    }
    let digits = index.to_string();
    if digits.len() <= MOST_DIGITS {
        return format!("{name}-{digits}");
    }
    format!("{name}-{}-{}", &digits[..12], hashed(&digits))
}
