//! The guard against programs that do their worst. This executable is its own guard, so it has its own `main`.
//!
//! Each test runs at both levels: in namespaces where the system has them, and as a subreaper.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

mod ends;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use howler_toolchain::guard::{
    End, Excess, Finished, Guard, GuardError, GuardOptions, Input, Job, Level, serve_if_asked,
};
use libtest_mimic::{Arguments, Failed, Trial};

const SIGKILL: i32 = 9;

type Test = fn(Level);

/// The environment variable that makes this executable a client that waits to be killed.
const VICTIM: &str = "HOWLER_GUARD_TEST_VICTIM";

fn main() {
    serve_if_asked();
    if let Some(place) = std::env::var_os(VICTIM) {
        ends::victim(Path::new(&place));
    }
    let arguments = Arguments::from_args();
    let tests: &[(&str, Test)] = &[
        ("statuses_and_output", statuses_and_output),
        ("signals_are_told_apart", signals_are_told_apart),
        ("a_missing_program_is_an_answer", a_missing_program_is_an_answer),
        ("input_arrives", input_arrives),
        ("chains_stop_at_the_first_failure", chains_stop_at_the_first_failure),
        ("the_environment_is_fixed", the_environment_is_fixed),
        ("a_fork_bomb_is_stopped", a_fork_bomb_is_stopped),
        ("a_daemon_does_not_survive", a_daemon_does_not_survive),
        ("a_double_fork_does_not_survive", a_double_fork_does_not_survive),
        ("a_memory_hog_is_stopped", a_memory_hog_is_stopped),
        ("an_address_space_can_be_bounded", an_address_space_can_be_bounded),
        ("endless_output_is_stopped", endless_output_is_stopped),
        ("an_endless_file_is_stopped", an_endless_file_is_stopped),
        ("a_file_that_was_cut_short_is_told", a_file_that_was_cut_short_is_told),
        ("many_files_are_stopped", many_files_are_stopped),
        ("sleeping_for_ever_is_stopped", sleeping_for_ever_is_stopped),
        ("a_busy_loop_is_stopped", a_busy_loop_is_stopped),
        ("busy_descendants_are_stopped", busy_descendants_are_stopped),
        ("nothing_is_left_when_the_guard_goes", ends::nothing_is_left_when_the_guard_goes),
        ("nothing_is_left_when_the_client_is_killed", ends::nothing_is_left_when_the_client_is_killed),
        ("nothing_is_left_when_the_server_is_killed", ends::nothing_is_left_when_the_server_is_killed),
        ("what_is_written_too_late_goes_too", ends::what_is_written_too_late_goes_too),
        ("a_dead_keepers_folder_is_swept", ends::a_dead_keepers_folder_is_swept),
        ("the_folder_is_emptied", the_folder_is_emptied),
        ("a_folder_that_a_job_took_away_comes_back", a_folder_that_a_job_took_away_comes_back),
        ("another_thread_can_end_it", another_thread_can_end_it),
        ("writes_outside_are_forbidden", writes_outside_are_forbidden),
        ("the_network_is_out_of_reach", the_network_is_out_of_reach),
        ("a_job_finds_itself_in_proc", a_job_finds_itself_in_proc),
        ("many_jobs_leak_nothing", many_jobs_leak_nothing),
    ];
    let mut trials = Vec::new();
    for &(name, test) in tests {
        for (suffix, level) in [("best", Level::Best), ("subreaper", Level::Subreaper)] {
            trials.push(Trial::test(format!("{name}::{suffix}"), move || {
                test(level);
                Ok::<(), Failed>(())
            }));
        }
    }
    // Without namespaces there is one /tmp for all.
    trials.push(Trial::test("tmp_is_private::best", || {
        tmp_is_private();
        Ok(())
    }));
    let measured = Trial::test("speed", || {
        speed();
        Ok(())
    });
    trials.push(measured.with_ignored_flag(true));
    libtest_mimic::run(&arguments, trials).exit();
}

fn guard(level: Level) -> Guard {
    let guard = Guard::start(&GuardOptions { level, ..GuardOptions::default() }).unwrap();
    if level == Level::Best && !guard.layers().processes.is_active() {
        howler_testkit::skip(&format!("PID namespaces: {}", guard.layers().processes));
    }
    guard
}

