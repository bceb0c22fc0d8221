//! A hunt as lines: for pipes, files and `--json`.

use howler_campaign::status::{Event, Found, Status, Tested};
use howler_campaign::verdict::Verdict;
use howler_oracle::judge::Word;
use serde_json::{Value, json};

use super::legend;
use super::screen::span;

/// The form of the JSON events; a change that a reader must know of makes it greater.
pub const VERSION: u32 = 1;

/// Seconds between two lines that only say that work goes on.
pub const INTERVAL: f64 = 10.0;

/// What an event is worth telling in words; most are not.
pub fn line(now: f64, event: &Event) -> Option<String> {
    let at = span(now);
    match event {
        Event::Found(found) => Some(format!("[{at}] {}\n", found_line(found))),
        Event::Trouble(what) => Some(format!("[{at}] trouble: {what}\n")),
        Event::Tested(_) | Event::SeenAgain { .. } | Event::Working { .. } => None,
    }
}

/// One line on something found.
pub fn found_line(found: &Found) -> String {
    let id = found.id.to_string();
    let apart = if found.confirmed { "" } else { "not counted: " };
    format!("{apart}{} {} {}", found.kind, &id[..10], found.title)
}

/// The line that says that work goes on.
pub fn progress(status: &Status) -> String {
    let rate: f64 = status.arms.keys().map(|arm| status.rate(arm)).sum();
    let findings = status.findings().count();
    let mut text = format!(
        "[{}] {}, {rate:.1}/s, {}, howler {:.1} % of the time",
        span(status.elapsed),
        several(status.tests_done(), "test"),
        several(findings as u64, "finding"),
        status.cpu.overhead()
    );
    for what in status.working.values() {
        text.push_str(&format!("; {what}"));
    }
    text.push('\n');
    text
}

