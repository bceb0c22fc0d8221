//! A test as a program of `lang`, and as text.

use crate::compose::{Composer, signature};
use crate::constant::constant;
use crate::eval::{Mark, all_marks, last_values};
use crate::scalar::{Ty, field_record};
use crate::test::{Form, NodeId, Op, Place, Role, Test, VarId};
use howler_case::{Behaviour, Case, End, Origin, behaviour};
use howler_lang::arith::{Num, num_of};
use howler_lang::build::{self, Built, Purpose, Violation};
use howler_lang::id::Id;
use howler_lang::link;
use howler_lang::print::{self, PrintOptions};
use howler_lang::program::{
    BinaryOp, Duration, ExprId, FuncId, Init, InitEntry, IntForm, Item, Linkage, ObjId, Program, StmtId,
    StmtKind, Storage, UnaryOp,
};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::ty::{Quals, Signature, Type};

/// The result of building a part of a program.
type Done<T> = Result<T, Box<Violation>>;

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
        let expected = [(self.target, self.behaviour())].into_iter().collect();
        Case { files, std: self.target.std, expected, origin }
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
struct Writer<'a> {
    test: &'a Test,
    out: Composer,
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
    uses: Uses,
    helpers: Helpers,
}

/// The functions that a wrong result is reported by, made when they are needed, and the counter.
#[derive(Default)]
struct Helpers {
    printf: Option<FuncId>,
    failed: Option<ObjId>,
    reports: [Option<FuncId>; 4],
}

