//! What an engine run gets: Workloads with their clones, and when each starts and ends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::workload::Workload;

/// When a job starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum StartCondition {
    /// With the run.
    Together,
    /// So many nanoseconds after the run began.
    At {
        /// The delay in nanoseconds.
        delay_ns: u64,
    },
    /// When all jobs written before it have ended.
    AfterAllBefore,
    /// When another job has ended.
    AfterJob {
        /// Index of that job in the Plan.
        job: usize,
    },
}

/// What ends a job beside its own [`crate::workload::StopWhen`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum EndCondition {
    /// Nothing.
    Own,
    /// The end of another job.
    WithJob {
        /// Index of that job in the Plan.
        job: usize,
    },
}

/// One job of a Plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedJob {
    /// What each clone does.
    pub workload: Workload,
    /// How many workers do it at once. Clone `i` has its own seed, derived from the workload's.
    pub clones: u32,
    /// Jobs of one group are shown as one.
    pub group: u32,
    /// When it starts.
    pub start: StartCondition,
    /// What ends it early.
    pub end: EndCondition,
}

/// Jobs that run together, over targets that are named here and opened by the caller.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// Names of the targets; a Workload names one by its index.
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
        self.jobs.iter().map(|job| job.clones as usize).sum()
    }
}
