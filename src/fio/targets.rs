//! The files and devices of a run: made ready before it, tidied up after it.

use std::path::Path;
use std::sync::Arc;

use cardiograph_core::{Direction, JobSpec, Origin, Plan, PlannedJob};
use cardiograph_engine::files::{self, Layout, PrepareError, PrepareObserver, PrepareRequest, Prepared};
use cardiograph_engine::gate::{self, Consent, WritePermit};
use cardiograph_engine::{Control, RunRequest, Target, engine};
use cardiograph_formats::fio::invocation::ProgramOptions;
use cardiograph_formats::fio::output::headline;

use super::{complain, consent, prepare_messages};
use crate::exit::Failure;
use crate::messages;
use crate::place::fresh_seed;
use crate::signals::Signals;

/// What a run needs, ready.
pub struct Ready {
    /// The targets in the order of the Plan.
    pub targets: Vec<Arc<Target>>,
    /// Leave to write to them.
    pub permit: Option<WritePermit>,
    /// Time that laying out took for each job, in nanoseconds.
    pub layout_ns: Vec<u64>,
    /// What a reader of the results should know.
    pub notes: Vec<String>,
    prepared: Option<Prepared>,
}

/// Makes the files, lays them out, and opens devices.
///
/// # Errors
/// When something is not there, not allowed, or too small. Nothing of ours is left behind then.
pub fn prepare(
    program: &ProgramOptions,
    plan: &Plan,
    control: &Control,
    signals: &Signals,
    say: &dyn Fn(&str),
) -> Result<Ready, Failure> {
    let is_simulated =
        |job: &PlannedJob| engine::find(&job.workload.engine).is_some_and(|entry| entry.is_simulated);
    if let Some(job) = plan.jobs.iter().position(is_simulated) {
        if !plan.jobs.iter().all(is_simulated) {
            return Err(Failure::usage(prepare_messages::prepare_error(
                &PrepareError::Simulated { job },
                plan,
            )));
        }
        return simulated(plan, control);
    }
    let watcher = Watcher { control, signals, say };
    let mut ids = consent::given(program);
    loop {
        let request = PrepareRequest {
            plan,
            consent: &Consent::to(ids.clone()),
            control,
            observer: &watcher,
            seed: fresh_seed(),
            root: Path::new("/"),
        };
        match files::prepare(&request) {
            Ok(prepared) => return Ok(ready(plan, prepared)),
            Err(PrepareError::NeedsConsent { path, id, content, .. })
                if consent::ask(
                    &path.display().to_string(),
                    &id,
                    &prepare_messages::device_content(&content),
                ) =>
            {
                ids.push(id);
            }
            Err(error) => return Err(Failure::usage(prepare_messages::prepare_error(&error, plan))),
        }
    }
}

fn ready(plan: &Plan, mut prepared: Prepared) -> Ready {
    let mut layout_ns = vec![0; plan.jobs.len()];
    for layout in &prepared.layouts {
        layout_ns[layout.job] += layout.ns;
    }
    let notes: Vec<String> = prepared.notes.iter().map(|note| prepare_messages::note(note, plan)).collect();
    notes.iter().for_each(|note| complain(&format!("note: {note}")));
    Ready {
        targets: prepared.targets.clone(),
        permit: prepared.permit.take(),
        layout_ns,
        notes,
        prepared: Some(prepared),
    }
}

/// Removes what is to be removed after the run.
pub fn finish(ready: &Ready, plan: &Plan) {
    let Some(prepared) = &ready.prepared else { return };
    for (path, error) in files::finish(prepared, plan) {
        complain(&format!("{}: could not be removed: {error}", path.display()));
    }
}

struct Watcher<'a> {
    control: &'a Control,
    signals: &'a Signals,
    say: &'a dyn Fn(&str),
}

impl PrepareObserver for Watcher<'_> {
    fn laying_out(&self, layout: &Layout<'_>) {
        (self.say)(&headline::laying_out(layout.name, u64::from(layout.files), layout.len_bytes));
    }

    fn progress(&self, _: u64) {
        if self.signals.received().is_some() {
            self.control.stop();
        }
    }
}

/// Files on a simulated drive, filled where jobs read. All are on one drive: they share a time.
fn simulated(plan: &Plan, control: &Control) -> Result<Ready, Failure> {
    let written = |name: &str| {
        let mut options = plan.jobs.iter().flat_map(|job| &job.workload.engine_options);
        options.find(|(option, _)| option == name).map(|(_, value)| value.as_str())
    };
    let seed = written("sim_seed").and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let model = written("sim_model").unwrap_or(SIM_MODEL);
    let place = crate::place::Place::simulated(model, seed)?;
    let mut targets = Vec::with_capacity(plan.targets.len());
    for index in 0..plan.targets.len() {
        let uses = plan.jobs.iter().flat_map(PlannedJob::files).filter(|file| file.target == index);
        // In whole sectors, so that all of it can be filled.
        let len_bytes =
            uses.map(|file| file.end_bytes()).max().unwrap_or(0).next_multiple_of(SECTOR_LEN_BYTES);
        let target = place.create_file(len_bytes)?;
        if len_bytes > 0 {
            fill(&target, len_bytes, control)?;
        }
        targets.push(target);
    }
    let permit = gate::permit(&targets).map_err(|refused| Failure::usage(refused.to_string()))?;
    let layout_ns = vec![0; plan.jobs.len()];
    Ok(Ready { targets, permit: Some(permit), layout_ns, notes: Vec::new(), prepared: None })
}

/// The shortest length that a drive moves.
const SECTOR_LEN_BYTES: u64 = 512;
/// The simulated drive where none is named.
const SIM_MODEL: &str = "sandisk-ultra-64";

fn fill(target: &Arc<Target>, len_bytes: u64, control: &Control) -> Result<(), Failure> {
    let job = JobSpec::new("layout", Origin::CommandLine { word: 1 })
        .set("rw", Direction::Write.name())
        .set("bs", 1_u64 << len_bytes.trailing_zeros().min(20))
        .set("size", len_bytes)
        .set("filename", "layout")
        .set("ioengine", "sim")
        .set("iodepth", 4);
    let resolved = super::resolved_specs(&[job], &super::context(&super::Machine::default()), &[])?;
    let targets = [target.clone()];
    let permit = gate::permit(&targets).map_err(|refused| Failure::usage(refused.to_string()))?;
    let request = RunRequest {
        plan: &resolved.plan,
        targets: &targets,
        permit: Some(&permit),
        seed: fresh_seed(),
        control,
        observer: &cardiograph_engine::observer::Silent,
        logs: None,
        replays: None,
        commands: None,
    };
    cardiograph_engine::run(&request).map(drop).map_err(|error| messages::run_error(&error))
}
