//! A test as data: its files, the standard they are written in, what they must do on each target, and the line that
//! makes them again.
//!
//! Nothing here generates, judges, compiles or stores; every crate that does speaks of a [`Case`].
//!
//! ```
//! use howler_case::{Behaviour, Case, End, Origin};
//! use howler_lang::target::{Std, Target};
//!
//! let origin = Origin { arm: "orange".to_owned(), version: "0.1.0".to_owned(), seed: 7, index: 3 };
//! let mut case = Case::new("test.c", "int main(void) { return 3; }\n", Std::GNU17, origin);
//! case.expected.insert(Target::X86_64_GCC, Behaviour { end: End::Exit(3), output: Vec::new(), trace: None });
//! assert_eq!(case.origin.to_string(), "orange version=0.1.0 seed=7 index=3");
//! assert_eq!(case.id(), case.clone().id());
//! ```
#![deny(missing_docs)]

pub mod behaviour;
pub mod id;
pub mod origin;

use std::collections::BTreeMap;

use howler_lang::target::{Std, Target};

pub use behaviour::{Behaviour, End};
pub use id::Id;
pub use origin::Origin;

/// One test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The translation units, in the order they are given to a compiler. Each is one text without includes of files
    /// that are not here; `#include` of standard headers is fine.
    pub files: Vec<File>,
    /// The standard that every compile names.
    pub std: Std,
    /// What it must do, for each target that somebody has computed it for.
    pub expected: BTreeMap<Target, Behaviour>,
    /// Where it comes from.
    pub origin: Origin,
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
    /// A test of one file of which nothing is known yet.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>, std: Std, origin: Origin) -> Case {
        let file = File { name: name.into(), text: text.into() };
        Case { files: vec![file], std, expected: BTreeMap::new(), origin }
    }

    /// The identity of what is compiled: files and standard. Where a test comes from does not change it.
    pub fn id(&self) -> Id {
        let mut hash = id::Hasher::new("case");
        hash.field(self.std.name().as_bytes());
        for file in &self.files {
            hash.field(file.name.as_bytes()).field(&file.text);
        }
        hash.finish()
    }
}
