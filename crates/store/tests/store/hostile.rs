//! Malicious stores lead to an error quickly and in little memory; content that makes no sense is not damage.

use std::fs;
use std::path::Path;

use cardiograph_core::message;
use cardiograph_store::{Query, Remark, SqliteStore, Store, StoreError};
use miniz_oxide::deflate::compress_to_vec_zlib;
use rusqlite::{Connection, params};

use cardiograph_testing::reports;

/// A store of three checkups, altered by SQL.
fn crafted(directory: &Path, sql: &str) -> SqliteStore {
    let file = directory.join("drives.db");
    let reports: Vec<_> = (0..3).map(|n| reports::finished(&format!("r{n}"), 1 + n, 2)).collect();
    SqliteStore::new(&file).save_all(&reports).unwrap();
    let connection = Connection::open(&file).unwrap();
    connection.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    SqliteStore::new(file)
}

const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";

#[test]
fn a_foreign_schema_is_not_run() {
    let columns = "i AS number, 'r' || i AS id, 1 AS started_unix_ms, 1 AS sorted_unix_ms, 'quick' AS suite, 'finished' AS state, \
                   NULL AS label, NULL AS host, '' AS path, '' AS models, '' AS drive_ids, '' AS tags, NULL AS \
                   capacity_bytes, 0 AS steps, 0 AS digest";
    let cases = [
        ("a view", format!("DROP TABLE run; CREATE VIEW run AS {ENDLESS} SELECT {columns} FROM n")),
        (
            "a head",
            format!(
                "DROP TABLE run_head; CREATE VIEW run_head AS {ENDLESS} SELECT i AS run, '{{}}' AS facts, '{{}}' AS measurements, x'' AS body, 0 AS steps, 0 AS digest FROM n"
            ),
        ),
        (
            "a trigger",
            format!(
                "CREATE TRIGGER t AFTER INSERT ON run BEGIN INSERT INTO run_drive {ENDLESS} SELECT i, 'x' FROM n; END"
            ),
        ),
        ("an index", "CREATE INDEX strange ON run (abs(number))".to_string()),
        ("no table", "DROP TABLE figure".to_string()),
        ("another table", "DROP TABLE figure; CREATE TABLE figure (run, step, part)".to_string()),
    ];
    for (name, sql) in cases {
        let directory = tempfile::tempdir().unwrap();
        let store = crafted(directory.path(), &sql);
        let error = store.find(&Query::default()).unwrap_err();
        assert!(matches!(error, StoreError::DamagedStore { .. }), "{name}: {error}");
        let error = store.try_save(&reports::finished("new", 1, 1)).unwrap_err();
        assert!(matches!(error, StoreError::DamagedStore { .. }), "{name}: {error}");
        assert!(store.repair().unwrap().is_some(), "{name}");
        store.save(&reports::finished("new", 1, 1)).unwrap();
        assert_eq!(store.load("new").unwrap().steps.len(), 1, "{name}");
    }
}

#[test]
fn a_decompressed_stream_is_bounded() {
    let directory = tempfile::tempdir().unwrap();
    let store = crafted(directory.path(), "");
    let bomb = compress_to_vec_zlib(&vec![b' '; 140 << 20], 1);
    let connection = Connection::open(store.place()).unwrap();
    connection.execute("UPDATE step SET body = ?1 WHERE run = 1 AND number = 0", params![bomb]).unwrap();
    drop(connection);
    assert!(matches!(store.load("r0"), Err(StoreError::DamagedStore { .. })));
    assert_eq!(store.load("r1").unwrap().steps.len(), 2);
    let mended = store.repair().unwrap().unwrap();
    assert_eq!((mended.saved, mended.lost.len(), mended.lost_steps), (3, 0, 1));
    assert_eq!(store.load("r0").unwrap().steps.len(), 1);
}

#[test]
fn content_that_makes_no_sense_is_not_damage() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::new(directory.path().join("drives.db"));
    let mut strange = reports::finished("strange", 5, 2);
    for figure in &mut strange.steps[0].imported.as_mut().unwrap().figures {
        if let cardiograph_core::quantity::Quantity::Latency(_, statistic) = &mut figure.quantity {
            *statistic = cardiograph_core::quantity::Statistic::Percentile(-1.0);
        }
    }
    store.save_all(&[strange, reports::finished("other", 6, 1)]).unwrap();
    // Closing merges the log into it.
    let file = store.place().to_path_buf();
    drop(store);
    let before = fs::read(&file).unwrap();
    let store = SqliteStore::new(&file);
    assert_eq!(store.find(&Query::default()).unwrap().len(), 2);
    let runs = store.figures(&["strange", "other"]).unwrap();
    assert_eq!(runs.len(), 1, "the other is shown");
    let remarks = store.remarks();
    let [Remark::LeftOut { error: StoreError::Unreadable { id, .. } }] = &remarks[..] else {
        panic!("{remarks:?}")
    };
    assert_eq!(id, "strange");
    assert!(matches!(store.figures(&["strange"]), Err(StoreError::Unreadable { .. })));
    assert!(store.repair().unwrap().is_none());
    assert!(fs::read(&file).unwrap() == before);
    store.remove(&["strange"]).unwrap();
    assert_eq!(store.figures(&["other"]).unwrap().len(), 1);
    assert!(store.remarks().is_empty());
}

#[test]
fn a_path_that_is_not_a_file_is_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("dir")).unwrap();
    let not_a_file = |name: &str, is_directory| match (directory.path().join(name), is_directory) {
        (path, true) => message!("store-not-a-file.directory", path = &path),
        (path, false) => message!("store-not-a-file.device", path = &path),
    };
    for (name, is_directory) in [("/dev/full", false), ("/dev/null", false), ("dir", true)] {
        let store = SqliteStore::new(directory.path().join(name));
        let report = reports::finished("a", 1, 1);
        for failed in
            [store.find(&Query::default()).map(drop), store.try_save(&report), store.repair().map(drop)]
        {
            assert_eq!(failed.unwrap_err().message(), not_a_file(name, is_directory));
        }
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing is made beside it");
}

#[test]
fn a_log_without_its_store_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("drives.db-wal");
    fs::write(&log, "the last checkup").unwrap();
    let store = SqliteStore::new(directory.path().join("drives.db"));
    let error = store.save(&reports::finished("a", 1, 1)).unwrap_err();
    assert!(matches!(error, StoreError::LogAlone { .. }), "{error}");
    assert_eq!(fs::read(&log).unwrap(), b"the last checkup");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn reports_set_aside_are_imported_later() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("drives.db");
    let store = SqliteStore::new(&file);
    let (early, late) = (reports::finished("a", 1, 1), reports::finished("a", 1, 3));
    store.save(&early).unwrap();
    store.set_aside(&late).unwrap();
    drop(store);
    let store = SqliteStore::new(&file);
    assert_eq!(store.load("a").unwrap(), late);
    assert!(matches!(&store.remarks()[..], [Remark::TookUnsaved { reports: 1 }]));
    let names = || {
        fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()
    };
    assert!(!names().contains(&"drives.db.unsaved".into()), "{:?}", names());
    // A Report that was saved later is not replaced by the one set aside before.
    store.set_aside(&early).unwrap();
    store.save(&late).unwrap();
    assert_eq!(SqliteStore::new(&file).load("a").unwrap(), late);
}
