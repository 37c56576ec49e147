//! A job that has been validated: what a worker does, without a question left open.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::NS_PER_S;
use crate::direction::{Direction, PerDirection};
use crate::file_use::FileUse;
use crate::replay::Replay;
pub use crate::verify::{Checksum, Verify};

mod access;
mod block;
mod content;
mod durability;
mod errors;
mod file_action;
mod files;
mod observed;
mod pace;
mod process;

pub use access::{AccessZone, Distribution, StridedZones, ZoneLen};
pub use block::{BlockLen, BlockShare};
pub use content::{Compression, Content, Memory, MemoryKind, Repeats};
pub use durability::{SyncEvery, SyncMethod, WriteThrough};
pub use errors::{ErrorKind, Tolerance};
pub use file_action::FileAction;
pub use files::{FileHandling, FileTurn, OrderAdvice, Preallocation};
pub use observed::{Logged, Measured, Precision, SteadyMetric, SteadyState};
pub use pace::{Arrivals, Batching, FlowWeight, LatencyTarget, Rate, StopWhen, Think};
pub use process::{Affinity, IoClass, IoPriority, JobCommands, MemoryPolicy, Nodes, Placement};

/// In which order the blocks of a region come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Sequential, each direction at its own position.
    Sequential,
    /// At random, each block once per pass, each pass in a new order.
    RandomUnique,
    /// At random; blocks may repeat.
    RandomRepeating,
}

impl Order {
    /// Whether offsets are drawn.
    pub const fn is_random(self) -> bool {
        !matches!(self, Order::Sequential)
    }
}

/// What part trims have in a workload.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trims {
    /// None: it reads and writes.
    #[default]
    None,
    /// It does nothing else.
    Only,
    /// Each write comes right behind a trim of the same blocks.
    BeforeWrites,
}

