//! The tables that a suite makes of its figures, in the units of the original.

use cardiograph_core::table::{Cell, CellUnit, Column, Table};
use cardiograph_core::{Message, units};

use super::layout::{Page, SPACE, pad_end, pad_start, plain, said, widest};
use crate::gathered::gathered;
use crate::grid::Grid;
use crate::lang::Lang;

/// Writes all tables onto `page`.
pub(super) fn write_all(page: &mut Page, tables: &[Table]) {
    tables.iter().for_each(|table| write(page, table));
}

fn write(page: &mut Page, table: &Table) {
    let lang = Lang::En;
    let Some(mut grid) = grid(table, lang) else { return };
    let has_room = |grid: &Grid| {
        let widths = grid.widths();
        widths.iter().sum::<usize>() + SPACE * (widths.len() - 1) <= page.style().width
    };
    let common = common_sign(table).filter(|_| !has_room(&grid));
    if common.is_some() {
        grid.headings.splice(1.., table.columns.iter().map(|column| said(&column.heading, lang)));
    }
    let has_room = has_room(&grid);
    match (table.title == Message::default(), common) {
        (true, _) => page.gap(),
        (false, None) => page.head(&said(&table.title, lang)),
        (false, Some(sign)) => page.head(&format!("{}, {sign}", said(&table.title, lang))),
    }
    match &table.columns[..] {
        [Column { unit: CellUnit::Text, .. }] => write_texts(page, &grid),
        _ if has_room => write_wide(page, &grid),
        _ => write_narrow(page, &grid),
    }
    if !matches!(&table.columns[..], [Column { unit: CellUnit::Text, .. }]) {
        reasons(table, lang).iter().for_each(|reason| page.quiet_prose("- ", reason));
    }
    table.notes.iter().for_each(|note| page.quiet_prose("", &said(note, lang)));
}

/// The table with the signs of units in its headings; `None` where it has no cells.
pub(crate) fn grid(table: &Table, lang: Lang) -> Option<Grid> {
    let columns = &table.columns;
    let rows = table.rows.iter().map(|row| {
        let cells = columns.iter().zip(&row.cells).map(|(column, cell)| shown(column.unit, cell, lang));
        std::iter::once(said(&row.name, lang)).chain(cells).collect()
    });
    let grid = Grid {
        headings: std::iter::once(said(&table.heading, lang))
            .chain(columns.iter().map(|of| heading(of, lang)))
            .collect(),
        is_number: std::iter::once(false).chain(columns.iter().map(|of| of.unit != CellUnit::Text)).collect(),
        rows: rows.collect(),
    };
    table.rows.iter().any(|row| !row.cells.is_empty()).then_some(grid)
}

/// The sign of the unit of all columns, which can stand in the title where a table is too wide with it in each heading.
fn common_sign(table: &Table) -> Option<&'static str> {
    let sign = table.columns.first()?.unit.sign();
    let is_common = |column: &Column| column.unit.sign() == sign && column.heading != Message::default();
    let has_place = !sign.is_empty() && table.title != Message::default() && table.columns.len() > 1;
    (has_place && table.columns.iter().all(is_common)).then_some(sign)
}

/// A row in a line.
fn write_wide(page: &mut Page, grid: &Grid) {
    let widths = grid.widths();
    for row in std::iter::once(&grid.headings).chain(&grid.rows) {
        let cells = row.iter().zip(&grid.is_number).zip(&widths);
        let cells = cells.map(|((cell, &is_number), &columns)| match is_number {
            true => pad_start(cell, columns),
            false => pad_end(cell, columns),
        });
        page.line(&cells.collect::<Vec<_>>().join(&" ".repeat(SPACE)));
    }
}

/// A table of texts: each beside its name, as long as it is.
fn write_texts(page: &mut Page, grid: &Grid) {
    let names = widest(grid.rows.iter().map(|row| &row[0]));
    for row in &grid.rows {
        page.prose(&pad_end(&row[0], names + SPACE), &row[1..].concat());
    }
}

/// Where a row does not fit into a line: its cells below its name, each with its heading, as the name has its own.
fn write_narrow(page: &mut Page, grid: &Grid) {
    let columns = widest(&grid.headings[1..]);
    for row in &grid.rows {
        match (grid.headings[0].as_str(), row[0].as_str()) {
            (_, "") => {}
            ("", name) => page.prose("", name),
            (heading, name) => page.prose("", &format!("{heading}: {name}")),
        }
        for (heading, cell) in grid.headings.iter().zip(row).skip(1) {
            page.prose(&format!("  {}  ", pad_end(heading, columns)), cell);
        }
    }
}

