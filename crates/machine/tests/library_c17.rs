//! Which functions of C17's library are modelled: `library/c17.txt` is the list, and stays true.

use howler_machine::is_modelled;
use std::collections::BTreeMap;

/// Header, function, and whether the list says that it is modelled.
fn listed() -> Vec<(String, String, bool)> {
    let text = include_str!("library/c17.txt");
    let mut header = String::new();
    let mut functions = Vec::new();
    for word in text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace) {
        if let Some(name) = word.strip_suffix(':') {
            header = name.to_owned();
            continue;
        }
        let name = word.strip_prefix('-').unwrap_or(word);
        functions.push((header.clone(), name.to_owned(), name == word));
    }
    functions
}

#[test]
fn the_list_says_what_is_modelled() {
    let wrong: Vec<_> =
        listed().into_iter().filter(|(_, name, modelled)| is_modelled(name) != *modelled).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn most_of_the_library_is_modelled() {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (header, _, modelled) in listed() {
        let count = counts.entry(header).or_default();
        count.0 += usize::from(modelled);
        count.1 += 1;
    }
    for (header, (modelled, all)) in &counts {
        println!("{header}: {modelled} of {all}");
    }
    let sum = counts.values().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    println!("all: {} of {}", sum.0, sum.1);
    assert!(sum.0 * 2 > sum.1);
}
