//! Which variables of a C program may change places without anybody noticing.

use howler_lang::print;
use howler_lang::program::{
    Duration, ExprId, ExprKind, FuncId, Init, InitId, Linkage, ObjId, Program, Storage, UnaryOp,
};
use howler_lang::ty::Type;
use howler_lang::visit::{Node, Walk};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::{Block, Contexts};
use super::{Initialisers, Options};

/// All that two interchangeable variables have in common.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    ty: Type,
    linkage: Linkage,
    duration: Duration,
    storage: Storage,
    thread: bool,
    align: u32,
    attributes: String,
    initialiser: Option<String>,
    block: Block,
    /// If functions are looked at one by one, the one that sees them.
    func: Option<FuncId>,
}

/// Gives variables their kinds.
pub(super) struct Kinds<'a> {
    pub program: &'a Program,
    pub contexts: &'a Contexts,
    pub options: Options,
    /// Variables that are named where there is no hole.
    pub pinned: FxHashSet<ObjId>,
    known: FxHashMap<Key, u32>,
    last: u32,
}

impl<'a> Kinds<'a> {
    pub fn new(
        program: &'a Program,
        contexts: &'a Contexts,
        options: Options,
        pinned: FxHashSet<ObjId>,
    ) -> Kinds<'a> {
        Kinds { program, contexts, options, pinned, known: FxHashMap::default(), last: 0 }
    }

    /// The kind of a variable. One that is like no other has one of its own.
    pub fn of(&mut self, object: ObjId, func: Option<FuncId>) -> u32 {
        let next = self.last + 1;
        let kind = match self.key(object, func) {
            Some(key) => *self.known.entry(key).or_insert(next),
            None => next,
        };
        self.last = self.last.max(kind);
        kind
    }

    fn key(&self, id: ObjId, func: Option<FuncId>) -> Option<Key> {
        let Kinds { program, contexts, .. } = self;
        let object = &program.objects[id];
        // Parameters differ by their position, whoever is declared twice by the place of the second declaration.
        let [(decl, context)] = contexts.declared.get(&id).map(Vec::as_slice)? else { return None };
        let declared = &program.decls[*decl];
        let elsewhere = object.linkage == Linkage::External && program.units.len() > 1;
        let assembly = context.func.is_none() && contexts.assembly;
        if self.pinned.contains(&id) || elsewhere || assembly || declared.asm_label.is_some() {
            return None;
        }
        let initialiser = match (object.init, self.options.initialisers) {
            (Some(init), Initialisers::Count) => Some(constant_text(program, init)?),
            _ => None,
        };
        Some(Key {
            ty: object.ty,
            linkage: object.linkage,
            duration: object.duration,
            storage: declared.storage,
            thread: declared.thread,
            align: object.align,
            attributes: format!("{:?}", object.attrs),
            initialiser,
            block: context.block,
            func,
        })
    }
}

/// The text of an initialiser in which nothing but constants are; none if there is more: a hole, the address of
/// something, a call, of which it matters what comes first.
fn constant_text(program: &Program, init: InitId) -> Option<String> {
    let mut text = String::new();
    let mut waiting = vec![init];
    while let Some(init) = waiting.pop() {
        match program.inits[init] {
            Init::Expr(e) => {
                is_constant(program, e).then_some(())?;
                text.push_str(&print::expression(program, e));
            }
            Init::List(list) | Init::Update(list) => {
                text.push(if matches!(program.inits[init], Init::List(_)) { '{' } else { '<' });
                for entry in program.init_entries(list) {
                    text.push_str(&format!("{}-{},", entry.index, entry.last));
                    waiting.push(entry.init);
                }
            }
        }
        text.push(';');
    }
    Some(text)
}

fn is_constant(program: &Program, e: ExprId) -> bool {
    Walk::expr(program, e).all(|part| match part.node {
        Node::Expr(e) => match program.exprs[e].kind {
            ExprKind::Unary(op, _) => {
                matches!(op, UnaryOp::Neg | UnaryOp::Plus | UnaryOp::BitNot | UnaryOp::Not)
            }
            ExprKind::Int { .. }
            | ExprKind::Float(_)
            | ExprKind::Imaginary(_)
            | ExprKind::Str(_)
            | ExprKind::EnumConst(_)
            | ExprKind::Binary(..)
            | ExprKind::Cond(..)
            | ExprKind::Cast(..)
            | ExprKind::Convert(..)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofType { .. } => true,
            _ => false,
        },
        Node::Stmt(_) | Node::Init(_) | Node::Function(_) => false,
    })
}
