//! Functions, statements and expressions of the random programs.

use super::{Done, Func, Maker};
use howler_lang::compose::{ATTRIBUTES, Arm, Head, Member, Value, signature};
use howler_lang::program::{BinaryOp, Entity, ExprId, FuncId, Linkage, StmtId, UnaryOp};
use howler_lang::ty::{Quals, RecordKind, Type, TypeKind};

/// What unsigned numbers take whatever they are.
const OPERATORS: [BinaryOp; 6] =
    [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor];

const COMPARISONS: [BinaryOp; 8] = [
    BinaryOp::Lt,
    BinaryOp::Gt,
    BinaryOp::Le,
    BinaryOp::Ge,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::And,
    BinaryOp::Or,
];

impl Maker {
    /// A function, its prototype before it.
    pub fn function(&mut self) -> Done<()> {
        let name = self.fresh("f");
        let mut types = Vec::new();
        for _ in 0..self.upto(3) {
            let ty = self.ty()?;
            let array = matches!(self.c.program.types.kind(ty), TypeKind::Array { .. });
            types.push(if array || self.is_flexible(ty) { Type::UINT } else { ty });
        }
        let ret = match self.upto(3) {
            0 => Type::VOID,
            1 => self.ch.pick("record", &self.records).copied().unwrap_or(Type::INT),
            _ => self.integer(),
        };
        let ret = if self.is_flexible(ret) { Type::INT } else { ret };
        let linkage = if self.chance() { Linkage::Internal } else { Linkage::External };
        let func = self.c.function(&name, signature(ret, &types), linkage)?;
        if linkage == Linkage::Internal && self.chance() {
            self.c.make_inline(func);
        }
        if self.chance() {
            self.c.declare_function(func);
            if self.ch.chance("attribute", 1, 3) {
                let name = *self.ch.one_of("which", &ATTRIBUTES);
                self.c.attribute(Entity::Function(func), name)?;
            }
        }
        let seen = self.objects.len();
        let mut params = Vec::new();
        for &ty in &types {
            let name = self.fresh("a");
            let object = self.c.param(&name, ty);
            params.push(object);
            self.objects.push(object);
        }
        let mut body = self.statements(2, func)?;
        if ret != Type::VOID {
            let value = self.returned(ret)?;
            body.push(self.c.returns(func, Some(value))?);
        } else if self.chance() {
            body.push(self.c.returns(func, None)?);
        }
        self.c.define(func, params, &body)?;
        self.objects.truncate(seen);
        self.funcs.push(Func { id: func, ret, params: types });
        Ok(())
    }

    fn returned(&mut self, ret: Type) -> Done<ExprId> {
        if self.c.program.types.as_record(ret).is_none() {
            let value = self.rvalue(2)?;
            return self.whole(value);
        }
        let value = self.value(ret);
        self.c.compound_literal(ret, &value)
    }

    /// A list of statements in a scope of their own; the caller makes a block of them.
    pub fn statements(&mut self, depth: u32, func: FuncId) -> Done<Vec<StmtId>> {
        let seen = self.objects.len();
        let mut list = Vec::new();
        for _ in 0..1 + self.upto(4) {
            self.statement(depth, func, &mut list)?;
        }
        self.objects.truncate(seen);
        Ok(list)
    }

    fn statement(&mut self, depth: u32, func: FuncId, list: &mut Vec<StmtId>) -> Done<()> {
        let simple = depth == 0 || self.chance();
        let made = match if simple { self.upto(8) } else { 9 + self.upto(10) } {
            0..=2 => self.assignment()?,
            3 => return self.declaration(list),
            4 => return self.local_types(list),
            5 => self.call()?,
            6 => self.step()?,
            7 => {
                let value = self.rvalue(2)?;
                let void = self.c.cast(Type::VOID, value)?;
                self.c.expr(void)?
            }
            8 => self.c.nothing(),
            9 => {
                let cond = self.rvalue(2)?;
                let then = self.statements(depth - 1, func)?;
                self.c.when(cond, &then)?
            }
            10 => {
                let cond = self.rvalue(2)?;
                let then = self.statements(depth - 1, func)?;
                let other = self.statements(depth - 1, func)?;
                self.c.either(cond, &then, &other)?
            }
            11 | 12 => self.counted(depth, func)?,
            13 => return self.waiting(depth, func, list),
            14 => return self.stepping(depth, func, list),
            15 | 16 => self.switch(depth, func)?,
            17 | 18 => return self.jump(depth, func, list),
            _ => {
                let inner = self.statements(depth - 1, func)?;
                self.c.block(&inner)
            }
        };
        list.push(made);
        Ok(())
    }

