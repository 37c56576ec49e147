//! A drive that is too warm.

use cardiograph_core::drive::Health;
use cardiograph_core::{Message, Parameter, message};

use super::{Evidence, Found, Warning};

/// Default if a drive reports no limit: consumer drives are rated up to 70 °C.
const WARNING_C: i32 = 70;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    if let Some(tests) = evidence.in_steps_with(|standing| standing.throttled == Some(true)) {
        return Ok(Some(Warning::caution(
            message!("trap-hot.throttled", tests),
            message!("trap-hot.throttled-meaning"),
        )));
    }
    evidence.check_leaves(message!("trap-hot.unknown"), |leaf| {
        let health = leaf.health.as_ref()?;
        let after_c = evidence.health_after(leaf).and_then(|after| after.temperature_c);
        let now_c = health.temperature_c.max(after_c)?;
        let limit_c = health.temperature_warning_c.unwrap_or(WARNING_C);
        let before_min = health.hot_min().unwrap_or(0);
        let drive = &leaf.name;
        let counted = evidence.health_change(leaf).map(|change| slowed(drive, &change)).unwrap_or_default();
        Some(if !counted.is_empty() {
            Some(Warning::caution(counted, message!("trap-hot.slowed-meaning")))
        } else if now_c >= limit_c {
            let [temperature, limit] = [now_c, limit_c].map(|degrees| Parameter::number(degrees.into()));
            Some(Warning::caution(
                message!("trap-hot.now", drive, temperature, limit),
                message!("trap-hot.now-meaning"),
            ))
        } else {
            (before_min > 0).then(|| {
                Warning::note(
                    message!("trap-hot.before", drive, minutes = before_min),
                    message!("trap-hot.before-meaning"),
                )
            })
        })
    })
}

/// Thermal throttling counted by a drive.
fn slowed(drive: &str, change: &Health) -> Vec<Message> {
    let times = change.throttled.filter(|&times| times > 0);
    let minutes = change.above_warning_min.filter(|&minutes| minutes > 0);
    let seen = [
        times.map(|times| message!("trap-hot.slowed", drive, count = times)),
        minutes.map(|minutes| message!("trap-hot.above", drive, minutes)),
    ];
    seen.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::drive::{Health, Leaf, LeafKind};
    use cardiograph_core::trust::Standing;

    use super::super::bench::{Scene, step};
    use super::*;
    use crate::trust::Weight;

    fn now(temperature_c: f64, limit_c: f64) -> Message {
        let (temperature, limit) = (Parameter::number(temperature_c), Parameter::number(limit_c));
        message!("trap-hot.now", drive = "sda", temperature, limit)
    }

    #[test]
    fn counts_that_grew_are_reported() {
        let cool = Health {
            temperature_c: Some(40),
            above_warning_min: Some(12),
            throttled: Some(3),
            ..Health::default()
        };
        let after = |throttled, minutes, temperature_c| {
            let after = Health { throttled, above_warning_min: minutes, temperature_c, ..Health::default() };
            Scene::with_health(cool.clone(), after)
        };
        let slowed = after(Some(5), Some(13), Some(60)).warning(look);
        let expected = [
            message!("trap-hot.slowed", drive = "sda", count = 2_u32),
            message!("trap-hot.above", drive = "sda", minutes = 1_u32),
        ];
        assert_eq!(slowed.seen, expected);
        assert_eq!(after(Some(3), Some(12), Some(75)).warning(look).seen, [now(75.0, 70.0)]);
        assert_eq!(after(Some(3), Some(12), Some(60)).warning(look).weight, Weight::Note);
    }

    #[test]
    fn heat_is_reported() {
        let scene = |temperature_c, temperature_warning_c, above_warning_min| {
            let health =
                Health { temperature_c, temperature_warning_c, above_warning_min, ..Health::default() };
            Scene::from_leaf(Leaf { health: Some(health), ..Leaf::default() })
        };
        assert_eq!(scene(Some(84), Some(82), None).warning(look).seen, [now(84.0, 82.0)]);
        assert_eq!(scene(Some(71), None, None).warning(look).seen, [now(71.0, 70.0)]);
        let before = scene(Some(40), Some(82), Some(12)).warning(look);
        assert_eq!(before.weight, Weight::Note);
        assert_eq!(before.seen, [message!("trap-hot.before", drive = "sda", minutes = 12_u32)]);
        let mut slowed = step(&[], Direction::Read, 1e6);
        slowed.standings = vec![Standing {
            direction: Direction::Read,
            reached_device: None,
            durable: None,
            steady: None,
            throttled: Some(true),
            link_limited: None,
            harness_limited: None,
        }];
        let slowed = scene(Some(40), Some(82), None).measured(slowed).warning(look);
        assert_eq!(slowed.seen, [message!("trap-hot.throttled", tests = Parameter::all(["One step"]))]);
        assert!(scene(Some(40), Some(82), Some(0)).is_absent(look));
        assert!(
            scene(None, Some(82), None).is_not_seen(look)
                && Scene::with_kind(LeafKind::Nvme).is_not_seen(look)
        );
    }
}
