//! From nodes that were built to what they were built from.

use super::types::{self, Written};
use super::{Fragment, Name, Op};
use crate::builtin;
use crate::edit::Refused;
use crate::edit::remake::raw;
use crate::edit::step::Ref;
use crate::program::{
    Decl, DeclId, Entity, ExprId, ExprKind, FuncId, Init, InitId, Item, LabelId, ObjId, Program, StmtId,
    StmtKind, StrPrefix, StrUnits,
};
use crate::ty::{EnumId, EnumeratorId, RecordId, Type};
use crate::visit::Walk;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// How edits refer to what is not new.
pub trait Names {
    /// An object.
    fn object(&self, object: ObjId) -> Ref<ObjId>;
    /// A function.
    fn function(&self, func: FuncId) -> Ref<FuncId>;
    /// A label.
    fn label(&self, label: LabelId) -> Ref<LabelId>;
    /// A struct or union.
    fn record(&self, record: RecordId) -> Ref<RecordId>;
    /// An enumeration.
    fn enumeration(&self, id: EnumId) -> Ref<EnumId>;
    /// An enumeration constant.
    fn constant(&self, constant: EnumeratorId) -> Ref<EnumeratorId>;
}

impl Fragment {
    /// The code of an expression that was built, in the program or beside it.
    pub fn of_expr(program: &Program, e: ExprId, names: &impl Names) -> Result<Fragment, Refused> {
        let mut extractor = Extractor::new(program, names);
        extractor.run(vec![Work::Expr(e)])?;
        Ok(Fragment { ops: extractor.ops })
    }

    /// The code of statements that were built.
    pub fn of_stmts(program: &Program, stmts: &[StmtId], names: &impl Names) -> Result<Fragment, Refused> {
        let mut extractor = Extractor::new(program, names);
        stmts.iter().for_each(|&s| extractor.note_labels(Walk::stmt(program, s)));
        extractor.run(stmts.iter().rev().map(|&s| Work::Stmt(s)).collect())?;
        Ok(Fragment { ops: extractor.ops })
    }

    /// The code of a function that needs nothing of its program but types that every program has, under another name: it
    /// can be declared in any program.
    ///
    /// # Errors
    /// It needs more, or there is no text for it.
    pub fn of_function(program: &Program, func: FuncId, name: &str) -> Result<Fragment, Refused> {
        let defines = |decl: &DeclId| {
            let decl = &program.decls[*decl];
            decl.body && decl.entity == Entity::Function(func)
        };
        let decl = program.decls.ids().find(defines).ok_or(NEW)?;
        let mut fragment = Fragment::of_items(program, &[Item::Decl(decl)], &Nobody, (0, 0))?;
        if !fragment.is_closed() {
            return Err(Refused::Place("a function that needs something else of its program"));
        }
        for op in &mut fragment.ops {
            if let Op::Begin { name: own, internal, inline, .. } = op {
                (*own, *internal, *inline) = (name.to_owned(), true, false);
            }
        }
        Ok(fragment)
    }

    /// Whether it names nothing from outside.
    fn is_closed(&self) -> bool {
        self.ops.iter().all(|op| {
            let own = match op {
                Op::Object(name) | Op::Again(name) => matches!(name, Name::Own(_)),
                Op::Function(name) | Op::Prototype(name) => matches!(name, Name::Own(_)),
                Op::Label(name) | Op::Goto(name) => matches!(name, Name::Own(_)),
                Op::Constant(name) => matches!(name, Name::Own(_)),
                Op::Own(_) | Op::Builtin(..) => false,
                _ => true,
            };
            // References to types have this sign.
            own && op.ty().is_none_or(|ty| !ty.contains('#'))
        })
    }

    /// The code of declarations at file scope. `before` is how many objects and functions were there before.
    pub(in crate::edit) fn of_items(
        program: &Program,
        items: &[Item],
        names: &impl Names,
        before: (usize, usize),
    ) -> Result<Fragment, Refused> {
        let mut extractor = Extractor { before, ..Extractor::new(program, names) };
        items.iter().try_for_each(|&item| extractor.item(item))?;
        Ok(Fragment { ops: extractor.ops })
    }
}

/// For code that names nothing from outside: whatever is asked for is of an edit that there never is.
struct Nobody;

const NOWHERE: u32 = u32::MAX;

fn nowhere<I>() -> Ref<I> {
    Ref::Made { edit: NOWHERE, number: 0 }
}

impl Names for Nobody {
    fn object(&self, _: ObjId) -> Ref<ObjId> {
        nowhere()
    }