    fn counted(&mut self, depth: u32, func: FuncId) -> Done<StmtId> {
        let name = self.fresh("i");
        let ty = *self.ch.one_of("counter", &[Type::INT, Type::UINT, Type::UCHAR, Type::LLONG]);
        let rounds = i128::from(self.upto(4));
        let mut body = self.statements(depth - 1, func)?;
        if self.ch.chance("leave", 1, 3) {
            let cond = self.rvalue(1)?;
            let leave = if self.chance() { self.c.breaks() } else { self.c.continues() };
            body.insert(0, self.c.when(cond, &[leave])?);
        }
        self.c.counted(&name, ty, 0..rounds, |c, i| {
            let (i, one) = (c.lvalue(i), c.int(1)?);
            let used = c.binary(BinaryOp::Add, i, one)?;
            let used = c.cast(Type::VOID, used)?;
            let mut all = vec![c.expr(used)?];
            all.extend(body);
            Ok(all)
        })
    }

    /// `while` and `do`, with a counter that is declared before.
    fn waiting(&mut self, depth: u32, func: FuncId, list: &mut Vec<StmtId>) -> Done<()> {
        let name = self.fresh("w");
        let (counter, declared) = self.c.local(&name, Type::UINT, Some(&Value::Int(3)))?;
        list.push(declared);
        let body = self.statements(depth - 1, func)?;
        let now = self.c.lvalue(counter);
        let down = self.c.unary(UnaryOp::PreDec, now)?;
        list.push(if self.chance() {
            self.c.while_loop(down, &body)?
        } else {
            self.c.do_loop(&body, down)?
        });
        Ok(())
    }

    /// `for` over an object that is there already.
    fn stepping(&mut self, depth: u32, func: FuncId, list: &mut Vec<StmtId>) -> Done<()> {
        let name = self.fresh("k");
        let (counter, declared) = self.c.register(&name, Type::UINT, None)?;
        list.push(declared);
        let (now, zero) = (self.c.lvalue(counter), self.c.int(0)?);
        let begin = self.c.assign(now, zero)?;
        let (now, end) = (self.c.lvalue(counter), self.c.int(7)?);
        let cond = self.c.binary(BinaryOp::Lt, now, end)?;
        let (now, by) = (self.c.lvalue(counter), self.c.int(3)?);
        let step = self.c.compound_assign(BinaryOp::Add, now, by)?;
        let body = self.statements(depth - 1, func)?;
        list.push(self.c.for_loop(Head::Expr(begin), Some(cond), Some(step), &body)?);
        Ok(())
    }

    fn switch(&mut self, depth: u32, func: FuncId) -> Done<StmtId> {
        let value = self.rvalue(2)?;
        let value = self.whole(value)?;
        let value = if self.chance() {
            let mask = self.c.int(3)?;
            let wide = self.c.cast(Type::UINT, value)?;
            self.c.binary(BinaryOp::BitAnd, wide, mask)?
        } else {
            self.c.cast(Type::SHORT, value)?
        };
        let count = 1 + self.upto(2);
        let default = self.upto(count);
        let mut arms = Vec::new();
        for at in 0..count {
            let mut body = self.statements(depth - 1, func)?;
            if self.chance() {
                body.push(self.c.breaks());
            }
            let first = i128::from(at) * 2;
            arms.push(Arm { values: vec![first, first + 1], default: at == default, body });
        }
        self.c.switch(value, &arms)
    }

    /// A jump forward over statements that declare nothing.
    fn jump(&mut self, depth: u32, func: FuncId, list: &mut Vec<StmtId>) -> Done<()> {
        let name = self.fresh("l");
        let label = self.c.label(&name);
        let cond = self.rvalue(2)?;
        let go = self.c.goto(label);
        list.push(self.c.when(cond, &[go])?);
        let over = self.statements(depth - 1, func)?;
        list.push(self.c.block(&over));
        let target = self.c.nothing();
        list.push(self.c.labelled(label, target)?);
        Ok(())
    }

