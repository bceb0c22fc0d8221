//! The types every file starts with.

use crate::generator::{Attributes, Generator, Usable};
use howler_lang::source::Pos;
use howler_lang::target::{Arch, Compiler, Target};
use howler_lang::ty::{Enum, Field, FloatKind, IntKind, Len, Quals, RecordKind, Signature, Type, Variant};

impl Generator {
    /// The basic types and a few enumerations.
    pub fn add_basic(&mut self, target: &Target) {
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
                written: Some(tag_symbol),
                unit: 0,
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

    /// Records that random choices hardly ever make, and whose alignment depends on a rule of its own.
    pub fn add_rare(&mut self) {
        let low =
            self.types.make_variant(Variant { base: Type::INT, align: 1, may_alias: false, name: None });
        self.declare("Low", "typedef int Low __attribute__((aligned(1)));".to_owned());
        let large = self.types.vector(Type::INT, 8);
        self.declare("Large", "typedef int Large __attribute__((vector_size(32)));".to_owned());
        let small = self.types.vector(Type::INT, 2);
        self.declare("Small8", "typedef int Small8 __attribute__((vector_size(8)));".to_owned());
        let one = self.types.array(small, Len::Fixed(1));
        let atomic = self.types.qualified(Type::LLONG, Quals::ATOMIC);
        let atomics = self.types.array(atomic, Len::Fixed(1));
        let base = self.types.qualified(Type::INT, Quals::ATOMIC);
        let low_atomic = self.types.make_variant(Variant { base, align: 1, may_alias: false, name: None });
        self.declare("LowAtomic", "typedef _Atomic int LowAtomic __attribute__((aligned(1)));".to_owned());
        let atomic_low = self.types.qualified(low, Quals::ATOMIC);
        let member = |ty| (ty, None);
        for (tag, body, members) in [
            ("R1", "Large a; Low : 3;", vec![member(large), (low, Some(3))]),
            ("R2", "Large a; int : 3;", vec![member(large), (Type::INT, Some(3))]),
            ("R3", "Small8 a[1];", vec![member(one)]),
            ("R4", "_Atomic long long a;", vec![member(atomic)]),
            ("R5", "_Atomic long long a[1];", vec![member(atomics)]),
            ("R6", "LowAtomic a;", vec![member(low_atomic)]),
            ("R7", "_Atomic Low a;", vec![member(atomic_low)]),
        ] {
            let field = |(ty, bits): (Type, Option<u8>)| {
                let name = bits.is_none().then(|| self.symbols.intern("a"));
                Field { name, ty, bits, align: 0, packed: false, pos: Pos::NONE }
            };
            let fields = members.into_iter().map(field).collect();
            let id = self.push_record(RecordKind::Struct, Some(tag), fields, Attributes::default());
            self.declare(tag, format!("struct {tag} {{ {body} }};"));
            let text = format!("struct {tag}");
            let ty = self.types.record(id);
            self.ask_type(&text, ty);
            self.made.push(Usable { text, element: None, ty, bits: 0, plain: true });
        }
    }
}
