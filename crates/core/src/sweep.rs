//! The axes of a sweep, and what its tables show: data from which titles and headings are made in any language.

use serde::{Deserialize, Serialize};

use crate::quantity::Quantity;
use crate::{JsonSchema, Message, message};

/// An axis of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// The I/O scheduler of the drive.
    Scheduler,
    /// The directory of the files, and so their file system.
    Directory,
    /// What the files hold before they are measured.
    State,
    /// Order and direction of the I/Os.
    Mix,
    /// The I/O engine.
    Engine,
    /// Where blocks begin.
    Offset,
    /// The block length.
    Bs,
    /// Jobs at once.
    Jobs,
    /// I/Os in flight in each job.
    Depth,
}

impl Axis {
    /// Its name for readers, as a phrase.
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

    /// The setting that it comes from.
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

/// A value on an [`Axis`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AxisValue {
    /// The name of a scheduler; empty where the one that was set stayed.
    Scheduler(String),
    /// The path of a directory; `.` where the checkup took place.
    Directory(String),
    /// What the files held.
    State(FileState),
    /// Order and direction.
    Mix {
        /// Whether blocks are drawn at random; in sequence otherwise.
        is_random: bool,
        /// How many of a hundred I/Os read.
        read_percent: u32,
    },
    /// The name of an engine.
    Engine(String),
    /// The offset of the first block, in bytes.
    OffsetBytes(u64),
    /// The block length, in bytes.
    BlockBytes(u64),
    /// Jobs at once.
    Jobs(u32),
    /// I/Os in flight in each job.
    Depth(u32),
}

/// What files hold before they are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// A new file for each measurement: its blocks were never written.
    Fresh,
    /// The same, with all free space of the file system trimmed just before.
    Trimmed,
    /// Written once, in sequence.
    Filled,
    /// And then written all over once more, at random.
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

    /// Whether each measurement has its own file, in which nothing is to be read.
    pub const fn is_empty(self) -> bool {
        matches!(self, FileState::Fresh | FileState::Trimmed)
    }
}

/// What the rows and columns of a sweep's table stand for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SweptAxes {
    /// What each cell shows: of all I/Os, whether they read or wrote.
    pub quantity: Quantity,
    /// The axis of the columns.
    pub across: Axis,
    /// The value of each column.
    pub columns: Vec<AxisValue>,
    /// The axes of the rows.
    pub down: Vec<Axis>,
    /// The values of each row, in the order of `down`.
    pub rows: Vec<Vec<AxisValue>>,
    /// What is the same for all cells, as far as the title says it.
    pub fixed: Vec<AxisValue>,
}
