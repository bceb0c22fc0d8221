//! What each expression does, found before lowering: which objects can live in registers, and which expressions have
//! accesses that are not sequenced and may conflict (C17 6.5p2).
//!
//! An expression's operands have smaller ids than itself, so one pass over the arena sees operands first. Sets of
//! objects are kept as 64-bit signatures: a false hit costs time, never a verdict.

mod beside;
mod bound;

pub use beside::beside;
pub use bound::{
    any_conflict, any_group_conflict, bounds_side_by_side, for_each_vla, param_bounds, written_by_bounds,
};

use howler_lang::id::Id;
use howler_lang::program::{
    BinaryOp, Conv, Duration, ExprId, ExprKind, Init, InitId, ObjId, Program, StmtId, StmtKind, UnaryOp,
};
use howler_lang::ty::{Quals, Type, TypeKind, VlaId};
use howler_lang::visit::{self, Node, Reached, Role, Walk};
use rustc_hash::FxHashSet;

/// What evaluating an expression does.
#[derive(Clone, Copy, Default, Debug)]
pub struct Effects {
    /// Named objects written, as a signature.
    written: u64,
    /// Named objects read or written.
    accessed: u64,
    /// A set of `flag`s.
    flags: u16,
}

mod flag {
    pub const READS_MEMORY: u16 = 1;
    pub const WRITES_MEMORY: u16 = 2;
    /// Reads or writes an object by its name that pointers and calls may reach.
    pub const NAMES_SHARED: u16 = 4;
    pub const WRITES_SHARED: u16 = 8;
    pub const CALLS: u16 = 16;
    pub const VOLATILE: u16 = 32;
    /// Has accesses that may conflict.
    pub const TRACKED: u16 = 64;
    /// Makes a temporary object.
    pub const TEMPORARY: u16 = 128;
    /// Writes that are not sequenced before the value.
    pub const PENDING: u16 = 256;
    /// Contains a statement expression.
    pub const STATEMENTS: u16 = 512;
}

impl Effects {
    /// The effects of both.
    pub fn or(self, other: Effects) -> Effects {
        Effects {
            written: self.written | other.written,
            accessed: self.accessed | other.accessed,
            flags: self.flags | other.flags,
        }
    }

    fn with(mut self, flags: u16) -> Effects {
        self.flags |= flags;
        self
    }

    fn without(mut self, flags: u16) -> Effects {
        self.flags &= !flags;
        self
    }

    fn has(self, flags: u16) -> bool {
        self.flags & flags != 0
    }

    /// Whether it has accesses that may conflict, so that a run must look.
    pub fn is_tracked(self) -> bool {
        self.has(flag::TRACKED)
    }

    /// Whether evaluating it twice is not the same as evaluating it once.
    pub fn has_side_effects(self) -> bool {
        self.written != 0
            || self.has(
                flag::WRITES_MEMORY | flag::WRITES_SHARED | flag::CALLS | flag::VOLATILE | flag::STATEMENTS,
            )
    }

    /// Whether it calls something, or has statements that may.
    pub fn may_call(self) -> bool {
        self.has(flag::CALLS | flag::STATEMENTS)
    }

    /// Whether it makes temporary objects.
    pub fn has_temporaries(self) -> bool {
        self.has(flag::TEMPORARY)
    }

    /// Whether two evaluations that are not sequenced may conflict.
    pub fn conflicts(self, other: Effects) -> bool {
        let named = self.written & other.accessed | self.accessed & other.written;
        let writes = |one: Effects| one.has(flag::WRITES_MEMORY | flag::CALLS);
        let touches = |one: Effects| {
            one.has(flag::READS_MEMORY | flag::WRITES_MEMORY | flag::CALLS | flag::NAMES_SHARED)
        };
        let shared = |one: Effects, two: Effects| {
            writes(one) && touches(two)
                || one.has(flag::WRITES_SHARED) && two.has(flag::READS_MEMORY | flag::CALLS)
        };
        let volatile = self.has(flag::VOLATILE) && other.has(flag::VOLATILE | flag::CALLS)
            || other.has(flag::VOLATILE) && self.has(flag::CALLS);
        named != 0 || shared(self, other) || shared(other, self) || volatile
    }
}

/// The results of the pass.
pub struct Facts {
    effects: Vec<Effects>,
    /// Of each initialiser: its effects, and whether its expressions may conflict.
    inits: Vec<(Effects, bool)>,
    /// Objects that must live in memory, as a bit set.
    in_memory: Vec<u64>,
    /// Objects whose address is taken somewhere.
    exposed: Vec<u64>,
    /// Bounds of arrays that declarations evaluate.
    declared: FxHashSet<VlaId>,
}

