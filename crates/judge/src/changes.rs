//! What changed in a drive: each deciding figure of a checkup against those of earlier checkups with the same suite.
//!
//! The logarithms of earlier values have a mean and a deviation; a new value outside their prediction interval is a
//! change, and the values from there on are what later ones are compared with. The interval is wide enough that an
//! unchanged drive with normally distributed logarithms raises an alarm in one checkup of a hundred, whatever the number of
//! figures (Bonferroni). A trend since the last change is a line through the logarithms that is not flat, at the same rate.

use std::collections::BTreeSet;

use cardiograph_core::metric::{Metric, Unit};
use cardiograph_core::stats::{mean, student_t_tails};

use crate::record::RunFigures;

/// Probability that a checkup of an unchanged drive reports any change, and that a drive's checkups report any trend.
pub const FALSE_ALARM: f64 = 0.01;
/// Earlier values below which nothing is known of how they vary.
const EARLIER_MIN: usize = 2;
/// Values below which nothing is known of a trend.
pub const TREND_MIN: usize = 5;
/// Smaller changes are of no interest, however certain they are.
const CHANGE_MIN: f64 = 0.05;
/// Tests whose lengths differ by more are not alike.
const ALIKE_TIMES: f64 = 1.5;
/// Least deviation of logarithms that is assumed: equal values do not prove that others are impossible.
const DEVIATION_MIN: f64 = 0.01;

/// A figure that changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The figure.
    pub metric: Metric,
    /// Geometric mean of the values before.
    pub before: f64,
    /// The value now.
    pub after: f64,
    /// Start of the last checkup before, in milliseconds since 1970.
    pub since_unix_ms: u64,
    /// Number of checkups before.
    pub checkups: usize,
}

impl Change {
    /// The value now as a multiple of the one before.
    pub fn factor(&self) -> f64 {
        self.after / self.before
    }
}

/// What changed in the `latest` checkup, largest changes first. `earlier` ones are of the same drive and suite, oldest first.
pub fn changes(earlier: &[RunFigures], latest: &RunFigures) -> Vec<Change> {
    let metrics = latest.measurements.keys().copied().filter(|&metric| !is_fact(metric));
    let known = metrics.filter_map(|metric| {
        let now = value(latest, metric)?;
        let before = series(earlier, latest, metric);
        (before.len() >= EARLIER_MIN).then_some((metric, before, now))
    });
    let known: Vec<Known> = known.collect();
    let tested = known.len();
    let change = |(metric, before, now): Known| {
        let values: Vec<f64> = before.iter().map(|(_, value)| *value).chain([now]).collect();
        let points = change_points(&values, tested);
        let (&last, others) = points.split_last()?;
        let first = others.last().copied().unwrap_or(0);
        let until = before.len();
        (last == until).then(|| change_after(metric, &before[first..], now))
    };
    let mut changes: Vec<Change> = known.into_iter().filter_map(change).collect();
    let size = |change: &Change| libm::fabs(libm::log(change.factor()));
    changes.sort_by(|a, b| size(b).total_cmp(&size(a)));
    changes
}

/// A change to a value, `before` which there were others.
fn change_after(metric: Metric, before: &[(u64, f64)], after: f64) -> Change {
    let values: Vec<f64> = before.iter().map(|(_, value)| *value).collect();
    Change {
        metric,
        before: libm::exp(mean(&logarithms(&values))),
        after,
        since_unix_ms: before.last().map_or(0, |(unix_ms, _)| *unix_ms),
        checkups: before.len(),
    }
}

/// A figure over the checkups of a drive with one suite.
#[derive(Debug, Clone, PartialEq)]
pub struct Timeline {
    /// The figure.
    pub metric: Metric,
    /// Start of each checkup that has it, in milliseconds since 1970, and its value.
    pub values: Vec<(u64, f64)>,
    /// Its changes, each with the start of the first checkup after it.
    pub changes: Vec<(u64, Change)>,
    /// The factor by which it drifted since its last change; `None` if that is no more than chance.
    pub trend: Option<f64>,
}

/// How each deciding figure went over `runs` of one drive and suite, oldest first.
pub fn timelines(runs: &[RunFigures]) -> Vec<Timeline> {
    let metrics: BTreeSet<Metric> = runs.iter().flat_map(|run| run.measurements.keys().copied()).collect();
    let known = metrics.into_iter().filter(|metric| !is_fact(*metric)).map(|metric| {
        let latest = runs.iter().rfind(|run| value(run, metric).is_some());
        (metric, latest.map_or_else(Vec::new, |latest| series(runs, latest, metric)))
    });
    let known: Vec<_> = known.filter(|(_, values)| !values.is_empty()).collect();
    let tested = known.iter().filter(|(_, values)| values.len() > EARLIER_MIN).count();
    let timeline = |(metric, values): (Metric, Vec<(u64, f64)>)| {
        let points = change_points(&values.iter().map(|(_, value)| *value).collect::<Vec<_>>(), tested);
        let begins = std::iter::once(0).chain(points.iter().copied());
        let changes = begins
            .zip(&points)
            .map(|(first, &at)| (values[at].0, change_after(metric, &values[first..at], values[at].1)));
        let changes = changes.collect();
        let trend = trend(&values[points.last().copied().unwrap_or(0)..], tested);
        Timeline { metric, values, changes, trend }
    };
    known.into_iter().map(timeline).collect()
}

