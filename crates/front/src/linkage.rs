//! What declarations with linkage mean beyond their own text: identifiers with two linkages, and the types of what the
//! library defines.

use crate::parser::Parser;
use crate::scope::Name;
use howler_lang::builtin;
use howler_lang::program::{Entity, ExprKind, Fault, FaultKind, FuncId, Linkage, Storage};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use rustc_hash::FxHashSet;

impl Parser<'_> {
    /// Whether a declaration in a block, `extern` or of a function, is of an entity that is `static` at file scope and
    /// hidden there: then it has external linkage too (C17 6.2.2p4, p7). gcc rejects such objects and takes functions.
    pub(crate) fn has_both_linkages(&self, name: Symbol, storage: Storage, prior: Entity) -> bool {
        let program = &self.cx.program;
        let (linkage, visible) = match (prior, self.scopes.name(name)) {
            (Entity::Object(obj), Some(Name::Object(found))) => (program.objects[obj].linkage, found == obj),
            (Entity::Object(obj), _) => (program.objects[obj].linkage, false),
            (Entity::Function(func), Some(Name::Function(found))) => {
                (program.funcs[func].linkage, found == func)
            }
            (Entity::Function(func), _) => (program.funcs[func].linkage, false),
            (Entity::Typedef(_) | Entity::Bounds, _) => return false,
        };
        !self.at_file() && storage != Storage::Static && linkage == Linkage::Internal && !visible
    }

    pub(crate) fn fault(&mut self, kind: FaultKind, pos: Pos) {
        self.cx.program.faults.push(Fault { kind, pos });
    }

    /// At the end of the unit: the types that the library gives the functions which are declared here only, if an
    /// expression of the unit names them. Headers declare hundreds. The unit's first expression is number `first`.
    pub(crate) fn find_library(&mut self, first: usize) {
        let declared = self.linked.values().filter_map(|entity| match *entity {
            Entity::Function(func) => Some(func),
            _ => None,
        });
        let program = &*self.cx.program;
        let named: FxHashSet<FuncId> = (program.exprs.iter().skip(first))
            .filter_map(|(_, expr)| match expr.kind {
                ExprKind::Function(func) => Some(func),
                _ => None,
            })
            .collect();
        let missing = |func: &FuncId| {
            let function = &program.funcs[*func];
            function.body.is_none() && function.linkage == Linkage::External && named.contains(func)
        };
        let mut funcs: Vec<FuncId> = declared.filter(missing).collect();
        funcs.sort_unstable();
        for func in funcs {
            let name = self.cx.program.name(self.cx.program.funcs[func].name).to_owned();
            if let Some(ty) = builtin::library_type(self.cx.program, &name) {
                self.cx.program.library.insert(func, ty);
            }
        }
    }
}
