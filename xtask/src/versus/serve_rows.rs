//! The server under load: many senders, lists of many checkups, viewers of one that runs, and nothing to do.

use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use cardiograph_core::{Direction, Report, json, units};
use cardiograph_store::{DriveQuery, Store, open};
use cardiograph_testing::postgres;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::rows::line;
use super::table::Line;
use super::{Setup, memory};
use crate::served::{ANY, Connection, Served};
use crate::workspace;

/// Drives, and checkups of each: with figures, and without any.
const DRIVES: u64 = 10_000;
const OF_DRIVE: u64 = 10;
const HEADS_OF_DRIVE: u64 = 100;
/// How many of the requested pages are lists.
const LISTS: usize = 4;
/// Checkups saved in one transaction.
const AT_ONCE: u64 = 500;
const DAY_MS: u64 = 86_400_000;
/// Requests of each kind.
const REQUESTS: usize = 200;
/// Time limit for 99 of 100 lists, in milliseconds.
const LIST_MS_MAX: f64 = 100.0;
/// Viewers of a running checkup, and how late they may see an event.
const VIEWERS: usize = 50;
const LATE_MS_MAX: f64 = 200.0;
/// How long it takes until all viewers are there.
const COMING_MAX: Duration = Duration::from_secs(2);
/// Reports that are sent at the lowest rate, and as many as fast as they are taken; by how many at once.
const SENT: usize = 1_000;
const SENDERS: usize = 50;
/// Reports per second, time limit for 99 of 100 in milliseconds, and the server's memory in bytes meanwhile.
const RATE_MIN: f64 = 20.0;
const SENT_MS_MAX: f64 = 1_000.0;
const SERVER_BYTES_MAX: u64 = 150_000_000;
/// After which time a server that nobody asks has released its memory.
const QUIET: Duration = Duration::from_secs(8);
const IDLE: Duration = Duration::from_secs(30);
const IDLE_BYTES_MAX: f64 = 40e6;
const IDLE_SHARE_MAX: f64 = 0.001;

/// Lists, pages and charts of 100,000 checkups with figures, in either database.
pub fn lists(setup: &Setup) -> Result<Vec<Line>, String> {
    of_either(setup, |name, place| of_store(setup, name, place, true))
}

/// Measures with a store in SQLite, and with one in PostgreSQL.
fn of_either(
    setup: &Setup,
    measure: impl Fn(&str, &Path) -> Result<Vec<Line>, String>,
) -> Result<Vec<Line>, String> {
    let directory = tempfile::tempdir_in(&setup.disk).map_err(|error| error.to_string())?;
    let mut lines = measure("SQLite", &directory.path().join("drives.db"))?;
    match postgres::Database::new() {
        Ok(database) => lines.extend(measure("PostgreSQL", Path::new(&database.url))?),
        Err(reason) => println!("  PostgreSQL is left out: {reason}"),
    }
    Ok(lines)
}

/// Lists of 1,000,000 checkups without figures in PostgreSQL.
pub fn heads(setup: &Setup) -> Result<Vec<Line>, String> {
    let database = postgres::Database::new()?;
    of_store(setup, "PostgreSQL", Path::new(&database.url), false)
}

