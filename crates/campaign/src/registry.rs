//! The techniques a hunt knows, one line each.

use howler_case::Case;
use howler_orange as orange;

use crate::source::{NoCase, Source, Workshop, choices, origin};

/// Their names, as `--gen` takes them.
pub const NAMES: &[&str] = &["orange"];

/// A technique by its name, or why its options (`key=value`) make no sense. `None` if there is no such technique.
pub fn technique(name: &str, options: &[String]) -> Option<Result<Box<dyn Source>, String>> {
    match name {
        "orange" => Some(Orange::new(options).map(|source| Box::new(source) as Box<dyn Source>)),
        _ => None,
    }
}

/// Arithmetic with known answers.
pub struct Orange {
    line: String,
    options: orange::Options,
}

/// Larger tests find little more and cost a compiler seconds each.
const OPERATIONS: (u32, u32) = (10, 10_000);

impl Orange {
    /// Reads options: `operations=10..1000`, `operators=…`, `expressions=…`, `files=3`, `repair=insert`, `swarm=no`,
    /// `with=int128`, `without=float`.
    pub fn new(options: &[String]) -> Result<Orange, String> {
        let mut parsed = orange::Options { operations: OPERATIONS, swarm: true, ..orange::Options::default() };
        for option in options {
            let (key, value) =
                option.split_once('=').ok_or_else(|| format!("'{option}' is not key=value"))?;
            let feature = || orange::Feature::parse(value).ok_or_else(|| format!("there is no feature '{value}'"));
            match key {
                "operations" => parsed.operations = range(value)?,
                "operators" => parsed.operators = range(value)?,
                "expressions" => parsed.expressions = range(value)?,
                "files" => parsed.files = value.parse().map_err(|_| format!("'{value}' is no number"))?,
                "repair" => parsed.repair = repair(value)?,
                "swarm" => parsed.swarm = yes(value)?,
                "with" => parsed.features = parsed.features.with(feature()?),
                "without" => parsed.features = parsed.features.without(feature()?),
                _ => return Err(format!("there is no option '{key}'")),
            }
        }
        parsed.validate().map_err(|error| error.to_string())?;
        let words = [&["orange".to_owned()], options].concat();
        Ok(Orange { line: words.join(" "), options: parsed })
    }

    /// The test with this number, as the technique knows it: with every value in it.
    pub fn test(&self, shop: &Workshop<'_>, index: u64) -> orange::Test {
        let mut choices = choices(shop.seed, &self.line(), index);
        let target = howler_lang::target::Target { std: shop.std, ..shop.target };
        orange::generate(&self.options, target, &mut choices)
    }
}

fn range(text: &str) -> Result<(u32, u32), String> {
    let bad = || format!("'{text}' is no range; 10..1000 is, and 10");
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    Ok((low.parse().map_err(|_| bad())?, high.parse().map_err(|_| bad())?))
}

fn repair(text: &str) -> Result<orange::Repair, String> {
    match text {
        "flip" => Ok(orange::Repair::Flip),
        "insert" => Ok(orange::Repair::Insert),
        _ => Err(format!("repair is flip or insert, not '{text}'")),
    }
}

fn yes(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("yes or no, not '{text}'")),
    }
}

impl Source for Orange {
    fn name(&self) -> &str {
        "orange"
    }

    fn line(&self) -> String {
        format!("{} ({})", self.line, self.version())
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn make(&self, shop: &mut Workshop<'_>, index: u64) -> Result<Case, NoCase> {
        Ok(self.test(shop, index).case(origin(self, shop.seed, index)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_or_refused() {
        let options = |words: &[&str]| Orange::new(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        assert!(options(&[]).is_ok());
        assert!(options(&["operations=10..20", "without=float", "swarm=no", "repair=insert"]).is_ok());
        for bad in ["operations=5..4", "operations=x", "without=magic", "size=3", "swarm", "files=1000"] {
            assert!(options(&[bad]).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_name_is_a_technique() {
        for name in NAMES {
            assert!(technique(name, &[]).is_some_and(|source| source.is_ok()));
        }
        assert!(technique("", &[]).is_none());
    }
}
