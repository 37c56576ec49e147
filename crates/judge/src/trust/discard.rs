//! Flash that is not told which blocks are free.

use cardiograph_core::drive::LeafKind;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.of_leaves("it is not known whether the drive accepts discards", |leaf| {
        let is_flash = leaf.rotational == Some(false)
            && matches!(
                leaf.kind,
                LeafKind::Nvme | LeafKind::Sata | LeafKind::Usb | LeafKind::SdCard | LeafKind::Emmc
            );
        let by_bridge = if leaf.kind == LeafKind::Usb { ", as its bridge says" } else { "" };
        Some((!leaf.discards? && is_flash).then(|| {
            Warning::note(
                format!("drive {} accepts no discards{by_bridge}", leaf.name),
                "it takes all that was ever written for needed, and writing slows down over weeks: a fresh drive measures better than \
                 it stays",
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
    fn flash_without_discards_is_told() {
        let scene = |kind, rotational, discards| {
            Scene::of(Leaf {
                name: "sda".to_string(),
                kind,
                rotational: Some(rotational),
                discards,
                ..Leaf::default()
            })
        };
        assert!(scene(LeafKind::Usb, false, Some(false)).warning(look).seen.contains("bridge"));
        assert!(scene(LeafKind::Usb, false, Some(true)).is_absent(look));
        assert!(scene(LeafKind::Sata, true, Some(false)).is_absent(look));
        assert!(scene(LeafKind::Sata, false, None).is_not_seen(look));
    }
}
