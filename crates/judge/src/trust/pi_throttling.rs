//! A Raspberry Pi that is too hot, or whose supply is too weak.

use cardiograph_core::drive::ThrottleState;
use cardiograph_core::trust::{TrapOutcome, Weight};

use super::{Evidence, Trap};

pub(super) const TRAP: Trap = Trap {
    name: "pi_throttling",
    title: "a Raspberry Pi that is slowed down by heat or a weak supply",
    look,
};

fn look(evidence: &Evidence<'_>) -> TrapOutcome {
    if evidence.host.kernel.is_none() {
        return TrapOutcome::not_seen("the machine is not known");
    }
    let Some(pi) = &evidence.host.raspberry_pi else { return TrapOutcome::Absent };
    let now = pi.throttling.map(|throttling| causes(throttling.now)).unwrap_or_default();
    let meaning = "the figures are those of a board that is slowed down; cool it, or give it the supply that it asks for, and measure \
                   again";
    if !now.is_empty() || pi.under_voltage == Some(true) {
        let cause = if now.is_empty() { "too low a voltage".to_string() } else { now.join(", ") };
        return TrapOutcome::present(
            Weight::Caution,
            format!("the Raspberry Pi is slowed down at this moment: {cause}"),
            meaning,
        );
    }
    let Some(throttling) = pi.throttling else {
        return match pi.under_voltage {
            Some(_) => TrapOutcome::Absent,
            None => TrapOutcome::not_seen("the board's throttling cannot be read"),
        };
    };
    let before = causes(throttling.since_boot);
    if before.is_empty() {
        return TrapOutcome::Absent;
    }
    TrapOutcome::present(
        Weight::Note,
        format!("since it was started the Raspberry Pi was slowed down: {}", before.join(", ")),
        "it may have been before this checkup or in it",
    )
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
        let now = scene(Some(Throttling { now: hot, since_boot: hot }), None).warning(&TRAP);
        assert!(now.seen.contains("at this moment: heat") && now.weight == Weight::Caution, "{now:?}");
        let before = scene(Some(Throttling { now: quiet, since_boot: weak }), Some(false)).warning(&TRAP);
        assert!(before.seen.contains("too low a voltage") && before.weight == Weight::Note, "{before:?}");
        assert!(scene(None, Some(true)).warning(&TRAP).seen.contains("voltage"));
        assert!(scene(Some(Throttling { now: quiet, since_boot: quiet }), None).is_absent(&TRAP));
        assert!(scene(None, None).is_not_seen(&TRAP));
        let mut other = Scene::default();
        other.host.kernel = Some("Linux 6.12".to_string());
        assert!(other.is_absent(&TRAP));
    }
}
