//! List entries of checkups, and their search keys.

use serde::Serialize;
pub use smol_str::SmolStr;

use crate::JsonSchema;
use crate::lines::{Lines, TagLines};
use crate::report::{Report, ReportState};

/// A checkup in a list. Its texts are short and stored inline: lists of a hundred thousand are normal for a cron job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunSummary {
    /// Sortable id of the checkup.
    #[schemars(with = "String")]
    pub id: SmolStr,
    /// Start, in milliseconds since 1970-01-01 UTC; 0 for a simulated one.
    pub started_unix_ms: u64,
    /// The suite.
    #[schemars(with = "String")]
    pub suite: SmolStr,
    /// Its state.
    pub state: ReportState,
    /// The user's label for the drive.
    #[schemars(with = "Option<String>")]
    pub label: Option<SmolStr>,
    /// The user's tags, by name.
    #[schemars(with = "std::collections::BTreeMap<String, String>")]
    pub tags: TagLines,
    /// Host name.
    #[schemars(with = "Option<String>")]
    pub host: Option<SmolStr>,
    /// The measured path, or a model's name; if the source does not report that, the source's own location.
    #[schemars(with = "String")]
    pub path: SmolStr,
    /// Reported models of the drives.
    #[schemars(with = "Vec<String>")]
    pub models: Lines,
    /// Identifiers of the drives: serial numbers and consent ids.
    #[schemars(with = "Vec<String>")]
    pub drive_ids: Lines,
    /// Claimed capacity in bytes.
    pub capacity_bytes: Option<u64>,
    /// Number of steps run, including preparations.
    pub steps: usize,
}

impl RunSummary {
    /// The list entry of a Report.
    pub fn from_report(report: &Report) -> Self {
        let leaves = || report.drive.leaves.iter();
        // An imported drive only has the source's name for it; a local kernel name may be another drive's after a
        // reboot.
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

    /// Whether one of its drives has this id or reported name.
    pub fn has_drive(&self, wanted: &str) -> bool {
        let is_it = |known: &str| known.eq_ignore_ascii_case(wanted);
        self.drive_ids.iter().any(is_it) || self.models.iter().any(is_it)
    }
}
