//! The printer against compilers, which are an independent reading of its text: declarators, precedence, literals.

mod made;

use howler_lang::program::{
    Asm, AsmOperand, Attr, AttrArg, BinaryOp, Conv, Duration, Entity, ExprId, ExprKind, Init, IntForm, Item,
    Label, ParamBound, PathStep, StmtKind, Storage, StrLit, StrPrefix, StrUnits, UnaryOp,
};
use howler_lang::source::Pos;
use howler_lang::target::{Arch, Std, Target};
use howler_lang::ty::{Enum, Enumerator, IntKind, Len, Quals, RecordKind, Signature, Type, Variant};
use howler_testkit::expression::{self, Class, Shape, Source, Tree};
use howler_testkit::{Options, Scratch, run, tool};
use made::Made;
use std::fmt::Write as _;

/// A small fixed generator: these tests need variety, not randomness of any quality.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }
}

/// Requires every compiler of `tools` to take the text.
fn accepted(name: &str, text: &str, tools: &[&str], flags: &[&str]) {
    let scratch = Scratch::new();
    let file = scratch.write(&format!("{name}.c"), text);
    for compiler in tools.iter().filter_map(|name| tool(name)) {
        let mut args = vec!["-fsyntax-only", "-w", file.to_str().unwrap()];
        args.extend(flags);
        let output = run(&compiler, &args, &Options::default());
        assert!(output.success(), "{compiler:?} refuses {name}:\n{}\n{text}", output.stderr_text());
    }
}

/// A random type, and typedefs that build it one step at a time; the last is `t<n>`.
fn random_type(
    m: &mut Made,
    dice: &mut Dice,
    typedefs: &mut String,
    next: &mut u32,
    depth: u32,
) -> (Type, u32) {
    let basics = [
        (Type::INT, "int"),
        (Type::ULONG, "unsigned long"),
        (Type::CHAR, "char"),
        (Type::LDOUBLE, "long double"),
        (Type::BOOL, "_Bool"),
        (Type::INT128, "__int128"),
        (Type::FLOAT128, "__float128"),
    ];
    let (mut ty, text) = basics[dice.roll(basics.len() as u64) as usize];
    let mut name = *next;
    *next += 1;
    match dice.roll(4) {
        0 => {
            ty = m.p.types.vector(Type::SHORT, 8);
            let _ = writeln!(typedefs, "typedef short t{name} __attribute__((vector_size(16)));");
        }
        1 => {
            ty = m.p.types.complex(Type::FLOAT);
            let _ = writeln!(typedefs, "typedef _Complex float t{name};");
        }
        _ => {
            let _ = writeln!(typedefs, "typedef {text} t{name};");
        }
    }
    // What C lets an array hold and a function return decides which steps may follow.
    let (mut is_function, mut is_array) = (false, false);
    for _ in 0..dice.roll(7) {
        let from = name;
        name = *next;
        *next += 1;
        match dice.roll(if is_function { 2 } else { 5 }) {
            0 | 1 => {
                ty = m.p.types.pointer(ty);
                let _ = writeln!(typedefs, "typedef t{from} *t{name};");
                (is_function, is_array) = (false, false);
            }
            2 => {
                let quals = [
                    (Quals::CONST, "const"),
                    (Quals::VOLATILE, "volatile"),
                    (Quals::CONST.union(Quals::VOLATILE), "const volatile"),
                ];
                let (quals, text) = quals[dice.roll(3) as usize];
                ty = m.p.types.qualified(ty, quals);
                let _ = writeln!(typedefs, "typedef {text} t{from} t{name};");
            }
            3 => {
                let len = dice.roll(5) + 1;
                ty = m.p.types.array(ty, Len::Fixed(len));
                let _ = writeln!(typedefs, "typedef t{from} t{name}[{len}];");
                is_array = true;
            }
            _ if is_array => {
                let _ = writeln!(typedefs, "typedef t{from} t{name};");
            }
            _ => {
                let mut params = Vec::new();
                let mut list = String::new();
                for _ in 0..if depth == 0 { 0 } else { dice.roll(3) } {
                    let (param, param_name) = random_type(m, dice, typedefs, next, depth - 1);
                    let param = m.p.types.pointer(param);
                    params.push(param);
                    let _ = write!(list, "{}t{param_name} *", if list.is_empty() { "" } else { ", " });
                }
                let variadic = !params.is_empty() && dice.roll(4) == 0;
                let prototype = !params.is_empty() || dice.roll(2) == 0;
                if variadic {
                    list.push_str(", ...");
                } else if prototype && params.is_empty() {
                    list.push_str("void");
                }
                let signature = Signature { ret: ty, params: params.into(), variadic, prototype };
                ty = m.p.types.function(signature);
                let _ = writeln!(typedefs, "typedef t{from} t{name}({list});");
                is_function = true;
            }
        }
    }
    (ty, name)
}

