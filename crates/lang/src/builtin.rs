//! The builtins of gcc and clang that Howler knows: their names, and the types of those that are functions.
//!
//! A builtin with a fixed prototype is an ordinary [`Function`](crate::program::Function) that needs no declaration.
//! One whose type depends on its operands is an operator, [`ExprKind::Builtin`](crate::program::ExprKind::Builtin),
//! and `build::builtin` types it. Builtins with syntax of their own (`__builtin_offsetof` and the like) are keywords
//! of the front end and not here. Nor is what a builtin does.

mod table;

use crate::program::{Builtin, Program};
use crate::target::Target;
use crate::ty::{Field, Len, Quals, Record, RecordKind, Signature, Type, TypeKind};
use table::{ELSEWHERE, LIBRARY, MATH, MATH_PREFIXED, OTHER, PREFIXED};

/// What a name means as a builtin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuiltinDef {
    /// A function with this prototype.
    Function(Prototype),
    /// An operator, for `build::builtin`.
    Operator(Builtin),
}

/// The type of a builtin function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prototype {
    signature: &'static str,
    /// What `T` is.
    real: Type,
    /// Whether a library has a function of this kind, so that its address can be taken.
    pub library: bool,
}

/// How an operator is typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    /// Any value to `int`; not evaluated.
    Inspect,
    /// A floating value to `int`.
    Classify,
    /// Two real values, one of them floating, to `int`.
    Compare,
    /// Five ints and a floating value to `int`.
    FpClassify,
    /// Two integers and a pointer to an integer to `_Bool`.
    Overflow,
    /// Three integers to `_Bool`.
    OverflowP,
    /// Two floating values of one type to its complex type.
    Complex,
    /// One or two vectors and a vector of indices.
    Shuffle,
    /// Two vectors and constants.
    ShuffleVector,
    /// A vector to the expression's type: `build::convert_vector`.
    ConvertVector,
    /// `va_start`.
    VaStart,
    /// `va_end`.
    VaEnd,
    /// `va_copy`.
    VaCopy,
    /// Any value, handed on.
    Identity,
    /// A scalar value and what to give instead of it.
    Safe,
    /// An atomic access through a pointer to `X`: one letter each for the result and the operands after the
    /// pointer: `x` an `X`, `p` a pointer to `X`, `i` an int, `b` a `_Bool`, `v` void. A trailing `.` lets further
    /// operands pass (and drops them).
    Atomic(&'static str),
}

macro_rules! operators {
    ($($ident:ident $name:literal $rule:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($ident,)* }

        $(
            #[doc = concat!("`", $name, "`")]
            pub const $ident: Builtin = Builtin(Index::$ident as u16);
        )*

        /// All operators, sorted by name: a [`Builtin`] is an index into this table.
        static OPERATORS: &[(&str, Rule)] = &[$(($name, $rule),)*];
    };
}

