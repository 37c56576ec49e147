//! The table of results: a row for each direction of each step that measures, and one for making writes durable.

use cardiograph_core::Direction;
use cardiograph_core::figures::{DirectionFigures, LatencyFigures};
use cardiograph_core::imported::Imported;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::report::{Report, StepResult, StepRole};
use cardiograph_core::units;

use super::layout::{Page, pad_end, pad_start, plain, width};
use super::{imported, step_line, words};

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
/// Spaces before each column.
const SPACE: usize = 2;
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
            let cells = rows.iter().map(|row| width(&row.cells[column]));
            cells.max().unwrap_or(0).max(width(HEADINGS[column]))
        });
        // A name without figures beside it may be as long as the line.
        let widest = |name: fn(&Row) -> &str| {
            rows.iter().filter(|row| row.has_figures()).map(|row| width(name(row))).max().unwrap_or(0)
        };
        let (whole, short) = (widest(|row| &row.name), widest(|row| &row.short));
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
        let mut text = pad_end(name, self.name_columns);
        if width(name) > self.name_columns {
            page.prose("", name);
            text = " ".repeat(self.name_columns);
        }
        for &column in &self.columns {
            text += &pad_start(&cells[column], self.cell_columns[column] + SPACE);
        }
        if !text.trim().is_empty() {
            page.line(&text);
        }
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
    let withheld = |row: &Row| {
        let is_withheld = |&column: &usize| row.cells[column] == units::NO_FIGURE;
        layout.columns.iter().any(is_withheld) && !is_withheld(&MAX_COLUMN)
    };
    write_legend(page, report, rows.iter().any(withheld));
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

/// Why some figures are not there. `withheld`: some percentiles are not, although there are other figures beside them.
fn write_legend(page: &mut Page, report: &Report, withheld: bool) {
    let contradicted = report.steps.iter().any(|step| {
        step.step.role == StepRole::Measure && Direction::ALL.iter().any(|&d| step.is_withheld(d))
    });
    let reason = match (withheld, contradicted) {
        (false, false) => return,
        (true, false) => "fewer than 10 samples lie above this percentile.",
        (false, true) => "withheld: not the drive's alone, see below.",
        (true, true) => "fewer than 10 samples above, or not the drive's alone, see below.",
    };
    page.quiet_prose("- ", reason);
}

fn step_rows(step: &StepResult) -> Vec<Row> {
    let Some(figures) = &step.figures else {
        return step.imported.as_ref().map_or_else(Vec::new, |told| imported_rows(step, told));
    };
    let step_row =
        |cells| Row { name: plain(&step.step.title), short: words::short_title(&step.step), cells };
    let mut rows = Vec::new();
    match figures.directions.as_slice() {
        [] => return Vec::new(),
        [one] => rows.push(step_row(direction_cells(step, one))),
        many => {
            rows.push(step_row(Default::default()));
            rows.extend(many.iter().map(|one| Row::below(one.direction.name(), direction_cells(step, one))));
        }
    }
    if let Some(sync) = &figures.sync {
        let withheld = step.is_withheld(Direction::Sync);
        let [mean, p50, p99, p999, max] = latency_cells(sync, withheld);
        let none = String::new;
        rows.push(Row::below("fsync", [none(), none(), mean, p50, p99, p999, max, none()]));
    }
    rows
}

/// What another program told; what it did not tell stays empty.
fn imported_rows(step: &StepResult, told: &Imported) -> Vec<Row> {
    let cells = |direction| {
        let number =
            |quantity, shown: fn(f64) -> String| imported::value(told, direction, quantity).map(shown);
        let latency = |statistic| imported::latency_ns(told, direction, statistic).map(units::duration_f64);
        let percentile = |percentile| latency(Statistic::Percentile(percentile));
        let cells = [
            number(Quantity::Bandwidth, units::mib_per_s),
            number(Quantity::Iops, units::number),
            latency(Statistic::Mean),
            percentile(50.0),
            percentile(99.0),
            percentile(99.9),
            latency(Statistic::Max),
            imported::rate(step, told, direction),
        ];
        cells.map(Option::unwrap_or_default)
    };
    let rows = imported::directions(&told.figures).into_iter().map(|direction| (direction, cells(direction)));
    let rows: Vec<_> = rows.filter(|(_, cells)| cells.iter().any(|cell| !cell.is_empty())).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    // The name stands above its figures: it is as long as what is known of the method.
    let title = plain(&step.step.title);
    let mut all = vec![Row { short: title.clone(), name: title, cells: Default::default() }];
    all.extend(rows.into_iter().map(|(direction, cells)| Row::below(imported::name(direction), cells)));
    all
}

fn direction_cells(step: &StepResult, figures: &DirectionFigures) -> [String; COLUMNS] {
    let withheld = step.is_withheld(figures.direction);
    let [mean, p50, p99, p999, max] = latency_cells(&figures.total, withheld);
    let rate = |text: String| if withheld { units::NO_FIGURE.to_string() } else { text };
    let speed = rate(units::mib_per_s(figures.bandwidth_bytes_per_s.value));
    let quoted = rate(step_line::speed(figures));
    [speed, rate(units::number(figures.iops.value)), mean, p50, p99, p999, max, quoted]
}

fn latency_cells(figures: &LatencyFigures, withheld: bool) -> [String; 5] {
    let percentile = |p| figures.percentile_ns(p).map(units::duration);
    let cells = [
        Some(units::duration_f64(figures.mean_ns)),
        percentile(50.0),
        percentile(99.0),
        percentile(99.9),
        Some(units::duration(figures.max_ns)),
    ];
    cells.map(|cell| cell.filter(|_| !withheld).unwrap_or_else(|| units::NO_FIGURE.to_string()))
}
