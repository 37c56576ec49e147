//! 10,000 drives with ten checkups each, in both databases: how fast `quick` Reports are saved, and how long lists of
//! drives and checkups take, as the time that 99 of 100 stay below.
//!
//! `cargo bench -p cardiograph-store --bench drives`. `CARDIOGRAPH_DRIVES=1000` is a smaller store.

use std::path::Path;
use std::time::Instant;

use cardiograph_core::Report;
use cardiograph_store::{DriveOrder, DriveQuery, Query, Store, open};
use cardiograph_testing::{postgres, reports};

const AT_ONCE: u64 = 500;
const DAY_MS: u64 = 86_400_000;

fn report(number: u64, drives: u64) -> Report {
    let mut report =
        reports::report(&format!("2026-{number:07}"), 1_700_000_000_000 + number * DAY_MS / 1_000);
    report.label = Some(format!("drive-{}", number % drives % 500));
    report.host.name = Some(format!("host-{}", number % 40));
    report.tags.insert("board".to_string(), ["Pi 4", "Pi 5", "NAS"][(number % 3) as usize].to_string());
    report.drive.leaves[0].serial = Some(format!("serial-{}", number % drives));
    report.steps = vec![reports::step(0, number, 0)];
    report
}

fn time<T>(what: &str, mut work: impl FnMut(u64) -> T) {
    let mut times: Vec<f64> = (0..100)
        .map(|number| {
            let start = Instant::now();
            std::hint::black_box(work(number * 97));
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("  {what:<44} {:>8.1} ms  (median {:.1}; wanted: p99 under 100)", times[98], times[50]);
}

fn measure(store: &dyn Store, drives: u64) {
    let start = Instant::now();
    for first in (0..drives * 10).step_by(AT_ONCE as usize) {
        let reports: Vec<Report> = (first..first + AT_ONCE).map(|number| report(number, drives)).collect();
        store.save_all(&reports).expect("there is room");
    }
    println!("  {:<44} {:>8.0} a second", "import", (drives * 10) as f64 / start.elapsed().as_secs_f64());
    // Six steps with windows, as `quick` has: each Report in its own transaction.
    let quick: Vec<Report> =
        (0..100).map(|number| reports::finished(&format!("quick-{number}"), 1, 6)).collect();
    let start = Instant::now();
    quick
        .iter()
        .for_each(|report| store.access().save_from(report, "bench").map(drop).expect("there is room"));
    println!("  {:<44} {:>8.0} a second", "save a quick Report", 100.0 / start.elapsed().as_secs_f64());

    let page =
        |query: DriveQuery| store.drives(&DriveQuery { limit: Some(60), ..query }).expect("it reads").len();
    let none = DriveQuery::default;
    time("drives, last seen first", |_| page(none()));
    time("drives, page 100, by name", |_| {
        page(DriveQuery { skip: 6_000, order: DriveOrder::Name, ..none() })
    });
    time("drives with a text", |n| page(DriveQuery { text: Some(format!("serial-{n}")), ..none() }));
    let tags = || vec![("board".to_string(), "Pi 5".to_string())];
    time("drives by host and tag", |n| {
        page(DriveQuery { host: Some(format!("host-{}", n % 40)), tags: tags(), ..none() })
    });
    time("number of drives with a text", |n| {
        store.count_drives(&DriveQuery { text: Some(format!("{n}")), ..none() })
    });
    let list = |query: Query| store.find(&Query { limit: Some(50), ..query }).expect("it reads").len();
    let none = Query::default;
    time("newest checkups", |_| list(none()));
    time("checkups after one", |n| list(Query { after: Some(format!("2026-{:07}", n)), ..none() }));
    let keys: Vec<String> = store
        .drives(&DriveQuery { limit: Some(100), ..DriveQuery::default() })
        .expect("it reads")
        .into_iter()
        .map(|drive| drive.key)
        .collect();
    time("checkups of a drive", |n| {
        list(Query { drive_key: Some(keys[n as usize % keys.len()].clone()), ..none() })
    });
    time("checkups by label", |n| list(Query { label: Some(format!("drive-{}", n % 500)), ..none() }));
    time("checkups by host, suite and date", |n| {
        let (host, suite) = (Some(format!("host-{}", n % 40)), Some("quick".to_string()));
        list(Query { host, suite, since_unix_ms: Some(1_700_500_000_000), ..none() })
    });
    time("checkups by tag and drive", |n| {
        list(Query { tags: tags(), drive: Some(format!("serial-{n}")), ..none() })
    });
}

fn main() {
    let drives =
        std::env::var("CARDIOGRAPH_DRIVES").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("it can be written");
    println!("SQLite, {drives} drives");
    measure(open(&directory.path().join("drives.db")).expect("it is a file").as_ref(), drives);
    match postgres::Database::new() {
        Ok(database) => {
            println!("PostgreSQL, {drives} drives");
            measure(open(Path::new(&database.url)).expect("it is an address").as_ref(), drives);
        }
        Err(reason) => println!("PostgreSQL: {reason}"),
    }
}
