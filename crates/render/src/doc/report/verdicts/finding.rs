//! A figure and its limit.

use cardiograph_core::metric::{Metric, Unit};
use cardiograph_core::verdict::{Finding, FindingOutcome, Guards};
use cardiograph_core::{Estimate, Message, Parameter, message};

use cardiograph_judge::purpose::Rule;

use crate::doc::Item;
use crate::text::layout::Tone;

/// The ratio by which a figure is better than its limit; 0 if there is no figure.
pub(crate) fn margin(finding: &Finding) -> f64 {
    let value = finding.measured.map_or(0.0, |measured| measured.value);
    if finding.metric.more_is_better() || value == 0.0 {
        value / finding.limit
    } else {
        finding.limit / value
    }
}

/// The figure and its limit, in short form: `random read 3,786 IOPS; enough from 4,000`.
pub(super) fn short(finding: &Finding) -> Message {
    let metric = metric(finding.metric);
    match believed(finding) {
        Some(measured) => message!(
            "finding",
            metric,
            value = metric_value(finding.metric, measured.value),
            asked = asked(finding, bare_limit(finding.metric, finding.limit))
        ),
        None if finding.measured.is_none() => message!("finding.missing", metric),
        None => message!("finding.doubtful", metric),
    }
}

/// The figure, and in parentheses its limit: `random read 3,786 IOPS (4,000)`; or why it could not be compared with it.
pub(crate) fn brief(finding: &Finding) -> Message {
    match (measured(finding), finding.guards) {
        (Some(figure), _) => {
            let limit = bare_limit(finding.metric, finding.limit);
            message!("finding-brief", figure, limit)
        }
        (None, Guards::Good) => message!("finding-brief.unproven", why = open(finding)),
        (None, Guards::Enough) => open(finding),
    }
}

/// Why a figure could not be compared with its limit, in a few words.
fn open(finding: &Finding) -> Message {
    let metric = metric(finding.metric);
    match finding.doubt.as_ref().map(Message::id) {
        Some("finding-missing.samples") => message!("finding-open.samples", metric),
        Some("finding-unsettled.easier") => message!("finding-open.short", metric),
        _ if finding.measured.is_none() => message!("finding-open.missing", metric),
        _ => message!("finding.doubtful", metric),
    }
}

/// Whether the figure was measured, although perhaps not well enough.
pub(crate) fn is_tried(finding: &Finding) -> bool {
    let is_scarce = finding.doubt.as_ref().is_some_and(|doubt| doubt.id() == "finding-missing.samples");
    finding.measured.is_some() || is_scarce
}

/// The figure by name: `random read 3,786 IOPS`; `None` if it cannot be trusted.
pub(crate) fn measured(finding: &Finding) -> Option<Message> {
    let measured = believed(finding)?;
    let value = metric_value(finding.metric, measured.value);
    Some(message!("finding-measured", metric = metric(finding.metric), value))
}

/// The figure, unless it cannot be trusted.
fn believed(finding: &Finding) -> Option<Estimate> {
    finding.measured.filter(|_| finding.outcome != FindingOutcome::NotJudged)
}

/// The limit and the interval around it: `Close: fsync p99, enough up to 10 ms, 95 % interval 5.73 to 11.1
/// ms.`
pub(super) fn close_call(finding: &Finding) -> Option<Message> {
    let (low, high) = close_interval(finding)?;
    let asked = asked(finding, bare_limit(finding.metric, finding.limit));
    Some(message!("finding-close.of", metric = metric(finding.metric), asked, low, high))
}

/// The figure's interval, if it contains the limit.
pub(super) fn close(finding: &Finding) -> Option<Message> {
    let (low, high) = close_interval(finding)?;
    Some(message!("finding-close", low, high))
}

fn close_interval(finding: &Finding) -> Option<(Parameter, Parameter)> {
    let measured = finding.measured.filter(|_| finding.close)?;
    let end = |value| metric_value(finding.metric, value);
    Some((end(measured.low?), end(measured.high?)))
}

/// The figure and its limit in full, with doubts about the figure and the source of the limit.
pub(super) fn item(finding: &Finding) -> Item {
    let (label, tone) = match finding.outcome {
        FindingOutcome::Pass => (message!("finding-outcome.met"), Some(Tone::Good)),
        FindingOutcome::Fail => (message!("finding-outcome.missed"), Some(Tone::Bad)),
        FindingOutcome::NotJudged => (message!("finding-outcome.open"), None),
    };
    let asked = asked(finding, limit_value(finding.metric, finding.limit));
    let metric = metric(finding.metric);
    let text = match believed(finding) {
        Some(measured) => {
            let value = metric_value(finding.metric, measured.value);
            message!("finding", metric, value, asked)
        }
        None => {
            let why = finding.doubt.clone().unwrap_or(message!("evidence.none"));
            message!("finding.why", metric, asked, why)
        }
    };
    Item {
        tone,
        grounds: close(finding).into_iter().collect(),
        more: vec![finding.source.clone()],
        ..Item::new(label, vec![text])
    }
}

