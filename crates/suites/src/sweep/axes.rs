//! The axes of a sweep, and their values.

use cardiograph_core::message::Parameter;
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::text::shown;
use cardiograph_core::{Direction, MIB, Message, message};
use cardiograph_jobs::options;
use cardiograph_jobs::value::parse_bytes;

use super::{BS, DEPTH, DIRECTORY, ENGINE, JOBS, MIX, OFFSET, SCHEDULER, SHOW, STATE};
use crate::setting::{Setting, Settings, not_a_choice};

/// The longest block, in bytes: larger ones are split anyway.
const BLOCK_BYTES_MAX: u64 = 64 * MIB;
/// Largest queue depth and number of jobs.
const COUNT_MAX: u32 = 4_096;

/// An axis of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// The I/O scheduler of the drive.
    Scheduler,
    /// The directory of the files, and so their file system.
    Directory,
    /// The state of the files before the measurement.
    State,
    /// Order and direction of the I/Os.
    Mix,
    /// The I/O engine.
    Engine,
    /// The start offset of the blocks.
    Offset,
    /// The block length.
    Bs,
    /// Number of jobs.
    Jobs,
    /// Queue depth of each job.
    Depth,
}

impl Axis {
    /// Its name as a phrase.
    pub const fn message(self) -> Message {
        match self {
            Axis::Scheduler => message!("sweep-axis.scheduler"),
            Axis::Directory => message!("sweep-axis.directory"),
            Axis::State => message!("sweep-axis.state"),
            Axis::Mix => message!("sweep-axis.mix"),
            Axis::Engine => message!("sweep-axis.engine"),
            Axis::Offset => message!("sweep-axis.offset"),
            Axis::Bs => message!("sweep-axis.block"),
            Axis::Jobs => message!("sweep-axis.jobs"),
            Axis::Depth => message!("sweep-axis.depth"),
        }
    }

    /// The name of its setting.
    pub const fn name(self) -> &'static str {
        match self {
            Axis::Scheduler => "scheduler",
            Axis::Directory => "directory",
            Axis::State => "state",
            Axis::Mix => "mix",
            Axis::Engine => "engine",
            Axis::Offset => "offset",
            Axis::Bs => "bs",
            Axis::Jobs => "jobs",
            Axis::Depth => "depth",
        }
    }
}

/// State of a file before it is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileState {
    /// A new file for each measurement: its blocks were never written.
    Fresh,
    /// The same, with all free space of the file system trimmed just before.
    Trimmed,
    /// Written once, sequentially.
    Filled,
    /// Like `Filled`, and then completely overwritten at random.
    Random,
}

impl FileState {
    /// The value of the setting `state`.
    pub const fn name(self) -> &'static str {
        match self {
            FileState::Fresh => "fresh",
            FileState::Trimmed => "trimmed",
            FileState::Filled => "filled",
            FileState::Random => "random",
        }
    }

    /// Its name as a phrase.
    pub const fn phrase(self) -> Message {
        match self {
            FileState::Fresh => message!("sweep-state.fresh"),
            FileState::Trimmed => message!("sweep-state.trimmed"),
            FileState::Filled => message!("sweep-state.filled"),
            FileState::Random => message!("sweep-state.random"),
        }
    }

    /// Whether each measurement has a new file, without data to read.
    pub const fn is_empty(self) -> bool {
        matches!(self, FileState::Fresh | FileState::Trimmed)
    }
}

/// Direction and order of the I/Os.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mix {
    /// As given.
    pub name: String,
    /// fio's `rw`.
    pub rw: &'static str,
    /// Percentage of reads.
    pub read_percent: u32,
}

impl Mix {
    fn parse(text: &str) -> Result<Self, Message> {
        let (setting, value) = (MIX.name, shown(text));
        let (word, share) = match text.split_once(':') {
            Some((word, share)) => (word, Some(share)),
            None => (text, None),
        };
        let (rw, read_percent) = match word {
            "read" => ("read", 100),
            "write" => ("write", 0),
            "randread" => ("randread", 100),
            "randwrite" => ("randwrite", 0),
            "rw" | "readwrite" => ("rw", 50),
            "randrw" => ("randrw", 50),
            _ => {
                let choices = ["read", "write", "randread", "randwrite", "rw:PERCENT", "randrw:PERCENT"];
                return Err(not_a_choice(setting, text, &choices));
            }
        };
        let read_percent = match share {
            None => read_percent,
            Some(share) if rw.ends_with("rw") => match share.trim_end_matches('%').parse() {
                Ok(percent @ 1..=99) => percent,
                _ => return Err(message!("setting-sweep-wrong.share", setting, value)),
            },
            Some(_) => {
                return Err(message!("setting-sweep-wrong.no-share", setting, value));
            }
        };
        Ok(Self { name: text.to_string(), rw, read_percent })
    }

