//! A card with less capacity than any label.

use cardiograph_core::drive::{Leaf, LeafKind};
use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, Warning};

/// Label capacities of cards, in GB.
const LABELS_GB: [u64; 12] = [2, 4, 8, 16, 32, 64, 128, 200, 256, 400, 512, 1_000];
/// From this share of its label on, a card's capacity is normal: cards keep spare blocks and use other units.
const SHARE_MIN: f64 = 0.92;
/// Below this share of the next label, the label was a smaller one.
const SHARE_OF_LABEL_MIN: f64 = 0.7;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-skimpy.unknown"), |leaf| {
        let capacity_bytes = leaf.capacity_bytes?;
        Some(if leaf.kind == LeafKind::SdCard { check_card(leaf, capacity_bytes) } else { None })
    })
}

fn check_card(leaf: &Leaf, capacity_bytes: u64) -> Option<Warning> {
    let gb = capacity_bytes as f64 / 1e9;
    let label_gb = LABELS_GB.into_iter().find(|label| gb <= *label as f64)?;
    let share = gb / label_gb as f64;
    (SHARE_OF_LABEL_MIN..SHARE_MIN).contains(&share).then(|| {
        Warning::note(
            message!(
                "trap-skimpy.seen",
                drive = &leaf.name,
                capacity = Parameter::CapacityBytes(capacity_bytes),
                share = Parameter::share(share),
                label = Parameter::CapacityBytes(label_gb * 1_000_000_000)
            ),
            message!("trap-skimpy.meaning"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn a_card_between_two_labels_is_reported() {
        let scene = |kind, capacity_bytes| {
            Scene::from_leaf(Leaf { kind, capacity_bytes: Some(capacity_bytes), ..Leaf::default() })
        };
        let card = |capacity_bytes| scene(LeafKind::SdCard, capacity_bytes);
        let seen = message!(
            "trap-skimpy.seen",
            drive = "sda",
            capacity = Parameter::CapacityBytes(28_800_000_000),
            share = Parameter::share(0.9),
            label = Parameter::CapacityBytes(32_000_000_000)
        );
        assert_eq!(card(28_800_000_000).warning(look).seen, [seen]);
        // Real cards: SanDisk Ultra 64, a 16 GB card of PC Engines, Samsung's 128.
        for capacity_bytes in [63_864_569_856, 15_931_539_456, 128_010_158_080, 512_110_190_592] {
            assert!(card(capacity_bytes).is_absent(look), "{capacity_bytes}");
        }
        assert!(scene(LeafKind::Nvme, 28_800_000_000).is_absent(look));
        assert!(Scene::with_kind(LeafKind::SdCard).is_not_seen(look));
    }
}
