//! The printer on programs made by hand: expressions, types, literals, declarations, deep trees.

mod made;

use howler_lang::program::{
    BinaryOp, Conv, Entity, ExprKind, FloatLit, InitEntry, IntForm, Item, ParamBound, StmtKind, StrLit,
    StrPrefix, StrUnits, UnaryOp,
};
use howler_lang::target::{Arch, Edition, Std, Target};
use howler_lang::ty::{IntKind, Len, Quals, RecordKind, Signature, Type, Variant};
use made::Made;

#[test]
fn parentheses_stand_only_where_the_tree_needs_them() {
    let mut m = Made::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| {
        let object = m.object(name, Type::INT);
        m.load(object)
    });
    let sum = m.binary(BinaryOp::Add, a, b);
    let product = m.binary(BinaryOp::Mul, sum, c);
    assert_eq!(m.show(product), "(a + b) * c");
    let product = m.binary(BinaryOp::Mul, a, b);
    let sum = m.binary(BinaryOp::Add, product, c);
    assert_eq!(m.show(sum), "a * b + c");
    let right = m.binary(BinaryOp::Sub, b, c);
    let difference = m.binary(BinaryOp::Sub, a, right);
    assert_eq!(m.show(difference), "a - (b - c)");
    let left = m.binary(BinaryOp::Sub, a, b);
    let difference = m.binary(BinaryOp::Sub, left, c);
    assert_eq!(m.show(difference), "a - b - c");
    let chain = m.expr(ExprKind::Assign(b, c), Type::INT);
    let chain = m.expr(ExprKind::Assign(a, chain), Type::INT);
    assert_eq!(m.show(chain), "a = b = c");
    let choice = m.expr(ExprKind::Cond(a, b, c), Type::INT);
    let outer = m.expr(ExprKind::Cond(choice, choice, choice), Type::INT);
    assert_eq!(m.show(outer), "(a ? b : c) ? a ? b : c : a ? b : c");
    let assigned = m.expr(ExprKind::Cond(a, b, chain), Type::INT);
    assert_eq!(m.show(assigned), "a ? b : (a = b = c)");
    let elvis = m.expr(ExprKind::Elvis(a, b), Type::INT);
    assert_eq!(m.show(elvis), "a ?: b");
    let comma = m.expr(ExprKind::Comma(a, b), Type::INT);
    let args = m.p.add_list(&[comma, c]);
    let ty = m.signature(Type::INT, &[Type::INT, Type::INT]);
    let pointer = m.p.types.pointer(ty);
    let f = m.object("f", pointer);
    let f = m.load(f);
    let call = m.expr(ExprKind::Call(f, args), Type::INT);
    assert_eq!(m.show(call), "f((a, b), c)");
    let star = m.expr(ExprKind::Unary(UnaryOp::Deref, f), ty);
    let star = m.expr(ExprKind::Convert(Conv::FunctionDecay, star), pointer);
    let call = m.expr(ExprKind::Call(star, args), Type::INT);
    assert_eq!(m.show(call), "(*f)((a, b), c)");
    let cast = m.expr(ExprKind::Cast(Conv::IntToInt, sum), Type::CHAR);
    assert_eq!(m.show(cast), "(char)(a * b + c)");
    let negative = m.unary(UnaryOp::Neg, cast);
    let size = m.expr(ExprKind::SizeofExpr(negative), Type::ULONG);
    assert_eq!(m.show(size), "sizeof -(char)(a * b + c)");
}

