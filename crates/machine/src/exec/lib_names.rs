//! The names of the library's functions, which a program may not give to functions of its own (C17 7.1.3p1-2).

use howler_lang::builtin;
use howler_lang::program::{Function, Linkage, Program};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;

/// Functions of the library but those of `<math.h>` and `<complex.h>`.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "_Exit", "abort", "abs", "aligned_alloc", "asctime", "at_quick_exit", "atexit", "atof", "atoi", "atol",
    "atoll", "bsearch", "calloc", "clearerr", "clock", "ctime", "difftime", "div", "exit", "fclose",
    "feclearexcept", "fegetenv", "fegetexceptflag", "fegetround", "feholdexcept", "feof", "feraiseexcept",
    "ferror", "fesetenv", "fesetexceptflag", "fesetround", "fetestexcept", "feupdateenv", "fflush",
    "fgetc", "fgetpos", "fgets", "fopen", "fprintf", "fputc", "fputs", "fread", "free", "freopen",
    "fscanf", "fseek", "fsetpos", "ftell", "fwrite", "getc", "getchar", "getenv", "gmtime", "imaxabs",
    "imaxdiv", "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
    "ispunct", "isspace", "isupper", "isxdigit", "labs", "ldiv", "llabs", "lldiv", "localeconv",
    "localtime", "longjmp", "malloc", "mblen", "mbstowcs", "mbtowc", "memchr", "memcmp", "memcpy",
    "memmove", "memset", "mktime", "perror", "printf", "putc", "putchar", "puts", "qsort", "quick_exit",
    "raise", "rand", "realloc", "remove", "rename", "rewind", "scanf", "setbuf", "setlocale", "setvbuf",
    "signal", "snprintf", "sprintf", "srand", "sscanf", "strcat", "strchr", "strcmp", "strcoll", "strcpy",
    "strcspn", "strerror", "strftime", "strlen", "strncat", "strncmp", "strncpy", "strpbrk", "strrchr",
    "strspn", "strstr", "strtod", "strtof", "strtoimax", "strtok", "strtol", "strtold", "strtoll",
    "strtoul", "strtoull", "strtoumax", "strxfrm", "system", "time", "timespec_get", "tmpfile", "tmpnam",
    "tolower", "toupper", "ungetc", "vfprintf", "vfscanf", "vprintf", "vscanf", "vsnprintf", "vsprintf",
    "vsscanf", "wcstombs", "wctomb",
];

/// Functions of `<math.h>` and `<complex.h>`: each also ends in `f` or `l`.
#[rustfmt::skip]
const MATH: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cabs", "cacos", "cacosh", "carg", "casin",
    "casinh", "catan", "catanh", "cbrt", "ccos", "ccosh", "ceil", "cexp", "cimag", "clog", "conj",
    "copysign", "cos", "cosh", "cpow", "cproj", "creal", "csin", "csinh", "csqrt", "ctan", "ctanh", "erf",
    "erfc", "exp", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "frexp",
    "hypot", "ilogb", "ldexp", "lgamma", "llrint", "llround", "log", "log10", "log1p", "log2", "logb",
    "lrint", "lround", "modf", "nan", "nearbyint", "nextafter", "nexttoward", "pow", "remainder", "remquo",
    "rint", "round", "scalbln", "scalbn", "sin", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc",
];

/// Functions of POSIX that test programs declare themselves.
#[rustfmt::skip]
const POSIX: &[&str] = &[
    "alarm", "close", "dup", "dup2", "fileno", "fork", "getpagesize", "getpid", "gettimeofday", "isatty", "kill",
    "mmap", "mprotect", "munmap", "open", "pipe", "random", "read", "sbrk", "setenv", "sigaction", "siglongjmp",
    "sleep", "srandom", "sysconf", "tempnam", "unlink", "usleep", "wait", "waitpid", "write",
];

/// Whether a function without a definition is some library's: then it is not modelled, else the program lacks it. What
/// a header declares is a library's.
pub(super) fn is_library(program: &Program, function: &Function) -> bool {
    let name = program.name(function.name);
    let header = program.sources.is_system(function.pos);
    // What an attribute gives it, such as `ifunc`, is not modelled either.
    let given = function
        .attrs
        .iter()
        .any(|attr| matches!(program.name(attr.name), "ifunc" | "alias" | "weakref" | "weak"));
    is_library_name(name) || header || given
}

/// Whether some library has a function of this name, modelled or not.
pub(crate) fn is_library_name(name: &str) -> bool {
    is_reserved(name)
        || POSIX.binary_search(&name).is_ok()
        || builtin::lookup(name).is_some()
        || super::library::is_known(name)
        || name.starts_with("__")
}

/// Whether the name is one of the library's.
fn is_reserved(name: &str) -> bool {
    let in_table = |table: &[&str], name: &str| table.binary_search(&name).is_ok();
    let math = |suffix| name.strip_suffix(suffix).is_some_and(|base| in_table(MATH, base));
    in_table(NAMES, name) || in_table(MATH, name) || math('f') || math('l')
}

/// The first function or object with external linkage that the program defines with a name of the library.
pub(super) fn reserved_definition(program: &Program) -> Option<(Symbol, Pos)> {
    let functions = program.funcs.iter().filter_map(|(_, function)| {
        let external = function.linkage == Linkage::External && function.parent.is_none();
        (function.body.is_some() && external).then_some((function.name, function.pos))
    });
    let objects = program.objects.iter().filter_map(|(_, object)| {
        let external = object.linkage == Linkage::External && object.defined;
        object.name.filter(|_| external).map(|name| (name, object.pos))
    });
    functions.chain(objects).find(|&(name, _)| is_reserved(program.name(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_found() {
        assert!(NAMES.is_sorted() && MATH.is_sorted());
        for name in ["abort", "memcpy", "sinf", "fabsl", "printf", "vsscanf"] {
            assert!(is_reserved(name), "{name}");
        }
        for name in ["main", "index", "f", "l", "bcopy", "memcpyf"] {
            assert!(!is_reserved(name), "{name}");
        }
    }
}
