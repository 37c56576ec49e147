//! `kdiskmark`: the default profile of KDiskMark 3, which is that of CrystalDiskMark.
//!
//! Four tests, each read and written: 1 MiB in sequence with 8 and with 1 in flight, 4 KiB at random with 32 and with 1.
//! A file of 1 GiB, five loops of 5 s with 5 s between them, and the mean of the loops. The options are those that
//! KDiskMark gives to fio (`helper/helper.cpp`), and megabytes are 10^6 bytes, as there. CrystalDiskMark differs: it
//! shows the best loop; a second table is for its readers.

use cardiograph_core::metric::Metric;
use cardiograph_core::report::StepResult;
use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::{Direction, GIB};

use crate::figure::Figure;
use crate::fixed::{FileRow, FixedSuite, Row, layout};
use crate::measure::Source;
use crate::suite::Context;
use crate::tabulate::{Over, column, over_tries, row};
use crate::tries;

/// The suite.
pub static KDISKMARK: FixedSuite = FixedSuite {
    name: "kdiskmark",
    summary: "The default profile of KDiskMark and CrystalDiskMark: four tests, five loops, about seven minutes.",
    original: "KDiskMark",
    rows: ROWS,
    sources: SOURCES,
    tables,
    judges_all_purposes: false,
};

const FILE: FileRow = FileRow { name: "cardiograph-kdiskmark.tmp", len_bytes: GIB, copies: 1 };
const LAYOUT: &str = layout!("1G");
const LOOPS: u32 = 5;

macro_rules! loops {
    ($id:literal, $title:literal, $rw:literal, $bs:literal, $depth:literal) => {
        Row::measure(
            $id,
            $title,
            FILE,
            concat!("ioengine=libaio randrepeat=0 refill_buffers=1 end_fsync=1 direct=1 size=1024m zero_buffers=0 bs=", $bs, " runtime=5 startdelay=5 rw=", $rw, " iodepth=", $depth, " numjobs=1"),
        )
        .tried(LOOPS)
    };
}

const ROWS: &[Row] = &[
    Row::prepare("layout", "Fill the file", FILE, LAYOUT),
    loops!("seq1m-q8-read", "Sequential read, 1 MiB, 8 in flight", "read", "1024k", "8"),
    loops!("seq1m-q1-read", "Sequential read, 1 MiB", "read", "1024k", "1"),
    loops!("rnd4k-q32-read", "Random read, 4 KiB, 32 in flight", "randread", "4k", "32"),
    loops!("rnd4k-q1-read", "Random read, 4 KiB", "randread", "4k", "1"),
    loops!("seq1m-q8-write", "Sequential write, 1 MiB, 8 in flight", "write", "1024k", "8"),
    loops!("seq1m-q1-write", "Sequential write, 1 MiB", "write", "1024k", "1"),
    loops!("rnd4k-q32-write", "Random write, 4 KiB, 32 in flight", "randwrite", "4k", "32"),
    loops!("rnd4k-q1-write", "Random write, 4 KiB", "randwrite", "4k", "1"),
];

const SOURCES: &[Source] = &[
    Source::new("seq1m-q1-read", Figure::Bandwidth(Direction::Read), Metric::SequentialRead),
    Source::new("seq1m-q1-write", Figure::Bandwidth(Direction::Write), Metric::SequentialWrite),
    Source::new("rnd4k-q1-read", Figure::Iops(Direction::Read), Metric::RandomReadIops),
    Source::new("rnd4k-q1-read", Figure::Percentile(Direction::Read, 99.0), Metric::RandomReadP99),
    Source::new("rnd4k-q32-read", Figure::Iops(Direction::Read), Metric::RandomReadDeepIops),
    Source::new("rnd4k-q1-write", Figure::Iops(Direction::Write), Metric::RandomWriteIops),
    Source::new("rnd4k-q1-write", Figure::Percentile(Direction::Write, 99.0), Metric::RandomWriteP99),
];

/// The rows of the window, in its order.
const TESTS: [(&str, &str); 4] = [
    ("SEQ1M Q8T1", "seq1m-q8"),
    ("SEQ1M Q1T1", "seq1m-q1"),
    ("RND4K Q32T1", "rnd4k-q32"),
    ("RND4K Q1T1", "rnd4k-q1"),
];

fn tables(_: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
    let table = |title: &str, over: Over| Table {
        title: title.to_string(),
        columns: vec![
            column("read", CellUnit::MegabytesPerSecond),
            column("write", CellUnit::MegabytesPerSecond),
            column("read IOPS", CellUnit::Count),
            column("write IOPS", CellUnit::Count),
        ],
        rows: TESTS.iter().map(|(name, id)| row(name, cells(done, id, over))).collect(),
        ..Table::default()
    };
    vec![
        table("As KDiskMark shows it (mean of five)", Over::Mean),
        table("As CrystalDiskMark shows it (best of five)", Over::Best),
    ]
}

fn cells(done: &[StepResult], id: &str, over: Over) -> Vec<Cell> {
    let (reads, writes) =
        (tries::counted(done, &format!("{id}-read")), tries::counted(done, &format!("{id}-write")));
    let cell = |of: &[&StepResult], figure| over_tries(of, figure, over);
    vec![
        cell(&reads, Figure::Bandwidth(Direction::Read)),
        cell(&writes, Figure::Bandwidth(Direction::Write)),
        cell(&reads, Figure::Iops(Direction::Read)),
        cell(&writes, Figure::Iops(Direction::Write)),
    ]
}