impl Facts {
    /// Looks at the whole program.
    pub fn of(program: &Program) -> Facts {
        let mut facts = Facts {
            effects: vec![Effects::default(); program.exprs.len()],
            inits: Vec::new(),
            in_memory: vec![0; program.objects.len() / 64 + 1],
            exposed: vec![0; program.objects.len() / 64 + 1],
            declared: bound::declared(program),
        };
        for (id, object) in program.objects.iter() {
            let automatic = matches!(object.duration, Duration::Automatic | Duration::Parameter);
            if !fits_register(program, object.ty) || !automatic {
                facts.set_memory(id);
            }
            if object.attrs.iter().any(|attr| program.name(attr.name) == "cleanup") {
                facts.set_memory(id);
            }
        }
        // What nothing reaches changes no meaning: a dropped `&x` exposes nothing.
        let reached = Reached::of(program);
        for (_, expr) in program.exprs.iter().filter(|&(e, _)| reached.expr(e)) {
            match expr.kind {
                ExprKind::Unary(UnaryOp::AddrOf, of)
                | ExprKind::VaArg(of)
                | ExprKind::Convert(Conv::ArrayDecay, of) => facts.expose(program, of),
                ExprKind::Builtin(_, list) => {
                    for &arg in program.list(list) {
                        facts.expose(program, arg);
                    }
                }
                _ => {}
            }
        }
        for (_, stmt) in program.stmts.iter().filter(|&(s, _)| reached.stmt(s)) {
            let StmtKind::Asm(asm) = stmt.kind else { continue };
            let asm = &program.asms[asm];
            for operand in asm.outputs.iter().chain(&asm.inputs) {
                facts.expose(program, operand.expr);
            }
        }
        for (id, _) in program.exprs.iter() {
            facts.effects[id.index()] = facts.effects_of(program, id);
        }
        facts.add_inits(program);
        facts
    }

    /// What initialisers do. The parts of one are made before it.
    fn add_inits(&mut self, program: &Program) {
        self.inits.reserve(program.inits.len());
        for (_, init) in program.inits.iter() {
            let all = match *init {
                Init::Expr(e) => (self.effects(e), false),
                Init::List(list) | Init::Update(list) => {
                    let entries = program.init_entries(list).iter();
                    entries.fold((Effects::default(), false), |(before, conflict), entry| {
                        let (own, own_conflict) = self.inits[entry.init.index()];
                        (before.or(own), conflict || own_conflict || own.conflicts(before))
                    })
                }
            };
            self.inits.push(all);
        }
    }

    /// What the expressions of an initialiser do.
    pub fn init_effects(&self, init: InitId) -> Effects {
        self.inits[init.index()].0
    }

    /// Whether the expressions of an initialiser may conflict, so that their order could matter.
    pub fn order_matters(&self, init: InitId) -> bool {
        self.inits[init.index()].1
    }

    /// What an expression does.
    pub fn effects(&self, e: ExprId) -> Effects {
        self.effects[e.index()]
    }

    /// Whether an object must live in memory.
    pub fn is_in_memory(&self, object: ObjId) -> bool {
        self.in_memory[object.index() / 64] >> (object.index() % 64) & 1 == 1
    }

    /// Whether an object's address, or that of a part, is taken somewhere.
    pub fn is_exposed(&self, object: ObjId) -> bool {
        self.exposed[object.index() / 64] >> (object.index() % 64) & 1 == 1
    }

    /// Puts an object into memory.
    pub fn set_memory(&mut self, object: ObjId) {
        self.in_memory[object.index() / 64] |= 1 << (object.index() % 64);
    }

    /// Puts every object into memory.
    pub fn set_all_memory(&mut self) {
        self.in_memory.fill(u64::MAX);
    }

    fn expose(&mut self, program: &Program, e: ExprId) {
        if let ExprKind::Object(object) = program.exprs[e].kind {
            self.set_memory(object);
        }
        if let Some(object) = root_object(program, e) {
            self.exposed[object.index() / 64] |= 1 << (object.index() % 64);
        }
    }

