//! The step of all hosts, from their own.
//!
//! Hosts start together, at a moment that is known on each one's clock to within an uncertainty, and end when their own
//! work is done. A rate of all is therefore the sum over the *common window* only: from the last start to the first end.
//! Counts and histograms are sums of everything, so that they are those of the same I/Os in one process.

use super::{ClockOffset, CommonWindow, FleetStep, HostDirection, HostStep};
use crate::direction::{Direction, PerDirection};
use crate::estimate::Estimate;
use crate::figures::{LatencyFigures, StepFigures};
use crate::outcome::StepOutcome;
use crate::report::StepResult;
use crate::result::{RunResult, WorkerResult};
use crate::series::{Interval, Series};

/// Columns that a host's rates over time have at most: a heat map's width.
const COLUMNS_MAX: usize = 120;

/// A host's run of a step.
#[derive(Debug, Clone, Copy)]
pub struct HostRun<'a> {
    /// Its rank.
    pub rank: usize,
    /// Its result.
    pub result: &'a StepResult,
    /// Its clock.
    pub clock: ClockOffset,
}

/// The step of all hosts, from their runs in order of rank. It has one worker for each job. What happened on one host only
/// (its failures, its drive's counters) is in its own Report.
///
/// Simulated hosts start at the same moment.
pub fn join(runs: &[HostRun<'_>]) -> StepResult {
    // What was run is the same on all; one that failed may not know.
    let Some(first) = runs.iter().find(|run| run.result.result.is_some()).or(runs.first()) else {
        return StepResult::default();
    };
    let starts: Vec<Option<u64>> = runs.iter().map(HostRun::start_ns).collect();
    let base_ns = starts.iter().flatten().copied().min().unwrap_or(0);
    let hosts: Vec<Shifted<'_>> = runs
        .iter()
        .zip(starts)
        .map(|(run, start_ns)| Shifted { run, skew_ns: start_ns.unwrap_or(base_ns) - base_ns })
        .collect();
    let common = common_window(&hosts);
    let result = merged(&hosts);
    let figures = first.result.figures.as_ref().and(result.as_ref()).map(|result| {
        let (mut figures, series) = (StepFigures::from_result(result), result.series());
        for of in &mut figures.directions {
            let (bytes, ios) = rates(&series, of.direction, common);
            of.bandwidth_bytes_per_s = bytes.unwrap_or(of.bandwidth_bytes_per_s);
            of.iops = ios.unwrap_or(of.iops);
        }
        figures
    });
    StepResult {
        step: first.result.step.clone(),
        outcome: worst(runs),
        fio_commands: first.result.fio_commands.clone(),
        jobs: first.result.jobs.clone(),
        figures,
        result,
        fleet: Some(Box::new(FleetStep {
            common,
            hosts: hosts.iter().map(|host| host.share(common)).collect(),
        })),
        ..StepResult::default()
    }
}

/// The outcome that decides: the first host's that did not do everything.
fn worst(runs: &[HostRun<'_>]) -> StepOutcome {
    let seriousness = |outcome: &StepOutcome| match outcome {
        StepOutcome::Done => 0,
        StepOutcome::Interrupted => 1,
        StepOutcome::Failed { .. } => 2,
        StepOutcome::Hung => 3,
    };
    let mut worst = &StepOutcome::Done;
    for HostRun { result, .. } in runs {
        if seriousness(&result.outcome) > seriousness(worst) {
            worst = &result.outcome;
        }
    }
    worst.clone()
}

impl HostRun<'_> {
    /// When it started, on rank 0's clock; `None` in simulated time, and if it did not start.
    fn start_ns(&self) -> Option<u64> {
        let started_ns = self.result.result.as_ref()?.started_monotonic_ns?;
        Some(self.clock.to_rank_0(started_ns))
    }
}

/// A host's run on the time line of all.
struct Shifted<'a> {
    run: &'a HostRun<'a>,
    skew_ns: u64,
}

