//! A test as a program of `lang`, and as text.

use crate::eval::{Mark, all_marks, last_values};
use crate::report::Helpers;
use crate::test::{Form, NodeId, Op, Place, Test, VarId};
use crate::uses::{Uses, mentioned};
use howler_case::{Behaviour, Case, End, Origin, behaviour};
use howler_lang::build::{self, Built, Violation};
use howler_lang::compose::{Composer, Value, signature};
use howler_lang::id::Id;
use howler_lang::link;
use howler_lang::print::{self, PrintOptions};
use howler_lang::program::{BinaryOp, ExprId, IntForm, Item, Linkage, ObjId, Program, StmtId};
use howler_lang::scalar::constant;
use howler_lang::scalar::field_record;
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::ty::{Quals, Type};

/// The result of building a part of a program.
pub(crate) type Done<T> = Result<T, Box<Violation>>;

impl Test {
    /// The program, linked.
    pub fn program(&self) -> Program {
        let mut program = self.compose();
        link::link(&mut program);
        program
    }

    /// The names and texts of the files.
    pub fn render(&self) -> Vec<(String, String)> {
        let program = self.compose();
        let texts = print::program(&program, &PrintOptions::default());
        program.units.into_iter().map(|unit| unit.name).zip(texts).collect()
    }

    /// The test as a case, with what it must do on its target.
    pub fn case(&self, origin: Origin) -> Case {
        let files = self.render();
        let files = files
            .into_iter()
            .map(|(name, text)| howler_case::File { name, text: text.into_bytes() })
            .collect();
        let mut case = Case { files, ..Case::new("", "", self.target.std, origin) };
        case.expect(self.target, self.behaviour());
        case
    }

    /// What every conforming compiler's program does: it finds nothing wrong.
    pub fn behaviour(&self) -> Behaviour {
        let output = match self.form {
            Form::Compact => Vec::new(),
            _ => b"0 wrong\n".to_vec(),
        };
        let trace: Option<Vec<behaviour::VolatileAccess>> = None;
        Behaviour { end: End::Exit(0), output, trace }
    }

    fn compose(&self) -> Program {
        let mut writer = Writer::new(self);
        let done = match self.form {
            Form::Whole => writer.whole(),
            Form::Split(files) => writer.split(files.max(1)),
            Form::Compact => writer.compact(),
        };
        debug_assert!(done.is_ok(), "{done:?}");
        writer.out.program
    }
}

/// Writes one test.
pub(crate) struct Writer<'a> {
    pub(crate) test: &'a Test,
    pub(crate) out: Composer,
    /// The objects of the current unit, by variable.
    objects: Vec<Option<ObjId>>,
    /// What variables hold at the end.
    last: Vec<u128>,
    /// The member of a bit-field's struct.
    member: Symbol,
    /// How each node takes part.
    marks: Vec<Mark>,
    /// The expressions of the nodes of one statement.
    built: Vec<Option<ExprId>>,
    /// What variables are named, changed and constant statements are for.
    pub(crate) uses: Uses,
    pub(crate) helpers: Helpers,
}

