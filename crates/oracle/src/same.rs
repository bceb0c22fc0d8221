//! Whether two dialects read the same program from a text, so that one judgement serves both.
//!
//! The answer is a sure yes or a no: where meaning depends on the dialect beyond the tree, it is no.

use howler_lang::dump;
use howler_lang::program::{ExprKind, Program};
use howler_lang::ty::{Quals, TypeKind};

/// Whether two programs of targets that differ in their compiler only mean the same.
pub fn same_meaning(one: &Program, other: &Program) -> bool {
    let counts = |program: &Program| {
        [program.exprs.len(), program.stmts.len(), program.objects.len(), program.types.records.len()]
    };
    counts(one) == counts(other)
        && !depends_on_dialect(one)
        && same_layouts(one, other)
        && without_target(&dump::program(one)).eq(without_target(&dump::program(other)))
}

/// A program's dump names its target first; there is one such line.
fn without_target(dump: &str) -> impl Iterator<Item = &str> {
    dump.lines().filter(|line| !line.trim_start().starts_with("(target "))
}

/// What a dialect decides after the tree is made: alignments asked for, the class of a type, atomic objects, whose size
/// may be padded, and vectors.
fn depends_on_dialect(program: &Program) -> bool {
    let special = |kind: ExprKind| {
        matches!(kind, ExprKind::AlignofType { .. } | ExprKind::AlignofExpr { .. } | ExprKind::Builtin(..))
    };
    let types = &program.types;
    let delicate =
        |ty| types.quals(ty).contains(Quals::ATOMIC) || matches!(types.kind(ty), TypeKind::Vector { .. });
    program.exprs.iter().any(|(_, expr)| special(expr.kind) || delicate(expr.ty))
        || program.objects.iter().any(|(_, object)| delicate(object.ty))
        || types.records.iter().any(|(_, record)| record.fields.iter().any(|field| delicate(field.ty)))
}

fn same_layouts(one: &Program, other: &Program) -> bool {
    one.types.records.ids().all(|id| {
        match (one.layouts.record(&one.types, id), other.layouts.record(&other.types, id)) {
            // Not what the layout of other records needs to know: those are compared themselves.
            (Some(one), Some(other)) => {
                (one.size, one.align, &one.fields) == (other.size, other.align, &other.fields)
            }
            (None, None) => true,
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use howler_lang::target::{Compiler, Target};

    fn same(text: &str) -> bool {
        let read = |compiler| {
            let mut program = Program::new(Target { compiler, ..Target::X86_64_GCC });
            let report = howler_front::parse(&mut program, "a.c", text.into(), &Default::default());
            assert_eq!(report.unit, Some(0), "{:?}", report.diagnostics);
            program
        };
        same_meaning(&read(Compiler::Gcc), &read(Compiler::Clang))
    }

    #[test]
    fn most_programs_are_the_same() {
        assert!(same(
            "struct s { int a; char b[3]; } x = {1, \"ab\"}; int main(void) { return x.a + x.b[0]; }"
        ));
        assert!(same("int main(void) { unsigned u = 3; return u << 2 == 12 ? sizeof(long) : 0; }"));
    }

    #[test]
    fn what_dialects_read_differently_is_not_the_same() {
        // gcc's type of the member is 40 bits wide, clang's 64.
        assert!(!same(
            "struct s { unsigned long long b : 40; } x; int main(void) { return (x.b << 30) > 1; }"
        ));
        assert!(!same("int main(void) { return __alignof__(double); }"));
        assert!(!same("_Atomic int x; int main(void) { return x; }"));
    }
}