operators! {
    ATOMIC_ADD_FETCH "__atomic_add_fetch" Rule::Atomic("x xi");
    ATOMIC_AND_FETCH "__atomic_and_fetch" Rule::Atomic("x xi");
    ATOMIC_COMPARE_EXCHANGE "__atomic_compare_exchange" Rule::Atomic("b ppbii");
    ATOMIC_COMPARE_EXCHANGE_N "__atomic_compare_exchange_n" Rule::Atomic("b pxbii");
    ATOMIC_EXCHANGE "__atomic_exchange" Rule::Atomic("v ppi");
    ATOMIC_EXCHANGE_N "__atomic_exchange_n" Rule::Atomic("x xi");
    ATOMIC_FETCH_ADD "__atomic_fetch_add" Rule::Atomic("x xi");
    ATOMIC_FETCH_AND "__atomic_fetch_and" Rule::Atomic("x xi");
    ATOMIC_FETCH_NAND "__atomic_fetch_nand" Rule::Atomic("x xi");
    ATOMIC_FETCH_OR "__atomic_fetch_or" Rule::Atomic("x xi");
    ATOMIC_FETCH_SUB "__atomic_fetch_sub" Rule::Atomic("x xi");
    ATOMIC_FETCH_XOR "__atomic_fetch_xor" Rule::Atomic("x xi");
    ATOMIC_LOAD "__atomic_load" Rule::Atomic("v pi");
    ATOMIC_LOAD_N "__atomic_load_n" Rule::Atomic("x i");
    ATOMIC_NAND_FETCH "__atomic_nand_fetch" Rule::Atomic("x xi");
    ATOMIC_OR_FETCH "__atomic_or_fetch" Rule::Atomic("x xi");
    ATOMIC_STORE "__atomic_store" Rule::Atomic("v pi");
    ATOMIC_STORE_N "__atomic_store_n" Rule::Atomic("v xi");
    ATOMIC_SUB_FETCH "__atomic_sub_fetch" Rule::Atomic("x xi");
    ATOMIC_XOR_FETCH "__atomic_xor_fetch" Rule::Atomic("x xi");
    ADD_OVERFLOW "__builtin_add_overflow" Rule::Overflow;
    ADD_OVERFLOW_P "__builtin_add_overflow_p" Rule::OverflowP;
    ASSOC_BARRIER "__builtin_assoc_barrier" Rule::Identity;
    CLASSIFY_TYPE "__builtin_classify_type" Rule::Inspect;
    COMPLEX "__builtin_complex" Rule::Complex;
    CONSTANT_P "__builtin_constant_p" Rule::Inspect;
    CONVERTVECTOR "__builtin_convertvector" Rule::ConvertVector;
    FINITE "__builtin_finite" Rule::Classify;
    FPCLASSIFY "__builtin_fpclassify" Rule::FpClassify;
    ISFINITE "__builtin_isfinite" Rule::Classify;
    ISGREATER "__builtin_isgreater" Rule::Compare;
    ISGREATEREQUAL "__builtin_isgreaterequal" Rule::Compare;
    ISINF "__builtin_isinf" Rule::Classify;
    ISINF_SIGN "__builtin_isinf_sign" Rule::Classify;
    ISLESS "__builtin_isless" Rule::Compare;
    ISLESSEQUAL "__builtin_islessequal" Rule::Compare;
    ISLESSGREATER "__builtin_islessgreater" Rule::Compare;
    ISNAN "__builtin_isnan" Rule::Classify;
    ISNORMAL "__builtin_isnormal" Rule::Classify;
    ISUNORDERED "__builtin_isunordered" Rule::Compare;
    MUL_OVERFLOW "__builtin_mul_overflow" Rule::Overflow;
    MUL_OVERFLOW_P "__builtin_mul_overflow_p" Rule::OverflowP;
    SHUFFLE "__builtin_shuffle" Rule::Shuffle;
    SHUFFLEVECTOR "__builtin_shufflevector" Rule::ShuffleVector;
    SIGNBIT "__builtin_signbit" Rule::Classify;
    SPECULATION_SAFE_VALUE "__builtin_speculation_safe_value" Rule::Safe;
    STDARG_START "__builtin_stdarg_start" Rule::VaStart;
    SUB_OVERFLOW "__builtin_sub_overflow" Rule::Overflow;
    SUB_OVERFLOW_P "__builtin_sub_overflow_p" Rule::OverflowP;
    VA_COPY "__builtin_va_copy" Rule::VaCopy;
    VA_END "__builtin_va_end" Rule::VaEnd;
    VA_START "__builtin_va_start" Rule::VaStart;
    SYNC_ADD_AND_FETCH "__sync_add_and_fetch" Rule::Atomic("x x.");
    SYNC_AND_AND_FETCH "__sync_and_and_fetch" Rule::Atomic("x x.");
    SYNC_BOOL_COMPARE_AND_SWAP "__sync_bool_compare_and_swap" Rule::Atomic("b xx.");
    SYNC_FETCH_AND_ADD "__sync_fetch_and_add" Rule::Atomic("x x.");
    SYNC_FETCH_AND_AND "__sync_fetch_and_and" Rule::Atomic("x x.");
    SYNC_FETCH_AND_NAND "__sync_fetch_and_nand" Rule::Atomic("x x.");
    SYNC_FETCH_AND_OR "__sync_fetch_and_or" Rule::Atomic("x x.");
    SYNC_FETCH_AND_SUB "__sync_fetch_and_sub" Rule::Atomic("x x.");
    SYNC_FETCH_AND_XOR "__sync_fetch_and_xor" Rule::Atomic("x x.");
    SYNC_LOCK_RELEASE "__sync_lock_release" Rule::Atomic("v .");
    SYNC_LOCK_TEST_AND_SET "__sync_lock_test_and_set" Rule::Atomic("x x.");
    SYNC_NAND_AND_FETCH "__sync_nand_and_fetch" Rule::Atomic("x x.");
    SYNC_OR_AND_FETCH "__sync_or_and_fetch" Rule::Atomic("x x.");
    SYNC_SUB_AND_FETCH "__sync_sub_and_fetch" Rule::Atomic("x x.");
    SYNC_VAL_COMPARE_AND_SWAP "__sync_val_compare_and_swap" Rule::Atomic("x xx.");
    SYNC_XOR_AND_FETCH "__sync_xor_and_fetch" Rule::Atomic("x x.");
}

