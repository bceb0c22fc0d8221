//! Weights as an option's value: only what is not as the technique's text of weights has it, in one spelling.

use howler_choices::weights::WeightTables;
use howler_lang::suggest;

/// A weight that somebody changed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Change {
    /// The row.
    pub row: String,
    /// The item in it.
    pub item: String,
    /// Its weight.
    pub weight: u32,
}

/// The word for no change at all.
const NONE: &str = "default";

/// Reads `row.item=9+row.other=0`.
pub(super) fn read(all: &str, text: &str) -> Result<Vec<Change>, String> {
    let tables = WeightTables::parse(all).map_err(|error| error.to_string())?;
    let mut changed = tables.clone();
    for one in text.split('+').filter(|_| text != NONE) {
        let parts = one.split_once('=').and_then(|(name, weight)| Some((name.split_once('.')?, weight)));
        let Some(((row, item), weight)) = parts else {
            return Err(format!("'{one}' is not ROW.ITEM=NUMBER"));
        };
        let weight =
            weight.parse().map_err(|_| format!("'{weight}' is no weight: a whole number below 2^32"))?;
        if !changed.set(row, item, weight) {
            let names: Vec<String> = tables.all().map(|(row, item, _)| format!("{row}.{item}")).collect();
            let hint = suggest::hint(&format!("{row}.{item}"), names.iter().map(String::as_str));
            return Err(format!("there is no weight '{row}.{item}'{hint}"));
        }
    }
    Ok(between(&tables, &changed))
}

/// The changes that make one text of weights of another, which has the same rows and items.
fn between(tables: &WeightTables, changed: &WeightTables) -> Vec<Change> {
    let pairs = tables.all().zip(changed.all()).filter(|(old, new)| old.2 != new.2);
    pairs.map(|(_, (row, item, weight))| Change { row: row.into(), item: item.into(), weight }).collect()
}

pub(super) fn written(changes: &[Change]) -> String {
    if changes.is_empty() {
        return NONE.to_owned();
    }
    let words: Vec<String> =
        changes.iter().map(|change| format!("{}.{}={}", change.row, change.item, change.weight)).collect();
    words.join("+")
}

/// The value of an option for which a whole text of weights is given, as a file may have it.
///
/// # Errors
/// It is no such text, or has other rows or items.
pub fn of_text(all: &str, text: &str) -> Result<String, String> {
    let tables = WeightTables::parse(all).map_err(|error| error.to_string())?;
    let given = WeightTables::parse(text).map_err(|error| error.to_string())?;
    let mut changed = tables.clone();
    for (row, item, weight) in given.all() {
        if !changed.set(row, item, weight) {
            return Err(format!("there is no weight '{row}.{item}'"));
        }
    }
    Ok(written(&between(&tables, &changed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &str = "a: x=1 y=2\nb: z=3\n";

    #[test]
    fn changes_have_one_spelling() {
        let read = |text| read(ALL, text).map(|changes| written(&changes));
        assert_eq!(read("default").unwrap(), "default");
        assert_eq!(read("b.z=4+a.x=1+a.y=0").unwrap(), "a.y=0+b.z=4");
        assert!(read("a.w=1").unwrap_err().starts_with("there is no weight 'a.w'"));
        assert_eq!(read("a.x").unwrap_err(), "'a.x' is not ROW.ITEM=NUMBER");
        assert_eq!(read("a.x=-1").unwrap_err(), "'-1' is no weight: a whole number below 2^32");
    }

    #[test]
    fn a_file_may_say_some_of_them() {
        assert_eq!(of_text(ALL, "a: y=7\n").unwrap(), "a.y=7");
        assert!(of_text(ALL, "c: y=7\n").is_err() && of_text(ALL, "nothing").is_err());
    }
}
