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

pub use ids::step_ids;

/// Version of the Report's form. A reader refuses a higher one than its own.
pub const REPORT_VERSION: u32 = 1;

/// One checkup, whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Version of this form ([`REPORT_VERSION`]).
    pub report_version: u32,
    /// Sortable id of the checkup.
    pub id: String,
    /// Program and version that made it.
    pub program: String,
    /// When it began, in milliseconds since 1970-01-01 UTC. Simulated checkups begin at 0.
    pub started_unix_ms: u64,
    /// What the user calls the drive.
    pub label: Option<String>,
    /// What the user noted of it, by name: `board`, `raid`, `price`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// The suite.
    pub suite: String,
    /// Where it came from; `None` for checkups of this program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// What the user set of the suite's own settings.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// Seed of all that was random.
    pub seed: u64,
    /// How the checkup stands.
    pub state: ReportState,
    /// The machine.
    pub host: Host,
    /// What was measured.
    pub drive: Drive,
    /// What can spoil a figure.
    pub environment: Environment,
    /// How the drives said they were after the last step; empty where they were not asked again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub health_after: Vec<DriveHealth>,
    /// The steps in the order in which they ran.
    pub steps: Vec<StepResult>,
    /// The figures that decide.
    pub measurements: Measurements,
    /// What the drive is good for.
    pub verdicts: Vec<Verdict>,
    /// Why purposes are missing among the verdicts, and what judges them: sentences; empty where none is missing.
    #[serde(default, deserialize_with = "crate::message::one_or_all", skip_serializing_if = "Vec::is_empty")]
    pub not_judged: Vec<Message>,
    /// Claims about the drive, compared with findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// The tables that the suite makes of its figures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// What a reader should know: sizes that were capped, engines that fell back.
    pub notes: Vec<Message>,
    /// The traps that were looked for.
    #[serde(default)]
    pub traps: Vec<TrapCheck>,
}

impl Report {
    /// One that has only begun: of a time, by a program, with a suite. All else is empty.
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

/// How a checkup stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportState {
    /// Steps are still to come. A Report that stays so was killed.
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
    /// It makes ready for others: its figures are not the drive's.
    Prepare,
    /// It measures.
    #[default]
    Measure,
}

/// A file that a step needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestFile {
    /// Its name, as the step's jobs give it.
    pub name: String,
    /// Its length in bytes; it is preallocated.
    pub len_bytes: u64,
}

/// One measurement of a suite.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// Id within the suite, as `random-read`.
    pub id: String,
    /// What it is, in a line.
    pub title: Message,
    /// Whether it measures.
    pub role: StepRole,
    /// What it does.
    #[serde(flatten)]
    pub work: Work,
    /// The files that the jobs name. They are made when a step first needs them and kept for later ones.
    pub files: Vec<TestFile>,
    /// At most so many bytes are written.
    pub write_bytes_max: u64,
    /// At most so many nanoseconds pass, if the drive answers; `None` when only bytes bound it.
    pub time_ns_max: Option<u64>,
    /// What was made smaller or shorter than wanted, and why.
    pub sizing: Vec<Message>,
    /// The test of which it is one of several tries; `None` where it is done once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub try_of: Option<TryOf>,
}

/// A test with several tries, each a separate step. Its value is the mean of the tries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TryOf {
    /// Its id: that of the first try.
    pub test: String,
    /// What it is, in a line.
    pub title: Message,
    /// How many tries it has, or at most.
    pub tries: u32,
    /// Whether later tries are skipped if an earlier one is sufficient.
    #[serde(default)]
    pub ends_early: bool,
}

impl TryOf {
    /// What its value is, as `mean of 5`.
    pub fn value_in_words(&self) -> String {
        let at_most = if self.ends_early { "up to " } else { "" };
        format!("mean of {at_most}{}", self.tries)
    }
}

/// What a step does. In a Report it is a key of the step: `jobs`, `app` or `imported`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Jobs that run together.
    Jobs(Vec<JobSpec>),
    /// A real application, on its own files.
    App(AppSpec),
    /// Another program did it, in this way.
    Imported(Method),
}

