//! From data to nodes: `build` is asked again for everything.

use super::declare::OwnMember;
use super::types::{self, Meant};
use super::{Fragment, Name, Op};
use crate::build::{self, Cx, Purpose};
use crate::builtin::{self, BuiltinDef};
use crate::compose::{Composer, Value};
use crate::edit::replay::Resolver;
use crate::edit::{Change, Refused};
use crate::program::{
    Duration, Entity, ExprId, FloatLit, FuncId, Item, Label, LabelId, Linkage, ObjId, Program, StmtId,
    StmtKind, Storage, StrLit, StrPrefix, StrUnits,
};
use crate::source::Pos;
use crate::symbol::is_identifier;
use crate::ty::{EnumId, EnumeratorId, RecordId, Type};
use crate::visit::Walk;
use rustc_hash::FxHashSet;

const AT: Pos = Pos::NONE;

/// What is wrong with code that comes from elsewhere.
pub(super) const BROKEN: Refused = Refused::Place("the code does not fit together");

/// An operand that is waiting.
#[derive(Clone)]
pub(super) enum Made {
    Expr(ExprId),
    Stmt(StmtId),
    /// Braces of an initialiser.
    Braces(Value),
}

pub(super) struct Runner<'r> {
    pub(super) composer: Composer,
    pub(super) resolver: Resolver<'r>,
    pub(super) stack: Vec<Made>,
    /// What the code declared, by number.
    pub(super) objects: Vec<ObjId>,
    pub(super) funcs: Vec<FuncId>,
    pub(super) records: Vec<RecordId>,
    pub(super) enums: Vec<EnumId>,
    pub(super) constants: Vec<EnumeratorId>,
    labels: Vec<LabelId>,
    /// Cases whose `switch` is still to come.
    cases: Vec<StmtId>,
    /// Parameters, members and constants of what is still to come.
    pub(super) params: Vec<ObjId>,
    pub(super) fields: Vec<OwnMember>,
    pub(super) enumerators: Vec<(String, Option<i128>)>,
    /// Types of unnamed members that are members already.
    pub(super) unnamed: FxHashSet<RecordId>,
    /// What was declared last.
    pub(super) last: Option<Entity>,
    /// The unit that the code will stand in.
    unit: u32,
}

impl Fragment {
    /// Makes the expression that the code is, without a place yet.
    pub(in crate::edit) fn expression(
        &self,
        change: &mut Change,
        resolver: Resolver,
        unit: u32,
    ) -> Result<ExprId, Refused> {
        match self.run(change, resolver, unit)? {
            (made, items) if items.is_empty() => match made[..] {
                [Made::Expr(e)] => Ok(e),
                _ => Err(BROKEN),
            },
            _ => Err(BROKEN),
        }
    }

    /// Makes the statements that the code is, without a place yet.
    pub(in crate::edit) fn statements(
        &self,
        change: &mut Change,
        resolver: Resolver,
        unit: u32,
    ) -> Result<Vec<StmtId>, Refused> {
        let (made, items) = self.run(change, resolver, unit)?;
        if !items.is_empty() {
            return Err(BROKEN);
        }
        let statement = |made: &Made| match *made {
            Made::Stmt(s) => Ok(s),
            Made::Expr(_) | Made::Braces(_) => Err(BROKEN),
        };
        made.iter().map(statement).collect()
    }

    /// Makes the declarations that the code is, for file scope, without a place yet.
    pub(in crate::edit) fn items(
        &self,
        change: &mut Change,
        resolver: Resolver,
        unit: u32,
    ) -> Result<Vec<Item>, Refused> {
        match self.run(change, resolver, unit)? {
            (made, items) if made.is_empty() => Ok(items),
            _ => Err(BROKEN),
        }
    }

    fn run(
        &self,
        change: &mut Change,
        resolver: Resolver,
        unit: u32,
    ) -> Result<(Vec<Made>, Vec<Item>), Refused> {
        let empty = Program::new(change.program().target);
        let program = std::mem::replace(change.program_mut(), empty);
        let mut runner = Runner {
            composer: Composer::beside(program, unit),
            resolver,
            stack: Vec::new(),
            objects: Vec::new(),
            funcs: Vec::new(),
            records: Vec::new(),
            enums: Vec::new(),
            constants: Vec::new(),
            labels: Vec::new(),
            cases: Vec::new(),
            params: Vec::new(),
            fields: Vec::new(),
            enumerators: Vec::new(),
            unnamed: FxHashSet::default(),
            last: None,
            unit,
        };
        let done = self.ops.iter().try_for_each(|op| runner.op(op)).and_then(|()| runner.check_used());
        let (program, items) = runner.composer.into_parts();
        *change.program_mut() = program;
        done.map(|()| (runner.stack, items))
    }
}

