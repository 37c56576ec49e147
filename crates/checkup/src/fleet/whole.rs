//! The Report of all hosts, on rank 0.

use std::sync::Arc;

use cardiograph_core::Report;
use cardiograph_core::fleet::join::{HostRun, join};
use cardiograph_core::fleet::{Fleet, FleetHost};
use cardiograph_core::report::{ReportState, StepResult};

use crate::failure::Failure;
use crate::keeper::Keeper;
use crate::session;

/// The Report of all hosts, which is kept as it grows.
pub struct Whole {
    report: Report,
    /// Whether the hosts bypass the page cache.
    direct: bool,
    keeper: Arc<dyn Keeper>,
    not_kept: Option<Failure>,
}

impl Whole {
    /// From the `own` Report of rank 0, before its first step.
    pub fn new(own: &Report, hosts: Vec<FleetHost>, direct: bool, keeper: Arc<dyn Keeper>) -> Self {
        let fleet = own.fleet.as_deref().cloned().unwrap_or_default();
        let id = fleet.id.clone();
        let fleet = Fleet { rank: None, hosts, ..fleet };
        let report = Report { id, fleet: Some(Box::new(fleet)), ..own.clone() };
        Self { report, direct, keeper, not_kept: None }
    }

    /// The Report.
    pub fn into_report(self) -> Report {
        self.report
    }

    /// Adds a step, from the results of all by rank, and saves it.
    pub fn take_in(&mut self, results: &[StepResult]) {
        let hosts = self.report.fleet.iter().flat_map(|fleet| &fleet.hosts);
        let runs =
            hosts.zip(results).map(|(host, result)| HostRun { rank: host.rank, result, clock: host.clock });
        let mut step = join(&runs.collect::<Vec<_>>());
        session::settle(&mut step, &self.report, !self.direct);
        session::take_in(step, &mut self.report);
        self.save();
    }

    /// Ends it, as rank 0's own Report ended. Returns why it could not be saved.
    ///
    /// # Errors
    /// When the last attempt to save it failed.
    pub fn end(&mut self, state: ReportState) -> Result<(), Failure> {
        if self.report.state == ReportState::Running {
            self.report.state = state;
        }
        self.save();
        self.not_kept.take().map_or(Ok(()), Err)
    }

    fn save(&mut self) {
        self.not_kept = self.keeper.save(&self.report).err();
    }
}