impl Work {
    /// The jobs; none where an application runs, or another program ran.
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
    /// How its application kept up with the cameras that it `recorded`; `None` where it records none.
    pub fn cameras(&self, recorded: &AppPart) -> Option<CamerasOutcome> {
        let cameras = self.work.app()?.parameter("cameras")?;
        let time_ns = self.time_ns_max.filter(|_| recorded.operation == Operation::Second)?;
        Some(CamerasOutcome::new(cameras, time_ns, recorded))
    }

    /// A measuring step without its own files and limits.
    pub fn measuring(id: &str, title: Message, work: Work) -> Self {
        Self { id: id.to_string(), title, work, ..Self::default() }
    }

    /// Id of the test that it is, or is a try of.
    pub fn test_id(&self) -> &str {
        self.try_of.as_ref().map_or(&self.id, |of| &of.test)
    }

    /// Title of the test that it is, or is a try of.
    pub fn test_title(&self) -> &Message {
        self.try_of.as_ref().map_or(&self.title, |of| &of.title)
    }

    /// The jobs; none where an application runs.
    pub fn jobs(&self) -> &[JobSpec] {
        self.work.jobs()
    }
}

impl Default for Work {
    fn default() -> Self {
        Self::Jobs(Vec::new())
    }
}

/// How a step ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum StepOutcome {
    /// As planned.
    #[default]
    Done,
    /// Stopped before its end.
    Interrupted,
    /// An I/O failed.
    Failed {
        /// What, where and why.
        message: Message,
    },
    /// The drive stopped answering.
    Hung,
}

/// A step and what it gave.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepResult {
    /// What was to be done.
    pub step: Step,
    /// How it ended.
    pub outcome: StepOutcome,
    /// The fio command line that does the same, one for each job.
    pub fio_commands: Vec<String>,
    /// Its jobs as they ran; empty where none did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<RanJob>,
    /// What was measured, raw; `None` when the step did not begin.
    pub result: Option<RunResult>,
    /// What follows from it.
    pub figures: Option<StepFigures>,
    /// What an application did; `None` where jobs ran, and when the step did not begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<AppResult>,
    /// Another program's report; `None` if this program measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
    /// The kernel's count for the drives in the same time; `None` where it cannot be read.
    pub device_counters: Option<DeviceCounters>,
    /// Those counters compared with the requested I/O.
    pub counter_checks: Vec<CounterCheck>,
    /// Heat and voltage before and after; `None` where nothing of them is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<ConditionsOfStep>,
    /// What else is known of the figures of each direction.
    #[serde(default)]
    pub standings: Vec<Standing>,
    /// Why its figures are not the drive's, or may not be, the weightiest reason first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<StepDoubt>,
}

impl StepOutcome {
    /// Why figures of a step that ended so may not be the drive's.
    pub fn doubt(&self) -> Option<Doubt> {
        match self {
            StepOutcome::Done => None,
            StepOutcome::Interrupted => Some(Doubt::Interrupted),
            StepOutcome::Failed { message } => Some(Doubt::Failed { message: message.clone() }),
            StepOutcome::Hung => Some(Doubt::Hung),
        }
    }
}

impl StepResult {
    /// A step of which nothing is known but how it ended.
    pub fn new(step: Step, outcome: StepOutcome) -> Self {
        Self { step, outcome, ..Self::default() }
    }

    /// Times in which the program did not run while the step did.
    pub fn pauses(&self) -> &[Pause] {
        match (&self.result, &self.app) {
            (Some(result), _) => &result.pauses,
            (None, Some(app)) => &app.pauses,
            (None, None) => &[],
        }
    }

    /// The same on the grid of the step's windows, which begins when the first worker counts.
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

    /// Why the figures of a direction are not the drive's, or may not be, if so: the weightiest reason.
    pub fn doubt(&self, direction: Direction) -> Option<&Doubt> {
        self.doubts.iter().find(|of| of.is_of(direction)).map(|of| &of.doubt)
    }

    /// Whether the figures of a direction are of something else than the drive alone.
    pub fn is_withheld(&self, direction: Direction) -> bool {
        self.doubt(direction).is_some_and(Doubt::withholds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Origin;

    #[test]
    fn what_a_step_does_is_a_key_of_it() {
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
