//! From the results of steps to the cells of a table.

use cardiograph_core::Estimate;
use cardiograph_core::report::StepResult;
use cardiograph_core::table::{Cell, CellUnit, Column, TableRow};

use crate::measure::{Figure, doubt_of, estimate};
use crate::suite::Context;

/// A column.
pub(crate) fn column(heading: &str, unit: CellUnit) -> Column {
    Column { heading: heading.to_string(), unit }
}

/// A row.
pub(crate) fn row(name: &str, cells: Vec<Cell>) -> TableRow {
    TableRow { name: name.to_string(), cells }
}

/// A cell that has no figure, and why.
pub(crate) fn absent(why: impl Into<String>) -> Cell {
    Cell::Absent { why: why.into() }
}

/// A figure of the step `id`.
pub(crate) fn figure(context: &Context<'_>, done: &[StepResult], id: &str, figure: Figure) -> Cell {
    match done.iter().find(|step| step.step.id == id) {
        Some(step) => figure_of(context, step, figure),
        None => absent("not run"),
    }
}

/// A figure of a step.
pub(crate) fn figure_of(context: &Context<'_>, step: &StepResult, figure: Figure) -> Cell {
    match estimate(step, figure) {
        Some(estimate) => {
            Cell::Figure { estimate, step: step.step.id.clone(), doubt: doubt_of(context, step, figure) }
        }
        None => absent(match figure {
            Figure::Percentile(..) => "too few samples",
            _ => "nothing completed",
        }),
    }
}

/// What several tries come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    /// Their mean.
    Mean,
    /// The highest.
    Best,
}

/// A figure over several tries. The interval of a mean comes from the spread between them; the best of several has
/// none, as one more may be better.
pub(crate) fn over_tries(context: &Context<'_>, tries: &[&StepResult], figure: Figure, over: Over) -> Cell {
    let estimates: Vec<Estimate> = tries.iter().filter_map(|step| estimate(step, figure)).collect();
    let (Some(first), false) = (tries.first(), estimates.is_empty()) else { return absent("not run") };
    let values: Vec<f64> = estimates.iter().map(|estimate| estimate.value).collect();
    let doubt = tries.iter().find_map(|step| doubt_of(context, step, figure));
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
    use cardiograph_core::Direction;

    use super::*;
    use crate::suite::Options;
    use crate::testing::{GB, SLOW_CARD, card, run_all, with_context};

    #[test]
    fn cells_say_where_they_come_from() {
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        let done = run_all(&crate::Quick, &drive, &options, &SLOW_CARD);
        let iops = Figure::Iops(Direction::Read);
        with_context(&drive, &options, |context| {
            let Cell::Figure { estimate, step, doubt } = figure(context, &done, "random-read", iops) else {
                panic!("no figure")
            };
            assert_eq!((estimate.value.round(), step.as_str(), doubt), (3_800.0, "random-read", None));
            assert_eq!(figure(context, &done, "nothing", iops), absent("not run"));
            let both: Vec<&StepResult> =
                done.iter().filter(|of| of.step.id.starts_with("random-read")).collect();
            let value = |over| match over_tries(context, &both, iops, over) {
                Cell::Figure { estimate, .. } => estimate.value.round(),
                cell => panic!("{cell:?}"),
            };
            assert_eq!((value(Over::Mean), value(Over::Best)), (4_400.0, 5_000.0));
        });
    }
}
