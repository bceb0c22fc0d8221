//! The whole program: variables, test functions, and `main`, which calls them and prints a checksum.

use howler_choices::Choices;
use howler_lang::arith::Num;
use howler_lang::compose::{Composer, Head, Value, signature};
use howler_lang::program::{BinaryOp, ExprId, FuncId, Linkage, ObjId, Program, StmtId, UnaryOp};
use howler_lang::scalar::{Rules, Ty};
use howler_lang::target::{Arch, Target};
use howler_lang::ty::{Quals, Signature, Type};
use rustc_hash::FxHashMap;

use crate::float::OUTPUT;
use crate::maker::{Leaves, Made, Maker, Region, Site};
use crate::options::{Feature, Options};
use crate::parameters::Row;
use crate::rules::Fix;
use crate::tree::Tree;
use crate::variable::{Category, Variables};
use crate::vector::Vector;

/// A program, and what is not known of it.
pub(crate) struct Whole {
    pub(crate) program: Program,
    /// Operations that may be undefined.
    pub(crate) sites: Vec<Site>,
    /// Operations that were replaced because their operands are known.
    pub(crate) replaced: u32,
    /// Hints before loops.
    pub(crate) hints: FxHashMap<StmtId, String>,
}

/// Tokens that every program has.
const OVERHEAD: i64 = 120;

/// Makes a program. Whatever the plan says, everything but the operations it names is the same.
pub(crate) fn program(
    options: &Options,
    target: Target,
    choices: &Choices,
    plan: &FxHashMap<usize, Fix>,
) -> Whole {
    let mut drawing = choices.sub("shape");
    let (least, most) = options.size;
    let tokens = drawing.range("tokens", least..=most.max(least));
    let mut features = options.features;
    if options.swarm {
        features = features.swarm(&mut choices.sub("swarm"));
    }
    // Swarm takes away, and so does a target.
    if target.arch == Arch::I386 {
        features = features.without(Feature::Int128);
    }
    let mut parameters = options.weights.clone();
    if features.has(Feature::Shuffle) {
        parameters = parameters.shuffled(&mut choices.sub("shuffle"));
    }
    let missing = |name: &str| match name {
        "int128" | "uint128" => !features.has(Feature::Int128),
        "bool" => !features.has(Feature::Bool),
        "char" => !features.has(Feature::Char),
        "float" | "double" | "ldouble" => !features.has(Feature::Floats),
        _ => false,
    };
    for row in [Row::Type, Row::Cast] {
        parameters.limit(row, |name| !missing(name));
    }
    let mut maker = Maker {
        options,
        features,
        parameters,
        choices: choices.sub("program"),
        mending: choices.sub("mending"),
        out: Composer::new(target),
        rules: Rules::new(target),
        vars: Variables::default(),
        tree: Tree::default(),
        locals: Vec::new(),
        loops: Vec::new(),
        space: None,
        sums: Vec::new(),
        helpers: Vec::new(),
        tidy: None,
        shared: false,
        quiet: false,
        hints: FxHashMap::default(),
        library: None,
        recent: Vec::new(),
        below_unary: false,
        log: Vec::new(),
        region: Region { context: 0, leaves: Leaves::Any },
        regions: 0,
        kept: 0,
        outer: 0,
        constants: Vec::new(),
        sites: Vec::new(),
        plan,
        replaced: 0,
        left: i64::from(tokens) - OVERHEAD,
        times: 1,
        steps: options.steps,
        names: 0,
        depth: 0,
    };
    let made = maker.everything(tokens);
    debug_assert!(made.is_ok(), "{made:?}");
    let Maker { out, sites, replaced, hints, .. } = maker;
    Whole { program: out.program, sites, replaced, hints }
}

