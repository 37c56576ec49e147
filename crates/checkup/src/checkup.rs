//! A checkup, from the Task to its end.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use cardiograph_core::drive::Drive;
use cardiograph_core::fleet::{Fleet, FleetHost};
use cardiograph_core::nearest::suggestion;
use cardiograph_core::report::ReportState;
use cardiograph_core::rng::hash_name;
use cardiograph_core::{Message, Parameter, Report, message, schemars};
use cardiograph_engine::fill_files::{FillSet, Found};
use cardiograph_jobs::resolve::{FileFacts, ResolveContext, Surroundings};
use cardiograph_judge::purpose::Purpose;
use cardiograph_store::Store;
use cardiograph_suites::{Context, Options, Outline, Settings, Suite, SuiteTraits};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::macros::format_description;

use crate::agent::AgentRunner;
use crate::checkup_target::{CheckupTarget, refuse_memory};
use crate::cleaned::Cleaned;
use crate::failure::Failure;
use crate::fleet::member::Member;
use crate::fleet::runner::FleetRunner;
use crate::fleet::whole::Whole;
use crate::keeper::Keeper;
use crate::local_runner::LocalRunner;
pub use crate::machine::PROGRAM;
use crate::machine::resolved;
use crate::runner::{Begun, Caller, Looked, Opened, Runner, TargetKind, TargetSpec, Terms, Wanted};
use crate::session::{Ending, Session, WINDOW_NS};
use crate::{leftovers, own_purposes, resume};

/// Default seed of simulated drives.
const SIMULATED_SEED: u64 = 1;
/// Bytes from which a suite asks before it writes.
const MUCH_BYTES: u64 = 50_000_000_000;
/// Share of the capacity from which it asks.
const MUCH_SHARE: f64 = 0.05;

/// A requested checkup.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Task {
    /// A directory on the drive; for some suites its block device.
    pub path: PathBuf,
    /// The simulated drive to check instead: a shipped model, or a TOML file.
    pub simulate: Option<String>,
    /// Name of the suite.
    pub suite: String,
    /// Settings of the suite.
    pub settings: Vec<(String, String)>,
    /// Time limit, in nanoseconds.
    pub max_time_ns: Option<u64>,
    /// Requested precision of rates, as a share.
    pub precision: Option<f64>,
    /// Whether it measures through the page cache.
    pub buffered: bool,
    /// Label of the drive.
    pub label: Option<String>,
    /// Tags of the Report.
    pub tags: BTreeMap<String, String>,
    /// The user's own purposes, as TOML.
    pub purposes: Option<String>,
    /// Ids of the devices whose content may be destroyed.
    pub consents: Vec<String>,
    /// Whether to resume an interrupted checkup of the same kind.
    pub resumes: bool,
    /// Whether the Report is saved, so that an interrupted checkup can be resumed.
    pub keeps_report: bool,
    /// Whether this is a dry run.
    pub is_dry: bool,
    /// Seed of all randomness; drawn if not given.
    pub seed: Option<u64>,
}

/// A checkup whose target and steps are known.
pub struct Checkup {
    /// The request.
    pub task: Task,
    /// Its suite.
    pub suite: &'static dyn Suite,
    /// Kind of its target.
    pub kind: TargetKind,
    /// Traits of the suite.
    pub traits: SuiteTraits,
    /// The Report, before its first step.
    pub report: Report,
    options: Options,
    purposes: Cow<'static, [Purpose]>,
    found: Vec<Found>,
    runner: Box<dyn Runner>,
    fleet: Option<InFleet>,
}

/// A checkup's part in a fleet.
struct InFleet {
    member: Rc<Member>,
    /// The Report of all; `None` except on rank 0, and until the first step.
    whole: Rc<RefCell<Option<Whole>>>,
}

