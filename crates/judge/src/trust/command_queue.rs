//! An A2 card without the command queue that its mark needs.

use cardiograph_core::card::SdQueueUse;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let Some((_, card)) = evidence.sd_card()? else { return Ok(None) };
    let status = card.status.as_ref().ok_or("the card's status is not shown by this kernel")?;
    if status.application_class != Some(2) {
        return Ok(None);
    }
    if card.features.is_some_and(|features| !features.has_queue) {
        return Ok(Some(unused("its registers offer no command queue that the kernel would trust")));
    }
    let queue_use = card.queue_use.ok_or(
        "the card is marked A2; whether the kernel uses its command queue stands in the kernel's log, which may be root's alone",
    );
    Ok(match queue_use? {
        SdQueueUse::On { recoveries: 0, .. } => None,
        SdQueueUse::On { recoveries, .. } => Some(Warning::caution(
            format!(
                "the command queue of the card failed and was emptied (\"running CQE recovery\", {recoveries} × in the kernel's log)"
            ),
            "each failure is a stall in the figures: switch the queue off (on a Raspberry Pi 5: dtparam=sd_cqe=0), and measure again",
        )),
        SdQueueUse::HostOnly => {
            Some(unused("the host only prepares commands that the card gets one at a time"))
        }
        SdQueueUse::Off => Some(unused("the kernel does not use its command queue")),
    })
}

fn unused(why: &str) -> Warning {
    Warning::note(
        format!("the card is marked A2, and {why}"),
        "A2 holds with a command queue and is not testable here; of the Raspberry Pis only the 5 can use it, for cards on a list, or \
         for all with dtparam=sd_cqe=2",
    )
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
        Scene::of(Leaf { kind: LeafKind::SdCard, card, ..Leaf::default() })
    }

    #[test]
    fn a2_needs_a_queue() {
        for queue_use in [SdQueueUse::Off, SdQueueUse::HostOnly] {
            let warning = scene(2, Some(queue_use), None).warning(look);
            assert!(
                warning.seen.contains("A2") && warning.meaning.contains("not testable here"),
                "{warning:?}"
            );
            assert!(scene(1, Some(queue_use), None).is_absent(look));
        }
        let without = Some(SdFeatures { has_cache: true, ..SdFeatures::default() });
        assert!(scene(2, None, without).warning(look).seen.contains("registers"));
        let on = |recoveries| Some(SdQueueUse::On { depth: Some(31), recoveries });
        assert!(
            scene(2, on(0), Some(SdFeatures { has_queue: true, ..SdFeatures::default() })).is_absent(look)
        );
        assert_eq!(scene(2, on(3), None).warning(look).weight, Weight::Caution);
        assert!(Scene::of_kind(LeafKind::Nvme).is_absent(look));
    }

    #[test]
    fn what_the_log_does_not_tell_is_not_guessed() {
        assert!(scene(2, None, None).is_not_seen(look));
        let unread = Some(Card::Sd(SdCard::default()));
        assert!(Scene::of(Leaf { card: unread, ..Leaf::default() }).is_not_seen(look));
    }
}
