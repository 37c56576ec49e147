//! Latencies of groups, percentile by percentile, and where one begins to wait longer than the other.

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

/// Values that differ by less than this factor do not tell which is lower: histograms have buckets of 1/128.
const TIE: f64 = 1.02;
/// A percentile that is told by itself beside those that are judged.
const MIDDLE: f64 = 50.0;

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
    let figures = pair.sides.iter().flatten().flat_map(|member| &member.test.figures);
    let percent = |figure: &Figure| match figure.quantity {
        Quantity::Latency(of, Statistic::Percentile(percent)) if of == kind => Some(percent),
        _ => None,
    };
    let mut percents = unique(figures.filter(|figure| figure.direction == direction).filter_map(percent));
    percents.sort_by(f64::total_cmp);
    let told: Vec<Told> =
        percents.into_iter().filter_map(|percent| Told::of(pair, direction, kind, percent)).collect();
    // Of what was measured in another way no side is the faster one.
    let is_near = |group: &usize| pair.sides[*group].iter().any(Member::is_near);
    let alike: Vec<usize> = (0..pair.sides.len()).filter(|group| !is_near(group)).collect();
    let crossings = crossings(&told, kind, &alike);
    let points: Vec<Point> = told.into_iter().map(|told| told.point).collect();
    (!points.is_empty()).then_some(Distribution { direction, kind, points, crossings })
}

/// A point with the runs of each group behind it.
struct Told {
    point: Point,
    runs: Vec<Vec<RunValue>>,
}

impl Told {
    /// `None` where fewer than two groups have a value that can be believed.
    fn of(pair: &Pair, direction: Option<Direction>, kind: LatencyKind, percent: f64) -> Option<Self> {
        let quantity = Quantity::Latency(kind, Statistic::Percentile(percent));
        let believed = |member: &Member| {
            let figure = member.test.figure(direction, quantity).filter(|figure| figure.is_believed())?;
            Some(RunValue::of(member.test, figure))
        };
        let runs: Vec<Vec<RunValue>> =
            pair.sides.iter().map(|members| members.iter().filter_map(believed).collect()).collect();
        let value = |runs: &Vec<RunValue>| {
            let values: Vec<f64> = runs.iter().map(|run| run.value).collect();
            (!values.is_empty()).then(|| mean(&values))
        };
        let values_ns: Vec<Option<f64>> = runs.iter().map(value).collect();
        let is_of_several = values_ns.iter().flatten().count() > 1;
        is_of_several.then_some(Self { point: Point { percent, values_ns }, runs })
    }

    /// Which of two groups is faster; `None` where one has no value, where both are all but the same, and where they are no further
    /// apart than chance brings them in 19 of 20 cases.
    fn faster(&self, one: usize, two: usize, kind: LatencyKind) -> Option<Faster> {
        let (mine, theirs) = self.point.values_ns[one].zip(self.point.values_ns[two])?;
        if mine <= 0.0 || theirs <= 0.0 {
            return None;
        }
        let ratio = mine.max(theirs) / mine.min(theirs);
        let is_clear = ratio >= ABOUT_THE_SAME;
        // What is told by itself is not told as about the same there and as shorter here.
        let is_told = self.point.percent == MIDDLE || JUDGED_PERCENTILES.contains(&self.point.percent);
        if ratio < TIE || (is_told && !is_clear) {
            return None;
        }
        let quantity = Quantity::Latency(kind, Statistic::Percentile(self.point.percent));
        let error = ratio_error(&self.runs[one], &self.runs[two], quantity).map(|found| found.error);
        let distance = libm::fabs(libm::log(theirs / mine));
        // What is known to be alike is no difference, as where it is judged.
        let is_apart = error
            .is_none_or(|error| distance > error.reach() && distance + error.reach() >= libm::log(ALIKE));
        is_apart.then_some(Faster { is_first: mine < theirs, is_clear })
    }
}

/// Which of two groups is faster.
#[derive(Debug, Clone, Copy)]
struct Faster {
    is_first: bool,
    /// Whether they are not about the same.
    is_clear: bool,
}

/// Where two of the `groups` change places. One that is ahead must be clearly so, and is as long as the other is not.
fn crossings(all_told: &[Told], kind: LatencyKind, groups: &[usize]) -> Vec<Crossing> {
    let mut all = Vec::new();
    for (at, &one) in groups.iter().enumerate() {
        for &two in &groups[at + 1..] {
            let mut last: Option<(bool, f64)> = None;
            for told in all_told {
                let Some(Faster { is_first, is_clear }) = told.faster(one, two, kind) else { continue };
                let changed = last.filter(|&(was, _)| was != is_first);
                if !is_clear && (last.is_none() || changed.is_some()) {
                    continue;
                }
                if let Some((_, from_percent)) = changed {
                    let (faster_above, faster_below) = if is_first { (one, two) } else { (two, one) };
                    let to_percent = told.point.percent;
                    all.push(Crossing { faster_below, faster_above, from_percent, to_percent });
                }
                last = Some((is_first, told.point.percent));
            }
        }
    }
    all
}
