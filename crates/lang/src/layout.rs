//! Sizes, alignments, offsets and bit-field placement, as a function of type and target.
//!
//! Nothing here is stored in a type. [`Layouts`] remembers the layout of records, since a complete record's layout
//! never changes; the free functions answer a single question without one. The two compilers place members by
//! different procedures (`gcc`, `clang`) that agree on ordinary code and differ where attributes, `#pragma pack` and
//! 8-byte types on i386 meet; the target says whose counts. It assumes SSE2 and no AVX, which both compilers' tables
//! of vector types depend on.
//!
//! A question has no answer (`None`) for incomplete types, for types whose size is only known at run time, and for
//! sizes above [`MAX_SIZE`].

mod clang;
mod gcc;
pub mod integers;
mod member;
mod primary;

use member::Members;
pub use member::find_field;

use crate::id::Id;
use crate::symbol::Symbol;
use crate::target::{Compiler, Target};
use crate::ty::{RecordId, Type, Types};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// The largest size in bytes that is computed, far above what either target can address. Offsets in bits then fit
/// `u64`.
pub const MAX_SIZE: u64 = 1 << 60;

/// Where everything in a struct or union is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLayout {
    /// `sizeof`, in bytes. An empty struct has 0 (GNU C).
    pub size: u64,
    /// `_Alignof`, in bytes.
    pub align: u64,
    /// `__alignof__`, in bytes: never less than `align`.
    pub preferred_align: u64,
    /// One entry for each of [`crate::ty::Record::fields`], in the same order.
    pub fields: Box<[FieldLayout]>,
    /// What placing this record in another one needs to know.
    shape: Shape,
}

/// Where a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldLayout {
    /// The distance of its first (lowest) bit from the start of the record. A multiple of 8 unless it is a bit-field.
    pub bit_offset: u64,
    /// The width if it is a bit-field. An unnamed one of width 0 has the place of what follows it.
    pub width: Option<u8>,
}

impl FieldLayout {
    /// The byte its first bit is in. Both targets number bits from the least significant one, so a bit-field is
    /// `(bytes from here on, little-endian) >> bit()`, cut to its width.
    pub fn byte(self) -> u64 {
        self.bit_offset / 8
    }

    /// The place of its first bit in that byte.
    pub fn bit(self) -> u32 {
        (self.bit_offset % 8) as u32
    }

    /// How many bytes a bit-field touches, from [`byte`](Self::byte) on; `None` for other members.
    pub fn bytes_touched(self) -> Option<u32> {
        self.width.map(|width| (self.bit() + u32::from(width)).div_ceil(8))
    }
}

/// What placement needs to know of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// The size in bytes, if the type is complete and its size constant.
    size: Option<u64>,
    /// The alignment the compiler's own procedure gives the type, in bytes. On i386 that of `double` is 8 in gcc,
    /// which lowers it for members, and 4 in clang, which raises it for `__alignof__`.
    align: u64,
    /// Whether an `aligned` attribute took part in it.
    user_align: bool,
    /// Whether i386 aligns it to 4 as a member and to 8 elsewhere.
    narrow: bool,
    /// How gcc would hold it.
    mode: Mode,
}

/// What gcc would hold an object in. On i386 the alignment of a struct of 8 bytes depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// An integer, a `double` or a pair of either: aligned to 4 as a member.
    Narrow,
    /// Another register: a vector, an x87 value.
    Wide,
    /// Memory only.
    Block,
}

/// The layouts of a program's records for one target, filled as they are asked for.
///
/// It belongs to one [`Types`] table: pass the same one to every call. A record is laid out once it is complete, and
/// must not be changed afterwards.
///
/// ```
/// use howler_lang::layout::Layouts;
/// use howler_lang::target::Target;
/// use howler_lang::ty::{Len, Type, Types};
/// let mut types = Types::new();
/// let array = types.array(Type::INT, Len::Fixed(3));
/// let layouts = Layouts::new(Target::X86_64_GCC);
/// assert_eq!(layouts.size_of(&types, array), Some(12));
/// assert_eq!(layouts.size_of(&types, Type::VOID), None);
/// ```
#[derive(Clone, Debug)]
pub struct Layouts {
    target: Target,
    records: RefCell<Vec<Entry>>,
    /// Members by name, for records with so many that looking at each takes long.
    members: RefCell<FxHashMap<RecordId, Members>>,
}

/// What is known of a record.
#[derive(Clone, Debug, Default)]
enum Entry {
    /// Nothing yet.
    #[default]
    Unknown,
    /// It is being laid out: a record that contains itself has no layout.
    Busy,
    /// It is complete.
    Known(Option<Arc<RecordLayout>>),
}

impl Layouts {
    /// Knows no record yet.
    pub fn new(target: Target) -> Layouts {
        Layouts { target, records: RefCell::default(), members: RefCell::default() }
    }

