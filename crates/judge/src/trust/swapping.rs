//! Memory that is swapped to the drive under test, or at all, while it is measured.

use cardiograph_core::drive::Swap;
use cardiograph_core::report::StepResult;

use super::{Evidence, Found, Warning};

/// What may be swapped in a step before it is told, in bytes: a few pages come back on any machine.
const SWAPPED_BYTES_MIN: u64 = 1 << 20;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let swaps = evidence.environment.swaps.as_ref();
    let swaps = swaps.ok_or("the kernel does not tell what is used as swap")?;
    let is_here = |swap: &&Swap| evidence.drive.leaves.iter().any(|leaf| swap.drives.contains(&leaf.name));
    let here: Vec<&Swap> = swaps.iter().filter(is_here).collect();
    let swapped = |step: &StepResult| Some(swapped_bytes(step)).filter(|&bytes| bytes >= SWAPPED_BYTES_MIN);
    let mb = evidence.measured().filter_map(swapped).sum::<u64>() as f64 / 1e6;
    Ok(match (here.first(), evidence.in_steps(|step| swapped(step).is_some())) {
        (Some(_), Some(steps)) => Some(Warning::caution(
            format!("{mb:.0} MB were swapped while {} lies on this drive, in: {steps}", paths(&here)),
            "the drive did that beside what was measured: end other programs, or switch that swap off (swapoff), and measure again",
        )),
        (None, Some(steps)) => Some(Warning::caution(
            format!("{mb:.0} MB were swapped, not to this drive, in: {steps}"),
            "memory ran short: processors that compress or wait for swap make I/Os later; end other programs, and measure again",
        )),
        (Some(_), None) => Some(Warning::note(
            format!("{} lies on this drive, {} in use", paths(&here), used(&here)),
            "when memory runs short, the drive is read and written beside what is measured",
        )),
        (None, None) => None,
    })
}

fn swapped_bytes(step: &StepResult) -> u64 {
    step.conditions.as_ref().and_then(|conditions| conditions.swapped_bytes()).unwrap_or(0)
}

fn paths(swaps: &[&Swap]) -> String {
    let paths: Vec<&str> = swaps.iter().map(|swap| swap.path.as_str()).collect();
    format!("swap ({})", paths.join(", "))
}

fn used(swaps: &[&Swap]) -> String {
    let (used, size) =
        swaps.iter().fold((0, 0), |(used, size), swap| (used + swap.used_bytes, size + swap.size_bytes));
    format!("{:.0} of {:.0} MB", used as f64 / 1e6, size as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::drive::{Conditions, ConditionsOfStep, LeafKind, SwapTraffic};

    use super::super::bench::{Scene, step};
    use super::*;
    use crate::trust::Weight;

    /// A drive `sda`, and a swap on the drives of these names.
    fn scene(drives: &[&str], swapped_bytes: Option<u64>) -> Scene {
        let mut scene = Scene::of_kind(LeafKind::Sata);
        scene.environment.swaps = Some(vec![Swap {
            path: "/swapfile".to_string(),
            size_bytes: 2_000_000_000,
            used_bytes: 300_000_000,
            drives: drives.iter().map(ToString::to_string).collect(),
            is_in_memory: drives.is_empty(),
        }]);
        let Some(out_bytes) = swapped_bytes else { return scene };
        let at = |out_bytes| Conditions {
            swapped: Some(SwapTraffic { in_bytes: 7, out_bytes }),
            ..Conditions::default()
        };
        let mut step = step(&[], Direction::Read, 1e6);
        step.conditions = Some(ConditionsOfStep { before: at(5), after: at(5 + out_bytes) });
        scene.measured(step)
    }

    #[test]
    fn swap_on_the_drive_is_noted_and_swapping_weighs() {
        let there = scene(&["sda"], None).warning(look);
        assert!(
            there.weight == Weight::Note
                && there.seen.contains("(/swapfile) lies on this drive, 300 of 2000 MB")
        );
        assert_eq!(scene(&["sdb", "sda"], Some(4_096)).warning(look).weight, Weight::Note);
        let busy = scene(&["sda"], Some(40_000_000)).warning(look);
        assert!(
            busy.weight == Weight::Caution && busy.seen.starts_with("40 MB were swapped while"),
            "{busy:?}"
        );
        assert!(busy.seen.ends_with("One step"), "{busy:?}");
        for elsewhere in [scene(&["sdb"], Some(40_000_000)), scene(&[], Some(40_000_000))] {
            assert!(elsewhere.warning(look).seen.contains("not to this drive"));
        }
    }

    #[test]
    fn swap_elsewhere_that_rests_is_nothing() {
        assert!(scene(&["sdb"], Some(0)).is_absent(look) && scene(&[], None).is_absent(look));
        let mut none = Scene::of_kind(LeafKind::Sata);
        assert!(none.is_not_seen(look));
        none.environment.swaps = Some(Vec::new());
        assert!(none.is_absent(look));
    }
}
