//! Capabilities: jobs have none, whoever runs the guard. Root without them is an ordinary user who happens to own
//! the system's files; those are read-only for jobs.

use rustix::thread::{self, CapabilitiesSecureBits, CapabilitySet, CapabilitySets};

use crate::guard::layers::Layer;

/// A program that is not root loses all rights over its namespace when it starts; the server needs some, and drops
/// them. Without them there are fewer layers.
pub(crate) fn keep() {
    let Ok(mut sets) = thread::capabilities(None) else { return };
    let wanted = [
        // Mounting, and what the system checks when it writes in the name of who mounted.
        CapabilitySet::SYS_ADMIN,
        CapabilitySet::DAC_OVERRIDE,
        CapabilitySet::FOWNER,
        CapabilitySet::CHOWN,
        CapabilitySet::SYS_CHROOT,
        CapabilitySet::SETPCAP,
    ];
    sets.inheritable |= wanted.into_iter().collect::<CapabilitySet>();
    if thread::set_capabilities(None, sets).is_ok() {
        for right in wanted {
            let _ = thread::configure_capability_in_ambient_set(right, true);
        }
    }
}

/// Drops all rights of the caller but `kept`, which its children do not get. Nothing gives any back: no program is
/// started with more because it is root's (`SECBIT_NOROOT`), or because its file says so (the bounding set is empty,
/// and `no_new_privs` is the caller's to set).
pub(crate) fn drop_all(kept: CapabilitySet) -> Layer {
    let bits = CapabilitiesSecureBits::NO_ROOT
        | CapabilitiesSecureBits::NO_ROOT_LOCKED
        | CapabilitiesSecureBits::NO_SETUID_FIXUP
        | CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED
        | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE
        | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE_LOCKED;
    let _ = thread::clear_ambient_capability_set();
    // Neither is allowed to who has no rights to begin with, and then neither is needed.
    let _ = thread::set_capabilities_secure_bits(bits);
    for number in 0..64 {
        let right = CapabilitySet::from_bits_retain(1 << number);
        if thread::remove_capability_from_bounding_set(right).is_err() {
            break;
        }
    }
    let has = thread::capabilities(None).map_or(CapabilitySet::empty(), |sets| sets.permitted & kept);
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: has, permitted: has, inheritable: none };
    if let Err(error) = thread::set_capabilities(None, sets) {
        return Layer::Missing(format!("capabilities stay: {error}"));
    }
    let bounded = (0..64).all(|number| {
        let right = CapabilitySet::from_bits_retain(1 << number);
        !thread::capability_is_in_bounding_set(right).unwrap_or(false)
    });
    if rustix::process::geteuid().is_root() && !bounded {
        return Layer::Missing("the bounding set of capabilities cannot be emptied".to_owned());
    }
    Layer::Active("no capabilities".to_owned())
}