/// How variables are used by what is written.
struct Uses {
    /// Mentioned at all.
    used: Vec<bool>,
    /// The value it is declared with: that of a constant statement if nothing happens to it before.
    initial: Vec<u128>,
    /// Statements that are written.
    written: Vec<bool>,
    /// Statements whose result is compared at once, because their target is assigned again later.
    at_once: Vec<bool>,
    /// What is compared at the end, with its value.
    at_end: Vec<VarId>,
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
        self.prepare_reports();
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
        self.prepare_reports();
        let void = signature(Type::VOID, &[]);
        for index in 0..self.test.statements.len() {
            if self.uses.written[index] {
                let func = self.out.function(&format!("e{index}"), void.clone(), Linkage::External);
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
                self.declare_extern(index);
            }
            for index in range {
                if self.uses.written[index] {
                    let stmt = self.statement(index)?;
                    let func = self.out.function(&format!("e{index}"), void.clone(), Linkage::External);
                    self.out.define(func, Vec::new(), &[stmt]);
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
            let (linkage, duration, storage) = match var.place {
                Place::Global => (Linkage::External, Duration::Static, Storage::None),
                Place::StaticGlobal => (Linkage::Internal, Duration::Static, Storage::Static),
                Place::StaticLocal => (Linkage::None, Duration::Static, Storage::Static),
                Place::Local => (Linkage::None, Duration::Automatic, Storage::None),
            };
            let (ty, record) = self.declared(id, &name);
            if let Some(record) = record {
                self.out.item(record);
            }
            let object = self.out.object(&name, ty, linkage, duration);
            let value = self.uses.initial[id.index()];
            let cx = &mut self.out.cx();
            let init = constant(cx, var.ty, value)?;
            let init = build::convert_as_if_assigned(cx, Purpose::Init, init, var.ty.declared(), Pos::NONE)?;
            let init = match record {
                None => Init::Expr(init),
                Some(_) => {
                    let init = self.out.program.inits.push(Init::Expr(init));
                    let entries = self.out.program.add_entries(&[InitEntry { index: 0, last: 0, init }]);
                    Init::List(entries)
                }
            };
            let decl = self.out.declare(object, storage, Some(init));
            if var.place.is_global() {
                self.out.item(Item::Decl(decl));
            } else {
                body.push(self.out.stmt(StmtKind::Item(Item::Decl(decl))));
            }
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
    fn declare_extern(&mut self, index: usize) {
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
                let object = self.out.object(&name, ty, Linkage::External, Duration::Static);
                let decl = self.out.declare(object, Storage::Extern, None);
                self.out.item(Item::Decl(decl));
                self.objects[id.index()] = Some(object);
            }
        }
    }

    /// A variable as an lvalue.
    fn variable(&mut self, id: VarId) -> Built {
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
        Ok(self.out.stmt(StmtKind::Expr(assigned)))
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

    fn int(&mut self, value: u64) -> ExprId {
        build::int(&mut self.out.cx(), value, IntForm::Decimal, Type::INT, Pos::NONE)
    }

    /// `variable != value`
    fn differs(&mut self, var: VarId, value: u128) -> Built {
        let lvalue = self.variable(var)?;
        let cx = &mut self.out.cx();
        let expected = constant(cx, self.test.vars[var].ty, value)?;
        build::binary(cx, BinaryOp::Ne, lvalue, expected, Pos::NONE)
    }

    /// `if (variable != value) wrong_…("variable", variable, value);`
    fn check(&mut self, var: VarId, value: u128) -> Done<StmtId> {
        let ty = self.test.vars[var].ty;
        let cond = self.differs(var, value)?;
        let name = self.test.name(var);
        let name = self.out.string(&name);
        let got = self.variable(var)?;
        let expected = constant(&mut self.out.cx(), ty, value)?;
        let report =
            self.helpers.reports[report_of(&self.out.program, ty)].expect("made for every type in use");
        let then = self.out.call(report, &[name, got, expected])?;
        Ok(self.out.stmt(StmtKind::If { cond, then, other: None }))
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
        let status =
            build::convert_as_if_assigned(&mut self.out.cx(), Purpose::Return, status, Type::INT, Pos::NONE)?;
        body.push(self.out.stmt(StmtKind::Return(Some(status))));
        let main = self.out.function("main", signature(Type::INT, &[]), Linkage::External);
        self.out.define(main, Vec::new(), &body);
        Ok(())
    }

    /// Declares `printf`, the counter, and a report for each class of types whose results are compared.
    fn prepare_reports(&mut self) {
        let text = {
            let types = &mut self.out.program.types;
            let char = types.qualified(Type::CHAR, Quals::CONST);
            types.pointer(char)
        };
        let variadic = Signature { variadic: true, ..signature(Type::INT, &[text]) };
        let printf = self.out.function("printf", variadic, Linkage::External);
        self.out.declare_function(printf);
        self.helpers.printf = Some(printf);
        let failed = self.out.object("failed", Type::INT, Linkage::Internal, Duration::Static);
        let decl = self.out.declare(failed, Storage::Static, None);
        self.out.item(Item::Decl(decl));
        self.helpers.failed = Some(failed);
        let mut needed = [false; REPORTS.len()];
        for &var in &self.uses.at_end {
            needed[report_of(&self.out.program, self.test.vars[var].ty)] = true;
        }
        for (index, statement) in self.test.statements.iter().enumerate() {
            if self.uses.at_once[index] {
                needed[report_of(&self.out.program, self.test.vars[statement.target].ty)] = true;
            }
        }
        for class in (0..REPORTS.len()).filter(|&class| needed[class]) {
            self.helpers.reports[class] = self.report(class, text, printf, failed).ok();
        }
    }

    /// `static void wrong_…(const char *name, T got, T expected) { failed++; printf(…); }`
    fn report(&mut self, class: usize, text: Type, printf: FuncId, failed: ObjId) -> Done<FuncId> {
        let (name, ty, format) = REPORTS[class];
        let func = self.out.function(name, signature(Type::VOID, &[text, ty, ty]), Linkage::Internal);
        let params = [("name", text), ("got", ty), ("expected", ty)]
            .map(|(name, ty)| self.out.object(name, ty, Linkage::None, Duration::Parameter));
        let count = self.out.lvalue(failed);
        let count = build::unary(&mut self.out.cx(), UnaryOp::PostInc, count, Pos::NONE)?;
        let count = self.out.stmt(StmtKind::Expr(count));
        let mut args = vec![self.out.string(format), self.out.lvalue(params[0])];
        for value in &params[1..] {
            let value = self.out.lvalue(*value);
            if ty == Type::UINT128 {
                // printf knows no 128 bits: two halves.
                let places = self.int(64);
                let high = self.out.binary(BinaryOp::Shr, value, places)?;
                args.push(build::cast(&mut self.out.cx(), Type::ULLONG, high, Pos::NONE)?);
                args.push(build::cast(&mut self.out.cx(), Type::ULLONG, value, Pos::NONE)?);
            } else {
                args.push(value);
            }
        }
        let print = self.out.call(printf, &args)?;
        self.out.define(func, params.to_vec(), &[count, print]);
        Ok(func)
    }
}

/// The reports: name, type of the values, format.
const REPORTS: [(&str, Type, &str); 4] = [
    ("wrong_signed", Type::LLONG, "%s: got %lld, expected %lld\n"),
    ("wrong_unsigned", Type::ULLONG, "%s: got %llu, expected %llu\n"),
    ("wrong_float", Type::LDOUBLE, "%s: got %.21Lg, expected %.21Lg\n"),
    ("wrong_wide", Type::UINT128, "%s: got 0x%llx%016llx, expected 0x%llx%016llx\n"),
];

/// The report for values of a type.
fn report_of(program: &Program, ty: Ty) -> usize {
    match num_of(&program.types, &program.target, ty.declared()) {
        Some(Num::Float(_)) => 2,
        Some(Num::Int { width: 128, .. }) => 3,
        Some(Num::Int { signed: true, .. }) => 0,
        _ => 1,
    }
}

/// The variable an operation names.
pub(crate) fn mentioned(op: Op) -> Option<VarId> {
    match op {
        Op::Var(var) | Op::Assign(_, var) | Op::Step(_, var) => Some(var),
        _ => None,
    }
}

impl Uses {
    fn of(test: &Test, marks: &[Mark], last: &[u128]) -> Uses {
        let count = test.vars.len();
        let mut uses = Uses {
            used: vec![false; count],
            initial: test.vars.iter().map(|(_, var)| var.value).collect(),
            written: vec![false; test.statements.len()],
            at_once: vec![false; test.statements.len()],
            at_end: Vec::new(),
        };
        // A constant statement is written if something read or changed its target before; otherwise the target is
        // declared with the constant.
        let mut touched = vec![false; count];
        for (index, statement) in test.statements.iter().enumerate() {
            let target = statement.target.index();
            if !test.is_alive(index) {
                if touched[target] {
                    uses.written[index] = true;
                } else {
                    uses.initial[target] = statement.value;
                }
                continue;
            }
            uses.written[index] = true;
            touched[target] = true;
            uses.used[target] = true;
            let first = statement.first.index();
            for (offset, &mark) in marks[first..=statement.root.index()].iter().enumerate() {
                if mark != Mark::Gone
                    && let Some(var) = mentioned(test.nodes[NodeId::from_index(first + offset)].op)
                {
                    touched[var.index()] = true;
                    uses.used[var.index()] = true;
                }
            }
        }
        uses.checks(test, last);
        uses
    }

    /// What is compared where: every statement's result once, before it can change again.
    fn checks(&mut self, test: &Test, last: &[u128]) {
        let mut later = vec![false; self.used.len()];
        let mut final_target = vec![false; self.used.len()];
        for index in (0..test.statements.len()).rev().filter(|&index| test.is_alive(index)) {
            let target = test.statements[index].target.index();
            self.at_once[index] = std::mem::replace(&mut later[target], true);
            final_target[target] = true;
        }
        // A constant statement behind the last living one changes what there is to compare.
        for (index, statement) in test.statements.iter().enumerate() {
            let target = statement.target.index();
            if self.written[index] && !test.is_alive(index) && self.used[target] {
                final_target[target] |= last[target] == statement.value;
            }
        }
        for (id, var) in test.vars.iter() {
            let index = id.index();
            if self.used[index] && (final_target[index] || var.role == Role::M) {
                self.at_end.push(id);
            }
        }
    }
}
