//! The way from something observed back to C: a part of an object as an lvalue, `x.f[3].g`.

use howler_lang::build::{self, Built, Cx, Violation};
use howler_lang::program::{IntForm, ObjId, Program};
use howler_lang::source::Pos;
use howler_lang::ty::{Quals, RecordKind, Type, TypeKind};
use std::fmt::Write as _;

/// A part of an object: the object itself, a member, an element, a member of an element.
///
/// ```
/// use howler_lang::build::Cx;
/// use howler_lang::compose::Composer;
/// use howler_lang::program::{Duration, Linkage};
/// use howler_lang::source::Pos;
/// use howler_lang::target::Target;
/// use howler_lang::ty::{Len, Type};
/// use howler_machine::profile::{Place, Step};
///
/// let mut made = Composer::new(Target::X86_64_GCC);
/// made.unit("a.c".to_owned());
/// let ty = made.program.types.array(Type::INT, Len::Fixed(5));
/// let table = made.object("table", ty, Linkage::External, Duration::Static);
/// let third = Place { object: table, path: vec![Step::Index(3)] };
/// assert_eq!(third.text(&made.program), "table[3]");
/// assert_eq!(third.ty(&made.program), Some(Type::INT));
/// let lvalue = third.build(&mut made.cx(), Pos::NONE).unwrap();
/// assert_eq!(made.program.ty(lvalue), Type::INT);
/// assert_eq!(Place::at(&made.program, table, 12, Type::INT), Some(third));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The object.
    pub object: ObjId,
    /// The way from there, from the outside to the inside.
    pub path: Path,
}

/// The steps from an object to a part of it.
pub type Path = Vec<Step>;

/// One step into an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// A member, by its index; one without a name is an anonymous struct or union, which the text leaves out.
    Field(u32),
    /// An element of an array.
    Index(u64),
}

impl Place {
    /// The part's type, as it is declared; none if there is no such part.
    pub fn ty(&self, program: &Program) -> Option<Type> {
        let mut ty = program.objects[self.object].ty;
        for &step in &self.path {
            ty = match (step, program.types.kind(ty)) {
                (Step::Index(_), TypeKind::Array { elem, .. }) => elem,
                (Step::Field(field), TypeKind::Record(id)) => {
                    program.types.records[id].fields.get(field as usize)?.ty
                }
                _ => return None,
            };
        }
        Some(ty)
    }

    /// Whether the part, or anything around it, is volatile: a program that reads it does something.
    pub fn is_volatile(&self, program: &Program) -> bool {
        let part = |length: usize| Place { object: self.object, path: self.path[..length].to_vec() };
        (0..=self.path.len()).any(|length| {
            let ty = part(length).ty(program);
            ty.is_some_and(|ty| program.types.quals(ty).contains(Quals::VOLATILE))
        })
    }

    /// As C text. A name is all that an object has in a text: it means this one only where nothing hides it.
    pub fn text(&self, program: &Program) -> String {
        let mut text = program.objects[self.object].name.map_or("?", |name| program.name(name)).to_owned();
        let mut ty = program.objects[self.object].ty;
        for &step in &self.path {
            match (step, program.types.kind(ty)) {
                (Step::Index(index), TypeKind::Array { elem, .. }) => {
                    let _ = write!(text, "[{index}]");
                    ty = elem;
                }
                (Step::Field(field), TypeKind::Record(id)) => {
                    let Some(field) = program.types.records[id].fields.get(field as usize) else { break };
                    if let Some(name) = field.name {
                        let _ = write!(text, ".{}", program.name(name));
                    }
                    ty = field.ty;
                }
                _ => break,
            }
        }
        text
    }

    /// As an lvalue of the program.
    pub fn build(&self, cx: &mut Cx<'_>, pos: Pos) -> Built {
        let mut ty = cx.program.objects[self.object].ty;
        let mut lvalue = build::object(cx, self.object, pos);
        for &step in &self.path {
            match (step, cx.program.types.kind(ty)) {
                (Step::Index(index), TypeKind::Array { elem, .. }) => {
                    let small = i32::try_from(index).is_ok();
                    let index_ty = if small { Type::INT } else { Type::LONG };
                    let index = build::int(cx, index, IntForm::Decimal, index_ty, pos);
                    lvalue = build::index(cx, lvalue, index, pos)?;
                    ty = elem;
                }
                (Step::Field(field), TypeKind::Record(id)) => {
                    let fields = &cx.program.types.records[id].fields;
                    let Some((name, of)) = fields.get(field as usize).map(|field| (field.name, field.ty))
                    else {
                        return no_such_part(pos);
                    };
                    // A member of an anonymous one is found by its own name, which is unique in all that is around it
                    // (C17 6.7.2.1p13).
                    if let Some(name) = name {
                        lvalue = build::member(cx, lvalue, name, false, pos)?;
                    }
                    ty = of;
                }
                _ => return no_such_part(pos),
            }
        }
        Ok(lvalue)
    }

    /// The part of an object that starts at an offset and has a type, whatever its qualifiers: what `&` must be applied
    /// to for a pointer like one that was observed. The outermost of several; none for one past the end.
    pub fn at(program: &Program, object: ObjId, offset: u64, ty: Type) -> Option<Place> {
        let wanted = program.types.strip(ty).bare();
        let path = path_to(program, program.objects[object].ty, offset, wanted)?;
        Some(Place { object, path })
    }
}

fn no_such_part(pos: Pos) -> Built {
    Err(Box::new(Violation { pos, message: "no such part of the object".to_owned() }))
}

/// Types are bounded in depth, so that this may recurse.
fn path_to(program: &Program, ty: Type, offset: u64, wanted: Type) -> Option<Path> {
    if offset == 0 && program.types.strip(ty).bare() == wanted {
        return Some(Vec::new());
    }
    let within = |step: Step, ty: Type, offset: u64| {
        let mut path = path_to(program, ty, offset, wanted)?;
        path.insert(0, step);
        Some(path)
    };
    match program.types.kind(ty) {
        TypeKind::Array { elem, .. } => {
            let size = program.size_of(elem).filter(|&size| size > 0)?;
            let inside = program.size_of(ty).is_none_or(|whole| offset < whole);
            if inside { within(Step::Index(offset / size), elem, offset % size) } else { None }
        }
        TypeKind::Record(id) => {
            let layout = program.layouts.record(&program.types, id)?;
            let fields = program.types.records[id].fields.iter().zip(layout.fields.iter()).zip(0u32..);
            let mut inside = fields.filter(|((field, place), _)| {
                let end = program.size_of(field.ty).map_or(u64::MAX, |size| place.byte() + size);
                place.width.is_none() && place.byte() <= offset && offset < end
            });
            let found = |((field, place), index): ((&howler_lang::ty::Field, &_), u32)| {
                let place: &howler_lang::layout::FieldLayout = place;
                within(Step::Field(index), field.ty, offset - place.byte())
            };
            match program.types.records[id].kind {
                RecordKind::Struct => inside.next().and_then(found),
                RecordKind::Union => inside.find_map(found),
            }
        }
        _ => None,
    }
}