    /// Forgets the records from a number on.
    pub(crate) fn cut_back(&mut self, records: usize) {
        self.records.get_mut().truncate(records);
        self.members.get_mut().retain(|id, _| id.index() < records);
    }

    /// The target it answers for.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// `sizeof`, in bytes. GNU C's `sizeof(void)` and `sizeof` of a function, which are 1, are the caller's affair.
    pub fn size_of(&self, types: &Types, ty: Type) -> Option<u64> {
        self.shape(types, ty)?.size
    }

    /// `_Alignof`, in bytes: what an object of the type has at least, wherever it is (C17 6.2.8). An array without a
    /// known size has its element's, `void` has 1, a function what the compiler says.
    pub fn align_of(&self, types: &Types, ty: Type) -> Option<u64> {
        Some(self.shape(types, ty)?.min_align(&self.target))
    }

    /// `__alignof__`, in bytes: what the compiler would like an object of the type to have.
    pub fn preferred_align_of(&self, types: &Types, ty: Type) -> Option<u64> {
        Some(self.shape(types, ty)?.preferred_align(&self.target))
    }

    /// Where the members of a complete struct or union are.
    pub fn record(&self, types: &Types, id: RecordId) -> Option<Arc<RecordLayout>> {
        match self.records.borrow().get(id.index()) {
            Some(Entry::Known(known)) => return known.clone(),
            Some(Entry::Busy) => return None,
            Some(Entry::Unknown) | None => {}
        }
        if !types.records[id].complete {
            return None;
        }
        self.set(id, Entry::Busy);
        // Structs nest through members, not only through brackets, so their depth has no bound.
        let layout = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.lay_out(types, id)).map(Arc::new);
        self.set(id, Entry::Known(layout.clone()));
        layout
    }

    /// The shape of a record, without taking a share in its layout.
    /// As the free [`find_field`], remembering the names of large records.
    pub fn find_field(&self, types: &Types, id: RecordId, name: Symbol) -> Option<Vec<u32>> {
        let record = &types.records[id];
        if !record.complete || record.fields.len() < 32 {
            return find_field(types, id, name);
        }
        self.members.borrow_mut().entry(id).or_insert_with(|| Members::of(types, id)).find(name)
    }

    fn record_shape(&self, types: &Types, id: RecordId) -> Option<Shape> {
        if let Some(Entry::Known(known)) = self.records.borrow().get(id.index()) {
            return known.as_ref().map(|layout| layout.shape);
        }
        self.record(types, id).map(|layout| layout.shape)
    }

    fn set(&self, id: RecordId, entry: Entry) {
        let mut records = self.records.borrow_mut();
        if records.len() <= id.index() {
            records.resize_with(id.index() + 1, Entry::default);
        }
        records[id.index()] = entry;
    }

    fn lay_out(&self, types: &Types, id: RecordId) -> Option<RecordLayout> {
        let record = &types.records[id];
        let shapes: Vec<Shape> =
            record.fields.iter().map(|field| self.shape(types, field.ty)).collect::<Option<_>>()?;
        let layout = match self.target.compiler {
            Compiler::Gcc => gcc::lay_out(&self.target, record, &shapes)?,
            Compiler::Clang => clang::lay_out(&self.target, record, &shapes)?,
        };
        (layout.size <= MAX_SIZE).then_some(layout)
    }
}

/// `sizeof` without a cache: see [`Layouts::size_of`].
pub fn size_of(types: &Types, target: &Target, ty: Type) -> Option<u64> {
    Layouts::new(*target).size_of(types, ty)
}

/// `_Alignof` without a cache: see [`Layouts::align_of`].
pub fn align_of(types: &Types, target: &Target, ty: Type) -> Option<u64> {
    Layouts::new(*target).align_of(types, ty)
}

/// `__alignof__` without a cache: see [`Layouts::preferred_align_of`].
pub fn preferred_align_of(types: &Types, target: &Target, ty: Type) -> Option<u64> {
    Layouts::new(*target).preferred_align_of(types, ty)
}

/// The layout of a record without a cache: see [`Layouts::record`].
pub fn record_layout(types: &Types, target: &Target, id: RecordId) -> Option<Arc<RecordLayout>> {
    Layouts::new(*target).record(types, id)
}

