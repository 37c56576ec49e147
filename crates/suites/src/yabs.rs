//! `yabs`: the disk test of a script with which rented servers are compared.
//!
//! Half reads and half writes at random, 64 in flight in each of two jobs on one file of 2 GiB, thirty seconds for each
//! length of block. Megabytes are 10^6 bytes; the script divides fio's KiB/s by 1,000 and so shows 2.4 % less.

use cardiograph_core::report::{StepResult, StepRole};
use cardiograph_core::table::{CellUnit, Table};
use cardiograph_core::{Direction, GIB, NS_PER_S};

use crate::fixed::{FileRow, FixedSuite, Row, Writes, layout};
use crate::measure::{Figure, Source};
use crate::suite::Context;
use crate::tabulate::{column, figure, row};

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
const LAYOUT: &[(&str, &str)] = &layout("2G");

macro_rules! job {
    ($id:literal, $title:literal, $bs:literal) => {
        Row::measure(
            $id,
            $title,
            FILE,
            Writes::Bytes(4 * GIB),
            &[
                ("ioengine", "libaio"),
                ("rw", "randrw"),
                ("rwmixread", "50"),
                ("bs", $bs),
                ("iodepth", "64"),
                ("numjobs", "2"),
                ("size", "2G"),
                ("runtime", "30"),
                ("direct", "1"),
                ("group_reporting", "1"),
            ],
        )
        .within(30 * NS_PER_S)
    };
}

const ROWS: &[Row] = &[
    Row::prepare("layout", "Fill the file", FILE, LAYOUT),
    job!("4k", "Random read and write, 4 KiB, 64 in flight, 2 jobs", "4k"),
    job!("64k", "Random read and write, 64 KiB, 64 in flight, 2 jobs", "64k"),
    job!("512k", "Random read and write, 512 KiB, 64 in flight, 2 jobs", "512k"),
    job!("1m", "Random read and write, 1 MiB, 64 in flight, 2 jobs", "1m"),
];

fn tables(context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
    let measured = ROWS.iter().filter(|row| row.role == StepRole::Measure);
    let rows = measured.map(|of| {
        let figures = [
            Figure::Bandwidth(Direction::Read),
            Figure::Iops(Direction::Read),
            Figure::Bandwidth(Direction::Write),
            Figure::Iops(Direction::Write),
        ];
        row(of.id, figures.map(|of_step| figure(context, done, of.id, of_step)).to_vec())
    });
    vec![Table {
        title: "As the script shows it".to_string(),
        heading: "block".to_string(),
        columns: vec![
            column("read", CellUnit::MegabytesPerSecond),
            column("read IOPS", CellUnit::Count),
            column("write", CellUnit::MegabytesPerSecond),
            column("write IOPS", CellUnit::Count),
        ],
        rows: rows.collect(),
        notes: vec!["The script divides KiB by 1,000: what it calls MB/s is 2.4 % less.".to_string()],
    }]
}
