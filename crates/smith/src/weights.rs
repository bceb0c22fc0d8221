//! Weights: what each choice may be, and how likely it is. The numbers are data, in `data/weights.txt`.

use std::sync::OnceLock;

use howler_case::options::Change;
use howler_choices::Choices;
use howler_choices::weights::{WeightTables, Weights, WeightsError};
use howler_lang::program::BinaryOp;
use howler_lang::ty::Type;

use crate::features::{Feature, Features};

/// The text of the weights that hold if nobody says otherwise.
pub const DEFAULT: &str = include_str!("../data/weights.txt");

/// The items of a row: what each stands for, its name, and the feature without which it has no weight.
macro_rules! row {
    ($about:literal $name:ident { $($item:ident = $text:literal $($feature:ident)?),* $(,)? }) => {
        #[doc = $about]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum $name { $($item),* }

        impl $name {
            const ALL: &'static [$name] = &[$($name::$item),*];
            const NAMES: &'static [&'static str] = &[$($text),*];
            const NEEDS: &'static [Option<Feature>] = &[$(row!(@need $($feature)?)),*];
        }
    };
    (@need) => { None };
    (@need $feature:ident) => { Some(Feature::$feature) };
}

row!("What a statement is." Statement {
    Assign = "assign", If = "if", For = "for", Return = "return", Break = "break", Continue = "continue",
    Goto = "goto" Goto, Array = "array" ArrayLoops, While = "while" While, Do = "do" While,
    Switch = "switch" Switch, Block = "block", Call = "call", Copy = "copy" Structs, Step = "step" Step,
    Repoint = "repoint" Pointers, Reduce = "reduce" Reductions, Dispatch = "dispatch" ComputedGoto,
    Aim = "aim" FunctionPointers, Vector = "vector" Vectors, Memory = "memory" Builtins,
    Text = "text" Strings, Enter = "enter" Enter,
});

row!("What an expression of integer type is." Expression {
    Call = "call", Constant = "constant", Variable = "variable", Unary = "unary", Binary = "binary",
    Comma = "comma" Comma, Assign = "assign" Embedded, Conditional = "conditional" Conditional,
    Logic = "logic" Logic, Cast = "cast" Casts, Member = "member" RecordValues, Step = "step" Step,
    Builtin = "builtin" Builtins, Float = "float" Float, Pointer = "pointer" Pointers, Size = "size" Sizeof,
    Statements = "statements" StatementExpressions,
    Pointed = "pointed" FunctionPointers, Lane = "lane" Vectors,
    Overflow = "overflow" Builtins, Idiom = "idiom" Conditional, Text = "text" Strings,
});

row!("Where a variable comes from." Origin {
    Global = "global", Local = "local", Parameter = "parameter", New = "new",
});

row!("What a new variable is." Variable {
    Integer = "integer", Pointer = "pointer" Pointers, Array = "array" Arrays, Struct = "struct" Structs,
    Union = "union" Unions, Float = "float" Float,
    Vector = "vector" Vectors,
});

row!("Integer types." Integer {
    Schar = "schar" Narrow, Uchar = "uchar" Narrow, Short = "short" Narrow, Ushort = "ushort" Narrow,
    Int = "int", Uint = "uint", Long = "long" Longs, Ulong = "ulong" Longs, Bool = "bool" Bool,
    Char = "char" Char, Enum = "enum" Enums, Int128 = "int128" Int128, Uint128 = "uint128" Int128,
});

row!("Binary operators." Operator {
    Add = "add", Sub = "sub", Mul = "mul" Mul, Div = "div" Div, Rem = "rem" Div, Shl = "shl", Shr = "shr",
    And = "and", Or = "or", Xor = "xor", Compare = "compare",
});

row!("Operators before an `=`." Compound { And = "and", Or = "or", Xor = "xor" });

row!("Numbers." Number {
    Zero = "zero", One = "one", Minus = "minus", Least = "least", Greatest = "greatest", Small = "small",
    Run = "run", Any = "any",
});

/// All rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    statement: Weights,
    expression: Weights,
    scope: Weights,
    variable: Weights,
    integer: Weights,
    operator: Weights,
    compound: Weights,
    number: Weights,
}

