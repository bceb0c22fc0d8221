//! Values as the machine holds them: bits, where a pointer comes from, and what must not be relied on.

/// What is known about a value besides its bits. A set of flags.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Marks(pub u8);

impl Marks {
    /// Nothing special.
    pub const NONE: Marks = Marks(0);
    /// Never set: using it is undefined.
    pub const UNINIT: Marks = Marks(1);
    /// From padding or the tail of a union: unspecified (C17 6.2.6.1p6-7).
    pub const UNSPECIFIED: Marks = Marks(2);
    /// Depends on where objects are placed.
    pub const ADDRESS: Marks = Marks(4);
    /// A library result or builtin known only in part: the sign of `strcmp`, the payload of a NaN.
    pub const LIBRARY: Marks = Marks(8);
    /// [`Value::prov`] says which object it points into, or was made from.
    pub const PROVENANCE: Marks = Marks(16);
    /// One byte of a pointer, of the provenance in [`Value::prov`]; the byte's place is in its `lo`'s stead.
    pub const FRAGMENT: Marks = Marks(32);

    /// Goes with [`Marks::LIBRARY`]: only the magnitude is open, the sign and 0 are known. `strcmp`.
    pub const SIGN: Marks = Marks(64 | 8);
    /// Goes with [`Marks::LIBRARY`]: only which NaN it is is open, its sign and payload.
    pub const NAN: Marks = Marks(128 | 8);
    /// The same of an integer: only the bits of [`Value::open_bits`] are open, such as those of a NaN read as an
    /// integer, or all but the sign of what `puts` returns.
    pub const BITS: Marks = Marks::NAN;
    /// Goes with [`Marks::LIBRARY`]: only whether it is 0 is known. `isalpha`.
    pub const TRUTH: Marks = Marks(64 | 128 | 8);

    /// Goes with [`Marks::UNINIT`], never with [`Marks::LIBRARY`]: a byte that was never set, read where that is
    /// allowed. It may be copied from register to register, and no more.
    const COPIED: Marks = Marks(64);

    /// The flags that make a dependence unspecified.
    pub const OPEN: Marks = Marks(2 | 4 | 8);

    /// What is open if nothing but a value's truth is asked for; `float` says that the value is a floating one.
    #[inline]
    pub fn of_truth(self, float: bool) -> Marks {
        let known = if float { self.0 & (64 | 128) == 128 } else { self.0 & 64 != 0 };
        self.intersection(Marks::OPEN).minus(if known { Marks::LIBRARY } else { Marks::NONE })
    }

    /// What is open if an integer is compared with 0; `equality` says whether it is by `==` or `!=`.
    #[inline]
    pub fn against_zero(self, equality: bool) -> Marks {
        if equality || self.0 & (64 | 128) == 64 {
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
        if self.has(Marks::UNINIT) { self.minus(Marks::TRUTH).union(Marks::COPIED) } else { self }
    }

    /// Whether it was never set, and nobody could have read it either (C17 6.3.2.1p2).
    #[inline]
    pub fn is_unset(self) -> bool {
        self.has(Marks::UNINIT) && !self.has(Marks::COPIED)
    }

    /// Whether there is no flag.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it shares a flag with `other`.
    #[inline]
    pub fn has(self, other: Marks) -> bool {
        self.0 & other.0 != 0
    }

    /// The flags of either.
    #[inline]
    pub fn union(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// The flags of both.
    #[inline]
    pub fn intersection(self, other: Marks) -> Marks {
        Marks(self.0 & other.0)
    }

    /// The flags that are not in `other`.
    #[inline]
    pub fn minus(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
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
    /// marked [`Marks::BITS`].
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
        self.marked(Marks::BITS)
    }

    /// Which bits of an integer are open, if nothing else about it is.
    #[cold]
    pub fn open_bits(&self) -> Option<u64> {
        let pointer = Marks::PROVENANCE.union(Marks::FRAGMENT);
        let bits = self.marks.intersection(Marks::TRUTH.union(Marks::OPEN)) == Marks::BITS;
        let open = u64::from(self.prov.hi) << 32 | u64::from(self.prov.lo);
        (bits && !self.marks.has(pointer) && open != 0).then_some(open)
    }

    /// Whether it has a provenance.
    #[inline]
    pub fn has_prov(&self) -> bool {
        self.marks.has(Marks::PROVENANCE)
    }
}
