//! Calibration: rates without a drive. Figures close to them are limited by the program, not the drive.

use std::sync::Arc;

use cardiograph_core::drive::Calibration;
use cardiograph_core::figures::StepFigures;
use cardiograph_core::{Direction, GIB, JobSpec, Origin};
use cardiograph_engine::observer::Silent;
use cardiograph_engine::{Control, Target, gate};
use cardiograph_jobs::resolve::{ResolveContext, resolve};

use crate::machine::fresh_seed;
use crate::run::ReadyJobs;
use crate::session::WINDOW_NS;

/// Duration of each of the two runs.
const RUNTIME: &str = "25ms";

/// Measures the null engine, with small reads and with large writes of new content. `None` if it cannot run.
pub fn calibrate() -> Option<Calibration> {
    let reads = run("randread", "4k")?;
    let writes = run("write", "1m")?;
    let cpus = std::thread::available_parallelism().ok()?;
    Some(Calibration {
        ios_per_s_max: reads.direction(Direction::Read)?.iops.value,
        content_bytes_per_s_max: writes.direction(Direction::Write)?.bandwidth_bytes_per_s.value,
        cpus: u32::try_from(cpus.get()).ok()?,
    })
}

fn run(rw: &str, block_len: &str) -> Option<StepFigures> {
    let origin = Origin::Suite { suite: "calibration".to_string(), step: rw.to_string() };
    let settings = [
        ("ioengine", "null"),
        ("filename", "none"),
        ("size", "1g"),
        ("rw", rw),
        ("bs", block_len),
        ("refill_buffers", "1"),
        ("runtime", RUNTIME),
        ("time_based", "1"),
    ];
    let job =
        settings.iter().fold(JobSpec::new("calibration", origin), |job, (name, value)| job.set(name, value));
    let seed = fresh_seed();
    let plan = resolve(&[job], &ResolveContext::new(seed, WINDOW_NS)).ok()?;
    let targets: Vec<Arc<Target>> = plan.targets.iter().map(|_| Target::without_storage(GIB)).collect();
    let permit = gate::permit(&targets).ok()?;
    let control = Control::default();
    let jobs = ReadyJobs::new(&plan, &targets, Some(&permit), seed);
    Some(StepFigures::from_result(&jobs.run(&control, &|| false, &Silent).ok()?.result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_faster_than_any_drive() {
        // A busy machine may prevent any I/O in its 25 ms.
        let found = (0..40).find_map(|_| calibrate()).unwrap();
        assert!(found.ios_per_s_max > 10_000.0, "{found:?}");
        assert!(found.content_bytes_per_s_max > 1e6, "{found:?}");
        assert!(found.cpus >= 1);
    }
}
