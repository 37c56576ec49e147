//! One checkup: the unit that is stored, compared and shown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::app::{AppPart, AppResult, AppSpec, CamerasOutcome, Operation};
use crate::claim::Claim;
use crate::counters::CounterCheck;
use crate::direction::Direction;
use crate::doubt::{Doubt, StepDoubt};
use crate::drive::{ConditionsOfStep, DeviceCounters, Drive, DriveHealth, Environment, Host};
use crate::figures::StepFigures;
use crate::fleet::{Fleet, FleetStep};
use crate::imported::{Imported, Source};
use crate::message::Message;
use crate::method::Method;
use crate::metric::Measurements;
use crate::pause::Pause;
use crate::ran_job::RanJob;
use crate::result::RunResult;
use crate::spec::JobSpec;
use crate::table::Table;
use crate::trust::{Standing, TrapCheck};
use crate::verdict::Verdict;

mod ids;
pub mod json;
pub mod validate;

pub use crate::outcome::StepOutcome;
pub use ids::step_ids;

/// Format version of the Report. A reader refuses versions higher than its own.
pub const REPORT_VERSION: u32 = 1;

/// A complete checkup.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Format version ([`REPORT_VERSION`]).
    pub report_version: u32,
    /// Sortable id of the checkup.
    pub id: String,
    /// Program and version that wrote it.
    pub program: String,
    /// Start, in milliseconds since 1970-01-01 UTC. Simulated checkups start at 0.
    pub started_unix_ms: u64,
    /// The user's label for the drive.
    pub label: Option<String>,
    /// The user's tags, by name: `board`, `raid`, `price`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// The suite.
    pub suite: String,
    /// Source of an imported checkup; `None` for this program's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The user's own purposes, as TOML.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purposes: Option<String>,
    /// The suite's options that the user set.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// Random seed.
    pub seed: u64,
    /// State of the checkup.
    pub state: ReportState,
    /// Its part in a measurement by several hosts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fleet: Option<Box<Fleet>>,
    /// The machine.
    pub host: Host,
    /// The drive measured.
    pub drive: Drive,
    /// Measurement warnings.
    pub environment: Environment,
    /// Drive health after the last step; empty if not queried again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub health_after: Vec<DriveHealth>,
    /// The steps in the order they ran.
    pub steps: Vec<StepResult>,
    /// The deciding figures.
    pub measurements: Measurements,
    /// Suitability of the drive.
    pub verdicts: Vec<Verdict>,
    /// Why verdicts for some purposes are missing, and what would judge them: sentences; empty if none is missing.
    #[serde(default, deserialize_with = "crate::message::one_or_all", skip_serializing_if = "Vec::is_empty")]
    pub not_judged: Vec<Message>,
    /// Claims about the drive, compared with findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// The suite's tables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// Notes for the reader: capped sizes, engine fallbacks.
    pub notes: Vec<Message>,
    /// The traps checked for.
    #[serde(default)]
    pub traps: Vec<TrapCheck>,
}

impl Report {
    /// A Report that has just started, with a time, program and suite. Everything else is empty.
    pub fn new(id: &str, started_unix_ms: u64, program: &str, suite: &str) -> Self {
        Self {
            report_version: REPORT_VERSION,
            id: id.to_string(),
            program: program.to_string(),
            started_unix_ms,
            suite: suite.to_string(),
            ..Self::default()
        }
    }
}

/// State of a checkup.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportState {
    /// Not all steps are done. A Report that stays in this state was killed.
    #[default]
    Running,
    /// All steps are done.
    Finished,
    /// The user, or a time limit of the user's, ended it early.
    Interrupted,
    /// An I/O failed, or the drive stopped answering.
    Failed,
}

/// Whether a step's figures are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepRole {
    /// It prepares others: its figures are not the drive's.
    Prepare,
    /// It measures.
    #[default]
    Measure,
}

/// A file that a step needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestFile {
    /// Its name, as used in the step's jobs.
    pub name: String,
    /// Its length in bytes; it is preallocated.
    pub len_bytes: u64,
}

