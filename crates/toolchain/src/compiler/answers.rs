//! What compilers have answered, kept between processes: which flags of hundreds a dozen compilers take is asked by
//! seconds of compiling, and the answers change only when a compiler does.
//!
//! Each compiler has a file, named by its identity: where it is, the size and time of its driver and of what that
//! starts, what it says to `--version`, the processor, and the environment that compilers read. What is read is checked
//! and bounded, and what cannot be read or written is asked again: nothing depends on the files but time.
//!
//! Nothing is kept until [`keep_in`] says where.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use howler_case::Id;
use howler_case::id::Hasher;

use crate::compiler::home::{Home, Stamp};
use crate::process::{Invocation, Limits};

/// What is kept, if anything is.
static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

struct Kept {
    folder: PathBuf,
    /// By where a compiler's driver is, and as it is now.
    sheets: BTreeMap<(Home, Stamp), Option<Sheet>>,
}

/// The answers of one compiler, by question.
struct Sheet {
    identity: Id,
    answers: BTreeMap<Id, Vec<u8>>,
    changed: bool,
}

/// The first line of a file.
const HEAD: &str = "howler answers 1";
/// The longest file that is read or written.
const MOST_BYTES: u64 = 4 << 20;
/// Answers of one compiler.
const MOST_ANSWERS: usize = 4096;
/// The longest answer.
const MOST_ANSWER: usize = 64 << 10;
/// Files in the folder; beyond it the oldest go.
const MOST_FILES: usize = 64;

/// Variables that change what a compiler does.
const ENVIRONMENT: &[&str] = &[
    "PATH",
    "CPATH",
    "C_INCLUDE_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "CCC_OVERRIDE_OPTIONS",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "LANG",
    "LC_ALL",
];

/// Keeps answers in a folder, which is made when there is something to keep.
pub fn keep_in(folder: PathBuf) {
    *kept() = Some(Kept { folder, sheets: BTreeMap::new() });
}

/// Writes down what is new. A folder that cannot be written to is no trouble: everything is asked again next time.
pub fn write_down() {
    if let Some(kept) = kept().as_mut() {
        for sheet in kept.sheets.values_mut().flatten().filter(|sheet| sheet.changed) {
            sheet.changed = write(&kept.folder, sheet).is_err();
        }
        let _ = thin_out(&kept.folder);
    }
}

/// The name of a question.
pub(crate) fn question(kind: &str, args: &[OsString], stdin: &[u8]) -> Id {
    let mut hash = Hasher::new("question");
    hash.field(kind.as_bytes()).field(stdin);
    for arg in args {
        hash.field(arg.as_encoded_bytes());
    }
    hash.finish()
}

/// What this compiler has answered before.
pub(crate) fn known(home: &Home, question: Id) -> Option<Vec<u8>> {
    kept().as_mut()?.sheet(home)?.answers.get(&question).cloned()
}

/// Remembers an answer.
pub(crate) fn learnt(home: &Home, question: Id, answer: &[u8]) {
    let mut kept = kept();
    let Some(sheet) = kept.as_mut().and_then(|kept| kept.sheet(home)) else { return };
    if answer.len() <= MOST_ANSWER && sheet.answers.len() < MOST_ANSWERS {
        sheet.changed |= sheet.answers.insert(question, answer.to_vec()).as_deref() != Some(answer);
    }
}

fn kept() -> MutexGuard<'static, Option<Kept>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    fn sheet(&mut self, home: &Home) -> Option<&mut Sheet> {
        let driver = (home.clone(), home.stamp()?);
        let folder = &self.folder;
        let sheet = self.sheets.entry(driver).or_insert_with(|| {
            let identity = identity(home)?;
            let answers = read(&file(folder, identity)).unwrap_or_default();
            Some(Sheet { identity, answers, changed: false })
        });
        sheet.as_mut()
    }
}

/// All that answers depend on. A driver may be a script that starts another compiler tomorrow, so it is asked each time
/// who it is.
fn identity(home: &Home) -> Option<Id> {
    let say = |flag: &str| {
        let mut invocation = Invocation::new(&home.path);
        invocation.arg(flag);
        let limits = Limits { wall: Duration::from_secs(30), output: 64 << 10, address_space: None };
        home.run(&invocation, &limits).ok().map(|finished| (finished.success(), finished.stdout))
    };
    let mut hash = Hasher::new("compiler");
    let place = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
    hash.field(env!("CARGO_PKG_VERSION").as_bytes());
    hash.field(&home.root.as_deref().map(place).unwrap_or_default()).field(&place(&home.path));
    hash.field(&home.stamp()?.bytes());
    // What gcc's driver starts is rebuilt without it.
    let starts = say("-print-prog-name=cc1").filter(|(good, _)| *good).map(|(_, said)| said);
    let starts = starts.and_then(|said| String::from_utf8(said).ok()).unwrap_or_default();
    if let Some(stamp) = home.stamp_of(Path::new(starts.trim())) {
        hash.field(&stamp.bytes());
    }
    hash.field(&say("--version")?.1);
    for name in ENVIRONMENT {
        hash.field(std::env::var_os(name).unwrap_or_default().as_encoded_bytes());
    }
    // -march=native is another thing elsewhere, and folders are shared between machines.
    hash.field(processor().as_bytes());
    Some(hash.finish())
}

/// The first processor's model and what it can do.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let first = text.lines().take_while(|line| !line.is_empty());
    let wanted = ["vendor_id", "cpu family", "model", "flags", "Features", "CPU part"];
    first.filter(|line| wanted.iter().any(|start| line.starts_with(start))).collect()
}

