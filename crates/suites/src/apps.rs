//! `apps`: real applications on the drive, in their users' units: commits, files, photos, cameras.
//!
//! Each step runs a real application through the page cache and the file system, so the pattern of a database's writes, and
//! how often it waits for them, is its own and not a guess. The steps are data; the program runs them.
//! The number of cameras that a drive keeps up with is found by a search, with one step for each number.

use cardiograph_core::app::{AppPart, AppSpec};
use cardiograph_core::message::Parameter;
use cardiograph_core::metric::{Measured, Measurements, Metric};
use cardiograph_core::report::{Step, StepResult, Work};
use cardiograph_core::table::Table;
use cardiograph_core::{Direction, MIB, Message, NS_PER_S, message};

use crate::board::Board;
use crate::budget::Budget;
use crate::instead::instead;
use crate::measure::measure;
use crate::next_step::{NextStep, went_well};
use crate::schedule::divide;
use crate::setting::{Setting, SettingKind};
use crate::suite::{Context, Outline, Suite};

mod cameras;
mod recording;
mod tables;

use cameras::Search;

const NAME: &str = "apps";
/// The share of the capacity that may be written, as a divisor: 5 %. Applications rewrite small records and their journals
/// many times, and photos and videos are large.
const CAPACITY_DIVISOR: u64 = 20;
/// The same for a recording by name: its length is fixed, and what it writes is a fifth of a small card.
const RECORDING_DIVISOR: u64 = 5;
/// The most that all steps together write.
const WRITE_BYTES_MAX: u64 = 16 << 30;
const CAMERAS: &str = "cameras";

/// The value of `load` for all applications.
const ALL: &str = "all";

const LOAD: Setting = Setting::new("load", const { &message!("setting-apps.load") }, SettingKind::List, ALL);
const TIME: Setting =
    Setting::new("time", const { &message!("setting-apps.time") }, SettingKind::Time, "20s");
const MBIT: Setting = Setting::new("mbit", const { &message!("setting-apps.mbit") }, SettingKind::Count, "8");

/// An application as this suite runs it.
#[derive(Debug, PartialEq, Eq)]
struct App {
    load: &'static str,
    title: Message,
    /// With less, its figures mean nothing.
    write_bytes_min: u64,
    /// Writing more does not improve the result.
    write_bytes_max: u64,
    /// Its weight in the division of the write budget.
    weight: u64,
}

static APPS: [App; 7] = [
    App {
        load: "sqlite-wal",
        title: message!("step-app.sqlite-wal"),
        write_bytes_min: 24 * MIB,
        write_bytes_max: 2_048 * MIB,
        weight: 2,
    },
    App {
        load: "sqlite-rollback",
        title: message!("step-app.sqlite-rollback"),
        write_bytes_min: 24 * MIB,
        write_bytes_max: 2_048 * MIB,
        weight: 2,
    },
    App {
        load: "log-fsync",
        title: message!("step-app.log-fsync"),
        write_bytes_min: MIB,
        write_bytes_max: 512 * MIB,
        weight: 1,
    },
    App {
        load: "unpack",
        title: message!("step-app.unpack"),
        write_bytes_min: 8 * MIB,
        write_bytes_max: 1_024 * MIB,
        weight: 2,
    },
    App {
        load: "photos",
        title: message!("step-app.photos"),
        write_bytes_min: 64 * MIB,
        write_bytes_max: 4_096 * MIB,
        weight: 4,
    },
    App {
        load: CAMERAS,
        title: message!("step-app.cameras"),
        write_bytes_min: 32 * MIB,
        write_bytes_max: 12_288 * MIB,
        weight: 10,
    },
    // Ten minutes long, so only by name.
    App {
        load: recording::ID,
        title: message!("step-app.recording"),
        write_bytes_min: recording::WRITE_BYTES,
        write_bytes_max: recording::WRITE_BYTES,
        weight: 10,
    },
];

/// The suite.
#[derive(Debug, Clone, Copy)]
pub struct Apps;

/// An application with its limits.
#[derive(Debug, Clone, Copy)]
struct Planned {
    app: &'static App,
    write_bytes_max: u64,
    time_ns_max: u64,
}

