//! The matrices of a sweep.

use cardiograph_core::message::Parameter;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::report::{Step, StepResult};
use cardiograph_core::table::{Cell as TableCell, CellUnit, Table};
use cardiograph_core::{Direction, Message, message};

use super::axes::{Axis, Cell, Mix};
use super::plan::{Plan, TITLED};
use crate::board::Board;
use crate::figure::over;
use crate::tabulate::{NOT_MEASURED, NOTHING_COMPLETED, TOO_FEW_SAMPLES, absent, column, row};

/// Axes that may be the columns, the best first.
const COLUMNS: [Axis; 3] = [Axis::Depth, Axis::Jobs, Axis::Bs];

/// One matrix for each requested figure.
pub(super) fn all(plan: &Plan, done: &[StepResult]) -> Vec<Table> {
    if !plan.cells.iter().enumerate().any(|(at, _)| result(plan, done, at).is_some()) {
        return Vec::new();
    }
    plan.axes.shown.iter().map(|&shown| table(plan, done, shown)).collect()
}

/// The first matrix, and the cell of the step `next`.
pub(super) fn board(plan: &Plan, done: &[StepResult], next: &Step) -> Board {
    let (across, down) = axes(plan);
    let cell = (0..plan.cells.len()).find(|&at| plan.id_of(at) == next.id).map(|at| &plan.cells[at]);
    let place = |cell: &Cell, axes: &[Axis]| {
        let heads = distinct(&plan.cells, axes);
        heads.iter().position(|head| values_on(head, axes) == values_on(cell, axes))
    };
    Board::Matrix {
        table: Box::new(table(plan, done, plan.axes.shown[0])),
        current: cell.and_then(|cell| Some((place(cell, &down)?, place(cell, &[across])?))),
    }
}

/// The axis of the columns, and those of the rows.
fn axes(plan: &Plan) -> (Axis, Vec<Axis>) {
    let several = plan.several();
    let across = COLUMNS.into_iter().find(|axis| several.contains(axis)).unwrap_or(Axis::Depth);
    (across, several.into_iter().filter(|&axis| axis != across).collect())
}

fn table(plan: &Plan, done: &[StepResult], shown: Quantity) -> Table {
    let (across, down) = axes(plan);
    let heads = distinct(&plan.cells, &[across]);
    let rows = distinct(&plan.cells, &down);
    let (title, unit) = kind(shown);
    let table_row = |row_cell: &&Cell| {
        let cells = heads.iter().map(|head| {
            let is_it = |cell: &Cell| {
                values_on(cell, &down) == values_on(row_cell, &down)
                    && cell.value(across) == head.value(across)
            };
            let at = plan.cells.iter().position(is_it);
            at.map_or_else(|| absent(NOT_MEASURED), |at| figure(plan, done, at, shown))
        });
        row(phrases(row_cell, &down), cells.collect())
    };
    let first = &plan.cells[0];
    let fixed: Vec<Axis> =
        TITLED.into_iter().filter(|axis| !down.contains(axis) && *axis != across).collect();
    let title = message!("table-sweep.by", figure = title, axis = across.message());
    Table {
        title: match fixed[..] {
            [] => title,
            _ => message!("table-sweep.at", table = title, conditions = phrases(first, &fixed)),
        },
        heading: joined(down.iter().map(|axis| axis.message())),
        columns: heads.iter().map(|head| column(head.phrase(across), unit)).collect(),
        rows: rows.iter().map(table_row).collect(),
        notes: both_ways(plan, shown).into_iter().collect(),
    }
}

/// The note on figures of mixes of reads and writes.
fn both_ways(plan: &Plan, shown: Quantity) -> Option<Message> {
    let mut mixes: Vec<Message> = Vec::new();
    let mixed = plan.cells.iter().map(|cell| &cell.mix).filter(|mix| mix.directions().count() > 1);
    for mix in mixed.map(Mix::phrase) {
        if !mixes.contains(&mix) {
            mixes.push(mix);
        }
    }
    let (is_empty, mixes) = (mixes.is_empty(), Parameter::all(mixes));
    let note = match shown {
        Quantity::Latency(..) => message!("table-sweep.latencies-together", mixes),
        _ => message!("table-sweep.sum", mixes),
    };
    (!is_empty).then_some(note)
}

/// The values of a cell on some axes.
fn values_on(cell: &Cell, axes: &[Axis]) -> Vec<Parameter> {
    axes.iter().map(|&axis| cell.value(axis)).collect()
}

/// The values of a cell on some axes as a phrase: `random read, 4K`.
fn phrases(cell: &Cell, axes: &[Axis]) -> Message {
    joined(axes.iter().map(|&axis| cell.phrase(axis)))
}

/// Joins phrases; no phrases give an empty one.
fn joined(phrases: impl Iterator<Item = Message>) -> Message {
    let mut phrases = phrases.peekable();
    if phrases.peek().is_some() { Message::joined(phrases) } else { Message::default() }
}

/// The first cell of each combination of values on some axes, in their order.
fn distinct<'a>(cells: &'a [Cell], axes: &[Axis]) -> Vec<&'a Cell> {
    let mut all: Vec<&Cell> = Vec::new();
    for cell in cells {
        if !all.iter().any(|known| values_on(known, axes) == values_on(cell, axes)) {
            all.push(cell);
        }
    }
    all
}

fn kind(shown: Quantity) -> (Message, CellUnit) {
    match shown {
        Quantity::Bandwidth => (message!("table-figure.bandwidth"), CellUnit::MegabytesPerSecond),
        Quantity::Latency(_, Statistic::Percentile(percentile)) => {
            let percentile = Parameter::number(percentile);
            (message!("table-figure.percentile", percentile), CellUnit::Microseconds)
        }
        Quantity::Latency(..) => (message!("table-figure.mean-latency"), CellUnit::Microseconds),
        _ => (message!("table-figure.iops"), CellUnit::PerSecond),
    }
}

fn result<'a>(plan: &Plan, done: &'a [StepResult], at: usize) -> Option<&'a StepResult> {
    let id = plan.id_of(at);
    done.iter().find(|step| step.step.id == id)
}

fn figure(plan: &Plan, done: &[StepResult], at: usize, shown: Quantity) -> TableCell {
    let Some(step) = result(plan, done, at) else { return absent(NOT_MEASURED) };
    let directions: Vec<Direction> = plan.cells[at].mix.directions().collect();
    let found = over(step, &directions, shown);
    let doubt = directions.iter().find_map(|&direction| step.doubt(direction).cloned());
    match found {
        Some(estimate) => TableCell::Figure { estimate, step: step.step.id.clone(), doubt },
        None if matches!(shown, Quantity::Latency(_, Statistic::Percentile(_))) => absent(TOO_FEW_SAMPLES),
        None => absent(NOTHING_COMPLETED),
    }
}
