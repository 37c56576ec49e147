//! A volatile write cache.

use cardiograph_core::drive::LeafKind;
use cardiograph_core::message;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-volatile-cache.unknown"), |leaf| {
        if leaf.kind == LeafKind::Simulated {
            return None;
        }
        Some((leaf.write_cache.as_deref()? == "write back").then(|| {
            Warning::note(
                message!("trap-volatile-cache.seen", drive = &leaf.name),
                message!("trap-volatile-cache.meaning"),
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
    fn write_back_is_reported() {
        let scene = |cache: Option<&str>| {
            Scene::from_leaf(Leaf { write_cache: cache.map(str::to_string), ..Leaf::default() })
        };
        let seen = message!("trap-volatile-cache.seen", drive = "sda");
        assert_eq!(scene(Some("write back")).warning(look).seen, [seen]);
        assert!(scene(Some("write through")).is_absent(look));
        assert!(scene(None).is_not_seen(look));
    }
}
