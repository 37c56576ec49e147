//! Drives that report themselves as rotational but cannot be.

use cardiograph_core::drive::LeafKind;
use cardiograph_core::message;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-false-rotational.unknown"), |leaf| {
        let cannot_rotate =
            matches!(leaf.kind, LeafKind::Virtual | LeafKind::SdCard | LeafKind::Emmc | LeafKind::Nvme);
        Some((leaf.rotational? && cannot_rotate).then(|| {
            Warning::note(
                message!("trap-false-rotational.seen", drive = &leaf.name),
                message!("trap-false-rotational.meaning"),
            )
        }))
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::Leaf;

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn nothing_rotates_in_a_virtual_disk() {
        let scene = |kind, rotational| {
            Scene::from_leaf(Leaf { name: "vda".to_string(), kind, rotational, ..Leaf::default() })
        };
        let seen = message!("trap-false-rotational.seen", drive = "vda");
        assert_eq!(scene(LeafKind::Virtual, Some(true)).warning(look).seen, [seen]);
        assert!(scene(LeafKind::Virtual, Some(false)).is_absent(look));
        assert!(scene(LeafKind::Sata, Some(true)).is_absent(look));
        assert!(scene(LeafKind::Virtual, None).is_not_seen(look));
    }
}
