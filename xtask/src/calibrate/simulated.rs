//! Runs on a simulated drive with a true speed known from its model.

use std::sync::Arc;

use cardiograph_core::figures::StepFigures;
use cardiograph_core::precision::WINDOW_NS;
use cardiograph_core::result::{PrecisionEnd, RunResult};
use cardiograph_core::{JobSpec, NS_PER_MS, NS_PER_S, Origin};
use cardiograph_engine::observer::Silent;
use cardiograph_engine::sim::{DriveModel, SimDrive};
use cardiograph_engine::{Control, RunRequest, Target, gate};
use cardiograph_jobs::resolve::{ResolveContext, resolve};

use super::Trial;
use super::end::End;

const MODEL: &str = include_str!("drive.toml");
/// Mean duration of a read without drift: command, page and transfer, in nanoseconds.
const READ_NS: f64 = 10_000_000.0;
/// Length of the test file, in bytes.
const FILE_BYTES: u64 = 1 << 20;
/// Maximum length of a run with a requested precision, in seconds.
const SECONDS_MAX: u64 = 1_200;

/// Drift of the drive's speed.
#[derive(Debug, Clone, Copy)]
pub struct Wandering {
    /// Standard deviation of the factor on all times.
    pub drift: f64,
    /// Its correlation time, in seconds.
    pub drift_s: u64,
}

impl Wandering {
    fn model(&self) -> Result<DriveModel, String> {
        let Self { drift, drift_s } = *self;
        let drift_time_ns = drift_s * NS_PER_S;
        let text = format!(
            "{MODEL}\n[variation]\nrun_to_run = 0.0\ndrift = {drift:?}\ndrift_time_ns = {drift_time_ns}\n"
        );
        DriveModel::from_toml(&text).map_err(|error| error.message().to_string())
    }

    /// Reads per second in the long run. The mean of 1/f of a factor f with mean 1 and a small deviation s is 1 + s².
    fn truth(&self) -> f64 {
        1e9 / READ_NS * (1.0 + self.drift * self.drift)
    }
}

/// One run of random reads.
pub fn trial(wandering: &Wandering, end: End, seed: u64) -> Result<Trial, String> {
    let drive = SimDrive::new(wandering.model()?, seed);
    let target = Target::simulated(drive.create_file(FILE_BYTES).ok_or("the simulated drive is full")?);
    let job = |rw: &str, bs: u64| {
        let job = JobSpec::new("calibrate", Origin::CommandLine { word: 1 }).set("ioengine", "sim");
        job.set("filename", "f").set("rw", rw).set("bs", bs).set("size", FILE_BYTES)
    };
    run(job("write", FILE_BYTES), &target, seed)?;
    let reads = job("randread", 4_096).set("time_based", 1);
    let reads = match end {
        End::Windows(windows) => {
            reads.set("runtime", format!("{}ms", windows as u64 * WINDOW_NS / NS_PER_MS))
        }
        End::Precision(half_width) => {
            reads.set("runtime", SECONDS_MAX).set("precision", format!("{}%", half_width * 100.0))
        }
    };
    let result = run(reads, &target, seed)?;
    let figures = StepFigures::from_result(&result);
    let read = figures.directions.first().ok_or("nothing was read")?;
    let is_ended = match end {
        End::Windows(_) => true,
        End::Precision(_) => result.precision.iter().all(|outcome| outcome.end == PrecisionEnd::Attained),
    };
    let seconds = result.duration_ns as f64 / 1e9;
    Ok(Trial { estimate: read.iops, truth: wandering.truth(), seconds, is_ended })
}

fn run(job: JobSpec, target: &Arc<Target>, seed: u64) -> Result<RunResult, String> {
    let plan =
        resolve(&[job], &ResolveContext::new(seed, WINDOW_NS)).map_err(|found| format!("{found:?}"))?;
    let targets = std::slice::from_ref(target);
    let permit = gate::permit(targets).map_err(|refused| refused.to_string())?;
    let control = Control::default();
    let request = RunRequest::new(&plan, targets, Some(&permit), seed, &control, &Silent);
    cardiograph_engine::run(&request).map_err(|error| error.to_string())
}
