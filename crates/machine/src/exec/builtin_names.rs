//! The names that compilers take for functions of a library though C17 does not reserve them for one.

/// Functions that gcc 12 to 16 (`builtins.def`) and clang 14 to 23 (its builtins, `TargetLibraryInfo.def`) know, but
/// those of C17 that [`super::lib_names`] lists. Most mean something with every `-std`: clang does not ask for it.
#[rustfmt::skip]
const KNOWN: &[&str] = &[
    "_IO_getc", "_IO_putc", "__clear_cache", "__cospi", "__cospif", "__isoc99_scanf", "__isoc99_sscanf",
    "__nvvm_reflect", "__sigsetjmp", "__sinpi", "__sinpif", "__small_fprintf", "__small_printf",
    "__small_sprintf", "__strdup", "__strndup", "__strtok_r", "_exit", "_longjmp", "_setjmp", "access",
    "acospi", "acospif", "acospil", "alloca", "asinpi", "asinpif", "asinpil", "atan2pi", "atan2pif", "atan2pil",
    "atanpi", "atanpif", "atanpil", "bcmp", "bcopy", "bzero", "chmod", "chown", "clog10", "clog10f", "clog10l",
    "closedir", "compoundn", "compoundnf", "compoundnl", "cospi", "cospif", "cospil", "ctermid", "dcgettext",
    "dgettext", "drem", "dremf", "dreml", "dremlf", "execl", "execle", "execlp", "execv", "execvP", "execve",
    "execvp", "execvpe", "exp10", "exp10f", "exp10l", "exp10m1", "exp10m1f", "exp10m1l", "exp2m1", "exp2m1f",
    "exp2m1l", "fabsd128", "fabsd32", "fabsd64", "fdopen", "ffs", "ffsimax", "ffsl", "ffsll", "fgetc_unlocked",
    "fgets_unlocked", "fileno", "finite", "finited128", "finited32", "finited64", "finitef", "finitel",
    "fiprintf", "flockfile", "fls", "flsl", "flsll", "fmaximum", "fmaximum_mag", "fmaximum_mag_num",
    "fmaximum_mag_numf", "fmaximum_mag_numl", "fmaximum_magf", "fmaximum_magl", "fmaximum_num", "fmaximum_numf",
    "fmaximum_numl", "fmaximumf", "fmaximuml", "fminimum", "fminimum_mag", "fminimum_mag_num",
    "fminimum_mag_numf", "fminimum_mag_numl", "fminimum_magf", "fminimum_magl", "fminimum_num", "fminimum_numf",
    "fminimum_numl", "fminimumf", "fminimuml", "fopen64", "fork", "fprintf_unlocked", "fputc_unlocked",
    "fputs_unlocked", "fread_unlocked", "fromfp", "fromfpf", "fromfpl", "fromfpx", "fromfpxf", "fromfpxl",
    "fseeko", "fseeko64", "fstat", "fstat64", "fstatvfs", "fstatvfs64", "ftello", "ftello64", "ftrylockfile",
    "funlockfile", "fwrite_unlocked", "gamma", "gamma_r", "gammaf", "gammaf_r", "gammal", "gammal_r",
    "getc_unlocked", "getchar_unlocked", "getcontext", "getitimer", "getlogin_r", "getpwnam", "gets", "gettext",
    "gettimeofday", "htonl", "htons", "index", "iprintf", "isascii", "isinf", "isinfd128", "isinfd32",
    "isinfd64", "isinff", "isinfl", "isnan", "isnand128", "isnand32", "isnand64", "isnanf", "isnanl",
    "issignaling", "issignalingf", "issignalingl", "iswalnum", "iswalpha", "iswblank", "iswcntrl", "iswdigit",
    "iswgraph", "iswlower", "iswprint", "iswpunct", "iswspace", "iswupper", "iswxdigit", "j0", "j0f", "j0l",
    "j1", "j1f", "j1l", "jn", "jnf", "jnl", "lchown", "lgamma_r", "lgammaf_r", "lgammal_r", "llogb", "llogbf",
    "llogbl", "log10p1", "log10p1f", "log10p1l", "log2p1", "log2p1f", "log2p1l", "logp1", "logp1f", "logp1l",
    "lstat", "lstat64", "memalign", "memalignment", "memccpy", "mempcpy", "memrchr", "memset_explicit",
    "memset_pattern16", "memset_pattern4", "memset_pattern8", "mkdir", "nand128", "nand32", "nand64",
    "nextdown", "nextdownf", "nextdownl", "nextup", "nextupf", "nextupl", "ntohl", "ntohs", "open", "open64",
    "opendir", "pclose", "popen", "posix_memalign", "pow10", "pow10f", "pow10l", "pown", "pownf", "pownl",
    "powr", "powrf", "powrl", "pread", "printf_unlocked", "pthread_create", "putc_unlocked", "putchar_unlocked",
    "puts_unlocked", "pvalloc", "pwrite", "rawmemchr", "read", "readlink", "reallocarray", "reallocf",
    "realpath", "rindex", "rmdir", "rootn", "rootnf", "rootnl", "roundeven", "roundevenf", "roundevenl",
    "rsqrt", "rsqrtf", "rsqrtl", "savectx", "scalb", "scalbf", "scalbl", "setitimer", "setjmp", "siglongjmp",
    "signbit", "signbitd128", "signbitd32", "signbitd64", "signbitf", "signbitl", "significand", "significandf",
    "significandl", "sigsetjmp", "sincos", "sincosf", "sincosl", "sincospi", "sincospif", "sincospil", "sinpi",
    "sinpif", "sinpil", "siprintf", "stat", "stat64", "statvfs", "statvfs64", "stpcpy", "stpncpy", "strcasecmp",
    "strdup", "strfmon", "strlcat", "strlcpy", "strncasecmp", "strndup", "strnlen", "strtok_r", "tanpi",
    "tanpif", "tanpil", "times", "tmpfile64", "toascii", "towlower", "towupper", "uabs", "ufromfp", "ufromfpf",
    "ufromfpl", "ufromfpx", "ufromfpxf", "ufromfpxl", "uimaxabs", "ulabs", "ullabs", "umaxabs", "uname",
    "unlink", "unsetenv", "utime", "utimes", "valloc", "vec_calloc", "vec_free", "vec_malloc", "vec_realloc",
    "vfork", "wcscat", "wcschr", "wcscmp", "wcscpy", "wcscspn", "wcslen", "wcsncat", "wcsncmp", "wcsncpy",
    "wcsnlen", "wcspbrk", "wcsrchr", "wcsspn", "wcsstr", "wcstod", "wcstol", "wmemchr", "wmemcmp", "wmemcpy",
    "wmemmove", "wmemset", "write", "y0", "y0f", "y0l", "y1", "y1f", "y1l", "yn", "ynf", "ynl",
];

