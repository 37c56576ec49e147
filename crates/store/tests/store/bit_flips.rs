//! A bit flips somewhere in the file, as on worn cards: either everything read afterwards matches what was saved, or
//! the store is reported as damaged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cardiograph_core::rng::Rng;
use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Message, Report};
use cardiograph_judge::record::RunFigures;
use cardiograph_store::{Query, SqliteStore, Store, StoreError};

use cardiograph_testing::reports;

fn reports() -> Vec<Report> {
    let report = |number: u64| {
        // The last has no date, like a simulated one.
        let started_ms = if number == 5 { 0 } else { 1_795_348_800_000 + number * 86_400_000 };
        let mut report = reports::finished(&format!("2026112{number}-120000-a"), started_ms, 3);
        report.label = Some(format!("card-{number}"));
        report.tags.insert("board".to_string(), "Pi 5".to_string());
        report
    };
    (0..6).map(report).collect()
}

/// The saved Reports, by id.
struct Kept(BTreeMap<String, Report>);

impl Kept {
    fn new() -> Self {
        Self(reports().into_iter().map(|report| (report.id.clone(), report)).collect())
    }

    /// Whether a repaired store's Report equals the saved one, or is its readable part with a note of what is
    /// missing.
    fn holds(&self, found: &Report) -> bool {
        let Some(kept) = self.0.get(&found.id) else { return false };
        let lost = found.notes.len() - kept.notes.len();
        let mut rest = kept.steps.iter();
        let steps_stand = found.steps.iter().all(|step| rest.any(|kept| kept == step));
        let mut without = found.clone();
        (without.steps, without.notes) = (kept.steps.clone(), kept.notes.clone());
        without == *kept && steps_stand && found.steps.len() + lost == kept.steps.len()
    }
}

/// Totals over all stores.
#[derive(Debug, Default)]
struct Sum {
    same: usize,
    repaired: usize,
    /// Reports still readable.
    reports: usize,
    /// Those, and the ones reported as lost.
    listed: usize,
    refused: usize,
    /// Damage in parts that nothing had read.
    unseen: usize,
}

