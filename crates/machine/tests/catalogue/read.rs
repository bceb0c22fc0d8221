//! A section of the catalogue as a program for the machine, and the limits of its runs.

use super::Section;
use howler_lang::diag::Severity;
use howler_lang::program::Program;
use howler_lang::target::{Arch, Compiler, Std, Target};
use howler_machine::Limits;
use howler_toolchain::preprocess::{Headers, Input, PreprocessOptions, Preprocessor, preprocess};

/// Small limits: programs that reach them are there to reach them.
pub fn limits(section: &Section) -> Limits {
    let (wrapv, letter) = (section.wrapv, section.letter);
    let contract = true;
    Limits {
        steps: 3_000_000,
        memory: 64 << 20,
        output: 1 << 20,
        wrapv,
        letter,
        contract,
        ..Limits::default()
    }
}

/// Whose meaning counts.
pub fn target(section: &Section) -> Target {
    Target {
        compiler: if section.clang { Compiler::Clang } else { Compiler::Gcc },
        arch: if section.i386 { Arch::I386 } else { Arch::X86_64 },
        std: Std::parse(&section.std).expect("a known standard"),
        ..Target::X86_64_GCC
    }
}

/// Reads and links; the error is why it is refused.
pub fn program(preprocessor: &Preprocessor, section: &Section) -> Result<Program, String> {
    let target = target(section);
    let mut program = Program::new(target);
    for (name, text) in &section.files {
        let options = PreprocessOptions {
            target,
            defines: Vec::new(),
            include_dirs: Vec::new(),
            headers: Headers::Ours,
        };
        let text = preprocess(preprocessor, Input::Text { name, text }, &options)
            .map_err(|error| error.to_string())?;
        let options = howler_front::Options { pedantic_errors: false };
        let report = howler_front::parse(&mut program, name, text.text.into(), &options);
        if let Some(diagnostic) =
            report.diagnostics.iter().find(|said| said.severity >= Severity::Unsupported)
        {
            return Err(diagnostic.message.clone());
        }
    }
    let said = howler_lang::link::link(&mut program);
    match said.iter().find(|said| said.severity >= Severity::Unsupported) {
        Some(diagnostic) => Err(diagnostic.message.clone()),
        None => Ok(program),
    }
}
