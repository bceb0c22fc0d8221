//! Short names.

use howler_lang::edit::{Change, Redeclaration, Refused};
use howler_lang::id::Id;
use howler_lang::program::{Entity, Program};
use howler_lang::visit::Uses;

use crate::typed::stand_in::Nothing;
use crate::typed::{At, Pass, Site, Subject, together};

/// Gives them.
pub struct Names;

/// How many names there are.
const LETTERS: usize = 26;

impl Pass for Names {
    fn name(&self) -> &'static str {
        "names"
    }

    fn about(&self) -> &'static str {
        "names of objects, functions, members and labels become a, b, c, tags A, B, C"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let uses = Uses::of(program);
        let is_long = |name| program.name(name).len() > 1;
        let mut sites = Vec::new();
        for (id, object) in program.objects.iter() {
            let used = !uses.of_object(id).is_empty();
            if used && object.name.is_some_and(is_long) {
                sites.push(Site::new(1, At::Object(id)));
            }
        }
        for (id, function) in program.funcs.iter() {
            let own = function.body.is_some() && program.name(function.name) != "main";
            if own && is_long(function.name) && !uses.of_function(id).is_empty() {
                sites.push(Site::new(1, At::Function(id)));
            }
        }
        for (id, label) in program.labels.iter() {
            if is_long(label.name) && !uses.of_label(id).is_empty() {
                sites.push(Site::new(1, At::Label(id)));
            }
        }
        for (id, record) in program.types.records.iter() {
            let Some(tag) = record.tag.filter(|_| record.complete && !uses.of_record(id).is_empty()) else {
                continue;
            };
            let fields = record.fields.iter().enumerate();
            let named = fields.filter(|(_, field)| field.name.is_some_and(is_long));
            // Numbers begin with 1: 0 is the tag.
            let mut numbers: Vec<u32> = named.map(|(number, _)| number as u32 + 1).collect();
            numbers.extend(is_long(tag).then_some(0));
            sites.extend(numbers.into_iter().map(|number| Site { number, ..Site::new(1, At::Record(id)) }));
        }
        // A large program waits: there are no short names for all, and most will go.
        if sites.len() > LETTERS { Vec::new() } else { sites }
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        let records: Vec<Site> = sites.iter().copied().filter(is_record).collect();
        let others: Vec<Site> = sites.iter().copied().filter(|site| !is_record(site)).collect();
        // A struct with other names is another one, so all of its names change at once.
        let first = match records.is_empty() {
            true => None,
            false => together(subject, &records[..1], |change, _| in_records(change, &records)),
        };
        let second = first.clone().map(|program| subject.with(program));
        together(second.as_ref().unwrap_or(subject), &others, one).or(first)
    }
}

fn is_record(site: &Site) -> bool {
    matches!(site.at, At::Record(_))
}

fn one(change: &mut Change<'_>, site: Site) -> Result<(), Refused> {
    let Some(name) = short(change.program()) else { return Ok(()) };
    match site.at {
        At::Object(object) => change.rename(Entity::Object(object), &name),
        At::Function(func) => change.rename(Entity::Function(func), &name),
        At::Label(label) => {
            change.rename_label(label, &name);
            Ok(())
        }
        _ => Ok(()),
    }
}

fn in_records(change: &mut Change<'_>, sites: &[Site]) -> Result<(), Refused> {
    let mut what = Redeclaration::default();
    let uses = Uses::of(change.program());
    let mut tags: Vec<String> = (b'A'..=b'Z').map(|letter| char::from(letter).to_string()).collect();
    for (id, record) in change.program().types.records.iter() {
        if !uses.of_record(id).is_empty() {
            tags.retain(|tag| record.tag.is_none_or(|taken| change.program().name(taken) != tag));
        }
    }
    for site in sites {
        let At::Record(id) = site.at else { continue };
        let name = match site.number {
            0 if tags.is_empty() => continue,
            0 => tags.remove(0),
            number => match member(change.program(), id.index(), number - 1) {
                Some(name) => name,
                None => continue,
            },
        };
        let name = change.program_mut().symbols.intern(&name);
        match site.number {
            0 => drop(what.tags.insert(id, name)),
            number => drop(what.names.insert((id, number as usize - 1), name)),
        }
    }
    if what.tags.is_empty() && what.names.is_empty() {
        return Err(Refused::Place("no short name is free"));
    }
    change.redeclare(&what, &mut Nothing)
}

/// The letter of a member, which others of its struct cannot have: the n-th has the n-th, unless one has it by now.
fn member(program: &Program, record: usize, number: u32) -> Option<String> {
    let letter = u8::try_from(number).ok().filter(|&number| usize::from(number) < LETTERS)?;
    let name = char::from(b'a' + letter).to_string();
    let (_, record) = program.types.records.iter().nth(record)?;
    let taken = record.fields.iter().filter_map(|field| field.name).any(|other| program.name(other) == name);
    (!taken).then_some(name)
}

/// A letter that nothing in the program is called.
fn short(program: &Program) -> Option<String> {
    let uses = Uses::of(program);
    let mut taken = [false; LETTERS];
    let mut note = |name: &str| {
        if let [letter @ b'a'..=b'z'] = *name.as_bytes() {
            taken[usize::from(letter - b'a')] = true;
        }
    };
    for (id, object) in program.objects.iter() {
        if let Some(name) = object.name
            && !uses.of_object(id).is_empty()
        {
            note(program.name(name));
        }
    }
    for (id, function) in program.funcs.iter() {
        if !uses.of_function(id).is_empty() {
            note(program.name(function.name));
        }
    }
    for (id, label) in program.labels.iter() {
        if !uses.of_label(id).is_empty() {
            note(program.name(label.name));
        }
    }
    program.types.enumerators.iter().for_each(|(_, one)| note(program.name(one.name)));
    let free = taken.iter().position(|&taken| !taken)?;
    Some(char::from(b'a' + free as u8).to_string())
}
