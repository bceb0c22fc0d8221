//! From nodes that were built to what they were built from.

use super::{Fragment, LabelName, ObjectName, Op, types};
use crate::builtin;
use crate::edit::Refused;
use crate::edit::remake::raw;
use crate::edit::step::Ref;
use crate::id::Id;
use crate::program::{
    Decl, DeclId, Entity, ExprId, ExprKind, FuncId, Init, Item, LabelId, ObjId, Program, StmtId, StmtKind,
    StrPrefix, StrUnits,
};
use crate::ty::Type;
use crate::visit::{self, TypeName, Walk};
use rustc_hash::{FxHashMap, FxHashSet};

/// How edits refer to what is not new.
pub trait Names {
    /// An object.
    fn object(&self, object: ObjId) -> Ref<ObjId>;
    /// A function.
    fn function(&self, func: FuncId) -> Ref<FuncId>;
    /// A label.
    fn label(&self, label: LabelId) -> Ref<LabelId>;
    /// How many types of its own the seed has: code names them by their numbers there.
    fn seed_types(&self) -> SeedTypes;
}

/// How many types and enumeration constants a program has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeedTypes {
    records: usize,
    enums: usize,
    constants: usize,
}

impl SeedTypes {
    /// Those of a program.
    pub fn of(program: &Program) -> SeedTypes {
        let types = &program.types;
        SeedTypes {
            records: types.records.len(),
            enums: types.enums.len(),
            constants: types.enumerators.len(),
        }
    }
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
        for &s in stmts {
            for inner in Walk::stmt(program, s).statements() {
                if let StmtKind::Label(label, _) = program.stmts[inner].kind {
                    extractor.placed.insert(label);
                }
            }
        }
        extractor.run(stmts.iter().rev().map(|&s| Work::Stmt(s)).collect())?;
        Ok(Fragment { ops: extractor.ops })
    }
}

enum Work {
    Expr(ExprId),
    Stmt(StmtId),
    Emit(Op),
    /// The statement before is a label's.
    Place(LabelId),
    /// The object is declared from here on.
    Declared(ObjId),
}

struct Extractor<'a, N> {
    program: &'a Program,
    names: &'a N,
    ops: Vec<Op>,
    objects: FxHashMap<ObjId, u32>,
    labels: FxHashMap<LabelId, u32>,
    /// The labels that the code places.
    placed: FxHashSet<LabelId>,
}

const NEW: Refused = Refused::Place("new code that has no text");

impl<'a, N: Names> Extractor<'a, N> {
    fn new(program: &'a Program, names: &'a N) -> Extractor<'a, N> {
        let (objects, labels, placed) = (FxHashMap::default(), FxHashMap::default(), FxHashSet::default());
        Extractor { program, names, ops: Vec::new(), objects, labels, placed }
    }

    fn run(&mut self, mut work: Vec<Work>) -> Result<(), Refused> {
        while let Some(next) = work.pop() {
            match next {
                Work::Expr(e) => self.expr(e, &mut work)?,
                Work::Stmt(s) => self.stmt(s, &mut work)?,
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

    fn ty(&self, ty: Type) -> Result<String, Refused> {
        let seed = self.names.seed_types();
        let mut known = true;
        visit::type_names(self.program, ty, |name| {
            known &= match name {
                TypeName::Record(id) => id.index() < seed.records,
                TypeName::Enum(id) => id.index() < seed.enums,
                TypeName::Typedef(_) => false,
            };
        });
        types::write(self.program, ty).filter(|_| known).ok_or(NEW)
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
            ExprKind::Object(object) => {
                let name = match self.objects.get(&object) {
                    Some(&own) => ObjectName::Own(own),
                    None => ObjectName::Outside(self.names.object(object)),
                };
                (Op::Object(name), vec![])
            }
            ExprKind::Function(func) => {
                let name = program.name(program.funcs[func].name);
                let op = match name.starts_with("__builtin_") {
                    true => Op::Own(name.to_owned()),
                    false => Op::Function(self.names.function(func)),
                };
                (op, vec![])
            }
            ExprKind::EnumConst(constant) if constant.index() >= self.names.seed_types().constants => {
                return Err(NEW);
            }
            ExprKind::EnumConst(constant) => (Op::Constant(constant.index() as u32), vec![]),
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
            | ExprKind::CompoundLiteral(_)
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
    fn label(&mut self, label: LabelId) -> LabelName {
        if !self.placed.contains(&label) {
            return LabelName::Outside(self.names.label(label));
        }
        let next = self.labels.len() as u32;
        LabelName::Own(*self.labels.entry(label).or_insert(next))
    }

    fn decl(&mut self, decl: DeclId, work: &mut Vec<Work>) -> Result<(), Refused> {
        let program = self.program;
        let decl: &Decl = &program.decls[decl];
        let Entity::Object(object) = decl.entity else { return Err(NEW) };
        let name = program.objects[object].name.ok_or(NEW)?;
        let plain = decl.attrs.is_empty() && decl.align == 0 && !decl.thread && decl.asm_label.is_none();
        let init = match decl.init.map(|init| program.inits[init]) {
            None => None,
            Some(Init::Expr(e)) => Some(e),
            Some(Init::List(_) | Init::Update(_)) => return Err(NEW),
        };
        if !plain {
            return Err(NEW);
        }
        let op = Op::Declare {
            name: program.name(name).to_owned(),
            ty: self.ty(decl.ty)?,
            storage: decl.storage,
            init: init.is_some(),
        };
        work.extend([Work::Declared(object), Work::Emit(op)]);
        work.extend(init.map(Work::Expr));
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