/// The factor from the first to the last value on a line through their logarithms; `None` if it is flat but for chance.
fn trend(values: &[(u64, f64)], tested: usize) -> Option<f64> {
    let (first, last) = (values.first()?.0, values.last()?.0);
    let logarithms = logarithms(&values.iter().map(|(_, value)| *value).collect::<Vec<_>>());
    let times: Vec<f64> = values.iter().map(|(unix_ms, _)| unix_ms.saturating_sub(first) as f64).collect();
    let (middle, level, n) = (mean(&times), mean(&logarithms), values.len() as f64);
    let from_middle =
        || times.iter().map(|time| time - middle).zip(logarithms.iter().map(|value| value - level));
    let spread: f64 = from_middle().map(|(time, _)| time * time).sum();
    if values.len() < TREND_MIN || spread <= 0.0 {
        return None;
    }
    let slope = from_middle().map(|(time, value)| time * value).sum::<f64>() / spread;
    let squares: f64 =
        from_middle().map(|(time, value)| (value - slope * time) * (value - slope * time)).sum();
    let deviation = libm::sqrt(squares / (n - 2.0)).max(DEVIATION_MIN) / libm::sqrt(spread);
    let change = slope * last.saturating_sub(first) as f64;
    let is_large = libm::fabs(change) > libm::log(1.0 + CHANGE_MIN);
    (is_large && is_unlikely(slope / deviation, n - 2.0, tested)).then(|| libm::exp(change))
}

/// A figure, its earlier values with the start of their checkups, and the value now.
type Known = (Metric, Vec<(u64, f64)>, f64);

/// A metric that a drive states or that is counted, which does not drift.
fn is_fact(metric: Metric) -> bool {
    matches!(metric.unit(), Unit::Bytes | Unit::Count)
}

/// A figure of the runs that measured it as the latest does, each with its start.
fn series(runs: &[RunFigures], latest: &RunFigures, metric: Metric) -> Vec<(u64, f64)> {
    let alike = runs.iter().filter(|run| is_alike(run, latest, metric));
    alike.filter_map(|run| Some((run.run.started_unix_ms, value(run, metric)?))).collect()
}

/// Whether a figure was measured for about as long: a shorter test may lie within a cache that a longer one fills.
fn is_alike(run: &RunFigures, latest: &RunFigures, metric: Metric) -> bool {
    let time_ns = |run: &RunFigures| {
        let step = &run.measurements.get(&metric)?.step;
        run.tests.iter().find(|test| test.test == *step)?.method.time_ns
    };
    let times = time_ns(run).zip(time_ns(latest));
    times.is_none_or(|(one, other)| are_alike(one, other))
}

/// Whether two lengths or amounts are about the same.
pub(crate) fn are_alike(one: u64, other: u64) -> bool {
    one.max(other) as f64 <= ALIKE_TIMES * one.min(other) as f64
}

/// A figure that can be trusted, above 0.
fn value(run: &RunFigures, metric: Metric) -> Option<f64> {
    let measured = run.measurements.get(&metric).filter(|measured| measured.doubt.is_none())?;
    Some(measured.estimate.value).filter(|value| *value > 0.0 && value.is_finite())
}

/// Where values change, by index; `tested` series are looked at together.
pub fn change_points(values: &[f64], tested: usize) -> Vec<usize> {
    let logarithms = logarithms(values);
    let (mut begin, mut points) = (0, Vec::new());
    for at in 0..logarithms.len() {
        if at - begin >= EARLIER_MIN && is_outside(&logarithms[begin..at], logarithms[at], tested) {
            points.push(at);
            begin = at;
        }
    }
    points
}

fn logarithms(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| libm::log(*value)).collect()
}

/// Whether a value is outside the prediction interval of earlier ones.
fn is_outside(earlier: &[f64], value: f64, tested: usize) -> bool {
    let (n, middle) = (earlier.len() as f64, mean(earlier));
    let squares = earlier.iter().map(|earlier| (earlier - middle) * (earlier - middle));
    let deviation = libm::sqrt(squares.sum::<f64>() / (n - 1.0)).max(DEVIATION_MIN);
    let distance = libm::fabs(value - middle);
    distance > libm::log(1.0 + CHANGE_MIN)
        && is_unlikely(distance / (deviation * libm::sqrt(1.0 + 1.0 / n)), n - 1.0, tested)
}

