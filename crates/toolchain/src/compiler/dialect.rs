//! From a compiler and its flags to the target whose meaning the model knows; or why there is none, and only crashes of
//! that compiler can be told from correct work.

use howler_lang::target::{self, Arch, Edition, Std, Target};

use crate::compiler::{Family, Macros};

/// Which C a compiler compiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// One that the model knows.
    Known(Target),
    /// One that it does not, and why: such a compiler can be hunted for crashes and hangs only.
    CrashOnly(String),
}

impl Dialect {
    /// The target, if it is known.
    pub fn target(&self) -> Option<Target> {
        match self {
            Dialect::Known(target) => Some(*target),
            Dialect::CrashOnly(_) => None,
        }
    }
}

/// Flags that change what programs mean, or allow more than one meaning. Longer flags that start so are meant too.
///
/// Flags that only give a meaning to programs that have none (`-fwrapv`, `-fno-strict-aliasing`, `-fno-strict-overflow`,
/// `-fno-delete-null-pointer-checks`, `-fcommon`) are not among them: what the machine calls defined keeps its meaning.
#[rustfmt::skip]
const MEANINGFUL: &[&str] = &[
    // Floating arithmetic that is not IEEE's.
    "-ffast-math", "-Ofast", "-funsafe-math-optimizations", "-fassociative-math", "-freciprocal-math",
    "-ffinite-math-only", "-fno-signed-zeros", "-fno-honor-nans", "-fno-honor-infinities", "-fapprox-func",
    "-fsingle-precision-constant", "-fexcess-precision=16", "-mrecip", "-ffp-model=fast", "-fp-model=fast",
    "-mdaz-ftz", "-fdenormal-fp-math", "-mpc32", "-mpc64", "-frounding-math", "-ffp-model=aggressive",
    "-mlong-double-", "-cl-",
    // Types and layouts.
    "-funsigned-bitfields", "-fno-signed-bitfields", "-fshort-enums", "-fshort-wchar", "-fshort-double",
    "-fpack-struct", "-mms-bitfields", "-malign-double", "-m96bit-long-double", "-m128bit-long-double", "-mx32",
    // The language.
    "-ftrapv", "-fms-extensions", "-fplan9-extensions", "-fgnu89-inline", "-fopenmp", "-fopenacc",
    "-fblocks", "-trigraphs", "-fexec-charset", "-fwide-exec-charset",
    "-finput-charset", "-x", "-traditional",
    // Programs that are more, or less, than the text.
    "-ffreestanding", "-fno-hosted", "-fsanitize-recover", "-finstrument-functions", "-include", "-imacros",
    "-D", "-U", "-nostdlib", "-shared", "--define-macro", "--undefine-macro", "--include", "--language",
    // Flags that stand elsewhere: nobody has looked at them.
    "@", "-specs", "--config", "-Wp,",
];

/// Flags that start like those above and do not matter. Those that only say where to link or how to warn are not even
/// close.
#[rustfmt::skip]
const HARMLESS: &[&str] = &["-xc", "--language=c"];

/// Sanitizers that stop programs without meaning only. Others call defined behaviour an error (an unsigned sum that
/// wraps), or have a runtime that needs a system of its own: one without random addresses, or with a right to look into
/// processes.
#[rustfmt::skip]
const SOUND_SANITIZERS: &[&str] = &[
    "address", "leak", "undefined", "shift", "shift-exponent", "shift-base", "integer-divide-by-zero", "unreachable",
    "vla-bound", "null", "return", "signed-integer-overflow", "bounds", "bounds-strict", "array-bounds", "local-bounds",
    "alignment", "object-size", "float-cast-overflow", "nonnull-attribute", "returns-nonnull-attribute", "bool", "enum",
    "vptr", "pointer-overflow", "builtin", "function",
];

/// The sanitizer of a flag that may stop a program that is right.
fn unsound_sanitizer(flag: &str) -> Option<&str> {
    let names = flag.strip_prefix("-fsanitize=").or_else(|| flag.strip_prefix("--sanitize="))?;
    names.split(',').find(|name| !SOUND_SANITIZERS.contains(name))
}

/// Maps a compiler under flags to a target.
pub(crate) fn dialect(family: Family, flags: &[String], macros: &Macros) -> Dialect {
    match target(family, flags, macros) {
        Ok(target) => Dialect::Known(target),
        Err(why) => Dialect::CrashOnly(why),
    }
}

/// Whether a flag changes what programs mean, in a way that the model does not follow.
///
/// ```
/// use howler_toolchain::compiler::changes_meaning;
/// assert!(changes_meaning("-fpack-struct=2"));
/// assert!(changes_meaning("--unsigned-bitfields"));
/// assert!(!changes_meaning("-fwrapv"));
/// ```
pub fn changes_meaning(flag: &str) -> bool {
    let listed = |flag: &str| MEANINGFUL.iter().any(|start| flag.starts_with(start));
    // gcc takes `--name` for `-name` and for `-fname`.
    let long = |name: &str| listed(&format!("-{name}")) || listed(&format!("-f{name}"));
    !HARMLESS.contains(&flag) && (listed(flag) || flag.strip_prefix("--").is_some_and(long))
}