/// The plan of a checkup.
struct Schedule {
    planned: Vec<Planned>,
    mbit_per_s: u64,
    /// Why it cannot be run, if so.
    misfit: Option<Vec<Message>>,
    notes: Vec<Message>,
}

impl Schedule {
    fn new(context: &Context<'_>) -> Self {
        let settings = &context.options.settings;
        let mbit_per_s = settings.count(&MBIT).unwrap_or(cameras::USUAL_MBIT_PER_S);
        let loads = settings.list(&LOAD);
        let divisor = if loads == [recording::ID] { RECORDING_DIVISOR } else { CAPACITY_DIVISOR };
        let budget = Budget::for_growing_files(context.drive, divisor, WRITE_BYTES_MAX);
        let unknown = loads.iter().find(|load| **load != ALL && APPS.iter().all(|app| app.load != **load));
        let is_of_all = |app: &App| loads.contains(&ALL) && app.load != recording::ID;
        let apps: Vec<&'static App> =
            APPS.iter().filter(|app| loads.contains(&app.load) || is_of_all(app)).collect();
        let weights: u64 = apps.iter().map(|app| app.weight).sum();
        let wanted = settings.time_ns(&TIME).unwrap_or(20 * NS_PER_S);
        let wants = apps.iter().map(|app| match app.load {
            CAMERAS => cameras::TIME_NS,
            recording::ID => recording::TIME_NS,
            _ => wanted,
        });
        let wants: Vec<u64> = wants.collect();
        let times = match context.options.max_time_ns {
            Some(max_ns) => divide(&wants, max_ns),
            None => wants,
        };
        // Files occupy only what is written to them, and are removed before the next application starts.
        let all_bytes = budget.write_bytes.min(budget.file_bytes);
        let plan = |(&app, time_ns_max): (&&'static App, u64)| Planned {
            app,
            write_bytes_max: (all_bytes / weights * app.weight).min(app.write_bytes_max),
            time_ns_max,
        };
        let planned: Vec<Planned> = apps.iter().zip(times).map(plan).collect();
        let short = planned.iter().find(|planned| planned.write_bytes_max < planned.app.write_bytes_min);
        let misfit = match (unknown, short) {
            (Some(load), _) => {
                let known = Parameter::all(APPS.iter().map(|app| app.load));
                Some(vec![message!("note-apps.unknown", load = *load, known)])
            }
            (None, Some(short)) => {
                let alone = |app: &&App| planned.len() > 1 && app.write_bytes_min <= all_bytes;
                let alone = APPS.iter().filter(alone).min_by_key(|app| app.write_bytes_min);
                Some(too_little(context, short, alone, &budget.reasons))
            }
            (None, None) if mbit_per_s > 1_000 => Some(vec![message!("note-apps.mbit", most = 1_000_u32)]),
            (None, None) => None,
        };
        let notes = [&budget.reasons[..], &[message!("note-apps.page-cache")]].concat();
        Self { planned, mbit_per_s, misfit, notes }
    }

    fn step(&self, planned: &Planned, spec: AppSpec, id: String, title: Message) -> Step {
        Step {
            id,
            title,
            work: Work::App(spec),
            write_bytes_max: planned.write_bytes_max,
            time_ns_max: Some(planned.time_ns_max),
            ..Step::default()
        }
    }

    /// The step of an application other than the cameras.
    fn one(&self, planned: &Planned) -> Step {
        let load = planned.app.load;
        let spec = if load == recording::ID { recording::spec() } else { AppSpec::new(load) };
        self.step(planned, spec, load.to_string(), planned.app.title.clone())
    }

    /// The search for the number of cameras, if it is planned.
    fn search(&self) -> Option<Search> {
        let planned = self.planned.iter().find(|planned| planned.app.load == CAMERAS)?;
        Some(Search::new(planned, self.mbit_per_s))
    }

