//! `iot-sd`: the ten jobs of a published comparison of cards for small devices (2013), with its table.
//!
//! Its author ran a job file section by section and cut bandwidth (KiB/s, written there as kB/s) and IOPS out of fio's
//! terse output. Every job has files of its own, written in full before they are read; `loops` is 5, and 3 for the small
//! blocks.

use cardiograph_core::metric::Metric;
use cardiograph_core::report::{StepResult, StepRole};
use cardiograph_core::table::{CellUnit, Table};
use cardiograph_core::{Direction, MIB};

use crate::figure::Figure;
use crate::fixed::{FileRow, FixedSuite, Row};
use crate::measure::Source;
use crate::suite::Context;
use crate::tabulate::{column, figure, row};

/// The suite.
pub static IOT_SD: FixedSuite = FixedSuite {
    name: "iot-sd",
    summary: "The ten jobs of a published comparison of cards for small devices, with its table.",
    original: "the comparison",
    rows: ROWS,
    sources: SOURCES,
    tables,
    judges_all_purposes: false,
};

/// What is left out of a table of the original's jobs: how a file is made before it is read.
const LAYOUT_100M: &str = "rw=write bs=1m size=100m direct=1 end_fsync=1";
const LAYOUT_100M_4: &str = "rw=write bs=1m size=100m direct=1 numjobs=4 end_fsync=1 group_reporting=1";
const LAYOUT_10M_32: &str = "rw=write bs=1m size=10m direct=1 numjobs=32 end_fsync=1 group_reporting=1";

const ONE_100M: FileRow = FileRow { name: "cardiograph-iot.tmp", len_bytes: 100 * MIB, copies: 1 };
const FOUR_100M: FileRow = FileRow { name: "cardiograph-iot4.$jobnum.tmp", len_bytes: 100 * MIB, copies: 4 };
const MANY_10M: FileRow = FileRow { name: "cardiograph-iot32.$jobnum.tmp", len_bytes: 10 * MIB, copies: 32 };

const ROWS: &[Row] = &[
    Row::prepare("layout", "Fill the file of one job", ONE_100M, LAYOUT_100M),
    Row::measure(
        "seqread",
        "Sequential read, 1 MiB",
        ONE_100M,
        "readwrite=read blocksize=1m size=100m direct=1 loops=5",
    ),
    Row::measure(
        "seqwrite",
        "Sequential write, 1 MiB",
        ONE_100M,
        "readwrite=write blocksize=1m size=100m direct=1 loops=5",
    ),
    Row::prepare("layout4", "Fill the files of four jobs", FOUR_100M, LAYOUT_100M_4),
    Row::measure(
        "seqread4",
        "Sequential read, 1 MiB, 4 jobs",
        FOUR_100M,
        "readwrite=read blocksize=1m size=100m direct=1 numjobs=4 loops=5 group_reporting=1",
    ),
    Row::measure(
        "seqwrite4",
        "Sequential write, 1 MiB, 4 jobs",
        FOUR_100M,
        "readwrite=write blocksize=1m size=100m direct=1 numjobs=4 loops=5 group_reporting=1",
    ),
    Row::measure(
        "randread512k",
        "Random read, 512 KiB",
        ONE_100M,
        "readwrite=randread blocksize=512k size=100m direct=1 loops=5",
    ),
    Row::measure(
        "randwrite512k",
        "Random write, 512 KiB",
        ONE_100M,
        "readwrite=randwrite blocksize=512k size=100m direct=1 loops=5",
    ),
    Row::measure(
        "randread4k",
        "Random read, 4 KiB",
        ONE_100M,
        "readwrite=randread blocksize=4k size=10m direct=1 loops=3",
    ),
    Row::measure(
        "randwrite4k",
        "Random write, 4 KiB",
        ONE_100M,
        "readwrite=randwrite blocksize=4k size=10m direct=1 loops=3",
    ),
    Row::prepare("layout32", "Fill the files of 32 jobs", MANY_10M, LAYOUT_10M_32),
    Row::measure(
        "randread4k32",
        "Random read, 4 KiB, 32 jobs",
        MANY_10M,
        "readwrite=randread blocksize=4k size=10m direct=1 numjobs=32 loops=3 group_reporting=1",
    ),
    Row::measure(
        "randwrite4k32",
        "Random write, 4 KiB, 32 jobs",
        MANY_10M,
        "readwrite=randwrite blocksize=4k size=10m direct=1 numjobs=32 loops=3 group_reporting=1",
    ),
];

const SOURCES: &[Source] = &[
    Source::new("seqread", Figure::Bandwidth(Direction::Read), Metric::SequentialRead),
    Source::new("seqwrite", Figure::Bandwidth(Direction::Write), Metric::SequentialWrite),
    Source::new("randread4k", Figure::Iops(Direction::Read), Metric::RandomReadIops),
    Source::new("randread4k", Figure::Percentile(Direction::Read, 99.0), Metric::RandomReadP99),
    Source::new("randwrite4k", Figure::Iops(Direction::Write), Metric::RandomWriteIops),
    Source::new("randwrite4k", Figure::Percentile(Direction::Write, 99.0), Metric::RandomWriteP99),
];

/// The table of the original: `job, bandwidth, iops`.
fn tables(_: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
    let measured = ROWS.iter().filter(|row| row.role == StepRole::Measure);
    let rows = measured.map(|of| {
        let direction = of.direction();
        let cells = [Figure::Bandwidth(direction), Figure::Iops(direction)];
        row(of.id, cells.map(|of_step| figure(done, of.id, of_step)).to_vec())
    });
    vec![Table {
        title: "As the comparison shows it".to_string(),
        heading: "job".to_string(),
        columns: vec![column("bandwidth", CellUnit::KibibytesPerSecond), column("iops", CellUnit::PerSecond)],
        rows: rows.collect(),
        notes: vec!["The comparison calls these kB/s: fio 2.0 counted 1,024 bytes to one.".to_string()],
        ..Table::default()
    }]
}
