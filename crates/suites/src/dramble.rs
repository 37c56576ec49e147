//! `dramble`: the three measurements of the wiki of the Raspberry Pi Dramble (2016), and of the script that goes with
//! it: `hdparm -t`, `dd` with blocks of 8 KiB and an fsync at the end, and `iozone` with 4 KiB in a file of 100 MiB.
//!
//! `count=50k` of dd is 51,200 blocks: 400 MiB of zeros. iozone (`-e -I -a -s 100M -r 4k -i 0 -i 1 -i 2`) goes past the
//! page cache, counts a flush after each pass that writes, and does each record of its random passes once. hdparm reads
//! the device from its start for three seconds, which needs root; here a file is read in the same way, through the page
//! cache and 2 MiB at a time, that was written with fresh content before. `cardiograph hdparm`, `dd` and `iozone` do the
//! tools' own.

use cardiograph_core::drive::Drive;
use cardiograph_core::metric::Metric;
use cardiograph_core::report::StepResult;
use cardiograph_core::table::{CellUnit, Table};
use cardiograph_core::{Direction, MIB};

use crate::figure::Figure;
use crate::fixed::{FileRow, FixedSuite, Row, layout};
use crate::measure::Source;
use crate::suite::Context;
use crate::tabulate::{column, figure, row};
use crate::text;

/// The suite.
pub static DRAMBLE: FixedSuite = FixedSuite {
    name: "dramble",
    summary: "hdparm, dd and iozone as the wiki of the Raspberry Pi Dramble measured cards, with its table.",
    original: "the wiki",
    rows: ROWS,
    sources: SOURCES,
    tables,
    judges_all_purposes: false,
};

const HDPARM: FileRow = FileRow { name: "cardiograph-hdparm.tmp", len_bytes: 512 * MIB, copies: 1 };
const DD: FileRow = FileRow { name: "cardiograph-dd.tmp", len_bytes: 400 * MIB, copies: 1 };
const IOZONE: FileRow = FileRow { name: "cardiograph-iozone.tmp", len_bytes: 100 * MIB, copies: 1 };

/// A pass of iozone.
macro_rules! iozone {
    ($id:literal, $title:literal, $rw:literal) => {
        Row::measure($id, $title, IOZONE, concat!("size=100M bs=4k rw=", $rw, " direct=1 end_fsync=1"))
    };
}

const ROWS: &[Row] = &[
    Row::measure(
        "dd",
        "Write zeros, 8 KiB, as dd",
        DD,
        "size=400M bs=8k rw=write direct=0 zero_buffers=1 end_fsync=1",
    ),
    iozone!("write", "Write a new file, 4 KiB", "write"),
    iozone!("rewrite", "Write it again, 4 KiB", "write"),
    iozone!("read", "Read it, 4 KiB", "read"),
    iozone!("reread", "Read it again, 4 KiB", "read"),
    iozone!("random-read", "Random read, 4 KiB", "randread"),
    iozone!("random-write", "Random write, 4 KiB", "randwrite"),
    // Last: what is written for it is not to fill a cache that the tools found empty.
    Row::prepare("layout", "Fill the file that is read", HDPARM, layout!("512M")),
    Row::measure(
        "hdparm",
        "Buffered read, 2 MiB, as hdparm -t",
        HDPARM,
        "size=512M bs=2M rw=read direct=0 runtime=3",
    ),
];

/// What dd wrote judges nothing: drives that compress or leave zeros out are faster with them.
const SOURCES: &[Source] = &[
    Source::new("hdparm", Figure::Bandwidth(Direction::Read), Metric::SequentialRead),
    Source::new("random-read", Figure::Iops(Direction::Read), Metric::RandomReadIops),
    Source::new("random-read", Figure::Percentile(Direction::Read, 99.0), Metric::RandomReadP99),
    Source::new("random-write", Figure::Iops(Direction::Write), Metric::RandomWriteIops),
    Source::new("random-write", Figure::Percentile(Direction::Write, 99.0), Metric::RandomWriteP99),
];

/// A column of a table.
struct Shown {
    heading: &'static str,
    /// The step that fills it.
    step: &'static str,
    direction: Direction,
    unit: CellUnit,
}

const fn read(heading: &'static str, step: &'static str, unit: CellUnit) -> Shown {
    Shown { heading, step, direction: Direction::Read, unit }
}

const fn write(heading: &'static str, step: &'static str, unit: CellUnit) -> Shown {
    Shown { heading, step, direction: Direction::Write, unit }
}

/// The columns of the wiki's table.
const WIKI: [Shown; 4] = [
    read("hdparm buffered", "hdparm", CellUnit::MebibytesPerSecond),
    write("dd write", "dd", CellUnit::MegabytesPerSecond),
    read("4K rand read", "random-read", CellUnit::MebibytesPerSecond),
    write("4K rand write", "random-write", CellUnit::MebibytesPerSecond),
];

