//! From data to nodes: `build` is asked again for everything.

use super::{Fragment, LabelName, ObjectName, Op, types};
use crate::build::{self, Cx, Purpose};
use crate::builtin::{self, BuiltinDef};
use crate::edit::replay::Resolver;
use crate::edit::{Change, Refused};
use crate::id::Id;
use crate::program::{
    Decl, Duration, Entity, ExprId, ExprKind, FloatLit, Init, Item, Label, LabelId, Linkage, ObjId, Object,
    StmtId, StmtKind, Storage, StrLit, StrPrefix, StrUnits,
};
use crate::source::Pos;
use crate::symbol::is_identifier;
use crate::ty::{EnumeratorId, Type};
use crate::visit::Walk;
use rustc_hash::FxHashSet;

const AT: Pos = Pos::NONE;

/// What is wrong with code that comes from elsewhere.
const BROKEN: Refused = Refused::Place("the code does not fit together");

/// An operand that is waiting.
#[derive(Clone, Copy)]
enum Made {
    Expr(ExprId),
    Stmt(StmtId),
}

struct Runner<'c, 'p, 'r> {
    change: &'c mut Change<'p>,
    resolver: Resolver<'r>,
    stack: Vec<Made>,
    objects: Vec<ObjId>,
    labels: Vec<LabelId>,
    /// Cases whose `switch` is still to come.
    cases: Vec<StmtId>,
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
        match self.run(change, resolver, unit)?[..] {
            [Made::Expr(e)] => Ok(e),
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
        let made = self.run(change, resolver, unit)?;
        let statement = |made: &Made| match *made {
            Made::Stmt(s) => Ok(s),
            Made::Expr(_) => Err(BROKEN),
        };
        made.iter().map(statement).collect()
    }

    fn run(&self, change: &mut Change, resolver: Resolver, unit: u32) -> Result<Vec<Made>, Refused> {
        let (stack, objects, labels, cases) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut runner = Runner { change, resolver, stack, objects, labels, cases, unit };
        for op in &self.ops {
            runner.op(op)?;
        }
        Ok(runner.stack)
    }
}

