//! Errors that a drive counted while it was measured.

use cardiograph_core::drive::Health;

use super::{Evidence, Found, Warning, Weight};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.of_leaves("the drive was not asked for its errors before and after", |leaf| {
        let counted = counted(&evidence.health_change(leaf)?);
        counted.iter().find(|(count, ..)| count.is_some())?;
        let grown: Vec<_> = counted.iter().filter(|(count, ..)| count.is_some_and(|count| count > 0)).collect();
        let weight = grown.iter().map(|(.., weight)| *weight).max();
        Some(weight.map(|weight| {
            let seen: Vec<String> =
                grown.iter().map(|(count, of, _)| format!("{of} ({})", count.unwrap_or(0))).collect();
            let seen = format!("while it was measured, drive {} counted {}", leaf.name, seen.join(", "));
            match weight {
                Weight::Spoils => Warning::spoils(
                    seen,
                    "the figures are those of a drive that fails: save what is on it, and replace it",
                ),
                _ => Warning::caution(
                    seen,
                    "each was repeated, which takes its time: change the cable or the slot, and measure again",
                ),
            }
        }))
    })
}

/// The counts that concern a figure, what each counts, and what hangs on it.
fn counted(change: &Health) -> [(Option<u64>, &'static str, Weight); 5] {
    [
        (change.media_errors, "reads that failed", Weight::Spoils),
        (change.pending_sectors, "new sectors that it cannot read", Weight::Spoils),
        (change.reallocated_sectors, "sectors that it replaced", Weight::Spoils),
        (change.unsafe_shutdowns, "losses of power", Weight::Spoils),
        (change.interface_errors, "transfers that the link damaged", Weight::Caution),
    ]
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Health, Leaf};

    use super::super::bench::Scene;
    use super::*;

    fn well() -> Health {
        Health {
            media_errors: Some(2),
            pending_sectors: Some(0),
            reallocated_sectors: Some(8),
            unsafe_shutdowns: Some(40),
            interface_errors: Some(1),
            ..Health::default()
        }
    }

    #[test]
    fn what_grew_is_told() {
        for (after, words, weight) in [
            (Health { media_errors: Some(5), ..well() }, "reads that failed (3)", Weight::Spoils),
            (Health { pending_sectors: Some(8), ..well() }, "cannot read (8)", Weight::Spoils),
            (
                Health { reallocated_sectors: Some(9), ..well() },
                "sectors that it replaced (1)",
                Weight::Spoils,
            ),
            (Health { unsafe_shutdowns: Some(41), ..well() }, "losses of power (1)", Weight::Spoils),
            (Health { interface_errors: Some(7), ..well() }, "link damaged (6)", Weight::Caution),
        ] {
            let warning = Scene::of_health(well(), after).warning(look);
            assert!(warning.seen.contains(words) && warning.weight == weight, "{warning:?}");
        }
        let both = Health { interface_errors: Some(2), media_errors: Some(3), ..well() };
        assert_eq!(Scene::of_health(well(), both).warning(look).weight, Weight::Spoils);
    }

    #[test]
    fn what_stays_or_is_not_told_is_nothing() {
        assert!(Scene::of_health(well(), well()).is_absent(look));
        assert!(Scene::of_health(Health::default(), Health::default()).is_not_seen(look));
        assert!(Scene::of(Leaf { health: Some(well()), ..Leaf::default() }).is_not_seen(look));
    }
}
