//! Steps that run a real application: in a real directory, or on a simulated drive by its trace.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use cardiograph_apps::trace::{self, Bounds, TraceDrive, TraceIo, Unserved};
use cardiograph_apps::{AppEnd, AppError, AppRequest, AppRun, Patience};
use cardiograph_core::app::{AppResult, AppSpec};
use cardiograph_core::counters::CounterOutcome;
use cardiograph_core::report::{Step, StepOutcome, StepResult};
use cardiograph_core::rng::derive_seed;
use cardiograph_core::{Direction, Message, Parameter, counters, message};
use cardiograph_engine::engine::OpKind;
use cardiograph_engine::heartbeat::Heartbeat;
use cardiograph_engine::sim::{CONTENT_BLOCK_BYTES, SimDrive, SimFile, SimRequest};
use cardiograph_engine::{Clock, Event};

use super::LocalRunner;
use crate::checkup_target::{CheckupTarget, check_room, simulated_file};
use crate::failure::Failure;
use crate::gauges::Gauges;
use crate::messages;
use crate::runner::{Caller, StepRun};
use crate::sink::Activity;

/// Results of an application, and how it ended.
struct Ran {
    result: AppResult,
    outcome: StepOutcome,
    note: Option<Message>,
}

impl LocalRunner {
    /// Runs a step's application.
    pub(super) fn run_app(
        &self,
        nth: u64,
        step: Step,
        spec: &AppSpec,
        caller: Caller<'_>,
    ) -> Result<StepRun, Failure> {
        let gauges = Gauges::default();
        gauges.follow(&Event::Started, &self.target, &self.drive);
        // A step's data must be new to the drive, as with jobs.
        let content_seed = derive_seed(self.target.content_seed(self.terms.seed), nth);
        let ran = match &self.target {
            CheckupTarget::Directory { path, .. } => {
                check_room(path, step.write_bytes_max)?;
                let request = AppRequest {
                    spec,
                    directory: path,
                    seed: self.terms.seed,
                    content_seed,
                    write_bytes_max: step.write_bytes_max,
                    time_ns_max: step.time_ns_max,
                    patience: Patience::default(),
                    mark: None,
                };
                self.run_here(&step, &request, caller)?
            }
            CheckupTarget::Device { path, .. } => return Err(messages::not_for_devices(path, &self.suite)),
            CheckupTarget::Simulated(drive) => run_simulated(drive, &step, spec, content_seed)?,
        };
        if ran.outcome != StepOutcome::Hung {
            gauges.follow(&Event::Ended, &self.target, &self.drive);
        }
        let device_counters = gauges.counted();
        let check = |direction| {
            let check = counters::check(direction, ran.result.bytes(direction), device_counters.as_ref()?)?;
            // Files end within blocks, and are read with metadata: a higher count does not prove other load.
            (check.outcome != CounterOutcome::OtherLoad).then_some(check)
        };
        let counter_checks = [Direction::Read, Direction::Write].into_iter().filter_map(check).collect();
        let result = StepResult {
            app: Some(ran.result),
            counter_checks,
            conditions: gauges.conditions(),
            device_counters,
            ..StepResult::new(step, ran.outcome)
        };
        Ok(StepRun { result, note: ran.note })
    }

