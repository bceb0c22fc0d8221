//! Random declarations, as entries of `Types` and as C text.

use crate::questions::Query;
use howler_lang::layout::Layouts;
use howler_lang::source::Pos;
use howler_lang::symbol::Symbols;
use howler_lang::target::Target;
use howler_lang::ty::{Field, Len, Quals, Record, RecordId, RecordKind, Type, TypeKind, Types, Variant};
use std::fmt::Write as _;

/// A type that members can have.
#[derive(Clone)]
pub struct Usable {
    pub text: String,
    /// The qualifiers and the name without them, if it is a typedef that adds some. gcc forgets the alignment of the
    /// unqualified name in arrays of the qualified one.
    pub element: Option<String>,
    pub ty: Type,
    /// The widest bit-field it allows, or 0.
    pub bits: u8,
    /// Whether it may be made `_Atomic`.
    pub plain: bool,
}

/// SplitMix64: small, fixed, good enough.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// One C file in the making.
pub struct Generator {
    pub types: Types,
    pub queries: Vec<Query>,
    pub symbols: Symbols,
    random: Random,
    pub layouts: Layouts,
    pub basic: Vec<Usable>,
    pub made: Vec<Usable>,
    /// What each declaration declares, and its text.
    pub declarations: Vec<(String, String)>,
    pub names: usize,
}

/// How the members of one record are drawn.
#[derive(Clone, Copy)]
struct Style {
    bit_fields: usize,
    attributes: usize,
    pack: u8,
}

/// What changes the layout of a whole record.
#[derive(Default)]
pub struct Attributes {
    pub packed: bool,
    pub align: u32,
    pub pack: u8,
}

impl Generator {
    pub fn new(target: Target, seed: u64) -> Generator {
        let mut generator = Generator {
            types: Types::new(),
            queries: Vec::new(),
            symbols: Symbols::default(),
            random: Random(seed),
            layouts: Layouts::new(target),
            basic: Vec::new(),
            made: Vec::new(),
            declarations: Vec::new(),
            names: 0,
        };
        generator.add_basic(&target);
        generator
    }

    pub fn push_record(
        &mut self,
        kind: RecordKind,
        tag: Option<&str>,
        fields: Vec<Field>,
        attributes: Attributes,
    ) -> RecordId {
        let Attributes { packed, align, pack } = attributes;
        let tag = tag.map(|tag| self.symbols.intern(tag));
        let record = Record::new(kind, tag, 0).with(fields);
        self.types.records.push(Record { written: None, packed, align, pack, ..record })
    }

    pub fn ask_type(&mut self, text: &str, ty: Type) {
        self.queries.push(Query::Size(text.to_owned(), ty));
        self.queries.push(Query::Align(text.to_owned(), ty));
        self.queries.push(Query::PreferredAlign(text.to_owned(), ty));
    }

    pub fn declare(&mut self, name: &str, text: String) {
        self.declarations.push((name.to_owned(), text));
    }

