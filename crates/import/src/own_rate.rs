//! How well a run's own rate is known, from its windows.

use cardiograph_core::estimate::Estimate;
use cardiograph_core::imported::{Figure, Imported};
use cardiograph_core::message;
use cardiograph_core::message::Message;
use cardiograph_core::method::Method;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::report::{StepResult, Work};

/// Windows whose mean is farther from the rate, as a share of it, are of something else: of another job, or of a part
/// of the run.
const APART: f64 = 0.2;

/// Gives the rates of an imported step their intervals. Returns a note if these assume how windows are correlated.
pub(super) fn add_intervals(step: &mut StepResult) -> Option<Message> {
    let (Some(imported), Work::Imported(method)) = (&mut step.imported, &step.step.work) else { return None };
    let mut is_assumed = false;
    for at in 0..imported.figures.len() {
        let rate = &imported.figures[at];
        if rate.estimate.low.is_some() {
            continue;
        }
        let ordered = from_series(rate, imported);
        let found = ordered.or_else(|| {
            from_statistics(rate, imported, method).inspect(|found| is_assumed |= found.low.is_some())
        });
        imported.figures[at].estimate = found.unwrap_or(rate.estimate);
    }
    is_assumed.then(|| message!("import-text.windows-assumed"))
}

fn from_series(rate: &Figure, imported: &Imported) -> Option<Estimate> {
    let (series, direction) = (imported.series.as_ref()?, rate.direction?);
    let windows = match rate.quantity {
        Quantity::Bandwidth => series.bandwidth_bytes_per_s(direction),
        Quantity::Iops => series.iops(direction),
        _ => return None,
    };
    let mean = cardiograph_core::stats::mean(&windows);
    (!windows.is_empty() && is_about(mean, rate)).then(|| Estimate::rate(rate.estimate.value, &windows))
}

/// From mean, deviation and number of the windows. fio adds up the means of jobs that it reports together, or prints
/// that of one job; its deviation and the number of windows are those of all jobs. In the worst case all jobs are
/// slow in the same windows.
fn from_statistics(rate: &Figure, imported: &Imported, method: &Method) -> Option<Estimate> {
    let of: fn(Statistic) -> Quantity = match rate.quantity {
        Quantity::Bandwidth => Quantity::WindowBandwidth,
        Quantity::Iops => Quantity::WindowIops,
        _ => return None,
    };
    let window = |statistic| {
        let is_it = |one: &&Figure| one.direction == rate.direction && one.quantity == of(statistic);
        imported.figures.iter().find(is_it).map(|one| one.estimate)
    };
    let (mean, stdev) = (window(Statistic::Mean)?, window(Statistic::Stdev)?);
    let jobs = method.jobs.unwrap_or(1).max(1);
    let is_its_mean = is_about(mean.value, rate) || is_about(mean.value * jobs as f64, rate);
    is_its_mean
        .then(|| Estimate::rate_of_unordered(rate.estimate.value, stdev.value * jobs as f64, mean.n / jobs))
}

fn is_about(mean: f64, rate: &Figure) -> bool {
    (mean - rate.estimate.value).abs() <= APART * rate.estimate.value
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::report::{Step, StepOutcome};
    use cardiograph_core::series::{Interval, Series};

    use super::*;

    const READ: Option<Direction> = Some(Direction::Read);

    /// Half the width of the bandwidth's interval, and whether a note was needed.
    fn known(windows: (f64, f64, u64), jobs: Option<u64>, series: Option<Series>) -> (Option<f64>, bool) {
        let (mean, stdev, n) = windows;
        let figure = |quantity, value, n| Figure::bare(READ, quantity, value, n);
        let figures = vec![
            figure(Quantity::Bandwidth, 100.0, 0),
            figure(Quantity::Runtime, 1e9, 0),
            figure(Quantity::WindowBandwidth(Statistic::Mean), mean, n),
            figure(Quantity::WindowBandwidth(Statistic::Stdev), stdev, n),
        ];
        let work = Work::Imported(Method { jobs, ..Method::default() });
        let step = Step::measuring("a", Message::default(), work);
        let imported = Imported { figures, series, ..Imported::default() };
        let mut step = StepResult { imported: Some(imported), ..StepResult::new(step, StepOutcome::Done) };
        let note = add_intervals(&mut step);
        let figures = step.imported.unwrap().figures;
        assert!(figures[1..].iter().all(|figure| figure.estimate.low.is_none()));
        (figures[0].estimate.high.map(|high| high - 100.0), note.is_some())
    }

    #[test]
    fn rates_have_intervals_from_their_windows() {
        let (one, is_noted) = known((101.0, 10.0, 240), Some(1), None);
        // Student's t with 59 degrees of freedom is 2.001.
        let one = one.unwrap();
        assert!(is_noted && (one - 2.001 * 10.0 / 60.0_f64.sqrt()).abs() < 1e-3, "{one}");
        let wider = |jobs, mean| known((mean, 10.0, 240), Some(jobs), None).0.unwrap() / one;
        // Four jobs may all be slow at once, and have a fourth of the windows each.
        for mean in [100.0, 25.0] {
            assert!((8.0..9.0).contains(&wider(4, mean)), "{mean}");
        }
        for (windows, jobs) in [
            ((101.0, 10.0, 7), Some(1)),
            ((101.0, 10.0, 0), None),
            ((101.0, 10.0, 16), Some(4)),
            // Windows of something else.
            ((50.0, 10.0, 240), Some(1)),
            ((25.0, 10.0, 240), None),
        ] {
            assert_eq!(known(windows, jobs, None), (None, false), "{windows:?} {jobs:?}");
        }
    }

    #[test]
    fn windows_in_order_need_no_assumption() {
        let of = |bytes: u64| Interval { ios: 1, bytes, ..Interval::default() };
        let mut series =
            Series { window_ns: 1_000_000_000, duration_ns: 20_000_000_000, ..Series::default() };
        series.rows.read = (0..20).map(|at| of([90, 110, 105, 95][at % 4])).collect();
        let (width, is_noted) = known((100.0, 10.0, 20), Some(1), Some(series.clone()));
        assert!(width.is_some_and(|width| width < 5.0) && !is_noted, "{width:?}");
        series.rows.read.truncate(5);
        series.duration_ns = 5_000_000_000;
        assert_eq!(known((100.0, 10.0, 5), Some(1), Some(series)), (None, false));
    }
}