impl Checkup {
    /// Opens the target. Nothing is written yet.
    ///
    /// # Errors
    /// When there is no such suite, setting or target, the target cannot be used, or consent is missing.
    pub fn open(task: Task, caller: Caller<'_>) -> Result<Self, Failure> {
        let suite = find_suite(&task.suite)?;
        let purposes = own_purposes::all(task.purposes.as_deref(), Path::new("-"))?;
        let settings =
            Settings::parse(suite.name(), suite.settings(), &task.settings).map_err(Failure::usage)?;
        let traits = suite.traits(&settings);
        let (runner, opened): (Box<dyn Runner>, Opened) = match &task.simulate {
            Some(model) => {
                let target = CheckupTarget::simulated(model, task.seed.unwrap_or(SIMULATED_SEED))?;
                let (runner, opened) = LocalRunner::with_target(target, suite.name(), traits)?;
                (Box::new(runner), opened)
            }
            None => {
                let (runner, opened) = AgentRunner::open(&target_spec(&task, suite, traits), caller)?;
                (Box::new(runner), opened)
            }
        };
        let unix_ms = unix_ms();
        let seed = task.seed.unwrap_or_else(|| default_seed(&opened, unix_ms));
        let kind = opened.kind;
        let asked = (settings.given(), task.max_time_ns, task.precision, task.buffered);
        let mut report = blank_report(&task, suite.name(), opened, seed, unix_ms, &asked);
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
        let (found, fleet) = Default::default();
        Ok(Self { task, suite, kind, traits, report, options, purposes, found, runner, fleet })
    }

    /// Opens the target of this host in a fleet: all hosts run the same steps at the same time.
    ///
    /// # Errors
    /// On all hosts, when one of them cannot.
    pub fn open_in(mut task: Task, member: Rc<Member>, caller: Caller<'_>) -> Result<Self, Failure> {
        if task.simulate.is_some() {
            // A drive of its own.
            task.seed = Some(member.seed(task.seed.unwrap_or(SIMULATED_SEED)));
        }
        let own = if task.resumes {
            Err(Failure::usage(message!("fleet-no-resume")))
        } else {
            Self::open(task, caller)
        };
        let mut own = member.agree(own)?;
        let report = &mut own.report;
        let of_0 = (report.id.clone(), report.started_unix_ms, report.seed);
        let (id, started_unix_ms, seed) = member.share(of_0)?;
        (report.started_unix_ms, report.seed) = (started_unix_ms, member.seed(seed));
        report.id = format!("{id}-r{}", member.rank());
        let (size, rank, clock) = (member.size(), Some(member.rank()), member.clock());
        report.fleet = Some(Box::new(Fleet { id, size, rank, clock, hosts: Vec::new() }));
        let whole = Rc::default();
        let runner = Box::new(FleetRunner::new(own.runner, Rc::clone(&member), Rc::clone(&whole)));
        Ok(Self { runner, fleet: Some(InFleet { member, whole }), ..own })
    }

    /// Begins the Report of all hosts on rank 0, which `keeper` saves. All hosts call it, before the first step.
    ///
    /// # Errors
    /// When a host is lost.
    pub fn keep_whole(&self, keeper: Arc<dyn Keeper>) -> Result<(), Failure> {
        let Some(InFleet { member, whole }) = &self.fleet else { return Ok(()) };
        let Report { host, drive, .. } = &self.report;
        let (rank, host, drive, clock) = (member.rank(), host.clone(), drive.clone(), member.clock());
        let hosts = member.collect(&FleetHost { rank, host, drive, clock })?;
        if rank == 0 {
            whole.replace(Some(Whole::new(&self.report, hosts, self.options.direct, keeper)));
        }
        Ok(())
    }

    /// Ends the Report of all hosts, and returns it on rank 0.
    ///
    /// # Errors
    /// When it could not be saved.
    pub fn end_whole(&self) -> Result<Option<Report>, Failure> {
        let Some(InFleet { whole, .. }) = &self.fleet else { return Ok(None) };
        let Some(mut whole) = whole.take() else { return Ok(None) };
        whole.end(self.report.state)?;
        Ok(Some(whole.into_report()))
    }

    /// A value, if all hosts of the fleet have one.
    fn agreed<T>(&self, own: Result<T, Failure>) -> Result<T, Failure> {
        match &self.fleet {
            Some(InFleet { member, .. }) => member.agree(own),
            None => own,
        }
    }

