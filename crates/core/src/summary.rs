//! What lists of checkups show of one, and by what it is found.

use serde::Serialize;
pub use smol_str::SmolStr;

use crate::lines::{Lines, TagLines};
use crate::report::{Report, ReportState};

/// A checkup in a list. Its texts are short and stored inline: lists of a hundred thousand are normal for a
/// cron job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RunSummary {
    /// Sortable id of the checkup.
    pub id: SmolStr,
    /// When it began, in milliseconds since 1970-01-01 UTC; 0 of a simulated one.
    pub started_unix_ms: u64,
    /// The suite.
    pub suite: SmolStr,
    /// How it stands.
    pub state: ReportState,
    /// What the user calls the drive.
    pub label: Option<SmolStr>,
    /// What the user noted, by name.
    pub tags: TagLines,
    /// The machine's name.
    pub host: Option<SmolStr>,
    /// Where it was measured: a path, or a model's name; if the source does not report that, the source's own
    /// location.
    pub path: SmolStr,
    /// The drives' models, as they call themselves.
    pub models: Lines,
    /// Identifiers of the drives: serial numbers and consent ids.
    pub drive_ids: Lines,
    /// What the drive says that it holds, in bytes.
    pub capacity_bytes: Option<u64>,
    /// Measurements and preparations that were run.
    pub steps: usize,
}

impl RunSummary {
    /// Of a Report.
    pub fn from_report(report: &Report) -> Self {
        let leaves = || report.drive.leaves.iter();
        // What a source calls a drive is all that is known of it; here a name is another drive's after the next start.
        let named =
            |name: &str| Some(name.to_string()).filter(|name| report.source.is_some() && !name.is_empty());
        let ids = leaves().flat_map(|leaf| [leaf.serial.clone(), leaf.id.clone(), named(&leaf.name)]);
        let mut drive_ids: Vec<String> = ids.flatten().collect();
        drive_ids.dedup();
        let place = match &report.source {
            Some(source) if report.drive.path.is_empty() => source.place_in_words(),
            _ => &report.drive.path,
        };
        Self {
            id: report.id.as_str().into(),
            started_unix_ms: report.started_unix_ms,
            suite: report.suite.as_str().into(),
            state: report.state,
            label: report.label.as_deref().map(SmolStr::from),
            tags: report.tags.iter().collect(),
            host: report.host.name.as_deref().map(SmolStr::from),
            path: place.into(),
            models: leaves().filter_map(|leaf| leaf.model.clone()).collect(),
            drive_ids: drive_ids.iter().collect(),
            capacity_bytes: report.drive.capacity_bytes,
            steps: report.steps.len(),
        }
    }

    /// Whether a drive of it is known by this id, or calls itself so.
    pub fn has_drive(&self, wanted: &str) -> bool {
        let is_it = |known: &str| known.eq_ignore_ascii_case(wanted);
        self.drive_ids.iter().any(is_it) || self.models.iter().any(is_it)
    }
}
