//! The score of the collection; each weight is for its figure's unit.

use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::{Estimate, Message, message};

use crate::suite::Context;
use crate::tabulate::{absent, column, row};

/// Weights of all figures, in the order of the tables, each for the unit of its column.
const WEIGHTS: [f64; 7] = [1_024.0, 4.0, 10.0, 1.0, 1.0, 4.0, 10.0];

/// Adds a table with the score.
pub(crate) fn add_score(_: &Context<'_>, mut tables: Vec<Table>) -> Vec<Table> {
    tables.push(Table {
        columns: vec![column(message!("table-pibench.score"), CellUnit::Count)],
        rows: vec![row(Message::verbatim("pibench-like"), vec![score(&tables)])],
        notes: vec![message!("note-pibench.score")],
        ..Table::default()
    });
    tables
}

/// The score; absent unless all figures are present.
fn score(tables: &[Table]) -> Cell {
    let cells = tables
        .iter()
        .flat_map(|table| table.rows.iter().map(|row| (&row.cells[0], table.columns[0].unit.scale())));
    let mut sum = 0.0;
    let mut doubts = None;
    for ((cell, scale), weight) in cells.zip(WEIGHTS) {
        let Cell::Figure { estimate, doubt, .. } = cell else {
            return absent(message!("table-absent.not-all-run"));
        };
        sum += weight * estimate.value / scale;
        doubts = doubts.or_else(|| doubt.clone());
    }
    Cell::Figure { estimate: Estimate::bare(sum / 100.0, 1), step: "dd".to_string(), doubt: doubts }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Doubt;

    use super::*;
    use crate::suite::Options;
    use crate::testing::{GB, card, suite, with_context};

    fn cell(value: f64, doubt: Option<Doubt>) -> Cell {
        Cell::Figure { estimate: Estimate::exact(value), step: String::new(), doubt }
    }

    #[test]
    fn the_score_is_the_weighted_sum_in_its_units() {
        // 20 MB/s; 3,000 and 700 I/Os a second; 10, 5, 8 and 2 MiB/s.
        let mib = 1_048_576.0;
        let mut cells = [20e6, 3_000.0, 700.0, 10.0 * mib, 5.0 * mib, 8.0 * mib, 2.0 * mib]
            .map(|value| cell(value, None));
        let expected =
            (1_024.0 * 20.0 + 4.0 * 3_000.0 + 7_000.0 + 10_240.0 + 5_120.0 + 4.0 * 8_192.0 + 20_480.0)
                / 100.0;
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        let mut tables =
            with_context(&drive, &options, |context| suite("pibench").tables(context, &[])[..3].to_vec());
        let mut score = |cells: &[Cell]| {
            let rows = tables.iter_mut().flat_map(|table| &mut table.rows);
            rows.zip(cells).for_each(|(row, cell)| row.cells = vec![cell.clone()]);
            super::score(&tables)
        };
        let Cell::Figure { estimate, doubt, .. } = score(&cells) else { panic!("no score") };
        assert!((estimate.value - expected).abs() < 1e-9, "{} {expected}", estimate.value);
        assert_eq!(doubt, None);
        cells[3] = cell(1.0, Some(Doubt::PageCache));
        let Cell::Figure { doubt, .. } = score(&cells) else { panic!("no score") };
        assert_eq!(doubt, Some(Doubt::PageCache));
        cells[4] = absent(crate::tabulate::NOT_RUN);
        assert_eq!(score(&cells), absent(message!("table-absent.not-all-run")));
    }
}
