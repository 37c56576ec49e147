//! The matrices of a sweep.

use cardiograph_core::report::StepResult;
use cardiograph_core::table::{Cell as TableCell, CellUnit, Table};
use cardiograph_core::{Direction, Estimate, Latency};

use super::axes::{Cell, Shown};
use super::plan::Plan;
use crate::figure::{Figure, doubt_of, estimate};
use crate::tabulate::{absent, column, row};

/// Axes that stand at the head of the columns, the best first: what a reader runs along.
const COLUMNS: [&str; 3] = ["depth", "jobs", "bs"];

/// One matrix for each figure that was asked for.
pub(super) fn all(plan: &Plan, done: &[StepResult]) -> Vec<Table> {
    if !plan.cells.iter().enumerate().any(|(at, _)| result(plan, done, at).is_some()) {
        return Vec::new();
    }
    plan.shown().iter().map(|&shown| table(plan, done, shown)).collect()
}

fn table(plan: &Plan, done: &[StepResult], shown: Shown) -> Table {
    let several = plan.several();
    let across = COLUMNS.into_iter().find(|axis| several.contains(axis)).unwrap_or("depth");
    let down: Vec<&str> = several.iter().copied().filter(|&axis| axis != across).collect();
    let heads = distinct(plan.cells.iter().map(|cell| cell.on(across)));
    let names = distinct(plan.cells.iter().map(|cell| name(cell, &down)));
    let (title, unit) = kind(shown);
    let rows = names.iter().map(|of| {
        let cells = heads.iter().map(|head| {
            let at = plan.cells.iter().position(|cell| name(cell, &down) == *of && cell.on(across) == *head);
            at.map_or_else(|| absent("not measured"), |at| figure(plan, done, at, shown))
        });
        row(of, cells.collect())
    });
    let (first, unit_of_depth) = (&plan.cells[0], if across == "depth" { " in flight" } else { "" });
    let fixed: Vec<String> = ["mix", "bs", "depth"]
        .into_iter()
        .filter(|axis| !several.contains(axis) && *axis != across)
        .map(|axis| if axis == "depth" { format!("{} in flight", first.depth) } else { first.on(axis) })
        .collect();
    let of = if fixed.is_empty() { String::new() } else { format!(", {}", fixed.join(", ")) };
    Table {
        title: format!("{title} by {across}{of}"),
        heading: down.join(" "),
        columns: heads.iter().map(|head| column(&format!("{head}{unit_of_depth}"), unit)).collect(),
        rows: rows.collect(),
        notes: both_ways(plan, shown).into_iter().collect(),
    }
}

/// What the figure of a mix of reads and writes is.
fn both_ways(plan: &Plan, shown: Shown) -> Option<String> {
    let mut mixes: Vec<&str> = Vec::new();
    for mix in plan.cells.iter().map(|cell| &cell.mix).filter(|mix| mix.directions().count() > 1) {
        if !mixes.contains(&mix.name.as_str()) {
            mixes.push(&mix.name);
        }
    }
    let how = match shown {
        Shown::Iops | Shown::Bandwidth => "reads and writes added up",
        Shown::MeanLatency | Shown::Latency(_) => "reads and writes taken together",
    };
    (!mixes.is_empty()).then(|| format!("{}: {how}.", mixes.join(", ")))
}

fn name(cell: &Cell, axes: &[&str]) -> String {
    axes.iter().map(|axis| cell.on(axis)).collect::<Vec<_>>().join(" ")
}

/// Values without repetition, in their order.
fn distinct(values: impl Iterator<Item = String>) -> Vec<String> {
    let mut all = Vec::new();
    values.for_each(|value| {
        if !all.contains(&value) {
            all.push(value);
        }
    });
    all
}

fn kind(shown: Shown) -> (String, CellUnit) {
    match shown {
        Shown::Iops => ("I/Os per second".to_string(), CellUnit::PerSecond),
        Shown::Bandwidth => ("Bandwidth".to_string(), CellUnit::MegabytesPerSecond),
        Shown::MeanLatency => ("Mean latency".to_string(), CellUnit::Microseconds),
        Shown::Latency(percentile) => (format!("Latency of {percentile} %"), CellUnit::Microseconds),
    }
}

fn result<'a>(plan: &Plan, done: &'a [StepResult], at: usize) -> Option<&'a StepResult> {
    let id = plan.id_of(at);
    done.iter().find(|step| step.step.id == id)
}

fn figure(plan: &Plan, done: &[StepResult], at: usize, shown: Shown) -> TableCell {
    let Some(step) = result(plan, done, at) else { return absent("not measured") };
    let directions: Vec<Direction> = plan.cells[at].mix.directions().collect();
    let found = match shown {
        Shown::Iops => sum(step, &directions, Figure::Iops),
        Shown::Bandwidth => sum(step, &directions, Figure::Bandwidth),
        Shown::MeanLatency => {
            let latency = latency(step, &directions);
            (latency.n() > 0).then(|| Estimate::bare(latency.mean_ns(), latency.n()))
        }
        Shown::Latency(percentile) => Estimate::percentile(&latency(step, &directions), percentile),
    };
    let doubt = directions.iter().find_map(|&direction| doubt_of(step, Figure::Iops(direction)));
    match found {
        Some(estimate) => TableCell::Figure { estimate, step: step.step.id.clone(), doubt },
        None if matches!(shown, Shown::Latency(_)) => absent("too few samples"),
        None => absent("nothing completed"),
    }
}

/// A rate over the directions of a mix. There is no interval around a sum of two: reads and writes are not independent.
fn sum(step: &StepResult, directions: &[Direction], figure: fn(Direction) -> Figure) -> Option<Estimate> {
    let rates: Vec<Estimate> =
        directions.iter().filter_map(|&direction| estimate(step, figure(direction))).collect();
    match &rates[..] {
        [] => None,
        [only] => Some(*only),
        several => {
            let (value, n) = several.iter().fold((0.0, 0), |(sum, n), of| (sum + of.value, n + of.n));
            Some(Estimate::bare(value, n))
        }
    }
}

fn latency(step: &StepResult, directions: &[Direction]) -> Latency {
    let mut all = Latency::default();
    if let Some(result) = &step.result {
        let merged = result.merged(|_| true);
        directions.iter().for_each(|&direction| all.merge(merged[direction].total()));
    }
    all
}
