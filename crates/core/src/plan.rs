//! What an engine run gets: Workloads with their clones, and when each starts and ends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::workload::Workload;

/// What a job waits for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum StartAfter {
    /// Nothing: it starts with the run, or with the job before it that waits for all before it.
    #[default]
    Nothing,
    /// All jobs written before it have ended. It holds back those written after it, too.
    AllBefore,
    /// Another job has ended.
    Job {
        /// Index of that job in the Plan.
        job: usize,
    },
}

/// When a job starts: what it waits for has ended, and the run is so old.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartCondition {
    /// What it waits for.
    pub after: StartAfter,
    /// The least age of the run, in nanoseconds.
    pub delay_ns: u64,
}

/// Which other jobs end when a worker of a job has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndScope {
    /// Those of its group.
    Group,
    /// Those that have started.
    Started,
    /// All: those that have not started never will.
    All,
}

/// What the end of a worker means for others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EndCondition {
    /// What ends with it; `None` is nothing.
    pub others: Option<EndScope>,
    /// What ends with it when it failed; `None` is nothing.
    pub others_on_error: Option<EndScope>,
}

/// The part of a target that a worker uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileUse {
    /// Index of the target in the Plan.
    pub target: usize,
    /// Where the region starts, in bytes.
    pub offset_bytes: u64,
    /// Length of the region in bytes.
    pub region_len_bytes: u64,
}

impl FileUse {
    /// Where the region ends, in bytes.
    pub const fn end_bytes(&self) -> u64 {
        self.offset_bytes.saturating_add(self.region_len_bytes)
    }
}

/// One job of a Plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedJob {
    /// What each clone does.
    pub workload: Workload,
    /// The files of each clone: one list for each, none empty. Clone `i` has its own seed, derived from the workload's.
    /// A job without clones does nothing.
    pub clones: Vec<Vec<FileUse>>,
    /// Jobs of one group are judged together.
    pub group: u32,
    /// When it starts.
    pub start: StartCondition,
    /// What ends with it.
    pub end: EndCondition,
}

impl PlannedJob {
    /// All files of all clones.
    pub fn files(&self) -> impl Iterator<Item = &FileUse> {
        self.clones.iter().flatten()
    }
}

/// Jobs that run together, over targets that are named here and opened by the caller.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// Names of the targets.
    pub targets: Vec<String>,
    /// The jobs in the order in which they were written.
    pub jobs: Vec<PlannedJob>,
}

impl Plan {
    /// Whether any job changes what is on its target.
    pub fn is_modifying(&self) -> bool {
        self.jobs.iter().any(|job| job.workload.is_modifying())
    }

    /// Workers of the whole Plan.
    pub fn workers(&self) -> usize {
        self.jobs.iter().map(|job| job.clones.len()).sum()
    }
}
