//! The tables of a sweep as heat maps: the stronger, the more.

use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::{message, units};

use super::canvas::Anchor;
use super::letters::{LEADING, SIZE, lines, room};
use super::scale::Scale;
use super::sheet::{EDGE, Sheet};
use super::subject::Subject;
use crate::doc::Unit;
use crate::lang::Lang;
use crate::text::said;

/// The suite whose tables are drawn.
pub(crate) const SUITE: &str = "sweep";
const ROW: f64 = 26.0;
/// Opacity of the smallest and the largest figure. Text on it must stay legible.
const SHARES: (f64, f64) = (0.06, 0.6);

/// Whether a Report is drawn as its tables.
pub fn is_sweep(report: &cardiograph_core::Report) -> bool {
    report.suite == SUITE
}

/// Draws all tables of sweeps. Returns whether there are any.
pub(super) fn draw(sheet: &mut Sheet, subjects: &[Subject<'_>]) -> bool {
    let mut is_drawn = false;
    for subject in subjects.iter().filter(|subject| subject.report.suite == SUITE) {
        let lang = sheet.view.lang;
        for table in &subject.report.tables {
            let title = table.title.clone();
            let head = if subjects.len() > 1 { subject.says(title) } else { title };
            is_drawn |= draw_table(sheet, table, &said(&head, lang));
        }
    }
    let lacking = subjects.iter().filter(|subject| subject.report.suite != SUITE);
    let lacking: Vec<String> = lacking.map(|subject| subject.name.clone()).collect();
    if is_drawn {
        sheet.remark_lacking(&lacking);
    }
    is_drawn
}

/// Draws a table below a head. Returns whether it has rows and columns of figures in one unit.
pub(super) fn draw_table(sheet: &mut Sheet, table: &Table, head: &str) -> bool {
    let unit = table.columns.first().map_or(CellUnit::Text, |column| column.unit);
    let is_field = unit != CellUnit::Text
        && table.columns.len() > 1
        && table.columns.iter().all(|column| column.unit == unit);
    let values = || table.rows.iter().flat_map(|row| &row.cells).filter_map(value);
    if !is_field || values().count() < 2 {
        return false;
    }
    sheet.head(head);
    let lang = sheet.view.lang;
    sheet.note(&heading(table, unit, lang));
    let names: Vec<String> = table.rows.iter().map(|row| said(&row.name, lang)).collect();
    let headings: Vec<String> = table.columns.iter().map(|column| said(&column.heading, lang)).collect();
    let longest = names.iter().map(|name| room(name)).fold(0.0, f64::max);
    let left = EDGE + longest.min(sheet.width() / 3.0) + 6.0;
    let cell = (sheet.width() - EDGE - left) / table.columns.len() as f64;
    let field = Field { left, cell, scale: scale(values()), factor: Unit::Of(unit).scale(lang) };
    field.headings(sheet, &headings);
    for (name, row) in names.iter().zip(&table.rows) {
        let name_lines = lines(name, left - EDGE - 6.0);
        let height = ROW.max(name_lines.len() as f64 * LEADING + 4.0);
        let top = sheet.strip(height);
        for (at, line) in name_lines.iter().enumerate() {
            let first = top + height / 2.0 - (name_lines.len() - 1) as f64 * LEADING / 2.0;
            let baseline = first + at as f64 * LEADING + SIZE * 0.35;
            sheet.canvas.text("", Anchor::End, (left - 6.0, baseline), line);
        }
        row.cells.iter().enumerate().for_each(|(at, cell)| field.cell(sheet, at, cell, top, height));
        let spoken = row.cells.iter().zip(&headings).map(|(cell, heading)| {
            message!("picture-sweep-cell", column = heading, value = number(value(cell), field.factor))
        });
        let cells = lang.phrases(&spoken.collect::<Vec<_>>());
        sheet.describe(message!("picture-sweep-row", row = name, cells, unit = sign(unit, lang)));
    }
    true
}

/// The axes of the rows and the unit of the figures: `access pattern, block size (MB/s)`.
fn heading(table: &Table, unit: CellUnit, lang: Lang) -> String {
    let axes = said(&table.heading, lang);
    match (axes.as_str(), sign(unit, lang)) {
        (_, "") => axes,
        ("", sign) => sign.to_string(),
        (_, sign) => lang.text(&message!("picture-axis", what = &axes, unit = sign)),
    }
}

/// A unit's sign, or what it counts.
const fn sign(unit: CellUnit, lang: Lang) -> &'static str {
    match unit {
        CellUnit::PerSecond => "IOPS",
        unit => Unit::Of(unit).sign(lang),
    }
}