/// Functions that gcc has for each type `_FloatN` and `_FloatNx`.
#[rustfmt::skip]
const FLOAT_N: &[&str] = &[
    "ceil", "copysign", "fabs", "floor", "fma", "fmax", "fmin", "nan", "nearbyint", "rint", "round", "roundeven", "sqrt",
    "trunc",
];

/// What such a name ends in.
const FLOAT_N_SUFFIXES: &[&str] = &["f16", "f32", "f64", "f128", "f32x", "f64x", "f128x"];

/// Functions that compilers call where a program says something else, as `puts` for `printf`, `memcpy` for an assignment
/// and `bcmp` for `memcmp`, whatever the name means in the program.
#[rustfmt::skip]
const CALLED: &[&str] = &[
    "abort", "bcmp", "calloc", "exp10", "exp10f", "exp10l", "fprintf", "fputc", "fputc_unlocked", "fputs",
    "fputs_unlocked", "fwrite", "fwrite_unlocked", "malloc", "memccpy", "memchr", "memcmp", "memcpy", "memmove",
    "mempcpy", "memrchr", "memset", "pow10", "pow10f", "pow10l", "printf", "putc", "putc_unlocked", "putchar",
    "putchar_unlocked", "puts", "rawmemchr", "roundeven", "roundevenf", "roundevenl", "sincos", "sincosf", "sincosl",
    "snprintf", "sprintf", "stpcpy", "stpncpy", "strcat", "strchr", "strcmp", "strcpy", "strcspn", "strdup", "strlen",
    "strncat", "strncmp", "strncpy", "strndup", "strnlen", "strpbrk", "strrchr", "strspn", "strstr", "strtol", "wcslen",
];

