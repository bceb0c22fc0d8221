//! The names of the library's functions, which a program may not give to functions of its own (C17 7.1.3p1-2).

use super::builtin_names;
use crate::outcome::{Outcome, Ub, Unsupported};
use crate::ub::UbKind;
use howler_lang::builtin;
use howler_lang::program::{Function, Linkage, Program};

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
    NAMES.binary_search(&name).is_ok() || is_math(name)
}

/// Whether the name is one of `<math.h>` or `<complex.h>`.
fn is_math(name: &str) -> bool {
    let listed = |name: &str| MATH.binary_search(&name).is_ok();
    listed(name) || name.strip_suffix(['f', 'l']).is_some_and(listed)
}

/// Why a definition may not have its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// External, with the name of one of C17's functions (7.1.3p2).
    Reserved,
    /// Compilers take it for another function, or call it where they mean another.
    Known,
}

/// What comes of the first function or object that the program defines with a name of the library.
pub(super) fn refusal(program: &Program) -> Option<Outcome> {
    let functions = program.funcs.iter().filter_map(|(_, function)| {
        let alias = || function.attrs.iter().any(|attr| program.name(attr.name) == "alias");
        let defined = function.parent.is_none() && (function.body.is_some() || alias());
        let name = defined.then(|| program.name(function.name))?;
        let taken = match function.linkage {
            Linkage::External if is_reserved(name) => Taken::Reserved,
            Linkage::External if builtin_names::is_known(name) => Taken::Known,
            _ if is_taken_always(name) => Taken::Known,
            _ => return None,
        };
        Some((taken, name, function.pos))
    });
    let objects = program.objects.iter().filter_map(|(_, object)| {
        let name = program.name(object.name.filter(|_| object.defined)?);
        let taken = match object.linkage {
            Linkage::External if is_reserved(name) => Taken::Reserved,
            // Nobody calls `nan` but who names it.
            Linkage::External | Linkage::Internal if is_taken_always(name) && name != "nan" => Taken::Known,
            _ => return None,
        };
        Some((taken, name, object.pos))
    });
    let all: Vec<_> = functions.chain(objects).collect();
    // What is undefined comes before what is only not supported.
    let reserved = all.iter().find(|(taken, ..)| *taken == Taken::Reserved);
    let &(taken, name, pos) = reserved.or(all.first())?;
    Some(match taken {
        Taken::Reserved => Outcome::Ub(Box::new(Ub::new(UbKind::ReservedName, pos, format!("'{name}'")))),
        Taken::Known => {
            let what = format!("own definition of '{name}', a library function that compilers know");
            Outcome::Unsupported(Box::new(Unsupported { what, pos }))
        }
    })
}

/// Whether not even a static definition keeps the name to itself: compilers call some functions for their own purposes
/// by the name alone, and clang computes the functions of `<math.h>` for constants by theirs.
fn is_taken_always(name: &str) -> bool {
    builtin_names::is_called(name) || is_math(name)
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
