//! The rule of types that have a tag: they are declared where they are written, and defined where it matters.

use super::{Faults, Places};
use crate::id::Id;
use crate::program::{Conv, DeclId, Entity, ExprId, ExprKind, Item, Program, StmtKind, Storage, UnaryOp};
use crate::scope::{Named, Point, Scopes, Tagged};
use crate::symbol::Symbol;
use crate::ty::{EnumId, RecordId, Type, TypeKind};
use crate::visit::{self, Found, Node, Part, Walk};
use rustc_hash::FxHashSet;

pub(super) fn check(program: &Program, all: &[Found], scopes: &Scopes, faults: &mut Faults) {
    let item_of = |found: &Found| match *found {
        Found::Item { item, .. } => Some(item),
        Found::Part(Part { node: Node::Stmt(s), .. }) => match program.stmts[s].kind {
            StmtKind::Item(item) => Some(item),
            _ => None,
        },
        Found::Part(_) => None,
    };
    let enums = all.iter().filter_map(item_of).filter_map(|item| enum_of(&item)).collect();
    let records = all.iter().filter_map(item_of).filter_map(|item| match item {
        Item::Record(id) => Some(id),
        _ => None,
    });
    let mut checker = Checker { program, scopes, faults, enums, records: records.collect() };
    let mut places = Places::default();
    for found in all {
        places.pass(found);
        match *found {
            Found::Item { item, .. } => {
                // A definition without an initialiser may come before its type is complete (C17 6.9.2p2).
                checker.item(item, places.before(), places.end(program));
            }
            Found::Part(Part { node: Node::Expr(e), .. }) => checker.expr(e),
            Found::Part(Part { node: Node::Stmt(s), .. }) => {
                if let StmtKind::Item(item) = program.stmts[s].kind {
                    checker.item(item, Point::Before(s), Point::Before(s));
                }
            }
            Found::Part(_) => {}
        }
    }
}

struct Checker<'a> {
    program: &'a Program,
    scopes: &'a Scopes,
    faults: &'a mut Faults,
    /// The enumerations that are defined somewhere.
    enums: FxHashSet<EnumId>,
    /// The structs and unions that are.
    records: FxHashSet<RecordId>,
}

fn enum_of(item: &Item) -> Option<EnumId> {
    match *item {
        Item::Enum(id) => Some(id),
        _ => None,
    }
}

