//! One conversion specification of printf: its parts, and which ones C17 leaves undefined.

/// A conversion specification, from the `%` to the conversion specifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Spec {
    /// The flags.
    pub flags: Flags,
    /// The minimum field width.
    pub width: Amount,
    /// The precision; a point alone is 0.
    pub precision: Amount,
    /// The length modifier.
    pub length: Length,
    /// The conversion specifier.
    pub conversion: Conversion,
    /// How many bytes of the format it takes.
    pub size: usize,
}

/// The flags of a specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Flags {
    /// `-`: the text stands at the left.
    pub left: bool,
    /// `+`: a signed number always has a sign.
    pub plus: bool,
    /// A space: a signed number without a sign gets a space.
    pub space: bool,
    /// `#`: the alternative form.
    pub alternative: bool,
    /// `0`: padding by zeros.
    pub zero: bool,
    /// `'`: grouping, which is POSIX's and does nothing in the "C" locale.
    pub group: bool,
}

/// A width or precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Amount {
    /// Not given.
    None,
    /// A number; what exceeds the type saturates.
    Number(u32),
    /// `*`: the next argument, an `int`.
    Star,
}

impl Amount {
    /// The number, if it is one.
    pub fn number(self) -> Option<u32> {
        match self {
            Amount::Number(number) => Some(number),
            Amount::None | Amount::Star => None,
        }
    }
}

/// A length modifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Length {
    /// None.
    None,
    /// `hh`: a character type.
    Char,
    /// `h`: a short type.
    Short,
    /// `l`: a long type, a wide character or a wide string; nothing before a floating conversion.
    Long,
    /// `ll`, or BSD's `q`: a long long type.
    LongLong,
    /// `j`: `intmax_t`.
    Max,
    /// `z`: `size_t`.
    Size,
    /// `t`: `ptrdiff_t`.
    Difference,
    /// `L`: `long double`.
    LongDouble,
}

impl Length {
    /// The length modifier at the start of `text`, and its spelling.
    pub(crate) fn at(text: &[u8]) -> (Length, &'static str) {
        match text {
            [b'h', b'h', ..] => (Length::Char, "hh"),
            [b'h', ..] => (Length::Short, "h"),
            [b'l', b'l', ..] => (Length::LongLong, "ll"),
            [b'l', ..] => (Length::Long, "l"),
            [b'q', ..] => (Length::LongLong, "q"),
            [b'j', ..] => (Length::Max, "j"),
            [b'z', ..] => (Length::Size, "z"),
            [b't', ..] => (Length::Difference, "t"),
            [b'L', ..] => (Length::LongDouble, "L"),
            _ => (Length::None, ""),
        }
    }
}

/// A conversion specifier; the letter tells small and capital forms apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Conversion {
    /// `d` and `i`.
    Signed,
    /// `o`.
    Octal,
    /// `u`.
    Unsigned,
    /// `x`, or `X` with capital letters.
    Hex {
        /// `X`.
        upper: bool,
    },
    /// `f`, `F`.
    Fixed {
        /// `F`.
        upper: bool,
    },
    /// `e`, `E`.
    Exponent {
        /// `E`.
        upper: bool,
    },
    /// `g`, `G`.
    General {
        /// `G`.
        upper: bool,
    },
    /// `a`, `A`.
    HexFloat {
        /// `A`.
        upper: bool,
    },
    /// `c`.
    Char,
    /// `s`.
    String,
    /// `p`.
    Pointer,
    /// `n`: stores how many characters were written so far.
    Count,
    /// `%`.
    Percent,
}

impl Conversion {
    /// `d i o u x X`.
    pub fn is_integer(self) -> bool {
        use Conversion::{Hex, Octal, Signed, Unsigned};
        matches!(self, Signed | Octal | Unsigned | Hex { .. })
    }

    /// `f F e E g G a A`.
    pub fn is_float(self) -> bool {
        use Conversion::{Exponent, Fixed, General, HexFloat};
        matches!(self, Fixed { .. } | Exponent { .. } | General { .. } | HexFloat { .. })
    }

