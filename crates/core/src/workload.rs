//! A validated job: specifies completely what a worker does.

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

/// Order of the blocks of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Sequential, each direction at its own position.
    Sequential,
    /// Random, each block once per pass, each pass in a new order.
    RandomUnique,
    /// Random; blocks may repeat.
    RandomRepeating,
}

impl Order {
    /// Whether offsets are random.
    pub const fn is_random(self) -> bool {
        !matches!(self, Order::Sequential)
    }
}

/// Role of trims in a workload.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trims {
    /// No trims: it reads and writes.
    #[default]
    None,
    /// Trims only.
    Only,
    /// Each write immediately follows a trim of the same blocks.
    BeforeWrites,
}

/// Specification of one job. Immutable: a run cannot change it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Workload {
    /// The job's name.
    pub name: String,
    /// Engine that runs it.
    pub engine: String,
    /// Options of that engine: name and value.
    pub engine_options: Vec<(String, String)>,
    /// Percentage of reads; the rest are writes. 0 with trims.
    pub read_percent: u32,
    /// Role of trims.
    pub trims: Trims,
    /// Order of the blocks.
    pub order: Order,
    /// Consecutive I/Os from each random offset; 1 draws an offset for each I/O.
    pub random_run: u64,
    /// Percentage of I/Os (or runs of I/Os) of a random job that are at a random offset, by direction. The others
    /// continue where the previous one ended.
    pub random_percent: PerDirection<u32>,
    /// Distribution of random offsets.
    pub distribution: Distribution,
    /// Parts of the region with their own shares, by direction; offsets inside a part are uniform. If empty,
    /// `distribution` applies.
    pub access_zones: PerDirection<Vec<AccessZone>>,
    /// Zones used one after the other; `None` uses the region as a whole.
    pub strided: Option<StridedZones>,
    /// Gap added to the position after each sequential I/O, in addition to its length, in bytes.
    pub sequential_skip_bytes: i64,
    /// Length of one I/O, by direction.
    pub block_len: PerDirection<BlockLen>,
    /// Alignment of random offsets in bytes, by direction.
    pub align_bytes: PerDirection<u64>,
    /// Order in which several files are used, and number of I/Os per turn.
    pub file_turn: (FileTurn, u64),
    /// Maximum number of open files: when one is finished, the next one replaces it. `None`: all of them.
    pub open_files: Option<u64>,
    /// Queue depth.
    pub depth: u32,
    /// How I/Os are submitted and completed.
    pub batching: Batching,
    /// Whether the page cache is bypassed.
    pub direct: bool,
    /// Durability of each write.
    pub write_through: WriteThrough,
    /// When writes are made durable; `None` leaves that to the system.
    pub sync_every: Option<SyncEvery>,
    /// One fsync after the last write, within the measured time.
    pub end_sync: bool,
    /// One fsync when the files are closed.
    pub close_sync: bool,
    /// Written content.
    pub content: Content,
    /// Whether a write that finds no space left ends the job without an error.
    pub fills: bool,
    /// Kind of memory for the buffers.
    pub memory: Memory,
    /// Whether written blocks have checksums and are read back.
    pub verify: Option<Verify>,
    /// Tolerated errors.
    pub tolerance: Tolerance,
    /// When the job ends.
    pub stop: StopWhen,
    /// Ramp time in nanoseconds. I/Os issued after it count.
    pub ramp_ns: u64,
    /// Rate limits, by direction.
    pub rate: PerDirection<Option<Rate>>,
    /// Averaging time for the comparison of the speed with its minimum, in nanoseconds.
    pub rate_cycle_ns: u64,
    /// Arrival times of rate-limited I/Os.
    pub arrivals: Arrivals,
    /// Its pauses.
    pub think: Option<Think>,
    /// Maximum latencies from the decision until completion, in nanoseconds, by direction: a slower I/O fails the
    /// job.
    pub latency_max_ns: PerDirection<Option<u64>>,
    /// Target latency for a search for the queue depth.
    pub latency_target: Option<LatencyTarget>,
    /// Whether separate threads submit requests, so that a blocking request does not delay others.
    pub offload: bool,
    /// Jobs whose progress it stays in proportion to.
    pub flow: Option<FlowWeight>,
    /// Steady state that ends it early.
    pub steady_state: Option<SteadyState>,
    /// Precision of its rates that ends it early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<Precision>,
    /// The latencies to record.
    pub measured: Measured,
    /// What to log.
    pub logged: Logged,
    /// Where to record its I/O for a replay; `None`: nowhere.
    pub record: Option<String>,
    /// The recording to replay. Then nothing is random, and order and lengths only describe the result.
    pub replay: Option<Box<Replay>>,
    /// How its files are handled.
    pub files: FileHandling,
    /// Bytes after which its files are removed and created again; `None` keeps them.
    pub renew_every_bytes: Option<u64>,
    /// File operations that its I/Os are, if they move no data; `None` if they move data.
    pub file_action: Option<FileAction>,
    /// CPUs of its workers; `None`: any.
    pub affinity: Option<Affinity>,
    /// NUMA nodes for its workers and their memory.
    pub placement: Placement,
    /// The workers' niceness.
    pub nice: i32,
    /// I/O priority; `None` leaves it unchanged.
    pub io_priority: Option<IoPriority>,
    /// I/O scheduler of the drives under its files during the run; `None` leaves it unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_scheduler: Option<String>,
    /// User id of its workers; `None` leaves it unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<u32>,
    /// Group id of its workers; `None` leaves it unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gid: Option<u32>,
    /// Commands to run before and after it.
    pub commands: JobCommands,
    /// Seed of offsets, direction mix and content.
    pub seed: u64,
    /// Window length of the series, in nanoseconds.
    pub window_ns: u64,
}

