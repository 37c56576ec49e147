//! Inputs and outputs of jobs besides their drives: logs, recordings, commands, and late jobs.

use std::sync::Arc;

use cardiograph_core::display::JobDisplay;
use cardiograph_core::{Message, Plan};
use cardiograph_engine::Helpers;
use cardiograph_engine::commands::Commands;
use cardiograph_engine::log::LogSink;
use cardiograph_engine::replay::Replays;
use cardiograph_fio::invocation::FioJob;

use crate::failure::Failure;
use crate::fio_jobs::LateJobs;

mod commands;
mod failures;
mod logs;
pub mod recordings;
pub mod verify_states;

use commands::JobCommands;
use logs::Logs;
use recordings::Recordings;

/// Mode of output and log files, less the umask, as in fio.
pub const OUTPUT_MODE: u32 = 0o666;

/// Receives messages about problems while jobs run, on the thread where they occur.
pub type Notify = Arc<dyn Fn(Message) + Send + Sync>;

/// Created before a run, and finished after it.
pub struct JobIo {
    late: LateJobs,
    recordings: Option<Recordings>,
    logs: Option<Logs>,
    commands: Option<Arc<JobCommands>>,
}

impl JobIo {
    /// Opens the recordings, log files, and output files of commands.
    ///
    /// # Errors
    /// When one cannot be opened.
    pub fn create(
        jobs: Vec<FioJob>,
        plan: &Plan,
        displays: &[JobDisplay],
        notify: &Notify,
    ) -> Result<Self, Failure> {
        Ok(Self {
            late: LateJobs(jobs),
            recordings: Recordings::read(plan)?,
            logs: Logs::create(plan, displays, notify)?,
            commands: JobCommands::create(plan)?,
        })
    }

    /// Helpers for the run.
    pub fn helpers(&self) -> Helpers<'_> {
        Helpers {
            logs: self.logs.as_ref().map(|logs| logs as &dyn LogSink),
            lengths: Some(&self.late),
            replays: self.recordings.as_ref().map(|recordings| recordings as &dyn Replays),
            commands: self.commands.clone().map(|commands| commands as Arc<dyn Commands>),
        }
    }

    /// Writes the rest.
    ///
    /// # Errors
    /// When that fails.
    pub fn finish(self) -> Result<(), Failure> {
        let logged = self.logs.map_or(Ok(()), Logs::finish);
        logged.and(self.commands.map_or(Ok(()), |commands| commands.finish()))
    }
}