    fn declaration(&mut self, list: &mut Vec<StmtId>) -> Done<()> {
        let ty = self.ty()?;
        let name = self.fresh("v");
        let value = self.value(ty);
        let ty = if self.ch.chance("volatile", 1, 20) { self.c.qualified(ty, Quals::VOLATILE) } else { ty };
        let (object, declared) = if self.ch.chance("static", 1, 3) {
            self.c.static_local(&name, ty, Some(&value))?
        } else {
            self.c.local(&name, ty, Some(&value))?
        };
        list.push(declared);
        self.objects.push(object);
        Ok(())
    }

    /// A struct and an enumeration of a block, and objects of them.
    fn local_types(&mut self, list: &mut Vec<StmtId>) -> Done<()> {
        let (tag, first, second) = (self.fresh("t"), self.fresh("f"), self.fresh("f"));
        let members = [Member::bits(&first, Type::INT, 7), Member::new(&second, Type::USHORT)];
        let (ty, defined) = self.c.local_record(RecordKind::Struct, &tag, &members)?;
        let name = self.fresh("v");
        let (object, declared) = self.c.local(&name, ty, Some(&Value::List(vec![Value::Int(5)])))?;
        let (tag, constant, name) = (self.fresh("t"), self.fresh("C"), self.fresh("v"));
        let (ty, constants, listed) = self.c.local_enumeration(&tag, &[(&constant, Some(-1))])?;
        let value = self.c.enumerator(constants[0]);
        let (other, again) = self.c.local(&name, ty, Some(&Value::Expr(value)))?;
        list.extend([defined, declared, listed, again]);
        self.objects.extend([object, other]);
        Ok(())
    }

    /// An lvalue that can be changed: an arithmetic part of an object.
    fn target(&mut self) -> Done<ExprId> {
        self.arithmetic(true)
    }

    /// The same, perhaps constant.
    fn arithmetic(&mut self, changed: bool) -> Done<ExprId> {
        for _ in 0..4 {
            let object = *self.ch.pick("object", &self.objects).expect("there is 'shared'");
            let whole = self.c.lvalue(object);
            let part = self.part(whole)?;
            let ty = self.c.program.ty(part);
            if self.c.program.types.is_real(ty) && !(changed && ty.quals().contains(Quals::CONST)) {
                return Ok(part);
            }
        }
        let shared = self.objects[0];
        Ok(self.c.lvalue(shared))
    }

    fn assignment(&mut self) -> Done<StmtId> {
        let target = self.target()?;
        let value = self.rvalue(3)?;
        let value = self.whole(value)?;
        let integer = self.c.program.types.is_integer(self.c.program.ty(target));
        let done = if integer && self.chance() {
            let op = *self.ch.one_of("operator", &OPERATORS);
            let value = self.c.cast(Type::ULLONG, value)?;
            self.c.compound_assign(op, target, value)?
        } else {
            self.c.assign(target, value)?
        };
        self.c.expr(done)
    }

    fn step(&mut self) -> Done<StmtId> {
        let target = self.target()?;
        let unsigned = matches!(
            self.c.program.ty(target).bare(),
            Type::UCHAR | Type::USHORT | Type::UINT | Type::ULONG | Type::ULLONG
        );
        if !unsigned || howler_lang::build::is_bitfield(&self.c.program, target) {
            return self.assignment();
        }
        let ops = [UnaryOp::PreInc, UnaryOp::PreDec, UnaryOp::PostInc, UnaryOp::PostDec];
        let op = *self.ch.one_of("step", &ops);
        let step = self.c.unary(op, target)?;
        self.c.expr(step)
    }

    fn call(&mut self) -> Done<StmtId> {
        let at = self.upto(self.funcs.len() as u32 - 1) as usize;
        let (func, ret, params) = (self.funcs[at].id, self.funcs[at].ret, self.funcs[at].params.clone());
        let mut args = Vec::new();
        for ty in params {
            let record = self.c.program.types.as_record(ty).is_some();
            args.push(if record {
                let value = self.value(ty);
                self.c.compound_literal(ty, &value)?
            } else {
                let value = self.rvalue(2)?;
                self.whole(value)?
            });
        }
        let call = if self.chance() {
            self.c.call_of(func, &args)?
        } else {
            let callee = self.c.designator(func);
            let callee = self.c.address(callee)?;
            self.c.call_through(callee, &args)?
        };
        if !self.c.program.types.is_real(ret) {
            return self.c.expr(call);
        }
        let target = self.target()?;
        let done = self.c.assign(target, call)?;
        self.c.expr(done)
    }

