//! A cache, a hole or compression answers in place of the drive.

use cardiograph_core::counters::CounterOutcome;
use cardiograph_core::trust::{TrapOutcome, Weight};

use super::{Evidence, Trap, titles};

pub(super) const TRAP: Trap = Trap {
    name: "bypassed",
    title: "fewer bytes at the drive than were asked for, by the kernel's count",
    look,
};

fn look(evidence: &Evidence<'_>) -> TrapOutcome {
    let mut counted = evidence.measured().filter(|step| !step.counter_checks.is_empty()).peekable();
    if counted.peek().is_none() {
        return TrapOutcome::not_seen("nothing was measured beside the kernel's count");
    }
    let contradicts = |outcome| outcome == CounterOutcome::Contradicts;
    let bypassed: Vec<_> =
        counted.filter(|step| step.counter_checks.iter().any(|check| contradicts(check.outcome))).collect();
    let checks =
        bypassed.iter().flat_map(|step| &step.counter_checks).filter(|check| contradicts(check.outcome));
    let Some(least) = checks.map(|check| check.share).min_by(f64::total_cmp) else {
        return TrapOutcome::Absent;
    };
    TrapOutcome::present(
        Weight::Spoils,
        format!(
            "as little as {:.0} % of the bytes reached the drive in: {}",
            least * 100.0,
            titles(bypassed.into_iter())
        ),
        "a cache, a hole in the file or compression answered; these figures are withheld",
    )
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::counters::check;
    use cardiograph_core::drive::{DeviceCounters, LeafKind};

    use super::super::bench::{Scene, step};
    use super::*;

    #[test]
    fn less_than_asked_spoils() {
        let counted = |read_bytes| DeviceCounters { read_bytes, ..DeviceCounters::default() };
        let scene = |read_bytes| {
            let mut step = step(&[], Direction::Read, 1e6);
            step.counter_checks = check(Direction::Read, 1_000, &counted(read_bytes)).into_iter().collect();
            Scene::of_kind(LeafKind::Sata).measured(step)
        };
        let warning = scene(30).warning(&TRAP);
        assert_eq!(warning.weight, Weight::Spoils);
        assert!(warning.seen.contains("3 %") && warning.seen.ends_with("One step"), "{warning:?}");
        assert!(scene(1_000).is_absent(&TRAP));
        assert!(scene(5_000).is_absent(&TRAP));
        assert!(Scene::of_kind(LeafKind::Sata).is_not_seen(&TRAP));
    }
}
