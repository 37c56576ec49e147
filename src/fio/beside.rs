//! What the jobs of a run have beside their drives: logs, recordings, commands, and jobs before them.

use std::sync::Arc;

use cardiograph_checkup::recordings::Recordings;
use cardiograph_core::Plan;
use cardiograph_core::display::JobDisplay;
use cardiograph_engine::Helpers;
use cardiograph_engine::commands::Commands;
use cardiograph_engine::log::LogSink;
use cardiograph_engine::replay::Replays;
use cardiograph_fio::invocation::FioJob;

use super::LateJobs;
use super::commands::JobCommands;
use super::logs::Logs;
use crate::exit::Failure;

/// Made before a run, and finished after it.
pub struct Beside<'a> {
    late: LateJobs<'a>,
    recordings: Option<Recordings>,
    written: Written,
}

/// What is written meanwhile.
pub struct Written {
    logs: Option<Logs>,
    commands: Option<Arc<JobCommands>>,
}

impl<'a> Beside<'a> {
    /// Opens what the jobs replay, and the files for what they log and what their commands print.
    pub fn create(jobs: &'a [FioJob], plan: &Plan, displays: &[JobDisplay]) -> Result<Self, Failure> {
        Ok(Self {
            late: LateJobs(jobs),
            recordings: Recordings::of(plan)?,
            written: Written { logs: Logs::create(plan, displays)?, commands: JobCommands::create(plan)? },
        })
    }

    /// What a run needs of it.
    pub fn helpers(&self) -> Helpers<'_> {
        let Written { logs, commands } = &self.written;
        Helpers {
            logs: logs.as_ref().map(|logs| logs as &dyn LogSink),
            lengths: Some(&self.late),
            replays: self.recordings.as_ref().map(|recordings| recordings as &dyn Replays),
            commands: commands.clone().map(|commands| commands as Arc<dyn Commands>),
        }
    }

    /// What is to be finished when the run has ended.
    pub fn written(self) -> Written {
        self.written
    }
}

impl Written {
    /// Writes what is not written yet.
    pub fn finish(self) -> Result<(), Failure> {
        let logged = self.logs.map_or(Ok(()), Logs::finish);
        logged.and(self.commands.map_or(Ok(()), |commands| commands.finish()))
    }
}