/// One measurement of a suite.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// Id within the suite, such as `random-read`.
    pub id: String,
    /// Short title.
    pub title: Message,
    /// Whether it measures.
    pub role: StepRole,
    /// What it runs.
    #[serde(flatten)]
    pub work: Work,
    /// The files that the jobs use. Created when a step first needs them, and kept for later steps.
    pub files: Vec<TestFile>,
    /// Maximum number of bytes written.
    pub write_bytes_max: u64,
    /// Maximum duration in nanoseconds, if the drive responds; `None` if only bytes limit it.
    pub time_ns_max: Option<u64>,
    /// What was made smaller or shorter than intended, and why.
    pub sizing: Vec<Message>,
    /// The test that this step repeats; `None` if it runs once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub try_of: Option<TryOf>,
}

/// A repeated test, each repeat a separate step. Its value is the mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TryOf {
    /// Its id: that of the first repeat.
    pub test: String,
    /// Short title.
    pub title: Message,
    /// Number of repeats, or the maximum.
    pub tries: u32,
    /// Whether later repeats are skipped if an earlier one is sufficient.
    #[serde(default)]
    pub ends_early: bool,
}

impl TryOf {
    /// How its value is formed, such as `mean of 5`.
    pub fn value_in_words(&self) -> String {
        let at_most = if self.ends_early { "up to " } else { "" };
        format!("mean of {at_most}{}", self.tries)
    }
}

/// The action of a step. In a Report it is a key of the step: `jobs`, `app` or `imported`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Concurrent jobs.
    Jobs(Vec<JobSpec>),
    /// A real application, with its own files.
    App(AppSpec),
    /// A test by another program, with its method.
    Imported(Method),
}

impl Work {
    /// The jobs; empty for an application or another program.
    pub fn jobs(&self) -> &[JobSpec] {
        match self {
            Work::Jobs(jobs) => jobs,
            Work::App(_) | Work::Imported(_) => &[],
        }
    }

    /// The application, if one runs.
    pub const fn app(&self) -> Option<&AppSpec> {
        match self {
            Work::Jobs(_) | Work::Imported(_) => None,
            Work::App(app) => Some(app),
        }
    }
}

impl Step {
    /// How well its application kept up with the cameras that it recorded; `None` if it records none.
    pub fn cameras(&self, recorded: &AppPart) -> Option<CamerasOutcome> {
        let cameras = self.work.app()?.parameter("cameras")?;
        let time_ns = self.time_ns_max.filter(|_| recorded.operation == Operation::Second)?;
        Some(CamerasOutcome::new(cameras, time_ns, recorded))
    }

    /// A measuring step without its own files and limits.
    pub fn measuring(id: &str, title: Message, work: Work) -> Self {
        Self { id: id.to_string(), title, work, ..Self::default() }
    }

    /// Id of the test, or of the test that it repeats.
    pub fn test_id(&self) -> &str {
        self.try_of.as_ref().map_or(&self.id, |of| &of.test)
    }

    /// Title of the test, or of the test that it repeats.
    pub fn test_title(&self) -> &Message {
        self.try_of.as_ref().map_or(&self.title, |of| &of.title)
    }

    /// The jobs; empty for an application.
    pub fn jobs(&self) -> &[JobSpec] {
        self.work.jobs()
    }
}

impl Default for Work {
    fn default() -> Self {
        Self::Jobs(Vec::new())
    }
}

/// A step and its results.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepResult {
    /// The planned step.
    pub step: Step,
    /// How it ended.
    pub outcome: StepOutcome,
    /// Equivalent fio command lines, one per job.
    pub fio_commands: Vec<String>,
    /// Its jobs as they ran; empty if none ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<RanJob>,
    /// The hosts' shares, if several measured together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fleet: Option<Box<FleetStep>>,
    /// Raw measurements; `None` if the step did not start.
    pub result: Option<RunResult>,
    /// Figures derived from them.
    pub figures: Option<StepFigures>,
    /// Result of an application; `None` for jobs, and if the step did not start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<AppResult>,
    /// Another program's report; `None` if this program measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
    /// The kernel's counters for the drives during the step; `None` if unreadable.
    pub device_counters: Option<DeviceCounters>,
    /// Those counters compared with the requested I/O.
    pub counter_checks: Vec<CounterCheck>,
    /// Temperature and voltage before and after; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<ConditionsOfStep>,
    /// More about the figures of each direction.
    #[serde(default)]
    pub standings: Vec<Standing>,
    /// Why its figures are not the drive's, or may not be; the most serious reason first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<StepDoubt>,
}

