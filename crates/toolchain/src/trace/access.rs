//! What one x86-64 instruction does to the memory that its operand names: how many bytes it reads or writes.
//!
//! Only instructions that compilers use for scalars are known. Of any other nothing is said, and nothing is said of
//! bytes whose length does not fit: who asks must be able to do without an answer.

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
    let (prefix, opcode) = Prefix::read(code)?;
    let modrm = *code.get(opcode + 1)?;
    let reg = (modrm >> 3) & 7;
    let shape = match prefix.map {
        Map::One => one_byte(code[opcode], reg, &prefix),
        Map::Two => two_byte(code[opcode], reg, &prefix),
        Map::Three38 => three_38(code[opcode], &prefix),
        Map::Three3a => three_3a(code[opcode], &prefix),
    }?;
    let length = opcode + 1 + operand_length(code, opcode + 1)? + shape.immediate;
    (length == code.len()).then_some(shape.access)
}

/// Which table of opcodes counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Map {
    One,
    Two,
    Three38,
    Three3a,
}

/// What stands before an opcode.
struct Prefix {
    map: Map,
    /// 0x66, which makes an operand narrow, or is part of the opcode.
    narrow: bool,
    /// 0xf2 or 0xf3, which are part of the opcode where they matter; else 0.
    repeat: u8,
    wide: bool,
    vex: bool,
}

impl Prefix {
    /// Reads it, with the place of the opcode.
    fn read(code: &[u8]) -> Option<(Prefix, usize)> {
        let mut prefix = Prefix { map: Map::One, narrow: false, repeat: 0, wide: false, vex: false };
        let mut at = 0;
        loop {
            match *code.get(at)? {
                0x66 => prefix.narrow = true,
                byte @ (0xf2 | 0xf3) => prefix.repeat = byte,
                // Segments other than those of threads mean nothing, and lock does not change what is accessed.
                0x2e | 0x3e | 0xf0 => {}
                _ => break,
            }
            at += 1;
        }
        match *code.get(at)? {
            0xc5 => {
                prefix.vex(*code.get(at + 1)?);
                prefix.map = Map::Two;
                return Some((prefix, at + 2));
            }
            0xc4 => {
                let (one, two) = (*code.get(at + 1)?, *code.get(at + 2)?);
                prefix.vex(two);
                prefix.wide = two & 0x80 != 0;
                prefix.map = match one & 0x1f {
                    1 => Map::Two,
                    2 => Map::Three38,
                    3 => Map::Three3a,
                    _ => return None,
                };
                return Some((prefix, at + 3));
            }
            rex @ 0x40..=0x4f => {
                prefix.wide = rex & 8 != 0;
                at += 1;
            }
            _ => {}
        }
        if *code.get(at)? == 0x0f {
            at += 1;
            prefix.map = match *code.get(at)? {
                0x38 => Map::Three38,
                0x3a => Map::Three3a,
                _ => Map::Two,
            };
            at += usize::from(prefix.map != Map::Two);
        }
        code.get(at)?;
        Some((prefix, at))
    }

    fn vex(&mut self, byte: u8) {
        self.vex = true;
        self.narrow = byte & 3 == 1;
        self.repeat = [0, 0, 0xf3, 0xf2][usize::from(byte & 3)];
    }

    /// The size of a general operand.
    fn general(&self) -> u8 {
        match (self.wide, self.narrow) {
            (true, _) => 8,
            (false, true) => 2,
            (false, false) => 4,
        }
    }

    /// The size of a general operand of instructions that know two sizes only.
    fn word(&self) -> u8 {
        if self.wide { 8 } else { 4 }
    }

    /// The size of a constant for a general operand.
    fn immediate(&self) -> usize {
        if self.narrow && !self.wide { 2 } else { 4 }
    }

    /// The size of a scalar of vector instructions, if it is one.
    fn scalar(&self) -> Option<u8> {
        match self.repeat {
            0xf3 => Some(4),
            0xf2 => Some(8),
            _ => None,
        }
    }
}

struct Shape {
    access: Access,
    immediate: usize,
}

fn reads(size: u8) -> Option<Shape> {
    Some(Shape { access: Access { size, read: true, write: false }, immediate: 0 })
}

fn writes(size: u8) -> Option<Shape> {
    Some(Shape { access: Access { size, read: false, write: true }, immediate: 0 })
}

fn changes(size: u8) -> Option<Shape> {
    Some(Shape { access: Access { size, read: true, write: true }, immediate: 0 })
}

fn with(shape: Option<Shape>, immediate: usize) -> Option<Shape> {
    shape.map(|shape| Shape { immediate, ..shape })
}

/// How many bytes the operand takes, from its first byte on; none if it is a register.
fn operand_length(code: &[u8], at: usize) -> Option<usize> {
    let modrm = *code.get(at)?;
    let (mode, rm) = (modrm >> 6, modrm & 7);
    let base = if rm == 4 { *code.get(at + 1)? & 7 } else { rm };
    let index = usize::from(rm == 4);
    match mode {
        0 if base == 5 => Some(1 + index + 4),
        0 => Some(1 + index),
        1 => Some(1 + index + 1),
        2 => Some(1 + index + 4),
        _ => None,
    }
}