/// The figure of a cell, unless it is withheld.
fn value(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Figure { doubt: Some(doubt), .. } if doubt.withholds() => None,
        Cell::Figure { estimate, .. } if estimate.value.is_finite() => Some(estimate.value),
        _ => None,
    }
}

/// A figure in its unit.
fn number(value: Option<f64>, factor: f64) -> String {
    value.map_or(units::NO_FIGURE.to_string(), |value| units::number(value / factor))
}

/// From the smallest figure to the largest in equal factors: sweeps cover powers of two.
fn scale(values: impl Iterator<Item = f64>) -> Scale {
    let logs: Vec<f64> = values.filter(|&value| value > 0.0).map(f64::ln).collect();
    let (low, high) =
        logs.iter().fold((f64::MAX, f64::MIN), |(low, high), &log| (low.min(log), high.max(log)));
    if low <= high { Scale::linear(low, high) } else { Scale::linear(0.0, 1.0) }
}

/// Positions of cells, and their scale.
struct Field {
    left: f64,
    cell: f64,
    scale: Scale,
    /// Base units per unit shown.
    factor: f64,
}

impl Field {
    fn headings(&self, sheet: &mut Sheet, headings: &[String]) {
        let headings: Vec<Vec<String>> =
            headings.iter().map(|heading| lines(heading, self.cell - 4.0)).collect();
        let rows = headings.iter().map(Vec::len).max().unwrap_or(0);
        let top = sheet.strip(rows as f64 * LEADING + 4.0);
        for (at, heading) in headings.iter().enumerate() {
            let middle = self.left + (at as f64 + 0.5) * self.cell;
            for (row, line) in heading.iter().enumerate() {
                let baseline = top + (row + 1) as f64 * LEADING - 4.0;
                sheet.canvas.text("quiet", Anchor::Middle, (middle, baseline), line);
            }
        }
    }

    fn cell(&self, sheet: &mut Sheet, at: usize, cell: &Cell, top: f64, height: f64) {
        let left = self.left + at as f64 * self.cell;
        let found = value(cell);
        if let Some(value) = found {
            let share = if value > 0.0 { self.scale.position(value.ln()) } else { 0.0 };
            let share = SHARES.0 + (SHARES.1 - SHARES.0) * share;
            let size = (self.cell - 2.0, height - 2.0);
            sheet.canvas.shaded_rect("cell", (left + 1.0, top + 1.0), size, Some(share));
        }
        let room_max = self.cell - 4.0;
        let forms = [Some(number(found, self.factor)), found.map(|value| short(value / self.factor))];
        // Without room even for a short number, only the colour and the description show the value.
        if let Some(number) = forms.into_iter().flatten().find(|form| room(form) <= room_max) {
            let at = (left + self.cell / 2.0, top + height / 2.0 + SIZE * 0.35);
            sheet.canvas.text("", Anchor::Middle, at, &number);
        }
    }
}

/// A short number: `950`, `1.2k`, `43k`, `1.5M`.
fn short(value: f64) -> String {
    let (value, sign) = match value.abs() {
        999_500.0.. => (value / 1e6, "M"),
        999.5.. => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let decimals = if value.abs() < 9.95 { 1 } else { 0 };
    format!("{value:.decimals$}{sign}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers() {
        let all = [0.25, 9.9, 31.3, 999.0, 1_240.0, 43_210.0, 1_500_000.0].map(short);
        assert_eq!(all, ["0.2", "9.9", "31", "999", "1.2k", "43k", "1.5M"]);
    }
}
