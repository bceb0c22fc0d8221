//! Types: those that are defined before all else, and those of new variables.

use howler_lang::compose::{Member, Shape as RecordShape};
use howler_lang::program::FuncId;
use howler_lang::ty::{EnumeratorId, Quals, RecordKind, Type};

use crate::features::Feature;
use crate::maker::{Made, Maker};
use crate::weights::Variable;

/// The types that the program defines.
#[derive(Default)]
pub(crate) struct Pool {
    pub(crate) structs: Vec<Type>,
    pub(crate) unions: Vec<Type>,
    pub(crate) vectors: Vec<Type>,
    pub(crate) enums: Vec<Type>,
    pub(crate) enumerators: Vec<EnumeratorId>,
    /// `abort`, if assertions call it.
    pub(crate) abort: Option<FuncId>,
}

impl Maker<'_> {
    pub(crate) fn define_types(&mut self) -> Made<()> {
        if self.has(Feature::Enums) {
            for number in 0..self.choices.range("enums", 1..=2u32) {
                self.define_enum(number)?;
            }
        }
        if self.has(Feature::Vectors) {
            self.define_vectors()?;
        }
        let most = (self.left / 300).clamp(0, 4) as u32;
        for number in 0..self.choices.range("records", most.min(1)..=most) {
            let unions = self.has(Feature::Unions);
            if unions && (self.one_in("union", 3) || !self.has(Feature::Structs)) {
                let ty = self.define_union(number)?;
                self.pool.unions.push(ty);
            } else if self.has(Feature::Structs) {
                let ty = self.define_struct(number)?;
                self.pool.structs.push(ty);
            }
        }
        Ok(())
    }

    fn define_enum(&mut self, number: u32) -> Made<()> {
        let count = self.choices.range("enumerators", 1..=5u32);
        let negative = self.one_in("negative", 3);
        let mut next: i128 = if negative { -3 } else { 0 };
        let names: Vec<String> = (0..count).map(|at| format!("E{number}_{at}")).collect();
        let mut list = Vec::new();
        for name in &names {
            if self.one_in("jump", 3) {
                next += self.choices.range("by", 1..=300i128);
                list.push((name.as_str(), Some(next)));
            } else {
                list.push((name.as_str(), Some(next).filter(|_| list.is_empty())));
            }
            next += 1;
        }
        let (ty, constants) = self.out.enumeration(&format!("E{number}"), &list)?;
        self.pool.enums.push(ty);
        self.pool.enumerators.extend(constants);
        Ok(())
    }

    fn define_struct(&mut self, number: u32) -> Made<Type> {
        let most = self.limits.struct_members;
        let count = self.choices.range("members", 1..=most);
        let names: Vec<String> = (0..count).map(|member| format!("f{member}")).collect();
        let packed = self.has(Feature::Packed) && self.one_in("packed", 4);
        let bits = if self.has(Feature::Bitfields) && self.one_in("bits", 2) { 4 } else { 0 };
        let mut members = Vec::new();
        for name in &names {
            let kind = self.choices.range("member", 0..=9u32);
            let member = match kind {
                _ if self.has(Feature::Anonymous) && self.one_in("anonymous", 8) => self.inner(name)?,
                kind if kind < bits => self.bit_field(name),
                7 if !self.pool.structs.is_empty() => {
                    Member::new(name, *self.choices.pick("inner", &self.pool.structs).expect("asked"))
                }
                8 if !self.pool.unions.is_empty() => {
                    Member::new(name, *self.choices.pick("inner", &self.pool.unions).expect("asked"))
                }
                8 if self.has(Feature::Pointers) => Member::new(name, self.pointer_type(1)?),
                9 if self.has(Feature::Arrays) => {
                    let elem = self.int_type();
                    let len = self.choices.range("length", 1..=u64::from(self.limits.elements.min(6)));
                    Member::new(name, self.out.array(elem, len)?)
                }
                7 if self.has(Feature::Float) => Member::new(name, self.float_type()),
                _ => Member::new(name, self.int_type()),
            };
            members.push(member);
        }
        let shape = RecordShape { packed, ..RecordShape::default() };
        self.out.shaped_record(RecordKind::Struct, &format!("S{number}"), &members, shape)
    }

    /// A struct or union without a name inside of another.
    fn inner(&mut self, name: &str) -> Made<Member<'static>> {
        let union = self.has(Feature::Unions) && self.one_in("union", 2);
        let names: Vec<String> =
            (0..self.choices.range("inner members", 2..=3u32)).map(|at| format!("{name}_{at}")).collect();
        let members: Vec<Member> = names.iter().map(|name| Member::new(name, self.int_type())).collect();
        let kind = if union { RecordKind::Union } else { RecordKind::Struct };
        self.out.anonymous(kind, &members).map(Member::anonymous)
    }

    fn bit_field<'n>(&mut self, name: &'n str) -> Member<'n> {
        let ty = if self.one_in("unsigned", 2) { Type::UINT } else { Type::INT };
        let width = self.choices.range("width", 1..=31u8);
        Member::bits(name, ty, width)
    }

    fn define_union(&mut self, number: u32) -> Made<Type> {
        let most = self.limits.union_members.max(2);
        let count = self.choices.range("members", 2..=most);
        let names: Vec<String> = (0..count).map(|member| format!("f{member}")).collect();
        let mut members = Vec::new();
        for name in &names {
            let member = match self.choices.range("member", 0..=9u32) {
                // The first has a name, for those who need one.
                _ if !members.is_empty() && self.has(Feature::Anonymous) && self.one_in("anonymous", 8) => {
                    self.inner(name)?
                }
                0 if self.has(Feature::Bitfields) => self.bit_field(name),
                1 | 2 if !self.pool.structs.is_empty() => {
                    Member::new(name, *self.choices.pick("inner", &self.pool.structs).expect("asked"))
                }
                3 if self.has(Feature::Float) => Member::new(name, self.float_type()),
                4 if self.has(Feature::Pointers) => Member::new(name, self.pointer_type(1)?),
                _ => Member::new(name, self.int_type()),
            };
            members.push(member);
        }
        self.out.record(RecordKind::Union, &format!("U{number}"), &members)
    }

    pub(crate) fn int_type(&mut self) -> Type {
        let enums = !self.pool.enums.is_empty();
        let drawn = self.tables.draw_integer(&mut self.choices, |int| int.ty().is_some() || enums);
        match drawn.map(|int| int.ty()) {
            Some(Some(ty)) => ty,
            Some(None) => self.choices.pick("enum", &self.pool.enums).copied().unwrap_or(Type::INT),
            None => Type::INT,
        }
    }

    /// A type that operations are done in: no narrower than the wrappers' own.
    pub(crate) fn operation_type(&mut self) -> Type {
        let plain = |ty: Type| ty != Type::BOOL && ty != Type::CHAR;
        let drawn = self.tables.draw_integer(&mut self.choices, |int| int.ty().is_some_and(plain));
        drawn.and_then(|int| int.ty()).unwrap_or(Type::INT)
    }

    pub(crate) fn float_type(&mut self) -> Type {
        *self.choices.one_of("float", &[Type::FLOAT, Type::DOUBLE])
    }

    /// A pointer type with so many levels at most.
    pub(crate) fn pointer_type(&mut self, most: u32) -> Made<Type> {
        let levels = self.choices.range("levels", 1..=most.max(1));
        let mut ty = match self.choices.range("to", 0..=9u32) {
            0 | 1 if !self.pool.structs.is_empty() => {
                *self.choices.pick("struct", &self.pool.structs).expect("asked")
            }
            2 if !self.pool.unions.is_empty() => {
                *self.choices.pick("union", &self.pool.unions).expect("asked")
            }
            3 if self.has(Feature::Float) => self.float_type(),
            _ => self.int_type(),
        };
        for _ in 0..levels {
            let quals = self.quals(12);
            let to = self.out.qualified(ty, quals);
            ty = self.out.pointer(to)?;
        }
        Ok(ty)
    }

    /// `const` and `volatile`, one in so many each.
    pub(crate) fn quals(&mut self, rare: u32) -> Quals {
        let mut quals = Quals::NONE;
        if self.has(Feature::Const) && self.one_in("const", rare) {
            quals = quals.union(Quals::CONST);
        }
        if self.has(Feature::Volatile) && self.one_in("volatile", rare) {
            quals = quals.union(Quals::VOLATILE);
        }
        quals
    }

    /// The type of a new variable.
    pub(crate) fn var_type(&mut self) -> Made<Type> {
        let (structs, unions) = (!self.pool.structs.is_empty(), !self.pool.unions.is_empty());
        let possible = |kind: Variable| match kind {
            Variable::Struct => structs,
            Variable::Union => unions,
            _ => true,
        };
        Ok(match self.tables.draw_variable(&mut self.choices, possible).unwrap_or(Variable::Integer) {
            Variable::Integer => self.int_type(),
            Variable::Float => self.float_type(),
            Variable::Vector => {
                *self.choices.pick("vector", &self.pool.vectors).expect("they are made first")
            }
            Variable::Pointer => self.pointer_type(self.limits.pointer_depth)?,
            Variable::Struct => *self.choices.pick("struct", &self.pool.structs).expect("asked"),
            Variable::Union => *self.choices.pick("union", &self.pool.unions).expect("asked"),
            Variable::Array => {
                let mut ty = match self.choices.range("elements", 0..=7u32) {
                    0 if structs => *self.choices.pick("struct", &self.pool.structs).expect("asked"),
                    1 if self.has(Feature::Pointers) => self.pointer_type(1)?,
                    2 if self.has(Feature::Strings) && self.has(Feature::Char) => Type::CHAR,
                    _ => self.int_type(),
                };
                let mut room = 200 / self.places_in(ty).max(1);
                for _ in 0..self.choices.range("dimensions", 1..=self.limits.dimensions) {
                    let most = u64::from(self.limits.elements).min(room).max(1);
                    let len = self.choices.range("length", 1..=most);
                    room /= len;
                    ty = self.out.array(ty, len)?;
                }
                ty
            }
        })
    }

    /// Bytes of a type, in eights.
    fn places_in(&self, ty: Type) -> u64 {
        self.out.program.size_of(ty).unwrap_or(1) / 8
    }
}
