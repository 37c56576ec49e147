//! Precision of a group's value.

use cardiograph_core::direction::Direction;
use cardiograph_core::imported::Figure;
use cardiograph_core::long_run::WAVES;
use cardiograph_core::method::Method;
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::series::Spread;
use cardiograph_core::stats::student_t_quantile;

use super::Basis;
use crate::record::TestFigures;

/// Values with three digits, as most programs print them, or in buckets of 1/128, are no more precise than
/// this share.
const RESOLUTION: f64 = 0.003;
/// Settings that pace a job, so that its rate does not determine its latencies.
const PACED_BY: [&str; 3] = ["rate", "rate_iops", "thinktime"];
/// The highest percentile that is not part of the tail.
const BODY_PERCENTILE_MAX: f64 = 95.0;

/// Assumed spread of runs of one drive when each side has only one: the standard deviation between runs as a
/// share of the value. Temperature, file location and other activity vary between runs; tail latencies more
/// than the rest. No source gives a value for all drives. These are chosen so that what a second run may well
/// reverse is not reported as a difference: for rates, anything below about a tenth.
pub const fn assumed_spread(quantity: Quantity) -> f64 {
    match quantity {
        Quantity::Latency(_, Statistic::Percentile(percent)) if percent > BODY_PERCENTILE_MAX => 0.10,
        Quantity::Latency(_, Statistic::Percentile(_)) => 0.05,
        _ => 0.03,
    }
}

/// A figure of one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RunValue {
    /// The value.
    pub value: f64,
    /// Its precision within the run, if known.
    pub within: Option<Error>,
}

/// A standard error as a share of the value, with its degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Error {
    pub share: f64,
    pub freedom: f64,
}

/// The error of a ratio of two values, as that of its logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RatioError {
    pub basis: Basis,
    pub error: Error,
    /// The same without the assumed spread; `None` if nothing was assumed.
    pub within_runs: Option<Error>,
}

impl Error {
    /// Half width of the 95 % interval.
    pub fn reach(self) -> f64 {
        student_t_quantile(0.975, self.freedom) * self.share
    }
}

impl RunValue {
    /// The value of a figure of a test.
    pub fn new(test: &TestFigures, figure: &Figure) -> Self {
        let value = figure.estimate.value;
        let within = if value > 0.0 { within(test, figure) } else { None };
        Self { value, within }
    }
}

fn within(test: &TestFigures, figure: &Figure) -> Option<Error> {
    match figure.quantity {
        Quantity::Latency(_, Statistic::Mean) => mean_latency(test, figure).map(|(error, _)| error),
        Quantity::Latency(kind, Statistic::Percentile(_)) => {
            // Its interval assumes independent latencies. They are not: a percentile loses at most as much
            // precision as the mean.
            let mean = test.figure(figure.direction, Quantity::Latency(kind, Statistic::Mean))?;
            let (_, effect) = mean_latency(test, mean)?;
            let error = interval(figure)?;
            Some(Error { share: error.share * libm::sqrt(effect), ..error })
        }
        _ => interval(figure),
    }
}

/// Whether I/Os are paced instead of issued as fast as possible.
pub(super) fn is_paced(method: &Method) -> bool {
    PACED_BY.iter().any(|setting| method.others.contains_key(*setting))
}

/// The error corresponding to a 95 % interval.
fn interval(figure: &Figure) -> Option<Error> {
    let estimate = &figure.estimate;
    let (low, high) = (estimate.low?, estimate.high?);
    let half_width = (high - estimate.value).max(estimate.value - low);
    let freedom = (estimate.n_effective - 1.0).clamp(1.0, WAVES as f64);
    let share = half_width / student_t_quantile(0.975, freedom) / estimate.value;
    share.is_finite().then_some(Error { share, freedom })
}

/// The error of a mean latency, and the factor of its variance over that of as many independent latencies
/// (the design effect, Kish 1965). At constant queue depth the mean latency is that depth divided by the
/// rate, so both are equally precise.
fn mean_latency(test: &TestFigures, mean: &Figure) -> Option<(Error, f64)> {
    let Quantity::Latency(kind, _) = mean.quantity else { return None };
    if is_paced(&test.method) {
        return None;
    }
    let rate_direction = mean.direction.map(Direction::counted_with);
    let rates = [Quantity::Iops, Quantity::Bandwidth];
    let rate = rates.iter().find_map(|&rate| interval(test.figure(rate_direction, rate)?))?;
    let stdev = test.figure(mean.direction, Quantity::Latency(kind, Statistic::Stdev))?.estimate.value;
    let n = mean.estimate.n;
    if n == 0 {
        return None;
    }
    let independent = stdev / mean.estimate.value / libm::sqrt(n as f64);
    let share = rate.share.max(independent);
    let effect = if independent > 0.0 { share * share / (independent * independent) } else { 1.0 };
    Some((Error { share, ..rate }, effect))
}

/// The factor of the variance of a mean latency over that of as many independent ones; `None` if it is not known.
pub(crate) fn design_effect(
    test: &TestFigures,
    direction: Option<Direction>,
    kind: LatencyKind,
) -> Option<f64> {
    let mean = test.figure(direction, Quantity::Latency(kind, Statistic::Mean))?;
    mean_latency(test, mean).map(|(_, effect)| effect)
}

