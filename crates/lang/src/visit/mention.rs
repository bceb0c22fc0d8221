//! What a node itself names: objects, functions, labels, types. What its parts name is theirs.

use super::{Node, written_type};
use crate::program::{Entity, ExprKind, FuncId, Item, LabelId, ObjId, Program, StmtKind};
use crate::ty::{EnumeratorId, Type};

/// Something that a node names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mention {
    /// An object is used by its name.
    Object(ObjId),
    /// A compound literal: its expression is its only name.
    Literal(ObjId),
    /// A function is used by its name.
    Function(FuncId),
    /// The statement is the label's place.
    Place(LabelId),
    /// A jump to a label, or its address.
    Label(LabelId),
    /// An enumeration constant.
    Enumerator(EnumeratorId),
    /// A type is written: a cast, `sizeof`, a declaration. Types that follow from others are not mentioned.
    Type(Type),
    /// The statement declares an object.
    Declares(ObjId),
    /// The statement declares a function.
    DeclaresFunction(FuncId),
}

/// Calls `f` with what a node names. To find the users of an object, [`Walk`](super::Walk) over everything and ask
/// each node:
///
/// ```
/// use howler_lang::program::{FuncId, ObjId, Program};
/// use howler_lang::visit::{Mention, Node, Walk, mentions};
///
/// /// The nodes of a function that name an object.
/// fn users(program: &Program, func: FuncId, object: ObjId) -> Vec<Node> {
///     let mut users = Vec::new();
///     for part in Walk::of(program, Node::Function(func)) {
///         mentions(program, part.node, |mention| {
///             if mention == Mention::Object(object) {
///                 users.push(part.node);
///             }
///         });
///     }
///     users
/// }
/// ```
pub fn mentions(program: &Program, node: Node, mut f: impl FnMut(Mention)) {
    match node {
        Node::Expr(e) => {
            let expr = &program.exprs[e];
            match expr.kind {
                ExprKind::Object(object) => f(Mention::Object(object)),
                ExprKind::CompoundLiteral(object) => {
                    f(Mention::Literal(object));
                    f(Mention::Type(program.objects[object].ty));
                }
                ExprKind::Function(func) => f(Mention::Function(func)),
                ExprKind::LabelAddr(label) => f(Mention::Label(label)),
                ExprKind::EnumConst(constant) => f(Mention::Enumerator(constant)),
                _ => {}
            }
            written_type(expr).into_iter().for_each(|ty| f(Mention::Type(ty)));
        }
        Node::Stmt(s) => match program.stmts[s].kind {
            StmtKind::Label(label, _) => f(Mention::Place(label)),
            StmtKind::Goto(label) => f(Mention::Label(label)),
            StmtKind::Asm(asm) => {
                program.asms[asm].labels.iter().for_each(|&label| f(Mention::Label(label)));
            }
            StmtKind::Item(Item::Decl(decl)) => {
                let decl = &program.decls[decl];
                match decl.entity {
                    Entity::Object(object) => f(Mention::Declares(object)),
                    Entity::Function(func) => f(Mention::DeclaresFunction(func)),
                    Entity::Typedef(_) | Entity::Bounds => {}
                }
                f(Mention::Type(decl.ty));
            }
            _ => {}
        },
        Node::Init(_) => {}
        Node::Function(func) => {
            let function = &program.funcs[func];
            f(Mention::Type(function.ty));
            function.params.iter().for_each(|&param| f(Mention::Declares(param)));
        }
    }
}