/// Whether Student's t is this far from 0 in fewer cases than may be false alarms, of `tested` series.
fn is_unlikely(t: f64, degrees_of_freedom: f64, tested: usize) -> bool {
    student_t_tails(t, degrees_of_freedom) < FALSE_ALARM / tested.max(1) as f64
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Estimate;
    use cardiograph_core::metric::Measured;
    use cardiograph_core::report::Report;
    use cardiograph_core::rng::Rng;

    use super::*;

    fn run(started_unix_ms: u64, values: &[(Metric, f64)]) -> RunFigures {
        let mut run = RunFigures::from_report(&Report::new("id", started_unix_ms, "p", "quick"));
        for &(metric, value) in values {
            let measured =
                Measured { estimate: Estimate::bare(value, 1), step: "s".to_string(), doubt: None };
            run.measurements.insert(metric, measured);
        }
        run
    }

    #[test]
    fn an_unchanged_drive_raises_an_alarm_in_one_checkup_of_a_hundred() {
        const TRIALS: usize = 4_000;
        const METRICS: [Metric; 4] = [
            Metric::RandomReadIops,
            Metric::RandomWriteIops,
            Metric::DurableWriteIops,
            Metric::SequentialRead,
        ];
        let mut rng = Rng::new(1);
        for earlier in [2, 5, 9] {
            let mut alarms = 0;
            for _ in 0..TRIALS {
                let mut values = || METRICS.map(|metric| (metric, libm::exp(5.0 + 0.08 * rng.normal())));
                let runs: Vec<RunFigures> = (0..earlier).map(|at| run(at, &values())).collect();
                // The runs before may have raised one, too, which makes fewer of them count: rarely.
                alarms += usize::from(!changes(&runs, &run(earlier, &values())).is_empty());
            }
            let rate = alarms as f64 / TRIALS as f64;
            // Of two values the deviation is hardly known: only huge changes are more than chance.
            assert!(rate <= 0.018 && (rate >= 0.003 || earlier == 2), "{earlier}: {rate}");
        }
    }

    #[test]
    fn a_trend_of_an_unchanged_drive_is_as_rare() {
        let mut rng = Rng::new(2);
        let mut alarms = 0;
        for _ in 0..4_000 {
            let mut values =
                || (0..8).map(|at| (at, libm::exp(5.0 + 0.08 * rng.normal()))).collect::<Vec<_>>();
            let series = [values(), values(), values()];
            alarms += usize::from(series.iter().any(|values| trend(values, series.len()).is_some()));
        }
        let rate = f64::from(alarms as u32) / 4_000.0;
        assert!((0.003..=0.018).contains(&rate), "{rate}");
    }

    #[test]
    fn timelines_have_changes_with_dates_and_a_trend_after_them() {
        let metric = Metric::RandomWriteIops;
        let values = [390.0, 395.0, 388.0, 392.0, 230.0, 225.0, 219.0, 214.0, 208.0, 203.0];
        let runs: Vec<RunFigures> = values
            .iter()
            .zip(0..)
            .map(|(value, at)| run(at, &[(metric, *value), (Metric::Capacity, 64e9)]))
            .collect();
        let [timeline] = &timelines(&runs)[..] else { panic!("one figure") };
        assert_eq!(timeline.values.len(), 10);
        let (at, change) = &timeline.changes[0];
        assert_eq!((*at, change.since_unix_ms, change.checkups, change.after), (4, 3, 4, 230.0));
        assert!(
            timeline.changes.len() == 1 && timeline.trend.is_some_and(|trend| (0.87..0.9).contains(&trend))
        );
    }

    #[test]
    fn a_change_is_found_and_becomes_what_later_ones_are_compared_with() {
        let values = [390.0, 395.0, 388.0, 392.0, 230.0, 232.0, 229.0];
        assert_eq!(change_points(&values, 6), [4]);
        assert!(change_points(&values[..4], 6).is_empty());
        // Too little is known of how one value varies, and small changes are of no interest.
        assert!(change_points(&[390.0, 230.0], 1).is_empty());
        assert!(change_points(&[390.0, 390.0, 390.0, 390.0, 390.0, 405.0], 1).is_empty());

        let metric = Metric::RandomWriteIops;
        let runs: Vec<RunFigures> =
            (0..4).map(|at| run(at, &[(metric, values[at as usize]), (Metric::Capacity, 64e9)])).collect();
        let [change] = &changes(&runs, &run(9, &[(metric, 230.0)]))[..] else { panic!("one change") };
        assert_eq!((change.metric, change.since_unix_ms, change.checkups), (metric, 3, 4));
        assert!((change.factor() - 0.588).abs() < 0.001, "{}", change.factor());
        let mut doubtful = run(9, &[(metric, 230.0)]);
        doubtful.measurements.get_mut(&metric).unwrap().doubt = Some(cardiograph_core::Doubt::PageCache);
        assert_eq!(changes(&runs, &doubtful), []);
    }
}
