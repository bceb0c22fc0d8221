//! A hunt in parts: four shards, merged in any order and more than once, are the hunt in one piece, row for row.

mod common;

use common::{Lair, TCC_BUG, assert_same_rows, rows};
use howler_testkit::{soak, tool};

/// Four blocks, one for each part.
const TESTS: &str = "256";

fn hunt(lair: &Lair, folder: &str, more: &[&str]) {
    let mut args = vec!["hunt", "--dir", folder, "--cc", "tcc", "--corpus", "corpus", "--tests", TESTS];
    args.extend(["--gen", "orange:operations=10..20", "--json"]);
    // The long version has random flags too.
    match soak() && tool("gcc-12").is_some() {
        true => args.extend(["--cc", "gcc-12", "--swarm", "25"]),
        false => args.extend(["--swarm", "0"]),
    }
    args.extend(more);
    let output = lair.howler(args);
    assert!(matches!(output.code, Some(0 | 1)), "{}", output.stderr_text());
}

/// A crash whose message has addresses in it, which are others each time.
#[test]
fn the_same_hunt_gives_the_same_rows() {
    if tool("gcc-12").is_none() {
        return;
    }
    let lair = Lair::new();
    lair.write("corpus/crash.c", "int main(void) { return (_Bool)(4, 5); }\n");
    for folder in ["one", "two"] {
        let args =
            ["hunt", "--dir", folder, "--cc", "gcc-12", "--corpus", "corpus", "--swarm", "0", "--json"];
        let output = lair.howler(args);
        assert_eq!(output.code, Some(1), "{}", output.stderr_text());
    }
    assert_same_rows(&rows(&lair.path("one")), &rows(&lair.path("two")), "done again");
    lair.assert_nothing_left();
}

#[test]
fn four_parts_are_the_whole() {
    if tool("tcc").is_none() {
        return;
    }
    let lair = Lair::new();
    for number in 0..160 {
        // The same bug in every part: the merge must choose the one that the whole hunt chooses.
        let text = match number {
            40 | 45 | 100 | 130 | 150 => format!("int unused{number};\n{TCC_BUG}"),
            110 => "int main(void) { return (__int128) 7 != 7; }\n".to_owned(),
            _ => format!("int main(void) {{ return {}; }}\n", number % 120),
        };
        lair.write(&format!("corpus/{number:03}.c"), text);
    }
    hunt(&lair, "whole", &["--jobs", "2"]);
    let whole = rows(&lair.path("whole"));
    assert_eq!(whole.lines().filter(|line| line.starts_with("test ")).count(), 160 + 256);
    assert!(whole.lines().any(|line| line.starts_with("finding ")), "{whole}");
    // Another number of workers, another order of work: the same rows.
    for part in ["1/4", "2/4", "3/4", "4/4"] {
        hunt(&lair, &format!("part{}", &part[..1]), &["--shard", part, "--jobs", "3"]);
    }
    let tests: Vec<usize> = (1..=4)
        .map(|part| {
            rows(&lair.path(&format!("part{part}"))).lines().filter(|line| line.starts_with("test ")).count()
        })
        .collect();
    assert_eq!(tests, [64 + 64, 64 + 64, 32 + 64, 64]);
    let orders = [["part1", "part2", "part3", "part4"], ["part4", "part2", "part3", "part1"]];
    for (number, order) in orders.into_iter().enumerate() {
        let all = format!("all{number}");
        let mut args = vec!["merge", all.as_str()];
        args.extend(order);
        for _ in 0..2 {
            let output = lair.howler(&args);
            assert_eq!(output.code, Some(0), "{}", output.stderr_text());
            assert_same_rows(&whole, &rows(&lair.path(&all)), "merged");
        }
    }
    // In steps, and on top of a part.
    for from in ["part1", "part4", "part2"] {
        let output = lair.howler(["merge", "part3", from]);
        assert_eq!(output.code, Some(0), "{}", output.stderr_text());
    }
    assert_same_rows(&whole, &rows(&lair.path("part3")), "merged into a part");
    // What was merged is done: going on finds nothing left to do.
    hunt(&lair, "part3", &[]);
    assert_same_rows(&whole, &rows(&lair.path("part3")), "gone on after the merge");
    lair.assert_nothing_left();
}