/// What one job does. Immutable: a run cannot change what it was asked to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Workload {
    /// The job's name.
    pub name: String,
    /// Name of the engine that executes it.
    pub engine: String,
    /// Options of that engine, as name and value.
    pub engine_options: Vec<(String, String)>,
    /// Share of reads in percent; the rest are writes. 0 where there are trims.
    pub read_percent: u32,
    /// What part trims have.
    pub trims: Trims,
    /// The order of blocks.
    pub order: Order,
    /// I/Os that follow each other from each random offset; 1 draws an offset for each.
    pub random_run: u64,
    /// Share of I/Os (or of runs of them) of a random job that are at a random place, in percent, by direction. The others
    /// begin where the one before ended.
    pub random_percent: PerDirection<u32>,
    /// How often which place of a random job is drawn.
    pub distribution: Distribution,
    /// Parts of the region with shares of their own, by direction; inside them places are drawn evenly. Where there are
    /// none, `distribution` counts.
    pub access_zones: PerDirection<Vec<AccessZone>>,
    /// Zones that are used one after the other; `None` uses the region as a whole.
    pub strided: Option<StridedZones>,
    /// Gap added to the position after each sequential I/O, in addition to its length, in bytes.
    pub sequential_skip_bytes: i64,
    /// Length of one I/O, by direction.
    pub block_len: PerDirection<BlockLen>,
    /// The grid of random offsets in bytes, by direction.
    pub align_bytes: PerDirection<u64>,
    /// In which turn several files are used, and how many I/Os each gets in its turn.
    pub file_turn: (FileTurn, u64),
    /// Files that take turns at a time: when one is finished, the next takes its place. `None` is all of them.
    pub open_files: Option<u64>,
    /// I/Os kept in flight.
    pub depth: u32,
    /// How they are handed over and taken back.
    pub batching: Batching,
    /// Whether the page cache is bypassed.
    pub direct: bool,
    /// What each write promises.
    pub write_through: WriteThrough,
    /// When writes are made durable; `None` leaves it to the system.
    pub sync_every: Option<SyncEvery>,
    /// One fsync after the last write, in the measured time.
    pub end_sync: bool,
    /// The same when the files are closed.
    pub close_sync: bool,
    /// What is written.
    pub content: Content,
    /// Whether a write that finds no room left ends the job, without an error.
    pub fills: bool,
    /// Where it is kept.
    pub memory: Memory,
    /// Whether written blocks carry checksums, and are read back.
    pub verify: Option<Verify>,
    /// Tolerated errors.
    pub tolerance: Tolerance,
    /// When it ends.
    pub stop: StopWhen,
    /// Time before anything counts, in nanoseconds. An I/O counts when it was issued after it.
    pub ramp_ns: u64,
    /// Limits of speed, by direction.
    pub rate: PerDirection<Option<Rate>>,
    /// How long the speed is averaged before it is compared with its minimum, in nanoseconds.
    pub rate_cycle_ns: u64,
    /// How the moments of I/Os lie whose rate is limited.
    pub arrivals: Arrivals,
    /// Its pauses.
    pub think: Option<Think>,
    /// Latencies that end the job as failed when an I/O takes longer, from the decision until completion, in nanoseconds.
    pub latency_max_ns: PerDirection<Option<u64>>,
    /// A latency for which a depth is looked for.
    pub latency_target: Option<LatencyTarget>,
    /// Whether separate threads submit requests, so that one that blocks delays no other.
    pub offload: bool,
    /// Jobs that it keeps in proportion to.
    pub flow: Option<FlowWeight>,
    /// What must have settled for it to end early.
    pub steady_state: Option<SteadyState>,
    /// How well its rates must be known for it to end early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<Precision>,
    /// Which latencies are taken down.
    pub measured: Measured,
    /// What is logged.
    pub logged: Logged,
    /// Where its I/O is recorded for a replay; `None` is nowhere.
    pub record: Option<String>,
    /// The recording to replay. Then nothing is drawn, and order and lengths only describe the result.
    pub replay: Option<Box<Replay>>,
    /// How its files are dealt with.
    pub files: FileHandling,
    /// After so many bytes its files are removed, and made anew for the next ones; `None` keeps them.
    pub renew_every_bytes: Option<u64>,
    /// What its I/Os do to files without moving data; `None` where they move data.
    pub file_action: Option<FileAction>,
    /// Where its workers run; `None` is anywhere.
    pub affinity: Option<Affinity>,
    /// NUMA nodes that its workers run on and take memory from.
    pub placement: Placement,
    /// The workers' niceness.
    pub nice: i32,
    /// The priority of its I/O; `None` leaves it as it is.
    pub io_priority: Option<IoPriority>,
    /// The I/O scheduler of the drives under its files while it runs; `None` leaves it as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_scheduler: Option<String>,
    /// Number of the user that its workers run as; `None` leaves it as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<u32>,
    /// The same of the group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gid: Option<u32>,
    /// Commands that run before and after it.
    pub commands: JobCommands,
    /// Seed of offsets, mix and content.
    pub seed: u64,
    /// Length of a window of the series in nanoseconds.
    pub window_ns: u64,
}

/// What a job does of which nothing is said: it reads blocks of 4 KiB one after the other, one at a time, without an end.
impl Default for Workload {
    fn default() -> Self {
        const BLOCK_LEN_BYTES: u64 = 4_096;
        Self {
            name: "job".to_string(),
            engine: "psync".to_string(),
            engine_options: Vec::new(),
            read_percent: 100,
            trims: Trims::None,
            order: Order::Sequential,
            random_run: 1,
            random_percent: PerDirection::from_fn(|_| 100),
            distribution: Distribution::Uniform,
            access_zones: PerDirection::default(),
            strided: None,
            sequential_skip_bytes: 0,
            block_len: PerDirection::from_fn(|_| BlockLen::Fixed { len_bytes: BLOCK_LEN_BYTES }),
            align_bytes: PerDirection::from_fn(|_| BLOCK_LEN_BYTES),
            file_turn: (FileTurn::RoundRobin, 1),
            open_files: None,
            depth: 1,
            batching: Batching::free(1),
            direct: false,
            write_through: WriteThrough::None,
            sync_every: None,
            end_sync: false,
            close_sync: false,
            content: Content::Stamped,
            fills: false,
            memory: Memory::default(),
            verify: None,
            tolerance: Tolerance::default(),
            stop: StopWhen { bytes: None, time_ns: None, ios: None },
            ramp_ns: 0,
            rate: PerDirection::default(),
            rate_cycle_ns: NS_PER_S,
            arrivals: Arrivals::Even,
            think: None,
            latency_max_ns: PerDirection::default(),
            latency_target: None,
            offload: false,
            flow: None,
            steady_state: None,
            precision: None,
            measured: Measured::ALL,
            logged: Logged::default(),
            record: None,
            replay: None,
            files: FileHandling::default(),
            renew_every_bytes: None,
            file_action: None,
            affinity: None,
            placement: Placement::default(),
            nice: 0,
            io_priority: None,
            io_scheduler: None,
            uid: None,
            gid: None,
            commands: JobCommands::default(),
            seed: 0,
            window_ns: NS_PER_S,
        }
    }
}

