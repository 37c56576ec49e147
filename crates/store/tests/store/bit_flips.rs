//! A bit tips over somewhere in the file, as it does on worn cards: what is told afterwards is what was kept, or it is told
//! that it is not.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cardiograph_core::Report;
use cardiograph_core::rng::Rng;
use cardiograph_core::summary::RunSummary;
use cardiograph_judge::record::RunFigures;
use cardiograph_store::{Mended, Query, Remark, Saved, SqliteStore, Store, StoreError};

use crate::common;

fn reports() -> Vec<Report> {
    let report = |number: u64| {
        // The last has no date, as a simulated one.
        let started_ms = if number == 5 { 0 } else { 1_795_348_800_000 + number * 86_400_000 };
        let mut report = common::finished(&format!("2026112{number}-120000-a"), started_ms, 3);
        report.label = Some(format!("card-{number}"));
        report.tags.insert("board".to_string(), "Pi 5".to_string());
        report
    };
    (0..6).map(report).collect()
}

/// The Reports that were kept, by id.
struct Kept(BTreeMap<String, Report>);

impl Kept {
    fn new() -> Self {
        Self(reports().into_iter().map(|report| (report.id.clone(), report)).collect())
    }

    /// A Report that was read: the one that was kept, or what could be saved of it, which says what it lacks.
    fn holds(&self, found: &Report, is_repaired: bool) -> bool {
        let Some(kept) = self.0.get(&found.id) else { return false };
        let lost = found.notes.len() - kept.notes.len();
        let mut rest = kept.steps.iter();
        let steps_stand = found.steps.iter().all(|step| rest.any(|kept| kept == step));
        let mut without = found.clone();
        (without.steps, without.notes) = (kept.steps.clone(), kept.notes.clone());
        without == *kept
            && steps_stand
            && found.steps.len() + lost == kept.steps.len()
            && (is_repaired || lost == 0)
    }
}

/// What came of a store, for the sum of all.
#[derive(Debug, Default)]
struct Sum {
    same: usize,
    repaired: usize,
    reports: usize,
    refused: usize,
    /// Damaged where nobody had read.
    unseen: usize,
}

/// Reads all there is in `file`, first as `begin` says, and compares.
fn look_at(file: &Path, begin: usize, kept: &Kept, sum: &mut Sum) {
    let before = fs::read(file).unwrap();
    let store = SqliteStore::new(file);
    let ids: Vec<&str> = kept.0.keys().map(String::as_str).collect();
    let mut remarks = Vec::new();
    let mut refused = false;
    for turn in begin..begin + 4 {
        match turn % 3 {
            // Every checkup has this tag; it is looked for where it stands.
            0 => match store.find(&Query { tags: vec![("board".into(), "Pi 5".into())], ..Query::default() })
            {
                Ok(runs) => {
                    remarks.extend(store.remarks());
                    let is_repaired = !remarks.is_empty();
                    assert!(is_repaired || runs.len() == ids.len(), "a checkup is missing: {runs:#?}");
                    for run in runs {
                        // What was saved of it is told as it was saved.
                        let whole = if is_repaired { store.load(&run.id).ok() } else { None };
                        let expected = whole.as_ref().or(kept.0.get(run.id.as_str())).map(RunSummary::of);
                        assert_eq!(Some(run), expected);
                    }
                }
                Err(_) => refused = true,
            },
            1 => {
                for id in &ids {
                    let found = store.load(id);
                    remarks.extend(store.remarks());
                    match found {
                        Ok(found) => assert!(kept.holds(&found, !remarks.is_empty()), "{found:#?}"),
                        Err(_) => refused = true,
                    }
                }
            }
            _ => {
                for id in &ids {
                    let found = store.figures(&[id]);
                    remarks.extend(store.remarks());
                    match found {
                        Ok(found) if remarks.is_empty() => assert_eq!(found, [RunFigures::of(&kept.0[*id])]),
                        Ok(found) => assert_eq!(found, [RunFigures::of(&store.load(id).unwrap())]),
                        Err(_) => refused = true,
                    }
                }
            }
        }
    }
    assert!(remarks.len() <= 1, "it is read once and for all: {remarks:?}");
    drop(store);
    assert!(fs::read(file).unwrap() == before, "reading changes nothing");
    let store = SqliteStore::new(file);
    let mended = match store.repair() {
        Ok(mended) => mended,
        Err(StoreError::NotAStore { .. }) if refused => {
            sum.refused += 1;
            return;
        }
        Err(error) => panic!("{error}"),
    };
    match (&remarks[..], mended) {
        ([Remark::Damaged { saved, .. }], Some(Mended { aside, saved: again })) => {
            assert_eq!(*saved, again);
            assert!(fs::read(aside).unwrap() == before, "the copy is what was there");
            sum.repaired += 1;
            sum.reports += saved.reports;
        }
        // What was not read may be damaged.
        ([], Some(_)) => sum.unseen += 1,
        ([], None) => sum.same += 1,
        other => panic!("{other:?}"),
    }
    for run in store.find(&Query::default()).unwrap() {
        let found = store.load(&run.id).unwrap();
        assert!(kept.holds(&found, true), "{found:#?}");
        assert_eq!(store.figures(&[&run.id]).unwrap(), [RunFigures::of(&found)]);
    }
    assert!(store.remarks().is_empty() && store.repair().unwrap().is_none(), "once and for all");
}

