//! From a file to a unit of a typed program: what is a file, a stream or preprocessed already is decided here, the
//! rest in `oracle::read`.

use std::path::{Path, PathBuf};

use howler_lang::program::Program;
use howler_oracle::read::{Texts, Unit, read_preprocessed};
use howler_toolchain::preprocess::{
    Input, PreprocessError, PreprocessOptions, Preprocessor, is_stream, read_text,
};

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
