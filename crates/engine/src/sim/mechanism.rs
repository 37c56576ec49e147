//! When a request will be complete: the drive's state, and what each operation does to it.
//!
//! A request waits for a free channel, and for whatever holds the whole drive. A read then costs a command, a page, and
//! the time of its data on the bus; a write a command, the time on the bus, and programming; a flush waits for all
//! channels and takes one of its paths. All of it is known when the request comes in, because nothing that comes later
//! overtakes it except on the bus ([`Bus`]).

use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::{Direction, MIB};

use super::background::Chore;
use super::bus::Bus;
use super::drive::SimRequest;
use super::mapping::OpenUnits;
use super::model::{DriveModel, Path};
use super::paths::{PathDealer, time_ns};
use super::room::{CacheRoom, ErasedRoom};
use super::thermal::Warmth;
use super::variation::Pace;

/// Blocks of one page class, in bytes.
const PAGE_BLOCK_BYTES: u64 = 4_096;
/// Streams of reads that the drive can follow at once.
const READ_STREAMS: usize = 8;

/// Parts that draw numbers, each from a source of its own, so that one more draw in one moves none in another.
#[derive(Clone, Copy)]
enum Part {
    Pace,
    Pages,
    PageTimes,
    PartialWrites,
    FullWrites,
    Flushes,
    Stalls,
    Clusters,
    /// The first of the interruptions; the others follow.
    Chores,
}

fn part_seed(seed: u64, part: Part, index: usize) -> u64 {
    derive_seed(seed, part as u64 + index as u64)
}

fn part_rng(seed: u64, part: Part) -> Rng {
    Rng::new(part_seed(seed, part, 0))
}

/// The moving parts of a drive.
#[derive(Debug)]
pub(super) struct Mechanism {
    /// When each channel is free.
    channels_free_ns: Vec<u64>,
    /// Until when the whole drive is held.
    held_until_ns: u64,
    bus: Bus,
    pace: Pace,
    warmth: Option<Warmth>,
    chores: Vec<Chore>,
    /// Decides which page class a block has.
    pages_seed: u64,
    page_times: Rng,
    /// Where reads ended, the latest last.
    read_ends: Vec<u64>,
    partial_writes: PathDealer,
    full_writes: PathDealer,
    flushes: PathDealer,
    open_units: OpenUnits,
    cache: Option<CacheRoom>,
    erased: Option<ErasedRoom>,
    /// When the last write or flush ended, or the room was last brought up to date.
    quiet_since_ns: u64,
    /// Whether there is something to make durable.
    is_dirty: bool,
    is_after_flush: bool,
}

/// Where in time a request is, and how fast the drive is then.
struct Begun {
    channel: usize,
    begin_ns: u64,
    /// Factor on all times.
    slowness: f64,
}

impl Mechanism {
    pub fn new(model: &DriveModel, seed: u64) -> Self {
        let deck = |paths: &[Path], part| PathDealer::new(paths, part_rng(seed, part));
        let chores = model.interruptions.iter().enumerate();
        Self {
            channels_free_ns: vec![0; model.channels.max(1) as usize],
            held_until_ns: 0,
            bus: Bus::default(),
            pace: Pace::new(model.variation, part_rng(seed, Part::Pace)),
            warmth: model.thermal.map(Warmth::new),
            chores: chores.map(|(i, &chore)| Chore::new(chore, Rng::new(part_seed(seed, Part::Chores, i)))).collect(),
            pages_seed: part_seed(seed, Part::Pages, 0),
            page_times: part_rng(seed, Part::PageTimes),
            read_ends: Vec::with_capacity(READ_STREAMS),
            partial_writes: deck(&model.write.partial, Part::PartialWrites),
            full_writes: deck(&model.write.full, Part::FullWrites),
            flushes: deck(&model.flush.paths, Part::Flushes),
            open_units: OpenUnits::new(model.mapping),
            cache: model.cache.map(CacheRoom::new),
            erased: model.collection.clone().map(|collection| {
                let stalls = deck(&collection.stalls, Part::Stalls);
                ErasedRoom::new(collection, stalls, part_rng(seed, Part::Clusters))
            }),
            quiet_since_ns: 0,
            is_dirty: false,
            is_after_flush: false,
        }
    }