impl StepResult {
    /// How long it took, in nanoseconds, in real or simulated time.
    pub fn duration_ns(&self) -> u64 {
        let parts = self.app.iter().flat_map(|app| &app.parts).map(|part| part.duration_ns);
        self.result.iter().map(|result| result.duration_ns).chain(parts).fold(0, u64::saturating_add)
    }

    /// Bytes that it has written.
    pub fn written_bytes(&self) -> u64 {
        let figures = self.figures.as_ref().map(|figures| figures.direction(Direction::Write));
        let completed = figures.map(|writes| writes.map_or(0, |writes| writes.bytes));
        // Jobs that ran one after the other have no figures together.
        let issued = || self.result.as_ref().map(|result| result.issued_bytes(Direction::Write));
        let by_jobs = completed.or_else(issued).unwrap_or(0);
        by_jobs.saturating_add(self.app.as_ref().map_or(0, |app| app.bytes(Direction::Write)))
    }

    /// A step of which only the ending is known.
    pub fn new(step: Step, outcome: StepOutcome) -> Self {
        Self { step, outcome, ..Self::default() }
    }

    /// Times during the step when the program did not run.
    pub fn pauses(&self) -> &[Pause] {
        match (&self.result, &self.app) {
            (Some(result), _) => &result.pauses,
            (None, Some(app)) => &app.pauses,
            (None, None) => &[],
        }
    }

    /// The same, relative to the step's windows, which start when the first worker counts.
    pub fn pauses_of_series(&self) -> Vec<Pause> {
        let workers = self.result.iter().flat_map(|result| &result.workers);
        let start_ns = workers.map(|worker| worker.start_ns).min().unwrap_or(0);
        let after_start = |pause: &&Pause| pause.end_ns() > start_ns;
        let on_grid = |pause: &Pause| {
            let begin_ns = pause.begin_ns.saturating_sub(start_ns);
            Pause { begin_ns, duration_ns: pause.end_ns() - start_ns - begin_ns, ..*pause }
        };
        self.pauses().iter().filter(after_start).map(on_grid).collect()
    }

    /// Why the figures of a direction are not the drive's, or may not be: the most serious reason.
    pub fn doubt(&self, direction: Direction) -> Option<&Doubt> {
        self.doubts.iter().find(|of| of.is_of(direction)).map(|of| &of.doubt)
    }

    /// Whether a direction measured something other than the drive alone.
    pub fn is_withheld(&self, direction: Direction) -> bool {
        self.doubt(direction).is_some_and(Doubt::withholds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Origin;

    #[test]
    fn the_action_of_a_step_is_a_key_of_it() {
        let step = |work| Step {
            id: "one".to_string(),
            title: Message::verbatim("One"),
            work,
            write_bytes_max: u64::MAX,
            time_ns_max: Some(u64::MAX),
            ..Step::default()
        };
        let job = JobSpec::new("one", Origin::Suite { suite: "s".to_string(), step: "one".to_string() });
        let works = [
            (Work::Jobs(vec![job.set("bs", "4k")]), "jobs"),
            (Work::App(AppSpec::new("cameras").set("cameras", 12)), "app"),
            (Work::Imported(Method { tool: "hdparm".to_string(), ..Method::default() }), "imported"),
        ];
        for (work, key) in works {
            let written = serde_json::to_value(step(work.clone())).unwrap();
            assert!(written.get(key).is_some(), "{written}");
            let read: Step = serde_json::from_value(written).unwrap();
            assert_eq!(read, step(work));
        }
    }
}
