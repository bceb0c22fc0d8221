//! What a program does that a compiler must keep.

/// The observable behaviour of a program that has exactly one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Behaviour {
    /// How it ends.
    pub end: End,
    /// What it writes to standard output. After [`End::Abort`] it may have been lost and is not comparable (C17
    /// 7.22.4.1p2).
    pub output: Vec<u8>,
    /// Its volatile accesses, if every conforming execution has the same ones.
    pub trace: Option<Vec<VolatileAccess>>,
}

/// How a program ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// With a status.
    Exit(u8),
    /// By `abort`, a failed assertion or a trap.
    Abort,
}

/// One access to a volatile object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VolatileAccess {
    /// The object, by name if it has one.
    pub object: String,
    /// The offset in it.
    pub offset: u32,
    /// How many bytes.
    pub size: u32,
    /// The value.
    pub value: u128,
    /// Whether it is a write.
    pub write: bool,
}
