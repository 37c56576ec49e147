//! Drives that say they turn and cannot.

use cardiograph_core::drive::LeafKind;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.of_leaves("the drive does not tell whether it turns", |leaf| {
        let cannot_turn =
            matches!(leaf.kind, LeafKind::Virtual | LeafKind::SdCard | LeafKind::Emmc | LeafKind::Nvme);
        Some((leaf.rotational? && cannot_turn).then(|| {
            Warning::note(
                format!("drive {} reports itself rotational", leaf.name),
                "the kernel treats it as a hard disk: it chooses another scheduler, and waits and sorts where nothing turns \
                 (queue/rotational)",
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
    fn nothing_turns_in_a_virtual_disk() {
        let scene = |kind, rotational| {
            Scene::of(Leaf { name: "vda".to_string(), kind, rotational, ..Leaf::default() })
        };
        assert!(
            scene(LeafKind::Virtual, Some(true)).warning(look).seen.contains("vda reports itself rotational")
        );
        assert!(scene(LeafKind::Virtual, Some(false)).is_absent(look));
        assert!(scene(LeafKind::Sata, Some(true)).is_absent(look));
        assert!(scene(LeafKind::Virtual, None).is_not_seen(look));
    }
}
