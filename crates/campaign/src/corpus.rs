//! A folder of C files as a source of tests.
//!
//! The corpus is its files and the headers of the user's that they include: its line has the hash of all their bytes, so
//! that another corpus is another arm, wherever it lies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use howler_case::id::Hasher;
use howler_case::{Case, Id};
use howler_toolchain::preprocess::text_of;

use crate::source::{MAX_FILE, NoCase, Source, Workshop, includes, is_standard, without_includes};

/// A folder of C files.
pub struct Corpus {
    folder: PathBuf,
    include: Vec<PathBuf>,
    name: String,
    files: Vec<Entry>,
    hash: String,
}

/// One file.
struct Entry {
    path: PathBuf,
    id: Id,
    length: u64,
}

impl Corpus {
    /// All `.c` and `.i` files in a folder and below, by name. They include from their own folders, then from `include`.
    pub fn new(folder: &Path, include: Vec<PathBuf>) -> std::io::Result<Corpus> {
        let mut files = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(next) = folders.pop() {
            for entry in std::fs::read_dir(next)? {
                let entry = entry?;
                let kind = entry.file_type()?;
                let path = entry.path();
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file()
                    && path.extension().is_some_and(|extension| extension == "c" || extension == "i")
                    && entry.metadata()?.len() <= MAX_FILE
                {
                    files.push(path);
                }
            }
        }
        files.sort();
        let mut hash = Hasher::new("corpus");
        let mut known = Vec::new();
        let mut headers = BTreeMap::new();
        for file in files {
            let name = file.strip_prefix(folder).unwrap_or(&file);
            let bytes = std::fs::read(&file)?;
            hash.field(name.as_os_str().as_encoded_bytes()).field(&bytes);
            known.push(Entry { path: file.clone(), id: Id::of(&bytes), length: bytes.len() as u64 });
            for header in included(&file, &bytes, &include, &mut headers) {
                hash.field(header.bytes());
            }
        }
        let name = folder.file_name().map_or("corpus".into(), |name| name.to_string_lossy().into_owned());
        let hash = hash.finish().to_string();
        Ok(Corpus { folder: folder.to_owned(), include, name, files: known, hash })
    }
}

/// Headers of one file that are looked at.
const MOST_HEADERS: usize = 1000;

/// What is in a header, and what it includes, as far as that was read already.
type Headers = BTreeMap<PathBuf, Option<(Id, Vec<String>)>>;

/// The user's headers that a text may include, by what is in them, in the order in which they are met. Conditions are
/// not looked at: a header that is not included after all does no harm here.
fn included(file: &Path, text: &[u8], include: &[PathBuf], known: &mut Headers) -> Vec<Id> {
    let mut ids = Vec::new();
    let mut seen = Vec::new();
    let beside = |file: &Path| file.parent().map(Path::to_owned).unwrap_or_default();
    let mut waiting: Vec<(PathBuf, String)> =
        operands(text).into_iter().map(|operand| (beside(file), operand)).collect();
    while let Some((folder, name)) = waiting.pop() {
        let mut places = std::iter::once(&folder).chain(include).map(|place| place.join(&name));
        let Some(path) = places.find(|path| header(path, known).is_some()) else { continue };
        let Some((id, operands)) = header(&path, known) else { continue };
        if seen.len() >= MOST_HEADERS || seen.contains(&path) {
            continue;
        }
        ids.push(*id);
        waiting.extend(operands.iter().map(|operand| (beside(&path), operand.clone())));
        seen.push(path);
    }
    ids
}

/// A header, read once.
fn header<'a>(path: &Path, known: &'a mut Headers) -> Option<&'a (Id, Vec<String>)> {
    let read = || {
        let plain = path.metadata().is_ok_and(|data| data.is_file() && data.len() <= MAX_FILE);
        let bytes = plain.then(|| std::fs::read(path).ok()).flatten()?;
        Some((Id::of(&bytes), operands(&bytes)))
    };
    known.entry(path.to_owned()).or_insert_with(read).as_ref()
}

/// The names that stand in the `#include` lines of a text, without those of headers that Howler has itself.
fn operands(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let name = |operand: &str| {
        let close = match operand.as_bytes().first()? {
            b'"' => '"',
            b'<' if !is_standard(operand) => '>',
            _ => return None,
        };
        operand[1..].split_once(close).map(|(name, _)| name.to_owned())
    };
    includes(&text).filter_map(name).collect()
}