/// The value that was read, unless the store was found to be damaged, or the id missing from the index of ids.
fn unless_damaged<T>(read: Result<T, StoreError>, refused: &mut bool) -> Option<T> {
    match read {
        Ok(read) => Some(read),
        Err(StoreError::DamagedStore { .. } | StoreError::NotAStore { .. } | StoreError::NotFound { .. }) => {
            *refused = true;
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Reads everything in `file`, starting with the read that `begin` selects, and compares.
fn look_at(file: &Path, begin: usize, kept: &Kept, sum: &mut Sum) {
    let before = fs::read(file).unwrap();
    let store = SqliteStore::new(file);
    let mut refused = false;
    for turn in begin..begin + 4 {
        if turn % 3 == 0 {
            // Every checkup has this tag; it is searched by scanning.
            let board = Query { tags: vec![("board".into(), "Pi 5".into())], ..Query::default() };
            if let Some(runs) = unless_damaged(store.find(&board), &mut refused) {
                assert_eq!(runs.len(), kept.0.len(), "a checkup is missing: {runs:#?}");
                for run in runs {
                    assert_eq!(run, RunSummary::from_report(&kept.0[run.id.as_str()]));
                }
            }
        }
        for (id, report) in &kept.0 {
            if turn % 3 == 1 {
                let found = unless_damaged(store.load(id), &mut refused);
                assert!(found.is_none_or(|found| found == *report), "{id}");
            } else if turn % 3 == 2 {
                let found = unless_damaged(store.figures(&[id]), &mut refused);
                let mut expected = [RunFigures::from_report(report)];
                assert!(found.is_none_or(|found| found == expected), "{id}");
                let found = unless_damaged(store.deciding_figures(&[id]), &mut refused);
                expected[0].tests.iter_mut().for_each(|test| {
                    (test.title, test.figures) = (Message::verbatim(""), Vec::new());
                });
                assert!(found.is_none_or(|found| found == expected), "{id}");
            }
        }
    }
    assert!(store.remarks().is_empty());
    drop(store);
    assert!(fs::read(file).unwrap() == before, "reading changes nothing");
    let store = SqliteStore::new(file);
    match store.repair() {
        Ok(Some(mended)) => {
            assert!(fs::read(mended.aside).unwrap() == before, "the copy is what was there");
            assert_eq!(store.find(&Query::default()).unwrap().len(), mended.saved);
            assert!(mended.lost.len() <= kept.0.len() - mended.saved, "{:?}", mended.lost);
            // Parts that were not read may be damaged.
            sum.unseen += usize::from(!refused);
            sum.repaired += 1;
            sum.reports += mended.saved;
            sum.listed += mended.saved + mended.lost.len();
        }
        Ok(None) if !refused => sum.same += 1,
        Err(StoreError::NotAStore { .. }) if refused => {
            sum.refused += 1;
            return;
        }
        other => panic!("{other:?}"),
    }
    for run in store.find(&Query::default()).unwrap() {
        let found = store.load(&run.id).unwrap();
        assert!(kept.holds(&found), "{found:#?}");
        assert_eq!(store.figures(&[&run.id]).unwrap(), [RunFigures::from_report(&found)]);
    }
    assert!(store.remarks().is_empty() && store.repair().unwrap().is_none(), "once and for all");
}

#[test]
fn a_flipped_bit_never_changes_a_figure() {
    let flips = cardiograph_testing::part_or_all(50, 3_000);
    let directory = tempfile::tempdir().unwrap();
    let first = directory.path().join("first.db");
    SqliteStore::new(&first).save_all(&reports()).unwrap();
    let bytes = fs::read(&first).unwrap();
    let kept = Kept::new();
    let mut rng = Rng::new(11);
    let mut sum = Sum::default();
    for flip in 0..flips {
        let bit = rng.below(bytes.len() as u64 * 8) as usize;
        let file = directory.path().join(format!("{flip}-bit-{bit}.db"));
        let mut tipped = bytes.clone();
        tipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&file, &tipped).unwrap();
        look_at(&file, flip, &kept, &mut sum);
    }
    println!("{sum:?}");
    assert!(sum.repaired > flips / 10, "too few mattered: {sum:?}");
    assert!(sum.reports * 10 > sum.repaired * kept.0.len() * 9, "too few were saved: {sum:?}");
}

/// Flips the lowest bit of the `byte`th byte after the first `text` in the file.
fn tip(file: &Path, text: &str, byte: usize) {
    let mut bytes = fs::read(file).unwrap();
    let at = bytes.windows(text.len()).position(|window| window == text.as_bytes()).expect("it is there");
    bytes[at + byte] ^= 1;
    fs::write(file, bytes).unwrap();
}

#[test]
fn a_word_made_meaningless_is_damage() {
    for (text, byte) in [
        ("finished", 0),
        ("completion_p99.9", 2),
        ("longest_stall", 12),
        ("card-2", 5),
        ("board=Pi 5", 9),
        ("{\"kind\":\"contradicted\"", 12),
        ("{\"tool\":\"fio\"", 1),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("drives.db");
        SqliteStore::new(&file).save_all(&reports()).unwrap();
        tip(&file, text, byte);
        let store = SqliteStore::new(&file);
        let kept = Kept::new();
        let mut is_damaged = false;
        unless_damaged(store.find(&Query::default()), &mut is_damaged);
        for (id, report) in &kept.0 {
            unless_damaged(store.figures(&[id]), &mut is_damaged);
            assert_eq!(store.load(id).unwrap(), *report, "{text}: the Report stands elsewhere");
        }
        assert!(is_damaged, "{text}");
        assert_eq!(store.repair().unwrap().unwrap().saved, 6, "{text}");
        let again = SqliteStore::new(&file);
        assert_eq!(again.find(&Query::default()).unwrap().len(), 6, "{text}");
        for (id, report) in &kept.0 {
            assert_eq!(again.load(id).unwrap(), *report, "{text}");
            assert_eq!(again.figures(&[id]).unwrap(), [RunFigures::from_report(report)], "{text}");
        }
    }
}

#[test]
fn a_report_of_a_later_version_is_not_damage() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("drives.db");
    let store = SqliteStore::new(&file);
    let later = Report { report_version: 1_000, ..reports::finished("later", 1, 2) };
    store.save_all(&[later, reports::finished("now", 2, 2)]).unwrap();
    assert!(matches!(store.load("later"), Err(StoreError::TooNew { found: 1_000, .. })));
    assert_eq!(store.load("now").unwrap().steps.len(), 2);
    assert_eq!(store.find(&Query::default()).unwrap().len(), 2);
    assert!(store.remarks().is_empty());
}

/// The index of heads is overwritten with that of steps: it leads to wrong heads, or to none.
#[test]
fn a_repair_reads_heads_missing_from_their_index() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("drives.db");
    let kept = Kept::new();
    let store = SqliteStore::new(&file);
    reports().iter().for_each(|report| store.save(report).unwrap());
    drop(store);
    let connection = rusqlite::Connection::open(&file).unwrap();
    let swap = "PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_step_1')
        WHERE name = 'sqlite_autoindex_run_head_1';";
    connection.execute_batch(swap).unwrap();
    drop(connection);
    let store = SqliteStore::new(&file);
    let mended = store.repair().unwrap().unwrap();
    assert_eq!((mended.saved, mended.lost_steps, mended.lost), (6, 0, Vec::new()));
    assert!(kept.0.keys().all(|id| kept.holds(&store.load(id).unwrap())));
}
