//! The next step of a suite, with its requirements.

use cardiograph_core::report::{Step, StepOutcome, StepResult, TestFile, Work};
use cardiograph_core::schemars;
use cardiograph_core::{JobSpec, Message};
use serde::{Deserialize, Serialize};

/// A step, with requirements that do not belong in a Report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NextStep {
    /// The step.
    pub step: Step,
    /// The I/O scheduler to run it under; `None`: the current one.
    pub scheduler: Option<String>,
    /// Whether all free space of the file system under its files is trimmed first.
    pub trims: bool,
    /// The sequence that its writes and checks belong to; `None` if it shares no data with other steps.
    pub sequence: Option<Sequence>,
}

impl From<Step> for NextStep {
    fn from(step: Step) -> Self {
        Self { step, scheduler: None, trims: false, sequence: None }
    }
}

/// A sequence of writes that several steps write and check together: each block identifies its write, and only the expected
/// write is accepted at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Sequence {
    /// Number of the step's first write in it.
    pub first_write: u64,
    /// The part of it that the step writes, if an interrupted checkup leaves its parts: the step's file, or its piece of a
    /// device. `None` if the file is preallocated, and removed with the checkup.
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

/// A measuring step with one job, named after the job, on a file of a length.
pub(crate) fn step_of(job: JobSpec, title: Message, file: (&str, u64), write_bytes_max: u64) -> Step {
    step_of_jobs(&job.name.clone(), title, vec![job], file, write_bytes_max)
}

/// A measuring step with several jobs, which share the file.
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

/// Whether all steps so far ended as planned. Otherwise, the suite ends.
pub(crate) fn went_well(done: &[StepResult]) -> bool {
    done.iter().all(|step| step.outcome == StepOutcome::Done)
}

/// The first of `steps` that is not done yet; `None` if all are, or if one did not end as planned.
pub(crate) fn first_ahead(
    steps: impl IntoIterator<Item: Into<NextStep>>,
    done: &[StepResult],
) -> Option<NextStep> {
    let is_ahead = |next: &NextStep| done.iter().all(|step| step.step.id != next.step.id);
    steps.into_iter().map(Into::into).find(is_ahead).filter(|_| went_well(done))
}

/// Like [`first_ahead`], with notes on the sizes of all steps in the first one.
pub(crate) fn first_ahead_noted(
    steps: Vec<Step>,
    notes: Vec<Message>,
    done: &[StepResult],
) -> Option<NextStep> {
    let mut next = first_ahead(steps, done)?;
    if done.is_empty() {
        next.step.sizing.extend(notes);
    }
    Some(next)
}
