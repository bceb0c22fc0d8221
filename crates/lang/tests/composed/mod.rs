//! Random programs that use all of `lang::compose`, for the tests of several crates. Their arithmetic is unsigned, their
//! indices are in range and their loops end, so that nearly all of them are defined; who runs them asks the judge.
#![allow(dead_code, reason = "each test file uses a part")]

mod body;

use howler_choices::Choices;
use howler_lang::build::Violation;
use howler_lang::compose::{Composer, Member, Shape, Value, signature};
use howler_lang::program::{Entity, ExprId, FuncId, Linkage, ObjId, Program};
use howler_lang::target::{Edition, Target};
use howler_lang::ty::{EnumeratorId, Len, Quals, RecordKind, Signature, Type, TypeKind};

pub type Done<T> = Result<T, Box<Violation>>;

/// A program of two units, made by chance.
pub fn program(target: Target, seed: u64) -> Program {
    let mut maker = Maker {
        c: Composer::new(target),
        ch: Choices::new(seed),
        named: 0,
        records: Vec::new(),
        enums: Vec::new(),
        constants: Vec::new(),
        objects: Vec::new(),
        funcs: Vec::new(),
        steady: false,
    };
    if let Err(why) = maker.all() {
        panic!("seed {seed}: {why:?}");
    }
    maker.c.finish().unwrap_or_else(|faults| panic!("seed {seed}: {faults:?}"))
}

/// The integer types that a program of strict C may have.
const INTEGERS: [Type; 12] = [
    Type::BOOL,
    Type::CHAR,
    Type::SCHAR,
    Type::UCHAR,
    Type::SHORT,
    Type::USHORT,
    Type::INT,
    Type::UINT,
    Type::LONG,
    Type::ULONG,
    Type::LLONG,
    Type::ULLONG,
];

pub struct Func {
    pub id: FuncId,
    pub ret: Type,
    pub params: Vec<Type>,
}

pub struct Maker {
    pub c: Composer,
    pub ch: Choices,
    named: u32,
    records: Vec<Type>,
    enums: Vec<Type>,
    constants: Vec<EnumeratorId>,
    /// What is visible, the innermost last.
    objects: Vec<ObjId>,
    /// What may be called.
    funcs: Vec<Func>,
    /// Whether indices are constants.
    steady: bool,
}

impl Maker {
    fn all(&mut self) -> Done<()> {
        self.c.unit("other.c".to_owned());
        let shared = self.c.global("shared", Type::UINT, Linkage::External, Some(&Value::Int(3)))?;
        let other = self.c.function("other", signature(Type::UINT, &[Type::UINT]), Linkage::External)?;
        let n = self.c.param("n", Type::UINT);
        let (a, b) = (self.c.lvalue(shared), self.c.lvalue(n));
        let sum = self.c.compound_assign(howler_lang::program::BinaryOp::Add, a, b)?;
        let done = self.c.returns(other, Some(sum))?;
        self.c.define(other, vec![n], &[done])?;

        self.c.unit("test.c".to_owned());
        let char = self.c.qualified(Type::CHAR, Quals::CONST);
        let text = self.c.pointer(char)?;
        let variadic = Signature { variadic: true, ..signature(Type::INT, &[text]) };
        let printf = self.c.function("printf", variadic, Linkage::External)?;
        self.c.declare_function(printf);
        let other = self.c.function("other", signature(Type::UINT, &[Type::UINT]), Linkage::External)?;
        self.c.declare_function(other);
        self.funcs.push(Func { id: other, ret: Type::UINT, params: vec![Type::UINT] });
        let shared = self.c.external("shared", Type::UINT)?;
        self.objects.push(shared);
        for _ in 0..self.upto(3) {
            self.enumeration()?;
        }
        for _ in 0..self.upto(4) {
            self.record()?;
        }
        if self.chance() {
            self.chain()?;
        }
        for _ in 0..2 + self.upto(6) {
            self.global()?;
        }
        let globals = self.objects.len();
        for _ in 0..self.upto(3) {
            self.function()?;
        }
        let main = self.c.function("main", signature(Type::INT, &[]), Linkage::External)?;
        let mut body = self.statements(3, main)?;
        self.objects.truncate(globals);
        for object in self.objects.clone() {
            self.report(printf, object, &mut body)?;
        }
        let zero = self.c.int(0)?;
        body.push(self.c.returns(main, Some(zero))?);
        self.c.define(main, Vec::new(), &body)
    }

