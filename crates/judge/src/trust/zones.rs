//! Zoned drives, such as shingled hard disks.

use cardiograph_core::drive::Zones;
use cardiograph_core::message;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-zones.unknown"), |leaf| {
        let seen = match leaf.queue.as_ref()?.zones? {
            Zones::None => return Some(None),
            Zones::HostAware => message!("trap-zones.host-aware", drive = &leaf.name),
            Zones::HostManaged => message!("trap-zones.host-managed", drive = &leaf.name),
        };
        Some(Some(Warning::caution(seen, message!("trap-zones.meaning"))))
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Leaf, LeafKind, Queue};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn zones_are_reported() {
        let scene = |zones| {
            Scene::from_leaf(Leaf { queue: Some(Queue { zones, ..Queue::default() }), ..Leaf::default() })
        };
        let aware = message!("trap-zones.host-aware", drive = "sda");
        assert_eq!(scene(Some(Zones::HostAware)).warning(look).seen, [aware]);
        let managed = message!("trap-zones.host-managed", drive = "sda");
        assert_eq!(scene(Some(Zones::HostManaged)).warning(look).seen, [managed]);
        assert!(scene(Some(Zones::None)).is_absent(look));
        assert!(scene(None).is_not_seen(look) && Scene::with_kind(LeafKind::Sata).is_not_seen(look));
    }
}
