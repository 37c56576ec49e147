//! Figures of a handful of I/Os.

use super::{Evidence, Found, Warning};

/// Fewer I/Os than this tell a mean, and hardly more.
const IOS_MIN: u64 = 100;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_measured()?;
    let small = evidence.in_steps(|step| {
        let mut directions = step.figures.iter().flat_map(|figures| &figures.directions);
        directions.any(|of| of.ios < IOS_MIN)
    });
    Ok(small.map(|small| {
        Warning::note(
            format!("fewer than {IOS_MIN} I/Os were done in: {small}"),
            "another run may give other figures: look at their intervals, and measure for longer",
        )
    }))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;

    use super::super::bench::{Scene, step};
    use super::*;

    #[test]
    fn a_handful_is_told() {
        let scene = |ios| {
            let mut step = step(&[], Direction::Read, 1e6);
            step.figures.as_mut().unwrap().directions[0].ios = ios;
            Scene::default().measured(step)
        };
        assert!(scene(99).warning(look).seen.ends_with("One step"));
        assert!(scene(100).is_absent(look));
        assert!(Scene::default().is_not_seen(look));
    }
}
