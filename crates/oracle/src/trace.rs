//! Volatile traces of real binaries: which objects are traced, and whether what a binary logged is what the machine says.
//!
//! Traced are objects of file scope that are scalars of at most a word, or arrays of such. Structs, unions, bit-fields,
//! locals and atomic objects are not. Every access of the abstract machine to a traced object must be there, in order,
//! with its size and value (C17 5.1.2.3p6); where the log says nothing sure, comparing ends without a word.

use howler_case::behaviour::VolatileAccess;
use howler_lang::program::{Duration, Entity, Linkage, Object, Program};
use howler_lang::ty::{Len, Quals, Type, TypeKind};
use howler_toolchain::library;
use howler_toolchain::trace::{self, Entry, Log};
use std::collections::{BTreeMap, BTreeSet};

/// An object whose accesses can be traced.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Traced {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// The size of the scalar it is, or is an array of.
    pub element: u32,
    /// Whether its values are addresses, which differ from run to run.
    pub address: bool,
}

/// The objects of a linked program that can be traced, by name.
pub fn traced(program: &Program) -> Vec<Traced> {
    if takes_reserved_names(program) {
        return Vec::new();
    }
    let renamed: BTreeSet<_> = program
        .decls
        .iter()
        .filter(|(_, decl)| decl.asm_label.is_some())
        .filter_map(|(_, decl)| match decl.entity {
            Entity::Object(object) => Some(object),
            _ => None,
        })
        .collect();
    // A trace has names, so a name must mean one object: all of external linkage with it are the same.
    let mut names: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    let mut found: BTreeMap<&str, Option<Traced>> = BTreeMap::new();
    for (id, object) in program.objects.iter() {
        let Some(name) = object.name.map(|name| program.name(name)) else { continue };
        let (count, external) = names.entry(name).or_insert((0, true));
        *count += 1;
        *external &= object.linkage == Linkage::External;
        let one = if renamed.contains(&id) { None } else { shape(program, object, name) };
        match found.get_mut(name) {
            // Every declaration must have it.
            Some(known) if *known != one => *known = None,
            Some(_) => {}
            None => {
                found.insert(name, one);
            }
        }
    }
    let defined: BTreeSet<&str> = program
        .objects
        .iter()
        .filter(|(_, object)| object.defined)
        .filter_map(|(_, object)| Some(program.name(object.name?)))
        .collect();
    let is_one = |name: &str| names.get(name).is_some_and(|&(count, external)| count == 1 || external);
    found
        .into_iter()
        .filter(|(name, _)| is_one(name) && defined.contains(name))
        .filter_map(|(_, one)| one)
        .collect()
}

/// Whether the program defines functions that the library has. Their names are reserved (C17 7.1.3p1), and compilers know
/// what the real ones do: gcc turns `__fprintf_chk(stdout, 1, "x")` into a call of another function, even at -O0.
fn takes_reserved_names(program: &Program) -> bool {
    program.funcs.iter().any(|(_, func)| {
        let name = program.name(func.name);
        func.body.is_some() && name != "main" && library::defines(name)
    })
}

fn shape(program: &Program, object: &Object, name: &str) -> Option<Traced> {
    let known = |name: &str| matches!(name, "unused" | "used" | "aligned");
    let wanted = object.duration == Duration::Static
        && object.linkage != Linkage::None
        && !object.literal
        && object.align <= 64
        && object.attrs.iter().all(|attr| known(program.name(attr.name)))
        && trace::is_nameable(name);
    let quals = program.types.quals(object.ty);
    if !wanted || !quals.contains(Quals::VOLATILE) || quals.contains(Quals::ATOMIC) {
        return None;
    }
    let (element, address) = scalar(program, object.ty)?;
    let size = program.size_of(object.ty).filter(|&size| size > 0)?;
    let element_size = u32::try_from(program.size_of(element)?).ok()?;
    (element_size <= 8).then(|| Traced { name: name.to_owned(), size, element: element_size, address })
}

/// The scalar that a type is, or is an array of, and whether it is a pointer. Types are bounded in depth.
fn scalar(program: &Program, ty: Type) -> Option<(Type, bool)> {
    match program.types.kind(ty) {
        TypeKind::Array { elem, len: Len::Fixed(_) } => scalar(program, elem),
        TypeKind::Bool | TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Enum(_) => Some((ty, false)),
        TypeKind::Pointer(_) => Some((ty, true)),
        _ => None,
    }
}

