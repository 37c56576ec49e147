//! Published test sets in TOML.

use cardiograph_core::message::Parameter;
use cardiograph_core::metric::Metric;
use cardiograph_core::published::Preconditioning;
use cardiograph_core::report::{StepResult, StepRole, TestFile};
use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::{Direction, MIB, Message, NS_PER_S, message};
use cardiograph_jobs::value::parse_bytes;
use serde::Deserialize;

use crate::figure::Figure;
use crate::published::Words;
use crate::tabulate::{NOT_RUN, Over, absent, column, figure, over_tries, row, total};
use crate::{title, tries};

/// A test set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data<'t> {
    /// Whether all purposes are judged, or only those for which its figures suffice.
    #[serde(default)]
    pub judges_all_purposes: bool,
    /// Whether the original wrote all of the drive before.
    pub preconditioning: Preconditioning,
    /// Its test files.
    #[serde(borrow)]
    pub files: Vec<FileData<'t>>,
    /// Its steps in order.
    pub steps: Vec<StepData<'t>>,
    /// The tables that readers of the original know.
    #[serde(default)]
    pub tables: Vec<TableData<'t>>,
}

/// A test file, or one for each clone of the job.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileData<'t> {
    /// Its name. If each clone has a separate file, `$jobnum` in it stands for the clone's number, from 0.
    pub name: &'t str,
    /// Length of each file, in fio's notation.
    size: &'t str,
    /// Number of files.
    #[serde(default = "one")]
    pub copies: u32,
}

const fn one() -> u32 {
    1
}

impl FileData<'_> {
    pub fn files(&self) -> Vec<TestFile> {
        let len_bytes = parse_bytes(self.size).expect("a test has read it");
        let name = |clone: u32| self.name.replace("$jobnum", &clone.to_string());
        (0..self.copies).map(|clone| TestFile { name: name(clone), len_bytes }).collect()
    }
}

/// One step.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepData<'t> {
    pub id: &'t str,
    /// Its kind, if its options do not determine it.
    #[serde(default)]
    kind: Option<StepKind>,
    /// Whether it only fills files before they are read: its figures are not shown. fio lays out files automatically; here
    /// that is a separate step, with large blocks and a high queue depth.
    #[serde(default)]
    prepares: bool,
    /// The name of its file; the only file if not given.
    #[serde(default)]
    file: Option<&'t str>,
    /// Number of tries, each a separate step. The second has the id `ID-2`.
    #[serde(default = "one")]
    pub tries: u32,
    /// The options after the file's name, in the original's order: `rw=read bs=4k`. Its time limit is the sum of
    /// `startdelay` and `runtime`, in seconds; without `runtime` it has none.
    options: &'t str,
    /// Whether it restarts at the end of the file until its time is up. Other steps write each of their files once per loop.
    #[serde(default)]
    pub until_time: bool,
    /// The highest speed of such a job on any drive, in bytes per second.
    #[serde(default)]
    pub bytes_per_s_max: Option<u64>,
    /// The metrics that it feeds.
    #[serde(default)]
    pub metrics: Vec<Metric>,
}

/// The kind of a step whose options do not determine it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StepKind {
    /// Each write is flushed.
    Durable,
    /// It writes until time is up.
    Sustained,
    /// It writes zeros, like dd.
    Zeros,
    /// It reads through the page cache, like hdparm.
    BufferedRead,
    /// The passes of iozone.
    WriteNew,
    Rewrite,
    Read,
    Reread,
}

impl<'t> StepData<'t> {
    /// Its title, one line.
    pub fn title(&self) -> Message {
        let number = |option| self.option(option).and_then(|value| value.parse().ok());
        let jobs = number("numjobs").unwrap_or(1);
        if self.prepares {
            return if jobs == 1 { title::fill() } else { message!("step-fill-jobs", jobs) };
        }
        let bytes = self.option("bs").or(self.option("blocksize")).map(parse_bytes);
        let block_bytes = bytes.and_then(Result::ok).unwrap_or(MIB);
        let block = Parameter::BlockBytes(block_bytes);
        match self.kind {
            Some(StepKind::Durable) => message!("step-durable", block),
            Some(StepKind::Sustained) => message!("step-sustained", block),
            Some(StepKind::Zeros) => message!("step-zeros", block),
            Some(StepKind::BufferedRead) => message!("step-buffered-read", block),
            Some(StepKind::WriteNew) => message!("step-file.write", block),
            Some(StepKind::Rewrite) => message!("step-file.rewrite", block),
            Some(StepKind::Read) => message!("step-file.read", block),
            Some(StepKind::Reread) => message!("step-file.reread", block),
            None => {
                let test = title::for_io(self.rw(), block_bytes, number("rwmixread").unwrap_or(50));
                let depth = number("iodepth").or((self.rw().starts_with("rand") && jobs == 1).then_some(1));
                let test = match depth {
                    Some(depth) => title::with_depth(test, depth),
                    None => test,
                };
                title::with_jobs(test, jobs)
            }
        }
    }

