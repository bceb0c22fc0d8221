//! Landlock: what a process and all its descendants may write, for ever after. Reading stays allowed.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

use crate::guard::layers::Layer;
use crate::guard::view::DEVICES;

/// From now on only what is below these folders can be changed.
pub(crate) fn forbid_writes(except: &[&Path]) -> Layer {
    // The rights of the third version: those of the fifth would forbid asking a device whether it is a terminal.
    let writes = AccessFs::from_write(ABI::V3);
    let restrict = || -> Result<RulesetStatus, RulesetError> {
        let mut rules =
            Ruleset::default().set_compatibility(CompatLevel::BestEffort).handle_access(writes)?.create()?;
        for folder in except {
            if let Ok(folder) = PathFd::new(folder) {
                rules = rules.add_rule(PathBeneath::new(folder, writes))?;
            }
        }
        for device in DEVICES {
            if let Ok(device) = PathFd::new(device) {
                rules = rules.add_rule(PathBeneath::new(device, AccessFs::WriteFile | AccessFs::Truncate))?;
            }
        }
        Ok(rules.restrict_self()?.ruleset)
    };
    layer(restrict())
}

/// From now on no signal and no abstract socket reaches a process that is not a descendant. Linux 6.12 has this.
pub(crate) fn forbid_signals() -> Layer {
    let restrict = || -> Result<RulesetStatus, RulesetError> {
        let rules = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .scope(Scope::Signal | Scope::AbstractUnixSocket)?
            .create()?;
        Ok(rules.restrict_self()?.ruleset)
    };
    layer(restrict())
}

/// From now on no TCP connection can be made or taken.
pub(crate) fn forbid_tcp() -> Layer {
    let restrict = || -> Result<RulesetStatus, RulesetError> {
        let rules = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessNet::from_all(ABI::V4))?
            .create()?;
        Ok(rules.restrict_self()?.ruleset)
    };
    match layer(restrict()) {
        Layer::Active(_) => Layer::Active("Landlock forbids TCP".to_owned()),
        missing => missing,
    }
}

fn layer(status: Result<RulesetStatus, RulesetError>) -> Layer {
    match status {
        Ok(RulesetStatus::FullyEnforced) => Layer::Active("Landlock".to_owned()),
        Ok(RulesetStatus::PartiallyEnforced) => {
            Layer::Active("Landlock, as far as this kernel has it".to_owned())
        }
        Ok(RulesetStatus::NotEnforced) => {
            Layer::Missing("this kernel has no Landlock, or not this rule".to_owned())
        }
        Err(error) => Layer::Missing(error.to_string()),
    }
}
