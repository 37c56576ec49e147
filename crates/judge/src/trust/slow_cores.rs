//! Slow processors that serve the drive's interrupts.

use cardiograph_core::drive::ProcessorKind;
use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, StepResult, Warning};

/// Below this share of the fastest one's speed, in percent, a processor is slow. Equal cores may differ by a
/// few percent.
const SLOW_PERCENT_MAX: u32 = 80;
/// Share of a step's interrupts served by slow ones, from which it is reported.
const SHARE_MIN: f64 = 0.5;
/// With fewer interrupts in a step, the share is random.
const COUNT_MIN: u64 = 100;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let kinds = &evidence.host.processor_kinds;
    kinds.first().ok_or_else(|| message!("trap-slow-cores.unknown"))?;
    let slow: Vec<&ProcessorKind> =
        kinds.iter().filter(|kind| kind.speed_percent < SLOW_PERCENT_MAX).collect();
    let Some(slowest) = slow.last() else { return Ok(None) };
    let is_slow = |cpu: u32| slow.iter().any(|kind| kind.cpus.contains(&cpu));
    let is_on_slow = |step: &StepResult| {
        let served = step.conditions.as_ref().map(|conditions| conditions.interrupts()).unwrap_or_default();
        let all: u64 = served.iter().map(|served| served.count).sum();
        let on_slow: u64 =
            served.iter().filter(|served| is_slow(served.cpu)).map(|served| served.count).sum();
        all >= COUNT_MIN && on_slow as f64 / all as f64 >= SHARE_MIN
    };
    let cpus = ranges(slow.iter().flat_map(|kind| kind.cpus.iter().copied()).collect());
    let speed = Parameter::share(f64::from(slowest.speed_percent) / 100.0);
    let seen = message!("trap-slow-cores.seen", speed, processors = cpus);
    Ok(Some(match evidence.in_steps(is_on_slow) {
        None => Warning::note(seen, message!("trap-slow-cores.meaning")),
        Some(tests) => Warning::caution(
            vec![seen, message!("trap-slow-cores.served", tests)],
            message!("trap-slow-cores.served-meaning"),
        ),
    }))
}

/// `0-3, 6`.
fn ranges(mut cpus: Vec<u32>) -> String {
    cpus.sort_unstable();
    let runs = cpus.chunk_by(|one, next| one + 1 == *next).map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        only => only.iter().map(u32::to_string).collect(),
    });
    runs.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::drive::{Conditions, ConditionsOfStep};

    use super::super::bench::{Scene, step};
    use super::*;
    use crate::trust::Weight;
    use cardiograph_core::drive::InterruptCount;

    /// A machine with four slow and two fast processors, or other kinds, and the interrupts served by two of
    /// them in a step.
    fn scene(slow_percent: u32, served: &[(u32, u64)]) -> Scene {
        let mut step = step(&[], Direction::Read, 1e6);
        let counts = |extra: u64| -> Vec<InterruptCount> {
            served.iter().map(|&(cpu, count)| InterruptCount { cpu, count: 1_000 + count * extra }).collect()
        };
        let at = |extra| Conditions { interrupts: counts(extra), ..Conditions::default() };
        step.conditions = Some(ConditionsOfStep { before: at(0), after: at(1) });
        let mut scene = Scene::default().measured(step);
        scene.host.processor_kinds = vec![
            ProcessorKind { cpus: vec![4, 5], speed_percent: 100 },
            ProcessorKind { cpus: vec![0, 1, 2, 3, 7], speed_percent: slow_percent },
        ];
        scene
    }

    #[test]
    fn interrupts_on_slow_processors_are_reported() {
        let busy = scene(47, &[(0, 9_000), (4, 1_000)]).warning(look);
        assert_eq!(busy.weight, Weight::Caution);
        let expected = [
            message!("trap-slow-cores.seen", speed = Parameter::share(0.47), processors = "0-3, 7"),
            message!("trap-slow-cores.served", tests = Parameter::all(["One step"])),
        ];
        assert_eq!(busy.seen, expected);
        for served in [&[(0, 1_000), (4, 9_000)][..], &[(0, 20)], &[]] {
            assert_eq!(scene(47, served).warning(look).weight, Weight::Note, "{served:?}");
        }
    }

    #[test]
    fn equal_processors_are_absent() {
        assert!(scene(96, &[(0, 9_000)]).is_absent(look));
        assert!(Scene::default().is_not_seen(look));
        let mut alike = Scene::default();
        alike.host.processor_kinds = vec![ProcessorKind { cpus: vec![0, 1], speed_percent: 100 }];
        assert!(alike.is_absent(look));
    }
}
