//! What a profiled program observes at the beginning of each statement.

use super::Lowerer;
use crate::op::{Op, Point};
use howler_lang::program::{Duration, Entity, Item, ObjId, StmtId};
use howler_lang::ty::{Type, TypeKind};

impl Lowerer<'_> {
    /// Marks the beginning of a statement in a profiled program.
    pub fn point(&mut self, stmt: StmtId) {
        if !self.profiled {
            return;
        }
        let program = self.program;
        let mut objects = Vec::new();
        for index in 0..self.f.visible.len() {
            let object = self.f.visible[index];
            if !self.holds_integers(program.objects[object].ty) {
                continue;
            }
            match self.f.objects.get(&object) {
                Some(&reg) => objects.push((object, reg)),
                None if program.objects[object].duration == Duration::Static => {
                    objects.push((object, self.pool_object(object)));
                }
                None => {}
            }
        }
        let unit = self.f.func.map_or(0, |func| program.funcs[func].unit);
        let pos = program.stmts[stmt].pos;
        let all = self.out.globals.get(unit as usize).map_or(&[][..], Vec::as_slice);
        let before = all.partition_point(|&(object, _)| program.objects[object].pos < pos) as u32;
        let point = Point { stmt, globals: (unit, before), objects: objects.into() };
        let index = self.out.points.len() as u32;
        self.out.points.push(point);
        self.emit(Op::Stmt { point: index });
    }

    /// Finds the objects of file scope that a profile looks at: integers or with integers inside, not from headers.
    pub fn find_globals(&mut self) {
        let program = self.program;
        for unit in &program.units {
            let mut found = Vec::new();
            let mut headers = 0;
            for item in &unit.items {
                match *item {
                    Item::Include(_) => headers += 1,
                    Item::IncludeEnd => headers -= 1,
                    Item::Decl(decl) if headers == 0 => {
                        if let Entity::Object(object) = program.decls[decl].entity {
                            found.push(object);
                        }
                    }
                    _ => {}
                }
            }
            // A name may be declared more than once.
            found.sort_unstable_by_key(|&object| (program.objects[object].pos, object));
            found.dedup();
            found.retain(|&object| self.holds_integers(program.objects[object].ty));
            let with_register = |object: ObjId| (object, self.pool_object(object));
            let found = found.into_iter().map(with_register).collect();
            self.out.globals.push(found);
        }
    }

    fn holds_integers(&self, ty: Type) -> bool {
        let types = &self.program.types;
        types.any_part(ty, |part| {
            matches!(
                types.kind(part),
                TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::Bits { .. }
            )
        })
    }
}
