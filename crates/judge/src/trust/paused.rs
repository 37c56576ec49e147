//! The program did not run during a measurement.

use cardiograph_core::pause::{self, Pause};
use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_measured()?;
    let pauses: Vec<Pause> = evidence.measured().flat_map(|step| step.pauses()).copied().collect();
    let longest = pauses.iter().max_by_key(|pause| pause.duration_ns);
    let steps = evidence.in_steps(|step| !step.pauses().is_empty());
    Ok(longest.zip(steps).map(|(longest, tests)| {
        let total = Parameter::DurationNs(pause::total_ns(&pauses));
        Warning::spoils(
            message!("trap-paused.seen", paused = total, cause = longest.cause.message(), tests),
            message!("trap-paused.meaning"),
        )
    }))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::app::AppResult;
    use cardiograph_core::pause::PauseCause;

    use super::super::bench::{Scene, step};
    use super::*;
    use crate::trust::Weight;

    #[test]
    fn pauses_of_the_program_are_reported() {
        let pause = |duration_ns, cause| Pause { begin_ns: 7, duration_ns, cause };
        let scene = |pauses: Vec<Pause>| {
            let mut step = step(&[], Direction::Read, 1e6);
            step.app = Some(AppResult { library: None, parts: Vec::new(), pauses });
            Scene::default().measured(step)
        };
        assert!(Scene::default().is_not_seen(look) && scene(Vec::new()).is_absent(look));
        let stopped = pause(6_000_000_000, PauseCause::Stopped);
        let found = scene(vec![pause(200_000_000, PauseCause::Frozen), stopped]).warning(look);
        assert_eq!(found.weight, Weight::Spoils);
        let seen = message!(
            "trap-paused.seen",
            paused = Parameter::DurationNs(6_200_000_000),
            cause = message!("trap-paused.stopped"),
            tests = Parameter::all(["One step"])
        );
        assert_eq!(found.seen, [seen]);
    }
}