/// The linker's script for these objects.
pub fn script(objects: &[Traced]) -> String {
    trace::script(&objects.iter().map(|one| (one.name.as_str(), one.size)).collect::<Vec<_>>())
}

/// Objects that the linker found where they should be. Others were not used, or have another name for the compiler.
pub fn placed(objects: &[Traced], sizes: &[u64]) -> Vec<(u64, Traced)> {
    let offsets = trace::offsets(&objects.iter().map(|one| one.size).collect::<Vec<_>>());
    let there = objects.iter().zip(offsets).zip(sizes).filter(|((one, _), size)| one.size == **size);
    there.map(|((one, offset), _)| (offset, one.clone())).collect()
}

/// What a traced run amounts to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The first difference, in words; none if there is none.
    pub difference: Option<String>,
    /// What must be, one access a line.
    pub expected: String,
    /// What came, one access a line.
    pub came: String,
    /// How many accesses were compared.
    pub count: usize,
    /// Whether the log was understood to its end, and was not full.
    pub whole: bool,
}

/// Lines of what must be that are kept: more than any log has.
const LINES: usize = 40_000;

/// Compares a log with the machine's trace, both restricted to the objects that are in place.
pub fn compare(expected: &[VolatileAccess], objects: &[(u64, Traced)], log: &Log) -> Compared {
    let names: BTreeMap<&str, &Traced> = objects.iter().map(|(_, one)| (one.name.as_str(), one)).collect();
    let wanted: Vec<VolatileAccess> = expected
        .iter()
        .filter_map(|access| Some((access, names.get(access.object.as_str())?)))
        .map(|(access, one)| VolatileAccess {
            value: if one.address { 0 } else { access.value },
            ..access.clone()
        })
        .collect();
    let (came, whole) = events(objects, log);
    let first = wanted.iter().zip(&came).position(|(one, other)| one != other);
    let difference = match first {
        Some(at) => {
            Some(format!("access {} must be '{}' and is '{}'", at + 1, line(&wanted[at]), line(&came[at])))
        }
        None if came.len() > wanted.len() => {
            let more = line(&came[wanted.len()]);
            Some(format!("after {} accesses comes '{more}', which must not be", wanted.len()))
        }
        None if came.len() < wanted.len() && whole => {
            let missing = line(&wanted[came.len()]);
            Some(format!("after {} accesses '{missing}' is missing", came.len()))
        }
        None => None,
    };
    let text = |list: &[VolatileAccess]| list.iter().map(|access| line(access) + "\n").collect();
    Compared {
        difference,
        expected: text(&wanted[..wanted.len().min(LINES)]),
        came: text(&came),
        count: came.len().min(wanted.len()),
        whole,
    }
}

/// Lines of [`Compared`] as a script can make them that does not know what instructions do: without sizes, values as wide
/// as the object's scalar, and without a read right before a write of the same place.
pub fn for_script(lines: &str, objects: &[(u64, Traced)]) -> String {
    let width = |place: &str| {
        let (name, _) = place.split_once('+')?;
        let (_, one) = objects.iter().find(|(_, one)| one.name == name)?;
        Some(if one.address { 0 } else { 2 * one.element as usize })
    };
    let words = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        let (what, place, value) = (words.next()?, words.next()?, words.nth(1)?);
        let value = u64::from_str_radix(value.strip_prefix("0x")?, 16).ok()?;
        let digits = format!("{value:016x}");
        let value = digits[16 - width(&place)?.min(16)..].to_owned();
        Some((what, place, value))
    };
    let all: Vec<(String, String, String)> = lines.lines().filter_map(words).collect();
    let mut text = String::new();
    for (number, (what, place, value)) in all.iter().enumerate() {
        let next = all.get(number + 1);
        let hidden = what == "read" && next.is_some_and(|(what, other, _)| what == "write" && other == place);
        if !hidden {
            text.push_str(&format!("{what} {place} {value}\n"));
        }
    }
    text
}

/// `write g_5+0 4 0x2a`, as `howler run --trace-volatile` has it.
fn line(access: &VolatileAccess) -> String {
    let what = if access.write { "write" } else { "read" };
    format!("{what} {}+{} {} {:#x}", access.object, access.offset, access.size, access.value)
}