fn shell(script: &str) -> Job {
    let mut job = Job::new("/bin/sh");
    job.args(["-c", script]);
    job.limits.wall = Duration::from_secs(20);
    job
}

fn run(level: Level, job: &Job) -> Finished {
    guard(level).run(job).unwrap()
}

/// Runtimes look themselves up by their number: the leak checker's does.
fn a_job_finds_itself_in_proc(level: Level) {
    let mut guard = guard(level);
    if guard.layers().processes.to_string().contains("without a /proc") {
        return howler_testkit::skip("a /proc of the namespace's own");
    }
    for _ in 0..50 {
        let done = guard.run(&shell("read -r line < /proc/$$/comm; echo $line")).unwrap();
        assert_eq!(String::from_utf8_lossy(&done.stdout), "sh\n", "{done:?}");
    }
}

/// Compiles a program into the guard's scratch folder.
fn compiled(guard: &mut Guard, text: &str) -> Job {
    fs::write(guard.scratch().join("a.c"), text).unwrap();
    let mut job = Job::new(howler_testkit::find("gcc").or_else(|| howler_testkit::find("cc")).unwrap());
    job.args(["-O0", "-w", "a.c", "-o", "a"]);
    let done = guard.run(&job).unwrap();
    assert!(done.success(), "{done:?}");
    let mut job = Job::new("a");
    job.limits.wall = Duration::from_secs(20);
    job
}

/// The numbers of living processes whose command line contains the text.
fn alive(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).contains(text) {
            found.insert(entry.file_name().into_string().unwrap());
        }
    }
    found
}

/// What is true in the end; the system needs a moment to end a process that was killed.
fn soon(what: &str, mut is_true: impl FnMut() -> bool) {
    for _ in 0..1000 {
        if is_true() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("never true: {what}");
}

/// A number for `sleep` that no other test uses, so that its process can be found.
fn unique() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("7{}{:04}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn statuses_and_output(level: Level) {
    let mut guard = guard(level);
    for status in [0, 1, 3, 127, 255] {
        let done = guard.run(&shell(&format!("echo out; echo err >&2; exit {status}"))).unwrap();
        assert_eq!((done.end, done.why), (End::Exited(status), None));
        assert_eq!((&*done.stdout, &*done.stderr), (&b"out\n"[..], &b"err\n"[..]));
        assert_eq!(done.success(), status == 0);
        assert!(done.peak_rss > 0 && done.orphans == 0);
    }
}

fn signals_are_told_apart(level: Level) {
    let mut guard = guard(level);
    let abort = compiled(&mut guard, "#include <stdlib.h>\nint main(void) { abort(); }");
    assert_eq!(guard.run(&abort).unwrap().end, End::Signalled(6));
    let overflow = compiled(
        &mut guard,
        "int f(int n) { volatile char a[999]; a[0] = n; return f(n + 1) + a[0]; }\nint main(void) { return f(0); }",
    );
    assert_eq!(guard.run(&overflow).unwrap().end, End::Signalled(11));
    let division = compiled(&mut guard, "int main(int argc, char **argv) { return 7 / (argc - 1); }");
    assert_eq!(guard.run(&division).unwrap().end, End::Signalled(8));
    for signal in [1, 2, 9, 15] {
        let done = guard.run(&shell(&format!("kill -{signal} $$"))).unwrap();
        assert_eq!((done.end, done.why), (End::Signalled(signal), None));
    }
    assert_eq!(fs::read_dir(guard.scratch()).unwrap().count(), 2, "a.c and a, no core file");
}

fn a_missing_program_is_an_answer(level: Level) {
    let mut guard = guard(level);
    assert_eq!(guard.run(&Job::new("/no/such/program")).unwrap().end, End::NotStarted(2));
    fs::write(guard.scratch().join("text"), "no program").unwrap();
    assert_eq!(guard.run(&Job::new("text")).unwrap().end, End::NotStarted(13));
    let mut elsewhere = shell("true");
    elsewhere.dir = "no/such/folder".into();
    assert_eq!(guard.run(&elsewhere).unwrap().end, End::NotStarted(2));
    assert!(guard.run(&shell("true")).unwrap().success());
}

fn input_arrives(level: Level) {
    let mut guard = guard(level);
    let mut cat = Job::new("/bin/cat");
    assert_eq!(guard.run(&cat).unwrap().stdout, b"");
    let large: Vec<u8> = (0..3 << 20).map(|n: u32| n.to_le_bytes()[0]).collect();
    cat.stdin = Input::Bytes(large.clone());
    assert!(guard.run(&cat).unwrap().stdout == large);
    fs::create_dir(guard.scratch().join("in")).unwrap();
    fs::write(guard.scratch().join("in/file"), &large).unwrap();
    cat.dir = "in".into();
    cat.stdin = Input::File("file".into());
    assert!(guard.run(&cat).unwrap().stdout == large);
    let mut deaf = shell("exec <&-; echo done");
    deaf.stdin = Input::Bytes(large);
    assert_eq!(guard.run(&deaf).unwrap().stdout, b"done\n");
}

fn chains_stop_at_the_first_failure(level: Level) {
    let mut guard = guard(level);
    let chain = vec![shell("echo 1"), shell("exit 4"), shell("echo 3")];
    let done = guard.batch(vec![chain, vec![shell("echo 4")], vec![]]).unwrap();
    assert_eq!(done.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 0]);
    assert_eq!(done[0][1].end, End::Exited(4));
    assert_eq!(done[1][0].stdout, b"4\n");
}

