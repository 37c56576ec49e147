//! What is said of errors that a job goes on after.

use cardiograph_core::{Plan, PlannedJob};
use cardiograph_engine::log::FailureRecord;

use super::Tell;
use crate::messages::strerror;

/// Tells of the failed requests of one worker.
pub struct FailureTeller {
    /// The job and the clone.
    who: String,
    /// Name of each file.
    files: Vec<String>,
    /// Who hears it.
    tell: Tell,
}

impl FailureTeller {
    /// A teller for a clone of a job.
    pub fn new(plan: &Plan, job: &PlannedJob, clone: usize, tell: &Tell) -> Self {
        Self {
            who: format!("job '{}', clone {clone}", job.workload.name),
            files: job.clones[clone].iter().map(|file| plan.targets[file.target].clone()).collect(),
            tell: tell.clone(),
        }
    }

    /// Tells of errors that the job goes on after.
    pub fn tell(&self, records: &[FailureRecord]) {
        for FailureRecord { file, failure } in records {
            let path = self.files.get(*file as usize).map_or("", String::as_str);
            (self.tell)(format!(
                "{}: {path}: {}: {} offset={}, buflen={}",
                self.who,
                strerror(failure.errno),
                failure.direction.name(),
                failure.offset_bytes,
                failure.len_bytes
            ));
        }
    }
}
