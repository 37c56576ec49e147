//! Blocks that are smaller than what the drive writes.

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.of_leaves("the drive does not tell its block lengths", |leaf| {
        let (logical, physical) = (leaf.logical_block_bytes?, leaf.physical_block_bytes?);
        Some((logical < physical).then(|| {
            let name = &leaf.name;
            Warning::note(
                format!("drive {name} is addressed in blocks of {logical} bytes and written in blocks of {physical}"),
                format!(
                    "a write of less than {physical} bytes, or one that is not aligned to them, reads before it writes"
                ),
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
    fn emulated_blocks_are_told() {
        let scene = |logical_block_bytes, physical_block_bytes| {
            Scene::of(Leaf { logical_block_bytes, physical_block_bytes, ..Leaf::default() })
        };
        assert!(scene(Some(512), Some(4_096)).warning(look).meaning.contains("less than 4096"));
        assert!(scene(Some(4_096), Some(4_096)).is_absent(look));
        assert!(scene(Some(512), None).is_not_seen(look));
    }
}
