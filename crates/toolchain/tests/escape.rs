//! Programs that try to get out of the guard: as root and as an ordinary user, with the scratch folder and what is
//! outside below /tmp and elsewhere. Each attempt is made without the guard too, where that can be undone: what does
//! not work there proves nothing here. This executable is the guard, so it has its own `main`.
//!
//! `cargo test -p howler-toolchain --test escape -- --nocapture` prints what stopped each (docs/evidence/locked-in.md).
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use howler_toolchain::guard::{End, Finished, Guard, GuardError, GuardOptions, Job, Level, serve_if_asked};
use libtest_mimic::{Arguments, Failed, Trial};

/// The environment variable that makes this executable one suite, in the folder it names.
const SUITE: &str = "HOWLER_ESCAPE_SUITE";

/// Which attempts there are, whether each is tried outside too, and what counts as stopped.
#[rustfmt::skip]
const ATTEMPTS: &[(&str, Outside, &[&str])] = &[
    ("write", Outside::Works, &["EROFS", "EACCES"]),
    ("truncate", Outside::Works, &["EROFS", "EACCES"]),
    ("create", Outside::Works, &["EROFS", "EACCES"]),
    ("unlink", Outside::Works, &["EROFS", "EACCES"]),
    ("rename", Outside::Untried, &["EROFS", "EACCES", "EXDEV"]),
    ("chmod", Outside::Works, &["EROFS"]),
    ("chown", Outside::WorksForRoot, &["EROFS", "EPERM"]),
    ("utime", Outside::Works, &["EROFS"]),
    ("link", Outside::Untried, &["EROFS", "EACCES", "EXDEV", "EPERM"]),
    ("mknod outside", Outside::WorksForRoot, &["EROFS", "EPERM", "EACCES"]),
    ("mknod inside", Outside::Untried, &["EPERM"]),
    ("chown inside", Outside::Untried, &["EPERM", "EINVAL"]),
    ("disk", Outside::Untried, &["ENOENT", "EACCES", "EROFS"]),
    ("sysctl", Outside::Untried, &["EROFS", "EACCES"]),
    ("setuid", Outside::Untried, &["EPERM", "EINVAL"]),
    ("kill", Outside::Untried, &["ESRCH", "EPERM"]),
    ("kill all", Outside::Untried, &["ESRCH", "EPERM"]),
    ("ptrace", Outside::Untried, &["ESRCH", "EPERM"]),
    ("ptrace guard", Outside::Untried, &["EPERM"]),
    ("memory of guard", Outside::Untried, &["EACCES", "EPERM", "EROFS", "ENOENT"]),
    ("root of guard", Outside::Untried, &["EACCES", "EPERM"]),
    ("mount", Outside::Untried, &["EPERM"]),
    ("remount", Outside::Untried, &["EPERM"]),
    ("chroot", Outside::Untried, &["EPERM"]),
    ("namespace", Outside::Untried, &["EPERM"]),
    ("clone", Outside::Untried, &["EPERM"]),
    ("clone3", Outside::Untried, &["ENOSYS"]),
    ("socket", Outside::Works, &["EPERM"]),
    ("unix socket", Outside::Works, &["EPERM"]),
    ("io_uring", Outside::Untried, &["EPERM"]),
    ("keys", Outside::Untried, &["EPERM"]),
    ("fill /tmp", Outside::Untried, &["ENOSPC", "killed"]),
    ("fill TMPDIR", Outside::Untried, &["ENOSPC", "killed"]),
    ("fill scratch", Outside::Untried, &["ENOSPC", "killed"]),
    ("descriptors", Outside::Untried, &["EBADF"]),
    ("outlive", Outside::Untried, &["killed"]),
];

/// Attempts that only namespaces stop: without them these are known to work, and the doctor says so.
const NEED_NAMESPACES: &[&str] = &["chmod", "utime"];
/// The same, for what lies below /tmp.
const NEED_PRIVATE_TMP: &[&str] =
    &["write", "truncate", "create", "unlink", "rename", "link", "mknod outside", "fill /tmp"];

/// What an attempt does without the guard.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    Works,
    WorksForRoot,
    /// It would change the machine that runs the tests, or makes sense in the guard only.
    Untried,
}

