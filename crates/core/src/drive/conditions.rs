//! Conditions that can change during a measurement.

use serde::{Deserialize, Serialize};

use super::{InterruptCount, SwapTraffic, Throttling};
use crate::JsonSchema;

/// Temperature, voltage and other activity at one moment. Unknown values are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conditions {
    /// Whether and why a Raspberry Pi is throttled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttling: Option<Throttling>,
    /// Temperatures of the drives that report one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub temperatures: Vec<Temperature>,
    /// Swap traffic since boot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swapped: Option<SwapTraffic>,
    /// Drive interrupts served by each processor since boot; empty if unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interrupts: Vec<InterruptCount>,
}

/// The temperature of a drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Temperature {
    /// The kernel's name of the drive.
    pub drive: String,
    /// Temperature in degrees Celsius.
    pub now_c: i32,
    /// Warning temperature in degrees Celsius, above which it may slow down.
    pub warning_c: Option<i32>,
}

/// Conditions before and after a step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConditionsOfStep {
    /// At its start.
    pub before: Conditions,
    /// At its end.
    pub after: Conditions,
}

impl ConditionsOfStep {
    /// Drive interrupts served by each processor during the step; empty if unknown.
    pub fn interrupts(&self) -> Vec<InterruptCount> {
        let earlier = |cpu| {
            let found = self.before.interrupts.iter().find(|served| served.cpu == cpu);
            found.map_or(0, |served| served.count)
        };
        let during = self.after.interrupts.iter().map(|served| InterruptCount {
            cpu: served.cpu,
            // The count of a processor that was switched off and on restarts from 0.
            count: served.count.saturating_sub(earlier(served.cpu)),
        });
        during.filter(|served| served.count > 0).collect()
    }

    /// Swap traffic during the step, in bytes. `None` if unknown.
    pub fn swapped_bytes(&self) -> Option<u64> {
        Some(self.after.swapped?.since_bytes(&self.before.swapped?))
    }

    /// Whether heat or voltage throttled the board or a drive during the step: at its end, or by a flag that the
    /// board keeps and that was not set before. `None` if unknown.
    pub fn throttled(&self) -> Option<bool> {
        let board = self.after.throttling.map(|after| {
            let before = self.before.throttling.map(|before| before.since_boot);
            after.now != Default::default() || before.is_some_and(|before| before != after.since_boot)
        });
        let hot = |at: &Temperature| Some(at.now_c >= at.warning_c?);
        let drives: Vec<bool> = self.after.temperatures.iter().filter_map(hot).collect();
        let is_known = board.is_some() || !drives.is_empty();
        is_known.then(|| board == Some(true) || drives.contains(&true))
    }
}

#[cfg(test)]
mod tests {
    use super::super::ThrottleState;
    use super::*;

    #[test]
    fn swapping_is_counted_in_both_directions() {
        let at = |in_bytes, out_bytes| Conditions {
            swapped: Some(SwapTraffic { in_bytes, out_bytes }),
            ..Conditions::default()
        };
        let step = ConditionsOfStep { before: at(100, 50), after: at(130, 90) };
        assert_eq!(step.swapped_bytes(), Some(70));
        assert_eq!(ConditionsOfStep { before: Conditions::default(), after: at(1, 1) }.swapped_bytes(), None);
        // A counter that was reset is not traffic.
        assert_eq!(ConditionsOfStep { before: at(9, 9), after: at(1, 1) }.swapped_bytes(), Some(0));
    }

    #[test]
    fn interrupts_are_counted_per_step() {
        let at = |counts: &[(u32, u64)]| Conditions {
            interrupts: counts.iter().map(|&(cpu, count)| InterruptCount { cpu, count }).collect(),
            ..Conditions::default()
        };
        let step = ConditionsOfStep { before: at(&[(0, 5), (1, 8)]), after: at(&[(0, 9), (1, 8), (7, 2)]) };
        let expected = [InterruptCount { cpu: 0, count: 4 }, InterruptCount { cpu: 7, count: 2 }];
        assert_eq!(step.interrupts(), expected);
    }

    #[test]
    fn a_new_flag_or_a_hot_drive_means_throttled() {
        let quiet = ThrottleState::default();
        let hot = ThrottleState { throttled: true, ..quiet };
        let board = |now, since_boot| Conditions {
            throttling: Some(Throttling { now, since_boot }),
            ..Conditions::default()
        };
        let drive = |now_c, warning_c| Conditions {
            temperatures: vec![Temperature { drive: "nvme0n1".to_string(), now_c, warning_c }],
            ..Conditions::default()
        };
        let nothing = Conditions::default();
        for (before, after, throttled) in [
            (nothing.clone(), nothing.clone(), None),
            (board(quiet, quiet), board(quiet, quiet), Some(false)),
            (board(quiet, hot), board(quiet, hot), Some(false)),
            (board(quiet, quiet), board(quiet, hot), Some(true)),
            (board(quiet, hot), board(hot, hot), Some(true)),
            (nothing.clone(), board(quiet, hot), Some(false)),
            (drive(40, Some(82)), drive(82, Some(82)), Some(true)),
            (drive(40, Some(82)), drive(60, Some(82)), Some(false)),
            (drive(40, None), drive(90, None), None),
        ] {
            let step = ConditionsOfStep { before, after };
            assert_eq!(step.throttled(), throttled, "{step:?}");
        }
    }
}
