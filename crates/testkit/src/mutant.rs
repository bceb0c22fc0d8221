//! C programs with a few tokens changed, most of which are still C: for tests of what must hold for any program.
//! Who splits a text into tokens stays outside, as does who draws.

/// A decision of this name among so many: a number below them.
pub type Draw<'a> = dyn FnMut(&'static str, usize) -> usize + 'a;

/// Tokens that may stand for each other.
const CLASSES: &[&[&str]] = &[
    &["int", "char", "short", "long", "unsigned", "signed", "float", "double", "_Bool", "void", "_Complex"],
    &[
        "__int128",
        "_Float128",
        "__auto_type",
        "_Float16",
        "_Float32",
        "_Float64x",
        "__builtin_va_list",
        "_Bool",
    ],
    &[
        "const",
        "volatile",
        "restrict",
        "_Atomic",
        "static",
        "extern",
        "register",
        "inline",
        "_Thread_local",
        "auto",
    ],
    &["struct", "union", "enum"],
    &[
        "+", "-", "*", "&", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "^", "|", "&&", "||",
        ",", "?:",
    ],
    &[
        "!",
        "~",
        "++",
        "--",
        "__real__",
        "__imag__",
        "sizeof",
        "&&",
        "_Alignof",
        "__alignof__",
        "__extension__",
    ],
    &["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="],
    &["break", "continue", "return"],
    &[
        "noinline",
        "aligned",
        "packed",
        "may_alias",
        "vector_size",
        "weak",
        "noreturn",
        "unused",
        "used",
        "mode",
    ],
    &["\"\"", "\"a\"", "L\"w\"", "u8\"x\"", "\"\\0\"", "u\"y\"", "\"\\xff\" \"f\"", "__func__"],
    &[
        "0",
        "1",
        "2",
        "3",
        "7",
        "8",
        "63",
        "64",
        "-1",
        "'a'",
        "L'b'",
        "1u",
        "1ul",
        "2147483648",
        "0xffffffff",
        "0x8000000000000000",
        "9223372036854775807",
        "18446744073709551615u",
        "1.0",
        "0.5f",
        "1e400",
        "1e-400",
        "1.0L",
        "1.0i",
        "2i",
        "0x1p-1074",
        "1e5000L",
        "1.0f128",
        "1000000000",
        "'\\xff'",
        "u'z'",
    ],
];

/// Tokens to put in the place of others, by class: those that C has, and those of the programs that are changed.
#[derive(Clone, Debug)]
pub struct Pool<'a> {
    classes: Vec<Vec<&'a str>>,
}

impl<'a> Pool<'a> {
    /// With the tokens of some programs.
    ///
    /// ```
    /// use howler_testkit::mutant::Pool;
    /// let tokens = ["int", "x", "=", "3", ";"];
    /// let pool = Pool::of(tokens.into_iter());
    /// // Draws nothing but zeros: the first token goes.
    /// assert_eq!(pool.mutate(&tokens, &mut |_, _| 0), ["x", "=", "3", ";"]);
    /// ```
    pub fn of(tokens: impl Iterator<Item = &'a str>) -> Pool<'a> {
        let mut classes: Vec<Vec<&str>> = CLASSES.iter().map(|class| class.to_vec()).collect();
        classes.resize(CLASSES.len() + 2, Vec::new());
        tokens.for_each(|token| classes[class(token)].push(token));
        Pool { classes }
    }

    /// Changes one or two tokens: dropped, doubled, swapped, a piece copied elsewhere, or, mostly, replaced.
    pub fn mutate(&self, tokens: &[&'a str], draw: &mut Draw<'_>) -> Vec<&'a str> {
        let mut tokens = tokens.to_vec();
        for _ in 0..=draw("rounds", 2) {
            if tokens.is_empty() {
                break;
            }
            let at = draw("at", tokens.len());
            match draw("how", 10) {
                0 => drop(tokens.remove(at)),
                1 => tokens.insert(at, tokens[at]),
                2 => {
                    let other = draw("other", tokens.len());
                    tokens.swap(at, other);
                }
                3 => {
                    let end = at + draw("length", (tokens.len() - at).min(20));
                    let piece = tokens[at..=end].to_vec();
                    let to = draw("to", tokens.len());
                    tokens.splice(to..to, piece);
                }
                4 => {
                    let from = &self.classes[draw("class", self.classes.len())];
                    tokens[at] = one(from, draw).unwrap_or(";");
                }
                _ => {
                    // A token of the same kind: most such programs are still C, so the rules of types are tried too.
                    let class = class(tokens[at]);
                    let near: Vec<&str>;
                    let from = if draw("near", 2) == 1 {
                        near = tokens.iter().copied().filter(|token| self::class(token) == class).collect();
                        &near
                    } else {
                        &self.classes[class]
                    };
                    tokens[at] = one(from, draw).unwrap_or(";");
                }
            }
        }
        tokens
    }
}

/// The fewest tokens found for which something still holds: halves go first, then smaller and smaller pieces.
///
/// ```
/// let small = howler_testkit::mutant::fewest(vec!["a", "b", "c", "d"], |tokens| tokens.contains(&"c"));
/// assert_eq!(small, ["c"]);
/// ```
pub fn fewest<'a>(mut tokens: Vec<&'a str>, mut holds: impl FnMut(&[&'a str]) -> bool) -> Vec<&'a str> {
    let mut size = tokens.len();
    while size > 0 {
        let mut at = 0;
        while at < tokens.len() {
            let mut fewer = tokens.clone();
            fewer.drain(at..(at + size).min(tokens.len()));
            if holds(&fewer) {
                tokens = fewer;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    tokens
}

fn one<'a>(from: &[&'a str], draw: &mut Draw<'_>) -> Option<&'a str> {
    (!from.is_empty()).then(|| from[draw("token", from.len())])
}

/// The class of a token: its place in [`CLASSES`], or a number for identifiers, for other words and for the rest.
fn class(token: &str) -> usize {
    let starts_with = |test: fn(&char) -> bool| token.chars().next().is_some_and(|c| test(&c));
    match CLASSES.iter().position(|class| class.contains(&token)) {
        Some(at) => at,
        None if starts_with(char::is_ascii_digit) => CLASSES.len() - 1,
        None if token.contains('"') => CLASSES.len() - 2,
        None if starts_with(|c| c.is_ascii_alphabetic()) => CLASSES.len(),
        None => CLASSES.len() + 1,
    }
}