    /// Input of the suite.
    pub fn context(&self) -> Context<'_> {
        Context { drive: &self.report.drive, environment: &self.report.environment, options: &self.options }
    }

    /// Inspects the drive, queries its health, and asks the suite for its outline.
    ///
    /// # Errors
    /// When the suite can do nothing here, or its jobs cannot be run.
    pub fn outline(&mut self, caller: Caller<'_>) -> Result<Outline, Failure> {
        // The health must be read before the first byte is written: a suite reports its share of the drive's
        // life.
        let Looked { drive, found } = self.runner.look(caller)?;
        (self.report.drive, self.found) = (drive, found);
        let outline = self.own_outline();
        self.agreed(outline)
    }

    /// The suite's outline for the drive that was looked at.
    fn own_outline(&mut self) -> Result<Outline, Failure> {
        let resumed = self.found.first().filter(|_| self.traits.keeps_parts);
        self.options.kept = resumed.and_then(leftovers::kept_parts);
        let outline = self.suite.outline(&self.context());
        if outline.steps.is_empty() {
            let refusal = message!("suite-unfit", suite = self.suite.name(), path = &self.report.drive.path);
            return Err(Failure { more: outline.notes, ..Failure::usage(refusal) });
        }
        refuse_what_cannot_be_run(&outline, self.report.seed)?;
        Ok(outline)
    }

    /// Takes over a checkup to resume from `store`, and checks the suite's requirements.
    ///
    /// # Errors
    /// When a requirement or space is missing, and when there is nothing to resume.
    pub fn make_ready(
        &mut self,
        outline: &Outline,
        store: Option<&dyn Store>,
        caller: Caller<'_>,
    ) -> Result<(), Failure> {
        if let Some(store) = store.filter(|_| self.task.resumes) {
            resume::take_over(&mut self.report, self.suite, self.traits.can_resume, store)?;
        }
        let wanted = Wanted {
            needs: outline.needs.clone(),
            file_bytes_max: outline.file_bytes_max,
            is_dry: self.task.is_dry,
        };
        self.runner.make_ready(&wanted, caller)
    }

    /// What to ask before a suite that may write much of a drive, as a phrase; `None` if it does not. A device that
    /// is written to was approved by its id, and simulated drives wear out nothing.
    pub fn writes_much(&self, outline: &Outline) -> Option<Message> {
        let is_approved = self.kind != TargetKind::Directory;
        let Drive { capacity_bytes, mount, .. } = &self.report.drive;
        let capacity =
            capacity_bytes.or(mount.as_ref().map(|mount| mount.size_bytes)).filter(|&bytes| bytes > 0);
        let share = capacity.map(|capacity| outline.write_bytes_max as f64 / capacity as f64);
        let is_much = outline.write_bytes_max > MUCH_BYTES || share.is_some_and(|share| share > MUCH_SHARE);
        let (suite, bytes) = (self.suite.name(), Parameter::CapacityBytes(outline.write_bytes_max));
        (is_much && !is_approved).then(|| match (capacity, share) {
            (Some(capacity), Some(share)) => message!(
                "check-much.of-capacity",
                suite,
                bytes,
                share = Parameter::share(share),
                capacity = Parameter::CapacityBytes(capacity)
            ),
            _ => message!("check-much", suite, bytes),
        })
    }

    /// The parts of an interrupted checkup to resume.
    fn resumed(&self) -> Option<FillSet> {
        self.options.kept.as_ref().and(self.found.first()).map(|found| found.set)
    }

    /// Restores leftovers, runs the suite to its end, and fills the Report.
    ///
    /// # Errors
    /// When not even the first step could begin.
    pub fn run(
        &mut self,
        keeper: &Arc<impl Keeper + 'static>,
        caller: Caller<'_>,
    ) -> Result<Ending, Failure> {
        let resumed = self.resumed();
        let Self { suite, report, runner, options, purposes, .. } = self;
        let (direct, max_time_ns) = (options.direct, options.max_time_ns);
        let terms = Terms { direct, max_time_ns, seed: report.seed, resumed };
        let Begun { notes, calibration } = runner.begin(terms, caller)?;
        report.notes.extend(notes);
        report.environment.calibration = calibration;
        let (runner, options) = (runner.as_mut(), options.clone());
        Session { runner, suite: *suite, options, purposes, caller, keeper: keeper.clone() }.run(report)
    }

    /// Removes leftover test files, and returns what remains.
    pub fn clean(&mut self, caller: Caller<'_>) -> Cleaned {
        let unneeded = self.resumed().filter(|_| self.report.state != ReportState::Interrupted);
        self.runner.clean(unneeded, caller)
    }

    /// Removes or restores what interrupted checkups left, and reports it. Returns whether nothing remains.
    ///
    /// # Errors
    /// When the drive does not respond.
    pub fn remove_leftovers(&mut self, caller: Caller<'_>) -> Result<bool, Failure> {
        self.runner.remove_leftovers(self.task.is_dry, caller)
    }
}

