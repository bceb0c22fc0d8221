//! Going back: what was added to a program since a point is taken out again.

use super::{ObjId, Program};
use crate::correspond::Pairs;
use crate::id::Id;
use crate::layout::Layouts;
use crate::ty::{Cut, Types};

/// A point that a program can go back to, as long as what was there then is not changed.
#[derive(Clone)]
pub struct Mark {
    types: Kept,
    exprs: usize,
    stmts: usize,
    objects: usize,
    funcs: usize,
    labels: usize,
    inits: usize,
    strings: usize,
    floats: usize,
    asms: usize,
    decls: usize,
    paths: usize,
    expr_lists: usize,
    stmt_lists: usize,
    entries: usize,
    units: usize,
    faults: usize,
}

/// What is needed to make the types what they were.
#[derive(Clone)]
enum Kept {
    All(Box<Types>),
    Number(Cut),
}

impl Program {
    /// Where the program is now. Types are copied, because those that are there may be changed.
    pub fn mark(&self) -> Mark {
        self.marked(Kept::All(Box::new(self.types.clone())))
    }

    /// The same for who adds to the program and changes nothing that is there, its types included: far cheaper.
    pub(crate) fn mark_end(&self) -> Mark {
        self.marked(Kept::Number(self.types.cut()))
    }

    fn marked(&self, types: Kept) -> Mark {
        Mark {
            types,
            exprs: self.exprs.len(),
            stmts: self.stmts.len(),
            objects: self.objects.len(),
            funcs: self.funcs.len(),
            labels: self.labels.len(),
            inits: self.inits.len(),
            strings: self.strings.len(),
            floats: self.floats.len(),
            asms: self.asms.len(),
            decls: self.decls.len(),
            paths: self.paths.len(),
            expr_lists: self.expr_lists.len(),
            stmt_lists: self.stmt_lists.len(),
            entries: self.entries.len(),
            units: self.units.len(),
            faults: self.faults.len(),
        }
    }

    /// Takes out everything added since `mark`, which is of this program. Texts and names stay, so what was said about
    /// them can be shown.
    pub fn go_back(&mut self, mark: Mark) {
        match mark.types {
            Kept::All(types) => {
                self.types = *types;
                // What is remembered of types may be of types that are gone.
                self.layouts = Layouts::new(self.target);
            }
            Kept::Number(cut) => {
                self.types.cut_back(&cut);
                self.layouts.cut_back(self.types.records.len());
            }
        }
        self.exprs.truncate(mark.exprs);
        self.stmts.truncate(mark.stmts);
        self.objects.truncate(mark.objects);
        self.funcs.truncate(mark.funcs);
        self.labels.truncate(mark.labels);
        self.inits.truncate(mark.inits);
        self.strings.truncate(mark.strings);
        self.floats.truncate(mark.floats);
        self.asms.truncate(mark.asms);
        self.decls.truncate(mark.decls);
        self.paths.truncate(mark.paths);
        self.expr_lists.truncate(mark.expr_lists);
        self.stmt_lists.truncate(mark.stmt_lists);
        self.entries.truncate(mark.entries);
        self.units.truncate(mark.units);
        self.faults.truncate(mark.faults);
        self.adjusted.retain(|object: &ObjId| object.index() < mark.objects);
        self.library.retain(|func, _| func.index() < mark.funcs);
        self.pairs = Pairs::default();
    }
}
