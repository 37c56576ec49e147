//! A drive near its end.

use cardiograph_core::card::{Card, SpareBlocks};
use cardiograph_core::drive::Leaf;

use super::{Evidence, Found, Warning};

/// From this share of the rated life on, in percent.
const LIFE_USED_PERCENT_MIN: u8 = 80;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.of_leaves("the drive does not tell how worn it is", |leaf| {
        let worn = of_chip(leaf).or_else(|| of_health(leaf))?;
        Some(worn.map(|seen| {
            Warning::caution(
                format!("drive {}: {seen}", leaf.name),
                "worn flash is slower and loses data sooner: the figures are those of a worn drive, and it should be replaced",
            )
        }))
    })
}

/// What an eMMC tells: nothing, that it is well, or what is wrong.
fn of_chip(leaf: &Leaf) -> Option<Option<String>> {
    let Some(Card::Emmc(chip)) = &leaf.card else { return None };
    let used = chip.life_used_percent.iter().flatten().map(|(_, high)| *high).max();
    if used.is_none() && chip.spare.is_none() {
        return None;
    }
    Some(match (chip.spare, used) {
        _ if chip.is_worn_out => Some("it is beyond its rated life".to_string()),
        (Some(SpareBlocks::Urgent), _) => Some("90 % of its spare blocks are used".to_string()),
        (Some(SpareBlocks::Warning), _) => Some("80 % of its spare blocks are used".to_string()),
        (_, Some(used)) if used > LIFE_USED_PERCENT_MIN => {
            Some(format!("up to {used} % of its rated life are used"))
        }
        _ => None,
    })
}

/// What other drives tell: nothing, that they are well, or what is wrong.
fn of_health(leaf: &Leaf) -> Option<Option<String>> {
    let health = leaf.health.as_ref()?;
    let used = health.used_percent?;
    let is_out_of_spare =
        health.spare_percent.zip(health.spare_limit_percent).is_some_and(|(left, limit)| left <= limit);
    Some(match used {
        _ if is_out_of_spare => Some("its spare blocks are used up".to_string()),
        used if used >= u16::from(LIFE_USED_PERCENT_MIN) => {
            Some(format!("{used} % of its rated life are used"))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::card::Emmc;
    use cardiograph_core::drive::{Health, LeafKind};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn a_worn_chip_is_told() {
        let scene = |high, spare, is_worn_out| {
            let life_used_percent = [Some((0, 10)), Some((0, high))];
            let chip = Emmc { life_used_percent, spare, is_worn_out, ..Emmc::default() };
            Scene::of(Leaf { kind: LeafKind::Emmc, card: Some(Card::Emmc(chip)), ..Leaf::default() })
        };
        assert!(scene(90, None, false).warning(look).seen.contains("up to 90 %"));
        assert!(scene(20, Some(SpareBlocks::Urgent), false).warning(look).seen.contains("spare"));
        assert!(scene(100, None, true).warning(look).seen.contains("beyond"));
        assert!(scene(20, Some(SpareBlocks::Normal), false).is_absent(look));
        assert!(Scene::of_kind(LeafKind::SdCard).is_not_seen(look));
    }

    #[test]
    fn a_worn_ssd_is_told() {
        let scene = |used, spare| {
            let health = Health {
                used_percent: Some(used),
                spare_percent: Some(spare),
                spare_limit_percent: Some(10),
                ..Health::default()
            };
            Scene::of(Leaf { kind: LeafKind::Nvme, health: Some(health), ..Leaf::default() })
        };
        assert!(scene(103, 100).warning(look).seen.contains("103 %"));
        assert!(scene(3, 10).warning(look).seen.contains("spare"));
        assert!(scene(3, 100).is_absent(look));
    }
}
