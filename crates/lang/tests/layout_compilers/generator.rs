//! Random declarations, as entries of `Types` and as C text, with the questions to ask about them.

use howler_lang::layout::{Layouts, integers};
use howler_lang::source::Pos;
use howler_lang::symbol::{Symbol, Symbols};
use howler_lang::target::{Arch, Compiler, Target};
use howler_lang::ty::{
    Enum, Field, FloatKind, IntKind, Len, Quals, Record, RecordId, RecordKind, Signature, Type, TypeKind,
    Types, Variant,
};
use std::fmt::Write as _;

/// A question about one declaration.
#[derive(Clone, Debug)]
pub enum Query {
    /// `sizeof` of the type of this spelling.
    Size(String, Type),
    /// `_Alignof`.
    Align(String, Type),
    /// `__alignof__`.
    PreferredAlign(String, Type),
    /// `offsetof` of a member, maybe inside anonymous ones.
    Offset(RecordId, Symbol),
    /// The bits of a bit-field.
    Bits(RecordId, Symbol),
}

/// A type that members can have.
#[derive(Clone)]
struct Usable {
    text: String,
    /// The qualifiers and the name without them, if it is a typedef that adds some. gcc forgets the alignment of the
    /// unqualified name in arrays of the qualified one.
    element: Option<String>,
    ty: Type,
    /// The widest bit-field it allows, or 0.
    bits: u8,
    /// Whether it may be made `_Atomic`.
    plain: bool,
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
    symbols: Symbols,
    random: Random,
    layouts: Layouts,
    basic: Vec<Usable>,
    made: Vec<Usable>,
    /// What each declaration declares, and its text.
    declarations: Vec<(String, String)>,
    names: usize,
}

/// How the members of one record are drawn.
#[derive(Clone, Copy)]
struct Style {
    bit_fields: usize,
    attributes: usize,
    pack: u8,
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

    fn add_basic(&mut self, target: &Target) {
        let long = if target.arch == Arch::X86_64 { 64 } else { 32 };
        let mut basic = vec![
            ("_Bool", Type::BOOL, 1),
            ("char", Type::CHAR, 8),
            ("signed char", Type::SCHAR, 8),
            ("unsigned char", Type::UCHAR, 8),
            ("short", Type::SHORT, 16),
            ("unsigned short", Type::USHORT, 16),
            ("int", Type::INT, 32),
            ("unsigned", Type::UINT, 32),
            ("long", Type::LONG, long),
            ("unsigned long", Type::ULONG, long),
            ("long long", Type::LLONG, 64),
            ("unsigned long long", Type::ULLONG, 64),
            ("float", Type::FLOAT, 0),
            ("double", Type::DOUBLE, 0),
            ("long double", Type::LDOUBLE, 0),
            ("__float128", Type::FLOAT128, 0),
            ("_Float16", Type::FLOAT16, 0),
        ];
        if target.arch == Arch::X86_64 {
            basic.extend([("__int128", Type::INT128, 128), ("unsigned __int128", Type::UINT128, 128)]);
        }
        if target.compiler == Compiler::Gcc {
            basic.extend([
                ("_Float32", FloatKind::Float32.ty(), 0),
                ("_Float64", FloatKind::Float64.ty(), 0),
                ("_Float32x", FloatKind::Float32x.ty(), 0),
                ("_Float64x", FloatKind::Float64x.ty(), 0),
            ]);
        }
        for (text, ty, bits) in basic {
            self.basic.push(Usable { text: text.to_owned(), element: None, ty, bits, plain: true });
        }
        let pointer = self.types.pointer(Type::VOID);
        self.basic.push(Usable {
            text: "void *".to_owned(),
            element: None,
            ty: pointer,
            bits: 0,
            plain: true,
        });
        let function = self.types.function(Signature {
            ret: Type::INT,
            params: Box::new([]),
            variadic: false,
            prototype: false,
        });
        self.declare("Function", "typedef int Function();".to_owned());
        let pointer = self.types.pointer(function);
        self.basic.push(Usable {
            text: "Function *".to_owned(),
            element: None,
            ty: pointer,
            bits: 0,
            plain: true,
        });
        let big = if target.arch == Arch::X86_64 { IntKind::ULong } else { IntKind::ULLong };
        for (tag, body, packed, underlying, bits) in [
            ("Small", "enum Small { A0, A1 = 7 }", false, IntKind::UInt, 32),
            ("Negative", "enum Negative { B0 = -1, B1 }", false, IntKind::Int, 32),
            ("Big", "enum Big { C0 = 1ull << 40 }", false, big, 64),
            ("Packed", "enum Packed { D0, D1 = 300 } __attribute__((packed))", true, IntKind::UShort, 16),
        ] {
            self.declare(tag, format!("{body};"));
            let tag_symbol = self.symbols.intern(tag);
            let id = self.types.enums.push(Enum {
                tag: tag_symbol,
                constants: Vec::new(),
                complete: true,
                packed,
                underlying,
                pos: Pos::NONE,
            });
            let ty = self.types.enumeration(id);
            self.basic.push(Usable { text: format!("enum {tag}"), element: None, ty, bits, plain: true });
        }
        for usable in self.basic.clone() {
            self.ask_type(&usable.text, usable.ty);
        }
    }