    /// Takes a request in, and tells when it will be complete. `stall_ns` is how long the whole drive stops first.
    pub fn complete_ns(&mut self, model: &DriveModel, now_ns: u64, request: &SimRequest, stall_ns: u64) -> u64 {
        if stall_ns > 0 {
            self.held_until_ns = self.held_until_ns.max(now_ns).saturating_add(stall_ns);
        }
        let begun = self.begin(now_ns, request);
        let (channel, begin_ns) = (begun.channel, begun.begin_ns);
        let direction = request.kind.direction();
        let (served_ns, collected_ns) = match direction {
            Direction::Read | Direction::Trim => (self.read(model, now_ns, request, begun), 0),
            Direction::Write => self.write(model, now_ns, request, begun),
            Direction::Sync => self.flush(model, begun),
        };
        let chores = self.chores.iter_mut();
        let chores_ns: u64 = chores.map(|chore| chore.work_ns(direction, begin_ns, served_ns)).sum();
        // Where the drive stopped for longer anyway, its chores are done in that time.
        let end_ns = self.hold(served_ns, chores_ns.saturating_sub(collected_ns));
        match direction {
            Direction::Sync => self.channels_free_ns.fill(end_ns),
            _ => self.channels_free_ns[channel] = end_ns,
        }
        if direction != Direction::Read {
            self.quiet_since_ns = self.quiet_since_ns.max(end_ns);
        }
        end_ns
    }

    /// Finds the channel and the time at which a request begins, behind all that the drive has to do first.
    fn begin(&mut self, now_ns: u64, request: &SimRequest) -> Begun {
        let direction = request.kind.direction();
        let slowness = self.pace.at(now_ns)
            * self.warmth.as_mut().map_or(1.0, |warmth| warmth.work(now_ns, u64::from(request.len_bytes)));
        let free = self.channels_free_ns.iter().copied().enumerate();
        let (channel, mut free_ns) = free.min_by_key(|&(_, free_ns)| free_ns).unwrap_or_default();
        if direction == Direction::Sync {
            free_ns = self.channels_free_ns.iter().copied().max().unwrap_or(0);
        }
        Begun { channel, begin_ns: now_ns.max(free_ns).max(self.held_until_ns), slowness }
    }

    /// Stops the whole drive for a time, and tells when it goes on.
    fn hold(&mut self, begin_ns: u64, len_ns: u64) -> u64 {
        let end_ns = begin_ns.saturating_add(len_ns);
        if len_ns > 0 {
            self.held_until_ns = self.held_until_ns.max(end_ns);
        }
        end_ns
    }

    fn read(&mut self, model: &DriveModel, now_ns: u64, request: &SimRequest, begun: Begun) -> u64 {
        let page_ns = self.page_ns(model, request);
        let after_ns = |ns: f64| (ns * begun.slowness) as u64;
        let ready_ns = begun.begin_ns.saturating_add(after_ns(model.bus.command_ns as f64 + page_ns));
        let transfer_ns = f64::from(request.len_bytes) * 1e9 / model.read.bytes_per_s as f64;
        self.bus.transfer(now_ns, ready_ns, after_ns(transfer_ns))
    }