    fn rw(&self) -> &'t str {
        self.option("rw").or(self.option("readwrite")).unwrap_or_default()
    }

    /// Names and values of its options, which are separated by spaces.
    pub fn options(&self) -> impl Iterator<Item = (&'t str, &'t str)> {
        self.options.split_whitespace().map(|option| option.split_once('=').unwrap_or((option, "")))
    }

    /// The value of an option.
    pub fn option(&self, name: &str) -> Option<&'t str> {
        self.options().find(|&(option, _)| option == name).map(|(_, value)| value)
    }

    pub fn role(&self) -> StepRole {
        if self.prepares { StepRole::Prepare } else { StepRole::Measure }
    }

    /// Whether it reads and writes nothing.
    pub fn only_reads(&self) -> bool {
        ["read", "randread"].contains(&self.rw())
    }

    pub fn time_ns_max(&self) -> Option<u64> {
        let seconds = |option| self.option(option).and_then(|value| value.parse::<u64>().ok());
        Some((seconds("runtime")? + seconds("startdelay").unwrap_or(0)) * NS_PER_S)
    }

    /// The figure that `text` names: `bandwidth`, `iops` or `p99.9`, after a direction if the step has more than one:
    /// `sync p99`.
    pub fn figure(&self, text: &str) -> Option<Figure> {
        let (direction, name) = match text.split_once(' ') {
            Some((named, name)) => {
                (Direction::ALL.into_iter().find(|direction| direction.name() == named)?, name)
            }
            None if self.only_reads() => (Direction::Read, text),
            None => (Direction::Write, text),
        };
        Some(match name {
            "bandwidth" => Figure::Bandwidth(direction),
            "iops" => Figure::Iops(direction),
            _ => Figure::Percentile(direction, name.strip_prefix('p')?.parse().ok()?),
        })
    }
}

/// A table. Each cell is the id of a step and one of its figures, `total bandwidth` and `total iops` among them: those of
/// reads and writes together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableData<'t> {
    #[serde(default)]
    title: Option<Words>,
    /// The heading of the row names.
    #[serde(default)]
    heading: &'t str,
    /// How tries are combined; without it, the first is shown.
    #[serde(default)]
    over: Option<Over>,
    /// Their headings and units.
    #[serde(borrow)]
    columns: Vec<(&'t str, CellUnit)>,
    /// Their names and cells.
    pub rows: Vec<(&'t str, Vec<&'t str>)>,
    #[serde(default)]
    notes: Vec<Words>,
}

impl<'t> Data<'t> {
    /// The file of a step.
    pub fn file_of(&self, step: &StepData<'_>) -> &FileData<'t> {
        let is_it = |file: &&FileData<'_>| step.file.is_none_or(|name| name == file.name);
        self.files.iter().find(is_it).expect("a test has found it")
    }

    /// A table, filled from `done`.
    pub fn table(&self, data: &TableData<'_>, done: &[StepResult]) -> Table {
        let cell = |text: &&str| self.cell(text, data.over, done).expect("a test has read it");
        Table {
            title: data.title.clone().map(|Words(title)| title).unwrap_or_default(),
            heading: Message::verbatim(data.heading),
            columns: data
                .columns
                .iter()
                .map(|&(heading, unit)| column(Message::verbatim(heading), unit))
                .collect(),
            rows: data
                .rows
                .iter()
                .map(|&(name, ref cells)| row(Message::verbatim(name), cells.iter().map(cell).collect()))
                .collect(),
            notes: data.notes.iter().map(|Words(note)| note.clone()).collect(),
        }
    }

    fn cell(&self, text: &str, over: Option<Over>, done: &[StepResult]) -> Option<Cell> {
        let (id, name) = text.split_once(' ')?;
        let step = self.steps.iter().find(|step| step.id == id)?;
        if let Some(name) = name.strip_prefix("total ") {
            let figure_of = match name {
                "iops" => Figure::Iops,
                "bandwidth" => Figure::Bandwidth,
                _ => return None,
            };
            let done = done.iter().find(|step| step.step.id == id);
            return Some(done.map_or_else(|| absent(NOT_RUN), |step| total(step, figure_of)));
        }
        let named = step.figure(name)?;
        Some(match over {
            Some(over) => over_tries(&tries::counted(done, id), named, over),
            None => figure(done, id, named),
        })
    }
}
