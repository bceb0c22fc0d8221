//! Sentences and clauses that fit a library function better than those of the kind of undefined behaviour: what
//! `strcpy` and `sprintf` may not do stands elsewhere than what `memcpy` may not do. Nothing is decided here.

use crate::ub::UbKind;

/// What gives the comparison of two string literals that are alike, among values that are chosen.
pub(super) const SAME_LITERALS: &str = "\"\" == \"\"";

/// The message for a kind that a library function met, if it is not the kind's own.
pub(super) fn message(kind: UbKind, function: &str) -> Option<String> {
    let name = plain(function);
    Some(match kind {
        UbKind::PrintfType => format!("argument of {name} has the wrong type for its conversion"),
        UbKind::PrintfFew => format!("too few arguments for the format of {name}"),
        UbKind::PrintfFormat => format!("invalid conversion specification of {name}"),
        UbKind::LibOverlap => format!("{name} copies between objects that overlap"),
        UbKind::LibPointer => format!("invalid pointer given to {name}"),
        UbKind::LibBounds => format!("{name} reaches beyond the object"),
        UbKind::LibUnterminated => format!("array without a terminating zero given to {name} as a string"),
        UbKind::AtoiRange if is_scan(name) => {
            format!("number does not fit the object that {name} stores it in")
        }
        UbKind::AtoiRange => format!("number does not fit the result of {name}"),
        _ => return None,
    })
}

/// The clause for a kind that a library function met, if it is not the kind's own.
pub(super) fn clause(kind: UbKind, function: &str) -> Option<String> {
    let name = plain(function);
    let (scan, print) = (is_scan(name), name.ends_with("printf"));
    let format = match (scan, name.contains('w')) {
        (false, false) => "7.21.6.1",
        (true, false) => "7.21.6.2",
        (false, true) => "7.29.2.1",
        (true, true) => "7.29.2.2",
    };
    let own = || section(name).map(|section| format!("{section}p2"));
    Some(match kind {
        UbKind::PrintfType => format!("{format}{}", if scan { "p10" } else { "p9" }),
        UbKind::PrintfFew => format!("{format}p2"),
        UbKind::PrintfFormat if scan => format!("{format}p13"),
        UbKind::PrintfFormat => format!("{format}p4, p6-9"),
        UbKind::AtoiRange if scan => format!("{format}p10"),
        UbKind::LibOverlap => overlap(name)?,
        // `%s` wants a string, and of scanf an array that is large enough.
        UbKind::LibBounds if scan => format!("{format}p12"),
        UbKind::LibPointer | UbKind::LibUnterminated if print => format!("7.1.4p1, {format}p8"),
        UbKind::LibPointer if scan => format!("7.1.4p1, {format}p12"),
        UbKind::LibPointer | UbKind::LibBounds | UbKind::LibUnterminated => format!("7.1.4p1, {}", own()?),
        UbKind::DoubleFree | UbKind::BadFree => match name {
            "realloc" | "reallocarray" => "7.22.3.5p3".to_owned(),
            _ => "7.22.3.3p2".to_owned(),
        },
        _ => return None,
    })
}

/// Who says that the text a function returns must not be modified.
pub(super) fn text_clause(function: &str) -> &'static str {
    match function {
        "getenv" => "7.22.4.6p4",
        "strerror" => "7.24.6.2p4",
        _ => "7.11.1.1p8",
    }
}

/// What is open about the value that a function gave.
pub(super) fn choice(function: &str) -> String {
    if function == SAME_LITERALS {
        return "whether equal string literals are one object (C17 6.4.5p7)".to_owned();
    }
    let name = plain(function);
    let what = match name {
        "strcmp" | "strncmp" | "memcmp" | "strcoll" | "wcscmp" | "wcsncmp" | "wmemcmp" => {
            "of the result of this call only the sign is known"
        }
        _ if is_class(name) => "of the result of this call only whether it is zero is known",
        "isinf" | "isinff" | "isinfl" | "isnan" | "isnanf" | "isnanl" | "signbit" | "signbitf"
        | "signbitl" | "finite" | "isfinite" | "isnormal" => {
            "of the result of this call only whether it is zero is known"
        }
        "malloc" | "calloc" | "realloc" | "aligned_alloc" => {
            "whether an allocation of no bytes gives a null pointer"
        }
        _ => "the result of this call is for the library or its host to choose",
    };
    let section = match name {
        "malloc" | "calloc" | "realloc" | "aligned_alloc" => Some("7.22.3p1"),
        _ => section(name),
    };
    match section {
        Some(section) => format!("{what} ('{name}', C17 {section})"),
        None => format!("{what} ('{name}')"),
    }
}

/// The function's name without what a library puts before it.
fn plain(function: &str) -> &str {
    let name = function.strip_prefix("__isoc99_").unwrap_or(function);
    let name = name.strip_prefix("__").unwrap_or(name);
    name.strip_suffix("_unlocked").unwrap_or(name)
}

fn is_scan(name: &str) -> bool {
    name.ends_with("scanf")
}

fn is_class(name: &str) -> bool {
    let name = name.strip_prefix("isw").or_else(|| name.strip_prefix("is"));
    matches!(
        name,
        Some(
            "alnum"
                | "alpha"
                | "blank"
                | "cntrl"
                | "digit"
                | "graph"
                | "lower"
                | "print"
                | "punct"
                | "space"
                | "upper"
                | "xdigit"
        )
    )
}

