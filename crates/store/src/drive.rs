//! Drives, as lists show them.

use std::fmt::Write;

use cardiograph_core::schemars;
use cardiograph_core::summary::RunSummary;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// A drive with checkups.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DriveSummary {
    /// Short, stable name for addresses: 16 hexadecimal digits.
    pub key: String,
    /// Reported models, one in each line.
    pub models: String,
    /// Serial numbers and ids, one in each line.
    pub drive_ids: String,
    /// The user's label at the newest checkup.
    pub label: Option<String>,
    /// Its host.
    pub host: Option<String>,
    /// Its path.
    pub path: String,
    /// Claimed capacity in bytes.
    pub capacity_bytes: Option<u64>,
    /// Number of checkups.
    pub checkups: u64,
    /// When the oldest checkup began, or was first saved if it has no date, in milliseconds since 1970.
    pub first_unix_ms: u64,
    /// The same of the newest.
    pub last_unix_ms: u64,
    /// Id of the newest checkup.
    pub newest: String,
}

/// Selects the drives that match every field that is set. The default selects all, the last seen first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DriveQuery {
    /// The key; of a joined drive, the one that it is joined to is found.
    pub key: Option<String>,
    /// A part of a model, an id, the label or the host, ignoring case.
    pub text: Option<String>,
    /// The host of the newest checkup, ignoring case.
    pub host: Option<String>,
    /// Its label, ignoring case.
    pub label: Option<String>,
    /// Its tags: name and value, ignoring case.
    pub tags: Vec<(String, String)>,
    /// How to sort.
    pub order: DriveOrder,
    /// Number of drives to skip.
    pub skip: u64,
    /// Maximum number of drives.
    pub limit: Option<u64>,
}

/// How drives are sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DriveOrder {
    /// The last seen first.
    #[default]
    LastSeen,
    /// By label, else by model.
    Name,
    /// Those with most checkups first.
    Checkups,
}

/// Whether a text has the form of a key.
pub(crate) fn is_key(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The key of a checkup's drive: of its ids; without any, of its models, capacity, host and path. A simulated drive is
/// its model.
pub fn drive_key(run: &RunSummary) -> String {
    let mut ids: Vec<&str> = run.drive_ids.iter().collect();
    ids.sort_unstable();
    let simulated = [run.models.as_str(), &run.path];
    let capacity = run.capacity_bytes.map(|bytes| bytes.to_string()).unwrap_or_default();
    let place = [run.models.as_str(), &capacity, run.host.as_deref().unwrap_or_default(), &run.path];
    let (kind, parts): (&str, &[&str]) = match ids.is_empty() {
        _ if run.id.starts_with("sim-") => ("model", &simulated),
        false => ("ids", &ids),
        true => ("place", &place),
    };
    let mut hash = Sha256::new();
    for part in [kind].iter().chain(parts) {
        // No text contains this byte.
        hash.update(part.as_bytes());
        hash.update([0xff]);
    }
    hash.finalize()[..8].iter().fold(String::new(), |mut key, byte| {
        let _ = write!(key, "{byte:02x}");
        key
    })
}