/// How the names of what compilers bring with them start.
const RUNTIME: &[&str] = &[
    "_Unwind_",
    "__atomic_",
    "__builtin_",
    "__cxa_",
    "__emutls_",
    "__gcc_",
    "__sanitizer_",
    "__stack_chk_",
    "__sync_",
];

/// The machine modes in the names of compilers' arithmetic, such as `__divti3` and `__floatsidf`.
#[rustfmt::skip]
const MODES: &[&str] = &[
    "bf", "dc", "dd", "df", "di", "hc", "hf", "hi", "qi", "sc", "sd", "sf", "si", "tc", "td", "tf", "ti", "xc", "xf",
];

/// Whether some compiler takes an external function of this name for a library's, or calls one of this name.
pub(super) fn is_known(name: &str) -> bool {
    let float_n = |suffix: &&str| name.strip_suffix(*suffix).is_some_and(|base| is_in(FLOAT_N, base));
    is_in(KNOWN, name) || FLOAT_N_SUFFIXES.iter().any(float_n) || is_runtime(name)
}

/// Whether compilers call a function of this name that the program does not name, C17's included, but those of `<math.h>`.
pub(super) fn is_called(name: &str) -> bool {
    is_in(CALLED, name) || is_runtime(name)
}

/// Whether the name is one of a compiler's own library: `__divti3`, `__memcpy_chk`, `__exp_finite`.
fn is_runtime(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("__") else { return name.starts_with("_Unwind_") };
    let arithmetic = rest.strip_suffix(['2', '3', '4']).unwrap_or(rest);
    let (verb, mode) =
        arithmetic.split_at_checked(arithmetic.len().saturating_sub(2)).unwrap_or((arithmetic, ""));
    let is_arithmetic = is_in(MODES, mode)
        && (arithmetic.len() < rest.len()
            || ["fix", "float", "extend", "trunc"].iter().any(|v| verb.starts_with(v)));
    let ended = ["_chk", "_finite", "_stret"].iter().any(|end| rest.ends_with(end));
    is_arithmetic || ended || RUNTIME.iter().any(|start| name.starts_with(start))
}

fn is_in(table: &[&str], name: &str) -> bool {
    table.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in [KNOWN, FLOAT_N, CALLED, MODES] {
            assert!(table.is_sorted());
        }
    }

    #[test]
    fn names_of_compilers_are_known() {
        for name in
            ["ffs", "index", "alloca", "bcmp", "sqrtf128", "exp10", "__divti3", "__floatsidf", "__memcpy_chk"]
        {
            assert!(is_known(name), "{name}");
        }
        for name in ["main", "f", "sqrtf12", "__init", "__add", "__my_type", "__f3", "mode", "swap", "max"] {
            assert!(!is_known(name), "{name}");
        }
        for name in ["memcpy", "puts", "bcmp", "__udivdi3", "__powidf2"] {
            assert!(is_called(name), "{name}");
        }
        for name in ["ffs", "abs", "time", "rand", "isascii", "index"] {
            assert!(!is_called(name), "{name}");
        }
    }
}