/// What `name` means as a builtin, if it is one.
pub fn lookup(name: &str) -> Option<BuiltinDef> {
    let function =
        |signature, real, library| Some(BuiltinDef::Function(Prototype { signature, real, library }));
    if let Ok(index) = OPERATORS.binary_search_by_key(&name, |&(operator, _)| operator) {
        return Some(BuiltinDef::Operator(Builtin(index as u16)));
    }
    let (base, prefixed) = match name.strip_prefix("__builtin_") {
        Some(base) => (base, true),
        None => (name, false),
    };
    if let Some(signature) = find(LIBRARY, base) {
        return function(signature, Type::DOUBLE, true);
    }
    if let Some((signature, real)) = find_math(MATH, base, prefixed) {
        return function(signature, real, true);
    }
    if prefixed {
        if let Some(signature) = find(PREFIXED, base) {
            // The checking functions exist under the name without the prefix.
            return function(signature, Type::DOUBLE, base.ends_with("_chk"));
        }
        let (signature, real) = find_math(MATH_PREFIXED, base, true)?;
        return function(signature, real, false);
    }
    if let Some(signature) = find(OTHER, name) {
        return function(signature, Type::DOUBLE, false);
    }
    function(sized(name)?, Type::DOUBLE, false)
}

/// The name of a mathematical function without its prefix as it is without its suffix: `sqrt` for `sqrtf`.
pub(crate) fn math_base(name: &str) -> Option<&str> {
    let suffixes = SUFFIXES.iter().map(|&(suffix, ..)| suffix).chain(["q"]);
    suffixes
        .filter_map(|suffix| name.strip_suffix(suffix))
        .find(|base| find(MATH, base).or_else(|| find(MATH_PREFIXED, base)).is_some())
}

/// The spelling of an operator.
pub fn name(builtin: Builtin) -> &'static str {
    OPERATORS.get(usize::from(builtin.0)).map_or("__builtin_unknown", |&(name, _)| name)
}

/// How an operator is typed.
pub(crate) fn rule(builtin: Builtin) -> Option<Rule> {
    OPERATORS.get(usize::from(builtin.0)).map(|&(_, rule)| rule)
}

/// The function type gcc gives `name` without a declaration: that of a library function it knows, or of a builtin.
pub fn declare(program: &mut Program, name: &str) -> Option<Type> {
    match lookup(name)? {
        BuiltinDef::Function(prototype) => Some(function_type(program, prototype)),
        BuiltinDef::Operator(_) => None,
    }
}

