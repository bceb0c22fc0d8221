//! What a node or a declaration itself names: objects, functions, labels, types. What its parts name is theirs.

use super::{Node, written_type};
use crate::program::{
    Attr, AttrArg, DeclId, Entity, ExprKind, FuncId, Function, Item, LabelId, ObjId, Object, Program,
    StmtKind,
};
use crate::symbol::Symbol;
use crate::ty::{EnumId, EnumeratorId, Field, RecordId, Type, TypeKind};

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
    /// A type is written: a cast, `sizeof`, a declaration, a member. Types that follow from others are not mentioned.
    Type(Type),
    /// An object is declared; a parameter, by the definition of its function.
    Declares(ObjId),
    /// A function is declared.
    DeclaresFunction(FuncId),
    /// `__label__` declares a label.
    DeclaresLabel(LabelId),
    /// The tag of a struct or union is declared, or its members are.
    DeclaresRecord(RecordId),
    /// An enumeration is declared.
    DeclaresEnum(EnumId),
    /// An enumeration declares one of its constants.
    DeclaresEnumerator(EnumeratorId),
    /// A typedef that is kept is declared.
    DeclaresTypedef(DeclId),
}

/// Calls `f` with what a node names. Who names an object in a whole program is asked of [`Uses`](super::Uses); in a part
/// of it, [`Walk`](super::Walk) goes over the nodes:
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
            StmtKind::LabelDecl(label) => f(Mention::DeclaresLabel(label)),
            StmtKind::Asm(asm) => {
                program.asms[asm].labels.iter().for_each(|&label| f(Mention::Label(label)));
            }
            StmtKind::Item(item) => item_mentions(program, item, f),
            _ => {}
        },
        Node::Init(_) => {}
        Node::Function(func) => {
            let function = &program.funcs[func];
            f(Mention::Type(function.ty));
            for &param in &function.params {
                let object = &program.objects[param];
                f(Mention::Declares(param));
                f(Mention::Type(object.ty));
                attr_mentions(program, object.unit, &object.attrs, &mut f);
            }
        }
    }
}

/// Calls `f` with what a declaration names, at file scope or in a block. The parameters of a definition are named by
/// [`Node::Function`].
pub fn item_mentions(program: &Program, item: Item, mut f: impl FnMut(Mention)) {
    match item {
        Item::RecordTag(id) => f(Mention::DeclaresRecord(id)),
        Item::Record(id) => members(program, id, &mut f),
        Item::Enum(id) => {
            f(Mention::DeclaresEnum(id));
            let constants = &program.types.enums[id].constants;
            constants.iter().for_each(|&constant| f(Mention::DeclaresEnumerator(constant)));
        }
        Item::Decl(id) => {
            let decl = &program.decls[id];
            let unit = match decl.entity {
                Entity::Object(object) => {
                    f(Mention::Declares(object));
                    program.objects[object].unit
                }
                Entity::Function(func) => {
                    f(Mention::DeclaresFunction(func));
                    program.funcs[func].unit
                }
                Entity::Typedef(_) => {
                    f(Mention::DeclaresTypedef(id));
                    // What it stands for; its own type is the name that it declares.
                    let base = program.types.variant(decl.ty).map_or(decl.ty, |variant| variant.base);
                    return f(Mention::Type(base));
                }
                Entity::Bounds => 0,
            };
            f(Mention::Type(decl.ty));
            attr_mentions(program, unit, &decl.attrs, &mut f);
        }
        Item::Asm(_) | Item::Include(_) | Item::IncludeEnd => {}
    }
}

/// A struct or union with its members. An anonymous one is declared where it stands.
fn members(program: &Program, id: RecordId, f: &mut impl FnMut(Mention)) {
    let types = &program.types;
    f(Mention::DeclaresRecord(id));
    let mut open: Vec<&Field> = types.records[id].fields.iter().rev().collect();
    while let Some(field) = open.pop() {
        match types.kind(field.ty) {
            TypeKind::Record(inner) if field.name.is_none() && types.records[inner].tag.is_none() => {
                f(Mention::DeclaresRecord(inner));
                open.extend(types.records[inner].fields.iter().rev());
            }
            _ => f(Mention::Type(field.ty)),
        }
    }
}

fn attr_mentions(program: &Program, unit: u32, attrs: &[Attr], f: &mut impl FnMut(Mention)) {
    for attr in attrs {
        attr_target(program, unit, attr).into_iter().for_each(&mut *f);
    }
}

/// What an attribute of something in a unit names: the function of `cleanup(f)`, what `alias("f")` is another name of.
pub fn attr_target(program: &Program, unit: u32, attr: &Attr) -> Option<Mention> {
    // An alias defines its name, too.
    let alias = |attrs: &[Attr]| attrs.iter().any(|attr| program.name(attr.name) == "alias");
    let function = |name: Symbol, defined: bool| {
        let mut found = program.funcs.iter().filter(|(_, func)| func.unit == unit && func.name == name);
        let fits = |func: &Function| !defined || func.body.is_some() || alias(&func.attrs);
        found.find(|(_, func)| fits(func)).map(|(id, _)| Mention::Function(id))
    };
    match (program.name(attr.name), attr.args.first()?) {
        ("cleanup", &AttrArg::Ident(name)) => function(name, false),
        // It names what the assembler sees, which the unit must define.
        ("alias", AttrArg::Str(name)) => {
            let name = program.symbols.get(name)?;
            let object = || {
                let same = |object: &Object| object.unit == unit && object.name == Some(name);
                let mut found = program.objects.iter().filter(|(_, object)| same(object));
                let fits = |object: &Object| object.defined || alias(&object.attrs);
                found.find(|(_, object)| fits(object)).map(|(id, _)| Mention::Object(id))
            };
            function(name, true).or_else(object)
        }
        _ => None,
    }
}

/// Calls `f` with every struct, union, enumeration and kept typedef by which a type is written, each place once.
pub fn type_names(program: &Program, ty: Type, mut f: impl FnMut(TypeName)) {
    let types = &program.types;
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        if let Some(variant) = types.variant(ty) {
            match variant.name {
                Some(_) => f(TypeName::Typedef(ty.bare())),
                None => open.push(variant.base),
            }
            continue;
        }
        match types.kind(ty) {
            TypeKind::Pointer(to) => open.push(to),
            TypeKind::Array { elem, .. } | TypeKind::Complex(elem) | TypeKind::Vector { elem, .. } => {
                open.push(elem);
            }
            TypeKind::Function(signature) => {
                let signature = types.signature(signature);
                open.extend(signature.params.iter().rev());
                open.push(signature.ret);
            }
            TypeKind::Record(id) => f(TypeName::Record(id)),
            TypeKind::Enum(id) => f(TypeName::Enum(id)),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int(_)
            | TypeKind::Bits { .. }
            | TypeKind::Float(_)
            | TypeKind::Variant(_) => {}
        }
    }
}

/// What a type is written by beside the keywords of C.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeName {
    /// The tag of a struct or union.
    Record(RecordId),
    /// The tag of an enumeration.
    Enum(EnumId),
    /// A typedef that is kept, by the variant it names, unqualified.
    Typedef(Type),
}
