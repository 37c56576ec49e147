//! An A2 card without the command queue that its class requires.

use cardiograph_core::card::SdQueueUse;
use cardiograph_core::{Message, message};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let Some((_, card)) = evidence.sd_card()? else { return Ok(None) };
    let status = card.status.as_ref().ok_or_else(|| message!("trap-command-queue.no-status"))?;
    if status.application_class != Some(2) {
        return Ok(None);
    }
    if card.features.is_some_and(|features| !features.has_queue) {
        return Ok(Some(unused(message!("trap-command-queue.registers"))));
    }
    Ok(match card.queue_use.ok_or_else(|| message!("trap-command-queue.unknown"))? {
        SdQueueUse::On { recoveries: 0, .. } => None,
        SdQueueUse::On { recoveries, .. } => Some(Warning::caution(
            message!("trap-command-queue.failed", recoveries),
            message!("trap-command-queue.failed-meaning"),
        )),
        SdQueueUse::HostOnly => Some(unused(message!("trap-command-queue.host-only"))),
        SdQueueUse::Off => Some(unused(message!("trap-command-queue.off"))),
    })
}

fn unused(seen: Message) -> Warning {
    Warning::note(seen, message!("trap-command-queue.meaning"))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::card::{SdCard, SdFeatures, SdStatus};
    use cardiograph_core::drive::{Leaf, LeafKind};

    use super::super::bench::Scene;
    use super::*;
    use crate::trust::Weight;
    use cardiograph_core::card::Card;

    fn scene(application_class: u8, queue_use: Option<SdQueueUse>, features: Option<SdFeatures>) -> Scene {
        let status = Some(SdStatus { application_class: Some(application_class), ..SdStatus::default() });
        let card = Some(Card::Sd(SdCard { status, queue_use, features, ..SdCard::default() }));
        Scene::from_leaf(Leaf { kind: LeafKind::SdCard, card, ..Leaf::default() })
    }

    #[test]
    fn a2_needs_a_queue() {
        let cases = [
            (SdQueueUse::Off, message!("trap-command-queue.off")),
            (SdQueueUse::HostOnly, message!("trap-command-queue.host-only")),
        ];
        for (queue_use, seen) in cases {
            let warning = scene(2, Some(queue_use), None).warning(look);
            assert_eq!((warning.weight, warning.seen), (Weight::Note, vec![seen]));
            assert_eq!(warning.meaning, [message!("trap-command-queue.meaning")]);
            assert!(scene(1, Some(queue_use), None).is_absent(look));
        }
        let without = Some(SdFeatures { has_cache: true, ..SdFeatures::default() });
        assert_eq!(scene(2, None, without).warning(look).seen, [message!("trap-command-queue.registers")]);
        let on = |recoveries| Some(SdQueueUse::On { depth: Some(31), recoveries });
        assert!(
            scene(2, on(0), Some(SdFeatures { has_queue: true, ..SdFeatures::default() })).is_absent(look)
        );
        let failed = scene(2, on(3), None).warning(look);
        let seen = message!("trap-command-queue.failed", recoveries = 3_u32);
        assert_eq!((failed.weight, failed.seen), (Weight::Caution, vec![seen]));
        assert!(Scene::with_kind(LeafKind::Nvme).is_absent(look));
    }

    #[test]
    fn facts_missing_from_the_log_are_not_guessed() {
        assert!(scene(2, None, None).is_not_seen(look));
        let unread = Some(Card::Sd(SdCard::default()));
        assert!(Scene::from_leaf(Leaf { card: unread, ..Leaf::default() }).is_not_seen(look));
    }
}
