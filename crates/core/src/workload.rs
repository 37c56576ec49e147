//! A job that has been validated: what a worker does, without a question left open.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NS_PER_S;
use crate::direction::{Direction, PerDirection};
use crate::replay::Replay;
use crate::value::PatternBytes;
pub use crate::verify::{Checksum, Verify};

mod access;
mod pace;

pub use access::{AccessZone, Distribution, StridedZones, ZoneLen};
pub use pace::{Arrivals, FlowWeight, LatencyTarget, Think};

/// In which order the blocks of a region come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// One after the other, each direction at a position of its own.
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

/// How long the I/Os of one direction are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum BlockLen {
    /// All alike.
    Fixed {
        /// The length in bytes.
        len_bytes: u64,
    },
    /// Drawn evenly from the multiples of the shortest, up to the longest.
    Range {
        /// The shortest in bytes.
        min_bytes: u64,
        /// The longest in bytes.
        max_bytes: u64,
    },
    /// Drawn by weight.
    Split {
        /// The lengths in bytes, and the weight of each. The weights add up to 100.
        parts: Vec<BlockShare>,
    },
}

/// A length of a split, and how often it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockShare {
    /// The length in bytes.
    pub len_bytes: u64,
    /// Its share in percent.
    pub percent: u32,
}

impl Default for BlockLen {
    fn default() -> Self {
        BlockLen::Fixed { len_bytes: 0 }
    }
}

impl BlockLen {
    /// The shortest I/O in bytes.
    pub fn min_bytes(&self) -> u64 {
        match self {
            BlockLen::Fixed { len_bytes } => *len_bytes,
            BlockLen::Range { min_bytes, .. } => *min_bytes,
            BlockLen::Split { parts } => parts.iter().map(|part| part.len_bytes).min().unwrap_or(0),
        }
    }

    /// The longest I/O in bytes.
    pub fn max_bytes(&self) -> u64 {
        match self {
            BlockLen::Fixed { len_bytes } => *len_bytes,
            BlockLen::Range { max_bytes, .. } => *max_bytes,
            BlockLen::Split { parts } => parts.iter().map(|part| part.len_bytes).max().unwrap_or(0),
        }
    }
}

/// How the durability of writes is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SyncMethod {
    /// fsync: data and all metadata.
    Fsync,
    /// fdatasync: data, and the metadata that is needed to read it.
    Fdatasync,
}

/// When writes are made durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SyncEvery {
    /// After so many writes; at least 1.
    pub writes: u64,
    /// By which call.
    pub method: SyncMethod,
}

/// What each write itself promises when it is complete.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WriteThrough {
    /// Nothing.
    #[default]
    None,
    /// The data is durable, and the metadata that is needed to read it (O_DSYNC).
    Data,
    /// The data and all metadata are durable (O_SYNC).
    All,
}

/// What the content of writes is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Incompressible, with a stamp in each 512 bytes that no other sector of this or another run has.
    Stamped,
    /// Wholly new random bytes for each write.
    Refilled,
    /// The same random bytes again and again: what `scramble_buffers=0` asks for.
    Repeated,
    /// Zeros.
    Zeros,
    /// The same bytes again and again, from the beginning of each write on.
    Pattern {
        /// The bytes.
        pattern: PatternBytes,
    },
    /// Random bytes, anew for each write, with a share that a compressor takes away.
    Compressible {
        /// The share.
        compression: Compression,
    },
    /// Blocks of which some are like others.
    Deduplicable {
        /// The share of blocks that are like others, in percent.
        percent: u32,
        /// Length of these blocks in bytes.
        block_len_bytes: u64,
        /// Which ones they are like.
        repeats: Repeats,
        /// What a compressor takes away from each.
        compression: Option<Compression>,
    },
}

/// What a compressor takes away from random bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compression {
    /// The share of what it takes away, in percent.
    pub percent: u32,
    /// In pieces of so many bytes, each of which has the share.
    pub chunk_bytes: u32,
    /// What stands there; `None` is zeros.
    pub filler: Option<PatternBytes>,
}