impl Maker<'_> {
    fn everything(&mut self, tokens: u32) -> Made<()> {
        self.regions = [0, 4, 10, 25][self.draw(Row::Contexts)];
        self.kept = [2, 6, 16][self.draw(Row::Kept)];
        self.out.unit("test.c".to_owned());
        let sum = self.checksum()?;
        if self.has(Feature::Memory) || self.has(Feature::Heap) {
            self.library = Some(self.library()?);
        }
        let most = (tokens / 30).clamp(8, 80);
        let count = self.choices.range("globals", 6..=most);
        self.globals(count)?;
        self.helpers()?;
        let functions = self.choices.range("functions", 1..=self.options.functions.max(1));
        let share = self.left / i64::from(functions);
        let mut tests = Vec::new();
        for at in 0..functions {
            let rest = self.left;
            self.left = share;
            tests.push(self.test(at)?);
            self.left += rest - share;
        }
        self.main(&tests, &sum)?;
        self.deal_out(&tests)
    }

    /// `void test_0(void) { … }`
    fn test(&mut self, at: u32) -> Made<FuncId> {
        let name = format!("test_{at}");
        let func = self.out.function(&name, signature(Type::VOID, &[]), Linkage::External)?;
        let body = self.scope(|maker| {
            let mut body = Vec::new();
            let own = maker.beginning(&mut body)?;
            body.extend(maker.statements(1)?);
            while maker.left > 0 {
                body.extend(maker.within(|maker| maker.statements(6))?);
            }
            maker.ended(&own, &mut body)?;
            Ok(body)
        })?;
        self.out.define(func, Vec::new(), &body)?;
        Ok(func)
    }

    /// The sum and the function that adds a number to it.
    fn checksum(&mut self) -> Made<Sum> {
        let char = self.out.qualified(Type::CHAR, Quals::CONST);
        let text = self.out.pointer(char)?;
        let variadic = Signature { variadic: true, ..signature(Type::INT, &[text]) };
        let printf = self.out.function("printf", variadic, Linkage::External)?;
        self.out.declare_function(printf);
        let state = self.out.global("seed", Type::ULLONG, Linkage::Internal, Some(&Value::Int(0)))?;
        let add = self.out.function("hash", signature(Type::VOID, &[Type::ULLONG]), Linkage::Internal)?;
        let value = self.out.param("value", Type::ULLONG);
        let (before, value_now) = (self.out.lvalue(state), self.out.lvalue(value));
        let mixed = self.out.binary(BinaryOp::BitXor, before, value_now)?;
        let prime = self.out.constant(Type::ULLONG, &Value::Int(0x0100_0000_01b3))?;
        let product = self.out.binary(BinaryOp::Mul, mixed, prime)?;
        let now = self.out.lvalue(state);
        let first = self.out.assign(now, product)?;
        let first = self.out.expr(first)?;
        let (now, again) = (self.out.lvalue(state), self.out.lvalue(state));
        let count = self.out.int(29)?;
        let high = self.out.binary(BinaryOp::Shr, again, count)?;
        let second = self.out.compound_assign(BinaryOp::BitXor, now, high)?;
        let second = self.out.expr(second)?;
        self.out.define(add, vec![value], &[first, second])?;
        Ok(Sum { state, add, printf })
    }

    fn main(&mut self, tests: &[FuncId], sum: &Sum) -> Made<()> {
        let main = self.out.function("main", signature(Type::INT, &[]), Linkage::External)?;
        let mut body = Vec::new();
        for &test in tests {
            body.push(self.out.call(test, &[])?);
        }
        self.sums(sum.add, &mut body)?;
        let format = self.out.string("checksum = %llX\n");
        let now = self.out.lvalue(sum.state);
        body.push(self.out.call(sum.printf, &[format, now])?);
        let zero = self.out.int(0)?;
        body.push(self.out.returns(main, Some(zero))?);
        self.out.define(main, Vec::new(), &body)
    }

    /// Adds everything that tests may have written.
    fn sums(&mut self, add: FuncId, body: &mut Vec<StmtId>) -> Made<()> {
        let mut cells = self.vars.scalars.clone();
        cells.extend(self.vars.records.iter().flat_map(|record| record.members.iter().copied()));
        for cell in cells {
            if self.cell(cell).category != Category::Input {
                let twice = (self.reach(cell)?, self.reach(cell)?);
                self.add(add, twice, self.cell(cell).ty, body)?;
            }
        }
        for at in 0..self.vars.vectors.len() {
            let Vector { object, kind, category, .. } = self.vars.vectors[at];
            if category == Category::Input {
                continue;
            }
            let (counter, declared) = self.out.local("i0", Type::INT, Some(&Value::Int(0)))?;
            let (one, root) = (self.out.lvalue(counter), self.out.lvalue(object));
            let lane = self.out.index(root, one)?;
            let mut inner = Vec::new();
            self.add(add, (lane, lane), kind.elem, &mut inner)?;
            body.push(self.walk(counter, declared, kind.count, &inner)?);
        }
        for at in 0..self.vars.arrays.len() {
            let array = self.vars.arrays[at].clone();
            if array.category == Category::Input {
                continue;
            }
            let mut twice = (self.out.lvalue(array.object), self.out.lvalue(array.object));
            let mut counters = Vec::new();
            for (dim, _) in array.dims.iter().enumerate() {
                let (counter, declared) =
                    self.out.local(&format!("i{dim}"), Type::INT, Some(&Value::Int(0)))?;
                let (one, other) = (self.out.lvalue(counter), self.out.lvalue(counter));
                twice = (self.out.index(twice.0, one)?, self.out.index(twice.1, other)?);
                counters.push((counter, declared));
            }
            let mut inner = Vec::new();
            self.add(add, twice, array.elem, &mut inner)?;
            for ((counter, declared), &len) in counters.into_iter().zip(&array.dims).rev() {
                inner = vec![self.walk(counter, declared, len, &inner)?];
            }
            body.append(&mut inner);
        }
        Ok(())
    }

    pub(crate) fn walk(
        &mut self,
        counter: ObjId,
        declared: StmtId,
        len: u32,
        body: &[StmtId],
    ) -> Made<StmtId> {
        let (now, end) = (self.out.lvalue(counter), self.out.int(i128::from(len))?);
        let cond = self.out.binary(BinaryOp::Lt, now, end)?;
        let now = self.out.lvalue(counter);
        let step = self.out.unary(UnaryOp::PostInc, now)?;
        let head = Head::Declarations(&[declared]);
        self.out.for_loop(head, Some(cond), Some(step), body)
    }

    /// Adds a number to the sum. Of one of 128 bits, which is read twice, both halves count.
    fn add(&mut self, add: FuncId, (e, again): (ExprId, ExprId), ty: Ty, body: &mut Vec<StmtId>) -> Made<()> {
        let mut value = e;
        if ty.is_float() {
            // In the finest steps there are it is a whole number that fits.
            let steps = 1i128 << OUTPUT;
            let steps = self.out.constant(ty.declared(), &Value::Int(steps))?;
            let product = self.out.binary(BinaryOp::Mul, e, steps)?;
            value = self.out.cast(Type::LLONG, product)?;
        }
        if matches!(self.rules.num(ty), Num::Int { width: 128, .. }) {
            let count = self.out.int(61)?;
            let high = self.out.binary(BinaryOp::Shr, e, count)?;
            value = self.out.binary(BinaryOp::BitXor, high, again)?;
        }
        let value = self.out.cast(Type::ULLONG, value)?;
        body.push(self.out.call(add, &[value])?);
        Ok(())
    }
}

/// What `main` needs for the checksum.
struct Sum {
    state: ObjId,
    add: FuncId,
    printf: FuncId,
}
