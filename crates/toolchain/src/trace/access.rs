//! What one x86-64 instruction does to the memory that its operand names: how many bytes it reads or writes.
//!
//! Only accesses of a scalar's size are told. Of any other nothing is said, and nothing is said of bytes whose length
//! does not fit: who asks must be able to do without an answer.

use iced_x86::{
    Decoder, DecoderOptions, InstructionInfoFactory, InstructionInfoOptions, OpAccess, OpKind, Register,
};

/// An access to memory by one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// How many bytes.
    pub size: u8,
    /// Whether it reads them.
    pub read: bool,
    /// Whether it then writes them.
    pub write: bool,
}

/// What an instruction does, from exactly its bytes.
///
/// ```
/// use howler_toolchain::trace::{Access, access};
/// // addl $3, v(%rip) reads, then writes.
/// let add = access(&[0x83, 0x05, 0xb8, 0x3e, 0, 0, 3]);
/// assert_eq!(add, Some(Access { size: 4, read: true, write: true }));
/// assert_eq!(access(&[0x90]), None);
/// ```
pub fn access(code: &[u8]) -> Option<Access> {
    let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
    let instruction = decoder.decode();
    let odd = matches!(instruction.segment_prefix(), Register::FS | Register::GS) || instruction.is_vsib();
    if instruction.is_invalid() || instruction.len() != code.len() || odd {
        return None;
    }
    let operands = 0..instruction.op_count();
    let operand = operands.into_iter().find(|&number| instruction.op_kind(number) == OpKind::Memory)?;
    let size = u8::try_from(instruction.memory_size().size()).ok()?;
    let alone = InstructionInfoOptions::NO_MEMORY_USAGE | InstructionInfoOptions::NO_REGISTER_USAGE;
    let mut factory = InstructionInfoFactory::new();
    let (read, write) = match factory.info_options(&instruction, alone).op_access(operand) {
        OpAccess::Read => (true, false),
        OpAccess::Write => (false, true),
        // One that compares first writes what was there if it is not to change it.
        OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
        OpAccess::CondRead | OpAccess::CondWrite | OpAccess::NoMemAccess | OpAccess::None => return None,
    };
    (1..=LONGEST).contains(&size).then_some(Access { size, read, write })
}

/// The longest scalar: the old floating point unit's.
const LONGEST: u8 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &[u8], size: u8, kind: &str) {
        let expected = Access { size, read: kind.contains('r'), write: kind.contains('w') };
        assert_eq!(access(code), Some(expected), "{code:02x?}");
    }

    #[test]
    fn moves() {
        check(&[0x8b, 0x05, 1, 2, 3, 4], 4, "r");
        check(&[0x66, 0x89, 0x05, 1, 2, 3, 4], 2, "w");
        check(&[0x48, 0x8b, 0x04, 0x25, 1, 2, 3, 4], 8, "r");
        check(&[0x88, 0x0c, 0x10], 1, "w");
        check(&[0x8a, 0x44, 0x08, 0x10], 1, "r");
        check(&[0xc7, 0x05, 1, 2, 3, 4, 5, 0, 0, 0], 4, "w");
        check(&[0x66, 0xc7, 0x05, 1, 2, 3, 4, 5, 0], 2, "w");
        check(&[0x48, 0xc7, 0x05, 1, 2, 3, 4, 5, 0, 0, 0], 8, "w");
        check(&[0x0f, 0xb7, 0x05, 1, 2, 3, 4], 2, "r");
        check(&[0x48, 0x63, 0x05, 1, 2, 3, 4], 4, "r");
        check(&[0xff, 0x35, 1, 2, 3, 4], 8, "r");
        check(&[0x66, 0xff, 0x35, 1, 2, 3, 4], 2, "r");
        check(&[0x66, 0x63, 0x05, 1, 2, 3, 4], 2, "r");
    }

    #[test]
    fn arithmetic() {
        check(&[0x83, 0x3d, 1, 2, 3, 4, 0], 4, "r");
        check(&[0x66, 0xff, 0x05, 1, 2, 3, 4], 2, "rw");
        check(&[0x80, 0x35, 1, 2, 3, 4, 1], 1, "rw");
        check(&[0x03, 0x05, 1, 2, 3, 4], 4, "r");
        check(&[0x01, 0x05, 1, 2, 3, 4], 4, "rw");
        check(&[0xf7, 0x1d, 1, 2, 3, 4], 4, "rw");
        check(&[0xf7, 0x3d, 1, 2, 3, 4], 4, "r");
        check(&[0xf0, 0x0f, 0xc1, 0x05, 1, 2, 3, 4], 4, "rw");
        check(&[0x0f, 0x95, 0x05, 1, 2, 3, 4], 1, "w");
        check(&[0x0f, 0x45, 0x05, 1, 2, 3, 4], 4, "r");
    }

    #[test]
    fn floating_point() {
        check(&[0xf2, 0x0f, 0x10, 0x05, 1, 2, 3, 4], 8, "r");
        check(&[0xf3, 0x0f, 0x11, 0x05, 1, 2, 3, 4], 4, "w");
        check(&[0xf2, 0x48, 0x0f, 0x2a, 0x05, 1, 2, 3, 4], 8, "r");
        check(&[0x66, 0x0f, 0x2e, 0x05, 1, 2, 3, 4], 8, "r");
        check(&[0xc5, 0xfb, 0x10, 0x05, 1, 2, 3, 4], 8, "r");
        check(&[0xdd, 0x05, 1, 2, 3, 4], 8, "r");
        check(&[0xd9, 0x1d, 1, 2, 3, 4], 4, "w");
    }

    #[test]
    fn what_is_not_known_is_not_said() {
        for code in [&[][..], &[0x66], &[0x0f], &[0xc5], &[0xc4, 1], &[0x8b], &[0x8b, 0xc0], &[0x8b, 0x05, 1]]
        {
            assert_eq!(access(code), None, "{code:02x?}");
        }
        // No instruction, and those of threads' own memory and of several places.
        assert_eq!(access(&[0x0f, 0xba, 0x0d, 1, 2, 3, 4, 1]), None);
        assert_eq!(access(&[0x64, 0x8b, 0x05, 1, 2, 3, 4]), None);
        assert_eq!(access(&[0xc4, 0xe2, 0x69, 0x90, 0x04, 0x05, 0, 0, 0, 0]), None);
        // A vector, and bytes that do not end where the instruction does.
        assert_eq!(access(&[0x0f, 0x28, 0x05, 1, 2, 3, 4]), None);
        assert_eq!(access(&[0x8b, 0x05, 1, 2, 3, 4, 0]), None);
        // Whatever the bytes, no panic.
        for first in 0..=255_u8 {
            for second in 0..=255_u8 {
                for length in 0..=4 {
                    let _ = access(&[first, second, 0x44, 0x38, 0x24][..length + 1]);
                    let _ = access(&[0xc4, first, second, 0x0f, 0x24][..length + 1]);
                }
            }
        }
    }
}