/// The target of a Task.
fn target_spec(task: &Task, suite: &dyn Suite, traits: SuiteTraits) -> TargetSpec {
    TargetSpec {
        path: task.path.clone(),
        suite: suite.name().to_string(),
        traits,
        consents: task.consents.clone(),
        is_dry: task.is_dry,
    }
}

/// Default seed of a checkup.
pub fn default_seed(opened: &Opened, unix_ms: u64) -> u64 {
    // Short enough to be typed again.
    let drawn = || hash_name(&format!("{unix_ms} {}", std::process::id())) >> 32;
    if opened.kind == TargetKind::Simulated { SIMULATED_SEED } else { drawn() }
}

/// Now, in milliseconds since 1970.
pub fn unix_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// Resolves the jobs of all steps before the first byte: a user's setting may be invalid for a job.
fn refuse_what_cannot_be_run(outline: &Outline, seed: u64) -> Result<(), Failure> {
    let context = ResolveContext { surroundings: &AllThere, ..ResolveContext::new(seed, WINDOW_NS) };
    let mut jobs = outline.steps.iter().map(|step| step.work.jobs()).filter(|jobs| !jobs.is_empty());
    jobs.try_for_each(|jobs| resolved(jobs, &context).map(drop))
}

/// Assumes test files as they will be when their step begins: some steps verify what an earlier one wrote.
struct AllThere;

impl Surroundings for AllThere {
    fn file(&self, _: &str) -> FileFacts {
        FileFacts::File { len_bytes: u64::MAX / 2 }
    }
}

/// The suite with a name.
///
/// # Errors
/// When there is none; the message names the nearest one, or all.
fn find_suite(name: &str) -> Result<&'static dyn Suite, Failure> {
    cardiograph_suites::find(name).ok_or_else(|| {
        let hint = suggestion(name, &cardiograph_suites::names());
        Failure::usage(message!("suite-unknown", suite = name, hint))
    })
}

/// Suites whose steps have their own end refuse a precision instead of ignoring it.
fn refuse_precision(traits: &SuiteTraits, task: &Task) -> Result<(), Failure> {
    if task.precision.is_none() || traits.ends_by_precision {
        return Ok(());
    }
    let others = cardiograph_suites::SUITES
        .iter()
        .filter(|suite| suite.traits(&Settings::default()).ends_by_precision);
    let others = Parameter::all(others.map(|suite| suite.name()));
    Err(Failure::usage(message!("suite-no-precision", suite = &task.suite, suites = others)))
}

/// The Report before the first step. A simulated checkup has no date: repeating it gives the same checkup,
/// and a different model, label or `asked` gives another.
pub fn blank_report(
    task: &Task,
    suite: &str,
    opened: Opened,
    seed: u64,
    unix_ms: u64,
    asked: &impl Serialize,
) -> Report {
    let Opened { drive, host, environment, model, .. } = opened;
    let started_unix_ms = if model.is_some() { 0 } else { unix_ms };
    let (label, tags, purposes) = (task.label.clone(), task.tags.clone(), task.purposes.clone());
    let id = match &model {
        Some(model) => {
            let what = (&drive.path, model, &label, &tags, asked);
            let what = serde_json::to_string(&what).expect("it has nothing that JSON cannot hold");
            let what = what + purposes.as_deref().unwrap_or_default();
            format!("sim-{:08x}-{}-{seed:x}", hash_name(&what) as u32, suite.replace(' ', "-"))
        }
        None => format!("{}-{:06x}", utc(unix_ms), seed & 0xff_ffff),
    };
    let report = Report::new(&id, started_unix_ms, PROGRAM, suite);
    Report { label, tags, purposes, seed, host, drive, environment, ..report }
}

/// A time as sortable digits.
fn utc(unix_ms: u64) -> String {
    let form = format_description!("[year][month][day]-[hour][minute][second]");
    let moment = OffsetDateTime::from_unix_timestamp((unix_ms / 1_000) as i64).ok();
    moment.and_then(|moment| moment.format(form).ok()).unwrap_or_else(|| unix_ms.to_string())
}
