//! Evidence for tests of traps.

use cardiograph_core::drive::{Drive, DriveHealth, Environment, Health, Host, Leaf, LeafKind, Mount};
use cardiograph_core::estimate::Estimate;
use cardiograph_core::figures::{DirectionFigures, LatencyFigures, PercentileFigure, StepFigures};
use cardiograph_core::report::{Step, StepOutcome, StepResult, Work};
use cardiograph_core::trust::{TrapOutcome, Warning};
use cardiograph_core::{Direction, JobSpec, Origin};

use super::{Evidence, Look, outcome};

/// A machine to check.
#[derive(Default)]
pub struct Scene {
    pub drive: Drive,
    pub host: Host,
    pub environment: Environment,
    pub steps: Vec<StepResult>,
    pub health_after: Vec<DriveHealth>,
}

impl Scene {
    pub fn from_leaf(mut leaf: Leaf) -> Self {
        if leaf.name.is_empty() {
            leaf.name = "sda".to_string();
        }
        let drive = Drive { capacity_bytes: leaf.capacity_bytes, leaves: vec![leaf], ..Drive::default() };
        Self { drive, ..Self::default() }
    }

    /// A drive with health `before`, and `after` the measurement.
    pub fn with_health(before: Health, after: Health) -> Self {
        let scene = Self::from_leaf(Leaf { health: Some(before), ..Leaf::default() });
        Self { health_after: vec![DriveHealth { drive: "sda".to_string(), health: after }], ..scene }
    }

    pub fn with_kind(kind: LeafKind) -> Self {
        Self::from_leaf(Leaf { kind, name: "sda".to_string(), ..Leaf::default() })
    }

    pub fn on(mut self, fs_type: &str, options: &[&str]) -> Self {
        let options = options.iter().map(|option| option.to_string()).collect();
        let mount = Mount {
            mount_point: "/mnt".to_string(),
            fs_type: fs_type.to_string(),
            options,
            size_bytes: 1_000,
            available_bytes: 500,
            ..Mount::default()
        };
        self.drive.mount = Some(mount);
        self
    }

    pub fn measured(mut self, step: StepResult) -> Self {
        self.steps.push(step);
        self
    }

    pub fn look(&self, look: Look) -> TrapOutcome {
        outcome(look(&Evidence {
            drive: &self.drive,
            host: &self.host,
            environment: &self.environment,
            steps: &self.steps,
            health_after: &self.health_after,
        }))
    }

    /// The warning of a trap that is present.
    #[track_caller]
    pub fn warning(&self, look: Look) -> Warning {
        let outcome = self.look(look);
        let warning = outcome.warning().unwrap_or_else(|| panic!("{outcome:?}")).clone();
        for messages in [&warning.seen, &warning.meaning] {
            assert!(!messages.is_empty(), "{warning:?}");
            assert!(messages.iter().all(|message| message.as_verbatim().is_none()), "{warning:?}");
        }
        warning
    }

    pub fn is_absent(&self, look: Look) -> bool {
        self.look(look) == TrapOutcome::Absent
    }

    pub fn is_not_seen(&self, look: Look) -> bool {
        matches!(self.look(look), TrapOutcome::NotSeen { .. })
    }
}

/// A step of one job with this rate.
pub fn step(settings: &[(&str, &str)], direction: Direction, bytes_per_s: f64) -> StepResult {
    let origin = Origin::Suite { suite: "quick".to_string(), step: "one".to_string() };
    let job = settings.iter().fold(JobSpec::new("one", origin), |job, (name, value)| job.set(name, value));
    let figures = StepFigures {
        directions: vec![DirectionFigures {
            direction,
            ios: 1_000,
            bytes: bytes_per_s as u64,
            short_ios: 0,
            runtime_ns: 1_000_000_000,
            bandwidth_bytes_per_s: estimate(bytes_per_s),
            iops: estimate(bytes_per_s / 4_096.0),
            submission: None,
            completion: latency(100_000),
            total: latency(100_000),
            predictability: None,
            windows: None,
        }],
        ..StepFigures::default()
    };
    let step = Step::measuring("one", cardiograph_core::Message::verbatim("One step"), Work::Jobs(vec![job]));
    let jobs = cardiograph_jobs::method::ran_jobs(step.jobs());
    StepResult { jobs, figures: Some(figures), ..StepResult::new(step, StepOutcome::Done) }
}

fn estimate(value: f64) -> Estimate {
    Estimate { value, n: 1_000, n_effective: 1_000.0, low: None, high: None }
}

/// Latency with this median.
pub fn latency(p50_ns: u64) -> LatencyFigures {
    let median = PercentileFigure { percentile: 50.0, value_ns: p50_ns, samples_above: 500, withheld: false };
    LatencyFigures {
        n: 1_000,
        min_ns: p50_ns,
        mean_ns: p50_ns as f64,
        stdev_ns: 0.0,
        max_ns: p50_ns,
        percentiles: vec![median],
    }
}
