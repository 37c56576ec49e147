//! The tables that the suite makes, and the fields of a sweep.

use cardiograph_core::Report;
use cardiograph_core::table::Table;

use super::builder::Html;
use super::draw;
use crate::{plot, text};

pub(super) fn has(report: &Report) -> bool {
    report.tables.iter().any(|table| text::suite_grid(table).is_some())
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
    report.tables.iter().for_each(|table| write_table(html, table));
}

fn write_table(html: &mut Html, table: &Table) {
    let Some(grid) = text::suite_grid(table) else { return };
    html.table(&table.title, &grid);
    text::table_reasons(table).iter().for_each(|reason| html.told("p", "quiet", &format!("- {reason}")));
    table.notes.iter().for_each(|note| html.told("p", "quiet", note));
}
