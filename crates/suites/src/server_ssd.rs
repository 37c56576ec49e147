//! `server-ssd`: the six commands of a published comparison of SSDs for servers (2012), with its two tables.
//!
//! Four of them count I/Os of 4 KiB by 64 jobs on one file of 5 GiB, two the bandwidth of 16 jobs with blocks of 32 MiB,
//! each for ten seconds. The comparison made its file system by hand; what it chose is printed beside what is here.

use cardiograph_core::drive::Geometry;
use cardiograph_core::metric::Metric;
use cardiograph_core::report::StepResult;
use cardiograph_core::table::{CellUnit, Table};
use cardiograph_core::{Direction, GIB};

use crate::figure::Figure;
use crate::fixed::{FileRow, FixedSuite, Row, layout};
use crate::measure::Source;
use crate::suite::Context;
use crate::tabulate::{column, figure, row};
use crate::text;

/// The suite.
pub static SERVER_SSD: FixedSuite = FixedSuite {
    name: "server-ssd",
    summary: "The six commands of a published comparison of SSDs and RAID controllers for servers, with its tables.",
    original: "the comparison",
    rows: ROWS,
    sources: SOURCES,
    tables,
    judges_all_purposes: false,
};

const FILE: FileRow = FileRow { name: "cardiograph-test5g.tmp", len_bytes: 5 * GIB, copies: 1 };
const LAYOUT: &str = layout!("5G");

/// A command of the comparison, its options in its order.
macro_rules! command {
    ($id:literal, $title:literal, $rw:literal, $bs:literal, $jobs:literal) => {
        Row::measure(
            $id,
            $title,
            FILE,
            concat!(
                "direct=1 rw=",
                $rw,
                " bs=",
                $bs,
                " size=5G numjobs=",
                $jobs,
                " runtime=10 group_reporting=1"
            ),
        )
        .until_time(u64::MAX)
    };
}

const ROWS: &[Row] = &[
    Row::prepare("layout", "Fill the file", FILE, LAYOUT),
    command!("read-4k", "Sequential read, 4 KiB, 64 jobs", "read", "4k", "64"),
    command!("write-4k", "Sequential write, 4 KiB, 64 jobs", "write", "4k", "64"),
    command!("randread-4k", "Random read, 4 KiB, 64 jobs", "randread", "4k", "64"),
    command!("randwrite-4k", "Random write, 4 KiB, 64 jobs", "randwrite", "4k", "64"),
    command!("read-32m", "Sequential read, 32 MiB, 16 jobs", "read", "32m", "16"),
    command!("write-32m", "Sequential write, 32 MiB, 16 jobs", "write", "32m", "16"),
];

const SOURCES: &[Source] =
    &[Source::new("randread-4k", Figure::Iops(Direction::Read), Metric::RandomReadDeepIops)];

fn tables(context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
    let table = |title: &str, unit, rows: &[(&str, &str, Figure)], notes: Vec<String>| Table {
        title: title.to_string(),
        heading: String::new(),
        columns: vec![column("", unit)],
        rows: rows.iter().map(|&(name, id, of)| row(name, vec![figure(done, id, of)])).collect(),
        notes,
        ..Table::default()
    };
    let iops = [
        ("4k, sequential read", "read-4k", Figure::Iops(Direction::Read)),
        ("4k, sequential write", "write-4k", Figure::Iops(Direction::Write)),
        ("4k, random read", "randread-4k", Figure::Iops(Direction::Read)),
        ("4k, random write", "randwrite-4k", Figure::Iops(Direction::Write)),
    ];
    let bandwidth = [
        ("32m, sequential read", "read-32m", Figure::Bandwidth(Direction::Read)),
        ("32m, sequential write", "write-32m", Figure::Bandwidth(Direction::Write)),
    ];
    vec![
        table("IOPS, as the comparison shows them", CellUnit::PerSecond, &iops, Vec::new()),
        table(
            "Bandwidth, as the comparison shows it",
            CellUnit::MebibytesPerSecond,
            &bandwidth,
            vec![
                "The comparison calls these MB/s: fio 2.0.7 counted 2^20 bytes to one.".to_string(),
                ORIGINAL_FILE_SYSTEM.to_string(),
                file_system(context),
            ],
        ),
    ]
}

const ORIGINAL_FILE_SYSTEM: &str =
    "There: mkfs.xfs -f -b size=4096 -i size=512 -l size=64m; mount -t xfs -o noatime,logbufs=8.";

/// What the file system here was made and mounted with, in the words of the line above where there are any.
fn file_system(context: &Context<'_>) -> String {
    let Some(mount) = &context.drive.mount else {
        return "Here: no file system that can be seen.".to_string();
    };
    let known = mount.file_system.as_ref();
    let made = match known.and_then(|known| known.geometry.as_ref()) {
        Some(Geometry::Xfs(xfs)) => {
            let log = text::option_bytes(xfs.log_bytes);
            format!("mkfs.xfs -b size={} -i size={} -l size={log}", xfs.block_bytes, xfs.inode_bytes)
        }
        Some(Geometry::Ext(ext)) => {
            format!("{} with -b {} -I {}", mount.fs_type, ext.block_bytes, ext.inode_bytes)
        }
        _ => mount.fs_type.clone(),
    };
    format!("Here: {made}; mounted -o {}.", mount.options.join(","))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{FileSystem, Mount, XfsGeometry};

    use super::*;
    use crate::suite::{Options, Suite};
    use crate::testing::{FAST_SSD, GB, card, run_all, with_context};

    #[test]
    fn the_commands_are_the_published_ones() {
        let done = run_all(&SERVER_SSD, &card(256 * GB, 200 * GB), &Options::default(), &FAST_SSD);
        let line = |step: &StepResult| {
            let settings = step.step.jobs()[0].settings.iter().filter(|setting| setting.option != "filename");
            settings
                .map(|setting| format!("-{}={}", setting.option, setting.value))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let lines: Vec<String> = done[1..].iter().map(line).collect();
        let of = |rw, bs, jobs| {
            format!("-direct=1 -rw={rw} -bs={bs} -size=5G -numjobs={jobs} -runtime=10 -group_reporting=1")
        };
        let expected = [
            of("read", "4k", 64),
            of("write", "4k", 64),
            of("randread", "4k", 64),
            of("randwrite", "4k", 64),
            of("read", "32m", 16),
            of("write", "32m", 16),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn both_file_systems_are_told() {
        let xfs = XfsGeometry {
            block_bytes: 4_096,
            inode_bytes: 512,
            log_bytes: 64 << 20,
            ..XfsGeometry::default()
        };
        let mut drive = card(256 * GB, 200 * GB);
        drive.mount = Some(Mount {
            fs_type: "xfs".to_string(),
            options: vec!["rw".to_string(), "noatime".to_string()],
            file_system: Some(FileSystem { geometry: Some(Geometry::Xfs(xfs)), ..FileSystem::default() }),
            ..drive.mount.unwrap_or_default()
        });
        let tables = with_context(&drive, &Options::default(), |context| SERVER_SSD.tables(context, &[]));
        let notes = &tables[1].notes;
        assert!(notes[1].contains("-l size=64m"), "{notes:?}");
        assert_eq!(notes[2], "Here: mkfs.xfs -b size=4096 -i size=512 -l size=64M; mounted -o rw,noatime.");
    }
}
