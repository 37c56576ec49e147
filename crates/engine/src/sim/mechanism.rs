//! Timing of requests: the drive's state, and how each operation changes it.
//!
//! A request waits for a free channel, and for anything that blocks the whole drive. A read then costs a
//! command, a page, and the transfer time; a write a command, the transfer time, and programming; a flush
//! waits for all channels and takes one of its paths. All of it is known when the request arrives, because
//! later requests overtake it only on the bus ([`Bus`]).

use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::{Direction, MIB};

use super::background::Chore;
use super::bus::Bus;
use super::mapping::OpenUnits;
use super::model::{DriveModel, Path};
use super::paths::{PathDealer, time_ns};
use super::request::SimRequest;
use super::room::{CacheRoom, ErasedRoom};
use super::thermal::Warmth;
use super::variation::Pace;

/// Blocks of one page class, in bytes.
const PAGE_BLOCK_BYTES: u64 = 4_096;
/// Read streams that the drive can track at once.
const READ_STREAMS: usize = 8;

/// Parts with separate random sources, so that an additional draw in one does not affect the others.
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
    /// When each channel becomes free.
    channels_free_ns: Vec<u64>,
    /// End of the time when the whole drive is blocked.
    held_until_ns: u64,
    bus: Bus,
    pace: Pace,
    warmth: Option<Warmth>,
    chores: Vec<Chore>,
    /// Determines the page class of a block.
    pages_seed: u64,
    page_times: Rng,
    /// Ends of reads, latest last.
    read_ends: Vec<u64>,
    partial_writes: PathDealer,
    full_writes: PathDealer,
    flushes: PathDealer,
    open_units: OpenUnits,
    cache: Option<CacheRoom>,
    erased: Option<ErasedRoom>,
    /// When the last write or flush ended, or idle time was last accounted for.
    quiet_since_ns: u64,
    /// Whether there is data to flush.
    pub is_dirty: bool,
    is_after_flush: bool,
}

