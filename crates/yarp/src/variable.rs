//! Variables of programs: numbers, arrays, structs, pointers to numbers; and the values that they have.

use howler_lang::compose::{Member, Shape, Value};
use howler_lang::program::{ExprId, Linkage, ObjId};
use howler_lang::scalar::{Ty, WIDEST_FIELD};
use howler_lang::ty::{Quals, RecordKind, Type};

use crate::enumeration::Enumeration;
use crate::maker::{Made, Maker};
use crate::options::Feature;
use crate::parameters::Row;
use crate::vector::Vector;

/// A number that is stored somewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CellId(pub(crate) u32);

/// What a variable is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Category {
    /// Only read.
    Input,
    /// Only written.
    Output,
    /// Both.
    Mixed,
}

/// How a cell is reached.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// The object itself.
    Object,
    /// An element; the subscripts follow from its number.
    Element(u32),
    /// A member, by number.
    Member(u32),
    /// An element of a vector.
    Lane(u32),
}

/// A number that is stored somewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) object: ObjId,
    pub(crate) way: Way,
    pub(crate) ty: Ty,
    pub(crate) category: Category,
    /// Its value at this point; none if it is not the same whenever this point is reached.
    pub(crate) value: Option<u128>,
    /// Whether it is declared with the type of an enumeration.
    pub(crate) enumerated: bool,
}

/// An array.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) object: ObjId,
    pub(crate) elem: Ty,
    pub(crate) dims: Vec<u32>,
    pub(crate) category: Category,
    /// Its elements follow each other.
    pub(crate) first: CellId,
    /// Whether it belongs to a function.
    pub(crate) local: bool,
}

impl Array {
    /// How many elements it has.
    pub(crate) fn count(&self) -> u32 {
        self.dims.iter().product()
    }
}

/// A struct.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) object: ObjId,
    /// Its type, without qualifiers.
    pub(crate) ty: Type,
    pub(crate) category: Category,
    pub(crate) members: Vec<CellId>,
}

/// A pointer that always points to the same number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pointer {
    pub(crate) object: ObjId,
    pub(crate) to: CellId,
}

/// All of them.
#[derive(Default)]
pub(crate) struct Variables {
    pub(crate) cells: Vec<Cell>,
    pub(crate) scalars: Vec<CellId>,
    pub(crate) arrays: Vec<Array>,
    pub(crate) records: Vec<Record>,
    pub(crate) pointers: Vec<Pointer>,
    pub(crate) vectors: Vec<Vector>,
    /// Numbers of file scope that are always 0.
    pub(crate) zeros: Vec<ObjId>,
    pub(crate) enums: Vec<Enumeration>,
    /// Lengths that arrays share.
    pub(crate) lengths: Vec<u32>,
    /// Names of members, by number.
    member_names: Vec<String>,
}

/// How many elements of an array an initialiser has at most.
const LISTED: u32 = 32;

/// The types in the order of the rows of types.
pub(crate) const TYPES: [Ty; 17] = [
    Ty::BOOL,
    Ty::SCHAR,
    Ty::UCHAR,
    Ty::CHAR,
    Ty::SHORT,
    Ty::USHORT,
    Ty::INT,
    Ty::UINT,
    Ty::LONG,
    Ty::ULONG,
    Ty::LLONG,
    Ty::ULLONG,
    Ty::INT128,
    Ty::UINT128,
    Ty::FLOAT,
    Ty::DOUBLE,
    Ty::LDOUBLE,
];

