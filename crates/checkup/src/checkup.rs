//! A checkup from the Task to its end.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use cardiograph_core::Report;
use cardiograph_core::drive::Drive;
use cardiograph_core::report::ReportState;
use cardiograph_core::rng::hash_name;
use cardiograph_engine::fill_files::{FillSet, Found};
use cardiograph_jobs::resolve::{FileFacts, ResolveContext, Surroundings};
use cardiograph_store::Store;
use cardiograph_suites::{Context, Need, OnDevice, Options, Outline, Settings, Suite, SuiteTraits};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::macros::format_description;

use crate::cleaned::Cleaned;
use crate::consent::Stake;
use crate::extra_directories::ExtraDirectories;
use crate::failure::Failure;
use crate::keeper::Keeper;
use crate::local_runner::{LocalRunner, Underway};
use crate::machine::resolved;
use crate::place::{Place, refuse_memory};
use crate::scheduler::Schedulers;
use crate::session::{Ending, Session, WINDOW_NS};
use crate::signals::Signals;
use crate::sink::{Activity, Event, Sink};
use crate::{calibration, leftovers, messages, resume, trim};

/// Program and version, as Reports and passports have them.
pub const PROGRAM: &str = concat!("cardiograph ", env!("CARGO_PKG_VERSION"));

/// A checkup that somebody wants done.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Task {
    /// A directory on the drive; for some suites its block device.
    pub path: PathBuf,
    /// The simulated drive that is checked instead: a shipped model, or a TOML file.
    pub simulate: Option<String>,
    /// Name of the suite.
    pub suite: String,
    /// What is set of the suite's own settings.
    pub settings: Vec<(String, String)>,
    /// How long it may take, in nanoseconds.
    pub max_time_ns: Option<u64>,
    /// How well rates are to be known, as a share.
    pub precision: Option<f64>,
    /// Whether it measures through the page cache.
    pub buffered: bool,
    /// What the drive is called.
    pub label: Option<String>,
    /// What the Report is found by.
    pub tags: BTreeMap<String, String>,
    /// Ids of the devices whose content may be destroyed.
    pub consents: Vec<String>,
    /// Whether an interrupted checkup of the same kind is to be resumed.
    pub resumes: bool,
    /// Whether the Report is kept, so that what is cut off can be resumed.
    pub keeps_report: bool,
    /// Whether nothing is done but looked at.
    pub is_dry: bool,
    /// Seed of all that is random; one is drawn where there is none.
    pub seed: Option<u64>,
}

/// A checkup of which is known where it takes place and what it will do.
pub struct Checkup {
    /// What was asked for.
    pub task: Task,
    /// Its suite.
    pub suite: &'static dyn Suite,
    /// Where it takes place.
    pub place: Place,
    /// What the suite is like.
    pub traits: SuiteTraits,
    /// The Report, before its first step.
    pub report: Report,
    options: Options,
    found: Vec<Found>,
    extra_directories: ExtraDirectories,
    schedulers: Schedulers,
}

impl Checkup {
    /// Opens the place. Nothing is written yet.
    ///
    /// # Errors
    /// Where there is no such suite, setting or place, the place cannot be used, or consent lacks.
    pub fn open(task: Task, signals: &Signals, sink: &dyn Sink) -> Result<Self, Failure> {
        let suite = find_suite(&task.suite)?;
        let settings =
            Settings::parse(suite.name(), suite.settings(), &task.settings).map_err(Failure::usage)?;
        let traits = suite.traits(&settings);
        let place = match &task.simulate {
            Some(model) => Place::simulated(model, task.seed.unwrap_or(1))?,
            None => place_of(&traits, &task, signals, sink)?,
        };
        let unix_ms = unix_ms();
        let seed = task.seed.unwrap_or_else(|| place.default_seed(unix_ms));
        let asked = (settings.given(), task.max_time_ns, task.precision, task.buffered);
        let mut report = blank_report(&task, suite.name(), &place, seed, unix_ms, &asked)?;
        refuse_memory(&report.drive)?;
        report.settings = settings.given().clone();
        refuse_precision(&traits, &task)?;
        let options = Options {
            max_time_ns: task.max_time_ns,
            precision: task.precision,
            direct: !task.buffered,
            settings,
            keeps_report: task.keeps_report,
            kept: None,
        };
        let (extra_directories, schedulers) = Default::default();
        let found = Vec::new();
        Ok(Self { task, suite, place, traits, report, options, found, extra_directories, schedulers })
    }

