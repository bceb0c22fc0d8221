//! Entries of braced initialisers, which are zero without them.

use howler_lang::program::{Init, InitEntry, InitId, Program};
use howler_lang::visit::{self, Node};
use rustc_hash::FxHashMap;

use crate::typed::{At, Pass, Site, Subject, Weights, together};

/// Takes them out.
pub struct Initialisers;

impl Pass for Initialisers {
    fn name(&self) -> &'static str {
        "initialisers"
    }

    fn about(&self) -> &'static str {
        "entries of braced initialisers go"
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
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        let mut gone: FxHashMap<InitId, Vec<u64>> = FxHashMap::default();
        let mut order = Vec::new();
        for site in sites {
            let At::Init(i) = site.at else { continue };
            if !gone.contains_key(&i) {
                order.push(Site::new(1, At::Init(i)));
            }
            gone.entry(i).or_default().push(site.number.into());
        }
        together(subject, &order, |change, site| {
            let At::Init(i) = site.at else { return Ok(()) };
            let Init::List(list) = change.program().inits[i] else { return Ok(()) };
            let entries = change.program().init_entries(list).iter();
            let gone = gone.get(&i).map_or(&[][..], Vec::as_slice);
            let kept: Vec<InitEntry> =
                entries.copied().filter(|entry| !gone.contains(&entry.index)).collect();
            change.set_entries(i, &kept)
        })
    }
}
