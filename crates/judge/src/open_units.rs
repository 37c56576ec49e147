//! How many write streams a drive supports before it becomes slow.
//!
//! A card or stick maps data in large units (allocation units) and keeps only some of them open. Writes that
//! continue in an open unit are cheap. A write to a further unit closes another, the rest of which is copied,
//! so one unit too many in turn may cost a whole unit per small write.
//!
//! Numbers of units are tried as 1, 2, 4 ... and then bisected. A number is too large if it reaches less than
//! half the speed of one unit, twice, each time compared with a measurement of one unit next to it: a drive
//! that became slow meanwhile, because its cache was full or for other reasons, is slow with one unit, too.

use cardiograph_core::Direction;
use cardiograph_core::counters::CounterOutcome;
use cardiograph_core::ran_job::RanJob;
use cardiograph_core::report::{StepOutcome, StepResult, StepRole};
use cardiograph_core::result::RunResult;
use cardiograph_core::workload::{BlockLen, FileTurn};

/// Below this share of the speed of one unit, there are too many units.
pub const SLOW_SHARE: f64 = 0.5;
/// With fewer windows after the first round, the whole run counts.
const WINDOWS_MIN: usize = 10;

/// One run with a number of units written in turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// Number of units.
    pub units: u32,
    /// Total speed, in bytes per second.
    pub bytes_per_s: f64,
}

impl Trial {
    /// The trial of a step; `None` for other steps, if it did not end as planned, or if the kernel's counters
    /// contradict its figures.
    pub fn from_step(step: &StepResult) -> Option<Self> {
        let [RanJob { workload, .. }] = &step.jobs[..] else { return None };
        let is_in_turn = matches!(workload.file_turn, (FileTurn::RoundRobin, _))
            && workload.uses(Direction::Write)
            && !workload.uses(Direction::Read)
            && !workload.order.is_random();
        let is_contradicted =
            step.counter_checks.iter().any(|check| check.outcome == CounterOutcome::Contradicts);
        let is_complete = step.outcome == StepOutcome::Done && step.step.role == StepRole::Measure;
        if !is_in_turn || !is_complete || is_contradicted {
            return None;
        }
        let units = u32::try_from(workload.open_files?).ok()?;
        let BlockLen::Fixed { len_bytes: block_bytes } = workload.block_len.write else { return None };
        let bytes_per_s = speed(step.result.as_ref()?, u64::from(units) * block_bytes)?;
        Some(Self { units, bytes_per_s })
    }
}

/// Write speed, in bytes per second, without the first round over all units, which opens them and closes
/// those open before. `None` when nothing was written.
fn speed(result: &RunResult, round_bytes: u64) -> Option<f64> {
    let series = result.series();
    let rows = series.whole(Direction::Write);
    let mut so_far_bytes = 0;
    let first = rows.iter().take_while(|row| {
        let is_first = so_far_bytes < round_bytes;
        so_far_bytes += row.bytes;
        is_first
    });
    let rest = &rows[first.count()..];
    let rest_bytes: u64 = rest.iter().map(|row| row.bytes).sum();
    if rest.len() >= WINDOWS_MIN && rest_bytes >= round_bytes {
        return Some(rest_bytes as f64 * 1e9 / (rest.len() as u64 * series.window_ns) as f64);
    }
    let all = result.merged(|_| true).write;
    (all.bytes > 0 && all.runtime_ns > 0).then(|| all.bandwidth_bytes_per_s())
}

/// Result of trials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OpenUnits {
    /// Not decided yet.
    Try {
        /// The number to try next.
        units: u32,
        /// The largest number found fast; 0 before any trial.
        fast: u32,
    },
    /// All numbers up to the maximum are fast.
    NoLimit {
        /// The largest number.
        tried: u32,
    },
    /// There is a limit.
    Limit {
        /// The largest number with at least half the speed of one.
        fast: u32,
        /// Speed with one more, as a share of the speed of one.
        slow_share: f64,
    },
    /// The trials are not those requested, so there is no result.
    Foreign,
}