fn the_environment_is_fixed(level: Level) {
    let mut guard = guard(level);
    let mut env = Job::new("/usr/bin/env");
    env.env.push(("EXTRA".into(), "1".into()));
    let done = guard.run(&env).unwrap();
    let names: BTreeSet<String> = String::from_utf8(done.stdout)
        .unwrap()
        .lines()
        .filter_map(|line| Some(line.split_once('=')?.0.to_owned()))
        .collect();
    assert_eq!(
        names.iter().map(String::as_str).collect::<Vec<_>>(),
        ["CCACHE_DISABLE", "EXTRA", "HOME", "LC_ALL", "PATH", "TMPDIR"]
    );
}

fn a_fork_bomb_is_stopped(level: Level) {
    let mut guard = guard(level);
    let mut bomb =
        compiled(&mut guard, "#include <unistd.h>\nint main(void) { for (;;) if (fork() < 0) usleep(100); }");
    if !guard.layers().fork_bombs.is_active() {
        // Nothing but our look bounds this one: it must not take the machine that runs the tests down.
        bomb = compiled(
            &mut guard,
            "#include <unistd.h>\nint main(void) { for (int i = 0; i < 400; i++) if (fork() == 0) pause(); pause(); }",
        );
    }
    bomb.limits.processes = 40;
    let done = guard.run(&bomb).unwrap();
    assert_eq!(done.why, Some(Excess::Processes));
    assert!(guard.run(&shell("true")).unwrap().success());
}

fn a_daemon_does_not_survive(level: Level) {
    let mut guard = guard(level);
    let time = unique();
    let script =
        format!("trap '' TERM HUP; setsid sh -c 'trap \"\" TERM HUP; sleep {time}; true' & sleep 0.1");
    let done = guard.run(&shell(&script)).unwrap();
    assert!(done.success() && done.orphans > 0, "{done:?}");
    assert_eq!(alive(&time), BTreeSet::new());
}

fn a_double_fork_does_not_survive(level: Level) {
    let mut guard = guard(level);
    let time = unique();
    let done = guard.run(&shell(&format!("(setsid sleep {time} & ) ; (sleep {time} &) ; exit 0"))).unwrap();
    assert!(done.success(), "{done:?}");
    assert_eq!(alive(&time), BTreeSet::new());
}

fn a_memory_hog_is_stopped(level: Level) {
    let mut guard = guard(level);
    let text = "#include <stdlib.h>\n#include <string.h>\nint main(void) { for (int i = 0; i < 10240; i++) { char *p = malloc(1 << 20); if (!p) return 3; memset(p, 1, 1 << 20); } return 0; }";
    let mut hog = compiled(&mut guard, text);
    hog.limits.memory = 200 << 20;
    let done = guard.run(&hog).unwrap();
    assert_eq!((done.why, done.end), (Some(Excess::Memory), End::Signalled(SIGKILL)));
    assert!(done.peak_rss > 200 << 20 && done.peak_rss < 4 << 30, "{}", done.peak_rss);
}

