//! Character classes and case of ctype.h in the "C" locale (C17 7.4). Wide characters are not here.

/// A class that an `is…` function tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Class {
    /// `isalnum`.
    Alnum,
    /// `isalpha`.
    Alpha,
    /// `isblank`.
    Blank,
    /// `iscntrl`.
    Cntrl,
    /// `isdigit`.
    Digit,
    /// `isgraph`.
    Graph,
    /// `islower`.
    Lower,
    /// `isprint`.
    Print,
    /// `ispunct`.
    Punct,
    /// `isspace`.
    Space,
    /// `isupper`.
    Upper,
    /// `isxdigit`.
    Xdigit,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 12] = [
        Class::Alnum,
        Class::Alpha,
        Class::Blank,
        Class::Cntrl,
        Class::Digit,
        Class::Graph,
        Class::Lower,
        Class::Print,
        Class::Punct,
        Class::Space,
        Class::Upper,
        Class::Xdigit,
    ];

    /// The class that a function of ctype.h tests.
    ///
    /// ```
    /// use howler_machine::text::ctype::Class;
    /// assert_eq!(Class::of_function("isxdigit"), Some(Class::Xdigit));
    /// assert_eq!(Class::of_function("toupper"), None);
    /// ```
    pub fn of_function(name: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.function() == name)
    }

    /// The name of the function.
    pub fn function(self) -> &'static str {
        match self {
            Class::Alnum => "isalnum",
            Class::Alpha => "isalpha",
            Class::Blank => "isblank",
            Class::Cntrl => "iscntrl",
            Class::Digit => "isdigit",
            Class::Graph => "isgraph",
            Class::Lower => "islower",
            Class::Print => "isprint",
            Class::Punct => "ispunct",
            Class::Space => "isspace",
            Class::Upper => "isupper",
            Class::Xdigit => "isxdigit",
        }
    }

    /// Whether a byte is in the class. Bytes above 127 are in none.
    pub fn has(self, byte: u8) -> bool {
        match self {
            Class::Alnum => byte.is_ascii_alphanumeric(),
            Class::Alpha => byte.is_ascii_alphabetic(),
            Class::Blank => byte == b' ' || byte == b'\t',
            Class::Cntrl => byte.is_ascii_control(),
            Class::Digit => byte.is_ascii_digit(),
            Class::Graph => byte.is_ascii_graphic(),
            Class::Lower => byte.is_ascii_lowercase(),
            Class::Print => byte.is_ascii_graphic() || byte == b' ',
            Class::Punct => byte.is_ascii_punctuation(),
            Class::Space => is_space(byte),
            Class::Upper => byte.is_ascii_uppercase(),
            Class::Xdigit => byte.is_ascii_hexdigit(),
        }
    }
}

/// White space of the "C" locale (C17 7.4.1.10p2); unlike Rust's it has the vertical tab.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}

/// Whether an argument of a ctype.h function is in the class. `None` if the call is undefined: C17 7.4p1 allows the
/// values of `unsigned char` and `EOF` only.
///
/// What a function returns for "yes" is any value but 0 (C17 7.4.1p1): glibc's calls and gcc's inline code differ.
///
/// ```
/// use howler_machine::text::ctype::{Class, is};
/// assert_eq!(is(Class::Digit, 0x37), Some(true));
/// assert_eq!(is(Class::Digit, -1), Some(false));
/// assert_eq!(is(Class::Digit, 300), None);
/// ```
pub fn is(class: Class, argument: i32) -> Option<bool> {
    match u8::try_from(argument) {
        Ok(byte) => Some(class.has(byte)),
        Err(_) => (argument == EOF).then_some(false),
    }
}

/// `tolower`; `None` if the call is undefined, as for [`is`].
pub fn to_lower(argument: i32) -> Option<i32> {
    changed(argument, |byte| byte.to_ascii_lowercase())
}

/// `toupper`; `None` if the call is undefined, as for [`is`].
pub fn to_upper(argument: i32) -> Option<i32> {
    changed(argument, |byte| byte.to_ascii_uppercase())
}

/// glibc's `EOF`.
const EOF: i32 = -1;

fn changed(argument: i32, change: fn(&u8) -> u8) -> Option<i32> {
    match u8::try_from(argument) {
        Ok(byte) => Some(i32::from(change(&byte))),
        Err(_) => (argument == EOF).then_some(EOF),
    }
}
