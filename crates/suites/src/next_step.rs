//! The step that a suite wants run next, with what is due before it.

use cardiograph_core::report::{Step, StepOutcome, StepResult, TestFile, Work};
use cardiograph_core::schemars;
use cardiograph_core::{JobSpec, Message};
use serde::{Deserialize, Serialize};

/// A step, and what it needs that does not belong into a Report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NextStep {
    /// What is run.
    pub step: Step,
    /// The I/O scheduler that it runs under; `None`: the one that is set.
    pub scheduler: Option<String>,
    /// Whether all free space of the file system under its files is trimmed before it.
    pub trims: bool,
    /// The sequence that its writes and checks belong to; `None` where it writes what no other step does.
    pub sequence: Option<Sequence>,
}

impl From<Step> for NextStep {
    fn from(step: Step) -> Self {
        Self { step, scheduler: None, trims: false, sequence: None }
    }
}

/// A sequence of writes that several steps write and check together: each of its blocks says which write it is, and a place
/// holds nothing but the very write that was due there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Sequence {
    /// Number of the step's first write in it.
    pub first_write: u64,
    /// The part of it that the step writes, where an interrupted checkup leaves what it has written: the step's file, or its
    /// piece of a device. `None` where the file is gone with the checkup and has its room before it is written.
    pub part: Option<Part>,
}

/// A part of a [`Sequence`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Part {
    /// Its number, from 0.
    pub number: u32,
    /// Length of a part in bytes; the last may be shorter.
    pub part_bytes: u64,
    /// Whether an interrupted checkup has written it.
    pub is_there: bool,
}

/// A step that measures with one job, after which it is named, on a file of a length, and writes so many bytes at most.
pub(crate) fn step_of(job: JobSpec, title: Message, file: (&str, u64), write_bytes_max: u64) -> Step {
    step_of_jobs(&job.name.clone(), title, vec![job], file, write_bytes_max)
}

/// The same of several jobs, which share the file.
pub(crate) fn step_of_jobs(
    id: &str,
    title: Message,
    jobs: Vec<JobSpec>,
    (file, len_bytes): (&str, u64),
    write_bytes_max: u64,
) -> Step {
    let files = vec![TestFile { name: file.to_string(), len_bytes }];
    Step { files, write_bytes_max, ..Step::measuring(id, title, Work::Jobs(jobs)) }
}

/// Whether all steps so far ended as planned. Nothing follows one that did not.
pub(crate) fn went_well(done: &[StepResult]) -> bool {
    done.iter().all(|step| step.outcome == StepOutcome::Done)
}

/// The first of `steps` that was not done yet; `None` when all were, or when one did not end as planned.
pub(crate) fn first_ahead(
    steps: impl IntoIterator<Item: Into<NextStep>>,
    done: &[StepResult],
) -> Option<NextStep> {
    let is_ahead = |next: &NextStep| done.iter().all(|of| of.step.id != next.step.id);
    steps.into_iter().map(Into::into).find(is_ahead).filter(|_| went_well(done))
}
