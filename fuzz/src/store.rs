//! Damaged or malicious stores.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use cardiograph_core::Report;
use cardiograph_store::{Query, SqliteStore, Store, StoreError};
use rusqlite::Connection;

/// A store of three checkups.
static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let directory = tempfile::tempdir().expect("there is room");
    let file = directory.path().join("drives.db");
    let reports: Vec<Report> =
        (0..3).map(|number| Report::new(&format!("r{number}"), 1 + number, "p", "quick")).collect();
    SqliteStore::new(&file).save_all(&reports).expect("it is new");
    fs::read(&file).expect("it is there")
});

/// If the first byte is even, the rest is SQL that is run on the store; otherwise the bytes are patches: an offset of four bytes,
/// and a value of two.
fn craft(file: &Path, content: &[u8]) {
    let (&kind, rest) = content.split_first().unwrap_or((&1, &[]));
    let mut bytes = WHOLE.clone();
    if kind % 2 == 1 {
        for patch in rest.chunks_exact(6) {
            let at =
                u32::from_le_bytes([patch[0], patch[1], patch[2], patch[3]]) as usize % (bytes.len() - 1);
            bytes[at..at + 2].copy_from_slice(&patch[4..]);
        }
        bytes.truncate(bytes.len() - usize::from(kind / 2) * 37 % bytes.len());
    }
    fs::write(file, bytes).expect("there is room");
    if kind % 2 == 0 {
        let mut connection = Connection::open(file).expect("it is whole");
        let mut looks = 0;
        let is_over = move || {
            looks += 1;
            looks > 200
        };
        connection.progress_handler(10_000, Some(is_over)).expect("SQLite takes one");
        let _ = connection.execute_batch("PRAGMA writable_schema = ON");
        for statement in String::from_utf8_lossy(rest).split_inclusive(';') {
            // No other files.
            let is_other =
                ["attach", "vacuum"].iter().any(|word| statement.to_ascii_lowercase().contains(word));
            let _ = if is_other { Ok(()) } else { connection.execute_batch(statement) };
        }
    }
}

/// Uses it like the program.
pub fn survives(content: &[u8]) {
    let directory = tempfile::tempdir().expect("there is room");
    let file = directory.path().join("drives.db");
    craft(&file, content);
    let before = fs::read(&file).expect("it is there");
    let store = SqliteStore::new(&file).in_our_place();
    read(&store);
    let is_damaged = matches!(store.find(&Query::default()), Err(StoreError::DamagedStore { .. }));
    drop(store);
    assert!(!is_damaged || fs::read(&file).expect("it is there") == before, "reading changes nothing");
    let store = SqliteStore::new(&file).in_our_place();
    if store.repair().is_ok() {
        read(&store);
        let report = Report::new("new", 9, "p", "quick");
        if store.save(&report).is_ok() {
            assert_eq!(store.load("new").expect("it was saved"), report);
            store.remove(&["new"]).expect("it is there");
        }
    }
}

fn read(store: &SqliteStore) {
    let runs = store.find(&Query::default()).unwrap_or_default();
    for run in runs.iter().take(10) {
        let _ = store.load(&run.id);
    }
    let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
    let _ = store.figures(&ids);
}