/// The type the library gives `name`, whether a compiler knows the function or not. Streams are `void *` here.
pub fn library_type(program: &mut Program, name: &str) -> Option<Type> {
    let prototype = match lookup(name) {
        Some(BuiltinDef::Function(prototype)) => prototype,
        Some(BuiltinDef::Operator(_)) => return None,
        None => Prototype { signature: find(ELSEWHERE, name)?, real: Type::DOUBLE, library: true },
    };
    Some(function_type(program, prototype))
}

/// The type of a builtin function.
pub fn function_type(program: &mut Program, prototype: Prototype) -> Type {
    let (ret, params) = prototype.signature.split_once('(').unwrap_or((prototype.signature, ")"));
    let ret = read_type(program, ret, prototype.real);
    let mut list = Vec::new();
    let mut variadic = false;
    for param in params.trim_end_matches(')').split(',').filter(|param| !param.is_empty()) {
        if param == "..." {
            variadic = true;
        } else {
            list.push(read_type(program, param, prototype.real));
        }
    }
    program.types.function(Signature { ret, params: list.into(), variadic, prototype: true })
}

/// `__builtin_va_list`: an array of one `struct __va_list_tag` on x86-64 (psABI 3.5.7), `char *` on i386.
pub fn va_list(program: &mut Program) -> Type {
    if program.target.layout().pointer == 4 {
        return program.types.pointer(Type::CHAR);
    }
    let tag = va_list_tag(program);
    program.types.array(tag, Len::Fixed(1))
}

/// Whether `ty` is `__builtin_va_list`'s struct.
pub fn is_va_list_tag(program: &Program, ty: Type) -> bool {
    matches!(program.types.kind(ty), TypeKind::Record(id) if program.types.records[id].va_list_tag)
}

fn va_list_tag(program: &mut Program) -> Type {
    let known = program.types.records.iter().find(|(_, record)| record.va_list_tag).map(|(id, _)| id);
    if let Some(id) = known {
        return program.types.record(id);
    }
    let pointer = program.types.pointer(Type::VOID);
    let fields = [
        ("gp_offset", Type::UINT),
        ("fp_offset", Type::UINT),
        ("overflow_arg_area", pointer),
        ("reg_save_area", pointer),
    ];
    let fields = fields
        .into_iter()
        .map(|(name, ty)| {
            let name = Some(program.symbols.intern(name));
            Field::new(name, ty)
        })
        .collect();
    let tag = Some(program.symbols.intern("__va_list_tag"));
    let id = program
        .types
        .records
        .push(Record { va_list_tag: true, ..Record::new(RecordKind::Struct, tag, 0).with(fields) });
    program.types.record(id)
}

fn find(table: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    table.binary_search_by_key(&name, |&(entry, _)| entry).ok().map(|index| table[index].1)
}

/// The suffixes of mathematical functions, their types, and whether only the builtins have them.
const SUFFIXES: [(&str, Type, bool); 9] = [
    ("", Type::DOUBLE, false),
    ("f", Type::FLOAT, false),
    ("l", Type::LDOUBLE, false),
    ("f16", Type::FLOAT16, true),
    ("f32", Type::FLOAT32, true),
    ("f64", Type::FLOAT64, true),
    ("f128", Type::FLOAT128, true),
    ("f32x", Type::FLOAT32X, true),
    ("f64x", Type::FLOAT64X, true),
];

