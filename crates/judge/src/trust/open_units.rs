//! A drive that supports few write streams.

use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, Warning};
use crate::open_units::{OpenUnits, Trial, search};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let trials: Vec<Trial> = evidence.measured().filter_map(Trial::from_step).collect();
    let most = trials.iter().map(|trial| trial.units).max().filter(|&most| most > 1);
    let most = most.ok_or_else(|| message!("trap-open-units.unknown"))?;
    match search(&trials, most) {
        OpenUnits::NoLimit { .. } => Ok(None),
        OpenUnits::Try { .. } | OpenUnits::Foreign => Err(message!("trap-open-units.unfinished")),
        OpenUnits::Limit { fast, slow_share } => Ok(Some(Warning::note(
            message!(
                "trap-open-units.seen",
                files = fast,
                more = fast + 1,
                share = Parameter::share(slow_share)
            ),
            message!("trap-open-units.meaning"),
        ))),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::result::{DirectionResult, WorkerResult};
    use cardiograph_core::{PerDirection, RunResult};

    use super::super::bench::{Scene, step};
    use super::*;

    /// A step that writes `units` units in turn, at this rate in MB/s.
    fn in_turn(units: u32, mb_per_s: u64) -> cardiograph_core::report::StepResult {
        let openfiles = units.to_string();
        let settings =
            [("rw", "write"), ("bs", "64k"), ("file_service_type", "roundrobin"), ("openfiles", &openfiles)];
        let mut step = step(&settings, Direction::Write, mb_per_s as f64 * 1e6);
        let mut directions = PerDirection::<DirectionResult>::default();
        directions.write.bytes = mb_per_s * 1_000_000;
        directions.write.runtime_ns = 1_000_000_000;
        step.result = Some(RunResult {
            duration_ns: 1_000_000_000,
            workers: vec![WorkerResult {
                engine: "psync".to_string(),
                end_ns: 1_000_000_000,
                directions,
                ..WorkerResult::default()
            }],
            ..RunResult::default()
        });
        step
    }

    fn scene(trials: &[(u32, u64)]) -> Scene {
        trials.iter().fold(Scene::default(), |scene, &(units, speed)| scene.measured(in_turn(units, speed)))
    }

    #[test]
    fn a_limit_is_reported_with_its_numbers() {
        let seen =
            scene(&[(1, 20), (2, 19), (4, 2), (1, 20), (4, 2), (3, 1), (1, 20), (3, 2)]).warning(look).seen;
        let share = Parameter::share(0.1);
        assert_eq!(seen, [message!("trap-open-units.seen", files = 2_u32, more = 3_u32, share)]);
        let seen = scene(&[(1, 20), (2, 1), (1, 20), (2, 1)]).warning(look).seen;
        let share = Parameter::share(0.05);
        assert_eq!(seen, [message!("trap-open-units.seen", files = 1_u32, more = 2_u32, share)]);
    }

    #[test]
    fn a_drive_without_a_limit_is_absent() {
        assert!(scene(&[(1, 20), (2, 19), (4, 21)]).is_absent(look));
    }

    #[test]
    fn without_trials_it_is_unknown() {
        assert!(scene(&[]).is_not_seen(look));
        assert!(scene(&[(1, 20)]).is_not_seen(look));
        assert!(scene(&[(1, 20), (2, 1)]).is_not_seen(look));
        let other = step(&[("rw", "randwrite"), ("bs", "4k")], Direction::Write, 1e6);
        assert!(Scene::default().measured(other).is_not_seen(look));
    }
}
