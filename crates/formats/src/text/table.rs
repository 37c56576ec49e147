//! The table of results: a row for each direction of each step that measures, and one for making writes durable.

use cardiograph_core::Direction;
use cardiograph_core::figures::{DirectionFigures, LatencyFigures};
use cardiograph_core::report::{Report, StepResult, StepRole};

use super::layout::{Page, pad_end, pad_start, width};
use super::{contradiction, words};
use crate::units;

const HEADINGS: [&str; 7] = ["MiB/s", "IOPS", "mean", "p50", "p99", "p99.9", "max"];
/// Which columns are left out, one after the other, when there is not enough room.
const LEFT_OUT_FIRST: [usize; 5] = [2, 5, 3, 0, 4];
/// A maximum is withheld only where all is.
const MAX_COLUMN: usize = 6;
/// Spaces before each column.
const SPACE: usize = 2;
/// Narrower than this no name is legible.
const NAME_COLUMNS_MIN: usize = 12;

/// One row: a step's name, or a direction of it.
struct Row {
    name: String,
    /// What the name leaves out; on a line of its own if there is no room beside the name.
    how: String,
    cells: [String; 7],
}

impl Row {
    fn has_figures(&self) -> bool {
        self.cells.iter().any(|cell| !cell.is_empty())
    }

    fn full_name(&self) -> String {
        if self.how.is_empty() { self.name.clone() } else { format!("{}, {}", self.name, self.how) }
    }
}

/// Writes the table onto `page`; nothing when nothing was measured.
pub(super) fn write(page: &mut Page, report: &Report) {
    let measuring = report.steps.iter().filter(|step| step.step.role == StepRole::Measure);
    let rows: Vec<Row> = measuring.flat_map(step_rows).collect();
    if rows.is_empty() {
        return;
    }
    page.gap();
    let cell_columns: [usize; 7] = std::array::from_fn(|column| {
        let cells = rows.iter().map(|row| width(&row.cells[column]));
        cells.max().unwrap_or(0).max(width(HEADINGS[column]))
    });
    let room = page.style().width;
    // A name without figures beside it may be as long as the line.
    let named = || rows.iter().filter(|row| row.has_figures());
    let names_long = named().map(|row| width(&row.full_name())).max().unwrap_or(0);
    let names_short = named().map(|row| width(&row.name)).max().unwrap_or(0);
    let mut columns: Vec<usize> = (0..HEADINGS.len()).collect();
    let taken = |columns: &[usize]| columns.iter().map(|&column| cell_columns[column] + SPACE).sum::<usize>();
    for left_out in LEFT_OUT_FIRST {
        if names_short.max(NAME_COLUMNS_MIN) + taken(&columns) > room {
            columns.retain(|&column| column != left_out);
        }
    }
    let on_one_line = names_long + taken(&columns) <= room;
    let name_columns =
        if on_one_line { names_long } else { names_short.min(room.saturating_sub(taken(&columns))) };
    let mut lines =
        vec![Row { name: String::new(), how: String::new(), cells: HEADINGS.map(str::to_string) }];
    lines.extend(rows);
    for row in &lines {
        let full_name = row.full_name();
        let (name, how) = match on_one_line || (!row.has_figures() && width(&full_name) <= room) {
            true => (&full_name, ""),
            false => (&row.name, row.how.as_str()),
        };
        let mut text = pad_end(name, name_columns);
        if width(name) > name_columns && row.has_figures() {
            page.prose("", name);
            text = " ".repeat(name_columns);
        }
        columns
            .iter()
            .for_each(|&column| text += &pad_start(&row.cells[column], cell_columns[column] + SPACE));
        page.line(&text);
        if !how.is_empty() {
            page.prose("  ", how);
        }
    }
    let withheld = |row: &Row| {
        let is_withheld = |&column: &usize| row.cells[column] == units::NO_FIGURE;
        columns.iter().any(is_withheld) && !is_withheld(&MAX_COLUMN)
    };
    write_legend(page, report, lines.iter().any(withheld));
}

/// Why some figures are not there. `withheld`: some percentiles are not, although there are other figures beside them.
fn write_legend(page: &mut Page, report: &Report, withheld: bool) {
    let contradicted = report.steps.iter().any(|step| {
        step.step.role == StepRole::Measure
            && Direction::ALL.iter().any(|&d| contradiction(step, d).is_some())
    });
    let reason = match (withheld, contradicted) {
        (false, false) => return,
        (true, false) => "fewer than 10 samples lie above this percentile.",
        (false, true) => "withheld: contradicted by the kernel's count, see below.",
        (true, true) => "fewer than 10 samples above, or contradicted by the kernel's count, see below.",
    };
    page.quiet_prose("- ", reason);
}

fn step_rows(step: &StepResult) -> Vec<Row> {
    let Some(figures) = &step.figures else { return Vec::new() };
    let (name, how) = words::title_parts(&step.step);
    let empty = || Default::default();
    let mut rows = Vec::new();
    match figures.directions.as_slice() {
        [] => return Vec::new(),
        [one] => rows.push(Row { name, how, cells: direction_cells(step, one) }),
        many => {
            rows.push(Row { name, how, cells: empty() });
            rows.extend(many.iter().map(|one| Row {
                name: format!("  {}", one.direction.name()),
                how: String::new(),
                cells: direction_cells(step, one),
            }));
        }
    }
    if let Some(sync) = &figures.sync {
        let withheld = contradiction(step, Direction::Sync).is_some();
        let [mean, p50, p99, p999, max] = latency_cells(sync, withheld);
        let cells = [String::new(), String::new(), mean, p50, p99, p999, max];
        rows.push(Row { name: "  made durable".to_string(), how: String::new(), cells });
    }
    rows
}

fn direction_cells(step: &StepResult, figures: &DirectionFigures) -> [String; 7] {
    let withheld = contradiction(step, figures.direction).is_some();
    let [mean, p50, p99, p999, max] = latency_cells(&figures.total, withheld);
    let rate = |text: String| if withheld { units::NO_FIGURE.to_string() } else { text };
    let speed = rate(units::mib_per_s(figures.bandwidth_bytes_per_s.value));
    [speed, rate(units::number(figures.iops.value)), mean, p50, p99, p999, max]
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
