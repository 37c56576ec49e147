//! Context of a figure: what limited it and how reliable it is.

use cardiograph_core::NS_PER_S;
use cardiograph_core::counters::CounterOutcome;
use cardiograph_core::direction::Direction;
use cardiograph_core::drive::{ConditionsOfStep, Drive, Environment};
use cardiograph_core::figures::{DirectionFigures, StepFigures};
use cardiograph_core::report::StepResult;
use cardiograph_core::series::Spread;
use cardiograph_core::trust::Standing;

/// From this share of the link's ceiling on, the link is the limit: protocols take the rest (USB Attached
/// SCSI, NVMe and SD leave some 85 to 95 % of a wire's rate for data).
pub const LINK_SHARE_NEAR: f64 = 0.85;
/// From this share of the link's ceiling on, something other than the drive must have answered. Clocks are
/// reported in whole MHz.
pub const LINK_SHARE_IMPOSSIBLE: f64 = 1.05;
/// From this share of the workers' available CPU time on, or of their rate without a device, they are the
/// limit.
pub const HARNESS_SHARE_MAX: f64 = 0.9;

/// Combined ceiling of the links of all drives of a stack, in bytes per second. `None` if one of them is
/// unknown.
pub fn ceiling_bytes_per_s(drive: &Drive) -> Option<u64> {
    let ceilings = drive.leaves.iter().map(|leaf| leaf.link.as_ref()?.ceiling_bytes_per_s);
    let ceilings: Vec<u64> = ceilings.collect::<Option<_>>()?;
    (!ceilings.is_empty()).then(|| ceilings.iter().sum())
}

/// The standing of each direction of a step, in the order of its figures.
pub fn standings(step: &StepResult, drive: &Drive, environment: &Environment) -> Vec<Standing> {
    let Some(figures) = &step.figures else { return Vec::new() };
    let workers = WorkersLimit::from_step(step, figures, environment);
    let standing = |each: &DirectionFigures| {
        let link_share = ceiling_bytes_per_s(drive)
            .filter(|_| !drive.simulated)
            .map(|ceiling| each.bandwidth_bytes_per_s.value / ceiling as f64);
        Standing {
            direction: each.direction,
            reached_device: reached_device(step, each.direction, link_share),
            durable: (each.direction == Direction::Write)
                .then(|| step.jobs.iter().all(|job| job.workload.is_durable())),
            steady: (each.direction == Direction::Write)
                .then(|| figures.fall_off.as_ref().filter(|search| search.searched_bytes > 0))
                .flatten()
                .map(|search| {
                    search.found.is_none()
                        && each
                            .windows
                            .as_ref()
                            .is_none_or(|windows| is_steady(&windows.bandwidth_bytes_per_s))
                }),
            throttled: step.conditions.as_ref().and_then(ConditionsOfStep::throttled),
            link_limited: link_share.map(|share| (LINK_SHARE_NEAR..LINK_SHARE_IMPOSSIBLE).contains(&share)),
            harness_limited: workers.as_ref().map(|limit| limit.is_reached(each)),
        }
    };
    figures.directions.iter().map(standing).collect()
}

/// Standard deviation up to which a speed is called steady, as a share of the mean.
pub const STEADY_DEVIATION: f64 = 0.1;

/// Whether a speed is steady over its windows.
pub fn is_steady(windows: &Spread) -> bool {
    windows.stdev <= STEADY_DEVIATION * windows.mean
}

fn reached_device(step: &StepResult, direction: Direction, link_share: Option<f64>) -> Option<bool> {
    if link_share.is_some_and(|share| share >= LINK_SHARE_IMPOSSIBLE) {
        return Some(false);
    }
    let check = step.counter_checks.iter().find(|check| check.direction == direction)?;
    Some(check.outcome != CounterOutcome::Contradicts)
}

/// Maximum rates of a step's workers.
struct WorkersLimit {
    /// Whether their CPU time is used up.
    is_busy: bool,
    /// I/Os per second of all of them without a drive.
    ios_per_s_max: Option<f64>,
    /// Rate at which all of them can generate content, in bytes per second.
    content_bytes_per_s_max: Option<f64>,
    /// I/Os per second that all directions together reached.
    ios_per_s: f64,
}