/// `value` rounded up to a multiple of `align`, which need not be a power of two and is not 0.
fn round_up(value: u64, align: u64) -> Option<u64> {
    value.checked_next_multiple_of(align)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::Symbols;
    use crate::ty::{Field, Len, Record, RecordKind};

    fn field(name: Option<crate::symbol::Symbol>, ty: Type) -> Field {
        Field::new(name, ty)
    }

    fn record(types: &mut Types, fields: Vec<Field>) -> RecordId {
        types.records.push(Record::new(RecordKind::Struct, None, 0).with(fields))
    }

    #[test]
    fn a_bit_field_starts_where_the_last_one_ends() {
        let mut types = Types::new();
        let bits = |bits| Field { bits: Some(bits), ..field(None, Type::INT) };
        let id = record(&mut types, vec![bits(5), bits(20), bits(10)]);
        let layout = record_layout(&types, &Target::X86_64_GCC, id).unwrap();
        let places: Vec<_> = layout.fields.iter().map(|f| (f.byte(), f.bit(), f.bytes_touched())).collect();
        assert_eq!(places, [(0, 0, Some(1)), (0, 5, Some(4)), (4, 0, Some(2))]);
        assert_eq!((layout.size, layout.align), (6, 1));
    }

    #[test]
    fn huge_types_have_no_size() {
        for compiler in [Compiler::Gcc, Compiler::Clang] {
            let target = Target { compiler, ..Target::X86_64_GCC };
            let mut types = Types::new();
            let largest = types.array(Type::CHAR, Len::Fixed(MAX_SIZE));
            assert_eq!(size_of(&types, &target, largest), Some(MAX_SIZE));
            let larger = types.array(largest, Len::Fixed(u64::MAX));
            assert_eq!(size_of(&types, &target, larger), None);
            let fits = record(&mut types, vec![field(None, largest)]);
            assert_eq!(record_layout(&types, &target, fits).map(|layout| layout.size), Some(MAX_SIZE));
            let too_large = record(&mut types, vec![field(None, largest), field(None, Type::CHAR)]);
            assert_eq!(record_layout(&types, &target, too_large), None);
            let overflows = record(&mut types, vec![field(None, largest); 40]);
            assert_eq!(record_layout(&types, &target, overflows), None);
            let vector = types.vector(Type::INT128, u32::MAX);
            assert_eq!(size_of(&types, &target, vector), Some(1 << 36));
        }
    }

    #[test]
    fn a_large_record_is_searched_as_a_small_one() {
        let mut types = Types::new();
        let mut symbols = Symbols::default();
        let mut names: Vec<_> = (0..80).map(|n| symbols.intern(&format!("m{n}"))).collect();
        let innermost =
            record(&mut types, vec![field(Some(names[40]), Type::INT), field(Some(names[41]), Type::INT)]);
        let innermost = types.record(innermost);
        let inner = record(&mut types, vec![field(Some(names[42]), Type::INT), field(None, innermost)]);
        let inner = types.record(inner);
        let mut fields: Vec<Field> = names[..40].iter().map(|&name| field(Some(name), Type::INT)).collect();
        fields.insert(7, field(None, inner));
        fields.insert(3, Field { bits: Some(3), ..field(None, Type::INT) });
        let id = record(&mut types, fields);
        let layouts = Layouts::new(Target::X86_64_GCC);
        names.push(symbols.intern("absent"));
        for name in names {
            assert_eq!(layouts.find_field(&types, id, name), find_field(&types, id, name));
        }
    }

    #[test]
    fn a_record_in_itself_has_no_layout() {
        let mut types = Types::new();
        let id = record(&mut types, Vec::new());
        let ty = types.record(id);
        types.records[id].fields.push(field(None, ty));
        assert_eq!(record_layout(&types, &Target::X86_64_GCC, id), None);
        let name = Symbols::default().intern("absent");
        assert_eq!(find_field(&types, id, name), None);
    }

    #[test]
    fn incomplete_records_are_asked_again() {
        let mut types = Types::new();
        let id = record(&mut types, vec![field(None, Type::INT)]);
        types.records[id].complete = false;
        let layouts = Layouts::new(Target::X86_64_GCC);
        assert_eq!(layouts.record(&types, id), None);
        types.records[id].complete = true;
        assert_eq!(layouts.record(&types, id).map(|layout| layout.size), Some(4));
    }

    #[test]
    fn deep_nesting_is_laid_out() {
        let mut types = Types::new();
        let mut ty = Type::INT;
        for _ in 0..100_000 {
            let id = record(&mut types, vec![field(None, ty)]);
            ty = types.record(id);
        }
        assert_eq!(size_of(&types, &Target::X86_64_GCC, ty), Some(4));
        let mut array = Type::INT;
        for _ in 0..100_000 {
            array = types.array(array, Len::Fixed(1));
        }
        assert_eq!(size_of(&types, &Target::X86_64_GCC, array), Some(4));
    }

    #[test]
    fn members_are_found_through_anonymous_ones() {
        let mut types = Types::new();
        let mut symbols = Symbols::default();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| symbols.intern(name));
        let inner = record(&mut types, vec![field(Some(a), Type::INT), field(Some(b), Type::INT)]);
        let inner = types.record(inner);
        let middle = record(&mut types, vec![field(Some(d), inner), field(None, inner)]);
        let middle = types.record(middle);
        let outer = record(&mut types, vec![field(Some(c), inner), field(None, middle)]);
        assert_eq!(find_field(&types, outer, c), Some(vec![0]));
        assert_eq!(find_field(&types, outer, d), Some(vec![1, 0]));
        assert_eq!(find_field(&types, outer, b), Some(vec![1, 1, 1]));
    }
}
