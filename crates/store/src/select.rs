//! Selectors: how a user names checkups.
//!
//! `@last` and `@last~1` count back from the newest; `label:x`, `tag:name=value` and `drive:id` say what they mean; a word
//! alone is an id or its beginning, or a label. What could be two of these is an error that lists them.

use cardiograph_core::summary::RunSummary;
use thiserror::Error;

/// Why a selector names nothing.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SelectError {
    /// There is nothing to select from.
    #[error("no checkup is kept yet; cardiograph check makes one")]
    Empty,
    /// Nothing is like that.
    #[error("'{selector}': {reason}; cardiograph history lists what is kept")]
    Nothing {
        /// As it was given.
        selector: String,
        /// What is not there.
        reason: String,
    },
    /// Several things are.
    #[error("'{selector}' could be {}", candidates.join(", or "))]
    Ambiguous {
        /// As it was given.
        selector: String,
        /// What it could be, each as a selector that is not ambiguous.
        candidates: Vec<String>,
    },
    /// It is no selector.
    #[error("'{selector}': {reason}")]
    Malformed {
        /// As it was given.
        selector: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The checkups that `selector` names, the newest first. `runs` are all, the newest first.
///
/// # Errors
/// When it names none, or could be several things.
pub fn select<'r>(selector: &str, runs: &'r [RunSummary]) -> Result<Vec<&'r RunSummary>, SelectError> {
    if runs.is_empty() {
        return Err(SelectError::Empty);
    }
    let nothing = |reason: String| SelectError::Nothing { selector: selector.to_string(), reason };
    let some = |found: Vec<&'r RunSummary>, reason: String| {
        if found.is_empty() { Err(nothing(reason)) } else { Ok(found) }
    };
    let those =
        |is_it: &dyn Fn(&RunSummary) -> bool| runs.iter().filter(|run| is_it(run)).collect::<Vec<_>>();
    if let Some(back) = selector.strip_prefix("@last") {
        let back = back_from_last(selector, back)?;
        let run = runs.get(back).ok_or_else(|| nothing(format!("only {} are kept", runs.len())))?;
        return Ok(vec![run]);
    }
    match selector.split_once(':') {
        Some(("label", label)) => some(
            those(&|run| run.label.as_deref() == Some(label)),
            format!("no checkup has the label '{label}'"),
        ),
        Some(("drive", id)) => {
            some(those(&|run| run.has_drive(id)), format!("no checkup is of a drive '{id}'"))
        }
        Some(("tag", tag)) => {
            let (name, value) = tag.split_once('=').ok_or_else(|| SelectError::Malformed {
                selector: selector.to_string(),
                reason: "write it as tag:NAME=VALUE".to_string(),
            })?;
            let has = |run: &RunSummary| run.tags.get(name).is_some_and(|of| of == value);
            some(those(&has), format!("no checkup has the tag {name}={value}"))
        }
        _ => word(selector, runs),
    }
}

/// The one checkup that `selector` names.
///
/// # Errors
/// When it names none or several, or could be several things.
pub fn select_one<'r>(selector: &str, runs: &'r [RunSummary]) -> Result<&'r RunSummary, SelectError> {
    /// More are not listed.
    const LISTED_MAX: usize = 5;
    let found = select(selector, runs)?;
    let [run] = found[..] else {
        let mut candidates: Vec<String> = found.iter().take(LISTED_MAX).map(|run| run.id.clone()).collect();
        if found.len() > LISTED_MAX {
            candidates.push(format!("one of {} others", found.len() - LISTED_MAX));
        }
        return Err(SelectError::Ambiguous { selector: selector.to_string(), candidates });
    };
    Ok(run)
}

fn back_from_last(selector: &str, back: &str) -> Result<usize, SelectError> {
    let back = if back.is_empty() { Some(0) } else { back.strip_prefix('~').and_then(|n| n.parse().ok()) };
    back.ok_or_else(|| SelectError::Malformed {
        selector: selector.to_string(),
        reason: "write it as @last, or @last~1 for the one before".to_string(),
    })
}