#[test]
fn a_bit_that_tips_never_makes_another_figure() {
    let flips = cardiograph_testing::of_proof(50, 3_000);
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

/// Tips the lowest bit of `byte` behind the first `text` of the file.
fn tip(file: &Path, text: &str, byte: usize) {
    let mut bytes = fs::read(file).unwrap();
    let at = bytes.windows(text.len()).position(|window| window == text.as_bytes()).expect("it is there");
    bytes[at + byte] ^= 1;
    fs::write(file, bytes).unwrap();
}

#[test]
fn a_word_that_means_nothing_any_more_is_damage() {
    for (text, byte) in [
        ("finished", 0),
        ("completion_p99.9", 2),
        ("longest_stall", 12),
        ("card-2", 5),
        ("board=Pi 5", 9),
        ("half of it", 3),
        ("{\"tool\":\"fio\"", 1),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("drives.db");
        SqliteStore::new(&file).save_all(&reports()).unwrap();
        tip(&file, text, byte);
        let store = SqliteStore::new(&file);
        let kept = Kept::new();
        let runs = store.find(&Query::default()).unwrap();
        assert_eq!(runs.len(), kept.0.len(), "{text}");
        for run in &runs {
            assert_eq!(*run, RunSummary::of(&kept.0[run.id.as_str()]), "{text}");
            assert_eq!(
                store.figures(&[&run.id]).unwrap(),
                [RunFigures::of(&kept.0[run.id.as_str()])],
                "{text}"
            );
            assert_eq!(store.load(&run.id).unwrap(), kept.0[run.id.as_str()], "{text}");
        }
        let remarks = store.remarks();
        let [Remark::Damaged { saved: Saved { reports: 6, lost: 0, .. }, .. }] = &remarks[..] else {
            panic!("{text}: {remarks:?}")
        };
        let error = store.save(&common::finished("new", 9, 1)).unwrap_err();
        assert!(matches!(error, StoreError::DamagedStore { .. }), "{text}: {error}");
        assert!(error.to_string().contains("cardiograph store repair"), "{error}");
        // Once and for all.
        assert_eq!(store.repair().unwrap().unwrap().saved.reports, 6, "{text}");
        let again = SqliteStore::new(&file);
        assert_eq!(again.find(&Query::default()).unwrap(), runs, "{text}");
        assert!(again.remarks().is_empty());
    }
}

/// Where the schema stands: the first page, behind the header.
const SCHEMA: std::ops::Range<usize> = 100..4_096;

/// Damages the schema of a store of six Reports as `damage` says; all of them have to be there.
fn loses_nothing(name: &str, damage: impl Fn(&mut [u8])) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("drives.db");
    SqliteStore::new(&file).save_all(&reports()).unwrap();
    let mut bytes = fs::read(&file).unwrap();
    damage(&mut bytes[SCHEMA]);
    fs::write(&file, bytes).unwrap();
    let kept = Kept::new();
    let store = SqliteStore::new(&file);
    assert_eq!(store.find(&Query::default()).unwrap().len(), kept.0.len(), "{name}");
    let is_damaged = !store.remarks().is_empty();
    assert!(store.repair().unwrap().is_some() || !is_damaged, "{name}");
    for (id, report) in &kept.0 {
        assert_eq!(store.load(id).unwrap(), *report, "{name}");
        assert_eq!(store.figures(&[id]).unwrap(), [RunFigures::of(report)], "{name}");
    }
    let names = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = names
        .filter(|name| {
            name.to_string_lossy().contains("-copy") || name.to_string_lossy().ends_with("-journal")
        })
        .collect();
    assert!(left.is_empty(), "{name}: {left:?}");
}

#[test]
fn a_damaged_schema_loses_nothing() {
    let mut rng = Rng::new(12);
    for _ in 0..cardiograph_testing::of_proof(25, 4_000) {
        let bit = rng.below(SCHEMA.len() as u64 * 8) as usize;
        loses_nothing(&format!("bit {bit}"), |schema| schema[bit / 8] ^= 1 << (bit % 8));
    }
    loses_nothing("zeroes", |schema| schema.fill(0));
    loses_nothing("noise", |schema| schema.fill_with(|| Rng::new(5).below(256) as u8));
}

#[test]
fn a_report_of_a_later_version_is_no_damage() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("drives.db");
    let store = SqliteStore::new(&file);
    let later = Report { report_version: 1_000, ..common::finished("later", 1, 2) };
    store.save_all(&[later, common::finished("now", 2, 2)]).unwrap();
    assert!(matches!(store.load("later"), Err(StoreError::TooNew { found: 1_000, .. })));
    assert_eq!(store.load("now").unwrap().steps.len(), 2);
    assert_eq!(store.find(&Query::default()).unwrap().len(), 2);
    assert!(store.remarks().is_empty());
}
