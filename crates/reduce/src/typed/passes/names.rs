//! Short names.

use howler_lang::program::{Entity, Program};
use howler_lang::visit::Uses;

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
        "names become a, b, c"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let uses = Uses::of(program);
        let mut sites = Vec::new();
        for (id, object) in program.objects.iter() {
            let long = object.name.is_some_and(|name| program.name(name).len() > 1);
            if long && !uses.of_object(id).is_empty() {
                sites.push(Site::new(1, At::Object(id)));
            }
        }
        for (id, function) in program.funcs.iter() {
            let name = program.name(function.name);
            let own = function.body.is_some() && name != "main" && name.len() > 1;
            if own && !uses.of_function(id).is_empty() {
                sites.push(Site::new(1, At::Function(id)));
            }
        }
        // A large program waits: there are no short names for all, and most will go.
        if sites.len() > LETTERS { Vec::new() } else { sites }
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        together(subject, sites, |change, site| {
            let entity = match site.at {
                At::Object(object) => Entity::Object(object),
                At::Function(func) => Entity::Function(func),
                _ => return Ok(()),
            };
            let Some(name) = short(change.program()) else { return Ok(()) };
            change.rename(entity, &name)
        })
    }
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
    program.types.enumerators.iter().for_each(|(_, one)| note(program.name(one.name)));
    let free = taken.iter().position(|&taken| !taken)?;
    Some(char::from(b'a' + free as u8).to_string())
}
