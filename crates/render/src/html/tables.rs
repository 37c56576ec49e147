//! The tables that the suite makes, and the fields of a sweep.

use cardiograph_core::Report;
use cardiograph_core::table::{CellUnit, Column, Table};

use super::builder::Html;
use super::draw;
use crate::{plot, text};

pub(super) fn has(report: &Report) -> bool {
    report.tables.iter().any(has_cells)
}

fn has_cells(table: &Table) -> bool {
    table.rows.iter().any(|row| !row.cells.is_empty())
}

pub(super) fn write(html: &mut Html, report: &Report) {
    if report.suite == plot::SWEEP_SUITE {
        html.element("div", &[("class", "pictures")], |html| {
            for table in &report.tables {
                let title = plot::sweep_title(table, html.lang);
                draw(html, &title, |view| plot::of_table(table, view));
            }
        });
    }
    report.tables.iter().filter(|table| has_cells(table)).for_each(|table| write_table(html, table));
}

fn write_table(html: &mut Html, table: &Table) {
    let class = |column: &Column| if column.unit == CellUnit::Text { "" } else { "number" };
    let headings: Vec<(&str, String)> = std::iter::once(("", table.heading.clone()))
        .chain(table.columns.iter().map(|column| (class(column), text::table_heading(column))))
        .collect();
    let headings: Vec<(&str, &str)> = headings.iter().map(|(class, text)| (*class, text.as_str())).collect();
    html.table(&table.title, &headings, |html| {
        for row in &table.rows {
            let cells = text::table_cells(&table.columns, &row.cells);
            let cells: Vec<(&str, &str)> = table
                .columns
                .iter()
                .zip(&cells)
                .map(|(column, cell)| (class(column), cell.as_str()))
                .collect();
            html.row(&row.name, &cells);
        }
    });
    text::table_reasons(table).iter().for_each(|reason| html.told("p", "quiet", &format!("- {reason}")));
    table.notes.iter().for_each(|note| html.told("p", "quiet", note));
}