/// The default job: sequential reads of 4 KiB at queue depth 1, without an end.
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

    /// Whether written data is made durable within the job's time.
    pub fn is_flushed(&self) -> bool {
        self.is_durable() || self.sync_every.is_some() || self.end_sync
    }

    /// Whether something other than the drive decides when its I/Os start.
    pub fn is_paced(&self) -> bool {
        self.think.is_some() || self.flow.is_some() || self.rate.iter().any(|(_, rate)| rate.is_some())
    }

    /// Whether the workload has I/O in this direction. Whether a Plan writes is derived from this, never from a name.
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

    /// Whether its sequence of I/Os includes this direction, even if a verify-only job reads those I/Os instead.
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

    /// Whether it reads anything, including for verification.
    pub fn reads(&self) -> bool {
        self.uses(Direction::Read) || self.verify.as_ref().is_some_and(|verify| verify.read_back)
    }

    /// Whether it modifies the target.
    pub fn is_modifying(&self) -> bool {
        if let Some(action) = self.file_action {
            return action.is_modifying();
        }
        Direction::ALL.into_iter().any(|direction| direction.is_modifying() && self.uses(direction))
    }

    /// The part of a file's region that its I/Os use: all of it, or one block if each I/O is a call for the whole
    /// file.
    pub fn drawn_part(&self, file: &FileUse) -> FileUse {
        match self.file_action {
            Some(action) if action.is_whole_file() => {
                FileUse { region_len_bytes: file.region_len_bytes.min(self.block_len_bytes_max()), ..*file }
            }
            _ => *file,
        }
    }

    /// Whether each block comes once before any repeats. Otherwise fio treats a job as one long pass, as strace
    /// shows.
    pub fn has_passes(&self) -> bool {
        self.order != Order::RandomRepeating && !self.is_skewed()
    }

    /// Bytes of one pass over a file's region.
    pub fn pass_len_bytes(&self, file: &FileUse) -> u64 {
        let at_least = || file.region_len_bytes.next_multiple_of(self.block_bytes());
        self.to_end_bytes(file).unwrap_or_else(at_least)
    }

    /// Bytes moved in a file before its end: its whole blocks. Sequential reads and writes of one job have separate
    /// positions that do not reach the end: together they move as many bytes as the region has. Sequential I/O that
    /// skips bytes reaches the end when an I/O ends there or would pass it; `None` if it then continues from the
    /// start, as in fio.
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
            // fio compares it with the end of the file, although it counts from the offset.
            Ordering::Less if next_bytes >= file.end_bytes() => None,
            Ordering::Less | Ordering::Equal => Some(blocks * block_bytes),
            Ordering::Greater => Some((blocks - 1) * block_bytes),
        }
    }

    fn block_bytes(&self) -> u64 {
        self.block_len_bytes_min().max(1)
    }

    /// The number of blocks of a sequential job that begin within `len_bytes`, at least 1, and the end of the last
    /// one.
    pub fn blocks_begun(&self, len_bytes: u64) -> (u64, u64) {
        let block_bytes = self.block_bytes();
        let skip_bytes = u64::try_from(self.sequential_skip_bytes).unwrap_or(0);
        let step_bytes = block_bytes.saturating_add(skip_bytes);
        let steps = (len_bytes - 1) / step_bytes;
        (steps + 1, steps * step_bytes + block_bytes)
    }

    /// Whether random offsets are not uniform.
    pub fn is_skewed(&self) -> bool {
        let has_zones = self.access_zones.iter().any(|(_, zones)| !zones.is_empty());
        self.order.is_random() && (self.distribution != Distribution::Uniform || has_zones)
    }

    /// Total length of the parts of a region with their own shares, in bytes, for the direction with the longest.
    pub fn access_zones_bytes(&self, region_len_bytes: u64) -> u64 {
        let of_all = |zones: &Vec<AccessZone>| {
            zones.iter().map(|zone| zone.len.len_bytes(region_len_bytes)).fold(0, u64::saturating_add)
        };
        let is_used = |direction| self.order.is_random() && self.draws(direction);
        let used = self.access_zones.iter().filter(|&(direction, _)| is_used(direction));
        used.map(|(_, zones)| of_all(zones)).max().unwrap_or(0)
    }

    /// Whether some I/Os of a random job continue the previous one.
    pub fn is_partly_sequential(&self) -> bool {
        let percents = self.random_percent.iter();
        self.order.is_random()
            && percents.into_iter().any(|(direction, &percent)| self.draws(direction) && percent < 100)
    }

    /// The direction whose offsets and lengths are drawn in addition to those of reads: a write after a trim shares
    /// the trim's.
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
        // A sync moves no bytes, and a write after a trim is as long as the trim. Trims in a recording move none in
        // addition to its other I/Os.
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