fn file(folder: &Path, identity: Id) -> PathBuf {
    folder.join(format!("{identity}.txt"))
}

/// The answers in a file; none if anything about it is odd.
fn read(path: &Path) -> Option<BTreeMap<Id, Vec<u8>>> {
    let mut options = fs::OpenOptions::new();
    // Neither a link to something else nor a pipe that never ends.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let file = options.read(true).custom_flags(flags.bits().cast_signed()).open(path).ok()?;
    let data = file.metadata().ok()?;
    let ours = data.uid() == rustix::process::geteuid().as_raw();
    if !ours || !data.is_file() || data.len() > MOST_BYTES {
        return None;
    }
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
    let mut lines = text.strip_suffix('\n')?.split('\n');
    if lines.next()? != HEAD {
        return None;
    }
    let answers: BTreeMap<Id, Vec<u8>> = lines.map(entry).collect::<Option<_>>()?;
    (answers.len() <= MOST_ANSWERS).then_some(answers)
}

fn entry(line: &str) -> Option<(Id, Vec<u8>)> {
    let (question, answer) = line.split_once(' ')?;
    let digits = answer.as_bytes();
    let whole = digits.len().is_multiple_of(2) && digits.len() <= 2 * MOST_ANSWER;
    if !whole || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let digit = |digit: u8| u8::try_from(char::from(digit).to_digit(16)?).ok();
    let bytes = digits.chunks_exact(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?));
    Some((question.parse().ok()?, bytes.collect::<Option<_>>()?))
}

/// Writes a file beside its place and then moves it there: a reader sees the old one or the new one.
fn write(folder: &Path, sheet: &Sheet) -> io::Result<()> {
    let mut text = format!("{HEAD}\n");
    for (question, answer) in &sheet.answers {
        let digits: String = answer.iter().map(|byte| format!("{byte:02x}")).collect();
        text.push_str(&format!("{question} {digits}\n"));
    }
    if text.len() as u64 > MOST_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let beside = folder.join(format!("{}.{}", sheet.identity, std::process::id()));
    let written = (|| {
        let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
        file.write_all(text.as_bytes())?;
        fs::rename(&beside, file_of(folder, sheet))
    })();
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

fn file_of(folder: &Path, sheet: &Sheet) -> PathBuf {
    file(folder, sheet.identity)
}

/// Removes the oldest files of ours where there are too many: compilers go, and nobody says so.
fn thin_out(folder: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let ours = name.to_str().and_then(|name| name.split_once('.'));
        if ours.is_some_and(|(id, _)| id.parse::<Id>().is_ok()) {
            files.push((entry.metadata()?.modified()?, entry.path()));
        }
    }
    files.sort();
    let extra = files.len().saturating_sub(MOST_FILES);
    files[..extra].iter().try_for_each(|(_, path)| fs::remove_file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let answers = [(Id::of(b"one"), b"\0\xff yes\n".to_vec()), (Id::of(b"two"), Vec::new())];
        Sheet { identity: Id::of(b"compiler"), answers: answers.into(), changed: true }
    }

    #[test]
    fn what_is_written_is_read() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("a/b");
        write(&folder, &sheet()).unwrap();
        write(&folder, &sheet()).unwrap();
        assert_eq!(read(&file_of(&folder, &sheet())), Some(sheet().answers));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn odd_files_are_as_if_they_were_not_there() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("file");
        let id = Id::of(b"x");
        let good = format!("{HEAD}\n{id} 00ff\n");
        fs::write(&path, &good).unwrap();
        assert_eq!(read(&path).map(|answers| answers.len()), Some(1));
        let bad = [
            String::new(),
            HEAD.to_owned(),
            good.trim_end().to_owned(),
            format!("howler answers 2\n{id} 00\n"),
            format!("{HEAD}\n{id} 0\n"),
            format!("{HEAD}\n{id} 0g\n"),
            format!("{HEAD}\n{id}\n"),
            format!("{HEAD}\nshort 00\n"),
            format!("{HEAD}\n\n{id} 00\n"),
            format!("{HEAD}\n{id} +1\n"),
        ];
        for text in bad {
            fs::write(&path, &text).unwrap();
            assert_eq!(read(&path), None, "{text:?}");
        }
        fs::write(&path, b"howler answers 1\n\xff\n").unwrap();
        assert_eq!(read(&path), None);
        let link = scratch.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        fs::write(&path, &good).unwrap();
        assert_eq!(read(&link), None);
        assert_eq!(read(scratch.path()), None);
        assert_eq!(read(Path::new("/no/such/file")), None);
    }

    #[test]
    fn the_oldest_files_go() {
        let scratch = tempfile::tempdir().unwrap();
        fs::write(scratch.path().join("mine.txt"), "not ours").unwrap();
        for number in 0..MOST_FILES as u32 + 5 {
            let path = file(scratch.path(), Id::of(&number.to_le_bytes()));
            let made = fs::File::create(path).unwrap();
            let time = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(u64::from(number) + 1);
            made.set_modified(time).unwrap();
        }
        thin_out(scratch.path()).unwrap();
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), MOST_FILES + 1);
        assert!(!file(scratch.path(), Id::of(&4_u32.to_le_bytes())).exists());
        assert!(file(scratch.path(), Id::of(&5_u32.to_le_bytes())).exists());
    }

    #[test]
    fn a_folder_that_cannot_be_is_an_error_and_no_more() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(write(&file.join("below"), &sheet()).is_err());
    }
}
