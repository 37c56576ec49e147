//! `geerling-2024`: six figures of iozone that reviews of single-board computers show.
//!
//! The script behind them runs `iozone -e -I -a -s 1g -i 0 -i 1 -i 2` with records of 4 KiB, then of 1024 KiB, each on a
//! new file: write, rewrite, read, reread, random read, random write; past the page cache, one at a time, an fsync at the
//! end counted in. What it calls sequential is the rewrite and the reread (columns 4 and 6 of iozone's table), and MB are
//! 2^20 bytes. All is as there, or the figures could not be set beside theirs.

use cardiograph_core::metric::Metric;
use cardiograph_core::report::StepResult;
use cardiograph_core::table::{CellUnit, Table};
use cardiograph_core::{Direction, GIB};

use crate::figure::Figure;
use crate::fixed::{FileRow, FixedSuite, Row};
use crate::measure::Source;
use crate::suite::Context;
use crate::tabulate::{column, figure, row};

/// The suite.
pub static GEERLING_2024: FixedSuite = FixedSuite {
    name: "geerling-2024",
    summary: "Six figures as iozone gives them, 4 KiB and 1 MiB on 1 GiB: the disk table of many single-board reviews.",
    original: "the script",
    rows: ROWS,
    sources: SOURCES,
    tables,
    judges_all_purposes: false,
};

const SMALL: FileRow = FileRow { name: "cardiograph-iozone-4k.tmp", len_bytes: GIB, copies: 1 };
const LARGE: FileRow = FileRow { name: "cardiograph-iozone-1m.tmp", len_bytes: GIB, copies: 1 };

/// A test of iozone. Like iozone it does not reserve the file's room before it writes.
macro_rules! test {
    ($id:literal, $title:literal, $file:ident, $rw:literal, $bs:literal) => {
        Row::measure(
            $id,
            $title,
            $file,
            concat!("ioengine=psync fallocate=none rw=", $rw, " bs=", $bs, " size=1g direct=1 end_fsync=1"),
        )
    };
}

const ROWS: &[Row] = &[
    test!("write-4k", "Write a new file, 4 KiB", SMALL, "write", "4k"),
    test!("rewrite-4k", "Write it again, 4 KiB", SMALL, "write", "4k"),
    test!("read-4k", "Read it, 4 KiB", SMALL, "read", "4k"),
    test!("reread-4k", "Read it again, 4 KiB", SMALL, "read", "4k"),
    test!("randread-4k", "Random read, 4 KiB", SMALL, "randread", "4k"),
    test!("randwrite-4k", "Random write, 4 KiB", SMALL, "randwrite", "4k"),
    test!("write-1m", "Write a new file, 1 MiB", LARGE, "write", "1024k"),
    test!("rewrite-1m", "Write it again, 1 MiB", LARGE, "write", "1024k"),
    test!("read-1m", "Read it, 1 MiB", LARGE, "read", "1024k"),
    test!("reread-1m", "Read it again, 1 MiB", LARGE, "read", "1024k"),
    test!("randread-1m", "Random read, 1 MiB", LARGE, "randread", "1024k"),
    test!("randwrite-1m", "Random write, 1 MiB", LARGE, "randwrite", "1024k"),
];

const SOURCES: &[Source] = &[
    Source::new("read-1m", Figure::Bandwidth(Direction::Read), Metric::SequentialRead),
    Source::new("write-1m", Figure::Bandwidth(Direction::Write), Metric::SequentialWrite),
    Source::new("randread-4k", Figure::Iops(Direction::Read), Metric::RandomReadIops),
    Source::new("randread-4k", Figure::Percentile(Direction::Read, 99.0), Metric::RandomReadP99),
    Source::new("randwrite-4k", Figure::Iops(Direction::Write), Metric::RandomWriteIops),
    Source::new("randwrite-4k", Figure::Percentile(Direction::Write, 99.0), Metric::RandomWriteP99),
];

/// The rows of the script's table, and the columns of iozone's behind it.
fn tables(_: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
    const SHOWN: [(&str, &str, Direction); 6] = [
        ("iozone 4K random read", "randread-4k", Direction::Read),
        ("iozone 4K random write", "randwrite-4k", Direction::Write),
        ("iozone 1M random read", "randread-1m", Direction::Read),
        ("iozone 1M random write", "randwrite-1m", Direction::Write),
        ("iozone 1M sequential read", "reread-1m", Direction::Read),
        ("iozone 1M sequential write", "rewrite-1m", Direction::Write),
    ];
    const TESTS: [(&str, Direction); 6] = [
        ("write", Direction::Write),
        ("rewrite", Direction::Write),
        ("read", Direction::Read),
        ("reread", Direction::Read),
        ("randread", Direction::Read),
        ("randwrite", Direction::Write),
    ];
    let speed = |id: &str, direction| figure(done, id, Figure::Bandwidth(direction));
    let shown = SHOWN.map(|(name, id, direction)| row(name, vec![speed(id, direction)]));
    let records = [("4", "4k"), ("1024", "1m")];
    let all = records.map(|(reclen, suffix)| {
        let cells = TESTS.map(|(test, direction)| speed(&format!("{test}-{suffix}"), direction));
        row(reclen, cells.to_vec())
    });
    vec![
        Table {
            title: "As the reviews show it".to_string(),
            heading: "Benchmark".to_string(),
            columns: vec![column("Result", CellUnit::MebibytesPerSecond)],
            rows: shown.to_vec(),
            notes: vec![
                "Sequential there means the second pass: rewrite and reread. They call 2^20 bytes MB."
                    .to_string(),
            ],
            ..Table::default()
        },
        Table {
            title: "As iozone shows it".to_string(),
            heading: "reclen".to_string(),
            columns: TESTS.map(|(test, _)| column(test, CellUnit::KibibytesPerSecond)).to_vec(),
            rows: all.to_vec(),
            ..Table::default()
        },
    ]
}