impl Shifted<'_> {
    /// Its workers that did I/O.
    fn workers(&self) -> impl Iterator<Item = &WorkerResult> {
        let workers = self.run.result.result.iter().flat_map(|result| &result.workers);
        workers.filter(|worker| {
            Direction::DATA.into_iter().any(|direction| worker.directions[direction].ios > 0)
        })
    }

    /// When all its workers were at work, on the time line of all.
    fn at_work(&self) -> Option<CommonWindow> {
        let begin_ns = self.workers().map(|worker| worker.start_ns).max()?;
        let end_ns = self.workers().map(|worker| worker.end_ns).min()?;
        Some(CommonWindow { begin_ns: begin_ns + self.skew_ns, end_ns: end_ns + self.skew_ns })
    }

    /// The sum of its workers' windows, on the grid of all.
    fn series(&self) -> Series {
        let mut sum = Series::default();
        self.workers().for_each(|worker| sum.merge(&on_grid(worker, self.skew_ns)));
        sum
    }

    fn share(&self, common: Option<CommonWindow>) -> HostStep {
        let HostRun { rank, result, clock } = *self.run;
        let series = self.series();
        let merged = result.result.as_ref().map(|result| result.merged(|_| true)).unwrap_or_default();
        let directions = Direction::DATA.into_iter().filter_map(|direction| {
            let of = &merged[direction];
            let (bytes, ios) = rates(&series, direction, common);
            let together = series.rows[direction].len().div_ceil(COLUMNS_MAX).max(1);
            let columns = series.coarser(together);
            Some(HostDirection {
                direction,
                ios: of.ios,
                bytes: of.bytes,
                bandwidth_bytes_per_s: bytes.unwrap_or_else(|| Estimate::bare(of.bandwidth_bytes_per_s(), 1)),
                iops: ios.unwrap_or_else(|| Estimate::bare(of.iops(), 1)),
                latency: LatencyFigures::from_latency(of.total())?,
                column_ns: columns.window_ns,
                columns_bytes: columns.rows[direction].iter().map(|row| row.bytes).collect(),
            })
        });
        HostStep {
            rank,
            outcome: result.outcome.clone(),
            skew_ns: self.skew_ns,
            skew_uncertainty_ns: clock.uncertainty_ns,
            end_ns: self.workers().map(|worker| worker.end_ns + self.skew_ns).max().unwrap_or(0),
            directions: directions.collect(),
            cpu: result.result.as_ref().and_then(RunResult::cpu),
        }
    }
}

/// How many windows after the first host a worker began.
fn windows_late(worker: &WorkerResult, skew_ns: u64) -> usize {
    let (late_ns, window_ns) = (worker.start_ns.saturating_add(skew_ns), worker.series.window_ns);
    late_ns.saturating_add(window_ns / 2).checked_div(window_ns).unwrap_or(0) as usize
}

/// A worker's windows, moved to the grid that starts with the first host: to the nearest window, as starts differ by less than
/// one.
fn on_grid(worker: &WorkerResult, skew_ns: u64) -> Series {
    let (series, windows) = (&worker.series, windows_late(worker, skew_ns));
    if windows == 0 {
        return series.clone();
    }
    let mut moved = series.without_latency();
    for direction in Direction::ALL {
        let rows = &mut moved.rows[direction];
        if !rows.is_empty() {
            rows.splice(0..0, std::iter::repeat_n(Interval::default(), windows));
        }
    }
    moved.duration_ns = moved.duration_ns.saturating_add(series.window_ns.saturating_mul(windows as u64));
    moved
}

