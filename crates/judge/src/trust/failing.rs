//! A drive that reports that it is failing.

use cardiograph_core::drive::Health;
use cardiograph_core::{Message, message};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-failing.unknown"), |leaf| {
        let seen = complaints(&leaf.name, leaf.health.as_ref()?)?;
        Some((!seen.is_empty()).then(|| Warning::caution(seen, message!("trap-failing.meaning"))))
    })
}

/// Complaints of a drive; `None` if it reports nothing that could be one.
fn complaints(drive: &str, health: &Health) -> Option<Vec<Message>> {
    let Health { passed, critical_warning, media_errors, pending_sectors, .. } = *health;
    if passed.is_none() && critical_warning.is_none() && media_errors.is_none() && pending_sectors.is_none() {
        return None;
    }
    let warning = critical_warning.filter(|&warning| warning != 0).map(|warning| format!("0x{warning:02x}"));
    let more_than_none = |count: Option<u64>| count.filter(|&count| count > 0);
    let seen = [
        (passed == Some(false)).then(|| message!("trap-failing.unfit", drive)),
        warning.map(|code| message!("trap-failing.warning", drive, code)),
        more_than_none(media_errors).map(|count| message!("trap-failing.reads", drive, count)),
        more_than_none(pending_sectors).map(|count| message!("trap-failing.sectors", drive, count)),
    ];
    Some(seen.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Leaf, LeafKind};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn complaints_are_reported() {
        let scene = |health| Scene::from_leaf(Leaf { health: Some(health), ..Leaf::default() });
        let well = Health { passed: Some(true), media_errors: Some(0), ..Health::default() };
        for (health, seen) in [
            (Health { passed: Some(false), ..well.clone() }, message!("trap-failing.unfit", drive = "sda")),
            (
                Health { critical_warning: Some(4), ..well.clone() },
                message!("trap-failing.warning", drive = "sda", code = "0x04"),
            ),
            (
                Health { pending_sectors: Some(8), ..well.clone() },
                message!("trap-failing.sectors", drive = "sda", count = 8_u32),
            ),
            (
                Health { media_errors: Some(3), ..well.clone() },
                message!("trap-failing.reads", drive = "sda", count = 3_u32),
            ),
        ] {
            assert_eq!(scene(health).warning(look).seen, [seen]);
        }
        assert!(scene(well).is_absent(look));
        assert!(
            scene(Health::default()).is_not_seen(look) && Scene::with_kind(LeafKind::Sata).is_not_seen(look)
        );
    }
}
