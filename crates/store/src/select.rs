//! Selectors: how a user names checkups.
//!
//! `@last` and `@last~1` count back from the newest; `label:x`, `tag:name=value`, `drive:id` and `sender:name` are explicit; a
//! single word is an id or its beginning, or a label. A selector names a set of checkups; case does not matter. A word that is both
//! a label and the beginning of ids is an error that lists the candidates.

use cardiograph_core::nearest::{is_same, suggestion_or};
use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Message, Parameter, message};

use crate::drive::is_key;
use crate::{Query, Store, StoreError};

/// Why a selector names no checkup.
#[derive(Debug)]
pub enum SelectError {
    /// The store is empty.
    Empty,
    /// Nothing matches: what was not found, and what to write instead.
    Nothing(Box<Message>),
    /// The store cannot be read.
    Store(StoreError),
    /// It is ambiguous, or not a selector.
    Refused(Box<Message>),
}

impl SelectError {
    /// Says what is wrong with the selector, and what to do.
    pub fn message(&self) -> Message {
        match self {
            Self::Empty => message!("select-empty"),
            Self::Nothing(message) | Self::Refused(message) => (**message).clone(),
            Self::Store(error) => error.message(),
        }
    }
}

impl From<StoreError> for SelectError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The checkups that `selector` names, newest first.
///
/// # Errors
/// When it matches nothing or is ambiguous.
pub fn select(selector: &str, store: &dyn Store) -> Result<Vec<RunSummary>, SelectError> {
    if let Some(back) = selector.strip_prefix("@last") {
        return last(selector, back_from_last(selector, back)?, store);
    }
    let query = match selector.split_once(':') {
        Some(("label", label)) => query_label(label),
        Some(("drive", id)) => return drive(selector, id, store),
        Some(("sender", name)) => Query { sender: Some(name.to_string()), ..Query::default() },
        Some(("tag", tag)) => {
            let pair = tag.split_once('=');
            let (name, value) = pair.ok_or_else(|| malformed(selector, message!("select-malformed.tag")))?;
            Query { tags: vec![(name.to_string(), value.to_string())], ..Query::default() }
        }
        _ => return word(selector, store),
    };
    found(selector, &query, store)
}

/// The checkups that match a query.
fn found(selector: &str, query: &Query, store: &dyn Store) -> Result<Vec<RunSummary>, SelectError> {
    let found = store.find(query)?;
    if found.is_empty() {
        refuse_unknown(query, store)?;
        return Err(nothing(selector, message!("select-nothing.word", selector), &["@last"], store));
    }
    Ok(found)
}

/// The checkups of a drive, by an id, its model, or its key in the store.
fn drive(selector: &str, id: &str, store: &dyn Store) -> Result<Vec<RunSummary>, SelectError> {
    if is_key(id) {
        let by_key = store.find(&Query { drive_key: Some(id.to_string()), ..Query::default() })?;
        if !by_key.is_empty() {
            return Ok(by_key);
        }
    }
    found(selector, &Query { drive: Some(id.to_string()), ..Query::default() }, store)
}

/// Refuses a query for a name that no checkup has, with the nearest one.
///
/// # Errors
/// When there is such a name, or nothing is saved.
pub fn refuse_unknown(query: &Query, store: &dyn Store) -> Result<(), SelectError> {
    let all = store.find(&Query::default())?;
    let names = |of: fn(&RunSummary) -> Vec<String>| all.iter().flat_map(of).collect::<Vec<_>>();
    let label = query.label.iter().map(|label| {
        let known = names(|run| run.label.iter().map(|label| label.to_string()).collect());
        (label.clone(), known, message!("select-nothing.label", label))
    });
    let drive = query.drive.iter().map(|drive| {
        let known =
            names(|run| run.drive_ids.iter().chain(run.models.iter()).map(|id| id.to_string()).collect());
        (drive.clone(), known, message!("select-nothing.drive", drive))
    });
    let host = query.host.iter().map(|host| {
        let known = names(|run| run.host.iter().map(|host| host.to_string()).collect());
        (host.clone(), known, message!("select-nothing.host", host))
    });
    let suite = query.suite.iter().map(|suite| {
        (suite.clone(), names(|run| vec![run.suite.to_string()]), message!("select-nothing.suite", suite))
    });
    let tags = query.tags.iter().map(|(name, value)| {
        let known = names(|run| run.tags.iter().map(|(name, value)| format!("{name}={value}")).collect());
        (format!("{name}={value}"), known, message!("select-nothing.tag", name, tag = value))
    });
    for (written, known, reason) in label.chain(drive).chain(host).chain(suite).chain(tags) {
        if !known.iter().any(|known| is_same(&written, known)) {
            return Err(nothing(&written, reason, &known, store));
        }
    }
    Ok(())
}