/// The accesses of a log, up to the first that is not understood; and whether these are all.
fn events(objects: &[(u64, Traced)], log: &Log) -> (Vec<VolatileAccess>, bool) {
    let mut events = Vec::new();
    for entry in &log.entries {
        let at = objects.partition_point(|(offset, _)| *offset <= entry.offset);
        let found = objects[..at].last().filter(|(offset, one)| entry.offset - offset < one.size);
        // An object that was left out.
        let Some((offset, one)) = found else { continue };
        let Some(access) = entry.access else { return (events, false) };
        let event = |value: u64, write: bool| VolatileAccess {
            object: one.name.clone(),
            offset: u32::try_from(entry.offset - offset).unwrap_or(u32::MAX),
            size: u32::from(access.size),
            value: if one.address { 0 } else { u128::from(cut(value, access.size)) },
            write,
        };
        let Entry { before, after, .. } = *entry;
        // One instruction that does both reads first.
        events.extend(access.read.then(|| event(before, false)));
        events.extend(access.write.then(|| event(after, true)));
    }
    (events, !log.full)
}

/// The lowest bytes of a value.
fn cut(value: u64, size: u8) -> u64 {
    if size >= 8 { value } else { value & ((1 << (8 * u32::from(size))) - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use howler_lang::target::Target;
    use howler_toolchain::trace::Access;

    fn names(text: &str) -> Vec<String> {
        let mut program = Program::new(Target::X86_64_GCC);
        let report = howler_front::parse(&mut program, "a.c", text.into(), &Default::default());
        assert_eq!(report.unit, Some(0), "{:?}", report.diagnostics);
        traced(&program).into_iter().map(|one| one.name).collect()
    }

    #[test]
    fn scalars_of_file_scope_are_traced() {
        let text = "volatile int a; static volatile char b[3][2]; const volatile double c = 1; int d; \
            int *volatile e; volatile int *f; extern volatile int g; typedef volatile short t; t h; volatile int a;";
        assert_eq!(names(text), ["a", "b", "c", "e", "h"]);
    }

    #[test]
    fn the_rest_is_not() {
        let text = "volatile struct { int x; } a; volatile long double b; _Atomic volatile int c; \
            volatile int d __attribute__((section(\"x\"))); volatile int e __asm__(\"f\"); volatile int rel; \
            volatile _Complex float g; int main(void) { static volatile int h; volatile int i = 1; return h + i; }";
        assert_eq!(names(text), [""; 0]);
        assert_eq!(names("volatile int a; int puts(const char *s) { a = 1; return 0; }"), [""; 0]);
        // Which of them a trace means is not known.
        assert_eq!(names("volatile int a; int f(void) { int a = 1; return a; }"), [""; 0]);
    }

    fn access(object: &str, value: u128, write: bool) -> VolatileAccess {
        VolatileAccess { object: object.to_owned(), offset: 0, size: 4, value, write }
    }

    fn entry(offset: u64, read: bool, write: bool, before: u64, after: u64) -> Entry {
        Entry { offset, access: Some(Access { size: 4, read, write }), before, after }
    }

    #[test]
    fn differences_are_found_and_nothing_else() {
        let one = |name: &str| Traced { name: name.to_owned(), size: 4, element: 4, address: false };
        let objects = placed(&[one("a"), one("b"), one("c")], &[4, 0, 4]);
        assert_eq!(objects.len(), 2);
        let expected =
            [access("a", 1, false), access("a", 2, true), access("b", 9, true), access("c", 3, true)];
        let changed = entry(0, true, true, 1, 2);
        let written = entry(128, false, true, 7, 3);
        let differs = |entries: &[&Entry], full| {
            let log = Log { entries: entries.iter().map(|&one| one.clone()).collect(), full };
            compare(&expected, &objects, &log).difference
        };
        assert_eq!(differs(&[&changed, &written], false), None);
        // What lies between objects belongs to none.
        assert_eq!(differs(&[&changed, &entry(64, true, false, 5, 5), &written], false), None);
        assert_eq!(differs(&[&changed], true), None);
        let missing = differs(&[&changed], false).unwrap();
        assert_eq!(missing, "after 2 accesses 'write c+0 4 0x3' is missing");
        let more = differs(&[&changed, &written, &written], false).unwrap();
        assert_eq!(more, "after 3 accesses comes 'write c+0 4 0x3', which must not be");
        let order = differs(&[&written, &changed], false).unwrap();
        assert_eq!(order, "access 1 must be 'read a+0 4 0x1' and is 'write c+0 4 0x3'");
        let unknown = Entry { access: None, ..written.clone() };
        assert_eq!(differs(&[&changed, &unknown], false), None);
    }
}