/// From the last start to the first end of all hosts that did I/O.
fn common_window(hosts: &[Shifted<'_>]) -> Option<CommonWindow> {
    let both = |a: CommonWindow, b: CommonWindow| CommonWindow {
        begin_ns: a.begin_ns.max(b.begin_ns),
        end_ns: a.end_ns.min(b.end_ns),
    };
    hosts.iter().filter_map(Shifted::at_work).reduce(both).filter(|common| common.begin_ns < common.end_ns)
}

/// Bytes and I/Os per second of a direction, over the whole windows in the common window; `None` if there are none.
fn rates(
    series: &Series,
    direction: Direction,
    common: Option<CommonWindow>,
) -> (Option<Estimate>, Option<Estimate>) {
    let Some(common) = common.filter(|_| series.window_ns > 0) else { return (None, None) };
    let (begin, end) = (common.begin_ns.div_ceil(series.window_ns), common.end_ns / series.window_ns);
    let of = |values: Vec<f64>| {
        let within = values.get(begin as usize..values.len().min(end as usize))?;
        (!within.is_empty()).then(|| Estimate::rate(crate::stats::mean(within), within))
    };
    (of(series.bandwidth_bytes_per_s(direction)), of(series.iops(direction)))
}

/// One run with the I/O of all hosts, a worker for each job; `None` if no host ran.
fn merged(hosts: &[Shifted<'_>]) -> Option<RunResult> {
    let first = hosts.iter().find_map(|host| host.run.result.result.as_ref())?;
    let mut all = RunResult { clock: first.clock.clone(), ..RunResult::default() };
    let mut moved = Vec::new();
    for host in hosts {
        let Some(result) = &host.run.result.result else { continue };
        all.outcome = all.outcome.max(result.outcome);
        all.duration_ns = all.duration_ns.max(result.duration_ns.saturating_add(host.skew_ns));
        let unknown = result.notes.iter().filter(|note| !all.notes.contains(note)).cloned();
        all.notes.extend(unknown.collect::<Vec<_>>());
        all.pauses.extend(result.pauses.iter().map(|pause| crate::pause::Pause {
            begin_ns: pause.begin_ns.saturating_add(host.skew_ns),
            ..*pause
        }));
        for worker in &result.workers {
            add(&mut all.workers, worker, host.skew_ns);
            moved.extend((windows_late(worker, host.skew_ns) > 0).then_some(worker.job));
        }
    }
    // Rows of a second do not align with those of a host that began later: a sum would lack its own.
    let late = all.workers.iter_mut().filter(|worker| moved.contains(&worker.job));
    late.for_each(|worker| worker.series.latency = PerDirection::default());
    Some(all)
}

/// Adds a host's worker to that of its job.
fn add(workers: &mut Vec<WorkerResult>, worker: &WorkerResult, skew_ns: u64) {
    let series = on_grid(worker, skew_ns);
    let end_ns = worker.end_ns.saturating_add(skew_ns);
    let Some(sum) = workers.iter_mut().find(|sum| sum.job == worker.job) else {
        return workers.push(WorkerResult { clone: 0, start_ns: 0, end_ns, series, ..worker.clone() });
    };
    sum.outcome = sum.outcome.max(worker.outcome);
    sum.end_ns = sum.end_ns.max(end_ns);
    for direction in Direction::ALL {
        sum.directions[direction].merge(&worker.directions[direction]);
    }
    sum.series.merge(&series);
    sum.longest_gap_ns = sum.longest_gap_ns.max(worker.longest_gap_ns);
    sum.cpu = sum.cpu.zip(worker.cpu).map(|(sum, more)| sum.plus(more));
    sum.failure = sum.failure.or(worker.failure);
    sum.failed_command = sum.failed_command.take().or_else(|| worker.failed_command.clone());
    sum.missed_rate = sum.missed_rate.or(worker.missed_rate);
    sum.slow_io = sum.slow_io.take().or_else(|| worker.slow_io.clone());
    sum.found_depth = sum.found_depth.or(worker.found_depth);
    if let Some(errors) = &worker.tolerated {
        let all = sum.tolerated.get_or_insert_default();
        all.total = all.total.saturating_add(errors.total);
        (all.first, all.last) = (all.first.or(errors.first), errors.last.or(all.last));
    }
    if let Some(verified) = &worker.verified {
        sum.verified.get_or_insert_default().merge(verified.clone());
    }
    sum.depths.merge(&worker.depths);
    sum.phases = sum.phases.max_of(worker.phases);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NS_PER_MS;
    use crate::report::Step;
    use crate::series::over_time::LatencyRow;

    const WINDOW_NS: u64 = 100 * NS_PER_MS;
    /// Bytes of an I/O.
    const LEN_BYTES: u64 = 4096;

    /// A host: how far its clock is ahead in nanoseconds, when it starts and how long it runs in windows, and I/Os a window.
    type Asked = (i64, u64, u64, u64);

    /// A host whose clock is `ahead_ns` ahead of rank 0's, and that read `ios` in each of `windows` from `start_ns` of rank 0's
    /// clock on.
    fn host(ahead_ns: i64, start_ns: u64, windows: u64, ios: u64) -> (StepResult, ClockOffset) {
        let clock = ClockOffset { offset_ns: -ahead_ns, uncertainty_ns: 10 };
        let mut worker = WorkerResult { end_ns: windows * WINDOW_NS, ..WorkerResult::default() };
        let row =
            Interval { ios, bytes: ios * LEN_BYTES, latency_ns_sum: ios * 1_000, latency_ns_max: 1_000 };
        worker.series.window_ns = WINDOW_NS;
        worker.series.duration_ns = worker.end_ns;
        worker.series.rows.read = vec![row; windows as usize];
        worker.series.latency.read =
            vec![LatencyRow { counts: vec![(7, ios * 10)] }; windows.div_ceil(10) as usize];
        let read = &mut worker.directions.read;
        (read.ios, read.bytes, read.runtime_ns) = (windows * ios, windows * ios * LEN_BYTES, worker.end_ns);
        (0..read.ios).for_each(|at| read.completion.record(1_000 + at % 7 * ios));
        let result = RunResult {
            duration_ns: worker.end_ns,
            started_monotonic_ns: Some(clock.from_rank_0(start_ns)),
            workers: vec![worker],
            ..RunResult::default()
        };
        let figures = Some(StepFigures::from_result(&result));
        let step = StepResult {
            figures,
            result: Some(result),
            ..StepResult::new(Step::default(), StepOutcome::Done)
        };
        (step, clock)
    }

    fn joined(hosts: &[(StepResult, ClockOffset)]) -> StepResult {
        let run =
            |(rank, (result, clock)): (usize, &'_ (StepResult, ClockOffset))| (rank, result.clone(), *clock);
        let runs: Vec<_> = hosts.iter().enumerate().map(run).collect();
        let runs: Vec<_> =
            runs.iter().map(|(rank, result, clock)| HostRun { rank: *rank, result, clock: *clock }).collect();
        join(&runs)
    }

    #[test]
    fn a_rate_is_over_the_time_in_which_all_measured_and_counts_are_of_everything() {
        let ms = |windows: u64| Some(CommonWindow { begin_ns: 0, end_ns: windows * WINDOW_NS });
        let late = Some(CommonWindow { begin_ns: 3 * WINDOW_NS, end_ns: 20 * WINDOW_NS });
        // Of each host: its clock, start, windows, I/Os a window; then the common window and I/Os a window in it.
        let cases: [(&[Asked], _, u64); 5] = [
            (&[(0, 0, 20, 5)], ms(20), 5),
            (&[(0, 0, 20, 5), (7_000_000_000, 0, 20, 3)], ms(20), 8),
            (&[(0, 0, 20, 5), (-9_000_000_000, 3, 20, 3)], late, 8),
            (&[(0, 0, 20, 5), (0, 0, 15, 3), (1, 0, 17, 2)], ms(15), 10),
            (&[(0, 0, 20, 5), (0, 30, 20, 3)], None, 0),
        ];
        for (hosts, common, ios) in cases {
            let base_ns = 50_000_000_000;
            let in_a_window: u64 = hosts.iter().map(|&(_, _, _, ios)| ios).sum();
            let hosts: Vec<_> = hosts
                .iter()
                .map(|&(ahead_ns, late, windows, ios)| {
                    host(ahead_ns, base_ns + late * WINDOW_NS, windows, ios)
                })
                .collect();
            let joined = joined(&hosts);
            let fleet = joined.fleet.as_ref().unwrap();
            assert_eq!(fleet.common, common);
            let figures = joined.figures.as_ref().unwrap().direction(Direction::Read).unwrap();
            if common.is_some() {
                assert_eq!(figures.iops.value, ios as f64 * 10.0, "{hosts:?}");
                let of_each: f64 = fleet.hosts.iter().map(|host| host.directions[0].iops.value).sum();
                assert_eq!(of_each, figures.iops.value);
            }
            let mut sum = crate::histogram::Latency::default();
            for (result, _) in &hosts {
                sum.merge(&result.result.as_ref().unwrap().workers[0].directions.read.completion);
            }
            let [all] = &joined.result.as_ref().unwrap().workers[..] else { panic!("one worker a job") };
            assert_eq!(all.directions.read.completion, sum);
            assert_eq!(all.directions.read.ios, sum.n());
            let rows = all.series.rows.read.iter().map(|row| row.ios).sum::<u64>();
            assert_eq!(rows, sum.n(), "no window is lost");
            let seconds: Vec<u64> = all.series.latency.read.iter().map(LatencyRow::len).collect();
            let are_late = hosts.len() > 1 && fleet.hosts.iter().any(|host| host.skew_ns > WINDOW_NS / 2);
            assert_eq!(seconds.is_empty(), are_late, "seconds of all, or of none");
            assert!(are_late || seconds[0] == in_a_window * 10, "{seconds:?}");
        }
    }

    #[test]
    fn a_host_that_has_no_result_takes_nothing_from_the_others() {
        let message = crate::message!("save-late");
        let lost = StepResult::new(Step::default(), StepOutcome::Failed { message });
        for rank in 0..3 {
            let mut hosts = vec![host(0, 5, 20, 5); 3];
            hosts[rank].0 = lost.clone();
            let all = joined(&hosts);
            assert_eq!(all.outcome, lost.outcome);
            assert_eq!(all.figures.unwrap().direction(Direction::Read).unwrap().iops.value, 100.0, "{rank}");
            let outcomes: Vec<_> = all.fleet.unwrap().hosts.into_iter().map(|host| host.outcome).collect();
            assert_eq!(outcomes, hosts.iter().map(|(host, _)| host.outcome.clone()).collect::<Vec<_>>());
        }
    }
}
