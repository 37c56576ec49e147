//! Latencies of groups, percentile by percentile, and where one begins to wait longer than the other.

use serde::Serialize;

use super::known::{RunValue, ratio_error};
use super::metrics::latency_kind;
use super::pairing::{Member, Pair};
use crate::direction::Direction;
use crate::quantity::{LatencyKind, Quantity, Statistic};
use crate::stats::{mean, student_t_quantile};

/// Values that differ by less than this factor do not tell which is lower: histograms have buckets of 1/128.
const TIE: f64 = 1.02;

/// The latencies of one direction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Distribution {
    /// Reads, writes, trims or syncs.
    pub direction: Option<Direction>,
    /// Which part of an I/O's time.
    pub kind: LatencyKind,
    /// The percentiles that at least two groups tell, rising.
    pub points: Vec<Point>,
    /// Where two groups change places.
    pub crossings: Vec<Crossing>,
}

/// A percentile of several groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// Which, from 0 to 100.
    pub percent: f64,
    /// Each group's value in nanoseconds, of several runs the mean; `None` where it has none.
    pub values_ns: Vec<Option<f64>>,
}

/// Two groups of which the one that is faster in most I/Os is not the one that is faster in the slowest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Crossing {
    /// Place of the group that is faster up to `from_percent`.
    pub faster_below: usize,
    /// Place of the one that is faster from `to_percent` on.
    pub faster_above: usize,
    /// The last percentile before they change places.
    pub from_percent: f64,
    /// The first after.
    pub to_percent: f64,
}

pub(super) fn of(pair: &Pair) -> Vec<Distribution> {
    let directions = Direction::ALL.into_iter().map(Some).chain([None]);
    directions.filter_map(|direction| of_direction(pair, direction)).collect()
}

fn of_direction(pair: &Pair, direction: Option<Direction>) -> Option<Distribution> {
    let kind = latency_kind(pair, direction)?;
    let mut percents: Vec<f64> = Vec::new();
    for figure in pair.sides.iter().flatten().flat_map(|member| &member.test.figures) {
        if let Quantity::Latency(of, Statistic::Percentile(percent)) = figure.quantity
            && of == kind
            && figure.direction == direction
            && !percents.contains(&percent)
        {
            percents.push(percent);
        }
    }
    percents.sort_by(f64::total_cmp);
    let point = |percent: f64| {
        let quantity = Quantity::Latency(kind, Statistic::Percentile(percent));
        let values_ns: Vec<Option<f64>> =
            pair.sides.iter().map(|members| value(members, direction, quantity)).collect();
        (values_ns.iter().flatten().count() > 1).then_some(Point { percent, values_ns })
    };
    let points: Vec<Point> = percents.into_iter().filter_map(point).collect();
    let is_apart = |one: usize, two: usize, percent: f64| {
        let quantity = Quantity::Latency(kind, Statistic::Percentile(percent));
        let runs = |group: usize| run_values(&pair.sides[group], direction, quantity);
        differs(&runs(one), &runs(two), quantity)
    };
    let crossings = crossings(&points, pair.sides.len(), is_apart);
    (!points.is_empty()).then_some(Distribution { direction, kind, points, crossings })
}

fn value(members: &[Member], direction: Option<Direction>, quantity: Quantity) -> Option<f64> {
    let figures = members.iter().filter_map(|member| member.test.figure(direction, quantity));
    let values: Vec<f64> =
        figures.filter(|figure| figure.doubt.is_none()).map(|figure| figure.estimate.value).collect();
    (!values.is_empty()).then(|| mean(&values))
}

fn run_values(members: &[Member], direction: Option<Direction>, quantity: Quantity) -> Vec<RunValue> {
    let of = |member: &Member| {
        let figure = member.test.figure(direction, quantity).filter(|figure| figure.doubt.is_none())?;
        Some(RunValue::of(member.test, figure))
    };
    members.iter().filter_map(of).collect()
}

/// Whether two values are further apart than chance brings them in 19 of 20 cases, where that is known; else whether they are apart.
fn differs(one: &[RunValue], two: &[RunValue], quantity: Quantity) -> bool {
    let value = |runs: &[RunValue]| mean(&runs.iter().map(|run| run.value).collect::<Vec<_>>());
    let (mine, theirs) = (value(one), value(two));
    if mine <= 0.0 || theirs <= 0.0 || mine.max(theirs) < mine.min(theirs) * TIE {
        return false;
    }
    let Some(found) = ratio_error(one, two, quantity) else { return true };
    libm::fabs(libm::log(theirs / mine)) > student_t_quantile(0.975, found.error.freedom) * found.error.share
}

fn crossings(points: &[Point], groups: usize, is_apart: impl Fn(usize, usize, f64) -> bool) -> Vec<Crossing> {
    let mut all = Vec::new();
    for one in 0..groups {
        for two in one + 1..groups {
            let mut last: Option<(bool, f64)> = None;
            for point in points {
                let Some((mine, theirs)) = point.values_ns[one].zip(point.values_ns[two]) else { continue };
                if !is_apart(one, two, point.percent) {
                    continue;
                }
                let first_is_faster = mine < theirs;
                let changed = last.filter(|&(was, _)| was != first_is_faster);
                if let Some((_, from_percent)) = changed {
                    let (faster_above, faster_below) = if first_is_faster { (one, two) } else { (two, one) };
                    let to_percent = point.percent;
                    all.push(Crossing { faster_below, faster_above, from_percent, to_percent });
                }
                last = Some((first_is_faster, point.percent));
            }
        }
    }
    all
}
