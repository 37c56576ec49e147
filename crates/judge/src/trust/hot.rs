//! A drive that is too warm.

use cardiograph_core::drive::Health;

use super::{Evidence, Found, Warning};

/// Where a drive tells no limit: drives for consumers are rated up to 70 °C.
const WARNING_C: i32 = 70;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    if let Some(throttled) = evidence.in_steps_of(|standing| standing.throttled == Some(true)) {
        return Ok(Some(Warning::caution(
            format!("heat or voltage slowed the drive or the board down in: {throttled}"),
            "these figures are lower than the drive's own: cool it, and measure again",
        )));
    }
    evidence.of_leaves("the drive's temperature is not known", |leaf| {
        let health = leaf.health.as_ref()?;
        let after_c = evidence.health_after(leaf).and_then(|after| after.temperature_c);
        let now_c = health.temperature_c.max(after_c)?;
        let limit_c = health.temperature_warning_c.unwrap_or(WARNING_C);
        let before_min = health.hot_min().unwrap_or(0);
        let slowed = evidence.health_change(leaf).and_then(|change| slowed(&change));
        let name = &leaf.name;
        Some(match slowed {
            Some(slowed) => Some(Warning::caution(
                format!("while it was measured, drive {name} counted {slowed}"),
                "heat slowed it down: give it air or a heat sink, let it cool, and measure again",
            )),
            None if now_c >= limit_c => Some(Warning::caution(
                format!("drive {name} has {now_c} °C, and slows down from some {limit_c} °C on"),
                "the figures are those of a hot drive: give it air or a heat sink, let it cool, and measure again",
            )),
            None if before_min > 0 => Some(Warning::note(
                format!("drive {name} was above its warning temperature for {before_min} minutes of its life"),
                "under long load it gets too hot where it is",
            )),
            None => None,
        })
    })
}

/// What a drive counted of being too warm; `None` where it counted nothing.
fn slowed(change: &Health) -> Option<String> {
    let times = change.throttled.filter(|&times| times > 0);
    let minutes = change.above_warning_min.filter(|&minutes| minutes > 0);
    let parts = [
        times.map(|times| format!("slow-downs for heat ({times})")),
        minutes.map(|minutes| format!("minutes above its warning temperature ({minutes})")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::drive::{Health, Leaf, LeafKind};
    use cardiograph_core::trust::Standing;

    use super::super::bench::{Scene, step};
    use super::*;
    use crate::trust::Weight;

    #[test]
    fn counts_that_grew_are_told() {
        let cool = Health {
            temperature_c: Some(40),
            above_warning_min: Some(12),
            throttled: Some(3),
            ..Health::default()
        };
        let after = |throttled, minutes, temperature_c| {
            let after = Health { throttled, above_warning_min: minutes, temperature_c, ..Health::default() };
            Scene::of_health(cool.clone(), after)
        };
        let slowed = after(Some(5), Some(13), Some(60)).warning(look);
        assert!(
            slowed.seen.contains("for heat (2)") && slowed.seen.contains("temperature (1)"),
            "{slowed:?}"
        );
        assert!(after(Some(3), Some(12), Some(75)).warning(look).seen.contains("has 75 °C"));
        assert_eq!(after(Some(3), Some(12), Some(60)).warning(look).weight, Weight::Note);
    }

    #[test]
    fn heat_is_told() {
        let scene = |temperature_c, temperature_warning_c, above_warning_min| {
            let health =
                Health { temperature_c, temperature_warning_c, above_warning_min, ..Health::default() };
            Scene::of(Leaf { health: Some(health), ..Leaf::default() })
        };
        assert!(scene(Some(84), Some(82), None).warning(look).seen.contains("84 °C"));
        assert!(scene(Some(71), None, None).warning(look).seen.contains("70 °C"));
        assert_eq!(scene(Some(40), Some(82), Some(12)).warning(look).weight, Weight::Note);
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
        assert!(slowed.seen.ends_with("One step"), "{slowed:?}");
        assert!(scene(Some(40), Some(82), Some(0)).is_absent(look));
        assert!(
            scene(None, Some(82), None).is_not_seen(look) && Scene::of_kind(LeafKind::Nvme).is_not_seen(look)
        );
    }
}
