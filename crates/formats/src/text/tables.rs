//! The tables that a suite makes of its figures, in the units of the original.

use cardiograph_core::table::{Cell, CellUnit, Column, Table};

use super::layout::{Page, pad_end, pad_start, plain, width};
use crate::units;

/// Spaces before each column.
const SPACE: usize = 2;

/// Writes all tables onto `page`.
pub(super) fn write_all(page: &mut Page, tables: &[Table]) {
    for table in tables.iter().filter(|table| table.rows.iter().any(|row| !row.cells.is_empty())) {
        write(page, table);
    }
}

fn write(page: &mut Page, table: &Table) {
    page.head(&plain(&table.title));
    if let [Column { unit: CellUnit::Text, .. }] = &table.columns[..] {
        write_texts(page, table);
        table.notes.iter().for_each(|note| page.quiet_prose("", &plain(note)));
        return;
    }
    let headings: Vec<String> = table.columns.iter().map(heading).collect();
    let rows: Vec<(String, Vec<String>)> =
        table.rows.iter().map(|row| (plain(&row.name), cells(&table.columns, &row.cells))).collect();
    let columns: Vec<usize> = (0..headings.len())
        .map(|column| {
            let widest = rows.iter().filter_map(|(_, cells)| cells.get(column)).map(|cell| width(cell)).max();
            widest.unwrap_or(0).max(width(&headings[column]))
        })
        .collect();
    let names = rows.iter().map(|(name, _)| width(name)).chain([width(&table.heading)]).max().unwrap_or(0);
    let taken: usize = columns.iter().map(|column| column + SPACE).sum();
    if names + taken <= page.style().width {
        let mut line = |name: &str, cells: &[String]| {
            let cells = cells.iter().zip(&table.columns).zip(&columns);
            let cells = cells.map(|((cell, column), &columns)| match column.unit {
                CellUnit::Text => format!("{}{}", " ".repeat(SPACE), pad_end(cell, columns)),
                _ => pad_start(cell, columns + SPACE),
            });
            page.line(&format!("{}{}", pad_end(name, names), cells.collect::<String>()));
        };
        line(&plain(&table.heading), &headings);
        rows.iter().for_each(|(name, cells)| line(name, cells));
    } else {
        write_narrow(page, &headings, &rows);
    }
    write_reasons(page, table);
    table.notes.iter().for_each(|note| page.quiet_prose("", &plain(note)));
}

/// A table of texts: each beside its name, as long as it is.
fn write_texts(page: &mut Page, table: &Table) {
    let names = table.rows.iter().map(|row| width(&plain(&row.name))).max().unwrap_or(0);
    for row in &table.rows {
        let texts = cells(&table.columns, &row.cells).join("");
        page.prose(&format!("{}{}", pad_end(&plain(&row.name), names), " ".repeat(SPACE)), &texts);
    }
}

/// Where a row does not fit into a line: its cells below its name, each with its heading.
fn write_narrow(page: &mut Page, headings: &[String], rows: &[(String, Vec<String>)]) {
    let columns = headings.iter().map(|heading| width(heading)).max().unwrap_or(0);
    for (name, cells) in rows {
        page.prose("", name);
        for (heading, cell) in headings.iter().zip(cells) {
            page.prose(&format!("  {}  ", pad_end(heading, columns)), cell);
        }
    }
}

fn heading(column: &Column) -> String {
    match column.unit.sign() {
        "" => plain(&column.heading),
        sign => format!("{} {sign}", plain(&column.heading)).trim().to_string(),
    }
}

fn cells(columns: &[Column], cells: &[Cell]) -> Vec<String> {
    columns.iter().zip(cells).map(|(column, cell)| shown(column.unit, cell)).collect()
}

/// A cell as it is shown. What is in doubt is withheld.
fn shown(unit: CellUnit, cell: &Cell) -> String {
    match cell {
        Cell::Text { text } => plain(text),
        Cell::Figure { estimate, doubt: None, .. } if is_whole_count(unit, estimate.value) => {
            units::count(estimate.value as u64)
        }
        Cell::Figure { estimate, doubt: None, .. } => number(estimate.value / unit.scale()),
        Cell::Figure { .. } | Cell::Absent { .. } => units::NO_FIGURE.to_string(),
    }
}