/// A mathematical function and the type its suffix selects. gcc has those of the `_FloatN` types with the prefix
/// only, as far as a program without `<math.h>` can tell.
fn find_math(
    table: &[(&'static str, &'static str)],
    name: &str,
    prefixed: bool,
) -> Option<(&'static str, Type)> {
    for (suffix, real, needs_prefix) in SUFFIXES {
        if (prefixed || !needs_prefix)
            && let Some(signature) = name.strip_suffix(suffix).and_then(|base| find(table, base))
        {
            return Some((signature, real));
        }
    }
    // `__float128`'s builtins are named with a q: only these exist.
    let base = name.strip_suffix('q').filter(|_| prefixed)?;
    let known = matches!(base, "fabs" | "copysign" | "inf" | "huge_val" | "nan" | "nans");
    find(table, base).filter(|_| known).map(|signature| (signature, Type::FLOAT128))
}

/// The `_1` … `_16` forms of the `__sync` operators, which are functions.
fn sized(name: &str) -> Option<&'static str> {
    let (base, size) = name.rsplit_once('_')?;
    let index = ["1", "2", "4", "8", "16"].iter().position(|&known| known == size)?;
    let operator = OPERATORS.binary_search_by_key(&base, |&(operator, _)| operator).ok()?;
    if !base.starts_with("__sync_") {
        return None;
    }
    const VALUE: [&str; 5] = [
        "uchar(volatile void*,uchar,...)",
        "ushort(volatile void*,ushort,...)",
        "uint(volatile void*,uint,...)",
        "uint64_t(volatile void*,uint64_t,...)",
        "uint128(volatile void*,uint128,...)",
    ];
    const SWAP: [&str; 5] = [
        "uchar(volatile void*,uchar,uchar,...)",
        "ushort(volatile void*,ushort,ushort,...)",
        "uint(volatile void*,uint,uint,...)",
        "uint64_t(volatile void*,uint64_t,uint64_t,...)",
        "uint128(volatile void*,uint128,uint128,...)",
    ];
    const BOOL: [&str; 5] = [
        "bool(volatile void*,uchar,uchar,...)",
        "bool(volatile void*,ushort,ushort,...)",
        "bool(volatile void*,uint,uint,...)",
        "bool(volatile void*,uint64_t,uint64_t,...)",
        "bool(volatile void*,uint128,uint128,...)",
    ];
    Some(match OPERATORS[operator].1 {
        Rule::Atomic("x x.") => VALUE[index],
        Rule::Atomic("x xx.") => SWAP[index],
        Rule::Atomic("b xx.") => BOOL[index],
        _ => "void(volatile void*,...)",
    })
}

fn read_type(program: &mut Program, text: &str, real: Type) -> Type {
    let stars = text.bytes().rev().take_while(|&byte| byte == b'*').count();
    let mut rest = &text[..text.len() - stars];
    let mut quals = Quals::NONE;
    while let Some((qualifier, after)) = rest.split_once(' ') {
        quals = quals.union(if qualifier == "const" { Quals::CONST } else { Quals::VOLATILE });
        rest = after;
    }
    let base = word(program, rest, real);
    let mut ty = program.types.qualified(base, quals);
    for _ in 0..stars {
        ty = program.types.pointer(ty);
    }
    ty
}

