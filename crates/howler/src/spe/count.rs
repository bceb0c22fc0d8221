//! What `howler spe` says of a file: what it is made of, and how many programs can be made of it.

use std::fmt::Write;
use std::path::Path;

use howler_spe::c::{CProgram, Reach};
use howler_spe::space::Space;
use howler_spe::template::Template;
use num_bigint::BigUint;
use serde_json::{Value, json};

use super::options::Spe;

/// The numbers of one file.
pub struct Counts {
    program: CProgram,
    /// None if there are too many variables to count with.
    exact: Option<Space>,
    by_function: Option<BigUint>,
    naive: BigUint,
}

impl Counts {
    /// Counts. `read` looks at the program with functions together or one by one.
    pub fn new(read: impl Fn(Reach) -> CProgram) -> Counts {
        let space = |program: &CProgram| Space::new(program.skeleton().ok()?).ok();
        let program = read(Reach::Program);
        let exact = space(&program);
        let by_function = space(&read(Reach::Function)).map(|space| space.count().clone());
        let naive = program.naive();
        Counts { program, exact, by_function, naive }
    }

    /// Whether all could be counted that was asked for.
    pub fn is_whole(&self, options: &Spe) -> bool {
        options.paper || self.exact.is_some()
    }

    /// For a person.
    pub fn text(&self, file: &Path, options: &Spe) -> String {
        let shape = self.program.shape();
        let counted =
            |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let mut text = format!(
            "{}: {}, {}, {}, {}",
            file.display(),
            counted(shape.holes, "hole"),
            counted(shape.scopes, "scope"),
            counted(shape.functions, "function"),
            counted(shape.types, "type")
        );
        if shape.holes > 0 {
            let each = shape.variables as f64 / shape.holes as f64;
            let _ = write!(text, ", {each:.2} variables for a hole");
        }
        text.push('\n');
        for (name, number) in self.rows(options) {
            let number = number.as_ref().map_or("too many variables to count with".to_owned(), short);
            let _ = writeln!(text, "  {name:24} {number}");
        }
        text
    }

    /// For a program.
    pub fn json(&self, file: &Path, options: &Spe) -> Value {
        let shape = self.program.shape();
        let mut object = json!({
            "file": file.display().to_string(),
            "holes": shape.holes,
            "scopes": shape.scopes,
            "functions": shape.functions,
            "types": shape.types,
            "variables": shape.variables,
        });
        for (name, number) in self.rows(options) {
            object[name.replace([' ', ','], "_").replace("__", "_")] =
                number.map_or(Value::Null, |number| number.to_string().into());
        }
        object
    }

    /// What is said, in this order.
    fn rows(&self, options: &Spe) -> Vec<(&'static str, Option<BigUint>)> {
        let naive = ("naive", Some(self.naive.clone()));
        let paper = ("paper", Some(self.program.paper()));
        let mut rows = if options.paper {
            vec![naive, paper]
        } else {
            let exact = self.exact.as_ref().map(|space| space.count().clone());
            vec![naive, ("exact", exact), ("by function", self.by_function.clone()), paper]
        };
        if options.declarator_holes {
            let (unscoped, scoped) = self.program.with_declarators();
            rows.extend([("declarators", Some(scoped)), ("declarators, unscoped", Some(unscoped))]);
        }
        rows
    }
}

/// Digits that are shown one by one.
const SHOWN: usize = 40;

/// A number as a person reads it: all digits, or the first ones and how many there are.
pub fn short(number: &BigUint) -> String {
    let digits = number.to_string();
    if digits.len() <= SHOWN {
        return digits;
    }
    format!("{}.{}e{}", &digits[..1], &digits[1..4], digits.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_shortened() {
        assert_eq!(short(&BigUint::from(144u32)), "144");
        assert_eq!(short(&BigUint::from(10u32).pow(39)).len(), 40);
        assert_eq!(short(&(BigUint::from(12_345u32) * BigUint::from(10u32).pow(96))), "1.234e100");
    }
}
