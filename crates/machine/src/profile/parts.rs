//! The parts of an object that a profile looks at, found once for each object; and the statements it may look before.

use super::place::{Path, Step};
use howler_lang::arith::{self, Num};
use howler_lang::builtin;
use howler_lang::program::{ExprKind, ObjId, Program, StmtId, StmtKind};
use howler_lang::scope::{Point, Scopes};
use howler_lang::ty::{Len, Quals, Type, TypeKind};
use rustc_hash::FxHashSet;

/// An object's parts.
#[derive(Debug)]
pub(crate) struct ObjectParts {
    pub parts: Vec<Part>,
    /// Whether these are all parts it has.
    pub whole: bool,
}

/// A part that has a value of its own.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub path: Path,
    /// Where it starts, in bits from the start of the object.
    pub bit: u64,
    pub kind: PartKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PartKind {
    Number(Num),
    /// A bit-field.
    Bits {
        width: u32,
        signed: bool,
    },
    Pointer,
}

impl PartKind {
    /// How many bits of the object are the part's; `pointer` is the size of a pointer in bytes.
    pub fn width(self, pointer: u32) -> u32 {
        match self {
            PartKind::Number(Num::Bool) => 8,
            PartKind::Number(num) => num.width(),
            PartKind::Bits { width, .. } => width,
            PartKind::Pointer => 8 * pointer,
        }
    }
}

impl ObjectParts {
    /// The first `most` parts of an object.
    pub fn of(program: &Program, object: ObjId, most: usize) -> ObjectParts {
        let mut found =
            Finder { program, most, path: Vec::new(), parts: ObjectParts { parts: Vec::new(), whole: true } };
        found.add(program.objects[object].ty, 0);
        found.parts
    }
}

struct Finder<'p> {
    program: &'p Program,
    most: usize,
    path: Path,
    parts: ObjectParts,
}

impl Finder<'_> {
    fn push(&mut self, bit: u64, kind: PartKind) {
        self.parts.parts.push(Part { path: self.path.clone(), bit, kind });
    }

    fn inside(&mut self, step: Step, ty: Type, bit: u64) {
        self.path.push(step);
        self.add(ty, bit);
        self.path.pop();
    }

    /// Types are bounded in depth, so that this may recurse.
    fn add(&mut self, ty: Type, bit: u64) {
        let program = self.program;
        // There are no values in what has no size, however much of it there is.
        if program.size_of(ty) == Some(0) {
            return;
        }
        if self.parts.parts.len() >= self.most {
            self.parts.whole = false;
            return;
        }
        if let Some(num) = arith::num_of(&program.types, &program.target, ty) {
            return self.push(bit, PartKind::Number(num));
        }
        match program.types.kind(ty) {
            TypeKind::Pointer(_) => self.push(bit, PartKind::Pointer),
            TypeKind::Array { elem, len } => {
                let Some(each) = program.size_of(elem).filter(|&size| size > 0) else {
                    self.parts.whole = false;
                    return;
                };
                // How many elements another kind of array has is known when it is there.
                let count = match len {
                    Len::Fixed(count) => count,
                    _ => {
                        self.parts.whole = false;
                        self.most as u64
                    }
                };
                for index in 0..count {
                    if self.parts.parts.len() >= self.most {
                        self.parts.whole = false;
                        return;
                    }
                    let before = self.parts.parts.len();
                    self.inside(Step::Index(index), elem, bit + 8 * index * each);
                    // If one element has no parts the others have none either, however many there are.
                    if self.parts.parts.len() == before {
                        return;
                    }
                }
            }
            // A member of an atomic struct must not be accessed (C17 6.5.2.3p5); what is in a list of arguments is the
            // compiler's affair.
            TypeKind::Record(_)
                if program.types.quals(ty).contains(Quals::ATOMIC)
                    || builtin::is_va_list_tag(program, ty) =>
            {
                self.parts.whole = false;
            }
            TypeKind::Record(id) => {
                let Some(layout) = program.layouts.record(&program.types, id) else {
                    self.parts.whole = false;
                    return;
                };
                for (index, place) in layout.fields.iter().enumerate() {
                    let field = &program.types.records[id].fields[index];
                    let (at, step) = (bit + place.bit_offset, Step::Field(index as u32));
                    match (place.width, arith::num_of(&program.types, &program.target, field.ty)) {
                        (None, _) => self.inside(step, field.ty, at),
                        (Some(width), Some(num)) if field.name.is_some() => {
                            if self.parts.parts.len() >= self.most {
                                self.parts.whole = false;
                                return;
                            }
                            let signed = matches!(num, Num::Int { signed: true, .. });
                            self.path.push(step);
                            self.push(at, PartKind::Bits { width: u32::from(width), signed });
                            self.path.pop();
                        }
                        // Unnamed bit-fields are padding.
                        _ => {}
                    }
                }
            }
            // Complex values and vectors have no parts that every compiler calls lvalues.
            _ => self.parts.whole = false,
        }
    }
}

/// The statements before which another one could stand in its own right, in order: these can be chosen as points. Not
/// the body of a function, which is no statement of a block, nor one of several declarators, nor the first part of a
/// `for`.
pub fn points(program: &Program) -> Vec<StmtId> {
    points_in(program, &Scopes::of(program))
}

pub(crate) fn points_in(program: &Program, scopes: &Scopes) -> Vec<StmtId> {
    let mut not: FxHashSet<StmtId> = program.funcs.iter().filter_map(|(_, func)| func.body).collect();
    for (_, expr) in program.exprs.iter() {
        if let ExprKind::StmtExpr(block) = expr.kind {
            not.insert(block);
        }
    }
    for (id, stmt) in program.stmts.iter() {
        match stmt.kind {
            StmtKind::LabelDecl(_) => {
                not.insert(id);
            }
            StmtKind::Decls(list) => not.extend(program.block(list)),
            StmtKind::For { init: Some(init), .. } => {
                not.insert(init);
            }
            _ => {}
        }
    }
    let stands = |id: &StmtId| !not.contains(id) && scopes.contains(Point::Before(*id));
    program.stmts.ids().filter(stands).collect()
}
