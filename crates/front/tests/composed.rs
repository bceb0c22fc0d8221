//! Whatever is composed is well-formed, prints as strict C that gcc and clang take, and reads back as itself.

#[path = "../../lang/tests/composed/mod.rs"]
mod composed;

use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::print::{self, PrintOptions};
use howler_lang::program::Program;
use howler_lang::target::{Std, Target};
use howler_lang::{dump, verify};
use howler_testkit::{Options as Running, Scratch, run, soak, tool};

fn read(texts: &[String], target: Target, seed: u64) -> Program {
    let mut program = Program::new(target);
    for (name, text) in ["other.c", "test.c"].iter().zip(texts) {
        let report = parse(&mut program, name, text.as_str().into(), &Options::default());
        let bad = report.diagnostics.iter().filter(|one| one.severity >= Severity::Warning);
        let bad: Vec<&str> = bad.map(|one| one.message.as_str()).collect();
        assert_eq!(bad, [""; 0], "seed {seed}\n{text}");
    }
    program
}

#[test]
fn what_is_composed_reads_back_as_itself() {
    for seed in 0..if soak() { 20_000 } else { 600 } {
        let target = Target { std: Std::parse("c17").unwrap(), ..Target::X86_64_GCC };
        let made = composed::program(target, seed);
        assert_eq!(verify::program(&made), [], "seed {seed}");
        let texts = print::program(&made, &PrintOptions::default());
        let again = read(&texts, target, seed);
        assert_eq!(dump::program(&made), dump::program(&again), "seed {seed}\n{}", texts[1]);
        assert_eq!(print::program(&again, &PrintOptions::default()), texts, "seed {seed}");
    }
}

/// `-pedantic-errors` takes attributes, which are all that these programs have of GNU C.
#[test]
fn compilers_take_what_is_composed() {
    let scratch = Scratch::new();
    for name in ["gcc-12", "clang-16"] {
        let Some(compiler) = tool(name) else { continue };
        for seed in 0..if soak() { 5_000 } else { 40 } {
            let std = if seed & 1 == 0 { "c17" } else { "c99" };
            let target = Target { std: Std::parse(std).unwrap(), ..Target::X86_64_GCC };
            let texts = print::program(&composed::program(target, seed), &PrintOptions::default());
            let files = (0..).zip(&texts).map(|(at, text)| scratch.write(&format!("{at}.c"), text));
            // Not with -w, which is stronger.
            let mut args = vec![format!("-std={std}"), "-pedantic-errors".into(), "-fsyntax-only".into()];
            args.extend(files.map(|file| file.display().to_string()));
            let done = run(&compiler, &args, &Running::default());
            assert!(done.success(), "seed {seed}: {name} {std}: {}\n{}", done.stderr_text(), texts[1]);
        }
    }
}