impl Workload {
    /// Whether each write is durable before the next one counts.
    pub fn is_durable(&self) -> bool {
        self.write_through != WriteThrough::None || self.sync_every.is_some_and(|sync| sync.writes == 1)
    }

    /// Whether what was written is made durable within the job's time.
    pub fn is_flushed(&self) -> bool {
        self.is_durable() || self.sync_every.is_some() || self.end_sync
    }

    /// Whether something but the drive decides when its I/Os come.
    pub fn is_paced(&self) -> bool {
        self.think.is_some() || self.flow.is_some() || self.rate.iter().any(|(_, rate)| rate.is_some())
    }

    /// Whether the workload has I/O of this direction. Whether a Plan writes is derived from this, never from a name.
    pub fn uses(&self, direction: Direction) -> bool {
        if let Some(replay) = &self.replay {
            let ends_with_sync = self.end_sync || self.close_sync;
            let syncs_at_end =
                direction == Direction::Sync && ends_with_sync && replay.uses(Direction::Write);
            return replay.uses(direction) || syncs_at_end;
        }
        let only_checks = self.verify.as_ref().is_some_and(|verify| verify.only);
        match direction {
            Direction::Read => self.draws(direction) || only_checks,
            Direction::Write | Direction::Trim => self.draws(direction) && !only_checks,
            Direction::Sync => {
                self.uses(Direction::Write) && (self.sync_every.is_some() || self.end_sync || self.close_sync)
            }
        }
    }

    /// Whether its sequence of I/Os has any of this direction, be they done or, as those of a job that only checks what
    /// another wrote, read instead.
    pub fn draws(&self, direction: Direction) -> bool {
        if let Some(replay) = &self.replay {
            return direction != Direction::Sync && replay.uses(direction);
        }
        match direction {
            Direction::Read => self.read_percent > 0 && self.trims == Trims::None,
            Direction::Write => self.read_percent < 100 && self.trims != Trims::Only,
            Direction::Trim => self.trims != Trims::None,
            Direction::Sync => false,
        }
    }

    /// Whether it reads anything, checks of what it wrote included.
    pub fn reads(&self) -> bool {
        self.uses(Direction::Read) || self.verify.as_ref().is_some_and(|verify| verify.read_back)
    }

    /// Whether it changes what is on the target.
    pub fn is_modifying(&self) -> bool {
        if let Some(action) = self.file_action {
            return action.is_modifying();
        }
        Direction::ALL.into_iter().any(|direction| direction.is_modifying() && self.uses(direction))
    }

    /// The part of a file's region in which I/Os lie: all of it, or one block where each I/O is a call for the whole file.
    pub fn drawn_part(&self, file: &FileUse) -> FileUse {
        match self.file_action {
            Some(action) if action.is_whole_file() => {
                FileUse { region_len_bytes: file.region_len_bytes.min(self.block_len_bytes_max()), ..*file }
            }
            _ => *file,
        }
    }

    /// Whether each block comes once before any comes again. Otherwise a job is one long pass for fio, as strace shows.
    pub fn has_passes(&self) -> bool {
        self.order != Order::RandomRepeating && !self.is_skewed()
    }

    /// Bytes of one pass through a file's region.
    pub fn pass_len_bytes(&self, file: &FileUse) -> u64 {
        let at_least = || file.region_len_bytes.next_multiple_of(self.block_bytes());
        self.to_end_bytes(file).unwrap_or_else(at_least)
    }

