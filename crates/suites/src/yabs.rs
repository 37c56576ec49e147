//! `yabs`: the disk test of a script with which rented servers are compared.
//!
//! Half reads and half writes at random, 64 in flight in each of two jobs on one file of 2 GiB, thirty seconds for each
//! length of block. Megabytes are 10^6 bytes; the script divides fio's KiB/s by 1,000 and so shows 2.4 % less.

use cardiograph_core::report::{StepResult, StepRole};
use cardiograph_core::table::{CellUnit, Table};
use cardiograph_core::{Direction, GIB};

use crate::figure::Figure;
use crate::fixed::{FileRow, FixedSuite, Row, layout};
use crate::measure::Source;
use crate::suite::Context;
use crate::tabulate::{absent, column, figure, row, total};

/// The suite.
pub static YABS: FixedSuite = FixedSuite {
    name: "yabs",
    summary: "The disk test of yabs.sh: random reads and writes at once, four lengths of block, about two minutes.",
    original: "the script",
    rows: ROWS,
    sources: NONE,
    tables,
    judges_all_purposes: false,
};

/// Reads and writes hinder each other here: nothing of it answers what a purpose asks.
const NONE: &[Source] = &[];

const FILE: FileRow = FileRow { name: "cardiograph-yabs.tmp", len_bytes: 2 * GIB, copies: 1 };
const LAYOUT: &str = layout!("2G");

macro_rules! job {
    ($id:literal, $title:literal, $bs:literal) => {
        Row::measure(
            $id,
            $title,
            FILE,
            concat!(
                "ioengine=libaio rw=randrw rwmixread=50 bs=",
                $bs,
                " iodepth=64 numjobs=2 size=2G runtime=30 direct=1 group_reporting=1"
            ),
        )
    };
}

const ROWS: &[Row] = &[
    Row::prepare("layout", "Fill the file", FILE, LAYOUT),
    job!("4k", "Random read and write, 4 KiB, 64 in flight, 2 jobs", "4k"),
    job!("64k", "Random read and write, 64 KiB, 64 in flight, 2 jobs", "64k"),
    job!("512k", "Random read and write, 512 KiB, 64 in flight, 2 jobs", "512k"),
    job!("1m", "Random read and write, 1 MiB, 64 in flight, 2 jobs", "1m"),
];

/// As the script prints it: two lengths of block beside each other, the speed with its IOPS in brackets.
fn tables(_: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
    let measured: Vec<&Row> = ROWS.iter().filter(|row| row.role == StepRole::Measure).collect();
    let mut tables: Vec<Table> = measured.chunks(2).map(|pair| table(done, pair)).collect();
    if let [first, .., last] = &mut tables[..] {
        first.title = "As the script shows it".to_string();
        last.notes.push("The script divides KiB by 1,000: what it calls MB/s is 2.4 % less.".to_string());
    }
    tables
}

/// A figure of one direction, as a table has it twice for each block.
type Of = fn(Direction) -> Figure;

fn table(done: &[StepResult], blocks: &[&Row]) -> Table {
    let figures =
        || blocks.iter().flat_map(|block| [Figure::Bandwidth as Of, Figure::Iops].map(|of| (block.id, of)));
    let one = |direction| figures().map(|(id, of)| figure(done, id, of(direction))).collect();
    let both = figures().map(|(id, of)| match done.iter().find(|step| step.step.id == id) {
        Some(step) => total(step, of),
        None => absent("not run"),
    });
    let columns = blocks.iter().flat_map(|block| {
        [column(block.id, CellUnit::BytesPerSecond), column("(IOPS)", CellUnit::InBrackets)]
    });
    Table {
        heading: "block".to_string(),
        columns: columns.collect(),
        rows: vec![
            row("Read", one(Direction::Read)),
            row("Write", one(Direction::Write)),
            row("Total", both.collect()),
        ],
        ..Table::default()
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::table::Cell;

    use super::*;
    use crate::suite::{Options, Suite};
    use crate::testing::{FAST_SSD, GB, card, run_all, settle, with_context};

    fn figures(table: &Table, row: usize) -> Vec<f64> {
        let value = |cell: &Cell| match cell {
            Cell::Figure { estimate, doubt: None, .. } => estimate.value,
            cell => panic!("{cell:?}"),
        };
        table.rows[row].cells.iter().map(value).collect()
    }

    #[test]
    fn blocks_stand_side_by_side_and_the_total_is_the_sum() {
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        let done = run_all(&YABS, &drive, &options, &FAST_SSD);
        let tables = with_context(&drive, &options, |context| YABS.tables(context, &done));
        let headings = |table: &Table| -> Vec<String> {
            table.columns.iter().map(|column| column.heading.clone()).collect()
        };
        assert_eq!(tables.len(), 2);
        assert_eq!(headings(&tables[0]), ["4k", "(IOPS)", "64k", "(IOPS)"]);
        assert_eq!(headings(&tables[1]), ["512k", "(IOPS)", "1m", "(IOPS)"]);
        for table in &tables {
            let (read, write, total) = (figures(table, 0), figures(table, 1), figures(table, 2));
            let sums = read.iter().zip(&write).map(|(read, write)| read + write);
            assert_eq!(sums.collect::<Vec<_>>(), total);
            assert!(total.iter().all(|&value| value > 0.0));
        }
        let few = &done[..2];
        let tables = with_context(&drive, &options, |context| YABS.tables(context, few));
        assert_eq!(tables[0].rows[2].cells[2], absent("not run"));
    }

    #[test]
    fn what_is_in_doubt_in_one_direction_is_in_doubt_in_the_total() {
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        let mut done = run_all(&YABS, &drive, &options, &FAST_SSD);
        let check = cardiograph_core::counters::check(Direction::Read, 100, &Default::default()).unwrap();
        done[1].counter_checks.push(check);
        settle(&mut done, &drive, &options);
        let table = with_context(&drive, &options, |context| YABS.tables(context, &done)).remove(0);
        let is_doubted = |row: usize| matches!(table.rows[row].cells[0], Cell::Figure { doubt: Some(_), .. });
        assert_eq!([0, 1, 2].map(is_doubted), [true, false, true]);
    }
}