fn main() {
    serve_if_asked();
    if let Some(place) = std::env::var_os(SUITE) {
        suite(Path::new(&place));
        return;
    }
    let mut trials = Vec::new();
    for user in ["root", "nobody"] {
        for place in ["/tmp", env!("CARGO_TARGET_TMPDIR")] {
            let name = format!("{user}::{}", if place == "/tmp" { "tmp" } else { "elsewhere" });
            trials.push(Trial::test(name, move || {
                escape(user, Path::new(place));
                Ok::<(), Failed>(())
            }));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// Runs the suite as a user, below a place.
fn escape(user: &str, place: &Path) {
    let root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let Some(gcc) = howler_testkit::tool("gcc") else { return };
    if !root && user == "root" {
        return howler_testkit::skip("the tests do not run as root");
    }
    let folder = tempfile::Builder::new().prefix("escape-").tempdir_in(place).unwrap();
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777)).unwrap();
    if user == "nobody" && !is_open(folder.path()) {
        return howler_testkit::skip(&format!("nobody cannot get to {}", folder.path().display()));
    }
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/escape/escape.c");
    let built =
        Command::new(gcc).args(["-w", "-O1", source, "-o"]).arg(folder.path().join("escape")).status();
    assert!(built.unwrap().success());
    // Where the target folder is, nobody may not be allowed.
    let executable = folder.path().join("suite");
    fs::copy(std::env::current_exe().unwrap(), &executable).unwrap();
    let command = if user == "nobody" && root {
        let Some(setpriv) = howler_testkit::tool("setpriv") else { return };
        let mut command = Command::new(setpriv);
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&executable);
        command
    } else {
        Command::new(&executable)
    };
    // A descriptor that every child inherits, as a careless shell leaves one.
    let leaky = ["-c", "exec 7</dev/null; exec \"$@\"", "sh"];
    let (program, args) = (command.get_program().to_owned(), command.get_args().map(OsString::from));
    let args: Vec<OsString> = std::iter::once(program).chain(args).collect();
    let mut command = Command::new("sh");
    command.args(leaky).args(args);
    let output = command.env(SUITE, folder.path()).current_dir(folder.path()).output().unwrap();
    print!("{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Whether everybody can enter a folder.
fn is_open(folder: &Path) -> bool {
    folder.ancestors().all(|part| fs::metadata(part).is_ok_and(|data| data.mode() & 0o001 != 0))
}

/// What is outside the guard, and must stay as it is.
struct World {
    folder: PathBuf,
    sleeper: Child,
    _listener: UnixListener,
    before: String,
}

impl World {
    fn new(place: &Path, name: &str) -> World {
        let folder = place.join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("file"), "precious").unwrap();
        let _listener = UnixListener::bind(folder.join("socket")).unwrap();
        let sleeper = Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn().unwrap();
        let before = state(&folder);
        World { folder, sleeper, _listener, before }
    }

    fn check(&mut self, attempt: &str) {
        assert!(self.sleeper.try_wait().unwrap().is_none(), "{attempt}: a process outside was killed");
        assert_eq!(state(&self.folder), self.before, "{attempt}: something outside was changed");
    }

    fn args(&self, attempt: &str, mark: &str) -> [String; 4] {
        let folder = self.folder.display().to_string();
        [attempt.to_owned(), folder, self.sleeper.id().to_string(), mark.to_owned()]
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.sleeper.kill();
        let _ = self.sleeper.wait();
    }
}

/// Everything about a folder that an attempt could change.
fn state(folder: &Path) -> String {
    let mut lines: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let data = fs::symlink_metadata(&path).unwrap();
            let text =
                if data.is_file() { fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
            let id = (data.mode(), data.uid(), data.gid(), data.nlink());
            format!("{} {id:?} {:?} {text}", path.display(), (data.mtime(), data.mtime_nsec()))
        })
        .collect();
    lines.sort();
    lines.join("\n")
}

