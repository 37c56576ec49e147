//! This program or its processor as the bottleneck.

use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let known = evidence.in_steps_with(|standing| standing.harness_limited.is_some());
    known.ok_or_else(|| message!("trap-harness.unknown"))?;
    let limited = evidence.in_steps_with(|standing| standing.harness_limited == Some(true));
    let calibration = evidence.environment.calibration.as_ref().map(|found| {
        message!(
            "trap-harness.calibration",
            iops = Parameter::iops(found.ios_per_s_max),
            content = Parameter::bytes_per_s(found.content_bytes_per_s_max)
        )
    });
    Ok(limited.map(|tests| {
        let seen: Vec<_> = [message!("trap-harness.seen", tests)].into_iter().chain(calibration).collect();
        Warning::caution(seen, message!("trap-harness.meaning"))
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
    fn a_worker_without_time_is_reported() {
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
        let expected = [
            message!("trap-harness.seen", tests = Parameter::all(["One step"])),
            message!(
                "trap-harness.calibration",
                iops = Parameter::iops(5e6),
                content = Parameter::bytes_per_s(1e10)
            ),
        ];
        assert_eq!(scene(Some(true)).warning(look).seen, expected);
        assert!(scene(Some(false)).is_absent(look));
        assert!(scene(None).is_not_seen(look));
    }
}
