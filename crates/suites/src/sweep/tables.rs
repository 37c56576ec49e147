//! The matrices of a sweep.

use cardiograph_core::Direction;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::report::StepResult;
use cardiograph_core::sweep::{Axis, SweptAxes};
use cardiograph_core::table::{Cell as TableCell, CellUnit, Table};

use super::axes::Cell;
use super::plan::{Plan, TITLED};
use crate::figure::over;
use crate::tabulate::{absent, column, row};

/// Axes that stand at the head of the columns, the best first: what a reader runs along.
const COLUMNS: [Axis; 3] = [Axis::Depth, Axis::Jobs, Axis::Bs];

/// One matrix for each figure that was asked for.
pub(super) fn all(plan: &Plan, done: &[StepResult]) -> Vec<Table> {
    if !plan.cells.iter().enumerate().any(|(at, _)| result(plan, done, at).is_some()) {
        return Vec::new();
    }
    plan.axes.shown.iter().map(|&shown| table(plan, done, shown)).collect()
}

fn table(plan: &Plan, done: &[StepResult], shown: Quantity) -> Table {
    let several = plan.several();
    let across = COLUMNS.into_iter().find(|axis| several.contains(axis)).unwrap_or(Axis::Depth);
    let down: Vec<Axis> = several.iter().copied().filter(|&axis| axis != across).collect();
    let heads = distinct(&plan.cells, &[across]);
    let rows = distinct(&plan.cells, &down);
    let (title, unit) = kind(shown);
    let table_row = |of: &&Cell| {
        let name = name(of, &down);
        let cells = heads.iter().map(|head| {
            let is_it =
                |cell: &Cell| self::name(cell, &down) == name && cell.word(across) == head.word(across);
            let at = plan.cells.iter().position(is_it);
            at.map_or_else(|| absent("not measured"), |at| figure(plan, done, at, shown))
        });
        row(&name, cells.collect())
    };
    let in_words = |cell: &Cell, axis: Axis| match axis {
        Axis::Depth => format!("{} in flight", cell.depth),
        _ => cell.word(axis),
    };
    let first = &plan.cells[0];
    let fixed: Vec<Axis> =
        TITLED.into_iter().filter(|axis| !several.contains(axis) && *axis != across).collect();
    let of: String = fixed.iter().map(|&axis| format!(", {}", in_words(first, axis))).collect();
    let names: Vec<&str> = down.iter().map(|axis| axis.name()).collect();
    Table {
        title: format!("{title} by {}{of}", across.name()),
        heading: names.join(" "),
        columns: heads.iter().map(|head| column(&in_words(head, across), unit)).collect(),
        rows: rows.iter().map(table_row).collect(),
        notes: both_ways(plan, shown).into_iter().collect(),
        swept: Some(SweptAxes {
            quantity: shown,
            across,
            columns: heads.iter().map(|head| head.on(across)).collect(),
            rows: rows.iter().map(|of| down.iter().map(|&axis| of.on(axis)).collect()).collect(),
            down,
            fixed: fixed.into_iter().map(|axis| first.on(axis)).collect(),
        }),
    }
}

/// What the figure of a mix of reads and writes is.
fn both_ways(plan: &Plan, shown: Quantity) -> Option<String> {
    let mut mixes: Vec<&str> = Vec::new();
    for mix in plan.cells.iter().map(|cell| &cell.mix).filter(|mix| mix.directions().count() > 1) {
        if !mixes.contains(&mix.name.as_str()) {
            mixes.push(&mix.name);
        }
    }
    let how = match shown {
        Quantity::Latency(..) => "reads and writes taken together",
        _ => "reads and writes added up",
    };
    (!mixes.is_empty()).then(|| format!("{}: {how}.", mixes.join(", ")))
}

fn name(cell: &Cell, axes: &[Axis]) -> String {
    axes.iter().map(|&axis| cell.word(axis)).collect::<Vec<_>>().join(" ")
}

/// The first cell of each combination of values on some axes, in their order.
fn distinct<'a>(cells: &'a [Cell], axes: &[Axis]) -> Vec<&'a Cell> {
    let mut all: Vec<&Cell> = Vec::new();
    for cell in cells {
        if !all.iter().any(|known| name(known, axes) == name(cell, axes)) {
            all.push(cell);
        }
    }
    all
}

fn kind(shown: Quantity) -> (String, CellUnit) {
    match shown {
        Quantity::Bandwidth => ("Bandwidth".to_string(), CellUnit::MegabytesPerSecond),
        Quantity::Latency(_, Statistic::Percentile(percentile)) => {
            (format!("Latency of {percentile} %"), CellUnit::Microseconds)
        }
        Quantity::Latency(..) => ("Mean latency".to_string(), CellUnit::Microseconds),
        _ => ("I/Os per second".to_string(), CellUnit::PerSecond),
    }
}

fn result<'a>(plan: &Plan, done: &'a [StepResult], at: usize) -> Option<&'a StepResult> {
    let id = plan.id_of(at);
    done.iter().find(|step| step.step.id == id)
}

fn figure(plan: &Plan, done: &[StepResult], at: usize, shown: Quantity) -> TableCell {
    let Some(step) = result(plan, done, at) else { return absent("not measured") };
    let directions: Vec<Direction> = plan.cells[at].mix.directions().collect();
    let found = over(step, &directions, shown);
    let doubt = directions.iter().find_map(|&direction| step.doubt(direction).cloned());
    match found {
        Some(estimate) => TableCell::Figure { estimate, step: step.step.id.clone(), doubt },
        None if matches!(shown, Quantity::Latency(_, Statistic::Percentile(_))) => absent("too few samples"),
        None => absent("nothing completed"),
    }
}
