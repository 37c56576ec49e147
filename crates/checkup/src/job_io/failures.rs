//! Messages about tolerated errors.

use cardiograph_core::{Parameter, Plan, PlannedJob, message};
use cardiograph_engine::log::FailureRecord;

use super::Notify;

/// Reports the failed requests of one worker.
pub struct FailureReporter {
    job: String,
    clone: usize,
    /// Name of each file.
    files: Vec<String>,
    /// Receiver of the messages.
    notify: Notify,
}

impl FailureReporter {
    /// A reporter for a clone of a job.
    pub fn new(plan: &Plan, job: &PlannedJob, clone: usize, notify: &Notify) -> Self {
        Self {
            job: job.workload.name.clone(),
            clone,
            files: job.clones[clone].iter().map(|file| plan.targets[file.target].clone()).collect(),
            notify: notify.clone(),
        }
    }

    /// Reports tolerated errors of the job.
    pub fn report(&self, records: &[FailureRecord]) {
        for FailureRecord { file, failure } in records {
            let path = self.files.get(*file as usize).map_or("", String::as_str);
            (self.notify)(message!(
                "log-error",
                job = &self.job,
                clone = self.clone,
                path,
                error = Parameter::OsError(failure.errno),
                direction = failure.direction.message(),
                offset = failure.offset_bytes.to_string(),
                length = failure.len_bytes.to_string()
            ));
        }
    }
}
