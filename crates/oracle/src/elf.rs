//! What of an executable or object decides what it does: its loaded sections. Two builds that agree there need not both
//! be run, and a build with `-g` must agree with the one without.

use howler_case::Id;
use howler_case::id::Hasher;

/// The identity of what is loaded: names and contents of allocated sections, notes left out. None if it is no ELF file
/// with sections.
pub fn loaded(file: &[u8]) -> Option<Id> {
    identity(file, |section| {
        section.flags & ALLOCATED != 0 && section.kind != NOTE && !section.name.starts_with(b".note")
    })
}

/// The identity of the machine code alone.
pub fn code(file: &[u8]) -> Option<Id> {
    identity(file, |section| section.flags & EXECUTABLE != 0)
}

/// The contents of the section of this name.
pub(crate) fn section<'a>(file: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    sections(file)?.into_iter().find(|section| section.name == name).map(|section| section.contents)
}

const ALLOCATED: u64 = 2;
const EXECUTABLE: u64 = 4;
const NOTE: u32 = 7;
const NO_BITS: u32 = 8;

struct Section<'a> {
    name: &'a [u8],
    kind: u32,
    flags: u64,
    size: u64,
    contents: &'a [u8],
}

fn identity(file: &[u8], wanted: impl Fn(&Section<'_>) -> bool) -> Option<Id> {
    let mut hash = Hasher::new("elf");
    let mut any = false;
    for section in sections(file)? {
        if wanted(&section) {
            any = true;
            hash.field(section.name).field(&section.size.to_le_bytes()).field(section.contents);
        }
    }
    any.then(|| hash.finish())
}

/// All sections of a little-endian ELF file; none if anything about it is odd.
fn sections(file: &[u8]) -> Option<Vec<Section<'_>>> {
    if file.get(..4)? != b"\x7fELF" || *file.get(5)? != 1 {
        return None;
    }
    let wide = *file.get(4)? == 2;
    let table = if wide { number(file, 0x28, 8)? } else { number(file, 0x20, 4)? };
    let at = if wide { 0x3a } else { 0x2e };
    let size = number(file, at, 2)?;
    let count = number(file, at + 2, 2)?;
    let names = number(file, at + 4, 2)?;
    let header = |index: u64| {
        let start = usize::try_from(table.checked_add(index.checked_mul(size)?)?).ok()?;
        file.get(start..start.checked_add(usize::try_from(size).ok()?)?)
    };
    let fields = |header: &[u8]| {
        let word = if wide { 8 } else { 4 };
        let kind = u32::try_from(number(header, 4, 4)?).ok()?;
        let flags = number(header, 8, word)?;
        let (offset, size) = (number(header, 8 + 2 * word, word)?, number(header, 8 + 3 * word, word)?);
        Some((kind, flags, offset, size))
    };
    let contents = |kind: u32, offset: u64, size: u64| {
        if kind == NO_BITS {
            return Some(&[][..]);
        }
        let start = usize::try_from(offset).ok()?;
        file.get(start..start.checked_add(usize::try_from(size).ok()?)?)
    };
    let (kind, _, offset, size_of_names) = fields(header(names)?)?;
    let names = contents(kind, offset, size_of_names)?;
    let mut sections = Vec::new();
    for index in 1..count {
        let header = header(index)?;
        let (kind, flags, offset, size) = fields(header)?;
        let name = names.get(usize::try_from(number(header, 0, 4)?).ok()?..)?;
        let name = &name[..name.iter().position(|&byte| byte == 0)?];
        sections.push(Section { name, kind, flags, size, contents: contents(kind, offset, size)? });
    }
    Some(sections)
}

fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let mut value = [0; 8];
    value[..size].copy_from_slice(bytes.get(at..at.checked_add(size)?)?);
    Some(u64::from_le_bytes(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_executable_has_code() {
        let file = std::fs::read("/proc/self/exe").unwrap();
        assert!(code(&file).is_some());
        assert_ne!(code(&file), loaded(&file));
    }

    #[test]
    fn odd_files_have_none() {
        assert_eq!(loaded(b""), None);
        assert_eq!(loaded(b"\x7fELF"), None);
        assert_eq!(loaded(b"#!/bin/sh\n"), None);
        // Cut anywhere, it is read or refused, never a panic.
        let file = std::fs::read("/proc/self/exe").unwrap();
        for length in (0..4096).chain([file.len() / 2, file.len() - 1]) {
            let _ = loaded(&file[..length]);
        }
        let mut garbage = file[..4096].to_vec();
        for at in 0..64 {
            garbage[at] ^= 0xff;
            let _ = loaded(&garbage);
        }
    }
}