/// The heading of a column, with the sign of its unit.
fn heading(column: &Column, lang: Lang) -> String {
    match column.unit.sign() {
        "" => said(&column.heading, lang),
        sign => format!("{} {sign}", said(&column.heading, lang)).trim().to_string(),
    }
}

/// A cell as it is shown.
fn shown(unit: CellUnit, cell: &Cell, lang: Lang) -> String {
    match cell {
        Cell::Text { text } => said(text, lang),
        Cell::Figure { doubt: Some(doubt), .. } if doubt.withholds() => units::NO_FIGURE.to_string(),
        Cell::Figure { estimate, .. } => match unit {
            // A number of things, and no mean of several.
            CellUnit::Count if estimate.value >= 0.0 && estimate.value.fract() == 0.0 => {
                units::count(estimate.value as u64)
            }
            CellUnit::BytesPerSecond => units::bandwidth_si(estimate.value),
            CellUnit::InBrackets => format!("({})", thousands(estimate.value)),
            _ => number(estimate.value / unit.scale()),
        },
        Cell::Absent { .. } => units::NO_FIGURE.to_string(),
    }
}

/// A number as it is, and from 1,000 on in thousands: `37.6k`.
fn thousands(value: f64) -> String {
    match value {
        // What would be shown as 1,000.
        999.5.. => format!("{:.1}k", value / 1e3),
        _ => number(value),
    }
}

/// A number with at least three digits that mean something, and none behind the point from a hundred on.
fn number(value: f64) -> String {
    match value.abs() {
        100.0.. => units::count(value.round() as u64),
        10.0.. => format!("{value:.1}"),
        0.095.. => format!("{value:.2}"),
        0.0 => "0".to_string(),
        // Two digits that mean something, however small it is.
        small => {
            let decimals = (3..=9).find(|&decimals| small * 10f64.powi(decimals) >= 9.5).unwrap_or(9);
            format!("{value:.*}", decimals as usize)
        }
    }
}

/// More rows than these are not named one by one.
const ROWS_NAMED_MAX: usize = 3;

/// Why some cells have no figure, or one in doubt: each reason once, with the rows that it is for. Reasons for the same rows stand together.
pub(crate) fn reasons(table: &Table, lang: Lang) -> Vec<String> {
    let why = |cell: &Cell| match cell {
        Cell::Figure { doubt: Some(doubt), .. } if doubt.withholds() => Some(lang.text(&doubt.message())),
        Cell::Figure { doubt: Some(doubt), .. } => {
            Some(format!("{}: {}", lang.pick("in doubt", "疑わしい値"), lang.text(&doubt.message())))
        }
        Cell::Absent { why } => Some(said(why, lang)),
        Cell::Figure { doubt: None, .. } | Cell::Text { .. } => None,
    };
    let cells =
        table.rows.iter().enumerate().flat_map(|(at, row)| row.cells.iter().map(move |cell| (at, cell)));
    let mut reasons = gathered(cells.filter_map(|(at, cell)| Some((why(cell)?, at))));
    reasons.iter_mut().for_each(|(_, rows)| rows.dedup());
    let of_rows = gathered(reasons.into_iter().map(|(why, rows)| (rows, why)));
    let line = |(rows, whys): (Vec<usize>, Vec<String>)| {
        plain(&format!("{}{}", rows_named(table, &rows, lang), whys.join("; ")))
    };
    of_rows.into_iter().map(line).collect()
}

