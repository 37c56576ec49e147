//! Settings of the kernel's queue that cost or hide something.

use cardiograph_core::drive::{LeafKind, Merges};

use super::{Evidence, Found, Warning};

/// A queue that holds fewer requests keeps drives from working on many at once.
const REQUESTS_MIN: u32 = 32;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.of_leaves("the kernel does not show its queue for the drive", |leaf| {
        let scheduler = leaf.scheduler.as_deref()?;
        let queue = leaf.queue.as_ref()?;
        let mut seen = Vec::new();
        if scheduler == "bfq" || scheduler == "kyber" || (leaf.kind == LeafKind::Nvme && scheduler != "none")
        {
            seen.push(format!("the scheduler {scheduler}"));
        }
        if matches!(queue.merges, Some(Merges::None | Merges::Simple)) {
            seen.push("neighbouring requests that are not joined".to_string());
        }
        if let Some(requests) = queue.requests_max.filter(|&requests| requests < REQUESTS_MIN) {
            seen.push(format!("room for {requests} requests only"));
        }
        Some((!seen.is_empty()).then(|| {
            Warning::note(
                format!("drive {} has {}", leaf.name, seen.join(", ")),
                "figures with many I/Os in flight depend on these: compare them under the same settings only",
            )
        }))
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Leaf, Queue};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn unusual_queues_are_told() {
        let scene = |kind, scheduler: &str, merges, requests_max| {
            let queue =
                Some(Queue { merges: Some(merges), requests_max: Some(requests_max), ..Queue::default() });
            Scene::of(Leaf { kind, scheduler: Some(scheduler.to_string()), queue, ..Leaf::default() })
        };
        for (unusual, word) in [
            (scene(LeafKind::Sata, "bfq", Merges::All, 64), "bfq"),
            (scene(LeafKind::Nvme, "mq-deadline", Merges::All, 256), "mq-deadline"),
            (scene(LeafKind::Sata, "none", Merges::None, 64), "not joined"),
            (scene(LeafKind::Sata, "none", Merges::All, 4), "4 requests"),
        ] {
            assert!(unusual.warning(look).seen.contains(word), "{word}");
        }
        assert!(scene(LeafKind::Sata, "mq-deadline", Merges::All, 64).is_absent(look));
        assert!(scene(LeafKind::Nvme, "none", Merges::All, 1_023).is_absent(look));
        assert!(Scene::of_kind(LeafKind::Sata).is_not_seen(look));
    }
}
