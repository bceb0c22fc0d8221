//! What tests of `howler hunt` share: a place for one hunt, its events and rows, and a look at what it left behind.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]
#![allow(dead_code, reason = "each test uses its part")]

pub mod catalogue;

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use howler_store::{Store, dump};
use howler_testkit::{Options, Output, run, undisturbed};
use serde_json::Value;

/// The command under test.
pub const HOWLER: &str = env!("CARGO_BIN_EXE_howler");

/// A program that tcc compiles wrongly: it forgets that a conversion to an unsigned type drops the sign.
pub const TCC_BUG: &str = "int printf(const char *, ...);\nsigned char c = -1;\n\
    int main(void) { printf(\"%d\\n\", (unsigned short) c ^ (signed char) 0x99); return 0; }\n";

/// Long enough for a busy machine. No test needs it.
const PATIENCE: Duration = Duration::from_secs(900);

/// A place for the hunts of one test. It is not below `/tmp`, which a guard hides from compilers, and it is the
/// temporary folder of its hunts, by which their processes are known.
pub struct Lair {
    folder: PathBuf,
    swept: Vec<PathBuf>,
}

impl Lair {
    pub fn new() -> Lair {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("hunt-{}-{number}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // A test process of the same number may have been killed.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("tmp")).unwrap();
        Lair { folder, swept: abandoned() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn text_path(&self, name: &str) -> String {
        self.path(name).to_str().expect("the target folder's path is text").to_owned()
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    pub fn script(&self, name: &str, text: &str) -> String {
        let path = self.write(name, text);
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        self.text_path(name)
    }

    /// Runs `howler` in this place.
    pub fn howler<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Output {
        let mut all = vec![self.mark().into(), cache().into(), HOWLER.into()];
        all.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        run("env", all, &Options { timeout: PATIENCE, folder: Some(&self.folder), ..Options::default() })
    }

    /// `howler` in this place, not started yet; what it says goes to a file.
    pub fn command(&self, args: &[&str], stdout: &str) -> Command {
        let mut command = undisturbed(HOWLER);
        command.args(args).current_dir(&self.folder).env("TMPDIR", self.path("tmp"));
        command.env("XDG_CACHE_HOME", CACHE);
        let out = std::fs::File::create(self.path(stdout)).unwrap();
        command.stdin(Stdio::null()).stdout(out).stderr(Stdio::null());
        command
    }

    fn mark(&self) -> String {
        format!("TMPDIR={}", self.text_path("tmp"))
    }

    /// Fails if a process or a temporary file of this place's hunts stays. What was killed is given a moment.
    pub fn assert_nothing_left(&self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let left = self.left();
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < deadline, "left behind: {left:#?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn left(&self) -> Vec<String> {
        let mark = self.mark().into_bytes();
        let mut left: Vec<String> = processes()
            .filter(|(_, environment)| {
                let variables = || environment.split(|&byte| byte == 0);
                let job = || variables().filter_map(|one| std::str::from_utf8(one).ok()).any(is_orphan);
                variables().any(|one| one == mark) || job()
            })
            .map(|(process, _)| {
                let words = std::fs::read(process.join("cmdline")).unwrap_or_default();
                format!("{}: {}", process.display(), String::from_utf8_lossy(&words).replace('\0', " "))
            })
            .collect();
        let folders = abandoned().into_iter().filter(|path| !self.swept.contains(path) && self.is_mine(path));
        let files = std::fs::read_dir(self.path("tmp")).unwrap().map(|entry| entry.unwrap().path());
        left.extend(folders.chain(files).map(|path| path.display().to_string()));
        left
    }
}

impl Lair {
    /// Whether a guard's folder in memory, or the file beside it, may be of this place's hunts: others on this machine kill
    /// theirs. The file says whose both are; where it is missing, or as long as nothing is in it, they may be ours.
    fn is_mine(&self, path: &Path) -> bool {
        let name = path.file_name().expect("it has one").to_string_lossy().into_owned();
        let lock = path.with_file_name(name.trim_end_matches(".lock").to_owned() + ".lock");
        let whose = std::fs::read_to_string(lock).unwrap_or_default();
        whose.is_empty() || whose.trim_end() == self.text_path("tmp")
    }
}

/// Where hunts of tests keep what compilers answer: not among the user's own.
const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");

fn cache() -> String {
    format!("XDG_CACHE_HOME={CACHE}")
}

impl Drop for Lair {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Processes and their environments; those that are not ours to read are not ours.
fn processes() -> impl Iterator<Item = (PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let numbered = entries.filter(|entry| entry.file_name().to_string_lossy().parse::<u32>().is_ok());
    numbered.filter_map(|entry| Some((entry.path(), std::fs::read(entry.path().join("environ")).ok()?)))
}

/// Whether a variable is that of a job whose guard is gone.
fn is_orphan(variable: &str) -> bool {
    let Some(folder) = variable.strip_prefix("TMPDIR=") else { return false };
    let guard = folder.split('/').find(|part| part.starts_with("howler-guard-"));
    guard.is_some_and(|name| !has_keeper(name))
}

/// Whether the guard that made the folder of this name, `howler-guard-PROCESS-START-NUMBER`, lives.
fn has_keeper(name: &str) -> bool {
    let mut parts = name.trim_start_matches("howler-guard-").split('-');
    let (Some(process), Some(start)) = (parts.next(), parts.next()) else { return false };
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    after.split_whitespace().nth(19) == Some(start)
}

/// Scratch folders in memory that no guard owns.
fn abandoned() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir("/dev/shm") else { return Vec::new() };
    let names = entries.flatten().map(|entry| (entry.path(), entry.file_name()));
    let ours = names.filter(|(_, name)| {
        name.to_str().is_some_and(|name| {
            name.starts_with("howler-guard-") && !has_keeper(name.trim_end_matches(".lock"))
        })
    });
    ours.map(|(path, _)| path).collect()
}

/// The events of a hunt with `--json`. A last line that a kill cut short is left out.
pub fn events(text: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(text);
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}"))).collect()
}

/// What a hunt that ended by itself found: kind, and whether it is a finding.
pub fn found(output: &Output) -> Vec<(String, bool)> {
    let said = || format!("{}\n{}", output.stdout_text(), output.stderr_text());
    let events = events(&output.stdout);
    let last = events.last().filter(|last| last["event"] == "ended").unwrap_or_else(|| panic!("{}", said()));
    let list = last["found"].as_array().expect("a list");
    let one =
        |found: &Value| (found["kind"].as_str().expect("a kind").to_owned(), found["confirmed"] == true);
    list.iter().map(one).collect()
}

/// Every row of a campaign's folder.
pub fn rows(folder: &Path) -> String {
    let store = Store::open_read_only(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    store.check().unwrap();
    let mut text = Vec::new();
    dump(&store, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Fails with the first lines that differ, not with everything.
pub fn assert_same_rows(one: &str, two: &str, what: &str) {
    if one == two {
        return;
    }
    let only = |of: &str, not: &str| {
        let known: std::collections::BTreeSet<&str> = not.lines().collect();
        of.lines().filter(|line| !known.contains(line)).take(8).collect::<Vec<_>>().join("\n")
    };
    panic!(
        "{what}: rows differ\nonly in the first:\n{}\nonly in the second:\n{}",
        only(one, two),
        only(two, one)
    );
}