/// The rows, in words before a reason; nothing where it is for all of them.
fn rows_named(table: &Table, rows: &[usize], lang: Lang) -> String {
    let name = |at: usize| said(&table.rows[at].name, lang);
    match rows {
        _ if rows.len() == table.rows.len() => String::new(),
        [first, .., last] if rows.len() > ROWS_NAMED_MAX && last - first + 1 == rows.len() => {
            format!("{} … {}: ", name(*first), name(*last))
        }
        _ => format!("{}: ", rows.iter().map(|&at| name(at)).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::width;
    use cardiograph_core::table::TableRow;
    use cardiograph_core::{Doubt, Estimate};

    use super::super::layout::Style;
    use super::*;

    fn figure(value: f64, doubt: Option<Doubt>) -> Cell {
        let estimate = Estimate::exact(value);
        Cell::Figure { estimate, step: String::new(), doubt }
    }

    fn sample() -> Table {
        let column = |heading: &str, unit| Column { heading: Message::verbatim(heading), unit };
        let row = |name: &str, cells| TableRow { name: Message::verbatim(name), cells };
        Table {
            title: Message::verbatim("As the comparison shows it"),
            heading: Message::verbatim("job"),
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
                        figure(1.0, Some(Doubt::AboveLink)),
                        figure(9.5, None),
                        figure(1.0, Some(Doubt::AboveLink)),
                    ],
                ),
                row("randread4k", vec![Cell::Absent { why: Message::verbatim("not run") }; 3]),
            ],
            notes: vec![Message::verbatim("The comparison calls these kB/s.")],
            ..Table::default()
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
- seqwrite: more than the link to the drive carries: something closer answered
- randread4k: not run
The comparison calls these kB/s.
";
        assert_eq!(text(80), expected);
    }

    #[test]
    fn a_narrow_terminal_has_a_line_for_each_cell() {
        let text = text(40);
        assert!(
            text.contains("job: seqread\n  bandwidth KiB/s  249,512\n  iops 1/s         244\n"),
            "{text}"
        );
        assert!(text.lines().all(|line| width(line) <= 40), "{text}");
    }

    fn shown_at(width: usize, table: Table) -> String {
        let mut page = Page::new(&Style { width, color: false });
        write_all(&mut page, &[table]);
        page.into_text()
    }

    #[test]
    fn a_unit_that_all_columns_share_stands_in_the_title_where_room_is_short() {
        let mut table = sample();
        for column in &mut table.columns {
            (column.heading, column.unit) = (Message::verbatim("100/0"), CellUnit::PerSecond);
        }
        let wide = shown_at(80, table.clone());
        assert!(wide.starts_with("As the comparison shows it\njob           100/0 1/s  100/0 1/s"), "{wide}");
        table.columns = vec![table.columns[0].clone(); 7];
        let narrow = shown_at(80, table);
        assert!(narrow.starts_with("As the comparison shows it, 1/s\njob "), "{narrow}");
        assert!(narrow.contains("100/0      100/0  100/0  100/0") && !narrow.contains("job: "), "{narrow}");
    }

    #[test]
    fn tiny_figures_have_digits_that_mean_something() {
        for (value, text) in [
            (0.0, "0"),
            (0.004_71, "0.0047"),
            (0.000_123, "0.00012"),
            (0.0949, "0.095"),
            (0.36, "0.36"),
            (5.43, "5.43"),
            (15.04, "15.0"),
            (1e-12, "0.000000000"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn speeds_have_their_own_sign_and_counts_beside_them_stand_in_brackets() {
        let column = |heading: &str, unit| Column { heading: Message::verbatim(heading), unit };
        let table = |bytes_per_s, iops| Table {
            columns: vec![column("4k", CellUnit::BytesPerSecond), column("(IOPS)", CellUnit::InBrackets)],
            rows: vec![TableRow {
                name: Message::verbatim("Read"),
                cells: vec![figure(bytes_per_s, None), figure(iops, None)],
            }],
            notes: Vec::new(),
            ..sample()
        };
        for (bytes_per_s, iops, expected) in [
            (4_730.0, 1.155, "Read  4.73 kB/s  (1.16)"),
            (1_442_000.0, 352.0, "Read  1.44 MB/s   (352)"),
            (150_410_000.0, 999.4, "Read  150 MB/s   (999)"),
            (154_000_000.0, 37_612.0, "Read  154 MB/s  (37.6k)"),
            (1_750_000_000.0, 999.5, "Read  1.75 GB/s  (1.0k)"),
        ] {
            let text = shown_at(50, table(bytes_per_s, iops));
            assert_eq!(text.lines().last(), Some(expected));
        }
    }

    #[test]
    fn a_table_without_a_title_stands_behind_one_empty_line() {
        let mut page = Page::new(&Style::default());
        write_all(&mut page, &[sample(), Table { title: Message::default(), ..sample() }]);
        let text = page.into_text();
        assert!(text.contains("kB/s.\n\njob ") && !text.contains("\n\n\n"), "{text}");
    }

    #[test]
    fn reasons_for_the_same_rows_stand_together_and_long_runs_of_rows_are_not_listed() {
        let mut table = sample();
        let absent = |why: &str| Cell::Absent { why: Message::verbatim(why) };
        let row = |name: &str| TableRow {
            name: Message::verbatim(name),
            cells: vec![absent("not written"), absent("not written"), absent("not read back")],
        };
        table.rows.truncate(1);
        table.rows.extend(["a", "b", "c", "d"].map(row));
        let text = shown_at(80, table);
        assert!(text.contains("\n- a … d: not written; not read back\n"), "{text}");
    }

    #[test]
    fn tables_without_cells_are_not_shown() {
        let mut page = Page::new(&Style::default());
        write_all(&mut page, &[Table { rows: Vec::new(), ..sample() }]);
        assert_eq!(page.into_text(), "");
    }
}
