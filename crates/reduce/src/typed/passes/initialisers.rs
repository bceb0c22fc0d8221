//! Entries of braced initialisers, which are zero without them.

use howler_lang::program::{Init, InitEntry, InitId, Program};
use howler_lang::ty::{Type, TypeKind};
use howler_lang::visit::{self, Node};
use rustc_hash::FxHashMap;

use crate::typed::{At, Pass, Site, Subject, Weights, together};

/// Takes them out.
pub struct Initialisers;

/// The entry goes.
const GONE: u32 = 0;
/// The entries of an array begin with its first element.
const FIRST: u32 = 1;

impl Pass for Initialisers {
    fn name(&self) -> &'static str {
        "initialisers"
    }

    fn about(&self) -> &'static str {
        "entries of braced initialisers go, or belong to the first elements"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let weights = Weights::of(program);
        let mut sites = Vec::new();
        visit::each(program, |part| {
            let Node::Init(i) = part.node else { return };
            let Init::List(list) = program.inits[i] else { return };
            for entry in program.init_entries(list) {
                // An entry keeps its index when others go.
                let Ok(number) = u32::try_from(entry.index) else { continue };
                sites.push(Site { number, ..Site::new(1 + weights.init(entry.init), At::Init(i)) });
            }
        });
        // What is in an element of an array stays as it is, and so do the sites below it.
        for i in late_arrays(program) {
            sites.push(Site { choice: FIRST, ..Site::new(4, At::Init(i)) });
        }
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        let mut gone: FxHashMap<InitId, Vec<u64>> = FxHashMap::default();
        let mut order = Vec::new();
        for site in sites {
            let At::Init(i) = site.at else { continue };
            if site.choice == FIRST {
                order.push(*site);
                continue;
            }
            if !gone.contains_key(&i) {
                order.push(Site { choice: GONE, ..Site::new(1, At::Init(i)) });
            }
            gone.entry(i).or_default().push(site.number.into());
        }
        together(subject, &order, |change, site| {
            let At::Init(i) = site.at else { return Ok(()) };
            let Init::List(list) = change.program().inits[i] else { return Ok(()) };
            let entries = change.program().init_entries(list).iter();
            if site.choice == FIRST {
                let first = entries.clone().map(|entry| entry.index).min().unwrap_or(0);
                let moved = entries.map(|entry| InitEntry {
                    index: entry.index - first,
                    last: entry.last - first,
                    ..*entry
                });
                let moved: Vec<InitEntry> = moved.collect();
                return change.set_entries(i, &moved);
            }
            let gone = gone.get(&i).map_or(&[][..], Vec::as_slice);
            let kept: Vec<InitEntry> =
                entries.copied().filter(|entry| !gone.contains(&entry.index)).collect();
            change.set_entries(i, &kept)
        })
    }
}

/// The initialisers of arrays that say nothing of the first element.
fn late_arrays(program: &Program) -> Vec<InitId> {
    let objects = program.objects.iter();
    let mut open: Vec<(InitId, Type)> =
        objects.filter_map(|(_, object)| Some((object.init?, object.ty))).collect();
    let mut found = Vec::new();
    while let Some((i, ty)) = open.pop() {
        let Init::List(list) = program.inits[i] else { continue };
        let entries = program.init_entries(list);
        match program.types.kind(ty) {
            TypeKind::Array { elem, .. } => {
                if entries.iter().map(|entry| entry.index).min() > Some(0) {
                    found.push(i);
                }
                open.extend(entries.iter().map(|entry| (entry.init, elem)));
            }
            TypeKind::Record(id) => {
                let fields = &program.types.records[id].fields;
                let part = |entry: &InitEntry| Some((entry.init, fields.get(entry.index as usize)?.ty));
                open.extend(entries.iter().filter_map(part));
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
