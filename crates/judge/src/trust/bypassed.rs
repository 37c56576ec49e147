//! A cache, a hole or compression answers in place of the drive.

use cardiograph_core::counters::{CounterCheck, CounterOutcome};
use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, StepResult, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let is_counted = |step: &&StepResult| !step.counter_checks.is_empty();
    evidence.measured().find(is_counted).ok_or_else(|| message!("trap-bypassed.unknown"))?;
    let contradicts = |check: &&CounterCheck| check.outcome == CounterOutcome::Contradicts;
    let checks = evidence.measured().flat_map(|step| &step.counter_checks).filter(contradicts);
    let Some(least) = checks.map(|check| check.share).min_by(f64::total_cmp) else { return Ok(None) };
    let bypassed = evidence.in_steps(|step| step.counter_checks.iter().any(|check| contradicts(&check)));
    Ok(bypassed.map(|tests| {
        Warning::spoils(
            message!("trap-bypassed.seen", least = Parameter::share(least), tests),
            message!("trap-bypassed.meaning"),
        )
    }))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::counters::check;
    use cardiograph_core::drive::{DeviceCounters, LeafKind};

    use super::super::bench::{Scene, step};
    use super::*;
    use crate::trust::Weight;

    #[test]
    fn fewer_bytes_than_requested_are_reported() {
        let counted = |read_bytes| DeviceCounters { read_bytes, ..DeviceCounters::default() };
        let scene = |read_bytes| {
            let mut step = step(&[], Direction::Read, 1e6);
            step.counter_checks = check(Direction::Read, 1_000, &counted(read_bytes)).into_iter().collect();
            Scene::with_kind(LeafKind::Sata).measured(step)
        };
        let warning = scene(30).warning(look);
        assert_eq!(warning.weight, Weight::Spoils);
        let tests = Parameter::all(["One step"]);
        assert_eq!(warning.seen, [message!("trap-bypassed.seen", least = Parameter::share(0.03), tests)]);
        assert!(scene(1_000).is_absent(look));
        assert!(scene(5_000).is_absent(look));
        assert!(Scene::with_kind(LeafKind::Sata).is_not_seen(look));
    }
}
