//! What a program is run with.

/// The arguments and the standard input of one run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Input {
    /// What follows the program's name. Text, so that a script can give them; a zero byte ends an argument (C17
    /// 5.1.2.2.1p2), so none may have one.
    pub arguments: Vec<String>,
    /// All that standard input has.
    pub stdin: Vec<u8>,
}

impl Input {
    /// No arguments, and nothing to read.
    pub const NOTHING: Input = Input { arguments: Vec::new(), stdin: Vec::new() };

    /// Whether there are neither arguments nor anything to read.
    pub fn is_nothing(&self) -> bool {
        self.arguments.is_empty() && self.stdin.is_empty()
    }
}
