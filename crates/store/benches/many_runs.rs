//! A store of 100,000 checkups: how fast they are saved, and how long a list, a filter and a comparison take.
//!
//! `cargo bench -p cardiograph-store`. Limits that a busy machine may miss are printed next to the times, not
//! asserted.

use std::time::Instant;

use cardiograph_core::Report;
use cardiograph_store::select::select;
use cardiograph_store::{Query, SqliteStore, Store};
use cardiograph_testing::reports;

const RUNS: u64 = 100_000;
const AT_ONCE: u64 = 1_000;
const DAY_MS: u64 = 86_400_000;

/// A checkup without series: 6 steps with 12 figures each.
fn report(number: u64) -> Report {
    let mut report = reports::report(&format!("2026-{number:06}"), 1_700_000_000_000 + number * DAY_MS / 100);
    report.label = Some(format!("drive-{}", number % 500));
    report.tags.insert("board".to_string(), ["Pi 4", "Pi 5", "NAS"][(number % 3) as usize].to_string());
    report.drive.leaves[0].serial = Some(format!("serial-{}", number % 2_000));
    for at in 0..6 {
        let mut step = reports::step(at, number * 7 + at as u64, 0);
        let imported = step.imported.as_mut().expect("it is one");
        (imported.series, imported.latency) = (None, Default::default());
        let figures = imported.figures.clone();
        imported.figures = (0..4).flat_map(|_| figures.clone()).collect();
        report.steps.push(step);
    }
    report
}

fn time<T>(what: &str, bound_ms: f64, mut work: impl FnMut() -> T) {
    let mut times: Vec<f64> = (0..7)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(work());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{what:<44} {:>8.1} ms  (wanted: under {bound_ms} ms)", times[3]);
}

/// A lower bound for listing: reads each row and its texts without building anything from them.
fn rows_alone(file: &std::path::Path) -> usize {
    const ROWS: &str = "SELECT id, started_unix_ms, suite, state, label, host, path, models, drive_ids, tags, \
         capacity_bytes, steps FROM run ORDER BY sorted_unix_ms DESC, number DESC";
    let connection = rusqlite::Connection::open(file).expect("it is there");
    let mut statement = connection.prepare(ROWS).expect("it is a statement");
    let columns = statement.column_count();
    let mut rows = statement.query([]).expect("it has rows");
    let mut len = 0;
    while let Some(row) = rows.next().expect("it can be read") {
        let texts = (0..columns).filter_map(|at| row.get_ref(at).ok()?.as_str().ok());
        len += texts.map(str::len).sum::<usize>();
    }
    len
}

fn main() {
    let directory = cardiograph_testing::disk_dir();
    let file = directory.path().join("drives.db");
    let store = SqliteStore::new(&file);
    let mut spent = 0.0;
    for begin in (0..RUNS).step_by(AT_ONCE as usize) {
        let reports: Vec<Report> = (begin..begin + AT_ONCE).map(report).collect();
        let start = Instant::now();
        store.save_all(&reports).expect("there is room");
        spent += start.elapsed().as_secs_f64();
    }
    println!("{:<44} {:>8.0} a second  (wanted: over 1000)", "import", RUNS as f64 / spent);
    drop(store);
    let len = std::fs::metadata(&file).map_or(0, |metadata| metadata.len());
    println!("{:<44} {:>8} bytes a checkup", "file", len / RUNS);
    let open = || SqliteStore::new(&file);
    time("list all", 100.0, || open().find(&Query::default()).map(|runs| runs.len()));
    time("  the same rows, looked at by SQLite alone", 100.0, || rows_alone(&file));
    let newest = Query { limit: Some(50), ..Query::default() };
    time("list the newest 50", 100.0, || open().find(&newest).map(|runs| runs.len()));
    let filters = Query {
        tags: vec![("board".to_string(), "Pi 5".to_string())],
        drive: Some("serial-77".to_string()),
        since_unix_ms: Some(1_710_000_000_000),
        ..Query::default()
    };
    time("filter by tag, drive and date", 100.0, || open().find(&filters).map(|runs| runs.len()));
    let suite = Query { suite: Some("cliff".to_string()), host: Some("pi5".to_string()), ..Query::default() };
    time("filter by suite and host", 100.0, || open().find(&suite).map(|runs| runs.len()));
    let compare = || {
        let store = open();
        ["@last", "@last~1"].map(|selector| {
            let runs = select(selector, &store).expect("it is there");
            let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
            store.figures(&ids).expect("they are there").len()
        })
    };
    time("figures of two checkups", 100.0, compare);
    let labels = || {
        let store = open();
        ["drive-3", "drive-4"].map(|label| {
            let runs = select(label, &store).expect("it is there");
            let ids: Vec<&str> = runs.iter().take(5).map(|run| run.id.as_str()).collect();
            store.figures(&ids).expect("they are there").len()
        })
    };
    time("figures of five checkups of two labels each", 100.0, labels);
    let many = || {
        let store = open();
        let runs = store.find(&Query { limit: Some(2_000), ..Query::default() }).expect("they are there");
        let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
        store.figures(&ids).expect("they are there").len()
    };
    time("figures of the newest 2,000 checkups", 1_000.0, many);
}
