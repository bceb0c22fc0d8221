//! Things that are run by name: benchmarks and surveys.

use anyhow::{Result, bail};

/// Something that can be run by its name.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) run: fn() -> Result<()>,
}

/// The names with what they do, one per line.
pub(crate) fn list(entries: &[Entry]) -> String {
    entries.iter().map(|entry| format!("  {:<18} {}\n", entry.name, entry.about)).collect()
}

/// The entry called `name`; `kind` says in the error what there is none of.
pub(crate) fn find<'a>(entries: &'a [Entry], kind: &str, name: &str) -> Result<&'a Entry> {
    match entries.iter().find(|entry| entry.name == name) {
        Some(entry) => Ok(entry),
        None => bail!("there is no {kind} `{name}`; these exist:\n{}", list(entries).trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let entries = [Entry { name: "one", about: "the first", run: || Ok(()) }];
        let error = find(&entries, "benchmark", "nothing").err().expect("it is unknown").to_string();
        assert!(error.starts_with("there is no benchmark `nothing`") && error.contains("one"));
    }
}