/// The requirement of a limit: `enough from 4,000`, `good up to 10 ms`.
fn asked(finding: &Finding, limit: Parameter) -> Message {
    asked_of(finding.metric, finding.guards, limit)
}

/// A limit of a purpose: `random read, enough from 854 IOPS`.
pub(crate) fn rule(rule: &Rule) -> Message {
    let first = rule.evidence[0].metric();
    let asked = asked_of(first, rule.guards, limit_value(first, rule.limit));
    Message::joined([metric(first), asked])
}

fn asked_of(metric: Metric, guards: Guards, limit: Parameter) -> Message {
    match (metric, guards, metric.more_is_better()) {
        // Not a limit of the purpose: a fake drive is good for none.
        (Metric::RealCapacity, ..) => message!("finding-asked.claimed", limit),
        (_, Guards::Enough, true) => message!("finding-asked.enough-from", limit),
        (_, Guards::Enough, false) => message!("finding-asked.enough-up-to", limit),
        (_, Guards::Good, true) => message!("finding-asked.good-from", limit),
        (_, Guards::Good, false) => message!("finding-asked.good-up-to", limit),
    }
}

/// A value of a metric.
fn metric_value(metric: Metric, value: f64) -> Parameter {
    match metric {
        Metric::SqliteCommits => message!("per-second", count = Parameter::number(value)).into(),
        _ => in_unit(metric.unit(), value),
    }
}

/// A limit of a metric.
fn limit_value(metric: Metric, value: f64) -> Parameter {
    match metric.unit() {
        Unit::Nanoseconds => Parameter::DurationNs(value.max(0.0) as u64),
        _ => metric_value(metric, value),
    }
}

/// A limit next to a measured value: rates have one unit, which the value already shows.
fn bare_limit(metric: Metric, value: f64) -> Parameter {
    match metric.unit() {
        Unit::IosPerSecond => Parameter::number(value),
        _ => limit_value(metric, value),
    }
}

/// A value in a unit. Sizes are decimal, as on labels.
pub fn in_unit(unit: Unit, value: f64) -> Parameter {
    match unit {
        Unit::Bytes => Parameter::CapacityBytes(value.max(0.0) as u64),
        Unit::BytesPerSecond => Parameter::bytes_per_s(value),
        Unit::IosPerSecond => Parameter::iops(value),
        Unit::Nanoseconds => Parameter::latency_ns(value),
        Unit::Count => Parameter::Count(value.max(0.0) as u64),
    }
}

/// The name of a metric, for the middle of a sentence.
pub(crate) fn metric(metric: Metric) -> Message {
    match metric {
        Metric::Capacity => message!("metric.capacity"),
        Metric::RealCapacity => message!("metric.real-capacity"),
        Metric::LifeLeft => message!("metric.life-left"),
        Metric::SequentialRead => message!("metric.sequential-read"),
        Metric::MixedSequentialRead => message!("metric.mixed-read"),
        Metric::MixedSequentialWrite => message!("metric.mixed-write"),
        Metric::SustainedWrite => message!("metric.sustained-write"),
        Metric::SequentialWrite => message!("metric.sequential-write"),
        Metric::RandomReadIops => message!("metric.random-read"),
        Metric::RandomReadP99 => message!("metric.random-read-p99"),
        Metric::RandomReadDeepIops => message!("metric.random-read-deep"),
        Metric::RandomWriteIops => message!("metric.random-write"),
        Metric::RandomWriteP99 => message!("metric.random-write-p99"),
        Metric::DurableWriteIops => message!("metric.durable-write"),
        Metric::SyncP99 => message!("metric.sync-p99"),
        Metric::SyncP999 => message!("metric.sync-p999"),
        Metric::WriteStallMax => message!("metric.write-stall"),
        Metric::SqliteCommits => message!("metric.commits"),
        Metric::CommitPauseMax => message!("metric.commit-pause"),
        Metric::Cameras => message!("metric.cameras"),
        Metric::CamerasAtLeast => message!("metric.cameras-tried"),
        Metric::RecordingMissed => message!("metric.recording-missed"),
        Metric::RecordingStallMax => message!("metric.recording-stall"),
    }
}