    /// Whether letters in the text are capitals.
    pub(super) fn is_upper(self) -> bool {
        use Conversion::{Exponent, Fixed, General, Hex, HexFloat};
        matches!(
            self,
            Hex { upper: true }
                | Fixed { upper: true }
                | Exponent { upper: true }
                | General { upper: true }
                | HexFloat { upper: true }
        )
    }
}

/// Why a specification is undefined behaviour, or is not C's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, thiserror::Error)]
pub enum Invalid {
    /// The format ends inside the specification.
    #[error("the format ends inside a conversion specification")]
    Ends,
    /// No such conversion specifier.
    #[error("unknown conversion specifier (byte {0:#04x})")]
    Unknown(u8),
    /// POSIX's `%1$d`.
    #[error("numbered arguments are not C's")]
    Numbered,
    /// A flag with a conversion it does not go with.
    #[error("flag `{flag}` does not go with `%{conversion}`")]
    Flag {
        /// The flag.
        flag: char,
        /// The conversion specifier.
        conversion: char,
    },
    /// A field width with `%n`.
    #[error("`%{0}` takes no field width")]
    Width(char),
    /// A precision with a conversion that takes none.
    #[error("`%{0}` takes no precision")]
    Precision(char),
    /// A length modifier with a conversion it does not go with.
    #[error("length modifier `{length}` does not go with `%{conversion}`")]
    Length {
        /// The length modifier.
        length: &'static str,
        /// The conversion specifier.
        conversion: char,
    },
    /// Something between the two signs of `%%`.
    #[error("something stands inside `%%`")]
    Percent,
}

impl Invalid {
    /// The clause that makes it undefined.
    pub fn clause(self) -> &'static str {
        match self {
            Invalid::Ends | Invalid::Unknown(_) | Invalid::Numbered => "C17 7.21.6.1p9",
            Invalid::Flag { conversion: 'n', .. } | Invalid::Width(_) | Invalid::Precision('n') => {
                "C17 7.21.6.1p8"
            }
            Invalid::Flag { .. } => "C17 7.21.6.1p6",
            Invalid::Precision(_) => "C17 7.21.6.1p4",
            Invalid::Length { .. } => "C17 7.21.6.1p7",
            Invalid::Percent => "C17 7.21.6.1p8",
        }
    }
}

/// What a valid specification uses that is not C17's; its meaning is POSIX's or glibc's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Extension {
    /// The flag `'` (POSIX).
    Group,
    /// The length modifier `q` (BSD).
    Quad,
}

/// Reads the specification at the start of `text`, which begins with `%`.
///
/// ```
/// use howler_machine::text::format::{Amount, Conversion, Invalid, Length, parse};
/// let (spec, _) = parse(b"%-*.3ld\n").expect("valid");
/// assert_eq!((spec.width, spec.precision), (Amount::Star, Amount::Number(3)));
/// assert_eq!((spec.length, spec.conversion, spec.size), (Length::Long, Conversion::Signed, 7));
/// let wrong = parse(b"%hs").expect_err("h does not go with s");
/// assert_eq!(wrong.clause(), "C17 7.21.6.1p7");
/// ```
pub fn parse(text: &[u8]) -> Result<(Spec, Option<Extension>), Invalid> {
    let mut at = Cursor { text, next: 1 };
    let mut flags = Flags::default();
    loop {
        match at.peek() {
            Some(b'-') => flags.left = true,
            Some(b'+') => flags.plus = true,
            Some(b' ') => flags.space = true,
            Some(b'#') => flags.alternative = true,
            Some(b'0') => flags.zero = true,
            Some(b'\'') => flags.group = true,
            _ => break,
        }
        at.next += 1;
    }
    let width = at.amount();
    if at.peek() == Some(b'$') && matches!(width, Amount::Number(_)) {
        return Err(Invalid::Numbered);
    }
    let mut precision = Amount::None;
    if at.take(b'.') {
        precision = match at.amount() {
            // C17 7.21.6.1p4: if only the period is specified, the precision is taken as zero.
            Amount::None => Amount::Number(0),
            given => given,
        };
    }
    let (length, name) = Length::at(text.get(at.next..).unwrap_or_default());
    at.next += name.len();
    let letter = at.peek().ok_or(Invalid::Ends)?;
    let conversion = conversion(letter).ok_or(Invalid::Unknown(letter))?;
    let spec = Spec { flags, width, precision, length, conversion, size: at.next + 1 };
    check(spec, char::from(letter), name)?;
    let extension = match name {
        _ if flags.group => Some(Extension::Group),
        "q" => Some(Extension::Quad),
        _ => None,
    };
    Ok((spec, extension))
}

