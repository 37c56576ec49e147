//! Runs a suite: asks it for the next step, makes the files, runs the jobs, and keeps what came out after each step.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use cardiograph_core::counters;
use cardiograph_core::drive::Drive;
use cardiograph_core::figures::StepFigures;
use cardiograph_core::json;
use cardiograph_core::plan::StartAfter;
use cardiograph_core::report::{ReportState, Step, StepOutcome, StepResult, StepRole, Work};
use cardiograph_core::result::{EngineNote, RunOutcome, RunResult};
use cardiograph_core::rng::derive_seed;
use cardiograph_core::{NS_PER_MS, Plan, Report};
use cardiograph_engine::{Control, Event, Observer, RunRequest, Target, gate};
use cardiograph_fio::{diagnostics, fio_command};
use cardiograph_jobs::resolve::{FileFacts, Nowhere, ResolveContext, Surroundings, resolve};
use cardiograph_jobs::settings::Settings as _;
use cardiograph_judge::purposes;
use cardiograph_judge::standing::standings;
use cardiograph_judge::trust::{self, Evidence};
use cardiograph_render::text;
use cardiograph_store::{SqliteStore, Store, StoreError};
use cardiograph_suites::{Context, Options, Sequence, Suite};

use crate::elsewhere::Elsewhere;
use crate::exit::Failure;
use crate::export::Export;
use crate::gauges::Gauges;
use crate::in_time::done_in_time;
use crate::messages;
use crate::outcome::step_outcome;
use crate::place::Place;
use crate::presence::Presence;
use crate::progress;
use crate::scheduler::Schedulers;
use crate::screen::Screen;
use crate::signals::Signals;
use crate::trim;

mod app;
mod originals;

/// Length of the windows of all series, in nanoseconds: fine enough to place a fall-off, and a divisor of the windows
/// that are quoted.
pub const WINDOW_NS: u64 = 100 * NS_PER_MS;

/// Where the Report is kept.
#[derive(Debug, Default)]
pub struct Keeper {
    /// The store, unless nothing is to be kept.
    pub store: Option<SqliteStore>,
    /// The file that the user asked for.
    pub export: Option<Export>,
}

impl Keeper {
    /// Saves the Report as it is.
    pub fn save(&self, report: &Report) -> Result<(), Failure> {
        let stored = match &self.store {
            Some(store) => store.save(report).map_err(|error| set_aside(store, report, &error)),
            None => Ok(()),
        };
        let exported = self.export.as_ref().map_or(Ok(()), |export| export.save(|| json::to_json(report)));
        stored.and(exported)
    }

    /// Refuses a store that cannot take the Report, before anything is measured.
    pub fn try_save(&self, report: &Report) -> Result<(), Failure> {
        let tried = self.store.as_ref().map_or(Ok(()), |store| store.try_save(report));
        tried.map_err(|error| Failure::usage(format!("{error}; to save nothing: --no-keep")))
    }

    /// Saves on another thread and does not wait for ever: the Report's place may be on the drive that hangs.
    pub fn save_in_time(self: &Arc<Self>, report: &Report) -> Result<(), Failure> {
        let (keeper, report) = (Arc::clone(self), report.clone());
        let late = "it could not be saved in time; its place may be on the same drive";
        done_in_time(late, move || keeper.save(&report))
    }
}

/// Keeps what could not be saved as a file, and says where.
fn set_aside(store: &SqliteStore, report: &Report, error: &StoreError) -> Failure {
    match store.set_aside(report) {
        Ok(directory) => Failure::io(format!(
            "{error}\nIt is in {} and is saved as soon as the store can be written again.",
            directory.join(format!("{}.json", report.id)).display()
        )),
        Err(_) => Failure::io(error.to_string()),
    }
}

/// What a checkup needs.
pub struct Session<'a> {
    /// Where it takes place.
    pub place: &'a Place,
    /// The suite.
    pub suite: &'static dyn Suite,
    /// What the user asked of it.
    pub options: Options,
    /// Where it is shown.
    pub screen: &'a Screen,
    /// What may end it.
    pub signals: &'a Signals,
    /// Where it is kept.
    pub keeper: Arc<Keeper>,
    /// Seed of the sequence that steps write together, where the suite has one.
    pub sequence_seed: u64,
    /// Other directories in which steps measure.
    pub elsewhere: Elsewhere,
    /// The schedulers of the drives, where steps are to run under others.
    pub schedulers: RefCell<Schedulers>,
}

/// What stays for the next checkup.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    /// How many files; none where it lies on a whole device.
    pub files: u64,
    /// How long it is, in bytes.
    pub len_bytes: u64,
}

