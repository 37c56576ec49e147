//! Flash without discards, which does not know its free blocks.

use cardiograph_core::drive::LeafKind;
use cardiograph_core::message;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-discard.unknown"), |leaf| {
        let is_flash = leaf.rotational == Some(false)
            && matches!(
                leaf.kind,
                LeafKind::Nvme | LeafKind::Sata | LeafKind::Usb | LeafKind::SdCard | LeafKind::Emmc
            );
        let seen = || match leaf.kind {
            LeafKind::Usb => message!("trap-discard.seen-bridge", drive = &leaf.name),
            _ => message!("trap-discard.seen", drive = &leaf.name),
        };
        Some((!leaf.discards? && is_flash).then(|| Warning::note(seen(), message!("trap-discard.meaning"))))
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::Leaf;

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn flash_without_discards_is_reported() {
        let scene = |kind, rotational, discards| {
            Scene::from_leaf(Leaf {
                name: "sda".to_string(),
                kind,
                rotational: Some(rotational),
                discards,
                ..Leaf::default()
            })
        };
        for (kind, seen) in [
            (LeafKind::Usb, message!("trap-discard.seen-bridge", drive = "sda")),
            (LeafKind::Sata, message!("trap-discard.seen", drive = "sda")),
        ] {
            assert_eq!(scene(kind, false, Some(false)).warning(look).seen, [seen]);
        }
        assert!(scene(LeafKind::Usb, false, Some(true)).is_absent(look));
        assert!(scene(LeafKind::Sata, true, Some(false)).is_absent(look));
        assert!(scene(LeafKind::Sata, false, None).is_not_seen(look));
    }
}