    /// Bytes that are moved in a file before its end: its whole blocks. Reads and writes of one job in order have a place each,
    /// and none of them gets to the end: together they move as many bytes as the region has. Sequential I/O that skips bytes
    /// comes to the end where an I/O ends there or would go beyond it; `None` where it goes on at the start instead, as in fio.
    pub fn to_end_bytes(&self, file: &FileUse) -> Option<u64> {
        let (block_bytes, len_bytes) = (self.block_bytes(), file.region_len_bytes);
        let whole_bytes = len_bytes - len_bytes % block_bytes;
        let is_in_order = self.order == Order::Sequential && self.strided.is_none();
        if whole_bytes > 0 && is_in_order && self.draws(Direction::Read) && self.draws(Direction::Write) {
            return Some(len_bytes);
        }
        if self.sequential_skip_bytes <= 0 || whole_bytes == 0 || !is_in_order {
            return Some(whole_bytes);
        }
        let (blocks, end_bytes) = self.blocks_begun(len_bytes);
        let next_bytes = end_bytes.saturating_add_signed(self.sequential_skip_bytes);
        match end_bytes.cmp(&len_bytes) {
            // fio compares it with the end of the file, though it counts from the offset.
            Ordering::Less if next_bytes >= file.end_bytes() => None,
            Ordering::Less | Ordering::Equal => Some(blocks * block_bytes),
            Ordering::Greater => Some((blocks - 1) * block_bytes),
        }
    }

    fn block_bytes(&self) -> u64 {
        self.block_len_bytes_min().max(1)
    }

    /// The blocks of a sequential job that begin within `len_bytes`, at least 1, and where the last of them ends.
    pub fn blocks_begun(&self, len_bytes: u64) -> (u64, u64) {
        let block_bytes = self.block_bytes();
        let skip_bytes = u64::try_from(self.sequential_skip_bytes).unwrap_or(0);
        let step_bytes = block_bytes.saturating_add(skip_bytes);
        let steps = (len_bytes - 1) / step_bytes;
        (steps + 1, steps * step_bytes + block_bytes)
    }

    /// Whether random places are not equally popular.
    pub fn is_skewed(&self) -> bool {
        let has_zones = self.access_zones.iter().any(|(_, zones)| !zones.is_empty());
        self.order.is_random() && (self.distribution != Distribution::Uniform || has_zones)
    }

    /// Length of all parts of a region that have shares of their own, in bytes: of the direction in which they are longest.
    pub fn access_zones_bytes(&self, region_len_bytes: u64) -> u64 {
        let of_all = |zones: &Vec<AccessZone>| {
            zones.iter().map(|zone| zone.len.len_bytes(region_len_bytes)).fold(0, u64::saturating_add)
        };
        let is_used = |direction| self.order.is_random() && self.draws(direction);
        let used = self.access_zones.iter().filter(|&(direction, _)| is_used(direction));
        used.map(|(_, zones)| of_all(zones)).max().unwrap_or(0)
    }

    /// Whether some I/Os of a random job follow another.
    pub fn is_partly_sequential(&self) -> bool {
        let percents = self.random_percent.iter();
        self.order.is_random()
            && percents.into_iter().any(|(direction, &percent)| self.draws(direction) && percent < 100)
    }

    /// The direction whose offsets and lengths are drawn in addition to those of reads: a write after a trim
    /// has the trim's.
    pub fn changing_direction(&self) -> Direction {
        if self.trims == Trims::None { Direction::Write } else { Direction::Trim }
    }

    /// The longest single I/O in bytes.
    pub fn block_len_bytes_max(&self) -> u64 {
        self.used_lens().map(BlockLen::max_bytes).max().unwrap_or(0)
    }

    /// The shortest single I/O in bytes.
    pub fn block_len_bytes_min(&self) -> u64 {
        self.used_lens().map(BlockLen::min_bytes).min().unwrap_or(0)
    }

    fn used_lens(&self) -> impl Iterator<Item = &BlockLen> {
        // A sync moves no bytes, and a write after a trim is as long as the trim. Trims of a recording move
        // none in addition to its other I/Os.
        let moves = self.draws(Direction::Read) || self.draws(Direction::Write);
        let changing = match &self.replay {
            Some(_) if moves => Direction::Write,
            Some(_) => Direction::Trim,
            None => self.changing_direction(),
        };
        let drawn = [Direction::Read, changing].into_iter();
        drawn.filter(|&direction| self.draws(direction)).map(|direction| &self.block_len[direction])
    }
}
