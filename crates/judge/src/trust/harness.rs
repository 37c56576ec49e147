//! This program, or the processor that it runs on, is the slowest part.

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let known = evidence.in_steps_of(|standing| standing.harness_limited.is_some());
    known.ok_or("the processor time of the workers is not known")?;
    let limited = evidence.in_steps_of(|standing| standing.harness_limited == Some(true));
    let alone = evidence.environment.calibration.as_ref().map(|found| {
        format!(
            " (without a drive one worker does {:.0} thousand I/Os a second here, or makes {:.0} MB of new content)",
            found.ios_per_s_max / 1e3,
            found.content_bytes_per_s_max / 1e6
        )
    });
    Ok(limited.map(|limited| {
        Warning::caution(
            format!("the processors had no time left in: {limited}{}", alone.unwrap_or_default()),
            "the drive can do more than these figures: give the job more workers, larger blocks or an engine that costs less",
        )
    }))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::drive::Calibration;
    use cardiograph_core::trust::Standing;

    use super::super::bench::{Scene, step};
    use super::*;

    #[test]
    fn a_worker_without_time_is_told() {
        let scene = |harness_limited| {
            let mut step = step(&[], Direction::Read, 1e9);
            step.standings = vec![Standing {
                direction: Direction::Read,
                reached_device: None,
                durable: None,
                steady: None,
                throttled: None,
                link_limited: None,
                harness_limited,
            }];
            let mut scene = Scene::default().measured(step);
            let calibration = Calibration { ios_per_s_max: 5e6, content_bytes_per_s_max: 1e10, cpus: 2 };
            scene.environment.calibration = Some(calibration);
            scene
        };
        assert!(scene(Some(true)).warning(look).seen.contains("5000 thousand"));
        assert!(scene(Some(false)).is_absent(look));
        assert!(scene(None).is_not_seen(look));
    }
}
