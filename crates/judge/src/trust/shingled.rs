//! Drive-managed shingled hard disks.

use cardiograph_core::drive::{Leaf, LeafKind};
use cardiograph_core::message;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-shingled.unknown"), |leaf| {
        let drive = &leaf.name;
        let seen = if leaf.hides_zones {
            Some(message!("trap-shingled.reported", drive))
        } else {
            (rotates(leaf)? && leaf.discards?).then(|| message!("trap-shingled.trim", drive))
        };
        Some(seen.map(|seen| Warning::caution(seen, message!("trap-shingled.meaning"))))
    })
}

/// Whether a drive is a hard disk. The kernel's rotational flag is only used for SATA drives: bridges and
/// virtual disks set it wrongly.
fn rotates(leaf: &Leaf) -> Option<bool> {
    if leaf.virtual_disk.is_some() {
        return Some(false);
    }
    match (leaf.turns_per_min, leaf.rotational?, leaf.kind) {
        (Some(turns), ..) => Some(turns > 0),
        (None, false, _) => Some(false),
        (None, true, LeafKind::Sata) => Some(true),
        (None, true, LeafKind::Usb | LeafKind::Scsi) => None,
        (None, true, _) => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::VirtualDisk;

    use super::super::bench::Scene;
    use super::*;

    fn disk(kind: LeafKind, turns_per_min: Option<u32>, discards: bool) -> Leaf {
        Leaf { kind, rotational: Some(true), turns_per_min, discards: Some(discards), ..Leaf::default() }
    }

    #[test]
    fn shingled_disks_are_reported() {
        let reported =
            Scene::from_leaf(Leaf { hides_zones: true, ..disk(LeafKind::Sata, Some(5_400), false) });
        assert_eq!(reported.warning(look).seen, [message!("trap-shingled.reported", drive = "sda")]);
        // As a Barracuda ST1000LM049 does (OpenZFS issue 12242).
        for (kind, turns_per_min) in
            [(LeafKind::Sata, None), (LeafKind::Sata, Some(5_400)), (LeafKind::Usb, Some(5_400))]
        {
            let warning = Scene::from_leaf(disk(kind, turns_per_min, true)).warning(look);
            assert_eq!(warning.seen, [message!("trap-shingled.trim", drive = "sda")]);
        }
    }

    #[test]
    fn other_drives_are_absent() {
        let virtual_disk =
            VirtualDisk { provider: None, product: "QEMU".to_string(), volume: None, is_local: None };
        let absent = [
            disk(LeafKind::Sata, None, false),
            // An SSD whose bridge sets the rotational flag.
            disk(LeafKind::Usb, Some(0), true),
            disk(LeafKind::Virtual, None, true),
            Leaf { rotational: Some(false), ..disk(LeafKind::Sata, None, true) },
            Leaf { virtual_disk: Some(virtual_disk), ..disk(LeafKind::Sata, None, true) },
        ];
        for leaf in absent {
            assert!(Scene::from_leaf(leaf.clone()).is_absent(look), "{leaf:?}");
        }
        assert!(Scene::from_leaf(disk(LeafKind::Usb, None, true)).is_not_seen(look));
        assert!(Scene::with_kind(LeafKind::Sata).is_not_seen(look));
    }
}