#[test]
fn declarators_mean_what_a_chain_of_typedefs_means() {
    let mut dice = Dice(1);
    let mut m = Made::new();
    let mut text = String::new();
    let mut next = 0;
    let mut names = Vec::new();
    for at in 0..600 {
        let (ty, name) = random_type(&mut m, &mut dice, &mut text, &mut next, 2);
        let decl = m.global(&format!("x{at}"), ty);
        m.p.decls[decl].storage = Storage::Extern;
        names.push((ty, name));
    }
    text.push_str(&m.print());
    for (at, (ty, name)) in names.into_iter().enumerate() {
        // A redeclaration must be compatible, qualifiers included (C17 6.7p4); so must a type name.
        let _ = writeln!(text, "extern t{name} x{at};");
        // It goes through a pointer because clang-16 hangs on `__typeof__` of a function type returning a vector.
        let pointer = m.p.types.pointer(ty);
        let _ = writeln!(text, "extern __typeof__(*({})0) x{at};", m.name_of(pointer));
    }
    accepted("declarators", &text, &["gcc-12", "clang-16"], &[]);
}

/// Constant expressions over unsigned integers.
impl Source for Dice {
    fn shape(&self) -> Shape {
        Shape { floats: false, effects: false, partial: false }
    }

    fn below(&mut self, _: &'static str, count: u64) -> u64 {
        self.roll(count)
    }

    fn leaf(&mut self, _: Class) -> String {
        format!("{}u", self.roll(50))
    }

    fn lvalue(&mut self, _: Class) -> String {
        unreachable!("nothing is changed")
    }

    fn type_name(&mut self, _: Class) -> &'static str {
        ["unsigned", "unsigned long"][self.roll(2) as usize]
    }
}

/// The expression that a tree is, with types that are good enough to print it.
fn made_of(m: &mut Made, tree: &Tree) -> ExprId {
    match tree {
        Tree::Leaf(text) => {
            let value = text.trim_end_matches('u').parse().unwrap();
            m.expr(ExprKind::Int { value, form: IntForm::Decimal }, Type::UINT)
        }
        Tree::Unary(op, a) => {
            let a = made_of(m, a);
            let op = match *op {
                "-" => UnaryOp::Neg,
                "+" => UnaryOp::Plus,
                "~" => UnaryOp::BitNot,
                "!" => UnaryOp::Not,
                _ => panic!("{op}"),
            };
            m.unary(op, a)
        }
        Tree::Binary(op, a, b) => {
            let (a, b) = (made_of(m, a), made_of(m, b));
            let op = OPERATORS.into_iter().find(|known| known.symbol() == *op).unwrap();
            m.binary(op, a, b)
        }
        Tree::Cond(parts) => {
            let [cond, then, other] = [0, 1, 2].map(|part| made_of(m, &parts[part]));
            m.expr(ExprKind::Cond(cond, then, other), Type::UINT)
        }
        Tree::Cast(ty, a) => {
            let a = made_of(m, a);
            let ty = match *ty {
                "unsigned" => Type::UINT,
                "unsigned long" => Type::ULONG,
                "unsigned long long" => Type::ULLONG,
                _ => panic!("{ty}"),
            };
            m.expr(ExprKind::Cast(Conv::IntToInt, a), ty)
        }
        Tree::Assign(..) | Tree::Step(..) => panic!("nothing is changed"),
    }
}

const OPERATORS: [BinaryOp; 14] = [
    BinaryOp::Mul,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::BitAnd,
    BinaryOp::BitXor,
    BinaryOp::BitOr,
    BinaryOp::Lt,
    BinaryOp::Gt,
    BinaryOp::Le,
    BinaryOp::Ge,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::And,
    BinaryOp::Or,
];

#[test]
fn fewer_parentheses_mean_the_same() {
    let mut dice = Dice(2);
    let mut text = String::new();
    for _ in 0..1500 {
        let mut m = Made::new();
        let tree = expression::draw(&mut dice, Class::Int, 5);
        let expr = made_of(&mut m, &tree);
        let _ = writeln!(text, "_Static_assert(({}) == ({}), \"\");", m.show(expr), tree.text());
    }
    accepted("precedence", &text, &["gcc-12", "clang-16"], &[]);
}

