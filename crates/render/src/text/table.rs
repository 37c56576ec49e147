//! The table of results: a row for each direction of each step that measures, and one for making writes durable.

use cardiograph_core::Direction;
use cardiograph_core::report::{Report, StepResult, StepRole};
use cardiograph_core::units;
use cardiograph_judge::record::{RunFigures, TestFigures, tests_of};

use super::layout::{Page, SPACE, plain, said, widest, width};
use super::{imported, words};
use crate::lang::Lang;
use crate::overview;

const COLUMNS: usize = 8;
const HEADINGS: [&str; COLUMNS] = ["MiB/s", "IOPS", "mean", "p50", "p99", "p99.9", "max", "rate"];
/// Which columns are left out, one after the other, when there is not enough room: [`MIB_PER_S`] together with the next,
/// for which [`RATE`] stands then.
const LEFT_OUT_FIRST: [usize; 5] = [2, 5, 3, MIB_PER_S, 4];
const MIB_PER_S: usize = 0;
const IOPS: usize = 1;
/// Bandwidth or I/Os per second with its unit, whichever the I/Os of the step are quoted by.
const RATE: usize = 7;
/// A maximum is withheld only where all is.
const MAX_COLUMN: usize = 6;
/// Narrower than this no name is legible.
const NAME_COLUMNS_MIN: usize = 12;

/// One row: a step, or a direction of it.
struct Row {
    name: String,
    /// The name where there is no room for the whole.
    short: String,
    cells: [String; COLUMNS],
}

impl Row {
    fn has_figures(&self) -> bool {
        self.cells.iter().any(|cell| !cell.is_empty())
    }

    /// A row below a step's.
    fn below(name: &str, cells: [String; COLUMNS]) -> Self {
        let name = format!("  {name}");
        Self { short: name.clone(), name, cells }
    }
}

/// Which columns are shown, and how wide they are.
struct Layout {
    columns: Vec<usize>,
    cell_columns: [usize; COLUMNS],
    name_columns: usize,
    /// Whether there is room for whole names.
    whole_names: bool,
}

impl Layout {
    /// The layout of `rows` in `room` columns: whole names if they fit, or else short ones, and if those do not fit
    /// either, fewer columns.
    fn of(rows: &[Row], room: usize) -> Self {
        let cell_columns: [usize; COLUMNS] = std::array::from_fn(|column| {
            widest(rows.iter().map(|row| &row.cells[column])).max(width(HEADINGS[column]))
        });
        // A name without figures beside it may be as long as the line.
        let named = || rows.iter().filter(|row| row.has_figures());
        let (whole, short) = (widest(named().map(|row| &row.name)), widest(named().map(|row| &row.short)));
        let taken =
            |columns: &[usize]| columns.iter().map(|&column| cell_columns[column] + SPACE).sum::<usize>();
        // What no source tells has no column.
        let is_told = |column: usize| rows.iter().any(|row| !row.cells[column].is_empty());
        let mut columns: Vec<usize> =
            (0..HEADINGS.len()).filter(|&column| column != RATE && is_told(column)).collect();
        let whole_columns = columns.len();
        for left_out in LEFT_OUT_FIRST {
            if short.max(NAME_COLUMNS_MIN) + taken(&columns) > room {
                columns.retain(|&column| column != left_out);
                if left_out == MIB_PER_S {
                    columns.retain(|&column| column != IOPS);
                    columns.insert(0, RATE);
                }
            }
        }
        let whole_names = columns.len() == whole_columns && whole + taken(&columns) <= room;
        let name_columns = if whole_names { whole } else { short.min(room.saturating_sub(taken(&columns))) };
        Self { columns, cell_columns, name_columns, whole_names }
    }

    fn write(&self, page: &mut Page, name: &str, cells: &[String; COLUMNS]) {
        let cell = |&column: &usize| (cells[column].as_str(), self.cell_columns[column] + SPACE);
        page.row("", (name, self.name_columns), self.columns.iter().map(cell));
    }
}

/// Writes the table onto `page`; nothing when nothing was measured.
pub(super) fn write(page: &mut Page, report: &Report) {
    let measuring = report.steps.iter().filter(|step| step.step.role == StepRole::Measure);
    let mut rows: Vec<Row> = measuring.flat_map(step_rows).collect();
    if rows.is_empty() {
        return;
    }
    tell_apart(&mut rows);
    page.gap();
    let layout = Layout::of(&rows, page.style().width);
    layout.write(page, "", &HEADINGS.map(str::to_string));
    for row in &rows {
        layout.write(page, if layout.whole_names { &row.name } else { &row.short }, &row.cells);
    }
    let is_few = |row: &Row| {
        let is_gap = |&column: &usize| row.cells[column] == units::NO_FIGURE;
        layout.columns.iter().any(is_gap) && !is_gap(&MAX_COLUMN)
    };
    write_legend(page, &RunFigures::of(report).tests, rows.iter().any(is_few));
}

/// Gives steps whose short names are the same their whole names.
fn tell_apart(rows: &mut [Row]) {
    let shared: Vec<bool> = rows
        .iter()
        .map(|row| rows.iter().any(|other| other.short == row.short && other.name != row.name))
        .collect();
    for (row, _) in rows.iter_mut().zip(shared).filter(|(_, is_shared)| *is_shared) {
        row.short = row.name.clone();
    }
}

/// Why some figures are not there, or may not be the drive's. `is_few`: some percentiles are not there, although other figures are.
fn write_legend(page: &mut Page, tests: &[TestFigures], is_few: bool) {
    if is_few {
        page.quiet_prose("- ", "fewer than 10 samples lie above this percentile.");
    }
    overview::reasons(tests, Lang::En).iter().for_each(|reason| page.quiet_prose("- ", &plain(reason)));
}

/// The rows of a step. What applications do is not counted in I/Os: it has tables of its own.
fn step_rows(step: &StepResult) -> Vec<Row> {
    let tests = if step.app.is_some() { Vec::new() } else { tests_of(step) };
    let Some(test) = tests.first() else { return Vec::new() };
    let title = said(&step.step.title, Lang::En);
    let mut directions = overview::directions(test);
    let mut rows = Vec::new();
    let data = directions.iter().filter(|&&direction| direction != Some(Direction::Sync)).count();
    // The name of an imported test stands above its figures: it is as long as what is known of the method.
    let (short, first) = match &step.imported {
        Some(_) => (title.clone(), None),
        None => (words::short_title(&step.step), if data == 1 { Some(directions.remove(0)) } else { None }),
    };
    if directions.is_empty() && first.is_none() {
        return rows;
    }
    let beside = first.map(|direction| cells(test, direction)).unwrap_or_default();
    rows.push(Row { name: title, short, cells: beside });
    rows.extend(directions.into_iter().map(|one| Row::below(imported::name(one), cells(test, one))));
    rows
}

fn cells(test: &TestFigures, direction: Option<Direction>) -> [String; COLUMNS] {
    let [speed, iops, mean, p50, p99, p999, max] = overview::cells(test, direction, units::mib_per_s);
    [speed, iops, mean, p50, p99, p999, max, overview::rate(test, direction)]
}
