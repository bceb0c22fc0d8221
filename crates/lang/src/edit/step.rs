//! An edit as data: what it is about, where, and what it puts there. It can be stored, and made again on the seed
//! without whoever thought of it.

use super::fragment::Fragment;
use crate::id::Id;
use crate::program::{DeclId, ExprId, FuncId, ObjId, StmtId};
use crate::ty::{EnumId, RecordId};

/// Something of the seed, or something that an earlier edit made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ref<I> {
    /// Of the seed.
    Seed(I),
    /// The `number`-th of its kind that an edit made.
    Made {
        /// The edit's place in the list.
        edit: u32,
        /// From 0.
        number: u32,
    },
}

impl<I: Id> Ref<I> {
    /// The edit that it needs.
    pub fn edit(self) -> Option<u32> {
        match self {
            Ref::Seed(_) => None,
            Ref::Made { edit, .. } => Some(edit),
        }
    }
}

/// Where statements are put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Before a statement.
    Before(Ref<StmtId>),
    /// At the end of a block.
    End(Ref<StmtId>),
    /// Where a statement stands, which goes away.
    Instead(Ref<StmtId>),
}

/// What is put in the place of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    /// A part of it.
    Part(Ref<ExprId>),
    /// A copy of another expression.
    Copy(Ref<ExprId>),
    /// New code: an expression.
    Code(Fragment),
}

/// A declaration at file scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemRef {
    /// `struct S;`
    RecordTag(Ref<RecordId>),
    /// `struct S { … };`
    Record(Ref<RecordId>),
    /// `enum E { … };`
    Enum(Ref<EnumId>),
    /// Of an object or function.
    Decl(Ref<DeclId>),
}

impl ItemRef {
    /// The edit that it needs.
    fn edit(self) -> Option<u32> {
        match self {
            ItemRef::RecordTag(id) | ItemRef::Record(id) => id.edit(),
            ItemRef::Enum(id) => id.edit(),
            ItemRef::Decl(decl) => decl.edit(),
        }
    }
}

/// Where declarations are put at file scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemPlace {
    /// At the start of a unit.
    Start(u32),
    /// At its end.
    End(u32),
    /// Before a declaration.
    Before(ItemRef),
    /// After one.
    After(ItemRef),
}

/// One edit.
#[derive(Clone, PartialEq, Debug)]
pub enum Edit {
    /// Takes a statement away.
    Remove(Ref<StmtId>),
    /// Puts new statements somewhere.
    Insert {
        /// Where.
        place: Place,
        /// What.
        code: Fragment,
    },
    /// Puts new declarations at file scope: objects, functions, types.
    Declare {
        /// Where.
        place: ItemPlace,
        /// What.
        code: Fragment,
    },
    /// Puts a copy of statements somewhere.
    Copy {
        /// The first.
        first: Ref<StmtId>,
        /// The last, in the same block.
        last: Ref<StmtId>,
        /// Where.
        place: Place,
        /// What the copy names instead.
        renaming: Vec<(Ref<ObjId>, Ref<ObjId>)>,
    },
    /// Puts statements into a block of their own.
    Wrap {
        /// The first.
        first: Ref<StmtId>,
        /// The last, in the same block.
        last: Ref<StmtId>,
    },
    /// Puts statements, as they are, somewhere else of their function.
    Move {
        /// The first.
        first: Ref<StmtId>,
        /// The last, in the same block.
        last: Ref<StmtId>,
        /// Where, and not inside of them.
        place: Place,
    },
    /// Puts another expression in the place of one.
    Replace {
        /// The expression.
        at: Ref<ExprId>,
        /// What is put there.
        with: Operand,
    },
    /// Makes statements a function.
    Outline {
        /// The first.
        first: Ref<StmtId>,
        /// The last, in the same block.
        last: Ref<StmtId>,
    },
    /// Copies a function.
    CopyFunction(Ref<FuncId>),
    /// Names another function wherever one is named.
    Redirect {
        /// The one that is named.
        from: Ref<FuncId>,
        /// What is named instead.
        to: Ref<FuncId>,
    },
    /// Takes all declarations of a function away.
    RemoveFunction(Ref<FuncId>),
    /// Takes a declaration at file scope away.
    RemoveItem(ItemRef),
}

impl Edit {
    /// The edits that it needs, without those that they need.
    pub fn needs(&self) -> Vec<u32> {
        let mut needs = Vec::new();
        let place = |place: &Place| match *place {
            Place::Before(s) | Place::End(s) | Place::Instead(s) => s.edit(),
        };
        match self {
            Edit::Remove(s) => needs.extend(s.edit()),
            Edit::Insert { place: at, code } => {
                needs.extend(place(at));
                needs.extend(code.needs());
            }
            Edit::Declare { place, code } => {
                if let ItemPlace::Before(item) | ItemPlace::After(item) = place {
                    needs.extend(item.edit());
                }
                needs.extend(code.needs());
            }
            Edit::Copy { first, last, place: at, renaming } => {
                needs.extend(first.edit());
                needs.extend(last.edit());
                needs.extend(place(at));
                needs.extend(renaming.iter().flat_map(|(from, to)| [from.edit(), to.edit()]).flatten());
            }
            Edit::Move { first, last, place: at } => {
                needs.extend(first.edit());
                needs.extend(last.edit());
                needs.extend(place(at));
            }
            Edit::Wrap { first, last } | Edit::Outline { first, last } => {
                needs.extend(first.edit());
                needs.extend(last.edit());
            }
            Edit::Replace { at, with } => {
                needs.extend(at.edit());
                match with {
                    Operand::Part(e) | Operand::Copy(e) => needs.extend(e.edit()),
                    Operand::Code(code) => needs.extend(code.needs()),
                }
            }
            Edit::CopyFunction(func) | Edit::RemoveFunction(func) => needs.extend(func.edit()),
            Edit::Redirect { from, to } => {
                needs.extend(from.edit());
                needs.extend(to.edit());
            }
            Edit::RemoveItem(item) => needs.extend(item.edit()),
        }
        needs.sort_unstable();
        needs.dedup();
        needs
    }
}
