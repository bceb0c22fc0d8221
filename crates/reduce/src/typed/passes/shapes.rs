//! Objects of simpler types: numbers are `int`, arrays lose a dimension or elements, pointers are what they point to,
//! structs are one of their members.

use howler_lang::build::{self, Built, Cx};
use howler_lang::edit::{Change, Now, Redeclaration, Refused, Remaking};
use howler_lang::program::{Conv, ExprId, ExprKind, Init, ObjId, Program, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::ty::{Len, Type, TypeKind};
use howler_lang::visit::{self, Node, Uses};
use rustc_hash::FxHashMap;

use crate::typed::stand_in::written;
use crate::typed::{At, Pass, Site, Subject, together};

/// Makes them simpler.
pub struct Shapes;

/// An array is one of its elements.
const ELEMENT: u32 = 0;
/// A pointer is what it points to.
const POINTEE: u32 = 1;
/// A struct or union is its n-th member.
const MEMBER: u32 = 2;
/// A number is an `int`.
const INT: u32 = 3;
/// An array has one element, or half of them, or one less.
const ONE: u32 = 4;
const HALF: u32 = 5;
const LESS: u32 = 6;

impl Pass for Shapes {
    fn name(&self) -> &'static str {
        "shapes"
    }

    fn about(&self) -> &'static str {
        "arrays become elements, structs members, pointers what they point to, numbers int"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let uses = Uses::of(program);
        let mut sites = Vec::new();
        for (id, object) in program.objects.iter() {
            let count = uses.of_object(id).len() as u64;
            if count == 0 {
                continue;
            }
            let mut add = |choice: u32, number: u32, weight: u64| {
                sites.push(Site { choice, number, ..Site::new(weight, At::Object(id)) });
            };
            match program.types.kind(object.ty) {
                TypeKind::Array { len: Len::Fixed(len), .. } => {
                    add(ELEMENT, 0, 3 * count);
                    let lengths = [(ONE, len > 1), (HALF, len > 3), (LESS, len > 2)];
                    lengths.into_iter().filter(|one| one.1).for_each(|(choice, _)| add(choice, 0, 1));
                }
                TypeKind::Array { len: Len::Unknown, .. } => add(ELEMENT, 0, 3 * count),
                TypeKind::Pointer(_) => add(POINTEE, 0, count),
                TypeKind::Record(record) => {
                    let fields = program.types.records[record].fields.len().min(16);
                    (0..fields as u32).for_each(|number| add(MEMBER, number, 2 * count));
                }
                TypeKind::Int(_) | TypeKind::Bool | TypeKind::Enum(_) | TypeKind::Float(_)
                    if object.ty.bare() != Type::INT =>
                {
                    add(INT, 0, 1);
                }
                _ => {}
            }
        }
        sites.sort_by_key(|site| site.choice);
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        together(subject, sites, |change, site| {
            let At::Object(object) = site.at else { return Ok(()) };
            let ty = simpler(change, object, site).ok_or(Refused::Place("it is another type by now"))?;
            let mut collapse = Collapse::of(change.program(), object, site);
            let objects = [(object, ty)].into_iter().collect();
            change.redeclare(&Redeclaration { objects, ..Redeclaration::default() }, &mut collapse)
        })
    }
}

/// The type that the object has then.
fn simpler(change: &mut Change<'_>, object: ObjId, site: Site) -> Option<Type> {
    let program = change.program_mut();
    let ty = program.objects[object].ty;
    match (program.types.kind(ty), site.choice) {
        (TypeKind::Array { elem, .. }, ELEMENT) => Some(elem),
        (TypeKind::Array { elem, len: Len::Fixed(len) }, ONE) if len > 1 => {
            build::array_of(program, elem, Len::Fixed(1)).ok()
        }
        (TypeKind::Array { elem, len: Len::Fixed(len) }, HALF) if len > 3 => {
            build::array_of(program, elem, Len::Fixed(len / 2)).ok()
        }
        (TypeKind::Array { elem, len: Len::Fixed(len) }, LESS) if len > 2 => {
            build::array_of(program, elem, Len::Fixed(len - 1)).ok()
        }
        (TypeKind::Pointer(to), POINTEE) => {
            (program.types.is_complete(to) && !program.types.is_function(to)).then_some(to)
        }
        (TypeKind::Record(record), MEMBER) => {
            let field = program.types.records[record].fields.get(site.number as usize)?;
            field.name.map(|_| field.ty)
        }
        (TypeKind::Int(_) | TypeKind::Bool | TypeKind::Enum(_) | TypeKind::Float(_), INT) => {
            Some(program.types.qualified(Type::INT, ty.quals()))
        }
        _ => None,
    }
}