impl WorkersLimit {
    /// `None` if neither CPU time nor calibration is known.
    fn from_step(step: &StepResult, figures: &StepFigures, environment: &Environment) -> Option<Self> {
        let calibration = environment.calibration.as_ref();
        if figures.cpu_per_io.is_none() && calibration.is_none() {
            return None;
        }
        let workers = step.result.as_ref()?.workers.len() as f64;
        let at_once = calibration.map_or(workers, |found| workers.min(f64::from(found.cpus)));
        let ios_per_s: f64 = figures.directions.iter().map(|each| each.iops.value).sum();
        let busy = figures
            .cpu_per_io
            .as_ref()
            .map(|cpu| (cpu.user_ns + cpu.system_ns) * ios_per_s / NS_PER_S as f64);
        Some(Self {
            is_busy: busy.is_some_and(|busy| busy >= HARNESS_SHARE_MAX * at_once),
            ios_per_s_max: calibration.map(|found| found.ios_per_s_max * at_once),
            content_bytes_per_s_max: calibration.map(|found| found.content_bytes_per_s_max * at_once),
            ios_per_s,
        })
    }

    fn is_reached(&self, figures: &DirectionFigures) -> bool {
        let is_near = |value: f64, max: Option<f64>| max.is_some_and(|max| value >= HARNESS_SHARE_MAX * max);
        let makes_content = figures.direction == Direction::Write;
        self.is_busy
            || is_near(self.ios_per_s, self.ios_per_s_max)
            || (makes_content && is_near(figures.bandwidth_bytes_per_s.value, self.content_bytes_per_s_max))
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::counters::check;
    use cardiograph_core::drive::{Bus, Calibration, DeviceCounters, Leaf, Link, SataLink};
    use cardiograph_core::estimate::Estimate;
    use cardiograph_core::falloff::{FallOff, FallOffSearch};
    use cardiograph_core::figures::{CpuPerIo, LatencyFigures, WindowFigures};
    use cardiograph_core::report::{Step, StepOutcome, Work};
    use cardiograph_core::result::{RunResult, WorkerResult};
    use cardiograph_core::spec::{JobSpec, Origin};
    use cardiograph_jobs::method::ran_jobs;

    use super::*;

    fn estimate(value: f64) -> Estimate {
        Estimate { value, n: 1, n_effective: 1.0, low: None, high: None }
    }

    fn step(direction: Direction, bytes_per_s: f64, settings: &[(&str, &str)]) -> StepResult {
        let job = JobSpec::new("one", Origin::CommandLine { word: 1 });
        let job = settings.iter().fold(job, |job, (name, value)| job.set(name, value));
        let latency = LatencyFigures {
            n: 1,
            min_ns: 1,
            mean_ns: 1.0,
            stdev_ns: 0.0,
            max_ns: 1,
            percentiles: Vec::new(),
        };
        let figures = DirectionFigures {
            direction,
            ios: 1,
            bytes: 1,
            short_ios: 0,
            runtime_ns: NS_PER_S,
            bandwidth_bytes_per_s: estimate(bytes_per_s),
            iops: estimate(bytes_per_s / 4_096.0),
            submission: None,
            completion: latency.clone(),
            total: latency,
            predictability: None,
            windows: None,
        };
        StepResult {
            jobs: ran_jobs(std::slice::from_ref(&job)),
            figures: Some(StepFigures { directions: vec![figures], ..StepFigures::default() }),
            ..StepResult::new(
                Step::measuring("one", cardiograph_core::Message::verbatim("One"), Work::Jobs(vec![job])),
                StepOutcome::Done,
            )
        }
    }

    fn standing(step: &StepResult, drive: &Drive, environment: &Environment) -> Standing {
        standings(step, drive, environment).remove(0)
    }

    fn behind_sata() -> Drive {
        let sata = Link::new(Bus::Sata(SataLink { mbit_per_s: Some(6_000), ..SataLink::default() }));
        Drive { leaves: vec![Leaf { link: Some(sata), ..Leaf::default() }], ..Drive::default() }
    }

    #[test]
    fn a_bare_figure_has_no_standing() {
        let standing = standing(&step(Direction::Read, 1e6, &[]), &Drive::default(), &Environment::default());
        let unknown = Standing {
            direction: Direction::Read,
            reached_device: None,
            durable: None,
            steady: None,
            throttled: None,
            link_limited: None,
            harness_limited: None,
        };
        assert_eq!(standing, unknown);
    }

    #[test]
    fn link_and_counters_show_whether_data_reached_the_drive() {
        let environment = Environment::default();
        for (bytes_per_s, reached, limited) in
            [(300e6, None, Some(false)), (540e6, None, Some(true)), (3e9, Some(false), Some(false))]
        {
            let standing = standing(&step(Direction::Read, bytes_per_s, &[]), &behind_sata(), &environment);
            assert_eq!((standing.reached_device, standing.link_limited), (reached, limited), "{bytes_per_s}");
        }
        let mut counted = step(Direction::Read, 300e6, &[]);
        for (read_bytes, reached) in [(1_000, Some(true)), (10, Some(false))] {
            let counters = DeviceCounters { read_bytes, ..DeviceCounters::default() };
            counted.counter_checks = check(Direction::Read, 1_000, &counters).into_iter().collect();
            let standing = standing(&counted, &behind_sata(), &environment);
            assert_eq!(
                (standing.reached_device, standing.is_contradicted()),
                (reached, reached == Some(false))
            );
        }
        // Two links carry the sum; if one is unknown, so is the sum.
        let mut pair = behind_sata();
        pair.leaves.push(pair.leaves[0].clone());
        assert_eq!(ceiling_bytes_per_s(&pair), Some(1_200_000_000));
        pair.leaves.push(Leaf::default());
        assert_eq!(ceiling_bytes_per_s(&pair), None);
        let simulated = Drive { simulated: true, ..behind_sata() };
        assert_eq!(standing(&step(Direction::Read, 3e9, &[]), &simulated, &environment).reached_device, None);
    }

    #[test]
    fn writes_are_durable_as_the_job_requests() {
        let durable = |direction, settings: &[(&str, &str)]| {
            standing(&step(direction, 1e6, settings), &Drive::default(), &Environment::default()).durable
        };
        for settings in [[("fsync", "1")], [("fdatasync", "1")], [("sync", "1")], [("sync", "dsync")]] {
            assert_eq!(durable(Direction::Write, &settings), Some(true), "{settings:?}");
        }
        assert_eq!(durable(Direction::Write, &[("fsync", "32")]), Some(false));
        assert_eq!(durable(Direction::Write, &[("fsync", "1"), ("fsync", "0")]), Some(false));
        assert_eq!(durable(Direction::Read, &[("fsync", "1")]), None);
    }

    #[test]
    fn a_fall_is_not_steady() {
        let mut step = step(Direction::Write, 1e6, &[]);
        let fall = FallOff { after_bytes: 1, before_bytes_per_s: 2.0, after_bytes_per_s: 1.0, p_value: 0.0 };
        for (found, stdev, steady) in
            [(Some(fall), 0.0, false), (None, 0.0, true), (None, 1e5, true), (None, 1.1e5, false)]
        {
            let spread = Spread { n: 9, min: 5e5, max: 2e6, mean: 1e6, stdev };
            let writes = &mut step.figures.as_mut().unwrap().directions[0];
            writes.windows = Some(WindowFigures { window_ns: 1, bandwidth_bytes_per_s: spread });
            step.figures.as_mut().unwrap().fall_off = Some(FallOffSearch { searched_bytes: 1, found });
            assert_eq!(standing(&step, &Drive::default(), &Environment::default()).steady, Some(steady));
        }
    }

    #[test]
    fn busy_workers_and_figures_close_to_the_calibration_are_limited() {
        let worker =
            WorkerResult { engine: "psync".to_string(), end_ns: NS_PER_S, ..WorkerResult::default() };
        let result = RunResult { duration_ns: NS_PER_S, workers: vec![worker], ..RunResult::default() };
        let limited = |direction, bytes_per_s: f64, cpu_ns: Option<f64>, calibration| {
            let mut step = step(direction, bytes_per_s, &[]);
            step.result = Some(result.clone());
            let cpu = cpu_ns.map(|system_ns| CpuPerIo { user_ns: 0.0, system_ns });
            step.figures.as_mut().unwrap().cpu_per_io = cpu;
            let environment = Environment { calibration, ..Environment::default() };
            standing(&step, &Drive::default(), &environment).harness_limited
        };
        let calibration = Some(Calibration { ios_per_s_max: 1e6, content_bytes_per_s_max: 1e9, cpus: 4 });
        // 100,000 I/Os a second: at 9.5 µs each the processor is saturated, at 2 µs it is not.
        let bytes_per_s = 409_600_000.0;
        assert_eq!(limited(Direction::Read, bytes_per_s, Some(9_500.0), None), Some(true));
        assert_eq!(limited(Direction::Read, bytes_per_s, Some(2_000.0), None), Some(false));
        assert_eq!(limited(Direction::Read, bytes_per_s, None, None), None);
        assert_eq!(limited(Direction::Read, bytes_per_s, None, calibration), Some(false));
        assert_eq!(limited(Direction::Read, bytes_per_s * 9.5, None, calibration), Some(true));
        assert_eq!(limited(Direction::Write, 0.95e9, None, calibration), Some(true));
        assert_eq!(limited(Direction::Read, 0.95e9, None, calibration), Some(false));
    }
}
