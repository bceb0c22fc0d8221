//! The parameters of a program: rows of weights, the base of which is data, and which each program shuffles.

use howler_case::options::Change;
use howler_choices::Choices;
use howler_choices::weights::{WeightTables, Weights, WeightsError};

/// The text of the weights that shuffling starts from.
pub const DEFAULT: &str = include_str!("../data/weights.txt");

/// Which row, with the names of its items in the order that the code knows them by.
macro_rules! rows {
    ($($row:ident $name:literal [$($item:literal)*])*) => {
        /// A parameter.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Row { $($row),* }

        const ROWS: &[(&str, &[&str])] = &[$(($name, &[$($item),*])),*];
    };
}

rows! {
    Type "type" ["bool" "schar" "uchar" "char" "short" "ushort" "int" "uint" "long" "ulong" "llong" "ullong" "int128" "uint128" "float" "double" "ldouble"]
    Cast "cast" ["bool" "schar" "uchar" "char" "short" "ushort" "int" "uint" "long" "ulong" "llong" "ullong" "int128" "uint128" "float" "double" "ldouble"]
    Variable "variable" ["scalar" "array" "struct" "pointer" "vector" "enum"]
    Category "category" ["input" "output" "mixed"]
    Dimensions "dimensions" ["one" "two" "three"]
    Member "member" ["plain" "bit-field"]
    Statement "statement" ["declare" "assign" "compound" "step" "if" "loop" "element" "reduce" "leave" "switch" "memory" "vector" "call" "aggregate" "stencil"]
    Inner "inner" ["declare" "assign" "compound" "step" "if" "loop" "element" "reduce" "leave" "switch" "memory" "vector" "call" "aggregate" "stencil"]
    Target "target" ["local" "global" "element" "member" "pointer" "lane" "walk"]
    Expression "expression" ["leaf" "unary" "binary" "ternary" "cast" "common"]
    Leaf "leaf" ["constant" "local" "global" "element" "member" "pointer" "counter" "lane" "enumerator" "call" "walk"]
    InnerLeaf "inner-leaf" ["constant" "local" "global" "element" "member" "pointer" "counter" "lane" "enumerator" "call" "walk"]
    Unary "unary" ["neg" "plus" "not" "logical-not"]
    Binary "binary" ["add" "sub" "mul" "div" "rem" "shl" "shr" "and" "xor" "or" "lt" "gt" "le" "ge" "eq" "ne" "land" "lor"]
    Context "context" ["none" "additive" "bitwise" "logical" "multiplicative" "bitwise-shift" "additive-multiplicative"]
    Contexts "contexts" ["none" "few" "some" "many"]
    Constants "constants" ["none" "all" "half"]
    Number "number" ["small" "near-least" "near-greatest" "power" "run" "any" "zero" "one" "minus-one"]
    Reuse "reuse" ["new" "same" "negated" "complement"]
    Kept "kept" ["few" "some" "many"]
    Depth "depth" ["two" "three" "four" "five" "six"]
    InnerDepth "inner-depth" ["one" "two" "three" "four"]
    Rounds "rounds" ["few" "some" "many"]
    Step "step" ["one" "two" "three" "four" "down"]
    Counter "counter" ["schar" "uchar" "short" "ushort" "int" "uint" "long" "ulong" "llong" "ullong"]
    Subscript "subscript" ["same" "shifted" "reversed" "fixed" "scaled" "sum" "computed"]
    Nest "nest" ["body" "nest"]
    Space "space" ["drawn" "array" "inner" "again"]
    Elements "elements" ["any" "same" "few" "row"]
    Lane "lane" ["schar" "uchar" "short" "ushort" "int" "uint" "llong" "ullong"]
    Vector "vector" ["leaf" "binary" "unary" "compare" "choose" "shuffle" "convert"]
    Hint "hint" ["none" "unroll" "unroll-some" "unroll-all" "no-unroll" "no-vectorise"]
    Tidy "tidy" ["element" "reduce" "if"]
    TidyOperator "tidy-operator" ["add" "sub" "mul" "and" "or" "xor" "shr"]
    Reduction "reduction" ["add" "sub" "mul" "and" "or" "xor" "least" "greatest"]
}

/// All rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters(Vec<Weights>);

impl Parameters {
    /// The default weights but for these.
    ///
    /// # Errors
    /// Nothing in some row has a weight.
    pub fn changed(changes: &[Change]) -> Result<Parameters, WeightsError> {
        let mut tables = WeightTables::parse(DEFAULT)?;
        for change in changes {
            tables.set(&change.row, &change.item, change.weight);
        }
        ROWS.iter().map(|(name, items)| tables.row(name, items)).collect::<Result<_, _>>().map(Parameters)
    }

    /// Weights drawn around these: each is from a quarter of itself to four times as much.
    pub(crate) fn shuffled(&self, choices: &mut Choices) -> Parameters {
        let mut row = |weights: &Weights, count: usize| {
            let drawn: Vec<u32> = (0..count)
                .map(|at| weights.get(at).saturating_mul(*choices.one_of("weight", &[16, 16, 4, 8, 32, 64])))
                .collect();
            Weights::new(&drawn).unwrap_or_else(|| weights.clone())
        };
        Parameters(self.0.iter().zip(ROWS).map(|(weights, (_, items))| row(weights, items.len())).collect())
    }

    /// The same without some items of a row, if something is left.
    pub(crate) fn limit(&mut self, row: Row, allowed: impl Fn(&str) -> bool) {
        let weights = &mut self.0[row as usize];
        let kept: Vec<u32> = (ROWS[row as usize].1.iter().enumerate())
            .map(|(at, name)| if allowed(name) { weights.get(at) } else { 0 })
            .collect();
        if let Some(kept) = Weights::new(&kept) {
            *weights = kept;
        }
    }

    /// An item of a row.
    pub(crate) fn draw(&self, row: Row, choices: &mut Choices) -> usize {
        choices.weighted(ROWS[row as usize].0, &self.0[row as usize])
    }

    /// An item of a row that is allowed here.
    pub(crate) fn draw_of(
        &self,
        row: Row,
        choices: &mut Choices,
        allowed: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        choices.weighted_where(ROWS[row as usize].0, &self.0[row as usize], allowed)
    }
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters::changed(&[]).expect("a test reads the text that comes with the code")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_that_comes_with_the_code_has_all_rows() {
        assert!(Parameters::changed(&[]).is_ok());
        // As many as the paper shuffles, at least.
        assert!(ROWS.len() >= 23);
        assert_eq!(ROWS[Row::Reduction as usize].0, "reduction");
    }
}
