//! Where names stand in the text. Who renders variants of a program patches these bytes instead of printing again.
//!
//! Members have no entry, because no scope decides what they mean; nor have names that come from a header.

use super::Printer;
use crate::program::{Attr, AttrArg, ExprId, FuncId, LabelId, ObjId};
use crate::symbol::Symbol;
use crate::ty::{EnumId, EnumeratorId, RecordId, Type};
use crate::visit::{self, How, Mention};

/// A name that was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamePlace {
    /// The byte of the text where it starts.
    pub start: u32,
    /// The byte behind it.
    pub end: u32,
    /// What it names.
    pub names: Referent,
    /// Whether it is declared here. The place of a label is its declaration.
    pub how: How,
    /// The expression that the name is. There is none in a declaration, a jump, a type or an attribute: the length of
    /// an array may be written as `__typeof__(a)`.
    pub expr: Option<ExprId>,
}

impl NamePlace {
    /// The bytes of the text.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(super) fn shift(&mut self, by: u32) {
        self.start += by;
        self.end += by;
    }
}

/// What a name in the text stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Referent {
    /// An object or parameter.
    Object(ObjId),
    /// A function.
    Function(FuncId),
    /// An enumeration constant.
    Enumerator(EnumeratorId),
    /// A label.
    Label(LabelId),
    /// The tag of a struct or union.
    Record(RecordId),
    /// The tag of an enumeration.
    Enum(EnumId),
    /// A typedef that is kept, by the type it names.
    Typedef(Type),
}

/// Text to be put into a place of what is already written, with the names in it.
pub(super) struct Insertion {
    /// Where it goes.
    pub at: usize,
    /// What goes there.
    pub text: String,
    /// Its names, counted from its own start.
    pub names: Vec<NamePlace>,
}

impl Printer<'_> {
    /// Writes a name that nothing need be known of but what it stands for.
    pub(super) fn named(&mut self, name: Symbol, names: Referent, how: How) {
        self.place(self.out.len(), names, how, None, |printer| printer.name(name));
    }

    /// Writes the name that an expression is.
    pub(super) fn name_use(&mut self, name: Symbol, names: Referent, expr: ExprId) {
        self.place(self.out.len(), names, How::Names, Some(expr), |printer| printer.name(name));
    }

    /// Has a name written that starts at `start`.
    #[inline]
    fn place(
        &mut self,
        start: usize,
        names: Referent,
        how: How,
        expr: Option<ExprId>,
        write: impl FnOnce(&mut Self),
    ) {
        write(self);
        if let Some(places) = &mut self.names {
            let (start, end) = (start as u32, self.out.len() as u32);
            places.push(NamePlace { start, end, names, how, expr });
        }
    }

    /// Writes what a declarator declares.
    pub(super) fn declared_name(&mut self, name: &str, names: Option<Referent>) {
        let start = self.out.len();
        match names {
            Some(names) => {
                self.place(start, names, How::Declares, None, |printer| printer.out.push_str(name));
            }
            None => self.out.push_str(name),
        }
    }

    /// Notes what the argument of an attribute names, which was written from `start` on.
    pub(super) fn attribute_name(&mut self, attr: &Attr, start: usize) {
        if self.names.is_none() {
            return;
        }
        let program = self.program;
        let (names, name) = match visit::attr_target(program, self.unit, attr) {
            Some(Mention::Function(func)) => (Referent::Function(func), Some(program.funcs[func].name)),
            Some(Mention::Object(object)) => (Referent::Object(object), program.objects[object].name),
            _ => return,
        };
        let Some(name) = name else { return };
        // A string may have to be written with escapes.
        let quotes = usize::from(matches!(attr.args.first(), Some(AttrArg::Str(_))));
        let (start, end) = (start + quotes, self.out.len() - quotes);
        if self.out.get(start..end) == Some(program.name(name)) {
            let (start, end) = (start as u32, end as u32);
            let place = NamePlace { start, end, names, how: How::Names, expr: None };
            self.names.iter_mut().for_each(|places| places.push(place));
        }
    }

    /// Puts what was found to be missing into the current item.
    pub(super) fn insert_pending(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let mut pending = std::mem::take(&mut self.pending);
        pending.sort_by_key(|insertion| insertion.at);
        let tail = self.out.split_off(self.item_start);
        let mut done = 0;
        for insertion in &mut pending {
            let upto = insertion.at - self.item_start;
            self.out.push_str(&tail[done..upto]);
            let start = self.out.len() as u32;
            insertion.names.iter_mut().for_each(|place| place.shift(start));
            self.out.push_str(&insertion.text);
            done = upto;
        }
        self.out.push_str(&tail[done..]);
        let Some(places) = &mut self.names else { return };
        let first = places.partition_point(|place| (place.start as usize) < self.item_start);
        for place in &mut places[first..] {
            let before = pending.partition_point(|insertion| insertion.at <= place.start as usize);
            let by: usize = pending[..before].iter().map(|insertion| insertion.text.len()).sum();
            place.shift(by as u32);
        }
        places.extend(pending.into_iter().flat_map(|insertion| insertion.names));
        places[first..].sort_by_key(|place| place.start);
    }
}
