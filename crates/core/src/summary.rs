//! What lists of checkups show of one, and by what it is found.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::report::{Report, ReportState};

/// A checkup in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunSummary {
    /// Sortable id of the checkup.
    pub id: String,
    /// When it began, in milliseconds since 1970-01-01 UTC; 0 of a simulated one.
    pub started_unix_ms: u64,
    /// The suite.
    pub suite: String,
    /// How it stands.
    pub state: ReportState,
    /// What the user calls the drive.
    pub label: Option<String>,
    /// What the user noted, by name.
    pub tags: BTreeMap<String, String>,
    /// The machine's name.
    pub host: Option<String>,
    /// Where it was measured: a path, or a model's name.
    pub path: String,
    /// The drives' models, as they call themselves.
    pub models: Vec<String>,
    /// By what the drives are known: serial numbers, and the ids by which they are given away.
    pub drive_ids: Vec<String>,
    /// What the drive says that it holds, in bytes.
    pub capacity_bytes: Option<u64>,
    /// Measurements and preparations that were run.
    pub steps: usize,
}

impl RunSummary {
    /// Of a Report.
    pub fn of(report: &Report) -> Self {
        let leaves = || report.drive.leaves.iter();
        // What a source calls a drive is all that is known of it; here a name is another drive's after the next start.
        let named =
            |name: &str| Some(name.to_string()).filter(|name| report.source.is_some() && !name.is_empty());
        let ids = leaves().flat_map(|leaf| [leaf.serial.clone(), leaf.id.clone(), named(&leaf.name)]);
        let mut drive_ids: Vec<String> = ids.flatten().collect();
        drive_ids.dedup();
        Self {
            id: report.id.clone(),
            started_unix_ms: report.started_unix_ms,
            suite: report.suite.clone(),
            state: report.state,
            label: report.label.clone(),
            tags: report.tags.clone(),
            host: report.host.name.clone(),
            path: report.drive.path.clone(),
            models: leaves().filter_map(|leaf| leaf.model.clone()).collect(),
            drive_ids,
            capacity_bytes: report.drive.capacity_bytes,
            steps: report.steps.len(),
        }
    }

    /// Whether a drive of it is known by this id, or calls itself so.
    pub fn has_drive(&self, wanted: &str) -> bool {
        let is_it = |known: &String| known.eq_ignore_ascii_case(wanted);
        self.drive_ids.iter().any(is_it) || self.models.iter().any(is_it)
    }
}
