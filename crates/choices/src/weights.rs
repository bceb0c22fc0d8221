//! Weights as data: how likely each item of a list is, read from text and checked against the code's own list.
//!
//! ```text
//! # What a statement is.
//! statement: assign=40 if=20 for=10
//!            return=5 goto=0
//! ```
//!
//! A row is a name, a colon, and items with whole numbers. A line that starts with white space continues the row
//! above; `#` starts a comment. The order in the text means nothing: the code's list of items gives the indices.

use std::collections::BTreeMap;
use std::fmt;

/// One row of weights, by index; at least one is not 0.
///
/// ```
/// use howler_choices::weights::Weights;
/// let weights = Weights::new(&[3, 0, 1]).expect("a weight is not 0");
/// assert_eq!(weights.get(2), 1);
/// assert_eq!(Weights::new(&[0, 0]), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights(Vec<u32>);

impl Weights {
    /// The weights of indices 0, 1, 2…; `None` if all are 0.
    ///
    /// ```
    /// use howler_choices::weights::Weights;
    /// assert!(Weights::new(&[1]).is_some());
    /// assert!(Weights::new(&[]).is_none());
    /// ```
    pub fn new(weights: &[u32]) -> Option<Weights> {
        weights.iter().any(|&weight| weight > 0).then(|| Weights(weights.to_vec()))
    }

    /// The weight of an index; 0 beyond the end.
    ///
    /// ```
    /// use howler_choices::weights::Weights;
    /// let weights = Weights::new(&[3]).expect("a weight is not 0");
    /// assert_eq!((weights.get(0), weights.get(1)), (3, 0));
    /// ```
    pub fn get(&self, index: usize) -> u32 {
        self.0.get(index).copied().unwrap_or(0)
    }

    /// The indices whose weight is not 0, in order.
    pub(crate) fn positive(&self) -> impl Iterator<Item = (usize, u128)> {
        self.0.iter().enumerate().filter(|&(_, &weight)| weight > 0).map(|(index, &w)| (index, u128::from(w)))
    }
}

/// The rows of a text.
///
/// ```
/// use howler_choices::weights::WeightTables;
/// let tables = WeightTables::parse("sign: minus=1 plus=3\n")?;
/// let signs = tables.row("sign", &["plus", "minus"])?;
/// assert_eq!((signs.get(0), signs.get(1)), (3, 1));
/// # Ok::<(), howler_choices::weights::WeightsError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WeightTables {
    rows: BTreeMap<String, BTreeMap<String, u32>>,
}

impl WeightTables {
    /// Reads a text; the module's documentation has the format.
    ///
    /// ```
    /// use howler_choices::weights::WeightTables;
    /// let error = WeightTables::parse("sign: plus=many").expect_err("no number");
    /// assert_eq!(error.to_string(), "line 1: the weight of `plus` is `many`, not a whole number below 2^32");
    /// ```
    pub fn parse(text: &str) -> Result<WeightTables, WeightsError> {
        let mut rows: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
        let mut current: Option<String> = None;
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let line = line.split('#').next().unwrap_or_default();
            if line.trim().is_empty() {
                continue;
            }
            let items = if line.starts_with(char::is_whitespace) {
                line
            } else {
                let (name, items) = line.split_once(':').ok_or(WeightsError::NoColon { line: number })?;
                let name = name.trim();
                if name.is_empty() {
                    return Err(WeightsError::NoColon { line: number });
                }
                if rows.insert(name.to_owned(), BTreeMap::new()).is_some() {
                    return Err(WeightsError::RowTwice { line: number, row: name.to_owned() });
                }
                current = Some(name.to_owned());
                items
            };
            let row = current
                .as_ref()
                .and_then(|name| rows.get_mut(name))
                .ok_or(WeightsError::NoColon { line: number })?;
            for item in items.split_whitespace() {
                add_item(row, item, number)?;
            }
        }
        Ok(WeightTables { rows })
    }

    /// Every weight: its row, its item, and the number, in the order of their names.
    ///
    /// ```
    /// use howler_choices::weights::WeightTables;
    /// let tables = WeightTables::parse("sign: plus=3 minus=1\n")?;
    /// assert_eq!(tables.all().next(), Some(("sign", "minus", 1)));
    /// # Ok::<(), howler_choices::weights::WeightsError>(())
    /// ```
    pub fn all(&self) -> impl Iterator<Item = (&str, &str, u32)> {
        self.rows.iter().flat_map(|(row, items)| {
            items.iter().map(|(item, weight)| (row.as_str(), item.as_str(), *weight))
        })
    }

    /// Gives an item another weight; false if there is no such item.
    ///
    /// ```
    /// use howler_choices::weights::WeightTables;
    /// let mut tables = WeightTables::parse("sign: plus=3 minus=1\n")?;
    /// assert!(tables.set("sign", "minus", 0) && !tables.set("sign", "minsu", 0));
    /// # Ok::<(), howler_choices::weights::WeightsError>(())
    /// ```
    pub fn set(&mut self, row: &str, item: &str, weight: u32) -> bool {
        let known = self.rows.get_mut(row).and_then(|items| items.get_mut(item));
        known.map(|known| *known = weight).is_some()
    }

    /// The row `row`, indexed as `items` lists them. The text must name exactly these items, so that neither a
    /// misspelt name nor a forgotten one goes unseen.
    ///
    /// ```
    /// use howler_choices::weights::WeightTables;
    /// let tables = WeightTables::parse("sign: plus=3\n")?;
    /// let error = tables.row("sign", &["plus", "minus"]).expect_err("minus has no weight");
    /// assert_eq!(error.to_string(), "row `sign` gives no weight to `minus`");
    /// # Ok::<(), howler_choices::weights::WeightsError>(())
    /// ```
    pub fn row(&self, row: &str, items: &[&str]) -> Result<Weights, WeightsError> {
        let found = self.rows.get(row).ok_or_else(|| WeightsError::NoRow { row: row.to_owned() })?;
        if let Some(item) = found.keys().find(|item| !items.contains(&item.as_str())) {
            return Err(WeightsError::UnknownItem { row: row.to_owned(), item: item.clone() });
        }
        let weight = |item: &&str| {
            let missing = || WeightsError::MissingItem { row: row.to_owned(), item: (*item).to_owned() };
            found.get(*item).copied().ok_or_else(missing)
        };
        let weights = items.iter().map(weight).collect::<Result<Vec<u32>, WeightsError>>()?;
        Weights::new(&weights).ok_or_else(|| WeightsError::AllZero { row: row.to_owned() })
    }
}

