//! A test as data: its files, the language and the standard they are written in, what they are run with, what they must
//! do then on each target, how they were edited, and the line that makes them again.
//!
//! Nothing here generates, judges, compiles or stores; every crate that does speaks of a [`Case`].
//!
//! ```
//! use howler_case::{Behaviour, Case, End, Origin};
//! use howler_lang::target::{Std, Target};
//!
//! let origin = Origin { arm: "orange".to_owned(), version: "0.1.0".to_owned(), seed: 7, index: 3 };
//! let mut case = Case::new("test.c", "int main(void) { return 3; }\n", Std::GNU17, origin);
//! case.expect(Target::X86_64_GCC, Behaviour { end: End::Exit(3), output: Vec::new(), trace: None });
//! assert_eq!(case.origin.to_string(), "orange version=0.1.0 seed=7 index=3");
//! assert_eq!(case.id(), case.clone().id());
//! ```
#![deny(missing_docs)]

pub mod behaviour;
pub mod id;
pub mod input;
pub mod options;
pub mod origin;
pub mod status;
pub mod technique;

use std::collections::BTreeMap;

use howler_lang::target::{Std, Target};

pub use behaviour::{Behaviour, End};
pub use id::Id;
pub use input::Input;
pub use origin::Origin;
pub use status::Status;
pub use technique::{Extension, Generator, Size, Technique};

/// One test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// What the files are written in.
    pub language: Language,
    /// The translation units, in the order they are given to a compiler. Each is one text without includes of files
    /// that are not here; `#include` of standard headers is fine.
    pub files: Vec<File>,
    /// The standard that every compile names.
    pub std: Std,
    /// What the program is run with, a run for each; usually one run with nothing.
    pub inputs: Vec<Input>,
    /// What it must do, for each target that somebody has computed it for and each input, by its number.
    pub expected: BTreeMap<(Target, usize), Behaviour>,
    /// How the files were made from the program that the origin names, if they are not that program: one edit to a line,
    /// in the text form of what replays them, in the order in which they are replayed. Here they are text without
    /// meaning.
    pub edits: Vec<String>,
    /// Where it comes from.
    pub origin: Origin,
}

/// What a test is written in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Language {
    /// C.
    C,
}

impl Language {
    /// Its name in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            Language::C => "c",
        }
    }
}

/// One file of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name, without folders.
    pub name: String,
    /// Its text. Old sources are not always UTF-8.
    pub text: Vec<u8>,
}