/// Whether it is a number of things, and no mean of several.
fn is_whole_count(unit: CellUnit, value: f64) -> bool {
    unit == CellUnit::Count && value >= 0.0 && value.fract() == 0.0
}

/// A number with at least three digits that mean something, and none behind the point from a hundred on.
fn number(value: f64) -> String {
    match value.abs() {
        100.0.. => units::count(value.round() as u64),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Why some cells have no figure: each reason once, with the rows that it is for.
fn write_reasons(page: &mut Page, table: &Table) {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in &table.rows {
        for cell in &row.cells {
            let why = match cell {
                Cell::Figure { doubt: Some(why), .. } | Cell::Absent { why } => why.as_str(),
                Cell::Figure { doubt: None, .. } | Cell::Text { .. } => continue,
            };
            match reasons.iter_mut().find(|(known, _)| *known == why) {
                Some((_, rows)) if rows.contains(&row.name.as_str()) => {}
                Some((_, rows)) => rows.push(&row.name),
                None => reasons.push((why, vec![&row.name])),
            }
        }
    }
    for (why, rows) in reasons {
        let what =
            if rows.len() == table.rows.len() { String::new() } else { format!("{}: ", rows.join(", ")) };
        page.quiet_prose("- ", &plain(&format!("{what}{why}")));
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Estimate;
    use cardiograph_core::table::TableRow;

    use super::super::layout::Style;
    use super::*;

    fn figure(value: f64, doubt: Option<&str>) -> Cell {
        let estimate = Estimate::exact(value);
        Cell::Figure { estimate, step: String::new(), doubt: doubt.map(str::to_string) }
    }

    fn sample() -> Table {
        let column = |heading: &str, unit| Column { heading: heading.to_string(), unit };
        let row = |name: &str, cells| TableRow { name: name.to_string(), cells };
        Table {
            title: "As the comparison shows it".to_string(),
            heading: "job".to_string(),
            columns: vec![
                column("bandwidth", CellUnit::KibibytesPerSecond),
                column("iops", CellUnit::PerSecond),
                column("p99", CellUnit::Milliseconds),
            ],
            rows: vec![
                row("seqread", vec![figure(255_500_288.0, None), figure(243.6, None), figure(4.1e6, None)]),
                row(
                    "seqwrite",
                    vec![
                        figure(1.0, Some("a cache answered")),
                        figure(9.5, None),
                        figure(1.0, Some("a cache answered")),
                    ],
                ),
                row("randread4k", vec![Cell::Absent { why: "not run".to_string() }; 3]),
            ],
            notes: vec!["The comparison calls these kB/s.".to_string()],
        }
    }

    fn text(width: usize) -> String {
        let mut page = Page::new(&Style { width, color: false });
        write_all(&mut page, &[sample()]);
        page.into_text()
    }

    #[test]
    fn columns_are_aligned_and_what_is_missing_says_why() {
        let expected = "\
As the comparison shows it
job         bandwidth KiB/s  iops 1/s  p99 ms
seqread             249,512       244    4.10
seqwrite                  -      9.50       -
randread4k                -         -       -
- seqwrite: a cache answered
- randread4k: not run
The comparison calls these kB/s.
";
        assert_eq!(text(80), expected);
    }

    #[test]
    fn a_narrow_terminal_has_a_line_for_each_cell() {
        let text = text(40);
        assert!(text.contains("seqread\n  bandwidth KiB/s  249,512\n  iops 1/s         244\n"), "{text}");
        assert!(text.lines().all(|line| width(line) <= 40), "{text}");
    }

    #[test]
    fn tables_without_cells_are_not_shown() {
        let mut page = Page::new(&Style::default());
        write_all(&mut page, &[Table { rows: Vec::new(), ..sample() }]);
        assert_eq!(page.into_text(), "");
    }
}
