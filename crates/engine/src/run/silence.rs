//! Detects workers without a sign of life.

use cardiograph_core::workload::{Arrivals, Rate};
use cardiograph_core::{Direction, NS_PER_S};

use super::blueprint::Blueprint;
use super::run_state::RunState;
use crate::clock::Clock;
use crate::recorder::Stage;

/// The slowest drive whose final sync is awaited, in bytes per second.
const SLOWEST_BYTES_PER_S: u64 = 1_000_000;

/// Last sign of life of a worker.
#[derive(Debug, Clone, Copy)]
struct Sign {
    completions: u64,
    /// When the number last increased, in ticks.
    at: u64,
}

/// Monitors the workers of a run for signs of life.
pub(super) struct Silence {
    /// Indexed by worker; `None` before the worker begins.
    signs: Vec<Option<Sign>>,
    /// Number of workers left at the last check.
    left: usize,
    /// When that last decreased, in ticks: others may be waiting for the same thing, such as a drive that
    /// responds to one after another.
    one_ended_at: u64,
}

impl Silence {
    /// For a run of `workers` workers, none of which has begun.
    pub fn new(workers: usize) -> Self {
        Self { signs: vec![None; workers], left: 0, one_ended_at: 0 }
    }

    /// Notes that a worker begins at `now` (ticks).
    pub fn begin(&mut self, worker: usize, now: u64) {
        self.signs[worker] = Some(Sign { completions: 0, at: now });
    }

    /// Checks at `now` (ticks). Returns whether all remaining workers have exceeded their allowed silence.
    /// With `may_wait` they may be waiting for something other than the drive, and count as alive.
    pub fn all_are_hanging(&mut self, state: &RunState<'_>, now: u64, may_wait: bool) -> bool {
        let mut all = state.working > 0;
        if state.working < self.left {
            self.one_ended_at = now;
        }
        self.left = state.working;
        for (worker, blueprint) in state.at_work() {
            let Some(sign) = &mut self.signs[worker] else { continue };
            let completions = blueprint.recorder.completions();
            let count_from = blueprint.recorder.count_from();
            // Progress cannot be judged before the worker counts; pre-reading and commands take time.
            let workload = &blueprint.workload;
            let takes_its_time = workload.files.pre_read || workload.commands.before.is_some();
            let is_early = if count_from == 0 { takes_its_time } else { now < count_from };
            let is_early = is_early && state.stopped_at.is_none();
            // A worker that has ended may be waiting for its command.
            let is_left = blueprint.recorder.is_in(Stage::Leaving);
            if completions != sign.completions || is_early || is_left || may_wait {
                *sign = Sign { completions, at: now };
            }
            let (since, allowed_ns) = allowed(state, blueprint, now);
            let heard_at = sign.at.max(since).max(self.one_ended_at);
            all &= state.clock.ns_between(heard_at, now) > allowed_ns;
        }
        all
    }

    /// When the last worker will have exceeded its allowed silence, in ticks, if nothing happens after `now`.
    pub fn longest_from(&self, state: &RunState<'_>, now: u64) -> u64 {
        let ends = state.at_work().map(|(_, blueprint)| {
            let end_of = |at: u64| {
                let (since, allowed_ns) = allowed(state, blueprint, at);
                now.max(since).saturating_add(state.clock.ticks(allowed_ns))
            };
            // By then it may have passed its own end, which starts the grace period.
            end_of(end_of(now))
        });
        ends.max().unwrap_or(now)
    }
}

/// Start (ticks) and allowed length (nanoseconds) of silence. A worker that should have ended gets the grace
/// period from that moment; a final sync also gets time for the data to flush; a paced worker also gets the
/// time between two I/Os.
fn allowed(state: &RunState<'_>, blueprint: &Blueprint, now: u64) -> (u64, u64) {
    let (control, recorder) = (state.request.control, &blueprint.recorder);
    if recorder.is_in(Stage::Closing) || recorder.is_in(Stage::Verifying) {
        // Data to be read back is synced first.
        let (_, written_bytes) = recorder.totals(Direction::Write);
        let sync_ns = (written_bytes / SLOWEST_BYTES_PER_S).saturating_mul(NS_PER_S);
        return (0, control.silence_ns_max.saturating_add(sync_ns));
    }
    if recorder.count_from() == 0 && state.stopped_at.is_none() {
        // Cached pages are dropped when the files are opened, after writing them back.
        let files_bytes: u64 = blueprint.files.iter().map(|file| file.region_len_bytes).sum();
        let sync_ns = (files_bytes / SLOWEST_BYTES_PER_S).saturating_mul(NS_PER_S);
        return (0, control.silence_ns_max.saturating_add(sync_ns));
    }
    let time_ns = blueprint.workload.stop.time_ns.unwrap_or(u64::MAX);
    let due_at = recorder.count_from().saturating_add(state.clock.ticks(time_ns));
    match state.stopped_at {
        Some(stopped_at) => (stopped_at.min(due_at), control.grace_ns),
        None if now > due_at => (due_at, control.grace_ns),
        None => (0, control.silence_ns_max.saturating_add(pace_ns(blueprint, &state.clock))),
    }
}

/// The longest time between two I/Os due to rate limits and pauses, in nanoseconds.
fn pace_ns(blueprint: &Blueprint, clock: &Clock) -> u64 {
    let workload = &blueprint.workload;
    let len_bytes = workload.block_len_bytes_max();
    let between = |rate: &Option<Rate>| match *rate {
        Some(Rate::Bytes { per_second, .. }) => len_bytes.saturating_mul(NS_PER_S).checked_div(per_second),
        Some(Rate::Ios { per_second, .. }) => NS_PER_S.checked_div(per_second),
        None => None,
    };
    let even_ns = workload.rate.iter().filter_map(|(_, rate)| between(rate)).max().unwrap_or(0);
    let rate_ns = match workload.arrivals {
        Arrivals::Even => even_ns,
        // One exponential interval in 10^13 exceeds thirty times the mean.
        Arrivals::Poisson => even_ns.saturating_mul(30),
    };
    let think_ns = workload
        .think
        .map_or(0, |think| think.pause_ns.max(think.spin_ns).saturating_add(clock.ns(think.cycles)));
    rate_ns.saturating_add(think_ns)
}
