//! A cache that forgets without power.

use cardiograph_core::drive::LeafKind;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.of_leaves("the drive does not tell whether it has a cache for writes", |leaf| {
        if leaf.kind == LeafKind::Simulated {
            return None;
        }
        Some((leaf.write_cache.as_deref()? == "write back").then(|| {
            Warning::note(
                format!("drive {} has a write-back cache", leaf.name),
                "writes count when the cache has them: only those figures whose writes are made durable (fsync) tell what a power \
                 loss leaves",
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
    fn write_back_is_told() {
        let scene = |cache: Option<&str>| {
            Scene::of(Leaf { write_cache: cache.map(str::to_string), ..Leaf::default() })
        };
        assert!(scene(Some("write back")).warning(look).seen.contains("write-back"));
        assert!(scene(Some("write through")).is_absent(look));
        assert!(scene(None).is_not_seen(look));
    }
}
