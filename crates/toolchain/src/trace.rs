//! Volatile accesses of real binaries: what to link with a program so that it logs them, and how to read the log.
//!
//! The tracer (`runtime/trace.s`) protects the pages that a linker script puts the chosen objects into, and logs each
//! access as it comes. The script works on the sections that `-fdata-sections` makes, so the program's text is as it
//! was. x86-64 Linux with gcc or clang and GNU ld. What the accesses mean is not known here.

mod access;

pub use access::{Access, access};

/// The tracer, for an assembler.
pub const TRACER: &str = include_str!("../runtime/trace.s");

/// The file that a traced program writes in the folder it runs in.
pub const LOG: &str = "howler-trace.bin";

/// The section of the executable in which the linker notes the size of each object, eight bytes each.
pub const TABLE: &[u8] = b".howler_table";

/// The flag that gives each object a section of its own.
pub const FLAG: &str = "-fdata-sections";

/// The alignment of each object: more than compilers give to any scalar or array of their own accord.
const ALIGN: u64 = 64;

/// Where each object is in the traced section, given their sizes.
pub fn offsets(sizes: &[u64]) -> Vec<u64> {
    let mut at = 0_u64;
    let place = |&size: &u64| {
        let here = at;
        at = at.saturating_add(size).next_multiple_of(ALIGN);
        here
    };
    sizes.iter().map(place).collect()
}

/// Whether an object of this name can be found by the name of its section, and by no other object's.
pub fn is_nameable(name: &str) -> bool {
    // `.data.rel` is a section of its own meaning.
    let taken = ["rel", "ro", "local", "cst", "str"].contains(&name);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !taken && !name.is_empty() && !name.starts_with("howler_trace") && name.bytes().all(plain)
}

/// The linker script that gathers objects with these names and sizes, in this order.
pub fn script(objects: &[(&str, u64)]) -> String {
    const KINDS: [&str; 7] =
        [".data", ".bss", ".rodata", ".data.rel", ".data.rel.local", ".data.rel.ro", ".data.rel.ro.local"];
    let mut text =
        String::from("SECTIONS\n{\n  .howler_volatile : ALIGN(4096)\n  {\n    howler_trace_start = .;\n");
    let sizes: Vec<u64> = objects.iter().map(|&(_, size)| size).collect();
    for (number, (&(name, _), offset)) in objects.iter().zip(offsets(&sizes)).enumerate() {
        let sections: Vec<String> = KINDS.iter().map(|kind| format!("{kind}.{name}")).collect();
        text.push_str(&format!(
            "    . = {offset};\n    howler_trace_{number} = .;\n    *({})\n    howler_trace_{number}_end = .;\n",
            sections.join(" ")
        ));
    }
    // The tracer reads eight bytes wherever an access begins.
    text.push_str(
        "    . = . + 64;\n    . = ALIGN(4096);\n    howler_trace_end = .;\n  }\n  .howler_table :\n  {\n",
    );
    for number in 0..objects.len() {
        text.push_str(&format!("    QUAD(howler_trace_{number}_end - howler_trace_{number})\n"));
    }
    text.push_str("  }\n}\nINSERT AFTER .data;\n");
    text
}

/// The sizes that the linker noted.
pub fn table(section: &[u8]) -> Vec<u64> {
    section.chunks_exact(8).map(|bytes| number(bytes, 0)).collect()
}

/// What a traced program logged.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Log {
    /// The accesses in order.
    pub entries: Vec<Entry>,
    /// Whether the log was full, so that there may have been more.
    pub full: bool,
}

/// One instruction that accessed the traced section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Where in the section.
    pub offset: u64,
    /// What it did to memory; none if that is not known.
    pub access: Option<Access>,
    /// Eight bytes there before.
    pub before: u64,
    /// Eight bytes there after.
    pub after: u64,
}

const MARK: &[u8; 8] = b"howtrace";
const ENTRY: usize = 64;

/// Reads a log; none if the program was not traced.
pub fn read(bytes: &[u8]) -> Option<Log> {
    let header = bytes.get(..ENTRY)?;
    if header[..8] != *MARK {
        return None;
    }
    let count = usize::try_from(number(header, 8)).ok()?;
    let room = bytes.len() / ENTRY - 1;
    let entries = bytes[ENTRY..].chunks_exact(ENTRY).take(count).map(entry).collect();
    Some(Log { entries, full: count >= room })
}

fn entry(bytes: &[u8]) -> Entry {
    let wrote = number(bytes, 8) & 2 != 0;
    let length = usize::try_from(number(bytes, 48)).unwrap_or(0).min(15);
    // The processor knows whether it wanted to write.
    let access = access(&bytes[32..32 + length]).filter(|access| access.write == wrote);
    Entry { offset: number(bytes, 0), access, before: number(bytes, 16), after: number(bytes, 24) }
}

fn number(bytes: &[u8], at: usize) -> u64 {
    let mut value = [0; 8];
    value.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_have_places_of_their_own() {
        assert_eq!(offsets(&[4, 64, 65, 1]), [0, 64, 128, 256]);
        assert_eq!(offsets(&[]), [0; 0]);
    }

    #[test]
    fn names_that_sections_have_are_refused() {
        for good in ["g_5", "x", "Rel2"] {
            assert!(is_nameable(good), "{good}");
        }
        for bad in ["", "rel", "ro", "a$b", "x.0", "howler_trace_1", "\u{e9}"] {
            assert!(!is_nameable(bad), "{bad}");
        }
    }

    #[test]
    fn logs_that_are_none_are_refused() {
        assert_eq!(read(b""), None);
        assert_eq!(read(&[0; 640]), None);
        let mut log = [0; 256];
        log[..8].copy_from_slice(MARK);
        assert_eq!(read(&log), Some(Log::default()));
        log[8] = 255;
        let read = read(&log).unwrap();
        assert_eq!((read.entries.len(), read.full), (3, true));
    }
}