fn add_item(row: &mut BTreeMap<String, u32>, item: &str, line: usize) -> Result<(), WeightsError> {
    let (name, weight) = item
        .split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| WeightsError::NoItem { line, found: item.to_owned() })?;
    // `parse` takes a leading plus; a weight is digits alone.
    let digits = weight.bytes().all(|byte| byte.is_ascii_digit());
    let weight = weight.parse().ok().filter(|_| digits).ok_or_else(|| WeightsError::NoNumber {
        line,
        item: name.to_owned(),
        found: weight.to_owned(),
    })?;
    match row.insert(name.to_owned(), weight) {
        None => Ok(()),
        Some(_) => Err(WeightsError::ItemTwice { line, item: name.to_owned() }),
    }
}

/// What is wrong with a text of weights, or with a row of it. Lines count from 1.
///
/// ```
/// use howler_choices::weights::{WeightTables, WeightsError};
/// let error = WeightTables::parse("a: x=1\na: x=2\n").expect_err("two rows");
/// assert_eq!(error, WeightsError::RowTwice { line: 2, row: "a".to_owned() });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields are the line, the row and the item that the variant speaks of")]
pub enum WeightsError {
    /// The line neither starts a row (`name: …`) nor continues one.
    NoColon { line: usize },
    /// A row's name occurs twice.
    RowTwice { line: usize, row: String },
    /// Something in a row is not `item=weight`.
    NoItem { line: usize, found: String },
    /// A weight is not a whole number below 2^32.
    NoNumber { line: usize, item: String, found: String },
    /// An item occurs twice in its row.
    ItemTwice { line: usize, item: String },
    /// The text has no such row.
    NoRow { row: String },
    /// The row names an item that the code does not know.
    UnknownItem { row: String, item: String },
    /// The row lacks an item that the code knows.
    MissingItem { row: String, item: String },
    /// Every weight of the row is 0.
    AllZero { row: String },
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoColon { line } => write!(f, "line {line}: expected `name: item=weight …`"),
            Self::RowTwice { line, row } => write!(f, "line {line}: row `{row}` occurs twice"),
            Self::NoItem { line, found } => write!(f, "line {line}: expected `item=weight`, found `{found}`"),
            Self::NoNumber { line, item, found } => {
                write!(f, "line {line}: the weight of `{item}` is `{found}`, not a whole number below 2^32")
            }
            Self::ItemTwice { line, item } => write!(f, "line {line}: item `{item}` occurs twice in its row"),
            Self::NoRow { row } => write!(f, "there is no row `{row}`"),
            Self::UnknownItem { row, item } => write!(f, "row `{row}` names `{item}`, which does not exist"),
            Self::MissingItem { row, item } => write!(f, "row `{row}` gives no weight to `{item}`"),
            Self::AllZero { row } => write!(f, "every weight of row `{row}` is 0"),
        }
    }
}

impl std::error::Error for WeightsError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let error = WeightTables::parse(text).and_then(|tables| tables.row("k", &["a", "b"]));
        assert_eq!(error.expect_err(text).to_string(), expected);
    }

    #[test]
    fn every_mistake_is_named() {
        check("k a=1", "line 1: expected `name: item=weight …`");
        check(": a=1", "line 1: expected `name: item=weight …`");
        check("\n  a=1", "line 2: expected `name: item=weight …`");
        check("k: a=1\n# k\nk: b=1", "line 3: row `k` occurs twice");
        check("k: a", "line 1: expected `item=weight`, found `a`");
        check("k: =3", "line 1: expected `item=weight`, found `=3`");
        for weight in ["-1", "+1", "0.5", "4294967296", ""] {
            let expected = format!("line 1: the weight of `a` is `{weight}`, not a whole number below 2^32");
            check(&format!("k: a={weight}"), &expected);
        }
        check("k: a=1\n   a=1", "line 2: item `a` occurs twice in its row");
        check("j: a=1", "there is no row `k`");
        check("k: a=1 b=1 c=1", "row `k` names `c`, which does not exist");
        check("k: a=1", "row `k` gives no weight to `b`");
        check("k: a=0 b=0", "every weight of row `k` is 0");
    }

    #[test]
    fn rows_continue_and_comments_do_not_count() {
        let text = "# two kinds\nk: b=2 # more below\n\n   # and here:\n\ta=4294967295\nother: x=0\n";
        let row = WeightTables::parse(text).and_then(|tables| tables.row("k", &["a", "b"]));
        assert_eq!(row, Ok(Weights(vec![u32::MAX, 2])));
    }
}