/// A word alone: an id, the beginning of one, or a label.
fn word<'r>(word: &str, runs: &'r [RunSummary]) -> Result<Vec<&'r RunSummary>, SelectError> {
    if let Some(run) = runs.iter().find(|run| run.id == word) {
        return Ok(vec![run]);
    }
    let is_beginning = |run: &&RunSummary| !word.is_empty() && run.id.starts_with(word);
    let by_id: Vec<&RunSummary> = runs.iter().filter(is_beginning).collect();
    let by_label: Vec<&RunSummary> = runs.iter().filter(|run| run.label.as_deref() == Some(word)).collect();
    match (&by_id[..], &by_label[..]) {
        ([], []) => Err(SelectError::Nothing {
            selector: word.to_string(),
            reason: "no checkup has an id that begins so, or such a label".to_string(),
        }),
        ([], _) => Ok(by_label),
        ([_], []) => Ok(by_id),
        _ => {
            let mut candidates: Vec<String> = by_id.iter().map(|run| run.id.clone()).collect();
            candidates.extend((!by_label.is_empty()).then(|| format!("label:{word}")));
            Err(SelectError::Ambiguous { selector: word.to_string(), candidates })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use cardiograph_core::report::ReportState;

    use super::*;

    fn run(id: &str, label: &str, tag: (&str, &str), drive: &str) -> RunSummary {
        RunSummary {
            id: id.to_string(),
            started_unix_ms: 1,
            suite: "quick".to_string(),
            state: ReportState::Finished,
            label: (!label.is_empty()).then(|| label.to_string()),
            tags: BTreeMap::from([(tag.0.to_string(), tag.1.to_string())]),
            host: None,
            path: "/mnt".to_string(),
            models: vec!["SD64G".to_string()],
            drive_ids: vec![drive.to_string()],
            capacity_bytes: None,
            steps: 3,
        }
    }

    fn runs() -> Vec<RunSummary> {
        vec![
            run("20261122-b", "microsd", ("board", "Pi 5"), "0x12"),
            run("20261122-a", "microsd", ("board", "Pi 4"), "0x12"),
            run("20261010-a", "ssd", ("board", "Pi 5"), "S4EW"),
            run("20260101-z", "2026", ("raid", "WB"), "S4EX"),
        ]
    }

    #[test]
    fn what_a_selector_names() {
        let runs = runs();
        for (selector, expected) in [
            ("@last", &["20261122-b"][..]),
            ("@last~2", &["20261010-a"]),
            ("microsd", &["20261122-b", "20261122-a"]),
            ("label:2026", &["20260101-z"]),
            ("20261122-a", &["20261122-a"]),
            ("202610", &["20261010-a"]),
            ("tag:board=Pi 5", &["20261122-b", "20261010-a"]),
            ("drive:s4ew", &["20261010-a"]),
            ("drive:SD64G", &["20261122-b", "20261122-a", "20261010-a", "20260101-z"]),
        ] {
            let found: Vec<&str> =
                select(selector, &runs).unwrap().iter().map(|run| run.id.as_str()).collect();
            assert_eq!(found, expected, "{selector}");
        }
    }

    #[test]
    fn what_cannot_be_told_is_said_with_what_it_could_be() {
        let runs = runs();
        for (selector, expected) in [
            ("20261122", "'20261122' could be 20261122-b, or 20261122-a"),
            (
                "2026",
                "'2026' could be 20261122-b, or 20261122-a, or 20261010-a, or 20260101-z, or label:2026",
            ),
            ("nvme", "no checkup has an id that begins so, or such a label"),
            ("", "no checkup has an id that begins so"),
            ("@last~9", "only 4 are kept"),
            ("@lastly", "write it as @last"),
            ("tag:board", "write it as tag:NAME=VALUE"),
            ("tag:board=Pi", "no checkup has the tag board=Pi"),
            ("label:x", "no checkup has the label 'x'"),
            ("drive:x", "no checkup is of a drive 'x'"),
        ] {
            let said = select(selector, &runs).unwrap_err().to_string();
            assert!(said.contains(expected), "{selector}: {said}");
        }
        assert_eq!(select("@last", &[]), Err(SelectError::Empty));
        assert_eq!(select_one("ssd", &runs).unwrap().id, "20261010-a");
        let said = select_one("microsd", &runs).unwrap_err().to_string();
        assert_eq!(said, "'microsd' could be 20261122-b, or 20261122-a");
    }
}