impl Tables {
    /// Reads a text that has all rows.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse(text: &str) -> Result<Tables, WeightsError> {
        Tables::of(&WeightTables::parse(text)?)
    }

    fn of(tables: &WeightTables) -> Result<Tables, WeightsError> {
        Ok(Tables {
            statement: tables.row("statement", Statement::NAMES)?,
            expression: tables.row("expression", Expression::NAMES)?,
            scope: tables.row("scope", Origin::NAMES)?,
            variable: tables.row("variable", Variable::NAMES)?,
            integer: tables.row("integer", Integer::NAMES)?,
            operator: tables.row("operator", Operator::NAMES)?,
            compound: tables.row("compound", Compound::NAMES)?,
            number: tables.row("number", Number::NAMES)?,
        })
    }

    /// The default weights but for these.
    ///
    /// # Errors
    /// Nothing in some row has a weight.
    pub fn changed(changes: &[Change]) -> Result<Tables, WeightsError> {
        let mut tables = WeightTables::parse(DEFAULT)?;
        for change in changes {
            tables.set(&change.row, &change.item, change.weight);
        }
        Tables::of(&tables)
    }

    /// The weights without what features that are off would make. What is always possible keeps a weight, so that
    /// something can be drawn.
    pub(crate) fn limited(&self, features: Features) -> Tables {
        let limit = |row: &Weights, needs: &[Option<Feature>], always: usize| {
            let weight = |(at, need): (usize, &Option<Feature>)| match need {
                Some(feature) if !features.has(*feature) => 0,
                _ if at == always => row.get(at).max(1),
                _ => row.get(at),
            };
            let weights: Vec<u32> = needs.iter().enumerate().map(weight).collect();
            Weights::new(&weights).unwrap_or_else(|| row.clone())
        };
        Tables {
            statement: limit(&self.statement, Statement::NEEDS, Statement::Assign as usize),
            expression: limit(&self.expression, Expression::NEEDS, Expression::Constant as usize),
            scope: limit(&self.scope, Origin::NEEDS, Origin::Global as usize),
            variable: limit(&self.variable, Variable::NEEDS, Variable::Integer as usize),
            integer: limit(&self.integer, Integer::NEEDS, Integer::Int as usize),
            operator: limit(&self.operator, Operator::NEEDS, Operator::Xor as usize),
            compound: limit(&self.compound, Compound::NEEDS, Compound::Xor as usize),
            number: limit(&self.number, Number::NEEDS, Number::Small as usize),
        }
    }

    /// Weights that lean to some items by chance: each is a quarter, the same, or four times what it was.
    pub(crate) fn leaning(&self, choices: &mut Choices) -> Tables {
        let mut lean = |row: &Weights, count: usize| {
            let weights: Vec<u32> = (0..count)
                .map(|at| row.get(at).saturating_mul(*choices.one_of("lean", &[4, 4, 4, 1, 16])))
                .collect();
            Weights::new(&weights).unwrap_or_else(|| row.clone())
        };
        Tables {
            statement: lean(&self.statement, Statement::ALL.len()),
            expression: lean(&self.expression, Expression::ALL.len()),
            scope: self.scope.clone(),
            variable: lean(&self.variable, Variable::ALL.len()),
            integer: lean(&self.integer, Integer::ALL.len()),
            operator: lean(&self.operator, Operator::ALL.len()),
            compound: self.compound.clone(),
            number: lean(&self.number, Number::ALL.len()),
        }
    }
}

impl Default for Tables {
    fn default() -> Tables {
        static READ: OnceLock<Tables> = OnceLock::new();
        READ.get_or_init(|| Tables::parse(DEFAULT).expect("a test reads the text that comes with the code"))
            .clone()
    }
}

macro_rules! draws {
    ($($method:ident $row:ident $name:ident $label:literal),*) => {
        impl Tables {
            $(pub(crate) fn $method(&self, choices: &mut Choices, allowed: impl Fn($name) -> bool) -> Option<$name> {
                let at = choices.weighted_where($label, &self.$row, |at| allowed($name::ALL[at]))?;
                Some($name::ALL[at])
            })*
        }
    };
}

draws! {
    draw_statement statement Statement "statement",
    draw_expression expression Expression "expression",
    draw_origin scope Origin "scope",
    draw_variable variable Variable "variable",
    draw_integer integer Integer "integer",
    draw_operator operator Operator "operator",
    draw_compound compound Compound "compound",
    draw_number number Number "number"
}

impl Integer {
    /// The type; none if the program has to be asked which.
    pub(crate) fn ty(self) -> Option<Type> {
        Some(match self {
            Integer::Schar => Type::SCHAR,
            Integer::Uchar => Type::UCHAR,
            Integer::Short => Type::SHORT,
            Integer::Ushort => Type::USHORT,
            Integer::Int => Type::INT,
            Integer::Uint => Type::UINT,
            Integer::Long => Type::LONG,
            Integer::Ulong => Type::ULONG,
            Integer::Bool => Type::BOOL,
            Integer::Char => Type::CHAR,
            Integer::Int128 => Type::INT128,
            Integer::Uint128 => Type::UINT128,
            Integer::Enum => return None,
        })
    }
}

impl Compound {
    pub(crate) fn op(self) -> BinaryOp {
        match self {
            Compound::And => BinaryOp::BitAnd,
            Compound::Or => BinaryOp::BitOr,
            Compound::Xor => BinaryOp::BitXor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_that_comes_with_the_code_has_all_rows() {
        assert!(Tables::parse(DEFAULT).is_ok(), "{:?}", Tables::parse(DEFAULT));
    }

    #[test]
    fn what_is_off_is_never_drawn() {
        let tables = Tables::default().limited(Features::standard().without(Feature::Goto));
        let mut choices = Choices::new(1);
        for _ in 0..2000 {
            let drawn = tables.draw_statement(&mut choices, |_| true);
            assert!(drawn.is_some_and(|drawn| drawn != Statement::Goto));
            assert!(tables.draw_integer(&mut choices, |_| true) != Some(Integer::Int128));
        }
        // With nothing on, something is left.
        let none = Tables::default().limited(Features::NONE).leaning(&mut choices);
        assert_eq!(none.draw_variable(&mut choices, |_| true), Some(Variable::Integer));
    }
}
