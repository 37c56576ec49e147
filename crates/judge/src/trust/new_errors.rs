//! Errors counted by a drive during the measurement.

use cardiograph_core::drive::Health;
use cardiograph_core::{Message, Parameter, message};

use super::{Evidence, Found, Warning, Weight};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-new-errors.unknown"), |leaf| {
        let counted = counted(&leaf.name, &evidence.health_change(leaf)?);
        counted.iter().find(|(count, ..)| count.is_some())?;
        let grown = counted.into_iter().filter(|(count, ..)| count.is_some_and(|count| count > 0));
        let (seen, weights): (Vec<Message>, Vec<Weight>) =
            grown.map(|(_, seen, weight)| (seen, weight)).unzip();
        Some(weights.into_iter().max().map(|weight| match weight {
            Weight::Spoils => Warning::spoils(seen, message!("trap-new-errors.meaning")),
            _ => Warning::caution(seen, message!("trap-new-errors.meaning-link")),
        }))
    })
}

/// The counters that matter for figures, each with its sentence and weight.
fn counted(drive: &str, change: &Health) -> [(Option<u64>, Message, Weight); 5] {
    use Weight::{Caution, Spoils};
    let &Health { media_errors, pending_sectors, unsafe_shutdowns, .. } = change;
    let (replaced, transfers) = (change.reallocated_sectors, change.interface_errors);
    let n = |count: Option<u64>| Parameter::Count(count.unwrap_or(0));
    [
        (media_errors, message!("trap-new-errors.reads", drive, count = n(media_errors)), Spoils),
        (pending_sectors, message!("trap-new-errors.pending", drive, count = n(pending_sectors)), Spoils),
        (replaced, message!("trap-new-errors.replaced", drive, count = n(replaced)), Spoils),
        (unsafe_shutdowns, message!("trap-new-errors.power", drive, count = n(unsafe_shutdowns)), Spoils),
        (transfers, message!("trap-new-errors.transfers", drive, count = n(transfers)), Caution),
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
    fn increased_counters_are_reported() {
        for (after, id, count, weight) in [
            (Health { media_errors: Some(5), ..well() }, "reads", 3, Weight::Spoils),
            (Health { pending_sectors: Some(8), ..well() }, "pending", 8, Weight::Spoils),
            (Health { reallocated_sectors: Some(9), ..well() }, "replaced", 1, Weight::Spoils),
            (Health { unsafe_shutdowns: Some(41), ..well() }, "power", 1, Weight::Spoils),
            (Health { interface_errors: Some(7), ..well() }, "transfers", 6, Weight::Caution),
        ] {
            let warning = Scene::with_health(well(), after).warning(look);
            assert_eq!(warning.weight, weight, "{warning:?}");
            let [seen] = &warning.seen[..] else { panic!("{warning:?}") };
            assert_eq!(seen.id(), format!("trap-new-errors.{id}"));
            assert_eq!(seen.parameter("count"), Some(&Parameter::Count(count)));
        }
        let both = Health { interface_errors: Some(2), media_errors: Some(3), ..well() };
        assert_eq!(Scene::with_health(well(), both).warning(look).weight, Weight::Spoils);
    }

    #[test]
    fn constant_and_unknown_counters_are_absent() {
        assert!(Scene::with_health(well(), well()).is_absent(look));
        assert!(Scene::with_health(Health::default(), Health::default()).is_not_seen(look));
        assert!(Scene::from_leaf(Leaf { health: Some(well()), ..Leaf::default() }).is_not_seen(look));
    }
}