    /// An arithmetic value.
    pub fn rvalue(&mut self, depth: u32) -> Done<ExprId> {
        if depth == 0 || self.ch.chance("leaf", 1, 4) {
            return self.leaf();
        }
        let a = self.rvalue(depth - 1)?;
        Ok(match self.upto(9) {
            0..=2 => {
                let b = self.rvalue(depth - 1)?;
                let wide = *self.ch.one_of("type", &[Type::UINT, Type::ULLONG]);
                let (a, b) = (self.number(wide, a)?, self.number(wide, b)?);
                let op = *self.ch.one_of("operator", &OPERATORS);
                self.c.binary(op, a, b)?
            }
            3 | 4 => {
                let b = self.rvalue(depth - 1)?;
                let op = *self.ch.one_of("comparison", &COMPARISONS);
                self.c.binary(op, a, b)?
            }
            5 => {
                let b = self.rvalue(depth - 1)?;
                let op = *self.ch.one_of("shift", &[BinaryOp::Shl, BinaryOp::Shr]);
                let (a, b, mask) =
                    (self.number(Type::UINT, a)?, self.number(Type::UINT, b)?, self.c.int(31)?);
                let count = self.c.binary(BinaryOp::BitAnd, b, mask)?;
                self.c.binary(op, a, count)?
            }
            6 => {
                let b = self.rvalue(depth - 1)?;
                let op = *self.ch.one_of("division", &[BinaryOp::Div, BinaryOp::Rem]);
                let (a, b, one) = (self.number(Type::UINT, a)?, self.number(Type::UINT, b)?, self.c.int(1)?);
                let divisor = self.c.binary(BinaryOp::BitOr, b, one)?;
                self.c.binary(op, a, divisor)?
            }
            7 => {
                let op = *self.ch.one_of("unary", &[UnaryOp::BitNot, UnaryOp::Neg, UnaryOp::Not]);
                let a = self.number(Type::UINT, a)?;
                self.c.unary(op, a)?
            }
            8 => {
                let (b, c) = (self.rvalue(depth - 1)?, self.rvalue(depth - 1)?);
                self.c.cond(a, b, c)?
            }
            _ => {
                let b = self.rvalue(depth - 1)?;
                self.c.comma(a, b)?
            }
        })
    }

    /// A value that any arithmetic type can be given.
    fn whole(&mut self, a: ExprId) -> Done<ExprId> {
        if self.c.program.types.is_integer(self.c.program.ty(a)) { Ok(a) } else { self.number(Type::UINT, a) }
    }

    /// A value as an unsigned number: a floating one by what it is compared with, for it may be out of range.
    fn number(&mut self, ty: Type, a: ExprId) -> Done<ExprId> {
        if self.c.program.types.is_integer(self.c.program.ty(a)) {
            return self.c.cast(ty, a);
        }
        let zero = self.c.constant(Type::DOUBLE, &Value::Int(7))?;
        let above = self.c.binary(BinaryOp::Gt, a, zero)?;
        self.c.cast(ty, above)
    }

    fn leaf(&mut self) -> Done<ExprId> {
        match self.upto(6) {
            0 => {
                let ty = self.integer();
                let value = self.value(ty);
                self.c.constant(ty, &value)
            }
            1 if !self.constants.is_empty() => {
                let constant = *self.ch.pick("constant", &self.constants).expect("there is one");
                Ok(self.c.enumerator(constant))
            }
            2 => {
                let ty = self.ty()?;
                self.c.sizeof_type(ty)
            }
            3 => {
                let object = *self.ch.pick("object", &self.objects).expect("there is 'shared'");
                let whole = self.c.lvalue(object);
                let null = self.c.address(whole).ok();
                // No object is at null.
                match null {
                    Some(address) => self.c.unary(UnaryOp::Not, address),
                    None => self.c.int(1),
                }
            }
            _ => self.arithmetic(false),
        }
    }
}
