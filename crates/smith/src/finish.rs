//! The whole: types, the first function, `main` with its checksum.

use howler_choices::Choices;
use howler_lang::build;
use howler_lang::compose::{Composer, Head, Member, Value, signature};
use howler_lang::program::{BinaryOp, FuncId, Linkage, ObjId, Program, StmtId, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::target::Target;
use howler_lang::ty::{Len, Quals, RecordKind, Signature, Type, TypeKind};

use crate::facts::{Facts, Initial};
use crate::maker::{Made, Maker};
use crate::options::Options;
use crate::place::Places;
use crate::sets::Sets;

pub(crate) fn program(options: &Options, target: Target, choices: &Choices) -> Program {
    let mut sizes = choices.sub("size");
    let (least, most) = options.size;
    let mut maker = Maker {
        options,
        choices: choices.sub("program"),
        out: Composer::new(target),
        places: Places::default(),
        sets: Sets::new(),
        initial: Initial::default(),
        facts: Facts::default(),
        globals: Vec::new(),
        frames: Vec::new(),
        heads: Vec::new(),
        done: Vec::new(),
        log: Default::default(),
        ambient: Vec::new(),
        wrappers: Default::default(),
        records: Vec::new(),
        left: i64::from(sizes.range("tokens", least..=most.max(least))),
        steps: options.steps,
        names: 0,
    };
    let made = maker.whole();
    debug_assert!(made.is_ok(), "{made:?}");
    maker.out.program
}

impl Maker<'_> {
    fn whole(&mut self) -> Made<()> {
        self.out.unit("test.c".to_owned());
        let checksum = self.checksum()?;
        self.types()?;
        for _ in 0..self.choices.range("globals", 4..=12u32) {
            let ty = self.var_type()?;
            self.global(ty)?;
        }
        let func = self.out.function("func_0", signature(Type::INT, &[]), Linkage::Internal)?;
        self.function(func, &[], &[])?;
        self.main(func, checksum)
    }

    /// Structs.
    fn types(&mut self) -> Made<()> {
        for number in 0..self.choices.range("structs", 0..=3u32) {
            let tag = format!("S{number}");
            let count = self.choices.range("members", 1..=6u32);
            let names: Vec<String> = (0..count).map(|member| format!("f{member}")).collect();
            let mut members = Vec::new();
            for name in &names {
                let member = match self.choices.range("member", 0..=9u32) {
                    0..=2 => {
                        let ty = if self.one_in("unsigned", 2) { Type::UINT } else { Type::INT };
                        let width = self.choices.range("width", 1..=31u8);
                        Member::bits(name, ty, width)
                    }
                    3 if !self.records.is_empty() => {
                        let inner = self.choices.range("inner", 0..=self.records.len() - 1);
                        Member::new(name, self.records[inner])
                    }
                    4 if self.options.pointers => {
                        let int = self.int_type();
                        Member::new(name, self.out.pointer(int)?)
                    }
                    _ => Member::new(name, self.int_type()),
                };
                members.push(member);
            }
            let ty = self.out.record(RecordKind::Struct, &tag, &members)?;
            self.records.push(ty);
        }
        Ok(())
    }

    /// The type of a new variable.
    fn var_type(&mut self) -> Made<Type> {
        Ok(match self.choices.range("kind", 0..=9u32) {
            0 | 1 if !self.records.is_empty() => {
                let at = self.choices.range("struct", 0..=self.records.len() - 1);
                self.records[at]
            }
            2 | 3 => {
                let elem = self.int_type();
                let len = self.choices.range("length", 2..=9u64);
                self.out.array(elem, len)?
            }
            4 | 5 if self.options.pointers => {
                let int = self.int_type();
                let one = self.out.pointer(int)?;
                if self.one_in("pointer to pointer", 4) { self.out.pointer(one)? } else { one }
            }
            _ => self.int_type(),
        })
    }

    /// `static void checksum(unsigned long long value) { … }`
    fn checksum(&mut self) -> Made<(FuncId, ObjId)> {
        let state = self.out.global("crc", Type::UINT, Linkage::Internal, Some(&Value::Int(0x811c_9dc5)))?;
        let func =
            self.out.function("checksum", signature(Type::VOID, &[Type::ULLONG]), Linkage::Internal)?;
        let value = self.out.param("value", Type::ULLONG);
        let body = self.out.counted("i", Type::INT, 0..8, |out, i| {
            let (value, i) = (out.lvalue(value), out.lvalue(i));
            let eight = out.int(8)?;
            let shift = out.binary(BinaryOp::Mul, i, eight)?;
            let byte = out.binary(BinaryOp::Shr, value, shift)?;
            let mask = out.int(255)?;
            let byte = out.binary(BinaryOp::BitAnd, byte, mask)?;
            let (now, before) = (out.lvalue(state), out.lvalue(state));
            let mixed = out.binary(BinaryOp::BitXor, before, byte)?;
            let mixed = out.cast(Type::UINT, mixed)?;
            let prime = out.constant(Type::UINT, &Value::Int(16_777_619))?;
            let product = out.binary(BinaryOp::Mul, mixed, prime)?;
            let assign = out.assign(now, product)?;
            Ok(vec![out.expr(assign)?])
        })?;
        self.out.define(func, vec![value], &[body])?;
        Ok((func, state))
    }

    fn main(&mut self, first: FuncId, (checksum, state): (FuncId, ObjId)) -> Made<()> {
        let char = self.out.qualified(Type::CHAR, Quals::CONST);
        let text = self.out.pointer(char)?;
        let variadic = Signature { variadic: true, ..signature(Type::INT, &[text]) };
        let printf = self.out.function("printf", variadic, Linkage::External)?;
        self.out.declare_function(printf);
        let main = self.out.function("main", signature(Type::INT, &[]), Linkage::External)?;
        let mut body = Vec::new();
        body.push(self.out.call(first, &[])?);
        for at in 0..self.globals.len() {
            let object = self.places.var(self.globals[at]).object;
            let ty = self.out.program.objects[object].ty;
            self.sum(checksum, (object, ty), &mut Vec::new(), &mut body)?;
        }
        let format = self.out.string("checksum = %X\n");
        let now = self.out.lvalue(state);
        body.push(self.out.call(printf, &[format, now])?);
        let zero = self.out.int(0)?;
        body.push(self.out.returns(main, Some(zero))?);
        self.out.define(main, Vec::new(), &body)
    }

    /// Adds all integers in a variable, or a part of it, to the checksum.
    fn sum(
        &mut self,
        checksum: FuncId,
        (object, ty): (ObjId, Type),
        path: &mut Vec<Hop>,
        out: &mut Vec<StmtId>,
    ) -> Made<()> {
        let types = &self.out.program.types;
        match types.kind(ty) {
            TypeKind::Record(id) => {
                let names: Vec<_> = (types.records[id].fields.iter())
                    .filter_map(|field| Some((field.name?, field.ty)))
                    .collect();
                for (name, ty) in names {
                    path.push(Hop::Member(name));
                    self.sum(checksum, (object, ty), path, out)?;
                    path.pop();
                }
            }
            TypeKind::Array { elem, len: Len::Fixed(len) } => {
                let name = format!("i{}", path.len());
                let mut inner = Vec::new();
                let (counter, declared) = self.out.local(&name, Type::INT, Some(&Value::Int(0)))?;
                path.push(Hop::Element(counter));
                self.sum(checksum, (object, elem), path, &mut inner)?;
                path.pop();
                let now = self.out.lvalue(counter);
                let limit = self.out.int(i128::from(len))?;
                let cond = self.out.binary(BinaryOp::Lt, now, limit)?;
                let now = self.out.lvalue(counter);
                let step = self.out.unary(UnaryOp::PostInc, now)?;
                out.push(self.out.for_loop(
                    Head::Declarations(&[declared]),
                    Some(cond),
                    Some(step),
                    &inner,
                )?);
            }
            TypeKind::Pointer(_) => {}
            _ => {
                let mut e = self.out.lvalue(object);
                for hop in &*path {
                    e = match *hop {
                        Hop::Member(name) => build::member(&mut self.out.cx(), e, name, false, Pos::NONE)?,
                        Hop::Element(counter) => {
                            let index = self.out.lvalue(counter);
                            self.out.index(e, index)?
                        }
                    };
                }
                let value = self.out.cast(Type::ULLONG, e)?;
                out.push(self.out.call(checksum, &[value])?);
            }
        }
        Ok(())
    }
}

/// A step on the way to a part.
enum Hop {
    Member(Symbol),
    Element(ObjId),
}
