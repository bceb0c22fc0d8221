//! Going back: what was added to a program since a point is taken out again.

use super::{ObjId, Program};
use crate::correspond::Pairs;
use crate::id::Id;
use crate::layout::Layouts;
use crate::ty::Types;

/// A point that a program can go back to, as long as what was there then is not changed.
#[derive(Clone)]
pub struct Mark {
    types: Types,
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

impl Program {
    /// Where the program is now. Types are copied, because a table of types that are each made once cannot be cut off.
    pub fn mark(&self) -> Mark {
        Mark {
            types: self.types.clone(),
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
        self.types = mark.types;
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
        // What is remembered of types may be of types that are gone.
        self.layouts = Layouts::new(self.target);
        self.pairs = Pairs::default();
    }
}