    pub fn upto(&mut self, most: u32) -> u32 {
        self.ch.range("number", 0..=most)
    }

    pub fn chance(&mut self) -> bool {
        self.ch.chance("whether", 1, 2)
    }

    pub fn fresh(&mut self, prefix: &str) -> String {
        self.named += 1;
        format!("{prefix}{}", self.named)
    }

    pub fn integer(&mut self) -> Type {
        *self.ch.one_of("integer", &INTEGERS)
    }

    fn enumeration(&mut self) -> Done<()> {
        let tag = self.fresh("e");
        let count = 1 + self.upto(3);
        let names: Vec<String> = (0..count).map(|_| self.fresh("C")).collect();
        let mut constants: Vec<(&str, Option<i128>)> = Vec::new();
        for name in &names {
            let value = self.upto(1000);
            let value = value.is_multiple_of(3).then(|| i128::from(value) - 300);
            constants.push((name, value));
        }
        let (ty, ids) = if self.ch.chance("packed", 1, 4) {
            self.c.packed_enumeration(&tag, &constants)?
        } else {
            self.c.enumeration(&tag, &constants)?
        };
        self.enums.push(ty);
        self.constants.extend(ids);
        Ok(())
    }

    /// A type that a member or an object may have.
    pub fn ty(&mut self) -> Done<Type> {
        Ok(match self.upto(12) {
            0 => self.ch.pick("enum", &self.enums).copied().unwrap_or(Type::INT),
            1 | 2 => self.ch.pick("record", &self.records).copied().unwrap_or(Type::UINT),
            3 | 4 => {
                let elem = self.ty()?;
                let len = 1 << self.upto(2);
                // What is too large or flexible is no element.
                match self.c.program.size_of(elem) {
                    Some(size) if size < 256 && !self.is_flexible(elem) => self.c.array(elem, len)?,
                    _ => Type::UINT,
                }
            }
            5 => Type::DOUBLE,
            6 => Type::FLOAT,
            _ => self.integer(),
        })
    }

    fn is_flexible(&self, ty: Type) -> bool {
        let types = &self.c.program.types;
        let last = types.as_record(ty).and_then(|id| types.records[id].fields.last());
        last.is_some_and(|field| matches!(types.kind(field.ty), TypeKind::Array { len: Len::Unknown, .. }))
    }

    fn record(&mut self) -> Done<()> {
        let tag = self.fresh("s");
        let union = self.ch.chance("union", 1, 4);
        let kind = if union { RecordKind::Union } else { RecordKind::Struct };
        let names: Vec<String> = (0..=self.upto(4)).map(|_| self.fresh("f")).collect();
        let hidden: Vec<String> = (0..2).map(|_| self.fresh("f")).collect();
        let mut members = Vec::new();
        for name in &names {
            let ty = self.ty()?;
            let ty = if self.is_flexible(ty) { Type::SHORT } else { ty };
            let integer = matches!(self.c.program.types.kind(ty), TypeKind::Int(_));
            members.push(if integer && self.chance() {
                let most = self.c.program.size_of(ty).unwrap_or(1) as u32 * 8;
                let width = 1 + self.upto(most - 1);
                Member::bits(name, ty, width as u8)
            } else {
                let align = if self.ch.chance("aligned", 1, 8) { 1 << self.upto(4) } else { 0 };
                Member { align, packed: self.ch.chance("packed", 1, 8), ..Member::new(name, ty) }
            });
            if self.ch.chance("padding", 1, 8) && !union {
                let width = self.upto(7) as u8;
                members.push(Member::padding(Type::INT, width));
            }
        }
        let may = self.c.program.target.std.edition >= Edition::C11;
        let anonymous = if may && self.ch.chance("anonymous", 1, 4) {
            let inner = [Member::new(&hidden[0], Type::UINT), Member::new(&hidden[1], Type::UCHAR)];
            Some(self.c.anonymous(RecordKind::Struct, &inner)?)
        } else {
            None
        };
        members.extend(anonymous.map(Member::anonymous));
        let flexible = self.fresh("f");
        if !union && self.ch.chance("flexible", 1, 6) {
            let ty = self.c.flexible(Type::SHORT)?;
            members.push(Member::new(&flexible, ty));
        }
        let shape = Shape {
            packed: self.ch.chance("packed", 1, 6),
            align: if self.ch.chance("aligned", 1, 8) { 8 } else { 0 },
            pack: 0,
        };
        let ty = self.c.shaped_record(kind, &tag, &members, shape)?;
        self.records.push(ty);
        Ok(())
    }