    fn function(&self, _: FuncId) -> Ref<FuncId> {
        nowhere()
    }

    fn label(&self, _: LabelId) -> Ref<LabelId> {
        nowhere()
    }

    fn record(&self, _: RecordId) -> Ref<RecordId> {
        nowhere()
    }

    fn enumeration(&self, _: EnumId) -> Ref<EnumId> {
        nowhere()
    }

    fn constant(&self, _: EnumeratorId) -> Ref<EnumeratorId> {
        nowhere()
    }
}

pub(super) enum Work {
    Expr(ExprId),
    Stmt(StmtId),
    Init(InitId),
    Emit(Op),
    /// The statement before is a label's.
    Place(LabelId),
    /// The object is declared from here on.
    Declared(ObjId),
}

pub(super) struct Extractor<'a, N> {
    pub(super) program: &'a Program,
    pub(super) names: &'a N,
    pub(super) ops: Vec<Op>,
    /// What the code declares, by number.
    pub(super) objects: FxHashMap<ObjId, u32>,
    pub(super) funcs: FxHashMap<FuncId, u32>,
    pub(super) records: FxHashMap<RecordId, u32>,
    pub(super) enums: FxHashMap<EnumId, u32>,
    pub(super) constants: FxHashMap<EnumeratorId, u32>,
    labels: FxHashMap<LabelId, u32>,
    /// The labels that the code places.
    placed: FxHashSet<LabelId>,
    /// How many objects and functions the program has without the code.
    pub(super) before: (usize, usize),
}

pub(super) const NEW: Refused = Refused::Place("new code that has no text");

/// What stands for an id: its number, or a reference.
fn name<I: Copy + Eq + Hash>(own: &FxHashMap<I, u32>, id: I, outside: impl FnOnce(I) -> Ref<I>) -> Name<I> {
    match own.get(&id) {
        Some(&number) => Name::Own(number),
        None => Name::Outside(outside(id)),
    }
}

impl<N: Names> Written for Extractor<'_, N> {
    fn record(&self, id: RecordId) -> Name<RecordId> {
        name(&self.records, id, |id| self.names.record(id))
    }

    fn enumeration(&self, id: EnumId) -> Name<EnumId> {
        name(&self.enums, id, |id| self.names.enumeration(id))
    }
}

