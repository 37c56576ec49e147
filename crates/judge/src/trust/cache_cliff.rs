//! A cache that was full before the end.

use super::{Evidence, Found, StepResult, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let search = |step: &StepResult| step.figures.as_ref()?.fall_off.clone();
    let mut searched = evidence.measured().filter_map(|step| Some((step, search(step)?))).peekable();
    searched.peek().ok_or("nothing was written for long enough")?;
    let found = searched.find_map(|(step, search)| Some((step, search.found?)));
    Ok(found.map(|(step, cliff)| {
        Warning::note(
            format!(
                "{}: after {:.2} GB the speed fell from {:.0} to {:.0} MB/s",
                step.step.title,
                cliff.after_bytes as f64 / 1e9,
                cliff.before_bytes_per_s / 1e6,
                cliff.after_bytes_per_s / 1e6
            ),
            "shorter tests, and shorter files, see the fast part only; the second figure is what the drive keeps up",
        )
    }))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::falloff::{FallOff, FallOffSearch};

    use super::super::bench::{Scene, step};
    use super::*;

    #[test]
    fn a_fall_is_told_and_its_absence_too() {
        let cliff = FallOff {
            after_bytes: 4_000_000_000,
            before_bytes_per_s: 4e8,
            after_bytes_per_s: 9e7,
            p_value: 0.0,
        };
        let scene = |found| {
            let mut step = step(&[], Direction::Write, 1e8);
            step.figures.as_mut().unwrap().fall_off = Some(FallOffSearch { searched_bytes: 1 << 33, found });
            Scene::default().measured(step)
        };
        assert!(
            scene(Some(cliff))
                .warning(look)
                .seen
                .contains("after 4.00 GB the speed fell from 400 to 90 MB/s")
        );
        assert!(scene(None).is_absent(look));
        assert!(Scene::default().measured(step(&[], Direction::Write, 1e8)).is_not_seen(look));
    }
}