#[test]
fn constants_have_their_type_and_value() {
    let ilp32 = Target { arch: Arch::I386, ..Target::X86_64_GCC };
    let kinds = [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong, IntKind::LLong, IntKind::ULLong];
    for (name, base, machine) in [("lp64", Target::X86_64_GCC, "-m64"), ("ilp32", ilp32, "-m32")] {
        for std in [Std::GNU17, Std::GNU89] {
            let mut m = Made::on(Target { std, ..base });
            let mut text = String::new();
            let mut check = |m: &mut Made, value: u64, form: IntForm, ty: Type| {
                let expr = m.expr(ExprKind::Int { value, form }, ty);
                let (shown, ty_name) = (m.show(expr), m.name_of(ty));
                let _ = writeln!(
                    text,
                    "_Static_assert(__builtin_types_compatible_p(__typeof__({shown}), {ty_name}) \
                     && {shown} == ({ty_name}){value:#x}ull, \"\");"
                );
            };
            for bits in [0, 1, 7, 8, 31, 32, 33, 63] {
                for around in [-1i64, 0, 1] {
                    let value = (1u64 << bits).wrapping_add_signed(around);
                    for kind in kinds {
                        let (width, unsigned) = match kind {
                            IntKind::Int | IntKind::UInt => (32, kind == IntKind::UInt),
                            IntKind::Long | IntKind::ULong => {
                                (u32::from(base.layout().long) * 8, kind == IntKind::ULong)
                            }
                            _ => (64, kind == IntKind::ULLong),
                        };
                        if value > u64::MAX >> (64 - width + u32::from(!unsigned)) {
                            continue;
                        }
                        for form in [IntForm::Decimal, IntForm::Hex, IntForm::Octal] {
                            check(&mut m, value, form, kind.ty());
                        }
                    }
                }
            }
            for value in (0..256).chain((0x80..0x100).map(|low| 0xffff_ff00 | low)) {
                check(&mut m, value, IntForm::Char, Type::INT);
            }
            for value in [0x100, 0x1234, 0x6162, 0x6100, 0x6162_6364, 0x8000_0000] {
                check(&mut m, value, IntForm::Char, Type::INT);
            }
            let file = format!("constants_{name}_{}", std.name());
            accepted(&file, &text, &["gcc-12", "clang-16"], &[machine, &format!("-std={}", std.name())]);
        }
    }
}

#[test]
fn strings_have_their_units() {
    let mut dice = Dice(3);
    let mut text = String::from("int memcmp(const void *, const void *, unsigned long);\nint main(void) {\n");
    let plain = b"?\\\"'=/0178aAfF\n\0\x01\x7f\x80\xff<>(x";
    for at in 0..400 {
        let len = dice.roll(12);
        let (prefix, ty, limit) = match at % 4 {
            0 => (StrPrefix::None, "unsigned char", 0x100),
            1 => (StrPrefix::Wide, "unsigned", 0x11_0000),
            2 => (StrPrefix::Utf16, "unsigned short", 0x1_0000),
            _ => (StrPrefix::Utf32, "unsigned", 0x11_0000),
        };
        let units: Vec<u32> = (0..len)
            .map(|_| match dice.roll(4) {
                0 => dice.roll(limit) as u32,
                _ => u32::from(plain[dice.roll(plain.len() as u64) as usize]),
            })
            .collect();
        let mut m = Made::new();
        let content = match prefix {
            StrPrefix::None => StrUnits::Narrow(units.iter().map(|&unit| unit as u8).collect()),
            _ => StrUnits::Wide(units.clone().into()),
        };
        let id = m.p.strings.push(StrLit { units: content, prefix });
        let expr = m.expr(ExprKind::Str(id), Type::CHAR);
        let shown = m.show(expr);
        let list: String = units.iter().map(|unit| format!("{unit}, ")).collect();
        let _ = writeln!(
            text,
            "{{ static const {ty} e[] = {{{list}0}}; \
             if (sizeof({shown}) != sizeof e || memcmp({shown}, e, sizeof e)) return 1; }}"
        );
    }
    text.push_str("return 0; }\n");
    let scratch = Scratch::new();
    let (source, binary) = (scratch.write("strings.c", text), scratch.path("strings"));
    for compiler in ["gcc-12", "clang-16"].into_iter().filter_map(tool) {
        // With trigraphs on, which is the harder reading.
        let args = ["-w", "-trigraphs", "-o", binary.to_str().unwrap(), source.to_str().unwrap()];
        assert!(run(&compiler, args, &Options::default()).success(), "{compiler:?} refuses the strings");
        let ran = run(&binary, [""; 0], &Options::default());
        assert!(ran.success(), "{compiler:?} reads a string otherwise");
    }
}