fn of_store(setup: &Setup, name: &str, place: &Path, has_figures: bool) -> Result<Vec<Line>, String> {
    let store = open(place).map_err(|error| format!("{error:?}"))?;
    let started = Instant::now();
    let checkups = DRIVES * if has_figures { OF_DRIVE } else { HEADS_OF_DRIVE };
    fill(setup, store.as_ref(), checkups, has_figures)?;
    println!("  {name}: {checkups} checkups saved in {:.0?}", started.elapsed());
    let some = DriveQuery { limit: Some(500), ..DriveQuery::default() };
    let keys: Vec<String> = store
        .drives(&some)
        .map_err(|error| format!("{error:?}"))?
        .into_iter()
        .map(|drive| drive.key)
        .collect();
    drop(store);
    let served = Served::start(setup.program.path(), place, ANY)?;
    let key = |at: usize| &keys[at * 7 % keys.len()];
    let kinds: [(&'static str, &(dyn Fn(usize) -> String + Sync)); 8] = [
        ("home", &|at| format!("/?skip={}", at % 300 * 24)),
        ("home, by name", &|at| format!("/?order=name&skip={}", at * 41 % 9_900)),
        ("home, a text", &|at| format!("/?text=serial-{}", at * 97 % 9_973)),
        ("checkups", &|at| format!("/checkups?skip={}", at * 50)),
        ("a drive", &|at| format!("/drives/{}", key(at))),
        ("a trend", &|at| format!("/api/v1/drives/{}/trend?suite=quick&metric=random_write_iops", key(at))),
        ("compare two drives", &|at| format!("/compare?of=drive:{}&of=drive:{}", key(at), key(at + 1))),
        ("a report", &|at| format!("/checkups/{}", id(at as u64 * 37 % checkups))),
    ];
    let mut lines = Vec::new();
    // Lists come first; the others show figures.
    for (figure, path) in kinds.into_iter().take(if has_figures { usize::MAX } else { LISTS }) {
        let mut connection = served.connect()?;
        let mut ask = || -> Result<(f64, f64), String> {
            let mut times = Vec::new();
            for path in (0..REQUESTS).map(path) {
                let start = Instant::now();
                let answer = connection.get(&path)?;
                times.push(start.elapsed().as_secs_f64() * 1e3);
                if answer.status != 200 {
                    return Err(format!("{path}: {}", answer.status));
                }
            }
            Ok(percentiles(times))
        };
        // The first time, cards of drives are made and kept.
        let (_, first_p99) = ask()?;
        let (p50, p99) = ask()?;
        lines.push(Line {
            figure,
            ours: format!("p99 {p99:.0} ms (p50 {p50:.0}, first {first_p99:.0})"),
            theirs: name.to_string(),
            target: format!("≤ {LIST_MS_MAX} ms"),
            met: Some(p99 <= LIST_MS_MAX),
            ..Line::default()
        });
    }
    Ok(lines)
}

/// Reports of `quick` with their series and latencies, sent by fifty senders at once, into either database.
pub fn senders(setup: &Setup) -> Result<Vec<Line>, String> {
    of_either(setup, |name, place| sent_to(setup, name, place))
}

fn sent_to(setup: &Setup, name: &str, place: &Path) -> Result<Vec<Line>, String> {
    let sample = workspace::simulated_report(setup.program.path(), "sandisk-ultra-64")?;
    let tokens = (0..SENDERS)
        .map(|sender| workspace::token(setup.program.path(), place, &format!("sender-{sender}"), "sender"))
        .collect::<Result<Vec<_>, _>>()?;
    let served = Served::start(setup.program.path(), place, ANY)?;
    // Packed before: on real hosts it is their processor that does it.
    let body = |number: usize| -> Result<Vec<u8>, String> {
        let report = Report { id: id(number as u64), ..sample.clone() };
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        let written = packed.write_all(json::to_json(&report).as_bytes());
        written.and_then(|()| packed.finish()).map_err(|error| error.to_string())
    };
    let bodies = (0..2 * SENT).map(body).collect::<Result<Vec<_>, _>>()?;
    let send = |bodies: &[Vec<u8>], per_s| send_all(&served.host, &tokens, bodies, per_s);
    let (sent, bytes) = memory::peak_pss_bytes(served.pid(), || {
        let ms = send(&bodies[..SENT], Some(RATE_MIN))?;
        let begun = Instant::now();
        send(&bodies[SENT..], None).map(|_| (ms, SENT as f64 / begun.elapsed().as_secs_f64()))
    });
    let (ms, rate) = sent?;
    let (p50_ms, p99_ms) = percentiles(ms);
    let line = |figure, ours, target: String, met| Line {
        figure,
        ours,
        theirs: name.to_string(),
        target,
        met: Some(met),
        ..Line::default()
    };
    Ok(vec![
        line(
            "Reports accepted, at most",
            format!("{rate:.0}/s"),
            format!("≥ {RATE_MIN}/s"),
            rate >= RATE_MIN,
        ),
        line(
            "a Report, 20/s sent",
            format!("p99 {p99_ms:.0} ms (p50 {p50_ms:.0} ms)"),
            format!("≤ {SENT_MS_MAX} ms"),
            p99_ms <= SENT_MS_MAX,
        ),
        line(
            "memory",
            units::bytes_si(bytes),
            format!("≤ {}", units::bytes_si(SERVER_BYTES_MAX)),
            bytes <= SERVER_BYTES_MAX,
        ),
    ])
}

/// Sends Reports, each when it is due: `per_s` in a second, or as soon as the one before is taken. Returns how long after that
/// each was accepted, in milliseconds.
fn send_all(
    host: &str,
    tokens: &[String],
    bodies: &[Vec<u8>],
    per_s: Option<f64>,
) -> Result<Vec<f64>, String> {
    let (begun, ms) = (Instant::now(), Mutex::new(Vec::new()));
    let of_sender = |sender: usize| -> Result<(), String> {
        let headers = format!("authorization: Bearer {}\r\n", tokens[sender]);
        let mut connection = Connection::open(host, &headers)?;
        for at in (sender..bodies.len()).step_by(tokens.len()) {
            let due =
                per_s.map_or(Instant::now(), |per_s| begun + Duration::from_secs_f64(at as f64 / per_s));
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            let head = "content-type: application/json\r\ncontent-encoding: gzip\r\n";
            let status = connection.send("POST", "/api/v1/checkups", head, &bodies[at])?.status;
            if status != 201 {
                return Err(format!("a Report was answered by {status}"));
            }
            ms.lock().expect("no panic").push(due.elapsed().as_secs_f64() * 1e3);
        }
        Ok(())
    };
    all(tokens.len(), &of_sender)?;
    Ok(ms.into_inner().expect("no panic"))
}

/// The median and 99th percentile.
fn percentiles(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

/// Runs `work` for each number at once.
fn all(count: usize, work: &(dyn Fn(usize) -> Result<(), String> + Sync)) -> Result<(), String> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|at| scope.spawn(move || work(at))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Err("it panicked".to_string())))
    })
}

