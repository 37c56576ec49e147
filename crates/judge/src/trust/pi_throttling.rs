//! A Raspberry Pi that is too hot, or has a weak power supply.

use cardiograph_core::drive::ThrottleState;
use cardiograph_core::{Message, Parameter, message};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let Some(pi) = evidence.raspberry_pi()? else { return Ok(None) };
    let now = pi.throttling.map(|throttling| causes(throttling.now)).unwrap_or_default();
    if !now.is_empty() || pi.under_voltage == Some(true) {
        let causes = if now.is_empty() { vec![message!("trap-pi-throttling.voltage")] } else { now };
        return Ok(Some(Warning::caution(
            message!("trap-pi-throttling.now", causes = Parameter::all(causes)),
            message!("trap-pi-throttling.now-meaning"),
        )));
    }
    let before = match (pi.throttling, pi.under_voltage) {
        (Some(throttling), _) => causes(throttling.since_boot),
        (None, Some(_)) => Vec::new(),
        (None, None) => return Err(message!("trap-pi-throttling.unknown")),
    };
    Ok((!before.is_empty()).then(|| {
        Warning::note(
            message!("trap-pi-throttling.before", causes = Parameter::all(before)),
            message!("trap-pi-throttling.before-meaning"),
        )
    }))
}

fn causes(state: ThrottleState) -> Vec<Message> {
    let causes = [
        (state.under_voltage, message!("trap-pi-throttling.voltage")),
        (state.frequency_capped, message!("trap-pi-throttling.clock")),
        (state.throttled, message!("trap-pi-throttling.heat")),
        (state.soft_temperature_limit, message!("trap-pi-throttling.warmth")),
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
    fn heat_and_voltage_are_reported() {
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
        let causes = Parameter::all([message!("trap-pi-throttling.heat")]);
        assert_eq!(now.seen, [message!("trap-pi-throttling.now", causes)]);
        assert_eq!(now.weight, Weight::Caution);
        let before = scene(Some(Throttling { now: quiet, since_boot: weak }), Some(false)).warning(look);
        let causes = Parameter::all([message!("trap-pi-throttling.voltage")]);
        assert_eq!(before.seen, [message!("trap-pi-throttling.before", causes = causes.clone())]);
        assert_eq!(before.weight, Weight::Note);
        let weak_now = scene(None, Some(true)).warning(look);
        assert_eq!(weak_now.seen, [message!("trap-pi-throttling.now", causes)]);
        assert!(scene(Some(Throttling { now: quiet, since_boot: quiet }), None).is_absent(look));
        assert!(scene(None, None).is_not_seen(look));
        let mut other = Scene::default();
        other.host.kernel = Some("Linux 6.12".to_string());
        assert!(other.is_absent(look));
    }
}
