//! What is said of errors that a job goes on after.

use cardiograph_core::{Parameter, Plan, PlannedJob, message};
use cardiograph_engine::log::FailureRecord;

use super::Tell;

/// Tells of the failed requests of one worker.
pub struct FailureTeller {
    job: String,
    clone: usize,
    /// Name of each file.
    files: Vec<String>,
    /// Who hears it.
    tell: Tell,
}

impl FailureTeller {
    /// A teller for a clone of a job.
    pub fn new(plan: &Plan, job: &PlannedJob, clone: usize, tell: &Tell) -> Self {
        Self {
            job: job.workload.name.clone(),
            clone,
            files: job.clones[clone].iter().map(|file| plan.targets[file.target].clone()).collect(),
            tell: tell.clone(),
        }
    }

    /// Tells of errors that the job goes on after.
    pub fn tell(&self, records: &[FailureRecord]) {
        for FailureRecord { file, failure } in records {
            let path = self.files.get(*file as usize).map_or("", String::as_str);
            (self.tell)(message!(
                "log-error",
                job = &self.job,
                clone = self.clone,
                path = path,
                error = Parameter::OsError(failure.errno),
                direction = failure.direction.message(),
                offset = failure.offset_bytes.to_string(),
                length = failure.len_bytes.to_string()
            ));
        }
    }
}