/// `1 test`, `2 tests`
pub fn several(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// What is said at the end.
pub fn summary(status: &Status) -> String {
    let mut text = format!("{} in {}", several(status.tests_done(), "test"), span(status.elapsed));
    let verdicts: Vec<String> =
        status.verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    if !verdicts.is_empty() {
        text.push_str(&format!(" ({})", verdicts.join(", ")));
    }
    text.push('\n');
    text.push_str(&arms(status));
    for verdict in status.verdicts.keys().filter(|verdict| **verdict != Verdict::Judged(Word::Defined)) {
        text.push_str(&format!("  {verdict}: {}\n", legend::meaning(*verdict)));
        for example in status.examples.get(verdict).into_iter().flatten() {
            text.push_str(&format!("    {example}\n"));
        }
    }
    let earlier: u64 = status.arms.values().map(|arm| arm.total - arm.tests).sum();
    if status.tests_done() == 0 && earlier > 0 {
        text.push_str(&format!("no test was done now; earlier hunts did {earlier}\n"));
    }
    let new: Vec<&Found> = status.findings().filter(|found| found.at.is_some()).collect();
    let apart = status.found.iter().filter(|found| !found.confirmed && found.at.is_some()).count();
    let old = status.findings().count() - new.len();
    match new.len() as u64 {
        0 => text.push_str("nothing new found\n"),
        count => text.push_str(&format!("{}:\n", several(count, "new finding"))),
    }
    for found in &new {
        text.push_str(&format!("  {} (seen {})\n", found_line(found), several(found.seen, "time")));
    }
    for what in status.working.values() {
        text.push_str(&format!("cut off: {what}; a longer hunt does that test again\n"));
    }
    if old > 0 {
        text.push_str(&format!("{old} known from earlier hunts\n"));
    }
    if apart > 0 {
        text.push_str(&format!(
            "{apart} suspects, disputed or flaky ones are kept apart: howler findings list --all\n"
        ));
    }
    for trouble in status.troubles.iter().chain(&status.barren()) {
        text.push_str(&format!("trouble: {trouble}\n"));
    }
    if let Some(first) = new.first() {
        let id = first.id.to_string();
        text.push_str(&format!("see one with: howler findings show {} --dir {}\n", &id[..10], status.folder));
    }
    text
}

/// What each source cost and gave, if there are several.
fn arms(status: &Status) -> String {
    let busy: Vec<_> = status.arms.iter().filter(|(_, arm)| arm.tests + arm.deferred > 0).collect();
    let all: f64 = busy.iter().map(|(_, arm)| arm.seconds).sum();
    if busy.len() < 2 && busy.iter().all(|(_, arm)| arm.deferred == 0) {
        return String::new();
    }
    let line = |(name, arm): (&String, &howler_campaign::status::ArmStatus)| {
        let share = if all > 0.0 { 100.0 * arm.seconds / all } else { 0.0 };
        let mut line =
            format!("  {name}: {} in {share:.0} % of the time, {} new", several(arm.tests, "test"), arm.new);
        if arm.deferred > 0 {
            line.push_str(&format!(", {} put off: slow to compile, or to make small", arm.deferred));
        }
        line + "\n"
    };
    busy.into_iter().map(line).collect()
}

/// An event for scripts.
pub fn json(now: f64, event: &Event) -> Value {
    let mut value = match event {
        Event::Tested(tested) => tested_json(tested),
        Event::Found(found) => json!({
            "event": "found",
            "id": found.id.to_string(),
            "signature": found.signature.to_string(),
            "kind": found.kind,
            "confirmed": found.confirmed,
            "title": found.title,
        }),
        Event::SeenAgain { signature } => {
            json!({ "event": "seen-again", "signature": signature.to_string() })
        }
        Event::Working { worker, what } => json!({ "event": "working", "worker": worker, "what": what }),
        Event::Trouble(what) => json!({ "event": "trouble", "what": what }),
    };
    value["seconds"] = json!((now * 1000.0).round() / 1000.0);
    value
}

fn tested_json(tested: &Tested) -> Value {
    let compilers: serde_json::Map<String, Value> = tested
        .compilers
        .iter()
        .map(|(name, counts)| {
            let counts =
                json!({ "builds": counts.builds, "runs": counts.runs, "sightings": counts.sightings });
            (name.clone(), counts)
        })
        .collect();
    json!({
        "event": "tested",
        "generator": tested.arm,
        "index": tested.index,
        "test": tested.title,
        "origin": tested.origin,
        "verdict": tested.said(),
        "again": tested.again,
        "new": tested.new,
        "why": tested.why,
        "compilers": compilers,
        "cpu": cpu_json(&tested.cpu),
    })
}

/// Processor time by whose it was.
pub fn cpu_json(cpu: &howler_campaign::status::Cpu) -> Value {
    json!({
        "compilers": cpu.compilers,
        "programs": cpu.programs,
        "generators": cpu.generators,
        "second_looks": cpu.second_looks,
        "howler": cpu.howler,
    })
}

/// What is said at the end, for scripts.
pub fn summary_json(status: &Status, idle: Option<&str>) -> Value {
    let findings: Vec<Value> = status
        .found
        .iter()
        .map(|found| {
            json!({
                "id": found.id.to_string(),
                "kind": found.kind,
                "confirmed": found.confirmed,
                "title": found.title,
                "new": found.at.is_some(),
                "seen": found.seen,
            })
        })
        .collect();
    let generators: serde_json::Map<String, Value> = (status.arms.iter())
        .map(|(name, arm)| {
            let counts = json!({
                "tests": arm.tests,
                "defined": arm.defined,
                "deferred": arm.deferred,
                "new": arm.new,
                "cpu": arm.seconds,
            });
            (name.clone(), counts)
        })
        .collect();
    let verdicts: serde_json::Map<String, Value> =
        (status.verdicts.iter()).map(|(verdict, count)| (verdict.name().to_owned(), json!(count))).collect();
    json!({
        "event": "ended",
        "seconds": status.elapsed,
        "tests": status.tests_done(),
        "idle": idle,
        "verdicts": verdicts,
        "generators": generators,
        "cpu": cpu_json(&status.cpu),
        "found": findings,
        "troubles": status.troubles.iter().cloned().chain(status.barren()).collect::<Vec<_>>(),
    })
}