    /// A struct that points to its own kind, and an object that points to itself.
    fn chain(&mut self) -> Done<()> {
        let (tag, name) = (self.fresh("s"), self.fresh("g"));
        let ty = self.c.incomplete(RecordKind::Struct, &tag);
        let to = self.c.pointer(ty)?;
        self.c.complete(ty, &[Member::new("next", to), Member::new("x", Type::UINT)], Shape::default())?;
        let (object, _) = (self.c.global(&name, ty, Linkage::Internal, Some(&Value::Zero))?, ());
        self.objects.push(object);
        Ok(())
    }

    /// A value for any type.
    pub fn value(&mut self, ty: Type) -> Value {
        if self.ch.chance("zero", 1, 8) {
            return Value::Zero;
        }
        let types = &self.c.program.types;
        match types.kind(ty) {
            TypeKind::Array { elem, len: Len::Fixed(len) } => {
                let count = 1 + u64::from(self.upto(len as u32 - 1));
                if self.ch.chance("designated", 1, 4) {
                    return Value::Parts(vec![(count - 1, self.value(elem))]);
                }
                Value::List((0..count).map(|_| self.value(elem)).collect())
            }
            TypeKind::Record(id) => {
                let record = &types.records[id];
                let fields: Vec<(u64, Type, Option<u8>)> = (0..)
                    .zip(&record.fields)
                    .filter(|(_, field)| field.name.is_some() || field.bits.is_none())
                    .map(|(at, field)| (at, field.ty, field.bits))
                    .filter(|&(_, ty, _)| {
                        !matches!(types.kind(ty), TypeKind::Array { len: Len::Unknown, .. })
                    })
                    .collect();
                let union = record.kind == RecordKind::Union;
                if !union && self.ch.chance("designated", 1, 4) {
                    let mut parts = fields;
                    self.ch.shuffle("order", &mut parts);
                    let wanted = 1 + self.upto(parts.len() as u32 - 1);
                    parts.truncate(wanted as usize);
                    return Value::Parts(
                        parts.into_iter().map(|(at, ty, bits)| (at, self.field(ty, bits))).collect(),
                    );
                }
                let count = if union { 1 } else { 1 + self.upto(fields.len() as u32 - 1) };
                let chosen = &fields[..count as usize];
                Value::List(chosen.iter().map(|&(_, ty, bits)| self.field(ty, bits)).collect())
            }
            TypeKind::Pointer(_) => Value::Zero,
            TypeKind::Float(_) => Value::Int(i128::from(self.upto(200)) - 100),
            TypeKind::Bool => Value::Int(i128::from(self.upto(1))),
            _ => {
                let bits = self.ch.bits("value", 64);
                let size = self.c.program.size_of(ty).unwrap_or(1) as u32 * 8;
                Value::Bits(bits & (u128::MAX >> (128 - size)))
            }
        }
    }

    fn field(&mut self, ty: Type, bits: Option<u8>) -> Value {
        match bits {
            Some(width) => Value::Bits(self.ch.bits("value", width.into())),
            None => self.value(ty),
        }
    }

    fn global(&mut self) -> Done<()> {
        let ty = self.ty()?;
        let mut quals = Quals::NONE;
        if self.ch.chance("volatile", 1, 20) {
            quals = Quals::VOLATILE;
        }
        if self.ch.chance("const", 1, 10) {
            quals = quals.union(Quals::CONST);
        }
        let ty = self.c.qualified(ty, quals);
        let name = self.fresh("g");
        let linkage = if self.chance() { Linkage::Internal } else { Linkage::External };
        let value = self.value(ty);
        let object =
            self.c.global(&name, ty, linkage, Some(&value).filter(|_| !self.named.is_multiple_of(3)))?;
        if self.ch.chance("aligned", 1, 8) {
            self.c.align(object, 1 << (4 + self.named % 3))?;
        }
        if self.ch.chance("attribute", 1, 8) {
            self.c.attribute(Entity::Object(object), "used")?;
        }
        self.objects.push(object);
        // A pointer to a part of it, now and then.
        if self.chance() {
            let whole = self.c.lvalue(object);
            self.steady = true;
            let part = self.part(whole)?;
            self.steady = false;
            if !howler_lang::build::is_bitfield(&self.c.program, part) && !self.is_packed_part() {
                let address = self.c.address(part)?;
                let ty = self.c.program.ty(address);
                let name = self.fresh("p");
                let pointer = self.c.global(&name, ty, Linkage::Internal, Some(&Value::Expr(address)))?;
                self.objects.push(pointer);
                let outer = self.c.lvalue(pointer);
                let address = self.c.address(outer)?;
                let (ty, name) = (self.c.program.ty(address), self.fresh("p"));
                let again = self.c.global(&name, ty, Linkage::External, Some(&Value::Expr(address)))?;
                self.objects.push(again);
            }
        }
        Ok(())
    }