    fn ask_type(&mut self, text: &str, ty: Type) {
        self.queries.push(Query::Size(text.to_owned(), ty));
        self.queries.push(Query::Align(text.to_owned(), ty));
        self.queries.push(Query::PreferredAlign(text.to_owned(), ty));
    }

    fn declare(&mut self, name: &str, text: String) {
        self.declarations.push((name.to_owned(), text));
    }

    fn name(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// Any type, with recent ones more likely than old ones.
    fn any(&mut self) -> Usable {
        if self.made.is_empty() || self.random.chance(50) {
            let index = self.random.below(self.basic.len());
            return self.basic[index].clone();
        }
        let recent = self.made.len().min(40);
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
        let record = self.types.records.push(Record {
            kind,
            tag: tag.map(|tag| self.symbols.intern(tag)),
            fields,
            complete: true,
            packed,
            align,
            pack: style.pack,
            transparent: false,
            may_alias: false,
            va_list_tag: false,
            pos: Pos::NONE,
        });
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

    /// The declarations and a `main` that prints the answer to each question on a line.
    pub fn program(&self) -> String {
        let mut text = self.library_types();
        for (_, declaration) in &self.declarations {
            writeln!(text, "{declaration}").unwrap();
        }
        let mut main = String::new();
        for (index, query) in self.queries.iter().enumerate() {
            match query {
                Query::Size(name, _) => writeln!(main, "  {{ 0, sizeof({name}) }},"),
                Query::Align(name, _) => writeln!(main, "  {{ 0, _Alignof({name}) }},"),
                Query::PreferredAlign(name, _) => writeln!(main, "  {{ 0, __alignof__({name}) }},"),
                Query::Offset(record, name) => {
                    let (record, name) = (self.spelling(*record), self.symbols.name(*name));
                    writeln!(main, "  {{ 0, __builtin_offsetof({record}, {name}) }},")
                }
                Query::Bits(record, name) => {
                    let (record, name) = (self.spelling(*record), self.symbols.name(*name));
                    writeln!(text, "static const {record} o{index} = {{ .{name} = -1 }};").unwrap();
                    writeln!(main, "  {{ &o{index}, sizeof o{index} }},")
                }
            }
            .unwrap();
        }
        write!(
            text,
            "static const struct {{ const void *object; unsigned long value; }} table[] = {{\n{main}}};"
        )
        .unwrap();
        text.push_str(MAIN);
        text
    }

    fn spelling(&self, record: RecordId) -> String {
        let record = &self.types.records[record];
        let tag = record.tag.expect("questions are about records with a tag");
        format!("{} {}", keyword(record.kind), self.symbols.name(tag))
    }

    /// The declarations a question depends on, for people.
    pub fn text_of(&self, query: &Query) -> String {
        let subject = match query {
            Query::Size(name, _) | Query::Align(name, _) | Query::PreferredAlign(name, _) => name.clone(),
            Query::Offset(record, name) | Query::Bits(record, name) => {
                format!("{} {}", self.spelling(*record), self.symbols.name(*name))
            }
        };
        let mut lines = vec![subject];
        for (name, text) in self.declarations.iter().rev() {
            if lines.iter().any(|line| words(line).any(|word| word == name)) {
                lines.push(text.clone());
            }
        }
        lines.reverse();
        lines.join("\n")
    }

    /// Assertions that the library's types are what `layout` says.
    fn library_types(&self) -> String {
        let target = self.layouts.target();
        let named = [
            ("SIZE", integers::size_type(target)),
            ("UINTPTR", integers::size_type(target)),
            ("PTRDIFF", integers::ptrdiff_type(target)),
            ("INTPTR", integers::ptrdiff_type(target)),
            ("WCHAR", integers::wchar_type(target)),
            ("WINT", integers::wint_type(target)),
            ("CHAR16", integers::char16_type(target)),
            ("CHAR32", integers::char32_type(target)),
            ("INTMAX", integers::intmax_type(target)),
            ("UINTMAX", integers::uintmax_type(target)),
        ];
        let mut text = String::new();
        for (name, ty) in named {
            let ours = &self.basic.iter().find(|usable| usable.ty == ty).expect("it is a basic type").text;
            let same = format!("__builtin_types_compatible_p(__{name}_TYPE__, {ours})");
            writeln!(text, "_Static_assert({same}, \"{name}\");").unwrap();
        }
        text
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn keyword(kind: RecordKind) -> &'static str {
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

/// A number is printed as it is, an object as the range and the number of its set bits.
const MAIN: &str = r#"
int main(void) {
  for (unsigned long i = 0; i < sizeof table / sizeof *table; i++) {
    const unsigned char *bytes = table[i].object;
    if (!bytes) {
      __builtin_printf("%lu\n", table[i].value);
      continue;
    }
    unsigned long first = ~0ul, end = 0, count = 0;
    for (unsigned long bit = 0; bit < table[i].value * 8; bit++)
      if (bytes[bit / 8] >> bit % 8 & 1) {
        if (first > bit) first = bit;
        end = bit + 1;
        count++;
      }
    __builtin_printf("%lu..%lu:%lu\n", first, end, count);
  }
  return 0;
}
"#;