    fn run_here(&self, step: &Step, request: &AppRequest<'_>, caller: Caller<'_>) -> Result<Ran, Failure> {
        let heartbeat = Heartbeat::begin(&Clock::machine()).map_err(|error| messages::run_error(&error))?;
        let thermometer =
            if caller.sink.wants_latency() { self.target.thermometer(&self.drive) } else { None };
        let ran = cardiograph_apps::run(request, &mut |progress| {
            thermometer.iter().for_each(|thermometer| thermometer.report(caller.sink));
            let (title, time_ns_max) = (step.title.clone(), step.time_ns_max);
            let activity = Activity::App { title, time_ns_max, progress: *progress };
            caller.sink.event(crate::sink::Event::Doing(activity));
            if self.should_stop(caller.signals) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let AppRun { mut result, end, left_behind } =
            ran.map_err(|error| Failure::usage(messages::app_failure(&error)))?;
        result.pauses = heartbeat.end();
        let outcome = match end {
            AppEnd::Done => StepOutcome::Done,
            AppEnd::Stopped => StepOutcome::Interrupted,
            AppEnd::Failed(error) => StepOutcome::Failed { message: messages::app_failure(&error) },
            AppEnd::Hung => StepOutcome::Hung,
        };
        Ok(Ran { result, outcome, note: left_behind.map(|error| messages::app_directory_remains(&error)) })
    }
}

/// A file of a simulated drive, for a trace, and the expected content of each block.
struct OnFile {
    file: SimFile,
    stamps: HashMap<u64, u128>,
    last_stamp: u128,
}

impl OnFile {
    fn new(file: SimFile, seed: u64) -> Self {
        Self { file, stamps: HashMap::new(), last_stamp: u128::from(seed) << 64 }
    }

    /// Stores a write: stamps that are new to the drive.
    fn store(&mut self, position_bytes: u64, moved_bytes: u64) {
        for position in (position_bytes..position_bytes + moved_bytes).step_by(CONTENT_BLOCK_BYTES) {
            self.last_stamp += 1;
            self.stamps.insert(position, self.last_stamp);
            self.file.drive().store_content(position, self.last_stamp);
        }
    }

    /// Number of blocks with wrong content, and total.
    fn changed(&self) -> (usize, usize) {
        let is_changed =
            |(position, stamp): &(&u64, &u128)| self.file.drive().load_content(**position) != **stamp;
        (self.stamps.iter().filter(is_changed).count(), self.stamps.len())
    }
}

impl TraceDrive for OnFile {
    fn serve(&mut self, now_ns: u64, io: &TraceIo) -> Result<u64, Unserved> {
        let (mut at_ns, mut position_bytes) = (now_ns, self.file.base_bytes() + io.offset_bytes);
        let mut left_bytes = io.len_bytes;
        loop {
            let len_bytes = left_bytes.min(REQUEST_BYTES_MAX);
            let request = SimRequest { kind: io.action, position_bytes, len_bytes: len_bytes as u32 };
            let served = self.file.drive().serve(at_ns, &request).ok_or(Unserved::Hung)?;
            let Ok(moved_bytes) = u64::try_from(served.result) else {
                return Err(Unserved::Failed(-served.result));
            };
            at_ns = served.completed_at_ns;
            if io.action == OpKind::Write {
                self.store(position_bytes, moved_bytes);
            }
            position_bytes += moved_bytes;
            left_bytes = left_bytes.saturating_sub(moved_bytes);
            // The kernel retries the rest of a short transfer, and treats an empty one as an error.
            match (left_bytes, moved_bytes) {
                (0, _) => return Ok(at_ns),
                (_, 0) => return Err(Unserved::Failed(rustix::io::Errno::IO.raw_os_error())),
                _ => {}
            }
        }
    }
}

/// The kernel splits longer requests.
const REQUEST_BYTES_MAX: u64 = 1 << 20;

/// Replays the load's trace on a simulated drive.
fn run_simulated(
    drive: &Arc<SimDrive>,
    step: &Step,
    spec: &AppSpec,
    content_seed: u64,
) -> Result<Ran, Failure> {
    let trace = trace::shipped(&spec.load)
        .ok_or_else(|| Failure::usage(message!("app-not-recorded", load = &spec.load)))?;
    let file = simulated_file(drive, trace.room_bytes(spec))?;
    let time = drive.time();
    let bounds = Bounds { write_bytes_max: step.write_bytes_max, time_ns_max: step.time_ns_max };
    let mut on_file = OnFile::new(file, content_seed);
    let now_ns = time.load(Ordering::Relaxed);
    let (result, now_ns, end) = trace::replay(&trace, &mut on_file, now_ns, bounds, spec);
    time.store(now_ns, Ordering::Relaxed);
    let outcome = match (end, on_file.changed()) {
        (Ok(()), (0, _)) => StepOutcome::Done,
        (Ok(()), (changed, blocks)) => {
            let found = message!("app-content-blocks", changed, blocks);
            let error = AppError::content(Path::new(&spec.load), found);
            StepOutcome::Failed { message: messages::app_failure(&error) }
        }
        (Err(Unserved::Failed(errno)), _) => {
            let message = message!("app-failed", load = &spec.load, error = Parameter::OsError(errno));
            StepOutcome::Failed { message: messages::advised(message, errno) }
        }
        (Err(Unserved::Hung), _) => StepOutcome::Hung,
    };
    Ok(Ran { result, outcome, note: None })
}
