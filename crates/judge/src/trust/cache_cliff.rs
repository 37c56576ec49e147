//! A write cache that filled up during the test.

use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, StepResult, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let search = |step: &StepResult| step.figures.as_ref()?.fall_off.clone();
    let mut searched = evidence.measured().filter_map(|step| Some((step, search(step)?))).peekable();
    searched.peek().ok_or_else(|| message!("trap-cache-cliff.unknown"))?;
    let found = searched.find_map(|(step, search)| Some((step, search.found?)));
    Ok(found.map(|(step, cliff)| {
        Warning::note(
            message!(
                "trap-cache-cliff.seen",
                test = step.step.title.clone(),
                written = Parameter::CapacityBytes(cliff.after_bytes),
                before = Parameter::bytes_per_s(cliff.before_bytes_per_s),
                after = Parameter::bytes_per_s(cliff.after_bytes_per_s),
            ),
            message!("trap-cache-cliff.meaning"),
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
    fn a_fall_and_its_absence_are_reported() {
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
        let expected = message!(
            "trap-cache-cliff.seen",
            test = "One step",
            written = Parameter::CapacityBytes(4_000_000_000),
            before = Parameter::bytes_per_s(4e8),
            after = Parameter::bytes_per_s(9e7),
        );
        assert_eq!(scene(Some(cliff)).warning(look).seen, [expected]);
        assert!(scene(None).is_absent(look));
        assert!(Scene::default().measured(step(&[], Direction::Write, 1e8)).is_not_seen(look));
    }
}