impl Corpus {
    /// The length of each file.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = u64> {
        self.files.iter().map(|file| file.length)
    }

    /// The text of a file, and the folder that it includes from first.
    pub(crate) fn read(&self, index: u64) -> Result<(String, PathBuf), NoCase> {
        let file = usize::try_from(index).ok().and_then(|index| self.files.get(index));
        let file = file.ok_or_else(|| NoCase::Failed("the corpus has no such file".to_owned()))?;
        let text = self.text(&file.path, file.id)?;
        Ok((text, file.path.parent().unwrap_or(&self.folder).to_owned()))
    }

    /// The file of a test, from the corpus's folder.
    pub fn file(&self, index: u64) -> Option<&Path> {
        let file = &self.files.get(usize::try_from(index).ok()?)?.path;
        Some(file.strip_prefix(&self.folder).unwrap_or(file))
    }

    /// The text of a file as it was when the hunt began: a test is a function of the corpus that its line names.
    fn text(&self, file: &Path, id: Id) -> Result<String, NoCase> {
        let failed = |error: &dyn std::fmt::Display| NoCase::Failed(error.to_string());
        let plain = file.symlink_metadata().map_err(|error| failed(&error))?;
        if !plain.is_file() || plain.len() > MAX_FILE {
            return Err(failed(&"it has been replaced since the hunt began"));
        }
        let bytes = std::fs::read(file).map_err(|error| failed(&error))?;
        if Id::of(&bytes) != id {
            return Err(failed(&"it has changed since the hunt began"));
        }
        // A mark of byte order is none of C's characters: not every compiler has to skip it.
        let text = text_of(bytes);
        Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }
}

impl Source for Corpus {
    fn name(&self) -> &str {
        &self.name
    }

    fn line(&self) -> String {
        format!("corpus {} of {} files", self.hash, self.files.len())
    }

    fn version(&self) -> &str {
        &self.hash
    }

    fn title(&self, _seed: u64, index: u64) -> String {
        let file = self.file(index).map(|file| file.display().to_string());
        file.unwrap_or_else(|| format!("{} #{index}", self.name)).replace(char::is_control, " ")
    }

    fn count(&self) -> Option<u64> {
        Some(self.files.len() as u64)
    }

    fn make(&self, shop: &mut Workshop<'_>, index: u64) -> Result<Case, NoCase> {
        let (text, folder) = self.read(index)?;
        let folders = [&[folder][..], &self.include].concat();
        let text = without_includes(shop, &text, &folders);
        let name = self.file(index).and_then(Path::file_name);
        let name = name.map_or("test.c".into(), |name| name.to_string_lossy().into_owned());
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c))
            && !name.starts_with(['.', '-']);
        let name = if plain { name } else { "test.c".to_owned() };
        Ok(Case::new(name, text, shop.recipe.target.std, self.origin(shop.recipe, index)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corpus_is_its_files() {
        let scratch = tempfile::tempdir().unwrap();
        std::fs::create_dir(scratch.path().join("sub")).unwrap();
        for name in ["b.c", "sub/a.c", "notes.txt"] {
            std::fs::write(scratch.path().join(name), name).unwrap();
        }
        let one = Corpus::new(scratch.path(), Vec::new()).unwrap();
        assert_eq!(one.count(), Some(2));
        std::fs::write(scratch.path().join("b.c"), "int x;").unwrap();
        assert!(Corpus::new(scratch.path(), Vec::new()).unwrap().line() != one.line());
        assert!(Corpus::new(&scratch.path().join("missing"), Vec::new()).is_err());
        // The corpus that was read first is no more.
        let Entry { path: file, id, .. } = &one.files[0];
        assert!(matches!(one.text(file, *id), Err(NoCase::Failed(_))));
        std::fs::write(file, "b.c").unwrap();
        assert_eq!(one.text(file, *id).unwrap(), "b.c");
        std::fs::remove_file(file).unwrap();
        std::os::unix::fs::symlink("/dev/zero", file).unwrap();
        assert!(matches!(one.text(file, *id), Err(NoCase::Failed(_))));
    }

    /// A header that changes makes other programs of the same files.
    #[test]
    fn a_corpus_is_its_headers_too() {
        let scratch = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = scratch.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("tests/a.c", "#include <stdio.h>\n#include \"own.h\"\n#include <lib/deep.h>\n#include MACRO\n");
        write("tests/own.h", "int own;\n");
        write("include/lib/deep.h", "#pragma once\n#include \"deeper.h\"\n#include \"deep.h\"\n");
        write("include/lib/deeper.h", "int deeper;\n");
        write("include/other.h", "int other;\n");
        let line = || {
            let include = vec![scratch.path().join("include")];
            Corpus::new(&scratch.path().join("tests"), include).unwrap().line()
        };
        let before = line();
        write("include/other.h", "int another;\n");
        assert_eq!(line(), before, "nobody includes that one");
        for (name, text) in [("tests/own.h", "long own;\n"), ("include/lib/deeper.h", "long deeper;\n")] {
            let before = line();
            write(name, text);
            assert!(line() != before, "{name}");
        }
        let alone = Corpus::new(&scratch.path().join("tests"), Vec::new()).unwrap();
        assert!(alone.line() != line(), "without -I the header is not there");
        assert_eq!(alone.title(1, 0), "a.c");
    }
}