impl<'a> Writer<'a> {
    fn new(test: &'a Test) -> Writer<'a> {
        let mut out = Composer::new(test.target);
        out.program.exprs.reserve(test.nodes.len() * 3);
        let member = out.program.symbols.intern("v");
        let marks = all_marks(test);
        let last = last_values(test, &marks);
        let uses = Uses::of(test, &marks, &last);
        Writer {
            test,
            out,
            objects: vec![None; test.vars.len()],
            last,
            member,
            marks,
            built: Vec::new(),
            uses,
            helpers: Helpers::default(),
        }
    }

    /// One file: variables, reports, main.
    fn whole(&mut self) -> Done<()> {
        self.out.unit("test.c".to_owned());
        let mut body = self.declare_all()?;
        self.prepare_reports()?;
        for index in 0..self.test.statements.len() {
            if self.uses.written[index] {
                body.push(self.statement(index)?);
                self.check_at_once(index, &mut body)?;
            }
        }
        self.finish(body)
    }

    /// Variables and comparisons in one file, a function per expression in others.
    fn split(&mut self, files: u32) -> Done<()> {
        self.out.unit("test.c".to_owned());
        let mut body = self.declare_all()?;
        self.prepare_reports()?;
        let void = signature(Type::VOID, &[]);
        for index in 0..self.test.statements.len() {
            if self.uses.written[index] {
                let func = self.out.function(&format!("e{index}"), void.clone(), Linkage::External)?;
                self.out.declare_function(func);
                body.push(self.out.call(func, &[])?);
                self.check_at_once(index, &mut body)?;
            }
        }
        self.finish(body)?;
        let count = self.test.statements.len();
        let share = count.div_ceil(files as usize).max(1);
        for (file, start) in (0..count).step_by(share).enumerate() {
            self.out.unit(format!("part{}.c", file + 1));
            self.objects.fill(None);
            let range = start..(start + share).min(count);
            for index in range.clone().filter(|&index| self.uses.written[index]).collect::<Vec<_>>() {
                self.declare_extern(index)?;
            }
            for index in range {
                if self.uses.written[index] {
                    let stmt = self.statement(index)?;
                    let func = self.out.function(&format!("e{index}"), void.clone(), Linkage::External)?;
                    self.out.define(func, Vec::new(), &[stmt])?;
                }
            }
        }
        Ok(())
    }

    /// Only what is needed to see a wrong result.
    fn compact(&mut self) -> Done<()> {
        self.out.unit("test.c".to_owned());
        let mut body = self.declare_all()?;
        let mut wrong: Option<ExprId> = None;
        for index in 0..self.test.statements.len() {
            if self.uses.written[index] {
                body.push(self.statement(index)?);
            }
        }
        for at in 0..self.uses.at_end.len() {
            let var = self.uses.at_end[at];
            let differs = self.differs(var, self.last[var.index()])?;
            wrong = Some(match wrong {
                Some(wrong) => self.out.binary(BinaryOp::Or, wrong, differs)?,
                None => differs,
            });
        }
        let wrong = match wrong {
            Some(wrong) => wrong,
            None => self.int(0),
        };
        self.main(body, wrong)
    }

    /// Declares all variables that are used: those of `main` become statements.
    fn declare_all(&mut self) -> Done<Vec<StmtId>> {
        let mut body = Vec::new();
        for (id, var) in self.test.vars.iter() {
            if !self.uses.used[id.index()] {
                continue;
            }
            let name = self.test.name(id);
            let (ty, record) = self.declared(id, &name);
            if let Some(record) = record {
                self.out.item(record);
            }
            let value = Value::Bits(self.uses.initial[id.index()]);
            let value = if record.is_some() { Value::List(vec![value]) } else { value };
            let local = match var.place {
                Place::Global => Err(Linkage::External),
                Place::StaticGlobal => Err(Linkage::Internal),
                Place::StaticLocal => Ok(self.out.static_local(&name, ty, Some(&value))?),
                Place::Local => Ok(self.out.local(&name, ty, Some(&value))?),
            };
            let object = match local {
                Ok((object, declared)) => {
                    body.push(declared);
                    object
                }
                Err(linkage) => self.out.global(&name, ty, linkage, Some(&value))?,
            };
            self.objects[id.index()] = Some(object);
        }
        Ok(body)
    }

    /// The type a variable is declared with, and the struct it needs if it is a bit-field.
    fn declared(&mut self, id: VarId, name: &str) -> (Type, Option<Item>) {
        let var = &self.test.vars[id];
        let mut quals = Quals::NONE;
        if var.constant {
            quals = quals.union(Quals::CONST);
        }
        if var.volatile {
            quals = quals.union(Quals::VOLATILE);
        }
        let program = &mut self.out.program;
        let (ty, item) = match var.ty.as_field() {
            Some(_) => {
                let tag = program.symbols.intern(&format!("s{}", &name[1..]));
                let ty = field_record(program, var.ty, Some(tag), self.member);
                let record = program.types.as_record(ty).map(Item::Record);
                (ty, record)
            }
            None => (var.ty.declared(), None),
        };
        (program.types.qualified(ty, quals), item)
    }

    /// Declares the variables of a statement in another unit than theirs.
    fn declare_extern(&mut self, index: usize) -> Done<()> {
        let statement = &self.test.statements[index];
        let mut vars = vec![statement.target];
        for at in statement.first.index()..=statement.root.index() {
            if self.marks[at] != Mark::Gone {
                vars.extend(mentioned(self.test.nodes[NodeId::from_index(at)].op));
            }
        }
        for id in vars {
            if self.objects[id.index()].is_none() {
                let name = self.test.name(id);
                let (ty, _) = self.declared(id, &name);
                self.objects[id.index()] = Some(self.out.external(&name, ty)?);
            }
        }
        Ok(())
    }

    /// A variable as an lvalue.
    pub(crate) fn variable(&mut self, id: VarId) -> Built {
        let Some(object) = self.objects[id.index()] else {
            let message = format!("'{}' is not declared", self.test.name(id));
            return Err(Box::new(Violation { pos: Pos::NONE, message }));
        };
        let lvalue = self.out.lvalue(object);
        match self.test.vars[id].ty.as_field() {
            Some(_) => build::member(&mut self.out.cx(), lvalue, self.member, false, Pos::NONE),
            None => Ok(lvalue),
        }
    }

    /// The assignment of one expression.
    fn statement(&mut self, index: usize) -> Done<StmtId> {
        let statement = &self.test.statements[index];
        let first = statement.first.index();
        self.built.clear();
        for at in first..=statement.root.index() {
            let built = match self.marks[at] {
                Mark::Gone => None,
                _ => Some(self.node(NodeId::from_index(at), first)?),
            };
            self.built.push(built);
        }
        let root = self.kid(Some(statement.root), first);
        let target = self.variable(statement.target)?;
        let cx = &mut self.out.cx();
        let assigned = match statement.op {
            Some(op) => build::compound_assign(cx, op, target, root, Pos::NONE)?,
            None => build::assign(cx, target, root, Pos::NONE)?,
        };
        self.out.expr(assigned)
    }

    /// The expression of an operand, which is built before.
    fn kid(&self, kid: Option<NodeId>, first: usize) -> ExprId {
        let built = kid.and_then(|kid| self.built.get(kid.index() - first).copied().flatten());
        built.expect("operands have smaller ids and are marked with what they are operands of")
    }

    fn node(&mut self, id: NodeId, first: usize) -> Built {
        let node = &self.test.nodes[id];
        let kid = |at: usize| self.kid(node.kids[at], first);
        let pos = Pos::NONE;
        match node.op {
            Op::Var(var) => self.variable(var),
            Op::Const => constant(&mut self.out.cx(), node.ty, node.value),
            Op::Unary(op) => {
                let a = kid(0);
                build::unary(&mut self.out.cx(), op, a, pos)
            }
            Op::Binary(op) => {
                let (a, b) = (kid(0), kid(1));
                build::binary(&mut self.out.cx(), op, a, b, pos)
            }
            Op::Cond => {
                let (c, a, b) = (kid(0), kid(1), kid(2));
                build::cond(&mut self.out.cx(), c, a, b, pos)
            }
            Op::Cast => {
                let a = kid(0);
                build::cast(&mut self.out.cx(), node.ty.declared(), a, pos)
            }
            Op::Comma => {
                let (a, b) = (kid(0), kid(1));
                build::comma(&mut self.out.cx(), a, b, pos)
            }
            Op::Assign(op, var) => {
                let a = kid(0);
                let target = self.variable(var)?;
                let cx = &mut self.out.cx();
                match op {
                    Some(op) => build::compound_assign(cx, op, target, a, pos),
                    None => build::assign(cx, target, a, pos),
                }
            }
            Op::Step(op, var) => {
                let target = self.variable(var)?;
                build::unary(&mut self.out.cx(), op, target, pos)
            }
        }
    }

    pub(crate) fn int(&mut self, value: u64) -> ExprId {
        build::int(&mut self.out.cx(), value, IntForm::Decimal, Type::INT, Pos::NONE)
    }

    /// `variable != value`
    pub(crate) fn differs(&mut self, var: VarId, value: u128) -> Built {
        let lvalue = self.variable(var)?;
        let cx = &mut self.out.cx();
        let expected = constant(cx, self.test.vars[var].ty, value)?;
        build::binary(cx, BinaryOp::Ne, lvalue, expected, Pos::NONE)
    }

    fn check_at_once(&mut self, index: usize, body: &mut Vec<StmtId>) -> Done<()> {
        if self.uses.at_once[index] {
            let statement = &self.test.statements[index];
            body.push(self.check(statement.target, statement.value)?);
        }
        Ok(())
    }

    /// The comparisons at the end, the summary and `main`.
    fn finish(&mut self, mut body: Vec<StmtId>) -> Done<()> {
        for at in 0..self.uses.at_end.len() {
            let var = self.uses.at_end[at];
            body.push(self.check(var, self.last[var.index()])?);
        }
        let (Some(printf), Some(failed)) = (self.helpers.printf, self.helpers.failed) else { return Ok(()) };
        let format = self.out.string("%d wrong\n");
        let count = self.out.lvalue(failed);
        body.push(self.out.call(printf, &[format, count])?);
        let (count, zero) = (self.out.lvalue(failed), self.int(0));
        let status = self.out.binary(BinaryOp::Ne, count, zero)?;
        self.main(body, status)
    }

    fn main(&mut self, mut body: Vec<StmtId>, status: ExprId) -> Done<()> {
        let main = self.out.function("main", signature(Type::INT, &[]), Linkage::External)?;
        body.push(self.out.returns(main, Some(status))?);
        self.out.define(main, Vec::new(), &body)
    }
}
