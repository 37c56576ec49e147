//! Latencies of groups by percentile, and where the faster group changes.

use cardiograph_core::direction::Direction;
use cardiograph_core::imported::Figure;
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::stats::mean;
use cardiograph_core::text::unique;
use serde::Serialize;

use super::ABOUT_THE_SAME;
use super::judgement::ALIKE;
use super::known::{RunValue, ratio_error};
use super::latency::{JUDGED_PERCENTILES, latency_kind};
use super::pairing::{Member, Pair};

/// Values within this factor are ties: histograms have buckets of 1/128.
const TIE: f64 = 1.02;
/// A percentile that is reported in addition to those that are judged.
const MIDDLE: f64 = 50.0;

/// The latencies of one direction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Distribution {
    /// Reads, writes, trims or syncs.
    pub direction: Option<Direction>,
    /// The part of the latency.
    pub kind: LatencyKind,
    /// Percentiles that at least two groups have, ascending.
    pub points: Vec<Point>,
    /// Where two groups swap ranks.
    pub crossings: Vec<Crossing>,
}

/// A percentile of several groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// The percentile, from 0 to 100.
    pub percent: f64,
    /// Each group's value in nanoseconds, the mean of several runs; `None` if missing.
    pub values_ns: Vec<Option<f64>>,
}

/// Two groups, one of which is faster for most I/Os and the other for the slowest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Crossing {
    /// Index of the group that is faster up to `from_percent`.
    pub faster_below: usize,
    /// Index of the one that is faster from `to_percent` on.
    pub faster_above: usize,
    /// The last percentile before they swap.
    pub from_percent: f64,
    /// The first after.
    pub to_percent: f64,
}

pub(super) fn distributions(pair: &Pair) -> Vec<Distribution> {
    let directions = Direction::ALL.into_iter().map(Some).chain([None]);
    directions.filter_map(|direction| distribution(pair, direction)).collect()
}

fn distribution(pair: &Pair, direction: Option<Direction>) -> Option<Distribution> {
    let kind = latency_kind(pair, direction)?;
    let figures = pair.sides.iter().flatten().flat_map(|member| &member.test.figures);
    let percent = |figure: &Figure| match figure.quantity {
        Quantity::Latency(found, Statistic::Percentile(percent)) if found == kind => Some(percent),
        _ => None,
    };
    let mut percents = unique(figures.filter(|figure| figure.direction == direction).filter_map(percent));
    percents.sort_by(f64::total_cmp);
    let point_runs: Vec<PointRuns> = percents
        .into_iter()
        .filter_map(|percent| PointRuns::from_pair(pair, direction, kind, percent))
        .collect();
    // If measured differently, neither side is the faster one.
    let is_similar = |group: &usize| pair.sides[*group].iter().any(Member::is_similar);
    let alike: Vec<usize> = (0..pair.sides.len()).filter(|group| !is_similar(group)).collect();
    let crossings = crossings(&point_runs, kind, &alike);
    let shown: Vec<Point> = point_runs.into_iter().map(|point_runs| point_runs.point).collect();
    (!shown.is_empty()).then_some(Distribution { direction, kind, points: shown, crossings })
}

/// A point with the runs of each group.
struct PointRuns {
    point: Point,
    runs: Vec<Vec<RunValue>>,
}

impl PointRuns {
    /// `None` if fewer than two groups have a reliable value.
    fn from_pair(pair: &Pair, direction: Option<Direction>, kind: LatencyKind, percent: f64) -> Option<Self> {
        let quantity = Quantity::Latency(kind, Statistic::Percentile(percent));
        let believed = |member: &Member| {
            let figure = member.test.figure(direction, quantity).filter(|figure| figure.is_believed())?;
            Some(RunValue::new(member.test, figure))
        };
        let runs: Vec<Vec<RunValue>> =
            pair.sides.iter().map(|members| members.iter().filter_map(believed).collect()).collect();
        let value = |runs: &Vec<RunValue>| {
            let values: Vec<f64> = runs.iter().map(|run| run.value).collect();
            (!values.is_empty()).then(|| mean(&values))
        };
        let values_ns: Vec<Option<f64>> = runs.iter().map(value).collect();
        let is_in_several = values_ns.iter().flatten().count() > 1;
        is_in_several.then_some(Self { point: Point { percent, values_ns }, runs })
    }

    /// Which of two groups is faster; `None` if one has no value, if both are nearly equal, or if the
    /// difference is within chance in 19 of 20 cases.
    fn faster(&self, one: usize, two: usize, kind: LatencyKind) -> Option<Faster> {
        let (mine, theirs) = self.point.values_ns[one].zip(self.point.values_ns[two])?;
        if mine <= 0.0 || theirs <= 0.0 {
            return None;
        }
        let ratio = mine.max(theirs) / mine.min(theirs);
        let is_clear = ratio >= ABOUT_THE_SAME;
        // A percentile reported on its own must not be a tie there and shorter here.
        let is_reported = self.point.percent == MIDDLE || JUDGED_PERCENTILES.contains(&self.point.percent);
        if ratio < TIE || (is_reported && !is_clear) {
            return None;
        }
        let quantity = Quantity::Latency(kind, Statistic::Percentile(self.point.percent));
        let error = ratio_error(&self.runs[one], &self.runs[two], quantity).map(|found| found.error);
        let distance = libm::fabs(libm::log(theirs / mine));
        // Known to be about equal is not a difference, as where it is judged.
        let is_apart = error
            .is_none_or(|error| distance > error.reach() && distance + error.reach() >= libm::log(ALIKE));
        is_apart.then_some(Faster { is_first: mine < theirs, is_clear })
    }
}

/// Which of two groups is faster.
#[derive(Debug, Clone, Copy)]
struct Faster {
    is_first: bool,
    /// Whether the difference is more than a tie.
    is_clear: bool,
}

/// Where two of the `groups` swap ranks. A group takes the lead only by a clear difference, and keeps it
/// until the other does.
fn crossings(points: &[PointRuns], kind: LatencyKind, groups: &[usize]) -> Vec<Crossing> {
    let mut all = Vec::new();
    for (at, &one) in groups.iter().enumerate() {
        for &two in &groups[at + 1..] {
            let mut last: Option<(bool, f64)> = None;
            for point_runs in points {
                let Some(Faster { is_first, is_clear }) = point_runs.faster(one, two, kind) else { continue };
                let changed = last.filter(|&(was, _)| was != is_first);
                if !is_clear && (last.is_none() || changed.is_some()) {
                    continue;
                }
                if let Some((_, from_percent)) = changed {
                    let (faster_above, faster_below) = if is_first { (one, two) } else { (two, one) };
                    let to_percent = point_runs.point.percent;
                    all.push(Crossing { faster_below, faster_above, from_percent, to_percent });
                }
                last = Some((is_first, point_runs.point.percent));
            }
        }
    }
    all
}
