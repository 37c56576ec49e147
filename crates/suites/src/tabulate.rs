//! Table cells from the results of steps.

use cardiograph_core::report::StepResult;
use cardiograph_core::table::{Cell, CellUnit, Column, TableRow};
use cardiograph_core::{Direction, Estimate, Message, message};
use serde::Deserialize;

use crate::figure::{Figure, doubt_of, estimate};

/// A column.
pub(crate) fn column(heading: Message, unit: CellUnit) -> Column {
    Column { heading, unit }
}

/// A row.
pub(crate) fn row(name: Message, cells: Vec<Cell>) -> TableRow {
    TableRow { name, cells }
}

/// A cell without a figure, with the reason.
pub(crate) const fn absent(why: Message) -> Cell {
    Cell::Absent { why }
}

/// No step for it was run.
pub(crate) const NOT_RUN: Message = message!("table-absent.not-run");
/// No I/O completed.
pub(crate) const NOTHING_COMPLETED: Message = message!("table-absent.nothing-completed");
/// A percentile with too few samples above it.
pub(crate) const TOO_FEW_SAMPLES: Message = message!("table-absent.too-few-samples");
/// A combination that was not measured.
pub(crate) const NOT_MEASURED: Message = message!("table-absent.not-measured");

/// A figure of the step `id`.
pub(crate) fn figure(done: &[StepResult], id: &str, figure: Figure) -> Cell {
    match done.iter().find(|step| step.step.id == id) {
        Some(step) => figure_of(step, figure),
        None => absent(NOT_RUN),
    }
}

/// A figure of a step.
pub(crate) fn figure_of(step: &StepResult, figure: Figure) -> Cell {
    match estimate(step, figure) {
        Some(estimate) => {
            Cell::Figure { estimate, step: step.step.id.clone(), doubt: doubt_of(step, figure) }
        }
        None => absent(match figure {
            Figure::Percentile(..) => TOO_FEW_SAMPLES,
            _ => NOTHING_COMPLETED,
        }),
    }
}

/// A figure of all I/Os of a step that reads and writes at once: the sum of both directions, each over its own time. The
/// interval comes from the sums of the windows, because one direction may gain at the expense of the other.
pub(crate) fn total(step: &StepResult, figure_of: fn(Direction) -> Figure) -> Cell {
    const BOTH: [Direction; 2] = [Direction::Read, Direction::Write];
    let estimates: Option<Vec<Estimate>> =
        BOTH.into_iter().map(|direction| estimate(step, figure_of(direction))).collect();
    let (Some(estimates), Some(result)) = (estimates, &step.result) else {
        return absent(NOTHING_COMPLETED);
    };
    let series = result.series();
    let windows = BOTH.map(|direction| match figure_of(direction) {
        Figure::Bandwidth(_) => series.bandwidth_bytes_per_s(direction),
        _ => series.iops(direction),
    });
    let at = |windows: &[f64], index: usize| windows.get(index).copied().unwrap_or(0.0);
    let len = windows[0].len().max(windows[1].len());
    let sums: Vec<f64> = (0..len).map(|index| at(&windows[0], index) + at(&windows[1], index)).collect();
    let value = estimates.iter().map(|estimate| estimate.value).sum();
    Cell::Figure {
        estimate: Estimate::rate(value, &sums),
        step: step.step.id.clone(),
        doubt: BOTH.into_iter().find_map(|direction| doubt_of(step, figure_of(direction))),
    }
}

/// How several tries are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Over {
    /// Their mean.
    Mean,
    /// The highest.
    Best,
}

/// A figure over several tries. The interval of a mean comes from their spread; the best of several has none, because
/// another try may be better.
pub(crate) fn over_tries(tries: &[&StepResult], figure: Figure, over: Over) -> Cell {
    let estimates: Vec<Estimate> = tries.iter().filter_map(|step| estimate(step, figure)).collect();
    let (Some(first), false) = (tries.first(), estimates.is_empty()) else { return absent(NOT_RUN) };
    let values: Vec<f64> = estimates.iter().map(|estimate| estimate.value).collect();
    let doubt = tries.iter().find_map(|step| doubt_of(step, figure));
    let estimate = match over {
        Over::Mean => Estimate::mean(&values),
        Over::Best => {
            let best = values.iter().copied().fold(f64::MIN, f64::max);
            Estimate::bare(best, values.len() as u64)
        }
    };
    Cell::Figure { estimate, step: first.step.id.clone(), doubt }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Options;
    use crate::testing::{GB, SLOW_CARD, card, run_all, suite};

    #[test]
    fn cells_name_their_step() {
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        let done = run_all(&crate::Quick, &drive, &options, &SLOW_CARD);
        let iops = Figure::Iops(Direction::Read);
        let Cell::Figure { estimate, step, doubt } = figure(&done, "random-read", iops) else {
            panic!("no figure")
        };
        assert_eq!((estimate.value.round(), step.as_str(), doubt), (3_800.0, "random-read", None));
        assert_eq!(figure(&done, "nothing", iops), absent(NOT_RUN));
        let both: Vec<&StepResult> =
            done.iter().filter(|step| step.step.id.starts_with("random-read")).collect();
        let value = |over| match over_tries(&both, iops, over) {
            Cell::Figure { estimate, .. } => estimate.value.round(),
            cell => panic!("{cell:?}"),
        };
        assert_eq!((value(Over::Mean), value(Over::Best)), (4_400.0, 5_000.0));
    }

    #[test]
    fn the_interval_of_a_total_comes_from_the_sums() {
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        let mut done = run_all(suite("yabs"), &drive, &options, &SLOW_CARD);
        let step = done.iter_mut().find(|step| step.step.id == "4k").unwrap();
        let result = step.result.as_mut().unwrap();
        result.workers.truncate(1);
        // What reads gain, writes lose.
        let series = &mut result.workers[0].series;
        series.window_ns = 100_000_000;
        series.duration_ns = 40 * series.window_ns;
        let row = |bytes| cardiograph_core::series::Interval { bytes, ios: 1, ..Default::default() };
        series.rows.read = (0..40).map(|at| row(1_000 + at % 7 * 100)).collect();
        series.rows.write = (0..40).map(|at| row(2_000 - at % 7 * 100)).collect();
        step.figures = None;
        let half_width = |cell| match cell {
            Cell::Figure { estimate, doubt: None, .. } => estimate.high.unwrap() - estimate.value,
            cell => panic!("{cell:?}"),
        };
        let read = half_width(figure_of(step, Figure::Bandwidth(Direction::Read)));
        let both = half_width(total(step, Figure::Bandwidth));
        assert!(read > 0.0 && both == 0.0, "{read} {both}");
    }
}