/// The error of the ratio of two groups' values; `None` if too little is known. All values are above 0.
pub(super) fn ratio_error(base: &[RunValue], other: &[RunValue], quantity: Quantity) -> Option<RatioError> {
    match (spread(base), spread(other)) {
        (Some(mine), Some(theirs)) => {
            let error_of_mean = |spread: Error, runs: &[RunValue]| Error {
                share: spread.share / libm::sqrt(runs.len() as f64),
                ..spread
            };
            let error = both(&[error_of_mean(mine, base), error_of_mean(theirs, other)]);
            Some(RatioError { basis: Basis::BetweenRuns, error, within_runs: None })
        }
        (Some(spread), None) => one_sided_error(spread, base, other),
        (None, Some(spread)) => one_sided_error(spread, other, base),
        (None, None) => {
            let (mine, theirs) = (base.first()?.within?, other.first()?.within?);
            let assumed = Error { share: assumed_spread(quantity), freedom: f64::INFINITY };
            Some(RatioError {
                basis: Basis::WithinRun,
                error: both(&[mine, theirs, assumed, assumed]),
                within_runs: Some(both(&[mine, theirs])),
            })
        }
    }
}

/// One run compared with several, whose spread it is assumed to have.
fn one_sided_error(spread: Error, several: &[RunValue], one: &[RunValue]) -> Option<RatioError> {
    let within = one.first()?.within.map_or(0.0, |error| error.share);
    let single = spread.share.max(within);
    let variance_of_mean = spread.share * spread.share / several.len() as f64;
    let error = Error { share: libm::sqrt(variance_of_mean + single * single), ..spread };
    Some(RatioError { basis: Basis::RunsOfOneSide, error, within_runs: None })
}

/// Spread of runs as a share of their mean; `None` for a single one. Runs that agree are no more precise than
/// their digits.
fn spread(runs: &[RunValue]) -> Option<Error> {
    let values: Vec<f64> = runs.iter().map(|run| run.value).collect();
    let between = Spread::from_values(&values).filter(|spread| spread.n > 1)?;
    let share = (between.stdev / between.mean).max(RESOLUTION);
    Some(Error { share, freedom: runs.len() as f64 - 1.0 })
}

/// Combines independent errors, with Satterthwaite's degrees of freedom (1946).
fn both(errors: &[Error]) -> Error {
    let variance: f64 = errors.iter().map(|error| error.share * error.share).sum();
    let squares: f64 = errors.iter().map(|error| libm::pow(error.share, 4.0) / error.freedom).sum();
    let freedom = if squares > 0.0 { variance * variance / squares } else { f64::INFINITY };
    Error { share: libm::sqrt(variance), freedom: freedom.max(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(values: &[f64]) -> Vec<RunValue> {
        values.iter().map(|&value| RunValue { value, within: None }).collect()
    }

    #[test]
    fn errors_of_two_groups_follow_welch() {
        // Means 10 and 20 with deviations 1 and 4 of three runs each: relative variances of the means 1/300 and 4/300.
        let found =
            ratio_error(&runs(&[9.0, 10.0, 11.0]), &runs(&[16.0, 20.0, 24.0]), Quantity::Iops).unwrap();
        assert_eq!(found.basis, Basis::BetweenRuns);
        assert!((found.error.share - libm::sqrt(5.0 / 300.0)).abs() < 1e-12, "{found:?}");
        assert!((found.error.freedom - 25.0 * 2.0 / 17.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn a_single_run_gets_the_spread_of_the_other_side() {
        let found = ratio_error(&runs(&[9.0, 10.0, 11.0]), &runs(&[20.0]), Quantity::Iops).unwrap();
        assert_eq!((found.basis, found.error.freedom), (Basis::RunsOfOneSide, 2.0));
        assert!((found.error.share - 0.1 * libm::sqrt(4.0 / 3.0)).abs() < 1e-12);
        let turned = ratio_error(&runs(&[20.0]), &runs(&[9.0, 10.0, 11.0]), Quantity::Iops);
        assert_eq!(turned, Some(found));
    }

    #[test]
    fn single_runs_need_an_interval_and_get_an_assumed_spread() {
        assert_eq!(ratio_error(&runs(&[9.0]), &runs(&[10.0]), Quantity::Iops), None);
        let known = RunValue { value: 9.0, within: Some(Error { share: 0.01, freedom: 8.0 }) };
        let found = ratio_error(&[known], &[known], Quantity::Iops).unwrap();
        assert_eq!(found.basis, Basis::WithinRun);
        assert!((found.error.share - libm::sqrt(2.0 * (0.0001 + 0.0009))).abs() < 1e-12);
        assert!((found.within_runs.unwrap().share - libm::sqrt(0.0002)).abs() < 1e-12);
        assert!(found.error.freedom > 100.0, "most of it is assumed");
    }

    #[test]
    fn equal_runs_are_as_precise_as_their_digits() {
        assert_eq!(spread(&runs(&[10.0, 10.0])).unwrap().share, RESOLUTION);
        assert_eq!(spread(&runs(&[10.0])), None);
    }
}
