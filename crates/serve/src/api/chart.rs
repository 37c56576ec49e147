//! Data of charts, as `ui/src/chart/contract.ts` reads them.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use cardiograph_catalogue::Language;
use cardiograph_core::metric::{Metric, Unit};
use cardiograph_core::{Message, Report, message, units};
use cardiograph_judge::events::{Event, events};
use cardiograph_judge::record::RunFigures;
use cardiograph_render::doc;
use cardiograph_store::Query as Wanted;
use serde::{Deserialize, Serialize};

use crate::drives;
use crate::pages::problem;
use crate::server::Server;
use crate::visitor::Visitor;

/// Checkups in a chart.
const CHECKUPS_MAX: u64 = 200;

/// A chart.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Chart {
    kind: &'static str,
    title: String,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
    limits: Vec<Limit>,
    events: Vec<Mark>,
}

/// An axis: its label, its unit (empty for times, else `B/s`, `ns`, `B`, `IOPS`) and its scale.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Axis {
    label: String,
    unit: &'static str,
    scale: &'static str,
}

/// Values with their places on the axis of x, each with the ends of its interval and, where it is withheld, why.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Series {
    name: String,
    x: Vec<f64>,
    y: Vec<Option<f64>>,
    low: Vec<Option<f64>>,
    high: Vec<Option<f64>>,
    why: Vec<Option<String>>,
}

/// A limit of a purpose.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Limit {
    value: f64,
    label: String,
}

/// Something that happened.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Mark {
    x: f64,
    label: String,
}

/// Which figure of a drive.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Asked {
    /// Of checkups of this suite.
    suite: String,
    metric: Metric,
}

/// Sends how a figure of a drive went.
pub async fn trend(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Query(Asked { suite, metric }): Query<Asked>,
) -> Response {
    let language = visitor.language;
    let made = server.work(move |store| {
        let drive_key = Some(drives::find(&key, store)?.key);
        let query = Wanted { drive_key, suite: Some(suite), limit: Some(CHECKUPS_MAX), ..Wanted::default() };
        let mut runs = store.find(&query)?;
        runs.retain(drives::is_dated);
        runs.reverse();
        let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
        let figures = store.deciding_figures(&ids)?;
        let newest = ids.last().map(|id| store.load(id)).transpose()?;
        Ok(Chart::trend(metric, &figures, newest.as_ref(), language))
    });
    match made.await {
        Ok(chart) => Json::<Chart>(chart).into_response(),
        Err(refused) => problem(&refused, &visitor),
    }
}

impl Chart {
    /// How a figure went over `runs`, oldest first, with the limits around it in the newest Report.
    pub fn trend(metric: Metric, runs: &[RunFigures], newest: Option<&Report>, language: Language) -> Self {
        let name = language.text(&doc::metric_name(metric));
        let mut series = Series { name: name.clone(), ..Series::default() };
        for run in runs {
            let Some(measured) = run.measurements.get(&metric) else { continue };
            let why = measured.doubt.as_ref().filter(|doubt| doubt.withholds());
            let estimate = measured.estimate;
            let shown = |value: Option<f64>| value.filter(|value| why.is_none() && value.is_finite());
            series.x.push(seconds(run.run.started_unix_ms));
            series.y.push(shown(Some(estimate.value)));
            series.low.push(shown(estimate.low));
            series.high.push(shown(estimate.high));
            series.why.push(why.map(|doubt| language.text(&doubt.message())));
        }
        let value = series.y.iter().rev().find_map(|value| *value);
        let limits = newest.zip(value).map(|(report, value)| doc::limits_around(report, metric, value));
        let limit = |(value, purpose): (f64, Message)| Limit { value, label: language.text(&purpose) };
        let mark = |event: &Event| Mark {
            x: seconds(event.unix_ms),
            label: language.text(&doc::drive_event(event)),
        };
        Self {
            kind: "trend",
            title: name,
            x: Axis { label: language.text(&message!("serve-chart.time")), unit: "", scale: "time" },
            y: Axis { label: String::new(), unit: unit(metric.unit()), scale: "linear" },
            series: vec![series],
            limits: limits.into_iter().flatten().map(limit).collect(),
            events: events(runs).iter().map(mark).collect(),
        }
    }

    /// Its title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The values of a trend as rows: when, the value, and its interval or why it is withheld.
    pub fn rows(&self, metric: Metric, language: Language) -> Vec<[String; 3]> {
        let text = |value: f64| language.value(&doc::in_unit(metric.unit(), value));
        let row = |series: &Series, at: usize| {
            let interval = series.low[at].zip(series.high[at]);
            let interval = interval.map(|(low, high)| {
                language.text(&message!("serve-chart.interval", low = text(low), high = text(high)))
            });
            let when = doc::when((series.x[at] * 1e3) as u64).unwrap_or_default();
            let value = series.y[at].map_or_else(|| units::NO_FIGURE.to_string(), text);
            [when, value, series.why[at].clone().or(interval).unwrap_or_default()]
        };
        self.series.iter().flat_map(|series| (0..series.x.len()).map(move |at| row(series, at))).collect()
    }
}

fn seconds(unix_ms: u64) -> f64 {
    unix_ms as f64 / 1e3
}

const fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Bytes => "B",
        Unit::BytesPerSecond => "B/s",
        Unit::IosPerSecond => "IOPS",
        Unit::Nanoseconds => "ns",
        Unit::Count => "",
    }
}
