//! A Report as JSON, and back; a passport as JSON.

use std::fmt;

use cardiograph_core::Report;
use cardiograph_core::drive::Passport;
use cardiograph_core::report::json::layout::{gather_numbers, without_steering};
use cardiograph_core::report::validate::{self, Problem};
use cardiograph_core::report::{REPORT_VERSION, json};
use cardiograph_core::summary::RunSummary;
use cardiograph_core::text::shown_path;
use serde::{Deserialize, Serialize};

/// Longest Report that is read, in bytes. One of a quick checkup has 0.2 MB, and numbers take up to 14 times as much in memory.
pub const LEN_BYTES_MAX: u64 = 16 << 20;
/// What is that long at most.
pub const KIND: &str = "Reports";

/// Why a text is no Report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// A later version of the program wrote it.
    TooNew {
        /// Its version.
        found: u64,
        /// The highest version that can be read ([`REPORT_VERSION`]).
        known: u32,
    },
    /// It is no JSON, or lacks what a Report has.
    Malformed {
        /// Line, 1 for the first.
        line: usize,
        /// Column in bytes, 1 for the first.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// It has the form of a Report, but says what cannot be.
    Invalid(Problem),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooNew { found, known } => write!(
                f,
                "the report has report_version {found}; this program reads versions up to {known}: a newer one is needed"
            ),
            Self::Malformed { line, column, message } => {
                write!(f, "line {line}, column {column}: no report: {message}")
            }
            Self::Invalid(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

/// `report` as indented JSON with a newline at its end. Lists of numbers are gathered into lines.
pub fn to_json(report: &Report) -> String {
    finished(json::report_indented(report))
}

/// `report` as JSON in one line, for programs alone.
pub(crate) fn to_json_line(report: &Report) -> String {
    json::report_line(report)
}

/// A passport as indented JSON.
pub fn passport_to_json(passport: &Passport) -> String {
    indented(passport)
}

/// The same of a list of checkups.
pub fn history_to_json(runs: &[RunSummary]) -> String {
    indented(&runs)
}

/// The same of sources of the shelf, with all of their tables.
pub fn shelf_to_json(sources: &[crate::shelf::Published]) -> String {
    indented(&sources)
}

/// Where drives stand among what others published, with all figures of each list.
pub fn standings_to_json(standings: &[crate::shelf::standing::Standing]) -> String {
    indented(&standings)
}

fn indented(whole: &impl Serialize) -> String {
    finished(serde_json::to_string_pretty(whole).expect("it has nothing that JSON cannot hold"))
}

fn finished(text: String) -> String {
    without_steering(gather_numbers(&text))
}

/// What is wrong with JSON, without where, which is told beside it.
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    shown_path(message.strip_suffix(&place).unwrap_or(&message))
}

/// What a Report as JSON is called among the formats that are imported.
pub const NAME: &str = "cardiograph";
/// What that is, in a few words.
pub const TITLE: &str = "cardiograph's own Report, as check --json writes it";

/// Whether what begins with `head` is meant as a Report.
pub fn is_report(head: &[u8]) -> bool {
    const KEY: &[u8] = b"\"report_version\"";
    head.trim_ascii_start().starts_with(b"{") && head.windows(KEY.len()).any(|window| window == KEY)
}

/// Reads a Report, whatever its layout, and looks whether all of it makes sense.
///
/// # Errors
/// [`ReadError::TooNew`] when a later version of the program wrote it, [`ReadError::Malformed`] where it does not have the form of
/// a Report, [`ReadError::Invalid`] where it says what cannot be.
pub fn from_json(text: impl AsRef<[u8]>) -> Result<Report, ReadError> {
    #[derive(Deserialize)]
    struct Versioned {
        report_version: u64,
    }
    let malformed = |error: serde_json::Error| ReadError::Malformed {
        line: error.line(),
        column: error.column(),
        message: without_place(&error),
    };
    // The version comes first: what else is in a later form cannot be known.
    let Versioned { report_version: found } = serde_json::from_slice(text.as_ref()).map_err(malformed)?;
    if found > u64::from(REPORT_VERSION) {
        return Err(ReadError::TooNew { found, known: REPORT_VERSION });
    }
    let report = json::read_report(text.as_ref()).map_err(malformed)?;
    validate::values(text.as_ref()).and_then(|()| validate::validate(&report)).map_err(ReadError::Invalid)?;
    Ok(report)
}

#[cfg(test)]
mod tests {
    use cardiograph_core::report::json::layout::LINE_LEN;

    use super::*;
    use crate::samples;

    #[test]
    fn a_report_comes_back_whole() {
        for report in samples::all() {
            let text = to_json(&report);
            assert!(text.ends_with("}\n"));
            assert_eq!(from_json(&text).unwrap(), report);
            assert_eq!(from_json(serde_json::to_string(&report).unwrap()).unwrap(), report);
        }
    }

    #[test]
    fn lists_of_numbers_are_gathered_and_nothing_else_changes() {
        let report = samples::card();
        let text = to_json(&report);
        let plain: serde_json::Value = serde_json::to_value(&report).unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), plain);
        assert!(text.lines().all(|line| {
            let token = line.trim();
            line.len() <= LINE_LEN || token.starts_with('"')
        }));
        let lonely = text.lines().filter(|line| line.trim_matches([' ', ',']).parse::<f64>().is_ok()).count();
        assert_eq!(lonely, 0, "a number on a line of its own");
        assert!(text.lines().count() * 2 < serde_json::to_string_pretty(&report).unwrap().lines().count());
    }

    #[test]
    fn a_later_version_is_refused_by_name() {
        let mut report = samples::card();
        report.report_version = REPORT_VERSION + 1;
        let error = from_json(to_json(&report)).unwrap_err();
        assert_eq!(error, ReadError::TooNew { found: u64::from(REPORT_VERSION) + 1, known: REPORT_VERSION });
        let other = from_json("{\"shape\": [1], \"report_version\": 99}").unwrap_err().to_string();
        assert!(
            other.starts_with("the report has report_version 99; this program reads versions up to 1"),
            "{other}"
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let message = |text: &str| from_json(text).unwrap_err().to_string();
        assert_eq!(message(""), "line 1, column 0: no report: EOF while parsing a value");
        assert_eq!(
            message("{\n \"id\": \"x\"\n}"),
            "line 3, column 1: no report: missing field `report_version`"
        );
        assert_eq!(message("{\"report_version\": 1}"), "line 1, column 21: no report: missing field `id`");
        assert!(message("[1").starts_with("line 1, column 2: no report: "), "{}", message("[1"));
        let damaged = to_json(&samples::card()).replace("\"finished\"", "\"done\"");
        assert!(message(&damaged).contains("unknown variant `done`"), "{}", message(&damaged));
    }
}