/// How a checkup ended, beside its Report.
#[derive(Debug, Default)]
pub struct Ending {
    /// Why it ended early, for the user.
    pub message: Option<String>,
    /// Whether workers are still held by the kernel.
    pub is_hung: bool,
    /// Why the Report could not be kept.
    pub not_kept: Option<String>,
    /// What stays on the drive for the next checkup.
    pub parts: Kept,
    /// Whether a device does not hold what it held, though nothing says that it cannot.
    pub is_not_put_back: bool,
}

impl Session<'_> {
    /// Runs the suite to its end, and fills the Report.
    ///
    /// # Errors
    /// When not even the first step could begin.
    pub fn run(&self, report: &mut Report) -> Result<Ending, Failure> {
        let mut ending = Ending::default();
        let mut files: HashMap<String, Arc<Target>> = HashMap::new();
        let clock = SessionClock::start(self.place);
        let control = Control::default();
        if let Some(export) = &self.keeper.export {
            export.save(|| json::to_json(report))?;
        }
        while let Some(step) = self.next_step(report) {
            if self.should_stop(&clock) {
                report.state = ReportState::Interrupted;
                break;
            }
            let ran = match step.work.app() {
                Some(app) => self.run_app(step.clone(), app, report, &clock),
                None => self.run_step(step.clone(), report, &mut files, &control, &clock),
            };
            let mut result = match ran {
                Ok(result) => result,
                Err(failure) if report.steps.is_empty() => {
                    self.leave_device(report, &mut ending);
                    ending.message.iter().for_each(|message| self.screen.complain(message));
                    self.leave_no_beginning(report);
                    return Err(failure);
                }
                Err(failure) => {
                    ending.message = Some(failure.message.clone());
                    without_result(step, StepOutcome::Failed { message: failure.message })
                }
            };
            result.standings = standings(&result, &report.drive, &report.environment);
            self.take_in(result, report, &mut ending);
            self.keep(report, &mut ending);
        }
        if report.state == ReportState::Running {
            report.state = ReportState::Finished;
        }
        self.leave_device(report, &mut ending);
        if !ending.is_hung {
            ask_again(self.place, self.signals, report);
        }
        self.judge(report);
        self.keep(report, &mut ending);
        if report.state == ReportState::Interrupted {
            // What was written need not be written again.
            for target in files.values().filter(|target| target.keep_part()) {
                ending.parts.files += 1;
                ending.parts.len_bytes += target.len_bytes();
            }
        }
        if ending.is_hung {
            // Removing them could wait for the drive. The kernel does it when the process has ended, or a later run.
            std::mem::forget(files);
        }
        Ok(ending)
    }

    /// What was exported before a first step that could not begin must not look as if the checkup still ran.
    fn leave_no_beginning(&self, report: &mut Report) {
        report.state = ReportState::Failed;
        if let Some(export) = &self.keeper.export {
            // There is already an error to tell.
            let _ = export.save(|| json::to_json(report));
        }
    }

    fn context<'b>(&'b self, report: &'b Report) -> Context<'b> {
        Context { drive: &report.drive, environment: &report.environment, options: &self.options }
    }

    fn next_step(&self, report: &Report) -> Option<Step> {
        self.suite.next(&self.context(report), &report.steps)
    }

    fn judge(&self, report: &mut Report) {
        look_for_traps(report);
        let measurements = self.suite.measure(&self.context(report), &report.steps);
        report.verdicts = self.suite.judge(&self.context(report), &measurements);
        report.not_judged = purposes::left_out(&report.verdicts, &measurements);
        report.claims = self.suite.claims(&self.context(report), &report.steps);
        report.tables = self.suite.tables(&self.context(report), &report.steps);
        report.measurements = measurements;
    }

    fn should_stop(&self, clock: &SessionClock<'_>) -> bool {
        let is_late = self.options.max_time_ns.is_some_and(|max_ns| clock.elapsed_ns() >= max_ns);
        is_late || self.signals.received().is_some()
    }

    /// Adds a step's result to the Report, and says how it went.
    fn take_in(&self, result: StepResult, report: &mut Report, ending: &mut Ending) {
        take_notes(&result, report);
        match &result.outcome {
            StepOutcome::Done => {}
            StepOutcome::Interrupted => report.state = ReportState::Interrupted,
            StepOutcome::Failed { message } => {
                report.state = ReportState::Failed;
                ending.message.get_or_insert_with(|| format!("{}: {message}", result.step.title));
            }
            StepOutcome::Hung => {
                report.state = ReportState::Failed;
                ending.is_hung = true;
                let is_simulated = self.place.is_simulated();
                let threads = result.result.as_ref().map_or(1, messages::held_threads);
                ending.message = Some(messages::hung(threads, "kept", is_simulated));
            }
        }
        if result.step.role == StepRole::Measure || result.outcome != StepOutcome::Done {
            self.screen.say(&text::step_line(&result, self.screen.style().width));
        }
        report.steps.push(result);
        self.judge(report);
    }

    fn keep(&self, report: &Report, ending: &mut Ending) {
        let kept = if ending.is_hung { self.keeper.save_in_time(report) } else { self.keeper.save(report) };
        ending.not_kept = kept.err().map(|failure| failure.message);
    }

    fn run_step(
        &self,
        mut step: Step,
        report: &Report,
        files: &mut HashMap<String, Arc<Target>>,
        control: &Control,
        clock: &SessionClock<'_>,
    ) -> Result<StepResult, Failure> {
        if !self.options.direct {
            step.work = through_the_cache(step.work);
        }
        let sequence = self.suite.sequence(&self.context(report), &step);
        let scheduler = self.suite.scheduler(&self.context(report), &step);
        self.schedulers.borrow_mut().set(scheduler.as_deref())?;
        let (place, drive) = self.elsewhere.of(&step).unwrap_or((self.place, &report.drive));
        if self.suite.trims(&self.context(report), &step) {
            self.screen.live(&format!("{}: trimming the free space", step.title));
            place.trim(trim::free_space)?;
        }
        for file in &step.files {
            if !files.contains_key(&file.name) {
                self.screen.live(&format!("{}: making room", step.title));
                let target = match sequence {
                    None => place.create_file(file.len_bytes),
                    Some(Sequence { part: None, .. }) => place.create_file_with_room(file.len_bytes),
                    Some(Sequence { part: Some(part), .. }) => {
                        place.part(self.sequence_seed, part, file.len_bytes)
                    }
                };
                files.insert(file.name.clone(), target?);
            }
        }
        let there = FilesThere(files);
        let mut context = ResolveContext::new(report.seed, self.suite.window_ns());
        if sequence.is_some() {
            // What is checked is there.
            context.surroundings = &there;
        }
        let mut plan = resolve(step.jobs(), &context).map_err(|found| {
            Failure::usage(found.iter().map(diagnostics::message).collect::<Vec<_>>().join("\n"))
        })?;
        self.place.adapt(&mut plan);
        if let Some(sequence) = sequence {
            let jobs = plan.jobs.iter_mut();
            let checked = jobs.filter_map(|job| job.workload.verify.as_mut());
            checked.for_each(|verify| verify.first_write = Some(sequence.first_write));
        }
        if !self.save_originals(&step, &mut plan, clock)? {
            return Ok(without_result(step, StepOutcome::Interrupted));
        }
        let in_turn = plan.jobs.iter().any(|job| job.start.after != StartAfter::Nothing);
        let watcher =
            Watcher { session: self, step: &step, place, drive, control, clock, gauges: Gauges::default() };
        // What a step writes must be new to the drive: neither another step nor another checkup wrote it.
        let content_seed = match sequence {
            Some(_) => self.sequence_seed,
            None => derive_seed(self.place.content_seed(report.seed), report.steps.len() as u64),
        };
        let presence = Presence::of([drive]);
        let mut result = execute(&plan, files, content_seed, control, &watcher)?;
        if sequence.is_some() {
            // Blocks that are not what was written are what is looked for, and no errors beside it.
            result.notes.retain(|note| !matches!(note, EngineNote::WentOn { .. }));
        }
        if result.outcome == RunOutcome::Completed && plan.is_modifying() {
            // A part that cannot be called whole is written once more by the next checkup.
            let ended = step.files.iter().filter_map(|file| files.get(&file.name));
            ended.for_each(|target| drop(target.end_part()));
            self.note_device_part(&step, sequence);
        }
        let is_last_use = |name: &str| {
            let mut jobs = step.jobs().iter().filter(|job| job.last("filename") == Some(name));
            jobs.any(|job| job.last("unlink") == Some("1"))
        };
        step.files
            .iter()
            .filter(|file| is_last_use(&file.name))
            .for_each(|file| drop(files.remove(&file.name)));
        let device_counters = watcher.gauges.counted();
        let fio_commands = step.jobs().iter().map(fio_command::command_line).collect();
        let outcome = step_outcome(&result, &presence);
        let checks = device_counters.iter().flat_map(|counted| counters::check_run(&result, counted));
        Ok(StepResult {
            fio_commands,
            // Of jobs that ran one after the other, sums would be a mixture.
            figures: (!in_turn).then(|| StepFigures::of(&result)),
            counter_checks: checks.collect(),
            conditions: watcher.gauges.conditions(),
            device_counters,
            result: Some(result),
            ..StepResult::new(step, outcome)
        })
    }
}

