//! Deep idle states at QD1, with a long wakeup latency.

use cardiograph_core::drive::IdleState;
use cardiograph_core::report::StepResult;
use cardiograph_core::{Parameter, message};
use cardiograph_jobs::method;

use super::{Evidence, Found, Warning, titles};

/// Share of a latency from which the wakeup time is reported.
const SHARE_MIN: f64 = 0.1;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let states = evidence.environment.idle_states.as_ref();
    let states = states.ok_or_else(|| message!("trap-idle-states.unknown"))?;
    let mut lonely = evidence.measured().filter_map(|step| Some((step, median_of_one_ns(step)?))).peekable();
    lonely.peek().ok_or_else(|| message!("trap-idle-states.no-test"))?;
    let slow = lonely.filter_map(|(step, median_ns)| {
        let state = deepest(states, median_ns)?;
        (state.exit_us as f64 * 1e3 >= SHARE_MIN * median_ns as f64).then_some((step, state, median_ns))
    });
    let slow: Vec<(&StepResult, &IdleState, u64)> = slow.collect();
    Ok(slow.first().map(|(_, state, median_ns)| {
        Warning::note(
            message!(
                "trap-idle-states.seen",
                median = Parameter::DurationNs(*median_ns),
                state = &state.name,
                wakeup = Parameter::DurationNs(state.exit_us * 1_000),
                tests = titles(slow.iter().map(|(step, ..)| *step))
            ),
            message!("trap-idle-states.meaning"),
        )
    }))
}

/// The state entered for this long: the deepest that pays off.
fn deepest(states: &[IdleState], sleep_ns: u64) -> Option<&IdleState> {
    states.iter().filter(|state| state.residency_us * 1_000 <= sleep_ns).max_by_key(|state| state.exit_us)
}

/// Median latency of a QD1 step, in nanoseconds; the shorter of reads and writes.
fn median_of_one_ns(step: &StepResult) -> Option<u64> {
    let [job] = &step.jobs[..] else { return None };
    let method = method::from_job(job);
    if (method.depth, method.jobs) != (Some(1), Some(1)) {
        return None;
    }
    let median = |figures: &cardiograph_core::figures::DirectionFigures| {
        let median = figures.total.percentiles.iter().find(|found| found.percentile == 50.0)?;
        (!median.withheld).then_some(median.value_ns)
    };
    step.figures.as_ref()?.directions.iter().filter_map(median).min()
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;

    use super::super::bench::{Scene, latency, step};
    use super::*;

    fn scene(settings: &[(&str, &str)], median_ns: u64) -> Scene {
        let mut step = step(settings, Direction::Read, 1e6);
        step.figures.as_mut().unwrap().directions[0].total = latency(median_ns);
        let mut scene = Scene::default().measured(step);
        let state =
            |name: &str, exit_us, residency_us| IdleState { name: name.to_string(), exit_us, residency_us };
        scene.environment.idle_states =
            Some(vec![state("C1", 2, 2), state("C6", 85, 200), state("C8", 200, 800)]);
        scene
    }

    #[test]
    fn long_wakeups_are_reported() {
        let seen = |median_ns, state, wakeup_us: u64| {
            message!(
                "trap-idle-states.seen",
                median = Parameter::DurationNs(median_ns),
                state,
                wakeup = Parameter::DurationNs(wakeup_us * 1_000),
                tests = Parameter::all(["One step"])
            )
        };
        assert_eq!(scene(&[], 300_000).warning(look).seen, [seen(300_000, "C6", 85)]);
        let longer = scene(&[("iodepth", "1")], 1_000_000).warning(look);
        assert_eq!(longer.seen, [seen(1_000_000, "C8", 200)]);
        // Too short for any but the lightest, and so long that wakeup time is negligible.
        assert!(scene(&[], 100_000).is_absent(look) && scene(&[], 9_000_000).is_absent(look));
    }

    #[test]
    fn only_queue_depth_1_is_affected() {
        assert!(scene(&[("iodepth", "32"), ("ioengine", "libaio")], 300_000).is_not_seen(look));
        // This engine has one I/O in flight, whatever is requested.
        assert!(!scene(&[("iodepth", "32"), ("ioengine", "psync")], 300_000).is_not_seen(look));
        assert!(scene(&[("numjobs", "4")], 300_000).is_not_seen(look));
        let mut unknown = scene(&[], 300_000);
        unknown.environment.idle_states = None;
        assert!(unknown.is_not_seen(look));
    }
}
