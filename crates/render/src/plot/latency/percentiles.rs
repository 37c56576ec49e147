//! Latency by the share of faster I/Os: rarer ones farther right, a nine for each mark.

use cardiograph_core::figures::SAMPLES_ABOVE_MIN;
use cardiograph_core::histogram::bucket_middle_ns;
use cardiograph_core::imported::Figure;
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::report::StepResult;
use cardiograph_core::{Direction, Doubt, Latency, Message, Parameter, PerDirection, message};

use super::super::scale::{latency_axis, nines, percentile_axis};
use super::super::sheet::Sheet;
use super::super::subject::{Line, Panel, latencies};
use crate::lang::Lang;

const HEIGHT: f64 = 200.0;
/// Minimum distance of points drawn.
const POINT: f64 = 1.0;
/// With fewer values above a rank, its interval has no upper end: 2.5 % of runs have none above where 3.7 are expected.
const SAMPLES_ABOVE_BOUNDED: u64 = 4;
/// Percentiles in the description.
const SPOKEN: [f64; 3] = [50.0, 99.0, 99.9];

pub(in super::super) fn can_draw(panel: &Panel<'_>) -> bool {
    !curves(panel, Lang::EN).is_empty()
}

fn curves<'r>(panel: &Panel<'r>, lang: Lang) -> Vec<(Line<'r>, Curve)> {
    let whole = |step: &'r StepResult| (step, latencies(step));
    panel.lines(Doubt::withholds, lang, whole, |(step, latencies), direction| match &latencies[direction] {
        Some(latency) => Curve::from_latency(latency),
        None => Curve::from_percentiles(&reported_percentiles(step, direction)),
    })
}

/// Latencies by the position of their share ([`nines`]).
struct Curve {
    points: Vec<(f64, f64)>,
    /// The rest, up to the rank whose interval has no upper end ([`cardiograph_core::Estimate::tail`]).
    uncertain: Vec<(f64, f64)>,
    /// Whether only some percentiles are known.
    is_sparse: bool,
    /// The percentiles in the description, in nanoseconds.
    spoken: Vec<(f64, u64)>,
}

impl Curve {
    /// `None` if there are so few values that chance decides each percentile.
    fn from_latency(latency: &Latency) -> Option<Self> {
        if is_too_few(latency) {
            return None;
        }
        let points = whole(latency, SAMPLES_ABOVE_MIN);
        let known_to = points.last().map_or(0.0, |last| last.0);
        let mut uncertain = whole(latency, SAMPLES_ABOVE_BOUNDED);
        uncertain.retain(|point| point.0 > known_to);
        uncertain.splice(..0, points.last().copied());
        let is_known = |percent: &f64| latency.samples_above(*percent) >= SAMPLES_ABOVE_MIN;
        let value_ns = |percent| Some((percent, latency.percentile_ns(percent)?));
        let spoken = SPOKEN.into_iter().filter(is_known).filter_map(value_ns).collect();
        Some(Self { points, uncertain, is_sparse: false, spoken })
    }

    fn from_percentiles(known: &[(f64, f64)]) -> Option<Self> {
        let points: Vec<(f64, f64)> =
            known.iter().map(|&(percent, ns)| (nines(percent / 100.0), ns)).collect();
        let value_ns = |percent| known.iter().find(|one| one.0 == percent).map(|one| (percent, one.1 as u64));
        let spoken = SPOKEN.into_iter().filter_map(value_ns).collect();
        (points.len() > 1).then_some(Self { points, uncertain: Vec::new(), is_sparse: true, spoken })
    }
}

pub(in super::super) fn draw(sheet: &mut Sheet, panel: &Panel<'_>) {
    let lang = sheet.view.lang;
    let curves = curves(panel, lang);
    too_few(panel, lang).into_iter().for_each(|sentence| sheet.remark(sentence));
    let points = || curves.iter().flat_map(|(_, curve)| curve.points.iter().chain(&curve.uncertain));
    let (low, high) =
        points().fold((f64::MAX, 0.0f64), |(low, high), point| (low.min(point.1), high.max(point.1)));
    let rarest = points().map(|point| point.0).fold(0.0, f64::max);
    let x = percentile_axis(rarest, lang);
    let y = latency_axis(low, high, &lang.text(&message!("picture-axis-latency")));
    let names = curves.iter().map(|(line, _)| line.name.as_str());
    let frame = sheet.frame_of_lines(HEIGHT, (x, y), names);
    let mut ends = Vec::new();
    for (line, curve) in &curves {
        let thinned = |points: &[(f64, f64)]| {
            let mut drawn: Vec<(f64, f64)> = Vec::new();
            for &(share, ns) in points {
                let point = frame.point(share, ns);
                let is_apart =
                    |last: &(f64, f64)| (point.0 - last.0).abs() + (point.1 - last.1).abs() >= POINT;
                if drawn.last().is_none_or(is_apart) {
                    drawn.push(point);
                }
            }
            drawn
        };
        let (mut drawn, uncertain) = (thinned(&curve.points), thinned(&curve.uncertain));
        sheet.canvas.polyline(&line.class(), &drawn);
        if uncertain.len() > 1 {
            sheet.canvas.polyline(&format!("{} uncertain", line.class()), &uncertain);
        }
        if curve.is_sparse {
            drawn.iter().for_each(|&point| sheet.canvas.circle(&line.fill("dot"), point, 3.0));
        }
        drawn.extend(uncertain);
        ends.extend(drawn.last().map(|&end| (line, end)));
        sheet.describe(spoken(line, curve));
    }
    sheet.name_lines(&frame, &ends);
    if curves.iter().any(|(_, curve)| curve.uncertain.len() > 1) {
        sheet.note(&lang.text(&message!("picture-uncertain", samples = SAMPLES_ABOVE_MIN)));
    }
}