#[test]
fn operators_do_not_merge() {
    let mut m = Made::new();
    let a = m.object("a", Type::INT);
    let lvalue = m.var(a);
    let a = m.load(a);
    let minus = m.unary(UnaryOp::Neg, a);
    let twice = m.unary(UnaryOp::Neg, minus);
    assert_eq!(m.show(twice), "- -a");
    let dec = m.unary(UnaryOp::PreDec, lvalue);
    let minus_dec = m.unary(UnaryOp::Neg, dec);
    assert_eq!(m.show(minus_dec), "- --a");
    let plus = m.unary(UnaryOp::Plus, a);
    let mixed = m.unary(UnaryOp::Neg, plus);
    assert_eq!(m.show(mixed), "-+a");
    let difference = m.binary(BinaryOp::Sub, a, minus);
    assert_eq!(m.show(difference), "a - -a");
    let pointer = m.p.types.pointer(Type::INT);
    let p = m.object("p", pointer);
    let p = m.load(p);
    let star = m.unary(UnaryOp::Deref, p);
    let quotient = m.binary(BinaryOp::Div, a, star);
    assert_eq!(m.show(quotient), "a / *p");
    let address = m.unary(UnaryOp::AddrOf, star);
    assert_eq!(m.show(address), "&*p");
    let post = m.unary(UnaryOp::PostInc, lvalue);
    let difference = m.binary(BinaryOp::Sub, post, dec);
    assert_eq!(m.show(difference), "a++ - --a");
}

#[test]
fn members_use_arrows_and_skip_unnamed_steps() {
    let mut m = Made::new();
    let inner = m.record(RecordKind::Union, "", &[("x", Type::INT), ("y", Type::FLOAT)]);
    let inner = m.p.types.record(inner);
    let outer = m.record(RecordKind::Struct, "S", &[("a", Type::INT), ("", inner)]);
    let outer = m.p.types.record(outer);
    let pointer = m.p.types.pointer(outer);
    let p = m.object("p", pointer);
    let p = m.load(p);
    let s = m.unary(UnaryOp::Deref, p);
    let a = m.expr(ExprKind::Member { base: s, field: 0 }, Type::INT);
    assert_eq!(m.show(a), "p->a");
    let unnamed = m.expr(ExprKind::Member { base: s, field: 1 }, inner);
    let y = m.expr(ExprKind::Member { base: unnamed, field: 1 }, Type::FLOAT);
    assert_eq!(m.show(y), "p->y");
    let object = m.object("s", outer);
    let s = m.var(object);
    let unnamed = m.expr(ExprKind::Member { base: s, field: 1 }, inner);
    let x = m.expr(ExprKind::Member { base: unnamed, field: 0 }, Type::INT);
    assert_eq!(m.show(x), "s.x");
    let one = m.int(1);
    let element = m.expr(ExprKind::Index { base: p, index: one }, outer);
    let a = m.expr(ExprKind::Member { base: element, field: 0 }, Type::INT);
    let address = m.unary(UnaryOp::AddrOf, a);
    assert_eq!(m.show(address), "&p[1].a");
}

#[test]
fn type_names_are_inside_out() {
    let mut m = Made::new();
    let constant = m.p.types.qualified(Type::CHAR, Quals::CONST);
    let pointer = m.p.types.pointer(constant);
    assert_eq!(m.name_of(pointer), "const char *");
    let fixed = m.p.types.qualified(pointer, Quals::CONST.union(Quals::VOLATILE));
    assert_eq!(m.name_of(fixed), "const char *const volatile");
    let array = m.p.types.array(fixed, Len::Fixed(3));
    assert_eq!(m.name_of(array), "const char *const volatile[3]");
    let to_array = m.p.types.pointer(array);
    assert_eq!(m.name_of(to_array), "const char *const volatile (*)[3]");
    let function = m.signature(to_array, &[Type::INT, pointer]);
    assert_eq!(m.name_of(function), "const char *const volatile (*(int, const char *))[3]");
    let to_function = m.p.types.pointer(function);
    let array = m.p.types.array(to_function, Len::Unknown);
    assert_eq!(m.name_of(array), "const char *const volatile (*(*[])(int, const char *))[3]");
    let none = m.signature(Type::VOID, &[]);
    assert_eq!(m.name_of(none), "void(void)");
    let old = Signature { ret: Type::INT, params: [].into(), variadic: false, prototype: false };
    let old = m.p.types.function(old);
    assert_eq!(m.name_of(old), "int()");
    let vector = m.p.types.vector(Type::LONG, 2);
    let vectors = m.p.types.pointer(vector);
    assert_eq!(m.name_of(vectors), "long __attribute__((vector_size(16))) *");
    let complex = m.p.types.complex(Type::DOUBLE);
    assert_eq!(m.name_of(complex), "_Complex double");
    let atomic = m.p.types.qualified(Type::UINT, Quals::ATOMIC);
    assert_eq!(m.name_of(atomic), "_Atomic unsigned");
    let restricted = m.p.types.qualified(pointer, Quals::RESTRICT);
    let restricted = m.p.types.pointer(restricted);
    assert_eq!(m.name_of(restricted), "const char *restrict *");
}