    fn name(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// Any type. Recent ones are more likely than old ones, so that chains of types grow.
    fn any(&mut self) -> Usable {
        if self.made.is_empty() || self.random.chance(50) {
            let index = self.random.below(self.basic.len());
            return self.basic[index].clone();
        }
        let recent = self.random.pick(&[2, 10, 40]).min(self.made.len());
        let index = self.made.len() - 1 - self.random.below(recent);
        self.made[index].clone()
    }

    /// Declares one more typedef.
    fn add_typedef(&mut self) {
        let base = self.any();
        let name = self.name('T');
        let mut usable = Usable { text: name.clone(), element: None, ..base.clone() };
        match self.random.below(7) {
            0 => {
                let size = self.layouts.size_of(&self.types, base.ty).expect("it is complete");
                let align = self.layouts.align_of(&self.types, base.ty).expect("it is complete");
                let wanted = self.layouts.preferred_align_of(&self.types, base.ty).expect("it is complete");
                if !size.is_multiple_of(align.max(wanted)) || size > 2000 {
                    return;
                }
                let len = self.random.pick(&[0, 1, 1, 2, 2, 3, 4, 5, 7, 8]);
                usable.ty = self.types.array(base.ty, Len::Fixed(len));
                usable.bits = 0;
                usable.plain = false;
                let element = base.element.as_ref().unwrap_or(&base.text);
                self.declare(&name, format!("typedef {element} {name}[{len}];"));
            }
            1 | 2 => {
                // `Types` cannot tell an alignment on top of `_Atomic` from one below it, and gcc forgets one on top
                // of an array of qualified elements.
                if !self.types.quals(base.ty).is_empty() {
                    return;
                }
                let align = self.random.pick(&[1, 2, 4, 8, 16, 32, 64]);
                let variant = Variant { base: base.ty, align, may_alias: false, name: None };
                usable.ty = self.types.make_variant(variant);
                self.declare(
                    &name,
                    format!("typedef {} {name} __attribute__((aligned({align})));", base.text),
                );
            }
            3 => {
                if !base.plain {
                    return;
                }
                usable.ty = self.types.qualified(base.ty, Quals::ATOMIC);
                usable.bits = 0;
                usable.plain = false;
                self.declare(&name, format!("typedef _Atomic({}) {name};", base.text));
                usable.element = Some(format!("{} _Atomic", base.text));
            }
            4 => {
                if !base.plain {
                    return;
                }
                let (quals, text) =
                    self.random.pick(&[(Quals::CONST, "const"), (Quals::VOLATILE, "volatile")]);
                usable.ty = self.types.qualified(base.ty, quals);
                usable.plain = false;
                self.declare(&name, format!("typedef {} {text} {name};", base.text));
                usable.element = Some(format!("{} {text}", base.text));
            }
            5 => {
                let (elem, text) = self.random.pick(&[
                    (Type::CHAR, "char"),
                    (Type::SHORT, "short"),
                    (Type::INT, "int"),
                    (Type::LLONG, "long long"),
                    (Type::FLOAT, "float"),
                    (Type::DOUBLE, "double"),
                ]);
                let size = self.layouts.size_of(&self.types, elem).expect("it is complete") as u32;
                let bytes = self.random.pick(&[2, 4, 8, 8, 16, 16, 32, 64]).max(size);
                usable.ty = self.types.vector(elem, bytes / size);
                usable.bits = 0;
                usable.plain = false;
                self.declare(&name, format!("typedef {text} {name} __attribute__((vector_size({bytes})));"));
            }
            _ => {
                let (elem, text) = self.random.pick(&[
                    (Type::FLOAT, "float"),
                    (Type::DOUBLE, "double"),
                    (Type::LDOUBLE, "long double"),
                    (Type::CHAR, "char"),
                    (Type::INT, "int"),
                    (Type::LLONG, "long long"),
                ]);
                usable.ty = self.types.complex(elem);
                usable.bits = 0;
                usable.plain = true;
                self.declare(&name, format!("typedef _Complex {text} {name};"));
            }
        }
        self.ask_type(&name, usable.ty);
        self.made.push(usable);
    }

    /// Declares one more record, and maybe typedefs before it.
    pub fn add_record(&mut self) {
        while self.random.chance(50) {
            self.add_typedef();
        }
        let style = Style {
            bit_fields: self.random.pick(&[0, 10, 50, 80, 100]),
            attributes: self.random.pick(&[0, 0, 10, 40]),
            pack: if self.random.chance(30) { self.random.pick(&[1, 2, 4, 8, 16]) } else { 0 },
        };
        let tag = self.name('S');
        let (record, text, flexible) = self.record(Some(&tag), style, 0);
        let keyword = keyword(self.types.records[record].kind);
        let text = match style.pack {
            0 => format!("{text};"),
            pack => format!("#pragma pack(push, {pack})\n{text};\n#pragma pack(pop)"),
        };
        self.declare(&tag, text);
        let text = format!("{keyword} {tag}");
        let ty = self.types.record(record);
        self.ask_type(&text, ty);
        self.ask_members(record, record);
        let small = self.layouts.size_of(&self.types, ty).is_some_and(|size| size < 4000);
        if !flexible && small {
            self.made.push(Usable { text, element: None, ty, bits: 0, plain: true });
        }
    }

    /// Questions about the named members of `inner`, which is `outer` or an anonymous part of it.
    fn ask_members(&mut self, outer: RecordId, inner: RecordId) {
        for field in self.types.records[inner].fields.clone() {
            match (field.name, field.bits) {
                (Some(name), Some(_)) => self.queries.push(Query::Bits(outer, name)),
                (Some(name), None) => self.queries.push(Query::Offset(outer, name)),
                (None, Some(_)) => {}
                (None, None) => match self.types.kind(field.ty) {
                    TypeKind::Record(part) => self.ask_members(outer, part),
                    kind => panic!("{kind:?} is no anonymous member"),
                },
            }
        }
    }

    /// A record, its text without the semicolon, and whether it ends in a flexible array member.
    fn record(&mut self, tag: Option<&str>, style: Style, depth: usize) -> (RecordId, String, bool) {
        let kind = if self.random.chance(80) { RecordKind::Struct } else { RecordKind::Union };
        let packed = self.random.chance(25);
        let align = if self.random.chance(20) { self.random.pick(&[1, 2, 4, 8, 16, 32, 64]) } else { 0 };
        let mut text = format!("{} {}{{", keyword(kind), tag.map_or(String::new(), |tag| format!("{tag} ")));
        let mut fields = Vec::new();
        for _ in 0..self.random.pick(&[0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12]) {
            fields.push(self.field(style, depth, &mut text));
        }
        let flexible = kind == RecordKind::Struct
            && depth == 0
            && fields.iter().any(|field: &Field| field.name.is_some())
            && self.random.chance(5);
        if flexible {
            let name = self.name('f');
            let index = self.random.below(self.basic.len());
            let elem = self.basic[index].clone();
            write!(text, " {} {name}[];", elem.text).unwrap();
            let ty = self.types.array(elem.ty, Len::Unknown);
            let name = Some(self.symbols.intern(&name));
            fields.push(Field { name, ty, bits: None, align: 0, packed: false, pos: Pos::NONE });
        }
        text.push_str(" }");
        text.push_str(&attributes(packed, align));
        let record = self.push_record(kind, tag, fields, Attributes { packed, align, pack: style.pack });
        (record, text, flexible)
    }

    fn field(&mut self, style: Style, depth: usize, text: &mut String) -> Field {
        if depth < 3 && self.random.chance(8) {
            let (inner, inner_text, _) = self.record(None, style, depth + 1);
            write!(text, " {inner_text};").unwrap();
            let ty = self.types.record(inner);
            return Field { name: None, ty, bits: None, align: 0, packed: false, pos: Pos::NONE };
        }
        let packed = self.random.chance(style.attributes);
        let align = if self.random.chance(style.attributes) {
            self.random.pick(&[1, 2, 4, 8, 16, 32, 64])
        } else {
            0
        };
        let mut usable = self.any();
        let (mut name, mut bits) = (Some(self.name('f')), None);
        if self.random.chance(style.bit_fields) {
            while usable.bits == 0 {
                usable = self.any();
            }
            let width = match self.random.below(10) {
                0 => 0,
                1 => usable.bits,
                2 => self.random.pick(&[8, 16, 32, 64]).min(usable.bits),
                _ => 1 + self.random.below(usize::from(usable.bits)) as u8,
            };
            bits = Some(width);
            if width == 0 || self.random.chance(10) {
                name = None;
            }
        }
        write!(text, " {}", usable.text).unwrap();
        if let Some(name) = &name {
            write!(text, " {name}").unwrap();
        }
        if let Some(width) = bits {
            write!(text, " : {width}").unwrap();
        }
        write!(text, "{};", attributes(packed, align)).unwrap();
        let name = name.map(|name| self.symbols.intern(&name));
        Field { name, ty: usable.ty, bits, align, packed, pos: Pos::NONE }
    }
}

pub fn keyword(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    }
}

fn attributes(packed: bool, align: u32) -> String {
    match (packed, align) {
        (false, 0) => String::new(),
        (true, 0) => " __attribute__((packed))".to_owned(),
        (false, align) => format!(" __attribute__((aligned({align})))"),
        (true, align) => format!(" __attribute__((packed, aligned({align})))"),
    }
}
