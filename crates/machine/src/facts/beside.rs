//! What is evaluated beside a statement expression, in no order with it (C17 6.5p3): a look at an object between its
//! statements may come before or after what the other operands write.

use super::{Effects, Facts, flag};
use howler_lang::id::Id;
use howler_lang::program::{BinaryOp, ExprId, ExprKind, InitId, ObjId, Program, StmtId};
use howler_lang::visit::{self, Node, Reached, Role, Walk};
use rustc_hash::{FxHashMap, FxHashSet};

/// For each statement inside a statement expression, what may happen before it or after it. A statement without an
/// entry has nothing beside it.
pub fn beside(program: &Program, facts: &Facts) -> FxHashMap<StmtId, Effects> {
    let inside = |id: ExprId| match program.exprs[id].kind {
        ExprKind::StmtExpr(block) => Some((id, block)),
        _ => None,
    };
    let reached = Reached::of(program);
    let found: Vec<_> = program.exprs.ids().filter(|&e| reached.expr(e)).filter_map(inside).collect();
    let mut all: FxHashMap<StmtId, Effects> = FxHashMap::default();
    if found.is_empty() {
        return all;
    }
    let parents = Parents::of(program, &reached);
    for (expr, block) in found {
        let effects = parents.beside(program, facts, expr);
        for stmt in Walk::stmt(program, block).statements() {
            let known = all.entry(stmt).or_default();
            *known = known.or(effects);
        }
    }
    all
}

/// The node that each expression and initialiser is a part of, as far as that is an expression or initialiser.
struct Parents {
    exprs: FxHashMap<ExprId, Node>,
    inits: FxHashMap<InitId, Node>,
    /// Bounds of arrays, which a declaration evaluates in an order of its own.
    bounds: FxHashSet<ExprId>,
}

impl Parents {
    fn of(program: &Program, reached: &Reached) -> Parents {
        let bounds = program.types.vlas.iter().map(|(_, &bound)| bound).collect();
        let mut parents = Parents { exprs: FxHashMap::default(), inits: FxHashMap::default(), bounds };
        let exprs = program.exprs.ids().filter(|&e| reached.expr(e)).map(Node::Expr);
        let inits = program.inits.ids().filter(|&init| reached.init(init)).map(Node::Init);
        for node in exprs.chain(inits) {
            visit::parts(program, node, |part| match (part.node, part.role) {
                (_, Role::Unevaluated | Role::Constant | Role::Body) => {}
                (Node::Expr(e), _) => drop(parents.exprs.insert(e, node)),
                (Node::Init(init), _) => drop(parents.inits.insert(init, node)),
                _ => {}
            });
        }
        parents
    }

    /// What the other operands of the expressions around `e` do, where nothing orders them.
    fn beside(&self, program: &Program, facts: &Facts, e: ExprId) -> Effects {
        let (mut all, mut at) = (Effects::default(), Node::Expr(e));
        loop {
            let parent = match at {
                Node::Expr(e) if self.bounds.contains(&e) => {
                    return all.with(flag::WRITES_MEMORY | flag::CALLS).or(Effects::of_any_object());
                }
                Node::Expr(e) => self.exprs.get(&e),
                Node::Init(init) => self.inits.get(&init),
                _ => None,
            };
            let Some(&parent) = parent else { return all };
            if !is_sequenced(program, parent) {
                visit::parts(program, parent, |part| {
                    if part.node == at || part.role == Role::Unevaluated {
                        return;
                    }
                    all = match part.node {
                        Node::Expr(e) => all.or(facts.effects(e)),
                        Node::Init(init) => all.or(facts.init_effects(init)),
                        _ => all,
                    };
                });
            }
            at = parent;
        }
    }
}

/// Whether the operands of a node are evaluated one after the other (C17 6.5.13p4, 6.5.14p4, 6.5.15p4, 6.5.17p2).
fn is_sequenced(program: &Program, node: Node) -> bool {
    matches!(node, Node::Expr(e) if matches!(
        program.exprs[e].kind,
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..)
            | ExprKind::Cond(..)
            | ExprKind::Elvis(..)
            | ExprKind::Comma(..)
    ))
}

impl Effects {
    /// Writes any object by its name.
    fn of_any_object() -> Effects {
        Effects { written: u64::MAX, ..Effects::default() }
    }

    /// Whether it may write an object: by its name, or where `shared` says that pointers and calls reach it.
    pub fn may_write(self, object: ObjId, shared: bool) -> bool {
        self.written >> (object.index() % 64) & 1 == 1
            || shared && self.has(flag::WRITES_MEMORY | flag::CALLS)
    }
}
