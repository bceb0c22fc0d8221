//! Random arithmetic expressions as data: who draws says what the leaves are, and gets a tree to write or to build.
//! Which of them have a value, nobody knows here.

/// Whether an expression is an integer or a floating number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// An integer.
    Int,
    /// A floating number.
    Float,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// A constant or an object, as text that needs no parentheses.
    Leaf(String),
    /// An operator before its operand.
    Unary(&'static str, Box<Tree>),
    /// An operator, or a comma, between two operands.
    Binary(&'static str, Box<Tree>, Box<Tree>),
    /// `?:`
    Cond(Box<[Tree; 3]>),
    /// A cast to a type of this name.
    Cast(&'static str, Box<Tree>),
    /// `=` or a compound assignment to an object.
    Assign(String, &'static str, Box<Tree>),
    /// `++` or `--`, before an object if the flag says so.
    Step(String, &'static str, bool),
}

impl Tree {
    /// The expression with parentheses around every operand.
    ///
    /// ```
    /// use howler_testkit::expression::Tree;
    /// let leaf = |text: &str| Box::new(Tree::Leaf(text.to_owned()));
    /// assert_eq!(Tree::Binary("<<", leaf("a"), leaf("3u")).text(), "(a) << (3u)");
    /// ```
    pub fn text(&self) -> String {
        match self {
            Tree::Leaf(text) => text.clone(),
            Tree::Unary(op, a) => format!("{op}({})", a.text()),
            Tree::Binary(op, a, b) => format!("({}) {op} ({})", a.text(), b.text()),
            Tree::Cond(parts) => {
                let [cond, then, other] = &**parts;
                format!("({}) ? ({}) : ({})", cond.text(), then.text(), other.text())
            }
            Tree::Cast(ty, a) => format!("({ty})({})", a.text()),
            Tree::Assign(lvalue, op, a) => format!("{lvalue} {op} ({})", a.text()),
            Tree::Step(lvalue, op, true) => format!("{op}({lvalue})"),
            Tree::Step(lvalue, op, false) => format!("({lvalue}){op}"),
        }
    }
}

/// What expressions are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Whether they have floating parts.
    pub floats: bool,
    /// Whether they change objects, and have commas.
    pub effects: bool,
    /// Whether they have the operators that are undefined for some operands: `/`, `%` and shifts.
    pub partial: bool,
}

/// Who decides, and who knows the leaves.
pub trait Source {
    /// What the expressions are made of.
    fn shape(&self) -> Shape;
    /// A number from 0 to `count` - 1, for a decision of this name.
    fn below(&mut self, name: &'static str, count: u64) -> u64;
    /// A constant or an object to read.
    fn leaf(&mut self, class: Class) -> String;
    /// An object to change. Where its value is of interest nothing else in the expression may name it.
    fn lvalue(&mut self, class: Class) -> String;
    /// The name of a type.
    fn type_name(&mut self, class: Class) -> &'static str;
}

/// Draws an expression that is at most so deep.
pub fn draw(source: &mut impl Source, class: Class, depth: u32) -> Tree {
    match class {
        Class::Int => int(source, depth),
        Class::Float => float(source, depth),
    }
}

/// Draws an expression of either class.
pub fn draw_any(source: &mut impl Source, depth: u32) -> Tree {
    let float = source.shape().floats && source.below("class", 4) == 0;
    draw(source, if float { Class::Float } else { Class::Int }, depth)
}

/// An integer constant: small, at the edges of 32 bits, or any of 63.
pub fn integer(source: &mut impl Source) -> String {
    let mut range = |low: u64, high: u64| low + source.below("value", high - low + 1);
    let value = match range(0, 6) {
        0..=2 => range(0, 9),
        3 => range(0, 0xffff),
        4 => range(0x7fff_fffe, 0x8000_0001),
        5 => range(0xffff_fffe, 0x1_0000_0001),
        _ => range(0, i64::MAX as u64),
    };
    let suffix = one(source, &["", "", "", "u", "l", "ul", "ll", "ull"]);
    match source.below("base", 3) {
        0 => format!("{value}{suffix}"),
        1 => format!("0x{value:x}{suffix}"),
        _ => format!("0{value:o}{suffix}"),
    }
}

/// One of some words.
pub fn one(source: &mut impl Source, words: &[&'static str]) -> &'static str {
    words[source.below("item", words.len() as u64) as usize]
}

fn binary(op: &'static str, a: Tree, b: Tree) -> Tree {
    Tree::Binary(op, Box::new(a), Box::new(b))
}

fn int(source: &mut impl Source, depth: u32) -> Tree {
    if depth == 0 || source.below("leaf", 7) == 0 {
        return Tree::Leaf(source.leaf(Class::Int));
    }
    let depth = depth - 1;
    let Shape { floats, effects, partial } = source.shape();
    match source.below("int", 18) {
        0 => {
            let op = one(source, &["-", "~", "+", "!"]);
            Tree::Unary(op, Box::new(int(source, depth)))
        }
        1 | 2 => Tree::Cast(source.type_name(Class::Int), Box::new(int(source, depth))),
        3 if floats => Tree::Cast(source.type_name(Class::Int), Box::new(float(source, depth))),
        4 => Tree::Unary("!", Box::new(draw_any(source, depth))),
        5 | 6 => {
            let op = one(source, &["<", ">", "<=", ">=", "==", "!="]);
            binary(op, draw_any(source, depth), draw_any(source, depth))
        }
        7 => {
            let op = one(source, &["&&", "||"]);
            binary(op, draw_any(source, depth), draw_any(source, depth))
        }
        8 => Tree::Cond(Box::new([draw_any(source, depth), int(source, depth), int(source, depth)])),
        9 | 10 if effects => assignment(source, Class::Int, depth),
        11 if effects => step(source, Class::Int),
        12 if effects => binary(",", draw_any(source, depth), int(source, depth)),
        13 | 14 if partial => {
            let op = one(source, &["<<", ">>", ">>"]);
            let a = int(source, depth);
            binary(op, a, count(source, depth))
        }
        _ => {
            let all = &["+", "-", "*", "&", "|", "^", "/", "%"];
            let op = one(source, if partial { all } else { &all[..6] });
            let mut a = int(source, depth);
            // Signed operands often overflow.
            if source.below("wraps", 3) == 0 {
                a = Tree::Cast(
                    one(source, &["unsigned", "unsigned long", "unsigned long long"]),
                    Box::new(a),
                );
            }
            binary(op, a, int(source, depth))
        }
    }
}

/// What a value is shifted by. In a constant expression it is always a small number.
fn count(source: &mut impl Source, depth: u32) -> Tree {
    let effects = source.shape().effects;
    match source.below("count", 5) {
        3 if effects => {
            let a = int(source, depth);
            binary("&", a, Tree::Leaf(one(source, &["7", "15", "31", "63"]).to_owned()))
        }
        4 if effects => int(source, depth),
        _ => Tree::Leaf(source.below("bits", 32).to_string()),
    }
}

fn float(source: &mut impl Source, depth: u32) -> Tree {
    if depth == 0 || source.below("leaf", 7) == 0 {
        return Tree::Leaf(source.leaf(Class::Float));
    }
    let depth = depth - 1;
    let effects = source.shape().effects;
    match source.below("float", 12) {
        0 => Tree::Cast(source.type_name(Class::Float), Box::new(int(source, depth))),
        1 => Tree::Cast(source.type_name(Class::Float), Box::new(float(source, depth))),
        2 => {
            let op = one(source, &["-", "+"]);
            Tree::Unary(op, Box::new(float(source, depth)))
        }
        3 => Tree::Cond(Box::new([draw_any(source, depth), int(source, depth), float(source, depth)])),
        4 => Tree::Cond(Box::new([draw_any(source, depth), float(source, depth), draw_any(source, depth)])),
        5 | 6 if effects => assignment(source, Class::Float, depth),
        7 if effects => step(source, Class::Float),
        8 if effects => binary(",", draw_any(source, depth), float(source, depth)),
        _ => {
            let op = one(source, &["+", "-", "*", "/"]);
            if source.below("left", 2) == 0 {
                binary(op, draw_any(source, depth), float(source, depth))
            } else {
                binary(op, float(source, depth), draw_any(source, depth))
            }
        }
    }
}

fn assignment(source: &mut impl Source, class: Class, depth: u32) -> Tree {
    let lvalue = source.lvalue(class);
    let arithmetic = &["=", "+=", "-=", "*=", "/="];
    let all = &["=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "<<=", ">>="];
    let op = one(source, if class == Class::Float { arithmetic } else { all });
    let right = match op {
        "<<=" | ">>=" => count(source, depth),
        "%=" | "&=" | "^=" | "|=" => int(source, depth),
        _ => draw_any(source, depth),
    };
    Tree::Assign(lvalue, op, Box::new(right))
}

fn step(source: &mut impl Source, class: Class) -> Tree {
    let lvalue = source.lvalue(class);
    let op = one(source, &["++", "--"]);
    Tree::Step(lvalue, op, source.below("prefix", 2) == 0)
}