#[test]
fn integer_constants_have_the_shortest_suffix() {
    let i386 = Target { arch: Arch::I386, ..Target::X86_64_GCC };
    let old = Target { std: Std::GNU89, ..i386 };
    let lp64 = Target::X86_64_GCC;
    use IntForm::{Decimal, Hex, Octal};
    for (target, value, form, kind, text) in [
        (lp64, 0, Decimal, IntKind::Int, "0"),
        (lp64, 0, Octal, IntKind::Int, "00"),
        (lp64, 8, Octal, IntKind::UInt, "010U"),
        (lp64, 2147483647, Decimal, IntKind::Int, "2147483647"),
        (lp64, 2147483648, Decimal, IntKind::Long, "2147483648"),
        (lp64, 2147483648, Decimal, IntKind::LLong, "2147483648LL"),
        (lp64, 2147483648, Hex, IntKind::UInt, "0x80000000"),
        (lp64, 2147483648, Hex, IntKind::Long, "0x80000000L"),
        (lp64, 1, Decimal, IntKind::ULong, "1UL"),
        (lp64, 1, Decimal, IntKind::ULLong, "1ULL"),
        (lp64, u64::MAX, Decimal, IntKind::ULong, "18446744073709551615U"),
        (lp64, u64::MAX, Hex, IntKind::ULong, "0xffffffffffffffff"),
        (lp64, u64::MAX, Hex, IntKind::ULLong, "0xffffffffffffffffLL"),
        (i386, 2147483648, Decimal, IntKind::LLong, "2147483648"),
        (i386, 2147483648, Hex, IntKind::ULong, "0x80000000L"),
        (i386, 4294967296, Decimal, IntKind::ULLong, "4294967296U"),
        (old, 2147483648, Decimal, IntKind::LLong, "2147483648LL"),
        (old, 2147483648, Decimal, IntKind::ULong, "2147483648UL"),
    ] {
        let mut m = Made::on(target);
        let expr = m.expr(ExprKind::Int { value, form }, kind.ty());
        assert_eq!(m.show(expr), text);
    }
}

#[test]
fn character_constants_give_their_value_back() {
    let i386 = Target { arch: Arch::I386, ..Target::X86_64_GCC };
    let lp64 = Target::X86_64_GCC;
    for (target, value, ty, text) in [
        (lp64, 97, Type::INT, "'a'"),
        (lp64, 39, Type::INT, "'\\''"),
        (lp64, 34, Type::INT, "'\"'"),
        (lp64, 0, Type::INT, "'\\0'"),
        (lp64, 0xffff_ffff, Type::INT, "'\\377'"),
        (lp64, 0x6162, Type::INT, "'ab'"),
        (lp64, 0x100, Type::INT, "L'\\400'"),
        (lp64, 0x1234, Type::INT, "L'\\u1234'"),
        (lp64, 97, Type::USHORT, "u'a'"),
        (lp64, 97, Type::UINT, "U'a'"),
        (i386, 0xff, Type::INT, "'\\0\\377'"),
        (i386, 97, Type::LONG, "L'a'"),
    ] {
        let mut m = Made::on(target);
        let expr = m.expr(ExprKind::Int { value, form: IntForm::Char }, ty);
        assert_eq!(m.show(expr), text);
    }
}

