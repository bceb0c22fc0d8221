//! The whole program in the order of its text: all that its units hold, and nothing else. The arenas also have nodes that
//! nothing reaches: what the front end evaluated and dropped, what an edit replaced.

use super::{Part, Walk};
use crate::program::{DeclId, Entity, ExprId, FuncId, Item, Program, StmtId};

/// A place that can name something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// An expression.
    Expr(ExprId),
    /// A statement; a declaration in a block is one.
    Stmt(StmtId),
    /// A declaration at file scope.
    Item(Item),
}

const _: () = assert!(size_of::<Site>() == 8);

/// Goes over every declaration, statement, initialiser and expression of a program, each once and before what it is made
/// of. Nested functions come where they are defined.
///
/// ```
/// use howler_lang::program::{ExprId, Program};
/// use howler_lang::visit::{Everything, Found, Node};
///
/// /// The expressions that are part of a program.
/// fn expressions(program: &Program) -> impl Iterator<Item = ExprId> + '_ {
///     Everything::of(program).filter_map(|found| match found {
///         Found::Part(part) => match part.node {
///             Node::Expr(e) => Some(e),
///             _ => None,
///         },
///         Found::Item { .. } => None,
///     })
/// }
/// ```
pub struct Everything<'p> {
    program: &'p Program,
    walk: Walk<'p>,
    unit: usize,
    index: usize,
}

/// What [`Everything`] comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// A declaration at file scope.
    Item {
        /// Index into [`Program::units`].
        unit: usize,
        /// The declaration.
        item: Item,
    },
    /// A part of one, or a function that was just declared with its body.
    Part(Part),
}

impl<'p> Everything<'p> {
    /// Starts at the first declaration of the first unit.
    pub fn of(program: &'p Program) -> Everything<'p> {
        Everything { program, walk: Walk::nothing(program), unit: 0, index: 0 }
    }

    fn next_item(&mut self) -> Option<Found> {
        loop {
            let unit = self.program.units.get(self.unit)?;
            if let Some(&item) = unit.items.get(self.index) {
                self.index += 1;
                self.walk.push_item(item);
                return Some(Found::Item { unit: self.unit, item });
            }
            (self.unit, self.index) = (self.unit + 1, 0);
        }
    }
}

impl Iterator for Everything<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        match self.walk.next_deep() {
            Some(part) => Some(Found::Part(part)),
            None => self.next_item(),
        }
    }
}

/// The function that a declaration defines.
pub fn defined_by(program: &Program, decl: DeclId) -> Option<FuncId> {
    let decl = &program.decls[decl];
    match decl.entity {
        Entity::Function(func) if decl.body => Some(func),
        _ => None,
    }
}