/// The test files of a checkup, for jobs that check what an earlier step wrote.
struct FilesThere<'a>(&'a HashMap<String, Arc<Target>>);

impl Surroundings for FilesThere<'_> {
    fn file(&self, name: &str) -> FileFacts {
        self.0
            .get(name)
            .map_or(FileFacts::Missing, |target| FileFacts::File { len_bytes: target.len_bytes() })
    }

    fn engines(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn is_without_files(&self, engine: &str) -> bool {
        Nowhere.is_without_files(engine)
    }
}

fn execute(
    plan: &Plan,
    files: &HashMap<String, Arc<Target>>,
    seed: u64,
    control: &Control,
    observer: &dyn Observer,
) -> Result<RunResult, Failure> {
    let targets: Option<Vec<Arc<Target>>> =
        plan.targets.iter().map(|name| files.get(name).cloned()).collect();
    let targets = targets.ok_or_else(|| Failure::usage("a step names a file that it did not ask for"))?;
    let permit = match plan.is_modifying() {
        true => Some(gate::permit(&targets).map_err(|refused| Failure::usage(refused.to_string()))?),
        false => None,
    };
    let request = RunRequest::new(plan, &targets, permit.as_ref(), seed, control, observer);
    cardiograph_engine::run(&request).map_err(|error| messages::run_error(&error))
}