    /// What a suite is told.
    pub fn context(&self) -> Context<'_> {
        Context { drive: &self.report.drive, environment: &self.report.environment, options: &self.options }
    }

    /// Looks at what is there, asks the drives how they are, and finds out what the suite will do, at most.
    ///
    /// # Errors
    /// Where the suite can do nothing here, or its jobs cannot be run.
    pub fn outline(&mut self, sink: &dyn Sink) -> Result<Outline, Failure> {
        self.found = self.place.parts_found();
        let resumed = self.found.first().filter(|_| self.traits.keeps_parts);
        self.options.kept = resumed.and_then(leftovers::kept_parts);
        // What the drive says of its health counts before the first byte: a suite tells what share of its life it takes.
        sink.event(Event::Doing(Activity::Inquiring));
        self.place.inquire(&mut self.report.drive);
        let outline = self.suite.outline(&self.context());
        if outline.steps.is_empty() {
            return Err(Failure::usage(format!("{}: {}", self.report.drive.path, outline.notes.join(" "))));
        }
        refuse_what_cannot_be_run(&outline, self.report.seed)?;
        Ok(outline)
    }

    /// Makes sure that what the suite needs is there, and takes over what is resumed from `store`.
    ///
    /// # Errors
    /// Where something is not there or has no room, and where there is nothing to resume.
    pub fn make_ready(&mut self, outline: &Outline, store: Option<&dyn Store>) -> Result<(), Failure> {
        (self.extra_directories, self.schedulers) =
            surroundings(&outline.needs, &self.place, &self.report.drive, self.task.is_dry)?;
        if let Some(store) = store.filter(|_| self.task.resumes) {
            resume::take_over(&mut self.report, self.suite, self.traits.can_resume, store)?;
        }
        if !self.task.is_dry {
            self.place.probe()?;
            self.place.check_space(outline.file_bytes_max)?;
        }
        Ok(())
    }

    /// Which parts of an interrupted checkup are gone on with.
    fn resumed(&self) -> Option<FillSet> {
        self.options.kept.as_ref().and(self.found.first()).map(|found| found.set)
    }

    /// Restores what was left, runs the suite to its end, and fills the Report.
    ///
    /// # Errors
    /// When not even the first step could begin.
    pub fn run(
        &mut self,
        keeper: &Arc<impl Keeper + 'static>,
        signals: &Signals,
        sink: &dyn Sink,
    ) -> Result<Ending, Failure> {
        let resumed = self.resumed();
        let Self { place, suite, traits, report, .. } = self;
        if traits.on_device == OnDevice::Writes {
            leftovers::recover(place, (traits.puts_back, resumed.is_some()), report, sink, signals);
        }
        note_surroundings(place, self.task.buffered, report);
        let sequence_seed = resumed.map_or_else(|| place.content_seed(report.seed), |set| set.seed);
        leftovers::note_parts(place, &self.found, resumed, report);
        if !place.is_simulated() {
            report.environment.calibration = calibration::calibrate();
        }
        let mut runner = LocalRunner {
            drive: report.drive.clone(),
            suite: suite.name(),
            traits: *traits,
            direct: self.options.direct,
            max_time_ns: self.options.max_time_ns,
            seed: report.seed,
            sequence_seed,
            extra_directories: std::mem::take(&mut self.extra_directories),
            schedulers: RefCell::new(std::mem::take(&mut self.schedulers)),
            sink,
            signals,
            underway: Underway::begin(place),
            place,
        };
        let options = self.options.clone();
        let mut session =
            Session { runner: &mut runner, suite: *suite, options, sink, signals, keeper: keeper.clone() };
        let ending = session.run(report);
        self.extra_directories = std::mem::take(&mut runner.extra_directories);
        // Its files are gone before what else is removed.
        drop(runner);
        let ending = ending?;
        if let Some(set) = resumed.filter(|_| report.state != ReportState::Interrupted && !ending.is_hung) {
            // Parts that were not needed, as less of the space was asked for.
            place.remove_set(set);
        }
        Ok(ending)
    }

    /// Removes what is left of test files, and says what stays.
    pub fn clean(&self) -> Cleaned {
        let mut cleaned = self.place.clean();
        self.extra_directories.clean().into_iter().for_each(|more| cleaned.stays.extend(more.stays));
        cleaned
    }
}

/// Now, in milliseconds since 1970.
pub fn unix_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// Resolves the jobs of all steps before the first byte: what a user set may be a value that no job takes.
fn refuse_what_cannot_be_run(outline: &Outline, seed: u64) -> Result<(), Failure> {
    let context = ResolveContext { surroundings: &AllThere, ..ResolveContext::new(seed, WINDOW_NS) };
    let mut jobs = outline.steps.iter().map(|step| step.work.jobs()).filter(|jobs| !jobs.is_empty());
    jobs.try_for_each(|jobs| resolved(jobs, &context).map(drop))
}

/// Test files as they will be when their step begins: some steps check what an earlier one wrote.
struct AllThere;

impl Surroundings for AllThere {
    fn file(&self, _: &str) -> FileFacts {
        FileFacts::File { len_bytes: u64::MAX / 2 }
    }
}

