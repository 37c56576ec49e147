//! `pibench`: the tests of a public collection of Raspberry Pi storage benchmarks, and a score like its own.
//!
//! Its script writes zeros through the page cache and flushes them (`dd bs=4k count=130k conv=fsync`), writes and reads
//! 80 MiB at random by fio with 64 in flight, and does the same one at a time by iozone. Its score adds numbers of
//! different units and takes dd's as it stands, whether MB/s or GB/s. Here every number has the unit that the weights
//! were made for: MB/s for dd, I/Os a second for fio, KiB/s for iozone.

use cardiograph_core::metric::Metric;
use cardiograph_core::report::StepResult;
use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::{Direction, Estimate, KIB, MIB};

use crate::figure::Figure;
use crate::fixed::{FileRow, FixedSuite, Row};
use crate::measure::Source;
use crate::suite::Context;
use crate::tabulate::{absent, column, figure, row};

/// The suite.
pub static PIBENCH: FixedSuite = FixedSuite {
    name: "pibench",
    summary: "The tests behind a public collection of Raspberry Pi storage scores, with a score like its own.",
    original: "the script",
    rows: ROWS,
    sources: SOURCES,
    tables,
    judges_all_purposes: false,
};

const DD: FileRow =
    FileRow { name: "cardiograph-pibench-dd.tmp", len_bytes: 130 * 1024 * 4 * KIB, copies: 1 };
const FIO: FileRow = FileRow { name: "cardiograph-pibench-fio.tmp", len_bytes: 80 * MIB, copies: 1 };
const IOZONE: FileRow = FileRow { name: "cardiograph-pibench-iozone.tmp", len_bytes: 80 * MIB, copies: 1 };

macro_rules! deep {
    ($id:literal, $title:literal, $rw:literal) => {
        Row::measure(
            $id,
            $title,
            FIO,
            concat!("randrepeat=1 ioengine=libaio direct=1 bs=4k iodepth=64 size=80M readwrite=", $rw),
        )
    };
}

macro_rules! iozone {
    ($id:literal, $title:literal, $rw:literal) => {
        Row::measure(
            $id,
            $title,
            IOZONE,
            concat!("ioengine=psync fallocate=none rw=", $rw, " bs=4k size=80M direct=1 end_fsync=1"),
        )
    };
}

const ROWS: &[Row] = &[
    Row::measure(
        "dd",
        "Write zeros and flush, 4 KiB",
        DD,
        "ioengine=psync fallocate=none rw=write bs=4k size=520M zero_buffers=1 end_fsync=1",
    ),
    deep!("fio-write", "Random write, 4 KiB, 64 in flight", "randwrite"),
    deep!("fio-read", "Random read, 4 KiB, 64 in flight", "randread"),
    iozone!("write", "Write a new file, 4 KiB", "write"),
    iozone!("rewrite", "Write it again, 4 KiB", "write"),
    iozone!("read", "Read it, 4 KiB", "read"),
    iozone!("reread", "Read it again, 4 KiB", "read"),
    iozone!("randread", "Random read, 4 KiB", "randread"),
    iozone!("randwrite", "Random write, 4 KiB", "randwrite"),
];

const SOURCES: &[Source] = &[
    Source::new("fio-read", Figure::Iops(Direction::Read), Metric::RandomReadDeepIops),
    Source::new("randread", Figure::Iops(Direction::Read), Metric::RandomReadIops),
    Source::new("randread", Figure::Percentile(Direction::Read, 99.0), Metric::RandomReadP99),
    Source::new("randwrite", Figure::Iops(Direction::Write), Metric::RandomWriteIops),
    Source::new("randwrite", Figure::Percentile(Direction::Write, 99.0), Metric::RandomWriteP99),
];

const MEGABYTE: f64 = 1e6;
const KIBIBYTE: f64 = KIB as f64;

/// Weights of the score: the name in the table, the step, its figure, what the figure is divided by, and the weight.
const WEIGHTS: [(&str, &str, Figure, f64, f64); 7] = [
    ("DD write", "dd", Figure::Bandwidth(Direction::Write), MEGABYTE, 1_024.0),
    ("FIO 4k random read", "fio-read", Figure::Iops(Direction::Read), 1.0, 4.0),
    ("FIO 4k random write", "fio-write", Figure::Iops(Direction::Write), 1.0, 10.0),
    ("IOZone 4k read", "read", Figure::Bandwidth(Direction::Read), KIBIBYTE, 1.0),
    ("IOZone 4k write", "write", Figure::Bandwidth(Direction::Write), KIBIBYTE, 1.0),
    ("IOZone 4k random read", "randread", Figure::Bandwidth(Direction::Read), KIBIBYTE, 4.0),
    ("IOZone 4k random write", "randwrite", Figure::Bandwidth(Direction::Write), KIBIBYTE, 10.0),
];

fn tables(_: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
    let cells = WEIGHTS.map(|(_, id, of, ..)| figure(done, id, of));
    let score = score(&cells);
    let table = |title: &str, heading: &str, unit, range: std::ops::Range<usize>, notes: Vec<String>| Table {
        title: title.to_string(),
        heading: String::new(),
        columns: vec![column(heading, unit)],
        rows: range.map(|at| row(WEIGHTS[at].0, vec![cells[at].clone()])).collect(),
        notes,
        ..Table::default()
    };
    let mut dd = table("As the collection shows it", "", CellUnit::MegabytesPerSecond, 0..1, Vec::new());
    dd.columns[0].heading = "speed".to_string();
    let fio = table("", "IOPS", CellUnit::PerSecond, 1..3, Vec::new());
    let iozone = table("", "speed", CellUnit::KibibytesPerSecond, 3..7, Vec::new());
    let note = "(1024 dd + 4 fio read + 10 fio write + read + write + 4 random read + 10 random write) / 100, with dd in \
                MB/s, fio in I/Os a second and iozone in KiB/s. The collection's own takes dd's number whatever its unit.";
    let total = Table {
        columns: vec![column("score", CellUnit::Count)],
        rows: vec![row("pibench-like", vec![score])],
        notes: vec![note.to_string()],
        ..Table::default()
    };
    vec![dd, fio, iozone, total]
}

/// The score, where every figure of it is there.
fn score(cells: &[Cell; WEIGHTS.len()]) -> Cell {
    let mut sum = 0.0;
    let mut doubts = None;
    for (cell, (.., divisor, weight)) in cells.iter().zip(WEIGHTS) {
        let Cell::Figure { estimate, doubt, .. } = cell else { return absent("not all was run") };
        sum += weight * estimate.value / divisor;
        doubts = doubts.or_else(|| doubt.clone());
    }
    Cell::Figure { estimate: Estimate::bare(sum / 100.0, 1), step: "dd".to_string(), doubt: doubts }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Doubt;

    use super::*;

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
        let Cell::Figure { estimate, doubt, .. } = score(&cells) else { panic!("no score") };
        assert!((estimate.value - expected).abs() < 1e-9, "{} {expected}", estimate.value);
        assert_eq!(doubt, None);
        cells[3] = cell(1.0, Some(Doubt::PageCache));
        let Cell::Figure { doubt, .. } = score(&cells) else { panic!("no score") };
        assert_eq!(doubt, Some(Doubt::PageCache));
        cells[4] = absent("not run");
        assert_eq!(score(&cells), absent("not all was run"));
    }
}
