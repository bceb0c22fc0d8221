//! Subjects that are files, and the questions that are asked about files.

use howler_case::File;

use crate::engine::{Answer, Subject, Test};

/// A subject that is files, whatever else it is.
pub trait Files: Subject {
    /// The files.
    fn files(&self) -> &[File];
}

/// Asks about files.
pub trait Ask: Send {
    /// Whether these files still do what they have to.
    fn ask(&mut self, files: &[File]) -> Answer;
}

impl<F: FnMut(&[File]) -> Answer + Send> Ask for F {
    fn ask(&mut self, files: &[File]) -> Answer {
        self(files)
    }
}

/// A test of any subject that is files.
pub struct OfFiles<'a, A>(pub &'a mut A);

impl<S: Files, A: Ask> Test<S> for OfFiles<'_, A> {
    fn ask(&mut self, subject: &S) -> Answer {
        self.0.ask(subject.files())
    }
}
