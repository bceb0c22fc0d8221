//! What README.md shows is what the command prints.
#![allow(clippy::disallowed_methods, reason = "the tested program is our own binary")]

use std::process::Command;

#[test]
fn the_readme_shows_real_output() {
    if howler_testkit::tool("gcc").is_none() {
        return;
    }
    let root = howler_testkit::workspace();
    let readme = std::fs::read_to_string(root.join("README.md")).expect("README.md is there");
    let mut shown = 0;
    for block in readme.split("```\n").filter(|block| block.starts_with("$ howler ")) {
        let (command, expected) = block.split_once('\n').expect("a command and its output");
        let arguments = command["$ howler ".len()..].split_whitespace();
        let output = Command::new(env!("CARGO_BIN_EXE_howler"))
            .args(arguments)
            .current_dir(root)
            .output()
            .expect("howler starts");
        let actual = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert_eq!(actual, expected, "{command}");
        shown += 1;
    }
    assert!(shown >= 4, "{shown}");
    let example = std::fs::read_to_string(root.join("examples/alias.c")).expect("the example is there");
    assert!(readme.contains(&example), "README.md shows examples/alias.c");
}
