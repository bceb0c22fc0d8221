//! Builds of one program compared with each other: `-g` must not change the code, nor may a second build.

use std::collections::BTreeMap;

use crate::lab::Configuration;
use crate::lab::build::Built;
use crate::sighting::{Kind, Sighting};
use crate::signature;

/// Configurations that differ in `-g` only must give the same machine code.
pub(super) fn debug_changes_code(configurations: &[Configuration], builds: &[Built]) -> Vec<Sighting> {
    let without = |configuration: &Configuration| {
        let flags: Vec<&String> =
            configuration.configured.flags.iter().filter(|flag| *flag != "-g").collect();
        (configuration.configured.compiler.name.clone(), flags.into_iter().cloned().collect::<Vec<_>>())
    };
    let mut found: Vec<Sighting> = Vec::new();
    for (with, debug) in configurations.iter().zip(builds).filter(|(known, _)| known.has("-g")) {
        let same =
            |(known, _): &(&Configuration, &Built)| !known.has("-g") && without(known) == without(with);
        let Some((_, plain)) = configurations.iter().zip(builds).find(same) else { continue };
        if let (Some(one), Some(other)) = (debug.code, plain.code)
            && one != other
        {
            let signature = signature::debug_changes_code(with.family(), "");
            match found.iter_mut().find(|known| known.signature == signature) {
                Some(known) => known.configurations.push(with.name.clone()),
                None => found.push(Sighting {
                    kind: Kind::DebugChangesCode,
                    suspect: false,
                    family: with.family().to_owned(),
                    configurations: vec![with.name.clone()],
                    signature,
                    verdict: None,
                    detail: format!("{}: other code than without -g", with.name),
                }),
            }
        }
    }
    for sighting in &mut found {
        sighting.configurations.sort();
    }
    found
}

/// One sighting for each family whose compilers gave other code the second time.
pub(super) fn unstable(configurations: &[Configuration], first: &[Built], second: &[Built]) -> Vec<Sighting> {
    let mut families: BTreeMap<&str, Vec<&Configuration>> = BTreeMap::new();
    for ((configuration, one), other) in configurations.iter().zip(first).zip(second) {
        let comparable = one.loaded.is_some() && other.loaded.is_some() && one.way == other.way;
        if comparable && one.loaded != other.loaded {
            families.entry(configuration.family()).or_default().push(configuration);
        }
    }
    let sighting = |(family, group): (&str, Vec<&Configuration>)| {
        let names = group.iter().map(|known| known.name.clone()).collect();
        let mut configurations: Vec<String> = group.iter().map(|known| known.name.clone()).collect();
        configurations.sort();
        Sighting {
            kind: Kind::Unstable,
            suspect: false,
            family: family.to_owned(),
            signature: signature::unstable(family, &names),
            verdict: None,
            detail: format!("{}: other code the second time", configurations.join(", ")),
            configurations,
        }
    };
    families.into_iter().map(sighting).collect()
}
