//! Logical blocks smaller than the physical ones.

use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-emulated-blocks.unknown"), |leaf| {
        let (logical, physical) = (leaf.logical_block_bytes?, leaf.physical_block_bytes?);
        Some((logical < physical).then(|| {
            let (logical, physical) = (Parameter::Bytes(logical), Parameter::Bytes(physical));
            Warning::note(
                message!(
                    "trap-emulated-blocks.seen",
                    drive = &leaf.name,
                    logical,
                    physical = physical.clone()
                ),
                message!("trap-emulated-blocks.meaning", physical),
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
    fn emulated_blocks_are_reported() {
        let scene = |logical_block_bytes, physical_block_bytes| {
            Scene::from_leaf(Leaf { logical_block_bytes, physical_block_bytes, ..Leaf::default() })
        };
        let warning = scene(Some(512), Some(4_096)).warning(look);
        assert_eq!(warning.seen[0].parameter("logical"), Some(&Parameter::Bytes(512)));
        let meaning = message!("trap-emulated-blocks.meaning", physical = Parameter::Bytes(4_096));
        assert_eq!(warning.meaning, [meaning]);
        assert!(scene(Some(4_096), Some(4_096)).is_absent(look));
        assert!(scene(Some(512), None).is_not_seen(look));
    }
}