/// The description of a curve.
fn spoken(line: &Line<'_>, curve: &Curve) -> Message {
    let percentile = |&(percent, ns): &(f64, u64)| {
        let latency = Parameter::latency_ns(ns as f64);
        message!("picture-percentile", percent = Parameter::number(percent), latency)
    };
    let percentiles = Parameter::all(curve.spoken.iter().map(percentile));
    message!("picture-percentiles-spoken", line = &line.name, percentiles)
}

/// Whether there are too few values for any percentile.
fn is_too_few(latency: &Latency) -> bool {
    latency.n() <= SAMPLES_ABOVE_MIN
}

/// A sentence for each line that has too few I/Os for a curve.
pub(in super::super) fn too_few(panel: &Panel<'_>, lang: Lang) -> Vec<Message> {
    let too_few = |all: &PerDirection<Option<Latency>>, direction| all[direction].clone().filter(is_too_few);
    let sentence = |(line, latency): (Line<'_>, Latency)| {
        message!("picture-too-few", line = line.name, ios = latency.n())
    };
    panel.lines(Doubt::withholds, lang, latencies, too_few).into_iter().map(sentence).collect()
}

/// The distribution up to the share with fewer than `above` values above it. It slopes between adjacent buckets, and
/// jumps over gaps without values.
fn whole(latency: &Latency, above: u64) -> Vec<(f64, f64)> {
    let n = latency.n();
    let clamped = |ns: u64| ns.min(latency.max_ns()).max(latency.min_ns()).max(1) as f64;
    let place = |below: u64| nines(below as f64 / n as f64);
    let last = n.saturating_sub(above);
    let mut points = vec![(0.0, clamped(latency.min_ns()))];
    let (mut below, mut next) = (0_u64, 0);
    for (bucket, count) in latency.histogram().buckets() {
        let value_ns = clamped(bucket_middle_ns(bucket));
        if bucket != next {
            points.push((place(below), value_ns));
        }
        (below, next) = (below.saturating_add(count), bucket + 1);
        points.push((place(below.min(last)), value_ns));
        if below >= last {
            break;
        }
    }
    points
}

/// Percentiles reported by another program, in percent, in rising order: of total latency, else of completion
/// latency.
fn reported_percentiles(step: &StepResult, direction: Direction) -> Vec<(f64, f64)> {
    let Some(imported) = &step.imported else { return Vec::new() };
    let percentiles = |wanted: LatencyKind| {
        let figures = imported.figures.iter().filter(|figure| figure.direction == Some(direction));
        let percentile = |figure: &Figure| match figure.quantity {
            Quantity::Latency(kind, Statistic::Percentile(percent)) if kind == wanted => {
                (percent < 100.0).then_some((percent, figure.estimate.value))
            }
            _ => None,
        };
        let mut found: Vec<(f64, f64)> = figures.filter_map(percentile).collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found
    };
    let total = percentiles(LatencyKind::Total);
    if total.len() > 1 { total } else { percentiles(LatencyKind::Completion) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_ends_where_samples_are_too_few() {
        let mut latency = Latency::default();
        (0..1_000).for_each(|at| latency.record(1_000 + at * 10));
        let points = whole(&latency, SAMPLES_ABOVE_MIN);
        assert_eq!(points[0], (0.0, 1_000.0));
        let last = points[points.len() - 1];
        assert!((last.0 - 2.0).abs() < 1e-9, "{last:?}");
        assert!(points.is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1));
    }

    /// At each share the curve has the percentile of that share.
    #[test]
    fn values_of_one_bucket_are_a_level_line() {
        let latency = |values: &[(u64, u64)]| {
            let mut latency = Latency::default();
            for &(ns, count) in values {
                (0..count).for_each(|_| latency.record(ns));
            }
            latency
        };
        // All values are equal; few are fast; too few are slow.
        for values in
            [&[(100, 500)][..], &[(50, 15), (100, 485)], &[(100, 492), (120, 8)], &[(60, 200), (100, 11)]]
        {
            let latency = latency(values);
            let points = whole(&latency, SAMPLES_ABOVE_MIN);
            let end = (latency.n() - SAMPLES_ABOVE_MIN) as f64 / latency.n() as f64;
            assert!((points[points.len() - 1].0 - nines(end)).abs() < 1e-9, "{values:?}: {points:?}");
            for percent in [1.0, 2.9, 3.1, 50.0, 90.0, 94.0] {
                let at = nines(percent / 100.0);
                let value =
                    points.windows(2).find(|pair| pair[0].0 <= at && at < pair[1].0).map(|pair| pair[1].1);
                let expected = latency.percentile_ns(percent).unwrap() as f64;
                assert_eq!(value, Some(expected), "p{percent} of {values:?}: {points:?}");
            }
        }
        assert!(
            Curve::from_latency(&latency(&[(100, 11)])).is_some()
                && Curve::from_latency(&latency(&[(100, 10)])).is_none()
        );
    }
}
