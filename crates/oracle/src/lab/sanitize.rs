//! Sanitizers: a witness where the machine is silent, and a second one where it speaks. Their silence proves nothing; what
//! they say counts against a suspicion.

use std::time::Duration;

use howler_case::Case;
use howler_lang::target::Target;
use howler_toolchain::build::Way;
use howler_toolchain::compiler::Family;
use howler_toolchain::guard::{Finished, Guard, Limits};

use crate::classify::{Compiled, Stage};
use crate::lab::build::{self, Built, Folder};
use crate::lab::{Configuration, LabError};
use crate::steady::steady;

/// What a program under sanitizers did.
pub(super) struct Sanitized {
    /// The compiler that built it.
    pub(super) compiler: String,
    /// The run; none if it could not be built.
    pub(super) run: Option<Finished>,
}

impl Sanitized {
    /// Whether the sanitizers found nothing.
    pub(super) fn is_silent(&self) -> bool {
        self.run.as_ref().is_some_and(|run| {
            let said = String::from_utf8_lossy(&run.stderr);
            run.why.is_none() && !said.contains("runtime error:") && !said.contains("Sanitizer")
        })
    }
}

impl Sanitized {
    /// Whether they found something, rather than failing to look.
    pub(super) fn objects(&self) -> bool {
        self.run.as_ref().is_some_and(|run| {
            let said = String::from_utf8_lossy(&run.stderr);
            said.contains("runtime error:") || said.contains("ERROR: AddressSanitizer")
        })
    }
}

/// Whether every compiler that has sanitizers is silent about the program, and there is one.
pub(super) fn is_clean(
    guard: &mut Guard,
    case: &Case,
    configurations: &[Configuration],
    folders: &[Folder],
) -> Result<bool, LabError> {
    let mut any = false;
    for family in [Family::Gcc, Family::Clang] {
        let of_family = |(known, _): &(&Configuration, &Folder)| known.configured.compiler.family == family;
        let Some((configuration, folder)) = configurations.iter().zip(folders).find(of_family) else {
            continue;
        };
        let sanitized = run(guard, case, configuration, folder)?;
        if sanitized.run.is_some() {
            any = true;
            if !sanitized.is_silent() {
                return Ok(false);
            }
        }
    }
    Ok(any)
}

/// Builds with the compiler of a configuration, sanitizers on, and runs.
pub(super) fn run(
    guard: &mut Guard,
    case: &Case,
    configuration: &Configuration,
    folder: &Folder,
) -> Result<Sanitized, LabError> {
    let mut watched = configuration.clone();
    let machine = |flag: &String| flag.starts_with("-m") || flag.starts_with("-funsigned-char");
    watched.configured.flags.retain(machine);
    let flags = ["-g", "-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"];
    watched.configured.flags.extend(flags.map(str::to_owned));
    let compiler = watched.configured.compiler.name.clone();
    let args = build::arguments(&watched, case, &folder.files, "sanitized");
    // Sanitizers reserve terabytes of addresses; memory is watched.
    let limits = Limits {
        wall: Duration::from_secs(60),
        cpu: Duration::from_secs(60),
        address_space: None,
        ..Limits::default()
    };
    let built = Built {
        made: true,
        compiled: Compiled::Built,
        stage: Stage::Driver,
        way: Way::Plain,
        program: folder.path.join("sanitized"),
        loaded: None,
        code: None,
        cpu: Duration::ZERO,
    };
    let compile = build::compile_job(&watched, &args, &folder.path, &limits);
    let mut run = build::run_job(case.input(), &watched, &built, &limits);
    run.dir.clone_from(&folder.path);
    let finished = guard.chain(&[compile, run])?;
    let run = if finished.len() == 2 { finished.into_iter().nth(1) } else { None };
    Ok(Sanitized { compiler, run })
}

/// One line about what the sanitizers of a compiler say.
pub(super) fn note(sanitized: &Sanitized, target: Target) -> String {
    let who = format!("{} -fsanitize=undefined,address ({})", sanitized.compiler, target.name());
    match &sanitized.run {
        None => format!("{who}: could not be built"),
        Some(_) if sanitized.is_silent() => format!("{who}: silent"),
        Some(run) => {
            let said = steady(&run.stderr);
            let said = String::from_utf8_lossy(&said);
            let line = said
                .lines()
                .find(|line| line.contains("error") || line.contains("ERROR"))
                .unwrap_or("stopped");
            format!("{who}: {}", line.trim())
        }
    }
}