/// All attempts, by whoever runs this, from a guard in its best place and one in this place.
fn suite(place: &Path) {
    let root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let user = if root { "root" } else { "nobody" };
    controls(place, root);
    let plain: [(Level, Option<&Path>, Option<PathBuf>); 4] = [
        (Level::Best, None, None),
        (Level::Best, Some(place), None),
        (Level::Subreaper, None, None),
        // In another root, which the guard has to keep a right for.
        (Level::Best, None, Some("/".into())),
    ];
    for (number, (level, at, root)) in plain.into_iter().enumerate() {
        let roots = root.iter().cloned().collect();
        let options = GuardOptions { level, place: at.map(Path::to_owned), roots, ..GuardOptions::default() };
        let mut guard = match Guard::start(&options) {
            Ok(guard) => guard,
            Err(error) if root.is_some() => {
                println!("{user}: no other roots: {error}");
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        let locked = guard.layers().writes.to_string().contains("private /tmp");
        if level == Level::Best && !locked {
            println!("{user}: not locked in: {}", guard.layers().writes);
        }
        let mut world = World::new(place, &format!("world{number}"));
        let program = fs::read(place.join("escape")).unwrap();
        for &(attempt, _, stopped) in ATTEMPTS {
            let below_tmp = world.folder.starts_with("/tmp");
            if !locked
                && (NEED_NAMESPACES.contains(&attempt) || below_tmp && NEED_PRIVATE_TMP.contains(&attempt))
                || !locked && attempt == "fill /tmp"
            {
                println!(
                    "| {attempt} | {user} | {} | not stopped: needs namespaces |",
                    where_it_is(&guard, root.is_some())
                );
                continue;
            }
            guard.clear().unwrap();
            guard.write("escape", &program).unwrap();
            fs::set_permissions(guard.scratch().join("escape"), PermissionsExt::from_mode(0o755)).unwrap();
            let mark = format!("9{}{number}", std::process::id());
            let mut job = Job::new("escape");
            job.args(world.args(attempt, &mark));
            job.root.clone_from(&root);
            job.limits.wall = Duration::from_secs(60);
            job.limits.scratch = 300 << 20;
            let done = match guard.run(&job) {
                // Without a namespace the guard is one of those that a job can signal. It is replaced.
                Err(GuardError::Ended) if attempt == "kill all" && !guard.layers().processes.is_active() => {
                    world.check(attempt);
                    println!(
                        "| {attempt} | {user} | {} | the guard only: Landlock |",
                        where_it_is(&guard, root.is_some())
                    );
                    guard = Guard::start(&options).unwrap();
                    continue;
                }
                done => done.unwrap(),
            };
            let result = result(&done, attempt);
            let context =
                format!("{attempt} as {user} at {level:?} in {}: {done:?}", guard.scratch().display());
            assert!(stopped.contains(&result.as_str()), "{context}");
            world.check(attempt);
            if attempt == "outlive" {
                assert!(!is_running(&mark), "{context}");
            }
            println!(
                "| {attempt} | {user} | {} | {result}: {} |",
                where_it_is(&guard, root.is_some()),
                layer(&guard, attempt, &result)
            );
        }
    }
}

fn where_it_is(guard: &Guard, inside: bool) -> String {
    if inside {
        return "another root".to_owned();
    }
    let scratch = guard.scratch().ancestors().nth(2).unwrap().display().to_string();
    let kind = if guard.layers().processes.is_active() { "namespaces" } else { "no namespaces" };
    let scratch = if scratch.starts_with("/tmp") || scratch.starts_with("/dev/shm") {
        scratch
    } else {
        "elsewhere".into()
    };
    format!("{kind}, scratch in {}", scratch.split("/escape-").next().unwrap_or_default())
}

/// What an attempt came to: an error's name, "done", or "killed" if the guard ended it.
fn result(done: &Finished, attempt: &str) -> String {
    match (done.end, done.why) {
        (_, Some(_)) => "killed".to_owned(),
        (End::Exited(0), None) if attempt == "outlive" && done.orphans > 0 => "killed".to_owned(),
        _ => String::from_utf8_lossy(&done.stdout).trim().to_owned(),
    }
}

/// What stopped an attempt, as far as its error tells.
fn layer(guard: &Guard, attempt: &str, result: &str) -> &'static str {
    let namespaces = guard.layers().processes.is_active();
    match (attempt, result) {
        (_, "EROFS") => "read-only mounts",
        (_, "EXDEV") => "another mount",
        (_, "ESRCH") => "PID namespace",
        (_, "EINVAL") => "user namespace",
        ("disk", "ENOENT") => "private /dev",
        (_, "ENOSPC") => "size of the private /tmp",
        ("outlive", _) => "the guard, to whom orphans come",
        (_, "killed") => "the guard's limit",
        (_, "EBADF") => "closed on start",
        (
            "mount" | "remount" | "namespace" | "clone" | "clone3" | "socket" | "unix socket" | "io_uring"
            | "keys",
            _,
        ) => "seccomp",
        ("kill" | "kill all" | "ptrace", _) => "Landlock",
        ("ptrace guard" | "memory of guard" | "root of guard", _) => "the guard is not dumpable",
        (_, "EACCES") if !namespaces => "Landlock",
        (_, "EACCES") => "Landlock or the file's rights",
        (_, "EPERM") => "no capabilities",
        _ => "?",
    }
}

fn is_running(mark: &str) -> bool {
    fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(mark)
    })
}

/// Without the guard these attempts work.
fn controls(place: &Path, root: bool) {
    for (number, &(attempt, outside, _)) in ATTEMPTS.iter().enumerate() {
        let works = outside == Outside::Works || outside == Outside::WorksForRoot && root;
        if !works {
            continue;
        }
        let world = World::new(place, &format!("control{number}"));
        let mut command = Command::new(place.join("escape"));
        let output = command.args(world.args(attempt, "1")).current_dir(place).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n", "{attempt} without the guard");
    }
}
