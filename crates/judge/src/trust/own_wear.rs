//! Wear caused by the checkup itself.

use cardiograph_core::Direction;
use cardiograph_core::report::StepResult;
use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, Warning};

/// Minimum share of the rated life.
const SHARE_MIN: f64 = 0.001;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let written = |step: &StepResult| {
        let counted = step.device_counters.map(|counted| counted.write_bytes);
        let issued = step.result.as_ref().map(|result| result.issued_bytes(Direction::Write));
        let by_app = step.app.as_ref().map(|app| app.bytes(Direction::Write));
        counted.or(issued).or(by_app).unwrap_or(0)
    };
    let here_bytes: u64 = evidence.steps.iter().map(written).sum();
    evidence.steps.first().ok_or_else(|| message!("trap-own-wear.nothing-written"))?;
    evidence.check_leaves(message!("trap-own-wear.unknown"), |leaf| {
        let life_bytes = leaf.health.as_ref()?.life_bytes()?;
        let share = here_bytes as f64 / evidence.drive.leaves.len() as f64 / life_bytes;
        Some((share >= SHARE_MIN).then(|| {
            Warning::note(
                message!(
                    "trap-own-wear.seen",
                    written = Parameter::CapacityBytes(here_bytes),
                    share = Parameter::share(share),
                    drive = &leaf.name
                ),
                message!("trap-own-wear.meaning"),
            )
        }))
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{DeviceCounters, Health, Leaf};

    use super::super::bench::{Scene, step};
    use super::*;

    #[test]
    fn a_share_of_the_life_is_reported() {
        let scene = |used_percent, write_bytes| {
            let health = Health {
                used_percent: Some(used_percent),
                written_bytes: Some(10 << 40),
                ..Health::default()
            };
            let mut step = step(&[], Direction::Write, 1e6);
            step.device_counters = Some(DeviceCounters { write_bytes, ..DeviceCounters::default() });
            Scene::from_leaf(Leaf { health: Some(health), ..Leaf::default() }).measured(step)
        };
        // 10 TiB are 10 % of its life, so 200 GiB are 0.2 %.
        let seen = message!(
            "trap-own-wear.seen",
            written = Parameter::CapacityBytes(200 << 30),
            share = Parameter::share(200.0 / 102_400.0),
            drive = "sda"
        );
        assert_eq!(scene(10, 200 << 30).warning(look).seen, [seen]);
        assert!(scene(10, 8 << 30).is_absent(look));
        assert!(scene(1, 200 << 30).is_not_seen(look));
        assert!(Scene::default().is_not_seen(look));
    }
}
