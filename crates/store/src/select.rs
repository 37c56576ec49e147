//! Selectors: how a user names checkups.
//!
//! `@last` and `@last~1` count back from the newest; `label:x`, `tag:name=value` and `drive:id` say what they mean; a word
//! alone is an id or its beginning, or a label. What could be two of these is an error that lists them.

use cardiograph_core::summary::RunSummary;
use thiserror::Error;

use crate::{Query, Store, StoreError};

/// Why a selector names nothing.
#[derive(Debug, Error)]
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
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is no selector.
    #[error("'{selector}': {reason}")]
    Malformed {
        /// As it was given.
        selector: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The checkups that `selector` names, the newest first.
///
/// # Errors
/// When it names none, or could be several things.
pub fn select(selector: &str, store: &dyn Store) -> Result<Vec<RunSummary>, SelectError> {
    if let Some(back) = selector.strip_prefix("@last") {
        return last(selector, back_from_last(selector, back)?, store);
    }
    let some = |query: Query, reason: String| {
        let found = store.find(&query)?;
        if found.is_empty() { Err(nothing(selector, reason, store)) } else { Ok(found) }
    };
    match selector.split_once(':') {
        Some(("label", label)) => some(of_label(label), format!("no checkup has the label '{label}'")),
        Some(("drive", id)) => {
            let query = Query { drive: Some(id.to_string()), ..Query::default() };
            some(query, format!("no checkup is of a drive '{id}'"))
        }
        Some(("tag", tag)) => {
            let (name, value) = tag.split_once('=').ok_or_else(|| SelectError::Malformed {
                selector: selector.to_string(),
                reason: "write it as tag:NAME=VALUE".to_string(),
            })?;
            let tags = vec![(name.to_string(), value.to_string())];
            some(Query { tags, ..Query::default() }, format!("no checkup has the tag {name}={value}"))
        }
        _ => word(selector, store),
    }
}

/// Whether a selector is a word alone, which may be an id, a label or a file: not `@last` or `label:x`.
pub fn is_word(selector: &str) -> bool {
    let kind = selector.split_once(':').map(|(kind, _)| kind);
    !selector.starts_with("@last") && !kind.is_some_and(|kind| ["label", "drive", "tag"].contains(&kind))
}

/// The one checkup that `selector` names.
///
/// # Errors
/// When it names none or several, or could be several things.
pub fn select_one(selector: &str, store: &dyn Store) -> Result<RunSummary, SelectError> {
    let mut found = select(selector, store)?;
    if found.len() > 1 {
        let candidates = listed(&found, None);
        return Err(SelectError::Ambiguous { selector: selector.to_string(), candidates });
    }
    found.pop().ok_or(SelectError::Empty)
}

/// Why there is nothing: a store without any checkup says so.
fn nothing(selector: &str, reason: String, store: &dyn Store) -> SelectError {
    match store.find(&Query { limit: Some(1), ..Query::default() }) {
        Ok(any) if any.is_empty() => SelectError::Empty,
        Ok(_) => SelectError::Nothing { selector: selector.to_string(), reason },
        Err(error) => error.into(),
    }
}

fn of_label(label: &str) -> Query {
    Query { label: Some(label.to_string()), ..Query::default() }
}

fn last(selector: &str, back: u64, store: &dyn Store) -> Result<Vec<RunSummary>, SelectError> {
    let found = store.find(&Query { skip: back, limit: Some(1), ..Query::default() })?;
    if found.is_empty() {
        let kept = store.find(&Query::default())?.len();
        return Err(nothing(selector, format!("only {kept} are kept"), store));
    }
    Ok(found)
}

fn back_from_last(selector: &str, back: &str) -> Result<u64, SelectError> {
    let back = if back.is_empty() { Some(0) } else { back.strip_prefix('~').and_then(|n| n.parse().ok()) };
    back.ok_or_else(|| SelectError::Malformed {
        selector: selector.to_string(),
        reason: "write it as @last, or @last~1 for the one before".to_string(),
    })
}

/// A word alone: an id, the beginning of one, or a label.
fn word(word: &str, store: &dyn Store) -> Result<Vec<RunSummary>, SelectError> {
    let by_id = match word {
        "" => Vec::new(),
        _ => store.find(&Query { id_begins: Some(word.to_string()), ..Query::default() })?,
    };
    if let Some(run) = by_id.iter().find(|run| run.id == word) {
        return Ok(vec![run.clone()]);
    }
    let by_label = store.find(&of_label(word))?;
    match (by_id.len(), by_label.len()) {
        (0, 0) => {
            let reason = "no checkup has an id that begins so, or such a label".to_string();
            Err(nothing(word, reason, store))
        }
        (0, _) => Ok(by_label),
        (1, 0) => Ok(by_id),
        _ => {
            let label = (!by_label.is_empty()).then(|| format!("label:{word}"));
            Err(SelectError::Ambiguous { selector: word.to_string(), candidates: listed(&by_id, label) })
        }
    }
}

/// What it could be, and at the end how many more.
fn listed(runs: &[RunSummary], label: Option<String>) -> Vec<String> {
    /// More are not listed.
    const LISTED_MAX: usize = 5;
    let mut candidates: Vec<String> = runs.iter().take(LISTED_MAX).map(|run| run.id.to_string()).collect();
    candidates.extend(label);
    if runs.len() > LISTED_MAX {
        candidates.push(format!("one of {} others", runs.len() - LISTED_MAX));
    }
    candidates
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::path::PathBuf;

    use cardiograph_core::Report;
    use cardiograph_core::report::ReportState;
    use cardiograph_judge::record::RunFigures;

    use super::*;
    use crate::Mended;
    use crate::Remark;

    fn run(id: &str, label: &str, tag: (&str, &str), drive: &str) -> RunSummary {
        RunSummary {
            id: id.into(),
            started_unix_ms: 1,
            suite: "quick".into(),
            state: ReportState::Finished,
            label: (!label.is_empty()).then(|| label.into()),
            tags: [tag].into_iter().collect(),
            path: "/mnt".into(),
            models: "SD64G".into(),
            drive_ids: drive.into(),
            steps: 3,
            ..RunSummary::default()
        }
    }

    /// Checkups of which nothing but the list is known, the newest first.
    struct Listed(Vec<RunSummary>);

    impl Store for Listed {
        fn save_all(&self, _: &[Report]) -> Result<(), StoreError> {
            unreachable!("nothing is saved here")
        }

        fn load(&self, _: &str) -> Result<Report, StoreError> {
            unreachable!("nothing is loaded here")
        }

        fn find(&self, query: &Query) -> Result<Vec<RunSummary>, StoreError> {
            Ok(query.of(self.0.clone()))
        }

        fn figures(&self, _: &[&str]) -> Result<Vec<RunFigures>, StoreError> {
            unreachable!("no figure is asked for here")
        }

        fn remove(&self, _: &[&str]) -> Result<(), StoreError> {
            unreachable!("nothing is removed here")
        }

        fn try_save(&self, _: &Report) -> Result<(), StoreError> {
            unreachable!("nothing is saved here")
        }

        fn set_aside(&self, _: &Report) -> Result<PathBuf, StoreError> {
            unreachable!("nothing is saved here")
        }

        fn repair(&self) -> Result<Option<Mended>, StoreError> {
            unreachable!("nothing is mended here")
        }

        fn remarks(&self) -> Vec<Remark> {
            Vec::new()
        }

        fn place(&self) -> &Path {
            Path::new("nowhere")
        }
    }

    fn runs() -> Listed {
        Listed(vec![
            run("20261122-b", "microsd", ("board", "Pi 5"), "0x12"),
            run("20261122-a", "microsd", ("board", "Pi 4"), "0x12"),
            run("20261010-a", "ssd", ("board", "Pi 5"), "S4EW"),
            run("20260101-z", "2026", ("raid", "WB"), "S4EX"),
        ])
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
            let found = select(selector, &runs).unwrap();
            let found: Vec<&str> = found.iter().map(|run| run.id.as_str()).collect();
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
        for selector in ["@last", "ssd", "label:ssd"] {
            assert!(matches!(select(selector, &Listed(Vec::new())), Err(SelectError::Empty)), "{selector}");
        }
        assert_eq!(select_one("ssd", &runs).unwrap().id, "20261010-a");
        let said = select_one("microsd", &runs).unwrap_err().to_string();
        assert_eq!(said, "'microsd' could be 20261122-b, or 20261122-a");
    }
}