/// Start time of a request, and the drive's speed then.
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
            chores: chores
                .map(|(i, &chore)| Chore::new(chore, Rng::new(part_seed(seed, Part::Chores, i))))
                .collect(),
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

    /// Accepts a request and returns its completion time. The whole drive stalls for `stall_ns` first.
    pub fn complete_ns(
        &mut self,
        model: &DriveModel,
        now_ns: u64,
        request: &SimRequest,
        stall_ns: u64,
    ) -> u64 {
        if stall_ns > 0 {
            self.held_until_ns = self.held_until_ns.max(now_ns).saturating_add(stall_ns);
        }
        let begun = self.begin(now_ns, request);
        let (channel, begin_ns) = (begun.channel, begun.begin_ns);
        let direction = request.kind.direction();
        let (served_ns, collected_ns) = match direction {
            Direction::Read => (self.read(model, now_ns, request, begun), 0),
            Direction::Trim => (self.trim(model, request, begun), 0),
            Direction::Write => self.write(model, now_ns, request, begun),
            Direction::Sync => self.flush(model, begun),
        };
        let chores = self.chores.iter_mut();
        let chores_ns: u64 = chores.map(|chore| chore.work_ns(direction, begin_ns, served_ns)).sum();
        // If the drive stalled for longer anyway, it did its chores meanwhile.
        let end_ns = self.hold(served_ns, chores_ns.saturating_sub(collected_ns));
        match direction {
            Direction::Sync => self.channels_free_ns.fill(end_ns),
            _ => self.channels_free_ns[channel] = end_ns,
        }
        if !matches!(direction, Direction::Read | Direction::Trim) {
            self.quiet_since_ns = self.quiet_since_ns.max(end_ns);
        }
        end_ns
    }

    /// The channel and start time of a request, after everything that the drive has to do first.
    fn begin(&mut self, now_ns: u64, request: &SimRequest) -> Begun {
        let direction = request.kind.direction();
        let moved_bytes = if direction == Direction::Trim { 0 } else { u64::from(request.len_bytes) };
        let slowness = self.pace.factor_at(now_ns)
            * self.warmth.as_mut().map_or(1.0, |warmth| warmth.work(now_ns, moved_bytes));
        let free = self.channels_free_ns.iter().copied().enumerate();
        let (channel, mut free_ns) = free.min_by_key(|&(_, free_ns)| free_ns).unwrap_or_default();
        if direction == Direction::Sync {
            free_ns = self.channels_free_ns.iter().copied().max().unwrap_or(0);
        }
        Begun { channel, begin_ns: now_ns.max(free_ns).max(self.held_until_ns), slowness }
    }

    /// Blocks the whole drive for a time, and returns when it resumes.
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

    /// A trim only changes the mapping: it costs a command, and no data is moved.
    fn trim(&mut self, model: &DriveModel, request: &SimRequest, begun: Begun) -> u64 {
        self.open_units.trim(request.position_bytes, u64::from(request.len_bytes));
        begun.begin_ns.saturating_add((model.bus.command_ns as f64 * begun.slowness) as u64)
    }

    /// Cost of finding and sensing the first page of a read, in nanoseconds.
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
        // A block's class depends on its address: reading it again takes the same path.
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

    /// When a write completes, and how long the drive stalled for it to collect erased blocks.
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
        let setup_ns =
            if std::mem::take(&mut self.is_after_flush) { model.write.after_flush_ns as f64 } else { 0.0 };
        let after_ns = |ns: f64| (ns * begun.slowness) as u64;
        let ready_ns = begin_ns.saturating_add(after_ns(model.bus.command_ns as f64));
        let transfer_ns = after_ns(len_bytes as f64 * 1e9 / model.write.bytes_per_s as f64);
        let inside_ns = program_ns * cache_factor + self.open_units.copy_ns(copied_bytes) + setup_ns;
        self.is_dirty = true;
        (self.bus.transfer(now_ns, ready_ns, transfer_ns).saturating_add(after_ns(inside_ns)), stall_ns)
    }

    /// Makes room for data. Returns the factor on programming time, and how long the drive has to stall, in
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

    /// When a flush completes, and how long the drive stalled for its journal to collect erased blocks.
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
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cardiograph_core::NS_PER_S;

    use super::super::drive::SimDrive;
    use super::super::model::{Cache, Collection, Interruption, Thermal, Wearing};
    use super::super::workbench::{Done, drive_at_depth, drive_one_by_one, plain, request, rest};
    use super::*;
    use crate::engine::OpKind;

    fn drive(change: impl FnOnce(&mut DriveModel)) -> Arc<SimDrive> {
        SimDrive::new(plain(change), 1)
    }

    /// Latencies of sequentially issued requests of one kind, each `stride_bytes` after the previous.
    fn latencies(
        drive: &Arc<SimDrive>,
        kind: OpKind,
        count: u64,
        len_bytes: u64,
        stride_bytes: u64,
    ) -> Vec<u64> {
        let mut positions = (0..count).map(|i| i * stride_bytes % drive.model().capacity_bytes);
        let next = |_| positions.next().map(|position| request(kind, position, len_bytes as u32));
        drive_one_by_one(drive, next).iter().map(Done::latency_ns).collect()
    }

    fn mean(latencies: &[u64]) -> f64 {
        latencies.iter().sum::<u64>() as f64 / latencies.len() as f64
    }

    #[test]
    fn costs_of_a_request_add_up() {
        let drive = drive(|_| {});
        assert_eq!(latencies(&drive, OpKind::Read, 3, 4_096, 8_192), [100_000; 3]);
        // Sequential: no page to find.
        assert_eq!(latencies(&drive, OpKind::Read, 3, 4_096, 4_096)[1..], [34_096; 2]);
        assert_eq!(latencies(&drive, OpKind::Write, 3, 4_096, 4_096), [200_000; 3]);
        let mib = 10_000 + MIB + 1_000_000;
        assert_eq!(latencies(&drive, OpKind::Write, 2, MIB, MIB), [mib, mib]);
        assert_eq!(latencies(&drive, OpKind::Write, 1, MIB / 2, MIB), [(mib - 10_000) / 2 + 10_000]);
    }

    #[test]
    fn channels_work_in_parallel_until_all_are_busy() {
        let iops_at = |depth| {
            let drive = drive(|_| {});
            let mut positions = (0..4_000u64).map(|i| i * 7_919 % 100_000 * 8_192 % (1 << 30));
            let done =
                drive_at_depth(&drive, depth, |_| Some(request(OpKind::Read, positions.next()?, 4_096)));
            4_000.0 * 1e9 / done.last().unwrap().completed_at_ns as f64
        };
        let (one, two, four, eight) = (iops_at(1), iops_at(2), iops_at(4), iops_at(8));
        assert!((one - 10_000.0).abs() < 1.0, "{one}");
        assert!((two / one - 2.0).abs() < 0.1, "{two}");
        assert!((four / one - 4.0).abs() < 0.3, "{four}");
        assert!((eight / four - 1.0).abs() < 0.05, "{eight}");
    }

    #[test]
    fn the_bus_is_shared() {
        let drive = drive(|_| {});
        let mut positions = (0..100).map(|i| i * 2 * MIB);
        let done = drive_at_depth(&drive, 4, |_| Some(request(OpKind::Read, positions.next()?, MIB as u32)));
        let rate = 100.0 * MIB as f64 * 1e9 / done.last().unwrap().completed_at_ns as f64;
        assert!(rate > 0.99e9 && rate <= 1e9, "{rate} bytes per second on a bus of 1e9");
    }

    #[test]
    fn a_block_keeps_its_page_class() {
        let pages = [(0.25, 40_000), (0.75, 80_000)];
        let drive = drive(|model| {
            let path = |(share, mean_ns)| Path { share, mean_ns, deviation_ns: 0 };
            model.read.pages = pages.map(path).to_vec();
        });
        let first = latencies(&drive, OpKind::Read, 10_000, 4_096, 8_192);
        assert_eq!(first, latencies(&drive, OpKind::Read, 10_000, 4_096, 8_192));
        let fast = first.iter().filter(|&&ns| ns == 54_096).count();
        assert!(fast.abs_diff(2_500) < 150, "{fast} of 10,000 where a quarter is wanted");
    }

    #[test]
    fn the_unwritten_part_of_a_unit_is_copied() {
        let drive = drive(|model| model.mapping.unit_bytes = MIB);
        let alone = latencies(&drive, OpKind::Write, 100, 4_096, 3 * MIB);
        // The first has nothing to close.
        assert_eq!(alone[0], 200_000);
        assert!(alone[1..].iter().all(|&ns| ns == 200_000 + MIB - 4_096), "{alone:?}");
        let in_order = latencies(&drive, OpKind::Write, 256, 4_096, 4_096);
        assert!(in_order[1..].iter().all(|&ns| ns == 200_000), "{in_order:?}");
    }

    #[test]
    fn the_cache_ends_at_its_size_and_recovers_in_idle_time() {
        let drive = drive(|model| {
            model.cache =
                Some(Cache { len_bytes: 100 * MIB, slow_factor: 10.0, refill_bytes_per_s: 10 * MIB });
        });
        let (fast, slow) = (10_000 + MIB + 1_000_000, 10_000 + MIB + 10_000_000);
        let writes = latencies(&drive, OpKind::Write, 200, MIB, MIB);
        assert_eq!(writes[..100], [fast; 100]);
        assert_eq!(writes[100..], [slow; 100]);
        rest(&drive, 5 * NS_PER_S);
        assert_eq!(
            latencies(&drive, OpKind::Write, 60, MIB, MIB).iter().filter(|&&ns| ns == fast).count(),
            50
        );
        // Reading counts as idle time, too.
        let mut positions = (0..20_000u64).map(|i| i * 8_192);
        drive_one_by_one(&drive, |_| Some(request(OpKind::Read, positions.next()?, 4_096)));
        assert_eq!(
            latencies(&drive, OpKind::Write, 60, MIB, MIB).iter().filter(|&&ns| ns == fast).count(),
            20
        );
    }

    #[test]
    fn collection_stalls_once_per_superblock() {
        let drive = drive(|model| {
            model.collection = Some(Collection {
                reserve_bytes: 50 * MIB,
                superblock_bytes: 20 * MIB,
                stalls: vec![Path { share: 1.0, mean_ns: 300_000_000, deviation_ns: 0 }],
                repeat_share: 0.3,
                repeat_gap_bytes: 2 * MIB,
                refill_bytes_per_s: 0,
            });
        });
        let writes = latencies(&drive, OpKind::Write, 1_000, MIB, MIB);
        let stalls: Vec<usize> = (0..writes.len()).filter(|&i| writes[i] > 300_000_000).collect();
        assert_eq!(stalls[0], 50);
        assert!((45..=50).contains(&stalls.len()), "{} where 950 / 20 = 47.5 are wanted", stalls.len());
    }

    #[test]
    fn a_flush_costs_its_path_once_for_the_data_written() {
        let drive = drive(|model| model.write.after_flush_ns = 50_000);
        let before = drive.counters();
        let kinds = [
            OpKind::Write,
            OpKind::Fsync,
            OpKind::Fdatasync,
            OpKind::Write,
            OpKind::Write,
            OpKind::Fdatasync,
        ];
        let mut requests = kinds.into_iter().enumerate().map(|(i, kind)| match kind {
            OpKind::Write => request(kind, i as u64 * 4_096, 4_096),
            _ => request(kind, 0, 0),
        });
        let done: Vec<u64> =
            drive_one_by_one(&drive, |_| requests.next()).iter().map(Done::latency_ns).collect();
        assert_eq!(done, [200_000, 1_000_000, 10_000, 250_000, 200_000, 1_000_000]);
        let counted = drive.counters().since(&before);
        assert_eq!((counted.write_ios, counted.write_bytes), (3 + 2 * 2, 3 * 4_096 + 2 * 12_288));
        assert_eq!((counted.flush_ios, counted.read_ios), (3, 0));
    }

    #[test]
    fn a_flush_waits_for_earlier_requests_and_nothing_overtakes_it() {
        let drive = drive(|_| {});
        let at = |kind, position_bytes, len_bytes| {
            drive.serve(0, &request(kind, position_bytes, len_bytes)).unwrap().completed_at_ns
        };
        assert_eq!(at(OpKind::Write, 0, MIB as u32), 10_000 + MIB + 1_000_000);
        assert_eq!(at(OpKind::Fsync, 0, 0), 10_000 + MIB + 1_000_000 + 1_000_000);
        assert_eq!(at(OpKind::Read, 0, 4_096), 10_000 + MIB + 2_000_000 + 100_000);
    }

    #[test]
    fn heat_throttles_until_the_drive_cools() {
        let thermal = Thermal {
            heating_k_per_gib: 1_000.0,
            cooling_k_per_s: 1.0,
            limit_k: 50.0,
            resume_k: 40.0,
            slow_factor: 3.0,
        };
        let drive = drive(|model| model.thermal = Some(thermal));
        let writes = latencies(&drive, OpKind::Write, 100, MIB, MIB);
        let fast = writes.iter().filter(|&&ns| ns == 10_000 + MIB + 1_000_000).count();
        // 50 K are 51.2 MiB, and 0.1 K more for each tenth of a second.
        assert_eq!(fast, 52);
        assert!(writes[fast..].iter().all(|&ns| ns.abs_diff(3 * writes[0]) < 10), "{:?}", &writes[fast..]);
        rest(&drive, 60 * NS_PER_S);
        assert_eq!(latencies(&drive, OpKind::Write, 1, MIB, MIB), [10_000 + MIB + 1_000_000]);
    }

    #[test]
    fn chores_interrupt_their_kind_of_work_and_block_the_whole_drive() {
        let interruption = Interruption {
            after: Wearing::Writes,
            every_ns: 100_000_000,
            mean_ns: 7_000_000,
            deviation_ns: 0,
        };
        let drive = drive(|model| model.interruptions = vec![interruption]);
        let interrupted = |latencies: &[u64]| latencies.iter().filter(|&&ns| ns > 7_000_000).count();
        assert_eq!(interrupted(&latencies(&drive, OpKind::Read, 20_000, 4_096, 8_192)), 0);
        let writes = interrupted(&latencies(&drive, OpKind::Write, 10_000, 4_096, 4_096));
        assert!((18..=21).contains(&writes), "{writes} in 2 s of writing, one each 100 ms");
        // With four in flight, the interrupted one delays the next ones, though other channels are free.
        let mut positions = (0..10_000u64).map(|i| i * 4_096);
        let done = drive_at_depth(&drive, 4, |_| Some(request(OpKind::Write, positions.next()?, 4_096)));
        let latencies: Vec<u64> = done.iter().map(Done::latency_ns).collect();
        let delayed = latencies.iter().filter(|&&ns| ns > 6_500_000).count();
        assert!(delayed >= 3 * 4, "{delayed} delayed by about 5 interruptions");
    }

    #[test]
    fn runs_differ_and_neighbouring_seconds_correlate() {
        let with_drift = |model: &mut DriveModel| {
            (model.variation.run_to_run, model.variation.drift) = (0.02, 0.01);
            model.variation.drift_time_ns = 5 * NS_PER_S;
        };
        let of_seed =
            |seed| mean(&latencies(&SimDrive::new(plain(with_drift), seed), OpKind::Read, 10, 4_096, 8_192));
        let runs: Vec<f64> = (0..400).map(of_seed).collect();
        let centre = runs.iter().sum::<f64>() / 400.0;
        let deviation =
            (runs.iter().map(|run| (run - centre) * (run - centre)).sum::<f64>() / 400.0).sqrt() / centre;
        // Both together: sqrt(0.02² + 0.01²).
        assert!((deviation - 0.0224).abs() < 0.003, "{deviation}");
        let drive = drive(|model| model.variation.drift = 0.01);
        let seconds: Vec<f64> =
            latencies(&drive, OpKind::Read, 2_000_000, 4_096, 8_192).chunks(1_000).map(mean).collect();
        let (jump, spread) = seconds.windows(2).fold((0.0, 0.0), |(jump, spread), pair| {
            (jump + (pair[1] - pair[0]) * (pair[1] - pair[0]), spread + (pair[0] - 1e5) * (pair[0] - 1e5))
        });
        // A tenth of a second later, 0.9 of the drift is left: jumps are sqrt(2 · 0.1) of it where chance alone makes sqrt(2).
        assert!((jump / spread - 0.2).abs() < 0.08, "{}", jump / spread);
    }
}
