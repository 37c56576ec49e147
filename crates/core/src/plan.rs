//! Input of an engine run: Workloads with their clones, and when each starts and ends.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
pub use crate::file_use::FileUse;
use crate::rng::{Rng, derive_seed};
use crate::workload::Workload;

/// The stream of a clone's seed for its random start time.
const LATE_STREAM: u64 = 3;

/// What a job waits for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum StartAfter {
    /// Nothing: it starts with the run, or with the previous job that waits for all before it.
    #[default]
    Nothing,
    /// The end of all jobs written before it. Also holds back those written after it.
    AllBefore,
    /// The end of another job.
    Job {
        /// Index of that job in the Plan.
        job: usize,
    },
}

/// When a job starts: after the end of other jobs, and at a minimum age of the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartCondition {
    /// The jobs to wait for.
    pub after: StartAfter,
    /// Minimum age of the run, in nanoseconds.
    pub delay_ns: u64,
    /// Maximum random start delay of each clone, in nanoseconds.
    pub spread_ns: u64,
}

/// Which other jobs end when a worker of a job ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndScope {
    /// Jobs of its group.
    Group,
    /// Jobs that have started.
    Started,
    /// All jobs: the remaining ones never start.
    All,
}

/// Effect of a worker's end on other jobs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EndCondition {
    /// Jobs that end with it; `None`: none.
    pub others: Option<EndScope>,
    /// Jobs that end with it if it fails; `None`: none.
    pub others_on_error: Option<EndScope>,
}

/// One job of a Plan.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedJob {
    /// Specification of each clone.
    pub workload: Workload,
    /// The files of each clone: one non-empty list per clone. Clone `i` has its own seed, derived from the
    /// workload's. A job without clones does nothing.
    pub clones: Vec<Vec<FileUse>>,
    /// Jobs of one group are judged together.
    pub group: u32,
    /// When it starts.
    pub start: StartCondition,
    /// Jobs that end with it.
    pub end: EndCondition,
}

impl PlannedJob {
    /// Start of a clone after that of the job, in nanoseconds.
    pub fn late_ns(&self, clone: u32) -> u64 {
        match self.start.spread_ns {
            0 => 0,
            spread_ns => {
                let seed = derive_seed(self.workload.seed, u64::from(clone));
                Rng::new(derive_seed(seed, LATE_STREAM)).below(spread_ns.saturating_add(1))
            }
        }
    }

    /// All files of all clones.
    pub fn files(&self) -> impl Iterator<Item = &FileUse> {
        self.clones.iter().flatten()
    }
}

/// Concurrent jobs on named targets, which the caller opens.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// Names of the targets.
    pub targets: Vec<String>,
    /// The jobs in the order written.
    pub jobs: Vec<PlannedJob>,
}

impl Plan {
    /// Whether any job modifies its target.
    pub fn is_modifying(&self) -> bool {
        self.jobs.iter().any(|job| job.workload.is_modifying())
    }

    /// Whether workers other than clone `clone` of job `job` may write to its regions at the same time.
    pub fn has_other_writers(&self, job: usize, clone: usize) -> bool {
        let Some(own) = self.jobs.get(job).and_then(|planned| planned.clones.get(clone)) else {
            return false;
        };
        let meets = |other: &FileUse| {
            own.iter().any(|own| {
                let is_before = own.end_bytes() <= other.offset_bytes;
                let is_behind = other.end_bytes() <= own.offset_bytes;
                own.target == other.target && !is_before && !is_behind
            })
        };
        self.jobs.iter().enumerate().any(|(other_job, planned)| {
            let mut clones = planned.clones.iter().enumerate();
            planned.workload.is_modifying()
                && self.may_run_together(job, other_job)
                && clones.any(|(other, files)| (other_job, other) != (job, clone) && files.iter().any(meets))
        })
    }

    /// Whether workers other than clone `clone` of job `job` may use any of its targets at the same time.
    pub fn has_other_users(&self, job: usize, clone: usize) -> bool {
        let Some(own) = self.jobs.get(job).and_then(|planned| planned.clones.get(clone)) else {
            return false;
        };
        let targets: HashSet<usize> = own.iter().map(|file| file.target).collect();
        self.jobs.iter().enumerate().any(|(other_job, planned)| {
            let mut clones = planned.clones.iter().enumerate();
            self.may_run_together(job, other_job)
                && clones.any(|(other, files)| {
                    let uses_one = files.iter().any(|file| targets.contains(&file.target));
                    (other_job, other) != (job, clone) && uses_one
                })
        })
    }

