//! What a program's meaning depends on besides its text: layout and dialect.

/// One layout and one dialect. A typed program belongs to exactly one target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Target {
    /// Sizes, alignments and bit-field placement.
    pub arch: Arch,
    /// Whose meaning counts where the compilers differ.
    pub compiler: Compiler,
    /// The language standard, as `-std=` names it.
    pub std: Std,
    /// Whether plain `char` is signed.
    pub char_signed: bool,
}

impl Target {
    /// gcc on x86-64 with its default standard.
    pub const X86_64_GCC: Target =
        Target { arch: Arch::X86_64, compiler: Compiler::Gcc, std: Std::GNU17, char_signed: true };

    /// A short name, for tables and databases: `x86-64/gcc/gnu17`.
    ///
    /// ```
    /// use howler_lang::target::Target;
    /// assert_eq!(Target::X86_64_GCC.name(), "x86-64/gcc/gnu17");
    /// assert_eq!(Target::parse("x86-64/gcc/gnu17"), Some(Target::X86_64_GCC));
    /// ```
    pub fn name(&self) -> String {
        let arch = match self.arch {
            Arch::X86_64 => "x86-64",
            Arch::I386 => "i386",
        };
        let compiler = match self.compiler {
            Compiler::Gcc => "gcc",
            Compiler::Clang => "clang",
        };
        let sign = if self.char_signed { "" } else { "/unsigned-char" };
        format!("{arch}/{compiler}/{}{sign}", self.std.name())
    }

    /// Reads what [`Target::name`] wrote.
    pub fn parse(name: &str) -> Option<Target> {
        let mut parts = name.split('/');
        let arch = match parts.next()? {
            "x86-64" => Arch::X86_64,
            "i386" => Arch::I386,
            _ => return None,
        };
        let compiler = match parts.next()? {
            "gcc" => Compiler::Gcc,
            "clang" => Compiler::Clang,
            _ => return None,
        };
        let std = Std::parse(parts.next()?)?;
        let char_signed = match parts.next() {
            None => true,
            Some("unsigned-char") => false,
            Some(_) => return None,
        };
        parts.next().is_none().then_some(Target { arch, compiler, std, char_signed })
    }

    /// The layout table.
    pub fn layout(&self) -> &'static Layout {
        match self.arch {
            Arch::X86_64 => &X86_64,
            Arch::I386 => &I386,
        }
    }
}

/// A machine with a layout table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Arch {
    /// x86-64 System V, LP64.
    X86_64,
    /// i386 System V, ILP32 (`-m32`), SSE2 arithmetic.
    I386,
}

/// The family whose reading of the text is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Compiler {
    /// gcc, and compilers that follow it.
    Gcc,
    /// clang.
    Clang,
}

/// A language standard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Std {
    /// The year's edition.
    pub edition: Edition,
    /// `gnuXX` rather than `cXX`.
    pub gnu: bool,
}

/// An edition of the C standard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Edition {
    /// C89 / C90.
    C89,
    /// C99.
    C99,
    /// C11.
    C11,
    /// C17.
    C17,
}

impl Std {
    /// `-std=gnu89`.
    pub const GNU89: Std = Std { edition: Edition::C89, gnu: true };
    /// `-std=gnu17`.
    pub const GNU17: Std = Std { edition: Edition::C17, gnu: true };
    /// `-std=c17`.
    pub const C17: Std = Std { edition: Edition::C17, gnu: false };

    /// Reads the argument of `-std=`.
    ///
    /// ```
    /// use howler_lang::target::Std;
    /// assert_eq!(Std::parse("gnu89"), Some(Std::GNU89));
    /// assert_eq!(Std::parse("c++20"), None);
    /// ```
    pub fn parse(name: &str) -> Option<Std> {
        use Edition::{C11, C17, C89, C99};
        let (edition, gnu) = match name {
            "c89" | "c90" | "ansi" | "iso9899:1990" => (C89, false),
            "gnu89" | "gnu90" => (C89, true),
            "c99" | "c9x" | "iso9899:1999" | "iso9899:199x" => (C99, false),
            "gnu99" | "gnu9x" => (C99, true),
            "c11" | "c1x" | "iso9899:2011" => (C11, false),
            "gnu11" | "gnu1x" => (C11, true),
            "c17" | "c18" | "iso9899:2017" | "iso9899:2018" => (C17, false),
            "gnu17" | "gnu18" => (C17, true),
            _ => return None,
        };
        Some(Std { edition, gnu })
    }

    /// The name `-std=` takes.
    pub fn name(self) -> &'static str {
        match (self.edition, self.gnu) {
            (Edition::C89, false) => "c89",
            (Edition::C89, true) => "gnu89",
            (Edition::C99, false) => "c99",
            (Edition::C99, true) => "gnu99",
            (Edition::C11, false) => "c11",
            (Edition::C11, true) => "gnu11",
            (Edition::C17, false) => "c17",
            (Edition::C17, true) => "gnu17",
        }
    }
}

/// Sizes and alignments of the basic types, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Size and alignment of a pointer.
    pub pointer: u8,
    /// Size of `long`.
    pub long: u8,
    /// Alignment of `long long`, `double` and the like inside a struct.
    pub field_align_8: u8,
    /// Size of `long double`.
    pub long_double: u8,
    /// Alignment of `long double` inside a struct.
    pub long_double_align: u8,
    /// Whether `__int128` exists.
    pub int128: bool,
    /// The largest size that clang pads an `_Atomic` type to.
    pub atomic_promotion: u8,
}

static X86_64: Layout = Layout {
    pointer: 8,
    long: 8,
    field_align_8: 8,
    long_double: 16,
    long_double_align: 16,
    int128: true,
    atomic_promotion: 16,
};

static I386: Layout = Layout {
    pointer: 4,
    long: 4,
    field_align_8: 4,
    long_double: 12,
    long_double_align: 4,
    int128: false,
    atomic_promotion: 8,
};