impl Case {
    /// A test of one C file of which nothing is known yet, run with nothing.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>, std: Std, origin: Origin) -> Case {
        let file = File { name: name.into(), text: text.into() };
        Case {
            language: Language::C,
            files: vec![file],
            std,
            inputs: vec![Input::NOTHING],
            expected: BTreeMap::new(),
            edits: Vec::new(),
            origin,
        }
    }

    /// Says what it must do on a target, run with its first input.
    pub fn expect(&mut self, target: Target, behaviour: Behaviour) {
        self.expected.insert((target, 0), behaviour);
    }

    /// What it must do on a target, run with its first input, if somebody has computed that.
    pub fn expected_on(&self, target: Target) -> Option<&Behaviour> {
        self.expected.get(&(target, 0))
    }

    /// The first of its inputs; nothing if it has none.
    pub fn input(&self) -> &Input {
        static NOTHING: Input = Input::NOTHING;
        self.inputs.first().unwrap_or(&NOTHING)
    }

    /// The same test with one of its inputs only, and what is expected of that; none if it has no such input.
    #[must_use]
    pub fn with_input(&self, number: usize) -> Option<Case> {
        let input = self.inputs.get(number)?.clone();
        let of_this = self.expected.iter().filter(|((_, input), _)| *input == number);
        let expected = of_this.map(|(&(target, _), behaviour)| ((target, 0), behaviour.clone())).collect();
        Some(Case { inputs: vec![input], expected, ..self.clone() })
    }

    /// The identity of what is compiled and run: language, standard, files, inputs, edits. Where a test comes from does
    /// not change it, nor what somebody knows of its behaviour: that follows from the rest, and is known here for one
    /// target and there for another.
    pub fn id(&self) -> Id {
        let mut hash = id::Hasher::new("case");
        hash.field(self.std.name().as_bytes());
        for file in &self.files {
            hash.field(file.name.as_bytes()).field(&file.text);
        }
        let text = hash.finish();
        if self.language == Language::C && self.edits.is_empty() && self.inputs == [Input::NOTHING] {
            return text;
        }
        // A kind of its own: what follows the files cannot be taken for more files.
        let mut hash = id::Hasher::new("case with inputs");
        let count = |count: usize| (count as u64).to_le_bytes();
        hash.field(text.bytes()).field(self.language.name().as_bytes()).field(&count(self.inputs.len()));
        for input in &self.inputs {
            hash.field(&count(input.arguments.len()));
            for argument in &input.arguments {
                hash.field(argument.as_bytes());
            }
            hash.field(&input.stdin);
        }
        for edit in &self.edits {
            hash.field(edit.as_bytes());
        }
        hash.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> Case {
        let origin = Origin { arm: "test".to_owned(), version: "0".to_owned(), seed: 0, index: 0 };
        Case::new("a.c", "int main(void) { return 0; }\n", Std::GNU17, origin)
    }

    fn input(arguments: &[&str], stdin: &str) -> Input {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Input { arguments, stdin: stdin.as_bytes().to_vec() }
    }

    /// Stores know ids: that of a plain test is the hash it always was.
    #[test]
    fn the_id_of_a_plain_test_never_changes() {
        assert_eq!(plain().id().to_string(), "d9d73af5392ad40aa77af7f8dee69918");
    }

    #[test]
    fn an_id_covers_inputs_and_edits() {
        let cases = [
            plain(),
            Case { inputs: Vec::new(), ..plain() },
            Case { inputs: vec![input(&["a"], "")], ..plain() },
            Case { inputs: vec![input(&[], "a")], ..plain() },
            Case { inputs: vec![input(&["a"], ""), Input::NOTHING], ..plain() },
            Case { inputs: vec![input(&["a", "b"], "")], ..plain() },
            Case { inputs: vec![input(&["a"], "b")], ..plain() },
            Case { edits: vec!["a".to_owned()], ..plain() },
            Case { edits: vec!["a".to_owned(), "b".to_owned()], ..plain() },
            Case { edits: vec!["ab".to_owned()], ..plain() },
            Case { std: Std::C17, ..plain() },
        ];
        let ids: std::collections::BTreeSet<Id> = cases.iter().map(Case::id).collect();
        assert_eq!(ids.len(), cases.len());
    }

    #[test]
    fn what_is_known_of_a_test_does_not_change_its_id() {
        let mut known = plain();
        known.expect(Target::X86_64_GCC, Behaviour { end: End::Exit(0), output: Vec::new(), trace: None });
        known.origin.index = 9;
        assert_eq!(known.id(), plain().id());
    }

    #[test]
    fn one_input_is_taken_with_what_is_expected_of_it() {
        let mut case = Case { inputs: vec![input(&["a"], ""), input(&["b"], "")], ..plain() };
        let ends = |status| Behaviour { end: End::Exit(status), output: Vec::new(), trace: None };
        case.expected.insert((Target::X86_64_GCC, 0), ends(1));
        case.expected.insert((Target::X86_64_GCC, 1), ends(2));
        let second = case.with_input(1).unwrap();
        assert_eq!(second.input(), &input(&["b"], ""));
        assert_eq!(second.expected_on(Target::X86_64_GCC), Some(&ends(2)));
        assert_eq!(second.expected.len(), 1);
        assert_eq!(case.with_input(2), None);
    }
}
