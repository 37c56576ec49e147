//! `/metrics`: the latest figures of each drive, and the server's own, for Prometheus.
//! <https://prometheus.io/docs/instrumenting/exposition_formats/>

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use cardiograph_checkup::checkup::unix_ms;
use cardiograph_core::metric::{Metric, Unit};
use cardiograph_core::verdict::Level;
use cardiograph_judge::purpose::PURPOSES;
use cardiograph_judge::purposes;
use cardiograph_judge::record::RunFigures;
use cardiograph_store::{DriveQuery, DriveSummary, Store, StoreError};

use crate::pages::problem;
use crate::server::Server;
use crate::visitor::Visitor;

/// Drives with figures: each has about thirty lines, and a monitoring system keeps a series for each.
const DRIVES_MAX: u64 = 2_000;
/// Checkups read at once.
const READ_AT_ONCE: usize = 100;
const NS_PER_S: f64 = 1e9;

/// Sends all metrics.
pub async fn send(State(server): State<Arc<Server>>, visitor: Visitor) -> Response {
    match server.ask(drives).await {
        Ok(mut text) => {
            own(&mut text, &server);
            ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text.finish()).into_response()
        }
        Err(refused) => problem(&refused, &visitor),
    }
}

/// The text so far: the lines of each metric stand together.
#[derive(Default)]
struct Text(BTreeMap<String, (&'static str, String)>);

impl Text {
    fn add(&mut self, name: impl Into<String>, kind: &'static str, labels: &str, value: f64) {
        let name = name.into();
        let braces = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
        let line = format!("{name}{braces} {value}\n");
        self.0.entry(name).or_insert_with(|| (kind, String::new())).1.push_str(&line);
    }

    fn finish(self) -> String {
        let mut text = String::new();
        for (name, (kind, lines)) in self.0 {
            let _ = write!(text, "# TYPE {name} {kind}\n{lines}");
        }
        text
    }
}

/// A label with its value.
fn label(name: &str, value: &str) -> String {
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("{name}=\"{escaped}\"")
}

/// The name of a metric, and by what its values are divided: in seconds, bytes, and so on.
pub fn name_of(metric: Metric) -> (String, f64) {
    let name = metric.name();
    let (name, unit, scale) = match metric.unit() {
        Unit::Bytes => (name.as_str(), "_bytes", 1.0),
        Unit::BytesPerSecond => (name.as_str(), "_bytes_per_second", 1.0),
        Unit::IosPerSecond => match name.strip_suffix("_iops") {
            Some(name) => (name, "_operations_per_second", 1.0),
            None => (name.as_str(), "_per_second", 1.0),
        },
        Unit::Nanoseconds => (name.as_str(), "_seconds", NS_PER_S),
        Unit::Count => (name.as_str(), "", 1.0),
    };
    (format!("cardiograph_{name}{unit}"), scale)
}

/// What is known of the drives by their newest checkups.
fn drives(store: &dyn Store) -> Result<Text, StoreError> {
    let query = DriveQuery { limit: Some(DRIVES_MAX), ..DriveQuery::default() };
    let (drives, all) = (store.drives(&query)?, store.count_drives(&DriveQuery::default())?);
    let mut text = Text::default();
    text.add("cardiograph_drives", "gauge", "", all as f64);
    let left_out = all.saturating_sub(drives.len() as u64);
    text.add("cardiograph_drives_left_out", "gauge", "", left_out as f64);
    let now_ms = unix_ms();
    for some in drives.chunks(READ_AT_ONCE) {
        let ids: Vec<&str> = some.iter().map(|drive| drive.newest.as_str()).collect();
        let mut figures = figures(store, &ids)?;
        for drive in some {
            let labels = labels(drive);
            let age_s = now_ms.saturating_sub(drive.last_unix_ms) as f64 / 1_000.0;
            text.add("cardiograph_checkup_age_seconds", "gauge", &labels, age_s);
            text.add("cardiograph_checkups", "gauge", &labels, drive.checkups as f64);
            if let Some(run) = figures.remove(drive.newest.as_str()) {
                of_checkup(&mut text, &labels, &run);
            }
        }
    }
    Ok(text)
}

/// Checkups by id. One that was removed meanwhile, or cannot be read, is left out.
fn figures(store: &dyn Store, ids: &[&str]) -> Result<BTreeMap<String, RunFigures>, StoreError> {
    let found = match store.deciding_figures(ids) {
        Err(StoreError::NotFound { .. } | StoreError::Unreadable { .. }) => {
            ids.iter().filter_map(|id| store.deciding_figures(&[id]).ok()).flatten().collect()
        }
        found => found?,
    };
    Ok(found.into_iter().map(|run| (run.run.id.to_string(), run)).collect())
}

fn labels(drive: &DriveSummary) -> String {
    [
        label("drive", &drive.key),
        label("model", drive.models.lines().next().unwrap_or(&drive.path)),
        label("host", drive.host.as_deref().unwrap_or_default()),
        label("label", drive.label.as_deref().unwrap_or_default()),
    ]
    .join(",")
}

/// Figures and verdicts, without those that are not the drive's.
fn of_checkup(text: &mut Text, labels: &str, run: &RunFigures) {
    for (metric, measured) in &run.measurements {
        if measured.doubt.as_ref().is_some_and(|doubt| doubt.withholds()) {
            continue;
        }
        let (name, scale) = name_of(*metric);
        text.add(name, "gauge", labels, measured.estimate.value / scale);
    }
    for verdict in purposes::judge_known(&PURPOSES, &run.measurements) {
        let value = match verdict.level {
            Level::NotEnough => 0.0,
            Level::Enough => 1.0,
            Level::Good => 2.0,
            Level::CannotBeJudged => continue,
        };
        let purpose = label("purpose", &verdict.purpose);
        text.add("cardiograph_verdict", "gauge", &format!("{labels},{purpose}"), value);
    }
}

/// The server's own.
fn own(text: &mut Text, server: &Server) {
    let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed) as f64;
    let answers = server.counts.by_status.lock().unwrap_or_else(PoisonError::into_inner);
    for (status, number) in answers.iter() {
        let status = label("status", &status.to_string());
        text.add("cardiograph_server_requests_total", "counter", &status, *number as f64);
    }
    text.add("cardiograph_server_accepted_reports_total", "counter", "", count(&server.counts.accepted));
    text.add("cardiograph_server_store_errors_total", "counter", "", count(&server.counts.store_errors));
    text.add("cardiograph_server_sessions", "gauge", "", server.sessions.count() as f64);
    let streams = server.counts.streams.load(Ordering::Relaxed);
    text.add("cardiograph_server_event_streams", "gauge", "", streams as f64);
    let version = label("version", env!("CARGO_PKG_VERSION"));
    text.add("cardiograph_server_info", "gauge", &version, 1.0);
}
