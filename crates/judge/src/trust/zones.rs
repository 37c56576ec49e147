//! Drives that are written in zones, as shingled hard disks.

use cardiograph_core::drive::Zones;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.of_leaves("the drive does not tell whether it has zones", |leaf| {
        let kind = match leaf.queue.as_ref()?.zones? {
            Zones::None => return Some(None),
            Zones::HostAware => "takes random writes into a cache of its own",
            Zones::HostManaged => "takes writes one behind the other only",
        };
        Some(Some(Warning::caution(
            format!("drive {} is written in zones, and {kind}", leaf.name),
            "random writes are fast until its cache is full, and then slow for hours: short tests flatter it",
        )))
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Leaf, LeafKind, Queue};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn zones_are_told() {
        let scene =
            |zones| Scene::of(Leaf { queue: Some(Queue { zones, ..Queue::default() }), ..Leaf::default() });
        assert!(scene(Some(Zones::HostAware)).warning(look).seen.contains("cache of its own"));
        assert!(scene(Some(Zones::HostManaged)).warning(look).seen.contains("one behind the other"));
        assert!(scene(Some(Zones::None)).is_absent(look));
        assert!(scene(None).is_not_seen(look) && Scene::of_kind(LeafKind::Sata).is_not_seen(look));
    }
}