#[test]
fn strings_are_escaped() {
    let mut m = Made::new();
    let narrow = m.string(b"a\"\\\n\x011\0z??=?\xff");
    let wide: Box<[u32]> = [0x61, 0x1234, 0x61, 0x1f600, 0x66, 0xd800].into();
    let wide = m.p.strings.push(StrLit { units: StrUnits::Wide(wide), prefix: StrPrefix::Wide });
    let narrow = m.expr(ExprKind::Str(narrow), Type::CHAR);
    let wide = m.expr(ExprKind::Str(wide), Type::INT);
    assert_eq!(m.show(narrow), r#""a\"\\\n\0011\0z?\?=?\377""#);
    assert_eq!(m.show(wide), r#"L"a\u1234a\x1f600" L"f\xd800""#);
}

#[test]
fn floating_constants_are_exact() {
    let mut m = Made::new();
    for (bits, ty, text) in [
        (u128::from(1.0f64.to_bits()), Type::DOUBLE, "1.0"),
        (u128::from(0.1f64.to_bits()), Type::DOUBLE, "0.1"),
        (u128::from(1e300f64.to_bits()), Type::DOUBLE, "1e+300"),
        (u128::from(0.1f32.to_bits()), Type::FLOAT, "0.1f"),
        (0x3fff_8000_0000_0000_0000, Type::LDOUBLE, "1.0L"),
        (0x4000_c000_0000_0000_0000, Type::LDOUBLE, "3.0L"),
        (0x3fff_8000_u128 << 96, Type::FLOAT128, "1.5q"),
        (1, Type::FLOAT128, "0x1p-16494q"),
        (0x3c00, Type::FLOAT16, "1.0f16"),
    ] {
        let float = m.p.floats.push(FloatLit { bits, spelling: None });
        let expr = m.expr(ExprKind::Float(float), ty);
        assert_eq!(m.show(expr), text);
    }
    let float = m.p.floats.push(FloatLit { bits: u128::from(2.0f64.to_bits()), spelling: None });
    let float = m.expr(ExprKind::Float(float), Type::DOUBLE);
    let complex = m.p.types.complex(Type::DOUBLE);
    let imaginary = m.expr(ExprKind::Imaginary(float), complex);
    assert_eq!(m.show(imaginary), "2.0i");
}

#[test]
fn initialisers_have_the_designators_they_need() {
    let mut m = Made::new();
    let inner = m.record(RecordKind::Union, "", &[("x", Type::INT), ("y", Type::INT)]);
    let inner = m.p.types.record(inner);
    let outer = m.record(
        RecordKind::Struct,
        "S",
        &[("a", Type::INT), ("", Type::INT), ("", inner), ("z", Type::INT)],
    );
    m.p.types.records[outer].fields[1].bits = Some(3);
    let ty = m.p.types.record(outer);
    let one = m.int(1);
    let one = m.init(one);
    let y = m.init_list(&[(1, one)]);
    let x = m.init_list(&[(0, one)]);
    let in_turn = m.init_list(&[(0, one), (2, x), (3, one)]);
    let out_of_turn = m.init_list(&[(2, y), (3, one), (0, one)]);
    for (name, init) in [("s", in_turn), ("t", out_of_turn)] {
        let decl = m.global(name, ty);
        m.p.decls[decl].init = Some(init);
    }
    let array = m.p.types.array(Type::INT, Len::Fixed(9));
    let decl = m.global("a", array);
    let entries = [(0, 0), (1, 1), (4, 4), (5, 7), (8, 8)];
    let entries = entries.map(|(index, last)| InitEntry { index, last, init: one });
    let list = m.p.add_entries(&entries);
    m.p.decls[decl].init = Some(m.p.inits.push(howler_lang::program::Init::List(list)));
    assert_eq!(
        m.print(),
        "struct S s = {1, {1}, 1};\n\
         struct S t = {.y = 1, .z = 1, .a = 1};\n\
         int a[9] = {1, 1, [4] = 1, [5 ... 7] = 1, 1};\n"
    );
}

#[test]
fn helper_typedefs_come_before_the_first_use() {
    let mut m = Made::new();
    let variant = Variant { base: Type::INT, align: 1, may_alias: true, name: None };
    let unaligned = m.p.types.make_variant(variant);
    let pointer = m.p.types.pointer(unaligned);
    let nested = m.p.types.make_variant(Variant { base: pointer, align: 16, may_alias: false, name: None });
    m.global("howler_t1", Type::INT);
    m.global("p", nested);
    let constant = m.p.types.qualified(unaligned, Quals::CONST);
    m.global("q", constant);
    assert_eq!(
        m.print(),
        "int howler_t1;\n\
         typedef int howler_t2 __attribute__((aligned(1), may_alias));\n\
         typedef howler_t2 *howler_t3 __attribute__((aligned(16)));\n\
         howler_t3 p;\n\
         const howler_t2 q;\n"
    );
}

#[test]
fn a_helper_typedef_of_a_local_tag_stands_in_its_block() {
    let mut m = Made::new();
    let record = m.record(RecordKind::Struct, "S", &[("a", Type::INT)]);
    let ty = m.p.types.record(record);
    let variant = m.p.types.make_variant(Variant { base: ty, align: 32, may_alias: false, name: None });
    let define = m.stmt(StmtKind::Item(Item::Record(record)));
    let x = m.decl("x", variant);
    let x = m.stmt(StmtKind::Item(Item::Decl(x)));
    let inner = m.block(&[x]);
    let body = m.block(&[define, inner]);
    m.function("f", Type::VOID, &[], body);
    assert_eq!(
        m.print(),
        "void f(void) {\n    struct S {\n        int a;\n    };\n    \
         typedef struct S howler_t1 __attribute__((aligned(32)));\n    {\n        howler_t1 x;\n    }\n}\n"
    );
}

#[test]
fn va_list_has_its_name() {
    let mut m = Made::new();
    let tag = m.record(RecordKind::Struct, "__va_list_tag", &[("gp_offset", Type::UINT)]);
    m.p.types.records[tag].va_list_tag = true;
    let tag = m.p.types.record(tag);
    let list = m.p.types.array(tag, Len::Fixed(1));
    let pointer = m.p.types.pointer(list);
    let decayed = m.p.types.pointer(tag);
    m.global("p", pointer);
    let ap = m.object("ap", decayed);
    let body = m.block(&[]);
    m.function("f", Type::VOID, &[ap], body);
    assert_eq!(m.print(), "__builtin_va_list *p;\n\nvoid f(__builtin_va_list ap) {}\n");
}

#[test]
fn parameters_keep_their_bounds() {
    let mut m = Made::new();
    let n = m.object("n", Type::INT);
    let value = m.load(n);
    let vla = m.p.types.vlas.push(value);
    let row = m.p.types.array(Type::INT, Len::Variable(vla));
    let pointer = m.p.types.pointer(row);
    let a = m.object("a", pointer);
    m.p.objects[a].param_bound = Some(ParamBound { len: value, at_least: true });
    let constant = m.p.types.pointer(Type::CHAR);
    let constant = m.p.types.qualified(constant, Quals::CONST);
    let b = m.object("b", constant);
    let three = m.int(3);
    m.p.objects[b].param_bound = Some(ParamBound { len: three, at_least: true });
    let body = m.block(&[]);
    let (func, decl) = m.function("f", Type::VOID, &[n, a, b], body);
    let star = m.p.types.array(Type::INT, Len::Star);
    let star = m.p.types.pointer(star);
    let proto = m.signature(Type::VOID, &[Type::INT, star]);
    let proto = m.decl_of(Entity::Function(func), proto);
    m.item(Item::Decl(proto));
    assert_eq!(
        m.print(),
        "void f(int n, int a[static n][n], char b[static const 3]) {}\n\nvoid f(int, int (*)[*]);\n"
    );
    m.p.funcs[func].old_style = true;
    let old = Signature { ret: Type::VOID, params: [].into(), variadic: false, prototype: false };
    m.p.decls[decl].ty = m.p.types.function(old);
    let text = m.print();
    assert!(text.starts_with("void f(n, a, b)\n    int n;\n    int a[static n][n];\n"), "{text}");
}

#[test]
fn records_and_packing() {
    let mut m = Made::new();
    let inner = m.record(RecordKind::Union, "", &[("x", Type::INT), ("y", Type::CHAR)]);
    m.p.types.records[inner].pack = 2;
    let inner = m.p.types.record(inner);
    let array = m.p.types.array(Type::LONG, Len::Unknown);
    let fields = [("a", Type::UINT), ("", Type::INT), ("", inner), ("d", array)];
    let record = m.record(RecordKind::Struct, "S", &fields);
    let it = &mut m.p.types.records[record];
    (it.pack, it.packed, it.align) = (2, true, 8);
    (it.fields[0].bits, it.fields[1].bits) = (Some(3), Some(0));
    (it.fields[3].align, it.fields[3].packed) = (4, true);
    m.item(Item::Record(record));
    let tag = m.record(RecordKind::Union, "U", &[]);
    m.item(Item::RecordTag(tag));
    assert_eq!(
        m.print(),
        "#pragma pack(2)\nstruct S {\n    unsigned a : 3;\n    int : 0;\n    union {\n        int x;\n        \
         char y;\n    };\n    long d[] __attribute__((packed, aligned(4)));\n\
         } __attribute__((packed, aligned(8)));\n#pragma pack()\n\nunion U;\n"
    );
}

#[test]
fn statements_read_as_written() {
    let mut m = Made::new();
    let x = m.object("x", Type::INT);
    let cond = m.load(x);
    let brk = m.stmt(StmtKind::Break);
    let empty = m.stmt(StmtKind::Empty);
    let block = m.block(&[brk]);
    let last = m.stmt(StmtKind::If { cond, then: block, other: Some(brk) });
    let chain = m.stmt(StmtKind::If { cond, then: block, other: Some(last) });
    let plain = m.stmt(StmtKind::If { cond, then: brk, other: Some(chain) });
    let (one, five) = (m.int(1), m.int(5));
    let default = m.stmt(StmtKind::Default(block));
    let case = m.stmt(StmtKind::Case { lo: one, hi: Some(five), body: default });
    let cases = m.block(&[case, plain]);
    let switch = m.stmt(StmtKind::Switch { value: cond, body: cases });
    let pointer = m.p.types.pointer(Type::INT);
    let (i, p) = (m.decl("i", Type::INT), m.decl("p", pointer));
    m.p.decls[i].init = Some(m.p.inits.push(howler_lang::program::Init::Expr(one)));
    let (i, p) = (m.stmt(StmtKind::Item(Item::Decl(i))), m.stmt(StmtKind::Item(Item::Decl(p))));
    let list = m.p.add_block(&[i, p]);
    let head = m.stmt(StmtKind::Decls(list));
    let name = m.sym("out");
    let label = m.p.labels.push(howler_lang::program::Label {
        name,
        local: false,
        pos: howler_lang::source::Pos::NONE,
    });
    let loop_ = m.stmt(StmtKind::For { init: Some(head), cond: Some(cond), step: None, body: switch });
    let forever = m.stmt(StmtKind::For { init: None, cond: None, step: None, body: empty });
    let round = m.stmt(StmtKind::DoWhile { body: forever, cond });
    let marked = m.stmt(StmtKind::Label(label, empty));
    let body = m.block(&[loop_, round, marked]);
    m.function("f", Type::VOID, &[x], body);
    let expected = "\
void f(int x) {
    for (int i = 1, *p; x;)
        switch (x) {
        case 1 ... 5:
        default: {
            break;
        }
            if (x)
                break;
            else if (x) {
                break;
            } else if (x) {
                break;
            } else
                break;
        }
    do
        for (;;)
            ;
    while (x);
out:
    ;
}
";
    assert_eq!(m.print(), expected);
}

#[test]
fn c89_uses_its_keywords() {
    let std = Std { edition: Edition::C89, gnu: false };
    let mut m = Made::on(Target { std, ..Target::X86_64_GCC });
    let pointer = m.p.types.pointer(Type::INT);
    let pointer = m.p.types.qualified(pointer, Quals::RESTRICT);
    assert_eq!(m.name_of(pointer), "int *__restrict");
}

#[test]
fn includes_hide_what_they_bring() {
    let mut m = Made::new();
    let header = m.sym("<stdio.h>");
    m.item(Item::Include(header));
    m.global("hidden", Type::INT);
    m.item(Item::Include(header));
    m.item(Item::IncludeEnd);
    m.global("hidden2", Type::INT);
    m.item(Item::IncludeEnd);
    m.global("seen", Type::INT);
    assert_eq!(m.print(), "#include <stdio.h>\nint seen;\n");
    let options = howler_lang::print::PrintOptions {
        includes: howler_lang::print::Includes::Expand,
        ..Default::default()
    };
    assert_eq!(howler_lang::print::unit(&m.p, 0, &options), "int hidden;\nint hidden2;\nint seen;\n");
}

/// Runs on a small stack, so that recursion would show.
fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(test).unwrap();
    thread.join().unwrap();
}