    fn effects_of(&self, program: &Program, e: ExprId) -> Effects {
        let expr = &program.exprs[e];
        let of = |e: ExprId| self.effects[e.index()];
        let temporary = |effects: Effects| {
            if is_aggregate(program, expr.ty) { effects.with(flag::TEMPORARY) } else { effects }
        };
        // Operands that are complex or vectors are copied.
        let copied = |operands: &[ExprId], effects: Effects| {
            let wide = operands.iter().any(|&operand| is_wide(program, program.ty(operand)));
            if wide { effects.with(flag::TEMPORARY) } else { effects }
        };
        match expr.kind {
            ExprKind::Convert(Conv::Load, lvalue) | ExprKind::Cast(Conv::Load, lvalue) => {
                temporary_copy(program, expr.ty, of(lvalue).or(self.access(program, lvalue, false)))
            }
            ExprKind::Cast(_, a) if program.types.is_variably_modified(expr.ty) => {
                join(of(a), self.of_bounds(program, expr.ty))
            }
            ExprKind::Convert(_, a) | ExprKind::Cast(_, a) | ExprKind::Imaginary(a) => {
                copied(&[a], temporary(of(a)))
            }
            ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, a) => {
                copied(&[a], self.write(program, of(a), a))
            }
            ExprKind::Unary(UnaryOp::AddrOf | UnaryOp::Deref | UnaryOp::Real | UnaryOp::Imag, a) => of(a),
            ExprKind::Unary(_, a) => copied(&[a], temporary(of(a))),
            ExprKind::Member { base, .. } => of(base),
            ExprKind::Index { base, index } => join(of(base), of(index)),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Elvis(a, b) => copied(&[a, b], temporary(of(a).without(flag::PENDING).or(of(b)))),
            ExprKind::Binary(_, a, b) => copied(&[a, b], temporary(join(of(a), of(b)))),
            ExprKind::Cond(c, a, b) => {
                copied(&[c], temporary(of(c).without(flag::PENDING).or(of(a)).or(of(b))))
            }
            ExprKind::Assign(a, b) => temporary(self.write(program, join(of(a), of(b)), a)),
            ExprKind::Compound { lhs, rhs, .. } => {
                let read = of(lhs).or(self.access(program, lhs, false));
                copied(&[lhs, rhs], self.write(program, join(read, of(rhs)), lhs))
            }
            ExprKind::Call(callee, args) => {
                let operands = program.list(args).iter().map(|&arg| of(arg)).fold(of(callee), join);
                temporary(operands.without(flag::PENDING).with(flag::CALLS))
            }
            ExprKind::Builtin(_, args) => {
                let operands = program.list(args).iter().map(|&arg| of(arg)).fold(Effects::default(), join);
                copied(program.list(args), temporary(operands.with(flag::READS_MEMORY | flag::WRITES_MEMORY)))
            }
            ExprKind::VaArg(list) => temporary(
                join(of(list), self.of_bounds(program, expr.ty))
                    .with(flag::READS_MEMORY | flag::WRITES_MEMORY),
            ),
            ExprKind::SizeofExpr(inner) if program.types.is_vla(program.ty(inner)) => of(inner),
            ExprKind::SizeofExpr(inner) => {
                let mut all = Effects::default();
                self.for_each_skippable(program, inner, &mut |e| all = all.or(of(e)));
                all
            }
            ExprKind::SizeofType(ty) => self.of_bounds(program, ty),
            ExprKind::StmtExpr(stmt) => {
                let mut all = Effects::default();
                self.add_statement(program, stmt, &mut all);
                temporary(all.without(flag::PENDING).with(flag::STATEMENTS))
            }
            ExprKind::CompoundLiteral(object) => match program.objects[object].init {
                Some(init) => {
                    let mut all = self.of_bounds(program, program.objects[object].ty);
                    self.add_init(program, init, &mut all);
                    all.without(flag::PENDING)
                }
                None => Effects::default(),
            },
            _ => Effects::default(),
        }
    }

    /// The access that reading or writing an lvalue is.
    fn access(&self, program: &Program, lvalue: ExprId, write: bool) -> Effects {
        let mut effects = Effects::default();
        match root_object(program, lvalue) {
            Some(object) => {
                let bit = 1 << (object.index() % 64);
                effects.accessed |= bit;
                if write {
                    effects.written |= bit;
                }
                if self.is_in_memory(object) {
                    effects.flags |= flag::NAMES_SHARED | if write { flag::WRITES_SHARED } else { 0 };
                }
            }
            None => effects.flags |= if write { flag::WRITES_MEMORY } else { flag::READS_MEMORY },
        }
        if program.types.quals(program.ty(lvalue)).contains(Quals::VOLATILE) {
            effects.flags |= flag::VOLATILE;
        }
        effects
    }

    /// The effects of an assignment to `lvalue` whose operands have effects `operands`.
    fn write(&self, program: &Program, operands: Effects, lvalue: ExprId) -> Effects {
        let write = self.access(program, lvalue, true);
        let pending = Effects { accessed: operands.written, ..operands }
            .without(!(flag::WRITES_MEMORY | flag::WRITES_SHARED));
        let conflict = operands.has(flag::PENDING) && write.conflicts(pending);
        let all = operands.or(write).with(flag::PENDING);
        if conflict { all.with(flag::TRACKED) } else { all }
    }

    fn add_statement(&self, program: &Program, stmt: StmtId, all: &mut Effects) {
        visit::full_expressions(program, stmt, |e| *all = all.or(self.effects[e.index()]));
    }

    fn add_init(&self, program: &Program, init: InitId, all: &mut Effects) {
        visit::init_expressions(program, init, |e| *all = all.or(self.effects[e.index()]));
    }
}

