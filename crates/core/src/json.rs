//! Reports and passports as JSON.

use serde::{Deserialize, Serialize};

use crate::report::json::layout::{gather_numbers, without_steering};
use crate::report::validate;
use crate::report::{REPORT_VERSION, json};
use crate::summary::RunSummary;
use crate::text::shown_path;
use crate::{Message, Report, message};

/// Maximum length of a Report to read, in bytes. A quick checkup has 0.2 MB; numbers take up to 14 times as much
/// memory.
pub const LEN_BYTES_MAX: u64 = 16 << 20;
/// What this limit applies to, for messages.
pub const KIND: Message = message!("input-kind.reports");

/// Why a text is not a Report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// A later version of the program wrote it.
    TooNew {
        /// Its version.
        found: u64,
        /// The highest version that can be read ([`REPORT_VERSION`]).
        known: u32,
    },
    /// It is not JSON of a Report, or has a value that cannot be; in words for people.
    Refused(Message),
}

impl ReadError {
    /// The reason, in one line.
    pub fn message(&self) -> Message {
        match self {
            Self::TooNew { found, known } => {
                message!("report-too-new", found = found.to_string(), known = known.to_string())
            }
            Self::Refused(message) => message.clone(),
        }
    }
}

/// `report` as indented JSON with a final newline. Lists of numbers are put into lines.
pub fn to_json(report: &Report) -> String {
    finished(json::report_indented(report))
}

/// `report` as JSON in one line, for programs.
pub fn to_json_line(report: &Report) -> String {
    json::report_line(report)
}

/// A list of checkups as indented JSON.
pub fn history_to_json(runs: &[RunSummary]) -> String {
    indented(&runs)
}

/// A passport, sources of the shelf or ranks among them, whole, as indented JSON.
pub fn indented(whole: &impl Serialize) -> String {
    finished(serde_json::to_string_pretty(whole).expect("it has nothing that JSON cannot hold"))
}

fn finished(text: String) -> String {
    without_steering(gather_numbers(&text))
}

/// A JSON error without its position, which is shown separately.
pub fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    shown_path(message.strip_suffix(&place).unwrap_or(&message))
}

/// Name of the Report format among the formats to import.
pub const NAME: &str = "cardiograph";

/// Whether a text that starts with `head` is meant to be a Report.
pub fn is_report(head: &[u8]) -> bool {
    const KEY: &[u8] = b"\"report_version\"";
    head.trim_ascii_start().starts_with(b"{") && head.windows(KEY.len()).any(|window| window == KEY)
}

/// Reads and validates a Report in any layout.
///
/// # Errors
/// [`ReadError::TooNew`] if a later version of the program wrote it, [`ReadError::Refused`] if it does not have the
/// format of a Report or makes no sense.
pub fn from_json(text: impl AsRef<[u8]>) -> Result<Report, ReadError> {
    #[derive(Deserialize)]
    struct Versioned {
        report_version: u64,
    }
    let malformed = |error: serde_json::Error| {
        let (line, column) = (error.line().to_string(), error.column().to_string());
        ReadError::Refused(message!("report-malformed", line, column, problem = without_place(&error)))
    };
    let Versioned { report_version: found } = serde_json::from_slice(text.as_ref()).map_err(malformed)?;
    if found > u64::from(REPORT_VERSION) {
        return Err(ReadError::TooNew { found, known: REPORT_VERSION });
    }
    let report = json::read_report(text.as_ref()).map_err(malformed)?;
    validate::values(text.as_ref())
        .and_then(|()| validate::validate(&report))
        .map_err(|problem| ReadError::Refused(problem.message()))?;
    Ok(report)
}