/// Result of `trials`, in order, for numbers up to `most`.
pub fn search(trials: &[Trial], most: u32) -> OpenUnits {
    let mut left = trials.iter();
    let mut take = |units: u32, fast: u32| match left.next() {
        None => Err(OpenUnits::Try { units, fast }),
        Some(trial) if trial.units == units => Ok(trial.bytes_per_s),
        Some(_) => Err(OpenUnits::Foreign),
    };
    let mut walk = || -> Result<OpenUnits, OpenUnits> {
        let mut one = take(1, 0)?;
        let mut fast = 1;
        let mut slow: Option<(u32, f64)> = None;
        loop {
            let units = match slow {
                None if fast >= most => return Ok(OpenUnits::NoLimit { tried: fast }),
                None => (fast * 2).min(most),
                Some((slow, slow_share)) if slow - fast == 1 => {
                    return Ok(OpenUnits::Limit { fast, slow_share });
                }
                Some((slow, _)) => u32::midpoint(fast, slow),
            };
            let is_slow = |speed: f64, one: f64| speed < one * SLOW_SHARE;
            let mut speed = take(units, fast)?;
            if is_slow(speed, one) {
                one = take(1, fast)?;
                speed = take(units, fast)?;
            }
            match is_slow(speed, one) {
                true => slow = Some((units, speed / one)),
                false => fast = units,
            }
        }
    };
    walk().unwrap_or_else(|early| early)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the search on a drive whose speed is a function of the trial's index and the number of units.
    fn search_on(most: u32, speed: impl Fn(usize, u32) -> f64) -> (OpenUnits, Vec<u32>) {
        let mut trials = Vec::new();
        loop {
            match search(&trials, most) {
                OpenUnits::Try { units, .. } => {
                    assert!(trials.len() < 40, "the search does not end");
                    trials.push(Trial { units, bytes_per_s: speed(trials.len(), units) });
                }
                answer => return (answer, trials.iter().map(|trial| trial.units).collect()),
            }
        }
    }

    fn limited(limit: u32) -> impl Fn(usize, u32) -> f64 {
        move |_, units| if units <= limit { 30e6 } else { 3e6 }
    }

    #[test]
    fn each_limit_is_found_exactly() {
        for limit in 1..16 {
            let (answer, _) = search_on(16, limited(limit));
            assert_eq!(answer, OpenUnits::Limit { fast: limit, slow_share: 0.1 });
        }
        for limit in [16, 17, 1_000] {
            assert_eq!(search_on(16, limited(limit)).0, OpenUnits::NoLimit { tried: 16 });
        }
        assert_eq!(search_on(12, limited(11)).0, OpenUnits::Limit { fast: 11, slow_share: 0.1 });
        assert_eq!(search_on(1, limited(1)).0, OpenUnits::NoLimit { tried: 1 });
    }

    #[test]
    fn slow_numbers_are_tried_again_next_to_one_unit() {
        let (_, tried) = search_on(16, limited(4));
        assert_eq!(tried, [1, 2, 4, 8, 1, 8, 6, 1, 6, 5, 1, 5]);
    }

    #[test]
    fn a_drive_that_becomes_slow_for_good_has_no_limit() {
        for falls_at in 1..8 {
            let speed = |nth, _| if nth < falls_at { 24e6 } else { 8e6 };
            assert_eq!(search_on(16, speed).0, OpenUnits::NoLimit { tried: 16 }, "{falls_at}");
        }
    }

    #[test]
    fn a_single_slow_trial_is_not_a_limit() {
        for bad in 0..8 {
            let speed = |nth, _| if nth == bad { 5e6 } else { 30e6 };
            assert_eq!(search_on(16, speed).0, OpenUnits::NoLimit { tried: 16 }, "{bad}");
        }
    }

    #[test]
    fn a_cache_that_fills_up_during_the_search_does_not_hide_the_limit() {
        for falls_at in 0..10 {
            let speed = |nth, units| limited(4)(nth, units) / if nth < falls_at { 1.0 } else { 3.0 };
            let (answer, _) = search_on(16, speed);
            assert!(matches!(answer, OpenUnits::Limit { fast: 4, .. }), "{falls_at}: {answer:?}");
        }
    }

    #[test]
    fn unrequested_trials_give_no_result() {
        let trial = |units| Trial { units, bytes_per_s: 1e6 };
        assert_eq!(search(&[trial(2)], 16), OpenUnits::Foreign);
        assert_eq!(search(&[trial(1), trial(4)], 16), OpenUnits::Foreign);
        assert_eq!(search(&[], 16), OpenUnits::Try { units: 1, fast: 0 });
        assert_eq!(search(&[trial(1)], 16), OpenUnits::Try { units: 2, fast: 1 });
        assert_eq!(search(&[trial(1), trial(2), trial(4)], 16), OpenUnits::Try { units: 8, fast: 4 });
    }
}
