//! The functions of a generated program that say which result is wrong: what it is, and what it should be.

use crate::program::{Done, Writer};
use crate::test::VarId;
use howler_lang::arith::{Num, num_of};
use howler_lang::compose::signature;
use howler_lang::program::{BinaryOp, FuncId, Linkage, ObjId, Program, StmtId, StmtKind, UnaryOp};
use howler_lang::scalar::Ty;
use howler_lang::scalar::constant;
use howler_lang::ty::{Quals, Signature, Type};

/// The functions that a wrong result is reported by, made when they are needed, and the counter.
#[derive(Default)]
pub(crate) struct Helpers {
    pub(crate) printf: Option<FuncId>,
    pub(crate) failed: Option<ObjId>,
    reports: [Option<FuncId>; 4],
}

impl Writer<'_> {
    /// `if (variable != value) wrong_…("variable", variable, value);`
    pub(crate) fn check(&mut self, var: VarId, value: u128) -> Done<StmtId> {
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

    /// Declares `printf`, the counter, and a report for each class of types whose results are compared.
    pub(crate) fn prepare_reports(&mut self) -> Done<()> {
        let char = self.out.qualified(Type::CHAR, Quals::CONST);
        let text = self.out.pointer(char)?;
        let variadic = Signature { variadic: true, ..signature(Type::INT, &[text]) };
        let printf = self.out.function("printf", variadic, Linkage::External)?;
        self.out.declare_function(printf);
        self.helpers.printf = Some(printf);
        let failed = self.out.global("failed", Type::INT, Linkage::Internal, None)?;
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
            self.helpers.reports[class] = Some(self.report(class, text, printf, failed)?);
        }
        Ok(())
    }

    /// `static void wrong_…(const char *name, T got, T expected) { failed++; printf(…); }`
    fn report(&mut self, class: usize, text: Type, printf: FuncId, failed: ObjId) -> Done<FuncId> {
        let (name, ty, format) = REPORTS[class];
        let func = self.out.function(name, signature(Type::VOID, &[text, ty, ty]), Linkage::Internal)?;
        let params =
            [("name", text), ("got", ty), ("expected", ty)].map(|(name, ty)| self.out.param(name, ty));
        let count = self.out.lvalue(failed);
        let count = self.out.unary(UnaryOp::PostInc, count)?;
        let count = self.out.expr(count)?;
        let mut args = vec![self.out.string(format), self.out.lvalue(params[0])];
        for &param in &params[1..] {
            let value = self.out.lvalue(param);
            if ty == Type::UINT128 {
                // printf knows no 128 bits: two halves.
                let places = self.int(64);
                let high = self.out.binary(BinaryOp::Shr, value, places)?;
                args.push(self.out.cast(Type::ULLONG, high)?);
                let value = self.out.lvalue(param);
                args.push(self.out.cast(Type::ULLONG, value)?);
            } else {
                args.push(value);
            }
        }
        let print = self.out.call(printf, &args)?;
        self.out.define(func, params.to_vec(), &[count, print])?;
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
