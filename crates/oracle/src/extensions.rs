//! What a program uses that a compiler need not have: extensions of GNU C, and features the standard makes optional.
//!
//! A compiler that says no to such a program has no bug. So this errs towards finding an extension: `rejects valid code`
//! is said of programs in plain standard C only.

use std::collections::BTreeSet;

use howler_case::Case;
use howler_lang::program::{Conv, ExprKind, FuncName, Program, StmtKind, UnaryOp};
use howler_lang::source::Pos;
use howler_lang::target::Target;
use howler_lang::ty::{FloatKind, IntKind, Len, Quals, Type, TypeKind, Types};
use howler_toolchain::preprocess::Preprocessor;

use crate::judge::load_case;

/// What a text uses beyond C99, by name. Empty is plain C99.
pub type Extensions = BTreeSet<&'static str>;

/// The name under which [`of_case`] puts what came with C11. A compiler for C99 need not have it.
pub const C11: &str = "C11";

/// All extensions that the text of a case uses for this target.
pub fn of_case(preprocessor: &Preprocessor, case: &Case, target: Target) -> Extensions {
    let mut found = Extensions::new();
    // What gcc rejects with -pedantic-errors is an extension or a violated constraint that compilers let pass.
    let front = howler_front::Options { pedantic_errors: true };
    match load_case(preprocessor, case, target, &front) {
        Err(_) => {
            found.insert("no text");
        }
        Ok(loaded) => {
            for unit in &loaded.units {
                of_text(&unit.text, &mut found);
                if unit.system_headers == Some(true) {
                    found.insert("system headers");
                }
            }
            match loaded.program {
                Ok(program) => found.extend(of_program(&program)),
                Err(_) => {
                    found.insert("not pedantically valid");
                }
            }
        }
    }
    found
}

/// Whether a compiler that claims C99 but not C11 must take a program with these.
pub fn is_plain_c99(extensions: &Extensions) -> bool {
    extensions.is_empty()
}

/// Whether a compiler that claims the standard of the case must take a program with these.
pub fn is_plain(extensions: &Extensions) -> bool {
    extensions.iter().all(|name| *name == C11)
}

/// The extensions that show in a typed program, our headers left out.
pub fn of_program(program: &Program) -> Extensions {
    let mut found = Extensions::new();
    let counts = |pos: Pos| !is_ours(program, pos);
    for (_, expr) in program.exprs.iter().filter(|(_, expr)| counts(expr.pos)) {
        if let Some(name) = of_expr(expr.kind) {
            found.insert(name);
        }
        of_type(&program.types, expr.ty, &mut found);
    }
    for (_, stmt) in program.stmts.iter().filter(|(_, stmt)| counts(stmt.pos)) {
        found.extend(match stmt.kind {
            StmtKind::Case { hi: Some(_), .. } => Some("case range"),
            StmtKind::LabelDecl(_) => Some("local label"),
            StmtKind::GotoComputed(_) => Some("computed goto"),
            StmtKind::Asm(_) => Some("asm"),
            _ => None,
        });
    }
    for (_, object) in program.objects.iter().filter(|(_, object)| counts(object.pos)) {
        of_type(&program.types, object.ty, &mut found);
    }
    for (_, record) in program.types.records.iter().filter(|(_, record)| counts(record.pos)) {
        if record.complete && record.fields.iter().all(|field| field.name.is_none() && field.bits.is_some()) {
            found.insert("empty struct");
        }
        for field in &record.fields {
            of_type(&program.types, field.ty, &mut found);
            // C17 6.7.2.1p5 has _Bool, signed int, unsigned int; others are implementation-defined.
            let plain = matches!(
                program.types.kind(field.ty),
                TypeKind::Bool | TypeKind::Int(IntKind::Int | IntKind::UInt)
            );
            if field.bits.is_some() && !plain {
                found.insert("bit-field of another type");
            }
        }
    }
    if program.funcs.iter().any(|(_, func)| func.parent.is_some()) {
        found.insert("nested function");
    }
    if program.funcs.iter().any(|(_, func)| func.implicit) {
        found.insert("undeclared function");
    }
    if program.entries.iter().any(|entry| entry.index != entry.last) {
        found.insert("range in an initialiser");
    }
    found
}