/// The `n`-th thing that the code declared.
pub(super) fn own<I: Copy>(list: &[I], number: u32) -> Result<I, Refused> {
    list.get(number as usize).copied().ok_or(BROKEN)
}

/// The types that code can name.
struct Known<'a> {
    records: &'a [RecordId],
    enums: &'a [EnumId],
    resolver: Resolver<'a>,
}

impl Meant for Known<'_> {
    fn record(&self, name: Name<RecordId>) -> Option<RecordId> {
        match name {
            Name::Own(number) => self.records.get(number as usize).copied(),
            Name::Outside(reference) => self.resolver.id(reference).ok(),
        }
    }

    fn enumeration(&self, name: Name<EnumId>) -> Option<EnumId> {
        match name {
            Name::Own(number) => self.enums.get(number as usize).copied(),
            Name::Outside(reference) => self.resolver.id(reference).ok(),
        }
    }
}

impl Runner<'_> {
    pub(super) fn expr(&mut self) -> Result<ExprId, Refused> {
        match self.stack.pop() {
            Some(Made::Expr(e)) => Ok(e),
            _ => Err(BROKEN),
        }
    }

    fn stmt(&mut self) -> Result<StmtId, Refused> {
        match self.stack.pop() {
            Some(Made::Stmt(s)) => Ok(s),
            _ => Err(BROKEN),
        }
    }

    pub(super) fn stmts(&mut self, count: u32) -> Result<Vec<StmtId>, Refused> {
        let mut stmts = (0..count).map(|_| self.stmt()).collect::<Result<Vec<StmtId>, Refused>>()?;
        stmts.reverse();
        Ok(stmts)
    }

    fn exprs(&mut self, count: u32) -> Result<Vec<ExprId>, Refused> {
        let mut exprs = (0..count.min(1 << 16)).map(|_| self.expr()).collect::<Result<Vec<_>, _>>()?;
        exprs.reverse();
        Ok(exprs)
    }

    pub(super) fn ty(&mut self, text: &str) -> Result<Type, Refused> {
        let known = Known { records: &self.records, enums: &self.enums, resolver: self.resolver };
        types::read(&mut self.composer.program, &known, text).ok_or(BROKEN)
    }

    fn cx(&mut self) -> Cx<'_> {
        self.composer.cx()
    }

    fn push(&mut self, e: ExprId) {
        self.stack.push(Made::Expr(e));
    }

    fn push_stmt(&mut self, kind: StmtKind) {
        let s = self.composer.stmt(kind);
        self.stack.push(Made::Stmt(s));
    }

    /// What initialises something.
    pub(super) fn value(&mut self) -> Result<Value, Refused> {
        match self.stack.pop() {
            Some(Made::Expr(e)) => Ok(Value::Expr(e)),
            Some(Made::Braces(value)) => Ok(value),
            _ => Err(BROKEN),
        }
    }

    pub(super) fn function(&self, name: Name<FuncId>) -> Result<FuncId, Refused> {
        match name {
            Name::Own(number) => own(&self.funcs, number),
            Name::Outside(func) => self.resolver.id(func),
        }
    }

    fn op(&mut self, op: &Op) -> Result<(), Refused> {
        let made = match op {
            Op::Int { value, form, ty } => {
                let ty = self.ty(ty)?;
                if !self.composer.program.types.is_integer(ty) {
                    return Err(BROKEN);
                }
                build::int(&mut self.cx(), *value, *form, ty, AT)
            }
            Op::Float { bits, ty } => {
                let ty = self.ty(ty)?;
                if !self.composer.program.types.is_float(ty) {
                    return Err(BROKEN);
                }
                build::float(&mut self.cx(), FloatLit { bits: *bits, spelling: None }, ty, AT)
            }
            Op::Str(bytes) => {
                let units = StrUnits::Narrow(bytes.clone().into());
                build::string(&mut self.cx(), StrLit { units, prefix: StrPrefix::None }, AT)
            }
            Op::Object(name) => {
                let object = match *name {
                    Name::Own(number) => own(&self.objects, number)?,
                    Name::Outside(object) => self.resolver.id(object)?,
                };
                build::object(&mut self.cx(), object, AT)
            }
            Op::Function(func) => {
                let func = self.function(*func)?;
                build::function(&mut self.cx(), func, AT)
            }
            Op::Own(name) => {
                let program = &mut self.composer.program;
                let func = build::builtin_function(program, name, self.unit).ok_or(BROKEN)?;
                build::function(&mut self.cx(), func, AT)
            }
            Op::Constant(name) => {
                let constant = match *name {
                    Name::Own(number) => own(&self.constants, number)?,
                    Name::Outside(constant) => self.resolver.id(constant)?,
                };
                build::enumerator(&mut self.cx(), constant, AT)
            }
            Op::Literal(ty) => {
                let (ty, value) = (self.ty(ty)?, self.value()?);
                self.composer.compound_literal(ty, &value)?
            }
            Op::List(parts) => {
                let mut values =
                    parts.iter().map(|_| self.value()).collect::<Result<Vec<Value>, Refused>>()?;
                values.reverse();
                let list = parts.iter().copied().zip(values).collect();
                self.stack.push(Made::Braces(Value::Parts(list)));
                return Ok(());
            }
            Op::Member(name) => {
                let base = self.expr()?;
                let name = self.composer.program.symbols.intern(name);
                build::member(&mut self.cx(), base, name, false, AT)?
            }
            Op::Index => {
                let (index, base) = (self.expr()?, self.expr()?);
                build::index(&mut self.cx(), base, index, AT)?
            }
            Op::Unary(op) => {
                let a = self.expr()?;
                build::unary(&mut self.cx(), *op, a, AT)?
            }
            Op::Binary(op) => {
                let (b, a) = (self.expr()?, self.expr()?);
                build::binary(&mut self.cx(), *op, a, b, AT)?
            }
            Op::Assign => {
                let (b, a) = (self.expr()?, self.expr()?);
                build::assign(&mut self.cx(), a, b, AT)?
            }
            Op::Compound(op) => {
                let (b, a) = (self.expr()?, self.expr()?);
                build::compound_assign(&mut self.cx(), *op, a, b, AT)?
            }
            Op::Cond => {
                let (c, b, a) = (self.expr()?, self.expr()?, self.expr()?);
                build::cond(&mut self.cx(), a, b, c, AT)?
            }
            Op::Elvis => {
                let (b, a) = (self.expr()?, self.expr()?);
                build::elvis(&mut self.cx(), a, b, AT)?
            }
            Op::Comma => {
                let (b, a) = (self.expr()?, self.expr()?);
                build::comma(&mut self.cx(), a, b, AT)?
            }
            Op::Cast(ty) => {
                let (ty, a) = (self.ty(ty)?, self.expr()?);
                build::cast(&mut self.cx(), ty, a, AT)?
            }
            Op::Call(count) => {
                let args = self.exprs(*count)?;
                let callee = self.expr()?;
                build::call(&mut self.cx(), callee, &args, AT)?
            }
            Op::Builtin(name, count) => {
                let args = self.exprs(*count)?;
                let Some(BuiltinDef::Operator(which)) = builtin::lookup(name) else { return Err(BROKEN) };
                build::builtin(&mut self.cx(), which, &args, AT)?
            }
            Op::SizeofType(ty) => {
                let ty = self.ty(ty)?;
                build::sizeof_type(&mut self.cx(), ty, AT)?
            }
            Op::SizeofExpr => {
                let a = self.expr()?;
                build::sizeof_expr(&mut self.cx(), a, AT)?
            }
            _ => return self.statement(op),
        };
        self.push(made);
        Ok(())
    }

    fn statement(&mut self, op: &Op) -> Result<(), Refused> {
        let kind = match op {
            Op::Empty => StmtKind::Empty,
            Op::Evaluate => {
                let e = self.expr()?;
                StmtKind::Expr(build::discard(&mut self.cx(), e, AT)?)
            }
            Op::Block(count) => {
                let stmts = self.stmts(*count)?;
                let block = self.composer.block(&stmts);
                self.stack.push(Made::Stmt(block));
                return Ok(());
            }
            Op::If => {
                let (then, cond) = (self.stmt()?, self.expr()?);
                StmtKind::If { cond: build::condition(&mut self.cx(), cond, AT)?, then, other: None }
            }
            Op::IfElse => {
                let (other, then, cond) = (self.stmt()?, self.stmt()?, self.expr()?);
                let cond = build::condition(&mut self.cx(), cond, AT)?;
                StmtKind::If { cond, then, other: Some(other) }
            }
            Op::While => {
                let (body, cond) = (self.stmt()?, self.expr()?);
                StmtKind::While { cond: build::condition(&mut self.cx(), cond, AT)?, body }
            }
            Op::DoWhile => {
                let (cond, body) = (self.expr()?, self.stmt()?);
                StmtKind::DoWhile { body, cond: build::condition(&mut self.cx(), cond, AT)? }
            }
            Op::For { init, cond, step } => self.head(*init, *cond, *step)?,
            Op::Switch => self.switch()?,
            Op::Case(last) => {
                let body = self.stmt()?;
                let hi = if *last { Some(self.expr()?) } else { None };
                let lo = self.expr()?;
                let case = self.composer.stmt(StmtKind::Case { lo, hi, body });
                self.cases.push(case);
                self.stack.push(Made::Stmt(case));
                return Ok(());
            }
            Op::Default => StmtKind::Default(self.stmt()?),
            Op::Label(name) => {
                let body = self.stmt()?;
                StmtKind::Label(self.label(*name)?, body)
            }
            Op::Goto(name) => StmtKind::Goto(self.label(*name)?),
            Op::Break => StmtKind::Break,
            Op::Continue => StmtKind::Continue,
            Op::Return => StmtKind::Return(None),
            Op::ReturnValue => {
                // Its place will decide the conversion.
                let e = self.expr()?;
                StmtKind::Return(Some(build::value(&mut self.cx(), e)?))
            }
            Op::Decls(count) => {
                let stmts = self.stmts(*count)?;
                StmtKind::Decls(self.composer.program.add_block(&stmts))
            }
            Op::Declare { name, ty, storage, init } => self.declare(name, ty, *storage, *init)?,
            _ => return self.declaration(op),
        };
        self.push_stmt(kind);
        Ok(())
    }

    fn head(&mut self, init: bool, cond: bool, step: bool) -> Result<StmtKind, Refused> {
        let body = self.stmt()?;
        let step = if step { Some(self.expr()?) } else { None };
        let cond = if cond { Some(self.expr()?) } else { None };
        let init = if init { Some(self.stmt()?) } else { None };
        let cond = cond.map(|cond| build::condition(&mut self.cx(), cond, AT)).transpose()?;
        let step = step.map(|step| build::discard(&mut self.cx(), step, AT)).transpose()?;
        Ok(StmtKind::For { init, cond, step, body })
    }

    /// Its cases are constants of its type (C17 6.8.4.2p5).
    fn switch(&mut self) -> Result<StmtKind, Refused> {
        let (body, value) = (self.stmt()?, self.expr()?);
        let value = build::switch_value(&mut self.cx(), value, AT)?;
        let ty = self.composer.program.ty(value);
        let inside: FxHashSet<StmtId> = Walk::stmt(&self.composer.program, body).statements().collect();
        let (own, others) = std::mem::take(&mut self.cases).into_iter().partition(|s| inside.contains(s));
        self.cases = others;
        for s in own {
            let StmtKind::Case { lo, hi, body } = self.composer.program.stmts[s].kind else { continue };
            let mut constant = |e: ExprId| {
                build::integer_constant(&mut self.cx(), e, AT)?;
                build::convert_as_if_assigned(&mut self.cx(), Purpose::Assign, e, ty, AT)
            };
            let (lo, hi) = (constant(lo)?, hi.map(&mut constant).transpose()?);
            self.composer.program.stmts[s].kind = StmtKind::Case { lo, hi, body };
        }
        Ok(StmtKind::Switch { value, body })
    }

    fn label(&mut self, name: Name<LabelId>) -> Result<LabelId, Refused> {
        match name {
            Name::Outside(label) => self.resolver.id(label),
            Name::Own(number) => {
                // They are numbered as they come.
                if self.labels.len() == number as usize {
                    let name = self.composer.fresh("label");
                    let name = self.composer.program.symbols.intern(&name);
                    let label = self.composer.program.labels.push(Label { name, local: false, pos: AT });
                    self.labels.push(label);
                }
                self.labels.get(number as usize).copied().ok_or(BROKEN)
            }
        }
    }

    fn declare(&mut self, name: &str, ty: &str, storage: Storage, init: bool) -> Result<StmtKind, Refused> {
        let ty = self.ty(ty)?;
        let duration = match storage {
            Storage::Static => Duration::Static,
            Storage::None | Storage::Register | Storage::Auto => Duration::Automatic,
            Storage::Extern => return Err(BROKEN),
        };
        let types = &self.composer.program.types;
        if !types.is_complete(ty) || types.is_function(ty) || !is_name(name) {
            return Err(BROKEN);
        }
        let init = if init {
            let (value, constant) = (self.value()?, duration == Duration::Static);
            Some(self.composer.initialiser(ty, &value, constant)?)
        } else {
            None
        };
        let object = self.composer.object(name, ty, Linkage::None, duration);
        self.composer.program.objects[object].register = storage == Storage::Register;
        let decl = self.composer.declare(object, storage, init);
        self.objects.push(object);
        Ok(StmtKind::Item(Item::Decl(decl)))
    }
}

/// Whether a text is an identifier that a program may declare (C17 7.1.3), and no macro of a compiler.
pub(super) fn is_name(text: &str) -> bool {
    let rest = text.strip_prefix('_');
    let reserved = rest.is_some_and(|rest| rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()));
    is_identifier(text) && !reserved && !["linux", "unix", "i386"].contains(&text)
}
