//! Hunts tell bugs apart by what is left of their programs: a corpus of twelve programs with six known bugs of tcc and pcc, two
//! each, gives six findings, whose programs are small.

mod common;

use std::path::Path;

use common::{Lair, found, rows};
use howler_testkit::tool;
use serde_json::Value;

/// How many bugs the programs of `tests/apart` have; what each of them is stands in its first line.
const BUGS: usize = 6;

#[test]
fn two_programs_with_a_bug_are_one_finding() {
    if tool("tcc").is_none() || tool("pcc").is_none() {
        return;
    }
    let lair = Lair::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/apart");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        lair.write(&format!("corpus/{name}"), std::fs::read(entry.path()).unwrap());
        names.push(name);
    }
    assert_eq!(names.len(), 2 * BUGS);
    let args =
        ["hunt", "--dir", "hunt", "--cc", "tcc", "--cc", "pcc", "--level", "-O0", "--corpus", "corpus"];
    let output = lair.howler(args.into_iter().chain(["--swarm", "0", "--extras", "0", "--json"]));
    let found = found(&output);
    let said = || format!("{}\n{}", output.stdout_text(), output.stderr_text());
    assert!(found.iter().all(|(kind, confirmed)| kind == "wrong-code" && *confirmed), "{}", said());
    assert_eq!(found.len(), BUGS, "{}", said());
    // Each of them was seen in both programs that have it.
    let rows = rows(&lair.path("hunt"));
    assert_eq!(rows.lines().filter(|line| line.starts_with("sighting ")).count(), 2 * BUGS, "{rows}");
    // Nobody has to read much, and the program that was hunted with is there too.
    for entry in std::fs::read_dir(lair.path("hunt/findings")).unwrap().flatten() {
        let data: Value =
            serde_json::from_slice(&std::fs::read(entry.path().join("finding.json")).unwrap()).unwrap();
        let [name] = &data["files"].as_array().unwrap()[..] else { panic!("one file: {data}") };
        let name = name.as_str().unwrap();
        let small = std::fs::read_to_string(entry.path().join(name)).unwrap();
        assert!(small.lines().count() <= 30, "{small}");
        let large = std::fs::read_to_string(entry.path().join(format!("original-{name}"))).unwrap();
        assert!(large.starts_with("/* ") && large.len() > small.len(), "{large}");
        let readme = std::fs::read_to_string(entry.path().join("README.txt")).unwrap();
        assert!(readme.contains("note: made smaller from"), "{readme}");
    }
    lair.assert_nothing_left();
}
