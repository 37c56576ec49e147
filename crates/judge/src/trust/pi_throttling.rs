//! A Raspberry Pi that is too hot, or whose supply is too weak.

use cardiograph_core::drive::ThrottleState;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let Some(pi) = evidence.raspberry_pi()? else { return Ok(None) };
    let now = pi.throttling.map(|throttling| causes(throttling.now)).unwrap_or_default();
    if !now.is_empty() || pi.under_voltage == Some(true) {
        let cause = if now.is_empty() { "too low a voltage".to_string() } else { now.join(", ") };
        return Ok(Some(Warning::caution(
            format!("the Raspberry Pi is slowed down at this moment: {cause}"),
            "the figures are those of a board that is slowed down; cool it, or give it the supply that it asks for, and measure \
             again",
        )));
    }
    let before = match (pi.throttling, pi.under_voltage) {
        (Some(throttling), _) => causes(throttling.since_boot),
        (None, Some(_)) => Vec::new(),
        (None, None) => return Err("the board's throttling cannot be read"),
    };
    Ok((!before.is_empty()).then(|| {
        Warning::note(
            format!("since it was started the Raspberry Pi was slowed down: {}", before.join(", ")),
            "it may have been before this checkup or in it",
        )
    }))
}

fn causes(state: ThrottleState) -> Vec<&'static str> {
    let causes = [
        (state.under_voltage, "too low a voltage"),
        (state.frequency_capped, "a lowered clock"),
        (state.throttled, "heat"),
        (state.soft_temperature_limit, "warmth above the soft limit"),
    ];
    causes.into_iter().filter_map(|(is_so, cause)| is_so.then_some(cause)).collect()
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{RaspberryPi, Throttling};

    use super::super::bench::Scene;
    use super::*;
    use crate::trust::Weight;

    #[test]
    fn heat_and_voltage_are_told() {
        let scene = |throttling, under_voltage| {
            let mut scene = Scene::default();
            scene.host.kernel = Some("Linux 6.12".to_string());
            scene.host.raspberry_pi =
                Some(RaspberryPi { throttling, under_voltage, ..RaspberryPi::default() });
            scene
        };
        let weak = ThrottleState { under_voltage: true, ..ThrottleState::default() };
        let hot = ThrottleState { throttled: true, ..ThrottleState::default() };
        let quiet = ThrottleState::default();
        let now = scene(Some(Throttling { now: hot, since_boot: hot }), None).warning(look);
        assert!(now.seen.contains("at this moment: heat") && now.weight == Weight::Caution, "{now:?}");
        let before = scene(Some(Throttling { now: quiet, since_boot: weak }), Some(false)).warning(look);
        assert!(before.seen.contains("too low a voltage") && before.weight == Weight::Note, "{before:?}");
        assert!(scene(None, Some(true)).warning(look).seen.contains("voltage"));
        assert!(scene(Some(Throttling { now: quiet, since_boot: quiet }), None).is_absent(look));
        assert!(scene(None, None).is_not_seen(look));
        let mut other = Scene::default();
        other.host.kernel = Some("Linux 6.12".to_string());
        assert!(other.is_absent(look));
    }
}
