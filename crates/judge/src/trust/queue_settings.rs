//! Queue settings that cost performance or hide something.

use cardiograph_core::drive::{LeafKind, Merges};
use cardiograph_core::message;

use super::{Evidence, Found, Warning};

/// A smaller queue prevents drives from working on many requests at once.
const REQUESTS_MIN: u32 = 32;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-queue-settings.unknown"), |leaf| {
        let scheduler = leaf.scheduler.as_deref()?;
        let queue = leaf.queue.as_ref()?;
        let drive = &leaf.name;
        let mut seen = Vec::new();
        if scheduler == "bfq" || scheduler == "kyber" || (leaf.kind == LeafKind::Nvme && scheduler != "none")
        {
            seen.push(message!("trap-queue-settings.scheduler", drive, scheduler));
        }
        if matches!(queue.merges, Some(Merges::None | Merges::Simple)) {
            seen.push(message!("trap-queue-settings.merges", drive));
        }
        if let Some(requests) = queue.requests_max.filter(|&requests| requests < REQUESTS_MIN) {
            seen.push(message!("trap-queue-settings.requests", drive, requests));
        }
        Some((!seen.is_empty()).then(|| Warning::note(seen, message!("trap-queue-settings.meaning"))))
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Leaf, Queue};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn unusual_queues_are_reported() {
        let scene = |kind, scheduler: &str, merges, requests_max| {
            let queue =
                Some(Queue { merges: Some(merges), requests_max: Some(requests_max), ..Queue::default() });
            Scene::from_leaf(Leaf { kind, scheduler: Some(scheduler.to_string()), queue, ..Leaf::default() })
        };
        let scheduler =
            |name: &str| message!("trap-queue-settings.scheduler", drive = "sda", scheduler = name);
        let merges = message!("trap-queue-settings.merges", drive = "sda");
        let requests = message!("trap-queue-settings.requests", drive = "sda", requests = 4_u32);
        for (unusual, seen) in [
            (scene(LeafKind::Sata, "bfq", Merges::All, 64), vec![scheduler("bfq")]),
            (scene(LeafKind::Nvme, "mq-deadline", Merges::All, 256), vec![scheduler("mq-deadline")]),
            (scene(LeafKind::Sata, "none", Merges::None, 64), vec![merges.clone()]),
            (scene(LeafKind::Sata, "none", Merges::All, 4), vec![requests.clone()]),
            (scene(LeafKind::Sata, "bfq", Merges::None, 4), vec![scheduler("bfq"), merges, requests]),
        ] {
            assert_eq!(unusual.warning(look).seen, seen);
        }
        assert!(scene(LeafKind::Sata, "mq-deadline", Merges::All, 64).is_absent(look));
        assert!(scene(LeafKind::Nvme, "none", Merges::All, 1_023).is_absent(look));
        assert!(Scene::with_kind(LeafKind::Sata).is_not_seen(look));
    }
}
