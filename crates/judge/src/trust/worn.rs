//! A drive near the end of its life.

use cardiograph_core::card::{Card, SpareBlocks};
use cardiograph_core::drive::Leaf;
use cardiograph_core::{Message, Parameter, message};

use super::{Evidence, Found, Warning};

/// Minimum share of the rated life, in percent.
const LIFE_USED_PERCENT_MIN: u8 = 80;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-worn.unknown"), |leaf| {
        let worn = check_chip(leaf).or_else(|| check_health(leaf))?;
        Some(worn.map(|seen| Warning::caution(seen, message!("trap-worn.meaning"))))
    })
}

/// Report of an eMMC: nothing, good health, or what is wrong.
fn check_chip(leaf: &Leaf) -> Option<Option<Message>> {
    let Some(Card::Emmc(chip)) = &leaf.card else { return None };
    let used = chip.life_used_percent.iter().flatten().map(|(_, high)| *high).max();
    if used.is_none() && chip.spare.is_none() {
        return None;
    }
    let drive = &leaf.name;
    let spare = |used| message!("trap-worn.spare", drive, used = Parameter::share(used));
    Some(match (chip.spare, used) {
        _ if chip.is_worn_out => Some(message!("trap-worn.beyond", drive)),
        (Some(SpareBlocks::Urgent), _) => Some(spare(0.9)),
        (Some(SpareBlocks::Warning), _) => Some(spare(0.8)),
        (_, Some(used)) if used > LIFE_USED_PERCENT_MIN => {
            Some(message!("trap-worn.used-at-most", drive, used = percent(used.into())))
        }
        _ => None,
    })
}

/// Report of other drives: nothing, good health, or what is wrong.
fn check_health(leaf: &Leaf) -> Option<Option<Message>> {
    let health = leaf.health.as_ref()?;
    let used = health.used_percent?;
    let is_out_of_spare =
        health.spare_percent.zip(health.spare_limit_percent).is_some_and(|(left, limit)| left <= limit);
    let drive = &leaf.name;
    Some(match used {
        _ if is_out_of_spare => Some(message!("trap-worn.spare-used-up", drive)),
        used if used >= u16::from(LIFE_USED_PERCENT_MIN) => {
            Some(message!("trap-worn.used", drive, used = percent(used)))
        }
        _ => None,
    })
}

fn percent(percent: u16) -> Parameter {
    Parameter::share(f64::from(percent) / 100.0)
}

#[cfg(test)]
mod tests {
    use cardiograph_core::card::Emmc;
    use cardiograph_core::drive::{Health, LeafKind};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn a_worn_chip_is_reported() {
        let scene = |high, spare, is_worn_out| {
            let life_used_percent = [Some((0, 10)), Some((0, high))];
            let chip = Emmc { life_used_percent, spare, is_worn_out, ..Emmc::default() };
            Scene::from_leaf(Leaf { kind: LeafKind::Emmc, card: Some(Card::Emmc(chip)), ..Leaf::default() })
        };
        let used = message!("trap-worn.used-at-most", drive = "sda", used = Parameter::share(0.9));
        assert_eq!(scene(90, None, false).warning(look).seen, [used]);
        let spare = message!("trap-worn.spare", drive = "sda", used = Parameter::share(0.9));
        assert_eq!(scene(20, Some(SpareBlocks::Urgent), false).warning(look).seen, [spare]);
        let beyond = message!("trap-worn.beyond", drive = "sda");
        assert_eq!(scene(100, None, true).warning(look).seen, [beyond]);
        assert!(scene(20, Some(SpareBlocks::Normal), false).is_absent(look));
        assert!(Scene::with_kind(LeafKind::SdCard).is_not_seen(look));
    }

    #[test]
    fn a_worn_ssd_is_reported() {
        let scene = |used, spare| {
            let health = Health {
                used_percent: Some(used),
                spare_percent: Some(spare),
                spare_limit_percent: Some(10),
                ..Health::default()
            };
            Scene::from_leaf(Leaf { kind: LeafKind::Nvme, health: Some(health), ..Leaf::default() })
        };
        let used = message!("trap-worn.used", drive = "sda", used = Parameter::share(1.03));
        assert_eq!(scene(103, 100).warning(look).seen, [used]);
        assert_eq!(scene(3, 10).warning(look).seen, [message!("trap-worn.spare-used-up", drive = "sda")]);
        assert!(scene(3, 100).is_absent(look));
    }
}