fn word(program: &mut Program, word: &str, real: Type) -> Type {
    let target: &Target = &program.target;
    let wide = target.layout().pointer == 8;
    match word {
        "void" => Type::VOID,
        "bool" => Type::BOOL,
        "char" => Type::CHAR,
        "uchar" => Type::UCHAR,
        "ushort" => Type::USHORT,
        "int" => Type::INT,
        "uint" | "wint_t" => Type::UINT,
        "long" => Type::LONG,
        "ulong" => Type::ULONG,
        "llong" => Type::LLONG,
        "ullong" => Type::ULLONG,
        "uint128" => Type::UINT128,
        "size_t" => [Type::UINT, Type::ULONG][usize::from(wide)],
        "ssize_t" => [Type::INT, Type::LONG][usize::from(wide)],
        "intmax_t" => [Type::LLONG, Type::LONG][usize::from(wide)],
        "uintmax_t" | "uint64_t" => [Type::ULLONG, Type::ULONG][usize::from(wide)],
        "float" => Type::FLOAT,
        "double" => Type::DOUBLE,
        "ldouble" => Type::LDOUBLE,
        "T" => real,
        "C" => program.types.complex(real),
        "va_list" => match va_list(program) {
            // A parameter of array type is a pointer (C17 6.7.6.3p7).
            list if wide => {
                let TypeKind::Array { elem, .. } = program.types.kind(list) else { return list };
                program.types.pointer(elem)
            }
            list => list,
        },
        "fn" => {
            let signature =
                Signature { ret: Type::VOID, params: Box::new([]), variadic: false, prototype: false };
            let function = program.types.function(signature);
            program.types.pointer(function)
        }
        _ => {
            debug_assert!(false, "unknown word {word} in a builtin's signature");
            Type::INT
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, ret: Type, params: &[Type], variadic: bool) {
        let mut program = Program::new(Target::X86_64_GCC);
        let ty = declare(&mut program, name).unwrap_or_else(|| panic!("{name} is known"));
        let TypeKind::Function(id) = program.types.kind(ty) else { panic!("{name} is a function") };
        let signature = program.types.signature(id);
        assert_eq!(
            (signature.ret, &*signature.params, signature.variadic),
            (ret, params, variadic),
            "{name}"
        );
    }

    #[test]
    fn tables_are_sorted_and_every_signature_is_understood() {
        assert!(OPERATORS.is_sorted_by(|a, b| a.0 < b.0));
        let mut program = Program::new(Target::X86_64_GCC);
        for table in [LIBRARY, MATH, MATH_PREFIXED, PREFIXED, OTHER] {
            for pair in table.windows(2) {
                assert!(pair[0].0 < pair[1].0, "{} before {}", pair[0].0, pair[1].0);
            }
            for &(_, signature) in table {
                assert!(signature.ends_with(')'), "{signature}");
                function_type(&mut program, Prototype { signature, real: Type::FLOAT, library: false });
            }
        }
    }

    #[test]
    fn names_select_types() {
        check("abs", Type::INT, &[Type::INT], false);
        check("__builtin_clzll", Type::INT, &[Type::ULLONG], false);
        check("sinf", Type::FLOAT, &[Type::FLOAT], false);
        check("ceil", Type::DOUBLE, &[Type::DOUBLE], false);
        check("ceill", Type::LDOUBLE, &[Type::LDOUBLE], false);
        check("__builtin_erff", Type::FLOAT, &[Type::FLOAT], false);
        check("__builtin_fabsf128", Type::FLOAT128, &[Type::FLOAT128], false);
        check("__builtin_infq", Type::FLOAT128, &[], false);
        check("__builtin_huge_valf", Type::FLOAT, &[], false);
        check("exit", Type::VOID, &[Type::INT], false);
        for unknown in ["huge_val", "fabsq", "__builtin_sinq", "__builtin_", "popcount", "main", "f", "l", ""]
        {
            assert_eq!(lookup(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn operators_have_names() {
        assert_eq!(lookup("__builtin_constant_p"), Some(BuiltinDef::Operator(CONSTANT_P)));
        assert_eq!(name(CONSTANT_P), "__builtin_constant_p");
        assert_eq!(name(SYNC_XOR_AND_FETCH), "__sync_xor_and_fetch");
        assert_eq!(usize::from(SYNC_XOR_AND_FETCH.0), OPERATORS.len() - 1);
        assert!(matches!(lookup("__sync_fetch_and_add_4"), Some(BuiltinDef::Function(_))));
    }

    #[test]
    fn va_list_is_one_struct() {
        let mut program = Program::new(Target::X86_64_GCC);
        let list = va_list(&mut program);
        assert_eq!(list, va_list(&mut program));
        let TypeKind::Array { elem, .. } = program.types.kind(list) else { panic!("an array") };
        assert!(is_va_list_tag(&program, elem));
    }
}
