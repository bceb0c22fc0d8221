//! What of an executable or object decides what it does: its loaded sections. Two builds that agree there need not both
//! be run, and a build with `-g` must agree with the one without.

use howler_case::Id;
use howler_case::id::Hasher;
use object::elf::{FileHeader32, FileHeader64, SHF_ALLOC, SHF_EXECINSTR, SHT_NOTE};
use object::read::elf::{FileHeader, SectionHeader};
use object::{FileKind, LittleEndian};

/// The identity of what is loaded: names and contents of allocated sections, notes left out. None if it is no ELF file
/// with sections.
pub fn loaded(file: &[u8]) -> Option<Id> {
    identity(file, |section| {
        section.flags & u64::from(SHF_ALLOC) != 0
            && section.kind != SHT_NOTE
            && !section.name.starts_with(b".note")
    })
}

/// The identity of the machine code alone.
pub fn code(file: &[u8]) -> Option<Id> {
    identity(file, |section| section.flags & u64::from(SHF_EXECINSTR) != 0)
}

/// The contents of the section of this name.
pub(crate) fn section<'a>(file: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    sections(file)?.into_iter().find(|section| section.name == name).map(|section| section.contents)
}

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
    let mut left = file.len();
    for section in sections(file)? {
        if wanted(&section) {
            any = true;
            // Sections lie beside each other. Thousands that are each the whole file would take hours.
            left = left.checked_sub(section.contents.len())?;
            hash.field(section.name).field(&section.size.to_le_bytes()).field(section.contents);
        }
    }
    any.then(|| hash.finish())
}

/// All sections of a little-endian ELF file; none if anything about it is odd.
fn sections(file: &[u8]) -> Option<Vec<Section<'_>>> {
    match FileKind::parse(file).ok()? {
        FileKind::Elf32 => sections_of::<FileHeader32<LittleEndian>>(file),
        FileKind::Elf64 => sections_of::<FileHeader64<LittleEndian>>(file),
        _ => None,
    }
}

fn sections_of<H: FileHeader<Endian = LittleEndian>>(file: &[u8]) -> Option<Vec<Section<'_>>> {
    let header = H::parse(file).ok()?;
    let endian = header.endian().ok()?;
    let table = header.sections(endian, file).ok()?;
    let section = |section: &'_ H::SectionHeader| {
        Some(Section {
            name: table.section_name(endian, section).ok()?,
            kind: section.sh_type(endian),
            flags: section.sh_flags(endian).into(),
            size: section.sh_size(endian).into(),
            contents: section.data(endian, file).ok()?,
        })
    };
    // The first one stands for none.
    table.iter().skip(1).map(section).collect()
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

    /// A file of a few hundred kilobytes whose every section is all of it.
    #[test]
    fn sections_that_are_each_the_whole_file_are_refused() {
        let (entry, count) = (64_usize, 4000_usize);
        let size = 64 + entry * count;
        let mut file = vec![0; size];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        file[6] = 1;
        file[0x28] = 64;
        file[0x3a] = 64;
        file[0x3c..0x3e].copy_from_slice(&(count as u16).to_le_bytes());
        file[0x3e] = 1;
        for section in file[64..].chunks_exact_mut(entry).skip(1) {
            section[4] = 1;
            section[8] = 6;
            section[0x20..0x28].copy_from_slice(&(size as u64).to_le_bytes());
        }
        assert_eq!(sections(&file).map(|all| all.len()), Some(count - 1));
        assert_eq!((loaded(&file), code(&file)), (None, None));
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