/// Whether a selector is a single word, which may be an id, a label or a file: not `@last` or `label:x`.
pub fn is_word(selector: &str) -> bool {
    let kind = selector.split_once(':').map(|(kind, _)| kind);
    !selector.starts_with("@last")
        && !kind.is_some_and(|kind| ["label", "drive", "sender", "tag"].contains(&kind))
}

/// Why nothing matches, with the nearest of the `known` names: says so if the store is empty.
fn nothing<S: AsRef<str>>(written: &str, reason: Message, known: &[S], store: &dyn Store) -> SelectError {
    match store.find(&Query { limit: Some(1), ..Query::default() }) {
        Ok(any) if any.is_empty() => SelectError::Empty,
        Ok(_) => {
            let hint = suggestion_or(written, known, message!("select-nothing.list"));
            SelectError::Nothing(Box::new(message!("select-nothing", reason, hint)))
        }
        Err(error) => error.into(),
    }
}

fn query_label(label: &str) -> Query {
    Query { label: Some(label.to_string()), ..Query::default() }
}

fn last(selector: &str, back: u64, store: &dyn Store) -> Result<Vec<RunSummary>, SelectError> {
    let found = store.find(&Query { skip: back, limit: Some(1), ..Query::default() })?;
    if found.is_empty() {
        let kept = store.find(&Query::default())?.len();
        return Err(nothing(selector, message!("select-nothing.few", checkups = kept), &["@last"], store));
    }
    Ok(found)
}

fn back_from_last(selector: &str, back: &str) -> Result<u64, SelectError> {
    let back = if back.is_empty() { Some(0) } else { back.strip_prefix('~').and_then(|n| n.parse().ok()) };
    back.ok_or_else(|| malformed(selector, message!("select-malformed.last")))
}

fn malformed(selector: &str, reason: Message) -> SelectError {
    SelectError::Refused(Box::new(message!("select-malformed", selector, reason)))
}

/// A single word: an id, the beginning of one, or a label.
fn word(word: &str, store: &dyn Store) -> Result<Vec<RunSummary>, SelectError> {
    let by_id = match word {
        "" => Vec::new(),
        _ => store.find(&Query { id_begins: Some(word.to_string()), ..Query::default() })?,
    };
    if let Some(run) = by_id.iter().find(|run| run.id == word) {
        return Ok(vec![run.clone()]);
    }
    let by_label = store.find(&query_label(word))?;
    match (by_id.len(), by_label.len()) {
        (0, 0) => {
            let all = store.find(&Query::default())?;
            let labels = all.iter().filter_map(|run| run.label.as_deref());
            let known: Vec<&str> = std::iter::once("@last").chain(labels).collect();
            Err(nothing(word, message!("select-nothing.word", selector = word), &known, store))
        }
        (0, _) => Ok(by_label),
        (_, 0) => Ok(by_id),
        _ => Err(ambiguous(word, &by_id)),
    }
}