/// Whether a place is in one of our headers: what those need is our affair.
fn is_ours(program: &Program, pos: Pos) -> bool {
    program.sources.locate(pos).is_some_and(|at| at.file.starts_with(HEADERS))
}

/// How the names of our headers begin in line markers.
const HEADERS: &str = "<howler>/";

fn of_expr(kind: ExprKind) -> Option<&'static str> {
    match kind {
        ExprKind::Elvis(..) => Some("?: without a middle"),
        ExprKind::StmtExpr(_) => Some("statement expression"),
        ExprKind::LabelAddr(_) => Some("address of a label"),
        ExprKind::Imaginary(_) | ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, _) => Some("complex"),
        ExprKind::AlignofExpr { .. } | ExprKind::AlignofType { preferred: true, .. } => Some("__alignof__"),
        ExprKind::FuncName(FuncName::Function | FuncName::Pretty) => Some("__FUNCTION__"),
        ExprKind::Cast(Conv::ToUnion, _) => Some("cast to union"),
        ExprKind::Cast(Conv::Bits | Conv::Splat, _) | ExprKind::Convert(Conv::Bits | Conv::Splat, _) => {
            Some("vector")
        }
        _ => None,
    }
}

/// What is special about a type, parts included: types are bounded in depth.
fn of_type(types: &Types, ty: Type, found: &mut Extensions) {
    let quals = types.quals(ty);
    if quals.contains(Quals::ATOMIC) {
        found.insert("_Atomic");
    }
    match types.kind(ty) {
        TypeKind::Int(IntKind::Int128 | IntKind::UInt128) => {
            found.insert("__int128");
        }
        TypeKind::Float(FloatKind::Float | FloatKind::Double | FloatKind::LongDouble) => {}
        TypeKind::Float(_) => {
            found.insert("_FloatN");
        }
        TypeKind::Complex(_) => {
            found.insert("complex");
        }
        TypeKind::Vector { .. } => {
            found.insert("vector");
        }
        TypeKind::Pointer(to) => of_type(types, to, found),
        TypeKind::Array { elem, len } => {
            if len == Len::Fixed(0) {
                found.insert("array of length zero");
            }
            of_type(types, elem, found);
        }
        _ => {}
    }
}

/// The extensions that show in the words of a preprocessed text, headers left out.
fn of_text(text: &str, found: &mut Extensions) {
    let mut in_header = false;
    for line in text.lines() {
        if let Some(directive) = line.strip_prefix('#') {
            let directive = directive.trim_start();
            if directive.starts_with("pragma") && !in_header {
                found.insert("#pragma");
            }
            if directive.starts_with(|c: char| c.is_ascii_digit()) {
                let file = directive.split('"').nth(1).unwrap_or_default();
                in_header = file.starts_with(HEADERS) || directive.ends_with(" 3");
            }
            continue;
        }
        if in_header {
            continue;
        }
        if line.contains('$') {
            found.insert("$ in names");
        }
        for word in line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
            found.extend(of_word(word));
        }
    }
}