fn an_address_space_can_be_bounded(level: Level) {
    let mut guard = guard(level);
    // The limit comes just after the start: the program asks slowly.
    let text = "#include <stdlib.h>\n#include <unistd.h>\nint main(void) { for (int i = 0; i < 100; i++) { if (!malloc(1ul << 28)) return 3; usleep(10000); } return 0; }";
    let mut hog = compiled(&mut guard, text);
    assert_eq!(guard.run(&hog).unwrap().end, End::Exited(0));
    hog.limits.address_space = Some(2 << 30);
    assert_eq!(guard.run(&hog).unwrap().end, End::Exited(3));
}

fn endless_output_is_stopped(level: Level) {
    for script in ["yes", "yes >&2", "while :; do echo x; done"] {
        let mut job = shell(script);
        job.limits.output = 10_000;
        let done = run(level, &job);
        assert_eq!((done.why, done.end), (Some(Excess::Output), End::Signalled(SIGKILL)));
        assert_eq!(done.stdout.len().max(done.stderr.len()), 10_000);
    }
}

fn an_endless_file_is_stopped(level: Level) {
    let mut guard = guard(level);
    let mut job = compiled(
        &mut guard,
        "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"x\", \"w\"); for (;;) fputs(\"0123456789\", f); }",
    );
    job.limits.file_size = 1 << 20;
    let done = guard.run(&job).unwrap();
    assert_eq!((done.why, done.end), (Some(Excess::FileSize), End::Signalled(25)));
    assert_eq!(fs::metadata(guard.scratch().join("x")).unwrap().len(), 1 << 20);
}

/// The first process sees a part of it die, or is itself told that the file is too large: neither is its own failure.
fn a_file_that_was_cut_short_is_told(level: Level) {
    for script in [
        "(head -c 2000000 /dev/zero > x); echo internal error >&2; exit 4",
        "trap '' XFSZ; head -c 2000000 /dev/zero > x; exit 1",
    ] {
        let mut guard = guard(level);
        let mut job = shell(script);
        job.limits.file_size = 1 << 20;
        let done = guard.run(&job).unwrap();
        assert_eq!(done.why, Some(Excess::FileSize), "{script}: {done:?}");
        // What lies there from before is not the next one's.
        std::thread::sleep(Duration::from_millis(50));
        let mut job = shell("echo y > y; exit 3");
        job.limits.file_size = 1 << 20;
        let done = guard.run(&job).unwrap();
        assert_eq!((done.why, done.end), (None, End::Exited(3)), "{script}");
    }
}

fn many_files_are_stopped(level: Level) {
    let mut job = shell("i=0; while :; do i=$((i + 1)); head -c 1000000 /dev/zero > file$i; done");
    job.limits.scratch = 20 << 20;
    assert_eq!(run(level, &job).why, Some(Excess::FileSize));
}

fn sleeping_for_ever_is_stopped(level: Level) {
    let mut guard = guard(level);
    let time = unique();
    let mut job = shell(&format!("echo before; trap '' TERM; sleep {time} & sleep {time}"));
    job.limits.wall = Duration::from_millis(300);
    let done = guard.run(&job).unwrap();
    assert_eq!((done.why, done.end), (Some(Excess::Wall), End::Signalled(SIGKILL)));
    assert_eq!(done.stdout, b"before\n");
    assert!(done.wall >= Duration::from_millis(300));
    assert_eq!(alive(&time), BTreeSet::new());
}

fn a_busy_loop_is_stopped(level: Level) {
    let mut guard = guard(level);
    let mut job = compiled(&mut guard, "int main(void) { for (;;) ; }");
    job.limits.cpu = Duration::from_millis(300);
    let done = guard.run(&job).unwrap();
    assert_eq!(done.why, Some(Excess::Cpu));
    assert!(done.cpu >= Duration::from_millis(300));
}

fn busy_descendants_are_stopped(level: Level) {
    let mut job = shell("while :; do (i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done); done");
    job.limits.cpu = Duration::from_millis(300);
    assert_eq!(run(level, &job).why, Some(Excess::Cpu));
}

fn the_folder_is_emptied(level: Level) {
    let mut guard = guard(level);
    let script = "mkdir -p a/b/c; echo x > a/b/c/d; ln -s / root; chmod 0 a/b; mkfifo pipe; touch .hidden";
    assert!(guard.run(&shell(script)).unwrap().success());
    guard.clear().unwrap();
    assert_eq!(fs::read_dir(guard.scratch()).unwrap().count(), 0);
    assert!(guard.run(&shell("echo x > file")).unwrap().success());
}

