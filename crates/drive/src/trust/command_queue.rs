//! An A2 card without the command queue that its mark needs.

use cardiograph_core::card::Card;
use cardiograph_core::trust::{TrapOutcome, Weight};

use super::{Evidence, Trap};

pub(super) const TRAP: Trap =
    Trap { name: "command_queue", title: "an A2 card on a host that does not use its command queue", look };

fn look(evidence: &Evidence<'_>) -> TrapOutcome {
    if evidence.drive.leaves.is_empty() {
        return TrapOutcome::not_seen("no drive can be seen under the path");
    }
    let card = evidence.leaves().find_map(|leaf| match &leaf.card {
        Some(Card::Sd(card)) => Some(card),
        _ => None,
    });
    let Some(card) = card else { return TrapOutcome::Absent };
    let Some(status) = &card.status else {
        return TrapOutcome::not_seen("the card's status is not shown by this kernel");
    };
    if status.application_class != Some(2) {
        return TrapOutcome::Absent;
    }
    TrapOutcome::present(
        Weight::Note,
        "the card is marked A2, which holds on a host that uses its command queue and cache, and the kernel does not tell whether \
         it does",
        "on most hosts it does not (of the Raspberry Pis only the 5 can, for cards on a list): A2 is not judged here",
    )
}

#[cfg(test)]
mod tests {
    use cardiograph_core::card::{SdCard, SdStatus};
    use cardiograph_core::drive::{Leaf, LeafKind};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn a2_needs_a_queue() {
        let scene = |application_class| {
            let status = Some(SdStatus { application_class, ..SdStatus::default() });
            let card = Some(Card::Sd(SdCard { status, ..SdCard::default() }));
            Scene::of(Leaf { kind: LeafKind::SdCard, card, ..Leaf::default() })
        };
        assert!(scene(Some(2)).warning(&TRAP).seen.contains("A2"));
        assert!(scene(Some(1)).is_absent(&TRAP));
        assert!(Scene::of_kind(LeafKind::Nvme).is_absent(&TRAP));
        let unread = Some(Card::Sd(SdCard::default()));
        assert!(Scene::of(Leaf { card: unread, ..Leaf::default() }).is_not_seen(&TRAP));
    }
}