/// One of nearly everything, on x86-64.
fn show_case(mut m: Made) -> Made {
    // Tags.
    let anonymous = m.record(RecordKind::Union, "", &[("u", Type::INT), ("v", Type::FLOAT)]);
    let anonymous = m.p.types.record(anonymous);
    let array = m.p.types.array(Type::CHAR, Len::Fixed(5));
    let record = m.record(
        RecordKind::Struct,
        "S",
        &[("a", Type::INT), ("", anonymous), ("b", Type::INT), ("c", array)],
    );
    m.p.types.records[record].fields[2].bits = Some(7);
    m.p.types.records[record].packed = true;
    m.p.types.records[record].pack = 4;
    m.item(Item::RecordTag(record));
    m.item(Item::Record(record));
    let s = m.p.types.record(record);
    let (tag, one, two) = (m.sym("E"), m.sym("ONE"), m.sym("BIG"));
    let mut constants = Vec::new();
    for (name, value, explicit) in [(one, i128::from(i32::MIN), true), (two, -2147483647, false)] {
        let constant = Enumerator { name, value, ty: Type::INT, explicit, pos: Pos::NONE };
        constants.push(m.p.types.enumerators.push(constant));
    }
    let big = constants[1];
    let underlying = IntKind::Int;
    let enumeration = Enum {
        tag,
        written: Some(tag),
        unit: 0,
        constants,
        complete: true,
        packed: true,
        underlying,
        pos: Pos::NONE,
    };
    let enumeration = m.p.types.enums.push(enumeration);
    m.item(Item::Enum(enumeration));
    let e = m.p.types.enumeration(enumeration);
    // Objects with attributes, labels, alignment.
    let section = Attr { name: m.sym("section"), args: vec![AttrArg::Str("data.x".to_owned())] };
    let decl = m.global("g", e);
    m.p.decls[decl].storage = Storage::Static;
    m.p.decls[decl].attrs = vec![section, Attr { name: m.sym("used"), args: Vec::new() }];
    m.p.decls[decl].align = 16;
    let constant = m.expr(ExprKind::EnumConst(big), Type::INT);
    m.p.decls[decl].init = Some(m.p.inits.push(Init::Expr(constant)));
    let decl = m.global("named", s);
    m.p.decls[decl].storage = Storage::Extern;
    m.p.decls[decl].thread = true;
    m.p.decls[decl].asm_label = Some(m.string(b"other"));
    let text = m.string(b".globl nothing");
    m.item(Item::Asm(text));
    // Variants.
    let loose = m.p.types.make_variant(Variant { base: Type::LONG, align: 1, may_alias: true, name: None });
    let loose = m.p.types.pointer(loose);
    m.global("loose", loose);
    // A function with everything inside.
    let n = m.object("n", Type::INT);
    let value = m.load(n);
    let vla = m.p.types.vlas.push(value);
    let row = m.p.types.array(Type::INT, Len::Variable(vla));
    let rows = m.p.types.pointer(row);
    let a = m.object("a", rows);
    m.p.objects[a].param_bound = Some(ParamBound { len: value, at_least: true });
    let sp = m.p.types.pointer(s);
    let p = m.object("p", sp);
    for object in [n, a, p] {
        m.p.objects[object].duration = Duration::Parameter;
    }
    let mut stmts = Vec::new();
    let loaded = m.load(p);
    let star = m.unary(UnaryOp::Deref, loaded);
    let hidden = m.expr(ExprKind::Member { base: star, field: 1 }, anonymous);
    let u = m.expr(ExprKind::Member { base: hidden, field: 0 }, Type::INT);
    let compound =
        m.expr(ExprKind::Compound { op: BinaryOp::Shl, lhs: u, rhs: value, compute: Type::INT }, Type::INT);
    stmts.push(m.stmt(StmtKind::Expr(compound)));
    let one = m.int(1);
    let one_init = m.init(one);
    let literal_init = m.init_list(&[(0, one_init), (2, one_init)]);
    let literal = m.object("", s);
    m.p.objects[literal].init = Some(literal_init);
    let literal = m.expr(ExprKind::CompoundLiteral(literal), s);
    let member = m.expr(ExprKind::Member { base: literal, field: 0 }, Type::INT);
    let size = m.expr(ExprKind::SizeofExpr(literal), Type::ULONG);
    let align = m.expr(ExprKind::AlignofType { of: s, preferred: true }, Type::ULONG);
    let sum = m.binary(BinaryOp::Add, size, align);
    let path = m.p.paths.push(vec![PathStep::Field(record, 3), PathStep::Index(one)]);
    let offset = m.expr(ExprKind::Offsetof(s, path), Type::ULONG);
    let sum = m.binary(BinaryOp::Mul, sum, offset);
    let both = m.expr(ExprKind::Comma(member, sum), Type::ULONG);
    let void = m.expr(ExprKind::Cast(Conv::ToVoid, both), Type::VOID);
    stmts.push(m.stmt(StmtKind::Expr(void)));
    // A kept typedef, and a qualified use of it.
    let bound = m.p.types.vlas.push(sum);
    let name = m.sym("T");
    let base = m.p.types.array(Type::SHORT, Len::Variable(bound));
    let variant = m.p.types.make_variant(Variant { base, align: 0, may_alias: false, name: Some(name) });
    let decl = m.decl_of(Entity::Typedef(name), variant);
    stmts.push(m.stmt(StmtKind::Item(Item::Decl(decl))));
    let constant = m.p.types.qualified(variant, Quals::CONST);
    let pointer = m.p.types.pointer(constant);
    let decl = m.decl("to_vla", pointer);
    stmts.push(m.stmt(StmtKind::Item(Item::Decl(decl))));
    let bounds = m.decl_of(Entity::Bounds, row);
    stmts.push(m.stmt(StmtKind::Item(Item::Decl(bounds))));
    // Labels and jumps.
    let name = m.sym("again");
    let label = m.p.labels.push(Label { name, local: false, pos: Pos::NONE });
    let address = m.p.types.pointer(Type::VOID);
    let address = m.expr(ExprKind::LabelAddr(label), address);
    let jump = m.stmt(StmtKind::GotoComputed(address));
    let again = m.stmt(StmtKind::Label(label, jump));
    let nvar = m.var(n);
    let (out, input, memory) = (m.string(b"=r"), m.string(b"g"), m.string(b"memory"));
    let name = Some(m.sym("in"));
    let asm = Asm {
        volatile: true,
        goto: false,
        inline: false,
        basic: false,
        template: m.string(b"mov %[in], %0"),
        outputs: vec![AsmOperand { name: None, constraint: out, expr: nvar }],
        inputs: vec![AsmOperand { name, constraint: input, expr: value }],
        clobbers: vec![memory],
        labels: Vec::new(),
    };
    let asm = m.p.asms.push(asm);
    stmts.push(m.stmt(StmtKind::Asm(asm)));
    stmts.push(again);
    let last = m.stmt(StmtKind::Expr(value));
    let inside = m.block(&[last]);
    let statement = m.expr(ExprKind::StmtExpr(inside), Type::INT);
    let elvis = m.expr(ExprKind::Elvis(statement, one), Type::INT);
    stmts.push(m.stmt(StmtKind::Return(Some(elvis))));
    let body = m.block(&stmts);
    let (_, decl) = m.function("f", Type::INT, &[n, a, p], body);
    m.p.decls[decl].storage = Storage::Static;
    m.p.decls[decl].inline = true;
    m.p.decls[decl].attrs = vec![Attr { name: m.sym("noinline"), args: Vec::new() }];
    m
}

#[test]
fn the_show_case_compiles() {
    accepted("show_case", &show_case(Made::new()).print(), &["gcc-12", "clang-16"], &["-std=gnu17"]);
}

#[test]
fn printing_leaves_no_trace_of_arena_order() {
    // Unrelated nodes before the program change every id, and neither text.
    let plain = show_case(Made::new());
    let mut junk = Made::new();
    junk.int(7);
    junk.object("unused", Type::INT);
    junk.record(RecordKind::Union, "unused", &[]);
    junk.string(b"unused");
    junk.block(&[]);
    let pointer = junk.p.types.pointer(Type::BOOL);
    junk.signature(pointer, &[pointer]);
    let shifted = show_case(junk);
    assert_eq!(plain.print(), shifted.print());
    assert_eq!(howler_lang::dump::program(&plain.p), howler_lang::dump::program(&shifted.p));
}
