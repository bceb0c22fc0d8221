//! Checks who depends on whom: the table `crate | uses` of ARCHITECTURE.md against `cargo metadata`.
//!
//! A crate may use what its row names and whatever those may use. Dev-dependencies are free. A row for a crate that
//! does not exist yet is fine; a crate without a row is not.

use crate::{cargo, root};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A document that nobody reads to the end is no map.
const MOST_LINES: usize = 250;

/// What the table calls by one name.
const TECHNIQUES: &[&str] = &["smith", "yarp", "orange", "spe", "emi"];

/// Never part of Howler itself, so not meant by `all`.
const AUTOMATION: &[&str] = &["testkit", "xtask"];

type Uses = BTreeMap<String, BTreeSet<String>>;

/// Fails with all wrong edges.
pub(crate) fn check() -> Result<()> {
    let document = std::fs::read_to_string(root().join("ARCHITECTURE.md")).context("ARCHITECTURE.md")?;
    let lines = document.lines().count();
    if lines > MOST_LINES {
        bail!("ARCHITECTURE.md has {lines} lines, more than {MOST_LINES}");
    }
    let allowed = closure(&parse_table(&document)?);
    let wrong = wrong_edges(&allowed, &real_edges()?);
    if !wrong.is_empty() {
        bail!("against the table in ARCHITECTURE.md:\n  {}", wrong.join("\n  "));
    }
    Ok(())
}

fn wrong_edges(allowed: &Uses, real: &Uses) -> Vec<String> {
    let mut wrong = Vec::new();
    for (user, used) in real {
        let Some(allowed) = allowed.get(user) else {
            wrong.push(format!("`{user}` has no row"));
            continue;
        };
        wrong.extend(used.difference(allowed).map(|used| format!("`{user}` must not use `{used}`")));
    }
    wrong
}

/// The table's rows, as written. Fails on anything it does not understand, so that no row goes unchecked.
fn parse_table(document: &str) -> Result<Uses> {
    let rows: Vec<(Vec<String>, &str)> = document
        .lines()
        .skip_while(|line| !line.replace(' ', "").starts_with("|crate|uses|"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let mut cells = line.trim_matches('|').split('|');
            let crates = cells.next().unwrap_or_default().split(',').map(plain).collect();
            (crates, cells.next().unwrap_or_default())
        })
        .collect();
    if rows.is_empty() {
        bail!("ARCHITECTURE.md has no table `| crate | uses |`");
    }
    let known: Vec<String> = rows.iter().flat_map(|(crates, _)| crates.clone()).collect();
    let mut uses = Uses::new();
    for (crates, cell) in &rows {
        for user in crates {
            let used =
                parse_uses(user, crates, cell, &known).with_context(|| format!("the row of `{user}`"))?;
            if uses.insert(user.clone(), used).is_some() {
                bail!("ARCHITECTURE.md has two rows for `{user}`");
            }
        }
    }
    Ok(uses)
}

/// A cell: `–`, `all`, `the techniques`, names, and `x also y` for one crate of a row that has several.
fn parse_uses(user: &str, row: &[String], cell: &str, known: &[String]) -> Result<BTreeSet<String>> {
    let mut used = BTreeSet::new();
    // The closure adds what is below in any case.
    let cell = cell.replace("(and what is below)", "");
    for part in cell.split([',', ';']).map(plain) {
        let (applies, part) = match part.split_once(" also ") {
            Some((only, _)) if !row.contains(&plain(only)) => bail!("`{only}` is not in this row"),
            Some((only, more)) => (plain(only) == user, plain(more)),
            None => (true, part),
        };
        let names: Vec<&str> = match part.as_str() {
            "–" => Vec::new(),
            "all" => known.iter().map(String::as_str).filter(|name| !AUTOMATION.contains(name)).collect(),
            "the techniques" => TECHNIQUES.to_vec(),
            name => vec![name],
        };
        if let Some(unknown) = names.iter().find(|name| !known.iter().any(|known| known == *name)) {
            bail!("`{unknown}` is no crate of the table");
        }
        if applies {
            used.extend(names.into_iter().filter(|&name| name != user).map(str::to_owned));
        }
    }
    Ok(used)
}

fn plain(cell: &str) -> String {
    cell.replace('`', "").trim().to_owned()
}