/// The columns of iozone.
const PASSES: [Shown; 6] = [
    write("write", "write", CellUnit::KibibytesPerSecond),
    write("rewrite", "rewrite", CellUnit::KibibytesPerSecond),
    read("read", "read", CellUnit::KibibytesPerSecond),
    read("reread", "reread", CellUnit::KibibytesPerSecond),
    read("random read", "random-read", CellUnit::KibibytesPerSecond),
    write("random write", "random-write", CellUnit::KibibytesPerSecond),
];

fn tables(context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
    let table = |title: &str, (heading, name): (&str, &str), columns: &[Shown], notes: &[&str]| {
        let speed = |shown: &Shown| figure(done, shown.step, Figure::Bandwidth(shown.direction));
        Table {
            title: title.to_string(),
            heading: heading.to_string(),
            columns: columns.iter().map(|shown| column(shown.heading, shown.unit)).collect(),
            rows: vec![row(name, columns.iter().map(speed).collect())],
            notes: notes.iter().map(|note| (*note).to_string()).collect(),
            ..Table::default()
        }
    };
    let units = "The wiki calls all of these MB/s. hdparm's are MiB/s, and iozone's KiB/s are divided by 1,024. The \
                 first is read from a file, where hdparm reads the device from its start.";
    let simulated = "A simulated drive has no page cache: the blocks of dd come to it as they are, and none are put \
                     together.";
    let notes = if context.drive.simulated { vec![units, simulated] } else { vec![units] };
    let names = ("Card Make/Model", name_of(context.drive));
    vec![
        table("As the wiki shows it", (names.0, &names.1), &WIKI, &notes),
        table(
            "As iozone shows it",
            ("kB reclen", "102400 4"),
            &PASSES,
            &["iozone counts 1,024 bytes to a kB."],
        ),
    ]
}

/// What the drive calls itself, and how large it is sold.
fn name_of(drive: &Drive) -> String {
    let leaf = drive.leaves.first();
    let name =
        leaf.and_then(|leaf| leaf.model.as_deref().or(Some(&leaf.name)).filter(|name| !name.is_empty()));
    let size = drive.capacity_bytes.map(text::capacity);
    name.map(str::to_string).into_iter().chain(size).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use cardiograph_core::table::Cell;
    use cardiograph_jobs::settings::Settings as _;

    use super::*;
    use crate::suite::{Options, Suite};
    use crate::testing::{GB, SLOW_CARD, card, run_all, with_context};

    #[test]
    fn the_table_is_the_wikis() {
        let (mut drive, options) = (card(32 * GB, 30 * GB), Options::default());
        drive.leaves[0].model = Some("Samsung Evo+".to_string());
        let done = run_all(&DRAMBLE, &drive, &options, &SLOW_CARD);
        assert_eq!(done.len(), ROWS.len());
        let tables = with_context(&drive, &options, |context| DRAMBLE.tables(context, &done));
        let wiki = &tables[0];
        let headings: Vec<&str> = wiki.columns.iter().map(|column| column.heading.as_str()).collect();
        assert_eq!(headings, ["hdparm buffered", "dd write", "4K rand read", "4K rand write"]);
        assert_eq!(wiki.rows[0].name, "Samsung Evo+ 32 GB");
        let value = |table: &Table, column: usize| match &table.rows[0].cells[column] {
            Cell::Figure { estimate, .. } => (estimate.value / table.columns[column].unit.scale()).round(),
            cell => panic!("{cell:?}"),
        };
        // 31 MiB/s are 32.5 MB/s; 3,800 and 500 reads and writes of 4 KiB are 14.8 and 1.95 MiB/s.
        assert_eq!([0, 1, 2, 3].map(|column| value(wiki, column)), [90.0, 33.0, 15.0, 2.0]);
        assert_eq!([4, 5].map(|column| value(&tables[1], column)), [15_200.0, 2_000.0]);
    }

    #[test]
    fn it_does_what_the_tools_were_told() {
        let outline =
            with_context(&card(32 * GB, 30 * GB), &Options::default(), |context| DRAMBLE.outline(context));
        assert_eq!(outline.file_bytes_max, (512 + 400 + 100) * MIB);
        assert_eq!(outline.write_bytes_max, (512 + 400 + 3 * 100) * MIB);
        let dd = &outline.steps[0].work.jobs()[0];
        assert_eq!(
            (dd.last("bs"), dd.last("end_fsync"), dd.last("direct")),
            (Some("8k"), Some("1"), Some("0"))
        );
        assert_eq!(51_200 * 8_192, 400 * MIB);
    }
}