/// What stands for the uses of an object that is simpler now.
struct Collapse {
    /// Elements, members and what was pointed to: the object itself.
    whole: FxHashMap<ExprId, ObjId>,
    /// Where the array decayed: its address.
    address: FxHashMap<ExprId, ObjId>,
    /// Addresses that were assigned to the pointer: what they are of.
    pointed: FxHashMap<ExprId, ExprId>,
}

impl Collapse {
    fn of(program: &Program, object: ObjId, site: Site) -> Collapse {
        let mut all = Collapse {
            whole: FxHashMap::default(),
            address: FxHashMap::default(),
            pointed: FxHashMap::default(),
        };
        let names = |e: ExprId| program.exprs[e].kind == ExprKind::Object(object);
        let decayed = |e: ExprId| match program.exprs[e].kind {
            ExprKind::Convert(Conv::ArrayDecay, inner) if names(inner) => Some(inner),
            _ => None,
        };
        let loaded = |e: ExprId| match program.exprs[e].kind {
            ExprKind::Convert(Conv::Load, inner) => names(inner),
            _ => false,
        };
        let mut direct = Vec::new();
        if let (Some(init), POINTEE) = (program.objects[object].init, site.choice)
            && let Init::Expr(e) = program.inits[init]
        {
            all.point(program, e);
        }
        visit::each(program, |part| {
            let Node::Expr(e) = part.node else { return };
            match (program.exprs[e].kind, site.choice) {
                (ExprKind::Index { base, .. } | ExprKind::Unary(UnaryOp::Deref, base), ELEMENT) => {
                    if let Some(inner) = decayed(base) {
                        all.whole.insert(e, object);
                        direct.push(inner);
                    }
                }
                (ExprKind::Convert(Conv::ArrayDecay, inner), ELEMENT) if names(inner) => {
                    all.address.insert(inner, object);
                }
                (ExprKind::Index { base, .. } | ExprKind::Unary(UnaryOp::Deref, base), POINTEE)
                    if loaded(base) =>
                {
                    all.whole.insert(e, object);
                }
                (ExprKind::Assign(lhs, rhs), POINTEE) if names(lhs) => {
                    all.point(program, rhs);
                }
                (ExprKind::Member { base, field }, MEMBER) if names(base) && field == site.number => {
                    all.whole.insert(e, object);
                }
                _ => {}
            }
        });
        all.address.retain(|inner, _| !direct.contains(inner));
        all
    }

    /// Notes what the pointer is set to.
    fn point(&mut self, program: &Program, e: ExprId) {
        let e = written(program, e);
        if let ExprKind::Unary(UnaryOp::AddrOf, of) = program.exprs[e].kind {
            self.pointed.insert(e, of);
        }
    }
}

impl Remaking for Collapse {
    fn wants(&self, _: &Program, e: ExprId) -> bool {
        self.whole.contains_key(&e) || self.address.contains_key(&e) || self.pointed.contains_key(&e)
    }

    fn make(&mut self, cx: &mut Cx<'_>, e: ExprId, now: &Now) -> Option<Built> {
        if let Some(&object) = self.whole.get(&e) {
            return Some(Ok(build::object(cx, object, Pos::NONE)));
        }
        if let Some(&object) = self.address.get(&e) {
            let object = build::object(cx, object, Pos::NONE);
            return Some(build::unary(cx, UnaryOp::AddrOf, object, Pos::NONE));
        }
        let of = self.pointed.get(&e)?;
        Some(Ok(now.operand(cx.program, *of)))
    }

    fn keeps(&self) -> bool {
        false
    }
}
