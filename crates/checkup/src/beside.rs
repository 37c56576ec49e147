//! What the jobs of a run have beside their drives: logs, recordings, commands, and jobs before them.

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

/// Permissions of files that are made for outputs and logs, less the process's mask: fio's.
pub const OUTPUT_MODE: u32 = 0o666;

/// Hears lines about what goes wrong while jobs run, from the thread on which it does.
pub type Tell = Arc<dyn Fn(Message) + Send + Sync>;

/// Made before a run, and finished after it.
pub struct Beside {
    late: LateJobs,
    recordings: Option<Recordings>,
    logs: Option<Logs>,
    commands: Option<Arc<JobCommands>>,
}

impl Beside {
    /// Opens what the jobs replay, and the files for what they log and what their commands print.
    ///
    /// # Errors
    /// Where one cannot be opened.
    pub fn create(
        jobs: Vec<FioJob>,
        plan: &Plan,
        displays: &[JobDisplay],
        tell: &Tell,
    ) -> Result<Self, Failure> {
        Ok(Self {
            late: LateJobs(jobs),
            recordings: Recordings::of(plan)?,
            logs: Logs::create(plan, displays, tell)?,
            commands: JobCommands::create(plan)?,
        })
    }

    /// What a run needs of it.
    pub fn helpers(&self) -> Helpers<'_> {
        Helpers {
            logs: self.logs.as_ref().map(|logs| logs as &dyn LogSink),
            lengths: Some(&self.late),
            replays: self.recordings.as_ref().map(|recordings| recordings as &dyn Replays),
            commands: self.commands.clone().map(|commands| commands as Arc<dyn Commands>),
        }
    }

    /// Writes what is not written yet.
    ///
    /// # Errors
    /// Where that is not possible.
    pub fn finish(self) -> Result<(), Failure> {
        let logged = self.logs.map_or(Ok(()), Logs::finish);
        logged.and(self.commands.map_or(Ok(()), |commands| commands.finish()))
    }
}