impl Runner<'_, '_, '_> {
    fn expr(&mut self) -> Result<ExprId, Refused> {
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

    fn stmts(&mut self, count: u32) -> Result<Vec<StmtId>, Refused> {
        let mut stmts = (0..count).map(|_| self.stmt()).collect::<Result<Vec<StmtId>, Refused>>()?;
        stmts.reverse();
        Ok(stmts)
    }

    fn exprs(&mut self, count: u32) -> Result<Vec<ExprId>, Refused> {
        let mut exprs = (0..count.min(1 << 16)).map(|_| self.expr()).collect::<Result<Vec<_>, _>>()?;
        exprs.reverse();
        Ok(exprs)
    }

    fn ty(&mut self, text: &str) -> Result<Type, Refused> {
        types::read(self.change.program_mut(), text).ok_or(BROKEN)
    }

    fn cx(&mut self) -> Cx<'_> {
        self.change.cx()
    }

    fn push(&mut self, e: ExprId) {
        self.stack.push(Made::Expr(e));
    }

    fn push_stmt(&mut self, kind: StmtKind) {
        let s = self.change.stmt(kind);
        self.stack.push(Made::Stmt(s));
    }

    fn op(&mut self, op: &Op) -> Result<(), Refused> {
        let made = match op {
            Op::Int { value, form, ty } => {
                let ty = self.ty(ty)?;
                if !self.change.program().types.is_integer(ty) {
                    return Err(BROKEN);
                }
                build::int(&mut self.cx(), *value, *form, ty, AT)
            }
            Op::Float { bits, ty } => {
                let ty = self.ty(ty)?;
                if !self.change.program().types.is_float(ty) {
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
                    ObjectName::Own(number) => *self.objects.get(number as usize).ok_or(BROKEN)?,
                    ObjectName::Outside(object) => self.resolver.object(object)?,
                };
                build::object(&mut self.cx(), object, AT)
            }
            Op::Function(func) => {
                let func = self.resolver.function(*func)?;
                build::function(&mut self.cx(), func, AT)
            }
            Op::Own(name) => {
                let program = self.change.program_mut();
                let func = build::builtin_function(program, name, self.unit).ok_or(BROKEN)?;
                build::function(&mut self.cx(), func, AT)
            }
            Op::Constant(number) => {
                if *number as usize >= self.change.program().types.enumerators.len() {
                    return Err(BROKEN);
                }
                build::enumerator(&mut self.cx(), EnumeratorId::from_index(*number as usize), AT)
            }
            Op::Member(name) => {
                let base = self.expr()?;
                let name = self.change.program_mut().symbols.intern(name);
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
                let block = self.change.block(&stmts);
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
                let case = self.change.stmt(StmtKind::Case { lo, hi, body });
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
                StmtKind::Decls(self.change.program_mut().add_block(&stmts))
            }
            Op::Declare { name, ty, storage, init } => self.declare(name, ty, *storage, *init)?,
            _ => return Err(BROKEN),
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
        let ty = self.change.program().ty(value);
        let inside: FxHashSet<StmtId> = Walk::stmt(self.change.program(), body).statements().collect();
        let (own, others) = std::mem::take(&mut self.cases).into_iter().partition(|s| inside.contains(s));
        self.cases = others;
        for s in own {
            let StmtKind::Case { lo, hi, body } = self.change.program().stmts[s].kind else { continue };
            let mut constant = |e: ExprId| {
                build::integer_constant(&mut self.cx(), e, AT)?;
                build::convert_as_if_assigned(&mut self.cx(), Purpose::Assign, e, ty, AT)
            };
            let (lo, hi) = (constant(lo)?, hi.map(&mut constant).transpose()?);
            self.change.program_mut().stmts[s].kind = StmtKind::Case { lo, hi, body };
        }
        Ok(StmtKind::Switch { value, body })
    }

    fn label(&mut self, name: LabelName) -> Result<LabelId, Refused> {
        match name {
            LabelName::Outside(label) => self.resolver.label(label),
            LabelName::Own(number) => {
                // They are numbered as they come.
                if self.labels.len() == number as usize {
                    let name = self.change.fresh("label");
                    let label = self.change.program_mut().labels.push(Label { name, local: false, pos: AT });
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
        let types = &self.change.program().types;
        if !types.is_complete(ty) || types.is_function(ty) || !is_name(name) {
            return Err(BROKEN);
        }
        let init = if init {
            let e = self.expr()?;
            let is_string = matches!(self.change.program().exprs[e].kind, ExprKind::Str(_));
            if is_string && self.change.program().types.pointee(ty).is_none() {
                return Err(BROKEN);
            }
            let value = build::convert_as_if_assigned(&mut self.cx(), Purpose::Init, e, ty, AT)?;
            Some(self.change.program_mut().inits.push(Init::Expr(value)))
        } else {
            None
        };
        let program = self.change.program_mut();
        let name = program.symbols.intern(name);
        let register = storage == Storage::Register;
        let object = Object {
            name: Some(name),
            linkage: Linkage::None,
            duration,
            register,
            init,
            ..Object::unnamed(ty)
        };
        let object = program.objects.push(object);
        let decl = Decl { init, ..Decl::plain(Entity::Object(object), ty, storage) };
        let decl = program.decls.push(decl);
        self.objects.push(object);
        Ok(StmtKind::Item(Item::Decl(decl)))
    }
}

/// Whether a text is an identifier that a program may declare (C17 7.1.3).
fn is_name(text: &str) -> bool {
    let rest = text.strip_prefix('_');
    let reserved = rest.is_some_and(|rest| rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()));
    is_identifier(text) && !reserved
}
