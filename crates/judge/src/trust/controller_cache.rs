//! A RAID controller whose cache answers for the drives.

use cardiograph_core::drive::WritePolicy;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.of_leaves("the controller's program does not tell its cache policy", |leaf| {
        let Some(controller) = &leaf.controller else { return Some(None) };
        let volume = controller.volume.as_ref()?;
        let name = controller.model.as_deref().unwrap_or(&controller.driver);
        let in_cache = format!("{name} says that writes are done when they are in its cache");
        let (seen, meaning) = match volume.write_policy? {
            WritePolicy::Through if volume.write_policy_asked == Some(WritePolicy::Back) => (
                format!("{name} writes through, although it was told to use its cache"),
                "its battery or capacitor is missing, worn or charging: writes are slower now than they will be",
            ),
            WritePolicy::Through => return Some(None),
            WritePolicy::Back => (
                in_cache,
                "figures of writes that fit into the cache are the controller's: measure with more than it holds",
            ),
            WritePolicy::AlwaysBack => (
                format!("{in_cache}, even without a battery"),
                "durable writes are not durable: a loss of power takes them",
            ),
        };
        Some(Some(Warning::caution(seen, meaning)))
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Controller, Leaf, LeafKind, RaidVolume};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn caches_of_controllers_are_told() {
        let scene = |write_policy, write_policy_asked| {
            let volume = Some(RaidVolume { write_policy, write_policy_asked, ..RaidVolume::default() });
            let model = Some("PERC H730 Mini".to_string());
            let controller = Some(Controller { volume, model, ..Controller::default() });
            Scene::of(Leaf { controller, ..Leaf::default() })
        };
        assert!(scene(Some(WritePolicy::Back), None).warning(look).seen.starts_with("PERC H730 Mini"));
        assert!(scene(Some(WritePolicy::AlwaysBack), None).warning(look).meaning.contains("not durable"));
        assert!(
            scene(Some(WritePolicy::Through), Some(WritePolicy::Back))
                .warning(look)
                .meaning
                .contains("battery")
        );
        assert!(scene(Some(WritePolicy::Through), Some(WritePolicy::Through)).is_absent(look));
        assert!(scene(None, None).is_not_seen(look));
        assert!(Scene::of_kind(LeafKind::Sata).is_absent(look));
    }
}