/// A word that is a label, and with which the ids of `runs` begin.
fn ambiguous(selector: &str, runs: &[RunSummary]) -> SelectError {
    /// Maximum number of candidates listed.
    const LISTED_MAX: usize = 5;
    let ids = runs.iter().take(LISTED_MAX).map(|run| run.id.to_string());
    let others = runs.len().saturating_sub(LISTED_MAX);
    let others = (others > 0).then(|| message!("select-ambiguous.others", checkups = others));
    let candidates = ids.chain([format!("label:{selector}")]).map(Parameter::from);
    let candidates = Parameter::all(candidates.chain(others.map(Parameter::from)));
    SelectError::Refused(Box::new(message!("select-ambiguous", selector, candidates)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::path::PathBuf;

    use cardiograph_core::Report;
    use cardiograph_core::report::ReportState;
    use cardiograph_judge::record::RunFigures;

    use super::*;
    use crate::{Access, Arrival, DriveQuery, DriveSummary, Mended, Remark};

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

    /// Test checkups with only the fields of a list, newest first.
    struct Listed(Vec<RunSummary>);

    impl Store for Listed {
        fn save_all(&self, _: &[Report]) -> Result<(), StoreError> {
            unreachable!("nothing is saved here")
        }

        fn load_all(&self, _: &[&str]) -> Result<Vec<Report>, StoreError> {
            unreachable!("nothing is loaded here")
        }

        fn find(&self, query: &Query) -> Result<Vec<RunSummary>, StoreError> {
            Ok(query.select(self.0.clone()))
        }

        fn figures(&self, _: &[&str]) -> Result<Vec<RunFigures>, StoreError> {
            unreachable!("no figure is asked for here")
        }

        fn remove(&self, _: &[&str]) -> Result<(), StoreError> {
            unreachable!("nothing is removed here")
        }

        fn drives(&self, _: &DriveQuery) -> Result<Vec<DriveSummary>, StoreError> {
            unreachable!("no drive is asked for here")
        }

        fn count_drives(&self, _: &DriveQuery) -> Result<u64, StoreError> {
            unreachable!("no drive is asked for here")
        }

        fn join_drives(&self, _: &str, _: &str) -> Result<(), StoreError> {
            unreachable!("nothing is joined here")
        }

        fn separate_drive(&self, _: &str) -> Result<(), StoreError> {
            unreachable!("nothing is joined here")
        }

        fn joined_drives(&self) -> Result<Vec<(String, String)>, StoreError> {
            unreachable!("nothing is joined here")
        }

        fn arrivals(&self, _: Option<u64>, _: u64) -> Result<Vec<Arrival>, StoreError> {
            unreachable!("nothing arrives here")
        }

        fn drive_of(&self, _: &str) -> Result<Option<String>, StoreError> {
            unreachable!("no drive is asked for here")
        }

        fn access(&self) -> &dyn Access {
            unreachable!("no server is here")
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
    fn selectors_name_checkups() {
        let runs = runs();
        for (selector, expected) in [
            ("@last", &["20261122-b"][..]),
            ("@last~2", &["20261010-a"]),
            ("microsd", &["20261122-b", "20261122-a"]),
            ("label:2026", &["20260101-z"]),
            ("MicroSD", &["20261122-b", "20261122-a"]),
            ("20261122", &["20261122-b", "20261122-a"]),
            ("20261122-a", &["20261122-a"]),
            ("202610", &["20261010-a"]),
            ("tag:Board=pi 5", &["20261122-b", "20261010-a"]),
            ("drive:s4ew", &["20261010-a"]),
            ("drive:SD64G", &["20261122-b", "20261122-a", "20261010-a", "20260101-z"]),
        ] {
            let found = select(selector, &runs).unwrap();
            let found: Vec<&str> = found.iter().map(|run| run.id.as_str()).collect();
            assert_eq!(found, expected, "{selector}");
        }
    }

    #[test]
    fn ambiguous_selectors_list_the_candidates() {
        let runs = runs();
        let ambiguous = |selector: &str, candidates: &[&str]| {
            let candidates = Parameter::all(candidates.iter().copied());
            message!("select-ambiguous", selector, candidates)
        };
        let no = |reason: Message, hint: Message| message!("select-nothing", reason, hint);
        let nothing = |reason: Message| no(reason, message!("select-nothing.list"));
        let word = |selector: &str| message!("select-nothing.word", selector);
        let meant = |meant: &str| message!("name-meant", meant);
        let malformed = |selector: &str, reason: Message| message!("select-malformed", selector, reason);
        for (selector, expected) in [
            (
                "2026",
                ambiguous("2026", &["20261122-b", "20261122-a", "20261010-a", "20260101-z", "label:2026"]),
            ),
            ("nvme", nothing(word("nvme"))),
            ("", nothing(word(""))),
            ("microsb", no(word("microsb"), meant("microsd"))),
            ("@lst", no(word("@lst"), meant("@last"))),
            ("@last~9", no(message!("select-nothing.few", checkups = 4_u32), meant("@last"))),
            ("@lastly", malformed("@lastly", message!("select-malformed.last"))),
            ("tag:board", malformed("tag:board", message!("select-malformed.tag"))),
            (
                "tag:board=Pi",
                no(message!("select-nothing.tag", name = "board", tag = "Pi"), meant("board=Pi 5")),
            ),
            ("label:x", nothing(message!("select-nothing.label", label = "x"))),
            ("drive:x", nothing(message!("select-nothing.drive", drive = "x"))),
            ("drive:S4EV", no(message!("select-nothing.drive", drive = "S4EV"), meant("S4EW"))),
        ] {
            assert_eq!(select(selector, &runs).unwrap_err().message(), expected, "{selector}");
        }
        for selector in ["@last", "ssd", "label:ssd"] {
            assert!(matches!(select(selector, &Listed(Vec::new())), Err(SelectError::Empty)), "{selector}");
        }
    }
}
