//! Swapping to the drive under test, or at all, during the measurement.

use cardiograph_core::drive::Swap;
use cardiograph_core::report::StepResult;
use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, Warning};

/// Swap traffic in a step below which it is not reported, in bytes: any machine swaps a few pages in.
const SWAPPED_BYTES_MIN: u64 = 1 << 20;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let swaps = evidence.environment.swaps.as_ref();
    let swaps = swaps.ok_or_else(|| message!("trap-swapping.unknown"))?;
    let is_here = |swap: &&Swap| evidence.drive.leaves.iter().any(|leaf| swap.drives.contains(&leaf.name));
    let here: Vec<&Swap> = swaps.iter().filter(is_here).collect();
    let paths = Parameter::all(here.iter().map(|swap| swap.path.as_str()));
    let swapped = |step: &StepResult| Some(swapped_bytes(step)).filter(|&bytes| bytes >= SWAPPED_BYTES_MIN);
    let total = Parameter::CapacityBytes(evidence.measured().filter_map(swapped).sum());
    Ok(match (here.first(), evidence.in_steps(|step| swapped(step).is_some())) {
        (Some(_), Some(tests)) => Some(Warning::caution(
            message!("trap-swapping.busy", swapped = total, swaps = paths, tests),
            message!("trap-swapping.busy-meaning"),
        )),
        (None, Some(tests)) => Some(Warning::caution(
            message!("trap-swapping.busy-other", swapped = total, tests),
            message!("trap-swapping.busy-other-meaning"),
        )),
        (Some(_), None) => {
            let used = here.iter().map(|swap| swap.used_bytes).sum();
            let size = here.iter().map(|swap| swap.size_bytes).sum();
            let [used, size] = [used, size].map(Parameter::CapacityBytes);
            Some(Warning::note(
                message!("trap-swapping.idle", swaps = paths, used, size),
                message!("trap-swapping.idle-meaning"),
            ))
        }
        (None, None) => None,
    })
}

fn swapped_bytes(step: &StepResult) -> u64 {
    step.conditions.as_ref().and_then(|conditions| conditions.swapped_bytes()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::drive::{Conditions, ConditionsOfStep, LeafKind, SwapTraffic};

    use super::super::bench::{Scene, step};
    use super::*;
    use crate::trust::Weight;

    /// A drive `sda`, and swap on drives with these names.
    fn scene(drives: &[&str], swapped_bytes: Option<u64>) -> Scene {
        let mut scene = Scene::with_kind(LeafKind::Sata);
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
    fn swap_on_the_drive_is_noted_and_swapping_is_a_caution() {
        let there = scene(&["sda"], None).warning(look);
        assert_eq!(there.weight, Weight::Note);
        let (used, size) = (Parameter::CapacityBytes(300_000_000), Parameter::CapacityBytes(2_000_000_000));
        let swaps = Parameter::all(["/swapfile"]);
        assert_eq!(there.seen, [message!("trap-swapping.idle", swaps = swaps.clone(), used, size)]);
        assert_eq!(scene(&["sdb", "sda"], Some(4_096)).warning(look).weight, Weight::Note);
        let busy = scene(&["sda"], Some(40_000_000)).warning(look);
        assert_eq!(busy.weight, Weight::Caution);
        let (swapped, tests) = (Parameter::CapacityBytes(40_000_000), Parameter::all(["One step"]));
        let seen = message!("trap-swapping.busy", swapped = swapped.clone(), swaps, tests = tests.clone());
        assert_eq!(busy.seen, [seen]);
        let seen = message!("trap-swapping.busy-other", swapped, tests);
        for other in [scene(&["sdb"], Some(40_000_000)), scene(&[], Some(40_000_000))] {
            assert_eq!(other.warning(look).seen, std::slice::from_ref(&seen));
        }
    }

    #[test]
    fn unused_swap_on_other_drives_is_absent() {
        assert!(scene(&["sdb"], Some(0)).is_absent(look) && scene(&[], None).is_absent(look));
        let mut none = Scene::with_kind(LeafKind::Sata);
        assert!(none.is_not_seen(look));
        none.environment.swaps = Some(Vec::new());
        assert!(none.is_absent(look));
    }
}
