//! What senders send to a team's server.

use std::cell::LazyCell;
use std::io::Write;

use cardiograph_core::Report;
use cardiograph_serve::sent_report;
use cardiograph_store::{Saved, SqliteStore, Store};
use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

thread_local! {
    /// A store that is empty between two inputs, and its place.
    static STORE: LazyCell<(SqliteStore, TempDir)> = LazyCell::new(|| {
        let directory = tempfile::tempdir().expect("there is room");
        (SqliteStore::new(&directory.path().join("drives.db")), directory)
    });
}

/// Reads a body as packed and as plain: packed by us, it has the same Report or the same problem. A Report is saved whole, once,
/// and nobody else replaces it.
pub fn takes(body: &[u8]) {
    if let Ok(report) = sent_report(body, true) {
        saves(&report);
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(body).expect("memory takes all");
    let plain = sent_report(body, false);
    assert_eq!(plain, sent_report(&packed.finish().expect("memory takes all"), true));
    if let Ok(report) = plain {
        saves(&report);
    }
}

fn saves(report: &Report) {
    STORE.with(|store| {
        let access = store.0.access();
        assert_eq!(access.save_from(report, "sender").expect("it is valid"), Saved::New);
        assert_eq!(store.0.load(&report.id).expect("it was saved"), *report);
        assert_eq!(access.save_from(report, "sender").expect("it is the same"), Saved::Same);
        let mut other = report.clone();
        other.suite.push('2');
        assert!(access.save_from(&other, "another").is_err(), "it was the sender's");
        store.0.remove(&[&report.id]).expect("it is there");
    });
}