fn id(number: u64) -> String {
    format!("20260101-000000-{number:06x}")
}

/// Saves checkups with the figures of a simulated `quick`, without its windows and latencies, or without any.
fn fill(setup: &Setup, store: &dyn Store, checkups: u64, has_figures: bool) -> Result<(), String> {
    let mut sample = workspace::simulated_report(setup.program.path(), "sandisk-ultra-64")?;
    sample.steps.iter_mut().for_each(|step| step.result = None);
    if !has_figures {
        sample.steps.clear();
        sample.measurements.clear();
    }
    let report = |number: u64| {
        let mut report = sample.clone();
        let drive = number % DRIVES;
        report.id = id(number);
        report.started_unix_ms = 1_700_000_000_000 + number / DRIVES * DAY_MS + drive * 1_000;
        report.label = drive.is_multiple_of(3).then(|| format!("drive-{drive}"));
        report.host.name = Some(format!("host-{}", drive % 40));
        report.drive.simulated = false;
        for leaf in &mut report.drive.leaves {
            (leaf.serial, leaf.id) = (Some(format!("serial-{drive}")), None);
        }
        // No two checkups have the same figures.
        let factor = 1.0 + (number * 7_919 % 1_000) as f64 / 1e4;
        for measured in report.measurements.values_mut() {
            let estimate = &mut measured.estimate;
            estimate.value *= factor;
            (estimate.low, estimate.high) =
                (estimate.low.map(|low| low * factor), estimate.high.map(|high| high * factor));
        }
        report
    };
    for first in (0..checkups).step_by(AT_ONCE as usize) {
        let reports: Vec<Report> = (first..first + AT_ONCE).map(report).collect();
        store.save_all(&reports).map_err(|error| format!("{error:?}"))?;
    }
    Ok(())
}

/// A checkup of the disk with fifty viewers, and without any.
pub fn live(setup: &Setup) -> Result<Vec<Line>, String> {
    let directory = tempfile::tempdir_in(&setup.disk).map_err(|error| error.to_string())?;
    let served = Served::start(setup.program.path(), &directory.path().join("drives.db"), ANY)?;
    let late_ms = Mutex::new(Vec::new());
    let mut rounds = Vec::new();
    for _ in 0..setup.slices.min(5) {
        let viewed = checked(&served, directory.path(), VIEWERS, &late_ms)?;
        rounds.push([viewed, checked(&served, directory.path(), 0, &late_ms)?]);
    }
    let mut late_ms = late_ms.into_inner().expect("no panic");
    late_ms.sort_by(f64::total_cmp);
    let latest = late_ms[late_ms.len() * 99 / 100];
    Ok(vec![
        line("random read", "no viewers", &rounds, (0, 1), units::iops).at_least(0.95),
        Line {
            figure: "events, later than the first viewer",
            ours: format!("p99 {latest:.0} ms of {}", late_ms.len()),
            target: format!("≤ {LATE_MS_MAX} ms"),
            met: Some(latest <= LATE_MS_MAX),
            ..Line::default()
        },
    ])
}