fn a_folder_that_a_job_took_away_comes_back(level: Level) {
    let mut guard = guard(level);
    for script in [
        "rm -rf \"$HOME\" \"$TMPDIR\"",
        "cd ..; rm -rf *",
        "cd ..; rm -rf work tmp; touch work; mkfifo tmp",
        "cd ..; mv work elsewhere; ln -s elsewhere work",
        "chmod 0 . .. \"$TMPDIR\"",
    ] {
        guard.run(&shell(script)).unwrap();
        guard.clear().unwrap();
        assert!(fs::symlink_metadata(guard.scratch()).unwrap().is_dir(), "{script}");
        guard.write("dir/file", b"text").unwrap();
        assert!(guard.run(&shell("cp dir/file copy && cp copy \"$TMPDIR\"")).unwrap().success(), "{script}");
        assert_eq!(guard.read("copy").unwrap(), b"text");
    }
    guard.run(&shell("rm copy; mkfifo copy; ln -s /dev/zero zero")).unwrap();
    assert!(guard.read("copy").is_none() && guard.read("zero").is_none());
}

fn another_thread_can_end_it(level: Level) {
    let mut guard = guard(level);
    let scratch = guard.scratch().to_owned();
    let canceller = guard.canceller().unwrap();
    let time = unique();
    let job = shell(&format!("touch ready; sleep {time}"));
    std::thread::scope(|scope| {
        let running = scope.spawn(|| guard.run(&job));
        soon("the job runs", || scratch.join("ready").exists());
        canceller.cancel();
        assert!(matches!(running.join().unwrap(), Err(GuardError::Ended)));
    });
    drop(guard);
    assert!(!scratch.exists());
    assert_eq!(alive(&time), BTreeSet::new());
}

fn writes_outside_are_forbidden(level: Level) {
    let mut guard = guard(level);
    if !guard.layers().writes.is_active() {
        howler_testkit::skip(&format!("writes: {}", guard.layers().writes));
        return;
    }
    let outside = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).or_else(|_| tempfile::tempdir()).unwrap();
    if level == Level::Subreaper && outside.path().starts_with("/tmp") {
        return howler_testkit::skip("the target folder is in /tmp, which is not private without namespaces");
    }
    fs::write(outside.path().join("old"), "old").unwrap();
    let path = outside.path().display();
    for script in [
        format!("echo x > {path}/new"),
        format!("echo x >> {path}/old"),
        format!("rm {path}/old"),
        format!("mkdir {path}/folder"),
        format!("touch here; ln here {path}/link"),
        format!("mv {path}/old here"),
    ] {
        assert!(!guard.run(&shell(&script)).unwrap().success(), "{script}");
    }
    assert_eq!(fs::read_to_string(outside.path().join("old")).unwrap(), "old");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    let allowed = format!("cat {path}/old > here; echo x > /dev/null; mkdir d; mv here d/there; cat d/there");
    assert_eq!(guard.run(&shell(&allowed)).unwrap().stdout, b"old");
}

fn tmp_is_private() {
    let mut guard = guard(Level::Best);
    if !guard.layers().writes.to_string().contains("private /tmp") {
        howler_testkit::skip(&format!("/tmp: {}", guard.layers().writes));
        return;
    }
    let name = unique();
    let seen = tempfile::tempdir_in("/tmp").unwrap();
    let file = seen.path().join("file");
    fs::write(&file, "old").unwrap();
    let file = file.display();
    for _ in 0..3 {
        // What was there is seen; what is written is not, elsewhere, and goes.
        let script = format!("cat {file}; echo x > /tmp/{name}; mkdir /tmp/{name}d; cat /tmp/{name}");
        let done = guard.run(&shell(&script)).unwrap();
        assert_eq!(String::from_utf8_lossy(&done.stdout), "oldx\n", "{done:?}");
        assert!(!Path::new("/tmp").join(&name).exists());
        guard.clear().unwrap();
        let gone = format!("test ! -e /tmp/{name} && test ! -e /tmp/{name}d && echo x > $TMPDIR/y");
        let done = guard.run(&shell(&gone)).unwrap();
        assert!(done.success(), "{done:?}");
    }
    let done = guard.run(&shell(&format!("echo new > {file} || cat {file}"))).unwrap();
    assert_eq!(done.stdout, b"old", "{done:?}");
    // What happens there is seen.
    fs::write(seen.path().join("file"), "new").unwrap();
    let later = tempfile::tempdir_in("/tmp").unwrap();
    fs::write(later.path().join("x"), "later").unwrap();
    let script = format!("cat {file} {}/x", later.path().display());
    assert_eq!(guard.run(&shell(&script)).unwrap().stdout, b"newlater");
    // Links are for jobs to remove, for a while.
    let script = format!("rm {0}; mkdir {0}", later.path().display());
    assert!(guard.run(&shell(&script)).unwrap().success());
    guard.clear().unwrap();
    let script = format!("cat {}/x", later.path().display());
    assert_eq!(guard.run(&shell(&script)).unwrap().stdout, b"later");
    drop(later);
    assert!(!guard.run(&shell(&script)).unwrap().success());
}

