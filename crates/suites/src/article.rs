//! `article`: four experiments with fixed sizes, times and order.
//!
//! They are those of a comparison of a microSD card with an SSD on a Raspberry Pi 5 that was published with all of its
//! fio output, so that a drive can be set beside the two. Nothing is adapted to the drive.

use cardiograph_core::metric::Metric;
use cardiograph_core::{Direction, GIB, KIB, MIB};

use crate::figure::Figure;
use crate::fixed::{FileRow, FixedSuite, Row, layout};
use crate::measure::Source;

const SDTEST: FileRow = FileRow { name: "cardiograph-sdtest.tmp", len_bytes: 200 * MIB, copies: 1 };
const LATP: FileRow = FileRow { name: "cardiograph-latp.tmp", len_bytes: GIB, copies: 1 };
const FSYNC: FileRow = FileRow { name: "cardiograph-fsync.tmp", len_bytes: 256 * MIB, copies: 1 };
const SUSTAIN: FileRow = FileRow { name: "cardiograph-sustain.tmp", len_bytes: 3 * GIB, copies: 1 };

/// A write and its flush are two trips through the kernel to the drive: no drive answers both within 4 µs.
const DURABLE_WRITES_PER_S_MAX: u64 = 250_000;

const ROWS: [Row; 6] = [
    Row::prepare("layout-sdtest", "Fill the file of the mixed test", SDTEST, layout!("200M")),
    Row::measure(
        "sdtest",
        "Sequential read and write, 1 MiB",
        SDTEST,
        "size=200M bs=1M rw=readwrite direct=1 numjobs=1",
    ),
    Row::prepare("layout-latp", "Fill the file of the random read", LATP, layout!("1G")),
    Row::measure(
        "latp",
        "Random read, 4 KiB, one at a time",
        LATP,
        "size=1G bs=4k rw=randread iodepth=1 direct=1 time_based=1 runtime=30 \
         lat_percentiles=1 percentile_list=95:99:99.9",
    ),
    Row::measure(
        "fsync",
        "Durable write, 4 KiB, fsync after each",
        FSYNC,
        "size=256M bs=4k rw=write direct=1 iodepth=1 fsync=1 runtime=30 time_based=1",
    )
    .until_time(DURABLE_WRITES_PER_S_MAX * 4 * KIB),
    Row::measure(
        "sustain",
        "Sustained write, 1 MiB",
        SUSTAIN,
        "size=3G bs=1M rw=write direct=1 time_based=1 runtime=120 iodepth=2",
    )
    .until_time(u64::MAX),
];

/// The fixed checkup.
pub static ARTICLE: FixedSuite = FixedSuite {
    name: "article",
    summary: "The four fixed experiments of a published microSD and SSD comparison, in about four minutes.",
    original: "the article",
    rows: &ROWS,
    sources: SOURCES,
    tables: |_, _| Vec::new(),
    judges_all_purposes: true,
};

const SOURCES: &[Source] = &[
    Source::new("sdtest", Figure::Bandwidth(Direction::Read), Metric::MixedSequentialRead),
    Source::new("sdtest", Figure::Bandwidth(Direction::Write), Metric::MixedSequentialWrite),
    Source::new("latp", Figure::Iops(Direction::Read), Metric::RandomReadIops),
    Source::new("latp", Figure::Percentile(Direction::Read, 99.0), Metric::RandomReadP99),
    Source::new("fsync", Figure::Iops(Direction::Write), Metric::DurableWriteIops),
    Source::new("fsync", Figure::Percentile(Direction::Sync, 99.0), Metric::SyncP99),
    Source::new("fsync", Figure::Percentile(Direction::Sync, 99.9), Metric::SyncP999),
    Source::new("sustain", Figure::Bandwidth(Direction::Write), Metric::SustainedWrite),
    Source::new("sustain", Figure::LongestStall(Direction::Write), Metric::WriteStallMax),
];

#[cfg(test)]
mod tests;