/// What a block is like that is not new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Repeats {
    /// The last new one.
    Last,
    /// One of a set.
    OneOf {
        /// Size of the set, in percent of the blocks of the job's files.
        percent: u32,
        /// Whether all jobs have the same set.
        is_shared: bool,
    },
}

/// Where the memory of a job's buffers comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Memory {
    /// What the kernel is asked for.
    pub kind: MemoryKind,
    /// Length of its pages in bytes where they are to be huge.
    pub huge_page_len_bytes: Option<u64>,
    /// How far behind the beginning of a page each buffer begins, in bytes.
    pub shift_bytes: u64,
}

/// What the kernel is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// Pages of this process.
    #[default]
    Private,
    /// Pages that could be shared (`MAP_SHARED`).
    Shared,
    /// A segment of System V's shared memory.
    Segment,
}

/// When a job ends. It ends at what comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopWhen {
    /// After so many bytes were moved, reads and writes together.
    pub bytes: Option<u64>,
    /// After so many nanoseconds; the ramp comes on top.
    pub time_ns: Option<u64>,
    /// After so many I/Os, syncs excepted.
    pub ios: Option<u64>,
}

/// How requests are handed over and taken back. Only an engine that queues has these freedoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Batching {
    /// Requests that are handed over in one call; `None` lets the worker choose what keeps the drive busy.
    pub submit: Option<u32>,
    /// Completions to wait for in one call; 0 does not wait before the queue is full.
    pub complete_min: u32,
    /// Completions to take in one call; `None` takes all that are there.
    pub complete_max: Option<u32>,
    /// New requests are made once so few are in flight; the depth itself makes them at once.
    pub low: u32,
}

impl Batching {
    /// What is done when nothing is asked for: hand over what there is, wait for one.
    pub const fn free(depth: u32) -> Self {
        Self { submit: None, complete_min: 1, complete_max: None, low: depth }
    }
}

/// A limit on how fast a direction goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Rate {
    /// Bytes per second.
    Bytes {
        /// At most.
        per_second: u64,
        /// The job fails below this.
        min_per_second: u64,
    },
    /// I/Os per second.
    Ios {
        /// At most; 0 is no limit.
        per_second: u64,
        /// The job fails below this.
        min_per_second: u64,
    },
}

/// Which latencies are taken down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// From the decision to the hand-over.
    pub submission: bool,
    /// From the hand-over to completion.
    pub completion: bool,
    /// From the decision to completion.
    pub total: bool,
}

impl Measured {
    /// All of them.
    pub const ALL: Measured = Measured { submission: true, completion: true, total: true };
}

/// What is written down of single I/Os or of short windows, for logs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Logged {
    /// Whether I/Os are logged.
    pub ios: bool,
    /// As windows of so many nanoseconds; 0 is each I/O by itself.
    pub window_ns: u64,
    /// How often the histogram of completion latencies is logged, in nanoseconds; 0 is never.
    pub histogram_every_ns: u64,
}

/// What must have settled for a job to end, and how far.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SteadyState {
    /// What is looked at.
    pub metric: SteadyMetric,
    /// Whether the slope of a line through the window is judged, or the largest deviation from its mean.
    pub by_slope: bool,
    /// The limit: a share of the mean in percent, or an absolute value in the metric's unit.
    pub limit: f64,
    /// Whether `limit` is in percent of the mean.
    pub limit_is_percent: bool,
    /// Length of the window in nanoseconds.
    pub window_ns: u64,
    /// Time before the first sample, in nanoseconds.
    pub ramp_ns: u64,
    /// Time between samples, in nanoseconds.
    pub interval_ns: u64,
}

/// What a steady state is looked for in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SteadyMetric {
    /// I/Os per second.
    Iops,
    /// Bytes per second.
    Bandwidth,
}

/// In which turn a job with several files uses them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileTurn {
    /// One I/O (or as many as asked for) each, in a circle.
    #[default]
    RoundRobin,
    /// One file after the other is finished.
    Sequential,
    /// At random.
    Random,
    /// At random, some more often than others.
    Skewed(Distribution),
}

