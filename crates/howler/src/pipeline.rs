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
        Input::Text { name: if file == Path::new("-") { "<stdin>" } else { &name }, text: &text }
    } else {
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
