//! From a file to a unit of a typed program: what is a file, a stream or preprocessed already is decided here, the
//! rest in `oracle::read`.

use std::path::{Path, PathBuf};

use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_oracle::read::{Texts, Unit, mixes_headers, read_preprocessed};
use howler_toolchain::preprocess::{
    Input, PreprocessError, PreprocessOptions, Preprocessor, is_stream, read_text,
};

use crate::Status;
use crate::check;
use crate::options::Preprocessing;

/// Whether a file is taken as it is.
pub fn is_preprocessed(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "i")
}

/// The preprocessor for these files; none if they need none.
pub fn preprocessor(
    files: &[PathBuf],
    options: &Preprocessing,
) -> Result<Option<Preprocessor>, PreprocessError> {
    if files.iter().all(|file| is_preprocessed(file)) {
        return Ok(None);
    }
    let mut preprocessor = Preprocessor::find(options.cc.as_deref())?;
    preprocessor.undefines = options.undefines.clone();
    Ok(Some(preprocessor))
}

/// Larger files are not read a second time for the sake of messages.
const LARGEST_SHOWN: u64 = 16 << 20;

/// Reads a file into the program. The preprocessor may be left out if [`is_preprocessed`].
pub fn read(
    program: &mut Program,
    preprocessor: Option<&Preprocessor>,
    file: &Path,
    options: &Preprocessing,
    front: &howler_front::Options,
) -> Result<Unit, PreprocessError> {
    let name = file.display().to_string();
    if is_preprocessed(file) {
        return Ok(read_preprocessed(program, &name, read_text(file)?.into(), front));
    }
    let preprocessor = preprocessor.ok_or(PreprocessError::NoCompiler)?;
    let text;
    let input = if is_stream(file) {
        text = read_text(file)?;
        let name = if file == Path::new("-") { "<stdin>" } else { &name };
        program.sources.add_original(name, text.as_str().into());
        Input::Text { name, text: &text }
    } else {
        // Only for messages: whether it can be read is the preprocessor's business.
        let small = file.metadata().is_ok_and(|data| data.len() < LARGEST_SHOWN);
        if let Some(text) = small.then(|| read_text(file).ok()).flatten() {
            program.sources.add_original(&name, text.into());
        }
        Input::File(file)
    };
    let preprocessing = PreprocessOptions {
        target: program.target,
        defines: options.defines.clone(),
        include_dirs: options.include_dirs.clone(),
        headers: options.headers.choice(),
    };
    Ok(Texts::new(preprocessor, input, preprocessing)?.parse_into(program, front))
}

/// Reads the files of one program, all with the system's headers if some cannot do without and none was asked for.
pub fn read_all(
    target: Target,
    files: &[PathBuf],
    options: &Preprocessing,
    front: &howler_front::Options,
) -> Result<(Program, Vec<Unit>), PreprocessError> {
    let preprocessor = preprocessor(files, options)?;
    let read_with = |options: &Preprocessing| -> Result<(Program, Vec<Unit>), PreprocessError> {
        let mut program = Program::new(target);
        let mut units = Vec::new();
        for file in files {
            units.push(read(&mut program, preprocessor.as_ref(), file, options, front)?);
        }
        Ok((program, units))
    };
    let first = read_with(options)?;
    // A stream cannot be read twice.
    if mixes_headers(first.1.iter().map(|unit| unit.system_headers))
        && !files.iter().any(|file| is_stream(file))
    {
        let system = options.with_system_headers();
        let second = read_with(&system);
        if let Ok(second) = second
            && !second.1.iter().any(|unit| check::status_of(&unit.diagnostics) != Status::Fine)
        {
            return Ok(second);
        }
    }
    Ok(first)
}