/// What a suite needs beside the place of the checkup: directories, and drives that take its schedulers.
fn surroundings(
    needs: &[Need],
    place: &Place,
    drive: &Drive,
    is_dry: bool,
) -> Result<(ExtraDirectories, Schedulers), Failure> {
    let mut extra_directories = ExtraDirectories::default();
    let mut schedulers = Vec::new();
    for need in needs {
        match need {
            Need::Directory { path, file_bytes } => extra_directories.add(path, *file_bytes, is_dry)?,
            Need::Scheduler { name } => schedulers.push(name.clone()),
            Need::Trim { path } if !is_dry => match path {
                Some(path) => trim::probe(Path::new(path))?,
                None => place.trim(trim::probe)?,
            },
            Need::Trim { .. } => {}
        }
    }
    Ok((extra_directories, Schedulers::of(drive, &schedulers)?))
}

/// The directory that was named, or the device, for suites that take one.
fn place_of(traits: &SuiteTraits, task: &Task, signals: &Signals, sink: &dyn Sink) -> Result<Place, Failure> {
    let path = &task.path;
    let is_device = std::fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_block_device());
    if !is_device {
        return Place::directory(path);
    }
    let writes = match traits.on_device {
        OnDevice::Never => return Err(messages::not_for_devices(path, &task.suite)),
        OnDevice::Reads => None,
        // What is only shown destroys nothing.
        OnDevice::Writes => {
            (!task.is_dry).then_some(if traits.puts_back { Stake::PutBack } else { Stake::Lost })
        }
    };
    Place::device(path, writes, &task.consents, signals, sink)
}

/// The suite of that name.
///
/// # Errors
/// Where there is none; the message names those that there are.
fn find_suite(name: &str) -> Result<&'static dyn Suite, Failure> {
    cardiograph_suites::find(name).ok_or_else(|| {
        let names: Vec<&str> = cardiograph_suites::SUITES.iter().map(|suite| suite.name()).collect();
        Failure::usage(format!("no suite is called '{name}'; there are: {}", names.join(", ")))
    })
}

/// A suite whose steps have their own end does not take a precision for it and run on regardless.
fn refuse_precision(traits: &SuiteTraits, task: &Task) -> Result<(), Failure> {
    if task.precision.is_none() || traits.ends_by_precision {
        return Ok(());
    }
    let others = cardiograph_suites::SUITES
        .iter()
        .filter(|suite| suite.traits(&Settings::default()).ends_by_precision);
    let others: Vec<&str> = others.map(|suite| suite.name()).collect();
    Err(Failure::usage(format!(
        "--precision: the steps of the suite {} end by time or size, whatever is known by then; those of --suite {} end by \
         precision",
        task.suite,
        others.join(", ")
    )))
}

/// The Report before the first step. What is simulated has no date: the same again is the same checkup, and what differs in the
/// model, in what it is called or in what is `asked` of it is another.
///
/// # Errors
/// Where it cannot be seen what stands there.
pub fn blank_report(
    task: &Task,
    suite: &str,
    place: &Place,
    seed: u64,
    unix_ms: u64,
    asked: &impl Serialize,
) -> Result<Report, Failure> {
    let drive = place.identify()?;
    let started_unix_ms = if place.is_simulated() { 0 } else { unix_ms };
    let (label, tags) = (task.label.clone(), task.tags.clone());
    let id = match place {
        Place::Simulated(simulated) => {
            let what = (&drive.path, simulated.model(), &label, &tags, asked);
            let what = serde_json::to_string(&what).expect("it has nothing that JSON cannot hold");
            format!("sim-{:08x}-{}-{seed:x}", hash_name(&what) as u32, suite.replace(' ', "-"))
        }
        _ => format!("{}-{:06x}", utc(unix_ms), seed & 0xff_ffff),
    };
    Ok(Report {
        label,
        tags,
        seed,
        host: place.host(),
        drive,
        environment: place.environment(),
        ..Report::new(&id, started_unix_ms, PROGRAM, suite)
    })
}

/// A moment as sortable digits.
fn utc(unix_ms: u64) -> String {
    let form = format_description!("[year][month][day]-[hour][minute][second]");
    let moment = OffsetDateTime::from_unix_timestamp((unix_ms / 1_000) as i64).ok();
    moment.and_then(|moment| moment.format(form).ok()).unwrap_or_else(|| unix_ms.to_string())
}

/// Says what can be said of the surroundings before the first step.
fn note_surroundings(place: &Place, is_buffered: bool, report: &mut Report) {
    report.notes.extend(place.clean().notes());
    if is_buffered {
        report.notes.push(
            "measured through the page cache (--buffered): these are the system's figures, not the drive's"
                .to_string(),
        );
    }
    if place.counters(&report.drive).is_none() {
        report.notes.push(
            "the kernel's counters for the drive cannot be read here, so no figure was checked against them"
                .to_string(),
        );
    }
}