#[test]
fn deep_trees_need_no_stack() {
    on_small_stack(|| {
        const DEPTH: usize = 100_000;
        let mut m = Made::new();
        let x = m.object("x", Type::INT);
        let leaf = m.load(x);
        let (mut left, mut right, mut negated, mut asked) = (leaf, leaf, leaf, leaf);
        for _ in 0..DEPTH {
            left = m.binary(BinaryOp::Sub, left, leaf);
            right = m.binary(BinaryOp::Sub, leaf, right);
            negated = m.unary(UnaryOp::Neg, negated);
            asked = m.expr(ExprKind::Cond(leaf, leaf, asked), Type::INT);
        }
        assert_eq!(m.show(left).len(), 4 * DEPTH + 1);
        assert_eq!(m.show(right).len(), 6 * DEPTH + 1 - 2);
        assert_eq!(m.show(negated).len(), 2 * DEPTH);
        let (mut nested, mut chain) = (m.block(&[]), m.block(&[]));
        let mut wrapped = leaf;
        for at in 0..DEPTH {
            nested = m.block(&[nested]);
            let then = m.block(&[]);
            chain = m.stmt(StmtKind::If { cond: leaf, then, other: Some(chain) });
            if at % 10 == 0 {
                let value = m.stmt(StmtKind::Expr(wrapped));
                let body = m.block(&[value]);
                wrapped = m.expr(ExprKind::StmtExpr(body), Type::INT);
            }
        }
        let stmts = [left, right, negated, asked, wrapped].map(|expr| m.stmt(StmtKind::Expr(expr)));
        let stmts = [stmts.as_slice(), &[nested, chain]].concat();
        let body = m.block(&stmts);
        m.function("f", Type::VOID, &[x], body);
        assert!(m.print().contains("} else if (x) {"));
        let dump = howler_lang::dump::program(&m.p);
        assert!(dump.len() > DEPTH);
    });
}

#[test]
fn nested_types_and_initialisers_need_no_stack() {
    on_small_stack(|| {
        const DEPTH: usize = 20_000;
        let mut m = Made::new();
        let (mut ty, mut callback) = (Type::INT, Type::INT);
        let one = m.int(1);
        let mut init = m.init(one);
        for _ in 0..DEPTH {
            ty = m.p.types.array(ty, Len::Fixed(1));
            let function = m.signature(Type::VOID, &[callback]);
            callback = m.p.types.pointer(function);
            init = m.init_list(&[(0, init)]);
        }
        let decl = m.global("a", ty);
        m.p.decls[decl].init = Some(init);
        m.global("f", callback);
        assert!(m.print().len() > 10 * DEPTH);
    });
}