impl Maker<'_> {
    pub(crate) fn cell(&self, cell: CellId) -> &Cell {
        &self.vars.cells[cell.0 as usize]
    }

    pub(crate) fn new_cell(&mut self, cell: Cell) -> CellId {
        self.vars.cells.push(cell);
        CellId(self.vars.cells.len() as u32 - 1)
    }

    /// Some variables of file scope.
    pub(crate) fn globals(&mut self, count: u32) -> Made<()> {
        // Something to read and something to write is always there.
        self.scalar(Category::Input)?;
        self.scalar(Category::Mixed)?;
        for _ in 0..3 {
            let length =
                *self.choices.one_of("length", &[5, 8, 10, 12, 16, 16, 20, 24, 32, 40, 64, 100, 128]);
            self.vars.lengths.push(length);
        }
        if self.has(Feature::Zeros) {
            self.zeros()?;
        }
        if self.has(Feature::Enums) {
            self.enumerations()?;
        }
        for _ in 0..count {
            let drawn = self.draw(Row::Category);
            let category = [Category::Input, Category::Output, Category::Mixed][drawn];
            match self.draw(Row::Variable) {
                1 if self.has(Feature::Arrays) => self.array(category)?,
                2 if self.has(Feature::Structs) => self.record(category)?,
                3 if self.has(Feature::Pointers) => self.pointer()?,
                4 if self.has(Feature::Vectors) => self.vector(category)?,
                5 if self.has(Feature::Enums) => self.enumerated(category)?,
                _ => self.scalar(category)?,
            }
        }
        Ok(())
    }

    pub(crate) fn qualified(&mut self, ty: Type, category: Category) -> Type {
        let constant =
            category == Category::Input && self.has(Feature::Const) && self.choices.chance("const", 1, 5);
        if constant { self.out.qualified(ty, Quals::CONST) } else { ty }
    }

    fn initial(&mut self, ty: Ty) -> u128 {
        self.number(ty)
    }

    /// What the elements of an array begin with.
    pub(crate) fn elements(&mut self, ty: Ty, count: u32) -> Vec<u128> {
        if count > LISTED {
            // What is left out is zero.
            let mut list = self.elements(ty, LISTED / 2);
            list.resize(count as usize, 0);
            return list;
        }
        let one = self.initial(ty);
        match self.draw(Row::Elements) {
            // Arrays whose elements are all the same are vectorised in other ways than those where they differ.
            1 => vec![one; count as usize],
            2 => {
                let few = [one, self.initial(ty), self.initial(ty)];
                (0..count).map(|_| *self.choices.one_of("element", &few)).collect()
            }
            3 if ty != Ty::BOOL && !ty.is_float() => {
                let num = self.rules.num(ty);
                let from = self.choices.range("from", 0..=9i128);
                (0..count).map(|at| num.bits(from + i128::from(at))).collect()
            }
            _ => (0..count).map(|_| self.initial(ty)).collect(),
        }
    }

    /// The type of the elements of an array, mostly one that others have.
    pub(crate) fn element_type(&mut self) -> Ty {
        match self.choices.pick("same type", &self.vars.arrays) {
            Some(array) if self.choices.chance("known", 1, 2) => array.elem,
            _ => TYPES[self.draw(Row::Type)],
        }
    }

    /// A length for an array of one dimension.
    pub(crate) fn length(&mut self) -> u32 {
        match self.choices.pick("shared", &self.vars.lengths) {
            Some(&length) if self.choices.chance("of others", 3, 4) => length,
            _ => self.choices.range("length", 4..=24),
        }
    }

    fn scalar(&mut self, category: Category) -> Made<()> {
        let ty = TYPES[self.draw(Row::Type)];
        let value = self.initial(ty);
        let name = self.name("g");
        let declared = self.qualified(ty.declared(), category);
        let object = self.out.global(&name, declared, Linkage::External, Some(&Value::Bits(value)))?;
        let value = Some(value);
        let cell = self.new_cell(Cell { object, way: Way::Object, ty, category, value, enumerated: false });
        self.vars.scalars.push(cell);
        Ok(())
    }

    fn array(&mut self, category: Category) -> Made<()> {
        let elem = self.element_type();
        let dims: Vec<u32> = match self.draw(Row::Dimensions) {
            0 => vec![self.length()],
            1 => {
                let len = self.length().min(16);
                let square = self.choices.chance("square", 1, 2);
                vec![if square { len } else { self.choices.range("length", 2..=8) }, len]
            }
            _ => (0..3).map(|_| self.choices.range("length", 2..=5)).collect(),
        };
        let count: u32 = dims.iter().product();
        let bits = self.elements(elem, count);
        let listed = if count > LISTED { LISTED / 2 } else { count };
        let mut values = Self::as_values(&bits[..listed as usize]);
        let mut ty = self.qualified(elem.declared(), category);
        for &len in dims.iter().rev() {
            ty = self.out.array(ty, u64::from(len))?;
        }
        for &len in dims[1..].iter().rev() {
            values = values.chunks(len as usize).map(|row| Value::List(row.to_vec())).collect();
        }
        let name = self.name("a");
        let object = self.out.global(&name, ty, Linkage::External, Some(&Value::List(values)))?;
        let first = CellId(self.vars.cells.len() as u32);
        for (at, bits) in bits.into_iter().enumerate() {
            let way = Way::Element(at as u32);
            self.new_cell(Cell { object, way, ty: elem, category, value: Some(bits), enumerated: false });
        }
        self.vars.arrays.push(Array { object, elem, dims, category, first, local: false });
        Ok(())
    }

    fn record(&mut self, category: Category) -> Made<()> {
        let count = self.choices.range("members", 1..=6usize);
        let mut types = Vec::new();
        for _ in 0..count {
            let field = self.has(Feature::Bitfields) && self.draw(Row::Member) == 1;
            types.push(if field {
                let width = self.choices.range("width", 1..=WIDEST_FIELD);
                Ty::field(width, self.choices.chance("signed", 1, 2))
            } else {
                TYPES[self.draw(Row::Type)]
            });
        }
        while self.vars.member_names.len() < count {
            let name = format!("m{}", self.vars.member_names.len());
            self.vars.member_names.push(name);
        }
        let tag = self.name("s");
        let members: Vec<Member> = types
            .iter()
            .zip(&self.vars.member_names)
            .map(|(ty, name)| match ty.as_field() {
                Some((width, _)) => Member::bits(name, ty.declared(), width),
                None => Member::new(name, ty.declared()),
            })
            .collect();
        let plain = self.out.shaped_record(RecordKind::Struct, &tag, &members, Shape::default())?;
        let ty = self.qualified(plain, category);
        let bits: Vec<u128> = types.iter().map(|&ty| self.initial(ty)).collect();
        let values = bits.iter().map(|&bits| Value::Bits(bits)).collect();
        let name = self.name("r");
        let object = self.out.global(&name, ty, Linkage::External, Some(&Value::List(values)))?;
        let members = (types.into_iter().zip(bits).enumerate())
            .map(|(at, (ty, bits))| {
                self.new_cell(Cell {
                    object,
                    way: Way::Member(at as u32),
                    ty,
                    category,
                    value: Some(bits),
                    enumerated: false,
                })
            })
            .collect();
        self.vars.records.push(Record { object, ty: plain, category, members });
        Ok(())
    }

    /// A pointer to some number of file scope.
    fn pointer(&mut self) -> Made<()> {
        let last = self.vars.cells.len() - 1;
        let to = CellId(self.choices.range("points to", 0..=last as u32));
        let cell = *self.cell(to);
        if cell.ty.as_field().is_some() || matches!(cell.way, Way::Lane(_)) || cell.enumerated {
            return Ok(());
        }
        let target = self.reach(to)?;
        let address = self.out.address(target)?;
        let ty = self.out.program.ty(address);
        let name = self.name("p");
        let object = self.out.global(&name, ty, Linkage::External, Some(&Value::Expr(address)))?;
        self.vars.pointers.push(Pointer { object, to });
        Ok(())
    }

    /// A cell as an lvalue.
    pub(crate) fn reach(&mut self, cell: CellId) -> Made<ExprId> {
        let Cell { object, way, .. } = *self.cell(cell);
        let root = self.out.lvalue(object);
        match way {
            Way::Object => Ok(root),
            Way::Member(at) => {
                let name = &self.vars.member_names[at as usize];
                self.out.member(root, name)
            }
            Way::Lane(at) => {
                let index = self.out.int(i128::from(at))?;
                self.out.index(root, index)
            }
            Way::Element(at) => {
                let array = self.vars.arrays.iter().find(|array| array.object == object);
                let dims = array.map_or(Vec::new(), |array| array.dims.clone());
                let mut rest: u32 = dims.iter().product();
                let (mut at, mut e) = (at, root);
                for len in dims {
                    rest /= len;
                    let index = self.out.int(i128::from(at / rest))?;
                    at %= rest;
                    e = self.out.index(e, index)?;
                }
                Ok(e)
            }
        }
    }

    /// A local variable, which has a value from the start.
    pub(crate) fn local(&mut self, object: ObjId, ty: Ty, value: Option<u128>) {
        let category = Category::Mixed;
        let value = if self.unsteady() { None } else { value };
        let cell = self.new_cell(Cell { object, way: Way::Object, ty, category, value, enumerated: false });
        self.locals.push(cell);
    }
}