/// Adds to each crate's uses what those may use.
fn closure(uses: &Uses) -> Uses {
    let mut closed = Uses::new();
    for user in uses.keys() {
        let mut reached = BTreeSet::new();
        let mut open = vec![user];
        while let Some(next) = open.pop() {
            open.extend(uses.get(next).into_iter().flatten().filter(|used| reached.insert((*used).clone())));
        }
        closed.insert(user.clone(), reached);
    }
    closed
}

/// The workspace's normal and build dependencies among its own crates, by their short names.
fn real_edges() -> Result<Uses> {
    let output = cargo()
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("`cargo metadata` failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).context("the output of cargo metadata")?;
    edges_of(&metadata).context("cargo metadata has another shape than expected")
}

fn edges_of(metadata: &Value) -> Option<Uses> {
    let short = |name: &str| name.strip_prefix("howler-").unwrap_or(name).to_owned();
    let packages = metadata["packages"].as_array()?;
    let members: BTreeSet<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut edges = Uses::new();
    for package in packages {
        let mut used = BTreeSet::new();
        for dependency in package["dependencies"].as_array()? {
            let name = dependency["name"].as_str()?;
            if dependency["kind"].as_str() != Some("dev") && members.contains(name) {
                used.insert(short(name));
            }
        }
        edges.insert(short(package["name"].as_str()?), used);
    }
    Some(edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const TABLE: &str = "
| crate | uses | owns |
|---|---|---|
| `choices` | – | decisions |
| `lang` | choices | the model |
| `syntax` | – | text |
| `machine` | lang | meaning |
| `smith`, `yarp`, `orange` | machine (and what is below) | programs |
| `spe`, `emi` | machine; spe also syntax | programs |
| `campaign` | the techniques | work |
| `howler` | all | glue |
| `testkit` | – | tests |
| `xtask` | all, testkit | automation |
";

    fn uses(of: &str) -> Vec<String> {
        closure(&parse_table(TABLE).expect("a table"))[of].iter().cloned().collect()
    }

    #[test]
    fn rows_mean_what_they_say() {
        assert_eq!(uses("choices"), [""; 0]);
        assert_eq!(uses("yarp"), ["choices", "lang", "machine"]);
        assert_eq!(uses("emi"), ["choices", "lang", "machine"]);
        assert_eq!(uses("spe"), ["choices", "lang", "machine", "syntax"]);
        assert_eq!(uses("campaign").len(), 9);
        assert!(!uses("howler").contains(&"testkit".to_owned()));
        assert!(uses("xtask").contains(&"testkit".to_owned()));
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        let error = |from: &str, to: &str| {
            let table = TABLE.replace(from, to);
            format!("{:#}", parse_table(&table).expect_err(to))
        };
        assert_eq!(error("| lang |", "| langs |"), "the row of `machine`: `langs` is no crate of the table");
        assert_eq!(error("spe also", "smith also"), "the row of `spe`: `smith` is not in this row");
        assert_eq!(error("`syntax`", "`lang`"), "ARCHITECTURE.md has two rows for `lang`");
        assert_eq!(
            error("| crate | uses", "| crate | needs"),
            "ARCHITECTURE.md has no table `| crate | uses |`"
        );
    }

    #[test]
    fn wrong_edges_are_found_and_dev_ones_are_free() {
        let metadata = json!({"packages": [
            {"name": "howler-choices", "dependencies": [{"name": "howler-testkit", "kind": "dev"}]},
            {"name": "howler-testkit", "dependencies": []},
            {"name": "howler-lang", "dependencies": [
                {"name": "howler-choices", "kind": null},
                {"name": "howler-syntax", "kind": null},
                {"name": "howler-testkit", "kind": "build"},
                {"name": "thiserror", "kind": null},
            ]},
            {"name": "howler-syntax", "dependencies": []},
            {"name": "howler-more", "dependencies": []},
        ]});
        let allowed = closure(&parse_table(TABLE).expect("a table"));
        let wrong = wrong_edges(&allowed, &edges_of(&metadata).expect("metadata"));
        let expected = ["`lang` must not use `syntax`", "`lang` must not use `testkit`", "`more` has no row"];
        assert_eq!(wrong, expected);
    }
}