    /// Its name as a phrase.
    pub fn phrase(&self) -> Message {
        let reads = Parameter::share(f64::from(self.read_percent) / 100.0);
        match self.rw {
            "read" => message!("sweep-mix.read"),
            "write" => message!("sweep-mix.write"),
            "randread" => message!("sweep-mix.random-read"),
            "randwrite" => message!("sweep-mix.random-write"),
            "rw" => message!("sweep-mix.sequential", reads),
            _ => message!("sweep-mix.random", reads),
        }
    }

    pub fn directions(&self) -> impl Iterator<Item = Direction> + use<> {
        let reads = (self.read_percent > 0).then_some(Direction::Read);
        reads.into_iter().chain((self.read_percent < 100).then_some(Direction::Write))
    }

    pub fn writes(&self) -> bool {
        self.read_percent < 100
    }

    /// Its position in a group: the more it changes the file, the later.
    fn turn(&self) -> u32 {
        match self.rw {
            "read" | "randread" => 0,
            "write" | "rw" => 1,
            _ => 2,
        }
    }
}

/// All axes.
#[derive(Debug, Clone)]
pub(super) struct Axes {
    pub blocks: Vec<u64>,
    pub depths: Vec<u32>,
    pub jobs: Vec<u32>,
    pub mixes: Vec<Mix>,
    pub engines: Vec<String>,
    /// `None`: the checkup's target.
    pub directories: Vec<Option<String>>,
    pub offsets: Vec<u64>,
    pub states: Vec<FileState>,
    /// `None`: the current one.
    pub schedulers: Vec<Option<String>>,
    /// The quantities with a table.
    pub shown: Vec<Quantity>,
}

/// One measurement: a value of each axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    pub scheduler: Option<String>,
    pub directory: Option<String>,
    pub state: FileState,
    pub mix: Mix,
    pub block_bytes: u64,
    pub jobs: u32,
    pub depth: u32,
    pub engine: String,
    pub offset_bytes: u64,
}

/// The axes, in the order of their values in row names.
pub(super) const ORDER: [Axis; 9] = [
    Axis::Scheduler,
    Axis::Directory,
    Axis::State,
    Axis::Mix,
    Axis::Engine,
    Axis::Offset,
    Axis::Bs,
    Axis::Jobs,
    Axis::Depth,
];

impl Cell {
    /// Its value on an axis, as in the setting.
    pub fn value(&self, axis: Axis) -> Parameter {
        match axis {
            Axis::Scheduler => self.scheduler.as_deref().unwrap_or_default().into(),
            Axis::Directory => self.directory.as_deref().unwrap_or(".").into(),
            Axis::State => self.state.name().into(),
            Axis::Mix => (&self.mix.name).into(),
            Axis::Engine => (&self.engine).into(),
            Axis::Offset => Parameter::BlockBytes(self.offset_bytes),
            Axis::Bs => Parameter::BlockBytes(self.block_bytes),
            Axis::Jobs => self.jobs.into(),
            Axis::Depth => self.depth.into(),
        }
    }

    /// Its value on an axis, as a phrase: `random read`, `4K`, `QD32`.
    pub fn phrase(&self, axis: Axis) -> Message {
        match axis {
            Axis::State => self.state.phrase(),
            Axis::Mix => self.mix.phrase(),
            Axis::Offset => message!("sweep-value.offset", offset = self.value(axis)),
            Axis::Jobs => message!("sweep-value.jobs", jobs = self.jobs),
            Axis::Depth => message!("sweep-value.depth", depth = self.depth),
            _ => message!("sweep-value.other", value = self.value(axis)),
        }
    }

    /// Its group: cells that need the same files in the same state.
    pub fn group(&self) -> (&Option<String>, &Option<String>, FileState) {
        (&self.scheduler, &self.directory, self.state)
    }
}

fn each<T>(
    settings: &Settings,
    setting: &'static Setting,
    read: impl Fn(&str) -> Result<T, Message>,
) -> Result<Vec<T>, Message> {
    settings.list(setting).into_iter().map(read).collect()
}

fn count(setting: &str, text: &str) -> Result<u32, Message> {
    match text.parse() {
        Ok(count @ 1..=COUNT_MAX) => Ok(count),
        _ => Err(message!(
            "setting-wrong.range",
            setting,
            value = shown(text),
            least = 1_u32,
            most = COUNT_MAX
        )),
    }
}