    /// Whether any struct is packed: pointers to members of such may not be aligned.
    fn is_packed_part(&self) -> bool {
        let mut records = self.c.program.types.records.iter();
        records.any(|(_, record)| record.packed || record.fields.iter().any(|field| field.packed))
    }

    /// Prints the integers that an object is made of.
    fn report(
        &mut self,
        printf: FuncId,
        object: ObjId,
        body: &mut Vec<howler_lang::program::StmtId>,
    ) -> Done<()> {
        for _ in 0..3 {
            let whole = self.c.lvalue(object);
            let part = self.part(whole)?;
            if !self.c.program.types.is_integer(self.c.program.ty(part)) {
                continue;
            }
            let value = self.c.cast(Type::ULLONG, part)?;
            let format = self.c.string("%llu\n");
            body.push(self.c.call(printf, &[format, value])?);
        }
        Ok(())
    }

    /// A scalar part of an lvalue, or what a pointer points to.
    pub fn part(&mut self, whole: ExprId) -> Done<ExprId> {
        let mut at = whole;
        for _ in 0..20 {
            let types = &self.c.program.types;
            at = match types.kind(self.c.program.ty(at)) {
                TypeKind::Array { len: Len::Fixed(len), .. } => {
                    let index = self.index(len)?;
                    if self.ch.chance("pointer", 1, 4) {
                        let sum = self.c.binary(howler_lang::program::BinaryOp::Add, at, index)?;
                        self.c.deref(sum)?
                    } else {
                        self.c.index(at, index)?
                    }
                }
                TypeKind::Record(id) => {
                    let record = &types.records[id];
                    let named: Vec<String> = record
                        .fields
                        .iter()
                        .filter(|f| !matches!(types.kind(f.ty), TypeKind::Array { len: Len::Unknown, .. }))
                        .filter_map(|field| field.name)
                        .map(|name| self.c.program.name(name).to_owned())
                        .collect();
                    // Of a union the first: its other members would read bytes that nobody wrote.
                    let most = if record.kind == RecordKind::Union { 1 } else { named.len() };
                    let name = self.ch.pick("member", &named[..most]).expect("the first has a name").clone();
                    if self.ch.chance("arrow", 1, 3) && howler_lang::build::is_lvalue(&self.c.program, at) {
                        let address = self.c.address(at)?;
                        self.c.arrow(address, &name)?
                    } else {
                        self.c.member(at, &name)?
                    }
                }
                TypeKind::Pointer(to) if types.is_real(to) => self.c.deref(at)?,
                TypeKind::Pointer(to) if types.pointee(to).is_some_and(|last| types.is_real(last)) => {
                    self.c.deref(at)?
                }
                _ => break,
            };
        }
        Ok(at)
    }

    fn index(&mut self, len: u64) -> Done<ExprId> {
        let unsigned = |object: &&ObjId| self.c.program.objects[**object].ty == Type::UINT;
        let variable: Vec<ObjId> = self.objects.iter().filter(unsigned).copied().collect();
        let may = len.is_power_of_two() && !self.steady;
        if let (true, Some(&object)) = (may, self.ch.pick("index", &variable)) {
            let (value, mask) = (self.c.lvalue(object), self.c.int(i128::from(len) - 1)?);
            return self.c.binary(howler_lang::program::BinaryOp::BitAnd, value, mask);
        }
        let index = self.upto(len as u32 - 1);
        self.c.int(i128::from(index))
    }
}