/// Who forbids that a function copies between objects that overlap.
fn overlap(name: &str) -> Option<String> {
    // Those of <wchar.h> have restrict pointers and no words about it.
    if name.starts_with('w') && !name.ends_with("printf") && name != "wcstombs" {
        return Some(format!("6.7.3.1p4, {}", section(name)?));
    }
    Some(format!("{}p2", section(name)?))
}

/// The section of C17 that describes a function. In almost all of them the description is paragraph 2.
fn section(name: &str) -> Option<&'static str> {
    Some(match name {
        _ if is_class(name) && name.starts_with("isw") => "7.30.2.1",
        _ if is_class(name) => "7.4.1",
        "isinf" | "isinff" | "isinfl" => "7.12.3.3",
        "isnan" | "isnanf" | "isnanl" => "7.12.3.4",
        "isnormal" => "7.12.3.5",
        "isfinite" | "finite" => "7.12.3.2",
        "signbit" | "signbitf" | "signbitl" => "7.12.3.6",
        "fflush" => "7.21.5.2",
        "setbuf" => "7.21.5.5",
        "setvbuf" => "7.21.5.6",
        "fprintf" => "7.21.6.1",
        "fscanf" => "7.21.6.2",
        "printf" => "7.21.6.3",
        "scanf" => "7.21.6.4",
        "snprintf" => "7.21.6.5",
        "sprintf" => "7.21.6.6",
        "sscanf" => "7.21.6.7",
        "vfprintf" => "7.21.6.8",
        "vfscanf" => "7.21.6.9",
        "vprintf" => "7.21.6.10",
        "vscanf" => "7.21.6.11",
        "vsnprintf" => "7.21.6.12",
        "vsprintf" => "7.21.6.13",
        "vsscanf" => "7.21.6.14",
        "fgetc" => "7.21.7.1",
        "fgets" => "7.21.7.2",
        "fputc" => "7.21.7.3",
        "fputs" => "7.21.7.4",
        "getc" => "7.21.7.5",
        "putc" => "7.21.7.7",
        "puts" => "7.21.7.9",
        "ungetc" => "7.21.7.10",
        "fread" => "7.21.8.1",
        "fwrite" => "7.21.8.2",
        "perror" => "7.21.10.4",
        "atof" => "7.22.1.1",
        "atoi" | "atol" | "atoll" => "7.22.1.2",
        "strtod" | "strtof" | "strtold" => "7.22.1.3",
        "strtol" | "strtoll" | "strtoul" | "strtoull" => "7.22.1.4",
        "rand" => "7.22.2.1",
        "atexit" => "7.22.4.2",
        "getenv" => "7.22.4.6",
        "system" => "7.22.4.8",
        "bsearch" => "7.22.5.1",
        "qsort" => "7.22.5.2",
        "mblen" => "7.22.7.1",
        "mbtowc" => "7.22.7.2",
        "mbstowcs" => "7.22.8.1",
        "wcstombs" => "7.22.8.2",
        "memcpy" => "7.24.2.1",
        "memmove" => "7.24.2.2",
        "strcpy" => "7.24.2.3",
        "strncpy" => "7.24.2.4",
        "strcat" => "7.24.3.1",
        "strncat" => "7.24.3.2",
        "memcmp" => "7.24.4.1",
        "strcmp" => "7.24.4.2",
        "strcoll" => "7.24.4.3",
        "strncmp" => "7.24.4.4",
        "strxfrm" => "7.24.4.5",
        "memchr" => "7.24.5.1",
        "strchr" => "7.24.5.2",
        "strcspn" => "7.24.5.3",
        "strpbrk" => "7.24.5.4",
        "strrchr" => "7.24.5.5",
        "strspn" => "7.24.5.6",
        "strstr" => "7.24.5.7",
        "strtok" => "7.24.5.8",
        "memset" => "7.24.6.1",
        "strerror" => "7.24.6.2",
        "strlen" => "7.24.6.3",
        "clock" => "7.27.2.1",
        "time" => "7.27.2.4",
        "fwprintf" => "7.29.2.1",
        "swprintf" => "7.29.2.3",
        "wprintf" => "7.29.2.11",
        "wcscpy" => "7.29.4.2.1",
        "wcsncpy" => "7.29.4.2.2",
        "wmemcpy" => "7.29.4.2.3",
        "wcscat" => "7.29.4.3.1",
        "wcsncat" => "7.29.4.3.2",
        "wcscmp" => "7.29.4.4.1",
        "wcsncmp" => "7.29.4.4.3",
        "wmemcmp" => "7.29.4.4.5",
        "wcslen" => "7.29.4.6.1",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_cited_for_what_it_says() {
        let clause = |kind, name| clause(kind, name).unwrap();
        assert_eq!(clause(UbKind::PrintfType, "__isoc99_sscanf"), "7.21.6.2p10");
        assert_eq!(clause(UbKind::PrintfType, "wprintf"), "7.29.2.1p9");
        assert_eq!(clause(UbKind::LibOverlap, "strcat"), "7.24.3.1p2");
        assert_eq!(clause(UbKind::LibOverlap, "wcscpy"), "6.7.3.1p4, 7.29.4.2.1");
        assert_eq!(clause(UbKind::LibUnterminated, "printf"), "7.1.4p1, 7.21.6.1p8");
        assert_eq!(clause(UbKind::LibBounds, "fgets"), "7.1.4p1, 7.21.7.2p2");
        assert_eq!(super::clause(UbKind::LibBounds, "memccpy"), None);
        assert_eq!(super::clause(UbKind::Uninit, "printf"), None);
    }
}
