//! Workers that give no sign of life for longer than they may.

use cardiograph_core::workload::{Arrivals, Rate};
use cardiograph_core::{Direction, NS_PER_S};

use super::blueprint::Blueprint;
use super::course::Course;
use crate::clock::Clock;
use crate::recorder::Stage;

/// The slowest drive for which a final sync is waited out, in bytes per second.
const SLOWEST_BYTES_PER_S: u64 = 1_000_000;

/// What was last seen of a worker.
#[derive(Debug, Clone, Copy)]
struct Sign {
    completions: u64,
    /// When they were last seen to have become more, in ticks.
    at: u64,
}

/// Looks for signs of life of a run's workers.
pub(super) struct Silence {
    /// By number; `None` before a worker begins.
    signs: Vec<Option<Sign>>,
    /// How many workers were left when they were last counted.
    left: usize,
    /// When that was last seen to have become less, in ticks: what let one end may let the others wait, as a drive does that
    /// answers one after the other.
    one_ended_at: u64,
}

impl Silence {
    /// For a run of so many workers, none of which has begun.
    pub fn new(workers: usize) -> Self {
        Self { signs: vec![None; workers], left: 0, one_ended_at: 0 }
    }

    /// Notes that a worker begins at `now` (ticks).
    pub fn begin(&mut self, worker: usize, now: u64) {
        self.signs[worker] = Some(Sign { completions: 0, at: now });
    }

    /// Looks at `now` (ticks). Returns whether no worker that is left has given a sign of life for longer than it may.
    /// What workers wait for may be something else than the drive; then all are taken to be alive.
    pub fn all_are_hanging(&mut self, course: &Course<'_>, now: u64, may_wait: bool) -> bool {
        let mut all = course.working > 0;
        if course.working < self.left {
            self.one_ended_at = now;
        }
        self.left = course.working;
        for (worker, blueprint) in course.at_work() {
            let Some(sign) = &mut self.signs[worker] else { continue };
            let completions = blueprint.recorder.completions();
            let count_from = blueprint.recorder.count_from();
            // Before it counts, nobody knows what it should have done; reading ahead and commands take their time.
            let workload = &blueprint.workload;
            let takes_its_time = workload.files.pre_read || workload.commands.before.is_some();
            let is_early = if count_from == 0 { takes_its_time } else { now < count_from };
            let is_early = is_early && course.stopped_at.is_none();
            // One that has ended may be waiting for its command.
            let is_left = blueprint.recorder.is_in(Stage::Leaving);
            if completions != sign.completions || is_early || is_left || may_wait {
                *sign = Sign { completions, at: now };
            }
            let (since, allowed_ns) = allowed(course, blueprint, now);
            let heard_at = sign.at.max(since).max(self.one_ended_at);
            all &= course.clock.ns_between(heard_at, now) > allowed_ns;
        }
        all
    }

    /// When the last worker will have been silent for as long as it may, in ticks, if nothing happens after `now`.
    pub fn longest_from(&self, course: &Course<'_>, now: u64) -> u64 {
        let ends = course.at_work().map(|(_, blueprint)| {
            let end_of = |at: u64| {
                let (since, allowed_ns) = allowed(course, blueprint, at);
                now.max(since).saturating_add(course.clock.ticks(allowed_ns))
            };
            // By the end of its silence it may have passed its own end, from when on it has the grace time.
            end_of(end_of(now))
        });
        ends.max().unwrap_or(now)
    }
}

/// From when on silence counts (ticks), and how much of it is allowed (nanoseconds). A worker that should have ended
/// gets the grace time from that moment on; a final sync gets time for what it has to bring to the drive; a worker that
/// keeps a pace, the time between two I/Os.
fn allowed(course: &Course<'_>, blueprint: &Blueprint, now: u64) -> (u64, u64) {
    let (control, recorder) = (course.request.control, &blueprint.recorder);
    if recorder.is_in(Stage::Closing) || recorder.is_in(Stage::Verifying) {
        // What is to be read back is synced first.
        let (_, written_bytes) = recorder.totals(Direction::Write);
        let sync_ns = (written_bytes / SLOWEST_BYTES_PER_S).saturating_mul(NS_PER_S);
        return (0, control.silence_ns_max.saturating_add(sync_ns));
    }
    if recorder.count_from() == 0 && course.stopped_at.is_none() {
        // Cached pages are dropped as the files are opened, and written before that.
        let files_bytes: u64 = blueprint.files.iter().map(|file| file.region_len_bytes).sum();
        let sync_ns = (files_bytes / SLOWEST_BYTES_PER_S).saturating_mul(NS_PER_S);
        return (0, control.silence_ns_max.saturating_add(sync_ns));
    }
    let time_ns = blueprint.workload.stop.time_ns.unwrap_or(u64::MAX);
    let due_at = recorder.count_from().saturating_add(course.clock.ticks(time_ns));
    match course.stopped_at {
        Some(stopped_at) => (stopped_at.min(due_at), control.grace_ns),
        None if now > due_at => (due_at, control.grace_ns),
        None => (0, control.silence_ns_max.saturating_add(pace_ns(blueprint, &course.clock))),
    }
}

/// The longest time between two I/Os that limits of speed and pauses ask for, in nanoseconds.
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
        // Of exponential distances one in 10^13 is thirty times the mean.
        Arrivals::Poisson => even_ns.saturating_mul(30),
    };
    let think_ns = workload
        .think
        .map_or(0, |think| think.pause_ns.max(think.spin_ns).saturating_add(clock.ns(think.cycles)));
    rate_ns.saturating_add(think_ns)
}