    /// The step that tries the next number of cameras; `None` when the search is over.
    fn next_cameras(&self, planned: &Planned, done: &[StepResult]) -> Option<Step> {
        let search = Search::new(planned, self.mbit_per_s);
        let trial = search.next(done)?;
        let spec = AppSpec::new(CAMERAS)
            .set("cameras", trial.cameras)
            .set("mbit_per_s", self.mbit_per_s)
            .set("buffer_s", cameras::BUFFER_S);
        let title = message!("step-cameras", cameras = trial.cameras, mbit = self.mbit_per_s);
        let planned =
            Planned { write_bytes_max: trial.write_bytes_max, time_ns_max: search.trial_ns(), ..*planned };
        Some(self.step(&planned, spec, format!("{CAMERAS}-{}", trial.cameras), title))
    }

    /// The next step of an application.
    fn next_of(&self, planned: &Planned, done: &[StepResult]) -> Option<Step> {
        if planned.app.load == CAMERAS {
            return self.next_cameras(planned, done);
        }
        let is_ahead = done.iter().all(|step| step.step.id != planned.app.load);
        is_ahead.then(|| self.one(planned))
    }
}

/// Why an application does not have enough space, and what fits: `alone`, or another suite.
fn too_little(
    context: &Context<'_>,
    short: &Planned,
    alone: Option<&App>,
    reasons: &[Message],
) -> Vec<Message> {
    let share = message!(
        "note-apps.too-little",
        load = short.app.load,
        needed = Parameter::CapacityBytes(short.app.write_bytes_min),
        share = Parameter::CapacityBytes(short.write_bytes_max)
    );
    let alone = alone.map(|app| message!("note-apps.alone", load = app.load));
    std::iter::once(share).chain(reasons.iter().cloned()).chain(alone).chain(instead(context)).collect()
}

impl Suite for Apps {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> Message {
        message!("suite-apps")
    }

    fn settings(&self) -> &'static [Setting] {
        &[LOAD, TIME, MBIT]
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        let schedule = Schedule::new(context);
        if let Some(misfit) = schedule.misfit {
            return Outline::from_steps(context, Vec::new(), None, misfit);
        }
        let steps: Vec<Step> = schedule.planned.iter().map(|planned| schedule.one(planned)).collect();
        let time_ns_max = schedule.planned.iter().map(|planned| planned.time_ns_max).sum();
        let file_bytes_max = schedule.planned.iter().map(|planned| planned.write_bytes_max).max();
        let outline = Outline::from_steps(context, steps, Some(time_ns_max), schedule.notes);
        Outline { file_bytes_max: file_bytes_max.unwrap_or(0), ..outline }
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        let schedule = Schedule::new(context);
        if !went_well(done) || schedule.misfit.is_some() {
            return None;
        }
        let mut step = schedule.planned.iter().find_map(|planned| schedule.next_of(planned, done))?;
        if done.is_empty() {
            step.sizing = schedule.notes;
        }
        Some(step.into())
    }

    fn board(&self, context: &Context<'_>, done: &[StepResult], next: &Step) -> Option<Board> {
        let cameras = next.work.app().filter(|app| app.load == CAMERAS)?.parameter("cameras")?;
        let trials = Schedule::new(context).search()?.camera_trials(done);
        Some(Board::Cameras { trials, next: cameras })
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        let mut measurements = measure(context, done, &[]);
        let commits = done.iter().find(|step| step.step.id == "sqlite-wal");
        if let Some((step, part)) = commits.and_then(|step| Some((step, part(step, "commits")?))) {
            let doubt = step.doubt(Direction::Write).cloned();
            let figures = [
                (Metric::SqliteCommits, part.operations_per_s()),
                (Metric::CommitPauseMax, part.longest_pause()),
            ];
            for (metric, estimate) in figures {
                let measured = Measured { estimate, step: step.step.id.clone(), doubt: doubt.clone() };
                measurements.insert(metric, measured);
            }
        }
        let search = Schedule::new(context).search();
        measurements.extend(search.and_then(|search| search.measured(done)));
        measurements.extend(recording::measured(done));
        measurements
    }

    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        let search = Schedule::new(context).search();
        let recorded = search.and_then(|search| search.table(done));
        tables::applications(done).into_iter().chain(recorded).collect()
    }
}

/// A part of an application's result, if it did anything.
fn part<'a>(step: &'a StepResult, id: &str) -> Option<&'a AppPart> {
    step.app.as_ref()?.part(id).filter(|part| part.operations > 0)
}

#[cfg(test)]
mod tests;
