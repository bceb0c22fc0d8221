//! Verdicts on small cases, through a real preprocessor.

use howler_case::{Behaviour, Case, End, File, Origin};
use howler_lang::target::{Arch, Compiler, Std, Target};
use howler_oracle::extensions;
use howler_oracle::judge::{Judgements, Options, Verdict, judge, judge_one};
use howler_toolchain::preprocess::Preprocessor;

const GCC: Target = Target::X86_64_GCC;
const CLANG: Target = Target { compiler: Compiler::Clang, ..GCC };
const GCC32: Target = Target { arch: Arch::I386, ..GCC };

fn case(files: &[(&str, &str)]) -> Case {
    let origin = Origin { arm: "test".into(), version: "0".into(), seed: 0, index: 0 };
    let mut case = Case::new("a.c", "", Std::GNU17, origin);
    case.files =
        files.iter().map(|(name, text)| File { name: (*name).into(), text: (*text).into() }).collect();
    case
}

fn preprocessor() -> Option<Preprocessor> {
    match Preprocessor::find(None) {
        Ok(found) => Some(found),
        Err(error) => {
            howler_testkit::skip(&error.to_string());
            None
        }
    }
}

fn verdict(case: &Case) -> Verdict {
    let Some(preprocessor) = preprocessor() else { return Verdict::Unreadable("skipped".into()) };
    let mut options = Options::default();
    options.limits.steps = 1_000_000;
    judge_one(&preprocessor, case, GCC, &options)
}

fn exits(status: u8, output: &str) -> Verdict {
    Verdict::Defined(Behaviour { end: End::Exit(status), output: output.into(), trace: Some(Vec::new()) })
}

#[test]
fn each_kind_of_verdict() {
    if preprocessor().is_none() {
        return;
    }
    let of = |text: &str| verdict(&case(&[("a.c", text)]));
    assert_eq!(of("int main(void) { return 3; }"), exits(3, ""));
    let hello = "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", 6 * 7); return 0; }";
    assert_eq!(of(hello), exits(0, "42\n"));
    assert!(
        matches!(of("#include <stdlib.h>\nint main(void) { abort(); }"), Verdict::Defined(b) if b.end == End::Abort)
    );
    let overflow = "int main(void) { int x = 2147483647; return x + 1 < 0; }";
    assert!(matches!(of(overflow), Verdict::Undefined { text, .. } if text.contains("a.c:1:")));
    assert!(matches!(of("int main(void) { return 1"), Verdict::Rejected(text) if text.contains("a.c:1:")));
    assert!(matches!(of("int f(void) { return 1; }"), Verdict::Rejected(_)));
    assert!(matches!(
        of("#include <no-such-header.h>\nint main(void) { return 0; }"),
        Verdict::Unreadable(_)
    ));
    assert!(matches!(
        of("volatile int x; int main(void) { while (!x) ; return 0; }"),
        Verdict::Unfinished(_)
    ));
    assert!(matches!(
        of("int main(void) { asm(\"nop; nop\" : : : \"memory\", \"eax\"); return 0; }"),
        Verdict::Unsupported(_)
    ));
    let address = "#include <stdio.h>\nint x; int main(void) { printf(\"%p\\n\", (void *)&x); }";
    assert!(matches!(of(address), Verdict::Unspecified(_)));
    // Undefined by the letter only is undefined.
    assert!(matches!(of("int main(void) { int x = -1; return x << 1 == -2; }"), Verdict::Undefined { .. }));
}

#[test]
fn several_files_are_one_program() {
    if preprocessor().is_none() {
        return;
    }
    let one = ("a.c", "int f(int); int main(void) { return f(2); }");
    assert_eq!(verdict(&case(&[one, ("b.c", "int f(int x) { return x * 21; }")])), exits(42, ""));
    let twice =
        verdict(&case(&[one, ("b.c", "int f(int x) { return x; }"), ("c.c", "int f(int x) { return x; }")]));
    assert!(matches!(twice, Verdict::Rejected(_)));
}

#[test]
fn any_bytes_get_a_verdict() {
    if preprocessor().is_none() {
        return;
    }
    let mut latin = case(&[("a.c", "")]);
    latin.files[0].text =
        b"#include <stdio.h>\n/* caf\xe9 */\nint main(void) { printf(\"\\xe9%c\", \"\xff\"[0]); }".to_vec();
    assert!(matches!(verdict(&latin), Verdict::Defined(b) if b.output == b"\xe9\xff"));
    latin.files[0].text = (0..=255).collect();
    assert!(matches!(verdict(&latin), Verdict::Rejected(_) | Verdict::Unreadable(_)));
    latin.files[0].text = Vec::new();
    assert!(!matches!(verdict(&latin), Verdict::Defined(_)));
    latin.files.clear();
    assert!(!matches!(verdict(&latin), Verdict::Defined(_)));
}

#[test]
fn dialects_and_machines_get_their_own_meaning() {
    let Some(preprocessor) = preprocessor() else { return };
    let all = |text: &str| -> Judgements {
        judge(&preprocessor, &case(&[("a.c", text)]), &[GCC, CLANG, GCC32, GCC], &Options::default())
    };
    let bits =
        "struct s { unsigned long long b : 40; } x = {1}; int main(void) { return (x.b << 39 << 1) == 0; }";
    let judged = all(bits);
    assert_eq!(judged.targets[&GCC].verdict, exits(1, ""));
    assert_eq!(judged.targets[&CLANG].verdict, exits(0, ""));
    let long = all("int main(void) { return sizeof(long); }");
    assert_eq!(long.targets[&GCC].verdict, exits(8, ""));
    assert_eq!(long.targets[&CLANG].verdict, exits(8, ""));
    assert_eq!(long.targets[&GCC32].verdict, exits(4, ""));
    assert_eq!(long.prepared(CLANG), long.prepared(GCC));
    assert_eq!(long.prepared(GCC).unwrap().files[0].name, "a.i");
}

#[test]
fn plain_standard_programs_are_told_from_others() {
    let Some(preprocessor) = preprocessor() else { return };
    let of = |text: &str| extensions::of_case(&preprocessor, &case(&[("a.c", text)]), GCC);
    let plain = "#include <stdio.h>\n#include <stdarg.h>\n#include <assert.h>\n\
        static int f(int n, ...) { va_list l; va_start(l, n); int x = va_arg(l, int); va_end(l); return x; }\n\
        int main(void) { assert(f(1, 2) == 2); printf(\"%d\\n\", f(1, 3)); return 0; }\n";
    assert_eq!(of(plain), extensions::Extensions::new());
    assert!(!extensions::is_plain(&of("int main(void) { return sizeof(void); }")));
    assert!(!extensions::is_plain(&of("int main(void) { __extension__ __int128 x = 1; return x; }")));
    let c11 = of("int main(void) { return _Generic(1, int: 0, default: 1); }");
    assert!(extensions::is_plain(&c11) && !extensions::is_plain_c99(&c11));
}

#[test]
fn a_caveat_counts_for_families_that_do_not_promise() {
    let Some(preprocessor) = preprocessor() else { return };
    let retyped = "#include <stdlib.h>\nint main(void) { void *p = malloc(4); if (!p) return 1; *(int *)p = 1;\n\
        *(float *)p = 2; return *(float *)p != 2; }";
    let judged = judge(&preprocessor, &case(&[("a.c", retyped)]), &[GCC, CLANG], &Options::default());
    assert_eq!(judged.targets[&GCC].verdict, exits(0, ""));
    assert!(matches!(&judged.targets[&CLANG].verdict, Verdict::Unspecified(why) if why.contains("clang")));
}