/// Through the cache means through the cache: what an earlier step left in it stays.
fn through_the_cache(work: Work) -> Work {
    match work {
        Work::Jobs(jobs) => Work::Jobs(jobs.into_iter().map(|job| job.set("invalidate", 0)).collect()),
        Work::App(_) | Work::Imported(_) => work,
    }
}

/// A step of which nothing is known but how it ended.
fn without_result(step: Step, outcome: StepOutcome) -> StepResult {
    StepResult {
        fio_commands: step.jobs().iter().map(fio_command::command_line).collect(),
        ..StepResult::new(step, outcome)
    }
}

/// Asks the drives once more how they are. Who ended the checkup by a signal is not kept waiting.
pub fn ask_again(place: &Place, signals: &Signals, report: &mut Report) {
    if signals.received().is_none() {
        report.health_after = place.health(&report.drive);
    }
}

/// Looks for all traps in what is known so far.
pub fn look_for_traps(report: &mut Report) {
    report.traps = trust::panel(&Evidence {
        drive: &report.drive,
        host: &report.host,
        environment: &report.environment,
        steps: &report.steps,
        health_after: &report.health_after,
    });
}

/// Takes over what the engine noted in a step, each note once for the whole report.
pub fn take_notes(result: &StepResult, report: &mut Report) {
    for note in result.result.iter().flat_map(|result| &result.notes) {
        let note = text::engine_note(note);
        if !report.notes.contains(&note) {
            report.notes.push(note);
        }
    }
}

/// Time since a checkup began, real or simulated.
struct SessionClock<'a> {
    place: &'a Place,
    began: Instant,
    began_simulated_ns: u64,
}

impl<'a> SessionClock<'a> {
    fn start(place: &'a Place) -> Self {
        Self { place, began: Instant::now(), began_simulated_ns: place.simulated_now_ns().unwrap_or(0) }
    }

    fn elapsed_ns(&self) -> u64 {
        match self.place.simulated_now_ns() {
            Some(now_ns) => now_ns - self.began_simulated_ns,
            None => u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX),
        }
    }
}

/// Follows a run: reads the kernel's counters at its start and end, shows how it goes, and passes on a wish to stop.
struct Watcher<'a> {
    session: &'a Session<'a>,
    step: &'a Step,
    place: &'a Place,
    drive: &'a Drive,
    control: &'a Control,
    clock: &'a SessionClock<'a>,
    gauges: Gauges,
}

impl Observer for Watcher<'_> {
    fn wants_latency(&self) -> bool {
        self.session.screen.shows_live_lines() && !self.session.place.is_simulated()
    }

    fn event(&self, event: &Event) {
        self.gauges.follow(event, self.place, self.drive);
        let Event::Progress(progress) = event else { return };
        if self.session.should_stop(self.clock) {
            self.control.stop();
        }
        if !self.session.place.is_simulated() {
            let line = progress::line(&self.step.title, self.step.time_ns_max, progress);
            self.session.screen.live(&line);
        }
    }
}

#[cfg(test)]
mod tests;