/// Evaluations that are not sequenced with each other.
fn join(a: Effects, b: Effects) -> Effects {
    let both = a.or(b);
    if a.conflicts(b) { both.with(flag::TRACKED) } else { both }
}

/// Reading a complex value or vector makes a copy.
fn temporary_copy(program: &Program, ty: Type, effects: Effects) -> Effects {
    if is_wide(program, ty) { effects.with(flag::TEMPORARY) } else { effects }
}

/// Whether values of the type are handled as bytes in memory.
pub fn is_aggregate(program: &Program, ty: Type) -> bool {
    matches!(
        program.types.kind(ty),
        TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Complex(_) | TypeKind::Vector { .. }
    )
}

/// Whether a type is complex or a vector.
pub fn is_wide(program: &Program, ty: Type) -> bool {
    matches!(program.types.kind(ty), TypeKind::Complex(_) | TypeKind::Vector { .. })
}

/// Whether a variable of the type can live in a register.
fn fits_register(program: &Program, ty: Type) -> bool {
    let special = Quals::VOLATILE.union(Quals::ATOMIC);
    let scalar = program.types.is_real(ty) || program.types.pointee(ty).is_some();
    let quals = program.types.quals(ty);
    scalar && quals.minus(special) == quals
}

/// The object an lvalue is a part of by name, if no pointer is followed.
pub fn root_object(program: &Program, mut lvalue: ExprId) -> Option<ObjId> {
    loop {
        match program.exprs[lvalue].kind {
            ExprKind::Object(object) | ExprKind::CompoundLiteral(object) => return Some(object),
            ExprKind::Member { base, .. } => lvalue = base,
            ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, a) => lvalue = a,
            ExprKind::Index { base, .. } => match program.exprs[base].kind {
                ExprKind::Convert(Conv::ArrayDecay, array) => lvalue = array,
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// Whether an initialiser of `object` may access the object itself.
pub fn names_itself(program: &Program, facts: &Facts, init: InitId, object: ObjId) -> bool {
    let may = |effects: Effects| {
        let named = effects.accessed >> (object.index() % 64) & 1 == 1;
        named || effects.has(flag::READS_MEMORY | flag::WRITES_MEMORY | flag::CALLS)
    };
    let mut found = false;
    if !may(facts.init_effects(init)) {
        return found;
    }
    visit::init_expressions(program, init, |e| {
        if !found && may(facts.effects(e)) {
            found = evaluated(program, Node::Expr(e))
                .any(|e| matches!(program.exprs[e].kind, ExprKind::Object(named) if named == object));
        }
    });
    found
}

/// All expressions below a node that are evaluated while the program runs, those of statement expressions included.
pub fn evaluated(program: &Program, root: Node) -> impl Iterator<Item = ExprId> {
    let mut walk = Walk::of(program, root);
    std::iter::from_fn(move || {
        loop {
            let part = walk.next()?;
            match (part.node, part.role) {
                (_, Role::Unevaluated | Role::StaticInitialiser) => walk.skip_parts(),
                (Node::Expr(e), _) => return Some(e),
                _ => {}
            }
        }
    })
}

/// The objects an expression writes by name.
pub fn written_objects(program: &Program, root: ExprId) -> Vec<ObjId> {
    let mut found = Vec::new();
    for e in evaluated(program, Node::Expr(root)) {
        let lvalue = match program.exprs[e].kind {
            ExprKind::Assign(a, _) | ExprKind::Compound { lhs: a, .. } => a,
            ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, a) => a,
            _ => continue,
        };
        found.extend(root_object(program, lvalue));
    }
    found
}
