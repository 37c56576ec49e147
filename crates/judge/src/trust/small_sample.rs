//! Figures based on very few I/Os.

use cardiograph_core::message;

use super::{Evidence, Found, Warning};

/// Fewer I/Os give little more than a mean.
const IOS_MIN: u64 = 100;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_measured()?;
    let small = evidence.in_steps(|step| {
        let mut directions = step.figures.iter().flat_map(|figures| &figures.directions);
        directions.any(|figures| figures.ios < IOS_MIN)
    });
    Ok(small.map(|tests| {
        Warning::note(
            message!("trap-small-sample.seen", limit = IOS_MIN, tests),
            message!("trap-small-sample.meaning"),
        )
    }))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::{Direction, Parameter};

    use super::super::bench::{Scene, step};
    use super::*;

    #[test]
    fn a_handful_is_reported() {
        let scene = |ios| {
            let mut step = step(&[], Direction::Read, 1e6);
            step.figures.as_mut().unwrap().directions[0].ios = ios;
            Scene::default().measured(step)
        };
        let tests = Parameter::all(["One step"]);
        assert_eq!(
            scene(99).warning(look).seen,
            [message!("trap-small-sample.seen", limit = 100_u32, tests)]
        );
        assert!(scene(100).is_absent(look));
        assert!(Scene::default().is_not_seen(look));
    }
}
