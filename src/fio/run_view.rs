//! fio's view of a run.

use std::time::Instant;

use cardiograph_checkup::checkup::unix_ms;
use cardiograph_checkup::job_runner::PreparedJobs;
use cardiograph_core::result::RunResult;
use cardiograph_fio::invocation::FioJob;
use cardiograph_fio::output::run::FioRun;
use cardiograph_jobs::resolve::Resolved;
use time::UtcOffset;

use super::FIO_VERSION;
use super::disks::Disks;
use super::figures::{self, Facts};
use super::notes::Notes;

/// Builds fio's view of a result.
pub struct RunView<'a> {
    pub jobs: &'a [FioJob],
    pub resolved: &'a Resolved,
    pub program_began: Instant,
    pub started_unix_ms: u64,
    pub ready: &'a PreparedJobs,
    pub notes: &'a Notes,
    pub disks: Option<Disks>,
    pub offset: UtcOffset,
}

impl RunView<'_> {
    /// The view of a run that has ended.
    pub fn at_end(&self, result: &RunResult) -> FioRun {
        self.so_far(result, None)
    }

    /// The view of a run in progress, with the estimated time left.
    pub fn so_far(&self, result: &RunResult, eta_ns: Option<u64>) -> FioRun {
        let elapsed_ns = u64::try_from(self.program_began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let facts = Facts {
            jobs: self.jobs,
            resolved: self.resolved,
            started_unix_ms: self.started_unix_ms,
            elapsed_ns,
            eta_ns,
            layout_ns: &self.ready.layout_ns,
            notes: &self.notes.in_results(),
        };
        let globals = self.jobs.first().map(|job| figures::written(&job.spec.settings[..job.own_from]));
        FioRun {
            version: FIO_VERSION.to_string(),
            timestamp_unix_ms: unix_ms(),
            time_text: local_time(self.offset),
            global_options: globals.unwrap_or_default(),
            jobs: figures::entries(result, &facts),
            disks: self.disks.as_ref().map(Disks::entries).unwrap_or_default(),
            notes: Vec::new(),
        }
    }
}

/// Now, as `ctime` writes it, with this offset from UTC.
pub fn local_time(offset: UtcOffset) -> String {
    ctime(time::OffsetDateTime::now_utc().to_offset(offset))
}

/// A moment in the form of `ctime`, without a newline.
pub fn ctime(moment: time::OffsetDateTime) -> String {
    let format = time::macros::format_description!(
        "[weekday repr:short] [month repr:short] [day padding:space] [hour]:[minute]:[second] [year]"
    );
    moment.format(format).unwrap_or_default()
}
