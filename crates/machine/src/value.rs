//! Values as the machine holds them: bits, where a pointer comes from, and what must not be relied on.

use crate::memory::shadow;

/// What is known about a value besides its bits: a set of flags, and of a value that the library chose, what that choice
/// leaves known.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Marks {
    flags: u8,
    /// [`Choice::Whole`] unless marked [`Marks::LIBRARY`].
    choice: Choice,
}

/// What is open about a value that a library or a compiler chose; the rest of it is known.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Choice {
    /// All of it.
    #[default]
    Whole,
    /// How large it is; its sign is known, and that it is not 0. `strcmp`.
    Magnitude,
    /// Of a floating value: which NaN it is, by sign and payload. Of an integer: the bits of [`Value::open_bits`], such
    /// as those of a NaN read as an integer, or all but the sign of what `puts` returns.
    Bits,
    /// Which value but 0 it is. `isalpha`.
    Nonzero,
}

impl Marks {
    /// Nothing special.
    pub const NONE: Marks = Marks::flag(0);
    /// Never set: using it is undefined.
    pub const UNINIT: Marks = Marks::flag(1);
    /// From padding or the tail of a union: unspecified (C17 6.2.6.1p6-7).
    pub const UNSPECIFIED: Marks = Marks::flag(2);
    /// Depends on where objects are placed.
    pub const ADDRESS: Marks = Marks::flag(4);
    /// A result of the library or of a builtin that is open: the sign of `strcmp` is known, its magnitude is not.
    pub const LIBRARY: Marks = Marks::flag(8);
    /// [`Value::prov`] says which object it points into, or was made from.
    pub const PROVENANCE: Marks = Marks::flag(16);
    /// One byte of a pointer, of the provenance in [`Value::prov`]; the byte's place is in its `basis`' stead.
    pub const FRAGMENT: Marks = Marks::flag(32);
    /// Goes with [`Marks::UNINIT`]: a byte that was never set, read where that is allowed. It may be copied from register
    /// to register, and no more.
    const COPIED: Marks = Marks::flag(64);

    /// The flags that make a dependence unspecified.
    pub const OPEN: Marks = Marks::flag(2 | 4 | 8);

    const fn flag(flags: u8) -> Marks {
        Marks { flags, choice: Choice::Whole }
    }

    /// [`Marks::LIBRARY`], of which this much is open.
    #[inline]
    pub const fn library(choice: Choice) -> Marks {
        Marks { choice, ..Marks::LIBRARY }
    }

    /// The marks of a byte with this shadow.
    #[inline]
    pub const fn of_shadow(shadow: u8) -> Marks {
        Marks::flag(shadow & shadow::MARKS)
    }

    /// What a byte's shadow keeps of them.
    #[inline]
    pub const fn to_shadow(self) -> u8 {
        self.flags & shadow::MARKS
    }

    /// What is open about it by the library's choice; [`Choice::Whole`] if nothing is.
    #[inline]
    pub const fn choice(self) -> Choice {
        self.choice
    }

    /// What is open about it, and how far.
    #[inline]
    pub fn open(self) -> Marks {
        Marks { flags: self.flags & Marks::OPEN.flags, choice: self.choice }
    }

    /// What is open if nothing but a value's truth is asked for; `float` says that the value is a floating one.
    #[inline]
    pub fn of_truth(self, float: bool) -> Marks {
        let known = match self.choice {
            Choice::Whole => false,
            Choice::Magnitude | Choice::Nonzero => !float,
            Choice::Bits => float,
        };
        self.intersection(Marks::OPEN).minus(if known { Marks::LIBRARY } else { Marks::NONE })
    }

    /// What is open if an integer is compared with 0; `equality` says whether it is by `==` or `!=`.
    #[inline]
    pub fn against_zero(self, equality: bool) -> Marks {
        if equality || self.choice == Choice::Magnitude {
            self.of_truth(false)
        } else {
            self.intersection(Marks::OPEN)
        }
    }

    /// What is open about a floating value for an operation that does not look at the bits of a NaN.
    #[inline]
    pub fn of_number(self) -> Marks {
        self.of_truth(true)
    }

    /// The marks of a byte that was never set, once it has been read from an object whose address is taken.
    #[inline]
    pub fn copied(self) -> Marks {
        if self.has(Marks::UNINIT) { self.minus(Marks::LIBRARY).union(Marks::COPIED) } else { self }
    }

    /// Whether it is a byte that was never set, and that was read where that is allowed.
    #[inline]
    pub fn is_copied(self) -> bool {
        self.has(Marks::COPIED)
    }

    /// Whether it was never set, and nobody could have read it either (C17 6.3.2.1p2).
    #[inline]
    pub fn is_unset(self) -> bool {
        self.has(Marks::UNINIT) && !self.has(Marks::COPIED)
    }