fn the_network_is_out_of_reach(level: Level) {
    let mut guard = guard(level);
    if !guard.layers().network.is_active() {
        howler_testkit::skip(&format!("network: {}", guard.layers().network));
        return;
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let text = format!(
        "#include <sys/socket.h>\n#include <netinet/in.h>\n#include <arpa/inet.h>\nint main(void) {{ struct sockaddr_in a = {{ .sin_family = AF_INET, .sin_port = htons({port}), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) }}; int s = socket(AF_INET, SOCK_STREAM, 0); return connect(s, (void *)&a, sizeof a) ? 3 : 0; }}"
    );
    let job = compiled(&mut guard, &text);
    assert_eq!(guard.run(&job).unwrap().end, End::Exited(3));
}

fn many_jobs_leak_nothing(level: Level) {
    let mut guard = guard(level);
    let server = fs::read_to_string(format!("/proc/{0}/task/{0}/children", guard.id())).unwrap();
    let open = || fs::read_dir(format!("/proc/{}/fd", server.trim())).unwrap().count();
    let before = open();
    for round in 0..300 {
        let mut job = shell(if round % 3 == 0 { "sleep 100 & exit 1" } else { "cat" });
        job.stdin = Input::Bytes(b"x".to_vec());
        guard.run(&job).unwrap();
    }
    assert_eq!(open(), before);
    let children = format!("/proc/{0}/task/{0}/children", server.trim());
    assert_eq!(fs::read_to_string(children).unwrap(), "");
}

/// Not a test: what the guard costs for each job. `cargo test --test guard -- --ignored --nocapture speed`
fn speed() {
    const JOBS: u32 = 2000;
    let own_cpu = |pid: &str| -> Duration {
        let stat = fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap();
        Duration::from_nanos(stat.split_whitespace().next().unwrap().parse().unwrap())
    };
    let start = (Instant::now(), own_cpu("thread-self"));
    for _ in 0..JOBS {
        assert!(Command::new("/bin/true").stdin(Stdio::null()).status().unwrap().success());
    }
    println!(
        "plain spawn and wait: {:?} wall, {:?} own CPU a job",
        start.0.elapsed() / JOBS,
        (own_cpu("thread-self") - start.1) / JOBS
    );
    for level in [Level::Best, Level::Subreaper] {
        let start = Instant::now();
        (0..20).for_each(|_| drop(guard(level)));
        println!("{level:?}: a guard starts and ends in {:?}", start.elapsed() / 20);
        let mut guard = guard(level);
        let server = fs::read_to_string(format!("/proc/{0}/task/{0}/children", guard.id())).unwrap();
        let job = Job::new("/bin/true");
        for size in [1, 10] {
            let (start, server_before, own_before) =
                (Instant::now(), own_cpu(server.trim()), own_cpu("thread-self"));
            for _ in 0..JOBS / size {
                let done = guard.batch(vec![vec![job.clone(); size as usize]]).unwrap();
                assert!(done[0].last().unwrap().success());
            }
            println!(
                "{level:?}, {size} a request: {:?} wall, {:?} CPU of the guard and {:?} of the client a job",
                start.elapsed() / JOBS,
                (own_cpu(server.trim()) - server_before) / JOBS,
                (own_cpu("thread-self") - own_before) / JOBS,
            );
        }
    }
}