/// The random reads per second of a checkup with this many viewers.
fn checked(
    served: &Served,
    directory: &Path,
    viewers: usize,
    late_ms: &Mutex<Vec<f64>>,
) -> Result<f64, String> {
    let task = serde_json::json!({
        "task": { "path": directory, "suite": "quick", "max_time_ns": 30_000_000_000_u64, "keeps_report": true },
        "may_write_much": true
    });
    let mut connection = served.connect()?;
    let started = connection.send(
        "POST",
        "/api/v1/start",
        "content-type: application/json\r\n",
        task.to_string().as_bytes(),
    )?;
    let started: serde_json::Value =
        serde_json::from_slice(&started.body).map_err(|error| error.to_string())?;
    let id = started["id"].as_str().ok_or(format!("it was not started: {started}"))?.to_string();
    let begun = Instant::now();
    // When each event arrived, by its number.
    let arrivals: Mutex<Vec<(String, Instant)>> = Mutex::default();
    let watch = |_: usize| -> Result<(), String> {
        let mut connection = served.connect()?;
        connection.follow(&format!("/api/v1/live/{id}/events"))?;
        while let Ok(line) = connection.line() {
            if let Some(number) = line.strip_prefix("id:") {
                arrivals.lock().expect("no panic").push((number.trim().to_string(), Instant::now()));
            }
        }
        Ok(())
    };
    // One more watches for the end.
    all(viewers.max(1), &watch)?;
    let mut arrivals = arrivals.into_inner().expect("no panic");
    arrivals.sort();
    if viewers > 1 {
        let seen = arrivals.chunk_by(|one, next| one.0 == next.0);
        // Who comes later is sent what was before.
        let seen = seen.filter(|same| same[0].1 > begun + COMING_MAX);
        let late = seen.flat_map(|same| same.iter().map(|(_, at)| (*at - same[0].1).as_secs_f64() * 1e3));
        late_ms.lock().expect("no panic").extend(late);
    }
    let report = served.connect()?.get(&format!("/api/v1/checkups/{id}"))?;
    let report: Report = serde_json::from_slice(&report.body).map_err(|error| error.to_string())?;
    let reads =
        report.steps.iter().filter_map(|step| step.figures.as_ref()).flat_map(|step| &step.directions);
    let iops = reads.filter(|figures| figures.direction == Direction::Read).map(|figures| figures.iops.value);
    iops.reduce(f64::max).ok_or_else(|| format!("{id} has no reads"))
}

/// A server that nobody uses.
pub fn idle(setup: &Setup) -> Result<Vec<Line>, String> {
    let directory = tempfile::tempdir_in(&setup.disk).map_err(|error| error.to_string())?;
    let place = directory.path().join("drives.db");
    let served = Served::start(setup.program.path(), &place, ANY)?;
    for path in ["/", "/checkups", "/start"] {
        served.connect()?.get(path)?;
    }
    std::thread::sleep(QUIET);
    let before_s = memory::cpu_s(served.pid());
    let (_, bytes) = memory::peak_pss_bytes(served.pid(), || std::thread::sleep(IDLE));
    let share = (memory::cpu_s(served.pid()) - before_s) / IDLE.as_secs_f64();
    Ok(vec![
        Line {
            figure: "memory",
            ours: units::bytes_si(bytes),
            target: "≤ 40 MB".to_string(),
            met: Some(bytes as f64 <= IDLE_BYTES_MAX),
            ..Line::default()
        },
        Line {
            figure: "CPU",
            ours: format!("{:.3} %", share * 100.0),
            target: "≤ 0.1 %".to_string(),
            met: Some(share <= IDLE_SHARE_MAX),
            ..Line::default()
        },
    ])
}
