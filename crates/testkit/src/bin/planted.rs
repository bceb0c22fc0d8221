//! `planted planted-cc FAULT ARGS…` is a C compiler with a fault planted in it; `planted list` lists the faults;
//! `planted measure N MINUTES` counts on how many of N Csmith programs, or as many as that time allows, each shows: for
//! `docs/evidence/planted.md`.

use howler_testkit::planted::{self, Compile, Fault};
use howler_testkit::{Options, Output, Scratch, corpus, run};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A program is used if it ends within a second of CPU time without any fault, and hangs if it does not with one. On a
/// busy machine the wall clock would count slow programs as faulty ones.
const LIMIT: &str = "ulimit -c 0; ulimit -t 1";
/// How the programs are compiled, and what each column is called.
const COLUMNS: [(&str, &str, bool); 4] =
    [("-O0", "0", false), ("-O2", "2", false), ("-O3", "3", false), ("-m32 -O2", "2", true)];

fn main() -> ExitCode {
    planted::main_if_asked();
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["list"] => list(),
        ["measure", count, minutes] => {
            let (Ok(count), Ok(minutes)) = (count.parse(), minutes.parse::<u64>()) else { return usage() };
            measure(count, Duration::from_secs(60 * minutes));
        }
        _ => return usage(),
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("planted list\nplanted measure N MINUTES\nplanted planted-cc FAULT [--real gcc-12] ARGS…");
    ExitCode::from(2)
}

fn list() {
    for fault in planted::faults() {
        println!("{:22} {:28} {}", fault.name, kinds(fault), fault.about);
    }
}

fn kinds(fault: &Fault) -> String {
    fault.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" ")
}

/// For one fault and one column.
#[derive(Clone, Copy, Default)]
struct Count {
    /// How many programs its conditions hold for and, for edits, that were edited.
    acted: usize,
    /// How many of these behaved differently.
    shown: usize,
}

/// For each fault, for each column.
type Counts = Vec<[Count; COLUMNS.len()]>;

fn measure(wanted: usize, time: Duration) {
    let start = Instant::now();
    let Some(folder) = corpus("csmith/default") else { return };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "c"));
    files.sort();
    let counts: Mutex<Counts> = Mutex::new(vec![Default::default(); planted::faults().len()]);
    let (next, used) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let work = || {
            let scratch = Scratch::new();
            while used.load(Ordering::Relaxed) < wanted && start.elapsed() < time {
                let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                let Some(seen) = one(file, &scratch) else { continue };
                let mut counts = counts.lock().expect("no thread panics with it");
                // Two threads may end at the same time: no program too many.
                let number = used.fetch_add(1, Ordering::Relaxed);
                if number >= wanted {
                    return;
                }
                eprint!("\r{} of {wanted}", number + 1);
                for (all, seen) in counts.iter_mut().flatten().zip(seen.iter().flatten()) {
                    all.acted += seen.acted;
                    all.shown += seen.shown;
                }
            }
        };
        (0..2).for_each(|_| drop(scope.spawn(work)));
    });
    eprint!("\n{} files looked at", next.into_inner().min(files.len()));
    let used = used.into_inner().min(wanted);
    table(used, &counts.into_inner().expect("no thread panics with it"));
}

fn table(used: usize, counts: &Counts) {
    eprintln!();
    println!("{used} programs; edited or acted on / shown\n");
    println!("| fault | kind | levels | only | {} |", COLUMNS.map(|(name, ..)| name).join(" | "));
    println!("|---|---|---|---|{}", "--:|".repeat(COLUMNS.len()));
    for (fault, counts) in planted::faults().iter().zip(counts) {
        let conditions = fault.conditions().replace('|', "\\|");
        print!("| {} | {} | {} | {conditions} |", fault.name, kinds(fault), fault.levels());
        for (column, count) in counts.iter().enumerate() {
            match () {
                () if !measured(fault, column) => print!(" |"),
                () if fault.edits() => print!(" {} / {} |", count.acted, count.shown),
                () => print!(" {} |", count.acted),
            }
        }
        println!();
    }
}

/// The columns beyond -O0 and -O2 are for the faults that cannot show there.
fn measured(fault: &Fault, column: usize) -> bool {
    match COLUMNS[column].0 {
        "-O3" => fault.levels() == "3",
        "-m32 -O2" => ["adc-to-add", "sbb-to-sub"].contains(&fault.name.as_str()),
        // It is another fault at random.
        _ => fault.name != "flaky-xor",
    }
}

/// Compiles one program, plants each fault, and looks; nothing if the program is not used.
fn one(file: &Path, scratch: &Scratch) -> Option<Counts> {
    let source = std::fs::read_to_string(file).ok()?;
    let mut counts: Counts = vec![Default::default(); planted::faults().len()];
    let mut expected: Option<Output> = None;
    for (column, (flags, level, m32)) in COLUMNS.into_iter().enumerate() {
        let assembly = assembly(file, flags, scratch)?;
        let right = behaviour(&assembly, m32, scratch).filter(Output::success)?;
        // A difference between the levels would be gcc's bug or the program's, and none of the planted ones.
        if !m32 && expected.get_or_insert_with(|| right.clone()) != &right {
            return None;
        }
        let compile = Compile { level, m32, source: Some(&source) };
        for (fault, counts) in planted::faults().iter().zip(&mut counts) {
            // Zero makes a fault act that acts now and then.
            if !measured(fault, column) || fault.acts(&compile, 0).is_none() {
                continue;
            }
            let edited = fault.edit(&assembly);
            counts[column].acted += usize::from(!fault.edits() || edited.applied > 0);
            if edited.applied > 0 {
                let seen = behaviour(&edited.text, m32, scratch);
                counts[column].shown += usize::from(seen.as_ref() != Some(&right));
            }
        }
    }
    Some(counts)
}

fn assembly(file: &Path, flags: &str, scratch: &Scratch) -> Option<String> {
    let output = scratch.path("right.s");
    let mut args: Vec<&str> = vec!["-w", "-I/usr/include/csmith", "-S", "-o", output.to_str()?];
    args.extend(flags.split(' '));
    args.push(file.to_str()?);
    run("gcc-12", args, &Options::default()).success().then_some(())?;
    std::fs::read_to_string(output).ok()
}

/// Assembles, links and runs.
fn behaviour(assembly: &str, m32: bool, scratch: &Scratch) -> Option<Output> {
    let text = scratch.write("a.s", assembly);
    let program = scratch.path("a");
    let bits = if m32 { "-m32" } else { "-m64" };
    let built = run("gcc-12", [bits, text.to_str()?, "-o", program.to_str()?], &Options::default());
    if !built.success() {
        eprintln!("\n{}", built.stderr_text());
        return None;
    }
    let limited = format!("{LIMIT}; exec {}", program.display());
    Some(run("sh", ["-c", &limited], &Options { keep: 1 << 20, ..Options::default() }))
}
