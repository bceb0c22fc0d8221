//! Declarations at file scope: functions, globals, types.

use howler_lang::program::{Item, Program};

use crate::typed::removal::{Removal, Users, is_main};
use crate::typed::{At, Pass, Site, Subject, Weights};

/// Removes them.
pub struct Declarations;

/// Only where nothing uses what is declared.
const UNUSED: u32 = 0;
/// With all that uses it.
const WITH_USERS: u32 = 1;

impl Pass for Declarations {
    fn name(&self) -> &'static str {
        "declarations"
    }

    fn about(&self) -> &'static str {
        "functions, globals and types go, with the statements that use them"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let weights = Weights::of(program);
        let mut sites = Vec::new();
        for item in own_items(program) {
            if subject.runs() && matches!(item, Item::Decl(decl) if is_main(program, decl)) {
                continue;
            }
            let weight = weights.item(program, item);
            for choice in [UNUSED, WITH_USERS] {
                sites.push(Site { choice, ..Site::new(weight, At::Item(item)) });
            }
        }
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        let users =
            if sites.iter().any(|site| site.choice == WITH_USERS) { Users::Follow } else { Users::Keep };
        let mut removal = Removal::of(subject.program(), users);
        let items = sites.iter().filter_map(|site| match site.at {
            At::Item(item) => Some(item),
            _ => None,
        });
        removal.add([], items);
        removal.program()
    }
}

/// The items that do not come from an included file.
pub(super) fn own_items(program: &Program) -> Vec<Item> {
    let mut found = Vec::new();
    for unit in &program.units {
        let mut depth = 0u32;
        for &item in &unit.items {
            match item {
                Item::Include(_) => depth += 1,
                Item::IncludeEnd => depth = depth.saturating_sub(1),
                _ if depth == 0 && !found.contains(&item) => found.push(item),
                _ => {}
            }
        }
    }
    found
}