    fn may_run_together(&self, job: usize, other: usize) -> bool {
        let waits_for_all = |job: &PlannedJob| job.start.after == StartAfter::AllBefore;
        let stage = |job: usize| self.jobs[..=job].iter().filter(|job| waits_for_all(job)).count();
        stage(job) == stage(other) && !self.waits_for(job, other) && !self.waits_for(other, job)
    }

    fn waits_for(&self, mut job: usize, other: usize) -> bool {
        while let StartAfter::Job { job: earlier } = self.jobs[job].start.after
            && earlier < job
        {
            if earlier == other {
                return true;
            }
            job = earlier;
        }
        false
    }

    /// Number of workers in the whole Plan.
    pub fn workers(&self) -> usize {
        self.jobs.iter().map(|job| job.clones.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concurrent_writers_of_the_same_region_are_found() {
        let job = |offset_bytes: u64, clones: usize, after: StartAfter| PlannedJob {
            workload: Workload { read_percent: 0, ..Workload::default() },
            clones: vec![vec![FileUse { target: 0, offset_bytes, region_len_bytes: 4_096 }]; clones],
            start: StartCondition { after, ..StartCondition::default() },
            ..PlannedJob::default()
        };
        let has_others = |jobs: &[PlannedJob]| {
            let plan = Plan { targets: vec!["file".to_string()], jobs: jobs.to_vec() };
            (0..jobs.len()).map(|index| plan.has_other_writers(index, 0)).collect::<Vec<_>>()
        };
        let now = StartAfter::Nothing;
        assert_eq!(has_others(&[job(0, 1, now)]), [false]);
        assert_eq!(has_others(&[job(0, 2, now)]), [true]);
        assert_eq!(has_others(&[job(0, 1, now), job(0, 1, now)]), [true, true]);
        assert_eq!(has_others(&[job(0, 1, now), job(4_096, 1, now)]), [false, false]);
        assert_eq!(has_others(&[job(0, 1, now), job(4_095, 1, now)]), [true, true]);
        assert_eq!(has_others(&[job(0, 1, now), job(0, 1, StartAfter::AllBefore)]), [false, false]);
        let chain = [
            job(0, 1, now),
            job(8_192, 1, StartAfter::Job { job: 0 }),
            job(0, 1, StartAfter::Job { job: 1 }),
        ];
        assert_eq!(has_others(&chain), [false, false, false]);
        let mut reader = job(0, 1, now);
        reader.workload.read_percent = 100;
        assert_eq!(has_others(&[job(0, 1, now), reader]), [false, true]);
    }

    #[test]
    fn concurrent_users_of_the_same_files_are_found() {
        let job = |targets: &[usize], clones: usize, after: StartAfter| {
            let file = |&target| FileUse { target, offset_bytes: 0, region_len_bytes: 4_096 };
            PlannedJob {
                clones: vec![targets.iter().map(file).collect(); clones],
                start: StartCondition { after, ..StartCondition::default() },
                ..PlannedJob::default()
            }
        };
        let has_others = |jobs: &[PlannedJob]| {
            let plan = Plan { targets: vec!["a".to_string(), "b".to_string()], jobs: jobs.to_vec() };
            (0..jobs.len()).map(|index| plan.has_other_users(index, 0)).collect::<Vec<_>>()
        };
        let now = StartAfter::Nothing;
        assert_eq!(has_others(&[job(&[0, 1], 1, now)]), [false]);
        assert_eq!(has_others(&[job(&[0], 2, now)]), [true]);
        assert_eq!(has_others(&[job(&[0], 1, now), job(&[1], 1, now)]), [false, false]);
        assert_eq!(has_others(&[job(&[0], 1, now), job(&[1, 0], 1, now)]), [true, true]);
        assert_eq!(has_others(&[job(&[0], 1, now), job(&[0], 1, StartAfter::AllBefore)]), [false, false]);
    }
}