impl Checker<'_> {
    fn item(&mut self, item: Item, before: Point, tentative: Point) {
        match item {
            Item::Decl(decl) => self.decl(decl, before, tentative),
            Item::Record(id) => {
                let program = self.program;
                for field in &program.types.records[id].fields {
                    self.field(field.ty, before, id.index());
                }
            }
            Item::RecordTag(id) => {
                self.defined_somewhere(id);
            }
            Item::Enum(_) | Item::Asm(_) | Item::Include(_) | Item::IncludeEnd => {}
        }
    }

    /// A member: what it is made of is complete, and an unnamed struct is part of the one around it.
    fn field(&mut self, ty: Type, before: Point, around: usize) {
        let program = self.program;
        let mut work = vec![ty];
        while let Some(ty) = work.pop() {
            match element(program, ty) {
                TypeKind::Record(id) if program.types.records[id].tag.is_none() => {
                    work.extend(program.types.records[id].fields.iter().map(|field| field.ty));
                }
                // A pointer to the struct itself, or to one around it.
                TypeKind::Record(_) | TypeKind::Enum(_) => self.complete(ty, before),
                _ => self.written_but(ty, before, Some(around)),
            }
        }
    }

    fn decl(&mut self, id: DeclId, before: Point, tentative: Point) {
        let program = self.program;
        let decl = &program.decls[id];
        // A typedef's own name stands for what it is made of.
        let own = program.types.variant(decl.ty).filter(|variant| variant.name.is_some());
        let ty = match (decl.entity, own) {
            (Entity::Typedef(_), Some(variant)) => variant.base,
            _ => decl.ty,
        };
        self.written(ty, before);
        match decl.entity {
            Entity::Object(_) if decl.storage == Storage::Extern && decl.init.is_none() => {
                self.elements(decl.ty, before);
            }
            Entity::Object(_) if decl.init.is_some() => self.complete(decl.ty, before),
            Entity::Object(_) => {
                self.elements(decl.ty, before);
                self.complete(decl.ty, tentative);
            }
            Entity::Function(_) if decl.body => {
                if let TypeKind::Function(signature) = program.types.kind(decl.ty) {
                    let signature = program.types.signature(signature);
                    for &ty in signature.params.iter().chain([&signature.ret]) {
                        self.complete(ty, before);
                    }
                }
            }
            Entity::Function(_) | Entity::Typedef(_) | Entity::Bounds => {}
        }
    }

    fn expr(&mut self, e: ExprId) {
        let program = self.program;
        let at = Point::At(e);
        let expr = &program.exprs[e];
        visit::written_type(expr).into_iter().for_each(|ty| self.written(ty, at));
        match expr.kind {
            ExprKind::Convert(Conv::Load, _) => self.complete_value(expr.ty, e),
            // gcc lets an enumeration be written before it is defined, but nothing become one.
            ExprKind::Call(..) | ExprKind::VaArg(_) | ExprKind::Cast(..) => self.complete(expr.ty, at),
            ExprKind::CompoundLiteral(object) => {
                self.written(program.objects[object].ty, at);
                self.complete(program.objects[object].ty, at);
            }
            ExprKind::Member { base, .. } => self.complete_value(program.ty(base), e),
            ExprKind::SizeofType(of) | ExprKind::AlignofType { of, .. } | ExprKind::Offsetof(of, _) => {
                self.complete(of, at);
            }
            ExprKind::SizeofExpr(of) | ExprKind::AlignofExpr { of, .. } => {
                self.complete_value(program.ty(of), e);
            }
            // Steps of a pointer have the size of what it points to.
            ExprKind::Index { base: pointer, .. }
            | ExprKind::Binary(_, pointer, _)
            | ExprKind::Compound { lhs: pointer, .. }
            | ExprKind::Unary(
                UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                pointer,
            ) => {
                let steps =
                    !matches!(expr.kind, ExprKind::Binary(..)) || program.types.pointee(expr.ty).is_some();
                if let (true, Some(to)) = (steps, program.types.pointee(program.ty(pointer))) {
                    self.complete(to, at);
                }
            }
            _ => {}
        }
    }

    /// A type that is written: every tag in it is declared.
    fn written(&mut self, ty: Type, at: Point) {
        self.written_but(ty, at, None);
    }

    fn written_but(&mut self, ty: Type, at: Point, own: Option<usize>) {
        let program = self.program;
        let mut work = vec![ty];
        let mut steps = 0;
        while let Some(ty) = work.pop() {
            steps += 1;
            // Types are bounded in depth, not in how often a part comes.
            if steps > 1_000 {
                return;
            }
            if let Some(name) = program.types.variant(ty).and_then(|variant| variant.name) {
                self.typedef(name, ty, at);
                continue;
            }
            match program.types.kind(ty) {
                TypeKind::Pointer(to) => work.push(to),
                TypeKind::Array { elem, .. } => work.push(elem),
                TypeKind::Function(signature) => {
                    let signature = program.types.signature(signature);
                    work.push(signature.ret);
                    work.extend(signature.params.iter());
                }
                TypeKind::Record(id) if own != Some(id.index()) => self.known(ty, at, false),
                // GNU C lets an enumeration be written before it is defined, which declares it.
                TypeKind::Enum(id) if !self.enums.contains(&id) => self.known(ty, at, false),
                _ => {}
            }
        }
    }

    /// A type whose members are known has them from somewhere.
    fn defined_somewhere(&mut self, id: RecordId) {
        let record = &self.program.types.records[id];
        let fits = !record.complete || record.va_list_tag || self.records.contains(&id);
        self.faults.require(fits, "N-type", || format!("{id:?} has members, and nothing defines it"));
    }

    /// A typedef that is kept is a name like others.
    fn typedef(&mut self, name: Symbol, ty: Type, at: Point) {
        let program = self.program;
        let meant = match self.scopes.reaches(at, name) {
            Some(Named::Typedef(decl)) => program.decls[decl].ty.bare() == ty.bare(),
            _ => false,
        };
        self.faults.require(meant, "N-reach", || {
            format!("'{}' is no typedef, or another, at {at:?}", program.name(name))
        });
    }

    /// The elements of an array are complete whatever its bound.
    fn elements(&mut self, ty: Type, at: Point) {
        if let TypeKind::Array { elem, .. } = self.program.types.kind(ty) {
            self.complete(elem, at);
        }
    }

    fn complete(&mut self, ty: Type, at: Point) {
        self.known(ty, at, true);
    }

    /// The type of a value is not written: it may also be one that a statement expression inside defines.
    fn complete_value(&mut self, ty: Type, e: ExprId) {
        if let TypeKind::Record(id) = element(self.program, ty)
            && self.scopes.tag(Point::At(e), Tagged::Record(id)).is_none()
            && Walk::expr(self.program, e)
                .statements()
                .any(|s| self.program.stmts[s].kind == StmtKind::Item(Item::Record(id)))
        {
            return;
        }
        self.complete(ty, Point::At(e));
    }

    fn known(&mut self, ty: Type, at: Point, defined: bool) {
        let program = self.program;
        let (tagged, tag) = match element(program, ty) {
            TypeKind::Record(id) => {
                let record = &program.types.records[id];
                // An unnamed struct is where its member is, and the compiler's own is everywhere.
                let Some(tag) = record.tag.filter(|_| !record.va_list_tag) else { return };
                self.defined_somewhere(id);
                (Tagged::Record(id), tag)
            }
            // GNU C knows enumerations that are never defined: nothing declares those.
            TypeKind::Enum(id) if program.types.enums[id].complete => {
                (Tagged::Enum(id), program.types.enums[id].tag)
            }
            _ => return,
        };
        let known = self.scopes.tag(at, tagged);
        self.faults.require(known == Some(true) || (known.is_some() && !defined), "N-type", || {
            let what = if defined { "defined" } else { "declared" };
            format!("'{}' is not {what} at {at:?}", program.name(tag))
        });
    }
}

/// What an array is made of, or the type itself.
fn element(program: &Program, ty: Type) -> TypeKind {
    let mut ty = ty;
    loop {
        match program.types.kind(ty) {
            TypeKind::Array { elem, .. } => ty = elem,
            kind => return kind,
        }
    }
}
