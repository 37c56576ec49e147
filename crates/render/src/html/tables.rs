//! The tables that the suite makes, and the fields of a sweep.

use cardiograph_core::Report;
use cardiograph_core::table::Table;

use super::builder::Html;
use super::draw;
use crate::grid::Grid;
use crate::{plot, text};

pub(super) fn write(html: &mut Html, report: &Report) {
    let lang = html.lang;
    let tables = report.tables.iter().filter_map(|table| Some((table, text::tables::grid(table, lang)?)));
    let tables: Vec<(&Table, Grid)> = tables.collect();
    if report.suite == plot::SWEEP_SUITE && !tables.is_empty() {
        html.element("div", &[("class", "pictures")], |html| {
            for (table, _) in &tables {
                let title = plot::sweep_title(table, html.lang);
                draw(html, &title, |view| plot::of_table(table, view));
            }
        });
    }
    for (table, grid) in &tables {
        html.table(&lang.text(&table.title), grid);
        text::tables::reasons(table, lang)
            .iter()
            .for_each(|reason| html.told("p", "quiet", &format!("- {reason}")));
        table.notes.iter().for_each(|note| html.told("p", "quiet", &lang.text(note)));
    }
}