    /// What finding and sensing the first page of a read costs, in nanoseconds.
    fn page_ns(&mut self, model: &DriveModel, request: &SimRequest) -> f64 {
        let position = request.position_bytes;
        let followed = self.read_ends.iter().position(|&end| end == position);
        if let Some(at) = followed.or((self.read_ends.len() >= READ_STREAMS).then_some(0)) {
            self.read_ends.remove(at);
        }
        self.read_ends.push(position.saturating_add(u64::from(request.len_bytes)));
        if followed.is_some() {
            return model.read.sequential_ns as f64;
        }
        // A block's class belongs to its address: reading it again takes the same path.
        let hash = derive_seed(self.pages_seed, position / PAGE_BLOCK_BYTES);
        let at = (hash >> 11) as f64 / (1u64 << 53) as f64;
        let mut end = 0.0;
        let mut classes = model.read.pages.iter().filter(|page| {
            end += page.share;
            at < end
        });
        let page = classes.next().or(model.read.pages.last());
        page.map_or(0.0, |page| time_ns(page, &mut self.page_times))
    }

    /// When a write is done, and how long the drive stopped for it to collect erased blocks.
    fn write(&mut self, model: &DriveModel, now_ns: u64, request: &SimRequest, begun: Begun) -> (u64, u64) {
        let len_bytes = u64::from(request.len_bytes);
        let (cache_factor, stall_ns) = self.take_in(begun.begin_ns, len_bytes);
        let begin_ns = self.hold(begun.begin_ns, stall_ns);
        let copied_bytes = self.open_units.write(request.position_bytes, len_bytes);
        let program_ns = if len_bytes < model.write.partial_below_bytes {
            self.partial_writes.draw_ns()
        } else {
            self.full_writes.draw_ns() * len_bytes as f64 / MIB as f64
        };
        let setup_ns = if std::mem::take(&mut self.is_after_flush) { model.write.after_flush_ns as f64 } else { 0.0 };
        let after_ns = |ns: f64| (ns * begun.slowness) as u64;
        let ready_ns = begin_ns.saturating_add(after_ns(model.bus.command_ns as f64));
        let transfer_ns = after_ns(len_bytes as f64 * 1e9 / model.write.bytes_per_s as f64);
        let inside_ns = program_ns * cache_factor + self.open_units.copy_ns(copied_bytes) + setup_ns;
        self.is_dirty = true;
        (self.bus.transfer(now_ns, ready_ns, transfer_ns).saturating_add(after_ns(inside_ns)), stall_ns)
    }

    /// Makes room for data: how many times longer programming takes, and how long the drive has to stop for it, in
    /// nanoseconds.
    fn take_in(&mut self, begin_ns: u64, len_bytes: u64) -> (f64, u64) {
        let quiet_ns = begin_ns.saturating_sub(self.quiet_since_ns);
        self.quiet_since_ns = self.quiet_since_ns.max(begin_ns);
        if quiet_ns > 0 {
            self.cache.iter_mut().for_each(|cache| cache.rest(quiet_ns));
            self.erased.iter_mut().for_each(|erased| erased.rest(quiet_ns));
        }
        let cache_factor = self.cache.as_mut().map_or(1.0, |cache| cache.write(len_bytes));
        let stall_ns = self.erased.as_mut().map_or(0, |erased| erased.write(len_bytes));
        (cache_factor, stall_ns)
    }

    /// When a flush is done, and how long the drive stopped for its journal to collect erased blocks.
    fn flush(&mut self, model: &DriveModel, begun: Begun) -> (u64, u64) {
        let (mut inside_ns, mut collected_ns) = (0.0, 0);
        if std::mem::take(&mut self.is_dirty) {
            let (cache_factor, stall_ns) = self.take_in(begun.begin_ns, model.flush.journal_bytes);
            inside_ns = self.flushes.draw_ns() * cache_factor;
            collected_ns = stall_ns;
            self.is_after_flush = true;
        }
        let begin_ns = self.hold(begun.begin_ns, collected_ns);
        let len_ns = (model.bus.command_ns as f64 + inside_ns) * begun.slowness;
        (begin_ns.saturating_add(len_ns as u64), collected_ns)
    }

    /// Whether a flush would have something to make durable.
    pub fn is_dirty(&self) -> bool {
        self.is_dirty
    }
}