impl Axes {
    /// The axes from the settings.
    ///
    /// # Errors
    /// A sentence that names the setting and its value.
    pub fn from_settings(settings: &Settings) -> Result<Self, Message> {
        let most = || Parameter::Bytes(BLOCK_BYTES_MAX);
        let not_a_size =
            |setting: &str, text: &str| Err(message!("setting-wrong.size", setting, value = shown(text)));
        let block = |text: &str| match parse_bytes(text) {
            Ok(bytes @ 512..=BLOCK_BYTES_MAX) => Ok(bytes),
            Ok(_) => Err(message!("setting-sweep-wrong.block", value = shown(text), most = most())),
            Err(_) => not_a_size(BS.name, text),
        };
        let offset = |text: &str| match parse_bytes(text) {
            Ok(bytes @ 0..=BLOCK_BYTES_MAX) => Ok(bytes),
            Ok(_) => Err(message!("setting-sweep-wrong.offset", value = shown(text), most = most())),
            Err(_) => not_a_size(OFFSET.name, text),
        };
        let state = |text: &str| match text {
            "fresh" => Ok(FileState::Fresh),
            "filled" => Ok(FileState::Filled),
            "random" => Ok(FileState::Random),
            "trimmed" => Ok(FileState::Trimmed),
            _ => Err(not_a_choice(STATE.name, text, &["fresh", "trimmed", "filled", "random"])),
        };
        let word = |text: &str| Ok(text.to_string());
        let engine = |text: &str| match options::engine(text).moves_data() {
            true => Ok(text.to_string()),
            false => Err(message!("setting-sweep-wrong.engine", engine = shown(text))),
        };
        let or_default = |values: Vec<String>| match values.is_empty() {
            true => vec![None],
            false => values.into_iter().map(Some).collect(),
        };
        let latency = |statistic| Quantity::Latency(LatencyKind::Total, statistic);
        let table = |text: &str| match text {
            "iops" => Ok(Quantity::Iops),
            "bandwidth" => Ok(Quantity::Bandwidth),
            "mean" => Ok(latency(Statistic::Mean)),
            "p50" => Ok(latency(Statistic::Percentile(50.0))),
            "p99" => Ok(latency(Statistic::Percentile(99.0))),
            "p99.9" => Ok(latency(Statistic::Percentile(99.9))),
            _ => Err(not_a_choice(SHOW.name, text, &["iops", "bandwidth", "mean", "p50", "p99", "p99.9"])),
        };
        Ok(Self {
            blocks: each(settings, &BS, block)?,
            depths: each(settings, &DEPTH, |text| count(DEPTH.name, text))?,
            jobs: each(settings, &JOBS, |text| count(JOBS.name, text))?,
            mixes: each(settings, &MIX, Mix::parse)?,
            engines: each(settings, &ENGINE, engine)?,
            directories: or_default(each(settings, &DIRECTORY, word)?),
            offsets: each(settings, &OFFSET, offset)?,
            states: each(settings, &STATE, state)?,
            schedulers: or_default(each(settings, &SCHEDULER, word)?),
            shown: each(settings, &SHOW, table)?,
        })
    }

    /// All measurements in order: one group with the same files after the other, and within each first reads, then
    /// sequential writes, then random writes.
    pub fn cells(&self) -> Vec<Cell> {
        let mut mixes: Vec<&Mix> = self.mixes.iter().collect();
        mixes.sort_by_key(|mix| mix.turn());
        let mut cells = Vec::new();
        for (scheduler, directory, state) in self.groups() {
            for mix in mixes.iter().filter(|mix| !state.is_empty() || mix.read_percent == 0) {
                for (engine, &offset_bytes) in product(&self.engines, &self.offsets) {
                    for (&block_bytes, (&jobs, &depth)) in self
                        .blocks
                        .iter()
                        .flat_map(|block| product(&self.jobs, &self.depths).map(move |rest| (block, rest)))
                    {
                        cells.push(Cell {
                            scheduler: scheduler.clone(),
                            directory: directory.clone(),
                            state,
                            mix: (*mix).clone(),
                            block_bytes,
                            jobs,
                            depth,
                            engine: engine.clone(),
                            offset_bytes,
                        });
                    }
                }
            }
        }
        cells
    }

    fn groups(&self) -> impl Iterator<Item = (&Option<String>, &Option<String>, FileState)> {
        product(&self.schedulers, &self.directories).flat_map(|(scheduler, directory)| {
            self.states.iter().map(move |&state| (scheduler, directory, state))
        })
    }
}

fn product<'a, A, B>(left: &'a [A], right: &'a [B]) -> impl Iterator<Item = (&'a A, &'a B)> {
    left.iter().flat_map(move |a| right.iter().map(move |b| (a, b)))
}
