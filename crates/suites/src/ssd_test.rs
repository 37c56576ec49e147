//! `ssd-test`: the job file for SSDs among fio's examples, as a published comparison of cards for a Raspberry Pi used it.
//!
//! Four jobs, one after the other, on one file of 10 GiB: 4 KiB with four in flight, for a minute each. The comparison
//! shows bandwidth and how long 70, 99 and 99.99 of a hundred I/Os took at most: the last says how predictable a drive is.

use cardiograph_core::metric::Metric;
use cardiograph_core::report::{StepResult, StepRole};
use cardiograph_core::table::{CellUnit, Table};
use cardiograph_core::{Direction, GIB};

use crate::figure::Figure;
use crate::fixed::{FileRow, FixedSuite, Row, layout};
use crate::measure::Source;
use crate::suite::Context;
use crate::tabulate::{column, figure, row};

/// The suite.
pub static SSD_TEST: FixedSuite = FixedSuite {
    name: "ssd-test",
    summary: "fio's example for SSDs, on 10 GiB, with the percentiles of a published comparison of A1 and A2 cards.",
    original: "the example",
    rows: ROWS,
    sources: SOURCES,
    tables,
    judges_all_purposes: false,
};

const FILE: FileRow = FileRow { name: "cardiograph-ssd-test.tmp", len_bytes: 10 * GIB, copies: 1 };
const LAYOUT: &str = layout!("10g");

macro_rules! job {
    ($id:literal, $title:literal, $rw:literal) => {
        Row::measure(
            $id,
            $title,
            FILE,
            concat!(
                "bs=4k ioengine=libaio iodepth=4 size=10g direct=1 runtime=60 rw=",
                $rw,
                " percentile_list=70:99:99.99"
            ),
        )
    };
}

const ROWS: &[Row] = &[
    Row::prepare("layout", "Fill the file", FILE, LAYOUT),
    job!("seq-read", "Sequential read, 4 KiB, 4 in flight", "read"),
    job!("rand-read", "Random read, 4 KiB, 4 in flight", "randread"),
    job!("seq-write", "Sequential write, 4 KiB, 4 in flight", "write"),
    job!("rand-write", "Random write, 4 KiB, 4 in flight", "randwrite"),
];

const SOURCES: &[Source] =
    &[Source::new("rand-read", Figure::Iops(Direction::Read), Metric::RandomReadDeepIops)];

fn tables(_: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
    let measured = ROWS.iter().filter(|row| row.role == StepRole::Measure);
    let rows = measured.map(|of| {
        let direction = of.direction();
        let figures = [
            Figure::Bandwidth(direction),
            Figure::Percentile(direction, 70.0),
            Figure::Percentile(direction, 99.0),
            Figure::Percentile(direction, 99.99),
        ];
        row(of.id, figures.map(|of_step| figure(done, of.id, of_step)).to_vec())
    });
    vec![Table {
        title: "As the comparison shows it".to_string(),
        columns: vec![
            column("bandwidth", CellUnit::MebibytesPerSecond),
            column("p70", CellUnit::Microseconds),
            column("p99", CellUnit::Microseconds),
            column("p99.99", CellUnit::Microseconds),
        ],
        rows: rows.collect(),
        ..Table::default()
    }]
}