    /// Whether there is no flag.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.flags == 0
    }

    /// Whether it shares a flag with `other`.
    #[inline]
    pub fn has(self, other: Marks) -> bool {
        self.flags & other.flags != 0
    }

    /// The flags of either. What only one of two choices leaves known is not known.
    #[inline]
    pub fn union(self, other: Marks) -> Marks {
        let choice = match (self.choice, other.choice) {
            (own, more) if own == more => own,
            (own, _) if !other.has(Marks::LIBRARY) => own,
            (_, more) if !self.has(Marks::LIBRARY) => more,
            (Choice::Magnitude, Choice::Nonzero) | (Choice::Nonzero, Choice::Magnitude) => Choice::Nonzero,
            _ => Choice::Whole,
        };
        Marks { flags: self.flags | other.flags, choice }
    }

    /// The flags of both, without what a choice leaves known.
    #[inline]
    pub fn intersection(self, other: Marks) -> Marks {
        Marks::flag(self.flags & other.flags)
    }

    /// The flags that are not in `other`.
    #[inline]
    pub fn minus(self, other: Marks) -> Marks {
        let flags = self.flags & !other.flags;
        let library = flags & Marks::LIBRARY.flags != 0;
        Marks { flags, choice: if library { self.choice } else { Choice::Whole } }
    }
}

/// Which object a pointer points into, and how far it may go.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Prov {
    /// The allocation's place in the memory's table.
    pub slot: u32,
    /// Which of the allocations that had this place it is: an allocation's identity is never used again.
    pub generation: u32,
    /// The first byte of the sub-object it was derived from, as an offset in the allocation.
    pub lo: u32,
    /// One past its last byte.
    pub hi: u32,
    /// The restrict pointer it is based on, as an index into the memory's table, or 0.
    pub basis: u32,
    /// The kind of the allocation, so that a dead one can still be named.
    pub kind: AllocKind,
    /// Whether the bounds were left behind: by a conversion to `void *`, a character pointer, or another type.
    pub wide: bool,
    /// Whether the bounds are those of a flexible array member.
    pub flexible: bool,
    /// The address was rounded as a number to a multiple of this power of two.
    pub rounded: u8,
    /// The number is one from which the address was taken away: `-p`, `c - p`, `~p`. It points nowhere, but its low
    /// bits are known as the address's are.
    pub negative: bool,
}

/// What an allocation is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AllocKind {
    /// A static object.
    #[default]
    Static,
    /// An automatic object.
    Automatic,
    /// A parameter.
    Parameter,
    /// A variable length array.
    Vla,
    /// A compound literal in a block.
    Literal,
    /// A value with temporary lifetime (C17 6.2.4p8).
    Temporary,
    /// A string literal.
    String,
    /// From malloc and its like.
    Heap,
    /// From alloca.
    Alloca,
    /// A function.
    Function,
    /// A label whose address was taken.
    Label,
}

/// A scalar value: an integer or floating value as bits, or a pointer with its provenance.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Value {
    /// The low 64 bits.
    pub low: u64,
    /// The high 64 bits.
    pub high: u64,
    /// Valid if marked [`Marks::PROVENANCE`] or [`Marks::FRAGMENT`]. Else its bounds are the open bits of an integer
    /// of which [`Choice::Bits`] are open.
    pub prov: Prov,
    /// What is known about it.
    pub marks: Marks,
}

const _: () = assert!(size_of::<Value>() <= 48);

impl Value {
    /// A value that was never set.
    pub const UNINIT: Value = Value { marks: Marks::UNINIT, ..Value::int(0) };

    /// An integer of at most 64 bits, zero-extended.
    #[inline]
    pub const fn int(low: u64) -> Value {
        let prov = Prov {
            slot: 0,
            generation: 0,
            lo: 0,
            hi: 0,
            basis: 0,
            kind: AllocKind::Static,
            wide: false,
            flexible: false,
            rounded: 0,
            negative: false,
        };
        Value { low, high: 0, prov, marks: Marks::NONE }
    }

    /// A value from its bits.
    #[inline]
    pub const fn bits(bits: u128) -> Value {
        Value { high: (bits >> 64) as u64, ..Value::int(bits as u64) }
    }

    /// A pointer to address `low`.
    #[inline]
    pub const fn pointer(low: u64, prov: Prov) -> Value {
        Value { low, high: 0, prov, marks: Marks::PROVENANCE }
    }

    /// All its bits.
    #[inline]
    pub const fn to_bits(self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }

    /// The same value with more marks.
    #[inline]
    pub fn marked(mut self, marks: Marks) -> Value {
        self.marks = self.marks.union(marks);
        self
    }

    /// The same integer, of which only these bits are open.
    #[cold]
    pub fn with_open_bits(mut self, open: u64) -> Value {
        if open == 0 {
            return self;
        }
        self.prov = Prov { lo: open as u32, hi: (open >> 32) as u32, ..Prov::default() };
        self.marked(Marks::library(Choice::Bits))
    }

    /// Which bits of an integer are open, if nothing else about it is.
    #[cold]
    pub fn open_bits(&self) -> Option<u64> {
        let pointer = Marks::PROVENANCE.union(Marks::FRAGMENT);
        let bits = self.marks.open() == Marks::library(Choice::Bits);
        let open = u64::from(self.prov.hi) << 32 | u64::from(self.prov.lo);
        (bits && !self.marks.has(pointer) && open != 0).then_some(open)
    }

    /// Whether it has a provenance.
    #[inline]
    pub fn has_prov(&self) -> bool {
        self.marks.has(Marks::PROVENANCE)
    }
}