fn one_byte(opcode: u8, reg: u8, prefix: &Prefix) -> Option<Shape> {
    let general = prefix.general();
    // The lowest bit chooses between bytes and general operands.
    let size = if opcode & 1 == 0 { 1 } else { general };
    match opcode {
        0x00..=0x3b if opcode & 7 < 4 => match (opcode & 2, opcode >> 3) {
            (0, 7) => reads(size),
            (0, _) => changes(size),
            (_, _) => reads(size),
        },
        0x63 => reads(4),
        0x69 => with(reads(general), prefix.immediate()),
        0x6b => with(reads(general), 1),
        0x80 | 0x81 | 0x83 => {
            let immediate = if opcode == 0x81 { prefix.immediate() } else { 1 };
            with(if reg == 7 { reads(size) } else { changes(size) }, immediate)
        }
        0x84 | 0x85 | 0x8a | 0x8b => reads(size),
        0x86 | 0x87 | 0xd0..=0xd3 => changes(size),
        0x88 | 0x89 => writes(size),
        0x8f if reg == 0 => writes(8),
        0xc0 | 0xc1 => with(changes(size), 1),
        0xc6 if reg == 0 => with(writes(1), 1),
        0xc7 if reg == 0 => with(writes(general), prefix.immediate()),
        0xf6 | 0xf7 => match reg {
            0 | 1 => with(reads(size), if opcode == 0xf6 { 1 } else { prefix.immediate() }),
            2 | 3 => changes(size),
            _ => reads(size),
        },
        0xfe | 0xff if reg < 2 => changes(size),
        0xff if matches!(reg, 2 | 4 | 6) => reads(8),
        0xd8..=0xdf => floating(opcode, reg),
        _ => None,
    }
}

/// The old floating point unit's.
fn floating(opcode: u8, reg: u8) -> Option<Shape> {
    match (opcode, reg) {
        (0xd8 | 0xda, _) | (0xd9 | 0xdb, 0) => reads(4),
        (0xd9, 2 | 3) | (0xdb, 1..=3) => writes(4),
        (0xdb, 5) => reads(10),
        (0xdb, 7) => writes(10),
        (0xdc, _) | (0xdd, 0) | (0xdf, 5) => reads(8),
        (0xdd, 1..=3) | (0xdf, 7) => writes(8),
        (0xde, _) | (0xdf, 0) => reads(2),
        (0xdf, 1..=3) => writes(2),
        _ => None,
    }
}

fn two_byte(opcode: u8, reg: u8, prefix: &Prefix) -> Option<Shape> {
    let general = prefix.general();
    let size = if opcode & 1 == 0 { 1 } else { general };
    match opcode {
        0x10 => reads(prefix.scalar()?),
        0x11 => writes(prefix.scalar()?),
        0x12 | 0x16 if prefix.repeat == 0 => reads(8),
        0x13 | 0x17 => writes(8),
        0x2a => prefix.scalar().and_then(|_| reads(prefix.word())),
        0x2c | 0x2d | 0x51 | 0x58..=0x5a | 0x5c..=0x5f => reads(prefix.scalar()?),
        0xc2 => with(reads(prefix.scalar()?), 1),
        0x2e | 0x2f => reads(if prefix.narrow { 8 } else { 4 }),
        0x6e if prefix.narrow => reads(prefix.word()),
        0x7e if prefix.repeat == 0xf3 => reads(8),
        0x7e if prefix.narrow => writes(prefix.word()),
        0xd6 if prefix.narrow => writes(8),
        0xe6 if prefix.repeat == 0xf3 => reads(8),
        0xc4 if prefix.narrow => with(reads(2), 1),
        _ if prefix.vex => None,
        0x40..=0x4f | 0xa3 | 0xaf | 0xb8 | 0xbc | 0xbd => reads(general),
        0x90..=0x9f => writes(1),
        0xab | 0xb3 | 0xbb | 0xa5 | 0xad => changes(general),
        0xa4 | 0xac => with(changes(general), 1),
        0xba => with(if reg == 4 { reads(general) } else { changes(general) }, 1),
        0xb0 | 0xb1 | 0xc0 | 0xc1 => changes(size),
        0xb6 | 0xbe => reads(1),
        0xb7 | 0xbf => reads(2),
        0xc3 => writes(general),
        _ => None,
    }
}

fn three_38(opcode: u8, prefix: &Prefix) -> Option<Shape> {
    match (opcode, prefix.vex) {
        (0xf0, false) if prefix.repeat == 0 => reads(prefix.general()),
        (0xf1, false) if prefix.repeat == 0 => writes(prefix.general()),
        (0xf6, false) => reads(prefix.word()),
        (0xf2 | 0xf3 | 0xf5..=0xf7, true) => reads(prefix.word()),
        (0x99 | 0x9b | 0x9d | 0x9f | 0xa9 | 0xab | 0xad | 0xaf | 0xb9 | 0xbb | 0xbd | 0xbf, true) => {
            reads(prefix.word())
        }
        (0x18 | 0x58, true) => reads(4),
        (0x19 | 0x59, true) => reads(8),
        (0x78, true) => reads(1),
        (0x79, true) => reads(2),
        _ => None,
    }
}

fn three_3a(opcode: u8, prefix: &Prefix) -> Option<Shape> {
    let shape = match opcode {
        0x0a => reads(4),
        0x0b => reads(8),
        0x20 => reads(1),
        0x22 => reads(prefix.word()),
        0x14 => writes(1),
        0x15 => writes(2),
        0x16 => writes(prefix.word()),
        0xf0 if prefix.vex => reads(prefix.word()),
        _ => None,
    };
    with(shape, 1)
}

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