fn of_word(word: &str) -> Option<&'static str> {
    match word {
        // What standard macros of our headers become.
        "__func__" | "__assert_fail" | "__builtin_va_arg" | "__builtin_va_start" | "__builtin_va_end"
        | "__builtin_va_copy" | "__builtin_va_list" | "__builtin_offsetof" => None,
        "asm" => Some("asm"),
        "typeof" => Some("typeof"),
        "_Complex" | "_Imaginary" => Some("complex"),
        "_Atomic" => Some("_Atomic"),
        "_Thread_local" => Some("_Thread_local"),
        "_Generic" | "_Static_assert" | "_Alignas" | "_Alignof" | "_Noreturn" => Some(C11),
        _ if word.starts_with("__") => Some("a name with two underscores"),
        _ if word.starts_with("_Float") || word.starts_with("_Decimal") => Some("_FloatN"),
        _ if word.starts_with("0b") || word.starts_with("0B") => Some("binary constant"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use howler_lang::target::Compiler;

    fn of(text: &str) -> Vec<&'static str> {
        let mut program = Program::new(Target::X86_64_GCC);
        let report = howler_front::parse(&mut program, "a.c", text.into(), &Default::default());
        assert_eq!(report.unit, Some(0), "{:?}", report.diagnostics);
        let mut found = of_program(&program);
        of_text(text, &mut found);
        found.into_iter().collect()
    }

    #[test]
    fn standard_programs_use_none() {
        assert_eq!(of("struct s { int a : 3; } x; int main(void) { return x.a ? 1 : 2; }"), [""; 0]);
        assert_eq!(of("int f(int n) { int a[n]; a[0] = 1; return (int[]){1, 2}[0] + a[0]; }"), [""; 0]);
        let header =
            "# 1 \"<howler>/stdlib.h\" 1 3\nvoid exit(int) __attribute__((noreturn));\n# 2 \"a.c\" 2\n";
        assert_eq!(of(&format!("{header}int main(void) {{ exit(3); }}")), [""; 0]);
        assert_eq!(of("_Static_assert(1, \"\"); int main(void) { return 0; }"), [C11]);
    }

    #[test]
    fn our_headers_do_not_count() {
        let preprocessor = Preprocessor::find(None).unwrap();
        let origin = howler_case::Origin { arm: "test".into(), version: "0".into(), seed: 0, index: 0 };
        let mut counted = Vec::new();
        for (name, _) in howler_toolchain::headers::ALL {
            if !howler_toolchain::headers::is_public(name) {
                continue;
            }
            let text = format!("#include <{name}>\nint main(void) {{ return 0; }}\n");
            let case = Case::new("test.c", text, howler_lang::target::Std::GNU17, origin.clone());
            for target in [Target::X86_64_GCC, Target { compiler: Compiler::Clang, ..Target::X86_64_GCC }] {
                let found = of_case(&preprocessor, &case, target);
                if !found.is_empty() {
                    counted.push((name, found));
                }
            }
        }
        assert!(counted.is_empty(), "{counted:?}");
        // What a program makes of a header is its own.
        let text = "#include <complex.h>\n#include <stdio.h>\nint main(void) { printf(\"%d\", 3); return creal(I); }\n";
        let case = Case::new("test.c", text, howler_lang::target::Std::GNU17, origin);
        assert!(of_case(&preprocessor, &case, Target::X86_64_GCC).contains("complex"));
    }

    #[test]
    fn extensions_are_found() {
        for (text, name) in [
            ("__int128 x;", "__int128"),
            ("int main(void) { unsigned __int128 *p = 0; return p == 0; }", "__int128"),
            ("double _Complex z;", "complex"),
            ("typedef int v __attribute__((vector_size(16))); v x;", "vector"),
            ("int f(int x) { return x ?: 3; }", "?: without a middle"),
            ("int f(int x) { return ({ x + 1; }); }", "statement expression"),
            ("int f(int x) { int g(int y) { return y; } return g(x); }", "nested function"),
            ("int f(int x) { switch (x) { case 1 ... 3: return 2; } return 0; }", "case range"),
            ("int f(void) { void *p = &&l; goto *p; l: return 0; }", "computed goto"),
            ("int a[4] = {[0 ... 2] = 1};", "range in an initialiser"),
            ("struct s {}; struct s x;", "empty struct"),
            ("struct s { int n; int a[0]; } x;", "array of length zero"),
            ("struct s { unsigned char b : 3; } x;", "bit-field of another type"),
            ("#pragma pack(1)\nint x;", "#pragma"),
            ("int x __attribute__((aligned(16)));", "a name with two underscores"),
            ("int x = 0b101;", "binary constant"),
            ("_Atomic int x;", "_Atomic"),
            ("int f(void) { asm(\"nop\"); return 0; }", "asm"),
        ] {
            assert!(of(text).contains(&name), "{text}: {:?}", of(text));
        }
    }
}