impl<'a, N: Names> Extractor<'a, N> {
    fn new(program: &'a Program, names: &'a N) -> Extractor<'a, N> {
        Extractor {
            program,
            names,
            ops: Vec::new(),
            objects: FxHashMap::default(),
            funcs: FxHashMap::default(),
            records: FxHashMap::default(),
            enums: FxHashMap::default(),
            constants: FxHashMap::default(),
            labels: FxHashMap::default(),
            placed: FxHashSet::default(),
            before: (0, 0),
        }
    }

    pub(super) fn note_labels(&mut self, walk: Walk) {
        for s in walk.statements() {
            if let StmtKind::Label(label, _) = self.program.stmts[s].kind {
                self.placed.insert(label);
            }
        }
    }

    pub(super) fn run(&mut self, mut work: Vec<Work>) -> Result<(), Refused> {
        while let Some(next) = work.pop() {
            match next {
                Work::Expr(e) => self.expr(e, &mut work)?,
                Work::Stmt(s) => self.stmt(s, &mut work)?,
                Work::Init(init) => self.init(init, &mut work)?,
                Work::Emit(op) => self.ops.push(op),
                Work::Place(label) => {
                    let label = self.label(label);
                    self.ops.push(Op::Label(label));
                }
                Work::Declared(object) => {
                    let number = self.objects.len() as u32;
                    self.objects.insert(object, number);
                }
            }
        }
        Ok(())
    }

    pub(super) fn ty(&self, ty: Type) -> Result<String, Refused> {
        types::write(self.program, self, ty).ok_or(NEW)
    }

    pub(super) fn object(&self, object: ObjId) -> Name<ObjId> {
        name(&self.objects, object, |object| self.names.object(object))
    }

    pub(super) fn function(&self, func: FuncId) -> Name<FuncId> {
        name(&self.funcs, func, |func| self.names.function(func))
    }

    fn expr(&mut self, e: ExprId, work: &mut Vec<Work>) -> Result<(), Refused> {
        let program = self.program;
        let e = raw(program, e);
        let expr = &program.exprs[e];
        let (op, operands): (Op, Vec<ExprId>) = match expr.kind {
            ExprKind::Int { value, form } => (Op::Int { value, form, ty: self.ty(expr.ty)? }, vec![]),
            ExprKind::Float(float) => {
                (Op::Float { bits: program.floats[float].bits, ty: self.ty(expr.ty)? }, vec![])
            }
            ExprKind::Str(string) => match &program.strings[string] {
                literal if literal.prefix != StrPrefix::None => return Err(NEW),
                literal => match &literal.units {
                    StrUnits::Narrow(bytes) => (Op::Str(bytes.to_vec()), vec![]),
                    StrUnits::Wide(_) => return Err(NEW),
                },
            },
            ExprKind::Object(object) => (Op::Object(self.object(object)), vec![]),
            ExprKind::Function(func) => {
                let name = program.name(program.funcs[func].name);
                let op = match name.starts_with("__builtin_") {
                    true => Op::Own(name.to_owned()),
                    false => Op::Function(self.function(func)),
                };
                (op, vec![])
            }
            ExprKind::EnumConst(constant) => {
                let name = name(&self.constants, constant, |constant| self.names.constant(constant));
                (Op::Constant(name), vec![])
            }
            ExprKind::CompoundLiteral(object) => {
                let object = &program.objects[object];
                let init = object.init.ok_or(NEW)?;
                work.extend([Work::Emit(Op::Literal(self.ty(object.ty)?)), Work::Init(init)]);
                return Ok(());
            }
            ExprKind::Member { base, field } => {
                let record = program.types.as_record(program.ty(base)).ok_or(NEW)?;
                let name = program.types.records[record].fields[field as usize].name.ok_or(NEW)?;
                (Op::Member(program.name(name).to_owned()), vec![named(program, base)])
            }
            ExprKind::Index { base, index } => (Op::Index, vec![base, index]),
            ExprKind::Unary(op, a) => (Op::Unary(op), vec![a]),
            ExprKind::Binary(op, a, b) => (Op::Binary(op), vec![a, b]),
            ExprKind::Assign(a, b) => (Op::Assign, vec![a, b]),
            ExprKind::Compound { op, lhs, rhs, .. } => (Op::Compound(op), vec![lhs, rhs]),
            ExprKind::Cond(a, b, c) => (Op::Cond, vec![a, b, c]),
            ExprKind::Elvis(a, b) => (Op::Elvis, vec![a, b]),
            ExprKind::Comma(a, b) => (Op::Comma, vec![a, b]),
            ExprKind::Cast(_, a) => (Op::Cast(self.ty(expr.ty)?), vec![a]),
            ExprKind::Call(callee, args) => {
                let args = program.list(args);
                let mut operands = vec![callee];
                operands.extend(args);
                (Op::Call(args.len() as u32), operands)
            }
            ExprKind::Builtin(which, args) if which != builtin::CONVERTVECTOR => {
                let args = program.list(args).to_vec();
                (Op::Builtin(builtin::name(which).to_owned(), args.len() as u32), args)
            }
            ExprKind::SizeofType(of) => (Op::SizeofType(self.ty(of)?), vec![]),
            ExprKind::SizeofExpr(a) => (Op::SizeofExpr, vec![a]),
            ExprKind::Builtin(..)
            | ExprKind::Convert(..)
            | ExprKind::Imaginary(_)
            | ExprKind::FuncName(_)
            | ExprKind::AlignofType { .. }
            | ExprKind::AlignofExpr { .. }
            | ExprKind::Offsetof(..)
            | ExprKind::VaArg(_)
            | ExprKind::StmtExpr(_)
            | ExprKind::LabelAddr(_) => return Err(NEW),
        };
        work.push(Work::Emit(op));
        work.extend(operands.into_iter().rev().map(Work::Expr));
        Ok(())
    }

    fn stmt(&mut self, s: StmtId, work: &mut Vec<Work>) -> Result<(), Refused> {
        let program = self.program;
        match program.stmts[s].kind {
            StmtKind::Empty => self.ops.push(Op::Empty),
            StmtKind::Expr(e) => work.extend([Work::Emit(Op::Evaluate), Work::Expr(e)]),
            StmtKind::Item(Item::Decl(decl)) => self.decl(decl, work)?,
            StmtKind::Compound(list) => {
                let stmts = program.block(list);
                work.push(Work::Emit(Op::Block(stmts.len() as u32)));
                work.extend(stmts.iter().rev().map(|&s| Work::Stmt(s)));
            }
            StmtKind::If { cond, then, other: None } => {
                work.extend([Work::Emit(Op::If), Work::Stmt(then), Work::Expr(cond)]);
            }
            StmtKind::If { cond, then, other: Some(other) } => {
                work.extend([Work::Emit(Op::IfElse), Work::Stmt(other), Work::Stmt(then), Work::Expr(cond)])
            }
            StmtKind::While { cond, body } => {
                work.extend([Work::Emit(Op::While), Work::Stmt(body), Work::Expr(cond)]);
            }
            StmtKind::DoWhile { body, cond } => {
                work.extend([Work::Emit(Op::DoWhile), Work::Expr(cond), Work::Stmt(body)]);
            }
            StmtKind::For { init, cond, step, body } => {
                let op = Op::For { init: init.is_some(), cond: cond.is_some(), step: step.is_some() };
                work.extend([Work::Emit(op), Work::Stmt(body)]);
                work.extend(step.map(Work::Expr));
                work.extend(cond.map(Work::Expr));
                work.extend(init.map(Work::Stmt));
            }
            StmtKind::Label(label, body) => work.extend([Work::Place(label), Work::Stmt(body)]),
            StmtKind::Goto(label) => {
                let label = self.label(label);
                self.ops.push(Op::Goto(label));
            }
            StmtKind::Break => self.ops.push(Op::Break),
            StmtKind::Continue => self.ops.push(Op::Continue),
            StmtKind::Return(None) => self.ops.push(Op::Return),
            StmtKind::Return(Some(e)) => work.extend([Work::Emit(Op::ReturnValue), Work::Expr(e)]),
            StmtKind::Decls(list) => {
                work.push(Work::Emit(Op::Decls(list.len() as u32)));
                work.extend(program.block(list).iter().rev().map(|&s| Work::Stmt(s)));
            }
            StmtKind::Switch { value, body } => {
                work.extend([Work::Emit(Op::Switch), Work::Stmt(body), Work::Expr(value)]);
            }
            StmtKind::Case { lo, hi, body } => {
                work.extend([Work::Emit(Op::Case(hi.is_some())), Work::Stmt(body)]);
                work.extend(hi.map(Work::Expr));
                work.push(Work::Expr(lo));
            }
            StmtKind::Default(body) => work.extend([Work::Emit(Op::Default), Work::Stmt(body)]),
            StmtKind::Item(_) | StmtKind::LabelDecl(_) | StmtKind::GotoComputed(_) | StmtKind::Asm(_) => {
                return Err(NEW);
            }
        }
        Ok(())
    }

    /// A label that the code places is its own, numbered when it is first named.
    fn label(&mut self, label: LabelId) -> Name<LabelId> {
        if !self.placed.contains(&label) {
            return Name::Outside(self.names.label(label));
        }
        let next = self.labels.len() as u32;
        Name::Own(*self.labels.entry(label).or_insert(next))
    }

    fn decl(&mut self, decl: DeclId, work: &mut Vec<Work>) -> Result<(), Refused> {
        let program = self.program;
        let decl: &Decl = &program.decls[decl];
        let Entity::Object(object) = decl.entity else { return Err(NEW) };
        let name = program.objects[object].name.ok_or(NEW)?;
        let plain = decl.attrs.is_empty() && decl.align == 0 && !decl.thread && decl.asm_label.is_none();
        if !plain {
            return Err(NEW);
        }
        let op = Op::Declare {
            name: program.name(name).to_owned(),
            ty: self.ty(decl.ty)?,
            storage: decl.storage,
            init: decl.init.is_some(),
        };
        work.extend([Work::Declared(object), Work::Emit(op)]);
        work.extend(decl.init.map(Work::Init));
        Ok(())
    }

    /// Braces with every part at most once.
    fn init(&mut self, init: InitId, work: &mut Vec<Work>) -> Result<(), Refused> {
        let list = match self.program.inits[init] {
            Init::Expr(e) => {
                work.push(Work::Expr(e));
                return Ok(());
            }
            Init::List(list) => list,
            Init::Update(_) => return Err(NEW),
        };
        let entries = self.program.init_entries(list);
        if entries.is_empty() || entries.iter().any(|entry| entry.index != entry.last) {
            return Err(NEW);
        }
        work.push(Work::Emit(Op::List(entries.iter().map(|entry| entry.index).collect())));
        work.extend(entries.iter().rev().map(|entry| Work::Init(entry.init)));
        Ok(())
    }
}

/// What an unnamed member is a member of: its own members are found by their names from there (C17 6.7.2.1p13).
fn named(program: &Program, mut base: ExprId) -> ExprId {
    while let ExprKind::Member { base: outer, field } = program.exprs[base].kind
        && let Some(record) = program.types.as_record(program.ty(outer))
        && program.types.records[record].fields[field as usize].name.is_none()
    {
        base = outer;
    }
    base
}
