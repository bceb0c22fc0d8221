//! Functions are made for calls, and now and then a call is dropped that could not stand where it was meant to: what only such
//! calls needed goes again.

use howler_lang::program::{Entity, ExprKind, FuncId, Item};
use howler_lang::visit::{Mention, Node, Walk, defined_by, mentions};
use rustc_hash::FxHashSet;

use crate::maker::Maker;

impl Maker<'_> {
    /// Takes out of the unit what none of these functions and no initialiser leads to.
    pub(crate) fn drop_unreached(&mut self, roots: Vec<FuncId>) {
        let program = &self.out.program;
        let Some(unit) = program.units.first() else { return };
        let mut reached: FxHashSet<FuncId> = roots.iter().copied().collect();
        let mut open = roots;
        let mut look = |node: Node, open: &mut Vec<FuncId>| {
            for e in Walk::of(program, node).expressions() {
                if let ExprKind::Function(func) = program.exprs[e].kind
                    && reached.insert(func)
                {
                    open.push(func);
                }
            }
        };
        for &item in &unit.items {
            if let Item::Decl(decl) = item
                && let Entity::Object(_) = program.decls[decl].entity
                && let Some(init) = program.decls[decl].init
            {
                look(Node::Init(init), &mut open);
            }
        }
        while let Some(func) = open.pop() {
            look(Node::Function(func), &mut open);
        }
        let (mut items, mut gone) = (unit.items.clone(), Vec::new());
        items.retain(|&item| {
            let Item::Decl(decl) = item else { return true };
            let unreached = defined_by(program, decl).filter(|func| !reached.contains(func));
            gone.extend(unreached);
            unreached.is_none()
        });
        // Static variables of its blocks would be initialised all the same.
        let mut statics = Vec::new();
        for &func in &gone {
            for part in Walk::of(program, Node::Function(func)) {
                mentions(program, part.node, |mention| {
                    if let Mention::Declares(object) = mention {
                        statics.push(object);
                    }
                });
            }
        }
        let program = &mut self.out.program;
        program.units[0].items = items;
        for func in gone {
            (program.funcs[func].body, program.funcs[func].params) = (None, Vec::new());
        }
        for object in statics {
            (program.objects[object].init, program.objects[object].defined) = (None, false);
        }
        self.done.retain(|done| reached.contains(&done.func));
    }
}
