//! `cardiograph job`: one job from the command line. Benchmarks of cardiograph against other programs use it.

use std::io::BufRead;
use std::path::PathBuf;

use cardiograph_checkup::agent::AgentJobs;
use cardiograph_checkup::job_runner::{JobRunner as _, OwnFile, RunSpec};
use cardiograph_checkup::messages::Fate;
use cardiograph_checkup::runner::Caller;
use cardiograph_checkup::session::WINDOW_NS;
use cardiograph_checkup::signals::Signals;
use cardiograph_checkup::{machine, messages};
use cardiograph_core::figures::StepFigures;
use cardiograph_core::report::StepOutcome;
use cardiograph_core::result::RunResult;
use cardiograph_core::units;
use cardiograph_core::{Direction, JobSpec, MIB, Origin, Plan, message};
use cardiograph_engine::observer::Silent;
use cardiograph_jobs::options;
use cardiograph_jobs::resolve::ResolveContext;
use cardiograph_jobs::settings::Settings as _;

use crate::cli::JobArguments;
use crate::exit::{DONE, Failure, SIGNAL_BASE};
use crate::screen::Screen;
use crate::stdout;

/// Runs the job and shows its figures.
pub fn run(arguments: &JobArguments, screen: &Screen) -> Result<u8, Failure> {
    let job = job_spec(&arguments.settings)?;
    let plan = resolved(&job)?;
    let signals = Signals::listen()?;
    let caller = Caller { sink: screen, signals: &signals };
    let file = own_file(&job, &plan)?;
    let runner = AgentJobs::start(file.directory.clone().unwrap_or_else(|| ".".into()), &signals)?;
    let set = runner.make_file(file, caller)?.set;
    let execute = |plan: &Plan| {
        // Each call has new content: nothing that the layout wrote is written again.
        let spec = RunSpec { set, plan: Some(plan.clone()), misses_drives: true, ..RunSpec::default() };
        let ran = runner.run(spec, &Silent, caller)?;
        let failure = match ran.outcome() {
            StepOutcome::Failed { message } => Some(Failure::io(message)),
            StepOutcome::Hung => {
                Some(Failure::io(messages::hung(messages::held_threads(&ran.result), Fate::Shown, false)))
            }
            StepOutcome::Done | StepOutcome::Interrupted => None,
        };
        Ok::<_, Failure>((ran.result, failure))
    };
    if let Some(layout) = layout(&job, &plan)?
        && let (_, Some(failure)) = execute(&layout)?
    {
        return Err(failure);
    }
    let mut requests = std::io::stdin().lock();
    loop {
        if let Some(signal) = signals.received() {
            return Ok(SIGNAL_BASE + signal);
        }
        if arguments.each_line && !matches!(requests.skip_until(b'\n'), Ok(1..)) {
            return Ok(DONE);
        }
        let (result, failure) = execute(&plan)?;
        if arguments.json {
            if !stdout::write_json_line(&result)? {
                return Ok(DONE);
            }
        } else {
            show(&result, screen);
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        if !arguments.each_line {
            return Ok(signals.received().map_or(DONE, |signal| SIGNAL_BASE + signal));
        }
    }
}

fn show(result: &RunResult, screen: &Screen) {
    for figure in &StepFigures::from_result(result).directions {
        let percentile =
            |p| figure.total.percentile_ns(p).map_or(units::NO_FIGURE.to_string(), units::duration);
        screen.say(&format!(
            "{:<5}  {:>11}  {:>12}  mean {:>8}  p50 {:>8}  p99 {:>8}",
            figure.direction.name(),
            screen.language().units.bandwidth(figure.bandwidth_bytes_per_s.value),
            units::iops(figure.iops.value),
            units::duration_f64(figure.total.mean_ns),
            percentile(50.0),
            percentile(99.0),
        ));
    }
}

/// Options that only affect files or outputs of `cardiograph fio`.
const FIO_ONLY: &[&str] = &[
    "write_bw_log",
    "write_iops_log",
    "write_lat_log",
    "write_hist_log",
    "write_iolog",
    "error_dump",
    "verify_dump",
    "unified_rw_reporting",
];

fn job_spec(settings: &[String]) -> Result<JobSpec, Failure> {
    let mut job = JobSpec::new("job", Origin::CommandLine { word: 2 });
    for (index, setting) in settings.iter().enumerate() {
        let (option, value) = setting.split_once('=').unwrap_or((setting, ""));
        let origin = Origin::CommandLine { word: index as u32 + 2 };
        if options::find(option).is_some_and(|known| FIO_ONLY.contains(&known.name)) {
            return Err(Failure::usage(message!("job-of-fio", setting)));
        }
        let (option, value) = (option.to_string(), value.to_string());
        job.settings.push(cardiograph_core::Setting { option, value, origin });
    }
    // All clones share one file.
    if job.last("filename").is_none() {
        job = job.set("filename", "job");
    }
    Ok(job)
}

fn resolved(job: &JobSpec) -> Result<Plan, Failure> {
    let context = ResolveContext::new(std::process::id().into(), WINDOW_NS);
    machine::resolved(std::slice::from_ref(job), &context)
}

/// The test file of the job.
fn own_file(job: &JobSpec, plan: &Plan) -> Result<OwnFile, Failure> {
    // The job makes its own file; a path would suggest that an existing one is measured.
    if let Some(path) = job.last("filename").filter(|path| path.contains('/')) {
        return Err(Failure::usage(message!("job-path", path)));
    }
    let workload = &plan.jobs[0].workload;
    if workload.file_action.is_some() {
        return Err(Failure::usage(message!("job-file-names", engine = &workload.engine)));
    }
    if workload.io_scheduler.is_some() {
        return Err(Failure::usage(message!("job-scheduler")));
    }
    if options::engine(&workload.engine).is_simulated {
        return Err(Failure::usage(message!("job-simulated")));
    }
    let does_io = options::engine(&workload.engine).does_io;
    let directory = does_io.then(|| PathBuf::from(job.last("directory").unwrap_or(".")));
    Ok(OwnFile { directory, len_bytes: len_bytes(plan) })
}

/// The end of the last region, in bytes.
fn len_bytes(plan: &Plan) -> u64 {
    plan.jobs.iter().flat_map(|job| job.files()).map(|file| file.end_bytes()).max().unwrap_or(0)
}

/// The job that writes the file first, if the job reads it.
fn layout(job: &JobSpec, plan: &Plan) -> Result<Option<Plan>, Failure> {
    let workload = &plan.jobs[0].workload;
    if !options::engine(&workload.engine).does_io || !workload.uses(Direction::Read) {
        return Ok(None);
    }
    let len_bytes = len_bytes(plan);
    let block_len_bytes = if len_bytes.is_multiple_of(MIB) { MIB } else { workload.block_len_bytes_max() };
    let layout = JobSpec::new("layout", job.origin.clone())
        .set("rw", "write")
        .set("bs", block_len_bytes)
        .set("size", len_bytes)
        .set("filename", "layout")
        .set("ioengine", "io_uring")
        .set("iodepth", 4)
        .set("direct", u8::from(workload.direct))
        .set("end_fsync", 1);
    resolved(&layout).map(Some)
}