impl Spec {
    /// The specification with the arguments of its stars put in. A negative width is a `-` flag and a width, a negative
    /// precision is as if it were omitted (C17 7.21.6.1p5). Without a star the argument is ignored.
    pub fn with_stars(mut self, width: i32, precision: i32) -> Spec {
        if self.width == Amount::Star {
            self.flags.left |= width < 0;
            self.width = Amount::Number(width.unsigned_abs());
        }
        if self.precision == Amount::Star {
            self.precision = u32::try_from(precision).map_or(Amount::None, Amount::Number);
        }
        self
    }
}

struct Cursor<'a> {
    text: &'a [u8],
    next: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.next).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.next += usize::from(found);
        found
    }

    fn amount(&mut self) -> Amount {
        if self.take(b'*') {
            return Amount::Star;
        }
        let mut number: Option<u32> = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let value = number.unwrap_or(0).saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            number = Some(value);
            self.next += 1;
        }
        number.map_or(Amount::None, Amount::Number)
    }
}

fn conversion(letter: u8) -> Option<Conversion> {
    let upper = letter.is_ascii_uppercase();
    Some(match letter {
        b'd' | b'i' => Conversion::Signed,
        b'o' => Conversion::Octal,
        b'u' => Conversion::Unsigned,
        b'x' | b'X' => Conversion::Hex { upper },
        b'f' | b'F' => Conversion::Fixed { upper },
        b'e' | b'E' => Conversion::Exponent { upper },
        b'g' | b'G' => Conversion::General { upper },
        b'a' | b'A' => Conversion::HexFloat { upper },
        b'c' => Conversion::Char,
        b's' => Conversion::String,
        b'p' => Conversion::Pointer,
        b'n' => Conversion::Count,
        b'%' => Conversion::Percent,
        _ => return None,
    })
}

fn check(spec: Spec, letter: char, length: &'static str) -> Result<(), Invalid> {
    use Conversion::{
        Char, Count, Exponent, Fixed, General, Hex, HexFloat, Octal, Percent, Signed, String, Unsigned,
    };
    let Spec { flags, width, precision, conversion, .. } = spec;
    // C17 7.21.6.1p8: the complete specification shall be %%.
    if conversion == Percent {
        return if spec.size == 2 { Ok(()) } else { Err(Invalid::Percent) };
    }
    let count = conversion == Count;
    let number = conversion.is_integer() || conversion.is_float();
    // p6 gives + and space a meaning for signed conversions and none for the others, so they are no error there.
    let flag_errors = [
        ('-', flags.left && count),
        ('+', flags.plus && count),
        (' ', flags.space && count),
        ('#', flags.alternative && !matches!(conversion, Octal | Hex { .. }) && !conversion.is_float()),
        ('0', flags.zero && !number),
        // POSIX has it for decimal conversions only.
        ('\'', flags.group && !matches!(conversion, Signed | Unsigned | Fixed { .. } | General { .. })),
    ];
    if let Some(&(flag, _)) = flag_errors.iter().find(|(_, wrong)| *wrong) {
        return Err(Invalid::Flag { flag, conversion: letter });
    }
    if count && width != Amount::None {
        return Err(Invalid::Width(letter));
    }
    if precision != Amount::None && !number && conversion != String {
        return Err(Invalid::Precision(letter));
    }
    let fits = match spec.length {
        Length::None => true,
        Length::Long => number || count || matches!(conversion, Char | String),
        Length::LongDouble => {
            matches!(conversion, Fixed { .. } | Exponent { .. } | General { .. } | HexFloat { .. })
        }
        _ => conversion.is_integer() || count,
    };
    if fits { Ok(()) } else { Err(Invalid::Length { length, conversion: letter }) }
}