fn target(family: Family, flags: &[String], macros: &Macros) -> Result<Target, String> {
    if let Some(flag) = flags.iter().find(|flag| changes_meaning(flag)) {
        return Err(format!("{flag} changes what programs mean"));
    }
    if let Some(name) = flags.iter().find_map(|flag| unsound_sanitizer(flag)) {
        return Err(format!("-fsanitize={name} may stop programs that are right"));
    }
    let arch = arch(macros)?;
    if macros.get("__CHAR_BIT__").unwrap_or("8") != "8" {
        return Err("bytes do not have 8 bits".to_owned());
    }
    if macros.get("__FINITE_MATH_ONLY__").is_some_and(|value| value != "0") || macros.has("__FAST_MATH__") {
        return Err("floating arithmetic is not IEEE's".to_owned());
    }
    match macros.get("__FLT_EVAL_METHOD__") {
        Some("0") => {}
        // i386 has two sets of floating instructions, and one of them keeps more bits than the type has.
        None if arch == Arch::I386 => {
            return Err("it does not say in which format floating expressions are evaluated".to_owned());
        }
        None => {}
        Some(method) if arch == Arch::I386 => {
            return Err(format!(
                "floating expressions are evaluated in another format (method {method}): add -msse2 -mfpmath=sse"
            ));
        }
        Some(method) => {
            return Err(format!("floating expressions are evaluated in another format (method {method})"));
        }
    }
    if fuses(macros) && contraction(flags) != Some("off") && matches!(family, Family::Gcc | Family::Clang) {
        return Err("a multiplication may be fused with an addition: add -ffp-contract=off".to_owned());
    }
    let compiler = match family {
        Family::Clang => target::Compiler::Clang,
        // They follow gcc's manual where it says more than the standard.
        Family::Gcc | Family::Tcc | Family::Pcc => target::Compiler::Gcc,
        Family::Other => return Err("its dialect is not known".to_owned()),
    };
    Ok(Target { arch, compiler, std: std(family, flags, macros)?, char_signed: char_signed(flags, macros) })
}

fn arch(macros: &Macros) -> Result<Arch, String> {
    let size = |name: &str| macros.get(name);
    if !macros.has("__linux__") {
        return Err("it does not compile for Linux".to_owned());
    }
    let (arch, long, long_double) = if macros.has("__x86_64__") {
        (Arch::X86_64, "8", "16")
    } else if macros.has("__i386__") {
        (Arch::I386, "4", "12")
    } else {
        return Err("no layout table for its machine".to_owned());
    };
    let as_expected = |name, value| size(name).is_none_or(|size| size == value);
    if !as_expected("__SIZEOF_LONG__", long)
        || !as_expected("__SIZEOF_POINTER__", long)
        || !as_expected("__SIZEOF_LONG_DOUBLE__", long_double)
    {
        return Err("no layout table for its sizes of types".to_owned());
    }
    Ok(arch)
}

/// The last flag counts; tcc has it without a macro.
fn char_signed(flags: &[String], macros: &Macros) -> bool {
    let said = flags.iter().rev().find_map(|flag| match flag.as_str() {
        "-funsigned-char" | "-fno-signed-char" => Some(false),
        "-fsigned-char" | "-fno-unsigned-char" => Some(true),
        _ => None,
    });
    said.unwrap_or(!macros.has("__CHAR_UNSIGNED__"))
}

/// Whether flags say which standard counts.
pub(crate) fn names_std(flags: &[String]) -> bool {
    let names = |flag: &String| flag == "-ansi" || flag.starts_with("-std=") || flag.starts_with("--std=");
    flags.iter().any(names)
}

fn std(family: Family, flags: &[String], macros: &Macros) -> Result<Std, String> {
    let named = flags.iter().rev().find_map(|flag| match flag.as_str() {
        "-ansi" => Some("c89"),
        flag => flag.strip_prefix("-std=").or_else(|| flag.strip_prefix("--std=")),
    });
    if let Some(name) = named {
        return Std::parse(name).ok_or_else(|| format!("-std={name} is not known to the model"));
    }
    let edition = match macros.get("__STDC_VERSION__").unwrap_or("") {
        "" => Edition::C89,
        "199901L" => Edition::C99,
        "201112L" => Edition::C11,
        "201710L" => Edition::C17,
        version => return Err(format!("its C ({version}) is not known to the model: add -std=gnu17")),
    };
    // The small ones have extensions whatever they say.
    let strict = macros.has("__STRICT_ANSI__") && matches!(family, Family::Gcc | Family::Clang);
    Ok(Std { edition, gnu: !strict })
}

/// Whether a multiplication may be fused with an addition: by an instruction, or, since clang 14, where both are
/// computed by the compiler, whatever the machine has.
fn fuses(macros: &Macros) -> bool {
    let folds = macros
        .get("__clang_major__")
        .and_then(|major| major.parse().ok())
        .is_some_and(|major: u32| major >= 14);
    folds || ["__FMA__", "__FMA4__", "__AVX512F__"].iter().any(|name| macros.has(name))
}

fn contraction(flags: &[String]) -> Option<&str> {
    flags.iter().rev().find_map(|flag| flag.strip_prefix("-ffp-contract="))
}

/// Flags without which results may differ from what the model computes, and which nobody minds.
pub(crate) fn missing_flags(flags: &[String], macros: &Macros) -> Vec<String> {
    let mut missing = Vec::new();
    if macros.has("__INTEL_LLVM_COMPILER") && !flags.iter().any(|flag| flag.contains("fp-model=")) {
        missing.push("-fp-model=precise".to_owned());
    }
    if fuses(macros) && contraction(flags).is_none() {
        missing.push("-ffp-contract=off".to_owned());
    }
    missing
}