/// How room for a file is made before it is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Preallocation {
    /// Not at all.
    None,
    /// By fallocate, as far as the file system can; the length is set with it.
    #[default]
    Native,
    /// By fallocate, and without the file system's support an error.
    Posix,
    /// By fallocate behind the file's end: its length grows with the writing.
    Keep,
    /// The length is set, and no room is made.
    Truncate,
}

/// What the kernel is told about the order in which blocks will come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrderAdvice {
    /// Nothing.
    None,
    /// The order in which they do come.
    #[default]
    AsDone,
    /// One after the other.
    Sequential,
    /// At random.
    Random,
}

/// How a job deals with its files before and after its I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileHandling {
    /// How room is made.
    pub preallocation: Preallocation,
    /// Whether a file that is written is laid out with content first.
    pub overwrite: bool,
    /// Whether laying out ends with an fsync.
    pub create_fsync: bool,
    /// Whether files may be made.
    pub may_create: bool,
    /// Whether files are made when the job begins, not before all jobs.
    pub create_on_open: bool,
    /// Whether the job ends when its files are laid out.
    pub create_only: bool,
    /// Whether files are removed when the job has ended.
    pub unlink: bool,
    /// Whether cached pages are dropped before the first I/O.
    pub invalidate: bool,
    /// What the kernel is told about the order in which blocks will come.
    pub advice: OrderAdvice,
    /// Whether the files are read into the cache before the first I/O.
    pub pre_read: bool,
    /// Whether a device that is mounted may be written to. The safety gate has the last word.
    pub allow_mounted_write: bool,
}

impl Default for FileHandling {
    fn default() -> Self {
        Self {
            preallocation: Preallocation::Native,
            overwrite: false,
            create_fsync: true,
            may_create: true,
            create_on_open: false,
            create_only: false,
            unlink: false,
            invalidate: true,
            advice: OrderAdvice::AsDone,
            pre_read: false,
            allow_mounted_write: false,
        }
    }
}

/// On which processors the workers of a job run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Affinity {
    /// Processor numbers, ascending.
    pub cpus: Vec<u32>,
    /// Whether each worker gets one of them, in turn; otherwise all workers share all of them.
    pub is_split: bool,
}

/// What one job does. Immutable: a run cannot change what it was asked to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// What is added to the position after each sequential I/O, beside its length, in bytes.
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
    /// Whether threads beside the worker hand requests over, so that one that blocks delays no other.
    pub offload: bool,
    /// Jobs that it keeps in proportion to.
    pub flow: Option<FlowWeight>,
    /// What must have settled for it to end early.
    pub steady_state: Option<SteadyState>,
    /// Which latencies are taken down.
    pub measured: Measured,
    /// What is logged.
    pub logged: Logged,
    /// Where its I/O is recorded for a replay; `None` is nowhere.
    pub record: Option<String>,
    /// What is replayed. Then nothing is drawn, and what is said of order and lengths is no more than what comes of it.
    pub replay: Option<Box<Replay>>,
    /// How its files are dealt with.
    pub files: FileHandling,
    /// Where its workers run; `None` is anywhere.
    pub affinity: Option<Affinity>,
    /// The workers' niceness.
    pub nice: i32,
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
            measured: Measured::ALL,
            logged: Logged::default(),
            record: None,
            replay: None,
            files: FileHandling::default(),
            affinity: None,
            nice: 0,
            seed: 0,
            window_ns: NS_PER_S,
        }
    }
}

impl Workload {
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
        Direction::ALL.into_iter().any(|direction| direction.is_modifying() && self.uses(direction))
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

    /// The direction whose places and lengths are drawn beside those of reads: a write behind a trim has the trim's.
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
        // A sync moves no bytes, and a write behind a trim is as long as that.
        let drawn = [Direction::Read, self.changing_direction()].into_iter();
        drawn.filter(|&direction| self.draws(direction)).map(|direction| &self.block_len[direction])
    }
}
